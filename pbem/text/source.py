"""Reads one YAML text strictly: plain data, every scalar as typed, and the place of each value.

It decides what may stand in a file at all (bytes, signs, nesting, keys given twice) and nothing about what
keys mean: that is
``text/shape.py``. It opens nothing, and for no bytes whatever does it raise.

Theory of operation. PyYAML's *composer* calls itself once per level, and the C library dies on deep nesting;
its *events* are a flat stream. So the reader looks for forbidden characters with one expression over the raw
text, then walks the events with a stack of its own and stops at a fixed depth and a fixed number of events.
Beside the data it grows a tree of the same form that holds the marks. A text that cannot be parsed is taken
up again at the next line that begins a top key, so that one forgotten quote does not hide the other mistakes.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, Final, Protocol

import yaml

from pbem.core.problem import Problem
from pbem.text import characters, syntax
from pbem.text.places import Mark, Place, Source

__all__ = ["FILES", "ORDERS", "Limits", "Mark", "Source", "read"]


@dataclass(frozen=True, slots=True)
class Limits:
    """How much a file may hold: ``size`` in bytes, ``scalar`` in characters, ``depth`` in levels.

    ``key`` is the form of every key (``None``: any printable ASCII text up to 64 characters). ``any_text``
    names the top keys whose values may hold letters outside ASCII; ``None`` allows them everywhere.
    """

    size: int = 65_536
    events: int = 20_000
    depth: int = 12
    scalar: int = 2_000
    key: re.Pattern[str] | None = re.compile(r"[a-z][a-z0-9_.-]{0,31}")
    any_text: frozenset[str] | None = frozenset({"note", "message", "luck"})


ORDERS: Final = Limits()
FILES: Final = Limits(size=262_144, events=200_000, scalar=100_000, key=None, any_text=None)

_ANY_KEY: Final = re.compile(r"[\x20-\x7e]{1,64}")
_HEADER: Final = "#pd1-orders/1"
_NEXT_SECTION: Final = re.compile(r"^[a-z][a-z0-9_-]*:(?=[ \n]|\Z)", re.MULTILINE)
_ENTRY: Final = re.compile(r"( *)- *(\S.*?) *")
_KEYED: Final = re.compile(r" *[a-z][a-z0-9_-]{0,31}:(?= )")
_RESUMES: Final = 8
_LONGEST_LEFT: Final = 16_384
"""Characters of a text that is read once more without the lines that cannot be parsed."""
_UNPARSED: Final = frozenset(
    {
        "yaml.block",
        "yaml.bracket",
        "yaml.colon",
        "yaml.escape",
        "yaml.glued",
        "yaml.indent",
        "yaml.key",
        "yaml.no-colon",
        "yaml.quote",
    }
    | {"yaml.sign", "yaml.syntax", "yaml.typographic", "yaml.typographic-quote"}
)
_OF_COLUMNS: Final = frozenset(
    {"yaml.indent", "yaml.no-colon", "yaml.key", "yaml.block", "yaml.run-on", "yaml.complex-key"}
)
_ACROSS_LINES: Final = frozenset({"yaml.block", "yaml.bracket", "yaml.quote"})
"""What a line says only because of others."""
MOST: Final = 200
"""How many problems of one file are told."""


def read(
    data: bytes,
    name: str = "orders.yaml",
    *,
    allow_header: bool = False,
    limits: Limits = ORDERS,
    pure: bool = False,
) -> Source:
    """Return what the text says and everything that is wrong with it; never raise, whatever the bytes are.

    ``allow_header`` lets the header of a signed order file stand in front; all lines are counted in the whole
    file. ``pure`` reads without the C library: the answer is the same, ten times slower.
    """
    if len(data) > limits.size:
        problem = _problem("yaml.too-big", 1, 1, size=len(data), limit=limits.size)
        return Source(None, [problem], (), name, whole=False)
    text, problems = characters.decode(data)
    if text is None:
        return Source(None, problems, tuple(data.decode("utf-8", "replace").split("\n")), name, whole=False)
    lines = tuple(text.split("\n"))
    body = text
    if text.startswith("#pd1-"):
        body, header_problems = _without_header(lines, text, allow_header)
        problems += header_problems
    if bad := characters.forbidden(body):
        problems += bad
        walk = _read_all(characters.cleaned(body), limits, pure)
        lines_said = {_line(problem) for problem in bad}
        # what is said of columns may only follow from those signs
        follows = () if walk.whole else _OF_COLUMNS
        problems += [
            problem
            for problem in walk.problems
            if _line(problem) not in lines_said and problem.code not in follows
        ]
        walk.whole = False
    else:
        walk = _read_all(body, limits, pure)
        problems += walk.problems
    if walk.root is None and not problems:
        problems.append(_problem("yaml.empty", 1, 1))
    if problems:
        problems = _some(sorted(problems, key=_by_place))
    return Source(walk.data, problems, lines, name, walk.whole, walk.root)


def _problem(code: str, line: int, column: int, help: str = "", **args: str | int) -> Problem:
    return Problem(code, args, (characters.PLACE, line, column), help=help)


def _some(problems: list[Problem]) -> list[Problem]:
    """Return the first problems only where there are hundreds."""
    if len(problems) <= MOST:
        return problems
    last = problems[MOST - 1]
    return [*problems[:MOST], Problem("yaml.more", {"count": len(problems) - MOST}, last.path)]


def _line(problem: Problem) -> int:
    return int(problem.path[1])


def _by_place(problem: Problem) -> tuple[int, int, str]:
    return _line(problem), int(problem.path[2]), problem.code


def _without_header(lines: tuple[str, ...], text: str, allowed: bool) -> tuple[str, list[Problem]]:
    """Return the text with the header lines left empty, so that every place stays where it is."""
    if not allowed:
        return text, [_problem("yaml.header-here", 1, 1)]
    if lines[0] != _HEADER:
        return text, [_problem("yaml.header-version", 1, 1, found=characters.shown(lines[0]), wanted=_HEADER)]
    for number, line in enumerate(lines):
        if line == "---":
            return "\n" * number + "\n".join(lines[number:]), []
        if not line.startswith("#"):
            return text, [_problem("yaml.header-end", number + 1, 1)]
    return text, [_problem("yaml.header-end", len(lines), 1)]


class _Parser(Protocol):
    def get_event(self) -> Any: ...


class _PureParser(yaml.reader.Reader, yaml.scanner.Scanner, yaml.parser.Parser):
    """PyYAML's own parser without its composer."""

    def __init__(self, text: str) -> None:
        yaml.reader.Reader.__init__(self, text)
        yaml.scanner.Scanner.__init__(self)
        yaml.parser.Parser.__init__(self)


_FastParser: Any = getattr(getattr(yaml, "cyaml", None), "CParser", _PureParser)


class _Walk:
    """What was understood of a text so far."""

    def __init__(self, text: str, limits: Limits) -> None:
        self.text = text
        self.limits = limits
        self.lines = tuple(text.split("\n"))
        self.problems: list[Problem] = []
        self.data: Any = None
        self.root: Place | None = None
        self.whole = True
        self.events = 0
        self.stopped = False

    def say(self, code: str, mark: Any, help: str = "", **args: str | int) -> None:
        self.problems.append(_problem(code, mark.line + 1, mark.column + 1, help, **args))


def _read_all(text: str, limits: Limits, pure: bool) -> _Walk:
    """Walk the text; after each place that cannot be parsed go on at the next top key below it."""
    walk = _Walk(text, limits)
    start = 0
    for _ in range(_RESUMES):
        part = "\n" * text.count("\n", 0, start) + text[start:] if start else text
        failed = _attempt(walk, part, pure)
        if failed is None or walk.stopped:
            break
        walk.whole = False
        problem = syntax.explain(walk.lines, failed)
        # what seemed to run on may only have stood inside a bracket or a quote that is not closed
        walk.problems = [
            one for one in walk.problems if one.code != "yaml.run-on" or _line(one) < _line(problem)
        ]
        if problem not in walk.problems:
            walk.problems.append(problem)
        following = _NEXT_SECTION.search(text, max(_offset(text, _line(problem)), start + 1))
        if following is None:
            break
        start = following.start()
    if not walk.whole and not walk.stopped and len(text) <= _LONGEST_LEFT:
        _read_the_rest(walk, text, pure)
    return walk


def _read_the_rest(walk: _Walk, text: str, pure: bool) -> None:
    """Read a text once more without the lines that cannot be parsed, so that one of them hides nothing that
    stands below it.

    A list entry among them is kept as the text that it is. Nothing changes where the rest cannot be parsed
    either.
    """
    told = {_line(problem) for problem in walk.problems}
    lines = list(walk.lines)
    taken: set[int] = set()
    found: list[Problem] = []
    bad = {_line(problem) for problem in walk.problems if problem.code in _UNPARSED}
    for _ in range(_RESUMES):
        for number in bad - taken:
            lines[number - 1] = _harmless(lines[number - 1])
        taken |= bad
        other = _Walk("\n".join(lines), walk.limits)
        failed = _attempt(other, other.text, pure)
        if other.stopped:
            return
        if failed is None:
            walk.data, walk.root = other.data, other.root
            walk.problems += [problem for problem in (*found, *other.problems) if _line(problem) not in told]
            return
        problem = syntax.explain(other.lines, failed)
        bad = {_line(problem)}
        if bad <= taken:
            return
        if problem.code not in _ACROSS_LINES:
            found.append(problem)


def _harmless(line: str) -> str:
    """Return a line that cannot be parsed as an entry of its list with its text in quotes, as a key without a
    value, or as nothing.
    """
    entry = _ENTRY.fullmatch(line)
    if entry is not None and entry[2].isascii():
        return f"{entry[1]}- {json.dumps(entry[2])}"
    key = _KEYED.match(line)
    return key.group() if key is not None else ""


# The C library and PyYAML differ in a few corners: "?" inside brackets, "#" right behind "|" or ">". A signed
# file is accepted or
# refused alike by everybody, so there, and wherever something is wrong, PyYAML's own parser has the word.
_DIFFERENT: Final = re.compile(r"[|>][0-9+-]{0,9}#")


def _attempt(walk: _Walk, part: str, pure: bool) -> syntax.Failure | None:
    """Walk one part; return where the parser gives up."""
    said, events = len(walk.problems), walk.events
    make = _PureParser if pure or _DIFFERENT.search(part) else _FastParser
    tree = _Tree(walk, part)
    failed = tree.grow(make)
    if make is not _PureParser and (failed is not None or tree.doubtful or len(walk.problems) > said):
        del walk.problems[said:]
        walk.events = events
        walk.stopped = False
        tree = _Tree(walk, part)
        failed = tree.grow(_PureParser)
    tree.graft()
    return failed


def _offset(text: str, line: int) -> int:
    """Return where a line (from 0) begins."""
    at = 0
    for _ in range(line):
        at = text.find("\n", at) + 1
        if at == 0:
            return len(text)
    return at


class _Frame:
    """A mapping or list that is still open."""

    __slots__ = ("data", "flow", "key", "key_mark", "lost", "place", "top")

    def __init__(self, data: Any, place: Place, lost: bool, top: str) -> None:
        self.data = data
        self.place = place
        self.key: str | None = None  # the key that waits for its value; None: a key is next
        self.key_mark: Any = None
        self.lost = (
            lost  # its value has no place to go: it stood where a key must stand, or its key came twice
        )
        self.top = top  # the top key it stands under
        self.flow = False  # opened by a bracket


_LOST: Final = "\0"


class _Tree:
    """Grows data and places from the events of one part of the text."""

    def __init__(self, walk: _Walk, part: str) -> None:
        self.walk = walk
        self.part = part
        self.doubtful = False  # the two parsers may read it differently
        self.limits = walk.limits
        self.stack: list[_Frame] = []
        self.documents = 0
        self.data: Any = None
        self.root: Place | None = None

    def grow(self, make: Any) -> syntax.Failure | None:
        """Take every event; return the place where the parser gave up, if it did."""
        walk = self.walk
        limit = self.limits.events
        try:
            parser: _Parser = make(self.part)
            event = parser.get_event()
            while event is not None:
                walk.events += 1
                if walk.events > limit:
                    walk.say("yaml.too-much", event.start_mark, limit=limit)
                    self.stop()
                    return None
                kind = type(event)
                if kind is yaml.ScalarEvent:
                    self.scalar(event)
                elif kind is yaml.MappingStartEvent:
                    self.open(event, {}, {})
                elif kind is yaml.SequenceStartEvent:
                    self.open(event, [], None)
                elif kind is yaml.MappingEndEvent or kind is yaml.SequenceEndEvent:
                    frame = self.stack.pop()
                    if frame.flow and self.part.find("?", frame.place.mark.index, event.end_mark.index) >= 0:
                        self.doubtful = True
                elif kind is yaml.AliasEvent:
                    walk.say("yaml.alias", event.start_mark, name=characters.shown(str(event.anchor)))
                    self.take("", Place(event.start_mark), event.start_mark)
                elif kind is yaml.DocumentStartEvent:
                    self.document(event)
                if walk.stopped:
                    return None
                event = parser.get_event()
        except yaml.MarkedYAMLError as error:
            mark: Any = error.problem_mark
            begun: Any = error.context_mark or mark
            reason = f"{error.context} {error.problem}"
            bracket = next((frame.place.mark for frame in self.stack if frame.flow), None)
            if bracket is not None and bracket.line < begun.line and "quoted" not in reason:
                return syntax.Failure(bracket.line, bracket.column, bracket.line, bracket.column, "flow")
            return syntax.Failure(mark.line, mark.column, begun.line, begun.column, reason)
        except (yaml.YAMLError, ValueError, OverflowError):
            # PyYAML trips over an escape such as "\UFFFFFFFF", which is not a character, and does not say
            # where
            return syntax.first_escape(self.walk.lines)
        return None

    def stop(self) -> None:
        """Read no further."""
        self.walk.stopped = True
        self.walk.whole = False

    def document(self, event: Any) -> None:
        """Refuse what stands before a document, and a second one."""
        self.documents += 1
        if self.documents > 1:
            self.walk.say("yaml.second-document", event.start_mark)
            self.stop()
        elif event.version is not None or event.tags:
            self.walk.say("yaml.directive", event.start_mark)

    def open(self, event: Any, data: Any, keys: dict[str, Any] | None) -> None:
        """Begin a mapping or a list."""
        mark = event.start_mark
        place = Place(mark)
        place.keys = keys
        place.inside = {} if keys is not None else []
        if event.anchor is not None or event.tag is not None:
            self.decorated(event)
        if len(self.stack) >= self.limits.depth:
            self.walk.say("yaml.too-deep", mark, limit=self.limits.depth)
            self.stop()
            return
        top, lost = self.take(data, place, mark)
        frame = _Frame(data, place, lost, top)
        frame.flow = event.flow_style
        self.stack.append(frame)

    def scalar(self, event: Any) -> None:
        """Take one text, as a key or as a value."""
        text: str = event.value
        mark = event.start_mark
        if event.anchor is not None or event.tag is not None:
            self.decorated(event)
        if event.style == '"' and (bad := characters.in_value(text)):
            self.walk.say("yaml.character", mark, "leave it away", character=characters.name(bad))
            text = characters.cleaned(text)
        stack = self.stack
        if stack and stack[-1].key is None and stack[-1].place.keys is not None:
            self.begin(text, mark)
            return
        if len(text) > self.limits.scalar:
            self.walk.say("yaml.too-long", mark, length=len(text), limit=self.limits.scalar)
        if not text and not event.style:
            # the two parsers see nothing in different places: it stands where its key stands
            mark = stack[-1].key_mark if stack and stack[-1].key_mark else mark if stack else Mark(0, 0)
        top, _ = self.take(text, Place(mark, text), mark)
        if self.limits.any_text is not None and top not in self.limits.any_text:
            if not text.isascii():
                self.foreign(event, text, top)
            elif text and not event.style and event.end_mark.line != mark.line:
                self.run_on(event)

    def begin(self, key: str, mark: Any) -> None:
        """Take a key: its value comes next."""
        frame = self.stack[-1]
        frame.key_mark = mark
        known: dict[str, Any] = frame.place.keys
        if key in known:
            first = known[key].line + 1
            self.walk.say(
                "yaml.twice",
                mark,
                f"the first one is on line {first}; join them or take one out",
                key=key,
                first=first,
            )
            frame.key = _LOST
        elif key == "<<":
            self.walk.say("yaml.merge", mark)
            frame.key = _LOST
        elif (self.limits.key or _ANY_KEY).fullmatch(key) is None:
            self.walk.say("yaml.key", mark, self.better_key(key), key=characters.shown(key))
            frame.key = _LOST
        else:
            frame.key = key
            known[key] = mark

    def better_key(self, key: str) -> str:
        """Say how the key would be right."""
        plain = key.strip().lower().replace(" ", "-")
        wanted = self.limits.key or _ANY_KEY
        if plain != key and wanted.fullmatch(plain):
            return f"write '{plain}'"
        if not key:
            return "write a word in front of the colon"
        return "" if self.limits.key is None else "keys are short words of small letters, such as 'move'"

    def take(self, value: Any, place: Place, mark: Any) -> tuple[str, bool]:
        """Put a value where it belongs; return the top key above it and whether it is lost."""
        if not self.stack:
            self.data, self.root = value, place
            return "", False
        frame = self.stack[-1]
        keys = frame.place.keys
        if keys is None:
            frame.data.append(value)
            frame.place.inside.append(place)
            return frame.top, frame.lost
        key = frame.key
        if key is None:
            self.walk.say("yaml.complex-key", mark)
            frame.key = _LOST
            return frame.top, True
        frame.key = None
        top = key if len(self.stack) == 1 else frame.top
        if key == _LOST:
            return top, True
        frame.data[key] = value
        frame.place.inside[key] = place
        return top, frame.lost

    def decorated(self, event: Any) -> None:
        """Refuse anchors and tags."""
        if event.anchor is not None:
            self.walk.say("yaml.anchor", event.start_mark, name=characters.shown(str(event.anchor)))
        if event.tag is not None:
            self.walk.say(
                "yaml.tag",
                event.start_mark,
                name=characters.shown(str(event.tag).replace("tag:yaml.org,2002:", "!!")),
            )

    def run_on(self, event: Any) -> None:
        """Refuse an order that goes on below its line: mostly a dash was forgotten there, or the line was
        broken on its way.
        """
        lines = self.walk.lines
        number = next(at for at in range(event.start_mark.line + 1, len(lines)) if lines[at].strip())
        column = len(lines[number]) - len(lines[number].lstrip(" "))
        self.walk.problems.append(
            _problem(
                "yaml.run-on", number + 1, column + 1, "begin an order with '- '; else join the two lines"
            )
        )

    def foreign(self, event: Any, text: str, top: str) -> None:
        """Refuse letters outside ASCII, each text once, at the first of them."""
        start, end = event.start_mark, event.end_mark
        for number in range(start.line, min(end.line + 1, len(self.walk.lines))):
            line = self.walk.lines[number]
            begin = start.column if number == start.line else 0
            for column in range(begin, len(line)):
                if line[column] > "\x7e":
                    bad = line[column]
                    self.walk.problems.append(characters.foreign(bad, number + 1, column + 1, top))
                    return
        bad = next(character for character in text if character > "\x7e")
        self.walk.problems.append(characters.foreign(bad, start.line + 1, start.column + 1, top))

    def graft(self) -> None:
        """Join this part with what was read before it."""
        walk = self.walk
        if walk.root is None:
            walk.data, walk.root = self.data, self.root
            return
        if self.root is None or self.root.keys is None or walk.root.keys is None:
            return
        for key, mark in self.root.keys.items():
            if key in walk.root.keys:
                first = walk.root.keys[key].line + 1
                walk.say(
                    "yaml.twice",
                    mark,
                    f"the first one is on line {first}; join them or take one out",
                    key=key,
                    first=first,
                )
            elif key in self.data:
                walk.root.keys[key] = mark
                walk.root.inside[key] = self.root.inside[key]
                walk.data[key] = self.data[key]
