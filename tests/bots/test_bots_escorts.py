"""Bystanders whom the scenario gives points for: who leads them, by which way, and that
they are no targets.
"""

from __future__ import annotations

from typing import Any

from bot_boards import RULES, battle, chance, field
from msgspec.structs import replace

from pbem.bots import paper, sergeant
from pbem.bots.aims import aims
from pbem.bots.survey import Survey
from pbem.core.ruleset import choose
from pbem.rulesets.siege.state.field import Force, Term
from pbem.rulesets.siege.state.state import Battle

LED = choose(RULES, sorted(RULES.known_modules), {})[0]
MEN: dict[str, tuple[Any, ...]] = {
    "hob": ("east", "spearman", "0405"),
    "odo": ("east", "spearman", "0806"),
    "abbot": ("west", "peasant", "0305"),
    "wat": ("west", "peasant", "1209"),
}


def abbey(men: dict[str, tuple[Any, ...]] = MEN, kind: str = "led-off", size: int = 12) -> Battle:
    ground = field(
        columns=size,
        rows=size,
        at_end=(Term(kind, "east", 5, units=("abbot",)),),
        forces=(Force("abbot", "abbot", "west", neutral=True),),
        length=9,
    )
    return battle(men, ground=ground)


def moves(state: Battle) -> list[str]:
    assert LED is not None
    data = sergeant.orders(LED, state, "east", chance())
    assert paper.refused(LED, state, "east", data) == frozenset()
    return list(data["move"])


def test_they_are_aims_and_no_enemies() -> None:
    state = abbey()
    ours, theirs = aims(RULES, state, "east"), aims(RULES, state, "west")
    assert list(ours.lead) == ["abbot"]
    assert ours.off == {"abbot"}
    assert theirs.lead == {}
    assert theirs.hold == ("0305",)
    assert [foe.id for foe in Survey(RULES, state, "east").foes] == ["wat"]
    assert aims(RULES, abbey(kind="freed"), "east").off == frozenset()


def test_the_nearest_man_leads_them_off_the_map_if_he_can() -> None:
    found = moves(abbey())
    assert [
        line
        for line in found
        if line.startswith("hob leaves the map by 01") and line.endswith("leading abbot")
    ]
    assert not [line for line in found if line.startswith("odo leads")]


def test_from_afar_they_are_led_nearer_to_the_edge() -> None:
    state = abbey({**MEN, "hob": ("east", "spearman", "0909"), "abbot": ("west", "peasant", "1010")}, size=24)
    led = next(line for line in moves(state) if "leads abbot to" in line)
    assert led.startswith("hob")
    way = Survey(RULES, state, "east").way(aims(RULES, state, "east").lead["abbot"])
    assert way[led.split()[-1]] < way["1010"]


def test_who_is_too_far_goes_to_them() -> None:
    state = abbey(
        {
            "hob": ("east", "spearman", "1001"),
            "abbot": ("west", "peasant", "0205"),
            "wat": ("west", "peasant", "1209"),
        }
    )
    assert moves(state)[0].startswith("hob to ")


def test_a_man_beside_them_who_can_do_nothing_stays() -> None:
    state = abbey(
        {
            "hob": ("east", "spearman", "0404"),
            "abbot": ("west", "peasant", "0305", "stunned"),
            "wat": ("west", "peasant", "1209"),
        }
    )
    assert not [line for line in moves(state) if "abbot" in line]


def test_everybody_stands_where_there_is_room() -> None:
    state = abbey({**MEN, "hob": ("east", "spearman", "0605"), "abbot": ("west", "peasant", "0705")})
    survey = Survey(RULES, state, "east")
    survey.led("abbot", ("0704",))
    assert survey.after().units["abbot"].at == ("0704",)
    assert not survey.free("0704", "odo")
    assert survey.free("0705", "odo")
    survey.led("odo", ("0706",))
    assert survey.at["odo"] == ("0706",)
    assert replace(survey.battle.units["odo"], at=("0706",)) == survey.unit("odo")
