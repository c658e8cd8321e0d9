"""What letters tell of the others' signatures: who is told another game than his opponent can see it in his
next letter.
"""

from __future__ import annotations

import shutil
from datetime import UTC, datetime
from pathlib import Path

from msgspec.structs import replace
from table import Table

from pbem.post.write.news import turn
from pbem.post.write.parts import About, Until
from pbem.post.write.writing import plain
from pbem.proof.archive import short_digest
from pbem.referee.explain.letter_brief import Company
from pbem.referee.mail.letters import turn_of
from pbem.store.library import common_words

UNTIL = Until(None, "UTC", datetime(2026, 2, 2, tzinfo=UTC))
COMPANY = Company({"north": "Nora", "south": "Sam"})


def letter(table: Table, seat: str, slot: int | None = None) -> str:
    game = table.open()
    about = About(game.id, game.ground.title, seat, seat.capitalize(), "now", "k7fp-q2mx")
    number = game.ledger.state_slot if slot is None else slot
    text = plain(
        turn(turn_of(game, number, seat, about, UNTIL, pictures=False, company=COMPANY), common_words())
    )
    return " ".join(text.split())


def head(table: Table, slot: int) -> str:
    records = table.open().ledger.records
    return short_digest(
        next(read.id for read in records if read.record["type"] == "result" and read.record["slot"] == slot)
    )


def order(table: Table) -> None:
    """Let those who are to move rest: a game in which one side alone pulls is soon over."""
    game = table.open()
    for seat in game.announced()["waits"]:
        words = "" if game.ledger.seats[seat].key else f"luck: seven drunken herons {game.ledger.next_n}\n"
        table.orders(seat, f"pull:\n- {seat}-team rests\n{words}")
    table.lock()
    table.resolve()


def lapse(table: Table) -> None:
    table.lock(deadline=True)
    table.resolve(deadline=True)


def test_each_is_told_how_far_the_other_has_signed(table: Table) -> None:
    table.started(keyed=("north", "south"), umpire=True)
    assert "has signed" not in letter(table, "north")
    for _ in range(3):
        order(table)
    first = table.open().ledger.slots[1].waits[0]
    other = "south" if first == "north" else "north"
    names = {"north": "Nora", "south": "Sam"}
    # Whoever ordered in slot 3 signed the head of slot 2, which stood in his last letter, and in the other's.
    assert f"{names[first]} has signed this history up to slot 2, head {head(table, 2)}." in letter(
        table, other
    )
    assert f"{names[other]} has signed this history up to slot 1, head {head(table, 1)}." in letter(
        table, first
    )
    assert f"head of the signed chain after slot 2: {head(table, 2)}" in letter(table, other, 2)


def test_who_plays_against_nobody_with_a_key_is_told_nothing(table: Table) -> None:
    table.started(keyed=("south",), umpire=True)
    order(table)
    assert "has signed" not in letter(table, "south")
    assert "Sam has signed the invitation to this game, head" in letter(table, "north")


def test_two_who_are_told_two_games_see_it_in_their_letters(table: Table) -> None:
    table.started(keyed=("north", "south"), umpire=True)
    # The umpire goes on with a copy as well: in each of the two games one player's orders "did not come".
    other = Table(table.root)
    other.game = Path(shutil.copytree(table.game, table.root / "other"))
    for one in (table, other):
        one.env, one.player = replace(one.env, insists=True), replace(one.player, insists=True)
    first = table.open().announced()["waits"][0]
    last = "south" if first == "north" else "north"
    for number in range(3):
        order(table)
        lapse(table)
        lapse(other)
        if number < 2:
            order(other)
    names = {"north": "Nora", "south": "Sam"}
    to_first, to_last = letter(table, first), letter(other, last)
    assert f"{names[last]} has signed the invitation to this game, head " in to_first
    assert f"{names[last]} has signed nothing, although 3 turns waited for that." in to_first
    assert f"Ask {names[last]}, not the umpire, which head they have" in to_first
    assert f"{names[first]} has signed nothing, although 3 turns waited for that." in to_last
    # Before the rest, so that nobody has to look for it.
    assert to_first.index("has signed nothing") < to_first.index("A rope across the yard")


def test_an_honest_absence_is_told_once_it_is_long(table: Table) -> None:
    table.started(keyed=("north", "south"), umpire=True)
    waited = 0
    for _ in range(6):
        seat = table.open().announced()["waits"][0]
        if seat == "south":
            order(table)
        else:
            lapse(table)
            waited += 1
        assert ("Nora has signed nothing" in letter(table, "south")) == (waited >= 3)
    assert "Sam has signed nothing" not in letter(table, "north")
