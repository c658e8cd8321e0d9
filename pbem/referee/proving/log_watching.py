"""Watching a log that somebody else runs: cosigning it as a witness, looking at it, and asking it about the
history of one's own copy.

A witness cosigns only what continues what he cosigned before, and keeps that before he gives it away. Whoever
asks a log keeps what it showed, so that one log with two faces, or one that forgets, is noticed by everybody
who comes twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from msgspec import Struct

from pbem.proof.heads import MAX_CLAIMS, BadHead, Head, Judged, OwnHead, heads_of, judge, peek, read_head
from pbem.proof.ledger import read_ledger
from pbem.proof.merkle import Reader, consistency_proof, from_leaves, is_consistent, leaf_hash, root
from pbem.proof.note import (
    COSIGNER,
    BadNote,
    Checkpoint,
    Note,
    NoteKey,
    checkpoint_of,
    cosign,
    is_name,
    key_of,
    parse,
)
from pbem.proof.signing import BadKey, load_private, new_private, private_to_openssh
from pbem.proof.tiles import BadLog, tile_reader
from pbem.referee.game.environment import Environment
from pbem.referee.game.game import open_archive
from pbem.referee.game.refusal import NO, UNDECIDED, in_use, refuse
from pbem.referee.proving.logs import (
    Cosigned,
    State,
    cosigned,
    entries_of,
    keep_trusted,
    logbook,
    reading,
    seconds_of,
    state_of,
    trusted_key,
)
from pbem.store import disk
from pbem.store.logbook import LogNotes, cosigned_of
from pbem.store.logdir import CHECKPOINT, LogFiles, opened

MAX_NAME: Final = 100
AHEAD: Final = 3600
"""Seconds that the clock of a witness may be ahead of ours: what is later counts for nothing."""


# --- a witness


class CosignedNow(Struct, frozen=True):
    """A checkpoint that was cosigned: the note to send back, the witness's key, how large the log was when he
    last did (None: never).
    """

    note: Note
    tree: Checkpoint
    key: NoteKey
    before: int | None
    log: NoteKey
    how: str


def sign_log(env: Environment, where: str, name: str = "", given: NoteKey | None = None) -> CosignedNow:
    """Cosign the newest checkpoint of a log as a witness; ``name`` is who he is, which he says once.

    Refused where the log is not signed by its key, where its files do not make the tree that it names, and
    where that does not continue what this witness cosigned before: what the log showed is kept then, for it
    is the proof against it.
    """
    notes = _witness(env, name)
    try:
        # One by one, so that no two runs cosign what does not go together.
        disk.make_folder(notes.folder, private=True)
        with disk.exclusive(notes.folder):
            return _sign_log(env, opened(where), notes, given)
    except disk.Busy as busy:
        raise in_use(busy, notes.folder) from None


def _witness(env: Environment, name: str) -> LogNotes:
    """Return what is kept for a witness, with a new key if he is new; Refused where it is not clear who he
    is.
    """
    book = logbook(env)
    known = book.witnesses()
    if not name and len(known) != 1:
        raise refuse("witness.who", names=", ".join(known), help="--name, such as ann.example.org")
    named = name or known[0]
    if not is_name(named) or len(named) > MAX_NAME:
        raise refuse("witness.name", name=named[:100])
    notes = book.witness(named)
    if notes.read("key") is None:
        notes.write("key", private_to_openssh(new_private()))
    if not notes.lines("name"):
        notes.write("name", f"{named}\n".encode())
    return notes


def _sign_log(env: Environment, files: LogFiles, notes: LogNotes, given: NoteKey | None) -> CosignedNow:
    state = state_of(files)
    log, how = trusted_key(env, state, given)
    tree, kept = state.tree, cosigned_of(state.origin)
    before = _kept(notes, kept)
    with reading(files):
        read = tile_reader(files.get, tree.size)
        if root(tree.size, read) != tree.root:
            raise BadLog("root", CHECKPOINT)
        if before is not None and not _continues(before, tree, read):
            path = _accuse(notes, f"{kept}-{'smaller' if tree.size < before.size else 'other'}", state)
            code = "witness.rollback" if tree.size < before.size else "witness.split"
            raise refuse(
                code, file=files.name, origin=state.origin, size=tree.size, before=before.size, path=path
            )
    try:
        private = load_private(notes.read("key") or b"")
    except BadKey:
        raise refuse("keys.unreadable", answer=UNDECIDED, path=str(notes.folder / "key")) from None
    name = notes.lines("name")[0]
    signature = cosign(private, name, state.note.text, seconds_of(env.clock()))
    note = Note(
        state.note.text, tuple(one for one in state.note.signatures if one.is_of(log))
    ).with_signatures([signature])
    notes.write(kept, note.data)
    keep_trusted(logbook(env).log(state.origin), log)
    return CosignedNow(
        note, tree, key_of(private, name, COSIGNER), None if before is None else before.size, log, how
    )


def _continues(before: Checkpoint, tree: Checkpoint, read: Reader) -> bool:
    """Tell whether a tree continues an earlier one, by a proof that is made of the files of the log and holds
    without them.
    """
    if tree.size < before.size:
        return False
    proof = consistency_proof(before.size, tree.size, read)
    return is_consistent(before.size, tree.size, before.root, tree.root, proof)


def _kept(notes: LogNotes, what: str, key: NoteKey | None = None) -> Checkpoint | None:
    """Return a checkpoint that was kept; None where there is none, or it was signed by another key than the
    one that counts now.
    """
    data = notes.read(what)
    if data is None:
        return None
    try:
        note = parse(data)
        if key is not None and not any(one.is_of(key) for one in note.signatures):
            return None
        return checkpoint_of(note)
    except BadNote:
        raise refuse("witness.notes-broken", answer=UNDECIDED, path=str(notes.folder / what)) from None


def _accuse(notes: LogNotes, what: str, state: State) -> str:
    """Keep what a log showed that does not go with what it showed before, and return where."""
    notes.write(what, state.note.data)
    return str(notes.folder / what)


# --- looking at a log


class GameInLog(Struct, frozen=True):
    """What a log has of one game: how many heads, up to which record, and the numbers of records that have
    two, signed by one key.
    """

    game: str
    heads: int
    newest: int
    forks: tuple[int, ...]


class LogView(Struct, frozen=True):
    """A log to look at.

    ``others`` are entries that are not heads of games; ``names`` are those whose cosignatures were not
    checked.
    """

    tree: Checkpoint
    key: NoteKey
    how: str
    games: tuple[GameInLog, ...]
    others: int
    cosigned: tuple[Cosigned, ...]
    names: tuple[str, ...]


def show_log(
    env: Environment, where: str, given: NoteKey | None = None, witnesses: Sequence[NoteKey] = ()
) -> LogView:
    """Return what is in a log and who vouches for it; Refused (cannot decide) where its files are not what
    its checkpoint says.
    """
    state = state_of(opened(where))
    key, how = trusted_key(env, state, given)
    entries = entries_of(state)
    read = from_leaves([leaf_hash(entry) for entry in entries])
    found = [one for one in cosigned(state, witnesses, key) if _begins(one, state.tree, read)]
    known = {one.name for one in found}
    names = tuple(sorted({one.name for one in state.note.signatures if not one.is_of(key)} - known))
    heads: dict[str, list[Head]] = {}
    for head in filter(None, map(peek, entries)):
        heads.setdefault(head.game, []).append(head)
    games = tuple(
        GameInLog(game, len(of), max(head.n for head in of), _twice(of)) for game, of in sorted(heads.items())
    )
    return LogView(
        state.tree, key, how, games, len(entries) - sum(game.heads for game in games), tuple(found), names
    )


def _twice(heads: Sequence[Head]) -> tuple[int, ...]:
    """Return the numbers that two heads of one key have, both with a signature that holds."""
    seen: dict[tuple[object, int], set[str]] = {}
    for head in heads:
        seen.setdefault((head.key, head.n), set()).add(head.id)
    doubtful = {at for at, ids in seen.items() if len(ids) > 1}
    signed: dict[tuple[object, int], set[str]] = {}
    for head in [head for head in heads if (head.key, head.n) in doubtful][:MAX_CLAIMS]:
        with suppress(BadHead):
            signed.setdefault((head.key, head.n), set()).add(read_head(head.data).id)
    return tuple(sorted({n for (_, n), ids in signed.items() if len(ids) > 1}))


def _begins(one: Cosigned | Checkpoint, tree: Checkpoint, read: Reader) -> bool:
    """Tell whether a tree begins with an earlier one; ``read`` has all of it."""
    return one.size <= tree.size and root(one.size, read) == one.root


# --- asking a log about a copy of a game


class Vouched(Struct, frozen=True):
    """How far a witness vouches: up to which record of the copy, and since when at the latest; ``head`` is
    None where for none of it.
    """

    name: str
    head: OwnHead | None
    at: int
    newest: int
    """When he last cosigned the log, in whatever state; 0: he never did."""


class LogAnswer(Struct, frozen=True):
    """What a log says of a copy of a game; ``broken`` is the first thing in the copy's own ledger that does
    not hold.
    """

    game: str
    head: str
    tree: Checkpoint
    key: NoteKey
    how: str
    judged: Judged
    newest: OwnHead | None
    vouched: tuple[Vouched, ...]
    broken: str = ""
    unproved: str = ""
    """What is wrong with the log, so that it proves no inclusion; two heads that the GM
    signed are still two.
    """
    first: bool = False
    """Whether this user asks the log for the first time, so that there is nothing to hold it against."""

    @property
    def answer(self) -> int:
        """Return 1 for a fork, 3 where the log vouches for nothing of the copy or a witness that was asked
        for does not, else 0.
        """
        if self.judged.forks:
            return NO
        fine = (
            self.newest is not None
            and not self.unproved
            and not self.broken
            and all(one.head is not None for one in self.vouched)
        )
        return 0 if fine else UNDECIDED


def ask_log(
    env: Environment, game: Path, where: str, given: NoteKey | None = None, witnesses: Sequence[NoteKey] = ()
) -> LogAnswer:
    """Return what a log says of the history of a copy; Refused (cannot decide) where it says nothing that can
    be used.
    """
    ledger = read_ledger(open_archive(game)[0])
    if not ledger.gm_keys:
        raise refuse("game.none", answer=UNDECIDED, file=str(game), path=str(game))
    state = state_of(opened(where))
    key, how = trusted_key(env, state, given)
    entries = entries_of(state)
    with reading(state.files):
        judged = judge(ledger, heads_of(entries, ledger.game))
    read = from_leaves([leaf_hash(entry) for entry in entries])
    notes = logbook(env).log(state.origin)
    before = _kept(notes, "seen", key)
    unproved = ""
    if before is not None and not _begins(before, state.tree, read):
        unproved = "rollback" if before.size > state.tree.size else "split"
    with suppress(OSError):  # a folder that cannot be written to is no reason not to answer
        _accuse(notes, f"seen-{unproved}", state) if unproved else notes.write("seen", state.note.data)
        keep_trusted(notes, key)
    latest = seconds_of(env.clock()) + AHEAD
    found = [one for one in cosigned(state, witnesses, key) if one.at <= latest]
    broken = next(
        (f"{one.code} {one.where}: {one.message}" for one in ledger.findings if one.code != "E00"), ""
    )
    return LogAnswer(
        game=ledger.game,
        head=ledger.head_digest,
        tree=state.tree,
        key=key,
        how=how,
        judged=judged,
        newest=judged.newest(state.tree.size),
        vouched=tuple(_vouched(witness, found, state, read, judged) for witness in witnesses),
        broken=broken,
        unproved=unproved,
        first=before is None,
    )


def _vouched(
    witness: NoteKey, found: Sequence[Cosigned], state: State, read: Reader, judged: Judged
) -> Vouched:
    """Return up to where a witness vouches for a copy, and when he first did for that."""
    his = [one for one in found if one.name == witness.name and _begins(one, state.tree, read)]
    newest = max((one.at for one in his), default=0)
    largest = max((one.size for one in his), default=0)
    head = judged.newest(largest)
    if head is None:
        return Vouched(witness.name, None, 0, newest)
    at = min(
        one.at for one in his if (covered := judged.newest(one.size)) is not None and covered.n >= head.n
    )
    return Vouched(witness.name, head, at, newest)
