"""The round is killed before each effect on disk: the next one completes it, and nothing is lost, told twice
or played twice.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from killing import everywhere
from office_table import OfficeTable
from table import pull

from pbem.referee.proving.verify import verify


def kept(office: OfficeTable) -> tuple[list[str], list[str], list[object]]:
    """Return what a round leaves behind: the letters queued by their keys, the records of the game, what
    became of each letter.
    """
    records = [
        f"{read.record['type']} {read.record.get('slot', '')}" for read in office.open().ledger.records
    ]
    return (
        sorted(path.stem for path in office.outbox()),
        records,
        sorted(str(outcome) for outcome in office.outcomes()),
    )


@pytest.mark.parametrize("kind", ["orders", "join", "late", "words", "changes"])
def test_killed_between_any_two_steps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    root = tmp_path / "office"
    root.mkdir()
    office = OfficeTable(root)
    if kind == "join":
        office.new(keyed=(), umpire=True)
        office.round()
        for seat in ("north", "south"):
            office.letter(seat, "Yes, I play")
    else:
        office.started(keyed=(), umpire=True)
        office.round()
        seat = str(office.open().announced()["waits"][0])
        if kind == "late":
            office.later(days=9)
            office.letter(seat, pull(seat) + "luck: much too late for that\n")
        elif kind == "words":
            # What goes to the umpire: somebody's words, a program that answers, a stranger.
            office.letter(seat, "Could I have three more days, please?\n")
            office.letter(seat, "I am away.\n", "Out of office: your move", Auto_Submitted="auto-replied")
            office.letter("south", "Hello?\n", sender="mallory@example.net")
        elif kind == "changes":
            toml = root / "pbem.toml"
            text = (
                toml.read_text().replace("nora@example.org", "nora@example.com").replace("3 days", "5 days")
            )
            text += '[players.carl]\naddress = "carl@example.com"\n'
            toml.write_text(f'{text}[games.{office.open().id}]\nseats = {{ south = "carl" }}\n')
        else:
            office.letter(seat, "pull:\n- nobody pulls\n")
            office.letter(seat, pull(seat) + "luck: seven drunken herons\n")
    before = tmp_path / "before"
    shutil.copytree(root, before, symlinks=True)
    count = office.count

    def begin() -> None:
        shutil.rmtree(root)
        shutil.copytree(before, root, symlinks=True)
        office.count = count

    office.round()
    wanted = kept(office)

    def look() -> None:
        # Whoever does nothing changes nothing, so a further round would do nothing either.
        assert [] in (office.round() for _ in range(4)), "a round that has nothing left to do"
        assert kept(office) == wanted
        assert verify(office.game).failures == ()

    begin()
    # That a file is there whole or not at all is tried in tests/store; so here what counts is whether it has
    # its name already.
    assert everywhere(monkeypatch, office.round, begin, look, ("rename", "move", "remove", "lock")) >= (
        10 if kind == "changes" else 20
    )
