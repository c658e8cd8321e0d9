"""One slot of a game from its order files, dice and answers: the one pure function that both ``resolve`` and
``verify`` use.

Decides which files and answers the rules get to see, and what the ledger has to say of the outcome; it opens
and writes nothing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct

from pbem.core.dice import Dice, Roll
from pbem.core.play import Answer
from pbem.core.problem import Problem, worst
from pbem.core.ruleset import Ruleset, SlotResult, choose, play_slot
from pbem.geometry import shelves
from pbem.proof.canonical import NotCanonical, decode, encode
from pbem.proof.orderfile import BadOrderFile, parse
from pbem.proof.rules import Seat, value_kind
from pbem.rulesets import BUILT_IN, UnknownRuleset, find, package_of
from pbem.rulesets.overlay import overlay
from pbem.rulesets.tables import kept
from pbem.store.library import shipped_tables, words_of
from pbem.store.plain import GROUND
from pbem.text.codec import to_plain
from pbem.text.source import FILES, Source, read
from pbem.text.words import Words

if TYPE_CHECKING:
    from pbem.proof.patching import Patch
    from pbem.proof.records import Record

NOT_A_STATE: Final = "not a state of this game: "
SCENARIO, MAPS, TABLES = "scenario/", "scenario/maps/", "tables/"


class Ground(Struct, frozen=True):
    """The part of a game that never changes: its rules as chosen, and the field that
    scenario and map make.
    """

    rules: Ruleset[Any]
    field: Any
    scenario: Mapping[str, Any]
    title: str

    @property
    def words(self) -> Words:
        """Return what the game says, and how."""
        return words_of(self.rules.id)


class Faults(Struct, frozen=True):
    """Why a game's files make no ground: the files as read, each with its problems."""

    of: tuple[tuple[Source, tuple[Problem, ...]], ...] = ()
    ruleset: UnknownRuleset | None = None
    choices: tuple[Problem, ...] = ()


def scenario_path(files: Iterable[str]) -> str | None:
    """Return which of the files of a game is its scenario: the one right inside ``scenario/``."""
    return next((path for path in sorted(files) if path.startswith(SCENARIO) and path.count("/") == 1), None)


def _lines() -> shelves.Shelf | None:
    """Return where the table of lines lies; it is taken only if it is the one that would be made."""
    from pbem.store import shelf

    return shelf.own(shelf.LINES)


def lay_ground(
    ruleset: Mapping[str, Any], files: Mapping[str, bytes], *, recall: bool = False
) -> Ground | Faults:
    """Return rules and field for what a manifest says of the ruleset and the files it names; faults name what
    is wrong. Who proves nothing may ``recall`` what was made of the same files before.
    """
    try:
        rules = find(ruleset["id"], ruleset["revision"])
    except UnknownRuleset as unknown:
        return Faults(ruleset=unknown)
    chosen, problems = choose(rules, ruleset["modules"], ruleset["options"])
    if chosen is None:
        return Faults(choices=tuple(problems))
    shipped = shipped_tables(package_of(chosen.id))
    tables = {path.removeprefix(TABLES): data for path, data in files.items() if path.startswith(TABLES)}
    tables = {name: data for name, data in tables.items() if data != shipped.get(name)}
    chosen, wrong_tables = overlay(chosen, tables)
    shelves.use(_lines)
    if recall and not wrong_tables and ruleset["id"] in BUILT_IN and chosen.interface.field_to_plain:
        return _recalled_ground(chosen, ruleset, files)
    return _laid(chosen, files, wrong_tables, _recalled if recall else _read)


def _read(files: Mapping[str, bytes], path: str) -> Source:
    return read(files.get(path, b""), path, limits=FILES)


def _recalled(files: Mapping[str, bytes], path: str) -> Source:
    """Return what a file says; one in whose form nothing is wrong may come from where such files are kept,
    without the places of what it says.
    """
    found = None

    def reading() -> object | None:
        nonlocal found
        found = _read(files, path)
        return None if found.problems else found.data

    said = kept("file", files.get(path, b""), reading)
    return found or (_read(files, path) if said is None else Source(said, [], (), path))


def _laid(
    rules: Ruleset[Any],
    files: Mapping[str, bytes],
    wrong_tables: Sequence[tuple[Source, tuple[Problem, ...]]] = (),
    said: Callable[[Mapping[str, bytes], str], Source] = _read,
) -> Ground | Faults:
    """Return rules as chosen with the field that scenario and map make, or what is wrong with the files."""
    path = scenario_path(files) or SCENARIO
    scenario = said(files, path)
    map_path = f"{MAPS}{_text(scenario.data, 'map')}.yaml"
    map_ = said(files, map_path)
    of_scenario, of_map = list(scenario.problems), list(map_.problems)
    field = None
    if isinstance(scenario.data, Mapping) and isinstance(map_.data, Mapping) and not (of_scenario or of_map):
        field, of_scenario, of_map = rules.interface.read_field(rules, scenario.data, map_.data)
    if wrong_tables or field is None or worst(of_scenario) or worst(of_map):
        scenario, map_ = (_read(files, name) for name in (path, map_path))
        found = ((scenario, tuple(of_scenario)), (map_, tuple(of_map)), *wrong_tables)
        return Faults(tuple(entry for entry in found if entry[1]))
    assert isinstance(scenario.data, Mapping)
    return _ground(rules, field, scenario.data)


def _recalled_ground(
    rules: Ruleset[Any], ruleset: Mapping[str, Any], files: Mapping[str, bytes]
) -> Ground | Faults:
    """Return the same; a field with which nothing is wrong may come from where such things are kept."""
    to_plain, from_plain = rules.interface.field_to_plain, rules.interface.field_from_plain
    assert to_plain is not None
    assert from_plain is not None
    made: Ground | Faults | None = None

    def making() -> object | None:
        nonlocal made
        made = _laid(rules, files)
        return None if isinstance(made, Faults) else [made.scenario, to_plain(rules, made.field)]

    named = [(path, hashlib.sha256(data).hexdigest()) for path, data in sorted(files.items())]
    kept_one = kept(GROUND, repr((sorted(ruleset.items()), named)).encode(), making)
    if made is None and kept_one is not None:
        with suppress(ValueError, LookupError, TypeError):
            scenario, field = kept_one
            return _ground(rules, from_plain(rules, field), scenario)
    return made or _laid(rules, files)


def _ground(rules: Ruleset[Any], field: Any, scenario: Mapping[str, Any]) -> Ground:
    return Ground(rules, field, scenario, _text(scenario, "title") or _text(scenario, "scenario"))


def _text(data: object, key: str) -> str:
    found = data.get(key) if isinstance(data, Mapping) else None
    return found if isinstance(found, str) else ""


def first_state(ground: Ground, seats: Mapping[str, str]) -> Any:
    """Return the state before the first phase; ``seats`` says for which side each seat fights."""
    return ground.rules.interface.setup(ground.rules, ground.field, seats)


def state_bytes(ground: Ground, state: Any) -> bytes:
    """Return a state as it is hashed."""
    return encode(ground.rules.interface.state_to_plain(ground.rules, state))


def read_state(ground: Ground, data: bytes) -> Any:
    """Return a state from its bytes; raise ValueError for bytes that are none."""
    try:
        return ground.rules.interface.state_from_plain(ground.rules, ground.field, decode(data))
    except (NotCanonical, ValueError, LookupError, TypeError, AttributeError) as wrong:
        raise ValueError(f"{NOT_A_STATE}{wrong}") from wrong


class Sheet(Struct, frozen=True):
    """An order file as the rules understood it: whose, locked in which slot, its hash, and the orders (None:
    not readable).
    """

    seat: str
    slot: int
    sha512: str
    orders: Any


def read_sheet(ground: Ground, state: Any, seat: str, slot: int, data: bytes) -> Sheet:
    """Read an order file under the state before the slot it was locked in: a pure function, whatever the
    bytes are.
    """
    sha512 = hashlib.sha512(data).hexdigest()
    try:
        yaml = parse(data).yaml
    except BadOrderFile:
        return Sheet(seat, slot, sha512, None)
    source = read(yaml)
    if not isinstance(source.data, Mapping) or source.problems:
        return Sheet(seat, slot, sha512, None)
    orders, problems = ground.rules.interface.read_orders(ground.rules, state, seat, source.data)
    return Sheet(seat, slot, sha512, None if worst(problems) else orders)


def match_answer(choices: Sequence[Mapping[str, Any]], kind: str, typed: str) -> str | None:
    """Return the value that a typed answer chooses: by letter or by value, several where the question asks
    for several.
    """
    values = {str(choice["id"]).lower(): str(choice["value"]) for choice in choices}
    values |= {str(choice["value"]).lower(): str(choice["value"]) for choice in choices}
    if kind != "some":
        return values.get(" ".join(typed.lower().split()))
    names = typed.lower().replace(",", " ").split()
    found = [values[name] for name in names if name in values]
    return ", ".join(dict.fromkeys(found)) if len(found) == len(names) else None


def _answers(announced: Mapping[str, Any], new: Mapping[str, Sheet]) -> dict[str, Answer]:
    """Return the answers of the phase that is open: those of earlier slots, those of this one's files, else
    the defaults.
    """
    answers: dict[str, Answer] = {}
    for question in announced.get("questions", ()):
        if "answer" in question:
            answers[question["id"]] = Answer(question["answer"], question["by"])
            continue
        sheet = new.get(question["seat"])
        typed = sheet.orders.answers.get(question["id"]) if sheet is not None else None
        value = None if typed is None else match_answer(question["choices"], question["kind"], typed)
        if value is None:
            default = match_answer(question["choices"], question["kind"], question["default"])
            answers[question["id"]] = Answer(question["default"] if default is None else default, "default")
        else:
            answers[question["id"]] = Answer(value, "answer")
    return answers


class Outcome(Struct, frozen=True):
    """What a slot came to, as the ledger has to say it, and the events for everything that is derived."""

    state: Any
    state_data: bytes
    events: tuple[Mapping[str, Any], ...]
    rolls: tuple[Roll, ...]
    phases: tuple[str, ...]
    kept: tuple[tuple[str, int], ...]
    following: Record | None

    @property
    def state_id(self) -> str:
        """Return the SHA-256 of the state."""
        return hashlib.sha256(self.state_data).hexdigest()


def play(
    ground: Ground,
    seats: Mapping[str, Seat],
    number: int,
    state: Any,
    announced: Mapping[str, Any],
    sheets: Sequence[Sheet],
    recorded: Sequence[Roll],
    dice: Dice,
    first: int = 0,
) -> Outcome:
    """Play a slot (NoDiceError passes through) and return what the ledger has to say of it; ``first`` as
    ``result_of`` has it.
    """
    result = result_of(ground, number, state, announced, sheets, recorded, dice, first)
    readable = _readable(sheets)
    return Outcome(
        state=result.state,
        state_data=state_bytes(ground, result.state),
        events=enveloped(ground, state, result.events),
        rolls=result.rolls,
        phases=tuple(str(phase.cursor) for phase in result.played),
        kept=_kept(result, readable),
        following=None
        if result.over
        else _next(
            ground, seats, number + 1, result, announced, _answers(announced, _new(readable, first or number))
        ),
    )


def patched_state(ground: Ground, data: bytes, patch: Patch) -> Any:
    """Return a state, as it is hashed, with the changes of a patch; ValueError where they do not fit, or what
    comes of them is no state of this game in its one spelling.
    """
    from pbem.proof.patching import patched

    made = encode(patched(decode(data), patch))
    state = read_state(ground, made)
    if state_bytes(ground, state) != made:
        raise ValueError(f"{NOT_A_STATE}the rules write it otherwise")
    return state


def ruled(
    ground: Ground,
    seats: Mapping[str, Seat],
    number: int,
    before: bytes,
    patch: Patch,
    kept: Sequence[tuple[str, int]],
) -> Outcome:
    """Return what a ruling comes to (R21): no phase, no roll and no event, another state; ValueError as
    ``patched_state``.
    """
    state = patched_state(ground, before, patch)
    over = ground.rules.interface.over(state)
    return Outcome(
        state=state,
        state_data=state_bytes(ground, state),
        events=(),
        rolls=(),
        phases=(),
        kept=() if over else tuple(sorted(kept)),
        following=None if over else opening(ground, seats, number + 1, state),
    )


def result_of(
    ground: Ground,
    number: int,
    state: Any,
    announced: Mapping[str, Any],
    sheets: Sequence[Sheet],
    recorded: Sequence[Roll],
    dice: Dice,
    first: int = 0,
) -> SlotResult[Any]:
    """Play a slot and return states and events as values. ``sheets`` are all in force, those of this slot's
    lock among them: in a correction those from the slot on that was ``first`` played.

    While a question is open, only the files that were in force when it arose give orders (the dice of the
    phase are known); a new file gives answers, standing instructions and words.
    """
    readable = _readable(sheets)
    new = _new(readable, first or number)
    waiting = bool(announced.get("questions"))
    held: dict[str, tuple[Any, ...]] = {}
    for sheet in sorted(readable, key=lambda sheet: (sheet.seat, sheet.slot)):
        if not (waiting and sheet.slot >= (first or number)):
            held[sheet.seat] = (*held.get(sheet.seat, ()), sheet.orders)
    instructing = {seat: (sheet.orders, sheet.sha512) for seat, sheet in new.items()}
    return play_slot(ground.rules, state, held, instructing, dice, recorded, _answers(announced, new))


def _readable(sheets: Sequence[Sheet]) -> list[Sheet]:
    return [sheet for sheet in sheets if sheet.orders is not None]


def _new(sheets: Sequence[Sheet], number: int) -> dict[str, Sheet]:
    """Return seat -> its file that was locked for a slot, or in a correction of it."""
    return {sheet.seat: sheet for sheet in sheets if sheet.slot >= number}


def enveloped(ground: Ground, state: Any, events: Sequence[object]) -> tuple[Mapping[str, Any], ...]:
    """Return the events as plain data, each with its number and the phase it happened in."""
    interface = ground.rules.interface
    phase = interface.cursor(state).phase
    made: list[Mapping[str, Any]] = []
    for n, event in enumerate(events, 1):
        plain = interface.event_to_plain(event)
        phase = plain.get("phase", phase)
        made.append({"n": n, "phase": phase, **plain})
    return tuple(made)


def _kept(result: SlotResult[Any], sheets: Sequence[Sheet]) -> tuple[tuple[str, int], ...]:
    still = [id(orders) for held in result.kept.values() for orders in held]
    return tuple(sorted((sheet.seat, sheet.slot) for sheet in sheets if id(sheet.orders) in still))


def _next(
    ground: Ground,
    seats: Mapping[str, Seat],
    slot: int,
    result: SlotResult[Any],
    announced: Mapping[str, Any],
    answers: Mapping[str, Answer],
) -> Record:
    """Return ``next``: the open phase, or the question; answers given so far in the open phase go with it."""
    from pbem.proof.records import announce

    interface = ground.rules.interface
    phase = str(interface.cursor(result.state))
    if result.question is None:
        return opening(ground, seats, slot, result.state)
    questions: list[Mapping[str, Any]] = []
    if phase == announced["phase"]:
        for question in announced.get("questions", ()):
            answer = answers[question["id"]]
            questions.append({**question, "answer": answer.value, "by": answer.by})
    questions.append(plain_question(to_plain(result.question)))
    waits = (result.question.seat,)
    return announce(slot=slot, phase=phase, waits=waits, value=value_kind(waits, seats), questions=questions)


def plain_question(question: Mapping[str, Any]) -> dict[str, Any]:
    """Return a question as the ledger holds it."""
    return {key: value for key, value in question.items() if value not in ("", [])}


def opening(ground: Ground, seats: Mapping[str, Seat], slot: int, state: Any) -> Record:
    """Return ``next`` where no question is open: the phase, and whose orders it takes."""
    from pbem.proof.records import announce

    interface = ground.rules.interface
    waits = interface.seats_to_order(ground.rules, state)
    return announce(
        slot=slot, phase=str(interface.cursor(state)), waits=waits, value=value_kind(waits, seats)
    )


def open_questions(announced: Mapping[str, Any] | None) -> list[Mapping[str, Any]]:
    """Return the questions of a ``next`` that nobody has answered yet."""
    return [question for question in (announced or {}).get("questions", ()) if "answer" not in question]
