"""One slot of a game from its order files, dice and answers: the one pure function that both ``resolve`` and
``verify`` use.

Decides which files and answers the rules get to see, and what the ledger has to say of the outcome; it opens
and writes nothing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from pbem.core.dice import Dice, NoDice, NoDiceError, Roll
from pbem.core.play import Answer
from pbem.core.problem import Problem, worst
from pbem.core.ruleset import Ruleset, SlotResult, choose, play_slot
from pbem.geometry import fan
from pbem.proof.archive import events_path, rolls_path
from pbem.proof.canonical import NotCanonical, decode, encode
from pbem.proof.dice_protocol import SeededDice
from pbem.proof.engines import Engine, engine_at
from pbem.proof.history import Finding
from pbem.proof.orderfile import BadOrderFile, parse
from pbem.proof.records import Record, announce
from pbem.proof.replaying import OPEN, GameToReplay, SlotToReplay
from pbem.proof.rules import Seat, value_kind
from pbem.referee.game.differing import bare, called, other_event, other_state, stop, told_long, told_short
from pbem.referee.game.programs import all_played, ask_those, how_to_get
from pbem.rulesets import UnknownRuleset, find, package_of
from pbem.rulesets.overlay import overlay
from pbem.store.library import english, shipped_tables, words_of
from pbem.text.codec import to_plain
from pbem.text.source import FILES, Source, read
from pbem.text.words import Words

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


def _lines() -> fan.Shelf | None:
    """Return where the table of lines lies; it is taken only if it is the one that would be made."""
    from pbem.store import shelf

    return shelf.own(shelf.LINES)


def lay_ground(ruleset: Mapping[str, Any], files: Mapping[str, bytes]) -> Ground | Faults:
    """Return rules and field for what a manifest says of the ruleset and the files it names; faults name what
    is wrong.
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
    fan.use(_lines)
    path = scenario_path(files) or "scenario/"
    scenario = read(files.get(path, b""), path, limits=FILES)
    map_path = f"{MAPS}{_text(scenario, 'map')}.yaml"
    map_ = read(files.get(map_path, b""), map_path, limits=FILES)
    of_scenario, of_map = list(scenario.problems), list(map_.problems)
    field = None
    if isinstance(scenario.data, Mapping) and isinstance(map_.data, Mapping) and not (of_scenario or of_map):
        field, of_scenario, of_map = chosen.interface.read_field(chosen, scenario.data, map_.data)
    if wrong_tables or field is None or worst(of_scenario) or worst(of_map):
        found = ((scenario, tuple(of_scenario)), (map_, tuple(of_map)), *wrong_tables)
        return Faults(tuple(entry for entry in found if entry[1]))
    assert isinstance(scenario.data, Mapping)
    return Ground(chosen, field, scenario.data, _text(scenario, "title") or _text(scenario, "scenario"))


def _text(source: Source, key: str) -> str:
    found = source.data.get(key) if isinstance(source.data, Mapping) else None
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
        raise ValueError(f"not a state of this game: {wrong}") from wrong


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
) -> Outcome:
    """Play a slot (NoDiceError passes through) and return what the ledger has to say of it."""
    result = result_of(ground, number, state, announced, sheets, recorded, dice)
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
        else _next(ground, seats, number + 1, result, announced, _answers(announced, _new(readable, number))),
    )


def result_of(
    ground: Ground,
    number: int,
    state: Any,
    announced: Mapping[str, Any],
    sheets: Sequence[Sheet],
    recorded: Sequence[Roll],
    dice: Dice,
) -> SlotResult[Any]:
    """Play a slot and return states and events as values. ``sheets`` are all in force, those of this slot's
    lock among them.

    While a question is open, only the files that were in force when it arose give orders (the dice of the
    phase are known); a new file gives answers, standing instructions and words.
    """
    readable = _readable(sheets)
    new = _new(readable, number)
    waiting = bool(announced.get("questions"))
    held: dict[str, tuple[Any, ...]] = {}
    for sheet in sorted(readable, key=lambda sheet: (sheet.seat, sheet.slot)):
        if not (waiting and sheet.slot == number):
            held[sheet.seat] = (*held.get(sheet.seat, ()), sheet.orders)
    instructing = {seat: (sheet.orders, sheet.sha512) for seat, sheet in new.items()}
    return play_slot(ground.rules, state, held, instructing, dice, recorded, _answers(announced, new))


def _readable(sheets: Sequence[Sheet]) -> list[Sheet]:
    return [sheet for sheet in sheets if sheet.orders is not None]


def _new(sheets: Sequence[Sheet], number: int) -> dict[str, Sheet]:
    """Return seat -> its file that was locked for a slot."""
    return {sheet.seat: sheet for sheet in sheets if sheet.slot == number}


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
    interface = ground.rules.interface
    waits = interface.seats_to_order(ground.rules, state)
    return announce(
        slot=slot, phase=str(interface.cursor(state)), waits=waits, value=value_kind(waits, seats)
    )


def open_questions(announced: Mapping[str, Any] | None) -> list[Mapping[str, Any]]:
    """Return the questions of a ``next`` that nobody has answered yet."""
    return [question for question in (announced or {}).get("questions", ()) if "answer" not in question]


# --- playing a whole archive again, for verify


def replay(game: GameToReplay, *, engine: Engine) -> Iterator[Finding]:
    """Yield what comes out differently when the rules are played again, by the first thing of each slot.

    E28 where ``engine``, which plays here, is the one that played; else OPEN, for rules may have changed
    since. E00: what is missing.
    """
    otherwise: list[int] = []
    for number, finding in _findings(game, engine):
        if finding.code == "E28" and engine_at(game.engines, number).sha256 != engine.sha256:
            otherwise.append(number)
        else:
            yield finding
    yield from (Finding(OPEN, "engine", said) for said in ask_those(game.engines, engine, otherwise))


def _findings(game: GameToReplay, engine: Engine) -> Iterator[tuple[int, Finding]]:
    """Yield what there is to say, each with its slot (0: the start).

    Whatever the rules stumble over is a finding and no crash.
    """
    try:
        begun = _begun(game, engine)
    except Exception as fault:
        begun = _stumbled(0, "start", fault)
    if isinstance(begun, Finding):
        yield 0, begun
        return
    again, first = begun
    if bare(game.start.get("next")) != first:
        yield (
            0,
            Finding(
                "E28",
                "start",
                english().phrase("differs.start-next", rules=stop(first), game=stop(game.start.get("next"))),
            ),
        )
    for slot in game.slots:
        try:
            made = again.slot(slot)
            found = [made] if isinstance(made, Finding) else list(_differences(slot, made))
        except Exception as fault:
            found = [_stumbled(slot.number, slot.result_path, fault)]
        yield from ((slot.number, finding) for finding in found)


def _begun(game: GameToReplay, engine: Engine) -> tuple[Replayer, Mapping[str, Any]] | Finding:
    """Return what plays the slots of a game, and what its start announces by the rules; or why none can be
    played.
    """
    ground, words = lay_ground(game.manifest["ruleset"], game.files), english()
    if isinstance(ground, Faults) and ground.ruleset is not None:
        how = "" if game.engines[-1].engine.sha256 == engine.sha256 else how_to_get(game.engines[-1].engine)
        said = words.phrase(
            "engine.rules",
            ruleset=str(ground.ruleset),
            played=all_played(game.engines),
            now=str(engine),
            how=how,
        )
        return Finding(OPEN, "engine", said)
    if isinstance(ground, Faults):
        return Finding("E28", "scenario/", words.phrase("differs.files"), "; ".join(_faults(ground)))
    seats = seats_in(game.manifest)
    state = first_state(ground, {name: seat.side for name, seat in seats.items()})
    data = state_bytes(ground, state)
    if game.start["state"] != hashlib.sha256(data).hexdigest():
        return Finding(
            "E28", "state/s0000.json", words.phrase("differs.start"), other_state(data, game.start_state)
        )
    return Replayer(ground, seats, data), opening(ground, seats, 1, state)


def _stumbled(number: int, where: str, fault: Exception) -> Finding:
    slot = called(number) if number else english().phrase("engine.start")
    return Finding(
        "E28", where, english().phrase("differs.fault", slot=slot), f"{type(fault).__name__}: {fault!s:.200}"
    )


def _faults(faults: Faults) -> Iterator[str]:
    for problem in faults.choices:
        yield english().problem(problem.code, problem.args)
    for source, problems in faults.of:
        yield from (
            f"{source.name}: {english().problem(problem.code, problem.args)}" for problem in problems[:3]
        )


def seats_in(manifest: Mapping[str, Any]) -> dict[str, Seat]:
    """Return the seats of a manifest as far as the rules ask for them: names, sides, and who plays them."""
    return {
        entry["seat"]: Seat(entry["seat"], entry["side"], entry["by"], None, None, False)
        for entry in manifest["seats"]
    }


class Replayer:
    """Plays slots of an archive again, one after the other: each on the state that those before led to, else
    on that of the archive.
    """

    def __init__(self, ground: Ground, seats: Mapping[str, Seat], first: bytes) -> None:
        self._ground, self._seats = ground, seats
        self._states = {hashlib.sha256(first).hexdigest(): first}
        self._sheets: dict[tuple[str, int], Sheet] = {}

    def slot(self, slot: SlotToReplay) -> Outcome | Finding:
        """Return what a slot comes to, or why it cannot be played: something is missing (E00), or it wants a
        die that may not be rolled.
        """
        before = self._states.get(slot.state_before_sha256, slot.state_before)
        if before is None:
            return Finding(
                "E00", slot.result_path, "the state before the slot is missing and cannot be made again"
            )
        state = read_state(self._ground, before)
        for file in slot.files:
            if file.slot == slot.number:
                self._sheets[file.seat, file.slot] = read_sheet(
                    self._ground, state, file.seat, file.slot, file.data
                )
        missing = [file.path for file in slot.files if (file.seat, file.slot) not in self._sheets]
        if missing:
            return Finding("E00", missing[0], "the slot that locked this file cannot be played again")
        in_force = [self._sheets[file.seat, file.slot] for file in slot.files]
        dice: Dice = SeededDice(slot.seed) if slot.dice_allowed else NoDice()
        try:
            made = play(
                self._ground, self._seats, slot.number, state, slot.announced, in_force, slot.recorded, dice
            )
        except NoDiceError as wanted:
            said = english().phrase("differs.die", slot=called(slot.number), label=wanted.label)
            return Finding("E28", slot.result_path, said)
        self._states[made.state_id] = made.state_data
        return made


def _differences(slot: SlotToReplay, made: Outcome) -> Iterator[Finding]:
    """Yield the first thing that differs, with all that does; of events that alone differ a warning."""
    said = told_short(slot, made)
    if said:
        where = rolls_path(slot.number) if made.rolls != slot.rolls else slot.result_path
        yield Finding("E28", where, said, "; ".join(told_long(slot, made)))
    if (
        made.rolls == slot.rolls
        and made.state_id == slot.result["state"]
        and (events := other_event(made.events, slot.events))
    ):
        yield Finding("W", events_path(slot.number), f"derived file differs: {events}")
