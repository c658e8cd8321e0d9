"""Makes a ``Message`` of the bytes of a letter. It never raises, and its time and memory are bounded whatever
the bytes are.

How the pieces of a message are to be understood:

* ``texts`` are ways to read the letter's own words, the best first, and are tried in that order: plain text
  with its flowed lines put together (``flowed``), the same as it travelled, then what is seen of the HTML.
  Several plain parts, such as those that Apple Mail makes around an attachment or the footer of a list, are
  one text with lines numbered on; each part begins a line of its own.
* A letter within the letter (forwarded as an attachment) follows in the same text with each line one deeper
  ``quoted``; its files are not taken, and ``refused`` says so (``mail.forwarded``) if it had any. So is one
  that its sender sent before; only the very letter, which a filter put into a shell, is his own words.
* ``quoted`` above 0 is somebody else's; where it is 0 in a plain text, ``>`` and "On … wrote:" are still to
  be looked for. A line ``-- `` stands above a signature also where only markup said so.
* ``files`` are those whose name or type says that they can hold orders or a signature, with the exact bytes
  that their sender attached; line ends are those of the letter if the file travelled as text. Other files are
  not part of a message at all.
* ``refused`` says what was not read; the rest was, and may be used. After ``mail.sender``, ``sender`` is
  empty.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from pbem.core.problem import Problem
from pbem.core.regex import regex
from pbem.post.html import hypertext
from pbem.post.lines.keys import GENERAL, Keys
from pbem.post.lines.message import HTML, PLAIN, Line, Message, Text
from pbem.post.mail import (
    addresses,
    automatic,
    charsets,
    entities,
    files,
    flowed,
    headers,
    smime,
    transfer,
    winmail,
)
from pbem.post.mail.entities import Part
from pbem.post.mail.headers import Headers
from pbem.text.markup import clean

__all__ = ["LONGEST", "read"]

LONGEST: Final = 2_097_152
"""How many bytes of a letter are looked at."""

_TO: Final = ("to", "cc", "delivered-to", "x-original-to", "envelope-to")
_CONTINUES: Final = regex(r"(?i)ATT\d{2,6}\.(?:txt|html?)\Z")
_HTML: Final = frozenset({"text/html", "application/xhtml+xml"})
_PLAIN: Final = frozenset(
    {
        "text/plain",
        "text/markdown",
        "text/x-markdown",
        "text/enriched",
        "text/unknown",
        "text/x-web-markdown",
        "application/pgp",
    }
)
_READABLE: Final = _HTML | _PLAIN
_LETTERS: Final = frozenset({"message/rfc822", "message/global"})
_SECRET: Final = frozenset({"multipart/encrypted", "application/pkcs7-mime", "application/x-pkcs7-mime"})
_SHELLS: Final = 4
"""How many shells are opened in one letter."""
_FIRST: Final = 100
"""Lines of a letter that may say that no person wrote it."""
_OPENED: Final = "multipart/signed"
_PAGE: Final = regex(rb"\s*(?:<!doctype html|<html\b|<head\b|<body\b)", re.IGNORECASE)
_ENCRYPTED: Final = regex(rb"^-----BEGIN PGP MESSAGE-----", re.MULTILINE)


def read(raw: bytes, keys: Keys = GENERAL) -> Message:
    """Return what a letter is, whatever its bytes are; ``keys`` tell the orders of a game from what a machine
    says of itself.
    """
    try:
        return _read(raw, keys)
    except Exception:  # a fault of ours; one letter never stops the others
        return Message(refused=(Problem("mail.unreadable"),))


class _Piece(Struct, frozen=True):
    """A part that a person reads: its lines as they travelled, and put together if they were flowed."""

    kind: str
    lines: tuple[tuple[str, int], ...]
    flowed: tuple[str, ...] | None
    assumed: tuple[Problem, ...]
    deeper: int = 0
    cut: bool = False


class _Pile(Struct):
    """What was found in the parts so far."""

    sender: str = ""
    id: str = ""
    bag: files.Bag = field(default_factory=files.Bag)
    pieces: dict[int, _Piece] = field(default_factory=dict)
    rich: bool = False  # Outlook packed a text that cannot be read
    spare: _Piece | None = None  # what Outlook packed, for a letter that does not say it beside the package
    left: int = 2 * files.LINES  # lines that may still be read
    shells: int = 0


def _read(raw: bytes, keys: Keys = GENERAL) -> Message:
    problems: list[Problem] = []
    whole = len(raw) <= LONGEST
    data = raw[:LONGEST]
    if b"\n" not in data:
        data = data.replace(b"\r", b"\n")
    pile = _Pile()
    if not whole:
        pile.bag.say("mail.too-big", limit=LONGEST // 1_048_576)
    root = entities.split(data, problems, whole)
    message = _addressed(root, problems)
    pile.sender, pile.id = message.sender, message.id
    if root.start > headers.BLOCK:
        return replace(
            message, sender="", refused=(Problem("mail.header-too-big", {"limit": headers.BLOCK // 1024}),)
        )

    _gather(pile, root, 0, 0)
    texts = _texts(pile, root)
    if pile.spare and not _is_said(pile.spare, texts):
        texts = (
            *(text for text in texts if any(line.text.strip() for line in text.lines)),
            *_made([pile.spare]),
        )

    if pile.rich and not pile.spare and not texts and not pile.bag.files:
        pile.bag.say("mail.winmail-text")
    why = message.automatic or (
        "" if pile.bag.files else automatic.reason_in(keys, root.headers, _first_words(texts))
    )
    return replace(
        message,
        automatic=why,
        texts=texts,
        files=tuple(pile.bag.files),
        refused=(*problems, *pile.bag.problems),
    )


def _first_words(texts: tuple[Text, ...]) -> Iterator[str]:
    """Yield the first lines of a letter that nothing marks as somebody else's."""
    first = next((text.lines for text in texts if any(line.text.strip() for line in text.lines)), ())
    return (line.text for line in first[:_FIRST] if not line.quoted and not line.text.startswith((">", "|")))


def _is_said(piece: _Piece, texts: tuple[Text, ...]) -> bool:
    """Tell whether most of what Outlook packed stands beside the package as well."""
    beside = {line.text.strip() for text in texts for line in text.lines}
    packed = [text.strip() for text, _ in piece.lines if text.strip()]
    return 2 * sum(text in beside for text in packed) > len(packed)


# --- the header


def _addressed(root: Part, problems: list[Problem]) -> Message:
    """Return a message with all that its header says."""
    fields = root.headers
    sender, name = _sender(fields, problems)
    subject = " ".join(clean(headers.words(fields.first("subject"))).split())
    is_digest = any(part.kind == "multipart/digest" and part.parts for part in root.parts)
    kind = "multipart/digest" if is_digest else headers.value_of(fields.first("content-type"))
    answer = [mailbox for value in fields.every("reply-to") for mailbox in addresses.mailboxes(value)]
    values = [value for one in _TO for value in fields.every(one)[:10]]
    to = [mailbox.address for value in values for mailbox in addresses.mailboxes(value) if mailbox]
    listed = (
        re.findall(r"<([^<>\s]{1,200})>", fields.first("list-id")) or fields.first("list-id").split()[-1:]
    )
    return Message(
        id=next(iter(addresses.ids(fields.first("message-id"))), ""),
        sender=sender,
        sender_name=name,
        reply_to=answer[0].address if len(answer) == 1 and answer[0] else "",
        to=tuple(dict.fromkeys(to))[:100],
        subject=subject,
        date=" ".join(clean(fields.first("date")).split())[:100],
        in_reply_to=next(iter(addresses.ids(fields.first("in-reply-to"))), ""),
        references=addresses.ids(headers.characters(b" ".join(fields.raw("references"))[-headers.LONGEST :]))[
            -50:
        ],
        list_id=clean(listed[0]).lower()[:200] if listed else "",
        automatic=automatic.reason(fields, kind, sender, subject),
    )


def _sender(fields: Headers, problems: list[Problem]) -> tuple[str, str]:
    """Return who wrote it: exactly one ``From`` with exactly one address, or nobody."""
    given = fields.raw("from")
    if not given or not given[0].strip():
        problems.append(Problem("mail.no-sender"))
        return "", ""
    found = addresses.mailboxes(headers.characters(given[0]))
    if len(given) > 1 or len(found) > 1 or len(given[0]) > headers.LONGEST:
        problems.append(Problem("mail.several-senders"))
        return "", ""
    if not found or found[0] is None:
        problems.append(Problem("mail.no-sender"))
        return "", ""
    return found[0].address, found[0].name


# --- the parts


def _gather(pile: _Pile, part: Part, forwarded: int, depth: int) -> None:
    """Read every part: into pieces of text, by part, and into files."""
    if part.kind in _SECRET:
        _open(pile, part, smime.opened(transfer.undo(part.body, part.encoding)[0]) if part.whole else None)
        for inside in part.parts if part.kind == _OPENED else ():
            _gather(pile, inside, forwarded, depth + 1)
    elif part.kind in _LETTERS:
        if not part.parts and part.whole and part.body:
            # nobody may encode a letter in a letter, and some do
            _open(pile, part, transfer.undo(part.body, part.encoding)[0])
        for inside in part.parts:
            _gather(pile, inside, forwarded + (not _is_same(pile, inside)), depth + 1)
    elif part.is_multipart:
        for inside in part.parts:
            _gather(pile, inside, forwarded, depth + 1)
    else:
        _leaf(pile, part, forwarded, depth)


def _leaf(pile: _Pile, part: Part, forwarded: int, depth: int) -> None:
    """Read a part that holds no others: as a piece of text, or as a file."""
    if not part.whole:
        return  # its end was cut off: nobody can tell what else it said
    if part.kind in ("message/partial", "message/external-body"):
        pile.bag.say("mail.elsewhere")
        return
    attached = bool(part.name) or (part.disposition == "attachment" and depth > 0)
    if part.kind in _READABLE and (not attached or _CONTINUES.match(part.name)):
        pile.pieces[id(part)] = _piece(pile, part, forwarded)
        return
    if not forwarded:
        _file(pile, part)
    elif files.wanted(part.name):
        pile.bag.say("mail.forwarded", name=files.harmless(part.name))


def _is_same(pile: _Pile, inside: Part) -> bool:
    """Tell whether a letter within a letter is that letter itself, which a filter put into a shell; one that
    he sent before is another.
    """
    sender = _sender(inside.headers, [])[0]
    if not sender or sender != pile.sender:
        return False
    known = addresses.ids(inside.headers.first("message-id"))
    if known[:1] == (pile.id,):
        return True
    pile.bag.say("mail.sent-before")
    return False


def _open(pile: _Pile, part: Part, inner: bytes | None) -> None:
    """Put what was in a shell into the place of the shell."""
    if inner is None or pile.shells >= _SHELLS:
        pile.bag.say("mail.encrypted")
        return
    pile.shells += 1
    if part.kind not in _LETTERS:
        part.kind = _OPENED
    part.parts = [entities.split(inner, pile.bag.problems)]


def _file(pile: _Pile, part: Part) -> None:
    """Keep a part that is a file; a picture is not even decoded."""
    if part.kind.startswith(("image/", "audio/", "video/")) and not files.wanted(part.name):
        return
    data, damaged = transfer.undo(part.body, part.encoding)
    if damaged and files.wanted(part.name):
        pile.bag.say("mail.damaged", name=files.harmless(part.name))
        return
    if part.kind in ("application/ms-tnef", "application/vnd.ms-tnef") or data.startswith(winmail.SIGNATURE):
        _winmail(pile, part, data)
        return
    files.offer(pile.bag, part.name, part.kind, data, part.parameters.get("charset", ""), _is_cut(part))


def _is_cut(part: Part) -> bool:
    """Tell whether the end of a part did not arrive."""
    return part.cut or transfer.is_cut(part.body, part.encoding)


def _winmail(pile: _Pile, part: Part, data: bytes) -> None:
    """Take what Outlook packed: its files, and its text, which is used if the letter does not say the same
    beside it.
    """
    found = winmail.unpack(data)
    if found.broken:
        pile.bag.say("mail.winmail-broken")
    for name, content in found.files:
        files.offer(pile.bag, name, "application/octet-stream", content)
    if found.text.strip():
        pile.spare = _Piece(PLAIN, _flat(files.lines_of(found.text)), None, ())
    elif found.html:
        page, assumed = charsets.decode(found.html, charsets.of_page(found.html) or found.codepage)
        pile.spare = _page(pile, page, assumed, 0)
    elif found.rtf:
        pile.rich = True


def _piece(pile: _Pile, part: Part, forwarded: int) -> _Piece:
    """Return what a person reads of a part."""
    data, damaged = transfer.undo(part.body, part.encoding)
    if damaged:
        pile.bag.say("mail.damaged-text")
        return _Piece(PLAIN, (), None, ())
    is_page = part.kind in _HTML or bool(_PAGE.match(data[:400]))
    charset = part.parameters.get("charset", "") or (charsets.of_page(data) if is_page else "")
    text, assumed = charsets.decode(data, charset)
    if is_page:
        return _page(pile, text, assumed, forwarded, _is_cut(part))
    if not forwarded:
        files.within(pile.bag, data)
        if _ENCRYPTED.search(data):
            pile.bag.say("mail.encrypted")
    pieces = files.lines_of(text)
    if len(pieces) > pile.left:
        pile.bag.say("mail.text-too-long", limit=files.LINES)
        pieces = pieces[: pile.left]
    pile.left -= len(pieces)
    put_together: tuple[str, ...] | None = None
    if part.parameters.get("format", "").lower() == "flowed":
        put_together = tuple(flowed.unflow(pieces, part.parameters.get("delsp", "").lower() == "yes"))
        if list(put_together) == pieces:
            put_together = None
    return _Piece(PLAIN, _flat(pieces), put_together, assumed, forwarded, _is_cut(part))


def _page(pile: _Pile, page: str, assumed: tuple[Problem, ...], forwarded: int, cut: bool = False) -> _Piece:
    seen, whole = hypertext.lines(page)
    if len(seen) > pile.left:
        seen, whole = seen[: pile.left], False
    pile.left -= len(seen)
    if not whole:
        pile.bag.say("mail.text-too-long", limit=files.LINES)
    return _Piece(HTML, tuple((line.text, line.quoted) for line in seen), None, assumed, forwarded, cut)


def _flat(pieces: Iterable[str]) -> tuple[tuple[str, int], ...]:
    return tuple((text, 0) for text in pieces)


# --- the texts


def _texts(pile: _Pile, root: Part) -> tuple[Text, ...]:
    """Return the ways to read the letter, the best first."""
    plain = _made(_chosen(pile, root, PLAIN))
    seen = _made(_chosen(pile, root, HTML))
    return (*plain, *(text for text in seen if text.kind == HTML and text not in plain))


def _chosen(pile: _Pile, part: Part, kind: str) -> list[_Piece]:
    """Return the pieces a person sees who prefers one kind where the letter offers several."""
    if (piece := pile.pieces.get(id(part))) is not None:
        return [piece]
    if part.kind != "multipart/alternative":
        return [piece for inside in part.parts for piece in _chosen(pile, inside, kind)]
    offers = list(filter(None, (_chosen(pile, inside, kind) for inside in part.parts)))
    fitting = [offer for offer in offers if any(_says(piece, kind) for piece in offer)]
    if kind == PLAIN and fitting:
        return fitting[0]
    return fitting[-1] if fitting else offers[-1] if offers else []


def _says(piece: _Piece, kind: str) -> bool:
    """Tell whether a piece is of a kind and not empty."""
    return piece.kind == kind and any(text.strip() for text, _ in piece.lines)


def _made(pieces: list[_Piece]) -> tuple[Text, ...]:
    """Return texts of pieces: those of one kind are one text, and first the kind that comes first."""
    texts: list[Text] = []
    for kind in dict.fromkeys(piece.kind for piece in pieces):
        some = [piece for piece in pieces if piece.kind == kind]
        assumed, cut = _assumed(some), any(piece.cut for piece in some)
        if any(piece.flowed is not None for piece in some):
            lines = [
                line
                for piece in some
                for line in (_flat(piece.flowed) if piece.flowed is not None else piece.lines)
            ]
            deeper = [
                piece.deeper
                for piece in some
                for _ in (piece.flowed if piece.flowed is not None else piece.lines)
            ]
            texts.append(Text(kind, _numbered(lines, deeper), flowed=True, assumed=assumed, cut=cut))
        lines = [line for piece in some for line in piece.lines]
        deeper = [piece.deeper for piece in some for _ in piece.lines]
        if lines:
            texts.append(Text(kind, _numbered(lines, deeper), assumed=assumed, cut=cut))
    return tuple(texts)


def _assumed(pieces: list[_Piece]) -> tuple[Problem, ...]:
    found: list[Problem] = []
    for piece in pieces:
        found += [problem for problem in piece.assumed if problem not in found]
    return tuple(found)


def _numbered(lines: list[tuple[str, int]], deeper: list[int]) -> tuple[Line, ...]:
    return tuple(
        Line(text, number, quoted + more)
        for number, ((text, quoted), more) in enumerate(zip(lines, deeper, strict=True), 1)
    )
