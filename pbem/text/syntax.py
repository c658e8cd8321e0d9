"""What to say where a text is no YAML: the mistake people make there, in their words, at the line where they
made it.
"""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from pbem.core.problem import Problem
from pbem.core.regex import regex
from pbem.text import characters


class Failure(Struct, frozen=True):
    """Where the parser gave up (counted from 0), where it began what it could not finish, and its reason."""

    line: int
    column: int
    from_line: int
    from_column: int
    reason: str


# PyYAML's reason, our code, whether the mistake is where it began
_REASONS: Final = (
    ("escape", "yaml.escape", False),
    ("hexadecimal", "yaml.escape", False),
    ("quoted scalar", "yaml.quote", True),
    ("flow", "yaml.bracket", True),
    ("expected ':'", "yaml.no-colon", True),
    ("mapping values", "yaml.colon", False),
    ("cannot start any token", "yaml.sign", False),
    ("anchor", "yaml.sign", True),
    ("alias", "yaml.sign", True),
    ("tag", "yaml.tag", True),
    ("directive", "yaml.directive", True),
    ("block scalar", "yaml.block", False),
    ("block", "yaml.indent", False),
    ("document start", "yaml.indent", False),
    ("not allowed here", "yaml.indent", False),
    ("node", "yaml.bracket", False),
)
_HELP: Final = {
    "yaml.quote": "close it with the same quote, or leave the quotes out",
    "yaml.escape": "write the text in 'single quotes', or without quotes",
    "yaml.bracket": "close it, and put a comma between two words",
    "yaml.no-colon": "an order begins with '- ', a section ends with ':'",
    "yaml.colon": "put the whole text in 'quotes', or check the spaces in front of the line",
    "yaml.sign": "put the text in 'quotes'",
    "yaml.block": "put the text below, a few spaces further in",
    "yaml.indent": "lines of one list begin in the same column",
}


def explain(lines: tuple[str, ...], failure: Failure) -> Problem:
    """Return the problem at a place where parsing failed."""
    code, first = _reason(failure)
    line, column = (failure.from_line, failure.from_column) if first else (failure.line, failure.column)
    if line >= len(lines):
        line, column = len(lines) - 1, len(lines[-1])
    here = lines[line][column:]
    if code == "yaml.indent" and here[:1] in ("]", "}", ","):
        code = "yaml.bracket"
    elif code == "yaml.indent" and here[:1] == ":":
        return _problem("yaml.key", line, column, "write a word in front of the colon", key="")
    elif "document start" in failure.reason and "..." in lines[:line]:
        code = "yaml.second-document"

    likelier = _lookalike(lines, line, failure)
    if likelier is None and code in ("yaml.no-colon", "yaml.indent", "yaml.colon"):
        likelier = _glued_near(lines, line)
    if likelier is not None:
        return likelier

    args: dict[str, str | int] = {"text": characters.shown(lines[line].strip()), "name": "", "sign": ""}
    if code == "yaml.sign":
        args["sign"] = lines[line][column : column + 1]
    return _problem(code, line, column, _HELP.get(code, ""), **args)


def _reason(failure: Failure) -> tuple[str, bool]:
    """Return what the parser's reason is called here, and whether it is told where the parser began."""
    for words, ours, began in _REASONS:
        if words in failure.reason:
            return ours, began
    return "yaml.syntax", False


def _lookalike(lines: tuple[str, ...], line: int, failure: Failure) -> Problem | None:
    """Return the problem of a sign near the place that only looks like one of a keyboard."""
    for near in dict.fromkeys((line, failure.from_line, max(line - 1, 0))):
        if near >= len(lines):
            continue
        at = characters.first_lookalike(lines[near], structural=near != line)
        if at >= 0:
            return characters.foreign(lines[near][at], near + 1, at + 1, "")
    return None


def _glued_near(lines: tuple[str, ...], line: int) -> Problem | None:
    """Return the problem of a dash or a colon without its space, on a line or the one above."""
    for near in (line, line - 1):
        if near >= 0 and (glued := _glued(lines[near])) >= 0:
            return _problem("yaml.glued", near, glued, "put a space after it", sign=lines[near][glued])
    return None


_ESCAPE: Final = regex(r"\\(?:u[dD][89a-fA-F]|U(?!000|0010))")


def first_escape(lines: tuple[str, ...]) -> Failure:
    """Return the place of the first escape that names no character."""
    for number, line in enumerate(lines):
        if found := _ESCAPE.search(line):
            return Failure(number, found.start(), number, found.start(), "escape")
    return Failure(0, 0, 0, 0, "")


def _glued(line: str) -> int:
    """Return where a dash or a colon of the form ``-odo to 0713`` or ``side:west`` lacks its space, or -1."""
    text = line.lstrip(" ")
    indent = len(line) - len(text)
    if len(text) > 1 and text[0] == "-" and text[1].isalpha():
        return indent
    word, colon, rest = text.partition(":")
    if colon and rest[:1].strip() and word.replace("-", "").isalnum():
        return indent + len(word)
    return -1


def _problem(code: str, line: int, column: int, help: str = "", **args: str | int) -> Problem:
    return Problem(code, args, (characters.PLACE, line + 1, column + 1), help=help)
