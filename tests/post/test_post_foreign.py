"""Shapes of other people's letters: what announces somebody else's words in archives, forums and programs,
and what does not.
"""

from __future__ import annotations

import pytest
from siege_words import find

from pbem.post.lines.message import NOTHING, ORDERS
from pbem.post.mail import mime
from pbem.post.orders.finding import place

OWN = "side: west\nturn: t3\nmove:\n- odo to 0712\nluck: seven drunken herons\n"
SMALL = "fight:\n- hob, odo attack gunter\n"
THEIRS = "side: east\nmove:\n- gunter to 0101\nluck: nine sober storks\n"


def taken(body: str, kind: str = "plain") -> str:
    """Return what is taken of a letter with this text."""
    raw = (
        "From: Bob Smith <bob@example.com>\nSubject: Re: turn 3\nContent-Type: "
        f"text/{kind}; charset=utf-8\n\n{body}"
    )
    found = find(mime.read(raw.encode()))
    assert found.kind in (ORDERS, NOTHING)
    return found.data.decode()


ANNOUNCED = [
    "On Wed, 18 Nov 2026 08:14:43 -0200 Ada Marsh <ada@example.org> wrote",
    "Ada Marsh <ada@example.org> wrote",
    "Ada wrote",
    "umpire via The Alder Forum wrote",
    "Ada Marsh said:",
    "On 18/11/2026 at 10:11, Ada Marsh said:",
    "2026-11-18 17:21 GMT+01:00 Ada Marsh",
    "Posted by ada on 11/18/2026",
    "среда, 18 ноября 2026 г. пользователь ada написал:",
    "Ada Marsh <ada@example.org> schrieb am Mi., 18.\nNov. 2026, 21:08:",
    "Ada Marsh kirjoitti\n18.11.2026 klo 10.11:",
    "Ada Marsh schreef\nop 18/11/2026 om 10:11:",
    "Thanks! On Nov 18, ada wrote:",
    "[18.11.2026 10:00] Ada:",
    "[10:00, 18/11/2026] Ada: here is mine",
    "-----Antwort Nachricht-----",
    "-------- Oprindelig besked --------",
    "-------- Оригинальное сообщение --------",
    "-------- Pôvodná správa --------",
    "------------------ 原始邮件 ------------------",
    "-----Ursprüngliche E-Mail-----",
    "--- previous mail ---",
    "***** Original Message *****",
    "### Original Message ###",
    "==== Original message ====",
    "Original message:",
    "*Previous Replies*",
    "Date: Wed, 18 Nov 2026 00:15:02 -0600\nTo: bob@example.com",
    'Von: "Ada Marsh" <ada@example.org>',
    "*From: ada@example.org* *Date: Wed, 18 Nov 2026 08:07:12 -0700*",
    "Date: Wed, 18 Nov 2026 02:35:10 +0000 From: ada@example.org To: Smith, Bob Subject: turn 3",
    "보낸 사람: Ada <ada@example.org>\n보낸 날짜: 2026년 11월 18일\n받는 사람: bob@example.com\n제목: turn 3",
    "寄件者: Ada <ada@example.org>\n寄件日期: 2026年11月18日\n收件者: bob@example.com\n主旨: turn 3",
    "|------------>\n| From:      |\n|------------>\n  |Ada Marsh|",
    "Original Message processed by david®\n   Order 17   18-Nov-2026 10:11\n   Von   Ada Marsh",
    "##- Please type your reply above this line -##",
    "Please do not edit below this line",
]


@pytest.mark.parametrize("line", ANNOUNCED)
def test_what_is_announced_is_somebody_elses(line: str) -> None:
    assert taken(f"{OWN}\n{line}\n\n{THEIRS}") == OWN
    assert taken(f"{SMALL}\n{line}\n{THEIRS}") == SMALL
    assert taken(f"Tomorrow!\n\n{line}\n\n{THEIRS}") == ""


@pytest.mark.parametrize(
    "line",
    [
        "As you wrote, odo cannot reach 0713.",
        "As I said: all go to the bridge.",
        "Hob wrote to me about the bridge",
        "My message to the others:",
        "----- West, turn 3 -----",
        "---- message ----",
        "--- my message ---",
        "*** WEST ***",
        "Date: 20 November 2026",
        "From: Bob (west)",
        "To the umpire:",
        "Deadline: 20.11.2026 18:00",
        "Meine Befehle für den 20.11.2026, 18:00 Uhr:",
        "I answer above this, sorry.",
        "Please replace my previous message with this one.",
        "2026-11-20 evening",
        "[Turn 3]",
        "Two of us play, so answer the one and the other, please write\nfrom: jane@example.com",
    ],
)
def test_ones_own_words_announce_nobody(line: str) -> None:
    assert taken(f"{line}\n\n{OWN}") == OWN
    assert taken(f"{line}\n{OWN}") == OWN


@pytest.mark.parametrize("rule", ["- - -", "* * *", "_ _ _ _", "---", "~ ~ ~"])
def test_a_rule_of_spaced_signs_is_no_order(rule: str) -> None:
    assert taken(f"{SMALL}{rule}\nBob\n") == SMALL
    assert taken(f"{SMALL}\n{rule}\n\nBob\n") == SMALL


def test_a_date_below_an_order_is_not_its_rest() -> None:
    assert taken("move:\n- odo to 0712\n2026-11-20 evening\n") == "move:\n- odo to 0712\n"
    assert (
        taken("move:\n- odo to 0712\n2026/11/20 Ada Marsh <ada@example.org>\n\n> side: east\n")
        == "move:\n- odo to 0712\n"
    )


@pytest.mark.parametrize("name", ["- Maarten de Jong", "-Ada Marsh", "– Ada M. Marsh", ":-)", "^_^"])
def test_a_name_or_a_face_below_the_orders_is_none(name: str) -> None:
    assert taken(f"{SMALL}\n{name}\n") == SMALL


@pytest.mark.parametrize("face", [":-)", "^_^", ";)", "-- ", "<3"])
def test_a_face_right_below_the_last_order_is_not_its_end(face: str) -> None:
    assert taken(f"{SMALL}{face}\n") == SMALL


def test_an_order_in_capitals_is_no_name() -> None:
    assert taken(f"{SMALL}\n- Hob Attacks Wulf\n") == f"{SMALL}- Hob Attacks Wulf\n"


def test_what_is_struck_out_is_not_ordered() -> None:
    page = (
        "<div>move:</div><div>- odo to <s>0101</s> 0712</div><div><del>- hal to 0611</del></div><div>- tom "
        "to 0603</div>"
    )
    assert [line for line in taken(page, "html").split("\n") if line] == [
        "move:",
        "- odo to 0712",
        "- tom to 0603",
    ]


def test_a_content_type_that_is_only_a_parameter_is_plain_text() -> None:
    raw = f"From: bob@example.com\nMIME-Version: 1.0\nContent-Type: charset=utf-8; format=fixed\n\n{SMALL}"
    assert find(mime.read(raw.encode())).data.decode() == SMALL


def test_an_announcement_of_the_machine_in_the_subject() -> None:
    raw = "From: bob@example.com\nSubject: [AUTO GENERATED] We have it\n\nThank you.\n"
    assert mime.read(raw.encode()).automatic == "absence"


HEADERS = [
    "De la: Ada <ada@example.org>|Trimis: vineri, 2 ianuarie 2026 "
    "10:00|Către: bob@example.com|Subiect: turn 3",
    "Šalje: Ada <ada@example.org>|Poslano: 2. siječnja 2026. 10:00|Prima: bob@example.com|Predmet: turn 3",
    "จาก: Ada <ada@example.org>|ส่ง: 2 มกราคม 2569 10:00|ถึง: bob@example.com|เรื่อง: turn 3",
    "Gönderen: Ada <ada@example.org>|Gönderildi: 2 Ocak 2026 Cuma 10:00|Kime: bob@example.com|Konu: turn 3",
    "Від: Ada <ada@example.org>|Надіслано: 2 січня 2026 р. 10:00|Кому: bob@example.com|Тема: turn 3",
]


@pytest.mark.parametrize("header", HEADERS)
@pytest.mark.parametrize("gap", ["\n", "\n\n", "\n    "])
def test_headers_of_many_countries_however_they_are_spaced(header: str, gap: str) -> None:
    assert taken(f"{OWN}\n{header.replace('|', gap)}\n\n{THEIRS}") == OWN


def test_what_one_way_to_read_a_letter_shows_as_quoted_is_not_taken_from_another() -> None:
    title = (
        "---------------------- Forwarded by Ada Marsh/HOU/ORG on 01/02/2001 10:00 \nAM "
        "---------------------------"
    )
    raw = f"From: bob@example.com\nContent-Type: text/plain; format=flowed\n\nTomorrow!\n{title}\n\n{THEIRS}"
    assert find(mime.read(raw.encode())).data == b""


DAMAGED = [
    "Ada Marsh a Ã©crit :",
    "Ada Marsh a ?crit :",
    "El jueves, 19 de noviembre de 2026, ada escribi?:",
    "-------- PÅ¯vodnÃ­ zprÃ¡va --------",
    "-------- Puvodni zprava --------",
    "-------- ???????? ????????? --------",
    "-------- Ð˜ÑÑ…Ð¾Ð´Ð½Ð¾Ðµ --------",
    "*On Wed, Nov 18, 2026 at 10:11 AM, Ada Marsh wrote:*",
    "On  Wed,  Nov  18,  2026  at  10:11  AM,  Ada  wrote:",
    "Ada Marsh &lt;ada@example.org&gt; wrote",
    "Ada Marsh <ada@example.org> (18.11.2026 10:11)",
]


@pytest.mark.parametrize("line", DAMAGED)
def test_an_announcement_that_suffered_on_its_way_is_one(line: str) -> None:
    assert taken(f"{OWN}\n{line}\n\n{THEIRS}") == OWN
    assert taken(f"Tomorrow!\n\n{line}\n\n{THEIRS}") == ""


@pytest.mark.parametrize(
    "title",
    ["----- Züge -----", "----- Mêlée -----", "==== ÜBERFALL ====", "--- turn 3: über die Brücke ---"],
)
def test_a_title_of_ones_own_may_have_accents(title: str) -> None:
    assert taken(f"{title}\n{OWN}") == OWN


@pytest.mark.parametrize("dash", ["   -\n\n   ", "   -\n   ", "-\n", "*\n\n", "  \u2022\n\n  "])
def test_a_dash_on_a_line_of_its_own_belongs_to_the_order_below(dash: str) -> None:
    body = (
        f"move:\n\n{dash}odo to 0712\n{dash}hal by 0611 0612\n\nfight:\n\n{dash}hob attacks wulf\n\nluck: "
        "seven\n\nBob\n"
    )
    lines = [line for line in taken(body).split("\n") if line]
    assert lines == [
        "move:",
        "- odo to 0712",
        "- hal by 0611 0612",
        "fight:",
        "- hob attacks wulf",
        "luck: seven",
    ]


def test_the_place_of_an_order_below_its_dash_is_kept() -> None:
    body = "move:\n\n   -\n\n   odo to 0712\n"
    found = find(mime.read(f"From: bob@example.com\n\n{body}".encode()))
    row = next(number for number, line in enumerate(found.data.decode().split("\n"), 1) if "odo" in line)
    assert place(found, row, 3) == (5, 4, "   odo to 0712")
