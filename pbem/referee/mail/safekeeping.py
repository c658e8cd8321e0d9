"""Orders that are locked and not played, and of which their senders have no receipt: a letter to the umpire
has them, so that his mailbox brings back what his computer may lose.

They came in a thread, on paper, or in an office that sends no receipts; an umpire's own seat is not among
them, for who plays himself would have a letter each turn. Whoever has the lock has the proof:
it names each file by its hash (``held_orders``).
"""

from __future__ import annotations

from collections.abc import Iterator

from pbem.post.write import requested
from pbem.post.write.writing import Attachment
from pbem.proof.archive import orders_path, receipt_path
from pbem.referee.game.game import own_folder
from pbem.referee.game.turns import of_slot
from pbem.referee.mail.request_deciding import about_game
from pbem.referee.mail.round_context import RoundContext, Step
from pbem.referee.mail.served import OfficeGame
from pbem.store import received
from pbem.store.library import common_words


def keep_safe(ctx: RoundContext) -> Iterator[Step]:
    """Queue a letter to the umpire, who has to have an address, for each lock with such orders; once."""
    for id_ in ctx.house.awake if ctx.house.office.umpire else ():
        served = ctx.house.games[id_]
        slot = served.game.ledger.locked
        if slot is None or id_ in ctx.house.held:
            continue
        key = f"locked-{id_}-s{slot.number:04d}-{slot.lock_id[:12]}"
        if ctx.mail.knows(key):
            continue
        files = tuple(_files(served, slot.number))
        if files:
            words, turn = common_words(), of_slot(served.game, slot.number)
            letter = requested.told(
                about_game(served),
                words.phrase("locked.title", turn=turn),
                [words.phrase("locked.said", turn=turn), words.phrase("locked.back", game=id_)],
                words,
                files=files,
            )
            ctx.mail.letter(key, letter, id_)
            yield Step("kept safe", id_, said=ctx.house.office.umpire)


def _files(served: OfficeGame, number: int) -> Iterator[Attachment]:
    """Yield the files that a lock names and nobody else holds, with the signature of who signs."""
    game, folder = served.game, own_folder(served.game)
    entries = game.ledger.slots[number].entries
    for one in received.letters(folder, number):
        entry = entries.get(one.seat)
        if entry is None or entry.sha512 != one.sha512 or not game.ledger.seats[one.seat].outside:
            continue
        if orders_path(one.seat, number) in folder or receipt_path(number, one.seat, one.sha512) in folder:
            continue
        name = f"{served.game.id}-s{number:04d}-{one.seat}.pbem"
        yield Attachment(name, one.data, "application/octet-stream")
        if one.signature is not None:
            yield Attachment(f"{name}.sig", one.signature)
