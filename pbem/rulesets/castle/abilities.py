"""Abilities: leaders and poison at the beginning of a turn, and what a warrior does with the others instead
of an attack.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from pbem.core.odds import Tally
from pbem.core.play import Play
from pbem.core.problem import Problem, first_problem
from pbem.core.rule import rule
from pbem.geometry.plane import TURN, Point, inches
from pbem.rulesets.castle import assault, moves, ranged
from pbem.rulesets.castle.arcs import in_front
from pbem.rulesets.castle.attack import CRITICAL, HIT, affected, damage, tally, throw, value
from pbem.rulesets.castle.dial import Rules, can, heal, hurt, row
from pbem.rulesets.castle.events import Frozen, Led, Returned, Rolled
from pbem.rulesets.castle.facing import COMPASS, facing_of
from pbem.rulesets.castle.movement import Walk, as_far, down, has_room, landing, speed, standing_on
from pbem.rulesets.castle.orders import CONFUSES, FREEZES, HEALS, LEVITATES, RETURNS, SHOCKS, Order
from pbem.rulesets.castle.ruin import settle
from pbem.rulesets.castle.sight import in_line
from pbem.rulesets.castle.space import enemies_at, in_contact, radius
from pbem.rulesets.castle.state import Figure, Section, War

One = Figure | Section
ABILITIES: Final[Mapping[str, tuple[str, ...]]] = {
    HEALS: ("healing", "magic-healing"),
    CONFUSES: ("confusion",),
    FREEZES: ("freeze",),
    LEVITATES: ("levitation",),
    RETURNS: ("necromancy",),
    SHOCKS: ("shockwave",),
}
"""What is ordered with which ability."""
PLACES: Final = 16
"""How many places round a base are tried for somebody who is brought back to it."""


# --- at the beginning of a turn


@rule("MKB22")
def leaders(rules: Rules, play: Play[War], side: str) -> None:
    """Roll for each leader of a side whether it gets more done in this turn."""
    table = rules.tables["attacks"]["leader"]
    for one in play.state.up:
        if one.side == side and can(rules, one, "leader"):
            label = f"lead/{one.id}"
            (face,) = play.roll(label, table["sides"])
            play.happen(Rolled(f"{play.cursor}/{label}", table["sides"], (face,), "MKB22"))
            play.happen(Led(one.id, face, table["actions"] if face >= table["from"] else 0))


@rule("MKB22")
def poisons(rules: Rules, play: Play[War], side: str) -> None:
    """Turn the dials of the enemies at the base of each poisoner of a side: no section is ever at one."""
    clicks = rules.tables["attacks"]["poison"]
    for one in play.state.up:
        if one.side != side or not can(rules, one, "poison"):
            continue
        for enemy in enemies_at(rules, play.state, one):
            hurt(rules, play, enemy.id, clicks, "poison")
            settle(rules, play, enemy.id)


# --- what keeps somebody from using one


@rule("MKB22")
def has_none(rules: Rules, one: One, do: str) -> Problem | None:
    """Return why somebody cannot do what an ability is needed for, or None."""
    wanted = ABILITIES[do]
    if any(can(rules, one, ability) for ability in wanted):
        return None
    return Problem("castle.no-ability", {"who": one.name, "ability": " or ".join(wanted)}, rule="MKB22")


def unaffected(target: One, do: str) -> Problem | None:
    """Return why an ability does nothing to somebody, or None."""
    if affected(target):
        return None
    return Problem("castle.unaffected", {"who": target.name, "ability": ABILITIES[do][-1]}, rule="MK3.2")


@rule("MK3.3")
def stays_rubble(target: One) -> Problem | None:
    """Return why somebody cannot be brought back, or None: a section cannot."""
    if isinstance(target, Section):
        return Problem("castle.no-return", {"who": target.name}, rule="MK3.3")
    return None


def why_not(rules: Rules, war: War, units: Sequence[One], order: Order) -> Problem | None:
    """Return why an ability cannot be used as ordered, or None."""
    one = units[0]
    if len(units) > 1:
        return Problem("castle.ability-alone", rule="MKB22")
    if (problem := has_none(rules, one, order.do)) is not None or not isinstance(one, Figure):
        return problem
    if order.do == SHOCKS:
        return no_shockwave(rules, war, one)
    target = war.one(order.targets[0])
    if (
        problem := (stays_rubble(target) if order.do == RETURNS else unaffected(target, order.do))
    ) is not None:
        return problem
    if order.facing and facing_of(war, one, order.facing) is None:
        return Problem("castle.facing", {"facing": order.facing}, rule="MKB5")
    return _WHY_NOT[order.do](rules, war, one, target, order) if isinstance(target, Figure) else None


@rule("MKB22")
def no_healing(rules: Rules, war: War, one: Figure, friend: Figure, order: Order) -> Problem | None:
    """Return why somebody cannot heal a friend, or None: at his base and before him, or with magic as a shot
    would go.
    """
    if (problem := no_friend(one, friend)) is not None:
        return problem
    args = {"who": one.name, "target": friend.name}
    if heals_close(rules, war, one, friend):
        return None if in_front(rules, one, friend) else Problem("castle.not-before", args, rule="MKB11")
    if not can(rules, one, "magic-healing"):
        return Problem("castle.not-in-contact", args, rule="MKB22")
    if enemies_at(rules, war, one):
        return Problem("castle.enemy-at-base", {"who": one.name}, rule="MKB12")
    return ranged.out_of_sight(rules, war, one, friend, ranged.reach_of(rules, one))


def heals_close(rules: Rules, war: War, one: Figure, friend: Figure) -> bool:
    """Tell whether somebody heals a friend at his base, and not from afar."""
    return can(rules, one, "healing") and in_contact(rules, war, one, friend)


def no_friend(one: Figure, friend: Figure) -> Problem | None:
    """Return why somebody is nobody's friend whom he could help, or None."""
    if friend.side == one.side and friend.id != one.id and not friend.out and not friend.captor:
        return None
    return Problem("castle.no-friend", {"who": one.name, "target": friend.name}, rule="MKB22")


def no_spell(rules: Rules, war: War, one: Figure, enemy: Figure, order: Order) -> Problem | None:
    """Return why somebody cannot confuse or freeze an enemy, or None: it goes as a shot does."""
    return ranged.no_shot(rules, war, one, enemy)


@rule("MKB22")
def no_levitation(rules: Rules, war: War, one: Figure, friend: Figure, order: Order) -> Problem | None:
    """Return why somebody cannot lift a friend at his base to somewhere, or None."""
    if (problem := no_friend(one, friend)) is not None:
        return problem
    if not in_contact(rules, war, one, friend):
        args = {"who": one.name, "target": friend.name}
        return Problem("castle.not-in-contact", args, rule="MKB22")
    found = lifted(rules, war, friend, order)
    x, y = found.path[-1]
    if has_room(rules, war, replace(friend, x=x, y=y, on=found.on)):
        return None
    return Problem("castle.no-spot", {"who": friend.name}, rule="MKB22")


@rule("MKB22")
def no_return(rules: Rules, war: War, one: Figure, friend: Figure, order: Order) -> Problem | None:
    """Return why somebody cannot be brought back, or None: he has to be out of the game, a friend, and there
    has to be room for him.
    """
    if not friend.out or friend.captor or friend.side != one.side:
        return Problem("castle.no-return", {"who": friend.name}, rule="MKB22")
    if returned(rules, war, one, friend, order.at) is None:
        return Problem("castle.no-spot", {"who": friend.name}, rule="MKB22")
    return None


_WHY_NOT: Final[Mapping[str, Callable[[Rules, War, Figure, Figure, Order], Problem | None]]] = {
    HEALS: lambda *of: no_healing(*of),
    CONFUSES: lambda *of: no_spell(*of),
    FREEZES: lambda *of: no_spell(*of),
    LEVITATES: lambda *of: no_levitation(*of),
    RETURNS: lambda *of: no_return(*of),
}


def no_shockwave(rules: Rules, war: War, one: Figure) -> Problem | None:
    """Return why somebody cannot send out a shockwave, or None."""
    if not ranged.shoots_at_all(rules, one):
        return Problem("castle.no-missiles", {"who": one.name}, rule="MKB12")
    if enemies_at(rules, war, one):
        return Problem("castle.enemy-at-base", {"who": one.name}, rule="MKB12")
    if within_the_wave(rules, war, one):
        return None
    args = {"who": one.name, "inches": inches(_wave(rules, one))}
    return Problem("castle.no-wave", args, rule="MKB22")


def _wave(rules: Rules, one: Figure) -> int:
    return ranged.reach_of(rules, one) // int(rules.tables["attacks"]["shockwave"]["share"])


@rule("MKB22")
def within_the_wave(rules: Rules, war: War, one: Figure) -> tuple[One, ...]:
    """Return whom a shockwave reaches: friend and enemy within half the range, all round, to whom the line is
    free, and sections that he may attack.
    """
    reach = _wave(rules, one)
    return tuple(
        other
        for other in war.left
        if other.id != one.id
        and ranged.in_range(rules, one, other, reach)
        and not in_line(rules, war, one, other)
        and not (
            isinstance(other, Section)
            and first_problem(assault.problems(rules, war, one, other, assault.RANGED))
        )
    )


# --- where somebody comes to stand


@rule("MKB22")
def lifted(rules: Rules, war: War, friend: Figure, order: Order) -> Walk:
    """Return how a friend is levitated: over everything, at most so far."""
    way = moves.way_of(rules, war, friend, order)
    flight = as_far((friend.at, *way), rules.tables["measures"]["levitation"])
    found = landing(rules, war, friend, flight)
    return replace(down(rules, war, friend, found), stopped="") if order.toward else found


def returned(rules: Rules, war: War, one: Figure, friend: Figure, at: Point | None) -> Figure | None:
    """Return how somebody stands who is brought back: where it is said, else at the first free place round
    the base of who does it, clockwise from its front; None where there is no room.
    """
    reach = radius(rules, one) + radius(rules, friend)
    places = (
        [at]
        if at is not None
        else [moves.ahead(one.at, (one.facing + n * TURN // PLACES) % TURN, reach) for n in range(PLACES)]
    )
    for x, y in places:
        there = replace(friend, x=x, y=y, facing=one.facing, on=one.on, out=False)
        if one.on:
            there = replace(there, on=standing_on(rules, war, there))
            if not there.on:
                continue
        if in_contact(rules, war, there, one) and has_room(rules, war, there):
            return there
    return None


# --- what it does


def rolls(rules: Rules, war: War, order: Order) -> Iterator[tuple[Tally, Tally, int]]:
    """Yield attack, defence and clicks of each roll that the use of an ability needs."""
    one = war.figure(order.who[0])
    if order.do == SHOCKS:
        clicks = rules.tables["attacks"]["shockwave"]["damage"]
        for other in within_the_wave(rules, war, one):
            yield (*ranged.values(rules, war, (one,), other), clicks)
    elif order.do == HEALS:
        target = war.one(order.targets[0])
        yield (*_plain(rules, one, target), value(rules, one, "damage"))
    elif order.do in (CONFUSES, FREEZES):
        yield (*ranged.values(rules, war, (one,), war.one(order.targets[0])), 0)


def _plain(rules: Rules, one: One, target: One) -> tuple[Tally, Tally]:
    attack = tally(value(rules, one, "attack"), "attack", ())
    return attack, tally(value(rules, target, "defence"), "defence", ())


def use(rules: Rules, play: Play[War], order: Order) -> None:
    """Carry out what is done with an ability."""
    one = play.state.figure(order.who[0])
    if order.do == SHOCKS:
        shockwave(rules, play, one)
        return
    target = play.state.figure(order.targets[0])
    if order.do == HEALS:
        heals(rules, play, one, target)
    elif order.do == FREEZES:
        freezes(rules, play, one, target)
    elif order.do == CONFUSES:
        confuses(rules, play, one, target, order)
    elif order.do == LEVITATES:
        levitates(rules, play, target, order)
    else:
        brings_back(rules, play, one, target, order)


@rule("MKB22")
def shockwave(rules: Rules, play: Play[War], one: Figure) -> None:
    """Roll against everyone whom a shockwave reaches."""
    clicks = rules.tables["attacks"]["shockwave"]["damage"]
    for id_ in [other.id for other in within_the_wave(rules, play.state, one)]:
        war = play.state
        now, other = war.figure(one.id), war.one(id_)
        if now.out:
            return
        if other.out:
            continue
        attack, defence = ranged.values(rules, war, (now,), other)
        came = throw(rules, play, f"wave/{one.id}/{id_}", (one.id,), id_, "shockwave", attack, defence)
        if came in (HIT, CRITICAL):
            damage(rules, play, one.id, id_, clicks, came, "shockwave")


@rule("MKB22")
def heals(rules: Rules, play: Play[War], one: Figure, friend: Figure) -> None:
    """Roll for a healing: what would be damage turns the friend's dial back."""
    how = "healing" if heals_close(rules, play.state, one, friend) else "magic healing"
    attack, defence = _plain(rules, one, friend)
    came = throw(rules, play, f"heal/{one.id}/{friend.id}", (one.id,), friend.id, how, attack, defence)
    if came in (HIT, CRITICAL):
        more = rules.tables["attacks"]["critical_clicks"] if came == CRITICAL else 0
        heal(rules, play, friend.id, value(rules, one, "damage") + more, how)


def _cast(rules: Rules, play: Play[War], one: Figure, enemy: Figure, what: str, how: str) -> bool:
    """Roll for a spell on an enemy as for a shot."""
    attack, defence = ranged.values(rules, play.state, (one,), enemy)
    label = f"{what}/{one.id}/{enemy.id}"
    return throw(rules, play, label, (one.id,), enemy.id, how, attack, defence) in (HIT, CRITICAL)


@rule("MKB22")
def freezes(rules: Rules, play: Play[War], one: Figure, enemy: Figure) -> None:
    """Roll for a freeze: who is hit does not act in his owner's next turn."""
    if _cast(rules, play, one, enemy, "freeze", "freeze"):
        play.happen(Frozen(enemy.id))


@rule("MKB22")
def confuses(rules: Rules, play: Play[War], one: Figure, enemy: Figure, order: Order) -> None:
    """Roll for a confusion: who is hit goes where he is sent, if he breaks away."""
    if not _cast(rules, play, one, enemy, "confuse", "confusion"):
        return
    if moves.breaks_away(rules, play, enemy, one.id):
        found = moves.foreseen(rules, play.state, enemy, order)
        moves.moved(rules, play, enemy, found, _look(play.state, enemy, found.path[-1], order))


@rule("MKB22")
def levitates(rules: Rules, play: Play[War], friend: Figure, order: Order) -> None:
    """Lift a friend to where he is wanted."""
    found = lifted(rules, play.state, friend, order)
    moves.moved(rules, play, friend, found, _look(play.state, friend, found.path[-1], order))


def _look(war: War, one: Figure, at: Point, order: Order) -> int | None:
    return facing_of(war, replace(one, x=at[0], y=at[1]), order.facing) if order.facing else None


@rule("MKB22")
def brings_back(rules: Rules, play: Play[War], one: Figure, friend: Figure, order: Order) -> None:
    """Bring a friend back on the last click of his dial."""
    there = returned(rules, play.state, one, friend, order.at)
    if there is not None:
        last = len(row(rules, friend)["dial"]) - 1
        play.happen(Returned(friend.id, there.x, there.y, there.facing, last, there.on))


# --- what may be ordered


def every(rules: Rules, war: War, one: Figure) -> Iterator[Order]:
    """Yield what somebody might do with his abilities: to everybody, and in eight directions."""
    who = (one.id,)
    for do in ABILITIES:
        if has_none(rules, one, do) is not None:
            continue
        if do == SHOCKS:
            yield Order(who, do)
            continue
        for other in war.figures:
            if do not in (CONFUSES, LEVITATES):
                yield Order(who, do, (other.id,))
                continue
            lift = rules.tables["measures"]["levitation"]
            far = lift if do == LEVITATES else speed(rules, war, other)
            for word in range(len(COMPASS)):
                yield Order(who, do, (other.id,), heading=word * (TURN // len(COMPASS)), far=far)
