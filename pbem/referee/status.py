"""Where a game stands, whose orders are missing, and which tables rest on a reconstruction."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pbem.core.ruleset import Ruleset
from pbem.referee.game import Game
from pbem.referee.go import missing_goes
from pbem.referee.lock import standing


@dataclass(frozen=True, slots=True)
class Status:
    """A game at a glance. ``waiting_for`` has each seat with ``orders``, ``go`` or ``answer``."""

    game: str
    ruleset: str
    turn: str
    phase: str
    slot: int
    waiting_for: tuple[tuple[str, str], ...]
    questions: tuple[Mapping[str, Any], ...]
    reconstructed_tables: tuple[str, ...]
    not_joined: tuple[str, ...]
    over: bool
    locked: bool
    drafts: tuple[str, ...]
    head: str


def reconstructed(rules: Ruleset[Any]) -> tuple[str, ...]:
    """Return the names of the tables of a ruleset whose numbers are a reconstruction."""
    return tuple(name for name, table in sorted(rules.tables.items()) if basis_of(table) == "reconstructed")


def basis_of(table: Any) -> str:
    """Return where the numbers of a table come from: ``complete``, ``derived`` or ``reconstructed``; empty if it does not say."""
    found = table.get("basis", "") if isinstance(table, Mapping) else getattr(table, "basis", "")
    return str(found)


def status(game: Game) -> Status:
    """Return where a game stands; a game nobody can write to (an archive) shows everybody who is announced."""
    ledger = game.ledger
    rules = game.ground.rules
    name = f"{rules.id} {rules.revision}"
    tables = reconstructed(rules)
    if not ledger.started:
        return Status(game.id, name, "", "", 0, (), (), tables, game.not_joined, False, False, (), ledger.head_digest)
    cursor = rules.doors.cursor(game.state)
    turn = str(cursor).rpartition(".")[0]
    if ledger.over or ledger.next is None:
        return Status(game.id, name, turn, "", ledger.newest_slot, (), (), tables, (), True, False, (), ledger.head_digest)
    slot = int(ledger.next["slot"])
    phase = str(ledger.next["phase"])
    drafts: tuple[str, ...] = ()
    if ledger.locked is not None:
        waits = tuple((seat, "go") for seat in missing_goes(game))
    else:
        kind = "answer" if game.questions else "orders"
        missing = tuple(ledger.next["waits"])
        if game.folder is not None:
            now = standing(game)
            missing, drafts = tuple(sorted({*now.missing, *now.drafts})), now.drafts
        waits = tuple((str(seat), kind) for seat in missing)
    locked = ledger.locked is not None
    return Status(game.id, name, turn, phase, slot, waits, tuple(game.questions), tables, (), False, locked, drafts, ledger.head_digest)
