"""The judge: exact up to the first die, then problem, doubt or fine, and what follows from every line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from msgspec.structs import replace
from skirmish import RULES, battle, field, orders

from pbem.core.problem import Problem
from pbem.rulesets.siege.judge import judge
from pbem.rulesets.siege.state.field import Force, SetupStep
from pbem.rulesets.siege.state.orders import OrderFile
from pbem.rulesets.siege.state.state import Battle

# 0505 has the neighbours n 0504, ne 0604, se 0605, s 0506, sw 0405, nw 0404
MEN: dict[str, tuple[Any, ...]] = {
    "alric": ("east", "longbowman", "0507"),
    "bran": ("east", "crossbowman", "0502"),
    "hob": ("east", "sergeant", "0404"),
    "odo": ("east", "spearman", "0405"),
    "gunter": ("west", "peasant", "0505"),
    "tam": ("west", "peasant", "0605"),
    "wulf": ("west", "sergeant", "0906"),
}


def said(
    where: Battle, data: Mapping[str, Any], earlier: Sequence[OrderFile] = (), seat: str = "east"
) -> list[tuple[str, tuple[str | int, ...]]]:
    return [(problem.code, problem.path) for problem in judged(where, data, earlier, seat)]


def judged(
    where: Battle, data: Mapping[str, Any], earlier: Sequence[OrderFile] = (), seat: str = "east"
) -> list[Problem]:
    return list(judge.check(RULES, where, orders(where, data, seat), tuple(earlier)).problems)


SHOOTING, MOVING, FIGHTING = battle(MEN), battle(MEN, "movement"), battle(MEN, "melee")


def test_an_empty_file_is_fine() -> None:
    assert said(SHOOTING, {}) == []
    assert said(SHOOTING, {"standing": {"everyone": {"advance": "never"}}}) == []


def test_a_move_section_that_opens_the_file_is_exact_as_a_whole() -> None:
    lines = ["odo to 0304", "hob to 0405", "alric to 0406", "bran by 0402 0403 0304"]
    assert said(MOVING, {"move": lines}) == [("movement.occupied", ("move", 3))]
    assert said(MOVING, {"move": ["alric to 0405"]}) == [("movement.occupied", ("move", 0))]
    problem = judged(MOVING, {"move": ["odo to 1201"]})[0]
    assert (problem.code, problem.rule) == ("movement.too-far", "S1.6b")


def test_of_several_places_the_first_that_can_be_reached_counts() -> None:
    assert said(MOVING, {"move": ["odo to 1201 or 0304", "hob to 0405"]}) == []
    assert said(MOVING, {"move": ["odo to 1201 or 0304", "hob to 0304"]}) == [
        ("movement.occupied", ("move", 1))
    ]


def test_what_moves_decide_for_the_melee_is_exact_too() -> None:
    assert said(MOVING, {"move": ["alric to 0606"], "fight": ["alric attacks tam"]}) == []
    assert said(MOVING, {"fight": ["alric attacks tam"]}) == [("melee.not-adjacent", ("fight", 0))]


def test_the_dead_the_stunned_and_the_wrong_weapon_are_problems() -> None:
    where = battle(
        {**MEN, "odo": ("east", "spearman", "0405", "stunned"), "hob": ("east", "sergeant", "0404", "dead")}
    )
    assert said(
        where,
        {
            "shoot": ["odo at gunter", "hob at gunter"],
            "move": ["odo to 0304"],
            "fight": ["odo attacks gunter"],
        },
    ) == [
        ("sequence.stunned", ("shoot", 0)),
        ("sequence.dead", ("shoot", 1)),
        ("sequence.stunned", ("move", 0)),
        ("melee.stunned", ("fight", 0)),
    ]
    assert said(SHOOTING, {"shoot": ["odo at gunter"]}) == [("sequence.no-missile", ("shoot", 0))]


# --- after the first shot


def test_a_second_shot_at_the_same_man_is_in_doubt() -> None:
    found = judged(SHOOTING, {"shoot": ["alric at gunter", "bran at gunter"]})
    assert [(p.code, p.path, p.rule, p.args) for p in found] == [
        ("doubt.fallen", ("shoot", 1), "S1.41a", {"unit": "bran", "target": "gunter"}),
    ]  # fmt: skip
    assert found[0].help == "name a second target, or add: or nearest"
    assert said(SHOOTING, {"shoot": ["alric at gunter", "bran at wulf"]}) == []
    assert said(SHOOTING, {"shoot": ["alric at gunter", "bran at gunter or wulf"]}) == []
    assert said(SHOOTING, {"shoot": ["alric at gunter", "bran at gunter or nearest"]}) == []


def test_the_nearest_is_somebody_unless_all_may_be_dead() -> None:
    assert said(
        SHOOTING, {"shoot": ["alric at nearest", "bran at nearest"], "fight": ["odo attacks gunter"]}
    ) == [("doubt.fallen", ("fight", 0))]
    alone = battle({name: man for name, man in MEN.items() if name not in ("tam", "wulf")})
    assert said(alone, {"shoot": ["alric at nearest", "bran at nearest"]}) == [("doubt.fallen", ("shoot", 1))]
    gone = battle(
        {
            **MEN,
            "gunter": ("west", "peasant", "0505", "dead"),
            "tam": ("west", "peasant", "0605", "dead"),
            "wulf": ("west", "peasant", "", {"left": True}),
        }
    )
    assert said(gone, {"shoot": ["alric at nearest"]}) == [("shooting.nobody", ("shoot", 0))]
    far = battle({**MEN, "alric": ("east", "longbowman", "0507")}, "movement")
    data = {
        "shoot-again": ["alric at nearest"],
        "move": ["alric to 0508"],
        "fight": ["odo attacks gunter", "hob attacks tam"],
    }
    assert said(far, data) == [("doubt.fallen", ("fight", 0)), ("melee.not-adjacent", ("fight", 1))]


def test_what_is_out_of_range_whatever_falls_is_a_problem() -> None:
    far = battle(
        {**MEN, "wulf": ("west", "sergeant", "9905"), "mad": ("west", "peasant", "0101", "dead")},
        ground=field(columns=99),
    )
    assert said(far, {"shoot": ["alric at gunter", "bran at wulf"]}) == [("shooting.range", ("shoot", 1))]
    assert said(far, {"shoot": ["alric at wulf or mad"]}) == [
        ("shooting.range", ("shoot", 0)),
        ("shooting.target-gone", ("shoot", 0)),
    ]


def test_a_line_that_opens_only_if_somebody_falls_is_in_doubt() -> None:
    row = {
        "bran": ("east", "crossbowman", "0501"),
        "alric": ("east", "longbowman", "0401"),
        "gunter": ("west", "peasant", "0504"),
        "tam": ("west", "spearman", "0506"),
    }
    where = battle(row)
    assert said(where, {"shoot": ["bran at tam"]}) == [("line_of_fire.figure", ("shoot", 0))]
    found = judged(where, {"shoot": ["alric at gunter", "bran at tam"]})
    assert [(p.code, p.path, p.rule) for p in found] == [("doubt.way", ("shoot", 1), "S1.42a")]


def test_a_hex_that_is_free_only_if_its_holder_falls_is_in_doubt() -> None:
    assert said(SHOOTING, {"move": ["odo to 0505"]}) == [("movement.enemy", ("move", 0))]
    found = judged(SHOOTING, {"shoot": ["alric at gunter"], "move": ["odo to 0505"]})
    assert [(p.code, p.args) for p in found] == [
        ("doubt.held", {"unit": "odo", "place": "0505", "holder": "gunter"})
    ]
    assert said(SHOOTING, {"shoot": ["alric at gunter"], "move": ["odo to 0505 or 0304"]}) == []
    assert said(SHOOTING, {"shoot": ["alric at gunter"], "move": ["odo by 0505 0506"]}) == [
        ("doubt.barred", ("move", 0))
    ]


def test_what_hangs_on_a_doubtful_move_is_in_doubt() -> None:
    base = {"shoot": ["alric at gunter"]}
    found = judged(SHOOTING, {**base, "move": ["odo to 0505"], "fight": ["odo attacks tam"]})
    assert [(p.code, p.path, p.args) for p in found][1:] == [
        ("doubt.elsewhere", ("fight", 0), {"unit": "odo", "places": "0505 or 0405"}),
    ]  # fmt: skip
    assert said(SHOOTING, {**base, "move": ["odo to 0505 or 0304", "hob to 0304"]}) == [
        ("doubt.barred", ("move", 1))
    ]
    assert said(SHOOTING, {**base, "move": ["odo to 0505", "hob to 0405"]})[1:] == [
        ("doubt.barred", ("move", 1))
    ]
    two = {**base, "move": ["odo by 0505 0506"], "fight": ["odo attacks wulf"]}
    assert said(SHOOTING, two)[1:] == [("melee.not-adjacent", ("fight", 0))]


def test_a_crossbowman_who_may_shoot_may_be_unable_to_move() -> None:
    assert said(SHOOTING, {"shoot": ["bran at gunter"], "move": ["bran to 0501"]}) == [
        ("sequence.has-shot", ("move", 0))
    ]
    perhaps = {"shoot": ["alric at gunter", "bran at gunter"], "move": ["bran to 0501"]}
    assert said(SHOOTING, perhaps)[1:] == [("doubt.has-shot", ("move", 0))]
    assert (
        said(
            SHOOTING,
            {"shoot": ["alric at gunter"], "move": ["alric to 0508"], "shoot-again": ["alric at wulf"]},
        )
        == []
    )


def test_an_archer_who_may_stand_elsewhere() -> None:
    found = judged(
        SHOOTING, {"shoot": ["bran at gunter"], "move": ["alric to 0505"], "shoot-again": ["alric at wulf"]}
    )
    assert [(p.code, p.path) for p in found] == [
        ("doubt.held", ("move", 0)),
        ("doubt.elsewhere", ("shoot-again", 0)),
    ]


# --- melee


def test_the_first_combat_is_exact_and_what_it_touches_is_not() -> None:
    assert said(FIGHTING, {"fight": ["odo attacks gunter"]}) == []
    assert said(FIGHTING, {"fight": ["odo attacks gunter at least 9:1"]}) == [
        ("melee.below-demand", ("fight", 0))
    ]
    found = judged(FIGHTING, {"fight": ["odo attacks gunter", "hob attacks gunter"]})
    assert [(p.code, p.path, p.args) for p in found] == [
        ("doubt.gives-way", ("fight", 1), {"unit": "hob", "target": "gunter"})
    ]
    twice = {
        "fight": [
            {"when": "wulf is healthy", "then": ["odo attacks gunter"]},
            {"when": "gunter is dead", "then": ["hob attacks gunter"]},
        ]
    }
    assert said(FIGHTING, twice) == [("doubt.gives-way", ("fight", 1, "then", 0))]
    beside = battle({**MEN, "alric": ("east", "longbowman", "0606")}, "melee")
    assert said(beside, {"fight": ["odo attacks gunter", "alric attacks tam"]}) == []


def test_nobody_attacks_twice() -> None:
    both = {"when": "wulf is healthy", "then": ["odo attacks gunter"]}
    either = {"when": "gunter is healthy", "then": ["odo attacks gunter"], "otherwise": ["odo attacks tam"]}
    assert said(FIGHTING, {"fight": [both]}) == []
    where = battle(MEN)
    found = said(where, {"shoot": ["alric at gunter"], "fight": [either]})
    assert found == [("melee.not-adjacent", ("fight", 0, "otherwise", 0))]


def test_a_man_who_was_shot_at_may_be_dead() -> None:
    found = judged(SHOOTING, {"shoot": ["alric at gunter"], "fight": ["odo attacks gunter"]})
    assert [(p.code, p.args) for p in found] == [("doubt.fallen", {"unit": "odo", "target": "gunter"})]
    assert said(SHOOTING, {"shoot": ["alric at gunter"], "fight": ["odo attacks tam"]}) == [
        ("melee.not-adjacent", ("fight", 0))
    ]


def test_odds_that_only_a_wound_allows_are_in_doubt() -> None:
    giant = battle({**MEN, "gunter": ("west", "rich_knight", "0505")})
    assert said(giant, {"fight": ["odo attacks gunter"]}) == [("melee.odds", ("fight", 0))]
    assert said(giant, {"shoot": ["alric at gunter"], "fight": ["odo attacks gunter"]}) == [
        ("doubt.fallen", ("fight", 0))
    ]
    hurt = {"when": "gunter is healthy or stunned", "then": ["odo attacks gunter"]}
    assert said(giant, {"shoot": ["alric at gunter"], "fight": [hurt]}) == [
        ("doubt.weak", ("fight", 0, "then", 0))
    ]
    assert said(giant, {"shoot": ["alric at gunter"], "fight": [{**hurt, "when": "gunter is healthy"}]}) == [
        ("melee.odds", ("fight", 0, "then", 0)),
    ]  # fmt: skip
    assert said(giant, {"shoot": ["alric at gunter"], "fight": [{**hurt, "when": "gunter is stunned"}]}) == []


# --- conditions


def test_a_condition_decided_before_the_dice_takes_one_branch() -> None:
    branch = {"when": "gunter is healthy", "then": ["odo attacks gunter"], "otherwise": ["odo attacks wulf"]}
    assert said(FIGHTING, {"fight": [branch]}) == []
    assert said(FIGHTING, {"fight": [{**branch, "when": "gunter is dead"}]}) == [
        ("melee.not-adjacent", ("fight", 0, "otherwise", 0))
    ]


def test_what_a_condition_says_is_used_in_its_branch() -> None:
    shot = {"shoot": ["alric at gunter"]}
    attack = ["odo attacks gunter"]
    for when in (
        "gunter is stunned or wounded",
        "gunter is not dead",
        "odo can attack gunter",
        "gunter is not dead or gone",
    ):
        assert said(SHOOTING, {**shot, "fight": [{"when": when, "then": attack}]}) == [], when
    for when in ("odo is next to gunter", "gunter is next to an enemy", "gunter is at 0505"):
        assert said(SHOOTING, {**shot, "fight": [{"when": when, "then": attack}]}) == [
            ("doubt.fallen", ("fight", 0, "then", 0))
        ], when
    pledge = {"when": "odo can attack gunter", "then": ["hob attacks gunter", "odo attacks gunter"]}
    assert said(SHOOTING, {**shot, "fight": [pledge]}) == [
        ("doubt.fallen", ("fight", 0, "then", 0)),
        ("doubt.gives-way", ("fight", 0, "then", 1)),
    ]


def test_conditions_about_what_no_die_touches_are_decided() -> None:
    shot = {"shoot": ["alric at gunter"]}
    for when in ("turn is at least 4", "wulf is dead", "odo is not healthy", "odo is at 0101"):
        branch = {"when": when, "then": ["odo attacks wulf"], "otherwise": []}
        assert said(SHOOTING, {**shot, "fight": [branch]}) == [], when


def test_both_branches_are_judged_and_what_follows_knows_both() -> None:
    shot = {"shoot": ["alric at gunter"]}
    branch = {"when": "gunter is dead", "then": ["odo to 0504"], "otherwise": ["odo to 0304"]}
    assert said(SHOOTING, {**shot, "move": [branch, "hob to 0403"]}) == []
    assert said(SHOOTING, {**shot, "move": [branch, "hob to 0504"]}) == [("doubt.barred", ("move", 1))]
    assert said(SHOOTING, {**shot, "move": [branch], "fight": ["odo attacks tam"]}) == [
        ("melee.not-adjacent", ("fight", 0))
    ]
    assert said(SHOOTING, {**shot, "move": [branch, "hob to 0405"]}) == []


def test_a_branch_that_cannot_come_true_is_not_judged() -> None:
    shot = {"shoot": ["alric at gunter"]}
    branch = {"when": "tam is wounded and gunter is dead", "then": ["odo attacks wulf"]}
    assert said(SHOOTING, {**shot, "fight": [branch]}) == []


def test_a_shot_in_a_branch_leaves_it_open_whether_he_shot() -> None:
    branch = {"when": "gunter is dead", "then": ["bran at wulf"]}
    found = said(SHOOTING, {"shoot": ["alric at gunter", branch], "move": ["bran to 0501"]})
    assert found == [("doubt.has-shot", ("move", 0))]


# --- earlier files, other seats


def test_phases_that_an_earlier_file_has_orders_for_are_foreseen() -> None:
    earlier = orders(MOVING, {"move": ["alric to 0606"]})
    fight = {"turn": "t3.east.melee", "fight": ["alric attacks tam"]}
    assert said(MOVING, fight, [earlier]) == []
    assert said(MOVING, {"turn": "t3.east.melee", "fight": ["odo attacks wulf"]}, [earlier]) == [
        ("melee.not-adjacent", ("fight", 0))
    ]
    bad = orders(MOVING, {"move": ["alric to 1201"]})
    assert said(MOVING, fight, [bad]) == [("melee.not-adjacent", ("fight", 0))]


def test_phases_without_orders_leave_everything_open() -> None:
    fight = {"turn": "t3.east.melee", "fight": ["alric attacks tam"]}
    assert said(MOVING, fight) == [("doubt.adrift", ("fight", 0))]
    assert said(MOVING, {"turn": "t3.east.melee", "fight": ["odo attacks gunter at least 9:1"]}) == [
        ("melee.below-demand", ("fight", 0))
    ]
    again = {"turn": "t3.east.second_archery"}
    assert said(MOVING, {**again, "shoot-again": ["alric at wulf"]}) == [("doubt.adrift", ("shoot-again", 0))]
    assert said(MOVING, {**again, "shoot-again": ["odo at wulf"]}) == [
        ("sequence.no-missile", ("shoot-again", 0))
    ]
    behind = battle(
        {**MEN, "wulf": ("west", "peasant", "1210")},
        "movement",
        field({"1209": "tree", "1109": "tree", "1110": "tree"}),
    )
    assert said(behind, {**again, "shoot-again": ["alric at wulf"]}) == [("doubt.adrift", ("shoot-again", 0))]
    unshot = {"turn": "t3.east.movement", "move": ["bran to 0501", "odo to 0304", "hob to 0505"]}
    assert said(SHOOTING, unshot) == [("doubt.has-shot", ("move", 0)), ("doubt.held", ("move", 2))]
    ended = orders(MOVING, {"move": ["alric to 0606"]})
    assert said(MOVING.changed(ended={"east": "t3.east.movement"}), fight, [ended]) == [
        ("doubt.adrift", ("fight", 0))
    ]


def test_a_file_that_stops_is_judged_to_its_end() -> None:
    assert said(MOVING, {"stop-after": "move", "move": ["odo to 0304"]}) == []
    assert said(MOVING, {"stop-after": "move", "move": ["odo to 0505"]}) == [("movement.enemy", ("move", 0))]


def test_what_team_mates_do_is_not_known() -> None:
    where = battle({**MEN, "hob": ("east", "sergeant", "0404", {"owner": "ally"})})
    assert said(where, {"shoot": ["alric at gunter"]}) == [("doubt.fallen", ("shoot", 0))]
    assert said(where, {"move": ["odo to 0304"]}) == []
    assert said(replace(where, at=MOVING.at), {"move": ["odo to 0404"]}) == [("doubt.held", ("move", 0))]
    assert said(replace(where, at=FIGHTING.at), {"fight": ["odo, hob attack gunter"]}) == [
        ("doubt.mate", ("fight", 0))
    ]


# --- setup, entering, leaving, draws


def test_placing_is_exact() -> None:
    forces = (Force("gunter", "gunter", "west", within="ford"), Force("tam", "tam", "west", within="ford"))
    ground = replace(field(), forces=forces, setup=(SetupStep(("west",), ("place",)),))
    men = {
        "gunter": ("west", "peasant", ""),
        "tam": ("west", "spearman", ""),
        "odo": ("east", "spearman", "0505"),
    }
    where = battle(men, "setup", ground)
    where = where.changed(at=replace(where.at, turn=1, side="west"))
    assert said(where, {"setup": ["gunter at 0101", "tam at 0102"]}, seat="west") == []
    assert said(where, {"setup": ["gunter at 0101", "tam at 0101"]}, seat="west") == [
        ("setup.occupied", ("setup", 1))
    ]
    assert said(where, {"setup": ["gunter at 0505", "tam at 0101"]}, seat="west") == [
        ("setup.outside", ("setup", 0))
    ]


ENTERING = {**MEN, "rolf": ("east", "spearman", "")}
EDGE = replace(field(), forces=(Force("rolf", "rolf", "east", within="ford", enters=True),))


def test_entering_and_leaving() -> None:
    where = battle(ENTERING, "movement", EDGE)
    assert said(where, {"move": ["rolf enters at 0101 to 0202"], "fight": ["rolf attacks gunter"]}) == [
        ("melee.not-adjacent", ("fight", 0))
    ]
    assert said(where, {"move": ["rolf enters at 0901"]}) == [("movement.no-entry", ("move", 0))]
    assert said(where, {"move": ["odo enters at 0101"]}) == [("movement.on-map", ("move", 0))]
    near = battle({**ENTERING, "odo": ("east", "spearman", "0102")}, "movement", EDGE)
    assert said(near, {"move": ["odo leaves the map by 0101", "rolf enters at 0101 to 0102"]}) == []
    assert said(near, {"move": ["rolf enters at 0101 to 0102"]}) == [("movement.occupied", ("move", 0))]
    assert said(near, {"move": ["odo leaves the map by 0101"], "fight": ["odo attacks gunter"]}) == [
        ("sequence.gone", ("fight", 0))
    ]


def test_entering_where_somebody_may_stand_is_in_doubt() -> None:
    men = {
        **ENTERING,
        "alric": ("east", "longbowman", "0207"),
        "wulf": ("west", "peasant", "0202"),
        "odo": ("east", "spearman", "0301"),
    }
    where = battle(men, "first_missile", EDGE)
    found = said(where, {"shoot": ["alric at wulf"], "move": ["rolf enters at 0102 to 0202", "odo to 0102"]})
    assert found == [("doubt.barred", ("move", 0))]  # he comes to 0202 or not at all, so 0102 stays free
    found = said(
        where, {"shoot": ["alric at wulf"], "move": ["odo by 0201 0202 0102"], "fight": ["odo attacks tam"]}
    )
    assert found == [("doubt.barred", ("move", 0)), ("melee.not-adjacent", ("fight", 0))]


def test_leaving_through_a_hex_that_may_be_held_is_in_doubt() -> None:
    men = {
        **MEN,
        "alric": ("east", "longbowman", "0207"),
        "odo": ("east", "peasant", "0301"),
        "wulf": ("west", "peasant", "0201"),
    }
    where = battle(men)
    leaving = {
        "shoot": ["alric at wulf"],
        "move": ["odo leaves the map by 0201"],
        "fight": ["odo attacks wulf"],
    }
    found = said(where, leaving)
    assert found[0] == ("doubt.barred", ("move", 0))
    assert found[1][0].startswith("doubt.")


def test_a_draw_is_accepted_only_where_one_is_offered() -> None:
    assert said(MOVING, {"move": ["accept the draw"]}) == [("orders.no-offer", ("move", 0))]
    assert said(MOVING.changed(draws=("west",)), {"move": ["accept the draw"]}) == []
    assert said(MOVING, {"move": ["offer a draw", "resign", "odo stays"]}) == []


def test_the_course_of_things_is_told_step_by_step() -> None:
    data = {
        "move": [
            "odo to 0304",
            {"when": "odo is at 0304", "then": ["hob to 0405"], "otherwise": ["hob stays"]},
        ],
        "fight": ["hob attacks gunter"],
    }
    steps = judge.check(RULES, MOVING, orders(MOVING, data)).course
    assert [(step.item.path, step.depth, step.branch, step.taken) for step in steps] == [
        (("move", 0), 0, "", None),
        (("move", 1), 0, "", True),
        (("move", 1, "then", 0), 1, "then", None),
        (("fight", 0), 0, "", None),
    ]
    assert [step.battle.units["odo"].at for step in steps] == [("0405",), ("0304",), ("0304",), ("0304",)]
    assert steps[-1].battle.units["hob"].at == ("0405",)


@pytest.mark.parametrize("phase", ["first_missile", "movement", "second_archery", "melee"])
def test_with_bowmen_first_the_order_of_lines_is_not_that_of_the_shots(phase: str) -> None:
    rules = RULES.amend(settings={"first_missile_phase": "foot_archers_then_others"})
    where = battle(MEN, phase)
    data: dict[str, Any] = (
        {"shoot": ["bran at gunter", "alric at gunter"]} if phase == "first_missile" else {}
    )
    found = [(p.code, p.path) for p in judge.check(rules, where, orders(where, data, rules=rules)).problems]
    expected = [("doubt.fallen", ("shoot", 0)), ("doubt.fallen", ("shoot", 1))]
    assert found == (expected if phase == "first_missile" else [])


def test_a_second_shot_at_a_rider_is_judged_by_the_line_and_not_by_what_became_of_his_horse() -> None:
    riders: dict[str, tuple[Any, ...]] = {
        "alric": ("east", "longbowman", "0507"),
        "odo": ("east", "spearman", "0405"),
        "gunter": ("west", "rich_knight", "", {"at": ("0503", "0502"), "on": "dapple"}),
        "dapple": ("west", "horse_alone", "", {"at": ("0503", "0502"), "kind": "horse"}),
    }
    twice = {"shoot": ["alric at gunter"], "shoot-again": ["alric at gunter"]}
    assert said(battle(riders), twice) == [("doubt.fallen", ("shoot-again", 0))]
    assert said(battle(riders), {**twice, "move": ["odo to 0505"]}) == [
        ("line_of_fire.figure", ("shoot-again", 0))
    ]
