"""The rules in short tell what The Anarchy has beside Siege, where the scenario has it; samples show it."""

from __future__ import annotations

from typing import Any

import case_plugin
import pytest
from strongholds import stronghold

from pbem.bots.chance import Chance
from pbem.core.ruleset import Ruleset
from pbem.rulesets.anarchy import primer
from pbem.rulesets.anarchy.ruleset import ANARCHY
from pbem.rulesets.siege.state.state import Battle
from pbem.rulesets.siege.views import sheet

OF_THINGS = {
    "chest": "chests",
    "bridge": "bridges",
    "cauldron": "cauldrons",
    "scaffold": "scaffolds",
    "hoarding": "hoardings",
    "stones": "throwing",
    "siege-tower": "towers",
}
KNIGHT = {"hugh": {"side": "east", "class": "average_knight", "at": "0101"}}
OXEN = {
    "ox1": {"side": "east", "class": "ox", "at": "0506"},
    "giles": {"side": "east", "class": "peasant", "at": "0405"},
}
RAM = [{"id": "ram1", "kind": "ram", "side": "east", "at": "0507 0508 0509", "facing": "n"}]


def laid(given: dict[str, Any]) -> tuple[Ruleset[Battle], Battle]:
    rules = case_plugin.chosen(ANARCHY, given)
    return rules, case_plugin.battle_of(rules, given)


def special(given: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Return what is told to be special, by key."""
    rules, battle = laid(given)
    chapters = rules.interface.primer(rules, battle)
    found = [chapter for chapter in chapters if chapter.title.key == "primer.special-title"]
    return {said.key.removeprefix("primer."): dict(said.args) for one in found for said in one.sentences}


def test_an_open_field_has_nothing_of_it() -> None:
    told = special({"units": {"hob": {"side": "east", "class": "spearman", "at": "0101"}}})
    assert told.keys().isdisjoint({*OF_THINGS.values(), "doors", "oxen", "slings", "captives"})


@pytest.mark.parametrize("number", range(6))
def test_what_stands_on_the_map_is_told(number: int) -> None:
    given = stronghold(Chance(f"told {number}"), "movement")
    told, kinds = special(given), {thing["kind"] for thing in given["things"]}
    assert told["doors"] == {"turns": 2}
    assert {key for kind, key in OF_THINGS.items() if kind in kinds} == told.keys() & {*OF_THINGS.values()}
    slings = any(said["class"] == "staff_slinger" for said in given["units"].values())
    assert ("slings" in told) == slings


def test_knights_slings_and_oxen_are_told_with_their_numbers() -> None:
    assert special({"units": KNIGHT})["captives"] == {"difference": 60, "guards": 2}
    sling = {"alric": {"side": "east", "class": "staff_slinger", "at": "0101"}}
    assert special({"units": sling})["slings"] == {"nearest": 3, "farthest": 20}
    assert special({"units": OXEN, "things": RAM})["oxen"] == {"hexes": 4}
    assert "oxen" not in special({"units": OXEN})


def test_a_sling_and_an_ox_are_among_the_samples() -> None:
    units = {
        **OXEN,
        "alric": {"side": "east", "class": "staff_slinger", "at": "0803"},
        "hob": {"side": "east", "class": "spearman", "at": "0806"},
        "odo": {"side": "east", "class": "spearman", "at": "0905"},
        "wulf": {"side": "west", "class": "spearman", "at": "0808"},
        "ulf": {"side": "west", "class": "spearman", "at": "1203"},
    }
    rules, battle = laid({"units": units, "things": RAM, "at": "t1.east.movement"})
    lines = [sample.entry for sample in rules.interface.samples(rules, battle, "east")]
    assert "alric slings at 1203" in lines
    assert "giles harnesses ox1 to ram1" in lines


def test_how_many_fire_arrows_an_archer_has_stands_with_his_men_on_his_sheet_and_on_the_map() -> None:
    units = {
        "alric": {"side": "east", "class": "shortbowman", "at": "0407", "fire_arrows": "1"},
        "josse": {"side": "east", "class": "crossbowman", "at": "0507"},
        "wulf": {"side": "west", "class": "sergeant", "at": "0404"},
    }
    supplies = {"east": {"fire-arrows": "3"}}
    given = {"units": units, "supplies": supplies, "at": "t5.east.offensive_fire"}
    rules, battle = laid(given)
    assert ANARCHY.interface.roll_call is not None
    roll = {member.id: member.can for member in ANARCHY.interface.roll_call(rules, battle, "east")}
    assert [said.args["count"] for said in roll["alric"] if said.key == "can.fire-arrows"] == [2]
    assert not [said for said in roll["josse"] if said.key == "can.fire-arrows"]
    (about,) = [entry.about for entry in sheet.sheet(rules, battle, "east") if entry.unit == "alric"]
    assert "2 fire arrows" in about
    described = {token.id: token.description for token in ANARCHY.interface.scene(rules, battle).tokens}
    assert described["alric"] == "shortbowman, 2 fire arrows"
    assert described["josse"] == "crossbowman"
    assert any(
        said.key == "primer.fire-arrows" for one in primer.primer(rules, battle) for said in one.sentences
    )
