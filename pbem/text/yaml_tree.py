"""Plain data and the place of each value, grown from the events of a YAML parser.

It decides what the events of one text may be (nesting, length, keys given twice, anchors, tags, letters).
Which parser makes the events, and what is tried where one gives up, is decided in ``yaml_text``, which says
why it is events.
"""

from __future__ import annotations

from typing import Any, Final, Protocol

import yaml

from pbem.core.problem import Problem
from pbem.text import characters, syntax
from pbem.text.limits import ANY_KEY, Limits
from pbem.text.places import Mark, Place, problem_at

__all__ = ["Tree", "Walk"]


class _Parser(Protocol):
    def get_event(self) -> Any: ...


class Walk:
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
        """Note a problem at a mark of the parser."""
        self.problems.append(problem_at(code, mark.line + 1, mark.column + 1, help, **args))


class _Frame:
    """A mapping or list that is still open."""

    __slots__ = ("data", "flow", "key", "key_mark", "lost", "mark", "place", "top")

    def __init__(self, mark: Any, data: Any, place: Place, lost: bool, top: str) -> None:
        self.mark = mark
        self.data = data
        self.place = place
        self.key: str | None = None  # the key that waits for its value; None: a key is next
        self.key_mark: Any = None
        # its value has no place to go: it stood where a key must stand, or its key came twice
        self.lost = lost
        self.top = top  # the top key it stands under
        self.flow = False  # opened by a bracket


_LOST: Final = "\0"


def _place(mark: Any, text: str | None = None, inside: Any = None, keys: Any = None) -> Place:
    """Return the place of a value that stands at a mark of the parser."""
    return Place(mark.line, mark.column, text, inside, keys)


class Tree:
    """Grows data and places from the events of one part of the text."""

    def __init__(self, walk: Walk, part: str) -> None:
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
                    self.close(event)
                elif kind is yaml.AliasEvent:
                    walk.say("yaml.alias", event.start_mark, name=characters.shown(str(event.anchor)))
                    self.take("", _place(event.start_mark), event.start_mark)
                elif kind is yaml.DocumentStartEvent:
                    self.document(event)
                if walk.stopped:
                    return None
                event = parser.get_event()
        except yaml.MarkedYAMLError as error:
            return self.failure(error)
        except (yaml.YAMLError, ValueError, OverflowError):
            # PyYAML trips over an escape such as "\UFFFFFFFF", which is not a character, and does not say
            # where
            return syntax.first_escape(self.walk.lines)
        return None

    def failure(self, error: yaml.MarkedYAMLError) -> syntax.Failure:
        """Return where the parser gave up: of a bracket that is never closed, where that was opened."""
        mark: Any = error.problem_mark
        begun: Any = error.context_mark or mark
        reason = f"{error.context} {error.problem}"
        bracket = next((frame.mark for frame in self.stack if frame.flow), None)
        if bracket is not None and bracket.line < begun.line and "quoted" not in reason:
            return syntax.Failure(bracket.line, bracket.column, bracket.line, bracket.column, "flow")
        return syntax.Failure(mark.line, mark.column, begun.line, begun.column, reason)

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
        place = _place(mark, None, {} if keys is not None else [], keys)
        if event.anchor is not None or event.tag is not None:
            self.decorated(event)
        if len(self.stack) >= self.limits.depth:
            self.walk.say("yaml.too-deep", mark, limit=self.limits.depth)
            self.stop()
            return
        top, lost = self.take(data, place, mark)
        frame = _Frame(mark, data, place, lost, top)
        frame.flow = event.flow_style
        self.stack.append(frame)

    def close(self, event: Any) -> None:
        """End a mapping or a list."""
        frame = self.stack.pop()
        if frame.flow and self.part.find("?", frame.mark.index, event.end_mark.index) >= 0:
            self.doubtful = True

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
        top, _ = self.take(text, _place(mark, text), mark)
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
        elif (self.limits.key or ANY_KEY).fullmatch(key) is None:
            self.walk.say("yaml.key", mark, self.better_key(key), key=characters.shown(key))
            frame.key = _LOST
        else:
            frame.key = key
            known[key] = mark

    def better_key(self, key: str) -> str:
        """Say how the key would be right."""
        plain = key.strip().lower().replace(" ", "-")
        wanted = self.limits.key or ANY_KEY
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
            problem_at(
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
