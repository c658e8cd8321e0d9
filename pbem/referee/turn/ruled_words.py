"""What a ruling or a correction is told as: on whose word, why, and what is different after it.

To a seat it tells of the state what that seat's side sees, before and after: what is hidden from it does not
differ. Of the rolls of a correction it tells only where nothing is hidden.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from pbem.post.write.cover import one_line
from pbem.proof.history import Slot
from pbem.proof.ruled import RULE
from pbem.referee.game.game import Game
from pbem.referee.game.turns import names_of_seats, of_slot
from pbem.referee.game.views import hides, known_state, side_of
from pbem.text.words import Words

LONGEST: Final = 400
"""Characters of a reason that are told; all of it is in the ledger."""
MOST: Final = 8
"""So many changes of the state are told one by one."""
_VALUE: Final = 60


def notes(game: Game, number: int, seat: str | None) -> Iterator[str]:
    """Yield what a seat (None: the umpire) reads of a slot that is a ruling or a correction; nothing of
    others, and of a slot that was corrected that it was.
    """
    slot, words = game.ledger.slots.get(number), game.words
    if slot is None:
        return
    if later := game.ledger.corrected_by(number):
        yield words.phrase("ruled.corrected", slot=later)
    if not slot.act or slot.result is None:
        return
    word = word_of(game, slot, words)
    if slot.act == RULE:
        yield words.phrase("ruled.rule", word=word)
    else:
        turn = of_slot(game, number)
        yield words.phrase("ruled.correct", turn=turn, slot=slot.corrects, word=word)
    if slot.result["why"]:
        yield words.phrase("ruled.why", why=one_line(str(slot.result["why"]), LONGEST))
    yield from different(game, slot, seat)
    if "next" in slot.result:
        yield words.phrase("ruled.void")


def different(game: Game, slot: Slot, seat: str | None) -> Iterator[str]:
    """Yield what is different after a ruling or a correction: of the rolls, where nothing is hidden, and of
    the state as a seat knows it.
    """
    words = game.words
    if slot.corrects:
        if seat is None or not hides(game.ground.rules):
            yield from _rolls(game, slot, words)
        old = game.ledger.slots[slot.corrects]
        before = game.state_after(old.number, str((old.result or {})["state"]))
    else:
        before = game.state_after(slot.state_before_slot, slot.state_before)
    after = game.state_after(slot.number, str((slot.result or {})["state"]))
    side = side_of(game, seat)
    plain = game.ground.rules.interface.state_to_plain
    one, other = (
        plain(game.ground.rules, known_state(game.ground, state, side)) for state in (before, after)
    )
    found = list(changes(one, other))
    if not found:
        yield words.phrase(
            "ruled.same" if seat is None or not hides(game.ground.rules) else "ruled.same-seen"
        )
        return
    told = "; ".join(found[:MOST])
    yield words.phrase(
        "ruled.state", count=len(found), told=told, more=len(found) - MOST if len(found) > MOST else ""
    )


def _rolls(game: Game, slot: Slot, words: Words) -> Iterator[str]:
    old = {roll.label: roll for roll in game.ledger.slots[slot.corrects].rolls}
    new = {roll.label: roll for roll in slot.rolls}
    kept = [label for label in new if label in old]
    yield words.phrase("ruled.kept", count=len(kept), all=len(old))
    fresh, gone = ([label for label in one if label not in other] for one, other in ((new, old), (old, new)))
    yield words.phrase("ruled.rolls", fresh=_some(fresh), count=len(fresh), gone=_some(gone), left=len(gone))


def _some(labels: list[str]) -> str:
    told = ", ".join(label.partition("/")[2] for label in labels[:MOST])
    return f"{told} …" if len(labels) > MOST else told


def word_of(game: Game, slot: Slot, words: Words) -> str:
    """Return on whose word a ruling or a correction stands, with the names of the sides."""
    names = names_of_seats(game)
    agreed = sorted(entry["seat"] for entry in (slot.result or {}).get("consents", ()))
    left = [name for name in game.ledger.outside if name not in agreed]
    if not agreed:
        return words.phrase("ruled.on-word")
    key = "ruled.agreed-some" if left else "ruled.agreed"
    sides = [names.get(name, name) for name in agreed]
    return words.phrase(key, sides=sides, others=[names.get(name, name) for name in left])


def changes(one: Any, other: Any, where: tuple[str, ...] = ()) -> Iterator[str]:
    """Yield each place in which two plain values differ, with what stands there before and after."""
    if one == other:
        return
    mine, theirs = _keyed(one), _keyed(other)
    if mine is not None and theirs is not None:
        for key in [*mine, *(key for key in theirs if key not in mine)]:
            if key not in theirs:
                yield _told((*where, key), _brief(mine[key]), "–")
            elif key not in mine:
                yield _told((*where, key), "–", _brief(theirs[key]))
            else:
                yield from changes(mine[key], theirs[key], (*where, key))
    else:
        yield _told(where, _brief(one), _brief(other))


def _keyed(value: Any) -> Mapping[str, Any] | None:
    """Return what is at the places of a value that has any, by name; a list of things with ids has those."""
    if isinstance(value, Mapping):
        return {str(key): inner for key, inner in value.items()}
    if (
        isinstance(value, list | tuple)
        and value
        and all(isinstance(item, Mapping) and "id" in item for item in value)
    ):
        return {str(item["id"]): item for item in value}
    return None


def _told(where: tuple[str, ...], before: str, after: str) -> str:
    return f"{' '.join(where)}: {before} → {after}"


def _brief(value: Any) -> str:
    if isinstance(value, list | tuple) and not any(isinstance(item, Mapping) for item in value):
        said = " ".join(map(_brief, value)) or "–"
    elif isinstance(value, Mapping):
        said = " ".join(f"{key} {_brief(inner)}" for key, inner in value.items() if key != "id")
    else:
        said = str(value)
    return said if len(said) <= _VALUE else f"{said[:_VALUE]}…"
