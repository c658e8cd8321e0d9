"""What of letters the umpire is told: what did not go out or did not arrive, what a program answered, who is
not known here.

Anybody can write letters that come, so nothing is done because of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Final

from pbem.post.mail.bounces import bounce
from pbem.post.offices.timing import span
from pbem.post.write.cover import one_line
from pbem.post.write.umpire import Thing
from pbem.referee.game import missed
from pbem.referee.game.turns import of_slot
from pbem.referee.mail.costs import for_umpire
from pbem.referee.mail.late import late_for
from pbem.referee.mail.office import House, Trouble
from pbem.referee.mail.served import OfficeGame
from pbem.referee.mail.taking import AUTOMATIC, STRANGE, LetterOutcome
from pbem.store.library import common_words
from pbem.store.outbox import Outbox

OURS: Final = "own"


def told_of(
    house: House, taken: LetterOutcome, raw: bytes, arrived: datetime, lies: str
) -> Iterator[Trouble]:
    """Yield what the umpire is to know of a letter; ``lies`` is where it is kept."""
    words, sender = common_words(), taken.message.sender
    if taken.became == STRANGE and taken.answer is None:
        said = words.phrase(
            "round.stranger",
            address=one_line(sender, 100),
            subject=one_line(taken.message.subject, 80),
            first=one_line(taken.first, 120),
        )
        help_ = words.phrase("round.stranger-help", address=one_line(sender, 100), kept=lies)
        yield Trouble("", said, help_, lasts=False, about=f"stranger {sender}", mild=True)
    if "mail.late" in taken.why and taken.game in house.games:
        yield from _late(house, taken, arrived, lies)
    if taken.became != AUTOMATIC or OURS in taken.why:
        return
    if "bounce" in taken.why:
        yield from _came_back(house, taken, raw)
    elif names := [player.name for player in house.office.players.values() if sender in player.addresses]:
        subject = one_line(taken.message.subject, 80)
        said = words.phrase("round.automatic", who=names, why=list(taken.why), subject=subject)
        help_ = words.phrase("round.automatic-help", kept=lies)
        yield Trouble("", said, help_, lasts=False, about=f"automatic {sender} {subject}", mild=True)


def _late(house: House, taken: LetterOutcome, arrived: datetime, lies: str) -> Iterator[Trouble]:
    """Yield that orders came too late: for which turn, by how much, and how it could be taken back."""
    words, served = common_words(), house.games[taken.game]
    late = late_for(served, taken.seat, arrived)
    if late is None:
        return
    who = (
        f"{served.players[taken.seat].name} ({served.side_name(taken.seat)})"
        if taken.seat in served.players
        else taken.seat
    )
    turn = of_slot(served.game, late.slot)
    said = words.phrase("round.late", who=who, turn=turn, late=span(late.by, words))
    help_ = words.phrase("round.late-help", folder=served.game.where, slot=late.slot, kept=lies)
    yield Trouble(taken.game, said, help_, lasts=False, about=f"late {late.slot} {taken.seat}")


def missed_letter(served: OfficeGame, number: int) -> list[Thing]:
    """Return what the umpire is told of a slot that was played without somebody's orders; nothing where
    everybody sent some.

    A draft that was used is no affair of his: its writer was asked for luck and got what he had ordered.
    """
    words = served.game.words
    help_ = words.phrase("round.missed-help", folder=served.game.where, slot=number)
    found = [one for one in missed.missed_in(served.game, number) if one.kind != missed.DRAFT]
    return [
        Thing(
            served.game.id,
            " ".join(
                filter(
                    None,
                    [
                        missed.said(one, served.side_name(one.seat), words),
                        for_umpire(served, number, one.seat, words),
                    ],
                )
            ),
            help_,
        )
        for one in found
    ]


def _came_back(house: House, taken: LetterOutcome, raw: bytes) -> Iterator[Trouble]:
    """Yield that a letter of ours came back: to whom it was written, why it did not arrive, and what can be
    done about it.
    """
    words = common_words()
    known = {address: player for player in house.office.players.values() for address in player.addresses}
    found = bounce(raw, known)
    if found.delayed:
        return
    letter = (
        found.id.rpartition("@")[0]
        if found.id.endswith(f"@{house.office.address.rpartition('@')[2]}")
        else ""
    )
    player = known.get(found.address)
    who = f"{player.name} <{found.address}>" if player is not None else one_line(found.address, 100)
    said = words.phrase(
        "round.bounce",
        who=one_line(who, 120),
        why=one_line(found.why, 200),
        letter=letter,
        subject=one_line(taken.message.subject, 80),
    )
    help_ = words.phrase("round.bounce-help", player=player.id) if player is not None else ""
    yield Trouble(
        taken.game, said, help_, lasts=False, about=f"bounce {found.address} {letter or taken.message.id}"
    )


def undelivered(house: House, box: Outbox) -> Iterator[Trouble]:
    """Yield which letters may have gone or not, which cannot go, and which did not get through: while nothing
    gets through to an address, in each round.
    """
    words = common_words()
    for one in box.held():
        said = words.phrase("round.doubt", letter=one.key, to=list(one.doubt))
        yield Trouble(
            "", said, words.phrase("round.again", folder=house.root, letter=one.key), about=f"doubt {one.key}"
        )
    for key in box.unread():
        said = words.phrase("round.unread", letter=key)
        yield Trouble("", said, words.phrase("round.unread-help", letter=key))

    wanted = {
        seat.addresses[0]: seat.game
        for seat in house.seats
        if seat.addresses and not house.is_over(seat.game)
    }
    told: set[str] = set()
    for envelope, unreached in box.failed():
        for to, why in envelope.failed.items():
            player = next(
                (player for player in house.office.players.values() if to in player.addresses), None
            )
            who = f"{player.name} <{to}>" if player is not None else to
            said = words.phrase(
                "round.failed", letter=envelope.key, to=one_line(who, 120), said=one_line(why, 200)
            )
            advice = words.phrase(
                "round.failed-help",
                player=player.id if player is not None else "",
                folder=house.root,
                letter=envelope.key,
            )
            silent = to in told or to not in unreached or (to not in wanted and to != house.office.umpire)
            told.add(to)
            yield Trouble(
                wanted.get(to, ""),
                said,
                advice,
                about=f"failed {envelope.key} {to}",
                once=True,
                silent=silent,
            )
