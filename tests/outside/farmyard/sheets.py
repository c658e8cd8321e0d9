"""Order files of the farmyard: their sentences, what is wrong with one, and what an animal may do."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct, field

from farmyard.yard import ASLEEP, AWAKE, CAUGHT, Animal, Night
from pbem.core.problem import Problem
from pbem.core.ruleset import Judgement
from pbem.core.sequence import Cursor
from pbem.core.sheet import Choices, Entry

SECTIONS = {"dusk": "bed-down", "stalking": "prowl", "pecking": "scratch"}
"""Part of a night -> the section of an order file that it is ordered in."""
VERBS = {
    "dusk": ("settles in",),
    "stalking": ("slinks to", "pounces on", "listens"),
    "pecking": ("flutters to", "nudges", "roosts"),
}
ACTIONS = {"dusk": 1, "stalking": 3, "pecking": 1}
"""How many things one animal may do in a part of a night."""
SENTENCE = re.compile(
    r"([a-z-]+) (settles in|slinks to|flutters to|pounces on|nudges|listens|roosts)(?: ([a-z-]+))?"
)
BOLTS = ("bolts", "freezes")


class Line(Struct, frozen=True):
    """One thing that one animal is to do."""

    who: str
    verb: str
    what: str = ""


class Sheet(Struct, frozen=True):
    """An order file, read."""

    seat: str
    opened: Cursor
    parts: Mapping[str, tuple[Line, ...]]
    answers: Mapping[str, str] = field(default_factory=dict)
    startled: str = ""
    message: str = ""
    idle: bool = False
    given: bool = True

    def covers(self, cursor: Cursor) -> bool:
        """Tell whether it speaks of a part of a night."""
        return self.given and cursor == self.opened


def say(line: Line) -> str:
    """Return an order as a sentence."""
    return f"{line.who} {line.verb} {line.what}".rstrip()


def part_of(section: str) -> str:
    """Return the part of a night that a section is for."""
    return next(part for part, named in SECTIONS.items() if named == section)


def read_orders(rules: Any, state: Night, seat: str, data: Any) -> tuple[Sheet | None, list[Problem]]:
    """Return a file as it is understood, and what cannot be read of it."""
    problems: list[Problem] = []
    parts: dict[str, tuple[Line, ...]] = {}
    for section in SECTIONS.values():
        if section not in data:
            continue
        lines = []
        for place, said in enumerate(data[section] or ()):
            found = SENTENCE.fullmatch(str(said))
            if (
                found is None
                or found[2] not in VERBS[part_of(section)]
                or bool(found[3]) == (found[2] in ("listens", "roosts"))
            ):
                help_ = f"such as: hetty {VERBS[part_of(section)][0]} barn"
                problems.append(
                    Problem("farm.gibberish", {"line": str(said)}, (section, place), rule="F1", help=help_)
                )
            else:
                lines.append(Line(found[1], found[2], found[3] or ""))
        parts[part_of(section)] = tuple(lines)
    wanted = str(state.at).rpartition(".")[0]
    if "turn" in data and str(data["turn"]) not in (wanted, str(state.at)):
        problems.append(
            Problem("farm.other-night", {"night": str(data["turn"])}, ("turn",), help=f"turn: {wanted}")
        )
    startled = str((data.get("standing") or {}).get("everyone", {}).get("startled", ""))
    if startled and startled not in BOLTS:
        help_ = "one of " + " ".join(BOLTS)
        problems.append(
            Problem("farm.nerves", {"word": startled}, ("standing", "everyone", "startled"), help=help_)
        )
    answers = {str(key): str(value) for key, value in (data.get("answers") or {}).items()}
    idle = "nobody" in data
    given = bool(parts) or idle or not (answers or startled)
    if problems:
        return None, problems
    return Sheet(seat, state.at, parts, answers, startled, str(data.get("message", "")), idle, given), []


def wrong(rules: Any, state: Night, line: Line, seat: str) -> Problem | None:
    """Return why an order cannot be carried out as things are, or None."""
    known = {one.id: one for one in state.animals}
    if line.who not in known:
        return Problem(
            "farm.stranger", {"name": line.who}, rule="F1", help="there are " + ", ".join(sorted(known))
        )
    me = known[line.who]
    if me.owner != seat:
        return Problem("farm.not-yours", {"animal": me.name}, rule="F1")
    if me.state == CAUGHT:
        return Problem("farm.caught", {"animal": me.name}, rule="F4")
    if me.state == ASLEEP and line.verb != "settles in":
        return Problem("farm.asleep", {"animal": me.name}, rule="F3")
    if line.verb in ("slinks to", "flutters to", "settles in"):
        if line.what not in state.yard.places:
            places = ", ".join(sorted(state.yard.places))
            return Problem("farm.no-place", {"place": line.what}, rule="F2", help=f"there are {places}")
        if line.what != me.where and line.what not in state.yard.places[me.where].paths:
            ways = ", ".join(state.yard.places[me.where].paths)
            return Problem(
                "farm.far",
                {"place": line.what, "here": me.where},
                rule="F2",
                help=f"from there one gets to {ways}",
            )
    elif line.what:
        other = known.get(line.what)
        if other is None or other.state == CAUGHT:
            return Problem("farm.stranger", {"name": line.what}, rule="F1")
        if other.where != me.where or (other.side == me.side) != (line.verb == "nudges") or other.id == me.id:
            return Problem("farm.out-of-reach", {"animal": me.name, "other": other.name}, rule="F4")
    return None


def check(rules: Any, state: Night, sheet: Sheet, earlier: tuple[Sheet, ...]) -> Judgement:
    """Return what is wrong with a file; how an animal goes on is followed line by line."""
    found: list[Problem] = []
    course: list[Line] = []
    for part, lines in sheet.parts.items():
        after, done = state, dict[str, int]()
        for place, line in enumerate(lines):
            path = (SECTIONS[part], place)
            problem = wrong(rules, after, line, sheet.seat)
            done[line.who] = done.get(line.who, 0) + 1
            if part != state.at.phase:
                problem = Problem(
                    "farm.not-now",
                    {"section": SECTIONS[part]},
                    rule="F1",
                    help=f"now it is {SECTIONS[state.at.phase]}:",
                )
            elif problem is None and done[line.who] > ACTIONS[part]:
                problem = Problem("farm.tired", {"animal": line.who, "most": ACTIONS[part]}, rule="F2")
            if problem is not None:
                found.append(problem.at(*path))
                continue
            if line.verb == "pounces on" and after.animal(line.what).state == AWAKE:
                found.append(
                    Problem("doubt.farm-awake", {"prey": after.animal(line.what).name}, path, rule="F4")
                )
            if line.verb in ("slinks to", "flutters to", "settles in"):
                from farmyard.yard import with_animal

                after = with_animal(after, line.who, where=line.what)
            course.append(line)
    return Judgement(tuple(found), course)


def legal(rules: Any, state: Night, seat: str) -> Iterator[Line]:
    """Yield everything that an animal of a seat may do next."""
    for me in state.animals:
        yield from _lines(rules, state, me, seat)


def _lines(rules: Any, state: Night, me: Animal, seat: str) -> Iterator[Line]:
    for verb in VERBS[state.at.phase] if me.owner == seat else ():
        ways = (
            (me.where, *state.yard.places[me.where].paths)
            if verb == "settles in"
            else state.yard.places[me.where].paths
        )
        whats = (
            [""]
            if verb in ("listens", "roosts")
            else ways
            if verb.endswith((" to", " in"))
            else [one.id for one in state.animals]
        )
        lines = (Line(me.id, verb, what) for what in whats)
        yield from (line for line in lines if wrong(rules, state, line, seat) is None)


def sheet(rules: Any, state: Night, seat: str) -> Iterator[Entry]:
    """Yield what stands on the order sheet of a seat."""
    for me in state.animals:
        lines = tuple(_lines(rules, state, me, seat))
        if lines:
            yield Entry(
                me.id, f"{me.kind}, {me.state}, in {me.where}", tuple(Choices(say(line)) for line in lines)
            )
