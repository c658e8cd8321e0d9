"""A letter or a post on its way through: what is known of it, what became of it, and the answers that any of
them may get.

Whose it is is known here and what was relied on for it; how that was found out is decided by who read it
(``taking``, ``forum_taking``). What it does is decided in ``seat_letters``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from pbem.core.problem import Problem
from pbem.post.lines.message import Found, Message
from pbem.post.mail.sender import SeatAt, Whose
from pbem.post.orders import finding
from pbem.post.write import answers
from pbem.post.write.answers import Refusal, Reply
from pbem.post.write.parts import About, Until
from pbem.post.write.short import Short, short
from pbem.post.write.umpire import Passed
from pbem.post.write.writing import Attachment, Letter
from pbem.proof.archive import short_digest
from pbem.referee.game.game import own_folder
from pbem.referee.game.refusal import Refused
from pbem.referee.mail import letters
from pbem.referee.mail.costs import left_said, threat
from pbem.referee.mail.office import House
from pbem.referee.mail.proposal_book import ProposalBook
from pbem.referee.mail.sent_back import sent_back
from pbem.referee.mail.served import OfficeGame
from pbem.referee.mail.time_said import because
from pbem.referee.turn.check import check
from pbem.referee.turn.lock import chosen_letter
from pbem.store import received
from pbem.store.library import common_words
from pbem.text.located import Located
from pbem.text.words import Words

TAKEN, JOINED, WENT, UNUSED, REFUSED = "taken", "joined", "went", "unused", "refused"
"""What became of it: orders stored, a seat joined, a go given, nothing in it to use,
something wrong with it.
"""
ASKED: Final = "asked"
"""And of one that orders nobody, of which nothing was stored: its sender is asked whether he means it."""

_TO_MEND: Final = "orders-again.yaml"
"""The file that is sent back to be put right."""


class MoreLetter(Struct, frozen=True):
    """A letter beside the answer: its name, the letter, its game, whom it goes to (empty: the umpire)."""

    key: str
    letter: Letter
    game: str
    to: str


class LetterOutcome(Struct, frozen=True):
    """What became of a letter: the word for it, the game and the seat, the codes of what was wrong, and the
    answer with its address.

    ``vouched`` is what a DKIM signature says, ``message`` the letter itself, ``passed`` what of it goes to
    the umpire.
    """

    became: str
    game: str = ""
    seat: str = ""
    why: tuple[str, ...] = ()
    answer: Letter | None = None
    to: str = ""
    vouched: Mapping[str, str | bool] | None = None
    message: Message = field(default_factory=Message)
    passed: Passed | None = None
    first: str = ""
    """Of a letter from nobody who is known: how it begins."""
    more: tuple[MoreLetter, ...] = ()
    asked: tuple[str, ...] = ()
    """What it asks for, as its writer is told."""


class Incoming(Struct, frozen=True):
    """A letter or a post on its way through: everything that is known of it so far.

    ``mail`` is the name it is kept by.
    """

    house: House
    mail: str
    message: Message
    found: Found
    who: Whose
    arrived: datetime
    now: datetime
    vouched: Mapping[str, str | bool] | None = None
    """What a DKIM signature says."""
    words: Words = field(default_factory=common_words)
    """The sentences of the answer: those of a letter, or of a post."""
    place: str = ""
    """How its writer calls the text that he wrote, such as ``post #12``; empty: his letter."""
    attaching: bool = True
    """Whether files can go with the answer."""
    doubts: tuple[Located, ...] = ()
    """What is doubtful about it, whatever it says."""
    proposals: ProposalBook | None = None
    """What all players of a game were asked to agree on."""


def about(house: House, seat: SeatAt) -> About:
    """Return what a letter to a seat is about, or a post to all, of no seat."""
    served = house.games[seat.game]
    side = served.side_name(seat.seat) if seat.seat else ""
    return About(seat.game, served.title, seat.seat, side, served.stands(), seat.code)


def until(house: House, seat: SeatAt, now: datetime) -> Until:
    """Return the deadline of the open slot as a seat sees it."""
    served = house.games[seat.game]
    player = served.players.get(seat.seat)
    zone = player.zone if player is not None else house.office.zone
    if served.held:
        return Until(None, zone, now, held=True)
    end, last = served.deadline(), None if served.waits_for_ever() else served.cutoff()
    words = served.game.words
    left = left_said(served, seat.seat, zone, words)
    why = tuple(filter(None, [*because(served, words), *left, threat(served, seat.seat, words)]))
    return Until(end, zone, now, last if last != end else None, because=why)


def is_in(letter: Incoming, served: OfficeGame, seat: SeatAt, slot: int) -> bool:
    """Tell whether a letter has brought a file of a slot already: it is read once more after a fall."""
    return any(
        one.seat == seat.seat and one.came.mail == letter.mail
        for one in received.letters(own_folder(served.game), slot)
    )


def locked_with_it(letter: Incoming) -> LetterOutcome:
    """Answer a letter whose orders are in the lock already."""
    return answered(
        letter,
        TAKEN,
        short_answer(letter, "letter.outcome-stored", letter.words.phrase("letter.locked-with-it")),
    )


def ignored(letter: Incoming) -> tuple[str, ...]:
    """Return what was not read of a letter, and why, in sentences."""
    return tuple(letter.words.problem(problem.code, problem.args) for problem in letter.found.problems)


def in_letter(found: Found, problems: Sequence[Located], named: str = "") -> tuple[Located, ...]:
    """Return the problems of an order file with their places in the letter (or what it is ``named``) as its
    writer sees it.
    """
    moved = []
    for problem in problems:
        if problem.line:
            number, column, text = finding.place(found, problem.line, problem.column)
            problem = replace(
                problem, file=found.where or named, line=number, column=column, source_line=text
            )
        moved.append(problem)
    return tuple(moved)


def refused(letter: Incoming, served: OfficeGame, seat: SeatAt, refusal: Refused) -> LetterOutcome:
    """Answer a letter that was refused; whatever was good before still stands."""
    found, house = letter.found, letter.house
    problems = tuple(one for one in refusal.located if not one.is_doubt)
    doubts = tuple(one for one in refusal.located if one.is_doubt)
    otherwise, stays = as_it_was(house, served, seat)
    if not problems:
        sheet = (
            letters.sheet_of(served.game, seat.seat)
            if letter.attaching and served.game.ledger.started
            else None
        )
        limit = until(house, seat, letter.now)
        told = Refusal(
            about(house, seat), refusal.problems, limit, otherwise, letter.message.subject, stays, sheet
        )
        return answered(letter, REFUSED, answers.refusal(told, letter.words), refusal.problems)

    words = letter.words
    plain = tuple(
        Located("", 0, 0, one.code, words.problem(one.code, one.args), one.rule, words.put(one.help))
        for one in refusal.problems
    )
    reply = Reply(
        about=about(house, seat),
        outcome=answers.REFUSED,
        until=until(house, seat, letter.now),
        otherwise=otherwise,
        subject=letter.message.subject,
        where=found.where,
        problems=(*plain, *in_letter(found, problems, letter.place)),
        doubts=(*letter.doubts, *in_letter(found, doubts, letter.place)),
        repairs=found.repairs,
        ignored=ignored(letter),
        stays=stays,
        sheet=_to_mend(letter, served, seat),
    )
    codes = (*(one.code for one in refusal.problems), *(one.code for one in refusal.located))
    return replace(answered(letter, REFUSED, answers.reply(reply, words)), why=codes)


def _to_mend(letter: Incoming, served: OfficeGame, seat: SeatAt) -> Attachment | None:
    """Return the file of a refused letter made ready to be put right and sent again; None where the game has
    no form for it.
    """
    if not letter.attaching or letter.found.signature is not None:
        return None
    try:
        checked = check(served.game, letter.found.where or "letter", letter.found.data, seat.seat)
    except Refused:
        return None
    text = sent_back(
        served.game.ground.rules, checked, in_letter(letter.found, checked.problems, letter.place)
    )
    return Attachment(_TO_MEND, text.encode(), "text/yaml") if text else None


def as_it_was(house: House, served: OfficeGame, seat: SeatAt) -> tuple[str, str]:
    """Return what happens if a seat sends nothing more, and the digest of the file of its that stands."""
    game = served.game
    if not game.ledger.started or game.ledger.over or game.ledger.locked is not None:
        return "", ""
    before = chosen_letter(game, int(game.announced()["slot"]), seat.seat)
    if before is not None:
        return "earlier", short_digest(before.sha512)
    if seat.seat not in game.announced()["waits"]:
        return "", ""
    return letters.otherwise(game, seat.seat, served.deadline()), ""


def unused(letter: Incoming, problems: tuple[Problem, ...]) -> LetterOutcome:
    """Answer a letter in which nothing could be used."""
    seat, house = letter.who.seat, letter.house
    if seat is None:
        told = Refusal(About(), problems, subject=letter.message.subject)
    else:
        served = house.games[seat.game]
        otherwise, stays = as_it_was(house, served, seat)
        limit = until(house, seat, letter.now) if served.waits_for(seat.seat) else None
        told = Refusal(about(house, seat), problems, limit, otherwise, letter.message.subject, stays)
    return answered(letter, UNUSED, answers.refusal(told, letter.words), problems)


def short_answer(letter: Incoming, title: str, said: str) -> Letter:
    """Return an answer of two sentences."""
    assert letter.who.seat is not None
    told = Short(
        about(letter.house, letter.who.seat), letter.words.phrase(title), said, letter.message.subject
    )
    return short(told, letter.words)


def answered(
    letter: Incoming, became: str, answer: Letter, problems: Sequence[Problem] = ()
) -> LetterOutcome:
    """Return what became of a letter, with its answer where one may go anywhere."""
    seat = letter.who.seat
    return LetterOutcome(
        became,
        seat.game if seat is not None else letter.who.about,
        seat.seat if seat is not None else "",
        tuple(problem.code for problem in problems),
        answer if letter.who.answer_to else None,
        letter.who.answer_to,
        letter.vouched,
        letter.message,
    )
