"""The one thing to do now, in a game played by hand and in an office; and how games stand, in lines and in a
table.
"""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from office_table import OfficeTable
from table import Table, pull

from pbem.referee.mail import glance, overview
from pbem.referee.mail.couriers import sent_by_hand
from pbem.referee.mail.desk import look
from pbem.referee.mail.looking import look_into
from pbem.referee.play.doing import do
from pbem.referee.play.next_step import Next, next_of
from pbem.referee.proving.pack import pack
from pbem.referee.turn.admit import admit_words
from pbem.referee.turn.new import SeatWish, new


def now(table: Table) -> datetime:
    return table.moment.replace(tzinfo=UTC)


def step(table: Table, where: Path | None = None) -> Next:
    return next_of(table.env, where or table.game, now(table))


def done(table: Table) -> Next:
    """Do what needs nobody; return what is left."""
    found = step(table)
    while found.does:
        list(do(table.env, table.game, found, pictures=False))
        found = step(table)
    return found


def names(found: Next) -> list[str]:
    return [path.name for path in found.files]


def told(table: Table, where: Path | None = None) -> str:
    seen = look_into(table.env, where or table.game).glance
    return "\n".join(glance.told(replace(seen, notes=()), now(table)))


# --- by hand


def test_who_was_not_invited_yet_is_named_with_his_letter_and_how_his_answer_is_taken_in(
    table: Table,
) -> None:
    table.new(keyed=())
    found = step(table)
    assert (found.kind, found.does) == ("join", "")
    assert "waits for South to join" in found.said[0]
    assert names(found) == ["invitation.zip", "invitation-south.txt"]
    assert found.commands == (f"pbem admit {table.game} --seat south --words 'yes, I play'",)
    table.join_all()
    assert step(table).kind == "mine"


def test_a_seat_with_a_key_sends_files_that_are_taken_in_as_such(table: Table) -> None:
    table.new()
    assert step(table).commands == (f"pbem admit {table.game} join.txt",)
    table.join_all()
    table.orders("north", pull("north"))
    table.lock()
    assert step(table).commands == (f"pbem submit go.txt --game {table.game}",)


def test_ones_own_move_names_the_sheet_and_how_it_is_handed_in(table: Table) -> None:
    table.started(keyed=())
    found = step(table)
    assert "it is your own move, as " in found.said[0]
    assert found.commands == (
        f"pbem options {table.game} --seat north -o north.yaml",
        f"pbem submit north.yaml --game {table.game} --seat north",
    )


def test_after_ones_own_orders_pbem_locks_and_then_names_the_letter_that_asks_for_words(table: Table) -> None:
    table.started(keyed=())
    table.orders("north", pull("north"), auto_lock=False)
    found = step(table)
    assert (found.kind, found.does, found.commands) == ("lock", "lock", (f"pbem lock {table.game}",))
    found = done(table)
    assert found.kind == "luck"
    assert names(found) == ["lock-s0001-south.txt"]
    assert found.commands == (f"pbem go {table.game} --seat south --luck 'what the player wrote'",)
    table.go("south", "seven drunken herons")
    assert step(table).does == "resolve"
    assert done(table).kind in ("wait", "mine")
    assert table.open().ledger.state_slot == 1


def test_nothing_is_done_without_being_asked(table: Table) -> None:
    table.started(keyed=())
    table.orders("north", pull("north"), auto_lock=False)
    before = table.files()
    step(table)
    assert table.files() == before


def test_orders_of_others_are_waited_for_with_how_they_are_taken_in(table: Table) -> None:
    table.started(umpire=True, keyed=())
    found = step(table)
    assert found.kind == "wait" and not found.does
    assert "wait for the orders of North" in found.said[0]
    assert any("`luck:`" in said for said in found.said)
    assert found.commands == (f"pbem submit north.yaml --game {table.game} --seat north",)


def test_where_no_die_can_fall_a_draft_is_made_final_without_words_of_luck(tmp_path: Path) -> None:
    table = Table(tmp_path)
    sides = ("east", "west")
    new(table.env, "alder-ford", table.game, [SeatWish(s, s, s) for s in sides], name="a-0a1b2c", umpire=True)
    for side in sides:
        admit_words(table.env, table.game, side, "yes, I play")
    assert not any("luck:" in line for line in step(table).said)
    (seat,) = table.open().announced()["waits"]
    table.orders(seat, "setup:\n- tofi at 0205\n")
    assert "a line `final: yes`" in step(table).said[0]


def test_a_draft_is_told_apart_from_nothing(table: Table) -> None:
    table.started(umpire=True, keyed=())
    table.orders("north", pull("north"))
    found = step(table)
    assert "what North sent is a draft. Ask for it again with a line `luck:`" in found.said[0]
    assert "North: the final form of a draft" in told(table)


def test_an_archive_is_no_game_to_do_anything_in(table: Table, tmp_path: Path) -> None:
    table.started(keyed=())
    pack(table.env, table.game, tmp_path / "toll.zip")
    found = step(table, tmp_path / "toll.zip")
    assert (found.kind, found.commands, found.does) == ("archive", (), "")


def test_a_game_that_is_over_shows_what_to_look_at_and_who_has_won(table: Table) -> None:
    from test_referee_two_friends import play_on

    table.started(keyed=())
    play_on(table)
    found = step(table)
    assert found.kind == "over"
    assert "reports" in str(found.files[0]) and found.commands == (
        f"pbem replay {table.game} -o replay.html",
    )
    said = told(table)
    assert "wins" in said and "Score: " in said and "waits" not in said


def test_a_game_is_told_in_a_few_lines_without_hashes(table: Table) -> None:
    table.started(umpire=True, keyed=())
    lines = told(table).splitlines()
    assert lines[0].startswith("Tug of War (tug-0a1b2c): Turn 1, ") or "(tug-0a1b2c): Turn 1, " in lines[0]
    assert "  North: orders" in lines
    assert any(line.startswith("  Score if it ended now: North 0, South 0") for line in lines)
    assert len(lines) <= 5
    assert table.open().ledger.head_digest not in told(table)


# --- an office


@pytest.fixture
def office(tmp_path: Path) -> OfficeTable:
    return OfficeTable(tmp_path)


def kind(office: OfficeTable) -> str:
    return step(office, office.root).kind


def test_an_office_leads_from_its_first_game_to_its_last_letter(office: OfficeTable) -> None:
    assert kind(office) == "new"
    assert step(office, office.root).commands[0] == "pbem scenario list"
    office.new(keyed=(), umpire=True)
    assert (kind(office), step(office, office.root).does) == ("run", "run")  # the invitations
    office.round()
    found = step(office, office.root)
    assert found.kind == "send"
    assert names(found) == ["invite-tug-0a1b2c-north.eml", "invite-tug-0a1b2c-south.eml"]
    assert found.commands[-1].endswith("--sent")
    assert len(sent_by_hand(office.root)) == 2
    assert kind(office) == "wait"
    office.letter("north", "yes, I play")
    assert "1 letter has come" in step(office, office.root).said[0]
    office.letter("south", "yes, I play")
    office.round()
    sent_by_hand(office.root)
    found = step(office, office.root)
    assert found.kind == "wait" and "orders from North" in found.said[1]
    assert "Due " in found.said[1] and "Open for " in found.said[1]
    office.later(days=5)
    assert kind(office) == "run"  # the time is up


def test_letters_in_the_inbox_count(office: OfficeTable) -> None:
    office.started(keyed=(), umpire=True)
    office.round()
    sent_by_hand(office.root)
    (office.root / "inbox").mkdir()
    (office.root / "inbox" / "a.eml").write_text("From: nora@example.org\n\nhello\n")
    assert step(office, office.root).said[0].startswith("1 letter has come")


def test_ones_own_move_in_an_office_ends_with_a_round(office: OfficeTable) -> None:
    office.started(keyed=())
    office.round()
    sent_by_hand(office.root)
    found = step(office, office.root)
    assert found.kind == "mine"
    assert found.commands[-1] == f"pbem run {office.root}"
    assert step(office).kind == "mine"
    office.orders("north", pull("north"), auto_lock=False)
    assert step(office, office.root).does == "run"
    assert step(office).does == "run"


def test_what_is_broken_comes_first(office: OfficeTable) -> None:
    office.started(keyed=(), umpire=True)
    (office.root / "broken" / "ledger").mkdir(parents=True)
    found = step(office, office.root)
    assert found.kind == "trouble"
    assert any("broken" in said for said in found.said)


def table_of(office: OfficeTable) -> list[str]:
    return list(overview.table(look(office.env, office.root, now(office)).rows, now(office), office.root))


def test_a_club_is_one_table_of_80_columns(office: OfficeTable) -> None:
    office.started(keyed=(), umpire=True)
    lines = table_of(office)
    assert lines[0].split() == ["game", "turn", "waits", "for", "since", "due", "score"]
    assert lines[1].split()[:4] == ["game", "Turn", "1", "North"]
    assert all(len(line) <= 80 for line in lines)
    office.later(days=4)
    assert "late" in table_of(office)[1]


def test_the_table_is_sorted_by_what_needs_the_umpire(
    office: OfficeTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    def one(name: str, **more: Any) -> None:
        from table import SCENARIOS

        from pbem.referee.turn.new import new

        wishes = [office.wish(seat, keyed=False) for seat in ("north", "south")]
        new(
            office.env, str(SCENARIOS / "tug.yaml"), office.root / name, wishes, name=f"{name}-0a1b2c", **more
        )

    one("waiting", umpire=True)
    office.game = office.root / "aa-theirs"
    one("aa-theirs", umpire=True)
    office.join_all()
    office.game = office.root / "zz-mine"
    one("zz-mine")
    office.join_all()
    assert [line.split()[0] for line in table_of(office)[1:]] == ["zz-mine", "aa-theirs", "waiting"]
    assert "you" in table_of(office)[1]
