"""Where a game stands, whose orders are missing, and which tables rest on a reconstruction."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from pbem.core.ruleset import Ruleset
from pbem.core.sequence import parse_cursor
from pbem.proof.rules import GO
from pbem.referee.game.game import Game
from pbem.referee.game.own_rules import own_rules_of
from pbem.referee.turn.go import missing_goes
from pbem.referee.turn.lock import standing


class Mails(Struct, frozen=True):
    """How many order files, answers and words for a lock a seat has sent since the setup, and in how many
    game turns.
    """

    seat: str
    letters: int
    turns: int

    @property
    def per_turn(self) -> str:
        """Return the letters of a game turn with two places, such as ``1.25``; rounded down."""
        hundredths = self.letters * 100 // self.turns if self.turns else 0
        return f"{hundredths // 100}.{hundredths % 100:02}"


class Status(Struct, frozen=True):
    """A game at a glance. ``waiting_for`` has each seat with ``orders``, ``go`` or ``answer``."""

    game: str
    ruleset: str
    turn: str
    phase: str
    slot: int
    waiting_for: tuple[tuple[str, str], ...]
    questions: tuple[Mapping[str, Any], ...]
    not_joined: tuple[str, ...]
    over: bool
    locked: bool
    drafts: tuple[str, ...]
    head: str
    mails: tuple[Mails, ...] = ()
    record: tuple[str, ...] = ()
    """What is kept beside the map, in sentences."""
    own_rules: tuple[str, ...] = ()
    """What of its rules and scenario is not as pbem comes with it, a line each."""


def reconstructed(rules: Ruleset[Any]) -> tuple[str, ...]:
    """Return the names of the tables of a ruleset whose numbers are a reconstruction."""
    return tuple(name for name, table in sorted(rules.tables.items()) if basis_of(table) == "reconstructed")


def basis_of(table: Any) -> str:
    """Return where the numbers of a table come from: ``complete``, ``derived`` or ``reconstructed``; empty if
    it does not say.
    """
    found = table.get("basis", "") if isinstance(table, Mapping) else getattr(table, "basis", "")
    return str(found)


def mails(game: Game) -> tuple[Mails, ...]:
    """Return what each seat has sent: every file that was locked, orders or answers, and every go; the setup
    is left out.
    """
    counts = dict.fromkeys(sorted(game.ledger.seats), 0)
    turns: set[tuple[int, int]] = set()
    for slot in game.ledger.slots.values():
        cursor = parse_cursor(slot.phase)
        if cursor.is_setup or slot.undone or slot.act:
            continue
        turns.add((cursor.day, cursor.turn))
        for name in counts:
            entry = slot.entries[name]
            counts[name] += (entry.sha512 is not None) + (entry.x == GO and slot.result is not None)
    return tuple(Mails(name, count, len(turns)) for name, count in counts.items())


def mails_said(now: Status) -> Iterator[str]:
    """Yield the letters of a game turn, in words; nothing before the first game turn."""
    if any(entry.turns for entry in now.mails):
        yield "mails a game turn: " + ", ".join(f"{entry.seat} {entry.per_turn}" for entry in now.mails)


def status(game: Game) -> Status:
    """Return where a game stands; a game nobody can write to (an archive) shows everybody
    who is announced.
    """
    return replace(_status(game), own_rules=own_rules_of(game))


def _status(game: Game) -> Status:
    ledger = game.ledger
    rules = game.ground.rules
    name = f"{rules.id} {rules.revision}"
    if not ledger.started:
        return Status(game.id, name, "", "", 0, (), (), game.not_joined, False, False, (), ledger.head_digest)

    cursor = rules.interface.cursor(game.state)
    turn = str(cursor).rpartition(".")[0]
    record = tuple(rules.interface.record(rules, game.state))
    if ledger.over or ledger.next is None:
        slot, head = ledger.newest_slot, ledger.head_digest
        return Status(game.id, name, turn, "", slot, (), (), (), True, False, (), head, mails(game), record)

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
    questions, head = tuple(game.questions), ledger.head_digest
    return Status(
        game.id,
        name,
        turn,
        phase,
        slot,
        waits,
        questions,
        (),
        False,
        locked,
        drafts,
        head,
        mails(game),
        record,
    )
