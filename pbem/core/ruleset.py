"""A ruleset is a value: what is listed in it is in force, what is not does not exist.

An optional rule, a variant and an erratum are one thing, an ``Amendment``: a function from ruleset to
ruleset. Nothing registers itself, and the value that was amended stays as it was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from msgspec import Struct, field
from msgspec.structs import force_setattr, replace

from pbem.core.dice import Dice, RecordedDice, Roll
from pbem.core.later import later
from pbem.core.play import Answer, PhaseResult, Play, Question, resolve_phase
from pbem.core.problem import Problem
from pbem.core.sequence import Cursor, SequenceOfPlay
from pbem.core.telling import Telling
from pbem.core.vocabulary import Vocabulary, of_sequence

if TYPE_CHECKING:
    from pbem.core.briefing import Aim, Chapter, Member, Region, Sample
    from pbem.core.sheet import Entry, Forms, Offer, Roaming

S = TypeVar("S")


class Orders(Protocol):
    """One order file, read: who sent it, what it answers, and which phases it has orders for."""

    @property
    def seat(self) -> str:
        """The seat that sent it."""
        ...

    @property
    def answers(self) -> Mapping[str, str]:
        """Question id -> answer as typed."""
        ...

    def covers(self, cursor: Cursor) -> bool:
        """Tell whether the file has orders, if only to stay, for a phase."""
        ...


Files = Mapping[str, tuple[Any, ...]]
"""Seat -> its order files in force, oldest first."""


class Judgement(Struct, frozen=True):
    """What the rules have to say of an order file: what is wrong or doubtful, and how things go if no die
    hurts anybody.
    """

    problems: tuple[Problem, ...]
    """Problems and doubts, in the order in which they were found."""
    course: Sequence[Any] = ()
    """What the ruleset's own ``forecast`` tells line by line."""
    after: Any = None
    """The state at the end of that course; only the ruleset's own ``foreseen`` looks at it."""


class Option(Struct, Generic[S], frozen=True):
    """An optional rule or a difference between editions: its values, the default first, and what each does to
    a ruleset.
    """

    values: tuple[str, ...]
    rules: tuple[str, ...]
    title: str
    amendments: Mapping[str, Callable[[Ruleset[S]], Ruleset[S]]] = field(default_factory=dict)
    conflicts: tuple[str, ...] = ()

    @property
    def default(self) -> str:
        """Return the value that is in force when nobody chose."""
        return self.values[0]


class Ruleset(Struct, Generic[S], frozen=True, eq=False):
    """All of a game, listed: sequence, steps, checks, modifiers, tables, and the interface through which it
    is used. Two are the same where they are one object.
    """

    id: str
    revision: int
    title: str
    sequence: SequenceOfPlay
    steps: Mapping[str, Callable[[Ruleset[S], Play[S], Files], None]]
    """Phase id -> what happens in it."""
    checks: Mapping[str, tuple[Callable[..., Iterator[Problem]], ...]]
    """Kind of order -> what may be wrong with one."""
    modifiers: Mapping[str, tuple[Callable[..., Any], ...]]
    """``melee``, ``shot`` -> functions that return a Modifier or None."""
    tables: Mapping[str, Any]
    interface: RulesetInterface[S]
    deeds: Any = None
    """The kinds of order, as the ruleset keeps them; None where it has no such list."""
    follows: Mapping[str, tuple[Callable[..., None], ...]] = field(default_factory=dict)
    """``death``, ``fall`` -> (rules, play, unit, cause): what happens at once after a death, before a rider
    is no longer one.
    """
    events: Mapping[str, type] = field(default_factory=dict)
    """Name -> class of what can happen: what is written of events, and what needs words."""
    options: Mapping[str, Option[S]] = field(default_factory=dict)
    editions: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Edition -> the options that are otherwise in it: what ``edition`` stands for among the options of a
    game.
    """
    known_modules: Mapping[str, Callable[[Ruleset[S]], Ruleset[S]]] = field(default_factory=dict)
    mixing: Callable[[Ruleset[S], Sequence[str]], Sequence[Problem]] | None = None
    """(rules, modules) -> why some of them, known as they are, are not played together; None: all of them
    mix.
    """
    modules: tuple[str, ...] = ()
    settings: Mapping[str, str] = field(default_factory=dict)
    """Option -> the value in force."""
    family: Any = None
    """What games of one family have and no others, such as their policies: a record of a type of theirs,
    which only they look at.
    """
    vocabulary: Vocabulary = field(default_factory=Vocabulary)
    """The words of its order files, for whoever reads letters; where it gives no sections they are the
    headings of its sequence.
    """
    telling: Telling = field(default_factory=Telling)
    """How its events are told, where their sentences alone do not say it."""

    def __post_init__(self) -> None:
        force_setattr(self, "vocabulary", of_sequence(self.vocabulary, self.sequence))

    def amend(self, **changes: Any) -> Ruleset[S]:
        """Return a ruleset in which some fields are others."""
        return replace(self, **changes)

    def setting(self, option: str) -> str:
        """Return the value of an option in force; KeyError if the ruleset has no such option."""
        known = self.settings
        return known[option] if option in known else self.options[option].default


class RulesetInterface(Struct, Generic[S], frozen=True, kw_only=True):
    """What the outside asks of a ruleset; every function is pure. What has a default may be left out."""

    # --- What is read and written: files of a battle, orders, states, events

    read_field: Callable[
        [Ruleset[S], Mapping[str, Any], Mapping[str, Any]], tuple[Any, list[Problem], list[Problem]]
    ]
    """(rules, scenario data, map data) -> (field or None, problems of the scenario, problems of the map)."""
    field_to_plain: Callable[[Ruleset[S], Any], Any] | None = None
    """(rules, field) -> the field as plain data, to be kept; None: it is read from scenario and map each
    time.
    """
    field_from_plain: Callable[[Ruleset[S], Any], Any] | None = None
    """(rules, such data) -> the same field; ValueError, LookupError or TypeError for anything else."""
    setup: Callable[[Ruleset[S], Any, Mapping[str, str]], S]
    """(rules, field, seat -> side) -> the state before the first phase."""
    read_orders: Callable[[Ruleset[S], S, str, Any], tuple[Any, list[Problem]]]
    """(rules, state, seat, plain data) -> (Orders, problems of wording). With problems the Orders are what
    could be read: they can be judged, so that everything wrong is told at once, and must not be carried out.
    None where nothing could be read. Under the key '' stand lines of the file of which nothing could be made:
    whoever is named there may do anything."""
    state_to_plain: Callable[[Ruleset[S], S], dict[str, Any]]
    """(rules, state) -> plain data."""
    state_from_plain: Callable[[Ruleset[S], Any, Mapping[str, Any]], S]
    """(rules, field, plain data) -> state."""
    event_to_plain: Callable[[object], dict[str, Any]]

    # --- How the game goes on

    cursor: Callable[[S], Cursor]
    seats_to_order: Callable[[Ruleset[S], S], tuple[str, ...]]
    """Whose orders the open phase takes; empty where nobody orders, or the game is over."""
    over: Callable[[S], bool]
    advance: Callable[[Ruleset[S], S], Sequence[object]]
    """The events that lead from the end of a phase to the next one (PhaseEnded, TurnBegan, PhaseBegan,
    GameEnded …).
    """
    apply: Callable[[S, object], S]
    instruct: Callable[[Ruleset[S], S, str, Any, str], Sequence[object]]
    """(rules, state, seat, orders, sha512 of its file) -> events of what takes force at once: standing
    instructions, messages.
    """
    in_force: Callable[[S, Any], bool] = lambda state, orders: True
    """(state, orders) -> whether a file that covers a phase still speaks in it; a file may have ended itself
    (``stop``).
    """
    may_roll: Callable[[Ruleset[S], S], bool] = lambda rules, state: True
    """(rules, state) -> whether a die can fall before somebody orders again; where none can, nobody is asked
    for words of luck.
    """
    silence: Callable[[Ruleset[S], S, str], str] = lambda rules, state, side: "hold"
    """(rules, state, side) -> what a side does in the open phase if nothing comes from it: the end of the
    phrase ``missed.does-…``.
    """
    outcome: Callable[[Ruleset[S], S], Mapping[str, Any]]
    """The result so far: ``winner grade why``, and ``sides``: for each its score and how many are healthy,
    stunned, wounded, dead; while nobody has won perhaps ``leads``: who would, if it ended as it stands.
    """

    # --- What is said of an order file

    check: Callable[[Ruleset[S], S, Any, tuple[Any, ...]], Judgement]
    """(rules, state, orders, that seat's earlier files in force) -> the judgement of the file."""
    forecast: Callable[[Ruleset[S], Sequence[Any]], list[str]]
    """(rules, course of a judgement) -> one line for each order as understood, with ways and costs."""
    foreseen: Callable[..., Any] = lambda rules, judgement, side=None, title="": None
    """(rules, judgement, side=None, title="") -> the Scene of a file's own orders carried out, as its side
    sees it; None without one.
    """
    normal: Callable[..., Sequence[str]] = lambda rules, orders, instead=None: ()
    """(rules, orders, instead=...) -> the file in normal form, line by line; nothing where a game has none.
    ``instead`` is a function (path, reach) -> comments that stand in the place of what is at that path of the
    file, none where it is well: of itself (``self``, or
    ``heading`` where what is inside is shown), of its keys too (``keys``), of what is inside it (``all``;
    ``gap``: there always are)."""
    ordered: Callable[[Any], bool] = lambda orders: True
    """(orders) -> whether a file orders or answers anything, or says that nobody is ordered; one that does
    neither is asked about.
    """
    left_over: Callable[[Ruleset[S], S, str, Any], Sequence[tuple[str, str]]] = (
        lambda rules, state, seat, orders: ()
    )
    """(rules, state, seat, orders or None) -> (whom or what of the seat a file does not place, where the
    rules would then put it).
    """
    order_form: Callable[[Ruleset[S], Mapping[str, Any]], Mapping[str, Any]] = lambda rules, form: form
    """(rules, the schema of order files as it is published) -> that of this game, which may have kinds of
    order more.
    """

    # --- What may be ordered

    legal: Callable[[Ruleset[S], S, str], Iterator[Any]]
    """(rules, state, seat) -> every legal atomic order in the open phase, lazily."""
    say: Callable[[Any], str]
    """One order -> its sentence, which reads back as the same order."""
    sheet: Callable[[Ruleset[S], S, str], Iterable[Entry]]
    """(rules, state, seat) -> what stands on the seat's order sheet for the open phase, figure by figure."""
    offers: Callable[[Ruleset[S], S, str], Iterable[Offer]] | None = None
    """(rules, state, seat) -> what ``legal`` yields, as offers to click on a map; None: sentences alone, made
    of ``legal`` and ``say``.
    """
    onward: Callable[[Ruleset[S], S, str], Callable[[Offer], Iterable[tuple[str, str, Sequence[Offer]]]]] = (
        lambda *of: lambda offer: ()
    )
    """(rules, state, seat) -> what tells of an offer of the open phase: (one of its figures, a phase of the
    player turn, what he could do in it if that offer were taken and nothing else happened); of the open phase
    what may follow at once. Nothing where that is not known. What many offers share is worked out once."""
    together: Callable[[Ruleset[S], S, str, Sequence[Offer]], Iterable[tuple[tuple[int, ...], Offer]]] = (
        lambda *of: ()
    )
    """(rules, state, seat, offers of the open phase) -> lazily (places of some of these, what the first
    figures of those could do together later in the turn if each of them did that), small parties first; an
    offer without a sentence is to do nothing."""
    making_way: Callable[[Ruleset[S], S, str], Iterable[tuple[str, Offer]]] = lambda rules, state, seat: ()
    """(rules, state, seat) -> (a figure of the seat, what another could be ordered below its line in the open
    phase, had it gone).
    """
    forms: Callable[[Ruleset[S], S, str], Forms] = lambda rules, state, seat: later("pbem.core.sheet:Forms")()
    """(rules, state, seat) -> how sentences are put together that are not offers."""
    roaming: Callable[[Ruleset[S], S, str], Roaming] | None = None
    """(rules, state, seat) -> where figures of the seat may go on a table; None where a game has no such
    table.
    """

    # --- What is shown

    scene: Callable[..., Any]
    """(rules, state, plain events, side=None, title="") -> Scene; ``side`` None is what the umpire sees."""
    measuring: Callable[[Ruleset[S], S, Sequence[tuple[str, str]], Sequence[str]], Any] | None = None
    """(rules, state, pairs of names, names) -> (Spans between the rims of each pair, Sectors of how far each
    of the names moves and shoots, names that nobody has), for a table; None where nothing is measured.
    """
    map_scene: Callable[[Ruleset[S], Any], tuple[Any, list[Problem]]] | None = None
    """(rules, map data) -> (scene of the map with nobody on it, or None; problems); None where a game has no
    maps of its own.
    """
    zones: Callable[[Ruleset[S], S, str | None], Sequence[Region]] = lambda rules, state, side: ()
    """(rules, state, side) -> where figures of a side (None: of any) may still be placed in the open step of
    the setup.
    """
    record: Callable[[Ruleset[S], S], Sequence[str]] = lambda rules, state: ()
    """(rules, state) -> what is kept beside the map, such as the sheet of a siege, in sentences."""
    plan: Callable[..., Any] = lambda rules, state, title="", events=None: None
    """(rules, state, title="", events=None) -> the Plan of what is kept beside the map on a sheet of its own,
    or None where there is nothing to keep; with plain events None also where they changed nothing on it."""

    # --- What a side may see

    view: Callable[[Ruleset[S], S, str | None], S] = lambda rules, state, side: state
    """(rules, state, side) -> the state as a side knows it, without what it cannot see; ``side`` None is the
    umpire.
    """
    seen: Callable[[Ruleset[S], S, Sequence[Mapping[str, Any]], str | None], Sequence[Mapping[str, Any]]] = (
        lambda rules, state, events, side: events
    )
    """(rules, state after them, plain events, side) -> those of the events that a side learns of, and of each
    what it learns.
    """

    # --- How the game is explained

    aim: Callable[[Ruleset[S], S], Aim] = lambda rules, state: later("pbem.core.briefing:Aim")()
    """(rules, state) -> what is played for, and where."""
    primer: Callable[[Ruleset[S], S], Sequence[Chapter]] = lambda rules, state: ()
    """(rules, state) -> the rules in force in short, what a player needs first."""
    roll_call: Callable[[Ruleset[S], S, str], Sequence[Member]] | None = None
    """(rules, state, seat) -> everybody whom the seat's side knows of, the seat's own with what they can do;
    None: made of the scene.
    """
    samples: Callable[[Ruleset[S], S, str], Iterable[Sample]] | None = None
    """(rules, state, seat) -> one line for each section of the open player turn, sensible ones; None: made of
    ``legal`` and ``say``.
    """


Amendment = Callable[[Ruleset[S]], Ruleset[S]]
EDITION = "edition"
"""The name among the options of a game that chooses an edition."""


def choose(
    rules: Ruleset[S], modules: Sequence[str], options: Mapping[str, str]
) -> tuple[Ruleset[S] | None, list[Problem]]:
    """Return the ruleset with modules and options in force; problems name what is unknown or contradicts.

    Modules are applied in their own order, options in that of the alphabet, so how they were listed changes
    nothing. The option ``edition`` sets those of an edition; what is chosen beside it goes before.
    """
    problems: list[Problem] = []
    edition = options.get(EDITION, "")
    if edition and edition not in rules.editions:
        args = {"option": EDITION, "value": edition}
        problems.append(Problem("rules.value", args, ("options", EDITION), help=_known(rules.editions)))
    chosen = {name: value for name, value in options.items() if name != EDITION}
    chosen = {**rules.editions.get(edition, {}), **chosen}

    for index, name in enumerate(modules):
        if name not in rules.known_modules:
            problems.append(
                Problem(
                    "rules.module", {"module": name}, ("modules", index), help=_known(rules.known_modules)
                )
            )
    if rules.mixing is not None:
        problems += rules.mixing(rules, modules)
    problems += (problem for name in chosen for problem in _wrong_option(rules, name, chosen))
    if problems:
        return None, problems
    for name in sorted(set(modules), key=list(rules.known_modules).index):
        rules = rules.known_modules[name](rules)
    settings = {name: chosen.get(name, option.default) for name, option in sorted(rules.options.items())}
    rules = rules.amend(modules=tuple(sorted(set(modules))), settings=settings)
    for name, value in settings.items():
        amendment = rules.options[name].amendments.get(value)
        if amendment is not None:
            rules = amendment(rules)
    return rules, []


def _wrong_option(rules: Ruleset[S], name: str, chosen: Mapping[str, str]) -> Iterator[Problem]:
    """Yield what is wrong with one chosen option: unknown, with a value that it does not have, or beside
    another that excludes it.
    """
    option, value = rules.options.get(name), chosen[name]
    where = ("options", name)
    if option is None:
        yield Problem("rules.option", {"option": name}, where, help=_known(rules.options), key=True)
        return
    if value not in option.values:
        said = ", ".join(option.values)
        yield Problem("rules.value", {"option": name, "value": value}, where, help=f"one of {said}")
    if value == option.default:
        return
    for other in option.conflicts:
        default = rules.options[other].default
        if chosen.get(other, default) != default:
            yield Problem("rules.conflict", {"option": name, "other": other}, where)


def _known(names: Mapping[str, Any]) -> str:
    return "known are " + ", ".join(sorted(names)) if names else "this ruleset has none"


class PlayedPhase(Struct, Generic[S], frozen=True):
    """One phase of a slot and what it came to."""

    cursor: Cursor
    result: PhaseResult[S]
    rolled: tuple[Roll, ...]
    """Only what was rolled for the first time; recorded labels are not logged again (R13)."""


class SlotResult(Struct, Generic[S], frozen=True):
    """What a slot came to: everything the engine could do until it needs somebody (docs/protocol.md, section
    6).
    """

    state: S
    events: tuple[object, ...]
    played: tuple[PlayedPhase[S], ...]
    question: Question | None
    over: bool
    kept: Mapping[str, tuple[Any, ...]]
    """Files that are still in force, because they have orders for the phase that is open now."""

    @property
    def rolls(self) -> tuple[Roll, ...]:
        """Return the new rolls of the slot, in the order they were asked for."""
        return tuple(roll for phase in self.played for roll in phase.rolled)


def play_slot(
    rules: Ruleset[S],
    state: S,
    files: Files,
    new: Mapping[str, tuple[Any, str]],
    dice: Dice,
    recorded: Sequence[Roll] = (),
    answers: Mapping[str, Answer] | None = None,
) -> SlotResult[S]:
    """Play everything from ``state`` until somebody is needed.

    ``files`` are all files in force with those locked for this slot; ``new`` are the latter alone, seat ->
    (orders, sha512).
    ``recorded`` and ``answers`` belong to the phase that is open, when an earlier slot stopped in it with a
    question. The slot stops at a question, before a phase for which no file has orders, and at the end of the
    game. A side that sent nothing at all for the open phase is silent: its player turn is played with what
    the scenario says of a silent side.
    """
    interface = rules.interface
    events: list[object] = []
    for seat in sorted(new):
        orders, digest = new[seat]
        for event in interface.instruct(rules, state, seat, orders, digest):
            state = interface.apply(state, event)
            events.append(event)

    played: list[PlayedPhase[S]] = []
    opened = interface.cursor(state)
    silent: bool | None = None
    first = True
    question: Question | None = None
    names: set[str] = set()
    while not interface.over(state):
        cursor = interface.cursor(state)
        if str(cursor) in names:
            # Dice are named after it: they would fall as they did before, and only the proof would tell.
            raise AssertionError(f"{cursor} is played a second time")
        names.add(str(cursor))
        seats = interface.seats_to_order(rules, state)
        covering = _covering(interface, state, files, seats)
        if silent is None and seats:
            silent = not covering
        if seats and not covering and not (silent and cursor.player_turn == opened.player_turn):
            break
        known = RecordedDice(recorded if first else (), dice)
        result = resolve_phase(
            lambda play, cursor=cursor, covering=covering: rules.steps[cursor.phase](rules, play, covering),  # type: ignore[misc]
            state,
            str(cursor),
            interface.apply,
            known,
            answers if first else None,
        )
        rolled = tuple(
            roll for roll in result.rolls if not known.knows(roll.label, roll.sides, len(roll.values))
        )
        played.append(PlayedPhase(cursor, result, rolled))
        events.extend(result.events)
        if result.question is not None:
            question = result.question
            break
        state = result.state
        for event in interface.advance(rules, state):
            state = interface.apply(state, event)
            events.append(event)
        first = False

    kept = {} if interface.over(state) else _covering(interface, state, files, tuple(files))
    return SlotResult(state, tuple(events), tuple(played), question, interface.over(state), kept)


def _covering(
    interface: RulesetInterface[S], state: S, files: Files, seats: Sequence[str]
) -> dict[str, tuple[Any, ...]]:
    """Return the files of some seats that have orders for the open phase and are still in force."""
    cursor = interface.cursor(state)
    found: dict[str, tuple[Any, ...]] = {}
    for seat in sorted(seats):
        held = tuple(
            file for file in files.get(seat, ()) if file.covers(cursor) and interface.in_force(state, file)
        )
        if held:
            found[seat] = held
    return found
