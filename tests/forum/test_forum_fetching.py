"""Pages of a thread fetched into a game's folder: each once, politely, without anything of our visit, and
readable by ``forum read``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from forum_boards import Board, board
from forum_servers import SID
from killing import Killed, Killer
from msgspec.structs import replace
from siege_words import found

from pbem.forum import pages
from pbem.forum.thread import DISCOURSE, PHPBB, Post
from pbem.referee.forum.forum_fetching import Fetched, fetched
from pbem.store import disk, net

EACH = {DISCOURSE: 20, PHPBB: 10}
LOOK = {DISCOURSE: "GET /t/ID/posts.json", PHPBB: "GET viewtopic.php"}


@pytest.fixture(params=(DISCOURSE, PHPBB))
def club(request: pytest.FixtureRequest) -> Iterator[Board]:
    with board(request.param) as made:
        made.world.posts.clear()
        for number in range(1, 46):
            made.world.store(
                "Bob" if number % 2 else "Ann", f"Post {number}\n\nmove:\n- walter to {number:04}"
            )
        yield made


def fetch(club: Board, *, every: bool = False) -> Fetched:
    result = fetched(club.folder, club.thread, club.door(), every=every)
    club.clean()
    return result


def posts(paths: tuple[Path, ...]) -> list[Post]:
    return sorted(
        (post for path in paths for post in pages.read(path.read_bytes(), path.name).posts),
        key=lambda post: int(post.id),
    )


def test_every_post_comes_once_and_can_be_read(club: Board) -> None:
    result = fetch(club)
    got = posts(result.new)
    assert [post.author for post in got] == [post.author for post in club.world.posts]
    assert len(result.new) == -(-45 // EACH[club.software]) and result.known == 0 and result.said == ()
    assert b"walter to 0007" in found(got[6]).data
    assert all(path.parent == club.folder / "pages" for path in result.new)


def test_a_page_that_shows_nothing_new_is_not_kept_again_though_its_bytes_are_others(club: Board) -> None:
    fetch(club)
    files = set((club.folder / "pages").iterdir())
    result = fetch(club)
    assert result.new == () and result.known == 2
    assert set((club.folder / "pages").iterdir()) == files


def test_from_the_second_time_on_only_the_newest_pages_are_asked_for(club: Board) -> None:
    fetch(club)
    club.world.asked.clear()
    club.world.store("Bob", "Post 46\n\nmove:\n- odo to 0202")
    (new,) = fetch(club).new
    assert [post.author for post in posts((new,))][-1] == "Bob"
    assert len(club.world.asked) == 3


def test_a_thread_that_is_long_comes_in_several_visits(club: Board, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"pbem.store.{club.software}.MOST_PAGES", 3)
    monkeypatch.setattr("pbem.store.discourse.EACH", 10)
    first = fetch(club)
    assert (len(first.new), first.left) == (3, 2)
    files = list(first.new)
    while (more := fetch(club)).new:
        files += more.new
    assert more.left == 0 and len(posts(tuple(files))) == 45


def test_all_sees_the_edit_of_an_old_post(club: Board) -> None:
    fetch(club)
    club.world.posts[2].text = "Post 3\n\nmove:\n- walter to 9999"
    assert fetch(club).new == ()
    (new,) = fetch(club, every=True).new
    assert b"walter to 9999" in found(posts((new,))[2]).data


def test_a_thread_that_only_members_may_read(club: Board) -> None:
    club.world.private = True
    assert len(posts(fetch(club).new)) == 45


def test_a_thread_that_only_members_may_read_without_an_account(club: Board) -> None:
    club.world.private = True
    club.secret = ""
    open_ = club.thread
    plain = replace(open_, forum=replace(open_.forum, credential=None, user=""))
    door = club.door()
    door.forum = plain.forum  # type: ignore[attr-defined]
    door.web.headers.pop("Api-Key", None)  # type: ignore[attr-defined]
    result = fetched(club.folder, plain, door)
    assert result.new == () and len(result.said) == 1
    assert (
        "key" in result.said[0]
        or "there is no thread 12 at 127.0.0.1 that a guest may read" in result.said[0]
    )


def test_nothing_of_our_visit_is_on_a_page_that_is_kept(club: Board) -> None:
    for path in fetch(club).new:
        assert SID.encode() not in path.read_bytes()
        assert path.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("fault", ["drop", "silent", "500:", "429:9"])
def test_a_page_that_is_not_there_at_once_is_asked_for_again(club: Board, fault: str) -> None:
    club.world.faults[LOOK[club.software]] = ["", fault]
    assert len(posts(fetch(club).new)) == 45


def test_a_page_that_cannot_be_had_is_told_and_fetched_the_next_time(club: Board) -> None:
    club.world.faults[LOOK[club.software]] = ["", *["500:"] * 4]
    result = fetch(club)
    assert result.said == ("127.0.0.1 answers 500",) and len(result.new) == 1
    assert len(posts((*result.new, *fetch(club, every=False).new))) == 45


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("software", [DISCOURSE, PHPBB])
def test_killed_anywhere_nothing_is_lost(software: str, after: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    at = 0
    while True:
        at += 1
        with board(software) as club:
            for number in range(12):
                club.world.store("Bob", f"Post {number}")
            killer = Killer(at, after=after)
            with monkeypatch.context() as patch:
                patch.setattr(disk, "effect", killer)
                patch.setattr(net, "effect", killer)
                try:
                    fetch(club)
                except Killed:
                    pass
                else:
                    break
            fetch(club)
            kept = tuple((club.folder / "pages").glob("*.[jh]*"))
            assert {post.id for post in posts(kept)} == {str(post.id) for post in club.world.posts}
    assert at > 10


def test_what_is_known_of_another_thread_does_not_count(club: Board) -> None:
    fetch(club)
    kept = club.folder / "fetched.json"
    said = json.loads(kept.read_text())
    kept.write_text(json.dumps({**said, "thread": "https://elsewhere.example 12"}))
    assert len(posts(fetch(club).new)) == 45
    kept.write_text("{nonsense")
    assert len(posts(fetch(club).new)) == 45


def test_a_second_passes_between_two_requests(club: Board) -> None:
    before = club.world.clock.now()
    fetch(club)
    assert club.world.clock.now() - before >= timedelta(seconds=len(club.world.asked) - 1)


def test_a_forum_that_knows_the_state_of_a_page_again_does_not_send_it_twice(club: Board) -> None:
    club.world.tagged = True
    fetch(club)
    club.world.heads.clear()
    result = fetch(club, every=True)
    assert result.new == () and result.known == -(-45 // EACH[club.software])
    assert sum("if-none-match" in head for head in club.world.heads) >= result.known - 1
    club.world.posts[44].text = "Post 45\n\nmove:\n- walter to 9999"
    (new,) = fetch(club).new
    assert b"9999" in new.read_bytes()
