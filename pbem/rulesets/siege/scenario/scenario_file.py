"""A scenario file on its way from plain data to a field: its values one by one, and what is wrong with each.

What they mean is ``scenario``, ``scheme`` and ``siege_scenario``, which are handed the file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from pbem.core.problem import Path, Problem
from pbem.core.regex import regex
from pbem.core.ruleset import Ruleset
from pbem.rulesets.siege.ground import character
from pbem.rulesets.siege.state.field import Person, SideInfo
from pbem.rulesets.siege.state.problem_log import ProblemLog
from pbem.rulesets.siege.state.state import Battle
from pbem.text.similar import did_you_mean

if TYPE_CHECKING:
    from pbem.rulesets.siege.ground.maps import MapPart

Rules = Ruleset[Battle]

_NUMBER = regex(r"[0-9]{1,4}")


class ScenarioFile:
    """The plain data of a scenario, every scalar as typed, the map that it is played on, and the problems
    found so far.
    """

    def __init__(self, rules: Rules, data: Mapping[str, Any], part: MapPart | None) -> None:
        self.rules = rules
        self.data = data
        self.part = part
        self.problems = ProblemLog()
        self.modules = {*rules.modules, *(str(module) for module in self.listed("modules", ("modules",)))}

    @cached_property
    def people(self) -> Mapping[str, Person]:
        """Return everybody whom it may name, by id."""
        return character.roster(self.rules.tables)

    def say(self, code: str, path: Path, help: str = "", key: bool = False, **args: str | int) -> None:
        """Note one problem."""
        self.problems.append(Problem(code, args, path, help=help, key=key))

    def text(self, key: str) -> str:
        """Return a scalar of the file as text; empty if there is none."""
        return word(self.data.get(key))

    def mapping(self, value: object, path: Path) -> Mapping[str, Any]:
        """Return a mapping; what is none is a problem."""
        if value is None or value == "":
            return {}
        if isinstance(value, Mapping):
            return value
        self.say("scenario.shape", path, what=str(path[-1]), wanted="keys with values")
        return {}

    def listed(self, value: object, path: Path) -> list[Any]:
        """Return a list, given or under a key; what is none is a problem."""
        value = self.data.get(value) if isinstance(value, str) and path == (value,) else value
        if value is None or value == "":
            return []
        if isinstance(value, list | tuple):
            return list(value)
        self.say("scenario.shape", path, what=str(path[-1]), wanted="a list")
        return []

    def entries(self, value: object, path: Path) -> Iterator[tuple[Path, Mapping[str, Any]]]:
        """Yield the mappings of a list, each with its path."""
        for index, entry in enumerate(self.listed(value, path)):
            if isinstance(entry, Mapping):
                yield (*path, index), entry
            else:
                self.say("scenario.shape", (*path, index), what="this entry", wanted="keys with values")

    def number(self, value: object, path: Path, default: int) -> int:
        """Return a whole number from 0 to 9999."""
        if value is None:
            return default
        if _NUMBER.fullmatch(str(value)):
            return int(str(value))
        self.say("scenario.number", path, help="a whole number such as 10", value=word(value))
        return default

    def mark(self, name: object, path: Path) -> str:
        """Return the name of a mark of the map; another is a problem."""
        mark = word(name)
        if self.part is not None and mark not in self.part.marks:
            marks = self.part.marks
            help_ = did_you_mean(mark, marks) or (
                "the map has " + ", ".join(sorted(marks)) if marks else "the map has no marks"
            )
            self.say("scenario.mark", path, help=help_, mark=mark)
            return ""
        return mark

    def is_side(self, name: object, sides: Sequence[SideInfo], path: Path, key: bool = False) -> bool:
        """Tell whether a name is that of a side; another is a problem."""
        known = any(side.id == name for side in sides)
        if not known:
            self.say("scenario.unknown-side", path, help=names_of(sides), key=key, side=word(name))
        return known


def word(value: object) -> str:
    """Return a scalar as text; empty for nothing and for what is none."""
    return "" if value is None or isinstance(value, Mapping | list | tuple) else str(value)


def names_of(sides: Sequence[SideInfo]) -> str:
    """Return which sides there are, for a sentence; nothing where a file has none."""
    return "the sides are " + ", ".join(side.id for side in sides) if sides else ""
