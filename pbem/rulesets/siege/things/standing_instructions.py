"""Standing instructions of an order file: which keys there are, what each may say, and whom its names name.

Keys whose rules are not in force in a game are still read and kept, so that one block serves several games.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from pbem.core.problem import Problem
from pbem.core.regex import regex
from pbem.orders import instructions
from pbem.orders.file import EVERYONE
from pbem.rulesets.siege.things.names import Names
from pbem.text.similar import did_you_mean

__all__ = ["KEYS", "read"]

_HEX = r"[0-9]{4}(?:@[a-z0-9]{1,8})?"
_NAMES = r"[a-z][a-z0-9-]{0,23}(?:, [a-z][a-z0-9-]{0,23})*"

KEYS: Final[Mapping[str, tuple[str, str]]] = {
    "wound": (rf"weakest|strongest|ask|{_NAMES}", "weakest, strongest, names, or ask"),
    "retreat": (
        rf"away|cover|ask|to {_HEX}(?: {_HEX})*|toward {_HEX}",
        "away, cover, to 0712 0713, toward 0712, or ask",
    ),
    "advance": (
        rf"never|into|if-safe|ask|by {_HEX}(?: {_HEX})*",
        "never, into, if-safe, by 0712 0713, or ask",
    ),
    "advance-who": (rf"strongest|weakest|ask|{_NAMES}", "strongest, weakest, names, or ask"),
    "doorway": (r"inside|outside|most|ask", "inside, outside, most, or ask"),
    "land": (rf"away|on-enemy|ask|toward {_HEX}", "away, on-enemy, toward 0712, or ask"),
    "panic-who": (rf"weakest|ask|(?:panic-more )?{_NAMES}", "weakest, names, panic-more and names, or ask"),
    "panic-way": (rf"away|ask|toward {_HEX}", "away, toward 0712, or ask"),
    "engines-lose": (rf"fewest|ask|{_NAMES}", "fewest, names, or ask"),
    "defend": (
        rf"nearest|luckiest|hold|ask|{_NAMES}(?:, nearest|, luckiest)?",
        "nearest, luckiest, hold, names, or ask",
    ),
    "repeat": (r"last|none|ask", "last, none, or ask"),
}
"""Key -> what it may say, as a pattern and in words (``docs/formats.md``, 5.1)."""
_NO: Final = ("no", "none", "off", "false", "not", "nein", "stay", "stays", "0")
_YES: Final = ("yes", "on", "true", "always", "ja", "1")
MEANT: Final[Mapping[str, Mapping[str, str]]] = {
    "advance": {
        **dict.fromkeys(_NO, "never"),
        **dict.fromkeys(_YES, "into"),
        "safe": "if-safe",
        "if safe": "if-safe",
        "if possible": "into",
    },
    "repeat": {**dict.fromkeys(_NO, "none"), "never": "none", **dict.fromkeys(_YES, "last"), "same": "last"},
    "retreat": {**dict.fromkeys((*_YES, "back", "home"), "away"), "into cover": "cover"},
}
"""Key -> what people write under it, and what they probably mean."""
_COMPILED = {key: regex(pattern) for key, (pattern, _) in KEYS.items()}
_WORDS = frozenset({"weakest", "strongest", "ask", "fewest"})
_OF_FIGURES = frozenset({"wound", "advance-who", "panic-who"})
_OF_PLACES = regex(_HEX)


def read(names: Names, block: Any) -> tuple[Mapping[str, str], tuple[Mapping[str, str], ...], list[Problem]]:
    """Return what a block says for everyone and for single figures (sorted by name), and its problems, with
    paths from the block on.
    """
    return instructions.read(
        block,
        who=lambda name: (problem for problem, _ in _figure(names, name)),
        plain=_plain,
        wrong=lambda key, said: _wrong(names, key, said),
        example="for example: everyone: {retreat: away, advance: never}",
    )


def _figure(names: Names, who: str) -> Iterator[tuple[Problem, str]]:
    """Yield why a key of the block is not a figure of this seat."""
    for problem, word in names.own(who):
        if problem.code == "name.unknown" and not problem.help:
            problem = Problem(problem.code, problem.args, help=f"a figure of yours, or {EVERYONE}")
        yield Problem(problem.code, problem.args, help=problem.help, key=True), word


def _plain(key: object, value: Any) -> str:
    """Return a value with its names joined by commas, however they were written."""
    if isinstance(value, list | tuple):
        return ", ".join(str(part) for part in value)
    text = " ".join(str(value).lower().replace(",", " ").split())
    if str(key) not in _OF_FIGURES and key not in ("engines-lose", "defend"):
        return text
    first, _, rest = text.partition(" ")
    return f"{first} {', '.join(rest.split())}" if first == "panic-more" else ", ".join(text.split())


def _wrong(names: Names, key: str, said: str) -> Iterator[Problem]:
    """Yield what is wrong with one instruction."""
    if key not in KEYS:
        yield Problem(
            "orders.standing-key",
            {"key": key},
            help=did_you_mean(key, KEYS) or "known are " + ", ".join(KEYS),
            key=True,
        )
    elif not _COMPILED[key].fullmatch(said) or (key in _OF_FIGURES and said in (*_NO, *_YES)):
        meant = MEANT.get(key, {}).get(said, "")
        yield Problem(
            "orders.standing-value",
            {"key": key, "value": said},
            help=f"did you mean '{meant}'?" if meant else KEYS[key][1],
        )
    elif key in _OF_FIGURES:
        for name in said.removeprefix("panic-more ").split(", "):
            if name not in _WORDS:
                yield from (problem for problem, _ in names.own(name, joint=True))
    elif key != "engines-lose":
        yield from (problem for problem, _ in names.places(tuple(_OF_PLACES.findall(said))))
