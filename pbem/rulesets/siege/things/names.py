"""Names in orders: do they name somebody or something, and is it one's own, an enemy or a place on the map.

Also which orders need rules that are not in force. Whether an order is legal is decided in the topics.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from pbem.core.problem import Problem
from pbem.core.ruleset import Ruleset
from pbem.geometry.hex import split_place
from pbem.rulesets.siege.orders import conditions
from pbem.rulesets.siege.state.deed import Deed, Found, deeds, of
from pbem.rulesets.siege.state.orders import (
    Act,
    Attack,
    Condition,
    FireEngine,
    Move,
    MoveBy,
    Order,
    Place,
    Prepare,
    Ride,
    Shoot,
)
from pbem.rulesets.siege.state.sentence import NEAREST
from pbem.rulesets.siege.state.state import BELOW, STOREYS, Battle, is_prisoner
from pbem.rulesets.siege.things.ballista import stands_fast
from pbem.rulesets.siege.turn import siege_days
from pbem.text.similar import did_you_mean

Rules = Ruleset[Battle]

CASTLE: Final = "castle"
"""The module with ladders."""
ENGINES: Final = ("siege-tower", "ram", "penthouse")
"""Kinds of engine that men work from inside."""
BLOWS_AT: Final[Mapping[str, str]] = {
    "ladder": "from the battlement above it: NAME topples THING",
    **dict.fromkeys(ENGINES, "name a figure in it, or set it on fire: NAME lights HEX"),
    **dict.fromkeys(
        ("ballista", "mangonel", "trebuchet"), "name a figure beside it, or set it on fire: NAME lights HEX"
    ),
}
"""Kind of thing that is not an enemy -> what may have been meant by an attack on it."""


def not_in_force(rules: Rules, order: Order) -> Problem | None:
    """Return why an order's rules are not in force in this game; None if they are."""
    deed = of(rules, order)
    needs = deed.needs if deed is not None else None
    if needs is None or (needs.of is not None and not needs.of(order)) or needs.met(rules):
        return None
    help_ = needs.instead if CASTLE in rules.modules else ""
    return Problem("orders.not-in-force", {"what": needs.what, "needs": needs.wanted}, help=help_)


def who(order: Order) -> tuple[str, ...]:
    """Return the figures that carry an order out."""
    found: str | tuple[str, ...] = order.who
    return (found,) if isinstance(found, str) else found


class Names:
    """The names of one battle as one seat may use them."""

    def __init__(self, rules: Rules, battle: Battle, seat: str) -> None:
        self.rules = rules
        self.battle = battle
        self.seat = seat
        self.side = battle.side_of_seat.get(seat, "")

    def check(self, order: Order) -> Iterable[Found]:
        """Return what is wrong with the names of an order whose rules are in force."""
        # asked of every order: `case Move()` takes ten times as long to say no
        if type(order) is Attack:
            return self.attack(order)
        if type(order) is Move:
            return (*self.own(order.who), *self.places(order.to))
        if type(order) is Shoot:
            return (*self.own(order.who), *self.targets(order.at, order.fire))
        if type(order) is MoveBy:
            return (*self.own(order.who), *self.places(order.path))
        if type(order) is Act:
            return self.act(order)
        return self.seldom(order)

    def seldom(self, order: Order) -> Iterable[Found]:
        """Return the same of kinds of order that are given once or twice in a game."""
        match order:
            case FireEngine():
                engine = self.thing(order.engine, ("ballista",))
                return (*self.own(order.who), *engine, *self.targets(order.at))
            case Place() | Prepare() if self.days_plan():
                rule_id, named = (
                    ("S2.2c", order.hexes[0]) if isinstance(order, Prepare) else ("S3.43b", order.who)
                )
                help_ = "plan an assault; its setup comes next"
                return ((Problem("campaign.in-setup", rule=rule_id, help=help_), named),)
            case Place() if order.who in self.battle.things or order.who not in self.battle.units:
                return (*self.placed(order.who), *self.places(order.at))
            case Place():
                return (*self.own(order.who), *self.places(order.at), *self.stands(order))
            case Ride():
                return (*self.own(order.who), *self.horse(order.horse))
            case Prepare():
                return self.places(order.hexes)
            case _:
                return [wrong for name in who(order) for wrong in self.own(name)]

    def engines(self, names: tuple[str, ...]) -> Iterator[Found]:
        """Yield what is wrong with the names of engines: each is a thing of the own side, and named once."""
        own = [id_ for id_, thing in sorted(self.battle.things.items()) if thing.side == self.side]
        throwing = (
            [id_ for id_ in own if self.battle.things[id_].kind in ("mangonel", "trebuchet")]
            if self.days_plan()
            else []
        )
        for place, name in enumerate(names):
            if name in self.battle.units or (name in self.battle.things and name not in own):
                yield (
                    Problem(
                        "orders.not-your-engine",
                        {"name": name},
                        help="yours are " + ", ".join(throwing or own) if own else "",
                    ),
                    name,
                )
            elif name not in own:
                yield Problem("name.unknown", {"name": name}, help=did_you_mean(name, own)), name
            elif name in names[:place]:
                yield Problem("orders.named-twice", {"unit": name}), name

    def days_plan(self) -> bool:
        """Tell whether what is ordered is the plan of a day of siege, in which things bombard and are not
        placed.
        """
        return self.battle.at.phase == siege_days.DAY.id

    def placed(self, name: str) -> Iterator[Found]:
        """Yield why a name is none of a thing that this side places; who is nobody at all may have been meant
        for a figure.
        """
        thing = self.battle.things.get(name)
        if thing is None:
            own = [id_ for id_, one in sorted(self.battle.things.items()) if one.side == self.side]
            yield self.unknown(name, [*self.of(own=True), *own]), name
        elif not thing.side:
            yield Problem("orders.not-your-engine", {"name": name}, help="it belongs to the map"), name
        elif thing.side != self.side:
            yield Problem("placing.not-yours", {"thing": name, "side": thing.side}), name

    def act(self, order: Act) -> Iterator[Found]:
        """Yield what is wrong with the names of a deed."""
        deed = deeds(self.rules)[order.do]
        if deed.of_the_day:
            if not deed.of_men:
                yield from self.engines(order.who)
            for place, name in enumerate(order.who if deed.of_men else ()):
                yield from self.own(name)
                if name in order.who[:place]:
                    yield Problem("orders.named-twice", {"unit": name}), name
            yield from self.places(order.to)
            return
        for name in order.who:
            yield from self.own(name)
        yield from self.places((*order.to, *order.by))
        yield from self.named_in(deed, order)

    def named_in(self, deed: Deed, order: Act) -> Iterator[Found]:
        """Yield what is wrong with the horse, wagon, thing, animals or bystanders that a deed names."""
        for name in order.animals:
            yield from self.led(name)
        for place, name in enumerate(order.animals):
            if name in order.animals[:place]:
                yield Problem("orders.named-twice", {"unit": name}), name
        if deed.named is not None:
            yield from deed.named(self, order)
        else:
            yield from self.thing(order.what, deed.kinds)
            if deed.engine and order.what in self.battle.units:
                yield from self.no_thing(order.what, deed.kinds)

    def led(self, name: str) -> Iterator[Found]:
        """Yield why a name is none of an animal, a bystander or a prisoner, whoever holds it."""
        units, bystanders = self.battle.units, self.battle.field.bystanders
        some = [
            id_
            for id_ in sorted(units)
            if units[id_].kind != "man" or id_ in bystanders or is_prisoner(units[id_])
        ]
        if name not in units:
            yield self.unknown(name, some), name
        elif name not in some:
            help_ = "such as " + ", ".join(some[:6]) if some else "there is none in this game"
            yield Problem("orders.not-led", {"unit": name}, help=help_), name

    def horse(self, name: str) -> Iterator[Found]:
        """Yield why a name is none of a horse, whoever holds it."""
        units = self.battle.units
        horses = [id_ for id_ in sorted(units) if units[id_].kind == "horse"]
        if name not in units:
            yield self.unknown(name, horses), name
        elif name not in horses:
            help_ = "the horses are " + ", ".join(horses[:6]) if horses else "there is none in this game"
            yield Problem("orders.no-horse", {"unit": name}, help=help_), name

    def wagon(self, name: str) -> Iterator[Found]:
        """Yield why a name is none of a wagon."""
        found = sorted(id_ for id_, thing in self.battle.things.items() if thing.kind == "wagon")
        if name not in found:
            help_ = did_you_mean(name, found) or (
                "the wagons are " + ", ".join(found) if found else "there is none in this game"
            )
            yield Problem("orders.no-wagon", {"name": name}, help=help_), name

    def engine(self, name: str) -> Iterator[Found]:
        """Yield why a name is none of an engine that men work from inside."""
        found = sorted(id_ for id_, thing in self.battle.things.items() if thing.kind in ENGINES)
        if fixed := stands_fast(self.battle, name):
            yield fixed, name
        elif name not in found:
            help_ = did_you_mean(name, found) or (
                "there are " + ", ".join(found) if found else "there is none in this game"
            )
            yield Problem("orders.no-engine", {"name": name}, help=help_), name

    def attack(self, order: Attack) -> Iterable[Found]:
        """Return what is wrong with the names of an attack, which figures of several seats of one side may
        join.
        """
        if len(order.who) == len(order.at) == 1:
            return (*self.own(order.who[0]), *self.enemy(order.at[0]))
        return self.joint_attack(order)

    def joint_attack(self, order: Attack) -> Iterator[Found]:
        """Yield what is wrong with the names of an attack of several, or on several."""
        units, joint = self.battle.units, len(order.who) > 1
        for name in order.who:
            yield from self.own(name, joint)
        if joint and all(name in units and units[name].owner != self.seat for name in order.who):
            yield Problem("orders.none-yours", {"units": ", ".join(order.who)}), order.who[0]
        for name in order.at:
            yield from self.enemy(name)
        for names in (order.who, order.at):
            for place in range(1, len(names)):
                if (name := names[place]) in names[:place]:
                    yield Problem("orders.named-twice", {"unit": name}), name

    def own(self, name: str, joint: bool = False) -> Sequence[Found]:
        """Return why a name is none that this seat may order; in a joint attack figures of the same side may
        be named.
        """
        unit = self.battle.units.get(name)
        if unit is None:
            return ((self.unknown(name, self.of(own=True)), name),)
        if unit.side != self.side:
            args = {"unit": name, "side": unit.side, "own": self.side}
            return ((Problem("orders.not-your-side", args), name),)
        if unit.owner != self.seat and not joint:
            return ((Problem("orders.not-yours", {"unit": name, "seat": unit.owner}), name),)
        return ()

    def enemy(self, name: str) -> Sequence[Found]:
        """Return why a name is not an enemy."""
        battle = self.battle
        unit = battle.units.get(name)
        if name in battle.things:
            help_ = BLOWS_AT.get(battle.things[name].kind, "name a figure beside it")
            return ((Problem("orders.thing-blow", {"thing": name}, help=help_.replace("THING", name)), name),)
        if unit is None:
            return ((self.unknown(name, self.of(own=False)), name),)
        if battle.allegiance(unit) == self.side:
            return ((Problem("orders.own-target", {"unit": name}), name),)
        return ()

    def targets(self, targets: tuple[str, ...], fire: bool = False) -> list[Found]:
        """Return why some of the targets of a shot cannot be aimed at."""
        found: list[Found] = []
        for target in targets:
            found += self.aimed(target, fire)
        return found

    def aimed(self, target: str, fire: bool = False) -> Iterable[Found]:
        """Return why something cannot be aimed at: a shot is aimed at an enemy by id, at ``nearest``, or at
        one hex of an enemy of two.

        Fire arrows are aimed at things and at any hex too.
        """
        if target == NEAREST or (fire and target in self.battle.things):
            return ()
        if target in self.battle.things:
            help_ = "name a figure; fire arrows, where there are any, are aimed so: NAME at THING with fire"
            return ((Problem("orders.thing-target", {"thing": target}, help=help_), target),)
        if not target[0].isdigit():
            return self.enemy(target)
        wrong = self.places((target,))
        if fire:
            return wrong
        here = (self.battle.units[id_] for id_ in self.battle.living_in.get(target, ()))
        if not wrong and any(
            len(unit.at) > 1 and self.battle.allegiance(unit) not in ("", self.side) for unit in here
        ):
            return ()
        help_ = (
            "name the figure that stands there, or write: nearest; only a rider or a horse is hit "
            "in a hex that is named"
        )
        return (*wrong, (Problem("orders.hex-target", {"hex": target}, help=help_), target))

    def thing(self, name: str, kinds: tuple[str, ...] = ()) -> Iterator[Found]:
        """Yield why a name is neither a thing nor an animal."""
        if name and name not in self.battle.things and name not in self.battle.units:
            if help_ := self.of_kinds(kinds):
                yield Problem("name.unknown", {"name": name}, help=help_), name
            else:
                yield self.unknown(name, (*self.battle.things, *self.of(own=True))), name

    def no_thing(self, name: str, kinds: tuple[str, ...]) -> Iterator[Found]:
        """Yield that a figure is named where an engine does something."""
        help_ = self.of_kinds(kinds) or "name the engine, not a figure"
        yield Problem("orders.not-your-engine", {"name": name}, help=help_), name

    def of_kinds(self, kinds: tuple[str, ...]) -> str:
        """Return which things of some kinds there are, in words; empty if none."""
        meant = [id_ for id_, thing in sorted(self.battle.things.items()) if thing.kind in kinds]
        return f"there {'are' if len(meant) > 1 else 'is'} {', '.join(meant)}" if meant else ""

    def stands(self, order: Place) -> Iterator[Found]:
        """Yield why a figure cannot be placed in so many hexes: a horse has two, or one and the side it looks
        to; a man has one.
        """
        unit = self.battle.units.get(order.who)
        two = unit is not None and unit.kind == "horse"
        if len(order.at) > 1 + two:
            yield (
                Problem("orders.one-hex", {"unit": order.who}, help=f"{order.who} at {order.at[0]}"),
                order.at[1 + two],
            )
        elif two and len(order.at) == 1 and not order.facing:
            help_ = (
                f"{order.who} at {order.at[0]} facing n, or its head and its tail: {order.who} at "
                f"{order.at[0]} HEX"
            )
            yield Problem("orders.two-hexes", {"unit": order.who}, help=help_), order.at[0]
        elif unit is not None and order.facing and (not two or len(order.at) > 1):
            yield (
                Problem("orders.no-facing", {"unit": order.who}, help=f"leave out: facing {order.facing}"),
                order.facing,
            )

    def places(self, places: tuple[str, ...]) -> list[Found]:
        """Return why places are not on the map."""
        ground, found = self.battle.field.ground, []
        for place in places:
            if place not in ground and (problem := self.off_ground(place)) is not None:
                found.append((problem, place))
        return found

    def off_ground(self, place: str) -> Problem | None:
        """Return why something is no place that is above or below the ground."""
        field = self.battle.field
        hex_, storey = split_place(place) if _is_hex(place) else (place[:4], "")
        if hex_ not in field.ground:
            size = {"place": place, "map": field.map_title or field.map_id}
            help_ = f"its hexes run from 0101 to {field.columns:02}{field.rows:02}, column first"
            return Problem("orders.off-map", size, help=help_)
        # a tower may have come to that hex by then
        if storey and not self.has_storey(storey):
            return Problem("orders.storey", {"place": place}, help=f"write {hex_}")
        # nobody digs while a fight lasts
        if storey == BELOW and hex_ not in self.battle.lower:
            dug = " ".join(sorted(self.battle.lower.values()))
            help_ = f"dug so far: {dug}" if dug else "nothing has been dug so far"
            return Problem("orders.no-tunnel", {"place": place}, help=help_)
        return None

    def has_storey(self, storey: str) -> bool:
        """Tell whether there is something with such a storey in the game, on the map or not yet."""
        floors = {kind for kind, has in self.battle.field.floors.items() if storey in has.names}
        kinds = {*STOREYS.get(storey, ()), *floors}
        return any(thing.kind in kinds for thing in self.battle.things.values())

    def of(self, own: bool) -> list[str]:
        """Return the names of the own side's figures, or of all others."""
        return [unit.id for unit in self.battle.units.values() if (unit.side == self.side) == own]

    def unknown(self, name: str, nearest: list[str] | tuple[str, ...]) -> Problem:
        """Return that nobody is called so, with a guess at who was meant."""
        return Problem(
            "name.unknown",
            {"name": name},
            help=did_you_mean(name, nearest) or did_you_mean(name, self.battle.units),
        )

    def condition(self, condition: Condition) -> Iterator[Found]:
        """Yield what is wrong with the names of a condition; it may ask about anybody."""
        for part in condition.parts:
            for sort, name in conditions.named(part):
                if sort == "unit" and name not in self.battle.units:
                    yield self.unknown(name, tuple(self.battle.units)), name
                elif sort == "mark" and name not in self.battle.field.marks:
                    yield (
                        Problem(
                            "name.mark", {"name": name}, help=did_you_mean(name, self.battle.field.marks)
                        ),
                        name,
                    )
                elif sort == "side" and all(side.id != name for side in self.battle.field.sides):
                    help_ = "the sides are " + ", ".join(side.id for side in self.battle.field.sides)
                    yield Problem("name.side", {"name": name}, help=help_), name
                elif sort == "place":
                    yield from self.places((name,))


def _is_hex(place: str) -> bool:
    return "00" not in (place[:2], place[2:4])
