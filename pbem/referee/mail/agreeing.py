"""A player's answer to what all are to agree on: his yes, his no, his signature.

A yes counts with the token of just this act, which only his mailbox has seen; "I agree" without it is
answered by the question. Where his seat has a key a yes is a signature, and a plain one is answered by how to
sign. One no ends it.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from pbem.post.lines.message import NOTHING
from pbem.post.mail.sender import SeatAt
from pbem.post.orders.asking import said_agreed, said_no, said_yes
from pbem.post.write import requested
from pbem.referee.mail.incoming import Incoming, LetterOutcome, MoreLetter, about, answered, short_answer
from pbem.referee.mail.proposal_book import OPEN, REFUSED, Proposal, ProposalBook
from pbem.referee.mail.proposal_letters import ended, is_over, key_of, missing, question, sides_of, what_of
from pbem.referee.mail.served import OfficeGame
from pbem.referee.turn.consent import Consented, take

AGREED = "agreed"
"""What became of a letter that says yes or no to a proposal."""


def answer_to_proposal(letter: Incoming) -> LetterOutcome | None:
    """Take a player's yes or no to a proposal; None where his letter is none."""
    seat, book = letter.who.seat, letter.proposals
    if book is None or seat is None or not letter.who.relied or letter.found.kind != NOTHING:
        return None
    own, codes = letter.found.words, letter.found.codes
    yes, no = said_yes(own) or said_agreed(own), said_no(own)
    if not (yes or no):
        return None
    mine = [one for one in book.every.values() if one.game == seat.game]
    one = next((one for one in mine if book.token(one, seat.seat) in codes), None)
    if one is None:
        return _asked_again(letter, seat, book) if said_agreed(own) else None
    served = letter.house.refresh(seat.game)
    if one.state != OPEN or is_over(served, one):
        return _told(letter, seat, "proposal.over-title", [letter.words.phrase("proposal.over")])
    if no:
        return _refused(letter, served, seat, book, one)
    if seat.seat in one.signing:
        return _question(letter, served, seat, book, one)
    one = book.note(one, by=tuple(sorted({*one.by, seat.seat})))
    return _told(letter, seat, "proposal.noted-title", _waits(letter, served, one))


def beside_orders(letter: Incoming, taken: LetterOutcome) -> LetterOutcome:
    """Return what became of a letter with orders; with an answer to a proposal among them that was not taken,
    and has to stand alone, its writer is told so.
    """
    seat, book = letter.who.seat, letter.proposals
    if book is None or seat is None or taken.answer is None or letter.found.kind == NOTHING:
        return taken
    codes = letter.found.codes
    if not any(book.token(one, seat.seat) in codes for one in book.waiting(seat.game)):
        return taken
    return replace(
        taken, answer=requested.beside(taken.answer, [letter.words.phrase("proposal.beside-orders")])
    )


def take_consent(letter: Incoming, served: OfficeGame) -> LetterOutcome:
    """Take in a signed consent; Refused, and nothing stored, where it is none to what may come next."""
    done = take(served.game.where, letter.found.data)
    served = letter.house.refresh(served.game.id)
    book, words = letter.proposals, letter.words
    one = next(book.waiting(served.game.id), None) if book is not None else None
    if one is not None and dict(done.wanted) == one.wanted:
        said = " ".join(_waits(letter, served, one))
    else:
        said = words.phrase("proposal.not-asked" if one is not None else "proposal.kept", what=_said(done))
    return answered(letter, AGREED, short_answer(letter, "proposal.noted-title", said))


def _said(done: Consented) -> str:
    """Return what a signed consent names, as the commands do."""
    wanted = done.wanted
    if "to" in wanted:
        return f"undo --to {wanted['to']}"
    return f"act {wanted['act'][:16]}" if "act" in wanted else f"rekey of {wanted.get('of')}"


def _waits(letter: Incoming, served: OfficeGame, one: Proposal) -> list[str]:
    """Return what was agreed to, and who has to agree still."""
    words, sides = letter.words, sides_of(served, missing(served, one))
    return [
        words.phrase("proposal.noted", what=what_of(served, one, words)),
        words.phrase("proposal.has-not", sides=sides, count=len(sides))
        if sides
        else words.phrase("proposal.all-have"),
    ]


def _told(letter: Incoming, seat: SeatAt, title: str, said: Sequence[str]) -> LetterOutcome:
    place, words = about(letter.house, seat), letter.words
    told = requested.told(place, words.phrase(title), said, words, letter.message.subject)
    return answered(letter, AGREED, told)


def _refused(
    letter: Incoming, served: OfficeGame, seat: SeatAt, book: ProposalBook, one: Proposal
) -> LetterOutcome:
    """End a proposal, and tell everybody on whose word."""
    one = book.note(one, state=REFUSED, by=tuple(name for name in one.by if name != seat.seat))
    more = tuple(ended(letter.house, served, one, "refused", letter.words, no=seat.seat))
    outcome = _told(letter, seat, "proposal.said-no-title", [letter.words.phrase("proposal.said-no")])
    return with_more(outcome, *more)


def _asked_again(letter: Incoming, seat: SeatAt, book: ProposalBook) -> LetterOutcome | None:
    """Answer "I agree", which anybody could have written in his name, by the question; None where nothing is
    asked of him.
    """
    one = next(book.waiting(seat.game), None)
    if one is None:
        return None
    served = letter.house.refresh(seat.game)
    if is_over(served, one) or seat.seat not in missing(served, one):
        return None
    return _question(letter, served, seat, book, one)


def _question(
    letter: Incoming, served: OfficeGame, seat: SeatAt, book: ProposalBook, one: Proposal
) -> LetterOutcome:
    """Send the question once more, to the seat's own address, whoever wrote."""
    asks = question(letter.house, served, book, one, seat, letter.now, letter.words)
    key = f"{key_of(one, seat)}-{letter.arrived:%Y%m%d}"
    outcome = answered(letter, AGREED, asks)
    return with_more(outcome, MoreLetter(key, asks, one.game, seat.addresses[0]), answer=False)


def with_more(outcome: LetterOutcome, *more: MoreLetter, answer: bool = True) -> LetterOutcome:
    """Return an outcome with more letters, or with those alone."""
    return replace(outcome, more=(*outcome.more, *more), answer=outcome.answer if answer else None)
