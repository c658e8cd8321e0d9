"""The round of the beacon that the dice of a slot wait for (R17): which it is, since when there can be one,
and where it comes from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from pbem.core.regex import regex
from pbem.proof.beacon import beacon_round, is_known, is_round, round_time
from pbem.proof.history import Slot
from pbem.referee.game.environment import Environment
from pbem.referee.game.game import Game
from pbem.referee.game.refusal import UNDECIDED, refuse
from pbem.referee.game.scenario import open_file
from pbem.text.codec import from_json

MOST = 4096
"""Bytes of an answer that are read; a round has about 350."""
_HEX = regex(r"[0-9a-fA-F]{96}")

Fetch = Callable[[str, int], Iterator[tuple[str, bytes | str]]]
"""From chain and round to what each relay answers, or why it does not."""


class Wanted(Struct, frozen=True):
    """The round that a lock fixes: its number, and when it comes out (``at``, as the ledger writes times)."""

    number: int
    at: str


def wanted_round(game: Game, slot: Slot) -> Wanted:
    """Return the round of a locked slot; Refused (cannot decide) where the beacon of the game is not one that
    pbem knows.
    """
    rule = game.ledger.manifest["beacon"]
    number = beacon_round(slot.locked_at, rule)
    at = round_time(number, rule)
    if not is_known(rule) or at is None:
        raise refuse("beacon.unknown", answer=UNDECIDED, net=str(rule["net"]))
    return Wanted(number, at)


def signed_round(game: Game, slot: Slot, now: str, fetch: Fetch | None, file: Path | None) -> dict[str, Any]:
    """Return ``beacon`` of a result: the round with a signature that holds, from a file or from the first
    relay that has it.

    Refused (cannot decide) before its time, and where nobody gives the right one: the slot waits.
    """
    rule = game.ledger.manifest["beacon"]
    wanted = wanted_round(game, slot)
    if file is not None:
        signature = read_round(open_file(file)[: MOST + 1], wanted.number)
        if signature is None or not is_round(rule, wanted.number, signature):
            raise refuse("beacon.file", file=str(file), round=wanted.number, net=str(rule["net"]))
        return {"round": wanted.number, "sig": signature}
    if now < wanted.at:
        raise refuse("beacon.early", answer=UNDECIDED, slot=slot.number, round=wanted.number, at=wanted.at)
    said = []
    for relay, answer in (fetch or _from_relays)(str(rule["chain"]), wanted.number):
        signature = None if isinstance(answer, str) else read_round(answer, wanted.number)
        if signature is not None and is_round(rule, wanted.number, signature):
            return {"round": wanted.number, "sig": signature}
        why = (
            answer
            if isinstance(answer, str)
            else "it does not answer this round"
            if signature is None
            else "its signature does not hold"
        )
        said.append(f"{relay}: {why}")
    help_ = "; ".join([*said, "try again later, or give the round with --beacon-file"])
    raise refuse("beacon.missing", answer=UNDECIDED, slot=slot.number, round=wanted.number, help=help_)


def _from_relays(chain: str, number: int) -> Iterator[tuple[str, bytes | str]]:
    from pbem.store.relays import answers  # it loads much of the library, which no other game needs

    return answers(chain, number)


def unsaid(game: Game, seen: Mapping[str, str]) -> tuple[str, str] | None:
    """Return the newest lock that a player saw before its round came out, with the time: what his next orders
    can say (``#seen``).

    ``seen`` has when each lock lay before him, by its id.
    """
    ledger = game.ledger
    for number in sorted(ledger.slots, reverse=True) if ledger.has_beacon else ():
        slot = ledger.slots[number]
        if slot.lock_id in seen and slot.result is not None and "beacon" in slot.result:
            return (
                (slot.lock_id, seen[slot.lock_id])
                if seen[slot.lock_id] < wanted_round(game, slot).at
                else None
            )
    return None


def note_seen(env: Environment, game: Game) -> Wanted:
    """Note that the lock of a slot lies before its reader now; Refused where no lock waits for a beacon.

    The first time counts.
    """
    slot = game.ledger.locked
    if slot is None or not game.ledger.has_beacon:
        raise refuse("beacon.no-lock")
    wanted = wanted_round(game, slot)
    now = env.clock()
    if now >= wanted.at:
        raise refuse("beacon.late", round=wanted.number, at=wanted.at)
    env.keyring.note_seen(game.id, slot.lock_id, now)
    return wanted


def read_round(data: bytes, number: int) -> str | None:
    """Return the signature that an answer of drand (or a file with only that signature) gives for a round, or
    None.
    """
    text = data[:MOST].decode("ascii", "replace").strip()
    if _HEX.fullmatch(text):
        return text.lower()
    try:
        found = from_json(text)
    except ValueError:
        return None
    if not isinstance(found, Mapping) or found.get("round") != number or isinstance(found.get("round"), bool):
        return None
    signature = found.get("signature")
    return signature.lower() if isinstance(signature, str) and _HEX.fullmatch(signature) else None
