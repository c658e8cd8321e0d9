"""Carrying files out: in the order of the lines, branches taken, files ended, several seats of one side."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace
from skirmish import RULES, battle, orders

from pbem.core.dice import NoDice
from pbem.core.play import Play
from pbem.core.problem import Problem
from pbem.core.ruleset import play_slot
from pbem.core.sequence import Cursor
from pbem.rulesets.siege.orders import carry_out
from pbem.rulesets.siege.state import happening
from pbem.rulesets.siege.state.events import (
    BranchTaken,
    DrawOffered,
    FileEnded,
    Moved,
    OrderRead,
    OrderSkipped,
    Resigned,
)
from pbem.rulesets.siege.state.orders import Attack, Move, OrderFile
from pbem.rulesets.siege.state.saved import read, write
from pbem.rulesets.siege.state.state import Battle

MEN: Mapping[str, tuple[Any, ...]] = {
    "odo": ("east", "spearman", "0505"),
    "hob": ("east", "sergeant", "0404"),
    "mo": ("east", "spearman", "0405", {"owner": "ally"}),
    "gunter": ("west", "peasant", "0504"),
}


def move(rules: object, play: Play[Battle], seat: str, order: Move) -> Problem | None:
    """Go one step a line, to anywhere but 0101."""
    if order.to[0] == "0101":
        return Problem("test.no", {"seat": seat}, rule="S1.6b")
    play.happen(Moved(order.who, (play.state.units[order.who].at[0], order.to[0]), 1, 4))
    return Problem("test.partly") if order.to[0] == "0102" else None


def attack(rules: object, play: Play[Battle], seat: str, order: Attack) -> Problem | None:
    play.happen(Moved(order.who[0], (*order.who, *order.at), len(order.who), 0))
    return None


def carried(
    where: Battle, files: Mapping[str, tuple[OrderFile, ...]], phase: str = "movement"
) -> tuple[list[object], Battle]:
    play: Play[Battle] = Play(where, str(where.at), happening.apply, NoDice())
    carry_out.carry_out(RULES, play, files, phase, {Move: move, Attack: attack})
    return play.events, play.state


MOVING = battle(MEN, "movement")
FIGHTING = battle(MEN, "melee")


def test_lines_are_carried_out_in_their_order() -> None:
    file = orders(MOVING, {"move": ["odo to 0506", "hob to 0403"]})
    assert carried(MOVING, {"east": (file,)})[0] == [
        OrderRead("east", "move/0", "odo to 0506"),
        Moved("odo", ("0505", "0506"), 1, 4),
        OrderRead("east", "move/1", "hob to 0403"),
        Moved("hob", ("0404", "0403"), 1, 4),
    ]


def test_an_order_that_is_impossible_leaves_only_why() -> None:
    file = orders(MOVING, {"move": ["odo to 0101", "hob to 0403"]})
    happened, _ = carried(MOVING, {"east": (file,)})
    assert happened[:2] == [
        OrderSkipped("east", "move/0", "odo to 0101", "test.no", "S1.6b", {"seat": "east"}),
        OrderRead("east", "move/1", "hob to 0403"),
    ]


def test_an_order_that_is_carried_out_in_part_says_both() -> None:
    file = orders(MOVING, {"move": ["odo to 0102"]})
    happened, _ = carried(MOVING, {"east": (file,)})
    assert [type(event) for event in happened] == [OrderRead, Moved, OrderSkipped]


def test_an_order_without_a_doer_is_no_order_of_the_phase() -> None:
    file = orders(MOVING, {"move": ["odo by 0506"]})
    happened, _ = carried(MOVING, {"east": (file,)})
    assert happened == [
        OrderSkipped("east", "move/0", "odo by 0506", "orders.not-now", "", {"order": "odo by 0506"})
    ]


def test_the_newest_file_of_a_seat_speaks() -> None:
    old, new = orders(MOVING, {"move": ["odo to 0506"]}), orders(MOVING, {"move": ["odo stays"]})
    assert carried(MOVING, {"east": (old, new)})[0] == [OrderRead("east", "move/0", "odo stays")]


def test_other_sections_are_left_alone() -> None:
    file = orders(MOVING, {"move": ["odo to 0506"], "fight": ["odo attacks gunter"]})
    happened, _ = carried(FIGHTING, {"east": (file,)}, "melee")
    assert happened[0] == OrderRead("east", "fight/0", "odo attacks gunter")


def test_a_branch_is_taken_and_says_why() -> None:
    file = orders(
        MOVING,
        {
            "move": [
                {
                    "when": "hob is dead",
                    "then": ["odo to 0101"],
                    "otherwise": [{"when": "odo is healthy", "then": ["odo to 0506"]}],
                },
                "hob stays",
            ]
        },
    )
    assert carried(MOVING, {"east": (file,)})[0] == [
        BranchTaken("east", "move/0", "hob is dead", False, "hob is healthy"),
        BranchTaken("east", "move/0/otherwise/0", "odo is healthy", True, "odo is healthy"),
        OrderRead("east", "move/0/otherwise/0/then/0", "odo to 0506"),
        Moved("odo", ("0505", "0506"), 1, 4),
        OrderRead("east", "move/1", "hob stays"),
    ]


# --- stop


def test_stop_ends_the_file_for_this_phase_and_all_that_follow() -> None:
    file = orders(
        MOVING,
        {
            "move": [{"when": "odo is healthy", "then": "stop"}, "hob to 0403"],
            "fight": ["odo attacks gunter"],
        },
    )
    happened, after = carried(MOVING, {"east": (file,)})
    assert happened == [
        BranchTaken("east", "move/0", "odo is healthy", True, "odo is healthy"),
        FileEnded("east", "move/0/then", "t3.east.movement"),
    ]
    assert after.ended == {"east": "t3.east.movement"}
    fighting = after.changed(at=replace(after.at, phase="melee"))
    assert carry_out.has_ended(fighting, file)
    assert carried(fighting, {"east": (file,)}, "melee")[0] == []
    newer = orders(fighting, {"fight": ["odo attacks gunter"]})
    assert not carry_out.has_ended(fighting, newer)
    assert carried(fighting, {"east": (file, newer)}, "melee")[0] != []


def test_stop_ends_the_slot_so_that_new_orders_can_be_sent() -> None:
    file = orders(
        MOVING,
        {
            "move": [{"when": "odo is healthy", "then": "stop"}, "hob to 0403"],
            "fight": ["odo attacks gunter"],
        },
    )
    slot = play_slot(RULES, MOVING, {"east": (file,)}, {}, NoDice())
    assert [played.cursor.phase for played in slot.played] == ["movement"]
    assert (slot.state.at.phase, slot.kept, slot.question) == ("second_archery", {}, None)
    other = orders(
        MOVING,
        {"move": [{"when": "odo is dead", "then": "stop"}, "hob to 0403"], "stop-after": "shoot-again"},
    )
    slot = play_slot(RULES, MOVING, {"east": (other,)}, {}, NoDice())
    assert (slot.state.at.phase, slot.kept) == ("melee", {})


def test_a_stop_inside_a_branch_of_a_branch_ends_everything() -> None:
    deep = {"when": "odo is healthy", "then": [{"when": "hob is healthy", "then": "stop"}, "odo to 0506"]}
    file = orders(MOVING, {"move": [deep, "hob to 0403"]})
    assert [type(event) for event in carried(MOVING, {"east": (file,)})[0]] == [
        BranchTaken,
        BranchTaken,
        FileEnded,
    ]


def test_a_stop_of_another_turn_or_seat_is_over() -> None:
    file = orders(MOVING, {"move": ["odo to 0506"]})
    assert not carry_out.has_ended(MOVING.changed(ended={"east": "t2.east.movement"}), file)
    assert not carry_out.has_ended(MOVING.changed(ended={"ally": "t3.east.movement"}), file)
    assert not carry_out.has_ended(MOVING.changed(ended={"east": "setup.1"}), file)
    assert not carry_out.has_ended(MOVING.changed(ended={"east": "t3.east.first_missile"}), file)
    assert carry_out.has_ended(MOVING.changed(ended={"east": "t3.east.movement"}), file)
    assert carry_out.has_ended(MOVING.changed(ended={"east": "t3.east.melee"}), file)
    words = orders(MOVING, {"standing": {"everyone": {"advance": "never"}}})
    assert not carry_out.has_ended(MOVING.changed(ended={"east": "t3.east.melee"}), words)


def test_that_a_file_ended_is_part_of_the_state() -> None:
    ended = MOVING.changed(ended={"east": "t3.east.movement"})
    plain = write(RULES, ended)
    assert plain["ended"] == [{"seat": "east", "at": "t3.east.movement"}]
    assert read(RULES, MOVING.field, plain).ended == {"east": "t3.east.movement"}
    assert "ended" not in write(RULES, MOVING)


# --- several seats


def test_seats_order_one_after_the_other_by_name() -> None:
    east, ally = orders(MOVING, {"move": ["odo to 0506"]}), orders(MOVING, {"move": ["mo to 0406"]}, "ally")
    happened, _ = carried(MOVING, {"east": (east,), "ally": (ally,)})
    assert [event.seat for event in happened if isinstance(event, OrderRead)] == ["ally", "east"]


def test_a_joint_attack_of_two_seats_needs_both_and_is_made_once() -> None:
    east = orders(FIGHTING, {"fight": ["odo, mo attack gunter"]})
    ally = orders(FIGHTING, {"fight": ["mo, odo attack gunter"]}, "ally")
    happened, _ = carried(FIGHTING, {"east": (east,), "ally": (ally,)}, "melee")
    assert happened == [
        OrderRead("ally", "fight/0", "mo, odo attack gunter"),
        Moved("mo", ("mo", "odo", "gunter"), 2, 0),
    ]


def test_without_the_other_seats_order_only_ones_own_figures_attack() -> None:
    east = orders(FIGHTING, {"fight": ["odo, mo attack gunter"]})
    for other in ({"fight": ["mo attacks gunter"]}, {"fight": []}):
        ally = orders(FIGHTING, other, "ally")
        happened, _ = carried(FIGHTING, {"east": (east,), "ally": (ally,)}, "melee")
        assert happened[-2:] == [
            OrderRead("east", "fight/0", "odo, mo attack gunter"),
            Moved("odo", ("odo", "gunter"), 1, 0),
        ]
    happened, _ = carried(FIGHTING, {"east": (east,)}, "melee")
    assert happened[-1] == Moved("odo", ("odo", "gunter"), 1, 0)


def test_the_other_seat_may_order_it_in_a_branch() -> None:
    east = orders(FIGHTING, {"fight": ["odo, mo attack gunter"]})
    ally = orders(
        FIGHTING,
        {"fight": [{"when": "hob is dead", "then": [], "otherwise": ["odo, mo attack gunter"]}]},
        "ally",
    )
    happened, _ = carried(FIGHTING, {"east": (east,), "ally": (ally,)}, "melee")
    assert [type(event) for event in happened] == [BranchTaken, OrderRead, Moved]


# --- orders of no phase


def test_resigning_offering_and_accepting() -> None:
    happened, after = carried(MOVING, {"east": (orders(MOVING, {"move": ["resign"]}),)})
    assert happened == [OrderRead("east", "move/0", "resign"), Resigned("east")]
    assert after.resigned == ("east",)
    happened, after = carried(MOVING, {"east": (orders(MOVING, {"move": ["offer a draw"]}),)})
    assert happened[-1] == DrawOffered("east")
    accept = orders(MOVING, {"move": ["accept the draw"]})
    assert carried(after, {"east": (accept,)})[0] == [
        OrderSkipped("east", "move/0", "accept the draw", "orders.no-offer")
    ]
    assert carried(MOVING.changed(draws=("west",)), {"east": (accept,)})[0][-1] == DrawOffered("east")


def test_nobody_sent_anything() -> None:
    assert carried(MOVING, {})[0] == []
    assert Cursor("movement", 3, "east") == MOVING.at
