"""Riders and led animals: a slow second opinion on where two hexes get, and what holds wherever anybody is
led.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import case_plugin
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from thorough import deeper, tries

from pbem.core.dice import NoDice
from pbem.core.play import Play
from pbem.core.problem import Problem
from pbem.geometry import pair
from pbem.geometry.hex import distance, neighbours
from pbem.rulesets.siege.deeds import deeds
from pbem.rulesets.siege.judge.forecast import row
from pbem.rulesets.siege.march import movement, retreat, riding, step
from pbem.rulesets.siege.march.walk import Walk
from pbem.rulesets.siege.ruleset import CRY_HAVOC
from pbem.rulesets.siege.scenario import stable
from pbem.rulesets.siege.state.events import Moved, ThingMoved
from pbem.rulesets.siege.state.happening import apply
from pbem.rulesets.siege.state.orders import Act, Move, MoveBy, Place
from pbem.rulesets.siege.state.state import Battle
from pbem.rulesets.siege.things import leadable, leading, mounting, wagons

RULES = case_plugin.chosen(CRY_HAVOC, {})
FREE = case_plugin.chosen(CRY_HAVOC, {"options": {"mounted_geometry": "free_pair"}})
HORSE = {"side": "east", "class": "horse_alone"}
HUGH = {"hugh": {"side": "east", "class": "average_knight", "on": "bayard"}}
WORDS = {
    ".": "flat",
    "t": "tree",
    "s": "scrub",
    "f": "fence",
    "d": "doorway",
    "x": "trench",
    "~": "deep_water",
}


def battle(units: Mapping[str, Any], rows: list[str] | None = None, **more: Any) -> Battle:
    said: dict[str, Any] = {"units": units, "at": "t1.east.movement", **more}
    if rows:
        said |= {
            "map": rows,
            "key": {
                word: ground for word, ground in WORDS.items() if any(word in line.split() for line in rows)
            },
        }
    return case_plugin.battle_of(RULES, said)


def rider(at: str = "0505 0506", rows: list[str] | None = None, **others: Any) -> Battle:
    return battle({**HUGH, "bayard": {**HORSE, "at": at}, **others}, rows)


def slow(now: Battle, start: str, points: int, rules: Any = RULES) -> dict[str, int]:
    """Return every figure within reach with its cost, by trying all steps again and again until nothing gets
    cheaper.
    """
    unit = now.units["hugh"]
    cost = {start: 0}
    while True:
        before = dict(cost)
        for here, spent in before.items():
            front, tail = pair.hexes(here)
            for there in rules_steps(here, rules):
                new, behind = pair.hexes(there)
                entered = {new, behind} - {front, tail}
                if any(
                    step.ground_bars(rules, now, unit, hex_) if hex_ in now.field.ground else True
                    for hex_ in entered
                ):
                    continue
                if any(
                    now.units[id_].side != "east" for hex_ in entered for id_ in now.living_in.get(hex_, ())
                ):
                    continue
                turned = new == front if rules is FREE else behind == tail
                total = spent + (1 if turned else now.field.ground[new].mp_horse or 0)
                if total <= points and total < cost.get(there, points + 1):
                    cost[there] = total
        if cost == before:
            return cost


def rules_steps(here: str, rules: Any) -> list[str]:
    front, tail = pair.hexes(here)
    if rules is FREE:
        return [pair.pair(new, behind) for new in (front, *neighbours(front)) for behind in neighbours(new)]
    ahead = [hex_ for hex_ in neighbours(front) if distance(hex_, tail) == 2]
    beside = [hex_ for hex_ in neighbours(tail) if distance(hex_, front) == 1]
    return [pair.pair(hex_, front) for hex_ in ahead] + [pair.pair(hex_, tail) for hex_ in beside]


GROUNDS = st.lists(st.lists(st.sampled_from("......stf"), min_size=7, max_size=7), min_size=7, max_size=7)


def field(grounds: list[list[str]]) -> list[str]:
    for column, line in ((3, 3), (3, 4)):
        grounds[line][column] = "."
    return [" ".join(line) for line in grounds]


@deeper
@settings(max_examples=tries(10, 200), deadline=None)
@given(GROUNDS, st.integers(0, 7), st.booleans())
def test_riders_get_where_trying_every_step_gets_them(
    grounds: list[list[str]], points: int, free: bool
) -> None:
    rules = FREE if free else RULES
    now = rider("0404 0405", field(grounds))
    unit = now.units["hugh"]
    found = riding.reach(rules, now, unit, points)
    assert {there: cost for there, (cost, _) in found.items()} == slow(now, "0404 n", points, rules)
    heads: dict[str, int] = {}
    for there, (cost, _) in found.items():
        heads[riding.head(there)] = min(cost, heads.get(riding.head(there), cost))
    assert {place: cost for place, (cost, _) in movement.reach(rules, now, unit, points).items()} == heads


@deeper
@settings(max_examples=tries(10, 200), deadline=None)
@given(GROUNDS, st.data())
def test_a_way_to_an_end_costs_what_reach_says_and_can_be_told_by_its_hexes(
    grounds: list[list[str]], data: st.DataObject
) -> None:
    now = rider("0404 0405", field(grounds), wulf={"side": "west", "class": "peasant", "at": "0202"})
    unit = now.units["hugh"]
    found = riding.reach(RULES, now, unit, 6)
    there = data.draw(st.sampled_from(sorted(found)))
    walk = movement.to(RULES, now, unit, riding.head(there), 6, facing=there.partition(" ")[2])
    assert isinstance(walk, Walk)
    assert (riding.figure(walk.ends), walk.cost) == (there, found[there][0])
    assert len(walk.places) == len(walk.tails)
    if len(walk.places) > 1:
        again = movement.by(RULES, now, unit, walk.places[1:], 6)
        assert (again.places, again.tails, again.cost, again.stopped) == (
            walk.places,
            walk.tails,
            walk.cost,
            None,
        )


def test_one_facing_of_several_is_the_cheapest() -> None:
    now = rider()
    walk = movement.to(RULES, now, now.units["hugh"], "0605", 10)
    assert isinstance(walk, Walk) and (walk.cost, walk.places, walk.tails) == (
        1,
        ("0505", "0605"),
        ("0506", "0506"),
    )
    stays = movement.to(RULES, now, now.units["hugh"], "0505", 10)
    assert isinstance(stays, Walk) and (stays.places, stays.cost) == (("0505",), 0)


@pytest.mark.parametrize(
    ("goal", "spend", "code", "help_"),
    [
        ("1301", 10, "movement.off-map", ""),
        ("0502", 2, "movement.too-far", "he can get as far as 0403 facing n"),
        ("0502", 0, "movement.too-far", ""),
        ("0504", 10, "movement.occupied", "he may pass there, but not stop"),
        ("0604", 10, "movement.enemy", ""),
        ("0302", 10, "movement.no-horse", "a man on foot may go there"),
    ],
)
def test_why_a_rider_does_not_get_somewhere(goal: str, spend: int, code: str, help_: str) -> None:
    rows = [". . . . . . . . . . . ."] + [". . t . . . . . . . . ."] + [". . . . . . . . . . . ."] * 7
    friend, foe = (
        {"side": "east", "class": "peasant", "at": "0504"},
        {"side": "west", "class": "peasant", "at": "0604"},
    )
    now = rider("0505 0506", rows, hob=friend, wulf=foe)
    problem = movement.to(RULES, now, now.units["hugh"], goal, spend)
    assert isinstance(problem, Problem)
    assert (problem.code, problem.help) == (code, help_)


def test_a_rider_shut_in_finds_no_way_and_no_room_to_turn() -> None:
    now = rider("0202 0203", ["t t t t .", "t . t . .", "t . t . .", "t t t . ."])
    unit = now.units["hugh"]
    problem = movement.to(RULES, now, unit, "0403", 10)
    assert isinstance(problem, Problem) and problem.code == "movement.no-way"
    problem = riding.turn(RULES, now, unit, "s", 10)
    assert isinstance(problem, Problem) and problem.code == "riding.no-turn"
    problem = riding.turn(RULES, now, unit, "n", 10)
    assert isinstance(problem, Problem) and problem.code == "riding.faces-already"


def test_a_turn_goes_the_shorter_way_round() -> None:
    now = rider()
    unit = now.units["hugh"]
    found = [riding.turn(RULES, now, unit, side, 10) for side in ("ne", "se", "s", "sw", "nw")]
    assert [walk.cost for walk in found if isinstance(walk, Walk)] == [1, 2, 3, 2, 1]
    assert [riding.figure(walk.ends)[-2:].strip() for walk in found if isinstance(walk, Walk)] == [
        "ne",
        "se",
        "s",
        "sw",
        "nw",
    ]


def test_a_step_back_is_none_and_a_step_is_told_as_one() -> None:
    now = rider()
    problem = riding.why_not(RULES, now, now.units["hugh"], "0505 n", "0506 s")
    assert problem is not None and problem.code == "riding.not-ahead"
    assert riding.turns(RULES, "0505 n") == ("0605 ne", "0405 nw")
    assert len(riding.turns(FREE, "0505 n")) == 5


def test_by_the_option_a_rider_may_end_a_way_looking_back() -> None:
    now = rider()
    walk = movement.plan(FREE, now, MoveBy("hugh", ("0504", "0503"), "s"))
    assert isinstance(walk, Walk) and (walk.cost, walk.ends) == (3, ("0503", "0502"))
    short = movement.by(FREE, now, now.units["hugh"], ("0504", "0503"), 2, "s")
    assert short.stopped is not None and short.stopped.code == "riding.facing"
    assert movement.by(FREE, now, now.units["hugh"], ("0504", "0503"), 2, "n").stopped is None


def test_a_man_on_foot_neither_faces_nor_turns() -> None:
    now = battle({"hob": {"side": "east", "class": "peasant", "at": "0505"}})
    assert movement.plan(RULES, now, Move("hob", ("0504",), "n")).code == "movement.facing"  # type: ignore[union-attr]
    assert movement.plan_turn(RULES, now, Act("turn", ("hob",), facing="n")).code == "movement.facing"  # type: ignore[union-attr]


def test_giving_way_is_one_hex_ahead_or_back() -> None:
    found = riding.giving_way("0505 n")
    assert set(found) == {"0504", "0604", "0404", "0507", "0606", "0406"}
    for hex_, there in found.items():
        ends = pair.hexes(there)
        assert hex_ in ends and len({*ends, "0505", "0506"}) == 3
    now = rider()
    assert set(retreat.ways(RULES, now, now.units["hugh"])) == set(found)


# --- onto the map


def entering(rows: list[str] | None = None, mark: str = "0101", **others: Any) -> Battle:
    units = {**HUGH, "bayard": {**HORSE, "enters": "true"}, **others}
    return battle(units, rows, marks={"edge": mark}, enters={"east": "edge"})


def test_a_rider_comes_onto_the_map_with_his_tail_in_the_hex_of_entry() -> None:
    now = entering()
    walk = movement.plan_entering(RULES, now, Act("enter", ("hugh",), by=("0101",)))
    assert isinstance(walk, Walk)
    assert (walk.tails, walk.cost) == (("0101",), 2)
    reached = movement.reach(RULES, now, now.units["hugh"], 2, "0101")
    assert all(cost <= 2 for cost, _ in reached.values()) and "0103" in reached and "0101" not in reached
    assert movement.ways_in(now, now.units["hugh"]) == ("0101",)


def test_a_rider_needs_room_and_points_to_enter() -> None:
    friend = {"side": "east", "class": "peasant", "at": "0101"}
    problem = movement.plan_entering(RULES, entering(odo=friend), Act("enter", ("hugh",), by=("0101",)))
    assert isinstance(problem, Problem) and problem.code == "movement.occupied"
    problem = movement.plan_entering(
        RULES, entering([". t .", "t t .", ". . ."]), Act("enter", ("hugh",), by=("0101",))
    )
    assert isinstance(problem, Problem) and problem.code == "riding.no-room"
    tired = {**HUGH["hugh"], "move": "1"}
    problem = movement.plan_entering(RULES, entering(hugh=tired), Act("enter", ("hugh",), by=("0101",)))
    assert isinstance(problem, Problem) and problem.code == "movement.too-far"
    problem = movement.plan_entering(RULES, entering(), Act("enter", ("hugh",), by=("0101",), to=("1010",)))
    assert isinstance(problem, Problem) and problem.code == "movement.too-far"


# --- led


def caravan(*animals: str, rows: list[str] | None = None, things: Any = ()) -> Battle:
    kinds = {"b": "horse_alone", "n": "pack_donkey", "o": "ox", "g": "draught_horse"}
    peasant = {"side": "east", "class": "peasant"}
    units: dict[str, Any] = {"tom": {**peasant, "at": "0505"}, "odo": {**peasant, "at": "0702"}}
    units["wulf"] = {"side": "west", "class": "peasant", "at": "0909"}
    for index, at in enumerate(animals):
        units[f"a{index}"] = {"side": "east", "class": kinds[at[0]], "at": at[1:]}
    return battle(units, rows, things=list(things))


def lead(now: Battle, *names: str, to: str = "", by: str = "") -> tuple[Battle, list[object]]:
    play: Play[Battle] = Play(now, str(now.at), apply, NoDice())
    problem = leading.lead(
        RULES, play, Act("lead", ("tom",), to=tuple(to.split()), by=tuple(by.split()), animals=names)
    )
    assert problem is None, problem
    return play.state, play.events


def holds_together(now: Battle) -> None:
    """Nobody stands in two places or with another, and a horse is one."""
    places = [
        place
        for id_, unit in now.units.items()
        if unit.living and id_ not in now.rider_of
        for place in unit.at
    ]
    places += [place for thing in now.things.values() for place in thing.at]
    assert len(places) == len(set(places))
    for unit in now.units.values():
        if unit.living and riding.two_hexes(unit):
            assert distance(*unit.at) == 1


@deeper
@settings(max_examples=tries(20, 300), deadline=None)
@given(
    st.sampled_from(
        [("b0506 0507",), ("b0405 0406",), ("b0507 0506",), ("n0506", "n0507", "n0508"), ("n0405", "n0605"), ("b0506 0507", "n0508"),
         ("n0604", "b0405 0406"), ("b0504 0503", "b0506 0507")]
    ),
    st.lists(st.integers(0, 5), min_size=1, max_size=6),
)  # fmt: skip
def test_whoever_is_led_anywhere_follows_in_one_piece(animals: tuple[str, ...], turns: list[int]) -> None:
    now = caravan(*animals)
    way = ["0505"]
    for turn in turns:
        around = neighbours(way[-1])
        way.append(around[turn % len(around)])
    names = tuple(f"a{index}" for index in range(len(animals)))
    trek = leading.plan(RULES, now, Act("lead", ("tom",), by=tuple(way[1:]), animals=names))
    if isinstance(trek, Problem):
        return
    after, events = lead(now, *names, by=" ".join(way[1:]))
    holds_together(after)
    for event in events:
        if isinstance(event, Moved):
            assert all(
                distance(one, other) == 1 for one, other in zip(event.path, event.path[1:], strict=False)
            )
            assert (event.cost == 0) == (event.unit != "tom")
            if event.tails:
                assert all(tail == before for tail, before in zip(event.tails[1:], event.path, strict=False))
    if len(trek.walk.places) > 1:
        alone = movement.by(RULES, leadable.without(now, names), now.units["tom"], trek.walk.places[1:], 6)
        assert alone.cost == trek.walk.cost


def test_a_leader_may_end_where_a_led_animal_stood() -> None:
    after, _ = lead(caravan("n0504"), "a0", to="0504")
    assert (after.units["tom"].at, after.units["a0"].at) == (("0504",), ("0505",))


def test_to_take_the_reins_is_no_move() -> None:
    captive = {"side": "west", "class": "horse_alone", "at": "0506 0507"}
    now = battle({"tom": {"side": "east", "class": "peasant", "at": "0505"}, "bay": captive})
    after, events = lead(now, "bay", to="0505")
    assert [type(event).__name__ for event in events] == ["Led"]
    assert after.units["tom"].did == () and after.units["bay"].captive_of == "east"


def test_a_way_by_hexes_goes_as_far_as_all_can_follow() -> None:
    rows = [". . . . . . ."] * 2 + [". . . . t . ."] + [". . . . . . ."] * 6
    after, events = lead(caravan("b0506 0507", rows=rows), "a0", by="0504 0503")
    moved = next(event for event in events if isinstance(event, Moved))
    assert (moved.path, moved.stopped) == (("0505", "0504"), "movement.no-horse")
    assert after.units["a0"].at == ("0505", "0506")
    stopped = deeds.why_not(
        RULES, caravan("b0506 0507", rows=rows), Act("lead", ("tom",), by=("0504", "0503"), animals=("a0",))
    )
    assert stopped is not None and stopped.code == "movement.no-horse"


@pytest.mark.parametrize(
    ("order", "code"),
    [
        (Act("lead", ("tom",), to=("0502",), animals=("odo",)), "leading.not-led"),
        (Act("lead", ("tom",), to=("0502",), animals=("tom",)), "leading.not-led"),
        (Act("lead", ("tom",), to=("0502",), animals=("a1",)), "leading.apart"),
        (Act("lead", ("tom",), to=("0502",), animals=("a2",)), "leading.gone"),
        (Act("lead", ("tom",), to=("0502",), animals=("a3",)), "leading.again"),
        (Act("lead", ("tom",), to=("1210",), animals=("a0",)), "movement.too-far"),
        (Act("lead", ("tom",), to=("0702",), animals=("a0",)), "movement.occupied"),
        (Act("leave", ("tom",), by=("0509",), animals=("a0",)), "movement.no-edge"),
        (Act("lead", ("wulf",), to=("0502",), animals=("a0",)), "sequence.not-his-turn"),
    ],
)
def test_why_somebody_is_not_led(order: Act, code: str) -> None:
    now = caravan("n0506", "n1201", "n0104", "n0604")
    now = now.with_units(replace(now.units["a2"], state="dead"), replace(now.units["a3"], did=("moved",)))
    problem = deeds.why_not(RULES, now, order)
    assert problem is not None and problem.code == code


def test_a_leader_off_the_map_is_told_how_to_come() -> None:
    units = {
        "tom": {"side": "east", "class": "peasant", "enters": "true"},
        "ned": {"side": "east", "class": "pack_donkey", "at": "0101"},
    }
    now = battle(units, marks={"edge": "0101 0201"}, enters={"east": "edge"})
    problem = leading.plan(RULES, now, Act("lead", ("tom",), to=("0102",), animals=("ned",)))
    assert isinstance(problem, Problem) and problem.help == "tom enters at HEX leading ned"
    problem = leading.plan_leaving(RULES, now, Act("leave", ("tom",), by=("0101",), animals=("ned",)))
    assert isinstance(problem, Problem) and problem.code == "movement.not-here"
    problem = leading.plan_entering(
        RULES, now, Act("enter", ("tom",), by=("0201",), to=("0202",), animals=("ned",))
    )
    assert isinstance(problem, Problem) and problem.code == "movement.on-map"
    problem = leading.plan_entering(RULES, now, Act("enter", ("tom",), by=("0201",), animals=("tom",)))
    assert isinstance(problem, Problem) and problem.code == "leading.not-led"


def test_whom_a_figure_could_lead() -> None:
    now = caravan("n0506", "n0301", "b0405 0406")
    assert leading.leads(RULES, now, now.units["tom"]) == ("a0", "a2")
    assert leading.leads(RULES, now, now.units["wulf"]) == ()


# --- wagons


def test_a_wagon_goes_round_a_bend() -> None:
    now = caravan("o0504", things=[{"id": "cart", "kind": "wagon", "at": "0505 0506", "hitched": "a0"}])
    now = now.with_units(replace(now.units["tom"], at=("0503",)))
    after, events = lead(now, "a0", by="0603 0703 0803")
    holds_together(after)
    moved = [event for event in events if isinstance(event, ThingMoved)]
    assert [(event.thing, event.at, event.facing) for event in moved] == [("cart", ("0603", "0503"), "se")]
    assert after.units["a0"].at == ("0703",)


def test_a_draught_horse_pulls_with_its_rear() -> None:
    now = caravan("g0503 0504", things=[{"id": "cart", "kind": "wagon", "at": "0505 0506", "hitched": "a0"}])
    now = now.with_units(replace(now.units["tom"], at=("0502",)))
    after, _ = lead(now, "a0", by="0501")
    holds_together(after)
    assert (after.units["a0"].at, after.things["cart"].at) == (("0502", "0503"), ("0504", "0505"))


def test_a_team_with_no_room_before_the_wagon_stays() -> None:
    rows = [". . . . . . ."] + [". . . t . t ."] * 4 + [". . . . . . ."] * 3
    cart = {"id": "cart", "kind": "wagon", "at": "0506 0507", "hitched": "a0 a1"}
    now = caravan("o0505", "o0606", things=[cart], rows=rows)
    now = now.with_units(replace(now.units["tom"], at=("0504",)), replace(now.units["odo"], at=("0101",)))
    problem = leading.plan(RULES, now, Act("lead", ("tom",), by=("0503", "0502"), animals=("a0",)))
    assert isinstance(problem, Problem) and (problem.code, problem.rule) == ("leading.no-team", "S5.11b")


@pytest.mark.parametrize(
    ("do", "animal", "code"),
    [
        ("hitch", "a0", "wagons.hitched"),
        ("hitch", "a1", "wagons.no-draught"),
        ("hitch", "a2", "wagons.enemy"),
        ("unhitch", "a1", "wagons.not-hitched"),
    ],
)
def test_what_is_not_hitched(do: str, animal: str, code: str) -> None:
    now = caravan(
        "o0504",
        "n0403",
        "o0604",
        things=[{"id": "cart", "kind": "wagon", "at": "0505 0506", "hitched": "a0"}],
    )
    now = now.with_units(
        replace(now.units["tom"], at=("0503",)), replace(now.units["a2"], side="west", owner="west")
    )
    now = now.with_units(replace(now.units["tom"], at=("0603",))) if animal == "a2" else now
    problem = wagons.why_not(RULES, now, Act(do, ("tom",), "cart", animals=(animal,)))
    assert problem is not None and problem.code == code


def test_two_animals_are_enough() -> None:
    now = caravan(
        "o0504",
        "o0404",
        "o0604",
        things=[{"id": "cart", "kind": "wagon", "at": "0505 0506", "hitched": "a0 a1"}],
    )
    now = now.with_units(replace(now.units["tom"], at=("0603",)))
    problem = wagons.why_not(RULES, now, Act("hitch", ("tom",), "cart", animals=("a2",)))
    assert problem is not None and (problem.code, problem.help) == ("wagons.full", "a0 and a1 draw it")
    up = now.with_units(replace(now.units["tom"], on="a2"))
    assert wagons.why_not(RULES, up, Act("unhitch", ("tom",), "cart", animals=("a0",))) is not None


def test_what_breaks_work_off() -> None:
    job = {"side": "east", "class": "average_knight", "at": "0505", "job": "mount bayard"}
    now = battle(
        {
            "hugh": job,
            "bayard": {**HORSE, "at": "0504 0503"},
            "wulf": {"side": "west", "class": "peasant", "at": "0909"},
        }
    )
    hugh, bayard = now.units["hugh"], now.units["bayard"]
    assert deeds.interrupted(RULES, now, hugh) == ""
    assert deeds.interrupted(RULES, now, replace(hugh, job=None)) == ""
    assert deeds.interrupted(RULES, now, replace(hugh, state="stunned")) == "fell"
    assert deeds.interrupted(RULES, now, replace(hugh, mood="panic")) == "fled"
    assert deeds.interrupted(RULES, now.with_units(replace(bayard, at=("0902", "0903"))), hugh) == "gone"
    assert deeds.interrupted(RULES, now.with_units(replace(bayard, state="dead")), hugh) == "gone"
    assert deeds.interrupted(RULES, now, replace(hugh, state="wounded")) == "gone"
    assert mounting.next_to(RULES, now, "0505", "0504") and not mounting.next_to(RULES, now, "0505", "0503")


@pytest.mark.parametrize(
    ("who", "what", "code"),
    [
        ("hugh", "bayard", "mounting.mounted"),
        ("guy", "bayard", "mounting.ridden"),
        ("guy", "dun", "mounting.no-horse"),
        ("guy", "roan", "mounting.hitched"),
    ],
)
def test_what_is_not_mounted(who: str, what: str, code: str) -> None:
    knight = {"side": "east", "class": "average_knight"}
    units = {**HUGH, "bayard": {**HORSE, "at": "0504 0503"}, "guy": {**knight, "at": "0505"}}
    units["dun"] = {**HORSE, "at": "0604 0603", "state": "dead"}
    units["roan"] = {**HORSE, "at": "0506 0507"}
    now = battle(units, things=[{"id": "cart", "kind": "wagon", "at": "0508 0509", "hitched": "roan"}])
    problem = mounting.why_not_mount(RULES, now, Act("mount", (who,), what))
    assert problem is not None and problem.code == code


def test_nobody_mounts_a_horse_that_another_is_mounting_nor_gets_off_one_he_is_not_on() -> None:
    knight = {"side": "east", "class": "average_knight"}
    busy = {**knight, "at": "0404", "job": "mount bayard"}
    now = battle({"guy": {**knight, "at": "0505"}, "ivo": busy, "bayard": {**HORSE, "at": "0504 0503"}})
    problem = mounting.why_not_mount(RULES, now, Act("mount", ("guy",), "bayard"))
    assert problem is not None and problem.args["rider"] == "another"
    problem = mounting.why_not_dismount(RULES, now, Act("dismount", ("guy",)))
    assert problem is not None and problem.code == "mounting.on-foot"


def test_a_rider_with_no_free_hex_beside_him_stays_up() -> None:
    now = rider("0202 0203", ["t t t", "t . t", "t . t", "t t t"])
    blocked = battle({**HUGH, "bayard": {**HORSE, "at": "0202 0203"}}, ["~ ~ ~", "~ . ~", "~ . ~", "~ ~ ~"])
    assert mounting.why_not_dismount(RULES, now, Act("dismount", ("hugh",))) is None
    problem = mounting.why_not_dismount(RULES, blocked, Act("dismount", ("hugh",)))
    assert problem is not None and problem.code == "mounting.no-room"


# --- what a receipt says


def test_the_receipt_shows_riders_and_whom_they_lead() -> None:
    now = rider("0505 0506", None, ned={"side": "east", "class": "pack_donkey", "at": "0507"})
    assert row(RULES, now, Move("hugh", ("0502",), "n")) == (
        "hugh",
        "0505 0504 0503 0502 facing n",
        "3 of 10 MP",
    )
    assert row(RULES, now, Act("turn", ("hugh",), facing="ne")) == (
        "hugh",
        "turns ne",
        "0505 0605 facing ne, 1 of 10 MP",
    )
    assert row(RULES, now, Act("lead", ("hugh",), by=("0504",), animals=("ned",))) == (
        "hugh", "leads ned by 0504", "0505 0504 facing n, 1 of 10 MP"
    )  # fmt: skip
    assert row(RULES, now, Act("lead", ("hugh",), by=("0507",), animals=("ned",)))[2] == ""
    assert row(RULES, now, Act("dismount", ("hugh",))) == ("hugh", "dismounts", "takes the whole turn")
    assert (
        row(RULES, now, Act("leave", ("hugh",), by=("0501",), animals=("ned",)))[2]
        == "0505 0504 0503 0502 0501 facing n, 5 of 10 MP"
    )
    assert row(RULES, now, Act("stay", ("hugh",))) == ("hugh", "stays", "")
    assert row(RULES, now, Place("bayard", ("0505",), "n")) == (
        "bayard",
        "stands in 0505 facing n",
        "open ground",
    )


# --- two hexes in words


@pytest.mark.parametrize(
    ("said", "facing", "at"),
    [
        ("0712 0713", "", ("0712", "0713")), ("0712 facing n", "", ("0712", "0713")), ("0712", "s", ("0712", "0711")),
        ("0712", "", ()), ("0712 0714", "", ()), ("0712 0713", "n", ()), ("0701 facing s", "", ()), ("0712 facing up", "", ()),
        ("here facing n", "", ()), ("0712 0713 0714", "", ()),
    ],
)  # fmt: skip
def test_two_hexes_are_told_in_two_ways(said: str, facing: str, at: tuple[str, ...]) -> None:
    assert stable.two_hexes(said.split(), facing) == at
