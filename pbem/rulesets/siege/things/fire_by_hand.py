"""Fire by hand: who may set fire to what he has stood beside for a whole turn, and who fights a fire, with
what success.

Both are deeds of the melee phase. What can burn is ``flames``, what comes of a fire is ``burning``, that of
arrows ``fire_arrows``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from pbem.core.play import Play
from pbem.core.problem import Path, Problem
from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.geometry.hex import around, hex_of, neighbours
from pbem.rulesets.siege.ground import flames, passages, terrain
from pbem.rulesets.siege.ground.flames import FIRE
from pbem.rulesets.siege.march import step
from pbem.rulesets.siege.state.deed import Deed, JudgingOf, Needs, Words
from pbem.rulesets.siege.state.events import Acted, FeatureGone
from pbem.rulesets.siege.state.field import BATTLEMENT
from pbem.rulesets.siege.state.orders import Act
from pbem.rulesets.siege.state.sentence import sentence
from pbem.rulesets.siege.state.state import Battle, Unit
from pbem.rulesets.siege.things import burning
from pbem.rulesets.siege.turn import sequence

Rules = Ruleset[Battle]
LIT, PUT_OUT = "lit", "put-out"
SAID: Final = {"moved": "moved", "shot": "shot", "fought": "fought"}
"""What a figure may have done this turn that keeps it from fire -> how it is said."""


def in_arms_reach(rules: Rules, battle: Battle, unit: Unit, hex_: str) -> bool:
    """Tell whether a figure stands beside a hex, with neither wall nor height between, or a tower's bridge
    leads across.
    """
    if hex_ in battle.apart:
        return any(
            hex_of(here) == hex_of(hex_) or _reaches(rules, battle, unit, here, hex_)
            for here in unit.at
            if here in burning.next_to(rules, battle, hex_)
        )
    there = (hex_, *battle.storeys.get(hex_, ()))
    return any(
        _reaches(rules, battle, unit, here, place)
        for here in unit.at
        if hex_ in neighbours(hex_of(here))
        for place in there
    )


def _reaches(rules: Rules, battle: Battle, unit: Unit, here: str, there: str) -> bool:
    if there not in battle.beside(here):
        return False
    return (
        passages.between(rules, battle, here, there) is not None
        or terrain.at_a_leaf(battle, here, there)
        or step.side_bars(rules, battle, unit, here, there) is None
    )


def _done(unit: Unit) -> str:
    """Return what a figure has done this turn beside which it has no time for fire; empty if nothing."""
    return next((SAID[deed] for deed in unit.did if deed in SAID), "")


# --- to light one


def why_not_light(rules: Rules, battle: Battle, order: Act) -> Problem | None:
    """Return why a figure cannot set fire to a hex now; None if it can."""
    unit, hex_ = battle.units[order.who[0]], flames.spot(battle, order.to[0])
    return (
        sequence.may_do(rules, battle, unit)
        or not_here(unit)
        or instead(unit, hex_)
        or nothing_to_light(rules, battle, unit, hex_)
        or from_a_battlement(rules, battle, unit, hex_)
        or not_beside(rules, battle, unit, hex_)
        or just_come(unit, hex_)
    )


def not_here(unit: Unit) -> Problem | None:
    """Return that a figure is not on the map; None if it is."""
    if unit.at:
        return None
    return Problem("movement.not-here", {"unit": unit.id}, help=f"{unit.id} enters at HEX")


def nothing_to_light(rules: Rules, battle: Battle, unit: Unit, hex_: str) -> Problem | None:
    """Return that nothing in a hex can be lit, or that it burns already; None if something can."""
    names = {"unit": unit.id, "hex": hex_}
    if flames.burns(battle, hex_):
        return Problem("fire.burns-already", names, rule="S3.51c")
    if flames.kindling(rules, battle, hex_):
        return None
    return Problem(
        "fire.nothing-there", names, rule="S3.51e", help="tents and siege engines can be set on fire"
    )


@rule("S3.51a")
def not_beside(rules: Rules, battle: Battle, unit: Unit, hex_: str) -> Problem | None:
    """Return that a figure is not beside a hex, with nothing between, to set fire to it; None if it is."""
    if in_arms_reach(rules, battle, unit, hex_):
        return None
    help_ = f"stand beside {hex_} one turn, and light it in the next"
    return Problem(
        "fire.apart", {"unit": unit.id, "hex": hex_, "here": unit.at[0]}, rule="S3.51a", help=help_
    )


@rule("S3.51b")
def just_come(unit: Unit, hex_: str) -> Problem | None:
    """Return that a figure has not stood beside a hex since its last turn, where it is now; None if nothing
    has moved it since.
    """
    if unit.stood[:1] == unit.at[:1] and hex_ in unit.stood[1:]:
        return None
    help_ = (
        "he must end a turn beside it, not be driven off, and stay there in the next: then he may light it"
    )
    return Problem("fire.just-come", {"unit": unit.id, "hex": hex_}, rule="S3.51b", help=help_)


@rule("S3.51b")
def instead(unit: Unit, hex_: str) -> Problem | None:
    """Return what a figure has done this turn in the place of which it would set fire: it moved, shot or
    fought; None if nothing.
    """
    done = _done(unit)
    if not done:
        return None
    return Problem(
        "fire.instead",
        {"unit": unit.id, "hex": hex_, "did": done},
        rule="S3.51b",
        help="it takes the place of all that",
    )


@rule("S3.51d")
def from_a_battlement(rules: Rules, battle: Battle, unit: Unit, hex_: str) -> Problem | None:
    """Return that who stands on a battlement cannot set fire by hand to what is beside it; None if he stands
    elsewhere.
    """
    if BATTLEMENT not in terrain.terrain_at(rules, battle, unit.at[0]).traits:
        return None
    help_ = "from there engines are set on fire with fire arrows, or with oil"
    return Problem("fire.battlement", {"unit": unit.id, "hex": hex_}, rule="S3.51d", help=help_)


@rule("S3.51c")
def light(rules: Rules, play: Play[Battle], order: Act) -> None:
    """Set fire to a hex, which needs no die."""
    unit = play.state.units[order.who[0]]
    lit = play.happen(Acted(unit.id, LIT))
    burning.ignite(rules, play, flames.spot(play.state, order.to[0]), unit.side, lit, "S3.51c")


# --- to put one out


def why_not_put_out(rules: Rules, battle: Battle, order: Act) -> Problem | None:
    """Return why a figure cannot try to put out the fire in a hex now; None if it can."""
    unit, hex_ = battle.units[order.who[0]], flames.spot(battle, order.to[0])
    return (
        once_only(unit, hex_)
        or sequence.may_do(rules, battle, unit)
        or not_here(unit)
        or too_busy(unit, hex_)
        or (
            None
            if may_be_fought(battle, hex_)
            else Problem("fire.no-fire", {"unit": unit.id, "hex": hex_}, rule="S3.53a")
        )
        or too_far(rules, battle, unit, hex_)
    )


@rule("S3.53a")
def too_far(rules: Rules, battle: Battle, unit: Unit, hex_: str) -> Problem | None:
    """Return that a figure is not beside a fire, with nothing between, to put it out; None if it is."""
    if in_arms_reach(rules, battle, unit, hex_) or (
        unit.hexes == (hex_,) and burning.overhead(rules, battle, unit.id, hex_)
    ):
        return None
    help_ = "who fights a fire stands beside it from the beginning of his turn"
    return Problem(
        "fire.too-far", {"unit": unit.id, "hex": hex_, "here": unit.at[0]}, rule="S3.53a", help=help_
    )


@rule("S3.53b")
def once_only(unit: Unit, hex_: str) -> Problem | None:
    """Return that a figure has tried already, against whichever fire: once a turn is all;
    None if it has not.
    """
    if PUT_OUT not in unit.did:
        return None
    return Problem(
        "fire.again", {"unit": unit.id, "hex": hex_}, rule="S3.53b", help="others beside the fire may try too"
    )


@rule("S3.53c")
def may_be_fought(battle: Battle, hex_: str) -> bool:
    """Tell whether one more figure may fight a fire, however many have tried: as long as it burns."""
    return flames.burns(battle, hex_)


@rule("S3.53d")
def too_busy(unit: Unit, hex_: str) -> Problem | None:
    """Return what a figure has done this turn that leaves it no time to fight a fire: it moved, shot or
    fought; None if nothing.
    """
    done = _done(unit)
    if not done:
        return None
    help_ = "who fights a fire neither moves nor shoots nor strikes in that turn"
    return Problem("fire.busy", {"unit": unit.id, "hex": hex_, "did": done}, rule="S3.53d", help=help_)


def put_out(rules: Rules, play: Play[Battle], order: Act) -> None:
    """Let a figure try to put out a fire."""
    id_, hex_ = order.who[0], flames.spot(play.state, order.to[0])
    tried = play.happen(Acted(id_, PUT_OUT))
    if is_put_out(rules, play, id_, hex_):
        play.happen(FeatureGone(hex_, FIRE, "S3.53e", tried))


@rule("S3.53e")
def is_put_out(rules: Rules, play: Play[Battle], id_: str, hex_: str) -> bool:
    """Roll whether a figure puts out a fire."""
    said = {True: f"{id_} puts out the fire in {hex_}", False: f"the fire in {hex_} burns on"}
    return burning.rolled(rules, play, f"put-out/{id_}", "put_out", "S3.53e", said)


# --- the orders


def orders_to_light(rules: Rules, battle: Battle, unit: Unit) -> Iterator[Act]:
    """Yield every hex that a figure stands beside since the beginning of its turn."""
    return (Act("light", (unit.id,), to=(hex_,)) for hex_ in unit.stood[1:])


def orders_to_put_out(rules: Rules, battle: Battle, unit: Unit) -> Iterator[Act]:
    """Yield every fire beside a figure."""
    burns = {fire.at for fire in flames.fires(battle)}
    above = burning.next_to(rules, battle, unit.at[0]) if burns and unit.at else ()
    near = (*around(unit.hexes), *unit.hexes, *above) if burns else ()
    return (Act("put-out", (unit.id,), to=(hex_,)) for hex_ in dict.fromkeys(near) if hex_ in burns)


def goes_out(rules: Rules, battle: Battle, order: Act) -> str:
    """Return how likely a fire is put out."""
    return f"it goes out on {burning.likely(rules, 'put_out')}"


def burns_there(judging: JudgingOf, order: Act, path: Path) -> None:
    """Reckon with fire in the hex that is lit."""
    judging.set_alight(path, (flames.spot(judging.battle, place) for place in order.to))


LIGHTING: Final = Deed(
    id="light",
    sentences=(sentence("fight", "{who:NAME} lights {to:HEX}", "hal lights 1410"),),
    words=Words("light", forms=("{names} lights {place}...",), does=("light[s]",), unended=("lights",)),
    called="lights",
    keys={"at": "to"},
    needs=Needs("fire", ("camp",)),
    check=why_not_light,
    do=light,
    rolls=True,
    alone=True,
    mark=LIT,
    instead="set fire to something",
    lists=orders_to_light,
    follows=burns_there,
)
PUTTING_OUT: Final = Deed(
    id="put-out",
    sentences=(sentence("fight", "{who:NAME} puts out {to:HEX}", "hal puts out 1410"),),
    words=Words("put-out", forms=("{names} puts out {rest}",)),
    called="puts out",
    keys={"at": "to"},
    needs=Needs("fire", ("camp",)),
    check=why_not_put_out,
    do=put_out,
    rolls=True,
    alone=True,
    mark=PUT_OUT,
    instead="fought a fire",
    lists=orders_to_put_out,
    about=goes_out,
)
