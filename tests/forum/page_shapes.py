"""Pages of forums that no table here knows, each as such software prints it: how a post, a quotation, a box
of code and a signature look.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape

from msgspec import Struct


class Shape(Struct, frozen=True):
    """One software or theme.

    ``post`` makes one of an id, a name, a body and a signature; ``quote`` and ``code`` make a box of text.
    """

    post: Callable[[int, str, str, str], str]
    quote: Callable[[str], str]
    code: Callable[[str], str]
    around: str = (
        '<html><head><meta charset="utf-8"><title>T</title></head><body><div id="bar">Hello, <a '
        'href="/profile/2">Cass</a></div><h1>Toll</h1>{}</body></html>'
    )
    quoted: bool = True
    """Whether its quotations are known as such; else a post with orders in one is not read."""

    def page(self, posts: Sequence[tuple[str, str]], signature: str = "") -> bytes:
        made = "\n".join(self.post(501 + at, who, body, signature) for at, (who, body) in enumerate(posts))
        return self.around.format(made).encode()


def br(text: str) -> str:
    return escape(text.rstrip("\n"), quote=False).replace("\n", "<br />\n")


def _smf(id_: int, who: str, body: str, sign: str) -> str:
    return f"""<div class="windowbg"><div class="post_wrapper"><div class="poster"><h4><a href="index.php?action=profile;u={id_ % 7}" title="View the profile of {who}">{who}</a></h4>
<ul id="msg_{id_}_extra_info"><li class="postgroup">Newbie</li></ul></div><div class="postarea"><div class="flow_hidden"><div class="keyinfo"><h5 id="subject_{id_}"><a href="index.php?topic=9.msg{id_}#msg{id_}">Re: Toll</a></h5>
<div class="smalltext">&#171; <strong>Reply #1 on:</strong> November 20, 2026, 07:10:00 AM &#187;</div></div></div><div class="post"><div class="inner" id="msg_{id_}">{body}</div></div></div>
<div class="moderatorbar"><div class="smalltext modified" id="modified_{id_}"></div><div class="signature" id="msg_{id_}_signature">{sign}</div></div></div></div>"""


def _mybb(id_: int, who: str, body: str, sign: str) -> str:
    return f"""<a name="pid{id_}" id="pid{id_}"></a><div class="post classic" id="post_{id_}"><div class="post_author"><div class="author_information"><strong><span class="largetext"><a href="https://b.example/user-{id_ % 7}.html">{who}</a></span></strong><br /><span class="smalltext">Junior Member</span></div></div>
<div class="post_content"><div class="post_head"><div class="float_right"><strong><a href="showthread.php?tid=9&amp;pid={id_}#pid{id_}" title="Re: Toll">#{id_ - 500}</a></strong></div><span class="post_date">11-20-2026, 07:10 AM <span class="post_edit" id="edited_by_{id_}"></span></span></div>
<div class="post_body scaleimages" id="pid_{id_}">{body}</div><div class="signature scaleimages">{sign}</div><div class="post_meta" id="post_meta_{id_}"></div></div></div>"""


def _invision(id_: int, who: str, body: str, sign: str) -> str:
    return f"""<a id="findComment-{id_}"></a><a id="comment-{id_}"></a><article id="elComment_{id_}" class="cPost ipsBox ipsComment"><aside class="ipsComment_author cAuthorPane"><h3 class="cAuthorPane_author"><strong><a href="https://b.example/profile/{id_ % 7}-x/" class="ipsType_break">{who}</a></strong></h3></aside>
<div class="ipsColumn ipsComment_content"><div id="comment-{id_}_wrap" data-controller="core.front.core.comment"><div class="ipsComment_meta"><a href="https://b.example/topic/9-toll/?do=findComment&amp;comment={id_}"><time datetime="2026-11-20T07:10:05Z">Friday</time></a></div>
<div class="cPost_contentWrap"><div data-role="commentContent" class="ipsType_normal ipsType_richText">{body}</div><div data-role="memberSignature">{sign}</div></div></div></div></article>"""


def _fluxbb(id_: int, who: str, body: str, sign: str) -> str:
    signed = f'<div class="postsignature postmsg"><hr />{sign}</div>' if sign else ""
    return f"""<div id="p{id_}" class="blockpost rowodd"><h2><span><span class="conr">#{id_ - 500}</span> <a href="viewtopic.php?pid={id_}#p{id_}">2026-11-20 07:10:00</a></span></h2><div class="box"><div class="inbox"><div class="postbody"><div class="postleft"><dl><dt><strong><a href="profile.php?id={id_ % 7}">{who}</a></strong></dt><dd class="usertitle"><strong>Member</strong></dd></dl></div>
<div class="postright"><h3>Re: Toll</h3><div class="postmsg">{body}</div>{signed}</div></div></div></div></div>"""


def _awful(id_: int, who: str, body: str, sign: str) -> str:
    return f"""<table class="post" id="post{id_}" data-idx="{id_ - 500}"><tr><td class="userinfo userid-{id_ % 7}"><dl class="userinfo"><dt class="author">{who}</dt><dd class="registered">Mar 1, 1998</dd></dl></td>
<td class="postbody">{body}</td></tr><tr><td class="postdate"><a href="#post{id_}">#</a> Nov 20, 2026 07:10</td><td class="postlinks"><ul class="postbuttons"><li><a href="newreply.php?postid={id_}">quote</a></li></ul></td></tr></table>"""


def _vanilla(id_: int, who: str, body: str, sign: str) -> str:
    return f"""<li class="Item ItemComment" id="Comment_{id_}"><div class="Comment"><div class="Item-Header CommentHeader"><div class="AuthorWrap"><span class="Author"><a href="/profile/x" class="PhotoWrap"><img src="x.png" alt="{who}"></a><a href="/profile/{id_ % 7}/x" class="Username">{who}</a></span></div>
<div class="Meta CommentMeta"><a href="/discussion/comment/{id_}/#Comment_{id_}" class="Permalink"><time datetime="2026-11-20T07:10:05+00:00">November 20</time></a></div></div><div class="Item-BodyWrap"><div class="Item-Body"><div class="Message userContent">{body}</div></div></div></div></li>"""


def _own(id_: int, who: str, body: str, sign: str) -> str:
    return f"""<div class="vtouter" id="p{id_}"><div class="vtinner"><div class="vtdatebar"><span class="vtdate"> Ven 20 Nov 2026, 21:10</span></div><div class="vtprofilepanel"><span class="vtusername"><span style="color: #5FF" class="username-coloured">{who}</span></span></div>
<div class="vtcontent"><div id="textwithlists" class="content" id="postdiv{id_}">{body}</div><div id="sig{id_}" class="signature">{sign}</div></div></div></div>"""


def _archive(id_: int, who: str, body: str, sign: str) -> str:
    return f"""<div class="post" id="p{id_}"><div class="info"><p class="poster">{who}</p><p class="dt">20-11-2026 07:10:05</p></div><div class="msg">{body}</div></div>"""


def _micro(id_: int, who: str, body: str, sign: str) -> str:
    return f"""<section data-post-id="{id_}" itemscope itemtype="https://schema.org/Comment"><header><span itemprop="author" itemscope><a href="/x{id_ % 7}"><span itemprop="name">{who}</span></a></span><time itemprop="datePublished" datetime="2026-11-20T07:10:05Z">x</time></header><div itemprop="text">{body}</div></section>"""


def _pre(text: str) -> str:
    return f"<pre><code>{escape(text, quote=False)}</code></pre>"


SHAPES = {
    "smf": Shape(
        _smf,
        lambda text: (
            '<div class="quoteheader"><div class="topslice_quote"><a href="x">Quote from: Ada on November '
            f'20, 2026</a></div></div><blockquote class="bbc_standard_quote">{br(text)}</blockquote><div '
            'class="quotefooter"></div>'
        ),
        lambda text: (
            '<div class="codeheader">Code: <a href="#">[Select]</a></div><code '
            f'class="bbc_code">{br(text)}</code>'
        ),
    ),
    "mybb": Shape(
        _mybb,
        lambda text: (
            '<blockquote class="mycode_quote"><cite><span> (11-20-2026, 07:10 AM)</span>Ada Wrote: '
            f"</cite>{br(text)}</blockquote>"
        ),
        lambda text: (
            '<div class="codeblock"><div class="title">Code:</div><div class="body" '
            f'dir="ltr"><code>{br(text)}</code></div></div>'
        ),
    ),
    "invision": Shape(
        _invision,
        lambda text: (
            '<blockquote class="ipsQuote" data-ipsquote=""><div class="ipsQuote_citation">1 hour ago, Ada '
            f'said:</div><div class="ipsQuote_contents"><p>{br(text)}</p></div></blockquote>'
        ),
        lambda text: f'<pre class="ipsCode">{escape(text, quote=False)}</pre>',
    ),
    "fluxbb": Shape(
        _fluxbb,
        lambda text: (
            '<div class="quotebox"><cite>Ada '
            f"wrote:</cite><blockquote><div><p>{br(text)}</p></div></blockquote></div>"
        ),
        _pre,
    ),
    "awful": Shape(
        _awful,
        lambda text: (
            '<div class="bbc-block"><h4><a class="quote_link" href="#post9">Ada '
            f"posted:</a></h4><blockquote>{br(text)}</blockquote></div>"
        ),
        lambda text: (
            '<div class="bbc-block code"><h5>code:</h5><pre '
            f'class="code">{escape(text, quote=False)}</pre></div>'
        ),
    ),
    "vanilla": Shape(
        _vanilla,
        lambda text: (
            '<blockquote class="Quote UserQuote"><div class="QuoteAuthor"><a href="/profile/1/Ada">Ada</a> '
            f'said:</div><div class="QuoteText"><p>{br(text)}</p></div></blockquote>'
        ),
        _pre,
    ),
    "own": Shape(
        _own,
        lambda text: f"<blockquote><div><cite>Ada a écrit:</cite>{br(text)}</div></blockquote>",
        lambda text: (
            '<dl class="codebox"><dt>Code: <a href="#">Select '
            f"all</a></dt><dd><code>{br(text)}</code></dd></dl>"
        ),
        around=(
            '<html><head><meta charset="utf-8"></head><body id="phpbb"><div><a '
            'href="ucp.php?mode=profile">Cass</a></div><h2>Toll</h2>{}</body></html>'
        ),
    ),
    "archive": Shape(
        _archive, lambda text: f'<div class="reply-to"><b>Ada:</b> {br(text)}</div>', _pre, quoted=False
    ),
    "micro": Shape(_micro, lambda text: f'<p class="gray">Ada wrote {br(text)}</p>', _pre, quoted=False),
}
