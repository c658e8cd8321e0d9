"""Builds the report of a turn as a neutral document: what happened, in which order, with every die and its
reckoning.

It decides how a report is grouped; it knows no markup (``text/markup.py``) and no rule of any game. It is
made from the list of events and nothing else, so that a report can be made again at any time and says the
same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from pbem.core.telling import SILENT, Telling
from pbem.text.teller import Teller
from pbem.text.words import ENGLISH, Words, speaking

__all__ = [
    "Block",
    "Code",
    "Document",
    "Facts",
    "Header",
    "Heading",
    "Image",
    "Items",
    "Line",
    "Paragraph",
    "Quote",
    "RollRow",
    "RollTable",
    "Roster",
    "RosterRow",
    "build",
    "lines",
    "reckoning",
    "roll_row",
]

Event = Mapping[str, Any]


class Heading(Struct, frozen=True):
    """A heading; ``level`` 2 or 3 (the title of the document is 1)."""

    text: str
    level: int = 2


class Paragraph(Struct, frozen=True):
    """Some sentences."""

    text: str


class Items(Struct, frozen=True):
    """A list of sentences."""

    items: tuple[str, ...]


class Facts(Struct, frozen=True):
    """Names and values, such as the score."""

    rows: tuple[tuple[str, str], ...]


class RollRow(Struct, frozen=True):
    """One roll: its label, what the die showed, the table and column, the base with every modifier, the row
    and the result.
    """

    label: str
    die: str
    table: str
    column: str
    base: str
    modifiers: tuple[str, ...]
    row: str
    result: str
    rule: str = ""


class RollTable(Struct, frozen=True):
    """All rolls of a phase."""

    title: str
    heads: tuple[str, ...]
    """The words over label, die, reckoning, table, row and result."""
    rows: tuple[RollRow, ...]


class Quote(Struct, frozen=True):
    """What a player wrote; it is shown as his, never as ours."""

    who: str
    text: str


class Image(Struct, frozen=True):
    """A picture beside the report: a relative path and the words for those who do not see it."""

    path: str
    alt: str


class Code(Struct, frozen=True):
    """Text that stands as it is, such as a command or a digest; folded away behind ``title`` where the markup
    can.

    ``language`` ``chart`` means characters that must stay below one another.
    """

    text: str
    title: str = ""
    language: str = ""


class RosterRow(Struct, frozen=True):
    """Somebody on a roster: what stands in the columns, and a note below them."""

    cells: tuple[str, ...]
    note: str = ""


class Roster(Struct, frozen=True):
    """People or things, one a row, in columns so few and short that a telephone shows them
    beside each other.
    """

    heads: tuple[str, ...]
    """The words over the columns."""
    rows: tuple[RosterRow, ...]

    def lines(self) -> tuple[str, ...]:
        """Return each row as a sentence, for where there are no columns."""
        return tuple(
            ": ".join(part for part in (", ".join(cell for cell in row.cells if cell), row.note) if part)
            for row in self.rows
        )


Block = Heading | Paragraph | Items | Facts | RollTable | Roster | Quote | Image | Code


class Document(Struct, frozen=True):
    """A report: title, one sentence that says it all, and blocks."""

    title: str
    lead: str
    blocks: tuple[Block, ...]
    short: int = 0
    """So many of the blocks, from the first, tell it in short; what follows is the same in full. 0: there is
    no such part.
    """


class Header(Struct, frozen=True):
    """What a report says round the events: title, pictures, description of the map, and how
    to check it all.
    """

    title: str
    lead: str = ""
    """One sentence; without it the report counts losses itself."""
    facts: tuple[tuple[str, str], ...] = ()
    """Game, slot, dates: names and values."""
    notes: tuple[str, ...] = ()
    """What is to be known before everything else, such as who sent nothing."""
    images: tuple[tuple[str, str], ...] = ()
    """Relative path and alternative text of each picture, the whole map first."""
    description: str = ""
    """The map in words."""
    chart: str = ""
    """The map in characters."""
    record: tuple[str, ...] = ()
    """What is kept beside the map, in sentences."""
    reconstructed: tuple[str, ...] = ()
    """Names of tables whose numbers are a reconstruction."""
    verify: str = ""
    """The command that checks the game."""
    digest: str = ""
    """Digest of the head of the signed chain."""
    signed: tuple[str, ...] = ()
    """Up to where others have signed that chain, in sentences."""
    slot: int = 0
    """The slot by which the signed chain counts this turn; 0: it is not told."""
    sides: Mapping[str, str] | None = None
    """Side or seat id -> its name."""
    template: str = ""
    """The order file for the next turn, to be filled in."""


def build(
    events: Sequence[Event],
    words: Words,
    names: Mapping[str, str],
    header: Header,
    telling: Telling | None = None,
) -> Document:
    """Return the report of some events (plain), grouped by phase, in the order they happened; ``telling`` is
    how their game tells them.
    """
    told = Teller(words, names, header.sides or {}, telling)
    blocks: list[Block] = []
    if header.facts:
        blocks.append(Facts(header.facts))
    blocks.extend(Paragraph(note) for note in header.notes)
    blocks.extend(Image(path, alt) for path, alt in header.images)
    short = tuple(told.sentence(event) for event in events if told.matters(event))
    if short:
        blocks += [Heading(words.phrase("report.in-short")), Items(short)]
    said = [event for event in events if event["type"] == "Said" and str(event.get("text", "")).strip()]
    if said:
        blocks.append(Heading(words.phrase("report.messages")))
        blocks.extend(Quote(told.side(event.get("seat", "")), str(event["text"])) for event in said)
    in_short = len(blocks)
    for phase in _phases(events):
        blocks.extend(_phase_blocks(phase, told, words))
    if header.record:
        blocks += [
            Heading(words.phrase("report.record")),
            Items(tuple(words.put_lines(line) for line in header.record)),
        ]
    if header.description:
        blocks += [
            Heading(words.phrase("report.map-in-words")),
            Code(header.description, words.phrase("report.map-in-words")),
        ]

    if header.chart:
        blocks.append(Code(header.chart, words.phrase("report.map-in-characters"), "chart"))
    if header.template:
        blocks += [
            Heading(words.phrase("report.next-orders")),
            Code(header.template, words.phrase("report.order-sheet"), "yaml"),
        ]

    blocks.extend(_footer(header, words))
    return Document(header.title, header.lead or told.lead(events), tuple(blocks), in_short)


class _Phase(Struct, frozen=True):
    heading: Event | None
    name: str
    events: tuple[Event, ...]


def _phases(events: Sequence[Event]) -> Iterator[_Phase]:
    """Yield runs of events of one phase; a new one begins with ``PhaseBegan`` or where the envelope names
    another phase.
    """
    heading: Event | None = None
    name = ""
    run: list[Event] = []
    for event in events:
        phase = str(event.get("phase", name))
        begins = event["type"] == "PhaseBegan"
        if begins or phase != name:
            if run:
                yield _Phase(heading, name, tuple(run))
            heading, name, run = (event if begins else None), phase, []
        run.append(event)
    if run:
        yield _Phase(heading, name, tuple(run))


def _phase_blocks(phase: _Phase, told: Teller, words: Words) -> Iterator[Block]:
    said = list(lines(phase.events, told, words))
    if not said:
        return
    yield Heading(told.phase_title(phase.heading, phase.name))
    yield Items(tuple(line.text for line in said))
    rolls = [event for event in phase.events if event["type"] == "Rolled"]
    if rolls:
        heads = tuple(
            words.phrase(f"report.roll-{name}")
            for name in ("label", "die", "reckoning", "table", "row", "result")
        )
        yield RollTable(words.phrase("report.dice"), heads, tuple(roll_row(event, words) for event in rolls))


class Line(Struct, frozen=True):
    """An event as the report tells it, and the roll that it is told with, if any."""

    event: Event
    text: str
    roll: Event | None = None


def lines(events: Sequence[Event], told: Teller, words: Words) -> Iterator[Line]:
    """Yield what is told of the events of one phase, in their order; a roll that decided something is told
    with it.
    """
    telling = told.telling
    shown = [event for event in events if event["type"] not in SILENT and not telling.silent(event, events)]
    rolls = _deciding(events, telling)
    used = {id(rolls[id(event)]) for event in shown if id(event) in rolls}
    for event in shown:
        if event["type"] == "Rolled":
            if id(event) not in used:
                yield Line(event, told.sentence(event, reckoning(event, words)), event)
            continue
        roll = rolls.get(id(event))
        text = told.sentence(event, reckoning(roll, words) if roll is not None else "")
        yield Line(event, telling.more(told, text, event, events), roll)


def _deciding(events: Sequence[Event], telling: Telling) -> dict[int, Event]:
    """Return event (by ``id``) -> the roll that decided it: the nearest before it whose name says so."""
    found: dict[int, Event] = {}
    rolls: list[tuple[Event, list[str]]] = []
    for event in events:
        if event["type"] == "Rolled":
            rolls.append((event, str(event.get("label", "")).split("/")))
            continue
        roll = next((roll for roll, label in reversed(rolls) if telling.decided(event, label)), None)
        if roll is not None:
            found[id(event)] = roll
    return found


def _shift(reason: Event, words: Words) -> str:
    rule = f" ({reason['rule']})" if reason.get("rule") else ""
    label = words.put(str(reason.get("label", "")))
    return f"{int(reason.get('shift', 0)):+d} {label}{rule}".strip()


def reckoning(event: Event, words: Words) -> str:
    """Return how a roll came to its result, in one line: the die, every modifier with its rule, table,
    column, row and result.

    Where the base is the die itself, or the row is not the die, the modifiers moved the die; else they moved
    the column.
    """
    values = tuple(int(value) for value in event.get("values", ()))
    die, bare = _die(values, words), _is_bare(event, words)
    reasons = [_shift(reason, words) for reason in event.get("tally", ())]
    row = int(event.get("row", 0))
    table, column = _table(event, words), words.put(str(event.get("column", "")))
    base = "" if bare else words.put(str(event.get("base", "")))
    if bare or (row and row != sum(values)):
        total = sum(values) + sum(int(reason.get("shift", 0)) for reason in event.get("tally", ()))
        first = ", ".join([die, *reasons]) + (f" = {total}" if reasons else "")
        if row and row != total:
            first += ", " + words.phrase("report.read-as", row=row)
        where = ", ".join(part for part in (base, table, column) if part)
    else:
        first = die
        start = ", ".join(part for part in (base, *reasons) if part)
        shown = words.phrase("report.column", column=column, start=start) if column else start
        where = ", ".join(part for part in (table, shown) if part)
    said = _result(event, words)
    return "; ".join(part for part in (first, where) if part) + (f": {said}" if said else "")


def _die(values: Sequence[int], words: Words) -> str:
    return words.phrase("report.die", values=[str(value) for value in values])


def _base(event: Event, words: Words) -> str:
    """Return what a roll begins with, as its reader reads it."""
    values = tuple(int(value) for value in event.get("values", ()))
    return _die(values, words) if _is_bare(event, words) else words.put(str(event.get("base", "")))


def _is_bare(event: Event, words: Words) -> bool:
    """Tell whether the base of a roll is the die alone: its number, or ``die 3``, as events have it."""
    values = tuple(int(value) for value in event.get("values", ()))
    with speaking(ENGLISH):
        return str(event.get("base", "")) in (str(sum(values)), _die(values, words))


def _table(event: Event, words: Words) -> str:
    return words.put(str(event.get("table", "")).replace("_", " "))


def _result(event: Event, words: Words) -> str:
    result, said = (words.put(str(event.get(key, ""))) for key in ("result", "said"))
    return ", ".join(part for part in (result, said) if part)


def roll_row(event: Event, words: Words) -> RollRow:
    """Return a roll as a row of the table of rolls."""
    values, base = "+".join(str(value) for value in event.get("values", ())), str(event.get("base", ""))
    return RollRow(
        label=str(event.get("label", "")),
        die=words.phrase("report.of", values=values, sides=event.get("sides", "")),
        table=_table(event, words),
        column=words.put(str(event.get("column", ""))),
        base=base if base.isdigit() else _base(event, words),
        modifiers=tuple(_shift(reason, words) for reason in event.get("tally", ())),
        row=str(event["row"]) if event.get("row") else "",
        result=_result(event, words),
        rule=str(event.get("rule", "")),
    )


def _footer(header: Header, words: Words) -> Iterator[Block]:
    if not (header.reconstructed or header.verify or header.digest):
        return
    yield Heading(words.phrase("report.check-it"))
    if header.reconstructed:
        yield Paragraph(
            words.phrase(
                "report.reconstructed", tables=list(header.reconstructed), count=len(header.reconstructed)
            )
        )
    if header.verify:
        yield Paragraph(words.phrase("report.how-to-verify"))
        yield Code(header.verify)
    if header.digest:
        name = (
            words.phrase("report.head-after", slot=header.slot)
            if header.slot
            else words.phrase("report.head")
        )
        yield Facts(((name, header.digest),))
    yield from map(Paragraph, header.signed)
