"""Letters about what all are to agree on: the question to a seat, and to all how it ended, with who has
agreed and who has not.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from msgspec.structs import replace

from pbem.post.mail.sender import SeatAt
from pbem.post.write import requested
from pbem.post.write.writing import Attachment, Letter
from pbem.referee.game.turns import of_slot
from pbem.referee.game.views import hides
from pbem.referee.mail.incoming import MoreLetter, about, until
from pbem.referee.mail.letters import archive_of
from pbem.referee.mail.office import House
from pbem.referee.mail.proposal_book import RULE, UNDO, Proposal, ProposalBook
from pbem.referee.mail.request_deciding import about_game, who_of
from pbem.referee.mail.served import OfficeGame
from pbem.referee.turn.consent import has_consented
from pbem.text.when import capital
from pbem.text.words import Words, speaking


def what_of(served: OfficeGame, one: Proposal, words: Words) -> str:
    """Return what is proposed, in a line: ``To take back turn 3``."""
    turn = of_slot(served.game, one.slot) if one.kind != RULE else ""
    return words.phrase(f"proposal.{one.kind}", turn=turn)


def agreed(served: OfficeGame, one: Proposal) -> set[str]:
    """Return the seats that have agreed, in words or with a signature that still counts."""
    return {*one.by, *(seat for seat in one.signing if has_consented(served.game, one.wanted, seat))}


def sides_of(served: OfficeGame, seats: set[str]) -> list[str]:
    """Return the names of the sides of some seats, each once."""
    return list(dict.fromkeys(served.side_name(seat) for seat in sorted(seats)))


def missing(served: OfficeGame, one: Proposal) -> set[str]:
    """Return the seats that have to agree still."""
    return {*one.asked, *one.signing} - agreed(served, one)


def _who_had(served: OfficeGame, one: Proposal, words: Words, no: str) -> str:
    """Return who had agreed and who had not answered, but for the seat that said ``no``."""
    yes, not_yet = sides_of(served, agreed(served, one)), sides_of(served, missing(served, one) - {no})
    return " ".join(
        words.phrase(f"proposal.{key}", sides=sides)
        for key, sides in (("had", yes), ("had-not", not_yet))
        if sides
    )


def question(
    house: House,
    served: OfficeGame,
    book: ProposalBook,
    one: Proposal,
    seat: SeatAt,
    now: datetime,
    words: Words,
) -> Letter:
    """Return the letter in which a seat is asked whether it agrees."""
    hidden = hides(served.game.ground.rules)
    said = [
        words.phrase("proposal.asked", what=what_of(served, one, words)),
        words.phrase("proposal.why", why=one.why) if one.why else "",
        *([words.phrase("ruled.hidden")] if hidden and one.kind != UNDO else one.lines),
        words.phrase(f"proposal.then-{one.kind}"),
        words.phrase("proposal.all", sides=sides_of(served, {*one.asked, *one.signing})),
        words.phrase("proposal.lapses"),
        until(house, seat, now).said(words) if served.waits_for(seat.seat) else "",
    ]
    title = words.phrase("proposal.title", what=capital(what_of(served, one, words)))
    token, place = book.token(one, seat.seat), about(house, seat)
    if seat.seat not in one.signing:
        return requested.asks_to_say(place, title, [line for line in said if line], token, words)
    # What is signed names the newest record, so the newest archive goes along where it may.
    packed = None if hidden else archive_of(served.game)
    act = Attachment("act.json", one.shown.encode()) if one.shown else None
    how = f"--to {one.slot}" if act is None else f"--act {act.name}"
    command = f"pbem consent {served.game.id}.zip {how} --key KEY -o consent.txt"
    letter = requested.asks_to_sign(place, title, [line for line in said if line], command, token, words)
    return replace(letter, attached=tuple(filter(None, (packed, act))))


def questions(
    house: House, served: OfficeGame, book: ProposalBook, one: Proposal, now: datetime, words: Words
) -> Iterator[MoreLetter]:
    """Yield the question to each seat that has not agreed; asked anew, it is a new letter."""
    open_ = missing(served, one)
    for seat in house.seats:
        if seat.game == one.game and seat.seat in open_ and seat.addresses:
            with speaking(seat.language):
                letter = question(house, served, book, one, seat, now, words)
            yield MoreLetter(key_of(one, seat), letter, one.game, seat.addresses[0])


def key_of(one: Proposal, seat: SeatAt) -> str:
    """Return the name of the question to a seat: asked at another record it is another letter."""
    return f"agree-{one.id}-{one.head[:8]}-{seat.seat}"


def ended(
    house: House, served: OfficeGame, one: Proposal, how: str, words: Words, no: str = "", why: str = ""
) -> Iterator[MoreLetter]:
    """Yield the letters that tell every seat and the umpire that it came to nothing: ``how`` is ``refused``
    (by the seat that said ``no``), ``lapsed``, ``taken-back`` or ``failed`` (and ``why``).
    """

    def told(to: SeatAt | None) -> Letter:
        with speaking(house.office.language if to is None else to.language):
            place = about_game(served) if to is None else about(house, to)
            what, who = what_of(served, one, words), who_of(served, no) if no else ""
            said = [
                words.phrase(f"proposal.{how}", what=what, who=who, why=why),
                _who_had(served, one, words, no),
                words.phrase("proposal.nothing"),
            ]
            title = words.phrase(f"proposal.{how}-title", what=what, who=who)
            return requested.told(place, title, said, words)

    for seat in house.seats:
        if seat.game == one.game and seat.seat in {*one.asked, *one.signing} and seat.addresses:
            yield MoreLetter(f"{how}-{one.id}-{seat.seat}", told(seat), one.game, seat.addresses[0])
    yield MoreLetter(f"{how}-{one.id}", told(None), one.game, "")


def is_over(served: OfficeGame, one: Proposal) -> bool:
    """Tell whether something was played or taken back since, or the game is over: then nobody agreed to what
    it would be now.
    """
    return served.open_since is None or served.game.ledger.newest_slot != one.newest
