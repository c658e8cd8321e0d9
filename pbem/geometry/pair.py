"""Figures of two hexes: where head and tail can be after one step; decides no cost and nothing about who may
stand where.

A figure of two hexes is a head and the side it faces, which looks away from its tail: ``0712 n`` has its head
in 0712 and its tail in 0713. Written like that it is a place for ``path``, with ``steps`` for its neighbours,
so that reach, way and cheapest serve horse and foot alike.

It moves as the reading of S3.31c has it: the head goes into one of the three hexes before it and the tail
follows into the hex the head has left; or the head swings about the tail by one side.
"""

from __future__ import annotations

from functools import cache

from pbem.geometry.hex import SIDES, NotAPlace, neighbour, neighbours, opposite, side_between, side_number


class NotAPair(ValueError):
    """Raised for two hexes that are not neighbours, and for a text that is not a head and facing."""


def pair(head: str, tail: str) -> str:
    """Return the text of a figure by its two hexes; raise NotAPair where they are not neighbours."""
    facing = side_between(tail, head)
    if facing is None:
        raise NotAPair(f"{head} and {tail} are not neighbours")
    return f"{head} {facing}"


@cache
def hexes(figure: str) -> tuple[str, str]:
    """Return head and tail of a figure; raise NotAPair where it has no facing or its tail would be off the
    map.
    """
    head, _, facing = figure.partition(" ")
    if facing not in SIDES:
        raise NotAPair(
            f"{figure!r} is not a figure of two hexes: a hex and the side it faces, such as 0712 n"
        )
    try:
        tail = neighbour(head, opposite(facing))
    except NotAPlace as wrong:
        raise NotAPair(f"{figure!r} is not a figure of two hexes: {wrong}") from None
    if tail is None:
        raise NotAPair(f"{figure!r} is not a figure of two hexes: its tail would be off the map")
    return head, tail


@cache
def steps(figure: str) -> tuple[str, ...]:
    """Return the figures one step away, without those off the map: first the up to three advances, then the
    two swings.

    Each kind comes in the order of the sides, n first.
    """
    head, tail = hexes(figure)
    ahead = side_number(figure.partition(" ")[2])
    beside = sorted(((ahead + 5) % 6, (ahead + 1) % 6))
    advances = ((neighbour(head, SIDES[side]), side) for side in sorted((ahead, *beside)))
    swings = ((neighbour(tail, SIDES[side]), side) for side in beside)
    return tuple(f"{to} {SIDES[side]}" for to, side in (*advances, *swings) if to is not None)


@cache
def free_steps(figure: str) -> tuple[str, ...]:
    """Return the figures one step away where a figure is not bound to the way it faces: the head goes
    anywhere beside it.

    First those whose tail follows into the hex the head has left, then those whose tail lies elsewhere, last
    the turns about the head.
    """
    head, _ = hexes(figure)
    found = [pair(to, head) for to in neighbours(head)]
    found += [
        there
        for to in neighbours(head)
        for there in (pair(to, tail) for tail in neighbours(to))
        if there not in found
    ]
    return (*found, *(there for there in (pair(head, tail) for tail in neighbours(head)) if there != figure))


def is_swing(before: str, after: str) -> bool:
    """Tell whether a step swings the head about the tail; otherwise the tail follows the head."""
    return hexes(before)[1] == hexes(after)[1]
