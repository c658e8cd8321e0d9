"""Taking an order file in: checked, given its header where it has none, stored, answered; the slot locks when all is there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from pbem.core.problem import Problem
from pbem.proof.archive import gm_namespace, receipt_path, sig_path
from pbem.proof.canonical import decode, encode
from pbem.proof.dice_protocol import normal_words
from pbem.proof.orderfile import BadOrderFile, parse, write
from pbem.proof.records import receipt as receipt_record
from pbem.proof.signing import sign
from pbem.referee.check import Checked, check
from pbem.referee.desk import Desk
from pbem.referee.game import Game, again, own_folder, writing
from pbem.referee.intake import file_problems, takes_values
from pbem.referee.lock import Locked, chosen_letter, lock_if_final
from pbem.referee.refusal import Refused
from pbem.referee.sealing import gm_key
from pbem.referee.story import head_of
from pbem.store import mail
from pbem.store.library import english
from pbem.store.mail import BY_HAND, Came


@dataclass(frozen=True, slots=True)
class Receipt:
    """What was stored."""

    sha512: str
    slot: int
    seat: str
    file: str


@dataclass(frozen=True, slots=True)
class Submitted:
    """An order file that was taken in: what was understood, the words of the answer, and the lock if this was the last file."""

    checked: Checked
    receipt: Receipt
    answer: str
    lock: Locked | None


def submit(
    desk: Desk,
    where: Path,
    name: str,
    data: bytes,
    signature: bytes | None = None,
    *,
    seat: str | None = None,
    with_receipt: bool = False,
    auto_lock: bool = True,
    came: Came = BY_HAND,
) -> Submitted:
    """Take an order file in; Refused, and nothing stored, where it cannot be used: an earlier good one stays.

    ``came`` says how it came; what was relied on for whose it is will stand in the lock.
    """
    with writing(where, desk) as game:
        announced = game.announced()
        checked = check(game, name, data, seat)
        if not checked.ok:
            raise Refused(located=(*checked.problems, *checked.doubts))
        bytes_, problems = _with_header(desk, game, announced, checked)
        file = parse(bytes_)
        if checked.header is not None:
            problems = file_problems(game, announced, file, bytes_, signature)
        if problems:
            raise Refused(problems, file=name)
        folder = own_folder(game)
        slot = int(announced["slot"])
        letter = mail.store(folder, slot, checked.seat, bytes_, signature if game.ledger.seats[checked.seat].key else None, came)
        used = chosen_letter(game, slot, checked.seat)
        if used is not None and used.sha512 != letter.sha512 and parse(used.data).has_value:
            raise Refused([Problem("orders.final-stands", {"slot": slot})], file=name)
        kind = "final" if file.has_value else "draft"
        receipt = Receipt(letter.sha512, slot, checked.seat, kind)
        if with_receipt:
            _promise(desk, game, receipt)
        locked = lock_if_final(desk, again(game)) if auto_lock else None
        return Submitted(checked, receipt, _answer(game, checked, kind), locked)


def _with_header(desk: Desk, game: Game, announced: Mapping[str, object], checked: Checked) -> tuple[bytes, list[Problem]]:
    """Return the order file of plain YAML (or the file itself, where it has a header), and why its words cannot be used."""
    if checked.header is not None:
        return checked.data, []
    seat = game.ledger.seats[checked.seat]
    slot = int(str(announced["slot"]))
    if seat.key is not None:
        raise Refused([Problem("proof.unsigned", {"seat": seat.name}, help=f"pbem sign FILE --game GAME --seat {seat.name} --key KEY")])
    given = checked.luck if seat.outside and takes_values(game, announced) else None
    luck = None if given is None else normal_words(given)
    yaml = checked.data.replace(b"\r\n", b"\n")
    for letter in mail.letters(own_folder(game), slot):
        if letter.seat != seat.name or head_of(letter.data) != game.ledger.next_id:
            continue
        known = parse(letter.data)
        if (known.yaml, known.luck) == (yaml, luck):
            return letter.data, []
    salt = desk.entropy(16).hex()
    try:
        return write(game=game.id, slot=slot, seat=seat.name, head=game.ledger.next_id, salt=salt, yaml=yaml, luck=luck), []
    except BadOrderFile as bad:
        raise Refused([Problem("header.wrong", {"reason": bad.reason})]) from None


def _promise(desk: Desk, game: Game, receipt: Receipt) -> None:
    """Sign a receipt (R19): the file it names is the one in the lock."""
    folder, path = own_folder(game), receipt_path(receipt.slot, receipt.seat, receipt.sha512)
    if path in folder:
        return
    before = f"receipts/s{receipt.slot:04d}-{receipt.seat}-"
    newest = max((decode(folder[known])["at"] for known in folder if known.startswith(before) and known.endswith(".json")), default="")
    record = receipt_record(
        game=game.id, at=_after(desk.clock(), newest), seat=receipt.seat, slot=receipt.slot, sha512=receipt.sha512, file=receipt.file
    )
    data = encode(record)
    folder.put(sig_path(path), sign(gm_key(desk, game), gm_namespace(game.id), data).encode())
    folder.create(path, data)


def _after(at: str, newest: str) -> str:
    """Return a time later than that of the newest receipt: of two drafts the later one counts (R19)."""
    if at > newest:
        return at
    moment = datetime.strptime(newest, "%Y-%m-%dT%H:%M:%S%z") + timedelta(seconds=1)
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def _answer(game: Game, checked: Checked, kind: str) -> str:
    """Return the words of the answer to a file."""
    words = english()
    seat = game.ledger.seats[checked.seat]
    if kind == "final":
        return words.phrase("answer.final")
    if not seat.outside or game.ledger.profile == "gm" or not takes_values(game, game.announced()):
        return words.phrase("answer.stored")
    key = "answer.draft" if seat.key is None else "answer.draft-with-key"
    return words.phrase(key, understood="\n".join(checked.understood) or words.phrase("answer.nothing"))
