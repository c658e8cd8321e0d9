"""Games of an office that sleep: in which nothing is due, nobody wrote, and nothing was written. A round
opens those that it needs, and no others.

A game falls asleep at the end of a round that had nothing to say of it, until the next moment at which
something will be due, and for an hour at most: then it is opened and read again, whatever its files look
like. What is known of it meanwhile stands in a table (``store.asleep``) that counts for nothing where the
game's folders, or the settings of the office, are not as they were.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Final

import pbem
from pbem.club.due import REMIND, due, next_due
from pbem.post.offices.office import FILE
from pbem.referee.game.environment import Environment
from pbem.referee.game.game import Game
from pbem.referee.mail import riding
from pbem.referee.mail.bot_seats import bots_due
from pbem.referee.mail.served import OfficeGame
from pbem.store import asleep
from pbem.store.asleep import Sleeper

LONGEST: Final = 3600
"""Seconds after which a game is opened at the latest; half of them at the earliest, each at its own time."""

Opens = Callable[[Path, Sleeper], OfficeGame]


class Games(MutableMapping[str, OfficeGame]):
    """The games of an office by their ids, in the order of their folders; one that sleeps is opened when
    somebody asks for it.
    """

    def __init__(self, opens: Opens) -> None:
        self._opens = opens
        self._awake: dict[str, OfficeGame] = {}
        self._folders: dict[str, Path] = {}
        self._asleep: dict[str, Sleeper] = {}

    def __getitem__(self, id_: str) -> OfficeGame:
        """Return a game; Refused where it sleeps and cannot be opened."""
        if id_ in self._asleep:
            self._awake[id_] = self._opens(self._folders[id_], self._asleep[id_])
            del self._asleep[id_]
        return self._awake[id_]

    def __setitem__(self, id_: str, served: OfficeGame) -> None:
        """Put a game in that was opened."""
        self._folders.setdefault(id_, served.game.where)
        self._awake[id_] = served
        self._asleep.pop(id_, None)

    def __delitem__(self, id_: str) -> None:
        """Take a game out."""
        del self._folders[id_]
        self._awake.pop(id_, None)
        self._asleep.pop(id_, None)

    def __contains__(self, id_: object) -> bool:
        """Tell whether there is such a game, and leave it asleep."""
        return id_ in self._folders

    def __iter__(self) -> Iterator[str]:
        """Iterate over the ids."""
        yield from self._folders

    def __len__(self) -> int:
        """Return the number of games."""
        return len(self._folders)

    def leave(self, folder: Path, sleeper: Sleeper) -> None:
        """Put a game in that goes on sleeping."""
        self._folders[sleeper.id] = folder
        self._asleep[sleeper.id] = sleeper

    def folder(self, id_: str) -> Path:
        """Return the folder of a game, and leave it asleep."""
        return self._folders[id_]

    def sleeper(self, id_: str) -> Sleeper | None:
        """Return what is known of a game that sleeps; None of one that does not."""
        return self._asleep.get(id_)


def sleeper_of(games: Mapping[str, OfficeGame], id_: str) -> Sleeper | None:
    """Return what is known of a game that sleeps; None of one that does not."""
    return games.sleeper(id_) if isinstance(games, Games) else None


def slept_in(games: Mapping[str, OfficeGame], id_: str) -> Path:
    """Return the folder of a game, and leave it asleep."""
    return games.folder(id_) if isinstance(games, Games) else games[id_].game.where


def one_of_each(games: Mapping[str, OfficeGame]) -> Iterator[Game]:
    """Yield the games that are open and, of those that sleep, one for each kind of rules and fields."""
    known: set[str] = set()
    for id_ in games:
        sleeper = sleeper_of(games, id_)
        rules = sleeper.rules if sleeper is not None else rules_of(games[id_].game)
        if rules not in known:
            known.add(rules)
            yield games[id_].game


def seats_in(served: OfficeGame) -> tuple[tuple[str, str, bool], ...]:
    """Return the seats of a game that somebody else plays, each with the id of the player, if there is one,
    and whether it has a key.
    """
    seats, players = served.game.ledger.seats, served.players
    return tuple(
        (name, players[name].id if name in players else "", seats[name].key is not None)
        for name in served.game.ledger.outside
    )


def rules_of(game: Game) -> str:
    """Return what tells the rules and the field of a game from those of another."""
    manifest = game.ledger.manifest
    plain = json.dumps([manifest["ruleset"], manifest["files"]], sort_keys=True)
    return hashlib.sha256(plain.encode()).hexdigest()[:16]


# --- the table


def key_of(env: Environment, root: Path) -> str:
    """Return under what a table holds: the settings of an office, and the program; empty where the umpire
    insists on something, for then every game is looked into.
    """
    try:
        data = (root / FILE).read_bytes()
    except OSError:
        return ""
    return "" if env.insists else hashlib.sha256(data + _program().encode()).hexdigest()


@cache
def _program() -> str:
    found = [pbem.__version__]
    place = Path(pbem.__file__).parent
    for folder, inner, names in os.walk(place):
        inner.sort()
        for name in sorted(names):
            if name.endswith((".py", ".yaml")):
                said = os.lstat(f"{folder}/{name}")
                found.append(f"{folder}/{name} {said.st_size} {said.st_mtime_ns}")
    return hashlib.sha256("\n".join(found).encode()).hexdigest()


def sleepers(post: Path, key: str, now: datetime) -> dict[str, Sleeper]:
    """Return the games that may go on sleeping as far as time goes, by the names of their folders."""
    if not key:
        return {}
    at = now.timestamp()
    return {folder: one for folder, one in asleep.read(post, key).items() if at < one.wakes <= at + LONGEST}


def sleeps_on(env: Environment, folder: Path, sleeper: Sleeper | None) -> bool:
    """Tell whether a game sleeps and nothing was written in it since."""
    return sleeper is not None and asleep.is_same(sleeper, folder, env.keyring.told_file(sleeper.id))


def falls_asleep(
    env: Environment, served: OfficeGame, now: datetime, fetched: datetime, begun: int
) -> Sleeper | None:
    """Return what is to be known of a game while it sleeps; None where it has to be looked into in the next
    round.

    ``fetched`` is until when letters are known, ``begun`` when the round began, in nanoseconds of the clock
    that files go by.
    """
    game = served.game
    wakes = _wakes(served, now, fetched)
    # nothing on this machine tells of a new post
    if game.folder is None or served.settings.place is not None or wakes <= now.timestamp():
        return None
    newest = game.folder.last("ledger", ".json") or ""
    if newest != game.ledger.records[-1].path:
        return None
    marks = asleep.marks_of(game.where, env.keyring.told_file(game.id), newest=newest, now=begun)
    if not marks:
        return None
    end = served.cutoff()
    return Sleeper(
        game.id,
        marks,
        wakes,
        served.title,
        rules_of(game),
        seats_in(served),
        game.ledger.over,
        served.is_settled(),
        None if end is None else end.timestamp(),
    )


def _wakes(served: OfficeGame, now: datetime, fetched: datetime) -> float:
    """Return when a game has to be opened next, in seconds of the epoch: when something will be due in it, or
    sooner.
    """
    if bots_due(served):
        return 0.0
    own = int(hashlib.sha256(served.game.id.encode()).hexdigest()[:8], 16) % (LONGEST // 2)
    found = [now.timestamp() + LONGEST // 2 + own]
    status, terms = served.status(), served.settings.deadlines
    if status is not None and not served.held:
        thing = due(status, terms, fetched)
        if thing is not None and thing.kind != REMIND:
            return 0.0  # it is done in each round, as long as it does not come about
        later = next_due(status, terms, fetched)
        found += [] if later is None else [later]
    if served.game.ledger.started and riding.waits(served, served.game.ledger.state_slot, now):
        assert served.open_since is not None
        found.append((served.open_since[1] + riding.LONGEST).timestamp())
    return min(found)
