"""The contents page of The Anarchy: what is otherwise than in Siege, and what is new."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from msgspec.structs import replace

from pbem.core.ruleset import Ruleset
from pbem.rulesets.anarchy import (
    ballista,
    bridge,
    bridge_days,
    capture,
    cauldron,
    damage,
    difference,
    door,
    events,
    fascine,
    full_turn,
    grounds,
    hidden_scenario,
    hoarding,
    hoarding_loss,
    hoarding_shots,
    hoarding_siege,
    mangonel,
    mantlet,
    mines,
    mining,
    mining_days,
    missiles,
    mixing,
    moat,
    oil,
    options,
    oxen,
    penthouse,
    penthouse_days,
    primer,
    ram,
    relics,
    roof_fire,
    scaffolding,
    sequence,
    siege_tower,
    spears,
    staff_sling,
    stones,
    telling,
    throwing_days,
    tower_bridge,
    tower_cover,
    tower_fire,
    tower_push,
    tunnels,
    withdrawal,
)
from pbem.rulesets.siege.combat import may_attack, melee_odds, shot_odds
from pbem.rulesets.siege.deeds import deeds
from pbem.rulesets.siege.ground import towers
from pbem.rulesets.siege.ruleset import SIEGE
from pbem.rulesets.siege.state import family
from pbem.rulesets.siege.state.deed import with_deeds
from pbem.rulesets.siege.state.family import FeatureKind, Screen
from pbem.rulesets.siege.state.state import Battle
from pbem.rulesets.siege.things import engines, mantlets
from pbem.rulesets.siege.turn import sequence as siege_sequence
from pbem.rulesets.tables import load

T = TypeVar("T")
_OF = family.of(SIEGE)


def swapped(asked: tuple[T, ...], others: Mapping[Any, Any]) -> tuple[T, ...]:
    """Return what a list asks, with some of it in the place of what Siege asks there."""
    return tuple(others.get(one, one) for one in asked)


def followed(asked: tuple[T, ...], one: T, other: T) -> tuple[T, ...]:
    """Return what a list asks, with something more right after one of it."""
    return tuple(each for before in asked for each in ((before, other) if before is one else (before,)))


_MADE: Ruleset[Battle] = family.varied(
    SIEGE,
    phases=replace(
        sequence.PHASES,
        noted=lambda rules, battle: [
            *sequence.marched(rules, battle),
            *stones.marched(rules, battle),
            *oil.wearied(rules, battle),
        ],
    ),
    kinds={
        **{id_: replace(kind, drawn=id_ in oxen.DRAWN) for id_, kind in cauldron.kinds(_OF.kinds).items()},
        "ballista": replace(_OF.kinds["ballista"], as_drawn=True),
        "mantlet": replace(_OF.kinds["mantlet"], burns=True),
        "ladder": replace(_OF.kinds["ladder"], level=grounds.ladder_top),
        **door.KINDS,
        **hoarding_loss.KINDS,
        **stones.KINDS,
        **relics.KINDS,
        **fascine.KINDS,
        **bridge.KINDS,
        **tunnels.KINDS,
        **mangonel.KINDS,
        **penthouse.KINDS,
        **ram.KINDS,
        **siege_tower.KINDS,
    },
    features={
        **_OF.features,
        mining.UNSAFE: FeatureKind(),
        **tower_fire.FEATURES,
        grounds.STRIPPED: FeatureKind(grounds.MASONRY_LEFT),
    },
    planks={hoarding.PLATFORM: grounds.STRIPPED},
    floors={**_OF.floors, siege_tower.TOWER: siege_tower.FLOORS},
    fire="fire_anarchy",
    footprints="footprints_anarchy",
    healing="recovery_anarchy",
    roofs=roof_fire.overhead,
    fire_next_to=tower_fire.next_to,
    under_fire=tower_fire.beneath,
    chars=tower_fire.char,
    hit_by_fire=tower_fire.hit,
    days=replace(
        hoarding_siege.DAYS,
        ruins=damage.GONE,
        walls=throwing_days.WALLS,
        worth=throwing_days.worth,
        served=(throwing_days.unserved,),
        bears=throwing_days.weakest_first,
        record=(throwing_days.record, *hoarding_siege.DAYS.record),
    ),
    charts=(*_OF.charts, *grounds.CHARTS),
    natures={**_OF.natures, **grounds.NATURES, **siege_tower.NATURES},
    steps=replace(
        _OF.steps,
        passages=(
            *swapped(_OF.steps.passages, {towers.ways: siege_tower.ways}),
            scaffolding.ways,
            hoarding.ways,
            tunnels.ways,
        ),
        keeps_out=(grounds.keeps_out,),
        closes=(
            grounds.through_a_slit,
            grounds.up_a_wall,
            bridge.from_the_moat,
            scaffolding.by_ladder_only,
            hoarding.by_the_wall_only,
            tunnels.only_through,
            ram.by_its_ends,
            penthouse.by_its_rear,
            siege_tower.walled_in,
        ),
        leans=(hoarding.no_ladder,),
        no_work=(withdrawal.no_work,),
        tied=(oxen.tied,),
        hands=(*_OF.steps.hands, cauldron.hands_full, ballista.hauled),
        fills=(*_OF.steps.fills, mantlet.keeps_horses_out, mangonel.fills),
        bars=(
            *swapped(_OF.steps.bars, {mantlets.bars_of: mantlet.bars_of}),
            withdrawal.bars_of,
            siege_tower.bars_of,
            tower_fire.bars_of,
        ),
        burdens=(*swapped(_OF.steps.burdens, {mantlets.burden: mantlet.burden}), relics.burden),
        turns=(mantlet.cannot_turn,),
        set_down=(mantlet.set_down_as_it_is,),
        no_advance=tuple(asked for asked in _OF.steps.no_advance if asked is not towers.bars_advance),
        no_retreat=swapped(_OF.steps.no_retreat, {mantlets.no_way_back: mantlet.no_way_back}),
    ),
    breaks_off=full_turn.broken,
    ends=(withdrawal.is_over,),
    traces={"Slung": staff_sling.drawn, "Hurled": mangonel.drawn},
    shots=replace(
        _OF.shots,
        sheet=missiles.sheet_for,
        letters=missiles.FOOT,
        effects={"retreat": missiles.driven_back},
        settles=(ram.cover, penthouse.cover, *_OF.shots.settles, hoarding_shots.settled, tower_cover.settled),
        gives=(*swapped(_OF.shots.gives, {mantlets.cover: mantlet.cover}), scaffolding.railing),
        over=(moat.over_the_moat, hoarding_shots.beneath, tower_cover.inside),
        despite=(hoarding_shots.up_from_the_moat,),
        screens=(
            *_OF.shots.screens,
            Screen(mantlet.standing, ballista.behind_a_mantlet, mantlet.in_the_way),
            Screen(ballista.standing, ballista.hides, ballista.in_the_way),
            *hoarding_shots.SCREENS,
        ),
        bars=(
            scaffolding.above_each_other,
            hoarding_shots.why_not,
            tunnels.no_shots,
            penthouse.shoots_out,
            tower_cover.from_the_first_floor,
            tower_cover.through_the_bridge,
        ),
        engines=(ballista.too_soon,),
        crews=(ballista.works,),
        only=grounds.COVERS_WHEN,
        weapons=(staff_sling.weapon_of, mangonel.weapon_of, stones.weapon_of, *_OF.shots.weapons),
        served_by="A4.4.1b",
        loaded_by="A4.4.1a",
        owes=True,
        near=("pbem.rulesets.anarchy.",),
    ),
    melee=replace(
        _OF.melee,
        fit=(capture.may_fight, mangonel.serves, tower_push.has_pushed),
        bars=(
            ram.no_blows,
            penthouse.no_blows,
            *followed(
                swapped(
                    tuple(asked for asked in _OF.melee.bars if asked is not towers.two_levels),
                    {
                        may_attack.no_enemy: capture.no_enemy,
                        mantlets.no_blows: mantlet.no_blows,
                        engines.no_blows: siege_tower.no_blows,
                    },
                ),
                may_attack.apart,
                hoarding.no_blows,
            ),
        ),
        groups=(
            *(asked for asked in _OF.melee.groups if asked is not may_attack.below_one),
            capture.joins_only,
        ),
        odds=difference.difference,
        written=difference.written,
        tally=difference.tally,
        table=difference.table_for,
        across=(
            *swapped(_OF.melee.across, {towers.across_to_the_wall: siege_tower.from_the_bridge}),
            scaffolding.over_the_rail,
            hoarding.over_the_merlons,
            tunnels.blows,
        ),
        levels=(*_OF.melee.levels, tunnels.blows, siege_tower.on_one_floor),
        parted=(tunnels.parted,),
        column=difference.column,
        of_the_die=(difference.armour,),
        spares=(),
    ),
).amend(
    id="anarchy",
    title="The Anarchy",
    interface=replace(SIEGE.interface, primer=primer.primer),
    sequence=sequence.SEQUENCE,
    steps={
        "setup": SIEGE.steps["setup"],
        sequence.MOVEMENT: withdrawal.resolve,
        sequence.DEFENSIVE: ballista.resolve,
        sequence.OFFENSIVE: missiles.resolve,
        sequence.MELEE: deeds.resolve_fight,
        sequence.RECOVERY: siege_sequence.recovery,
    },
    modifiers={
        **SIEGE.modifiers,
        "shot": (*shot_odds.MODIFIERS, missiles.weapon, missiles.armour, tower_cover.swaying),
        "melee": (melee_odds.ground,),
    },
    tables=load("pbem.rulesets.anarchy", SIEGE.tables),
    follows={
        **SIEGE.follows,
        "recovery": (
            *SIEGE.follows["recovery"],
            mangonel.load,
            scaffolding.ladders_fall,
            capture.watch,
            oil.at_end,
            withdrawal.tell,
            tower_fire.at_end,
        ),
        "collapse": (*SIEGE.follows["collapse"], damage.with_its_hoarding, damage.with_what_stands_on_it),
        "order": (*SIEGE.follows["order"], oil.watch, tower_push.note_climbers, spears.watch),
        "combat": swapped(SIEGE.follows["combat"], {engines.crew_fought: tower_push.crew_fought}),
        "shot": (oil.watch,),
    },
    telling=replace(telling.TELLING, silent=mining_days.silent),
    events={**SIEGE.events, **events.EVENTS},
    options=options.OPTIONS,
    editions={},
    mixing=mixing.why_not,
    known_modules={
        **SIEGE.known_modules,
        "battering": capture.with_sieges,
        hidden_scenario.MODULE: hidden_scenario.with_hiding,
        mines.MODULE: mines.with_mines,
    },
)
ANARCHY: Ruleset[Battle] = with_deeds(
    _MADE,
    difference.ATTACK,
    capture.ORDER,
    capture.REARMS,
    *capture.LED,
    *oxen.DEEDS,
    *staff_sling.DEEDS,
    *mangonel.DEEDS,
    *door.DEEDS,
    oil.POUR,
    ram.STRIKE,
    cauldron.DEED,
    ballista.DEED,
    fascine.DEED,
    *bridge.DEEDS,
    *mining_days.DEEDS,
    bridge_days.DEED,
    penthouse_days.DEED,
    *stones.DEEDS,
    *tower_bridge.DEEDS,
)

CATALOGUE: Mapping[str, Mapping[int, Ruleset[Any]]] = {"anarchy": {1: ANARCHY}}
"""Ruleset id -> revision -> ruleset."""

__all__ = ["ANARCHY", "CATALOGUE"]
