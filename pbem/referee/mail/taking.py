"""What is done with one letter: read, judged whose it is, taken in where it can be (``incoming``), and
answered.

A letter that is read again after a fall finds what it did. Nothing is sent here; the answer goes to whoever
runs the round.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

from pbem.core.problem import Problem
from pbem.post.lines.keys import Keys
from pbem.post.lines.message import Found, Message
from pbem.post.mail import mime
from pbem.post.mail.sender import Whose, whose
from pbem.post.orders import finding
from pbem.post.write import answers
from pbem.post.write.answers import Stranger
from pbem.referee.game.environment import Environment
from pbem.referee.game.refusal import Refused
from pbem.referee.game.vocabularies import keys_of, keys_of_all
from pbem.referee.mail.agreeing import answer_to_proposal, beside_orders
from pbem.referee.mail.incoming import (
    JOINED,
    TAKEN,
    UNUSED,
    WENT,
    Incoming,
    LetterOutcome,
    about,
    answered,
    in_letter,
    until,
    unused,
)
from pbem.referee.mail.line_book import LineBook, take_line
from pbem.referee.mail.office import House, language_at
from pbem.referee.mail.passing import with_passed
from pbem.referee.mail.proposal_book import ProposalBook
from pbem.referee.mail.request_book import RequestBook
from pbem.referee.mail.requesting import answer_of_seat, answer_of_umpire, with_requests
from pbem.referee.mail.seat_letters import of_seat
from pbem.referee.mail.sleeping import one_of_each
from pbem.store.evidence import Lookup, evidence
from pbem.store.library import common_words
from pbem.text.words import speaking

__all__ = [
    "AUTOMATIC",
    "JOINED",
    "OF_UMPIRE",
    "STRANGE",
    "TAKEN",
    "UNUSED",
    "WENT",
    "LetterOutcome",
    "about",
    "in_letter",
    "take",
    "until",
]

AUTOMATIC, STRANGE, OF_UMPIRE = "automatic", "stranger", "umpire"
"""What became of a letter that no person wrote, or nobody who is known, or the umpire."""
OWN: Final = "own"
"""Why a letter from our own address is not read, as ``post.automatic`` says it of one with our mark."""


def take(
    env: Environment,
    house: House,
    id_: str,
    raw: bytes,
    arrived: datetime,
    now: datetime,
    lookup: Lookup | None = None,
    kept: str = "",
    book: RequestBook | None = None,
    proposals: ProposalBook | None = None,
    lines: LineBook | None = None,
) -> LetterOutcome:
    """Do what a letter asks for and return what became of it, with the answer to its writer; ``id_`` is the
    name of the letter.

    ``kept`` is where it lies when all is done, as the umpire is told. Refused where its game must not be gone
    on with: the letter waits until the umpire has decided. ``lookup`` asks for the key of a mail provider,
    where the office looks at DKIM; None: the name servers. ``book`` has what players ask for,
    ``proposals`` what they are asked to agree on, ``lines`` what they say for the lots of a tournament; None:
    nothing is done about it.
    """
    keys = keys_of_all(one_of_each(house.games))
    message = mime.read(raw, keys)
    if message.automatic or message.sender == house.office.address:
        return LetterOutcome(AUTOMATIC, why=(message.automatic or OWN,), message=message)
    found, who = _read(house, keys, message)
    with speaking(who.seat.language if who.seat is not None else language_at(house.office, message.sender)):
        return _taken(
            env, house, id_, raw, message, found, who, arrived, now, lookup, kept, book, proposals, lines
        )


def _taken(
    env: Environment,
    house: House,
    id_: str,
    raw: bytes,
    message: Message,
    found: Found,
    who: Whose,
    arrived: datetime,
    now: datetime,
    lookup: Lookup | None,
    kept: str,
    book: RequestBook | None,
    proposals: ProposalBook | None,
    lines: LineBook | None,
) -> LetterOutcome:
    """Do what a letter asks for that a person wrote, in whose language it is answered."""
    vouched = evidence(raw, message.sender, lookup) if house.office.dkim else None
    letter = Incoming(house, id_, message, found, who, arrived, now, vouched, proposals=proposals)
    if book is not None and (decided := answer_of_umpire(env, letter, book)) is not None:
        return decided
    if lines is not None and (said := take_line(letter, lines)) is not None:
        return said
    if who.problem is not None and who.problem.code == "sender.stranger":
        became = OF_UMPIRE if message.sender == house.office.umpire else STRANGE
        return LetterOutcome(
            became, why=(who.problem.code,), message=message, first=" ".join(found.words.split())[:200]
        )
    if who.problem is not None and who.problem.code == "sender.other-address" and who.seat is not None:
        told = answers.stranger(
            Stranger(about(house, who.seat), message.sender, message.subject), common_words()
        )
        return answered(letter, STRANGE, told, (who.problem,))
    if who.problem is not None:
        return with_passed(letter, unused(letter, (who.problem,)), kept)
    if who.seat is None:
        return with_passed(letter, unused(letter, found.problems or (Problem("mail.nothing"),)), kept)
    if (held := house.held.get(who.seat.game)) is not None:
        raise Refused([held])
    if book is not None and (decided := answer_of_seat(env, letter, book)) is not None:
        return decided
    if (agreed := answer_to_proposal(letter)) is not None:
        return agreed
    taken = with_passed(letter, of_seat(env, letter, house.games[who.seat.game], who.seat), kept)
    taken = beside_orders(letter, taken)
    return taken if book is None else with_requests(env, letter, taken, book)


def _read(house: House, keys: Keys, message: Message) -> tuple[Found, Whose]:
    """Return what a letter asks for, and whose it is: read by the words of its game, once by those of all
    games this is known.
    """
    found = finding.find(keys, message)
    who = whose(house.seats, message, found)
    game = who.seat.game if who.seat is not None else who.about
    if game not in house.games or (own := keys_of(house.games[game].game)) is keys:
        return found, who
    again = finding.find(own, message)
    same = whose(house.seats, message, again)
    return (again, same) if same.seat == who.seat else (found, who)
