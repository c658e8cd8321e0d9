"""What a player asks for in plain sentences, and what is done about it: leave, more time, a draw, giving up.

Nothing counts on the strength of one letter that could be forged or meant otherwise. Leave and more time are
the umpire's to give, or follow from what was agreed on; a draw and a resignation are confirmed by an answer
that bears a token which only the player's own mailbox has seen. Each is done once, however often its letter
is read: the word in the ledger names the request.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from msgspec.structs import replace

from pbem.post.lines import codes
from pbem.post.lines.message import NOTHING
from pbem.post.mail.sender import SeatAt
from pbem.post.orders.asking import DRAW, LEAVE, RESIGN, TIME, said_amount, said_no, said_yes, understood
from pbem.post.write import requested
from pbem.post.write.parts import Until
from pbem.referee.game.environment import Environment
from pbem.referee.game.refusal import Refused
from pbem.referee.mail.incoming import Incoming, LetterOutcome, MoreLetter, about, as_it_was, until
from pbem.referee.mail.office import House, said
from pbem.referee.mail.request_book import (
    GRANTED,
    LAPSED,
    OFFERED,
    OPEN,
    UMPIRE,
    UNCONFIRMED,
    WITHDRAWN,
    Asked,
    RequestBook,
    is_current,
    name_of,
)
from pbem.referee.mail.request_deciding import about_game, decide, done, is_done, to_umpire, what_of, who_of
from pbem.referee.mail.seat_letters import of_seat
from pbem.referee.mail.served import OfficeGame
from pbem.text.words import Words, speaking

DECIDED: Final = "decided"
"""What became of a letter that says yes or no to a request."""
_MOST: Final = 6
"""Requests of one seat that wait at the same time; what is more goes to the umpire as words."""


# --- a letter that asks for something


def with_requests(
    env: Environment,
    letter: Incoming,
    taken: LetterOutcome,
    book: RequestBook,
    kinds: Collection[str] = (LEAVE, TIME, DRAW, RESIGN),
) -> LetterOutcome:
    """Return what became of a letter, with what it asks for: done, asked back, or put to the umpire. Of a
    post only ``kinds`` that nobody has to confirm are understood: a thread is no mailbox of one's own.
    """
    seat = letter.who.seat
    if seat is None or not letter.who.relied or seat.game not in letter.house.games or taken.answer is None:
        return taken
    served = letter.house.refresh(seat.game)
    if served.open_since is None:
        return taken
    player = served.players.get(seat.seat)
    zone = ZoneInfo(player.zone if player is not None else letter.house.office.zone)
    for one in understood(letter.found.words, letter.arrived.astimezone(zone).date()):
        if one.kind not in kinds:
            continue
        name = name_of(letter.message.id or letter.mail, one.kind)
        slot = served.move.slot
        waiting = sum(
            other.seat == seat.seat and is_current(other, slot, letter.arrived)
            for other in book.waiting(seat.game)
        )
        if name not in book.every and waiting >= _MOST:
            continue
        asked = book.every.get(name) or Asked(
            name,
            seat.game,
            seat.seat,
            one.kind,
            served.move.slot,
            letter.arrived,
            UNCONFIRMED if one.kind in (DRAW, RESIGN) else OPEN,
            one.first,
            one.last,
            one.minutes,
        )
        if asked.state == UNCONFIRMED:
            taken = _confirm(letter, served, taken, book, asked)
        elif one.kind in (LEAVE, TIME):
            taken = _put(env, letter, served, taken, book, asked)
    return taken


def _confirm(
    letter: Incoming, served: OfficeGame, taken: LetterOutcome, book: RequestBook, asked: Asked
) -> LetterOutcome:
    """Ask a player whether he means it; of a draw that was offered already it is the offer that he says yes
    to.
    """
    words, seat = letter.words, letter.who.seat
    assert seat is not None
    if asked.kind == DRAW:
        offered = (one for one in book.waiting(asked.game) if one.kind == DRAW and one.state == OFFERED)
        asked = next((one for one in offered if one.slot == asked.slot and asked.seat not in one.by), asked)
    asked = book.note(asked)
    ask = requested.asks_to_say(
        about(letter.house, seat),
        words.phrase(f"request.confirm-{asked.kind}-title"),
        [words.phrase(f"request.confirm-{asked.kind}"), *_stands(letter.house, served, seat, letter.now)],
        book.token(asked, seat.seat),
        words,
        words.phrase("request.not-you"),
    )
    passed = taken.passed
    if passed is not None:
        with speaking(letter.house.office.language):
            line = words.phrase("request.understood", what=what_of(served, asked, words), id=asked.id)
            asks = words.phrase("request.confirming", player=who_of(served, seat.seat))
        passed = replace(passed, wish="", understood=(*passed.understood, f"{line} {asks}"))
    more = MoreLetter(f"confirm-{asked.id}-{seat.seat}", ask, asked.game, seat.addresses[0])
    if letter.found.kind == NOTHING:  # the question is the answer; to the player's own address, whoever wrote
        return replace(taken, passed=passed, answer=None, more=(*taken.more, more))
    return replace(taken, passed=passed, more=(*taken.more, more))


def _stands(house: House, served: OfficeGame, seat: SeatAt, now: datetime) -> Iterator[str]:
    """Yield the deadline that stands for a seat that is waited for, and what happens if it stays silent."""
    if not served.waits_for(seat.seat):
        return
    yield until(house, seat, now).said(served.game.words)
    if otherwise := as_it_was(house, served, seat)[0]:
        yield served.game.words.phrase(f"letter.otherwise-{otherwise}")


def _put(
    env: Environment,
    letter: Incoming,
    served: OfficeGame,
    taken: LetterOutcome,
    book: RequestBook,
    asked: Asked,
) -> LetterOutcome:
    """Give leave or time by what was agreed on, or put it to the umpire."""
    words, house = letter.words, letter.house
    failed = ""
    if asked.state == OPEN and _by_itself(served, house, asked):
        try:
            done(env, house, asked, words)
            asked = book.note(asked, state=GRANTED)
            served = house.refresh(asked.game)
        except Refused as refusal:
            failed = said(refusal)
    asked = book.note(asked)
    granted = asked.state == GRANTED
    passed, more = taken.passed, taken.more
    if granted and passed is not None:
        with speaking(house.office.language):
            line = words.phrase("request.understood", what=what_of(served, asked, words), id=asked.id)
            itself = words.phrase("request.by-itself")
        passed = replace(passed, wish="", understood=(*passed.understood, f"{line} {itself}"))
    elif not granted:
        known = [one.code for one in house.seats if one.code]
        quoted = (who_of(served, asked.seat), codes.without(letter.found.words, known))
        with speaking(house.office.language):
            parts = [_why_not(failed, words), *_due(house, served, letter)]
            more = (*more, to_umpire(house, served, book, asked, words, parts, quoted))
        # His words go with the question; what else is for the umpire alone goes on its own.
        passed = replace(passed, words="") if passed is not None and passed.note else None
    title = what_of(served, asked, words, "you-")
    seat = letter.who.seat
    assert seat is not None
    what = "granted" if granted else "passed-on" if house.office.umpire else "kept"
    told = words.phrase(f"request.{what}")
    follows = [_why_not(failed, words), told]
    if letter.found.kind == NOTHING:
        follows += _stands(house, served, seat, letter.now) if served.waits_for(seat.seat) else []
        answer = requested.told(about(house, seat), title, follows, words, letter.message.subject or title)
        answer = answer if not taken.asked else requested.beside(answer, taken.asked)
    else:
        assert taken.answer is not None
        answer = requested.beside(taken.answer, [f"{title}. {told}"])
    return replace(taken, passed=passed, answer=answer, more=more, asked=(*taken.asked, f"{title}. {told}"))


def _why_not(failed: str, words: Words) -> str:
    """Return why what was agreed on did not give it by itself; empty where it was not tried."""
    return words.phrase("request.not-by-itself", why=failed) if failed else ""


def _due(house: House, served: OfficeGame, letter: Incoming) -> Iterator[str]:
    """Yield the deadline of the open slot, as the umpire reads it."""
    yield Until(served.deadline(), house.office.zone, letter.now, held=served.held).said(letter.words)


def _by_itself(served: OfficeGame, house: House, asked: Asked) -> bool:
    """Tell whether what was agreed on gives leave or time without the umpire: time once for a turn."""
    policy = house.office.requests
    if asked.kind == LEAVE:
        terms = served.settings.deadlines
        return policy.leave and terms is not None and terms.leave is not None
    had = any(one.slot == asked.slot for one in served.acts.extensions)
    return 0 < asked.minutes <= policy.time and not had and served.waits_for(asked.seat)


# --- a letter that says yes or no


def answer_of_seat(env: Environment, letter: Incoming, book: RequestBook) -> LetterOutcome | None:
    """Take a player's yes or no to a request, and the orders that stand in the same letter before it; None
    where his letter is none.
    """
    seat = letter.who.seat
    if seat is None or not letter.who.relied or seat.game not in letter.house.games:
        return None
    asked = next(
        (
            one
            for one in book.every.values()
            if one.game == seat.game and book.token(one, seat.seat) in letter.found.codes
        ),
        None,
    )
    yes, no = said_yes(letter.found.words), said_no(letter.found.words)
    if asked is None or not (yes or no):
        return None
    served, words = letter.house.refresh(seat.game), letter.words
    taken = None if letter.found.kind == NOTHING else of_seat(env, letter, served, seat)
    more: tuple[MoreLetter, ...] = ()
    if is_done(served, asked):  # and only the book did not know it yet
        asked = book.note(asked, state=GRANTED)
    if _lapsed(served, asked, letter):
        state = LAPSED if asked.is_waiting else asked.state
        asked = book.note(asked, state=state)
        ends = asked.state == GRANTED
        title, follows = ("ends-title", "ends") if ends else ("lapsed-title", "lapsed")
    elif no:
        asked = book.note(asked, state=WITHDRAWN)
        title, follows = "withdrawn-title", "withdrawn"
        if seat.seat != asked.seat:
            more = tuple(_declined(letter.house, served, asked, seat.seat, words))
    else:
        asked = book.note(asked, by=tuple(sorted({*asked.by, seat.seat})))
        title, follows, more = _confirmed(env, letter, served, book, asked)
    missing = [
        served.side_name(one) for one in served.game.ledger.outside if one not in book.every[asked.id].by
    ]
    sides = list(dict.fromkeys(missing))
    title = words.phrase(f"request.{title}")
    follows = words.phrase(f"request.{follows}", sides=sides, count=len(sides))
    if taken is not None and taken.answer is not None:
        return replace(
            taken, answer=requested.beside(taken.answer, [f"{title}. {follows}"]), more=(*taken.more, *more)
        )
    told = requested.told(about(letter.house, seat), title, [follows], words, letter.message.subject)
    return LetterOutcome(
        DECIDED,
        seat.game,
        seat.seat,
        (book.every[asked.id].state,),
        told,
        letter.who.answer_to,
        None,
        letter.message,
        more=more,
    )


def _lapsed(served: OfficeGame, asked: Asked, letter: Incoming) -> bool:
    if served.open_since is None or not asked.is_waiting:
        return True
    return not is_current(asked, served.move.slot, letter.arrived)


def _confirmed(
    env: Environment, letter: Incoming, served: OfficeGame, book: RequestBook, asked: Asked
) -> tuple[str, str, tuple[MoreLetter, ...]]:
    """Do what follows from a yes: end the game, ask the others, or put it to the umpire."""
    house, words, ledger = letter.house, letter.words, served.game.ledger
    policy = house.office.requests
    # Whom no letter reaches the umpire asks himself, when all others have agreed.
    reached = {seat.seat for seat in house.seats if seat.game == asked.game and seat.addresses}
    if asked.kind == DRAW and not set(ledger.outside) & reached <= set(asked.by):
        first = asked.state == UNCONFIRMED
        asked = book.note(asked, state=OFFERED)
        more = tuple(_offers(house, served, book, asked, letter.now, words))
        return ("offered-title", "offered", more) if first else ("agreed-title", "agreed-waits", more)
    sides = set(served.game.sides.values())
    side = served.game.sides[asked.seat]
    alone = sum(one == side for one in served.game.sides.values()) == 1
    agreed = policy.draw and set(ledger.outside) <= set(asked.by)
    by_itself = agreed if asked.kind == DRAW else policy.resign and alone and len(sides) == 2
    if by_itself and set(ledger.seats) == set(ledger.outside):
        try:
            done(env, house, asked, words)
            book.note(asked, state=GRANTED)
            return "ends-title", "ends", ()
        except Refused:
            pass  # a slot that has to be played first, or something that only the umpire can put right
    asked = book.note(asked, state=OPEN)
    return "to-umpire-title", "to-umpire", (to_umpire(house, served, book, asked, words),)


def _offers(
    house: House, served: OfficeGame, book: RequestBook, asked: Asked, now: datetime, words: Words
) -> Iterator[MoreLetter]:
    """Yield the letters in which the others are asked for their yes."""
    who = who_of(served, asked.seat)
    for seat in house.seats:
        if seat.game == asked.game and seat.seat not in asked.by and seat.addresses:
            with speaking(seat.language):
                ask = requested.asks_to_say(
                    about(house, seat),
                    words.phrase("request.asked-title", who=who),
                    [
                        words.phrase("request.asked", who=who),
                        words.phrase("request.asked-until"),
                        *_stands(house, served, seat, now),
                    ],
                    book.token(asked, seat.seat),
                    words,
                )
            yield MoreLetter(f"offer-{asked.id}-{seat.seat}", ask, asked.game, seat.addresses[0])


def _declined(house: House, served: OfficeGame, asked: Asked, by: str, words: Words) -> Iterator[MoreLetter]:
    who = who_of(served, by)
    for seat in house.seats:
        if seat.game == asked.game and seat.seat in asked.by and seat.addresses:
            with speaking(seat.language):
                told = requested.told(
                    about(house, seat),
                    words.phrase("request.declined-title", who=who),
                    [words.phrase("request.declined", who=who)],
                    words,
                )
            yield MoreLetter(f"declined-{asked.id}-{seat.seat}", told, asked.game, seat.addresses[0])


def answer_of_umpire(env: Environment, letter: Incoming, book: RequestBook) -> LetterOutcome | None:
    """Take the umpire's yes or no; None where his letter is none, or is not from him."""
    house, words = letter.house, letter.words
    if not house.office.umpire or letter.message.sender != house.office.umpire:
        return None
    asked = next((one for one in book.every.values() if book.token(one, UMPIRE) in letter.found.codes), None)
    own = letter.found.words
    yes, no, amount = said_yes(own), said_no(own), said_amount(own)
    if asked is None or asked.game not in house.games or not (yes or no or (amount and asked.kind == TIME)):
        return None
    why = " ".join(own.strip().split("\n")[1:]).strip()
    with speaking(house.office.language):
        title, follows, more = decide(
            env, house, book, asked, words, yes=not no, now=letter.now, why=why, minutes=amount
        )
        served = house.games[asked.game]
        told = requested.told(about_game(served), title, [follows], words, letter.message.subject)
    return LetterOutcome(
        DECIDED,
        asked.game,
        asked.seat,
        (book.every[asked.id].state,),
        told,
        house.office.umpire,
        None,
        letter.message,
        more=more,
    )
