"""What a post of the corpus is made of, and how each forum writes it: text, boxes of code, quotations,
spoilers, lists, smilies.

The markup imitates what the softwares print; nothing of it is copied from anywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape

from msgspec import Struct

# --- the pieces of a body


class Words(Struct, frozen=True):
    text: str


class Code(Struct, frozen=True):
    text: str


class Quote(Struct, frozen=True):
    who: str
    inside: tuple[Piece, ...]


class Spoiler(Struct, frozen=True):
    title: str
    inside: tuple[Piece, ...]


class Items(Struct, frozen=True):
    """A list made with the button of the editor."""

    items: tuple[str, ...]


class Smiley(Struct, frozen=True):
    text: str


class Spaced(Struct, frozen=True):
    """Text whose indentation was kept by no-break spaces."""

    text: str


class Struck(Struct, frozen=True):
    text: str


class Picture(Struct, frozen=True):
    """An attachment in the middle of the text."""

    name: str


Piece = "Words | Code | Quote | Spoiler | Items | Smiley | Spaced | Struck | Picture"


class Member(Struct, frozen=True):
    name: str
    id: str
    signature: str = ""
    guest: bool = False


class Wanted(Struct, frozen=True):
    """What may be taken from a post: its orders, or nothing, and why."""

    orders: str | None
    why: str = ""


class Said(Struct, frozen=True):
    """One post of a page: who, what, and what may be taken from it."""

    who: Member
    pieces: tuple[Piece, ...]
    wanted: Wanted
    edited: bool = False
    likes: bool = False


# --- HTML


def brs(text: str, end: str = "<br>\n") -> str:
    return escape(text.rstrip("\n"), quote=False).replace("\n", end)


def spaced(text: str, end: str = "<br>\n") -> str:
    """Return text with two no-break spaces for each two blanks at the beginning of a line."""
    lines = []
    for line in text.rstrip("\n").split("\n"):
        bare = line.lstrip(" ")
        lines.append("&nbsp; " * ((len(line) - len(bare)) // 2) + escape(bare, quote=False))
    return end.join(lines)


Body = Callable[[Sequence[Piece]], str]


def body_of(end: str, make: dict[type, Callable[..., str]]) -> Body:
    """Return how one software writes a body."""

    def body(pieces: Sequence[Piece]) -> str:
        out = []
        for piece in pieces:
            if isinstance(piece, Words):
                out.append(brs(piece.text, end))
            elif isinstance(piece, Spaced):
                out.append(spaced(piece.text, end))
            elif isinstance(piece, Quote | Spoiler):
                out.append(make[type(piece)](piece, body(piece.inside)))
            else:
                out.append(make[type(piece)](piece))
        joined = ""
        for before, piece, one in zip((None, *pieces), pieces, out, strict=False):
            if (
                joined
                and isinstance(piece, Words | Spaced | Struck)
                and isinstance(before, Words | Spaced | Struck)
            ):
                joined += end
            joined += (" " if isinstance(piece, Smiley) else "") + one
        return joined

    return body


def lists(piece: Items) -> str:
    return "<ul>\n" + "".join(f"<li>{escape(one)}</li>\n" for one in piece.items) + "</ul>"


def xf2_list(piece: Items) -> str:
    return (
        "<ul>\n"
        + "".join(f'<li data-xf-list-type="ul">{escape(one)}</li>\n' for one in piece.items)
        + "</ul>"
    )


XF2 = body_of(
    "<br />\n",
    {
        Code: lambda one: (
            '<div class="bbCodeBlock bbCodeBlock--screenLimited bbCodeBlock--code">\n<div '
            'class="bbCodeBlock-title">\n\t\tCode:\n\t</div>\n'
            '<div class="bbCodeBlock-content" dir="ltr">\n<pre class="bbCodeCode" dir="ltr" '
            'data-xf-init="code-block" data-lang="">'
            f"<code>{escape(one.text.rstrip(), quote=False)}</code></pre>\n</div>\n</div>"
        ),
        Quote: lambda one, inside: (
            f'<blockquote data-attributes="member: 4" data-quote="{escape(one.who)}" data-source="post: '
            '51"\n\tclass="bbCodeBlock '
            'bbCodeBlock--expandable bbCodeBlock--quote js-expandWatch">\n<div class="bbCodeBlock-title">\n'
            '<a href="/goto/post?id=51" '
            'class="bbCodeBlock-sourceJump" rel="nofollow" '
            f'data-content-selector="#post-51">{escape(one.who)} said:</a>\n</div>\n'
            '<div class="bbCodeBlock-content">\n<div class="bbCodeBlock-expandContent js-expandContent ">\n'
            f"{inside}\n</div>\n"
            '<div class="bbCodeBlock-expandLink js-expandLink"><a role="button" tabindex="0">Click to '
            "expand...</a></div>\n</div>\n</blockquote>"
        ),
        Spoiler: lambda one, inside: (
            '<div class="bbCodeSpoiler">\n<button type="button" class="button bbCodeSpoiler-button '
            'button--longText" data-xf-click="toggle">'
            '<span class="button-text"><span>Spoiler: <span '
            f'class="bbCodeSpoiler-button-title">{escape(one.title)}</span></span></span></button>\n'
            '<div class="bbCodeSpoiler-content">\n<div class="bbCodeBlock bbCodeBlock--spoiler">\n'
            f'<div class="bbCodeBlock-content">{inside}</div>\n</div>\n</div>\n</div>'
        ),
        Items: xf2_list,
        Smiley: lambda one: (
            '<img src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7" '
            'class="smilie smilie--sprite smilie--sprite1"'
            f' alt="{escape(one.text)}" title="Smile    {escape(one.text)}" loading="lazy" '
            f'data-shortname="{escape(one.text)}" />'
        ),
        Struck: lambda one: f'<span style="text-decoration: line-through">{brs(one.text)}</span>',
        Picture: lambda one: (
            f'<div class="bbImageWrapper js-lbImage" title="{one.name}"><img '
            f'src="/attachments/{one.name}.99/" class="bbImage" alt="{one.name}"></div>'
            f'<a href="/attachments/{one.name}.99/" target="_blank">View attachment 99</a>'
        ),
    },
)
XF1 = body_of(
    "<br />\n",
    {
        Code: lambda one: (
            '<div class="bbCodeBlock bbCodeCode">\n<div class="type">Code:</div>\n'
            f"<pre>{escape(one.text.rstrip(), quote=False)}</pre>\n</div>"
        ),
        Quote: lambda one, inside: (
            f'<div class="bbCodeBlock bbCodeQuote" data-author="{escape(one.who)}">\n<aside>\n<div '
            f'class="attribution type">{escape(one.who)} said:\n'
            '<a href="goto/post?id=51#post-51" class="AttributionLink">&uarr;</a>\n</div>\n<blockquote '
            'class="quoteContainer">'
            f'<div class="quote">{inside}</div><div class="quoteExpand">Click to '
            "expand...</div></blockquote>\n</aside>\n</div>"
        ),
        Spoiler: lambda one, inside: (
            '<div class="ToggleTriggerAnchor bbCodeSpoilerContainer">\n<button class="button '
            'bbCodeSpoilerButton ToggleTrigger Tooltip JsOnly" '
            'data-target="&gt; .SpoilerTarget"><span>Spoiler: <span '
            f'class="SpoilerTitle">{escape(one.title)}</span></span></button>\n'
            f'<div class="SpoilerTarget bbCodeSpoilerText" style="display: none;">{inside}</div>\n</div>'
        ),
        Items: lists,
        Smiley: lambda one: (
            '<img src="styles/default/xenforo/clear.png" class="mceSmilieSprite mceSmilie1" '
            f'alt="{one.text}" title="Smile    {one.text}" />'
        ),
        Struck: lambda one: f'<span style="text-decoration: line-through">{brs(one.text)}</span>',
        Picture: lambda one: (
            f'<a href="http://boards.example/attachments/{one.name}.99/" target="_blank" '
            'class="LbTrigger">View attachment 99</a>'
        ),
    },
)
_PHPBB_QUOTE = lambda one, inside: (  # noqa: E731
    "<blockquote><div><cite><a "
    f'href="./memberlist.php?mode=viewprofile&amp;u=4">{escape(one.who)}</a> wrote: '
    '<a href="./viewtopic.php?p=51#p51" data-post-id="51" '
    'onclick="if(document.getElementById(hash.substr(1)))href=hash">&#8593;</a>'
    f'<span class="responsive-hide">Thu Nov 19, 2026 9:12 pm</span></cite>{inside}</div></blockquote>'
)
_OLD_QUOTE = lambda one, inside: (  # noqa: E731
    f"<blockquote><div><cite>{escape(one.who)} wrote:</cite>{inside}</div></blockquote>"
)
_PHPBB_SPOILER = lambda one, inside: (  # noqa: E731
    '<div style="margin:20px; margin-top:5px"><div class="quotetitle"><b>Spoiler:</b> <input type="button" '
    'value="Show" style="width:45px;'
    "font-size:10px\" onclick=\"if (this.parentNode.parentNode.getElementsByTagName('div')[1].getElementsByTagName('div')[0].style.display != '')"
    ' { } " /></div><div class="spoilercontent" style="margin:0"><div style="display: none;">'
    + inside
    + "</div></div></div>"
)
_PHPBB = {
    Items: lists,
    Smiley: lambda one: (
        '<img class="smilies" src="./images/smilies/icon_e_smile.gif" width="15" height="17" '
        f'alt="{one.text}" title="Smile">'
    ),
    Struck: lambda one: f'<span style="text-decoration:line-through">{brs(one.text)}</span>',
    Picture: lambda one: (
        '<div class="inline-attachment"><dl class="thumbnail"><dt><a '
        'href="./download/file.php?id=99&amp;mode=view"><img src="./download/file.php?id=99'
        f'&amp;t=1" class="postimage" alt="{one.name}" title="{one.name} (88 KiB) Viewed 12 '
        'times"></a></dt><dd>the map after turn 4</dd></dl></div>'
    ),
}
PHPBB33 = body_of(
    "<br>\n",
    {
        **_PHPBB,
        Code: lambda one: (
            '<div class="codebox"><p>Code: <a href="#" onclick="selectCode(this); '
            'return false;">Select all</a></p>'
            f"<pre><code>{escape(one.text.rstrip(), quote=False)}</code></pre></div>"
        ),
        Quote: _PHPBB_QUOTE,
        Spoiler: _PHPBB_SPOILER,
    },
)
PHPBB30 = body_of(
    "<br />",
    {
        **_PHPBB,
        Code: lambda one: (
            '<dl class="codebox"><dt>Code: <a href="#" onclick="selectCode(this); return false;">Select '
            "all</a></dt><dd><code>"
            f"{spaced(one.text, '<br />')}</code></dd></dl>"
        ),
        Quote: _OLD_QUOTE,
        Spoiler: _PHPBB_SPOILER,
    },
)
SUBSILVER = body_of(
    "<br />",
    {
        **_PHPBB,
        Code: lambda one: (
            '<div class="codetitle"><b>Code:</b></div><div '
            f'class="codecontent">{spaced(one.text, "<br />")}</div>'
        ),
        Quote: lambda one, inside: (
            f'<div class="quotetitle">{escape(one.who)} wrote:</div><div class="quotecontent">{inside}</div>'
        ),
        Spoiler: _PHPBB_SPOILER,
    },
)
_VB = {
    Items: lists,
    Smiley: lambda one: (
        f'<img src="images/smilies/smile.gif" border="0" alt="" title="{one.text}" class="inlineimg" />'
    ),
    Struck: lambda one: f"<strike>{brs(one.text)}</strike>",
    Picture: lambda one: (
        '<a href="attachment.php?attachmentid=99&amp;d=1290" target="_blank">Attachment 99</a>'
    ),
}
VB3 = body_of(
    "<br />\n",
    {
        **_VB,
        Code: lambda one: (
            '<div style="margin:20px; margin-top:5px">\n\t<div class="smallfont" '
            'style="margin-bottom:2px">Code:</div>\n\t<pre class="alt2" dir="ltr" '
            'style="\n\t\tmargin: 0px;\n\t\tpadding: 6px;\n\t\tborder: 1px inset;\n\t\twidth: 640px;\n'
            "\t\theight: 98px;\n\t\ttext-align: left;\n\t\t"
            f'overflow: auto">{escape(one.text.rstrip(), quote=False)}</pre>\n</div>'
        ),
        Quote: lambda one, inside: (
            '<div style="margin:20px; margin-top:5px; ">\n\t<div class="smallfont" '
            'style="margin-bottom:2px">Quote:</div>\n\t<table cellpadding="6" '
            'cellspacing="0" border="0" width="100%">\n\t<tr>\n\t\t<td class="alt2" style="border:1px '
            'inset">\n\t\t\t\n\t\t\t\t<div>\n\t\t\t\t\t'
            f"Originally Posted by <strong>{escape(one.who)}</strong>\n\t\t\t\t\t<a "
            'href="showthread.php?p=51#post51" rel="nofollow"><img class="inlineimg" '
            'src="images/buttons/viewpost.gif" border="0" alt="View Post" /></a>\n\t\t\t\t</div>\n'
            '\t\t\t\t<div style="font-style:italic">'
            f"{inside}</div>\n\t\t\t\n\t\t</td>\n\t</tr>\n\t</table>\n</div>"
        ),
        Spoiler: lambda one, inside: (
            '<div style="margin:20px; margin-top:5px"><div class="smallfont" '
            'style="margin-bottom:2px">Spoiler: <input type="button" value="Show" '
            'onclick="x(this)" /></div><div class="alt2" style="margin: 0px; padding: 6px; border: 1px '
            f'inset;"><div style="display: none;">{inside}'
            "</div></div></div>"
        ),
    },
)
VB4 = body_of(
    "<br />\n",
    {
        **_VB,
        Code: lambda one: (
            '<div class="bbcode_container">\n\t<div class="bbcode_description">Code:</div>\n\t<pre '
            'class="bbcode_code"style="height:98px;">'
            f"{escape(one.text.rstrip(), quote=False)}</pre>\n</div>"
        ),
        Quote: lambda one, inside: (
            '<div class="bbcode_container">\n\t<div class="bbcode_quote">\n\t\t<div '
            'class="quote_container">\n\t\t\t<div class="bbcode_quote_container"></div>\n'
            '\t\t\t\n\t\t\t\t<div class="bbcode_postedby">\n\t\t\t\t\t<img '
            f'src="images/misc/quote_icon.png" alt="Quote" /> Originally Posted by <strong>{escape(one.who)}'
            '</strong>\n\t\t\t\t\t<a href="showthread.php?p=51#post51" rel="nofollow"><img '
            'class="inlineimg" src="images/buttons/viewpost-right.png" '
            f'alt="View Post" /></a>\n\t\t\t\t</div>\n\t\t\t\t<div class="message">{inside}</div>\n\t\t\t\n'
            "\t\t</div>\n\t</div>\n</div>"
        ),
        Spoiler: lambda one, inside: (
            '<div class="spoiler"><div class="spoiler_head"><input type="button" value="Show" '
            f'onclick="s(this)"> {escape(one.title)}</div>'
            f'<div class="spoiler_content" style="display:none;">{inside}</div></div>'
        ),
    },
)
_MD = {
    Items: lists,
    Smiley: lambda one: (
        '<img src="/images/emoji/slight_smile.png?v=12" title=":slight_smile:" class="emoji" '
        'alt=":slight_smile:" loading="lazy" width="20" height="20">'
    ),
    Struck: lambda one: f"<s>{brs(one.text)}</s>",
    Picture: lambda one: (
        f'<div class="lightbox-wrapper"><a class="lightbox" href="/uploads/{one.name}" '
        f'title="{one.name}"><img src="/uploads/{one.name}" alt="{one.name}" width="690" height="400">'
        f'<div class="meta"><svg class="fa d-icon"></svg><span class="filename">{one.name}</span><span '
        'class="informations">1388×1235 501 KB</span></div></a></div>'
    ),
}


def _discourse(app: bool) -> Body:
    def plain(pieces: Sequence[Piece]) -> str:
        return whole(pieces)

    def code(one: Code) -> str:
        inside = escape(one.text.rstrip() + "\n", quote=False)
        if not app:
            return f'<pre><code class="lang-auto">{inside}</code></pre>'
        return (
            '<pre class="codeblock-buttons"><div class="codeblock-button-wrapper"><button class="btn '
            'nohighlight copy-cmd btn-flat" aria-label="copy">'
            '<span>Copy</span></button></div><code class="hljs '
            f'language-yaml">{inside.replace("move:", "<span class=hljs-attr>move:</span>")}</code></pre>'
        )

    basic = body_of(
        "<br>\n",
        {
            **_MD,
            Code: code,
            Quote: lambda one, inside: (
                f'<aside class="quote no-group" data-username="{escape(one.who)}" data-post="3" '
                'data-topic="812">\n<div class="title">\n<div class="quote-controls">'
                '<button>expand</button></div>\n<img alt="" width="24" height="24" '
                f'src="/user_avatar/x.png" class="avatar"> {escape(one.who)}:</div>\n'
                f"<blockquote>\n{inside}\n</blockquote>\n</aside>"
            ),
            Spoiler: lambda one, inside: (
                f"<details>\n<summary>\n{escape(one.title)}</summary>\n{inside}\n</details>"
            ),
        },
    )

    def whole(pieces: Sequence[Piece]) -> str:
        out = []
        for piece in pieces:
            if isinstance(piece, Quote):
                out.append(
                    basic((Quote(piece.who, ()),)).replace(
                        "<blockquote>\n\n", f"<blockquote>\n{whole(piece.inside)}\n"
                    )
                )
            elif isinstance(piece, Spoiler):
                out.append(
                    f"<details>\n<summary>\n{escape(piece.title)}</summary>\n"
                    f"{whole(piece.inside)}\n</details>"
                )
            else:
                inside = basic((piece,))
                out.append(
                    f"<p>{inside}</p>"
                    if isinstance(piece, Words | Spaced | Smiley | Struck | Picture)
                    else inside
                )
        return "\n".join(out)

    return plain


DISCOURSE, DISCOURSE_APP = _discourse(False), _discourse(True)


def NODEBB(pieces: Sequence[Piece]) -> str:  # noqa: N802
    """Return a body as NodeBB writes it: who is quoted stands in front of the quotation."""
    out = []
    for piece in pieces:
        if isinstance(piece, Quote):
            out.append(
                '<p dir="auto"><a class="mention plugin-mentions-user plugin-mentions-a" '
                f'href="/user/ada">@{escape(piece.who)}</a> said in <a href="/post/51">Toll at the '
                f"Alder Ford</a>:</p>\n<blockquote>\n{NODEBB(piece.inside)}\n</blockquote>"
            )
        elif isinstance(piece, Spoiler):
            out.append(
                "<details "
                f'class="spoiler"><summary>{escape(piece.title)}</summary>{NODEBB(piece.inside)}</details>'
            )
        elif isinstance(piece, Code):
            out.append(f"<pre><code>{escape(piece.text.rstrip(), quote=False)}\n</code></pre>")
        elif isinstance(piece, Smiley):
            out.append(
                '<p><img src="/assets/plugins/nodebb-plugin-emoji/emoji/android/1f642.png" '
                'class="not-responsive emoji emoji-android" title=":)" alt="🙂" /></p>'
            )
        else:
            inside = DISCOURSE((piece,))
            out.append(inside.replace("<p>", '<p dir="auto">').replace("<br>", "<br />"))
    return "\n".join(out)


# --- sources


def bbcode(pieces: Sequence[Piece]) -> str:
    out = []
    for piece in pieces:
        if isinstance(piece, Words | Spaced):
            out.append(piece.text.rstrip("\n"))
        elif isinstance(piece, Code):
            out.append(f"[CODE]{piece.text.rstrip()}[/CODE]")
        elif isinstance(piece, Quote):
            out.append(f'[QUOTE="{piece.who}, post: 51, member: 4"]\n{bbcode(piece.inside)}\n[/QUOTE]')
        elif isinstance(piece, Spoiler):
            out.append(f'[SPOILER="{piece.title}"]\n{bbcode(piece.inside)}\n[/SPOILER]')
        elif isinstance(piece, Items):
            out.append("[LIST]\n" + "\n".join(f"[*]{one}" for one in piece.items) + "\n[/LIST]")
        elif isinstance(piece, Struck):
            out.append(f"[S]{piece.text.rstrip()}[/S]")
        elif isinstance(piece, Picture):
            out.append("[ATTACH=full]99[/ATTACH]")
        else:
            out.append(piece.text)
    return "\n".join(out)


def markdown(pieces: Sequence[Piece]) -> str:
    out = []
    for piece in pieces:
        if isinstance(piece, Words | Spaced):
            out.append(piece.text.rstrip("\n"))
        elif isinstance(piece, Code):
            out.append(f"```\n{piece.text.rstrip()}\n```")
        elif isinstance(piece, Quote):
            out.append(f'[quote="{piece.who}, post:3, topic:812"]\n{markdown(piece.inside)}\n[/quote]')
        elif isinstance(piece, Spoiler):
            out.append(f'[details="{piece.title}"]\n{markdown(piece.inside)}\n[/details]')
        elif isinstance(piece, Items):
            out.append("\n".join(f"* {one}" for one in piece.items))
        elif isinstance(piece, Struck):
            out.append("\n".join(f"~~{line}~~" for line in piece.text.rstrip().split("\n")))
        elif isinstance(piece, Picture):
            out.append(f"![{piece.name}|690x400](upload://x.png)")
        else:
            out.append(piece.text)
    return "\n\n".join(out)
