"""Lines that show a seat how its orders look: proposed by the rules, and shown only if the judge of the rules
accepts the whole file.

Whatever prints an order that somebody may copy, a letter, a sheet, a briefing, takes it from here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from pbem.core.briefing import Said, Sample, as_file
from pbem.referee.game.replay import Ground

Lines = tuple[Sample, ...]


def samples_of(ground: Ground, state: Any, seat: str, earlier: Sequence[Any] = ()) -> Lines:
    """Return lines that a seat could send now, all as one file; ``state`` is what its side knows, ``earlier``
    its files in force.
    """
    interface, rules = ground.rules.interface, ground.rules
    if interface.over(state) or seat not in interface.seats_to_order(rules, state):
        return ()
    found = (
        tuple(interface.samples(rules, state, seat))
        if interface.samples is not None
        else tuple(_plain(ground, state, seat))
    )
    while found and not _accepted(ground, state, seat, found, earlier):
        found = without_last(found)
    return found


def without_last(lines: Lines) -> Lines:
    """Return lines without the last that others can do without."""
    needed = {need for place, line in enumerate(lines) for need in line.needs if need != place}
    last = next((place for place in reversed(range(len(lines))) if place not in needed), len(lines) - 1)
    kept = [place for place in range(len(lines)) if place != last and last not in lines[place].needs]
    return tuple(
        replace(lines[place], needs=tuple(kept.index(need) for need in lines[place].needs)) for place in kept
    )


def written(lines: Iterable[Sample]) -> tuple[str, ...]:
    """Return lines as somebody would type them, section by section."""
    found: list[str] = []
    for key, value in as_file(lines).items():
        found.append(f"{key}:")
        if isinstance(value, Mapping):
            found += _block(value, "  ")
        else:
            found += [line for entry in value for line in _entry(entry)]
    return tuple(found)


def _block(value: Mapping[str, Any], indent: str) -> Iterator[str]:
    """Yield keys with values, those of a mapping below it: a telephone breaks no line of them."""
    for name, one in value.items():
        if isinstance(one, Mapping):
            yield f"{indent}{name}:"
            yield from _block(one, f"{indent}  ")
        else:
            yield f"{indent}{name}: {_typed(one)}"


def _entry(entry: Any) -> Iterator[str]:
    if not isinstance(entry, Mapping):
        yield f"- {entry}"
        return
    for number, (key, value) in enumerate(entry.items()):
        yield f"{'  ' if number else '- '}{key}: {_typed(value)}"


def _typed(value: Any) -> str:
    """Return a value on one line."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key}: {_typed(one)}" for key, one in value.items()) + "}"
    return "[" + ", ".join(map(_typed, value)) + "]" if isinstance(value, list | tuple) else str(value)


def _accepted(ground: Ground, state: Any, seat: str, lines: Lines, earlier: Sequence[Any]) -> bool:
    """Tell whether the rules have nothing to say against lines, not even a doubt."""
    interface = ground.rules.interface
    orders, problems = interface.read_orders(ground.rules, state, seat, as_file(lines))
    return (
        orders is not None
        and not problems
        and not interface.check(ground.rules, state, orders, tuple(earlier)).problems
    )


def _plain(ground: Ground, state: Any, seat: str) -> Iterator[Sample]:
    """Yield, of a game that proposes nothing, in each phase of the turn the first legal order of somebody who
    has none yet.
    """
    interface, rules = ground.rules.interface, ground.rules
    turn = interface.cursor(state).player_turn
    busy: set[str] = set()
    while not interface.over(state) and interface.cursor(state).player_turn == turn:
        cursor = interface.cursor(state)
        if seat in interface.seats_to_order(rules, state):
            order = next(
                (one for one in interface.legal(rules, state, seat) if not busy & {*_who(one)}), None
            )
            if order is not None:
                busy |= {*_who(order)}
                said = interface.say(order)
                yield Sample(_heading(ground, cursor.phase), said, Said("sample.plain", {"order": said}))
        for event in interface.advance(rules, state):
            state = interface.apply(state, event)


def _who(order: Any) -> tuple[str, ...]:
    who = getattr(order, "who", ())
    return (who,) if isinstance(who, str) else tuple(who)


def _heading(ground: Ground, phase: str) -> str:
    try:
        return ground.rules.sequence.phase(phase).heading or phase
    except KeyError:
        return phase
