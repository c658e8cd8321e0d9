"""A letter as bytes: text first, then the same as a page with its pictures, then files (RFC 5322, 2045 to
2047, 2387).

The same letter under the same cover is the same bytes, so one that has to be made again after a fall is not a
second letter. What a letter says is decided elsewhere (``answers``, ``news``); here it is decided what no
answering machine, mailing list or quoting client may make of it: the line above which people answer comes
first, and every letter says that no person wrote it (RFC 3834). There is no ``Precedence``: whoever honours
that one knows ``Auto-Submitted`` and ``List-Id`` too, and spam filters do not like it.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from pbem.core.regex import regex
from pbem.post.quotes.quoting import ABOVE, ABOVE_IN
from pbem.post.write.cover import addressable, header, mailbox, message_id, one_line, phrase, references
from pbem.post.write.page import InlinePicture, as_page, width_of
from pbem.text.markup import as_text, clean
from pbem.text.report import Block, Document, Image, Paragraph, RollTable
from pbem.text.words import in_force

__all__ = [
    "ABOVE",
    "Attachment",
    "BadAddress",
    "Cover",
    "Envelope",
    "Letter",
    "Office",
    "Person",
    "Picture",
    "Posted",
    "plain",
    "write",
]

REPLIED, GENERATED = "auto-replied", "auto-generated"
"""What ``Auto-Submitted`` says: an answer to one letter, or news that nobody asked for."""
LONGEST_PAGE = 95_000
"""Characters of a page: Gmail cuts off what is beyond 102 kB. Of a longer one every single die stands in the
plain text alone.
"""
COLUMNS = 72
"""Width of the plain text."""


_LONGEST: Final = 78
_DASH: Final = regex(r"^- ", re.MULTILINE)


class BadAddress(ValueError):
    """An address that no letter can be sent to; the round asks ``addressable`` before."""


class Person(Struct, frozen=True):
    """Somebody with an address. The name may be anything: it is cleaned and cut."""

    address: str
    name: str = ""


class Office(Struct, frozen=True):
    """From whom letters come; ``bounces`` is where what cannot be delivered goes, if elsewhere."""

    address: str
    name: str = ""
    bounces: str = ""

    @property
    def domain(self) -> str:
        """Return the domain of its address."""
        return self.address.rpartition("@")[2]


class Picture(Struct, frozen=True):
    """A picture that stands in the text, in the place of the ``Image`` block that names it; ``alt`` is for
    who does not see it.
    """

    name: str
    data: bytes
    alt: str


class Attachment(Struct, frozen=True):
    """A file beside the text.

    Text is ``text/plain`` whatever its suffix: telephones open that, and not ``text/yaml``.
    """

    name: str
    data: bytes
    type: str = "text/plain"


class Letter(Struct, frozen=True):
    """What a letter says. The lead of ``body`` is its first line; ``preview`` is what a list of letters shows
    of it.

    ``spoken`` stands at the end of the plain text alone: what the page shows as a picture. ``replied`` says
    that it answers one letter: then it has no sender on its envelope, and comes back to nobody. ``tone`` is
    ``good``, ``bad`` or ``wait``, if any. ``language`` is the one that it was made in.
    """

    subject: str
    body: Document
    pictures: tuple[Picture, ...] = ()
    attached: tuple[Attachment, ...] = ()
    spoken: tuple[Block, ...] = ()
    preview: str = ""
    replied: bool = False
    tone: str = ""
    language: str = field(default_factory=in_force)


class Cover(Struct, frozen=True):
    """What stands outside: ``key`` names the letter for ever (same key, same ``Message-ID``); ``date`` has a
    zone.

    ``answers`` is the id of the letter that this one answers, ``thread`` the ids before it. ``game`` and
    ``title`` make the
    ``List-Id``, by which people sort. ``reply_to`` is who gets the answer, if that is not the office.
    """

    key: str
    date: datetime
    office: Office
    to: Person
    game: str = ""
    title: str = ""
    answers: str = ""
    thread: tuple[str, ...] = ()
    reply_to: Person | None = None


class Envelope(Struct, frozen=True):
    """Sender and recipients as SMTP hears them; the empty sender is ``<>``."""

    sender: str
    recipients: tuple[str, ...]


class Posted(Struct, frozen=True):
    """A letter ready to go: its bytes, its envelope, its id."""

    data: bytes
    envelope: Envelope
    id: str


def write(letter: Letter, cover: Cover) -> Posted:
    """Return a letter as bytes; BadAddress where sender or recipient is not an address."""
    office = cover.office
    others = [
        address
        for address in (office.bounces, cover.reply_to.address if cover.reply_to is not None else "")
        if address
    ]
    for address in (office.address, cover.to.address, *others):
        if not addressable(address):
            raise BadAddress(one_line(address, 80))
    id_ = message_id(cover.key, office.domain)
    head = "".join(_head(letter, cover, id_))
    sender = "" if letter.replied else office.bounces or office.address
    return Posted(head.encode("ascii") + _body(letter, cover), Envelope(sender, (cover.to.address,)), id_)


def _head(letter: Letter, cover: Cover, id_: str) -> Iterator[str]:
    from email.utils import format_datetime

    yield header("From", mailbox(cover.office.name, cover.office.address))
    yield header("To", mailbox(cover.to.name, cover.to.address))
    if cover.reply_to is not None:
        yield header("Reply-To", mailbox(cover.reply_to.name, cover.reply_to.address))
    yield header("Subject", one_line(letter.subject), words=True)
    yield header("Date", format_datetime(cover.date))
    yield header("Message-ID", id_)
    thread = references(*cover.thread, cover.answers)
    if answered := references(cover.answers):
        yield header("In-Reply-To", answered[0])
    if thread:
        yield header("References", " ".join(thread))
    if cover.game:
        yield header("List-Id", f"{phrase(cover.title)} <{cover.game}.{cover.office.domain}>".strip())
    yield header("Auto-Submitted", REPLIED if letter.replied else GENERATED)
    yield header("X-Auto-Response-Suppress", "All")
    yield header("X-PBEM-Processor", "1")
    yield header("Content-Language", "en")
    yield header("MIME-Version", "1.0")


# --- the body


def plain(letter: Letter) -> str:
    """Return the text of a letter as who reads no pages sees it, with plain line ends."""
    blocks = [
        Paragraph(f"[{block.alt}]") if isinstance(block, Image) else block
        for block in (*letter.body.blocks, *letter.spoken)
    ]
    text = as_text(replace(letter.body, blocks=tuple(blocks)), COLUMNS)
    # A list in an order file begins its lines with a dash; one in a letter never does.
    lines = (piece for line in _DASH.sub("* ", text).split("\n") for piece in _broken(line))
    return f"{_above(letter)}\n\n" + "\n".join(lines)


def _above(letter: Letter) -> str:
    return ABOVE_IN.get(letter.language, ABOVE)


def _broken(line: str) -> Iterator[str]:
    """Yield a line in pieces that fit; only a word that somebody made longer than a line has to be broken."""
    while len(line) > _LONGEST:
        cut = line.rfind(" ", _LONGEST // 2, _LONGEST)
        cut = cut if cut > 0 else _LONGEST
        yield line[:cut]
        line = line[cut:].lstrip(" ")
    yield line


def _body(letter: Letter, cover: Cover) -> bytes:
    """Return mixed(alternative(plain, related(page, pictures)), files); what would hold one thing alone is
    left out.
    """
    domain = cover.office.domain
    seal = hashlib.sha256(f"{cover.key}\n{domain}".encode("utf-8", "surrogatepass")).hexdigest()[:24]
    ids = {picture.name: f"{seal}.{n}@{domain}" for n, picture in enumerate(letter.pictures, 1)}
    shown = {
        picture.name: InlinePicture(ids[picture.name], width_of(picture.data)) for picture in letter.pictures
    }
    above = _above(letter)
    page = as_page(letter.body, above, shown, preview=letter.preview, tone=letter.tone, lang=letter.language)
    if len(page) > LONGEST_PAGE:
        kept = tuple(block for block in letter.body.blocks if not isinstance(block, RollTable))
        page = as_page(
            replace(letter.body, blocks=kept),
            above,
            shown,
            preview=letter.preview,
            tone=letter.tone,
            lang=letter.language,
        )
    related = _text("html", page)
    if letter.pictures:
        inline = [
            _file(picture.name, picture.data, "image/png", ids[picture.name]) for picture in letter.pictures
        ]
        related = _multipart("related", seal, [related, *inline], '; type="text/html"')
    both = _multipart("alternative", seal, [_text("plain", plain(letter)), related])
    if not letter.attached:
        return both
    return _multipart(
        "mixed", seal, [both, *(_file(file.name, file.data, file.type) for file in letter.attached)]
    )


def _text(kind: str, text: str) -> bytes:
    """Return a text as a part in quoted-printable, no line of it above 76 characters."""
    head = f"Content-Type: text/{kind}; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n"
    coded = binascii.b2a_qp(text.encode("utf-8", "replace"), istext=True)
    # A mailbox file would put a > before a line that begins like this one.
    lines = [b"=46rom=\r\n" + line[4:] if line.startswith(b"From ") else line for line in coded.split(b"\n")]
    return head.encode() + b"\r\n".join(lines)


def _file(name: str, data: bytes, type_: str, id_: str = "") -> bytes:
    """Return bytes as a part: a picture in the text where it has an id, else a file beside it."""
    shown = (
        "".join(
            letter if letter.isascii() and (letter.isalnum() or letter in "._-") else "-"
            for letter in clean(name)
        )[:60]
        or "file"
    )
    charset = "; charset=utf-8" if type_.startswith("text/") else ""
    lines = [
        header("Content-Type", f'{type_}{charset}; name="{shown}"'),
        header("Content-Disposition", f'{"inline" if id_ else "attachment"}; filename="{shown}"'),
        header("Content-Transfer-Encoding", "base64"),
    ]
    if id_:
        lines.append(header("Content-ID", f"<{id_}>"))
    return "".join([*lines, "\r\n"]).encode("ascii") + base64.encodebytes(data).replace(b"\n", b"\r\n")


def _multipart(kind: str, seal: str, parts: Sequence[bytes], more: str = "") -> bytes:
    """Return parts as one; no line of base64 or quoted-printable can look like the boundary, which begins
    with ``=_``.
    """
    boundary = f"=_{seal}.{kind}"
    head = header("Content-Type", f'multipart/{kind}; boundary="{boundary}"{more}').encode("ascii")
    between = f"\r\n--{boundary}".encode("ascii")
    return head + b"".join(between + b"\r\n" + part for part in parts) + between + b"--\r\n"
