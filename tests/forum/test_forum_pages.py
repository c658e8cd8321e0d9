"""What real pages do that no template shows: themes, languages, add-ons, damage; and the sources of posts,
pasted by hand.
"""

from __future__ import annotations

import json
from html import escape

import pytest
from page_habits import ENEMY, GOAT, OLD, SHORT, STANDING
from siege_words import found

from pbem.forum import bbcode_source, bodies, markdown_source, pages
from pbem.forum.thread import DISCOURSE, NODEBB, PHPBB, VBULLETIN, XENFORO, Post, Thread
from pbem.post.lines.message import NOTHING, Found, Line
from pbem.post.orders.finding import place


def html(body: str, head: str = "") -> bytes:
    return (
        '<!DOCTYPE html><html><head><meta charset="utf-8"><title>A '
        f"thread</title>{head}</head><body>{body}</body></html>"
    ).encode()


def br(text: str) -> str:
    return escape(text.rstrip("\n"), quote=False).replace("\n", "<br />\n")


def codes(thread: Thread) -> list[str]:
    return [problem.code for problem in thread.problems]


def seen(inside: str) -> list[str]:
    """Return the lines of a body; each ``|`` in front of a line is a level of somebody else's words."""
    from selectolax.lexbor import LexborHTMLParser

    body = LexborHTMLParser(f"<div id=x>{inside}</div>").css_first("#x")
    assert body is not None
    lines, whole = bodies.lines(body)
    assert whole
    return ["|" * line.quoted + line.text for line in lines]


def of_source(of: tuple[tuple[Line, ...], bool]) -> list[str]:
    assert of[1]
    return ["|" * line.quoted + line.text for line in of[0]]


def taken(thread: Thread, at: int = 0) -> Found:
    return found(thread.posts[at])


# --- pages that are none


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "forum.empty"),
        (b" \r\n", "forum.empty"),
        (html("<h1>Weather</h1><div class=content><p>side: west</p></div>"), "forum.page"),
        (html('<div class="comment">side: west<br>move:</div>'), "forum.page"),
        (b"{}", "doubt.forum.pasted"),
        (html('<div class="postbody"></div>', '<meta name="generator" content="phpBB">'), "forum.no-posts"),
        (html('<table><tr><td><a href="viewtopic.php?t=3">A topic</a></td></tr></table>'), "forum.no-posts"),
    ],
)
def test_what_is_not_recognised_is_said_and_never_guessed(data: bytes, code: str) -> None:
    thread = pages.read(data, "somewhere/page.html")
    assert code in codes(thread)
    assert all(found(post).kind == NOTHING for post in thread.posts)


# --- themes


def test_a_theme_of_xenforo_may_rename_every_frame() -> None:
    one = (
        '<div class="skin-post" {attributes}><div class="left"><h4 class="message-name"><a class="username" '
        'data-user-id="{id}">{who}</a></h4></div><div class="right">{body}</div></div>'
    )
    body = '<div class="message-content"><div class="bbWrapper">{}</div></div>'
    raw = html(
        "<main>"
        + one.format(attributes='id="js-post-5"', id=7, who="Ben", body=body.format(br(GOAT)))
        + one.format(attributes='id="js-post-6"', id=12, who="Cleo", body=body.format(br(SHORT)))
        + "</main>"
    )
    thread = pages.read(raw)
    assert [(post.id, post.author, post.author_id) for post in thread.posts] == [
        ("5", "Ben", "7"),
        ("6", "Cleo", "12"),
    ]
    assert [taken(thread, at).data.decode() for at in (0, 1)] == [GOAT, SHORT]


def test_a_style_of_phpbb_may_turn_everything_round() -> None:
    one = (
        '<section class="fancy" id="p{id}"><div class="post-content"><div '
        'class="content">{body}</div></div><aside class="author">by <a '
        'href="./memberlist.php?mode=viewprofile&amp;u={user}" class="username-coloured" '
        'style="color:#a00">{who}</a></aside></section>'
    )
    raw = html(
        "".join(
            one.format(id=number, user=number * 3, who=who, body=br(said))
            for number, who, said in ((8, "Ben", GOAT), (9, "Cleo", SHORT))
        )
        + '<a href="viewtopic.php?t=4">x</a>'
    )
    thread = pages.read(raw)
    assert (thread.software, [(post.id, post.author, post.author_id) for post in thread.posts]) == (
        PHPBB,
        [("8", "Ben", "24"), ("9", "Cleo", "27")],
    )
    assert taken(thread, 1).data.decode() == SHORT


def test_an_old_nodebb_writes_the_author_into_the_body() -> None:
    raw = html(
        '<ul component="topic" data-tid="53"><li component="post" data-index="1" data-pid="31" data-uid="7" '
        'data-username="ben" data-timestamp="1640301197050">'
        '<div class="content" component="post/content"><small class="post-author"><strong><a '
        'href="/user/ben" data-username="ben">ben</a></strong></small>'
        '<small class="pull-right"><a class="permalink" href="/post/31"><span class="timeago" '
        f'title="x"></span></a></small><p dir="auto">{br(GOAT)}</p></div></li></ul>'
    )
    thread = pages.read(raw)
    assert (thread.software, thread.topic) == (NODEBB, "53")
    assert (thread.posts[0].id, thread.posts[0].number, thread.posts[0].author, thread.posts[0].at) == (
        "31",
        2,
        "ben",
        "2021-12-23T23:13:17Z",
    )
    assert [line.text for line in thread.posts[0].lines] == GOAT.splitlines()


def test_an_old_crawler_page_of_discourse_has_no_names_of_posts() -> None:
    one = (
        "<div itemscope class='topic-body crawler-post'><div class='crawler-post-meta'><span "
        'class="creator" itemprop="author"><a itemprop="url" href=\'https://f.example/u/{0}\'>'
        "<span itemprop='name'>{0}</span></a></span><span class='crawler-post-infos'><time "
        "itemprop='datePublished' datetime='2019-11-18T06:49:00Z' class='post-time'>x</time>"
        "<span itemprop='position'>#{1}</span></span></div><div class='post' "
        "itemprop='articleBody'><p>{2}</p></div></div>"
    )
    thread = pages.read(html(one.format("ben", 4, br(GOAT)) + one.format("cleo", 7, br(SHORT))))
    assert (thread.software, [(post.id, post.number, post.author) for post in thread.posts]) == (
        DISCOURSE,
        [("post_4", 4, "ben"), ("post_7", 7, "cleo")],
    )


def test_posts_that_were_deleted_are_not_read() -> None:
    one = (
        '<div id="p{0}" class="post {1}"><dl class="postprofile"><dt><a class="username" '
        'href="?u=7">Ben</a></dt></dl><div class="postbody"><div class="content">{2}</div></div></div>'
    )
    thread = pages.read(html(one.format(5, "deleted bg1", br(OLD)) + one.format(6, "bg2", br(GOAT))))
    assert [post.id for post in thread.posts] == ["6"]


def test_the_same_name_of_two_softwares_on_a_page_does_not_mix_them() -> None:
    raw = html(
        '<div id="post5"><a class="bigusername" href="member.php?u=3">x</a><div id="post_message_5"><a '
        f'href="viewtopic.php?t=4">x</a>{br(GOAT)}</div></div>',
        '<meta name="generator" content="vBulletin 3.8.4">',
    )
    assert pages.read(raw).software == VBULLETIN


def test_a_page_that_a_browser_saved_as_a_single_file() -> None:
    import quopri

    page = html(
        '<div id="post_message_5"><a class="bigusername" '
        f'href="member.php?u=3">x</a><p>Größe</p>{br(GOAT)}</div>',
        '<meta name="generator" content="vBulletin 3.8.4">',
    )
    raw = (
        b"From: <Saved by Blink>\r\nSnapshot-Content-Location: https://boards.example/showthread.php?t=4\r\n"
        b"Subject: A thread\r\nMIME-Version: 1.0\r\n"
        b'Content-Type: multipart/related;\r\n\ttype="text/html";\r\n'
        b'\tboundary="----MultipartBoundary--x----"\r\n\r\n\r\n------MultipartBoundary--x----\r\n'
        b"Content-Type: text/html\r\nContent-Transfer-Encoding: quoted-printable\r\nContent-Location: "
        b"https://boards.example/showthread.php?t=4\r\n\r\n"
        + quopri.encodestring(page).replace(b"\n", b"\r\n")
        + (
            b"\r\n------MultipartBoundary--x----\r\nContent-Type: image/png\r\nContent-Transfer-Encoding: "
            b"base64\r\n\r\nAAAA\r\n------MultipartBoundary--x------\r\n"
        )
    )
    thread = pages.read(raw, "thread.mhtml")
    assert thread.software == VBULLETIN
    assert thread.posts[0].lines[0].text == "xGröße" or "Größe" in [
        line.text for line in thread.posts[0].lines
    ]
    assert taken(thread).data.decode() == GOAT


def test_vbulletin_4_as_it_is_printed() -> None:
    raw = html(
        '<ul id="postlist"><li class="postbit blockbody" id="post_1"><div class="header"><div '
        'class="datetime">11-20-2026, 07:10 AM</div><span class="username">Ben</span></div>'
        f'<div class="content"><blockquote class="restore">{br(GOAT)}</blockquote></div></li></ul>',
        '<meta name="generator" content="vBulletin 4.2.2">',
    )
    thread = pages.read(raw)
    assert [(post.id, post.author) for post in thread.posts] == [("1", "Ben")]
    assert taken(thread).data.decode() == GOAT


def test_a_picture_is_no_post() -> None:
    thread = pages.read(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(200), "map.png")
    assert "forum.page" in codes(thread)
    assert thread.posts == ()


def test_what_stands_there_for_browsers_without_programs_is_read_only_where_nothing_else_is() -> None:
    crawler = (
        "<noscript data-path='/t/x/8'><div id='post_1' class='topic-body crawler-post'><span "
        "class='creator'><a href='/u/ben'>x</a></span><div class='post' "
        f"itemprop='text'><p>{br(GOAT)}</p></div></div></noscript>"
    )
    app = (
        '<div class="topic-post"><article id="post_1" data-post-id="77"><a data-user-card="ben">x</a><div '
        f'class="cooked"><p>{br(GOAT)}</p></div></article></div>'
    )
    assert [post.id for post in pages.read(html(crawler)).posts] == ["post_1"]
    assert [post.id for post in pages.read(html(crawler + app)).posts] == ["77"]


# --- bodies


@pytest.mark.parametrize(
    ("inside", "lines"),
    [
        (
            "<blockquote><div><cite>Ada hat geschrieben:</cite>side: west</div></blockquote>mine",
            ["||Ada hat geschrieben:", "|side: west", "mine"],
        ),
        (
            "<blockquote><div><cite>Ada a écrit :</cite>side: "
            "west<blockquote><div>deeper</div></blockquote></div></blockquote>mine",
            ["||Ada a écrit :", "|side: west", "||deeper", "mine"],
        ),
        (
            '<div class="quotetitle">Ada schrieb:</div><div class="quotecontent">side: west</div>mine',
            ["|Ada schrieb:", "|side: west", "mine"],
        ),
        (
            "<pre><code>side: west\nmove:\n    - a to 0101\n\n  x</code></pre>",
            ["side: west", "move:", "    - a to 0101", "", "  x"],
        ),
        (
            'before<dl class="codebox"><dt>Code: <a href="#">Alles auswählen</a></dt><dd><code>a:<br '
            "/>&nbsp; b<br />&nbsp; &nbsp; c</code></dd></dl>",
            ["before", "a:", "  b", "    c"],
        ),
        (
            '<div class="codebox"><p>Code : <a href="#">Tout sélectionner</a></p><pre><code>a:\n  '
            "b</code></pre></div>",
            ["a:", "  b"],
        ),
        (
            '<div style="margin:20px; margin-top:5px"><div class="smallfont">Kód:</div><pre '
            'class="alt2">a:\n  b</pre></div>after',
            ["a:", "  b", "after"],
        ),
        ('a <img class="smilies" alt=":)" src="x"> b <img src="map.png" alt="the map"> c', ["a :) b c"]),
        (
            '<a href="https://example.org/a/very/long/address">https://example.org/a/ver...dress</a>',
            ["https://example.org/a/ver...dress"],
        ),
        ('- <a class="autolink" href="x">odo</a> to 0713', ["- odo to 0713"]),
        ('a<div class="adsbygoogle ad">Buy <b>swords</b></div>b', ["a", "b"]),
        ('a<ins class="adsbygoogle">Buy swords</ins>b', ["ab"]),
        ("a<script>x</script><!-- c -->b", ["ab"]),
        (
            '<div class="spoiler"><a href="#" onclick="t()">Show</a><div style="display: '
            'none">hidden</div></div>',
            ["Show", "hidden"],
        ),
        (
            '<span style="display:none">unseen</span><span style="font-size:0">nought</span><span '
            'style="color: transparent">glass</span>x',
            ["x"],
        ),
        (
            '<table class="cms_table"><tr><td>- odo to 0713</td></tr><tr><td>- hob to 0714</td></tr></table>',
            ["- odo to 0713", "- hob to 0714"],
        ),
        (
            "<details><summary>Orders</summary><pre><code>side: west\n</code></pre></details>",
            ["Orders", "side: west"],
        ),
        (
            '<aside class="onebox"><article class="onebox-body"><h3>A page</h3><p>side: '
            "west</p></article></aside>mine",
            ["|A page", "|", "|side: west", "", "mine"],
        ),
        (
            '<p><a class="mention" href="/user/ada">@ada</a> sagte in <a href="/post/3">Zug '
            "4</a>:</p><blockquote><p>x</p></blockquote><p>y</p>",
            ["|@ada sagte in Zug 4:", "|", "|x", "", "y"],
        ),
        ("<p>Where does he go:</p><blockquote><p>x</p></blockquote>", ["Where does he go:", "", "|x"]),
    ],
)
def test_a_body_is_read_as_its_reader_sees_it(inside: str, lines: list[str]) -> None:
    assert seen(inside) == lines


def test_nobody_can_say_what_an_element_is_but_this_program() -> None:
    assert seen(
        '<blockquote data-pbem-role="shown">theirs</blockquote><span data-pbem-role="gone">mine</span>'
    ) == ["|theirs", "mine"]


# --- sources


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        ("[quote=Ada]side: west[/quote]\nmine", ["|Ada wrote:", "|side: west", "mine"]),
        ('[QUOTE="Ada, post: 3, member: 4"][QUOTE]a[/QUOTE]b[/QUOTE]c', ["|Ada wrote:", "||a", "|b", "c"]),
        ("[code]a:\n  b [quote]x[/quote]\n[/code]c", ["a:", "  b [quote]x[/quote]", "c"]),
        ("[code]a [code]b[/code] c[/code]", ["a [code]b", " c"]),
        ("[b]side:[/b] [color=#ff0000]west[/color]", ["side: west"]),
        (
            "move:\n[list]\n[*]odo to 0713\n[*] - hob to 0714\n[/list]",
            ["move:", "- odo to 0713", "- hob to 0714"],
        ),
        ("[spoiler=mine]a[/spoiler]", ["a"]),
        ("a [s]b[/s] c [img]http://x/y.png[/img]d", ["a  c d"]),
        ("[quote]never closed\na", ["|never closed", "|a"]),
        ("[0203] and [foo] stay", ["[0203] and [foo] stay"]),
        ("[quote:1a2b3c4d]x[/quote:1a2b3c4d]y", ["|x", "y"]),
    ],
)
def test_bbcode_is_read(source: str, lines: list[str]) -> None:
    assert of_source(bbcode_source.lines(source)) == lines


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        ('[quote="ada, post:3, topic:12"]\nside: west\n[/quote]\n\nmine', ["|side: west", "", "mine"]),
        ("[quote]a[quote]b[/quote]c[/quote]d", ["|a", "||b", "|c", "d"]),
        ("```yaml\na:\n  b\n```\nc", ["a:", "  b", "c"]),
        ("~~~\n```\na\n~~~", ["```", "a"]),
        ("> theirs\ngoes on\n\nmine", ["> theirs", "|goes on", "", "mine"]),
        ("> theirs\n- mine", ["> theirs", "- mine"]),
        ('[details="x"]\na\n[/details]', ["a"]),
        ("<details>\n<summary>x</summary>\n\na\n</details>", ["a"]),
        ("a <!-- b\nc --> d", ["a ", " d"]),
        ("~~old~~ new", [" new"]),
        ("<blockquote>x\ny</blockquote>\nz", ["|x", "|y", "z"]),
    ],
)
def test_markdown_is_read(source: str, lines: list[str]) -> None:
    assert [line.rstrip() for line in of_source(markdown_source.lines(source))] == [
        line.rstrip() for line in lines
    ]


@pytest.mark.parametrize(
    "source",
    [
        f"[quote]{OLD}[/quote]\n[code]\n{STANDING}[/code]\n",
        f"> {OLD.replace(chr(10), chr(10) + '> ')}\n\n```\n{STANDING}```\n",
    ],
)
def test_a_post_pasted_by_hand_is_read_and_has_no_author(source: str) -> None:
    thread = pages.read(source.encode(), "post.txt")
    assert codes(thread) == ["doubt.forum.pasted"]
    assert (thread.posts[0].author, thread.posts[0].raw) == ("", True)
    assert taken(thread).data.decode() == STANDING


def test_single_posts_of_discourse_as_json() -> None:
    one = {
        "id": 5,
        "username": "ben",
        "name": "Ada Marsh",
        "post_number": 7,
        "topic_id": 12,
        "raw": f"```\n{GOAT}```",
        "created_at": "2026-11-20T07:10:05.000Z",
        "version": 3,
        "updated_at": "x",
    }
    thread = pages.read(json.dumps(one).encode())
    assert (thread.software, thread.topic) == (DISCOURSE, "12")
    post = thread.posts[0]
    assert (post.id, post.number, post.author, post.edited, post.raw) == ("5", 7, "ben", "x", True)
    assert taken(thread).data.decode() == GOAT
    cooked = pages.read(
        json.dumps({**one, "cooked": f"<blockquote><p>{br(OLD)}</p></blockquote><p>{br(SHORT)}</p>"}).encode()
    )
    assert taken(cooked).data.decode() == SHORT


def test_xenforo_says_who_by_account_and_not_by_name() -> None:
    thread = pages.read(
        json.dumps(
            {"post": {"post_id": 5, "user_id": 0, "username": "Ada", "message": GOAT, "thread_id": 3}}
        ).encode()
    )
    assert (thread.software, thread.posts[0].author_id) == (XENFORO, "")


# --- places


def test_a_mistake_is_shown_where_the_player_sees_it() -> None:
    thread = pages.read(
        html(
            '<article class="message message--post" data-author="Ben" data-content="post-5"><div '
            'class="message-body"><div class="bbWrapper">Hello<br>'
            f'<blockquote class="bbCodeBlock bbCodeBlock--quote">x</blockquote>{br("side: west" + chr(10) + "move:" + chr(10) + "- odo  to 9999")}</div></div></article>'
        )
    )
    assert [line.text for line in thread.posts[0].lines] == [
        "Hello",
        "x",
        "side: west",
        "move:",
        "- odo to 9999",
    ]
    assert place(taken(thread), 3, 3) == (5, 3, "- odo to 9999")


def test_our_own_post_is_known_by_its_mark_unless_it_is_quoted() -> None:
    mark = "alder-ford-7c21e0, slot 7, for west, post 2 of 3, head 5f0e3c9a21bb"
    lines = tuple(Line(text, number) for number, text in enumerate([*GOAT.splitlines(), mark], 1))
    assert found(Post("1", lines=lines)).kind == NOTHING
    quoted = (*lines[:-1], Line(mark, len(lines), 1))
    assert found(Post("1", lines=quoted)).data.decode() == GOAT


def test_names_of_others_are_never_read_from_within_a_post() -> None:
    inside = '<h4 class="message-name"><a class="username" data-user-id="4">Ada</a></h4>' + br(ENEMY)
    raw = html(
        '<article class="message message--post" data-content="post-5"><div class="message-body"><div '
        f'class="bbWrapper">{inside}</div></div></article>'
    )
    thread = pages.read(raw)
    assert thread.posts == ()
    assert codes(thread) == ["forum.page"]


@pytest.mark.parametrize("charset", ["utf-8", "windows-1252", "iso-8859-1"])
def test_character_sets_are_those_of_the_page(charset: str) -> None:
    raw = html(
        '<div id="post_message_5"><a class="bigusername" '
        f'href="member.php?u=3">x</a>{br("Schöne Grüße")}</div>',
        '<meta name="generator" content="vBulletin 3.8.4">',
    )
    raw = raw.decode().replace("utf-8", charset).encode(charset)
    assert "Schöne Grüße" in pages.read(raw).posts[0].lines[0].text
