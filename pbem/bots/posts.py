"""Where the sergeant posts those who make no attack: on the place to hold, near the enemy, behind cover, out
of harm's way, or out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from pbem.bots import arms, breach, sally, siegecraft, walls
from pbem.bots.aims import Aims
from pbem.bots.survey import FAR, Survey
from pbem.core.ruleset import Ruleset
from pbem.geometry.hex import distance, hex_of, neighbours
from pbem.rulesets.anarchy.stones import STONES, supplies
from pbem.rulesets.siege.ground import terrain
from pbem.rulesets.siege.march import step
from pbem.rulesets.siege.scenario import placing, setup
from pbem.rulesets.siege.state.field import BATTLEMENT, Force
from pbem.rulesets.siege.state.orders import Place
from pbem.rulesets.siege.state.state import WOUNDED, Battle, Thing, Unit
from pbem.rulesets.siege.things import works

Rules = Ruleset[Battle]
SHOT = 7
"""So far from the nearest enemy a shooter likes to stand."""
FIRE = 10
"""So far fire arrows carry from any bow."""
SAFE = 6
"""Nobody goes farther from the nearest enemy to be safe whose death would end the battle."""
IN_REACH = 1
"""So far from a supply stones are thrown well."""
THROWN = 5
"""So much better is a place on a wall from which they are thrown at somebody."""
QUICK = 6
"""Who has so many points can go into a moat with a ladder."""
SHELTER: Mapping[str, int] = {"light": 1, "medium": 2, "heavy": 3}


def posts(
    survey: Survey, aims: Aims, rest: Sequence[Unit], reached: Mapping[str, Mapping[str, int]]
) -> Iterator[tuple[Unit, str]]:
    """Yield each of those who are left with the hex where it goes; the caller puts it there before the next
    is asked for.
    """
    keepers = _keepers(survey, aims, rest)
    sallying = sally.parties(survey, aims)
    to_foes = survey.far_from(hex_ for foe in survey.foes for hex_ in foe.hexes)
    for unit in sorted(
        rest, key=lambda unit: (unit.id not in keepers, to_foes.get(unit.hexes[0], FAR), unit.id)
    ):
        goals = (
            sally.beside(survey.battle, sallying[unit.id])
            if unit.id in sallying
            else _goals(survey, aims, unit, unit.id in keepers)
        )
        pull = survey.way(goals) if goals else to_foes
        best = max(
            (hex_ for hex_ in reached[unit.id] if survey.free(hex_, unit.id)),
            key=lambda hex_: (
                _liking(survey, aims, unit, hex_, pull, bool(goals)),
                -reached[unit.id][hex_],
                hex_,
            ),
            default=unit.hexes[0],
        )
        yield unit, best


def _keepers(survey: Survey, aims: Aims, rest: Sequence[Unit]) -> set[str]:
    """Return those who go and stay where the points are: as many as the place holds and one more, the nearest
    sound ones.
    """
    if not aims.hold:
        return set()
    sound = [unit for unit in rest if unit.state != WOUNDED and unit.id not in (*aims.leave, *aims.spared)]
    near = sorted(
        sound,
        key=lambda unit: (
            arms.shoots(survey.rules, survey.battle, unit),
            _nearest(unit.hexes[0], aims.hold),
            unit.id,
        ),
    )
    return {unit.id for unit in near[: len(aims.hold) + 1]}


def _nearest(hex_: str, hexes: Sequence[str]) -> int:
    return min((distance(hex_, there) for there in hexes), default=0)


def _goals(survey: Survey, aims: Aims, unit: Unit, keeps: bool) -> tuple[str, ...]:
    """Return the hexes a figure makes for; empty: the enemy."""
    if unit.id in aims.spared:
        return ()
    if unit.id in aims.leave:
        return aims.leave[unit.id]
    if aims.bars and not arms.shoots(survey.rules, survey.battle, unit) and (gap := _gap(survey)):
        return gap
    if breach.gathers(survey.battle, aims):
        return () if arms.shoots(survey.rules, survey.battle, unit) else breach.line(survey)
    if keeps and not (survey.storms and aims.press and not walls.ways_up(survey.battle, aims.side)):
        return aims.hold
    if (
        aims.fetch
        and not arms.shoots(survey.rules, survey.battle, unit)
        and (there := _treasure(survey, aims))
    ):
        return there
    if (
        aims.burn
        and not arms.shoots(survey.rules, survey.battle, unit)
        and (near := siegecraft.beside_what_burns(aims, survey.battle))
    ):
        return near
    if (
        survey.storms
        and (place := aims.gather.get(unit.id) or aims.hold)
        and not arms.shoots(survey.rules, survey.battle, unit)
    ):
        return (
            place
            if walls.ways_up(survey.battle, aims.side)
            else walls.behind_the_ladders(survey.battle, aims.side, aims.press) or place
        )
    return urgent(survey, aims, unit) or pressed(survey, aims, unit)


def _gap(survey: Survey) -> tuple[str, ...]:
    """Return where those who hold walls that are down make for: behind the rubble, and to whoever has come
    over it already; none while the walls stand.
    """
    gap = walls.gaps(survey.battle)
    ground = survey.battle.field.ground
    come = (hex_ for hex_ in survey.foe_at if gap and ground[hex_of(hex_)].id == walls.YARD)
    return tuple(sorted({*gap, *come}))


def _treasure(survey: Survey, aims: Aims) -> tuple[str, ...]:
    """Return where things are that are to be fetched and that nobody of the side carries yet."""
    things = [survey.battle.things[id_] for id_ in aims.fetch if id_ in survey.battle.things]
    return tuple(hex_ for thing in things if not survey.at.keys() & {*thing.by} for hex_ in thing.at)


def pressed(survey: Survey, aims: Aims, unit: Unit) -> tuple[str, ...]:
    """Return the battlements at which the enemy comes on, nearest to him, for those who hold the walls; none
    for all others.
    """
    if not aims.walls or not survey.foes:
        return ()
    engines = coming(survey.battle, aims)
    far = {
        top: min((distance(top, hex_) for hex_ in engines), default=survey.nearest_foe(top))
        for top in aims.walls
    }
    near = sorted(aims.walls, key=lambda top: (far[top], top))
    return tuple(top for top in near if far[top] <= far[near[0]] + 1)


def coming(battle: Battle, aims: Aims) -> tuple[str, ...]:
    """Return where the engines of the enemy are that have to be stopped before they break a wall which is to
    be kept standing.
    """
    return tuple(hex_ for thing in sally.engines(battle, aims) for hex_ in thing.at)


def on_a_wall(battle: Battle, hex_: str) -> bool:
    """Tell whether a place is on a wall-walk."""
    return hex_ in battle.field.ground and BATTLEMENT in battle.field.ground[hex_].traits


def urgent(survey: Survey, aims: Aims, unit: Unit) -> tuple[str, ...]:
    """Return the hexes that a figure has to make for now if it is to be where it counts at the end; empty
    while there is time.
    """
    place = aims.gather.get(unit.id, ()) or (
        aims.hold if not arms.shoots(survey.rules, survey.battle, unit) else ()
    )
    if not place or not aims.last:
        return ()
    pace = max(1, step.points(survey.rules, survey.battle, unit))
    turns = -(-2 * _nearest(unit.hexes[0], place) // pace)
    return place if aims.last - survey.battle.at.turn <= turns + 1 else ()


def in_time(survey: Survey, aims: Aims, unit: Unit, reached: Mapping[str, int]) -> Mapping[str, int]:
    """Return those of the hexes in reach that a figure can afford to go to: when time is short, the nearest
    ones to where it counts.
    """
    counts = aims.gather.get(unit.id, ())
    if survey.storms and unit.hexes[0] in counts:  # who is up does not come down again to strike
        return {hex_: cost for hex_, cost in reached.items() if hex_ in counts}
    place = urgent(survey, aims, unit)
    if not place:
        return reached
    way = survey.way(place)
    least = min(way.get(hex_, FAR) for hex_ in reached)
    return {hex_: cost for hex_, cost in reached.items() if way.get(hex_, FAR) <= least}


def _liking(survey: Survey, aims: Aims, unit: Unit, hex_: str, pull: Mapping[str, int], wanted: bool) -> int:
    """Return how much a figure likes a hex, in no unit in particular."""
    ground = terrain.terrain_at(survey.rules, survey.battle, hex_)
    sheltered = SHELTER.get(ground.cover, 0)
    risk = min(8, survey.danger(hex_) // max(1, survey.values[unit.id].defence))
    contact = survey.contact(hex_)
    near = survey.nearest_foe(hex_)
    far = pull.get(hex_, FAR)
    if wanted:
        stoned = THROWN * (contact > 0 and has_stones(survey.battle, aims, hex_))
        return -6 * far - risk - 2 * contact + sheltered + stoned
    if unit.id in aims.spared:
        return 6 * min(near, SAFE) - 3 * risk - 20 * contact + 2 * sheltered
    if unit.state == WOUNDED:
        return 6 * min(near, 10) - 3 * risk - 20 * contact + 2 * sheltered
    if arms.shoots(survey.rules, survey.battle, unit):
        if engines := coming(survey.battle, aims):  # from a wall, where fire arrows carry to them
            far = min(distance(hex_, place) for place in engines)
            return (
                12 * on_a_wall(survey.battle, hex_)
                - 4 * max(0, far - FIRE)
                - 15 * contact
                + 3 * sheltered
                - risk
            )
        return -4 * abs(near - SHOT) - 15 * contact + 3 * sheltered - risk
    favour = {"-": -3, "+": 3}.get(ground.melee_defender, 0)
    return (
        -4 * far
        + favour
        + 2 * min(3, survey.friends_beside(hex_, unit.id))
        - risk
        + sheltered
        - 3 * max(0, contact - 1)
    )


def placings(rules: Rules, battle: Battle, seat: str, aims: Aims) -> Iterator[str]:
    """Yield where everybody of a seat is placed: men of arms towards what is to be won,
    shooters behind them.
    """
    survey = Survey(rules, battle, aims.side)
    step = setup.step_of(battle)
    if "fill" in step.may and survey.storms and _fills_for_ladders(battle, aims.side):
        yield from (
            f"fill {hex_}" for hex_ in walls.to_fill(battle, aims.side, _beginning(battle, aims.side))
        )
    if "place" not in step.may:
        return
    if aims.walls:
        yield from garrison(rules, battle, seat, aims)
        return
    gaps = walls.gaps(battle) if aims.bars else ()
    if coming(battle, aims) and not gaps:
        yield from ready_to_sally(rules, battle, seat, aims)
        return
    teams = list(_ladder_teams(rules, battle, seat, aims)) if survey.storms else []
    yield from teams
    placed = {sentence.split(" at ")[0]: sentence.split(" at ")[1].split() for sentence in teams}
    goals = [hex_ for place in (aims.hold, *aims.gather.values()) for hex_ in place] or [
        hex_ for foe in survey.foes for hex_ in foe.hexes
    ]
    feet = [foot for foot, _, top in walls.feet(battle) if top == aims.press]
    goals = feet or list(gaps) or goals
    far = survey.far_from(dict.fromkeys(goals) or battle.field.ground)
    taken = {*battle.standing_at, *(hex_ for hexes in placed.values() for hex_ in hexes)}
    mine = [
        force
        for force in setup.waiting(battle)
        if battle.units[force.id].owner == seat and force.id not in placed
    ]
    for force in sorted(mine, key=lambda force: (*_rank(battle, force, bool(gaps)), force.id)):
        unit = battle.units[force.id]
        free = [
            hex_
            for hex_ in setup.region(battle, force)
            if hex_ not in taken
            and not (gaps and (hex_, "rubble") in battle.features)
            and setup.may_stand(rules, battle, unit, hex_) is None
        ]
        if free and unit.kind == "man":
            # To the foot of a wall in moat that is to be filled no way leads yet.
            hex_ = min(free, key=lambda hex_: (far.get(hex_, FAR + _nearest(hex_, feet)), hex_))
            taken.add(hex_)
            yield f"{force.id} at {hex_}"


def ready_to_sally(rules: Rules, battle: Battle, seat: str, aims: Aims) -> Iterator[str]:
    """Yield where those are placed who keep a wall under which the enemy is at work: shooters on the
    wall-walk, where fire arrows carry to his engines, all others on the shortest way out to them, the
    strongest in front.
    """
    at = coming(battle, aims)
    beside = tuple(hex_ for thing in sally.engines(battle, aims) for hex_ in sally.beside(battle, thing.id))
    way = Survey(rules, battle, aims.side, through=True).way(beside)
    taken = set(battle.standing_at)
    mine = [force for force in setup.waiting(battle) if battle.units[force.id].owner == seat]
    for force in sorted(mine, key=lambda force: (*_rank(battle, force, True), force.id)):
        unit = battle.units[force.id]
        free = [
            hex_
            for hex_ in setup.region(battle, force)
            if hex_ not in taken and setup.may_stand(rules, battle, unit, hex_) is None
        ]
        if not free or unit.kind != "man":
            continue
        if battle.field.people[force.person].missile:
            far = {hex_: min(distance(hex_, there) for there in at) for hex_ in free}
            hex_ = min(free, key=lambda hex_: (not on_a_wall(battle, hex_), far[hex_], hex_))
        else:
            hex_ = min(free, key=lambda hex_: (way.get(hex_, FAR), hex_))
        taken.add(hex_)
        yield f"{force.id} at {hex_}"


def _rank(battle: Battle, force: Force, by_strength: bool) -> tuple[bool, int]:
    """Return in which order somebody is placed: shooters last, at a gap the strongest first."""
    who = battle.field.people[force.person]
    return bool(who.missile), -who.states["healthy"].attack if by_strength and "healthy" in who.states else 0


def _fills_for_ladders(battle: Battle, side: str) -> bool:
    """Tell whether a side fills moat for its ladders: where it has nothing that is pushed to the wall, before
    which the moat is filled by itself, and in the assaults of a siege, for which towers are too slow.
    """
    gear = [*battle.things.values(), *(entry.thing for entry in battle.field.gear)]
    pushed = any(thing.side == side and thing.kind in works.ENGINES for thing in gear)
    return battle.field.siege is not None or not pushed


def _beginning(battle: Battle, side: str) -> list[str]:
    """Return where the figures of a side begin."""
    marks = {force.within for force in battle.field.forces if force.side == side and force.within}
    return sorted({hex_ for mark in marks for hex_ in battle.field.marks[mark]})


def garrison(rules: Rules, battle: Battle, seat: str, aims: Aims) -> Iterator[str]:
    """Yield where those who hold walls are placed: on battlements and behind slits, spread out towards where
    the enemy begins.
    """
    yield from stones(battle, aims.side)
    field = battle.field
    marks = {force.within for force in field.forces if force.side != aims.side and force.within}
    edge = [hex_ for mark in sorted(marks) for hex_ in field.marks[mark]] or list(field.ground)
    grounds = field.ground.items()
    top = {hex_ for hex_, ground in grounds if BATTLEMENT in ground.traits or ground.id == "arrow_slit"}
    near = {hex_: min(distance(hex_, there) for there in edge) for hex_ in top}
    taken = set(battle.standing_at)
    mine = [force for force in setup.waiting(battle) if battle.units[force.id].owner == seat]
    for force in sorted(mine, key=lambda force: (not field.people[force.person].missile, force.id)):
        unit = battle.units[force.id]
        free = [
            hex_
            for hex_ in setup.region(battle, force)
            if hex_ not in taken and setup.may_stand(rules, battle, unit, hex_) is None
        ]
        posts_ = [hex_ for hex_ in free if hex_ in top]
        if posts_ and unit.kind == "man":
            hex_ = min(
                posts_,
                key=lambda hex_: (near[hex_] + 2 * sum(distance(hex_, other) < 3 for other in taken), hex_),
            )
            taken.add(hex_)
            yield f"{force.id} at {hex_}"


def has_stones(battle: Battle, aims: Aims, hex_: str) -> bool:
    """Tell whether one on a battlement that is held has a supply of stones in reach."""
    return hex_ in aims.walls and any(
        distance(hex_, supply.at[0]) <= IN_REACH and supply.at[0] in aims.walls for supply in supplies(battle)
    )


def stones(battle: Battle, side: str) -> Iterator[str]:
    """Yield where a side places its supplies of stones: each where most battlements are in reach of it that
    none placed before serves.
    """
    served: set[str] = set()
    for entry in placing.waiting(battle):
        if (entry.thing.kind, entry.thing.side) == (STONES, side):
            reach = {
                hex_: {top for top in placing.region(battle, entry) if distance(hex_, top) <= IN_REACH}
                for hex_ in placing.region(battle, entry)
            }
            hex_ = max(reach, key=lambda hex_: (len(reach[hex_] - served), hex_))
            served |= reach[hex_]
            yield f"{entry.thing.id} at {hex_}"


def _lanes_to_come(rules: Rules, battle: Battle, side: str) -> frozenset[str]:
    """Return where engines will stand that are placed by default, and the lanes before them: they are left to
    them.
    """
    engines = [
        entry
        for entry in placing.waiting(battle)
        if entry.thing.kind in ("siege-tower", "ram") and entry.thing.side == side
    ]
    orders = [
        (entry.thing, order)
        for entry in engines
        if (order := placing.first(rules, battle, entry)) is not None
    ]
    stand = {
        thing.id: placed
        for thing, order in orders
        if (placed := _stood(rules, battle, thing, order)) is not None
    }
    return walls.lanes(battle.changed(things={**battle.things, **stand}), side, walls.WHOLE_WAY) | {
        hex_ for thing in stand.values() for hex_ in thing.at
    }


def _stood(rules: Rules, battle: Battle, thing: Thing, order: Place) -> Thing | None:
    moved = placing.placed(rules, battle, order)
    return replace(thing, at=moved.at, facing=moved.facing) if moved.facing else None


def _ladder_teams(rules: Rules, battle: Battle, seat: str, aims: Aims) -> Iterator[str]:
    """Yield where ladders are placed, each with two men who are strong and quick enough to go through a moat
    with it.
    """
    field = battle.field
    lanes = _lanes_to_come(rules, battle, aims.side)
    press = walls.pressed_on(battle, aims.side, lanes)
    feet = {foot for foot, _, top in walls.feet(battle) if top == press}

    men = [
        force
        for force in setup.waiting(battle)
        if battle.units[force.id].owner == seat and battle.units[force.id].kind == "man"
    ]
    strong = [
        force
        for force in men
        if not field.people[force.person].missile
        and field.people[force.person].states["healthy"].move >= QUICK
    ]
    strong.sort(key=lambda force: (-field.people[force.person].states["healthy"].attack, force.id))

    taken = {*battle.standing_at, *lanes}
    for entry in placing.waiting(battle):
        if entry.thing.kind != "ladder" or entry.thing.side != aims.side or len(strong) < 2 or not feet:
            continue
        one, other = strong[0], strong[-1]
        region = (
            set(placing.region(battle, entry))
            & set(setup.region(battle, one))
            & set(setup.region(battle, other)) - taken
        )

        near = {hex_: min(distance(hex_, foot) for foot in feet) for hex_ in region}
        pairs = (
            (near[hex_] + near[there], hex_, there)
            for hex_ in region
            for there in neighbours(hex_)
            if there in region
        )

        for _, hex_, there in sorted(pairs)[:1]:
            taken |= {hex_, there}
            strong = strong[1:-1]
            yield f"{one.id} at {hex_}"
            yield f"{other.id} at {there}"
            yield f"{entry.thing.id} at {hex_} {there}"
