"""Locks stamped with the time by somebody else (RFC 3161), and what their stamps show of a copy of a game.

A stamp lies beside the records, in ``witness/``, and is not part of the ledger: without it the game is what
it is, and a wrong one accuses nobody. What it shows is that the lock was there at a time which the GM did not
write himself.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from pbem.core.regex import regex
from pbem.proof.archive import Archive, content
from pbem.proof.beacon import beacon_round, is_known, round_time
from pbem.proof.history import Ledger
from pbem.proof.ledger import read_ledger
from pbem.referee.game.game import Game, open_archive, own_folder
from pbem.referee.game.refusal import UNDECIDED, refuse
from pbem.referee.game.scenario import open_file
from pbem.store import stamps
from pbem.store.fetch import Unanswered

FOLDER: Final = "witness/"
_STAMP: Final = regex(r"witness/([0-9]{5})\.tsr")
_MOST: Final = 2000


def stamp_path(n: int) -> str:
    """Return the name of the stamp of a record."""
    return f"{FOLDER}{n:05d}.tsr"


class Stamped(Struct, frozen=True):
    """A lock that was stamped: its slot, and where the stamp lies."""

    slot: int
    path: str


def stamp(game: Game, address: str) -> Stamped | None:
    """Have the open lock of a game stamped; None where nothing is locked, or it is stamped already.

    Refused (cannot decide) where the authority gives none, or the package for it is not installed.
    """
    folder, slot = own_folder(game), game.ledger.locked
    if slot is None:
        return None
    lock = next(read for read in game.ledger.records if read.id == slot.lock_id)
    path = stamp_path(int(lock.record["n"]))
    if path in folder:
        return None
    try:
        made = stamps.ask(address, folder[lock.path])
    except stamps.NotInstalled:
        raise refuse("witness.no-package", answer=UNDECIDED) from None
    except Unanswered as why:
        raise refuse(
            "witness.unstamped", answer=UNDECIDED, slot=slot.number, address=address, why=str(why)
        ) from None
    folder.put(path, made)
    return Stamped(slot.number, path)


class StampFound(Struct, frozen=True):
    """A stamp that lies in an archive: of which lock it is, when and by whom it was made, and in words what
    follows.

    ``holds`` tells whether it proves anything; ``why`` is empty then.
    """

    path: str
    slot: int
    at: str
    name: str
    said: str
    why: str

    @property
    def holds(self) -> bool:
        """Tell whether it proves anything."""
        return not self.why


def stamps_of(archive: Archive, ledger: Ledger, roots: Sequence[Any]) -> list[StampFound]:
    """Return what the stamps in an archive show, by record; ``stamps.NotInstalled`` where they cannot be
    looked at here.
    """
    found = []
    for path in sorted(path for path in archive if _STAMP.fullmatch(path))[:_MOST]:
        n = int(path[len(FOLDER) : -len(".tsr")])
        read = ledger.records[n - 1] if 0 < n <= len(ledger.records) else None
        data, of = content(archive, path), None if read is None else content(archive, read.path)
        if read is None or data is None or of is None or read.record["type"] != "lock":
            found.append(StampFound(path, 0, "", "", "", "it belongs to no lock of this copy"))
            continue
        slot = int(read.record["slot"])
        checked = stamps.check(data, of, list(roots))
        why = _WHY[checked.why].format(name=checked.name or "nobody that is named") if checked.why else ""
        said = (
            ""
            if why
            else (
                f"lock of slot {slot}: stamped {checked.at} by "
                f"{checked.name or 'an authority without a name'}"
            )
        )
        found.append(
            StampFound(
                path,
                slot,
                checked.at,
                checked.name,
                said + ("" if why else _then(ledger, slot, checked.at)),
                why,
            )
        )
    return found


def look(where: Path, certificates: Path | None = None) -> tuple[list[StampFound], str]:
    """Return what the stamps in a game or an archive show, and in words why they were not looked at, if they
    were not.
    """
    archive, _ = open_archive(where)
    count = sum(1 for path in archive if _STAMP.fullmatch(path))
    if not count:
        return [], ""
    try:
        believed = stamps.roots(None if certificates is None else open_file(certificates))
        return stamps_of(archive, read_ledger(archive), believed), ""
    except ValueError:
        raise refuse("witness.certificate", file=str(certificates), path=str(certificates)) from None
    except stamps.NotInstalled:
        return [], f"{count} time stamps are not looked at here: pip install 'pbem[witness]'"


_WHY: Final = {
    stamps.OTHER: "it is a time stamp of something else than this lock",
    stamps.UNTRUSTED: (
        "it is not signed by anybody who is believed on this computer (it says "
        "{name}); --tsa-cert names others"
    ),
    stamps.FORM: "it is not a time stamp",
}


def _then(ledger: Ledger, number: int, at: str) -> str:
    """Return what a time says about a lock: before what it was there, as far as that has a time."""
    slot = ledger.slots[number]
    if ledger.has_beacon and is_known(ledger.manifest["beacon"]):
        rule = ledger.manifest["beacon"]
        time = round_time(beacon_round(slot.locked_at, rule), rule)
        if time is not None:
            before = f", before its round of the beacon came out ({time})"
            return (
                before
                if at < time
                else f", only after its round of the beacon came out ({time}): it shows little"
            )
    if slot.result is None:
        return ""
    result = str(slot.result["at"])
    return (
        f", before its result ({result}, as the GM writes)"
        if at <= result
        else f", only after its result ({result}): it shows little"
    )
