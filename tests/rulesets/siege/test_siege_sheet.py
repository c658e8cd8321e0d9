"""The order sheet: what stands on it for each figure, and that every sentence and every
place on it is legal.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from boards import PHASES, Laid, boards
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from skirmish import RULES, battle, field
from test_siege_legal_laws import SECTIONS, checked

from pbem.core.problem import Problem
from pbem.core.sheet import Choices, Entry
from pbem.rulesets.siege.combat import chances
from pbem.rulesets.siege.judge import legal
from pbem.rulesets.siege.orders import grammar
from pbem.rulesets.siege.ruleset import CRY_HAVOC
from pbem.rulesets.siege.state.field import Force
from pbem.rulesets.siege.state.orders import Act, Shoot
from pbem.rulesets.siege.state.state import Battle
from pbem.rulesets.siege.views import best_shots
from pbem.rulesets.siege.views.sheet import of_shot, sheet

# 0505 has the neighbours n 0504, ne 0604, se 0605, s 0506, sw 0405, nw 0404
MEN: dict[str, tuple[Any, ...]] = {
    "alric": ("east", "longbowman", "0507"),
    "bran": ("east", "crossbowman", "0502"),
    "hob": ("east", "sergeant", "0404", "wounded"),
    "mel": ("east", "peasant", "0604", {"owner": "ally"}),
    "odo": ("east", "spearman", "0405"),
    "gunter": ("west", "peasant", "0505"),
    "tam": ("west", "peasant", "0605"),
    "wulf": ("west", "sergeant", "0906"),
}


def entry(where: Battle, unit: str) -> Entry:
    return next(entry for entry in sheet(RULES, where, "east") if entry.unit == unit)


def test_shots_stand_together_where_they_are_alike_the_best_first() -> None:
    where = battle(MEN)
    assert entry(where, "alric") == Entry(
        "alric",
        "longbowman, 0507, long bow",
        (
            Choices(
                "alric at gunter",
                ("short range, no cover", "of 10: 1 dead, 2 wounded, 1 stunned, 1 in cover"),
                (("2 hexes", ("gunter", "tam")), ("4 hexes", ("wulf",))),
            ),
        ),
    )
    beside = battle({**MEN, "wulf": ("west", "sergeant", "0509")})
    assert entry(beside, "alric").choices[0].others == (("any of", ("gunter", "tam", "wulf")),)
    assert entry(where, "bran").about == "crossbowman, 0502, crossbow, does not move if he shoots"
    far = battle({**MEN, "gunter": ("west", "peasant", "0520")}, ground=field(rows=20))
    assert [choice.sentence for choice in entry(far, "alric").choices] == ["alric at tam", "alric at gunter"]


def crowd(count: int) -> Battle:
    """Return a battle of one bowman against so many in a wood's edge, knights and riders among them."""
    classes = ("peasant", "rich_knight", "sergeant")
    men: dict[str, tuple[Any, ...]] = {"alric": ("east", "longbowman", "0410")}
    for number in range(count):
        column, row = (9, 15, 18, 12)[number % 4], number + 1
        men[f"w{number:02}"] = ("west", classes[number % 3], f"{column:02}{row:02}")
    for number, row in ((1, 3), (2, 17)):
        at = (f"07{row:02}", f"08{row:02}")
        men[f"rider{number}"] = ("west", "rich_knight", "", {"on": f"bay{number}", "at": at})
        men[f"bay{number}"] = ("west", "horse_alone", "", {"kind": "horse", "at": at})
    scrub = {f"{column:02}{row:02}": "scrub" for column in (9, 15) for row in range(1, 30, 4)}
    return battle(men, ground=field(scrub, 20, 30))


def test_of_many_shots_a_sheet_lists_the_best_dozen_and_names_or_counts_the_rest() -> None:
    said = set()
    for count in (4, 8, 20):
        where = crowd(count)
        every = [order for order in legal.of(RULES, where, "east", "alric") if isinstance(order, Shoot)]
        best = sorted(every, key=lambda order: of_shot(RULES, where, order).rank)
        found = entry(where, "alric")
        listed = {at for choice in found.choices for _, names in choice.others for at in names}
        listed |= {choice.sentence.rpartition(" ")[2] for choice in found.choices}
        assert listed == {order.at[0] for order in best[: best_shots.MOST]}
        left = sorted(order.at[0] for order in best[best_shots.MOST :])
        number, _, words = found.rest.partition(" ")
        names = words.removeprefix("no better chances: ").split(", ")
        said.add(number if number in ("", "with") else "more")
        assert sorted(names) == left if number == "with" else int(number or 0) >= len(left)
    assert said == {"", "with", "more"}
    assert len({of_shot(RULES, where, order).worth for order in best}) > 3


def test_attacks_are_told_with_odds_chances_and_who_may_join() -> None:
    found = entry(battle(MEN, "melee"), "odo")
    assert found.about == "spearman, 0405, attacks with 7, defends with 6"
    assert found.choices == (
        Choices(
            "odo attacks gunter",
            (
                "7 against 2 is 3:1: column 3:1",
                "of 10: 1 dead, 2 wounded, 2 stunned, 2 driven back",
                "his own risk, of 10: 1 wounded, 1 driven back",
                "may join: hob, mel",
            ),
        ),
        Choices(
            "odo, mel attack gunter",
            (
                "9 against 2 is 4:1, +1 joint attack (S1.72d): column 5:1",
                "of 10: 2 dead, 3 wounded, 2 stunned, 2 driven back",
                "only if ally orders it too",
                "may join: hob",
            ),
        ),
    )


def test_ends_of_moves_stand_together_by_what_they_cost() -> None:
    found = entry(battle({**MEN, "hob": ("east", "sergeant", "0102", "wounded")}, "movement"), "hob")
    assert found.about == "sergeant, wounded, 0102, 2 MP"
    move, leave = found.choices
    assert move == Choices(
        "hob to 0101",
        (),
        (("1 MP", ("0101", "0103", "0201", "0202")), ("2 MP", ("0104", "0203", "0301", "0302", "0303"))),
    )
    assert leave == Choices(
        "hob leaves the map by 0102", (), (("1 MP", ("0102",)), ("2 MP", ("0101", "0103", "0201")))
    )


def test_ways_onto_the_map_name_each_place_once() -> None:
    ground = replace(field(), forces=(Force("rolf", "rolf", "east", within="ford", enters=True),))
    where = battle(
        {"rolf": ("east", "spearman", ""), "wulf": ("west", "sergeant", "0906")}, "movement", ground
    )
    bare, *onward = entry(where, "rolf").choices
    assert bare == Choices("rolf enters at 0101", (), (("1 MP", ("0101", "0102")),))
    listed = [hex_ for choice in onward for _, hexes in choice.others for hex_ in hexes]
    assert len(set(listed)) == len(listed)
    wanted = {
        order.to[0] for order in legal.legal(RULES, where, "east") if isinstance(order, Act) and order.to
    }
    assert set(listed) == wanted
    assert [choice.sentence for choice in onward] == [
        "rolf enters at 0101 to 0201",
        "rolf enters at 0102 to 0202",
    ]


def test_figures_of_two_hexes_are_told_the_sides_they_may_face() -> None:
    men: dict[str, tuple[Any, ...]] = {
        "guy": ("east", "rich_knight", "", {"on": "bay", "at": ("0505", "0506")})
    }
    where = battle(
        {**men, "bay": ("east", "horse_alone", "", {"kind": "horse", "at": ("0505", "0506")})}, "movement"
    )
    found = entry(where, "guy")
    assert found.about == "rich knight on bay, 0505 0506, 10 MP"
    move = found.choices[0]
    assert move.sentence == "guy to 0504 facing n"
    assert move.notes == ("behind a hex the sides he may face there",)
    assert move.others[0] == ("1 MP", ("0404 nw", "0405 nw", "0504 n", "0604 ne", "0605 ne"))


def test_no_two_figures_are_given_the_same_hex() -> None:
    ground = replace(field(), forces=tuple(Force(name, name, "west") for name in ("gunter", "tam", "wulf")))
    men = {
        "gunter": ("west", "peasant", ""),
        "tam": ("west", "spearman", ""),
        "wulf": ("west", "sergeant", ""),
    }
    where = battle(men, "setup", ground)
    where = where.changed(at=replace(where.at, turn=1, side="west"))
    found = [choice for entry in sheet(RULES, where, "west") for choice in entry.choices]
    assert [choice.sentence for choice in found] == ["gunter at 0101", "tam at 0102", "wulf at 0101"]
    assert {choice.others for choice in found} == {(("", ("0101", "0102")),)}


def test_chances_are_compared_by_the_worst_they_do() -> None:
    one, other = ("dead", "", "wounded"), ("wounded", "wounded and horse dead", "in cover")
    assert chances.worth(one) == (1, 1, 0, 0, 0)
    assert chances.worth(other) == (0, 2, 0, 0, 1)
    assert chances.said(other) == "of 3: 1 wounded, 1 wounded and horse dead, 1 in cover"
    assert chances.said(("", "")) == ""


def hard(problems: Iterable[Problem]) -> list[Problem]:
    """Return what is wrong for certain: a man in rout runs before others move, so that some places are in
    doubt.
    """
    return [problem for problem in problems if not problem.is_doubt]


@pytest.mark.parametrize("phase", PHASES)
def test_every_place_on_the_sheet_is_legal(phase: str) -> None:
    @settings(
        max_examples=10,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )
    @given(boards(phase), st.data())
    def law(laid: Laid, data: st.DataObject) -> None:
        rules, where = laid
        entries = list(sheet(rules, where, "east"))
        able = {
            unit
            for unit in where.units
            if any(not _stays(order) for order in legal.of(rules, where, "east", unit))
        }
        assert {entry.unit for entry in entries} == able
        for found in entries:
            for choice in found.choices:
                assert hard(checked(rules, where, choice.sentence)[1]) == []
                for _, words in choice.others:
                    hex_, *facings = data.draw(st.sampled_from(words)).split(" ")
                    plain, _, leading = choice.sentence.partition(" facing ")[0].partition(" leading ")
                    sentence = f"{plain.rpartition(' ')[0]} {hex_}" + (
                        f" leading {leading}" if leading else ""
                    )
                    for facing in facings[:1]:
                        sentence += f" facing {facing}"
                    order, problems = checked(rules, where, sentence)
                    assert hard(problems) == [], sentence
                    assert order is not None
                    assert grammar.say(CRY_HAVOC, order) == sentence

    law()
    assert phase in SECTIONS


def _stays(order: object) -> bool:
    return isinstance(order, Act) and order.do == "stay"
