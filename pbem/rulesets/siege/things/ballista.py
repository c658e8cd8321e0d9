"""Ballistae: who works one, how it is loaded turn by turn, and when it may shoot; nobody moves it or sets
foot in its hex.

At whom it shoots, and what the shot does, is ``shooting``, with the engine in the place of the shooter; who
orders it is ``volleys``.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from pbem.core.play import Play
from pbem.core.problem import Problem
from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.core.sequence import parse_cursor
from pbem.geometry.hex import distance, hex_of
from pbem.rulesets.siege.ground import terrain
from pbem.rulesets.siege.ground.character import person
from pbem.rulesets.siege.state import family
from pbem.rulesets.siege.state.events import ThingChanged
from pbem.rulesets.siege.state.family import where_there_is
from pbem.rulesets.siege.state.state import HEALTHY, Battle, Thing, Unit

Rules = Ruleset[Battle]
BALLISTA, TECHNICIAN, SERVED = "ballista", "technician", "served"


def ballistae(battle: Battle) -> tuple[Thing, ...]:
    """Return the ballistae that stand on the map, by id."""
    return tuple(
        thing
        for _, thing in sorted(battle.things.items())
        if thing.kind == BALLISTA and thing.at and not thing.away
    )


def as_shooter(thing: Thing, unit: Unit) -> Unit:
    """Return a figure as it shoots a ballista: from the hex of the engine, on which neither its wounds nor
    its skill tell.
    """
    return replace(unit, kind=BALLISTA, at=thing.at, on="", state=HEALTHY, skill=0)


@rule("S3.41d")
def column_of(shooter: Unit) -> str:
    """Return the weapon in whose columns of the shooting tables the shot of an engine is read; empty for who
    shoots himself.
    """
    return BALLISTA if shooter.kind == BALLISTA else ""


# --- who works it


@rule("S3.41g")
def may_serve(unit: Unit) -> bool:
    """Tell whether a figure counts as one of the crew, whatever else it does beside the engine: only who has
    not shot a bow of his own.
    """
    return "shot" not in unit.did


@rule("S3.41g")
def has_served(unit: Unit) -> Problem | None:
    """Return that a figure has shot a ballista this turn and so does not shoot a bow of its own; None if it
    has not.
    """
    return Problem("ballista.served", {"unit": unit.id}, rule="S3.41g") if SERVED in unit.did else None


def beside(battle: Battle, thing: Thing) -> list[Unit]:
    """Return the figures of a ballista's side that may count as its crew: able men next to it, no wall
    between, by id.
    """
    fit = (
        unit for _, unit in sorted(battle.units.items()) if unit.able and unit.kind == "man" and not unit.mood
    )
    own = (unit for unit in fit if thing.side in ("", unit.side))
    return [unit for unit in own if _next_to(battle, unit, thing) and may_serve(unit)]


def _next_to(battle: Battle, unit: Unit, thing: Thing) -> bool:
    pairs = ((hex_of(here), hex_of(there)) for here in unit.at for there in thing.at)
    near = ((here, there) for here, there in pairs if distance(here, there) == 1)
    return any(
        all(feature.passes for feature in terrain.between(battle, here, there)) for here, there in near
    )


@rule("S3.41b")
def crew(rules: Rules, battle: Battle, thing: Thing, first: str = "") -> tuple[str, ...]:
    """Return the two who work a ballista, one a technician, among them the one named first; none if there are
    no such two beside it.
    """
    works = family.of(rules).shots.crews
    men = [unit for unit in beside(battle, thing) if all(fit(rules, battle, unit, thing) for fit in works)]
    experts = [unit.id for unit in men if person(battle, unit).class_ == TECHNICIAN]
    pairs = [(expert, unit.id) for expert in experts for unit in men if unit.id != expert]
    return next((pair for pair in pairs if not first or first in pair), ())


# --- how it is loaded


def loaded_with(rules: Rules) -> int:
    """Return the number of the marker on a ballista that is loaded: it shoots in that turn of loading, or in
    any later one.
    """
    return int(rules.tables["gear"]["loaded"][BALLISTA]["turns"])


def turns(rules: Rules, thing: Thing) -> int:
    """Return how many turns a ballista has been loaded; one that has never shot may have stood loaded from
    the beginning (option).
    """
    return loaded_with(rules) if starts_loaded(rules) and not thing.struck else thing.loaded


def starts_loaded(rules: Rules) -> bool:
    """Tell whether ballistae stand loaded at the beginning of the game (option)."""
    return rules.setting("ballista_starts_loaded") == "true"


@rule("S3.41a")
def ready(rules: Rules, thing: Thing) -> bool:
    """Tell whether a ballista may shoot this turn: it is the last of loading, or loading is over."""
    return turns(rules, thing) >= loaded_with(rules) - 1


@rule("S3.41e")
def marker(rules: Rules, loaded: int) -> int:
    """Return the number of the marker that is laid after one: how many turns it has been loaded."""
    return min(loaded_with(rules), loaded + 1)


@rule("S3.41c")
def starts_anew(rules: Rules) -> bool:
    """Tell whether loading begins anew if the crew leaves before it is done (option); otherwise it goes on
    when there is one again.
    """
    return rules.setting("ballista_interrupted_count") == "restart"


def load(rules: Rules, play: Play[Battle]) -> None:
    """Count, at the end of a player turn, how far each ballista is loaded: on in its own turn, and back in
    any if its crew is gone.
    """
    full = loaded_with(rules)
    for thing in ballistae(play.state):
        loaded, men = turns(rules, thing), crew(rules, play.state, thing)
        if (
            men
            and thing.side in ("", play.state.at.side)
            and loaded < full
            and not has_shot(play.state, thing)
        ):
            play.happen(ThingChanged(thing.id, crew=men, loaded=marker(rules, loaded), rule="S3.41e"))
        elif not men and 0 < loaded < full and starts_anew(rules):
            play.happen(ThingChanged(thing.id, cleared=("loaded", "crew"), rule="S3.41c"))


def has_shot(battle: Battle, thing: Thing) -> bool:
    """Tell whether a ballista has shot in this player turn."""
    return bool(thing.struck) and parse_cursor(thing.struck).player_turn == battle.at.player_turn


# --- where it stands


def ground(battle: Battle, thing: Thing) -> Mapping[str, str]:
    """Return the ground of the hex in which a ballista stands, or a machine that throws stones."""
    return {} if thing.away else dict.fromkeys(thing.at, "ballista_hex")


@rule("S3.43a")
def stands_fast(battle: Battle, name: str) -> Problem | None:
    """Return that a ballista, which an order would move, stays where it was placed; None of anything else."""
    thing = battle.things.get(name)
    if thing is None or thing.kind != BALLISTA:
        return None
    return Problem(
        "ballista.fixed",
        {"thing": thing.id},
        rule="S3.43a",
        help="it stays where it was placed; only its crew moves",
    )


@rule("S3.43c")
@where_there_is(BALLISTA)
def bars(battle: Battle, unit: Unit, there: str) -> Problem | None:
    """Return that a ballista fills a hex, where nobody goes; None if there is none."""
    thing = filled(battle).get(hex_of(there), "") if battle.things else ""
    return (
        Problem("ballista.bars", {"unit": unit.id, "hex": there, "thing": thing}, rule="S3.43c")
        if thing
        else None
    )


def filled(battle: Battle) -> Mapping[str, str]:
    """Return hex -> the ballista that stands in it."""
    return battle.once(
        "ballistae", lambda: {hex_of(place): thing.id for thing in ballistae(battle) for place in thing.at}
    )
