"""Letters that say too little of their own shape, and letters whose end did not arrive: nothing is lost or
carried out without a word.
"""

from __future__ import annotations

import base64

import pytest
from handmade import codes_of
from siege_words import find

from pbem.post.lines.message import NOTHING, Found
from pbem.post.mail import mime

HEAD = (
    "From: Bob <bob@play.example>\nTo: umpire@ford.example\nSubject: Re: turn 2\nMessage-ID: "
    "<b2@play.example>\n"
)
ORDERS = "side: west\nluck: three left boots\nmove:\n- tudur to 0509\n"
OTHERS = "side: east\nluck: a cold wet stone\nmove:\n- leofred to 0707\n"


def found(raw: str | bytes) -> Found:
    return find(mime._read(raw.encode() if isinstance(raw, str) else raw))


# --- no Content-Type at all, as mail programs of the command line write it


@pytest.mark.parametrize(
    "head",
    [
        "-----Original Message-----",
        "---- On Mon, 16 Nov 2026 07:41:55 +0100 Ada Marsh <ada@ford.example> wrote ----",
        "-----Original Message-----\nFrom: Ada\n\n-----Original Message-----",
        "--------Original--------",
    ],
)
def test_what_stands_below_a_title_of_dashes_is_quoted_in_a_letter_that_names_no_type(head: str) -> None:
    for own in ("", "I will write tomorrow.\n\n"):
        got = found(f"{HEAD}\n{own}{head}\n\n{OTHERS}")
        assert (got.kind, got.data) == (NOTHING, b"")
    assert found(f"{HEAD}\n{ORDERS}\n{head}\n\n{OTHERS}").data == ORDERS.encode()


@pytest.mark.parametrize(
    "below",
    [
        "---\n\nBob\n",
        "--Bob\n\nsent by mailx\n",
        "--\n\nBob\n",
        "------------\n\nBob\n\n------------\n\nMiller & Sons\n",
    ],
)
def test_a_rule_below_the_orders_is_no_boundary_in_a_letter_that_names_no_type(below: str) -> None:
    assert found(f"{HEAD}\n{ORDERS}\n{below}").data == ORDERS.encode()


def test_orders_signed_in_the_clear_are_read_in_a_letter_that_names_no_type() -> None:
    signed = ORDERS.replace("- tudur", "- - tudur")
    body = (
        f"-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n{signed}-----BEGIN PGP SIGNATURE-----\n\n"
        "iQEz\n-----END PGP SIGNATURE-----\n"
    )
    assert found(f"{HEAD}\n{body}").data == ORDERS.encode()


def test_words_above_parts_that_the_header_does_not_name_are_not_thrown_away() -> None:
    parts = f"--=_part_1\nContent-Type: text/plain\n\n{OTHERS}\n--=_part_1--\n"
    assert found(f"{HEAD}\nThis is a multi-part message in MIME format.\n\n{parts}").data == OTHERS.encode()
    got = found(f"{HEAD}\n{ORDERS}\n{parts}")
    assert b"leofred" not in got.data
    assert got.data == ORDERS.encode() or codes_of(got)


# --- a line of blanks within a header


def test_a_line_of_blanks_within_a_header_does_not_end_it() -> None:
    kind = "MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n"
    body = base64.b64encode(ORDERS.encode()).decode()
    assert found(f"{HEAD}X-A: b\n \n\tmore\n{kind}\n{body}\n").data == ORDERS.encode()
    assert found(f"{HEAD}X-A: b\n \t\n more\n and more\n{kind}\n{body}\n").data == ORDERS.encode()


def test_a_line_of_blanks_ends_a_header_where_no_field_follows() -> None:
    indented = "".join(f"  {line}\n" for line in ORDERS.splitlines())
    assert found(f"{HEAD}X-A: b\n \n{indented}").data == ORDERS.encode()


# --- what did not arrive whole


PARTS = (
    "MIME-Version: 1.0\nContent-Type: multipart/alternative; boundary=b\n\n--b\nContent-Type: text/plain; "
    "charset=utf-8\n\n"
)
CUT = "side: west\nluck: three left boots\nfight:\n- meurig, iorwerth attack hereric"


def _held(got: Found) -> list[str]:
    return [problem.code for problem in got.held]


def test_orders_of_a_letter_whose_end_is_missing_are_held() -> None:
    got = found(f"{HEAD}{PARTS}{CUT}")
    assert (got.data.decode(), _held(got)) == (f"{CUT}\n", ["held.cut"])
    assert _held(found(f"{HEAD}{PARTS}{CUT}\n--b--\n")) == []
    page = "--b\nContent-Type: text/html\n\n<p>side: west"
    assert _held(found(f"{HEAD}{PARTS}{CUT}\n{page}")) == []  # the part that is read came whole


def test_orders_in_a_file_whose_end_is_missing_are_held() -> None:
    file = f'--b\nContent-Type: text/plain; name="west.yaml"\nContent-Disposition: attachment\n\n{CUT}'
    mixed = PARTS.replace("alternative", "mixed")
    got = found(f"{HEAD}{mixed}My orders.\n{file}")
    assert (got.where, _held(got)) == ("west.yaml", ["held.cut"])
    assert _held(found(f"{HEAD}{mixed}My orders.\n{file}\n--b--\n")) == []


@pytest.mark.parametrize("end", [1, 2])
def test_orders_in_base64_that_ends_within_a_sign_are_held(end: int) -> None:
    kind = "Content-Type: text/plain\nContent-Transfer-Encoding: base64\n"
    whole = base64.b64encode((CUT + "x" * (-len(CUT) % 3)).encode()).decode()
    got = found(f"{HEAD}{kind}\n{whole[:-end]}")
    assert (got.data[:10], _held(got)) == (b"side: west", ["held.cut"])
    assert _held(found(f"{HEAD}{kind}\n{whole}")) == []


def test_orders_in_quoted_printable_that_ends_within_a_sign_are_held() -> None:
    kind = "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n"
    assert _held(found(f"{HEAD}{kind}\n{ORDERS}message: mü=C")) == ["held.cut"]
    assert _held(found(f"{HEAD}{kind}\n{ORDERS}message: m=C3=BC")) == []


# --- what was sent before


def test_ones_own_old_letter_is_not_carried_out_because_it_is_attached() -> None:
    old = (
        "From: bob@play.example\nDate: Mon, 16 Nov 2026 07:41:55 +0100\nMessage-ID: <old@play.example>\n"
        f"Subject: Re: turn 1\n\n{ORDERS}"
    )
    file = (
        "--b\nContent-Type: message/rfc822\nContent-Disposition: attachment; filename=sent.eml\n\n"
        f"{old}--b--\n"
    )
    mixed = PARTS.replace("alternative", "mixed")
    got = found(f"{HEAD}{mixed}You said my orders came too late. Here is the proof.\n{file}")
    assert (got.kind, got.data) == (NOTHING, b"")
    assert "mail.sent-before" in codes_of(got)


def test_a_letter_that_a_filter_put_into_a_shell_is_the_letter_itself() -> None:
    inner = f"--b\nContent-Type: message/rfc822; x-spam-type=original\n\n{HEAD}\n{ORDERS}--b--\n"
    assert (
        found(
            f"{HEAD}X-Spam-Flag: YES\n{PARTS.replace('alternative', 'mixed')}Spam detection software\n{inner}"
        ).data
        == ORDERS.encode()
    )
