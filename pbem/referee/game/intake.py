"""Why an order file may or may not be used (R4, R5, R8): slot, head, signature, value; the words for each
stand in the catalogue.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Final

from pbem.core.normal import too_new
from pbem.core.problem import Problem
from pbem.core.regex import regex
from pbem.proof.archive import orders_namespace
from pbem.proof.dice_protocol import BadWords, normal_words
from pbem.proof.known import TREES, Value
from pbem.proof.orderfile import OrderFile
from pbem.proof.rules import EARLY
from pbem.proof.signing import BadSignature, fingerprint, signer_of, verify
from pbem.referee.game.game import Game

_PRINTED: Final = regex(
    r"(?:any|some|your|his|her|my)?(?: own)? ?words(?: here| of (?:yours|mine|his|hers|your own))?"
    r"(?:,? ?\(?at least (?:8|eight) letters\)?)?|at least 8 letters"
)
"""Words that stand as a sample in what we print: whoever sends them has chosen none of his own."""


def signature_problem(bad: BadSignature, armored: str, seat: str) -> Problem:
    """Return why a signature is not accepted: there is none, it was made with another key, or for something
    else.
    """
    if not armored:
        return Problem("proof.unsigned", {"seat": seat})
    if bad.reason == "key":
        return Problem("proof.signature", {"fingerprint": fingerprint(signer_of(armored))})
    return Problem("proof.other-use", {"reason": bad.reason})


def words_problem(game: Game, seat: str, typed: str) -> Problem | None:
    """Return why luck words cannot be used by a seat, or None."""
    if (unfit := unfit_words(typed)) is not None:
        return unfit
    words, used = normal_words(typed), game.ledger.used_words(seat)
    return Problem("luck.used", {"slot": used[words]}) if words in used else None


def unfit_words(typed: str) -> Problem | None:
    """Return why words cannot be used for luck, by anybody, or None."""
    try:
        words = normal_words(typed)
    except BadWords as bad:
        return Problem(f"luck.{bad.reason}")
    if letter := too_new(words):
        return Problem("luck.too-new", {"letter": letter, "point": f"U+{ord(letter):04X}"})
    if _PRINTED.fullmatch(words.lower()):
        return Problem("luck.printed", {"words": typed})
    return None


def takes_values(game: Game, announced: Mapping[str, object]) -> bool:
    """Tell whether order files of outside seats may carry a value in the open slot (R3, R9)."""
    return announced["value"] == EARLY and game.ledger.profile == "joint"


def given_problem(game: Game, seat: str, slot: int, value: Value | None, words: str | None) -> Problem | None:
    """Return why a value is not believed, or words cannot be used; None where all is right."""
    known = game.ledger.known.get(seat)
    if value is not None:
        return (
            Problem("proof.chain")
            if known is None or known.accept(game.id, seat, slot, value) is None
            else None
        )
    if known is not None and game.ledger.revision >= TREES:
        return Problem("luck.fixed", {"seat": seat})
    return words_problem(game, seat, words or "")


def value_problem(game: Game, file: OrderFile, early: bool) -> Problem | None:
    """Return why the value in a file cannot be used, or None; a file without one is a draft."""
    if not file.has_value:
        return None
    if not game.ledger.seats[file.seat].outside or not early:
        return Problem("proof.no-value-now", {"slot": file.slot})
    return given_problem(game, file.seat, file.slot, file.value, file.luck)


def file_problems(
    game: Game, announced: Mapping[str, object], file: OrderFile, data: bytes, signature: bytes | None
) -> list[Problem]:
    """Return why an order file with a header is not valid for the open slot (R4)."""
    slot = announced["slot"]
    if file.game != game.id:
        return [Problem("orders.other-game", {"game": file.game}, help=f"this is the game {game.id}")]
    if file.slot != slot or file.head != game.ledger.next_id:
        if file.slot == slot:
            return [
                Problem("proof.other-history", {"head": file.head[:16], "this": game.ledger.next_id[:16]})
            ]
        return [Problem("proof.old-report", {"old": file.slot, "open": int(str(slot))})]
    found: list[Problem] = []
    key = game.ledger.seats[file.seat].key
    if key is not None:
        try:
            namespace = orders_namespace(game.id, file.slot, file.seat, file.head)
            verify(
                key, namespace, hashlib.sha512(data).digest(), (signature or b"").decode("ascii", "replace")
            )
        except BadSignature as bad:
            found.append(signature_problem(bad, (signature or b"").decode("ascii", "replace"), file.seat))
    wrong = value_problem(game, file, takes_values(game, announced))
    return [*found, wrong] if wrong is not None else found
