"""What verify says to players beyond its findings: what is not proven, and who was lucky.

Plain words, one thought a line.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction

from pbem.proof.acknowledged import Acknowledged
from pbem.proof.acts import others
from pbem.proof.archive import short_digest, visible
from pbem.proof.luck import SideLuck
from pbem.proof.trust import ALONE
from pbem.proof.verify import FAIL, Verdict


def unproven(verdict: Verdict) -> tuple[str, ...]:
    """Return what a verdict does not prove, a sentence each; nothing for one that fails, which proves the
    opposite.
    """
    return () if verdict.verdict == FAIL else tuple(map(visible, _unproven(verdict)))


def _unproven(verdict: Verdict) -> Iterator[str]:
    if not verdict.replayed:
        yield (
            "That the dice were asked for by the rules and the orders: the rules "
            "were not played again in full."
        )

    alone = [str(line.slot) for line in verdict.trust if ALONE in line.foreknowledge]
    if alone:
        yield (
            f"That the GM did not know the dice before the orders were fixed, slot {', '.join(alone)}: "
            "nobody else can say so."
        )

    named = [line for line in verdict.trust if line.dice and ALONE not in line.foreknowledge]
    if any("chosen" in line.foreknowledge for line in named):
        yield (
            "That those whom a slot names as able to choose its dice did not: they "
            "could have, all of them together."
        )

    if any("(beacon)" in line.foreknowledge for line in named):
        yield (
            "That the network drand kept its rounds to itself until their time, and that the seats named "
            "did see the lock when they say."
        )

    if any("known beforehand" in line.foreknowledge for line in named):
        yield (
            "That those whom a slot names kept their values to themselves: together they could have known "
            "its dice beforehand."
        )

    for rekey in verdict.unsigned:
        since = "what is announced next" if rekey.since is None else f"slot {rekey.since}"
        yield (
            f"That {rekey.of} is who it was: from {since} on it has new keys that it did not sign, on the "
            f"word of {others(rekey)}."
        )

    for seat in verdict.keyless:
        yield (
            f"That the orders and words of {seat} are his: he has no key, and only he can "
            f"tell.{_relied(verdict, seat)}"
        )

    yield (
        "That no letter was lost or held back: each player finds out with  pbem verify GAME --mine HIS-FOLDER"
    )
    if verdict.head:
        compare = f"compare the head {verdict.head_digest}, two copies with --with, or ask a log with --log"
        yield f"That everybody has this same history: {compare}."
    yield "When anything happened: times are what the GM wrote."
    yield (
        "That the rules of this program are those of the printed game: its tests "
        "and your own reading speak to that."
    )


def _relied(verdict: Verdict, seat: str) -> str:
    """Return what the GM says he relied on for the letters of a seat, and in which slots; empty where he says
    nothing.
    """
    slots: dict[str, list[str]] = {}
    for one in verdict.relied:
        if one.seat == seat:
            slots.setdefault(one.said, []).append(f"slot {one.slot}" if one.slot else "the join")
    said = "; ".join(f"{text} ({', '.join(where)})" for text, where in slots.items())
    return f" The GM says he relied on {said}." if said else ""


def signed_lines(signed: Iterable[Acknowledged]) -> tuple[str, ...]:
    """Return for each seat with a key up to where its own signatures say that it had this history."""
    return tuple(map(_signed, signed))


def _signed(one: Acknowledged) -> str:
    slots = "slot" if one.unsigned == 1 else "slots"
    since = (
        f"; {one.unsigned} {slots} since waited for {one.seat} and {'has' if one.unsigned == 1 else 'have'} "
        "no signature of his"
    )
    if one.record is None:
        return f"{one.seat} has signed nothing of this history{since if one.unsigned else ''}"
    digest = short_digest(one.record.id)
    return (
        f"{one.seat} has signed this history up to {one.record.said} (record {one.n}), "
        f"{digest}{since if one.unsigned else ''}"
    )


def luck_lines(luck: Iterable[SideLuck]) -> tuple[str, ...]:
    """Return the table of luck; a die counts for the side in whose player turn it fell."""
    sides = tuple(luck)
    rows: list[tuple[str, ...]] = [("", "dice", "mean", "expected", "lowest", "highest", "expected")]
    rows += [row for side in sides for row in _rows(side)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "Luck. A die counts for the side in whose player turn it fell; slots "
        "that were taken back do not count."
    ]
    if not sides:
        return (*lines, "  no dice")
    for first, *rest in rows:
        cells = [
            first.ljust(widths[0]),
            *(cell.rjust(width) for cell, width in zip(rest, widths[1:], strict=True)),
        ]
        lines.append(f"  {'  '.join(cells)}".rstrip())
    compared = sum(1 for side in sides if side.side)
    for side in sides:
        if side.side:
            lines.append(f"  {_who(side)}: {_chance(side, compared)}")
    return tuple(lines)


def _who(side: SideLuck) -> str:
    if not side.side:
        return "nobody's turn"
    return side.side if side.seats == (side.side,) else f"{side.side} ({', '.join(side.seats)})"


def _rows(side: SideLuck) -> Iterator[tuple[str, ...]]:
    for size in side.sizes:
        mean, expected = decimal(size.mean, 2), decimal(size.expected, 1)
        yield (
            f"{_who(side)} d{size.sides}",
            str(size.dice),
            mean,
            expected,
            str(size.low),
            str(size.high),
            decimal(size.tenth, 1),
        )


def _chance(side: SideLuck, compared: int) -> str:
    alone = f"{_often(side.chance)} dice are this far off or further"
    return (
        f"{alone}; among {compared} sides {_often(side.corrected)} somebody's are" if compared > 1 else alone
    )


def _often(chance: float) -> str:
    if chance >= 0.01:
        return f"in {round(chance * 100)} of 100 games"
    return f"in 1 of {round(1 / chance)} games" if chance > 1e-9 else "in less than 1 of 1000000000 games"


def decimal(number: Fraction, places: int) -> str:
    """Return a number of 0 or more in decimals, halves away from zero."""
    scaled = int(number * 10**places + Fraction(1, 2))
    whole, part = divmod(scaled, 10**places)
    return f"{whole}.{part:0{places}d}"
