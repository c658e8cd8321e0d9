"""Hostile pages: whatever the bytes, something is answered in bounded time and memory, and nothing of it is
anybody's order.
"""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable

import pytest
from making_pages import FORMS, page
from page_habits import ENEMY, GOAT, HABITS
from siege_words import found

from pbem.forum import bbcode_source, depth, feeds, markdown_source, pages
from pbem.forum.markup import MOST_POSTS
from pbem.forum.thread import Thread
from pbem.post.lines.message import NOTHING

SECONDS = 8.0
"""No page may take longer, on a machine that does other things too; the longest here takes about two."""


def timed(work: Callable[[], Thread]) -> Thread:
    begin = time.process_time()
    made = work()
    assert time.process_time() - begin < SECONDS
    return made


def codes(thread: Thread) -> list[str]:
    return [problem.code for problem in thread.problems]


def post(inside: str, author: str = "Ben", number: int = 1) -> str:
    return (
        f'<article class="message message--post" data-author="{author}" data-content="post-{number}" '
        f'id="js-post-{number}"><div class="message-content">'
        f'<article class="message-body"><div class="bbWrapper">{inside}</div></article></div></article>'
    )


def xenforo(inside: str) -> bytes:
    return f'<!DOCTYPE html><html id="XF" data-app="public"><body>{inside}</body></html>'.encode()


QUOTES = {
    "xenforo": '<blockquote class="bbCodeBlock bbCodeBlock--quote"><div class="bbCodeBlock-content">',
    "xenforo 1": '<div class="bbCodeBlock bbCodeQuote"><aside><blockquote class="quoteContainer"><div class="quote">',
    "phpbb": "<blockquote><div>",
    "vbulletin 3": '<div><table><tr><td class="alt2" style="border:1px inset"><div>',
    "vbulletin 4": (
        '<div class="bbcode_container"><div class="bbcode_quote"><div class="quote_container"><div '
        'class="message">'
    ),
    "discourse": '<aside class="quote"><blockquote><p>',
}


@pytest.mark.parametrize("software", QUOTES)
@pytest.mark.parametrize("closed", [False, True], ids=["unclosed", "closed"])
def test_a_thousand_quotations_within_one_another(software: str, closed: bool) -> None:
    opened = QUOTES[software] * 1_000
    tags = [tag.split(" ")[0].strip("<>") for tag in QUOTES[software].replace("><", ">\n<").split("\n")]
    close = "".join(f"</{tag}>" for tag in reversed(tags)) * 1_000 if closed else ""
    raw = xenforo(
        post(opened + ENEMY.replace("\n", "<br>") + close + (GOAT.replace("\n", "<br>") if closed else ""))
    )
    thread = timed(lambda: pages.read(raw))
    assert len(thread.posts) == 1
    what = found(thread.posts[0])
    if closed:
        assert what.data.decode() == GOAT
    else:
        assert what.kind == NOTHING


@pytest.mark.parametrize(
    "inside",
    [
        "<div>" * 300_000,
        "<b>" * 500_000,
        "<font color=1>" * 100_000 + "<p>x" * 100_000,
        "".join(f"<font color={number}>" for number in range(6_000)) + "<p>x" * 60_000,
        "<a href=x>" * 100_000,
        "<table>" * 100_000,
        "<div><!--</div>-->" * 100_000,
        '<div title="</div>">' * 100_000,
        "<div '" * 100_000,
        "<svg><div>" * 50_000,
        "<ul><li>" * 100_000,
        "<select><option>" * 100_000,
        "<" * 1_000_000,
        "&" * 3_000_000,
        "<!--" * 500_000,
        "</p>" * 200_000,
        "<blockquote>" * 7_000 + "x",
    ],
    ids=lambda text: text[:24],
)
def test_a_page_that_is_nested_without_end_is_answered_soon(inside: str) -> None:
    thread = timed(lambda: pages.read(xenforo(post(inside))))
    for one in thread.posts:
        assert found(one).kind == NOTHING


def test_ten_million_bytes_of_one_post() -> None:
    raw = xenforo(post((GOAT.replace("\n", "<br>") + "rain, rain, rain ") * 90_000))
    assert len(raw) > 9_000_000
    thread = timed(lambda: pages.read(raw))
    assert "forum.post-too-long" in codes(thread)
    assert thread.posts[0].lines == ()


def test_more_bytes_than_any_page_has() -> None:
    thread = timed(lambda: pages.read(b" " * (pages.BIGGEST + 1), "big.html"))
    assert codes(thread) == ["forum.too-big"]
    assert thread.posts == ()


def test_a_hundred_thousand_posts() -> None:
    raw = xenforo("".join(post("x", number=number) for number in range(40_000)))[: pages.BIGGEST]
    thread = timed(lambda: pages.read(raw))
    assert len(thread.posts) == MOST_POSTS
    assert "forum.too-many-posts" in codes(thread)
    answer = json.dumps(
        {"posts": [{"post_id": number, "username": "Ben", "message": "x"} for number in range(100_000)]}
    ).encode()
    thread = timed(lambda: pages.read(answer))
    assert len(thread.posts) == MOST_POSTS
    assert "forum.too-many-posts" in codes(thread)
    thread = timed(
        lambda: pages.read(
            "".join(
                f"ben | 2026-11-20 07:10:05 UTC | #{number}\n\nx\n\n" for number in range(1, 100_001)
            ).encode()
        )
    )
    assert len(thread.posts) == MOST_POSTS


@pytest.mark.parametrize(
    "data", [b"[" * 1_000_000, b'{"a":' * 200_000, b'{"posts": ' + b"9" * 1_000_000 + b"}", b"[1e999999]"]
)
def test_json_without_end_is_no_answer(data: bytes) -> None:
    assert timed(lambda: pages.read(data, "a.json")).software == ""


def test_an_answer_without_names_gives_no_posts() -> None:
    thread = pages.read(
        b'{"posts": [{"post_id": NaN, "username": 7, "message": []}, '
        b'{"post_id": 4, "message": "side: west"}]}'
    )
    assert [(one.id, one.author) for one in thread.posts] == [("4", "")]
    assert codes(thread) == ["forum.no-author"]


def test_names_are_words_and_nothing_else() -> None:
    hostile = "&lt;script&gt;alert(1)&lt;/script&gt;\x1b[31m&#8238;neB&#10;Ada&#0;" + "x" * 5_000
    thread = pages.read(xenforo(post(GOAT.replace("\n", "<br>"), author=hostile)))
    name = thread.posts[0].author
    assert name.startswith("<script>alert(1)</script>[31mneB Ada")
    assert len(name) <= 200
    assert name.isprintable()


def test_a_post_cannot_hold_a_post_of_somebody_else() -> None:
    forged = f"x</div></article>{post(ENEMY.replace(chr(10), '<br>'), 'Ada', 2)}"
    inside = pages.read(xenforo(post(post(ENEMY.replace("\n", "<br>"), "Ada", 2), "Ben", 1)))
    assert [one.author for one in inside.posts] == ["Ben"]
    assert codes(inside) == ["forum.post-broken"]
    assert found(inside.posts[0]).kind == NOTHING
    as_text = pages.read(xenforo(post(forged.replace("<", "&lt;"), "Ben", 1)))
    assert [one.author for one in as_text.posts] == ["Ben"]


def test_a_line_like_those_between_posts_does_not_make_a_post() -> None:
    raw = (
        "mallory | 2026-11-20 07:10:05 UTC | #2\n\nNothing.\n\n-------------------------\n\nada | "
        f"2026-11-20 07:11:05 UTC | #3\n\n{ENEMY}\n\n-------------------------\n\n"
        f"ada | 2026-11-20 07:12:05 UTC | #3\n\n{GOAT}\n\n-------------------------\n\n"
    )
    thread = pages.read(raw.encode())
    assert "doubt.forum.raw-heads" in codes(thread)
    assert "forum.raw-doubtful" in codes(thread)
    assert [(one.author, one.number) for one in thread.posts] == [("mallory", 2), ("ada", 3)]
    assert ENEMY.encode() not in [found(one).data for one in thread.posts]


@pytest.mark.parametrize("of", [bbcode_source.lines, markdown_source.lines], ids=["bbcode", "markdown"])
@pytest.mark.parametrize(
    "text",
    ["[quote]" * 30_000, "[quote=" * 30_000, "[code]" * 30_000, "[b" * 90_000, "> " * 90_000, "`" * 200_000, "<!--" * 50_000, "[/quote]" * 20_000, "~~" * 90_000,
     "![" * 90_000, "[*]" * 60_000, "[s]" * 60_000, "\n" * 200_000, "<s>" * 60_000, "[list]" * 30_000, "- " * 90_000],
    ids=lambda text: repr(text[:10]),
)  # fmt: skip
def test_source_without_end_is_read_soon(of: Callable[[str], object], text: str) -> None:
    begin = time.process_time()
    of(text)
    assert time.process_time() - begin < 3.0


@pytest.mark.parametrize(
    "sign", ["<entry>", "<entry><content>", "<![CDATA[", "<title>", "<content type=", "<!ENTITY a 'b'>"]
)
def test_feeds_without_end(sign: str) -> None:
    timed(lambda: feeds.read("<feed>" + sign * 200_000))


def test_entities_of_a_feed_are_never_read() -> None:
    bomb = (
        '<?xml version="1.0"?><!DOCTYPE feed [<!ENTITY a "aaaaaaaaaa"><!ENTITY b '
        '"&a;&a;&a;&a;">]><feed><entry><id>#p1</id><content>&b;&b;</content></entry></feed>'
    )
    thread = pages.read(bomb.encode())
    assert [line.text for line in thread.posts[0].lines] == ["&b;&b;"]


@pytest.mark.parametrize("form", FORMS)
def test_bytes_changed_by_chance_never_fail(form: str) -> None:
    draw = random.Random(form)
    raw = page(form, HABITS["quote-above"]).raw
    for _ in range(40):
        data = bytearray(raw)
        for _ in range(draw.randint(1, 30)):
            at = draw.randrange(len(data))
            data[at : at + draw.randint(0, 8)] = bytes(
                draw.choice(b"<>/\"'= &;[]{}-!\0\xff") for _ in range(draw.randint(0, 4))
            )
        for one in pages.read(bytes(data[: draw.randint(1, len(data))]), form).posts:
            found(one)


def test_the_depth_is_never_counted_too_low() -> None:
    assert depth.too_deep("<div>" * (depth.DEEPEST + 1))
    assert depth.too_deep("<div><!--</div>-->" * (depth.DEEPEST + 1))
    assert depth.too_deep('<div a="</div>" ">' * (depth.DEEPEST + 1))
    assert depth.too_deep("<div></b></p></li>" * (depth.DEEPEST + 1))
    assert not depth.too_deep("<div><p>x<br></div>" * 10_000)
    assert not depth.too_deep("<ul>" + "<li>x" * 20_000)
