"""What of a letter is for a person: it goes to the umpire, and its writer is told so.

Decides that nothing which somebody wrote to a person is lost: a letter without orders goes on whole, of other
letters the words beside the orders if they ask for something, and every note. How it is introduced is told by
``post.wishes``; when it goes is the round's affair.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec.structs import replace

from pbem.post.lines import codes
from pbem.post.lines.message import NOTHING, ORDERS, Found
from pbem.post.orders.wishes import wish
from pbem.post.write.parts import About
from pbem.post.write.umpire import Passed, also_passed, for_a_person
from pbem.referee.mail.incoming import JOINED, REFUSED, TAKEN, UNUSED, WENT, Incoming, LetterOutcome
from pbem.referee.mail.office import House
from pbem.text.source import read
from pbem.text.words import speaking

_CHATTING: Final = frozenset(
    {
        "mail.nothing",
        "mail.only-quoted",
        "mail.below-mark",
        "mail.passed-on",
        "mail.in-signature",
        "join.say-yes",
    }
)
"""Why nothing was taken from a letter whose own words are not orders: then it is one to a person."""
DONE: Final[Mapping[str, str]] = {
    JOINED: "joined",
    TAKEN: "taken",
    WENT: "went",
    REFUSED: "refused",
    UNUSED: "unused",
}


def with_passed(letter: Incoming, taken: LetterOutcome, kept: str) -> LetterOutcome:
    """Return what became of a letter, with what of it goes to the umpire, if anything does; ``kept`` is where
    it lies.
    """
    house, found = letter.house, letter.found
    office = house.office
    if not letter.message.sender or letter.message.sender == office.umpire or taken.answer is None:
        return taken
    player = next(
        (player for player in office.players.values() if letter.message.sender in player.addresses), None
    )
    if player is None and not letter.who.relied:
        return taken
    note = note_of(found)
    alone = taken.became == UNUSED and bool(found.words)
    kind = wish(found.words)
    if not (note or alone or kind):
        return taken
    known = [seat.code for seat in house.seats if seat.code]
    with speaking(office.language):
        place = _about(house, taken)
    told = Passed(
        about=place,
        player=player.name if player is not None else "",
        address=player.address if player is not None else letter.message.sender,
        subject=codes.without(letter.message.subject, known),
        did=DONE.get(taken.became, "asked"),
        wish=kind,
        words=codes.without(found.words, known) if alone or kind else "",
        note=codes.without(note, known),
        certain=bool(letter.who.relied),
        kept=kept,
    )
    chatting = alone and bool(taken.why) and set(taken.why) <= _CHATTING
    # Orders for a game that is over are no chat; words are.
    chatting = chatting or (alone and found.kind == NOTHING and taken.why == ("game.over",))
    answer = (for_a_person if chatting else also_passed)(taken.answer, office.umpire, letter.words)
    return replace(taken, passed=told, answer=answer)


def _about(house: House, taken: LetterOutcome) -> About:
    """Return the game that a letter is about as the umpire is told it; nothing that only the seat knows."""
    served = house.games.get(taken.game)
    if served is None:
        return About()
    side = served.side_name(taken.seat) if taken.seat else ""
    return About(taken.game, served.title, taken.seat, side, served.stands())


def note_of(found: Found) -> str:
    """Return the note in the orders of a letter or a post."""
    if found.kind != ORDERS or b"note:" not in found.data:
        return ""
    data = read(found.data, allow_header=True).data
    return str(data.get("note") or "").strip() if isinstance(data, Mapping) else ""
