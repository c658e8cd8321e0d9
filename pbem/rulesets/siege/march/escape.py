"""Escape: the ways on which a figure in panic or rout may run, and which of them it takes of itself.

Who runs, when, and what becomes of him is ``flight``.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.geometry import pair, path
from pbem.geometry.hex import hex_of, neighbours
from pbem.rulesets.siege.ground import garrison, stacking
from pbem.rulesets.siege.march import movement, riding, step
from pbem.rulesets.siege.state import rows
from pbem.rulesets.siege.state.state import Battle, Unit
from pbem.rulesets.siege.turn import panic
from pbem.rulesets.siege.turn.panic import PANIC, ROUT

Rules = Ruleset[Battle]
LEAVE = "leave"
"""The choice to run off the map."""


class Run(Struct, frozen=True):
    """A way to run: its places from where the figure stands, how far from the nearest enemy it brings him,
    and whether off the map.

    A place of a figure of two hexes is written as ``geometry.pair`` does, ``0712 n``.
    """

    places: tuple[str, ...]
    cost: int
    safe: int
    off: bool = False

    @property
    def end(self) -> str:
        """Return the hex, or the place, where it ends; of two hexes that of the head."""
        return riding.head(self.places[-1])

    @property
    def said(self) -> str:
        """Return the name of its end in a choice."""
        return LEAVE if self.off else self.end

    @property
    def path(self) -> tuple[str, ...]:
        """Return its places as events name them."""
        return tuple(riding.head(place) for place in self.places)

    @property
    def tails(self) -> tuple[str, ...]:
        """Return where the tail of a figure of two hexes is at each of them."""
        return tuple(hex_ for place in self.places for hex_ in _hexes(place)[1:])


def _hexes(place: str) -> tuple[str, ...]:
    """Return the hexes of a place: one, or head and tail."""
    return pair.hexes(place) if " " in place else (hex_of(place),)


def _places(place: str) -> tuple[str, ...]:
    """Return the places that a figure takes up: its own, or head and tail."""
    return pair.hexes(place) if " " in place else (place,)


def _begin(unit: Unit) -> str:
    return riding.figure(unit.at) if riding.two_hexes(unit) else unit.at[0]


def _beside(rules: Rules, battle: Battle, place: str) -> tuple[str, ...]:
    return riding.onward(rules, place) if " " in place else battle.beside(place)


@rule("S6.1m")
def in_reach(rules: Rules, battle: Battle, unit: Unit, there: str) -> bool:
    """Tell whether an enemy who could attack it is next to a place: one on his feet, with a way into that
    hex.
    """
    for beside in neighbours(hex_of(there)):
        for id_ in battle.living_in.get(beside, ()):
            foe = battle.units[id_]
            if (
                panic.is_feared(battle, unit, foe)
                and foe.able
                and any(step.can_pass(rules, battle, foe, here, there) for here in foe.at)
            ):
                return True
    return False


def costs(rules: Rules, battle: Battle, unit: Unit, mood: str) -> path.Cost:
    """Return what each step costs one who runs: past friends, never past enemies or next to one who could
    attack. None: shut.

    In panic a hex costs one whatever its ground, and a rider turns for nothing.
    """
    # what else bars a figure in panic is how it may be moved, not where it runs
    calm = replace(unit, mood="")
    going = (riding if riding.two_hexes(unit) else step).costs(rules, battle, calm)
    near: dict[str, bool] = {}

    def feared(place: str) -> bool:
        if place not in near:
            near[place] = in_reach(rules, battle, unit, place)
        return near[place]

    def cost(here: str, there: str) -> int | None:
        price, stood = going(here, there), _places(here)
        if price is None or any(feared(place) for place in _places(there) if place not in stood):
            return None
        return int(riding.head(here) != riding.head(there)) if mood == PANIC else price

    return cost


@rule("S6.1t")
def whole_allowance(rules: Rules, battle: Battle, unit: Unit) -> int:
    """Return how far a figure in rout runs: its full movement allowance, by the costs of the ground."""
    return step.points(rules, battle, unit)


def ways(rules: Rules, battle: Battle, unit: Unit, mood: str) -> list[Run]:
    """Return the ways a figure may run, the one it takes of itself first; none if it cannot
    run as it has to.
    """
    reached, spend = _reached(rules, battle, unit, mood)
    runs = [run for run in _runs(battle, unit, reached) if mood == ROUT or run.cost == spend]
    inside = garrison.castle(battle, unit)
    if inside and (aims := nearest_exits(rules, battle, unit, inside)):
        return _out_of(rules, battle, unit, inside, aims, runs)
    now = panic.nearest(battle, unit, unit.hexes)
    if mood == PANIC:
        runs = [run for run in runs if run.safe >= now]
    else:
        runs = [run for run in runs if run.safe > now and not _goes_on(rules, battle, unit, mood, run, spend)]
    return farthest_first([*runs, *_off_the_map(battle, unit, reached, spend)])


def as_far_as_it_goes(rules: Rules, battle: Battle, unit: Unit, mood: str) -> Run:
    """Return how far a figure gets that cannot run as it has to: the most hexes that do not lead nearer to an
    enemy.
    """
    reached, _ = _reached(rules, battle, unit, mood)
    now = panic.nearest(battle, unit, unit.hexes)
    return max(
        (run for run in _runs(battle, unit, reached) if run.safe >= now), key=lambda run: (run.cost, run.safe)
    )


@rule("S6.1k")
def farthest_first(runs: Sequence[Run]) -> list[Run]:
    """Return ways to run by how far from the nearest enemy they end, the farthest first; ties as the sides
    are numbered.

    Of equally good ways one that stays on the map comes before the one that leaves it.
    """
    return sorted(runs, key=lambda run: -run.safe)


def _reached(rules: Rules, battle: Battle, unit: Unit, mood: str) -> tuple[path.Reached, int]:
    spend = rows.hexes(rules, "panic") if mood == PANIC else whole_allowance(rules, battle, unit)
    reached = path.reach(
        _begin(unit),
        spend,
        costs(rules, battle, unit, mood),
        lambda place: _may_stop(rules, battle, unit, place),
        lambda place: _beside(rules, battle, place),
    )
    return reached, spend


def _may_stop(rules: Rules, battle: Battle, unit: Unit, place: str) -> bool:
    return (
        riding.may_stop(rules, battle, unit, place)
        if " " in place
        else stacking.may_stop(rules, battle, unit, place)
    )


def _runs(battle: Battle, unit: Unit, reached: path.Reached) -> list[Run]:
    return [
        Run(path.way(reached, place), cost, _safe(battle, unit, place))
        for place, (cost, _) in reached.items()
    ]


def _safe(battle: Battle, unit: Unit, place: str) -> int:
    return panic.nearest(battle, unit, _hexes(place))


def _goes_on(rules: Rules, battle: Battle, unit: Unit, mood: str, run: Run, spend: int) -> bool:
    """Tell whether one more step would be affordable and bring a figure in rout farther
    from the enemy still.
    """
    here, price = run.places[-1], costs(rules, battle, unit, mood)
    for there in _beside(rules, battle, here):
        cost = price(here, there)
        affordable = cost is not None and run.cost + cost <= spend
        if affordable and _safe(battle, unit, there) > run.safe and _may_stop(rules, battle, unit, there):
            return True
    return False


def _off_the_map(battle: Battle, unit: Unit, reached: path.Reached, spend: int) -> list[Run]:
    """Return the best way off the map, if there is one: the step off costs one, and beyond the edge it is
    thought to go straight on.
    """
    trail = path.Reached(reached.trail, reached.trail)
    found = [
        Run(path.way(trail, place), cost, _safe(battle, unit, place) + spend - cost, off=True)
        for place, (cost, _) in trail.items()
        if cost < spend and movement.no_way_out(battle, unit, riding.head(place)) is None
    ]
    return sorted(found, key=lambda run: -run.safe)[:1]


# --- out of a castle


@rule("S6.1l")
def nearest_exits(rules: Rules, battle: Battle, unit: Unit, inside: frozenset[str]) -> list[str]:
    """Return the nearest hexes of a castle from which a way leads out: a breach, a ladder, a tower, a lowered
    bridge, an open gate.
    """
    open_ = [
        here
        for here in sorted(inside)
        if any(
            there not in inside and step.can_pass(rules, battle, unit, here, there)
            for there in battle.beside(here)
        )
    ]
    steps = {here: _steps(rules, battle, unit, unit.at[0], here) for here in open_}
    least = min(steps.values(), default=0)
    return [here for here in open_ if steps[here] == least]


def _out_of(
    rules: Rules, battle: Battle, unit: Unit, inside: frozenset[str], aims: Sequence[str], runs: Sequence[Run]
) -> list[Run]:
    """Return the ways to run that bring a figure nearest to an exit or out of it, those to the exit with the
    lowest number first.
    """

    def left(run: Run) -> tuple[int, str]:
        if hex_of(run.end) not in inside:
            return 0, ""
        return min((_steps(rules, battle, unit, run.end, aim) + 1, aim) for aim in aims)

    least = min((left(run)[0] for run in runs), default=0)
    return sorted((run for run in runs if left(run)[0] == least), key=lambda run: (left(run)[1], -run.safe))


def _steps(rules: Rules, battle: Battle, unit: Unit, here: str, there: str) -> int:
    """Return how many steps it is from one place to another for one whom nobody hinders; many if there is no
    way.
    """
    found = path.cheapest(
        here, there, lambda a, b: 1 if step.can_pass(rules, battle, unit, a, b) else None, battle.beside
    )
    return found.cost if found else 200
