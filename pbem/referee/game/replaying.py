"""A whole archive played again, for ``verify``: each slot on the state that those before it led to, and what
comes out otherwise.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from typing import Any

from pbem.core.dice import Dice, NoDice, NoDiceError
from pbem.proof.archive import events_path, rolls_path
from pbem.proof.dice_protocol import SeededDice
from pbem.proof.engines import Engine, engine_at
from pbem.proof.history import Finding
from pbem.proof.replaying import OPEN, GameToReplay, SlotToReplay
from pbem.proof.ruled import CORRECT, RULE
from pbem.proof.rules import Seat
from pbem.referee.game.differing import bare, called, other_event, other_state, stop, told_long, told_short
from pbem.referee.game.programs import all_played, ask_those, how_to_get
from pbem.referee.game.replay import (
    Faults,
    Ground,
    Outcome,
    Sheet,
    first_state,
    lay_ground,
    opening,
    patched_state,
    play,
    read_sheet,
    read_state,
    ruled,
    state_bytes,
)
from pbem.store.library import common_words


def replay(game: GameToReplay, *, engine: Engine) -> Iterator[Finding]:
    """Yield what comes out differently when the rules are played again, by the first thing of each slot.

    E28 where ``engine``, which plays here, is the one that played; else OPEN, for rules may have changed
    since; or a warning, where the slot was corrected later and so no longer counts. E00: what is missing.
    """
    otherwise: list[int] = []
    corrected = {int(slot.result["corrects"]): slot.number for slot in game.slots if slot.act == CORRECT}
    for number, finding in _findings(game, engine):
        played_by = engine_at(game.engines, number)
        if finding.code == "E28" and played_by.sha256 != engine.sha256:
            if number in corrected:
                said = common_words().phrase(
                    "engine.corrected", slot=number, engine=str(played_by), later=corrected[number]
                )
                yield Finding("W", finding.where, said)
            else:
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
                common_words().phrase(
                    "differs.start-next", rules=stop(first), game=stop(game.start.get("next"))
                ),
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
    ground, words = lay_ground(game.manifest["ruleset"], game.files), common_words()
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
    slot = called(number) if number else common_words().phrase("engine.start")
    return Finding(
        "E28",
        where,
        common_words().phrase("differs.fault", slot=slot),
        f"{type(fault).__name__}: {fault!s:.200}",
    )


def _faults(faults: Faults) -> Iterator[str]:
    for problem in faults.choices:
        yield common_words().problem(problem.code, problem.args)
    for source, problems in faults.of:
        yield from (
            f"{source.name}: {common_words().problem(problem.code, problem.args)}" for problem in problems[:3]
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
        if slot.act == RULE:
            ruling = ruled(
                self._ground, self._seats, slot.number, before, slot.result["patch"], _kept_before(slot)
            )
            self._states[ruling.state_id] = ruling.state_data
            return ruling
        patch = slot.result.get("patch")
        state = patched_state(self._ground, before, patch) if patch else read_state(self._ground, before)
        for file in slot.files:
            if file.slot >= slot.first:
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
                self._ground,
                self._seats,
                slot.number,
                state,
                slot.announced,
                in_force,
                slot.recorded,
                dice,
                slot.first,
            )
        except NoDiceError as wanted:
            said = common_words().phrase("differs.die", slot=called(slot.number), label=wanted.label)
            return Finding("E28", slot.result_path, said)
        self._states[made.state_id] = made.state_data
        return made


def _kept_before(slot: SlotToReplay) -> list[tuple[str, int]]:
    """Return the files in force before a slot; it has no file of its own."""
    return [(file.seat, file.slot) for file in slot.files]


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
