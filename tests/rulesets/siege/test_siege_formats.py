"""docs/formats.md: its battle is read, played and written as the page says, and its tables are those of the
program.
"""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from pbem import resources
from pbem.core.dice import ScriptedDice
from pbem.core.ruleset import Ruleset, SlotResult, choose, play_slot
from pbem.geometry.hex import SIDES, neighbour
from pbem.rulesets.siege.deeds import deeds
from pbem.rulesets.siege.ruleset import CRY_HAVOC
from pbem.rulesets.siege.state.orders import HEADINGS
from pbem.rulesets.siege.state.state import Battle
from pbem.rulesets.siege.things import standing_instructions
from pbem.text import shape
from pbem.text.source import FILES, read

ROOT = Path(__file__).resolve().parents[3]
PAGE = (ROOT / "docs" / "formats.md").read_text("utf-8")
SECTIONS = re.split(r"^## \d\. ", PAGE, flags=re.M)


def shown(section: int) -> str:
    """Return what stands in the fence of a section."""
    return SECTIONS[section].partition("```")[2].partition("\n")[2].partition("```")[0]


def schema(kind: str, *, text: bool = True) -> shape.Shape:
    return shape.load(
        json.loads((resources.folder("schemas") / f"{kind}.schema.json").read_text("utf-8")), text=text
    )


@pytest.mark.parametrize(("kind", "section"), [("map", 2), ("scenario", 3), ("orders", 4)])
def test_its_files_have_the_form_of_their_schemas(kind: str, section: int) -> None:
    source = read(shown(section).encode(), kind, limits=FILES)
    assert source.problems == []
    assert schema(kind).check(source.data) == []


@cache
def begun() -> tuple[Ruleset[Battle], Battle]:
    map_, scenario = (dict(yaml.load(shown(section), yaml.BaseLoader)) for section in (2, 3))
    rules, problems = choose(CRY_HAVOC, scenario["modules"], scenario["options"])
    assert rules is not None, problems
    field, wrong, wrong_map = rules.interface.read_field(rules, scenario, map_)
    assert (wrong, wrong_map) == ([], [])
    return rules, rules.interface.setup(rules, field, {"east": "east", "west": "west"})


@cache
def played() -> SlotResult[Battle]:
    rules, battle = begun()
    data: dict[str, Any] = dict(yaml.load(shown(4), yaml.BaseLoader))
    orders, problems = rules.interface.read_orders(rules, battle, "east", data)
    assert problems == []
    judged = rules.interface.check(rules, battle, orders, ())
    assert [problem.code for problem in judged.problems if not problem.code.startswith("doubt.")] == []
    dice = ScriptedDice({"shoot/leofa": (4,), "fight/klaas/1": (6,)})
    return play_slot(rules, battle, {"east": (orders,)}, {"east": (orders, "0" * 128)}, dice)


def test_its_state_is_the_one_to_which_its_orders_lead() -> None:
    rules, battle = begun()
    told = json.loads(shown(6))
    written = rules.interface.state_to_plain(rules, played().state)
    assert schema("state", text=False).check(written) == []
    assert told == written
    assert rules.interface.state_from_plain(rules, battle.field, written) == played().state


def test_its_events_are_those_that_its_orders_bring_about() -> None:
    rules, _ = begun()
    happened = [rules.interface.event_to_plain(event) for event in played().events]
    form = schema("events", text=False)
    told = [json.loads(line) for line in shown(7).splitlines()]
    assert len(told) > 4
    for event in told:
        assert form.check(event) == []
        assert {"n": event["n"], "phase": event["phase"], **happened[event["n"] - 1]} == event


def test_it_has_every_sentence_and_no_other() -> None:
    table = SECTIONS[4].partition("| sections | sentence |")[2].partition("\n\n")[0]
    cells = "".join(line.split("|")[2] for line in table.splitlines()[2:])
    assert sorted(re.findall(r"`([^`]+)`", cells.replace("(in `day` too)", ""))) == sorted(
        line.form for _, line in deeds.ALL.lines
    )


def test_it_has_every_standing_instruction_and_every_key_of_a_file() -> None:
    rows = re.findall(r"^\| `([a-z-]+)` \|", SECTIONS[5], flags=re.M)
    assert rows == list(standing_instructions.KEYS)
    keys = json.loads((resources.folder("schemas") / "orders.schema.json").read_text("utf-8"))["properties"]
    table = SECTIONS[4].partition("| key | says |")[2].partition("\n\n")[0]
    named = {
        word
        for line in table.splitlines()
        for word in " ".join(re.findall(r"`([^`]+)`", line.split("|")[1] if "|" in line else "")).split()
    }
    assert named == set(keys)
    assert set(HEADINGS) <= named


def test_it_knows_the_neighbours_of_a_hex() -> None:
    said = PAGE.replace("\n", " ").partition("the neighbours of 0202 are ")[2].partition(".")[0]
    assert re.findall(r"(\d{4}) \(([a-z]+)\)", said) == [(neighbour("0202", side), side) for side in SIDES]


def test_it_has_every_name_of_a_die() -> None:
    table = SECTIONS[8].partition("| name | for | sides |")[2]
    told = {name.split("/")[0] for name in re.findall(r"`([a-z0-9-]+(?:/[a-z0-9-]+)+)`", table)}
    sources = "".join(
        path.read_text("utf-8") for path in (ROOT / "pbem" / "rulesets" / "siege").glob("**/*.py")
    )
    rolled = set(re.findall(r'f"([a-z-]+)/\{', sources))
    assert told == rolled | {"shoot", "shoot-again"}
