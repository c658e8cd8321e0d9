"""Verifying a game or an archive, two copies of one, a player's own letters, and the reckoning of a single
die.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from pbem.proof.archive import Archive, content, events_path
from pbem.proof.carried import strange_verifiers
from pbem.proof.comparing import Comparison
from pbem.proof.comparing import compare as comparison
from pbem.proof.engines import engine_of
from pbem.proof.explain import explain_roll
from pbem.proof.ledger import read_ledger
from pbem.proof.own_mail import FINE, MISSING, WAITS, Found, look_up, plain_orders, read_letters
from pbem.proof.verify import Verdict
from pbem.proof.verify import verify as verdict_over
from pbem.referee.game.differing import read_events
from pbem.referee.game.game import open_archive, open_game
from pbem.referee.game.own_rules import own_rules_in
from pbem.referee.game.refusal import NO, UNDECIDED, refuse
from pbem.referee.game.replaying import replay
from pbem.store.gamedir import plain_files
from pbem.store.given import known_verifiers
from pbem.store.library import engine as this_engine


def verify(where: Path, *, with_rules: bool = True, engine: Mapping[str, str] | None = None) -> Verdict:
    """Return the verdict over a game folder or an archive, whatever is in it; the rules are replayed unless
    told otherwise.

    ``engine`` is the program that replays: this one, unless it is called otherwise (``Environment.engine``).
    """
    archive, _ = open_archive(where)
    verdict = verdict_of(archive, engine) if with_rules else verdict_over(archive, replay=None)
    return replace(verdict, warnings=(*verdict.warnings, *strange_verifiers(archive, known_verifiers())))


def verdict_of(archive: Archive, engine: Mapping[str, str] | None = None) -> Verdict:
    """Return the verdict over an archive, with the rules replayed by the program that is ``engine``."""
    return verdict_over(
        archive, replay=partial(replay, engine=engine_of(this_engine() if engine is None else engine))
    )


def own_rules(where: Path, verdict: Verdict) -> tuple[str, ...]:
    """Return what of a verified game's rules and scenario is not as pbem comes with it, a line each."""
    return own_rules_in(verdict.manifest, open_archive(where)[0])


def compare(one: Path, other: Path) -> Comparison:
    """Return what two copies of a game show of each other: one history, a fork, or neither."""
    ledgers = [read_ledger(open_archive(where)[0]) for where in (one, other)]
    return comparison(ledgers[0], ledgers[1])


class Mine(Struct, frozen=True):
    """What became of a player's letters; ``broken`` is the first thing in the ledger itself that does not
    hold.
    """

    game: str
    head: str
    found: tuple[Found, ...]
    others: tuple[str, ...]
    broken: str

    @property
    def answer(self) -> int:
        """Return 1 where a file is missing that has to be there, 3 where nothing of this game was found, else
        0.
        """
        if self.broken or any(one.answer == MISSING for one in self.found):
            return NO
        return 0 if any(one.answer in (FINE, WAITS) for one in self.found) else UNDECIDED


def mine(where: Path, outbox: Path) -> Mine:
    """Return what became of each letter in a player's folder: his files, goes, consents and joins, and
    receipts he got.
    """
    if not outbox.is_dir():
        raise refuse("game.missing", answer=UNDECIDED, file=str(outbox), path=str(outbox))
    ledger = read_ledger(open_archive(where)[0])
    if not ledger.gm_keys:
        raise refuse("game.none", answer=UNDECIDED, file=str(where), path=str(where))
    files = plain_files(outbox)
    letters, others = read_letters(files)
    keyless = [name for name in ledger.outside if ledger.seats[name].key_line is None]
    plain = [
        found for path in others if (found := plain_orders(ledger, path, files[path], keyless)) is not None
    ]
    others = tuple(path for path in others if path not in {one.path for one in plain})
    broken = next(
        (f"{one.code} {one.where}: {one.message}" for one in ledger.findings if one.code != "E00"), ""
    )
    return Mine(ledger.game, ledger.head_digest, (*look_up(ledger, letters), *plain), others, broken)


class RollShown(Struct, frozen=True):
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
    """Return a roll of a game with its reckoning; Refused (cannot decide) where the slot or the roll is not
    there.
    """
    game = open_game(where, anew=True)
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
    events = read_events(content(game.archive, events_path(slot))) or ()
    rule = next((str(event.get("rule", "")) for event in events if event.get("label") == found.label), "")
    return RollShown(
        slot, found.label, found.sides, found.values, of.seed.hex(), commands, rule, (*lines, *shown.origin)
    )
