"""What a letter asks for: the one order file or signed record in it, or why there is none.

It decides among the places where orders can stand, in this order: signed ones (two attachments, an armour, a
file in the clear with its signature), other attachments, the letter's own text; and of several texts of one
letter which is read. Whose lines are whose is decided in ``quoting``, what of them are orders in ``blocks``,
what is mended in ``repair``. Quoted orders are never among them; where that is in doubt nothing is taken, and
the reason is told.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from pbem.core.problem import Problem
from pbem.core.regex import regex
from pbem.post.lines import codes, walking
from pbem.post.lines.keys import Keys
from pbem.post.lines.message import HTML, NOTHING, ORDERS, RECORD, File, Found, Message
from pbem.post.lines.rows import Row, place
from pbem.post.mail import threads
from pbem.post.orders import holding, reading, signed
from pbem.post.orders.attached import CERTAIN, EMPTY, MIXED, Attached, attached, is_bare
from pbem.post.orders.reading import Lines, Reading, squeezed
from pbem.post.orders.signed import Signed
from pbem.text.characters import PLACE, shown
from pbem.text.free import FREE

__all__ = ["find", "place"]

_MOST_WORDS: Final = 500
_MOST_WHOLE: Final = 20_000
_LAYOUT: Final = ("mail.lost-indent", "mail.near-miss", "mail.no-heading")
"""Reasons that may only come of what was done to the plain text, and that HTML may not have."""
_TOKEN: Final = regex(r"[^\W\d_]{2,20}")


def find(keys: Keys, message: Message) -> Found:
    """Return what a letter asks for; whatever the letter, it returns."""
    names = _names(message)
    readings = _readings(keys, message, names)
    body = _body(keys, readings)
    files = [file for file in message.files if file.data]
    numbers: frozenset[int] = frozenset()
    if (sealed := _signed(keys, files, readings)) is not None:
        found, numbers = sealed
    else:
        found = _file(keys, files, body, names) or _own(keys, body, readings)
    own = [row for row in (body.rows if body else ()) if row is not None and not row.blank]
    lines = [row.text for row in own] + _code_lines(files, found.where)
    beside = [row for row in body.taken.own if row.number not in numbers] if body is not None else []
    return replace(
        found,
        own=_words(beside),
        codes=codes.find(message.subject, lines, message.to),
        problems=(*found.problems, *message.refused),
        words=_whole(beside),
        held=_held(keys, found, body, beside, files) if found.kind == ORDERS else (),
        answers=threads.answers(message),
    )


def _names(message: Message) -> list[str]:
    """Return the words by which the sender is called: he signs with one of them."""
    return _TOKEN.findall(f"{message.sender_name} {message.sender.partition('@')[0]}")


# --- the texts of a letter


def _readings(keys: Keys, message: Message, names: Sequence[str]) -> list[Reading]:
    """Read every text of the letter."""
    found = []
    for number, text in enumerate(message.texts):
        before = message.texts[number - 1] if number else None
        stuffed = before is not None and before.flowed and not text.flowed and text.kind == before.kind
        found.append(reading.read(keys, text, message.subject, names, stuffed))
    return found


def _body(keys: Keys, readings: Sequence[Reading]) -> Reading | None:
    """Return the text that is read: the first whose orders can be read whole, plain text before HTML.

    HTML is not asked where the plain text says whose the orders in it are, or that they are not plain; there
    it would know no better.
    """
    plain = _unflowed([one for one in readings if one.text.kind != HTML])
    rich = [one for one in readings if one.text.kind == HTML]
    whole = next((one for one in plain if one.whole), None)
    if whole is not None:
        return _believed(keys, whole, [*rich, *(one for one in plain if one is not whole)])
    if (
        refused := next((one for one in plain if one.refused and one.refused not in _LAYOUT), None)
    ) is not None:
        return refused
    whole = next((one for one in rich if one.whole), None)
    if whole is not None:
        return _believed(keys, whole, plain)
    known = [*plain, *rich]
    told = (
        [one for one in known if one.mended is not None]
        or [one for one in (*rich, *plain) if one.problems]
        or known
    )
    return told[0] if told else None


def _unflowed(plain: Sequence[Reading]) -> list[Reading]:
    """Put the text as it travelled in front of its lines put together, where that swallowed a line: a space
    at an end does it.
    """
    out = list(plain)
    for at in range(len(out) - 1):
        flowed, travelled = out[at], out[at + 1]
        if (
            flowed.text.flowed
            and not travelled.text.flowed
            and not flowed.strange
            and travelled.forms > flowed.forms
            and travelled.whole
        ):
            out[at], out[at + 1] = travelled, flowed
    return out


def _believed(keys: Keys, best: Reading, others: Sequence[Reading]) -> Reading:
    """Return a reading; without its orders where another text of the same letter shows them as somebody
    else's.
    """
    for one in others:
        lines = Lines(one)
        for row in best.mended.rows if best.mended else ():
            said = squeezed(row.source.partition("\n")[0])
            if said and _is_order(keys, row) and said in lines.others and said not in lines.own:
                best.problems.append(
                    Problem(
                        "mail.only-quoted",
                        {"line": row.number, "text": shown(row.text)},
                        (PLACE, row.number, 1),
                    )
                )
                best.mended = None
                return best
    return best


def _is_order(keys: Keys, row: Row) -> bool:
    return walking.is_item(row.text) or keys.head(row.text)[0] in FREE


# --- where orders can stand


def _signed(
    keys: Keys, files: Sequence[File], readings: Sequence[Reading]
) -> tuple[Found, frozenset[int]] | None:
    """Return what is signed in the letter, and the lines of its own text that it took up; None where nothing
    is.
    """
    candidates = signed.in_files(files)
    for file in files:
        if (
            file.text is not None
            and not signed.is_signed(file.data)
            and not signed.is_signature(file.data)
            and not _recorded(file.data)
        ):
            candidates += signed.in_rows(reading.read(keys, file.text).raw, file.name)

    inside: list[Signed] = []
    for one in readings:
        new = signed.in_rows(one.raw)
        inside = new if not inside or (inside[0].problem and new and not new[0].problem) else inside
    candidates += inside
    numbers = frozenset().union(*(one.numbers for one in inside))
    good = [one for one in candidates if one.problem is None]
    distinct = {one.data for one in good}
    if len(distinct) > 1:
        names = [one.where or "the letter itself" for one in {one.data: one for one in good}.values()]
        return Found(
            NOTHING, problems=(Problem("mail.two-files", {"first": names[0], "second": names[1]}),)
        ), numbers

    if good:
        best = good[0]
        return Found(
            RECORD if best.record else ORDERS, best.data, best.signature, best.where, best.origins
        ), numbers

    if candidates:
        return Found(
            NOTHING, problems=tuple(one.problem for one in candidates if one.problem is not None)
        ), numbers
    return None


def _recorded(data: bytes) -> bool:
    return data.lstrip(b"\xef\xbb\xbf \r\n").startswith(b'{"')


def _file(keys: Keys, files: Sequence[File], body: Reading | None, names: Sequence[str]) -> Found | None:
    """Return the one order file among the attachments, or None where the letter itself has the word."""
    found = attached(keys, files, names)
    certain = [one for one in found if one.kind == CERTAIN]
    if len(certain) > 1:
        return Found(
            NOTHING,
            problems=(Problem("mail.two-files", {"first": certain[0].name, "second": certain[1].name}),),
        )
    if certain:
        return _of_file(certain[0], body)
    if body is not None and (body.mended is not None or body.taken.problems):
        return None
    mixed = [one for one in found if one.kind == MIXED]
    if len({one.data for one in mixed if one.data}) > 1:
        return Found(
            NOTHING, problems=(Problem("mail.two-files", {"first": mixed[0].name, "second": mixed[1].name}),)
        )
    for one in mixed:
        if one.data:
            return _of_file(one, body)
    for one in found:
        if one.kind == EMPTY or one.problems:
            return Found(NOTHING, problems=one.problems)
    return None


def _of_file(one: Attached, body: Reading | None) -> Found:
    problems = one.problems
    if body is not None and body.mended is not None and body.mended.data != one.data:
        problems = (*problems, Problem("doubt.mail.body-too", {"file": one.name}))
    if not one.data.isascii():
        problems = (*problems, *one.assumed)
    return Found(
        ORDERS,
        one.data,
        None,
        one.name,
        tuple(row.origin() for row in one.rows),
        one.repairs,
        problems=problems,
    )


def _own(keys: Keys, body: Reading | None, readings: Sequence[Reading]) -> Found:
    """Return the orders in the letter's own text, or why there are none."""
    if body is None or body.mended is None:
        problems = tuple(body.problems) if body is not None else ()
        return Found(NOTHING, problems=problems or (Problem("mail.nothing"),))
    mended = body.mended
    # those below the last heading
    choices = b"".join(b"\n#- " for row in body.taken.own if row.text.startswith("#- "))
    if b"\n#- " in mended.data + choices and is_bare(keys, mended.data + choices):
        return Found(NOTHING, problems=(Problem("mail.empty-sheet", {"file": "the sheet"}),))
    problems = (*body.problems, *mended.problems)
    if body.text.kind == HTML and any(one.text.kind != HTML and one.mended is not None for one in readings):
        problems = (*problems, Problem("doubt.mail.from-html"))
    if not mended.data.isascii():
        problems = (*problems, *body.text.assumed)
    return Found(
        ORDERS,
        mended.data,
        None,
        "",
        tuple(row.origin() for row in mended.rows),
        mended.repairs,
        problems=problems,
    )


def _code_lines(files: Sequence[File], where: str) -> list[str]:
    """Return the lines with a code in the file that was taken: they were left away there."""
    taken = next((file.text for file in files if where and file.name == where), None)
    return [line.text for line in taken.lines if codes.is_line(line.text)] if taken is not None else []


def _words(beside: Sequence[Row]) -> str:
    """Return what somebody wrote beside his orders, on one line and not too long."""
    said = " ".join(" ".join(row.text.split()) for row in beside[:200])
    return said if len(said) <= _MOST_WORDS else said[: _MOST_WORDS - 3] + "..."


def _whole(beside: Sequence[Row]) -> str:
    """Return the same in its lines; an empty one stands for whatever stood between."""
    lines: list[str] = []
    below, size = 0, 0
    for row in beside:
        if below and row.number > below:
            lines.append("")
        if (size := size + len(row.text) + 2) > _MOST_WHOLE:
            lines.append("...")
            break
        lines.append(row.text.rstrip())
        below = row.number + row.source.count("\n") + 1
    return "\n".join(lines)


def _held(
    keys: Keys, found: Found, body: Reading | None, beside: Sequence[Row], files: Sequence[File]
) -> tuple[Problem, ...]:
    """Return why orders are to wait: in the words of their writer, because of what stands below them, because
    their end is missing.
    """
    inside = body is not None and found.where == "" and body.mended is not None
    said = holding.said_in(beside, [origin.number for origin in found.lines] if inside else ())
    why = list(holding.held(keys, found.data, said))
    if found.signature is not None:
        return tuple(why)
    if inside and body is not None:
        why += [replace(body.below, code="held.below-head")] if body.below is not None else []
    cut = (
        body.text.cut
        if inside and body is not None
        else any(file.text.cut for file in files if file.name == found.where and file.text)
    )
    return (*why, Problem("held.cut")) if cut else tuple(why)
