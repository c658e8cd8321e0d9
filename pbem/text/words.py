"""The sentences of one language: for each problem, each event and each phrase, with its arguments put in.

A catalogue is plain data (``words/en.yaml``, and ``words.yaml`` beside a ruleset, opened elsewhere). A
sentence may hold

* ``{name}``: an argument; a list reads "odo, hal and wulf";
* ``{count|hex|hexes}``: the first word where the argument is 1 or a list of one, else the second;
* ``[ over {hexside}]``: a part that is left out unless every argument in it is there and says something.

Nothing here ever raises over a sentence or its arguments: a player must see a clumsy sentence rather than
none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from pbem.core.regex import regex

__all__ = ["KINDS", "Words"]

_PART: Final = regex(r"\[([^\[\]]*)\]|\{([a-z_]+)(?:\|([^{}|]*)\|([^{}|]*))?\}")
_SLOT: Final = regex(r"\{([a-z_]+)(?:\|([^{}|]*)\|([^{}|]*))?\}")
_UNKNOWN: Final = "?"
KINDS: Final = ("problems", "events", "phrases")


class Words:
    """One language."""

    __slots__ = ("_beyond", "_sentences")

    def __init__(self, catalogue: Mapping[str, Any], beyond: Callable[[str], object] | None = None) -> None:
        """Take a catalogue; what in it is no sentence is left out (``faults`` names it).

        ``beyond`` is asked for the sentence of a problem that the catalogue does not have: whoever tells of a
        problem does not always know of which game it is.
        """
        self._beyond = beyond
        self._sentences: dict[str, Mapping[str, Any]] = {}
        for kind in KINDS:
            found = catalogue.get(kind)
            self._sentences[kind] = found if isinstance(found, Mapping) else {}

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

    def _sentence(self, kind: str, key: str) -> str | None:
        found = self._sentences.get(kind, {}).get(key)
        if found is None and kind == "problems" and self._beyond is not None:
            found = self._beyond(key)
        return found if isinstance(found, str) else None

    def _say(self, kind: str, key: str, args: Mapping[str, Any]) -> str:
        sentence = self._sentence(kind, key)
        if sentence is None:
            listed = ", ".join(f"{name}: {self._value(value)}" for name, value in args.items())
            return f"{key} ({listed})" if listed else key

        def part(found: re.Match[str]) -> str:
            if found[1] is None:
                return slot(found[2], found[3], found[4])
            inside = _SLOT.findall(found[1])
            if any(args.get(name) in (None, "", (), []) for name, _, _ in inside):
                return ""
            return _SLOT.sub(lambda inner: slot(inner[1], inner[2], inner[3]), found[1])

        def slot(name: str, one: str | None, many: str | None) -> str:
            value = args.get(name)
            if one is not None and many is not None:
                return (
                    one
                    if value in (1, "1") or (isinstance(value, list | tuple) and len(value) == 1)
                    else many
                )
            return _UNKNOWN if value is None else self._value(value)

        return _PART.sub(part, sentence)

    def _value(self, value: Any) -> str:
        """Return an argument as a sentence shows it."""
        if isinstance(value, list | tuple):
            texts = [self._value(one) for one in value]
            if len(texts) < 2:
                return "".join(texts)
            joint = self._sentences["phrases"].get("list-and", "and")
            return f"{', '.join(texts[:-1])} {joint} {texts[-1]}"
        if isinstance(value, Mapping):
            return ", ".join(f"{name} {self._value(one)}" for name, one in value.items())
        return str(value)
