"""Jobs: work that takes a figure its whole turn, in which it does nothing else.

What the work is, and what comes of it, is decided where it belongs (``mounting``, ``wagons``); when it is
done is ``deeds``.
"""

from __future__ import annotations

from pbem.core.problem import Problem, first_problem
from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.rulesets.siege.state import family
from pbem.rulesets.siege.state.deed import work_of
from pbem.rulesets.siege.state.state import Battle, Job, Unit

Rules = Ruleset[Battle]


@rule("S3.33a")
def busy(rules: Rules, unit: Unit) -> Problem | None:
    """Return what keeps a figure from everything else this turn; None if it is not at work."""
    if unit.job is None:
        return None
    return Problem(
        "jobs.busy",
        {"unit": unit.id, "work": work_of(rules, unit.job.do).said},
        rule="S3.33a",
        help="he is free again when it is done",
    )


@rule("S3.33a")
def too_late(rules: Rules, battle: Battle, unit: Unit, do: str) -> Problem | None:
    """Return what a figure has done already this turn, or what else keeps it from work for a whole turn; None
    if it may begin.
    """
    if not unit.did:
        return first_problem(bars(rules, battle, unit) for bars in family.of(rules).steps.no_work)
    names = {"unit": unit.id, "work": work_of(rules, do).said, "did": " and ".join(unit.did)}
    return Problem(
        "jobs.too-late", names, rule="S3.33a", help="it takes a whole turn, in which he does nothing else"
    )


def begun(battle: Battle, do: str, what: str) -> Job:
    """Return a piece of work that begins now."""
    return Job(do, what, str(battle.at))
