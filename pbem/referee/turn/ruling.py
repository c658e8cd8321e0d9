"""Rulings and corrections (R21, R22, R23): the state changed by hand, and the newest turn played again with
the dice that it had.

Either takes the slot that is open, so that nothing that was sent for it, values too, goes into anything.
Every outside seat with a key consents to just that; for seats without one it stands on the umpire's word.
What it would come to is worked out whole before anything is written, as the ledger will have it.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TypeVar

from msgspec import Struct

from pbem.core.dice import Dice, NoDice, NoDiceError
from pbem.core.problem import Problem
from pbem.proof import engines
from pbem.proof.archive import (
    Archive,
    content,
    events_path,
    gm_namespace,
    ledger_path,
    orders_path,
    rolls_path,
    sig_path,
    state_path,
)
from pbem.proof.canonical import decode, encode
from pbem.proof.dice_protocol import SeededDice
from pbem.proof.history import Ledger, Slot
from pbem.proof.inside import is_record
from pbem.proof.ledger import read_ledger
from pbem.proof.orderfile import write
from pbem.proof.patching import BadPatch, Patch
from pbem.proof.replaying import in_force
from pbem.proof.ruled import NOT_CONSENTED_TO, RULE, act_of
from pbem.proof.ruled import correct as correct_record
from pbem.proof.ruled import rule as rule_record
from pbem.proof.ruling import may_roll
from pbem.proof.signing import sign
from pbem.referee.explain.draw import drawn, scene_of
from pbem.referee.game.environment import Environment
from pbem.referee.game.game import Game, mending, open_game, own_folder, writing
from pbem.referee.game.opening import Overlay
from pbem.referee.game.refusal import UNDECIDED, Refused, refuse
from pbem.referee.game.replay import NOT_A_STATE, Outcome, patched_state, play, read_sheet, ruled
from pbem.referee.game.results import RESULTS, results_bytes
from pbem.referee.game.sealing import gm_key, publish, seal, with_engine, written
from pbem.referee.game.views import hides
from pbem.referee.turn import ruled_words
from pbem.referee.turn.check import check
from pbem.referee.turn.consent import collected, seats_with_keys
from pbem.referee.turn.derived import events_data, log_data, pictures_of, report_of_slot, report_path
from pbem.referee.turn.report import gave_in, report_text
from pbem.referee.turn.upgrade import gate
from pbem.store.library import common_words

T = TypeVar("T")
NO_REASON: Final = "misjudged"
"""What the ledger says where nobody gave a reason for a correction."""


class Ruled(Struct, frozen=True):
    """What a ruling or a correction came to, or would come to (``entered``): its slot, the slot that is
    open after it with its phase and whom it waits for, who consented, who has no key, who has one
    (``signers``), and what is different in lines.
    """

    kind: str
    slot: int
    corrects: int
    following: Mapping[str, Any] | None
    consents: tuple[str, ...]
    keyless: tuple[str, ...]
    signers: tuple[str, ...]
    lines: tuple[str, ...]
    act: str
    proposal: bytes
    entered: bool


class _Draft(Struct, frozen=True):
    """A record before anybody consented to it, what it comes to, and the files that it names."""

    record: dict[str, Any]
    outcome: Outcome
    files: Mapping[str, bytes]


def rule(
    env: Environment, where: Path, patch: Patch, why: str, *, propose: bool = False, only: str = ""
) -> Ruled:
    """Change the state of a game by hand, in the open slot; with ``propose`` say what it would come to and
    write nothing. ``only``: the act that was agreed on.

    Refused where no slot is open or a question is, where the patch does not fit, changes nothing, moves the
    game to another phase, or leads to no state of the rules, where it is another act than ``only``; (cannot
    decide) while a consent is missing.
    """
    with writing(where, env, anew=True) as game:
        gate(env, game)
        ledger, announced = game.ledger, game.announced()
        if announced.get("questions"):
            raise refuse("ruling.question", slot=int(announced["slot"]))
        number = int(announced["slot"])
        before = _state_data(game, ledger.state_slot, ledger.state)
        outcome = _ruled(game, number, before, patch, ledger.kept)
        if outcome.state_id == ledger.state:
            raise refuse("ruling.nothing")
        if outcome.following is not None and outcome.following["phase"] != announced["phase"]:
            raise refuse(
                "ruling.phase", phase=str(announced["phase"]), other=str(outcome.following["phase"]),
                help="pbem undo GAME --to N",
            )  # fmt: skip
        record = rule_record(
            game=game.id,
            n=ledger.next_n,
            prev=ledger.head,
            at=env.clock(),
            slot=number,
            patch=patch,
            state=outcome.state_id,
            consents={},
            why=why,
            kept=outcome.kept,
            following=_following(env, game, outcome),
        )
        return _enter(env, game, _Draft(record, outcome, {}), propose=propose, only=only)


def correct(
    env: Environment,
    where: Path,
    slot: int | None = None,
    orders: Mapping[str, tuple[str, bytes]] | None = None,
    why: str = "",
    patch: Patch = (),
    *,
    propose: bool = False,
    only: str = "",
) -> Ruled:
    """Play the newest slot again with its dice: with other ``orders`` (seat -> name and bytes of a file),
    on a state with a ``patch``, or with this program. ``only``: the act that was agreed on.

    Refused where that is not the newest slot, another is locked, orders are wrong, everything comes out as
    it was, or it is another act than ``only``; (cannot decide) while a consent is missing.
    """
    with writing(where, env, anew=True) as game:
        ledger = game.ledger
        old = _newest(game, slot)
        number = ledger.newest_slot + 1
        state = _before(game, old, patch)
        files = dict(_files(game, old, orders or {}, number, state))
        sheets = _sheets(game, old, files, number, state)
        dice: Dice = SeededDice(old.seed or b"") if may_roll(ledger, old) else NoDice()
        try:
            outcome = play(
                game.ground, ledger.seats, number, state, old.announced, sheets, old.recorded, dice,
                old.first or old.number,
            )  # fmt: skip
        except NoDiceError as wanted:
            raise refuse("ruling.no-dice", slot=old.number, label=wanted.label) from None
        except (Refused, MemoryError):
            raise
        # A patched state, or the game of another program, may hold what the rules stumble over.
        except Exception:
            raise refuse("ruling.stumbles", slot=old.number) from None
        same = old.result is not None and outcome.state_id == old.result["state"]
        if same and outcome.rolls == old.rolls:
            raise refuse("ruling.same", slot=old.number)
        log = log_data(outcome)
        another = engines.engine_of(env.engine())
        over = outcome.following is None and another != engines.newest(ledger)
        record = correct_record(
            game=game.id,
            n=ledger.next_n,
            prev=ledger.head,
            at=env.clock(),
            slot=number,
            corrects=old.number,
            orders={seat: hashlib.sha512(data).hexdigest() for seat, data in files.items()},
            patch=patch,
            rolls=hashlib.sha256(log).hexdigest(),
            phases=outcome.phases,
            state=outcome.state_id,
            consents={},
            why=why or NO_REASON,
            kept=outcome.kept,
            following=_following(env, game, outcome),
            note=engines.note(another) if over else None,
        )
        laid = {orders_path(seat, number): data for seat, data in files.items()}
        draft = _Draft(record, outcome, {**laid, rolls_path(number): log})
        return _enter(env, game, draft, propose=propose, only=only)


def plain_state(where: Path, slot: int | None = None, *, before: bool = False) -> Mapping[str, Any]:
    """Return the state that a patch changes, as plain data: the newest, or that ``before`` the slot that is
    to be corrected.
    """
    game = open_game(where)
    if before:
        old = _newest(game, slot)
        data = _state_data(game, old.state_before_slot, old.state_before)
    else:
        game.announced()
        data = _state_data(game, game.ledger.state_slot, game.ledger.state)
    return decode(data)


# --- what a correction is played with


def _newest(game: Game, slot: int | None) -> Slot:
    """Return the newest slot of the line of play, which alone is corrected: whatever came after it stands on
    it.
    """
    ledger = game.ledger
    if ledger.ended is not None:
        raise refuse("game.over", help="pbem umpire reopen GAME")
    if ledger.locked is not None:
        raise refuse("ruling.locked", slot=ledger.locked.number, help="pbem resolve GAME")
    played = [
        number for number, one in sorted(ledger.slots.items()) if not one.undone and one.result is not None
    ]
    if not played:
        raise refuse("report.nothing", answer=UNDECIDED)
    newest = ledger.slots[played[-1]]
    if slot is not None and slot not in played:
        raise refuse("ruling.no-slot", slot=slot, newest=newest.number)
    if slot is not None and slot != newest.number:
        later = next(number for number in played if number > slot)
        raise refuse("ruling.older", slot=slot, newest=newest.number, help=f"pbem undo GAME --to {later}")
    if newest.act == RULE:
        help_ = f"pbem undo GAME --to {newest.number}"
        raise refuse("ruling.of-a-ruling", slot=newest.number, help=help_)
    return newest


def _before(game: Game, old: Slot, patch: Patch) -> Any:
    """Return the state that a correction is played on."""
    if not patch:
        return game.state_after(old.state_before_slot, old.state_before)
    return _patched(game, _state_data(game, old.state_before_slot, old.state_before), patch)


def _files(
    game: Game, old: Slot, orders: Mapping[str, tuple[str, bytes]], number: int, state: Any
) -> Iterator[tuple[str, bytes]]:
    """Yield the other order files with their headers, each checked as it would have been for that turn."""
    before = _as_it_stood(game, old, state)
    wrong = []
    for named, (name, data) in sorted(orders.items()):
        seat = game.seat_of(named)
        checked = check(before, name, data, seat)
        if not checked.ok:
            wrong.append(Refused(located=checked.problems, file=name))
            continue
        salt = hashlib.sha256(f"pd1/correct\n{game.id}\n{number}\n{seat}\n{game.ledger.head}\n".encode())
        yield (
            seat,
            write(
                game=game.id,
                slot=number,
                seat=seat,
                head=game.ledger.head,
                salt=salt.hexdigest()[:32],
                yaml=checked.data.replace(b"\r\n", b"\n"),
            ),
        )
    if wrong:
        raise Refused(located=[one for refusal in wrong for one in refusal.located], file=wrong[0].file)


class _Until:
    """An archive without the records from one on."""

    def __init__(self, archive: Archive, path: str) -> None:
        self._archive, self._path = archive, path

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names."""
        return (path for path in self._archive if self._has(path))

    def __contains__(self, path: object) -> bool:
        """Tell whether there is such a file."""
        return isinstance(path, str) and self._has(path) and path in self._archive

    def __getitem__(self, path: str) -> bytes:
        """Return the bytes of a file; KeyError if there is none."""
        if not self._has(path):
            raise KeyError(path)
        return self._archive[path]

    def _has(self, path: str) -> bool:
        return not is_record(path) or path < self._path


def _as_it_stood(game: Game, old: Slot, state: Any) -> Game:
    """Return the game before a slot was locked, on another state perhaps."""
    first = game.ledger.slots[old.first or old.number]
    lock = next(read.path for read in game.ledger.records if read.id == first.lock_id)
    archive = _Until(game.archive, lock)
    found = Game(game.where, archive, game.folder, read_ledger(archive))
    found.__dict__.update(ground=game.ground, state=state)
    return found


def _sheets(game: Game, old: Slot, files: Mapping[str, bytes], number: int, state: Any) -> Sequence[Any]:
    first = old.first or old.number
    sheets = [read_sheet(game.ground, state, seat, number, data) for seat, data in files.items()]
    for seat, of in in_force(game.ledger, old):
        if of < first:
            sheets.append(game.sheet(seat, of))
        elif seat not in files:
            path = orders_path(seat, of)
            data = content(game.archive, path)
            if data is None:
                raise refuse("game.no-file", answer=UNDECIDED, path=path, help=mending(game.where))
            sheets.append(read_sheet(game.ground, state, seat, of, data))
    return sorted(sheets, key=lambda sheet: (sheet.seat, sheet.slot))


# --- states by hand


def _state_data(game: Game, slot: int, sha256: str) -> bytes:
    path = state_path(slot)
    data = content(game.archive, path)
    if data is None or hashlib.sha256(data).hexdigest() != sha256:
        raise refuse("game.no-state", answer=UNDECIDED, path=path, slot=slot, help=mending(game.where))
    return data


def _patched(game: Game, data: bytes, patch: Patch) -> Any:
    def made() -> Any:
        state = patched_state(game.ground, data, patch)
        drawn(scene_of(game.ground, state, (), ""), ".txt")
        return state

    return _as_rules_say(patch, made)


def _ruled(game: Game, number: int, data: bytes, patch: Patch, kept: Sequence[tuple[str, int]]) -> Outcome:
    def made() -> Outcome:
        outcome = ruled(game.ground, game.ledger.seats, number, data, patch, kept)
        drawn(scene_of(game.ground, outcome.state, (), ""), ".txt")
        return outcome

    return _as_rules_say(patch, made)


def _as_rules_say(patch: Patch, made: Callable[[], T]) -> T:
    """Return what is made of a state by hand; Refused with what the rules have against it, or cannot go on
    with.
    """
    try:
        return made()
    except BadPatch as wrong:
        raise _no_place(patch, wrong) from None
    except ValueError as wrong:
        why = f"{wrong!s:.300}".removeprefix(NOT_A_STATE)
        unknown = re.search(r"unknown field `(\w+)`", why)  # as msgspec says it
        if unknown:
            why = common_words().phrase("ruled.no-key", name=unknown[1])
        raise refuse("ruling.state", why=why) from None
    except MemoryError:
        raise
    # A state written by hand may hold anything; what the rules stumble over is no state of theirs.
    except Exception:
        raise refuse("ruling.state", why=common_words().phrase("ruled.stumbled")) from None


def _no_place(patch: Patch, wrong: BadPatch) -> Refused:
    way = patch[wrong.change]["at"]
    return refuse(
        "ruling.place", place=".".join(map(str, way)), known=".".join(map(str, way[: wrong.steps])) or "-"
    )


# --- the record


def _following(env: Environment, game: Game, outcome: Outcome) -> Mapping[str, Any] | None:
    return None if outcome.following is None else with_engine(env, game, outcome.following)


def _enter(env: Environment, game: Game, draft: _Draft, *, propose: bool, only: str) -> Ruled:
    """Put a record into the ledger, with all that is made for people; or say what it would come to."""
    record, number = draft.record, int(draft.record["slot"])
    act = act_of(record)
    if only not in ("", act):
        raise refuse("ruling.another")
    if not propose:
        consents = collected(game, {"act": act}, seats_with_keys(game))
        record["consents"] = [{"consent": consents[seat], "seat": seat} for seat in sorted(consents)]
    private = gm_key(env, game)
    data = written(record)
    path = ledger_path(record["n"], record["type"], number)
    files = {**draft.files, state_path(number): draft.outcome.state_data}
    signature = sign(private, gm_namespace(game.id), data).encode()
    archive = Overlay(game.archive, {**files, path: data, sig_path(path): signature})
    after = Game(game.where, archive, game.folder, read_ledger(archive))
    after.__dict__["ground"] = game.ground
    found = [one for one in after.ledger.findings if not (propose and one.code == "E20")]
    if found:
        raise Refused(
            [
                Problem("proof.broken", {"finding": one.code, "where": one.where, "message": one.message})
                for one in found
            ]
        )
    slot = after.ledger.slots[number]
    done = Ruled(
        kind=record["type"],
        slot=number,
        corrects=slot.corrects,
        following=draft.outcome.following,
        consents=tuple(entry["seat"] for entry in record["consents"]),
        keyless=tuple(name for name in game.ledger.outside if name not in seats_with_keys(game)),
        signers=seats_with_keys(game),
        lines=tuple(ruled_words.different(after, slot, None)),
        act=act,
        proposal=proposal_of(record, hidden=hides(game.ground.rules)),
        entered=not propose,
    )
    if not propose:
        _write(after, slot, draft, files)
        seal(own_folder(game), private, record)
    return done


def proposal_of(record: Mapping[str, Any], *, hidden: bool) -> bytes:
    """Return what goes to whoever is to consent: all that the ``act`` is a digest of; where something is
    hidden only what it is, why, and the digest.
    """
    said = {key: value for key, value in record.items() if key not in NOT_CONSENTED_TO}
    if hidden:
        said = {key: said[key] for key in ("type", "game", "slot", "why")} | {"act": act_of(record)}
    return encode(said)


def _write(game: Game, slot: Slot, draft: _Draft, files: Mapping[str, bytes]) -> None:
    """Write the files of a slot before its record: what is signed last is what makes them count."""
    folder, number, outcome = own_folder(game), slot.number, draft.outcome
    pictures = pictures_of(game, number, outcome)
    gave = gave_in(game, number)
    text = report_of_slot(game, number, slot.phase, outcome, gave, pictures)
    _publish(game, slot, outcome)
    for path, data in files.items():
        folder.put(path, data)
    folder.put(events_path(number), events_data(outcome))
    for picture in pictures:
        folder.put(picture.path, picture.data, lasting=False)
    folder.put(report_path(number), text.encode(), lasting=False)
    for name in game.ledger.outside:
        told = text
        if hides(game.ground.rules):
            told = report_text(
                game, number, slot.phase, outcome.events, outcome.state, "text", gave, seat=name
            )
        folder.put(
            f"outbox/report-s{number:04d}-{name}.txt", told.encode(), lasting=name == game.ledger.outside[-1]
        )
    if outcome.following is None or RESULTS in folder:
        folder.put(RESULTS, results_bytes(game, outcome.state, draft.record))


def _publish(game: Game, slot: Slot, outcome: Outcome) -> None:
    """Put every file that stays in force no longer where everybody sees it (R7)."""
    ledger: Ledger = game.ledger
    folder = own_folder(game)
    before = in_force(ledger, ledger.slots[slot.corrects]) if slot.corrects else slot.kept_before
    for seat, number in before:
        if (seat, number) not in outcome.kept and orders_path(seat, number) not in folder:
            publish(folder, game, seat, number)
