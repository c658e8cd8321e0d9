"""Letters made by hand: a message of a few texts and files, without any mail around it."""

from __future__ import annotations

from siege_words import find

from pbem.post.lines.message import FILE, HTML, PLAIN, File, Found, Line, Message, Text
from pbem.proof import orderfile, signing

KEY = signing.new_private()
HEAD = "9f2e6d33a3717ee826353a404ba4618d1aeeb6879ad7936bce8ed5f46814924d"


def text(body: str, kind: str = PLAIN, flowed: bool = False) -> Text:
    return Text(
        kind, tuple(Line(line, number) for number, line in enumerate(body.split("\n"), 1)), flowed=flowed
    )


def html(*lines: tuple[str, int] | str) -> Text:
    """Return a text as it was taken out of HTML: lines, or (line, how deep it is quoted)."""
    rows = [(line, 0) if isinstance(line, str) else line for line in lines]
    return Text(HTML, tuple(Line(line, number, depth) for number, (line, depth) in enumerate(rows, 1)))


def file(name: str, data: str | bytes, readable: bool = True) -> File:
    raw = data.encode() if isinstance(data, str) else data
    lines = raw.decode("utf-8", "replace").replace("\r\n", "\n").split("\n")
    inside = (
        Text(FILE, tuple(Line(line, number) for number, line in enumerate(lines, 1)), name)
        if readable
        else None
    )
    return File(name, raw, inside)


def letter(
    *texts: Text | str,
    files: tuple[File, ...] = (),
    subject: str = "Re: Alder Ford",
    to: tuple[str, ...] = (),
) -> Message:
    made = tuple(text(one) if isinstance(one, str) else one for one in texts)
    return Message(
        id="<1@example.org>",
        sender="bob.miller@example.org",
        sender_name="Bob Miller",
        to=to,
        subject=subject,
        texts=made,
        files=files,
    )


def found(
    *texts: Text | str,
    files: tuple[File, ...] = (),
    subject: str = "Re: Alder Ford",
    to: tuple[str, ...] = (),
) -> Found:
    return find(letter(*texts, files=files, subject=subject, to=to))


def codes_of(result: Found) -> list[str]:
    return [problem.code for problem in result.problems]


def signed(yaml: str, slot: int = 8) -> tuple[bytes, bytes]:
    """Return a signed order file and its armored signature."""
    data = orderfile.write(
        game="alder-ford-7c21e0", slot=slot, seat="west", head=HEAD, salt="c9" * 16, yaml=yaml.encode()
    )
    return data, signing.sign(KEY, f"pd1-orders/alder-ford-7c21e0/{slot}/west/{HEAD}", data).encode()
