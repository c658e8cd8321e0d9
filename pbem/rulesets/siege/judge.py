"""Judges an order file before anything is rolled: what can never be legal is a problem, what depends on dice a doubt.

Exact up to the first die of the file. After it an order is a problem only if it would be illegal in the best of worlds, and a doubt
unless it is legal in the worst (``outlook``). What makes an order legal is decided by the checks of the ruleset, not here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, product
from typing import Final

from pbem.core.problem import Path, Problem
from pbem.core.ruleset import Judgement, Ruleset
from pbem.geometry.hex import distance, hex_of
from pbem.rulesets.siege import (
    battering,
    bearing,
    beasts,
    burning,
    campaign,
    carry,
    conditions,
    deeds,
    fright,
    grammar,
    misfire,
    movement,
    oil,
    riding,
    sequence,
    setup,
    shooting,
    stacked,
    step,
    toppling,
    works,
)
from pbem.rulesets.siege.events import ThingMoved
from pbem.rulesets.siege.grammar import NEAREST
from pbem.rulesets.siege.happening import apply
from pbem.rulesets.siege.orders import (
    Act,
    Attack,
    Condition,
    FireEngine,
    Item,
    Line,
    Move,
    MoveBy,
    Order,
    OrderFile,
    Place,
    Prepare,
    Ride,
    Shoot,
    Skill,
    When,
)
from pbem.rulesets.siege.outlook import LIVING, Outlook
from pbem.rulesets.siege.state import STUNNED, Battle, Unit

Rules = Ruleset[Battle]

BY_PLACE: Final = frozenset(
    {"melee.not-adjacent", "melee.wall", "mantlets.blows", "melee.no-way-in", "melee.shifted-out", "shooting.range", "line_of_fire.figure"}
    | {"line_of_fire.ground", "line_of_fire.levels", "cover.infinite", "cover.wall", "melee.levels", "engines.no-blows", "towers.levels"}
    | {"line_of_fire.edge", "line_of_fire.shut-in", "line_of_fire.slit", "line_of_fire.too-near", "cover.castle", "cover.gate"}
    | {"shooting.across-away"}
)
"""What speaks against an order only because of where somebody stands, of which nothing may be known by then."""
MARKS: Final = {"light": "lit", "topple": "toppled", "pour": "poured", "strike": "struck"}
"""Deed whose outcome a die decides -> the word by which it is known who has done it; that of others is the deed's own."""
MOST_WORLDS: Final = 81
"""So many places or states of several figures at once are looked at; four figures in three of them each."""


@dataclass(frozen=True, slots=True)
class Step:
    """An order or a condition as it is reached in the course of things, with what is known by then."""

    item: Line | When
    battle: Battle
    depth: int = 0
    branch: str = ""
    """``then`` or ``otherwise``: the branch it begins; empty where it begins none."""
    taken: bool | None = None
    """Of a condition: whether it holds; None where dice decide."""


def check(rules: Rules, battle: Battle, orders: OrderFile, earlier: Sequence[OrderFile] = ()) -> Judgement:
    """Return the problems and doubts of a file, and its course: each order and condition as a ``Step``.

    ``earlier`` are the seat's files in force, oldest first.
    """
    judge = _Judge(rules, battle, orders)
    for phase in _phases(orders):
        judge.phase(phase, [file for file in earlier if not carry.has_ended(battle, file)])
    return Judgement(tuple(judge.found), tuple(judge.steps))


def _phases(orders: OrderFile) -> tuple[str, ...]:
    """Return the phases from the open one to the last that the file has orders for."""
    if orders.opened.phase not in orders.phases or not orders.gives_orders:
        return ()
    begin = orders.phases.index(orders.opened.phase)
    last = orders.only or orders.stop_after or orders.phases[-1]
    return orders.phases[begin : orders.phases.index(last) + 1]


class _Judge:
    """One file on its way through the phases it covers."""

    def __init__(self, rules: Rules, battle: Battle, orders: OrderFile) -> None:
        self.rules = rules
        self.orders = orders
        self.seat = orders.seat
        self.outlook = Outlook(battle, orders.side)
        self.mates = {unit.id for unit in battle.units.values() if unit.side == orders.side and unit.owner != orders.seat}
        self.found: list[Problem] = []
        self.steps: list[Step] = []
        self.depth = 0
        self.branch = ""
        self.reports = True
        self.asserted: set[tuple[str, str]] = set()
        """Pairs of which a condition has just said that the one can attack the other."""
        self.shaken: set[str] = set()
        """Ladders that somebody tries to topple before."""

    @property
    def battle(self) -> Battle:
        """Return the course of things so far."""
        return self.outlook.battle

    def phase(self, phase: str, earlier: Sequence[OrderFile]) -> None:
        """Judge the section of one phase; where an earlier file has the orders for it, only see what follows from them."""
        at = replace(self.orders.opened, phase=phase)
        self.outlook.battle = self.battle.changed(at=at)
        if phase != "setup" and self.mates:
            self.foresee_mates(phase)
        if sequence.bowmen_first(self.rules, phase):
            self.outlook.hurt |= self.foes()  # the shots do not follow the order of the lines
        if phase == "movement":
            fright.flee(self.rules, self.outlook)
        for file in (self.orders, *reversed(earlier)):
            if file.covers(at):
                self.reports = file is self.orders
                self.items(file.sections.get(phase, ()))
                break
        else:
            self.unordered(phase)
        if phase == "movement":
            self.outlook.adrift.update(stacked.must_leave(self.rules, self.battle))
        fright.come_round(self.rules, self.outlook, phase_ends=phase == "movement")

    def unordered(self, phase: str) -> None:
        """Reckon with everything in a phase for which no file has orders yet."""
        own = {unit.id for unit in self.battle.units.values() if unit.owner == self.seat}
        if phase == "movement":
            self.outlook.adrift |= own
        else:
            self.outlook.hurt |= self.foes()
            for unit in sorted(own):
                self.outlook.did(unit, "shot", sure=False)

    def foresee_mates(self, phase: str) -> None:
        """What the other seats of the side order is not known: they may shoot, and move."""
        if phase in ("first_missile", "second_archery", "melee"):
            self.outlook.hurt |= self.foes()
        if phase == "movement":
            self.outlook.adrift |= self.mates

    def foes(self) -> set[str]:
        """Return the living enemies."""
        others = (unit for unit in self.battle.units.values() if unit.living)
        return {unit.id for unit in others if self.battle.allegiance(unit) not in ("", self.orders.side)}

    def say(self, problem: Problem, path: Path) -> None:
        """Note a problem or a doubt at its line."""
        if self.reports:
            self.found.append(problem.at(*path))

    def doubt(self, path: Path, code: str, rule: str = "", help: str = "", **args: str | int) -> None:
        """Note that an order may come to nothing."""
        self.say(Problem(f"doubt.{code}", args, rule=rule, help=help), path)

    # --- items

    def items(self, items: Sequence[Item]) -> None:
        """Judge some items in the order of their lines."""
        for item in items:
            if isinstance(item, Line):
                self.reach(item)
                self.line(item)
                fright.come_round(self.rules, self.outlook)
            elif isinstance(item, When):
                self.when(item)

    def reach(self, item: Line | When, taken: bool | None = None) -> None:
        """Note how things stand when an item is reached."""
        if self.reports:
            self.steps.append(Step(item, self.battle, self.depth, self.branch, taken))
        self.branch = ""

    def when(self, item: When) -> None:
        """Judge the branch that will be taken, or both where dice decide."""
        if self.decided(item.condition):
            value, _ = conditions.holds(self.rules, self.battle, item.condition)
            self.reach(item, value)
            self.inside(item.then if value else item.otherwise, "then" if value else "otherwise")
            return
        self.reach(item)
        before = self.outlook
        self.outlook = before.copy()
        if self.assume(item.condition):
            self.inside(item.then, "then")
        self.asserted = set()
        then, self.outlook = self.outlook, before
        self.inside(item.otherwise, "otherwise")
        self.outlook.join(then)

    def inside(self, items: Sequence[Item], branch: str) -> None:
        """Judge a branch."""
        self.depth += 1
        self.branch = branch
        self.items(items)
        self.branch = ""
        self.depth -= 1

    def decided(self, condition: Condition) -> bool:
        """Tell whether the dice cannot change what a condition says."""
        if self.outlook.certain and not self.mates:
            return True
        for part in condition.parts:
            kind = part[1].removeprefix("not ")
            plain = kind == "turn" or (kind in ("is", "at") and self.outlook.sure_of(part[0]) and part[0] not in self.mates)
            if not plain:
                return False
        return True

    def assume(self, condition: Condition) -> bool:
        """Use, in a branch, what its condition says: a figure that is wounded is not dead, and who can attack may attack.

        Returns False if the condition cannot come true.
        """
        for subject, test, object_ in condition.parts:
            said = set(object_.split(" or "))
            if test == "is" and said <= set(LIVING):
                self.outlook.known[subject] = tuple(state for state in self.outlook.states(subject) if state in said)
            elif test == "not is" and "dead" in said:
                self.outlook.known[subject] = tuple(state for state in self.outlook.states(subject) if state not in said)
            elif test == "can-attack":
                self.asserted.add((subject, object_))
        return all(self.outlook.known.values())

    def line(self, line: Line) -> None:
        """Judge one order, and see what follows from it; kinds whose rules are not in force were refused when they were read."""
        match line.order:
            case Shoot() | FireEngine():
                self.shoot(line.order, line.path)
            case Move():
                self.move(line.order, line.path)
            case MoveBy():
                self.move_by(line.order, line.path)
            case Attack():
                self.attack(line.order, line.path)
            case Place() | Ride():
                kind = "ride" if isinstance(line.order, Ride) else "place"
                if not self.refuse(self.battle, kind, line.order, line.path):
                    self.outlook.become(self.battle, apply(self.battle, setup.placed(self.rules, self.battle, line.order)), sure=True)
            case Prepare():
                if not self.refuse(self.battle, "prepare", line.order, line.path):
                    for event in works.done(line.order):
                        self.outlook.battle = apply(self.outlook.battle, event)
            case Act() if line.order.do in campaign.CHECKS:
                if not self.refuse(self.battle, "act", line.order, line.path):
                    self.outlook.battle = campaign.after(self.rules, self.battle, self.seat, line.order)
            case Act():
                self.act(line.order, line.path)
            case Skill():
                self.refuse(self.battle, "skill", line.order, line.path)

    def why_not(self, battle: Battle, kind: str, order: Order) -> Problem | None:
        """Return the first thing that is wrong with an order in one world."""
        return next(conditions.problems(self.rules, battle, kind, self.seat, order), None)

    def refuse(self, battle: Battle, kind: str, order: Order, path: Path) -> bool:
        """Note everything that is wrong with an order; tell whether anything is."""
        found = list(conditions.problems(self.rules, battle, kind, self.seat, order))
        for problem in found:
            self.say(problem, path)
        return bool(found)

    # --- shooting

    def shoot(self, order: Shoot | FireEngine, path: Path) -> None:
        """Judge a shot: it is fine if one of its targets can be shot at whatever happens."""
        hit: set[str] = set()
        first: Problem | None = None
        sure = False
        for target in order.at:
            for aim in self.aims(order.who, target):
                sure = self.shot_sure(order, aim)
                if sure or self.shot_possible(order, aim):
                    hit.add(self.stands_in(order.who, aim))
                if sure:
                    break
            if sure:
                break
            if first is None:
                first = self.why_not(self.battle, _sort(order), replace(order, at=(target,)))
        if not hit:
            keep = [self.stands_in(order.who, target) for target in order.at]
            self.refuse(next(self.outlook.best(order.who, keep)), _sort(order), order, path)
            return
        if not sure:
            self.doubt_shot(order, path, first)
        self.outlook.did(order.who, "shot", sure)
        if isinstance(order, FireEngine):
            self.emptied(order.engine)
        elif order.fire:
            self.set_alight([hex_ for target in hit for hex_ in self.hexes_of(target)])
        meant = {unit for target in hit for unit in self.battle.living_in.get(target, (target,)) if unit in self.battle.units}
        hit = self.with_horses(meant | self.in_danger(order.who, meant))
        self.outlook.hurt |= hit
        for target in hit:
            self.outlook.known.pop(target, None)
        fright.frighten(self.rules, self.outlook, self.foes())

    def emptied(self, engine: str) -> None:
        """Let an engine have shot, so that it is not loaded any more."""
        empty = replace(self.battle.things[engine], loaded=0, struck=str(self.battle.at))
        self.outlook.battle = self.battle.changed(things={**self.battle.things, engine: empty})

    def hexes_of(self, target: str) -> tuple[str, ...]:
        """Return the hexes of what fire arrows are shot at: of a thing all, of a figure none."""
        places = self.battle.things[target].at if target in self.battle.things else (target,) if target[0].isdigit() else ()
        return tuple(map(hex_of, places))

    def set_alight(self, hexes: Iterable[str]) -> None:
        """Reckon with fire in some hexes: who is in it may be hurt, and has to leave."""
        inside = {id_ for hex_ in hexes for id_ in burning.caught(self.battle, hex_)}
        self.outlook.hurt |= inside
        self.outlook.adrift |= inside

    def in_danger(self, shooter: str, targets: Iterable[str]) -> set[str]:
        """Return the shooter's own figures that a shot may hit if it misses (option)."""
        if not misfire.ban_is_lifted(self.rules):
            return set()
        hexes = {hex_ for target in targets for hex_ in self.battle.units[target].hexes}
        who = self.battle.units[shooter]
        near = {friend for hex_ in hexes for friend in misfire.beside(self.rules, self.battle, who, hex_)}
        return near | ({*self.outlook.adrift, *self.outlook.places} & self.own())

    def own(self) -> set[str]:
        """Return the living figures of the own side."""
        return {unit.id for unit in self.battle.units.values() if unit.side == self.orders.side and unit.living}

    def with_horses(self, units: Iterable[str]) -> set[str]:
        """Return figures with the horses they ride and the riders of those that are horses: what befalls one may part them."""
        found = set(units)
        return found | {self.battle.units[id_].on or self.battle.rider_of.get(id_, id_) for id_ in found}

    def aims(self, shooter: str, target: str) -> list[str]:
        """Return whom a target may mean: ``nearest`` any enemy, in the order in which they are tried; the first sure one ends it."""
        if target != NEAREST:
            return [target]
        here = [hex_of(place) for place in " ".join(self.outlook.where(shooter)[:1]).split()]
        foes = (self.battle.units[foe] for foe in self.foes())
        places = {foe.id: foe.hexes for foe in foes if not beasts.is_animal(foe)}
        far = {foe: min(distance(one, other) for one in here for other in there) for foe, there in places.items() if here and there}
        return sorted(far, key=lambda foe: (far[foe], foe))

    def stands_in(self, shooter: str, target: str) -> str:
        """Return the figure of two hexes that stands in a hex named as a target; other names as they are."""
        found = shooting.at_hex(self.battle, self.battle.units[shooter], target) if target[0].isdigit() else None
        return found.id if found else target

    def shot_possible(self, order: Shoot | FireEngine, target: str) -> bool:
        """Tell whether a target can be shot at in the best of worlds."""
        aimed = replace(order, at=(target,)) if order.at != (target,) else order
        if order.who in self.outlook.adrift:
            problem = self.why_not(self.battle, _sort(order), aimed)
            return problem is None or problem.code in BY_PLACE
        if self.outlook.sure_of(order.who) and self.why_not(self.outlook.worst(), _sort(order), aimed) is None:
            return True
        worlds: Iterable[Battle] = () if self.outlook.certain else self.outlook.best(order.who, (self.stands_in(order.who, target),))
        return any(self.why_not(world, _sort(order), aimed) is None for world in worlds)

    def shot_sure(self, order: Shoot | FireEngine, target: str) -> bool:
        """Tell whether a target can be shot at even in the worst of worlds."""
        outlook = self.outlook
        who = self.stands_in(order.who, target)
        if not outlook.sure_of(order.who) or (who in outlook.hurt and who not in outlook.known):
            return False
        return self.why_not(outlook.worst(), _sort(order), replace(order, at=(target,))) is None

    def doubt_shot(self, order: Shoot | FireEngine, path: Path, first: Problem | None) -> None:
        """Say why a shot may not be loosed."""
        if order.who in self.outlook.adrift:
            self.doubt(path, "adrift", unit=order.who)
        elif not self.outlook.sure_of(order.who):
            self.doubt(path, "elsewhere", unit=order.who, places=" or ".join(self.outlook.where(order.who)))
        elif first is not None:
            self.doubt(path, "way", first.rule, unit=order.who, target=order.at[0])
        else:
            self.doubt(path, "fallen", "S1.41a", "name a second target, or add: or nearest", unit=order.who, target=", ".join(order.at))

    # --- movement

    def move(self, order: Move, path: Path) -> None:
        """Judge a move: to the first of its places that can be reached."""
        begun = self.outlook.where(order.who)
        possible: list[str] = []
        sure = False
        for place in order.to:
            single = replace(order, to=(place,)) if len(order.to) > 1 else order
            sure = self.move_sure(single)
            if sure or self.move_possible(single):
                possible += self.ends(single)
            if sure:
                break
        if not possible:
            self.refuse(next(self.outlook.best(order.who)), "move", order, path)
            return
        if not sure:
            self.doubt_move(order, path, possible[0])
        load = self.load(order)
        self.outlook.did(order.who, "moved", sure)
        self.outlook.place(order.who, possible if sure else (*possible, *begun))
        self.bring(order.who, load)

    def ends(self, order: Move | MoveBy, on_the_way: bool = False) -> list[str]:
        """Return how a figure may stand at the end of a move, or anywhere on its way; of two hexes that depends on what it meets."""
        unit = self.battle.units[order.who]
        if not riding.two_hexes(unit):
            places = [*order.to] if isinstance(order, Move) else [*reversed(order.path)]
            return places if on_the_way else places[:1]
        found: dict[str, None] = {}
        for world in (self.battle, self.outlook.worst(), *self.outlook.best(order.who)):
            walk = movement.plan(self.rules, world, order) if len(world.units[order.who].at) == 2 else None
            if isinstance(walk, step.Walk):
                stands = [" ".join(pair) for pair in zip(walk.places, walk.tails, strict=True)]
                found.update(dict.fromkeys(reversed(stands) if on_the_way else stands[-1:]))
        return list(found)

    def move_by(self, order: MoveBy, path: Path) -> None:
        """Judge a move by a way: it goes as far as it can."""
        begun = self.outlook.where(order.who)
        sure = self.move_sure(order)
        if not sure and not self.move_possible(order):
            self.refuse(next(self.outlook.best(order.who)), "move", order, path)
            self.outlook.place(order.who, (*begun, *self.ends(order, on_the_way=True)))  # it would go as far as it can
            self.outlook.did(order.who, "moved", sure=False)
            return
        if not sure:
            self.doubt_move(order, path, order.path[-1])
        load = self.load(order)
        self.outlook.did(order.who, "moved", sure)
        self.outlook.place(order.who, self.ends(order) if sure else (*self.ends(order, on_the_way=True), *begun))
        self.bring(order.who, load)

    def load(self, order: Move | MoveBy) -> ThingMoved | None:
        """Return what of a figure's would go along with its move, and how it would stand then."""
        walk = movement.plan(self.rules, self.battle, order) if self.battle.things else None
        return bearing.goes_along(self.battle, order, walk) if isinstance(walk, step.Walk) else None

    def bring(self, unit: str, load: ThingMoved | None) -> None:
        """Let a figure's load be where the figure is now."""
        if load is not None:
            self.outlook.battle = apply(self.battle, replace(load, at=self.battle.units[unit].at))

    def move_sure(self, order: Move | MoveBy) -> bool:
        """Tell whether a move is legal even in the worst of worlds."""
        return self.outlook.sure_of(order.who) and self.why_not(self.outlook.worst(), "move", order) is None

    def move_possible(self, order: Move | MoveBy) -> bool:
        """Tell whether a move is legal in the best of worlds."""
        if self.outlook.certain:
            return False
        return any(self.why_not(world, "move", order) is None for world in self.outlook.best(order.who))

    def doubt_move(self, order: Move | MoveBy, path: Path, place: str) -> None:
        """Say why a move may not get where it should."""
        problem = self.why_not(self.outlook.worst(), "move", order)
        rule = problem.rule if problem else ""
        place = place.partition(" ")[0]
        holder = self.battle.standing_at.get(place, "")
        if problem and problem.code == "sequence.has-shot":
            self.doubt(path, "has-shot", rule, unit=order.who)
        elif holder:
            self.doubt(path, "held", rule, unit=order.who, place=place, holder=holder)
        else:
            self.doubt(path, "barred", rule, unit=order.who, place=place)

    # --- melee

    def attack(self, order: Attack, path: Path) -> None:
        """Judge an attack; whoever takes part may be hurt by it, and may be moved."""
        parties = (*order.who, *order.at)
        sure = self.pledged(order)
        if not sure:
            problems = [self.why_not(world, "attack", order) for world in self.attack_worlds(order)]
            adrift = any(unit in self.outlook.adrift for unit in parties)
            illegal = [problem for problem in problems if problem is not None and not (adrift and problem.code in BY_PLACE)]
            if len(illegal) == len(problems):
                self.say(illegal[0], path)
                if len(parties) > 2:
                    self.clash(order, sure=False)  # those who can would go on with it
                return
            sure = not self.doubt_attack(order, path)
            if sure and illegal:
                sure = False
                self.doubt(path, "weak", illegal[0].rule, units=", ".join(order.who), targets=", ".join(order.at))
        self.clash(order, sure)

    def clash(self, order: Attack, sure: bool) -> None:
        """Let a combat be fought: whoever takes part may be hurt, give way or go forward."""
        parties = self.with_horses((*order.who, *order.at))
        for unit in order.who:
            self.outlook.did(unit, "fought", sure)
        for unit in parties:
            self.outlook.known.pop(unit, None)
        self.outlook.hurt |= parties
        self.outlook.adrift |= parties
        fright.frighten(self.rules, self.outlook, self.foes() | self.own())

    def pledged(self, order: Attack) -> bool:
        """Tell whether the condition of this branch has just said that the attack is possible."""
        pledged = len(order.who) == len(order.at) == 1 and not order.least and (order.who[0], order.at[0]) in self.asserted
        self.asserted = set()
        return pledged

    def attack_worlds(self, order: Attack) -> Iterator[Battle]:
        """Yield worlds for an attack: everybody wherever he may be, the defenders in every state in which they may live."""
        ways = [self.outlook.where(unit) or ("",) for unit in order.who]
        states = [self.outlook.states(unit) for unit in order.at]
        for places in islice(product(*ways), MOST_WORLDS):
            who = [
                replace(self.battle.units[unit], at=tuple(place.split()), did=self.outlook.surely_did(unit))
                for unit, place in zip(order.who, places, strict=True)
            ]
            for found in islice(product(*states), MOST_WORLDS):
                at = [_hurt(self.battle.units[unit], state) for unit, state in zip(order.at, found, strict=True)]
                yield self.battle.with_units(*who, *at)

    def doubt_attack(self, order: Attack, path: Path) -> bool:
        """Say why an attack may not be made; tell whether there is a reason."""
        outlook = self.outlook
        for unit in order.who:
            if unit in self.mates:
                self.doubt(path, "mate", "S1.2c", unit=unit, seat=self.battle.units[unit].owner)
                return True
            if unit in outlook.adrift:
                self.doubt(path, "adrift", "S1.7a", unit=unit)
                return True
            if unit in outlook.places:
                self.doubt(path, "elsewhere", "S1.7a", unit=unit, places=" or ".join(outlook.where(unit)))
                return True
        for target in order.at:
            if target in outlook.adrift:
                self.doubt(path, "gives-way", "S1.7a", unit=order.who[0], target=target)
                return True
            if target in outlook.hurt and target not in outlook.known:
                self.doubt(path, "fallen", "S1.7a", unit=order.who[0], target=target)
                return True
        return False

    # --- the rest

    def crew(self, engine: str) -> tuple[str, ...]:
        """Return who is named by an order as that which it works with: a figure, or those in the hexes of a thing."""
        if engine in self.battle.units:
            return (engine,)
        at = self.battle.things[engine].at if engine in self.battle.things else ()
        return tuple(id_ for hex_ in at for id_ in self.battle.living_in.get(hex_of(hex_), ()))

    def act(self, order: Act, path: Path) -> None:
        """Judge a deed: what belongs to no phase, entering and leaving the map, leading, work for a whole turn."""
        if order.do == "accept-draw" and (problem := carry.no_offer(self.battle, self.seat)):
            self.say(problem, path)
        if order.do == "stay":
            self.refuse(self.battle, "act", order, path)
        if order.do in carry.PLAIN:
            return
        who, parties = (order.who or self.crew(order.what) or ("",))[0], (*order.who, *self.crew(order.what), *order.animals)
        worlds = list(self.outlook.best(who, parties))
        open_ = [world for world in worlds if self.why_not(world, "act", order) is None]
        if not open_:
            self.refuse(worlds[0], "act", order, path)
            return
        known = all(self.outlook.sure_of(party) for party in parties)
        if order.do == "pour":
            hit, driven = oil.in_danger(self.battle, order)
            self.outlook.hurt |= self.with_horses({*hit, *driven})
            self.outlook.adrift |= driven
        if order.do == "topple":
            falling, struck = toppling.in_danger(self.battle, order)
            self.outlook.hurt |= self.with_horses(struck)
            self.outlook.adrift |= falling
        sure = known and order.what not in self.shaken and self.why_not(self.outlook.worst(), "act", order) is None
        if order.do == "topple":
            self.shaken.add(order.what)
        if not sure:
            places = (*order.to, *order.by)
            if places and order.do != "topple":
                self.doubt(path, "barred", unit=who, place=places[0])
            else:
                self.doubt(path, "deed", unit=who, order=grammar.say(order))
        world = self.battle if sure else open_[0]
        self.outlook.become(world, deeds.after(self.rules, world, order), sure)
        for unit in order.who if order.do in deeds.ROLLS else ():
            self.outlook.did(unit, MARKS.get(order.do, order.do), sure)
        if order.do == "strike":
            self.outlook.hurt |= {id_ for hex_ in order.to for id_ in self.battle.living_in.get(hex_, ())}
            if battering.may_fall(self.rules, self.battle, order.to[0]):
                self.outlook.adrift |= {*self.battle.living_in.get(order.to[0], ())}  # in rubble others reach him, and he them
        if order.do == "light":
            self.set_alight(map(hex_of, order.to))


def _sort(order: Shoot | FireEngine) -> str:
    """Return the sort of checks that are asked about a shot."""
    return "fire" if isinstance(order, FireEngine) else "shoot"


def _hurt(unit: Unit, state: str) -> Unit:
    """Return a figure in a state that a blow may have put it in: who is stunned was thrown from his horse."""
    hurt = replace(unit, state=state)
    return replace(hurt, on="", at=unit.at[:1]) if unit.on and state == STUNNED else hurt
