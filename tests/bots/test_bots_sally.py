"""What the sergeant does with engines and against them in The Anarchy: sallies, breaches, mangonels; boards of
two of its scenarios.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
from bot_boards import chance
from msgspec.structs import replace

sys.path.append(str(Path(__file__).resolve().parents[1] / "rulesets" / "siege"))

import case_plugin

from pbem.bots import paper, sally, sergeant
from pbem.bots.aims import aims
from pbem.bots.survey import Survey
from pbem.core.ruleset import Ruleset
from pbem.geometry.hex import distance
from pbem.rulesets.anarchy.ruleset import ANARCHY
from pbem.rulesets.siege.state.state import Battle

WITHIN = {"leofwin": "1427", "wulfstan": "1428", "madog": "1429", "aelfgar": "1430"}
AT_THE_GATE = {**WITHIN, "leofwin": "2335"}
GUARD = {"guerric": "2211", "anselm": "2311"}
BROKEN = [{"at": hex_, "is": "rubble"} for hex_ in ("0907", "0908", "0909", "0910", "0911")]


def laid(scenario: str, units: dict[str, Any], at: str, **more: Any) -> tuple[Ruleset[Battle], Battle]:
    """Return a battle of a scenario with some of its figures where they are said to be, or as they are."""
    placed = {id_: {"at": said} if isinstance(said, str) else said for id_, said in units.items()}
    given = {"scenario": scenario, "units": placed, "at": at, **more}
    rules = case_plugin.chosen(ANARCHY, given)
    return rules, case_plugin.battle_of(rules, given)


def said(side: str, rules: Ruleset[Battle], battle: Battle) -> dict[str, Any]:
    """Return what the sergeant orders; nothing of it is refused."""
    data = sergeant.orders(rules, battle, side, chance())
    assert paper.refused(rules, battle, side, data) == frozenset()
    return dict(data)


# --- sallies


@pytest.mark.parametrize(
    ("units", "engine"),
    [
        (WITHIN, "mangonel1"),
        ({**WITHIN, **GUARD}, ""),
        ({**AT_THE_GATE, **GUARD}, "mangonel1"),
        ({**AT_THE_GATE, "madog": {"state": "dead"}}, ""),
    ],
)
def test_a_garrison_sallies_when_it_is_strong_enough_and_goes_on_with_less(
    units: dict[str, Any], engine: str
) -> None:
    rules, battle = laid("nine-men", units, "t5.garrison.movement")
    assert sally.target(rules, battle, aims(rules, battle, "garrison")) == engine
    assert not sally.target(rules, battle, aims(rules, battle, "earl")), "only who holds walls sallies"


@pytest.mark.parametrize(("burnt", "left"), [(5, {"mangonel1", "ram1"}), (6, {"mangonel1"})])
def test_nobody_minds_an_engine_that_is_of_no_more_use(burnt: int, left: set[str]) -> None:
    gone = {"id": "ram1", "burnt": ["1804", "1904", "1704", "1803", "1903", "1703"][:burnt]}
    rules, battle = laid("nine-men", WITHIN, "t5.garrison.movement", things=[gone])
    assert aims(rules, battle, "garrison").ruin == left


def test_an_engine_that_burns_with_nobody_left_to_save_it_is_left_to_the_fire() -> None:
    fire = [{"at": "1703", "is": "fire", "lit-by": "garrison"}]
    crew = ("hugo", "raoul", "turold", "drogo", "mauger", "huard")
    hands = {"hugo": "1704", "raoul": "1904", "turold": "1703"}
    for left, doomed in ((3, False), (2, True)):
        men = {id_: {"state": "dead"} for id_ in crew} | dict([*hands.items()][:left])
        _, battle = laid("nine-men", men, "t5.garrison.movement", features=fire)
        assert sally.doomed(battle, battle.things["ram1"]) == doomed
    _, battle = laid("nine-men", men, "t5.garrison.movement")
    assert not sally.doomed(battle, battle.things["ram1"]), "it does not burn"


def test_those_whom_one_sally_does_not_need_go_against_the_other_engine() -> None:
    more = {"brand": "1431", "cadwgan": "1432", "meurig": "1433", "thurstan": "1434"}
    crew = ("hugo", "raoul", "turold", "drogo", "mauger", "huard")
    men = {**AT_THE_GATE, **more} | {id_: {"state": "dead"} for id_ in crew[3:]}
    rules, battle = laid("nine-men", men, "t5.garrison.movement")
    goal = aims(rules, battle, "garrison")
    goal = replace(goal, sally=sally.target(rules, battle, goal))
    parties = sally.parties(Survey(rules, battle, "garrison", through=True), goal)
    assert {*parties.values()} == {"ram1", "mangonel1"}
    assert min(map([*parties.values()].count, ("ram1", "mangonel1"))) >= sally.FEWEST
    _, broken = laid("nine-men", men, "t5.garrison.movement", features=[{"at": "1725", "is": "rubble"}])
    one = sally.parties(Survey(rules, broken, "garrison", through=True), goal)
    assert len({*one.values()}) == 1, "who has a breach to hold sends no second party"


def test_who_sallies_opens_the_gate_and_everybody_else_keeps_it_shut() -> None:
    assert (
        "leofwin opens postern"
        in said("garrison", *laid("nine-men", AT_THE_GATE, "t5.garrison.movement"))["move"]
    )
    few = {"leofwin": "2335", "wulfstan": "1428"}
    assert not any(
        "postern" in line for line in said("garrison", *laid("nine-men", few, "t5.garrison.movement"))["move"]
    )


def test_nobody_puts_out_a_fire_that_burns_for_his_side() -> None:
    ram = {
        "id": "ram1",
        "kind": "ram",
        "side": "earl",
        "at": "1824 1924 1724 1823 1923 1723 1822 1922 1722 1821",
        "facing": "s",
    }
    fires = [{"at": "1725", "is": "rubble"}, {"at": "1824", "is": "fire", "lit-by": "garrison"}]
    on_top = {"leofwin": {"at": "1725", "stood": "1725 1824"}}
    orders = said("garrison", *laid("nine-men", on_top, "t9.garrison.movement", things=[ram], features=fires))
    assert not any("puts out" in line for line in orders.get("fight", ()))


# --- breaches


def test_who_holds_a_wall_that_is_down_stands_behind_the_rubble() -> None:
    men = {"leofwin": "0107", "wulfstan": "0108", "hamon": "1708"}
    rules, battle = laid("mole", men, "d5.t1.garrison.movement", features=BROKEN)
    moves = dict(line.split(" to ") for line in said("garrison", rules, battle)["move"] if " to " in line)
    for id_ in ("leofwin", "wulfstan"):
        here, there = men[id_], moves[id_]
        near = [min(distance(hex_, row["at"]) for row in BROKEN) for hex_ in (here, there)]
        assert near[1] < near[0]


# --- mangonels


def test_the_crew_stays_at_its_mangonel_and_throws_when_it_may() -> None:
    rules, battle = laid("nine-men", {"cadell": "1725"}, "t3.earl.movement")
    moves = said("earl", rules, battle)["move"]
    assert not any(line.split()[0] in ("ketel", "klaas", "grim", "ranulf") for line in moves)
    things = [
        {"id": "mangonel1", "kind": "mangonel", "side": "earl", "at": "2209", "facing": "s", "loaded": "3"}
    ]
    orders = said("earl", *laid("nine-men", {"cadell": "1725"}, "t4.earl.movement", things=things))
    assert any(line.startswith("mangonel1 throws at ") for line in orders["shoot"])
    near = said("earl", *laid("nine-men", {"cadell": "2207"}, "t4.earl.movement", things=things))
    assert any(
        line.split()[0] in ("ketel", "klaas", "grim", "ranulf") for line in (*near["move"], *near["fight"])
    )


# --- stones


def test_supplies_of_stones_are_placed_apart_and_thrown_down_by_who_has_nobody_to_shoot_at() -> None:
    lines = said("garrison", *laid("timber-on-the-wall", {}, "setup.2.garrison"))["setup"]
    supplies = [hex_ for id_, hex_ in (line.split(" at ") for line in lines) if id_.startswith("stones")]
    assert len(supplies) == 2
    assert distance(*supplies) > 2, "none is in reach of the other's men"

    below = {"brand": "1718", "pagan": "1719"}
    things = [{"id": "stones1", "kind": "stones", "side": "garrison", "at": "1718"}]
    orders = said("garrison", *laid("timber-on-the-wall", below, "t5.garrison.movement", things=things))
    assert orders["shoot"] == ["brand throws stones at pagan"]
    far = [{**things[0], "at": "1318"}]
    orders = said("garrison", *laid("timber-on-the-wall", below, "t5.garrison.movement", things=far))
    assert "shoot" not in orders
