"""Which characters a file may hold: bytes to text, and what to say about a sign that only looks right.

The sets are written out, not asked of ``unicodedata``: a signed file must be accepted or refused alike by
every Python, and each Python brings its own edition of Unicode. (A test holds them against the edition at
hand.)
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from pbem.core.normal import crowd, is_crowded, is_normal, nfc
from pbem.core.problem import Problem
from pbem.core.regex import regex

PLACE: Final = "\0"
"""The first step of a path that is not a path but a line and a column; no key can hold this character."""

_MOST: Final = 20

_SPACES: Final = "\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000"
_SEPARATORS: Final = "\u0085\u2028\u2029"
_INVISIBLE: Final = (
    "\u00ad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e007f"
)
_CONTROL: Final = "\x00-\x08\x0b-\x1f\x7f-\x84\x86-\x9f"
_NO_CHARACTER: Final = "\ud800-\udfff\ufffe\uffff"

_FORBIDDEN: Final = regex(f"[\t{_CONTROL}{_SEPARATORS}{_SPACES}{_INVISIBLE}{_NO_CHARACTER}]")
_FORBIDDEN_ASCII: Final = regex(r"[\x00-\x09\x0b-\x1f\x7f]")
_KINDS: Final = (
    ("yaml.tab", regex("\t")),
    ("yaml.line-separator", regex(f"[{_SEPARATORS}]")),
    ("yaml.space", regex(f"[{_SPACES}]")),
    ("yaml.invisible", regex(f"[{_INVISIBLE}]")),
    ("yaml.control", regex(f"[{_CONTROL}{_NO_CHARACTER}]")),
)
_ADVICE: Final = {
    "yaml.tab": "use spaces",
    "yaml.line-separator": "press Enter instead",
    "yaml.space": "type an ordinary space",
    "yaml.invisible": "delete it and type the words on both sides anew",
    "yaml.control": "delete it",
}

_QUOTES: Final = dict.fromkeys("‘’‚‛´′", "'") | dict.fromkeys("“”„‟«»″", '"')
_DASHES: Final = dict.fromkeys("‐‑‒–—―−•·▪●◦", "-")
_OTHERS: Final = {"：": ":", "，": ",", "…": "...", "×": "x", "／": "/"}
_LOOKALIKES: Final = _QUOTES | _DASHES | _OTHERS


def decode(data: bytes) -> tuple[str | None, list[Problem]]:
    """Return the text with plain line ends, or ``None`` where the bytes are no UTF-8, and what is wrong with
    it.
    """
    problems: list[Problem] = []
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return None, [_problem("yaml.utf-16", 1, 1, "save it as UTF-8")]
    if data.startswith(b"\xef\xbb\xbf"):
        data = data[3:]
        problems.append(_problem("yaml.bom", 1, 1, "save it as 'UTF-8', not as 'UTF-8 with BOM'"))
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        column = len(data[data.rfind(b"\n", 0, error.start) + 1 : error.start].decode("utf-8", "replace")) + 1
        return None, [
            *problems,
            _problem("yaml.not-utf-8", line, column, "save it as UTF-8", byte=data[error.start]),
        ]
    if "\r" in text:
        text, problem = _line_ends(text)
        problems += problem
    return text, problems


def _line_ends(text: str) -> tuple[str, list[Problem]]:
    """Return the text with line feeds only; CRLF is well if it is used throughout."""
    pairs, returns, feeds = text.count("\r\n"), text.count("\r"), text.count("\n")
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    if pairs == returns == feeds:
        return plain, []
    first = text.find("\n")
    second = re.search(r"\r(?!\n)|(?<!\r)\n" if text[first - 1 : first] == "\r" else r"\r", text)
    at = second.start() if second else 0
    line = plain.count("\n", 0, len(text[:at].replace("\r\n", "\n"))) + 1
    return plain, [_problem("yaml.line-ends", line, 1, "save it with one kind of line ends, LF or CRLF")]


def forbidden(text: str) -> list[Problem]:
    """Return the characters that may not stand anywhere, not even in a comment; one of a
    kind on each line.
    """
    if text.isascii():
        return _each(text) if _FORBIDDEN_ASCII.search(text) else []
    problems = _each(text) if _FORBIDDEN.search(text) else []
    if not is_normal(text):
        problems += _not_normal(text)
    return problems


def _each(text: str) -> list[Problem]:
    problems: list[Problem] = []
    seen: set[tuple[int, str]] = set()
    line, line_start, last = 1, 0, 0
    for found in _FORBIDDEN.finditer(text):
        if newlines := text.count("\n", last, found.start()):
            line += newlines
            line_start = text.rfind("\n", last, found.start()) + 1
        last = found.start()
        code = kind(found.group())
        if (line, code) not in seen:
            seen.add((line, code))
            column = found.start() - line_start + 1
            problems.append(_problem(code, line, column, _ADVICE[code], character=name(found.group())))
        if len(problems) == _MOST:
            break
    return problems


def _not_normal(text: str) -> list[Problem]:
    problems = []
    for number, line in enumerate(text.split("\n"), 1):
        if is_normal(line):
            continue
        column = crowd(line)
        if column < 0:
            normal = nfc(line)
            column = next(
                (at for at, pair in enumerate(zip(line, normal, strict=False)) if pair[0] != pair[1]),
                len(normal),
            )
        problems.append(
            _problem("yaml.not-normal", number, column + 1, "type the letter with its accent anew")
        )
        if len(problems) == _MOST:
            break
    return problems


def cleaned(text: str) -> str:
    """Return the text with forbidden characters made harmless, so that the rest of the file can be looked at
    as well.
    """
    plain = re.sub(f"[{_INVISIBLE}{_CONTROL}{_NO_CHARACTER}]", "", text)
    plain = _FORBIDDEN.sub(" ", plain)
    return plain if is_crowded(plain) else nfc(plain)


def kind(character: str) -> str:
    """Return the code of a forbidden character."""
    return next(code for code, wanted in _KINDS if wanted.match(character))


def in_value(text: str) -> str:
    """Return the first forbidden character that an escape has put into a quoted text, or nothing."""
    if text.isascii() and text.isprintable():
        return ""
    found = _FORBIDDEN.search(text)
    if found:
        return found.group()
    if (at := crowd(text)) >= 0:
        return text[at]
    normal = nfc(text)
    return "" if normal == text else next((a for a, b in zip(text, normal, strict=False) if a != b), text[-1])


def foreign(character: str, line: int, column: int, top: str) -> Problem:
    """Return what to say about a character outside ASCII where none may stand."""
    if (instead := _LOOKALIKES.get(character)) is not None:
        quote = character in _QUOTES
        code = "yaml.typographic-quote" if quote else "yaml.typographic"
        return _problem(code, line, column, f"type {instead} instead", character=character, instead=instead)
    title = unicodedata.name(character, "")
    if title.startswith(("CYRILLIC", "GREEK", "FULLWIDTH", "MATHEMATICAL")):
        return _problem(
            "yaml.look-alike", line, column, "type it anew", character=character, title=title.lower()
        )
    return _problem("yaml.foreign", line, column, character=character, key=top)


def first_lookalike(line: str, *, structural: bool) -> int:
    """Return where a typographic sign stands in front of any comment, or -1.

    With ``structural`` only one that takes the place of a dash before an order or of a colon behind a key.
    """
    start = len(line) - len(line.lstrip(" "))
    for at, character in enumerate(line):
        if character == "#" and (at == 0 or line[at - 1] == " "):
            return -1
        if (
            character in _LOOKALIKES
            and (not structural or at == start or character == "：")
            and character != "…"
        ):
            return at
    return -1


def name(character: str) -> str:
    """Return how a character is called that cannot be shown, as ``U+00A0 no-break space``."""
    return f"U+{ord(character):04X} {unicodedata.name(character, '').lower()}".strip()


def printable(text: str) -> str:
    """Return a text in which nothing can steer a terminal, break the line or hide."""
    return (
        text
        if text.isprintable()
        else "".join(character if character.isprintable() else "·" for character in text)
    )


def shown(text: str) -> str:
    """Return a piece of somebody's text, short and on one line, for use in a sentence."""
    flat = printable(text)
    return flat if len(flat) <= 40 else flat[:37] + "..."


def _problem(code: str, line: int, column: int, help: str = "", **args: str | int) -> Problem:
    return Problem(code, args, (PLACE, line, column), help=help)
