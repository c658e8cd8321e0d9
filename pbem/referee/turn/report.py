"""The report of a slot, ready for posting: from its events, with the player's own words and values at the
top.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from pbem.core.sequence import parse_cursor
from pbem.proof.archive import orders_path, short_digest
from pbem.proof.dice_protocol import NOTHING
from pbem.referee.explain.draw import SHEET, drawn, events_of, scene_of, state_of
from pbem.referee.game import missed
from pbem.referee.game.game import Game
from pbem.referee.game.own_rules import own_rules_of
from pbem.referee.game.refusal import UNDECIDED, refuse
from pbem.referee.game.turns import of_phase
from pbem.referee.game.views import NOBODY, hides, known_events, known_state, side_of
from pbem.referee.turn import rekeyed, ruled_words
from pbem.referee.turn.bot_orders import bots_at
from pbem.referee.turn.status import reconstructed
from pbem.store.library import common_words
from pbem.text import markup, report

FORMATS = {
    "text": markup.as_text,
    "markdown": markup.as_markdown,
    "bbcode": markup.as_bbcode,
    "html": markup.as_html,
}


class DiceInputs(Struct, frozen=True):
    """What went into the dice of a slot, and the id of its result: ``words`` and ``values`` by seat,
    ``files`` as published.
    """

    words: Mapping[str, str]
    values: Mapping[str, str]
    files: tuple[tuple[str, str], ...] = ()
    head: str = ""


def report_of(
    game: Game, slot: int | None, format_: str, beside: str | None = "../", seat: str | None = None
) -> str:
    """Return the report of a slot (the newest unless one is named), as a seat may read it; without one as the
    umpire does.

    ``beside`` leads from where the report will lie to the folder of the game, for its pictures; None leaves
    them out. Where sides know different things, those pictures are the umpire's and stay out of what a seat
    reads.
    """
    number, state = state_of(game, slot)
    if number == 0:
        raise refuse("report.nothing", answer=UNDECIDED)
    drawn_ = [
        path for path in game.archive if path.startswith(f"maps/s{number:04d}") and path.endswith(".png")
    ]
    sheets = [path for path in drawn_ if path.endswith(f"-{SHEET}.png")]
    whole, *parts = sorted(set(drawn_) - set(sheets), key=lambda path: (len(path), path)) or [""]
    named = [(path, game.words.phrase("report.detail", number=n)) for n, path in enumerate(parts, 1)]
    named += [(path, game.words.phrase("report.record-sheet")) for path in sheets]
    foreign = seat is not None and hides(game.ground.rules)
    images = [] if beside is None or not whole or foreign else [(whole, ""), *named]
    phase = game.ledger.slots[number].phase
    return report_text(
        game,
        number,
        phase,
        events_of(game, number),
        state,
        format_,
        gave_in(game, number),
        images,
        beside or "",
        seat,
    )


def gave_in(game: Game, slot: int) -> DiceInputs:
    """Return what went into the dice of a resolved slot, as the ledger has it."""
    of = game.ledger.slots[slot]
    values = {
        name: x for name, x in of.values.items() if name not in of.luck and name != "gm" and x != NOTHING
    }
    paths = [
        (name, orders_path(name, slot))
        for name, entry in sorted(of.entries.items())
        if entry.sha512 is not None
    ]
    kept = [entry["seat"] for entry in (of.result or {}).get("kept", ()) if entry["slot"] == slot]
    files = tuple((name, path) for name, path in paths if name not in kept)
    head = next(record.id for record in game.ledger.records if record.path == of.result_path)
    return DiceInputs(of.luck, values, files, head)


def report_text(
    game: Game,
    slot: int,
    phase: str,
    events: Sequence[Mapping[str, Any]],
    state: Any,
    format_: str,
    gave: DiceInputs,
    images: Sequence[tuple[str, str]] = (),
    beside: str = "../",
    seat: str | None = None,
) -> str:
    """Return the report of some events of a slot that begins with a phase; ``images`` are paths in the game
    with their alt texts.
    """
    described = format_ == "text"
    return FORMATS[format_](
        report_document(
            game, slot, phase, events, state, gave, images, beside, described=described, seat=seat
        )
    )


def report_document(
    game: Game,
    slot: int,
    phase: str,
    events: Sequence[Mapping[str, Any]],
    state: Any,
    gave: DiceInputs,
    images: Sequence[tuple[str, str]] = (),
    beside: str = "../",
    *,
    described: bool = False,
    seat: str | None = None,
    packed: bool = True,
    signed: Sequence[str] = (),
) -> report.Document:
    """Return the same report as a document, to be written in any markup; ``described`` puts the map in words
    into it.

    ``state`` and ``events`` are whole: of them it tells what the side of ``seat`` knows. ``packed``: its
    reader has the archive, so it says how to check that. ``signed`` are sentences that say up to where others
    have signed the history.
    """
    words = game.words
    side = side_of(game, seat)
    title = words.phrase(
        "report.title", title=game.ground.title, turn=of_phase(game.ground, game.state_after(0, ""), phase)
    )
    scene = scene_of(game.ground, state, events, title, side)
    events, state = known_events(game.ground, state, events, side), known_state(game.ground, state, side)
    names = scene.names()
    sides = {look.side: look.name for look in scene.sides}
    header = report.Header(
        title=title,
        facts=tuple(_facts(game, slot, gave, seat)),
        notes=tuple(
            _notes(game, slot, {name: sides.get(side, name) for name, side in game.sides.items()}, seat)
        ),
        images=tuple((f"{beside}{path}", alt or scene.summary or title) for path, alt in images),
        description=words.put_lines(drawn(scene, ".txt").decode()) if described else "",
        record=tuple(game.ground.rules.interface.record(game.ground.rules, state)),
        reconstructed=reconstructed(game.ground.rules),
        verify=f"pbem verify {game.id}.zip" if packed else "",
        digest=short_digest(gave.head) if gave.head else "",
        signed=tuple(signed),
        slot=slot,
        sides={**sides, **{name: sides.get(side, name) for name, side in game.sides.items()}},
    )
    return report.build(_begun(phase, events), words, names, header, game.ground.rules.telling)


def report_for_all(
    game: Game, slot: int, images: Sequence[tuple[str, str]] = (), *, secret: bool
) -> report.Document:
    """Return the report of a resolved slot for whoever plays no seat; ``secret``: as nobody's side knows it.

    Of a hidden state nothing that follows from it is told, so not the id of the result, which fixes it.
    """
    gave = gave_in(game, slot)
    return report_document(
        game,
        slot,
        game.ledger.slots[slot].phase,
        events_of(game, slot),
        state_of(game, slot)[1],
        replace(gave, head="" if secret else gave.head, files=()),
        images,
        "",
        seat=NOBODY if secret else None,
        packed=not secret,
    )


def _notes(game: Game, slot: int, sides: Mapping[str, str], seat: str | None) -> Iterator[str]:
    """Yield what is to be known before all else: what is not as pbem comes with it, what the umpire
    ruled or corrected, who let the slot pass, whose keys were changed.
    """
    if slot == 1 and (own := own_rules_of(game)):
        yield " ".join([game.words.phrase("own.lead"), "; ".join(own) + "."])
    yield from ruled_words.notes(game, slot, seat)
    for name, bot in bots_at(game.ledger, slot).items():
        played = common_words().phrase("bot.player", bot=bot)
        yield common_words().phrase("bot.played", side=sides[name], bot=played)
    for one in missed.missed_in(game, slot):
        yield missed.said(one, sides[one.seat], game.words)
    for rekey in rekeyed.told_with(
        game.ledger, game.ledger.slots[slot].result_path if slot in game.ledger.slots else ""
    ):
        yield rekeyed.said(rekey, sides)


def _begun(phase: str, events: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return the events with the beginning of the first phase in front, which was told with
    the slot before.
    """
    try:
        cursor = parse_cursor(phase)
    except ValueError:
        return list(events)
    opened = {
        "type": "PhaseBegan",
        "n": 0,
        "phase": cursor.phase,
        "turn": cursor.turn,
        "side": cursor.side,
        "day": cursor.day,
    }
    return [opened, *events]


def _facts(game: Game, slot: int, gave: DiceInputs, seat: str | None) -> list[tuple[str, str]]:
    """Return what the players gave for the dice of a slot, each in his own words, and the game's name."""
    words = game.words
    facts = [(words.phrase("report.game"), game.id)]
    for name in game.ledger.outside:
        said = gave_line(gave, name, own=name == seat)
        if said:
            facts.append((name, said))
    facts += [(name, words.phrase("report.file", path=path)) for name, path in gave.files]
    return facts


def gave_line(gave: DiceInputs, seat: str, *, own: bool = True) -> str:
    """Return what a seat gave for the dice, as it is told, itself (``own``) or to others;
    empty if nothing.
    """
    words = common_words()
    if seat in gave.words:
        return words.phrase("report.typed" if own else "report.typed-other", words=gave.words[seat])
    if seat in gave.values:
        return words.phrase("report.value" if own else "report.value-other", value=gave.values[seat][:4])
    return ""
