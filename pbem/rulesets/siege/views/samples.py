"""One line for each section of a player turn, to show somebody who has never ordered anything how that looks:
sensible ones, and legal.

They are of different figures and stand in one file together: somebody shoots, one goes where the points are,
one goes up to an enemy and fights him at the best odds there are. What is legal is asked of the same checks
and of the same judge as any file; a line that leaves a doubt is not taken, and where no attack is certain its
conditional form is. Only the figures nearest to the enemy are looked at.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any, Final

from pbem.core.briefing import Said, Sample, as_file
from pbem.core.ruleset import Ruleset
from pbem.geometry import pair
from pbem.geometry.hex import around, distance, hex_of
from pbem.rulesets.siege.combat import aiming, chances, may_attack, melee_odds
from pbem.rulesets.siege.deeds import reading
from pbem.rulesets.siege.ground.character import dangerous, person
from pbem.rulesets.siege.judge import judge, legal
from pbem.rulesets.siege.march import movement, riding, step
from pbem.rulesets.siege.orders import grammar
from pbem.rulesets.siege.scenario import campaign, placing, setup
from pbem.rulesets.siege.state import family
from pbem.rulesets.siege.state.deed import deeds
from pbem.rulesets.siege.state.orders import HEADINGS, Act, Attack, Move, Order, Place, Prepare, Shoot, Skill
from pbem.rulesets.siege.state.state import Battle, Unit
from pbem.rulesets.siege.things import names, works
from pbem.rulesets.siege.turn import sequence, siege_days, skill
from pbem.rulesets.siege.views import aim, rollcall

Rules = Ruleset[Battle]
Lines = tuple[Sample, ...]

LOOKED_AT: Final = 8
"""So many figures are looked at for each line."""
TRIED: Final = 4
"""So many lines are tried for one place of the file, the best first."""
DEEDS: Final = 2
"""So many lines show what is done with ladders, engines, horses and the like."""
HANDLING: Final = ("raise", "carry", "climb", "lead", "pick-up", "mount", "take", "work", "hitch")
"""Deeds of the movement phase that are worth showing, in this order."""
MOST_DEEDS: Final = 60
"""So many deeds of one sort are looked at for one figure."""
WHOLE: Final = 16
"""Of so many a setup places everybody: somebody who never played may send it as it is."""
PLACED: Final = 3
"""So many are placed where there are more."""
STANDING: Final[Mapping[str, Any]] = {"everyone": {"retreat": "away", "advance": "if-safe"}}


def samples(rules: Rules, battle: Battle, seat: str) -> Lines:
    """Return some lines that a seat could send now, all of them as one file; nothing where it has nothing to
    order.
    """
    if seat not in sequence.seats_to_order(rules, battle):
        return ()
    book = _Book(rules, battle, seat)
    if battle.at.phase == "setup":
        book.setup()
    elif battle.at.phase == siege_days.DAY.id:
        book.day()
    else:
        book.turn()
    return in_order(book.lines)


def in_order(lines: Sequence[Sample]) -> Lines:
    """Return lines in the order in which their sections stand in a file."""
    headings = [*HEADINGS, "standing"]
    places = sorted(range(len(lines)), key=lambda place: (headings.index(lines[place].heading), place))
    return tuple(
        replace(lines[place], needs=tuple(places.index(need) for need in lines[place].needs))
        for place in places
    )


class _Book:
    """The lines of one file as they are chosen; each only if the file stands with it, without a doubt."""

    def __init__(self, rules: Rules, battle: Battle, seat: str) -> None:
        self.rules = rules
        self.phases = family.phases(rules)
        self.battle = battle
        self.seat = seat
        self.side = battle.side_of_seat[seat]
        self.lines: list[Sample] = []
        self.busy: set[str] = set()
        self.aimed: set[str] = set()
        """Enemies that somebody shoots or strikes at already."""
        self.held: set[str] = set()
        """Hexes that somebody goes to."""
        self.able = [
            unit
            for _, unit in sorted(battle.units.items())
            if unit.owner == seat and unit.able and fights(battle, unit)
        ]

    # --- the file

    def add(self, *more: Sample) -> bool:
        """Take some lines that belong together, if the file stands with them; tell whether it does."""
        if not self.stands((*self.lines, *more)):
            return False
        self.lines += more
        return True

    def stands(self, lines: Sequence[Sample]) -> bool:
        """Tell whether lines are a file that nothing speaks against."""
        orders, problems = reading.read_orders(self.rules, self.battle, self.seat, as_file(lines))
        return (
            not problems and orders is not None and not judge.check(self.rules, self.battle, orders).problems
        )

    def order(self, heading: str, order: Order, key: str, *needs: int, **args: Any) -> Sample:
        """Return an order as a line, with what it does."""
        who = [
            person(self.battle, self.battle.units[id_]).name
            for id_ in names.who(order)
            if id_ in self.battle.units
        ]
        return Sample(
            heading, grammar.say(self.rules, order), Said(key, {"who": who, "count": len(who), **args}), needs
        )

    def name(self, id_: str) -> str:
        """Return the name of a figure."""
        return person(self.battle, self.battle.units[id_]).name

    def near(self, units: Iterable[Unit]) -> list[Unit]:
        """Return figures, those nearest to an enemy first."""
        battle = self.battle
        living = [unit for unit in battle.units.values() if unit.living]
        foes = [
            hex_ for unit in living if battle.allegiance(unit) not in ("", self.side) for hex_ in unit.hexes
        ]
        far = {unit.id: apart(unit.at[0], foes) for unit in units}
        return sorted(
            (unit for unit in self.able if unit.id in far), key=lambda unit: (far[unit.id], unit.id)
        )

    def free(self) -> list[Unit]:
        """Return who has no line yet."""
        return [unit for unit in self.able if unit.id not in self.busy]

    # --- a player turn

    def turn(self) -> None:
        """Choose the lines of a player turn, from the open phase on."""
        first = self.rules.sequence.position(self.battle.at.phase)
        open_ = {phase.id for phase in self.rules.sequence.phases[first:]}
        moves = self.phases.moves in open_
        shots = [phase for phase in self.phases.shoots if phase in open_]
        later = [
            phase
            for phase in shots
            if self.rules.sequence.position(phase) > self.rules.sequence.position(self.phases.moves)
        ]
        for phase in shots:
            if phase not in later:
                self.shot(phase)
        blow = self.blow(moves=moves)
        if moves:
            if blow is not None:
                self.busy.add(blow.unit.id)
                self.aimed.add(blow.foe)
                self.held.update(blow.at)
            self.march()
        self.fight(blow)
        for phase in later:
            self.shot(phase)
        self.add(Sample("standing", STANDING, Said("sample.standing")))
        if moves:
            # last, for it takes the judge longest, and every further line would have him look at it again
            self.handle()

    def shot(self, phase: str) -> None:
        """Choose a shot: of the shooters nearest to the enemy the one with the best chances."""
        now = self.battle.changed(at=replace(self.battle.at, phase=phase))
        found = []
        for unit in islice(
            (
                one
                for one in self.near(self.free())
                if sequence.may_shoot(self.rules, now, one, phase) is None
            ),
            LOOKED_AT,
        ):
            for foe in rollcall.targets(self.rules, now, unit):
                aimed = aiming.aim(self.rules, now, unit, self.battle.units[foe])
                if foe not in self.aimed and isinstance(aimed, aiming.Aim):
                    worth = chances.worth(
                        chances.of_shot(self.rules, now, unit, self.battle.units[foe], aimed)
                    )
                    found.append((tuple(-count for count in worth), unit.id, foe))
        for _, who, foe in sorted(found)[:TRIED]:
            if self.add(
                self.order(
                    self.rules.sequence.phase(phase).heading,
                    Shoot(who, (foe,)),
                    "sample.shoots",
                    target=self.name(foe),
                )
            ):
                self.busy.add(who)
                self.aimed.add(foe)
                return

    def march(self) -> None:
        """Choose a move toward where the points are, else toward the enemy, else anywhere; else somebody
        comes onto the map.
        """
        goals = self.goals()
        walkers = [
            unit
            for unit in self.near(self.free())
            if movement.time_to_move(self.rules, self.battle, unit) is None
        ]
        walkers = sorted(walkers, key=lambda unit: bool(person(self.battle, unit).missile))[:LOOKED_AT]
        ways = [*((unit, goals) for unit in walkers if goals), *((unit, ()) for unit in walkers)]
        ends = (self.toward(unit, wanted) for unit, wanted in ways)
        for order in islice((end for end in ends if end is not None), TRIED):
            if self.go(order):
                return
        self.enter(goals)
        for order in islice(
            (order for unit in walkers if not self.lines_of("move") for order in self.anywhere(unit)), TRIED
        ):
            if self.go(order):
                return

    def toward(self, unit: Unit, goals: Sequence[str]) -> Move | None:
        """Return the move of somebody that takes him nearest to some hexes, without any to the enemy."""
        found = rollcall.toward(
            self.rules, self.battle, unit, step.points(self.rules, self.battle, unit), goals
        )
        return Move(unit.id, found[:1], found[1]) if found is not None and found[0] not in self.held else None

    def anywhere(self, unit: Unit) -> Iterator[Move]:
        """Yield the moves of somebody."""
        then = self.battle.changed(at=replace(self.battle.at, phase=self.phases.moves))
        return (order for order in legal.of(self.rules, then, self.seat, unit.id) if isinstance(order, Move))

    def go(self, order: Move) -> bool:
        """Take a move, if the file stands with it."""
        if not self.add(self.order("move", order, "sample.goes", hex=order.to[0])):
            return False
        self.busy.add(order.who)
        self.held.add(order.to[0])
        return True

    def lines_of(self, heading: str) -> list[Sample]:
        """Return the lines of a section."""
        return [line for line in self.lines if line.heading == heading]

    def enter(self, goals: Sequence[str]) -> None:
        """Choose who comes onto the map, and where."""
        waiting = [
            unit
            for _, unit in sorted(self.battle.units.items())
            if unit.owner == self.seat and not unit.at and not unit.left
        ]
        for unit in islice(
            (one for one in waiting if movement.ways_in(self.battle, one) and one.kind == "man"), LOOKED_AT
        ):
            for way in sorted(movement.ways_in(self.battle, unit), key=lambda way: (apart(way, goals), way))[
                :TRIED
            ]:
                if self.add(
                    self.order("move", Act("enter", (unit.id,), by=(way,)), "sample.enters", hex=way)
                ):
                    self.busy.add(unit.id)
                    return

    def goals(self) -> tuple[str, ...]:
        """Return the hexes of what the side plays for on the map, or by which it has to leave it; without any
        the enemy is gone for.
        """
        field = self.battle.field
        regions = [region for region in aim.regions(field) if self.side in region.sides]
        off = any(
            term.side in (self.side, "any") and term.kind in ("led-off", "left-the-map")
            for term in field.at_end
        )
        marks = (
            [field.marks[field.side(self.side).leaves]]
            if off and not regions and field.side(self.side).leaves
            else []
        )
        return tuple(
            dict.fromkeys(hex_ for cells in (*(region.cells for region in regions), *marks) for hex_ in cells)
        )

    def handle(self) -> None:
        """Choose what is done with ladders, engines, horses and the like: of each kind of deed one, by who
        stands at something.
        """
        goals, done = self.goals(), set[str]()
        for order in self._deeds(goals):
            if len(done) >= DEEDS:
                return
            if order.do not in done and not self.busy & set(order.who):
                args = {
                    "thing": order.what or ", ".join(order.animals),
                    "hex": " ".join(order.to),
                    "steps": order.steps,
                }
                if self.add(self.order("move", order, f"sample.{order.do}", **args)):
                    self.busy |= set(order.who)
                    self.held |= set(order.to)
                    done.add(order.do)

    def _deeds(self, goals: Sequence[str]) -> Iterator[Act]:
        """Yield deeds of the movement phase with what is at hand: those of each figure, each kind as near to
        the goals as it leads.
        """
        then = self.battle.changed(at=replace(self.battle.at, phase=self.phases.moves))
        things = {hex_of(place) for thing in then.things.values() for place in thing.at}
        things |= {fixture.winch for fixture in then.field.fixtures.values()}
        things |= {
            hex_ for unit in then.units.values() if unit.living and unit.kind != "man" for hex_ in unit.hexes
        }
        for thing in sorted(then.things.values(), key=lambda thing: thing.id):
            forward = (order for order, _ in legal.of_thing(self.rules, then, self.seat, thing.id))
            yield from islice(
                (order for order in forward if isinstance(order, Act) and order.do == "advance-engine"), 1
            )
        at_hand = [
            unit
            for unit in self.near(self.free())
            if things & set(around(unit.hexes)) or things & set(unit.hexes)
        ]
        for unit in at_hand[:LOOKED_AT]:
            best: dict[str, tuple[int, str, Act]] = {}
            for deed in (deed for deed in deeds(self.rules).values() if deed.at_hand):
                for order, _ in islice(legal.of_deed(self.rules, then, unit, deed), MOST_DEEDS):
                    if isinstance(order, Act) and order.do in HANDLING:
                        rank = (
                            apart(order.to[0], goals) if order.to else 0,
                            grammar.say(self.rules, order),
                            order,
                        )
                        best[order.do] = min(best.get(order.do, rank), rank, key=lambda one: one[:2])
            yield from (best[do][2] for do in HANDLING if do in best)

    # --- fights

    def blow(self, *, moves: bool) -> _Blow | None:
        """Return the attack at the best odds of somebody who stands next to an enemy, or could go there; None
        where there is none.
        """
        then = self.battle.changed(at=replace(self.battle.at, phase=self.phases.fights))
        found: list[tuple[int, int, str, str, _Blow]] = []
        for unit in self.near(self.free())[:LOOKED_AT]:
            for order, at, cost in self._ends(unit, moves=moves):
                there = then.with_units(replace(unit, at=at)) if at != unit.at else then
                one = there.units[unit.id]
                for foe in there.living_among(around(one.hexes)):
                    target = there.units[foe]
                    if foe in self.aimed or not dangerous(there, one, target):
                        continue
                    if may_attack.why_not(self.rules, there, [one], [target]) is None:
                        of = melee_odds.combat(self.rules, there, [one], [target])
                        found.append(
                            (-of.tally.total, cost, unit.id, foe, _Blow(unit, foe, order, at, of.heading))
                        )
        return min(found, key=lambda entry: entry[:4])[4] if found else None

    def _ends(self, unit: Unit, *, moves: bool) -> Iterator[tuple[Move | None, tuple[str, ...], int]]:
        """Yield where somebody could stand in the fight: where he is, and in the hexes next to an enemy that
        he could go to.
        """
        yield None, unit.at, 0
        if (
            not moves
            or movement.time_to_move(self.rules, self.battle, unit)
            or person(self.battle, unit).missile
        ):
            return
        points = step.points(self.rules, self.battle, unit)
        foes = {hex_ for foe in rollcall.foes(self.battle, unit) for hex_ in foe.hexes}
        if not foes or apart(unit.at[0], sorted(foes)) > points + 1:
            return
        beside = set(around(sorted(foes)))
        if riding.two_hexes(unit):
            for figure, (cost, _) in riding.reach(self.rules, self.battle, unit, points).items():
                head, _, facing = figure.partition(" ")
                if head in beside and cost:
                    yield Move(unit.id, (head,), facing), pair.hexes(figure), cost
            return
        for place, (cost, _) in movement.reach(self.rules, self.battle, unit, points).items():
            if hex_of(place) in beside and cost:
                yield Move(unit.id, (place,)), (place,), cost

    def fight(self, blow: _Blow | None) -> None:
        """Choose a fight: the attack that was found, else one that is made only if somebody can make it by
        then.
        """
        if blow is not None:
            attack = Attack((blow.unit.id,), (blow.foe,))
            said = {"target": self.name(blow.foe), "column": blow.column}
            if blow.move is None and self.add(self.order("fight", attack, "sample.fights", **said)):
                return
            if blow.move is not None:
                move = self.order("move", blow.move, "sample.goes", hex=blow.move.to[0])
                if self.add(
                    move, self.order("fight", attack, "sample.fights-after", len(self.lines), **said)
                ):
                    return
        for unit in sorted(self.near(self.able), key=lambda unit: bool(person(self.battle, unit).missile))[
            :TRIED
        ]:
            for foe in rollcall.foes(self.battle, unit)[:2]:
                if self.add(self.perhaps(unit.id, foe.id)):
                    return

    def perhaps(self, who: str, foe: str) -> Sample:
        """Return an attack that is made only if it is possible when its line is reached."""
        attack = grammar.say(self.rules, Attack((who,), (foe,)))
        entry = {"when": f"{who} can attack {foe}", "then": [attack]}
        return Sample(
            "fight", entry, Said("sample.fights-if", {"who": [self.name(who)], "target": self.name(foe)})
        )

    # --- setup, and the plan of a day

    def setup(self) -> None:
        """Choose some placings: men in front, a shooter behind, a thing, and what else the step is for."""
        if "place" in setup.step_of(self.battle).may:
            mine = [
                force
                for force in setup.waiting(self.battle)
                if self.battle.units[force.id].owner == self.seat
            ]
            sorts: dict[tuple[str, bool], list[str]] = {}
            for force in mine:
                unit = self.battle.units[force.id]
                sorts.setdefault((unit.kind, bool(person(self.battle, unit).missile)), []).append(force.id)
            chosen = [ids[0] for ids in sorts.values()] + [ids[1] for ids in sorts.values() if len(ids) > 1]
            everybody = list(dict.fromkeys((*chosen, *(force.id for force in mine))))
            for id_ in everybody if len(mine) <= WHOLE else chosen[:PLACED]:
                self.post(self.battle.units[id_])
            for entry in placing.waiting(self.battle)[:1]:
                if entry.thing.side == self.side:
                    self.stow(entry.thing.id)
        for work in islice(works.listed(self.rules, self.battle, self.seat), 1):
            self.add(self.prepared(work))
        self.skills()

    def post(self, unit: Unit) -> None:
        """Choose where a figure is placed: nearest to the enemy's men, or to what is played for; a shooter
        not in the first row.
        """
        force = setup.force_of(self.battle, unit)
        goals = [
            hex_
            for foe in self.battle.units.values()
            if foe.living and foe.side != self.side
            for hex_ in foe.hexes
        ] or self.goals()
        region = [hex_ for hex_ in setup.region(self.battle, force) if hex_ not in self.held]
        region.sort(key=lambda hex_: (apart(hex_, goals), hex_))
        back = len(region) // 2 if person(self.battle, unit).missile else 0
        facings = ("n", "s") if riding.two_hexes(unit) else ("",)
        orders = (
            Place(unit.id, (hex_,), facing) for hex_ in (*region[back:], *region[:back]) for facing in facings
        )
        legal_ = (
            order for order in orders if setup.why_not(self.rules, self.battle, self.seat, order) is None
        )
        for order in islice(legal_, TRIED):
            at = setup.stands(self.battle, order)
            if not self.held & set(at) and self.add(
                self.order("setup", order, "sample.placed", hex=" ".join(order.at))
            ):
                self.held |= set(at)
                return

    def stow(self, thing: str) -> None:
        """Choose where a thing is placed."""
        for order in islice(placing.orders(self.rules, self.battle, self.seat, thing), TRIED):
            line = Sample(
                "setup",
                grammar.say(self.rules, order),
                Said("sample.stowed", {"thing": thing, "hex": " ".join(order.at)}),
            )
            if self.add(line):
                return

    def prepared(self, work: Prepare) -> Sample:
        """Return a hex that is filled or broken down."""
        return Sample(
            "setup", grammar.say(self.rules, work), Said(f"sample.{work.do}", {"hex": work.hexes[0]})
        )

    def skills(self) -> None:
        """Choose skills that balance each other."""
        if "skill" not in setup.step_of(self.battle).may or not skill.in_force(self.rules):
            return
        groups: dict[str, list[str]] = {}
        for unit in self.battle.units.values():
            missile = person(self.battle, unit).missile
            if unit.owner == self.seat and missile and not unit.skill:
                groups.setdefault(skill.group(self.rules, missile), []).append(unit.id)
        for ids in groups.values():
            if len(ids) > 1:
                at = len(self.lines)
                pair_ = ((ids[0], -1, at + 1), (ids[1], 1, at))
                if self.add(
                    *(
                        self.order("setup", Skill(who, value), "sample.skill", other, value=value)
                        for who, value, other in pair_
                    )
                ):
                    return

    def day(self) -> None:
        """Choose a plan of the day, and what an engine does on it."""
        listed = list(campaign.listed(self.rules, self.battle, self.seat))
        plans = [order.what for order in listed if order.do == "plan"]
        plan = next((plan for plan in (siege_days.BOMBARD, siege_days.REST, *plans) if plan in plans), "")
        if not plan:
            return
        self.add(Sample("day", plan, Said(f"sample.plan-{plan.partition(' ')[0]}")))
        for order in (order for order in listed if order.do == plan == siege_days.BOMBARD and order.who):
            said = Said("sample.bombards", {"thing": order.who[0], "hex": order.to[0]})
            if self.add(Sample("day", grammar.say(self.rules, order), said, (0,))):
                return


def apart(place: str, hexes: Sequence[str]) -> int:
    """Return how many hexes it is from a place to the nearest of some; 0 where there are none."""
    return min((distance(hex_of(place), hex_) for hex_ in hexes), default=0)


def fights(battle: Battle, unit: Unit) -> bool:
    """Tell whether somebody fights for his side at all: no animal, no bystander."""
    return unit.kind == "man" and unit.id not in battle.field.bystanders


class _Blow:
    """An attack by one on one: from where, by which move, in which column."""

    def __init__(self, unit: Unit, foe: str, move: Move | None, at: tuple[str, ...], column: str) -> None:
        self.unit, self.foe, self.move, self.at, self.column = unit, foe, move, at, column
