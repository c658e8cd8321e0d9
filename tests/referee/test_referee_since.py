"""What changed since a seat's last turn, on recorded games; and that it tells a seat nothing of what it does
not see.
"""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from hunting_table import FIRST, FOXES, HOUNDS, HuntingTable

from pbem.geometry.hex import centre
from pbem.referee.explain.draw import drawn
from pbem.referee.explain.map_diff import last_turn_of, since, told
from pbem.referee.game.game import Game, open_game
from pbem.referee.game.refusal import Refused

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@pytest.fixture(scope="module")
def ford() -> Game:
    return open_game(EXAMPLES / "alder-ford" / "archive.zip")


@pytest.fixture(scope="module")
def corvenstone() -> Game:
    return open_game(EXAMPLES / "six-days" / "archive.zip")


def test_the_ford_from_one_turn_to_the_next(ford: Game) -> None:
    scene = since(ford, 5, 9, "east")
    assert scene.title == "Toll at the Alder Ford, what changed since turn 2, The Reeve of Westry"
    assert scene.summary == (
        "Since turn 2, The Reeve of Westry: 16 moved, 4 killed and 2 wounded. "
        "Killed: Gerolf Boogman, Klaas Turf, Meurig Goch and Wynstan Fenner. "
        "Wounded: Maredudd Byr and Siward Heron."
    )
    (siward,) = [trace for trace in scene.traces if trace.actors == ("siward",)]
    assert siward.path == (centre("1612"), centre("0908"))
    dead = {token.id for token in scene.tokens if token.state == "dead"}
    assert {"klaas", "wynstan"} <= dead
    assert "0806" in {area.at for area in scene.areas if area.changed}
    assert "- siward moves: 1612 0908" in drawn(scene, ".txt").decode()
    assert told(ford, 5, 9, "east")[-1].startswith("The Reeve of Westry: Cynan Bren from 0406 to 0609, ")


def test_engines_walls_and_fires_are_told(corvenstone: Game) -> None:
    (first, *others) = told(corvenstone, 0, 15)
    assert first.startswith(
        "Since the start: 4 killed, 56 came onto the map, 11 hexes changed and 7 engines or things"
    )
    assert "Walls damaged: 0909 and 1909." in others
    assert "Filled in: 1708, 1808, 1908, 2007, 2107, 2207, 2308 and 2309." in others
    assert "ram1 is new at 2003: ram, facing s." in others
    assert next(line for line in others if line.startswith("New on the map:")).endswith(" and 36 more.")
    rolled = [trace for trace in since(corvenstone, 9, None, "baron").traces if trace.kind == "roll"]
    assert [trace.actors for trace in rolled] == [("tower1",)]


def test_nothing_is_different_from_itself(ford: Game) -> None:
    scene = since(ford, 9, 9)
    assert scene.traces == ()
    assert not any(area.changed for area in scene.areas)
    assert scene.summary == "Since turn 4, The Reeve of Westry: nothing has changed."


@pytest.mark.parametrize("slots", [(9, 5), (-1, None), (22, None), (0, 99)])
def test_slots_that_are_not_there_or_the_wrong_way_round_are_refused(
    ford: Game, slots: tuple[int, int | None]
) -> None:
    with pytest.raises(Refused) as refusal:
        since(ford, *slots)
    assert refusal.value.problems[0].code in ("since.order", "game.no-slot")


def test_the_last_turn_of_a_seat_is_that_in_which_it_gave_orders(ford: Game, corvenstone: Game) -> None:
    assert (last_turn_of(ford, "east"), last_turn_of(ford, "west")) == (19, 20)
    assert (last_turn_of(corvenstone, "garrison"), last_turn_of(corvenstone, "baron")) == (13, 14)


def ledger(opened: str, *slots: tuple[str, str, bool]) -> Game:
    """Return what is asked of a game: for each slot its phase, who sent a file, and whether that answered a
    question.
    """
    made = {}
    for n, (phase, seat, answers) in enumerate(slots, 1):
        questions = [{"id": "q1"}] if answers else []
        entries = {"east": SimpleNamespace(sha512="0" if seat == "east" else None)}
        announced = {"phase": phase, "questions": questions}
        made[n] = SimpleNamespace(
            undone=False,
            result={},
            phase=phase,
            announced=announced,
            entries=entries,
            state_before_slot=n - 1,
        )
    found: Any = SimpleNamespace(
        seat_of=lambda seat: seat, ledger=SimpleNamespace(slots=made, next={"phase": opened})
    )
    return cast(Game, found)


SHOT, MOVED, FOUGHT = "t3.east.first_missile", "t3.east.movement", "t3.east.melee"


def test_orders_that_came_phase_by_phase_are_one_turn_once_it_is_over() -> None:
    slots = (
        ("t2.west.melee", "west", False),
        (SHOT, "east", False),
        (MOVED, "east", False),
        (FOUGHT, "east", False),
    )
    assert last_turn_of(ledger("t3.west.first_missile", *slots), "east") == 1
    assert last_turn_of(ledger(FOUGHT, *slots[:3]), "east") == 2, "in the middle of it the last phase counts"
    assert (
        last_turn_of(ledger("t3.west.melee", *slots, ("t3.west.first_missile", "east", True)), "east") == 1
    ), "an answer is no turn"
    assert last_turn_of(ledger(SHOT), "east") == 0


def test_a_seat_is_not_told_who_moved_unseen(tmp_path: Path) -> None:
    table = HuntingTable(tmp_path).hunt()
    table.play(HOUNDS, FIRST)
    table.play(FOXES, "pad:\n- fox pads to 0604\n")
    game = table.open()
    assert told(game, 0, None, HOUNDS) == (
        "Since the start: 2 moved.",
        "Hounds: bran from 0102 to 0202 and rolf from 0104 to 0204.",
    )
    assert "Foxes: fox from 0603 to 0604." in told(game, 0, None, FOXES)
    assert [trace.actors for trace in since(game, 0, None, HOUNDS).traces] == [("bran",), ("rolf",)]
