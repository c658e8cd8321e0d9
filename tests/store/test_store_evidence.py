"""DKIM as evidence: what passes, what does not, whose it is, and that no signature takes long or harms."""

from __future__ import annotations

import base64
import sys
import time

import dkim
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from pbem.store import evidence as module
from pbem.store import library
from pbem.store.evidence import evidence

KEY = rsa.generate_private_key(65537, 2048)
PEM = KEY.private_bytes(
    serialization.Encoding.PEM, serialization.PrivateFormat.TraditionalOpenSSL, serialization.NoEncryption()
)
PUBLIC = KEY.public_key().public_bytes(
    serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
)
RECORD = f"v=DKIM1; k=rsa; p={base64.b64encode(PUBLIC).decode()}"
LETTER = (
    b"From: Bob <bob@mail.example.org>\r\nTo: orders@example.net\r\nSubject: "
    b"orders\r\n\r\nmove:\r\n- odo: 0712\r\n"
)
BOB = "bob@mail.example.org"


def signed(letter: bytes = LETTER, domain: str = "example.org", **more: object) -> bytes:
    headers = more.pop("include_headers", [b"from", b"subject"])
    return dkim.sign(letter, b"sel", domain.encode(), PEM, include_headers=headers, **more) + letter  # type: ignore[no-any-return]


def lookup(name: str) -> str:
    return RECORD if name.startswith("sel._domainkey.") else ""


def test_a_letter_that_is_signed() -> None:
    asked: list[str] = []

    def ask(name: str) -> str:
        asked.append(name)
        return RECORD

    assert evidence(signed(), BOB, ask) == {
        "domain": "example.org",
        "selector": "sel",
        "result": "pass",
        "aligned": True,
        "record": RECORD,
        "why": "",
    }
    assert asked == ["sel._domainkey.example.org"]


def test_a_letter_that_is_not_signed() -> None:
    assert evidence(LETTER, BOB, lookup) is None
    assert evidence(b"", BOB, lookup) is None
    assert evidence(b"Subject: x\r\n\r\nDKIM-Signature: v=1\r\n", BOB, lookup) is None


@pytest.mark.parametrize(
    ("old", "new"), [(b"0712", b"0713"), (b"Subject: orders", b"Subject: others"), (b"bob@", b"eve@")]
)
def test_a_letter_that_was_changed(old: bytes, new: bytes) -> None:
    found = evidence(signed().replace(old, new), BOB, lookup)
    assert found is not None
    assert (found["result"], found["aligned"], found["record"]) == ("fail", True, RECORD)
    assert found["why"]


def test_a_second_sender_is_noticed() -> None:
    found = evidence(b"From: eve@example.org\r\n" + signed(), BOB, lookup)
    assert found is not None
    assert found["result"] == "fail"


@pytest.mark.parametrize(
    ("domain", "sender", "aligned"),
    [
        ("example.org", "bob@example.org", True),
        ("example.org", "bob@EXAMPLE.org", True),
        ("example.org", "bob@mail.example.org", True),
        ("mail.example.org", "bob@example.org", False),
        ("ample.org", "bob@example.org", False),
        ("example.org", "bob@example.org.evil.net", False),
        ("org", "bob@example.org", False),
        ("example.org", "", False),
    ],
)
def test_whose_signature_it_is(domain: str, sender: str, aligned: bool) -> None:
    found = evidence(signed(domain=domain), sender, lookup)
    assert found is not None
    assert (found["result"], found["aligned"]) == ("pass", aligned)


def test_the_best_of_several_counts() -> None:
    both = signed(signed(), "list.example.com")
    found = evidence(both, BOB, lookup)
    assert found is not None
    assert (found["domain"], found["result"], found["aligned"]) == ("example.org", "pass", True)
    found = evidence(both.replace(b"d=example.org", b"d=other.org"), BOB, lookup)
    assert found is not None
    assert (found["domain"], found["result"], found["aligned"]) == ("list.example.com", "pass", False)
    found = evidence(signed(signed(signed(signed(), "a.com"), "b.com"), "c.com"), BOB, lookup)
    assert found is not None
    assert found["aligned"] is False


def test_a_signature_that_covers_too_little_says_nothing() -> None:
    found = evidence(signed(length=True) + b"- hal: 0101\r\n", BOB, lookup)
    assert found is not None
    assert (found["result"], found["why"]) == ("none", "part")
    body = signed()
    bare = body.replace(b"h=from : subject", b"h=subject")
    assert bare != body
    found = evidence(bare, BOB, lookup)
    assert found is not None
    assert (found["result"], found["why"]) == ("none", "no-sender")


@pytest.mark.parametrize(
    "record",
    [
        "",
        "v=DKIM1; p=",
        "nonsense",
        "v=DKIM1; k=rsa; p=AAAA",
        RECORD + " " * 1_500,
        "é",
        RECORD + "\x1b",
        "v=DKIM1; k=ed25519; p=AAAA",
    ],
)
def test_keys_that_are_none(record: str) -> None:
    found = evidence(signed(), BOB, lambda name: record)
    assert found is not None
    assert found["result"] in ("none", "fail")
    assert found["result"] == "fail" or not found["record"]
    assert found["record"] in ("", record)
    assert found["why"]


def test_a_name_server_that_raises_is_none() -> None:
    def broken(name: str) -> str:
        raise OSError("no net")

    found = evidence(signed(), BOB, broken)
    assert found is not None
    assert (found["result"], found["why"]) == ("none", "no-key")


@pytest.mark.parametrize(
    "field",
    [
        b"",
        b"v=1",
        b"v=2; a=rsa-sha256; b=AAAA; bh=AAAA; d=x.y; h=from; s=z",
        b"v=1; a=none; b=AAAA; bh=AAAA; d=x.y; h=from; s=z",
        b"v=1; a=rsa-sha256; b=!; bh=AAAA; d=x.y; h=from; s=z",
        b"v=1; a=rsa-sha256; b=AAAA; bh=AAAA; d=\xff.y; h=from; s=\x1b[2J",
        b"v=1; a=rsa-sha256; b=AAAA; bh=AAAA; d=x.y; h=from; s=" + b"z" * 300,
        b";;;===",
        b"v=1; v=1",
        b"v=1; a=rsa-sha256; b=AAAA; bh=AAAA; d=x.y; i=@evil; h=from; s=z",
        b"v=1; a=rsa-sha256; b=AAAA; bh=AAAA; d=x.y; h=from; s=z; x=1",
    ],
)
def test_signatures_that_are_none(field: bytes) -> None:
    found = evidence(b"DKIM-Signature: " + field + b"\r\n" + LETTER, BOB, lookup)
    assert found is not None
    assert (found["result"], found["why"]) in [("none", "malformed"), ("none", "no-key")]
    assert all(str(value).isprintable() for value in found.values())


@pytest.mark.parametrize(
    "letter",
    [
        signed() + b" " * 1_900_000,
        signed() + (b" " * 1000 + b"x") * 1_900,
        signed() + b"\n" * 1_900_000,
        signed() + b"x" * 2_100_000,
        b"X: y\r\n" * 600 + signed(),
        b"X: " + b" " * 60_000 + b"\r\n" + signed(),
        b"X: " + b"y" * 70_000 + b"\r\n" + signed(),
        b"DKIM-Signature: b=" + b" " * 60_000 + b"!\r\n" + LETTER,
        b"DKIM-Signature: h=" + b"from:" * 10_000 + b"\r\n" + LETTER,
    ],
    ids=range(9),
)
def test_letters_that_would_take_long_are_not_looked_at(letter: bytes) -> None:
    begun = time.process_time()
    assert evidence(letter, BOB, lookup) is None
    assert time.process_time() - begun < 2


def test_a_long_letter_is_looked_at_in_little_time() -> None:
    letter = LETTER + b"- odo: 0712   # a line of an order\r\n" * 20_000
    begun = time.process_time()
    found = evidence(signed(letter), BOB, lookup)
    assert time.process_time() - begun < 4
    assert found is not None
    assert found["result"] == "pass"


def test_every_reason_has_a_sentence() -> None:
    for why in (module.PART, module.NO_SENDER, module.NO_KEY, module.NO_FIT, module.MALFORMED):
        assert library.common_words().knows("phrases", f"dkim.{why}")


def test_without_dkimpy_there_is_no_evidence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "dkim", None)
    assert evidence(signed(), BOB, lookup) is None


def test_the_name_server_is_asked_for_a_text(monkeypatch: pytest.MonkeyPatch) -> None:
    import dns.resolver

    asked: list[tuple[object, ...]] = []

    class Text:
        strings = (RECORD[:200].encode(), RECORD[200:].encode())

    def resolve(*args: object, **options: object) -> list[Text]:
        asked.append((*args, options))
        return [Text()]

    monkeypatch.setattr(dns.resolver, "resolve", resolve)
    found = evidence(signed(), BOB)
    assert found is not None
    assert (found["result"], found["record"]) == ("pass", RECORD)
    assert asked == [("sel._domainkey.example.org", "TXT", {"lifetime": module.PATIENCE, "search": False})]

    def nobody(*args: object, **options: object) -> None:
        raise dns.resolver.NXDOMAIN

    monkeypatch.setattr(dns.resolver, "resolve", nobody)
    found = evidence(signed(), BOB)
    assert found is not None
    assert (found["result"], found["record"], found["why"]) == ("none", "", "no-key")
