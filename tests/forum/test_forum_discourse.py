"""Posting to a forum like Discourse through its API: once, whatever it answers."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from forum_boards import MARKS, PICTURE, Board, board
from forum_servers import SHUT, USER

from pbem.forum.thread import DISCOURSE


@pytest.fixture
def club() -> Iterator[Board]:
    with board(DISCOURSE) as made:
        yield made


def test_a_turn_is_posted_with_its_picture_and_not_again(club: Board) -> None:
    assert club.whats() == ["posted", "posted"]
    club.once()
    ((short, data),) = club.world.uploads.items()
    assert data == PICTURE.data
    assert f"![A map|10x10]({short})" in club.world.posts[3].text
    asked = len(club.world.asked)
    assert club.whats() == ["stands", "stands"]
    assert len(club.world.asked) == asked, "what stands by our own book is not even looked for"


def test_it_says_who_it_is_and_takes_its_time(club: Board) -> None:
    club.run()
    assert all(head["user-agent"].startswith("pbem/") for head in club.world.heads)
    assert all(head["api-username"] == USER for head in club.world.heads)
    assert 5.0 in club.world.clock.slept, "seconds between two posts"
    assert club.world.clock.passed >= len(club.world.asked) - 1, "a second between two requests"


def test_what_a_person_pasted_is_not_posted_again(club: Board) -> None:
    club.world.store(USER.upper(), club.made.drafts[0].text)
    assert club.whats() == ["stands", "posted"]
    club.once() if club.world.posts[3].author == USER else None
    assert club.counts() == [1, 1]


def test_nobody_else_makes_us_believe_that_a_post_stands(club: Board) -> None:
    club.world.store("Bob", club.made.drafts[0].text)
    club.world.store(USER, '[quote="cass, post:4, topic:12"]\n' + club.made.drafts[0].text + "\n[/quote]\nas I said")
    assert club.whats() == ["posted", "posted"]
    assert sum(MARKS[0] in post.text for post in club.world.posts) == 3


@pytest.mark.parametrize("fault", ["drop-after", "silent-after", "cut", "html-after", "500-after"])
def test_what_was_stored_without_an_answer_is_found_and_not_posted_again(club: Board, fault: str) -> None:
    club.world.faults["POST /posts.json"] = [fault]
    assert club.whats() == ["posted", "posted"]
    club.once()


@pytest.mark.parametrize("fault", ["drop", "silent", "500:", "html", "huge", "elsewhere", "502:"])
def test_what_was_not_stored_is_posted_again_once_the_forum_had_its_time(club: Board, fault: str) -> None:
    club.world.faults["POST /posts.json"] = [fault]
    assert club.whats() == ["posted", "posted"]
    club.once()
    assert club.world.clock.passed > 60


def test_a_closed_thread(club: Board) -> None:
    club.topic = SHUT
    (step, *_) = club.run()
    assert step.what == "trouble" and "thread 13 at 127.0.0.1 is closed" in step.said
