"""Verifying a game or an archive, two copies of one, and the reckoning of a single die."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pbem.proof.archive import short_digest
from pbem.proof.explain import explain_roll
from pbem.proof.ledger import read_ledger
from pbem.proof.verify import Verdict
from pbem.proof.verify import verify as verdict_over
from pbem.referee.draw import events_of
from pbem.referee.game import open_archive, open_game
from pbem.referee.refusal import UNDECIDED, refuse
from pbem.referee.replay import replay


def verify(where: Path, *, with_rules: bool = True) -> Verdict:
    """Return the verdict over a game folder or an archive, whatever is in it; the rules are replayed unless told otherwise."""
    archive, _ = open_archive(where)
    return verdict_over(archive, replay=replay if with_rules else None)


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two copies of a game: whether one history holds both, and where they part."""

    same: bool
    game: tuple[str, str]
    heads: tuple[str, str]
    shared: int
    lengths: tuple[int, int]


def compare(one: Path, other: Path) -> Comparison:
    """Return whether two copies tell one history: the shorter is the beginning of the longer."""
    ledgers = [read_ledger(open_archive(where)[0]) for where in (one, other)]
    ids = [[record.id for record in ledger.records] for ledger in ledgers]
    shared = 0
    for mine, theirs in zip(*ids, strict=False):
        if mine != theirs:
            break
        shared += 1
    heads = [short_digest(found[shared] if shared < len(found) else found[-1]) if found else "-" for found in ids]
    return Comparison(
        same=shared == min(len(ids[0]), len(ids[1])) and shared > 0,
        game=(ledgers[0].game, ledgers[1].game),
        heads=(heads[0], heads[1]),
        shared=shared,
        lengths=(len(ids[0]), len(ids[1])),
    )


@dataclass(frozen=True, slots=True)
class RollShown:
    """One roll with the arithmetic that makes it."""

    slot: int
    label: str
    sides: int
    values: tuple[int, ...]
    seed: str
    openssl: str
    rule: str
    lines: tuple[str, ...]


def roll(where: Path, slot: int, label: str) -> RollShown:
    """Return a roll of a game with its reckoning; Refused (cannot decide) where the slot or the roll is not there."""
    game = open_game(where)
    of = game.ledger.slots.get(slot)
    if of is None or of.seed is None:
        raise refuse("game.no-slot", answer=UNDECIDED, slot=slot, newest=game.ledger.state_slot)
    found = next((made for made in of.rolls if label in (made.label, made.label.partition("/")[2])), None)
    if found is None:
        some = ", ".join(made.label for made in of.rolls[:6]) or "none"
        raise refuse("roll.none", answer=UNDECIDED, label=label, slot=slot, help=f"rolled were {some}")
    shown = explain_roll(game.ledger, slot, found.label)
    commands = "\n".join(die.openssl for die in shown.dice)
    lines = [line for die in shown.dice for line in (die.openssl, *(f"  {line}" for line in die.lines[:-1]))]
    rule = next((str(event.get("rule", "")) for event in events_of(game, slot) if event.get("label") == found.label), "")
    return RollShown(slot, found.label, found.sides, found.values, of.seed.hex(), commands, rule, (*lines, *shown.origin))
