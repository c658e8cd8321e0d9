"""The contents page of Cry Havoc and Siege: what is listed here is in force, nothing is computed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.core.ruleset import Doors, Ruleset
from pbem.rulesets.siege import (
    aim,
    ballista,
    bearing,
    burning,
    campaign,
    carry,
    deeds,
    events,
    fire_arrows,
    flight,
    forecast,
    foreseen,
    grammar,
    happening,
    healing,
    judge,
    ladders,
    legal,
    melee,
    normal_form,
    offers,
    options,
    primer,
    reading,
    rollcall,
    samples,
    scenario,
    scene,
    scene_plan,
    sequence,
    setup,
    sheet,
    shooting,
    siege_sheet,
    skill,
    soundness,
    state,
    thrown,
    victory,
    volleys,
    works,
)
from pbem.rulesets.siege.state import Battle
from pbem.rulesets.tables import load


def _by_name(rules: Ruleset[Battle]) -> Ruleset[Battle]:
    """Switch a module on by its name alone: what belongs to it asks whether that is in force (``setup.not_in_force``)."""
    return rules


DOORS: Doors[Battle] = Doors(
    read_field=scenario.read_field,
    setup=setup.begin,
    read_orders=reading.read_orders,
    check=judge.check,
    instruct=reading.instruct,
    cursor=sequence.cursor,
    seats_to_order=sequence.seats_to_order,
    over=sequence.over,
    advance=sequence.advance,
    apply=happening.apply,
    state_to_plain=state.write,
    state_from_plain=soundness.read,
    event_to_plain=events.plain,
    legal=legal.legal,
    say=grammar.say,
    forecast=forecast.forecast,
    sheet=sheet.sheet,
    scene=scene.scene,
    map_scene=scene.map_scene,
    outcome=victory.outcome,
    record=siege_sheet.record,
    plan=scene_plan.plan,
    normal=normal_form.normal,
    foreseen=foreseen.foreseen,
    ordered=lambda orders: orders.says_who,
    may_roll=setup.may_roll,
    left_over=setup.left_over,
    silence=shooting.silence,
    in_force=carry.in_force,
    offers=offers.offers,
    onward=offers.onward,
    forms=offers.forms,
    making_way=offers.making_way,
    together=offers.together,
    aim=aim.aim,
    primer=primer.primer,
    roll_call=rollcall.roll_call,
    samples=samples.samples,
    zones=rollcall.zones,
)

CRY_HAVOC: Ruleset[Battle] = Ruleset(
    id="cry_havoc",
    revision=1,
    title="Cry Havoc",
    sequence=sequence.SEQUENCE,
    steps={
        "setup": setup.resolve,
        "first_missile": volleys.resolve,
        "movement": flight.resolve,
        "second_archery": volleys.resolve,
        "melee": deeds.resolve_fight,
        "recovery": sequence.recovery,
    },
    checks={
        "place": (setup.check,),
        "ride": (setup.check_ride,),
        "prepare": (works.check,),
        "shoot": (shooting.check_shoot, fire_arrows.check),
        "fire": (volleys.check,),
        "move": (deeds.check_move,),
        "act": (deeds.check_act,),
        "attack": (melee.check_attack,),
        "skill": (skill.check,),
    },
    modifiers={
        "shot": shooting.MODIFIERS,
        "misfire": shooting.ASTRAY,
        "melee": melee.MODIFIERS,
    },
    follows={
        "fall": (thrown.throw,),
        "death": (flight.spread,),
        "collapse": (works.collapse,),
        "order": (flight.steady_again,),
        "recovery": (deeds.finish, ballista.load, burning.burn, ladders.let_go, bearing.let_go),
    },
    tables=load("siege"),
    doors=DOORS,
    options=options.OPTIONS,
    editions=options.EDITIONS,
    known_modules={
        **dict.fromkeys(("open-ground", "houses", "riders", "wagons", "castle", "works", "camp", "wagons-oil"), _by_name),
        "battering": campaign.with_sieges,
        "days": healing.with_days,
    },
)
SIEGE: Ruleset[Battle] = CRY_HAVOC.amend(id="siege", title="Siege", options={**options.OPTIONS, **options.OF_SIEGE})
"""One system with Cry Havoc: modules of both mix (S0a). Only one option, an addition of that game, is off by default."""

CATALOGUE: Mapping[str, Mapping[int, Ruleset[Any]]] = {"cry_havoc": {1: CRY_HAVOC}, "siege": {1: SIEGE}}
"""Ruleset id -> revision -> ruleset. Each revision is spelled out, none is inherited."""

__all__ = ["CATALOGUE", "CRY_HAVOC", "SIEGE"]
