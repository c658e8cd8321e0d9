"""Mending a game: whatever was lost or damaged and follows from what is signed is made again; nothing that is
signed and right is touched.

First what the ledger rests on (``mending``), then, where it holds, the files that follow from it: logs,
states, events, pictures, reports, the result. What does not fit is set aside under a name that is told, never
deleted. At the end the game is verified as by anybody else.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct

from pbem.proof.archive import SIGNERS, Archive, content, events_path, rolls_path, state_path
from pbem.proof.history import Finding, Ledger, Slot
from pbem.proof.ledger import read_ledger
from pbem.proof.replaying import slot_to_replay
from pbem.proof.ruled import RULE
from pbem.proof.verify import Verdict
from pbem.referee.game import copies
from pbem.referee.game.bench import LINE_ENDS, MADE, Bench, Deed, said, sweep, unix
from pbem.referee.game.environment import Environment
from pbem.referee.game.game import Game, open_archive
from pbem.referee.game.opening import Overlay, unpublished
from pbem.referee.game.refusal import UNDECIDED, Refused, in_use, refuse
from pbem.referee.game.replay import Outcome, first_state, state_bytes
from pbem.referee.game.replaying import Replayer, seats_in
from pbem.referee.game.results import RESULTS, results_bytes
from pbem.referee.proving import held_letters, held_orders, mending
from pbem.referee.proving.held_orders import HeldOrders
from pbem.referee.proving.verify import verdict_of
from pbem.referee.turn.derived import events_data, log_data, maps_of, pictures_of, report_of_slot, report_path
from pbem.referee.turn.rekey import allowed
from pbem.referee.turn.report import gave_in
from pbem.store import aside, disk, zips
from pbem.store.gamedir import GameDir

_PNG: Final = b"\x89PNG\r\n\x1a\n"
_PNG_END: Final = b"IEND\xaeB`\x82"


class Mended(Struct, frozen=True):
    """What was done to a game (or would be), what could not be done and why, and how it verifies now."""

    game: str
    deeds: tuple[Deed, ...]
    left: tuple[str, ...]
    verdict: Verdict

    @property
    def needs_copy(self) -> bool:
        """Tell whether something is wrong that another copy of the game may put right."""
        return any(one.code in ("E00", "E01", "E02", "E08", "E14") for one in self.verdict.failures)

    @property
    def answer(self) -> int:
        """Return 0 where nothing is wrong with the game any more, 3 where something is missing, 1 where
        something does not hold.
        """
        if any(one.code != "E00" for one in self.verdict.failures):
            return 1
        return UNDECIDED if self.verdict.failures or self.left else 0


def mend(
    env: Environment, where: Path, *, dry_run: bool = False, out: Path | None = None, copy: Path | None = None
) -> Mended:
    """Mend a game in its folder; Refused (cannot decide) while another program works in it. ``dry_run``
    changes nothing.

    Of an archive in one file nothing that is signed is made anew; the mended one is written to ``out`` where
    anything was to be done.
    ``copy`` is another copy of the game, or letters that archives of it came with, from which is taken what
    is missing here or does not hold, and orders that were accepted; Refused where that one does not hold
    itself, or tells another story.
    """
    held: Sequence[HeldOrders] = ()
    if copy is not None and held_letters.are_letters(copy):
        held = held_letters.orders_in(copy)
    other = None if copy is None else _copy(where, copy, needed=not (held and where.exists()))
    if other is not None and not dry_run and not where.exists() and where.suffix != ".zip":
        disk.make_folder(where)  # all of it is lost, and comes back from the other copy
    if where.is_dir():
        return _mend_folder(env, where, other, held, dry_run=dry_run)
    archive, _ = open_archive(where)
    if out is None and not dry_run:
        raise refuse("mend.out", file=str(where), help=f"pbem mend {where} -o {where.stem}-mended.zip")
    bench = Bench(archive)
    _mend(env, where, bench, other)
    if bench.deeds and not dry_run:
        assert out is not None
        disk.replace(
            out, zips.write_zip({path: data for path in bench if (data := content(bench, path)) is not None})
        )
        archive, _ = open_archive(out)
        return _mended(env, bench, list(bench.deeds.values()), archive)
    return _mended(env, bench, list(bench.deeds.values()), bench)


def _copy(where: Path, copy: Path, *, needed: bool) -> Archive | None:
    """Return the other copy; of letters the archive that knows most of the game that lies here, or None where
    none came with them and none is ``needed``.
    """
    if not held_letters.are_letters(copy):
        return copies.sound(copy)
    mine = read_ledger(open_archive(where)[0]).game if where.exists() else ""
    return held_letters.newest_in(copy, mine, needed=needed)


def _mend_folder(
    env: Environment, where: Path, other: Archive | None, held: Sequence[HeldOrders], *, dry_run: bool
) -> Mended:
    folder = GameDir(where)
    if other is None and not (where / "ledger").is_dir():
        raise refuse("game.none", answer=UNDECIDED, file=str(where), path=str(where))
    try:
        with disk.exclusive(where):
            bench = Bench(folder, where)
            _mend(env, where, bench, other, held)
            done = list(bench.deeds.values()) if dry_run else bench.carry_out()
            done += sweep(folder, dry_run=dry_run)
            return _mended(env, bench, done, bench if dry_run else folder)
    except disk.Busy as busy:
        raise in_use(busy, where) from None


def _mended(env: Environment, bench: Bench, done: list[Deed], now: Archive) -> Mended:
    verdict = verdict_of(now, env.engine())
    return Mended(verdict.game, tuple(done), tuple(bench.left), verdict)


def _mend(
    env: Environment, where: Path, bench: Bench, other: Archive | None, held: Sequence[HeldOrders] = ()
) -> None:
    mending.line_ends(bench)
    if other is not None:
        copies.take(bench, other)
    if held:
        held_orders.take(bench, read_ledger(bench), held)
    if bench.root is not None:
        mending.strangers(bench)
        mending.letters(bench, read_ledger(bench))
    mending.named_files(bench, read_ledger(bench))
    if bench.root is not None:
        mending.named_files(bench, mending.records(env, bench))
    ledger = read_ledger(bench)
    if ledger.started and not [one for one in ledger.findings if not _follows(ledger, one)]:
        _derived(where, bench)
    if bench.folder is not None:
        for path in list(bench.deeds):
            if link := aside.in_a_link(bench.folder, path):
                bench.take_back(path)
                bench.left.append(said("link", path=path, link=link))


def _follows(ledger: Ledger, finding: Finding) -> bool:
    """Tell whether a finding is about a file that follows from others, or comes of one that is lost."""
    top = finding.where.partition("/")[0]
    if top in ("rolls", "state"):
        return finding.code in ("E00", "E08", "E14")
    return finding.code == "E18" and any(
        not slot.log_holds for slot in ledger.slots.values() if slot.result is not None
    )


# --- what follows from the ledger


def _derived(where: Path, bench: Bench) -> None:
    """Make again what follows from the signed records: slot by slot, for a roll that was lost is needed for
    those after it.
    """
    game = _game(where, bench)
    try:
        ground = game.ground
    except Refused:
        bench.left.append(said("no-rules"))
        return
    signers = content(bench, SIGNERS)
    if signers is None or b"\r\n" in signers:
        _derived_file(bench, SIGNERS, allowed(game).encode())
    first = state_bytes(ground, first_state(ground, game.sides))
    _state(bench, 0, first, str(game.ledger.records[1].record["state"]))
    again = Replayer(ground, seats_in(game.ledger.manifest), first)
    for number in sorted(number for number, slot in game.ledger.slots.items() if slot.result is not None):
        if not _logs_hold(game.ledger, number):
            game = _game(where, bench)
        _slot(bench, game, game.ledger.slots[number], again)
    ended = game.ledger.ended
    if ended is not None and content(bench, state_path(game.ledger.state_slot)) is not None:
        game = _game(where, bench)
        _derived_file(bench, RESULTS, results_bytes(game, game.state, ended.record))
    if not game.ledger.over and RESULTS in bench:  # of an end that was taken back
        game = _game(where, bench)
        _derived_file(bench, RESULTS, results_bytes(game, game.state, game.ledger.records[-1].record))


def _logs_hold(ledger: Ledger, before: int) -> bool:
    return all(
        slot.log_holds for number, slot in ledger.slots.items() if number < before and slot.result is not None
    )


def _game(where: Path, bench: Bench) -> Game:
    ledger = read_ledger(bench)
    hidden = {} if bench.folder is None else unpublished(bench.folder, ledger)
    archive = Overlay(bench, {path: data for path, data in hidden.items() if path not in bench})
    return Game(where, archive, bench.folder, read_ledger(archive))


def _slot(bench: Bench, game: Game, slot: Slot, again: Replayer) -> None:
    """Make again what is missing or does not fit of one slot."""
    known = slot_to_replay(game.ledger, slot)
    made = again.slot(known) if known is not None else None
    assert slot.result is not None
    number = slot.number
    if (
        not isinstance(made, Outcome)
        or made.state_id != slot.result["state"]
        or (slot.act != RULE and _sha256(log_data(made)) != slot.result["rolls"])
    ):
        lost = [
            path
            for path in (rolls_path(number), state_path(number), events_path(number), report_path(number))
            if path not in bench
        ]
        if lost:
            why = (
                "not-played"
                if made is None
                else "elsewhere"
                if isinstance(made, Outcome) or made.code != "E00"
                else "no-state"
            )
            bench.left.append(said(why, slot=number, files=lost))
        return

    if not slot.log_holds:
        bench.lay(MADE, rolls_path(number), log_data(made), said("from-ledger"))
    _state(bench, number, made.state_data, made.state_id)
    _derived_file(bench, events_path(number), events_data(made))
    _for_people(bench, game, slot, made)
    if made.following is None and not slot.undone:
        _derived_file(bench, RESULTS, results_bytes(game, made.state, slot.result))


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _state(bench: Bench, number: int, made: bytes, sha256: str) -> None:
    path = state_path(number)
    data = content(bench, path)
    if _sha256(made) == sha256 and (data is None or _sha256(data) != sha256):
        bench.lay(MADE, path, made, said("from-ledger"))


def _derived_file(bench: Bench, path: str, made: bytes) -> None:
    """Make a file again that nobody signs: where it is missing, or says something else and no signed list
    says that it has to.
    """
    data = content(bench, path)
    if data == made or (data is not None and _is_listed(bench, path, data)):
        return
    if data is not None and unix(data) == made:
        bench.lay(LINE_ENDS, path, made, said("line-ends"))
    else:
        bench.lay(MADE, path, made, said("from-ledger"))


def _is_listed(bench: Bench, path: str, data: bytes) -> bool:
    return bench.listed is not None and bench.listed.get(path) == _sha256(data)


def _for_people(bench: Bench, game: Game, slot: Slot, made: Outcome) -> None:
    """Make the report and the pictures of a slot again where they are missing or cut short; another wording
    is left as it was sent.
    """
    number = slot.number
    report = content(bench, report_path(number)) or b""
    there = sorted(path for path in bench if path.startswith((f"{maps_of(number)}.", f"{maps_of(number)}-")))
    named = f"{maps_of(number)}.png" in report.decode("utf-8", "replace")
    wanted = bool(there) or named or (not report and _others_drawn(bench, game, number))
    whole = f"{maps_of(number)}.png" in bench and all(_is_whole(bench, path) for path in there)
    if report.endswith(b"\n") and (whole or not wanted):
        return
    drawn = pictures_of(game, number, made) if wanted else []
    for picture in drawn:
        if not _is_whole(bench, picture.path):
            bench.lay(MADE, picture.path, picture.data, said("from-ledger"))
    text = report_of_slot(game, number, slot.phase, made, gave_in(game, number), drawn).encode()
    if not report.endswith(b"\n"):
        bench.lay(MADE, report_path(number), text, said("from-ledger"))


def _others_drawn(bench: Bench, game: Game, number: int) -> bool:
    """Tell whether every other slot has its map: then this one had it too."""
    others = [
        other for other, slot in game.ledger.slots.items() if slot.result is not None and other != number
    ]
    return bool(others) and all(f"{maps_of(other)}.png" in bench for other in others)


def _is_whole(bench: Bench, path: str) -> bool:
    data = content(bench, path)
    return data is not None and (
        not path.endswith(".png") or (data.startswith(_PNG) and data.endswith(_PNG_END))
    )
