"""Letters taken apart: every shape a mail program sends, and what is broken about real ones; read as a good
mail program reads them.
"""

from __future__ import annotations

import base64
import quopri
import re
from pathlib import Path

import pytest

import pbem
from pbem.post.lines.message import HTML, PLAIN, Message, Text
from pbem.post.mail import mime
from pbem.text.source import FILES
from pbem.text.source import read as read_yaml
from pbem.text.words import Words

WORDS = Words(
    read_yaml(
        (Path(pbem.__file__).parent / "words" / "en-post.yaml").read_bytes(), "en-post.yaml", limits=FILES
    ).data
)
ORDERS = "side: west\nmove:\n- odo to 0713\n- hal to 0101\n"
HEAD = "From: Ann <ann@example.org>\nTo: umpire@example.org\nSubject: Turn 3\n"


def read(raw: bytes | str) -> Message:
    """Read a letter without the net beneath it, so that a fault of ours is seen."""
    return mime._read(raw.encode() if isinstance(raw, str) else raw)


def said(message: Message, number: int = 0) -> str:
    """Return one of a letter's texts, its quoted lines marked by ``|``."""
    return "\n".join("|" * line.quoted + line.text for line in message.texts[number].lines)


def codes(message: Message) -> list[str]:
    return [problem.code for problem in message.refused]


def parts(*bodies: str, kind: str = "mixed", more: str = "") -> str:
    """Return a multipart: each body has its header with it."""
    inside = "".join(f"--B\n{body}\n" for body in bodies)
    return (
        f"{HEAD}MIME-Version: 1.0\nContent-Type: multipart/{kind}; boundary=B{more}\n\nnobody reads this\n"
        f"{inside}--B--\nnor this\n"
    )


def plain(text: str = ORDERS, more: str = "") -> str:
    return f"Content-Type: text/plain; charset=utf-8{more}\n\n{text}"


def page(text: str, more: str = "") -> str:
    return f"Content-Type: text/html; charset=utf-8{more}\n\n{text}"


def attached(name: str, text: str = ORDERS, kind: str = "application/octet-stream") -> str:
    return (
        f'Content-Type: {kind}; name="{name}"\nContent-Disposition: attachment; filename="{name}"\n'
        f"Content-Transfer-Encoding: base64\n\n{base64.b64encode(text.encode()).decode()}"
    )


# --- shapes


def test_the_plainest_letter() -> None:
    got = read(HEAD + "\n" + ORDERS)
    assert said(got) + "\n" == ORDERS
    assert [line.number for line in got.texts[0].lines] == [1, 2, 3, 4]
    assert len(got.texts) == 1
    assert got.texts[0].kind == PLAIN
    assert (got.sender, got.sender_name, got.subject, got.refused) == ("ann@example.org", "Ann", "Turn 3", ())


def test_of_two_ways_to_say_it_plain_comes_first() -> None:
    got = read(parts(plain("plain"), page("<p>page"), kind="alternative"))
    assert [(text.kind, said(got, number)) for number, text in enumerate(got.texts)] == [
        (PLAIN, "plain"),
        (HTML, "page"),
    ]
    turned = read(parts(page("<p>page"), plain("plain"), kind="alternative"))
    assert [text.kind for text in turned.texts] == [PLAIN, HTML]


def test_an_empty_plain_part_beside_a_page_is_not_taken_for_the_letter() -> None:
    got = read(parts(plain("\n\n"), page("<p>page"), kind="alternative"))
    assert [text.kind for text in got.texts if any(line.text for line in text.lines)] == [HTML]


def test_a_text_around_a_picture_is_one_text() -> None:
    picture = (
        "Content-Type: image/png; name=map.png\nContent-Disposition: inline\nContent-Transfer-Encoding: "
        "base64\n\niVBORw0KGgo="
    )
    got = read(parts(plain("move:\n- odo to 0713\n"), picture, plain("- hal to 0101")))
    assert said(got) == "move:\n- odo to 0713\n- hal to 0101"
    assert [line.number for line in got.texts[0].lines] == [1, 2, 3]
    assert got.files == ()
    assert got.refused == ()


def test_the_footer_of_a_list_begins_a_line_of_its_own() -> None:
    footer = (
        'Content-Type: text/plain; charset="us-ascii"\nContent-Disposition: inline\n\n____________\nlist '
        "mailing list\n"
    )
    got = read(parts(plain("- odo to 0713"), footer))
    assert said(got) == "- odo to 0713\n____________\nlist mailing list"


def test_a_page_with_a_plain_footer_keeps_both_and_begins_with_the_page() -> None:
    got = read(parts(page("<div>move:</div>"), plain("____\nlist")))
    assert [(text.kind, said(got, number)) for number, text in enumerate(got.texts)] == [
        (HTML, "move:"),
        (PLAIN, "____\nlist"),
    ]


def test_apple_puts_files_into_the_page() -> None:
    inner = (
        "Content-Type: multipart/mixed; boundary=C\n\n--C\n"
        + page("<div>a</div>")
        + "\n--C\n"
        + attached("west.yaml")
        + "\n--C\n"
        + page("<div>b</div>")
        + "\n--C--"
    )
    got = read(parts(plain("a\nb"), inner, kind="alternative"))
    assert [file.name for file in got.files] == ["west.yaml"]
    assert said(got, 0) == "a\nb"
    assert said(got, 1) == "a\nb"
    assert got.texts[1].kind == HTML


def test_related_signed_and_reported_letters_show_their_text() -> None:
    for kind in ("related", "signed", "report", "digest-of-my-own", "form-data", "parallel"):
        got = read(
            parts(
                plain(),
                "Content-Type: application/pgp-signature; name=signature.asc\n\n-----BEGIN PGP "
                "SIGNATURE-----\n",
                kind=kind,
            )
        )
        assert said(got) + "\n" == ORDERS
        assert got.files == ()


def test_a_forwarded_letter_is_somebody_elses_words() -> None:
    inner = (
        "Content-Type: message/rfc822\n\nFrom: Bob <bob@example.org>\nSubject: old\n\nmove:\n- odo to 0713\n"
    )
    got = read(parts(plain("see below"), inner))
    assert said(got) == "see below\n|move:\n|- odo to 0713"
    assert got.sender == "ann@example.org"
    assert codes(got) == []


def test_files_of_a_forwarded_letter_are_not_taken() -> None:
    inside = (
        f"From: b@example.org\nContent-Type: multipart/mixed; boundary=C\n\n--C\n{plain('old')}\n--C\n"
        f"{attached('west.yaml')}\n--C--\n"
    )
    got = read(parts(plain("see below"), f"Content-Type: message/rfc822\n\n{inside}"))
    assert said(got) == "see below\n|old"
    assert got.files == ()
    assert [(problem.code, problem.args["name"]) for problem in got.refused] == [
        ("mail.forwarded", "west.yaml")
    ]


def test_encrypted_letters_are_refused() -> None:
    for raw in (
        parts(
            "Content-Type: application/pgp-encrypted\n\nVersion: 1",
            "Content-Type: application/octet-stream\n\n-----BEGIN PGP MESSAGE-----",
            kind="encrypted",
        ),
        HEAD
        + (
            "Content-Type: application/pkcs7-mime; smime-type=enveloped-data; name=smime.p7m\n"
            "Content-Transfer-Encoding: base64\n\nMIAG\n"
        ),
        HEAD + "\n-----BEGIN PGP MESSAGE-----\n\nhQEMA\n-----END PGP MESSAGE-----\n",
    ):
        got = read(raw)
        assert codes(got) == ["mail.encrypted"]
        assert got.files == ()


# --- flowed text


def test_flowed_text_is_tried_put_together_and_then_as_it_travelled() -> None:
    got = read(
        HEAD
        + (
            "Content-Type: text/plain; format=flowed\n\nnote: one two \nthree\n- odo to 0713 \n- hal to "
            "0101\n  indented\n"
        )
    )
    assert [text.flowed for text in got.texts] == [True, False]
    assert said(got, 0) == "note: one two three\n- odo to 0713\n- hal to 0101\n indented"
    assert said(got, 1) == "note: one two \nthree\n- odo to 0713 \n- hal to 0101\n  indented"


def test_flowed_text_without_anything_to_put_together_is_there_once() -> None:
    got = read(HEAD + "Content-Type: text/plain; format=flowed\n\na\nb\n")
    assert [text.flowed for text in got.texts] == [False]


# --- files


@pytest.mark.parametrize(
    "header",
    [
        'Content-Type: application/octet-stream\nContent-Disposition: attachment; filename="west.yaml"',
        "Content-Type: application/octet-stream; name=west.YAML",
        "Content-Type: application/x-yaml; name*=utf-8''west.yaml",
        'Content-Type: application/x-yaml\nContent-Disposition: attachment;\n filename*0="we";\n '
        'filename*1="st.yaml"',
        "Content-Type: application/x-yaml\nContent-Disposition: attachment;\n "
        "filename*0*=iso-8859-1'de'we;\n filename*1*=st%2Eyaml",
        'Content-Type: application/octet-stream; name="=?utf-8?B?d2VzdC55YW1s?="',
        'Content-Type: image/png; name="west.yaml"',
        'Content-Type: text/plain; name="west.yaml"\nContent-Disposition: inline',
        'Content-Type: application/octet-stream; name="..\\\\..\\\\west.yaml"',
        'Content-Type: application/octet-stream; name="../../etc/west.yaml"',
        'content-type: APPLICATION/OCTET-STREAM ; NAME = "west.yaml" ',
        'Content-Disposition: attachment; filename=west.yaml; size=17; creation-date="x; y"',
        "Content-Type: application/octet-stream\nContent-Description: west.yaml",
        "Content-Disposition: attachment\nContent-Location: west.yaml",
    ],
)
def test_a_file_is_found_however_its_name_is_written(header: str) -> None:
    got = read(parts(plain("hello"), f"{header}\n\n{ORDERS}"))
    assert [file.name.lower() for file in got.files] == ["west.yaml"]
    assert got.files[0].data == ORDERS.encode()
    assert said(got) == "hello"
    text = got.files[0].text
    assert isinstance(text, Text)
    assert text.name == got.files[0].name


def test_a_file_of_its_own_type_needs_no_name() -> None:
    got = read(parts(plain("hello"), f"Content-Type: text/yaml\n\n{ORDERS}"))
    assert [file.name for file in got.files] == ["unnamed.yaml"]
    alone = read(HEAD + "Content-Type: application/yaml\n\n" + ORDERS)
    assert [file.data for file in alone.files] == [ORDERS.encode()]
    assert alone.texts == ()


def test_a_text_that_is_attached_without_a_name_is_a_file() -> None:
    got = read(parts(plain("hello"), "Content-Type: text/plain\nContent-Disposition: attachment\n\nx"))
    assert [(file.name, file.data) for file in got.files] == [("unnamed.txt", b"x")]


def test_a_letter_that_calls_itself_an_attachment_is_a_letter() -> None:
    assert said(read(HEAD + "Content-Type: text/plain\nContent-Disposition: attachment\n\nhello")) == "hello"


def test_what_exchange_made_of_a_piece_of_text_is_text_again() -> None:
    got = read(
        parts(
            plain("a"),
            "Content-Type: text/plain; name=ATT00001.txt\nContent-Disposition: attachment; "
            "filename=ATT00001.txt\n\nb",
        )
    )
    assert said(got) == "a\nb"
    assert got.files == ()


def test_the_bytes_of_a_file_are_those_that_were_sent() -> None:
    data = bytes(range(256)) * 3 + b"\r\n \t\n\n"
    quoted = quopri.encodestring(data).decode("ascii")
    for encoding, text in (("base64", base64.encodebytes(data).decode()), ("quoted-printable", quoted)):
        raw = parts(
            plain("a"),
            "Content-Type: application/octet-stream; name=o.sig\n"
            f"Content-Transfer-Encoding: {encoding}\n\n{text}",
        )
        got = read(raw)
        assert got.files[0].data.rstrip() == data.rstrip()
    raw = parts(plain("a"), "Content-Type: application/octet-stream; name=o.sig\n\nx \n\n")
    assert read(raw).files[0].data == b"x \n\n"
    assert read(raw.replace("\n", "\r\n")).files[0].data == b"x \r\n\r\n"


def test_two_files_and_their_signatures_are_kept_in_turn() -> None:
    got = read(
        parts(
            plain("a"), attached("orders.txt"), attached("orders.txt.sig", "-----BEGIN SSH SIGNATURE-----\n")
        )
    )
    assert [file.name for file in got.files] == ["orders.txt", "orders.txt.sig"]


def test_pictures_and_cards_are_no_part_of_a_message_and_documents_are_named() -> None:
    got = read(
        parts(
            plain("a"),
            attached("map.png"),
            attached("me.vcf"),
            attached("orders.docx"),
            attached("orders.pdf"),
        )
    )
    assert got.files == ()
    assert [(problem.code, problem.args["name"]) for problem in got.refused] == [
        ("mail.file-kind", "orders.docx"),
        ("mail.file-kind", "orders.pdf"),
    ]


def test_a_file_that_is_no_text_is_said_so() -> None:
    got = read(parts(plain("a"), attached("orders.txt", "ab\0\1\2cd")))
    assert codes(got) == ["mail.file-no-text"]
    assert got.files[0].text is None


# --- what is broken


def test_line_ends_of_every_kind() -> None:
    raw = parts(plain("a\nb"), attached("west.yaml"))
    whole = read(raw)
    for changed in (
        raw.replace("\n", "\r\n"),
        raw.replace("\n", "\r"),
        raw.replace("\n", "\r\r\n"),
        raw.replace("\n", "\r\n", 4),
    ):
        got = read(changed)
        assert [
            line.text.rstrip("\r") for text in got.texts for line in text.lines if line.text.strip("\r")
        ] == ["a", "b"], changed
        assert got.files[0].data == whole.files[0].data
        assert got.sender == "ann@example.org"


def test_a_letter_from_an_mbox_and_one_with_lines_above_it() -> None:
    for above in ("From ann@example.org Mon Jan  1 10:00:00 2026\n", ">From x\nFrom y\n", "\n\n", "\ufeff"):
        got = read(above + HEAD + "\n" + ORDERS)
        assert (got.sender, said(got) + "\n") == ("ann@example.org", ORDERS)


def test_the_last_boundary_is_missing() -> None:
    raw = parts(plain("a"), attached("west.yaml")).partition("--B--")[0]
    got = read(raw)
    assert said(got) == "a"
    assert got.files[0].data == ORDERS.encode()


def test_an_inner_multipart_that_nobody_closed_ends_with_the_outer() -> None:
    inner = f"Content-Type: multipart/alternative; boundary=C\n\n--C\n{plain('a')}\n--C\n{page('<p>a')}"
    got = read(parts(inner, attached("west.yaml")))
    assert [text.kind for text in got.texts] == [PLAIN, HTML]
    assert [file.name for file in got.files] == ["west.yaml"]


def test_inner_and_outer_boundary_may_begin_alike_or_be_the_same() -> None:
    inner = f"Content-Type: multipart/alternative; boundary=BB\n\n--BB\n{plain('a')}\n--BB--"
    assert said(read(parts(inner, attached("w.yaml")))) == "a"
    same = f"Content-Type: multipart/alternative; boundary=B\n\n--B\n{plain('a')}\n--B--"
    got = read(parts(same, attached("w.yaml")))
    assert said(got) == "a"
    assert [file.name for file in got.files] == ["w.yaml"]


def test_a_boundary_that_is_not_named_or_named_wrongly_is_found() -> None:
    raw = parts(plain("a"), attached("west.yaml"))
    for changed in (
        raw.replace("; boundary=B", ""),
        raw.replace("; boundary=B", "; boundary=X"),
        raw.replace("; boundary=B", '; boundary="B'),
        raw.replace("; boundary=B", '; boundary="B "'),
        raw.replace("; boundary=B", " boundary=B"),
        raw.replace("Content-Type: multipart/mixed; boundary=B\n", "").replace(
            "nobody reads this", "This is a multi-part message."
        ),
        raw.replace("Content-Type: multipart/mixed", "Content-Type: multipart"),
        raw.replace("multipart/mixed; boundary=B", "multipart/mixed;\n\tboundary=B"),
    ):
        got = read(changed)
        assert said(got) == "a", changed
        assert [file.name for file in got.files] == ["west.yaml"]


def test_words_above_parts_that_no_header_names_are_kept() -> None:
    got = read(
        parts(plain("a"), attached("west.yaml")).replace("Content-Type: multipart/mixed; boundary=B\n", "")
    )
    assert said(got) == "nobody reads this\na"
    assert [file.name for file in got.files] == ["west.yaml"]


def test_a_multipart_without_parts_shows_what_it_has() -> None:
    assert said(read(HEAD + "Content-Type: multipart/mixed; boundary=B\n\nhello\n")) == "hello"


@pytest.mark.parametrize(
    "kind",
    [
        "text",
        "TEXT/PLAIN",
        "text/plain;",
        "text/plain; charset",
        "text/plain charset=utf-8",
        '"text/plain"',
        "",
        "; charset=utf-8",
        "text/plain\n\n",
    ],
)
def test_a_type_that_is_written_oddly(kind: str) -> None:
    assert said(read(f"{HEAD}Content-Type: {kind}\n\nhello")).strip() == "hello"


def test_a_blank_line_that_is_missing() -> None:
    assert said(read(HEAD + "Hello umpire\n\n" + ORDERS)) == "Hello umpire\n\n" + ORDERS.strip()
    got = read(parts(f"Content-Type: text/plain\n{ORDERS}", "hello", "\nhello again"))
    assert said(got) == ORDERS + "hello\nhello again"


def test_lines_in_a_header_that_are_none() -> None:
    assert read("Subject: a\n   \nFrom: ann@example.org\n\nhello").sender == "ann@example.org"
    assert said(read("From: ann@example.org\n \nmove:\n- odo")) == "move:\n- odo"
    assert read("Garbage line\nFrom: ann@example.org\n\nhello").sender == "ann@example.org"
    assert read("Fr om: bob@example.org\nFrom: ann@example.org\n\nhello").sender == "ann@example.org"
    inner = "Content-Type: multipart/mixed; boundary=BB\n--BB\nContent-Type: text/plain\n\nhello\n--BB--"
    assert said(read(parts(inner))) == "hello"
    assert said(read(parts("Content-Type: text/plain", plain("hello")))) == "hello"


def test_a_part_that_only_says_that_it_has_parts() -> None:
    assert said(read(parts(plain("a"), "Content-Type: multipart/alternative\n\nb"))) == "a\nb"


def test_a_digest_within_a_letter_of_a_list() -> None:
    inner = (
        "Content-Type: multipart/digest; boundary=C\n\n--C\n\nFrom: b@c.d\nSubject: x\n\nmove:\n- odo\n--C--"
    )
    got = read(parts(plain("today's topics"), inner))
    assert got.automatic == "digest"
    assert said(got) == "today's topics\n|move:\n|- odo"


def test_a_header_line_that_was_folded_without_its_blank() -> None:
    got = read("From: ann@example.org\nSubject: a long\nsubject indeed\nContent-Type: text/plain\n\nhello")
    assert (got.subject, said(got)) == ("a long subject indeed", "hello")


@pytest.mark.parametrize(
    "encoding",
    [
        "Quoted-Printable",
        "quoted-printable;",
        '"quoted-printable"',
        "quoted printable",
        " QUOTED-PRINTABLE\t",
    ],
)
def test_the_name_of_an_encoding_may_be_odd(encoding: str) -> None:
    assert said(read(f"{HEAD}Content-Transfer-Encoding: {encoding}\n\na=3Db =\nc")) == "a=b c"


def test_an_encoding_that_is_not_there() -> None:
    assert (
        said(read(f"{HEAD}Content-Transfer-Encoding: base64\n\nside: west\nmove:\n- odo to 0713\n"))
        == "side: west\nmove:\n- odo to 0713"
    )
    assert said(read(f"{HEAD}Content-Transfer-Encoding: 8-bit\n\na=3Db")) == "a=3Db"
    got = read(
        parts(plain("a=3Db"), kind="mixed").replace("MIME-Version: 1.0", "Content-Transfer-Encoding: base64")
    )
    assert said(got) == "a=3Db"


def test_base64_with_a_footer_below_it() -> None:
    body = (
        base64.encodebytes(ORDERS.encode()).decode()
        + "_______________________\nlist mailing list\nlist@example.org\n"
    )
    assert said(read(f"{HEAD}Content-Transfer-Encoding: base64\n\n{body}")) + "\n" == ORDERS


def test_base64_that_is_not_whole() -> None:
    whole = base64.b64encode(ORDERS.encode()).decode()
    head = "Content-Type: text/yaml; name=west.yaml\nContent-Transfer-Encoding: base64\n\n"
    for well in (
        whole.rstrip("="),
        whole.replace("c", "c\n "),
        whole[:40] + "!" + whole[40:],
        whole.rstrip("=") + "\n",
        f"{whole}\n--\nfooter",
    ):
        got = read(parts(plain("a"), head + well))
        assert [file.data for file in got.files] == [ORDERS.encode()], well
    for bad in (whole[:41], whole[:30] + "#?" + whole[31:38], whole[:10] + "=" + whole[12:]):
        got = read(parts(plain("a"), head + bad))
        assert codes(got) == ["mail.damaged"], bad
        assert got.files == ()
    got = read(f"{HEAD}Content-Transfer-Encoding: base64\n\n{whole[:41]}")
    assert (codes(got), got.texts) == (["mail.damaged-text"], ())
    assert (
        said(
            read(f"{HEAD}Content-Transfer-Encoding: base64\n\n{base64.b64encode(b'Hello World!').decode()}A")
        )
        == "Hello World!"
    )


def test_what_a_mac_adds_to_a_file_is_no_file() -> None:
    double = (
        "Content-Type: multipart/appledouble; boundary=C\n\n--C\nContent-Type: application/applefile; "
        "name=west.yaml\n\n\0\5\x16\7\n--C\n"
    )
    got = read(parts(plain("a"), double + attached("west.yaml") + "\n--C--"))
    assert [file.data for file in got.files] == [ORDERS.encode()]


def test_a_page_that_calls_itself_plain() -> None:
    got = read(HEAD + "Content-Type: text/plain\n\n<html><body><p>hello</p></body></html>")
    assert [(text.kind, said(got)) for text in got.texts] == [(HTML, "hello")]


def test_a_file_within_the_text() -> None:
    import binascii

    lines = b"".join(binascii.b2a_uu(ORDERS.encode()[at : at + 45]) for at in range(0, len(ORDERS), 45))
    got = read(HEAD.encode() + b"\nsee file\n\nbegin 644 west.yaml\n" + lines + b"`\nend\n")
    assert [(file.name, file.data) for file in got.files] == [("west.yaml", ORDERS.encode())]
    for other in (
        b"> hello\n",
        b"-----Original Message-----\n",
        b"From: Bob\n",
        b"On Monday, Bob wrote:\r\n",
    ):
        assert (
            read(HEAD.encode() + b"\n" + other + b"begin 644 west.yaml\n" + lines + b"`\nend\n").files == ()
        )


# --- bounds


def test_a_letter_that_is_too_big_is_read_as_far_as_its_whole_parts_go() -> None:
    raw = parts(
        plain("move:"),
        attached("west.yaml"),
        "Content-Type: image/jpeg\n\n" + "x" * mime.LONGEST,
        attached("east.yaml"),
    )
    got = read(raw)
    assert codes(got) == ["mail.too-big"]
    assert said(got) == "move:"
    assert [file.name for file in got.files] == ["west.yaml"]
    alone = read(HEAD + "\n" + "x" * mime.LONGEST)
    assert codes(alone) == ["mail.too-big"]
    assert (alone.texts, alone.sender) == ((), "ann@example.org")


def test_a_header_without_end() -> None:
    got = read(HEAD + "X-A: b\n" * 20_000 + "\nhello")
    assert codes(got) == ["mail.header-too-big"]
    assert (got.sender, got.texts) == ("", ())


def test_ten_thousand_parts() -> None:
    got = read(parts(*[plain("a")] * 10_000))
    assert codes(got) == ["mail.too-many-parts"]
    assert len(got.texts[0].lines) == 199


def test_two_thousand_levels() -> None:
    raw = (
        HEAD
        + "".join(f"Content-Type: multipart/mixed; boundary=B{n}\n\n--B{n}\n" for n in range(2_000))
        + plain("deep")
    )
    assert codes(read(raw)) == ["mail.too-deep"]
    raw = HEAD + "Content-Type: message/rfc822\n\n" * 2_000 + "hello"
    assert codes(read(raw)) == ["mail.too-deep"]


def test_a_hundred_thousand_lines() -> None:
    got = read(HEAD + "\n" + "a\n" * 100_000)
    assert codes(got) == ["mail.text-too-long"]
    assert len(got.texts[0].lines) <= 40_000
    got = read(HEAD + "Content-Type: text/html\n\n" + "<br>" * 100_000)
    assert codes(got) == ["mail.text-too-long"]


def test_nothing_at_all() -> None:
    for raw in (
        b"",
        b"\n",
        b"\0",
        b"--",
        b"From ",
        b":",
        b"a: b",
        b"\xff\xfe",
        b"Content-Type: multipart/mixed; boundary=\n\n--\n--\n--",
    ):
        assert read(raw).sender == ""
        assert "mail.no-sender" in codes(read(raw))


def test_a_fault_of_ours_stops_no_other_letter(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(raw: bytes) -> Message:
        raise RecursionError

    monkeypatch.setattr(mime, "_read", fails)
    assert codes(mime.read(b"From: a@b\n\nx")) == ["mail.unreadable"]


def test_every_problem_has_its_sentence() -> None:
    here = Path(mime.__file__).parent
    used = {
        code
        for path in here.rglob("*.py")
        for code in re.findall(r'"(mail\.[a-z0-9-]+)"', path.read_text("utf-8"))
    }
    assert len(used) > 25
    assert sorted(code for code in used if not WORDS.knows("problems", code)) == []
