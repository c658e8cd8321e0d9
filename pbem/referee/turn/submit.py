"""Taking an order file in: checked, given its header where it has none, stored, answered; the slot locks when
all is there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from pbem.core.problem import Problem
from pbem.proof.archive import gm_namespace, receipt_path, sig_path
from pbem.proof.canonical import decode, encode
from pbem.proof.dice_protocol import normal_words
from pbem.proof.orderfile import BadOrderFile, parse, write
from pbem.proof.signing import sign
from pbem.referee.game.environment import Environment
from pbem.referee.game.game import Game, own_folder, writing
from pbem.referee.game.intake import file_problems, takes_values
from pbem.referee.game.refusal import Refused
from pbem.referee.game.sealing import gm_key
from pbem.referee.game.story import head_of
from pbem.referee.turn.check import Checked, check
from pbem.referee.turn.completing import (
    completed,
    is_finished,
    is_in,
    kept_of,
    left_over,
    may_roll,
    nobody_signed,
    says_who,
)
from pbem.referee.turn.lock import Locked, chosen, chosen_letter, lock_if_final
from pbem.store import received
from pbem.store.received import BY_HAND, Letter, Provenance
from pbem.text.source import read
from pbem.text.words import in_force, speaking


class Receipt(Struct, frozen=True):
    """What was stored."""

    sha512: str
    slot: int
    seat: str
    file: str


class Submitted(Struct, frozen=True):
    """An order file that was taken in: what was understood, the words of the answer, and the lock if this was
    the last file.

    ``asks`` is what its sender is asked because it orders nobody; then it is not final, whatever it says, and
    where nothing of it was stored there is no ``receipt``. ``joined``: it went together with what was on file
    before, and ``checked`` is of both.
    """

    checked: Checked
    receipt: Receipt | None
    answer: str
    lock: Locked | None
    asks: Problem | None = None
    joined: bool = False
    luck: str = ""
    """The words that came with it and were not used."""


def submit(
    env: Environment,
    where: Path,
    name: str,
    data: bytes,
    signature: bytes | None = None,
    *,
    seat: str | None = None,
    with_receipt: bool = False,
    auto_lock: bool = True,
    came: Provenance = BY_HAND,
    meant: bool = False,
) -> Submitted:
    """Take an order file in; Refused, and nothing stored, where it cannot be used: an earlier good one stays.

    ``came`` says how it came; what was relied on for whose it is will stand in the lock. ``meant``: one that
    orders nobody is taken as it is, as of a game that is played again.
    """
    reader = in_force()
    with writing(where, env) as game, speaking(reader):
        announced = game.announced()
        checked = check(game, name, data, seat)
        if not checked.ok:
            raise Refused(located=(*checked.problems, *checked.doubts))
        asks, joined, unused = None, False, ""
        if not meant and checked.header is not None:
            _refuse_nobody(game, name, checked)
        elif not meant:
            whole = completed(
                game, checked.seat, checked.data, _plain(checked.data), checked.orders, came.mail
            )
            asks, joined = whole.asks, whole.joined
            if whole.yaml is None:
                return Submitted(checked, None, "", None, asks, joined, checked.luck or "")
            unused = checked.luck or "" if asks is not None else ""
            if whole.yaml != checked.data:
                checked = replace(
                    _again(game, name, whole.yaml, checked.seat), repairs=checked.repairs, lost=checked.lost
                )
        folder, slot = own_folder(game), int(announced["slot"])
        before = received.letters(folder, slot)
        bytes_, problems = _with_header(env, game, slot, checked, before)
        file = parse(bytes_)
        if checked.header is not None:
            problems = file_problems(game, announced, file, bytes_, signature)
        if problems:
            raise Refused(problems, file=name)
        letter = received.store(
            folder,
            before,
            slot,
            checked.seat,
            bytes_,
            signature if game.ledger.seats[checked.seat].key else None,
            came,
        )
        used = chosen(game, before if letter in before else [*before, letter], checked.seat)
        if used is not None and used.sha512 != letter.sha512 and parse(used.data).has_value:
            raise Refused([Problem("orders.final-stands", {"slot": slot})], file=name)
        kind = "final" if file.has_value else "draft"
        receipt = Receipt(letter.sha512, slot, checked.seat, kind)
        if with_receipt:
            _promise(env, game, receipt)
        answer = _answer(game, checked, letter)  # of the slot as it was open: what follows may lock it
        locked = lock_if_final(env, game) if auto_lock else None
        return Submitted(checked, receipt, answer, locked, asks, joined, unused)


def _plain(data: bytes) -> Mapping[str, Any]:
    """Return the plain data of a file that was read without a problem."""
    found = read(data).data
    return found if isinstance(found, Mapping) else {}


def _again(game: Game, name: str, data: bytes, seat: str) -> Checked:
    """Return the judgement of a file put together of two; what is wrong with it has no place in what its
    sender wrote.
    """
    checked = check(game, name, data, seat)
    if not checked.ok:
        raise Refused(
            located=tuple(replace(one, line=0, column=0, source_line="") for one in checked.problems)
        )
    return checked


def _refuse_nobody(game: Game, name: str, checked: Checked) -> None:
    """Refuse a file with a header that orders nobody, where it would be final or take the place of one that
    does: it cannot be changed.
    """
    assert checked.header is not None
    problem = nobody_signed(game, checked.seat, checked.orders)
    if problem is None:
        return
    before = chosen_letter(game, int(game.announced()["slot"]), checked.seat)
    if checked.header.has_value or (before is not None and says_who(game, kept_of(game, before).orders)):
        raise Refused([problem], file=name)


def _with_header(
    env: Environment, game: Game, slot: int, checked: Checked, before: Iterable[Letter]
) -> tuple[bytes, list[Problem]]:
    """Return the order file of plain YAML (or the file itself, where it has a header), and why its words
    cannot be used.
    """
    if checked.header is not None:
        return checked.data, []
    seat = game.ledger.seats[checked.seat]
    if seat.key is not None:
        raise Refused(
            [
                Problem(
                    "proof.unsigned",
                    {"seat": seat.name},
                    help=f"pbem sign FILE --game GAME --seat {seat.name} --key KEY",
                )
            ]
        )

    given = checked.luck if seat.outside and takes_values(game, game.announced()) else None
    luck = None if given is None else normal_words(given)
    yaml = checked.data.replace(b"\r\n", b"\n")
    for letter in before:
        if letter.seat != seat.name or head_of(letter.data) != game.ledger.next_id:
            continue
        known = parse(letter.data)
        if (known.yaml, known.luck) == (yaml, luck):
            return letter.data, []

    salt = env.entropy(16).hex()
    try:
        return write(
            game=game.id, slot=slot, seat=seat.name, head=game.ledger.next_id, salt=salt, yaml=yaml, luck=luck
        ), []
    except BadOrderFile as bad:
        raise Refused([Problem("header.wrong", {"reason": bad.reason})]) from None


def _promise(env: Environment, game: Game, receipt: Receipt) -> None:
    """Sign a receipt (R19): the file it names is the one in the lock."""
    from pbem.proof.records import receipt as receipt_record

    folder, path = own_folder(game), receipt_path(receipt.slot, receipt.seat, receipt.sha512)
    if path in folder:
        return
    before = f"receipts/s{receipt.slot:04d}-{receipt.seat}-"
    newest = max(
        (
            decode(folder[known])["at"]
            for known in folder
            if known.startswith(before) and known.endswith(".json")
        ),
        default="",
    )
    record = receipt_record(
        game=game.id,
        at=_after(env.clock(), newest),
        seat=receipt.seat,
        slot=receipt.slot,
        sha512=receipt.sha512,
        file=receipt.file,
    )
    data = encode(record)
    folder.put(sig_path(path), sign(gm_key(env, game), gm_namespace(game.id), data).encode())
    folder.create(path, data)


def _after(at: str, newest: str) -> str:
    """Return a time later than that of the newest receipt: of two drafts the later one counts (R19)."""
    if at > newest:
        return at
    moment = datetime.strptime(newest, "%Y-%m-%dT%H:%M:%S%z") + timedelta(seconds=1)
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def _answer(game: Game, checked: Checked, letter: Letter) -> str:
    """Return the words of the answer to a file."""
    words = game.words
    seat = game.ledger.seats[checked.seat]
    if parse(letter.data).has_value:
        return words.phrase("answer.final")
    if not is_in(game, letter):
        return words.phrase("answer.beside")
    understood = "\n".join(checked.understood) or words.phrase("answer.nothing")
    if not may_roll(game):
        left = left_over(game, checked.seat, checked.orders) if not is_finished(game, letter) else ()
        listed = [words.phrase("answer.placed-at", who=who, at=at) for who, at in left]
        return (
            words.phrase("answer.not-placed", understood=understood, left=listed)
            if listed
            else words.phrase("answer.stored")
        )
    if not seat.outside or game.ledger.profile == "gm" or not takes_values(game, game.announced()):
        return words.phrase("answer.stored")
    key = "answer.draft" if seat.key is None else "answer.draft-with-key"
    return words.phrase(key, understood=understood)
