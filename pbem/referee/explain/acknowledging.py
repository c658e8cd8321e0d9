"""What a letter tells of the others' signatures: up to where each of them has signed the history that its
reader is told.

So a game that is told in two ways shows in the next letter: the signatures of those who are told the other
one stop.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from pbem.proof.acknowledged import Acknowledged, acknowledged
from pbem.proof.archive import short_digest
from pbem.referee.explain.letter_brief import Company
from pbem.referee.game.game import Game
from pbem.text.words import Words

LONG: Final = 3
"""Slots that waited for a seat and have no signature of its own, after which its reader is told so before
everything else.
"""
_KINDS: Final = ("manifest", "start", "lock", "result")


def signed_by_others(game: Game, seat: str, company: Company) -> tuple[str, ...]:
    """Return up to where the other seats with keys have signed this history: a sentence for each record,
    whoever signed it.
    """
    words = game.words
    names = company.players or {}
    together: dict[int, list[Acknowledged]] = {}
    for one in acknowledged(game.ledger):
        if one.seat != seat:
            together.setdefault(one.n, []).append(one)
    return tuple(_said(together[n], names, words) for n in sorted(together, reverse=True))


def silent_others(game: Game, seat: str, company: Company) -> tuple[str, ...]:
    """Return for each other seat with a key that has long signed nothing a sentence that says so."""
    words, names = game.words, company.players or {}
    return tuple(
        words.phrase(
            "letter.unsigned-long",
            name=names.get(one.seat, one.seat.capitalize()),
            slot=_slot(one) or "",
            count=one.unsigned,
        )
        for one in acknowledged(game.ledger)
        if one.seat != seat and one.unsigned >= LONG
    )


def _slot(one: Acknowledged) -> int:
    return int(one.record.record.get("slot", 0)) if one.record is not None else 0


def _said(alike: list[Acknowledged], names: Mapping[str, str], words: Words) -> str:
    one, listed = alike[0], [names.get(each.seat, each.seat.capitalize()) for each in alike]
    if one.record is None:
        return words.phrase("letter.signed-nothing", names=listed, count=len(listed))
    kind = str(one.record.record["type"])
    key = kind if kind in _KINDS else "record"
    digest = short_digest(one.record.id)
    return words.phrase(
        f"letter.signed-{key}", names=listed, count=len(listed), slot=_slot(one), n=one.n, digest=digest
    )
