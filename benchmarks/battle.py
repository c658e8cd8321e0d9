"""A battle of any size whose orders are all legal, and an opened game around it, so that the real use cases
can be timed.

Figures stand in two lines, three hexes apart, in fronts of twenty rows; every seventh hex between and behind
them is scrub. East's bowmen shoot and stay, the others go forward and fight, two on one where a second one
stands near.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from msgspec.structs import replace

from pbem.core.sequence import Cursor
from pbem.proof.archive import MemoryArchive
from pbem.proof.history import Ledger
from pbem.proof.rules import Seat
from pbem.referee.game.game import Game
from pbem.referee.game.replay import Ground, lay_ground, read_state, state_bytes
from pbem.rulesets.siege.deeds import reading
from pbem.rulesets.siege.ground import character
from pbem.rulesets.siege.state.orders import OrderFile
from pbem.rulesets.siege.state.state import Battle, Unit
from pbem.text.source import read

DEPTH = 20
"""Rows of a front."""
GAP = 12
"""Columns of a front: its lines stand in the fourth and the seventh of them."""
FOOT = ("sergeant", "spearman", "halberdier", "man_at_arms")
BOWMEN = 4
"""Every fourth of East's figures is a bowman."""
GAME = "parade-0a1b2c"

_SCENARIO = b"""scenario: parade
title: A parade
ruleset: cry_havoc
map: parade
length: 10 turns
sides:
  east: {name: East, first: true, colour: blue, enters: edge}
  west: {name: West, colour: red, enters: edge}
units:
  east:
  - {id: one, person: aelfgar-oakhand, at: 0101}
  west:
  - {id: two, person: meurig-goch, at: 0109}
victory:
  at-end:
  - {side: any, points: 10, when: "edge is held"}
  winner: {most: points, margin: {east: 3}, level: other}
"""


def _map(columns: int) -> bytes:
    numbers = " ".join(f"{column:02}" for column in range(1, columns + 1))
    rows = [
        f"  {row:02}  "
        + "  ".join("s" if (column * 3 + row * 5) % 7 == 0 else "." for column in range(1, columns + 1))
        for row in range(1, DEPTH + 1)
    ]
    head = (
        f'map: parade\ntitle: A meadow\nsize: {columns} x {DEPTH}\nkey: {{".": flat, s: scrub}}\nterrain: '
        f"|\n  col {numbers}\n"
    )
    return (head + "\n".join(rows) + "\nmarks:\n  edge: 0101 0102\n").encode()


def ground(figures: int, ruleset: str = "cry_havoc") -> Ground:
    """Return rules and field for a battle of so many figures."""
    fronts = -(-figures // (2 * DEPTH))
    scenario = _SCENARIO.replace(b"cry_havoc", ruleset.encode())
    files = {"scenario/parade.yaml": scenario, "scenario/maps/parade.yaml": _map(GAP * fronts)}
    made = lay_ground({"id": ruleset, "revision": 1, "modules": ["open-ground"], "options": {}}, files)
    if not isinstance(made, Ground):
        raise AssertionError([problems for _, problems in made.of])
    return made


def battle(figures: int, ruleset: str = "cry_havoc") -> tuple[Ground, Battle]:
    """Return the ground and the battle before East's turn 3."""
    laid = ground(figures, ruleset)
    people, units = {}, {}
    for number in range(figures // 2):
        front, row = divmod(number, DEPTH)
        bow = number % BOWMEN == BOWMEN - 1
        column = front * GAP + 4
        for side, place in (("east", f"{column:02}{row + 1:02}"), ("west", f"{column + 3:02}{row + 1:02}")):
            id_ = f"{side[0]}{number:03}"
            class_ = ("longbowman" if side == "east" else "crossbowman") if bow else FOOT[number % len(FOOT)]
            people[id_] = character.of_class(laid.rules.tables, class_, id_)
            units[id_] = Unit(id_, id_, "man", side, side, "healthy", (place,))
    field = replace(laid.field, people=people)
    laid = replace(laid, field=field)
    begins = laid.rules.sequence.phases[0].id
    fought = Battle(field, Cursor(begins, 3, "east"), dict(sorted(units.items())))
    return laid, read_state(laid, state_bytes(laid, fought))


def orders(figures: int, again: bool = True) -> bytes:
    """Return East's order file, as many orders as figures: a bowman shoots, ``again`` in a second phase of
    it too, everybody else goes forward and fights.
    """
    shoot, move, fight = [], [], []
    for number in range(figures // 2):
        front, row = divmod(number, DEPTH)
        if number % BOWMEN == BOWMEN - 1:
            shoot.append(f"- e{number:03} at w{number:03} or nearest")
            continue
        move.append(f"- e{number:03} to {front * GAP + 6:02}{row + 1:02}")
        fight.append(f"- e{number:03} attacks w{number:03}")
    sections = {"shoot": shoot, "move": move, "shoot-again": shoot if again else [], "fight": fight}
    lines = ["side: east", "turn: t3"]
    for heading, listed in sections.items():
        lines += [f"{heading}:", *listed] if listed else []
    return "\n".join([*lines, ""]).encode()


def read_orders(laid: Ground, state: Battle, data: bytes) -> OrderFile:
    """Return East's order file as the rules understand it."""
    orders, problems = reading.read_orders(laid.rules, state, "east", read(data).data)
    if orders is None:
        raise AssertionError(problems)
    return orders


def game(figures: int) -> Game:
    """Return an opened game that waits for East's orders in this battle."""
    laid, state = battle(figures)
    seats = {side: Seat(side, side, "player", None, None, False) for side in ("east", "west")}
    waiting = {"slot": 5, "phase": str(state.at), "waits": ["east"], "value": "early"}
    ledger = Ledger(
        MemoryArchive(),
        manifest={"game": GAME, "ruleset": {"id": "cry_havoc"}},
        seats=seats,
        started=True,
        next=waiting,
    )
    made = Game(Path(GAME), ledger.archive, None, ledger)
    known: dict[str, Any] = {"ground": laid, "state": state}
    made.__dict__.update(known)  # what opening it would have read
    return made
