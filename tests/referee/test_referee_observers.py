"""Who watches a game gets what everybody may see of it, and nothing that only a side knows."""

from __future__ import annotations

from pathlib import Path

from hunting_table import FIRST, FOXES, HOUNDS, HuntingTable
from office_table import ADDRESSES, DEADLINES, OfficeTable
from table import pull

from pbem.referee.mail.round import run
from pbem.referee.mail.umpire_time import pause
from pbem.referee.turn.undo import undo

KIM = '\n[players.kim]\naddress = "kim@example.com"\nzone = "Asia/Tokyo"\n'
GAME = '[games.game]\nobservers = ["kim"]\n'
OFFICE = '[office]\nname = "Club"\naddress = "club@example.org"\n'


def flat(text: str) -> str:
    return " ".join(text.split())


def to_kim(office: OfficeTable, prefix: str = "") -> list[str]:
    return [flat(f"{one.subject} {one.text}") for one in office.queued(prefix) if "kim@" in one.to]


def settings(office: OfficeTable, more: str) -> None:
    toml = office.root / "pbem.toml"
    toml.write_text(toml.read_text().partition("\n[games.")[0] + more)


def test_an_observer_comes_watches_and_goes(tmp_path: Path) -> None:
    office = OfficeTable(tmp_path, DEADLINES + KIM)
    office.started(keyed=(), umpire=True)
    office.round()
    (seat,) = office.open().announced()["waits"]
    office.letter(seat, pull(seat) + "luck: seven drunken herons\n")
    office.round()
    assert to_kim(office) == []
    settings(office, "\n" + GAME)
    office.round()
    (first,) = to_kim(office)  # the newest turn, and nothing of what was before
    assert "You watch this game" in first and "Asia/Tokyo" in first and "(code" not in first
    assert not any(one.code in first for one in office.house().seats)
    told = [flat(one.text) for one in office.queued("change-")]
    assert len(told) == 2 and all("kim watches this game from now on" in one for one in told)
    assert office.round() == []
    # what the umpire changes concerns him too
    pause(office.env, office.game, "a wedding")
    office.round()
    assert any("a wedding" in one for one in to_kim(office, "change-"))
    undo(office.env, office.game, 1, "the wrong rope")
    office.round()
    assert any("the wrong rope" in one for one in to_kim(office, "undo-"))
    # nothing that he sends is an order
    records = len(office.open().ledger.records)
    office.letter(seat, pull(seat) + "luck: seven sober herons\n", "my orders", sender="kim@example.com")
    office.round()
    assert len(office.open().ledger.records) == records
    settings(office, "\n")
    office.round()
    assert any("kim watches this game no more" in flat(one.text) for one in office.queued("change-"))
    before = len(to_kim(office))
    office.later(days=9)
    office.round()
    assert len(to_kim(office)) == before


def test_players_read_at_the_beginning_who_watches(tmp_path: Path) -> None:
    office = OfficeTable(tmp_path, DEADLINES + KIM + GAME)
    office.started(keyed=(), umpire=True)
    office.round()
    for address in ADDRESSES.values():
        assert any("kim watches this game" in flat(o.text) for o in office.queued("turn-") if address in o.to)
    assert len(to_kim(office)) == 1


def watched(root: Path, fox: str) -> dict[str, bytes]:
    root.mkdir(parents=True)
    table = HuntingTable(root)
    (root / "pbem.toml").write_text(OFFICE + KIM + GAME)
    table.hunt()
    list(run(table.env, root))
    table.play(HOUNDS, FIRST)
    table.play(FOXES, f"pad:\n- fox pads to {fox}\n")
    list(run(table.env, root))
    return {path.name: path.read_bytes() for path in sorted((root / "post" / "out").glob("watch-*.eml"))}


def test_what_is_hidden_changes_no_byte_of_what_an_observer_gets(tmp_path: Path) -> None:
    here, there = (watched(tmp_path / fox, fox) for fox in ("0604", "0504"))
    assert list(here) == [f"watch-hunt-0a1b2c-s000{slot}-kim.eml" for slot in range(3)]
    assert here == there
    assert b"image/png" in here["watch-hunt-0a1b2c-s0002-kim.eml"]
