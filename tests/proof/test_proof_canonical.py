"""One record, one byte string."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.proof.canonical import MAX_FILE, NotCanonical, decode, encode, record_id


def test_the_bytes_are_sorted_tight_and_end_in_one_lf() -> None:
    record = {"b": [True, -1, {"z": "ä", "a": ""}], "a": 0, "c": False}
    assert encode(record) == '{"a":0,"b":[true,-1,{"a":"","z":"ä"}],"c":false}\n'.encode()
    assert decode(encode(record)) == record


def test_quotes_and_backslashes_come_back() -> None:
    record = {"a": 'say "no\\" [{', "b": ["}", "]"]}
    assert decode(encode(record)) == record


def test_id_is_the_sha256_of_the_file() -> None:
    assert record_id(b"{}\n") == "ca3d163bab055381827226140568f3bef7eaac187cebd76878e0b63e9e442356"


@pytest.mark.parametrize("number", [2**53 - 1, -(2**53) + 1, 0])
def test_numbers_below_2_to_the_53(number: int) -> None:
    assert decode(encode({"a": number})) == {"a": number}


def nested(depth: int) -> dict[str, Any]:
    value: Any = 1
    for _ in range(depth - 1):
        value = [value]
    return {"a": value}


def test_depth_of_16_is_the_last() -> None:
    assert decode(encode(nested(16))) == nested(16)
    with pytest.raises(NotCanonical, match="16 deep"):
        encode(nested(17))
    with pytest.raises(NotCanonical, match="16 deep"):
        decode(json.dumps(nested(17), separators=(",", ":")).encode() + b"\n")


def test_depth_counts_what_is_open_and_not_what_was() -> None:
    wide = {"a": [[[] for _ in range(30)] for _ in range(3)]}
    assert decode(encode(wide)) == wide
    objects = {"a": [{} for _ in range(40)]}
    assert decode(encode(objects)) == objects


@pytest.mark.parametrize("key", ["a", "a_9", "z" * 32])
def test_keys(key: str) -> None:
    assert decode(encode({key: 1})) == {key: 1}


@pytest.mark.parametrize("key", ["", "A", "9a", "_a", "a-b", "z" * 33, "ä", 3])
def test_bad_keys(key: Any) -> None:
    with pytest.raises(NotCanonical, match="the key"):
        encode({"ok": {key: 1}})


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (2**53, "2\\^53"),
        (-(2**53), "2\\^53"),
        (1.0, "float"),
        (None, "NoneType"),
        (b"x", "bytes"),
        ("\x1f", "control"),
        ("\x7f", "control"),
        ("\x9f", "control"),
        ("\ud800", "surrogates"),
        ("\udfff", "surrogates"),
        ("e\u0301", "NFC"),
    ],
)
def test_values_without_a_canonical_form(value: object, reason: str) -> None:
    with pytest.raises(NotCanonical, match=reason):
        encode({"a": [value]})


@pytest.mark.parametrize("letter", [" ", "~", "\xa0", "\u200b", "\U0001f3b2"])
def test_letters_at_the_border_are_text(letter: str) -> None:
    assert decode(encode({"a": letter})) == {"a": letter}


def test_tuples_are_lists() -> None:
    assert encode({"a": (1, 2)}) == b'{"a":[1,2]}\n'


def test_only_objects_are_records() -> None:
    with pytest.raises(NotCanonical, match="not an object"):
        encode([1])  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "not JSON"),
        (b"\n", "not JSON"),
        (b"1\n", "not an object"),
        (b"{}", "not the canonical"),
        (b"{}\n\n", "not the canonical"),
        (b" {}\n", "not the canonical"),
        (b"{}\r\n", "not the canonical"),
        (b'{"a":1e2}\n', "not whole"),
        (b'{"a":NaN}\n', "not whole"),
        (b'{"a":-0}\n', "not the canonical"),
        (b'{"a":"\xff"}\n', "UTF-8"),
        (b"\xef\xbb\xbf{}\n", "not JSON"),
        ('{"a":1}\n'.encode("utf-16"), "UTF-8"),
        (b'{"a":"\\ud800"}\n', "surrogates"),
        (b'{"a":"\\/"}\n', "not the canonical"),
        (b'{"a":' + b"9" * 5000 + b"}\n", "not JSON"),
        (b'{"a":"' + b"\\" * 3, "not JSON"),
    ],
)
def test_bytes_that_are_no_record(data: bytes, reason: str) -> None:
    with pytest.raises(NotCanonical, match=reason):
        decode(data)


@pytest.mark.parametrize(
    "data",
    [b"[" * 100_000, b'{"a":' * 100_000, b'"' + b'\\"' * 500_000, b'{"a":"' * 200_000, b"]" * 100_000],
    ids=["lists", "objects", "one string", "strings", "ends"],
)
def test_hostile_bytes_are_refused_at_once(data: bytes) -> None:
    with pytest.raises(NotCanonical):
        decode(data)


def test_16_mib_is_the_limit() -> None:
    frame = len(b'{"a":""}\n')
    data = b'{"a":"' + b"x" * (MAX_FILE - frame) + b'"}\n'
    assert len(data) == MAX_FILE == 16 * 1024 * 1024
    assert len(decode(data)["a"]) == MAX_FILE - frame
    with pytest.raises(NotCanonical, match="16 MiB"):
        decode(data + b"\n")


json_values = st.recursive(
    st.booleans() | st.integers(-(2**54), 2**54) | st.text(max_size=5) | st.none() | st.floats(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=150, deadline=None)
@given(st.dictionaries(st.sampled_from(["a", "b", "c1"]), json_values, max_size=3))
def test_a_value_has_one_byte_string_or_none(record: dict[str, Any]) -> None:
    try:
        data = encode(record)
    except NotCanonical:
        return
    assert decode(data) == record
    assert encode(decode(data)) == data


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=40) | st.text(alphabet='{}[]",:\\u0a1e.-\n ', max_size=40).map(str.encode))
def test_any_bytes_are_a_record_or_refused(data: bytes) -> None:
    try:
        record = decode(data)
    except NotCanonical:
        return
    assert encode(record) == data
