"""Archives and orders that players hold: what went to them with their letters, as their mail programs keep
them.

Nothing in a letter is believed but what proves itself: each archive is judged as any other, whoever the
letter says it is from. Of those that hold, of one game, the one that knows most counts.
"""

from __future__ import annotations

import email
from collections.abc import Iterator
from email import policy
from email.message import Message
from pathlib import Path
from typing import Final

from pbem.proof.archive import Archive
from pbem.proof.canonical import record_id
from pbem.proof.ledger import read_ledger
from pbem.proof.textmode import as_it_was
from pbem.proof.verify import verify as verdict_over
from pbem.referee.game.bench import unix
from pbem.referee.game.refusal import refuse
from pbem.referee.proving import held_orders
from pbem.referee.proving.held_orders import LONGEST, HeldOrders
from pbem.store import spool
from pbem.store.zips import BadZip, ZipArchive

MOST_LETTERS: Final = 2_000
"""Letters that are looked through, the first ones of a file or a folder."""
MOST_PARTS: Final = 200
"""Parts of a letter that are looked at."""
_BEGINS: Final = b"PK\x03\x04"
_KEPT: Final = (held_orders.BEGINS, b"{", b"-----BEGIN SSH SIGNATURE-----")
"""How an order file, a receipt and a signature begin."""
_UNREADABLE: Final = (RecursionError, ValueError, LookupError, TypeError, AttributeError)
"""What Python's mail library raises over what is no letter."""


def are_letters(where: Path) -> bool:
    """Tell whether a path leads to letters rather than to a copy of a game."""
    if where.is_dir():
        return not (where / "ledger").is_dir()
    try:
        with where.open("rb") as file:
            return file.read(4)[:2] != _BEGINS[:2]
    except OSError:
        return False


def newest_in(where: Path, game: str, *, needed: bool) -> Archive | None:
    """Return the archive that knows most of a game among those that came with letters, in a file, a mailbox
    or a folder; of any game where none is named.

    Where there is none that holds: None, or Refused if one is ``needed``.
    """
    found: list[tuple[int, str, Archive]] = []
    wrong = ""
    for data in _zips(where):
        try:
            archive = as_it_was(ZipArchive(data))
        except BadZip:
            continue
        failures = verdict_over(archive, replay=None).failures
        ledger = read_ledger(archive)
        if failures:
            wrong = f"{failures[0].code} {failures[0].where}: {failures[0].message}"
        elif game in ("", ledger.game) and ledger.records:
            found.append((len(ledger.records), record_id(archive[ledger.records[-1].path]), archive))
    if not found and not needed and not wrong:
        return None
    if not found:
        raise refuse("mend.no-letters", file=str(where), path=str(where), game=game, why=wrong)
    most = max(count for count, _, _ in found)
    heads = {head: archive for count, head, archive in found if count == most}
    if len(heads) > 1:
        raise refuse("mend.letters-differ", file=str(where), path=str(where))
    return next(iter(heads.values()))


def orders_in(where: Path) -> list[HeldOrders]:
    """Return what may be order files and receipts in the letters of a file, a mailbox or a folder."""
    found = []
    for message in _messages(where):
        parts = [part for part in _in_letter(message) if len(part) <= LONGEST and part.startswith(_KEPT)]
        if parts:
            found.append(HeldOrders((*parts, *(unix(part) for part in parts if b"\r\n" in part))))
    return found


def _zips(where: Path) -> Iterator[bytes]:
    """Yield the zips that came with letters."""
    for message in _messages(where):
        yield from (part for part in _in_letter(message) if part.startswith(_BEGINS))


def _messages(where: Path) -> Iterator[Message]:
    """Yield the letters that can be read."""
    for number, raw in enumerate(spool.letters(where)):
        if number >= MOST_LETTERS:
            return
        if raw.fault or not raw.data:
            continue
        try:
            yield email.message_from_bytes(raw.data, policy=policy.compat32)
        except _UNREADABLE:
            continue  # whatever it is, it is no letter of ours


def _in_letter(message: Message) -> Iterator[bytes]:
    """Yield the parts of a letter, unpacked; of one that cannot be read what was read of it."""
    try:
        for number, part in enumerate(message.walk()):
            if number >= MOST_PARTS:
                return
            if part.is_multipart():
                continue
            data = part.get_payload(decode=True)
            if isinstance(data, bytes):
                yield data
    except _UNREADABLE:
        return
