"""Who can be led: animals that nobody rides and bystanders, unless one of those who hold them stands by; and
in whose hands they are then.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from pbem.core.play import Play
from pbem.core.problem import Problem
from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.geometry.hex import neighbours
from pbem.rulesets.siege.state import family
from pbem.rulesets.siege.state.events import Led
from pbem.rulesets.siege.state.state import STUNNED, Battle, Unit, is_prisoner

Rules = Ruleset[Battle]


def why_not(rules: Rules, battle: Battle, unit: Unit, name: str) -> Problem | None:
    """Return why a figure does not lead somebody now, wherever both stand; None if it can."""
    led = battle.units[name]
    names = {"unit": unit.id, "led": name}
    if name == unit.id or not leadable(battle, led):
        return Problem(
            "leading.not-led", names, rule="S3.34b", help="animals that nobody rides are led, and bystanders"
        )
    if not led.living:
        return Problem("leading.gone", names, rule="S3.34b")
    if led.state == STUNNED:
        return Problem("leading.stunned", names, rule="CH0.2g")
    if "moved" in led.did:
        return Problem("leading.again", names, rule="S1.6d")
    for tied in family.of(rules).steps.tied:
        if problem := tied(battle, unit, led):
            return problem
    return guarded(battle, unit, led)


@rule("S3.34b")
def leadable(battle: Battle, led: Unit) -> bool:
    """Tell whether somebody can be led by any figure, even a wounded one: an animal that nobody rides, a
    bystander, or a prisoner.
    """
    afoot = led.kind == "man" and (led.id in battle.field.bystanders or is_prisoner(led))
    return (led.kind != "man" or afoot) and led.id not in battle.rider_of


@rule("E3.34a")
def guarded(battle: Battle, unit: Unit, led: Unit) -> Problem | None:
    """Return that somebody next to one of the side that holds it cannot be led away by another side; None if
    nobody guards it.
    """
    holder = battle.allegiance(led)
    if holder in ("", unit.side):
        return None
    for id_ in sorted({id_ for here in led.hexes for id_ in _around(battle, here)}):
        guard = battle.units[id_]
        if (
            guard.able
            and guard.side == holder
            and guard.kind == "man"
            and id_ not in battle.field.bystanders
            and not guard.mood
        ):
            names = {"unit": unit.id, "led": led.id, "guard": id_}
            return Problem(
                "leading.guarded", names, rule="E3.34a", help=f"drive {id_} away from {led.id} first"
            )
    return None


def _around(battle: Battle, here: str) -> Iterator[str]:
    for other in neighbours(here):
        yield from battle.living_in.get(other, ())


def in_hand(battle: Battle, unit: Unit, names: Sequence[str]) -> Battle:
    """Return the battle with those who are led in the hands of their leader's side; one and the same for
    however many ways it is asked about.
    """
    known, asked = battle.asked[None], ("in hand", unit.side, *names)
    found: Battle | None = known.get(asked)
    if found is None:
        led = (battle.units[name] for name in names)
        found = known[asked] = battle.with_units(*(replace(one, captive_of=unit.side) for one in led))
    return found


def without(battle: Battle, names: Sequence[str]) -> Battle:
    """Return the battle as a leader meets it: those he leads make way for him; one and the same, as above."""
    known, asked = battle.asked[None], ("without", *names)
    found: Battle | None = known.get(asked)
    if found is None:
        found = known[asked] = battle.with_units(*(replace(battle.units[name], at=()) for name in names))
    return found


@rule("S3.34b")
def take(play: Play[Battle], unit: Unit, names: Sequence[str]) -> None:
    """Put those who are led into the hands of their leader's side; its own are only its own again."""
    for name in names:
        led = play.state.units[name]
        side = "" if led.side == unit.side and name not in play.state.field.bystanders else unit.side
        if led.captive_of != side:
            play.happen(Led(name, side, unit.id, "S3.34b"))
