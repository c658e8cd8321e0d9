"""Movement: a slow second opinion on where a figure gets, what orders come to, and that check and resolution
say the same.
"""

from __future__ import annotations

from itertools import pairwise

import case_plugin
import pytest
import rulebook_siege as rulebook
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from thorough import deeper, tries

from pbem.core.dice import NoDice
from pbem.core.play import Play, resolve_phase
from pbem.core.problem import Problem
from pbem.geometry.hex import SIDES, hexside, neighbour, neighbours
from pbem.rulesets.siege.deeds import deeds
from pbem.rulesets.siege.ground import character, counter, terrain
from pbem.rulesets.siege.march import movement, step
from pbem.rulesets.siege.march.walk import Walk
from pbem.rulesets.siege.ruleset import CRY_HAVOC
from pbem.rulesets.siege.state.events import Entered, Left, Moved, OrderSkipped
from pbem.rulesets.siege.state.happening import apply
from pbem.rulesets.siege.state.orders import Act, Line, Move, MoveBy, OrderFile

RULES = case_plugin.chosen(CRY_HAVOC, {})
COLUMNS, ROWS = 5, 5
HEXES = [f"{column:02}{row:02}" for row in range(1, ROWS + 1) for column in range(1, COLUMNS + 1)]


def battle(**said):
    return case_plugin.battle_of(RULES, {"at": "t1.east.movement", **said})


def ordered(state, *orders):
    """Return the events of a movement phase with these orders of east."""
    lines = tuple(Line(order, ("move", number)) for number, order in enumerate(orders))
    phases = tuple(phase.id for phase in RULES.sequence.phases)
    file = OrderFile("east", "east", state.at, "movement", {"movement": lines}, phases=phases)
    return resolve_phase(
        lambda play: deeds.resolve(RULES, play, {"east": (file,)}), state, str(state.at), apply, NoDice()
    )


# --- a slow second opinion


def slow_cost(state, unit, here, there):
    """Say what a step costs straight from the map and the men on it, sharing nothing with the module."""
    field = state.field
    if there not in field.ground or there not in neighbours(here):
        return None
    ground = field.ground[there]
    if ground.mp_foot is None:
        return None
    extra = 0
    for features in field.sides_of_hexes.values():
        for feature in features:
            if {feature.at, neighbour(feature.at, feature.side)} == {here, there}:
                if feature.kind == "wall":
                    return None
                extra += field.side_features[feature.kind].cost
    dead = [other for other in state.units.values() if other.state == "dead" and there in other.at]
    weight = sum(3 if other.kind == "horse" else 1 for other in dead)
    if weight >= 6:
        return None
    if any(other.living and other.side != unit.side and there in other.at for other in state.units.values()):
        return None
    return ground.mp_foot + (1 if weight >= 3 else 0) + extra


def slow_reach(state, unit, points):
    """Return hex -> cost for every place a figure may stop at, by trying all costs until nothing gets
    cheaper.
    """
    best = {unit.at[0]: 0}
    changed = True
    while changed:
        changed = False
        for here, spent in list(best.items()):
            for there in HEXES:
                cost = slow_cost(state, unit, here, there)
                if cost is not None and spent + cost <= points and spent + cost < best.get(there, 999):
                    best[there] = spent + cost
                    changed = True
    held = {
        place for other in state.units.values() if other.living and other.id != unit.id for place in other.at
    }
    return {place: cost for place, cost in best.items() if place not in held}


@st.composite
def fields(draw):
    rows = [
        " ".join(draw(st.sampled_from([".", ".", ".", "s", "t", "~"])) for _ in range(COLUMNS))
        for _ in range(ROWS)
    ]
    walls: dict[str, dict[str, str]] = {}
    used = set()
    for kind in ("wall", "steps"):
        for side in draw(st.lists(st.sampled_from(SIDES), max_size=2, unique=True)):
            hex_ = draw(st.sampled_from(["0202", "0303", "0204", "0404", "0302"]))
            if hexside(hex_, side) not in used:
                used.add(hexside(hex_, side))
                walls.setdefault(kind, {})[side] = hex_
    places = draw(st.lists(st.sampled_from(HEXES), min_size=5, max_size=9, unique=True))
    units = {"hob": {"side": "east", "class": "spearman", "at": places[0]}}
    for number, place in enumerate(places[1:], 1):
        sort = draw(st.sampled_from(["friend", "enemy", "horse", "stunned"]))
        side = "east" if sort in ("friend", "horse") else "west"
        state = {"horse": "dead", "stunned": "stunned"}.get(sort, "healthy")
        units[f"u{number}"] = {"side": side, "class": "peasant", "at": place, "state": state}
        if sort == "horse":
            units[f"u{number}"]["kind"] = "horse"
            if draw(st.booleans()):
                units[f"v{number}"] = {**units[f"u{number}"], "at": place}
    return {"map": rows, "map-sides": walls, "units": units}


@deeper
@settings(max_examples=tries(20, 300), deadline=None)
@given(fields(), st.integers(0, 8))
def test_reach_agrees_with_the_second_opinion(said, points):
    state = battle(**said)
    unit = state.units["hob"]
    found = movement.reach(RULES, state, unit, points)
    wanted = slow_reach(state, unit, points)
    assert {place: cost for place, (cost, _) in found.items()} == wanted


@deeper
@settings(max_examples=tries(15, 200), deadline=None)
@given(fields())
def test_what_check_lets_pass_is_carried_out_and_nothing_else(said):
    state = battle(**said)
    reached = slow_reach(state, state.units["hob"], 6)
    for place in HEXES:
        order = Move("hob", (place,))
        problems = list(deeds.check_move(RULES, state, "east", order))
        assert (not problems) == (place in reached)
        result = ordered(state, order)
        skipped = [event for event in result.events if isinstance(event, OrderSkipped)]
        assert [event.code for event in skipped] == [problem.code for problem in problems]
        assert result.state.units["hob"].at == ((place,) if place in reached else state.units["hob"].at)
        if place in reached and place != state.units["hob"].at[0]:
            (moved,) = [event for event in result.events if isinstance(event, Moved)]
            steps = pairwise(moved.path)
            assert (
                sum(slow_cost(state, state.units["hob"], a, b) for a, b in steps)
                == moved.cost
                == reached[place]
            )


@deeper
@settings(max_examples=tries(15, 200), deadline=None)
@given(fields(), st.lists(st.integers(0, 5), min_size=1, max_size=7))
def test_a_way_is_followed_as_far_as_it_goes(said, turns):
    state = battle(**said)
    unit = state.units["hob"]
    way = [unit.at[0]]
    for turn in turns:
        beside = neighbours(way[-1])
        way.append(beside[turn % len(beside)])
    walk = movement.by(RULES, state, unit, way[1:], 6)
    assert list(walk.places) == way[: len(walk.places)]
    spent, held = (
        0,
        {place for other in state.units.values() if other.living and other.id != "hob" for place in other.at},
    )
    costs = [0]
    for here, there in pairwise(way):
        cost = slow_cost(state, unit, here, there)
        if cost is None or spent + cost > 6:
            break
        spent += cost
        costs.append(spent)
    free = max(index for index in range(len(costs)) if way[index] not in held)
    assert (len(walk.places), walk.cost) == (free + 1, costs[free])
    assert (walk.stopped is None) == (free == len(way) - 1)


# --- orders one by one


def test_a_way_may_begin_with_the_own_hex():
    state = battle(units={"hob": {"side": "east", "class": "spearman", "at": "0505"}})
    one = movement.by(RULES, state, state.units["hob"], ("0505", "0504"), 6)
    other = movement.by(RULES, state, state.units["hob"], ("0504",), 6)
    assert one == other == Walk(("0505", "0504"), 1, 6)


def test_to_where_he_stands_is_no_move():
    state = battle(units={"hob": {"side": "east", "class": "spearman", "at": "0505"}})
    result = ordered(state, Move("hob", ("0505",)))
    assert not [event for event in result.events if isinstance(event, Moved | OrderSkipped)]
    assert result.state.units["hob"].did == ()


@pytest.mark.parametrize(
    ("order", "code", "rule"),
    [
        (Move("hob", ("0504",), "n"), "movement.facing", ""),
        (MoveBy("hob", ("0504",), "n"), "movement.facing", ""),
        (Move("tam", ("0504",)), "movement.not-here", ""),
        (Move("hob", ("1301",)), "movement.off-map", ""),
        (MoveBy("hob", ("0506", "0606", "0707", "0708")), "", ""),
        (Move("wulf", ("0104",)), "sequence.not-his-turn", "S1.2d"),
        (MoveBy("hob", ("0506", "0608")), "movement.not-adjacent", "S1.6b"),
        (Act("enter", ("hob",), by=("0101",)), "movement.on-map", ""),
        (Act("enter", ("tam",), by=("0101",), to=("0101",)), "", ""),
        (Act("enter", ("tam",), by=("0101",), to=("0109",)), "movement.too-far", "S1.6b"),
        (Act("enter", ("sam",), by=("0101",)), "movement.too-far", "S1.6b"),
        (Act("enter", ("tam",), by=("0102",)), "movement.occupied", "S1.62a"),
        (Act("enter", ("tam",), by=("0102",), to=("0103",)), "", ""),
        (Act("enter", ("tam",), by=("0105",)), "movement.ground", "CH12.1a"),
        (Act("enter", ("tam",), by=("0909",)), "movement.no-entry", ""),
        (Act("enter", ("wulf",), by=("0101",)), "sequence.not-his-turn", "S1.2d"),
        (Act("leave", ("tam",), by=("0101",)), "movement.not-here", ""),
        (Act("leave", ("wulf",), by=("0101",)), "sequence.not-his-turn", "S1.2d"),
        (Act("leave", ("hob",), by=("0510",)), "", ""),
        (Act("leave", ("odo",), by=("0102",)), "", ""),
        (Act("leave", ("hob",), by=("0505",)), "movement.no-edge", ""),
    ],
)
def test_each_order_is_judged_as_it_is_carried_out(order, code, rule):
    rows = [". . . . . . . . . . . ." for _ in range(10)]
    rows[4] = "~ . . . . . . . . . . ."
    state = battle(
        map=rows,
        marks={"gate": "0101 0102 0105"},
        enters={"east": "gate"},
        units={
            "hob": {"side": "east", "class": "spearman", "at": "0505"},
            "odo": {"side": "east", "class": "spearman", "at": "0102"},
            "sam": {"side": "east", "class": "spearman", "enters": "true", "move": "0"},
            "tam": {"side": "east", "class": "spearman", "enters": "true"},
            "wulf": {
                "side": "west",
                "class": "spearman",
                "at": "0103" if order.who in (("hob",), "hob") else "0104",
            },
        },
    )
    check = deeds.check_act if isinstance(order, Act) else deeds.check_move
    problems = list(check(RULES, state, "east", order))
    assert [(problem.code, problem.rule) for problem in problems] == ([(code, rule)] if code else [])
    result = ordered(state, order)
    skipped = [event.code for event in result.events if isinstance(event, OrderSkipped)]
    assert skipped == ([code] if code and not [e for e in result.events if isinstance(e, Moved)] else [])


def test_who_enters_has_his_points_less_the_first_hex():
    state = battle(
        marks={"gate": "0101"},
        enters={"east": "gate"},
        units={"tam": {"side": "east", "class": "spearman", "enters": "true"}},
    )
    result = ordered(state, Act("enter", ("tam",), by=("0101",), to=("0106",)))
    assert [event for event in result.events if isinstance(event, Entered)] == [
        Entered("tam", ("0101", "0102", "0103", "0104", "0105", "0106"), 6, 6)
    ]
    assert list(deeds.check_act(RULES, state, "east", Act("enter", ("tam",), by=("0101",), to=("0107",))))


def test_a_man_at_the_edge_leaves_without_a_step():
    state = battle(units={"hob": {"side": "east", "class": "spearman", "at": "0501"}})
    result = ordered(state, Act("leave", ("hob",), by=("0501",)))
    assert [event for event in result.events if isinstance(event, Moved | Left)] == [Left("hob", "0501")]
    assert result.state.units["hob"].left and not result.state.units["hob"].living


def test_the_nearest_place_he_gets_to_is_told():
    state = battle(units={"hob": {"side": "east", "class": "spearman", "at": "0501"}})
    problem = movement.to(RULES, state, state.units["hob"], "0510", 6)
    assert isinstance(problem, Problem)
    assert (problem.args["cost"], problem.args["points"], problem.help) == (9, 6, "he can get as far as 0507")
    problem = movement.to(RULES, state, state.units["hob"], "1301", 6)
    assert isinstance(problem, Problem) and dict(problem.args) == {
        "unit": "hob",
        "here": "0501",
        "there": "1301",
    }
    problem = movement.to(RULES, state, state.units["hob"], "1301", 6, "0502")
    assert isinstance(problem, Problem) and problem.args["here"] == "0502"
    problem = movement.to(RULES, state, state.units["hob"], "0502", 0)
    assert isinstance(problem, Problem) and problem.help == ""


def test_another_floor_is_entered_where_something_joins_them():
    state = battle(units={"hob": {"side": "east", "class": "spearman", "at": "0505"}})
    ground = {**state.field.ground, "0504": replace(state.field.ground["0504"], floor="walk")}
    high = state.changed(field=replace(state.field, ground=ground))
    hob = high.units["hob"]
    problem = step.why_not(RULES, high, hob, "0505", "0504")
    assert problem is not None and (problem.code, problem.rule) == ("movement.battlement", "S1.61f")
    assert not step.can_pass(RULES, high, hob, "0504", "0505")
    for kind, opens in (("steps", True), ("door", True), ("arch", True)):
        joined = battle(
            **{"map-sides": {kind: {"n": "0505"}}},
            units={"hob": {"side": "east", "class": "spearman", "at": "0505"}},
        )
        joined = joined.changed(field=replace(joined.field, ground=ground))
        assert step.can_pass(RULES, joined, hob, "0505", "0504") is opens


def test_a_friend_bars_who_may_not_pass_him():
    state = battle(
        units={
            "hob": {"side": "east", "class": "spearman", "at": "0505"},
            "odo": {"side": "east", "class": "spearman", "at": "0504"},
        }
    )
    assert step.why_not(RULES, state, state.units["hob"], "0505", "0504") is None
    barred = rulebook.blanked(RULES, "facts.rows.friends_passed")
    problem = step.why_not(barred, state, state.units["hob"], "0505", "0504")
    assert problem is not None and (problem.code, problem.args["friend"]) == ("movement.friend", "odo")


@pytest.mark.parametrize(
    ("kinds", "weight", "extra", "closed"),
    [
        ((), 0, 0, False),
        (("man", "man"), 2, 0, False),
        (("donkey",), 2, 0, False),
        (("man", "man", "man"), 3, 1, False),
        (("ox",), 3, 1, False),
        (("horse",), 3, 1, False),
        (("donkey", "man"), 3, 1, False),
        (("man",) * 5, 5, 1, False),
        (("horse", "donkey"), 5, 1, False),
        (("man",) * 6, 6, 1, True),
        (("ox", "horse"), 6, 1, True),
        (("horse", "man", "man", "man"), 6, 1, True),
        (("donkey",) * 3, 6, 1, True),
    ],
)
def test_the_dead_weigh(kinds, weight, extra, closed):
    dead = {
        f"d{n}": {"side": "west", "class": "peasant", "kind": kind, "at": "0504", "state": "dead"}
        for n, kind in enumerate(kinds)
    }
    state = battle(units={"hob": {"side": "east", "class": "spearman", "at": "0505"}, **dead})
    hob = state.units["hob"]
    assert step.weight(RULES, state, "0504") == weight and step.weight(RULES, state, "0505") == 0
    assert step.entry_cost(RULES, state, hob, "0504") == 1 + extra
    assert step.step_cost(RULES, state, hob, "0505", "0504") == (None if closed else 1 + extra)
    assert step.can_pass(RULES, state, hob, "0505", "0504") is not closed


def test_a_horse_pays_what_the_chart_says_for_horses():
    state = battle(
        map=[". .", "t .", "s ."],
        units={"bay": {"side": "east", "class": "peasant", "kind": "horse", "at": "0101"}},
    )
    problem = step.why_not(RULES, state, state.units["bay"], "0101", "0102")
    assert problem is not None and problem.code == "movement.no-horse"
    assert step.entry_cost(RULES, state, state.units["bay"], "0103") == 2
    fence = battle(
        map=["fence ."], units={"bay": {"side": "east", "class": "peasant", "kind": "horse", "at": "0201"}}
    )
    bay = fence.units["bay"]
    assert [step.entry_cost(RULES, fence, who, "0101") for who in (bay, replace(bay, kind="man"))] == [3, 2]
    assert step.entry_cost(RULES, fence, replace(bay, kind="man", on="roan"), "0101") == 3


# --- terrain and counters, one by one


def test_between_tells_what_stands_on_a_hexside_from_both_of_its_hexes():
    state = battle(
        **{"map-sides": {"wall": {"n": "0505"}}},
        units={"hob": {"side": "east", "class": "spearman", "at": "0505"}},
    )
    assert [feature.id for feature in terrain.between(state, "0505", "0504")] == ["wall"]
    assert [feature.id for feature in terrain.between(state, "0504@top", "0505")] == ["wall"]
    assert terrain.between(state, "0505", "0506") == () and terrain.between(state, "0505", "0509") == ()
    assert terrain.melee_barred(RULES, state, "0504", "0505") and not terrain.melee_barred(
        RULES, state, "0505", "0506"
    )


@pytest.mark.parametrize(
    ("state", "effect", "option", "now"),
    [
        ("healthy", "stunned", "killed", "stunned"),
        ("healthy", "wounded", "killed", "wounded"),
        ("healthy", "killed", "killed", "dead"),
        ("stunned", "stunned", "killed", "dead"),
        ("stunned", "stunned", "no_effect", "dead"),
        ("stunned", "wounded", "killed", "dead"),
        ("stunned", "killed", "killed", "dead"),
        ("wounded", "stunned", "killed", "dead"),
        ("wounded", "stunned", "no_effect", "wounded"),
        ("wounded", "wounded", "killed", "dead"),
        ("wounded", "killed", "killed", "dead"),
    ],
)
def test_the_counter_after_each_effect(state, effect, option, now):
    rules = case_plugin.chosen(CRY_HAVOC, {"options": {"stun_on_wounded": option}})
    assert counter.after(rules, state, effect) == now
    begun = battle(units={"hob": {"side": "east", "class": "spearman", "at": "0505", "state": state}})
    play = Play(begun, "t1.east.movement", apply, NoDice())
    counter.hurt(rules, play, "hob", effect, 7, "S1.7h")
    if now == state:
        assert play.events == []
    else:
        (event,) = play.events
        assert (event.unit, event.was, event.is_, event.since, event.cause, event.rule) == (
            "hob", state, now, "t1.east.movement", 7, "S1.7h",
        )  # fmt: skip
    assert play.state.units["hob"].state == now


def test_the_dead_stay_dead_and_nothing_is_told():
    begun = battle(units={"hob": {"side": "east", "class": "spearman", "at": "0505", "state": "dead"}})
    play = Play(begun, "t1.east.movement", apply, NoDice())
    for effect in ("stunned", "wounded", "killed"):
        counter.hurt(RULES, play, "hob", effect, 0, "S1.7h")
    assert play.events == [] and play.state.units["hob"].state == "dead"


def test_a_rider_has_values_of_his_own():
    begun = battle(
        units={
            "guy": {"side": "east", "class": "rich_knight", "on": "bay"},
            "bay": {"side": "east", "class": "horse_alone", "at": "0505 0506"},
        }
    )
    guy = begun.units["guy"]
    assert counter.side_up(guy) == "mounted_healthy"
    assert character.values(RULES, begun, guy).attack == 25
    assert counter.side_up(replace(guy, state="wounded")) == "mounted_wounded"
    assert counter.side_up(replace(guy, state="stunned")) == "stunned"
