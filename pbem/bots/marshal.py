"""The bot ``marshal``: plays castle sections for what the scenario counts.

He weighs everything that one action can do, blows, shots, marches and portals, in hundredths of a point, and
orders what is worth most until no action is left.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from msgspec import Struct
from msgspec.structs import replace

from pbem.bots import paper
from pbem.bots.bot import Bot, Data
from pbem.bots.chance import Chance
from pbem.bots.prospects import Prospects, groups
from pbem.bots.spells import spells
from pbem.bots.worth import left
from pbem.core.play import Question
from pbem.rulesets.castle import assault, melee, moves, portals, ranged
from pbem.rulesets.castle.arcs import toward
from pbem.rulesets.castle.dial import Rules, can, row
from pbem.rulesets.castle.facing import COMPASS, in_words
from pbem.rulesets.castle.formations import together
from pbem.rulesets.castle.judge import followed, may_win
from pbem.rulesets.castle.ladders import carried
from pbem.rulesets.castle.movement import speed
from pbem.rulesets.castle.orders import (
    ATTACKS,
    CAPTURES,
    CLOSES,
    HEADING,
    MOVES,
    OPENS,
    RAISES,
    SHOOTS,
    TURNS,
    Order,
    say,
)
from pbem.rulesets.castle.space import touches
from pbem.rulesets.castle.state import Figure, Section, War
from pbem.rulesets.castle.turn import wrong

One = Figure | Section
LADDER = 1500
"""What a ladder at an enemy's wall is worth, in hundredths of a point."""
MANNED = 150
"""What it is worth to stand on a section of one's own that nobody holds, while an enemy is near."""
OPENED = 800
"""How much more a turn with a portal open has to promise than one with it shut."""
MARGIN = 60
"""How much farther than a range, in hundredths of an inch, somebody is safe."""
NEXT = 250
"""How near to where they are shot at, in hundredths of an inch, men wait until most of them are there."""
PARTS = (4, 3, 2, 1)
"""How many quarters of his way somebody may go who waits; who does not goes all of it, or half."""
NUDGE = 5
"""How far a formation goes, in hundredths of an inch, that only turns."""
LEAST = 5
"""What is worth less than this is not done: the tokens are worth more."""


class Chosen(Struct, frozen=True):
    """Something that may be ordered, and what it is worth."""

    gain: int
    order: Order
    target: str = ""
    clicks: int = 0
    """Clicks that it takes off the target on the average, in hundredths."""


class Marshal:
    """One player turn, while he plans it."""

    def __init__(self, rules: Rules, war: War, seat: str) -> None:
        self.rules, self.war, self.seat, self.side = rules, war, seat, war.at.side
        self.likely: dict[str, int] = {}
        """Clicks in hundredths that the attacks ordered so far take off somebody on the average."""
        self.orders: list[Order] = []
        self.gain = 0
        self.least = int(rules.tables["attacks"]["formation"]["least"])
        self.storms = storms(rules, war, self.side)

    @property
    def done(self) -> dict[str, int]:
        """Return the whole clicks that are as good as taken off."""
        return {id_: clicks // 100 for id_, clicks in self.likely.items()}

    def own(self) -> list[One]:
        """Return those he gives orders to."""
        return [one for one in self.war.of(self.side) if one.owner == self.seat]

    def plan(self) -> None:
        """Order what is worth most, one action after another; one more for each leader who may win it."""
        hopes = may_win(self.rules, self.war)
        waiting = list(self.choices(self.own()))
        while waiting:
            waiting.sort(key=lambda one: (-one.gain, say(one.order)))
            best = waiting.pop(0)
            now = self.again(best)
            if now is None or now.gain < LEAST:
                continue
            if now.gain < best.gain and waiting and now.gain < waiting[0].gain:
                waiting.append(now)
                continue
            problem = wrong(self.rules, self.war, now.order, self.seat)
            if problem is not None:
                if problem.code != "castle.no-action" or hopes <= 0:
                    continue
                hopes -= 1
            self.take(now)
            if problem is None:
                again = [
                    one for one in map(self.war.one, now.order.who) if one.acted == 1 and _twice(self, one)
                ]
                waiting += self.choices(again)

    def take(self, one: Chosen) -> None:
        """Write an order down, and go on as if nobody was hurt by it."""
        self.orders.append(one.order)
        self.gain += one.gain
        if one.target:
            self.likely[one.target] = self.likely.get(one.target, 0) + one.clicks
        if wrong(self.rules, self.war, one.order, self.seat) is None:
            self.war, _ = followed(self.rules, self.war, one.order)

    def again(self, one: Chosen) -> Chosen | None:
        """Return what somebody's choice is worth by now; None where it is nothing any more."""
        units = [self.war.one(id_) for id_ in one.order.who]
        if one.order.do in (ATTACKS, CAPTURES, SHOOTS):
            return self.attack(units, self.war.one(one.order.targets[0]), one.order.do)
        return (
            None
            if wrong(self.rules, self.war, one.order, self.seat) is not None
            and not may_win(self.rules, self.war)
            else one
        )

    # --- what may be ordered

    def choices(self, own: Sequence[One]) -> Iterator[Chosen]:
        """Yield everything that some may do with an action."""
        fit = [one for one in own if one.tokens < 2 or one.acted]
        prospects = Prospects(self.rules, self.war, self.side, self.done)
        yield from self.attacks(fit)
        figures = [one for one in fit if isinstance(one, Figure) and not one.acted]
        bound: dict[str, int] = {}
        for group in groups(self.rules, self.war, figures):
            found = list(self.marches_together(group, prospects))
            yield from found
            if found:
                # who leaves a formation of three takes all of it with him
                parts = len(group) if len(group) > self.least else 1
                bound |= dict.fromkeys((one.id for one in group), prospects.standing_together(group) // parts)
        for one in figures:
            yield from self.marches(one, prospects, bound.get(one.id, 0))
            yield from self.with_abilities(one, prospects)

    def with_abilities(self, one: Figure, prospects: Prospects) -> Iterator[Chosen]:
        """Yield what somebody may do with his abilities."""
        for gain, order in spells(self.rules, self.war, one, self.done):
            gained = gain - prospects.pushed((one,))
            if gained >= LEAST and wrong(self.rules, self.war, order, self.seat) is None:
                yield Chosen(gained, order)

    def attacks(self, own: Sequence[One]) -> Iterator[Chosen]:
        """Yield the blows and shots of each, and of those who could strike or shoot together."""
        enemies = [one for one in self.war.left if one.side != self.side]
        for target in enemies:
            for do, can_do in ((ATTACKS, self._strikes), (CAPTURES, self._captures), (SHOOTS, self._shoots)):
                able = [one for one in own if can_do(one, target)]
                for one in able:
                    yield from self._found([one], target, do)
                for group in groups(self.rules, self.war, [one for one in able if isinstance(one, Figure)]):
                    yield from self._found(group, target, do)

    def _found(self, units: Sequence[One], target: One, do: str) -> Iterator[Chosen]:
        found = self.attack(units, target, do)
        if found is not None and found.gain >= LEAST:
            yield found

    def _strikes(self, one: One, target: One) -> bool:
        return isinstance(one, Figure) and melee.why_not(self.rules, self.war, [one], target, False) is None

    def _captures(self, one: One, target: One) -> bool:
        return isinstance(one, Figure) and melee.why_not(self.rules, self.war, [one], target, True) is None

    def _shoots(self, one: One, target: One) -> bool:
        return ranged.why_not(self.rules, self.war, [one], [target], (), False) is None

    def attack(self, units: Sequence[One], target: One, do: str) -> Chosen | None:
        """Return what an attack is worth, less what it costs those who are pushed; the best of them first."""
        prospects = Prospects(self.rules, self.war, self.side, self.done)
        if target.out or not left(self.rules, target, self.done):
            return None
        order_of = sorted(units, key=lambda one: (-prospects.promise((one,), target, do), one.id))
        worth = prospects.promise(tuple(order_of), target, do)
        clicks = prospects.clicks(tuple(order_of), target, do)
        order = Order(tuple(one.id for one in order_of), do, (target.id,))
        return Chosen(worth - prospects.pushed(units), order, target.id, clicks)

    # --- marches

    def marches(self, one: Figure, prospects: Prospects, share: int) -> Iterator[Chosen]:
        """Yield where somebody may go, and how much better he stands there than with his share of what his
        formation hopes for.
        """
        if one.id in prospects.posts:
            return
        before = max(prospects.standing(one), share) + prospects.pushed((one,))
        turned = prospects.looking(one)
        if turned is not one and prospects.standing(turned) - before >= LEAST:
            order = Order((one.id,), TURNS, facing=in_words(turned.facing))
            if wrong(self.rules, self.war, order, self.seat) is None:
                yield Chosen(prospects.standing(turned) - before, order)
        for way in self._ways(one, prospects):
            there = self._there(one, way)
            if there is None or self.waits((one,), (there,)):
                continue
            looking = prospects.looking(there)
            order = way if looking is there else replace(way, facing=in_words(looking.facing))
            gain = prospects.standing(looking) - before
            if order.enters in prospects.empty:
                gain += MANNED
            if gain >= LEAST:
                yield Chosen(gain, order)

    def waits(self, before: Sequence[Figure], after: Sequence[Figure]) -> bool:
        """Tell whether some had better not go where they are shot at yet: the others are not there."""
        if self.storms:
            return False
        if any(one.tokens for one in before):
            return True
        return any(
            shot_at(self.rules, self.war, there) and not shot_at(self.rules, self.war, here)
            for here, there in zip(before, after, strict=True)
        )

    def _there(self, one: Figure, order: Order) -> Figure | None:
        """Return somebody where an order would bring him; None where it brings him nowhere."""
        if order.enters:
            after, _ = followed(self.rules, self.war, order)
            there = after.figure(one.id)
            return there if there.on == order.enters else None
        found = moves.foreseen(self.rules, self.war, one, order)
        x, y = found.path[-1]
        if (x, y) == one.at:
            return None
        return replace(one, x=x, y=y, on=found.on, facing=toward(found.path[-2], (x, y)))

    def _ways(self, one: Figure, prospects: Prospects) -> Iterator[Order]:
        who = (one.id,)
        found = [Order(who, MOVES, toward=name, until_contact=True) for name in prospects.nearest(one)]
        reach = speed(self.rules, self.war, one)
        found += [Order(who, MOVES, way=way) for way in prospects.by_points(one, reach)]
        if not one.on:
            parts = PARTS[:1] if self.storms else PARTS
            found += [
                Order(who, MOVES, heading=n * 450, far=reach * part // PARTS[0])
                for n, part in product(range(len(COMPASS)), parts)
            ]
        found += [Order(who, MOVES, enters=section) for section in prospects.to_enter(one, reach)]
        yield from (order for order in found if wrong(self.rules, self.war, order, self.seat) is None)

    def marches_together(self, group: Sequence[Figure], prospects: Prospects) -> Iterator[Chosen]:
        """Yield where a formation may go, and that it sets up its ladder."""
        names = tuple(one.id for one in group)
        if any(one.id in prospects.posts or one.on for one in group):
            return
        before = prospects.standing_together(group) + prospects.pushed(group)
        for ladder in carried(self.war, names):
            for section in self.war.standing:
                if section.side == self.side or not row(self.rules, section)["wall"]:
                    continue
                if any(touches(self.rules, one, section) for one in group):
                    yield Chosen(LADDER, Order(names, RAISES, (ladder.id, section.id)))
        reach = min(speed(self.rules, self.war, one) for one in group)
        far_of = [reach * part // PARTS[0] for part in (PARTS[::2] if self.storms else PARTS)]
        for n, far in product(range(len(COMPASS)), (*far_of, NUDGE)):
            order = Order(names, MOVES, heading=n * 450, far=far)
            if wrong(self.rules, self.war, order, self.seat) is not None:
                continue
            done = together(self.rules, self.war, group, moves.ahead((0, 0), n * 450, far))
            there = [
                replace(one, x=walk.path[-1][0], y=walk.path[-1][1], facing=n * 450) for one, walk in done
            ]
            if self.waits(group, there):
                continue
            looking = prospects.looking(there[0])
            if looking is not there[0]:
                there = [replace(one, facing=looking.facing) for one in there]
                order = replace(order, facing=in_words(looking.facing))
            gain = prospects.standing_together(there) - before
            if gain >= LEAST:
                yield Chosen(gain, order)


def _twice(plan: Marshal, one: One) -> bool:
    """Tell whether somebody has a second action after a move: a titan."""
    return isinstance(one, Figure) and one.ran and can(plan.rules, one, "titan")


# --- when to storm


def shot_at(rules: Rules, war: War, one: Figure) -> bool:
    """Tell whether somebody is within range of those who hold a castle."""
    for foe in war.left:
        if foe.side == one.side or not (isinstance(foe, Section) or foe.on):
            continue
        reach = ranged.reach_of(rules, foe)
        if reach and (foe.x - one.x) ** 2 + (foe.y - one.y) ** 2 <= (reach + MARGIN) ** 2:
            return True
    return False


def storms(rules: Rules, war: War, side: str) -> bool:
    """Tell whether a side goes where it is shot at: it holds the castle; its wall-breakers are near enough
    and rested; it has begun; or there is no time left to wait.
    """
    if side == war.board.castle or not war.board.castle:
        return True
    own = [one for one in war.up if one.side == side]
    breakers = [one for one in own if breaks_walls(rules, one)] or own
    if war.at.turn > war.board.length // 2 or any(shot_at(rules, war, one) for one in breakers):
        return True
    near = [one for one in breakers if shot_at(rules, war, replace(one, y=one.y - NEXT))]
    return 3 * len(near) >= 2 * len(breakers) and not any(one.tokens for one in near)


def breaks_walls(rules: Rules, one: Figure) -> bool:
    """Tell whether somebody harms sections with his blows."""
    return any(kind(rules, one, assault.CLOSE) for kind in assault.KINDS)


# --- portals


def portal_plans(rules: Rules, war: War, seat: str) -> Iterator[tuple[Order, ...]]:
    """Yield what may be done with the portals of one's castle: all shut, or one section's open as well."""
    every = list(portals.every(rules, war, war.at.side))
    shut = tuple(
        Order((), CLOSES, (f"{section.id}-{portal}",)) for section, portal, does in every if does == CLOSES
    )
    yield shut
    for section, portal, does in every:
        if does == OPENS and row(rules, section)["doors"]:
            yield (*shut, Order((), OPENS, (f"{section.id}-{portal}",)))


def orders(rules: Rules, state: War, seat: str, chance: Chance) -> Data:
    """Return his order file for the open player turn."""
    if state.at.is_setup:
        return {}  # the army of the scenario
    best: tuple[int, tuple[Order, ...], Marshal] | None = None
    for first in portal_plans(rules, state, seat):
        war = state
        for order in first:
            war, _ = followed(rules, war, order)
        plan = Marshal(rules, war, seat)
        plan.plan()
        gain = plan.gain - OPENED * sum(order.do == OPENS for order in first)
        if best is None or gain > best[0]:
            best = (gain, first, plan)
    assert best is not None
    lines = [say(order) for order in (*best[1], *best[2].orders)]
    data: Data = {HEADING: lines} if lines else {"nobody": "acts"}
    if not state.order_of(seat).spin:
        data["standing"] = {"everyone": {"spin": "newcomer"}}
    return paper.accepted(rules, state, seat, data)


def answer(rules: Rules, state: War, question: Question, chance: Chance) -> str:
    """Return the first choice: nobody is asked in this game."""
    return question.choices[0].value


BOT = Bot("marshal", "plays castle sections for the points of the scenario", orders, answer, ("castle",))
