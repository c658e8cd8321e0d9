"""Fire, ballistae and fire arrows where no case reaches: lists, sheets and forecasts, and fires that come
twice.
"""

from __future__ import annotations

from typing import Any

import case_plugin
import pytest

from pbem.core.play import Play
from pbem.core.ruleset import Ruleset
from pbem.rulesets.siege.combat import shooting
from pbem.rulesets.siege.ground import flames
from pbem.rulesets.siege.judge import forecast, legal
from pbem.rulesets.siege.orders import grammar
from pbem.rulesets.siege.ruleset import CRY_HAVOC
from pbem.rulesets.siege.state.happening import apply
from pbem.rulesets.siege.state.orders import Act, FireEngine, Shoot
from pbem.rulesets.siege.state.state import Battle
from pbem.rulesets.siege.things import burning
from pbem.rulesets.siege.views.sheet import sheet

CAMP: dict[str, Any] = {
    "map": [
        ". . . . . .",
        ". . . . . .",
        ". . . . . .",
        ". . . e . .",
        ". . . e . .",
        ". . . . . .",
        ". . . . . .",
        ". . . . . .",
    ],
    "key": {"e": "tent"},
    "units": {
        "alric": {"side": "east", "class": "longbowman", "at": "0408"},
        "bran": {"side": "east", "class": "technician", "at": "0107"},
        "jack": {"side": "east", "class": "peasant", "at": "0306"},
        "wulf": {"side": "west", "class": "peasant", "at": "0202"},
        "odo": {"side": "west", "class": "peasant", "at": "0601"},
    },
    "things": [{"id": "ballista1", "kind": "ballista", "side": "east", "at": "0206", "loaded": "2"}],
    "at": "t3.east.first_missile",
}


def camp(**changed: Any) -> tuple[Ruleset[Battle], Battle]:
    """Return rules and battle of a camp."""
    given = {**CAMP, **changed}
    rules = case_plugin.chosen(case_plugin.full_rules(), given)
    return rules, case_plugin.battle_of(rules, given)


def listed(rules: Ruleset[Battle], battle: Battle) -> list[str]:
    """Return the sentences of the legal orders of east."""
    return [grammar.say(CRY_HAVOC, order) for order in legal.legal(rules, battle, "east")]


def test_fire_arrows_and_the_shots_of_engines_are_listed() -> None:
    rules, battle = camp()
    said = listed(rules, battle)
    assert "bran fires ballista1 at wulf" in said
    assert "jack fires ballista1 at wulf" in said
    assert [one for one in said if one.endswith("with fire")] == [
        "alric at 0206 with fire",
        "alric at 0405 with fire",
    ]


def test_without_the_module_of_oil_there_are_no_fire_arrows_and_without_camps_no_engines() -> None:
    rules, battle = camp(modules=["open-ground", "camp"])
    assert not any(one.endswith("with fire") for one in listed(rules, battle))
    rules, battle = camp(modules=["open-ground"])
    assert not any("fires" in one for one in listed(rules, battle))
    assert flames.near(rules, battle) == ()


def test_what_can_be_lit_and_put_out_is_listed() -> None:
    units = {
        **CAMP["units"],
        "jack": {"side": "east", "class": "peasant", "at": "0306", "stood": "0306 0405"},
    }
    rules, battle = camp(units=units, at="t3.east.melee")
    assert listed(rules, battle) == ["jack lights 0405"]
    fires = [{"at": "0405", "is": "fire", "turns": "1", "lit_by": "west"}]
    rules, battle = camp(units=units, at="t3.east.melee", features=fires)
    assert listed(rules, battle) == ["jack puts out 0405"]


def test_what_the_sheet_and_the_forecast_tell() -> None:
    rules, battle = camp()
    told = {
        choice.sentence: choice.notes for entry in sheet(rules, battle, "east") for choice in entry.choices
    }
    assert told["alric at 0405 with fire"] == ("0405 catches fire on 5 of 10",)
    assert told["bran fires ballista1 at wulf"] == ("ballista, 4 hexes, short range, no cover",)
    assert {entry.unit: entry.about for entry in sheet(rules, battle, "east")}["bran"] == "technician, 0107"
    assert forecast.row(rules, battle, Shoot("alric", ("0405",), fire=True)) == (
        "alric", "shoots fire at 0405", "0405 catches fire on 5 of 10",
    )  # fmt: skip
    assert forecast.row(rules, battle, Shoot("alric", ("odo",), fire=True))[1:] == (
        "shoots fire at odo", "long bow, 8 hexes, short range, no cover",
    )  # fmt: skip
    assert forecast.row(rules, battle, Shoot("alric", ("0101",), fire=True)) == (
        "alric",
        "shoots fire at 0101",
        "",
    )
    assert forecast.row(rules, battle, FireEngine("bran", "ballista1", ("wulf",)))[:2] == (
        "bran",
        "fires ballista1 at wulf",
    )
    assert forecast.row(rules, battle, FireEngine("alric", "ballista1", ("wulf",))) == (
        "alric",
        "fires ballista1 at wulf",
        "",
    )
    assert forecast.row(rules, battle, Act("put-out", ("jack",), to=("0405",))) == (
        "jack",
        "puts out 0405",
        "it goes out on 3 of 10",
    )


def test_a_figure_that_shoots_with_fire_shoots_once() -> None:
    rules, battle = camp()
    shot: set[str] = {"alric"}
    play = Play(battle, str(battle.at), apply, case_plugin.CaseDice({}))
    problem = shooting._once(rules, play, "east", Shoot("alric", ("0405",), fire=True), shot, lambda *_: None)
    assert problem is not None
    assert problem.code == "shooting.again"
    shot.clear()
    assert (
        shooting._once(rules, play, "east", Shoot("alric", ("0405",), fire=True), shot, lambda *_: None)
        is None
    )
    assert shot == {"alric"}


def test_what_burns_catches_fire_no_second_time() -> None:
    rules, battle = camp()
    play = Play(battle, str(battle.at), apply, case_plugin.CaseDice({}))
    assert burning.ignite(rules, play, "0404", "east") == 0
    assert burning.ignite(rules, play, "0404", "west") == -1
    assert [(fire.at, fire.lit_by, fire.turns) for fire in flames.fires(play.state)] == [("0404", "east", 1)]


@pytest.mark.parametrize(
    ("hex_", "found"), [("0404", ("tent",)), ("0206", ("ballista1",)), ("0101", ()), ("9999", ())]
)
def test_what_could_burn_in_a_hex(hex_: str, found: tuple[str, ...]) -> None:
    rules, battle = camp()
    assert flames.kindling(rules, battle, hex_) == found
