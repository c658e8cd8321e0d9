"""Every sentence of the grammar over the names and places of a board: all figures, all verbs, all hexes, all
sides.

For each line of the grammar there is a writer here, which knows nothing of rules. Lines whose rules are not
in force are written once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import combinations

from msgspec import Struct

from pbem.core.problem import Problem
from pbem.core.ruleset import Ruleset
from pbem.geometry.hex import SIDES, neighbours
from pbem.rulesets.siege.orders import grammar
from pbem.rulesets.siege.ruleset import CRY_HAVOC
from pbem.rulesets.siege.state.sentence import Sentence
from pbem.rulesets.siege.state.state import Battle
from pbem.rulesets.siege.things import names


class Board(Struct, frozen=True):
    """The words of a board."""

    figures: tuple[str, ...]
    things: tuple[str, ...]
    hexes: tuple[str, ...]
    here: Mapping[str, tuple[str, ...]]
    gate: tuple[str, ...]
    """Hexes of entry, and one that is none."""


def board(battle: Battle) -> Board:
    """Return the words of a battle."""
    return Board(
        tuple(sorted(battle.units)),
        tuple(sorted(battle.things)),
        tuple(battle.field.ground),
        {id_: unit.hexes for id_, unit in battle.units.items()},
        tuple(dict.fromkeys((*battle.field.marks["gate"], next(iter(battle.field.ground))))),
    )


Writer = Callable[[Board], Iterator[str]]
FACING = ("", *(f" facing {side}" for side in SIDES))


def parties(words: tuple[str, ...], most: int = 3) -> list[str]:
    """Return every party of so many names at most."""
    return [", ".join(names) for count in range(1, most + 1) for names in combinations(words, count)]


def ways(b: Board, who: str) -> Iterator[str]:
    """Yield the ways of one and two steps from where a figure stands."""
    for here in b.here[who][:1]:
        for one in neighbours(here):
            yield one
            yield from (f"{one} {two}" for two in neighbours(one))


def _things(form: str) -> Writer:
    """Return a writer that puts figures, things and hexes into a form."""

    def write(b: Board) -> Iterator[str]:
        for who in b.figures:
            for what in b.things:
                for to in b.hexes if "{to}" in form else ("",):
                    yield form.format(who=who, what=what, to=to)

    return write


def _hexes(form: str) -> Writer:
    return lambda b: (form.format(who=who, to=to) for who in b.figures for to in b.hexes)


WRITERS: Mapping[str, Writer] = {
    "NAME at HEX [facing SIDE]": lambda b: (
        f"{who} at {at}{more}"
        for who in b.figures
        for at in b.hexes
        for more in (*FACING, *(f" {tail}" for tail in neighbours(at)))
    ),
    "NAME rides HORSE": lambda b: (f"{who} rides {horse}" for who in b.figures for horse in b.figures),
    "fill HEX HEX": lambda b: (f"fill {hex_}" for hex_ in b.hexes),
    "rubble HEX": lambda b: (f"rubble {hex_}" for hex_ in b.hexes),
    "NAME has skill NUMBER": lambda b: (
        f"{who} has skill {value}" for who in b.figures for value in range(-9, 10)
    ),
    "NAME at NAME [or NAME] [or nearest] [across SIDE] [with fire]": lambda b: (
        f"{who} at {at}{more}"
        for who in b.figures
        for at in (*b.figures, *b.things, *b.hexes, "nearest")
        for more in ("", " with fire", *(f" across {side}" for side in SIDES))
    ),
    "NAME fires ENGINE at NAME [or NAME]": lambda b: (
        f"{w} fires {e} at {at}" for w in b.figures for e in b.things for at in b.figures
    ),
    "NAME to HEX [or HEX] [facing SIDE]": lambda b: (
        f"{who} to {to}{f}" for who in b.figures for to in b.hexes for f in FACING
    ),
    "NAME by HEX HEX HEX [facing SIDE]": lambda b: (
        f"{who} by {way}" for who in b.figures for way in ways(b, who)
    ),
    "NAME turns SIDE": lambda b: (f"{who} turns {side}" for who in b.figures for side in SIDES),
    "NAME mounts HORSE": lambda b: (f"{who} mounts {horse}" for who in b.figures for horse in b.figures),
    "NAME dismounts [to HEX]": lambda b: (
        f"{who} dismounts{to}" for who in b.figures for to in ("", *(f" to {hex_}" for hex_ in b.hexes))
    ),
    "NAME leads ANIMAL to HEX (or: by HEX HEX)": lambda b: (
        f"{who} leads {what} {where}"
        for who in b.figures
        for what in b.figures
        for where in (*(f"to {to}" for to in b.hexes), *(f"by {way}" for way in ways(b, who)))
    ),
    "NAME hitches ANIMAL to WAGON": lambda b: (
        f"{who} hitches {what} to {wagon}" for who in b.figures for what in b.figures for wagon in b.things
    ),
    "NAME unhitches ANIMAL from WAGON": lambda b: (
        f"{who} unhitches {what} from {wagon}"
        for who in b.figures
        for what in b.figures
        for wagon in b.things
    ),
    "NAME, NAME pick up THING": _things("{who} picks up {what}"),
    "NAME, NAME carry THING to HEX HEX": _things("{who} carries {what} to {to}"),
    "NAME, NAME raise LADDER in HEX facing SIDE": _things("{who} raises {what} in {to} facing n"),
    "NAME, NAME shift LADDER [to HEX] facing SIDE": _things("{who} shifts {what} facing n"),
    "NAME climbs LADDER [and over]": _things("{who} climbs {what}"),
    "NAME steps over [to HEX]": _hexes("{who} steps over to {to}"),
    "NAME goes up": lambda b: (f"{who} goes up" for who in b.figures),
    "NAME goes down [to HEX]": _hexes("{who} goes down to {to}"),
    "ENGINE forward NUMBER": lambda b: (f"{what} forward 1" for what in b.things),
    "ENGINE back NUMBER": lambda b: (f"{what} back 1" for what in b.things),
    "NAME takes THING": _things("{who} takes {what}"),
    "NAME puts down THING [facing SIDE]": _things("{who} puts down {what}"),
    "NAME works THING": _things("{who} works {what}"),
    "NAME enters at HEX [to HEX] [leading NAME]": lambda b: (
        f"{who} enters at {by}{to}{led}"
        for who in b.figures
        for by in b.gate
        for to in ("", *(f" to {hex_}" for hex_ in b.hexes))
        for led in ("", *(f" leading {name}" for name in b.figures))
    ),
    "NAME leaves the map by HEX [leading NAME]": lambda b: (
        f"{who} leaves the map by {by}{led}"
        for who in b.figures
        for by in b.hexes
        for led in ("", *(f" leading {name}" for name in b.figures))
    ),
    "NAME stays": lambda b: (f"{who} stay{'' if ',' in who else 's'}" for who in parties(b.figures)),
    "NAME, NAME attack NAME, NAME [at least NUMBER:1]": lambda b: (
        f"{who} attack{'' if ',' in who else 's'} {at}{least}"
        for who in parties(b.figures)
        for at in parties(b.figures)
        for least in ("", " at least 2:1")
    ),
    "NAME topples LADDER [to HEX]": _things("{who} topples {what}"),
    "ENGINE strikes HEX": lambda b: (f"{what} strikes {hex_}" for what in b.things for hex_ in b.hexes),
    "NAME lights HEX": _hexes("{who} lights {to}"),
    "NAME puts out HEX": _hexes("{who} puts out {to}"),
    "NAME pours THING on HEX": _things("{who} pours {what} on {to}"),
    "assault (or: bombard, rest, lift the siege)": lambda b: iter(grammar.PLANS),
    "ENGINE, ENGINE bombard HEX": lambda b: (
        f"{what} bombards {hex_}" for what in b.things for hex_ in b.hexes
    ),
    "repair ENGINE, ENGINE": lambda b: (f"repair {what}" for what in b.things),
    "resign": lambda b: iter(("resign",)),
    "offer a draw": lambda b: iter(("offer a draw",)),
    "accept the draw": lambda b: iter(("accept the draw",)),
}
"""Form of a line of the grammar -> its writer."""


def sentences(rules: Ruleset[Battle], battle: Battle, section: str) -> Iterator[str]:
    """Yield every sentence that a section can hold; of lines whose rules are not in force
    only their example.
    """
    words = board(battle)
    for line in grammar.lines(CRY_HAVOC):
        if section in line.sections:
            yield from WRITERS[line.form](words) if in_force(rules, section, line) else (line.example,)


def in_force(rules: Ruleset[Battle], section: str, line: Sentence) -> bool:
    """Tell whether the rules of a line are in force."""
    order = grammar.read(CRY_HAVOC, section if section in line.sections else line.sections[0], line.example)
    assert not isinstance(order, Problem)
    return names.not_in_force(rules, order) is None
