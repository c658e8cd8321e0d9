"""Flight: how fear spreads after a death, whom it seizes, whither they run, and the running of those in rout.

Whom it can seize at all, what he may not do then and what ends it is ``panic``. A death may send men running, and a man who runs into a
corner may die of it, which is a death again: each man dies once, so this ends.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pbem.core.play import Play
from pbem.core.rule import rule
from pbem.core.ruleset import Files, Ruleset
from pbem.geometry import path
from pbem.geometry.hex import distance, hex_of, neighbours
from pbem.rulesets.siege import choices, counter, deeds, movement, panic, stacking, step, terrain
from pbem.rulesets.siege.events import JobBroken, Left, Panicked, Rallied, Rolled, Routed
from pbem.rulesets.siege.panic import PANIC, ROUT
from pbem.rulesets.siege.state import Battle, Unit

Rules = Ruleset[Battle]
FACES = 10
HEXES = 3
"""So far a figure in panic runs at once."""
CASTLE = "castle"
"""Kind of the areas of a map from which the panicked run for an exit."""
LEAVE = "leave"
"""The choice to run off the map."""


# --- how it spreads


@rule("S6.1a")
def in_force(rules: Rules) -> bool:
    """Tell whether deaths spread fear in this game (option)."""
    return rules.setting("panic_and_rout") == "true"


def spread(rules: Rules, play: Play[Battle], dead_id: str, cause: int) -> None:
    """Let a death frighten those of its side around it: first those in panic, who are routed, then the die for the others."""
    if not in_force(rules):
        return
    dead = play.state.units[dead_id]
    for id_ in sorted(play.state.units):
        if is_routed(rules, play.state, dead, play.state.units[id_]):
            _seize(rules, play, id_, ROUT, cause, "S6.1w")
    steady = [id_ for id_, unit in sorted(play.state.units.items()) if not unit.mood and panic.at_risk(rules, play.state, dead, unit)]
    if steady:
        row, rolled = result(rules, play, dead_id)
        mood = marker(row)
        for id_ in who(rules, play, dead_id, steady, row["figures"]) if mood else ():
            if play.state.units[id_].able and not play.state.units[id_].mood:  # a death on the way may have had him
                _seize(rules, play, id_, mood, rolled, "S6.1k" if mood == PANIC else "S6.1t")
    steady_again(rules, play)


@rule("S6.1w")
def is_routed(rules: Rules, battle: Battle, dead: Unit, unit: Unit) -> bool:
    """Tell whether a figure in panic is put at risk once more by a death, so that it is in rout without a roll."""
    return unit.mood == PANIC and panic.at_risk(rules, battle, dead, unit)


@rule("S6.1g")
def result(rules: Rules, play: Play[Battle], dead_id: str) -> tuple[Mapping[str, Any], int]:
    """Roll once for a death; return the row of the table, and the place of the event that tells it."""
    name = f"panic/{dead_id}"
    die = play.roll(name, FACES)[0]
    table = rules.tables["panic"]
    row = next(row for row in table["rows"] if row["die"][0] <= die <= row["die"][1])
    said = str(table["key"][row["result"]])
    event = Rolled(f"{play.cursor}/{name}", FACES, (die,), "S6.1g", "panic", row=die, result=row["result"], said=said)
    return row, play.happen(event)


@rule("S6.1j")
def marker(row: Mapping[str, Any]) -> str:
    """Return which marker a row puts on those whom it seizes: ``panic`` or ``rout``; empty for none."""
    return str(row["result"]) if row["figures"] else ""


@rule("S6.1h")
def who(rules: Rules, play: Play[Battle], dead_id: str, steady: Sequence[str], figures: int) -> list[str]:
    """Return those whom fear seizes: as many as the table says, chosen by the owner of the dead man; all, where there are fewer."""
    ranked = choices.weakest_first(rules, play.state, steady)
    return choices.pick_some(
        rules,
        play,
        about="panic-who",
        unit=dead_id,
        choices=ranked,
        least=figures,
        most=most(figures, ranked),
        rule="S6.1h",
        why=f"{dead_id} is dead; {figures} at least",
        wanted=lambda said: _named(said, ranked, figures),
    )


@rule("S6.1i")
def most(figures: int, ranked: Sequence[str]) -> int:
    """Return how many the owner may let panic: more than the table says, all who are near, if he wants."""
    return len(ranked)


def _named(said: str, ranked: Sequence[str], figures: int) -> list[str]:
    """Return whom a standing instruction names, the first of them so many as must; with ``panic-more`` all of them."""
    more, names = said.startswith("panic-more "), said.removeprefix("panic-more ").replace(",", " ").split()
    found = [name for name in names if name in ranked]
    return found if more else found[:figures]


# --- how they run


@dataclass(frozen=True, slots=True)
class Run:
    """A way to run: its places from where the figure stands, how far from the nearest enemy it brings him, and whether off the map."""

    places: tuple[str, ...]
    cost: int
    safe: int
    off: bool = False

    @property
    def said(self) -> str:
        """Return the name of its end in a choice."""
        return LEAVE if self.off else self.places[-1]


def _seize(rules: Rules, play: Play[Battle], id_: str, mood: str, cause: int, rule_id: str) -> None:
    """Put a marker on a figure and let it run at once; one that cannot get away is wounded."""
    unit = play.state.units[id_]
    if unit.job:
        play.happen(JobBroken(id_, unit.job.do, mood, unit.job.what))
    runs = ways(rules, play.state, unit, mood)
    if runs:
        _run(rules, play, unit, mood, runs, cause, rule_id)
        return
    stuck = as_far_as_it_goes(rules, play.state, unit, mood)
    event = Panicked if mood == PANIC else Routed
    fled = play.happen(event(id_, stuck.places, cause, "S6.1n", at_once=on_top_of_his_move()))
    if cornered(mood, stuck):
        counter.hurt(rules, play, id_, "wounded", fled, "S6.1n")


def _run(rules: Rules, play: Play[Battle], unit: Unit, mood: str, runs: Sequence[Run], cause: int, rule_id: str) -> None:
    """Let a figure run one of some ways, chosen by its owner."""
    run = _chosen(rules, play, unit, mood, runs)
    event = Panicked if mood == PANIC else Routed
    at_once = rule_id != "S6.1u" and on_top_of_his_move()
    play.happen(event(unit.id, run.places, cause, rule_id, at_once=at_once))
    if run.off:
        play.happen(Left(unit.id, run.places[-1], mood))


@rule("S6.1o")
def on_top_of_his_move() -> bool:
    """Tell whether running at once leaves the movement of the figure's next movement phase whole: it does."""
    return True


@rule("S6.1n")
def cornered(mood: str, run: Run) -> bool:
    """Tell whether a figure could not run as it had to, and is wounded: three hexes in panic, in rout any hex at all."""
    return run.cost < HEXES if mood == PANIC else len(run.places) == 1


@rule("S6.1m")
def in_reach(rules: Rules, battle: Battle, unit: Unit, there: str) -> bool:
    """Tell whether an enemy who could attack it is next to a place: one on his feet, with a way into that hex."""
    for beside in neighbours(hex_of(there)):
        for id_ in battle.living_in.get(beside, ()):
            foe = battle.units[id_]
            if panic.is_feared(battle, unit, foe) and foe.able and any(step.can_pass(rules, battle, foe, here, there) for here in foe.at):
                return True
    return False


def cost_of_step(rules: Rules, battle: Battle, unit: Unit, mood: str, here: str, there: str) -> int | None:
    """Return what a step costs one who runs: past friends, never past enemies or next to one who could attack. None: shut."""
    bars = step.ways_bars(rules, battle, unit, here, there) or step.enemy_bars(rules, battle, unit, there)
    if bars or step.friend_bars(rules, battle, unit, there) or in_reach(rules, battle, unit, there):
        return None
    if mood == PANIC:
        return 1
    return step.entry_cost(rules, battle, unit, there) + sum(feature.cost for feature in terrain.between(battle, here, there))


@rule("S6.1t")
def whole_allowance(rules: Rules, battle: Battle, unit: Unit) -> int:
    """Return how far a figure in rout runs: its full movement allowance, by the costs of the ground."""
    return step.points(rules, battle, unit)


def ways(rules: Rules, battle: Battle, unit: Unit, mood: str) -> list[Run]:
    """Return the ways a figure may run, the one it takes of itself first; none if it cannot run as it has to."""
    reached, spend = _reached(rules, battle, unit, mood)
    runs = [run for run in _runs(battle, unit, reached) if mood == ROUT or run.cost == spend]
    inside = castle(battle, unit)
    if inside and (aims := nearest_exits(rules, battle, unit, inside)):
        return _out_of(rules, battle, unit, inside, aims, runs)
    now = panic.nearest(battle, unit, unit.hexes)
    if mood == PANIC:
        runs = [run for run in runs if run.safe >= now]
    else:
        runs = [run for run in runs if run.safe > now and not _goes_on(rules, battle, unit, mood, run, spend)]
    return farthest_first([*runs, *_off_the_map(battle, unit, reached, spend)])


def as_far_as_it_goes(rules: Rules, battle: Battle, unit: Unit, mood: str) -> Run:
    """Return how far a figure gets that cannot run as it has to: the most hexes that do not lead nearer to an enemy."""
    reached, _ = _reached(rules, battle, unit, mood)
    now = panic.nearest(battle, unit, unit.hexes)
    return max((run for run in _runs(battle, unit, reached) if run.safe >= now), key=lambda run: (run.cost, run.safe))


@rule("S6.1k")
def farthest_first(runs: Sequence[Run]) -> list[Run]:
    """Return ways to run by how far from the nearest enemy they end, the farthest first; ties as the sides are numbered.

    Of equally good ways one that stays on the map comes before the one that leaves it.
    """
    return sorted(runs, key=lambda run: -run.safe)


def _reached(rules: Rules, battle: Battle, unit: Unit, mood: str) -> tuple[path.Reached, int]:
    spend = HEXES if mood == PANIC else whole_allowance(rules, battle, unit)
    reached = path.reach(
        unit.at[0],
        spend,
        lambda here, there: cost_of_step(rules, battle, unit, mood, here, there),
        lambda place: stacking.may_stop(rules, battle, unit, place),
        lambda place: neighbours(hex_of(place)),
    )
    return reached, spend


def _runs(battle: Battle, unit: Unit, reached: path.Reached) -> list[Run]:
    return [Run(path.way(reached, place), cost, _safe(battle, unit, place)) for place, (cost, _) in reached.items()]


def _safe(battle: Battle, unit: Unit, place: str) -> int:
    return panic.nearest(battle, unit, (hex_of(place),))


def _goes_on(rules: Rules, battle: Battle, unit: Unit, mood: str, run: Run, spend: int) -> bool:
    """Tell whether one more step would be affordable and bring a figure in rout farther from the enemy still."""
    here = run.places[-1]
    for there in neighbours(hex_of(here)):
        cost = cost_of_step(rules, battle, unit, mood, here, there)
        affordable = cost is not None and run.cost + cost <= spend
        if affordable and _safe(battle, unit, there) > run.safe and stacking.may_stop(rules, battle, unit, there):
            return True
    return False


def _off_the_map(battle: Battle, unit: Unit, reached: path.Reached, spend: int) -> list[Run]:
    """Return the best way off the map, if there is one: the step off costs one, and beyond the edge it is thought to go straight on."""
    trail = path.Reached(reached.trail, reached.trail)
    found = [
        Run(path.way(trail, place), cost, _safe(battle, unit, place) + spend - cost, off=True)
        for place, (cost, _) in trail.items()
        if cost < spend and movement.no_way_out(battle, unit, hex_of(place)) is None
    ]
    return sorted(found, key=lambda run: -run.safe)[:1]


# --- out of a castle


def castle(battle: Battle, unit: Unit) -> frozenset[str]:
    """Return the hexes of the castle in which a figure is; empty if it is in none."""
    for area, kind in sorted(battle.field.area_kinds.items()):
        if kind == CASTLE and unit.hexes[0] in battle.field.areas[area]:
            return frozenset(battle.field.areas[area])
    return frozenset()


@rule("S6.1l")
def nearest_exits(rules: Rules, battle: Battle, unit: Unit, inside: frozenset[str]) -> list[str]:
    """Return the nearest hexes of a castle from which a way leads out: a breach, a ladder, a tower, a lowered bridge, an open gate."""
    open_ = [
        here
        for here in sorted(inside)
        if any(there not in inside and step.can_pass(rules, battle, unit, here, there) for there in neighbours(here))
    ]
    steps = {here: _steps(rules, battle, unit, unit.at[0], here) for here in open_}
    least = min(steps.values(), default=0)
    return [here for here in open_ if steps[here] == least]


def _out_of(rules: Rules, battle: Battle, unit: Unit, inside: frozenset[str], aims: Sequence[str], runs: Sequence[Run]) -> list[Run]:
    """Return the ways to run that bring a figure nearest to an exit or out of it, those to the exit with the lowest number first."""

    def left(run: Run) -> tuple[int, str]:
        if hex_of(run.places[-1]) not in inside:
            return 0, ""
        return min((_steps(rules, battle, unit, run.places[-1], aim) + 1, aim) for aim in aims)

    least = min((left(run)[0] for run in runs), default=0)
    return sorted((run for run in runs if left(run)[0] == least), key=lambda run: (left(run)[1], -run.safe))


def _steps(rules: Rules, battle: Battle, unit: Unit, here: str, there: str) -> int:
    """Return how many steps it is from one place to another for one whom nobody hinders; many if there is no way."""
    found = path.cheapest(
        here,
        there,
        lambda a, b: 1 if step.can_pass(rules, battle, unit, a, b) else None,
        lambda place: neighbours(hex_of(place)),
    )
    return found.cost if found else 200


# --- whose choice


def _chosen(rules: Rules, play: Play[Battle], unit: Unit, mood: str, runs: Sequence[Run]) -> Run:
    ranked = {run.said: run for run in runs}
    ends = [end for end in ranked if end != LEAVE]

    def wanted(said: str) -> str:
        verb, *rest = said.split()
        if verb == "toward" and ends:
            return min(ends, key=lambda end: distance(hex_of(end), hex_of(rest[0])))
        return next(iter(ranked))

    said = choices.pick(
        rules,
        play,
        about="panic-way",
        unit=unit.id,
        choices=list(ranked),
        default=next(iter(ranked)),
        rule="S6.1k" if mood == PANIC else "S6.1t",
        why="in panic" if mood == PANIC else "in rout",
        wanted=wanted,
        kind="path",
    )
    return ranked[said]


# --- the end of it, and the movement phase


def steady_again(rules: Rules, play: Play[Battle]) -> None:
    """Take the marker off everybody in panic who need not be any more."""
    for id_, unit in sorted(play.state.units.items()):
        if unit.mood == PANIC and unit.living:
            if panic.is_steadied(rules, play.state, unit):
                play.happen(Rallied(id_, "S6.1r"))
            elif panic.is_far(rules, play.state, unit):
                play.happen(Rallied(id_, "S6.1s"))


def resolve(rules: Rules, play: Play[Battle], files: Files) -> None:
    """Carry out a movement phase: those in rout run first, then the orders; at its end a leader may bring them round."""
    for id_ in sorted(play.state.units):
        if runs_on(play.state, play.state.units[id_]):
            unit = play.state.units[id_]
            if runs := ways(rules, play.state, unit, ROUT):
                _run(rules, play, unit, ROUT, runs, -1, "S6.1u")
    deeds.resolve(rules, play, files)
    for id_, unit in sorted(play.state.units.items()):
        if unit.living and panic.is_rallied(rules, play.state, unit):
            play.happen(Rallied(id_, "S6.1v"))
    steady_again(rules, play)


@rule("S6.1u")
def runs_on(battle: Battle, unit: Unit) -> bool:
    """Tell whether a figure in rout runs in this movement phase, which is its side's own."""
    return unit.mood == ROUT and unit.able and unit.side == battle.at.side
