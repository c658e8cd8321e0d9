"""The rules in short, for somebody who plays for the first time: what a turn is made of, what its numbers do,
and what is special here.

Only what is in force in the game is told, and only what is there: riders where somebody rides, ladders where
one lies. Every number is read from the tables and the map of the game; the sentences stand in the catalogue
of words.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from pbem.core.briefing import Chapter, Said
from pbem.core.ruleset import Ruleset
from pbem.rulesets.siege.combat import chances, fire_arrows, may_attack, ranges
from pbem.rulesets.siege.scenario import gear
from pbem.rulesets.siege.state import family
from pbem.rulesets.siege.state.field import MOAT, SLOPE, TENT, Field, Terrain
from pbem.rulesets.siege.state.state import Battle
from pbem.rulesets.siege.things import works

Rules = Ruleset[Battle]
COLUMNS: Final = ("1:1", "2:1", "3:1", "5:1", "8:1")
"""Of these columns of the combat table it is told what the ten faces of the die do."""
ENGINES: Final = ("siege-tower", "ram", "penthouse")
STONES: Final = ("mangonel", "trebuchet")


def primer(rules: Rules, battle: Battle) -> tuple[Chapter, ...]:
    """Return the rules in force in short, what is needed first at the beginning."""
    chapters = (
        ("turn", _turn(rules, battle)),
        ("moving", _moving(rules, battle)),
        ("shooting", _shooting(rules, battle)),
        ("fighting", _fighting(rules, battle)),
        ("hurt", _hurt(rules, battle)),
        ("special", _special(rules, battle)),
        ("orders", _orders(rules)),
        ("nobody-asks", iter((_s("standing"),))),
    )
    made = (Chapter(_s(f"{name}-title"), tuple(said)) for name, said in chapters)
    return tuple(chapter for chapter in made if chapter.sentences)


def _s(key: str, **args: Any) -> Said:
    return Said(f"primer.{key}", args)


# --- the four phases


def _turn(rules: Rules, battle: Battle) -> Iterator[Said]:
    yield _s("values")
    yield _s("turn")
    for phase in rules.sequence.phases:
        yield _s(f"phase-{phase.id}", heading=phase.heading)
    yield _s("one-order")


def _moving(rules: Rules, battle: Battle) -> Iterator[Said]:
    grounds: dict[str, Terrain] = {terrain.id: terrain for terrain in battle.field.ground.values()}
    alike: dict[str, list[str]] = {}
    for terrain in grounds.values():
        if terrain.mp_foot is not None:
            alike.setdefault(_worth(terrain), []).append(terrain.title)
    yield _s("grounds", grounds="; ".join(f"{', '.join(names)} {worth}" for worth, names in alike.items()))
    if barred := sorted({terrain.title for terrain in grounds.values() if terrain.mp_foot is None}):
        yield _s("grounds-barred", grounds=", ".join(barred))
    yield _s("enemies-bar")


def _worth(terrain: Terrain) -> str:
    """Return the points of a ground, and what it is good for: ``2 (light cover, bad in a fight)``."""
    notes = [f"{terrain.cover} cover"] if terrain.cover in ("light", "medium", "heavy") else []
    signs = {terrain.melee_attacker, terrain.melee_defender}
    notes += ["good in a fight"] if "+" in signs else ["bad in a fight"] if "-" in signs else []
    return str(terrain.mp_foot) + (f" ({', '.join(notes)})" if notes else "")


def _shooting(rules: Rules, battle: Battle) -> Iterator[Said]:
    weapons = sorted({person.missile for person in battle.field.people.values() if person.missile})
    if not weapons:
        return
    yield _s("shot")
    for weapon in weapons:
        limits = {name: last for name, _, last in ranges.bands(rules, weapon)}
        yield _s(f"weapon-{weapon.replace('_', '-')}", **limits, far=max(limits.values()))
    stops = sorted(
        {
            terrain.title
            for terrain in battle.field.ground.values()
            if terrain.blocks_line and terrain.floor == "ground"
        }
    )
    yield _s("line", grounds=", ".join(stops)) if stops else _s("line-open")


def _fighting(rules: Rules, battle: Battle) -> Iterator[Said]:
    grid = family.of(rules).melee.table(rules, ())
    yield _s("odds")
    if may_attack.below_one in family.of(rules).melee.groups:
        yield _s("below-one" if rules.setting("odds_below_one") == "impossible" else "below-one-tried")
    yield _s("columns")
    for column in [column for column in grid.columns if column in COLUMNS] or grid.columns:
        theirs, ours = chances.of_attack(rules, battle, (), column)
        yield _s("column", column=column, theirs=_faces(theirs), ours=_faces(ours))
    if any(force.on for force in battle.field.forces):
        yield _s("against-riders")


def _faces(faces: tuple[str, ...]) -> str:
    """Return how many faces do what: ``2 wounded, 1 driven back``; empty where none does anything."""
    return chances.said(faces).partition(": ")[2]


def _hurt(rules: Rules, battle: Battle) -> Iterator[Said]:
    stays = rules.setting("retreat_model") == "one_hex_blocked_stays"
    names = ["driven-back-stays" if stays else "driven-back", "stunned", "wounded", "advance"]
    if any(person.missile for person in battle.field.people.values()):
        names.insert(1, "in-cover")
    yield from (_s(name) for name in names)


# --- what not every game has


def _special(rules: Rules, battle: Battle) -> Iterator[Said]:
    field = battle.field
    kinds = {thing.kind for thing in (*(entry.thing for entry in field.gear), *field.wagons)}
    told = {
        "riders": any(force.on for force in field.forces),
        "enters": any(force.enters for force in field.forces),
        "sleepers": bool(field.sleepers),
        "bystanders": bool(field.bystanders),
        "slopes": any(SLOPE in terrain.traits for terrain in field.ground.values()),
        "doorways": any(terrain.opening in ("doorway", "gateway") for terrain in field.ground.values()),
        "walls": any(terrain.floor == "walk" for terrain in field.ground.values()),
        "moat": any(MOAT in terrain.traits for terrain in field.ground.values()),
        "drawbridge": any(fixture.kind == "drawbridge" for fixture in field.fixtures.values()),
        "ladders": gear.LADDER in kinds,
        "engines": bool(kinds & set(ENGINES)),
        "ram": "ram" in kinds and "battering" in rules.modules,
        "ballista": gear.BALLISTA in kinds,
        "fire": "camp" in rules.modules and (gear.BALLISTA in kinds or _has_tents(field)),
        "mantlets": gear.MANTLET in kinds,
        "oil": gear.OIL in kinds,
        "wagons": bool(field.wagons),
        "works": any(is_ in has for has in field.supplies.values() for is_ in works.BECOMES.values()),
        "fire-arrows": any(has.get(fire_arrows.SUPPLY) for has in field.supplies.values()),
        "stones": bool(kinds & set(STONES)),
        "days": field.days > 1,
        "panic": rules.setting("panic_and_rout") == "true",
        "skill": rules.setting("shooter_skill") == "true",
    }
    yield from (_s(name) for name, there in told.items() if there)


def _orders(rules: Rules) -> Iterator[Said]:
    yield _s("one-line")
    yield _s("sections", headings=[phase.heading for phase in rules.sequence.phases if phase.heading])
    yield from (_s(name) for name in ("forms", "instead", "when", "stop"))


def _has_tents(field: Field) -> bool:
    return any(TENT in terrain.traits for terrain in field.ground.values())
