"""Posting to a forum like phpBB as a browser does it: once, whatever becomes of its forms."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from forum_boards import MARKS, PICTURE, Board, board
from forum_servers import SHUT, USER
from msgspec.structs import replace

from pbem.forum.thread import PHPBB


@pytest.fixture
def club() -> Iterator[Board]:
    with board(PHPBB) as made:
        yield made


def test_a_turn_is_posted_with_its_picture_and_not_again(club: Board) -> None:
    club.world.flood = 15
    assert club.whats() == ["posted", "posted"]
    club.once()
    first, second = club.world.posts[3:]
    assert (
        first.text == club.made.drafts[0].text.replace("\n", "\r\n") or first.text == club.made.drafts[0].text
    )
    assert (first.title, second.title) == ("Toll, slot 4 (1 of 2)", "Toll, slot 4 (2 of 2)")
    assert [club.world.attached[number] for number in first.files] == [
        (PICTURE.name, PICTURE.alt)
    ] and second.files == ()
    asked = len(club.world.asked)
    assert club.whats() == ["stands", "stands"]
    assert len(club.world.asked) == asked


def test_pictures_stand_in_the_order_in_which_the_text_counts_them(club: Board) -> None:
    other = replace(PICTURE, name="slot-4-1.png", data=b"\x89PNG another", alt="Another")
    draft = replace(club.made.drafts[0], uploads=(PICTURE, other))
    club.made = replace(club.made, drafts=(draft, club.made.drafts[1]))
    assert club.whats() == ["posted", "posted"]
    assert [club.world.attached[number][0] for number in club.world.posts[3].files] == [
        "slot-4-1.png",
        "slot-4-map.png",
    ]


def test_somebody_who_writes_in_between_is_noticed_by_the_forum_and_the_form_sent_again(club: Board) -> None:
    club.world.in_between = 2
    assert club.whats() == ["posted", "posted"]
    club.once()
    assert [post.author for post in club.world.posts[3:]].count("Bob") == 2
    assert 30.0 not in club.world.clock.slept, "each time with the newest form, and without having to wait"


def test_a_thread_in_which_others_write_all_the_time_is_left_for_later(club: Board) -> None:
    club.world.in_between = 50
    assert club.whats() == ["trouble", "waits"]
    assert club.counts() == [0, 0]
    club.world.in_between = 0
    assert club.whats() == ["posted", "posted"]
    club.once()


def test_too_soon_after_another_post_of_ours(club: Board) -> None:
    club.world.flood = 15
    club.world.store(USER, "a word of my own")
    assert club.whats() == ["posted", "posted"]
    club.once()


def test_a_text_that_is_too_long_is_refused_in_the_words_of_the_board(club: Board) -> None:
    club.world.most = 100
    (step, waits) = club.run()
    assert step.what == "trouble" and "127.0.0.1 refuses the post: Your message contains" in step.said
    assert waits.said == "post 2 of 2: it waits until post 1 is in the thread"
    assert club.counts() == [0, 0]


def test_a_board_of_old_says_in_words_that_it_took_the_post(club: Board) -> None:
    club.world.faults["POST posting.php"] = ["", "message", "message"]
    assert club.whats() == ["posted", "posted"]
    club.once()


def test_what_waits_for_a_moderator_is_not_posted_again_and_what_follows_waits(club: Board) -> None:
    club.world.approves = True
    assert club.whats() == ["waits", "waits"]
    assert club.whats() == ["waits", "waits"]
    assert club.counts() == [1, 0]
    club.world.approves = False
    club.world.posts += club.world.queue
    club.world.queue.clear()
    assert club.whats() == ["stands", "posted"]
    club.once()


@pytest.mark.parametrize(
    "to",
    ["./viewtopic.php?f=2&t=12", "./viewtopic.php?f=2&t=12&p=103#p103", "./index.php", "./viewforum.php?f=2"],
)
def test_being_sent_on_to_anything_but_a_new_post_proves_nothing(club: Board, to: str) -> None:
    """As where the form came back within two seconds, which drops it without a word."""
    club.world.faults["POST posting.php"] = ["", f"to:{to}"]
    assert club.whats() == ["posted", "posted"]
    club.once()


AFTER = ["drop-after", "silent-after", "cut", "html-after", "500-after"]
BEFORE = ["drop", "silent", "500:", "html", "huge", "elsewhere", "503:"]


@pytest.mark.parametrize("fault", AFTER)
@pytest.mark.parametrize("number", [1, 2])
def test_what_was_stored_without_an_answer_is_found_and_not_posted_again(
    club: Board, fault: str, number: int
) -> None:
    club.world.faults["POST posting.php"] = [""] * number + [fault]  # the picture first
    assert club.whats() == ["posted", "posted"]
    club.once()


@pytest.mark.parametrize("fault", BEFORE)
def test_what_was_not_stored_is_posted_again_once_the_forum_had_its_time(club: Board, fault: str) -> None:
    club.world.faults["POST posting.php"] = ["", fault]
    assert club.whats() == ["posted", "posted"]
    club.once()
    assert club.world.clock.passed > 60


@pytest.mark.parametrize("fault", ["drop", "silent", "500:", "503:", "429:7"])
@pytest.mark.parametrize("route", ["GET ucp.php", "GET viewtopic.php", "GET posting.php"])
def test_a_page_that_is_not_there_at_once_is_asked_for_again(club: Board, route: str, fault: str) -> None:
    club.world.faults[route] = [fault]
    assert club.whats() == ["posted", "posted"]
    club.once()


@pytest.mark.parametrize("fault", ["drop", "drop-after", "cut", "silent", "500:", "429:7"])
def test_a_picture_that_did_not_arrive_is_sent_again_with_its_post(club: Board, fault: str) -> None:
    club.world.faults["POST posting.php"] = [fault]
    assert club.whats() == ["posted", "posted"]
    club.once()
    (number,) = club.world.posts[3].files
    assert len(club.world.attached) == (2 if fault in ("drop-after", "cut") else 1) and number == str(
        len(club.world.attached)
    )


def test_a_picture_that_the_board_does_not_take(club: Board) -> None:
    big = replace(PICTURE, data=b"x" * 300_000)
    club.made = replace(club.made, drafts=(replace(club.made.drafts[0], uploads=(big,)), club.made.drafts[1]))
    (step, _) = club.run()
    assert (
        "127.0.0.1 does not accept the picture slot-4-map.png: The file slot-4-map.png is too big"
        in step.said
    )
    assert club.counts() == [0, 0]


# --- what is typed wrong


def test_a_wrong_password(club: Board) -> None:
    club.secret = "wrong hunter2"
    (step,) = club.run()
    assert "127.0.0.1 rejected the login of cass: You have specified an incorrect password." in step.said


def test_a_riddle(club: Board) -> None:
    club.world.riddle = True
    (step,) = club.run()
    assert "asks cass for a CAPTCHA; log in once with a browser, or post by hand" in step.said


def test_a_closed_thread_and_one_that_is_not_there(club: Board) -> None:
    club.topic = SHUT
    (step, _) = club.run()
    assert "does not let cass write in thread 13: This topic is locked" in step.said
    club.topic = 4711
    (step,) = club.run()
    assert (
        "there is no thread 4711 at 127.0.0.1 that cass may read: The requested topic does not exist."
        in step.said
    )


def test_an_address_that_is_no_forum(club: Board) -> None:
    for route in ("GET ucp.php", "GET viewtopic.php"):
        club.world.faults[route] = ["html"]
    (step,) = club.run()
    assert (
        "127.0.0.1 answers with text/html, where phpBB's form for logging in was "
        "expected; perhaps url in pbem.toml" in step.said
    )
    club.world.faults["GET ucp.php"] = ["elsewhere"]
    (step,) = club.run()
    assert "redirects to http://127.0.0.1:9/somewhere; nothing was sent there" in step.said
    club.world.faults["GET ucp.php"] = ["circle"]
    (step,) = club.run()
    assert "too many redirects (more than 5)" in step.said


def test_marks_are_looked_for_in_old_pages_too(club: Board) -> None:
    club.world.store(USER, club.made.drafts[0].text)
    for number in range(25):
        club.world.store("Bob", f"talk {number}")
    assert club.whats() == ["stands", "posted"]
    assert club.counts() == [1, 1] and MARKS[1] in club.world.posts[-1].text


@pytest.mark.parametrize(
    "action",
    [
        "http://127.0.0.1:9/x",
        "//elsewhere.example/ucp.php",
        "javascript:alert(1)",
        "http://[::1/",
        "https://127.0.0.1/",
    ],
)
def test_a_password_goes_nowhere_else_whatever_a_page_says(club: Board, action: str) -> None:
    club.world.action = action
    (step,) = club.run()
    assert "nothing was sent there" in step.said
    assert not any(one.startswith("POST") for one in club.world.asked)
