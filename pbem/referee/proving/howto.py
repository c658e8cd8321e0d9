"""HOWTO.txt of an archive: how to check this very game by hand, with sha256sum, ssh-keygen and openssl
(docs/protocol.md, section 8).

Decides which slot, seat and die are walked, and the words around the commands. What holds is decided in
``proof``. A line that begins with ``$`` is a command for a shell in the unpacked archive, a line that begins
with ``=`` what it has to print.
"""

from __future__ import annotations

import base64
import hashlib
import shlex
from collections.abc import Iterator, Sequence

from pbem.proof.archive import (
    Archive,
    content,
    gm_namespace,
    join_namespace,
    join_path,
    orders_namespace,
    orders_path,
    pack_namespace,
    rolls_path,
    sig_path,
)
from pbem.proof.dice_protocol import NOTHING, beacon_text, draw
from pbem.proof.history import Ledger, LedgerRecord, Slot
from pbem.proof.known import CHAINS
from pbem.proof.records import value_in
from pbem.proof.rules import EARLY, NONE
from pbem.proof.signing import BadSignature, signer_of
from pbem.proof.trees import leaf, node, whole_path

_MANIFEST = "ledger/00001-manifest.json"
_SIGNERS = "../signers"
"""Whose key is whose, as the reader takes it from the manifest himself: anybody could have written
keys/allowed_signers.
"""

_START = """How to check this game without the program that wrote it

This file came with the archive, and so did the verifiers beside it: whoever made the archive could have written them. So take
pd1_verify.py (for Python 3.9 or later) or pd1_verify.html (for a browser; nothing is sent anywhere) from a release of pbem, or compare
the SHA-256 of these with docs/digests.md there, and read a command before you type it. docs/by-hand-verify.md of pbem has the same
steps, and those for PowerShell.

By hand: unpack the archive into a new folder, open a shell in it (on a Mac type sh first), and follow the steps below. A line after
"$" is a command; what it has to print stands after "=", to the letter. You need sha256sum, sha512sum, ssh-keygen and openssl. Where
the first two are not there, as on a Mac, type these before:
sha256sum() { shasum -a 256 "$@"; }; sha512sum() { shasum -a 512 "$@"; }
On Windows all of them are in Git Bash and in WSL. None of this plays the rules again: it shows that values belong to names. That
these were the right names, only the rules can say: pbem verify plays them again.
"""
_NO_DICE = "No dice have been rolled in this game yet. When some have, this file walks one of them.\n"


def _printf(lines: Sequence[str]) -> str:
    """Return a command that prints lines as they are, whatever stands in them."""
    return "printf '%s\\n' " + " ".join(shlex.quote(line) for line in lines)


def _hmac(lines: Sequence[str], key: bytes) -> str:
    return f"{_printf(lines)} | openssl dgst -sha256 -mac HMAC -macopt hexkey:{key.hex()} | sed 's/.* //'"


def _keys(ledger: Ledger) -> Iterator[tuple[str, str]]:
    """Yield whose key is whose, in the order in which the commands find them: the manifest's, then those that
    came later.
    """
    yield "gm", ledger.manifest["key"]
    yield from ((seat["seat"], seat["key"]) for seat in ledger.manifest["seats"] if "key" in seat)
    yield from (
        (read.record["of"], read.record["key"])
        for read in ledger.records
        if read.record["type"] == "rekey" and "key" in read.record
    )


def _fingerprint(line: str) -> str:
    """Return what ``ssh-keygen -l`` calls a key."""
    return "SHA256:" + base64.b64encode(
        hashlib.sha256(base64.b64decode(line.split()[1])).digest()
    ).decode().rstrip("=")


def _signer(archive: Archive, path: str) -> str | None:
    """Return the key that a file says it is signed with, as a line; None where it has no signature."""
    try:
        return signer_of((content(archive, sig_path(path)) or b"").decode("ascii")).line
    except (BadSignature, UnicodeDecodeError):
        return None


def _signed(ledger: Ledger, who: str, namespace: str, path: str, key: str | None) -> Iterator[str]:
    """Yield the command that checks a signature; nothing where it is missing, or was made with a key that is
    not his.
    """
    if key is not None and (who, key) in _keys(ledger):
        identity, quoted = f"{who}@{ledger.game}", shlex.quote(path)
        yield (
            f"$ ssh-keygen -Y verify -f {_SIGNERS} -I {identity} -n {namespace} -s "
            f"{shlex.quote(sig_path(path))} < {quoted}"
        )
        yield f'= Good "{namespace}" signature for {identity} with ED25519 key {_fingerprint(key)}'


def _record_of(ledger: Ledger, kind: str, slot: int) -> LedgerRecord:
    return next(one for one in ledger.records if one.record["type"] == kind and one.record["slot"] == slot)


def _published(ledger: Ledger, archive: Archive, slot: Slot) -> list[str]:
    """Return the seats whose signed orders of a slot are in the archive."""
    keyed = (
        name
        for name in ledger.outside
        if ledger.seats[name].key is not None and slot.entries[name].sha512 is not None
    )
    return [name for name in keyed if content(archive, orders_path(name, slot.number)) is not None]


def _slot_to_walk(ledger: Ledger, archive: Archive) -> Slot | None:
    """Return the newest slot with dice, one with signed orders if there is one."""
    rolled = [
        slot
        for slot in ledger.slots.values()
        if slot.dice and slot.seed is not None and not slot.undone and not slot.act
    ]
    return max(rolled, key=lambda slot: (bool(_published(ledger, archive, slot)), slot.number), default=None)


def _whose(ledger: Ledger, archive: Archive) -> Iterator[str]:
    """Have the reader make the list of keys, and ask himself whether he is on it."""
    at = f"@{ledger.game}"
    yield (
        "1. Whose key is whose: the manifest says it, which was there before turn 1. The list is made in "
        "the folder above this one."
    )
    yield f'$ sed -n \'s/.*"key":"\\(ssh-ed25519 [^"]*\\)","n":1,.*/gm{at} \\1 gm/p\' {_MANIFEST} > {_SIGNERS}'
    yield (
        f'$ grep -o \'"key":"ssh-ed25519 [^"]*","seat":"[^"]*"\' {_MANIFEST}'
        f' | sed \'s/"key":"\\(.*\\)","seat":"\\(.*\\)"/\\2{at} \\1 \\2/\' >> {_SIGNERS}'
    )
    later = " ".join(read.path for read in ledger.records if read.record["type"] == "rekey")
    if later:
        yield "   New keys came later. Each counts from its record on; who consented to it, pbem verify says."
        found = '"key":"\\(ssh-ed25519 [^"]*\\)","n":[0-9]*,"of":"\\([^"]*\\)"'
        yield f"$ sed -n 's/.*{found}.*/\\2{at} \\1 \\2/p' {later} >> {_SIGNERS}"

    yield f"$ ssh-keygen -l -f {_SIGNERS}"
    yield from (f"= 256 {_fingerprint(key)} {who} (ED25519)" for who, key in _keys(ledger))
    yield (
        "   Is the line of your seat what  ssh-keygen -l -f YOUR-KEY.pub  prints? Ask the others for "
        "theirs: only they can tell you."
    )
    joins = {
        entry["seat"]: entry["join"]
        for read in ledger.records
        if read.record["type"] == "start"
        for entry in read.record["joins"]
    }
    if joins:
        yield (
            "   Whose join is whose: all are in the record that began the game. Is yours what you sent, the "
            "first line of your join.txt?"
        )

    for name in ledger.outside:
        path = join_path(name)
        if name in joins:
            yield f"$ sha256sum < {path} | cut -c 1-64"
            yield f"= {joins[name]}"
            yield f'$ grep -c \'"join":"{joins[name]}","seat":"{name}"\' ledger/*-start.json'
            yield "= 1"
            yield from _signed(ledger, name, join_namespace(ledger.game, name), path, _signer(archive, path))


def _list(ledger: Ledger) -> Iterator[str]:
    yield "2. The files are those of the list FILES, and the list is signed by the game master."
    yield "$ sha256sum -c FILES | grep -v ': OK$' | wc -l | tr -d ' '"
    yield "= 0"
    key = None if ledger.gm_key is None else ledger.gm_key.line  # FILES is signed after this text is in it
    yield from _signed(ledger, "gm", pack_namespace(ledger.game), "FILES", key)


def _values(ledger: Ledger, archive: Archive, slot: Slot) -> Iterator[str]:
    """Walk the orders and one value from where it was fixed."""
    result, lock = _record_of(ledger, "result", slot.number), _record_of(ledger, "lock", slot.number)
    yield (
        f"3. Slot {slot.number} ({slot.phase}): the lock and the result are signed, and each record names "
        "the one before it."
    )
    for record in (lock, result):
        yield from _signed(
            ledger, "gm", gm_namespace(ledger.game), record.path, _signer(archive, record.path)
        )

    yield f"$ sha256sum < {lock.path} | cut -c 1-64"
    yield f"= {lock.id}"
    if result.record["prev"] == lock.id:
        yield f'$ grep -c \'"prev":"{lock.id}"\' {result.path}'
        yield "= 1"
    for name in _published(ledger, archive, slot)[:1]:
        path = orders_path(name, slot.number)
        yield (
            f"   The orders of {name} are those in the lock, signed by {name} for this slot and this history."
        )
        yield f"$ sha512sum < {path} | cut -c 1-128"
        yield f"= {slot.entries[name].sha512}"
        yield f"$ grep -c $(sha512sum < {path} | cut -c 1-128) {lock.path}"
        yield "= 1"
        yield from _signed(
            ledger,
            name,
            orders_namespace(ledger.game, slot.number, name, slot.head),
            path,
            _signer(archive, path),
        )
        if slot.entries[name].x == EARLY and name not in slot.luck:
            yield f"$ grep -c '^#x {slot.values[name]}' {path}"
            yield "= 1"

    if not ledger.rekeys:
        yield from _fixed(ledger, slot)


def _fixed(ledger: Ledger, slot: Slot) -> Iterator[str]:
    """Hash the values of the slot down to what was known before, or up to what it was fixed by."""
    if ledger.revision == CHAINS:
        yield (
            "   Each value was fixed before turn 1: it hashes down, one step for each slot, to the value "
            "before it, at last to an anchor."
        )
    else:
        yield (
            "   Each value was fixed before turn 1: with 14 hashes from the results so far it leads to the "
            "root of a tree."
        )
    for who in ("gm", *ledger.outside):
        value = slot.values[who]
        if value == NOTHING:
            continue
        if who in slot.luck:
            yield f"   {who} typed words instead. A value for the seed comes of them:"
            yield (
                f"$ {_printf(['pd1/luck', ledger.game, who, str(slot.number), slot.luck[who]])} | sha256sum "
                "| cut -c 1-64"
            )
            yield f"= {value}"
            continue
        where = "ledger/00001-manifest.json" if who == "gm" else join_path(who)
        if ledger.revision == CHAINS:
            last = 0
            for other in ledger.slots.values():
                if (
                    other.number < slot.number
                    and other.values.get(who, NOTHING) != NOTHING
                    and who not in other.luck
                ):
                    last, where = other.number, other.result_path
            steps = " ".join(str(place) for place in range(slot.number, last, -1))
            step = (
                f"printf 'pd1/chain\\n%s\\n%s\\n%s\\n%s\\n' {ledger.game} {who} $k "
                "$x | sha256sum | cut -c 1-64"
            )
            yield f"$ x={value}; for k in {steps}; do x=$({step}); done; grep -c $x {where}      # {who}"
            yield "= 1"
        else:
            yield from _climbed(ledger, slot, who, where)


def _climbed(ledger: Ledger, slot: Slot, who: str, where: str) -> Iterator[str]:
    """Climb a tree from a value to its root, a line for each hash."""
    results = (
        other.result
        for other in ledger.slots.values()
        if other.number <= slot.number and other.result is not None
    )
    listed = (
        (result["slot"], entry) for result in results for entry in result["values"] if entry["who"] == who
    )
    given = (
        (number, value.x, value.path) for number, entry in listed if (value := value_in(entry)) is not None
    )
    yield f"   {who}:"
    yield (
        "$ "
        f"{_printf(['pd1/leaf', ledger.game, who, str(slot.number), slot.values[who]])} | sha256sum | cut "
        "-c 1-64"
    )
    own = leaf(ledger.game, who, slot.number, slot.values[who])
    yield f"= {own.hex()}"
    for level, beside in enumerate(whole_path(ledger.game, who, given)):
        pair = (beside, own.hex()) if slot.number >> level & 1 else (own.hex(), beside)
        yield f"$ {_printf(['pd1/node', *pair])} | sha256sum | cut -c 1-64"
        own = node(*map(bytes.fromhex, pair))
        yield f"= {own.hex()}"
    yield f'$ grep -c \'"root":"{own.hex()}"\' {where}'
    yield "= 1"


def _seed(ledger: Ledger, slot: Slot) -> Iterator[str]:
    drand, rule = (slot.result or {}).get("beacon"), ledger.manifest.get("beacon")
    beacon = (
        NOTHING if drand is None or rule is None else beacon_text(rule["chain"], drand["round"], drand["sig"])
    )
    assert slot.seed is not None
    before = max(
        (
            other.number
            for other in ledger.slots.values()
            if other.number < slot.number and other.seed is not None
        ),
        default=0,
    )
    yield (
        "4. The seed of the slot comes of these values and nothing else. Its key is the seed before it, so "
        "that all hang together."
    )
    if before:
        yield f"   The key is the seed in {ledger.slots[before].result_path}."
    else:
        joins = [
            f"{name} {entry['join']}"
            for name in ledger.outside
            for entry in ledger.records[1].record["joins"]
            if entry["seat"] == name
        ]
        yield "   The key of the first is a salt of the manifest and the joins:"
        yield f"$ {_printf(['pd1/salt', ledger.game, ledger.manifest_id, *joins])} | sha256sum | cut -c 1-64"
        yield f"= {slot.previous_seed.hex()}"

    lines = [
        "pd1/seed",
        ledger.game,
        str(slot.number),
        *(f"{who} {slot.values[who]}" for who in ("gm", *ledger.outside)),
        f"beacon {beacon}",
    ]
    yield f"$ {_hmac(lines, slot.previous_seed)}"
    yield f"= {slot.seed.hex()}"
    yield f'$ grep -c \'"seed":"{slot.seed.hex()}"\' {slot.result_path}'
    yield "= 1"


def _die(slot: Slot) -> Iterator[str]:
    roll = slot.rolls[0]
    assert slot.seed is not None
    yield (
        "5. The die. Its name and the seed give eight numbers of 32 bits; the first that treats all faces "
        "alike is taken."
    )
    drawn = draw(slot.seed, roll.label, roll.sides, 0)
    yield f"$ {_hmac(['pd1/die', roll.label, str(roll.sides), '0', str(drawn.ctr)], slot.seed)}"
    yield f"= {drawn.digest.hex()}"
    yield (
        f"   Number {len(drawn.refused) % 8 + 1} of them is 0x{drawn.word:08x}. Its rest, divided by "
        f"{roll.sides}, and 1:"
    )
    yield f"$ echo $((0x{drawn.word:08x} % {roll.sides} + 1))"
    yield f"= {roll.values[0]}"
    log = rolls_path(slot.number)
    yield f"   It is in the log, and the log is the one in the result: {slot.result_path} names its SHA-256."
    yield (
        "$ grep -F -c "
        f'\'"l":"{roll.label}","n":{len(roll.values)},"s":{roll.sides},"v":[{roll.values[0]}\' {log}'
    )
    yield "= 1"
    yield f"$ grep -c $(sha256sum < {log} | cut -c 1-64) {slot.result_path}"
    yield "= 1"


def howto(ledger: Ledger, archive: Archive) -> bytes:
    """Return the text for an archive: the same for the same game, and every command in it prints what stands
    below it.
    """
    slot = _slot_to_walk(ledger, archive)
    lines = [_START, *_whose(ledger, archive), "", *_list(ledger)]
    if slot is None:
        lines += ["", _NO_DICE]
    else:
        for part in (_values(ledger, archive, slot), _seed(ledger, slot), _die(slot)):
            lines += ["", *part]
    silent = (
        []
        if slot is None
        else [
            name for name in ledger.outside if slot.entries[name].x != NONE and ledger.seats[name].key is None
        ]
    )
    lines += [
        "",
        *(f"{name} has no key: that {name} typed these words, only {name} can say." for name in silent),
    ]
    return ("\n".join(lines).rstrip("\n") + "\n").encode()
