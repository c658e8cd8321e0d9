"""What we write comes back to us, quoted by clients of every habit: nothing in it is ever read as orders, and
what stands above it is.
"""

from __future__ import annotations

import email
import email.policy
import html
import re
from collections.abc import Callable
from email.message import EmailMessage
from pathlib import Path

import pytest
from siege_words import find
from written_letters import every_letter, every_posted

import pbem
from pbem.post.lines.message import NOTHING, ORDERS
from pbem.post.mail import mime
from pbem.post.quotes.quoting import ABOVE
from pbem.post.write.writing import plain
from pbem.store.library import common_words

HEAD = "From: Bob <bob@example.com>\nTo: games@office.example\nSubject: Re: {subject}\nMIME-Version: 1.0\n"
OWN = "move:\n- odo to 0101\n"


def quoted(text: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in text.split("\n"))


def top(own: str, text: str, page: str) -> str:
    return (
        f"{own}\n\nOn Fri, 20 Nov 2026 at 17:30, The Alder Office <games@office.example> wrote:\n\n"
        f"{quoted(text)}\n"
    )


def german(own: str, text: str, page: str) -> str:
    return f"{own}\n\nAm 20.11.26 um 17:30 schrieb The Alder Office:\n{quoted(text)}\n"


def french(own: str, text: str, page: str) -> str:
    return f"{own}\n\nLe 20/11/2026 à 17:30, The Alder Office a écrit :\n{quoted(text)}\n"


def outlook(own: str, text: str, page: str) -> str:
    head = (
        "From: The Alder Office <games@office.example>\nSent: Friday, November 20, 2026 5:30 PM\nTo: Bob\n"
        "Subject: your orders\n"
    )
    return f"{own}\n\n-----Original Message-----\n{head}\n{text}"


def outlook_german(own: str, text: str, page: str) -> str:
    head = (
        "Von: The Alder Office <games@office.example>\nGesendet: Freitag, 20. November 2026 17:30\nAn: Bob\n"
        "Betreff: Zug\n"
    )
    return f"{own}\n\n________________________________\n{head}\n{text}"


def bare(own: str, text: str, page: str) -> str:
    return f"{own}\n\n{text}"


def wrapped(own: str, text: str, page: str) -> str:
    """Quote as a client does that breaks what it quotes."""
    lines = [line[at : at + 58] for line in text.split("\n") for at in range(0, max(len(line), 1), 58)]
    return f"{own}\n\nOn 20/11/2026 17:30, games@office.example wrote:\n" + quoted("\n".join(lines))


def twice(own: str, text: str, page: str) -> str:
    inner = f"> Look at this.\n>\n> On 20/11/2026, games@office.example wrote:\n{quoted(quoted(text))}"
    return f"{own}\n\nOn 20/11/2026 17:30, Ann wrote:\n{inner}\n"


def in_html(own: str) -> str:
    return "".join(f"<div>{html.escape(line) or '<br>'}</div>" for line in own.split("\n"))


def inside(page: str) -> str:
    found = re.search(r"<body[^>]*>(.*)</body>", page, re.DOTALL)
    assert found is not None
    return found[1]


def gmail(own: str, text: str, page: str) -> str:
    said = '<div dir="ltr" class="gmail_attr">On Fri, 20 Nov 2026, Office wrote:<br></div>'
    return (
        f'<div dir="ltr">{in_html(own)}</div><br><div class="gmail_quote">{said}<blockquote '
        'class="gmail_quote" '
        'style="margin:0px 0px 0px 0.8ex;border-left:1px solid '
        f'rgb(204,204,204);padding-left:1ex">{inside(page)}</blockquote></div>'
    )


def apple(own: str, text: str, page: str) -> str:
    return (
        f'<html><body>{in_html(own)}<br><blockquote type="cite">On 20 Nov 2026, at 17:30, Office '
        "wrote:<br></blockquote>"
        f'<blockquote type="cite">{inside(page)}</blockquote></body></html>'
    )


def outlook_web(own: str, text: str, page: str) -> str:
    head = (
        "<b>From:</b> The Alder Office<br><b>Sent:</b> Friday, November 20, 2026<br><b>To:</b> "
        "Bob<br><b>Subject:</b> your orders"
    )
    return (
        f'<html><body>{in_html(own)}<hr style="display:inline-block;width:98%"><div id="divRplyFwdMsg" '
        f'dir="ltr">{head}</div>'
        f"{inside(page)}</body></html>"
    )


def bare_html(own: str, text: str, page: str) -> str:
    return f"<html><body>{in_html(own)}<br>{inside(page)}</body></html>"


PLAIN: list[Callable[[str, str, str], str]] = [
    top,
    german,
    french,
    outlook,
    outlook_german,
    bare,
    wrapped,
    twice,
]
PAGES: list[Callable[[str, str, str], str]] = [gmail, apple, outlook_web, bare_html]
NAMES = list(every_letter())


def letter(
    name: str, style: Callable[[str, str, str], str], own: str, cut: Callable[[str], str] = lambda text: text
) -> bytes:
    """Return an answer to a letter of ours, as a client of some habit sends it."""
    ours = email.message_from_bytes(every_posted()[name].data, policy=email.policy.default)
    assert isinstance(ours, EmailMessage)
    page = ours.get_body(("html",))
    assert page is not None
    body = style(own, cut(plain(every_letter()[name])), cut(page.get_content()))
    kind = "html" if style in PAGES else "plain"
    head = (
        HEAD.format(subject="turn 3")
        + f"Content-Type: text/{kind}; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n"
    )
    return (head + body).replace("\n", "\r\n").encode()


@pytest.mark.parametrize("style", [*PLAIN, *PAGES], ids=lambda style: style.__name__)
@pytest.mark.parametrize("name", NAMES)
def test_what_we_wrote_is_not_read_when_it_comes_back(
    name: str, style: Callable[[str, str, str], str]
) -> None:
    for own in ("", "Thanks, that was quick!", "Yes, I play.\n\nBob"):
        found = find(mime.read(letter(name, style, own)))
        assert (found.kind, found.data) == (NOTHING, b""), (own, found)


@pytest.mark.parametrize("style", [*PLAIN, *PAGES], ids=lambda style: style.__name__)
@pytest.mark.parametrize("name", NAMES)
def test_what_stands_above_it_is_read_alone(name: str, style: Callable[[str, str, str], str]) -> None:
    found = find(mime.read(letter(name, style, OWN)))
    assert (found.kind, found.data.decode().strip()) == (ORDERS, OWN.strip()), found


def without_mark(text: str) -> str:
    assert text.count(ABOVE) == 1
    return text.replace(ABOVE, "")


@pytest.mark.parametrize("style", [*PLAIN, *PAGES], ids=lambda style: style.__name__)
@pytest.mark.parametrize("name", NAMES)
def test_even_without_its_first_line_a_letter_of_ours_holds_no_orders(
    name: str, style: Callable[[str, str, str], str]
) -> None:
    found = find(mime.read(letter(name, style, "", without_mark)))
    assert (found.kind, found.data) == (NOTHING, b""), found


@pytest.mark.parametrize("name", NAMES)
def test_no_line_of_a_letter_begins_as_one_of_an_order_file_does(name: str) -> None:
    for line in plain(every_letter()[name]).split("\n"):
        assert not re.match(
            r"\s*[`\"'*]*(- |(game|seat|side|turn|luck|message|note|setup|shoot|move|shoot-again|fight|day"
            r"|standing|answers):)",
            line,
        ), line


@pytest.mark.parametrize("name", NAMES)
def test_the_letter_itself_is_nobodys(name: str) -> None:
    assert mime.read(every_posted()[name].data).automatic == "own"


# --- the words

ROOT = Path(pbem.__file__).parent
WRITTEN = "\n".join(
    path.read_text("utf-8")
    for folder in ("post", "referee", "club", "cli")
    for path in (ROOT / folder).rglob("*.py")
)
MADE = {
    "weekday": "1234567",
    "month": [str(month) for month in range(1, 13)],
    "outcome": ["final", "draft", "stored", "again", "refused", "asked", "beside"],
    "lead": ["final", "draft", "stored", "again", "refused", "asked", "beside"],
    "otherwise": [
        *(
            "final",
            "now",
            "draft",
            "placed",
            "stored",
            "held",
            "earlier",
            "silent",
            "unplaced",
            "answer",
            "waits",
            "go-waits",
        ),
        *("final-open", "draft-open", "placed-open", "stored-open"),
    ],
    "turn": ["orders", "answer", "others", "over"],
    "threat": ["strike", "substitute", "loss"],
    "cost": [
        f"{what}{whose}" for what in ("count", "strike", "substitute", "loss") for whose in ("", "-you")
    ],
    "time": [
        *(f"{word}{title}" for word in ("extend", "pause", "resume") for title in ("", "-title")),
        *("absent-title", "absent-other", "absent-other-day", "absent-you", "absent-you-day"),
    ],
    "clock": ["left", "out", "ran-out", "ran-out-you"],
    "reserve": ["drawn", "drawn-you"],
    "word": [
        *(f"{word}{title}" for word in ("say", "reopen") for title in ("", "-title")),
        *("substitute-title", "end-title"),
        *(f"end-{how}{won}" for how in ("agreed", "resigned", "adjudicated") for won in ("", "-won")),
    ],
    "reminder": ["orders", "answer", "go", "draft"],
    "headline": ["orders", "setup", "between", "answer", "go", "dice", "rule", "correct"],
    "signed": ["lock", "manifest", "nothing", "record", "result", "start"],
    "forecast": ["ways", "shots", "fights", "placed"],
}
"""Beginnings of keys whose ends are put on by the program -> the ends there are."""
MADE_ELSEWHERE = {
    "missed.does": ["hold", "shoot-nearest", "setup", "day"],
    "passed.did": ["unused", "joined", "taken", "went", "refused", "asked"],
    "passed.wish": ["resign", "time", "wrong"],
}


def test_every_phrase_of_a_letter_is_there_and_none_is_left_over() -> None:
    words = common_words()
    asked = set(re.findall(r'"(letter\.[a-z-]+(?:-[a-z]+)*)"', WRITTEN))
    asked |= {f"letter.{begin}-{end}" for begin, ends in MADE.items() for end in ends}
    asked |= {f"letter.{unit}s" for unit in ("day", "hour", "minute")}
    assert not [key for key in sorted(asked) if not words.knows("phrases", key)]
    asked |= set(re.findall(r'"((?:passed|waits|missed)\.[a-z-]+)"', WRITTEN))
    asked |= {
        f"missed.{kind}{whose}" for kind in ("orders", "words", "answer", "draft") for whose in ("", "-yours")
    }
    asked |= {f"waits.{kind}" for kind in ("words", "answer", "orders")}
    asked |= {f"{begin}-{end}" for begin, ends in MADE_ELSEWHERE.items() for end in ends}
    known = {
        key for key in words.keys("phrases") if key.startswith(("letter.", "passed.", "waits.", "missed."))
    }
    known = {key for key in known if not key.startswith("letter.advice.")}
    assert sorted(known - asked) == []
    codes = [
        key.removeprefix("letter.advice.")
        for key in words.keys("phrases")
        if key.startswith("letter.advice.")
    ]
    assert not [code for code in codes if not words.knows("problems", code)]


def test_a_letter_never_shows_a_key_or_a_hole() -> None:
    for name, letter_ in every_letter().items():
        text = plain(letter_)
        assert not re.search(r"\bletter\.[a-z]|\(\w+: |\?[ ,.;]| {2}\.|\.\.$", text), (name, text)
