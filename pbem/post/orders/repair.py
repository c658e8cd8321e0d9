"""Mends an order text that a telephone, a word processor or a mail program has changed: only where what was
typed is certain.

It decides what is mended in unsigned orders and keeps each change, to be told to the player; signed ones
never come here. What is not certain stays as it came, and whoever checks the file shows the mistake. Where
the mended text cannot be read and the text as it came can, the latter is taken.

Theory of operation. Each line is mended by the place it has in the text (``walking``): signs of orders and
keys become those of a keyboard, words for people keep theirs. Then the spaces in front of lines: those that
all lines share go, and those that went on their way come back where only one meaning is left without them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct

from pbem.core.problem import Problem
from pbem.core.regex import regex
from pbem.post.lines import signs, walking
from pbem.post.lines.keys import BRANCHES, NAMED, PLAIN, Keys
from pbem.post.lines.message import Repair
from pbem.post.lines.rows import Row, text_of
from pbem.post.lines.walking import COMMENT, INNER, ITEM, KEY, OTHER, WORDS, Walk
from pbem.post.orders import freetext, spacing
from pbem.text.characters import PLACE
from pbem.text.free import FREE
from pbem.text.source import Source, read

__all__ = ["Mended", "is_whole", "mend"]

_MOST: Final = 65_536
"""A longer text is not an order file, and is not mended."""
_LISTED: Final = ("repair.bullet", "repair.tab")
"""Where these were mended, a program laid out the list."""
_NAMED: Final = regex(r"( *)([A-Za-z][A-Za-z0-9-]{0,23}) ?:(?= |$|[A-Za-z0-9{\[])")
_HARMLESS: Final = regex(r"[A-Za-z0-9](?:[^:#]|:(?=[^ \n])|(?<! )#)*")
"""What is behind a dash and has one meaning only."""
_BRANCHED: Final = regex(rf"( *(?:- )?)({'|'.join(BRANCHES)}) ?:(?= |$)", re.IGNORECASE)
_SMALL: Final = regex(r"[a-z0-9][a-z0-9._ -]{0,47}", re.IGNORECASE)
_CHOSEN: Final = regex(r"[A-Za-z0-9@,{}:\[\] -]{1,200}")


class Mended(Struct, frozen=True):
    """An order text as it is handed on; ``whole`` tells whether it can be read from end to end."""

    rows: tuple[Row, ...]
    repairs: tuple[Repair, ...]
    whole: bool
    problems: tuple[Problem, ...] = ()

    @property
    def data(self) -> bytes:
        """Return the text as a file."""
        return text_of(self.rows).encode("utf-8", "replace")


def mend(keys: Keys, rows: Sequence[Row], raw: Sequence[Row] = ()) -> Mended:
    """Return an order text with everything mended that is certain; ``raw`` are the same
    lines as they came.
    """
    if sum(len(row.text) for row in rows) > _MOST:
        return Mended(tuple(rows), (), False)
    first = _mended(keys, rows, straight=False)
    if first.whole:
        return first
    second = _mended(keys, rows, straight=True)
    if second.whole:
        return second
    if raw:
        as_it_came = tuple(raw)
        if is_whole(keys, read(text_of(as_it_came).encode("utf-8", "replace"))):
            return Mended(as_it_came, (), True)
    return first


def _mended(keys: Keys, rows: Sequence[Row], straight: bool) -> Mended:
    """Mend a copy of the rows."""
    copies = [row.copy() for row in rows]
    _shift(copies)
    mender = _Mender(keys, copies, straight)
    problems = mender.mend()
    roles = [role for role, _ in mender.roles]
    copies, roles = freetext.keep(keys, mender.rows, roles)
    copies = spacing.close_up(copies, roles)
    source = read(text_of(copies).encode("utf-8", "replace"))
    repairs = tuple(repair for row in copies for repair in row.repairs)
    return Mended(tuple(copies), repairs, is_whole(keys, source), tuple(problems))


def is_whole(keys: Keys, source: Source) -> bool:
    """Tell whether a text can be read, and has the form of orders as far as that can be
    said without a game.
    """
    data = source.data
    if source.problems or not isinstance(data, Mapping) or set(data) - set(keys.all):
        return False
    lists = (data.get(key) for key in keys.sections)
    return all(
        value is None or value == "" or (isinstance(value, list) and all(map(_is_order, value)))
        for value in lists
    ) and all(isinstance(data.get(key, {}), Mapping) for key in ("standing", "answers"))


def _is_order(value: object) -> bool:
    if isinstance(value, Mapping):
        return "when" in value or "do" in value
    return isinstance(value, str) and " - " not in value


def _shift(rows: Sequence[Row]) -> None:
    """Take away the spaces in front that all lines share."""
    filled = [row for row in rows if not row.blank]
    shared = min((row.indent for row in filled), default=0)
    if shared:
        for row in filled:
            row.cut(shared)
        filled[0].note("repair.indent")


class _Mender:
    """One order text on its way through; ``straight``: quotation marks in words for people become those of a
    keyboard too.
    """

    def __init__(self, keys: Keys, rows: list[Row], straight: bool) -> None:
        self.keys = keys
        self.rows = rows
        self.straight = straight
        self.walk = Walk(keys)
        self.roles: list[tuple[str, str]] = []
        self.problems: list[Problem] = []
        self.plain: set[str] = set()

    def mend(self) -> list[Problem]:
        """Mend every row; return what is doubtful in the end."""
        came, self.rows = self.rows, []
        for row in came:
            self._line(row)
            self.rows += self._parted(row)
        start = 0
        for at in range(1, len(self.rows) + 1):
            if at == len(self.rows) or self.roles[at][0] == KEY:
                self._section(start, at)
                start = at
        return self.problems

    def _line(self, row: Row) -> None:
        before = row.copy()
        signs.plain(row)
        role = self.walk.role(row.text)
        key = self.walk.key
        if (
            role in (WORDS, COMMENT)
            or (role == KEY and key in FREE)
            or (role in (walking.REST, OTHER) and key in FREE)
        ):
            row.text, row.columns, row.repairs = before.text, before.columns, before.repairs
            if role == KEY:
                self._key_of_words(row)
                signs.unfold(row, self.keys.head(row.text)[2])
            if self.straight and role != COMMENT:
                signs.straighten(row)
            if role == COMMENT and row.text.startswith("\\#"):
                row.replace(0, 1, "")
                row.note("repair.escape", "\\#", "#")
        elif role == KEY:
            self._key(row, key)
        elif role == ITEM:
            self._item(row)
        elif role == INNER:
            self._inner(row, key)
        elif (
            role == OTHER
            and key in self.keys.sections
            and (self.keys.sentence(row.text) or self.keys.spoken(row.text))
        ):
            row.begin(0)
            row.text = "- " + row.text
            row.columns = [row.columns[0]] * 2 + row.columns
            row.note("repair.missing-dash", "", row.text[:40])
            role = ITEM
        self.roles.append((role, key))

    # --- one line

    def _key_of_words(self, row: Row) -> None:
        """Mend the key in front of somebody's words, and leave these as they are."""
        view = row.copy()
        signs.plain(view)
        key, _, end = self.keys.head(view.text)
        column = view.columns[end] if end < len(view.columns) else view.columns[-1]
        behind = next((at for at, known in enumerate(row.columns) if known >= column), len(row.text))
        value, places = row.text[behind:], row.columns[behind:]
        row.text, row.columns = view.text[:end], view.columns[: end + 1]
        self._key(row, key)
        row.columns = row.columns[: len(row.text)] + places
        if value and not value.startswith(" "):
            row.text += " "
            row.columns.insert(len(row.text) - 1, places[0])
            row.note("repair.glued", ":", ": ")
        row.text += value
        row.strip()

    def _key(self, row: Row, key: str) -> None:
        """Write a key as it is written, with one colon and a space behind it."""
        _, begin, end = self.keys.head(row.text)
        if key in PLAIN:
            self._plainly(row, key, begin)
            return
        written = row.text[begin:end]
        if begin:
            row.cut(begin)
            row.note("repair.indent")
        if written != f"{key}:":
            row.replace(0, len(written), f"{key}:")
            row.note("repair.key", written, f"{key}:")
        behind = len(key) + 1
        if row.text[behind : behind + 1] not in ("", " "):
            row.replace(behind, behind, " ")
            row.note("repair.glued", ":", ": ")
        value = row.text[behind:].strip()
        if key in NAMED and value[-1:] in (".", ",", ";", "!"):
            end = len(row.text.rstrip()) - 1
            row.note("repair.key", value, value[:-1])
            row.replace(end, len(row.text), "")
            value = value[:-1]
        if key in NAMED and value != value.lower() and _SMALL.fullmatch(value):
            self._small(row, behind)

    def _plainly(self, row: Row, key: str, begin: int) -> None:
        """Write a sentence that stands for a key and its value as these; said twice it is said once."""
        was, now = row.text.strip(), ": ".join(self.keys.plainly(row.text))
        if key in self.plain:
            row.replace(begin, len(row.text), f"# {was}")
        elif row.text != now:
            row.replace(0, len(row.text), now)
            row.note("repair.key", was, now)
        self.plain.add(key)

    @staticmethod
    def _small(row: Row, start: int) -> None:
        """Write what is behind a key in small letters: names of games, sides and turns have no others."""
        was = row.text[start:].strip()
        row.text = row.text[:start] + row.text[start:].lower()
        row.note("repair.capital", was, was.lower())

    def _item(self, row: Row) -> None:
        """Begin an order with a dash and a space."""
        begin, end = walking.bullet(row.text)
        sign = row.text[begin:end]
        if sign != "- ":
            row.replace(begin, end, "- ")
            if sign == "-":
                row.note("repair.glued", "-", "- ")
            elif sign.strip() != "-":
                row.note("repair.bullet", sign.strip(), "-")
        if row.text.startswith("- - "):  # PGP put a dash in front of the dash
            row.replace(0, 4, "- ")
            row.note("repair.bullet", "- -", "-")
        self._branch(row)
        self._sentence(row)

    def _sentence(self, row: Row) -> None:
        """Put a sentence into quotes in which a sign would mean something else: a colon, a quotation mark
        without its other.
        """
        begin = walking.bullet(row.text)[1]
        if _HARMLESS.fullmatch(row.text, begin):
            return
        comment = signs.comment(row.text)
        if comment >= 0 and self.keys.signed.match(row.text, comment):
            comment = -1  # a place and no comment
        end = len(row.text) if comment < 0 else comment
        said = row.text[begin:end].strip()
        found = _NAMED.match(said)
        if not said or said[0] in "{[" or (found is not None and found[2].lower() in self.keys.form):
            return
        source = read(f"- {row.text[begin:end]}".encode("utf-8", "replace"))
        if not source.problems and isinstance(source.data, list) and isinstance(source.data[0], str):
            return
        bare = said.strip("\"'")
        quoted = json.dumps(bare, ensure_ascii=False)
        if read(f"- {quoted}".encode("utf-8", "replace")).problems:
            return
        start = row.text.index(said, begin)
        row.replace(start, start + len(said), quoted)
        if bare != said:
            row.note("repair.mark", said[:40], bare[:40])

    def _parted(self, row: Row) -> list[Row]:
        """Return the orders of a line that holds several, each on a line of its own."""
        role, key = self.roles[-1]
        places = (
            self.keys.several(row.text[2:])
            if role == ITEM and key in self.keys.sections and row.text.startswith("- ")
            else ()
        )
        if not places:
            return [row]
        orders: list[Row] = []
        for begin, end in places:
            one = Row(
                f"- {row.text[2 + begin : 2 + end]}",
                [row.columns[2 + begin]] * 2 + row.columns[2 + begin : 3 + end],
                row.number,
                row.source,
            )
            orders.append(one)
        orders[0].repairs = row.repairs[:]
        orders[0].note("repair.two-orders", row.text[2:], "; ".join(one.text[2:] for one in orders))
        self.roles += [(role, key)] * (len(orders) - 1)
        return orders

    def _branch(self, row: Row) -> None:
        found = _BRANCHED.match(row.text)
        if found is not None and found.group() != f"{found[1]}{found[2].lower()}:":
            now = f"{found[2].lower()}:"
            row.note("repair.key", row.text[found.start(2) : found.end()], now)
            row.replace(found.start(2), found.end(), now)

    def _inner(self, row: Row, key: str) -> None:
        """Write the keys below ``standing:`` and ``answers:``, and those of conditions, as
        they are written.
        """
        if key in self.keys.sections:
            self._branch(row)
            return
        found = _NAMED.match(row.text)
        if found is None:
            return
        name, behind = found[2].lower(), found.end()
        now = f"{name}:"
        if row.text[found.start(2) : behind] != now:
            row.note("repair.key", row.text[found.start(2) : behind], now)
            row.replace(found.start(2), behind, now)
            behind = found.start(2) + len(now)
        if row.text[behind : behind + 1] not in ("", " "):
            row.replace(behind, behind, " ")
            row.note("repair.glued", ":", ": ")
        value = row.text[behind:]
        if value != value.lower() and _CHOSEN.fullmatch(value.strip()):
            self._small(row, behind)

    # --- the spaces in front

    def _section(self, start: int, end: int) -> None:
        """Give the lines below one key the spaces in front that they need."""
        key = self.roles[start][1]
        rows = [(at, self.roles[at][0]) for at in range(start + 1, end) if not self.rows[at].blank]
        if not rows:
            return
        if key == "answers":
            self._indent_lost([at for at, role in rows if role == INNER], 2)
        elif key == "standing":
            self._standing([at for at, role in rows if role == INNER])
        elif key in self.keys.sections:
            self._orders(rows)

    def _indent_lost(self, places: Sequence[int], wanted: int) -> None:
        if places and any(self.rows[at].indent == 0 for at in places):
            for at in places:
                self._begin(at, wanted)

    def _begin(self, at: int, indent: int) -> None:
        if self.rows[at].indent != indent:
            row = self.rows[at]
            row.begin(indent)
            if all(repair.code not in _LISTED for repair in row.repairs):
                row.note("repair.indent")

    def _standing(self, places: Sequence[int]) -> None:
        """Put names two spaces in and their choices four, where all stand in the first column."""
        if not places or not all(self.rows[at].indent == self.rows[places[0]].indent for at in places):
            return
        flat = self.rows[places[0]].indent == 0
        under = False
        wanted: list[int] = []
        for number, at in enumerate(places):
            name, _, value = self.rows[at].text.strip().partition(":")
            if name in self.keys.standing:
                if not under:
                    return
                wanted.append(4)
                continue
            bare = not value.split(" #")[0].strip()
            follows = (
                self.rows[places[number + 1]].text.strip().partition(":")[0]
                if number + 1 < len(places)
                else ""
            )
            if bare and follows not in self.keys.standing:
                return
            under = bare
            wanted.append(2)
        if flat or 4 in wanted:
            for at, indent in zip(places, wanted, strict=True):
                self._begin(at, indent)

    def _orders(self, rows: Sequence[tuple[int, str]]) -> None:
        """Let the orders of a section begin in one column, and branches below the condition
        they belong to.
        """
        inner = [at for at, role in rows if role == INNER]
        items = [at for at, role in rows if role == ITEM]
        if not items:
            return
        if not any(_BRANCHED.match(self.rows[at].text) for at in inner):
            if not inner and (len({self.rows[at].indent for at in items}) > 1 or self._laid_out(items)):
                for at in items:
                    self._begin(at, 0)
            return
        if any(self.rows[at].indent > self.rows[items[0]].indent for at, _ in rows):
            return
        self._branches([(at, role) for at, role in rows if role in (ITEM, INNER)])

    def _laid_out(self, items: Sequence[int]) -> bool:
        """Tell whether a program laid out a list: with signs of its own, or further in and below an empty
        line.
        """
        if self.rows[items[0]].indent == 1 or (self.rows[items[0]].indent and self.rows[items[0] - 1].blank):
            return True
        return any(repair.code in _LISTED for at in items for repair in self.rows[at].repairs)

    def _branches(self, rows: Sequence[tuple[int, str]]) -> None:
        """Put ``then:`` and ``otherwise:`` back below their ``- when:``.

        Of two orders below the last of them nobody can say whether the second still belongs to it, nor of a
        condition that follows.
        """
        words = [self._word(at) for at, _ in rows]
        whens = [number for number, (_, role) in enumerate(rows) if role == ITEM and words[number] == "when"]
        if not whens:
            return self._say(rows[0][0])
        begin = whens[0]
        inner = [number for number, (_, role) in enumerate(rows) if role == INNER]
        if len(whens) > 1:
            return self._say(rows[whens[1]][0])
        if [words[number] for number in inner] not in (["then"], ["then", "otherwise"]) or inner[
            0
        ] != begin + 1:
            return self._say(rows[inner[0]][0])
        last = inner[-1]
        if len(rows) != last + 2 or (len(inner) == 2 and last == inner[0] + 1):
            return self._say(rows[min(last + 2, len(rows) - 1)][0])
        for number, (at, _) in enumerate(rows):
            self._begin(at, 2 if number > begin else 0)
        return None

    def _word(self, at: int) -> str:
        found = _BRANCHED.match(self.rows[at].text)
        return found[2].lower() if found else ""

    def _say(self, at: int) -> None:
        row = self.rows[at]
        self.problems.append(
            Problem(
                "mail.lost-indent", {"line": row.number, "text": row.text.strip()}, (PLACE, row.number, 1)
            )
        )
