"""The roll: where everybody is, his values, and what he can do now, as the rules have it."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace
from skirmish import RULES, battle, field

from pbem.core.briefing import Member, Region
from pbem.referee.game.sentences import tell
from pbem.rulesets.siege.judge import legal
from pbem.rulesets.siege.state.field import Force, SetupStep
from pbem.rulesets.siege.state.orders import Attack, Move, Shoot
from pbem.rulesets.siege.state.state import Battle
from pbem.rulesets.siege.views import primer, rollcall
from pbem.store.library import words_of

# 0505 has the neighbours n 0504, ne 0604, se 0605, s 0506, sw 0405, nw 0404
MEN: dict[str, tuple[Any, ...]] = {
    "alric": ("east", "longbowman", "0507"),
    "bran": ("east", "crossbowman", "0502", "stunned"),
    "hob": ("east", "sergeant", "0404", "wounded"),
    "odo": ("east", "spearman", "0405"),
    "mel": ("east", "peasant", "0604", {"owner": "ally"}),
    "gunter": ("west", "peasant", "0505"),
    "wulf": ("west", "longbowman", "0906"),
}


def said(where: Battle, seat: str = "east") -> dict[str, tuple[Member, list[str]]]:
    return {
        one.id: (one, [tell(words_of("siege"), can) for can in one.can])
        for one in rollcall.roll_call(RULES, where, seat)
    }


def test_ones_own_men_come_first_then_friends_then_the_enemy() -> None:
    assert [one.id for one in rollcall.roll_call(RULES, battle(MEN), "east")] == [
        "alric",
        "bran",
        "hob",
        "odo",
        "mel",
        "gunter",
        "wulf",
    ]
    assert [one.id for one in rollcall.roll_call(RULES, battle(MEN), "west")][:2] == ["gunter", "wulf"]


def test_a_man_is_told_with_hex_values_state_and_what_he_can_do() -> None:
    told = said(battle(MEN))
    hob, can = told["hob"]
    assert (hob.at, hob.values, hob.state, hob.what) == (("0404",), ("6", "4", "2"), "wounded", "sergeant")
    assert can == ["2 points to move", "could attack gunter"]
    assert told["alric"][1] == [
        "long bow, 70 hexes",
        "6 points to move, for instance to 0506",
        "could shoot at gunter and wulf",
    ]
    assert told["bran"][1] == ["crossbow, 75 hexes", "bran lies stunned and can do nothing this turn"]
    assert told["odo"][1][-1] == "could attack gunter"


def test_of_friends_and_enemies_only_what_everybody_sees_is_told() -> None:
    told = said(battle(MEN))
    assert told["mel"][1] == []
    assert told["gunter"][1] == []
    assert told["wulf"][1] == ["long bow, 70 hexes"]
    assert told["wulf"][0].seat == "west"


def test_what_is_told_that_somebody_can_do_is_legal() -> None:
    where = battle(MEN)
    at = {
        phase: where.changed(at=replace(where.at, phase=phase))
        for phase in ("first_missile", "movement", "melee")
    }
    orders = {phase: set(legal.legal(RULES, then, "east")) for phase, then in at.items()}
    for id_, (member, _) in said(where).items():
        for can in member.can:
            if can.__class__.__name__ == "Problem" or member.seat != "east":
                continue
            if can.key == "can.shoots":
                assert all(Shoot(id_, (target,)) in orders["first_missile"] for target in can.args["targets"])
            if can.key == "can.moves" and can.args["hex"]:
                assert Move(id_, (can.args["hex"],)) in orders["movement"]
            if can.key == "can.fights":
                assert all(Attack((id_,), (target,)) in orders["melee"] for target in can.args["targets"])


def test_an_enemy_too_strong_for_one_alone_is_told_as_such() -> None:
    told = said(battle(MEN | {"gunter": ("west", "sergeant", "0505")}))
    assert told["odo"][1][-1] == "next to gunter, too strong for one alone"


def test_when_the_others_move_nobody_is_told_what_he_could_do() -> None:
    assert said(battle(MEN), "west")["wulf"][1] == ["long bow, 70 hexes"]
    assert said(battle(MEN), "west")["gunter"][1] == []


def test_in_the_setup_everybody_is_told_where_he_may_begin() -> None:
    forces = (
        Force("odo", "odo", "east", within="bank"),
        Force("hob", "hob", "east", at=("0404",)),
        Force("gunter", "gunter", "west", enters=True),
    )
    ground = replace(
        field(),
        marks={"bank": ("0101", "0102", "0103")},
        forces=forces,
        setup=(SetupStep(("east",), ("place",)),),
    )
    men = {
        "odo": ("east", "spearman", ""),
        "hob": ("east", "sergeant", "0404"),
        "gunter": ("west", "peasant", ""),
    }
    where = battle(
        {name: (side, class_, at or "0101") for name, (side, class_, at) in men.items()}, "setup", ground
    )
    where = where.changed(at=replace(where.at, turn=1, side="east")).with_units(
        replace(where.units["odo"], at=())
    )
    told = said(where)
    assert told["odo"][1] == ["to be placed in bank"]
    assert told["hob"][1] == ["begins there"]
    assert rollcall.zones(RULES, where, "east") == (Region("bank", ("0101", "0102", "0103"), ("east",)),)
    assert rollcall.zones(RULES, where, "west") == ()
    assert rollcall.zones(RULES, battle(MEN), None) == ()


def test_the_rules_in_short_have_only_what_is_there() -> None:
    def keys(where: Battle) -> set[str]:
        return {said_.key for chapter in primer.primer(RULES, where) for said_ in chapter.sentences}

    plain = keys(battle(MEN))
    assert {"primer.phase-melee", "primer.below-one", "primer.one-line", "primer.standing"} <= plain
    assert not plain & {"primer.riders", "primer.ladders", "primer.days", "primer.panic", "primer.oil"}
    for chapter in primer.primer(RULES, battle(MEN)):
        for one in (chapter.title, *chapter.sentences):
            assert words_of("siege").knows("phrases", one.key), one.key
            assert "?" not in tell(words_of("siege"), one), one.key
