"""The requests of an office as its umpire sees them at the terminal: what waits, and his yes or no."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from msgspec import Struct

from pbem.post.write.cover import one_line
from pbem.referee.game.environment import Environment
from pbem.referee.game.refusal import refuse
from pbem.referee.mail.office import House, alone, open_house, secret_of
from pbem.referee.mail.proposal_book import OPEN as PUT
from pbem.referee.mail.proposal_book import TAKEN_BACK, Proposal, ProposalBook
from pbem.referee.mail.proposal_letters import ended, is_over, missing
from pbem.referee.mail.proposal_letters import what_of as what_of_proposal
from pbem.referee.mail.queueing import Queue
from pbem.referee.mail.request_book import OPEN, RequestBook, is_current
from pbem.referee.mail.request_deciding import decide, what_of, who_of
from pbem.referee.mail.served import parsed
from pbem.referee.mail.troubles import Troubles
from pbem.store.library import common_words
from pbem.store.outbox import Outbox


class Row(Struct, frozen=True):
    """A request: its name, its game, what it asks for, and who has to confirm it (nobody: the umpire
    decides).
    """

    id: str
    game: str
    what: str
    waits_for: tuple[str, ...] = ()

    def plain(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {"request": self.id, "game": self.game, "what": self.what, "confirms": list(self.waits_for)}


class Desk:
    """The requests of an office that is held alone."""

    def __init__(
        self, env: Environment, house: House, book: RequestBook, proposals: ProposalBook, queue: Queue
    ) -> None:
        self.env, self.house, self.book, self.queue = env, house, book, queue
        self.proposals = proposals

    def waiting(self) -> Iterator[Row]:
        """Yield what waits for somebody in games that are not over, the umpire's own first."""
        rows = []
        for asked in self.book.waiting():
            served = self.house.games.get(asked.game)
            if served is None or served.open_since is None:
                continue
            if not is_current(asked, served.move.slot, self.queue.now):
                continue
            outside = served.game.ledger.outside
            still = () if asked.state == OPEN else tuple(one for one in outside if one not in asked.by)
            if asked.state != OPEN and not asked.by:
                still = (asked.seat,)
            who = tuple(who_of(served, one) for one in still)
            rows.append(Row(asked.id, asked.game, what_of(served, asked, common_words()), who))
        for one in self.proposals.waiting():
            served = self.house.games.get(one.game)
            if served is not None and not is_over(served, one):
                who = tuple(who_of(served, seat) for seat in sorted(missing(served, one)))
                rows.append(Row(one.id, one.game, what_of_proposal(served, one, common_words()), who))
        yield from sorted(rows, key=lambda row: bool(row.waits_for))

    def decide(self, id_: str, *, yes: bool, why: str = "", minutes: int = 0) -> tuple[str, str]:
        """Say yes or no to a request, or take back what all were asked to agree on; return what came of it, a
        title and a sentence.

        Refused where it does not wait for the umpire.
        """
        proposal = self.proposals.every.get(id_.lower())
        if not yes and proposal is not None and proposal.state == PUT and proposal.game in self.house.games:
            return self._take_back(proposal, why)
        asked = self.book.every.get(id_.lower())
        if asked is None or asked.state != OPEN or asked.game not in self.house.games:
            ids = [one.id for one in self.book.waiting() if one.state == OPEN]
            raise refuse("request.unknown", id=id_[:20], ids=", ".join(ids))
        title, follows, more = decide(
            self.env,
            self.house,
            self.book,
            asked,
            common_words(),
            yes=yes,
            now=self.queue.now,
            why=why,
            minutes=minutes,
        )
        for letter in more:
            self.queue.put(letter)
        return title, follows

    def _take_back(self, one: Proposal, why: str) -> tuple[str, str]:
        """Ask for something no longer, and tell everybody."""
        served, words = self.house.games[one.game], common_words()
        for letter in ended(self.house, served, one, TAKEN_BACK, words, why=one_line(why, 1000)):
            if letter.to:
                self.queue.put(letter)
        self.proposals.note(one, state=TAKEN_BACK)
        title = words.phrase("proposal.taken-back-title", what=what_of_proposal(served, one, words))
        return title, words.phrase("proposal.told")


@contextmanager
def desk(env: Environment, root: Path) -> Iterator[Desk]:
    """Hold an office alone, and give its requests; Refused (cannot decide) while another program is at it."""
    with alone(root) as post:
        house = open_house(env, root)
        now = parsed(env.clock())
        queue = Queue(house, Outbox(post), Troubles.read(house.post), now)
        secret = secret_of(env)
        yield Desk(env, house, RequestBook(house.post, secret), ProposalBook(house.post, secret), queue)
