"""What an order file was understood as: one line an order, with ways and costs, ranges and odds, before
anything is rolled.

It shows the course of things if no die hurts anybody; what may be otherwise is said by the doubts of
``judge``. It decides nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from pbem.core.problem import Problem
from pbem.core.ruleset import Ruleset
from pbem.core.table import die_faces
from pbem.rulesets.siege.combat import (
    aiming,
    fire_arrows,
    may_attack,
    melee_odds,
    ranges,
    shooting,
    shot_odds,
)
from pbem.rulesets.siege.ground import terrain
from pbem.rulesets.siege.judge.judge import Step
from pbem.rulesets.siege.march import movement, riding
from pbem.rulesets.siege.march.walk import Walk
from pbem.rulesets.siege.orders import grammar
from pbem.rulesets.siege.state import family
from pbem.rulesets.siege.state.deed import deeds
from pbem.rulesets.siege.state.line import Aim
from pbem.rulesets.siege.state.orders import (
    Act,
    Attack,
    FireEngine,
    Line,
    Move,
    MoveBy,
    Order,
    Place,
    Shoot,
    Skill,
)
from pbem.rulesets.siege.state.state import Battle, Unit
from pbem.rulesets.siege.things import treks

Rules = Ruleset[Battle]
Row = tuple[str, str, str]
"""Who, what, and what there is to know of it; of a condition only what it says."""

_WIDEST = 24


def forecast(rules: Rules, course: Sequence[Step]) -> list[str]:
    """Return one line for each order as it was understood, columns one below the other."""
    rows: list[Row] = []
    for step in course:
        inner = "  " * step.depth
        if step.branch == "otherwise":
            rows.append((f"{inner[2:]}otherwise:", "", ""))
        if isinstance(step.item, Line):
            who, what, more = row(rules, step.battle, step.item.order)
            rows.append((inner + who, what, "" if step.refused else more))
        else:
            known = {True: " (it is so)", False: " (it is not so)", None: ""}[step.taken]
            rows.append((f"{inner}if {step.item.condition.text}{known}:", "", ""))
    return _aligned(rows)


def _aligned(rows: Sequence[Row]) -> list[str]:
    first = min(max(map(len, [who for who, what, _ in rows if what]), default=0), _WIDEST)
    second = min(max(map(len, [what for _, what, more in rows if more]), default=0), _WIDEST)
    return [f"{who:<{first}}  {what:<{second}}  {more}".rstrip() for who, what, more in rows]


def row(rules: Rules, battle: Battle, order: Order) -> Row:
    """Return who does what, and what there is to know of it, as things stand."""
    match order:
        case Attack():
            return _attack(rules, battle, order)
        case Move() | MoveBy():
            walk = movement.plan(rules, battle, order)
            if isinstance(walk, Problem):
                return order.who, _verb(rules, order), ""
            return order.who, _way(walk), f"{walk.cost} of {walk.of} MP"
        case Shoot() if order.fire:
            return _fire_arrow(rules, battle, order)
        case FireEngine():
            return _engine(rules, battle, order)
        case Shoot():
            return _shot(rules, battle, order)
        case Place():
            facing = f" facing {order.facing}" if order.facing else ""
            return (
                order.who,
                f"stands in {' '.join(order.at)}{facing}",
                terrain.terrain_at(rules, battle, order.at[0]).title,
            )
        case Skill():
            return (
                order.who,
                f"has skill {order.value:+d}" if order.value else "has skill 0",
                "added to the die of his shots",
            )
        case Act():
            return _act(rules, battle, order)
        case _:
            return "", grammar.say(rules, order), ""


def _verb(rules: Rules, order: Move | MoveBy) -> str:
    return grammar.say(rules, order).removeprefix(f"{order.who} ")


def _shot(rules: Rules, battle: Battle, order: Shoot) -> Row:
    shooter = battle.units[order.who]
    ready = aiming.not_ready(rules, battle, shooter) is None
    chosen = shooting.choose(rules, battle, shooter, order.at) if ready else []
    if isinstance(chosen, list):
        return order.who, f"shoots at {' or '.join(order.at)}", ""
    return order.who, f"shoots at {chosen[0].id}", _about_shot(rules, battle, shooter, order, *chosen)


def _engine(rules: Rules, battle: Battle, order: FireEngine) -> Row:
    from pbem.rulesets.siege.combat import volleys

    chosen = volleys.choose(rules, battle, order) if volleys.not_ready(rules, battle, order) is None else []
    if isinstance(chosen, list):
        return order.who, f"fires {order.engine} at {' or '.join(order.at)}", ""
    told = _about_shot(rules, battle, volleys.shooter_of(battle, order), order, *chosen)
    return order.who, f"fires {order.engine} at {chosen[0].id}", told


def _fire_arrow(rules: Rules, battle: Battle, order: Shoot) -> Row:
    found = fire_arrows.choose(rules, battle, order)
    if isinstance(found, list):
        return order.who, f"shoots fire at {' or '.join(order.at)}", ""
    if isinstance(found, tuple):
        return (
            order.who,
            f"shoots fire at {found[0].id}",
            _about_shot(rules, battle, battle.units[order.who], order, *found),
        )
    faces = fire_arrows.faces(rules, battle, battle.units[order.who], found)
    told = f"{found.hex} catches fire on {faces} of {die_faces(rules.tables['fire'])}"
    return order.who, f"shoots fire at {found.name}", told


def _about_shot(
    rules: Rules, battle: Battle, shooter: Unit, order: Shoot | FireEngine, target: Unit, aimed: Aim
) -> str:
    """Return what there is to know of a shot."""
    others = [name for name in order.at if name not in (target.id, grammar.NEAREST)]
    weapon = ranges.weapon_of(rules, battle, shooter).replace("_", " ")
    hexes = f"{aimed.line.range} {'hex' if aimed.line.range == 1 else 'hexes'}"
    cover = f"{aimed.cover if aimed.cover != 'none' else 'no'} cover"
    parts = [weapon, hexes, f"{aimed.band} range", cover]
    parts += [
        f"{m.shift:+d} {m.label} ({m.rule})"
        for m in shot_odds.tally(rules, battle, shooter, ranges.shot_at(target, aimed)).modifiers
    ]
    parts += [f"else {' or '.join(others)}"] if others else []
    return ", ".join(parts)


def _attack(rules: Rules, battle: Battle, order: Attack) -> Row:
    attackers = [battle.units[id_] for id_ in order.who]
    defenders = [battle.units[id_] for id_ in order.at]
    written = family.of(rules).melee.written
    demand = f", only at {written(order.least)} or better" if order.least else ""
    what = f"attack{'s' if len(order.who) == 1 else ''} {', '.join(order.at)}"
    of = melee_odds.combat(rules, battle, attackers, defenders)
    weak = of.attack < of.defence
    refused = may_attack.group_why_not(rules, battle, attackers, defenders) if weak else None
    if refused and refused.code == "melee.odds":
        return ", ".join(order.who), what, f"{of.attack} against {of.defence}: less than {written(1)}{demand}"
    mounted = " for riders" if of.table.name == "combat_mounted" else ""
    return ", ".join(order.who), what, f"{of.tally}: column {of.heading}{mounted}{demand}"


def _act(rules: Rules, battle: Battle, order: Act) -> Row:
    deed = deeds(rules)[order.do]
    who = order.what if deed.engine else ", ".join(order.who)
    what = grammar.say(rules, order).removeprefix(f"{who} ")
    if deed.work is not None:
        return who, what, "takes the whole turn"
    if deed.about is not None:
        return who, what, deed.about(rules, battle, order)
    found = way_of(rules, battle, order)
    if found is None or isinstance(found, Problem):
        return who, what, ""
    walk = found.walk if isinstance(found, treks.Trek) else found
    off = 1 if order.do == "leave" else 0  # the step off the map costs a point that the way leaves out
    return who, what, f"{_way(walk)}, {walk.cost + off} of {walk.of + off} MP"


def way_of(rules: Rules, battle: Battle, order: Act) -> Walk | treks.Trek | Problem | None:
    """Return the way that a deed takes, or why there is none; None for one that goes nowhere."""
    deed = deeds(rules)[order.do]
    found: Walk | treks.Trek | Problem | None = (
        deed.way(rules, battle, order) if deed.way is not None else None
    )
    return found


def _way(walk: Walk) -> str:
    """Return the places of a way, and of two hexes the side to which it ends looking."""
    facing = f" facing {riding.figure(walk.ends).partition(' ')[2]}" if walk.tails else ""
    return " ".join(walk.places) + facing
