"""One step: how far a figure may go at all, what a hex costs it, and what bars it; on foot, mounted or led
alike.

A way of several steps is ``walk``; which way it goes is ``movement``, on two hexes ``riding``; where a way
may end is ``stacking``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pbem.core.problem import Problem, first_problem
from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.geometry import path
from pbem.geometry.hex import hex_of
from pbem.rulesets.siege.ground import floors, passages, stacking, terrain
from pbem.rulesets.siege.ground.character import person, values
from pbem.rulesets.siege.march import known_steps
from pbem.rulesets.siege.state import family, rows
from pbem.rulesets.siege.state.family import Bar
from pbem.rulesets.siege.state.field import HEAVY, LADDER, MOAT, RIDDEN, RUBBLE, TRENCH, Terrain
from pbem.rulesets.siege.state.state import HEALTHY, STUNNED, WOUNDED, Battle, Unit
from pbem.rulesets.siege.turn import panic

Rules = Ruleset[Battle]

NO_HORSES = ("doorway", "window", "keep")
"""Openings, in a hex or in a hexside, through which a man goes and no horse."""
ABOVE = ("walk", "tower", "keep")
"""Floors: that of the battlements, and those within towers and keeps."""


# --- how far


@rule("S1.6a")
def printed_allowance(rules: Rules, battle: Battle, unit: Unit) -> int:
    """Return the movement points of a figure in its state, by the edition in force."""
    later = later_allowance(rules, battle, unit)
    return values(rules, battle, unit).move if later is None else later


@rule("EN1.6a")
def later_allowance(rules: Rules, battle: Battle, unit: Unit) -> int | None:
    """Return the allowance of the later games, by the option: more for riders, and for who wears no armour.

    None: as printed.
    """
    if rules.setting("movement_allowances") != "croisades" or unit.state not in (HEALTHY, WOUNDED):
        return None
    who = person(battle, unit)
    later = who.move_later_mounted if unit.on else None if who.armoured_later else who.move_later
    return None if later is None else later[0] if unit.state == HEALTHY else later[1]


@rule("E7.1g")
def taking_cover(rules: Rules, unit: Unit) -> int:
    """Return how many points a figure has less because a shot made it take cover."""
    return rows.points(rules, "took_cover") if unit.checked else 0


@rule("S1.6d")
def points(rules: Rules, battle: Battle, unit: Unit) -> int:
    """Return what a figure may spend in this movement: its own allowance, never what it or anybody else left
    over.
    """
    spent = battle.spent.get(unit.id, 0) + taking_cover(rules, unit)
    burdens = sum([burden(rules, battle, unit) for burden in family.here(rules, battle).steps.burdens])
    return max(0, printed_allowance(rules, battle, unit) - spent - burdens)


# --- one step


@rule("S3.32a", "S2.33d")
def as_horse(unit: Unit) -> bool:
    """Tell whether the limits of horses bind a figure: it sits on one, or is one or another animal."""
    return bool(unit.on) or unit.kind != "man"


def cost_of(unit: Unit, ground: Terrain) -> int | None:
    """Return the points of a ground for a figure on foot, or with the horse; None where it
    is barred to it.
    """
    if not as_horse(unit):
        return ground.mp_foot
    return None if ground.opening in NO_HORSES and RIDDEN not in ground.traits else ground.mp_horse


def heavy_going(rules: Rules, unit: Unit, ground: Terrain) -> int:
    """Return the points that a horse pays for scrub and slopes by the later games (option); 0 where the chart
    holds.
    """
    heavy = as_horse(unit) and HEAVY in ground.traits and rules.setting("scrub_slope_cost_mounted") == "4"
    return rows.points(rules, "heavy_going") if heavy else 0


@rule("CH12.1a")
def ground_bars(rules: Rules, battle: Battle, unit: Unit, there: str) -> Problem | None:
    """Return why nobody of this kind enters a hex: because of what fills it, such as flames, or of its
    ground; None if he may.
    """
    for fills in family.here(rules, battle).steps.fills:
        if problem := fills(battle, unit, there):
            return problem
    ground = terrain.terrain_at(rules, battle, there)
    if cost_of(unit, ground) is not None:
        return None
    names = {"unit": unit.id, "hex": there, "terrain": ground.title}
    if ground.mp_foot is None:
        return floors.through_stone("movement.ground", names, ground.id) or Problem(
            "movement.ground", names, rule="CH12.1a"
        )
    return Problem("movement.no-horse", names, rule="S3.32a", help="a man on foot may go there")


def side_bars(rules: Rules, battle: Battle, unit: Unit, here: str, there: str) -> Problem | None:
    """Return what on the hexside stops a step, or that nothing leads from one floor to the other; None if the
    step is open.
    """
    features = terrain.between(battle, here, there)
    horse = as_horse(unit)
    for feature in features:
        names = {"unit": unit.id, "here": here, "there": there, "what": feature.title}
        if not feature.passes:
            return floors.through_stone("movement.side", names, feature.id) or Problem(
                "movement.side", names, rule="CH12.1a"
            )
        if horse and (feature.opening in NO_HORSES or feature.id == "steps"):
            return Problem(
                "movement.side",
                names,
                rule="S3.32a",
                help="a man on foot may go there, and a horse through a gateway",
            )
    ground, beyond = terrain.terrain_at(rules, battle, here), terrain.terrain_at(rules, battle, there)
    if ground.floor == beyond.floor or any(feature.joins for feature in features):
        return None
    return floors.bar({"unit": unit.id, "here": here, "there": there}, ground, beyond)


def weight(rules: Rules, battle: Battle, hex_: str) -> int:
    """Return the weight of the bodies in a hex, in dead men."""
    bodies = battle.bodies_in.get(hex_)
    if not bodies:
        return 0
    weights = rules.tables["movement"]["bodies"]
    return sum(int(weights.get(battle.units[id_].kind, weights["man"])["weight"]) for id_ in bodies)


@rule("S1.61h")
def climbing(rules: Rules, bodies: int) -> int:
    """Return the points that bodies of this weight add to a hex."""
    return rows.points(rules, "over_bodies") if bodies and bodies >= _heap(rules, "dearer") else 0


@rule("S1.61i")
def heaped(rules: Rules, bodies: int) -> bool:
    """Tell whether bodies of this weight close a hex."""
    return bool(bodies) and bodies >= _heap(rules, "closed")


def _heap(rules: Rules, row: str) -> int:
    return int(rules.tables["movement"]["heaps"][row]["weight"])


def bodies_bar(rules: Rules, battle: Battle, unit: Unit, there: str) -> Problem | None:
    """Return why the dead close a hex; None if they do not."""
    if not heaped(rules, weight(rules, battle, hex_of(there))):
        return None
    return Problem("movement.bodies", {"unit": unit.id, "hex": there}, rule="S1.61i")


@rule("S1.61a")
def enemy_bars(rules: Rules, battle: Battle, unit: Unit, there: str) -> Problem | None:
    """Return why a living enemy closes a hex, a stunned one too, unless the option lets him be passed; None
    if none does.
    """
    through = rules.setting("pass_through_stunned_enemy") == "true"
    for other in stacking.others_on(battle, unit, there):
        if (
            battle.foes(unit, other)
            and not (through and other.state == STUNNED)
            and not leaps(rules, battle, unit, there)
        ):
            return Problem(
                "movement.enemy", {"unit": unit.id, "hex": there, "enemy": other.id}, rule="S1.61a"
            )
    return None


@rule("S3.32b")
def leaps(rules: Rules, battle: Battle, unit: Unit, there: str) -> bool:
    """Tell whether a horse goes across a hex, whoever is in it, but does not stop there: a trench."""
    return as_horse(unit) and TRENCH in terrain.terrain_at(rules, battle, there).traits


@rule("S1.61b")
def passes_friends(rules: Rules, battle: Battle, unit: Unit, others: Sequence[Unit]) -> bool:
    """Tell whether a figure goes past those in a hex because none of them is an enemy."""
    return not any(battle.foes(unit, other) for other in others) and rows.holds(rules, "friends_passed")


def friend_bars(rules: Rules, battle: Battle, unit: Unit, there: str) -> Problem | None:
    """Return why a friend is in the way; None if he is passed."""
    friends = [other for other in stacking.others_on(battle, unit, there) if not battle.foes(unit, other)]
    if not friends or passes_friends(rules, battle, unit, friends):
        return None
    return Problem("movement.friend", {"unit": unit.id, "hex": there, "friend": friends[0].id}, rule="S1.61b")


def ways_bars(rules: Rules, battle: Battle, unit: Unit, here: str, there: str) -> Problem | None:
    """Return why nobody could go from one place to the next, whoever stands there: ground, walls, floors,
    heaps of bodies.
    """
    if hex_of(there) not in battle.field.ground:
        return Problem("movement.off-map", {"unit": unit.id, "here": here, "there": there})
    if there not in battle.beside(here):
        names = {"unit": unit.id, "here": here, "there": there}
        return Problem(
            "movement.not-adjacent",
            names,
            rule="S1.6b",
            help="a way goes from a hex to one of the six beside it",
        )
    return _built_bars(rules, battle, unit, here, there) or bodies_bar(rules, battle, unit, there)


def _built_bars(rules: Rules, battle: Battle, unit: Unit, here: str, there: str) -> Problem | None:
    """Return what of the ground, and of what is built on it, is in the way; None if nothing is."""
    return ground_bars(rules, battle, unit, there) or _bars_between(rules, battle, unit, here, there)


def _bars_between(rules: Rules, battle: Battle, unit: Unit, here: str, there: str) -> Problem | None:
    """Return what is in the way between two places, unless a thing leads past it."""
    if passages.between(rules, battle, here, there):
        return None
    for closes in family.here(rules, battle).steps.closes:
        if problem := closes(rules, battle, unit, here, there):
            return problem
    if battle.things:
        for shuts in family.of(rules).steps.shuts:
            if problem := shuts(unit, here, there):
                return problem
    return side_bars(rules, battle, unit, here, there)


def can_pass(rules: Rules, battle: Battle, unit: Unit, here: str, there: str) -> bool:
    """Tell whether a figure could enter a place from the one beside it, were it empty; points do not matter
    (S1.74b).
    """
    return (
        _price(rules, battle, unit, here, there) is not None
        and (hex_of(there) not in battle.bodies_in or bodies_bar(rules, battle, unit, there) is None)
        and not ((bars := kept_out(rules, battle, unit)) and any(bar(here, there) for bar in bars))
    )


def why_not(rules: Rules, battle: Battle, unit: Unit, here: str, there: str) -> Problem | None:
    """Return why a step cannot be made, whatever points there are; None if it can."""
    bars = (
        ways_bars(rules, battle, unit, here, there)
        or enemy_bars(rules, battle, unit, there)
        or friend_bars(rules, battle, unit, there)
    )
    return bars or things_bar(rules, battle, unit, here, there) or panic.fear_bars(rules, battle, unit, there)


def bars_of_things(rules: Rules, battle: Battle, unit: Unit) -> list[Bar]:
    """Return what things, or grounds that are closed to it alone, bar a figure from a step that would be open
    otherwise: each of them tells of one step.
    """
    asked = family.here(rules, battle).steps.bars
    found = kept_out(rules, battle, unit)
    return [*found, *(bar for bars in asked if (bar := bars(rules, battle, unit)))] if asked else found


def kept_out(rules: Rules, battle: Battle, unit: Unit) -> list[Bar]:
    """Return what ground bars a figure from a step that is open to others of its kind."""
    asked = family.here(rules, battle).steps.keeps_out
    return [bar for bars in asked if (bar := bars(rules, battle, unit))] if asked else []


def things_bar(rules: Rules, battle: Battle, unit: Unit, here: str, there: str) -> Problem | None:
    """Return which thing bars a figure from a step; from nowhere, which keeps it out of the place from
    whatever side; None if none does.
    """
    for bar in bars_of_things(rules, battle, unit):
        if problem := bar(here, there):
            return problem
    return None


def closed(rules: Rules, battle: Battle, unit: Unit, there: str) -> Problem | None:
    """Return what keeps a figure out of a hex from whatever side it comes; None if nothing does."""
    return (
        ground_bars(rules, battle, unit, there)
        or things_bar(rules, battle, unit, "", there)
        or bodies_bar(rules, battle, unit, there)
        or enemy_bars(rules, battle, unit, there)
        or panic.fear_bars(rules, battle, unit, there)
    )


Costs = Callable[[str, str], int | None]
"""What a step from one place to the next costs a figure, or None where it cannot be made."""


def step_cost(
    rules: Rules, battle: Battle, unit: Unit, here: str, there: str, led: Sequence[Unit] = ()
) -> int | None:
    """Return the movement points of a step, with those he leads behind him; None if it cannot be made."""
    return costs(rules, battle, unit, led)(here, there)


def costs(rules: Rules, battle: Battle, unit: Unit, led: Sequence[Unit] = ()) -> Costs:
    """Return what each step costs a figure with those it leads: None for exactly those that ``why_not`` or
    ``led_bars`` stops.
    """
    more = _more(rules, battle, unit, led)

    def cost(here: str, there: str) -> int | None:
        price = _price(rules, battle, unit, here, there)
        if price is None or (further := more(here, there)) is None:
            return None
        return price + further

    return cost


def steps(rules: Rules, battle: Battle, unit: Unit, led: Sequence[Unit] = ()) -> path.Steps:
    """Return the same for a search of ways: of each place the steps that are open to a figure of its kind,
    listed once for as long as things and features stay as they are.
    """
    known = known_steps.of(rules, battle).open[as_horse(unit)]

    def open_(here: str) -> tuple[tuple[str, int], ...]:
        found = known.get(here)
        if found is None:
            prices = ((there, _price(rules, battle, unit, here, there)) for there in battle.beside(here))
            found = known[here] = tuple((there, price) for there, price in prices if price is not None)
        return found

    return path.Steps(open_, _more(rules, battle, unit, led))


def _more(rules: Rules, battle: Battle, unit: Unit, led: Sequence[Unit]) -> Costs:
    """Return what a step costs beyond its price because of who and what is about, or None where that bars
    it.
    """
    people, bodies_in = battle.living_in, battle.bodies_in
    beasts = tuple({as_horse(beast): beast for beast in led}.values()) if led else ()
    bars = bars_of_things(rules, battle, unit)
    for beast in led:
        bars += kept_out(rules, battle, beast)
    entered: dict[str, int | None] = {}

    def enter(there: str) -> int | None:
        hex_ = hex_of(there)
        if hex_ not in people and hex_ not in bodies_in and not unit.mood:
            return 0
        bodies = weight(rules, battle, hex_) if hex_ in bodies_in else 0
        if heaped(rules, bodies) or (
            hex_ in people
            and (enemy_bars(rules, battle, unit, there) or friend_bars(rules, battle, unit, there))
        ):
            return None
        return None if panic.fear_bars(rules, battle, unit, there) else climbing(rules, bodies)

    def met(here: str, there: str) -> int | None:
        if there not in entered:  # from wherever it comes, it meets the same there
            entered[there] = enter(there)
        return entered[there]

    if not beasts and not bars:
        return met

    def more(here: str, there: str) -> int | None:
        found = met(here, there)
        if found is None or any(_price(rules, battle, beast, here, there) is None for beast in beasts):
            return None
        return None if any(bar(here, there) for bar in bars) else found

    return more


def _price(rules: Rules, battle: Battle, unit: Unit, here: str, there: str) -> int | None:
    """Return what a step costs a figure of this kind where nobody is, alive or dead; None where it is barred
    to all of the kind.
    """
    known, way = known_steps.of(rules, battle).prices, (as_horse(unit), here, there)
    if way not in known:
        lasting = known_steps.lasting(rules, battle, here, there)
        if way not in lasting:
            on_map = hex_of(there) in battle.field.ground and there in battle.beside(here)
            barred = not on_map or _built_bars(rules, battle, unit, here, there)
            lasting[way] = None if barred else _going(rules, battle, unit, here, there)
        known[way] = lasting[way]
    return known[way]


def _going(rules: Rules, battle: Battle, unit: Unit, here: str, there: str) -> int:
    """Return the points of an open step: those of the passage that leads there, or of the ground and the
    hexside.
    """
    if passage := passages.between(rules, battle, here, there):
        return passage.cost
    from_here = cost_from(
        rules, terrain.terrain_at(rules, battle, here), terrain.terrain_at(rules, battle, there)
    )
    if from_here is not None:
        return from_here
    return ground_cost(rules, battle, unit, there) + sum(
        feature.cost for feature in terrain.between(battle, here, there)
    )


def side_open(rules: Rules, battle: Battle, unit: Unit, here: str, there: str) -> bool:
    """Tell whether ``side_bars`` stops nobody of a figure's kind."""
    known, way = known_steps.of(rules, battle).sides, (as_horse(unit), here, there)
    if way not in known:
        known[way] = side_bars(rules, battle, unit, here, there) is None
    return known[way]


def cost_from(rules: Rules, ground: Terrain, beyond: Terrain) -> int | None:
    """Return the points of a ground where they depend on the ground one comes from; None
    where they do not.
    """
    return (
        wading(rules, ground, beyond)
        or out_of_the_moat(rules, ground, beyond)
        or off_rubble(rules, ground, beyond)
    )


@rule("S1.1g")
def wading(rules: Rules, ground: Terrain, beyond: Terrain) -> int | None:
    """Return the points from one hex of a moat to the next; None of any other step: whoever comes from
    elsewhere climbs down first.
    """
    return rows.points(rules, "moat_to_moat") if MOAT in ground.traits and MOAT in beyond.traits else None


@rule("S1.1g")
def out_of_the_moat(rules: Rules, ground: Terrain, beyond: Terrain) -> int | None:
    """Return the points for climbing out of a moat, where they are not those of the ground one climbs to
    (option); None elsewhere.

    Rubble that has slid into the moat and a ladder that stands in it cost what they cost.
    """
    if MOAT not in ground.traits or beyond.traits & {MOAT, RUBBLE, LADDER}:
        return None
    return rows.points(rules, "out_of_moat") if rules.setting("moat_climb_out_cost") == "4" else None


@rule("S2.33c")
def off_rubble(rules: Rules, ground: Terrain, beyond: Terrain) -> int | None:
    """Return the points from rubble up to a battlement or into a tower or keep; None of any other step."""
    inside = beyond.floor in ABOVE or beyond.opening == "keep"
    return rows.points(rules, "up_from_rubble") if RUBBLE in ground.traits and inside else None


def led_bars(rules: Rules, battle: Battle, led: Sequence[Unit], here: str, there: str) -> Problem | None:
    """Return why those who are led cannot follow a step: what bars a horse, or a prisoner in his armour, bars
    whoever leads one; None if they can.
    """
    return first_problem(
        ways_bars(rules, battle, beast, here, there)
        or first_problem(bar(here, there) for bar in kept_out(rules, battle, beast))
        for beast in led
    )


def entry_cost(rules: Rules, battle: Battle, unit: Unit, there: str) -> int:
    """Return the points for entering a hex: those of its ground, and of the bodies in it."""
    return ground_cost(rules, battle, unit, there) + climbing(rules, weight(rules, battle, hex_of(there)))


@rule("S1.6b")
def ground_cost(rules: Rules, battle: Battle, unit: Unit, there: str) -> int:
    """Return the points for entering the ground of a hex."""
    ground = terrain.terrain_at(rules, battle, there)
    return max(cost_of(unit, ground) or 0, heavy_going(rules, unit, ground))
