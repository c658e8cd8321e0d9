"""The umpire's desk: what needs him in every game of an office, with the command for it; what is kept of games
that rest.
"""

from __future__ import annotations

import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from msgspec import json
from office_table import DEADLINES, OfficeTable
from table import SCENARIOS, pull

from pbem.referee.mail import kept_games, overview
from pbem.referee.mail.couriers import sent_by_hand
from pbem.referee.mail.desk import Desk, look
from pbem.referee.mail.umpire_time import pause
from pbem.referee.turn.new import new
from pbem.store import watching


@pytest.fixture
def office(tmp_path: Path) -> OfficeTable:
    return OfficeTable(tmp_path)


def now(office: OfficeTable) -> datetime:
    return office.moment.replace(tzinfo=UTC)


def desk(office: OfficeTable) -> Desk:
    return look(office.env, office.root, now(office))


def kinds(office: OfficeTable) -> list[str]:
    return [need.kind for need in desk(office).needs]


def told(office: OfficeTable) -> str:
    return "\n".join(overview.needs(desk(office)))


def begun(office: OfficeTable, **more: object) -> None:
    """Begin a game that waits for a player, with everything told and sent."""
    office.started(keyed=(), **{"umpire": True, **more})
    office.round()
    sent_by_hand(office.root)


def test_nothing_needs_the_umpire_of_a_game_that_waits_for_its_players(office: OfficeTable) -> None:
    begun(office)
    assert told(office) == "Nothing needs you."
    (row,) = desk(office).rows
    assert [one.who for one in row.waits] == ["North"] and row.asked == ("north",)
    assert row.turn == "Turn 1" and row.until is not None and not row.late(now(office))


def test_a_row_is_the_same_read_back_as_made(office: OfficeTable) -> None:
    """Whoever keeps what he made of a row compares all of it, names of zones too."""
    begun(office)
    (row,) = desk(office).rows
    assert row.zone == "Europe/Berlin" and row.cutoff is not None
    assert repr(json.decode(json.encode(row), type=type(row))) == repr(row)


def test_what_is_to_be_sent_by_hand_read_or_played_on_is_named_with_its_command(office: OfficeTable) -> None:
    office.started(keyed=(), umpire=True)
    office.round()
    assert kinds(office) == ["send"] and f"pbem mail send {office.root} --dry-run" in told(office)
    sent_by_hand(office.root)
    office.letter("north", pull("north") + "luck: seven drunken herons\n")
    assert kinds(office) == ["came"]
    assert told(office).split("\n")[1:] == [
        "  1 letter has come and is to be read",
        f"      pbem run {office.root}",
    ]
    office.round()
    sent_by_hand(office.root)
    office.later(days=4)
    assert kinds(office) == ["due"] and "the time is up" in told(office)


def test_letters_to_an_umpire_without_an_address_wait_on_his_desk(tmp_path: Path) -> None:
    office = OfficeTable(tmp_path)
    settings = office.root / "pbem.toml"
    settings.write_text(settings.read_text().replace('umpire = "cass@example.org"\n', ""))
    begun(office)
    office.letter("south", "I resign. Well played!\n")
    office.round()
    sent_by_hand(office.root)
    here = desk(office)
    assert [need.kind for need in here.needs] == ["letters"]
    assert here.needs[0].command == f"pbem mail umpire {office.root}"
    assert here.letters_of("tug-0a1b2c") == 1 and here.letters_of("other") == 0


def test_ones_own_move_comes_first_and_has_the_sheet_for_a_command(office: OfficeTable) -> None:
    begun(office, umpire=False)
    assert kinds(office) == ["mine"]
    assert f"pbem options {office.game} --seat north -o north.yaml" in told(office)
    office.orders("north", pull("north"), auto_lock=False)
    assert kinds(office) == ["due"] and "all is in" in told(office)


def test_a_game_that_stands_still_says_how_it_goes_on(office: OfficeTable) -> None:
    begun(office)
    pause(office.env, office.game, "a wedding")
    found = told(office)
    assert "it stands still, by your word" in found and f"pbem umpire resume {office.game} --why ..." in found
    settings = office.root / "pbem.toml"
    settings.write_text(settings.read_text() + "[games.tug-0a1b2c]\nhold = true\n")
    assert "hold = true of tug-0a1b2c in pbem.toml" in told(office)


def test_who_is_silent_where_nothing_is_ever_late_is_worth_a_word_after_a_week(tmp_path: Path) -> None:
    office = OfficeTable(tmp_path, "")
    begun(office)
    office.later(days=6)
    assert kinds(office) == []
    office.later(days=2)
    assert kinds(office) == ["silent"]
    assert f"pbem umpire remind {office.game} --why ..." in told(office)


def test_misses_that_were_agreed_to_cost_something_are_the_umpires_affair(tmp_path: Path) -> None:
    office = OfficeTable(tmp_path, DEADLINES + "[deadlines.missed]\nsubstitute = 1\n")
    begun(office)
    office.later(days=4)
    office.round()
    sent_by_hand(office.root)
    (row,) = desk(office).rows
    assert {seat.seat: seat.misses for seat in row.seats} == {"north": 1, "south": 0}
    assert kinds(office) == ["missed"]
    assert f"pbem umpire substitute {office.game} --seat north --player NAME --why ..." in told(office)
    assert "North has missed 1 deadline: it was agreed that somebody else comes in" in told(office)
    assert "1 missed" in "\n".join(overview.table(desk(office).rows, now(office), office.root))


def test_what_cannot_be_opened_and_what_nobody_plays_is_trouble_and_hides_no_other_game(
    office: OfficeTable,
) -> None:
    begun(office)
    (office.root / "broken" / "ledger").mkdir(parents=True)
    wishes = [office.wish("north", keyed=False), office.wish("south", keyed=False)]
    wishes[1] = type(wishes[1])("south", "south", "Zoe", None, "needed")
    new(office.env, str(SCENARIOS / "tug.yaml"), office.root / "zoe", wishes, name="zoe-0a1b2c", umpire=True)
    shutil.copytree(office.game, office.root / "twice")
    found = desk(office)
    assert {row.folder for row in found.rows} == {"game", "zoe"}
    said = [need.said for need in found.needs if need.kind == "trouble"]
    assert len(said) == 3 and said[0].startswith("broken: ")
    assert any("Zoe" in one for one in said) and any("twice" in one or "folder" in one for one in said)


# --- what is kept


def test_games_that_rest_are_not_opened_again_and_one_that_was_written_in_is(
    office: OfficeTable, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PBEM_CACHE", str(tmp_path / "shelf"))  # on that of all tests anything may be gone
    monkeypatch.setattr(watching, "FRESH", -(10**15))
    opened: list[str] = []
    real = kept_games.open_game
    monkeypatch.setattr(kept_games, "open_game", lambda where: opened.append(where.name) or real(where))
    begun(office)
    first = desk(office)
    assert opened == ["game"]
    assert desk(office) == Desk(
        **{**{name: getattr(first, name) for name in first.__struct_fields__}, "now": now(office)}
    )
    assert opened == ["game"]
    office.later(days=4)
    assert kinds(office) == ["due"], "the hour is no part of what is kept"
    assert opened == ["game"]
    office.letter("north", pull("north") + "luck: seven drunken herons\n")
    office.round()
    assert opened == ["game"] and desk(office).rows[0].slot == 1
    assert opened == ["game", "game"]
    settings = office.root / "pbem.toml"
    settings.write_text(settings.read_text().replace('"3 days"', '"4 days"'))
    before = desk(office).rows[0]
    assert opened == ["game"] * 3 and before.until is not None
    assert before.until - now(office) > timedelta(days=3)


def test_an_office_without_a_game_has_an_empty_desk(office: OfficeTable) -> None:
    assert told(office) == "Nothing needs you."
    assert "There is no game in" in "\n".join(overview.table((), now(office), office.root))


def test_facts_for_a_program(office: OfficeTable) -> None:
    begun(office)
    office.letter("north", pull("north"))
    office.round()
    (game,) = overview.desk_facts(desk(office))["games"]
    assert game["drafts"] == ["north"] and game["misses"] == {"north": 0, "south": 0}
    assert game["waits"][0]["for"] == "draft" and game["late"] is False and game["letters"] == 0
    assert game["due"] == "2026-02-04T21:00:00+01:00"


@pytest.mark.parametrize(
    ("written", "is_told"), [("gaem", True), ("tug-0a1b2d", False), ("castle", False), ("game", False)]
)
def test_settings_of_a_misspelt_game_are_told(office: OfficeTable, written: str, is_told: bool) -> None:
    begun(office)
    settings = office.root / "pbem.toml"
    settings.write_text(f"{settings.read_text()}\n[games.{written}]\nhold = true\n")
    said = f"[games.{written}] in pbem.toml belongs to no game here; did you mean [games.game]?"
    assert (said in " ".join(told(office).split())) is is_told
