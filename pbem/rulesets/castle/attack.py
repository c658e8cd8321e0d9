"""Attacks: what hits, what a dial loses, and what two dice do by themselves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pbem.core.odds import Modifier, Tally
from pbem.core.play import Play
from pbem.core.rule import rule
from pbem.rulesets.castle.arcs import in_rear
from pbem.rulesets.castle.dial import Rules, can, heal, hurt, window
from pbem.rulesets.castle.events import Attacked, Rolled
from pbem.rulesets.castle.ruin import settle
from pbem.rulesets.castle.sight import One, through_hindering
from pbem.rulesets.castle.space import elevated, neighbours
from pbem.rulesets.castle.state import Figure, Section, War

HIT, MISSED, CRITICAL, FUMBLED = "hit", "missed", "critical hit", "critical miss"


@rule("MKB14")
def cover(rules: Rules, war: War, one: One, target: One) -> Modifier | None:
    """Return what hindering ground is worth against a shot."""
    if can(rules, one, "magic-blast") or not through_hindering(rules, war, one, target):
        return None
    return Modifier("MKB14", "hindering ground", rules.tables["attacks"]["hindering"])


@rule("MK10.4", "MK16.2", "MK14.9")
def height(rules: Rules, war: War, one: One, target: One) -> Modifier | None:
    """Return what the higher of two levels is worth to a target: a section is always on it."""
    if not elevated(rules, war, target) or elevated(rules, war, one):
        return None
    return Modifier("MKB14", "height", rules.tables["attacks"]["height"])


@rule("MKB10")
def from_behind(rules: Rules, units: Sequence[Figure], target: One) -> Modifier | None:
    """Return what an attack from the rear arc is worth."""
    if not in_rear(rules, target, units[0]):
        return None
    return Modifier("MKB10", "from behind", rules.tables["attacks"]["rear_bonus"])


def tally(base: int, said: str, modifiers: Iterable[Modifier | None]) -> Tally:
    """Return a value with what moves it."""
    found = Tally(base, said)
    for modifier in modifiers:
        found = found.plus(modifier)
    return found


def chance(rules: Rules, needs: int) -> tuple[int, int]:
    """Return in how many of how many throws of the dice an attack hits that needs so much (MKB10)."""
    dice = rules.tables["attacks"]["dice"]
    sums = {0: 1}
    for _ in range(dice["count"]):
        after: dict[int, int] = {}
        for total, ways in sums.items():
            for face in range(1, dice["sides"] + 1):
                after[total + face] = after.get(total + face, 0) + ways
        sums = after
    hits = sum(ways for total, ways in sums.items() if outcome(rules, total, needs) in (HIT, CRITICAL))
    return hits, sum(sums.values())


@rule("MKB10")
def outcome(rules: Rules, total: int, needs: int) -> str:
    """Return how an attack comes out: the lowest throw always misses, the highest always hits."""
    table = rules.tables["attacks"]
    if total == table["miss"]:
        return FUMBLED
    if total == table["hit"]:
        return CRITICAL
    return HIT if total >= needs else MISSED


def throw(
    rules: Rules,
    play: Play[War],
    label: str,
    attackers: Sequence[str],
    target: str,
    how: str,
    attack: Tally,
    defence: Tally,
) -> str:
    """Roll for an attack and return how it came out."""
    dice = rules.tables["attacks"]["dice"]
    values = play.roll(label, dice["sides"], dice["count"])
    play.happen(Rolled(f"{play.cursor}/{label}", dice["sides"], values, "MKB10"))
    needs = defence.total - attack.total
    came = outcome(rules, sum(values), needs)
    reasons = ", ".join(f"{one.shift:+d} {one.label}" for one in (*attack.modifiers, *defence.modifiers))
    play.happen(
        Attacked(
            tuple(attackers), target, how, attack.total, defence.total, needs, sum(values), came, reasons
        )
    )
    if came == FUMBLED:
        fumble(rules, play, attackers[0])
    return came


@rule("MK3.4")
def unharmed_by_itself(one: One) -> bool:
    """Tell whether nothing that somebody does itself harms it: no push and no critical miss, of a section."""
    return isinstance(one, Section)


def fumble(rules: Rules, play: Play[War], attacker: str) -> None:
    """Turn the dial of whoever missed critically."""
    if not unharmed_by_itself(play.state.one(attacker)):
        hurt(rules, play, attacker, rules.tables["attacks"]["critical_clicks"], "critical miss")
        settle(rules, play, attacker)


def damage(
    rules: Rules, play: Play[War], attacker: str, target: str, clicks: int, came: str, why: str
) -> None:
    """Turn the dial of a target that was hit, with what follows from it."""
    war = play.state
    one, other = war.one(attacker), war.one(target)
    if came == CRITICAL:
        clicks += rules.tables["attacks"]["critical_clicks"]
    before = neighbours(rules, war, other) if isinstance(other, Figure) else ()
    hurt(rules, play, target, clicks, why)
    if can(rules, one, "vampirism") and clicks and affected(other):
        heal(rules, play, attacker, rules.tables["attacks"]["vampirism"], "vampirism")
    if can(rules, one, "explosive") and why != "close attack":
        for near in before:
            hurt(rules, play, near.id, rules.tables["attacks"]["explosive"], "explosion")
    for id_ in (target, *(near.id for near in before)):
        settle(rules, play, id_)


@rule("MK3.2")
def affected(target: One) -> bool:
    """Tell whether healing, confusion, freeze, levitation, vampirism and poison do anything to somebody: not
    to a section.
    """
    return not isinstance(target, Section)


def value(rules: Rules, one: One, name: str) -> int:
    """Return attack, defence or damage as the dial shows it."""
    found: int = getattr(window(rules, one), name)
    return found
