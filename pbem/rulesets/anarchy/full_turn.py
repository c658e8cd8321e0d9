"""Work that takes full turns: what breaks it off, and where it is done.

What the work is, and what comes of it, is decided where it belongs; when it is done is ``deeds`` of Siege.
"""

from __future__ import annotations

from pbem.core.play import Play
from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.core.sequence import parse_cursor
from pbem.rulesets.siege.state.deed import work_of
from pbem.rulesets.siege.state.events import JobBegan
from pbem.rulesets.siege.state.state import WOUNDED, Battle, Job, Unit
from pbem.rulesets.siege.turn import jobs, sequence

Rules = Ruleset[Battle]
_IN = "in "


def begin(play: Play[Battle], unit: str, do: str, what: str) -> None:
    """Let a figure begin work where it stands."""
    job = jobs.begun(play.state, do, f"{what} {_IN}{play.state.units[unit].at[0]}".strip())
    play.happen(JobBegan(unit, job.do, job.what, job.since))


@rule("A0.5")
def broken(rules: Rules, battle: Battle, unit: Unit) -> str:
    """Return what broke work off: the worker fell, fled, was wounded or is no longer where he began, or what
    he works at is gone; empty if nothing did. That somebody attacked him does not.
    """
    job = unit.job
    if job is None:
        return ""
    if not unit.able or unit.mood:
        return "fled" if unit.mood else "fell"
    if unit.state == WOUNDED and _since(battle, unit.since, job):
        return "wounded"
    if unit.at[:1] != (place_of(job),):
        return "moved"
    work = work_of(rules, job.do)
    if not work.holds(rules, battle, unit, job):
        return "gone"
    return "blocked" if work.stuck(rules, battle, unit, job) else ""


def place_of(job: Job) -> str:
    """Return where a piece of work was begun."""
    return job.what.rpartition(_IN)[2]


def _since(battle: Battle, moment: str, job: Job) -> bool:
    """Tell whether something was in the player turn in which work began, or later."""
    then, begun = parse_cursor(moment), parse_cursor(job.since)
    return sequence.player_turns(battle.field, then) >= sequence.player_turns(battle.field, begun)
