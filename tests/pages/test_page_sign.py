"""Keys and signatures made in a browser are those of OpenSSH and pbem: held against both."""

from __future__ import annotations

import hashlib
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from playwright.sync_api import Page
from sign_page import HEADER, NAMESPACE, SCRIPTS, armoured, call, code, key_of
from table import Table

from pbem.post.orders import armour
from pbem.proof import orderfile, signing
from pbem.proof.dice_protocol import normal_words
from pbem.proof.known import Value
from pbem.renderers import page as shell
from pbem.store.library import common_words

# --- keys


def test_a_key_made_here_is_one_of_openssh(bare: Page, need: Callable[[str], str], tmp_path: Path) -> None:
    assert call(bare, "support") == {"signs": True, "keeps": True}
    key = call(bare, "make", "Ann’s phone\n")
    file = tmp_path / "id"
    file.write_text(key["file"])
    file.chmod(0o600)
    private = signing.load_private(file.read_bytes())
    assert signing.public_of(private).line == key["line"]
    assert signing.fingerprint(signing.parse_public(key["line"])) == key["fingerprint"]
    told = subprocess.run(
        [need("ssh-keygen"), "-y", "-f", str(file)], capture_output=True, text=True, check=True
    )
    assert told.stdout == f"{key['line']} Anns phone\n"
    shown = subprocess.run(
        [need("ssh-keygen"), "-l", "-f", str(file)], capture_output=True, text=True, check=True
    )
    assert key["fingerprint"] in shown.stdout
    again = call(bare, "load", key["file"])
    assert again == {**key, "file": None}


@pytest.mark.parametrize("comment", ["", "a", "ab@cd", "x" * 60])
def test_a_key_file_of_any_length_comes_back(bare: Page, comment: str) -> None:
    key = call(bare, "make", comment)
    assert signing.public_of(signing.load_private(key["file"].encode())).line == key["line"]
    assert call(bare, "load", key["file"])["comment"] == comment


def test_a_key_of_ssh_keygen_is_taken(bare: Page, need: Callable[[str], str], tmp_path: Path) -> None:
    file = tmp_path / "id"
    subprocess.run(
        [need("ssh-keygen"), "-q", "-t", "ed25519", "-N", "", "-C", "bob", "-f", str(file)], check=True
    )
    key = call(bare, "load", file.read_text())
    assert f"{key['line']} bob\n" == (tmp_path / "id.pub").read_text()


def test_a_key_stays_when_the_page_is_opened_again_and_cannot_be_read_out(bare: Page) -> None:
    key = call(bare, "make", "kept")
    bare.reload()
    assert {**key, "file": None} in call(bare, "kept")
    assert "SSH SIGNATURE" in call(bare, "sign", key["fingerprint"], NAMESPACE, "text")
    read = """async (fingerprint) => {
      const opening = indexedDB.open("pbem-sign", 1);
      const base = await new Promise((done) => { opening.onsuccess = () => done(opening.result); });
      const asked = base.transaction("keys").objectStore("keys").get(fingerprint);
      const found = await new Promise((done) => { asked.onsuccess = () => done(asked.result); });
      base.close();
      const tries = await Promise.allSettled([crypto.subtle.exportKey("pkcs8", found.private), crypto.subtle.exportKey("raw", found.root)]);
      return tries.map(({status}) => status);
    }"""
    assert bare.evaluate(read, key["fingerprint"]) == ["rejected", "rejected"]
    call(bare, "forget", key["fingerprint"])
    bare.reload()
    assert key["fingerprint"] not in {one["fingerprint"] for one in call(bare, "kept")}
    assert code(bare, "sign", key["fingerprint"], NAMESPACE, "text") == "sign-no-key"


def openssh(private: Any, password: bytes | None = None) -> str:
    lock = serialization.BestAvailableEncryption(password) if password else serialization.NoEncryption()
    return str(
        private.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.OpenSSH, lock).decode()
    )


def test_other_files_are_refused_and_said_what_they_are(
    bare: Page, tmp_path: Path, need: Callable[[str], str]
) -> None:
    table = Table(tmp_path)
    good = key_of(table, "south")
    lines = good.split("\n")
    harmed = "\n".join(
        [
            lines[0],
            lines[1],
            lines[2][:40] + ("A" if lines[2][40] != "A" else "B") + lines[2][41:],
            *lines[3:],
        ]
    )
    locked = tmp_path / "locked"
    subprocess.run([need("ssh-keygen"), "-q", "-t", "ed25519", "-N", "secret", "-f", str(locked)], check=True)
    pem = table.key("south").private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    wrong = {
        "": "sign-key-form",
        "hello": "sign-key-form",
        "x" * 100_000: "sign-key-form",
        "\n".join(lines[:2]): "sign-key-type",
        good[:120] + "*" + good[121:]: "sign-key-type",
        "\n".join([*lines[:2], *lines[-2:]]): "sign-key-form",
        harmed: "sign-key-harmed",
        locked.read_text(): "sign-key-locked",
        pem.decode(): "sign-key-type",
        openssh(rsa.generate_private_key(65537, 2048)): "sign-key-type",
        openssh(ec.generate_private_key(ec.SECP256R1())): "sign-key-type",
        signing.public_of(table.key("south")).line: "sign-key-public",
    }
    for text, expected in wrong.items():
        assert code(bare, "load", text) == expected, text[:80]
        assert common_words().knows("phrases", f"packet.{expected}")


def test_every_code_has_its_words() -> None:
    codes = set()
    for name in SCRIPTS:
        text = shell.part(name)
        codes |= {
            word
            for word in text.replace("`", '"').split('"')
            if word.startswith("sign-") and word.replace("-", "").isalpha()
        }
    ids = {
        "sign-said",
        "sign-key",
        "sign-armour",
        "sign-open",
        "sign-go",
        "sign-secret",
        "sign-value",
        "sign-asks",
    }
    missing = {
        one
        for one in codes - ids
        if not common_words().knows("phrases", f"packet.{one}") and not one.endswith("-")
    }
    assert missing == set()
    assert len(codes) > 40


# --- files


def test_a_file_signed_here_is_one_of_pbem_and_of_ssh_keygen(
    bare: Page, need: Callable[[str], str], tmp_path: Path
) -> None:
    key = call(bare, "load", key_of(Table(tmp_path), "south"))
    signed = call(bare, "signedOrders", key["fingerprint"], HEADER, "pull:\r\n- south-team pulls\n# Grüße\n")
    data = signed["file"].encode()
    read = orderfile.parse(data)
    assert (read.game, read.slot, read.seat, read.head, read.has_value) == (*HEADER.values(), False)
    assert read.yaml == "pull:\n- south-team pulls\n# Grüße\n".encode()
    assert data == orderfile.write(**HEADER, salt=read.salt, yaml=read.yaml)  # type: ignore[arg-type]
    signing.verify(
        signing.parse_public(key["line"]), NAMESPACE, hashlib.sha512(data).digest(), signed["signature"]
    )
    unpacked = armour.decode(signed["armour"])
    assert (unpacked.data, unpacked.signature) == (data, signed["signature"].encode())
    assert armour.encode(data, signed["signature"].encode()) == signed["armour"]
    assert (signed["name"], signed["final"]) == ("orders-s0003-south.txt", False)
    (tmp_path / "signers").write_text(f"south {key['line']}\n")
    (tmp_path / "orders.sig").write_text(signed["signature"])
    line = [
        need("ssh-keygen"),
        "-Y",
        "verify",
        "-f",
        "signers",
        "-I",
        "south",
        "-n",
        NAMESPACE,
        "-s",
        "orders.sig",
    ]
    told = subprocess.run(line, input=data, cwd=tmp_path, capture_output=True)
    assert told.returncode == 0, told.stderr
    spoilt = subprocess.run(line, input=data + b" ", cwd=tmp_path, capture_output=True)
    assert spoilt.returncode != 0


def test_two_files_have_two_salts(bare: Page, tmp_path: Path) -> None:
    key = call(bare, "load", key_of(Table(tmp_path), "south"))
    salts = {
        orderfile.parse(call(bare, "signedOrders", key["fingerprint"], HEADER, "x\n")["file"].encode()).salt
        for _ in range(2)
    }
    assert len(salts) == 2


SEEN = "cd" * 32 + " 2026-02-01T10:00:00Z"


@pytest.mark.parametrize(
    "more",
    [
        {"luck": "seven  drunken\u00a0herons"},
        {"x": "0" * 64},
        {"x": "0" * 64, "path": ["12" * 32, "34" * 32]},
        {"seen": SEEN},
        {"luck": "Zażółć gęślą \U0001f409"},
        {"x": "f" * 64, "seen": SEEN},
    ],
)
def test_what_else_stands_in_a_header(bare: Page, more: dict[str, Any]) -> None:
    data = bytes(call(bare, "orders", {**HEADER, **more}, "a: b\n"))
    read = orderfile.parse(data)
    luck = normal_words(more["luck"]) if "luck" in more else None
    seen = tuple(more["seen"].split(" ")) if "seen" in more else None
    value = Value(more["x"], tuple(more.get("path", ()))) if "x" in more else None
    assert (read.luck, read.value, read.seen) == (luck, value, seen)
    assert data == orderfile.write(
        **HEADER, salt=read.salt, yaml=b"a: b\n", luck=luck, value=value, seen=seen
    )  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({"game": "Tug"}, "sign-form"),
        ({"slot": 0}, "sign-form"),
        ({"slot": 10_001}, "sign-form"),
        ({"slot": "3"}, "sign-form"),
        ({"seat": "gm"}, "sign-form"),
        ({"seat": "south\n#x " + "0" * 64}, "sign-form"),
        ({"head": "AB" * 32}, "sign-form"),
        ({"x": "0" * 63}, "sign-form"),
        ({"x": "0" * 64, "path": ["0" * 63]}, "sign-form"),
        ({"path": ["0" * 64]}, "sign-form"),
        ({"x": "0" * 64, "luck": "seven drunken herons"}, "sign-form"),
        ({"seen": "then"}, "sign-form"),
        ({"luck": "seven"}, "sign-luck-short"),
        ({"luck": "x" * 101}, "sign-luck-long"),
        ({"luck": "seven \u202e herons"}, "sign-luck-letters"),
    ],
)
def test_a_header_that_pbem_would_not_read_is_not_written(
    bare: Page, more: dict[str, Any], expected: str
) -> None:
    assert code(bare, "orders", {**HEADER, **more}, "a: b\n") == expected


def test_a_file_that_is_too_long_is_not_written(bare: Page) -> None:
    assert code(bare, "orders", HEADER, "x" * orderfile.MAX_ORDERS) == "sign-too-long"


def test_signatures_are_verified_as_pbem_does(bare: Page, tmp_path: Path) -> None:
    table = Table(tmp_path)
    line = signing.public_of(table.key("south")).line
    data = b"some text\n"
    good = armoured(data, "pd1-gm/tug-0a1b2c", table)
    check = (
        "async ([line, use, text, armored]) => window.pbemSign.verify(line, use, "
        "window.pbemSign.utf8(text), armored)"
    )
    other = signing.public_of(table.key("north")).line
    cases = [
        ((line, "pd1-gm/tug-0a1b2c", "some text\n", good), True),
        ((other, "pd1-gm/tug-0a1b2c", "some text\n", good), False),
        ((line, "pd1-gm/other", "some text\n", good), False),
        ((line, "pd1-gm/tug-0a1b2c", "some texts\n", good), False),
        ((line, "pd1-gm/tug-0a1b2c", "some text\n", good.replace("A", "B", 1)), False),
        ((line, "pd1-gm/tug-0a1b2c", "some text\n", ""), False),
        ((line, "pd1-gm/tug-0a1b2c", "some text\n", good[:200]), False),
    ]
    for given, expected in cases:
        assert bare.evaluate(check, list(given)) is expected, given
