"""One run over pages of a forum: what it works with, and what it tells."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime

from msgspec import Struct, field

from pbem.post.mail.sender import SeatAt
from pbem.referee.forum.forum_looking import Page, ShownPost
from pbem.referee.game.environment import Environment
from pbem.referee.mail.incoming import LetterOutcome
from pbem.referee.mail.office import House
from pbem.referee.mail.request_book import RequestBook
from pbem.referee.mail.served import OfficeGame
from pbem.store.forum_book import Book, Seen

__all__ = [
    "EDITED",
    "GONE",
    "LOCKED",
    "NOT_DONE",
    "OLDER",
    "OTHER_GAME",
    "OURS",
    "PAGE",
    "STRANGER",
    "TALK",
    "Run",
    "Step",
]

OURS, TALK, STRANGER, OTHER_GAME, OLDER, NOT_DONE = (
    "ours",
    "talk",
    "stranger",
    "other-game",
    "older",
    "not-done",
)
"""What becomes of a post beside what becomes of a letter: one of pbem's, nothing that asks for anything,
nobody's, another game's, one that stands above orders that were taken already, one that must not be carried
out."""
PAGE, EDITED, GONE, LOCKED = "page", "edited", "gone", "locked"
"""What else is told: something about a page; a post that was changed, that is there no more; a slot that was
locked.
"""


PassOn = Callable[[str, LetterOutcome], None]
"""How the umpire is told of words in a post that are for a person: by the name of the post, once."""


class Step(Struct, frozen=True):
    """One thing that was done or found: what, of which post, by whom, for which seat, why, in words, and
    where its answer lies.
    """

    what: str
    post: str = ""
    author: str = ""
    seat: str = ""
    why: tuple[str, ...] = ()
    said: str = ""
    answer: str = ""
    trouble: bool = False
    """Whether it needs the umpire."""


class Run(Struct):
    """One run over some pages."""

    env: Environment
    house: House
    game: str
    book: Book
    now: datetime
    trust_raw: bool = False
    """Whether the umpire vouches for the lines between the posts of a source, which anybody
    could have typed.
    """
    queues: bool = False
    """Whether answers wait to be posted by a program."""
    patient: bool = False
    """Whether a post that came when the time was up has to wait: what came in time by another way is not
    known yet.
    """
    pass_on: PassOn | None = None
    """How the umpire is told of words that are for a person; None: he reads the thread himself."""
    requests: RequestBook | None = None
    """What was asked for and is not decided; None where nobody writes it down."""
    mailboxes: Mapping[str, SeatAt] = field(default_factory=dict)
    """Seats of which an address is known: where what is final is asked about."""
    pages: list[Page] = field(default_factory=list)
    posts: list[ShownPost] = field(default_factory=list)
    turns: list[Seen] = field(default_factory=list)
    """The posts, on these pages and before, that tell the head of the newest turn."""
    strangers: set[tuple[str, str, str]] = field(default_factory=set)
    """Accounts that play nothing, as they are told: once each."""

    @property
    def served(self) -> OfficeGame:
        """Return the game as it stands."""
        return self.house.games[self.game]
