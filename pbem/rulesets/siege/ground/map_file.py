"""A map file on its way from plain data to a map: its values one by one, and what is wrong with each.

What they mean is ``maps`` and, of the ground, ``map_rows``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.core.problem import Path, Problem
from pbem.core.regex import regex
from pbem.core.ruleset import Ruleset
from pbem.rulesets.siege.ground import terrain
from pbem.rulesets.siege.state import family
from pbem.rulesets.siege.state.field import Terrain
from pbem.rulesets.siege.state.problem_log import ProblemLog
from pbem.rulesets.siege.state.state import Battle

Rules = Ruleset[Battle]

_HEX = regex(r"[0-9]{4}")
WORD = regex(r"\S+")


class MapFile:
    """The plain data of a map, what has been read of it, and the problems found so far."""

    def __init__(self, rules: Rules, data: Mapping[str, Any]) -> None:
        self.data = data
        self.rules = rules
        self.kinds = family.of(rules).kinds
        self.grounds = terrain.grounds(rules)
        self.features = terrain.side_features(rules.tables)
        self.problems = ProblemLog()
        self.needs: list[tuple[str, Problem]] = []
        self.columns = self.rows = 0
        self.ground: dict[str, Terrain] = {}
        self.words: dict[str, int] = {}
        """Hex -> where its word begins in the rows."""
        self.whole = True

    def say(self, code: str, path: Path, help: str = "", key: bool = False, **args: str | int) -> None:
        """Note one problem."""
        self.problems.append(Problem(code, args, path, help=help, key=key))

    def text(self, key: str) -> str:
        """Return a scalar of the file as text; empty if there is none."""
        value = self.data.get(key, "")
        return "" if isinstance(value, Mapping | list | tuple) or value is None else str(value)

    def mapping(self, value: object, path: Path) -> Mapping[str, Any]:
        """Return a mapping; what is none is a problem."""
        if value is None or value == "":
            return {}
        if isinstance(value, Mapping):
            return value
        self.say("map.form", path, what=str(path[-1]), wanted="keys with values")
        return {}

    def entries(self, key: str) -> list[tuple[int, Mapping[str, Any]]]:
        """Return the entries of a list of mappings, each with its place in it."""
        value = self.data.get(key) or []
        if not isinstance(value, list | tuple):
            self.say("map.form", (key,), what=key, wanted="a list")
            return []
        found = [(index, entry) for index, entry in enumerate(value) if isinstance(entry, Mapping)]
        for index, entry in enumerate(value):
            if not isinstance(entry, Mapping):
                self.say("map.form", (key, index), what="this entry", wanted="keys with values")
        return found

    def hexes(self, value: object, path: Path, alone: bool = True) -> tuple[str, ...]:
        """Return the hexes that a text, or a list of texts, names; each must be on the map, and (``alone``)
        named once.
        """
        found: list[str] = []
        seen: set[str] = set()
        parts = (
            [(path, value)]
            if not isinstance(value, list | tuple)
            else [((*path, n), part) for n, part in enumerate(value)]
        )
        for where, part in parts:
            for match in WORD.finditer(str(part)):
                word, place = match[0], (*where, match.start())
                if not _HEX.fullmatch(word):
                    self.say("map.hex", place, help="a hex is four digits, column first: 0712", value=word)
                elif word not in self.ground:
                    if self.whole:
                        self.say("map.off-map", place, help=self.extent(), hex=word)
                elif alone and word in seen:
                    self.say("map.hex-twice", place, hex=word)
                else:
                    found.append(word)
                    seen.add(word)
        if not str(value).strip():
            self.say("map.no-hexes", path)
        return tuple(found)

    def extent(self) -> str:
        """Return how far the map goes, for a sentence."""
        return f"the hexes of this map run from 0101 to {self.columns:02}{self.rows:02}, column first"

    def spot(self, hex_: str, path: Path) -> Path:
        """Return where in the part of the file that a path leads to a hex stands; the path itself if it does
        not.
        """
        if path == ("terrain",):
            return ("terrain", self.words[hex_]) if hex_ in self.words else path
        value: Any = self.data
        for depth, key in enumerate(path):
            known = (
                range(len(value))
                if isinstance(value, list | tuple)
                else value
                if isinstance(value, Mapping)
                else ()
            )
            if key not in known:
                return path[:depth]
            value = value[key]
        parts = (
            [((*path, n), part) for n, part in enumerate(value)]
            if isinstance(value, list | tuple)
            else [(path, value)]
        )
        places = [(*where, str(part).index(hex_)) for where, part in parts if hex_ and hex_ in str(part)]
        return places[0] if places else path
