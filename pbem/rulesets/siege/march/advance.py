"""Advance after combat: which victor may go forward, where to and how far."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from pbem.core.play import Play
from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.core.table import die_faces, row_of
from pbem.geometry.path import Cost
from pbem.rulesets.siege.ground import counter, elevation, stacking
from pbem.rulesets.siege.ground.character import dangerous
from pbem.rulesets.siege.march import movement, riding, step
from pbem.rulesets.siege.orders import choices
from pbem.rulesets.siege.state import family, rows
from pbem.rulesets.siege.state.events import Advanced, OrderSkipped, Rolled
from pbem.rulesets.siege.state.state import DEAD, STUNNED, Battle, Unit

Rules = Ruleset[Battle]
NEVER = "never"


@rule("S1.73f")
def after_combat(
    rules: Rules, play: Play[Battle], victors: Sequence[str], vacated: Sequence[str], cause: int, label: str
) -> None:
    """Let the winning side advance one of its figures into a hex the loser left, if its owner wants that;
    tell where none can.
    """
    if not gives_right(vacated):
        return
    willing = [id_ for id_ in took_part(victors) if _wants(rules, play.state, id_, vacated)]
    if not willing:
        for id_ in took_part(victors):
            _told_in_vain(play, id_, vacated, ("by", "into"))
        return
    ranked = choices.weakest_first(rules, play.state, willing)
    who = choices.pick(
        rules,
        play,
        about="advance-who",
        unit=ranked[-1],
        choices=ranked,
        default=ranked[-1],
        rule="S1.73a",
        why="the enemy gave way",
        wanted=choices.by_strength(rules, play.state, willing),
    )
    _go(rules, play, who, vacated, cause, label)


@rule("S1.73e")
def took_part(victors: Sequence[str]) -> list[str]:
    """Return those of whom one may advance: only figures that took part in the combat."""
    return sorted(victors)


@rule("S1.73a", "S1.73h")
def gives_right(vacated: Sequence[str]) -> bool:
    """Tell whether a combat lets the winner advance: somebody had to give way or was killed; a stun or wound
    alone does not.
    """
    return bool(vacated)


@rule("S1.73j")
def fit_to_advance(unit: Unit) -> bool:
    """Tell whether a victor can go forward: not stunned; a wounded one can, at half of his
    wounded allowance.
    """
    return unit.able


def _wants(rules: Rules, battle: Battle, id_: str, vacated: Sequence[str]) -> bool:
    """Tell whether a figure may advance at all, and its owner has not said never: without a word nobody
    advances.
    """
    unit = battle.units[id_]
    said = choices.instruction(battle, id_, "advance")
    if not fit_to_advance(unit) or unit.mood:
        return False
    wanted = choices.asks(rules, said) or said not in ("", NEVER)
    return wanted and bool(ways(rules, battle, unit, vacated))


def _open_ways(
    rules: Rules, battle: Battle, unit: Unit, vacated: Sequence[str]
) -> Mapping[str, tuple[tuple[str, ...], int]]:
    """Return the ways that are open to a victor; where his owner names the hexes, his way to the end of them
    is exactly that one.
    """
    verb, *hexes = choices.instruction(battle, unit.id, "advance").split() or [""]
    found = ways(rules, battle, unit, vacated)
    exact = along(rules, battle, unit, vacated, hexes) if verb == "by" else None
    return {**found, riding.head(exact[0][-1]): exact} if exact else found


def _go(rules: Rules, play: Play[Battle], id_: str, vacated: Sequence[str], cause: int, label: str) -> None:
    unit = play.state.units[id_]
    open_ways = _open_ways(rules, play.state, unit, vacated)
    to = choices.pick(
        rules,
        play,
        about="advance",
        unit=id_,
        choices=[NEVER, *open_ways],
        default=NEVER,
        rule="S1.73a",
        why="the enemy gave way",
        wanted=_wanted(rules, play.state, unit, open_ways, vacated),
        kind="path",
    )
    if to == NEVER:
        _told_in_vain(play, id_, vacated, ("by",))
        return
    stands, cost = open_ways[to]
    path = [riding.head(there) for there in stands]
    limit = points(rules, play.state, unit)
    if pass_roll := risky(rules, play.state, unit, path):
        _roll_for_passing(rules, play, id_, label, cause)
        if play.state.units[id_].at != unit.at:
            return  # a rider who is hit so that he falls lies beside his horse, and goes nowhere
        if play.state.units[id_].state == DEAD:
            stands = stands[: path.index(pass_roll) + 1]
    tails = riding.as_walk(stands, cost, limit).tails if riding.two_hexes(unit) else ()
    play.happen(Advanced(id_, tuple(path[: len(stands)]), cost, limit, cause, "S1.73a", tails))


def _told_in_vain(play: Play[Battle], id_: str, vacated: Sequence[str], verbs: Sequence[str]) -> None:
    """Tell of a figure that was instructed to go forward, by one of these words, and cannot; nothing of one
    that is not up to it.
    """
    unit, said = play.state.units[id_], choices.instruction(play.state, id_, "advance")
    if said.partition(" ")[0] in verbs and fit_to_advance(unit) and not unit.mood:
        args = {"unit": id_, "left": ", ".join(sorted(vacated))}
        play.happen(OrderSkipped(unit.owner, "", f"{id_}: advance: {said}", "advance.barred", "S1.73a", args))


@rule("S1.73b")
def half(allowance: int) -> int:
    """Return what an advance may cost: half of the movement allowance, rounded down."""
    return allowance // 2


@rule("EN1.73a")
def hex_limit(rules: Rules, unit: Unit) -> int:
    """Return how many hexes an advance may lead through, 0 for no such limit: two on foot, three mounted,
    where the option says so.
    """
    if rules.setting("advance_limit") != "fixed_2_foot_3_mounted":
        return 0
    return rows.hexes(rules, "advance_mounted" if unit.on else "advance_foot")


def points(rules: Rules, battle: Battle, unit: Unit) -> int:
    """Return the movement points of an advance."""
    allowance = step.printed_allowance(rules, battle, unit)
    return allowance if hex_limit(rules, unit) else half(allowance)


def ways(
    rules: Rules, battle: Battle, unit: Unit, vacated: Sequence[str]
) -> Mapping[str, tuple[tuple[str, ...], int]]:
    """Return every hex where an advance may end: hex -> (how the figure stands on the way there, cost), in
    the order they are reached.
    """
    known, asked = battle.asked[rules], ("advance", battle.called(unit), *vacated)
    found: Mapping[str, tuple[tuple[str, ...], int]] | None = known.get(asked)
    if found is None:
        found = known[asked] = _ways(rules, battle, unit, vacated)
    return found


def _ways(
    rules: Rules, battle: Battle, unit: Unit, vacated: Sequence[str]
) -> dict[str, tuple[tuple[str, ...], int]]:
    found: dict[str, tuple[tuple[str, ...], int]] = {}
    begin, price = movement.stand(unit), _price(rules, battle, unit)
    for first in first_steps(rules, battle, unit, vacated):
        for path, spent in _on_from(rules, battle, unit, first, price):
            if riding.head(path[-1]) not in found and movement.may_end(rules, battle, unit, path[-1]):
                found[riding.head(path[-1])] = ((begin, *path), spent)
    return found


def first_steps(rules: Rules, battle: Battle, unit: Unit, vacated: Sequence[str]) -> list[str]:
    """Return how an advance may begin: a rider leads it with the head of his horse."""
    onward = movement.onward(rules, battle, unit, movement.stand(unit))
    steps = [
        there for hex_ in first_hexes(battle, unit, vacated) for there in onward if riding.head(there) == hex_
    ]
    return [there for there in steps if may_enter_first(rules, battle, unit, there)]


@rule("S1.73c")
def first_hexes(battle: Battle, unit: Unit, vacated: Sequence[str]) -> list[str]:
    """Return the hexes an advance may begin with: those the loser left or was killed in, next to the victor,
    by number.
    """
    return sorted(set(vacated) & set(battle.beside(unit.at[0])))


@rule("S1.73i")
def may_enter_first(rules: Rules, battle: Battle, unit: Unit, first: str) -> bool:
    """Tell whether the first hex may be entered: whatever it costs, if it can be entered at all from where
    the figure stands.

    One must be able to stop in it, unless it is a trench, which a horse only crosses: his advance ends
    beyond.
    """
    hex_ = riding.head(first)
    if any(barred(rules, battle, unit, hex_) for barred in family.here(rules, battle).steps.no_advance):
        return False
    return _price(rules, battle, unit)(movement.stand(unit), first) is not None and (
        movement.may_end(rules, battle, unit, first)
        or step.leaps(rules, battle, unit, hex_)
        or may_step_over(rules, battle, unit, hex_)
    )


def _price(rules: Rules, battle: Battle, unit: Unit) -> Cost:
    """Return what each step of an advance costs, as the figure meets the others; None where it cannot be
    made.
    """
    return movement.costs_of(rules, ignoring_stunned(rules, battle, unit), unit)


def _on_from(
    rules: Rules, battle: Battle, unit: Unit, first: str, price: Cost
) -> Iterator[tuple[tuple[str, ...], int]]:
    """Yield the ways from the first hex on, each with its cost: nearer ones first, the sides in their order,
    n first.
    """
    cost = price(movement.stand(unit), first) or 0
    yield (first,), cost
    if one_hex_only(rules, battle, unit, riding.head(first)):
        return
    limits = hex_limit(rules, unit), points(rules, battle, unit)
    paths: list[tuple[tuple[str, ...], int]] = [((first,), cost)]
    seen = {first: cost, movement.stand(unit): 0}
    while paths:
        longer: list[tuple[tuple[str, ...], int]] = []
        for path, spent in paths:
            for there in movement.onward(rules, battle, unit, path[-1]):
                further = _further(rules, battle, unit, path, spent, there, price, limits)
                if further is None or seen.get(there, further + 1) <= further:
                    continue
                seen[there] = further
                longer.append(((*path, there), further))
        yield from longer
        paths = longer


def _further(
    rules: Rules,
    battle: Battle,
    unit: Unit,
    path: tuple[str, ...],
    spent: int,
    there: str,
    price: Cost,
    limits: tuple[int, int],
) -> int | None:
    """Return what an advance that may go beyond its first hex has cost when it goes on from the end of
    ``path``; None if it cannot. ``limits``: its hexes, 0 for any, and its points.
    """
    most, of = limits
    if most and len(path) >= most:
        return None
    more = price(path[-1], there)
    if more is None or spent + more > of:
        return None
    return None if enemy_beside_stops(rules, battle, unit, riding.head(there)) else spent + more


def along(
    rules: Rules, battle: Battle, unit: Unit, vacated: Sequence[str], hexes: Sequence[str]
) -> tuple[tuple[str, ...], int] | None:
    """Return the way through just these hexes, as far as it is open and may end there, and its cost; None if
    it is shut at once.
    """
    wishes = hexes[1:] if hexes[:1] == list(unit.at[:1]) else hexes
    begin = movement.stand(unit)
    first = next(
        (
            there
            for there in first_steps(rules, battle, unit, vacated)
            if [riding.head(there)] == list(wishes[:1])
        ),
        "",
    )
    if not first:
        return None
    path: tuple[str, ...] = (first,)
    price = _price(rules, battle, unit)
    cost = price(begin, first) or 0
    best = (path, cost) if movement.may_end(rules, battle, unit, first) else None
    limits = hex_limit(rules, unit), points(rules, battle, unit)
    for hex_ in wishes[1:] if not one_hex_only(rules, battle, unit, riding.head(first)) else ():
        steps = (
            there for there in movement.onward(rules, battle, unit, path[-1]) if riding.head(there) == hex_
        )
        open_ = (
            (there, further)
            for there in steps
            if (further := _further(rules, battle, unit, path, cost, there, price, limits)) is not None
        )
        found = next(open_, None)
        if found is None:
            break
        path, cost = (*path, found[0]), found[1]
        if movement.may_end(rules, battle, unit, found[0]):
            best = (path, cost)
    return ((begin, *best[0]), best[1]) if best else None


@rule("EN1.73b")
def may_step_over(rules: Rules, battle: Battle, unit: Unit, hex_: str) -> bool:
    """Tell whether an advance may lead through a hex because only a stunned enemy lies in it, where the
    option says so.
    """
    if rules.setting("advance_through_stunned_enemy") != "true":
        return False
    inside = stacking.others_on(battle, unit, hex_)
    return all(battle.foes(unit, other) and other.state == STUNNED for other in inside)


def ignoring_stunned(rules: Rules, battle: Battle, unit: Unit) -> Battle:
    """Return the battle as an advancing figure meets it: without the stunned enemies it may step over."""
    if all(other.state != STUNNED for other in battle.units.values()):
        return battle
    over = {
        id_
        for place, id_ in battle.standing_at.items()
        if battle.units[id_].state == STUNNED and may_step_over(rules, battle, unit, place)
    }
    return (
        battle.changed(units={id_: other for id_, other in battle.units.items() if id_ not in over})
        if over
        else battle
    )


@rule("S1.73d")
def one_hex_only(rules: Rules, battle: Battle, unit: Unit, first: str) -> bool:
    """Tell whether an advance ends in its first hex, because an enemy is next to it (or, by the option, was
    next to the victor).
    """
    if rules.setting("advance_past_enemy_wound_roll") == "true":
        return False
    where = unit.at[0] if rules.setting("advance_stop_condition") == "was_adjacent_before_advance" else first
    return enemy_beside(rules, battle, unit, where)


def enemy_beside_stops(rules: Rules, battle: Battle, unit: Unit, hex_: str) -> bool:
    """Tell whether an advance of more than one hex may not touch a hex, because an enemy is next to it."""
    by_hex = rules.setting("advance_stop_condition") == "enters_hex_adjacent_to_enemy"
    return (
        by_hex
        and rules.setting("advance_past_enemy_wound_roll") != "true"
        and enemy_beside(rules, battle, unit, hex_)
    )


def enemy_beside(rules: Rules, battle: Battle, unit: Unit, hex_: str) -> bool:
    """Tell whether a living enemy is next to a hex."""
    near = (other for other in elevation.beside(battle, hex_) if dangerous(battle, unit, other))
    return any(elevation.touches(rules, battle, other, hex_) for other in near)


@rule("EN1.73c")
def risky(rules: Rules, battle: Battle, unit: Unit, path: Sequence[str]) -> str:
    """Return the first hex next to an enemy that an advance passes without stopping, where the option asks a
    die for that.
    """
    if rules.setting("advance_past_enemy_wound_roll") != "true":
        return ""
    return next((hex_ for hex_ in path[1:-1] if enemy_beside(rules, battle, unit, hex_)), "")


def _roll_for_passing(rules: Rules, play: Play[Battle], id_: str, label: str, cause: int) -> None:
    table = rules.tables["infiltration"]
    faces = die_faces(table)
    name = f"{label}/pass/{id_}"
    die = play.roll(name, faces)[0]
    found: str = row_of(table, die)["result"]
    said = str(table["key"][found])
    play.happen(
        Rolled(
            f"{play.cursor}/{name}",
            faces,
            (die,),
            "EN1.73c",
            "infiltration",
            row=die,
            result=found,
            said=said,
        )
    )
    if found != "unhurt":
        counter.hurt(rules, play, id_, found, cause, "EN1.73c")


def _wanted(
    rules: Rules,
    battle: Battle,
    unit: Unit,
    open_ways: Mapping[str, tuple[tuple[str, ...], int]],
    vacated: Sequence[str],
) -> Callable[[str], str]:
    def wanted(said: str) -> str:
        verb, *hexes = said.split()
        first = min((hex_ for hex_, (path, _) in open_ways.items() if len(path) == 2), default=NEVER)
        if verb == "by":
            exact = along(rules, battle, unit, vacated, hexes)
            return riding.head(exact[0][-1]) if exact else ""
        if verb == "if-safe" and first != NEVER and enemy_beside(rules, battle, unit, first):
            return NEVER
        return first if verb in ("into", "if-safe") else NEVER

    return wanted
