"""Makes letters by the thousand, each of which knows what may be taken from it: letters of the corpus carried
otherwise, and letters put together anew.

A letter *carried otherwise* keeps its words: encoded, wrapped, ended, headed otherwise, with a footer part,
forwarded, answered, with orders of an enemy written into its quotations. A letter *put together* takes
orders, and somebody else's orders to quote, and lays them out as one of many programs would, in one of many
languages. Number ``n`` of a seed is always the same letter, whichever others are asked for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from email import message_from_bytes
from email.message import Message as EmailMessage
from random import Random

from composing_letters import compose, enemy
from letter_parts import Letter, attached, b64, b64_of, mail, part, parts, png, qp, quote
from msgspec.structs import replace

Mutate = Callable[[Letter, Random], "Letter | None"]
_LEAF = re.compile(rb"(?im)^content-type:\s*text/(plain|html)\b")


def mutants(letters: Sequence[Letter], count: int, seed: int = 1, start: int = 0) -> Iterator[Letter]:
    """Yield mutants by number: every second one a letter carried otherwise, the others put together."""
    for number in range(start, start + count):
        yield mutant(letters, number, seed)


def mutant(letters: Sequence[Letter], number: int, seed: int = 1) -> Letter:
    """Return one mutant by its number."""
    draw = Random(f"{seed}/{number}")
    if number % 2:
        return replace(compose(draw), name=f"mutant-{number}-composed")
    one = draw.choice(letters)
    done: list[str] = []
    wanted = draw.randint(1, 3)
    for _ in range(12):
        if len(done) == wanted:
            break
        way = draw.choice(WAYS)
        changed = way(one, draw)
        if changed is not None:
            one = changed
            done.append(way.__name__)
        if one.why == "automatic":
            break
    return replace(one, name=f"mutant-{number}-{one.name}-{'-'.join(done) or 'as-it-is'}")


# --- letters taken apart just far enough


def _split(raw: bytes) -> tuple[list[bytes], bytes] | None:
    """Return the header fields, each with its folded lines, and the body, both with LF; None where that is
    not plain to see.
    """
    text = raw.replace(b"\r\n", b"\n")
    head, gap, body = text.partition(b"\n\n")
    if not gap or not head or head.startswith((b"From ", b"//", b"\n")):
        return None
    fields: list[bytes] = []
    for line in head.split(b"\n"):
        if line[:1] in (b" ", b"\t") and fields:
            fields[-1] += b"\n" + line
        else:
            fields.append(line)
    return fields, body


def _name(field: bytes) -> str:
    return field.partition(b":")[0].strip().lower().decode("latin-1")


def _content(fields: Sequence[bytes]) -> tuple[list[bytes], list[bytes]]:
    """Return the fields of the letter, and those of its content, which go with the body."""
    inner = [field for field in fields if _name(field).startswith("content-")]
    return [field for field in fields if field not in inner], inner


def _whole(fields: Sequence[bytes], body: bytes, eol: bytes = b"\r\n") -> bytes:
    return (b"\n".join(fields) + b"\n\n" + body).replace(b"\n", eol)


def _kind(fields: Sequence[bytes]) -> bytes:
    return next((field for field in fields if _name(field) == "content-type"), b"")


def _plain_leaf(fields: Sequence[bytes]) -> tuple[str, str] | None:
    """Return the subtype and the character set of a letter that is one text, in an encoding that is easily
    undone.
    """
    kind = _kind(fields)
    encoding = (
        next((field for field in fields if _name(field) == "content-transfer-encoding"), b"")
        .partition(b":")[2]
        .strip()
        .lower()
    )
    found = re.search(rb"text/(plain|html)", kind, re.IGNORECASE)
    if found is None or encoding not in (b"", b"7bit", b"8bit") or b"flowed" in kind.lower():
        return None
    charset = re.search(rb'charset="?([a-z0-9-]+)', kind, re.IGNORECASE)
    return found[1].lower().decode(), (charset[1].decode().lower() if charset else "us-ascii")


# --- ways to carry the same letter otherwise


def _with_texts(one: Letter, change: Callable[[str, str], str], draw: Random) -> Letter | None:
    """Change every text of a letter (not its files) and encode it anew; None where the letter is too odd to
    be put together again.
    """
    root = message_from_bytes(one.raw.replace(b"\r\n", b"\n"))
    leaves = [
        leaf
        for leaf in root.walk()
        if leaf.get_content_type() in ("text/plain", "text/html") and not leaf.get("Content-Disposition")
    ]
    if any("/" not in str(leaf.get("Content-Type", "text/plain")) for leaf in root.walk()):
        return None
    if (
        not leaves
        or any(leaf.defects for leaf in root.walk())
        or "Content-Type" not in root
        or root.get_unixfrom()
    ):
        return None
    if any(
        leaf.get_content_maintype() == "message" or leaf.get_content_type() == "multipart/digest"
        for leaf in root.walk()
    ):
        return None
    changed = False
    for leaf in leaves:
        charset = str(leaf.get_content_charset() or "us-ascii")
        if charset not in ("us-ascii", "utf-8", "iso-8859-1", "iso-8859-15", "windows-1252"):
            return None
        try:
            text = _decoded(leaf).decode(charset)
        except (UnicodeDecodeError, ValueError):
            return None
        new = change(text, leaf.get_content_subtype())
        changed |= new != text
        _encode(leaf, new, charset, draw)
    return (
        replace(one, raw=root.as_bytes().replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")) if changed else None
    )


def _decoded(leaf: EmailMessage) -> bytes:
    """Return the bytes of a part, if its encoding is one of the common ones and in order."""
    encoding = str(leaf.get("Content-Transfer-Encoding", "7bit")).strip().lower()
    data = leaf.get_payload(decode=True)
    if (
        encoding not in ("7bit", "8bit", "quoted-printable", "base64")
        or not isinstance(data, bytes)
        or leaf.defects
        or b"\0" in data
    ):
        raise ValueError(encoding)
    if encoding == "quoted-printable" and re.search(
        r"=(?![0-9A-Fa-f]{2}|\n)|[ \t]\n", str(leaf.get_payload())
    ):
        raise ValueError(encoding)
    if encoding == "base64" and re.search(r"[^A-Za-z0-9+/=\s]|=\s*\S*[^=\s]", str(leaf.get_payload())):
        raise ValueError(encoding)
    return data.replace(b"\r\n", b"\n")


def _encode(leaf: EmailMessage, text: str, charset: str, draw: Random) -> None:
    new = draw.choice((charset, "utf-8", "iso-8859-15", "windows-1252"))
    try:
        data = text.encode(new)
    except UnicodeEncodeError:
        new, data = "utf-8", text.encode()
    way = draw.choice(("base64", "quoted-printable"))
    leaf.set_param("charset", new)
    del leaf["Content-Transfer-Encoding"]
    leaf["Content-Transfer-Encoding"] = way
    leaf.set_payload(
        (b64_of(text.replace("\n", "\r\n").encode(new)) if way == "base64" else qp(data)).decode()
    )


def recoded(one: Letter, draw: Random) -> Letter | None:
    """Encode every text of a letter otherwise, in another character set; one empty line more stands at its
    end.
    """
    return _with_texts(one, lambda text, _: text + "\n", draw)


def line_feeds(one: Letter, draw: Random) -> Letter | None:
    """End lines with LF alone, as they lie in a Maildir."""
    return replace(one, raw=one.raw.replace(b"\r\n", b"\n"))


def headers_dropped(one: Letter, draw: Random) -> Letter | None:
    """Leave headers away that say nothing of the content."""
    split = _split(one.raw)
    if split is None:
        return None
    droppable = (
        "message-id",
        "date",
        "references",
        "in-reply-to",
        "user-agent",
        "x-mailer",
        "thread-index",
        "thread-topic",
        "received",
        "to",
        "subject",
    )
    gone = set(draw.sample(droppable, draw.randint(1, 6)))
    if one.why == "automatic" and "subject" in gone:
        gone.discard("subject")
    return replace(one, raw=_whole([field for field in split[0] if _name(field) not in gone], split[1]))


def headers_shuffled(one: Letter, draw: Random) -> Letter | None:
    """Put the headers into another order, and their names into capitals."""
    split = _split(one.raw)
    if split is None or any(b":" not in field for field in split[0]):
        return None
    fields = list(split[0])
    if len({_name(field) for field in fields}) < len(fields):
        return None
    draw.shuffle(fields)
    shout = [
        field.partition(b":")[0].upper() + b":" + field.partition(b":")[2] if draw.random() < 0.3 else field
        for field in fields
    ]
    return replace(one, raw=_whole(shout, split[1]))


def in_a_shell(one: Letter, draw: Random) -> Letter | None:
    """Wrap the whole content into a multipart, alone, with a picture, with a footer of a list, or with a
    visiting card.
    """
    split = _split(one.raw)
    if (
        split is None
        or not _kind(split[0])
        or b"multipart/report" in split[0][0]
        or _kind(split[0]).lower().find(b"report") >= 0
    ):
        return None
    if (
        b"pkcs7-mime" in _kind(split[0])
        or b"encrypted" in _kind(split[0]).lower()
        or _kind(split[0]).strip().lower() == b"content-type:"
    ):
        return None
    if b"multipart" in _kind(split[0]).lower() and b"boundary" not in _kind(split[0]).lower():
        return None
    fields, inner = _content(split[0])
    content = b"\n".join(inner) + b"\n\n" + split[1]
    beside = {
        "alone": [],
        "picture": [
            attached(
                'Content-Type: image/png; name="map.png"\nContent-Disposition: inline; filename="map.png"',
                png(),
            )
        ],
        "footer": [
            part(
                'Content-Type: text/plain; charset="us-ascii"\nContent-Disposition: inline',
                "____________________\nlist footer\nhttps://lists.example/\n",
            )
        ],
        "card": [
            part(
                'Content-Type: text/vcard; name="me.vcf"\nContent-Disposition: attachment; filename="me.vcf"',
                "BEGIN:VCARD\nFN:Me\nEND:VCARD\n",
            )
        ],
    }
    how = draw.choice(tuple(beside))
    subtype = "mixed" if how != "alone" else draw.choice(("mixed", "related", "alternative", "mixed"))
    edge = f"=_shell_{draw.randrange(10**9)}"
    body = parts(
        f'Content-Type: multipart/{subtype}; boundary="{edge}"',
        edge,
        content,
        *beside[how],
        preamble=draw.choice(("", "This is a multi-part message.\n")),
    )
    return replace(
        one,
        raw=_whole(fields, b"", b"\n").rstrip(b"\n").replace(b"\n", b"\r\n")
        + b"\r\n"
        + body.replace(b"\n", b"\r\n"),
    )


def through_a_list(one: Letter, draw: Random) -> Letter | None:
    """Add the headers of a mailing list, which make nobody's letter automatic."""
    split = _split(one.raw)
    if split is None:
        return None
    more = [
        b"List-Id: Siege games <siege.lists.example>",
        b"List-Post: <mailto:siege@lists.example>",
        b"Precedence: " + draw.choice((b"list", b"bulk")),
    ]
    have = {_name(field) for field in split[0]}
    if "precedence" in have:
        return None
    return replace(
        one, raw=_whole([*[field for field in more if _name(field) not in have], *split[0]], split[1])
    )


def by_a_machine(one: Letter, draw: Random) -> Letter | None:
    """Say that a machine sent it; then it must get no answer, whatever stands in it."""
    split = _split(one.raw)
    if split is None or draw.random() < 0.5 or any(_name(field) == "auto-submitted" for field in split[0]):
        return None
    line = draw.choice(
        (
            b"Auto-Submitted: auto-replied",
            b"Auto-Submitted: auto-generated (vacation)",
            b"X-PBEM-Processor: 1",
            b"Precedence: junk",
        )
    )
    fields = [field for field in split[0] if _name(field) != _name(line)]
    return replace(
        one,
        raw=_whole([line, *fields], split[1]),
        wanted=None,
        why="automatic",
        signature=None,
        record=False,
        quoted=_with(one.quoted, one.wanted),
    )


def _with(quoted: str, wanted: bytes | None) -> str:
    return quoted + (wanted or b"").decode("utf-8", "replace")


def answered_by_another(one: Letter, draw: Random) -> Letter | None:
    """Quote the whole letter in one that says nothing of its own."""
    split = _split(one.raw)
    leaf = split and _plain_leaf(split[0])
    if split is None or not leaf or leaf[0] != "plain" or one.record or one.why == "automatic":
        return None
    try:
        text = split[1].decode(leaf[1])
    except (UnicodeDecodeError, LookupError):
        return None
    header = (
        "From: Cleo <cleo@east.example>\nTo: umpire@ford.example\nSubject: Re: that\nMessage-ID: "
        "<c1@east.example>\nMIME-Version: 1.0\n"
    )
    words = draw.choice(("Is this allowed?\n\n", "", "Schau mal.\n\n"))
    on = draw.choice(
        (
            "On Thu, 19 Nov 2026, Ben wrote:\n",
            "Am 19.11.2026 um 21:12 schrieb Ben <ben@west.example>:\n",
            "",
            "Le 19/11/2026 à 21:12, Ben a écrit :\n",
        )
    )
    marks = draw.choice((("> ", ">"), (">", ">"), ("> > ", "> >"), ("Ben> ", "Ben>")))
    if marks[0] == "Ben> " and text.lstrip().startswith(">"):
        marks = ("> ", ">")
    raw = mail(
        header,
        part(
            "Content-Type: text/plain; charset=utf-8",
            f"{words}{on}{quote(text, *marks)}",
            draw.choice(("quoted-printable", "base64", "8bit")),
        ),
    )
    return Letter(one.name, raw, None, "only-quoted", _with(one.quoted, one.wanted))


def forwarded_by_another(one: Letter, draw: Random) -> Letter | None:
    """Send the whole letter on, as an attachment of somebody else."""
    split = _split(one.raw)
    if split is None or one.why == "automatic":
        return None
    inner = _whole(split[0], split[1], b"\n")
    kind = draw.choice(
        ('Content-Disposition: attachment; filename="letter.eml"\n', "Content-Disposition: inline\n", "")
    )
    header = (
        "From: Cleo <cleo@east.example>\nTo: umpire@ford.example\nSubject: Fwd: that\nMessage-ID: "
        "<c2@east.example>\nMIME-Version: 1.0\n"
    )
    edge = f"=_fwd_{draw.randrange(10**9)}"
    body = parts(
        f'Content-Type: multipart/mixed; boundary="{edge}"',
        edge,
        part("Content-Type: text/plain", "Look at this.\n"),
        b"Content-Type: message/rfc822\n" + kind.encode() + b"\n" + inner,
    )
    return Letter(one.name, mail(header, body), None, "only-quoted", _with(one.quoted, one.wanted))


def with_an_enemy_in_the_quotation(one: Letter, draw: Random) -> Letter | None:
    """Write orders into what is quoted: behind a quoted line, or inside a block quote.

    They must never be carried out.
    """
    if one.why == "automatic":
        return None
    orders = enemy(draw)

    def changed(text: str, subtype: str) -> str:
        if subtype == "html":
            found = list(re.finditer(r"(?i)<blockquote(?![^>]*border: ?none)[^>]*>", text))
            if not found or "<pre" in text:
                return text
            spot = draw.choice(found).end()
            return text[:spot] + "<br>" + orders.replace("\n", "<br>\n") + text[spot:]
        lines = text.split("\n")
        places = [
            place
            for place, line in enumerate(lines)
            if re.match(r"> ?[A-Za-z|-]", line) and not line.endswith(" ")
        ]
        if not places:
            return text
        mark = draw.choice(("> ", "> ", ">", "> > "))
        place = draw.choice(places) + 1
        lines[place:place] = quote(f"\n{orders}", mark, ">").rstrip("\n").split("\n")
        return "\n".join(lines)

    made = _with_texts(one, changed, draw)
    return made and replace(made, quoted=one.quoted + orders)


def with_more_attachments(one: Letter, draw: Random) -> Letter | None:
    """Attach a file that has nothing to do with it beside a letter of one text."""
    split = _split(one.raw)
    leaf = split and _plain_leaf(split[0])
    if split is None or not leaf or not _LEAF.search(_kind(split[0])):
        return None
    fields, inner = _content(split[0])
    content = b"\n".join(inner) + b"\n\n" + split[1]
    file = draw.choice(
        (
            attached(
                'Content-Type: application/pdf; name="rules.pdf"\nContent-Disposition: attachment; '
                'filename="rules.pdf"',
                b"%PDF-1.4\n%%EOF\n",
            ),
            part(
                'Content-Type: text/plain; name="joke.txt"\nContent-Disposition: attachment; '
                'filename="joke.txt"',
                "A hex walks into a bar.\n",
            ),
            part(
                'Content-Type: text/html; name="x.html"\nContent-Disposition: attachment; filename="x.html"',
                "<p>advertisement</p>",
            ),
            part(
                'Content-Type: application/ics; name="game.ics"\nContent-Disposition: attachment; '
                'filename="game.ics"',
                b64(b"BEGIN:VCALENDAR\nEND:VCALENDAR\n"),
                "",
            ),
        )
    )
    edge = f"=_more_{draw.randrange(10**9)}"
    body = parts(f'Content-Type: multipart/mixed; boundary="{edge}"', edge, content, file)
    return replace(
        one,
        raw=_whole(fields, b"", b"\n").rstrip(b"\n").replace(b"\n", b"\r\n")
        + b"\r\n"
        + body.replace(b"\n", b"\r\n"),
    )


WAYS: tuple[Mutate, ...] = (
    recoded, recoded, line_feeds, headers_dropped, headers_shuffled, in_a_shell, in_a_shell, through_a_list, by_a_machine, answered_by_another,
    answered_by_another, forwarded_by_another, with_an_enemy_in_the_quotation, with_an_enemy_in_the_quotation, with_an_enemy_in_the_quotation,
    with_more_attachments,
)  # fmt: skip
