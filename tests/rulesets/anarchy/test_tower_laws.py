"""The two laws of legal orders about a siege tower at a wall, with men drawn by chance on its floors, its bridge
and the walk.
"""

from __future__ import annotations

from typing import Any

import case_plugin
import pytest
from test_anarchy_legal_laws import PHASES, kinds, sound, whole
from thorough import deeper, tries

from pbem.bots.chance import Chance
from pbem.core.ruleset import Ruleset
from pbem.rulesets.anarchy.ruleset import ANARCHY
from pbem.rulesets.siege.state.state import Battle

PLAN = [", , , , , , ,", ", , , , , , ,", "B B B B B B B", *[". . . . . . ."] * 7]
AT = ["0405", "0305", "0505", "0406", "0306", "0506", "0407", "0307", "0507", "0408", "0308", "0508"]
FLOORS = {"": 12, "@1": 10, "@2": 10, "@top": 6}
ROUND = ("0202", "0302", "0402", "0303", "0403", "0503", "0207", "0309", "0409", "0509", "0410", "0607")
MEN = ("spearman", "shortbowman", "crossbowman", "average_knight", "technician", "peasant")
STATES = ("healthy", "healthy", "healthy", "wounded", "stunned", "dead")


def given(number: int, phase: str) -> dict[str, Any]:
    """Return a tower with men on it, before it and behind it."""
    chance = Chance(f"tower {number} {phase}")
    lowered = chance.below(2) > 0
    inside = [f"{hex_}{floor}" for floor, count in FLOORS.items() for hex_ in AT[:count]]
    bridge = ["0304@2", "0404@2", "0504@2"] if lowered else []
    free = sorted({*inside, *bridge, *ROUND})
    units: dict[str, dict[str, Any]] = {}

    def put(side: str, place: str, **more: Any) -> None:
        free.remove(place)
        class_ = chance.one_of(MEN)
        units[f"{chance.one_of('abc')}{len(units)}"] = {"side": side, "class": class_, "at": place, **more}

    for place in ("0305@2", "0505@2"):
        if chance.below(3):
            put("east", place)
    for hex_ in AT[:5] if chance.below(2) else ():
        put("east", hex_)
    for _ in range(5):
        put(chance.one_of(("east", "west")), chance.one_of(free), state=chance.one_of(STATES))
    fires = [
        {
            "at": chance.one_of(inside),
            "is": chance.one_of(("fire", "charred")),
            "turns": "1",
            "lit_by": "west",
        }
        for _ in range(chance.below(3))
    ]
    tower: dict[str, Any] = {
        "id": "tower1",
        "kind": "siege-tower",
        "side": "east",
        "at": " ".join(AT),
        "facing": "n",
    }
    if lowered:
        tower["stands"] = "lowered"
    if chance.below(3) == 0:
        tower["rolled"] = "t2.east.movement"
    return {
        "map": PLAN,
        "key": {"B": "battlement", ",": "courtyard", ".": "flat"},
        "map-sides": {"parapet": {"s": "0103 0203 0303 0403 0503 0603 0703"}},
        "units": units,
        "things": [tower],
        "features": list({fire["at"]: fire for fire in fires}.values()),
        "marks": {"edge": "0110 0210 0310", "gate": "0110 0701"},
        "enters": {"east": "edge", "west": "edge"},
        "at": f"t2.east.{phase}",
    }


def laid(number: int, phase: str) -> tuple[Ruleset[Battle], Battle]:
    """Return the rules and the battle of a number."""
    said = given(number, phase)
    rules = case_plugin.chosen(ANARCHY, said)
    return rules, case_plugin.battle_of(rules, said)


@pytest.mark.parametrize("phase", PHASES)
def test_what_is_listed_at_a_tower_passes(phase: str) -> None:
    found = [set(kinds(sound(*laid(number, phase)))) for number in range(tries(12, 150))]
    assert sum(map(bool, found)) > 2
    if phase == "movement":
        listed = set[str]().union(*found)
        assert {"Move", "lower"} <= listed
        assert {"up", "down"}.isdisjoint(listed), (
            "the ladders of its floors lead to the hexes beside (A4.2.5c)"
        )


@deeper
@pytest.mark.parametrize("phase", PHASES)
def test_what_passes_at_a_tower_is_listed(phase: str) -> None:
    for number in range(tries(1, 15)):
        whole(number, *laid(number, phase))
