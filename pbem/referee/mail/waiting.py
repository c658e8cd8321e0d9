"""Which games of an office wait, for whom and until when: what a round says that had nothing to do."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from pbem.post.offices.timing import span
from pbem.post.write.cover import one_line
from pbem.referee.mail.couriers import by_hand
from pbem.referee.mail.office import House
from pbem.referee.mail.served import OfficeGame
from pbem.referee.mail.stands import stands
from pbem.store import umpire
from pbem.store.library import common_words
from pbem.store.outbox import Outbox

MOST = 10
"""Games that are told; of more it is told how many there are."""


def waits(house: House, now: datetime) -> Iterator[str]:
    """Yield a line for each game that waits, those whose time is up first, one for letters that the umpire
    has not looked at, and one for those that he sends by hand.
    """
    words = common_words()
    letters = umpire.waiting(house.post / umpire.FOLDER)
    if letters:
        yield words.phrase(
            "waits.letters", count=len(letters), folder=house.root, first=one_line(letters[-1][1], 60)
        )
    if count := by_hand(house.office, Outbox(house.post)):
        yield words.phrase("waits.send", count=count, folder=house.root)
    games = [id_ for id_ in house.games if not house.is_over(id_)]
    ends = {id_: house.cutoff(id_) for id_ in games}
    games.sort(key=lambda id_: (ends[id_] is None, ends[id_] or 0.0, id_))
    for id_ in games[:MOST]:
        yield _line(house.games[id_], now)
    if len(games) > MOST:
        yield words.phrase("waits.more", count=len(games) - MOST)


def _line(served: OfficeGame, now: datetime) -> str:
    """Return for whom a game waits and until when, in one line."""
    words, game, here = served.game.words, served.game, stands(served)
    who = [one.who for one in here.waits]
    if not here.started:
        return words.phrase("waits.join", game=game.id, who=who)
    if here.held:
        return words.phrase("waits.hold", game=game.id, who=who)
    assert here.since is not None
    since = span(max(now - here.since, timedelta()), words)
    if not who and served.waits_for_release:
        return words.phrase("waits.release", game=game.id, since=since)
    if not who:
        return words.phrase("waits.dice", game=game.id, since=since)
    kind = "words" if here.locked else "answer" if game.questions else "orders"
    end = None if served.waits_for_ever() else served.cutoff()
    left = span(end - now, words) if end is not None and end > now else ""
    return words.phrase(f"waits.{kind}", game=game.id, stands=here.said, who=who, since=since, left=left)
