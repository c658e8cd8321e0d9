"""Actions: how many a side has, tokens, and who is pushed."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.core.play import Play
from pbem.core.problem import Problem
from pbem.core.rule import rule
from pbem.rulesets.castle.attack import unharmed_by_itself
from pbem.rulesets.castle.dial import Rules, can, hurt, row
from pbem.rulesets.castle.events import Acted, Rested, Thawed
from pbem.rulesets.castle.ruin import settle
from pbem.rulesets.castle.state import Figure, Section, War


@rule("MKB2")
def allowance(rules: Rules, war: War, side: str) -> int:
    """Return how many actions a side has in its turn: one for every full hundred points it was built for, and
    what a leader has won.
    """
    found: int = war.board.side(side).build // rules.tables["actions"]["points_for_an_action"]
    return found + war.more


@rule("MK12.6", "MK12.7")
def extra(rules: Rules, war: War, side: str) -> int:
    """Return how many more a side has while a citadel, or another section that is no wall, stands: the best
    of them alone counts.
    """
    table = rules.tables["actions"]["extra"][rules.setting("game")]
    kinds = [row(rules, section) for section in war.standing if section.side == side]
    if any(kind["citadel"] for kind in kinds):
        found: int = table["citadel"]
        return found
    return int(table["other"]) if any(not kind["wall"] for kind in kinds) else 0


@rule("MK12.8")
def for_sections_alone(units: Sequence[Figure | Section]) -> bool:
    """Tell whether an extra action may be given: to sections, and to nobody else (MKA3)."""
    return all(isinstance(one, Section) for one in units)


def used(war: War, side: str) -> tuple[int, int]:
    """Return the actions that a side has used in its turn: of all, and of those those of the allowance."""
    sections = sum(one.acted for one in war.sections if one.side == side)
    return war.spent + sections, war.spent


def none_left(rules: Rules, war: War, side: str, units: Sequence[Figure | Section]) -> Problem | None:
    """Return why no action is left for somebody, or None: extra ones are used before the others by
    sections.
    """
    most, more = allowance(rules, war, side), extra(rules, war, side)
    shots = sum(one.acted for one in war.sections if one.side == side)
    if for_sections_alone(units):
        left = most + more - war.spent - shots
    else:
        left = most - war.spent - max(shots - more, 0)
    if left > 0:
        return None
    return Problem("castle.no-action", {"most": most, "more": more}, rule="MKB2")


@rule("MKB3", "MK12.1")
def once(rules: Rules, one: Figure | Section, moves: bool) -> Problem | None:
    """Return why somebody cannot act again in this turn, or None: everybody acts once in it."""
    if one.acted and not twice(rules, one, moves):
        return Problem("castle.acted", {"who": one.name}, rule="MKB3")
    return None


@rule("MKB20")
def twice(rules: Rules, one: Figure | Section, moves: bool) -> bool:
    """Tell whether somebody acts a second time: a titan, after a move that began with no enemy at its
    base.
    """
    most = rules.tables["actions"]["titan_actions"]
    return isinstance(one, Figure) and one.ran and can(rules, one, "titan") and not moves and one.acted < most


def exhausted(rules: Rules, one: Figure | Section) -> Problem | None:
    """Return why somebody with two tokens, or who is frozen, cannot act, or None (MKB4)."""
    if one.tokens >= rules.tables["actions"]["push_tokens"] and not one.acted:
        return Problem("castle.two-tokens", {"who": one.name}, rule="MKB4")
    if isinstance(one, Figure) and one.frozen:
        return Problem("castle.frozen", {"who": one.name}, rule="MKB22")
    return None


@rule("MKB4", "MK12.2", "MK12.5")
def acted(rules: Rules, play: Play[War], units: Sequence[str], ran: bool = False) -> None:
    """Give a token to each of those who had one action; who had one already was pushed, and is hurt by it
    unless it is a section.
    """
    for n, id_ in enumerate(units):
        one = play.state.one(id_)
        if one.acted:
            play.happen(Acted(id_, one.tokens, int(not n)))
            continue
        pushed = one.tokens > 0
        play.happen(Acted(id_, one.tokens + 1, int(not n and isinstance(one, Figure)), ran))
        if pushed and not one.out and not unharmed_by_itself(one):
            hurt(rules, play, id_, rules.tables["actions"]["push_clicks"], "push")
            settle(rules, play, id_)


@rule("MKB3")
def rest(rules: Rules, play: Play[War], side: str) -> None:
    """End a player turn: who did not act loses his tokens."""
    idle = tuple(one.id for one in play.state.of(side) if one.tokens and not one.acted)
    if idle:
        play.happen(Rested(idle))
    thawed = tuple(one.id for one in play.state.figures if one.side == side and one.frozen)
    if thawed:
        play.happen(Thawed(thawed))
