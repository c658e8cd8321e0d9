"""What a seat may order now: as data, and as an order sheet in which lines are uncommented."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from itertools import islice, takewhile
from typing import Any

from pbem.proof.rules import EARLY
from pbem.referee.game import Game
from pbem.referee.refusal import refuse
from pbem.referee.replay import Ground, open_questions
from pbem.store.library import english
from pbem.text.codec import to_plain

MOST = 4_000
"""Legal orders looked at for one sheet."""
WIDE = 100
"""Columns of a sheet."""


@dataclass(frozen=True, slots=True)
class UnitOptions:
    """One unit and its legal orders: as data, and as sentences, those together that differ in nothing but the place or the target."""

    id: str
    orders: tuple[Mapping[str, Any], ...]
    alike: tuple[tuple[str, ...], ...]


def unit_options(ground: Ground, state: Any, seat: str) -> tuple[UnitOptions, ...]:
    """Return every unit of a seat that may do something in the open phase, with what it may do."""
    doors = ground.rules.doors
    found: dict[str, list[Any]] = {}
    for order in islice(doors.legal(ground.rules, state, seat), MOST):
        found.setdefault(_unit(order), []).append(order)
    return tuple(
        UnitOptions(
            id=unit,
            orders=tuple(_plain(order) for order in orders),
            alike=tuple(tuple(doors.say(order) for order in group) for group in alike(orders)),
        )
        for unit, orders in sorted(found.items())
    )


def alike(orders: Sequence[Any]) -> Sequence[Sequence[Any]]:
    """Return orders in groups: one kind, and everything the same but one list (of places, or of targets)."""
    groups: list[tuple[str, list[Any]]] = []
    for order in orders:
        for n, (varies, group) in enumerate(groups):
            name = _only_difference(group[0], order)
            if name and varies in ("", name):
                groups[n] = (name, [*group, order])
                break
        else:
            groups.append(("", [order]))
    return [group for _, group in groups]


def _only_difference(one: Any, other: Any) -> str:
    """Return the one list in which two orders differ; empty where it is more, or something else, or who is ordered."""
    if type(one) is not type(other) or not is_dataclass(one):
        return ""
    names = [field.name for field in fields(one) if getattr(one, field.name) != getattr(other, field.name)]
    return names[0] if len(names) == 1 and names[0] != "who" and isinstance(getattr(one, names[0]), tuple) else ""


def _unit(order: Any) -> str:
    who = getattr(order, "who", "")
    first = who if isinstance(who, str) else next(iter(who), "")
    return first or str(getattr(order, "what", "")) or "-"


def _plain(order: Any) -> Mapping[str, Any]:
    plain = to_plain(order) if is_dataclass(order) else {"do": str(order)}
    assert isinstance(plain, Mapping)
    return plain


def options(game: Game, seat: str | None) -> tuple[str, str, tuple[UnitOptions, ...]]:
    """Return the seat, the open phase, and what its units may do."""
    name = which_seat(game, seat)
    return name, str(game.announced()["phase"]), unit_options(game.ground, game.state, name)


def which_seat(game: Game, seat: str | None) -> str:
    """Return the named seat, or the only one that is waited for; Refused where that is not clear."""
    if seat is not None:
        return game.seat_of(seat)
    waits = game.announced()["waits"]
    if len(waits) != 1:
        raise refuse("options.which", help="--seat, one of " + ", ".join(waits or sorted(game.ledger.seats)))
    return str(waits[0])


def order_sheet(ground: Ground, game: str, state: Any, announced: Mapping[str, Any] | None, seat: str, schema: str = "") -> str:
    """Return an order sheet as YAML: what may be ordered stands in comments, to be uncommented."""
    words = english()
    cursor = ground.rules.doors.cursor(state)
    lines = [f"# yaml-language-server: $schema={schema}"] if schema else []
    lines += [f"# {line}" for line in words.phrase("sheet.head", title=ground.title, phase=str(cursor)).splitlines()]
    lines += [f"game: {game}", f"seat: {seat}"]
    questions = [question for question in open_questions(announced) if question["seat"] == seat]
    if questions:
        return "\n".join([*lines, *_questions(questions), ""])
    bare: list[str] = []
    offered = dict(stages(ground, state, seat))
    for phase, units in ({cursor.phase: ()} | offered).items():
        if units:
            lines += ["", f"{_heading(ground, phase)}:"]
            lines += ["# " + words.phrase("sheet.as-now")] if phase != cursor.phase else []
            lines += choices(units)
        elif phase == cursor.phase:
            lines += ["", "# " + words.phrase("sheet.nothing")]
        else:
            bare.append(_heading(ground, phase))
    if bare:
        lines += ["", "# " + words.phrase("sheet.later", headings=bare)]
    lines += [""]
    if announced is not None and seat in announced["waits"] and announced["value"] == EARLY:
        lines.append("# " + words.phrase("sheet.luck"))
    return "\n".join([*lines, ""])


def stages(ground: Ground, state: Any, seat: str) -> Iterator[tuple[str, tuple[UnitOptions, ...]]]:
    """Yield the open phase and those after it in the same player turn, with what a seat could order if nothing happened before."""
    doors = ground.rules.doors
    turn = doors.cursor(state).player_turn
    while not doors.over(state) and doors.cursor(state).player_turn == turn:
        if seat in doors.seats_to_order(ground.rules, state):
            yield doors.cursor(state).phase, unit_options(ground, state, seat)
        for event in doors.advance(ground.rules, state):
            state = doors.apply(state, event)


def choices(units: Sequence[UnitOptions]) -> Iterator[str]:
    """Yield the units with one sentence for each kind of order, and below it what else can stand in its place."""
    words = english()
    told: dict[tuple[str, ...], str] = {}
    for unit in units:
        yield f"# {unit.id}"
        for group in unit.alike:
            yield f"#- {group[0]}"
            tails = _tails(group)
            if len(tails) < 2:
                continue
            if tails in told:
                yield "#    " + words.phrase("sheet.as", unit=told[tails])
                continue
            told[tails] = unit.id
            joint = " " if not any(" " in tail for tail in tails) else " | "
            yield from textwrap.wrap(
                words.phrase("sheet.also", others=joint.join(tails[1:])),
                WIDE,
                initial_indent="#    ",
                subsequent_indent="#    ",
                break_long_words=False,
                break_on_hyphens=False,
            )


def _tails(group: Sequence[str]) -> tuple[str, ...]:
    """Return in what each sentence differs from the others: its words after those that all begin with."""
    split = [sentence.split() for sentence in group]
    shared = len([*takewhile(lambda words: len(set(words)) == 1, zip(*split, strict=False))])
    return tuple(" ".join(sentence[shared:]) for sentence in split)


def _heading(ground: Ground, phase: str) -> str:
    try:
        return ground.rules.sequence.phase(phase).heading or phase
    except KeyError:
        return phase


def _questions(questions: Sequence[Mapping[str, Any]]) -> list[str]:
    words = english()
    lines = ["", "answers:"]
    for question in questions:
        said = words.phrase("sheet.question", about=question["about"], unit=question.get("unit", ""), why=question.get("why", ""))
        lines.append(f"# {question['id']}: {said}")
        for choice in question["choices"]:
            default = choice["value"] == question["default"] or choice["id"] == question["default"]
            note = f"   # {words.phrase('sheet.default')}" if default else ""
            said = f" {choice['said']}" if choice.get("said") else ""
            lines.append(f"#  {question['id']}: {choice['value']}{said and '   #' + said}{note}")
    return lines
