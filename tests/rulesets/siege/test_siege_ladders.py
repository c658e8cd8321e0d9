"""Ladders on small boards: what is listed is legal and what is legal is listed; what is said of it; what a
file may count on.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from itertools import permutations

import pytest
from thorough import some

from pbem.core.dice import NoDice
from pbem.core.play import Play
from pbem.core.ruleset import Ruleset, choose, play_slot
from pbem.core.sequence import Cursor
from pbem.geometry.hex import SIDES, neighbours
from pbem.rulesets.siege.deeds import deeds, reading
from pbem.rulesets.siege.ground import character, ladders, terrain
from pbem.rulesets.siege.judge import forecast, judge, legal
from pbem.rulesets.siege.orders import grammar
from pbem.rulesets.siege.ruleset import CRY_HAVOC, SIEGE
from pbem.rulesets.siege.state import saved
from pbem.rulesets.siege.state.field import Field, Force, OnSide, SideInfo
from pbem.rulesets.siege.state.happening import apply
from pbem.rulesets.siege.state.orders import Act, Order
from pbem.rulesets.siege.state.state import Battle, Thing, Unit
from pbem.rulesets.siege.things import carrying_ladders
from pbem.rulesets.siege.views import ahead, offers, sheet

COLUMNS, ROWS = 4, 5
WALL = ("0104", "0204", "0304", "0404")
SECTIONS = {"movement": "move", "melee": "fight"}
OWN = ("ann", "ben", "cat")
DEEDS = {"movement": {"pick-up", "put-down", "carry", "raise", "shift", "climb"}, "melee": {"topple"}}
OPTIONS = (
    {},
    {"ladder_haul": "true", "topple_from_below": "true"},
    {
        "ladder_placement": "in_or_next_to_ladder_hex",
        "ladder_climb_and_cross": "forbidden",
        "topple_requires_no_move": "false",
    },
)


@cache
def rules(number: int = 0) -> Ruleset[Battle]:
    """Return Siege with castles and some options."""
    found, problems = choose(SIEGE, ["castle", "works"], OPTIONS[number % len(OPTIONS)])
    assert found is not None, problems
    return found


def field(names: dict[str, str], kinds: dict[str, str], number: int = 0) -> Field:
    """Return a map with a wall in its fourth row and a moat somewhere before it."""
    grounds = terrain.grounds(rules())
    hexes = [f"{column:02}{row:02}" for row in range(1, ROWS + 1) for column in range(1, COLUMNS + 1)]
    pick = random.Random(number)
    ground = {
        hex_: grounds[pick.choice(("flat", "flat", "flat", "moat"))] for hex_ in hexes if hex_[2:] < "04"
    }
    ground |= {
        hex_: grounds["battlement" if hex_ in WALL else "courtyard"] for hex_ in hexes if hex_[2:] >= "04"
    }
    ground["0404"] = grounds[pick.choice(("battlement", "tower_interior"))]
    people = {name: character.of_class(rules().tables, class_, name) for name, class_ in kinds.items()}
    return Field(
        "board", "a board", "sha256:0", "ladders", "Ladders", "sha256:0", COLUMNS, ROWS, dict(sorted(ground.items())),
        {f"{hex_} n": (OnSide("parapet", hex_, "n"),) for hex_ in WALL}, terrain.side_features(rules().tables),
        {"no-ladder": ("0304",)} if pick.random() < 0.3 else {}, grounds=grounds, people=people,
        forces=tuple(Force(name, name, side) for name, side in names.items()),
        sides=(SideInfo("east", "East", "blue", True, ""), SideInfo("west", "West", "red", False, "")),
    )  # fmt: skip


def board(number: int, phase: str) -> Battle:
    """Return a board with a ladder that stands, lies or is carried, and four figures near
    it or on the wall.
    """
    pick = random.Random(f"{number} {phase}")
    foot = pick.choice(("0103", "0203", "0303"))
    beside = [there for there in neighbours(foot) if there[2:] < "04" and int(there[:2]) <= COLUMNS]
    stands = pick.choice(("raised", "raised", "lying", "carried")) if phase == "movement" else "raised"
    other = pick.choice([*beside, *(("0204",) if pick.random() < 0.1 else ())])
    at: tuple[str, ...] = (
        (foot,) if stands == "raised" else ("0104", "0204") if pick.random() < 0.15 else (foot, other)
    )
    facing = "s" if stands == "raised" else ""
    top = f"{foot[:2]}04"
    near = list(dict.fromkeys([*at, foot, *beside, top, "0104", "0204"]))
    places = (
        [*at, *pick.sample([hex_ for hex_ in near if hex_ not in at], 4)]
        if stands != "raised"
        else pick.sample(near, 5)
    )
    sides = {"ann": "east", "ben": "east", "cat": "east", "dan": "west"}
    states = {name: pick.choice(("healthy",) * 12 + ("wounded", "stunned")) for name in sides}
    units = {
        name: Unit(
            name, name, "man", side, side, states[name], (place,), since="t3.west.melee" if states[name] == "stunned" else "",
            did=("moved",) if pick.random() < 0.06 else ("shifted",) if pick.random() < 0.04 else (),
        )
        for (name, side), place in zip(sides.items(), places, strict=False)
    }  # fmt: skip
    by = ("ann", "ben") if stands == "carried" else ()
    kinds = {name: pick.choice(("spearman", "peasant", "shortbowman")) for name in sides}
    ladder = Thing("ladder1", "ladder", at, facing, stands, by)
    return Battle(field(sides, kinds, number), Cursor(phase, 4, "east"), units, {"ladder1": ladder})


def sentences(phase: str) -> Iterator[str]:
    """Yield every sentence about the ladder that three figures could be given on such a board."""
    hexes = [f"{column:02}{row:02}" for column in range(1, COLUMNS + 1) for row in range(1, ROWS + 1)]
    if phase == "melee":
        yield from (f"{who} topples ladder1 to {hex_}" for who in OWN for hex_ in hexes)
        return
    for who in OWN:
        yield from (
            f"{who} climbs ladder1",
            f"{who} climbs ladder1 and over",
            f"{who} puts down ladder1",
            f"{who} picks up ladder1",
        )
    for first, second in permutations(OWN, 2):
        pair = f"{first}, {second}"
        yield f"{pair} pick up ladder1"
        yield from (f"{pair} carry ladder1 to {a} {b}" for a in hexes for b in neighbours(a) if b in hexes)
        for side in SIDES:
            yield f"{pair} shift ladder1 facing {side}"
            yield from (
                f"{pair} {do} {hex_} facing {side}"
                for hex_ in hexes
                for do in ("raise ladder1 in", "shift ladder1 to")
            )


def checked(number: int, battle: Battle, sentence: str) -> tuple[Order | None, list[object]]:
    """Return what an order file with one sentence says, and everything that is to be said of it."""
    data = {"turn": str(battle.at), SECTIONS[battle.at.phase]: [sentence]}
    file, problems = reading.read_orders(rules(number), battle, "east", data)
    if file is None:
        return None, list(problems)
    (line,) = file.sections[battle.at.phase]
    return line.order, list(judge.check(rules(number), battle, file).problems)


def is_listed(battle: Battle, listed: set[Order], order: Act) -> bool:
    """Tell whether an order is listed, its two figures in whatever order, its own hex named or not."""
    to = order.to
    if order.do == "shift" and to == battle.things["ladder1"].at:
        to = ()
    if len(order.who) == 2 and order.who[0] > order.who[1]:
        to = tuple(reversed(to)) if order.do == "carry" else to
        return is_listed(
            battle, listed, Act(order.do, (order.who[1], order.who[0]), order.what, to, facing=order.facing)
        )
    if order.do == "carry" and to == tuple(battle.units[id_].at[0] for id_ in order.who):
        return True  # it goes nowhere
    return Act(order.do, order.who, order.what, to, facing=order.facing, over=order.over) in listed


@pytest.mark.parametrize("number", some(range(24), *range(0, 24, 3)))
@pytest.mark.parametrize("phase", ["movement", "melee"])
def test_what_is_listed_is_legal_and_what_is_legal_is_listed(number: int, phase: str) -> None:
    battle = board(number, phase)
    listed = {
        order
        for order in legal.legal(rules(number), battle, "east")
        if isinstance(order, Act) and order.do in DEEDS[phase]
    }
    for order in listed:
        assert checked(number, battle, grammar.say(CRY_HAVOC, order)) == (order, []), grammar.say(
            CRY_HAVOC, order
        )
    for sentence in sentences(phase):
        order, problems = checked(number, battle, sentence)
        if order is not None and not problems:
            assert isinstance(order, Act)
            assert is_listed(battle, listed, order), sentence


def test_the_boards_have_orders_of_every_kind() -> None:
    found = {
        order.do
        for phase in SECTIONS
        for number in range(24)
        for order in legal.legal(rules(number), board(number, phase), "east")
        if isinstance(order, Act)
    }
    assert found >= DEEDS["movement"] | DEEDS["melee"]


@pytest.mark.parametrize("number", some(range(24), *range(0, 24, 3)))
def test_after_whatever_deed_a_ladder_is_in_one_piece(number: int) -> None:
    battle = board(number, "movement")
    for order in legal.legal(rules(number), battle, "east"):
        if not isinstance(order, Act) or order.do not in DEEDS["movement"]:
            continue
        play = Play(battle, str(battle.at), apply, NoDice())
        assert deeds.act(rules(number), play, "east", order) is None
        ladder = play.state.things["ladder1"]
        assert len(ladder.at) == (1 if ladder.stands == "raised" else 2)
        assert bool(ladder.facing) == (ladder.stands == "raised")
        assert len(ladder.by) == (2 if ladder.stands == "carried" else 0)
        if len(ladder.at) == 2:
            assert ladder.at[1] in neighbours(ladder.at[0])
        if order.do in ("pick-up", "carry"):
            assert ladders.carriers(play.state, ladder) == ladder.by
        if ladder.stands == "raised":
            assert ladders.faced(ladder) in WALL
        assert (
            saved.read(rules(number), battle.field, saved.write(rules(number), play.state)).things
            == play.state.things
        )


# --- what is said


def plain(phase: str, stands: str, at: tuple[str, ...], **places: str) -> Battle:
    """Return a board of flat ground before the wall, with some figures of the two sides and a ladder."""
    sides = {name: "east" if name in OWN else "west" for name in sorted(places)}
    here = {
        name: Unit(name, name, "man", sides[name], sides[name], "healthy", (places[name],)) for name in sides
    }
    by = ("ann", "ben") if stands == "carried" else ()
    ladder = Thing("ladder1", "ladder", at, "s" if stands == "raised" else "", stands, by)
    return Battle(
        field(sides, dict.fromkeys(sides, "spearman"), 1), Cursor(phase, 4, "east"), here, {"ladder1": ladder}
    )


def read(battle: Battle, **sections: list[str]) -> list[str]:
    """Return what is to be said of an order file, and its forecast."""
    data = {
        "turn": str(battle.at).rpartition(".")[0],
        **{name.replace("_", "-"): lines for name, lines in sections.items()},
    }
    file, problems = reading.read_orders(rules(), battle, "east", data)
    assert file is not None, problems
    judged = judge.check(rules(), battle, file)
    return [*(problem.code for problem in judged.problems), *forecast.forecast(rules(), judged.course)]


def test_what_two_do_with_a_ladder_is_told_before() -> None:
    battle = plain("movement", "carried", ("0101", "0102"), ann="0101", ben="0102", dan="0405")
    points = carrying_ladders.allowance(rules(), battle, [battle.units["ann"], battle.units["ben"]])
    said = read(
        battle, move=["ann, ben carry ladder1 to 0102 0103", "ann, ben raise ladder1 in 0103 facing s"]
    )
    assert said == [
        "ann, ben  carry ladder1 to 0102 0103  ann 0101 0102, ben 0102 0103, "
        f"{dearer(battle, '0102', '0103')} of {points} MP",
        "ann, ben  raise ladder1 in 0103 facing s  ends the move of both",
    ]


def dearer(battle: Battle, *hexes: str) -> int:
    """Return what one step costs two men who enter these hexes."""
    return max(battle.field.ground[hex_].mp_foot or 0 for hex_ in hexes)


def test_the_sheet_tells_where_a_ladder_may_be_carried_and_on_how_many_faces_it_falls() -> None:
    battle = plain("movement", "carried", ("0101", "0102"), ann="0101", ben="0102", dan="0405")
    (carried,) = [
        choice
        for entry in sheet.sheet(rules(), battle, "east")
        for choice in entry.choices
        if " carry " in choice.sentence
    ]
    assert any("0102 0103" in words for _, words in carried.others)
    battle = plain("melee", "raised", ("0103",), ann="0104", dan="0103")
    assert read(battle, fight=["ann topples ladder1"]) == [
        "ann  topples ladder1  the ladder falls on 6 of 10"
    ]


def test_whoever_shifts_a_ladder_is_told_what_is_left_and_goes_on() -> None:
    battle = plain("movement", "raised", ("0103",), ann="0102", ben="0202", dan="0405")
    left = [battle.field.people[name].states["healthy"].move - 2 for name in ("ann", "ben")]
    said = read(battle, move=["ann, ben shift ladder1 to 0203 facing s", "ben to 0201", "ann to 0101"])
    assert (
        said[0] == f"ann, ben  shift ladder1 to 0203 facing s  2 MP each; left: ann {left[0]}, ben {left[1]}"
    )
    assert said[1].endswith(f" of {left[1]} MP")
    assert said[2].endswith(f" of {left[0]} MP")


def test_what_those_who_walk_to_a_ladder_have_left_for_it_is_told_before() -> None:
    # all in the moat, where a step costs one
    battle = plain("movement", "lying", ("0202", "0302"), ann="0102", ben="0402", dan="0405")
    left = min(battle.field.people[name].states["healthy"].move for name in ("ann", "ben")) - 1 - 2
    lines = ["ann to 0202", "ben to 0302", "ann, ben pick up ladder1", "ann, ben carry ladder1 to 0302 0402"]
    assert read(battle, move=lines)[-1].endswith(f" 1 of {left} MP")
    assert read(battle, move=["ann to 0202", "ann, ben pick up ladder1"])[0] == "carrying.halves"


def after_going(battle: Battle, name: str, sentence: str) -> set[str]:
    """Return what a figure may be ordered to do in the line after one of its own."""
    first = next(offer for offer in offers.offers(rules(), battle, "east") if offer.sentence == sentence)
    found = {
        who: next_
        for who, phase, next_ in ahead.onward(rules(), battle, "east")(first)
        if phase == "movement"
    }
    return {offer.sentence for offer in found[name]}


def test_who_comes_to_a_ladder_at_which_another_stands_is_offered_what_the_two_can_do() -> None:
    for comes, waits in (("ann", "ben"), ("ben", "ann")):
        lying = plain("movement", "lying", ("0101", "0102"), **{comes: "0201", waits: "0102"}, dan="0405")
        assert after_going(lying, comes, f"{comes} to 0101") == {"ann, ben pick up ladder1"}
        assert not after_going(lying, comes, f"{comes} to 0202")
        raised = plain("movement", "raised", ("0103",), **{comes: "0201", waits: "0102"}, dan="0405")
        found = after_going(raised, comes, f"{comes} to 0202")
        assert {"ann, ben shift ladder1 to 0203 facing s"} < found
        for sentence in found:
            assert read(raised, move=[f"{comes} to 0202", sentence])[0].startswith(comes), sentence


def test_nothing_of_what_was_spent_is_left_when_the_phase_is_over() -> None:
    battle = plain("movement", "lying", ("0101", "0102"), ann="0201", ben="0102", dan="0405")
    data = {"turn": "t4", "move": ["ann to 0101", "ann, ben pick up ladder1"]}
    file, _ = reading.read_orders(rules(), battle, "east", data)
    assert file is not None
    slot = play_slot(rules(), battle, {"east": (file,)}, {"east": (file, "sha512:0")}, NoDice())
    assert slot.state.things["ladder1"].by == ("ann", "ben")
    assert slot.state.spent == {}
    assert saved.read(rules(), slot.state.field, saved.write(rules(), slot.state)) == slot.state


def test_after_an_attempt_to_topple_it_nobody_knows_where_the_man_on_a_ladder_is() -> None:
    battle = plain("melee", "raised", ("0103",), ann="0104", ben="0204", cat="0102", dan="0103")
    assert read(battle, fight=["cat attacks dan"])[0].startswith("cat")
    assert read(battle, fight=["ann topples ladder1", "cat attacks dan"])[0] == "doubt.gives-way"


def test_a_carrier_with_full_hands_is_told_so_in_every_phase_of_a_file() -> None:
    battle = plain("movement", "lying", ("0101", "0102"), ann="0101", ben="0102", dan="0201")
    assert (
        read(battle, move=["ann, ben pick up ladder1"], fight=["ann attacks dan"])[0] == "ladders.hands-full"
    )
    assert read(battle, fight=["ann attacks dan"])[0].startswith("ann")


def test_a_thing_that_does_not_lie_in_two_hexes_is_not_picked_up() -> None:
    assert not ladders.can_be_picked_up(Thing("l", "ladder", ("0101",), stands="lying"))
    assert ladders.can_be_picked_up(Thing("l", "ladder", ("0101", "0102"), stands="lying"))
    assert not ladders.can_be_picked_up(Thing("l", "ladder", ("0101", "0102"), stands="raised"))


def test_a_second_attempt_at_one_ladder_is_in_doubt() -> None:
    battle = plain("melee", "raised", ("0103",), ann="0104", ben="0104", dan="0103")
    assert (
        read(battle, fight=["ann topples ladder1 to 0102", "ben topples ladder1 to 0102"])[0] == "doubt.deed"
    )
    assert read(battle, fight=["ann topples ladder1 to 0102"])[0].startswith("ann")
