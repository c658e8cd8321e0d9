"""Who has won: the scenario's own scheme, from a closed list of terms; a scenario needs no code.

A term gives points to a side (or to any) for a mark held, for the enemy's losses, for figures that left,
died, or stand somewhere. Resigning and an agreed draw end a game at once, and so does the last figure of a
side.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.rulesets.siege.ground.character import person
from pbem.rulesets.siege.state import family
from pbem.rulesets.siege.state.events import GameEnded, Scored
from pbem.rulesets.siege.state.field import Term
from pbem.rulesets.siege.state.state import DEAD, HEALTHY, STUNNED, WOUNDED, Battle, Unit
from pbem.rulesets.siege.turn import healing, siege_days

Rules = Ruleset[Battle]
DRAW = "draw"
ASSAULT, MORNING, EVENING = siege_days.ASSAULT, healing.MORNING.id, healing.EVENING.id
KNIGHT = "knight"
SOLDIERS = (KNIGHT, "soldier")
ONLY_ENDS: Final = frozenset({"assault-over"})
"""Kinds of term that end a game at once and leave it to the points who has won it."""


def ended(rules: Rules, battle: Battle, *, turn_ends: bool) -> tuple[object, ...]:
    """Return the events that end the game after this phase; none if it goes on.

    ``turn_ends``: the game turn is over with it.
    """
    sides = [side.id for side in battle.field.sides]
    standing = [side for side in sides if side not in battle.resigned]
    if len(standing) < len(sides):
        return (
            GameEnded(
                standing[0] if standing else DRAW, "resigned", score=tuple(sorted(battle.score.items()))
            ),
        )
    if battle.draws and set(battle.draws) >= set(standing):
        return (GameEnded(DRAW, "agreed", score=tuple(sorted(battle.score.items()))),)
    if battle.at.phase == "setup":
        return ()
    if siege_days.planned(battle) == siege_days.LIFT:
        others = battle.field.enemies(siege_days.besieger(battle))
        return (GameEnded(others[0], "lifted", score=tuple(sorted(battle.score.items()))),)
    then = moment(rules, battle, turn_ends=turn_ends)
    for term in battle.field.at_once:
        for side in _meant(battle, term):
            if points(rules, battle, term, side, then):
                name = "" if term.kind in ONLY_ENDS else side
                return _settle(rules, battle, "at-once", then, name, term.said)
    inside = [unit for unit in battle.units.values() if is_figure(battle, unit) and _in_play(battle, unit)]
    alive = [side for side in sides if any(unit.side == side for unit in inside)]
    if len(alive) < len(sides):
        return _settle(rules, battle, "nobody-left", then)
    over = _time_is_up(battle, then, turn_ends=turn_ends) or (
        turn_ends and any(ends(rules, battle) for ends in family.of(rules).ends)
    )
    return _settle(rules, battle, "time", then) if over else ()


def _time_is_up(battle: Battle, then: str, *, turn_ends: bool) -> bool:
    """Tell whether the last turn of the last day is over; of a siege its last evening."""
    if healing.another_day(battle):
        return False
    if siege_days.under_siege(battle.field):
        return then == EVENING
    return turn_ends and bool(battle.field.length) and battle.at.turn >= battle.field.length


def moment(rules: Rules, battle: Battle, *, turn_ends: bool) -> str:
    """Return what is over in a siege with the phase that ends now: ``assault morning evening``; empty for
    anything else.
    """
    if not siege_days.under_siege(battle.field):
        return ""
    if turn_ends and siege_days.assault_ends(rules, battle):
        return siege_days.planned(battle)
    return battle.at.phase if battle.at.phase in (MORNING, EVENING) else ""


def _in_play(battle: Battle, unit: Unit) -> bool:
    """Tell whether a figure lives on the map, where it may be in hiding, or has yet to come onto it."""
    if unit.state == DEAD or unit.left:
        return siege_days.under_siege(battle.field) and unit.state != DEAD
    if siege_days.under_siege(battle.field):
        return True  # who is not on the map is in camp or castle
    return bool(unit.at or unit.id in battle.field.hidden) or any(
        force.id == unit.id and force.enters for force in battle.field.forces
    )


def _settle(
    rules: Rules, battle: Battle, why: str, then: str = "", at_once: str = "", line: str = ""
) -> tuple[object, ...]:
    score, events = score_at_end(rules, battle, then)
    name = at_once or winner(rules, battle, score)
    return (*events, GameEnded(name, why, grade(rules, score, name), tuple(sorted(score.items())), line))


def score_at_end(rules: Rules, battle: Battle, then: str = "") -> tuple[dict[str, int], list[object]]:
    """Return the points of every side by the scheme for the end of the game, and an event for each line that
    gave any.
    """
    score = {side.id: battle.score.get(side.id, 0) for side in battle.field.sides}
    events: list[object] = []
    for term in battle.field.at_end:
        for side in _meant(battle, term):
            won = points(rules, battle, term, side, then)
            if won:
                score[side] += won
                events.append(Scored(side, won, score[side], term.said))
    return score, events


@rule("CH12.4a")
def winner(rules: Rules, battle: Battle, score: Mapping[str, int]) -> str:
    """Return the side with most points by its margin; level or short of the margin: the other side, or a
    draw, as the scenario says.
    """
    sides = sorted(score, key=lambda side: (-score[side], side))
    best, next_best = sides[0], sides[1]
    lead = score[best] - score[next_best]
    if lead and lead >= battle.field.margins.get(best, 1):
        return best
    if battle.field.level_winner == "other":
        short = best if lead else next((side for side in sides if side in battle.field.margins), best)
        return next(side for side in sides if side != short)
    return battle.field.level_winner


def grade(rules: Rules, score: Mapping[str, int], name: str) -> str:
    """Return how clear a victory is, by the first row of its table that the scores reach: ``decisive`` or
    ``substantial``, else ``marginal``.
    """
    if name not in score:
        return ""
    best_other = max(points_ for side, points_ in score.items() if side != name)
    if score[name] > best_other:
        for id_, row in rules.tables["victory"]["rows"].items():
            if score[name] * row["own"] >= best_other * row["other"]:
                return str(id_)
    return "marginal"


def _meant(battle: Battle, term: Term) -> tuple[str, ...]:
    return tuple(side.id for side in battle.field.sides) if term.side == "any" else (term.side,)


def points(rules: Rules, battle: Battle, term: Term, side: str, then: str = "") -> int:
    """Return what a term gives a side at this moment: for its own figures in a region or off the map, for the
    enemy's fewness or death.

    ``then`` is what is over in a siege just now (``moment``).
    """
    if term.kind in REACHED:
        return term.points if REACHED[term.kind](rules, battle, term, side, then) else 0
    if term.kind in COUNTED:
        found = COUNTED[term.kind](rules, battle, term, side)
        return term.points * (min(found, term.most) if term.most else found)
    raise ValueError(f"'{term.kind}' is not a term of the victory scheme")


# --- what is reached, or is not


def _held(rules: Rules, battle: Battle, term: Term, side: str, then: str) -> bool:
    return holds(battle, side, term.mark)


def _held_after(rules: Rules, battle: Battle, term: Term, side: str, then: str) -> bool:
    return then == ASSAULT and holds(battle, side, term.mark)


def _reached_after(rules: Rules, battle: Battle, term: Term, side: str, then: str) -> bool:
    inside = (battle.units[id_] for id_ in battle.living_among(battle.field.marks[term.mark]))
    return then == ASSAULT and any(
        unit.side == side and unit.able and is_figure(battle, unit) for unit in inside
    )


def _assault_over(rules: Rules, battle: Battle, term: Term, side: str, then: str) -> bool:
    return then == ASSAULT


def _unbreached(rules: Rules, battle: Battle, term: Term, side: str, then: str) -> bool:
    return all(is_ != "rubble" for _, is_ in battle.features)


def _few_unwounded(rules: Rules, battle: Battle, term: Term, side: str, then: str) -> bool:
    enemies = battle.field.enemies(side)
    return then == MORNING and sum(fit_soldiers(battle, enemy) for enemy in enemies) < term.least


def _day_is_over(rules: Rules, battle: Battle, term: Term, side: str, then: str) -> bool:
    return then == EVENING and battle.at.day >= term.turn


def _turn_is_reached(rules: Rules, battle: Battle, term: Term, side: str, then: str) -> bool:
    return battle.field.turns_so_far(battle.at.day, battle.at.turn) >= term.turn


def _losses_reach(rules: Rules, battle: Battle, term: Term, side: str, then: str) -> bool:
    return _enemys_losses(rules, battle, term, side) >= term.least


def _deaths_reach(rules: Rules, battle: Battle, term: Term, side: str, then: str) -> bool:
    return sum(deaths(battle, enemy, term.scale) for enemy in battle.field.enemies(side)) >= term.least


def _gathered(rules: Rules, battle: Battle, term: Term, side: str, then: str) -> bool:
    area = battle.field.marks[term.mark]
    fit = [unit for unit in _own(battle, term, side) if unit.living and unit.state == HEALTHY]
    return sum(unit.hexes[0] in area for unit in fit) >= term.least


def _breached(rules: Rules, battle: Battle, term: Term, side: str, then: str) -> bool:
    if not any((hex_, "rubble") in battle.features for hex_ in battle.field.marks[term.mark]):
        return False
    fit = [unit for unit in _own(battle, term, side) if unit.living and unit.state == HEALTHY]
    knights = [unit for unit in fit if person(battle, unit).panic_group == KNIGHT]
    area = battle.field.marks[term.beyond] if term.beyond else ()
    return sum(unit.hexes[:1] != () and unit.hexes[0] in area for unit in knights) >= term.least


def _out_of_action(rules: Rules, battle: Battle, term: Term, side: str, then: str) -> bool:
    return all(useless(rules, battle, name) for name in term.units)


def useless(rules: Rules, battle: Battle, name: str) -> bool:
    """Tell whether a thing is gone, or of no more use."""
    thing = battle.things.get(name)
    asked = family.of(rules).kinds[thing.kind].useless if thing is not None else None
    return thing is None or (asked is not None and asked(rules, thing))


def _few_enemies(rules: Rules, battle: Battle, term: Term, side: str, then: str) -> bool:
    enemies = (unit for unit in battle.units.values() if unit.side != side and is_figure(battle, unit))
    return sum(_in_play(battle, unit) for unit in enemies) < term.least


REACHED: Final[Mapping[str, Callable[[Rules, Battle, Term, str, str], bool]]] = {
    "held": _held,
    "held-after": _held_after,
    "reached-after": _reached_after,
    "assault-over": _assault_over,
    "unbreached": _unbreached,
    "unwounded": _few_unwounded,
    "day": _day_is_over,
    "turn": _turn_is_reached,
    "losses-reach": _losses_reach,
    "deaths-reach": _deaths_reach,
    "gathered": _gathered,
    "breached": _breached,
    "useless": _out_of_action,
    "count": _few_enemies,
}
"""Kind of term -> whether it is so; its points are given once."""


# --- what is counted


def _enemys_losses(rules: Rules, battle: Battle, term: Term, side: str) -> int:
    return sum(losses(rules, battle, enemy, term.scale) for enemy in battle.field.enemies(side))


def _gone_in_order(rules: Rules, battle: Battle, term: Term, side: str) -> int:
    return sum(unit.left and not has_fled(unit) for unit in _own(battle, term, side))


def _gone(rules: Rules, battle: Battle, term: Term, side: str) -> int:
    return sum(unit.left for unit in _own(battle, term, side))


def _freed(rules: Rules, battle: Battle, term: Term, side: str) -> int:
    return sum(unit.state != DEAD for unit in _own(battle, term, side))


def _lost(rules: Rules, battle: Battle, term: Term, side: str) -> int:
    return sum(_is_no_more(battle, name) for name in term.units)


def _burnt(rules: Rules, battle: Battle, term: Term, side: str) -> int:
    return sum((hex_, "burnt") in battle.features for hex_ in battle.field.marks[term.mark])


def _brought(rules: Rules, battle: Battle, term: Term, side: str) -> int:
    area = battle.field.marks[term.mark]
    there = (battle.things[name] for name in term.units if name in battle.things)
    return sum(any(hex_ in area for hex_ in thing.at) for thing in there)


def _standing(rules: Rules, battle: Battle, term: Term, side: str) -> int:
    return sum(battle.things[name].stands == term.stands for name in term.units)


def _inside(rules: Rules, battle: Battle, term: Term, side: str) -> int:
    area = battle.field.marks[term.mark]
    own = (unit for unit in _own(battle, term, side) if unit.living)
    return sum(_worth(battle, unit, term.scale) for unit in own if any(hex_ in area for hex_ in unit.hexes))


COUNTED: Final[Mapping[str, Callable[[Rules, Battle, Term, str], int]]] = {
    "losses": _enemys_losses,
    "left-the-map": _gone_in_order,
    "led-off": _gone,
    "freed": _freed,
    "dead": _lost,
    "destroyed": _lost,
    "burnt": _burnt,
    "brought": _brought,
    "stands": _standing,
    "in": _inside,
}
"""Kind of term -> how often its points are given."""


# --- who counts


def is_figure(battle: Battle, unit: Unit) -> bool:
    """Tell whether somebody counts as a figure of his side: animals and bystanders count only where they are
    named.
    """
    return unit.kind == "man" and unit.id not in battle.field.bystanders


def fit_soldiers(battle: Battle, side: str) -> int:
    """Return how many knights and soldiers of a side live without a wound; peasants and
    civilians are none.
    """
    own = (unit for unit in battle.units.values() if unit.side == side and is_figure(battle, unit))
    return sum(
        unit.state in (HEALTHY, STUNNED) and person(battle, unit).panic_group in SOLDIERS for unit in own
    )


def deaths(battle: Battle, side: str, scale: str) -> int:
    """Return what the dead of a side are worth on a scale; without one, how many there are."""
    own = (
        unit for unit in battle.units.values() if unit.side == side and unit.id not in battle.field.bystanders
    )
    return sum(_worth(battle, unit, scale) for unit in own if unit.state == DEAD)


def _is_no_more(battle: Battle, name: str) -> bool:
    """Tell whether a figure is dead, or a thing gone for good."""
    return battle.units[name].state == DEAD if name in battle.units else name not in battle.things


def _own(battle: Battle, term: Term, side: str) -> list[Unit]:
    own = (unit for unit in battle.units.values() if battle.allegiance(unit) == side)
    return [unit for unit in own if (unit.id in term.units if term.units else is_figure(battle, unit))]


def holds(battle: Battle, side: str, mark: str) -> bool:
    """Tell whether a side holds a marked region: no living enemy in it and at least one healthy figure of its
    own.
    """
    inside = [battle.units[id_] for id_ in battle.living_among(battle.field.marks[mark])]
    own = [unit for unit in inside if unit.side == side and is_figure(battle, unit)]
    return all(battle.allegiance(unit) in ("", side) for unit in inside) and any(
        unit.state == HEALTHY for unit in own
    )


@rule("S0e")
def losses(rules: Rules, battle: Battle, side: str, scale: str) -> int:
    """Return what a side has lost on a scale: the dead in full, the wounded half, rounded
    down for each man.
    """
    total = 0
    for unit in battle.units.values():
        if (
            unit.side == side
            and unit.id not in battle.field.bystanders
            and (not has_fled(unit) or counts_all_the_same(unit))
        ):
            worth = _worth(battle, unit, scale)
            total += worth if unit.state == DEAD else worth // 2 if unit.state == WOUNDED else 0
    return total


def has_fled(unit: Unit) -> bool:
    """Tell whether a figure left the map in panic or rout."""
    return unit.left and bool(unit.mood)


@rule("S6.1z")
def counts_all_the_same(unit: Unit) -> bool:
    """Tell whether somebody who fled from the map counts as a loss nevertheless: he was wounded; the others
    do not.
    """
    return unit.state == WOUNDED


def _worth(battle: Battle, unit: Unit, scale: str) -> int:
    """Return what a figure is worth on a scale; without a scale, one."""
    return battle.field.scales[scale].get(person(battle, unit).class_, 0) if scale else 1


def outcome(rules: Rules, battle: Battle) -> dict[str, object]:
    """Return the result so far: winner, grade, why and score, and for each side its dead, wounded, stunned
    and fit.
    """
    score = dict(battle.score) if battle.winner else score_at_end(rules, battle)[0]
    counts = []
    for side in battle.field.sides:
        own = [unit for unit in battle.units.values() if unit.side == side.id and is_figure(battle, unit)]
        entry: dict[str, object] = {"side": side.id, "score": score.get(side.id, 0)}
        for state in ("healthy", "stunned", "wounded", "dead"):
            entry[state] = sum(unit.state == state for unit in own)
        entry["left"] = sum(unit.left for unit in own)
        counts.append(entry)
    now = {} if battle.winner else {"leads": winner(rules, battle, score)}
    return {"winner": battle.winner, "grade": battle.grade, "why": battle.why, "sides": counts, **now}
