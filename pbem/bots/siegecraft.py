"""What the sergeant has done at a castle besides marching and striking: ladders, towers, rams, ballistae,
fire and oil.

Everything here asks the rules whether a deed is legal now and takes the best of those that are; nothing is
planned beyond this turn but where a ladder is to stand. Who is busy with a deed neither marches nor strikes;
what those do who stay where they are is ``standing_deeds``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from msgspec.structs import replace

from pbem.bots import arms, standing_deeds, throwing, tower, walls
from pbem.bots.aims import Aims
from pbem.bots.errands import Errands
from pbem.bots.survey import FAR, Survey
from pbem.core.ruleset import Ruleset
from pbem.geometry.hex import SIDES, distance, hex_of, neighbour, neighbours
from pbem.rulesets.siege.deeds import deeds
from pbem.rulesets.siege.ground import ladders
from pbem.rulesets.siege.ground.character import person
from pbem.rulesets.siege.march import movement
from pbem.rulesets.siege.march.walk import Walk
from pbem.rulesets.siege.orders import grammar
from pbem.rulesets.siege.state.orders import Act, Move, Order
from pbem.rulesets.siege.state.state import WOUNDED, Battle, Thing, Unit
from pbem.rulesets.siege.things import ballista, carrying_ladders, engines
from pbem.rulesets.siege.turn import sequence

Rules = Ruleset[Battle]

CREW: Final = 3
"""So many men move a tower or a ram."""
STEPS: Final = (2, 1)
"""So many hexes an engine is moved at most, the farthest first."""
AT_ONCE: Final = 2
"""So many ladders are raised together, where there are so many."""
NEAR: Final = 2
"""Who is no farther from the foot of a wall goes up in this turn."""
AT_HAND: Final = 3
"""Who is no farther from a ladder that leans is sent up it."""
BESIDE: Final = 4
"""Other feet of the wall are used where they are no farther from the battlement that ladders go against."""
HURRY: Final = 3
"""With so few turns left nobody waits for another ladder."""
NOT_FOR_CREW: Final = 2
"""Men who shoot are so many hexes farther away than they are when hands are wanted."""


class Siegecraft:
    """The deeds of one movement phase while they are planned, one after the other, on the battle as each
    leaves it.
    """

    def __init__(self, survey: Survey, aims: Aims, seat: str, free: Iterable[Unit]) -> None:
        self.rules = survey.rules
        self.survey = survey
        self.aims = aims
        self.seat = seat
        self.battle = survey.battle.changed(at=replace(survey.battle.at, phase=sequence.MOVEMENT))
        self.free = {unit.id for unit in free}
        """Who has nothing to do yet in this movement."""
        self.press = aims.press
        """The battlement that ladders go against."""
        self._goals: dict[tuple[str, tuple[str, ...]], tuple[tuple[str, str], ...]] = {}
        self.busy: set[str] = set()
        """Who is bound to a thing: he does not march or strike by himself."""
        self.sentences: list[str] = []

    def plan(self) -> None:
        """Plan everything that is done with the side's things."""
        Errands(self).plan()
        own = [thing for thing in self.battle.things.values() if thing.side == self.aims.side]
        things = [thing for thing in own if not (walls.served(self.battle, thing) or self.is_drawn(thing))]
        for thing in things:
            if thing.kind in engines.KINDS:
                self.bind(unit.id for unit in engines.crew(self.battle, thing, self.aims.side))
        self.scale([thing.id for thing in things if thing.kind == "ladder"])
        for thing in sorted(things, key=lambda thing: thing.id):
            if thing.kind in engines.KINDS:
                self.engine(thing.id)
            elif thing.kind == "ballista":
                self.serve(thing)
            elif thing.kind == "mangonel":
                throwing.serve(self, thing)
        self.over_the_wall()
        self.bridges()
        self.stay_beside()

    def do(self, order: Order, kind: str = "act") -> bool:
        """Do something if it is legal now, and see what comes of it; tell whether it was."""
        if not standing_deeds.legal(self.rules, self.battle, self.seat, order, kind):
            return False
        self.sentences.append(grammar.say(self.rules, order))
        if isinstance(order, Act):
            self.battle = deeds.after(self.rules, self.battle, order)
        elif isinstance(order, Move):
            walk = movement.plan(self.rules, self.battle, order)
            if isinstance(walk, Walk):
                unit = self.battle.units[order.who]
                self.battle = self.battle.with_units(replace(unit, at=walk.ends, did=(*unit.did, "moved")))
        return True

    def bind(self, who: Iterable[str]) -> None:
        """Let some be busy with a thing."""
        for id_ in who:
            self.busy.add(id_)
            self.free.discard(id_)

    def hands(self, near: str, count: int) -> list[str]:
        """Return who is best sent to a place where hands are wanted: the nearest sound men on the ground, who
        shoots last.
        """

        def far(id_: str) -> tuple[int, str]:
            unit = self.battle.units[id_]
            return (distance(hex_of(unit.at[0]), near) + NOT_FOR_CREW * self.shoots(id_), id_)

        here = [(id_, self.battle.units[id_]) for id_ in self.free if self.battle.units[id_].at]
        afoot = [
            id_
            for id_, unit in here
            if not unit.on and not standing_deeds.is_up(self.battle, unit) and not self.is_wall(unit.at[0])
        ]
        men = [id_ for id_ in afoot if self.battle.units[id_].state != WOUNDED]
        return sorted(men, key=far)[:count]

    def strongest(self, near: str) -> list[str]:
        """Return those near a place, the strongest in attack first, and who shoots last."""
        return sorted(
            self.hands(near, 6), key=lambda id_: (self.shoots(id_), -self.survey.values[id_].attack, id_)
        )

    # --- ladders

    def scale(self, ids: Sequence[str]) -> None:
        """Go on with all ladders: climb those that stand, pick up and carry the others, raise them together,
        and climb them at once.
        """
        if not walls.feet(self.battle):
            return
        standing = {id_ for id_ in ids if self.battle.things[id_].stands == ladders.RAISED}
        for id_ in sorted(standing):
            self.climb(self.battle.things[id_])
        teams: dict[str, list[str]] = {}
        for id_ in ids:
            if id_ in standing:
                continue
            carriers = self.team(id_)
            if len(carriers) == len(self.battle.things[id_].at):
                teams[id_] = carriers

        ready = [id_ for id_ in teams if self.at_hand(id_)]
        for id_ in sorted(teams, key=lambda id_: (id_ not in ready, id_)):
            if self.together(len(teams), len(ready)):
                self.march(id_, hold=False)
                self.raise_(id_)
            else:
                self.march(id_, hold=True)
            self.bind(teams[id_])
        for id_ in sorted({*teams} - standing):
            if self.battle.things[id_].stands == ladders.RAISED:
                self.climb(self.battle.things[id_])

    def team(self, id_: str) -> list[str]:
        """Return the two who carry a ladder now, or who have gone to it and picked it up."""
        ladder = self.battle.things[id_]
        carriers = [man for man in ladder.by if man in self.free]
        if ladder.stands == ladders.CARRIED and len(carriers) == len(ladder.at):
            self.bind(carriers)
            return carriers
        return self.pick_up(ladder)

    def together(self, teams: int, ready: int) -> bool:
        """Tell whether it is time to raise ladders: enough of them reach the foot of the wall, or one leans
        there, or time is short.
        """
        leaning = any(ladder.side == self.aims.side for ladder in ladders.upright(self.battle))
        left = self.aims.last - self.battle.at.turn if self.aims.last else FAR
        feet = [foot for foot, _, top in walls.feet(self.battle) if top == self.press]
        guarded = any(distance(foe.hexes[0], self.press) < walls.GUARDED for foe in self.survey.foes)
        most = min(AT_ONCE, teams)
        enough = ready >= min(most, len(feet)) and (not guarded or self.stormers(feet) >= most)
        return leaning or enough or left <= HURRY

    def stormers(self, feet: Sequence[str]) -> int:
        """Return how many men of arms with free hands stand near enough to go up in this turn."""
        fit = [id_ for id_ in self.hands(feet[0], len(self.free)) if not self.shoots(id_)] if feet else []
        return sum(
            min(distance(hex_of(self.battle.units[id_].at[0]), foot) for foot in feet) <= NEAR for id_ in fit
        )

    def shoots(self, id_: str) -> bool:
        """Tell whether a figure is one of those who shoot."""
        return arms.shoots(self.rules, self.battle, self.battle.units[id_])

    def at_hand(self, id_: str) -> bool:
        """Tell whether a ladder can be raised in this turn where ladders go."""
        ladder = self.battle.things[id_]
        feet = self.open_feet(ladder)
        return not feet.isdisjoint(ladder.at) or any(not feet.isdisjoint(pair) for pair in self.goals(ladder))

    def goals(self, ladder: Thing) -> tuple[tuple[str, str], ...]:
        """Return where a ladder can be carried in this turn."""
        key = (ladder.id, ladder.at)
        if key not in self._goals:
            self._goals[key] = tuple(
                (pair[0], pair[1])
                for pair in carrying_ladders.goals(self.rules, self.battle, ladder, list(ladder.by))
            )
        return self._goals[key]

    def pick_up(self, ladder: Thing) -> list[str]:
        """Let two men go to a ladder that lies, and take it if they are there."""
        men = [id_ for hex_ in ladder.at for id_ in self.battle.living_in.get(hex_, ()) if id_ in self.free]
        for hex_ in ladder.at:
            if not any(hex_ in self.battle.units[id_].at for id_ in men):
                for id_ in self.hands(hex_, 3):
                    if id_ not in men and self.do(Move(id_, (hex_,)), "move"):
                        men.append(id_)
                        break
        self.bind(men)
        if len(men) == len(ladder.at) and self.do(Act("pick-up", tuple(sorted(men)), ladder.id)):
            return list(self.battle.things[ladder.id].by)
        return []

    def march(self, id_: str, hold: bool) -> None:
        """Let two carriers bring their ladder nearer to where it can stand; ``hold``: they wait for others
        before the foot of the wall.
        """
        ladder = self.battle.things[id_]
        feet = {foot for foot, _, _ in walls.feet(self.battle)}
        way = self.survey.way(tuple(sorted(self.open_feet(ladder))) or tuple(sorted(feet)))
        if not hold and any(way.get(hex_) == 0 for hex_ in ladder.at):
            return
        here = min((way.get(hex_, FAR) for hex_ in ladder.at), default=FAR)
        lane = walls.lanes(self.battle, self.aims.side, walls.WHOLE_WAY)
        kept = {*lane, *self.survey.reserved, *(feet if hold else ())}
        if not lane.isdisjoint(ladder.at):  # out of the way of an engine, whatever it costs
            here = FAR
        pairs = [pair for pair in self.goals(ladder) if kept.isdisjoint(pair)]
        strengths = [self.survey.values[man].attack if man in self.survey.values else 0 for man in ladder.by]

        def rank(pair: tuple[str, str]) -> tuple[int, int, int, int, tuple[str, str]]:
            ways = [way.get(hex_, FAR) for hex_ in pair]
            first = ways.index(min(ways))
            return (ways[first], ways.count(0), -strengths[first], sum(ways), pair)

        for far, *_, pair in sorted(map(rank, pairs))[:3]:
            if far < here and self.do(Act("carry", tuple(ladder.by), id_, to=pair)):
                return

    def open_feet(self, ladder: Thing) -> set[str]:
        """Return where a ladder can go at the foot of the wall: at the battlement where ladders go, where all
        that are still to come find no room there near it too, and at last in a moat; not where somebody or
        another ladder stands, or an engine comes.
        """
        lane = walls.lanes(self.battle, self.aims.side, walls.WHOLE_WAY)
        free = [
            (top != self.press, walls.wet(self.battle, foot), foot)
            for foot, _, top in walls.feet(self.battle)
            if (top == self.press or self.near_press(foot))
            and foot not in lane
            and not self.blocked(foot)
            and {*self.battle.living_in.get(foot, ())} <= {*ladder.by}
        ]
        own = [
            one for one in self.battle.things.values() if (one.kind, one.side) == ("ladder", self.aims.side)
        ]
        coming = sum(one.stands != ladders.RAISED for one in own)
        at_press = {foot for beside, wet, foot in free if not beside and not wet}
        dry = {foot for _, wet, foot in free if not wet}
        return next((some for some in (at_press, dry) if len(some) >= coming), {foot for *_, foot in free})

    def near_press(self, foot: str) -> bool:
        """Tell whether a foot of the wall is near the battlement that ladders go against."""
        return bool(self.press) and distance(foot, self.press) <= BESIDE

    def kept_free(self) -> frozenset[str]:
        """Return where nobody stops who does not climb: before a wall where ladders are still to stand, and
        at the top of those that stand.
        """
        own = [
            thing
            for thing in self.battle.things.values()
            if thing.kind == "ladder" and thing.side == self.aims.side
        ]
        tops = {
            ladders.faced(ladder) for ladder in ladders.upright(self.battle) if ladder.side == self.aims.side
        }
        coming = [ladder for ladder in own if ladder.stands == ladders.CARRIED]
        feet = {foot for ladder in coming for foot in self.open_feet(ladder)}
        return frozenset(tops | feet)

    def blocked(self, foot: str) -> bool:
        """Tell whether a ladder stands at a foot of the wall already."""
        return ladders.in_hex(self.battle, foot) is not None

    def raise_(self, id_: str) -> None:
        """Raise a ladder where it can lean on a battlement: on the one where ladders go, or where fewest
        guard it.
        """
        ladder = self.battle.things[id_]
        found = []
        for hex_ in ladder.at:
            for side in SIDES:
                top = neighbour(hex_, side) or ""
                if top in self.battle.field.ground and walls.may_be_scaled(self.battle, hex_, top):
                    found.append((top != self.press, self.guarded(top), hex_, side))
        for _, _, hex_, side in sorted(found):
            if self.do(Act("raise", tuple(ladder.by), id_, to=(hex_,), facing=side)):
                return

    def guarded(self, top: str) -> int:
        """Return how well a battlement is guarded: who stands on it counts more than who stands beside it."""
        foes = {unit.hexes[0] for unit in self.survey.foes}
        return 3 * (top in foes) + sum(hex_ in foes for hex_ in neighbours(top))

    def climb(self, ladder: Thing) -> None:
        """Let somebody go over a ladder, or up it; who is on it steps over if he can."""
        on_it = ladders.climber(self.battle, ladder)
        top = ladders.faced(ladder)
        if on_it is not None:
            if on_it.id in self.free and self.do(Act("step-over", (on_it.id,), to=(top,))):
                self.bind((on_it.id,))
                on_it = None
            elif on_it.id in self.free:
                self.bind((on_it.id,))
        if on_it is None and self.worth_climbing(top):
            for id_ in self.climbers(ladder):
                if self.do(Act("climb", (id_,), ladder.id, over=True)) or self.do(
                    Act("climb", (id_,), ladder.id)
                ):
                    self.bind((id_,))
                    return
                if self.do(Move(id_, ladder.at), "move"):
                    self.bind((id_,))
                    return

    def worth_climbing(self, top: str) -> bool:
        """Tell whether those on the ladders at a battlement could beat whom they find there, if the strongest
        near them were on them.
        """
        foe = self.survey.foe_at.get(top)
        if foe is None:
            return True
        strength = 0
        sent: set[str] = set()
        for ladder in (ladder for ladder in ladders.upright(self.battle) if ladders.faced(ladder) == top):
            on_it = ladders.climber(self.battle, ladder)
            who = (
                [on_it.id]
                if on_it is not None
                else [id_ for id_ in self.climbers(ladder) if id_ not in sent][:1]
            )
            sent |= {*who}
            strength += sum(self.survey.values[id_].attack for id_ in who if id_ in self.survey.values)
        return strength >= self.survey.values[foe.id].defence

    def climbers(self, ladder: Thing) -> list[str]:
        """Return who is sent up a ladder, the strongest of those near it first."""
        near = [id_ for id_ in self.hands(ladder.at[0], 8) if not self.shoots(id_)]
        close = [
            id_ for id_ in near if distance(hex_of(self.battle.units[id_].at[0]), ladder.at[0]) <= AT_HAND
        ]
        return sorted(close, key=lambda id_: (-self.survey.values[id_].attack, id_))

    # --- towers and rams

    def engine(self, id_: str) -> None:
        """Go on with a tower or a ram: man it, push it to the wall, and from the platform
        of a tower over it.
        """
        engine = self.battle.things[id_]
        if tower.has_floors(self.battle, engine):
            tower.go_on(self, id_)
            return
        crew = [unit.id for unit in engines.crew(self.battle, engine, self.aims.side)]
        self.bind(crew)
        at_the_wall = any(self.is_wall(hex_) for place in engine.at for hex_ in neighbours(place))
        if not at_the_wall or engine.kind == "ram":
            for hex_ in engine.at:
                if not any(hex_ in self.battle.units[man].at for man in crew):
                    for man in self.strongest(hex_):
                        if self.do(Move(man, (hex_,)), "move"):
                            crew.append(man)
                            break
        if len(crew) >= CREW and not at_the_wall:
            self.push(id_)
        if engine.kind == "siege-tower" and at_the_wall:
            self.storm(engine, crew)
        self.bind(crew)

    def is_drawn(self, engine: Thing) -> bool:
        """Tell whether living oxen draw an engine, so that it needs nobody within."""
        return any(self.battle.units[id_].living for id_ in engine.hitched)

    def push(self, id_: str) -> bool:
        """Push an engine as far as those in it bring it; tell whether it moves."""
        return any(self.do(Act("advance-engine", (), id_, steps=steps)) for steps in STEPS)

    def is_wall(self, hex_: str) -> bool:
        """Tell whether a hex of the map is one of walls that an engine is pushed to."""
        ground = self.battle.field.ground
        return (
            hex_ in ground
            and ground[hex_].floor in ("walk", "tower")
            and (hex_, "rubble") not in self.battle.features
        )

    def storm(self, tower: Thing, crew: Sequence[str]) -> None:
        """Let those inside a tower at the wall go up, and more men in below."""
        for id_ in crew:
            self.do(Act("up", (id_,)))
        for hex_ in tower.at:
            for id_ in self.strongest(hex_):
                if not self.shoots(id_) and self.do(Move(id_, (hex_,)), "move"):
                    self.bind((id_,))
                    break

    def over_the_wall(self) -> None:
        """Let those on a platform step over to a battlement beside it."""
        for id_ in sorted(self.free):
            unit = self.battle.units[id_]
            if unit.at and unit.at[0] != hex_of(unit.at[0]):
                tops = [hex_ for hex_ in neighbours(hex_of(unit.at[0])) if self.is_wall(hex_)]
                any(
                    self.do(Act("step-over", (id_,), to=(top,)))
                    for top in sorted(tops, key=lambda top: (self.guarded(top), top))
                )
                self.bind((id_,))

    # --- bridges, ballistae, tents

    def bridges(self) -> None:
        """Let somebody in the enemy's castle lower the bridge, and the garrison raise its own."""
        storms = walls.storms(self.battle, self.aims.side)
        for id_, fixture in self.battle.field.fixtures.items():
            in_the_way = "raised" if storms else "lowered"
            if self.battle.things[id_].stands != in_the_way:
                continue
            who = [man for man in self.battle.living_in.get(fixture.winch, ()) if man in self.free]
            if who and self.do(Act("work", (who[0],), id_)):
                self.bind(who)

    def serve(self, engine: Thing) -> None:
        """Keep the crew of a ballista beside it."""
        crew = [unit.id for unit in ballista.beside(self.battle, engine) if unit.id in self.free]
        skilled = [id_ for id_ in crew if person(self.battle, self.battle.units[id_]).class_ == "technician"]
        self.bind((skilled[:1] + [id_ for id_ in crew if id_ not in skilled[:1]])[:2])

    def stay_beside(self) -> None:
        """Keep those who stand beside what they mean to burn where they are: next turn they
        set fire to it.
        """
        if not self.aims.burn:
            return
        burning = {hex_ for hex_, is_ in self.battle.features if is_ in ("fire", "burnt")}
        wanted = [hex_ for hex_ in self.aims.burn if hex_ not in burning]
        for hex_ in wanted:
            near = [
                id_
                for beside in neighbours(hex_)
                for id_ in self.battle.living_in.get(beside, ())
                if id_ in self.free
            ]
            self.bind(sorted(near)[:1])


def beside_what_burns(aims: Aims, battle: Battle) -> tuple[str, ...]:
    """Return the hexes from which something that is to be burnt can be set on fire."""
    wanted = [hex_ for hex_ in aims.burn if not {(hex_, "fire"), (hex_, "burnt")} & battle.features.keys()]
    return tuple(
        sorted(
            {
                near
                for hex_ in wanted
                for near in neighbours(hex_)
                if near in battle.field.ground and near not in aims.burn
            }
        )
    )
