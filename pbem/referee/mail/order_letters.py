"""Orders that came by letter or in a post: when they count, what of them is a draft only, and the answer.

They are stored by the same use case as by hand (``submit``). Orders that were written for another turn, or
that their writer's own words doubt, are never final.
"""

from __future__ import annotations

import re
from typing import Final

from msgspec.structs import replace

from pbem.core.problem import Problem
from pbem.post.mail.sender import SeatAt
from pbem.post.orders.holding import without_final
from pbem.post.write import answers
from pbem.post.write.answers import AGAIN, BESIDE, DRAFT, FINAL, STORED, Reply
from pbem.post.write.writing import Attachment, Picture
from pbem.proof.archive import receipt_path, short_digest, sig_path
from pbem.referee.game.environment import Environment
from pbem.referee.game.game import Game, own_folder
from pbem.referee.game.refusal import Refused
from pbem.referee.game.vocabularies import keys_of
from pbem.referee.mail.incoming import (
    ASKED,
    TAKEN,
    Incoming,
    LetterOutcome,
    about,
    answered,
    as_it_was,
    ignored,
    in_letter,
    is_in,
    locked_with_it,
    until,
)
from pbem.referee.mail.office import House
from pbem.referee.mail.served import OfficeGame
from pbem.referee.turn.completing import LUCK, left_over, may_roll, says_who, wants_luck
from pbem.referee.turn.lock import chosen_letter, standing
from pbem.referee.turn.submit import Submitted, submit
from pbem.store import received
from pbem.store.received import Provenance

_KEPT: Final = "kept-orders.pbem"
"""The name of the file that was kept, as it goes back to its sender."""


def take_orders(
    env: Environment, letter: Incoming, served: OfficeGame, seat: SeatAt, came: Provenance
) -> LetterOutcome:
    """Take in an order file."""
    game, found, office = served.game, letter.found, letter.house.office
    if not letter.who.relied and not seat.keyed:
        raise Refused([Problem("sender.no-code", {"seats": f"{seat.game} ({seat.seat})"})])
    if not seat.keyed and seat.code and seat.code.encode() in found.data.lower():
        raise Refused(
            [
                Problem(
                    "sender.code-inside",
                    {"seat": seat.seat},
                    help="write it in the subject, or on a line of its own",
                )
            ]
        )

    slot = int(game.announced()["slot"])
    if is_in(letter, served, seat, slot - 1):
        return locked_with_it(letter)
    if _before_its_turn(letter, served, slot):
        raise Refused(
            [
                Problem(
                    "mail.before-turn",
                    {"slot": slot},
                    help=f"turn: {str(game.announced()['phase']).rpartition('.')[0]}",
                )
            ]
        )

    before = chosen_letter(game, slot, seat.seat)
    if (older := _of_an_older_letter(letter, served, seat)) is not None:
        found = replace(found, held=(*found.held, older))
        letter = replace(letter, found=found)
    if found.held:
        letter = _held(letter, served, before is not None)
        found = letter.found

    known = {
        one.sha512
        for one in received.letters(own_folder(game), slot)
        if one.seat == seat.seat and one.came.mail != letter.mail
    }
    file, data, signature = found.where or "letter", found.data, found.signature
    done = submit(
        env,
        game.where,
        file,
        data,
        signature,
        seat=seat.seat,
        with_receipt=office.receipts,
        auto_lock=False,
        came=came,
    )

    digest = done.receipt.sha512 if done.receipt is not None else ""
    again = digest in known and done.asks is None
    outcome = AGAIN if again else _became(game, slot, seat.seat, done)
    now = standing(game)
    complete = not now.missing and not now.drafts and not now.unfinished
    rules = game.ground.rules
    told = Reply(
        about=about(letter.house, seat),
        outcome=outcome,
        until=until(letter.house, seat, letter.now),
        otherwise=_what_then(letter.house, served, seat, outcome, complete=complete and not served.held),
        subject=letter.message.subject,
        where=found.where,
        doubts=(
            *letter.doubts,
            *in_letter(found, done.checked.doubts if not done.joined else (), letter.place),
        ),
        repairs=found.repairs,
        ignored=ignored(letter),
        normal=tuple(rules.interface.normal(rules, done.checked.orders)),
        understood=done.checked.understood,
        picture=_picture(served, done),
        replaces=_replaced(before, done, again=again),
        digest=short_digest(digest) if digest else "",
        receipt=_receipt(served, slot, seat.seat, digest) if letter.attaching and digest else (),
        program=seat.keyed,
        held=tuple(letter.words.problem(problem.code, problem.args) for problem in found.held),
        asks=(done.asks,) if done.asks is not None else (),
        meant=_meant(letter, game, done),
        left=left_over(game, seat.seat, done.checked.orders)
        if outcome in (DRAFT, FINAL, STORED) and not may_roll(game)
        else (),
        joined=done.joined,
        dice=may_roll(game),
    )
    return answered(letter, TAKEN if digest else ASKED, answers.reply(told, letter.words))


def _became(game: Game, slot: int, seat: str, done: Submitted) -> str:
    """Return what became of an order file that was taken in, as its answer says it."""
    if done.asks is not None:
        return answers.ASKED
    assert done.receipt is not None
    if done.receipt.file == "final":
        return FINAL
    now = standing(game)
    if seat in now.missing or seat not in game.announced()["waits"]:
        return BESIDE if not says_who(game, done.checked.orders) else STORED
    return DRAFT if seat in (*now.drafts, *now.unfinished) else STORED


def _what_then(house: House, served: OfficeGame, seat: SeatAt, outcome: str, *, complete: bool) -> str:
    """Return what happens if a seat sends nothing more, as the end of the key of its phrase."""
    if outcome in (ASKED, BESIDE):
        return as_it_was(house, served, seat)[0]
    if complete:
        return "now"
    if served.held:
        return "held"
    kind = (
        "final"
        if outcome == FINAL
        else "stored"
        if outcome != DRAFT
        else "draft"
        if may_roll(served.game)
        else "placed"
    )
    return kind if served.deadline() is not None else f"{kind}-open"


def _replaced(before: received.Letter | None, done: Submitted, *, again: bool) -> str:
    """Return the short digest of the file that one takes the place of; empty where it is the same, or holds
    what stood in that.
    """
    if before is None or done.receipt is None or again or done.joined or before.sha512 == done.receipt.sha512:
        return ""
    return short_digest(before.sha512)


def _meant(letter: Incoming, game: Game, done: Submitted) -> tuple[str, ...]:
    """Return the lines with which somebody says that he means to order nobody; none where that is not the
    question.
    """
    if done.asks is None or done.asks.code not in ("orders.nobody", "orders.nobody-now"):
        return ()
    words = letter.words
    if not may_roll(game):
        return (words.phrase("letter.line-nobody-placed"),)
    first = words.phrase("letter.line-nobody")
    return (first, f"{LUCK}: {done.luck}") if done.luck else (first,)


def _held(letter: Incoming, served: OfficeGame, replaces: bool) -> Incoming:
    """Return a letter without what makes its orders final, for its writer's own words doubt them, or their
    end did not arrive.

    Refused where there is no draft: what is signed is whole or nothing, and what needs no words counts once
    it is stored. What was only put off takes the place of no orders that were meant.
    """
    found = letter.found
    put_off = replaces and all(problem.code == "held.postponed" for problem in found.held)
    if put_off or found.signature is not None or not wants_luck(served.game):
        raise Refused(list(found.held))
    return replace(letter, found=without_final(keys_of(served.game), found))


def _of_an_older_letter(letter: Incoming, served: OfficeGame, seat: SeatAt) -> Problem | None:
    """Return why orders that would be final are a draft at most: they answer the letter of another turn and
    do not say which is theirs.

    Who answers our answer to them has read this, and means them.
    """
    found, game = letter.found, served.game
    of = found.answers[0] if found.answers and found.signature is None else None
    if (
        of is None
        or (of.game, of.seat) != (seat.game, seat.seat)
        or not letter.message.in_reply_to.startswith(f"<{of.kind}-")
    ):
        return None
    slot = int(game.announced()["slot"])
    now = game.ledger.state_slot if of.kind == "turn" else slot
    final = not wants_luck(game) or without_final(keys_of(game), found).data != found.data
    if of.slot == now or not final or re.search(rb"^turn:", found.data, re.MULTILINE):
        return None
    return Problem("held.older", {"line": f"turn: {str(game.announced()['phase']).rpartition('.')[0]}"})


def _before_its_turn(letter: Incoming, served: OfficeGame, slot: int) -> bool:
    """Tell whether orders were written before what they would be read for was known, and nothing in them says
    otherwise.

    Orders that come too late for one turn must not be carried out in the next.
    """
    if (
        served.open_since is None
        or letter.arrived >= served.open_since[1]
        or letter.found.signature is not None
    ):
        return False
    says_turn = re.search(rb"^turn:", letter.found.data, re.MULTILINE) is not None
    newest = f"<turn-{served.game.id}-s{slot - 1:04d}-"
    return not says_turn and not letter.message.in_reply_to.startswith(newest)


def _picture(served: OfficeGame, done: Submitted) -> Picture | None:
    """Return the small map of what was ordered."""
    from pbem.referee.pages.forecasting import forecast_picture

    return forecast_picture(served.game, done.checked)


def _receipt(served: OfficeGame, slot: int, seat: str, digest: str) -> tuple[Attachment, ...]:
    """Return the receipt and its signature, where there is one, and the file that was kept.

    Until its turn is played that file is in no archive: with it its sender can bring a lost turn back.
    """
    folder, path = own_folder(served.game), receipt_path(slot, seat, digest)
    record, signature = folder.read(path), folder.read(sig_path(path))
    if record is None or signature is None:
        return ()
    attached = [
        Attachment("receipt.json", record, "application/json"),
        Attachment("receipt.json.sig", signature),
    ]
    kept = [one for one in received.letters(folder, slot) if (one.seat, one.sha512) == (seat, digest)]
    for one in kept[:1]:
        attached.append(Attachment(_KEPT, one.data, "application/octet-stream"))
        if one.signature is not None:
            attached.append(Attachment(f"{_KEPT}.sig", one.signature))
    return tuple(attached)
