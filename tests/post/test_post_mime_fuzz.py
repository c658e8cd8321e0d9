"""Letters that nobody should send: changed at random, or made to take long.

None raises, and the work grows with the length alone.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from counting import lines_run
from hypothesis import given
from hypothesis import strategies as st
from thorough import deeper, tries

from pbem.post.lines.message import FILE, HTML, PLAIN, Message
from pbem.post.mail import entities, files, mime

CORPUS = sorted((Path(__file__).parent / "corpus").glob("*.eml"))
PIECES = (
    b"\n",
    b"\r",
    b"\r\n",
    b"\n\n",
    b"--",
    b"--B",
    b"--B--",
    b"=",
    b"=?utf-8?B?",
    b"?=",
    b"\0",
    b"\xff",
    b"\xfe\xff",
    b"\xef\xbb\xbf",
    b'"',
    b"\\",
    b"<",
    b">",
    b"(",
    b";",
    b":",
    b" ",
    b"\t",
    b"&",
    b"&#",
    b"<!--",
    b"<blockquote>",
    b"</blockquote>",
    b"<div id=divRplyFwdMsg>",
    b"<table><td>",
    b'<div class="gmail_quote">',
    b"Content-Type: multipart/mixed; boundary=B\n\n",
    b"Content-Type: message/rfc822\n\n",
    b"Content-Type: text/html\n",
    b"Content-Transfer-Encoding: base64\n",
    b"Content-Transfer-Encoding: quoted-printable\n",
    b"; charset=utf-16",
    b"; format=flowed",
    b"From: a@b.c\n",
    b"Content-Disposition: attachment; filename=a.yaml\n",
    b"begin 644 a.yaml\n",
    b"\x78\x9f\x3e\x22",
    b"PK\x03\x04",
    b"-----BEGIN PGP MESSAGE-----",
)


def well(message: Message) -> None:
    """Demand of a message what everybody relies on."""
    for text in message.texts:
        assert text.kind in (PLAIN, HTML)
        assert text.lines
        assert [line.number for line in text.lines] == list(range(1, len(text.lines) + 1))
        assert all(
            "\n" not in line.text and "\r" not in line.text and line.quoted >= 0 for line in text.lines
        )
        assert len(text.lines) <= 2 * files.LINES
    for file in message.files:
        assert file.name
        assert not set(file.name) & {"\n", "\r", "\0", "\\"}
        assert ".." not in file.name.split("/")
        assert len(file.data) <= files.LONGEST
        if file.text is not None:
            assert (file.text.kind, file.text.name) == (FILE, file.name)
            assert all(line.quoted == 0 for line in file.text.lines)
    for problem in message.refused:
        assert problem.code.startswith("mail.")
    for number, text in enumerate(message.texts):
        if text.flowed:
            following = message.texts[number + 1]
            assert (following.kind, following.flowed) == (text.kind, False)
    for said in (
        message.id,
        message.sender,
        message.sender_name,
        message.subject,
        message.date,
        message.list_id,
        message.automatic,
    ):
        assert said.isprintable() or "\u200d" in said, said


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.stem.partition("-")[0])
def test_every_letter_of_the_corpus_is_well_formed(path: Path) -> None:
    well(mime._read(path.read_bytes()))


@given(st.integers(0, len(CORPUS) - 1), st.integers(0, 2**32))
def test_a_changed_letter_is_read(which: int, seed: int) -> None:
    chance = random.Random(seed)
    data = bytearray(CORPUS[which].read_bytes())
    for _ in range(chance.randrange(1, 6)):
        at = chance.randrange(len(data) + 1)
        match chance.randrange(5):
            case 0:
                data[at : at + chance.randrange(60)] = b""
            case 1:
                data[at:at] = chance.choice(PIECES)
            case 2:
                data[at:at] = data[chance.randrange(len(data) + 1) :][: chance.randrange(400)]
            case 3:
                data[at : at + 1] = bytes((chance.randrange(256),))
            case _:
                data[at:at] = chance.choice(PIECES) * chance.randrange(1, 50)
    well(mime._read(bytes(data)))


@given(st.lists(st.sampled_from(PIECES), max_size=60), st.booleans())
def test_a_letter_of_nothing_but_pieces_is_read(pieces: list[bytes], headed: bool) -> None:
    data = b"".join(pieces)
    well(
        mime._read(b"From: a@b.org\nContent-Type: multipart/mixed; boundary=B\n\n" + data if headed else data)
    )


@given(st.binary(max_size=400))
def test_any_bytes_are_read(data: bytes) -> None:
    well(mime._read(data))
    assert mime.read(data) == mime._read(data)


# --- letters made to take long

HEAD = b"From: a@b.org\n"
PARTS = HEAD + b"Content-Type: multipart/mixed; boundary=B\n\n"


def encoded(name: bytes) -> bytes:
    return HEAD + b"Content-Transfer-Encoding: " + name + b"\n\n"


def repeated(piece: bytes, before: bytes = HEAD + b"\n", after: bytes = b"") -> Callable[[int], bytes]:
    return lambda size: before + piece * (size // len(piece)) + after


HOSTILE: dict[str, Callable[[int], bytes]] = {
    "lines": repeated(b"\n"),
    "carriage returns": repeated(b"\r"),
    "one line": repeated(b"a"),
    "blanks": repeated(b" ", after=b"x"),
    "dashes": repeated(b"--\n", PARTS),
    "boundaries": repeated(b"--B\n", PARTS),
    "near boundaries": repeated(b"--BB\n", PARTS),
    "dashed line": repeated(b"-", PARTS),
    "dashed line without a boundary": repeated(b"-", HEAD + b"Content-Type: multipart/mixed\n\n\n--"),
    "blanks behind a boundary": repeated(b"--a" + b" " * 90 + b"\n", HEAD + b"Content-Type: multipart/mixed\n\n"),
    "multiparts": repeated(b"--B\nContent-Type: multipart/mixed; boundary=B\n\n", PARTS),
    "multiparts without a boundary": repeated(b"--B\nContent-Type: multipart/mixed\n\n", PARTS),
    "letters": repeated(b"Content-Type: message/rfc822\n\n", HEAD),
    "letters in parts": repeated(b"--B\nContent-Type: message/rfc822\n\n", PARTS),
    "parts of header": repeated(b"--B\nX: y\n", PARTS),
    "fields": repeated(b"X: y\n", HEAD),
    "folded": repeated(b" a\n", HEAD + b"Subject:"),
    "long field": repeated(b"a", HEAD + b"Subject: "),
    "encoded words": repeated(b"=?utf-8?B?YQ==?= ", HEAD + b"Subject: "),
    "begun words": repeated(b"=?a?q?", HEAD + b"Subject: "),
    "addresses": repeated(b"a@b.org, ", HEAD + b"To: "),
    "many fields of addresses": repeated(b"To: " + b"a@b.org," * 20 + b"\n", HEAD),
    "brackets": repeated(b"(", b"From: "),
    "quotes": repeated(b'"\\', b"From: "),
    "parameters": repeated(b';a="\\', HEAD + b"Content-Type: text/plain"),
    "parameters in parts": repeated(b"--B\nContent-Type: text/plain" + b';a="\\' * 380 + b"\n\n", PARTS),
    "pieces of a name": repeated(b"; name*0*=a", HEAD + b"Content-Type: text/plain"),
    "references": repeated(b"<a@b> ", HEAD + b"References: "),
    "mbox": repeated(b"From \n", b""),
    "begun fields": repeated(b"a\n", HEAD),
    "base64": repeated(b"YWFh\n", encoded(b"base64")),
    "base64 of noise": repeated(b"YWFh!aaaaaaaaaaaaaaaaa\n", encoded(b"base64")),
    "base64 of equals": repeated(b"=", encoded(b"base64")),
    "base64 in pieces": repeated(b"YQ==", encoded(b"base64")),
    "quoted equals": repeated(b"=", encoded(b"quoted-printable")),
    "quoted blanks": repeated(b"= ", encoded(b"quoted-printable")),
    "quoted run of blanks": repeated(b" ", encoded(b"quoted-printable") + b"=", b"\n"),
    "uuencoded": repeated(b"begin 644 a.txt\n", HEAD + b"\n"),
    "uuencoded lines": repeated(b"#0V%T\n", HEAD + b"\nbegin 644 a.txt\n"),
    "flowed": repeated(b"a \n", HEAD + b"Content-Type: text/plain; format=flowed\n\n"),
    "flowed quotes": repeated(b">", HEAD + b"Content-Type: text/plain; format=flowed\n\n"),
    "mixed sets": repeated(b"\xfc\n\xc3\xbc\n"),
    "bytes": repeated(b"\xfc"),
    "utf-7": repeated(b"+A", HEAD + b"Content-Type: text/plain; charset=utf-7\n\n"),
    "utf-16": repeated(b"a\0"),
    "pages": repeated(b"--B\nContent-Type: text/html\n\n" + b"<div>" * 50 + b"\n", PARTS),
    "meta": repeated(b"<meta ", HEAD + b"Content-Type: text/html\n\n"),
    "pgp": repeated(b"-----BEGIN PGP MESSAGE", HEAD + b"\n"),
    "smime": repeated(b"0\x80", HEAD + b"Content-Type: application/pkcs7-mime\n\n"),
    "winmail": repeated(b"\2\x02\x90\0\0\0\0\0\0\0\0", HEAD + b"Content-Type: application/ms-tnef\n\n\x78\x9f\x3e\x22\0\0"),
    "zip": repeated(b"PK\x01\x02", HEAD + b"Content-Type: application/zip; name=a.zip\n\nPK\x03\x04"),
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_the_work_grows_with_the_length_of_a_letter(name: str) -> None:
    """Counted in lines of Python that are run, over letters of a length and of twice that."""
    once, twice = (lines_run(partial(mime._read, HOSTILE[name](size))) for size in (15_000, 30_000))
    assert twice < 2.5 * once + 5_000


@deeper
@pytest.mark.parametrize("name", HOSTILE)
def test_much_of_it_is_read(name: str) -> None:
    """What an expression does is not counted in lines; where one looked twice at the same text, this would
    take hours, not a second.
    """
    begun = time.process_time()
    well(mime._read(HOSTILE[name](tries(mime.LONGEST // 4, mime.LONGEST))))
    assert time.process_time() - begun < 15


def test_at_most_so_many_parts_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[int] = []
    real = entities._part

    def part(walk: entities._Walk, start: int, inner: bool) -> entities.Part:
        looked.append(start)
        return real(walk, start, inner)

    monkeypatch.setattr(entities, "_part", part)
    for name in ("boundaries", "multiparts", "letters", "letters in parts", "parts of header"):
        looked.clear()
        mime._read(HOSTILE[name](200_000))
        assert len(looked) <= entities.MOST
