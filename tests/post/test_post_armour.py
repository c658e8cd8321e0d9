"""The armour of signed orders: what mail programs do to a text, and what has to be noticed."""

from __future__ import annotations

import quopri
import random
import re
import textwrap
import time

import pytest
from handmade import codes_of, found, signed

from pbem.post.lines.message import NOTHING, ORDERS
from pbem.post.orders import armour
from pbem.post.orders.armour import BEGIN, END, BadArmour

DATA, SIGNATURE = signed("side: west\nmove:\n- odo to 0712\nmessage: Grüße – it’s ours\n")
PLAIN = armour.encode(DATA, SIGNATURE)


def quoted_printable(text: str) -> str:
    return quopri.encodestring(text.encode(), quotetabs=True).decode()


def flowed(text: str) -> str:
    """Return a text with spaces at the line ends, by which programs join lines."""
    return text.replace("\n", " \n")


HARM = {
    "nothing": lambda text: text,
    "carriage returns": lambda text: text.replace("\n", "\r\n"),
    "quoted-printable that nobody undid": quoted_printable,
    "soft line ends of quoted-printable": lambda text: "=\n".join(
        textwrap.wrap(text, 40, drop_whitespace=False, replace_whitespace=False)
    ),
    "pluses as codes": lambda text: text.replace("+", "=2B").replace("/", "=2f"),
    "flowed": flowed,
    "all in one line": lambda text: text.replace("\n", " "),
    "all in one line without spaces": lambda text: text.replace("\n", ""),
    "narrow lines": lambda text: "\n".join(textwrap.wrap(text, 33)),
    "spaces in front": lambda text: textwrap.indent(text, "    "),
    "tabs in front": lambda text: textwrap.indent(text, "\t"),
    "spaces of other kinds": lambda text: text.replace("\n", "\u00a0\n").replace(" ", "\u00a0"),
    "empty lines between": lambda text: text.replace("\n", "\n\n"),
    "marks of quotation": lambda text: textwrap.indent(text, "> "),
    "two marks of quotation": lambda text: textwrap.indent(text, ">> "),
    "marks as entities": lambda text: textwrap.indent(text, "&gt; "),
    "signs that nobody sees": lambda text: (
        "\u200b".join(text.split("\n")[0:1]) + text[len(text.split("\n")[0]) :].replace("A", "A\u200b")
    ),
    "long dashes": lambda text: text.replace("-----", "—--"),
    "the sum in capitals": lambda text: re.sub("crc (.*)", lambda sum_: "CRC " + sum_[1].upper(), text),
    "words around": lambda text: f"Hello,\nthese are mine:\n\n{text}\nBob",
}


@pytest.mark.parametrize("name", HARM)
def test_what_programs_do_to_a_text_does_no_harm(name):
    inside = armour.decode(HARM[name](PLAIN))
    assert (inside.data, inside.signature) == (DATA, SIGNATURE)


@pytest.mark.parametrize("one", [name for name in HARM if "quotation" not in name and "entities" not in name])
def test_it_is_found_in_a_letter(one):
    got = found(HARM[one](PLAIN))
    assert (got.kind, codes_of(got)) == (ORDERS, [])
    assert (got.data, got.signature) == (DATA, SIGNATURE)
    assert got.repairs == ()


def test_lines_are_narrow_and_without_signs_that_are_coded():
    for line in PLAIN.split("\n"):
        assert len(line) <= 64
        assert "=" not in line
        assert not line.startswith((">", "From ", "."))
    assert PLAIN.startswith(BEGIN + "\n")
    assert PLAIN.endswith(END + "\n")


@pytest.mark.parametrize("size", [0, 1, 2, 3, 4, 47, 48, 49, 5_000])
def test_any_bytes_come_back(size):
    data = random.Random(size).randbytes(size)
    if size:
        assert armour.decode(armour.encode(data)).data == data
    inside = armour.decode(armour.encode(data, SIGNATURE))
    assert (inside.data, inside.signature) == (data, SIGNATURE)


def test_without_a_signature_there_is_none():
    assert armour.decode(armour.encode(DATA)).signature is None
    got = found(armour.encode(DATA))
    assert (got.kind, got.data, got.signature) == (ORDERS, DATA, None)


def lines_of_base64() -> list[int]:
    lines = PLAIN.split("\n")
    return list(range(1, lines.index(next(line for line in lines if line.startswith("crc")))))


@pytest.mark.parametrize("at", lines_of_base64())
def test_a_lost_line_is_noticed(at):
    lines = PLAIN.split("\n")
    del lines[at]
    with pytest.raises(BadArmour) as bad:
        armour.decode("\n".join(lines))
    assert bad.value.reason in ("crc", "form")


def test_any_changed_letter_is_noticed():
    chance = random.Random(1)
    places = [at for at, sign in enumerate(PLAIN) if sign.isalnum() and len(BEGIN) < at < PLAIN.index("crc")]
    for at in chance.sample(places, 200):
        other = chance.choice([sign for sign in "abcXYZ059+/" if sign != PLAIN[at]])
        with pytest.raises(BadArmour):
            armour.decode(PLAIN[:at] + other + PLAIN[at + 1 :])


BROKEN = {
    "without its end": (PLAIN.replace(END, ""), "cut"),
    "without its sum": (re.sub("crc .*\n", "", PLAIN), "form"),
    "with another sum": (re.sub("crc .*", "crc 00000000", PLAIN), "crc"),
    "with words in the middle": (PLAIN.replace("\n", "\nHello, Ada!\n", 2), "form"),
    "with nothing in it": (f"{BEGIN}\n{END}\n", "form"),
    "with a sum and nothing else": (f"{BEGIN}\ncrc 00000000\n{END}\n", "form"),
    "too long": (f"{BEGIN}\n" + "A" * (armour.MOST + 1) + f"\ncrc 00000000\n{END}\n", "long"),
    "much too long": (f"{BEGIN}\n" + "A" * 400_000 + f"\ncrc 00000000\n{END}\n", "long"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_why_it_cannot_be_opened(name):
    text, reason = BROKEN[name]
    with pytest.raises(BadArmour) as bad:
        armour.decode(text)
    assert bad.value.reason == reason
    got = found(text)
    assert (got.kind, got.data) == (NOTHING, b"")
    assert codes_of(got) == [f"mail.armour-{reason}"]


def test_a_text_without_armour_has_none():
    with pytest.raises(BadArmour):
        armour.decode("side: west")
    assert armour.spans("side: west") == []


def test_armour_in_a_quotation_is_a_quotation():
    quoted = "yes\n\nOn Thu, 19 Nov 2026 at 21:12, Bob <bob@example.org> wrote:\n" + textwrap.indent(
        PLAIN, "> "
    )
    got = found(quoted)
    assert (got.kind, got.data) == (NOTHING, b"")


def test_the_older_armour_in_the_quotation_is_not_the_one_that_counts():
    older, former = signed("side: west\nmove:\n- odo to 0101\n", slot=7)
    got = found(
        PLAIN
        + "\nOn Thu, 19 Nov 2026 at 21:12, Bob <bob@example.org> wrote:\n"
        + textwrap.indent(armour.encode(older, former), "> ")
    )
    assert (got.data, got.signature) == (DATA, SIGNATURE)


def test_two_armours_that_differ_are_refused():
    other, signature = signed("side: west\nmove:\n- odo to 0101\n")
    got = found(PLAIN + "\n" + armour.encode(other, signature))
    assert (got.kind, codes_of(got)) == (NOTHING, ["mail.two-files"])


def test_the_same_armour_twice_is_one():
    assert found(PLAIN + "\n" + PLAIN).data == DATA


def test_the_readable_orders_above_it_are_for_people():
    got = found("side: west\nmove:\n- odo to 0101\n\n" + PLAIN)
    assert (got.data, got.signature) == (DATA, SIGNATURE)


def test_orders_that_were_changed_after_they_were_signed_are_refused():
    got = found(armour.encode(DATA.replace(b"0712", b"0713"), SIGNATURE))
    assert (got.kind, codes_of(got)) == (NOTHING, ["mail.signed-broken"])


def test_a_file_in_armour_with_a_wrong_header_is_refused():
    got = found(armour.encode(DATA.replace(b"#slot 8\n", b""), SIGNATURE))
    assert (got.kind, codes_of(got)) == (NOTHING, ["mail.signed-header"])


@pytest.mark.parametrize(
    "text",
    [
        BEGIN * 5_000,
        (BEGIN + "\n") * 5_000,
        BEGIN + "=" * 200_000,
        BEGIN + "> " * 100_000 + END,
        (BEGIN + "A" + END) * 3_000,
        "-" * 200_000,
    ],
)
def test_hostile_armour_takes_no_time(text):
    begun = time.process_time()
    got = found(text)
    assert got.kind == NOTHING
    assert time.process_time() - begun < 5
