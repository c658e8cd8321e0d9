"""The examples that are games of this family: those of castle sections have orders and states of another form."""

from __future__ import annotations

import json
import zipfile
from functools import cache
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"


@cache
def archives() -> tuple[Path, ...]:
    """Return their archives; asked while tests are gathered, so no game is opened for it."""
    found = tuple(path for path in sorted(EXAMPLES.glob("*/archive.zip")) if _ruleset(path) != "castle")
    assert found
    return found


def _ruleset(path: Path) -> str:
    with zipfile.ZipFile(path) as archive:
        return str(json.loads(archive.read("ledger/00001-manifest.json"))["ruleset"]["id"])
