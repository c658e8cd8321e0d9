"""Something that is known of each game of an office, kept until anything is written in the game.

What is kept has to follow from the files of a game, the settings of the office and the program, and from
nothing else. It lies on the user's shelf (``store.shelf``), of one kind for a whole office in one file, each
game under the marks by which a round knows that it sleeps (``store.asleep``); games that rest are not opened,
and one is let go before the next is opened.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, Protocol, TypeVar

from msgspec import DecodeError, Raw, Struct, ValidationError, field, json

from pbem.post.offices.office import Office
from pbem.referee.game import story
from pbem.referee.game.environment import Environment
from pbem.referee.game.game import open_game
from pbem.referee.game.refusal import Refused
from pbem.referee.mail.office import Trouble, folders, said, served_in, settings, strangers, trouble_of
from pbem.referee.mail.served import OfficeGame
from pbem.referee.mail.sleeping import key_of
from pbem.store import asleep, shelf
from pbem.store.library import common_words
from pbem.text.words import in_force

FORMAT: Final = 1


class Known(Protocol):
    """What is known of a game: at least which one it is."""

    @property
    def id(self) -> str:
        """The name of the game."""
        ...


T = TypeVar("T", bound=Known)


class _Kept(Struct, frozen=True):
    marks: str
    known: Raw


class _Table(Struct, frozen=True):
    format: int
    games: dict[str, _Kept] = field(default_factory=dict)


def each_game(
    env: Environment,
    root: Path,
    kind: str,
    form: type[T],
    make: Callable[[OfficeGame], T],
    troubles: list[Trouble],
) -> Iterator[T]:
    """Yield what is known of each game of an office, by folder; ``make`` finds it out of an opened game.

    What cannot be opened, or must not be gone on with, and seats that nobody plays are told among
    ``troubles``. Refused where the office itself cannot be used.
    """
    office = settings(root)
    key = _key(env, root, kind)
    before = _read(key)
    after: dict[str, _Kept] = {}
    seen: dict[str, str] = {}
    for folder in folders(root):
        name = folder.name
        known, marks = _found(env, folder, form, before.get(name)), ""
        if known is None:
            opened = _opened(env, office, folder, troubles)
            if opened is None:
                continue
            served, newest, begun = opened
            try:
                known = make(served)
            except Exception as error:
                troubles.append(trouble_of(name, error))
                continue
            nobody = () if served.game.ledger.over else tuple(strangers(office, served))
            troubles += [Trouble(name, one) for one in nobody]
            if newest and not nobody:
                told = env.keyring.told_file(known.id)
                marks = asleep.marks_of(folder, told, newest=newest, now=begun)
            if marks:
                after[name] = _Kept(marks, Raw(json.encode(known)))
        else:
            after[name] = before[name]
        if known.id in seen:
            twice = common_words().phrase("round.twice", game=known.id, folder=seen[known.id])
            troubles.append(Trouble(name, twice))
            continue
        seen[known.id] = name
        yield known
    if after != before:
        _write(key, after)


def _found(env: Environment, folder: Path, form: type[T], kept: _Kept | None) -> T | None:
    """Return what was kept of a game, where nothing was written in it since."""
    if kept is None:
        return None
    try:
        known = json.decode(kept.known, type=form)
    except (DecodeError, ValidationError):
        return None
    told = env.keyring.told_file(known.id)
    return known if asleep.marks_of(folder, told, newest=kept.marks.partition(" ")[2]) == kept.marks else None


def _opened(
    env: Environment, office: Office, folder: Path, troubles: list[Trouble]
) -> tuple[OfficeGame, str, int] | None:
    """Return a game, its newest record, and since when it was looked at; None where it cannot be opened,
    which is told.
    """
    begun = time.time_ns()
    try:
        game = open_game(folder)
        served = served_in(office, game, folder)
        problem = None if env.insists else story.problem_of(env, folder, game.ledger)
    except Exception as error:
        # Whatever it is: the other games are looked at, and the umpire is told.
        troubles.append(trouble_of(folder.name, error))
        return None
    newest = ""
    if problem is not None:
        troubles.append(Trouble(folder.name, said(Refused([problem]))))
    elif game.folder is not None and game.folder.last("ledger", ".json") == game.ledger.records[-1].path:
        newest = game.ledger.records[-1].path
    return served, newest, begun


# --- the shelf


def _key(env: Environment, root: Path, kind: str) -> str:
    """Return under what a table lies: the office, its settings, the program, the language of what it says;
    empty where nothing is kept.
    """
    settings_ = key_of(env, root)
    found = f"{kind}\0{FORMAT}\0{root.resolve()}\0{env.keyring.root}\0{settings_}\0{in_force()}"
    return hashlib.sha256(found.encode("utf-8", "surrogateescape")).hexdigest() if settings_ else ""


def _read(key: str) -> dict[str, _Kept]:
    own = shelf.own(shelf.READ)
    data = own.get(key) if own is not None and key else None
    if data is None:
        return {}
    try:
        return json.decode(data, type=_Table).games
    except (DecodeError, ValidationError):
        return {}


def _write(key: str, games: dict[str, _Kept]) -> None:
    own = shelf.own(shelf.READ)
    if own is not None and key:
        own.put(key, json.encode(_Table(FORMAT, games)))
