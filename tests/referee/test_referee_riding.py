"""Two friends, one of whom runs the office: how many letters a turn takes, and that nobody waits because two
came as one.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from office_table import OfficeTable
from table import Table, pull

from pbem.referee.mail.hand_letters import lay_out
from pbem.referee.proving.verify import verify
from pbem.referee.turn.status import mails


@pytest.fixture
def office(tmp_path: Path) -> OfficeTable:
    table = OfficeTable(tmp_path, more="")
    table.count = 1  # with these secrets nobody is asked anything in between
    table.started(keyed=())
    table.round()
    return table


def to_friend(office: OfficeTable) -> list[str]:
    return [
        sent.key.replace("tug-0a1b2c-", "") for sent in office.queued() if not sent.key.startswith("reply-")
    ]


def own_move(office: OfficeTable, luck: str = "seven drunken herons") -> None:
    """Ann moves: she hands in her orders, makes a round, and her friend answers the question for words."""
    office.orders("north", pull("north"), auto_lock=False)
    office.round()
    office.letter("south", f"luck: {luck}\n")
    office.round()


def friend_moves(office: OfficeTable, number: int) -> None:
    office.letter("south", pull("south", f"luck: words of slot {number}\n"))
    office.round()


def test_a_turn_of_two_friends_takes_two_letters_to_the_friend_and_two_from_him(office: OfficeTable) -> None:
    assert to_friend(office) == ["turn-s0000-south"]
    own_move(office)
    assert to_friend(office) == ["go-s0001-south", "turn-s0000-south", "turn-s0001-south"]
    friend_moves(office, 2)
    assert "turn-s0002-south" not in to_friend(office), (
        "his report waits for the question that he gets anyway"
    )
    own_move(office, "a second flock of herons")
    # Three letters before: turn-s0002, go-s0003, turn-s0003.
    assert to_friend(office) == [
        "go-s0001-south",
        "go-s0003-south",
        "turn-s0000-south",
        "turn-s0001-south",
        "turn-s0003-south",
    ]
    assert office.letters == 3
    assert verify(office.game).verdict == "pass"


def test_the_letter_has_the_question_first_and_the_report_below_it(office: OfficeTable) -> None:
    own_move(office)
    friend_moves(office, 2)
    office.orders("north", pull("north"), auto_lock=False)
    office.round()
    (sent,) = office.queued("go-tug-0a1b2c-s0003")
    assert sent.text.index("luck: any words") < sent.text.index("south-team") < len(sent.text)
    assert sent.subject.endswith(f"(code {office.code('south')})")


def test_a_report_waits_half_a_day_at_most(office: OfficeTable) -> None:
    own_move(office)
    friend_moves(office, 2)
    office.later(hours=11)
    office.round()
    assert "turn-s0002-south" not in to_friend(office)
    office.later(hours=2)
    office.round()
    assert "turn-s0002-south" in to_friend(office)
    office.orders("north", pull("north"), auto_lock=False)
    office.round()
    (sent,) = office.queued("go-tug-0a1b2c-s0003")
    assert "south-team" not in sent.text, "the report came before"


def test_who_is_not_asked_for_words_after_all_is_told_at_once(office: OfficeTable) -> None:
    own_move(office)
    friend_moves(office, 2)
    office.orders("north", "pull:\n- north-team rests\n", auto_lock=False)
    office.round()
    assert {"turn-s0002-south", "turn-s0003-south"} <= set(to_friend(office))
    assert "go-s0003-south" not in to_friend(office)


def test_an_umpire_who_plays_no_seat_holds_nothing_back(tmp_path: Path) -> None:
    table = OfficeTable(tmp_path, more="")
    table.count = 1  # with these secrets nobody is asked anything in between
    table.started(keyed=(), umpire=True)
    table.letter("north", pull("north", "luck: seven drunken herons\n"))
    table.round()
    assert {"turn-s0001-north", "turn-s0001-south"} <= set(to_friend(table))


def test_a_game_that_is_held_still_keeps_no_report_back(office: OfficeTable) -> None:
    own_move(office)
    friend_moves(office, 2)
    with (office.root / "pbem.toml").open("a") as file:
        file.write("[games.tug-0a1b2c]\nhold = true\n")
    office.round()
    assert "turn-s0002-south" in to_friend(office)


# --- by hand


def test_by_hand_a_turn_takes_two_letters_too_and_each_says_how_it_is_answered(table: Table) -> None:
    table.count = 5  # with these secrets nobody is asked anything in between
    table.started(keyed=())
    mailed = []

    def lay() -> str:
        names = lay_out(table.open())
        assert lay_out(table.open()) == names, "doing it again changes nothing"
        mailed.extend(name for name in names if name.endswith(".txt"))
        return (table.game / names[0]).read_text() if names else ""

    assert lay() == ""
    table.orders("north", pull("north"))
    table.lock()
    asks = lay()
    table.go("south", "seven drunken herons")
    table.resolve()
    moves = lay()
    table.orders("south", pull("south", "luck: words of slot 2\n"))
    table.resolve()
    assert lay() == "", "the report of his move waits for the question"
    table.orders("north", pull("north"))
    table.lock()
    both = lay()
    assert mailed == [
        "outbox/lock-s0001-south.txt",
        "outbox/report-s0001-south.txt",
        "outbox/lock-s0003-south.txt",
    ]
    for text in (asks, moves, both):
        assert text.startswith("Subject: [tug-0a1b2c] Turn ")
        assert (
            "A rope across the yard (game tug-0a1b2c)" in text
            and "There is no deadline" in text
            and "`luck: any words`" in text
        )
    assert "orders-s0002-south.yaml" in moves and (table.game / "outbox/orders-s0002-south.yaml").is_file()
    assert both.index("orders are fixed") < both.index("You typed: words of slot 2")
    table.go("south", "a second flock of herons")
    table.resolve()
    assert {entry.seat: entry.letters for entry in mails(table.open())} == {"north": 2, "south": 3}, (
        "what he answers to a lock is a letter too"
    )


def test_by_hand_an_umpire_sends_each_report_to_everybody(table: Table) -> None:
    table.started(umpire=True, keyed=())
    table.orders("north", pull("north", "luck: seven drunken herons\n"))
    table.resolve()
    assert {"outbox/report-s0001-north.txt", "outbox/report-s0001-south.txt"} <= set(lay_out(table.open()))
