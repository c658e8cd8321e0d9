"""Judges what a reader took from a letter: exactly the orders, the same but for empty lines and indentation,
nothing, or something wrong.

It knows the corpus folder and two functions, ``read`` and ``find``, and nothing of how they work.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from letter_parts import Letter
from msgspec import Struct, field
from siege_words import find

from pbem.post.lines.message import NOTHING, RECORD, Found, Message
from pbem.post.mail.mime import read
from pbem.text import source

CORPUS = Path(__file__).resolve().parent / "corpus"
EXACT, SAME, MISSED, WRONG, ANSWERED = "exact", "same", "missed", "wrong", "answered"
"""To the byte; the same words in the same lines and the same meaning; nothing though something was there;
something else than was there, or anything where nothing may be taken; a person's letter taken for an
automatic one, or an automatic one for a person's."""

_BLANKS = re.compile(r"\s+")
_COLON = re.compile(r"^((?:- )?[a-z][a-z0-9-]*) :")


def corpus(folder: Path = CORPUS) -> Iterator[Letter]:
    """Yield every letter of the folder with what stands beside it."""
    for path in sorted(folder.glob("*.eml")):
        beside = {kind: path.with_suffix(f".{kind}") for kind in ("yaml", "record", "none", "quoted", "sig")}
        said = {kind: file.read_bytes() for kind, file in beside.items() if file.exists()}
        if ("yaml" in said) + ("record" in said) + ("none" in said) != 1:
            raise AssertionError(f"{path.name}: one of .yaml, .record and .none is wanted beside it")
        yield Letter(
            name=path.stem,
            raw=path.read_bytes(),
            wanted=said.get("yaml", said.get("record")),
            why=said.get("none", b"").decode().strip(),
            quoted=said.get("quoted", b"").decode(),
            signature=said.get("sig"),
            record="record" in said,
        )


class Judgement(Struct, frozen=True):
    """What became of one letter; ``executed`` are the lines of somebody else that were taken."""

    name: str
    verdict: str
    executed: tuple[str, ...] = ()
    found: bytes = b""
    wanted: bytes | None = None

    @property
    def well(self) -> bool:
        """Tell whether the letter was read as it has to be."""
        return self.verdict in (EXACT, SAME) and not self.executed


class Score(Struct):
    """The sums over many letters."""

    counts: Counter[str] = field(default_factory=Counter)
    executed: int = 0
    bad: list[Judgement] = field(default_factory=list)

    def add(self, one: Judgement) -> None:
        """Count one letter."""
        self.counts[one.verdict] += 1
        self.executed += bool(one.executed)
        if not one.well:
            self.bad.append(one)

    @property
    def total(self) -> int:
        """Return how many letters there were."""
        return self.counts.total()

    @property
    def share(self) -> float:
        """Return how many of a hundred were read as they have to be."""
        return 100 * (self.counts[EXACT] + self.counts[SAME]) / max(1, self.total)


def score(letters: Iterable[Letter]) -> Score:
    """Read all letters and return the sums."""
    sums = Score()
    for one in letters:
        sums.add(judge(one))
    return sums


def judge(
    one: Letter, read: Callable[[bytes], Message] = read, find: Callable[[Message], Found] = find
) -> Judgement:
    """Read one letter and judge what was taken.

    What is found in an automatic letter does not matter: nobody reads it further.
    """
    message = read(one.raw)
    if one.why == "automatic":
        return Judgement(one.name, EXACT if message.automatic else ANSWERED)
    if message.automatic:
        return Judgement(one.name, ANSWERED, (), message.automatic.encode(), one.wanted)
    found = find(message)
    data = b"" if found.kind == NOTHING else found.data
    return Judgement(one.name, _verdict(one, found, data), _executed(one, data), data, one.wanted)


def _verdict(one: Letter, found: Found, data: bytes) -> str:
    if one.wanted is None:
        return EXACT if not data else WRONG
    if not data:
        return MISSED
    if one.record:
        return (
            EXACT if found.kind == RECORD and data.splitlines()[:1] == one.wanted.splitlines()[:1] else WRONG
        )
    if one.signature is not None:
        return (
            EXACT
            if data == one.wanted and (found.signature or b"").split() == one.signature.split()
            else WRONG
        )
    if data == one.wanted:
        return EXACT
    return SAME if same(data, one.wanted) else WRONG


def same(data: bytes, wanted: bytes) -> bool:
    """Tell whether two order texts have the same words in the same lines, and the engine reads the same from
    both.
    """
    if _plain(data) != _plain(wanted):
        return False
    ours, theirs = (source.read(text, allow_header=True) for text in (data, wanted))
    return not ours.problems and ours.data == theirs.data


def _plain(data: bytes) -> list[str]:
    lines = (
        _COLON.sub(r"\1:", _BLANKS.sub(" ", line).strip())
        for line in data.decode("utf-8", "replace").split("\n")
    )
    return [line for line in lines if line]


def _executed(one: Letter, data: bytes) -> tuple[str, ...]:
    """Return the telling lines of what was taken that stand in somebody else's orders and not in the sender's
    own.
    """
    hostile = _telling(one.quoted.encode()) - _telling(one.wanted or b"")
    return tuple(sorted(_telling(data) & hostile))


def _telling(data: bytes) -> frozenset[str]:
    """Return the lines that order something: sentences, and keys with a value."""
    return frozenset(
        line for line in _plain(data) if line.startswith("- ") or (": " in line and not line.startswith("#"))
    )
