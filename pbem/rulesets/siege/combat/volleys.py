"""The two phases of shooting: who carries out which order in them, with a weapon of his own, with fire
arrows, or with a ballista.

How a shot is resolved is ``shooting``; fire arrows are ``fire_arrows``; who works a ballista, and when it is
loaded, is ``ballista``.
"""

from __future__ import annotations

from collections.abc import Iterator

from pbem.core.play import Play
from pbem.core.problem import Problem, first_problem
from pbem.core.ruleset import Files, Ruleset
from pbem.rulesets.siege.combat import fire_arrows, shooting
from pbem.rulesets.siege.orders import carry_out
from pbem.rulesets.siege.sight import crossfire
from pbem.rulesets.siege.state import family
from pbem.rulesets.siege.state.events import Acted, ThingChanged
from pbem.rulesets.siege.state.line import Aim
from pbem.rulesets.siege.state.orders import FireEngine, Shoot
from pbem.rulesets.siege.state.state import Battle, Unit
from pbem.rulesets.siege.things import ballista
from pbem.rulesets.siege.turn import sequence

Rules = Ruleset[Battle]


def resolve(rules: Rules, play: Play[Battle], files: Files, others: carry_out.Doers | None = None) -> None:
    """Carry out the shots of a phase, of whatever kind, in the order of the lines; ``others`` carry out what
    else a game has in it.
    """
    shooting.resolve(rules, play, files, _with_fire, {FireEngine: fire, **(others or {})})


def _with_fire(rules: Rules, play: Play[Battle], seat: str, order: Shoot) -> Problem | None:
    return fire_arrows.shoot(rules, play, order)


# --- ballistae


def check(rules: Rules, battle: Battle, seat: str, order: FireEngine) -> Iterator[Problem]:
    """Yield what is wrong with an order to shoot a ballista: nothing if one of its targets can be shot at."""
    if problem := not_ready(rules, battle, order):
        yield problem
        return
    found = choose(rules, battle, order)
    if isinstance(found, list):
        yield from found


def not_ready(rules: Rules, battle: Battle, order: FireEngine) -> Problem | None:
    """Return why a figure cannot shoot a ballista at anybody now; None if it only wants a target."""
    unit, thing = battle.units[order.who], battle.things.get(order.engine)
    names: dict[str, str | int] = {"unit": unit.id, "thing": order.engine}
    if problem := sequence.may_do(rules, battle, unit):
        return problem
    if thing is None or thing.kind != ballista.BALLISTA:
        return Problem("ballista.none", names, rule="S3.41a", help="the ballistae are " + _ballistae(battle))
    if thing.side not in ("", unit.side):
        return Problem("ballista.not-yours", {**names, "side": thing.side}, rule="S3.41b")
    if not ballista.crew(rules, battle, thing, unit.id):
        help_ = "two stand beside it, one of them a technician, and neither has shot a bow this turn"
        return Problem("ballista.no-crew", names, rule=family.of(rules).shots.served_by, help=help_)
    if not ballista.ready(rules, thing):
        left = ballista.loaded_with(rules) - 1 - ballista.turns(rules, thing)
        help_ = (
            f"it shoots in turn {ballista.loaded_with(rules)} of loading: in {left} "
            f"turn{'s' if left > 1 else ''}, if its crew stays"
        )
        return Problem(
            "ballista.not-loaded",
            {**names, "loaded": ballista.turns(rules, thing)},
            rule=family.of(rules).shots.loaded_by,
            help=help_,
        )
    return first_problem(why(rules, battle, thing) for why in family.of(rules).shots.engines)


def _ballistae(battle: Battle) -> str:
    return ", ".join(thing.id for thing in ballista.ballistae(battle)) or "none here"


def choose(rules: Rules, battle: Battle, order: FireEngine) -> tuple[Unit, Aim] | list[Problem]:
    """Return the first target of an order that a ballista can shoot at now, with the shot; or what is wrong
    with each of them.
    """
    return shooting.choose(rules, battle, shooter_of(battle, order), order.at)


def shooter_of(battle: Battle, order: FireEngine) -> Unit:
    """Return a ballista in the place of the figure that shoots it."""
    return ballista.as_shooter(battle.things[order.engine], battle.units[order.who])


def fire(rules: Rules, play: Play[Battle], seat: str, order: FireEngine) -> Problem | None:
    """Shoot a ballista at the first target that is legal now; return why there is none.

    It is empty then and is loaded anew.
    """
    if problem := not_ready(rules, play.state, order):
        return problem
    found = choose(rules, play.state, order)
    while not isinstance(found, list) and crossfire.settle(rules, play, found[0]):
        found = choose(rules, play.state, order)
    if isinstance(found, list):
        return found[0]
    crew = ballista.crew(rules, play.state, play.state.things[order.engine], order.who)
    for id_ in crew:
        play.happen(Acted(id_, ballista.SERVED))
    shot = ThingChanged(
        order.engine, crew=crew, struck=str(play.state.at), cleared=("loaded",), rule="S3.41a"
    )
    shooting.loose(rules, play, shooter_of(play.state, order), *found)
    play.happen(shot)
    return None
