"""Taking slots back (R15): to the state before one of them, with the consent of every outside seat that has a
key.

What was rolled stays in the archive and in the row of seeds; slot numbers, values and words never come back.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from msgspec import Struct

from pbem.proof.amending import NOT_DECIDED
from pbem.proof.archive import orders_path
from pbem.proof.history import Slot
from pbem.proof.records import undo as undo_record
from pbem.referee.game.environment import Environment
from pbem.referee.game.game import Game, again, own_folder, writing
from pbem.referee.game.refusal import refuse
from pbem.referee.game.results import RESULTS, results_bytes
from pbem.referee.game.sealing import gm_key, publish, seal, with_engine
from pbem.referee.turn.consent import collected, seats_with_keys
from pbem.referee.turn.go import missing_goes
from pbem.store.gamedir import GameDir

NO_REASON: Final = "taken back"
"""What the ledger says where nobody gave a reason."""


class Undone(Struct, frozen=True):
    """What was taken back: the first slot of it, the slot that is open now and its phase,
    and who consented.
    """

    to: int
    slot: int
    phase: str
    waits: tuple[str, ...]
    consents: tuple[str, ...]


def undo(env: Environment, where: Path, to: int, why: str = "") -> Undone:
    """Take back every slot from ``to`` on; Refused where it is not there, cannot be taken back yet, or a
    consent is missing.
    """
    with writing(where, env, anew=True) as game:
        ledger = game.ledger
        slot = undoable(game, to)
        consents = collected(game, {"to": to}, seats_with_keys(game))
        following = {key: value for key, value in slot.announced.items() if key not in NOT_DECIDED}
        following = with_engine(env, game, {**following, "slot": ledger.newest_slot + 1})
        record = undo_record(
            game=game.id,
            n=ledger.next_n,
            prev=ledger.head,
            at=env.clock(),
            slot=ledger.newest_slot,
            to=to,
            state=slot.state_before,
            consents=consents,
            why=why or NO_REASON,
            kept=slot.kept_before,
            following=following,
        )
        private, folder = gm_key(env, game), own_folder(game)
        _publish(folder, game, slot)
        seal(folder, private, record)
        if RESULTS in folder:
            after = again(game)
            folder.put(RESULTS, results_bytes(after, after.state, record))
        return Undone(to, following["slot"], slot.phase, slot.waits, tuple(sorted(consents)))


def undoable(game: Game, to: int) -> Slot:
    """Return the slot from which on can be taken back; Refused where it is not there, or there are dice that
    nobody has seen.
    """
    ledger = game.ledger
    slot = ledger.slots.get(to)
    if slot is None or slot.undone:
        can = [number for number, known in sorted(ledger.slots.items()) if not known.undone]
        help_ = f"slots {can[0]} to {can[-1]} can be taken back" if can else "nothing has been locked yet"
        raise refuse("undo.no-slot", slot=to, help=help_)
    # A slot that waits for a beacon has no dice yet, and may wait for ever.
    if ledger.locked is not None and not missing_goes(game) and not ledger.has_beacon:
        raise refuse("undo.resolve-first", slot=ledger.locked.number, help="pbem resolve GAME")
    return slot


def _publish(folder: GameDir, game: Game, first: Slot) -> None:
    """Put the files of slots with a result, which no longer stay in force, where everybody sees them (R7)."""
    for number, slot in game.ledger.slots.items():
        if slot.result is None:
            continue
        for seat, entry in slot.entries.items():
            kept = entry.sha512 is None or (seat, number) in first.kept_before
            if not kept and orders_path(seat, number) not in folder:
                publish(folder, game, seat, number)
