"""Tests of this folder play on the toy's table."""

from desk_fixtures import no_waiting_for_the_disk, table

__all__ = ["no_waiting_for_the_disk", "table"]
