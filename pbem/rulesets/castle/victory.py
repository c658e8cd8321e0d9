"""Victory: points for who is out of the game and for what was taken, and what ends a game at once."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.core.rule import rule
from pbem.rulesets.castle.access import points as access_points
from pbem.rulesets.castle.access import touches_point
from pbem.rulesets.castle.dial import Rules, points
from pbem.rulesets.castle.events import GameEnded
from pbem.rulesets.castle.portals import shows_a_square
from pbem.rulesets.castle.state import DRAW, Figure, Section, War


@rule("MKB24", "MK17.1")
def eliminated(rules: Rules, war: War, side: str) -> int:
    """Return the points of what of others is out of the game, sections among it."""
    gone = [one for one in war.all if one.out or (isinstance(one, Figure) and one.captor)]
    return sum(points(rules, one) for one in gone if one.side != side)


@rule("MKB24")
def survivors(rules: Rules, war: War, side: str) -> int:
    """Return the points of what a side has left, sections among it, where its scenario counts them."""
    if war.board.victory.get("at-end", {}).get("survivors", "no") != "yes":
        return 0
    return sum(points(rules, one) for one in war.of(side))


@rule("MK17.2")
def conquered(rules: Rules, war: War, side: str) -> int:
    """Return the points for sections that are demoralized at the end and that a side's warriors alone hold:
    twice what they cost (MKA9).
    """
    times: int = rules.tables["attacks"]["conquered"]
    return sum(
        times * points(rules, section)
        for section in war.standing
        if section.side != side and shows_a_square(rules, section) and held_by(rules, war, section) == {side}
    )


def held_by(rules: Rules, war: War, section: Section) -> set[str]:
    """Return the sides of those on a section and in contact with its access points."""
    every = access_points(rules, war, section)
    return {
        one.side
        for one in war.up
        if one.on == section.id or any(touches_point(rules, war, one, point) for point in every)
    }


def score(rules: Rules, war: War) -> dict[str, int]:
    """Return what each side has by now."""
    return {
        side.id: eliminated(rules, war, side.id)
        + conquered(rules, war, side.id)
        + survivors(rules, war, side.id)
        for side in war.board.sides
    }


def at_once(rules: Rules, war: War) -> GameEnded | None:
    """Return the end of a game that a line of its scenario brings at the end of a player turn, or None."""
    for line in war.board.victory.get("at-once", ()):
        if line.get("after", war.at.side) == war.at.side and met(war, line):
            return ended(rules, war, str(line["side"]), "goal")
    for side in war.board.sides:
        if not any(one.side == side.id for one in war.left):
            others = [other.id for other in war.board.sides if other.id != side.id]
            return ended(rules, war, others[0], "wiped-out")
    return None


def met(war: War, line: Mapping[str, str]) -> bool:
    """Tell whether what a line asks for is so: a section held by a side alone, or destroyed."""
    if "destroyed" in line:
        return war.section(line["destroyed"]).out
    there = {one.side for one in war.up if one.on == line["holds"]}
    return there == {line["side"]}


def at_the_end(rules: Rules, war: War) -> GameEnded:
    """Return the end of a game whose turns are over: by points, or for whom its scenario names."""
    said = war.board.victory.get("at-end", {})
    if "winner" in said:
        return ended(rules, war, str(said["winner"]), "time")
    found = score(rules, war)
    best, *others = sorted(found, key=lambda side: -found[side])
    lead = found[best] - max(found[other] for other in others)
    if lead < int(said.get("lead", 1)):
        return ended(rules, war, DRAW, "time")
    return ended(rules, war, best, "time", "major" if lead >= int(said.get("major", lead + 1)) else "")


def ended(rules: Rules, war: War, winner: str, why: str, grade: str = "") -> GameEnded:
    """Return the end of a game with what each side has."""
    return GameEnded(winner, why, grade, tuple(sorted(score(rules, war).items())))
