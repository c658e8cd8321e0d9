"""Is what a player sent and got in the ledger? His order files, goes, consents, joins and the GM's receipts,
one by one.

It says what the copy of the game in hand shows. Whether that copy holds at all is said by ``verify``; that a
letter was ever posted is said by nobody: a file that lies in the folder counts as sent.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from msgspec import Struct

from pbem.proof.archive import gm_namespace, go_path, orders_namespace
from pbem.proof.canonical import NotCanonical, decode, encode, record_id
from pbem.proof.dice_protocol import BadWords, luck_value, normal_words
from pbem.proof.history import Ledger, Slot
from pbem.proof.orderfile import BadOrderFile, OrderFile, parse
from pbem.proof.records import check_form
from pbem.proof.ruled import RULE
from pbem.proof.rules import EARLY, GO
from pbem.proof.signing import BadKey, BadSignature, PublicKey, parse_public, verify

FINE, WAITS, DOUBT, MISSING = "fine", "waits", "doubt", "missing"
"""In the ledger or lawfully replaced; not its turn yet; nothing follows from it; NOT in the ledger though it
has to be.
"""
KINDS = ("join", "go", "consent", "receipt")
MAX_LETTER = 64 * 1024
_ARMOR = b"-----BEGIN SSH SIGNATURE-----"


class Letter(Struct, frozen=True):
    """One file of the player's folder: where it lies, what it is (``orders``, or the type of its record), and
    its signature.
    """

    path: str
    kind: str
    data: bytes
    signature: str
    record: Mapping[str, Any]
    file: OrderFile | None = None


class Found(Struct, frozen=True):
    """What became of one letter: ``answer`` is one of the words above, ``said`` says it to the player."""

    path: str
    kind: str
    seat: str
    slot: int
    answer: str
    said: str


def read_letters(files: Mapping[str, bytes]) -> tuple[tuple[Letter, ...], tuple[str, ...]]:
    """Return the letters among some files, by path, and the paths of files that are none; whatever the bytes
    are.
    """
    letters: list[Letter] = []
    others: list[str] = []
    for path in sorted(files):
        letter = _letter(path, files[path], files.get(path + ".sig", b""))
        if letter is not None:
            letters.append(letter)
        elif not path.endswith(".sig"):
            others.append(path)
    return tuple(letters), tuple(others)


def _letter(path: str, data: bytes, beside: bytes) -> Letter | None:
    """Return a file as a letter; a record and its signature may stand in one file, as the program writes
    them.
    """
    if len(data) > MAX_LETTER:
        return None
    if data.startswith(b"#pd1-orders/1"):
        try:
            return Letter(path, "orders", data, beside.decode("ascii", "replace"), {}, parse(data))
        except BadOrderFile:
            return None
    body, armor, rest = data.partition(_ARMOR)
    if armor:
        body, beside = body.replace(b"\r\n", b"\n"), (armor + rest).replace(b"\r\n", b"\n")
    try:
        record = decode(body)
    except NotCanonical:
        return None
    if record.get("type") not in KINDS or check_form(record) is not None:
        return None
    return Letter(path, record["type"], body, beside.decode("ascii", "replace"), record)


def look_up(ledger: Ledger, letters: Sequence[Letter]) -> tuple[Found, ...]:
    """Return what became of each letter, in the order of slots; letters of other games come last."""
    found = [answer for letter in letters for answer in _look_up(ledger, letter, letters)]
    return tuple(
        sorted(found, key=lambda one: (one.slot == 0 and one.kind != "join", one.slot, one.seat, one.path))
    )


def plain_orders(ledger: Ledger, path: str, data: bytes, seats: Iterable[str]) -> Found | None:
    """Return which published file of some seats has the words of a file without a header, as a seat without a
    key sends it.
    """
    words = data.replace(b"\r\n", b"\n")
    for number, slot in sorted(ledger.slots.items()):
        for seat in sorted(set(seats) & set(slot.files)):
            if words.strip() and slot.files[seat].yaml == words:
                return Found(
                    path,
                    "orders",
                    seat,
                    number,
                    FINE,
                    f"used: the published file of slot {number} has these very words",
                )
    return None


def _look_up(ledger: Ledger, letter: Letter, letters: Sequence[Letter]) -> Iterator[Found]:
    game = letter.record["game"] if letter.file is None else letter.file.game
    seat = letter.record["seat"] if letter.file is None else letter.file.seat
    slot = int(letter.record.get("slot", 0)) if letter.file is None else letter.file.slot
    if game != ledger.game:
        yield Found(letter.path, letter.kind, seat, 0, DOUBT, f"of another game, {game}")
        return
    if seat not in ledger.seats:
        yield Found(
            letter.path, letter.kind, seat, slot, DOUBT, f"of the seat {seat}, which this game does not have"
        )
        return
    answer, said = DOUBT, ""
    if letter.file is not None:
        answer, said = _orders(ledger, letter, letter.file, letters)
    elif letter.kind == "join":
        answer, said = _join(ledger, letter)
    elif letter.kind == "go":
        answer, said = _go(ledger, letter.record)
    elif letter.kind == "receipt":
        answer, said = _receipt(ledger, letter, letters)
    else:
        answer, said = _consent(ledger, letter)
    yield Found(letter.path, letter.kind, seat, slot, answer, said)


def _not_locked(ledger: Ledger, number: int) -> tuple[str, str] | None:
    """Return what is to be said of a letter for a slot that has no lock in this copy, or None where it has
    one.
    """
    if number in ledger.slots:
        return None
    return WAITS, f"slot {number} is not locked in this copy of the game"


def _is_signed(ledger: Ledger, letter: Letter, file: OrderFile) -> bool:
    """Tell whether the player's own signature holds, where his seat has a key: without it the file counts for
    nothing (R4).
    """
    keys = _keys(ledger, file.seat)
    namespace = orders_namespace(file.game, file.slot, file.seat, file.head)
    return not keys or any(_holds(key, namespace, letter) for key in keys)


def _keys(ledger: Ledger, seat: str) -> tuple[PublicKey, ...]:
    """Return the keys that a seat has or had: that of the manifest, and those of later rekeys."""
    entries = [entry for entry in ledger.manifest["seats"] if entry["seat"] == seat]
    entries += [
        record.record
        for record in ledger.records
        if record.record["type"] == "rekey" and record.record["of"] == seat
    ]
    found = []
    for line in (entry["key"] for entry in entries if "key" in entry):
        with suppress(BadKey):
            found.append(parse_public(line))
    return tuple(found)


def _holds(key: PublicKey, namespace: str, letter: Letter) -> bool:
    try:
        verify(key, namespace, hashlib.sha512(letter.data).digest(), letter.signature)
    except BadSignature:
        return False
    return True


def _promised(ledger: Ledger, letters: Iterable[Letter], seat: str, slot: int) -> str | None:
    """Return the SHA-512 of the file that the GM's receipts promise for a seat and slot (R19), or None
    without one.
    """
    papers = [
        (letter.record["file"] == "final", letter.record["at"], letter.record["sha512"])
        for letter in letters
        if letter.kind == "receipt"
        and (letter.record["game"], letter.record["seat"], letter.record["slot"]) == (ledger.game, seat, slot)
        and _of_the_gm(ledger, letter)
    ]
    return max(papers)[2] if papers else None


def _of_the_gm(ledger: Ledger, letter: Letter) -> bool:
    return any(_holds(key, gm_namespace(ledger.game), letter) for key in ledger.gm_keys)


def _orders(ledger: Ledger, letter: Letter, file: OrderFile, letters: Sequence[Letter]) -> tuple[str, str]:
    unlocked = _not_locked(ledger, file.slot)
    if unlocked is not None:
        return unlocked
    slot = ledger.slots[file.slot]
    entry = slot.entries[file.seat]
    if entry.sha512 == file.sha512:
        return FINE, f"used: the lock of slot {slot.number} names this file" + (
            " (the slot was taken back later)" if slot.undone else ""
        )

    if slot.act:
        return _used_up(slot)
    if _promised(ledger, letters, file.seat, file.slot) == file.sha512:
        return (
            MISSING,
            f"NOT USED though the GM promised it: the lock of slot {slot.number} "
            f"{_has_instead(entry.sha512)}",
        )

    if not _is_signed(ledger, letter, file):
        return DOUBT, "not signed with the key of the seat, so nobody could use it"
    if file.head != slot.head:
        if any(record.id == file.head for record in ledger.records):
            return (
                DOUBT,
                f"written under an older report than the one that slot {slot.number} was locked under",
            )
        return (
            MISSING,
            f"NOT USED: it answers a report ({file.head[:16]}) that is not in this "
            "history; compare copies with --with",
        )

    return _left_out(
        slot, file, [other for other in letters if other.file is not None and other is not letter]
    )


def _used_up(slot: Slot) -> tuple[str, str]:
    """Say what became of whatever had come for a slot that a ruling or a correction took (R21, R22)."""
    what = "ruling" if slot.act == RULE else "correction"
    said = f"slot {slot.number} became a {what} before it was locked: what had come for it counts for nothing"
    return DOUBT, said


def _has_instead(sha512: str | None) -> str:
    return "has no file of this seat" if sha512 is None else f"has another file ({sha512[:16]})"


def _left_out(slot: Slot, file: OrderFile, others: Iterable[Letter]) -> tuple[str, str]:
    """Say why a valid file is not the one in the lock (R5): the first with a value counts, without values the
    last.
    """
    entry = slot.entries[file.seat]
    used = next(
        (other for other in others if other.file is not None and other.file.sha512 == entry.sha512), None
    )
    if used is not None and used.file is not None:
        if file.has_value and used.file.has_value:
            return (
                DOUBT,
                f"{used.path} was used: of two final files the one that came first counts, and only you "
                "know which it was",
            )
        if not file.has_value:
            return FINE, f"replaced by your other file {used.path}"
    if file.has_value or slot.announced["value"] != EARLY:
        what = "final" if file.has_value else "the file of this slot"
        value = _value(slot, file)
        stolen = value is not None and slot.values.get(file.seat) == value
        more = "; its value went into the dice all the same" if stolen else ""
        return (
            MISSING,
            f"NOT USED though {what}: the lock of slot {slot.number} {_has_instead(entry.sha512)}{more}",
        )
    return DOUBT, f"a draft; the lock of slot {slot.number} {_has_instead(entry.sha512)}"


def _value(slot: Slot, file: OrderFile) -> str | None:
    if file.luck is None:
        return file.x
    try:
        return luck_value(file.game, file.seat, slot.number, normal_words(file.luck))
    except BadWords:
        return None


def _join(ledger: Ledger, letter: Letter) -> tuple[str, str]:
    if not ledger.started:
        return WAITS, "the game has not started in this copy"
    listed = {(entry["seat"], entry["join"]) for entry in ledger.records[1].record["joins"]}
    if (letter.record["seat"], record_id(letter.data)) in listed:
        return FINE, "used: the start names this join"
    return MISSING, "NOT USED: the start names another join of this seat"


def _go(ledger: Ledger, record: Mapping[str, Any]) -> tuple[str, str]:
    number, seat = record["slot"], record["seat"]
    unlocked = _not_locked(ledger, number)
    if unlocked is not None:
        return unlocked
    slot = ledger.slots[number]
    if slot.act:
        return _used_up(slot)
    if record["lock"] != slot.lock_id:
        return (
            MISSING,
            f"NOT USED: it answers a lock ({record['lock'][:16]}) that is not in this history; compare "
            "copies with --with",
        )
    if slot.entries[seat].x != GO:
        return DOUBT, f"nobody asked for it: the lock of slot {number} does not"
    if slot.result is None:
        return (
            (DOUBT, f"slot {number} was taken back before its dice")
            if slot.undone
            else (WAITS, f"slot {number} has no result yet")
        )
    value = record["x"] if "x" in record else luck_value(ledger.game, seat, number, record["luck"])
    if slot.values.get(seat) == value:
        return FINE, f"used: its value is in the dice of slot {number}"
    return MISSING, f"NOT USED: slot {number} has another value of this seat ({go_path(seat, number)})"


def _receipt(ledger: Ledger, letter: Letter, letters: Sequence[Letter]) -> tuple[str, str]:
    record = letter.record
    if not _of_the_gm(ledger, letter):
        return DOUBT, "not signed by the GM, so it promises nothing"
    unlocked = _not_locked(ledger, record["slot"])
    if unlocked is not None:
        return unlocked
    entry = ledger.slots[record["slot"]].entries[record["seat"]]
    if entry.sha512 == record["sha512"]:
        return FINE, f"kept: the lock of slot {record['slot']} names this file"
    if ledger.slots[record["slot"]].act:
        return _used_up(ledger.slots[record["slot"]])
    if _promised(ledger, letters, record["seat"], record["slot"]) != record["sha512"]:
        return FINE, "replaced by a later receipt"
    return MISSING, f"BROKEN: the lock of slot {record['slot']} {_has_instead(entry.sha512)}"


def _consent(ledger: Ledger, letter: Letter) -> tuple[str, str]:
    own = record_id(encode(letter.record))
    for record in ledger.records:
        if any(consent["consent"] == own for consent in record.record.get("consents", ())):
            return FINE, f"used by {record.path}"
    ids = [record.id for record in ledger.records]
    if letter.record["head"] not in ids:
        return DOUBT, "it names a record that is not in this copy of the game"
    if letter.record["head"] == ledger.head:
        return WAITS, "nothing has been done with it yet"
    return FINE, "not used, and it can no longer be: other records have come since"
