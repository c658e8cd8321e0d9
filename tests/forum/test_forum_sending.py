"""What holds for posting to either forum: killed anywhere, throttled, shut, held; each post once and in
order, or said plainly why not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from forum_boards import MARKS, Board, board
from forum_servers import USER
from killing import Killed, Killer
from msgspec.structs import replace

from pbem.forum.thread import DISCOURSE, PHPBB
from pbem.referee.game.refusal import Refused
from pbem.store import disk, net
from pbem.store.forum_outbox import DOUBT, ForumOutbox
from pbem.store.library import common_words

SOFTWARE = (DISCOURSE, PHPBB)
POST = {DISCOURSE: "POST /posts.json", PHPBB: "POST posting.php"}
LOOK = {DISCOURSE: "GET /t/ID/posts.json", PHPBB: "GET viewtopic.php"}
PICTURES = {DISCOURSE: 0, PHPBB: 1}
"""How many requests to the route of posts come before the first one is posted."""


@pytest.fixture(params=SOFTWARE)
def club(request: pytest.FixtureRequest) -> Iterator[Board]:
    with board(request.param) as made:
        yield made


def faulty(club: Board, *faults: str) -> None:
    club.world.faults[POST[club.software]] = [*[""] * PICTURES[club.software], *faults]


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("software", SOFTWARE)
def test_killed_anywhere_each_post_is_made_once(
    software: str, after: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed before, or right after, the first, second … step on disk or over the network, the next run does
    the rest and nothing twice.
    """
    at, steps = 0, []
    while True:
        at += 1
        with board(software) as club:
            killer = Killer(at, after=after)
            with monkeypatch.context() as patch:
                patch.setattr(disk, "effect", killer)
                patch.setattr(net, "effect", killer)
                try:
                    club.run()
                except Killed:
                    pass
                else:
                    killer.at = -1
            for _ in range(3):
                if club.whats() == ["stands", "stands"]:
                    break
            club.once()
            if killer.at < 0:
                break
            steps.append(killer.seen[at - 1])
    assert steps.count("web-post") >= 3 and steps.count("rename") >= 4, steps


@pytest.mark.parametrize("software", SOFTWARE)
def test_killed_twice_at_the_post_itself(software: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first time it was stored, the second time the program ends while it looks for it."""
    with board(software) as club:
        club.made = replace(club.made, drafts=tuple(replace(draft, uploads=()) for draft in club.made.drafts))
        logins = 1 if software == PHPBB else 0
        with monkeypatch.context() as patch:
            patch.setattr(net, "effect", Killer(logins + 1, after=True, kinds=("web-post",)))
            with pytest.raises(Killed):
                club.run()
        assert club.counts() == [1, 0]
        for at in (1, 2):
            with monkeypatch.context() as patch:
                patch.setattr(net, "effect", Killer(at, kinds=("web-get",)))
                with pytest.raises(Killed):
                    club.run()
        assert club.whats() == ["stands", "posted"]
        club.once()


@pytest.mark.parametrize("looks", [1, 2])
def test_a_forum_that_is_slow_to_store_what_it_took(club: Board, looks: int) -> None:
    """The post comes to be seen only after the thread was looked at some times."""
    faulty(club, f"later:{looks * (2 if club.software == DISCOURSE else 1)}")
    assert club.whats() == ["posted", "posted"]
    club.once()


def test_a_thread_that_cannot_be_seen_afterwards_is_no_reason_to_post_again(club: Board) -> None:
    faulty(club, "drop-after")
    real = club.world.fault

    def fault(route: str) -> str:
        gone = club.counts()[0] and route.startswith("GET")
        return "500:" if gone else real(route)

    club.world.fault = fault  # type: ignore[method-assign]
    step, waits = club.run()
    assert step.what == "trouble" and waits.what == "waits"
    assert re.search(
        "nobody knows whether the post that was sent at 2026-11-21T12:.*Z is "
        "there: 127.0.0.1 answers 500; look",
        step.said,
    )
    assert "then --held there if it is, else --held again" in step.said
    assert club.counts() == [1, 0]
    assert [one.what for one in club.run()] == ["trouble"], "and it still cannot be seen"
    club.world.fault = real  # type: ignore[method-assign]
    assert club.whats() == ["stands", "posted"]
    club.once()


def held(club: Board) -> None:
    """Have a post fall silent while a post of our account appears that does not bear its mark, as where a
    forum changes texts.
    """
    faulty(club, "silent-after")
    store = club.world.store
    club.world.store = lambda author, text, *more: store(author, re.sub("tug-.*b55d", "...", text), *more)  # type: ignore[method-assign]
    step, _ = club.run()
    club.world.store = store  # type: ignore[method-assign]
    assert (
        step.what == "trouble"
        and "a newer post of ours is there, number 104, without the line that identifies it" in step.said
    )
    assert club.counts() == [0, 0]


def test_a_post_that_may_be_ours_and_does_not_bear_the_mark_is_held(club: Board) -> None:
    held(club)
    assert club.whats() == ["trouble", "waits"], "and nothing is posted by guess later on"
    assert club.counts() == [0, 0]
    assert club.whats("there") == ["stands", "posted"]
    assert club.counts() == [0, 1]


def test_what_is_held_is_posted_again_when_the_umpire_says_so(club: Board) -> None:
    held(club)
    assert club.whats("again") == ["posted", "posted"]
    assert club.counts() == [1, 1]


def test_only_what_is_held_is_touched_by_the_words_of_the_umpire(club: Board) -> None:
    assert club.whats("there") == ["posted", "posted"]
    assert club.whats("again") == ["stands", "stands"]
    club.once()


def test_an_account_that_is_shown_under_another_name_makes_no_double_post(club: Board) -> None:
    faulty(club, "silent-after")
    store = club.world.store
    club.world.store = lambda author, text, *more: store("Cass of the Club", text, *more)  # type: ignore[method-assign]
    step, _ = club.run()
    club.world.store = store  # type: ignore[method-assign]
    assert step.what == "trouble" and "number 104 has its last line but is by Cass of the Club" in step.said
    assert club.whats() == ["trouble", "waits"], "and nothing is posted by guess later on"
    assert club.counts() == [1, 0]
    assert club.whats("there") == ["stands", "posted"]
    assert club.counts() == [1, 1]


@pytest.mark.parametrize("how", ["429:7", "429:90"])
def test_a_forum_that_wants_to_be_left_alone_for_a_while(club: Board, how: str) -> None:
    faulty(club, how)
    assert club.whats() == ["posted", "posted"]
    assert float(how[4:]) in club.world.clock.slept
    club.once()


def test_a_forum_that_wants_to_be_left_alone_for_long(club: Board) -> None:
    faulty(club, "429:5000")
    step, _ = club.run()
    assert step.what == "trouble" and "asks us to wait 5000 seconds" in step.said
    assert club.world.clock.passed < 100 and club.counts() == [0, 0]
    club.world.faults[LOOK[club.software]] = ["429:5000"]
    (step,) = club.run()
    assert "asks us to wait 5000 seconds" in step.said


def test_a_forum_that_never_answers_is_not_asked_without_end(club: Board) -> None:
    club.world.faults[LOOK[club.software]] = ["500:"] * 50
    (step,) = club.run()
    assert step.said == "127.0.0.1 answers 500"
    assert sum("viewtopic" in one or "/posts.json" in one for one in club.world.asked) == 4
    faulty(club, *["drop"] * 50)
    club.world.faults.pop(LOOK[club.software])
    step, _ = club.run()
    assert "127.0.0.1 did not answer" in step.said
    assert club.whats()[0] == "trouble" and club.counts() == [0, 0]
    club.world.faults.clear()
    assert club.whats() == ["posted", "posted"]
    club.once()


def test_a_forum_that_is_not_there(club: Board) -> None:
    club.url = "http://127.0.0.1:9"
    (step,) = club.run()
    assert step.said.startswith("127.0.0.1 cannot be reached: ")


def test_an_answer_that_trickles_is_hung_up_on(club: Board) -> None:
    club.whole = 0.2
    club.patience = 5.0
    club.world.faults[LOOK[club.software]] = ["silent"] * 4
    (step,) = club.run()
    assert step.said == "127.0.0.1 did not answer: it takes too long"


def test_an_answer_without_end_is_not_read(club: Board) -> None:
    club.world.faults[LOOK[club.software]] = ["huge"] * 4
    (step,) = club.run()
    assert "it answers with more than 1 million bytes" in step.said


def test_the_turn_stands_already_in_another_number_of_posts(club: Board) -> None:
    three = club.made.drafts[0].text.replace("post 1 of 2", "post 1 of 3")
    club.world.store(USER, three)
    with pytest.raises(Refused) as refused:
        club.run()
    (problem,) = refused.value.problems
    assert (
        common_words().problem(problem.code, problem.args)
        == "posts about slot 4 are already in the thread, split differently"
    )
    assert club.counts() == [0, 0]


def test_the_turn_was_posted_before_in_another_number_of_posts_as_our_book_says(club: Board) -> None:
    assert club.whats() == ["posted", "posted"]
    drafts = tuple(
        replace(one, mark=one.mark.replace("of 2", "of 3"), text=one.text.replace("of 2", "of 3"))
        for one in club.made.drafts
    )
    club.made = replace(club.made, drafts=drafts)
    club.world.posts = club.world.posts[:3]
    with pytest.raises(Refused):
        club.run()


def test_a_turn_that_was_taken_back_and_played_anew_is_another_turn(club: Board) -> None:
    assert club.whats() == ["posted", "posted"]
    drafts = tuple(
        replace(one, mark=one.mark.replace("d873", "1111"), text=one.text.replace("d873", "1111"))
        for one in club.made.drafts
    )
    club.made = replace(club.made, drafts=drafts)
    assert club.whats() == ["posted", "posted"]
    club.once()


def test_a_book_that_was_destroyed_makes_no_second_post(club: Board) -> None:
    assert club.whats() == ["posted", "posted"]
    for path in (club.folder / "posts").glob("*.json"):
        path.write_bytes(b"\x00{half of what")
    assert club.whats() == ["stands", "stands"]
    club.once()


def test_another_thread_has_a_book_of_its_own(club: Board) -> None:
    club.run()
    box = ForumOutbox(club.folder, "https://elsewhere.example 12")
    assert box.entry(MARKS[0]).state == "new" and box.all() == []
    assert {one.mark for one in ForumOutbox(club.folder, club.thread.name).all()} == set(MARKS)


def test_two_programs_do_not_post_at_once(club: Board, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk, "PATIENCE", 0.0)
    box = ForumOutbox(club.folder, club.thread.name)
    disk.make_folder(box.folder)
    with disk.exclusive(box.folder, 0.0):
        monkeypatch.setattr(disk.exclusive.__wrapped__, "__defaults__", (0.0,))  # type: ignore[attr-defined]
        with pytest.raises(Refused) as refused:
            club.run()
    assert refused.value.problems[0].code == "game.busy" and club.world.asked == []


def test_every_sentence_of_forums_knows_its_names() -> None:
    words = common_words()
    for key in words.keys("problems"):
        if key.startswith("board."):
            known = {"host", "topic", "user", "said", "name", "path", "game", "forum", "slot", "at"}
            assert words.slots("problems", key) <= known, key


def test_what_is_noted_before_a_post_goes_is_that_it_may_be_there(
    club: Board, monkeypatch: pytest.MonkeyPatch
) -> None:
    states = []
    real = net.effect

    def effect(kind: str, what: str, act: object) -> object:
        if kind == "web-post" and "ucp.php" not in what and "uploads" not in what:
            states.append(ForumOutbox(club.folder, club.thread.name).entry(MARKS[0]).state)
        return real(kind, what, act)  # type: ignore[arg-type]

    monkeypatch.setattr(net, "effect", effect)
    club.run()
    assert states[PICTURES[club.software]] == DOUBT and states[-1] == "stands"
