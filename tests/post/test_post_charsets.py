"""Which characters bytes are: marks, what was declared, what was declared wrongly, and what was never
declared.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.post.mail import charsets

FRENCH = "Réponse de Chloé – « déjà » 5 € d’août"
GERMAN = "Grüße aus Köln, größte Straße"


def codes(data: bytes, declared: str = "") -> tuple[str, list[str]]:
    text, assumed = charsets.decode(data, declared)
    return text, [problem.code for problem in assumed]


@pytest.mark.parametrize(
    ("declared", "known"),
    [
        ("utf-8", "utf-8"),
        ("UTF8", "utf-8"),
        ("utf-8;x", "utf-8"),
        ('"utf-8"', "utf-8"),
        ("'utf-8'", "utf-8"),
        ("utf-8; format=flowed", "utf-8"),
        ("utf-8http-equivcontent-type", "utf-8"),
        ("us-ascii", "cp1252"),
        ("ansi_x3.4-1968", "cp1252"),
        ("ISO-8859-1", "cp1252"),
        ("iso8859-1", "cp1252"),
        ("iso_8859-1", "cp1252"),
        ("latin1", "cp1252"),
        ("windows-1252", "cp1252"),
        ("windows-1252http-equivcontent-type", "cp1252"),
        ("Windows1252", "cp1252"),
        ("cp-850", "cp850"),
        ("ibm850", "cp850"),
        ("iso-8859-15", "iso8859-15"),
        ("iso-8859-8-i", "iso8859-8"),
        ("windows-1250", "cp1250"),
        ("windows-1257", "cp1257"),
        ("koi8-r", "koi8-r"),
        ("macintosh", "mac-roman"),
        ("x-mac-roman", "mac-roman"),
        ("gb2312", "gb18030"),
        ("GBK", "gb18030"),
        ("ks_c_5601-1987", "cp949"),
        ("iso-2022-jp", "iso2022_jp"),
        ("x-sjis", "cp932"),
        ("unicode-1-1-utf-7", "utf-7"),
        ("x-unknown", ""),
        ("unknown-8bit", ""),
        ("x-nope", ""),
        ("default", ""),
        ("binary", ""),
        ("idna", ""),
        ("punycode", ""),
        ("unicode_escape", ""),
        ("raw_unicode_escape", ""),
        ("undefined", ""),
        ("rot13", ""),
        ("zlib", ""),
        ("base64", ""),
        ("mbcs", ""),
        ("", ""),
        ("a" * 1_000_000, ""),
        ("utf-8\0", "utf-8"),
        ("../../etc/passwd", ""),
        ("utf\ud800", ""),
    ],
)
def test_names(declared: str, known: str) -> None:
    assert charsets.known(declared) == known


@pytest.mark.parametrize(
    "codec",
    [
        "utf-8",
        "iso-8859-15",
        "windows-1250",
        "windows-1252",
        "windows-1257",
        "macintosh",
        "utf-16",
        "utf-7",
        "gb18030",
        "cp850",
    ],
)
def test_what_is_declared_rightly_is_read_and_nothing_is_assumed(codec: str) -> None:
    text = GERMAN
    assert codes(text.encode("mac-roman" if codec == "macintosh" else codec), codec) == (text, [])


@pytest.mark.parametrize("codec", ["koi8-r", "windows-1251", "iso-8859-5", "mac-cyrillic", "utf-8"])
def test_cyrillic(codec: str) -> None:
    assert codes("Привет, ход третий".encode(codec), codec) == ("Привет, ход третий", [])


@pytest.mark.parametrize("codec", ["iso-2022-jp", "shift_jis", "euc-jp", "utf-8"])
def test_japanese(codec: str) -> None:
    assert codes("命令 - odo to 0713".encode(codec), codec) == ("命令 - odo to 0713", [])


def test_latin_1_and_ascii_mean_windows() -> None:
    data = "it’s “fine” – 5 €".encode("cp1252")
    for declared in ("iso-8859-1", "us-ascii", "windows-1252"):
        assert codes(data, declared) == ("it’s “fine” – 5 €", [])
    assert codes(data) == ("it’s “fine” – 5 €", ["mail.charset-none"])


def test_utf_8_wins_over_what_is_declared_and_is_said() -> None:
    assert codes(FRENCH.encode(), "iso-8859-1") == (FRENCH, ["mail.charset-wrong"])
    assert codes(FRENCH.encode(), "us-ascii") == (FRENCH, ["mail.charset-wrong"])
    assert codes(FRENCH.encode(), "x-nope") == (FRENCH, ["mail.charset-wrong"])
    assert codes(FRENCH.encode()) == (FRENCH, [])


def test_a_byte_order_mark_decides_and_goes() -> None:
    for codec in ("utf-8-sig", "utf-16", "utf-32"):
        assert codes(FRENCH.encode(codec), "koi8-r") == (FRENCH, [])
    assert codes(b"\xfe\xff" + FRENCH.encode("utf-16-be")) == (FRENCH, [])


def test_utf_16_without_its_mark() -> None:
    assert codes("move:\r\n- odo".encode("utf-16-le")) == ("move:\r\n- odo", ["mail.charset-guessed"])
    assert codes("move:\r\n- odo".encode("utf-16-be")) == ("move:\r\n- odo", ["mail.charset-guessed"])
    assert codes("move:".encode("utf-16-be"), "utf-16") == ("move:", [])
    assert codes("move:".encode("utf-16-le"), "utf-16") == ("move:", [])


def test_a_set_that_nobody_knows() -> None:
    assert codes(GERMAN.encode("cp1252"), "x-nope") == (GERMAN, ["mail.charset-unknown"])
    assert codes(b"plain", "x-nope") == ("plain", [])


def test_what_is_no_utf_8_though_it_says_so() -> None:
    assert codes(GERMAN.encode("cp1252"), "utf-8") == (GERMAN, ["mail.charset-wrong"])
    assert codes(GERMAN.encode("cp1252"), "utf-16") == (GERMAN, ["mail.charset-wrong"])


def test_lines_of_two_sets() -> None:
    data = f"{FRENCH}\n".encode() + f"{GERMAN}\n".encode("cp1252")
    assert codes(data, "utf-8") == (f"{FRENCH}\n{GERMAN}\n", ["mail.charset-mixed"])
    assert codes(data) == (f"{FRENCH}\n{GERMAN}\n", ["mail.charset-mixed"])


def test_bytes_that_do_not_exist_in_a_set_are_shown_as_such() -> None:
    text, assumed = codes(b"\xd2a\xff\xd2", "iso-8859-7")
    assert "\ufffd" in text
    assert assumed == ["mail.charset-broken"]
    assert codes(b"a\x81\x8d b\xfc", "windows-1252") == ("a\x81\x8d bü", [])


def test_utf_7_only_where_it_is_declared() -> None:
    assert codes(b"a +AOk- b", "utf-7") == ("a é b", [])
    assert codes(b"a +AOk- b", "utf-8") == ("a +AOk- b", [])
    assert codes(b"1 + 1 = 2", "utf-7") == ("1 + 1 = 2", [])


def test_what_was_encoded_twice_is_said() -> None:
    twice = FRENCH.encode().decode("cp1252").encode()
    text, assumed = codes(twice, "utf-8")
    assert text == twice.decode()
    assert assumed == ["mail.charset-twice"]
    assert codes("Ã la carte, Âge".encode(), "utf-8")[1] == []


def test_a_page_names_its_set_itself() -> None:
    assert charsets.of_page(b'<html><meta charset="koi8-r">') == "koi8-r"
    assert (
        charsets.of_page(b'<META http-equiv=Content-Type content="text/html; charset=windows-1250">')
        == "windows-1250"
    )
    assert charsets.of_page(b"<meta charset=''>") == ""
    assert charsets.of_page(b"charset=koi8-r") == ""


SETS = [
    "",
    "utf-8",
    "utf-7",
    "utf-16",
    "utf-32",
    "gb18030",
    "iso-2022-jp",
    "x",
    "euc-kr",
    "hz",
    "cp037",
    "johab",
]


@given(st.binary(max_size=300), st.sampled_from(SETS))
def test_any_bytes_become_characters(data: bytes, declared: str) -> None:
    text, _ = charsets.decode(data, declared)
    assert charsets.decode(data, declared)[0] == text
    text.encode("utf-8", "surrogatepass")


@given(st.text(max_size=80))
def test_any_name_is_looked_up(name: str) -> None:
    assert isinstance(charsets.known(name), str)


@given(st.text(alphabet=st.characters(blacklist_categories=("Cs",)), max_size=200))
def test_utf_8_is_read_as_it_was_written(text: str) -> None:
    bare = text.lstrip("\ufeff").replace("\0", "")
    assert charsets.decode(bare.encode(), "utf-8")[0] == bare
