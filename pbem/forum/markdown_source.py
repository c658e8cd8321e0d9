"""The lines of a post from its own source in Markdown, as Discourse and NodeBB have it.

It knows whose words a line is: ``[quote]``, ``>`` and the lines that go on with it, ``<blockquote>``; and
what is only markup: fences,
``[details]``, ``[spoiler]``. Emphasis and escapes stay as they are, for ``post/signs`` undoes those of order
texts. A quotation that is not closed goes on to the end.
"""

from __future__ import annotations

import re
from typing import Final

from pbem.core.regex import regex
from pbem.post.lines.message import Line

MOST: Final = 200_000
_FENCE: Final = regex(r" {0,3}(`{3,}|~{3,})[^`]*$")
_QUOTE: Final = regex(
    r"\[quote(?:[= :][^\]\n]{0,400})?\]|<(?:blockquote|aside)\b[^>\n]{0,400}>", re.IGNORECASE
)
_QUOTE_END: Final = regex(r"\[/quote\]|</(?:blockquote|aside)>", re.IGNORECASE)
_MARKUP: Final = regex(
    r"\s{0,12}(?:\[/?(?:details|spoiler|code|poll|date|wrap|center|hide)(?:[= ][^\]\n]{0,200})?\]"
    r"|</?(?:details|summary|div|p|br|center|pre|code)\b[^>\n]{0,200}>)\s*",
    re.IGNORECASE,
)
_ELIDED: Final = regex(r"<details\b[^>\n]{0,200}\belided\b[^>\n]{0,200}>", re.IGNORECASE)
"""What Discourse puts around the letter that a post by mail was an answer to."""
_SUMMARY: Final = regex(r"\s*<summary\b[^>\n]{0,200}>.{0,200}</summary>\s*", re.IGNORECASE)
_INLINE: Final = regex(
    r"\[/?(?:spoiler|code)\]|<br\s{0,3}/?>|</?(?:b|i|u|em|strong|code|kbd|small|big)>", re.IGNORECASE
)
_ARROW: Final = regex(r" {0,3}>")
_LISTED: Final = regex(r" {0,3}(?:[-*+]|1[.)])[ \t]+\S")
_STARTS: Final = regex(r" {0,3}(?:#{1,6} |([-*_])[ \t]*(?:\1[ \t]*){2,}$|\[(?:quote|details|spoiler|/)|<)")
_IMAGE: Final = regex(r"!\[[^\]\n]{0,300}\]\([^)\n]{0,500}\)")
_STRUCK: Final = regex(r"~~[^~\n]{1,400}~~|<(s|del|strike)>.{0,400}?</\1>", re.IGNORECASE)


def lines(source: str) -> tuple[tuple[Line, ...], bool]:
    """Return the lines of a post, and whether that is all of it."""
    text = _unfolded(source[:MOST].replace("\r\n", "\n").replace("\r", "\n"))
    rows: list[tuple[str, int]] = []
    boxes: dict[int, int] = {}
    count = 0
    quoted, lazy, fence, comment = 0, False, "", False
    for line in text.split("\n"):
        if fence:
            if re.match(rf" {{0,3}}{re.escape(fence[0])}{{{len(fence)},}}\s*$", line):
                fence = ""
            else:
                boxes[len(rows)] = count
                rows.append((line, quoted))
            continue
        if comment or "<!--" in line:
            line, comment = _uncommented(line, comment)
            if not line.strip():
                continue
        if (found := _FENCE.match(line)) is not None:
            fence, lazy = found[1], False
            count += 1
            continue
        if not line.strip():
            lazy = False
            rows.append(("", quoted))
            continue
        if _ARROW.match(line):
            lazy = True
            rows.append((line, quoted))  # its mark says whose it is
            continue
        goes_on = lazy and not _LISTED.match(line) and not _STARTS.match(line)
        lazy = goes_on
        quoted = _taken(line, quoted, goes_on, rows)

    while rows and not rows[-1][0].strip():
        rows.pop()
    first = next((at for at, (text, _) in enumerate(rows) if text.strip()), len(rows))
    kept = [(text.rstrip(), deep, 0 if deep else boxes.get(at, 0)) for at, (text, deep) in enumerate(rows)][
        first:
    ]
    return tuple(Line(text, number, deep, box) for number, (text, deep, box) in enumerate(kept, 1)), len(
        source
    ) <= MOST


def _unfolded(text: str) -> str:
    """Return a text with the letter that is folded away in it as a quotation, to where the last such fold can
    end.
    """
    found = _ELIDED.search(text)
    if found is None:
        return text
    before, inside = text[: found.start()], text[found.end() :]
    within, end, after = inside.rpartition("</details>")
    return f"{before}<blockquote>{within}</blockquote>{after}" if end else f"{before}<blockquote>{inside}"


def _uncommented(line: str, inside: bool) -> tuple[str, bool]:
    """Return a line without what stands in comments, and whether one goes on."""
    out = ""
    while line:
        sign = "-->" if inside else "<!--"
        before, found, line = line.partition(sign)
        out += "" if inside else before
        if not found:
            break
        inside = not inside
    return out, inside


def _taken(line: str, quoted: int, goes_on: bool, rows: list[tuple[str, int]]) -> int:
    """Take a line outside of code; return how deep the next one is quoted."""
    at = 0
    pieces: list[tuple[str, int]] = []
    deepest = quoted
    marks = sorted([*_QUOTE.finditer(line), *_QUOTE_END.finditer(line)], key=lambda found: found.start())
    for found in marks:
        pieces.append((line[at : found.start()], quoted))
        closes = found.group().startswith(("[/", "</"))
        quoted = max(0, quoted - 1) if closes else quoted + 1
        deepest = max(deepest, quoted)
        at = found.end()
    pieces.append((line[at:], quoted))
    for piece, deep in pieces:
        if marks and not piece.strip():
            continue
        if _MARKUP.fullmatch(piece) or _SUMMARY.fullmatch(piece):
            continue
        said = _STRUCK.sub("", _IMAGE.sub("", _INLINE.sub("", piece)))
        if said.strip() or not piece.strip():
            rows.append((said, deep + goes_on))
    return quoted
