"""The corpus of pages: on each every post is found with its author, and of each exactly its orders are taken;
nobody else's ever are.
"""

from __future__ import annotations

import pytest
from judging_pages import CORPUS, EXACT, SAME, Score, corpus, judge, score, telling
from making_pages import FORMS, Page, every, files
from mutating_pages import DAMAGE, WAYS, Mutate, mutants
from siege_words import found
from thorough import deeper, tries

from pbem.forum.pages import read
from pbem.post.lines.message import NOTHING

PAGES = tuple(corpus())
MUTANTS = tries(150, 500)
LARGEST, FOLDER = 20_000, 1_200_000


def test_the_folder_is_what_the_makers_write() -> None:
    kept = {
        path.name: path.read_bytes()
        for path in CORPUS.iterdir()
        if path.name not in ("README.md", ".gitattributes")
    }
    made = dict(files())
    assert sorted(kept) == sorted(made)
    assert [name for name in made if made[name] != kept[name]] == []


def test_there_are_pages_enough_of_every_software_and_none_is_large() -> None:
    assert len(PAGES) >= 100
    for form in FORMS:
        assert sum(f"-{form}-" in one.name for one in PAGES) >= 4, form
    assert max(len(one.raw) for one in PAGES) <= LARGEST
    assert sum(path.stat().st_size for path in CORPUS.iterdir()) <= FOLDER


@pytest.mark.parametrize("one", PAGES, ids=lambda one: one.name)
def test_a_page_is_read_as_it_has_to_be(one: Page) -> None:
    sums = Score()
    judge(one, sums)
    assert sums.bad == []
    assert set(sums.counts) <= {EXACT, SAME}


@pytest.mark.parametrize("one", PAGES, ids=lambda one: one.name)
def test_what_the_page_tells_of_each_post_is_found(one: Page) -> None:
    thread = read(one.raw, one.name)
    wanted = one.wanted
    assert (thread.software, thread.title, thread.topic, thread.page, thread.pages) == tuple(
        wanted[name] for name in ("software", "title", "topic", "page", "pages")
    )
    for post, said in zip(thread.posts, wanted["posts"], strict=True):
        for name in ("id", "number", "author", "author_id", "at"):
            if name in said:
                assert getattr(post, name) == said[name], name
        if "edited" in said:
            assert bool(post.edited) == said["edited"]


def test_every_habit_in_every_form_is_read_to_the_byte() -> None:
    sums = score(every())
    assert sums.bad == []
    assert sums.posts > 900
    assert sums.counts[EXACT] == sums.posts
    assert sums.executed == 0


@deeper
def test_what_is_done_to_a_page_by_chance_never_gives_anybody_orders_that_he_did_not_write() -> None:
    sums = score(mutants(PAGES, MUTANTS))
    assert sums.pages == MUTANTS
    assert [bad for bad in sums.bad if "executed" in bad] == []
    assert sums.share >= 99.0, sums.bad


def test_each_way_to_change_a_page_is_tried() -> None:
    used = {one.name.partition(" ")[0] for one in mutants(PAGES, MUTANTS)}
    assert used == {way.__name__ for way in WAYS}


@pytest.mark.parametrize("ways", [WAYS, DAMAGE], ids=["changed", "damaged"])
def test_orders_are_never_given_to_another_author(ways: tuple[Mutate, ...]) -> None:
    taken = 0
    for one in mutants(PAGES, 200, seed=7, ways=ways):
        posts = one.wanted["posts"]
        for post in read(one.raw, one.name).posts:
            what = found(post)
            if what.kind == NOTHING or all(said["author"] != post.author for said in posts):
                continue  # nobody who is known
            taken += 1
            own = "".join(said["orders"] or "" for said in posts if said["author"] == post.author)
            others = "".join(said["orders"] or "" for said in posts if said["author"] != post.author)
            others += one.quoted if "two-texts" not in one.name else ""
            assert telling(what.data.decode()) & (telling(others) - telling(own)) == frozenset(), one.name
    assert taken > 100
