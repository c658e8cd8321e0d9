"""Who wrote a letter, what about, and whether anybody may answer it."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.post.lines.message import Message
from pbem.post.mail import addresses, headers, mime


def read(head: str | bytes, body: str = "hello") -> Message:
    raw = head if isinstance(head, bytes) else head.encode()
    return mime._read(raw + b"\n\n" + body.encode())


def why(head: str) -> str:
    """Return why nobody may answer a letter with these fields beside an ordinary sender."""
    given_from = "" if head.lower().startswith("from:") else "From: Ann <ann@example.org>\n"
    return read(f"{given_from}Return-Path: <ann@example.org>\n{head}").automatic


# --- machines


@pytest.mark.parametrize(
    ("head", "reason"),
    [
        ("Auto-Submitted: auto-replied", "auto-submitted"),
        ("Auto-Submitted: auto-generated (rejected)", "auto-submitted"),
        ("auto-submitted:  Auto-Notified; owner-email=x", "auto-submitted"),
        ("Auto-Submitted: yes", "auto-submitted"),
        ("X-PBEM-Processor: 1", "own"),
        ("X-PBEM-Processor:", "own"),
        ("Return-Path: <>", "bounce"),
        ("X-Failed-Recipients: b@example.org", "bounce"),
        ("Content-Type: multipart/report; report-type=delivery-status; boundary=B", "bounce"),
        ("Content-Type: multipart/report; report-type=disposition-notification; boundary=B", "report"),
        ("Content-Type: message/delivery-status", "report"),
        ("Content-Type: multipart/digest; boundary=B", "digest"),
        ("Subject: Siege Digest, Vol 3, Issue 7\nList-Id: <siege.example.org>", "digest"),
        ("Precedence: auto_reply", "auto-reply"),
        ("Precedence: junk", "bulk"),
        ("X-Autoreply: yes", "auto-reply"),
        ("X-Autorespond: x", "auto-reply"),
        ("X-Auto-Reply: ", "auto-reply"),
        ("From: MAILER-DAEMON@example.org", "bounce"),
        ('From: "Mail Delivery System" <Mailer-Daemon@example.org>', "bounce"),
        ("From: postmaster@example.org", "bounce"),
        ("From: MicrosoftExchange329e71ec88ae4615bbc36ab6ce41109e@example.org", "machine"),
        ("From: noreply@example.org", "machine"),
        ("From: No-Reply@example.org", "machine"),
        ("From: do_not_reply@example.org", "machine"),
        ("From: donotreply@example.org", "machine"),
        ("From: no-reply+x@example.org", "machine"),
        ("From: shop-noreply@example.org", "machine"),
        ("From: keine-antwort@example.org", "machine"),
        ("From: bounces+123=x@example.org", "machine"),
        ("Subject: Automatic reply: Turn 3", "absence"),
        ("Subject: AUTOMATIC REPLY", "absence"),
        ("Subject: Auto: Turn 3", "absence"),
        ("Subject: Autoreply: Turn 3", "absence"),
        ("Subject: Out of Office: Turn 3", "absence"),
        ("Subject: Out of Office AutoReply: Turn 3", "absence"),
        ("Subject: Out of the office", "absence"),
        ("Subject: Vacation reply", "absence"),
        ("Subject: Abwesenheitsnotiz: Turn 3", "absence"),
        ("Subject: Automatische Antwort: Turn 3", "absence"),
        ("Subject: Automatische Abwesenheitsmeldung", "absence"),
        ("Subject: =?utf-8?Q?R=C3=A9ponse_automatique_=3A_Turn?=", "absence"),
        ("Subject: Absence du bureau : Turn", "absence"),
        ("Subject: Respuesta automática: Turn", "absence"),
        ("Subject: Risposta automatica: Turn", "absence"),
        ("Subject: Automatisch antwoord: Turn", "absence"),
        ("Subject: Undeliverable: Turn 3", "bounce"),
        ("Subject: Undelivered Mail Returned to Sender", "bounce"),
        ("Subject: Delivery Status Notification (Failure)", "bounce"),
        ("Subject: Mail delivery failed: returning message to sender", "bounce"),
        ("Subject: Returned mail: see transcript for details", "bounce"),
        ("Subject: Unzustellbar: Turn 3", "bounce"),
        ("Subject: failure notice", "bounce"),
        ("Received: x\n" * 41, "loop"),
    ],
)
def test_what_nobody_may_answer(head: str, reason: str) -> None:
    assert why(head) == reason


@pytest.mark.parametrize(
    "subject",
    [
        "Fuera de la oficina: Re: turn 3",
        "Estoy fuera de la oficina hasta el lunes",
        "Autorespuesta: turn 3",
        "Poza biurem: turn 3",
        "Nieobecność: Re: turn 3",
        "Informacja o nieobecności",
        "不在のお知らせ Re: turn 3",
        "【自動返信】turn 3",
        "自动回复: turn 3",
        "Автоответ: turn 3",
    ],
)
def test_notes_that_somebody_is_away_are_known_in_many_languages(subject: str) -> None:
    assert why(f"Subject: {subject}") == "absence"


@pytest.mark.parametrize(
    "body",
    [
        "This is an automated response. I am away until Monday.",
        "Automatic reply: thank you for your mail.",
        "Guten Tag, dies ist eine automatische Antwort.",
        "Ceci est un message automatique.",
        "Esta es una respuesta automática.",
        "To jest automatyczna odpowiedź.",
        "これは自動返信です。",
    ],
)
def test_a_letter_that_says_that_nobody_wrote_it_is_a_machines(body: str) -> None:
    head = "From: Ann <ann@example.org>\nSubject: Re: turn 3\nContent-Type: text/plain; charset=utf-8"
    assert read(head, body).automatic == "auto-reply"
    assert read(head, f"> {body}\nside: west\nmove:\n- odo to 0712\n").automatic == ""


def test_a_letter_to_many_is_a_machines_only_where_it_says_more() -> None:
    head = "From: Ann <ann@example.org>\nSubject: Re: turn 3\nPrecedence: bulk"
    orders = "side: west\nmove:\n- odo to 0712\n"
    assert read(head, "I am out of the office until Monday.").automatic == "bulk"
    for body in (
        orders,
        f"I am on holiday until Monday, so here they are.\n\n{orders}",
        "Yes, I play.",
        "When is the deadline?",
    ):
        assert read(head, body).automatic == ""


def test_a_person_may_speak_of_automatic_replies() -> None:
    head = "From: Ann <ann@example.org>\nSubject: Re: turn 3"
    for body in (
        "Your automatic reply says that odo cannot get there. Why?",
        "I am on holiday until Monday, please wait.",
    ):
        assert read(head, body).automatic == ""


@pytest.mark.parametrize(
    "head",
    [
        "Subject: Turn 3",
        "Auto-Submitted: no",
        "Auto-Submitted: NO (person)",
        "Auto-Submitted:",
        "X-Auto-Response-Suppress: All",
        "X-Autoreply: no",
        "Precedence: list\nList-Id: Siege <siege.example.org>",
        "Precedence: bulk\nList-Post: <mailto:siege@example.org>",
        "Precedence: bulk\nSender: owner-siege@example.org",
        "Precedence: bulk\nSender: Siege <siege-bounces+ann=x@example.org>",
        "Precedence: bulk",
        "Precedence: normal",
        "Subject: Fuera de juego",
        "Subject: Ausente",
        "Subject: Poza zasięgiem",
        "Subject: 不在中の命令",
        "List-Unsubscribe: <mailto:x@example.org>",
        "Subject: Re: Automatic reply: Turn 3",
        "Subject: Out of office next week, so here are my orders",
        "Subject: Auto-da-fé",
        "Subject: Automatic crossbow?",
        "Subject: Absent friends",
        "Subject: My digest of the rules, number 3",
        "Subject: Delivery of my orders",
        "Subject: Warning: I attack",
        "Subject: Re: Undeliverable: Turn 3",
        "Subject: Auto orders",
        "Subject: [Siege] orders",
        "From: noreen@example.org",
        "From: bounceland@example.org",
        "From: reply@example.org",
        "From: daemon@example.org",
        "Received: x\n" * 39 + "X: y",
        "Content-Type: multipart/mixed; boundary=B",
        "X-Loop: siege@example.org",
    ],
)
def test_letters_of_people(head: str) -> None:
    assert why(head) == ""


# --- who


@pytest.mark.parametrize(
    ("field", "address", "name"),
    [
        ("ann@example.org", "ann@example.org", ""),
        ("<ann@example.org>", "ann@example.org", ""),
        ("Ann <Ann@Example.ORG>", "ann@example.org", "Ann"),
        ('"Ann, of Ford" <ann@example.org>', "ann@example.org", "Ann, of Ford"),
        ('"bob@example.org" <ann@example.org>', "ann@example.org", "bob@example.org"),
        ("bob@example.org <ann@example.org>", "ann@example.org", "bob@example.org"),
        (
            "bob@example.org)carl@example.org <ann@example.org>",
            "ann@example.org",
            "bob@example.orgcarl@example.org",
        ),
        ("ann@example.org (Ann)", "ann@example.org", "Ann"),
        ("ann@example.org (Ann (of (Ford)))", "ann@example.org", "Ann (of (Ford))"),
        ("(bob@example.org) ann@example.org", "ann@example.org", "bob@example.org"),
        ("=?utf-8?Q?J=C3=BCrgen?= <j@example.org>", "j@example.org", "Jürgen"),
        ("=?utf-8?B?SsO8cmdlbg==?= =?utf-8?B?IE0=?= <j@example.org>", "j@example.org", "Jürgen M"),
        ('"=?utf-8?Q?J=C3=BCrgen?=" <j@example.org>', "j@example.org", "Jürgen"),
        ("=?x-nope?Q?J=C3=BC?= <j@example.org>", "j@example.org", "=?x-nope?Q?J=C3=BC?="),
        ("=?utf-8?Q?bob=40example.org=2C?= <ann@example.org>", "ann@example.org", "bob@example.org,"),
        ("Players:ann@example.org;", "ann@example.org", ""),
        ("Ann\t<ann@example.org>", "ann@example.org", "Ann"),
        ("Ann <ann@example.org", "ann@example.org", "Ann"),
        ('Ann "the <ann@example.org>', "ann@example.org", "Ann the"),
        ("<@relay.example.org,@b.example.org:ann@example.org>", "ann@example.org", ""),
        ("ann@[192.0.2.1]", "ann@[192.0.2.1]", ""),
        ("mailto:ann@example.org", "ann@example.org", ""),
        ("ann@localhost", "ann@localhost", ""),
        ("ann+code@example.org", "ann+code@example.org", ""),
        ("ann@bücher.example", "ann@bücher.example", ""),
        ("Ann ann@example.org", "ann@example.org", "Ann"),
        ("'ann@example.org' <ann@example.org>", "ann@example.org", "ann@example.org"),
        ("A\u202enn\u200b <ann@example.org>", "ann@example.org", "Ann"),
        ("ann @ example.org", "", ""),
        ("ann@example.org, bob@example.org", "", ""),
        ("ann@example.org; bob@example.org", "", ""),
        ("<ann@example.org> <bob@example.org>", "", ""),
        ("ann@example.org bob@example.org", "", ""),
        ("Ann", "", ""),
        ("<>", "", ""),
        ("ann@", "", ""),
        ("@example.org", "", ""),
        ("ann@exa mple.org", "", ""),
        ("ann@example..org", "", ""),
        ("a,b@example.org", "", ""),
        ("an\u200bn@example.org", "", ""),
        ("undisclosed-recipients:;", "", ""),
        ("ann@" + "a" * 300, "", ""),
        ("a" * 70 + "@example.org", "", ""),
        ("x" * 3_000 + " <ann@example.org>", "", ""),
        ("(" * 1_900, "", ""),
        ("(" * 1_900 + ")" * 90 + " ann@example.org", "", ""),
        ('"\\' * 900, "", ""),
        ("<" * 1_900, "", ""),
    ],
)
def test_the_sender(field: str, address: str, name: str) -> None:
    got = read(f"From: {field}")
    assert got.sender == address
    if address:
        assert got.sender_name == name
        assert got.refused == ()
    else:
        assert got.sender_name == ""
        assert got.refused[0].code in ("mail.no-sender", "mail.several-senders")


def test_exactly_one_sender() -> None:
    got = read("From: ann@example.org\nFrom: ann@example.org")
    assert got.sender == ""
    assert [problem.code for problem in got.refused] == ["mail.several-senders"]
    assert [problem.code for problem in read("Subject: x").refused] == ["mail.no-sender"]
    assert read("Sender: ann@example.org\nReply-To: ann@example.org").sender == ""


def test_eight_bit_fields() -> None:
    assert read("From: Jürgen <j@example.org>".encode()).sender_name == "Jürgen"
    assert read("From: Jürgen <j@example.org>".encode("latin-1")).sender_name == "Jürgen"
    assert read(b"From: \xff\xfe\x80 <j@example.org>").sender == "j@example.org"


def test_to_whom_and_where_to() -> None:
    to = "To: X <Umpire+K7@Example.org>, Group: b@c.org, d@e.org;, broken\nCc: b@c.org\nDelivered-To: f@g.org"
    got = read(f"From: a@b.org\n{to}\nReply-To: h@i.org")
    assert got.to == ("umpire+k7@example.org", "b@c.org", "d@e.org", "f@g.org")
    assert got.reply_to == "h@i.org"
    assert read("From: a@b.org\nReply-To: h@i.org, j@k.org").reply_to == ""
    many = read("From: a@b.org\nTo: " + ", ".join(f"a{number}@b.org" for number in range(20_000)))
    assert 50 < len(many.to) <= 200


# --- what about


@pytest.mark.parametrize(
    ("field", "subject"),
    [
        ("Turn 3", "Turn 3"),
        ("  Turn \r\n\t3 ", "Turn 3"),
        ("=?utf-8?B?UmU6IFp1ZyAz?=", "Re: Zug 3"),
        ("=?UTF-8?q?a_b?= =?utf-8?Q?c?=", "a bc"),
        ("=?utf-8?Q?a?= b =?utf-8?Q?c?=", "a b c"),
        ("x=?utf-8?Q?a?=y", "xay"),
        ("=?utf-8?B?w4M=?= =?utf-8?B?w4I=?=", "ÃÂ"),
        ("=?iso-2022-jp?B?GyRCTD9OYRsoQg==?=", "命令"),
        ("=?utf-8*de?Q?gr=C3=BCn?=", "grün"),
        ("=?utf-8?B?A?=", ""),
        ("=?utf-8?X?A?=", "=?utf-8?X?A?="),
        ("=?nope?Q?A?=", "=?nope?Q?A?="),
        ("=?unicode_escape?Q?=5Cx41?=", "=?unicode_escape?Q?=5Cx41?="),
        ("a\u202eb\u200bc", "abc"),
        ("=?utf-8?Q?a=0D=0ABcc=3A_x?=", "a Bcc: x"),
        ("=?utf-8?Q?a=00b?=", "ab"),
        ("", ""),
    ],
)
def test_the_subject(field: str, subject: str) -> None:
    assert read(f"From: a@b.org\nSubject: {field}").subject == subject


def test_one_letter_parted_between_two_words() -> None:
    assert headers.words("=?utf-8?B?w?= =?utf-8?B?7w=?=") == headers.words("=?utf-8?B?w?= =?utf-8?B?7w=?=")
    assert headers.words("=?utf-8?Q?=C3?= =?utf-8?Q?=BC?=") == "ü"


def test_a_long_subject_is_cut() -> None:
    got = read("From: a@b.org\nSubject: " + "=?utf-8?Q?a?= " * 4_000)
    assert 0 < len(got.subject) <= headers.LONGEST


@pytest.mark.parametrize(
    ("field", "name"),
    [
        ("<a@b>", "<a@b>"),
        ("a@b", "<a@b>"),
        ("<[b378@microsoft.com]>", "<[b378@microsoft.com]>"),
        (" (x) <a@b> <c@d>", "<a@b>"),
        ("<a b>", ""),
        ("<a\r\nb>", ""),
        ("<ä@b>", ""),
        ("<" + "a" * 600 + ">", ""),
        ("x", ""),
        ("", ""),
    ],
)
def test_the_name_of_a_letter(field: str, name: str) -> None:
    assert read(f"From: a@b.org\nMessage-ID: {field}").id == name


def test_threads_and_lists() -> None:
    many = " ".join(f"<{number}@example.org>" for number in range(300))
    got = read(
        f"From: a@b.org\nIn-Reply-To: Your letter of Monday <x@y> and more\nReferences: {many}\nList-Id: "
        "Siege games <Siege.Example.org>"
    )
    assert got.in_reply_to == "<x@y>"
    assert len(got.references) == 50
    assert got.references[-1] == "<299@example.org>"
    assert got.list_id == "siege.example.org"
    assert (
        read("From: a@b.org\nList-Id: siege.example.org\nDate: Mon, 1 Jan\u202e 2026").list_id
        == "siege.example.org"
    )
    assert read("From: a@b.org\nDate: Mon, 1 Jan\u202e 2026").date == "Mon, 1 Jan 2026"


# --- anything at all


@given(st.text(max_size=200))
def test_any_field_is_read(text: str) -> None:
    field = text.encode("utf-8", "surrogatepass").replace(b"\n", b" ")
    got = read(b"From: " + field + b"\nSubject: " + field + b"\nTo: " + field + b"\nMessage-ID: " + field)
    for said in (got.sender, got.sender_name, got.subject, got.id, *got.to):
        assert "\n" not in said
        assert "\r" not in said
        assert "\0" not in said
    assert got.sender.count("@") in (0, 1)


@given(st.integers(0, 10_000))
def test_any_mixture_of_the_signs_of_addresses_is_read(seed: int) -> None:
    chance = random.Random(seed)
    text = "".join(
        chance.choice(["<", ">", "(", ")", '"', "\\", ",", ";", ":", "@", "a", " ", "b.c", "=?utf-8?Q?a?="])
        for _ in range(60)
    )
    for mailbox in addresses.mailboxes(text):
        if mailbox is not None:
            assert mailbox.address.count("@") == 1
            assert not set(mailbox.address) & set('<>()",;:\\ ')
