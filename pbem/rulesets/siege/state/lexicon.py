"""How people write the names and hexes of one battle, and which each of them means.

The names are those that the map and the reports print: ``Wynstan Fenner``, ``the ladder``, ``trebuchet 1``. A
hex may be written in many ways (``7,6``, ``O7O6``, ``706``, ``G6``); it is one that lies on this map, or
nothing. What has two meanings is given back with both.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Final

from msgspec import Struct

from pbem.core.regex import regex
from pbem.rulesets.siege.state.state import Battle
from pbem.text.similar import did_you_mean

__all__ = ["Lexicon", "Spelt", "tokens"]

_LONGEST: Final = 300
_NO_NAMES: Final = frozenset(
    {
        "brother",
        "sister",
        "sir",
        "dame",
        "lord",
        "lady",
        "little",
        "old",
        "young",
        "big",
        "the",
        "of",
        "de",
        "le",
        "la",
    }
)
"""First words of names by which nobody is called alone."""
_BEFORE, _AFTER = r"(?<![a-z0-9'@-])", r"(?![a-z0-9'@-])"
_TOKEN: Final = regex(r"[a-z0-9@'-]+")
_DIGITS: Final = str.maketrans("oil", "011")

_HEX: Final = regex(
    rf"{_BEFORE}(?<!least "
    r")(?:#?(?P<plain>(?=[oil]*[0-9][oil]*[0-9])[0-9oil]{4})(?P<storey>@[a-z0-9]{1,8})?"
    r"|[(\[]? ?#?(?P<column>[0-9]{1,2})(?: ?[,./] ?|-)(?P<row>[0-9]{1,2}) ?[)\]]?"
    rf"|0o(?P<octal>[0-9]{{3}})|#?(?P<short>[0-9]{{3}})|(?P<letter>[a-z])-?(?P<behind>[0-9]{{1,2}})){_AFTER}"
)
_PAIR: Final = regex(rf"{_BEFORE}(?P<column>[0-9]{{1,2}}) (?P<row>[0-9]{{1,2}})(?![a-z0-9'@:-])")


def tokens(text: str) -> list[str]:
    """Return the words of a text, in small letters."""
    return _TOKEN.findall(text.lower()[:_LONGEST])


class Spelt(Struct, frozen=True):
    """A text with names and hexes as orders have them; ``guessed``: what was changed that was no name in
    full.

    ``unclear`` has what could mean several things, and these: the text is as it was there.
    """

    text: str
    guessed: tuple[tuple[str, str], ...] = ()
    unclear: tuple[tuple[str, tuple[str, ...]], ...] = ()


class Lexicon:
    """The names and hexes of one battle as they may be written."""

    def __init__(self, battle: Battle, side: str, reserved: Collection[str]) -> None:
        self.battle = battle
        self.side = side
        self.reserved = reserved
        """Words of the language, which name nobody."""
        self.ids = {*battle.units, *battle.things}
        self._full: dict[str, set[str]] = {}
        self._short: dict[str, set[str]] = {}
        self._all: dict[str, list[str]] = {}

    @cached_property
    def _known(self) -> Mapping[str, set[str]]:
        """Return what people may write for each name: in full, or a part of it that is not a word of the
        language.
        """
        for unit in self.battle.units.values():
            who = self.battle.field.people.get(unit.person)
            if who is not None:
                self._unit(unit.id, _plain(who.name))
        for thing in self.battle.things.values():
            self._thing(thing.id, thing.kind, thing.title, thing.side)
        full = {said: ids for said, ids in self._full.items() if said not in self.ids}
        short = {
            said: ids
            for said, ids in self._short.items()
            if said not in self.ids and said not in full and said not in self.reserved
        }
        every = {
            said: {", ".join(sorted(set(ids)))}
            for said, ids in self._all.items()
            if len(set(ids)) > 1 and said not in self.ids
        }
        return {
            **short,
            **full,
            **{
                f"{all_}{said}": ids
                for said, ids in every.items()
                for all_ in ("", "all ", "all the ", "both ")
            },
        }

    @cached_property
    def _names(self) -> re.Pattern[str]:
        listed = sorted(self._known, key=lambda said: (-len(said), said))
        return regex(f"{_BEFORE}(?:the )?({'|'.join(map(re.escape, listed)) or '(?!)'}){_AFTER}")

    def _unit(self, id_: str, name: str) -> None:
        words = name.split()
        self._full.setdefault(name, set()).add(id_)
        if "-" in id_:
            self._full.setdefault(id_.replace("-", " "), set()).add(id_)
        for word in {*words[:1], *words[-1:]}:
            if len(words) > 1 and word not in _NO_NAMES and len(word) > 2:
                self._short.setdefault(word, set()).add(id_)

    def _thing(self, id_: str, kind: str, title: str, side: str) -> None:
        if found := re.fullmatch(r"([a-z-]+?)-?([0-9]+)", id_):
            for word in {found[1], kind, title}:
                for joint in (" ", "-", "", " no ", " no. ", " number ", " nr ", " nr. ", " #", " "):
                    self._full.setdefault(f"{word.replace('-', ' ')}{joint}{found[2]}", set()).add(id_)
        if not side or side == self.side:
            for word in {kind, title}:
                self._short.setdefault(_plain(word), set()).add(id_)
                self._all.setdefault(_plain(word) + "s", []).append(id_)

    def spelt(self, text: str) -> Spelt:
        """Return a text, in small letters, with the names and hexes that are certain as orders have them."""
        guessed: list[tuple[str, str]] = []
        unclear: list[tuple[str, tuple[str, ...]]] = []

        def name(found: re.Match[str]) -> str:
            ids = sorted(self._known[found[1]])
            if len(ids) > 1 or ", " in ids[0]:
                unclear.append((found[1], tuple(ids)))
                return found.group()
            if found[1] not in self._full:
                guessed.append((found[1], ids[0]))
            return ids[0]

        def hex_(found: re.Match[str]) -> str:
            if found.group() in self.ids:
                return found.group()
            meant = tuple(dict.fromkeys(self._meant(found)))
            if len(meant) > 1:
                unclear.append((found.group().strip(), meant))
            if len(meant) != 1:
                return found.group()
            if meant[0] != found.group():
                guessed.append((found.group().strip(), meant[0]))
            return meant[0]

        text = text[:_LONGEST]
        text = self._names.sub(name, _plain(text))
        for pattern in (_HEX, _PAIR):
            text = pattern.sub(hex_, text)
        return Spelt(text, tuple(guessed), tuple(unclear))

    def _meant(self, found: re.Match[str]) -> Iterator[str]:
        """Yield the hexes of the map that something may mean."""
        part = found.groupdict()
        if part.get("plain"):
            places = [part["plain"].translate(_DIGITS)]
        elif part.get("octal"):
            places = ["0" + part["octal"]]
        elif part.get("short"):
            places = ["0" + part["short"], part["short"][:2] + "0" + part["short"][2:]]
        elif part.get("letter"):
            places = [f"{ord(part['letter']) - ord('a') + 1:02}{int(part['behind']):02}"]
        else:
            places = [f"{int(part['column']):02}{int(part['row']):02}"]
        yield from (
            place + (part.get("storey") or "") for place in places if place in self.battle.field.ground
        )

    def about(self, text: str) -> frozenset[str]:
        """Return the ids that a line seems to name, whatever it says."""
        said = set(tokens(self.spelt(" ".join(text.lower().split())).text))
        named = said & self.ids
        if not named and (first := next(iter(tokens(text)), "")):
            near = did_you_mean(first, self.own)
            named = {near.split("'")[1]} if near else set()
        return frozenset(named)

    @property
    def own(self) -> Sequence[str]:
        """Return the ids of the own side's figures."""
        return [unit.id for unit in self.battle.units.values() if unit.side == self.side]


def _plain(name: str) -> str:
    """Return a name in small letters, without the accents that a keyboard may lack."""
    if name.isascii():
        return name.lower()
    flat = "".join(sign for sign in unicodedata.normalize("NFKD", name) if not unicodedata.combining(sign))
    return flat.lower().replace("’", "'")
