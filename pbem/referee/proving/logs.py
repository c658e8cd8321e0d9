"""A log of heads as a use case sees it: its newest checkpoint, whose key it is signed with, and why it cannot
be used where that is so.

Whatever is wrong with a log is said of the log: no refusal here says anything about a game or its umpire.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

from msgspec import Struct

from pbem.proof.merkle import from_leaves, leaf_hash, root
from pbem.proof.note import (
    COSIGNER,
    LOG,
    BadNote,
    BadNoteKey,
    Checkpoint,
    Note,
    NoteKey,
    checkpoint_of,
    cosigned_at,
    parse,
    parse_key,
    signed_by,
    split_notes,
)
from pbem.proof.tiles import MAX_SIZE, BadLog, read_entries
from pbem.referee.game.environment import Environment
from pbem.referee.game.refusal import UNDECIDED, refuse
from pbem.referee.game.scenario import open_file
from pbem.store.fetch import Unanswered
from pbem.store.logbook import Logbook, LogNotes
from pbem.store.logdir import CHECKPOINT, COSIGNED, KEY, LogFiles

GIVEN, KNOWN, TAKEN = "given", "known", "taken"
"""How the key of a log came here: it was told with the command, it is the one from before, or only the log
itself says so.
"""


def logbook(env: Environment) -> Logbook:
    """Return what the user's own data folder holds about logs."""
    return Logbook(env.keyring.root)


def time_of(at: int) -> str:
    """Return a time in seconds since 1970 as the ledger writes times."""
    try:
        return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (ValueError, OverflowError, OSError):
        return f"second {at}"


def seconds_of(at: str) -> int:
    """Return a time of the ledger in seconds since 1970."""
    return int(datetime.strptime(at, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC).timestamp())


@contextmanager
def reading(files: LogFiles) -> Iterator[None]:
    """Say of the log whatever its files do not hold; Refused (cannot decide)."""
    try:
        yield
    except Unanswered as why:
        raise refuse("witness.unanswered", answer=UNDECIDED, file=files.name, why=str(why)) from None
    except BadLog as bad:
        raise refuse(f"witness.log-{bad.reason}", answer=UNDECIDED, file=files.name, path=bad.path) from None
    except BadNote as bad:
        raise refuse(f"witness.note-{bad.reason}", answer=UNDECIDED, file=files.name) from None


class State(Struct, frozen=True):
    """A log at one moment: its checkpoint as a signed note, and what that says."""

    files: LogFiles
    note: Note
    tree: Checkpoint

    @property
    def origin(self) -> str:
        """Return the name of the log."""
        return self.tree.origin


def state_of(files: LogFiles) -> State:
    """Return the newest checkpoint of a log, signed by whom it may be; Refused (cannot decide) where there is
    none, or it is too large.
    """
    with reading(files):
        data = files.get(CHECKPOINT)
        if data is None:
            raise refuse("witness.no-log", answer=UNDECIDED, file=files.name, path=files.name)
        note = parse(data)
        tree = checkpoint_of(note)
    if tree.size > MAX_SIZE:
        raise refuse("witness.too-large", answer=UNDECIDED, file=files.name, size=tree.size, limit=MAX_SIZE)
    return State(files, note, tree)


def read_key(named: str, *kinds: int) -> NoteKey:
    """Return the key that is given as its line, or as the file that holds it; Refused where it is none of
    these kinds.
    """
    line = named.strip()
    if "+" not in line or Path(line).is_file():
        line = open_file(Path(named)).decode("utf-8", "replace").strip()
    try:
        key = parse_key(line)
        if key.kind not in kinds:
            raise BadNoteKey("log" if key.kind == COSIGNER else "witness")
    except BadNoteKey as bad:
        raise refuse(f"witness.key-{bad.reason}", named=named[:100]) from None
    return key


def trusted_key(env: Environment, state: State, given: NoteKey | None) -> tuple[NoteKey, str]:
    """Return the key by which a log has to be signed, and how it came here; Refused where its checkpoint is
    signed by another.

    A key that is given counts; else the one that counted before; else, the first time, the one that the log
    itself shows.
    """
    notes = logbook(env).log(state.origin)
    key, how = given, GIVEN
    if key is None and (kept := notes.lines("trusted")):
        key, how = _line(kept[0]), KNOWN
    if key is None and (private := notes.read("public")) is not None:
        key, how = _line(private.decode("utf-8", "replace").strip()), KNOWN
    with reading(state.files):
        if key is None:
            shown = state.files.get(KEY)
            key, how = _line((shown or b"").decode("utf-8", "replace").strip()), TAKEN
        if key is None:
            raise refuse("witness.no-public-key", answer=UNDECIDED, file=state.files.name, path=KEY)
        try:
            signed_by(state.note, key)
        except BadNote:
            raise refuse(
                "witness.other-key",
                answer=UNDECIDED,
                file=state.files.name,
                origin=state.origin,
                key=key.line,
            ) from None
    return key, how


def _line(text: str) -> NoteKey | None:
    try:
        key = parse_key(text)
    except BadNoteKey:
        return None
    return key if key.kind == LOG else None


def keep_trusted(notes: LogNotes, key: NoteKey) -> None:
    """Remember whose key a log is signed with."""
    if notes.lines("trusted") != [key.line]:
        notes.write("trusted", f"{key.line}\n".encode())


class Cosigned(Struct, frozen=True):
    """A checkpoint of a log that a witness cosigned: who, when (seconds since 1970), how many entries it had,
    and as it was signed.
    """

    name: str
    at: int
    size: int
    root: bytes
    note: Note | None = None


def cosigned(state: State, keys: Iterable[NoteKey], log: NoteKey) -> list[Cosigned]:
    """Return every cosignature of some witnesses that a log shows, under a checkpoint that is its own.

    Whether those checkpoints are beginnings of the newest one is for the caller to see. A note that somebody
    spoilt counts for nothing.
    """
    with reading(state.files):
        data = state.files.get(COSIGNED)
    notes = [state.note]
    with suppress(BadNote):
        notes += list(split_notes(data)) if data else []
    found: dict[tuple[str, int, int, bytes], Cosigned] = {}
    for note in notes:
        for key in keys:
            try:
                signed_by(note, log)
                at, tree = cosigned_at(note, key), checkpoint_of(note)
            except BadNote:
                continue
            if at is not None and tree.origin == state.origin:
                once = (key.name, at, tree.size, tree.root)
                found.setdefault(once, Cosigned(*once, note))
    return sorted(found.values(), key=lambda one: (one.size, one.at, one.name))


def entries_of(state: State) -> list[bytes]:
    """Return every entry of a log; Refused (cannot decide) where they do not make the tree that its
    checkpoint names.
    """
    with reading(state.files):
        entries = read_entries(state.files.get, state.tree.size)
        if root_of(entries) != state.tree.root:
            raise BadLog("root", CHECKPOINT)
    return entries


def root_of(entries: Sequence[bytes]) -> bytes:
    """Return the root of the tree over some entries."""
    return root(len(entries), from_leaves([leaf_hash(entry) for entry in entries]))
