"""The slots of a game played again, with the state between any two events: it stands nowhere else.

Rules, order files and dice of the archive lead from each slot to the next, and what comes out has to be what
the ledger says. What is shown of it, and to whom, is ``moments``.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from msgspec import Struct

from pbem.core.dice import Dice, NoDice
from pbem.core.ruleset import PlayedPhase, SlotResult
from pbem.proof.archive import content, orders_path
from pbem.proof.dice_protocol import SeededDice
from pbem.proof.engines import engine_at, engine_of, played
from pbem.proof.history import Slot
from pbem.proof.replaying import SlotToReplay, in_force, slot_to_replay
from pbem.proof.ruled import RULE
from pbem.referee.explain.draw import game_started
from pbem.referee.game.game import Game, mending
from pbem.referee.game.programs import ask_those
from pbem.referee.game.refusal import UNDECIDED, Refused, refuse
from pbem.referee.game.replay import Sheet, enveloped, read_sheet, result_of, state_bytes
from pbem.store.library import engine

Event = Mapping[str, Any]
Watch = Callable[[int], None]
"""Called with the number of each slot when it was played."""


class Happened(Struct, frozen=True):
    """An event of a slot, plain, and the states before and after it."""

    event: Event
    before: Any
    after: Any


class Played(Struct, frozen=True):
    """A slot that was played again; what an earlier slot told before it stopped with a
    question is left out.
    """

    number: int
    before: Any
    happened: tuple[Happened, ...]


def slots_of(game: Game) -> list[int]:
    """Return the slots of the line of play that have a result; Refused (cannot decide) where nothing has been
    played.
    """
    game_started(game)
    slots = [
        number
        for number, slot in sorted(game.ledger.slots.items())
        if slot.result is not None and not slot.undone
    ]
    if not slots:
        raise refuse("report.nothing", answer=UNDECIDED)
    return slots


class _Again:
    """Plays the slots of a game again, each on the state that the one before it led to."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.sheets: dict[tuple[str, int], Sheet] = {}
        self.known: dict[str, Any] = {}
        self.stopped: PlayedPhase[Any] | None = None
        """The phase that stopped with a question in the slot before."""

    def slot(self, number: int) -> Played:
        """Play a slot again; Refused (cannot decide) where something for it is missing, or the rules lead
        elsewhere.
        """
        game, slot = self.game, self.game.ledger.slots[number]
        try:
            again = self._needed(slot)
            before = self._state(slot)
            if slot.act == RULE:
                return self._ruled(slot, before)
            for file in again.files:
                if file.slot >= again.first:
                    self.sheets[file.seat, number] = read_sheet(
                        game.ground, before, file.seat, number, file.data
                    )
            in_force_ = [self._sheet(file.seat, file.slot) for file in again.files]
            dice: Dice = SeededDice(again.seed) if again.dice_allowed else NoDice()
            result = result_of(
                game.ground, number, before, again.announced, in_force_, again.recorded, dice, again.first
            )
            data = state_bytes(game.ground, result.state)
        except (Refused, MemoryError):
            raise
        # An archive may hold anything; what the rules stumble over cannot be shown: no crash.
        except Exception:
            raise self._other(number) from None
        sha256 = hashlib.sha256(data).hexdigest()
        if sha256 != again.result["state"] or result.rolls != again.rolls:
            raise self._other(number)
        self.known[sha256] = result.state
        return Played(number, before, tuple(self._happened(before, result)))

    def _other(self, number: int) -> Refused:
        """Return the refusal of a slot that comes out otherwise; with what to install, where another program
        played it.
        """
        spans, now = played(self.game.ledger), engine_of(engine())
        known = engine_at(spans, number).sha256 == now.sha256
        return refuse(
            "replay.other",
            answer=UNDECIDED,
            slot=number,
            help="" if known else next(ask_those(spans, now, [number])),
        )

    def _needed(self, slot: Slot) -> SlotToReplay:
        found = slot_to_replay(self.game.ledger, slot)
        if found is None:
            paths = [orders_path(seat, number) for seat, number in in_force(self.game.ledger, slot)]
            lost = next(path for path in paths if content(self.game.archive, path) is None)
            raise refuse("game.no-file", answer=UNDECIDED, path=lost, help=mending(self.game.where))
        return found

    def _ruled(self, slot: Slot, before: Any) -> Played:
        """Return a ruling: nothing happens in it, and the state is another after it."""
        assert slot.result is not None
        sha256 = str(slot.result["state"])
        self.known[sha256] = self.game.state_after(slot.number, sha256)
        self.stopped = None
        return Played(slot.number, before, ())

    def _state(self, slot: Slot) -> Any:
        if slot.corrects and (slot.result or {}).get("patch"):
            return self.game.state_before(slot)
        known = self.known.get(slot.state_before)
        return self.game.state_after(slot.state_before_slot, slot.state_before) if known is None else known

    def _sheet(self, seat: str, slot: int) -> Sheet:
        if (seat, slot) not in self.sheets:
            self.sheets[seat, slot] = self.game.sheet(seat, slot)
        return self.sheets[seat, slot]

    def _happened(self, before: Any, result: SlotResult[Any]) -> Iterator[Happened]:
        """Yield the events of a slot; a phase that goes on after a question is told from there on."""
        rules, state = self.game.ground.rules, before
        first, told = next(iter(result.played), None), 0
        if self.stopped is not None and first is not None and first.cursor == self.stopped.cursor:
            for one, other in zip(first.result.events, self.stopped.result.events, strict=False):
                if one != other:
                    break
                told += 1
        start = next(
            (
                i
                for i, event in enumerate(result.events)
                if first is not None and told and event is first.result.events[0]
            ),
            0,
        )
        for i, (event, plain) in enumerate(
            zip(result.events, enveloped(self.game.ground, before, result.events), strict=True)
        ):
            after = rules.interface.apply(state, event)
            if not start <= i < start + told:
                yield Happened(plain, state, after)
            state = after
        self.stopped = result.played[-1] if result.question is not None else None


def played_again(game: Game, last: int, watch: Watch | None = None) -> Iterator[Played]:
    """Yield every slot of the line of play up to one of them, played again."""
    again = _Again(game)
    for number in slots_of(game):
        if number > last:
            return
        yield again.slot(number)
        if watch is not None:
            watch(number)
