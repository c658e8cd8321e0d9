"""The contents page of Cry Havoc and Siege: what is listed here is in force, nothing is computed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from pbem.core.later import later
from pbem.core.ruleset import Ruleset, RulesetInterface
from pbem.rulesets.siege import options
from pbem.rulesets.siege.combat import fire_arrows, may_attack, melee, melee_odds, shooting, shot_odds
from pbem.rulesets.siege.deeds import deeds, flight, reading
from pbem.rulesets.siege.ground import flames, ladders, on_ladders, towers
from pbem.rulesets.siege.judge import forecast, judge
from pbem.rulesets.siege.march import beasts, thrown
from pbem.rulesets.siege.orders import carry_out, longform
from pbem.rulesets.siege.scenario import campaign, setup
from pbem.rulesets.siege.sight import cover
from pbem.rulesets.siege.state import events, field_kept, happening, loads, saved, soundness
from pbem.rulesets.siege.state.family import (
    EVENING,
    NIGHT,
    Family,
    FeatureKind,
    Kind,
    Melee,
    Screen,
    Shots,
    Steps,
)
from pbem.rulesets.siege.state.field import (
    BATTLEMENT,
    CLUTTERED,
    CURTAIN,
    EVEN,
    FILLED,
    HEAVY,
    LADDER,
    LOW,
    MOAT,
    PARAPET,
    RAM,
    RUBBLE,
    SIEGE_TOWER,
    SLOPE,
    TALL,
    TENT,
    TRENCH,
    Nature,
)
from pbem.rulesets.siege.state.state import Battle
from pbem.rulesets.siege.things import (
    ballista,
    bearing,
    burning,
    drawbridge,
    engines,
    mantlets,
    rams,
    wagons,
    works,
)
from pbem.rulesets.siege.turn import healing, panic, sequence, skill, victory
from pbem.rulesets.siege.views import narration
from pbem.rulesets.siege.vocabulary import VOCABULARY
from pbem.rulesets.tables import load


def _by_name(rules: Ruleset[Battle]) -> Ruleset[Battle]:
    """Switch a module on by its name alone: what belongs to it asks whether that is in force
    (``setup.not_in_force``).
    """
    return rules


INTERFACE: RulesetInterface[Battle] = RulesetInterface(
    read_field=later("pbem.rulesets.siege.scenario.scenario:read_field"),
    field_to_plain=field_kept.write,
    field_from_plain=field_kept.read,
    setup=setup.begin,
    read_orders=reading.read_orders,
    check=judge.check,
    instruct=reading.instruct,
    order_form=longform.form,
    cursor=sequence.cursor,
    seats_to_order=sequence.seats_to_order,
    over=sequence.over,
    advance=sequence.advance,
    apply=happening.apply,
    state_to_plain=saved.write,
    state_from_plain=soundness.read,
    event_to_plain=events.plain,
    legal=later("pbem.rulesets.siege.judge.legal:legal"),
    say=deeds.ALL.say,
    forecast=forecast.forecast,
    sheet=later("pbem.rulesets.siege.views.sheet:sheet"),
    scene=later("pbem.rulesets.siege.views.scene:scene"),
    map_scene=later("pbem.rulesets.siege.views.scene:map_scene"),
    outcome=victory.outcome,
    record=later("pbem.rulesets.siege.scenario.siege_sheet:record"),
    plan=later("pbem.rulesets.siege.views.scene_plan:plan"),
    normal=reading.normal,
    foreseen=later("pbem.rulesets.siege.views.foreseen:foreseen"),
    ordered=lambda orders: orders.says_who,
    may_roll=setup.may_roll,
    left_over=setup.left_over,
    silence=shooting.silence,
    in_force=carry_out.in_force,
    offers=later("pbem.rulesets.siege.views.offers:offers"),
    onward=later("pbem.rulesets.siege.views.ahead:onward"),
    forms=later("pbem.rulesets.siege.views.offers:forms"),
    making_way=later("pbem.rulesets.siege.views.ahead:making_way"),
    together=later("pbem.rulesets.siege.views.ahead:together"),
    aim=later("pbem.rulesets.siege.views.aim:aim"),
    primer=later("pbem.rulesets.siege.views.primer:primer"),
    roll_call=later("pbem.rulesets.siege.views.rollcall:roll_call"),
    samples=later("pbem.rulesets.siege.views.samples:samples"),
    zones=later("pbem.rulesets.siege.views.rollcall:zones"),
)

STEPS: Final = Steps(
    passages=(towers.ways, ladders.ways),
    fills=(flames.bars, ballista.bars, wagons.bars),
    shuts=(towers.no_other_way,),
    bars=(mantlets.bars_of, on_ladders.bars_of),
    burdens=(ladders.spent_on_ladders, mantlets.burden, loads.barrel_burden),
    goes_on=(ladders.goes_on,),
    faces=(mantlets.faces,),
    turns=(mantlets.no_point_to_turn,),
    set_down=(mantlets.turned_late,),
    hands=(ladders.hands_full,),
    no_retreat=(mantlets.no_way_back,),
    no_advance=(on_ladders.bars_advance, towers.bars_advance),
)
SHOTS: Final = Shots(
    settles=(cover.behind_walls, on_ladders.bare, on_ladders.behind_the_wall, cover.in_a_moat),
    gives=(*cover.GIVES, mantlets.cover),
    sheet=shot_odds.sheet_for,
    letters="shooting_others",
    effects={"checked": shooting.take_cover},
    screens=(Screen(wagons.standing, wagons.hides, wagons.in_the_way),),
    weapons=(ballista.column_of,),
)
MELEE: Final = Melee(
    fit=(sequence.may_fight,),
    bars=(
        *may_attack.BARS, towers.two_levels, may_attack.apart, on_ladders.only_the_wall, mantlets.no_blows,
        may_attack.wall_between, engines.no_blows, may_attack.levels_apart, may_attack.no_way_in,
    ),
    groups=may_attack.GROUPS,
    strength=melee_odds.strength,
    resistance=melee_odds.resistance,
    odds=melee_odds.odds,
    written=melee_odds.written,
    tally=melee_odds.tally,
    table=melee_odds.table_for,
    column=melee_odds.column,
    hurt=beasts.suffer,
    retreat=later("pbem.rulesets.siege.march.retreat:all_give_way"),
    advance=later("pbem.rulesets.siege.march.advance:after_combat"),
    across=(towers.across_to_the_wall, on_ladders.over_the_parapet),
    levels=(on_ladders.struck_from_below,),
    spares=(panic.on_attackers,),
)  # fmt: skip
FAMILY: Final = Family(
    phases=sequence.PHASES,
    charts=("terrain_cry_havoc", "terrain_castle", "terrain_camp"),
    natures={
        **dict.fromkeys(("flat", "road", "courtyard"), Nature(frozenset({EVEN}))),
        "scrub": Nature(frozenset({HEAVY, LOW})),
        "tree": Nature(frozenset({TALL}), hides="S3.22a"),
        "slope": Nature(frozenset({HEAVY, LOW, SLOPE})),
        "trench": Nature(frozenset({TRENCH})),
        **dict.fromkeys(("house", "building_wall"), Nature(hides="S1.56a")),
        "spiral_stairs": Nature(hides="EN1.53b"),
        "castle_wall": Nature(frozenset({CURTAIN})),
        "arrow_slit": Nature(frozenset({PARAPET})),
        "battlement": Nature(frozenset({BATTLEMENT, CURTAIN, PARAPET}), stands="battlement"),
        "moat": Nature(frozenset({MOAT}), stands="moat"),
        "ladder_upright": Nature(frozenset({LADDER, CLUTTERED}), stands="ladder_top"),
        "filled_moat": Nature(frozenset({EVEN, FILLED})),
        "rubble": Nature(frozenset({RUBBLE})),
        "siege_tower_inside": Nature(frozenset({SIEGE_TOWER, CLUTTERED})),
        "siege_tower_platform": Nature(frozenset({CLUTTERED}), stands="siege_tower_platform"),
        "ram": Nature(frozenset({RAM, CLUTTERED}), hides="S4.33a"),
        "tent": Nature(frozenset({TENT}), hides="S3.24a"),
        "ballista_hex": Nature(hides="S3.42a"),
    },
    kinds={
        "drawbridge": Kind("castle", built_in=True, ground=drawbridge.ground),
        "ladder": Kind("castle", ground=ladders.ground),
        "siege-tower": Kind("works", ground=towers.ground),
        "ram": Kind("battering", ground=rams.ground),
        "ballista": Kind("camp", ground=ballista.ground),
        **dict.fromkeys(("mangonel", "trebuchet"), Kind("battering", ground=ballista.ground, afar=True)),
        **dict.fromkeys(("oil", "mantlet"), Kind("wagons-oil")),
        "wagon": Kind("wagons"),
    },
    features={
        "filled": FeatureKind("filled_moat", until=NIGHT),
        "rubble": FeatureKind("rubble"),
        "wall": FeatureKind(),
        "fire": FeatureKind(until=EVENING),
        "burnt": FeatureKind("flat"),
    },
    steps=STEPS,
    shots=SHOTS,
    melee=MELEE,
)

CRY_HAVOC: Ruleset[Battle] = Ruleset(
    id="cry_havoc",
    revision=1,
    title="Cry Havoc",
    sequence=sequence.SEQUENCE,
    steps={
        "setup": setup.resolve,
        sequence.FIRST_MISSILE: later("pbem.rulesets.siege.combat.volleys:resolve"),
        sequence.MOVEMENT: flight.resolve,
        sequence.SECOND_ARCHERY: later("pbem.rulesets.siege.combat.volleys:resolve"),
        sequence.MELEE: deeds.resolve_fight,
        sequence.RECOVERY: sequence.recovery,
    },
    checks={
        "place": (setup.check,),
        "ride": (setup.check_ride,),
        "prepare": (works.check,),
        "shoot": (shooting.check_shoot, fire_arrows.check),
        "fire": (later("pbem.rulesets.siege.combat.volleys:check"),),
        "move": (deeds.check_move,),
        "act": (deeds.check_act,),
        "attack": (melee.check_attack,),
        "skill": (skill.check,),
    },
    modifiers={
        "shot": shot_odds.MODIFIERS,
        "misfire": shot_odds.ASTRAY,
        "melee": (melee_odds.ground, melee_odds.together, panic.against_the_afraid),
    },
    follows={
        "fall": (thrown.throw,),
        "death": (flight.spread,),
        "collapse": (works.collapse,),
        "combat": (engines.crew_fought,),
        "order": (flight.steady_again,),
        "recovery": (deeds.finish, ballista.load, burning.burn, ladders.let_go, bearing.let_go),
    },
    deeds=deeds.ALL,
    tables=load("pbem.rulesets.siege"),
    telling=narration.TELLING,
    interface=INTERFACE,
    family=FAMILY,
    events=events.EVENTS,
    vocabulary=VOCABULARY,
    options=options.OPTIONS,
    editions=options.EDITIONS,
    known_modules={
        **dict.fromkeys(
            ("open-ground", "houses", "riders", "wagons", "castle", "works", "camp", "wagons-oil"), _by_name
        ),
        "battering": campaign.with_sieges,
        "days": healing.with_days,
    },
)
SIEGE: Ruleset[Battle] = CRY_HAVOC.amend(
    id="siege", title="Siege", options={**options.OPTIONS, **options.OF_SIEGE}
)
"""One system with Cry Havoc: modules of both mix (S0a).

Only one option, an addition of that game, is off by default.
"""

CATALOGUE: Mapping[str, Mapping[int, Ruleset[Any]]] = {"cry_havoc": {1: CRY_HAVOC}, "siege": {1: SIEGE}}
"""Ruleset id -> revision -> ruleset. Each revision is spelled out, none is inherited."""

__all__ = ["CATALOGUE", "CRY_HAVOC", "SIEGE"]
