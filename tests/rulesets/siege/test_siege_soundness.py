"""States that name what their game does not have are none: told in words by whoever reads them, and never
drawn.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from pbem.proof.canonical import encode
from pbem.referee.game.replay import Ground, first_state, read_state
from pbem.referee.game.scenario import find_scenario, judge
from pbem.rulesets.siege.state import soundness
from pbem.text.codec import CodecError

Change = Callable[[dict[str, Any]], object]


@pytest.fixture(scope="module")
def ground() -> Ground:
    return judge(find_scenario("wheels"))[1]


@pytest.fixture(scope="module")
def written(ground: Ground) -> dict[str, Any]:
    rules = ground.rules
    sides = {side.id: side.id for side in ground.field.sides}
    plain: dict[str, Any] = rules.interface.state_to_plain(rules, first_state(ground, sides))
    return plain


def thing(id_: str, **said: Any) -> Change:
    return lambda plain: next(one for one in plain["things"] if one["id"] == id_).update(said)


def unit(**said: Any) -> Change:
    return lambda plain: plain["units"][0].update(said)


def feature(at: str, is_: str, **said: Any) -> Change:
    return lambda plain: plain.update(features=[{"at": at, "is": is_, **said}])


def now(**said: Any) -> Change:
    return lambda plain: plain["at"].update(said)


def without_bridge(plain: dict[str, Any]) -> None:
    plain["things"] = [one for one in plain["things"] if one["kind"] != "drawbridge"]


WRONG: dict[str, tuple[Change, str]] = {
    "a thing off the map": (thing("tower1", at=["9999"]), "tower1 is at 9999, which is not a place"),
    "a thing in no place": (thing("tower1", at=["x"]), "tower1 is at x"),
    "a thing on a storey that is none": (thing("ladder1", at=["0101@cellar"]), "ladder1 is at 0101@cellar"),
    "a ladder that looks nowhere": (thing("ladder1", facing="x"), "ladder1 faces x"),
    "a ladder carried by nobody": (thing("ladder1", by=["nobody"]), "ladder1 names nobody"),
    "an engine worked by nobody": (thing("tower1", crew=["nobody"]), "tower1 names nobody"),
    "a thing of a kind that is none": (thing("ladder1", kind="dragon"), "ladder1 is a dragon"),
    "a bridge that is not built in": (thing("ladder1", kind="drawbridge"), "ladder1 is a drawbridge"),
    "no bridge": (without_bridge, "is missing"),
    "a fire off the map": (feature("9999", "fire"), "fire at 9999"),
    "a fire on a platform": (feature("0101@top", "fire"), "fire at 0101@top"),
    "a feature that is none": (feature("0101", "haunted"), "haunted at 0101"),
    "damage below nothing": (feature("0101", "wall", damage=-1), "wall at 0101"),
    "a person whom nobody knows": (unit(person="nobody"), "aelfgar is nobody"),
    "a man who is a horse": (unit(kind="horse"), "a horse, whom this game does not have"),
    "a man in three places": (unit(at=["0101", "0102", "0103"]), "in 3 places"),
    "a man off the map": (unit(at=["9999"]), "aelfgar is at 9999"),
    "a man of no side": (unit(side="moon"), "of moon, which is not a side"),
    "a captive of no side": (unit(captive_of="moon"), "held by moon"),
    "a man as nobody can be": (unit(state="asleep"), "aelfgar is asleep"),
    "a man on himself": (unit(on="aelfgar"), "who rides himself"),
    "a phase that is none": (now(phase="tea"), "tea is not a phase"),
    "a step that is none": (now(phase="setup", turn=9), "no step 9 of the setup"),
    "the turn of no side": (now(phase="movement", turn=1, side="moon"), "moon is not a side"),
    "points of no side": (
        lambda plain: plain.update(score=[{"side": "moon", "points": 3}]),
        "moon is not a side",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_state_that_its_game_cannot_have_is_told_in_words(
    ground: Ground, written: dict[str, Any], name: str
) -> None:
    change, said = WRONG[name]
    plain = copy.deepcopy(written)
    change(plain)
    with pytest.raises(CodecError, match=said):
        soundness.read(ground.rules, ground.field, plain)
    with pytest.raises(ValueError, match=said):
        read_state(ground, encode(plain))


def test_the_state_before_any_change_is_sound(ground: Ground, written: dict[str, Any]) -> None:
    battle = soundness.read(ground.rules, ground.field, written)
    assert soundness.wrong(ground.rules, battle) == ""
    assert ground.rules.interface.state_to_plain(ground.rules, battle) == written
