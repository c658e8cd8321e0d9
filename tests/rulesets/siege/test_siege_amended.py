"""Another game of the family is an amendment and the modules it lists: here one made of this file alone, and
cases of it played.

It has hurdles (a kind of thing that nobody walks over, that is heavy to stand behind, and that keeps arrows
off), its own cover for who lies wounded, melee read by the difference of strengths instead of by odds, and a
phase of prayer after melee.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import case_plugin
import pytest
import yaml
from msgspec.structs import replace

from pbem.core.odds import Tally
from pbem.core.play import Play
from pbem.core.problem import Problem
from pbem.core.rule import rule
from pbem.core.ruleset import Files, Ruleset
from pbem.core.sequence import NOBODY, Phase, turn_by_turn
from pbem.core.table import Grid, grid
from pbem.geometry.hex import hex_of
from pbem.rulesets.siege.combat import may_attack
from pbem.rulesets.siege.ruleset import CRY_HAVOC, SIEGE
from pbem.rulesets.siege.state import family
from pbem.rulesets.siege.state.events import StateChanged
from pbem.rulesets.siege.state.family import Covered, Kind
from pbem.rulesets.siege.state.line import Line
from pbem.rulesets.siege.state.state import HEALTHY, WOUNDED, Battle, Unit

Rules = Ruleset[Battle]
HURDLE = "hurdle"

# --- a kind of thing


def hurdles(battle: Battle) -> set[str]:
    return {hex_of(place) for thing in battle.things.values() if thing.kind == HURDLE for place in thing.at}


@rule("X1.1a")
def fills(battle: Battle, unit: Unit, there: str) -> Problem | None:
    if hex_of(there) not in hurdles(battle):
        return None
    return Problem("movement.wagon", {"unit": unit.id, "hex": there, "wagon": HURDLE}, rule="X1.1a")


@rule("X1.1b")
def keeps_arrows_off(rules: Rules, battle: Battle, target: Unit, line: Line) -> Covered:
    last = line.track.crossed[-1:]
    return ("heavy", "X1.1b") if last and last[0] in hurdles(battle) else None


@rule("X1.1c")
def hampers(rules: Rules, battle: Battle, unit: Unit) -> int:
    beside = {there for place in unit.at for there in battle.beside(place)}
    return 3 if beside & hurdles(battle) else 0


# --- another rule of cover


@rule("X1.2")
def lies_low(rules: Rules, battle: Battle, target: Unit, line: Line) -> Covered:
    return ("medium", "X1.2") if target.state == WOUNDED else None


# --- melee by difference

BY_DIFFERENCE = grid(
    "combat_difference",
    ["up to 0", "1 to 4", "from 5"],
    {1: ["C", "D", "E"], **{die: ["-", "C", "D"] for die in range(2, 10)}, 10: ["A", "-", "C"]},
    {
        "A": {"attacker": "wounded", "defender": "none", "text": "an attacker is wounded"},
        "-": {"attacker": "none", "defender": "none", "text": "nothing happens"},
        "C": {"attacker": "none", "defender": "retreat", "text": "the defenders give way"},
        "D": {"attacker": "none", "defender": "stunned", "text": "a defender is stunned"},
        "E": {"attacker": "none", "defender": "killed", "text": "a defender is killed"},
    },
)


def less(attack: int, defence: int) -> int:
    return attack - defence


def written(difference: int) -> str:
    return f"{difference:+d}"


@rule("X1.3")
def tally(
    rules: Rules,
    battle: Battle,
    attackers: Sequence[Unit],
    defenders: Sequence[Unit],
    attack: int,
    defence: int,
) -> Tally:
    return Tally(attack - defence, f"{attack} less {defence} is {written(attack - defence)}")


def table(rules: Rules, defenders: Sequence[Unit]) -> Grid:
    return BY_DIFFERENCE


def column(table: Grid, difference: int) -> str:
    return table.columns[0 if difference <= 0 else 1 if difference < 5 else 2]


# --- a phase more

VESPERS = Phase("vespers", "", NOBODY, "Vespers")


@rule("X1.4")
def pray(rules: Rules, play: Play[Battle], files: Files) -> None:
    """A wounded figure of the active side is healed by a face of 1 to 3."""
    for id_, unit in sorted(play.state.units.items()):
        if (
            unit.state == WOUNDED
            and unit.side == play.state.at.side
            and play.roll(f"prayer/{id_}", 10)[0] <= 3
        ):
            play.happen(StateChanged(id_, WOUNDED, HEALTHY, str(play.state.at), rule="X1.4"))


# --- the game


def with_prayers(rules: Rules) -> Rules:
    phases = list(rules.sequence.phases)
    phases.insert([phase.id for phase in phases].index(family.phases(rules).fights) + 1, VESPERS)
    return rules.amend(sequence=turn_by_turn(*phases), steps={**rules.steps, VESPERS.id: pray})


def priory(rules: Rules) -> Rules:
    """Return the game made of all of this."""
    of = family.of(rules)
    return family.varied(
        with_prayers(rules),
        kinds={**of.kinds, HURDLE: Kind("works")},
        steps=replace(of.steps, fills=(*of.steps.fills, fills), burdens=(*of.steps.burdens, hampers)),
        shots=replace(of.shots, gives=(*of.shots.gives, keeps_arrows_off, lies_low)),
        melee=replace(
            of.melee,
            groups=tuple(asked for asked in of.melee.groups if asked is not may_attack.below_one),
            odds=less,
            written=written,
            tally=tally,
            table=table,
            column=column,
        ),
    ).amend(id="priory", title="The priory")


PRIORY = priory(CRY_HAVOC)

CASES = """
- name: nobody walks over a hurdle
  given: {things: [{id: h1, kind: hurdle, at: 0504}], units: {hob: {side: east, class: sergeant, at: 0505}}, at: t1.east.movement}
  orders: {east: "move:\\n- hob to 0504"}
  check: [movement.wagon X1.1a]
  never: [{type: Moved}]
- name: nor does anybody give way over it
  given:
    things: [{id: h1, kind: hurdle, at: 0503}]
    units: {hob: {side: east, class: sergeant, at: 0505, attack: 9}, wulf: {side: west, class: peasant, at: 0504, defence: 6}}
    at: t1.east.melee
  orders: {east: "fight:\\n- hob attacks wulf"}
  dice: {fight/wulf/1: 5}
  answers: {}
  events: [{type: Retreated, unit: wulf, path: [0504, 0603]}]
- name: who stands beside a hurdle has three points less
  given:
    things: [{id: h1, kind: hurdle, at: 0504}]
    units: {hob: {side: east, class: sergeant, at: 0505, move: 6}}
    at: t1.east.movement
  orders: {east: "move:\\n- hob by 0506 0507 0508 0509"}
  check: [movement.too-far S1.6b]
  events: [{type: Moved, unit: hob, path: [0505, 0506, 0507, 0508], of: 3}]
- name: behind a hurdle one has heavy cover
  given:
    things: [{id: h1, kind: hurdle, at: 0104}]
    units: {alric: {side: east, class: shortbowman, at: 0101}, wulf: {side: west, class: spearman, at: 0105}}
    at: t1.east.first_missile
  orders: {east: "shoot:\\n- alric at wulf"}
  dice: {shoot/alric: 10}
  events: [{type: Shot, cover: heavy, cover_rule: X1.1b}]
- name: who is wounded lies low
  given:
    units: {alric: {side: east, class: shortbowman, at: 0101}, wulf: {side: west, class: spearman, at: 0105, state: wounded}}
    at: t1.east.first_missile
  orders: {east: "shoot:\\n- alric at wulf"}
  dice: {shoot/alric: 10}
  events: [{type: Shot, cover: medium, cover_rule: X1.2}]
- name: melee is read by the difference, and the weaker may attack too
  given:
    units: {hob: {side: east, class: sergeant, at: 0505, attack: 4}, wulf: {side: west, class: peasant, at: 0504, defence: 6}}
    at: t1.east.melee
  orders: {east: "fight:\\n- hob attacks wulf"}
  dice: {fight/wulf/1: 10}
  check: []
  events: [{type: Rolled, table: combat_difference, column: up to 0}, {type: Fought, odds: '-2', result: A}]
  state: {hob: {state: wounded}}
- name: a phase of prayer follows melee, and recovery follows that
  given:
    units: {hob: {side: east, class: sergeant, at: 0505, state: wounded}, wulf: {side: west, class: peasant, at: 0101, state: wounded}}
    at: t3.east.melee
  orders: {east: "turn: t3"}
  through: vespers
  dice: {prayer/hob: 3}
  events: [{type: StateChanged, unit: hob, is: healthy, rule: X1.4}]
  state: {hob: {state: healthy}, wulf: {state: wounded}}
  then: t3.east.recovery
"""
FOUND: list[dict[str, Any]] = yaml.load(CASES, case_plugin._Loader)


@pytest.mark.parametrize("case", FOUND, ids=lambda case: case["name"])
def test_a_game_made_outside_the_package_plays(case):
    case_plugin.run(case, PRIORY)


@pytest.mark.parametrize(
    "case", [case for case in FOUND if "through" not in case], ids=lambda case: case["name"]
)
def test_the_game_that_it_was_made_of_knows_nothing_of_it(case):
    with pytest.raises(case_plugin.CaseError):
        case_plugin.run(case, CRY_HAVOC)


def test_an_amendment_leaves_what_it_amends_as_it_was():
    assert HURDLE not in family.of(CRY_HAVOC).kinds
    assert family.of(PRIORY).kinds.keys() - family.of(CRY_HAVOC).kinds.keys() == {HURDLE}
    assert family.of(SIEGE) is family.of(CRY_HAVOC)
    assert VESPERS not in CRY_HAVOC.sequence.phases


def test_a_kind_of_thing_that_was_added_is_known_to_scenarios_and_states():
    given = {
        "things": [{"id": "h1", "kind": HURDLE, "at": "0504"}],
        "units": {"hob": {"side": "east", "class": "sergeant", "at": "0505"}},
    }
    battle = case_plugin.battle_of(PRIORY, given)
    plain = PRIORY.interface.state_to_plain(PRIORY, battle)
    assert PRIORY.interface.state_from_plain(PRIORY, battle.field, plain).things == battle.things
    with pytest.raises(ValueError, match="a hurdle, which this game does not have"):
        CRY_HAVOC.interface.state_from_plain(
            CRY_HAVOC, battle.field, {**plain, "ruleset": {"id": "cry_havoc", "revision": 1}}
        )
