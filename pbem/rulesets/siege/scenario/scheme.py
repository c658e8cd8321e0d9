"""How a game ends: its length, what gives points, what ends it at once, and who wins by how much.

How a scheme is counted is ``victory``; what only a siege from day to day can have in it is
``siege_scenario``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from msgspec.structs import replace

from pbem.core.problem import Path
from pbem.core.regex import regex
from pbem.rulesets.siege.ground import character
from pbem.rulesets.siege.scenario import setup, siege_scenario
from pbem.rulesets.siege.scenario.scenario_file import ScenarioFile, word
from pbem.rulesets.siege.state.field import Force, SideInfo, Term
from pbem.text.similar import did_you_mean

TERMS: Final = (
    "ford is held",
    "in ford",
    "3 healthy in wall-walk",
    "burnt in tents",
    "breach in wall-walk",
    "breach in wall-walk with 1 healthy knight in ward",
    "ram1, mangonel1 are out of action",
    "wagon1, wagon2 in trench-line",
    "great-door is open",
    "odo is dead",
    "odo, hob left the map",
    "ned, mabil led off the map",
    "ned, mabil are freed",
    "fewer than 3 figures",
    "turn is at least 8",
    "points: losses of the enemy",
    *siege_scenario.TERMS,
)
"""The closed list of what a line of the scheme can say, each with names in it."""

_LENGTH = regex(r"([1-9][0-9]{0,2}) turns?")
_NAME = r"[a-z][a-z0-9-]{0,31}"
_NAMES = rf"{_NAME}(?: *, *{_NAME})*"
_HELD = regex(rf"({_NAME}) is held")
_GATHERED = regex(rf"([1-9][0-9]?) healthy in ({_NAME})")
_BREACH = regex(rf"breach in ({_NAME})(?: with ([1-9][0-9]?) healthy knights? in ({_NAME}))?")
_USELESS = regex(rf"({_NAMES}) (?:is|are) out of action")
_BURNT = regex(rf"burnt in ({_NAME})")
_BROUGHT = regex(rf"({_NAMES}) in ({_NAME})")
_IN = regex(rf"in ({_NAME})")
_DEAD = regex(rf"({_NAMES}) (?:is|are) (dead|destroyed)")
_STANDS = regex(rf"({_NAMES}) (?:is|are) (open|closed|broken)")
_LED = regex(rf"({_NAMES}) led off the map")
_FREED = regex(rf"({_NAMES}) (?:is|are) freed")
_LEFT = regex(rf"(?:({_NAMES}) )?left the map")
_FEWER = regex(r"fewer than ([1-9][0-9]{0,2}) figures?")
_TURN = regex(r"turn is (?:at least )?([1-9][0-9]{0,2})")
_LOSSES = "losses of the enemy"


def length(file: ScenarioFile) -> int:
    """Read how many game turns there are; 0: no limit."""
    said = file.text("length")
    match = _LENGTH.fullmatch(said)
    if said and match is None:
        file.say("scenario.length", ("length",), help="such as: length: 10 turns", value=said)
    return int(match[1]) if match else 0


def days(file: ScenarioFile, length: int) -> int:
    """Read how many days the game lasts, each of as many turns as its length says; 0 for a game of one
    day.
    """
    days = file.number(file.data.get("days"), ("days",), 1)
    if days <= 1:
        return 0
    if setup.not_in_force(file.modules, "days"):
        file.say("scenario.not-in-force", ("days",), what="a game of several days", module="days")
    if not length:
        file.say(
            "scenario.day-length",
            ("days",),
            help="such as  length: 6 turns  for the turns of each day",
            days=days,
        )
    return days


def damaged(file: ScenarioFile) -> dict[str, int]:
    """Read how many steps of damage walls have as the battle begins."""
    found = {}
    said = file.mapping(file.data.get("damage"), ("damage",))
    if said and setup.not_in_force(file.modules, "battering"):
        file.say("scenario.not-in-force", ("damage",), what="damage to walls", module="battering", key=True)
    for hex_, steps in said.items():
        ground = file.part.ground.get(str(hex_)) if file.part else None
        if (ground is not None and not ground.blocks_line) or (file.part and ground is None):
            file.say("scenario.damage", ("damage", hex_), help="name hexes of walls", key=True, hex=str(hex_))
        found[str(hex_)] = file.number(steps, ("damage", hex_), 1)
    return found


def scales(file: ScenarioFile) -> dict[str, dict[str, int]]:
    """Read the points for each class; ``other`` stands for every class of men that is not named, and
    animals count where they are.
    """
    classes = tuple(character.classes(file.rules.tables))
    animals = tuple(file.rules.tables["roster"]["animals"])
    found = {}
    for name, said in file.mapping(file.data.get("scales"), ("scales",)).items():
        points = {}
        for class_, value in file.mapping(said, ("scales", name)).items():
            if class_ != "other" and class_ not in (*classes, *animals):
                help_ = did_you_mean(str(class_), (*classes, *animals)) or "known are " + ", ".join(
                    (*classes, *animals)
                )
                file.say("scenario.class", ("scales", name, class_), help=help_, key=True, value=str(class_))
            points[str(class_)] = file.number(value, ("scales", name, class_), 0)
        rest = points.pop("other", 0)
        found[str(name)] = {class_: points.get(class_, rest) for class_ in classes} | {
            animal: points[animal] for animal in animals if animal in points
        }
    return found


def scheme(
    file: ScenarioFile, sides: list[SideInfo], forces: list[Force], scales: Mapping[str, Mapping[str, int]]
) -> tuple[list[Term], list[Term]]:
    """Read what gives points at the end, and what ends the game at once."""
    victory = file.mapping(file.data.get("victory"), ("victory",))
    if not victory:
        file.say("scenario.no-victory", (), help="victory: with at-end, winner or at-once below it")
    found: dict[str, list[Term]] = {"at-end": [], "at-once": []}
    for key, terms in found.items():
        for path, said in file.entries(victory.get(key), ("victory", key)):
            term = _term(file, said, path, sides, forces, scales)
            if term is not None:
                terms.append(term)
    return found["at-end"], found["at-once"]


def _term(
    file: ScenarioFile,
    said: Mapping[str, Any],
    path: Path,
    sides: list[SideInfo],
    forces: list[Force],
    scales: Mapping[str, Mapping[str, int]],
) -> Term | None:
    """Read one line of the scheme."""
    side, when, scale = word(said.get("side")), word(said.get("when")), word(said.get("scale"))
    if side != "any" and not file.is_side(side, sides, (*path, "side")):
        return None
    if scale and scale not in scales:
        help_ = did_you_mean(scale, scales) or "scales: with this name and the points of each class"
        file.say("scenario.scale", (*path, "scale"), help=help_, scale=scale)
    words = word(said.get("why"))
    if word(said.get("points")) == _LOSSES:
        if not scale:
            file.say("scenario.no-scale", path, help="add  scale: lp  and its points under scales:")
        return Term("losses", side, 1, scale=scale, said=words or _LOSSES)
    points = file.number(said.get("points"), (*path, "points"), 1)
    found = _when(file, when, path, side, points, scale, words or when, {force.id for force in forces})
    most = file.number(said.get("at-most"), (*path, "at-most"), 0)
    return replace(found, most=most) if found is not None and most else found


def _when(
    file: ScenarioFile, when: str, path: Path, side: str, points: int, scale: str, said: str, units: set[str]
) -> Term | None:
    """Read the condition of a line: one of a closed list."""
    place = (*path, "when")
    things = {word(thing.get("id")) for _, thing in file.entries(file.data.get("things"), ("things",))}
    if match := _HELD.fullmatch(when):
        return Term("held", side, points, mark=file.mark(match[1], place), said=said)
    if match := _IN.fullmatch(when):
        return Term("in", side, points, mark=file.mark(match[1], place), scale=scale, said=said)
    if match := _GATHERED.fullmatch(when):
        return Term("gathered", side, points, mark=file.mark(match[2], place), least=int(match[1]), said=said)
    if match := _BREACH.fullmatch(when):
        mark, least = file.mark(match[1], place), int(match[2] or "0")
        beyond = file.mark(match[3], place) if least else ""
        return Term("breached", side, points, mark=mark, least=least, beyond=beyond, said=said)
    if match := _USELESS.fullmatch(when):
        return Term("useless", side, points, units=_named(file, match[1], place, things), said=said)
    if match := _BURNT.fullmatch(when):
        return Term("burnt", side, points, mark=file.mark(match[1], place), said=said)
    if match := _BROUGHT.fullmatch(when):
        return Term(
            "brought",
            side,
            points,
            mark=file.mark(match[2], place),
            units=_named(file, match[1], place, things),
            said=said,
        )
    if match := _FEWER.fullmatch(when):
        return Term("count", side, points, least=int(match[1]), said=said)
    if match := _TURN.fullmatch(when):
        return Term("turn", side, points, turn=int(match[1]), said=said)
    if match := siege_scenario.TERM.fullmatch(when):
        return siege_scenario.term(file, match, path, side, points, scale, said)
    if match := _LED.fullmatch(when):
        return Term("led-off", side, points, units=_named(file, match[1], place, units), said=said)
    if match := _FREED.fullmatch(when):
        return Term("freed", side, points, units=_named(file, match[1], place, units), said=said)
    if match := _LEFT.fullmatch(when):
        return Term("left-the-map", side, points, units=_named(file, match[1] or "", place, units), said=said)
    if match := _STANDS.fullmatch(when):
        doors = {id_ for id_, fixture in file.part.fixtures.items() if fixture.leaf} if file.part else set()
        return Term(
            "stands", side, points, units=_named(file, match[1], place, doors), said=said, stands=match[2]
        )
    if match := _DEAD.fullmatch(when):
        return Term(match[2], side, points, units=_named(file, match[1], place, units | things), said=said)
    file.say("scenario.when", place if when else path, help="such as: " + " · ".join(TERMS), when=when)
    return None


def _named(file: ScenarioFile, names: str, path: Path, units: set[str]) -> tuple[str, ...]:
    """Return the units that a line names."""
    found = tuple(name.strip() for name in names.split(",") if name.strip())
    for name in found:
        if name not in units:
            file.say("name.unknown", path, help=did_you_mean(name, units), name=name)
    return found


def winner(file: ScenarioFile, sides: list[SideInfo]) -> tuple[dict[str, int], str]:
    """Read by how much a side must lead, and who wins a level score."""
    said = file.mapping(
        file.mapping(file.data.get("victory"), ("victory",)).get("winner"), ("victory", "winner")
    )
    path: Path = ("victory", "winner")
    if word(said.get("most")) not in ("", "points"):
        file.say("scenario.most", (*path, "most"), help="most: points", value=word(said["most"]))
    margins = {}
    for side, value in file.mapping(said.get("margin"), (*path, "margin")).items():
        if file.is_side(side, sides, (*path, "margin", side), key=True):
            margins[str(side)] = file.number(value, (*path, "margin", side), 1)
    level = word(said.get("level")) or "draw"
    if level not in ("draw", "other") and all(side.id != level for side in sides):
        file.say("scenario.level", (*path, "level"), help="draw, other, or a side", value=level)
    return margins, level
