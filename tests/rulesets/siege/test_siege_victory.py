"""The end of a game: given up, agreed, without a scheme, and told as an outcome at any moment."""

from __future__ import annotations

import pytest
import siege_games
from msgspec.structs import replace

from pbem.core.ruleset import play_slot
from pbem.core.sequence import Cursor
from pbem.rulesets.siege.ruleset import CRY_HAVOC
from pbem.rulesets.siege.state.field import Term
from pbem.rulesets.siege.state.state import Battle
from pbem.rulesets.siege.turn import sequence, victory


@pytest.fixture
def ford() -> tuple[object, Battle]:
    rules, battle = siege_games.begin("alder-ford")
    placed = {id_: replace(unit, at=unit.at or ("0101",)) for id_, unit in battle.units.items()}
    return rules, battle.changed(at=Cursor("movement", 1, "east"), units=placed)


def _files(rules: object, battle: Battle, **texts: dict[str, object]) -> dict[str, tuple[object, ...]]:
    files = {}
    for seat, data in texts.items():
        file, problems = rules.interface.read_orders(rules, battle, seat, data)  # type: ignore[attr-defined]
        assert problems == []
        files[seat] = (file,)
    return files


def test_a_draw_is_agreed_when_the_other_side_accepts_in_its_own_player_turn(
    ford: tuple[object, Battle],
) -> None:
    rules, battle = ford
    offered = play_slot(
        rules, battle, _files(rules, battle, east={"move": ["offer a draw"]}), {}, siege_games.Chance(1)
    )  # type: ignore[arg-type]
    assert (offered.state.draws, offered.over) == (("east",), False)
    assert offered.state.at == Cursor("first_missile", 1, "west")
    accepted = play_slot(
        rules,  # type: ignore[arg-type]
        offered.state,
        _files(rules, offered.state, west={"shoot": ["accept the draw"]}),
        {},
        siege_games.Chance(1),
    )
    assert (accepted.over, accepted.state.winner, accepted.state.why) == (True, "draw", "agreed")
    assert accepted.state.at.phase == "over"


def test_an_offer_lapses_at_the_end_of_the_other_sides_player_turn(ford: tuple[object, Battle]) -> None:
    rules, battle = ford
    battle = battle.changed(draws=("east",), at=Cursor("recovery", 1, "east"))
    ahead = [type(event).__name__ for event in sequence.advance(rules, battle)]  # type: ignore[arg-type]
    assert ahead == ["PhaseEnded", "PhaseBegan"]
    battle = battle.changed(at=Cursor("recovery", 1, "west"))
    assert [type(event).__name__ for event in sequence.advance(rules, battle)] == [
        "PhaseEnded",
        "DrawOffered",
        "TurnBegan",
        "PhaseBegan",
    ]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("resigned", "winner"), [(("east",), "west"), (("west",), "east"), (("east", "west"), "draw")]
)
def test_who_gives_up_has_lost_and_if_all_do_nobody_has_won(
    ford: tuple[object, Battle], resigned: tuple[str, ...], winner: str
) -> None:
    rules, battle = ford
    (end,) = victory.ended(rules, battle.changed(resigned=resigned), turn_ends=False)  # type: ignore[arg-type]
    assert (end.winner, end.why) == (winner, "resigned")  # type: ignore[attr-defined]


def test_the_setup_ends_no_game_though_nobody_stands_on_the_map() -> None:
    rules, battle = siege_games.begin("windle-hill")
    assert battle.at.phase == "setup"
    assert victory.ended(rules, battle, turn_ends=False) == ()


def test_a_game_without_a_length_goes_on(ford: tuple[object, Battle]) -> None:
    rules, battle = ford
    endless = battle.changed(field=replace(battle.field, length=0), at=Cursor("recovery", 99, "west"))
    assert victory.ended(rules, endless, turn_ends=True) == ()  # type: ignore[arg-type]


def test_the_outcome_counts_everybody_and_the_score_so_far(ford: tuple[object, Battle]) -> None:
    rules, battle = ford
    units = {
        **battle.units,
        "aelfgar": replace(battle.units["aelfgar"], state="dead"),
        "godric": replace(battle.units["godric"], state="wounded"),
        "leofred": replace(battle.units["leofred"], state="stunned", since="t1.west.melee"),
        "eadwig": replace(battle.units["eadwig"], left=True, at=()),
    }
    told = victory.outcome(rules, battle.changed(units=units))  # type: ignore[arg-type]
    assert (told["winner"], told["why"]) == ("", "")
    east, west = told["sides"]  # type: ignore[misc]
    assert east == {
        "side": "east",
        "score": 0,
        "healthy": 9,
        "stunned": 1,
        "wounded": 1,
        "dead": 1,
        "left": 1,
    }
    assert west == {
        "side": "west",
        "score": 4,
        "healthy": 12,
        "stunned": 0,
        "wounded": 0,
        "dead": 0,
        "left": 0,
    }
    over = victory.outcome(rules, battle.changed(winner="east", score={"east": 7, "west": 2}))  # type: ignore[arg-type]
    assert [side["score"] for side in over["sides"]] == [7, 2]  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("score", "name", "said"),
    [
        ({"east": 8, "west": 4}, "east", "decisive"),
        ({"east": 7, "west": 4}, "east", "substantial"),
        ({"east": 6, "west": 4}, "east", "substantial"),
        ({"east": 5, "west": 4}, "east", "marginal"),
        ({"east": 1, "west": 0}, "east", "decisive"),
        ({"east": 0, "west": 0}, "east", "marginal"),
        ({"east": 2, "west": 4}, "east", "marginal"),
        ({"east": 2, "west": 4}, "draw", ""),
    ],
)
def test_a_victory_is_graded_by_the_next_score(score: dict[str, int], name: str, said: str) -> None:
    assert victory.grade(CRY_HAVOC, score, name) == said


@pytest.mark.parametrize(
    ("score", "margins", "level", "winner"),
    [
        ({"east": 5, "west": 2}, {"east": 3}, "other", "east"),
        ({"east": 4, "west": 2}, {"east": 3}, "other", "west"),
        ({"east": 2, "west": 2}, {"east": 3}, "other", "west"),
        ({"east": 2, "west": 3}, {"east": 3}, "other", "west"),
        ({"east": 2, "west": 2}, {}, "draw", "draw"),
        ({"east": 2, "west": 2}, {}, "west", "west"),
        ({"east": 3, "west": 2}, {"east": 2, "west": 2}, "draw", "draw"),
    ],
)
def test_the_winner_leads_by_his_margin(
    ford: tuple[object, Battle], score: dict[str, int], margins: dict[str, int], level: str, winner: str
) -> None:
    rules, battle = ford
    battle = battle.changed(field=replace(battle.field, margins=margins, level_winner=level))
    assert victory.winner(rules, battle, score) == winner  # type: ignore[arg-type]


def test_a_term_that_is_not_in_the_list_is_a_fault_of_the_program(ford: tuple[object, Battle]) -> None:
    rules, battle = ford
    with pytest.raises(ValueError, match="not a term"):
        victory.points(rules, battle, Term("weather", "east", 1), "east")  # type: ignore[arg-type]
