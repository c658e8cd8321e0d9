"""PyYAML: parsing a text with the C library."""

from __future__ import annotations

from typing import Any

import yaml


def parse(data: bytes) -> Any:
    """Return what a YAML text says."""
    return yaml.load(data, Loader=yaml.CSafeLoader)
