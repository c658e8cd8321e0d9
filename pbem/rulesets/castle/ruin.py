"""Ruin: warriors who are out of the game, sections that fall, and who falls with them."""

from __future__ import annotations

from itertools import product
from typing import Final

from msgspec.structs import replace

from pbem.core.play import Play
from pbem.core.rule import rule
from pbem.geometry.plane import TURN, direction, inches
from pbem.rulesets.castle.dial import Rules, at_an_end, hurt
from pbem.rulesets.castle.events import Captured, Collapsed, Eliminated, Moved, Rolled, Turned
from pbem.rulesets.castle.facing import facing_of
from pbem.rulesets.castle.movement import has_room, standing_on
from pbem.rulesets.castle.portals import spring_open
from pbem.rulesets.castle.space import free_of_bases
from pbem.rulesets.castle.state import Section, War


def settle(rules: Rules, play: Play[War], unit: str) -> None:
    """Carry out what a dial demands that was turned: elimination, ruin, a breach."""
    one = play.state.one(unit)
    if one.out:
        return
    if isinstance(one, Section):
        if at_an_end(rules, one):
            collapse(rules, play, unit)
        else:
            spring_open(rules, play, unit)
    elif at_an_end(rules, one):
        led = led_by(play.state, unit)
        play.happen(Eliminated(unit))
        for id_ in led:
            aside(rules, play, id_)


def captured(rules: Rules, play: Play[War], unit: str, by: str) -> None:
    """Make a warrior somebody's captive; those he led are free."""
    led = led_by(play.state, unit)
    play.happen(Captured(unit, by))
    for id_ in led:
        aside(rules, play, id_)


def led_by(war: War, captor: str) -> tuple[str, ...]:
    """Return the captives of a warrior."""
    return tuple(one.id for one in war.figures if one.captor == captor)


MILLION: Final = 1_000_000
STEP: Final = 10
"""Hundredths between the rings of places that are tried for somebody who stands in another."""
RINGS: Final = 60
PLACES: Final = 32
"""How many places of a ring are tried."""


def aside(rules: Rules, play: Play[War], unit: str) -> None:
    """Put somebody who comes to stand in another beside him: at the nearest place with room, clockwise from
    north; where there is none he stays.
    """
    one = play.state.figure(unit)
    if free_of_bases(rules, play.state, one):
        return
    for ring, place in product(range(1, RINGS + 1), range(PLACES)):
        ux, uy = direction(place * TURN // PLACES)
        x, y = one.x + ring * STEP * ux // MILLION, one.y + ring * STEP * uy // MILLION
        there = replace(one, x=x, y=y)
        if one.on:
            there = replace(there, on=standing_on(rules, play.state, there))
            if not there.on:
                continue
        if has_room(rules, play.state, there):
            path = tuple(f"{inches(px)},{inches(py)}" for px, py in (one.at, there.at))
            play.happen(Moved(unit, path, x, y, one.facing, there.on, "beside"))
            return


@rule("MK15.1", "MK15.3")
def collapse(rules: Rules, play: Play[War], section: str) -> None:
    """Take a section off the table: who was on it stands on its rubble, and looks where its owner wants."""
    fallen = tuple(one.id for one in play.state.figures if one.on == section and not one.out)
    play.happen(Collapsed(section, fallen))
    for id_ in fallen:
        aside(rules, play, id_)
        one = play.state.figure(id_)
        wanted = play.state.order_of(one.owner).collapse
        facing = facing_of(play.state, one, wanted) if wanted else None
        if facing is not None and facing != one.facing:
            play.happen(Turned(id_, facing, "collapse", section))
    for id_ in fallen:
        falls(rules, play, section, id_)


@rule("MK15.4")
def falls(rules: Rules, play: Play[War], section: str, figure: str) -> None:
    """Roll a die for a warrior whose section has fallen: so many clicks he loses (MKA5)."""
    sides = rules.tables["attacks"]["collapse"]["sides"]
    label = f"fall/{figure}/{section}"
    (face,) = play.roll(label, sides)
    play.happen(Rolled(f"{play.cursor}/{label}", sides, (face,), "MK15.4"))
    hurt(rules, play, figure, face, "collapse")
    settle(rules, play, figure)
