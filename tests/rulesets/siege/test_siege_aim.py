"""What is played for, told from the scheme of the scenario: it is the rule that decides, in words."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from msgspec.structs import replace
from skirmish import RULES, battle, field

from pbem.core.briefing import Said
from pbem.referee.game.scenario import find_scenario, judge
from pbem.referee.game.sentences import tell
from pbem.rulesets.siege.state.field import Term
from pbem.rulesets.siege.state.state import Battle
from pbem.rulesets.siege.turn import victory
from pbem.rulesets.siege.views import aim
from pbem.store import library
from pbem.store.library import words_of

KINDS = (
    "held", "gathered", "losses", "left-the-map", "led-off", "freed", "destroyed", "dead", "burnt", "in", "brought", "stands", "count", "turn",
    "held-after", "unwounded", "day", "losses-reach", "deaths-reach", "reached-after", "assault-over", "unbreached",
)  # fmt: skip


def laid(**more: Any) -> Battle:
    marks = {"ford": ("0505", "0506"), "wood": tuple(f"01{row:02}" for row in range(1, 11))}
    ground = replace(field(), marks=marks, at_end=(Term("held", "any", 10, mark="ford"),), **more)
    return battle({"odo": ("east", "spearman", "0405"), "gunter": ("west", "peasant", "0505")}, ground=ground)


def ahead(said: Said, lead: int) -> bool:
    """Tell whether a side with this lead wins, by what is said of it."""
    match said.key:
        case "aim.lead-at-least":
            return lead >= int(said.args["points"])
        case "aim.lead-more":
            return lead > 0
        case "aim.lead-as-many":
            return lead >= 0
        case "aim.lead-unless":
            return -lead < int(said.args["points"])
        case _:
            raise AssertionError(said)


@pytest.mark.parametrize("margins", [{}, {"east": 3}, {"west": 2}, {"east": 12, "west": 12}])
@pytest.mark.parametrize("level", ["draw", "east", "west", "other"])
def test_who_wins_with_which_lead_is_told_as_it_is_decided(margins: dict[str, int], level: str) -> None:
    where = laid(margins=margins, level_winner=level)
    told = dict(aim.aim(RULES, where).wins)
    for lead in range(-20, 21):
        winner = victory.winner(RULES, where, {"east": 50 + lead, "west": 50})
        if "aim.lead-of" in {said.key for said in told.values()}:
            return
        by_words = [
            side
            for side, sign in (("east", 1), ("west", -1))
            if side in told and ahead(told[side], sign * lead)
        ]
        assert by_words == ([winner] if winner != victory.DRAW else []), (lead, told)
        assert winner != victory.DRAW or told[victory.DRAW] == Said("aim.draw-else")


def test_a_lead_that_is_too_small_may_lose_and_is_told_point_by_point() -> None:
    """Both need three points more, and who is short of them loses: one point ahead is worse
    than one behind.
    """
    where = laid(margins={"east": 3, "west": 3}, level_winner="other")
    told = {side: tell(words_of("siege"), said) for side, said in aim.aim(RULES, where).wins}
    winners = {
        lead: victory.winner(RULES, where, {"east": 10 + lead, "west": 10}) for lead in (-4, -2, -1, 1, 2, 4)
    }
    assert winners == {-4: "west", -2: "east", -1: "east", 1: "west", 2: "west", 4: "east"}
    assert "2 behind" in told["east"]
    assert "1 ahead" not in told["east"]
    assert "3 ahead" in told["east"]


@pytest.mark.parametrize(("kind", "named", "scale"), [*product(KINDS, (False, True), (False, True))])
def test_every_kind_of_line_has_its_sentence_with_its_numbers(kind: str, named: bool, scale: bool) -> None:
    units = (
        ("odo",) if named or kind in ("dead", "destroyed", "freed", "led-off", "brought", "stands") else ()
    )
    mark = (
        "ford"
        if kind in ("held", "gathered", "burnt", "in", "brought", "held-after", "reached-after")
        else ""
    )
    term = Term(kind, "east", 7, mark=mark, scale="lp" if scale else "", least=4, turn=6, units=units)
    term = replace(term, stands="open" if kind == "stands" else "", most=5 if kind == "in" else 0)
    where = laid(scales={"lp": {"spearman": 2, "peasant": 1}})
    where = replace(where, field=replace(where.field, at_end=(term,), at_once=(term,)))
    told = aim.aim(RULES, where)
    for side, said in (*told.points, *told.at_once):
        assert side == "east"
        assert words_of("siege").knows("phrases", said.key), said.key
        text = tell(words_of("siege"), said, its="your")
        assert "?" not in text
        assert "aim." not in text
        if mark:
            assert "ford (hexes 0505 and 0506)" in text
    ((_, said),) = told.points
    text = tell(words_of("siege"), said, its="your")
    assert kind == "losses" or "in-scale" in said.key or "7 points" in text


def test_a_line_that_always_holds_says_so() -> None:
    told = aim._said(laid().field, Term("turn", "east", 6, turn=1))
    assert tell(words_of("siege"), told) == "6 points in any case"
    assert (
        tell(words_of("siege"), aim._said(laid().field, Term("turn", "east", 6, turn=4)))
        == "6 points if turn 4 has been reached"
    )


def test_where_points_are_to_be_had_is_told_with_whose_they_are() -> None:
    terms = (
        Term("in", "east", 1, mark="ford"),
        Term("held", "west", 1, mark="ford"),
        Term("burnt", "any", 1, mark="wood"),
    )
    where = laid()
    where = replace(where, field=replace(where.field, at_end=terms))
    assert [(one.name, one.sides) for one in aim.regions(where.field)] == [
        ("ford", ("east", "west")),
        ("wood", ("east", "west")),
    ]
    assert tell(words_of("siege"), aim.place("wood", where.field.marks["wood"])) == "wood (10 hexes)"


OF_SIEGE = [path.stem for path in library.scenarios() if path.parent.name != "castle"]
"""Scenarios of the family of Siege."""


@pytest.mark.parametrize("scenario", OF_SIEGE)
def test_every_scenario_that_comes_along_says_what_it_is_played_for(scenario: str) -> None:
    _, ground, _ = judge(find_scenario(scenario))
    told = aim.aim(
        ground.rules,
        ground.rules.interface.setup(
            ground.rules, ground.field, {side.id: side.id for side in ground.field.sides}
        ),
    )
    assert len(told.points) == len(ground.field.at_end)
    decides = [term for term in ground.field.at_once if term.kind not in victory.ONLY_ENDS]
    assert len(told.at_once) == len(decides)
    for said in (*told.length, *(said for _, said in (*told.wins, *told.points, *told.at_once))):
        text = tell(words_of("siege"), said, its="its")
        assert "?" not in text
        assert "(" not in said.key
        assert words_of("siege").knows("phrases", said.key), said.key
