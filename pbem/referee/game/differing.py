"""Where a slot that is played again first differs from its archive: short, for a player, and with all that is
known of it.

Short is the first roll that differs, else what the slot came to: the first figure and what of it. Long are
the rolls, the first event, the place in the state, phases, files in force and the next stop. Events are
derived and unsigned in a folder, so what they tell only helps to find the place; the proof is rolls and
states.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from pbem.core.dice import Roll
from pbem.proof.canonical import NotCanonical, decode
from pbem.proof.replaying import SlotToReplay
from pbem.store.library import common_words
from pbem.text.codec import from_json

if TYPE_CHECKING:
    from pbem.referee.game.replay import Outcome

Event = Mapping[str, Any]
_LONG: Final = 160
_SHORT: Final = 40
_FEW: Final = 4
"""A list that is not longer is told whole."""


def told_short(slot: SlotToReplay, made: Outcome) -> str:
    """Return what differs first of a slot, in a sentence: a roll, else what it came to; empty where nothing
    does.
    """
    words, number = common_words(), called(slot.number)
    if tuple(made.rolls) != slot.rolls:
        return _roll_told(number, made.rolls, slot.rolls)
    if list(made.phases) != list(slot.result.get("phases", ())):
        rules, game = (", ".join(map(str, phases)) for phases in (made.phases, slot.result.get("phases", ())))
        return words.phrase("differs.phases", slot=number, rules=rules or _nothing(), game=game or _nothing())
    if made.state_id != slot.result["state"]:
        place = first_place(made.state_data, slot.state_after)
        if place is None:
            return words.phrase("differs.position", slot=number)
        steps, rules, game = place
        return words.phrase(
            "differs.place",
            slot=number,
            place=", ".join(steps[1:] or steps),
            rules=_brief(rules),
            game=_brief(game),
        )
    if list(made.kept) != _kept_in(slot):
        rules, game = _kept_told(made.kept), _kept_told(_kept_in(slot))
        return words.phrase("differs.kept", slot=number, rules=rules, game=game)
    if made.following != bare(slot.result.get("next")):
        rules, game = stop(made.following), stop(slot.result.get("next"))
        return words.phrase("differs.next", slot=number, rules=rules, game=game)
    return ""


def told_long(slot: SlotToReplay, made: Outcome) -> Iterator[str]:
    """Yield everything of a slot that differs."""
    if tuple(made.rolls) != slot.rolls:
        yield other_roll(made.rolls, slot.rolls, made.events)
    if list(made.phases) != list(slot.result.get("phases", ())):
        yield f"the rules play the phases {', '.join(made.phases) or '-'}"
    if made.state_id != slot.result["state"]:
        yield "the rules end in another state"
        yield from (
            part
            for part in (
                other_event(made.events, slot.events),
                other_state(made.state_data, slot.state_after),
            )
            if part
        )
    if list(made.kept) != _kept_in(slot):
        yield f"other files stay in force; by the rules {_kept_told(made.kept)}"
    if made.following != bare(slot.result.get("next")):
        yield f"the rules stop elsewhere, or wait for others: at {stop(made.following)}"


def called(number: int) -> str:
    """Return how a slot is called."""
    return common_words().phrase("differs.slot", number=number)


def bare(following: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """Return ``next`` without what the rules do not decide."""
    return (
        None
        if following is None
        else {key: value for key, value in following.items() if key not in ("due", "engine")}
    )


def stop(following: Mapping[str, Any] | None) -> str:
    """Return where a game stops, and for whom."""
    words = common_words()
    if following is None:
        return words.phrase("differs.next-over")
    asked = next(
        (
            str(question.get("about", ""))
            for question in following.get("questions", ())
            if "answer" not in question
        ),
        "",
    )
    who = ", ".join(following["waits"]) or words.phrase("differs.nobody")
    return words.phrase("differs.next-stop", phase=following["phase"], who=who, asked=asked)


def _nothing() -> str:
    return common_words().phrase("differs.nothing")


def _kept_in(slot: SlotToReplay) -> list[tuple[str, int]]:
    return sorted((entry["seat"], entry["slot"]) for entry in slot.result.get("kept", ()))


def _kept_told(kept: Sequence[tuple[str, int]]) -> str:
    said = [common_words().phrase("differs.kept-one", seat=seat, number=number) for seat, number in kept]
    return ", ".join(said) or _nothing()


def _roll_told(slot: str, made: Sequence[Roll], logged: Sequence[Roll]) -> str:
    words = common_words()
    number = next(
        (n for n, pair in enumerate(zip(made, logged, strict=False)) if pair[0] != pair[1]),
        min(len(made), len(logged)),
    )
    mine, theirs = (rolls[number] if number < len(rolls) else None for rolls in (made, logged))
    if mine is not None and theirs is not None and (mine.label, mine.sides) == (theirs.label, theirs.sides):
        rules, game = _faces(mine), _faces(theirs)
        return words.phrase(
            "differs.roll", slot=slot, number=number + 1, label=mine.label, rules=rules, game=game
        )
    rules, game = _one_roll(mine), _one_roll(theirs)
    return words.phrase("differs.roll-other", slot=slot, number=number + 1, rules=rules, game=game)


def _faces(roll: Roll) -> str:
    return _cut(" ".join(map(str, roll.values)))


def _one_roll(roll: Roll | None) -> str:
    if roll is None:
        return _nothing()
    return common_words().phrase(
        "differs.roll-one", label=roll.label, die=f"d{roll.sides}", values=_faces(roll)
    )


def _brief(value: Any) -> str:
    """Return a value of a state as a player reads it."""
    if value is None or value in ("", [], {}):
        return _nothing()
    if isinstance(value, dict):
        return _cut(", ".join(f"{key} {one}" for key, one in value.items()))
    if isinstance(value, list):
        return _cut(" ".join(map(str, _keyed_by_id(value) or value)))
    return _cut(str(value))


def _cut(text: str) -> str:
    return text if len(text) <= _SHORT else text[:_SHORT] + " …"


def other_roll(made: Sequence[Roll], logged: Sequence[Roll], events: Sequence[Event]) -> str:
    """Return the first roll that differs from the log, and the event it was made for."""
    for number, (mine, theirs) in enumerate(zip(made, logged, strict=False), 1):
        if mine != theirs:
            return (
                f"roll {number}: the rules roll {_shown(mine)}{_event_of(mine, events)}, the log has "
                f"{_shown(theirs)}"
            )
    number = min(len(made), len(logged))
    if len(made) > len(logged):
        return (
            f"roll {number + 1}: the rules also roll "
            f"{_shown(made[number])}{_event_of(made[number], events)}, where the log ends"
        )
    return f"roll {number + 1}: the rules do not roll {_shown(logged[number])}"


def _shown(roll: Roll) -> str:
    return f"{roll.label} d{roll.sides} {list(roll.values)!s:.80}"


def _event_of(roll: Roll, events: Sequence[Event]) -> str:
    event = next((event for event in events if event.get("label") == roll.label), None)
    return "" if event is None else f" (event {event['n']}, {event['type']})"


def read_events(data: bytes | None) -> list[Event] | None:
    """Return the events of an archive, or None where they are not there or are none."""
    try:
        listed = None if data is None else [from_json(line) for line in data.decode().splitlines()]
    except ValueError:
        return None
    return listed if listed is not None and all(isinstance(event, dict) for event in listed) else None


def other_event(made: Sequence[Event], data: bytes | None) -> str:
    """Return the first event that differs from the archive's; empty where none does, or the archive has none
    to compare.
    """
    told = read_events(data)
    if told is None:
        return ""
    mine = [json.loads(json.dumps(event)) for event in made]
    for number, (one, other) in enumerate(zip(mine, told, strict=False), 1):
        if one != other:
            return f"event {number}: the rules tell {_line(one)}, the archive {_line(other)}"
    number = min(len(mine), len(told))
    if len(mine) == len(told):
        return ""
    longer, said = (mine, "the rules also tell") if len(mine) > len(told) else (told, "the rules do not tell")
    return f"event {number + 1}: {said} {_line(longer[number])}"


def _line(event: Event) -> str:
    said = " ".join(f"{key}={value}" for key, value in event.items() if key not in ("n", "type"))
    line = f"{event.get('type', '?')} {said}".rstrip()
    return line if len(line) <= _LONG else line[:_LONG] + " …"


def other_state(made: bytes, data: bytes | None) -> str:
    """Return the first place where a state differs from the archive's; empty where that is not there to
    compare.
    """
    place = first_place(made, data)
    if place is None:
        return ""
    steps, mine, theirs = place
    return f"{'.'.join(('state', *steps))} is {_value(mine)} by the rules and {_value(theirs)} in the archive"


def first_place(made: bytes, data: bytes | None) -> tuple[tuple[str, ...], Any, Any] | None:
    """Return the first place where a state differs from the archive's, of those with a name first, and what
    either has there; or None.
    """
    if data is None:
        return None
    try:
        return _place(decode(made), decode(data), ())
    except NotCanonical:
        return None


def _place(mine: Any, theirs: Any, where: tuple[str, ...]) -> tuple[tuple[str, ...], Any, Any] | None:
    """Return the first difference of two JSON values, by its path."""
    one, other = _keyed(mine), _keyed(theirs)
    if (
        isinstance(mine, list)
        and isinstance(theirs, list)
        and (one is None or other is None)
        and len(mine) == len(theirs) > _FEW
    ):
        one, other = ({str(at): value for at, value in enumerate(values)} for values in (mine, theirs))
    if one is None or other is None:
        return None if mine == theirs else (where, mine, theirs)
    keys = sorted({*one, *other}, key=lambda key: (_keyed_by_id(one.get(key)) is None, key))
    found = (
        _place(one.get(key), other.get(key), (*where, key)) for key in keys if one.get(key) != other.get(key)
    )
    return next((place for place in found if place is not None), None)


def _keyed(value: Any) -> Mapping[str, Any] | None:
    """Return what a value of a state is made of: by key, or by the id of those who have one; None for what
    has no such parts.
    """
    return value if isinstance(value, dict) else _keyed_by_id(value)


def _keyed_by_id(value: Any) -> Mapping[str, Any] | None:
    if not isinstance(value, list) or not all(
        isinstance(one, dict) and isinstance(one.get("id"), str) for one in value
    ):
        return None
    found = {one["id"]: one for one in value}
    return found if len(found) == len(value) and value else None


def _value(value: Any) -> str:
    return "missing" if value is None else f"{value!s:.60}"
