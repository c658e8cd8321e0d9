"""The words of a game's order files: plain data that travels with a ruleset to whoever reads letters, posts
and files.

It decides nothing. What a line means is decided by the rules; by these words a reader who knows no game tells
a line that somebody may have meant as an order from chatter, so that none is left out without a word. A game
that gives no words has the headings of its sequence of play, and everything below them counts.

Forms are small templates: ``{names} (to|at) {place}...``. In them ``(a|b)`` is one of several, ``[a]`` may be
there or not, ``$`` is the end of the line, ``...`` at the end says that more of an order may follow, and in
braces stand:

* ``{name}``, ``{names}`` (parted by commas), ``{group}`` (parted by ``and``), ``{any}`` (parted by ``or``);
* ``{place}`` as it stands in an order, ``{bare}`` without its floor, ``{alone}`` with nothing glued to it,
  ``{places}`` several;
* ``{facing}``, one of those of the game;
* ``{digit}``, ``{number}`` of one or two digits, ``{letter}``, ``{letters}`` one or two of them, ``{arrow}``;
* ``{rest}`` of an order, ``{words}`` of any kind.

A deed of which nothing but verbs is given (``does``) has the forms that follow from them: somebody's name,
the verb, and whatever follows.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from pbem.core.sequence import SequenceOfPlay


class Section(Struct, frozen=True):
    """A section of an order file: its key, other words that people put above it and that can mean no other
    one.

    ``weak``: with a capital the key begins many a sentence in a letter, as ``day`` does.
    """

    key: str
    said: tuple[str, ...] = ()
    weak: bool = False


class Deed(Struct, frozen=True):
    """The words of one kind of order; templates all of them."""

    id: str
    forms: tuple[str, ...] = ()
    """Sentences that are orders as a whole, by which one without its dash is known."""
    plain: tuple[str, ...] = ()
    """The same in the words of reports, of which several may stand on one line: ``{group} [move
    ](to|by){places}``.
    """
    tells: tuple[str, ...] = ()
    """What tells, behind a dash, an order that stands below no heading."""
    does: tuple[str, ...] = ()
    """Verbs by which people say in their own words that somebody does it: ``climb[s]``."""
    unended: tuple[str, ...] = ()
    """Words behind which a sentence of it goes on."""


class Places(Struct, frozen=True):
    """What a place of the map looks like, as expressions; ``form`` is empty where places cannot be told from
    words.
    """

    form: str = ""
    """As it stands in an order: ``[0-9]{4}(?:@[a-z0-9]{1,8})?``."""
    bare: str = ""
    """The same without a floor or whatever else may follow; empty: ``form``."""
    unlike: str = ""
    """What looks the same and is hardly ever meant as one, such as a year."""
    mistyped: str = ""
    """One at the end of a line that is typed wrong, such as ``o7-12``."""
    signed: str = ""
    """What stands behind a ``#`` that belongs to a place and begins no comment."""
    called: tuple[str, ...] = ()
    """What people write in front of one: ``hex``."""

    @property
    def short(self) -> str:
        """Return ``bare``, or ``form`` where it is the same."""
        return self.bare or self.form


class Vocabulary(Struct, frozen=True, cache_hash=True):
    """All of it. Two games with the same words have equal ones."""

    sections: tuple[Section, ...] = ()
    deeds: tuple[Deed, ...] = ()
    places: Places = Places()
    facings: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    """Keys of an order that is written as keys: ``who``, ``do``, ``to`` …"""
    standing: tuple[str, ...] = ()
    """Keys of standing instructions."""
    plans: tuple[str, ...] = ()
    """Orders of one word that begin with nobody's name."""
    ahead: tuple[str, ...] = ()
    """Words that people put in front of a whole order, and that are not part of it."""
    idle: tuple[str, ...] = ()
    """What nobody does who says that nobody is ordered, besides moving and acting: ``nobody shoots``."""
    unended: tuple[str, ...] = ()
    """Words that no order ends with, of whatever kind."""
    onward: tuple[str, ...] = ()
    """Templates of what no order begins with: the rest of one that was broken."""
    joints: tuple[str, ...] = ()
    """Words between the names and places of an order."""
    told: tuple[str, ...] = ()
    """Templates of what somebody is told to do, right behind his name in a sentence of a letter."""
    instead: tuple[str, ...] = ()
    """What somebody should rather do: ``should attack``."""
    certain: tuple[str, ...] = ()
    """Templates of what makes a line in somebody's own words an order though nothing else
    stands in a file.
    """
    titles: tuple[str, ...] = ()
    """Templates of words that people print between rules above their own orders."""
    joining: tuple[str, ...] = ()
    """Words that take nothing back where they stand between two parts of somebody's orders."""

    @property
    def headings(self) -> tuple[str, ...]:
        """Return the keys of the sections."""
        return tuple(section.key for section in self.sections)


def of_sequence(words: Vocabulary, sequence: SequenceOfPlay) -> Vocabulary:
    """Return a vocabulary with the headings of a sequence of play for its sections, where it has none of its
    own.
    """
    if words.sections:
        return words
    return replace(words, sections=tuple(map(Section, sequence.headings)))


def together(known: Iterable[Vocabulary]) -> Vocabulary:
    """Return the words of several games, for whoever does not know yet which of them is spoken of."""
    distinct = tuple(dict.fromkeys(known))
    if len(distinct) < 2:
        return distinct[0] if distinct else Vocabulary()
    merged: dict[str, Any] = {
        name: tuple(dict.fromkeys(word for one in distinct for word in getattr(one, name)))
        for name in Vocabulary.__struct_fields__
        if name not in ("sections", "places")
    }
    return Vocabulary(
        sections=_sections(distinct), places=_places([one.places for one in distinct]), **merged
    )


def _sections(known: Sequence[Vocabulary]) -> tuple[Section, ...]:
    found: dict[str, Section] = {}
    for section in (section for one in known for section in one.sections):
        before = found.get(section.key, Section(section.key))
        said = tuple(dict.fromkeys((*before.said, *section.said)))
        found[section.key] = Section(section.key, said, before.weak or section.weak)
    return tuple(found.values())


def _places(known: Sequence[Places]) -> Places:
    """Return one look for the places of several games; where those of one cannot be told from words, nothing
    is lost for the others.
    """
    either = {
        name: "|".join(f"(?:{form})" for form in dict.fromkeys(getattr(one, name) for one in known) if form)
        for name in ("form", "short", "unlike", "mistyped", "signed")
    }
    bare = either.pop("short")
    return Places(
        **either, bare=bare, called=tuple(dict.fromkeys(word for one in known for word in one.called))
    )
