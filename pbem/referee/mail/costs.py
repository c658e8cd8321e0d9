"""What missed deadlines cost the seats of a game, by what was agreed on: counted from the ledger alone, told
to everybody, and done by the umpire.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Final

from pbem.club.clocks import allowed
from pbem.club.due import reserved_until
from pbem.club.missed import DEFAULT, cost, misses
from pbem.club.terms import MissedTerms
from pbem.post.offices.timing import at_time, span
from pbem.proof.ruled import RULE
from pbem.proof.spoken import SUBSTITUTE
from pbem.referee.game.game import Game
from pbem.referee.game.missed import DRAFT, missed_in
from pbem.referee.mail.acts_of_time import words_of
from pbem.referee.mail.banks import Banks, banks_of
from pbem.referee.mail.served import OfficeGame
from pbem.text.words import Words

NOTHING: Final = MissedTerms()


def history(game: Game, seat: str, until: int) -> tuple[bool, ...]:
    """Return for each slot that waited for a seat, up to one of them, whether it missed it; what was taken
    back counts no more, nor what a player missed whose place another has taken, and a draft that was used is
    no miss.
    """
    since = plays_since(game, seat)
    return tuple(
        not (slot.corrects and slot.entries[seat].sha512 is not None)
        and any(one.seat == seat and one.kind != DRAFT for one in missed_in(game, slot.first or number))
        for number, slot in sorted(game.ledger.slots.items())
        if since <= number <= until and not slot.undone and seat in slot.waits and slot.act != RULE
    )


def plays_since(game: Game, seat: str) -> int:
    """Return the slot from which on a seat is played by who plays it now."""
    own = [word for word in words_of(game.ledger) if word["does"] == SUBSTITUTE and word["seat"] == seat]
    return int(own[-1]["slot"]) if own else 1


def costs_of(served: OfficeGame, number: int) -> Iterator[tuple[str, int, str]]:
    """Yield who missed a slot, how many misses that makes, and what they cost; nothing where nothing was
    agreed on.
    """
    terms = _terms(served)
    slot = served.game.ledger.slots.get(number)
    if terms is None or slot is None:
        return
    for seat in slot.waits:
        moves = history(served.game, seat, number)
        found = cost(moves, terms)
        if found and seat in served.game.ledger.outside:
            yield seat, misses(moves, terms), found


def left_said(served: OfficeGame, seat: str, zone: str, words: Words) -> Iterator[str]:
    """Yield what a seat that is waited for has left of its clock and its reserve days, in sentences."""
    terms, status = served.settings.deadlines, served.status()
    if terms is None or status is None or served.game.ledger.locked is not None or seat not in status.missing:
        return
    if terms.clock is not None and seat in status.move.clocks:
        shown = status.move.clocks[seat]
        key, minutes = ("clock-left", shown) if shown >= 0 else ("clock-out", allowed(shown, terms.clock))
        yield words.phrase(f"letter.{key}", span=span(timedelta(minutes=minutes), words))
    if terms.reserve:
        until = reserved_until(seat, status.move, terms)
        if until is None:
            yield words.phrase("letter.reserve-none")
            return
        days = status.move.reserves[seat]
        yield words.phrase("letter.reserve-left", count=days, moment=at_time(until, zone, words))


def drawn_said(served: OfficeGame, number: int, seat: str, words: Words) -> Iterator[str]:
    """Yield what a slot cost those who were late of their reserve days, and whose clock has run out, as a
    seat is told it.
    """
    terms, slot = served.settings.deadlines, served.game.ledger.slots.get(number)
    if terms is None or slot is None or slot.undone:
        return
    before, after = (banks_of(served.game, terms, served.acts, one) for one in (number, number + 1))
    for who in slot.waits:
        end, side = "-you" if who == seat else "", served.side_name(who)
        if cost := before.reserves.get(who, 0) - after.reserves.get(who, 0):
            left = after.reserves[who]
            yield words.phrase(f"letter.reserve-drawn{end}", side=side, count=cost, left=left)
        if has_run_out(before, after, who):
            yield words.phrase(f"letter.clock-ran-out{end}", side=side)


def has_run_out(before: Banks, after: Banks, seat: str) -> bool:
    """Tell whether the clock of a seat ran out in a slot."""
    return before.clocks.get(seat, 0) >= 0 > after.clocks.get(seat, 0)


def told(served: OfficeGame, number: int, seat: str, words: Words) -> Iterator[str]:
    """Yield in sentences for a seat what a slot cost those who were late or missed it."""
    yield from drawn_said(served, number, seat, words)
    for who, count, found in costs_of(served, number):
        end = "-you" if who == seat else ""
        side = served.side_name(who)
        first = words.phrase(f"letter.cost-count{end}", side=side, count=count)
        more = "" if found == DEFAULT else words.phrase(f"letter.cost-{found}{end}", side=side)
        yield " ".join(filter(None, [first, more]))


def for_umpire(served: OfficeGame, number: int, seat: str, words: Words) -> str:
    """Return what the umpire is to do about a seat that missed a slot; empty where nothing was agreed on."""
    others = {side for side in served.game.sides.values() if side != served.game.sides[seat]}
    winner = others.pop() if len(others) == 1 else "SIDE"
    terms = served.settings.deadlines
    before, after = (banks_of(served.game, terms, served.acts, one) for one in (number, number + 1))
    if has_run_out(before, after, seat):
        side, folder = served.side_name(seat), served.game.where
        return words.phrase("round.clock-out", side=side, folder=folder, winner=winner)
    for who, count, found in costs_of(served, number):
        if who == seat:
            key = f"round.cost-{found}"
            return words.phrase(
                key,
                side=served.side_name(who),
                count=count,
                folder=served.game.where,
                seat=who,
                winner=winner,
            )
    return ""


def threat(served: OfficeGame, seat: str, words: Words) -> str:
    """Return what it would cost a seat to miss the open slot; empty where it would be no more than its
    default move, or the seat is not waited for.
    """
    terms, status = _terms(served), served.status()
    if terms is None or status is None or served.game.ledger.locked is not None:
        return ""
    if seat not in status.missing or status.waits_for_all:
        return ""
    moves = (*history(served.game, seat, status.move.slot), True)
    found = cost(moves, terms)
    return "" if found == DEFAULT else words.phrase(f"letter.threat-{found}", count=misses(moves, terms))


def _terms(served: OfficeGame) -> MissedTerms | None:
    deadlines = served.settings.deadlines
    return None if deadlines is None or deadlines.missed == NOTHING else deadlines.missed
