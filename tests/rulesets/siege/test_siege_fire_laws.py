"""The two laws of legal orders in a camp with tents, a ballista and fires; and what a fire never does,
whoever stands where.
"""

from __future__ import annotations

from typing import Any

import pytest
from boards import Laid, boards
from every_sentence import sentences
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from skirmish import GROUNDS, TABLES
from test_siege_legal_laws import SECTIONS, checked, is_listed, key, sound
from thorough import deeper, tries

from pbem.core.dice import Dice
from pbem.core.play import Play
from pbem.core.ruleset import choose
from pbem.geometry.hex import around, hex_of
from pbem.rulesets.siege.ground import character, flames
from pbem.rulesets.siege.orders import grammar
from pbem.rulesets.siege.ruleset import CRY_HAVOC
from pbem.rulesets.siege.state.happening import apply
from pbem.rulesets.siege.state.orders import FireEngine, Order, Shoot
from pbem.rulesets.siege.state.state import Battle, Feature, Thing
from pbem.rulesets.siege.things import burning

PHASES = ("first_missile", "second_archery", "melee")
MODULES = ("open-ground", "houses", "riders", "wagons", "camp", "wagons-oil")
SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example]
LAWS = settings(max_examples=tries(5, 60), deadline=None, suppress_health_check=SLOW)


@st.composite
def camps(draw: st.DrawFn, phase: str) -> Laid:
    """Draw a board with tents on it, most often a ballista, and fires; some have stood beside what could
    burn.
    """
    laid = draw(boards(phase))
    burns = {
        "flammable_objects": draw(
            st.sampled_from(("tents_and_engines", "tents_engines_wagons_mantlets_ladders"))
        )
    }
    rules, _ = choose(CRY_HAVOC, MODULES, {**laid.rules.settings, **burns})
    assert rules is not None
    battle = laid.battle
    hexes = list(battle.field.ground)
    held = {hex_ for unit in battle.units.values() for hex_ in unit.hexes}
    mounted = {hex_ for unit in battle.units.values() if unit.kind != "man" or unit.on for hex_ in unit.hexes}
    tents = [hex_ for hex_ in hexes if draw(st.integers(0, 3)) == 3 and hex_ not in mounted]
    field = replace(
        battle.field, ground={**battle.field.ground, **dict.fromkeys(tents, GROUNDS["tent"])}, grounds=GROUNDS
    )
    things = {}
    if free := [hex_ for hex_ in hexes if hex_ not in held]:
        where, loaded = draw(st.sampled_from(free)), draw(st.integers(0, 3))
        things["ballista1"] = Thing(
            "ballista1",
            "ballista",
            (where,),
            loaded=loaded,
            side=draw(st.sampled_from(("east", "east", "west"))),
        )
    burning_ = [hex_ for hex_ in (*tents, *(thing.at[0] for thing in things.values())) if draw(st.booleans())]
    features = {
        (hex_, "fire"): Feature(hex_, "fire", turns=draw(st.integers(1, 3)), lit_by="west")
        for hex_ in burning_
    }
    people = dict(battle.field.people)
    for name in ("ann", "cat"):
        if battle.units[name].kind == "man" and not battle.units[name].on and draw(st.booleans()):
            people[name] = character.of_class(TABLES, "technician", name)
    battle = Battle(replace(field, people=people), battle.at, battle.units, things, features)
    near = (unit for unit in battle.units.values() if unit.at and draw(st.booleans()))
    stood = {
        unit.id: tuple(hex_ for hex_ in around(unit.hexes) if flames.kindling(rules, battle, hex_))
        for unit in near
    }
    stands = ((battle.units[id_], found) for id_, found in stood.items() if found)
    return Laid(
        rules, battle.with_units(*(replace(unit, stood=(unit.at[0], *found)) for unit, found in stands))
    )


def is_listed_here(battle: Battle, listed: set[Any], order: Order) -> bool:
    """Tell whether an order is listed, or what it comes to: at a figure fire arrows are arrows, and an engine
    is shot at in a hex.
    """
    match order:
        case Shoot(who, (target,), fire=True) if target in battle.things:
            return any(
                Shoot(who, (hex_of(place),), fire=True) in listed for place in battle.things[target].at
            )
        case Shoot(who, (target,), fire=True) if order not in listed:
            return is_listed(battle, listed, Shoot(who, (target,)))
        case _:
            return is_listed(battle, listed, order)


@deeper
@pytest.mark.parametrize("phase", PHASES)
def test_what_is_listed_passes_and_what_passes_is_listed(phase: str) -> None:
    @LAWS
    @given(camps(phase))
    def law(laid: Laid) -> None:
        rules, battle = laid
        listed = {key(order) for order in sound(rules, battle)}
        for sentence in sentences(rules, battle, SECTIONS[phase]):
            order, problems = checked(rules, battle, sentence)
            if not problems and order is not None:
                assert is_listed_here(battle, listed, order), sentence

    law()


class _Faces:
    """Dice that show what hypothesis drew."""

    def __init__(self, faces: list[int]) -> None:
        self.faces = faces

    def values(self, label: str, sides: int, count: int) -> tuple[int, ...]:
        """Return the next faces."""
        return tuple(1 + self.faces.pop() % sides if self.faces else 1 for _ in range(count))


@deeper
@settings(max_examples=tries(20, 200), deadline=None, suppress_health_check=SLOW)
@given(camps("melee"), st.lists(st.integers(0, 9), max_size=30), st.sampled_from(("east", "west")))
def test_what_holds_at_the_end_of_every_player_turn(laid: Laid, faces: list[int], side: str) -> None:
    rules, battle = laid
    battle = battle.changed(at=replace(battle.at, phase="recovery", side=side))
    dice: Dice = _Faces(faces)
    play = Play(battle, str(battle.at), apply, dice)
    burning.burn(rules, play)
    after = play.state
    last = rules.tables["fire"]["burning"]["turns_to_destroy"]
    for fire in flames.fires(after):
        before = battle.features.get((fire.at, "fire"))
        assert flames.kindling(rules, after, fire.at)
        assert 1 <= fire.turns <= last
        assert fire.turns - (before.turns if before else 0) in (0, 1)
    for hex_, ids in after.living_in.items():
        assert len(ids) == 1, hex_
        if flames.burns(after, hex_) and not flames.burns(battle, hex_):
            for id_ in ids:
                assert not burning.exits(rules, after, after.units[id_]), "who can leave has left"
    for (hex_, is_), _ in after.features.items():
        assert is_ != "burnt" or not flames.burns(after, hex_)


@pytest.mark.parametrize(
    ("order", "said"),
    [
        (Shoot("alric", ("0405",), fire=True), "alric at 0405 with fire"),
        (FireEngine("bran", "ballista1", ("wulf", "nearest")), "bran fires ballista1 at wulf or nearest"),
    ],
)
def test_orders_of_a_camp_are_said_as_they_are_read(order: Order, said: str) -> None:
    assert grammar.say(CRY_HAVOC, order) == said
    assert grammar.read(CRY_HAVOC, "shoot", said) == order
