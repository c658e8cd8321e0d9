"""May this order file, or this go, be used? The reasons, in the words that the player's mail says (dice.md R4, R11, 3.3).

An invalid file is answered and never locked; it is no fault of the GM, so nothing here is a code of ``verify``. Drafts and
finals (R5) are the business of ``referee``: this says only whether a file is valid and which of the two it is.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

from pbem.core.problem import Problem
from pbem.proof.archive import go_namespace, orders_namespace
from pbem.proof.canonical import NotCanonical, decode
from pbem.proof.dice_protocol import BadWords, leads_to, normal_words
from pbem.proof.history import Ledger, Slot
from pbem.proof.orderfile import BadOrderFile, OrderFile, parse
from pbem.proof.records import check_form
from pbem.proof.rules import EARLY, Seat
from pbem.proof.signing import BadSignature, PublicKey, fingerprint, verify

SENTENCES: Mapping[str, str] = {
    "proof.header": "The header of this file is not right: {reason}{place}.",
    "proof.not-yours": "This file is for {field} {given}; here it has to be {right}.",
    "proof.wrong-head": "You answered an older report (slot {given}); the game is at slot {right}. The new report is attached.",
    "proof.no-signature": "This file is not signed. Sign it with the key you joined with ({fingerprint}).",
    "proof.other-key": "Signed by another key than the one you joined with ({fingerprint}).",
    "proof.bad-signature": "The signature does not hold for this file: {reason}.",
    "proof.chain": "This value does not belong to your chain. Is this the computer you joined from? "
    "`pbem status` shows the chain file it looks for.",
    "proof.no-chain": "You joined without a chain. Add a line `luck: any words` instead of a value.",
    "proof.words-too-short": "Please type at least 8 letters.",
    "proof.words-too-long": "Please type at most 100 letters.",
    "proof.words-letters": "These words hold characters that cannot be seen; please type others.",
    "proof.words-used": "You used these words in slot {slot}; please type others.",
    "proof.value-not-now": "No value is wanted with the orders of slot {slot}; it is asked for after they are fixed.",
    "proof.too-late": "The orders of slot {slot} are fixed already.",
    "proof.over": "The game is over; no slot is open.",
    "proof.go-early": "Slot {slot} is not locked yet; a go comes after the lock.",
    "proof.go-form": "This go cannot be read: {reason}.",
    "proof.go-lock": "This go is for another lock than that of slot {slot}.",
    "proof.no-key": "You joined without a key. Answer with a line `luck: any words` and nothing else.",
    "proof.go-unasked": "Nobody asked {seat} for a go in slot {slot}.",
}


def sentence(problem: Problem) -> str:
    """Return the sentence of a problem of this module, as the player's mail says it."""
    return SENTENCES[problem.code].format(**problem.args)


@dataclass(frozen=True, slots=True)
class FileCheck:
    """An order file that may be used (``problems`` is empty), or why not; ``words`` are its luck words in normal form."""

    file: OrderFile | None
    words: str | None
    problems: tuple[Problem, ...]

    @property
    def final(self) -> bool:
        """Tell a final file from a draft (R5); an invalid file is neither."""
        return self.file is not None and not self.problems and self.file.has_value


def check_words(typed: str, used: Mapping[str, int]) -> str | Problem:
    """Return luck words in normal form, or why they cannot be used; ``used`` are those of the seat so far."""
    try:
        words = normal_words(typed)
    except BadWords as wrong:
        return Problem(f"proof.words-{wrong.reason}")
    return Problem("proof.words-used", {"slot": used[words]}) if words in used else words


def _signature(key: PublicKey, namespace: str, digest: bytes, armored: str | None) -> Problem | None:
    if armored is None:
        return Problem("proof.no-signature", {"fingerprint": fingerprint(key)})
    try:
        verify(key, namespace, digest, armored)
    except BadSignature as wrong:
        if wrong.reason == "key":
            return Problem("proof.other-key", {"fingerprint": fingerprint(key)})
        return Problem("proof.bad-signature", {"reason": wrong.reason})
    return None


def _value(ledger: Ledger, seat: Seat, slot: int, x: str | None, luck: str | None) -> str | Problem | None:
    """Return luck words in normal form, None for a chain value or none at all, or what is wrong."""
    if luck is not None:
        return check_words(luck, ledger.used_words(seat.name))
    if x is None:
        return None
    last = ledger.last.get(seat.name)
    if last is None:
        return Problem("proof.no-chain")
    return None if leads_to(ledger.game, seat.name, slot, x, *last) else Problem("proof.chain")


def _place(ledger: Ledger, seat: Seat, file: OrderFile, open_slot: int) -> list[Problem]:
    right = {"game": ledger.game, "seat": seat.name, "slot": str(open_slot)}
    given = {"game": file.game, "seat": file.seat, "slot": str(file.slot)}
    if file.slot < open_slot or (file.slot == open_slot and file.head != ledger.next_id):
        found = [Problem("proof.wrong-head", {"given": file.slot, "right": open_slot})]
        del right["slot"]
    else:
        found = []
    return found + [
        Problem("proof.not-yours", {"field": field, "given": given[field], "right": right[field]})
        for field in right
        if given[field] != right[field]
    ]


def valid_file(ledger: Ledger, seat: str, data: bytes, armored: str | None = None) -> FileCheck:
    """Check an order file of a seat for the open slot (rule R4); all problems at once.

    ``armored`` is the text of its signature; a seat without a key, and one played by the GM, has none.
    """
    who, open_slot = ledger.seats[seat], ledger.open_slot
    try:
        file = parse(data)
    except BadOrderFile as wrong:
        place = f" (line {wrong.line})" if wrong.line else ""
        return FileCheck(None, None, (Problem("proof.header", {"reason": wrong.reason, "place": place}),))
    if open_slot is None or ledger.next is None:
        locked = ledger.locked
        closed = Problem("proof.over") if locked is None else Problem("proof.too-late", {"slot": locked.number})
        return FileCheck(file, None, (closed,))
    problems = _place(ledger, who, file, open_slot)
    words: str | None = None
    if who.key is not None:
        # As the header says: where that is another game or seat, it is said once, and not again as a bad signature.
        namespace = orders_namespace(file.game, file.slot, file.seat, file.head)
        bad = _signature(who.key, namespace, hashlib.sha512(data).digest(), armored)
        problems += [bad] if bad else []
    if file.has_value and (ledger.next["value"] != EARLY or not who.outside or ledger.profile == "gm"):
        problems.append(Problem("proof.value-not-now", {"slot": open_slot}))
    elif not problems:
        value = _value(ledger, who, open_slot, file.x, file.luck)
        if isinstance(value, Problem):
            problems.append(value)
        else:
            words = value
    return FileCheck(file, words, tuple(problems))


@dataclass(frozen=True, slots=True)
class GoCheck:
    """A go that may be used (``problems`` is empty) with its value, a chain value ``x`` or luck ``words``; or why not."""

    x: str | None
    words: str | None
    problems: tuple[Problem, ...]


def _bad_go(*problems: Problem) -> GoCheck:
    return GoCheck(None, None, problems)


def _not_locked(ledger: Ledger) -> Problem:
    return Problem("proof.over") if ledger.open_slot is None else Problem("proof.go-early", {"slot": ledger.open_slot})


def valid_go(ledger: Ledger, seat: str, data: bytes, armored: str | None) -> GoCheck:
    """Check the signed go of a seat with a key for the locked slot (rule R11); all that can be said at once."""
    who, slot = ledger.seats[seat], ledger.locked
    try:
        record = decode(data)
        reason = check_form(record)
    except NotCanonical as wrong:
        return _bad_go(Problem("proof.go-form", {"reason": str(wrong)}))
    if reason is None and record["type"] != "go":
        reason = f"a record of the type {record['type']}"
    if reason is not None:
        return _bad_go(Problem("proof.go-form", {"reason": reason}))
    if slot is None:
        return _bad_go(_not_locked(ledger))
    if seat not in slot.asked:
        return _bad_go(Problem("proof.go-unasked", {"seat": seat, "slot": slot.number}))
    if (record["game"], record["seat"], record["slot"], record["lock"]) != (
        ledger.game,
        seat,
        slot.number,
        slot.lock_id,
    ):
        return _bad_go(Problem("proof.go-lock", {"slot": slot.number}))
    if who.key is None:
        return _bad_go(Problem("proof.no-key"))
    namespace = go_namespace(ledger.game, slot.number, seat, slot.lock_id)
    bad = _signature(who.key, namespace, hashlib.sha512(data).digest(), armored)
    if bad:
        return _bad_go(bad)
    value = _value(ledger, who, slot.number, record.get("x"), record.get("luck"))
    if isinstance(value, Problem):
        return _bad_go(value)
    return GoCheck(record.get("x"), value, ())


def valid_words(ledger: Ledger, seat: str, typed: str) -> GoCheck:
    """Check the typed go of a seat without a key for the locked slot: words and nothing else."""
    slot = ledger.locked
    if slot is None:
        return _bad_go(_not_locked(ledger))
    if seat not in slot.asked:
        return _bad_go(Problem("proof.go-unasked", {"seat": seat, "slot": slot.number}))
    words = check_words(typed, ledger.used_words(seat))
    return _bad_go(words) if isinstance(words, Problem) else GoCheck(None, words, ())


def goes_missing(slot: Slot, given: Mapping[str, GoCheck]) -> tuple[str, ...]:
    """Return the seats that the lock asks and whose go is not there or cannot be used, sorted (R11: the slot waits)."""
    return tuple(name for name in slot.asked if name not in given or given[name].problems)
