"""A trek: a leader's way with those who follow on its trail, each where the one before it was, and where
everybody ends up.

Who can be led is ``leadable``; how the leader's own way is found is ``leading``.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from pbem.core.problem import Problem, first_problem
from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.geometry.hex import distance, hex_of
from pbem.rulesets.siege.ground import stacking
from pbem.rulesets.siege.march import step
from pbem.rulesets.siege.march.walk import Walk
from pbem.rulesets.siege.state.state import Battle, Unit
from pbem.rulesets.siege.things import wagons

Rules = Ruleset[Battle]


class Link(Struct, frozen=True):
    """Somebody who follows, or a wagon: where it stands, the end next to the one before it first."""

    id: str
    at: tuple[str, ...]
    beast: Unit
    """Who goes its way: the animal itself, or one that draws the wagon."""
    wagon: bool = False


class Trek(Struct, frozen=True):
    """A leader's way and what it brings along: for each who follows its places, front first, from where it
    stood.
    """

    walk: Walk
    ways: tuple[tuple[Link, tuple[str, ...]], ...]
    beside: tuple[tuple[Link, tuple[str, ...]], ...] = ()
    """Animals that go beside another before the same wagon, and where they stand at the end."""


def links(
    rules: Rules, battle: Battle, unit: Unit, at: Sequence[str], names: Sequence[str]
) -> tuple[Link, ...] | Problem:
    """Return those who follow a leader who stands here, in a row, a wagon behind its first animal; or who
    stands apart.
    """
    found: list[Link] = []
    track = list(reversed(at))
    for name in names:
        beast = battle.units[name]
        at_ = _near_end_first(rules, battle, track, beast.at)
        if at_ is None:
            who = found[-1].id if found else unit.id
            names_ = {"unit": unit.id, "led": name, "who": who}
            return Problem("leading.apart", names_, rule="S3.34b", help="each next to the one before it")
        found.append(Link(name, at_, beast))
        track = [*reversed(at_), *track]
        wagon = wagons.drawn_by(battle, name)
        if wagon is not None and all(link.id != wagon.id for link in found):
            found.append(Link(wagon.id, wagon.at, beast, wagon=True))
            track = [*reversed(wagon.at), *track]
    return tuple(found)


def _near_end_first(
    rules: Rules, battle: Battle, track: Sequence[str], at: Sequence[str]
) -> tuple[str, ...] | None:
    """Return the hexes of who follows, the end that is next to somebody of the chain first; None if neither
    is.
    """
    for ends in (tuple(at), tuple(reversed(at))):
        if any(wagons.open_between(battle, place, ends[0]) for place in track):
            return ends
    return None


@rule("S3.34c")
def follow(
    rules: Rules, chain: Sequence[Link], track: Sequence[str], stands: int
) -> list[tuple[Link, tuple[str, ...]]]:
    """Return the places through which each of a chain follows its leader, as an extension of his counter.

    ``track`` is where the leader's rear goes, from where it begins; the first ``stands`` of its places are
    his when they set out.
    """
    found: list[tuple[Link, tuple[str, ...]]] = []
    room = 0
    for link in chain:
        join = next(
            index
            for index, place in enumerate(track[:stands])
            if distance(hex_of(place), hex_of(link.at[0])) == 1
        )
        end = len(track) - 2 - room
        steps = tuple(track[join : max(0, end + 1)])
        found.append((link, (*reversed(link.at), *steps)))
        track = [*reversed(link.at), *track[join:]]
        stands = stands - join + len(link.at)
        room += len(link.at)
    return found


def trek(
    rules: Rules,
    battle: Battle,
    unit: Unit,
    names: Sequence[str],
    chain: Sequence[Link],
    before: Walk,
    after: Walk,
    spend: int,
) -> Trek | Problem:
    """Return a way in two parts, up to the reins and on from there, with those who follow in the second; or
    why they cannot.
    """
    tails = (*before.tails, *after.tails[1:])
    walk = Walk((*before.places, *after.places[1:]), before.cost + after.cost, spend, after.stopped, tails)
    rear = after.tails or after.places
    track = [place for index, place in enumerate(rear) if index == 0 or place != rear[index - 1]]
    stands = 2 if after.tails and len(track) > 1 and track[1] == after.places[0] else 1
    if len(after.places) == 1:
        return _in_the_way(rules, battle, unit, walk) or Trek(walk, ())
    if not _joined(chain, track, stands):
        return Problem(
            "leading.apart",
            {"unit": unit.id, "led": names[0], "who": unit.id},
            rule="S3.34b",
            help="go ahead, do not turn",
        )
    ways = follow(rules, chain, track, stands)
    trek = Trek(walk, tuple(ways))
    problem = shut(rules, battle, unit, names, trek)
    if problem is not None:
        return problem
    return _with_mates(rules, battle, unit, trek)


def _in_the_way(rules: Rules, battle: Battle, unit: Unit, walk: Walk) -> Problem | None:
    """Return that a leader who only takes the reins cannot stop where he would: he may pass somebody there,
    but not stop.
    """
    found = (stacking.occupied(rules, battle, unit, place, walk.of) for place in walk.ends)
    return first_problem(found)


def _joined(chain: Sequence[Link], track: Sequence[str], stands: int) -> bool:
    """Tell whether each of a chain is next to somewhere on the trail where the one before
    it stands or stood.
    """
    known = list(track[:stands])
    for link in chain:
        if all(distance(hex_of(place), hex_of(link.at[0])) != 1 for place in known):
            return False
        known += link.at
    return True


def ends(link: Link, way: Sequence[str]) -> tuple[str, ...]:
    """Return where somebody stands at the end of its way, front first."""
    return tuple(reversed(way[-len(link.at) :]))


def shut(rules: Rules, battle: Battle, unit: Unit, names: Sequence[str], trek: Trek) -> Problem | None:
    """Return why those who follow cannot: a step is barred to one of them, or somebody stands where one would
    end up.
    """
    family = {unit.id, *names, *(mate for link, _ in trek.ways for mate in wagons.team(battle, link.id))}
    taken = dict.fromkeys(trek.walk.ends, unit.id)
    for link, way in trek.ways:
        length = len(link.at)
        for here, there in zip(way[length - 1 :], way[length:], strict=False):
            if problem := step.ways_bars(rules, battle, link.beast, here, there):
                return problem
        for place in ends(link, way):
            others = [
                other.id for other in stacking.others_on(battle, link.beast, place) if other.id not in family
            ]
            other = taken.setdefault(place, link.id)
            if others or other != link.id:
                args = {"unit": unit.id, "led": link.id, "hex": place, "other": (*others, other)[0]}
                return Problem("leading.no-room", args, rule="S1.62a", help="go another way, or further")
            if step.leaps(rules, battle, link.beast, place):
                return Problem(
                    "riding.trench",
                    {"unit": link.id, "hex": place},
                    rule="S3.32b",
                    help="go on until all are across",
                )
    return None


def _with_mates(rules: Rules, battle: Battle, unit: Unit, trek: Trek) -> Trek | Problem:
    """Return a trek with the other animals of each team beside the one that is led, before the wagon."""
    taken = {*trek.walk.ends, *(place for link, way in trek.ways for place in ends(link, way))}
    chained = {link.id for link, _ in trek.ways}
    beside: list[tuple[Link, tuple[str, ...]]] = []
    for link, way in trek.ways:
        if not link.wagon or len(way) == len(link.at):
            continue
        for mate in wagons.team(battle, link.id):
            beast = battle.units[mate]
            if mate in chained or not beast.at:
                continue
            stands = wagons.room_before(rules, battle, ends(link, way), beast, taken)
            if stands is None:
                args = {"unit": unit.id, "led": mate, "wagon": link.id}
                return Problem("leading.no-team", args, rule="S5.11b", help="go another way")
            taken |= set(stands)
            beside.append((Link(mate, beast.at, beast), stands))
    return replace(trek, beside=tuple(beside))
