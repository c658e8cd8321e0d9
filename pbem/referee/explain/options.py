"""What a seat may order now: as data, and as an order sheet in which lines are uncommented.

What stands on the sheet is told by the rules (``RulesetInterface.sheet``); here it is laid out, narrow enough
for a telephone.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from pbem.core.briefing import Sample
from pbem.core.sequence import Cursor
from pbem.core.sheet import Choices, Entry
from pbem.proof.rules import EARLY
from pbem.referee.explain.samples import samples_of, written
from pbem.referee.game.game import Game
from pbem.referee.game.refusal import refuse
from pbem.referee.game.replay import Ground, open_questions
from pbem.referee.game.turns import of_phase
from pbem.referee.game.views import known_state
from pbem.text.codec import to_plain
from pbem.text.words import Words

WIDE = 60
"""Columns of a sheet: what a telephone held upright can show."""
PAGE = 40
"""Lines for one figure at most."""


class UnitOptions(Struct, frozen=True):
    """One unit and its legal orders, as data."""

    id: str
    orders: tuple[Mapping[str, Any], ...]


def unit_options(ground: Ground, state: Any, seat: str) -> tuple[UnitOptions, ...]:
    """Return every unit of a seat that may do something in the open phase, with what it may do."""
    found: dict[str, list[Mapping[str, Any]]] = {}
    for order in ground.rules.interface.legal(ground.rules, state, seat):
        found.setdefault(_unit(order), []).append(_plain(order))
    return tuple(UnitOptions(unit, tuple(orders)) for unit, orders in sorted(found.items()))


def _unit(order: Any) -> str:
    who = getattr(order, "who", "")
    first = who if isinstance(who, str) else next(iter(who), "")
    return first or str(getattr(order, "what", "")) or "-"


def _plain(order: Any) -> Mapping[str, Any]:
    plain = to_plain(order) if isinstance(order, Struct) else {"do": str(order)}
    assert isinstance(plain, Mapping)
    return plain


def options(game: Game, seat: str | None) -> tuple[str, str, tuple[UnitOptions, ...]]:
    """Return the seat, the open phase, and what its units may do."""
    name = which_seat(game, seat)
    return (
        name,
        str(game.announced()["phase"]),
        unit_options(game.ground, known_state(game.ground, game.state, game.sides[name]), name),
    )


def which_seat(game: Game, seat: str | None) -> str:
    """Return the named seat, or the only one that is waited for; Refused where that is not clear."""
    if seat is not None:
        return game.seat_of(seat)
    waits = game.announced()["waits"]
    if len(waits) != 1:
        raise refuse("options.which", help="--seat, one of " + ", ".join(waits or sorted(game.ledger.seats)))
    return str(waits[0])


def sheet_for(
    game: Game,
    seat: str,
    state: Any,
    announced: Mapping[str, Any] | None,
    schema: str = "",
    samples: Sequence[Sample] | None = None,
) -> str:
    """Return the order sheet of a seat, made of what its side knows of a state."""
    known = known_state(game.ground, state, game.sides[seat])
    return order_sheet(game.ground, game.id, known, announced, seat, schema, samples)


def order_sheet(
    ground: Ground,
    game: str,
    state: Any,
    announced: Mapping[str, Any] | None,
    seat: str,
    schema: str = "",
    samples: Sequence[Sample] | None = None,
    found: Sequence[tuple[str, tuple[Entry, ...]]] | None = None,
) -> str:
    """Return an order sheet as YAML: what may be ordered stands in comments, to be uncommented.

    ``samples`` are lines that the seat could send now, for sections into which nothing else fits yet; they
    are made if there are none.
    ``found`` is what ``stages`` yields.
    """
    words = ground.words
    cursor = ground.rules.interface.cursor(state)
    lines = [f"# yaml-language-server: $schema={schema}"] if schema else []
    head = words.phrase("sheet.head", title=ground.title, turn=of_phase(ground, state, str(cursor)))
    placing = bool(ground.rules.interface.zones(ground.rules, state, None))
    rest = words.phrase("brief.zone-rest" if placing else "sheet.stay")
    lines += [line for said in (*head.splitlines(), rest) for line in _comment(said, "# ")]
    lines += [f"game: {game}", f"seat: {seat}"]
    questions = [question for question in open_questions(announced) if question["seat"] == seat]
    if questions:
        return "\n".join([*lines, *_questions(questions, words), ""])
    lines.append(f"turn: {player_turn(cursor)}")
    values = values_of(ground, state, seat)
    bare: list[str] = []
    before: dict[tuple[str, tuple[Choices, ...]], str] = {}
    for phase, entries in (
        {cursor.phase: ()} | dict(stages(ground, state, seat) if found is None else found)
    ).items():
        if entries:
            lines += ["", f"{_heading(ground, phase)}:"]
            lines += _comment(words.phrase("sheet.as-now"), "# ") if phase != cursor.phase else []
            lines += laid_out(entries, words, before, values)
            before |= {
                (entry.unit, entry.choices): _heading(ground, phase) for entry in reversed(entries)
            } | before
        elif phase == cursor.phase:
            lines += ["", *_comment(words.phrase("sheet.nothing"), "# ")]
        else:
            bare.append(_heading(ground, phase))

    shown = samples if samples is not None else samples_of(ground, state, seat)
    lines += [line for heading in bare for line in _sampled(shown, heading, words)]
    if unknown := [heading for heading in bare if not any(line.heading == heading for line in shown)]:
        lines += ["", *_comment(words.phrase("sheet.later", headings=unknown), "# ")]
    lines += _instructions(shown, words)
    lines += [""]
    if announced is not None and seat in announced["waits"] and announced["value"] == EARLY:
        rolls = ground.rules.interface.may_roll(ground.rules, state)
        lines.append("# " + words.phrase("sheet.luck" if rolls else "sheet.final"))
    return "\n".join([*lines, ""])


def values_of(ground: Ground, state: Any, seat: str) -> dict[str, str]:
    """Return the numbers of everybody whom a seat orders, as the map shows them: ``7-7-5``."""
    call = ground.rules.interface.roll_call
    return (
        {one.id: "-".join(one.values) for one in call(ground.rules, state, seat) if one.seat == seat}
        if call is not None
        else {}
    )


def _sampled(samples: Sequence[Sample], heading: str, words: Words) -> Iterator[str]:
    """Yield a section into which nothing fits as things are now, with the lines that fit together with
    others.
    """
    mine = [line for line in samples if line.heading == heading]
    if not mine:
        return
    yield from ("", f"{heading}:")
    for line in mine:
        if not line.needs:
            yield from _comment(words.phrase("sheet.in-time"), "# ")
        _, *typed = written([line])
        yield from (f"#{part}" for part in typed)
        if line.needs:
            with_ = [f"{samples[need].entry} ({samples[need].heading})" for need in line.needs]
            yield from _comment(words.phrase("sheet.with", lines=with_), "#    ", "#      ")


def _instructions(samples: Sequence[Sample], words: Words) -> Iterator[str]:
    """Yield samples that stand in no section: what is told once for all."""
    for line in samples:
        if isinstance(line.entry, Mapping) and "when" not in line.entry:
            yield from ("", *_comment(words.phrase("sheet.standing"), "# "))
            yield from (f"#{part}" for part in written([line]))


def stages(ground: Ground, state: Any, seat: str) -> Iterator[tuple[str, tuple[Entry, ...]]]:
    """Yield the open phase and those after it in the same player turn, with what a seat could order if
    nothing happened before.
    """
    interface = ground.rules.interface
    turn = interface.cursor(state).player_turn
    while not interface.over(state) and interface.cursor(state).player_turn == turn:
        if seat in interface.seats_to_order(ground.rules, state):
            yield interface.cursor(state).phase, tuple(interface.sheet(ground.rules, state, seat))
        for event in interface.advance(ground.rules, state):
            state = interface.apply(state, event)


def player_turn(cursor: Cursor) -> str:
    """Return the player turn as an order file names it, so that an old sheet is refused."""
    said = str(cursor).removesuffix(f".{cursor.action}" if cursor.action else "")
    return said.rpartition(".")[0] if said.endswith(f".{cursor.phase}") else said


def laid_out(
    entries: Sequence[Entry],
    words: Words,
    before: Mapping[tuple[str, tuple[Choices, ...]], str],
    values: Mapping[str, str] | None = None,
) -> Iterator[str]:
    """Yield the lines of a section: for each figure who it is, then its sentences to uncomment, each with
    what is known of it.

    Of a figure that had the very same in a section ``before``, only that is said. ``values`` are the numbers
    of figures.
    """
    told: dict[tuple[tuple[str, tuple[str, ...]], ...], str] = {}
    for entry in entries:
        yield ""
        if heading := before.get((entry.unit, entry.choices)):
            yield from _comment(
                words.phrase("sheet.as-before", unit=entry.unit, heading=heading), "# ", "#   "
            )
            continue
        shown = values.get(entry.unit, "") if values else ""
        numbers = f", {shown}" if shown and shown not in entry.about else ""
        about = f": {words.put(entry.about)}" if entry.about else ""
        yield from _comment(f"{entry.unit}{about}{numbers if about else ''}", "# ", "#   ")
        lines = 0
        for number, choice in enumerate(entry.choices):
            block = list(_choice(choice, told.get(choice.others, ""), words))
            told.setdefault(choice.others, entry.unit)
            lines += len(block)
            if lines > PAGE and number:
                yield "#    " + words.phrase("sheet.more", number=len(entry.choices) - number)
                break
            yield from block
        if entry.rest:
            said = words.phrase("sheet.rest", rest=words.put(entry.rest))
            yield from _comment(said, "#    ", "#      ")


def _choice(choice: Choices, told: str, words: Words) -> Iterator[str]:
    """Yield one sentence with what is known of it; what may stand in the place of its end only where it was
    not told before.
    """
    yield f"#- {choice.sentence}"
    for note in choice.notes:
        yield from _comment(words.put(note), "#    ", "#      ")
    if sum(len(listed) for _, listed in choice.others) < 2 and not any(title for title, _ in choice.others):
        return
    if told:
        yield "#    " + words.phrase("sheet.as", unit=told)
        return
    for title, listed in choice.others:
        joint = ", " if any(" " in word or not word[:1].isdigit() for word in listed) else " "
        yield from _comment(
            (f"{words.put(title)}: " if title else "") + joint.join(listed), "#    ", "#      "
        )


def _comment(said: str, first: str, further: str = "") -> list[str]:
    return textwrap.wrap(
        said,
        WIDE,
        initial_indent=first,
        subsequent_indent=further or first,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _heading(ground: Ground, phase: str) -> str:
    try:
        return ground.rules.sequence.phase(phase).heading or phase
    except KeyError:
        return phase


def _questions(questions: Sequence[Mapping[str, Any]], words: Words) -> list[str]:
    lines = ["", "answers:"]
    for question in questions:
        said = words.phrase(
            "sheet.question",
            about=question["about"],
            unit=question.get("unit", ""),
            why=question.get("why", ""),
        )
        lines.append(f"# {question['id']}: {said}")
        if question["kind"] == "some":
            of = [choice["value"] for choice in question["choices"]]
            note = words.phrase(
                "sheet.some",
                least=question.get("min", 0),
                most=question.get("max", 0) or len(of),
                of=" ".join(of),
            )
            lines.append(
                f"#  {question['id']}: {question['default']}   # {words.phrase('sheet.default')}; {note}"
            )
            continue
        for choice in question["choices"]:
            default = choice["value"] == question["default"] or choice["id"] == question["default"]
            note = f"   # {words.phrase('sheet.default')}" if default else ""
            said = f" {words.put(choice['said'])}" if choice.get("said") else ""
            lines.append(f"#  {question['id']}: {choice['value']}{said and '   #' + said}{note}")
    return lines
