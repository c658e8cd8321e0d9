"""A kind of order as one value: what it is called, how it is written, which rules it needs, what speaks
against it and what it does.

Everything that knows several kinds of order is made of a list of these (``rules.deeds``): the grammar, the
long form, the schema of order files, what is listed, clicked and printed, what is judged and carried out. A
kind that is not listed does not exist; one that an amendment adds is known everywhere (``with_deeds``). A
deed stands with the topic whose rules it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, Final, Protocol

from msgspec import Struct, field
from msgspec.structs import replace

from pbem.core.play import Play
from pbem.core.problem import Path, Problem
from pbem.core.ruleset import Ruleset
from pbem.core.vocabulary import Deed as Words
from pbem.orders.template import Template
from pbem.rulesets.siege.state.orders import HEADINGS, Act, Order
from pbem.rulesets.siege.state.sentence import ANY, Sentence
from pbem.rulesets.siege.state.state import Battle, Job, Thing, Unit

__all__ = ["Deed", "Deeds", "Needs", "Words", "Work", "deeds", "of", "with_deeds", "work_of"]

Rules = Ruleset[Battle]
Found = tuple[Problem, str]
"""A problem, and the word of the sentence it is about."""
Priced = tuple[Order, int | None]
"""An order, and the movement points that it costs; None where none are spent."""
Lister = Callable[[Rules, Battle, Unit], Iterator[Priced]]
ThingLister = Callable[[Rules, Battle, str, Thing], Iterator[Priced]]


def is_on(rules: Rules, option: str) -> bool:
    """Tell whether an option of yes and no is on; where a ruleset has none such, it is not."""
    return option in rules.options and rules.setting(option) == "true"


# --- what a deed has


class Needs(Struct, frozen=True):
    """The rules that a deed belongs to: what they are about, and the modules one of which
    has to be in force.
    """

    what: str
    modules: tuple[str, ...]
    """Any of them is enough; the first is the one that is named."""
    instead: str = ""
    """What may have been meant where there are ladders."""
    of: Callable[[Any], bool] | None = None
    """Of which of its orders that is so; None: of all."""
    option: str = ""
    """The option that has to be on, where no module brings them."""

    def met(self, rules: Rules) -> bool:
        """Tell whether one of the modules is in force, or the option is."""
        if self.option:
            return is_on(rules, self.option)
        return not set(self.modules).isdisjoint(rules.modules)

    @property
    def wanted(self) -> str:
        """Return what a game lacks that has not these rules."""
        return f"the option {self.option}" if self.option else f"the module {self.modules[0]}"


class Work(Struct, frozen=True):
    """A deed that takes a figure its whole turn and is done at the end."""

    said: str
    """What a figure is doing in it, such as ``mounting``."""
    holds: Callable[[Rules, Battle, Unit, Job], bool]
    """Whether what it needs is still so when it is done."""
    finish: Callable[[Rules, Play[Battle], str, Job], None]
    """(rules, play, figure, job): what comes of it."""
    stuck: Callable[[Rules, Battle, Unit, Job], bool] = lambda *of: False
    """Whether something keeps it from being done though all is still there."""


class NamesOf(Protocol):
    """What a deed may ask about the names in it (``names.Names``)."""

    def horse(self, name: str) -> Iterator[Found]:
        """Yield why a name is none of a horse."""

    def wagon(self, name: str) -> Iterator[Found]:
        """Yield why a name is none of a wagon."""

    def engine(self, name: str) -> Iterator[Found]:
        """Yield why a name is none of an engine that men work from inside."""

    def engines(self, names: tuple[str, ...]) -> Iterator[Found]:
        """Yield what is wrong with the names of engines of the own side."""

    def places(self, places: tuple[str, ...]) -> Iterable[Found]:
        """Return why places are not on the map."""

    def thing(self, name: str, kinds: tuple[str, ...] = ()) -> Iterator[Found]:
        """Yield why a name is neither a thing nor an animal."""


class Outlooks(Protocol):
    """What is known of the moment of a deed (``outlook.Outlook``)."""

    hurt: set[str]
    adrift: set[str]

    def become(self, before: Battle, after: Battle, sure: bool) -> None:
        """Let figures and things be as a deed leaves them, certainly or perhaps."""


class JudgingOf(Protocol):
    """What a deed may say of itself while a file is judged (``judging.Judging``)."""

    rules: Rules

    @property
    def battle(self) -> Battle:
        """Return the course of things so far."""

    @property
    def outlook(self) -> Outlooks:
        """Return what is known of that moment."""

    def with_horses(self, units: Iterable[str]) -> set[str]:
        """Return figures with their horses and riders."""

    def set_alight(self, path: Path, hexes: Iterable[str]) -> None:
        """Reckon with fire in some hexes."""


class Deed(Struct, frozen=True, eq=False, kw_only=True):
    """One kind of order. What is left out does not concern it."""

    id: str
    """What an order says of itself (``Act.do``)."""
    sentences: tuple[Sentence, ...]
    words: Words | None = None
    """By which it is known in letters; None: by its verbs, and whatever follows them."""
    called: str = ""
    """What offers of it are called in a menu."""
    key: str = ""
    """``do`` in the long form, where that is not its id."""
    keys: Mapping[str, str] = field(default_factory=dict)
    """Key of the long form -> the field that it is, where that is called otherwise."""

    needs: Needs | None = None
    """None: its rules are always in force, as far as modules go."""
    kinds: tuple[str, ...] = ()
    """The kinds of thing it is done with, of which one is named where a name is unknown."""
    named: Callable[[NamesOf, Any], Iterator[Found]] | None = None
    """What is wrong with the thing, horse or engine that an Act names; None: any thing of
    ``kinds`` is well.
    """

    check: Callable[[Rules, Battle, Any], Problem | None] | None = None
    """Why it is not legal now."""
    do: Callable[[Rules, Play[Battle], Any], Problem | None] | None = None
    """Carry it out. What is returned is told as the reason why nothing came of it."""
    checks_itself: bool = False
    """Whether ``do`` asks for itself what speaks against it."""
    plain: Callable[[Play[Battle], str], Problem | None] | None = None
    """What carries it out in any phase for a seat, where it belongs to none."""
    engine: bool = False
    """Whether it is a deed of an engine, and so of the men inside."""
    rolls: bool = False
    """Whether a die decides what comes of it."""
    certain: Callable[[Battle, Any], tuple[object, ...]] | None = None
    """Of such a deed, the events that are certain whatever the die shows."""
    work: Work | None = None
    alone: bool = False
    """Whether a figure that is ordered to do it has no other orders in that turn."""
    of_men: bool = False
    """Of a deed of the day, whether men are ordered to do it, and not engines."""
    mark: str = ""
    """The word by which ``Unit.did`` knows who has done it, where that is not its id."""
    instead: str = ""
    """It in words, such as ``poured oil``, where who has done it does nothing else in that phase."""
    after: tuple[str, ...] = ()
    """What the same figures may have been ordered to do in the line before, of the same section."""
    joined: bool = False
    """Whether two do it, to which each of them may come by a line of his own."""
    parts: bool = False
    """Whether those who have done it together go on by lines of their own, whatever stands in between."""

    lists: Callable[[Rules, Battle, Unit], Iterator[Act]] | None = None
    """What a figure may be asked to do, legal or not: of that is listed what is legal and in force."""
    priced: tuple[Lister, ...] = ()
    """The same, legal alone, each with its cost in movement points."""
    lists_too: tuple[str, ...] = ()
    """The deeds, beside itself, of which these yield orders."""
    things: tuple[ThingLister, ...] = ()
    """The legal orders that name a thing of the side first."""
    listed_in: tuple[str, ...] = ()
    """The headings under which it is listed, where it may be written under more."""
    at_hand: bool = False
    """Whether it is done by somebody who stands at a thing or an animal."""
    grouped: bool = False
    """Whether orders that differ only in a place stand together on a sheet."""
    about: Callable[[Rules, Battle, Any], str] | None = None
    """What there is to know of it before it is given."""
    way: Callable[[Rules, Battle, Any], Any] | None = None
    """The way that it takes, or why there is none."""

    shown: Callable[[Rules, Battle, Any], Iterator[Mapping[str, Any]]] | None = None
    """The plain events by which a picture of what is foreseen shows it; None: those of its way."""
    drawn: str = ""
    """The kind of line that such a picture draws from who does it to where (``scene.Trace``); none where it
    is empty.
    """

    risks: Callable[[JudgingOf, Any], None] | None = None
    """Whom it may hurt or drive away, noted before it is judged."""
    shakes: bool = False
    """Whether what it is done with may no longer be there for the next who wants it."""
    follows: Callable[[JudgingOf, Any, Path], None] | None = None
    """What it may lead to, noted after it was judged."""

    @property
    def written(self) -> str:
        """Return what ``do`` says in the long form."""
        return self.key or self.id

    @property
    def sections(self) -> tuple[str, ...]:
        """Return the headings under which it may stand."""
        return tuple(dict.fromkeys(section for line in self.sentences for section in line.sections))

    @property
    def of_the_day(self) -> bool:
        """Tell whether it belongs to the plan of a day of siege, in which engines are ordered and not
        figures.
        """
        return self.sections == ("day",)

    @property
    def noted(self) -> str:
        """Return the word by which ``Unit.did`` knows who has done it."""
        return self.mark or self.id


class Deeds(dict[str, Deed]):
    """The kinds of order of a game by id, in the order in which they are listed, and what is made of them
    once.
    """

    def __init__(self, deeds: Iterable[Deed]) -> None:
        super().__init__((deed.id, deed) for deed in deeds)

    @cached_property
    def lines(self) -> tuple[tuple[Deed, Sentence], ...]:
        """Return the whole grammar, each line with its deed."""
        return tuple((deed, line) for deed in self.values() for line in deed.sentences)

    @cached_property
    def by_verb(self) -> Mapping[tuple[str, str], tuple[tuple[Deed, Sentence], ...]]:
        """Return the lines by section and verb."""
        found: dict[tuple[str, str], list[tuple[Deed, Sentence]]] = {}
        for section in ANY:
            inside = [(deed, line) for deed, line in self.lines if section in line.sections]
            for verb in sorted({verb for _, line in inside for verb in line.verbs}):
                found[section, verb] = [(deed, line) for deed, line in inside if verb in line.verbs]
        return {key: tuple(lines) for key, lines in found.items()}

    @cached_property
    def words(self) -> tuple[Words, ...]:
        """Return the words by which the deeds are known in letters."""
        return tuple(deed.words or _words(deed) for deed in self.values())

    @cached_property
    def first_words(self) -> frozenset[str]:
        """Return the verbs of sentences that begin with one."""
        begins = (
            line
            for _, line in self.lines
            if line.template.begins_with_word or set(line.verbs) != set(line.template.verbs)
        )
        return frozenset(verb for line in begins for verb in line.verbs)

    @cached_property
    def reserved(self) -> frozenset[str]:
        """Return the words that no figure, thing or area may have as its name."""
        return _JOINTS | {verb for _, line in self.lines for verb in line.verbs}

    @cached_property
    def alone(self) -> frozenset[str]:
        """Return the ids of the deeds that take a figure its whole turn."""
        return frozenset(deed.id for deed in self.values() if deed.alone)

    @cached_property
    def by_key(self) -> Mapping[str, Deed]:
        """Return the deeds by what ``do`` says in the long form."""
        return {deed.written: deed for deed in self.values()}

    @cached_property
    def marks(self) -> Mapping[str, str]:
        """Return, of deeds beside which a figure does nothing else in their phase, the word it is known by
        and what it has done.
        """
        return {deed.noted: deed.instead for deed in self.values() if deed.instead}

    @cached_property
    def by_heading(self) -> Mapping[str, tuple[Deed, ...]]:
        """Return the deeds that are listed for each section of an order file."""
        return {
            heading: tuple(deed for deed in self.values() if heading in (deed.listed_in or deed.sections))
            for heading in HEADINGS
        }

    @cached_property
    def of_figures(self) -> Mapping[str, tuple[Deed, ...]]:
        """Return those of them that list orders of figures."""
        return {
            heading: tuple(deed for deed in listed if deed.priced or deed.lists is not None)
            for heading, listed in self.by_heading.items()
        }

    @cached_property
    def following(self) -> Mapping[str, frozenset[str]]:
        """Return, by the id of a deed, those that the same figures may be ordered to do in the next line."""
        return {id_: frozenset(deed.id for deed in self.values() if id_ in deed.after) for id_ in self}

    def templates(self) -> Iterator[tuple[tuple[str, ...], Template]]:
        """Yield every sentence: the sections it may stand in, and how it is written."""
        return ((line.sections, line.template) for _, line in self.lines)

    def say(self, order: Order) -> str:
        """Return the sentence of an order in normal form; read in its section it is the same order."""
        lines = self[order.deed].sentences
        for line in lines:
            if type(order) is line.makes:
                return line.template.say(order)
        raise TypeError(f"{order!r} is not an order of this ruleset")

    def with_more(self, *more: Deed) -> Deeds:
        """Return the list with some deeds more, or others in their place."""
        return Deeds((*(deed for deed in self.values() if deed.id not in {one.id for one in more}), *more))


def _words(deed: Deed) -> Words:
    """Return the words of a deed that gives none: its verbs, with somebody in front of them, and anything
    behind.
    """
    forms: list[str] = []
    verbs: list[str] = []
    for line in deed.sentences:
        many = "|".join(dict.fromkeys(line.verbs))
        ends = line.template.text.endswith(line.verbs)
        forms.append(
            ("" if line.template.begins_with_word else "{names} ") + f"({many})" + ("" if ends else " {rest}")
        )
        verbs += [verb for verb in line.verbs if verb not in _JOINTS]
    known = tuple(dict.fromkeys(verbs))
    return Words(deed.id, forms=tuple(forms), tells=known, does=known, unended=known)


_JOINTS: Final = frozenset(
    (
        *(
            "at",
            "to",
            "by",
            "or",
            "and",
            "in",
            "on",
            "with",
            "from",
            "facing",
            "nearest",
            "enemy",
            "stop",
            "everyone",
        ),
        *(
            "across",
            "leading",
            "least",
            "over",
            "up",
            "down",
            "out",
            "is",
            "against",
            "when",
            "then",
            "otherwise",
        ),
    )
)


def deeds(rules: Rules) -> Deeds:
    """Return the kinds of order of a game."""
    found: Deeds = rules.deeds
    return found


def of(rules: Rules, order: Order) -> Deed | None:
    """Return the kind of an order; None where the game has none such."""
    found: Deed | None = rules.deeds.get(order.deed)
    return found


def work_of(rules: Rules, do: str) -> Work:
    """Return the work that a deed is; KeyError where it is none."""
    work = deeds(rules)[do].work
    if work is None:
        raise KeyError(do)
    return work


def with_deeds(rules: Rules, *more: Deed) -> Rules:
    """Return a game with some kinds of order more, or others in their place."""
    every = deeds(rules).with_more(*more)
    interface, vocabulary = (
        replace(rules.interface, say=every.say),
        replace(rules.vocabulary, deeds=every.words),
    )
    return rules.amend(deeds=every, interface=interface, vocabulary=vocabulary)
