"""The orders of the setup: to place, to mount before the game, to prepare hexes, to give shooters their
skill; which there are.

Whether they are legal is decided in ``setup``, ``placing``, ``works`` and ``skill``.
"""

from __future__ import annotations

from collections.abc import Iterator
from re import Match
from typing import Final

from pbem.core.ruleset import Ruleset
from pbem.geometry.hex import SIDES
from pbem.rulesets.siege.march import riding
from pbem.rulesets.siege.orders import conditions
from pbem.rulesets.siege.scenario import placing, setup
from pbem.rulesets.siege.state.deed import Deed, Needs, Priced, Words
from pbem.rulesets.siege.state.orders import Place, Prepare, Ride, Skill
from pbem.rulesets.siege.state.sentence import sentence
from pbem.rulesets.siege.state.state import Battle, Thing, Unit
from pbem.rulesets.siege.things import names

Rules = Ruleset[Battle]


def placings(rules: Rules, battle: Battle, unit: Unit) -> Iterator[Priced]:
    """Yield where a figure may be placed, other than where it has been."""
    facings = SIDES if riding.two_hexes(unit) else ("",)
    region = setup.region(battle, setup.force_of(battle, unit))
    above = (place for hex_ in region for place in battle.storeys.get(hex_, ()))
    for hex_ in (*region, *above):
        for facing in facings:
            order = Place(unit.id, (hex_,), facing)
            if setup.stands(battle, order) != unit.at and conditions.stands(
                rules, battle, "place", unit.owner, order
            ):
                yield order, None


def things(rules: Rules, battle: Battle, seat: str, thing: Thing) -> Iterator[Priced]:
    """Yield where a thing may be placed."""
    for order in placing.orders(rules, battle, seat, thing.id):
        yield order, None


def rides(rules: Rules, battle: Battle, unit: Unit) -> Iterator[Priced]:
    """Yield on which horses a figure may begin the game, other than the one it sits on."""
    for id_, horse in sorted(battle.units.items()):
        order = Ride(unit.id, id_)
        asked = horse.kind == "horse" and unit.on != id_ and not names.not_in_force(rules, order)
        if asked and conditions.stands(rules, battle, "ride", unit.owner, order):
            yield order, None


def _place(do: str, found: Match[str]) -> Place:
    return Place(found["who"], tuple(found["at"].split(" ")), found["facing"] or "")


def _prepare(do: str, found: Match[str]) -> Prepare:
    return Prepare(do, tuple(found["hexes"].split(" ")))


_WORKS: Final = Needs("works before the battle", ("works",))
PLACE: Final = Deed(
    id="place",
    sentences=(
        sentence(
            "setup day",
            "{who:NAME} at {at:HEXES}[ facing {facing:SIDE}]",
            "odo at 0712",
            form="NAME at HEX [facing SIDE]",
            makes=Place,
            build=_place,
        ),
    ),
    words=Words("place"),
    called="stands in",
    priced=(placings,),
    listed_in=("setup",),
    things=(things,),
)
RIDE: Final = Deed(
    id="ride",
    sentences=(
        sentence(
            "setup",
            "{who:NAME} rides {horse:HORSE}",
            "hugh rides bayard",
            makes=Ride,
            build=lambda do, found: Ride(found["who"], found["horse"]),
        ),
    ),
    words=Words("ride", forms=("{names} rides {name}",), does=("ride[s]",), unended=("rides",)),
    called="rides",
    keys={"what": "horse"},
    needs=Needs("horses and riders", ("riders",)),
    priced=(rides,),
)
FILL: Final = Deed(
    id="fill",
    sentences=(sentence("setup day", "fill {hexes:HEXES}", "fill 0603 0604", makes=Prepare, build=_prepare),),
    words=Words("fill", forms=("fill {place}...",), unended=("fill",)),
    called="fills",
    needs=_WORKS,
)
RUBBLE: Final = Deed(
    id="rubble",
    sentences=(
        sentence(
            "setup", "rubble {hexes:HEXES}", "rubble 0704", form="rubble HEX", makes=Prepare, build=_prepare
        ),
    ),
    words=Words("rubble", forms=("rubble {place}...",), tells=("rubble",), unended=("rubble",)),
    called="breaks down",
    needs=_WORKS,
)
SKILL: Final = Deed(
    id="skill",
    sentences=(
        sentence(
            "setup",
            "{who:NAME} has skill {value:SKILL}",
            "alric has skill -2",
            makes=Skill,
            build=lambda do, found: Skill(found["who"], int(found["value"])),
        ),
    ),
    words=Words("skill", forms=("{names} has skill {rest}",), unended=("skill",)),
    called="has skill",
    needs=Needs("shooters' skill", (), option="shooter_skill"),
)
