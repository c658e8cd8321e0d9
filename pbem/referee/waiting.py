"""Which games of an office wait, for whom and until when: what a round says that had nothing to do."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from pbem.post.cover import one_line
from pbem.post.timing import span
from pbem.referee.office import House, Served
from pbem.store import umpire
from pbem.store.library import english

MOST = 10
"""Games that are told; of more it is told how many there are."""


def waits(house: House, now: datetime) -> Iterator[str]:
    """Yield a line for each game that waits, those whose time is up first, and one for letters that the umpire has not looked at."""
    words = english()
    letters = umpire.waiting(house.post / umpire.FOLDER)
    if letters:
        yield words.phrase("waits.letters", count=len(letters), folder=house.root, first=one_line(letters[-1][1], 60))
    games = [served for served in house.games.values() if not served.game.ledger.over]
    ends = {served.game.id: served.cutoff() for served in games}
    games.sort(key=lambda served: (ends[served.game.id] is None, _time(ends[served.game.id]), served.game.id))
    for served in games[:MOST]:
        yield _line(house, served, now)
    if len(games) > MOST:
        yield words.phrase("waits.more", count=len(games) - MOST)


def _time(at: datetime | None) -> float:
    return 0.0 if at is None else at.timestamp()


def _line(house: House, served: Served, now: datetime) -> str:
    """Return for whom a game waits and until when, in one line."""
    words, game = english(), served.game
    if not game.ledger.started:
        return words.phrase("waits.join", game=game.id, who=[_who(served, seat) for seat in game.not_joined])
    stand = served.stand()
    assert stand is not None
    names = [_who(served, seat) for seat in dict.fromkeys((*stand.missing, *stand.drafts))]
    since = span(max(now - stand.since, now - now), words)
    if served.settings.hold:
        return words.phrase("waits.hold", game=game.id, who=names)
    kind = "words" if game.ledger.locked is not None else "answer" if game.questions else "orders"
    if not names:
        return words.phrase("waits.dice", game=game.id, since=since)
    end = None if stand.waits_for_all else served.cutoff()
    left = span(end - now, words) if end is not None and end > now else ""
    return words.phrase(f"waits.{kind}", game=game.id, stands=served.stands(), who=names, since=since, left=left)


def _who(served: Served, seat: str) -> str:
    """Return who is waited for: his side, and his name where he has another one here."""
    player = served.players.get(seat)
    side = one_line(served.side_name(seat), 40)
    name = one_line(player.name, 40) if player is not None else side
    return f"{name} ({side})" if name != side else side
