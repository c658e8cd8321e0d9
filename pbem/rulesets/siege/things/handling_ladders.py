"""What two men do with a ladder where it is: they pick it up, put it down, raise it, shift it, or by the
option haul it over the wall.

How they go with it is ``carrying_ladders``; what a ladder is, and who is on it, is ``ladders``.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from pbem.core.play import Play
from pbem.core.problem import Problem, first_problem
from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.geometry.hex import around, distance, side_between
from pbem.rulesets.siege.ground import elevation, ladders, terrain
from pbem.rulesets.siege.ground.ladders import CARRIED, LYING, RAISED
from pbem.rulesets.siege.march import movement, step
from pbem.rulesets.siege.state import loads
from pbem.rulesets.siege.state.events import Acted, LadderRaised, ThingChanged, ThingMoved
from pbem.rulesets.siege.state.field import BATTLEMENT
from pbem.rulesets.siege.state.orders import Act
from pbem.rulesets.siege.state.state import Battle, Thing, Unit
from pbem.rulesets.siege.things import carrying_ladders
from pbem.rulesets.siege.turn import sequence

Rules = Ruleset[Battle]


# --- picking up, putting down


def why_not_pick_up(rules: Rules, battle: Battle, order: Act) -> Problem | None:
    """Return why two men do not pick a ladder up, or by the option haul it up the wall; None if they do."""
    if problem := carrying_ladders.not_now(rules, battle, order):
        return problem
    ladder, units = battle.things[order.what], carrying_ladders.the_two(battle, order)
    names = {"thing": ladder.id, "units": " and ".join(order.who)}
    if ladders.carriers(battle, ladder):
        return Problem(
            "carrying.carried",
            {**names, "by": " and ".join(ladder.by)},
            rule="S1.91a",
            help=f"they carry {ladder.id}, or raise it",
        )
    if ladder.stands == RAISED and haul(rules):
        return why_not_haul_up(rules, battle, ladder, units)
    if not ladders.can_be_picked_up(ladder):
        return Problem("carrying.upright", names, rule="S1.94k", help="it can be shifted, climbed or toppled")
    if problem := first_problem(loads.hands_full(battle, unit) for unit in units):
        return problem
    if not ladders.halves(ladder, units):
        return Problem(
            "carrying.halves",
            names,
            rule="S1.91a",
            help=f"one stands in each of its hexes: {' and '.join(ladder.at)}",
        )
    return first_problem(out_of_breath(rules, battle, unit) for unit in units)


def out_of_breath(rules: Rules, battle: Battle, unit: Unit) -> Problem | None:
    """Return that a figure has come to a ladder with fewer points left than carriers have less; None if it
    may take it up.
    """
    left = step.points(rules, battle, unit)
    if not battle.spent.get(unit.id) or left >= ladders.burden(rules):
        return None
    names: dict[str, str | int] = {"unit": unit.id, "points": left, "cost": ladders.burden(rules)}
    return Problem(
        "carrying.out-of-breath",
        names,
        rule="S1.91a",
        help="take it up next turn, or come to it by a shorter way",
    )


def pick_up(rules: Rules, play: Play[Battle], order: Act) -> None:
    """Let two men take up a ladder, each the half he stands at; it costs them nothing."""
    ladder, units = play.state.things[order.what], carrying_ladders.the_two(play.state, order)
    if ladder.stands == RAISED:
        haul_up(rules, play, ladder, units)
        return
    play.happen(ThingChanged(ladder.id, stands=CARRIED, by=ladders.halves(ladder, units), rule="S1.91a"))


def why_not_put_down(rules: Rules, battle: Battle, order: Act) -> Problem | None:
    """Return why a carrier does not put his ladder down; None if he does."""
    unit = battle.units[order.who[0]]
    if problem := ladders.none(battle, order.what) or sequence.may_move(rules, battle, unit):
        return problem
    if unit.id in ladders.carriers(battle, battle.things[order.what]):
        return None
    return Problem("carrying.not-held", {"thing": order.what, "units": unit.id}, rule="S1.91a")


def put_down(rules: Rules, play: Play[Battle], order: Act) -> None:
    """Let a ladder lie where its carriers are."""
    play.happen(ThingChanged(order.what, stands=LYING, cleared=("by",), rule="S1.91h"))


# --- raising


def why_not_raise(rules: Rules, battle: Battle, order: Act) -> Problem | None:
    """Return why two men do not raise their ladder, or by the option let it down from the wall; None if they
    do.
    """
    if problem := ladders.none(battle, order.what) or carrying_ladders.not_two(order):
        return problem
    for unit in carrying_ladders.the_two(battle, order):
        if problem := sequence.may_move(rules, battle, unit):
            return problem
    ladder, hex_ = battle.things[order.what], order.to[0]
    if problem := carrying_ladders.not_held(battle, order):
        return problem
    if haul(rules) and _on_the_wall(rules, battle, ladder):
        return why_not_let_down(
            rules, battle, ladder, carrying_ladders.the_two(battle, order), hex_, order.facing
        )
    return (
        not_at_the_foot(rules, battle, ladder)
        or not_where_it_was(rules, ladder, hex_)
        or in_the_way(battle, ladder, hex_)
        or ladders.cannot_stand(rules, battle, ladder, hex_, order.facing)
    )


@rule("S1.91d")
def not_at_the_foot(rules: Rules, battle: Battle, ladder: Thing) -> Problem | None:
    """Return that none of its carriers has brought a ladder next to a battlement; None if one has."""
    near = (there for there in around(ladder.at) if there in battle.field.ground)
    if any(ladders.leads_up(rules, battle, ladders.above(battle, there)) for there in near):
        return None
    names = {"thing": ladder.id, "hexes": " and ".join(ladder.at)}
    return Problem(
        "carrying.foot", names, rule="S1.91d", help="carry it to the foot of a wall with battlements"
    )


@rule("S1.91e")
def not_where_it_was(rules: Rules, ladder: Thing, hex_: str) -> Problem | None:
    """Return that a ladder is set up in one of its two hexes, or by the option next to one; None if it is."""
    near = rules.setting("ladder_placement") == "in_or_next_to_ladder_hex"
    if hex_ in (ladders.near_hexes(ladder) if near else ladder.at):
        return None
    names = {"thing": ladder.id, "hex": hex_}
    return Problem(
        "carrying.where", names, rule="S1.91e", help=f"name one of its hexes: {' or '.join(ladder.at)}"
    )


def in_the_way(battle: Battle, ladder: Thing, hex_: str) -> Problem | None:
    """Return that somebody stands where a ladder would be set up who does not carry it;
    None if nobody does.
    """
    other = next((id_ for id_ in battle.living_in.get(hex_, ()) if id_ not in ladder.by), "")
    if not other:
        return None
    return Problem(
        "ladders.held",
        {"thing": ladder.id, "hex": hex_, "other": other},
        rule="S1.91e",
        help="choose a hex in which nobody stands",
    )


def set_up(rules: Rules, play: Play[Battle], order: Act) -> None:
    """Let two men set their ladder up, whereupon their move is over."""
    ladder = play.state.things[order.what]
    if haul(rules) and _on_the_wall(rules, play.state, ladder):
        let_down(rules, play, ladder, order)
        return
    play.happen(LadderRaised(ladder.id, order.to, order.facing, ladder.by, "S1.91e"))
    for event in move_ends(order.who):
        play.happen(event)


@rule("S1.91g")
def move_ends(who: Sequence[str]) -> list[Acted]:
    """Return that those who raised a ladder do not move any more; it has cost them no points."""
    return [Acted(id_, "moved") for id_ in who]


# --- shifting


def why_not_shift(rules: Rules, battle: Battle, order: Act) -> Problem | None:
    """Return why two men do not shift or turn an upright ladder; None if they do."""
    if problem := carrying_ladders.not_now(rules, battle, order):
        return problem
    ladder, units = battle.things[order.what], carrying_ladders.the_two(battle, order)
    if ladder.stands != RAISED:
        return Problem("ladders.lies", {"thing": ladder.id}, rule="S1.92a", help=ladders.first_raised(ladder))
    to = (order.to or ladder.at)[0]
    names: dict[str, str | int] = {"thing": ladder.id, "hex": to, "units": " and ".join(order.who)}
    if distance(to, ladder.at[0]) > 1:
        return Problem(
            "carrying.one-hex", names, rule="S1.92a", help="it is shifted by one hex, or turned in its own"
        )
    if (to, order.facing) == (ladder.at[0], ladder.facing):
        return Problem(
            "carrying.as-it-was", names, rule="S1.92a", help="name another hex, or another side to face"
        )
    return (
        somebody_on_it(battle, ladder)
        or first_problem(not_at_hand(rules, battle, ladder, unit) for unit in units)
        or _too_tired(rules, battle, units, effort(rules), "S1.92a")
        or (in_the_way(battle, replace(ladder, by=()), to))
        or ladders.cannot_stand(rules, battle, ladder, to, order.facing)
    )


@rule("S1.92b")
def somebody_on_it(battle: Battle, ladder: Thing) -> Problem | None:
    """Return that a ladder stays as it is because somebody is on it; None if nobody is."""
    who = ladders.climber(battle, ladder)
    if who is None:
        return None
    return Problem(
        "carrying.climber",
        {"thing": ladder.id, "unit": who.id},
        rule="S1.92b",
        help=f"{who.id} must leave it first",
    )


@rule("S1.92a")
def not_at_hand(rules: Rules, battle: Battle, ladder: Thing, unit: Unit) -> Problem | None:
    """Return that a figure is not next to an upright ladder, so that it could step onto it; None if it is."""
    if (
        unit.at
        and not unit.on
        and ladders.beside(ladder, unit)
        and step.can_pass(rules, battle, unit, unit.at[0], ladder.at[0])
    ):
        return None
    help_ = f"both stand next to {ladder.at[0]}"
    return Problem("carrying.not-beside", {"unit": unit.id, "thing": ladder.id}, rule="S1.92a", help=help_)


@rule("S1.92a")
def effort(rules: Rules) -> int:
    """Return the points that each of two men spends for shifting a ladder."""
    return ladders.cost(rules, "shift")


def _too_tired(
    rules: Rules, battle: Battle, units: Sequence[Unit], effort: int, rule_id: str
) -> Problem | None:
    for unit in units:
        if (points := step.points(rules, battle, unit)) < effort:
            return Problem(
                "carrying.points", {"unit": unit.id, "points": points, "cost": effort}, rule=rule_id
            )
    return None


def shift(rules: Rules, play: Play[Battle], order: Act) -> None:
    """Let two men shift or turn a ladder, for some of the points of each."""
    ladder = play.state.things[order.what]
    play.happen(ThingMoved(ladder.id, order.to or ladder.at, order.facing, rule="S1.92a"))
    for id_ in order.who:
        play.happen(Acted(id_, ladders.DID["shift"]))


# --- over the wall, by the option


@rule("EN1.91a")
def haul(rules: Rules) -> bool:
    """Tell whether two men on the wall may pull a ladder up, or let one down, as the option has it."""
    return rules.setting("ladder_haul") == "true"


def _on_the_wall(rules: Rules, battle: Battle, ladder: Thing) -> bool:
    return all(BATTLEMENT in terrain.terrain_at(rules, battle, hex_).traits for hex_ in ladder.at)


def _hard_pressed(rules: Rules, battle: Battle, units: Sequence[Unit]) -> Problem | None:
    """Return which enemy next to one of two men keeps them from hauling; None if none does."""
    for unit in units:
        foe = next(
            (
                other
                for other in elevation.within_reach(rules, battle, unit.at[0])
                if battle.foes(unit, other)
            ),
            None,
        )
        if foe is not None:
            return Problem(
                "carrying.pressed",
                {"unit": unit.id, "enemy": foe.id},
                rule="EN1.91a",
                help="no enemy may be next to them",
            )
    return None


def why_not_haul_up(rules: Rules, battle: Battle, ladder: Thing, units: Sequence[Unit]) -> Problem | None:
    """Return why two men do not pull an upright ladder up the wall; None if they do."""
    at = [unit.at[0] for unit in units if unit.at]
    on_wall = all(BATTLEMENT in terrain.terrain_at(rules, battle, hex_).traits for hex_ in at)
    names = {
        "thing": ladder.id,
        "hex": ladders.faced(ladder),
        "units": " and ".join(unit.id for unit in units),
    }
    if len(at) != 2 or not on_wall or ladders.faced(ladder) not in at or side_between(at[0], at[1]) is None:
        return Problem(
            "carrying.haul",
            names,
            rule="EN1.91a",
            help=f"one stands in {ladders.faced(ladder)}, the other beside him on the wall",
        )
    tired = _too_tired(rules, battle, units, ladders.cost(rules, "haul"), "EN1.91a")
    return somebody_on_it(battle, ladder) or _hard_pressed(rules, battle, units) or tired


def haul_up(rules: Rules, play: Play[Battle], ladder: Thing, units: Sequence[Unit]) -> None:
    """Let two men pull a ladder up the wall, so that they carry it there."""
    play.happen(ThingMoved(ladder.id, tuple(unit.at[0] for unit in units), rule="EN1.91a"))
    by = tuple(unit.id for unit in units)
    play.happen(ThingChanged(ladder.id, stands=CARRIED, by=by, cleared=("facing",), rule="EN1.91a"))
    for id_ in by:
        play.happen(Acted(id_, ladders.DID["haul"]))


def why_not_let_down(
    rules: Rules, battle: Battle, ladder: Thing, units: Sequence[Unit], foot: str, facing: str
) -> Problem | None:
    """Return why two men do not let a ladder down from the wall; None if they do."""
    for unit in units:
        if problem := movement.time_to_move(rules, battle, unit):
            return problem
    top = next((hex_ for hex_ in ladder.at if side_between(foot, hex_) == facing), "")
    if not top:
        names = {"thing": ladder.id, "hex": foot, "units": ", ".join(ladder.by)}
        return Problem(
            "carrying.let-down",
            names,
            rule="EN1.91a",
            help=f"it leans against {' or '.join(ladder.at)}, from a hex beside that",
        )
    tired = _too_tired(rules, battle, units, ladders.cost(rules, "haul"), "EN1.91a")
    stands = in_the_way(battle, ladder, foot) or ladders.cannot_stand(rules, battle, ladder, foot, facing)
    return stands or _hard_pressed(rules, battle, units) or tired


def let_down(rules: Rules, play: Play[Battle], ladder: Thing, order: Act) -> None:
    """Let two men slide a ladder down from the wall until it stands upright before it."""
    play.happen(LadderRaised(ladder.id, order.to, order.facing, ladder.by, "EN1.91a"))
    for id_ in order.who:
        play.happen(Acted(id_, ladders.DID["haul"]))
