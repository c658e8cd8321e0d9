"""Foxes and hens, listed: the parts of a night, what happens in each, and the interface through which it is
played.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from farmyard import sheets
from farmyard.sheets import SECTIONS, Sheet, say, wrong
from farmyard.yard import (
    ASLEEP,
    AWAKE,
    CAUGHT,
    EVENTS,
    Animal,
    Dawned,
    Listened,
    Night,
    Opened,
    Place,
    Pounced,
    Rolled,
    Roused,
    Said,
    Skipped,
    Slunk,
    Snatched,
    Told,
    Yard,
    apply,
)
from pbem.core.play import Choice, Play
from pbem.core.problem import Problem
from pbem.core.ruleset import Files, Option, Ruleset, RulesetInterface
from pbem.core.scene import DOWN, OUT, UP, Area, Note, Scene, SideLook, Token
from pbem.core.sequence import ACTIVE, BOTH, DAY, TURN, Cursor, Loop, Phase, SequenceOfPlay, parse_cursor
from pbem.core.telling import Telling, rolls_of
from pbem.rulesets.tables import load
from pbem.text.codec import from_plain, to_plain

FOXES, HENS = "foxes", "hens"
LOOKS = {AWAKE: UP, ASLEEP: DOWN, CAUGHT: OUT}
SEQUENCE = SequenceOfPlay(
    (
        Loop(
            DAY,
            (
                Phase("dusk", "bed-down", BOTH, "Dusk"),
                Loop(
                    TURN,
                    (
                        Phase("stalking", "prowl", ACTIVE, "Stalking"),
                        Phase("pecking", "scratch", ACTIVE, "Pecking"),
                    ),
                ),
            ),
        ),
    )
)


def read_field(
    rules: Any, scenario: Mapping[str, Any], map_: Mapping[str, Any]
) -> tuple[Yard | None, list[Problem], list[Problem]]:
    """Return the farmyard, or what is wrong with scenario and map."""
    of_scenario: list[Problem] = []
    of_map: list[Problem] = []
    places = {str(id_): _place(str(id_), of) for id_, of in map_.get("places", {}).items()}
    for id_, place in places.items():
        for n, other in enumerate(place.paths):
            if other not in places or id_ not in places[other].paths:
                of_map.append(
                    Problem(
                        "farm.one-way", {"here": id_, "there": other}, ("places", id_, "paths", n), rule="F2"
                    )
                )
    animals = []
    for id_, of in scenario.get("animals", {}).items():
        if str(of.get("where")) not in places:
            known = ", ".join(sorted(places))
            at = ("animals", id_, "where")
            of_scenario.append(
                Problem(
                    "farm.no-place", {"place": str(of.get("where"))}, at, rule="F2", help=f"there are {known}"
                )
            )
        name, kind = str(of.get("name", id_)), str(of["kind"])
        animals.append(
            Animal(str(id_), name, kind, FOXES if kind == "fox" else HENS, "", str(of.get("where")))
        )
    if of_scenario or of_map:
        return None, of_scenario, of_map
    digest = hashlib.sha256(json.dumps([map_, scenario], sort_keys=True, default=str).encode()).hexdigest()
    sides = {str(side): str(of["name"]) for side, of in scenario["sides"].items()}
    return (
        Yard(str(scenario["title"]), int(scenario["nights"]), places, sides, tuple(animals), digest),
        [],
        [],
    )


def _place(id_: str, of: Mapping[str, Any]) -> Place:
    corners = tuple((int(x), int(y)) for x, y in of["corners"])
    return Place(
        id_,
        str(of.get("name", id_)),
        str(of.get("look", "flat")),
        corners,
        tuple(str(other) for other in of["paths"]),
    )


def setup(rules: Any, yard: Yard, seats: Mapping[str, str]) -> Night:
    """Return the first dusk."""
    owners = {side: min(seat for seat in seats if seats[seat] == side) for side in yard.sides}
    animals = tuple(
        Animal(one.id, one.name, one.kind, one.side, owners[one.side], one.where) for one in yard.animals
    )
    return Night(yard, Cursor("dusk", day=1), animals)


def instruct(rules: Any, state: Night, seat: str, sheet: Sheet, digest: str) -> Sequence[object]:
    """Return what of a file takes force at once."""
    own = tuple(one.id for one in state.animals if one.owner == seat)
    told = [Told(seat, sheet.startled, own)] if sheet.startled else []
    return [*told, *([Said(seat, sheet.message)] if sheet.message else [])]


def seats_to_order(rules: Any, state: Night) -> tuple[str, ...]:
    """Return who orders: at dusk both sides, else the one whose part it is."""
    at = state.at
    return (
        ()
        if state.winner
        else tuple(sorted({one.owner for one in state.animals if not at.side or one.side == at.side}))
    )


def advance(rules: Any, state: Night) -> Sequence[object]:
    """Return what leads to the next part of the night."""
    night = state.at.day
    if not state.side(HENS):
        return [Dawned(FOXES)]
    if state.at.phase == "dusk":
        return [Opened("stalking", night, FOXES)]
    if state.at.phase == "stalking":
        return [Opened("pecking", night, HENS)]
    if night >= state.yard.nights:
        caught = sum(one.state == CAUGHT for one in state.animals)
        return [Dawned(FOXES if caught * 2 > len(state.side(HENS)) + caught else HENS)]
    return [Opened("dusk", night + 1)]


def _lines(play: Play[Night], files: Files) -> Iterator[tuple[str, sheets.Line]]:
    """Yield the lines for the open part, those of each animal in their order."""
    for seat in sorted(files):
        for sheet in files[seat]:
            yield from ((seat, line) for line in sheet.parts.get(play.state.at.phase, ()))


def play_part(rules: Any, play: Play[Night], files: Files) -> None:
    """Carry out a part of a night, line by line."""
    for n, (seat, line) in enumerate(_lines(play, files), 1):
        problem = wrong(rules, play.state, line, seat)
        if problem is not None:
            play.happen(Skipped(say(line), problem.code, dict(problem.args)))
        elif line.verb == "pounces on":
            _pounce(rules, play, line, n)
        elif line.verb == "listens":
            heard = sum(one.where == play.state.animal(line.who).where for one in play.state.side(HENS))
            play.happen(Listened(line.who, heard))
        elif line.verb == "roosts":
            play.happen(Roused(line.who, ASLEEP))
        elif line.verb == "nudges":
            play.happen(Roused(line.what, AWAKE))
        else:
            play.happen(Slunk(line.who, line.what))


def _pounce(rules: Any, play: Play[Night], line: sheets.Line, n: int) -> None:
    """Jump at a hen; one that is missed may bolt, which its owner decides (F4, F5)."""
    prey = play.state.animal(line.what)
    needs = int(rules.tables["pounce"]["needs"][prey.state]) - (rules.setting("moon") == "full")
    label = f"pounce/{line.who}/{line.what}/{n}"
    values = play.roll(label, 6)
    play.happen(Rolled(f"{play.cursor}/{label}", 6, values))
    play.happen(Pounced(line.who, prey.id, needs, values[0]))
    if values[0] >= needs:
        play.happen(Snatched(prey.id, line.who))
        return
    if prey.state == ASLEEP:
        play.happen(Roused(prey.id, AWAKE))
    if prey.startled == "freezes":
        return
    ways = play.state.yard.places[prey.where].paths
    if prey.startled == "bolts":
        play.happen(Slunk(prey.id, ways[0]))
        return
    choices = tuple(Choice("abcdefghij"[at], way) for at, way in enumerate((prey.where, *ways)))
    answer = play.ask(
        seat=prey.owner,
        about="bolt",
        unit=prey.id,
        rule="F5",
        choices=choices,
        default="a",
        why="a fox has missed it",
    )
    if answer.value != prey.where:
        play.happen(Slunk(prey.id, answer.value))


def state_to_plain(rules: Any, state: Night) -> dict[str, Any]:
    """Return a night as it is hashed."""
    plain = {
        "at": str(state.at),
        "animals": [to_plain(one) for one in state.animals],
        "yard": state.yard.digest,
    }
    return {**plain, "winner": state.winner} if state.winner else plain


def state_from_plain(rules: Any, yard: Yard, data: Mapping[str, Any]) -> Night:
    """Return a night from what was hashed."""
    animals = tuple(from_plain(one, Animal) for one in data["animals"])
    return Night(yard, parse_cursor(data["at"]), animals, data.get("winner", ""))


def scene(
    rules: Any, state: Night, events: Sequence[Mapping[str, Any]], side: str | None = None, title: str = ""
) -> Scene:
    """Return the farmyard as it looks."""
    places = state.yard.places.values()
    areas = tuple(Area(one.id, one.centre, one.corners, one.look, one.name) for one in places)
    tokens = tuple(
        Token(
            one.id,
            one.name,
            one.side,
            one.kind,
            (one.where,),
            (state.yard.places[one.where].centre,),
            state=one.state,
            look=LOOKS[one.state],
            description=one.kind,
        )
        for one in state.animals
    )
    looks = (
        SideLook(FOXES, state.yard.sides[FOXES], "vermilion", "round"),
        SideLook(HENS, state.yard.sides[HENS], "blue", "square"),
    )
    left = len(state.side(HENS))
    return Scene(
        title or state.yard.title,
        f"Night {state.at.day}",
        areas,
        tokens=tokens,
        notes=tuple(Note(one.centre, one.name) for one in places),
        sides=looks,
        summary=f"{left} {'hen' if left == 1 else 'hens'} at large.",
    )


def outcome(rules: Any, state: Night) -> dict[str, Any]:
    """Return how it went: a fox's point is a hen that was caught."""
    caught = sum(one.state == CAUGHT for one in state.animals)
    left = len(state.side(HENS))
    sides = [{"side": FOXES, "score": caught}, {"side": HENS, "score": left, "caught": caught}]
    return {"winner": state.winner, "grade": "", "why": "", "sides": sides}


INTERFACE: RulesetInterface[Night] = RulesetInterface(
    read_field=read_field,
    setup=setup,
    read_orders=sheets.read_orders,
    check=sheets.check,
    instruct=instruct,
    cursor=lambda state: Cursor("over") if state.winner else state.at,
    seats_to_order=seats_to_order,
    over=lambda state: bool(state.winner),
    advance=advance,
    apply=apply,
    state_to_plain=state_to_plain,
    state_from_plain=state_from_plain,
    event_to_plain=lambda event: {"type": type(event).__name__, **to_plain(event)},
    legal=sheets.legal,
    say=say,
    forecast=lambda rules, course: [say(line) for line in course],
    sheet=sheets.sheet,
    scene=scene,
    outcome=outcome,
    ordered=lambda sheet: sheet.idle or bool(sheet.answers) or any(sheet.parts.values()),
    may_roll=lambda rules, state: state.at.phase == "stalking",
)

FARMYARD: Ruleset[Night] = Ruleset(
    id="farmyard",
    revision=1,
    title="Foxes and hens",
    sequence=SEQUENCE,
    steps=dict.fromkeys(SECTIONS, play_part),
    checks={},
    modifiers={},
    tables=load("farmyard"),
    interface=INTERFACE,
    events={cls.__name__: cls for cls in EVENTS},
    telling=Telling(
        headlines=lambda event: event["type"] in ("Snatched", "Dawned"),
        silent=lambda event, events: event["type"] == "Opened",
        decided=rolls_of({"Pounced": ("pounce", "animal")}),
    ),
    options={"moon": Option(("new", "full"), ("F4",), "how bright the night is")},
)

CATALOGUE = {"farmyard": {1: FARMYARD}}
