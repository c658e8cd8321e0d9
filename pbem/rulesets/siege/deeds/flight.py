"""Flight: how fear spreads after a death, whom it seizes, and the running of those in rout.

Whom it can seize at all, what he may not do then and what ends it is ``panic``; where he runs is ``escape``.
A death may send men running, and a man who runs into a corner may die of it, which is a death again: each man
dies once, so this ends.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pbem.core.play import Play
from pbem.core.rule import rule
from pbem.core.ruleset import Files, Ruleset
from pbem.core.table import die_faces, row_of
from pbem.geometry.hex import distance, hex_of
from pbem.rulesets.siege.deeds import deeds
from pbem.rulesets.siege.ground import counter
from pbem.rulesets.siege.march import escape
from pbem.rulesets.siege.march.escape import LEAVE, Run
from pbem.rulesets.siege.orders import choices
from pbem.rulesets.siege.state import rows
from pbem.rulesets.siege.state.events import JobBroken, Left, Panicked, Rallied, Rolled, Routed
from pbem.rulesets.siege.state.state import Battle, Unit
from pbem.rulesets.siege.turn import panic
from pbem.rulesets.siege.turn.panic import PANIC, ROUT

Rules = Ruleset[Battle]


# --- how it spreads


@rule("S6.1a")
def in_force(rules: Rules) -> bool:
    """Tell whether deaths spread fear in this game (option)."""
    return rules.setting("panic_and_rout") == "true"


def spread(rules: Rules, play: Play[Battle], dead_id: str, cause: int) -> None:
    """Let a death frighten those of its side around it: first those in panic, who are routed, then the die
    for the others.
    """
    if not in_force(rules):
        return
    dead = play.state.units[dead_id]
    for id_ in sorted(play.state.units):
        if is_routed(rules, play.state, dead, play.state.units[id_]):
            _seize(rules, play, id_, ROUT, cause, "S6.1w")
    steady = [
        id_
        for id_, unit in sorted(play.state.units.items())
        if not unit.mood and panic.at_risk(rules, play.state, dead, unit)
    ]
    if steady:
        row, rolled = result(rules, play, dead_id)
        mood = marker(row)
        for id_ in who(rules, play, dead_id, steady, row["figures"]) if mood else ():
            # a death on the way may have had him
            if play.state.units[id_].able and not play.state.units[id_].mood:
                _seize(rules, play, id_, mood, rolled, "S6.1k" if mood == PANIC else "S6.1t")
    steady_again(rules, play)


@rule("S6.1w")
def is_routed(rules: Rules, battle: Battle, dead: Unit, unit: Unit) -> bool:
    """Tell whether a figure in panic is put at risk once more by a death, so that it is in rout without a
    roll.
    """
    return unit.mood == PANIC and panic.at_risk(rules, battle, dead, unit)


@rule("S6.1g")
def result(rules: Rules, play: Play[Battle], dead_id: str) -> tuple[Mapping[str, Any], int]:
    """Roll once for a death; return the row of the table, and the place of the event that tells it."""
    name = f"panic/{dead_id}"
    table = rules.tables["panic"]
    faces = die_faces(table)
    die = play.roll(name, faces)[0]
    row = row_of(table, die)
    said = str(table["key"][row["result"]])
    event = Rolled(
        f"{play.cursor}/{name}", faces, (die,), "S6.1g", "panic", row=die, result=row["result"], said=said
    )
    return row, play.happen(event)


@rule("S6.1j")
def marker(row: Mapping[str, Any]) -> str:
    """Return which marker a row puts on those whom it seizes: ``panic`` or ``rout``; empty for none."""
    return str(row["result"]) if row["figures"] else ""


@rule("S6.1h")
def who(rules: Rules, play: Play[Battle], dead_id: str, steady: Sequence[str], figures: int) -> list[str]:
    """Return those whom fear seizes: as many as the table says, chosen by the owner of the dead man; all,
    where there are fewer.
    """
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
    """Return whom a standing instruction names, the first of them so many as must; with ``panic-more`` all of
    them.
    """
    more, names = said.startswith("panic-more "), said.removeprefix("panic-more ").replace(",", " ").split()
    found = [name for name in names if name in ranked]
    return found if more else found[:figures]


# --- how they run


def _seize(rules: Rules, play: Play[Battle], id_: str, mood: str, cause: int, rule_id: str) -> None:
    """Put a marker on a figure and let it run at once; one that cannot get away is wounded."""
    unit = play.state.units[id_]
    if unit.job:
        play.happen(JobBroken(id_, unit.job.do, mood, unit.job.what))
    runs = escape.ways(rules, play.state, unit, mood)
    if runs:
        _run(rules, play, unit, mood, runs, cause, rule_id)
        return
    stuck = escape.as_far_as_it_goes(rules, play.state, unit, mood)
    event = Panicked if mood == PANIC else Routed
    on_top = rows.holds(rules, "panic_keeps_move")
    fled = play.happen(event(id_, stuck.path, cause, "S6.1n", stuck.tails, on_top))
    if cornered(rules, mood, stuck):
        counter.hurt(rules, play, id_, "wounded", fled, "S6.1n")


def _run(
    rules: Rules, play: Play[Battle], unit: Unit, mood: str, runs: Sequence[Run], cause: int, rule_id: str
) -> None:
    """Let a figure run one of some ways, chosen by its owner."""
    run = _chosen(rules, play, unit, mood, runs)
    event = Panicked if mood == PANIC else Routed
    at_once = rule_id != "S6.1u" and rows.holds(rules, "panic_keeps_move")
    play.happen(event(unit.id, run.path, cause, rule_id, run.tails, at_once))
    if run.off:
        play.happen(Left(unit.id, run.end, mood))


@rule("S6.1n")
def cornered(rules: Rules, mood: str, run: Run) -> bool:
    """Tell whether a figure could not run as it had to, and is wounded: three hexes in panic, in rout any hex
    at all.
    """
    return run.cost < rows.hexes(rules, "panic") if mood == PANIC else len(run.places) == 1


# --- whose choice


def _chosen(rules: Rules, play: Play[Battle], unit: Unit, mood: str, runs: Sequence[Run]) -> Run:
    ranked: dict[str, Run] = {}
    for run in runs:
        ranked.setdefault(run.said, run)
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
    units = play.state.units
    for id_ in play.state.afraid:
        unit = units[id_]
        if unit.mood == PANIC and unit.living:
            if panic.is_steadied(rules, play.state, unit):
                play.happen(Rallied(id_, "S6.1r"))
            elif panic.is_far(rules, play.state, unit):
                play.happen(Rallied(id_, "S6.1s"))


def resolve(rules: Rules, play: Play[Battle], files: Files) -> None:
    """Carry out a movement phase: those in rout run first, then the orders; at its end a leader may bring
    them round.
    """
    for id_ in play.state.afraid:
        unit = play.state.units[id_]
        if runs_on(play.state, unit) and (runs := escape.ways(rules, play.state, unit, ROUT)):
            _run(rules, play, unit, ROUT, runs, -1, "S6.1u")
    deeds.resolve(rules, play, files)
    units = play.state.units
    for id_ in play.state.afraid:
        unit = units[id_]
        if unit.living and panic.is_rallied(rules, play.state, unit):
            play.happen(Rallied(id_, "S6.1v"))
    steady_again(rules, play)


@rule("S6.1u")
def runs_on(battle: Battle, unit: Unit) -> bool:
    """Tell whether a figure in rout runs in this movement phase, which is its side's own."""
    return unit.mood == ROUT and unit.able and unit.side == battle.at.side
