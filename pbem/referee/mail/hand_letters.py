"""Letters that somebody mails by hand: what lies in the outbox of a game gets a subject, whose move it is,
and how to answer.

A report goes to a seat that is asked for something. To one that is not, it rides on the letter that asks for
words after the next lock.
"""

from __future__ import annotations

from typing import Final

from pbem.post.write.parts import About, tag
from pbem.referee.explain.options import sheet_for
from pbem.referee.game.game import Game, own_folder
from pbem.referee.game.intake import takes_values
from pbem.referee.mail.letters import headline
from pbem.referee.turn.go import missing_goes
from pbem.referee.turn.lock import go_letter
from pbem.store.gamedir import GameDir
from pbem.store.library import common_words
from pbem.text.words import ENGLISH, speaking

_RULE: Final = "\n" + "-" * 72 + "\n\n"
"""Between what a letter asks for and the report."""


@speaking(ENGLISH)
def lay_out(game: Game) -> tuple[str, ...]:
    """Write the letters that are to be mailed now, and return their names in the game, with the sheets that
    go along.

    Doing it again changes nothing.
    """
    ledger, folder = game.ledger, own_folder(game)
    if not ledger.started:
        return ()
    slot, waits = ledger.state_slot, () if ledger.over or ledger.next is None else tuple(ledger.next["waits"])
    own = bool(waits) and not any(ledger.seats[seat].outside for seat in waits)
    found: list[str] = []
    if ledger.locked is not None:
        for seat in missing_goes(game):
            name = f"outbox/lock-s{ledger.locked.number:04d}-{seat}.txt"
            rides = seat not in ledger.locked.waits
            asks = go_letter(game, ledger.locked.lock_id, ledger.locked.number)
            _put(
                folder,
                name,
                _head(game, seat)
                + asks
                + (_RULE + report if rides and (report := _report(folder, slot, seat)) else ""),
            )
            found.append(name)
        return tuple(found)

    for seat in ledger.outside:
        report, name = _report(folder, slot, seat), f"outbox/report-s{slot:04d}-{seat}.txt"
        asked = seat in waits
        if report or asked:
            _put(
                folder, name, _head(game, seat) + _how(game, seat, asked) + (_RULE + report if report else "")
            )
        if asked:
            sheet = f"outbox/orders-s{slot + 1:04d}-{seat}.yaml"
            if folder.read(sheet) is None:
                _put(folder, sheet, sheet_for(game, seat, game.state, ledger.next))
            found += [name, sheet]
        elif report and not own:
            found.append(name)
    return tuple(found)


def _head(game: Game, seat: str) -> str:
    """Return the subject of a letter, and its first lines: which game, for whom, where it stands, by when."""
    words = game.words
    said = headline(game, words)
    subject = tag(About(game=game.id), said)
    return (
        words.phrase(
            "hand.head", subject=subject, title=game.ground.title, game=game.id, seat=seat, stands=said
        )
        + "\n\n"
    )


def _how(game: Game, seat: str, asked: bool) -> str:
    """Return how a letter is answered."""
    words = game.words
    if not asked:
        return words.phrase("hand.over" if game.ledger.over else "hand.nothing") + "\n"
    keyed = game.ledger.seats[seat].key is not None
    sheet = f"orders-s{game.ledger.state_slot + 1:04d}-{seat}.yaml"
    key = "hand.how-answer" if game.questions else "hand.how"
    said = [words.phrase(key, sheet=sheet)]
    if keyed:
        said.append(words.phrase("hand.sign", seat=seat))
    elif takes_values(game, game.announced()):
        said.append(words.phrase("hand.luck"))
    return "\n".join((*said, words.phrase("hand.waits"))) + "\n"


def _report(folder: GameDir, slot: int, seat: str) -> str:
    """Return the report for a seat, without what an earlier call has put above it."""
    text = (folder.read(f"outbox/report-s{slot:04d}-{seat}.txt") or b"").decode("utf-8", "replace")
    if text.startswith(common_words().phrase("hand.subject")):
        return text.partition(_RULE)[2]
    return text


def _put(folder: GameDir, name: str, text: str) -> None:
    if folder.read(name) != text.encode():
        folder.put(name, text.encode())
