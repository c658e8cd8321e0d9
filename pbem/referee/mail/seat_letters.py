"""What a letter or a post of a known seat does, by what the game waits for: a join, a go, orders, or nothing.

Whatever is stored is stored by the same use cases as by hand (``admit``, ``go``, ``submit``), once: what is
read again after a fall finds what it did. Nothing is sent here.
"""

from __future__ import annotations

import re
from datetime import UTC
from typing import Final

from pbem.core.problem import Problem
from pbem.core.regex import regex
from pbem.post.lines.message import NOTHING, ORDERS, RECORD, Found
from pbem.post.mail.sender import SeatAt
from pbem.referee.game.ending import ended_how
from pbem.referee.game.environment import Environment
from pbem.referee.game.game import own_folder
from pbem.referee.game.refusal import Refused, is_of_the_game
from pbem.referee.mail.agreeing import take_consent
from pbem.referee.mail.incoming import (
    JOINED,
    WENT,
    Incoming,
    LetterOutcome,
    answered,
    is_in,
    locked_with_it,
    refused,
    short_answer,
    until,
    unused,
)
from pbem.referee.mail.late import late_by
from pbem.referee.mail.order_letters import take_orders
from pbem.referee.mail.served import OfficeGame
from pbem.referee.turn.admit import Admitted, admit, admit_words
from pbem.referee.turn.go import GoTaken, missing_goes, take_go, take_words
from pbem.store import received
from pbem.store.received import Provenance

_YES: Final = regex(
    r"\b(?:yes|yep|ok|okay|sure|i play|i'?m in|count me in|ja|jawohl|gerne|ich spiele|oui|je joue|d'accord"
    r"|si|sí|juego)\b",
    re.IGNORECASE,
)
_NO: Final = regex(
    r"\b(?:no|not|nope|never|can'?t|cannot|won'?t|don'?t|sorry|unfortunately|nein|nicht|kein\w*|leider|non"
    r"|pas|désolée?|malheureusement)\b",
    re.IGNORECASE,
)
_BEGINNING: Final = 200
"""So many characters of a letter say whether somebody plays: a word that says yes, and none that says no.
Anything else is asked about, because a join cannot be taken back."""


def of_seat(env: Environment, letter: Incoming, served: OfficeGame, seat: SeatAt) -> LetterOutcome:
    """Take in a letter of a known seat: as a join, as a go or as orders, by what the game waits for."""
    game, found = served.game, letter.found
    relied = letter.who.relied and f"{letter.who.relied}{_dkim(letter)}"
    came = Provenance(letter.mail, relied, letter.arrived.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"))
    try:
        if found.kind == RECORD:
            return _record(env, letter, served)
        if (
            not game.ledger.started
            or received.came_of(own_folder(game), received.join_file(seat.seat)).mail == letter.mail
        ):
            return _join(env, letter, served, seat, came)
        if game.ledger.over:
            return unused(letter, (Problem("game.over", {"how": ended_how(game)}),))
        if found.kind == ORDERS and (late := late_by(served, seat.seat, letter.arrived, found)) is not None:
            asks = _is_asked(served, seat) and not seat.keyed and game.ledger.locked is not None
            more = (
                [Problem("go.say-words", {"slot": game.ledger.locked.number})]
                if asks and game.ledger.locked is not None
                else []
            )
            raise Refused([late.problem(until(letter.house, seat, letter.now).zone, letter.words), *more])
        if game.ledger.locked is not None and (found.kind != NOTHING or _is_asked(served, seat)):
            return _go(letter, served, seat, came)
        if found.kind == NOTHING:
            return unused(letter, found.problems or (Problem("mail.nothing"),))
        return take_orders(env, letter, served, seat, came)
    except Refused as refusal:
        if is_of_the_game(refusal):
            raise
        return refused(letter, served, seat, refusal)


def _dkim(letter: Incoming) -> str:
    """Return what the sender's mail provider vouches for, where the office looks at that."""
    found = letter.vouched
    if not found or not found["aligned"] or found["result"] != "pass":
        return ""
    return f", DKIM of {found['domain']} holds"


def _record(env: Environment, letter: Incoming, served: OfficeGame) -> LetterOutcome:
    """Take in a signed join, go or consent."""
    data = letter.found.data
    if b'"type":"join"' in data.partition(b"\n")[0]:
        return _welcome(letter, served, admit(env, served.game.where, data))
    if b'"type":"consent"' in data.partition(b"\n")[0]:
        return take_consent(letter, served)
    return _gone(letter, served, take_go(served.game.where, data))


def _join(
    env: Environment, letter: Incoming, served: OfficeGame, seat: SeatAt, came: Provenance
) -> LetterOutcome:
    """Take in the "yes, I play" of a seat without a key; other words are asked about."""
    again = received.came_of(own_folder(served.game), received.join_file(seat.seat)).mail == letter.mail
    if again and served.game.ledger.started:
        # Read once more after a fall: it did what it asked for.
        return _welcome(letter, served, Admitted(seat.seat, True, ()))
    if seat.seat not in served.game.not_joined and not again:
        return unused(letter, (Problem("game.not-started", {"seats": ", ".join(served.game.not_joined)}),))
    if seat.keyed:
        return unused(letter, (Problem("join.needs-key", {"seat": seat.seat}),))
    if not letter.who.relied:
        return unused(letter, (Problem("sender.no-code", {"seats": f"{seat.game} ({seat.seat})"}),))
    if not says_yes(letter.found.own):
        return unused(letter, (Problem("join.say-yes"),))
    words = " ".join(letter.found.own.split())[:100]
    return _welcome(letter, served, admit_words(env, served.game.where, seat.seat, words, came))


def says_yes(own: str) -> bool:
    """Tell whether the beginning of somebody's words says that he plays, and nothing in it
    that he does not.
    """
    return _says(_YES, own) and not _says(_NO, own)


def says_no(own: str) -> bool:
    """Tell whether the beginning of somebody's words says that he does not play, and nothing in it that he
    does.
    """
    return _says(_NO, own) and not _says(_YES, own)


def _says(what: re.Pattern[str], own: str) -> bool:
    return bool(what.search(own[:_BEGINNING].replace("’", "'")))


def _welcome(letter: Incoming, served: OfficeGame, admitted: Admitted) -> LetterOutcome:
    words = letter.words
    missing = [served.side_name(name) for name in admitted.missing]
    key = "letter.joined-started" if admitted.started else "letter.joined-waits"
    return answered(letter, JOINED, short_answer(letter, "letter.joined", words.phrase(key, seats=missing)))


def _go(letter: Incoming, served: OfficeGame, seat: SeatAt, came: Provenance) -> LetterOutcome:
    """Take in the words of a seat that a lock asks; orders that come now are too late, but for those that are
    in the lock already.
    """
    slot = served.game.ledger.locked
    assert slot is not None
    if is_in(letter, served, seat, slot.number):
        return locked_with_it(letter)
    luck = _only_luck(letter.found)
    late = [Problem("game.locked", {"slot": slot.number})]
    if luck is None and _is_asked(served, seat) and not seat.keyed:
        raise Refused(
            [*(late if letter.found.kind == ORDERS else ()), Problem("go.say-words", {"slot": slot.number})]
        )
    if luck is None or seat.seat not in slot.asked:
        raise Refused(late)
    if letter.found.held:
        raise Refused(list(letter.found.held))
    if seat.keyed:
        raise Refused(
            [
                Problem(
                    "proof.unsigned", {"seat": seat.seat}, help=f"pbem go GAME --seat {seat.seat} --key KEY"
                )
            ]
        )
    return _gone(letter, served, take_words(served.game.where, luck, seat.seat, came))


def _is_asked(served: OfficeGame, seat: SeatAt) -> bool:
    """Tell whether a lock waits for words of a seat that has no key."""
    return seat.seat in missing_goes(served.game)


def _gone(letter: Incoming, served: OfficeGame, went: GoTaken) -> LetterOutcome:
    words = letter.words
    missing = [served.side_name(name) for name in went.still_missing]
    said = (
        words.phrase("letter.went-waits", seats=missing) if missing else words.phrase("letter.otherwise-now")
    )
    return answered(letter, WENT, short_answer(letter, "letter.went", said))


def _only_luck(found: Found) -> str | None:
    """Return the words of a letter that gives words and no orders."""
    lines = [
        line
        for line in found.data.decode("utf-8", "replace").split("\n")
        if line.strip() and not line.startswith("#")
    ]
    keys = {line.partition(":")[0] for line in lines if not line.startswith((" ", "-"))}
    if found.kind != ORDERS or not keys <= {"luck", "game", "seat", "side", "turn"}:
        return None
    return next(
        (line.partition(":")[2].strip().strip("\"'") for line in lines if line.startswith("luck:")), None
    )
