"""An order file written in normal form: what was understood, as the shortest file that says the same.

Read again it is the same orders (a test tries it); the places of its lines are others. Of a file with
problems it is what can be used of it, with comments in the place of everything else, so that its writer can
mend it and send it again.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from msgspec.structs import replace

from pbem.core.problem import Path
from pbem.core.regex import regex
from pbem.orders.file import EVERYONE, Gap, Item, Line, OrderFile, Stop, When

Instead = Callable[[Path, str], Sequence[str]]
"""(path of something in a file, how far that reaches) -> the comments that stand in its place; none where it
is well.

``all``: to whatever is inside it; ``keys``: to the keys right inside it, but for ``when``; ``self``: to
nothing inside; ``heading``: to nothing inside, which is shown as well; ``gap``: to all, and there always are
some."""
_REACH: Final = {When: "keys", Gap: "gap"}

_PLAIN: Final = regex(r"[A-Za-z0-9](?:[A-Za-z0-9 ,.!?'/+-]*[A-Za-z0-9.!?])?")
"""Texts that need no quotes whatever they say."""


def well(path: Path, reach: str) -> Sequence[str]:
    """Return no comments: everything in the file is well."""
    return ()


def normal(
    headings: Mapping[str, str], say: Callable[[Any], str], orders: OrderFile, instead: Instead = well
) -> list[str]:
    """Return the lines of a file in normal form, with comments ``instead`` of what has a problem.

    ``headings``: of sections, with their phases; ``say``: an order of the game -> its sentence.
    """
    return list(_Writer(headings, say, instead).file(orders))


class _Writer:
    """One file on its way to paper."""

    def __init__(self, headings: Mapping[str, str], say: Callable[[Any], str], instead: Instead) -> None:
        self.headings = headings
        self.say = say
        self.instead = instead
        self.refused: set[Path] = set()
        """Entries that stand in the file as comments."""

    def file(self, orders: OrderFile) -> Iterator[str]:
        at = orders.opened
        turn = str(replace(at, phase=orders.only)) if orders.only else str(at).removesuffix(f".{at.phase}")
        for key in ("seat", "side", "turn"):
            yield from self.instead((key,), "all")
        yield from (f"seat: {orders.seat}", f"turn: {turn}")
        stop = next((heading for heading, phase in self.headings.items() if phase == orders.stop_after), "")
        nobody = "moves" if orders.nobody and not any(orders.sections.values()) else ""
        texts = {"stop-after": stop, "nobody": nobody, "final": "yes" if orders.final else ""}
        texts |= {"luck": orders.luck, "message": orders.message, "note": orders.note}
        for key, text in texts.items():
            if told := self.instead((key,), "all"):
                yield from told
            elif text:
                yield f"{key}: {_text(text)}"
        for heading, phase in self.headings.items():
            told = self.instead((heading,), "heading")
            yield from told
            if any(item.path for item in orders.sections.get(phase, ())) or orders.sections.get(phase) == ():
                yield from self.section(heading, orders.sections[phase], heading in orders.closed)
        yield from self.standing(orders)
        yield from self.answers(orders)

    def section(self, heading: str, items: Sequence[Item], closed: bool) -> Iterator[str]:
        """Yield a section; one that cannot be ordered now stands in comments with its heading."""
        lines = [line for item in items for line in self.item(item, "")]
        if closed:
            yield from (line if line.startswith("#") else f"# {line}" for line in (f"{heading}:", *lines))
        elif lines:
            yield from (f"{heading}:", *lines)
        else:
            yield f"{heading}: []"

    def item(self, item: Item, inner: str) -> Iterator[str]:
        if not item.path or item.path in self.refused:
            return
        if told := self.instead(item.path, _REACH.get(type(item), "all")):
            self.refused.add(item.path)
            yield from _further_in(told, inner)
            return
        match item:
            case Line():
                yield f"{inner}- {_text(self.say(item.order))}"
            case Stop():
                yield f"{inner}- stop"
            case When():
                if told := self.instead((*item.path, "when"), "all"):
                    yield from _further_in(told, inner)
                    return
                yield f"{inner}- when: {_text(item.condition.text)}"
                yield from self.branch("then", item.then, inner)
                if item.otherwise:
                    yield from self.branch("otherwise", item.otherwise, inner)

    def branch(self, name: str, items: Sequence[Item], inner: str) -> Iterator[str]:
        lines = [line for item in items for line in self.item(item, f"{inner}  ")]
        yield f"{inner}  {name}:" if _says(lines) else f"{inner}  {name}: []"
        yield from lines

    def standing(self, orders: OrderFile) -> Iterator[str]:
        told = self.instead(("standing",), "self")
        yield from told
        if orders.everyone is None or told:
            return
        blocks: list[tuple[str, Mapping[str, str]]] = [(EVERYONE, orders.everyone)] if orders.everyone else []
        blocks += [
            (figure["unit"], {key: value for key, value in figure.items() if key != "unit"})
            for figure in orders.figures
        ]
        lines: list[str] = []
        for who, said in blocks:
            if told := self.instead(("standing", who), "self"):
                lines += _further_in(told, "  ")
                continue
            kept: list[str] = []
            for key, value in said.items():
                kept += _further_in(self.instead(("standing", who, key), "all"), "    ") or [
                    f"    {key}: {_text(value)}"
                ]
            lines += [f"  {who}:" if _says(kept) else f"#   {who}:" if kept else f"  {who}: {{}}", *kept]
        yield "standing:" if _says(lines) else "# standing:" if lines else "standing: {}"
        yield from lines

    def answers(self, orders: OrderFile) -> Iterator[str]:
        yield from self.instead(("answers",), "self")
        lines = [
            line
            for id_, answer in sorted(orders.answers.items())
            for line in _further_in(self.instead(("answers", id_), "all"), "  ")
            or [f"  {id_}: {_text(answer)}"]
        ]
        if lines:
            yield "answers:" if _says(lines) else "# answers:"
        yield from lines


def _says(lines: Sequence[str]) -> bool:
    """Tell whether there is anything but comments in some lines."""
    return any(not line.startswith("#") for line in lines)


def _further_in(comments: Sequence[str], inner: str) -> list[str]:
    """Return comments in which what was typed stands as far in as it has to stand."""
    return [f"# {inner}{line[2:]}" for line in comments]


def _text(text: str) -> str:
    """Return a text as a value: bare where nothing in it could mean anything, else in double quotes."""
    bare = _PLAIN.fullmatch(text) or re.fullmatch(r"[a-z0-9][a-z0-9 ,@:+-]*[a-z0-9]", text)
    return text if bare and ": " not in text else json.dumps(text, ensure_ascii=False)
