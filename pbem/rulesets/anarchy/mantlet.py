"""Mantlets of The Anarchy: what is otherwise with them than with those of Siege (``mantlets``, ``bearing``).

They are not turned, hide who is behind them on their own level from every side, and keep horses out of their
hex.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from pbem.core.problem import Problem
from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.geometry.hex import SIDES, side_number
from pbem.rulesets.siege.ground import heights
from pbem.rulesets.siege.march import step
from pbem.rulesets.siege.state import loads
from pbem.rulesets.siege.state.family import Bar, Covered, where_there_is
from pbem.rulesets.siege.state.line import Line
from pbem.rulesets.siege.state.loads import MANTLET
from pbem.rulesets.siege.state.state import Battle, Thing, Unit
from pbem.rulesets.siege.things import mantlets

Rules = Ruleset[Battle]


# --- what it costs its bearer, and where it gets


@rule("A3.5.1a")
@where_there_is(MANTLET)
def burden(rules: Rules, battle: Battle, unit: Unit) -> int:
    """Return how many points a figure has less in its movement phase because it moves a mantlet along."""
    return mantlets.burden(rules, battle, unit)


@where_there_is(MANTLET)
def bars_of(rules: Rules, battle: Battle, unit: Unit) -> Bar | None:
    """Return what mantlets bar a figure from: those of others as in Siege, its own from ground that is closed
    to horses; None where there are none.
    """
    bears = loads.held(battle, unit, MANTLET) is not None
    if not bears and not loads.lying(battle, MANTLET):
        return None

    standing = mantlets.standing(battle)

    def bar(here: str, there: str) -> Problem | None:
        if (here, there) in standing and (problem := mantlets.bars(battle, unit, here, there)):
            return problem
        return too_rough(rules, battle, unit, here, there) if bears else None

    return bar


@rule("A3.5.1b")
def too_rough(rules: Rules, battle: Battle, unit: Unit, here: str, there: str) -> Problem | None:
    """Return that a figure does not get into a place with the mantlet it bears, since no horse would and it
    is no filled moat; None if it does.
    """
    found = mantlets.too_rough(rules, battle, unit, here, there)
    return None if found is None else replace(found, rule="A3.5.1b")


@rule("A3.5.3c")
@where_there_is(MANTLET)
def keeps_horses_out(battle: Battle, unit: Unit, there: str) -> Problem | None:
    """Return that a mantlet stands in a place, which no horse enters; None of any other place or figure."""
    if not battle.things or not step.as_horse(unit):
        return None
    found = next((thing for thing in loads.lying(battle, MANTLET) if thing.at == (there,)), None)
    if found is None:
        return None
    names = {"unit": unit.id, "hex": there, "thing": found.id}
    return Problem("mantlet.no-horse", names, rule="A3.5.3c", help="go round it")


# --- the side along which it stands


@where_there_is(MANTLET)
def cannot_turn(rules: Rules, battle: Battle, unit: Unit, facing: str, left: int) -> Problem | None:
    """Return that a figure does not turn the mantlet it bears in its move; None if it may, or does not."""
    mantlet = loads.held(battle, unit, MANTLET)
    if mantlet is None or facing in ("", mantlet.facing, *turns_to(rules, mantlet)):
        return None
    by_one = rules.setting("mantlet_turn") == "true"
    said = f"by one hexside, to {' or '.join(turns_to(rules, mantlet))}" if by_one else "mantlets keep theirs"
    return Problem("mantlet.not-turned", {"unit": unit.id, "thing": mantlet.id}, rule="A3.5.1c", help=said)


@rule("A3.5.1c")
def turns_to(rules: Rules, mantlet: Thing) -> tuple[str, ...]:
    """Return the sides along which a mantlet may be set in the move of its bearer beside its own: none, or by
    the option the two next to it.
    """
    if rules.setting("mantlet_turn") != "true":
        return ()
    at = side_number(mantlet.facing)
    return SIDES[(at + 1) % 6], SIDES[(at - 1) % 6]


@rule("A3.5.1c")
def set_down_as_it_is(unit: Unit, mantlet: Thing, facing: str) -> Problem | None:
    """Return that a mantlet is not turned as it is put down, so that it is turned once in a phase at most;
    None if it is not.
    """
    if facing in ("", mantlet.facing):
        return None
    names = {"unit": unit.id, "thing": mantlet.id}
    return Problem("mantlet.not-turned", names, rule="A3.5.1c", help=f"leave out: facing {facing}")


# --- what it covers, hides and bars


@rule("A3.5.2b")
@where_there_is(MANTLET)
def cover(rules: Rules, battle: Battle, target: Unit, line: Line) -> Covered:
    """Return the cover that a mantlet gives a figure in its hex against a shot by its front or a side next to
    that; None for every other.
    """
    found = mantlets.cover(rules, battle, target, line)
    return None if found is None else (found[0], "A3.5.2b")


def standing(battle: Battle) -> Mapping[str, str]:
    """Return hex -> the mantlet in it."""
    return battle.once(
        "mantlets standing", lambda: {thing.at[0]: thing.id for thing in loads.lying(battle, MANTLET)}
    )


@rule("A3.5.3a")
def hides(rules: Rules, battle: Battle, line: Line, hex_: str) -> bool:
    """Tell whether a mantlet in a hex stops the shots of figures on its level; those who stand higher or
    lower see past it.
    """
    return hex_ in standing(battle) and on_one_level(rules, battle, line, hex_)


def on_one_level(rules: Rules, battle: Battle, line: Line, hex_: str) -> bool:
    """Tell whether a line leads from a level to the same one, and what is in a hex stands on that too."""
    if line.view is None:
        return True
    places = (line.view.start, hex_, line.view.end)
    return len({heights.level(rules, battle, place) for place in places}) == 1


def in_the_way(battle: Battle, names: Mapping[str, str], hex_: str) -> Problem:
    """Return that the mantlet in a hex stops a shot."""
    args = {**names, "thing": standing(battle)[hex_], "hex": hex_}
    help_ = "shoot past it, or from another level"
    return Problem("mantlet.hides", args, rule="A3.5.3a", help=help_)


@rule("A3.5.4")
@where_there_is(MANTLET)
def no_blows(rules: Rules, battle: Battle, attacker: Unit, defender: Unit) -> Problem | None:
    """Return that the front of a mantlet is between two figures, through which nobody fights; None if there
    is a way round it.
    """
    found = mantlets.no_blows(rules, battle, attacker, defender)
    return None if found is None else replace(found, rule="A3.5.4")


@rule("A3.5.4")
@where_there_is(MANTLET)
def no_way_back(battle: Battle, here: str, there: str) -> bool:
    """Tell whether the front of a mantlet is between two places, through which nobody gives way."""
    return mantlets.no_way_back(battle, here, there)
