"""The exact forms of the records of pd1 (docs/protocol.md, section 5), and small builders for those the
referee writes.

Decides the form (code E27). Whether a record is true, signed, and in its place is decided in ``ledger``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pbem.proof.dice_protocol import (
    CURSOR,
    GAME,
    MAX_DICE,
    MAX_LABEL,
    MAX_SIDES,
    MAX_SLOT,
    NOTHING,
    RESERVED,
    SEAT,
)
from pbem.proof.known import CHAINS, TREES, Value
from pbem.proof.orderfile import TIME
from pbem.proof.patching import DEEPEST
from pbem.proof.patching import MOST as MOST_CHANGES
from pbem.proof.shapes import AnyObject, AnyOf, Anything, Fields, ListOf, One, Shape, Text, Whole
from pbem.proof.spoken import SPOKEN, fields
from pbem.proof.timely import TIMELY

Record = dict[str, Any]

FIXED: Mapping[int, str] = {CHAINS: "anchor", TREES: "root"}
"""By revision of a game what manifest and joins call that which fixes the values of a party."""

NOTE = 2000
"""Characters of a note at most."""
_HEX64 = Text(r"[0-9a-f]{64}", 64)
_HEX128 = Text(r"[0-9a-f]{128}", 128)
_HEX = Text(r"([0-9a-f]{2})+", 400)
_GAME = Text(GAME.pattern, 40)
_SEAT = Text(SEAT.pattern, 16, RESERVED)
_WHO = Text(SEAT.pattern, 16, RESERVED - {"gm"})
_SLOT = Whole(1, MAX_SLOT)
_TIME = Text(TIME.pattern, 20)
_CURSOR = Text(CURSOR.pattern, MAX_LABEL)
_WORD = Text(r"[!-~]+( [!-~]+)*", 200)
# Whether a key is a key is E03, so its form asks for no more than text.
_KEY = Text("", 1000)
_LUCK = Text("", 400)
_DATE = Text(r"[1-9][0-9]{3}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])", 10)
_FILE = Text(r"(scenario|tables)(/[A-Za-z0-9_][A-Za-z0-9._+-]*)+", 200)

_ENGINE = Fields({"name": _WORD, "version": _WORD, "sha256": _HEX64}, {})
_MANIFEST_BEACON = Fields(
    {
        "net": _WORD,
        "chain": _HEX64,
        "pk": _HEX,
        "genesis": Whole(0),
        "period": Whole(1, 86_400),
        "delay": Whole(0, 31_536_000),
    },
    {},
)
_NEXT = Fields(
    {"slot": _SLOT, "phase": _CURSOR, "waits": ListOf(_SEAT), "value": One(("early", "go"))},
    {"questions": ListOf(AnyObject()), "due": _TIME, "engine": _ENGINE},
)
# Its length is a matter of the value (E09); one that brings nothing is left out.
_PATH = ListOf(_HEX64, 1)
_VALUE = AnyOf(
    (
        Fields({"who": _WHO, "x": _HEX64}, {"path": _PATH}),
        Fields({"who": _WHO, "x": One((NOTHING,))}, {}),
        Fields({"who": _WHO, "luck": _LUCK}, {}),
    )
)
_NEW: Mapping[str, Shape] = {"key": _KEY, "anchor": _HEX64, "root": _HEX64, "recovery": _KEY}
NEW_KEYS = tuple(_NEW)
"""What a rekey can bring, and a consent to one names."""
_KEPT = ListOf(Fields({"seat": _SEAT, "slot": _SLOT}, {}))
_CONSENTS = ListOf(Fields({"consent": _HEX64, "seat": _SEAT}, {}))


_PATCH = ListOf(
    Fields({"at": ListOf(AnyOf((Text("", 200), Whole(0))), 1, DEEPEST)}, {"to": Anything()}), 1, MOST_CHANGES
)
_BY_HAND: Mapping[str, Shape] = {"slot": _SLOT, "state": _HEX64, "consents": _CONSENTS, "why": Text("", 2000)}
_ON: Mapping[str, Shape] = {"kept": _KEPT, "next": _NEXT}
_AGAIN: Mapping[str, Shape] = {"patch": _PATCH, **_ON}
_ORDERS = ListOf(Fields({"seat": _SEAT, "sha512": _HEX128}, {}))
_ROLLED: Mapping[str, Shape] = {"rolls": _HEX64, "phases": ListOf(_CURSOR)}
_GO: Mapping[str, Shape] = {"type": One(("go",)), "game": _GAME, "seat": _SEAT, "slot": _SLOT, "lock": _HEX64}


def _ledger(
    kind: str,
    needed: Mapping[str, Shape],
    optional: Mapping[str, Shape] | None = None,
    never_both: tuple[str, ...] = (),
) -> Fields:
    common: dict[str, Shape] = {"type": One((kind,)), "at": _TIME, "game": _GAME, "n": Whole(1, 99_999)}
    if kind != "manifest":
        common["prev"] = _HEX64
    return Fields({**common, **needed}, {**(optional or {}), "note": Text("", NOTE)}, never_both=never_both)


def _manifest(revision: int) -> Fields:
    return _ledger(
        "manifest",
        {
            "v": Whole(revision, revision),
            FIXED[revision]: _HEX64,
            "engine": _ENGINE,
            "files": ListOf(Fields({"path": _FILE, "sha256": _HEX64}, {})),
            "key": _KEY,
            "profile": One(("joint", "gm")),
            "ruleset": Fields(
                {"id": _WORD, "modules": ListOf(_WORD), "options": AnyObject(), "revision": Whole(1)}, {}
            ),
            "seats": ListOf(
                Fields(
                    {"seat": _SEAT, "side": _SEAT, "by": One(("player", "gm"))},
                    {"key": _KEY, "go": One(("always", "needed"))},
                )
            ),
        },
        {"beacon": _MANIFEST_BEACON},
    )


FORMS: Mapping[str, Fields | AnyOf] = {
    "manifest": AnyOf((_manifest(CHAINS), _manifest(TREES))),
    "start": _ledger(
        "start",
        {"joins": ListOf(Fields({"join": _HEX64, "seat": _SEAT}, {})), "next": _NEXT, "state": _HEX64},
    ),
    "lock": _ledger(
        "lock",
        {
            "slot": _SLOT,
            "entries": ListOf(
                Fields({"seat": _SEAT, "x": One(("early", "go", "none"))}, {"sha512": _HEX128})
            ),
        },
    ),
    "result": _ledger(
        "result",
        {"slot": _SLOT, "values": ListOf(_VALUE), "seed": _HEX64, **_ROLLED, "state": _HEX64},
        {**_ON, "beacon": Fields({"round": Whole(1), "sig": _HEX}, {})},
    ),
    "undo": _ledger("undo", {"to": _SLOT, **_BY_HAND}, _ON),
    "rekey": _ledger(
        "rekey",
        {"of": _WHO, "from": _SLOT, "consents": _CONSENTS, "why": Text("", 2000)},
        _NEW,
        never_both=("anchor", "root"),
    ),
    "time": _ledger(
        "time",
        {"slot": _SLOT, "does": One(tuple(TIMELY)), "why": Text("", 2000)},
        {"until": _TIME, "seat": _SEAT, "first": _DATE, "last": _DATE, "zone": _WORD},
    ),
    "word": _ledger(
        "word", {"slot": _SLOT, "does": One(tuple(SPOKEN)), "why": Text("", 2000)}, fields(_SEAT, _TIME)
    ),
    "rule": _ledger("rule", {"patch": _PATCH, **_BY_HAND}, _ON),
    "correct": _ledger("correct", {"corrects": _SLOT, "orders": _ORDERS, **_ROLLED, **_BY_HAND}, _AGAIN),
    "join": Fields(
        {"type": One(("join",)), "game": _GAME, "seat": _SEAT, "manifest": _HEX64},
        {"anchor": _HEX64, "root": _HEX64, "words": Text("", 2000), "recovery": _KEY},
        ("anchor", "root", "words"),
    ),
    "go": AnyOf((Fields({**_GO, "x": _HEX64}, {"path": _PATH}), Fields({**_GO, "luck": _LUCK}, {}))),
    "consent": AnyOf(
        (
            Fields(
                {"type": One(("consent",)), "game": _GAME, "seat": _SEAT, "head": _HEX64, "to": _SLOT}, {}
            ),
            Fields(
                {
                    "type": One(("consent",)),
                    "game": _GAME,
                    "seat": _SEAT,
                    "head": _HEX64,
                    "of": _WHO,
                    "from": _SLOT,
                },
                _NEW,
                never_both=("anchor", "root"),
            ),
            Fields(
                {"type": One(("consent",)), "game": _GAME, "seat": _SEAT, "head": _HEX64, "act": _HEX64}, {}
            ),
        )
    ),
    "receipt": Fields(
        {
            "type": One(("receipt",)),
            "at": _TIME,
            "file": One(("draft", "final")),
            "game": _GAME,
            "seat": _SEAT,
            "sha512": _HEX128,
            "slot": _SLOT,
        },
        {},
    ),
}
LEDGER_TYPES = ("manifest", "start", "lock", "result", "undo", "rekey", "time", "word", "rule", "correct")

ROLL = Fields(
    {
        "l": Text("", MAX_LABEL),
        "n": Whole(1, MAX_DICE),
        "s": Whole(2, MAX_SIDES),
        "v": ListOf(Whole(1, MAX_SIDES)),
    },
    {},
)


def check_form(record: Mapping[str, Any]) -> str | None:
    """Return what is wrong with the form of a record of any type, or None (code E27)."""
    kind = record.get("type")
    form = FORMS.get(kind) if isinstance(kind, str) else None
    if form is None:
        return f"a record of the type {kind!r:.40} is not known"
    return form.wrong(record, str(kind))


def schema() -> dict[str, Any]:
    """Return the forms as JSON Schema draft-07: the text of ``schemas/records.schema.json``."""
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "The records of the dice protocol pd1",
        "description": "Form only; a record must also be canonical, signed, and in its place. "
        "See docs/protocol.md.",
        "oneOf": [{"$ref": f"#/definitions/{kind}"} for kind in FORMS],
        "definitions": {kind: form.schema() for kind, form in FORMS.items()},
    }


def _common(kind: str, game: str, n: int, prev: str, at: str, note: str | None) -> Record:
    made: Record = {"type": kind, "game": game, "n": n, "prev": prev, "at": at}
    return made if note is None else {**made, "note": note}


def manifest(
    *,
    game: str,
    at: str,
    key: str,
    root: str,
    engine: Mapping[str, str],
    files: Mapping[str, str],
    ruleset: Mapping[str, Any],
    seats: Iterable[Mapping[str, str]],
    profile: str = "joint",
    beacon: Mapping[str, Any] | None = None,
    note: str | None = None,
    revision: int = TREES,
) -> Record:
    """Return a manifest; ``files`` maps each path under scenario/ and tables/ to its SHA-256.

    In pd1.0 ``root`` is an anchor.
    """
    made: Record = {
        "type": "manifest",
        "v": revision,
        "n": 1,
        "game": game,
        "at": at,
        "key": key,
        FIXED[revision]: root,
        "engine": dict(engine),
        "files": [{"path": path, "sha256": files[path]} for path in sorted(files)],
        "profile": profile,
        "ruleset": dict(ruleset),
        "seats": sorted((dict(seat) for seat in seats), key=lambda seat: seat["seat"]),
    }
    if beacon is not None:
        made["beacon"] = dict(beacon)
    return made if note is None else {**made, "note": note}


def join(
    *,
    game: str,
    seat: str,
    manifest_id: str,
    root: str | None = None,
    words: str | None = None,
    recovery: str | None = None,
    revision: int = TREES,
) -> Record:
    """Return a join record; give a root (in pd1.0 an anchor) or, for a seat without values
    of its own, words.
    """
    made: Record = {"type": "join", "game": game, "seat": seat, "manifest": manifest_id}
    made |= {"words": words} if root is None else {FIXED[revision]: root}
    return made if recovery is None else {**made, "recovery": recovery}


def announce(
    *,
    slot: int,
    phase: str,
    waits: Iterable[str],
    value: str,
    questions: Sequence[Mapping[str, Any]] = (),
    due: str | None = None,
    engine: Mapping[str, str] | None = None,
) -> Record:
    """Return the value of ``next``: the slot that is open after this record (rule R3)."""
    made: Record = {"slot": slot, "phase": phase, "waits": sorted(waits), "value": value}
    if questions:
        made["questions"] = [dict(question) for question in questions]
    if due is not None:
        made["due"] = due
    if engine is not None:
        made["engine"] = dict(engine)
    return made


def start(
    *,
    game: str,
    n: int,
    prev: str,
    at: str,
    joins: Mapping[str, str],
    state: str,
    following: Mapping[str, Any],
    note: str | None = None,
) -> Record:
    """Return a start record; ``joins`` maps each outside seat to the id of its join, ``following`` is
    ``next``.
    """
    made = _common("start", game, n, prev, at, note)
    listed = [{"seat": seat, "join": joins[seat]} for seat in sorted(joins)]
    return {**made, "joins": listed, "state": state, "next": dict(following)}


def lock(
    *,
    game: str,
    n: int,
    prev: str,
    at: str,
    slot: int,
    entries: Mapping[str, tuple[str | None, str]],
    note: str | None = None,
) -> Record:
    """Return a lock; ``entries`` maps every seat to the SHA-512 of its file, or None, and
    early, go or none.
    """
    made = _common("lock", game, n, prev, at, note)
    listed: list[Record] = []
    for seat in sorted(entries):
        sha512, x = entries[seat]
        entry: Record = {"seat": seat, "x": x}
        listed.append(entry if sha512 is None else {**entry, "sha512": sha512})
    return {**made, "slot": slot, "entries": listed}


def go(
    *, game: str, seat: str, slot: int, lock_id: str, value: Value | None = None, luck: str | None = None
) -> Record:
    """Return a go; give the value or, for a seat without values of its own, luck words in normal form."""
    made: Record = {"type": "go", "game": game, "seat": seat, "slot": slot, "lock": lock_id}
    return {**made, "luck": luck} if value is None else {**made, **value_fields(value)}


def value_fields(value: Value) -> Record:
    """Return a value as records have it: ``x``, and ``path`` where there is something in it."""
    return {"x": value.x, "path": list(value.path)} if value.path else {"x": value.x}


def value_in(record: Mapping[str, Any]) -> Value | None:
    """Return the value in a go or in an entry of a result; None where it has words, or nothing."""
    return None if record.get("x", NOTHING) == NOTHING else Value(record["x"], tuple(record.get("path", ())))


def result(
    *,
    game: str,
    n: int,
    prev: str,
    at: str,
    slot: int,
    gm: Value,
    values: Mapping[str, Value | None],
    words: Mapping[str, str],
    seed: str,
    rolls: str,
    phases: Iterable[str],
    state: str,
    kept: Iterable[tuple[str, int]] = (),
    following: Mapping[str, Any] | None = None,
    beacon: Mapping[str, Any] | None = None,
    note: str | None = None,
) -> Record:
    """Return a result; each outside seat is in ``values`` (a value, or None for nothing) or in ``words``
    (luck words).
    """
    made = _common("result", game, n, prev, at, note)
    listed: list[Record] = [
        {"who": who, **({"x": NOTHING} if value is None else value_fields(value))}
        for who, value in {"gm": gm, **values}.items()
    ]
    listed += [{"who": seat, "luck": luck} for seat, luck in words.items()]
    made |= {
        "slot": slot,
        "values": sorted(listed, key=lambda value: value["who"]),
        "seed": seed,
        "rolls": rolls,
        "phases": list(phases),
        "state": state,
    }
    still = [{"seat": seat, "slot": number} for seat, number in sorted(kept)]
    if still:
        made["kept"] = still
    if beacon is not None:
        made["beacon"] = dict(beacon)
    return made if following is None else {**made, "next": dict(following)}


def undo(
    *,
    game: str,
    n: int,
    prev: str,
    at: str,
    slot: int,
    to: int,
    state: str,
    consents: Mapping[str, str],
    why: str,
    kept: Iterable[tuple[str, int]],
    following: Mapping[str, Any],
) -> Record:
    """Return an undo (rule R15): ``slot`` is the newest that was locked, ``to`` the first taken back,
    ``consents`` seat -> id.
    """
    made = _common("undo", game, n, prev, at, None)
    made |= {"slot": slot, "to": to, "state": state, "why": why, "next": dict(following)}
    made["consents"] = [{"consent": consents[seat], "seat": seat} for seat in sorted(consents)]
    still = [{"seat": seat, "slot": number} for seat, number in sorted(kept)]
    return {**made, "kept": still} if still else made


def rekey(
    *,
    game: str,
    n: int,
    prev: str,
    at: str,
    of: str,
    since: int,
    consents: Mapping[str, str],
    why: str,
    change: Mapping[str, str],
) -> Record:
    """Return a rekey (rule R16) of a seat or the GM from slot ``since`` on; ``change``: key, anchor or root,
    recovery.
    """
    made = _common("rekey", game, n, prev, at, None)
    made |= {"of": of, "from": since, "why": why}
    made["consents"] = [{"consent": consents[seat], "seat": seat} for seat in sorted(consents)]
    return {**made, **change}


def consent(
    *, game: str, seat: str, head: str, to: int | None = None, change: Mapping[str, Any] | None = None
) -> Record:
    """Return a consent to an undo (``to``), or to a rekey (``change``: of, from, and what is new) or a ruling
    or correction (its ``act``), right after the record ``head``.
    """
    made: Record = {"type": "consent", "game": game, "seat": seat, "head": head}
    return {**made, "to": to} if change is None else {**made, **change}


def receipt(*, game: str, at: str, seat: str, slot: int, sha512: str, file: str) -> Record:
    """Return a receipt for an order file; ``file`` is draft or final."""
    return {
        "type": "receipt",
        "game": game,
        "at": at,
        "seat": seat,
        "slot": slot,
        "sha512": sha512,
        "file": file,
    }


def roll(label: str, sides: int, values: Sequence[int]) -> Record:
    """Return one line of a roll log."""
    return {"l": label, "n": len(values), "s": sides, "v": list(values)}
