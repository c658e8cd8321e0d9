"""Keys and signatures: the same ones as ssh-keygen makes and checks."""

from __future__ import annotations

import base64
import hashlib
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from hypothesis import given, settings
from hypothesis import strategies as st
from proof_simulator import line, private

from pbem.proof import curve, signing
from pbem.proof.signing import BadKey, BadSignature, PublicKey

KEY = private("blue")
PUBLIC = signing.public_of(KEY)
DATA = b"orders\n"
DIGEST = hashlib.sha512(DATA).digest()
SPACE = "pd1-orders/siege-0a1b2c/1/blue/" + "ab" * 32
GOOD = signing.sign(KEY, SPACE, DATA)


def reason(armored: str, public: PublicKey = PUBLIC, namespace: str = SPACE, digest: bytes = DIGEST) -> str:
    with pytest.raises(BadSignature) as caught:
        signing.verify(public, namespace, digest, armored)
    assert str(caught.value) == caught.value.reason
    return caught.value.reason


def test_a_signature_holds_for_key_namespace_and_bytes() -> None:
    signing.verify(PUBLIC, SPACE, DIGEST, GOOD)
    assert reason(GOOD, public=signing.public_of(private("red"))) == "key"
    assert reason(GOOD, namespace=SPACE + "0") == "namespace"
    assert reason(GOOD, digest=hashlib.sha512(b"other").digest()) == "bytes"
    assert signing.namespace_of(GOOD) == SPACE


def blob(armored: str = GOOD) -> bytearray:
    return bytearray(base64.b64decode("".join(armored.split("\n")[1:-2])))


def test_s_plus_l_is_refused() -> None:
    changed = blob()
    s = int.from_bytes(changed[-32:], "little")
    changed[-32:] = (s + curve.L).to_bytes(32, "little")
    assert reason(signing.armor(bytes(changed))) == "bytes"


@pytest.mark.parametrize("s", [curve.L, curve.L - 1])
def test_s_at_the_border(s: int) -> None:
    changed = blob()
    changed[-32:] = s.to_bytes(32, "little")
    assert reason(signing.armor(bytes(changed))) == "bytes"


def test_every_byte_of_a_signature_counts() -> None:
    data = GOOD.encode()
    for at in range(len(data)):
        flipped = data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]
        with pytest.raises(BadSignature):
            signing.verify(PUBLIC, SPACE, DIGEST, flipped.decode("ascii"))


def test_every_byte_of_the_blob_counts() -> None:
    whole = bytes(blob())
    for at in range(len(whole)):
        changed = whole[:at] + bytes([whole[at] ^ 0x80]) + whole[at + 1 :]
        with pytest.raises(BadSignature):
            signing.verify(PUBLIC, SPACE, DIGEST, signing.armor(changed))


def test_every_cut_of_the_blob_is_refused() -> None:
    whole = bytes(blob())
    for size in range(1, len(whole)):
        assert reason(signing.armor(whole[:size])) == "form"
    assert reason(signing.armor(whole + b"\0")) == "form"


def wrapped(width: int) -> str:
    packed = "".join(GOOD.split("\n")[1:-2])
    lines = [packed[at : at + width] for at in range(0, len(packed), width)]
    return "\n".join([GOOD.split("\n")[0], *lines, GOOD.split("\n")[-2], ""])


@pytest.mark.parametrize(
    "armored",
    [
        GOOD[:-1],
        GOOD + "\n",
        "\n \r\n" + GOOD + "\r\n\r\n",
        " " + GOOD,
        GOOD.replace("\n", "\r\n"),
        GOOD.replace("\n", "\n\n"),
        GOOD.replace("\n", " \n"),
        GOOD.replace("\nU1NIU0lH", "\nU1NIU0lH\n", 1),
        wrapped(64),
        wrapped(76),
        wrapped(4),
    ],
    ids=range(11),
)
def test_however_a_mail_wraps_a_signature_it_is_the_same(armored: str) -> None:
    signing.verify(PUBLIC, SPACE, DIGEST, armored)
    assert signing.armored_in(b"\xef\xbb\xbf" + armored.encode()) == armored


@pytest.mark.parametrize(
    "armored",
    [
        "",
        "\n",
        wrapped(77),
        GOOD + "x",
        "x\n" + GOOD,
        GOOD + GOOD,
        GOOD.replace("=\n", "\n"),
        GOOD.replace("=\n", "==\n"),
        GOOD.replace("\nU", "\n=U", 1),
        GOOD.replace("U1NIU0lH", "U1NI U0lH"),
        GOOD.replace("U1NIU0lH", "U1NI\x0bU0lH"),
        GOOD.replace("-----BEGIN", "-----begin"),
        GOOD.replace("\nU", "\nÜ", 1),
        "\n".join(GOOD.split("\n")[::2]),
        GOOD + "\n" * 4096,
    ],
    ids=range(15),
)
def test_what_is_no_armor(armored: str) -> None:
    assert reason(armored) == "armor"


def test_unused_bits_have_one_spelling() -> None:
    packed = "".join(GOOD.split("\n")[1:-2])
    assert packed.endswith("=")
    at = -2 if not packed.endswith("==") else -3
    letter = packed[at]
    other = next(
        one
        for one in "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
        if one != letter
        and base64.b64decode(packed[:at] + one + packed[at + 1 :] if at + 1 else packed)
        == base64.b64decode(packed)
    )
    assert (
        reason(GOOD.replace(f"{letter}{packed[at + 1 :]}\n-----END", f"{other}{packed[at + 1 :]}\n-----END"))
        == "armor"
    )


def test_armor_is_bounded() -> None:
    wide = signing.sign(KEY, "n" * 2000, DATA)
    assert len(wide) < signing.MAX_ARMOR == 4096
    signing.verify(PUBLIC, "n" * 2000, DIGEST, wide)
    huge = signing.sign(KEY, "n" * 4000, DATA)
    assert reason(huge, namespace="n" * 4000) == "armor"


def rebuilt(**parts: bytes) -> str:
    string = signing._string
    wrapped = parts.get(
        "wrapped", string(parts.get("kind", b"ssh-ed25519")) + string(parts.get("sig", b"s" * 64))
    )
    wrapped += parts.get("tail", b"")
    return signing.armor(
        parts.get("magic", b"SSHSIG")
        + parts.get("version", b"\0\0\0\1")
        + string(parts.get("key", PUBLIC.blob))
        + string(parts.get("space", SPACE.encode()))
        + string(parts.get("reserved", b""))
        + string(parts.get("hash", b"sha512"))
        + string(wrapped)
        + parts.get("rest", b"")
    )


@pytest.mark.parametrize(
    "parts",
    [
        {"magic": b"SSHSIH"},
        {"version": b"\0\0\0\2"},
        {"reserved": b"r"},
        {"hash": b"sha256"},
        {"kind": b"ssh-ed25518"},
        {"sig": b"s" * 63},
        {"sig": b"s" * 65},
        {"tail": b"t"},
        {"rest": b"r"},
        {"wrapped": b"\0\0\0\xff"},
    ],
    ids=str,
)
def test_other_forms(parts: dict[str, bytes]) -> None:
    assert reason(rebuilt(**parts)) == "form"
    assert reason(rebuilt()) == "bytes"


def test_the_key_that_a_signature_names() -> None:
    assert signing.signer_of(GOOD) == PUBLIC
    for key in (b"", PUBLIC.raw, PUBLIC.blob[1:], PUBLIC.blob + b"0"):
        with pytest.raises(BadSignature, match="form"):
            signing.signer_of(rebuilt(key=key))
    with pytest.raises(BadSignature, match="armor"):
        signing.signer_of("no")


def test_a_namespace_is_text() -> None:
    with pytest.raises(BadSignature, match="namespace"):
        signing.namespace_of(rebuilt(space=b"\xff"))
    with pytest.raises(BadSignature, match="armor"):
        signing.namespace_of("no")


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=80) | st.binary(max_size=200).map(signing.armor))
def test_any_text_is_refused_and_nothing_else(armored: str) -> None:
    with pytest.raises(BadSignature):
        signing.verify(PUBLIC, SPACE, DIGEST, armored)


# keys


def test_a_public_key_and_its_line() -> None:
    assert signing.parse_public(line("blue")) == PUBLIC
    assert line("blue").startswith("ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI")


def key_line(raw: bytes, kind: bytes = b"ssh-ed25519") -> str:
    return f"ssh-ed25519 {base64.b64encode(signing._string(kind) + signing._string(raw)).decode()}"


@pytest.mark.parametrize(
    "text",
    [
        "",
        line("blue") + " me@home",
        line("blue") + "\n",
        " " + line("blue"),
        line("blue")[:-1],
        line("blue").replace("ssh-ed25519", "ssh-rsa"),
        key_line(PUBLIC.raw, b"ssh-ed25510"),
        key_line(PUBLIC.raw[:-1]),
        key_line(PUBLIC.raw + b"\0"),
    ],
)
def test_lines_that_are_no_key(text: str) -> None:
    with pytest.raises(BadKey) as caught:
        signing.parse_public(text)
    assert caught.value.reason == "form"


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=90) | st.binary(min_size=32, max_size=32).map(key_line))
def test_any_text_is_a_key_or_refused(text: str) -> None:
    try:
        assert signing.parse_public(text).line == text
    except BadKey as wrong:
        assert wrong.reason in ("form", "order")


SMALL_ORDER = [
    "0100000000000000000000000000000000000000000000000000000000000000",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "0000000000000000000000000000000000000000000000000000000000000000",
    "0000000000000000000000000000000000000000000000000000000000000080",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
]
NOT_CANONICAL = [
    "0100000000000000000000000000000000000000000000000000000000000080",
    "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
]
NO_POINT = ["0200000000000000000000000000000000000000000000000000000000000000"]


@pytest.mark.parametrize("raw", [*SMALL_ORDER, *NOT_CANONICAL, *NO_POINT])
def test_points_that_are_no_key(raw: str) -> None:
    assert not curve.is_prime_order(bytes.fromhex(raw))
    with pytest.raises(BadKey) as caught:
        signing.parse_public(key_line(bytes.fromhex(raw)))
    assert caught.value.reason == "order"


def test_a_point_of_mixed_order_is_no_key() -> None:
    point = curve._point(PUBLIC.raw)
    twisted = curve._point(bytes.fromhex(SMALL_ORDER[4]))
    assert point is not None
    assert twisted is not None
    x, y, z, _ = curve._add(point, twisted)
    inverse = pow(z, curve.P - 2, curve.P)
    x, y = x * inverse % curve.P, y * inverse % curve.P
    mixed = (y | (x & 1) << 255).to_bytes(32, "little")
    assert curve._point(mixed) is not None
    assert not curve.is_prime_order(mixed)


def test_a_second_spelling_of_a_point_is_none() -> None:
    points = [y for y in range(19) if curve._point(y.to_bytes(32, "little"))]
    assert points[:3] == [0, 1, 3]
    assert [y for y in points if curve._point((curve.P + y).to_bytes(32, "little"))] == []


@pytest.mark.parametrize("size", [0, 31, 33])
def test_a_key_has_32_bytes(size: int) -> None:
    assert not curve.is_prime_order(PUBLIC.raw[:1] * size)


@pytest.mark.parametrize("name", [f"key {n}" for n in range(6)])
def test_honest_keys_are_of_prime_order(name: str) -> None:
    assert curve.is_prime_order(signing.public_of(private(name)).raw)


def test_private_keys_come_back() -> None:
    made = signing.new_private()
    assert made.private_bytes_raw() != signing.new_private().private_bytes_raw()
    plain = signing.private_to_openssh(made)
    assert plain.startswith(b"-----BEGIN OPENSSH PRIVATE KEY-----")
    assert signing.load_private(plain).private_bytes_raw() == made.private_bytes_raw()


def test_files_that_are_no_private_key() -> None:
    with pytest.raises(BadKey) as caught:
        signing.load_private(b"hello")
    assert caught.value.reason == "private"
    with pytest.raises(BadKey) as caught:
        signing.load_private(b"hello", b"secret")
    assert caught.value.reason == "password"
    other = ec.generate_private_key(ec.SECP256R1()).private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.OpenSSH, serialization.NoEncryption()
    )
    with pytest.raises(BadKey) as caught:
        signing.load_private(other)
    assert caught.value.reason == "type"


def test_nothing_heavy_is_loaded_before_it_is_used() -> None:
    code = "import sys, pbem.proof.verify, pbem.proof.explain; sys.exit('cryptography' in sys.modules)"
    assert (
        subprocess.run([sys.executable, "-c", code], cwd=Path(__file__).parents[2], check=False).returncode
        == 0
    )


# the real program


def run(*words: str, data: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(words, input=data, capture_output=True, check=False, timeout=60)


def test_ssh_keygen_verifies_ours(tmp_path: Path, need: Callable[[str], str]) -> None:
    program = need("ssh-keygen")
    (tmp_path / "allowed").write_text(f'blue@game namespaces="pd1-orders/*" {line("blue")}\n')
    (tmp_path / "sig").write_text(GOOD)
    words = [
        program,
        "-Y",
        "verify",
        "-f",
        str(tmp_path / "allowed"),
        "-I",
        "blue@game",
        "-s",
        str(tmp_path / "sig"),
    ]
    assert run(*words, "-n", SPACE, data=DATA).returncode == 0
    assert run(*words, "-n", SPACE + "0", data=DATA).returncode != 0
    assert run(*words, "-n", SPACE, data=DATA + b"!").returncode != 0


def test_ours_verifies_ssh_keygen(tmp_path: Path, need: Callable[[str], str]) -> None:
    program = need("ssh-keygen")
    key = tmp_path / "id"
    assert run(program, "-q", "-t", "ed25519", "-N", "", "-C", "me", "-f", str(key)).returncode == 0
    (tmp_path / "orders.txt").write_bytes(DATA)
    assert (
        run(program, "-Y", "sign", "-f", str(key), "-n", SPACE, str(tmp_path / "orders.txt")).returncode == 0
    )
    public = signing.parse_public(key.with_suffix(".pub").read_text().rsplit(" ", 1)[0])
    signing.verify(public, SPACE, DIGEST, (tmp_path / "orders.txt.sig").read_text())
    loaded = signing.load_private(key.read_bytes())
    assert signing.sign(loaded, SPACE, DATA) == (tmp_path / "orders.txt.sig").read_text()
    shown = run(program, "-l", "-f", str(key)).stdout.decode()
    assert signing.fingerprint(public) in shown.split()


def test_locked_keys(tmp_path: Path, need: Callable[[str], str], monkeypatch: pytest.MonkeyPatch) -> None:
    key = tmp_path / "id"
    run(need("ssh-keygen"), "-q", "-t", "ed25519", "-N", "secret", "-f", str(key))
    with pytest.raises(BadKey) as caught:
        signing.load_private(key.read_bytes())
    assert caught.value.reason == "password"

    def without_bcrypt(*_: object) -> None:
        raise UnsupportedAlgorithm("Need bcrypt module")

    monkeypatch.setattr(serialization, "load_ssh_private_key", without_bcrypt)
    with pytest.raises(BadKey) as caught:
        signing.load_private(key.read_bytes(), b"secret")
    assert caught.value.reason == "unsupported"
