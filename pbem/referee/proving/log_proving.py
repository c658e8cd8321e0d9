"""Proofs that last when a log is gone: making one for the newest head of a copy, and looking whether one
holds.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from pbem.proof.heads import BadHead, OwnHead, heads_of, judge, own_heads, read_head
from pbem.proof.ledger import read_ledger
from pbem.proof.logproof import LogProof, read_proof
from pbem.proof.merkle import from_leaves, inclusion_proof, leaf_hash, root
from pbem.proof.note import BadNote, Checkpoint, Note, NoteKey, cosigned_at
from pbem.proof.tiles import tile_reader
from pbem.referee.game.environment import Environment
from pbem.referee.game.game import open_archive
from pbem.referee.game.refusal import UNDECIDED, refuse
from pbem.referee.game.scenario import open_file
from pbem.referee.proving.logs import State, cosigned, entries_of, reading, state_of, trusted_key
from pbem.store.logdir import LogFolder, opened


class Proved(Struct, frozen=True):
    """A head that was in a log: which record of the copy, in which log, and who cosigned that when (seconds
    since 1970; None: did not).
    """

    game: str
    head: OwnHead
    index: int
    tree: Checkpoint
    key: NoteKey
    how: str
    cosigned: tuple[tuple[str, int | None], ...]

    @property
    def answer(self) -> int:
        """Return 3 where a witness that was asked for did not cosign it, else 0."""
        return 0 if all(at is not None for _, at in self.cosigned) else UNDECIDED


def prove(
    env: Environment, game: Path, where: str, given: NoteKey | None = None, witnesses: Sequence[NoteKey] = ()
) -> tuple[LogProof, OwnHead]:
    """Return the proof for the newest record of a copy that is in a log, under the first checkpoint that all
    witnesses have cosigned.

    Without witnesses the newest checkpoint serves. Refused (cannot decide) where no record of the copy is in
    such a checkpoint.
    """
    ledger = read_ledger(open_archive(game)[0])
    state = state_of(opened(where))
    key, _ = trusted_key(env, state, given)
    entries = entries_of(state)
    with reading(state.files):
        judged = judge(ledger, heads_of(entries, ledger.game))
    note, size = _note(state, witnesses, key, entries, judged.newest(state.tree.size))
    head = judged.newest(size)
    if head is None:
        raise refuse("witness.no-proof", answer=UNDECIDED, file=str(game), origin=state.origin)
    index = judged.logged[head.n]
    with reading(state.files):
        hashes = inclusion_proof(index, size, tile_reader(state.files.get, size))
    return LogProof(entries[index], index, tuple(hashes), note), head


def _note(
    state: State, witnesses: Sequence[NoteKey], key: NoteKey, entries: Sequence[bytes], newest: OwnHead | None
) -> tuple[Note, int]:
    """Return the checkpoint that a proof is made for, and its size: the smallest that all witnesses cosigned
    of those that show most.
    """
    if not witnesses or newest is None:
        return state.note, state.tree.size
    read = from_leaves([leaf_hash(entry) for entry in entries])
    his: dict[int, dict[str, Note]] = {}
    for one in cosigned(state, witnesses, key):
        if one.note is not None and one.size <= state.tree.size and root(one.size, read) == one.root:
            his.setdefault(one.size, {}).setdefault(one.name, one.note)
    whole = {size: notes for size, notes in his.items() if len(notes) == len({one.name for one in witnesses})}
    if not whole:
        return state.note, 0
    size = max(whole)
    first, *more = whole[size].values()
    for note in more:
        first = first.with_signatures(note.signatures)
    return first, size


def check_proof(
    env: Environment, game: Path, file: Path, given: NoteKey | None = None, witnesses: Sequence[NoteKey] = ()
) -> Proved:
    """Return what a proof shows of a copy; Refused (cannot decide) where it shows nothing of it."""
    ledger = read_ledger(open_archive(game)[0])
    files = LogFolder(file)  # only for its name: a proof needs no log
    with reading(files):
        proof = read_proof(open_file(file))
        if not proof.holds:
            raise BadNote("proof")
    try:
        head = read_head(proof.entry)
    except BadHead:
        raise refuse("witness.note-proof", answer=UNDECIDED, file=str(file)) from None
    own = next(
        (one for one in own_heads(ledger) if (one.n, one.id, one.key) == (head.n, head.id, head.key)), None
    )
    if head.game != ledger.game or own is None:
        raise refuse("witness.other-proof", answer=UNDECIDED, file=str(file), game=head.game, n=head.n)
    key, how = trusted_key(env, State(files, proof.note, proof.tree), given)
    with reading(files):
        found = tuple((one.name, cosigned_at(proof.note, one)) for one in witnesses)
    return Proved(ledger.game, own, proof.index, proof.tree, key, how, found)
