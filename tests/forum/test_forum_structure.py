"""Pages whose software or theme nobody here knows: found by how they are built, and nobody is given words
that may be another's.
"""

from __future__ import annotations

import pytest
from page_habits import ENEMY, GOAT, STANDING
from page_shapes import SHAPES, br
from siege_words import found

from pbem.forum import pages
from pbem.forum.thread import Thread
from pbem.post.lines.message import NOTHING


def taken(thread: Thread, at: int = 0) -> str:
    said = found(thread.posts[at])
    return said.data.decode() if said.kind != NOTHING else ""


def codes(thread: Thread) -> list[str]:
    return [problem.code for problem in thread.problems]


@pytest.mark.parametrize("name", SHAPES)
def test_posts_of_a_theme_that_nobody_knows_are_found_with_their_authors(name: str) -> None:
    shape = SHAPES[name]
    thread = pages.read(
        shape.page(
            [("Ben", br(GOAT)), ("Ada Marsh", "Hi<br>all"), ("Ben", shape.code(STANDING))], "Signed: me"
        )
    )
    assert [(post.id, post.author, post.at[:10]) for post in thread.posts] == [
        ("501", "Ben", "2026-11-20"),
        ("502", "Ada Marsh", "2026-11-20"),
        ("503", "Ben", "2026-11-20"),
    ]
    assert "doubt.forum.by-structure" in codes(thread)
    assert [taken(thread, at) for at in range(3)] == [GOAT, "", STANDING]


@pytest.mark.parametrize("name", SHAPES)
def test_what_a_page_holds_beside_elements_does_not_matter(name: str) -> None:
    thread = pages.read(
        SHAPES[name].page([("Ben", f"<!-- google_ad -->{br(GOAT)}<!-- x --><?php x ?>"), ("Ada", "Hi")])
    )
    assert taken(thread) == GOAT


@pytest.mark.parametrize("name", SHAPES)
def test_what_is_quoted_there_is_nobodys_order(name: str) -> None:
    shape = SHAPES[name]
    quote = shape.quote(ENEMY)
    for body in (
        quote,
        quote + "I agree.",
        quote + br(GOAT),
        br(GOAT) + quote,
        quote + shape.code(GOAT),
        shape.quote("x") + shape.quote(ENEMY),
    ):
        thread = pages.read(shape.page([("Ben", body), ("Ada", "Hi")]))
        assert thread.posts[0].author == "Ben"
        read = taken(thread)
        assert read in ("", GOAT), body
        if not shape.quoted:
            assert "forum.strange-box" in codes(thread), "what structure cannot tell is refused, and said"
        elif shape.quoted:
            assert read == (GOAT if GOAT.splitlines()[-1] in body else ""), body


@pytest.mark.parametrize(
    "name", [name for name in SHAPES if name not in ("archive", "micro", "awful", "vanilla")]
)
def test_orders_in_a_signature_there_are_nobodys_orders(name: str) -> None:
    thread = pages.read(SHAPES[name].page([("Ben", "Hi"), ("Ada", "Ho")], br(ENEMY)))
    assert len(thread.posts) == 2 and [taken(thread, at) for at in (0, 1)] == ["", ""]


STRANGE = (
    '<div class="cited">{}</div>',
    "<table><tr><td>{}</td></tr></table>",
    '<p class="ref">{}</p>',
    '<pre class="mail">{}</pre>',
    "<i>{}</i>",
    "<fieldset>{}</fieldset>",
    '<span style="border-left: 2px solid">{}</span>',
    '<div style="margin-left: 3em">{}</div>',
    "Hi<hr>{}",
    '<div id="x">{}</div>',
    "<section>{}</section>",
)


@pytest.mark.parametrize("box", STRANGE)
@pytest.mark.parametrize("name", ["smf", "own", "archive"])
def test_orders_in_a_box_that_nobody_knows_are_not_read_and_it_is_said(name: str, box: str) -> None:
    thread = pages.read(SHAPES[name].page([("Ben", box.format(br(ENEMY))), ("Ada", br(GOAT))]))
    assert taken(thread) == "" and taken(thread, 1) == GOAT
    known = "side" in box or thread.posts[0].lines  # a box that is known to quote needs no word
    assert known or "forum.strange-box" in codes(thread)


def test_a_page_of_posts_without_authors_is_no_page_of_a_program_that_is_guessed() -> None:
    raw = "".join(
        f'<table class="post"><tr><td class="postbody">{br(GOAT)}</td></tr></table>' for _ in range(3)
    )
    thread = pages.read(f"<html><body>{raw}</body></html>".encode())
    assert (thread.software, thread.posts, codes(thread)) == ("", (), ["forum.page"])


def test_a_word_that_stands_in_every_post_is_nobodys_name() -> None:
    one = '<div id="post{0}"><a href="/profile/{0}">Profile</a><div class="content">{1}</div></div>'
    thread = pages.read(f"<html><body>{one.format(1, br(GOAT))}{one.format(2, 'Hi')}</body></html>".encode())
    assert thread.posts == () and codes(thread) == ["forum.page"]


def test_names_that_contradict_each_other_are_nobodys() -> None:
    one = (
        '<div id="post{0}"><a href="/profile/{0}">{1}</a><b class="author">{2}</b><div '
        'class="content">{3}</div></div>'
    )
    thread = pages.read(
        f"<html><body>{one.format(1, 'Ben', 'Ada', br(GOAT))}{one.format(2, 'Cleo', 'Cleo', 'Hi')}</body></html>".encode()
    )
    assert thread.posts == ()


@pytest.mark.parametrize("name", SHAPES)
def test_what_a_writer_makes_of_his_post_makes_no_posts_of_others(name: str) -> None:
    shape = SHAPES[name]
    forged = f"<ul>{shape.post(900, 'Ada', br(ENEMY), '')}</ul>"
    thread = pages.read(shape.page([("Ben", forged), ("Ada", "Hi"), ("Cleo", "Ho")]))
    assert all(
        ENEMY.splitlines()[-1] not in taken(thread, at)
        for at, post in enumerate(thread.posts)
        if post.author == "Ada"
    )


def test_of_a_theme_that_cannot_be_read_it_is_said_what_to_save_instead() -> None:
    (problem,) = pages.read(b'<html><body id="phpbb"><div class="x1">Hi</div></body></html>').problems
    assert problem.code == "forum.no-posts" and "&view=print" in str(problem.args["instead"])
    (problem,) = pages.read(
        b'<html><head><meta name="generator" content="Discourse 3"></head><body>Hi</body></html>'
    ).problems
    assert ".json" in str(problem.args["instead"])
