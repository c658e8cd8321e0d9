"""Whole pages as each forum software prints them, and whole answers of their programs' doors, each with what
a reader has to find there.

The chrome around the posts is short and has what deceives a reader: bars, buttons, panels of the user, quick
replies, similar threads.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from urllib.parse import quote

import page_parts as parts
from page_answers import (
    discourse_json,
    discourse_raw,
    nodebb_json,
    phpbb_feed,
    xenforo_json,
    xenforo_json_parsed,
)
from page_found import DAY, FIRST_ID, TITLE, TOPIC, Form, Found, epoch, found, page, stamp
from page_parts import Member, Said


def xenforo2(posts: Sequence[Said]) -> tuple[bytes, Found]:
    out = []
    for at, said in enumerate(posts):
        who, id_ = said.who, FIRST_ID + at
        name = (
            f'<a href="/members/ada.{who.id}/" class="username " dir="auto" data-user-id="{who.id}" '
            'data-xf-init="member-tooltip"><span class="username--staff">'
            f"{escape(who.name)}</span></a>"
            if who.id
            else f'<span class="username " dir="auto" data-user-id="0">{escape(who.name)}</span>'
        )
        edit = (
            '<div class="message-lastEdit">\nLast edited: <time class="u-dt" dir="auto" '
            f'datetime="{DAY}T08:00:00+0000" data-timestamp="1">Friday</time>\n</div>'
            if said.edited
            else ""
        )
        sign = (
            '<aside class="message-signature">\n<div '
            f'class="bbWrapper">{parts.brs(who.signature, "<br />")}</div>\n</aside>'
            if who.signature
            else ""
        )
        likes = (
            '<div class="reactionsBar js-reactionsList is-active"><a class="reactionsBar-link" '
            'href="/r">Cleo, Ada Marsh and 2 others</a></div>'
            if said.likes
            else ""
        )
        out.append(f"""
<article class="message message--post js-post js-inlineModContainer" data-author="{escape(who.name)}" data-content="post-{id_}" id="js-post-{id_}">
<span class="u-anchorTarget" id="post-{id_}"></span>
<div class="message-inner">
<div class="message-cell message-cell--user">
<section class="message-user">
<div class="message-avatar "><div class="message-avatar-wrapper"><a href="/members/x.{who.id}/" class="avatar avatar--m" data-user-id="{who.id or 0}">
<img src="data:image/gif;base64,AAAA" data-src="/a/{who.id}.jpg" alt="{escape(who.name)}" /></a></div></div>
<div class="message-userDetails"><h4 class="message-name">{name}</h4><h5 class="userTitle message-userTitle" dir="auto">move: over</h5></div>
<div class="message-userExtras"><dl class="pairs pairs--justified"><dt>Messages</dt><dd>1,204</dd></dl></div>
</section>
</div>
<div class="message-cell message-cell--main">
<div class="message-main js-quickEditTarget">
<header class="message-attribution message-attribution--split">
<ul class="message-attribution-main listInline "><li class="u-concealed"><a href="/threads/alder-ford.{TOPIC}/post-{id_}" rel="nofollow">
<time class="u-dt" dir="auto" datetime="{stamp(at)}" data-timestamp="1" title="Nov 20, 2026 at 7:10 AM">Friday at 7:10 AM</time></a></li></ul>
<ul class="message-attribution-opposite message-attribution-opposite--list "><li><a href="/threads/alder-ford.{TOPIC}/post-{id_}" class="message-attribution-gadget">
<i class="fa--xf far fa-share-alt"></i></a></li><li><a href="/threads/alder-ford.{TOPIC}/post-{id_}" rel="nofollow">\n#{at + 1}\n</a></li></ul>
</header>
<div class="message-content js-messageContent">
<div class="message-userContent lbContainer js-lbContainer " data-lb-id="post-{id_}" data-lb-caption-desc="{escape(who.name)} &middot; Nov 20">
<article class="message-body js-selectToQuote">
<div>
<div class="bbWrapper">{parts.XF2(said.pieces)}</div>
</div>
<div class="js-selectToQuoteEnd">&nbsp;</div>
</article>
</div>
{edit}
{sign}
</div>
<footer class="message-footer"><div class="message-actionBar actionBar"><a href="#" class="actionBar-action actionBar-action--reply">Reply</a></div>{likes}</footer>
</div>
</div>
</div>
</article>""")
    head = (
        f'<link rel="canonical" href="https://boards.example/threads/alder-ford.{TOPIC}/" />\n<script>var x '
        '= "<article class=message>";</script>'
    )
    body = f"""<body data-template="thread_view"><div class="p-pageWrapper"><div class="p-body-header"><div class="p-title"><h1 class="p-title-value">{escape(TITLE)}</h1></div></div>
<div class="block block--messages"><div class="block-outer"><nav class="pageNavWrapper"><div class="pageNav"><ul class="pageNav-main">
<li class="pageNav-page pageNav-page--current "><a href="/threads/alder-ford.{TOPIC}/">1</a></li><li class="pageNav-page "><a href="/threads/alder-ford.{TOPIC}/page-2">2</a></li>
<li class="pageNav-page "><a href="/threads/alder-ford.{TOPIC}/page-3">3</a></li></ul></div></nav></div>
<div class="block-container"><div class="block-body js-replyNewMessageContainer">{"".join(out)}
<article class="message message--post message--deleted js-post" data-author="Troll" data-content="post-9999" id="js-post-9999"><div class="messageNotice messageNotice--deleted">
This message has been deleted by <a class="username">Ada</a>.</div></article>
</div></div></div>
<form class="block js-quickReply"><div class="message message--quickReply"><div class="message-editorWrapper"><textarea>side: east</textarea></div></div></form>
<div class="p-body-sidebar"><div class="contentRow-main">side: west<br>- odo to 0101</div></div></div></body>"""
    html = (
        '<html id="XF" lang="en-US" dir="LTR" data-app="public" data-template="thread_view" '
        f'data-container-key="node-2" data-content-key="thread-{TOPIC}" class="has-no-js '
        'template-thread_view">'
    )
    return page(head, body, html=html), found("xenforo", posts, pages=3)


def xenforo1(posts: Sequence[Said]) -> tuple[bytes, Found]:
    out = []
    for at, said in enumerate(posts):
        who, id_ = said.who, FIRST_ID + at
        link = (
            f'<a href="members/ada.{who.id}/" class="username" dir="auto">{escape(who.name)}</a>'
            if who.id
            else f'<span class="username">{escape(who.name)}</span>'
        )
        edit = (
            '<div class="editDate">\nLast edited: <span class="DateTime" title="Nov 20, 2026 at 8:00 '
            'AM">Nov 20, 2026</span>\n</div>'
            if said.edited
            else ""
        )
        sign = (
            '<div class="baseHtml signature messageText '
            f'ugc"><aside>{parts.brs(who.signature, "<br />")}</aside></div>'
            if who.signature
            else ""
        )
        likes = (
            '<div class="likesSummary secondaryContent"><span class="LikeText"><a href="x">Cleo</a> likes '
            "this.</span></div>"
            if said.likes
            else ""
        )
        out.append(f"""
<li id="post-{id_}" class="sectionMain message   " data-author="{escape(who.name)}">
<div class="messageUserInfo" itemscope="itemscope"><div class="messageUserBlock "><div class="avatarHolder"><a href="members/x.{who.id or 0}/" class="avatar Av{who.id or 0}m">
<img src="data/avatars/m/0/1.jpg" width="96" height="96" alt="{escape(who.name)}" /></a></div><h3 class="userText">{link}<em class="userTitle">side: none</em></h3></div></div>
<div class="messageInfo primaryContent"><div class="messageContent"><article><blockquote class="messageText SelectQuoteContainer ugc baseHtml">
{parts.XF1(said.pieces)}
<div class="messageTextEndMarker">&nbsp;</div></blockquote></article></div>
{edit}
{sign}
<div class="messageMeta ToggleTriggerAnchor"><div class="privateControls"><span class="item muted"><span class="authorEnd"><a href="x" class="username author" dir="auto">{escape(who.name)}</a>,</span>
<a href="threads/alder-ford.{TOPIC}/#post-{id_}" title="Permalink" class="datePermalink"><abbr class="DateTime" data-time="{epoch(at)}" data-datestring="Nov 20, 2026" data-timestring="7:10 AM">Nov 20, 2026</abbr></a></span></div>
<div class="publicControls"><a href="threads/alder-ford.{TOPIC}/#post-{id_}" title="Permalink" class="item muted postNumber hashPermalink OverlayTrigger">#{at + 1}</a></div></div>
<div id="likes-post-{id_}">{likes}</div></div></li>""")
    head = (
        f'<link rel="canonical" href="http://boards.example/threads/alder-ford.{TOPIC}/page-2" />\n<base '
        'href="http://boards.example/" />'
    )
    body = f"""<body><div class="titleBar"><h1>{escape(TITLE)}</h1></div>
<div class="PageNav" data-page="2" data-range="2" data-start="2" data-end="4" data-last="5"><span class="pageNavHeader">Page 2 of 5</span><nav><a href="x" class="">&lt; Prev</a><a class="currentPage">2</a></nav></div>
<ol class="messageList" id="messageList">{"".join(out)}</ol></body>"""
    html = (
        '<html id="XenForo" lang="en-US" dir="LTR" class="Public NoJs LoggedOut Sidebar  Responsive" '
        'xmlns:fb="http://www.facebook.com/2008/fbml">'
    )
    return page(head, body, html=html), found("xenforo", posts, page=2, pages=5, at=None)


def _phpbb_author(who: Member) -> str:
    if not who.id:
        return f'<span class="username">{escape(who.name)}</span>'
    return (
        f'<a href="./memberlist.php?mode=viewprofile&amp;u={who.id}&amp;sid=0f" '
        f'class="username">{escape(who.name)}</a>'
    )


def phpbb33(posts: Sequence[Said]) -> tuple[bytes, Found]:
    out = []
    for at, said in enumerate(posts):
        who, id_ = said.who, FIRST_ID + at
        edit = (
            '<div class="notice">\nLast edited by <a '
            f'href="./memberlist.php?mode=viewprofile&amp;u={who.id}" '
            f'class="username">{escape(who.name)}</a> on Fri Nov 20, 2026 8:00 am, '
            "edited 1 time in total.\n</div>"
            if said.edited
            else ""
        )
        sign = (
            f'<div id="sig{id_}" class="signature">{parts.brs(who.signature, "<br>")}</div>'
            if who.signature
            else ""
        )
        out.append(f"""
<div id="p{id_}" class="post has-profile bg{at % 2 + 1}">
<div class="inner">
<dl class="postprofile" id="profile{id_}">
<dt class="no-profile-rank has-avatar"><div class="avatar-container"><a href="./memberlist.php?mode=viewprofile&amp;u={who.id}" class="avatar"><img class="avatar" src="./download/file.php?avatar={who.id}.jpg" alt="User avatar"></a></div>
{_phpbb_author(who)}</dt>
<dd class="profile-posts"><strong>Posts:</strong> <a href="./search.php?author_id={who.id}">1204</a></dd><dd class="profile-joined"><strong>Joined:</strong> Sun Mar 01, 1998 9:00 pm</dd>
</dl>
<div class="postbody">
<div id="post_content{id_}">
<h3 class="first"><a href="./viewtopic.php?p={id_}#p{id_}">Re: {escape(TITLE)}</a></h3>
<ul class="post-buttons"><li><a href="./posting.php?mode=quote&amp;p={id_}" title="Reply with quote" class="button button-icon-only"><i class="icon fa-quote-left fa-fw"></i><span class="sr-only">Quote</span></a></li></ul>
<p class="author"><a class="unread" href="./viewtopic.php?p={id_}#p{id_}" title="Post"><i class="icon fa-file fa-fw icon-lightgray"></i></a>
<span class="responsive-hide">by <strong>{_phpbb_author(who)}</strong> &raquo; </span><time datetime="{stamp(at)}">Fri Nov 20, 2026 7:{10 + at} am</time></p>
<div class="content">{parts.PHPBB33(said.pieces)}</div>
{edit}
{sign}
</div>
</div>
<div class="back2top"><a href="#top" class="top" title="Top"><span class="sr-only">Top</span></a></div>
</div>
</div>
<hr class="divider">""")
    head = f'<link rel="canonical" href="https://boards.example/viewtopic.php?t={TOPIC}">'
    body = f"""<body id="phpbb" class="nojs notouch section-viewtopic ltr "><div id="wrap" class="wrap"><div id="page-body" class="page-body" role="main">
<h2 class="topic-title"><a href="./viewtopic.php?t={TOPIC}">{escape(TITLE)}</a></h2>
<div class="action-bar bar-top"><div class="pagination">31 posts<ul><li class="active"><span>1</span></li><li><a class="button" href="./viewtopic.php?t={TOPIC}&amp;start=20" role="button">2</a></li></ul></div></div>
{"".join(out)}
<div class="action-bar bar-bottom"><div class="pagination">31 posts<ul><li class="active"><span>1</span></li><li><a class="button" href="x" role="button">2</a></li></ul></div></div></div></div></body>"""
    return page(head, body, html='<html dir="ltr" lang="en-gb">'), found("phpbb", posts, pages=2)


def phpbb30(posts: Sequence[Said]) -> tuple[bytes, Found]:
    out = []
    for at, said in enumerate(posts):
        who, id_ = said.who, FIRST_ID + at
        edit = (
            f'<div class="notice">Last edited by {_phpbb_author(who)} on Fri Nov 20, 2026 8:00 am, edited 1 '
            "time in total.</div>"
            if said.edited
            else ""
        )
        sign = (
            f'<div id="sig{id_}" class="signature">{parts.brs(who.signature, "<br />")}</div>'
            if who.signature
            else ""
        )
        out.append(f"""
<div id="p{id_}" class="post bg{at % 2 + 1}">
<div class="inner"><span class="corners-top"><span></span></span>
<div class="postbody">
<ul class="profile-icons"><li class="quote-icon"><a href="./posting.php?mode=quote&amp;p={id_}" title="Reply with quote"><span>Reply with quote</span></a></li></ul>
<h3 class="first"><a href="#p{id_}">Re: {escape(TITLE)}</a></h3>
<p class="author"><a href="./viewtopic.php?p={id_}#p{id_}"><img src="./styles/prosilver/imageset/icon_post_target.gif" width="11" height="9" alt="Post" title="Post" /></a>by <strong>{_phpbb_author(who)}</strong> &raquo; Fri Nov 20, 2026 7:{10 + at} am </p>
<div class="content">{parts.PHPBB30(said.pieces)}</div>
{edit}
{sign}
</div>
<dl class="postprofile" id="profile{id_}"><dt><a href="./memberlist.php?u={who.id}"><img src="./download/file.php?avatar=4.jpg" alt="User avatar" /></a><br />{_phpbb_author(who)}</dt>
<dd>&nbsp;</dd><dd><strong>Posts:</strong> 1204</dd></dl>
<div class="back2top"><a href="#wrap" class="top" title="Top">Top</a></div>
<span class="corners-bottom"><span></span></span></div>
</div>
<hr class="divider" />""")
    body = f"""<body id="phpbb" class="section-viewtopic ltr"><div id="wrap"><div id="page-body">
<h2><a href="./viewtopic.php?f=3&amp;t={TOPIC}">{escape(TITLE)}</a></h2>
<div class="topic-actions"><div class="pagination">31 posts &bull; <a href="#">Page <strong>1</strong> of <strong>2</strong></a> &bull; <span><strong>1</strong><span class="page-sep">, </span><a href="x">2</a></span></div></div>
{"".join(out)}</div></div></body>"""
    return page(
        "", body, "windows-1252", '<html xmlns="http://www.w3.org/1999/xhtml" dir="ltr" lang="en-gb">'
    ), found("phpbb", posts, pages=2, at=lambda at, _: f"2026-11-20T07:{10 + at}:00")


def phpbb_print(posts: Sequence[Said]) -> tuple[bytes, Found]:
    out = [
        f"""<div class="post"><h3>Re: {escape(TITLE)}</h3><div class="date"><img src="./styles/prosilver/imageset/icon_post_target.gif" alt="Post" />Posted: <strong>Fri Nov 20, 2026 7:{10 + at} am</strong></div>
<div class="author">by <strong>{escape(said.who.name)}</strong></div><div class="content">{parts.PHPBB30(said.pieces)}</div></div><hr />"""
        for at, said in enumerate(posts)
    ]
    body = f"""<body id="phpbb"><div id="wrap"><a id="top" name="top" accesskey="t"></a><div id="page-header"><h1>Boards</h1><p>About wargames<br /><a href="http://boards.example/">http://boards.example/</a></p>
<h2>{escape(TITLE)}</h2><p><a href="http://boards.example/viewtopic.php?f=3&amp;t={TOPIC}">http://boards.example/viewtopic.php?f=3&amp;t={TOPIC}</a></p></div>
<div id="page-body"><div class="page-number">Page <strong>1</strong> of <strong>1</strong></div>{"".join(out)}</div></div></body>"""
    return page('<meta name="robots" content="noindex" />', body), found(
        "phpbb",
        posts,
        topic="",
        id=None,
        author_id=None,
        at=lambda at, _: f"2026-11-20T07:{10 + at}:00",
        edited=None,
    )


def subsilver(posts: Sequence[Said]) -> tuple[bytes, Found]:
    out = []
    for at, said in enumerate(posts):
        who, id_ = said.who, FIRST_ID + at
        edit = (
            f'<br clear="all" /><span class="gensmall">Last edited by {_phpbb_author(who)} on Fri Nov 20, '
            "2026 8:00 am, edited 1 time in total.</span>"
            if said.edited
            else ""
        )
        sign = (
            f'<span class="postbody"><br />_________________<br />{parts.brs(who.signature, "<br />")}</span>'
            if who.signature
            else ""
        )
        profile = (
            f'<a href="./memberlist.php?mode=viewprofile&amp;u={who.id}"><img '
            'src="p.gif" alt="Profile" /></a>'
            if who.id
            else ""
        )
        out.append(f"""
<table class="tablebg" width="100%" cellspacing="1">
<tr class="row1"><td align="center" valign="middle"><a name="p{id_}"></a><b class="postauthor">{escape(who.name)}</b></td>
<td width="100%" height="25"><table width="100%" cellspacing="0"><tr><td class="gensmall" width="100%"><div style="float: left;">&nbsp;<b>Post subject:</b> Re: {escape(TITLE)}</div>
<div style="float: right;"><a href="./viewtopic.php?p={id_}#p{id_}"><img src="t.gif" alt="Post" /></a><b>Posted:</b> Fri Nov 20, 2026 7:{10 + at} am&nbsp;</div></td></tr></table></td></tr>
<tr class="row1"><td valign="top" class="profile"><table cellspacing="4" align="center" width="150"></table><span class="postdetails"><b>Joined:</b> Sun Mar 01, 1998 9:00 pm<br /><b>Posts:</b> 1204</span></td>
<td valign="top"><table width="100%" cellspacing="5"><tr><td>
<div class="postbody">{parts.SUBSILVER(said.pieces)}</div>
{sign}
{edit}
<br clear="all" /><br /></td></tr></table></td></tr>
<tr class="row1"><td class="profile"><strong><a href="#wrapheader">Top</a></strong></td><td><div class="gensmall" style="float: left;">&nbsp;{profile}&nbsp;</div></td></tr>
<tr><td class="spacer" colspan="2" height="1"><img src="images/spacer.gif" alt="" width="1" height="1" /></td></tr>
</table>""")
    body = f"""<body class="ltr"><a name="top"></a><div id="wrapheader"></div><div id="wrapcentre"><div id="pageheader"><h2><a class="titles" href="./viewtopic.php?f=3&amp;t={TOPIC}">{escape(TITLE)}</a></h2></div>
<div id="pagecontent"><table width="100%" cellspacing="1"><tr><td class="nav" valign="middle" nowrap="nowrap">&nbsp;Page <strong>2</strong> of <strong>2</strong><br /></td></tr></table>{"".join(out)}<p class="datetime">All times are UTC + 1 hour [ <abbr title="Daylight Saving Time">DST</abbr> ]</p></div></div></body>"""
    return page("", body), found(
        "phpbb", posts, page=2, pages=2, number=None, at=lambda at, _: f"2026-11-20T07:{10 + at}:00+02:00"
    )


def vbulletin3(posts: Sequence[Said]) -> tuple[bytes, Found]:
    out = []
    for at, said in enumerate(posts):
        who, id_ = said.who, FIRST_ID + at
        name = (
            f'<a class="bigusername" href="member.php?u={who.id}">{escape(who.name)}</a>\n<script '
            f'type="text/javascript"> vbmenu_register("postmenu_{id_}", true); </script>'
            if who.id
            else escape(who.name)
        )
        edit = (
            '<!-- edit note --><div class="smallfont"><hr size="1" style="color:#fff" /><em>Last edited by '
            f'{escape(who.name)}; 11-20-2026 at <span class="time">08:00 AM</span>.</em></div>'
            if said.edited
            else ""
        )
        sign = (
            f"<!-- sig -->\n<div>\n\t__________________<br />\n\t{parts.brs(who.signature, '<br />')}\n"
            "</div>\n<!-- / sig -->"
            if who.signature
            else ""
        )
        out.append(f"""
<div id="edit{id_}" style="padding:0px 0px 6px 0px">
<!-- this is not the last post shown on the page -->
<table id="post{id_}" class="tborder" cellpadding="6" cellspacing="0" border="0" width="100%" align="center">
<tr>
<td class="thead" style="font-weight:normal; border: 1px solid #fff; border-right: 0px">
<a name="post{id_}"><img class="inlineimg" src="images/statusicon/post_old.gif" alt="Old" border="0" /></a>
11-20-2026, 07:{10 + at} AM
</td>
<td class="thead" style="font-weight:normal; border: 1px solid #fff; border-left: 0px" align="right">
&nbsp;#<a href="showpost.php?p={id_}&amp;postcount={at + 1}" target="new" rel="nofollow" id="postcount{id_}" name="{at + 1}"><strong>{at + 1}</strong></a>
</td>
</tr>
<tr valign="top">
<td class="alt2" width="175" style="border: 1px solid #fff; border-top: 0px; border-bottom: 0px">
<div id="postmenu_{id_}">{name}</div>
<div class="smallfont">Senior Member</div><div class="smallfont">&nbsp;<br /><div>Join Date: Mar 1998</div><div>Posts: 1,204</div></div>
</td>
<td class="alt1" id="td_post_{id_}" style="border-right: 1px solid #fff">
<!-- icon and title --><div class="smallfont"><img class="inlineimg" src="images/icons/icon1.gif" alt="Default" border="0" /><strong>{escape(TITLE)}</strong></div><hr size="1" style="color:#fff" />
<!-- message -->
<div id="post_message_{id_}">{parts.VB3(said.pieces)}</div>
<!-- / message -->
{sign}
{edit}
</td>
</tr>
<tr><td class="alt2" style="border: 1px solid #fff; border-top: 0px"><img class="inlineimg" src="images/statusicon/user_offline.gif" alt="offline" border="0" />&nbsp;</td>
<td class="alt1" align="right"><a href="newreply.php?do=newreply&amp;p={id_}" rel="nofollow"><img src="images/buttons/quote.gif" alt="Reply With Quote" border="0" /></a></td></tr>
</table>
</div>""")
    head = '<meta name="generator" content="vBulletin 3.8.4" />'
    body = f"""<body><table class="tborder"><tr><td class="navbar" style="font-size:10pt; padding-top:1px" colspan="3"><a href="showthread.php?t={TOPIC}"><img class="inlineimg" src="r.gif" alt="Reload this Page" border="0" /></a> <strong>{escape(TITLE)}</strong></td></tr></table>
<table align="right"><tr><td class="vbmenu_control" style="font-weight:normal">Page 1 of 4</td><td class="alt2"><span class="smallfont"><strong>1</strong></span></td></tr></table>
<div id="posts">{"".join(out)}</div></body>"""
    return page(
        head, body, "windows-1252", '<html xmlns="http://www.w3.org/1999/xhtml" dir="ltr" lang="en">'
    ), found("vbulletin", posts, pages=4, at=lambda at, _: f"2026-11-20T07:{10 + at}:00")


def vbulletin4(posts: Sequence[Said]) -> tuple[bytes, Found]:
    out = []
    for at, said in enumerate(posts):
        who, id_ = said.who, FIRST_ID + at
        name = (
            '<div class="popupmenu memberaction"><a class="username offline popupctrl" '
            f'href="member.php?{who.id}-Ada" title="{escape(who.name)} is '
            f'offline"><strong>{escape(who.name)}</strong></a></div>'
            if who.id
            else f'<span class="username guest"><b>{escape(who.name)}</b></span>'
        )
        edit = (
            f'<blockquote class="postcontent lastedited">\nLast edited by {escape(who.name)}; 11-20-2026 at '
            '<span class="time">08:00 AM</span>.\n</blockquote>'
            if said.edited
            else ""
        )
        sign = (
            '<blockquote class="signature restore"><div '
            f'class="signaturecontainer">{parts.brs(who.signature, "<br />")}</div></blockquote>'
            if who.signature
            else ""
        )
        out.append(f"""
<li class="postbitlegacy postbitim postcontainer" id="post_{id_}">
<div class="posthead"><span class="postdate old"><span class="date">11-20-2026,&nbsp;<span class="time">07:{10 + at} AM</span></span></span>
<span class="nodecontrols"><a name="post{id_}" href="showthread.php?{TOPIC}-Alder-Ford&amp;p={id_}#post{id_}" class="postcounter">#{at + 1}</a><a id="postcount{id_}" name="{at + 1}"></a></span></div>
<div class="postdetails"><div class="userinfo"><div class="username_container">{name}</div><span class="usertitle">Senior Member</span><hr /><dl class="userinfo_extra"><dt>Join Date</dt> <dd>Mar 1998</dd></dl></div>
<div class="postbody"><div class="postrow has_after_content"><h2 class="title icon">{escape(TITLE)}</h2>
<div class="content"><div id="post_message_{id_}"><blockquote class="postcontent restore ">
{parts.VB4(said.pieces)}
</blockquote></div></div></div>
<div class="after_content">{edit}{sign}</div>
<div class="cleardiv"></div></div></div>
<div class="postfoot"><div class="textcontrols floatcontainer"><span class="postcontrols"><a id="qrwq_{id_}" class="newreply" href="newreply.php?do=newreply&amp;p={id_}" rel="nofollow">Reply With Quote</a></span></div></div>
<hr />
</li>""")
    head = (
        '<meta name="generator" content="vBulletin 4.2.2" />\n<link rel="canonical" '
        f'href="showthread.php?{TOPIC}-Alder-Ford" />'
    )
    body = f"""<body><div class="above_body"></div><div id="pagetitle" class="pagetitle"><h1>Thread: <span class="threadtitle"><a href="showthread.php?{TOPIC}-Alder-Ford">{escape(TITLE)}</a></span></h1></div>
<div class="pagination_top"><form class="pagination popupmenu nohovermenu"><span><a href="javascript://" class="popupctrl">Page 2 of 7</a></span></form></div>
<div id="postlist" class="postlist restrain"><ol id="posts" class="posts" start="1">{"".join(out)}</ol></div></body>"""
    return page(
        head,
        body,
        "windows-1252",
        '<html xmlns="http://www.w3.org/1999/xhtml" dir="ltr" lang="en" id="vbulletin_html">',
    ), found("vbulletin", posts, page=2, pages=7, at=lambda at, _: f"2026-11-20T07:{10 + at}:00")


def vbulletin5(posts: Sequence[Said]) -> tuple[bytes, Found]:
    out = []
    for at, said in enumerate(posts):
        who, id_ = said.who, FIRST_ID + at
        name = (
            f'<strong><a href="https://boards.example/member/{who.id}-ada" data-userid="{who.id}" '
            f'data-vbnamecard="{who.id}"><span itemprop="name">{escape(who.name)}</span></a></strong>'
            if who.id
            else f'<strong><span itemprop="name">{escape(who.name)}</span></strong>'
        )
        edit = (
            '<div class="js-post-edit-info b-post__edited h-margin-top-s">Last edited by <a '
            f'href="x">{escape(who.name)}</a>; <span>11-20-2026, 08:00 AM</span>.</div>'
            if said.edited
            else ""
        )
        sign = (
            f'<div class="post-signature restore">{parts.brs(who.signature, "<br />")}</div>'
            if who.signature
            else ""
        )
        likes = '<div class="votecount js-votecount-likes">2 likes</div>' if said.likes else ""
        out.append(f"""
<li data-node-id="{id_}" data-node-publishdate="1" data-node-userid="{who.id}" class="b-post b-post--text js-post js-post__list-item js-comment-entry" itemprop="comment" itemscope>
<hr class="b-divider--section"><a id="post{id_}" class="b-post__anchor"></a>
<div class="b-post__body h-clearfix js-post__body"><div class="b-post__grid-container">
<div class="b-userinfo b-userinfo--vertical"><div class="b-userinfo__details"><div class="author h-text-size--14" itemprop="author" itemscope>{name}</div><div class="usertitle">Senior Member</div></div></div>
<div class="b-post__content js-post__content"><div class="b-post__arrow"></div><div class="b-media h-clearfix"><div class="b-media__body"><h2 class="b-post__title js-post-title h-hide">{escape(TITLE)}</h2>
<div class="b-post__timestamp"><time itemprop="dateCreated" datetime="{stamp(at)}">11-20-2026, 07:{10 + at} AM</time></div></div>
<div class="b-media__img--rev"><a href="x?p={id_}#post{id_}" class="b-post__count js-show-post-link">#{at + 1}</a></div></div>
<div class="b-post__content-wrapper"><div class="js-post__content-text OLD__post-content-text restore h-wordwrap" itemprop="text">
{parts.VB4(said.pieces)}
</div>{edit}{sign}</div>
<div class="b-post__footer js-post__footer"><ul class="js-post-controls b-comp-menu-horizontal">{likes}<li class="b-post-control">Quote</li></ul></div></div>
</div></div></li>""")
    head = (
        '<meta name="generator" content="vBulletin 5.6.4" />\n<link rel="canonical" '
        f'href="https://boards.example/forum/games/{TOPIC}-alder-ford" />'
    )
    body = f"""<body id="vb-page-body" class="l-desktop page60 vb-page view-mode"><div id="breadcrumbs"></div><div class="main-title"><h1 class="main-title js-main-title">{escape(TITLE)}</h1></div>
<div class="pagenav-container"><div class="horizontal-wrapper"><input type="text" class="input-page js-pagenum textbox" value="1" /><span>of <span class="pagetotal">3</span></span></div></div>
<ul class="conversation-list list-container h-clearfix thread-view">{"".join(out)}</ul></body>"""
    return page(
        head,
        body,
        html=(
            '<html itemscope itemtype="http://schema.org/WebPage" id="htmlTag" '
            'xmlns="http://www.w3.org/1999/xhtml" lang="en" dir="ltr">'
        ),
    ), found("vbulletin", posts, pages=3)


def nodebb(posts: Sequence[Said]) -> tuple[bytes, Found]:
    out = []
    for at, said in enumerate(posts):
        who, id_ = said.who, FIRST_ID + at
        hidden = "" if said.edited else " hidden"
        editor = escape(who.name) if said.edited else ""
        sign = (
            f'<div component="post/signature" data-uid="{who.id}" class="text-xs text-muted '
            f'mt-2"><p>{parts.brs(who.signature, "<br />")}</p></div>'
            if who.signature
            else ""
        )
        out.append(f"""
<li component="post" class="pt-4 {"self-post" if at else "topic-owner-post"}" data-index="{at}" data-pid="{id_}" data-uid="{who.id or 0}" data-timestamp="{epoch(at)}000" data-username="{escape(who.name)}" data-userslug="ada" itemprop="comment" itemscope>
<a component="post/anchor" data-index="{at}" id="{at + 1}"></a>
<meta itemprop="datePublished" content="{stamp(at)}"><meta itemprop="dateModified" content="">
<div class="d-flex align-items-start gap-3 post-container-parent"><div class="post-container d-flex gap-2 flex-grow-1 flex-column w-100">
<div class="d-flex align-items-start justify-content-between post-header"><a class="fw-bold text-nowrap" href="/user/ada" data-username="{escape(who.name)}" data-uid="{who.id or 0}">Full Name of Somebody</a>
<span class="text-muted">wrote on <a href="/post/{id_}" class="timeago" title="{stamp(at)}"></a></span>
<i component="post/edit-indicator" class="fa fa-edit text-muted edit-icon{hidden}" title="Edited 11/20/2026, 8:00 AM"></i>
<span data-editor="{editor}" component="post/editor" class="visually-hidden">last edited by {editor} <span class="timeago" title="11/20/2026, 8:00 AM"></span></span>
<a href="/post/{id_}" class="post-index text-muted d-none d-md-inline">#{at + 1}</a></div>
<div class="content text-break" component="post/content" itemprop="text">
{parts.NODEBB(said.pieces)}
</div>
<div component="post/footer" class="post-footer border-bottom pb-2">{sign}<div class="d-flex"><a component="post/reply-count" href="#" class="hidden"><span class="replies-count">1 Reply</span></a>
<a component="post/quote" href="#" class="btn btn-ghost btn-sm" title="Quote"></a><a href="#" component="post/vote-count" data-votes="3">3</a></div>
<div component="post/replies/container" class="my-2 hidden-empty"></div></div></div></div></li>""")
    head = (
        f'<link rel="canonical" href="https://boards.example/topic/{TOPIC}/alder-ford">\n<meta '
        'name="generator" content="NodeBB">'
    )
    body = f"""<body class="page-topic page-topic-{TOPIC} template-topic skin-noskin"><main id="panel"><h1 component="post/header" class="tracking-tight"><span class="topic-title" component="topic/title">{escape(TITLE)}</span></h1>
<ul component="topic" class="posts timeline list-unstyled p-0 py-3" data-tid="{TOPIC}" data-cid="5">{"".join(out)}</ul>
<div component="pagination" class="pagination-container"><ul class="pagination"><li class="page-item previous disabled"><a class="page-link" data-page="1">Prev</a></li><li class="page-item page active" data-page="1"><a class="page-link" href="?page=1">1</a></li>
<li class="page-item page" data-page="2"><a class="page-link" href="?page=2">2</a></li></ul></div></main></body>"""
    return page(head, body, html='<html lang="en-GB" data-dir="ltr">'), found("nodebb", posts, pages=2)


def discourse_crawler(posts: Sequence[Said]) -> tuple[bytes, Found]:
    out = []
    for at, said in enumerate(posts):
        name = said.who.name
        out.append(
            f"""
<div id='post_{at + 1}' itemprop='comment' itemscope itemtype='http://schema.org/Comment' class='topic-body crawler-post'>
<div class='crawler-post-meta'><span class="creator" itemprop="author" itemscope itemtype="http://schema.org/Person"><a itemprop="url" rel='nofollow' href='https://boards.example/u/ada'><span itemprop='name'>{escape(name)}</span></a></span>
<link itemprop="mainEntityOfPage" href="https://boards.example/t/alder-ford/{TOPIC}">
<span class="crawler-post-infos"><time itemprop='datePublished' datetime='{stamp(at)}' class='post-time'>November 20, 2026, 7:10am</time><meta itemprop='dateModified' content='{stamp(at)}'><span itemprop='position'>{at + 1}</span></span></div>
<div class='post' itemprop='text'>
{parts.DISCOURSE(said.pieces)}
</div>
<div itemprop="interactionStatistic" itemscope><meta itemprop="userInteractionCount" content="2"><span class='post-likes'>2 Likes</span></div>
</div>""".replace("/u/ada", "/u/" + escape(name))
            if "/" not in name and "<" not in name
            else ""
        )
    head = (
        '<meta name="generator" content="Discourse 3.4.0 - https://github.com/discourse/discourse">\n<link '
        f'rel="canonical" href="https://boards.example/t/alder-ford/{TOPIC}?page=2" />\n<link rel="next" '
        f'href="/t/alder-ford/{TOPIC}?page=3">'
    )
    body = f"""<body class="crawler "><div id="main-outlet" class="wrap" role="main"><div id="topic-title"><h1><a href="/t/alder-ford/{TOPIC}">{escape(TITLE)}</a></h1></div>
<div itemscope itemtype='http://schema.org/DiscussionForumPosting'>{"".join(out)}</div><div role='navigation' class="topic-body crawler-post"><a rel="next" itemprop="url" href="x">next page</a></div>
<div id="related-topics" class="more-topics__list"><table class="topic-list"><tr class="topic-list-item"><td>side: west</td></tr></table></div></div></body>"""
    return page(head, body, html='<html lang="en">'), found(
        "discourse",
        posts,
        page=2,
        pages=3,
        id=lambda at, _: f"post_{at + 1}",
        author_id=None,
        edited=None,
        author=lambda _, said: said.who.name,
    )


def discourse_app(posts: Sequence[Said]) -> tuple[bytes, Found]:
    out = []
    for at, said in enumerate(posts):
        who, id_ = said.who, FIRST_ID + at
        edit = (
            '<div class="post-info edits"><button class="btn no-text btn-icon-text btn-flat" title="post '
            'last edited on Nov 20, 2026 8:00 am"><span class="d-button-label">2</span></button></div>'
            if said.edited
            else ""
        )
        likes = (
            '<div class="double-button"><button class="widget-button btn-flat button-count '
            'like-count">3</button></div>'
            if said.likes
            else ""
        )
        card, link = escape(who.name), quote(who.name)
        out.append(f"""
<div class="topic-post clearfix regular"><article id="post_{at + 1}" aria-label="Post #{at + 1} by @{card}" role="region" data-post-id="{id_}" data-topic-id="{TOPIC}" data-user-id="{who.id}" class="boxed onscreen-post">
<div class="row"><div class="topic-avatar"><div class="post-avatar"><a class="trigger-user-card main-avatar " href="/u/{link}" data-user-card="{card}"><img alt="" src="/user_avatar/x/48.png" class="avatar"></a></div></div>
<div class="topic-body clearfix"><div class="embedded-posts top topic-body"><div class="reply"><div class="cooked"><p>side: east<br>move:<br>- godric to 0101</p></div></div></div>
<div role="heading" class="topic-meta-data"><div class="names trigger-user-card"><span class="first full-name"><a href="/u/{link}" data-user-card="{card}">Somebody Else</a></span><span class="second username"><a href="/u/{link}" data-user-card="{card}">{card}</a></span></div>
<div class="post-infos">{edit}<div class="post-info post-date"><a class="widget-link post-date" href="/t/alder-ford/{TOPIC}/{at + 1}" title="Post date"><span title="November 20, 2026 7:10 am" data-time="{epoch(at)}000" data-format="tiny" class="relative-date">2d</span></a></div></div></div>
<div class="regular contents"><div class="cooked">
{parts.DISCOURSE_APP(said.pieces)}
<div class="cooked-selection-barrier" aria-hidden="true"><br></div></div>
<section class="post-menu-area clearfix"><nav class="post-controls">{likes}<div class="actions"><button class="reply">Reply</button></div></nav></section></div>
<section class="post-actions"></section></div></div></article></div>""")
    head = (
        '<meta name="generator" content="Discourse 3.4.0">\n<link rel="canonical" '
        f'href="https://boards.example/t/alder-ford/{TOPIC}">\n<style>.x{{display:none}}</style>'
    )
    body = f"""<body class="docked primary-docked"><section id="main"><div id="main-outlet"><div id="topic-title"><div class="title-wrapper"><h1 data-topic-id="{TOPIC}"><a href="/t/alder-ford/{TOPIC}" class="fancy-title"><span>{escape(TITLE)}</span></a></h1></div></div>
<div class="posts-wrapper"><div class="post-stream">{"".join(out)}<div class="small-action topic-post closed-enabled"><div class="cooked">This topic was closed</div></div></div></div></div></section></body>"""
    return page(head, body, html='<html lang="en" class="desktop-view not-mobile-device">'), found(
        "discourse", posts, number=lambda at, _: at + 1
    )


FORMS: dict[str, tuple[str, Form]] = {
    "xenforo2": ("html", xenforo2),
    "xenforo1": ("html", xenforo1),
    "phpbb33": ("html", phpbb33),
    "phpbb30": ("html", phpbb30),
    "phpbb-print": ("html", phpbb_print),
    "subsilver2": ("html", subsilver),
    "vbulletin3": ("html", vbulletin3),
    "vbulletin4": ("html", vbulletin4),
    "vbulletin5": ("html", vbulletin5),
    "nodebb": ("html", nodebb),
    "discourse-crawler": ("html", discourse_crawler),
    "discourse-app": ("html", discourse_app),
    "discourse-json": ("json", discourse_json),
    "discourse-raw": ("txt", discourse_raw),
    "xenforo-json": ("json", xenforo_json),
    "xenforo-json-parsed": ("json", xenforo_json_parsed),
    "nodebb-json": ("json", nodebb_json),
    "phpbb-feed": ("xml", phpbb_feed),
}
NO_SIGNATURE = frozenset(
    {"discourse-crawler", "discourse-app", "discourse-json", "discourse-raw", "phpbb-feed", "phpbb-print"}
)
