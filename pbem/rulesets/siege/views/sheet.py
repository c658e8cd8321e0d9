"""The order sheet: what each figure of a seat may do in the open phase, with points, ranges, cover, odds and
who may join.

What is legal is told by ``legal``; places stand together by what they cost. What there is to know of an order
is what the receipt of an order file says too (``forecast``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from pbem.core.ruleset import Ruleset
from pbem.core.sheet import Choices, Entry
from pbem.geometry.hex import SIDES
from pbem.rulesets.siege.combat import chances, fire_arrows, melee_odds, ranges, shooting
from pbem.rulesets.siege.deeds import attack_orders, shot_orders
from pbem.rulesets.siege.ground.character import person, values
from pbem.rulesets.siege.judge import forecast, legal
from pbem.rulesets.siege.judge.legal import Priced
from pbem.rulesets.siege.march import step
from pbem.rulesets.siege.orders import grammar
from pbem.rulesets.siege.scenario import setup
from pbem.rulesets.siege.state import family
from pbem.rulesets.siege.state.deed import deeds
from pbem.rulesets.siege.state.orders import Act, Attack, Move, Order, Place, Shoot
from pbem.rulesets.siege.state.state import HEALTHY, Battle, Thing, Unit
from pbem.rulesets.siege.things import works
from pbem.rulesets.siege.turn import sequence, siege_days
from pbem.rulesets.siege.views import best_shots, day_sheet

Rules = Ruleset[Battle]


def sheet(rules: Rules, battle: Battle, seat: str) -> Iterator[Entry]:
    """Yield, for each figure of a seat that may do more than stay, what it may do in the open phase, and then
    for each thing.
    """
    if battle.at.phase == siege_days.DAY.id:
        yield from day_sheet.entries(rules, battle, seat)
        return
    taken: set[str] = set()
    for id_ in sorted(battle.units):
        unit, rest = battle.units[id_], ""

        def best(rules: Rules, battle: Battle, unit: Unit) -> Iterator[Priced]:
            nonlocal rest
            found = best_shots.listed(rules, battle, unit)
            rest = found.rest
            return ((order, None) for order in found.orders)

        orders = legal.priced(rules, battle, seat, id_, {shot_orders.shots: best})
        choices = tuple(_choices(rules, battle, orders, taken))
        if choices:
            yield Entry(id_, about(rules, battle, unit), choices, rest)
    yield from _works(rules, battle, seat)
    for id_, thing in sorted(battle.things.items()):
        if choices := tuple(_choices(rules, battle, legal.of_thing(rules, battle, seat, id_), taken)):
            yield Entry(id_, about_thing(thing), choices)


def _works(rules: Rules, battle: Battle, seat: str) -> Iterator[Entry]:
    """Yield which hexes a seat may still prepare in the setup, and how many of them."""
    orders = list(works.listed(rules, battle, seat)) if battle.at.phase == "setup" else []
    for do in works.BECOMES:
        hexes = tuple(order.hexes[0] for order in orders if order.do == do)
        if hexes:
            count = works.left(battle, battle.side_of_seat[seat], do)
            yield Entry(
                do,
                f"{count} {'hex' if count == 1 else 'hexes'} left",
                (Choices(f"{do} {hexes[0]}", (), (("", hexes),)),),
            )


def about(rules: Rules, battle: Battle, unit: Unit) -> str:
    """Return who a figure is, where it is, and what counts in the open phase."""
    parts = [person(battle, unit).class_.replace("_", " ") + (f" on {unit.on}" if unit.on else "")]
    parts += [unit.state] if unit.state != HEALTHY else []
    parts += [" ".join(unit.at)] if unit.at else []
    phase, known = battle.at.phase, family.phases(rules)
    if phase == "setup":
        own = values(rules, battle, unit)
        parts.append(f"attacks with {own.attack}, defends with {own.defence}, {own.move} MP")
    elif phase == known.moves:
        parts.append(f"{step.points(rules, battle, unit)} MP")
    elif phase == known.fights:
        own = values(rules, battle, unit)
        parts.append(f"attacks with {own.attack}, defends with {own.defence}")
    elif phase in known.shoots:
        parts += filter(None, [ranges.weapon_of(rules, battle, unit).replace("_", " ")])
        if count := fire_arrows.carried(rules, battle, unit):
            parts.append(fire_arrows.counted(count))
        shot = replace(unit, did=(*unit.did, "shot"))
        parts += ["does not move if he shoots"] if sequence.stays_after_shooting(rules, battle, shot) else []
    return ", ".join(parts)


def about_thing(thing: Thing) -> str:
    """Return what a thing is, and where it stands."""
    return ", ".join([thing.title, *([" ".join(thing.at)] if thing.at else [])])


def _choices(rules: Rules, battle: Battle, orders: Iterable[Priced], taken: set[str]) -> Iterator[Choices]:
    """Yield orders in the order in which they come, those that differ only in a place together; no two
    figures are placed in one hex.
    """
    groups: dict[tuple[str, ...], list[Priced]] = {}
    for order, cost in orders:
        if not (isinstance(order, Act) and order.do == "stay"):
            groups.setdefault(_kind(rules, order), []).append((order, cost))
    for kind, group in groups.items():
        if kind[0] == "shoot":
            yield from _shots(rules, battle, [order for order, _ in group if isinstance(order, Shoot)])
        elif kind[0] == "enter to":
            yield from _nearest_ways_in(rules, group)
        elif kind[0] == "at":
            yield _placed(rules, battle, group, taken)
        elif kind[0] != "alone":
            yield _grouped(rules, group)
        else:
            yield Choices(grammar.say(rules, group[0][0]), notes(rules, battle, group[0][0]))


def _kind(rules: Rules, order: Order) -> tuple[str, ...]:
    """Return what orders have in common that differ only in a place; a name of its own for one that stands
    alone.
    """
    match order:
        case Move():
            return ("to",)
        case Place():
            return ("at",)
        case Shoot(fire=False):
            return ("shoot",)
        case Act(do="enter") if order.to:
            return ("enter to", *order.animals)
        case Act(do="enter" | "leave" | "lead"):
            return (order.do, *order.animals)
        case Act() if deeds(rules)[order.do].grouped:
            return (order.do, order.what, *order.who)
        case _:
            return ("alone", grammar.say(rules, order))


# --- places, by what they cost


def _placed(rules: Rules, battle: Battle, group: Sequence[Priced], taken: set[str]) -> Choices:
    """Return where a figure or a thing may be placed; the sentence names the first hexes that none of its
    sort before it is given.
    """
    orders = [order for order, _ in group if isinstance(order, Place)]
    free = (order for order in orders if not taken & _covers(rules, battle, order))
    first = next(free, orders[0])
    taken |= _covers(rules, battle, first)
    rows = (("", _words(orders)),)
    return Choices(grammar.say(rules, first), _facing(rows), rows)


def _covers(rules: Rules, battle: Battle, order: Place) -> set[str]:
    """Return what a placing takes from others of its sort: hexes, which figures and things do not take from
    each other.
    """
    event = setup.placed(rules, battle, order)
    sort = "thing" if order.who in battle.things else "figure"
    return {f"{sort} {hex_}" for hex_ in event.at}


def _nearest_ways_in(rules: Rules, entries: Sequence[Priced]) -> Iterator[Choices]:
    """Yield, for each hex of entry, the places that are nearest by it: each place once."""
    best: dict[str, Priced] = {}
    for order, cost in entries:
        to = _hex(order)
        if to not in best or (cost or 0) < (best[to][1] or 0):
            best[to] = (order, cost)
    by: dict[str, list[Priced]] = {}
    for order, cost in best.values():
        by.setdefault(grammar.say(rules, order).partition(" to ")[0], []).append((order, cost))
    for group in by.values():
        yield _grouped(rules, group)


def _grouped(rules: Rules, group: Sequence[Priced]) -> Choices:
    """Return orders that differ in their last hex, by what they cost, the cheapest first."""
    found: dict[int | None, list[Order]] = {}
    for order, cost in sorted(group, key=lambda priced: priced[1] or 0):
        found.setdefault(cost, []).append(order)
    rows = tuple(("" if cost is None else f"{cost} MP", _words(orders)) for cost, orders in found.items())
    return Choices(grammar.say(rules, group[0][0]), _facing(rows), rows)


def _facing(rows: Sequence[tuple[str, tuple[str, ...]]]) -> tuple[str, ...]:
    """Return how to read a hex with sides behind it, where there is one."""
    return (
        ("behind a hex the sides he may face there",)
        if any(word.split()[-1] in SIDES for _, words in rows for word in words)
        else ()
    )


def _words(orders: Iterable[Order]) -> tuple[str, ...]:
    """Return in what some orders differ: the hex, and the sides to look to in it."""
    found: dict[str, list[str]] = {}
    for order in orders:
        found.setdefault(_hex(order), []).append(order.facing if isinstance(order, Move | Place) else "")
    return tuple(" ".join((hex_, *filter(None, facings))) for hex_, facings in sorted(found.items()))


def _hex(order: Order) -> str:
    """Return the last hex that an order names."""
    match order:
        case Move():
            return order.to[-1]
        case Place():
            return " ".join(order.at)
        case Act(do="carry"):
            return " ".join(order.to)
        case Act():
            return (*order.by, *order.to)[-1]
        case _:
            raise TypeError(f"{order!r} names no hex")


# --- what there is to know


def notes(rules: Rules, battle: Battle, order: Order) -> tuple[str, ...]:
    """Return what there is to know of an order before it is given."""
    if isinstance(order, Attack):
        return _of_attack(rules, battle, order)
    told = forecast.row(rules, battle, order)[2]
    return (told,) if told else ()


def _shots(rules: Rules, battle: Battle, orders: Sequence[Shoot]) -> Iterator[Choices]:
    """Yield shots, the best chances first; targets that are alike in all but their range stand together, the
    nearest first.
    """
    alike: dict[tuple[object, ...], list[tuple[Foreseen, Shoot]]] = {}
    for order in orders:
        shot = of_shot(rules, battle, order)
        alike.setdefault((shot.worth, shot.how, shot.chances), []).append((shot, order))
    nearest = [sorted(group, key=lambda one: one[0].hexes) for group in alike.values()]
    for group in sorted(nearest, key=lambda group: (group[0][0].rank, group[0][0].how)):
        shot, order = group[0]
        rows: dict[str, list[str]] = {}
        for one, at in group:
            rows.setdefault(one.far, []).append(at.at[0])
        if len(rows) > 1:
            others = tuple((far, tuple(targets)) for far, targets in rows.items())
            yield Choices(grammar.say(rules, order), (shot.how, shot.chances), others)
        else:
            others = (("any of", tuple(rows[shot.far])),) if len(group) > 1 else ()
            yield Choices(grammar.say(rules, order), shot.notes, others)


class Foreseen(Struct, frozen=True):
    """What there is to know of a shot before it is given; empty of one that cannot be loosed now."""

    worth: tuple[int, ...] = ()
    """How many faces of the die kill, then how many wound, and so on."""
    hexes: int = 0
    how: str = ""
    """Range band and cover."""
    chances: str = ""
    faces: int = 0

    @property
    def rank(self) -> tuple[tuple[int, ...], int]:
        """Return by what shots are put in order: the best chances, then the nearest."""
        return tuple(-count for count in self.worth), self.hexes

    @property
    def far(self) -> str:
        """Return the range."""
        return f"{self.hexes} {'hex' if self.hexes == 1 else 'hexes'}"

    @property
    def notes(self) -> tuple[str, ...]:
        """Return it in words."""
        return (f"{self.far}, {self.how}", self.chances) if self.faces else ()


def of_shot(rules: Rules, battle: Battle, order: Shoot) -> Foreseen:
    """Return what there is to know of a shot."""
    shooter = battle.units[order.who]
    chosen = shooting.choose(rules, battle, shooter, order.at)
    if isinstance(chosen, list):
        return Foreseen()
    target, aimed = chosen
    faces = chances.of_shot(rules, battle, shooter, target, aimed)
    how = f"{aimed.band} range, {aimed.cover if aimed.cover != 'none' else 'no'} cover"
    said = chances.said(faces) or f"of {len(faces)}: nothing"
    return Foreseen(chances.worth(faces), aimed.line.range, how, said, len(faces))


def _of_attack(rules: Rules, battle: Battle, order: Attack) -> tuple[str, ...]:
    joins = attack_orders.joiners(rules, battle, order)
    return (*about_attack(rules, battle, order), *([f"may join: {', '.join(joins)}"] if joins else []))


def about_attack(rules: Rules, battle: Battle, order: Attack) -> tuple[str, ...]:
    """Return the odds of an attack, and what it may come to."""
    attackers = [battle.units[id_] for id_ in order.who]
    defenders = [battle.units[id_] for id_ in order.at]
    of = melee_odds.combat(rules, battle, attackers, defenders)
    theirs, ours = map(chances.said, chances.of_attack(rules, battle, defenders, of.heading))
    told = [f"{of.tally}: column {of.heading}", *([theirs] if theirs else [])]
    told += [f"{'his' if len(attackers) == 1 else 'their'} own risk, {ours}"] if ours else []
    told += [f"only if {unit.owner} orders it too" for unit in attackers if unit.owner != attackers[0].owner][
        :1
    ]
    return tuple(told)
