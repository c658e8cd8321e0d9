"""The rules in short: what The Anarchy has beside Siege, told where the scenario has it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from msgspec.structs import replace

from pbem.core.briefing import Chapter, Said
from pbem.core.ruleset import Ruleset
from pbem.rulesets.anarchy import bridge, cauldron, hoarding, oxen, scaffolding, stones
from pbem.rulesets.siege.ground import towers
from pbem.rulesets.siege.state import family, loads
from pbem.rulesets.siege.state.state import Battle
from pbem.rulesets.siege.views import primer as siege

Rules = Ruleset[Battle]
SPECIAL: Final = "primer.special-title"


def primer(rules: Rules, battle: Battle) -> Sequence[Chapter]:
    """Return the rules in force in short, with what is special here."""
    chapters = siege.primer(rules, battle)
    said = tuple(_special(rules, battle))
    if not said or any(chapter.title.key == SPECIAL for chapter in chapters):
        return tuple(
            replace(chapter, sentences=(*chapter.sentences, *said))
            if chapter.title.key == SPECIAL
            else chapter
            for chapter in chapters
        )
    before = next(
        (n for n, one in enumerate(chapters) if one.title.key == "primer.orders-title"), len(chapters)
    )
    return (*chapters[:before], Chapter(Said(SPECIAL), said), *chapters[before:])


def _special(rules: Rules, battle: Battle) -> Iterator[Said]:
    field, tables = battle.field, rules.tables
    kinds = {thing.kind for thing in battle.things.values()} | {entry.thing.kind for entry in field.gear}
    people = [field.people[force.person] for force in field.forces]
    work, least = tables["jobs"]["rows"]["break_in"], tables["capture"]["least"]
    sling = tables["ranges_and_modifiers"]["arcs"]["staff_sling"]
    drawn = {id_ for id_, kind in family.of(rules).kinds.items() if kind.drawn}
    told: dict[str, tuple[bool, dict[str, Any]]] = {
        "doors": (any(fixture.leaf for fixture in field.fixtures.values()), {"turns": work["turns"]}),
        "scaffolds": (scaffolding.SCAFFOLD in kinds, {}),
        "bridges": (bridge.BRIDGE in kinds, {}),
        "chests": (loads.CHEST in kinds, {}),
        "hoardings": (hoarding.HOARDING in kinds, {}),
        "throwing": (stones.STONES in kinds, {}),
        "towers": (towers.TOWER in kinds, {}),
        "cauldrons": (cauldron.CAULDRON in kinds, {}),
        "oxen": (
            bool(drawn & kinds) and any(p.class_ == oxen.OX for p in people),
            {"hexes": oxen.hexes(rules)},
        ),
        "slings": (
            any(person.weapon == sling["title"] for person in people),
            {"nearest": sling["nearest"], "farthest": sling["farthest"]},
        ),
        "captives": (
            any(person.panic_group == "knight" for person in people),
            {"difference": least["difference"], "guards": least["guards"]},
        ),
    }
    for name, (there, args) in told.items():
        if there:
            yield Said(f"primer.{name}", args)
