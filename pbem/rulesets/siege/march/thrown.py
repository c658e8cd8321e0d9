"""Off the horse: where a rider comes to lie, or to stand, and what becomes of the horse he sat on.

What made him fall is decided where blows and shots are resolved; which states a rider keeps his saddle in is
``counter``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from pbem.core.play import Play
from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.geometry.hex import distance, neighbours
from pbem.rulesets.siege.ground import counter, stacking
from pbem.rulesets.siege.march import step
from pbem.rulesets.siege.orders import choices
from pbem.rulesets.siege.state.events import Thrown
from pbem.rulesets.siege.state.state import Battle, Unit

Rules = Ruleset[Battle]
NONE, KILLED = "none", "killed"


class Fate(Struct, frozen=True):
    """What a result does to a rider and to his horse: ``none stunned wounded killed``, and whether he falls
    in any case.
    """

    rider: str
    horse: str = NONE
    thrown: bool = False


def befall(rules: Rules, play: Play[Battle], rider: str, fate: Fate, cause: int, rule: str) -> None:
    """Let a result happen to a figure, on a horse or not: first the fall, so nobody lies dead in the saddle,
    then rider, then horse.
    """
    horse = play.state.units[rider].on
    if horse and fate.thrown:
        throw(rules, play, rider, cause)
    if fate.rider != NONE:
        counter.hurt(rules, play, rider, fate.rider, cause, rule)
    if horse:
        horses_fate(rules, play, horse, fate.horse, cause)


@rule("S3.35b")
def horses_fate(rules: Rules, play: Play[Battle], horse: str, fate: str, cause: int) -> None:
    """Leave the horse where it stands, a counter of its own, alive or dead as the result says."""
    if fate == KILLED:
        counter.hurt(rules, play, horse, fate, cause, "S3.35b")


@rule("S3.35a")
def throw(rules: Rules, play: Play[Battle], rider: str, cause: int) -> None:
    """Put a rider off his horse, into a hex beside it that his owner chooses."""
    unit = play.state.units[rider]
    play.happen(Thrown(rider, unit.on, (landing(rules, play, unit, unit.on),), cause, "S3.35a"))


def landing(rules: Rules, play: Play[Battle], unit: Unit, horse: str) -> str:
    """Return the hex where a rider comes off his horse: chosen by his owner, else the one farthest from his
    enemies.
    """
    battle = play.state
    mount = battle.units[horse]
    free = beside(rules, battle, unit, mount) or farther_off(rules, battle, unit, mount)
    ranked = farthest_from_enemies(battle, unit, free or mount.hexes)
    return choices.pick(
        rules,
        play,
        about="land",
        unit=unit.id,
        choices=ranked,
        default=ranked[0],
        rule="S3.35a",
        why=f"{unit.id} comes off {horse}",
        wanted=_wanted(ranked),
    )


def beside(rules: Rules, battle: Battle, unit: Unit, horse: Unit) -> list[str]:
    """Return the free hexes next to a horse that a man on foot could step into, those at its head first, n
    first.
    """
    afoot = replace(unit, on="")
    found = (
        hex_ for here in horse.hexes for hex_ in neighbours(here) if holds(rules, battle, afoot, here, hex_)
    )
    return list(dict.fromkeys(found))


def holds(rules: Rules, battle: Battle, unit: Unit, here: str, hex_: str) -> bool:
    """Tell whether a hex is free for somebody who steps into it from the one beside it."""
    return (
        hex_ in battle.field.ground
        and step.can_pass(rules, battle, unit, here, hex_)
        and _free(rules, battle, unit, hex_)
    )


def _free(rules: Rules, battle: Battle, unit: Unit, hex_: str) -> bool:
    return hex_ not in battle.living_in and stacking.may_stop(rules, battle, unit, hex_)


@rule("S3.35f")
def farther_off(rules: Rules, battle: Battle, unit: Unit, horse: Unit) -> list[str]:
    """Return the free hexes nearest to a horse that has no free hex beside it, by number."""
    afoot = replace(unit, on="")
    far = {
        hex_: min(distance(hex_, here) for here in horse.hexes)
        for hex_, ground in battle.field.ground.items()
        if ground.mp_foot is not None and _free(rules, battle, afoot, hex_)
    }
    nearest = min(far.values(), default=0)
    return sorted(hex_ for hex_, hexes in far.items() if hexes == nearest)


def farthest_from_enemies(battle: Battle, unit: Unit, hexes: Sequence[str]) -> list[str]:
    """Return hexes by their distance to the nearest living enemy, the farthest first; ties
    keep their order.
    """
    others = (
        other
        for other in battle.units.values()
        if battle.foes(unit, other) and other.living and other.kind == "man"
    )
    foes = [hex_ for other in others for hex_ in other.hexes]
    return sorted(hexes, key=lambda hex_: -min((distance(hex_, place) for place in foes), default=0))


def _wanted(ranked: Sequence[str]) -> Callable[[str], str]:
    def wanted(said: str) -> str:
        verb, *rest = said.split()
        if verb == "away":
            return ranked[0]
        return min(ranked, key=lambda hex_: distance(hex_, rest[0])) if verb == "toward" else ""

    return wanted
