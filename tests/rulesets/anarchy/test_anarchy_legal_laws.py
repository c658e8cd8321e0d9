"""The two laws of legal orders on strongholds drawn by chance, with everything that The Anarchy has on them:
what is listed passes the check, and what passes the check is listed.

The second one asks everybody: every sentence of the grammar over the names and places of the board is put to
the check; of the forms with more than a thousand sentences ``make test`` takes each fifth, another one for each
form, and the longer check all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from itertools import combinations, islice
from typing import Any

import case_plugin
import pytest
from every_sentence import WRITERS, Board, Writer, board
from msgspec.structs import replace
from strongholds import HUNG, PHASES, STAGING, stronghold
from thorough import THOROUGH, deeper, thorough, tries

from pbem.bots.chance import Chance
from pbem.core.problem import Problem
from pbem.core.ruleset import Ruleset
from pbem.geometry.hex import SIDES, distance, hex_of, neighbours
from pbem.rulesets.anarchy import hidden_scenario, hidden_views
from pbem.rulesets.anarchy.events import Hid
from pbem.rulesets.anarchy.ruleset import ANARCHY
from pbem.rulesets.siege.deeds import reading
from pbem.rulesets.siege.judge import judge, legal
from pbem.rulesets.siege.orders import grammar
from pbem.rulesets.siege.state import family
from pbem.rulesets.siege.state.happening import apply
from pbem.rulesets.siege.state.orders import Act, Attack, FireEngine, Line, Move, MoveBy, Order, Shoot
from pbem.rulesets.siege.state.state import Battle
from pbem.rulesets.siege.things import names

SEAT = "east"


def laid(number: int, phase: str) -> tuple[Ruleset[Battle], Battle]:
    """Return rules and the stronghold of a number, as east knows it: of four one with somebody hidden on
    each side.
    """
    chance = Chance(f"stronghold {number} {phase}")
    given = stronghold(chance, phase)
    rules = case_plugin.chosen(ANARCHY, given)
    battle = case_plugin.battle_of(rules, given)
    if number % 4 == 0:
        rules = hidden_scenario.with_hiding(rules)
        for side in ("east", "west"):
            battle = hiding(battle, side)
    return rules, hidden_views.view(rules, battle, SEAT)


def hiding(battle: Battle, side: str) -> Battle:
    """Return a battle in which the first sound man of a side who bears nothing lies hidden, if there is one."""
    busy = {id_ for thing in battle.things.values() for id_ in (*thing.by, *thing.crew)}
    for id_, unit in battle.units.items():
        at_ease = unit.able and not unit.disarmed and id_ not in busy and unit.at == unit.hexes
        if unit.side == side and unit.kind == "man" and at_ease:
            field = replace(battle.field, hidden={**battle.field.hidden, id_: 2})
            return apply(battle.changed(field=field), Hid(id_, unit.at))
    return battle


def checked(rules: Ruleset[Battle], battle: Battle, sentence: str) -> tuple[Order | None, list[Any]]:
    """Return what an order file with one sentence says, and what is wrong with it; doubts are not."""
    heading = family.heading(rules, battle)
    file, problems = reading.read_orders(rules, battle, SEAT, {"turn": str(battle.at), heading: [sentence]})
    if problems:
        return None, problems
    (line,) = file.sections[battle.at.phase]
    found = judge.check(rules, battle, file).problems
    return line.order, [problem for problem in found if not problem.is_doubt]


def by_itself(rules: Ruleset[Battle], battle: Battle) -> Callable[[str], bool]:
    """Return what tells of a sentence that ``checked`` would refuse it, for its names or for what it orders,
    without a whole file around each of 300,000; whatever it does not refuse is to be checked.
    """
    heading, named = family.heading(rules, battle), names.Names(rules, battle, SEAT)
    file, _ = reading.read_orders(rules, battle, SEAT, {"turn": str(battle.at), heading: []})
    assert file is not None
    known = {*battle.units, *battle.things, grammar.NEAREST}

    def refused(sentence: str) -> bool:
        order = grammar.match(rules, heading, grammar.plain(sentence))
        if order is None or isinstance(order, Problem) or not known.issuperset(grammar.named(rules, order)):
            return False  # it may be heard otherwise
        if names.not_in_force(rules, order) or any(named.check(order)):
            return True
        line = Line(order, (heading, 0))
        found = judge.check(rules, battle, replace(file, sections={battle.at.phase: (line,)})).problems
        return not all(problem.is_doubt for problem in found)

    return refused


# --- every sentence


ABOVE = tuple(f"{place}@top" for place in (*STAGING, *HUNG))
"""The places over the heads of others, where anything stands there."""


def places(b: Board) -> tuple[str, ...]:
    """Return the hexes of a board, and what may be over them."""
    return (*b.hexes, *ABOVE)


def near(b: Board, who: str) -> tuple[str, ...]:
    """Return where a figure is, and the hexes beside it."""
    return tuple(
        dict.fromkeys((*map(hex_of, b.here[who]), *(h for at in b.here[who] for h in neighbours(hex_of(at)))))
    )


def pairs(b: Board) -> Iterator[str]:
    """Yield each figure, and each two of them."""
    yield from b.figures
    yield from (f"{one}, {other}" for one, other in combinations(b.figures, 2))


def by_two(form: str) -> Writer:
    """Return a writer of what one or two do with a thing, in a hex next to one of them."""

    def write(b: Board) -> Iterator[str]:
        for who in pairs(b):
            s = "" if "," in who else "s"
            for what in b.things:
                for to in near(b, who.split(", ")[0]) if "{to}" in form else ("",):
                    for facing in SIDES if "{facing}" in form else ("",):
                        yield form.format(who=who, s=s, what=what, to=to, facing=facing)

    return write


def carried(b: Board) -> Iterator[str]:
    for who in pairs(b):
        for what in b.things:
            for one in near(b, who.split(", ")[0]):
                yield from (f"{who} carry {what} to {one} {other}" for other in neighbours(one))


def attacks(said: str) -> Writer:
    """Return a writer of attacks of one, two or three on one, and of one on two."""

    def write(b: Board) -> Iterator[str]:
        for count in (1, 2, 3):
            for who in combinations(b.figures, count):
                for at in (b.figures, combinations(b.figures, 2)) if count == 1 else (b.figures,):
                    for foe in at:
                        foes = foe if isinstance(foe, str) else ", ".join(foe)
                        yield f"{', '.join(who)} {said}{'s' if count == 1 else ''} {foes}"

    return write


OF_THE_ANARCHY: Mapping[str, Writer] = {
    "NAME to HEX [or HEX] [facing SIDE]": lambda b: (
        f"{who} to {to}{facing}" for who in b.figures for to in places(b) for facing in ("", " facing ne")
    ),
    "NAME, NAME pick up THING": by_two("{who} pick{s} up {what}"),
    "NAME, NAME carry THING to HEX HEX": carried,
    "NAME, NAME raise LADDER in HEX facing SIDE": by_two("{who} raise{s} {what} in {to} facing {facing}"),
    "NAME, NAME shift LADDER [to HEX] facing SIDE": by_two("{who} shift{s} {what} facing {facing}"),
    "NAME climbs LADDER [and over]": lambda b: (
        f"{who} climbs {what}{over}" for who in b.figures for what in b.things for over in ("", " and over")
    ),
    "NAME puts down THING [facing SIDE]": lambda b: (
        f"{who} puts down {what}{facing}" for who in b.figures for what in b.things for facing in ("", *(f" facing {s}" for s in SIDES))
    ),
    "NAME, NAME attack NAME, NAME [at least NUMBER]": attacks("attack"),
    "NAME, NAME capture NAME": attacks("capture"),
    "NAME rearms": lambda b: (f"{who} rearms" for who in b.figures),
    "NAME harnesses ANIMAL to ENGINE": lambda b: (
        f"{who} harnesses {ox} to {what}" for who in b.figures for ox in b.figures for what in b.things
    ),
    "NAME unharnesses ANIMAL from ENGINE": lambda b: (
        f"{who} unharnesses {ox} from {what}" for who in b.figures for ox in b.figures for what in b.things
    ),
    "NAME, NAME drive ENGINE forward NUMBER": lambda b: (
        f"{who} {'drive' if ',' in who else 'drives'} {what} forward {steps}"
        for who in pairs(b) for what in b.things for steps in range(1, 6)
    ),
    "ENGINE forward NUMBER": lambda b: (f"{what} forward {steps}" for what in b.things for steps in range(1, 6)),
    "ENGINE back NUMBER": lambda b: (f"{what} back {steps}" for what in b.things for steps in range(1, 6)),
    "NAME throws stones at NAME": lambda b: (
        f"{who} throws stones at {foe}" for who in b.figures for foe in b.figures
    ),
    "NAME, NAME drag THING to HEX": lambda b: (
        f"{who} {'drag' if ',' in who else 'drags'} {what} to {to}"
        for who in pairs(b) for what in b.things for to in (*near(b, who.split(", ")[0]), *ABOVE)
    ),
    "NAME, NAME lower THING": by_two("{who} lower{s} {what}"),
    "NAME, NAME hoist THING": by_two("{who} hoist{s} {what}"),
    "THING throws at HEX": lambda b: (f"{what} throws at {to}" for what in b.things for to in b.hexes),
    "NAME slings at HEX": lambda b: (f"{who} slings at {to}" for who in b.figures for to in b.hexes),
    "NAME slings at HEX with fire": lambda b: (
        f"{who} slings at {to} with fire" for who in b.figures for to in b.hexes
    ),
    "NAME opens THING": lambda b: (f"{who} opens {what}" for who in b.figures for what in b.things),
    "NAME closes THING": lambda b: (f"{who} closes {what}" for who in b.figures for what in b.things),
    "NAME, NAME break in THING": by_two("{who} break{s} in {what}"),
    "NAME fills in HEX with THING": lambda b: (
        f"{who} fills in {to} with {what}" for who in b.figures for to in near(b, who) for what in b.things
    ),
    "NAME, NAME demolish THING": by_two("{who} demolish{s} {what}"),
    "NAME, NAME rebuild THING": by_two("{who} rebuild{s} {what}"),
    "NAME, NAME pour THING on HEX": lambda b: (
        f"{who} {'pour' if ',' in who else 'pours'} {what} on {to}"
        for who in pairs(b) for what in b.things for to in b.hexes
    ),
    "NAME, NAME haul THING to HEX": lambda b: (
        f"{', '.join(who)} haul {what} to {to}"
        for what in b.things if what.startswith("ballista")
        for who in combinations((one for one in b.figures if b.here[one]), 4)
        if all(distance(hex_of(b.here[who[0]][0]), hex_of(b.here[one][0])) < 3 for one in who)
        for to in b.hexes
    ),
    "NAME, NAME bear THING to HEX": lambda b: (
        f"{who} {'bear' if ',' in who else 'bears'} {what} to {to}"
        for who in pairs(b) for what in b.things for to in b.hexes
    ),
}  # fmt: skip
"""What is written otherwise than for Siege, or is new."""


ALL = 1000
"""Of so many sentences of a form all are tried."""
STRIDE = tries(5, 1)


def sentences(rules: Ruleset[Battle], battle: Battle) -> Iterator[str]:
    """Yield the sentences that the section of the open phase can hold."""
    words, section = board(battle), family.heading(rules, battle)
    forms = [line.form for line in grammar.lines(rules) if section in line.sections]
    for number, form in enumerate(forms):
        written = iter({**WRITERS, **OF_THE_ANARCHY}[form](words))
        yield from islice(written, ALL)
        yield from islice(written, number % STRIDE, None, STRIDE)


# --- what is listed


def key(order: Order) -> Any:
    """Return what an order is known by: of those who do something together, whoever is named first."""
    if isinstance(order, Attack):
        return (frozenset(order.who), frozenset(order.at))
    return replace(order, who=tuple(sorted(order.who))) if isinstance(order, Act) else order


def is_listed(rules: Ruleset[Battle], battle: Battle, listed: set[Any], order: Order) -> bool:
    """Tell whether an order is listed, or where it is not atomic, what it comes to."""
    if key(order) in listed:
        return True
    match order:
        case Act("stay"):
            return True
        case Act(do) if rules.deeds[do].plain is not None:
            return True  # it belongs to no figure
        case Act("enter", who, to=to, by=by) if to == by:
            return Act("enter", who, by=by, animals=order.animals) in listed
        case Act("lead", by=by) if by:
            return True  # those who follow may get round a corner on one way and not on another
        case Act("sling" | "sling-fire", who):
            return True  # a stone may be slung at any hex; with somebody in it, or something that burns, it is listed
        case Act("carry", what=what, to=to) if {*to} == {*battle.things[what].at}:
            return True  # it is there
        case Act("put-down", who, what, facing=facing) if facing:
            as_it_is = battle.things[what].kind != "mantlet" or battle.things[what].facing == facing
            return as_it_is and Act("put-down", who, what) in listed
        case Act("topple", who, what, to=()):
            return any(isinstance(other, Act) and (other.who, other.what) == (who, what) for other in listed)
        case Move(who, to) if to[0] == battle.units[who].at[0]:
            return True
        case Move(who, to, "" | "ne"):
            return any(isinstance(other, Move) and (other.who, other.to) == (who, to) for other in listed)
        case MoveBy(who, path):
            return is_listed(rules, battle, listed, Move(who, path[-1:]))
        case Shoot(who, at, across, fire) if across:
            return is_listed(rules, battle, listed, Shoot(who, at, fire=fire))
        case Shoot(who, ("nearest",)):
            return any(isinstance(other, Shoot) and other.who == who for other in listed)
        case Shoot(who, (target,), fire=True) if target in battle.things:
            thing = battle.things[target]
            spots = {*map(hex_of, thing.at), *(at for at in battle.above(thing) if at in battle.apart)}
            return any(Shoot(who, (spot,), fire=True) in listed for spot in spots)
        case Shoot(who, at, fire=True):
            return is_listed(rules, battle, listed, Shoot(who, at))
        case FireEngine(who, at=("nearest",)):
            return any(isinstance(other, FireEngine) and other.who == who for other in listed)
        case Attack(who, at):
            joint = [other for other in listed if isinstance(other, tuple)]
            return any(those <= {*who} and these <= {*at} for those, these in joint)
    return False


def sound(rules: Ruleset[Battle], battle: Battle) -> list[Order]:
    """Hold what is listed against the check and the grammar; return it."""
    listed = list(legal.legal(rules, battle, SEAT))
    assert len({key(order) for order in listed}) == len(listed), Counter(map(key, listed)).most_common(1)
    for order in listed:
        said = grammar.say(rules, order)
        assert checked(rules, battle, said) == (order, []), said
    return listed


@cache
def every(phase: str) -> tuple[frozenset[str], ...]:
    """Return of so many strongholds in a phase which kinds of order are listed; hold the first law.

    Only all two hundred of the longer check have each kind.
    """
    return tuple(frozenset(kinds(sound(*laid(number, phase)))) for number in range(200 if THOROUGH else 20))


def kinds(orders: Iterable[Order]) -> Iterator[str]:
    """Yield the kinds of some orders."""
    return (str(getattr(order, "do", type(order).__name__)) for order in orders)


@pytest.mark.parametrize("phase", PHASES)
def test_what_is_listed_passes(phase: str) -> None:
    assert sum(map(bool, every(phase))) > 10


EVERY = {
    "movement": {
        "Move", "open", "close", "break-in", "demolish", "rebuild", "bear", "pick-up", "take", "put-down", "climb", "carry",
        "raise", "shift", "step-over", "drag", "haul", "drive", "back-engine", "harness", "unharness", "unhitch", "lead",
        "leave", "enter", "rearm", "stay",
    },
    "offensive_fire": {"Shoot", "sling", "sling-fire", "throw", "FireEngine"},
    "melee": {"Attack", "capture", "pour", "put-out", "topple"},
}  # fmt: skip


@thorough
@pytest.mark.parametrize("phase", PHASES)
def test_every_kind_of_order_is_among_them(phase: str) -> None:
    assert EVERY[phase] <= frozenset().union(*every(phase))


@deeper
@pytest.mark.parametrize("phase", PHASES)
def test_what_passes_is_listed(phase: str) -> None:
    """The second law; a board has up to 300,000 sentences in its phase of movement."""
    for number in range(tries(1, 6)):
        whole(number, *laid(number, phase))


def whole(number: int, rules: Ruleset[Battle], battle: Battle) -> None:
    """Hold the second law on one board: put every sentence to the check, and see that what passes is
    listed.
    """
    listed = {key(order) for order in legal.legal(rules, battle, SEAT)}
    refused = by_itself(rules, battle)
    for sentence in sentences(rules, battle):
        if refused(sentence):
            continue
        order, problems = checked(rules, battle, sentence)
        if not problems and order is not None:
            assert is_listed(rules, battle, listed, order), (number, sentence)
