"""What engines have destroyed on the days of a siege is still destroyed on the morning after."""

from __future__ import annotations

import case_plugin
import pytest
from msgspec.structs import replace

from pbem.core.dice import NoDice
from pbem.core.play import Play
from pbem.rulesets.anarchy import bridge_days, mines, mining_days, throwing_days
from pbem.rulesets.anarchy.ruleset import ANARCHY
from pbem.rulesets.siege.scenario import campaign, siege_sheet
from pbem.rulesets.siege.state.field import Gear
from pbem.rulesets.siege.state.happening import apply
from pbem.rulesets.siege.state.orders import Act

GIVEN = {
    "map": [". . . . .", ". . . . .", "m m m m m", "w w w w w", ", , h , ,", ", , , , ,"],
    "key": {"w": "battlement", ",": "courtyard", "m": "moat", "h": "building_wall"},
    "days": "9",
    "length": "4 turns",
    "siege": {"besieger": "west"},
    "units": {"hob": {"side": "west", "class": "sergeant"}, "odo": {"side": "east", "class": "peasant"}},
    "things": [
        {"id": "bridge1", "kind": "bridge", "side": "east", "at": "0303", "stands": "destroyed"},
        {"id": "mantlet1", "kind": "mantlet", "side": "west", "at": "0301", "facing": "n"},
    ],
    "features": [{"at": "0305", "is": "wall", "damage": "1", "last": "1"}],
    "at": "d2.evening",
    "part": "evening",
}


@pytest.mark.parametrize("stands", ["destroyed", "restored"])
def test_a_bridge_in_ruins_is_not_put_back_in_the_night(stands: str) -> None:
    now = case_plugin.battle_of(ANARCHY, GIVEN)
    bridge = replace(now.things["bridge1"], stands="")
    now = now.changed(
        field=replace(now.field, gear=(Gear(bridge, built=True),)),
        things={**now.things, "bridge1": replace(bridge, stands=stands)},
    )
    play = Play(now, str(now.at), apply, NoDice())
    campaign.close_of_day(ANARCHY, play)
    assert play.state.things["bridge1"].stands == {"destroyed": "destroyed", "restored": ""}[stands]


def test_engines_strike_what_is_not_their_own_side_s_and_the_sheet_tells_of_single_walls() -> None:
    now = case_plugin.battle_of(ANARCHY, GIVEN)
    assert set(throwing_days.hexes(ANARCHY, now)) == {"0104", "0204", "0304", "0404", "0504", "0305"}
    assert throwing_days.what(ANARCHY, now, "0305") == throwing_days.SINGLE
    assert "0305 wall of a building: 1 of 2 steps" in siege_sheet.record(ANARCHY, now)


def test_who_may_pull_down_a_bridge_by_day_is_listed_and_nobody_else() -> None:
    things = [{"id": "bridge1", "kind": "bridge", "side": "east", "at": "0303"}]
    units = {
        **GIVEN["units"],
        "pat": {"side": "east", "class": "spearman"},
        "sam": {"side": "east", "class": "spearman", "state": "wounded"},
    }  # type: ignore[dict-item]
    rules = mines.with_mines(ANARCHY)
    now = case_plugin.battle_of(
        rules, {**GIVEN, "units": units, "things": things, "at": "d2.day", "part": ""}
    )
    said = [order for order in campaign.listed(rules, now, "east") if order.do == bridge_days.PULL_DOWN]
    assert said == [Act(bridge_days.PULL_DOWN, ("odo", "pat"), "bridge1")]
    assert not [order for order in campaign.listed(rules, now, "west") if order.do == bridge_days.PULL_DOWN]
    play = Play(now, str(now.at), apply, NoDice())
    bridge_days.begin(rules, play, said[0])
    assert not [order for order in campaign.listed(rules, play.state, "east") if order.do == "pull-down"]
    bridge_days.called_off(play)
    assert play.state.things["bridge1"].crew == ()
    told = {"type": "ThingChanged", "thing": "bridge1", "rule": "A3.2.2d", "stands": "destroyed"}
    assert not mining_days.silent(told, ())
    assert mining_days.silent({**told, "stands": ""}, ())
