"""Legal orders by hand (their laws are in ``test_siege_legal_laws``), and the forecast: what a file was
understood as.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace
from skirmish import RULES, battle, field, orders

from pbem.core.problem import Problem
from pbem.rulesets.siege.deeds.attack_orders import joiners
from pbem.rulesets.siege.ground.character import values
from pbem.rulesets.siege.judge import judge
from pbem.rulesets.siege.judge.forecast import forecast, row
from pbem.rulesets.siege.judge.legal import legal
from pbem.rulesets.siege.orders import grammar
from pbem.rulesets.siege.ruleset import CRY_HAVOC
from pbem.rulesets.siege.state.field import Force, SetupStep
from pbem.rulesets.siege.state.orders import Act, Attack, Place, Prepare, Shoot
from pbem.rulesets.siege.state.state import Thing

# 0505 has the neighbours n 0504, ne 0604, se 0605, s 0506, sw 0405, nw 0404
MEN = {
    "alric": ("east", "longbowman", "0507"),
    "bran": ("east", "crossbowman", "0502"),
    "hob": ("east", "sergeant", "0404"),
    "odo": ("east", "spearman", "0405"),
    "gunter": ("west", "peasant", "0505"),
    "tam": ("west", "peasant", "0605"),
    "wulf": ("west", "sergeant", "0906"),
}


def test_nobody_orders_in_the_other_sides_turn() -> None:
    assert list(legal(RULES, battle(MEN), "west")) == []
    assert list(legal(RULES, battle(MEN, "recovery"), "east")) == []


def test_the_legal_orders_of_a_small_battle() -> None:
    assert [grammar.say(CRY_HAVOC, order) for order in legal(RULES, battle(MEN), "east")] == [
        "alric at gunter", "alric at tam", "alric at wulf", "bran at gunter", "bran at tam", "bran at wulf",
    ]  # fmt: skip
    assert [grammar.say(CRY_HAVOC, order) for order in legal(RULES, battle(MEN, "melee"), "east")] == [
        "hob attacks gunter", "hob, odo attack gunter", "odo attacks gunter",
    ]  # fmt: skip
    moves = [grammar.say(CRY_HAVOC, order) for order in legal(RULES, battle(MEN, "movement"), "east")]
    assert moves[:3] == ["alric to 0506", "alric to 0606", "alric to 0607"]
    assert "hob leaves the map by 0401" in moves
    assert [said for said in moves if said.endswith("stays")] == [
        "alric stays",
        "bran stays",
        "hob stays",
        "odo stays",
    ]


CROWD = {
    "ann": ("east", "peasant", "0404"), "ben": ("east", "peasant", "0405"), "cat": ("east", "peasant", "0504"),
    "dan": ("east", "peasant", "0604"), "eve": ("east", "peasant", "0605", {"owner": "ally"}), "guy": ("west", "halberdier", "0505"),
}  # fmt: skip


def test_those_attack_together_who_cannot_do_with_fewer() -> None:
    """Peasants attack with 2 each, the halberdier defends with 6 (S1.7g): three of them are enough, two are
    not.
    """
    where = battle(CROWD, "melee")
    assert values(RULES, where, where.units["guy"]).defence == 6
    assert values(RULES, where, where.units["ann"]).attack == 2
    found = list(legal(RULES, where, "east"))
    assert [", ".join(order.who) for order in found if isinstance(order, Attack)] == [
        "ann, ben, cat", "ann, ben, dan", "ann, ben, eve", "ann, cat, dan", "ann, cat, eve", "ann, dan, eve",
        "ben, cat, dan", "ben, cat, eve", "ben, dan, eve", "cat, dan, eve",
    ]  # fmt: skip
    assert isinstance(found[0], Attack)
    assert joiners(RULES, where, found[0]) == ("dan", "eve")
    assert [grammar.say(CRY_HAVOC, order) for order in legal(RULES, where, "ally")][:2] == [
        "eve, ann, ben attack guy",
        "eve, ann, cat attack guy",
    ]
    assert len(list(legal(RULES, where, "ally"))) == 6


def test_nobody_joins_an_attack_on_several() -> None:
    where = battle(MEN, "melee")
    assert joiners(RULES, where, Attack(("odo",), ("gunter",))) == ("hob",)
    assert joiners(RULES, where, Attack(("odo",), ("gunter", "tam"))) == ()


ARRIVING = replace(
    field(),
    forces=(
        Force("rolf", "rolf", "east", within="ford", enters=True),
        Force("ned", "ned", "east", enters=True),
    ),
)


def test_figures_enter_by_their_mark() -> None:
    ground = replace(ARRIVING, sides=(replace(ARRIVING.sides[0], enters="ford"), ARRIVING.sides[1]))
    where = battle(
        {
            **MEN,
            "rolf": ("east", "spearman", ""),
            "ned": ("east", "peasant", ""),
            "wulf": ("west", "sergeant", "0102"),
        },
        "movement",
        ground,
    )
    found = [
        grammar.say(CRY_HAVOC, order)
        for order in legal(RULES, where, "east")
        if isinstance(order, Act) and order.do == "enter"
    ]
    assert [said for said in found if " to " not in said] == ["ned enters at 0101", "rolf enters at 0101"]
    assert "rolf enters at 0101 to 0301" in found
    assert "rolf enters at 0102 to 0301" not in found
    lost = battle({**MEN, "zed": ("east", "spearman", "")}, "movement")
    assert not [
        order
        for order in legal(RULES, lost, "east")
        if isinstance(order, Act) and order.who == ("zed",) and order.do != "stay"
    ]


def test_figures_are_placed_in_their_mark() -> None:
    ground = replace(
        field(),
        forces=(Force("gunter", "gunter", "west"), Force("tam", "tam", "west")),
        setup=(SetupStep(("west",), ("place",), "ford"),),
    )
    men = {
        "gunter": ("west", "peasant", ""),
        "tam": ("west", "spearman", "0102"),
        "odo": ("east", "spearman", "0505"),
    }
    where = battle(men, "setup", ground)
    where = where.changed(at=replace(where.at, turn=1, side="west"))
    assert [grammar.say(CRY_HAVOC, order) for order in legal(RULES, where, "west")] == [
        "gunter at 0101",
        "tam at 0101",
    ]


# --- forecast


def told(where: Any, data: dict[str, Any]) -> list[str]:
    return forecast(RULES, judge.check(RULES, where, orders(where, data)).course)


def test_the_receipt_shows_ways_ranges_and_odds_one_below_the_other() -> None:
    where = battle(MEN)
    data = {
        "shoot": ["alric at gunter or wulf or nearest", "bran at tam"],
        "move": [
            "hob by 0403 0304",
            {"when": "gunter is wounded", "then": ["odo to 0406"], "otherwise": ["odo stays"]},
        ],
        "fight": [
            {
                "when": "turn is at least 4",
                "then": ["odo attacks gunter"],
                "otherwise": ["odo attacks gunter at least 2:1"],
            }
        ],
    }
    assert told(where, data) == [
        "alric  shoots at gunter  long bow, 2 hexes, short range, no cover, else wulf",
        "bran   shoots at tam     crossbow, 4 hexes, short range, no cover",
        "hob    0404 0403 0304    2 of 5 MP",
        "if gunter is wounded:",
        "  odo  0405 0406         1 of 6 MP",
        "otherwise:",
        "  odo  stays",
        "if turn is at least 4 (it is not so):",
        "otherwise:",
        "  odo  attacks gunter    7 against 2 is 3:1: column 3:1, only at 2:1 or better",
    ]


def test_the_receipt_keeps_what_cannot_be_done_short() -> None:
    where = battle(MEN)
    data = {
        "shoot": ["odo at gunter", "bran at nearest"],
        "move": ["odo to 1201", "hob by 0101", "bran leaves the map by 0101"],
    }
    assert told(where, data) == [
        "odo   shoots at gunter",
        "bran  shoots at gunter  crossbow, 3 hexes, short range, no cover",
        "odo   to 1201",
        "hob   by 0101",
        "bran  leaves the map by 0101",
    ]


def test_joint_attacks_wounds_and_ranges_are_told_with_their_rules() -> None:
    where = battle(
        {**MEN, "alric": ("east", "shortbowman", "0507", "wounded"), "wulf": ("west", "sergeant", "0520")},
        ground=field(rows=20),
    )
    who, what, more = row(RULES, where, Shoot("alric", ("wulf",)))
    assert (who, what) == ("alric", "shoots at wulf")
    assert more.startswith("short bow, 13 hexes, medium range, no cover, +1 medium range (S1.3b)")
    assert more.endswith("(CH12.3c)")
    assert row(RULES, where, Attack(("hob", "odo"), ("gunter",)))[:2] == ("hob, odo", "attack gunter")
    assert "joint attack (S1.72d)" in row(RULES, where, Attack(("hob", "odo"), ("gunter",)))[2]


def test_entering_leaving_placing_and_giving_up() -> None:
    ground = replace(ARRIVING, forces=ARRIVING.forces[:1])
    where = battle(
        {**MEN, "rolf": ("east", "spearman", ""), "odo": ("east", "spearman", "0303")}, "movement", ground
    )
    assert row(RULES, where, Act("enter", ("rolf",), by=("0101",), to=("0202",))) == (
        "rolf",
        "enters at 0101 to 0202",
        "0101 0201 0202, 3 of 6 MP",
    )
    assert row(RULES, where, Act("leave", ("odo",), by=("0301",))) == (
        "odo",
        "leaves the map by 0301",
        "0303 0302 0301, 3 of 6 MP",
    )
    assert row(RULES, where, Act("resign")) == ("", "resign", "")
    assert row(RULES, where, Place("odo", ("0303",))) == (
        "odo",
        "stands in 0303",
        where.field.ground["0303"].title,
    )
    assert row(RULES, where, Prepare("fill", ("0303",))) == ("", "fill 0303", "")


def test_an_empty_file_has_an_empty_receipt() -> None:
    where = battle(MEN)
    assert told(where, {}) == []
    assert not isinstance(grammar.read(CRY_HAVOC, "move", "odo stays"), Problem)


def test_nobody_is_offered_to_lead_a_hitched_ox_off_the_map() -> None:
    men = {
        "odo": ("east", "peasant", "0302"),
        "ned": ("east", "peasant", "0303"),
        "wulf": ("west", "sergeant", "0906"),
    }
    where = battle(men, "movement")
    where = where.with_units(replace(where.units["ned"], kind="ox"))
    rules = replace(RULES, modules=frozenset({*RULES.modules, "wagons"}))

    def off(now: Any) -> list[str]:
        return [
            said
            for order in legal(rules, now, "east")
            if (said := grammar.say(CRY_HAVOC, order)).endswith("leading ned")
        ]

    assert "odo leaves the map by 0301 leading ned" in off(where)
    assert (
        off(where.changed(things={"wagon1": Thing("wagon1", "wagon", ("0304", "0305"), hitched=("ned",))}))
        == []
    )
