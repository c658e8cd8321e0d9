"""What becomes of a request: who asks for what, in words, the umpire's yes or no, and what is done then.

Each request is done once: the word in the ledger names it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from msgspec.structs import replace

from pbem.post.offices.timing import on_day, span
from pbem.post.orders.asking import DRAW, LEAVE, RESIGN, TIME
from pbem.post.write import requested
from pbem.post.write.cover import one_line
from pbem.post.write.parts import About
from pbem.proof.spoken import AGREED, RESIGNED
from pbem.proof.spoken import DRAW as DRAWN
from pbem.referee.game.environment import Environment
from pbem.referee.game.refusal import Refused
from pbem.referee.mail.acts_of_time import words_of
from pbem.referee.mail.incoming import MoreLetter, about, until
from pbem.referee.mail.office import House, said
from pbem.referee.mail.request_book import GRANTED, LAPSED, OPEN, REFUSED, UMPIRE, Asked, RequestBook
from pbem.referee.mail.served import OfficeGame
from pbem.referee.mail.umpire_time import absent, extend
from pbem.referee.mail.umpire_word import end
from pbem.text.words import ENGLISH, Words, speaking


def who_of(served: OfficeGame, seat: str) -> str:
    """Return who plays a seat, and which side: ``Bob (West)``."""
    player, side = served.players.get(seat), served.side_name(seat)
    return side if player is None or player.name == side else f"{player.name} ({side})"


def what_of(served: OfficeGame, asked: Asked, words: Words, you: str = "") -> str:
    """Return what is asked for, in a line: ``Bob (West) asks for 3 days more``; to whom asks as ``you-``."""
    kind = asked.kind
    if kind == LEAVE and asked.first == asked.last:
        kind = "leave-day"
    if kind == TIME and not asked.minutes:
        kind = "time-some"
    return words.phrase(
        f"request.{you}{kind}",
        who=who_of(served, asked.seat),
        first=on_day(asked.first, words) if asked.first is not None else "",
        last=on_day(asked.last, words) if asked.last is not None else "",
        span=span(timedelta(minutes=asked.minutes), words),
    )


def about_game(served: OfficeGame) -> About:
    """Return the game that a letter to the umpire is about."""
    return About(served.game.id, served.title, stands=served.stands())


def how_to_decide(house: House, served: OfficeGame, asked: Asked, words: Words) -> Iterator[str]:
    """Yield how the umpire says yes or no."""
    yield words.phrase("request.decide")
    amount = asked.kind == TIME and not asked.minutes
    if amount:
        yield words.phrase("request.decide-amount")
    command = f"pbem umpire grant {house.root} {asked.id}{' --by LENGTH' if amount else ''}"
    yield words.phrase("request.decide-typed", command=command)
    yield words.phrase(
        "request.decide-typed", command=f"pbem umpire refuse {house.root} {asked.id} --why '…'"
    )
    player = served.players.get(asked.seat)
    if player is not None:
        yield words.phrase("request.decide-him", player=player.name, address=player.address)


def to_umpire(
    house: House,
    served: OfficeGame,
    book: RequestBook,
    asked: Asked,
    words: Words,
    said: Sequence[str] = (),
    quoted: tuple[str, str] = ("", ""),
) -> MoreLetter:
    """Return the letter in which the umpire is asked for his yes or no."""
    with speaking(house.office.language):
        what = what_of(served, asked, words)
        parts = [
            words.phrase("request.understood", what=what, id=asked.id),
            *said,
            *how_to_decide(house, served, asked, words),
        ]
        letter = requested.told(
            about_game(served), words.phrase("request.decide-title", what=what), parts, words, quoted=quoted
        )
        letter = requested.with_token(letter, book.token(asked, UMPIRE), words)
    return MoreLetter(f"decide-{asked.id}", letter, asked.game, "")


def is_done(served: OfficeGame, asked: Asked) -> bool:
    """Tell whether a word of the ledger has done what was asked for."""
    mark = f"(request {asked.id})"
    return any(mark in str(word["why"]) for word in words_of(served.game.ledger))


def done(
    env: Environment, house: House, asked: Asked, words: Words, why: str = "", *, umpire: bool = False
) -> None:
    """Do what was asked for, once; Refused where it comes to nothing. ``umpire``: on his word."""
    served = house.refresh(asked.game)
    if is_done(served, asked):
        return
    where = served.game.where
    by = "request.why-agreed" if asked.kind == DRAW else "request.why"
    # A ledger goes to everybody, so it names sides and no people, and is English.
    with speaking(ENGLISH):
        reason = words.phrase(by, who=served.side_name(asked.seat), id=asked.id)
    reason = f"{reason}: {one_line(why, 400)}" if why else reason
    if asked.kind == LEAVE:
        assert asked.first is not None and asked.last is not None
        absent(env, where, reason, asked.seat, asked.first, asked.last, anyway=umpire)
    elif asked.kind == TIME:
        extend(env, where, reason, by=asked.minutes)
    elif asked.kind == RESIGN:
        end(env, where, reason, RESIGNED, "", [asked.seat])
    else:
        end(env, where, reason, AGREED, DRAWN, asked.by)
    house.refresh(asked.game)


def decide(
    env: Environment,
    house: House,
    book: RequestBook,
    asked: Asked,
    words: Words,
    *,
    yes: bool,
    now: datetime,
    why: str = "",
    minutes: int = 0,
) -> tuple[str, str, tuple[MoreLetter, ...]]:
    """Do what the umpire decides about a request; return what he is told, a title and a sentence, and the
    letters to others.
    """
    served = house.refresh(asked.game)
    asked = replace(asked, minutes=minutes or asked.minutes)
    what = what_of(served, asked, words)
    failed = ""
    if asked.state == LAPSED:
        failed = words.problem("request.lapsed", {"id": asked.id})
    elif asked.state not in (OPEN, GRANTED if yes else REFUSED):
        failed = words.problem("request.unknown", {"id": asked.id, "ids": ""})
    elif yes and asked.kind == TIME and not asked.minutes:
        failed = words.problem("request.how-much", {"who": who_of(served, asked.seat)})
    elif yes and asked.state == OPEN and asked.kind == TIME and _is_over(served, asked):
        failed = words.problem("request.lapsed", {"id": asked.id})
    elif yes:
        try:
            done(env, house, asked, words, why, umpire=True)
        except Refused as refusal:
            failed = said(refusal)
    if failed:
        title = words.phrase("request.not-done-title", what=what)
        return title, words.phrase("request.failed", why=failed), ()
    asked = book.note(asked, state=GRANTED if yes else REFUSED)
    title = words.phrase("request.done-title" if yes else "request.said-no-title", what=what)
    if yes:
        return title, words.phrase("request.done"), ()
    player = who_of(served, asked.seat)
    return (
        title,
        words.phrase("request.done-no", player=player),
        tuple(_refused(house, served, asked, why, now, words)),
    )


def _refused(
    house: House, served: OfficeGame, asked: Asked, why: str, now: datetime, words: Words
) -> Iterator[MoreLetter]:
    """Yield the letters that tell who asked that the umpire has said no."""
    for seat in house.seats:
        if seat.game == asked.game and seat.seat in {asked.seat, *asked.by} and seat.addresses:
            you = "you-" if seat.seat == asked.seat else ""
            with speaking(seat.language):
                parts = [
                    words.phrase("request.refused", what=what_of(served, asked, words, you)),
                    words.phrase("request.he-says", why=one_line(why, 1000)) if why else "",
                    until(house, seat, now).said(words) if served.waits_for(seat.seat) else "",
                ]
                title = words.phrase("request.refused-title")
                told = requested.told(about(house, seat), title, parts, words)
            yield MoreLetter(f"refused-{asked.id}-{seat.seat}", told, asked.game, seat.addresses[0])


def lapsing(
    house: House, book: RequestBook, now: datetime, words: Words
) -> Iterator[tuple[Asked, MoreLetter]]:
    """Yield the requests that nobody has decided before their turn was played, or their game was over, each
    with the letter to whoever asked; of games that are open.
    """
    for asked in list(book.waiting()):
        served = house.games[asked.game] if asked.game in house.awake else None
        if served is None or not (
            served.open_since is None or (asked.kind in (TIME, DRAW) and _is_over(served, asked))
        ):
            continue
        for seat in house.seats:
            if (seat.game, seat.seat) == (asked.game, asked.seat) and seat.addresses:
                with speaking(seat.language):
                    parts = [
                        what_of(served, asked, words, "you-"),
                        words.phrase("request.lapsed"),
                        until(house, seat, now).said(words) if served.waits_for(seat.seat) else "",
                    ]
                    title = words.phrase("request.lapsed-title")
                    told = requested.told(about(house, seat), title, parts, words)
                yield asked, MoreLetter(f"lapsed-{asked.id}", told, asked.game, seat.addresses[0])


def _is_over(served: OfficeGame, asked: Asked) -> bool:
    """Tell whether the slot that a request is about is played."""
    return served.open_since is None or asked.slot != served.move.slot
