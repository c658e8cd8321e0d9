"""Portals: who opens and closes them, and what a closed one bars."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from pbem.core.play import Play
from pbem.core.problem import Problem
from pbem.core.rule import rule
from pbem.geometry.plane import TOLERANCE, Shape, closer
from pbem.rulesets.castle.dial import Rules, row, window
from pbem.rulesets.castle.events import Breached, PortalMoved
from pbem.rulesets.castle.space import base, doorway
from pbem.rulesets.castle.state import Section, War

OPENS, CLOSES = "opens", "closes"


def names(rules: Rules, section: Section) -> tuple[str, ...]:
    """Return the portals of a section by name (MK11.1)."""
    return tuple(row(rules, section)["portals"])


def found(rules: Rules, war: War, name: str) -> tuple[tuple[Section, str], ...]:
    """Return the portals that an order means: those of a section, or one, as ``keep-front``."""
    every = [(section, portal) for section in war.standing for portal in names(rules, section)]
    return tuple(
        (section, portal) for section, portal in every if name in (section.id, f"{section.id}-{portal}")
    )


@rule("MK11.2")
def is_open(rules: Rules, section: Section, portal: str) -> bool:
    """Tell whether a portal is open: as the game begins none is."""
    return portal in section.open


@rule("MK11.3")
def closed_lines(rules: Rules, war: War, but: str = "") -> tuple[Shape, ...]:
    """Return the lines of closed portals across passages, through which neither a move nor a shot goes; what
    has no passage bars both by itself. Those of the section ``but`` are left out.
    """
    return tuple(
        line_of(rules, section, portal)
        for section in war.standing
        if section.id != but and row(rules, section)["passage"]
        for portal in names(rules, section)
        if not is_open(rules, section, portal)
    )


def line_of(rules: Rules, section: Section, portal: str) -> Shape:
    """Return the line of a portal: as wide as the passage it closes, or as a door."""
    size = row(rules, section)
    wide = size["passage"] or rules.tables["measures"]["door_width"]
    return doorway(rules, section, size["portals"][portal], wide)


def wrong(rules: Rules, war: War, section: Section, portal: str, does: str, side: str) -> Problem | None:
    """Return why a side cannot open or close a portal now, or None."""
    name = f"{section.id}-{portal}"
    if (problem := not_theirs(section, portal, side)) is not None:
        return problem
    if does == CLOSES and stays_open(section):
        return Problem("castle.portal-breached", {"portal": name}, rule="MK11.10")
    if does == CLOSES and (inside := standing_in(rules, war, section, portal)):
        return Problem(
            "castle.portal-blocked",
            {"portal": name, "who": ", ".join(war.figure(id_).name for id_ in inside)},
            rule="MK18.5",
        )
    return None


@rule("MK11.11")
def not_theirs(section: Section, portal: str, side: str) -> Problem | None:
    """Return why a side does not work a portal, or None: it is the castle's own, whoever stands there."""
    if section.side == side:
        return None
    return Problem("castle.portal-whose", {"portal": f"{section.id}-{portal}"}, rule="MK11.11")


@rule("MK11.10")
def stays_open(section: Section) -> bool:
    """Tell whether the portals of a section stay open for good: it has been breached."""
    return section.breached


@rule("MK18.5")
def standing_in(rules: Rules, war: War, section: Section, portal: str) -> tuple[str, ...]:
    """Return who stands in a portal, so that it cannot be closed."""
    line = line_of(rules, section, portal)
    bases = [(one.id, *base(rules, one)) for one in war.up if not one.on]
    return tuple(id_ for id_, shape, size in bases if closer(line, shape, size - TOLERANCE))


@rule("MK11.5", "MK11.7", "MK11.8")
def work(rules: Rules, play: Play[War], section: str, portal: str, does: str) -> None:
    """Open or close one portal, which costs no action."""
    now = play.state.section(section)
    if (portal in now.open) == (does == OPENS):
        return
    after = {*now.open, portal} if does == OPENS else {*now.open} - {portal}
    play.happen(PortalMoved(section, portal, does, tuple(sorted(after))))


@rule("MK11.9", "MK18.10")
def shows_a_square(rules: Rules, section: Section) -> bool:
    """Tell whether a section's fortification shows a yellow square: it is breached, and demoralized
    (MKA9).
    """
    return window(rules, section).square


def breached_at_first(rules: Rules, section: Section) -> Section:
    """Return a section as it begins: breached, its portals open, where its dial shows a yellow square."""
    if not shows_a_square(rules, section):
        return section
    return replace(section, breached=True, open=tuple(sorted(names(rules, section))))


def spring_open(rules: Rules, play: Play[War], section: str) -> None:
    """Breach a section that shows a yellow square: what of its portals is closed springs open."""
    now = play.state.section(section)
    if now.out or now.breached or not shows_a_square(rules, now):
        return
    play.happen(Breached(section))
    for portal in names(rules, now):
        after = play.state.section(section).open
        if portal not in after:
            play.happen(PortalMoved(section, portal, OPENS, tuple(sorted({*after, portal})), "breached"))


def every(rules: Rules, war: War, side: str) -> Iterator[tuple[Section, str, str]]:
    """Yield what a side may open or close: section, portal, what is done."""
    for section in war.standing:
        for portal in names(rules, section):
            does = CLOSES if is_open(rules, section, portal) else OPENS
            if wrong(rules, war, section, portal, does, side) is None:
                yield section, portal, does
