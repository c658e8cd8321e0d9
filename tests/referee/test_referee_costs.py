"""What missed deadlines cost: counted from the ledger, told to everybody, done by the umpire."""

from __future__ import annotations

from pathlib import Path

import pytest
from office_table import ADDRESSES, DEADLINES, OfficeTable
from table import pull

from pbem.club.missed import misses
from pbem.referee.mail.costs import costs_of, history, threat

LADDER = DEADLINES + "missed = { strike = 1, substitute = 2, loss = 3, forgive = 2 }\n"


def begun(root: Path, more: str) -> OfficeTable:
    office = OfficeTable(root, more)
    office.started(keyed=(), umpire=True)
    office.round()
    return office


@pytest.fixture
def office(tmp_path: Path) -> OfficeTable:
    return begun(tmp_path, LADDER)


def flat(text: str) -> str:
    return " ".join(text.split())


def open_seat(office: OfficeTable) -> str:
    return str(office.open().announced()["waits"][0])


def missed(office: OfficeTable) -> tuple[str, dict[str, str]]:
    """Let the open seat miss its deadline and return it, with the letters of that turn by seat."""
    seat, before = open_seat(office), {sent.key for sent in office.queued("turn-")}
    office.later(days=6)
    office.round()
    found = {}
    for sent in office.queued("turn-"):
        if sent.key not in before:
            found[next(name for name, address in ADDRESSES.items() if address in sent.to)] = flat(sent.text)
    return seat, found


def in_time(office: OfficeTable) -> str:
    seat = open_seat(office)
    words = f"{'abcdefghij'[len(office.open().ledger.slots)]} seven drunken herons"
    office.letter(seat, pull(seat) + f"luck: {words}\n")
    office.round()
    return seat


def test_each_step_is_told_to_everybody(office: OfficeTable) -> None:
    first, letters = missed(office)
    side = first.capitalize()
    other = "south" if first == "north" else "north"
    assert "You have missed 1 deadline. By what was agreed on, that is a strike." in letters[first]
    assert f"Missed by {side}: 1 deadline. By what was agreed on, that is a strike." in letters[other]
    while open_seat(office) != first:
        in_time(office)
    served = next(iter(office.house().games.values()))
    assert threat(served, first, served.game.words) == (
        "If you miss it, the umpire looks for somebody else to play for you: 2 missed deadlines."
    )
    assert threat(served, other, served.game.words) == ""
    again, letters = missed(office)
    assert again == first
    assert f"the umpire now looks for somebody else to play {side}" in letters[other]
    assert "If you want to go on, write to him." in letters[first]
    umpire = flat(" ".join(sent.text for sent in office.queued("missed-")))
    assert f"Missed by {side}: 2 deadlines: by what was agreed on, somebody else is to play." in umpire
    while open_seat(office) != first:
        in_time(office)
    _, letters = missed(office)
    assert (
        f"the game is lost for {side} by that" in letters[other]
        and "you lose the game by that" in letters[first]
    )


def test_who_is_in_time_is_forgiven(tmp_path: Path) -> None:
    office = begun(tmp_path, LADDER.replace("forgive = 2", "forgive = 1"))
    first, _ = missed(office)
    while open_seat(office) != first:
        in_time(office)
    served = next(iter(office.house().games.values()))
    assert "1 missed" not in threat(served, first, served.game.words)
    assert in_time(office) == first
    served = next(iter(office.house().games.values()))
    terms, moves = served.settings.deadlines, history(office.open(), first, 99)
    assert terms is not None and moves == (True, False) and misses(moves, terms.missed) == 0


def test_what_was_not_agreed_on_costs_nothing(tmp_path: Path) -> None:
    office = begun(tmp_path, DEADLINES)
    seat, letters = missed(office)
    assert not any("deadline. By what" in text or "have missed" in text for text in letters.values())
    served = next(iter(office.house().games.values()))
    assert list(costs_of(served, 1)) == [] and threat(served, seat, served.game.words) == ""
    assert history(office.open(), seat, 1) == (True,)
