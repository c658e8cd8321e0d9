"""Letters on their way into the outbox: each under its cover and its key, once; those to an umpire without an
address are kept for him.

What they say and when they go is decided elsewhere.
"""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from pbem.post.mail.sender import SeatAt
from pbem.post.write.cover import message_id
from pbem.post.write.writing import BadAddress, Cover, Letter, Person, plain, write
from pbem.post.write.writing import Office as Sender
from pbem.referee.mail.office import House, Trouble
from pbem.referee.mail.troubles import Troubles
from pbem.store import umpire
from pbem.store.library import common_words
from pbem.store.outbox import Outbox

if TYPE_CHECKING:
    from pbem.referee.mail.incoming import MoreLetter

UMPIRE: Final = ""
"""In the place of an address: to the umpire, wherever he is."""


class Queue(Struct):
    """Where a pass over an office puts its letters."""

    house: House
    box: Outbox
    book: Troubles
    now: datetime

    @property
    def kept(self) -> Path:
        """Return the folder of letters to the umpire that are not sent."""
        return self.house.post / umpire.FOLDER

    def knows(self, key: str) -> bool:
        """Tell whether there ever was a letter of this name."""
        return self.box.knows(key) or umpire.knows(self.kept, key)

    def put(self, more: MoreLetter) -> None:
        """Queue a letter that came of another one, once."""
        self.letter(more.key, more.letter, more.game, more.to)

    def letter(
        self,
        key: str,
        letter: Letter,
        game: str,
        to: str = UMPIRE,
        *,
        answers: str = "",
        thread: tuple[str, ...] = (),
        reply_to: Person | None = None,
        by_hand: bool = False,
    ) -> None:
        """Queue a letter, once. ``by_hand``: it is kept for the umpire, though he has an address."""
        if self.knows(key):
            return
        office = self.house.office
        if to == UMPIRE and (by_hand or not office.umpire):
            umpire.keep(
                self.kept,
                key,
                self.now,
                letter.subject,
                plain(letter),
                reply_to.address if reply_to is not None else "",
            )
            return

        to = to or office.umpire
        served = self.house.games.get(game)
        names = [player.name for player in office.players.values() if to in player.addresses]
        cover = Cover(
            key=key,
            date=self.now,
            office=Sender(office.address, office.name),
            to=Person(to, names[0] if names else ""),
            game=game,
            title=served.title if served is not None else "",
            answers=answers or (thread[-1] if thread else ""),
            thread=thread,
            reply_to=reply_to,
        )
        try:
            posted = write(letter, cover)
        except BadAddress as bad:
            said = common_words().phrase("round.bad-address", address=str(bad))
            self.book.happened(
                Trouble(
                    game,
                    said,
                    common_words().phrase("round.bad-address-help"),
                    lasts=False,
                    about=f"address {bad}",
                )
            )
            return
        self.box.queue(key, posted.data, posted.envelope.sender, posted.envelope.recipients)

    def thread(self, game: str, seat: SeatAt, mine: str = "") -> tuple[str, ...]:
        """Return the ids of the letters to a seat that one about its game belongs to: the turn letters so
        far, but for itself.
        """
        domain = self.house.office.address.rpartition("@")[2]
        return tuple(
            message_id(key, domain) for key in self.box.keys(f"turn-{game}-", f"-{seat.seat}") if key != mine
        )
