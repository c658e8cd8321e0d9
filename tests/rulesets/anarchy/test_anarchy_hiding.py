"""Figures in hiding: who sees them and when, what brings them forth, and that no rule knows of them before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from msgspec.structs import replace
from siege_games import Chance

from pbem.core.play import PhaseResult, Play, resolve_phase
from pbem.core.ruleset import Ruleset, choose
from pbem.core.sequence import Cursor
from pbem.rulesets.anarchy import hidden_views, hiding
from pbem.rulesets.anarchy.events import Hid, Slung
from pbem.rulesets.anarchy.ruleset import ANARCHY
from pbem.rulesets.siege.state.events import plain
from pbem.rulesets.siege.state.happening import apply
from pbem.rulesets.siege.state.state import Battle, Feature, Instructions

SCENARIOS = Path(__file__).resolve().parents[2] / "toy" / "scenarios"
SEATS = {"carters": "carters", "thieves": "thieves"}


def read(path: Path) -> dict[str, Any]:
    return dict(yaml.load(path.read_text("utf-8"), Loader=yaml.BaseLoader))


@cache
def rules() -> Ruleset[Battle]:
    found, problems = choose(ANARCHY, ["open-ground", "riders", "hidden"], {})
    assert found is not None, problems
    return found


def laid(**at: str) -> Battle:
    """Return the ambush in the carters' first turn: who is named stands there, or, of those who hide, lies
    there; all others are away.
    """
    field, *wrong = rules().interface.read_field(
        rules(), read(SCENARIOS / "ambush.yaml"), read(SCENARIOS / "maps" / "thicket.yaml")
    )
    assert wrong == [[], []]
    battle = rules().interface.setup(rules(), field, SEATS)
    away = [unit.id for unit in battle.units.values() if unit.id not in at and unit.on not in at]
    battle = battle.changed(at=Cursor("movement", 1, "carters"))
    battle = battle.with_units(*(replace(battle.units[id_], left=True, on="") for id_ in away))
    for id_, where in at.items():
        battle = battle.with_units(replace(battle.units[id_], at=tuple(where.split())))
        if id_ in field.hidden:
            battle = apply(battle, Hid(battle.rider_of.get(id_, id_), tuple(where.split())))
    return battle


def played(battle: Battle, phase: str = "movement", **orders: str) -> PhaseResult[Battle]:
    """Play a phase with what the seats order."""
    battle = battle.changed(at=replace(battle.at, phase=phase))
    files = {}
    for seat, text in orders.items():
        data = {**yaml.load(text, Loader=yaml.BaseLoader), "turn": 1}
        file, wrong = rules().interface.read_orders(
            rules(), hidden_views.view(rules(), battle, seat), seat, data
        )
        assert file is not None, wrong
        files[seat] = (file,)
    return resolve_phase(
        lambda play: rules().steps[phase](rules(), play, files), battle, str(battle.at), apply, Chance(1)
    )


def told(result: PhaseResult[Battle]) -> list[tuple[str, str]]:
    return [
        (type(event).__name__, str(getattr(event, "unit", getattr(event, "shooter", "")))) for event in result.events
        if type(event).__name__ not in ("OrderRead", "Chosen")
    ]  # fmt: skip


def problems(said: Mapping[str, Any]) -> list[str]:
    """Return what is wrong with the ambush if this of its scenario is otherwise."""
    scenario = {**read(SCENARIOS / "ambush.yaml"), **said}
    _, wrong, _ = rules().interface.read_field(rules(), scenario, read(SCENARIOS / "maps" / "thicket.yaml"))
    return [problem.code for problem in wrong]


def seen_at(battle: Battle, side: str) -> dict[str, tuple[str, ...]]:
    return {id_: unit.at for id_, unit in hidden_views.view(rules(), battle, side).units.items()}


# --- who knows of them


def test_his_own_side_sees_where_he_lies_and_the_other_does_not() -> None:
    battle = laid(odo="0203", grim="1103", vairon="1203 1202")
    own, other = seen_at(battle, "thieves"), seen_at(battle, "carters")
    assert (own["grim"], own["vairon"], own["renouf"]) == (("1103",), ("1203", "1202"), ("1203", "1202"))
    assert other["grim"] == other["vairon"] == other["renouf"] == ()
    elsewhere = laid(odo="0203", grim="1406", vairon="1005 1006")
    known = [
        rules().interface.state_to_plain(rules(), hidden_views.view(rules(), one, "carters"))
        for one in (battle, elsewhere)
    ]
    assert known[0] == known[1]


def test_a_state_is_written_with_where_they_lie_and_read_again() -> None:
    battle = laid(odo="0203", grim="1103", vairon="1203 1202")
    written = rules().interface.state_to_plain(rules(), battle)
    hides = {unit["id"]: unit.get("hides") for unit in written["units"]}
    assert hides["grim"] == ["1103"]
    assert hides["renouf"] == hides["vairon"] == ["1203", "1202"]
    assert hides["odo"] is None
    again = rules().interface.state_from_plain(rules(), battle.field, written)
    assert dict(again.units) == dict(battle.units)


def test_whoever_hides_keeps_his_side_in_the_game() -> None:
    events = rules().interface.advance(
        rules(), laid(odo="0203", grim="1406").changed(at=Cursor("melee", 1, "carters"))
    )
    assert not [event for event in events if type(event).__name__ == "GameEnded"]


def test_when_the_game_is_over_nobody_hides() -> None:
    over = laid(odo="0203", grim="1406").changed(at=Cursor("over"), winner="draw")
    assert seen_at(over, "carters")["grim"] == ("1406",)


# --- an enemy comes near


def test_who_comes_within_three_hexes_sees_him_and_goes_on() -> None:
    far = played(laid(odo="0603", grim="1103"), carters="move:\n- odo to 0703\n")
    assert told(far) == [("Moved", "odo")], "four hexes are too far"
    near = played(laid(alric="0703", grim="1103"), carters="move:\n- alric to 0903\n")
    assert told(near) == [("Revealed", "grim"), ("Moved", "alric")]
    assert near.state.units["grim"].at == ("1103",)
    assert near.state.units["alric"].at == ("0903",)
    (event,) = (event for event in near.events if type(event).__name__ == "Revealed")
    assert plain(event) == {
        "type": "Revealed", "unit": "grim", "at": ["1103"], "why": "near", "by": "alric", "where": "0802",
    }  # fmt: skip


def test_who_only_passes_by_sees_him_too() -> None:
    passed = played(laid(alric="0805", grim="1103"), carters="move:\n- alric by 0804 0803 0802 0801 0701\n")
    assert told(passed) == [("Revealed", "grim"), ("Moved", "alric")]


def test_he_stops_before_one_who_lies_in_his_way() -> None:
    result = played(laid(alric="0903", grim="1103"), carters="move:\n- alric by 1003 1103 1203\n")
    assert told(result) == [("Revealed", "grim"), ("Moved", "alric")]
    moved = plain(result.events[-1])
    assert (moved["path"][-1], moved["stopped"]) == ("1003", "movement.enemy")


def test_his_way_is_the_one_that_he_was_told_and_does_not_go_round() -> None:
    """Whom he does not know of makes him take no other way, even where that would have been as short."""
    free = played(laid(alric="0603"), carters="move:\n- alric to 1003\n")
    way = plain(free.events[-1])["path"]
    met = played(laid(alric="0603", grim=way[2]), carters="move:\n- alric to 1003\n")
    assert plain(met.events[-1])["path"] == way[:2]


def test_neither_the_stunned_nor_horses_see_anybody() -> None:
    battle = laid(alric="1003", grim="1103")
    stunned = battle.with_units(replace(battle.units["alric"], state="stunned"))
    assert told(played(stunned)) == []
    assert told(played(battle)) == [("Revealed", "grim")]


def test_who_is_driven_into_his_hex_finds_him_beside_it() -> None:
    result = played(laid(alric="1103", grim="1103"))
    assert result.state.units["grim"].at == ("1002",)
    assert told(result) == [("Revealed", "grim")]


def test_fire_drives_him_out() -> None:
    battle = laid(alric="0203", grim="1103").changed(features={("1103", "fire"): Feature("1103", "fire")})
    result = played(battle)
    assert told(result) == [("Revealed", "grim"), ("Retreated", "grim")]
    assert plain(result.events[0])["why"] == "fire"


def test_a_stone_that_comes_down_on_him_does_him_no_harm_but_he_is_seen() -> None:
    battle = laid(alric="0203", grim="1103", wat="1203")

    def sling(play: Play[Battle]) -> None:
        play.happen(Slung("alric", "stone", "0203", "1104", 3, "1103"))
        hiding.look_about(rules(), play)

    result = resolve_phase(sling, battle, str(battle.at), apply, Chance(1))
    assert told(result) == [("Slung", "alric"), ("Revealed", "grim")]
    assert result.state.units["grim"].state == "healthy"


# --- he does something


def thieves(battle: Battle) -> Battle:
    return battle.changed(at=Cursor("movement", 1, "thieves"))


def test_an_order_brings_him_out_before_it_is_carried_out() -> None:
    result = played(thieves(laid(odo="0203", grim="1103")), thieves="move:\n- grim to 0903\n")
    assert told(result) == [("Revealed", "grim"), ("Moved", "grim")]
    assert result.state.units["grim"].at == ("0903",)
    assert result.state.units["grim"].hides == ()


def test_a_rider_comes_out_with_his_horse() -> None:
    result = played(thieves(laid(odo="0203", vairon="1203 1202")), thieves="move:\n- renouf to 0903\n")
    assert told(result)[0] == ("Revealed", "renouf")
    assert result.state.units["vairon"].hides == ()


def test_a_horse_that_hides_comes_out_for_whoever_mounts_it() -> None:
    battle = laid(odo="0203", vairon="1203 1202")
    afoot = battle.units["renouf"], battle.units["vairon"]
    battle = battle.with_units(replace(afoot[0], on="", hides=(), at=("1103",)), afoot[1])
    result = played(thieves(battle), thieves="move:\n- renouf mounts vairon\n")
    assert told(result)[:2] == [("Revealed", "vairon"), ("JobBegan", "renouf")]


@pytest.mark.parametrize("order", ["move:\n- grim to 0101\n", "fight:\n- grim attacks odo\n"])
def test_one_that_is_not_legal_leaves_him_in_hiding(order: str) -> None:
    phase = {"move": "movement", "fight": "melee"}[order.partition(":")[0]]
    result = played(thieves(laid(odo="0203", grim="1103")), phase, thieves=order)
    assert told(result) == [("OrderSkipped", "")]
    assert result.state.units["grim"].hides == ("1103",)


def test_a_friend_does_not_end_his_way_where_he_lies() -> None:
    result = played(thieves(laid(odo="0203", col="0903", grim="1003")), thieves="move:\n- col to 1003\n")
    assert [event.code for event in result.events] == ["movement.occupied"]


def fire(battle: Battle, **said: Any) -> PhaseResult[Battle]:
    orders = Instructions("thieves", "", **said)
    return played(battle.changed(standing={"thieves": orders}), "defensive_fire")


def test_he_shoots_in_the_enemys_turn_only_if_he_was_told_by_name() -> None:
    battle = laid(odo="0703", wat="1103")
    assert told(fire(battle, everyone={"defend": "nearest"})) == []
    assert told(fire(battle, figures=({"unit": "wat", "defend": "hold"},))) == []
    asked = fire(battle, figures=({"unit": "wat", "defend": "ask"},))
    assert (told(asked), asked.question) == ([], None), "a question would tell of him"
    shot = fire(battle, figures=({"unit": "wat", "defend": "nearest"},))
    assert [name for name, _ in told(shot)][:3] == ["Revealed", "Rolled", "Shot"]


@pytest.mark.parametrize("lair", ["0703", "0803", "1003", "0904"])
def test_nothing_is_rolled_that_is_named_after_him_or_otherwise_because_of_him(lair: str) -> None:
    """The same shots, dice and events, whether he lies there or not: on the line of a shot too, and beside
    him who is shot at.
    """
    alone = laid(odo="0203", alric="0204", col="0903")
    lain = laid(odo="0203", alric="0204", col="0903", grim=lair, wat="1402", vairon="1304 1305")
    shots = 0
    for phase in ("movement", "defensive_fire", "offensive_fire", "melee", "recovery"):
        without, with_ = (
            played(one, phase, carters="move:\n- odo to 0303\nshoot:\n- alric at col\n")
            for one in (alone, lain)
        )
        assert (without.rolls, without.events) == (with_.rolls, with_.events), phase
        shots += sum(type(event).__name__ == "Shot" for event in with_.events)
    assert shots == 2


# --- what the other side learns


def learnt(result: PhaseResult[Battle], side: str) -> Sequence[Mapping[str, Any]]:
    events = [{"n": n, **plain(event)} for n, event in enumerate(result.events, 1)]
    return rules().interface.seen(rules(), result.state, events, side)


def test_what_he_was_told_to_do_is_not_learnt_as_long_as_he_hides() -> None:
    orders = "move:\n- when: odo is at 0203\n  then: grim to 0101\n"
    result = played(thieves(laid(odo="0203", grim="1103")), thieves=orders)
    assert [event["type"] for event in learnt(result, "thieves")] == ["BranchTaken", "OrderSkipped"]
    assert learnt(result, "carters") == []


def test_causes_are_counted_among_what_is_learnt() -> None:
    events = [
        {"type": "PhaseBegan", "phase": "melee"},
        {"type": "OrderSkipped", "seat": "thieves"},
        {"type": "Fought"},
        {"type": "StateChanged", "unit": "odo", "cause": 1},
        {"type": "Moved", "unit": "odo", "cause": 0},
    ]
    found = hidden_views.seen(rules(), laid(odo="0203", grim="1103"), events, "carters")
    assert [event.get("cause") for event in found] == [None, None, 0, None]
    assert hidden_views.seen(rules(), laid(odo="0203"), events, "carters") == events, "nobody hides any more"


# --- what a scenario may say


def test_who_hides_is_placed_by_his_side_alone_in_one_step() -> None:
    assert problems({"hidden": {"thieves": {}}}) == []
    assert problems({"hidden": {"foxes": {}}}) == ["scenario.unknown-side"]
    assert problems({"hidden": {"thieves": {"who": "grim, watt"}}}) == ["hidden.unknown"]
    assert problems({"hidden": {"thieves": {"seen-within": "0"}}}) == ["hidden.hexes"]
    place = {"may": ["place"]}
    sealed = [{"sealed": "true", "seats": ["carters", "thieves"], **place}]
    assert problems({"setup": sealed}) == ["hidden.step"]
    twice = [{"seat": "thieves", **place}, {"seat": "carters", **place}, {"seat": "thieves", **place}]
    assert problems({"setup": twice}) == ["hidden.step"]
    units = read(SCENARIOS / "ambush.yaml")["units"]
    fixed = {
        **units,
        "thieves": [{**one, "at": "1103"} if one["id"] == "grim" else one for one in units["thieves"]],
    }
    del fixed["thieves"][1]["in"]
    assert problems({"units": fixed}) == ["hidden.not-placed"]
    there = {**units, "carters": [{**one, "in": "wood"} for one in units["carters"]]}
    assert problems({"units": there}) == ["hidden.shared"]


def test_without_its_module_nobody_hides() -> None:
    assert problems({"modules": ["open-ground", "riders"]}) == [], (
        "the rules in force say so, not the scenario"
    )
    without, _ = choose(ANARCHY, ["open-ground", "riders"], {})
    assert without is not None
    _, wrong, _ = without.interface.read_field(
        without, {**read(SCENARIOS / "ambush.yaml"), "modules": ["open-ground", "riders"]}, read(SCENARIOS / "maps" / "thicket.yaml")
    )  # fmt: skip
    assert [problem.code for problem in wrong] == ["scenario.not-in-force"]


# --- what a side reckons with


def answer(battle: Battle, seat: str, text: str) -> list[str]:
    """Return what is said to an order file before anything is played."""
    view = hidden_views.view(rules(), battle, seat)
    data = {**yaml.load(text, Loader=yaml.BaseLoader), "turn": 1}
    file, wrong = rules().interface.read_orders(rules(), view, seat, data)
    assert file is not None, wrong
    return [problem.code for problem in rules().interface.check(rules(), view, file, ()).problems]


def test_a_friend_in_hiding_is_in_the_way_of_no_shot() -> None:
    battle = laid(odo="0103", grim="0603", col="0803").changed(at=Cursor("offensive_fire", 1, "thieves"))
    shot = "shoot:\n- col at odo\n"
    assert answer(battle, "thieves", shot) == []
    assert ("Shot", "col") in told(played(battle, "offensive_fire", thieves=shot))


def test_an_enemy_in_hiding_is_not_gone() -> None:
    battle = laid(odo="0203", grim="1103")
    met = "move:\n- when: grim is gone\n  then: odo to 0303\n  otherwise: odo to 0204\n"
    result = played(battle, carters=met)
    assert battle.units["grim"].hides and result.state is not None
    assert result.state.units["odo"].at == ("0204",)
    assert "in hiding" in str(
        [plain(event) for event in result.events if type(event).__name__ == "BranchTaken"]
    )
