"""The sequence of play: whose turn it is, what follows what, and who may still act in it.

A game turn holds one player turn for each side; a player turn holds five phases, strictly one after the
other. What follows what stands in the sequence of the ruleset; here only whether the next part of it takes
place. Whether a deed is possible where the figure stands is decided in the other topics; here only whether it
is its time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from msgspec.structs import replace

from pbem.core.play import Play
from pbem.core.problem import Problem
from pbem.core.rule import rule
from pbem.core.ruleset import Files, Ruleset
from pbem.core.sequence import ACTIVE, NOBODY, TURN, Cursor, Loop, Part, Phase, parse_cursor, turn_by_turn
from pbem.rulesets.siege.ground import counter
from pbem.rulesets.siege.ground.character import harmless, person
from pbem.rulesets.siege.ground.flames import remembered
from pbem.rulesets.siege.state import family
from pbem.rulesets.siege.state.deed import deeds
from pbem.rulesets.siege.state.events import (
    DayBegan,
    DrawOffered,
    PhaseBegan,
    PhaseEnded,
    StateChanged,
    TurnBegan,
)
from pbem.rulesets.siege.state.family import Phases
from pbem.rulesets.siege.state.field import Field, Person, SideInfo
from pbem.rulesets.siege.state.state import HEALTHY, STUNNED, Battle, Unit, is_prisoner
from pbem.rulesets.siege.turn import healing, jobs, panic, siege_days, victory

Rules = Ruleset[Battle]

SEQUENCE = turn_by_turn(
    Phase("first_missile", "shoot", ACTIVE, "First shooting"),
    Phase("movement", "move", ACTIVE, "Movement"),
    Phase("second_archery", "shoot-again", ACTIVE, "Second shooting"),
    Phase("melee", "fight", ACTIVE, "Melee"),
    Phase("recovery", "", NOBODY, "Recovery"),
)


# --- whose turn, and what comes next


@rule("S1.2b")
def playing_order(sides: tuple[SideInfo, ...]) -> tuple[SideInfo, ...]:
    """Return the sides in the order they play: the one the scenario names first, then the
    others as listed.
    """
    return tuple(sorted(sides, key=lambda side: not side.first))


def next_side(field: Field, side: str) -> str:
    """Return the side whose player turn follows in the same game turn; empty when all have had theirs."""
    order = [info.id for info in playing_order(field.sides)]
    return "".join(order[order.index(side) + 1 :][:1])


def side_after(battle: Battle) -> str:
    """Return the side whose player turn is next, in this game turn or the one that follows."""
    order = playing_order(battle.field.sides)
    return next_side(battle.field, battle.at.side) or order[0].id


@rule("S1.2a", "S1.21h", "S1.21i")
def following(rules: Rules, battle: Battle) -> Cursor | None:
    """Return what is played after the open phase: the next one, the next side's player turn, the next game
    turn or day.
    """
    sides = [info.id for info in playing_order(battle.field.sides)]
    then = rules.sequence.after(battle.at, sides, _happens(rules, battle))
    return then and replace(then, day=then.day or battle.at.day, part=battle.at.part)


def _happens(rules: Rules, battle: Battle) -> Callable[[Part, Cursor], bool]:
    """Return what tells whether the next part of the sequence takes place."""
    field, begun = battle.field, first_day(battle.field)
    siege, assault = siege_days.under_siege(field), siege_days.planned(battle) in siege_days.BATTLES

    def happens(part: Part, then: Cursor) -> bool:
        if isinstance(part, Loop) and part.counts == TURN:
            if siege:
                return assault and (then.turn == 1 or not siege_days.assault_ends(rules, battle))
            return then.turn == 1 or then.turn <= field.length or not healing.another_day(battle)
        if then.is_setup and isinstance(part, Phase):
            return then.turn <= len(field.setup) and (assault if siege else then.day <= begun)
        if then.phase == healing.MORNING.id:
            return then.day > begun
        return siege or then.phase != siege_days.DAY.id

    return happens


def cursor(battle: Battle) -> Cursor:
    """Return where the battle stands."""
    return battle.at


def over(battle: Battle) -> bool:
    """Tell whether the game has ended."""
    return bool(battle.winner)


@rule("S1.2c")
def seats_of(battle: Battle, side: str) -> tuple[str, ...]:
    """Return all the seats that own figures of a side: they act together in one player turn."""
    return battle.seats_of.get(side, ())


def seats_to_order(rules: Rules, battle: Battle) -> tuple[str, ...]:
    """Return whose orders the open phase takes; nobody's in the recovery phase or when the game is over."""
    if over(battle):
        return ()
    if battle.at.phase == siege_days.DAY.id:
        return siege_days.planners(rules, battle)
    if battle.at.is_setup:
        sides = battle.field.setup[battle.at.turn - 1].sides
    else:
        sides = rules.sequence.ordering(battle.at, [side.id for side in battle.field.sides])
    return tuple(sorted(seat for side in sides for seat in seats_of(battle, side)))


def advance(rules: Rules, battle: Battle) -> tuple[object, ...]:
    """Return the events that lead from the end of the open phase to the next one, or to the
    end of the game.
    """
    events: list[object] = [PhaseEnded(battle.at.phase)]
    turn_ends = battle.at.phase == rules.sequence.phases[-1].id
    if turn_ends:
        events += _stale_offers(battle)
    ended = victory.ended(rules, battle, turn_ends=turn_ends and not next_side(battle.field, battle.at.side))
    if ended:
        return (*events, *ended)
    return (*events, *remembered(rules, battle, _begin(rules, battle)))


def _begin(rules: Rules, battle: Battle) -> Iterator[object]:
    at, then = battle.at, following(rules, battle)
    if then is None:
        raise AssertionError(f"nothing follows {at}")
    if then.day > at.day:
        yield DayBegan(then.day)

    if then.is_setup:
        yield replace(opening_of_step(battle.field, then.turn), day=then.day, part=then.part)
    elif then.phase == siege_days.DAY.id:
        yield siege_days.beginning(then.day)
    elif then.phase == healing.EVENING.id:
        yield (
            siege_days.evening(then.day)
            if siege_days.under_siege(battle.field)
            else PhaseBegan(then.phase, day=then.day)
        )
    elif then.phase == healing.MORNING.id:
        yield PhaseBegan(
            then.phase,
            day=then.day,
            fresh=tuple(sorted(id_ for id_, unit in battle.units.items() if unit.did)),
        )

    elif then.player_turn == at.player_turn:
        yield PhaseBegan(then.phase, then.turn, then.side, then.day, then.part)
    else:
        if at.is_setup or then.turn != at.turn:
            yield TurnBegan(then.turn, then.day)
        rested = (
            unit.id
            for unit in battle.units.values()
            if unit.did and (unit.side == then.side or moves_only_led(battle, unit))
        )
        yield PhaseBegan(then.phase, then.turn, then.side, then.day, then.part, tuple(sorted(rested)))


def first_day(field: Field) -> int:
    """Return the number of the first day; 0 where a game has but one and its days are not counted."""
    return 1 if field.days else 0


def opening_of_step(field: Field, step: int) -> PhaseBegan:
    """Return the beginning of a step of the setup, numbered from 1."""
    sides = field.setup[step - 1].sides
    return PhaseBegan("setup", step, sides[0] if len(sides) == 1 else "", first_day(field))


def opening(rules: Rules, field: Field) -> PhaseBegan:
    """Return the beginning of the game: the plan of the first day of a siege, the first step of the setup,
    else the first player turn.
    """
    if siege_days.under_siege(field):
        return siege_days.beginning(first_day(field))
    if field.setup:
        return opening_of_step(field, 1)
    return PhaseBegan(rules.sequence.phases[0].id, 1, playing_order(field.sides)[0].id, first_day(field))


def _stale_offers(battle: Battle) -> list[object]:
    """An offer of a draw lapses at the end of the player turn of a side that did not take it up."""
    if battle.at.side in battle.draws:
        return []
    return [DrawOffered(side, open=False) for side in battle.draws]


# --- who may act


@rule("S1.2d")
def is_active(rules: Rules, battle: Battle, unit: Unit) -> bool:
    """Tell whether a figure acts in the open phase: its side's player turn this is, and the others only
    defend; or the phase is theirs.
    """
    return (unit.side == battle.at.side) is (battle.at.phase not in family.of(rules).phases.of_others)


def player_turns(field: Field, at: Cursor) -> int:
    """Return the number of player turns from the beginning of the game to this one, so that moments can be
    compared.
    """
    order = [info.id for info in playing_order(field.sides)]
    return field.turns_so_far(at.day, at.turn) * len(order) + (
        order.index(at.side) if at.side in order else 0
    )


@rule("S1.21b")
def fought_lately(battle: Battle, unit: Unit) -> bool:
    """Tell whether a figure took part in a combat since its side's last first shooting phase, as attacker or
    defender.
    """
    if not unit.fought:
        return False
    fight = parse_cursor(unit.fought)
    then, now = player_turns(battle.field, fight), player_turns(battle.field, battle.at)
    return fight.day == battle.at.day and then >= now - len(battle.field.sides)


@rule("S1.21a")
def shoots_first(rules: Rules, who: Person) -> bool:
    """Tell whether somebody's weapon shoots in the first shooting phase."""
    return _shoots_in(rules, who, 1)


@rule("S1.21d")
def shoots_again(rules: Rules, who: Person) -> bool:
    """Tell whether somebody's weapon shoots in the second shooting phase: a bow, never a crossbow."""
    return _shoots_in(rules, who, 3)


def _shoots_in(rules: Rules, who: Person, phase: int) -> bool:
    phases: Mapping[str, Any] = rules.tables["ranges_and_modifiers"]["phases"]
    return phase in phases.get(who.missile, ())


@rule("E7.1c")
def takes_cover(unit: Unit) -> bool:
    """Tell whether a shot made the figure take cover, so that it does not shoot in its next first shooting
    phase.
    """
    return bool(unit.checked)


def may_shoot(rules: Rules, battle: Battle, unit: Unit, phase: str) -> Problem | None:
    """Return why it is not the figure's time to shoot; None if it is."""
    if problem := _may_act(rules, battle, unit):
        return problem
    if problem := hands_full(rules, battle, unit):
        return problem
    who = person(battle, unit)
    names = {"unit": unit.id}
    if not who.missile:
        return Problem("sequence.no-missile", names, rule="S1.21a")
    shoots = family.phases(
        rules
    ).shoots  # asked before it is time, somebody is looked at as in the last phase of shooting
    return (shoots.get(phase) or list(shoots.values())[-1])(rules, battle, unit)


def not_in_the_first(rules: Rules, battle: Battle, unit: Unit) -> Problem | None:
    """Return why somebody does not shoot in the first shooting phase; None if he does."""
    names, who = {"unit": unit.id}, person(battle, unit)
    if not shoots_first(rules, who):
        return Problem("sequence.no-missile", names, rule="S1.21a")
    if fought_lately(battle, unit):
        again = shoots_again(rules, who)
        help_ = (
            "he may shoot in the second shooting phase"
            if again
            else "he shoots in his next turn, if nobody fights him"
        )
        return Problem("sequence.fought", names, rule="S1.21b", help=help_)
    return Problem("sequence.takes-cover", names, rule="E7.1c") if takes_cover(unit) else None


def not_in_the_second(rules: Rules, battle: Battle, unit: Unit) -> Problem | None:
    """Return why somebody does not shoot in the second shooting phase; None if he does."""
    who = person(battle, unit)
    if shoots_again(rules, who):
        return None
    return Problem(
        "sequence.not-again", {"unit": unit.id, "weapon": who.missile.replace("_", " ")}, rule="S1.21d"
    )


FIRST_MISSILE, MOVEMENT, SECOND_ARCHERY, MELEE, RECOVERY = (phase.id for phase in SEQUENCE.phases)
PHASES: Final = Phases(
    {FIRST_MISSILE: not_in_the_first, SECOND_ARCHERY: not_in_the_second}, moves=MOVEMENT, fights=MELEE
)


@rule("EN1.21a")
def bowmen_first(rules: Rules, phase: str) -> bool:
    """Tell whether bowmen on foot shoot before all others in a phase (option); only the order in which shots
    are resolved depends on it.
    """
    return phase == "first_missile" and rules.setting("first_missile_phase") == "foot_archers_then_others"


@rule("S1.21c", "S1.21j")
def stays_after_shooting(rules: Rules, battle: Battle, unit: Unit) -> bool:
    """Tell whether a figure has shot a weapon that keeps it from moving in the same player turn."""
    if "shot" not in unit.did:
        return False
    moves: Mapping[str, Any] = rules.tables["ranges_and_modifiers"]["moves_after_shooting"]
    return not moves.get(person(battle, unit).missile, True)


def may_move(rules: Rules, battle: Battle, unit: Unit) -> Problem | None:
    """Return why it is not the figure's time to move; None if it is."""
    if problem := _may_act(rules, battle, unit):
        return problem
    if stays_after_shooting(rules, battle, unit):
        return Problem(
            "sequence.has-shot", {"unit": unit.id}, rule="S1.21c", help="shoot or move, not both in one turn"
        )
    return None


@rule("S1.21f")
def fights_in(phase: str) -> bool:
    """Tell whether blows are struck in a phase."""
    return phase == "melee"


def may_fight(rules: Rules, battle: Battle, unit: Unit, phase: str = "melee") -> Problem | None:
    """Return why it is not the figure's time to attack; None if it is."""
    if problem := _may_act(rules, battle, unit):
        return problem
    if not fights_in(phase):
        return Problem("sequence.no-melee-now", {"unit": unit.id}, rule="S1.21f")
    if problem := occupied(rules, unit) or hands_full(rules, battle, unit):
        return problem
    if harmless(battle, unit):
        return Problem(
            "sequence.harmless",
            {"unit": unit.id},
            rule="CH0.1m",
            help="leave the fighting to soldiers and peasants",
        )
    return None


def hands_full(rules: Rules, battle: Battle, unit: Unit) -> Problem | None:
    """Return what a figure has in its hands, so that it neither shoots nor attacks; None if
    it can do both.
    """
    for hands in family.here(rules, battle).steps.hands:
        if problem := hands(battle, unit):
            return problem
    return None


def asleep(battle: Battle, unit: Unit) -> Problem | None:
    """Return that a figure still sleeps, as the scenario says; it only defends itself.

    None if it is awake.
    """
    if unit.id not in battle.field.sleepers:
        return None
    wakes = battle.field.sleepers[unit.id]
    if battle.field.turns_so_far(battle.at.day, battle.at.turn) >= wakes:
        return None
    return Problem(
        "sequence.asleep", {"unit": unit.id, "turn": wakes}, help="it only defends itself until then"
    )


def occupied(rules: Rules, unit: Unit) -> Problem | None:
    """Return what a figure has done this turn that takes the place of fighting and of every other deed; None
    if nothing.
    """
    if not unit.did:
        return None
    marks = deeds(rules).marks
    for mark in unit.did:
        if mark in marks:
            return Problem("sequence.occupied", {"unit": unit.id, "did": marks[mark]})
    return None


def gone(unit: Unit) -> Problem | None:
    """Return why a figure does nothing any more, not even stay: it is dead, or has left the map; None if
    neither.
    """
    if unit.state == "dead":
        return Problem("sequence.dead", {"unit": unit.id}, rule="CH0.2d")
    if unit.left:
        return panic.fled(unit) or Problem("sequence.gone", {"unit": unit.id})
    return panic.no_orders(unit) if unit.mood else None


def _may_act(rules: Rules, battle: Battle, unit: Unit) -> Problem | None:
    if not is_active(rules, battle, unit):
        return Problem("sequence.not-his-turn", {"unit": unit.id, "side": battle.at.side}, rule="S1.2d")
    if problem := gone(unit):
        return problem
    if problem := asleep(battle, unit):
        return problem
    if counter.lies_stunned(unit):
        return Problem(
            "sequence.stunned",
            {"unit": unit.id},
            rule="CH0.2g",
            help="he comes to in his side's recovery phase",
        )
    if moves_only_led(battle, unit):
        return Problem(
            "sequence.only-led", {"unit": unit.id}, rule="S3.34a", help=f"somebody beside {unit.id} leads it"
        )
    return jobs.busy(rules, unit)


def may_do(rules: Rules, battle: Battle, unit: Unit) -> Problem | None:
    """Return why a figure cannot do a deed of this phase; None if it is its time and it has done nothing yet
    that takes its place.
    """
    return _may_act(rules, battle, unit) or occupied(rules, unit)


@rule("S3.34a")
def moves_only_led(battle: Battle, unit: Unit) -> bool:
    """Tell whether a figure does nothing of its own accord: an animal, a bystander or a prisoner goes
    where it is led.
    """
    return unit.kind != "man" or unit.id in battle.field.bystanders or is_prisoner(unit)


# --- recovery


@rule("S1.21g")
def recovers(battle: Battle, unit: Unit) -> bool:
    """Tell whether a stunned figure comes to in this recovery phase: it was stunned in an earlier player turn
    than this one.
    """
    then = player_turns(battle.field, parse_cursor(unit.since))
    return (
        unit.state == STUNNED and unit.side == battle.at.side and then < player_turns(battle.field, battle.at)
    )


def recovery(rules: Rules, play: Play[Battle], files: Files) -> None:
    """Bring round the figures of the active side that lay stunned, and let happen what else a recovery phase
    is for.
    """
    for id_ in sorted(play.state.units):
        unit = play.state.units[id_]
        if unit.state == STUNNED and recovers(play.state, unit):
            play.happen(StateChanged(id_, STUNNED, HEALTHY, str(play.state.at), rule="S1.21g"))
    for follow in rules.follows.get("recovery", ()):
        follow(rules, play)
