"""The scenarios that come with pbem, as somebody who chooses one wants to know them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import takewhile
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from pbem.core.regex import regex
from pbem.referee.game.refusal import UNDECIDED, refuse
from pbem.resources import folder
from pbem.store import library
from pbem.text.similar import did_you_mean
from pbem.text.source import FILES, read

_FIRST: Final = regex(r".*?[.!?](?=\s)|.*")


class Listed(Struct, frozen=True):
    """A scenario: its name and title, its rules, its sides and what they are called, what it is about.

    ``size`` (``20 x 14``, in hexes, or in inches of a ``table``) and ``length`` (``10 turns``) are as its
    files say it; ``days`` is 0 for one of a single day.
    ``map`` is the file of its map, ``picture`` a picture of a game of it, or None where pictures are not
    installed.
    """

    name: str
    title: str
    ruleset: str
    sides: tuple[tuple[str, str], ...]
    size: str
    table: bool
    length: str
    days: int
    story: str
    map: Path
    picture: Path | None

    @property
    def seats(self) -> str:
        """Return what names its sides for ``pbem new``: ``--seat east=NAME --seat west=NAME``."""
        return seat_options(side for side, _ in self.sides)


def seat_options(sides: Iterable[str]) -> str:
    """Return how the sides are named for ``pbem new``."""
    return " ".join(f"--seat {side}=NAME" for side in sides)


def listed(ruleset: str = "") -> tuple[Listed, ...]:
    """Return the scenarios of a ruleset, or all of them; Refused (cannot decide) where there are none of that
    ruleset.
    """
    found = [_listed(path) for path in library.scenarios()]
    known = sorted({one.ruleset for one in found})
    if ruleset and ruleset not in known:
        help_ = did_you_mean(ruleset, known) or "there are scenarios of " + ", ".join(known)
        raise refuse("rules.unknown", answer=UNDECIDED, ruleset=ruleset, help=help_)
    return tuple(one for one in found if ruleset in ("", one.ruleset))


def _listed(path: Path) -> Listed:
    data, text = _data(path), path.read_text("utf-8")
    map_file = path.parent / "maps" / f"{data['map']}.yaml"
    lies = _data(map_file)
    picture = folder("docs") / "gallery" / f"{path.stem}.png"
    return Listed(
        name=path.stem,
        title=str(data.get("title", path.stem)),
        ruleset=str(data["ruleset"]),
        sides=tuple((side, str(said.get("name", side))) for side, said in data["sides"].items()),
        size=str(lies["size"]),
        table="key" not in lies,
        length=str(data.get("length", "")),
        days=int(data.get("days", 0)),
        story=_story(data, text),
        map=map_file,
        picture=picture if picture.is_file() else None,
    )


def _story(data: Mapping[str, Any], text: str) -> str:
    """Return what a scenario is about: the first sentence of its story, else what stands above its first
    line.
    """
    if story := " ".join(str(data.get("story", "")).split()):
        first = _FIRST.match(story + " ")
        return first[0].strip() if first is not None else story
    lines = takewhile(lambda line: line.startswith("#"), text.splitlines())
    return " ".join(line.lstrip("# ").strip() for line in lines)


def _data(path: Path) -> Mapping[str, Any]:
    data = read(path.read_bytes(), path.name, limits=FILES).data
    assert isinstance(data, Mapping)
    return data
