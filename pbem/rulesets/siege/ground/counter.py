"""Counters: the two that stand for a figure on foot, the pair of a mounted one, what is printed on them, and
what turns them over.

Who is hit, and by what, is decided where blows and shots are resolved; where a rider lies who is no longer on
his horse is ``thrown``.
"""

from __future__ import annotations

from typing import Final

from pbem.core.play import Play
from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.rulesets.siege.state.events import StateChanged
from pbem.rulesets.siege.state.state import DEAD, HEALTHY, STUNNED, WOUNDED, Battle, Unit

Rules = Ruleset[Battle]
ALL: Final = ("attack", "defence", "move")


@rule("CH0.2m")
def printed(state: str) -> tuple[str, ...]:
    """Return what is printed on the side that shows a state: three values, only the defence of a stunned
    figure, nothing of a dead one.
    """
    return () if state == DEAD else ("defence",) if state == STUNNED else ALL


@rule("CH0.2g")
def lies_stunned(unit: Unit) -> bool:
    """Tell whether a figure lies stunned: it cannot move, shoot or fight, and has only a
    very small defence.
    """
    return unit.state == STUNNED


def side_up(unit: Unit) -> str:
    """Return the row of the roster for the side that lies up; a rider has rows of his own, and the dead have
    none.
    """
    state = WOUNDED if weakened(unit) else HEALTHY if unit.state == WOUNDED else unit.state
    return f"mounted_{state}" if shown_mounted(unit) and keeps_his_saddle(unit.state) else state


@rule("CH0.2h")
def shown_mounted(unit: Unit) -> bool:
    """Tell whether a figure is shown by its mounted pair: a healthy rider with a horse alone behind, a
    wounded one with a dead horse.
    """
    return bool(unit.on)


@rule("CH0.2i")
def keeps_his_saddle(state: str) -> bool:
    """Tell whether a rider in a state stays on his horse: wounded he does, and shows the second counter of
    his mounted pair.
    """
    return state in (HEALTHY, WOUNDED)


@rule("CH0.2j")
def comes_off(unit: Unit, state: str) -> bool:
    """Tell whether a rider in a new state is replaced by a horse and his own counter on foot, because nobody
    rides in it.
    """
    return bool(unit.on) and not keeps_his_saddle(state)


@rule("CH0.2n")
def weakened(unit: Unit) -> bool:
    """Tell whether a figure has the values of its second counter, lower in everything printed, because it is
    wounded, or has no arms.
    """
    return unit.state == WOUNDED or unit.disarmed


# --- what turns them over


def after(rules: Rules, state: str, effect: str) -> str:
    """Return the state of a living figure after ``stunned``, ``wounded`` or ``killed`` happened to it."""
    if state == WOUNDED and effect == "stunned":
        return stunned_when_wounded(rules, state)
    return _shown(rules, state, effect)


def _shown(rules: Rules, state: str, effect: str) -> str:
    return str(rules.tables["counters"]["rows"][state][effect])


@rule("CH0.2e")
def stunned_when_wounded(rules: Rules, state: str) -> str:
    """Return the state of a wounded figure after a stun, for which no side is printed: that of the table, or
    by the option unchanged.
    """
    return _shown(rules, state, "stunned") if rules.setting("stun_on_wounded") == "killed" else state


def hurt(rules: Rules, play: Play[Battle], unit_id: str, effect: str, cause: int, rule: str) -> None:
    """Let ``stunned``, ``wounded`` or ``killed`` happen to a figure; tell it if that changes anything. The
    dead stay dead.

    Who comes off his horse lies beside it before his state changes, so that nothing that follows meets a dead
    man in the saddle.
    """
    unit = play.state.units[unit_id]
    if unit.state == DEAD:
        return
    now = after(rules, unit.state, effect)
    if now == unit.state:
        return
    if comes_off(unit, now):
        for follow in rules.follows.get("fall", ()):
            follow(rules, play, unit_id, cause)
    fell = play.happen(StateChanged(unit_id, unit.state, now, str(play.state.at), cause, rule))
    if now == DEAD:
        for follow in rules.follows.get("death", ()):
            follow(rules, play, unit_id, fell)
