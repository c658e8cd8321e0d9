"""What a post can be trusted to be: whose, which, when, whole; what is only talk; and that whoever can do
something about it hears of it.
"""

from __future__ import annotations

from html import escape
from pathlib import Path

import pytest
from forum_table import SEATS, ForumTable, quote, words
from page_habits import ENEMY, GOAT, STANDING
from siege_words import KEYS, found
from table import pull
from test_forum_taking import LUCK, begun, stored, whats

from pbem.forum import dates, pages, reading
from pbem.forum.thread import Thread
from pbem.post.lines.message import NOTHING, ORDERS
from pbem.referee.game.environment import own_environment
from pbem.referee.game.refusal import Refused
from pbem.referee.mail.office import open_house, settings


def br(text: str) -> str:
    return escape(text.rstrip("\n"), quote=False).replace("\n", "<br />\n")


def taken(thread: Thread, at: int = 0) -> str:
    said = found(thread.posts[at])
    return said.data.decode() if said.kind != NOTHING else ""


def codes(thread: Thread) -> list[str]:
    return [problem.code for problem in thread.problems]


# --- pages that Discourse shows to programs


def crawled(
    name: str, number: int, body: str, *, link: str = "", at: str = "", meta: str = "", below: str = ""
) -> str:
    when = at or "<time itemprop='datePublished' datetime='2019-01-22T08:00:00Z' class='post-time'>x</time>"
    return (
        "<div itemscope itemtype='http://schema.org/DiscussionForumPosting' class='topic-body "
        "crawler-post'><div class='crawler-post-meta'>"
        "<span class='creator' itemprop='author'><a itemprop='url' "
        f"href='{link or f'https://f.example/u/{name}'}'><span itemprop='name'>{name}</span></a></span>"
        f"<span class='crawler-post-infos'>{when}{meta}<span "
        f"itemprop='position'>#{number}</span></span></div>"
        f"<div class='post' itemprop='articleBody'>{body}</div>{below}</div>"
    )


def crawl(*posts: str) -> Thread:
    head = '<meta charset="utf-8"><meta name="generator" content="Discourse 2.4.0">'
    return pages.read(
        f'<html><head>{head}</head><body class="crawler">{"".join(posts)}</body></html>'.encode()
    )


LINKBACKS = (
    "<div class='crawler-linkback-list'><div itemprop='itemListElement' itemscope "
    "itemtype='http://schema.org/ListItem'><a href='/t/other/283'>"
    "<meta itemprop='position' content='2'><span itemprop='name'>Other</span></a></div></div>"
)


def test_links_below_a_post_of_discourse_do_not_number_it_and_nobody_is_lost() -> None:
    thread = crawl(
        crawled("ben", 1, "<p>Hi</p>", below=LINKBACKS), crawled("ann", 2, f"<pre><code>{GOAT}</code></pre>")
    )
    assert [(post.number, post.id, post.author) for post in thread.posts] == [
        (1, "post_1", "ben"),
        (2, "post_2", "ann"),
    ]
    assert taken(thread, 1) == GOAT


def test_a_post_of_discourse_was_written_when_it_was_published_and_its_edit_is_seen() -> None:
    old = (
        "<meta itemprop='datePublished' content='2019-01-20T15:37:20Z'><time itemprop='dateModified' "
        "datetime='2019-01-21T08:37:10Z' class='post-time'>x</time>"
    )
    same = "<meta itemprop='dateModified' content='2019-01-22T08:00:00Z'>"
    thread = crawl(crawled("ben", 1, "<p>Hi</p>", at=old), crawled("ann", 2, "<p>Ho</p>", meta=same))
    assert [(post.at, post.edited) for post in thread.posts] == [
        ("2019-01-20T15:37:20Z", "2019-01-21T08:37:10Z"),
        ("2019-01-22T08:00:00Z", ""),
    ]


@pytest.mark.parametrize(
    "link", ["../../u/ben.html", "../../u/detail/ben.html", "/u/Ben", "/users/ben/activity", "/u/b%65n"]
)
def test_the_author_is_the_name_that_is_shown_wherever_a_copy_keeps_his_page(link: str) -> None:
    thread = crawl(crawled("ben", 1, f"<p>{br(GOAT)}</p>", link=link))
    assert (thread.posts[0].author, thread.posts[0].unread) == ("ben", None)


def test_a_name_that_is_not_that_of_the_account_is_told_and_not_heard() -> None:
    thread = crawl(crawled("ann", 1, f"<p>{br(GOAT)}</p>", link="/u/mallory"))
    assert codes(thread) == ["forum.two-names"] and taken(thread) == ""
    assert thread.posts[0].unread is not None and thread.posts[0].unread.args["other"] == "mallory"


def test_a_post_that_stands_on_a_page_twice_is_told() -> None:
    one = crawled("ann", 2, f"<p>{br(GOAT)}</p>")
    assert codes(crawl(one, one)) == ["doubt.forum.twice"] and taken(crawl(one, one)) == GOAT
    for other in (crawled("ann", 2, f"<p>{br(ENEMY)}</p>"), crawled("ben", 2, f"<p>{br(GOAT)}</p>")):
        thread = crawl(one, other)
        assert codes(thread) == ["forum.twice"] and len(thread.posts) == 1 and taken(thread) == ""


# --- feeds


def entry(number: int, body: str) -> str:
    return (
        f"<entry><author><name><![CDATA[Ben]]></name></author><published>2026-11-20T07:10:00+00:00</published>"
        f"<id>http://b.example/viewtopic.php?p={number}#p{number}</id><content "
        f'type="html"><![CDATA[{body}]]></content></entry>'
    )


def test_a_box_of_code_that_lost_its_line_ends_in_a_feed_is_not_read() -> None:
    box = '<div class="codebox"><p>Code: </p><pre><code>{}</code></pre></div>'
    run_together, one_line = box.format(GOAT.replace("\n", "")), box.format("luck: three left boots")
    posts = (
        entry(4, br(GOAT)),
        entry(5, run_together),
        entry(6, "luck: mine<br>" + one_line),
        entry(7, box.format(GOAT)),
    )
    thread = pages.read(
        f'<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom">{"".join(posts)}</feed>'.encode()
    )
    assert [bool(post.unread) for post in thread.posts] == [False, True, True, False]
    assert codes(thread) == ["forum.feed-code"] * 2
    assert [taken(thread, at) for at in range(4)] == [GOAT, "", "", GOAT]


def test_of_a_feed_of_rss_it_is_said_what_to_save_instead() -> None:
    thread = pages.read(
        b'<?xml version="1.0"?><rss '
        b'version="2.0"><channel><title>x</title><link>https://f.example/t/toll/12</link></channel></rss>'
    )
    (problem,) = thread.problems
    assert (problem.code, problem.args["instead"]) == ("forum.rss", "https://f.example/t/toll/12.json")


# --- boxes of code, and what stands beside them


def phpbb(body: str) -> Thread:
    page = (
        '<html><head><meta charset="utf-8"><title>T</title></head><body id="phpbb"><div id="p41" '
        'class="post bg1"><div class="postbody">'
        '<p class="author">by <strong><a href="./memberlist.php?mode=viewprofile&amp;u=7">Ben</a></strong> '
        "&raquo; 20 Nov 2026 18:21</p>"
        f'<div class="content">{body}</div></div></div></body></html>'
    )
    return pages.read(page.encode())


def box(text: str) -> str:
    return (
        '<div class="codebox"><p>Code: <a href="#">Select '
        f"all</a></p><pre><code>{escape(text, quote=False)}</code></pre></div>"
    )


BESIDE = (
    "Cheers",
    "and so on",
    "domain: example",
    "Домен: example",
    "<p>thanks</p>",
    "PS: see you all soon,<br>what a game",
    "- what a game",
)


@pytest.mark.parametrize("beside", BESIDE)
def test_words_beside_a_box_of_orders_are_no_part_of_them(beside: str) -> None:
    for text in (GOAT, STANDING):
        for body in (box(text) + beside, beside + box(text), box(text) + f"<p>{beside}</p>"):
            said = found(phpbb(body).posts[0])
            assert said.data.decode() == text, (body, said.problems)


def test_words_that_would_have_been_read_with_the_box_are_told() -> None:
    said = found(phpbb(box(GOAT) + "- what a game").posts[0])
    assert [problem.code for problem in said.problems] == ["doubt.forum.beside-box"]
    assert said.problems[0].args["text"] == "- what a game"


def test_orders_beside_a_box_of_orders_are_not_left_out_without_a_word() -> None:
    said = found(phpbb(box(GOAT) + "Sorry:<br>- odo to 0713").posts[0])
    assert said.kind == NOTHING or b"odo to 0713" in said.data


def test_what_a_box_means_is_still_said_by_the_words_above_it() -> None:
    assert found(phpbb("Their orders were:" + box(GOAT)).posts[0]).kind == NOTHING
    assert (
        found(
            phpbb(f"<blockquote><div><cite>Ada wrote:</cite>{box(GOAT)}</div></blockquote>Cheers").posts[0]
        ).kind
        == NOTHING
    )


@pytest.mark.parametrize("source", ["[code]\n{}\n[/code]\n- what a game", "```\n{}\n```\n- what a game"])
def test_boxes_are_known_in_sources_too(source: str) -> None:
    said = found(pages.read_post(source.format(GOAT.strip())))
    assert said.data.decode() == GOAT


# --- orders behind bars


def barred(text: str) -> str:
    return "\n".join(f"| {line}" for line in text.strip().split("\n"))


def test_orders_copied_with_the_bars_are_never_carried_out_and_their_writer_hears() -> None:
    for body in (
        box(barred(GOAT)),
        "Hi, my orders:" + box(barred(GOAT)),
        br(barred(GOAT)),
        box(barred(GOAT)) + "Cheers",
    ):
        said = found(phpbb(body).posts[0])
        assert (said.kind, [problem.code for problem in said.problems]) == (NOTHING, ["forum.barred"]), body


def test_bars_in_talk_and_in_quotations_are_nobodys_orders() -> None:
    for body in (
        quote("Cass", box(barred(GOAT))) + "Like this?",
        "What does this mean?<br>| a table | b |",
        br("| x | y |\n| 1 | 2 |"),
        box("| a | b |\n| - | - |"),
    ):
        said = found(phpbb(body).posts[0])
        assert said.kind == NOTHING and "forum.barred" not in [problem.code for problem in said.problems], (
            body
        )


def test_own_orders_beside_our_example_are_taken() -> None:
    said = found(phpbb("Your example said" + box(barred(ENEMY)) + "but I do" + box(GOAT)).posts[0])
    assert said.kind == ORDERS and said.data.decode() == GOAT


# --- taken in


def test_who_copied_the_bars_is_answered(thread: ForumTable) -> None:
    seat = begun(thread)
    thread.post(SEATS[seat], html=box(barred(pull(seat) + LUCK)))
    (step,) = thread.read()
    assert (step.what, step.why) == ("unused", ("forum.barred",))
    assert "post them again without the bars" in thread.answer(step)
    assert stored(thread) == []


CHAT = (
    "luck: I had none this turn",
    "Great turn!\nluck: you need some of it\nAnn",
    "message: I will be away till Monday",
    "standing: still",
    "note: well played",
)


@pytest.mark.parametrize("said", CHAT)
def test_talk_ends_no_turn_and_replaces_no_orders(thread: ForumTable, said: str) -> None:
    seat = begun(thread)
    thread.post(SEATS[seat], pull(seat))
    assert whats(thread.read()) == ["taken post #1"]
    before = [path.read_bytes() for path in stored(thread)]
    thread.post(SEATS[seat], html=words(said))
    steps = thread.read()
    assert [step.what for step in steps] in (["unused"], ["talk"])
    assert [path.read_bytes() for path in stored(thread)] == before
    assert thread.open().ledger.locked is None
    if steps[0].answer:
        assert "a line 'jeer:' with what is ordered below it" in thread.answer(steps[0])
    thread.post(SEATS[seat], "pull:\n" + LUCK)
    steps = thread.read()
    assert whats(steps) == ["asked post #3"], (
        "a section with nothing in it replaces none before he says that nobody is to move"
    )
    assert "nobody moves" in thread.answer(steps[0])
    assert [path.read_bytes() for path in stored(thread)] == before
    assert thread.open().ledger.locked is None
    thread.post(SEATS[seat], "nobody moves\n" + LUCK)
    assert whats(thread.read()) == ["taken post #4", "locked"], "who wants nobody to do anything can say so"


def test_the_one_line_that_the_answer_to_a_draft_asks_for_makes_it_final(thread: ForumTable) -> None:
    seat = begun(thread)
    thread.post(SEATS[seat], pull(seat))
    (step,) = thread.read()
    assert "post one line like this one" in thread.answer(step) and "| luck: " in thread.answer(step)
    thread.post(SEATS[seat], html=words("luck: seven drunken herons"))
    steps = thread.read()
    assert whats(steps) == ["taken post #2", "locked"]
    assert "- north-team pulls" in thread.answer(steps[0])


@pytest.mark.parametrize(
    "said",
    [
        "luck: seven drunken herons",
        "nobody moves",
        "Final: yes",
        "seat: north\nturn: t1\nluck: seven drunken herons",
    ],
)
def test_words_that_were_asked_for_are_heard_where_nothing_else_is_said(said: str) -> None:
    for meant in (br(said), f"Hello all,{box(said)}Cheers"):
        (post,) = phpbb(meant).posts
        assert reading.is_asked_for(KEYS, post, found(post)), meant
    for talk in (f"Great turn!\n{said}\nAnn", f"{said}\nnote: well played"):
        (post,) = phpbb(br(talk)).posts
        assert not reading.is_asked_for(KEYS, post, found(post)), talk


def test_a_post_that_cannot_be_read_is_told_once_and_to_its_author_where_he_can_mend_it(
    thread: ForumTable,
) -> None:
    seat = begun(thread)
    thread.post(SEATS[seat], html="x" * 700_000)
    (step,) = thread.read()
    assert (step.what, step.why, step.trouble) == ("not-done", ("forum.post-too-long",), True)
    assert "Your post #1 could not be read" in thread.answer(step)
    assert thread.read() == []


def test_a_post_without_author_is_told_once(thread: ForumTable) -> None:
    seat = begun(thread)
    thread.post("", pull(seat), uid="")
    thread.post(SEATS[seat], pull(seat))
    assert [(step.what, step.why) for step in thread.read()] == [
        ("not-done", ("forum.no-author",)),
        ("taken", ()),
    ]
    assert thread.read() == []


# --- times


WHEN = (
    ("Fri Nov 20, 2026 7:10 am", "2026-11-20T07:10:00"),
    ("20 Nov 2026 18:21", "2026-11-20T18:21:00"),
    ("29. Jan 2014, 19:53", "2014-01-29T19:53:00"),
    ("Ven 29 Déc 2017, 21:10", "2017-12-29T21:10:00"),
    ("November 20, 2026, 12:10:05 AM", "2026-11-20T00:10:05"),
    ("11-20-2026, 07:10 PM", "2026-11-20T19:10:00"),
    ("20.11.2026 07:10", "2026-11-20T07:10:00"),
    ("2026-11-20 07:10:00", "2026-11-20T07:10:00"),
    ("05-04-2007, 07:10", ""),
    ("05-05-2007, 07:10", "2007-05-05T07:10:00"),
    ("Today, 07:10", ""),
    ("31 Feb 2026 07:10", ""),
    ("20 Foo 2026 07:10", ""),
    ("2026-11-20T07:10:00Z", ""),
)


@pytest.mark.parametrize(("said", "when"), WHEN)
def test_a_time_in_words_is_read_where_it_can_mean_one_only(said: str, when: str) -> None:
    assert dates.as_time(said, None) == when


ZONES = (
    ("All times are UTC + 1 hour", "+01:00"),
    ("All times are UTC - 5 hours [ DST ]", "-04:00"),
    ("All times are GMT +1. The time now is 10:10 AM.", "+01:00"),
    ("Alle Zeiten sind UTC + 1 Stunde [ Sommerzeit ]", "+02:00"),
    ('All times are <span title="UTC+5:30">UTC+05:30</span>', "+05:30"),
    ("All times are UTC", "+00:00"),
    ("Times", ""),
)


@pytest.mark.parametrize(("said", "zone"), ZONES)
def test_the_zone_is_what_the_page_says_and_nobody_in_a_post(said: str, zone: str) -> None:
    for at in (0, 1):
        body, foot = (
            ("Hi<br>All times are UTC - 9 hours", f"<p>{said}</p>")
            if at
            else ("Hi", f"<div><p>{said}</p></div>")
        )
        one = (
            '<div id="p41" class="post"><div class="postbody"><p class="author">by <strong><a '
            'href="./memberlist.php?u=7">Ben</a></strong> &raquo; '
            f'Fri Nov 20, 2026 7:10 am</p><div class="content">{body}</div></div></div>'
        )
        thread = pages.read(
            f'<html><head><meta charset="utf-8"></head><body id="phpbb">{one}{foot}</body></html>'.encode()
        )
        assert thread.posts[0].at == f"2026-11-20T07:10:00{zone}"


# --- what the documents promise


def test_the_office_in_the_documents_is_one_and_needs_no_mail(tmp_path: Path) -> None:
    said = (Path(__file__).parents[2] / "docs" / "forum.md").read_text("utf-8")
    lines = said[said.index("    [forums.club]") :].split("\n")
    end = next(at for at, line in enumerate(lines) if line and not line.startswith("    "))
    (tmp_path / "pbem.toml").write_text("\n".join(line[4:] for line in lines[:end]), "utf-8")
    office = settings(tmp_path)
    place = office.game("toll-0a1b2c").place
    assert (office.forums["club"].software, office.address) == ("discourse", "")
    assert place is not None and (place.forum, place.topic, dict(place.authors)) == (
        "club",
        1234,
        {"west": "Ben Okafor"},
    )
    with pytest.raises(Refused, match=r"office\.forums-only"):
        open_house(own_environment(), tmp_path)
