"""The contents page of The Anarchy: what is otherwise than in Siege, and what is new."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Mapping
from typing import Any, TypeVar

from msgspec.structs import replace

from pbem.core.ruleset import Ruleset
from pbem.rulesets.anarchy import (
    bridge,
    capture,
    cauldron,
    difference,
    door,
    events,
    full_turn,
    grounds,
    hidden_scenario,
    mantlet,
    missiles,
    moat,
    oil,
    options,
    oxen,
    relics,
    scaffolding,
    sequence,
    staff_sling,
    standing_fire,
    telling,
)
from pbem.rulesets.siege.combat import may_attack, melee_odds, shot_odds
from pbem.rulesets.siege.deeds import deeds, flight
from pbem.rulesets.siege.ruleset import SIEGE
from pbem.rulesets.siege.state import family
from pbem.rulesets.siege.state.deed import with_deeds
from pbem.rulesets.siege.state.family import Screen
from pbem.rulesets.siege.state.state import Battle
from pbem.rulesets.siege.things import mantlets
from pbem.rulesets.siege.turn import sequence as siege_sequence
from pbem.rulesets.tables import load

T = TypeVar("T")
_OF = family.of(SIEGE)


def swapped(asked: tuple[T, ...], others: Mapping[Any, Any]) -> tuple[T, ...]:
    """Return what a list asks, with some of it in the place of what Siege asks there."""
    return tuple(others.get(one, one) for one in asked)


_MADE: Ruleset[Battle] = family.varied(
    SIEGE,
    phases=replace(
        sequence.PHASES,
        noted=lambda rules, battle: [*sequence.marched(rules, battle), *oil.wearied(rules, battle)],
    ),
    kinds={
        **{id_: replace(kind, drawn=id_ in oxen.DRAWN) for id_, kind in cauldron.kinds(_OF.kinds).items()},
        **door.KINDS,
        **scaffolding.KINDS,
        **relics.KINDS,
        **bridge.KINDS,
    },
    fire="fire_anarchy",
    charts=(*_OF.charts, *grounds.CHARTS),
    natures={**_OF.natures, **grounds.NATURES},
    steps=replace(
        _OF.steps,
        passages=(*_OF.steps.passages, scaffolding.ways),
        keeps_out=(grounds.keeps_out,),
        closes=(grounds.through_a_slit, scaffolding.by_ladder_only),
        tied=(oxen.tied,),
        hands=(*_OF.steps.hands, cauldron.hands_full),
        fills=(*_OF.steps.fills, mantlet.keeps_horses_out),
        bars=(*swapped(_OF.steps.bars, {mantlets.bars_of: mantlet.bars_of}), bridge.bars_of),
        burdens=(*swapped(_OF.steps.burdens, {mantlets.burden: mantlet.burden}), relics.burden),
        turns=(mantlet.cannot_turn,),
        set_down=(mantlet.set_down_as_it_is,),
        no_retreat=swapped(_OF.steps.no_retreat, {mantlets.no_way_back: mantlet.no_way_back}),
    ),
    breaks_off=full_turn.broken,
    traces={"Slung": staff_sling.drawn},
    shots=replace(
        _OF.shots,
        sheet=missiles.sheet_for,
        letters=missiles.FOOT,
        effects={"retreat": missiles.driven_back},
        gives=(*swapped(_OF.shots.gives, {mantlets.cover: mantlet.cover}), scaffolding.railing),
        over=(moat.over_the_moat,),
        screens=(*_OF.shots.screens, Screen(mantlet.standing, mantlet.hides, mantlet.in_the_way)),
        bars=(scaffolding.above_each_other,),
        only=grounds.COVERS_WHEN,
        weapons=(staff_sling.weapon_of, *_OF.shots.weapons),
    ),
    melee=replace(
        _OF.melee,
        fit=(capture.may_fight,),
        bars=swapped(
            _OF.melee.bars, {may_attack.no_enemy: capture.no_enemy, mantlets.no_blows: mantlet.no_blows}
        ),
        groups=(
            *(asked for asked in _OF.melee.groups if asked is not may_attack.below_one),
            capture.joins_only,
        ),
        odds=difference.difference,
        written=difference.written,
        tally=difference.tally,
        table=difference.table_for,
        across=(*_OF.melee.across, scaffolding.over_the_rail),
        column=difference.column,
        of_the_die=(difference.armour,),
        spares=(),
    ),
).amend(
    id="anarchy",
    title="The Anarchy",
    sequence=sequence.SEQUENCE,
    steps={
        "setup": SIEGE.steps["setup"],
        sequence.MOVEMENT: flight.resolve,
        sequence.DEFENSIVE: standing_fire.resolve,
        sequence.OFFENSIVE: missiles.resolve,
        sequence.MELEE: deeds.resolve_fight,
        sequence.RECOVERY: siege_sequence.recovery,
    },
    modifiers={
        **SIEGE.modifiers,
        "shot": (*shot_odds.MODIFIERS, missiles.weapon, missiles.armour),
        "melee": (melee_odds.ground,),
    },
    tables=ChainMap(load("pbem.rulesets.anarchy"), SIEGE.tables),  # type: ignore[arg-type]
    follows={
        **SIEGE.follows,
        "recovery": (*SIEGE.follows["recovery"], capture.watch, oil.at_end),
        "order": (*SIEGE.follows["order"], oil.watch),
        "shot": (oil.watch,),
    },
    telling=replace(telling.TELLING, silent=door.silent),
    events={**SIEGE.events, **events.EVENTS},
    options=options.OPTIONS,
    editions={},
    known_modules={**SIEGE.known_modules, hidden_scenario.MODULE: hidden_scenario.with_hiding},
)
ANARCHY: Ruleset[Battle] = with_deeds(
    _MADE,
    difference.ATTACK,
    capture.ORDER,
    capture.REARMS,
    *capture.LED,
    *oxen.DEEDS,
    *staff_sling.DEEDS,
    *door.DEEDS,
    oil.POUR,
    cauldron.DEED,
    *bridge.DEEDS,
)

CATALOGUE: Mapping[str, Mapping[int, Ruleset[Any]]] = {"anarchy": {1: ANARCHY}}
"""Ruleset id -> revision -> ruleset."""

__all__ = ["ANARCHY", "CATALOGUE"]
