"""What a player can vary at no cost moves no die: notes, words, comments, line ends, the order of sections
and of unrelated lines.

Every slot of the recorded games is played again with the files of its lock written anew in such ways, on the
same seed: the same names are rolled, they show the same faces, and the slot stops in the same place.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest
from house import EXAMPLES, recorded
from hypothesis import given, settings
from hypothesis import strategies as st
from thorough import deeper, tries

from pbem.proof.archive import MemoryArchive
from pbem.proof.dice_protocol import SeededDice
from pbem.proof.ledger import read_ledger
from pbem.proof.orderfile import parse, write
from pbem.proof.replaying import GameToReplay, SlotToReplay, game_to_replay
from pbem.proof.rules import Seat
from pbem.referee.game.replay import Ground, Outcome, Sheet, lay_ground, play, read_sheet, read_state

FREE = ("shoot", "shoot-again", "fight")
"""Sections whose lines may stand in any order where they name nobody in common; of moves the earlier goes
first.
"""
WORDS = frozenset({"at", "or", "and", "attack", "attacks", "to", "then", "with", "from", "hold", "fire"})


@cache
def game(example: Path) -> tuple[GameToReplay, Ground]:
    found = game_to_replay(read_ledger(MemoryArchive(recorded(example))))
    ground = lay_ground(found.manifest["ruleset"], found.files)
    assert isinstance(ground, Ground)
    return found, ground


def rolled(example: Path, slot: SlotToReplay, files: Mapping[str, bytes]) -> Outcome:
    """Play a slot with these order files, by seat, on its own seed; files kept from before are not looked
    for.
    """
    found, ground = game(example)
    seats = {
        entry["seat"]: Seat(entry["seat"], entry["side"], entry["by"], None, None, False)
        for entry in found.manifest["seats"]
    }
    assert slot.state_before is not None
    state = read_state(ground, slot.state_before)
    sheets: list[Sheet] = [read_sheet(ground, state, seat, slot.number, data) for seat, data in files.items()]
    assert all(sheet.orders is not None for sheet in sheets)
    return play(
        ground, seats, slot.number, state, slot.announced, sheets, slot.recorded, SeededDice(slot.seed)
    )


def tried(example: Path) -> list[SlotToReplay]:
    """Return the slots that rolled and use only files of their own lock."""
    return [
        slot
        for slot in game(example)[0].slots
        if slot.rolls and all(file.slot == slot.number for file in slot.files)
    ]


def names_in(line: str) -> frozenset[str]:
    return frozenset(re.findall(r"[a-z]+|\d{4}", line)) - WORDS


def shuffled(lines: list[str], chance: random.Random) -> list[str]:
    """Return lines in another order; those that name somebody in common keep theirs."""
    left, made = list(lines), []
    while left:
        free = [
            at
            for at, line in enumerate(left)
            if not any(names_in(line) & names_in(before) for before in left[:at])
        ]
        made.append(left.pop(chance.choice(free)))
    return made


def sections(text: str) -> list[tuple[str, list[str]]]:
    """Return the parts of an order file: the line of each key, and the lines below it."""
    parts: list[tuple[str, list[str]]] = []
    for line in text.splitlines():
        if line.startswith("#") or not line.strip():
            continue
        if re.match(r"[a-z]", line):
            parts.append((line, []))
        else:
            parts[-1][1].append(line)
    return parts


def rewritten(data: bytes, chance: random.Random, note: str) -> bytes:
    """Return an order file that orders the same in other words, lines and salt."""
    file = parse(data)
    parts = [
        part
        for part in sections(file.yaml.decode())
        if part[0].partition(":")[0] not in ("luck", "note", "message")
    ]
    extra = [
        ("note: |", [f"  {note}"]),
        (f"message: {chance.choice(['hello', 'well met', 'your move'])}", []),
        ("luck: nine tired owls", []),
    ]
    parts += chance.sample(extra, chance.randrange(len(extra) + 1))
    chance.shuffle(parts)
    lines = []
    for head, below in parts:
        lines.append(head + chance.choice(["", "   ", "  # mine"] if not below else ["", "  # mine"]))
        plain = all(line.startswith("- ") for line in below)
        below = shuffled(below, chance) if head.partition(":")[0] in FREE and plain else below
        for line in below:
            if plain and chance.random() < 0.3:
                lines.append(chance.choice(["", "# somebody", "  # a comment: with - signs"]))
            lines.append(line)
    end = chance.choice(["\n", "\r\n"])
    text = "\n".join(lines) + "\n"
    made = write(
        game=file.game,
        slot=file.slot,
        seat=file.seat,
        head=file.head,
        salt=f"{chance.getrandbits(128):032x}",
        yaml=text.encode(),
        luck="seven drunken herons" if file.luck is not None else None,
        value=file.value,
    )
    return made.replace(b"\n", end.encode())


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.name)
def test_there_are_slots_to_try_and_they_come_out_as_recorded(example: Path) -> None:
    slots = tried(example)
    assert slots
    for slot in slots:
        made = rolled(example, slot, {file.seat: file.data for file in slot.files})
        assert made.rolls == slot.rolls


@deeper
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.name)
@settings(max_examples=tries(15, 200), deadline=None)
@given(data=st.data())
def test_nothing_that_a_player_varies_freely_moves_a_die(example: Path, data: st.DataObject) -> None:
    slot = data.draw(st.sampled_from(tried(example)))
    chance = random.Random(data.draw(st.integers(0, 2**32)))
    note = data.draw(st.text("abc äö'\"-#:{}[]", max_size=30))
    files = {file.seat: rewritten(file.data, chance, note.strip() or "a note") for file in slot.files}
    made = rolled(example, slot, files)
    assert sorted(made.rolls) == sorted(slot.rolls)
    assert list(made.phases) == list(slot.result["phases"])
    following = slot.result.get("next")
    assert made.following == (
        None
        if following is None
        else {key: value for key, value in following.items() if key not in ("due", "engine")}
    )


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.name)
def test_what_is_ordered_does_move_dice(example: Path) -> None:
    """The same test would see it if a name hung on a line: without one order its die, or another one, is not
    rolled.
    """
    seen = 0
    for slot in tried(example):
        for file in slot.files:
            less = re.sub(rb"\n(?:fight|actions):.*", b"\n", file.data, flags=re.DOTALL)
            if less != file.data and rolled(example, slot, {file.seat: less}).rolls != slot.rolls:
                seen += 1
    assert seen
