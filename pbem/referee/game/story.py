"""One game tells one story: a copy that is older than what was told already, or tells it otherwise, is not
gone on with unawares.

The newest head that went out is known to this computer and to the folder of the game
(``store.sent_records``). Whoever goes on from a copy that does not have it would give some players another
game than others; he has to say that he knows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from pbem.core.problem import Problem
from pbem.core.regex import regex
from pbem.proof.archive import Archive, ledger_path, short_digest
from pbem.proof.canonical import NotCanonical, decode, record_id
from pbem.proof.history import Ledger
from pbem.proof.orderfile import BadOrderFile, parse
from pbem.proof.rules import GO, outside_seats
from pbem.referee.game.environment import Environment
from pbem.referee.game.refusal import Refused
from pbem.store import aside, sent_records
from pbem.store.gamedir import GameDir
from pbem.store.library import common_words
from pbem.store.received import letters
from pbem.store.sent_records import SentRecord

MONTHS: Final = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)


def said_day(at: str) -> str:
    """Return the day of a time of the ledger as people say it: ``3 March``."""
    return f"{int(at[8:10])} {MONTHS[int(at[5:7]) - 1]}"


def newest_told(env: Environment, where: Path, game: str) -> Iterator[SentRecord]:
    """Yield the newest head that this computer knows of, and the one that the folder knows of."""
    for path in (env.keyring.told_file(game), where / sent_records.FILE):
        known = sent_records.read(path)
        if known:
            yield known[-1]


def problem_of(env: Environment, where: Path, ledger: Ledger) -> Problem | None:
    """Return why this copy must not be gone on with unawares: it lacks a head that went out, or has another
    in its place.
    """
    if not ledger.records:
        return None
    for known in newest_told(env, where, ledger.game):
        if not _has(ledger, known):
            return _problem(
                "story.older" if known.n > len(ledger.records) else "story.other", where, ledger, known
            )
    return None


def _problem(code: str, where: Path, ledger: Ledger, known: SentRecord) -> Problem:
    words = common_words()
    newest = ledger.records[-1]
    here = newest if code == "story.older" else ledger.records[known.n - 1]
    elsewhere = known.folder if known.folder and Path(known.folder) != where.resolve() else ""
    args = {
        "game": ledger.game,
        "end": _place(str(newest.record["type"]), int(newest.record.get("slot", 0))),
        "here": short_digest(here.id),
        "day": said_day(known.at),
        "what": _place(known.kind, known.slot),
        "seats": words.phrase("story.seats", seats=known.to) if known.to else "",
        "head": short_digest(known.id),
        "folder": elsewhere,
    }
    return Problem(code, args, help=words.phrase("story.ways"))


def _place(kind: str, slot: int) -> str:
    key = f"story.at-{kind}"
    return common_words().phrase(
        key if common_words().knows("phrases", key) else "story.at-result", slot=slot
    )


def gate(env: Environment, where: Path, ledger: Ledger) -> None:
    """Refuse a copy that must not be gone on with unawares, unless the umpire insists; tell of a second
    folder with the same game.
    """
    problem = problem_of(env, where, ledger)
    if problem is not None and not env.insists:
        raise Refused([problem], file=str(where))
    other = second_folder(env, where, ledger)
    if other:
        env.tell(Problem("doubt.story.twice", {"game": ledger.game, "folder": other}))


def second_folder(env: Environment, where: Path, ledger: Ledger) -> str:
    """Return another folder from which this very game was told last, and which still holds it; empty where
    there is none.
    """
    known = sent_records.read(env.keyring.told_file(ledger.game))
    folder = known[-1].folder if known else ""
    if not folder or Path(folder) == where.resolve():
        return ""
    there = GameDir(Path(folder)).read(ledger_path(1, "manifest"))
    return folder if there is not None and record_id(there) == ledger.manifest_id else ""


def keep(env: Environment, folder: GameDir, ledger: Ledger) -> None:
    """Note the newest record as told, those committed since ``ledger`` was read too; what cannot be noted is
    not: the record stands.

    Where the newest one known is not in the ledger, the game is gone on with anew from before it.
    """
    if not ledger.records:
        return
    since = [path for path in folder.committed if path.startswith("ledger/")]
    where, data = folder.root, folder.read(max([ledger.records[-1].path, *since]))
    if data is None:
        return
    try:
        record = decode(data)
        slot, at = int(record.get("slot", 0)), str(record["at"])
        now = SentRecord(
            int(record["n"]),
            record_id(data),
            str(record["type"]),
            slot,
            at,
            _to(record, ledger.manifest["seats"]),
        )
    except (NotCanonical, KeyError, ValueError, TypeError):
        return
    home, here = env.keyring.told_file(ledger.game), where / sent_records.FILE
    now = replace(now, anew=max((_anew(sent_records.read(path), ledger) for path in (home, here)), key=len))
    for path, one, private in ((home, replace(now, folder=str(where.resolve())), True), (here, now, False)):
        known = sent_records.read(path)
        if not known or (known[-1].id, known[-1].anew) != (one.id, one.anew):
            if not private and not where.is_dir():
                continue  # moved away meanwhile; a folder is not made for this
            with suppress(OSError):
                sent_records.note(path, one, private=private)


def _anew(known: tuple[SentRecord, ...], ledger: Ledger) -> tuple[int, ...]:
    """Return from which slots a game was gone on with anew, with this time where the newest one known is not
    in the ledger.
    """
    if not known or _has(ledger, known[-1]):
        return known[-1].anew if known else ()
    lost = [one.slot for one in known if one.slot and not _has(ledger, one)]
    return (*known[-1].anew, min([*lost, ledger.newest_slot + 1]))


def _has(ledger: Ledger, known: SentRecord) -> bool:
    return known.n <= len(ledger.records) and ledger.records[known.n - 1].id == known.id


def anew(env: Environment, where: Path, game: str, slot: int) -> str:
    """Return what the names of letters about a slot have where it was gone on to anew: what was told of it
    before was of another story.
    """
    times = max(
        (sum(slot >= begun for begun in known.anew) for known in newest_told(env, where, game)), default=0
    )
    return f"-anew{times}" if times else ""


def _to(record: Mapping[str, Any], seats: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    """Return the seats that a record goes out to: those that a lock asks, else all that the umpire does not
    play.
    """
    if record["type"] == "lock":
        return tuple(sorted(str(entry["seat"]) for entry in record["entries"] if entry["x"] == GO))
    return tuple(sorted(str(seat["seat"]) for seat in seats if seat["by"] == "player"))


# --- leftovers of another story

_BEYOND: Final = regex(
    r"(?:rolls|state|events|maps|reports)/s([0-9]{4,5})[.-].*|seats/[^/]+/(?:orders"
    r"|go)-s([0-9]{4,5})\.(?:txt|json)(?:\.sig)?"
)
_AHEAD: Final = regex(r"(?:receipts|mail)/s([0-9]{4,5})-.*")
_CONSENT: Final = regex(r"seats/[^/]+/consent-([0-9a-f]{16})\.json(?:\.sig)?")
_AFTER_LOCK: Final = (
    "seats/{seat}/go-s{slot:04d}.json",
    "seats/{seat}/go-s{slot:04d}.json.sig",
    "seats/{seat}/orders-s{slot:04d}.txt",
)


class Strays(Struct, frozen=True):
    """Files that do not belong to the story of a ledger, and letters that cannot be read."""

    files: tuple[str, ...]
    unreadable: tuple[str, ...]


def strays(ledger: Ledger, archive: Archive, folder: GameDir | None) -> Strays:
    """Return the files of slots beyond the end, consents to other records, orders for another head."""
    found: list[str] = []
    unreadable: list[str] = []
    newest = ledger.newest_slot
    ids = {read.id[:16] for read in ledger.records}
    for path in (*archive, *(folder.names("mail") if folder is not None else ())):
        # The signature of a file is put in its place right before the lock; letters and receipts are of the
        # open slot.
        if beyond := _BEYOND.fullmatch(path):
            foreign = int(beyond[1] or beyond[2]) > newest + (path.endswith(".txt.sig"))
        elif ahead := _AHEAD.fullmatch(path):
            foreign = int(ahead[1]) > newest + 1
        else:
            consent = _CONSENT.fullmatch(path)
            foreign = consent is not None and consent[1] not in ids
        if foreign:
            found.append(path)
    for letter in letters(folder, newest + 1) if folder is not None and ledger.open_slot is not None else ():
        head = head_of(letter.data)
        if head != ledger.next_id:
            (unreadable if head is None else found).append(letter.path)
    return Strays(tuple(sorted(set(found))), tuple(unreadable))


def head_of(data: bytes) -> str | None:
    """Return the head that an order file was written under; None where it cannot be read."""
    try:
        return parse(data).head
    except BadOrderFile:
        return None


def clear_way(env: Environment, folder: GameDir, ledger: Ledger, slot: int) -> None:
    """Set aside what lies where goes and published orders of a slot will lie that is not locked yet: it is of
    another story.
    """
    seats = outside_seats(ledger.seats)
    paths = [form.format(seat=seat, slot=slot) for seat in ledger.seats for form in _AFTER_LOCK]
    for path in (*paths, *(f"mail/s{slot:04d}-{seat}-go.txt" for seat in seats)):
        if aside.is_there(folder, path):
            env.tell(Problem("doubt.story.left", {"path": path, "aside": aside.set_aside(folder, path)}))
