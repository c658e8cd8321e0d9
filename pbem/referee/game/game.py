"""A game as a use case sees it: its ledger as verified, its rules and field, the open slot, and the files
that came in.

Opening reads and judges; nothing here writes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from pbem.core.problem import Problem
from pbem.proof.archive import Archive, content, orders_path, state_path
from pbem.proof.engines import newest
from pbem.proof.history import Ledger, Slot
from pbem.referee.game.environment import Environment
from pbem.referee.game.opening import Reading, read_folder
from pbem.referee.game.refusal import UNDECIDED, Refused, in_use, refuse
from pbem.referee.game.replay import (
    Faults,
    Ground,
    Sheet,
    first_state,
    lay_ground,
    open_questions,
    patched_state,
    read_sheet,
    read_state,
)
from pbem.rulesets import UnknownRuleset, find
from pbem.store import disk
from pbem.store.gamedir import GameDir
from pbem.store.library import common_words, words_of, words_of_posts
from pbem.text.located import locate
from pbem.text.words import ENGLISH, Words, speaking


class Game(Struct, frozen=True, dict=True):
    """An opened game. ``folder`` is None where it is an archive in one file, which nobody writes to."""

    where: Path
    archive: Archive
    folder: GameDir | None
    ledger: Ledger
    reading: Reading | None = None
    """How its ledger was read, so that what is written from now on can be read in addition."""

    @property
    def id(self) -> str:
        """Return the name of the game."""
        return self.ledger.game

    @cached_property
    def ground(self) -> Ground:
        """Return rules and field; Refused where pbem cannot make them of the game's files."""
        manifest = self.ledger.manifest
        paths = [str(file["path"]) for file in manifest["files"]]
        files = {path: data for path in paths if (data := content(self.archive, path)) is not None}
        return ground_or_refuse(manifest["ruleset"], files, str(newest(self.ledger)))

    @property
    def words(self) -> Words:
        """Return what this game says, and how."""
        return words_of(str(self.ledger.manifest["ruleset"]["id"]))

    @property
    def words_of_posts(self) -> Words:
        """Return the same as answers to posts say it."""
        return words_of_posts(str(self.ledger.manifest["ruleset"]["id"]))

    @property
    def sides(self) -> dict[str, str]:
        """Return for which side each seat fights."""
        return {name: seat.side for name, seat in self.ledger.seats.items()}

    def seat_of(self, named: str) -> str:
        """Return the seat of that name, or the only seat of the side of that name; Refused
        if there is none.
        """
        if named in self.ledger.seats:
            return named
        of_side = [name for name, side in self.sides.items() if side == named]
        if len(of_side) != 1:
            raise refuse(
                "game.seat", help="the seats are " + ", ".join(sorted(self.ledger.seats)), seat=named
            )
        return of_side[0]

    def state_after(self, slot: int, sha256: str) -> Any:
        """Return the state after a slot (0: at the start); Refused where it is not in the archive, or none of
        this game.
        """
        path = state_path(slot)
        data = content(self.archive, path)
        if data is not None and hashlib.sha256(data).hexdigest() == sha256:
            try:
                return read_state(self.ground, data)
            except ValueError as wrong:
                raise refuse("game.bad-state", path=path, why=f"{wrong!s:.200}") from None
        if slot == 0:
            return first_state(self.ground, self.sides)
        raise refuse("game.no-state", answer=UNDECIDED, path=path, slot=slot, help=mending(self.where))

    @cached_property
    def state(self) -> Any:
        """Return the newest state."""
        return self.state_after(self.ledger.state_slot, self.ledger.state)

    def announced(self) -> Mapping[str, Any]:
        """Return what is announced for the open slot; Refused where the game is not started, is locked, or is
        over.
        """
        ledger = self.ledger
        if not ledger.started:
            raise refuse("game.not-started", answer=UNDECIDED, seats=", ".join(self.not_joined))
        if ledger.over or ledger.next is None:
            raise refuse("game.over", how="")
        if ledger.locked is not None:
            raise refuse("game.locked", answer=UNDECIDED, slot=ledger.locked.number)
        return ledger.next

    @property
    def not_joined(self) -> tuple[str, ...]:
        """Return the outside seats that have not joined yet."""
        return tuple(name for name in self.ledger.outside if f"seats/{name}/join.json" not in self.archive)

    @property
    def questions(self) -> list[Mapping[str, Any]]:
        """Return the open questions."""
        return open_questions(None if self.ledger.locked is not None else self.ledger.next)

    def sheet(self, seat: str, slot: int) -> Sheet:
        """Return a locked order file as the rules understand it; Refused where it is missing."""
        return self._sheet(seat, slot, self._played_last(self.ledger.slots[slot]))

    def _sheet(self, seat: str, slot: int, of: Slot) -> Sheet:
        path = orders_path(seat, slot)
        data = content(self.archive, path)
        if data is None:
            raise refuse("game.no-file", answer=UNDECIDED, path=path, help=mending(self.where))
        return read_sheet(self.ground, self.state_before(of), seat, slot, data)

    def state_before(self, slot: Slot) -> Any:
        """Return the state that a slot is played on: in a correction with its patch; Refused as
        ``state_after``.
        """
        patch = () if not slot.corrects else (slot.result or {}).get("patch", ())
        if not patch:
            return self.state_after(slot.state_before_slot, slot.state_before)
        path = state_path(slot.state_before_slot)
        data = content(self.archive, path)
        if data is None or hashlib.sha256(data).hexdigest() != slot.state_before:
            raise refuse(
                "game.no-state",
                answer=UNDECIDED,
                path=path,
                slot=slot.state_before_slot,
                help=mending(self.where),
            )
        try:
            return patched_state(self.ground, data, patch)
        except ValueError as wrong:
            raise refuse("game.bad-state", path=path, why=f"{wrong!s:.200}") from None

    def _played_last(self, slot: Slot) -> Slot:
        """Return the correction under which the files of a slot were read last, or the slot itself."""
        first = slot.first or slot.number
        if not slot.undone:
            return slot
        corrections = (one for one in self.ledger.slots.values() if one.first == first and not one.undone)
        return next(corrections, slot)

    def kept_sheets(self, of: str = "") -> tuple[Sheet, ...]:
        """Return the files of earlier slots that are still in force, or one seat's alone: those of others may
        not be published yet.
        """
        return tuple(self.sheet(seat, slot) for seat, slot in sorted(self.ledger.kept) if of in ("", seat))

    def sheets_of(self, slot: Slot) -> tuple[Sheet, ...]:
        """Return the files that a locked slot uses; in a correction all of that turn are read anew."""
        from pbem.proof.replaying import in_force

        first = slot.first or slot.number
        return tuple(
            self._sheet(seat, number, slot) if number >= first else self.sheet(seat, number)
            for seat, number in in_force(self.ledger, slot)
        )

    @property
    def playing_gm(self) -> bool:
        """Tell whether the one who runs the program also has a seat."""
        return len(self.ledger.outside) < len(self.ledger.seats)


_GROUNDS: Final = 16
"""Grounds that are kept: an office opens each of its games several times in a round, and many are of one
scenario.
"""
_laid: dict[tuple[object, ...], tuple[object, Ground]] = {}


def ground_or_refuse(ruleset: Mapping[str, Any], files: Mapping[str, bytes], engine: str = "") -> Ground:
    """Return rules and field of a game's files; Refused with everything that is wrong with them. ``engine``
    is what played them so far.

    The same files make the same ground, so those made last are kept. The proof does not use them: it lays
    every ground anew.
    """
    key = (repr(sorted(ruleset.items())), *sorted(files.items()))
    try:
        rules: object = find(ruleset["id"], ruleset["revision"])
    except UnknownRuleset:
        rules = None
    known = _laid.pop(key, None)
    if known is None or known[0] is not rules:
        ground = lay_ground(ruleset, files, recall=True)
        if not isinstance(ground, Ground):
            raise refuse_faults(ground, engine)
        known = rules, ground
    _laid[key] = known
    while len(_laid) > _GROUNDS:
        del _laid[next(iter(_laid))]
    return known[1]


def refuse_faults(faults: Faults, engine: str = "") -> Refused:
    """Return the refusal that says what is wrong with a game's files, and which program has played them."""
    if (unknown := faults.ruleset) is not None:
        known = ", ".join(unknown.known)
        install = f"install {engine}; " if engine else ""
        if unknown.revision is None:
            return refuse(
                "rules.unknown",
                answer=UNDECIDED,
                help=f"{install}known are {known}",
                ruleset=unknown.id,
                engine=engine,
            )
        help_ = f"{install}this pbem has {known}"
        return refuse(
            "rules.revision",
            answer=UNDECIDED,
            ruleset=unknown.id,
            revision=unknown.revision,
            engine=engine,
            help=help_,
        )
    located = [found for source, problems in faults.of for found in locate(source, problems, common_words())]
    return Refused(faults.choices, located=located)


_ADVICE: Final = {
    "cut-off": "ask for it again",
    "no-zip": "ask for it again, as a zip",
    "inside": "unpack it, and name the one inside",
    "several": "unpack it, and name the folder of one game",
    "method": "unpack it, and pack it again as a plain zip",
    "locked": "ask for it again, without a password",
}
"""What whoever has an archive that is not read can do."""


def open_archive(where: Path) -> tuple[Archive, GameDir | None]:
    """Return the archive in a folder or a zip; Refused (cannot decide) where there is none, or not one to
    read: nothing was judged.
    """
    if where.is_dir():
        folder = GameDir(where)
        return folder, folder
    from pbem.store import zips

    try:
        return zips.open_zip(where), None
    except OSError:
        raise refuse("game.missing", answer=UNDECIDED, file=str(where), path=str(where)) from None
    except zips.BadZip as bad:
        raise refuse(
            f"zip.{bad.reason}",
            answer=UNDECIDED,
            file=str(where),
            entry=bad.entry,
            help=_ADVICE.get(bad.reason, ""),
        ) from None


_LOST: Final = ("E00", "E01", "E02", "E08", "E14")
"""Codes of what an accident does to files: something is missing, damaged, or has other line ends."""


def mending(where: Path) -> str:
    """Return the command that makes again what was lost."""
    import shlex

    return f"pbem mend {shlex.quote(str(where))}" + (" -o MENDED.zip" if where.is_file() else "")


def open_game(where: Path, *, anew: bool = False) -> Game:
    """Open a game that holds together so far; Refused with the codes of verify where it does not.

    ``anew``: whatever is known of an earlier opening, everything is read and checked again.
    """
    archive, folder = open_archive(where)
    reading = None
    if folder is None:
        from pbem.proof.ledger import read_ledger

        ledger = read_ledger(archive)
        none = not any(path.startswith("ledger/") for path in archive)
    else:
        reading = read_folder(folder, anew=anew)
        ledger, archive = reading.ledger, reading.archive
        none = not ledger.records and not any(path.startswith("ledger/") for path in archive)
    if none:
        raise refuse("game.none", answer=UNDECIDED, file=str(where), path=str(where))
    _whole(where, ledger)
    return Game(where, archive, folder, ledger, reading)


def _whole(where: Path, ledger: Ledger) -> None:
    """Refuse a ledger in which anything does not hold."""
    if not ledger.findings:
        return
    problems = [
        Problem("proof.broken", {"finding": found.code, "where": found.where, "message": found.message})
        for found in ledger.findings
    ]
    only_missing = all(found.code == "E00" for found in ledger.findings)
    if any(found.code in _LOST for found in ledger.findings):
        problems[-1] = replace(problems[-1], help=mending(where))
    raise Refused(problems, answer=UNDECIDED if only_missing else 1, file=str(where))


def again(game: Game) -> Game:
    """Return the same game after something was written: what is new of its ledger is read, and the game that
    was given is used no more.
    """
    if game.reading is None:
        return open_game(game.where)
    game.reading.go_on()
    _whole(game.where, game.ledger)
    found = Game(game.where, game.reading.archive, game.folder, game.ledger, game.reading)
    if "ground" in game.__dict__:
        found.__dict__["ground"] = game.ground
    return found


def own_folder(game: Game) -> GameDir:
    """Return the folder of a game that may be written to; Refused for an archive in one file."""
    if game.folder is None:
        raise refuse("game.read-only", file=str(game.where), path=str(game.where))
    return game.folder


@contextmanager
def writing(where: Path, env: Environment | None = None, *, anew: bool = False) -> Iterator[Game]:
    """Open a game to write to it, alone; Refused (cannot decide) while another program writes.

    ``anew`` as ``open_game`` has it. With an environment the game is gone on with: Refused where what went
    out of it already is not in this copy, and what goes out now is noted. What stands in a game is for
    everybody, so English is in force.
    """
    if not where.is_dir():
        archive, _ = open_archive(where)
        del archive
        raise refuse("game.read-only", file=str(where), path=str(where))
    from pbem.referee.game import story

    try:
        with disk.exclusive(where), speaking(ENGLISH):
            game = open_game(where, anew=anew)
            if env is not None:
                story.gate(env, where, game.ledger)
            yield game
            if env is not None:
                story.keep(env, own_folder(game), game.ledger)
    except disk.Busy as busy:
        raise in_use(busy, where) from None
