"""One more of each kind of thing that CONTRIBUTING tells how to add: a row or an entry is enough, and the game
plays with it.

Other kinds have files of their own: deeds ``test_siege_deed_added``, things, policies and phases
``test_siege_amended``.
"""

from __future__ import annotations

from typing import Any

import case_plugin
import pytest
import yaml
from msgspec.structs import replace

from pbem.core.odds import Modifier
from pbem.core.rule import rule
from pbem.core.ruleset import Option, Ruleset
from pbem.rulesets.siege.deeds import schemas
from pbem.rulesets.siege.ground.terrain import Nature
from pbem.rulesets.siege.ruleset import CRY_HAVOC
from pbem.rulesets.siege.state import family
from pbem.rulesets.siege.state.family import FeatureKind
from pbem.rulesets.siege.state.happening import Event
from pbem.rulesets.siege.state.state import Battle
from pbem.store import library
from pbem.text import shape
from pbem.text.teller import Teller
from pbem.text.words import Words

Rules = Ruleset[Battle]


def with_row(rules: Rules, table: str, id_: str, like: str, **other: Any) -> Rules:
    """Return rules of which a table has a row more, like another of its rows."""
    rows = rules.tables[table]["rows"]
    return rules.amend(
        tables={
            **rules.tables,
            table: {**rules.tables[table], "rows": {**rows, id_: {**rows[like], "id": id_, **other}}},
        }
    )


def plays(rules: Rules, text: str) -> None:
    """Play a case with these rules; and see it fail with those that lack what was added."""
    case = yaml.load(text, case_plugin._Loader)
    case_plugin.run({"name": "added", **case}, rules)
    with pytest.raises((case_plugin.CaseError, KeyError)):
        case_plugin.run({"name": "added", **case}, CRY_HAVOC)


def test_a_ground_is_a_row_of_a_chart() -> None:
    bog = with_row(
        CRY_HAVOC, "terrain_cry_havoc", "bog", "scrub", title="bog", mp_foot=3, mp_horse=None, cover="none"
    )
    plays(
        bog,
        """
given:
  map: [". . .", "b . .", ". . ."]
  key: {b: bog}
  units: {hob: {side: east, class: sergeant, at: 0101, move: 4}}
  at: t1.east.movement
orders: {east: "move:\\n- hob by 0102 0103"}
check: []
events: [{type: Moved, unit: hob, path: [0101, 0102, 0103]}]
""",
    )
    plays(
        bog,
        """
given:
  map: [". . .", "b . .", ". . ."]
  key: {b: bog}
  units: {hob: {side: east, class: sergeant, at: 0101, move: 3}}
  at: t1.east.movement
orders: {east: "move:\\n- hob by 0102 0103"}
check: [movement.too-far S1.6b]
""",
    )


def test_what_rules_ask_of_a_ground_beside_its_numbers_is_its_nature() -> None:
    marsh = with_row(CRY_HAVOC, "terrain_cry_havoc", "marsh", "scrub", title="marsh")
    of = family.of(marsh)
    traits = next(nature.traits for nature in of.natures.values() if nature.traits)
    marsh = family.varied(marsh, natures={**of.natures, "marsh": Nature(traits)})
    part, problems = case_plugin.maps.read_map(
        marsh, case_plugin.map_data({"map": [". m", ". ."], "key": {"m": "marsh"}})
    )
    assert problems == []
    assert part is not None
    assert next(ground.traits for ground in part.ground.values() if ground.id == "marsh") == traits


def test_a_feature_of_hexsides_is_a_row() -> None:
    plays(
        with_row(CRY_HAVOC, "sides", "ditch", "hedge", title="ditch", cost=2),
        """
given:
  map: [". .", ". .", ". ."]
  map-sides: {ditch: {s: 0101}}
  units: {hob: {side: east, class: sergeant, at: 0101, move: 3}}
  at: t1.east.movement
orders: {east: "move:\\n- hob by 0102 0103"}
check: [movement.too-far S1.6b]
""",
    )


def test_a_person_is_a_row_of_the_roster() -> None:
    roster = CRY_HAVOC.tables["roster"]
    like = roster["class_defaults"]["sergeant"]
    slow = {**like, "states": {**like["states"], "healthy": [*like["states"]["healthy"][:2], 1]}}
    giant = CRY_HAVOC.amend(
        tables={
            **CRY_HAVOC.tables,
            "roster": {**roster, "class_defaults": {**roster["class_defaults"], "giant": slow}},
        }
    )
    plays(
        giant,
        """
given:
  units: {hob: {side: east, class: giant, at: 0202}}
  at: t1.east.movement
orders: {east: "move:\\n- hob by 0203 0204"}
check: [movement.too-far S1.6b]
""",
    )


@rule("X2.1")
def dusk(rules: Rules, *asked: Any) -> Modifier | None:
    """Add one to the die where the option has it dark."""
    return Modifier("X2.1", "dusk", 1) if rules.setting("light") == "dusk" else None


def test_an_option_is_an_entry_and_a_modifier_a_function_and_a_line() -> None:
    light: Option[Battle] = Option(("noon", "dusk"), ("X2.1",), "how light it is")
    dark = CRY_HAVOC.amend(
        options={**CRY_HAVOC.options, "light": light},
        modifiers={**CRY_HAVOC.modifiers, "shot": (*CRY_HAVOC.modifiers["shot"], dusk)},
    )
    plays(
        dark,
        """
given:
  units:
    alric: {side: east, class: shortbowman, at: 0101}
    wulf: {side: west, class: spearman, at: 0105}
  at: t1.east.first_missile
  options: {light: dusk}
orders: {east: "shoot:\\n- alric at wulf"}
dice: {shoot/alric: 5}
events: [{type: Rolled, row: '6', tally: [{rule: X2.1, label: dusk, shift: '1'}]}]
""",
    )


def test_what_happens_to_a_hex_is_an_entry() -> None:
    of = family.of(CRY_HAVOC)
    flooded = family.varied(CRY_HAVOC, features={**of.features, "flood": FeatureKind("moat")})
    plays(
        flooded,
        """
given:
  features: [{at: 0102, is: flood}]
  units: {hob: {side: east, class: sergeant, at: 0101}, ned: {side: west, class: sergeant, at: 0909}}
  at: t1.east.movement
orders: {east: "move:\\n- hob by 0102 0103"}
events: [{type: Moved, unit: hob, path: [0101, 0102, 0103], cost: '5'}]
""",
    )


class Sang(Event, frozen=True):
    """Somebody sang."""

    unit: str
    """Who sang."""
    rule: str

    def applied(self, battle: Battle) -> Battle:
        """Return the battle with it noted that he did something."""
        unit = battle.units[self.unit]
        return battle.changed(units={**battle.units, unit.id: replace(unit, did=("sing",))})


def test_an_event_is_a_class_and_a_sentence() -> None:
    singing = CRY_HAVOC.amend(events={**CRY_HAVOC.events, "Sang": Sang})
    battle = case_plugin.battle_of(
        singing, yaml.load("units: {hob: {side: east, class: sergeant, at: 0101}}", case_plugin._Loader)
    )
    after = singing.interface.apply(battle, Sang("hob", "X2.2"))
    assert after.units["hob"].did == ("sing",)

    plain = singing.interface.event_to_plain(Sang("hob", "X2.2"))
    assert plain == {"type": "Sang", "unit": "hob", "rule": "X2.2"}
    form = shape.load(schemas.made(singing, library.schema("orders"))["events"])
    event = {"n": "1", "phase": "t1.east.movement", **plain}
    assert form.check(event) == []
    assert [problem.code for problem in form.check({**event, "tune": "x"})] == ["schema.unknown-key"]

    words = Words({"events": {"Sang": "{unit} sings."}, "phrases": {}, "problems": {}})
    assert Teller(words, {"hob": "Hob"}, {}).sentence(plain) == "Hob sings."
    assert Sang.__name__ not in CRY_HAVOC.events
