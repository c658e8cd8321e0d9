"""What was decided stays decided: games of closed revisions come out as they did, byte for byte.

Where one does not, the change belongs into a new revision of the ruleset, beside the old one.
"""

from __future__ import annotations

import hashlib
from functools import cache
from typing import Any

import pytest
from golden_games import BEGINNINGS, CLOSED, GAMES, again, closed, is_closed, read

from pbem.rulesets import find, package_of, revisions
from pbem.store.library import shipped_tables

NAMES = [f"{scenario}-{bot}-{kind}" for scenario, bot, kind in BEGINNINGS]


@cache
def games() -> dict[str, Any]:
    return read()


@pytest.mark.parametrize("name", NAMES)
def test_a_game_comes_out_as_it_did(name: str) -> None:
    kept = games()[name]
    assert again(kept) == kept["digests"], "an outcome changes only by a new revision beside the old one"


def test_every_game_is_there_and_none_beside() -> None:
    assert sorted(games()) == sorted(NAMES)
    assert GAMES.stat().st_size < 400_000


def test_every_game_that_comes_along_has_a_closed_revision() -> None:
    assert CLOSED.exists()
    for id_ in ("cry_havoc", "siege"):
        assert closed()[id_].keys() <= {str(number) for number in revisions(id_)}
        assert "1" in closed()[id_]
    assert all(is_closed(kept["ruleset"]) for kept in games().values())


def test_tables_of_a_closed_revision_are_what_they_were() -> None:
    for id_, by_revision in closed().items():
        for number, said in by_revision.items():
            assert find(id_, int(number)).revision == int(number)
            now = {
                name: hashlib.sha256(data).hexdigest()
                for name, data in shipped_tables(package_of(id_)).items()
            }
            assert {name: now.get(name) for name in said["tables"]} == said["tables"]


def test_another_die_would_be_seen() -> None:
    kept = games()["alder-ford-random-plain"]
    assert again({**kept, "seed": "another"}) != kept["digests"]
