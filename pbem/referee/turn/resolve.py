"""Resolving a slot: values, seed, dice, rules; everything of the turn on disk first, the
signed result last.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from pbem.core.dice import NoDice, NoDiceError
from pbem.proof import engines, relied
from pbem.proof.archive import content, events_path, go_path, orders_path, rolls_path, state_path
from pbem.proof.canonical import decode, encode, record_id
from pbem.proof.dice_protocol import NOTHING, SeededDice, beacon_text, luck_value, normal_words, seed
from pbem.proof.history import Slot
from pbem.proof.known import Value
from pbem.proof.orderfile import parse
from pbem.proof.records import NOTE, Record, result, value_in
from pbem.proof.replaying import in_force
from pbem.proof.rules import EARLY, GO, is_fresh
from pbem.referee.game.environment import Environment
from pbem.referee.game.game import Game, again, mending, own_folder, writing
from pbem.referee.game.refusal import UNDECIDED, refuse
from pbem.referee.game.replay import Outcome, open_questions, play
from pbem.referee.game.results import RESULTS, results_bytes
from pbem.referee.game.sealing import gm_key, publish, seal, value_of, with_engine
from pbem.referee.game.views import hides
from pbem.referee.turn.beacon import Fetch, signed_round
from pbem.referee.turn.derived import (
    SlotPicture,
    events_data,
    log_data,
    pictures_of,
    report_of_slot,
    report_path,
)
from pbem.referee.turn.go import missing_goes
from pbem.referee.turn.lock import lock_now, sheets_for, standing
from pbem.referee.turn.report import DiceInputs, gave_line, report_text
from pbem.referee.turn.upgrade import gate
from pbem.store import disk, received
from pbem.store.gamedir import GameDir
from pbem.store.library import common_words
from pbem.store.received import words_path


class Resolved(Struct, frozen=True):
    """A resolved slot and the files made for people."""

    slot: int
    phases: tuple[str, ...]
    events: int
    rolls: int
    map: str
    report: str
    waiting_for: tuple[tuple[str, str], ...]
    questions: tuple[Mapping[str, Any], ...]
    over: bool
    folder: Path


def waiting(following: Mapping[str, Any] | None) -> tuple[tuple[str, str], ...]:
    """Return who is waited for after a ``next``, and for what."""
    if following is None:
        return ()
    kind = "answer" if open_questions(following) else "orders"
    return tuple((str(name), kind) for name in following["waits"])


def resolve(
    env: Environment,
    where: Path,
    *,
    deadline: bool = False,
    pictures: bool = True,
    beacon_file: Path | None = None,
    fetch: Fetch | None = None,
) -> Resolved:
    """Resolve the open slot, after locking it where all files are there; Refused (cannot decide) while a file
    or a go is missing.

    In a game with a beacon dice wait for its round (R17), from ``beacon_file`` or from whatever ``fetch``
    finds. Whatever is interrupted leaves the old turn or the new one; resolving again completes it. No order
    sheet is made: to list every legal order takes longer than all else, and whoever wants one asks for it.
    """
    with writing(where, env) as game:
        return resolve_now(
            env, game, deadline=deadline, pictures=pictures, beacon_file=beacon_file, fetch=fetch
        )


def resolve_now(
    env: Environment,
    game: Game,
    *,
    deadline: bool = False,
    pictures: bool = True,
    beacon_file: Path | None = None,
    fetch: Fetch | None = None,
) -> Resolved:
    """Resolve the open slot of a game that is held alone; Refused where this program plays otherwise than the
    one that played so far.
    """
    gate(env, game)
    if game.ledger.locked is None:
        lock_now(env, game, deadline=deadline)
        game = again(game)
    slot = game.ledger.locked
    assert slot is not None
    done = _worked_out(env, game, slot, beacon_file, fetch)
    outcome = done.outcome
    private = gm_key(env, game)
    folder = own_folder(game)
    _publish(folder, game, slot, outcome)
    log = log_data(outcome)
    folder.put(rolls_path(slot.number), log)
    folder.put(state_path(slot.number), outcome.state_data)

    record = result(
        game=game.id,
        n=game.ledger.next_n,
        prev=game.ledger.head,
        at=env.clock(),
        slot=slot.number,
        gm=done.gm,
        values=done.values,
        words=done.words,
        seed=done.seed.hex(),
        rolls=hashlib.sha256(log).hexdigest(),
        phases=outcome.phases,
        state=outcome.state_id,
        kept=outcome.kept,
        following=None if outcome.following is None else with_engine(env, game, outcome.following),
        beacon=done.beacon,
        note=_note(env, game, slot, outcome.following is None),
    )

    gave = _gave(game, slot, outcome, done, record)
    made = _derived(folder, game, slot.number, str(slot.announced["phase"]), outcome, gave, pictures)
    if outcome.following is None:
        folder.put(RESULTS, results_bytes(game, outcome.state, record))
    seal(folder, private, record)
    return _resolved(game.where, slot.number, outcome, made)


class _WorkedOut(Struct, frozen=True):
    """What a locked slot comes to: what was given for its dice, their seed, and the outcome."""

    gm: Value
    values: Mapping[str, Value | None]
    words: Mapping[str, str]
    beacon: Mapping[str, Any] | None
    seed: bytes
    outcome: Outcome


def _worked_out(
    env: Environment, game: Game, slot: Slot, beacon_file: Path | None, fetch: Fetch | None
) -> _WorkedOut:
    """Return what a locked slot comes to; nothing is written. Refused (cannot decide) while a go is missing,
    or the round of the beacon.
    """
    missing = missing_goes(game)
    if missing:
        raise refuse("resolve.go-missing", answer=UNDECIDED, slot=slot.number, seats=", ".join(missing))

    gm = value_of(env, game, "gm", slot.number)
    values, words = _values(game, slot)
    given = {name: NOTHING if value is None else value.x for name, value in values.items()}
    turned = {name: luck_value(game.id, name, slot.number, said) for name, said in words.items()}

    beacon = None
    if game.ledger.has_beacon and wants_dice(game, slot):
        beacon = signed_round(game, slot, env.clock(), fetch, beacon_file)
    text = (
        None
        if beacon is None
        else beacon_text(game.ledger.manifest["beacon"]["chain"], beacon["round"], beacon["sig"])
    )

    own_seed = seed(slot.previous_seed, game.id, slot.number, gm.x, {**given, **turned}, text)
    allowed = (
        game.ledger.profile == "gm" or game.ledger.has_beacon or is_fresh(game.ledger.seats, slot.entries)
    )
    outcome = play(
        game.ground,
        game.ledger.seats,
        slot.number,
        game.state_after(slot.state_before_slot, slot.state_before),
        slot.announced,
        game.sheets_of(slot),
        slot.recorded,
        SeededDice(own_seed) if allowed else NoDice(),
    )
    return _WorkedOut(gm, values, words, beacon, own_seed, outcome)


def _resolved(where: Path, slot: int, outcome: Outcome, made: tuple[str, str]) -> Resolved:
    return Resolved(
        slot=slot,
        phases=outcome.phases,
        events=len(outcome.events),
        rolls=len(outcome.rolls),
        map=made[0],
        report=made[1],
        waiting_for=waiting(outcome.following),
        questions=tuple(open_questions(outcome.following)),
        over=outcome.following is None,
        folder=where,
    )


def wants_dice(game: Game, slot: Slot) -> bool:
    """Tell whether a locked slot rolls a die: the rules are run without one and stop at the first."""
    state = game.state_after(slot.state_before_slot, slot.state_before)
    try:
        play(
            game.ground,
            game.ledger.seats,
            slot.number,
            state,
            slot.announced,
            game.sheets_of(slot),
            slot.recorded,
            NoDice(),
        )
    except NoDiceError:
        return True
    return False


def _values(game: Game, slot: Slot) -> tuple[dict[str, Value | None], dict[str, str]]:
    """Return what each outside seat gave: values (None: nothing), and words in normal form."""
    values: dict[str, Value | None] = {}
    words: dict[str, str] = {}
    for name in game.ledger.outside:
        entry = slot.entries[name]
        if entry.x == EARLY:
            if name not in slot.files:  # as in a copy that was packed while it was still secret
                path = orders_path(name, slot.number)
                raise refuse("game.no-file", answer=UNDECIDED, path=path, help=mending(game.where))
            file = slot.files[name]
            value, luck = file.value, file.luck
        elif entry.x == GO:
            value, luck = _went(game, slot, name)
        else:
            value, luck = None, None
        if luck is not None:
            words[name] = normal_words(luck)
        else:
            values[name] = value
    return values, words


def _went(game: Game, slot: Slot, name: str) -> tuple[Value | None, str | None]:
    if game.ledger.seats[name].key is not None:
        record = decode(game.archive[go_path(name, slot.number)])
        return value_in(record), record.get("luck")
    typed = own_folder(game).read(words_path(slot.number, name)) or b""
    return None, typed.decode()


def _publish(folder: GameDir, game: Game, slot: Slot, outcome: Outcome) -> None:
    """Put every file that is no longer in force where everybody sees it (R7)."""
    for seat, number in in_force(game.ledger, slot):
        if (seat, number) not in outcome.kept:
            publish(folder, game, seat, number)


def _note(env: Environment, game: Game, slot: Slot, over: bool) -> str | None:
    """Return the note of a result: what was relied on, and in the last one, which announces nothing, the
    engine if it is another.
    """
    folder, own = own_folder(game), engines.engine_of(env.engine())
    said = relied.note(
        {name: received.came_of(folder, words_path(slot.number, name)).relied for name in slot.asked}
    )
    if not over or own == engines.newest(game.ledger):
        return said
    return "; ".join([engines.note(own), *([said] if said else [])])[:NOTE]


def _gave(game: Game, slot: Slot, outcome: Outcome, done: _WorkedOut, record: Record) -> DiceInputs:
    """Return what the report says of values, words, files and the result."""
    given = {name: value.x for name, value in done.values.items() if value is not None and value.x != NOTHING}
    names = [name for name, entry in sorted(slot.entries.items()) if entry.sha512 is not None]
    files = tuple(
        (name, orders_path(name, slot.number)) for name in names if (name, slot.number) not in outcome.kept
    )
    return DiceInputs(done.words, given, files, record_id(encode(record)))


def _derived(
    folder: GameDir, game: Game, slot: int, phase: str, outcome: Outcome, gave: DiceInputs, pictures: bool
) -> tuple[str, str]:
    """Write what is made for people and can be made again: events, map, report, letters; return map and
    report.
    """
    folder.put(events_path(slot), events_data(outcome))
    drawn = pictures_of(game, slot, outcome) if pictures else []
    for picture in drawn:
        folder.put(picture.path, picture.data, lasting=False)
    text = report_of_slot(game, slot, phase, outcome, gave, drawn)
    folder.put(report_path(slot), text.encode(), lasting=False)
    _letters(folder, game, slot, phase, outcome, gave, text)
    return drawn[0].path if drawn else "", report_path(slot)


def _letters(
    folder: GameDir, game: Game, slot: int, phase: str, outcome: Outcome, gave: DiceInputs, whole: str
) -> None:
    """Write the letter to each outside seat: what it gave, its orders as they were used, and the report as
    far as it may know it.
    """
    for name in game.ledger.outside:
        report = whole
        if hides(game.ground.rules):
            report = report_text(game, slot, phase, outcome.events, outcome.state, "text", gave, seat=name)
        parts = [line] if (line := gave_line(gave, name)) else []
        file = content(game.archive, orders_path(name, slot))
        if file is not None:
            yaml = parse(file).yaml.decode("utf-8", "replace").rstrip("\n")
            parts += [common_words().phrase("report.your-orders"), yaml]
        letter = "\n\n".join([*parts, report]).encode()
        folder.put(f"outbox/report-s{slot:04d}-{name}.txt", letter, lasting=name == game.ledger.outside[-1])


def preview(env: Environment, where: Path, scratch: Path) -> Resolved:
    """Resolve the open slot into a scratch folder with dice that are thrown away: signs nothing, reveals
    nothing, changes nothing.
    """
    with writing(where) as game:
        if game.ledger.locked is not None:
            slot = game.ledger.locked
            number, announced, sheets, recorded = (
                slot.number,
                slot.announced,
                game.sheets_of(slot),
                slot.recorded,
            )
            state = game.state_after(slot.state_before_slot, slot.state_before)
        else:
            announced = game.announced()
            number, recorded, state = int(announced["slot"]), game.ledger.recorded, game.state
            sheets = sheets_for(game, standing(game).letters)
        dice = SeededDice(env.entropy(32))
        outcome = play(game.ground, game.ledger.seats, number, state, announced, sheets, recorded, dice)
        disk.make_folder(scratch)
        made = _derived(
            GameDir(scratch), game, number, str(announced["phase"]), outcome, DiceInputs({}, {}), True
        )
        return _resolved(scratch, number, outcome, made)


class Foreseen(Struct, frozen=True):
    """What a locked slot will come to with its own dice: the slot, the phase that it begins with, the
    outcome, what was given, and its pictures.
    """

    slot: int
    phase: str
    outcome: Outcome
    gave: DiceInputs
    pictures: tuple[SlotPicture, ...]


def foresee(env: Environment, where: Path, *, pictures: bool = True, fetch: Fetch | None = None) -> Foreseen:
    """Return what the locked slot of a game will come to, for the umpire's eyes: the dice are those that will
    be rolled, and nothing is signed, revealed or written.

    It tells nobody more than he could work out: all that goes into the dice lies with him.
    """
    with writing(where, env) as game:
        gate(env, game)
        slot = game.ledger.locked
        if slot is None:
            raise refuse("release.not-locked", answer=UNDECIDED, path=str(where))
        done = _worked_out(env, game, slot, None, fetch)
        drawn = pictures_of(game, slot.number, done.outcome) if pictures else []
        given = {name: one.x for name, one in done.values.items() if one is not None and one.x != NOTHING}
        phase = str(slot.announced["phase"])
        return Foreseen(slot.number, phase, done.outcome, DiceInputs(done.words, given), tuple(drawn))
