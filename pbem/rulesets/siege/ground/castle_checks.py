"""Whether a castle drawn on a map makes sense: it is closed, its bridge has a gate and a winch, its parapets
look out.

Everything here has been read already (``maps``); each problem names the hex it is about, and ``maps`` finds
the place in the file.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator, Mapping

from msgspec import Struct

from pbem.core.problem import Path, Problem
from pbem.geometry.hex import SIDES, beside, hexside, neighbour, neighbours
from pbem.rulesets.siege.ground import floors
from pbem.rulesets.siege.state.field import Fixture, OnSide, SideFeature, Terrain

OUTSIDE, NO_LADDER = "outside", "no-ladder"
"""Marks: a hex of each region that lies outside the castle; walls to which no ladder is raised."""
WALK, INDOORS, HIGH = "walk", ("tower", "keep"), ("walk", "tower", "keep")
MOAT = "moat"


class Castle(Struct, frozen=True):
    """A map as far as a castle goes."""

    ground: Mapping[str, Terrain]
    sides: Mapping[str, tuple[OnSide, ...]]
    features: Mapping[str, SideFeature]
    fixtures: Mapping[str, Fixture]
    marks: Mapping[str, tuple[str, ...]]

    def steps(self, here: str, shut: Collection[str] = (), known: Collection[str] = ()) -> Iterator[str]:
        """Yield the hexes beside one into which nothing built or grown bars the way; ``shut`` are hexsides
        that are closed as well, ``known`` hexes that nobody asks about.
        """
        own = self.ground[here]
        for side in SIDES:
            there = neighbour(here, side)
            if there in known:
                continue
            beyond = None if there is None else self.ground.get(there)
            if there is None or beyond is None or beyond.mp_foot is None:
                continue
            key = hexside(here, side)
            if key in shut:
                continue
            found = [self.features[feature.kind] for feature in self.sides.get(key, ())]
            joined = floors.bar({}, own, beyond) is None or any(feature.joins for feature in found)
            if joined and all(feature.passes for feature in found):
                yield there

    def flood(self, starts: Collection[str], shut: Collection[str] = ()) -> dict[str, str]:
        """Return the hexes that can be walked to from some, each with the one from which; those to which
        fewest steps lead first.
        """
        seen = dict.fromkeys(starts, "")
        border = deque(starts)
        while border:
            here = border.popleft()
            for there in self.steps(here, shut, seen):
                seen[there] = here
                border.append(there)
        return seen

    def inner(self, hex_: str) -> bool:
        """Tell whether a hex is of the kind that lies inside a castle: walks, towers, keeps, courtyards."""
        ground = self.ground[hex_]
        return ground.floor in HIGH or ground.indoors == "court"


def problems(castle: Castle) -> Iterator[tuple[Problem, str, Path]]:
    """Yield what makes no sense in a castle, the hex each problem is about, and where in the file that
    stands.
    """
    yield from on_their_floors(castle)
    yield from bridges(castle)
    for hex_ in castle.marks.get(NO_LADDER, ()):
        if castle.ground[hex_].floor not in (WALK, "tower"):
            args = {"hex": hex_, "terrain": castle.ground[hex_].title}
            yield (
                Problem("map.no-ladder", args, help="ladders are raised to battlements only"),
                hex_,
                ("marks", NO_LADDER),
            )
    if OUTSIDE in castle.marks:
        yield from closed(castle, castle.marks[OUTSIDE])
    elif any(fixture.gate for fixture in castle.fixtures.values()):
        help_ = "name a hex of each region that lies outside, such as: outside: 0101"
        yield Problem("map.no-outside", help=help_), "", ("marks",)


# --- parapets and arrow slits


def on_their_floors(castle: Castle) -> Iterator[tuple[Problem, str, Path]]:
    """Yield the parapets that stand on no wall walk, and the arrow slits that are in no tower or keep, or
    look into their own.
    """
    for feature in (feature for on_side in castle.sides.values() for feature in on_side):
        floor, there = castle.ground[feature.at].floor, neighbour(feature.at, feature.side)
        args = {"hex": feature.at, "side": feature.side, "terrain": castle.ground[feature.at].title}
        path = ("sides", feature.kind, feature.side)
        if feature.kind == "parapet" and floor != WALK:
            yield (
                Problem("map.parapet-floor", args, help="name the hex of the battlement that it shelters"),
                feature.at,
                path,
            )
        if feature.kind == "slit" and floor not in INDOORS:
            yield (
                Problem("map.slit-floor", args, help="name the hex of the tower or keep that it belongs to"),
                feature.at,
                path,
            )
        elif feature.kind == "slit" and there is not None and castle.ground[there].floor == floor:
            yield (
                Problem("map.slit-inside", {**args, "other": there}, help="it looks out of its building"),
                feature.at,
                path,
            )


# --- bridges


def bridges(castle: Castle) -> Iterator[tuple[Problem, str, Path]]:
    """Yield the bridges that lie over no moat, or in pieces, or away from their gates, and the winches where
    nobody can stand.
    """
    for number, fixture in enumerate(castle.fixtures.values()):
        path = ("things", number)
        if fixture.leaf:
            continue
        for hex_ in fixture.hexes:
            if castle.ground[hex_].id != MOAT:
                args = {"hex": hex_, "terrain": castle.ground[hex_].title}
                yield (
                    Problem(
                        "map.bridge-ground",
                        args,
                        help="a drawbridge is drawn where it comes to lie, over the moat",
                    ),
                    hex_,
                    (*path, "hexes"),
                )
        whole = frozenset(fixture.hexes)
        for hex_ in fixture.hexes[1:]:
            if whole.isdisjoint(neighbours(hex_)):
                yield (
                    Problem("map.bridge-broken", {"hex": hex_}, help="its hexes lie side by side"),
                    hex_,
                    (*path, "hexes"),
                )
        if fixture.hexes and not any(hex_ in fixture.hexes for hex_ in beside(fixture.gate)):
            yield (
                Problem(
                    "map.gate-apart", {"gate": fixture.gate}, help="the gate is where the bridge leads in"
                ),
                "",
                (*path, "gate"),
            )
        if fixture.winch and castle.ground[fixture.winch].mp_foot is None:
            args = {"hex": fixture.winch, "terrain": castle.ground[fixture.winch].title}
            yield (
                Problem("map.winch-ground", args, help="somebody must stand at it"),
                fixture.winch,
                (*path, "winch"),
            )


# --- in and out


def closed(castle: Castle, outside: Collection[str]) -> Iterator[tuple[Problem, str, Path]]:
    """Yield the hex by which one gets into the castle with its bridges raised, the winches outside, and the
    parapets that look in.
    """
    shut = {key for fixture in castle.fixtures.values() for key in fixture.shuts}
    reached = castle.flood(outside, shut)
    inside = next((hex_ for hex_ in reached if castle.inner(hex_)), "")
    if inside:
        args = {"hex": inside, "terrain": castle.ground[inside].title, "from": reached[inside] or inside}
        yield (
            Problem("map.castle-open", args, help="with the bridge raised nobody gets in without a ladder"),
            inside,
            ("terrain",),
        )
        return
    for number, fixture in enumerate(castle.fixtures.values()):
        if fixture.winch in reached:
            yield (
                Problem("map.winch-outside", {"hex": fixture.winch}, help="it stands inside the castle"),
                fixture.winch,
                ("things", number, "winch"),
            )
    far = distances(castle, around(castle, outside))
    parapets = (
        feature for on_side in castle.sides.values() for feature in on_side if feature.kind == "parapet"
    )
    for feature in (feature for feature in parapets if castle.ground[feature.at].floor == WALK):
        there = neighbour(feature.at, feature.side)
        if there is not None and far.get(there, 0) > far.get(feature.at, 0):
            args = {"hex": feature.at, "side": feature.side, "other": there}
            help_ = "a parapet stands on the side that looks out"
            yield (
                Problem("map.parapet-inward", args, help=help_),
                feature.at,
                ("sides", "parapet", feature.side),
            )


def around(castle: Castle, outside: Collection[str]) -> set[str]:
    """Return the hexes that lie round a castle, whether one can go there or not: water and woods lie outside
    too.
    """
    seen, border = set(outside), list(outside)
    while border:
        here = border.pop()
        for there in neighbours(here):
            if there in castle.ground and there not in seen and not castle.inner(there):
                seen.add(there)
                border.append(there)
    return seen


def distances(castle: Castle, starts: Collection[str]) -> dict[str, int]:
    """Return how many hexes each hex is away from the nearest of some, whatever lies between."""
    found = dict.fromkeys(starts, 0)
    border = deque(starts)
    while border:
        here = border.popleft()
        for there in neighbours(here):
            if there in castle.ground and there not in found:
                found[there] = found[here] + 1
                border.append(there)
    return found
