"""Another copy of a game as a source of what is missing: a backup, or the archive that went out with a
letter.

Such a copy proves itself, so whatever of its proof this one lacks, or has in a form that does not hold, is
taken from it. Where both hold and differ there are two stories, and nothing is taken.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from pbem.proof.archive import Archive, content, gm_namespace, sig_path
from pbem.proof.canonical import record_id
from pbem.proof.history import Ledger
from pbem.proof.inside import is_proof
from pbem.proof.ledger import read_ledger
from pbem.proof.signing import is_signed
from pbem.proof.textmode import as_it_was
from pbem.proof.verify import verify as verdict_over
from pbem.referee.game.bench import TAKEN, Bench
from pbem.referee.game.game import open_archive
from pbem.referee.game.refusal import refuse
from pbem.referee.game.story import strays
from pbem.store.library import common_words


def sound(where: Path) -> Archive:
    """Return an archive whose proof holds, with everything that it needs; Refused for any other.

    Line ends are put right.
    """
    archive = as_it_was(open_archive(where)[0])
    failures = verdict_over(archive, replay=None).failures
    if failures:
        first = failures[0]
        raise refuse("mend.copy", file=str(where), why=f"{first.code} {first.where}: {first.message}")
    return archive


def take(bench: Bench, other: Archive) -> None:
    """Take from a sound copy what is missing or differs; Refused where it is of another game, or tells
    another story.
    """
    ledger = read_ledger(other)
    _same_story(bench, ledger)
    left_out = set(strays(ledger, other, None).files)
    said = common_words().phrase("mend.from-copy")
    for path in sorted(path for path in other if is_proof(path) and path not in left_out):
        theirs, mine = content(other, path), content(bench, path)
        # What the copy's ledger names by its hash, or is signed for it, is right; a receipt may be one of
        # several.
        if theirs is not None and (
            mine is None or (mine != theirs and path.partition("/")[0] not in ("receipts", "keys"))
        ):
            bench.lay(TAKEN, path, theirs, said)


def _same_story(bench: Bench, ledger: Ledger) -> None:
    """Refuse a copy of another game, and one that has another record where this one has one that is signed:
    both are the GM's word.
    """
    mine = read_ledger(bench)
    shared = any(
        content(bench, read.path) is not None and record_id(bench[read.path]) == read.id
        for read in ledger.records
    )
    if mine.game not in ("", ledger.game) or not (
        shared or not any(path.startswith("ledger/") for path in bench)
    ):
        raise refuse("mend.other-game", game=ledger.game)
    for read in ledger.records:
        data = content(bench, read.path)
        if data is not None and record_id(data) != read.id and _is_signed(bench, read.path, data, ledger):
            raise refuse("mend.two-stories", path=read.path, help="pbem verify GAME --with COPY")


def _is_signed(bench: Bench, path: str, data: bytes, ledger: Ledger) -> bool:
    signature = content(bench, sig_path(path)) or b""
    return is_signed(ledger.gm_keys, gm_namespace(ledger.game), hashlib.sha512(data).digest(), signature)
