"""A round opens the games in which something is due, to which somebody wrote, or in which something was
written, and lets the others sleep; nobody notices but the clock.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest
from killing import Killed
from office_table import OfficeTable
from table import SCENARIOS, pull

from pbem.club.due import GameStatus, next_due
from pbem.club.terms import Move, Terms
from pbem.referee.game import opening
from pbem.referee.mail import round_letters, sleeping
from pbem.referee.mail.round_context import FetchReport
from pbem.referee.turn.lock import lock
from pbem.referee.turn.new import new
from pbem.referee.turn.submit import submit
from pbem.store import asleep, disk, watching


class Opened(list[str]):
    """The folders of the games that were opened."""


@pytest.fixture
def office(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> OfficeTable:
    """Return an office with one game that has begun, and in which everything was said; no file counts as just
    written.
    """
    monkeypatch.setattr(watching, "FRESH", -(10**15))
    found = OfficeTable(tmp_path)
    found.started(keyed=(), umpire=True)
    found.round()
    return found


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> Opened:
    found, reads = Opened(), opening.read_folder

    def noted(folder: object, **more: object) -> object:
        found.append(Path(folder.root).name)  # type: ignore[attr-defined]
        return reads(folder, **more)  # type: ignore[arg-type]

    monkeypatch.setattr("pbem.referee.game.game.read_folder", noted)
    return found


def by(opened: Opened, act: Callable[[], object]) -> tuple[object, bool]:
    """Do something; return what it gave, and whether a game was opened."""
    opened.clear()
    return act(), bool(opened)


def test_a_game_in_which_nothing_is_due_is_not_opened(office: OfficeTable, opened: Opened) -> None:
    assert by(opened, office.round) == ([], False)
    office.later(minutes=5)
    assert by(opened, office.round) == ([], False)


def test_a_reminder_a_deadline_and_the_end_of_a_grace_wake_it_in_time(
    office: OfficeTable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two offices side by side, in one of which no game ever sleeps, say the same in every round."""
    (tmp_path / "other").mkdir()
    other = OfficeTable(tmp_path / "other")
    other.moment = office.moment
    other.count = 0
    other.started(keyed=(), umpire=True)
    other.moment = office.moment
    other.round()
    said = []
    for _ in range(60):
        office.later(minutes=127)
        other.moment = office.moment
        (other.root / "post" / asleep.TABLE).unlink(missing_ok=True)
        mine, theirs = ([(one.what, one.seat) for one in at.round()] for at in (office, other))
        assert mine == theirs, office.moment
        said += mine
    assert {"reminded", "locked", "resolved", "told"} <= {what for what, _ in said}


def test_the_next_moment_is_when_something_else_is_due() -> None:
    since = datetime.fromisoformat("2026-03-01T12:00:00+00:00")
    terms = Terms(3 * 1440, remind=(1440,), grace=60)
    waits = GameStatus(Move("pulling", since), ("north",))
    hours = [(next_due(waits, terms, since.replace(day=day)) or 0) - since.timestamp() for day in (1, 2, 4)]
    assert [round(one / 3600) for one in hours] == [48, 48, 73]
    assert next_due(waits, terms, since.replace(day=5)) is None
    assert next_due(waits, None, since) is None, "without a deadline nothing is ever due"
    for_ever = GameStatus(Move("pulling", since), ("north",), waits_for_all=True)
    assert next_due(for_ever, terms, since.replace(day=3, hour=13)) is None


def test_a_letter_wakes_its_game(office: OfficeTable, opened: Opened) -> None:
    seat = str(office.open().announced()["waits"][0])
    office.letter(seat, pull(seat) + "luck: seven drunken herons\n")
    steps = office.round()
    assert "answered" in [step.what for step in steps] and office.queued("reply-")


def test_a_letter_of_nobody_is_answered_while_games_sleep(office: OfficeTable) -> None:
    office.letter("north", "Hello?\n", "Which game is this?", sender="mallory@example.net")
    assert [step.what for step in office.round()][:1] == ["stranger"]


@pytest.mark.parametrize("what", ["orders", "record", "settings", "told", "names", "post"])
def test_whatever_was_written_wakes_it(office: OfficeTable, opened: Opened, what: str) -> None:
    seat = str(office.open().announced()["waits"][0])
    toml = office.root / "pbem.toml"
    if what == "orders":
        submit(office.env, office.game, "o.yaml", (pull(seat) + "final: yes\n").encode(), seat=seat)
    elif what == "record":
        office.orders(seat, pull(seat), auto_lock=False)
        lock(office.env, office.game, deadline=True)
    elif what == "settings":
        toml.write_text(toml.read_text() + "\n# a word\n")
    elif what == "told":
        (office.game / "told.json").unlink()
    elif what == "names":
        place = office.game / "game.toml"
        place.write_bytes(place.read_bytes() + b"\n")
    else:
        (office.root / "post" / asleep.TABLE).unlink()
    assert by(opened, office.round)[1]


@pytest.mark.parametrize("bad", [b"", b"{}", b"[]", b"\xff", b'{"format": 1, "key": "", "games": {}}'])
def test_a_table_that_is_none_is_made_again(office: OfficeTable, opened: Opened, bad: bytes) -> None:
    place = office.root / "post" / asleep.TABLE
    good = json.loads(place.read_bytes())
    place.write_bytes(bad)
    assert by(opened, office.round) == ([], True)
    assert json.loads(place.read_bytes())["games"] == good["games"]


def test_no_entry_of_the_table_makes_a_game_sleep_longer_than_an_hour(
    office: OfficeTable, opened: Opened
) -> None:
    place = office.root / "post" / asleep.TABLE
    said = json.loads(place.read_bytes())
    said["games"]["game"]["wakes"] += 10 * sleeping.LONGEST
    place.write_text(json.dumps(said))
    assert by(opened, office.round) == ([], True)
    office.later(seconds=sleeping.LONGEST)
    assert by(opened, office.round) == ([], True)


def test_what_a_round_said_before_it_says_again(office: OfficeTable, opened: Opened) -> None:
    """A game of which there was something to say is opened in every round, as long as there is."""
    toml = office.root / "pbem.toml"
    toml.write_text(toml.read_text().replace('name = "North"', 'name = "Nobody else"'))
    first = office.round()
    assert [step.what for step in first] == ["trouble"]
    assert by(opened, office.round) == (first, True)


def test_a_damaged_game_is_told_at_the_latest_after_an_hour(office: OfficeTable) -> None:
    manifest = office.game / "ledger/00001-manifest.json"
    manifest.write_bytes(manifest.read_bytes().replace(b"tug", b"tog", 1))
    office.later(seconds=sleeping.LONGEST)
    assert [step.what for step in office.round()] == ["trouble"]


def test_a_copy_that_lacks_what_went_out_elsewhere_is_found(office: OfficeTable, opened: Opened) -> None:
    told = office.env.keyring.told_file(office.open().id)
    said = json.loads(told.read_bytes())
    said.append({**said[-1], "n": said[-1]["n"] + 1, "id": "0" * 64})
    told.write_text(json.dumps(said))
    assert "trouble" in [step.what for step in office.round()]


def test_while_the_mailbox_cannot_be_read_nobody_is_late_and_nobody_sleeps_over_it(
    office: OfficeTable, opened: Opened
) -> None:
    class Deaf:
        def fetch(self, bag: object) -> FetchReport:
            return FetchReport(("the mailbox does not answer",), whole=False)

        def send(self, box: object, now: object) -> list[object]:
            return []

        def settle(self, bag: object) -> list[str]:
            return []

    office.later(days=9)
    for _ in range(3):
        assert "locked" not in [step.what for step in office.round(Deaf())]  # type: ignore[arg-type]
    assert "locked" in [step.what for step in office.round()]


def test_asked_how_games_stand_a_sleeping_one_is_opened(office: OfficeTable) -> None:
    from pbem.referee.mail.office import open_house, settings

    key = sleeping.key_of(office.env, office.root)
    slept = sleeping.sleepers(office.root / "post", key, office.moment.replace(tzinfo=None).astimezone())
    slept = slept or asleep.read(office.root / "post", key)
    house = open_house(office.env, office.root, settings(office.root), slept)
    (id_,) = house.games
    assert (house.awake, id_ in house.games, len(house.games)) == ([], True, 1)
    whole = open_house(office.env, office.root)
    assert (house.seats, house.is_over(id_), house.cutoff(id_)) == (
        whole.seats,
        whole.is_over(id_),
        whole.cutoff(id_),
    )
    assert house.awake == [], "none of that opened it"
    assert house.games[id_].title == whole.games[id_].title and house.awake == [id_]


@pytest.mark.parametrize("at", range(1, 5))
def test_killed_while_it_notes_who_sleeps_a_round_is_done_again(
    office: OfficeTable, monkeypatch: pytest.MonkeyPatch, at: int
) -> None:
    """What is known of sleeping games is written last and counts for little: without it nothing is missing."""
    seat = str(office.open().announced()["waits"][0])
    office.letter(seat, pull(seat) + "luck: seven drunken herons\n")
    real, seen = disk.effect, []

    def killed(kind: str, path: Path, act: Callable[[], object]) -> object:
        if asleep.TABLE in path.name:
            seen.append(kind)
            if len(seen) == at:
                if kind == "write":
                    path.write_bytes(b"half of what was")
                raise Killed(kind)
        return real(kind, path, act)

    with monkeypatch.context() as patch:
        patch.setattr(disk, "effect", killed)
        with pytest.raises(Killed):
            office.round()
    assert office.round() == []
    assert (office.open().ledger.newest_slot, len(office.queued("reply-"))) == (1, 1)


def test_a_player_of_many_games_gets_an_answer_in_each(
    office: OfficeTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The limit is there for two programs that write to each other: it counts by address and by game."""
    monkeypatch.setattr(round_letters, "MOST_A_DAY", 1)
    for name in ("rope", "yard"):
        wishes = [office.wish(seat, keyed=False) for seat in ("north", "south")]
        new(office.env, str(SCENARIOS / "tug.yaml"), office.root / name, wishes, name=f"{name}-0a1b2c")
    office.round()
    codes = [one.code for one in office.house().seats if one.seat == "south"]
    for code in codes:
        office.letter("south", "thank you\n", f"Re: your move (code {code})")
    office.round()
    assert (len(codes), len(office.queued("reply-")), office.queued("enough-")) == (3, 3, [])
    office.letter("south", "thank you again\n", f"Re: your move (code {codes[1]})")
    office.round()
    assert (len(office.queued("reply-")), len(office.queued("enough-"))) == (3, 1)
