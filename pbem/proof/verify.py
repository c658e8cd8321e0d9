"""Does an archive hold? The verdict, its codes in their fixed order, and a trust line for each slot
(docs/protocol.md, section 8).

The ledger is read by ``ledger``; here are the checks over the whole archive at the end, and the words of the
output. The rules are played again by a function that the caller brings; without one the answer is "cannot
decide".
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from pbem.proof.acknowledged import Acknowledged, acknowledged
from pbem.proof.acts import Act, acts
from pbem.proof.archive import (
    FILES,
    FILES_SIG,
    SIGNERS,
    Archive,
    BadFiles,
    allowed_signers,
    content,
    go_path,
    orders_path,
    pack_namespace,
    parse_files,
    short_digest,
    sig_path,
    visible,
)
from pbem.proof.engines import Played, played
from pbem.proof.history import EndOfReading, Finding, Ledger, Rekey
from pbem.proof.inside import foreign, is_go, is_of_the_game, is_receipt, listed_by, named
from pbem.proof.ledger import read_ledger
from pbem.proof.luck import SideLuck, luck
from pbem.proof.pieces import check_signature, holds, readable
from pbem.proof.relied import Relied, relied
from pbem.proof.replaying import OPEN, Replay, game_to_replay
from pbem.proof.textmode import Over, restored
from pbem.proof.trust import TrustLine, in_sum, trust_line

PASS, FAIL, UNDECIDED = "pass", "fail", "undecided"
EXIT_CODES = {PASS: 0, FAIL: 1, UNDECIDED: 3}


class Verdict(Struct, frozen=True):
    """What verify found.

    ``failures`` are in the order of docs/protocol.md, section 8; ``undecided`` says what could not be
    checked.
    """

    verdict: str
    game: str
    head: str
    records: int
    slots: int
    signatures: int
    dice: int
    replayed: bool
    failures: tuple[Finding, ...]
    warnings: tuple[Finding, ...]
    undecided: tuple[str, ...]
    trust: tuple[TrustLine, ...]
    luck: tuple[SideLuck, ...]
    keyless: tuple[str, ...]
    """The outside seats without a key."""
    relied: tuple[Relied, ...]
    """What the GM says he relied on for whose the letters of a seat were."""
    engines: tuple[Played, ...] = ()
    """Which program played which slots, as the ledger says."""
    signed: tuple[Acknowledged, ...] = ()
    """How far each seat with a key has signed this history."""
    manifest: Mapping[str, Any] = field(default_factory=dict)
    """What the game began with; empty where that could not be read."""
    acts: tuple[Act, ...] = ()
    """What happened beside the turns."""
    unsigned: tuple[Rekey, ...] = ()
    """The rekeys of seats that the seats did not sign."""

    @property
    def sum(self) -> str:
        """Return in one line whose the dice could have been; empty where there were none."""
        return in_sum(self.trust)

    @property
    def exit_code(self) -> int:
        """Return 0 (holds, rules replayed), 1 (does not hold) or 3 (cannot decide)."""
        return EXIT_CODES[self.verdict]

    @property
    def head_digest(self) -> str:
        """Return the head as people compare it: ``8f54-7bc5-d1fe-019e``."""
        return short_digest(self.head)

    @property
    def lines(self) -> tuple[str, ...]:
        """Return what was found, line by line; what is not proven and who was lucky is told
        in ``telling``.
        """
        return tuple(visible(line) for line in _lines(self))


def _count(n: int, what: str) -> str:
    return f"{n} {what}" if n == 1 else f"{n} {what}s"


def _lines(verdict: Verdict) -> Iterator[str]:
    """Yield the verdict first, then what it is about, what speaks against it, and the slots one by one."""
    counts = (
        _count(verdict.records, "record"),
        _count(verdict.signatures, "signature"),
        f"{verdict.dice} dice",
        _count(len(verdict.warnings), "warning"),
        _count(len(verdict.failures), "failure"),
    )
    replayed = "rules replayed" if verdict.replayed else "rules not replayed"
    word = {PASS: "PASS", FAIL: "FAIL", UNDECIDED: "CANNOT DECIDE"}[verdict.verdict]
    yield f"{word}  {verdict.game or '-'}   {replayed}   {', '.join(counts)}"
    if verdict.head:
        yield f"head {verdict.head_digest}"
    if verdict.sum:
        yield verdict.sum
    for act in verdict.acts:
        yield act.said
    for finding in verdict.failures:
        yield f"{finding.code}  {finding.where}: {finding.message}"
    for finding in verdict.warnings:
        yield f"W    {finding.where}: {finding.message}"
    for reason in verdict.undecided:
        yield f"?    {reason}"
    rows = [
        (
            f" slot {line.slot}",
            line.phase,
            line.status,
            f"files {line.files[0]}/{line.files[1]}",
            f"early {','.join(line.early) or '-'}",
            f"go {','.join(line.went) or '-'}",
            f"dice {line.dice:>4}",
        )
        for line in verdict.trust
    ]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for line, row in zip(verdict.trust, rows, strict=True):
        cells = "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        yield f"{cells}  {line.foreknowledge}"
        for seat in line.unsigned:
            yield f"   {seat} has no key: only {seat} can confirm its words"


def _check_published(ledger: Ledger) -> None:
    """Every file of a slot with a result that is no longer in force has to be there (R7, E00)."""
    kept = set(() if ledger.over else ledger.kept)
    for number in sorted(ledger.slots):
        slot = ledger.slots[number]
        if slot.result is None:
            continue
        for name in sorted(slot.entries):
            path = orders_path(name, number)
            if slot.entries[name].sha512 is None or content(ledger.archive, path) is not None:
                continue
            if (name, number) in kept:
                ledger.warn(path, "a file in force is not published yet")
            else:
                ledger.fail("E00", path, "the lock names it, it is no longer in force, and it is missing")


def _check_goes(ledger: Ledger) -> None:
    """A go that nobody asked for, or that nothing came of, means nothing: it has no date (R11)."""
    asked = {go_path(name, slot.number): slot for slot in ledger.slots.values() for name in slot.asked}
    for path in sorted(filter(is_go, ledger.archive)):
        slot = asked.get(path)
        if slot is None:
            ledger.warn(path, "a go that no lock asked for")
        elif slot.undone and slot.result is None:
            ledger.warn(
                path,
                f"a go for slot {slot.number}, which was taken back before it was resolved: it has no date "
                "and means nothing",
            )


def _check_receipts(ledger: Ledger) -> None:
    """A receipt is a promise of the GM: the file it names is the one in the lock (R19, E24).

    Anybody can lay a file there, so only one that a key of the GM signed promises anything; and one that a
    key signed that was renewed later may be whoever's had the old key.
    """
    promised: dict[tuple[int, str, str], tuple[bool, str, str, str]] = {}
    for path in sorted(filter(is_receipt, ledger.archive)):
        record, key = _promise(ledger, path)
        if record is None:
            continue
        found = (record["file"] == "final", record["at"], record["sha512"], path)
        of = record["slot"], record["seat"], key
        promised[of] = max(found, promised.get(of, found))
    for (number, seat, key), (_, _, sha512, path) in sorted(promised.items()):
        slot = ledger.slots.get(number)
        entry = None if slot is None else slot.entries.get(seat)
        # A ruling or a correction uses up the slot that was open, and all that had come for it.
        if slot is None or slot.act or (entry is not None and entry.sha512 == sha512):
            continue
        if ledger.gm_key is None or key != ledger.gm_key.line:
            since = ledger.retired.get(key, 0)
            whose = f"with a key that was retired in slot {since}: whoever had that key could have made it"
            ledger.warn(path, f"promises another file than the lock has, but is signed {whose}")
        else:
            ledger.fail("E24", path, "promises another file than the lock has")


def _promise(ledger: Ledger, path: str) -> tuple[Mapping[str, Any] | None, str]:
    """Return a receipt of this game and the key of the GM that signed it; None, with a warning, where it
    promises nothing.
    """
    data, seal = content(ledger.archive, path), content(ledger.archive, sig_path(path))
    signer = next(
        (
            key
            for key in ledger.gm_keys
            if data is not None and seal is not None and holds(ledger, key, data, seal)
        ),
        None,
    )
    record = None if data is None or signer is None else readable(data, "receipt")
    if signer is None or record is None or record["game"] != ledger.game:
        ledger.warn(path, "no receipt that the GM signed for this game: it promises nothing")
        return None, ""
    ledger.signatures += 1
    return record, signer.line


def _check_files(ledger: Ledger) -> None:
    """The list of a pack: a signed digest of every file in it (E02, E08, E00); what was added later, or can
    be made again, is a warning.
    """
    data = content(ledger.archive, FILES)
    if data is None:
        if content(ledger.archive, FILES_SIG) is not None:
            ledger.fail("E00", FILES, "its signature is there and it is missing")
        return

    check_signature(
        ledger, FILES, [ledger.gm_key], pack_namespace(ledger.game), hashlib.sha512(data).digest()
    )
    try:
        listed = parse_files(data)
    except BadFiles as wrong:
        ledger.fail("E08", FILES, f"not a list of files: {wrong}")
        return

    present = set(ledger.archive)
    differing, missing = [], []
    for path in sorted(listed):
        found = content(ledger.archive, path)
        if found is None:
            missing.append(path)
        elif hashlib.sha256(found).hexdigest() != listed[path]:
            differing.append(path)

    ours = listed_by(ledger.manifest)
    proof = {path for path in (*differing, *missing) if is_of_the_game(path, ours)}
    seals = [path for path in differing if path in proof and path.endswith(".sig")]
    for path in (path for path in differing if path in proof and path not in seals):
        ledger.fail("E08", path, "not the file that FILES names")
    for path in (path for path in missing if path in proof):
        ledger.fail("E00", path, "FILES names it and it is missing")
    if seals:
        ledger.warn(
            FILES,
            f"{_files(seals)} written otherwise than FILES says; a signature holds or fails by itself: "
            f"{named(seals)}",
        )

    if derived := sorted({*differing, *missing} - proof):
        ledger.warn(
            FILES,
            f"{_files(derived)} that can be made again, other than FILES says or missing: {named(derived)}",
        )

    if added := sorted(present - listed.keys() - {FILES, FILES_SIG} - set(foreign(ledger.archive, ours))):
        ledger.warn(FILES, f"{_files(added)} that FILES does not name, added after packing: {named(added)}")


def _files(paths: Sequence[str]) -> str:
    return "1 file" if len(paths) == 1 else f"{len(paths)} files"


def _check_foreign(ledger: Ledger) -> None:
    """Say which files lie among those of the proof and are none of them: they count for nothing."""
    if paths := foreign(ledger.archive, listed_by(ledger.manifest)):
        ledger.warn(_files(paths), f"not of the game, and passed over: {named(paths)}")


def _check_signers(ledger: Ledger) -> None:
    """The keys that a check by hand trusts are those that the ledger names, or were: a line of the list for
    each (E08).
    """
    data = content(ledger.archive, SIGNERS)
    if data is None:
        return
    known = set(allowed_signers(ledger.game, ledger.signers, ledger.recoverers).encode().splitlines())
    for number, line in enumerate(
        data.replace(b"\r\n", b"\n").removesuffix(b"\n").split(b"\n") if data else (), 1
    ):
        if line not in known:
            ledger.fail(
                "E08", SIGNERS, f"line {number} is of a key that neither manifest nor joins nor rekeys name"
            )


def _replay(ledger: Ledger, replay: Replay | None) -> bool:
    """Play the slots again; tell whether all that have a result were, by who can say how
    they come out (E28).
    """
    if replay is None or any(finding.code != "E00" for finding in ledger.findings):
        return False
    game = game_to_replay(ledger)
    if len(game.files) < len(ledger.manifest["files"]):
        return False
    decided = True
    for finding in replay(game):
        if finding.code == "W":
            ledger.warn(finding.where, finding.message)
        elif finding.code == OPEN:
            decided = False
            ledger.undecided.append(finding.message)
        else:
            ledger.fail(finding.code, finding.where, finding.message, finding.detail)
    replayed = {slot.number for slot in game.slots}
    left = sorted(
        number for number, slot in ledger.slots.items() if slot.result is not None and number not in replayed
    )
    for number in left:
        said = (
            "a file in force is not published"
            if ledger.slots[number].log_holds
            else "its roll log is missing"
        )
        ledger.warn(f"slot {number}", f"{said}: the rules are not replayed")
    return decided and not left


def _check_end(ledger: Ledger, replay: Replay | None) -> bool:
    """Do the checks over the whole archive; tell whether the rules were replayed."""
    try:
        _check_published(ledger)
        _check_signers(ledger)
        _check_receipts(ledger)
        _check_files(ledger)
        _check_goes(ledger)
        _check_foreign(ledger)
        return _replay(ledger, replay)
    except EndOfReading:
        return False


def verify(archive: Archive, *, replay: Replay | None) -> Verdict:
    """Return the verdict over an archive, whatever its bytes are; ``replay`` plays the rules again (see
    ``replaying``).

    Without ``replay`` the verdict is at best ``undecided``: the dice are right, the rules were not replayed.
    So it is where everything holds but for what a copy in text mode did to the files: that accuses nobody,
    and can be put right.
    """
    found = _verdict(archive, replay)
    if found.verdict != FAIL or not (files := restored(archive)):
        return found
    said = (
        f"the line ends of {_files(sorted(files))} were changed (a copy in text mode; git autocrlf does "
        "that): pbem mend COPY -o MENDED.zip"
    )
    before = _verdict(Over(archive, files), replay)
    if before.verdict == FAIL:
        return replace(found, warnings=(*found.warnings, Finding("W", _files(sorted(files)), said)))
    return replace(before, verdict=UNDECIDED, undecided=(*before.undecided, said))


def _verdict(archive: Archive, replay: Replay | None) -> Verdict:
    """Return the verdict over an archive as its bytes are."""
    ledger = read_ledger(archive)
    replayed, before = False, len(ledger.undecided)
    if ledger.started:
        replayed = _check_end(ledger, replay)
    else:
        ledger.undecided.append("the game has not started")

    why_not = ledger.started and len(ledger.undecided) > before
    if ledger.locked is not None:
        ledger.undecided.append(f"slot {ledger.locked.number} is locked and has no result yet")
    if not (replayed or why_not):
        ledger.undecided.append("the rules were not replayed")
    if any(finding.code != "E00" for finding in ledger.findings):
        verdict = FAIL
    elif ledger.findings or ledger.undecided:
        verdict = UNDECIDED
    else:
        verdict = PASS

    slots = [ledger.slots[number] for number in sorted(ledger.slots)]
    return Verdict(
        verdict=verdict,
        game=ledger.game,
        head=ledger.head,
        records=len(ledger.records),
        slots=len(slots),
        signatures=ledger.signatures,
        dice=sum(slot.dice for slot in slots),
        replayed=replayed,
        failures=tuple(ledger.findings),
        warnings=tuple(ledger.warnings),
        undecided=tuple(ledger.undecided),
        trust=tuple(trust_line(ledger, slot) for slot in slots),
        luck=luck(ledger),
        keyless=tuple(name for name in ledger.outside if ledger.seats[name].key_line is None),
        relied=relied(ledger),
        engines=played(ledger),
        signed=acknowledged(ledger),
        manifest=ledger.manifest,
        acts=acts(ledger),
        unsigned=tuple(rekey for rekey in ledger.rekeys if rekey.unsigned),
    )
