"""What the sergeant does at walls: ladders raised together, strong men up them, towers, toppling, fire, oil,
and who enters the map.
"""

from __future__ import annotations

from typing import Any

import pytest
from bot_boards import begun, chance
from castle_boards import CASTLES, SALIENT, castle, craft, ladder, walled
from msgspec.structs import replace

from pbem.bots import entering, paper, sergeant, standing_deeds, walls
from pbem.bots.aims import aims
from pbem.bots.survey import Survey
from pbem.rulesets.siege.state.field import Term
from pbem.rulesets.siege.state.state import Battle, Feature, Thing

LYING = [ladder(1, "0404", "0403"), ladder(2, "0504", "0503")]
UP = ladder(1, "0505", stands="raised", facing="s")
TOWER = Thing("tower1", "siege-tower", ("0504", "0404", "0503"), facing="s", side="east")
DOCKED = replace(TOWER, at=("0505", "0405", "0504"))
MEN: dict[str, tuple[Any, ...]] = {
    "ann": ("east", "halberdier", "0404"),
    "ben": ("east", "spearman", "0403"),
    "cat": ("east", "halberdier", "0504"),
    "dan": ("east", "spearman", "0503"),
    "eve": ("east", "sergeant", "0304"),
    "fay": ("east", "sergeant", "0604"),
    "wat": ("west", "peasant", SALIENT),
}


def from_above(state: Battle, side: str = "east") -> list[str]:
    found = craft(state, side)
    return list(standing_deeds.blows_from_above(CASTLES, found.battle, found.aims, side))


def stands_fast(state: Battle, side: str = "west") -> list[str]:
    """Return what a side's men stay where they are for."""
    turn = state.changed(at=replace(state.at, side=side))
    mine = [unit for unit in turn.units.values() if unit.side == side]
    return [
        said for _, said in standing_deeds.stands_fast(CASTLES, turn, aims(CASTLES, turn, side), side, mine)
    ]


# --- ladders


def test_ladders_are_raised_together_and_their_men_strike_at_once() -> None:
    assert craft(castle(MEN, LYING)).sentences == [
        "ann, ben pick up ladder1",
        "cat, dan pick up ladder2",
        "ann, ben carry ladder1 to 0405 0305",
        "ann, ben raise ladder1 in 0405 facing se",
        "cat, dan carry ladder2 to 0505 0504",
        "cat, dan raise ladder2 in 0505 facing s",
    ]
    assert from_above(castle(MEN, LYING)) == ["ann, cat attack wat"]


@pytest.mark.parametrize(("length", "raised"), [(0, False), (7, False), (6, True)])
def test_ladders_wait_before_the_wall_for_men_to_follow_unless_time_is_short(
    length: int, raised: bool
) -> None:
    state = castle({**MEN, "eve": ("east", "sergeant", "0101"), "fay": ("east", "sergeant", "0201")}, LYING)
    said = craft(state.changed(field=replace(state.field, length=length))).sentences
    assert said[:2] == ["ann, ben pick up ladder1", "cat, dan pick up ladder2"]
    assert any(" raise " in line for line in said) is raised


def test_a_ladder_is_fetched_by_those_near_it() -> None:
    men = {
        "ann": ("east", "spearman", "0301"),
        "ben": ("east", "spearman", "0402"),
        "una": ("east", "shortbowman", "0402"),
    }
    said = craft(castle(men, [ladder(1, "0303", "0302")])).sentences
    assert said[:3] == ["ben to 0303", "ann to 0302", "ann, ben pick up ladder1"], (
        "in the same move, with what is left of it"
    )


@pytest.mark.parametrize(
    ("climber", "guard", "said", "blows"),
    [
        ("sergeant", None, ["eve climbs ladder1"], []),
        ("sergeant", "peasant", ["eve climbs ladder1"], ["eve attacks wat"]),
        ("peasant", "sergeant", [], []),
        ("shortbowman", None, [], []),
    ],
)
def test_who_goes_up(climber: str, guard: str | None, said: list[str], blows: list[str]) -> None:
    men: dict[str, tuple[Any, ...]] = {"eve": ("east", climber, "0504")}
    state = castle({**men, "wat": ("west", guard, SALIENT)} if guard else men, [UP])
    assert (craft(state).sentences, from_above(state)) == (said, blows)


def test_who_is_at_the_top_steps_over_and_the_next_follows() -> None:
    men = {
        "eve": ("east", "spearman", "0505"),
        "fay": ("east", "sergeant", "0504"),
        "wat": ("west", "peasant", "0108"),
    }
    assert craft(castle(men, [UP])).sentences == ["eve steps over to 0506", "fay climbs ladder1"]


def test_who_is_up_is_not_called_down() -> None:
    state = castle({"eve": ("east", "sergeant", "0606"), "fay": ("east", "spearman", "0504")}, [UP])
    assert craft(state).hands("0505", 4) == []
    assert "fay" in craft(state).busy


def test_victors_on_ladders_go_over_the_wall() -> None:
    state = castle({"eve": ("east", "sergeant", "0505"), "wat": ("west", "peasant", SALIENT)}, [UP])
    data = sergeant.orders(CASTLES, state, "east", chance())
    assert data["fight"] == ["eve attacks wat"]
    assert data["standing"]["eve"]["advance"] == "into"
    won = castle({"eve": ("east", "sergeant", SALIENT), "wat": ("west", "peasant", "0606")}, [UP])
    assert sergeant.orders(CASTLES, won, "east", chance())["standing"]["eve"]["advance"] == "never"


def test_where_those_wait_who_are_to_follow() -> None:
    state = castle(MEN, LYING)
    found = walls.behind_the_ladders(state, "east", SALIENT)
    assert {"0304", "0603", "0704"} <= set(found)
    assert {"0404", "0504", "0505", "0407", "0305"}.isdisjoint(found)
    assert (walls.ways_up(state, "east"), walls.ways_up(castle(MEN, [UP]), "east")) == (False, True)
    assert walls.ways_up(castle(MEN, features={(SALIENT, "rubble"): Feature(SALIENT, "rubble")}), "east")


# --- towers


def test_a_tower_is_pushed_by_three() -> None:
    men = {
        "eve": ("east", "sergeant", "0504"),
        "fay": ("east", "spearman", "0404"),
        "gil": ("east", "spearman", "0503"),
    }
    assert craft(castle(men, [TOWER])).sentences == ["tower1 forward 1"]
    assert craft(castle({**men, "gil": ("east", "spearman", "0502")}, [TOWER])).sentences == ["gil to 0503"]
    assert craft(castle({"eve": men["eve"]}, [TOWER])).sentences == []


def test_a_tower_at_the_wall_is_climbed_and_filled_again() -> None:
    men = {
        "eve": ("east", "sergeant", "0505"),
        "fay": ("east", "spearman", "0504"),
        "hob": ("east", "spearman", "0403"),
    }
    state = castle({**men, "wat": ("west", "peasant", SALIENT)}, [DOCKED])
    assert craft(state).sentences == ["eve goes up", "fay goes up", "hob to 0505"]
    assert from_above(state) == ["eve attacks wat"]


def test_from_the_platform_one_steps_over_where_nobody_stands() -> None:
    assert craft(castle({"eve": ("east", "sergeant", "0505@top")}, [DOCKED])).sentences == [
        "eve steps over to 0506"
    ]


# --- who holds the wall


def test_ladders_are_toppled_and_oil_is_poured() -> None:
    men = {"eve": ("east", "sergeant", "0505"), "wat": ("west", "peasant", SALIENT)}
    assert stands_fast(castle(men, [UP])) == ["wat topples ladder1"]
    assert stands_fast(castle({**men, "wat": ("west", "peasant", "0606")}, [UP])) == []
    barrel = Thing("barrel1", "oil", (SALIENT,), side="west", by=("wat",))
    assert stands_fast(castle(men, [barrel])) == ["wat pours barrel1 on 0505"]


def test_his_archers_look_at_who_stands_where_ladders_go() -> None:
    state = castle(MEN, LYING)
    assert aims(CASTLES, state, "east").press == SALIENT
    assert aims(CASTLES, state, "west").press == ""


# --- who comes onto the map


def test_everybody_enters_who_can_each_to_a_hex_of_its_own() -> None:
    rules, state, _ = begun("embers")
    said = list(entering.entries(Survey(rules, state, "sortie"), aims(rules, state, "sortie"), "sortie"))
    assert len(said) == 13
    assert all(" enters at " in line for line in said)
    assert len({line.split()[-1] for line in said}) == 13
    assert list(entering.entries(Survey(rules, state, "camp"), aims(rules, state, "camp"), "camp")) == []
    data = sergeant.orders(rules, state, "sortie", chance())
    assert [line for line in data["move"] if " enters at " in line] == said
    assert paper.refused(rules, state, "sortie", data) == frozenset()


# --- wagons


def wagon(*at: str) -> Battle:
    term = Term("brought", "east", 4, mark="trench", units=("wagon1",))
    ground = walled(term)
    ground = replace(
        ground, marks={**ground.marks, "trench": ("0105", "0205", "0305", "0405", "0505", "0605", "0705")}
    )
    men = {
        "ann": ("east", "peasant", "0401"),
        "ox": ("east", "peasant", "0203"),
        "wat": ("west", "peasant", "0108"),
    }
    return castle(men, [Thing("wagon1", "wagon", at, facing="s", hitched=("ox",))], ground=ground)


def test_a_team_is_led_so_far_that_its_wagon_comes_to_where_it_is_wanted() -> None:
    assert aims(CASTLES, wagon("0104", "0103"), "east").lead == {"ox": ("0605", "0705")}
    assert aims(CASTLES, wagon("0105", "0104"), "east").lead == {}
    assert aims(CASTLES, wagon(), "east").lead == {}


def test_a_wagon_that_is_led_stands_where_it_is_led() -> None:
    survey = Survey(CASTLES, wagon("0104", "0103"), "east")
    survey.led("wagon1", ("0205", "0204"))
    assert survey.after().things["wagon1"].at == ("0205", "0204")
    assert survey.after().things["wagon1"].facing == "s"
    assert not survey.free("0204", "ann")
