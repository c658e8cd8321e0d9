"""Sentences, for each problem, each event and each phrase, with their arguments put in, in the language
that is in force.

That is English but where somebody is written to whose language is another one, ``with speaking("de"):``; what
a language lacks is said in English. A catalogue is plain data (``words/en.yaml``, and ``words.yaml`` beside a
ruleset, opened elsewhere). A sentence may hold

* ``{name}``: an argument; a list reads "odo, hal and wulf";
* ``{count|hex|hexes}``: the first word where the argument is 1 or a list of one, else the second;
* ``[ over {hexside}]``: a part that is left out unless every argument in it is there and says something.

An argument may be words that code said in English: another language puts it by its ``terms``
(``text.phrasebook``), but not inside of '…', where stands what is typed.

Nothing here ever raises over a sentence or its arguments: a player must see a clumsy sentence rather than
none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Final, TypeVar

from msgspec import Struct

from pbem.core.regex import regex

if TYPE_CHECKING:
    from pbem.text.phrasebook import Phrasebook

__all__ = ["ENGLISH", "KINDS", "TERMS", "Words", "in_force", "speaking", "steps_spoken"]

_PART: Final = regex(r"\[([^\[\]]*)\]|\{([a-z_]+)(?:\|([^{}|]*)\|([^{}|]*))?\}")
_SLOT: Final = regex(r"\{([a-z_]+)(?:\|([^{}|]*)\|([^{}|]*))?\}")
_TYPED: Final = regex(r"(?<!\w)'[^'\n]*'(?!\w)")
_PROSE: Final = regex(r"[.!?](?:\s|$)")
"""Whole sentences are somebody's own words, as those of a scenario's story, and stay as they are."""
_APART: Final = regex(r" {2,}")
_WIDEST: Final = 24
_UNKNOWN: Final = "?"
KINDS: Final = ("problems", "events", "phrases")
TERMS: Final = "terms"
"""The fourth kind, of languages other than English: a text that code says in English → how it is said."""
ENGLISH: Final = "en"
_IN_FORCE: ContextVar[str] = ContextVar("language", default=ENGLISH)
_Step = TypeVar("_Step")


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Put a language in force, by its code (``de``), for whatever is said inside.

    Never around a ``yield``: what whoever iterates says in between would be in it too.
    """
    before = _IN_FORCE.set(language)
    try:
        yield
    finally:
        _IN_FORCE.reset(before)


def steps_spoken(language: str, steps: Iterator[_Step]) -> Generator[_Step, None, Any]:
    """Yield the steps of a generator, with a language in force while it works and not in between; return
    what it returns.
    """
    while True:
        with speaking(language):
            try:
                step = next(steps)
            except StopIteration as end:
                return end.value
        yield step


def in_force() -> str:
    """Return the code of the language that is in force."""
    return _IN_FORCE.get()


class _Language(Struct):
    """What a catalogue says in one language."""

    sentences: Mapping[str, Mapping[str, Any]]
    terms: Phrasebook | None


class Words:
    """The sentences of a catalogue, in whatever language is in force."""

    __slots__ = ("_beyond", "_others", "_read", "_sentences")

    def __init__(
        self,
        catalogue: Mapping[str, Any],
        beyond: Callable[[str], object] | None = None,
        others: Callable[[str], Mapping[str, Any]] | None = None,
    ) -> None:
        """Take a catalogue; what in it is no sentence is left out (``faults`` names it).

        ``beyond`` is asked for the sentence of a problem that the catalogue does not have: whoever tells of a
        problem does not always know of which game it is. ``others`` is asked for the catalogue of another
        language, once, when somebody speaks it.
        """
        self._beyond, self._others = beyond, others
        self._sentences = _of_kinds(catalogue)
        self._read: dict[str, _Language] = {ENGLISH: _Language(self._sentences, None)}

    def problem(self, code: str, args: Mapping[str, Any]) -> str:
        """Return what is wrong, in a sentence."""
        return self._say("problems", code, args)

    def event(self, type: str, args: Mapping[str, Any]) -> str:
        """Return what happened, in a sentence."""
        return self._say("events", type, args)

    def phrase(self, key: str, **args: Any) -> str:
        """Return a phrase of reports and letters."""
        return self._say("phrases", key, args)

    def knows(self, kind: str, key: str) -> bool:
        """Tell whether there is a sentence; ``kind`` is ``problems``, ``events`` or ``phrases``."""
        return self._sentence(kind, key) is not None

    def keys(self, kind: str) -> tuple[str, ...]:
        """Return every key of a kind, sorted."""
        return tuple(sorted(self._sentences.get(kind, {})))

    def slots(self, kind: str, key: str) -> frozenset[str]:
        """Return the arguments a sentence cannot do without (those outside square brackets)."""
        sentence = self._sentence(kind, key)
        if sentence is None:
            return frozenset()
        return frozenset(found[2] for found in _PART.finditer(sentence) if found[2] is not None)

    def faults(self) -> Iterator[str]:
        """Yield what is wrong with the catalogue itself: for a test of each language."""
        for kind, sentences in self._sentences.items():
            if not sentences:
                yield f"{kind}: there are none"
            for key, sentence in sentences.items():
                if not isinstance(sentence, str) or not sentence.strip():
                    yield f"{kind}.{key}: this is not a sentence"
                elif left := re.search(r"[\[\]{}]", _PART.sub("", sentence)):
                    yield f"{kind}.{key}: a lone {left.group()}"

    def put(self, text: str) -> str:
        """Return a text that code said in English as the language in force says it; as it is, where that does
        not have it.
        """
        terms = self._language().terms
        return text if terms is None else terms.put(text)

    def put_rows(self, lines: Sequence[str]) -> tuple[str, ...]:
        """Return lines of columns, two spaces or more apart, cell by cell as ``put`` does, the columns below
        one another as they were.
        """
        if self._language().terms is None:
            return tuple(lines)
        rows = []
        for line in lines:
            first, *rest = map(self.put, _APART.split(line.strip()))
            rows.append((line[: len(line) - len(line.lstrip())] + first, *rest))
        wide = [
            min(_WIDEST, max((len(row[at]) for row in rows if len(row) > at + 1), default=0))
            for at in range(max(map(len, rows), default=0))
        ]
        return tuple("  ".join(f"{cell:<{wide[at]}}" for at, cell in enumerate(row)).rstrip() for row in rows)

    def put_lines(self, text: str) -> str:
        """Return lines that code said in English, such as a map in words, part by part as ``put`` does."""
        terms = self._language().terms
        return text if terms is None else terms.put_lines(text)

    def _language(self) -> _Language:
        language = _IN_FORCE.get()
        found = self._read.get(language)
        if found is None:
            from pbem.text.phrasebook import Phrasebook

            catalogue = self._others(language) if self._others is not None else {}
            terms = catalogue.get(TERMS)
            kept = (
                {str(text): said for text, said in terms.items() if isinstance(said, str)}
                if isinstance(terms, Mapping)
                else {}
            )
            found = self._read[language] = _Language(_of_kinds(catalogue), Phrasebook(kept))
        return found

    def _sentence(self, kind: str, key: str) -> str | None:
        for sentences in (self._language().sentences, self._sentences):
            if isinstance(found := sentences.get(kind, {}).get(key), str):
                return found
        found = self._beyond(key) if kind == "problems" and self._beyond is not None else None
        return found if isinstance(found, str) else None

    def _say(self, kind: str, key: str, args: Mapping[str, Any]) -> str:
        sentence = self._sentence(kind, key)
        if sentence is None:
            listed = ", ".join(f"{name}: {self._value(value)}" for name, value in args.items())
            return f"{key} ({listed})" if listed else key

        typed = [] if _IN_FORCE.get() == ENGLISH else [one.span() for one in _TYPED.finditer(sentence)]

        def part(found: re.Match[str]) -> str:
            if found[1] is None:
                return slot(found, found.start())
            inside = _SLOT.findall(found[1])
            if any(args.get(name) in (None, "", (), []) for name, _, _ in inside):
                return ""
            return _SLOT.sub(lambda inner: slot(inner, found.start(1) + inner.start()), found[1])

        def slot(found: re.Match[str], at: int) -> str:
            name, one, many = found.groups()[-3:]
            value = args.get(name)
            if one is not None and many is not None:
                return (
                    one
                    if value in (1, "1") or (isinstance(value, list | tuple) and len(value) == 1)
                    else many
                )
            if value is None:
                return _UNKNOWN
            return self._value(value, typed=any(start < at < end for start, end in typed))

        return _PART.sub(part, sentence)

    def _value(self, value: Any, *, typed: bool = False) -> str:
        """Return an argument as a sentence shows it; ``typed``: as it stands, but for what joins a list."""
        if isinstance(value, list | tuple):
            texts = [self._value(one, typed=typed) for one in value]
            if len(texts) < 2:
                return "".join(texts)
            joint = self._sentence("phrases", "list-and") or "and"
            return f"{', '.join(texts[:-1])} {joint} {texts[-1]}"
        if isinstance(value, Mapping):
            put = str if typed else self.put
            return ", ".join(
                f"{put(str(name))} {self._value(one, typed=typed)}" for name, one in value.items()
            )
        if isinstance(value, str) and not typed and not _PROSE.search(value):
            return self.put(value)
        return str(value)


def _of_kinds(catalogue: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    found = {kind: catalogue.get(kind) for kind in KINDS}
    return {kind: said if isinstance(said, Mapping) else {} for kind, said in found.items()}
