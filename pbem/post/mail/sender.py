"""Whose letter it is: by the signed file in it, else by the address it came from together with the code of a
seat.

Decides which seat of which game a letter is for, what was relied on, and where an answer goes: never to an
address that only the letter names. Whether a signature holds is the referee's business.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from pbem.core.problem import Problem
from pbem.core.regex import regex
from pbem.post.lines.message import NOTHING, RECORD, Found, Message
from pbem.proof.canonical import NotCanonical, decode
from pbem.proof.orderfile import FIRST_LINE, BadOrderFile, parse
from pbem.text.words import ENGLISH

ALPHABET: Final = "abcdefghjkmnpqrstuvwxyz23456789"
"""What codes are made of: no letter that is taken for another one or for a digit."""
_DIGITS: Final = 8
_GAME_LINE: Final = regex(rb"^game:[ ]*([a-z0-9][a-z0-9-]{0,47})[ ]*(?:#.*)?$", re.MULTILINE)
_TAG: Final = regex(r"\[([a-z0-9-]{8,40})\]", re.IGNORECASE)


class SeatAt(Struct, frozen=True):
    """A seat of a game in the office: its game and title, whose addresses it may write from (the first gets
    the letters), its code, the language that its letters are in.
    """

    game: str
    seat: str
    title: str = ""
    addresses: tuple[str, ...] = ()
    code: str = ""
    keyed: bool = False
    language: str = ENGLISH


class Whose(Struct, frozen=True):
    """Whose letter it is: the seat, if it is known; what was relied on, in the GM's words; where an answer
    goes, if it may go anywhere.

    ``problem`` says why the letter is not read as this seat's. ``about`` is the game it speaks of, as far as
    that can be told.
    """

    seat: SeatAt | None = None
    relied: str = ""
    answer_to: str = ""
    problem: Problem | None = None
    about: str = ""


def code_of(secret: bytes, game: str, seat: str, player: str = "") -> str:
    """Return the code of a seat, such as ``k7fp-q2mx``: 39 bits that follow from a secret of the office and
    can be guessed by nobody.

    ``player`` is the id of who plays it, so that who takes it over has another one; a new address of the same
    player changes nothing.
    """
    number = int.from_bytes(
        hmac.digest(secret, f"pbem/code\n{game}\n{seat}\n{player}\n".encode(), hashlib.sha256)[:16], "big"
    )
    signs = ""
    for _ in range(_DIGITS):
        number, sign = divmod(number, len(ALPHABET))
        signs += ALPHABET[sign]
    return f"{signs[:4]}-{signs[4:]}"


def whose(seats: Sequence[SeatAt], message: Message, found: Found) -> Whose:
    """Return whose letter it is among the seats of an office."""
    signed = signed_by(found)
    if signed is not None:
        return _of_signed(seats, message, *signed)
    at_home = [seat for seat in seats if message.sender and message.sender in seat.addresses]
    coded = [seat for seat in seats if seat.code and seat.code in found.codes]
    about = _about(seats, message, found)
    both = [seat for seat in at_home if seat in coded]
    if len(both) > 1 and len(narrow := [seat for seat in both if seat.game == _named(found)]) == 1:
        both = narrow  # a subject, or the letter that is answered, says as little as the other code
    if len(both) == 1:
        return Whose(both[0], "address and code", message.sender, None, both[0].game)
    named = ", ".join(f"{seat.game} ({seat.seat})" for seat in at_home)
    if len(both) > 1:
        coded_for = ", ".join(f"{seat.game} ({seat.seat})" for seat in both)
        return Whose(None, "", message.sender, Problem("sender.two-codes", {"seats": coded_for}), about)
    if at_home:
        likely = _one([seat for seat in at_home if seat.game == about]) or _one(at_home)
        if likely is not None and (found.kind == NOTHING or likely.keyed):
            # Nothing is done on the strength of the address alone; it only says who is to be told.
            return Whose(likely, "", message.sender, None, likely.game)
        code = "sender.no-code" if not found.codes else "sender.wrong-code"
        return Whose(likely, "", message.sender, Problem(code, {"seats": named}), about)
    if coded:
        seat = coded[0]
        problem = Problem("sender.other-address", {"address": message.sender or "?", "seat": seat.seat})
        return Whose(seat, "", seat.addresses[0] if seat.addresses else "", problem, seat.game)
    return Whose(problem=Problem("sender.stranger", {"address": message.sender or "?"}), about=about)


def signed_by(found: Found) -> tuple[str, str] | None:
    """Return the game and the seat that a signed file names."""
    if found.kind == RECORD:
        try:
            record = decode(found.data.partition(b"-----BEGIN")[0])
        except NotCanonical:
            return None
        # A join of a seat without a key is a record too, and says nothing about who wrote it.
        return (str(record.get("game")), str(record.get("seat"))) if b"-----BEGIN" in found.data else None
    if found.signature is not None and found.data.startswith(FIRST_LINE.encode()):
        try:
            file = parse(found.data)
        except BadOrderFile:
            return None
        return file.game, file.seat
    return None


def _of_signed(seats: Sequence[SeatAt], message: Message, game: str, seat: str) -> Whose:
    of_game = [one for one in seats if one.game == game]
    known = _one([one for one in of_game if one.seat == seat])
    at_home = [one for one in seats if message.sender and message.sender in one.addresses]
    if known is not None and known.keyed:
        answer_to = message.sender if message.sender in known.addresses else next(iter(known.addresses), "")
        return Whose(known, "", answer_to, None, game)
    answer_to = message.sender if at_home else ""
    if known is not None:
        return Whose(None, "", answer_to, Problem("sender.no-key", {"seat": seat}), game)
    yours = ", ".join(f"{one.game} ({one.seat})" for one in at_home)
    return Whose(
        None, "", answer_to, Problem("sender.not-here", {"game": game, "seat": seat, "seats": yours}), game
    )


def _about(seats: Sequence[SeatAt], message: Message, found: Found) -> str:
    """Return the game a letter speaks of: in its orders, in its subject, or by the letter of ours that it
    answers.
    """
    games = {seat.game for seat in seats}
    named = [_named(found)]
    tags = [tag.lower() for tag in _TAG.findall(message.subject)]
    answered = [
        game
        for game in sorted(games)
        for id_ in (message.in_reply_to, *message.references)
        if f"{game}" in id_
    ]
    return next((game for game in [*named, *tags, *answered] if game in games), "")


def _named(found: Found) -> str:
    """Return the game that the orders themselves name."""
    line = _GAME_LINE.search(found.data)
    return line[1].decode() if line else ""


def _one(seats: Sequence[SeatAt]) -> SeatAt | None:
    return seats[0] if len(seats) == 1 else None
