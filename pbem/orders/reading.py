"""Reads the order file of any game: plain data of one seat becomes an ``OrderFile``, and everything that is
wrong with it is told at once.

Decides what stands in conditions and branches, that nobody has two orders in one section, and which answers
fit; whether the file is for this seat and this turn, and which sections can be ordered now, is decided in
``addressing``. What a sentence says, whom it may name, what a condition asks and what may be instructed is
told by the game: it fills in the methods that are empty here.

The file of a wrong line is read on: in the place of the line stands a ``Gap``, so that the others can be
judged. Such a file can be judged, and must not be carried out.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, Final

from pbem.core.play import Question
from pbem.core.problem import Path, Problem, worst
from pbem.core.regex import regex
from pbem.orders.addressing import Addressed, Frame
from pbem.orders.file import UNKNOWN, Condition, Gap, Item, Line, OrderFile, Stop, When
from pbem.orders.template import plain
from pbem.text.similar import did_you_mean

__all__ = ["DEEPEST", "MOST_CONDITIONS", "Found", "Frame", "Reader"]

Found = tuple[Problem, str]
"""A problem, and the word of the sentence it is about."""

DEEPEST: Final = 3
MOST_CONDITIONS: Final = 20
_TEXTS: Final = ("luck", "note", "message")
_KEYS: Final = frozenset(
    (*_TEXTS, "game", "side", "seat", "turn", "stop-after", "standing", "answers", "nobody", "final")
)


_ALL_OR_NONE: Final = ("no", "every", "all")
"""How a sentence begins by which a section says that nobody is ordered in it."""


@cache
def _nobody(idle: tuple[str, ...]) -> re.Pattern[str]:
    """Return what such a sentence is like; with ``else`` or ``rest``: nobody beside those whom it orders."""
    return regex(
        r"(?:nobody|no one|none)(?P<else> else)?(?: "
        rf"(?:{'|'.join(('acts', *map(re.escape, idle)))}))?"
        r"|(?:everybody|everyone|all)(?P<rest> else)? stays?"
    )


class Reader(Addressed, ABC):
    """One file on its way from plain data to orders."""

    def __init__(self, frame: Frame, data: Mapping[str, Any]) -> None:
        super().__init__(frame, data)
        self.whens = 0
        self.nobody = "nobody" in data
        self.alone: dict[str, Path] = {}

    # --- what the game tells

    @abstractmethod
    def orders(self, heading: str, said: str, path: Path) -> Sequence[Any]:
        """Return the orders of a sentence, mostly one; none, and why, where nobody can tell."""

    @abstractmethod
    def line(self, order: Any, path: Path, entry: Any) -> Item | None:
        """Return the line of an order, having told what is wrong with the names in it; None where it cannot
        be used, and why.
        """

    def at_once(self, heading: str, text: str, path: Path) -> Line | None:
        """Return the line of a sentence in small letters with which nothing whatever is wrong, as most are;
        None of any other, and of any into which ``orders`` and ``line`` had better look.
        """
        return None

    @abstractmethod
    def say_order(self, order: Any) -> str:
        """Return the sentence of an order."""

    @abstractmethod
    def acting(self, order: Any) -> tuple[str, ...]:
        """Return who has one order in a section, and this is it."""

    @abstractmethod
    def about(self, text: str) -> frozenset[str]:
        """Return the ids that a text seems to name, whatever it says."""

    @abstractmethod
    def named(self, order: Any) -> frozenset[str]:
        """Return the ids in an order."""

    def sentence(self, entry: Mapping[str, Any]) -> str | list[Problem]:
        """Return the sentence of an order that is written as keys, or what is wrong with them, with paths
        from the mapping on.
        """
        return [Problem("orders.item")]

    def follows(self, first: Any, second: Any, at_once: bool) -> bool:
        """Tell whether somebody may have a second order behind a first one, in the next line where
        ``at_once``.
        """
        return False

    def condition_of(self, said: str) -> Condition | None:
        """Return the condition that a sentence says; None where it says none."""
        return None

    def condition_sentence(self, entry: Mapping[str, Any]) -> str:
        """Return the sentence of a condition that is written as keys."""
        return ""

    def condition_example(self, said: str) -> str:
        """Return a condition that has something in common with a sentence that says none."""
        return ""

    def wrong_in(self, condition: Condition) -> Iterable[Found]:
        """Return what is wrong with the names of a condition."""
        return ()

    def standing(self) -> tuple[Mapping[str, str] | None, tuple[Mapping[str, str], ...]]:
        """Return the standing instructions: for everyone (None where the file has none at all), and for
        single figures.
        """
        return None, ()

    def in_force(self, heading: str) -> bool:
        """Tell whether the game knows a section at all; say so where it does not."""
        return True

    @property
    def likeliest(self) -> str:
        """Return the phase in which somebody acts most likely of whom only a lost section tells."""
        return self.frame.at.phase

    def of_all(self, sections: Mapping[str, tuple[Item, ...]]) -> Iterable[Problem]:
        """Return what is wrong with the sections together."""
        return ()

    # --- all of it

    def file(self, questions: Sequence[Question] | None) -> OrderFile:
        """Return the file as far as it could be read."""
        self.addressed()
        only = self.turn()
        stop_after = self.stop_after()
        sections = self.sections(only, stop_after)
        self.problems += self.of_all(sections)
        sections = self.usable(sections)
        everyone, figures = self.standing()
        texts = {key: str(self.data[key]) for key in _TEXTS if self.data.get(key)}
        return OrderFile(
            seat=self.frame.seat,
            side=self.frame.side,
            opened=self.frame.at,
            only=only,
            sections=sections,
            everyone=everyone,
            figures=figures,
            answers=self.answers(questions),
            stop_after=stop_after,
            phases=self.phases,
            closed=frozenset(self.closed),
            nobody=self.nobody and not any(sections.values()),
            final="final" in self.data,
            **texts,
        )

    # --- sections

    def sections(self, only: str, stop_after: str) -> dict[str, tuple[Item, ...]]:
        """Return the sections by phase; those that cannot be ordered now are read too, so that everything
        wrong is said at once.
        """
        found: dict[str, tuple[Item, ...]] = {}
        headings = [
            heading for heading in self.frame.headings if heading in self.data and self.in_force(heading)
        ]
        seats = self.frame.ordering
        if headings and self.frame.seat not in seats:
            help_ = (
                "standing instructions and answers are taken at any time; send orders when it is your turn"
            )
            turn, listed = ", ".join(seats) or "nobody", ", ".join(headings)
            self.say(
                "orders.not-your-turn",
                (headings[0],),
                help_,
                True,
                section=listed,
                seat=turn,
                own=self.frame.seat,
            )
            self.closed.update(headings)
        for heading in headings:
            if self.frame.seat in seats:
                self.open(heading, only, stop_after)
            found[self.frame.headings[heading]] = self.section(heading)
        return found

    def section(self, heading: str) -> tuple[Item, ...]:
        """Return the items of a section; a section with nothing in it orders everybody to stay."""
        items = tuple(self.items(heading, self.data[heading], (heading,), 0))
        if items and (alone := self.alone.get(heading)) is not None:
            self.say(
                "orders.nobody-but", alone, "take the line out, or write 'nobody else' in it", section=heading
            )
        acting = [unit for item in items if isinstance(item, Line) for unit in self.acting(item.order)]
        if self.whens or len(set(acting)) < len(acting):
            self.twice(heading, items, {}, None)
        return items

    def items(self, heading: str, value: Any, path: Path, depth: int) -> list[Item]:
        """Return the items of a section or a branch."""
        found: list[Item] = []
        if value is None or value == "":
            return found
        if isinstance(value, str):
            value, single = [value], True
        else:
            single = False
        if not isinstance(value, list | tuple):
            self.say("orders.list", path, section=heading)
            return found
        may_stop = depth > 0 and len(value) == 1
        for number, entry in enumerate(value):
            found += self.entry(heading, entry, path if single else (*path, number), depth, may_stop)
        return found

    def entry(self, heading: str, entry: Any, path: Path, depth: int, may_stop: bool) -> Sequence[Item]:
        """Return what one entry of a list says: an order, several, a condition, or a gap where it could not
        be read.
        """
        if isinstance(entry, str):
            said = entry
            text = plain(said)
            if text == "stop":
                return self.stop(path, may_stop)
            if text.startswith(_ALL_OR_NONE) and (nobody := _nobody(self.frame.idle).fullmatch(text)):
                self.nobody = True
                if depth == 0 and not (nobody["else"] or nobody["rest"]):
                    self.alone.setdefault(heading, path)
                return ()
            if (line := self.at_once(heading, text, path)) is not None:
                return (line,)
        elif isinstance(entry, Mapping):
            if "when" in entry:
                return (self.when(heading, entry, path, depth + 1),)
            if entry.get("do") == "stop" and len(entry) == 1:
                return self.stop(path, may_stop)
            from_keys = self.sentence(entry)
            if not isinstance(from_keys, str):
                self.problems += [problem.at(*path) for problem in from_keys]
                return (self.gap(entry, path),)
            said = from_keys
        else:
            self.say("orders.item", path)
            return (self.gap(entry, path),)

        orders = self.orders(heading, said, path)
        if len(orders) == 1:
            return (self.line(orders[0], path, entry) or self.gap(said, path),)
        lines = [self.line(order, path, entry) or self.gap(said, path) for order in orders]
        return lines or (self.gap(said, path),)

    def stop(self, path: Path, may_stop: bool) -> Sequence[Item]:
        """Return the end of a file, where it is all that a branch says; else say that it is not."""
        if may_stop:
            return (Stop(path),)
        self.say("orders.stop", path)
        return ()

    def gap(self, entry: Any, path: Path) -> Gap:
        """Return what stands for an entry that cannot be used."""
        from pbem.orders.gaps import texts

        return Gap(self.about(" ".join(texts(entry))), path)

    def note(self, found: Iterable[Found], path: Path, entry: Any) -> None:
        """Keep problems with names, each at its word where the order is a sentence."""
        for problem, word in found:
            spot = (
                re.search(rf"(?<![a-z0-9@-]){re.escape(word)}(?![a-z0-9@-])", entry, re.IGNORECASE)
                if isinstance(entry, str)
                else None
            )
            self.problems.append(problem.at(*path, spot.start()) if spot else problem.at(*path))

    # --- conditions

    def when(self, heading: str, entry: Mapping[str, Any], path: Path, depth: int) -> Item:
        """Return an item that depends on a condition; where nobody can tell on what, on one without parts."""
        self.whens += 1
        if depth > DEEPEST:
            self.say("orders.too-deep", path, most=DEEPEST)
            return self.gap(entry, path)
        if self.whens == MOST_CONDITIONS + 1:
            self.say("orders.too-many", path, most=MOST_CONDITIONS)
        for key in entry:
            if key not in ("when", "then", "otherwise"):
                self.say(
                    "orders.key",
                    (*path, key),
                    "a condition has the keys when, then, otherwise",
                    True,
                    key=key,
                    deed="when",
                )
        if "then" not in entry:
            self.say(
                "orders.no-key",
                path,
                "a condition has the keys when, then, otherwise",
                key="then",
                deed="when",
            )
        condition = self.condition(entry["when"], (*path, "when"))
        then = tuple(self.items(heading, entry.get("then"), (*path, "then"), depth))
        otherwise = tuple(self.items(heading, entry.get("otherwise"), (*path, "otherwise"), depth))
        return When(condition or UNKNOWN, then, otherwise, path)

    def condition(self, value: Any, path: Path) -> Condition | None:
        """Return a condition written as a sentence, as keys, or as a list of either (all must hold)."""
        texts: list[str] = []
        parts: list[tuple[str, str, str]] = []
        entries = value if isinstance(value, list | tuple) else [value]
        for number, entry in enumerate(entries):
            here = (*path, number) if isinstance(value, list | tuple) else path
            said = self.condition_sentence(entry) if isinstance(entry, Mapping) else str(entry)
            found = self.condition_of(said)
            if found is None:
                example = self.condition_example(said)
                self.say(
                    "orders.condition", here, f"for example: {example}" if example else "", condition=said
                )
                continue
            self.note(self.wrong_in(found), here, entry)
            texts.append(found.text)
            parts += found.parts
        if not parts:
            return None
        return Condition(" and ".join(texts), tuple(parts))

    # --- one order a section and figure

    def twice(self, heading: str, items: tuple[Item, ...], seen: dict[str, Any], last: Any) -> dict[str, Any]:
        """Refuse a second order for a figure in one section; the two branches of a condition know nothing of
        each other.
        """
        seen = dict(seen)
        for item in items:
            if isinstance(item, Line):
                acting = self.acting(item.order)
                for unit in acting:
                    first = seen.get(unit)
                    if first is not None and not self.follows(first, item.order, first is last):
                        help_, name = "take one of the two lines out", unit.partition(" ")[0]
                        self.say(
                            "orders.twice",
                            item.path,
                            help_,
                            unit=name,
                            section=heading,
                            first=self.say_order(first),
                        )
                        break
                for unit in acting:
                    seen[unit] = item.order
                last = item.order
            elif isinstance(item, When):
                then = self.twice(heading, item.then, seen, last)
                seen = {**self.twice(heading, item.otherwise, seen, last), **then}
                last = None
        return seen

    # --- what can be used of a file with problems

    def usable(self, sections: Mapping[str, tuple[Item, ...]]) -> dict[str, tuple[Item, ...]]:
        """Return sections with a gap in the place of every line that has a problem, and of all those whose
        heading has one.
        """
        lost = [key for key in self.data if key not in _KEYS and key not in self.frame.headings]
        self.problems += [
            Problem("schema.unknown-key", {"key": str(key)}, (str(key),), key=True) for key in lost
        ]
        wrong = {problem.path for problem in worst(self.problems)}
        if not wrong:
            return dict(sections)
        from pbem.orders.gaps import texts, with_gaps, without_second

        second = {problem.path for problem in self.problems if problem.code == "orders.twice"}
        closed = {self.frame.headings[heading] for heading in self.closed}
        found = {
            phase: tuple(with_gaps(items, wrong - second, phase in closed, self.named))
            for phase, items in sections.items()
        }
        found = (
            {phase: tuple(without_second(items, second)) for phase, items in found.items()}
            if second
            else found
        )
        if about := frozenset().union(*(self.about(text) for key in lost for text in texts(self.data[key]))):
            # whoever is named there was most likely to move
            phase = self.likeliest
            found[phase] = (Gap(about, ()), *found.get(phase, ()))
        return found

    # --- answers

    def answers(self, questions: Sequence[Question] | None) -> Mapping[str, str]:
        """Return the answers by the number of the question, compared with the open ones."""
        given = self.data.get("answers")
        if not isinstance(given, Mapping):
            return {}
        found: dict[str, str] = {}
        known = {question.id: question for question in questions or () if question.seat == self.frame.seat}
        for number, value in given.items():
            parts = [str(part) for part in value] if isinstance(value, list | tuple) else [str(value)]
            found[str(number)] = ", ".join(parts)
            question = known.get(str(number))
            if questions is None:
                continue
            if question is None:
                help_ = (
                    f"open are: {', '.join(known)}"
                    if known
                    else "no question is open to you; take the line out"
                )
                self.say("orders.question", ("answers", number), help_, True, question=str(number))
                continue
            legal = {choice.id for choice in question.choices} | {choice.value for choice in question.choices}
            for part in parts:
                if part not in legal:
                    said = ", ".join(f"{choice.id} ({choice.value})" for choice in question.choices)
                    help_ = did_you_mean(part, legal) or f"one of {said}"
                    self.say("orders.answer", ("answers", number), help_, answer=part, question=str(number))
            if len(parts) > 1 and question.kind != "some":
                self.say("orders.one-answer", ("answers", number), question=str(number))
        return found
