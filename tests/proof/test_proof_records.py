"""The forms of records: one table for the code and for the JSON Schema."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from proof_simulator import friends_game, umpire_game

from pbem.proof import records
from pbem.proof.canonical import NotCanonical, decode
from pbem.proof.records import FORMS, check_form
from pbem.proof.shapes import AnyObject, AnyOf, Fields, ListOf, One, Shape, Text, Whole

SCHEMA_FILE = Path(__file__).parents[2] / "schemas" / "records.schema.json"
SCHEMA = json.loads(SCHEMA_FILE.read_text("utf-8"))
VALIDATOR = jsonschema.Draft7Validator(SCHEMA)
H, H2, T = "ab" * 32, "ab" * 64, "2026-02-01T10:01:00Z"
COMMON: dict[str, Any] = {"game": "siege-0a1b2c", "n": 9, "prev": H, "at": T}
NEXT = {"slot": 3, "phase": "t1.red.melee", "waits": ["blue"], "value": "early"}
CONSENTS = [{"consent": H, "seat": "blue"}]
EXAMPLES: dict[str, dict[str, Any]] = {
    "start": {**COMMON, "type": "start", "joins": [{"join": H, "seat": "blue"}], "next": NEXT, "state": H},
    "lock": {**COMMON, "type": "lock", "slot": 2, "entries": [{"seat": "blue", "x": "go"}]},
    "result": {
        **COMMON,
        "type": "result",
        "slot": 2,
        "values": [{"who": "gm", "x": H, "path": [H, H]}, {"who": "blue", "luck": "seven herons"}, {"who": "red", "x": "-"}],
        "seed": H,
        "rolls": H,
        "phases": ["t1.red.melee"],
        "state": H,
        "kept": [{"seat": "red", "slot": 2}],
        "next": {**NEXT, "questions": [{"id": "q1"}], "due": T, "engine": {"name": "pbem", "version": "1", "sha256": H}},
        "beacon": {"round": 3, "sig": "ab"},
    },
    "undo": {**COMMON, "type": "undo", "slot": 2, "to": 2, "state": H, "consents": CONSENTS, "why": "wrong map", "next": NEXT},
    "rekey": {**COMMON, "type": "rekey", "of": "blue", "from": 9, "key": "ssh-ed25519 A", "root": H, "consents": [], "why": "new"},
    "join": {"type": "join", "game": "siege-0a1b2c", "seat": "blue", "manifest": H, "root": H, "recovery": "k"},
    "go": {"type": "go", "game": "siege-0a1b2c", "seat": "blue", "slot": 2, "lock": H, "x": H, "path": [H]},
    "consent": {"type": "consent", "game": "siege-0a1b2c", "seat": "blue", "head": H, "to": 2},
    "receipt": {
        "type": "receipt", "at": T, "file": "final", "game": "siege-0a1b2c", "seat": "blue", "sha512": H2, "slot": 3
    },
}  # fmt: skip
EXAMPLES["time"] = {
    **COMMON, "type": "time", "slot": 3, "does": "absent", "why": "ill", "until": "2026-03-01T20:00:00Z",
    "seat": "blue", "first": "2026-03-01", "last": "2026-03-05", "zone": "Europe/Berlin",
}  # fmt: skip
EXAMPLES["word"] = {
    **COMMON, "type": "word", "slot": 3, "does": "substitute", "why": "moved", "seat": "blue", "player": "dora", "was": "ben",
    "until": "2026-03-01T20:00:00Z", "how": "agreed", "winner": "blue", "by": ["blue"],
}  # fmt: skip
PATCH = [{"at": ["units", 3, "at"], "to": ["0412"]}, {"at": ["units", 3, "did"]}]
EXAMPLES["rule"] = {
    **COMMON, "type": "rule", "slot": 3, "patch": PATCH, "state": H, "consents": CONSENTS, "why": "a slip", "next": NEXT,
    "kept": [{"seat": "red", "slot": 2}],
}  # fmt: skip
EXAMPLES["correct"] = {
    **COMMON, "type": "correct", "slot": 3, "corrects": 2, "orders": [{"seat": "blue", "sha512": H2}], "rolls": H,
    "phases": ["t1.red.melee"], "state": H, "consents": CONSENTS, "why": "misread", "patch": PATCH, "next": NEXT,
    "kept": [{"seat": "red", "slot": 2}],
}  # fmt: skip
EXAMPLES["manifest"] = decode(friends_game().archive["ledger/00001-manifest.json"])
REKEY_CONSENT = {
    "type": "consent", "game": "siege-0a1b2c", "seat": "blue", "head": H, "of": "gm", "from": 9, "root": H, "key": "k", "recovery": "k"
}  # fmt: skip


def agree(record: Any) -> str | None:
    """Return the reason of check_form, after making sure that the schema says the same."""
    reason = check_form(record)
    assert VALIDATOR.is_valid(record) == (reason is None), (record, reason)
    return reason


def test_the_schema_file_is_the_table() -> None:
    assert records.schema() == SCHEMA
    jsonschema.Draft7Validator.check_schema(SCHEMA)
    assert set(SCHEMA["definitions"]) == set(FORMS) == set(EXAMPLES)
    assert records.LEDGER_TYPES == (
        "manifest", "start", "lock", "result", "undo", "rekey", "time", "word", "rule", "correct"
    )  # fmt: skip


@pytest.mark.parametrize("kind", sorted(EXAMPLES))
def test_examples_have_their_form(kind: str) -> None:
    assert agree(EXAMPLES[kind]) is None


def test_the_other_consent() -> None:
    assert agree(REKEY_CONSENT) is None
    assert agree({**REKEY_CONSENT, "to": 2}) == "consent.to is not known"


@pytest.mark.parametrize("kind", sorted(EXAMPLES))
def test_every_needed_key_is_needed_and_no_other_known(kind: str) -> None:
    record = EXAMPLES[kind]
    assert "is not known" in str(agree({**record, "other": 1}))
    form = FORMS[kind]
    if isinstance(form, Fields):
        for key in form.needed:
            reason = agree({name: value for name, value in record.items() if name != key})
            assert reason is not None
            assert key == "type" or reason == f"{kind}.{key} is missing"
    for key in record:
        assert agree({**record, key: True}) is not None


@pytest.mark.parametrize("kind", [kind for kind in sorted(EXAMPLES) if kind in records.LEDGER_TYPES])
def test_every_ledger_record_may_have_a_note(kind: str) -> None:
    assert agree({**EXAMPLES[kind], "note": "x" * 2000}) is None
    assert agree({**EXAMPLES[kind], "note": "x" * 2001}) == f"{kind}.note has more than 2000 characters"
    assert ("prev" in EXAMPLES[kind]) == (kind != "manifest")


@pytest.mark.parametrize("kind", ["join", "go", "consent", "receipt"])
def test_other_records_have_no_note(kind: str) -> None:
    assert "note is not known" in str(agree({**EXAMPLES[kind], "note": "x"}))


@pytest.mark.parametrize(
    ("kind", "path", "value", "right"),
    [
        ("lock", ("slot",), 0, False),
        ("lock", ("slot",), 1, True),
        ("lock", ("slot",), 10000, True),
        ("lock", ("slot",), 10001, False),
        ("lock", ("n",), 0, False),
        ("lock", ("n",), 99999, True),
        ("lock", ("n",), 100000, False),
        ("lock", ("at",), "2026-02-01T24:00:00Z", False),
        ("lock", ("at",), "0026-02-01T10:00:00Z", False),
        ("lock", ("at",), "2026-02-01 10:00:00Z", False),
        ("lock", ("prev",), "AB" * 32, False),
        ("lock", ("prev",), "ab" * 31, False),
        ("lock", ("entries", 0, "x"), "maybe", False),
        ("lock", ("entries", 0, "sha512"), "ab" * 64, True),
        ("lock", ("entries", 0, "sha512"), "ab" * 32, False),
        ("lock", ("entries", 0, "seat"), "gm", False),
        ("manifest", ("v",), 1, False),
        ("manifest", ("v",), 3, False),
        ("manifest", ("v",), True, False),
        ("manifest", ("anchor",), H, False),
        ("manifest", ("root",), H.upper(), False),
        ("manifest", ("profile",), "gm", True),
        ("manifest", ("profile",), "beacon", False),
        ("manifest", ("files", 0, "path"), "scenario/../x", False),
        ("manifest", ("files", 0, "path"), "scenario/a/b.yaml", True),
        ("manifest", ("files", 0, "path"), "scenario", False),
        ("manifest", ("files", 0, "path"), "/scenario/a", False),
        ("manifest", ("files", 0, "path"), "ledger/a", False),
        ("manifest", ("files", 0, "path"), "scenario//a", False),
        ("manifest", ("seats", 0, "go"), "always", True),
        ("manifest", ("seats", 0, "go"), "never", False),
        ("manifest", ("seats", 0, "side"), "drand", False),
        ("manifest", ("ruleset", "revision"), 0, False),
        ("manifest", ("ruleset", "options"), {"a": {"b": [1]}}, True),
        ("manifest", ("ruleset", "modules", 0), " castle", False),
        ("manifest", ("engine", "version"), "0.1.0 beta", True),
        ("result", ("values", 1, "x"), "-", False),
        ("result", ("values", 2, "x"), "", False),
        ("result", ("values", 1, "who"), "none", False),
        ("result", ("phases", 0), "t1..melee", False),
        ("result", ("phases", 0), "T1", False),
        ("result", ("phases", 0), "t" * 120, True),
        ("result", ("phases", 0), "t" * 121, False),
        ("result", ("beacon", "sig"), "abc", False),
        ("result", ("beacon", "round"), 0, False),
        ("result", ("next", "value"), "none", False),
        ("result", ("next", "questions", 0), [], False),
        ("undo", ("to",), 0, False),
        ("result", ("values", 0, "path"), [], False),
        ("result", ("values", 0, "path"), [H] * 15, True),
        ("result", ("values", 0, "path"), [H[1:]], False),
        ("result", ("values", 1, "path"), [H], False),
        ("result", ("values", 2, "path"), [H], False),
        ("go", ("luck",), "seven herons", False),
        ("go", ("path",), [], False),
        ("go", ("path",), H, False),
        ("go", ("path",), [H.upper()], False),
        ("rekey", ("anchor",), H, False),
        ("rekey", ("recovery",), "k", True),
        ("join", ("anchor",), H, False),
        ("join", ("path",), [H], False),
        ("join", ("words",), "yes", False),
        ("receipt", ("file",), "other", False),
    ],
)
def test_values_at_the_border(kind: str, path: tuple[Any, ...], value: Any, right: bool) -> None:
    record = json.loads(json.dumps(EXAMPLES[kind]))
    inner = record
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = value
    assert (agree(record) is None) == right


@pytest.mark.parametrize("kind", ["verse", "", None, 3, ["lock"], {}])
def test_types_that_are_not_known(kind: object) -> None:
    assert "is not known" in str(agree({"type": kind}))
    assert "is not known" in str(agree({}))


def test_a_manifest_with_a_beacon() -> None:
    beacon = {
        "net": "quicknet",
        "chain": H,
        "pk": "ab" * 96,
        "genesis": 1692803367,
        "period": 3,
        "delay": 3600,
    }
    assert agree({**EXAMPLES["manifest"], "beacon": beacon}) is None
    for key, value in (("period", 0), ("delay", -1), ("genesis", -1), ("pk", ""), ("net", "")):
        assert agree({**EXAMPLES["manifest"], "beacon": {**beacon, key: value}}) is not None


SHAPES: list[tuple[Shape, list[Any], list[tuple[Any, str]]]] = [
    (Text("[ab]+", 3), ["a", "aba"], [("", "v has not the form"), ("abab", "more than 3"), (1, "not text"), ("a\n", "form")]),
    (Text("", 2, frozenset({"no"})), ["", "xx"], [("no", "form"), ("xxx", "more than 2")]),
    (Whole(2, 4), [2, 3, 4], [(1, "from 2 to 4"), (5, "from 2 to 4"), (True, "not a number"), ("3", "not a number")]),
    (One(("a", "b")), ["a", "b"], [("c", "one of a, b"), (1, "one of a, b"), ([], "one of a, b")]),
    (AnyObject(), [{}, {"a": [1]}], [([], "not an object"), ("a", "not an object")]),
    (ListOf(Whole(1)), [[], [1, 2]], [({}, "not a list"), ([1, 0], "v.1 is not a number from 1"), ("", "not a list")]),
    (Fields({"a": Whole(1)}, {"b": Whole(1)}), [{"a": 1}], [([], "not an object"), ({"a": 1, "b": 0}, "v.b is not")]),
    (Fields({}, {"a": Whole(1), "b": Whole(1)}, ("a", "b")), [{"a": 1}, {"b": 1}],
     [({}, "one of a, b"), ({"a": 1, "b": 1}, "one of a, b")]),
    (Fields({}, {"a": Whole(1), "b": Whole(1)}, never_both=("a", "b")), [{}, {"a": 1}, {"b": 1}], [({"a": 1, "b": 1}, "both of a, b")]),
    (ListOf(Whole(1), 1), [[1], [1, 2]], [([], "v has nothing in it")]),
    (AnyOf((Whole(1, 1), Whole(3, 3))), [1, 3], [(2, "v is not a number from 1 to 1; or v is not a number from 3 to 3")]),
]  # fmt: skip


@pytest.mark.parametrize(("shape", "good", "bad"), SHAPES, ids=lambda item: type(item).__name__)
def test_shapes(shape: Shape, good: list[Any], bad: list[tuple[Any, str]]) -> None:
    validator = jsonschema.Draft7Validator(shape.schema())
    for value in good:
        assert shape.wrong(value, "v") is None
        assert validator.is_valid(value)
    for value, reason in bad:
        assert reason in str(shape.wrong(value, "v"))
        assert value == "a\n" or not validator.is_valid(value)


def test_lists_have_at_most_10000_entries() -> None:
    assert ListOf(Whole(1)).wrong([1] * 10_000, "v") is None
    assert ListOf(Whole(1)).wrong([1] * 10_001, "v") == "v has more than 10000 entries"
    assert AnyObject().wrong({"a": {"b": [[1] * 10_000]}}, "v") is None
    assert AnyObject().wrong({"a": {"b": [[1] * 10_001]}}, "v") == "v.a.b has more than 10000 entries"


@pytest.mark.parametrize("game", [friends_game(), umpire_game()], ids=["friends", "umpire"])
def test_what_the_builders_make_has_its_form(game: Any) -> None:
    for path, data in game.archive.items():
        if path.endswith(".json") and not path.startswith("state/"):
            assert agree(decode(data)) is None, path


def test_builders_with_everything() -> None:
    engine = {"name": "pbem", "version": "0.2", "sha256": H}
    following = records.announce(
        slot=4, phase="t1.a", waits=["red", "blue"], value="go", questions=[{"id": "q"}], due=T, engine=engine
    )
    assert following == {
        "slot": 4, "phase": "t1.a", "waits": ["blue", "red"], "value": "go", "questions": [{"id": "q"}], "due": T,
        "engine": engine,
    }  # fmt: skip
    made = records.start(
        game="game-0001",
        n=2,
        prev=H,
        at=T,
        joins={"b": H, "a": H2[:64]},
        state=H,
        following=following,
        note="hi",
    )
    assert made["note"] == "hi"
    assert [entry["seat"] for entry in made["joins"]] == ["a", "b"]
    beacon = {"net": "q", "chain": H, "pk": "ab", "genesis": 0, "period": 1, "delay": 0}
    first = records.manifest(
        game="game-0001", at=T, key="k", root=H, engine=engine, files={"tables/b": H, "scenario/a": H},
        ruleset={"id": "siege", "modules": [], "options": {}, "revision": 1},
        seats=[{"seat": "red", "side": "red", "by": "gm"}, {"seat": "blue", "side": "blue", "by": "player"}],
        beacon=beacon, note="n",
    )  # fmt: skip
    assert agree(first) is None
    assert (first["profile"], first["note"], first["beacon"]) == ("joint", "n", beacon)
    assert [file["path"] for file in first["files"]] == ["scenario/a", "tables/b"]
    assert [seat["seat"] for seat in first["seats"]] == ["blue", "red"]
    paper = records.receipt(game="game-0001", at=T, seat="blue", slot=3, sha512=H2, file="draft")
    assert agree(paper) is None
    assert agree(records.go(game="game-0001", seat="blue", slot=2, lock_id=H, luck="seven herons")) is None
    lock = records.lock(
        game="game-0001", n=3, prev=H, at=T, slot=1, entries={"b": (None, "go"), "a": (H2, "none")}
    )
    assert lock["entries"] == [{"seat": "a", "x": "none", "sha512": H2}, {"seat": "b", "x": "go"}]
    assert records.roll("a/b", 6, (1, 2)) == {"l": "a/b", "n": 2, "s": 6, "v": [1, 2]}


json_values = st.recursive(
    st.booleans() | st.integers(0, 3) | st.sampled_from([H, "blue", "gm", "-", T]),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(st.sampled_from(["seat", "x", "slot"]), inner, max_size=2)
    ),
    max_leaves=4,
)
keys = sorted({key for record in EXAMPLES.values() for key in record} - {"type"})


@settings(max_examples=150, deadline=None)
@given(
    st.sampled_from(sorted(EXAMPLES)),
    st.dictionaries(st.sampled_from(keys), json_values, max_size=2),
    st.integers(0, 3),
)
def test_code_and_schema_agree_on_any_record(kind: str, changes: dict[str, Any], drop: int) -> None:
    record = {**EXAMPLES[kind], **changes}
    for key in sorted(record)[:drop]:
        record.pop(key)
    agree(record)


def test_no_example_is_refused_as_bytes() -> None:
    for record in (*EXAMPLES.values(), REKEY_CONSENT):
        data = json.dumps(record, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"
        try:
            assert decode(data) == record
        except NotCanonical as wrong:
            pytest.fail(f"{record['type']}: {wrong}")
