"""What boards make of the markup of their software: frames of quotations in any style, spoilers made of
quotations, other addresses.
"""

from __future__ import annotations

from html import escape

import pytest
from page_habits import ENEMY, GOAT
from siege_words import found

from pbem.forum import pages
from pbem.forum.thread import Thread
from pbem.post.lines.message import NOTHING


def br(text: str) -> str:
    return escape(text.rstrip("\n"), quote=False).replace("\n", "<br />\n")


def phpbb(body: str, below: str = "") -> bytes:
    return (
        '<html><head><meta charset="utf-8"><title>T</title></head><body id="phpbb"><div id="p41" '
        'class="post bg1"><div class="postbody">'
        '<p class="author">by <strong><a href="./memberlist.php?mode=viewprofile&amp;u=7">Ben</a></strong> '
        "&raquo; 20 Nov 2026 18:21</p>"
        f'<div class="content">{body}</div>{below}</div></div></body></html>'
    ).encode()


def vb3(body: str) -> bytes:
    return (
        '<html><head><meta charset="utf-8"><meta name="generator" content="vBulletin 3.8.11" '
        '/></head><body><table id="post41"><tr>'
        '<td class="thead">20-11-2026, 07:10</td></tr><tr><td><a class="bigusername" '
        'href="member.php?u=7">Ben</a></td>'
        f'<td id="td_post_41"><div id="post_message_41">{body}</div></td></tr></table></body></html>'
    ).encode()


def taken(thread: Thread) -> str:
    said = found(thread.posts[0])
    return said.data.decode() if said.kind != NOTHING else ""


def box(label: str, style: str, inside: str, css: str = "alt2") -> str:
    return (
        '<div style="margin:20px; margin-top:5px"><div class="smallfont" '
        f'style="margin-bottom:2px">{label}</div>'
        f'<table cellpadding="6" width="100%"><tr><td class="{css}" '
        f'style="{style}">{inside}</td></tr></table></div>'
    )


NAMED = (
    '<div>Originally Posted by <strong>Ada</strong> <a href="showthread.php?p=4#post4"><img '
    'class="inlineimg" src="v.gif" alt="View Post" /></a></div>'
)
FRAMES = {
    "solid": box("Quote:", "border:1px solid #666", NAMED + br(ENEMY)),
    "nobody named": box("Quote:", "border:1px solid #666", br(ENEMY)),
    "no style": box("Zitat:", "", br(ENEMY), "panel"),
    "no label": f"<table><tr><td>{NAMED}{br(ENEMY)}</td></tr></table>",
    "no label, in German": f"<table><tr><td><div>Zitat von <b>Ada</b></div>{br(ENEMY)}</td></tr></table>",
}


@pytest.mark.parametrize("frame", FRAMES)
def test_a_quotation_is_one_in_whatever_frame_the_theme_puts_it(frame: str) -> None:
    assert taken(pages.read(vb3(FRAMES[frame]))) == ""
    assert taken(pages.read(vb3(FRAMES[frame] + "Mine:<br />" + br(GOAT)))) == GOAT
    assert taken(pages.read(vb3(br(GOAT) + "<br /><br />" + FRAMES[frame]))) == GOAT


NAMES = ("quotediv", "quote-body", "QuoteBox", "bbcode-quote", "post_quote", "quotewrapper")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "inner",
    ["", "<blockquote><div>What now?</div></blockquote>", '<div class="quotecontent">What now?</div>'],
)
def test_a_box_that_a_theme_calls_a_quotation_is_one_whatever_it_holds(name: str, inner: str) -> None:
    quote = f'<div class="x {name}">{inner}{br(ENEMY)}</div>'
    assert taken(pages.read(phpbb(quote))) == ""
    assert taken(pages.read(phpbb(quote + br(GOAT)))) == GOAT


def test_what_only_sounds_like_a_quotation_is_none() -> None:
    assert taken(pages.read(phpbb(f'<div class="quotable mw-quoteless">{br(GOAT)}</div>'))) == GOAT


CLICK = "if (this.parentNode.parentNode.getElementsByTagName('div')[1]) { this.value = 'Hide'; }"
SPOILERS = {
    "button": '<div style="margin:20px; margin-top:5px"><div class="quotetitle"><b>Spoiler:</b> '
    f'<input type="button" value="Show" onclick="{CLICK}" /></div><div class="quotecontent"><div '
    'style="display: none;">%s</div></div></div>',
    "link": f'<div style="padding: 3px; border: 1px solid #d8d8d8;"><div style="font-weight: bold;"><span onClick="{CLICK}"><b>Spoiler: </b>'
    '<a href="#" onClick="return false;">show</a></span></div><div class="quotecontent"><div '
    'style="display: none;">%s</div></div></div>',
    "value": '<div class="quotewrapper"><div class="quotetitle"><input type="button" value="Ver el Spoiler" onClick="x()"></div>'
    '<div class="quotecontent"><div style="display:none">%s</div></div></div>',
    "class": '<div class="spoiler"><div><input value="Show" onclick="x()" type="button"><b>Orders</b></div>\n'
    '<div class="quotecontent"><div style="display: none;">%s</div></div></div>',
}


@pytest.mark.parametrize("made", SPOILERS)
def test_a_spoiler_that_a_board_made_of_a_quotation_holds_ones_own_words(made: str) -> None:
    spoiler = SPOILERS[made]
    assert taken(pages.read(phpbb(spoiler % br(GOAT)))) == GOAT
    for quote in (
        f"<blockquote><div><cite>Ada wrote:</cite>{spoiler % br(ENEMY)}</div></blockquote>",
        f'<div class="quotetitle">Ada wrote:</div><div class="quotecontent">{spoiler % br(ENEMY)}</div>',
        f'<div class="quotetitle">Ada wrote:</div><div class="quotediv">{spoiler % br(ENEMY)}</div>',
        spoiler % f'<div class="quotetitle">Ada wrote:</div><div class="quotediv">{br(ENEMY)}</div>',
        spoiler % f"<blockquote>{br(ENEMY)}</blockquote>",
    ):
        assert taken(pages.read(phpbb(quote))) == ""
        assert taken(pages.read(phpbb(quote + br(GOAT)))) == GOAT


def test_a_quotation_that_can_be_folded_is_no_spoiler() -> None:
    folded = (
        '<div class="quotetitle">Ada wrote: <input type="button" value="Show" onclick="x()"/></div>'
        f'<div class="quotecontent"><div style="display:none">{br(ENEMY)}</div></div>'
    )
    assert taken(pages.read(phpbb(folded))) == ""


@pytest.mark.parametrize(
    ("said", "when"),
    [
        ("Last edited by Ben on 29 Jan 2014 19:53, edited 1 time in total.", "29 Jan 2014 19:53"),
        (
            "Last edited by Ben on Sun May 26, 2019 4:34 pm, edited 2 times in total.",
            "Sun May 26, 2019 4:34 pm",
        ),
        (
            "Last edited by Ben on Sun May 26, 2019 4:34 pm; edited 2 times in total",
            "Sun May 26, 2019 4:34 pm",
        ),
        ("Zuletzt geändert von Ben am 29. Jan 2014, 19:53, insgesamt 1-mal geändert.", "29. Jan 2014, 19:53"),
    ],
)
def test_the_time_of_an_edit_is_read_whole(said: str, when: str) -> None:
    assert pages.read(phpbb("Hello", f'<div class="notice">{said}</div>')).posts[0].edited == when


def test_addresses_of_vbulletin_4_without_a_question_mark() -> None:
    page = (
        '<html id="vbulletin_html"><head><meta charset="utf-8"><meta name="generator" content="vBulletin '
        '4.2.2" /></head><body>'
        '<span class="threadtitle"><a href="showthread.php/9687-Toll">Toll</a></span><ol><li '
        'class="postbitlegacy postcontainer" id="post_41">'
        '<span class="postdate"><span class="date">11-20-2026,&nbsp;07:10 AM</span></span><a name="post41" '
        'class="postcounter">#3</a>'
        '<div class="username_container"><a class="username offline" '
        'href="member.php/8611-ben"><strong>ben</strong></a></div>'
        '<div id="post_message_41"><blockquote class="postcontent restore '
        f'">{br(GOAT)}</blockquote></div></li></ol></body></html>'
    )
    thread = pages.read(page.encode())
    assert (thread.topic, thread.posts[0].author_id, thread.posts[0].number) == ("9687", "8611", 3)
    assert taken(thread) == GOAT


def _entry(number: int, body: str) -> str:
    return (
        f"<entry><author><name><![CDATA[Ben]]></name></author><published>2026-11-20T07:10:00+00:00</published>"
        f"<id>http://b.example/viewtopic.php?t=15&amp;p={number}#p{number}</id><content "
        f'type="html"><![CDATA[{body}<p>Statistics: Posted by '
        '<a href="http://b.example/memberlist.php?mode=viewprofile&amp;u=7">Ben</a> — Fri Nov 20, '
        "2026</p><hr />]]></content></entry>"
    )


def test_a_feed_tells_whose_account_it_is_and_keeps_the_order_of_posts_of_one_minute() -> None:
    forged = '<p>Statistics: <a href="memberlist.php?mode=viewprofile&amp;u=99">Ada</a></p>'
    feed = (
        '<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom">'
        + _entry(43, forged)
        + _entry(42, br(GOAT))
        + "</feed>"
    )
    thread = pages.read(feed.encode())
    assert [post.id for post in thread.posts] == ["42", "43"]
    assert thread.posts[0].author_id == "7" and thread.posts[1].author_id in ("", "7")
    assert taken(thread) == GOAT


def test_a_page_of_discourse_for_programs_tells_of_an_edit() -> None:
    post = (
        "<div id='post_%d' class='topic-body crawler-post'><span class='creator'><a href='/u/ben'><span "
        "itemprop='name'>ben</span></a></span>"
        "<span class='crawler-post-infos'><time datetime='2026-11-20T08:01:11Z' class='post-time'>x</time>"
        "<meta itemprop='dateModified' content='%s'><span itemprop='position'>%d</span></span><div "
        "class='post' itemprop='text'><p>Hi</p></div></div>"
    )
    body = post % (1, "2026-11-20T08:03:02Z", 1) + post % (2, "2026-11-20T08:01:11Z", 2)
    head = '<meta charset="utf-8"><meta name="generator" content="Discourse 2026.7.0">'
    thread = pages.read(
        f'<html><head>{head}</head><body><div id="main-outlet">{body}</div></body></html>'.encode()
    )
    assert [post.edited for post in thread.posts] == ["2026-11-20T08:03:02Z", ""]


FOLDED = (
    "<details class='elided'>\n<summary title='Show trimmed content'>&#183;&#183;&#183;</summary>\n\n%s\n"
    "</details>\n"
)


def test_the_letter_below_an_answer_by_mail_is_a_quotation_on_discourse() -> None:
    for inside in (ENEMY, f"Well\n\n<details>\n<summary>x</summary>\n\n{ENEMY}\n</details>\n\n{ENEMY}"):
        said = found(pages.read_post(f"{GOAT}\n{FOLDED % inside}"))
        assert said.data.decode() == GOAT
        assert found(pages.read_post(f"I agree.\n\n{FOLDED % inside}")).kind == NOTHING
    assert found(pages.read_post(f"I agree.\n\n<details class='elided'>\n{ENEMY}")).kind == NOTHING
    page = (
        '<html><head><meta charset="utf-8"><meta name="generator" content="Discourse '
        '2026.7.0"></head><body><article id="post_1" data-post-id="9">'
        '<a data-user-card="ben">ben</a><div '
        f'class="cooked"><p>{br(GOAT)}</p>{FOLDED % f"<p>{br(ENEMY)}</p>"}</div></article></body></html>'
    )
    assert taken(pages.read(page.encode())) == GOAT


# --- phpBB 2, whose quotations and codes end the element of the text and begin another behind them


def _old(cell: str) -> bytes:
    """Return a page of two posts of phpBB 2; ``cell`` is the first one's, the second says
    that all is well.
    """
    rows = "".join(
        f'<tr><td class="row1"><span class="name"><a name="{number}"></a><b>{who}</b></span><br /><span '
        'class="postdetails">Joined: 07 Jan 2004<br />'
        'Posts: 12</span></td><td class="row1" width="100%"><table width="100%"><tr><td width="100%"><span '
        'class="postdetails">Posted: Mon Nov 16, 2026 '
        '10:00 am<span class="gen">&nbsp;</span>&nbsp; Post subject: Re: '
        'Toll</span></td><td>quote</td></tr><tr><td colspan="2"><hr /></td></tr>'
        f"{inside}</table></td></tr><tr><td>Back to top</td><td>profile</td></tr>"
        for number, who, inside in (
            (41, "Ben", cell),
            (42, "Cleo", '<tr><td colspan="2"><span class="postbody">All is well.</span></td></tr>'),
        )
    )
    return (
        '<html><head><meta charset="utf-8"><title>T</title></head><body><a class="maintitle" '
        f'href="viewtopic.php?t=77">Toll</a><table>{rows}</table></body></html>'
    ).encode()


EDITED = (
    '<span class="gensmall"><br />Last edited by Ben on Mon Nov 16, 2026 11:00 am; edited 1 time in '
    "total</span>"
)
SIGNED = "<br />_________________<br />" + br(ENEMY)
CELLS = {
    "subSilver": (
        '<tr><td colspan="2"><span class="postbody">%s</span><span '
        f'class="postbody">{SIGNED}</span>{EDITED}</td></tr>'
    ),
    "marked": (
        '<tr><td colspan="2"><div id="message_41"><span class="postbody">%s</span></div><span '
        f'class="postbody"></span><span class="postbody">{SIGNED}</span>{EDITED}</td></tr>'
    ),
    "one": f'<tr><td><span class="postbody">%s{SIGNED}</span>{EDITED}</td></tr>',
    "cell": f'<tr><td class="postbody"><hr />%s</td></tr><tr><td class="genmed">{SIGNED}{EDITED}</td></tr>',
    "signed below": (
        '<tr><td colspan="2"><span class="postbody">%s</span></td></tr><tr><td colspan="2"><span '
        f'class="postbody">{SIGNED}</span>{EDITED}</td></tr>'
    ),
}
OLD_BOX = (
    '</span><table align="center"><tr><td><span class="genmed"><b>%s:</b></span></td></tr><tr><td '
    'class="%s">%s</td></tr></table><span class="postbody">'
)


@pytest.mark.parametrize("cell", CELLS)
def test_own_words_of_phpbb_2_go_on_behind_a_box(cell: str) -> None:
    quote, code = OLD_BOX % ("Ada wrote", "quote", br(ENEMY)), OLD_BOX % ("Code", "code", br(GOAT))
    for said in (
        br(GOAT),
        code,
        quote + br(GOAT),
        quote + code,
        code + quote,
        "Well.<br /><br />" + br(GOAT) + quote,
    ):
        thread = pages.read(_old(CELLS[cell] % said))
        assert [(post.id, post.author, post.at) for post in thread.posts] == [
            ("41", "Ben", "2026-11-16T10:00:00"),
            ("42", "Cleo", "2026-11-16T10:00:00"),
        ]
        assert taken(thread) == GOAT
    for said in (
        quote,
        quote + "I agree.",
        OLD_BOX % ("Quote", "quote", OLD_BOX % ("Code", "code", br(ENEMY))),
    ):
        assert taken(pages.read(_old(CELLS[cell] % said))) == ""
    if cell != "signed below":
        assert pages.read(_old(CELLS[cell] % "Hi")).posts[0].edited == "Mon Nov 16, 2026 11:00 am"
