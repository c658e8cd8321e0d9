"""The contents page of The Anarchy: what is otherwise than in Siege, and what is new."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from pbem.core.ruleset import Ruleset
from pbem.rulesets.anarchy import (
    capture,
    cauldron,
    difference,
    door,
    events,
    full_turn,
    grounds,
    hidden_scenario,
    missiles,
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
from pbem.rulesets.siege.state.state import Battle
from pbem.rulesets.siege.turn import sequence as siege_sequence
from pbem.rulesets.tables import load

_OF = family.of(SIEGE)

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
    },
    fire="fire_anarchy",
    charts=(*_OF.charts, *grounds.CHARTS),
    natures={**_OF.natures, **grounds.NATURES},
    steps=replace(
        _OF.steps,
        passages=(*_OF.steps.passages, scaffolding.ways),
        burdens=(*_OF.steps.burdens, relics.burden),
        keeps_out=(grounds.keeps_out,),
        closes=(grounds.through_a_slit, scaffolding.by_ladder_only),
        tied=(oxen.tied,),
        hands=(*_OF.steps.hands, cauldron.hands_full),
    ),
    breaks_off=full_turn.broken,
    traces={"Slung": staff_sling.drawn},
    shots=replace(
        _OF.shots,
        sheet=missiles.sheet_for,
        letters=missiles.FOOT,
        effects={"retreat": missiles.driven_back},
        gives=(*_OF.shots.gives, scaffolding.railing),
        bars=(scaffolding.above_each_other,),
        only=grounds.COVERS_WHEN,
        weapons=(staff_sling.weapon_of, *_OF.shots.weapons),
    ),
    melee=replace(
        _OF.melee,
        fit=(capture.may_fight,),
        bars=tuple(capture.no_enemy if asked is may_attack.no_enemy else asked for asked in _OF.melee.bars),
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
)

CATALOGUE: Mapping[str, Mapping[int, Ruleset[Any]]] = {"anarchy": {1: ANARCHY}}
"""Ruleset id -> revision -> ruleset."""

__all__ = ["ANARCHY", "CATALOGUE"]
