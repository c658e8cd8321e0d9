"""Files that come with letters: archives within their bounds, Outlook's winmail.dat, S/MIME shells, names
that are not harmless.
"""

from __future__ import annotations

import base64
import datetime
import io
import random
import stat
import zipfile
from struct import pack

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, pkcs7
from hypothesis import given
from hypothesis import strategies as st
from tnefparse import TNEF

from pbem.post.lines.message import Message
from pbem.post.mail import files, mime, smime, winmail
from pbem.post.mail.files import Bag

ORDERS = b"side: west\nmove:\n- odo to 0713\n"


def packed(entries: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as archive:
        for name, data in entries.items():
            archive.writestr(name, data)
    return stream.getvalue()


def offered(data: bytes, name: str = "orders.zip", kind: str = "application/zip") -> Bag:
    bag = Bag()
    files.offer(bag, name, kind, data)
    return bag


def codes(bag: Bag | Message) -> list[str]:
    return [problem.code for problem in (bag.refused if isinstance(bag, Message) else bag.problems)]


# --- archives


def test_what_is_in_an_archive_is_read() -> None:
    bag = offered(
        packed({"west.yaml": ORDERS, "notes/readme.TXT": b"hi", "map.png": b"\x89PNG", "notes/": b""})
    )
    assert [(file.name, file.data) for file in bag.files] == [
        ("orders.zip/west.yaml", ORDERS),
        ("orders.zip/notes/readme.TXT", b"hi"),
    ]
    assert codes(bag) == []
    text = bag.files[0].text
    assert text is not None
    assert [line.text for line in text.lines] == ["side: west", "move:", "- odo to 0713"]


def test_an_archive_is_known_by_its_first_bytes_where_its_name_got_lost() -> None:
    data = packed({"west.yaml": ORDERS})
    assert [file.name for file in offered(data, "", "application/zip").files] == ["unnamed.zip/west.yaml"]
    assert offered(data, "orders.zip", "application/octet-stream").files
    assert not offered(data, "", "application/octet-stream").files
    assert not offered(data, "report.docx", "application/octet-stream").files


def test_what_a_mac_and_windows_add_is_passed_over() -> None:
    debris = ("__MACOSX/._west.yaml", "._a.txt", ".DS_Store", "desktop.ini", "a/Thumbs.db")
    bag = offered(packed({"west.yaml": ORDERS, **dict.fromkeys(debris, b"\0\5\x16\7")}))
    assert [file.name for file in bag.files] == ["orders.zip/west.yaml"]


@pytest.mark.parametrize(
    "path",
    [
        "../../etc/west.yaml",
        "/etc/west.yaml",
        "C:\\x\\west.yaml",
        "..\\west.yaml",
        "a/../../../west.yaml",
        "west.yaml\u202e",
    ],
)
def test_no_name_leads_out_of_an_archive(path: str) -> None:
    for file in offered(packed({path: ORDERS})).files:
        assert file.name.startswith("orders.zip/")
        assert ".." not in file.name
        assert "\\" not in file.name
        assert "\u202e" not in file.name


def test_links_archives_within_and_documents_are_refused() -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        link = zipfile.ZipInfo("west.yaml")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(link, "/etc/passwd")
        archive.writestr("inner.zip", packed({"west.yaml": ORDERS}))
        archive.writestr("orders.docx", b"x")
    bag = offered(stream.getvalue())
    assert bag.files == []
    assert codes(bag) == ["mail.zip-link", "mail.zip-nested", "mail.file-kind"]


def test_an_archive_with_a_password_is_refused() -> None:
    data = bytearray(packed({"west.yaml": ORDERS}))
    for mark, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.find(mark) + place] |= 1
    assert codes(offered(bytes(data))) == ["mail.zip-encrypted"]


def test_bombs_are_unpacked_up_to_the_limit_and_no_further() -> None:
    bag = offered(packed({"west.yaml": b"a" * 50_000_000}))
    assert codes(bag) == ["mail.zip-bomb"]
    assert bag.files == []


def test_a_size_that_lies_does_not_help() -> None:
    data = bytearray(packed({"west.yaml": b"a" * 5_000_000}))
    for mark, place in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        at = data.find(mark) + place
        data[at : at + 4] = pack("<I", 10)
    bag = offered(bytes(data))
    assert all(len(file.data) <= 10 for file in bag.files)
    assert codes(bag) == ["mail.zip-broken"] or bag.files


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_methods_that_unpack_without_bounds_are_refused(method: int) -> None:
    assert codes(offered(packed({"west.yaml": ORDERS}, method))) == ["mail.zip-broken"]


def test_too_many_entries_are_not_even_listed() -> None:
    assert codes(offered(packed({f"{number}.png": b"" for number in range(21)}))) == ["mail.zip-too-many"]
    assert codes(offered(packed({f"{number}.txt": b"" for number in range(5_000)}))) == ["mail.zip-too-many"]
    assert codes(offered(packed({f"{number}.txt": b"x" for number in range(20)}))) == []


@given(st.integers(0, 10_000), st.integers(1, 6))
def test_a_broken_archive_never_raises(seed: int, changes: int) -> None:
    chance = random.Random(seed)
    data = bytearray(packed({"west.yaml": ORDERS * 5, "a/b.txt": b"x" * 100}))
    for _ in range(changes):
        data[chance.randrange(len(data))] = chance.randrange(256)
    if chance.random() < 0.3:
        del data[chance.randrange(len(data)) :]
    bag = offered(bytes(data))
    assert all(len(file.data) <= files.LONGEST for file in bag.files)


# --- bounds and names


def test_files_too_many_and_too_big() -> None:
    bag = Bag()
    for number in range(files.MOST + 5):
        files.offer(bag, f"{number}.txt", "text/plain", b"x")
    assert len(bag.files) == files.MOST
    assert codes(bag) == ["mail.too-many-files"]
    assert codes(offered(b"x" * (files.LONGEST + 1), "west.yaml", "")) == ["mail.file-too-big"]
    assert offered(b"\n" * files.LONGEST, "west.yaml", "").files[0].text is None


@pytest.mark.parametrize(
    ("name", "harmless"),
    [
        ("west.yaml", "west.yaml"),
        ("../../etc/passwd", "passwd"),
        ("C:\\Users\\ann\\west.yaml", "west.yaml"),
        ("we\u202est\u200b.yaml\0", "west.yaml"),
        (' "west.yaml" ', "west.yaml"),
        ("..", ""),
        ("/", ""),
        (".hidden.yaml", "hidden.yaml"),
        ("a\r\nBcc: x@y.txt", "a Bcc: x@y.txt"),
        ("<script>.txt", "script>.txt"),
        ("größe.yaml", "größe.yaml"),
    ],
)
def test_names_are_made_harmless(name: str, harmless: str) -> None:
    assert files.harmless(name) == harmless


def test_a_long_name_keeps_its_end() -> None:
    short = files.harmless("a" * 5_000 + ".yaml")
    assert len(short) == 100
    assert short.endswith(".yaml")


def test_what_a_file_says_is_read_in_any_set() -> None:
    text = "note: größer\r\nmove:\r\n- odo\r\n"
    for data in (text.encode(), text.encode("utf-8-sig"), text.encode("utf-16"), text.encode("cp1252")):
        file = offered(data, "west.txt", "text/plain").files[0]
        assert file.data == data
        assert file.text is not None
        assert [line.text for line in file.text.lines] == ["note: größer", "move:", "- odo"]
    assert [problem.code for problem in file.text.assumed] == ["mail.charset-none"]


# --- winmail.dat


def attribute(level: int, number: int, kind: int, value: bytes) -> bytes:
    return pack("<BHHI", level, number, kind, len(value)) + value + pack("<H", sum(value) & 0xFFFF)


def prop(tag: int, kind: int, value: bytes) -> bytes:
    padded = value + b"\0" * (-len(value) % 4)
    return pack("<HH", kind, tag) + (
        pack("<II", 1, len(value)) + padded if kind in (0x1E, 0x1F, 0x102, 0x0D) else padded
    )


def props(*each: bytes) -> bytes:
    return pack("<I", len(each)) + b"".join(each)


def wide(text: str) -> bytes:
    return text.encode("utf-16-le") + b"\0\0"


HEAD = (
    winmail.SIGNATURE
    + b"\1\0"
    + attribute(1, 0x9006, 8, pack("<I", 0x10000))
    + attribute(1, 0x9007, 6, pack("<II", 1252, 0))
)
TITLED = (
    attribute(2, 0x9002, 6, b"\1\0" + b"\0" * 12)
    + attribute(2, 0x8010, 1, b"WEST~1.YAM\0")
    + attribute(2, 0x800F, 6, ORDERS)
    + attribute(
        2, 0x9005, 6, props(prop(0x3707, 0x1F, wide("west größe.yaml")), prop(0x0E21, 3, pack("<I", 0)))
    )
)
IN_PROPERTIES = attribute(2, 0x9002, 6, b"\1\0" + b"\0" * 12) + attribute(
    2,
    0x9005,
    6,
    props(prop(0x3704, 0x1E, b"map.png\0"), prop(0x3701, 0x102, b"\x89PNG"), prop(0x3001, 0x1E, b"map\0")),
)


def test_winmail_holds_files_and_text() -> None:
    body = attribute(
        1, 0x9003, 6, props(prop(0x1000, 0x1F, wide("move:\r\n- odo")), prop(0x3FDE, 3, pack("<I", 65001)))
    )
    data = HEAD + body + TITLED + IN_PROPERTIES
    found = winmail.unpack(data)
    assert found.files == [("west größe.yaml", ORDERS), ("map.png", b"\x89PNG")]
    assert found.text == "move:\r\n- odo"
    assert not found.broken
    theirs = TNEF(data, do_checksum=True)
    assert [each.data for each in theirs.attachments] == [content for _, content in found.files]
    assert theirs.attachments[0].long_filename().rstrip("\0") == found.files[0][0]


def test_winmail_in_every_older_way() -> None:
    assert winmail.unpack(HEAD + attribute(1, 0x800C, 2, b"hello\0")).text == "hello"
    assert (
        winmail.unpack(HEAD + attribute(1, 0x9003, 6, props(prop(0x1013, 0x102, b"<p>x</p>")))).html
        == b"<p>x</p>"
    )
    named = (
        pack("<HH", 0x1F, 0x8005)
        + b"\0" * 16
        + pack("<II", 1, 6)
        + wide("ab")
        + b"\0\0"
        + pack("<II", 1, 4)
        + wide("x")
        + b""
    )
    assert (
        winmail.unpack(HEAD + attribute(1, 0x9003, 6, props(named, prop(0x1000, 0x1E, b"hi\0")))).text == "hi"
    )
    numbered = pack("<HH", 3, 0x8006) + b"\0" * 16 + pack("<II", 0, 77) + pack("<I", 5)
    many = pack("<HH", 0x1003, 0x6000) + pack("<I", 2) + pack("<II", 1, 2)
    assert (
        winmail.unpack(
            HEAD + attribute(1, 0x9003, 6, props(numbered, many, prop(0x1000, 0x1E, b"hi\0")))
        ).text
        == "hi"
    )


def outlook(data: bytes, text: str = "") -> Message:
    said = f"--B\nContent-Type: text/plain\n\n{text}\n" if text else ""
    part = (
        "--B\nContent-Type: application/ms-tnef; name=winmail.dat\nContent-Transfer-Encoding: base64\n\n"
        f"{base64.b64encode(data).decode()}"
    )
    return mime._read(
        f"From: a@b.org\nContent-Type: multipart/mixed; boundary=B\n\n{said}{part}\n--B--\n".encode()
    )


def test_a_letter_of_outlook() -> None:
    body = attribute(1, 0x9003, 6, props(prop(0x1000, 0x1F, wide("packed"))))
    got = outlook(HEAD + body + TITLED, "packed")
    assert [file.name for file in got.files] == ["west größe.yaml"]
    assert [line.text for text in got.texts for line in text.lines] == ["packed"]
    footed = outlook(HEAD + body, "____\nfooter of a list")
    assert [[line.text for line in text.lines] for text in footed.texts] == [
        ["____", "footer of a list"],
        ["packed"],
    ]
    alone = outlook(HEAD + body)
    assert [line.text for text in alone.texts for line in text.lines] == ["packed"]
    page = outlook(HEAD + attribute(1, 0x9003, 6, props(prop(0x1013, 0x102, b"<p>x</p><p>y</p>"))))
    assert [(text.kind, [line.text for line in text.lines]) for text in page.texts] == [
        ("html", ["x", "", "y"])
    ]
    rich = outlook(HEAD + attribute(1, 0x9003, 6, props(prop(0x1009, 0x102, b"LZFu"))))
    assert codes(rich) == ["mail.winmail-text"]
    assert codes(outlook(HEAD + TITLED[:60])) == ["mail.winmail-broken"]
    assert codes(outlook(b"nonsense")) == ["mail.winmail-broken"]


@given(st.integers(0, 10_000))
def test_a_broken_winmail_never_raises(seed: int) -> None:
    chance = random.Random(seed)
    data = bytearray(
        HEAD + attribute(1, 0x9003, 6, props(prop(0x1000, 0x1F, wide("move:")))) + TITLED + IN_PROPERTIES
    )
    for _ in range(chance.randrange(1, 8)):
        data[chance.randrange(4, len(data))] = chance.choice((0, 1, 255, 128, chance.randrange(256)))
    found = winmail.unpack(bytes(data))
    assert len(found.files) < 10


def test_a_hostile_winmail_is_read_in_one_pass() -> None:
    assert len(winmail.unpack(HEAD + attribute(2, 0x9002, 6, b"") * 100_000).files) < 6_000
    endless = pack("<I", 0xFFFFFFFF) + pack("<HHI", 0x101E, 0x3001, 0xFFFFFFFF) + pack("<I", 0) * 100_000
    assert winmail.unpack(HEAD + attribute(1, 0x9003, 6, endless)).text == ""


# --- S/MIME


@pytest.fixture(name="shell", scope="module")
def shell_fixture() -> bytes:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "ann")])
    begin, end = datetime.datetime(2026, 1, 1), datetime.datetime(2046, 1, 1)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
    )
    certificate = made.not_valid_before(begin).not_valid_after(end).sign(key, hashes.SHA256())
    inner = b"Content-Type: text/plain\r\n\r\nmove:\r\n- odo to 0713\r\n"
    builder = pkcs7.PKCS7SignatureBuilder().set_data(inner).add_signer(certificate, key, hashes.SHA256())
    return builder.sign(Encoding.DER, [pkcs7.PKCS7Options.Binary])


def letter_in(shell: bytes, kind: str = "signed-data") -> bytes:
    head = (
        f"From: a@b.org\nContent-Type: application/pkcs7-mime; smime-type={kind}; name=smime.p7m\n"
        "Content-Transfer-Encoding: base64\n\n"
    )
    return head.encode() + base64.encodebytes(shell)


def test_a_shell_that_only_signs_is_opened(shell: bytes) -> None:
    got = mime._read(letter_in(shell))
    assert [line.text for text in got.texts for line in text.lines] == ["move:", "- odo to 0713"]
    assert got.refused == ()


def test_a_shell_in_pieces_of_unknown_length_is_opened() -> None:
    def open_ended(tag: int, inside: bytes) -> bytes:
        return bytes((tag, 0x80)) + inside + b"\0\0"

    octets = open_ended(0x24, b"\x04\x05move:" + b"\x04\x02\r\n")
    content = open_ended(0x30, bytes.fromhex("06092a864886f70d010701") + open_ended(0xA0, octets))
    signed = open_ended(0x30, b"\x02\x01\x01" + b"\x31\x00" + content)
    assert (
        smime.opened(open_ended(0x30, bytes.fromhex("06092a864886f70d010702") + open_ended(0xA0, signed)))
        == b"move:\r\n"
    )


def test_another_shell_is_refused(shell: bytes) -> None:
    assert codes(mime._read(letter_in(b"\x30\x03\x02\x01\x01", "enveloped-data"))) == ["mail.encrypted"]
    assert smime.opened(b"") is None
    assert smime.opened(shell[:40]) is None


def test_shells_within_shells_have_an_end() -> None:
    def wrapped(data: bytes) -> bytes:
        def sized(tag: int, inside: bytes) -> bytes:
            return bytes((tag, 0x84)) + len(inside).to_bytes(4, "big") + inside

        content = sized(0x30, bytes.fromhex("06092a864886f70d010701") + sized(0xA0, sized(0x04, data)))
        signed = sized(0x30, b"\x02\x01\x01" + b"\x31\x00" + content)
        return sized(0x30, bytes.fromhex("06092a864886f70d010702") + sized(0xA0, signed))

    inner = b"\n\nhello"
    for _ in range(8):
        inner = letter_in(wrapped(inner))
    assert codes(mime._read(inner)) == ["mail.no-sender", "mail.encrypted"] or codes(mime._read(inner)) == [
        "mail.encrypted"
    ]


@given(st.integers(0, 10_000))
def test_a_broken_shell_never_raises(seed: int) -> None:
    chance = random.Random(seed)
    data = bytearray.fromhex(
        "3080 06092a864886f70d010702 a080 3080 020101 3100 3080 06092a864886f70d010701 a080 2480 040161 0000"
    )
    for _ in range(chance.randrange(1, 5)):
        data[chance.randrange(len(data))] = chance.randrange(256)
    smime.opened(bytes(data))
