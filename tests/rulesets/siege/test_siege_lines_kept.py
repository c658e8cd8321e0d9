"""What is kept of lines changes no answer: a castle where walls fall, towers roll and figures walk about is seen as by
somebody who remembers nothing, and by any parts as if all 169 lines were asked.
"""

from __future__ import annotations

import random
from itertools import product

import case_plugin
import pytest
from msgspec.structs import replace

from pbem.core.problem import Problem
from pbem.geometry import sight
from pbem.geometry.hex import beside, distance, neighbours
from pbem.rulesets.siege.combat import aiming
from pbem.rulesets.siege.sight import any_part, cover, crests, lines, near, ways
from pbem.rulesets.siege.state.line import Aim
from pbem.rulesets.siege.state.state import Battle, Feature

MEN = {f"man{number}": at for number, at in enumerate(["0306", "0504", "0607", "0711", "0906", "1107"])}
TOWERS = ["0607 0608 0707", "0407 0408 0507"]
OVER_WALLS = [
    ("0607@top", "1206"),
    ("1207", "0607@top"),
    ("0503", "0107"),
    ("0607@top", "0104"),
    ("0810", "0805"),
]
"""Pairs of places with walls or towers between them that do not hide the one from the other."""
RUBBLE = ["", "0604", "0604 0905", "0905"]


def laid(land: str = "siege-works", thing: str = TOWERS[0], **options: str):
    given = {
        "at": "t1.east.first_missile",
        "map": {"file": land},
        "units": {
            "ann": {"side": "east", "class": "crossbowman", "at": "0101"},
            "ben": {"side": "west", "class": "longbowman", "at": "0102"},
            **(
                {id_: {"side": "west", "class": "spearman", "at": at} for id_, at in MEN.items()}
                if thing
                else {}
            ),
        },
        "options": options,
        "things": [{"id": "tower1", "kind": "siege-tower", "side": "east", "at": thing}] if thing else [],
    }
    rules = case_plugin.chosen(case_plugin.full_rules(), given)
    return rules, case_plugin.battle_of(rules, given)


def said(found: Aim | Problem) -> tuple[object, ...]:
    if isinstance(found, Problem):
        return found.code, found.rule, tuple(sorted(found.args.items()))
    return found.line.track.start, found.line.track.end, found.line.met, found.cover, found.cover_rule


def unremembered(battle: Battle) -> Battle:
    return battle.changed(field=replace(battle.field))


@pytest.mark.parametrize("options", [{}, {"line_of_fire": "any_part"}], ids=["centre", "any"])
def test_what_is_kept_while_walls_fall_is_what_is_seen_anew(options: dict[str, str]) -> None:
    rules, first = laid(**options)
    moved = replace(first.things["tower1"], at=tuple(TOWERS[1].split()))
    dice = random.Random(3)
    places = [hex_ for hex_ in first.field.ground if hex_ not in MEN.values()]
    pairs = [tuple(dice.sample(places, 2)) for _ in range(40 if not options else 14)]
    kept = 0
    for rubble, tower in product(RUBBLE, (first.things["tower1"], moved)):
        features = {(hex_, "rubble"): Feature(hex_, "rubble") for hex_ in rubble.split()}
        battle = first.changed(features=features, things={"tower1": tower})
        for a, b in pairs:
            ann, ben = replace(first.units["ann"], at=(a,)), replace(first.units["ben"], at=(b,))
            now = battle.with_units(ann, ben)
            fresh = unremembered(battle).with_units(ann, ben)
            assert said(aiming.aim(rules, now, ann, ben)) == said(aiming.aim(rules, fresh, ann, ben)), (a, b)
            unasked = unremembered(battle).with_units(ann, ben)
            for asked in (now, unasked):
                assert [one.id for one, _ in aiming.targets(rules, asked, ann, [ben])] == [
                    "ben" for found in [aiming.aim(rules, fresh, ann, ben)] if isinstance(found, Aim)
                ]
    variants = near.of_rules(rules, first, "lines of any part" if options else "rays")
    kept = sum(len(row) for row in variants.values())
    assert len(variants) <= kept < 4 * len(pairs), "most lines know nothing of what fell"


@pytest.mark.parametrize(
    ("land", "edge"),
    [("siege-works", "either_hex_blocks"), ("siege-works", "both_hexes_block"), ("", "either_hex_blocks"),
     ("", "both_hexes_block")],
)  # fmt: skip
def test_the_first_free_line_of_any_part_is_that_of_all_169(
    land: str, edge: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = {"line_of_fire": "any_part", "line_on_hex_edge": edge}
    rules, battle = laid(land, **options) if land else hills(**options)
    slow = unremembered(battle)
    dice = random.Random(7)
    free = 0
    places = [hex_ for hex_ in battle.field.ground if hex_ not in battle.living_in]
    for _ in range(12):
        ann, ben = (replace(battle.units[id_], at=(dice.choice(places),)) for id_ in ("ann", "ben"))
        found = aiming.aim(rules, battle.with_units(ann, ben), ann, ben)
        with monkeypatch.context() as all_:
            all_.setattr(lines, "open_lines", lambda *given: lines.lines(*given[:-1]))
            all_.setattr(lines, "keeps_rays", lambda rules: False)
            assert said(found) == said(aiming.aim(rules, slow.with_units(ann, ben), ann, ben)), (
                ann.at,
                ben.at,
            )
        free += isinstance(found, Aim)
    assert 0 < free < 12


def test_no_line_is_passed_over_that_is_free() -> None:
    rules, battle = laid(line_of_fire="any_part")
    passed = free = 0
    for a, b in OVER_WALLS:
        ann, ben = replace(battle.units["ann"], at=(a,)), replace(battle.units["ben"], at=(b,))
        now = battle.with_units(ann, ben)
        every = [line for line in lines.lines(rules, now, ann, ben) if is_free(rules, now, ann, ben, line)]
        left = [
            line for line in lines.open_lines(rules, now, ann, ben) if is_free(rules, now, ann, ben, line)
        ]
        assert [line.track for line in left] == [line.track for line in every], (ann.at, ben.at)
        passed += len(list(lines.lines(rules, now, ann, ben))) - len(
            list(lines.open_lines(rules, now, ann, ben))
        )
        free += len(every)
    assert passed > 0
    assert free > 100


def is_free(rules, battle: Battle, ann, ben, line) -> bool:
    class_, _ = cover.cover(rules, battle, ann, ben, line)
    return aiming.barred(rules, battle, ann, ben, line, "short", class_) is None


@pytest.mark.parametrize("edge", ["either_hex_blocks", "both_hexes_block"])
def test_a_crest_bars_of_all_169_lines_those_that_it_bars_one_by_one(edge: str) -> None:
    rules, battle = hills(line_of_fire="any_part", line_on_hex_edge=edge)
    edges = sorted(key for key, found in battle.field.sides_of_hexes.items() if found[0].kind == crests.CREST)
    dice = random.Random(4)
    seen = set()
    for _ in range(5):
        near = beside(dice.choice(edges))[0]
        far = dice.choice([hex_ for hex_ in battle.field.ground if 2 < distance(near, hex_) < 7])
        ann, ben = (replace(battle.units[id_], at=(at,)) for id_, at in (("ann", near), ("ben", far)))
        barred = crests.barred(rules, battle, near, far)
        one_by_one = [
            crests.why_not(rules, battle, ann, ben, line) is not None
            for line in lines.lines(rules, battle.with_units(ann, ben), ann, ben)
        ]
        assert list(barred) == one_by_one, (near, far)
        seen |= {*barred}
    assert seen == {True, False}


def hills(**options: str):
    """Windle Hill with nobody but two archers on it."""
    from pbem.referee.game.scenario import find_scenario, judge

    ground = judge(find_scenario("windle-hill"), options)[1]
    _, battle = laid("siege-works", **options)
    person = next(iter(battle.field.people.values()))
    field = replace(ground.field, people={**ground.field.people, **battle.field.people, person.id: person})
    units = {id_: battle.units[id_] for id_ in ("ann", "ben")}
    return ground.rules, Battle(field, battle.at, units)


def test_a_line_on_the_level_is_told_as_by_the_rules_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    rules, battle = hills()
    crowd = dict(laid()[1].units)
    ground = [hex_ for hex_ in battle.field.ground if distance(hex_, "1409") < 6]
    dice, told = random.Random(11), set()
    for round_ in range(60):
        burns = {(hex_, "fire"): Feature(hex_, "fire") for hex_ in ground[: round_ % 2]}
        places = dice.sample(ground, len(crowd))
        units = {id_: replace(crowd[id_], at=(at,)) for id_, at in zip(crowd, places, strict=True)}
        now = battle.changed(units=units, features=burns)
        for one, other in (("ann", "ben"), ("ben", "ann"), ("ann", "man1"), ("ann", "man2")):
            found = aiming.aim(rules, now, units[one], units[other])
            with monkeypatch.context() as slow:
                slow.setattr(ways, "on_the_level", lambda *given: None)
                anew = unremembered(now)
                assert said(found) == said(aiming.aim(rules, anew, units[one], units[other])), places
            told.add(found.code if isinstance(found, Problem) else found.cover)
    assert len(told) > 4, told
    assert ways.on_the_level(rules, battle, units["ann"], units["ben"]) is not None


def test_lines_are_not_kept_where_another_package_says_what_shots_meet() -> None:
    rules, battle = laid()
    assert any_part.known(rules)
    from pbem.rulesets.siege.state import family

    def mist(rules, battle, target, line):
        return None

    of = family.of(rules)
    shots = replace(of.shots, gives=(*of.shots.gives, mist))
    amended = family.varied(rules, shots=shots)
    assert not any_part.known(amended)
    ann, ben = (replace(battle.units[id_], at=(at,)) for id_, at in (("ann", "0404"), ("ben", "0408")))
    aiming.aim(amended, battle.with_units(ann, ben), ann, ben)
    assert near.of_rules(amended, battle, "rays") is None


@pytest.mark.parametrize("options", [{}, {"line_of_fire": "any_part"}], ids=["centre", "any"])
def test_what_is_recalled_while_figures_walk_and_fall_is_what_is_seen_anew(options: dict[str, str]) -> None:
    rules, battle = laid(**options)
    dice = random.Random(5)
    shooters = {"ann": "0404", "ben": "0607@top", "man0": "0809"}
    battle = battle.with_units(*(replace(battle.units[id_], at=(at,)) for id_, at in shooters.items()))
    archer = battle.field.people[battle.units["ben"].person]
    field = replace(battle.field, people={**battle.field.people, battle.units["man0"].person: archer})
    battle = battle.changed(field=field)
    asked: list[object] = []
    aimed = aiming._aimed
    for step in range(24 if not options else 10):
        unit = battle.units[dice.choice(sorted(battle.units))]
        there = dice.choice([hex_ for hex_ in battle.beside(unit.at[0]) if hex_ in battle.field.ground])
        after = dice.choice(
            [
                replace(unit, at=(there,)),
                replace(unit, at=(there,), state="stunned"),
                replace(unit, did=("moved",)),
                replace(unit, side="west" if unit.side == "east" else "east"),
            ]
        )
        battle = battle.with_units(after)
        if step % 5 == 4:
            hex_ = dice.choice(RUBBLE[1:]).split()[0]
            battle = battle.changed(features={(hex_, "rubble"): Feature(hex_, "rubble")})
        fresh = unremembered(battle)
        for a, b in product(map(battle.units.__getitem__, shooters), battle.units.values()):
            with pytest.MonkeyPatch.context() as counted:
                counted.setattr(aiming, "_aimed", lambda *given: asked.append(given) or aimed(*given))
                found = aiming.aim(rules, battle, a, b)
            assert said(found) == said(aiming.aim(rules, fresh, a, b)), (step, a.id, b.id)
    pairs = len(shooters) * len(battle.units)
    assert pairs < len(asked) < (step + 1) * pairs * 2 / 3, "most of it is recalled"


def test_where_nobody_shoots_is_asked_again_when_what_bars_it_falls_or_is_filled() -> None:
    rules, battle = laid("corvenstone", thing="")
    ground, dice = battle.field.ground, random.Random(1)
    moat = [hex_ for hex_ in ground if "moat" in ground[hex_].traits]
    banks = [hex_ for hex_ in ground if hex_ not in moat and len({*neighbours(hex_)} & {*moat}) == 1]
    walls = [hex_ for hex_ in ground if ground[hex_].floor in ("walk", "tower", "keep")]
    pairs = [(dice.choice(walls), dice.choice(moat + walls)) for _ in range(40)]
    pairs += [(dice.choice(banks), dice.choice(moat)) for _ in range(30)]
    features: dict[tuple[str, str], Feature] = {}
    free = 0
    for _ in range(30):
        here, there = dice.choice(pairs)
        crossed = sight.between(here, there).crossed
        works = [(one, "filled") for one in neighbours(here) if one in moat]
        works += [(one, "rubble") for one in (here, *crossed, there) if one in walls]
        work = dice.choice(works or [(dice.choice(walls), "rubble")])
        left = {key: one for key, one in [*features.items()][-7:] if key != work}
        features = left if work in features else {**left, work: Feature(*work)}
        battle = battle.changed(features=features)
        fresh = unremembered(battle)
        for here, there in pairs:
            ann, ben = replace(battle.units["ann"], at=(here,)), replace(battle.units["ben"], at=(there,))
            kept, anew = (
                [aimed for _, aimed in aiming.targets(rules, one.with_units(ann, ben), ann, [ben])]
                for one in (battle, fresh)
            )
            assert [said(one) for one in kept] == [said(one) for one in anew], (here, there, features)
            free += len(anew)
    assert 0 < free < 30 * len(pairs)
