"""What every step of a round needs: the office as it stands, what was found out on the way, and how a fault
of one game is kept from the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Protocol, TypeVar

from msgspec import Struct, field, json

from pbem.post.mail.sender import SeatAt
from pbem.referee.game.environment import Environment
from pbem.referee.mail.changes import Settings
from pbem.referee.mail.line_book import LineBook
from pbem.referee.mail.office import House, Trouble, trouble_of
from pbem.referee.mail.proposal_book import ProposalBook
from pbem.referee.mail.queueing import Queue
from pbem.referee.mail.request_book import RequestBook
from pbem.referee.mail.troubles import Troubles
from pbem.store.outbox import Outbox
from pbem.store.postbag import Postbag

T = TypeVar("T")


class Step(Struct, frozen=True):
    """One thing that was done in a pass: what, in which game, for which seat, in words."""

    what: str
    game: str = ""
    seat: str = ""
    said: str = ""


class Pending(Struct, frozen=True):
    """A reminder that is due: of which game, for which seat, the how manieth from 0, and the name that it has
    for ever.
    """

    game: str
    seat: str
    number: int
    key: str


class FetchReport(Struct, frozen=True):
    """What a courier has to say: what was not fetched, in words, whether everything that had come is here
    (``whole``), how much is new.
    """

    said: tuple[str, ...] = ()
    whole: bool = True
    new: int = 0


class Courier(Protocol):
    """Who brings letters and takes them away; the office works without one, with files alone."""

    def fetch(self, bag: Postbag) -> FetchReport:
        """Keep what has come."""
        ...

    def send(self, box: Outbox, now: datetime) -> Iterator[Step]:
        """Send what is queued; yield what went and what did not."""
        ...

    def settle(self, bag: Postbag) -> Iterator[str]:
        """Mark at the mailbox what is finished here; yield what could not be done."""
        ...


class Boards(Protocol):
    """Who reads and writes the threads of an office's games; an office without forums does without."""

    def read(self, ctx: RoundContext) -> Iterator[Step]:
        """Take in what has come in time in the threads, and note which of them could not be looked at."""
        ...

    def late(self, ctx: RoundContext) -> Iterator[Step]:
        """Take in the rest, once what came in time by letter is known."""
        ...

    def post(self, ctx: RoundContext) -> Iterator[Step]:
        """Post what the threads have not been told yet."""
        ...


class RoundContext(Struct):
    """One pass over an office: what it works on, and what it has found out so far."""

    env: Environment
    house: House
    bag: Postbag
    box: Outbox
    now: datetime
    fetched: datetime
    """Until when what had arrived is known: a deadline after that is not over yet, whatever
    the clock says.
    """
    book: Troubles
    mail: Queue
    settings: Settings
    pictures: bool = True
    troubles: list[Trouble] = field(default_factory=list)
    unseen: set[str] = field(default_factory=set)
    """Games whose threads could not be looked at: what may stand there counts, so nobody is late in them."""
    unstamped: bool = False
    """Whether the authority for time stamps did not answer in this pass; it is not waited for again."""
    requests: RequestBook | None = None
    """What players have asked for by letter."""
    proposals: ProposalBook | None = None
    """What all players of a game were asked to agree on."""
    lines: LineBook | None = None
    """What entrants of tournaments say for the lots."""
    reminders: list[Pending] = field(default_factory=list)
    """What reminders were found to be due; they are sent when all games are done."""
    restless: bool = False
    """Whether something went wrong that is of no game, so that the next pass looks into all of them."""

    def known_until(self, game: str) -> datetime:
        """Return until when is known what has come in for a game."""
        return datetime.min.replace(tzinfo=self.fetched.tzinfo) if game in self.unseen else self.fetched


def guarded(ctx: RoundContext, game: str, act: Callable[[], Iterable[Step]]) -> Iterator[Step]:
    """Do something for one game or one letter; whatever goes wrong is told to the umpire and stops nothing
    else.
    """
    try:
        yield from act()
    except Exception as error:
        ctx.troubles.append(trouble_of(game, error))


def read_book(path: Path, of: type[T]) -> dict[str, T]:
    """Return what a file of the office notes under each name; nothing where none can be read."""
    try:
        return json.decode(path.read_bytes(), type=dict[str, of])  # type: ignore[valid-type]
    except (OSError, ValueError):
        return {}


def seats_of(house: House, game: str) -> list[SeatAt]:
    """Return the seats of a game of the office."""
    return [seat for seat in house.seats if seat.game == game]
