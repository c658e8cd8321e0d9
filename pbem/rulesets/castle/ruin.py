"""Ruin: warriors who are out of the game, sections that fall, and who falls with them."""

from __future__ import annotations

from pbem.core.play import Play
from pbem.core.rule import rule
from pbem.rulesets.castle.dial import Rules, at_an_end, hurt
from pbem.rulesets.castle.events import Collapsed, Eliminated, Rolled, Turned
from pbem.rulesets.castle.facing import facing_of
from pbem.rulesets.castle.portals import spring_open
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
        play.happen(Eliminated(unit))


@rule("MK15.1", "MK15.3")
def collapse(rules: Rules, play: Play[War], section: str) -> None:
    """Take a section off the table: who was on it stands on its rubble, and looks where its owner wants."""
    fallen = tuple(one.id for one in play.state.figures if one.on == section and not one.out)
    play.happen(Collapsed(section, fallen))
    for id_ in fallen:
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
