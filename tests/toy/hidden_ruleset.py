"""Fox and hounds: a game in which one figure is hidden, the witness that nothing tells a side more than it
may know.

Two sides on a board of hexes pad and stare. The fox is seen by the other side only while one of its figures
stands beside him, from his own stare to his next turn, and when he is dead. ``leaky`` makes of it the same
game with a function that forgets to leave him out.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from pbem.core.play import Play
from pbem.core.problem import Problem
from pbem.core.ruleset import Files, Judgement, Ruleset, RulesetInterface
from pbem.core.scene import OUT, UP, Area, Scene, SideLook, Token, Trace
from pbem.core.sequence import ACTIVE, Cursor, Phase, parse_cursor, turn_by_turn
from pbem.core.sheet import Choices, Entry
from pbem.core.vocabulary import Deed, Places, Vocabulary
from pbem.geometry.hex import centre, corners, distance, neighbours
from pbem.text.codec import Value, from_plain, to_plain

SEQUENCE = turn_by_turn(Phase("padding", "pad", ACTIVE, "Steps"), Phase("staring", "stare", ACTIVE, "Stares"))
HEADINGS = {"pad": "padding", "stare": "staring"}
SAID = {"pad": ("pads", "to"), "stare": ("stares", "at")}
VOCABULARY = Vocabulary(
    deeds=(Deed("pads", ("{names} pads to {place}",)), Deed("stares", ("{names} stares at {name}",))),
    places=Places("[0-9]{4}"),
)
SIDES = ("foxes", "hounds")
COLUMNS, ROWS = 7, 5
HEXES = tuple(f"{column:02d}{row:02d}" for column in range(1, COLUMNS + 1) for row in range(1, ROWS + 1))
RANGE, HITS = 3, 4
START = (
    ("fox", "foxes", "0603", True),
    ("vixen", "foxes", "0705", False),
    ("bran", "hounds", "0102", False),
    ("rolf", "hounds", "0104", False),
)
EMPTY = Cursor("padding", 1, "hounds")


class Wood(Struct, frozen=True):
    length: int
    map_digest: str


class Beast(Value, frozen=True):
    id: str
    side: str
    owner: str
    at: str
    lurks: bool = False
    shown: bool = False
    dead: bool = False


class Hunt(Struct, frozen=True):
    wood: Wood
    at: Cursor
    beasts: tuple[Beast, ...]
    winner: str = ""

    def beast(self, id_: str) -> Beast:
        return next(beast for beast in self.beasts if beast.id == id_)

    def on(self, hex_: str) -> bool:
        return any(beast.at == hex_ and not beast.dead for beast in self.beasts)


class Order(Struct, frozen=True):
    who: str
    do: str
    goal: str


class Sheet(Struct, frozen=True):
    seat: str
    opened: Cursor
    sections: Mapping[str, tuple[Order, ...]]
    answers: Mapping[str, str]

    def covers(self, cursor: Cursor) -> bool:
        return cursor.player_turn == self.opened.player_turn


class Began(Struct, frozen=True):
    phase: str
    turn: int
    side: str


class Moved(Struct, frozen=True):
    unit: str
    path: tuple[str, ...]


class Rolled(Struct, frozen=True):
    label: str
    sides: int
    values: tuple[int, ...]


class Shot(Struct, frozen=True):
    shooter: str
    target: str
    roll: int
    line: tuple[str, ...]
    weapon: str = "a look"


class StateChanged(Struct, frozen=True):
    unit: str
    was: str
    now: str


class GameEnded(Struct, frozen=True):
    winner: str
    why: str


def sees(state: Hunt, side: str | None, beast: Beast) -> bool:
    """Tell whether a side sees a beast."""
    if side in (None, beast.side) or not beast.lurks or beast.shown or beast.dead:
        return True
    return any(
        other.side == side and not other.dead and distance(other.at, beast.at) <= 1 for other in state.beasts
    )


def view(rules: Any, state: Hunt, side: str | None) -> Hunt:
    return replace(state, beasts=tuple(beast for beast in state.beasts if sees(state, side, beast)))


def seen(
    rules: Any, state: Hunt, events: Sequence[Mapping[str, Any]], side: str | None
) -> list[Mapping[str, Any]]:
    """A side learns of its own deeds and of those of whom it sees; of somebody who comes out of hiding only
    where he is.
    """
    learnt: list[Mapping[str, Any]] = []
    for event in events:
        who = str(event.get("unit", event.get("shooter", event.get("label", "//").split("/")[2])))
        beast = next((beast for beast in state.beasts if beast.id == who), None)
        if (
            beast is None
            or side in (None, beast.side)
            or not beast.lurks
            or event["type"] in ("Shot", "Rolled")
        ):
            learnt.append(event)
        elif sees(state, side, beast):
            learnt.append({**event, "path": event["path"][-1:]} if "path" in event else event)
    return learnt


def apply(state: Hunt, event: object) -> Hunt:
    match event:
        case Began():
            beasts = tuple(
                replace(beast, shown=beast.shown and beast.side != event.side) for beast in state.beasts
            )
            return replace(state, at=Cursor(event.phase, event.turn, event.side), beasts=beasts)
        case Moved():
            return _with(state, event.unit, at=event.path[-1])
        case Shot():
            return _with(state, event.shooter, shown=True)
        case StateChanged():
            return _with(state, event.unit, dead=True)
        case GameEnded():
            return replace(state, winner=event.winner)
    return state


def _with(state: Hunt, id_: str, **changes: Any) -> Hunt:
    return replace(
        state, beasts=tuple(replace(beast, **changes) if beast.id == id_ else beast for beast in state.beasts)
    )


def read_field(
    rules: Any, scenario: Mapping[str, Any], map_: Mapping[str, Any]
) -> tuple[Wood | None, list[Problem], list[Problem]]:
    length = str(scenario.get("length", "")).removesuffix(" turns")
    if not length.isdigit():
        return None, [Problem("toy.length", {"length": length}, ("length",), help="such as: 4 turns")], []
    return Wood(int(length), hashlib.sha256(repr(sorted(map_.items())).encode()).hexdigest()), [], []


def setup(rules: Any, wood: Wood, seats: Mapping[str, str]) -> Hunt:
    owners = {side: min(seat for seat in seats if seats[seat] == side) for side in SIDES}
    return Hunt(
        wood, EMPTY, tuple(Beast(id_, side, owners[side], at, lurks) for id_, side, at, lurks in START)
    )


def read_orders(rules: Any, state: Hunt, seat: str, data: Any) -> tuple[Sheet | None, list[Problem]]:
    problems: list[Problem] = []
    sections: dict[str, tuple[Order, ...]] = {}
    names = sorted(beast.id for beast in state.beasts)
    for heading, phase in HEADINGS.items():
        orders = []
        for place, sentence in enumerate(data.get(heading) or ()):
            who, do, way, goal, *more = [*str(sentence).split(), "", "", "", ""]
            if (do, way) != SAID[heading] or any(more):
                problems.append(
                    Problem("toy.verb", {"verb": do}, (heading, place), help="pads to HEX, or stares at NAME")
                )
            elif unknown := next(
                (name for name in (who, *([goal] if do == "stares" else [])) if name not in names), ""
            ):
                problems.append(
                    Problem(
                        "name.unknown", {"name": unknown}, (heading, place), help="one of " + ", ".join(names)
                    )
                )
            else:
                orders.append(Order(who, do, goal))
        sections[phase] = tuple(orders)
    if problems:
        return None, problems
    return Sheet(
        seat, state.at, sections, {str(key): str(value) for key, value in data.get("answers", {}).items()}
    ), []


def _bad(state: Hunt, seat: str, phase: str, order: Order) -> bool:
    """Tell whether an order is not legal."""
    beast = state.beast(order.who)
    if beast.owner != seat or beast.side != state.at.side or beast.dead:
        return True
    if phase == "padding":
        return order.goal not in HEXES or order.goal not in neighbours(beast.at) or state.on(order.goal)
    other = state.beast(order.goal)
    return (
        other.side == beast.side
        or other.dead
        or not sees(state, beast.side, other)
        or distance(beast.at, other.at) > RANGE
    )


def check(rules: Any, state: Hunt, sheet: Sheet, earlier: tuple[Sheet, ...]) -> Judgement:
    found, course = [], []
    headings = {phase: heading for heading, phase in HEADINGS.items()}
    for phase in ("padding", "staring"):
        if SEQUENCE.position(phase) < SEQUENCE.position(state.at.phase):
            continue
        for place, order in enumerate(sheet.sections[phase]):
            if _bad(state, sheet.seat, phase, order):
                found.append(
                    Problem("toy.not-yours", {"unit": order.who}, (headings[phase], place), rule="F1")
                )
            elif phase == "padding":
                state = _with(state, order.who, at=order.goal)
            course.append(order)
    return Judgement(tuple(found), course, state)


def advance(rules: Any, state: Hunt) -> Sequence[object]:
    left = [side for side in SIDES if any(beast.side == side and not beast.dead for beast in state.beasts)]
    if len(left) == 1:
        return [GameEnded(left[0], "the others are dead")]
    at = state.at
    if at.phase == "padding":
        return [Began("staring", at.turn, at.side)]
    if at.side == "hounds":
        return [Began("padding", at.turn, "foxes")]
    return (
        [GameEnded("draw", "time")]
        if at.turn >= state.wood.length
        else [Began("padding", at.turn + 1, "hounds")]
    )


def _orders(play: Play[Hunt], files: Files) -> Iterator[Order]:
    for seat in sorted(files):
        for sheet in files[seat]:
            for order in sheet.sections.get(play.state.at.phase, ()):
                if not _bad(play.state, seat, play.state.at.phase, order):
                    yield order


def step(rules: Any, play: Play[Hunt], files: Files) -> None:
    for order in _orders(play, files):
        play.happen(Moved(order.who, (play.state.beast(order.who).at, order.goal)))


def stare(rules: Any, play: Play[Hunt], files: Files) -> None:
    for number, order in enumerate(_orders(play, files), 1):
        label = f"stare/{order.who}/{order.goal}/{number}"
        values = play.roll(label, 6)
        play.happen(Rolled(f"{play.cursor}/{label}", 6, values))
        ends = (play.state.beast(order.who).at, play.state.beast(order.goal).at)
        play.happen(Shot(order.who, order.goal, values[0], ends))
        if values[0] >= HITS:
            play.happen(StateChanged(order.goal, "healthy", "dead"))


def legal(rules: Any, state: Hunt, seat: str) -> Iterator[Order]:
    for beast in state.beasts:
        goals = HEXES if state.at.phase == "padding" else [other.id for other in state.beasts]
        do = "pads" if state.at.phase == "padding" else "stares"
        yield from (
            order
            for goal in goals
            if not _bad(state, seat, state.at.phase, order := Order(beast.id, do, goal))
        )


def say(order: Order) -> str:
    return f"{order.who} {order.do} {'to' if order.do == 'pads' else 'at'} {order.goal}"


def sheet(rules: Any, state: Hunt, seat: str) -> Iterator[Entry]:
    for beast in state.beasts:
        if orders := [say(order) for order in legal(rules, state, seat) if order.who == beast.id]:
            yield Entry(beast.id, f"in {beast.at}", tuple(Choices(sentence) for sentence in orders))


def state_from_plain(rules: Any, wood: Wood, data: Mapping[str, Any]) -> Hunt:
    return Hunt(
        wood,
        parse_cursor(data["at"]),
        tuple(from_plain(beast, Beast) for beast in data["beasts"]),
        data.get("winner", ""),
    )


def state_to_plain(rules: Any, state: Hunt) -> dict[str, Any]:
    plain = {
        "at": str(state.at),
        "beasts": [to_plain(beast) for beast in state.beasts],
        "map": state.wood.map_digest,
    }
    return {**plain, "winner": state.winner} if state.winner else plain


def scene(
    rules: Any, state: Hunt, events: Sequence[Mapping[str, Any]], side: str | None = None, title: str = ""
) -> Scene:
    """Draws what it is given: that this is what the side knows is the affair of ``view`` and ``seen``."""
    tokens = [
        Token(
            beast.id,
            beast.id,
            beast.side,
            "peasant",
            (beast.at,),
            (centre(beast.at),),
            state="dead" if beast.dead else "",
            look=OUT if beast.dead else UP,
        )
        for beast in state.beasts
    ]
    traces = [
        Trace("move", state.beast(event["unit"]).side, tuple(map(centre, event["path"])), (event["unit"],))
        for event in events
        if event["type"] == "Moved" and len(event["path"]) > 1
    ]
    traces += [
        Trace(
            "shot",
            state.beast(event["shooter"]).side,
            tuple(map(centre, event["line"])),
            (event["shooter"],),
            (event["target"],),
        )
        for event in events
        if event["type"] == "Shot"
    ]
    alive = [sum(beast.side == each and not beast.dead for beast in state.beasts) for each in SIDES]
    return Scene(
        title or "A wood",
        str(state.at),
        tuple(
            Area(hex_, centre(hex_), corners(hex_), "scrub" if hex_ > "05" else "flat", "wood")
            for hex_ in HEXES
        ),
        tokens=tuple(tokens),
        traces=tuple(traces),
        sides=(SideLook("foxes", "Foxes", "vermilion", "round"), SideLook("hounds", "Hounds", "blue", "cut")),
        grounds={"flat": "flat", "scrub": "wood"},
        summary=f"Foxes {alive[0]} alive, hounds {alive[1]} alive.",
        static_key=f"wood:{state.wood.map_digest}",
    )


def foreseen(rules: Any, judgement: Judgement, side: str | None = None, title: str = "") -> Scene | None:
    if judgement.after is None or not judgement.course:
        return None
    return scene(rules, judgement.after, (), side, title)


def outcome(rules: Any, state: Hunt) -> dict[str, Any]:
    sides = []
    for side in SIDES:
        dead = sum(beast.dead for beast in state.beasts if beast.side == side)
        sides.append(
            {"side": side, "score": 0, "healthy": 2 - dead, "stunned": 0, "wounded": 0, "dead": dead}
        )
    return {"winner": state.winner, "grade": "", "why": "", "sides": sides}


INTERFACE: RulesetInterface[Hunt] = RulesetInterface(
    read_field=read_field,
    setup=setup,
    read_orders=read_orders,
    check=check,
    instruct=lambda rules, state, seat, sheet, digest: (),
    cursor=lambda state: Cursor("over") if state.winner else state.at,
    seats_to_order=lambda rules, state: (
        () if state.winner else tuple({beast.owner for beast in state.beasts if beast.side == state.at.side})
    ),
    over=lambda state: bool(state.winner),
    advance=advance,
    apply=apply,
    state_to_plain=state_to_plain,
    state_from_plain=state_from_plain,
    event_to_plain=lambda event: {"type": type(event).__name__, **to_plain(event)},
    legal=legal,
    say=say,
    forecast=lambda rules, course: [say(order) for order in course],
    sheet=sheet,
    scene=scene,
    outcome=outcome,
    foreseen=foreseen,
    view=view,
    seen=seen,
)

HUNT: Ruleset[Hunt] = Ruleset(
    id="hunt",
    revision=1,
    title="Fox and hounds",
    sequence=SEQUENCE,
    steps={"padding": step, "staring": stare},
    checks={},
    modifiers={},
    tables={},
    interface=INTERFACE,
    vocabulary=VOCABULARY,
    known_modules={"wood": lambda rules: rules},
)
CATALOGUE = {"hunt": {1: HUNT}}


def leaky(rules: Ruleset[Hunt], name: str) -> Ruleset[Hunt]:
    """Return the game with one of ``view`` and ``seen`` that leaves nothing out."""
    whole: dict[str, Any] = {
        "view": lambda rules, state, side: state,
        "seen": lambda rules, state, events, side: events,
    }
    return rules.amend(interface=replace(rules.interface, **{name: whole[name]}))
