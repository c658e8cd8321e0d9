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
    club.world.store(
        USER, '[quote="cass, post:4, topic:12"]\n' + club.made.drafts[0].text + "\n[/quote]\nas I said"
    )
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


def test_a_thread_that_is_not_there(club: Board) -> None:
    club.topic = 4711
    (step,) = club.run()
    assert (
        "there is no thread 4711 at 127.0.0.1 that cass may read: The requested "
        "URL or resource could not be found." in step.said
    )


def test_a_wrong_key_or_one_of_somebody_else(club: Board) -> None:
    club.secret = "wrong hunter2"
    (step,) = club.run()
    assert "127.0.0.1 does not let cass do this with this key: You are not permitted" in step.said
    assert step.said.endswith("; is the key one for cass, and may it write?")
    club.secret, club.user = "0123abcdKEYhunter2", "bob"
    (step,) = club.run()
    assert "does not let bob do this with this key" in step.said


def test_a_secret_that_the_forum_repeats_is_not_told(club: Board) -> None:
    club.world.faults["GET /t/ID.json"] = [f"422:who uses {club.secret} here?"]
    (step,) = club.run()
    assert step.said == "127.0.0.1 refuses the post: who uses ... here?"


def test_an_address_that_is_no_forum(club: Board) -> None:
    club.world.faults["GET /t/ID.json"] = ["html"]
    (step,) = club.run()
    assert (
        "answers with text/html, where JSON was expected; perhaps url in "
        "pbem.toml is not the address of the forum" in step.said
    )
    club.path = "/wiki"
    (step,) = club.run()
    assert step.what == "trouble" and "there is no thread 12" in step.said
    club.path = ""
    club.world.faults["GET /t/ID.json"] = ["elsewhere"]
    (step,) = club.run()
    assert (
        "redirects to http://127.0.0.1:9/somewhere; nothing was sent there; if that is the forum, put its "
        "address into url" in step.said
    )


def test_a_text_that_is_too_long_is_refused_in_the_words_of_the_forum(club: Board) -> None:
    club.world.most = 100
    step, waits = club.run()
    assert "127.0.0.1 refuses the post: Body is limited to 100 characters" in step.said
    assert waits.said == "post 2 of 2: it waits until post 1 is in the thread"
    club.world.most = 32_000
    assert club.whats() == ["posted", "posted"]
    club.once()


def test_too_many_posts_in_a_row_are_explained(club: Board) -> None:
    for number in range(3):
        club.world.store(USER, f"news {number}")
    club.world.faults["POST /posts.json"] = ["422:Sorry, no more than 3 consecutive replies are allowed."]
    step, _ = club.run()
    assert step.said.endswith(
        "127.0.0.1 refuses the post: Sorry, no more than 3 consecutive replies are allowed.; the last 3 "
        "posts are ours,"
        " and perhaps somebody else has to write between"
    )
    club.world.store("Bob", "between")
    assert club.whats() == ["posted", "posted"]


@pytest.mark.parametrize("how", ["429:7", "429:7/header", "429:7/body"])
def test_how_long_to_wait_is_read_from_head_and_body(club: Board, how: str) -> None:
    for route in ("GET /t/ID.json", "POST /uploads.json", "POST /posts.json"):
        club.world.faults[route] = [how]
        before = club.world.clock.slept.count(7.0)
        steps = club.whats()
        assert club.world.clock.slept.count(7.0) == before + 1, route
        club.world.posts = club.world.posts[:3]
        for path in (club.folder / "posts").glob("*"):
            path.unlink()
        assert steps == ["posted", "posted"]


@pytest.mark.parametrize("fault", ["drop", "silent", "500:", "html", "drop-after"])
def test_a_picture_that_did_not_arrive_is_sent_again(club: Board, fault: str) -> None:
    club.world.faults["POST /uploads.json"] = [fault]
    whats = club.whats()
    if fault == "html":
        assert whats == ["trouble", "waits"] and club.counts() == [0, 0]
        assert club.whats() == ["posted", "posted"]
    else:
        assert whats == ["posted", "posted"]
    club.once()


def test_a_picture_that_the_forum_does_not_take(club: Board) -> None:
    club.world.faults["POST /uploads.json"] = ["422:Sorry, the image is too big"]
    step, _ = club.run()
    assert "127.0.0.1 does not accept the picture slot-4-map.png: Sorry, the image is too big" in step.said
    assert club.counts() == [0, 0]


def test_a_picture_that_is_there_is_not_uploaded_again(club: Board) -> None:
    club.world.faults["POST /posts.json"] = ["422:not now"]
    club.run()
    assert club.whats() == ["posted", "posted"]
    assert sum("uploads" in one for one in club.world.asked) == 1
    ((short, _),) = club.world.uploads.items()
    assert short in club.world.posts[3].text


def test_what_waits_for_a_moderator_is_not_posted_again_and_what_follows_waits(club: Board) -> None:
    club.world.approves = True
    first, second = club.run()
    assert (
        first.said
        == "post 1 of 2: a moderator has to let it through; what follows waits until it is in the thread"
    )
    assert (first.what, second.what) == ("waits", "waits")
    assert club.whats() == ["waits", "waits"] and club.counts() == [1, 0]
    club.world.approves = False
    club.world.posts += club.world.queue
    club.world.queue.clear()
    assert club.whats() == ["stands", "posted"]
    club.once()


def test_old_posts_are_not_looked_at(club: Board) -> None:
    """What was written days before the turn was played cannot be about it, and is not asked for."""
    from datetime import timedelta

    for number in range(100):
        club.world.store("Bob", f"talk {number}")
    for post in club.world.posts:
        post.at -= timedelta(days=9)
    assert club.whats() == ["posted", "posted"]
    asked = [one for one in club.world.asked if "post_ids" in one]
    assert len(asked) == 1, "of six pages only the last"
