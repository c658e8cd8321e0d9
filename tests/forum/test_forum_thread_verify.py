"""A thread held against an archive: what is the same, who first tells another story, and
what does not count.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from forum_table import ForumTable, quote, words
from msgspec.structs import replace
from table import pull

from pbem.forum.proofline import line
from pbem.referee.forum.thread_verify import AHEAD, OTHER, SAME, Verdict, verify_thread
from pbem.referee.game.refusal import Refused
from pbem.referee.proving.pack import pack
from pbem.referee.turn.ruling import correct
from pbem.referee.turn.undo import undo


@pytest.fixture
def told(thread: ForumTable) -> ForumTable:
    """A game of three turns, each of them posted."""
    thread.count = 43  # pulls in which nobody is asked
    thread.started(keyed=(), umpire=True)
    for number in range(3):
        played(thread, f"seven drunken herons {number}")
    return thread


def played(thread: ForumTable, luck: str) -> None:
    (seat,) = thread.open().announced()["waits"]
    thread.orders(seat, pull(seat) + f"luck: {luck}\n")
    thread.resolve()
    thread.post("Nora", html=words("Well pulled."))
    thread.report()


def verdict(thread: ForumTable, *pages: bytes, where: Path | None = None) -> Verdict:
    files = [(f"page-{number}.html", data) for number, data in enumerate(pages or (thread.forum.page(),), 1)]
    return verify_thread(where or thread.game, files)


def tampered(thread: ForumTable, number: int, digit: int = 0) -> str:
    """Change one digit of the head that a post tells, and return the head as it is then."""
    at = next(at for at, one in enumerate(thread.forum.posts) if one.number == number)
    post = thread.forum.posts[at]
    (said,) = [one for one in verdict(thread).told if one.post == f"post #{number}"]
    changed = said.head[:digit] + ("0" if said.head[digit] != "0" else "1") + said.head[digit + 1 :]
    grouped = [" ".join(head[each : each + 8] for each in range(0, 64, 8)) for head in (said.head, changed)]
    assert grouped[0] in post.html
    thread.forum.posts[at] = replace(post, html=post.html.replace(grouped[0], grouped[1]))
    return changed


def test_a_thread_tells_the_game(told: ForumTable) -> None:
    found = verdict(told)
    assert [(one.post, one.slot, one.answer, one.notes) for one in found.told] == [
        ("post #2", 1, SAME, ()),
        ("post #4", 2, SAME, ()),
        ("post #6", 3, SAME, ()),
    ]
    assert (found.answer, found.first, found.missing, found.others, found.problems, found.broken) == (
        0,
        None,
        (),
        (),
        (),
        "",
    )
    assert all(one.head == one.ledger and len(one.head) == 64 for one in found.told)
    pack(told.env, told.game, told.root / "all.zip")
    assert verdict(told, where=told.root / "all.zip").answer == 0


@pytest.mark.parametrize("digit", [0, 15, 31, 63])
def test_the_first_post_that_tells_another_story_is_named(told: ForumTable, digit: int) -> None:
    changed = tampered(told, 4, digit)
    tampered(told, 6)
    found = verdict(told)
    assert found.answer == 1 and found.first is not None
    assert (found.first.post, found.first.author, found.first.slot, found.first.head) == (
        "post #4",
        "Cass",
        2,
        changed,
    )
    assert found.first.ledger != changed
    assert [one.answer for one in found.told] == [SAME, OTHER, OTHER]


def test_a_thread_of_another_history_of_the_same_game(told: ForumTable, tmp_path: Path) -> None:
    twin = ForumTable(tmp_path / "twin")
    twin.root.mkdir()
    twin.count = 7  # other salts: the same game, and another story
    twin.started(keyed=(), umpire=True)
    played(twin, "no cheese on fridays")
    found = verify_thread(twin.game, [("page.html", told.forum.page())])
    assert found.answer == 1 and found.first is not None and found.first.post == "post #2"
    assert [one.answer for one in found.told] == [OTHER, AHEAD, AHEAD]


def test_turns_that_this_copy_does_not_have_yet_are_no_other_story(told: ForumTable) -> None:
    pack(told.env, told.game, told.root / "old.zip")
    played(told, "eight drunken herons")
    found = verdict(told, where=told.root / "old.zip")
    assert [one.answer for one in found.told] == [SAME, SAME, SAME, AHEAD]
    assert found.answer == 0
    assert verdict(told, told.forum.page(told.forum.posts[-1:]), where=told.root / "old.zip").answer == 3


def test_turns_that_are_not_told(told: ForumTable) -> None:
    told.delete(4)
    found = verdict(told)
    assert (found.answer, found.missing) == (0, (2,))


def test_without_a_proof_line_nothing_is_decided(told: ForumTable) -> None:
    talk = told.forum.page([one for one in told.forum.posts if one.author == "Nora"])
    for page in (talk, b"", b"<html><body>hello", b"\xff\xfe"):
        found = verdict(told, page)
        assert (found.answer, found.told, found.missing) == (3, (), ())


def test_quoted_lines_do_not_count(told: ForumTable) -> None:
    fork = line(told.open().id, 2, "0badcafe" * 8)
    told.post("Nora", html=quote("Cass", words(fork)) + "Is this so?")
    told.post("Nora", html=words("> " + fork.replace("\n", "\n> ")) + "<br>\nIs this so?")
    found = verdict(told)
    assert (found.answer, found.quoted, len(found.told)) == (0, 2, 3)


def test_another_account_and_a_turn_that_is_told_twice_are_pointed_out(told: ForumTable) -> None:
    copy = told.forum.posts[1]
    told.post("Mallory", html=copy.html)
    told.post("Cass", html=copy.html)
    found = verdict(told)
    assert found.answer == 0
    assert [(one.foreign, one.again) for one in found.told[3:]] == [(True, True), (False, True)]
    assert found.told[3].notes == (
        "by another account than Cass, who told the first turn",
        "told before in post #2",
    )
    told.post("Mallory", html=words(line(told.open().id, 3, "0badcafe" * 8)))
    found = verdict(told)
    assert found.answer == 1 and found.first is not None
    assert (found.first.author, found.first.foreign, found.first.slot) == ("Mallory", True, 3)


def test_an_account_is_the_same_under_a_new_name_and_not_under_a_name_alone(told: ForumTable) -> None:
    told.forum.posts[3] = replace(told.forum.posts[3], author="Cassandra")
    told.forum.posts[5] = replace(told.forum.posts[5], uid="66")
    assert [one.foreign for one in verdict(told).told] == [False, False, True]


def test_a_post_that_was_changed_is_pointed_out(told: ForumTable) -> None:
    told.forum.posts[3] = replace(told.forum.posts[3], edited="Sun Feb 01 2026 8:00 pm")
    found = verdict(told)
    assert found.answer == 0 and found.told[1].edited
    assert found.told[1].notes == (f"the post was changed ({found.told[1].edited})",)


def test_turns_that_were_taken_back(told: ForumTable) -> None:
    undo(told.env, told.game, 3, "the wrong map")
    played(told, "no cheese on fridays")
    found = verdict(told)
    assert [(one.slot, one.answer, one.undone) for one in found.told] == [
        (1, SAME, False),
        (2, SAME, False),
        (3, SAME, True),
        (4, SAME, False),
    ]
    assert found.told[2].notes == ("taken back later",)


def test_turns_that_were_corrected(told: ForumTable) -> None:
    (seat,) = told.open().ledger.slots[3].waits
    correct(told.env, told.game, 3, {seat: ("west.yaml", b"nobody: true\n")}, "misread")
    assert verdict(told).missing == (4,), "the correction has not been told yet"
    told.report()
    found = verdict(told)
    assert [(one.slot, one.answer, one.undone) for one in found.told][2:] == [
        (3, SAME, True),
        (4, SAME, False),
    ]
    assert found.told[2].notes == ("played again later, with the same dice",) and not found.missing
    # And who tells the old turn as the one that counts tells another story, whatever he calls it.
    told.post("Cass", html=words(line(told.open().id, 4, found.told[2].head)))
    assert verdict(told).first is not None


def test_a_result_of_a_slot_that_has_none_is_another_story(told: ForumTable) -> None:
    told.post("Cass", html=words(line(told.open().id, 0, "0badcafe" * 8)))
    found = verdict(told)
    assert found.first is not None and (found.first.slot, found.first.ledger) == (0, "")


def test_two_pages_one_post_and_a_post_in_two_ways(told: ForumTable) -> None:
    page = told.forum.page()
    assert len(verdict(told, page, page).told) == 3
    tampered(told, 2)
    found = verdict(told, page, told.forum.page())
    assert found.answer == 1 and len(found.told) == 4
    assert any("shows this post with another text" in problem for problem in found.problems)


def test_two_games_in_one_thread(told: ForumTable) -> None:
    told.post("Cass", html=words(line("another-game", 1, "0badcafe" * 8)))
    found = verdict(told)
    assert (found.answer, found.others, len(found.told)) == (0, ("another-game",), 3)


def test_a_head_of_which_the_end_is_lost(told: ForumTable) -> None:
    post = told.forum.posts[1]
    (first, *_) = verdict(told).told
    told.forum.posts[1] = replace(
        post, html=post.html.replace(first.head[40:48], "").split(first.head[32:40])[0] + first.head[32:40]
    )
    found = verdict(told)
    assert found.told[0].answer == SAME and not found.told[0].whole
    assert found.told[0].notes == ("only 40 of 64 digits are left",)


def test_a_ledger_that_does_not_hold(told: ForumTable) -> None:
    (told.game / "rolls" / "s0001.jsonl").write_bytes(b"")
    found = verdict(told)
    assert found.answer == 1 and found.broken.startswith("E14 rolls/s0001.jsonl")
    with pytest.raises(Refused, match=r"game\.(none|missing)"):
        verdict(told, where=told.root / "nowhere")
