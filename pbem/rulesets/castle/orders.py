"""Order files of castle sections: sentences, read and said."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from msgspec import Struct, field
from msgspec.structs import replace

from pbem.core.problem import Problem
from pbem.core.regex import regex
from pbem.core.sequence import Cursor
from pbem.geometry.plane import Point, hundredths, inches
from pbem.rulesets.castle.facing import COMPASS, compass
from pbem.rulesets.castle.meant import advice
from pbem.rulesets.castle.state import Told, War

HEADING: Final = "actions"
ARMY: Final = "army"
"""The section of an army, in a scenario whose players build theirs."""
MOVES, TURNS, ATTACKS, SHOOTS, CAPTURES = "moves", "turns", "attacks", "shoots", "captures"
OPENS, CLOSES, RAISES, TAKES, RESTS = "opens", "closes", "sets up", "takes down", "rests"
HEALS, CONFUSES, FREEZES, LEVITATES = "heals", "confuses", "freezes", "levitates"
MUSTERS: Final = "is"
LADDER, PLANK = "ladder", "plank"
RETURNS, SHOCKS = "brings back", "sends out a shockwave"
NAME: Final = r"[a-z][a-z0-9-]{0,31}"
_INCHES: Final = r"[0-9]{1,3}(?:\.[0-9]{1,2})?"
_POINT: Final = rf"{_INCHES},? {_INCHES}"
_DIRECTION: Final = "|".join(COMPASS)
_SPELT: Final = {
    **dict(
        zip(
            ("north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest"),
            COMPASS,
            strict=True,
        )
    ),
    **dict(zip(("north-east", "south-east", "south-west", "north-west"), COMPASS[1::2], strict=True)),
}
"""Directions as people spell them out."""
_NUMBER: Final = regex(_INCHES)
_UNIT: Final = regex(r"""(?<=[0-9]) ?(?:"|”|″|''|in\b|inch\b|inches\b)""")
_TURNED: Final = regex(rf"\b(moves?) ({_DIRECTION}) ({_INCHES})(?= |$)")
_CALLED: Final = regex(r"^([a-z][a-z0-9-]{0,31}):(?= )")
_WORDS: Final = regex(r"[a-z]+(?:-[a-z]+)?")
_GLUED: Final = regex(r",(?=[^ ])")
_FACE: Final = rf"[0-9]{{1,3}}|{NAME}"
_WHO: Final = rf"(?P<who>{NAME}(?:(?:, | and |, and ){NAME})*)"
_MOVE: Final = regex(
    rf"{_WHO} moves?"
    rf"(?: (?:by|to) (?P<way>{_POINT}(?:, {_POINT})*)| (?P<far>{_INCHES}) (?P<heading>{_DIRECTION})"
    rf"| towards? (?P<toward>{NAME})| behind (?P<behind>{NAME}))"
    r"(?P<contact> until contact)?(?P<can> as far as (?:he|she|it|they) can)?"
    rf"(?:,? (?:and|then) (?P<does>enters?|leaves?) (?P<section>{NAME})"
    rf"(?: by (?P<by>{NAME}))?(?: at (?P<at>{_POINT}))?)?"
    rf"(?: facing (?P<facing>{_FACE}))?(?P<abort> or stays?)?"
)
_PASS: Final = regex(
    rf"{_WHO} (?P<does>enters?|leaves?) (?P<section>{NAME})(?: by (?P<by>{NAME}))?(?: at (?P<at>{_POINT}))?"
    rf"(?: facing (?P<facing>{_FACE}))?(?P<abort> or stays?)?"
)
_FORM: Final = regex(
    rf"{_WHO} forms? up behind (?P<behind>{NAME}) and moves? (?P<far>{_INCHES}) (?P<heading>{_DIRECTION})"
)
_TURN: Final = regex(rf"{_WHO} turns?(?: to)? (?P<facing>{_FACE})")
_FIGHT: Final = regex(rf"{_WHO} (?P<does>attacks?|strikes?|fights?|captures?) (?P<target>{NAME})")
_SHOOT: Final = regex(
    rf"{_WHO} shoots?(?: at)? "
    rf"(?P<targets>{NAME}(?: for [0-9]{{1,2}})?(?:(?:, | and ){NAME}(?: for [0-9]{{1,2}})?)*)"
    r"(?P<long> at long range)?"
)
_PORTAL: Final = regex(rf"(?P<target>{NAME}) (?P<does>opens?|closes?)|(?P<do>opens?|closes?) (?P<it>{NAME})")
_LADDER: Final = regex(
    rf"{_WHO} (?:sets? up (?P<up>{NAME}) at (?P<section>{NAME})|takes? down (?P<down>{NAME}))"
)
_REST: Final = regex(rf"{_WHO} rests?")
_LEAD: Final = regex(rf"(?P<who>{NAME}) (?P<does>confuses|levitates) (?P<target>{NAME}) to (?P<move>move .+)")
_MAGIC: Final = regex(
    rf"(?P<who>{NAME}) (?:(?P<does>heals|freezes|brings back) (?P<target>{NAME})(?: at (?P<at>{_POINT}))?"
    r"|sends out a shockwave)"
)


_IS: Final = regex(
    rf"(?P<who>{NAME}) is (?:"
    rf"carried by (?P<by>{NAME}(?:(?:, | and |, and ){NAME}){{2,4}})"
    rf"|a plank (?:from|between) (?P<one>{NAME}) (?:to|and) (?P<other>{NAME})"
    rf"|an? (?P<kind>[a-z]{{2,20}}(?: [a-z]{{1,20}}){{0,4}}?)(?:,? (?:on|of|at) (?P<on>(?![0-9]){NAME}))?"
    rf" at (?P<at>{_POINT})(?: facing (?P<facing>[0-9]{{1,3}}|{_DIRECTION}))?)"
)


class Order(Struct, frozen=True):
    """One order: who does what, where to, and to whom."""

    who: tuple[str, ...]
    do: str
    targets: tuple[str, ...] = ()
    share: tuple[int, ...] = ()
    """Clicks for each of several targets."""
    way: tuple[Point, ...] = ()
    heading: int | None = None
    """The direction of a straight move, in tenths of a degree."""
    far: int = 0
    toward: str = ""
    behind: str = ""
    until_contact: bool = False
    enters: str = ""
    leaves: str = ""
    by: str = ""
    at: Point | None = None
    facing: str = ""
    abort: bool = False
    """Whether nobody moves where the way cannot be gone as a whole."""
    long: bool = False
    as_far: bool = False
    """Whether no more is meant by a number of inches than he can go."""
    forms: bool = False
    """Whether the others come up behind the one they follow."""


def _point(text: str) -> Point:
    return _points(text)[0]


def _points(text: str) -> tuple[Point, ...]:
    """Return the places in a text: pairs of numbers, with commas or without."""
    numbers = [hundredths(number) for number in _NUMBER.findall(text)]
    return tuple(zip(numbers[::2], numbers[1::2], strict=True))


def plainly(line: str) -> str:
    """Return a line as its forms have it: small letters, one space, a space behind each comma, short
    directions behind the inches, which are numbers alone, no colon behind a name.
    """
    line = _GLUED.sub(", ", " ".join(line.lower().split()).rstrip("."))
    line = _CALLED.sub(r"\1", _UNIT.sub("", line.replace(" & ", " and ").replace(" + ", " and ")))
    return _TURNED.sub(r"\1 \3 \2", _WORDS.sub(lambda word: _SPELT.get(word[0], word[0]), line))


def parse(line: str) -> Order | None:
    """Return a sentence as an order, in capitals or not, directions spelt out or not; None for no order."""
    line = plainly(line)
    for form, read in (
        (_PORTAL, _portal),
        (_FORM, _form),
        (_MOVE, _move),
        (_PASS, _move),
        (_TURN, _turn),
        (_FIGHT, _fight),
        (_LADDER, _ladder),
        (_SHOOT, _shoot),
        (_REST, _rest),
        (_LEAD, _lead),
        (_MAGIC, _magic),
    ):
        if match := form.fullmatch(line):
            return read({key: value or "" for key, value in match.groupdict().items()})
    return None


def parse_army(line: str) -> Order | None:
    """Return a line of an army: ``brask is a captain at 24 43 facing s``, ``wall1 is a light wall at 6 9``,
    ``matz is a crossbow on wall1 at 6 9``, ``ladder1 is a ladder at wall1 at 6 8``, ``ladder2 is carried by
    alf, bero, cuno``, ``plank1 is a plank from wall1 to wall2``; None where it is none.
    """
    match = _IS.fullmatch(plainly(line))
    if match is None:
        return None
    of = {key: value or "" for key, value in match.groupdict().items()}
    if of["by"]:
        return Order((of["who"],), MUSTERS, (LADDER, *_names(of["by"])))
    if of["one"]:
        return Order((of["who"],), MUSTERS, (PLANK, of["one"], of["other"]))
    return Order(
        (of["who"],), MUSTERS, (of["kind"],), enters=of["on"], at=_point(of["at"]), facing=of["facing"]
    )


def _say_army(order: Order) -> str:
    name, (kind, *of) = order.who[0], order.targets
    if of and kind == PLANK:
        return f"{name} is a plank from {of[0]} to {of[1]}"
    if of:
        return f"{name} is carried by {', '.join(of)}"
    article = "an" if kind[0] in "aeiou" else "a"
    on = f" {'at' if kind == LADDER else 'on'} {order.enters}" if order.enters else ""
    x, y = order.at or (0, 0)
    facing = f" facing {order.facing}" if order.facing else ""
    return f"{name} is {article} {kind}{on} at {inches(x)} {inches(y)}{facing}"


def _names(said: str) -> tuple[str, ...]:
    return tuple(re.split(r", and |, | and ", said))


def _move(of: Mapping[str, str]) -> Order:
    does = of["does"].rstrip("s")
    return Order(
        _names(of["who"]),
        MOVES,
        way=_points(of.get("way", "")),
        heading=compass(of.get("heading", "")),
        far=hundredths(of["far"]) if of.get("far") else 0,
        toward=of.get("toward", ""),
        behind=of.get("behind", ""),
        until_contact=bool(of.get("contact")),
        as_far=bool(of.get("can") and of.get("heading")),
        enters=of["section"] if does == "enter" else "",
        leaves=of["section"] if does == "leave" else "",
        by=of["by"],
        at=_point(of["at"]) if of["at"] else None,
        facing=of["facing"],
        abort=bool(of["abort"]),
    )


def _form(of: Mapping[str, str]) -> Order:
    return Order(
        _names(of["who"]),
        MOVES,
        heading=compass(of["heading"]),
        far=hundredths(of["far"]),
        behind=of["behind"],
        forms=True,
    )


def _turn(of: Mapping[str, str]) -> Order:
    return Order(_names(of["who"]), TURNS, facing=of["facing"])


def _fight(of: Mapping[str, str]) -> Order:
    return Order(_names(of["who"]), CAPTURES if of["does"].startswith("c") else ATTACKS, (of["target"],))


def _shoot(of: Mapping[str, str]) -> Order:
    told = [part.partition(" for ") for part in _names(of["targets"])]
    share = tuple(int(count) for _, _, count in told if count)
    return Order(_names(of["who"]), SHOOTS, tuple(name for name, _, _ in told), share, long=bool(of["long"]))


def _portal(of: Mapping[str, str]) -> Order:
    does = (of["does"] or of["do"]).rstrip("s")
    return Order((), OPENS if does == "open" else CLOSES, (of["target"] or of["it"],))


def _ladder(of: Mapping[str, str]) -> Order:
    if of["up"]:
        return Order(_names(of["who"]), RAISES, (of["up"], of["section"]))
    return Order(_names(of["who"]), TAKES, (of["down"],))


def _rest(of: Mapping[str, str]) -> Order:
    return Order(_names(of["who"]), RESTS)


def _lead(of: Mapping[str, str]) -> Order | None:
    """Return who moves somebody else, and how: a way as in an order of that one's own."""
    match = _MOVE.fullmatch(f"{of['target']} {of['move']}")
    if match is None or match["does"]:
        return None
    order = _move({key: value or "" for key, value in match.groupdict().items()})
    return replace(order, who=(of["who"],), do=of["does"], targets=(of["target"],))


def _magic(of: Mapping[str, str]) -> Order | None:
    if not of["does"]:
        return Order((of["who"],), SHOCKS)
    if of["at"] and of["does"] != RETURNS:
        return None
    return Order((of["who"],), of["does"], (of["target"],), at=_point(of["at"]) if of["at"] else None)


def say(order: Order) -> str:
    """Return an order as a sentence, which reads back as the same order."""
    many = len(order.who) > 1

    def verb(word: str) -> str:
        return (
            word
            if not many
            else {"captures": "capture"}.get(word, word.replace("s ", " ", 1).removesuffix("s"))
        )

    who = ", ".join(order.who)
    if order.do == MUSTERS:
        return _say_army(order)
    if order.do in (OPENS, CLOSES):
        return f"{order.targets[0]} {order.do}"
    if order.do == TURNS:
        return f"{who} {verb('turns')} to {order.facing}"
    if order.do in (ATTACKS, CAPTURES):
        return f"{who} {verb(order.do)} {order.targets[0]}"
    if order.do == SHOOTS:
        counts = order.share or ("",) * len(order.targets)
        shot = [
            f"{name} for {count}" if count else name
            for name, count in zip(order.targets, counts, strict=False)
        ]
        return f"{who} {verb('shoots')} {', '.join(shot)}" + (" at long range" if order.long else "")
    if order.do == RAISES:
        return f"{who} {verb('sets up')} {order.targets[0]} at {order.targets[1]}"
    if order.do == TAKES:
        return f"{who} {verb('takes down')} {order.targets[0]}"
    if order.do == RESTS:
        return f"{who} {verb('rests')}"
    if order.do in (CONFUSES, LEVITATES):
        going = _said_move(order, lambda word: word.replace("moves", "move"))
        return f"{who} {order.do} {order.targets[0]} to {going}"
    if order.do == SHOCKS:
        return f"{who} {order.do}"
    if order.do in (HEALS, FREEZES, RETURNS):
        at = f" at {inches(order.at[0])} {inches(order.at[1])}" if order.at else ""
        return f"{who} {order.do} {order.targets[0]}{at}"
    return f"{who} {_said_move(order, verb)}"


def _said_move(order: Order, verb: Any) -> str:
    going = ""
    if order.forms:
        way = f"{inches(order.far)} {_direction(order.heading)}"
        return f"{verb('forms')} up behind {order.behind} and move {way}"
    if order.way:
        going = f"{verb('moves')} by " + ", ".join(f"{inches(x)} {inches(y)}" for x, y in order.way)
    elif order.heading is not None:
        going = f"{verb('moves')} {inches(order.far)} {_direction(order.heading)}"
    elif order.toward:
        going = f"{verb('moves')} toward {order.toward}"
    elif order.behind:
        going = f"{verb('moves')} behind {order.behind}"
    if order.until_contact:
        going += " until contact"
    if order.as_far:
        going += " as far as they can" if len(order.who) > 1 else " as far as he can"
    if order.enters or order.leaves:
        does = "enters" if order.enters else "leaves"
        going = f"{going} and {does}" if going else verb(does)
        going += f" {order.enters or order.leaves}"
        going += f" by {order.by}" if order.by else ""
        going += f" at {inches(order.at[0])} {inches(order.at[1])}" if order.at else ""
    going += f" facing {order.facing}" if order.facing else ""
    return going + (" or stays" if order.abort else "")


def _direction(heading: int | None) -> str:
    return next(word for word in COMPASS if compass(word) == heading)


# --- files


class Sheet(Struct, frozen=True):
    """An order file, read."""

    seat: str
    opened: Cursor
    orders: tuple[Order, ...]
    answers: Mapping[str, str] = field(default_factory=dict)
    told: Told | None = None
    message: str = ""
    idle: bool = False
    given: bool = True
    army: bool = False
    """Whether its lines are those of an army."""
    places: tuple[int, ...] = ()
    """In which line of its section each order stands: those that could not be read have one too."""

    def covers(self, cursor: Cursor) -> bool:
        """Tell whether it speaks of a player turn."""
        return self.given and cursor == self.opened


_HELP: Final = "such as: odo moves 6 n; odo moves toward hal until contact; odo attacks hal"
_HELP_ARMY: Final = "such as: odo is a captain at 24 46 facing s; wall1 is a light wall at 6 9"


def read_orders(rules: Any, war: War, seat: str, data: Any) -> tuple[Sheet | None, list[Problem]]:
    """Return a file as it is understood, and what cannot be read of it; what has another form than its schema
    asks for, which is told already, says nothing here.
    """
    problems: list[Problem] = []
    orders: list[Order] = []
    places: list[int] = []
    heading, read, such = (HEADING, parse, _HELP) if not war.at.is_setup else (ARMY, parse_army, _HELP_ARMY)
    if (other := ARMY if heading == HEADING else HEADING) in data:
        problems.append(Problem("castle.other-section", {"heading": other}, (other,), help=f"{heading}:"))
    called = {one.id: one.name for one in war.all}
    lines = data.get(heading)
    for place, line in enumerate(lines if isinstance(lines, list) else ()):
        order = read(str(line))
        if order is None:
            plain = plainly(str(line))
            said = advice(plain, called) if heading == HEADING else ""
            help_ = said or such
            problems.append(
                Problem("castle.gibberish", {"line": str(line)}, (heading, place), rule="MKB26", help=help_)
            )
        else:
            orders.append(order)
            places.append(place)
    at = war.at
    wanted = (str(at),) if at.is_setup else (f"t{at.turn}", f"t{at.turn}.{at.side}", str(at))
    if "turn" in data and str(data["turn"]) not in wanted:
        problems.append(
            Problem("castle.other-turn", {"turn": str(data["turn"])}, ("turn",), help=f"turn: {wanted[0]}")
        )
    told = _told(data.get("standing"))
    answers = {str(key): str(value) for key, value in _keys(data.get("answers")).items()}
    idle = "nobody" in data
    given = heading in data or idle or not (answers or told)
    army = heading == ARMY and bool(orders)
    sheet = Sheet(
        seat, at, tuple(orders), answers, told, str(data.get("message", "")), idle, given, army, tuple(places)
    )
    return sheet, problems


def _keys(said: Any) -> Mapping[str, Any]:
    return said if isinstance(said, Mapping) else {}


def _told(said: Any) -> Told | None:
    if not said:
        return None
    of = _keys(_keys(said).get("everyone"))
    victim = of.get("victim") or ()
    victims = tuple(str(victim).split(", ")) if isinstance(victim, str) else tuple(map(str, victim))
    return Told(str(of.get("spin", "")), tuple(one for one in victims if one), str(of.get("collapse", "")))
