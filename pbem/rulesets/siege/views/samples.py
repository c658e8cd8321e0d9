"""One line for each section of a player turn, to show somebody who has never ordered anything how that looks:
sensible ones, and legal.

They are of different figures and stand in one file together: somebody shoots, one goes where the points are,
one goes up to an enemy and fights him at the best odds there are. What is legal is asked of the same checks
and of the same judge as any file; a line that leaves a doubt is not taken, and where no attack is certain its
conditional form is. Only the figures nearest to the enemy are looked at.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Final

from msgspec.structs import replace

from pbem.core.briefing import Said, Sample
from pbem.core.ruleset import Ruleset
from pbem.geometry import pair
from pbem.geometry.hex import around, hex_of
from pbem.rulesets.siege.combat import aiming, chances, may_attack, melee_odds
from pbem.rulesets.siege.ground.character import dangerous, person
from pbem.rulesets.siege.judge import legal
from pbem.rulesets.siege.march import movement, riding, step
from pbem.rulesets.siege.orders import grammar
from pbem.rulesets.siege.scenario import campaign
from pbem.rulesets.siege.state import family
from pbem.rulesets.siege.state.deed import deeds
from pbem.rulesets.siege.state.line import Aim
from pbem.rulesets.siege.state.orders import Act, Attack, Move, Shoot
from pbem.rulesets.siege.state.state import Battle, Unit
from pbem.rulesets.siege.turn import sequence, siege_days
from pbem.rulesets.siege.views import rollcall
from pbem.rulesets.siege.views.sample_book import TRIED, Book, apart
from pbem.rulesets.siege.views.sample_setup import SetupBook

Rules = Ruleset[Battle]
Lines = tuple[Sample, ...]

LOOKED_AT: Final = 8
"""So many figures are looked at for each line."""
DEEDS: Final = 2
"""So many lines show what is done with ladders, engines, horses and the like."""
HANDLING: Final = (
    "drive", "break-in", "open", "harness", "bear", "rearm", "raise", "carry", "climb", "lead", "pick-up",
    "mount", "take", "work", "hitch",
)  # fmt: skip
"""Deeds of the movement phase that are worth showing, in this order."""
MOST_DEEDS: Final = 60
"""So many deeds of one sort are looked at for one figure."""
STANDING: Final[Mapping[str, Any]] = {"everyone": {"retreat": "away", "advance": "if-safe"}}


def samples(rules: Rules, battle: Battle, seat: str) -> Lines:
    """Return some lines that a seat could send now, all of them as one file; nothing where it has nothing to
    order.
    """
    if seat not in sequence.seats_to_order(rules, battle):
        return ()
    if battle.at.phase == "setup":
        placings = SetupBook(rules, battle, seat)
        placings.setup()
        return in_order(rules, placings.lines)
    book = _Turn(rules, battle, seat)
    if battle.at.phase == siege_days.DAY.id:
        book.day()
    else:
        book.turn()
    return in_order(rules, book.lines)


def in_order(rules: Rules, lines: Sequence[Sample]) -> Lines:
    """Return lines in the order in which their sections stand in a file."""
    headings = [*family.headings(rules), "standing"]
    places = sorted(range(len(lines)), key=lambda place: (headings.index(lines[place].heading), place))
    return tuple(
        replace(lines[place], needs=tuple(places.index(need) for need in lines[place].needs))
        for place in places
    )


class _Turn(Book):
    """The lines of a file for a player turn, or for the plan of a day."""

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
                if foe not in self.aimed and isinstance(aimed, Aim):
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
        self.stone(phase)

    def stone(self, phase: str) -> None:
        """Choose a stone that is slung at an enemy."""
        then = self.battle.changed(at=replace(self.battle.at, phase=phase))
        for unit in self.near(self.free()):
            for order, _ in legal.of_kinds(self.rules, then, self.seat, unit.id, {"sling"}):
                heading = self.rules.sequence.phase(phase).heading
                if isinstance(order, Act) and self.add(
                    self.order(heading, order, "sample.sling", hex=order.to[0])
                ):
                    self.busy.add(unit.id)
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

    # --- the plan of a day

    def day(self) -> None:
        """Choose a plan of the day, and what an engine does on it; or what somebody does on it."""
        listed = list(campaign.listed(self.rules, self.battle, self.seat))
        plans = [order.what for order in listed if order.do == "plan"]
        plan = next((plan for plan in (siege_days.BOMBARD, siege_days.REST, *plans) if plan in plans), "")
        if not plan:
            self.works(listed)
            return
        self.add(Sample("day", plan, Said(f"sample.plan-{plan.partition(' ')[0]}")))
        for order in (order for order in listed if order.do == plan == siege_days.BOMBARD and order.who):
            said = Said("sample.bombards", {"thing": order.who[0], "hex": order.to[0]})
            if self.add(Sample("day", grammar.say(self.rules, order), said, (0,))):
                return

    def works(self, listed: Sequence[Act]) -> None:
        """Choose what somebody does on a day, of the work that men do."""
        every = deeds(self.rules)
        for order in (order for order in listed if order.who and every[order.do].of_men):
            if self.add(self.order("day", order, f"sample.{order.do}", hex=" ".join(order.to))):
                return


class _Blow:
    """An attack by one on one: from where, by which move, in which column."""

    def __init__(self, unit: Unit, foe: str, move: Move | None, at: tuple[str, ...], column: str) -> None:
        self.unit, self.foe, self.move, self.at, self.column = unit, foe, move, at, column
