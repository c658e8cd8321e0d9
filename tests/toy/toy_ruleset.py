"""A tug of war: the smallest honest game with two sides, a phase without dice, a phase with a die, and a
question.

The second witness of the contract between a ruleset and the referee: whatever the referee does for siege it
must do for this.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from pbem.core.play import Choice, Play
from pbem.core.problem import Problem
from pbem.core.ruleset import Files, Judgement, Option, Ruleset, RulesetInterface
from pbem.core.scene import Area, Scene, SideLook, Token
from pbem.core.sequence import ACTIVE, NOBODY, Cursor, Phase, parse_cursor, turn_by_turn
from pbem.core.sheet import Choices, Entry
from pbem.core.vocabulary import Deed, Section, Vocabulary
from pbem.text.codec import Value, from_plain, to_plain

SEQUENCE = turn_by_turn(
    Phase("jeering", "jeer", ACTIVE, "Jeering"),
    Phase("pulling", "pull", ACTIVE, "Pulling"),
    Phase("breath", "", NOBODY, "Breath"),
)
SIDES = ("north", "south")
VERBS = {"setup": ("digs", "stands"), "jeering": ("jeers",), "pulling": ("pulls", "rests")}
HEADINGS = {"setup": "setup", "jeer": "jeering", "pull": "pulling"}
VOCABULARY = Vocabulary(
    sections=(
        Section("setup", ("digging",)),
        Section("jeer", ("jeering", "jeers", "mockery")),
        Section("pull", ("pulling", "heave")),
    ),
    deeds=tuple(Deed(verb, does=(verb,)) for verbs in VERBS.values() for verb in verbs),
    standing=("yield",),
    idle=("pulls", "jeers", "digs"),
)


class Yard(Struct, frozen=True):
    length: int
    map_digest: str
    sealed: bool


class Team(Value, frozen=True):
    id: str
    side: str
    owner: str
    dug: bool = False
    jeers: int = 0
    yields: str = ""
    tired: bool = False


class Rope(Struct, frozen=True):
    yard: Yard
    at: Cursor
    rope: int
    teams: tuple[Team, ...]
    winner: str = ""

    def team(self, side: str) -> Team:
        return next(team for team in self.teams if team.side == side)


class Order(Struct, frozen=True):
    who: str
    do: str


class Sheet(Struct, frozen=True):
    seat: str
    opened: Cursor
    sections: Mapping[str, tuple[Order, ...]]
    answers: Mapping[str, str] = field(default_factory=dict)
    yields: str = ""
    stop_after: str = ""
    message: str = ""
    given: bool = True
    nobody: bool = False

    def covers(self, cursor: Cursor) -> bool:
        if not self.given or cursor.player_turn != self.opened.player_turn:
            return False
        if cursor.phase == "setup":
            return True
        last = SEQUENCE.position(self.stop_after or "pulling")
        return SEQUENCE.position(self.opened.phase) <= SEQUENCE.position(cursor.phase) <= last


class Began(Struct, frozen=True):
    phase: str
    turn: int
    side: str = ""


class Instructed(Struct, frozen=True):
    seat: str
    yields: str
    orders: str


class Said(Struct, frozen=True):
    seat: str
    text: str


class Did(Struct, frozen=True):
    unit: str
    do: str


class Rolled(Struct, frozen=True):
    label: str
    sides: int
    values: tuple[int, ...]


class Chosen(Struct, frozen=True):
    seat: str
    choice: str
    by: str


class RopeMoved(Struct, frozen=True):
    to: int


class GameEnded(Struct, frozen=True):
    winner: str
    why: str


def _changed(state: Rope, side: str, **changes: Any) -> Rope:
    return replace(
        state, teams=tuple(replace(team, **changes) if team.side == side else team for team in state.teams)
    )


def apply(state: Rope, event: object) -> Rope:
    match event:
        case Began(phase, turn, side):
            fresh = _changed(state, side, jeers=0) if phase == "jeering" else state
            return replace(fresh, at=Cursor(phase, turn, side))
        case Instructed(seat, yields, _):
            side = next(team.side for team in state.teams if team.owner == seat)
            return _changed(state, side, yields=yields)
        case Did(unit, do):
            side = next(team.side for team in state.teams if team.id == unit)
            team = state.team(side)
            changes: dict[str, dict[str, Any]] = {
                "digs": {"dug": True},
                "jeers": {"jeers": team.jeers + 1},
                "pulls": {"tired": True},
                "rests": {"tired": False},
            }
            return _changed(state, side, **changes.get(do, {}))
        case RopeMoved(to):
            return replace(state, rope=to)
        case GameEnded(winner, _):
            return replace(state, winner=winner)
        case Said() | Rolled() | Chosen():
            return state
        case _:
            raise TypeError(event)


def read_field(
    rules: Any, scenario: Mapping[str, Any], map_: Mapping[str, Any]
) -> tuple[Yard | None, list[Problem], list[Problem]]:
    of_scenario, of_map = [], []
    length = str(scenario.get("length", "")).removesuffix(" turns")
    if not length.isdigit():
        of_scenario.append(
            Problem(
                "toy.length",
                {"length": str(scenario.get("length", ""))},
                ("length",),
                help="such as: 4 turns",
            )
        )
    if map_.get("size") != "7 x 1":
        of_map.append(
            Problem("toy.size", {"size": str(map_.get("size", ""))}, ("size",), help="a yard is 7 x 1")
        )
    if of_scenario or of_map:
        return None, of_scenario, of_map
    digest = hashlib.sha256(repr(sorted(map_.items())).encode()).hexdigest()
    return Yard(int(length), digest, bool(scenario.get("setup"))), [], []


def setup(rules: Any, yard: Yard, seats: Mapping[str, str]) -> Rope:
    teams = tuple(
        Team(f"{side}-team", side, min(seat for seat in seats if seats[seat] == side)) for side in SIDES
    )
    first = Cursor("setup", 1) if yard.sealed else Cursor("jeering", 1, "north")
    return Rope(yard, first, 0, teams)


def read_orders(rules: Any, state: Rope, seat: str, data: Any) -> tuple[Sheet | None, list[Problem]]:
    problems: list[Problem] = []
    sections: dict[str, tuple[Order, ...]] = {}
    names = {team.id for team in state.teams}
    for heading, phase in HEADINGS.items():
        if heading not in data:
            continue
        orders = []
        for place, sentence in enumerate(data[heading] or ()):
            who, _, do = str(sentence).partition(" ")
            if do not in VERBS[phase]:
                problems.append(
                    Problem(
                        "toy.verb", {"verb": do}, (heading, place), help="one of " + ", ".join(VERBS[phase])
                    )
                )
            elif who not in names:
                problems.append(
                    Problem(
                        "name.unknown",
                        {"name": who},
                        (heading, place),
                        help="one of " + ", ".join(sorted(names)),
                    )
                )
            else:
                orders.append(Order(who, do))
        sections[phase] = tuple(orders)
    if "turn" in data and data["turn"] not in (
        f"t{state.at.turn}",
        f"t{state.at.turn}.{state.at.side}",
        str(state.at),
    ):
        problems.append(
            Problem("toy.turn", {"turn": data["turn"]}, ("turn",), help=f"t{state.at.turn} is open")
        )
    answers = {str(key): str(value) for key, value in data.get("answers", {}).items()}
    yields = str(data.get("standing", {}).get("everyone", {}).get("yield", ""))
    nobody = "nobody" in data
    given = bool(sections) or "stop-after" in data or nobody or not (answers or yields)
    stop = HEADINGS.get(str(data.get("stop-after", "")), "")
    if problems:
        return None, problems
    return Sheet(
        seat, state.at, sections, answers, yields, stop, str(data.get("message", "")), given, nobody
    ), []


def check(rules: Any, state: Rope, sheet: Sheet, earlier: tuple[Sheet, ...]) -> Judgement:
    found = []
    for phase, orders in sheet.sections.items():
        heading = next(heading for heading, id in HEADINGS.items() if id == phase)
        for place, order in enumerate(orders):
            team = next(team for team in state.teams if team.id == order.who)
            if team.owner != sheet.seat:
                found.append(Problem("toy.not-yours", {"unit": order.who}, (heading, place), rule="T1.1"))
            elif order.do == "pulls" and team.tired:
                found.append(Problem("doubt.toy-tired", {"unit": order.who}, (heading, place), rule="T1.2"))
    return Judgement(
        tuple(found), [order for phase in sorted(sheet.sections) for order in sheet.sections[phase]]
    )


def instruct(rules: Any, state: Rope, seat: str, sheet: Sheet, digest: str) -> Sequence[object]:
    said = [Said(seat, sheet.message)] if sheet.message else []
    return [*([Instructed(seat, sheet.yields, f"sha512:{digest}")] if sheet.yields else []), *said]


def seats_to_order(rules: Any, state: Rope) -> tuple[str, ...]:
    if state.winner or state.at.phase == "breath":
        return ()
    if state.at.phase == "setup":
        return tuple(sorted(team.owner for team in state.teams))
    return (state.team(state.at.side).owner,)


def advance(rules: Any, state: Rope) -> Sequence[object]:
    if abs(state.rope) >= 2:
        return [GameEnded("north" if state.rope < 0 else "south", "pulled over")]
    then = SEQUENCE.after(
        state.at, SIDES, lambda part, then: then.turn <= state.yard.length and not then.is_setup
    )
    if then is None:
        return [GameEnded("draw" if not state.rope else "north" if state.rope < 0 else "south", "time")]
    return [Began(then.phase, then.turn, then.side)]


def orders_for(play: Play[Rope], files: Files, phase: str) -> list[Order]:
    return [
        order for seat in sorted(files) for sheet in files[seat] for order in sheet.sections.get(phase, ())
    ]


def prepare(rules: Any, play: Play[Rope], files: Files) -> None:
    for order in orders_for(play, files, play.state.at.phase):
        play.happen(Did(order.who, order.do))


def pull(rules: Any, play: Play[Rope], files: Files) -> None:
    side = play.state.at.side
    way = -1 if side == "north" else 1
    other = play.state.team("south" if side == "north" else "north")
    for order in orders_for(play, files, "pulling"):
        play.happen(Did(order.who, order.do))
        if order.do != "pulls":
            continue
        label = f"pull/{order.who}/1"
        values = play.roll(label, 6)
        play.happen(Rolled(f"{play.cursor}/{label}", 6, values))
        face = values[0] + play.state.team(side).jeers
        if rules.setting("knots") == "many" or face >= 6:
            if other.yields:
                choice, by = other.yields, "standing"
            else:
                answer = play.ask(
                    seat=other.owner,
                    about="yield",
                    unit=other.id,
                    rule="T1.3",
                    choices=(Choice("a", "hold"), Choice("b", "let-go")),
                    default="a",
                    why="a mighty pull",
                )
                choice, by = answer.value, answer.by
            play.happen(Chosen(other.owner, choice, by))
            if choice == "let-go" or play.roll(f"{label}/again1", 6)[0] <= 3:
                play.happen(RopeMoved(play.state.rope + way))
        elif face >= 4:
            play.happen(RopeMoved(play.state.rope + way))


def breathe(rules: Any, play: Play[Rope], files: Files) -> None:
    """Nobody orders here."""


def state_to_plain(rules: Any, state: Rope) -> dict[str, Any]:
    plain = {
        "at": str(state.at),
        "rope": state.rope,
        "teams": [to_plain(team) for team in state.teams],
        "map": state.yard.map_digest,
    }
    return {**plain, "winner": state.winner} if state.winner else plain


def state_from_plain(rules: Any, yard: Yard, data: Mapping[str, Any]) -> Rope:
    teams = tuple(from_plain(team, Team) for team in data["teams"])
    return Rope(yard, parse_cursor(data["at"]), data["rope"], teams, data.get("winner", ""))


def event_to_plain(event: object) -> dict[str, Any]:
    return {"type": type(event).__name__, **to_plain(event)}


def legal(rules: Any, state: Rope, seat: str) -> Iterator[Order]:
    if seat in seats_to_order(rules, state):
        for team in state.teams:
            if team.owner == seat:
                yield from (Order(team.id, verb) for verb in VERBS[state.at.phase])


def say(order: Order) -> str:
    return f"{order.who} {order.do}"


def forecast(rules: Any, course: Sequence[Order]) -> list[str]:
    return [say(order) for order in course]


def sheet(rules: Any, state: Rope, seat: str) -> Iterator[Entry]:
    for team in state.teams:
        orders = [order for order in legal(rules, state, seat) if order.who == team.id]
        if orders:
            yield Entry(team.id, f"{team.jeers} jeers", tuple(Choices(say(order)) for order in orders))


def _corners(x: int) -> tuple[tuple[int, int], ...]:
    return tuple(
        (x + dx, dy) for dx, dy in ((-289, -500), (289, -500), (577, 0), (289, 500), (-289, 500), (-577, 0))
    )


def scene(
    rules: Any, state: Rope, events: Sequence[Mapping[str, Any]], side: str | None = None, title: str = ""
) -> Scene:
    areas = tuple(Area(f"{n:02d}01", (n * 1000, 0), _corners(n * 1000), "flat", "flat") for n in range(1, 8))
    knot = Token(
        "knot",
        "the knot",
        "north",
        "peasant",
        (f"{4 + state.rope:02d}01",),
        ((4000 + 1000 * state.rope, 0),),
        ("1", "1", "1"),
    )
    looks = (SideLook("north", "North", "blue", "round"), SideLook("south", "South", "vermilion", "cut"))
    return Scene(
        title or "A rope", str(state.at), areas, tokens=(knot,), sides=looks, grounds={"flat": "flat"}
    )


def outcome(rules: Any, state: Rope) -> dict[str, Any]:
    counts = {"healthy": 1, "stunned": 0, "wounded": 0, "dead": 0}
    sides = [
        {"side": side, "score": max(0, way * state.rope), **counts}
        for side, way in (("north", -1), ("south", 1))
    ]
    return {"winner": state.winner, "grade": "", "why": "", "sides": sides}


def left_over(rules: Any, state: Rope, seat: str, sheet: Sheet | None) -> list[tuple[str, str]]:
    if state.at.phase != "setup":
        return []
    placed = {order.who for order in (sheet.sections.get("setup", ()) if sheet is not None else ())}
    return [(team.id, "0401") for team in state.teams if team.owner == seat and team.id not in placed]


INTERFACE: RulesetInterface[Rope] = RulesetInterface(
    read_field=read_field,
    setup=setup,
    read_orders=read_orders,
    check=check,
    instruct=instruct,
    cursor=lambda state: Cursor("over") if state.winner else state.at,
    seats_to_order=seats_to_order,
    over=lambda state: bool(state.winner),
    advance=advance,
    apply=apply,
    state_to_plain=state_to_plain,
    state_from_plain=state_from_plain,
    event_to_plain=event_to_plain,
    legal=legal,
    say=say,
    forecast=forecast,
    sheet=sheet,
    scene=scene,
    outcome=outcome,
    ordered=lambda sheet: sheet.nobody or bool(sheet.answers) or any(sheet.sections.values()),
    may_roll=lambda rules, state: state.at.phase != "setup",
    left_over=left_over,
)

TOY: Ruleset[Rope] = Ruleset(
    id="toy",
    revision=1,
    title="Tug of war",
    sequence=SEQUENCE,
    steps={"setup": prepare, "jeering": prepare, "pulling": pull, "breath": breathe},
    checks={},
    modifiers={},
    tables={},
    interface=INTERFACE,
    vocabulary=VOCABULARY,
    options={"knots": Option(("few", "many"), ("T1.3",), "how often the rope has a knot")},
    known_modules={"yard": lambda rules: rules},
)

CATALOGUE = {"toy": {1: TOY}}
