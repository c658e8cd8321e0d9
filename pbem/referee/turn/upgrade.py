"""A game that meets another program than the one that played so far: does it still come out the same?

The newest slots are played again. Where they come out otherwise, slots that this program plays can be
verified by no program together with those before: whoever goes on has to know it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from pbem.core.problem import Problem
from pbem.proof.engines import Engine, engine_of, newest
from pbem.proof.replaying import in_force, slot_to_replay
from pbem.referee.game.environment import Environment
from pbem.referee.game.game import Game
from pbem.referee.game.programs import which
from pbem.referee.game.refusal import Refused
from pbem.referee.game.replay import Outcome, first_state, state_bytes
from pbem.referee.game.replaying import Replayer, seats_in
from pbem.referee.turn.derived import log_data
from pbem.store.library import common_words

LOOKED_AT: Final = 3
"""So many of the newest slots are played again."""


class Upgrade(Struct, frozen=True):
    """Another program than the one that played so far; ``other`` are those of the newest slots that it plays
    otherwise (0: the start).
    """

    game: str
    before: Engine
    now: Engine
    other: tuple[int, ...]


def upgrade(env: Environment, game: Game) -> Upgrade | None:
    """Return what is different with this program, in a game that goes on; None where it is the program that
    played so far.
    """
    ledger = game.ledger
    if not ledger.started or ledger.over:
        return None
    before, now = newest(ledger), engine_of(env.engine())
    return None if before == now else Upgrade(ledger.game, before, now, tuple(_other(game)))


def _other(game: Game) -> Iterator[int]:
    ledger = game.ledger
    done = [
        number for number, slot in sorted(ledger.slots.items()) if slot.result is not None and not slot.undone
    ]
    looked_at = done[-LOOKED_AT:]
    try:
        first = state_bytes(game.ground, first_state(game.ground, game.sides))
        if hashlib.sha256(first).hexdigest() != ledger.records[1].record["state"]:
            yield 0
        again = Replayer(game.ground, seats_in(ledger.manifest), first)
    except (ValueError, LookupError, TypeError, AttributeError, ArithmeticError):
        yield 0
        return
    # A file that stays in force is read under the state of the slot that locked it.
    begin = min(
        (slot for number in looked_at for _, slot in in_force(ledger, ledger.slots[number])), default=0
    )
    for number in [number for number in done if number >= begin]:
        if not _comes_out(game, number, again) and number in looked_at:
            yield number


def _comes_out(game: Game, number: int, again: Replayer) -> bool:
    """Tell whether a slot comes out as the ledger says; True where something for it is not here."""
    slot = game.ledger.slots[number]
    known = slot_to_replay(game.ledger, slot)
    if known is None:
        return True
    try:
        made = again.slot(known)
    # Rules that another program had may lead these into anything; whatever it is, the slot does not come out.
    except Exception:
        return False
    if not isinstance(made, Outcome):
        return made.code == "E00"
    assert slot.result is not None
    return (made.state_id, hashlib.sha256(log_data(made)).hexdigest()) == (
        slot.result["state"],
        slot.result.get("rolls", hashlib.sha256(b"").hexdigest()),
    )


def gate(env: Environment, game: Game) -> None:
    """Refuse to play on with a program that plays otherwise, unless the umpire insists; tell of one that
    comes out the same.
    """
    found = upgrade(env, game)
    if found is not None and found.other and not env.insists:
        raise Refused([_problem(found)])
    if found is not None:
        env.tell(replace(_problem(found), help=""))


def _problem(found: Upgrade) -> Problem:
    now, before = str(found.now), str(found.before)
    if not found.other:
        return Problem("doubt.engine.same", {"game": found.game, "now": now, "before": before})
    help_ = common_words().phrase("engine.ways", before=before)
    return Problem(
        "engine.other",
        {"game": found.game, "now": now, "before": before, "slots": which(found.other)},
        help=help_,
    )


def met(found: Upgrade) -> str:
    """Return what is different with this program, in words, with what to do."""
    problem = _problem(found)
    said = common_words().problem(problem.code, problem.args)
    return f"{said}; {problem.help}" if problem.help else said
