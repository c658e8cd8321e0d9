"""What is looked at after every event at a castle is seen when it does not hold."""

from __future__ import annotations

import pytest
from castle_watch import Castle, of_engines, of_features, of_ladders, of_places, of_steps, of_the_dead
from fuzz_play import case_plugin
from msgspec.structs import replace

from pbem.rulesets.siege.ruleset import SIEGE
from pbem.rulesets.siege.state.events import (
    Acted,
    FeatureChanged,
    FeatureGone,
    Fell,
    LadderToppled,
    Moved,
    PhaseEnded,
    Placed,
    Retreated,
    ThingMoved,
    plain,
)
from pbem.rulesets.siege.state.happening import apply
from pbem.rulesets.siege.state.state import Battle, Feature

GIVEN = {
    "map": [". . . . . .", ". . . . . x", ". . . . . .", "~ ~ ~ ~ ~ ~", "B B B B G B", ", , s , , ,"],
    "key": {
        ".": "flat",
        "x": "tent",
        "~": "moat",
        "B": "battlement",
        "G": "gateway",
        ",": "courtyard",
        "s": "stairs",
    },
    "map-sides": {"parapet": {"n": "0105 0205 0305 0405 0605"}},
    "bridges": [
        {"bridge": "drawbridge", "hexes": "0504", "gate": "0505 n", "winch": "0605", "starts": "raised"}
    ],
    "things": [
        {"id": "tower1", "kind": "siege-tower", "side": "east", "at": "0202 0102 0201", "facing": "s"},
        {"id": "up1", "kind": "ladder", "side": "east", "at": "0404", "stands": "raised", "facing": "s"},
        {"id": "long1", "kind": "ladder", "side": "east", "at": "0402 0403", "stands": "lying"},
        {"id": "barrel", "kind": "oil", "side": "east", "at": "0503", "by": "bearer"},
    ],
    "features": [{"at": "0204", "is": "filled"}, {"at": "0105", "is": "wall", "damage": "2"}],
    "units": {
        "climber": {"side": "east", "class": "spearman", "at": "0404"},
        "aloft": {"side": "east", "class": "spearman", "at": "0102@top"},
        "bearer": {"side": "east", "class": "spearman", "at": "0503"},
        "guard": {"side": "west", "class": "spearman", "at": "0305"},
        "dead": {"side": "west", "class": "spearman", "at": "0605", "state": "dead"},
    },
}


@pytest.fixture
def battle() -> Battle:
    return case_plugin.battle_of(case_plugin.chosen(SIEGE, GIVEN), GIVEN)


def seen(battle: Battle, *events: object) -> list[str]:
    """Return what is wrong after the last of some events."""
    castle, found = Castle(SIEGE), []
    for event in events:
        after = apply(battle, event)
        found = list(castle.wrong(battle, plain(event), after))
        battle = after
    return found


def test_a_castle_in_order_is_in_order(battle):
    assert not seen(battle, Acted("guard", "moved"), PhaseEnded("movement"))


@pytest.mark.parametrize(
    ("thing", "change", "said"),
    [
        ("up1", {"facing": "n"}, "leans on nothing"),
        ("up1", {"at": ("0404", "0403")}, "up1 stands in"),
        ("up1", {"by": ("guard",)}, "hold it"),
        ("long1", {"at": ("0402", "0602")}, "long1 lies in"),
        ("long1", {"at": ("0402",)}, "long1 lies in"),
        ("long1", {"stands": "carried"}, "long1 is carried"),
        ("long1", {"by": ("guard", "bearer")}, "long1 is lying"),
        ("long1", {"at": ("0404",), "stands": "raised", "facing": "s"}, "two ladders stand"),
    ],
)
def test_ladders_that_cannot_be_are_seen(battle, thing, change, said):
    wrong = battle.changed(things={**battle.things, thing: replace(battle.things[thing], **change)})
    assert any(said in told for told in of_ladders(wrong, ended=True))


def test_engines_and_platforms_that_cannot_be_are_seen(battle):
    torn = battle.changed(
        things={**battle.things, "tower1": replace(battle.things["tower1"], at=("0203", "0202", "0201"))}
    )
    assert any("torn apart" in said for said in of_engines(SIEGE, torn))
    gone = battle.changed(things={id_: thing for id_, thing in battle.things.items() if id_ != "tower1"})
    assert list(of_places(gone)) == ["aloft is at 0102@top, where there is no floor"]


def test_who_is_left_behind_by_his_tower_is_seen(battle):
    at = ("0203", "0103", "0202")
    assert any("aloft was at 0102@top" in said for said in seen(battle, ThingMoved("tower1", at, "s")))
    assert not [
        said
        for said in seen(battle, ThingMoved("tower1", at, "s", (("aloft", "0103@top"),)))
        if "aloft" in said
    ]


@pytest.mark.parametrize(
    ("way", "said"),
    [
        (("0504", "0505"), "raised bridge"),
        (("0304", "0305"), "goes through ['parapet']"),
        (("0206", "0205"), "gets from"),
        (("0102@top", "0102"), ""),
        (("0202@top", "0302"), "gets from"),
        (("0404", "0405"), ""),
        (("0306", "0305"), ""),
    ],
)
def test_steps_that_nothing_makes_possible_are_seen(battle, way, said):
    found = list(of_steps(battle, plain(Moved("guard", way, 1, 3))))
    assert any(said in told for told in found) if said else not found


def test_who_falls_off_a_ladder_lies_beside_it_and_does_fall(battle):
    toppled = LadderToppled("up1", ("0404", "0403"), ("guard",))
    assert not seen(battle, toppled, Fell("climber", ("0403",)))
    assert any("at the foot" in said for said in seen(battle, toppled, Fell("climber", ("0404",))))
    assert any("have not fallen" in said for said in seen(battle, toppled, PhaseEnded("melee")))


def test_a_load_goes_where_its_bearer_goes(battle):
    walked = Moved("bearer", ("0503", "0502"), 1, 3)
    assert any("barrel is at" in said for said in seen(battle, walked, PhaseEnded("movement")))
    assert not seen(battle, walked, ThingMoved("barrel", ("0502",)), PhaseEnded("movement"))
    assert not seen(battle, walked, Retreated("bearer", ("0502", "0501")), PhaseEnded("melee"))


@pytest.mark.parametrize(
    ("event", "said"),
    [
        (FeatureChanged("0105", "wall", damage=1), "mends itself"),
        (FeatureGone("0204", "filled"), "no longer filled"),
        (FeatureChanged("0103", "filled"), "flat at 0103 is filled"),
        (FeatureChanged("0103", "rubble"), "broken down"),
        (FeatureChanged("0103", "burnt"), "burnt down"),
        (FeatureChanged("0603", "fire", turns=1, lit_by="east"), "nothing at 0603 burns"),
        (FeatureChanged("0602", "fire", turns=2, lit_by="east"), "from turn 0 to 2"),
        (FeatureChanged("0602", "fire", turns=1, lit_by="east"), ""),
    ],
)
def test_walls_moats_and_fires_that_cannot_be_are_seen(battle, event, said):
    found = list(of_features(SIEGE, battle, apply(battle, event)))
    assert any(said in told for told in found) if said else not found


def test_a_fire_does_not_go_out_of_itself_while_something_is_left_to_burn(battle):
    lit = battle.changed(
        features={**battle.features, ("0602", "fire"): Feature("0602", "fire", turns=3, lit_by="east")}
    )
    assert any("left to burn" in said for said in seen(lit, FeatureGone("0602", "fire", "S3.55d")))
    assert not seen(lit, FeatureGone("0602", "fire", "S3.53e"))


def test_the_dead_stay_dead(battle):
    risen = battle.with_units(replace(battle.units["dead"], state="healthy"))
    assert list(of_the_dead(battle, risen, plain(Acted("dead", "moved")))) == ["dead was dead"]
    assert any("comes onto the map" in said for said in seen(battle, Placed("dead", ("0105",))))
