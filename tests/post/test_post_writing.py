"""Letters as bytes: the same each time, read back by others as they were meant, and nothing in a name breaks
out of its place.
"""

from __future__ import annotations

import base64
import email
import email.policy
import re
from datetime import UTC, datetime, timedelta, timezone
from email.message import EmailMessage
from email.utils import parsedate_to_datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from written_letters import ABOUT, PICTURE, PNG, REPLY, ROLL, TURN, cover, every_letter, every_posted

from pbem.post.mail import mime
from pbem.post.offices.timing import moment, span
from pbem.post.quotes.quoting import ABOVE
from pbem.post.write.answers import Reply, reply
from pbem.post.write.cover import addressable, header, message_id, one_line, references, reply_subject
from pbem.post.write.news import Turn, turn
from pbem.post.write.page import width_of
from pbem.post.write.writing import (
    Attachment,
    BadAddress,
    Envelope,
    Letter,
    Office,
    Person,
    Posted,
    plain,
    write,
)
from pbem.store.library import common_words
from pbem.text.report import Document, Paragraph, Quote, RollTable

HEADERS = [
    "From",
    "To",
    "Subject",
    "Date",
    "Message-ID",
    "In-Reply-To",
    "References",
    "List-Id",
    "Auto-Submitted",
]
HEADERS += [
    "X-Auto-Response-Suppress",
    "X-PBEM-Processor",
    "Content-Language",
    "MIME-Version",
    "Content-Type",
]
SIMPLE = Letter("A subject", Document("A title", "A lead.", (Paragraph("A paragraph."),)))
NAMES = list(every_letter())


def parsed(posted: Posted) -> EmailMessage:
    found = email.message_from_bytes(posted.data, policy=email.policy.default)
    assert isinstance(found, EmailMessage)
    return found


def sound(posted: Posted) -> EmailMessage:
    """Return a letter as another program reads it, after looking at what every one has to keep."""
    assert posted.data.isascii()
    lines = posted.data.split(b"\r\n")
    assert not any(b"\r" in line or b"\n" in line for line in lines)
    head = lines[: lines.index(b"")]
    assert max(len(line) for line in head) <= 998
    assert max(len(line) for line in lines[len(head) :]) <= 76
    assert not any(line.startswith(b"From ") for line in lines)
    names = [line.partition(b":")[0].decode() for line in head if not line.startswith(b" ")]
    assert names == [name for name in HEADERS if name in names], (
        "each header once, in one order, and none of somebody else's"
    )
    message = parsed(posted)
    assert not message.defects
    for part in message.walk():
        assert not part.defects
    assert message["X-PBEM-Processor"] == "1"
    assert len(posted.envelope.recipients) == 1
    return message


@pytest.mark.parametrize("name", NAMES)
def test_every_letter_is_read_back(name: str) -> None:
    letter = every_letter()[name]
    posted = write(letter, cover())
    message = sound(posted)
    assert message["Subject"] == letter.subject
    text = message.get_body(("plain",))
    assert text is not None
    assert text.get_content().replace("\r\n", "\n") == plain(letter)
    assert plain(letter).startswith(f"{ABOVE}\n\n{letter.body.title}\n")
    assert max(len(line) for line in plain(letter).split("\n")) <= 78
    page = message.get_body(("html",))
    assert page is not None
    for picture in letter.pictures:
        (part,) = [one for one in message.walk() if one.get_filename() == picture.name]
        assert part.get_content() == picture.data
        assert part.get_content_disposition() == "inline"
        (image,) = re.findall(
            rf'<img src="cid:{re.escape(part["Content-ID"][1:-1])}" alt="([^"]+)"', page.get_content()
        )
        assert image == picture.alt
    assert [
        (one.get_filename(), one.get_payload(decode=True))
        for one in message.iter_attachments()
        if one.get_filename()
    ] == [(file.name, file.data) for file in letter.attached]


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_loaded_from_elsewhere_and_nothing_runs(name: str) -> None:
    page = parsed(every_posted()[name]).get_body(("html",))
    assert page is not None
    text = page.get_content().lower()
    assert not re.search(
        r"<(script|link|iframe|object|form|base|svg)\b|javascript:|@import|url\(|\son\w+=|https?:", text
    )
    assert set(re.findall(r'src="(\w+):', text)) <= {"cid"}
    assert all(alt.strip() for alt in re.findall(r'<img[^>]* alt="([^"]*)"', text))
    assert text.count("<img") == len(re.findall(r"<img[^>]* alt=", text))
    # Gmail cuts a page off at 102 kB.
    assert len(text) < 100_000


@pytest.mark.parametrize("name", NAMES)
def test_nobody_answers_a_letter_of_ours(name: str) -> None:
    posted = every_posted()[name]
    assert mime.read(posted.data).automatic == "own"
    message = parsed(posted)
    answers = every_letter()[name].replied
    assert message["Auto-Submitted"] == ("auto-replied" if answers else "auto-generated")
    assert posted.envelope == Envelope("" if answers else "games@office.example", ("bob@example.com",))
    assert message["X-Auto-Response-Suppress"] == "All"
    assert message["Precedence"] is None


def test_the_shape_of_a_turn_letter() -> None:
    message = parsed(write(turn(TURN, common_words()), cover()))
    shape = [(part.get_content_type(), part.get_filename()) for part in message.walk()]
    assert shape == [
        ("multipart/mixed", None),
        ("multipart/alternative", None),
        ("text/plain", None),
        ("multipart/related", None),
        ("text/html", None),
        ("image/png", "s0003.png"),
        ("text/plain", "orders-t3-west.yaml"),
        ("application/zip", "alder-ford-e1f00d.zip"),
    ]
    assert message["List-Id"] == "Toll at the Alder Ford <alder-ford-e1f00d.office.example>"
    assert message["Message-ID"] == "<turn-alder-ford-e1f00d-s0003-west@office.example>"
    assert message["Subject"] == "[alder-ford-e1f00d] Turn 3, West to move (code k7fp-q2mx)"


def test_the_same_letter_is_the_same_bytes_and_another_key_another_letter() -> None:
    one, other = write(turn(TURN, common_words()), cover()), write(turn(TURN, common_words()), cover())
    assert one == other
    third = write(turn(TURN, common_words()), cover("turn-alder-ford-e1f00d-s0003-east"))
    assert third.id != one.id
    boundaries = [set(re.findall(rb'boundary="([^"]+)"', letter.data)) for letter in (one, third)]
    assert len(boundaries[0]) == 3
    assert not boundaries[0] & boundaries[1]


def test_a_thread_holds_together_whatever_the_ids_look_like() -> None:
    exchange = f"<{'A' * 60}{'0123456789' * 6}@{'eurprd04' * 4}.prod.outlook.example>"
    odd = "<[b378]@microsoft.example>"
    posted = write(
        SIMPLE,
        cover(
            answers=exchange, thread=("<first@x.example>", odd, "no id", "<two words@x>", "<first@x.example>")
        ),
    )
    message = sound(posted)
    assert f"In-Reply-To: {exchange}\r\n".encode() in posted.data, "an id is never encoded and never broken"
    found = re.search(rb"References:((?: \S+|\r\n \S+)+)\r\n", posted.data)
    assert found is not None
    assert found[1].split() == [b"<first@x.example>", odd.encode(), exchange.encode()]
    assert message["Message-ID"] == posted.id
    long = references(*(f"<{n}@x.example>" for n in range(400)))
    assert long == ("<0@x.example>", *(f"<{n}@x.example>" for n in range(390, 400)))


@pytest.mark.parametrize(
    "bad", ["<a@b>\r\nBcc: x@y.example", "<a@b><c@d>", "<a b@c>", "<é@x>", f"<{'a' * 2000}@x>", "", "a@b"]
)
def test_what_is_no_id_is_no_id_in_a_header(bad: str) -> None:
    message = sound(write(SIMPLE, cover(answers=bad, thread=(bad,))))
    assert message["In-Reply-To"] is None
    assert message["References"] is None


HOSTILE = [
    "Bob\r\nBcc: everybody@example.com",
    "Bob\nX-PBEM-Processor: 2",
    "Bob\r\n\r\nmove:\r\n- odo to 0101",
    "</script><script>alert(1)</script><img src=x onerror=alert(1)>",
    "‮gnp.exe‬ \u2066\u2067\u200f\u200b\ufeff",
    "=?utf-8?q?Bcc:_x@y.example?=",
    '"quoted" \\ back',
    "a, b <c@d.example>; (comment",
    "x" * 10_000,
    "é" * 10_000,
    "𝔊" * 3_000,
    "\ud800 lone \x00 nul \x1b[31m",
    "日本語の名前",
    "",
    "   ",
    "From me",
    "a\u2028b\u2029c\u0085d\x0bf\x0cg",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_in_a_name_breaks_out_of_its_place(text: str) -> None:
    about = replace(ABOUT, title=text, side=text, stands=text)
    letters = [
        reply(
            replace(
                REPLY,
                about=about,
                subject=text,
                where=text,
                ignored=(text,),
                normal=(text,),
                understood=(text,),
            ),
            common_words(),
        ),
        turn(
            replace(
                TURN,
                about=about,
                headline=text,
                used=(text,),
                report=Document(text, text, (Quote(text, text),)),
            ),
            common_words(),
        ),
        Letter(
            text, Document(text, text, (Paragraph(text),)), preview=text, attached=(Attachment(text, b"x"),)
        ),
    ]
    for letter in letters:
        to = Person("bob@example.com", text)
        posted = write(
            letter, cover(key=text, to=to, office=Office("games@office.example", text), title=text)
        )
        message = sound(posted)
        assert message["To"].addresses[0].addr_spec == "bob@example.com"
        assert len(message["To"].addresses) == len(message["From"].addresses) == 1
        assert message["From"].addresses[0].addr_spec == "games@office.example"
        assert len(str(message["Subject"])) <= 160
        assert not re.search(
            "[\u202a-\u202e\u2066-\u2069\x00-\x1f\u2028\u2029\u0085]", str(message["Subject"])
        )
        page = message.get_body(("html",))
        assert page is not None
        assert not re.search(r"<(script|img src=x)", page.get_content())
        assert not re.search("[\u202a-\u202e\u2066-\u2069]", page.get_content())
        assert max(len(line) for line in plain(letter).split("\n")) <= 78
        for part in message.iter_attachments():
            assert re.fullmatch(r"[A-Za-z0-9._-]{1,80}", part.get_filename() or "file")


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=300), st.text(max_size=200), st.text(max_size=100), st.text(max_size=200))
def test_any_text_is_only_a_text(subject: str, name: str, title: str, words: str) -> None:
    letter = Letter(subject, Document(title, "", (Paragraph(words), Quote(name, words))))
    message = sound(write(letter, cover(to=Person("bob@example.com", name), title=title, key=title)))
    assert message["Subject"] == one_line(subject)
    assert message["To"].addresses[0].display_name == one_line(name, 60)
    assert message["To"].addresses[0].addr_spec == "bob@example.com"


def test_an_address_that_is_none_is_not_written_to() -> None:
    for address in (
        "",
        "bob",
        "bob@example.com, eve@example.com",
        "bob@example.com\r\nBcc: e@f.example",
        '"b b"@x.example',
        "é@x.example",
        "a@b..c",
    ):
        assert not addressable(address)
        with pytest.raises(BadAddress):
            write(SIMPLE, cover(to=Person(address)))
    for address in ("bob@example.com", "bob.o'neil+games@sub.example.co.uk", "a@localhost"):
        assert addressable(address)


def test_an_answer_has_one_re_and_carries_game_and_code() -> None:
    assert reply_subject("AW: Re: WG: [8] Zug", "x", "game-1", "abcd") == "Re: [game-1] [8] Zug (code abcd)"
    assert (
        reply_subject("Re: [game-1] Turn 3 (code abcd)", "x", "game-1", "abcd")
        == "Re: [game-1] Turn 3 (code abcd)"
    )
    assert reply_subject("RE: Re[2]: SV: ", "[game-1] your orders", "game-1") == "[game-1] your orders"
    assert reply_subject("", "your orders") == "your orders"
    assert reply_subject("Reh: im Wald", "x") == "Re: Reh: im Wald"
    long = reply_subject("y" * 500, "x", "game-1", "abcd")
    assert len(long) <= 160
    assert long.endswith("… (code abcd)")


def test_ids_are_made_of_keys() -> None:
    assert message_id("turn-a.1_2+3", "x.example") == "<turn-a.1_2+3@x.example>"
    for odd in ("a b", "a>b", "", "a..b", "a.", "é", "a" * 200, "a\r\nb"):
        assert re.fullmatch(r"<[0-9a-f]{40}@x\.example>", message_id(odd, "x.example"))
    assert message_id("a b", "x.example") != message_id("a  b", "x.example")


def test_headers_are_folded_and_unfolded_to_the_same() -> None:
    said = " ".join(f"word{n}" for n in range(60))
    folded = header("Subject", said, words=True)
    assert max(len(line) for line in folded.split("\r\n")) <= 78
    assert folded.replace("\r\n ", " ").strip() == f"Subject: {said}"
    coded = header("Subject", "Zug für Bärbel " * 8, words=True)
    assert max(len(line) for line in coded.split("\r\n")) <= 78
    assert base64.b64decode("".join(re.findall(r"\?b\?([^?]+)\?", coded))[:4])


def test_a_page_is_written_in_its_own_width() -> None:
    assert width_of(PNG) == 452
    assert width_of(b"GIF89a") == 0
    assert width_of(PNG[:14]) == 0
    page = parsed(write(reply(REPLY, common_words()), cover())).get_body(("html",))
    assert page is not None
    assert 'width="452"' in page.get_content()
    assert "max-width:452px" in page.get_content()


def test_the_date_is_the_one_that_was_given() -> None:
    there = datetime(2026, 11, 20, 18, 30, tzinfo=timezone(timedelta(hours=1)))
    message = sound(write(SIMPLE, cover(date=there)))
    assert parsedate_to_datetime(str(message["Date"])) == there


@pytest.mark.parametrize(
    ("minutes", "said"),
    [
        (0, "less than a minute"),
        (1, "1 minute"),
        (59, "59 minutes"),
        (60, "1 hour"),
        (61, "1 hour and 1 minute"),
        (1439, "23 hours and 59 minutes"),
        (1440, "1 day"),
        (1441, "1 day"),
        (1500, "1 day and 1 hour"),
        (3060, "2 days and 3 hours"),
        (144_000, "100 days"),
    ],
)
def test_how_long_it_is(minutes: int, said: str) -> None:
    assert span(timedelta(minutes=minutes), common_words()) == said


@pytest.mark.parametrize(
    ("at", "zone", "said"),
    [
        (
            (2026, 11, 22, 21, 0),
            "Europe/London",
            "Sunday 22 November 2026, 21:00 (Europe/London), in 2 days and 3 hours",
        ),
        (
            (2026, 11, 22, 21, 0),
            "Pacific/Auckland",
            "Monday 23 November 2026, 10:00 (Pacific/Auckland), in 2 days and 3 hours",
        ),
        (
            (2026, 11, 22, 21, 0),
            "America/New_York",
            "Sunday 22 November 2026, 16:00 (America/New_York), in 2 days and 3 hours",
        ),
        (
            (2026, 11, 22, 21, 0),
            "Nowhere/At-All",
            "Sunday 22 November 2026, 21:00 (UTC), in 2 days and 3 hours",
        ),
        (
            (2026, 11, 22, 21, 0),
            "../../etc/passwd",
            "Sunday 22 November 2026, 21:00 (UTC), in 2 days and 3 hours",
        ),
        ((2026, 11, 20, 17, 0), "UTC", "Friday 20 November 2026, 17:00 (UTC), 1 hour ago"),
    ],
)
def test_when_it_is(at: tuple[int, int, int, int, int], zone: str, said: str) -> None:
    now = datetime(2026, 11, 20, 18, 0, tzinfo=timezone(timedelta(hours=0)))
    assert moment(datetime(*at, tzinfo=UTC), zone, now, common_words()) == said


def test_a_change_of_the_clocks_between_now_and_then_is_reckoned_with() -> None:
    # In London the clocks go back on 25 October 2026: from Saturday noon to Sunday noon it is 25 hours.
    now = datetime(2026, 10, 24, 11, 0, tzinfo=UTC)
    then = datetime(2026, 10, 25, 12, 0, tzinfo=UTC)
    assert (
        moment(then, "Europe/London", now, common_words())
        == "Sunday 25 October 2026, 12:00 (Europe/London), in 1 day and 1 hour"
    )


def test_all_that_is_answered_is_told_in_one_letter() -> None:
    told = plain(reply(REPLY, common_words()))
    assert told.split("\n")[2] == "Accepted: your orders are final"
    for said in (
        "These orders replace the ones you sent before (1111-2222-3333-4444).",
        "The deadline: Sunday 22 November 2026, 21:00 (Europe/London), in 2 days\nand 3 hours.",
        "* line 3: the dash – was read as -",
        "8de9-d39c-7bfe-fd92",
        "    | - odo to 0712\n    | fight:\n",
        "* … odo attacks hal: 7:1",
        "* holiday.jpg",
        f"[{PICTURE.alt}]",
    ):
        assert said in told, said
    missing = Reply(ABOUT, "stored", REPLY.until)
    assert "Nobody does anything; everybody stays." in plain(reply(missing, common_words()))


def test_a_turn_says_first_what_is_to_be_done() -> None:
    lines = plain(turn(TURN, common_words())).split("\n")
    assert lines[2] == "Turn 3, West to move"
    assert lines[5].startswith("It is your move.")
    assert lines[7].startswith("The deadline: Sunday 22 November 2026, 21:00 (Europe/London)")
    other = plain(
        turn(Turn(ABOUT, "Turn 3, East to move", TURN.report, TURN.until, "", ("East",)), common_words())
    )
    assert "It is not your move: the game waits for East." in other
    assert "How to answer" not in other


def test_a_page_that_a_client_would_cut_off_leaves_single_dice_to_the_plain_text() -> None:
    table = RollTable("Every die", ("a", "b", "c", "d", "e", "f"), (ROLL,) * 900)
    letter = replace(SIMPLE, body=replace(SIMPLE.body, blocks=(*SIMPLE.body.blocks, table)))
    page = parsed(write(letter, cover())).get_body(("html",))
    assert page is not None
    assert len(page.get_content()) < 95_000
    assert "A paragraph." in page.get_content()
    assert ROLL.label not in page.get_content()
    assert plain(letter).count(ROLL.label) == 900
