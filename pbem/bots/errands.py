"""What the sergeant has done in movement besides marching and storming: doors, treasure, prisoners, teams of
oxen, cauldrons, lost arms.

Whatever it is, it is taken from what the rules list as legal now; nothing here knows more of a rule than what
its deed is called. Who is busy with an errand neither marches nor strikes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from pbem.bots import walls
from pbem.bots.aims import worth
from pbem.bots.survey import FAR
from pbem.geometry.hex import distance, hex_of, neighbours
from pbem.rulesets.siege.judge import legal
from pbem.rulesets.siege.state.orders import Act, Move
from pbem.rulesets.siege.state.state import Battle, Thing, Unit, is_prisoner

if TYPE_CHECKING:
    from pbem.bots.siegecraft import Siegecraft

OPEN, CLOSE, BREAK_IN = "open", "close", "break-in"
CLOSED: Final = "closed"
DRIVE, HARNESS, UNHARNESS = "drive", "harness", "unharness"
GUARDS: Final = 2
"""So many men keep a prisoner, or bear a cauldron."""
ENDS: Final = 6
"""So many ends of a way are tried at most."""
NEAR_FOES: Final = 5
"""An enemy no farther than that from a cauldron calls its bearers to it."""
SENT: Final = 8
"""Who is farther away is not sent on an errand."""


class Errands:
    """The errands of one movement phase, planned on the battle as ``Siegecraft`` leaves it."""

    def __init__(self, craft: Siegecraft) -> None:
        self.craft = craft
        self.aims = craft.aims

    @property
    def battle(self) -> Battle:
        """Return the battle as it is by now."""
        return self.craft.battle

    def plan(self) -> None:
        """Plan every errand."""
        self.prisoners()
        self.treasure()
        self.teams()
        self.doors()
        self.cauldrons()
        self.arms()

    def listed(self, id_: str, *kinds: str) -> Iterator[Act]:
        """Yield the legal deeds of some kinds that name a figure first."""
        known = {*kinds} & self.craft.rules.deeds.keys()
        if known:
            found = legal.of_kinds(self.craft.rules, self.battle, self.craft.seat, id_, known)
            yield from (order for order, _ in found if isinstance(order, Act))

    def near(self, hexes: Sequence[str]) -> list[str]:
        """Return who of those that are free stands in some hexes or beside them, by id."""
        around = {*hexes, *(beside for hex_ in hexes for beside in neighbours(hex_of(hex_)))}
        return [id_ for id_ in sorted(self.craft.free) if not around.isdisjoint(self.battle.units[id_].at)]

    def do(self, order: Act) -> bool:
        """Do something, and keep who does it from anything else; tell whether it was legal."""
        if not {*order.who} <= self.craft.free or not self.craft.do(order):
            return False
        self.craft.bind(order.who)
        return True

    def tried(self, deeds: Callable[[], bool]) -> bool:
        """Do several things one after the other, or nothing of them; tell whether they were done."""
        craft = self.craft
        before, said, free, busy = craft.battle, len(craft.sentences), {*craft.free}, {*craft.busy}
        if deeds():
            return True
        craft.battle, craft.free, craft.busy = before, free, busy
        del craft.sentences[said:]
        return False

    def send(self, hexes: Sequence[str], count: int = 1) -> list[str]:
        """Send the nearest men each into another of some hexes, and keep them there; return who went."""
        sent: list[str] = []
        for hex_ in hexes:
            if len(sent) == count:
                break
            for id_ in self.craft.hands(hex_, 3):
                at = self.battle.units[id_].at[0]
                if at == hex_ or (distance(hex_of(at), hex_) <= SENT and self.march(id_, hex_)):
                    self.craft.bind((id_,))
                    sent.append(id_)
                    break
        return sent

    def march(self, id_: str, hex_: str) -> bool:
        """Let somebody go to a hex, or in this turn as near to it as he comes; tell whether he goes."""
        if self.craft.do(Move(id_, (hex_,)), "move"):
            return True
        return self.run(id_, (hex_,))

    def run(self, id_: str, goals: Sequence[str]) -> bool:
        """Let somebody go as near to some hexes as he comes by what is listed; tell whether he goes."""
        way = self.craft.survey.way(tuple(goals))
        known = legal.of_kinds(self.craft.rules, self.battle, self.craft.seat, id_, {"move"})
        ends = {order.to[0] for order, _ in known if isinstance(order, Move)}
        here = way.get(hex_of(self.battle.units[id_].at[0]), FAR)
        better = sorted((way.get(hex_, FAR), hex_) for hex_ in ends if way.get(hex_, FAR) < here)
        return any(self.craft.do(Move(id_, (hex_,)), "move") for _, hex_ in better[:ENDS])

    # --- doors

    def doors(self) -> None:
        """Open the doors that bar the way, from within or by force; who defends a place shuts them."""
        for name, door in sorted(self.battle.things.items()):
            fixture = self.battle.field.fixtures.get(name)
            if fixture is None or not fixture.leaf or not door.at:
                continue
            wanted = (CLOSE,) if self.aims.shuts and not self.aims.sally else (OPEN,)
            near = self.near(door.at)
            if any(
                self.do(order) for id_ in near for order in self.listed(id_, *wanted) if order.what == name
            ):
                continue
            if not self.aims.shuts and not self.break_in(door, near) and name in self.aims.open:
                self.to_the_gate(door)

    def to_the_gate(self, door: Thing) -> None:
        """Send the nearest man who is within already to a closed gate that is worth points when open."""
        if door.stands != CLOSED:
            return
        way = self.craft.survey.way(door.at)
        far = {id_: way.get(hex_of(self.battle.units[id_].at[0]), FAR) for id_ in self.craft.free}
        inside = [id_ for id_, points in far.items() if points < FAR and not self.craft.shoots(id_)]
        for id_ in sorted(inside, key=lambda id_: (far[id_], id_))[:1]:
            if not far[id_] or self.march(id_, door.at[0]):
                self.craft.bind((id_,))

    def break_in(self, door: Thing, near: Sequence[str]) -> bool:
        """Let two break in a door, those who have begun it before all others, and shooters last; tell whether
        they do.
        """
        pairs = [o for id_ in near for o in self.listed(id_, BREAK_IN) if o.what == door.id]
        pairs.sort(key=lambda o: ({*o.who} != {*door.crew}, sum(map(self.dear, o.who)), o.who))
        return any(self.do(order) for order in pairs)

    def dear(self, id_: str) -> int:
        """Return what it costs to bind somebody to an errand: who is good at something else costs more."""
        worth_ = worth(self.battle, self.aims, self.battle.units[id_])
        return worth_ + worth_ * self.craft.shoots(id_)

    # --- what is to be carried away

    def treasure(self) -> None:
        """Let the nearest man take up what is to be brought somewhere, and carry it there."""
        for name, goals in self.aims.fetch.items():
            thing = self.battle.things.get(name)
            if thing is None or not thing.at:
                continue
            bearer = next((id_ for id_ in thing.by if id_ in self.craft.free), "")
            if not bearer and not thing.by:
                bearer = self.taken_up(thing)
            if bearer:
                self.run(bearer, goals)
                self.craft.bind((bearer,))

    def taken_up(self, thing: Thing) -> str:
        """Let somebody go to a thing and take it up; return who has it then."""
        there = [id_ for id_ in sorted(self.craft.free) if self.battle.units[id_].at == thing.at]
        for id_ in (*there, *self.craft.hands(hex_of(thing.at[0]), 4)):
            if id_ in there or self.craft.do(Move(id_, thing.at), "move"):
                return id_ if self.craft.do(Act("take", (id_,), thing.id)) else ""
        return ""

    # --- prisoners

    def prisoners(self) -> None:
        """Have each prisoner led to the nearest edge between two guards, or held where he is."""
        for id_, unit in sorted(self.battle.units.items()):
            if is_prisoner(unit) and unit.captive_of == self.aims.side and unit.living and unit.at:
                guards = [man for man in self.near(unit.at) if man != id_]
                if len(guards) < GUARDS or not self.lead(unit, guards[:GUARDS]):
                    self.craft.bind(guards[:GUARDS])
                    self.send(self.beside(unit), GUARDS - len(guards))

    def beside(self, unit: Unit) -> list[str]:
        """Return the free hexes beside a figure."""
        around = (hex_ for at in unit.at for hex_ in neighbours(hex_of(at)))
        return [h for h in around if h in self.battle.field.ground and h not in self.battle.living_in]

    def lead(self, prisoner: Unit, guards: Sequence[str]) -> bool:
        """Let one guard lead a prisoner nearer to the edge, and the other keep beside him."""
        way = self.craft.survey.way(self.edge())
        here = way.get(prisoner.at[0], FAR)
        for man, mate in (guards, tuple(reversed(guards))):
            ends = [o for o in self.listed(man, "lead") if o.animals == (prisoner.id,) and o.to]
            for order in sorted(ends, key=lambda o: (way.get(o.to[0], FAR), o.to))[:ENDS]:
                closer = way.get(order.to[0], FAR) < here
                if closer and self.tried(partial(self.together, order, prisoner.id, mate)):
                    return True
        return False

    def together(self, order: Act, prisoner: str, mate: str) -> bool:
        """Lead a prisoner with the other guard beside him; tell whether he can keep up."""
        if not self.craft.do(order):
            return False
        there = self.battle.units[prisoner]
        at = self.battle.units[mate].at
        kept = any(hex_ in at for place in there.at for hex_ in neighbours(place))
        if kept or any(self.craft.do(Move(mate, (hex_,)), "move") for hex_ in self.beside(there)):
            self.craft.bind((*order.who, mate))
            return True
        return False

    def edge(self) -> tuple[str, ...]:
        """Return the hexes of the map's edge."""
        ground = self.battle.field.ground
        return tuple(
            h
            for h in ground
            if any(beside not in ground for beside in neighbours(h)) or len(neighbours(h)) < 6
        )

    # --- oxen

    def teams(self) -> None:
        """Have every engine drawn by its oxen as far as they go, or pushed with them where nobody can drive
        them on; where a driver is missing, send one.
        """
        for id_ in sorted(self.craft.free):
            any(self.do(order) for order in self.listed(id_, HARNESS, UNHARNESS) if self.wanted(order))
        for name, engine in sorted(self.battle.things.items()):
            oxen = [self.battle.units[id_] for id_ in engine.hitched]
            if DRIVE not in self.craft.rules.deeds or not oxen or engine.side not in ("", self.aims.side):
                continue
            drivers = self.drivers(oxen)
            self.make_way(engine, drivers)
            if self.driven(name, oxen) or self.tried(partial(self.pushed, name)):
                continue
            alone = [ox for ox in oxen if self.aims.side == ox.side and not self.near(ox.at)]
            self.craft.bind(drivers)
            for ox in alone:
                self.send(self.beside(ox))

    def wanted(self, order: Act) -> bool:
        """Tell whether somebody is to harness an ox, or to take one out of harness: only one that is dead."""
        if order.do == UNHARNESS and self.battle.units[order.animals[0]].living:
            return False
        return self.battle.things[order.what].side == self.aims.side

    def drivers(self, oxen: Sequence[Unit]) -> list[str]:
        """Return who stands next to a team and stays: one man beside all its oxen, or one beside each."""
        beside = [[id_ for id_ in self.near(ox.at) if not self.battle.units[id_].on] for ox in oxen]
        of_all = [id_ for id_ in beside[0] if all(id_ in some for some in beside)]
        return of_all[:1] or sorted({id_ for some in beside for id_ in some[:1]})

    def driven(self, name: str, oxen: Sequence[Unit]) -> bool:
        """Let those next to a team drive it as far as it goes; tell whether they do."""
        near = self.near([place for ox in oxen for place in ox.at])
        ways = [o for id_ in near for o in self.listed(id_, DRIVE) if o.what == name]
        return any(self.do(order) for order in sorted(ways, key=lambda o: (-o.steps, o.who)))

    def pushed(self, name: str) -> bool:
        """Let those in an engine push it, when its drivers have gone out of its way; tell whether they do."""
        self.make_way(self.battle.things[name], ())
        return self.craft.push(name)

    def make_way(self, engine: Thing, stay: Sequence[str]) -> None:
        """Have whoever stands before an engine go aside, but for some."""
        lane = walls.before(self.battle, engine)
        for id_ in sorted(self.craft.free.difference(stay)):
            at = self.battle.units[id_].at
            if not lane.isdisjoint(at):
                known = legal.of_kinds(self.craft.rules, self.battle, self.craft.seat, id_, {"move"})
                ends = {order.to[0] for order, _ in known if isinstance(order, Move)} - lane
                near = sorted(ends, key=lambda hex_: (distance(hex_of(at[0]), hex_), hex_))
                if any(self.craft.do(Move(id_, (hex_,)), "move") for hex_ in near[:ENDS]):
                    self.craft.bind((id_,))

    # --- oil

    def cauldrons(self) -> None:
        """Keep two men across each cauldron of a side that holds walls, while enemies are near it."""
        for thing in self.battle.things.values():
            if thing.kind != "cauldron" or thing.side != self.aims.side or not thing.at:
                continue
            if self.craft.survey.nearest_foe(thing.at[0]) > NEAR_FOES:
                continue
            near = {self.battle.units[id_].at[0]: id_ for id_ in self.near(thing.at)}
            pairs = sorted(self.across(thing.at[0]), key=lambda pair: (-sum(h in near for h in pair), pair))
            for pair in pairs:
                if {*pair} <= near.keys():
                    self.craft.bind(near[hex_] for hex_ in pair)
                    break
                if len(self.send(pair, GUARDS)) == GUARDS:
                    break

    def across(self, hex_: str) -> Iterator[tuple[str, str]]:
        """Yield the pairs of hexes on opposite sides of one, on which somebody can stand."""
        ring = neighbours(hex_)
        ground = self.battle.field.ground
        for one, other in zip(ring[:3], ring[3:], strict=False):
            if {one, other} <= ground.keys() and ground[one].floor == ground[other].floor:
                yield one, other

    # --- arms

    def arms(self) -> None:
        """Let who has lost his arms take up others that lie beside him."""
        for id_ in sorted(self.craft.free):
            if self.battle.units[id_].disarmed:
                any(self.do(order) for order in self.listed(id_, "rearm"))
