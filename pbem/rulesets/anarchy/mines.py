"""The module ``mining``: what a scenario says of its mines, and what of the rules is otherwise then."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from msgspec.structs import replace

from pbem.core.briefing import Chapter, Said
from pbem.core.problem import Problem
from pbem.core.ruleset import Ruleset
from pbem.core.sequence import Cursor
from pbem.rulesets.anarchy import mining, mining_days
from pbem.rulesets.anarchy.hidden_scenario import besides
from pbem.rulesets.siege.scenario.scenario_file import names_of, word
from pbem.rulesets.siege.state.field import Field, Gear
from pbem.rulesets.siege.state.state import Battle, Thing
from pbem.rulesets.siege.things import battering

Rules = Ruleset[Battle]
MODULE: Final = mining.MODULE
KEY: Final = "mines"
"""Key of a scenario: ``mines: [{id: mole, side: west, shaft: 0712 0713, at: 0812}]``; who besieges digs from
a penthouse if no shaft is named.
"""
KEYS: Final = ("id", "side", "shaft", "at")


def with_mines(rules: Rules) -> Rules:
    """Return the rules with mines."""
    asked = rules.interface
    return mining_days.with_mining(rules).amend(
        interface=replace(asked, read_field=reading(asked.read_field), primer=told(asked.primer))
    )


def reading(inner: Callable[..., tuple[Any, ...]]) -> Callable[..., tuple[Any, ...]]:
    """Return what reads a scenario, and of it the mines."""

    def add(rules: Rules, field: Field, said: object) -> tuple[Field, list[Problem]]:
        gear, problems = dug(rules, field, said)
        return replace(field, gear=(*field.gear, *gear)), problems

    return besides(inner, KEY, add)


def told(inner: Callable[..., Sequence[Chapter]]) -> Callable[..., Sequence[Chapter]]:
    """Return what explains the rules, with a chapter on mines."""

    def primer(rules: Rules, battle: Battle) -> Sequence[Chapter]:
        if not mining.mines(battle):
            return inner(rules, battle)
        more = int(rules.tables["initiative"]["besieger"])
        needs = rules.tables["mine_collapse"]["needs"]
        said = (
            Said("primer.mines-day", {"more": more}),
            Said("primer.mines-dig"),
            Said("primer.mines-room"),
            Said("primer.mines-fight"),
            Said("primer.mines-fire", {"part": f"{needs['part']} of {needs['of']}"}),
        )
        return (*inner(rules, battle), Chapter(Said("primer.mines-title"), said))

    return primer


def dug(rules: Rules, field: Field, said: object) -> tuple[list[Gear], list[Problem]]:
    """Return the mines and shafts of a scenario, and what is wrong with them."""
    gear: list[Gear] = []
    problems: list[Problem] = []
    if said is None:
        return gear, problems
    if not isinstance(said, list | tuple) or not all(isinstance(one, Mapping) for one in said):
        return gear, [Problem("scenario.mines", {}, (KEY,), help=_FORM)]
    for index, one in enumerate(said):
        here = list(_wrong(rules, field, one))
        problems += [problem.at(KEY, index) for problem in here]
        if not here:
            id_, side = word(one["id"]), word(one["side"])
            gear.append(Gear(Thing(id_, mining.MINE, _hexes(one.get("at")), side=side), built=True))
            if shaft := _hexes(one.get("shaft")):
                thing = Thing(f"{id_}-{mining.SHAFT}", mining.SHAFT, shaft, side=side)
                gear.append(Gear(thing, built=True))
    return gear, problems


_FORM: Final = "such as  mines: [{id: mole, side: west, shaft: 0712 0713}]"


def _hexes(said: object) -> tuple[str, ...]:
    if isinstance(said, list | tuple):
        return tuple(word(part) for part in said)
    return tuple(word(said).split())


def _wrong(rules: Rules, field: Field, one: Mapping[str, Any]) -> Iterator[Problem]:
    """Yield what is wrong with one mine."""
    yield from (Problem("scenario.mines", {}, (key,), help=_FORM, key=True) for key in one if key not in KEYS)
    id_, side = word(one.get("id")), word(one.get("side"))
    taken = {gear.thing.id for gear in field.gear} | {force.id for force in field.forces} | {*field.fixtures}
    if not id_ or id_ in taken:
        yield Problem("scenario.id-twice" if id_ else "scenario.mines", {"name": id_}, ("id",), help=_FORM)
    if side not in [info.id for info in field.sides]:
        help_ = names_of(field.sides)
        yield Problem("scenario.unknown-side", {"side": side}, ("side",), help=help_)
    shaft, at = _hexes(one.get("shaft")), _hexes(one.get("at"))
    if not shaft and side != (field.siege.besieger if field.siege else ""):
        yield Problem("scenario.mines", {}, ("shaft",), help=_FORM)
    for key, hexes in (("shaft", shaft), ("at", at)):
        for hex_ in hexes:
            if hex_ not in field.ground:
                yield Problem("scenario.off-map", {"unit": id_, "hex": hex_}, (key,))
    if not all(hex_ in field.ground for hex_ in (*shaft, *at)):
        return
    for hex_ in shaft:
        if field.ground[hex_].mp_foot is None:
            title = field.ground[hex_].title
            yield Problem("scenario.ground", {"unit": id_, "hex": hex_, "terrain": title}, ("shaft",))
    for hex_ in at:
        if not battering.kind_of(_bare(field), hex_):
            yield Problem("scenario.mine-wall", {"mine": id_, "hex": hex_}, ("at",), rule="A6.3.2a")


def _bare(field: Field) -> Battle:
    """Return a battle with nobody in it, of which walls are asked."""
    return Battle(field, Cursor("setup"), {})
