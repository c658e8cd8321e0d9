"""Builds the report of a turn as a neutral document: what happened, in which order, with every die and its reckoning.

It decides what a report tells and how it is grouped; it knows no markup (``text/markup.py``) and no rule of any game. It is made from
the list of events and nothing else, so that a report can be made again at any time and says the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pbem.text.words import Words

__all__ = [
    "Block",
    "Code",
    "Document",
    "Facts",
    "Header",
    "Heading",
    "Image",
    "Items",
    "Paragraph",
    "Quote",
    "RollRow",
    "RollTable",
    "build",
    "reckoning",
]

Event = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading; ``level`` 2 or 3 (the title of the document is 1)."""

    text: str
    level: int = 2


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Some sentences."""

    text: str


@dataclass(frozen=True, slots=True)
class Items:
    """A list of sentences."""

    items: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Facts:
    """Names and values, such as the score."""

    rows: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class RollRow:
    """One roll: its label, what the die showed, the table and column, the base with every modifier, the row and the result."""

    label: str
    die: str
    table: str
    column: str
    base: str
    modifiers: tuple[str, ...]
    row: str
    result: str
    rule: str = ""


@dataclass(frozen=True, slots=True)
class RollTable:
    """All rolls of a phase."""

    title: str
    heads: tuple[str, ...]
    """The words over label, die, reckoning, table, row and result."""
    rows: tuple[RollRow, ...]


@dataclass(frozen=True, slots=True)
class Quote:
    """What a player wrote; it is shown as his, never as ours."""

    who: str
    text: str


@dataclass(frozen=True, slots=True)
class Image:
    """A picture beside the report: a relative path and the words for those who do not see it."""

    path: str
    alt: str


@dataclass(frozen=True, slots=True)
class Code:
    """Text that stands as it is, such as a command or a digest; folded away behind ``title`` where the markup can.

    ``language`` ``chart`` means characters that must stay below one another.
    """

    text: str
    title: str = ""
    language: str = ""


Block = Heading | Paragraph | Items | Facts | RollTable | Quote | Image | Code


@dataclass(frozen=True, slots=True)
class Document:
    """A report: title, one sentence that says it all, and blocks."""

    title: str
    lead: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Header:
    """What a report says round the events: title, pictures, description of the map, and how to check it all."""

    title: str
    lead: str = ""
    """One sentence; without it the report counts losses itself."""
    facts: tuple[tuple[str, str], ...] = ()
    """Game, slot, dates: names and values."""
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
    sides: Mapping[str, str] | None = None
    """Side or seat id -> its name."""
    template: str = ""
    """The order file for the next turn, to be filled in."""


_SILENT = frozenset({"PhaseBegan", "PhaseEnded", "OrderRead", "Instructed", "Said", "TurnBegan", "DayBegan"})
"""Types that make headings, quotes, or nothing."""
_UNITS = ("unit", "shooter", "target", "hit", "horse", "by", "animal")
_UNIT_LISTS = ("attackers", "defenders", "over", "with", "crew", "carriers")
_SIDES = ("side", "seat", "winner")
_SHOTS = ("Shot", "Misfired")


def build(events: Sequence[Event], words: Words, names: Mapping[str, str], header: Header) -> Document:
    """Return the report of some events (plain, as ``formats.md`` 7 writes them), grouped by phase, in the order they happened."""
    told = _Teller(words, names, header.sides or {})
    blocks: list[Block] = []
    if header.facts:
        blocks.append(Facts(header.facts))
    blocks.extend(Image(path, alt) for path, alt in header.images)
    short = tuple(told.sentence(event) for event in events if told.matters(event))
    if short:
        blocks += [Heading(words.phrase("report.in-short")), Items(short)]
    said = [event for event in events if event["type"] == "Said" and str(event.get("text", "")).strip()]
    if said:
        blocks.append(Heading(words.phrase("report.messages")))
        blocks.extend(Quote(told.side(event.get("seat", "")), str(event["text"])) for event in said)
    for phase in _phases(events):
        blocks.extend(_phase_blocks(phase, told, words))
    if header.record:
        blocks += [Heading(words.phrase("report.record")), Items(header.record)]
    if header.description:
        blocks += [Heading(words.phrase("report.map-in-words")), Code(header.description, words.phrase("report.map-in-words"))]
    if header.chart:
        blocks.append(Code(header.chart, words.phrase("report.map-in-characters"), "chart"))
    if header.template:
        blocks += [Heading(words.phrase("report.next-orders")), Code(header.template, words.phrase("report.order-sheet"), "yaml")]
    blocks.extend(_footer(header, words))
    return Document(header.title, header.lead or told.lead(events), tuple(blocks))


@dataclass(frozen=True, slots=True)
class _Phase:
    heading: Event | None
    name: str
    events: tuple[Event, ...]


def _phases(events: Sequence[Event]) -> Iterator[_Phase]:
    """Yield runs of events of one phase; a new one begins with ``PhaseBegan`` or where the envelope names another phase."""
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


def _phase_blocks(phase: _Phase, told: _Teller, words: Words) -> Iterator[Block]:
    shown = [event for event in phase.events if event["type"] not in _SILENT]
    if not shown:
        return
    yield Heading(told.phase_title(phase.heading, phase.name))
    lines: list[str] = []
    used: set[int] = set()
    for event in shown:
        roll = _roll_of(event, phase.events)
        if roll is not None:
            used.add(id(roll))
    for event in shown:
        if event["type"] == "Rolled":
            if id(event) not in used:
                lines.append(told.sentence(event, reckoning(event, words)))
            continue
        roll = _roll_of(event, phase.events)
        lines.append(told.sentence(event, reckoning(roll, words) if roll is not None else ""))
    yield Items(tuple(lines))
    rolls = [event for event in phase.events if event["type"] == "Rolled"]
    if rolls:
        heads = tuple(words.phrase(f"report.roll-{name}") for name in ("label", "die", "reckoning", "table", "row", "result"))
        yield RollTable(words.phrase("report.dice"), heads, tuple(_row(event, words) for event in rolls))


_VERBS: Mapping[str, tuple[str, ...]] = {
    "Shot": ("shoot", "shoot-again"),
    "Misfired": ("shoot", "shoot-again"),
    "Fought": ("fight",),
}


def _roll_of(event: Event, events: Sequence[Event]) -> Event | None:
    """Return the roll that decided a shot or a fight: the nearest before it whose label names who acted (``formats.md`` 8)."""
    kind = str(event["type"])
    if kind not in _VERBS:
        return None
    wanted = event.get("defenders", ()) if kind == "Fought" else (event.get("shooter", ""),)
    place = next(i for i, other in enumerate(events) if other is event)
    for other in reversed(events[:place]):
        if other["type"] == "Rolled" and _decides(kind, str(other.get("label", "")).split("/"), wanted):
            return other
    return None


def _decides(kind: str, label: Sequence[str], wanted: Sequence[object]) -> bool:
    """Tell whether the label ``…/verb/name/rest`` is that of the roll itself and not of one that hangs on it, such as a passing wound."""
    for i, part in enumerate(label[:-1]):
        if part in _VERBS[kind] and label[i + 1] in wanted:
            rest = [one for one in label[i + 2 :] if not one.startswith("again")]
            if kind == "Misfired":
                return rest[:1] in (["miss"], ["lot"])
            return not rest or (kind == "Fought" and len(rest) == 1)
    return False


def _shift(reason: Event) -> str:
    rule = f" ({reason['rule']})" if reason.get("rule") else ""
    return f"{int(reason.get('shift', 0)):+d} {reason.get('label', '')}{rule}".strip()


def reckoning(event: Event, words: Words) -> str:
    """Return how a roll came to its result, in one line: the die, every modifier with its rule, table, column, row and result.

    Where the base is the die itself, or the row is not the die, the modifiers moved the die; else they moved the column.
    """
    values = tuple(int(value) for value in event.get("values", ()))
    die = words.phrase("report.die", values=[str(value) for value in values])
    reasons = [_shift(reason) for reason in event.get("tally", ())]
    row = int(event.get("row", 0))
    table, column, base = _table(event), str(event.get("column", "")), str(event.get("base", ""))
    if base == die or (row and row != sum(values)):
        total = sum(values) + sum(int(reason.get("shift", 0)) for reason in event.get("tally", ()))
        first = ", ".join([die, *reasons]) + (f" = {total}" if reasons else "")
        if row and row != total:
            first += ", " + words.phrase("report.read-as", row=row)
        where = ", ".join(part for part in (base if base != die else "", table, column) if part)
    else:
        first = die
        start = ", ".join(part for part in (base, *reasons) if part)
        shown = words.phrase("report.column", column=column, start=start) if column else start
        where = ", ".join(part for part in (table, shown) if part)
    said = ", ".join(part for part in (str(event.get("result", "")), str(event.get("said", ""))) if part)
    return "; ".join(part for part in (first, where) if part) + (f": {said}" if said else "")


def _table(event: Event) -> str:
    return str(event.get("table", "")).replace("_", " ")


def _row(event: Event, words: Words) -> RollRow:
    values = "+".join(str(value) for value in event.get("values", ()))
    return RollRow(
        label=str(event.get("label", "")),
        die=words.phrase("report.of", values=values, sides=event.get("sides", "")),
        table=_table(event),
        column=str(event.get("column", "")),
        base=str(event.get("base", "")),
        modifiers=tuple(_shift(reason) for reason in event.get("tally", ())),
        row=str(event["row"]) if event.get("row") else "",
        result=", ".join(part for part in (str(event.get("result", "")), str(event.get("said", ""))) if part),
        rule=str(event.get("rule", "")),
    )


def _footer(header: Header, words: Words) -> Iterator[Block]:
    if not (header.reconstructed or header.verify or header.digest):
        return
    yield Heading(words.phrase("report.check-it"))
    if header.reconstructed:
        yield Paragraph(words.phrase("report.reconstructed", tables=list(header.reconstructed), count=len(header.reconstructed)))
    if header.verify:
        yield Paragraph(words.phrase("report.how-to-verify"))
        yield Code(header.verify)
    if header.digest:
        yield Facts(((words.phrase("report.head"), header.digest),))


class _Teller:
    """Puts events into sentences: names for ids, then the catalogue."""

    def __init__(self, words: Words, names: Mapping[str, str], sides: Mapping[str, str]) -> None:
        self._words, self._names, self._sides = words, names, sides

    def name(self, unit: object) -> str:
        return self._names.get(str(unit), str(unit))

    def side(self, side: object) -> str:
        return self._sides.get(str(side), str(side))

    def phase_title(self, began: Event | None, name: str) -> str:
        """Return the heading of a phase: whose, which, in which turn."""
        raw = str(began.get("phase", name)) if began else name
        last = raw.rpartition(".")[2]
        key = f"phase.{last}"
        title = self._words.phrase(key) if self._words.knows("phrases", key) else last.replace("_", " ").replace("-", " ")
        said = self._words.phrase(
            "report.phase",
            phase=title or self._words.phrase("report.other"),
            side=self.side(began.get("side", "")) if began else "",
            turn=began.get("turn") or "" if began else "",
            day=began.get("day") or "" if began else "",
        )
        return said[:1].upper() + said[1:]

    def matters(self, event: Event) -> bool:
        """Tell whether an event belongs into the list at the top: wounds, deaths, flight, points, the end."""
        if event["type"] == "StateChanged":
            return event.get("is", event.get("is_")) in ("dead", "wounded", "stunned")
        return event["type"] in ("GameEnded", "Scored", "Resigned", "DrawOffered", "Routed", "Fled", "Left", "BurntDown")

    def lead(self, events: Sequence[Event]) -> str:
        """Return one sentence that counts shots, fights, and what became of men."""
        count: dict[str, int] = {"shots": 0, "fights": 0, "dead": 0, "wounded": 0, "stunned": 0}
        for event in events:
            if event["type"] == "Shot":
                count["shots"] += 1
            elif event["type"] == "Fought":
                count["fights"] += 1
            elif event["type"] == "StateChanged":
                is_ = str(event.get("is", event.get("is_")))
                if is_ in count:
                    count[is_] += 1
        return self._words.phrase("report.lead", **count)

    def sentence(self, event: Event, working: str = "") -> str:
        """Return an event in one sentence, with the reckoning of its roll if there is one."""
        kind = str(event["type"])
        args = self._args(event)
        if working:
            args["working"] = working
        special: Callable[[dict[str, Any]], None] | None = getattr(self, f"_args_{kind.lower()}", None)
        if special is not None:
            special(args)
        said = self._words.event(kind, args)
        return said[:1].upper() + said[1:]

    def _args(self, event: Event) -> dict[str, Any]:
        args: dict[str, Any] = {}
        for key, value in event.items():
            if key in ("type", "n", "phase"):
                continue
            key = key.rstrip("_")
            if key in _UNITS and isinstance(value, str):
                value = self.name(value)
            elif key in _UNIT_LISTS and isinstance(value, list | tuple):
                value = [self.name(one) for one in value]
            elif key in _SIDES and isinstance(value, str):
                value = self.side(value)
            elif key == "at" and isinstance(value, list | tuple):
                value = list(value)
            args[key] = value
        path = event.get("path")
        if isinstance(path, list | tuple) and path:
            args["start"], args["end"] = str(path[0]), str(path[-1])
            args["way"] = " ".join(str(place) for place in path)
            if len(path) == 1:
                args["way"] = args["end"] = ""
                args["stuck"] = str(path[0])
        if event.get("type") == "Moved" and event.get("of") == 0:
            args["cost"] = args["of"] = ""  # who is led spends nothing of his own
        return args

    def _args_orderskipped(self, args: dict[str, Any]) -> None:
        problem = args.get("problem")
        if isinstance(problem, Mapping):
            args.setdefault("code", problem.get("code", ""))
            args.setdefault("rule", problem.get("rule", ""))
            args["args"] = problem.get("args", {})
        given = args.get("args")
        args["why"] = self._words.problem(str(args.get("code", "")), given if isinstance(given, Mapping) else {})

    def _args_branchtaken(self, args: dict[str, Any]) -> None:
        args["answer"] = self._words.phrase("report.yes" if args.get("value") else "report.no")

    def _args_drawoffered(self, args: dict[str, Any]) -> None:
        args["act"] = self._words.phrase("report.offer-made" if args.get("open", True) else "report.offer-over")

    def _args_checked(self, args: dict[str, Any]) -> None:
        args["act"] = self._words.phrase("report.cover-taken" if args.get("since") else "report.cover-over")

    def _args_featurechanged(self, args: dict[str, Any]) -> None:
        kind = str(args.get("is", ""))
        key = f"feature.{kind}-{args.get('damage') or 0}" if kind == "wall" else f"feature.{kind}"
        if self._words.knows("phrases", key):
            args["act"] = self._words.phrase(key, at=args.get("at", ""))
            args["is"] = ""

    def _args_featuregone(self, args: dict[str, Any]) -> None:
        self._told_as(args, f"gone.{args.get('is', '')}", "is", "at")

    def _args_acted(self, args: dict[str, Any]) -> None:
        self._told_as(args, f"did.{args.get('did', '')}", "did")

    def _told_as(self, args: dict[str, Any], key: str, instead: str, *named: str) -> None:
        """Tell what happened with a phrase of its own, where there is one, in the place of an argument."""
        if self._words.knows("phrases", key):
            args["act"] = self._words.phrase(key, **{name: args.get(name, "") for name in named})
            args[instead] = ""

    def _args_thingchanged(self, args: dict[str, Any]) -> None:
        if "loaded" in args.get("cleared", ()):
            args["act"] = self._words.phrase("report.unloaded")

    def _args_wallheld(self, args: dict[str, Any]) -> None:
        args["act"] = self._words.phrase(f"report.held-{args['why']}")

    def _args_healingset(self, args: dict[str, Any]) -> None:
        args["act"] = "" if args.get("day") else self._words.phrase("report.never-healed")
        args["day"] = args.get("day") or ""

    def _args_gameended(self, args: dict[str, Any]) -> None:
        if args.get("winner") == "draw":
            args["winner"] = self._words.phrase("report.nobody")
        score = args.get("score")
        if isinstance(score, Mapping):
            score = sorted(score.items())
        if isinstance(score, list | tuple):
            args["score"] = [
                f"{self.side(row['side'])} {row['points']}" if isinstance(row, Mapping) else f"{self.side(row[0])} {row[1]}"
                for row in score
            ]

    def _args_thingmoved(self, args: dict[str, Any]) -> None:
        aboard = args.get("passengers")
        if isinstance(aboard, list | tuple):
            args["passengers"] = [self.name(row[0]) for row in aboard if row]

    def _args_statechanged(self, args: dict[str, Any]) -> None:
        args["now"] = self._state(args.get("is"))
        args["before"] = self._state(args.get("was"))

    def _state(self, state: object) -> str:
        key = f"state.{state}"
        return self._words.phrase(key) if self._words.knows("phrases", key) else str(state)

    def _args_shot(self, args: dict[str, Any]) -> None:
        args["hexes"] = args.get("range")
        args["weapon"] = str(args.get("weapon", "")).replace("_", " ")
        if args.get("cover") == "none":
            args["cover"] = ""
        self._die_only(args)

    def _args_fought(self, args: dict[str, Any]) -> None:
        args["count"] = len(args.get("attackers", ()))
        self._die_only(args)

    def _args_misfired(self, args: dict[str, Any]) -> None:
        self._die_only(args)

    def _die_only(self, args: dict[str, Any]) -> None:
        """Tell at least the die where its roll is not in the list."""
        if not args.get("working") and args.get("roll"):
            args["working"] = self._words.phrase("report.die-only", **{name: args.get(name, "") for name in ("roll", "column", "result")})
