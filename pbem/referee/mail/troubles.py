"""What the umpire has to be told, and what of it he knows: a small book, so that nothing is told twice and
nothing lost.

A trouble lasts (an address that takes no letters) or has happened (a letter from a stranger). What has
happened is written down before the letter that told of it is put away; what lasts is found anew in each
round. The umpire gets one letter with what is new; what goes on lasting is told again once a week. Of mild
things, such as letters of strangers, there is one letter a day at most.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

from msgspec import Struct, field, to_builtins

from pbem.referee.mail.office import Trouble
from pbem.store import disk
from pbem.text.codec import from_json

BOOK: Final = "troubles.json"
AGAIN: Final = timedelta(days=7)
"""After so long what still lasts is told again."""
_FORGOTTEN: Final = timedelta(days=30)
"""So long it is known that something has happened, so that the same is not told again."""
_MILD: Final = timedelta(days=1)
_MOST: Final = 500
"""Events that wait to be told; a flood of letters fills no disk."""


def id_of(trouble: Trouble) -> str:
    """Return what makes a trouble the same as another."""
    said = f"{trouble.where}\n{trouble.about or trouble.said}"
    return (
        f"{'lasts' if trouble.lasts else 'was'} "
        f"{hashlib.sha256(said.encode('utf-8', 'replace')).hexdigest()[:24]}"
    )


class Letter(Struct, frozen=True):
    """What goes to the umpire in one letter, under which name: what is new to him, and what he knows and
    still is so.
    """

    key: str
    new: tuple[Trouble, ...]
    still: tuple[Trouble, ...]


class Troubles(Struct):
    """The book in a folder such as ``DIR/post``; the caller holds the office alone."""

    folder: Path
    told: dict[str, str] = field(default_factory=dict)
    """What the umpire knows, each with when he was told."""
    events: dict[str, dict[str, Any]] = field(default_factory=dict)
    """What has happened and waits to be told."""
    mild: str = ""
    """When he was told of mild things last."""

    @classmethod
    def read(cls, folder: Path) -> Troubles:
        """Return the book of a folder; an empty one where it has none that can be read."""
        try:
            said = from_json((folder / BOOK).read_text("utf-8"))
            told = {
                str(id_): str(at)
                for id_, at in said["told"].items()
                if datetime.fromisoformat(str(at)).tzinfo
            }
            events = {str(id_): to_builtins(Trouble(**event)) for id_, event in said["events"].items()}
            return cls(folder, told, events, str(said["mild"]))
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return cls(folder)

    def happened(self, trouble: Trouble) -> None:
        """Write down what has happened, once."""
        id_ = id_of(trouble)
        if id_ not in self.told and id_ not in self.events and len(self.events) < _MOST:
            self.events[id_] = to_builtins(trouble)
            self._write()

    def letter(self, lasting: Iterable[Trouble], now: datetime) -> Letter | None:
        """Return what is to go to the umpire now, if anything is; it counts as told when
        ``went`` is called.
        """
        here = {id_of(trouble): trouble for trouble in lasting}
        fresh = {id_: trouble for id_, trouble in here.items() if not self._knows(id_, trouble, now)}
        events = {id_: Trouble(**event) for id_, event in self.events.items()}
        pressing = fresh or any(not trouble.mild for trouble in events.values())
        if not pressing and (not events or not self._is_past(self.mild, now, _MILD)):
            return None
        new = {**fresh, **events}
        digest = hashlib.sha256("\n".join(sorted(new)).encode()).hexdigest()[:16]
        still = tuple(trouble for id_, trouble in here.items() if id_ not in fresh and not trouble.silent)
        return Letter(f"trouble-{now:%Y-%m-%d}-{digest}", tuple(new.values()), still)

    def went(self, letter: Letter | None, lasting: Iterable[Trouble], now: datetime) -> None:
        """Note that a letter went, and forget what is over."""
        before = (dict(self.told), dict(self.events), self.mild)
        here = {id_of(trouble) for trouble in lasting}
        for id_, at in list(self.told.items()):
            if id_ not in here and (id_.startswith("lasts ") or self._is_past(at, now, _FORGOTTEN)):
                del self.told[id_]
        for trouble in letter.new if letter is not None else ():
            self.told[id_of(trouble)] = now.isoformat()
            if trouble.mild:
                self.mild = now.isoformat()
            self.events.pop(id_of(trouble), None)
        if before != (self.told, self.events, self.mild):
            self._write()

    def _knows(self, id_: str, trouble: Trouble, now: datetime) -> bool:
        return id_ in self.told and (trouble.once or not self._is_past(self.told[id_], now, AGAIN))

    @staticmethod
    def _is_past(at: str, now: datetime, long: timedelta) -> bool:
        return not at or now - datetime.fromisoformat(at) >= long

    def _write(self) -> None:
        said = {"told": self.told, "events": self.events, "mild": self.mild}
        disk.replace(
            self.folder / BOOK, json.dumps(said, sort_keys=True, indent=1).encode() + b"\n", private=True
        )


def distinct(troubles: Sequence[Trouble]) -> tuple[Trouble, ...]:
    """Return some troubles, each once."""
    return tuple({id_of(trouble): trouble for trouble in troubles}.values())
