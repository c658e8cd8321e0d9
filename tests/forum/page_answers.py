"""Whole answers of the doors that forums have for programs: JSON, a feed, the raw source, each with what has
to be found in it.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from html import escape

import page_parts as parts
from page_found import DAY, FIRST_ID, TITLE, TOPIC, Found, clock, epoch, found, stamp
from page_parts import Said


def _json(data: object) -> bytes:
    return json.dumps(data, ensure_ascii=False, indent=1).encode()


def discourse_json(posts: Sequence[Said]) -> tuple[bytes, Found]:
    made = [
        {
            "id": FIRST_ID + at, "name": "Somebody Else", "username": said.who.name, "created_at": stamp(at), "cooked": parts.DISCOURSE(said.pieces), "post_number": at + 1,
            "post_type": 1, "updated_at": f"{DAY}T08:00:00Z", "topic_id": int(TOPIC), "version": 2 if said.edited else 1, "user_id": int(said.who.id or 0), "actions_summary": [],
        }
        for at, said in enumerate(posts)
    ]  # fmt: skip
    made.append(
        {
            "id": 9,
            "username": "system",
            "cooked": "<p>side: east</p>",
            "post_number": 99,
            "post_type": 3,
            "created_at": stamp(59),
        }
    )
    whole = {
        "post_stream": {"posts": made, "stream": list(range(FIRST_ID, FIRST_ID + 45))},
        "id": int(TOPIC),
        "title": TITLE,
        "chunk_size": 20,
        "posts_count": 45,
    }
    return _json(whole), found("discourse", posts, pages=3, author_id=lambda _, said: said.who.id or "0")


def discourse_raw(posts: Sequence[Said]) -> tuple[bytes, Found]:
    text = "".join(
        f"{said.who.name.replace(' ', '_')} | {DAY} {clock(at)} UTC | #{at + 1}\n\n"
        f"{parts.markdown(said.pieces)}\n\n-------------------------\n\n"
        for at, said in enumerate(posts)
    )
    return text.encode(), found(
        "discourse",
        posts,
        title="",
        topic="",
        id=lambda at, _: f"post_{at + 1}",
        author=lambda _, said: said.who.name.replace(" ", "_"),
        author_id=None,
        edited=None,
    )


def xenforo_json(posts: Sequence[Said], parsed: bool = False) -> tuple[bytes, Found]:
    made = []
    for at, said in enumerate(posts):
        one = {
            "post_id": FIRST_ID + at, "thread_id": int(TOPIC), "user_id": int(said.who.id or 0), "username": said.who.name, "post_date": epoch(at), "message_state": "visible",
            "message": parts.bbcode(said.pieces), "position": at, "last_edit_date": epoch(50) if said.edited else 0, "User": {"username": said.who.name, "signature": said.who.signature},
            "view_url": f"https://boards.example/threads/alder-ford.{TOPIC}/post-{FIRST_ID + at}",
        }  # fmt: skip
        if parsed:
            one["message_parsed"] = f'<div class="bbWrapper">{parts.XF2(said.pieces)}</div>'
        made.append(one)
    whole = {
        "posts": made,
        "pagination": {"current_page": 1, "last_page": 2, "per_page": 20, "shown": len(made), "total": 31},
        "thread": {"title": TITLE, "thread_id": int(TOPIC)},
    }
    return _json(whole), found("xenforo", posts, pages=2)


def xenforo_json_parsed(posts: Sequence[Said]) -> tuple[bytes, Found]:
    return xenforo_json(posts, parsed=True)


def nodebb_json(posts: Sequence[Said]) -> tuple[bytes, Found]:
    made = [
        {
            "pid": FIRST_ID + at, "tid": int(TOPIC), "uid": int(said.who.id or 0), "content": parts.NODEBB(said.pieces), "timestampISO": stamp(at), "index": at, "deleted": 0,
            "editedISO": f"{DAY}T08:00:00Z" if said.edited else "", "user": {"uid": int(said.who.id or 0), "username": escape(said.who.name), "signature": f"<p>{parts.brs(said.who.signature)}</p>"},
        }
        for at, said in enumerate(posts)
    ]  # fmt: skip
    whole = {
        "tid": int(TOPIC),
        "title": escape(TITLE),
        "titleRaw": TITLE,
        "posts": made,
        "pagination": {"currentPage": 1, "pageCount": 1},
    }
    return _json(whole), found("nodebb", posts)


def phpbb_feed(posts: Sequence[Said]) -> tuple[bytes, Found]:
    out = [
        f"""<entry><author><name><![CDATA[{said.who.name}]]></name></author><updated>{stamp(at)}</updated>
<published>{stamp(at)}</published><id>https://boards.example/viewtopic.php?p={FIRST_ID + at}#p{FIRST_ID + at}</id><link href="https://boards.example/viewtopic.php?p={FIRST_ID + at}#p{FIRST_ID + at}"/>
<title type="html"><![CDATA[Games • {TITLE}]]></title>
<content type="html" xml:base="https://boards.example/viewtopic.php?p={FIRST_ID + at}#p{FIRST_ID + at}"><![CDATA[
{parts.PHPBB33(said.pieces)}<p>Statistics: Posted by <a href="https://boards.example/memberlist.php?mode=viewprofile&amp;u={said.who.id}">{escape(said.who.name)}</a> — Fri Nov 20, 2026 7:10 am</p><hr />
]]></content>
</entry>"""
        for at, said in enumerate(posts)
    ]
    text = f"""<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en-gb">
<link rel="self" type="application/atom+xml" href="https://boards.example/app.php/feed/topic/{TOPIC}" /><title>{escape(TITLE)}</title><updated>{stamp(0)}</updated>
{"".join(reversed(out))}
</feed>
"""
    return text.encode(), found("phpbb", posts, number=None, author_id=None, edited=None)
