"""Shooting on a range built by hand: choice of targets, tallies, order of resolution, and what cannot be
ordered.
"""

from __future__ import annotations

import pytest
import siege_range as on_range
from msgspec.structs import replace

from pbem.core.odds import Tally
from pbem.core.problem import Problem
from pbem.rulesets.siege.combat import aiming, ranges, shooting, shot_odds
from pbem.rulesets.siege.state.events import (
    Checked,
    FileEnded,
    OrderSkipped,
    Reason,
    Rolled,
    Shot,
    StateChanged,
)
from pbem.rulesets.siege.state.orders import Condition, Line, Shoot, Stop, When
from pbem.rulesets.siege.state.state import Battle, Unit

PEOPLE = {
    **{id_: on_range.person(id_, "short_bow") for id_ in ("alric", "bran")},
    "emma": on_range.person("emma", "long_bow"),
    "colin": on_range.person("colin", "crossbow"),
    "hob": on_range.person("hob"),
    "guy": on_range.person("guy", missile_class="knights"),
    **{id_: on_range.person(id_) for id_ in ("adam", "ned", "wulf", "steed")},
}
RULES = on_range.rules()
PHASE = "t1.east.first_missile"


def east(id_: str, at: str, state: str = "healthy", **more: object) -> Unit:
    return on_range.unit(id_, "east", at, state, **more)


def west(id_: str, at: str, state: str = "healthy", **more: object) -> Unit:
    return on_range.unit(id_, "west", at, state, **more)


def battle(*units: Unit, at: str = PHASE, **where: object) -> Battle:
    return on_range.battle(at, *units, people=PEOPLE, **where)


def why(battle: Battle, shooter: str, target: str, rules=RULES) -> Problem | None:
    return aiming.why_not(rules, battle, battle.units[shooter], battle.units[target])


def problems(battle: Battle, order: Shoot) -> list[tuple[str, str]]:
    return [(problem.code, problem.rule) for problem in shooting.check_shoot(RULES, battle, "east", order)]


def resolved(battle: Battle, dice: dict[str, int], *orders: Shoot, rules=RULES) -> list[object]:
    play = on_range.play(battle, dice)
    shooting.resolve(rules, play, {"east": (on_range.file(battle, *orders),)} if orders else {})
    return play.events


def shots(events: list[object]) -> list[tuple[str, str]]:
    return [(event.shooter, event.target) for event in events if isinstance(event, Shot)]


# --- at whom


def test_every_limit_of_every_band():
    for weapon, limits in {
        "short_bow": (10, 25, 50),
        "long_bow": (12, 30, 70),
        "crossbow": (15, 35, 75),
    }.items():
        assert [ranges.band(RULES, weapon, hexes) for hexes in (1, *limits)] == [
            "short",
            "short",
            "medium",
            "long",
        ]
        assert [ranges.band(RULES, weapon, hexes + 1) for hexes in limits] == ["medium", "long", ""]
        assert ranges.band(RULES, weapon, 0) == ""


def test_out_of_range_names_the_limits():
    found = why(battle(east("alric", "0101"), west("wulf", "5201")), "alric", "wulf")
    assert found == Problem(
        "shooting.range",
        {"unit": "alric", "target": "wulf", "range": 51, "weapon": "short bow"},
        rule="S1.3b",
        help="its ranges in hexes are short 1 to 10, medium 11 to 25, long 26 to 50",
    )


def test_a_friend_is_no_target():
    found = why(battle(east("alric", "0101"), east("hob", "0103")), "alric", "hob")
    assert found is not None
    assert (found.code, found.rule) == ("shooting.friend", "S1.41a")


def test_the_dead_and_those_who_left_are_no_targets():
    now = battle(
        east("alric", "0101"), west("wulf", "0103", "dead"), west("ned", "", left=True), west("adam", "")
    )
    said = [why(now, "alric", id_) for id_ in ("wulf", "ned", "adam")]
    assert [(problem.code, problem.args["state"]) for problem in said] == [
        ("shooting.target-gone", "dead"),
        ("shooting.target-gone", "gone"),
        ("shooting.target-gone", "gone"),
    ]


def test_who_is_not_on_the_map_does_not_shoot():
    found = why(battle(east("alric", ""), west("wulf", "0103")), "alric", "wulf")
    assert found is not None
    assert found.code == "shooting.off-map"


def test_whose_time_it_is_not_does_not_shoot():
    now = battle(east("colin", "0101"), west("wulf", "0103"), at="t1.east.second_archery")
    found = why(now, "colin", "wulf")
    assert found is not None
    assert (found.code, found.rule) == ("sequence.not-again", "S1.21d")


def test_a_stunned_enemy_can_be_shot_at():
    assert why(battle(east("alric", "0101"), west("wulf", "0103", "stunned")), "alric", "wulf") is None


def test_a_rider_is_shot_at_where_his_horse_stands():
    steed, rider = west("steed", "0105", kind="horse"), west("guy", "0105", on="steed")
    now = battle(east("alric", "0101"), steed, rider)
    assert why(now, "alric", "guy") is None
    assert ranges.range_to(now, now.units["alric"], rider) == 4
    assert (
        shot_odds.table_for(on_range.rules(missile_target_split="mounted_vs_foot"), now, rider)
        == "shooting_knights"
    )


# --- what may be ordered


def test_an_order_is_good_if_one_of_its_targets_is():
    now = battle(east("alric", "0101"), west("wulf", "0105", "dead"), west("ned", "0106"))
    assert problems(now, Shoot("alric", ("wulf", "ned"))) == []
    assert problems(now, Shoot("alric", ("wulf", "nearest"))) == []


def test_an_order_without_a_good_target_says_what_is_wrong_with_each():
    now = battle(
        east("alric", "0101"), east("hob", "0102"), west("wulf", "0105", "dead"), west("ned", "0106")
    )
    assert problems(now, Shoot("alric", ("wulf", "ned", "nearest"))) == [
        ("shooting.target-gone", "S1.41a"),
        ("line_of_fire.figure", "S1.42d"),
        ("shooting.nobody", "S1.41a"),
    ]


def test_what_is_wrong_with_the_shooter_is_said_once():
    now = battle(east("hob", "0101"), west("wulf", "0105"), west("ned", "0106"))
    assert problems(now, Shoot("hob", ("wulf", "ned"))) == [("sequence.no-missile", "S1.21a")]


def test_nobody_shoots_across_a_parapet_where_there_is_none():
    now = battle(east("alric", "0101"), west("wulf", "0105"))
    order = Shoot("alric", ("wulf",), across="ne")
    assert list(shooting.check_shoot(RULES, now, "east", order)) == [
        Problem(
            "shooting.across", {"unit": "alric", "side": "ne"}, rule="S1.44a", help="leave out: across ne"
        )
    ]
    skipped = resolved(now, {}, order)
    assert [event.code for event in skipped if isinstance(event, OrderSkipped)] == ["shooting.across"]


# --- the nearest


def test_the_nearest_of_two_at_one_distance_is_the_first_by_name():
    now = battle(east("alric", "0505"), west("wulf", "0502"), west("ned", "0508"), west("adam", "0501"))
    assert shots(resolved(now, {"shoot/alric": 10}, Shoot("alric", ("nearest",)))) == [("alric", "ned")]


def test_the_nearest_is_not_one_whom_something_hides():
    now = battle(east("alric", "0505"), west("wulf", "0503"), west("ned", "0509"), ground={"tree": "0504"})
    assert shots(resolved(now, {"shoot/alric": 10}, Shoot("alric", ("nearest",)))) == [("alric", "ned")]


def test_there_may_be_no_nearest():
    far = battle(east("alric", "0101"), west("wulf", "5201"))
    hidden = battle(east("alric", "0101"), west("wulf", "0103"), ground={"tree": "0102"})
    gone = battle(east("alric", "0101"), west("wulf", "0102", "dead"), west("ned", "", left=True))
    for now in (far, hidden, gone):
        assert shooting.nearest(RULES, now, now.units["alric"]) is None


# --- die, row, result


def test_the_tally_keeps_its_reasons_in_the_order_of_the_book():
    now = battle(east("alric", "0101", "wounded"), west("wulf", "1201"))
    alric, wulf = now.units["alric"], now.units["wulf"]
    found = shot_odds.tally(RULES, now, alric, wulf, 4)
    assert str(found) == "die 4, +1 medium range (S1.3b), +2 wounded shooter (CH12.3c)"
    assert found.total == 7
    assert (
        str(shot_odds.tally(RULES, now, alric, wulf))
        == "die, +1 medium range (S1.3b), +2 wounded shooter (CH12.3c)"
    )


def test_at_short_range_a_healthy_shooter_has_the_bare_die():
    now = battle(east("alric", "0101"), west("wulf", "0105"))
    assert shot_odds.tally(RULES, now, now.units["alric"], now.units["wulf"], 4) == Tally(4, "die 4")


def test_rows_are_clamped_to_those_printed():
    assert [shot_odds.clamped(row, 1, 10) for row in (-3, 0, 1, 10, 11, 14)] == [1, 1, 1, 10, 10, 10]


def test_every_result_of_the_key_befalls_the_target():
    befell = {}
    for die in range(1, 8):
        now = battle(east("colin", "0101"), west("wulf", "0105"))
        *_, shot, last = resolved(now, {"shoot/colin": die}, Shoot("colin", ("wulf",)))
        befell[die] = (
            (last.result, "") if isinstance(last, Shot) else (shot.result, getattr(last, "is_", "checked"))
        )
    assert befell == {
        1: ("E", "dead"),
        2: ("E", "dead"),
        3: ("D", "wounded"),
        4: ("D", "wounded"),
        5: ("C", "stunned"),
        6: ("B", "checked"),
        7: ("A", ""),
    }


def test_the_events_of_a_shot():
    friends = east("hob", "0601"), east("colin", "0901", "stunned")
    now = battle(east("alric", "0101"), *friends, west("wulf", "1201"), ground={"scrub": "0301"})
    _, rolled, shot, checked = resolved(now, {"shoot/alric": 2}, Shoot("alric", ("wulf",)))
    assert rolled == Rolled(
        label="t1.east.first_missile/shoot/alric",
        sides=10,
        values=(2,),
        rule="S1.3a",
        table="shooting_others",
        column="short bow, light cover",
        base="die 2",
        tally=(Reason("S1.3b", "medium range", 1),),
        row=3,
        result="B",
        said="checked: takes cover; 2 movement points less in the next movement, no shot in the next phase 1",
    )
    assert (shot.shooter, shot.target, shot.weapon, shot.roll, shot.result) == (
        "alric",
        "wulf",
        "short_bow",
        2,
        "B",
    )
    assert shot.over == ("hob", "colin")
    assert (shot.range, shot.band, shot.cover, shot.cover_rule) == (11, "medium", "light", "S3.21b")
    assert shot.line == (
        "0101",
        "0201",
        "0301",
        "0401",
        "0501",
        "0601",
        "0701",
        "0801",
        "0901",
        "1001",
        "1101",
        "1201",
    )
    assert checked == Checked("wulf", PHASE)


def test_a_hurt_names_the_shot_as_its_cause():
    now = battle(east("alric", "0101"), west("wulf", "0105"))
    events = resolved(now, {"shoot/alric": 2}, Shoot("alric", ("wulf",)))
    assert isinstance(events[2], Shot)
    assert events[3] == StateChanged("wulf", "healthy", "wounded", PHASE, 2, "S1.3e")


def test_the_die_is_named_after_phase_and_shooter():
    now = battle(
        east("alric", "0101", did=("shot", "moved")), west("wulf", "0105"), at="t4.east.second_archery"
    )
    events = resolved(now, {"shoot-again/alric": 9}, Shoot("alric", ("wulf",)))
    assert [event.label for event in events if isinstance(event, Rolled)] == [
        "t4.east.second_archery/shoot-again/alric"
    ]


# --- a phase


def test_everybody_shoots_once_in_a_phase():
    now = battle(east("alric", "0101"), west("wulf", "0105"), west("ned", "0106"))
    events = resolved(now, {"shoot/alric": 10}, Shoot("alric", ("wulf",)), Shoot("alric", ("ned",)))
    assert shots(events) == [("alric", "wulf")]
    assert [event.code for event in events if isinstance(event, OrderSkipped)] == ["shooting.again"]


def test_a_silent_side_that_shoots_does_so_in_the_order_of_ids():
    now = battle(
        east("emma", "0201"),
        east("bran", "0301", "stunned"),
        east("colin", "0401"),
        east("hob", "0501"),
        east("alric", "0601"),
        west("wulf", "0309"),
        silent="shoot-nearest",
    )
    dice = {"shoot/alric": 10, "shoot/colin": 10, "shoot/emma": 10}
    assert shots(resolved(now, dice)) == [("alric", "wulf"), ("colin", "wulf"), ("emma", "wulf")]
    first = on_range.rules(first_missile_phase="foot_archers_then_others")
    assert shots(resolved(now, dice, rules=first)) == [("alric", "wulf"), ("emma", "wulf"), ("colin", "wulf")]


def test_a_silent_side_that_holds_does_nothing():
    assert resolved(battle(east("alric", "0101"), west("wulf", "0105")), {}) == []


def test_a_side_that_sent_something_is_not_silent():
    now = battle(east("alric", "0101"), east("emma", "0201"), west("wulf", "0105"), silent="shoot-nearest")
    assert shots(resolved(now, {"shoot/alric": 10}, Shoot("alric", ("wulf",)))) == [("alric", "wulf")]


def test_bowmen_on_foot_first_is_of_the_first_phase_only():
    now = battle(
        east("alric", "0101"), east("emma", "0201"), west("wulf", "0105"), at="t1.east.second_archery"
    )
    dice = {"shoot-again/alric": 10, "shoot-again/emma": 10}
    first = on_range.rules(first_missile_phase="foot_archers_then_others")
    order = (Shoot("emma", ("wulf",)), Shoot("alric", ("wulf",)))
    assert shots(resolved(now, dice, *order, rules=first)) == [("emma", "wulf"), ("alric", "wulf")]


def _when(now: Battle, *items: object) -> Battle:
    """Return a file whose first line is colin's shot, and then one branch that is taken."""
    condition = Condition("turn is at least 1", (("", "turn", "1"),))
    file = on_range.file(now, Shoot("colin", ("wulf",)))
    branch = When(condition, tuple(items), (), ("shoot", 1))
    lines = (*file.sections[now.at.phase], branch)
    return type(file)(file.seat, file.side, file.opened, sections={now.at.phase: lines}, phases=file.phases)


def test_with_bowmen_first_a_branch_of_bowmen_goes_first():
    now = battle(east("alric", "0101"), east("colin", "0201"), west("wulf", "0105"))
    rules = on_range.rules(first_missile_phase="foot_archers_then_others")
    play = on_range.play(now, {"shoot/alric": 10, "shoot/colin": 10})
    shooting.resolve(
        rules, play, {"east": (_when(now, Line(Shoot("alric", ("wulf",)), ("shoot", 1, "then", 0))),)}
    )
    assert shots(play.events) == [("alric", "wulf"), ("colin", "wulf")]


def test_with_bowmen_first_a_branch_that_stops_waits_for_the_others():
    now = battle(east("alric", "0101"), east("colin", "0201"), west("wulf", "0105"))
    rules = on_range.rules(first_missile_phase="foot_archers_then_others")
    play = on_range.play(now, {"shoot/colin": 10})
    shooting.resolve(rules, play, {"east": (_when(now, Stop(("shoot", 1, "then", 0))),)})
    assert shots(play.events) == [("colin", "wulf")]
    assert isinstance(play.events[-1], FileEnded)


def test_with_bowmen_first_the_bowmen_of_all_seats_shoot_before_all_others():
    now = battle(east("colin", "0101"), east("emma", "0201", owner="second"), west("wulf", "0105"))
    rules = on_range.rules(first_missile_phase="foot_archers_then_others")
    play = on_range.play(now, {"shoot/emma": 10, "shoot/colin": 10})
    colin, emma = (on_range.file(now, Shoot(id_, ("wulf",))) for id_ in ("colin", "emma"))
    shooting.resolve(rules, play, {"east": (colin,), "second": (emma,)})
    assert shots(play.events) == [("emma", "wulf"), ("colin", "wulf")]


# --- who stands where, while shots fall


@pytest.mark.parametrize(
    "change",
    [
        {"did": ("shot",)},
        {"state": "stunned"},
        {"state": "dead"},
        {"at": ("0909",)},
        {"at": (), "left": True},
        {"at": (), "on": "steed"},
    ],
)
def test_what_is_known_of_who_stands_where_holds_after_every_change(change):
    now = battle(
        east("alric", "0101"), west("wulf", "0105"), west("ned", "0106", "dead"), west("steed", "0107")
    )
    known = (now.standing_at, now.living_in, now.bodies_in)
    after = now.with_units(replace(now.units["wulf"], **change))
    anew = battle(*after.units.values())
    assert (after.standing_at, after.living_in, after.bodies_in) == (
        anew.standing_at,
        anew.living_in,
        anew.bodies_in,
    )
    assert (now.standing_at, now.living_in, now.bodies_in) == known
    risen = after.with_units(now.units["wulf"])
    assert (risen.standing_at, risen.living_in, risen.bodies_in) == known
