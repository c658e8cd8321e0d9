"""Legal orders are sound and complete, and the forecast says what a file was understood as."""

from __future__ import annotations

from dataclasses import replace

import pytest
from skirmish import RULES, battle, field, orders, random_battle

from pbem.core.problem import Problem
from pbem.rulesets.siege import conditions, grammar
from pbem.rulesets.siege.field import Force, SetupStep
from pbem.rulesets.siege.forecast import forecast, row
from pbem.rulesets.siege.legal import legal
from pbem.rulesets.siege.orders import Act, Attack, Move, Order, Place, Prepare, Shoot
from pbem.rulesets.siege.state import Battle

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
KINDS: dict[type, tuple[str, str]] = {
    Shoot: ("shoot", "shoot"), Move: ("move", "move"), Attack: ("attack", "fight"), Act: ("act", "move"), Place: ("place", "setup"),
}  # fmt: skip


def stands(where: Battle, order: Order) -> bool:
    kind = KINDS[type(order)][0]
    return next(conditions.problems(RULES, where, kind, "east", order), None) is None


@pytest.mark.parametrize("phase", ["first_missile", "movement", "second_archery", "melee"])
def test_every_legal_order_passes_the_checks_and_reads_back(phase: str) -> None:
    for seed in range(12):
        where = random_battle(seed)
        where = where.changed(at=replace(where.at, phase=phase))
        seen: set[Order] = set()
        for order in legal(RULES, where, "east"):
            assert stands(where, order), order
            section = "shoot-again" if phase == "second_archery" else KINDS[type(order)][1]
            assert grammar.read(section, grammar.say(order)) == order
            assert order not in seen
            seen.add(order)


def test_every_order_that_passes_the_checks_is_among_the_legal_ones() -> None:
    for seed in range(12):
        where = random_battle(seed)
        own = [unit.id for unit in where.units.values() if unit.side == "east"]
        foes = [unit.id for unit in where.units.values() if unit.side == "west"]
        for phase in ("first_missile", "second_archery", "movement", "melee"):
            where = where.changed(at=replace(where.at, phase=phase))
            everything: list[Order] = []
            if phase == "movement":
                everything += [Move(unit, (place,)) for unit in own for place in where.field.ground]
                everything += [Act("leave", (unit,), by=(place,)) for unit in own for place in where.field.ground]
            elif phase == "melee":
                everything += [Attack((unit,), (foe,)) for unit in own for foe in foes]
                everything += [Attack((unit,), (one, two)) for unit in own for one in foes for two in foes if one < two]
                everything += [Attack((one, two), (foe,)) for one in own for two in own if one < two for foe in foes]
            else:
                everything += [Shoot(unit, (foe,)) for unit in own for foe in foes]
            possible = {order for order in everything if stands(where, order)}
            stay = {order for order in possible if isinstance(order, Move) and where.units[order.who].at == order.to}
            listed = {order for order in legal(RULES, where, "east") if not isinstance(order, Attack) or len(order.at) < 3}
            assert listed == possible - stay, (seed, phase)


def test_nobody_orders_in_the_other_sides_turn() -> None:
    assert list(legal(RULES, battle(MEN), "west")) == []
    assert list(legal(RULES, battle(MEN, "recovery"), "east")) == []


def test_the_legal_orders_of_a_small_battle() -> None:
    assert [grammar.say(order) for order in legal(RULES, battle(MEN), "east")] == [
        "alric at gunter", "alric at tam", "alric at wulf", "bran at gunter", "bran at tam", "bran at wulf",
    ]  # fmt: skip
    assert [grammar.say(order) for order in legal(RULES, battle(MEN, "melee"), "east")] == [
        "hob attacks gunter", "odo attacks gunter", "hob, odo attack gunter",
    ]  # fmt: skip
    moves = [grammar.say(order) for order in legal(RULES, battle(MEN, "movement"), "east")]
    assert moves[:3] == ["alric to 0506", "alric to 0606", "alric to 0607"]
    assert "hob leaves the map by 0401" in moves


ARRIVING = replace(field(), forces=(Force("rolf", "rolf", "east", within="ford", enters=True), Force("ned", "ned", "east", enters=True)))


def test_figures_enter_by_their_mark() -> None:
    ground = replace(ARRIVING, sides=(replace(ARRIVING.sides[0], enters="ford"), ARRIVING.sides[1]))
    where = battle(
        {**MEN, "rolf": ("east", "spearman", ""), "ned": ("east", "peasant", ""), "wulf": ("west", "sergeant", "0102")}, "movement", ground
    )
    found = [grammar.say(order) for order in legal(RULES, where, "east") if isinstance(order, Act) and order.do == "enter"]
    assert found == ["ned enters at 0101", "rolf enters at 0101"]
    lost = battle({**MEN, "zed": ("east", "spearman", "")}, "movement")
    assert not [order for order in legal(RULES, lost, "east") if isinstance(order, Act) and order.who == ("zed",)]


def test_figures_are_placed_in_their_mark() -> None:
    ground = replace(
        field(), forces=(Force("gunter", "gunter", "west"), Force("tam", "tam", "west")), setup=(SetupStep(("west",), ("place",), "ford"),)
    )
    men = {"gunter": ("west", "peasant", ""), "tam": ("west", "spearman", "0102"), "odo": ("east", "spearman", "0505")}
    where = battle(men, "setup", ground)
    where = where.changed(at=replace(where.at, turn=1, side="west"))
    assert [grammar.say(order) for order in legal(RULES, where, "west")] == ["gunter at 0101"]


# --- forecast


def test_the_receipt_shows_ways_ranges_and_odds_one_below_the_other() -> None:
    where = battle(MEN)
    data = {
        "shoot": ["alric at gunter or wulf or nearest", "bran at tam"],
        "move": ["hob by 0403 0304", {"when": "gunter is wounded", "then": ["odo to 0406"], "otherwise": ["odo stays"]}],
        "fight": [{"when": "turn is at least 4", "then": ["odo attacks gunter"], "otherwise": ["odo attacks gunter at least 2:1"]}],
    }
    assert forecast(RULES, where, orders(where, data)) == [
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
    data = {"shoot": ["odo at gunter", "bran at nearest"], "move": ["odo to 1201", "hob by 0101", "bran leaves the map by 0101"]}
    assert forecast(RULES, where, orders(where, data)) == [
        "odo   shoots at gunter",
        "bran  shoots at gunter  crossbow, 3 hexes, short range, no cover",
        "odo   to 1201",
        "hob   by 0101",
        "bran  leaves the map by 0101",
    ]


def test_joint_attacks_wounds_and_ranges_are_told_with_their_rules() -> None:
    where = battle(
        {**MEN, "alric": ("east", "shortbowman", "0507", "wounded"), "wulf": ("west", "sergeant", "0520")}, ground=field(rows=20)
    )
    who, what, more = row(RULES, where, Shoot("alric", ("wulf",)))
    assert (who, what) == ("alric", "shoots at wulf")
    assert more.startswith("short bow, 13 hexes, medium range, no cover, +1 medium range (S1.3b)")
    assert more.endswith("(CH12.3c)")
    assert row(RULES, where, Attack(("hob", "odo"), ("gunter",)))[:2] == ("hob, odo", "attack gunter")
    assert "joint attack (S1.72d)" in row(RULES, where, Attack(("hob", "odo"), ("gunter",)))[2]


def test_entering_leaving_placing_and_giving_up() -> None:
    ground = replace(ARRIVING, forces=ARRIVING.forces[:1])
    where = battle({**MEN, "rolf": ("east", "spearman", ""), "odo": ("east", "spearman", "0303")}, "movement", ground)
    assert row(RULES, where, Act("enter", ("rolf",), by=("0101",), to=("0202",))) == (
        "rolf",
        "enters at 0101 to 0202",
        "0101 0201 0202, 3 of 6 MP",
    )
    assert row(RULES, where, Act("leave", ("odo",), by=("0301",))) == ("odo", "leaves the map by 0301", "0303 0302 0301, 3 of 6 MP")
    assert row(RULES, where, Act("resign")) == ("", "resign", "")
    assert row(RULES, where, Place("odo", ("0303",))) == ("odo", "stands in 0303", where.field.ground["0303"].title)
    assert row(RULES, where, Prepare("fill", ("0303",))) == ("", "fill 0303", "")


def test_an_empty_file_has_an_empty_receipt() -> None:
    where = battle(MEN)
    assert forecast(RULES, where, orders(where, {})) == []
    assert not isinstance(grammar.read("move", "odo stays"), Problem)
