"""HTML as a person sees it, line by line; and whose words each line is, in the markup of
each mail program.
"""

from __future__ import annotations

import time
from functools import partial
from pathlib import Path

import pytest
import yaml
from counting import lines_run

from pbem.post.html import htmltokens, hypertext


def seen(page: str) -> str:
    """Return what is seen of a page; each ``|`` in front of a line is a level of somebody else's words."""
    lines, whole = hypertext.lines(page)
    assert whole
    assert [line.number for line in lines] == list(range(1, len(lines) + 1))
    return "\n".join("|" * line.quoted + line.text for line in lines)


def own(page: str) -> list[str]:
    """Return the lines that nobody else wrote."""
    return [line.text for line in hypertext.lines(page)[0] if not line.quoted and line.text]


# --- lines and blanks


@pytest.mark.parametrize(
    ("page", "lines"),
    [
        ("a", "a"),
        ("a<br>b<br/>c</br>d", "a\nb\nc\nd"),
        ("<div>a</div><div>b</div>", "a\nb"),
        ("<div>a<br></div><div>b</div>", "a\nb"),
        ("<div>a</div><div><br></div><div>b</div>", "a\n\nb"),
        ("<div>a</div><br><div>b</div>", "a\n\nb"),
        ("a<div>b</div>c", "a\nb\nc"),
        ("<p>a</p><p>b</p>", "a\n\nb"),
        ("<p>a<p>b", "a\n\nb"),
        ("<div>move:<p>- a</div>", "move:\n\n- a"),
        ('<p style="margin:0">a</p><p style="margin:0">b</p>', "a\nb"),
        ('<p class="x" style="margin-top:0;margin-bottom:0">a</p><p style="MARGIN-TOP: 0px">b</p>', "a\nb"),
        ("<style>P {margin-top:0;margin-bottom:0;}</style><p>a</p><p>b</p>", "a\nb"),
        ("  a \n\t b  ", "a b"),
        ("a<b> b</b> c", "a b c"),
        ("a <b> b</b>", "a b"),
        ("<div> a </div>\n\n<div> b</div>", "a\nb"),
        ("a&nbsp;&nbsp;b", "a  b"),
        ("<div>move:</div><div>&nbsp; - a</div>", "move:\n  - a"),
        ("<div>&nbsp;</div>", ""),
        ("<div>a</div><div>&nbsp;</div><div>b</div>", "a\n\nb"),
        ("a&amp;b &lt;c&gt; &#8217; &#x2019; &quot; &hellip;", 'a&b <c> ’ ’ " …'),
        ("a &amp b &#1; &#99999999999; &bogus; &#xFFFFFFFFFF;", "a & b \ufffd &bogus; \ufffd"),
        ("a < b, 3<4, <3, a<", "a < b, 3<4, <3, a<"),
        (
            "a<!-- b -->c<!--[if mso]><p>d</p><![endif]--><![if !mso]>e<![endif]><!doctype html><?xml x?>f",
            "acef",
        ),
        ("<pre>a\n  b\n\nc</pre>d", "a\n  b\n\nc\nd"),
        ("<pre>\na</pre>", "a"),
        ('<div style="white-space: pre-wrap">a\n  b   c</div>', "a\n  b   c"),
        ('<span style="white-space:pre">a  b</span> c', "a  b c"),
        ('<div style="white-space: pre-line">a  b\n c</div>', "a b\nc"),
        ('<pre style="white-space:normal">a\n  b</pre>', "a b"),
        ('a<span style="white-space:pre">\t</span>b', "a    b"),
        ("<h1>a</h1>b", "a\n\nb"),
        ("a<hr>b", "a\nb"),
        ("<span style='display:block'>a</span><span style='display:block'>b</span>", "a\nb"),
        ("<a href=x>a</a>, <font color=red>b</font><wbr>c<img alt=d>", "a, bc"),
        ("-- <br>ann", "-- \nann"),
        ("<div>--&nbsp;</div><div>ann</div>", "-- \nann"),
        ("<dl><dt>a<dd>b<dt>c</dl>", "a\n    b\nc"),
        ("<center>a</center><section>b</section><article>c</article>", "a\nb\nc"),
        ("<DIV>A</DIV><BR><P>B", "A\n\nB"),
        ("<div>a</div></div></p></table>b", "a\nb"),
        ("</body></html>a", "a"),
        ("<html><body>a</body></html><html><body>b</body></html>", "ab"),
        ('<div title="a > b">c</div>', "c"),
        ("<div title='a\"b' x=y/z>c</div>", "c"),
        ("<div a=1 a=2 =3 / >c</div>", "c"),
        ("a<div", "a"),
        ('a<div title="b', "a"),
        ("a</div", "a"),
        ("a<!-- b", "a"),
        ("a<o:p></o:p><st1:place>b</st1:place>", "ab"),
        ("\ufeffa", "\ufeffa"),
    ],
)
def test_lines(page: str, lines: str) -> None:
    assert seen(page) == lines


@pytest.mark.parametrize(
    ("page", "lines"),
    [
        ("move:<ul><li>a</li><li>b</li></ul>fight:", "move:\n- a\n- b\nfight:"),
        ("<ul><li>a<li>b</ul>", "- a\n- b"),
        ("<ol><li>a<li>b</ol>", "- a\n- b"),
        ("<ul><li><p>a</p></li><li><div>b</div></li></ul>", "- a\n- b"),
        ("<ul><li>a<br>b</li><li>c</li></ul>", "- a\n  b\n- c"),
        ("<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>", "- a\n  - b\n- c"),
        ("<ul><li>- a</li><li>–&nbsp;b</li><li>• c</li><li>-2 d</li></ul>", "- a\n– b\n• c\n- -2 d"),
        ("<ul><li></li><li>a</li></ul>b", "- a\nb"),
        ("<ul><li>&nbsp;a</li></ul>", "- a"),
        ('<ul style="list-style:none"><li style="list-style-type:none">a</li></ul>', "  a"),
        ("<li>a</li>b", "- a\nb"),
        ("<div>x<ul><li>a</div>b", "x\n- a\nb"),
    ],
)
def test_lists(page: str, lines: str) -> None:
    assert seen(page) == lines


def test_lists_of_word() -> None:
    item = (
        "<p class=MsoListParagraph style='margin-left:36.0pt;text-indent:-18.0pt;mso-list:l0 level{} "
        "lfo1'><![if !supportLists]>"
        "<span style='font-family:Symbol'><span style='mso-list:Ignore'>·<span style='font:7.0pt \"Times "
        "New Roman\"'>&nbsp;&nbsp;&nbsp;"
        "</span></span></span><![endif]>{}<o:p></o:p></p>"
    )
    page = (
        "<p class=MsoNormal>move:<o:p></o:p></p>"
        + item.format(1, "odo to 0713")
        + item.format(2, "then")
        + item.format(1, "hal to 0101")
    )
    assert (
        seen("<style>p.MsoNormal {margin:0cm}</style>" + page)
        == "move:\n- odo to 0713\n  - then\n- hal to 0101"
    )


@pytest.mark.parametrize(
    ("page", "lines"),
    [
        ("<table><tr><td>a</td><td>b</td></tr><tr><td>c</td><td>d</td></tr></table>", "a b\nc d"),
        ("<table><tr><td>a<td>b<tr><td>c<td>d</table>e", "a b\nc d\ne"),
        ("<table><tr><td><p>a</p></td><td><div>b</div></td></tr></table>", "a b"),
        ("<table><tr><td>a</td><td></td><td>b</td></tr></table>", "a b"),
        ("<table><tr><td></td><td>b</td></tr></table>", "b"),
        ("<table><tr><td>a<br>b</td><td>c</td></tr></table>", "a\nb\nc"),
        ("<table><tr><td><div>a</div><div>b</div></td></tr></table>c", "a\nb\nc"),
        ("<table>\n<tr>\n<td>\na\n</td>\n<td>\nb\n</td>\n</tr>\n</table>", "a b"),
        ("<table><tr><td><table><tr><td>a</td><td>b</td></tr></table></td></tr></table>c", "a b\nc"),
        (
            "<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>c</td></tr></tbody></table>",
            "a b\nc",
        ),
        ("<div>x</div><table><tr><td>a</td></tr></table>", "x\na"),
    ],
)
def test_tables(page: str, lines: str) -> None:
    assert seen(page) == lines


@pytest.mark.parametrize(
    "hidden",
    [
        '<div style="display:none">x</div>',
        '<span style="DISPLAY: none !important">x</span>',
        '<div style="display:none"><div>x<br>y</div></div>',
        '<div style="max-height:0;overflow:hidden">x</div>',
        '<div style="visibility:hidden">x</div>',
        '<div style="opacity:0">x</div>',
        '<div style="mso-hide:all">x</div>',
        '<div style="height:0px;overflow:hidden">x</div>',
        "<p hidden>x</p>",
        "<style>x</style>",
        "<SCRIPT>x</SCRIPT>",
        "<script>x<b>y</script>",
        "<title>x</title>",
        "<!-- x -->",
        "<!--[if mso]><div>x</div><![endif]-->",
        "<textarea>x</textarea>",
        "<select><option>x</select>",
        '<img alt="x">',
        '<input value="x">',
        "<object>x</object>",
        "<template>x</template>",
        "<svg><text>x</text></svg>",
    ],
)
def test_what_is_hidden_is_not_read(hidden: str) -> None:
    assert seen(f"<div>a</div>{hidden}<div>b</div>") == "a\nb"


def test_what_is_not_hidden_is_read() -> None:
    assert seen('<div style="opacity:0.5;max-height:09px;height:0px">a</div>') == "a"


@pytest.mark.parametrize(
    ("page", "lines"),
    [
        ('<div>move:</div><div style="margin-left:40px">- a</div>', "move:\n    - a"),
        (
            '<div>a</div><div style="padding-left:20px">b<div style="margin-left:2em">c</div></div>',
            "a\n  b\n     c",
        ),
        ("<p style='margin:0'>a</p><p style='margin:0 0 0 .5in'>b</p>", "a\n     b"),
        ('<div style="margin:20px"><div>a</div><div style="margin-left:20px">b</div></div>', "a\n  b"),
        ('<div style="margin-left:-40px">a</div>', "a"),
        ('<div>a</div><div style="margin-left:99999999em">b</div>', "a\n" + " " * 40 + "b"),
        (
            '<div>move:</div><blockquote style="margin:0 0 0 40px;border:none;padding:0px"><div>- '
            "a</div><div>- b</div></blockquote>",
            "move:\n    - a\n    - b",
        ),
        (
            '<blockquote class="gmail-webkit-indent-blockquote" style="margin: 0px 0px 0px 40px; border: '
            'none; padding:0">a</blockquote>b',
            "    a\nb",
        ),
        ('<blockquote type="cite" style="margin:0 0 0 40px;border:none;padding:0px">a</blockquote>', "|a"),
        ("<blockquote>a</blockquote>", "|a"),
    ],
)
def test_blocks_that_are_moved_to_the_right(page: str, lines: str) -> None:
    assert seen(page) == lines


# --- whose words

HEADER = (
    "<b>From:</b> Umpire &lt;u@example.org&gt;<br><b>Sent:</b> "
    "Monday<br><b>To:</b> Ann<br><b>Subject:</b> Turn 3<br>"
)
QUOTED = {
    client: page.replace("HEADER", HEADER)
    for client, page in yaml.safe_load(
        (Path(__file__).parent / "quoted_pages.yaml").read_text("utf-8")
    ).items()
}
GMAIL = QUOTED["gmail"].partition("<br>")[2].rpartition("</div>")[0]


@pytest.mark.parametrize("client", QUOTED)
def test_only_what_its_writer_wrote_is_his(client: str) -> None:
    assert own(QUOTED[client]) == ["mine"]
    assert "old" in seen(QUOTED[client])


@pytest.mark.parametrize("client", QUOTED)
def test_a_quotation_alone_is_nobodys_but_theirs(client: str) -> None:
    """Even where nothing stands above it, so that a wrapper looks empty."""
    assert own(QUOTED[client].replace("mine", "")) == []


def test_what_stands_below_a_quotation_is_its_writers_own() -> None:
    assert own(f"<div>a</div>{GMAIL}<div>b</div></div><div>c</div>") == ["a", "b", "c"]
    assert own('<blockquote type="cite">old</blockquote>b') == ["b"]
    assert own(
        '<div class="moz-cite-prefix">U wrote:</div><blockquote type="cite">old</blockquote><p>b</p>'
    ) == ["b"]


def test_lines_typed_below_a_quotation_in_gmail() -> None:
    line = '<div class="gmail_quote gmail_quote_container">{}</div>'
    page = GMAIL + "</div>" + line.format("<br>") + line.format("move:") + line.format("- odo to 0713")
    assert own(page) == ["move:", "- odo to 0713"]
    assert own(line.format("move:") + line.format("- odo to 0713")) == []
    assert own(page + line.format("---------- Forwarded message ---------<br>move:")) == [
        "move:",
        "- odo to 0713",
    ]


def test_answers_between_quotations() -> None:
    page = (
        '<div>a</div><blockquote type="cite">old</blockquote><div>b</div><blockquote '
        'type="cite">old</blockquote><div>c</div>'
    )
    assert seen(page) == "a\n|old\nb\n|old\nc"
    assert seen("<blockquote>x<blockquote>y</blockquote>z</blockquote>") == "|x\n||y\n|z"


def test_what_follows_the_header_of_outlook_ends_with_the_block_around_it() -> None:
    page = f'<div><div>mine</div><div id="divRplyFwdMsg">{HEADER}</div>old</div><div>footer of a list</div>'
    assert own(page) == ["mine", "footer of a list"]


def test_a_box_or_a_table_with_lines_quotes_nobody() -> None:
    assert own('<div style="border:1px solid red">a</div><div style="border-left:0 solid red">b</div>') == [
        "a",
        "b",
    ]
    assert own('<div style="border-style:solid;border-left-width:1px">a</div>') == ["a"]
    assert own('<table><tr><td style="border-left:1px solid red">a</td></tr></table>') == ["a"]
    assert own('<div style="border-left:1px solid red;border-right:1px solid red">a</div>') == ["a"]


# --- signatures


@pytest.mark.parametrize(
    "block",
    [
        '<div class="gmail_signature" data-smartmail="gmail_signature">Ann</div>',
        '<div id="Signature"><div>Ann</div></div>',
        '<div id="x_Signature">Ann</div>',
        '<div id="ms-outlook-mobile-signature">Ann</div>',
        '<div class="moz-signature">Ann</div>',
        '<div name="messageSignatureSection">Ann</div>',
        '<div data-signatureblock="true">Ann</div>',
        '<span id="AppleMailSignature">Ann</span>',
    ],
)
def test_a_signature_gets_its_line(block: str) -> None:
    assert seen(f"<div>mine</div>{block}") == "mine\n-- \nAnn"
    assert seen(f"<div>mine</div>{block}<blockquote>old</blockquote>") == "mine\n-- \nAnn\n|old"


def test_what_only_says_that_it_is_a_signature_gets_none() -> None:
    assert seen('<div class="gmail_signature">-- <br>Ann</div>') == "-- \nAnn"
    assert seen('<div>-- </div><div class="gmail_signature">Ann</div>') == "-- \nAnn"
    assert seen('<div id="Signature">move:<br>- odo to 0713</div>') == "move:\n- odo to 0713"
    assert seen('<div id="Signature">Ann</div><div>move:</div>') == "Ann\nmove:"
    assert seen('<div id="Signature">' + "a<br>" * 20 + "</div>").startswith("a\n")


# --- bounds


HOSTILE = {
    "nested": lambda size: "<div>" * (size // 5),
    "nested and closed": lambda size: "<div>" * (size // 10) + "</div>" * (size // 10),
    "unmatched ends": lambda size: (
        "<div>" * (size // 20) + "</span>" * (size // 20) + "<b>" * (size // 20) + "</i>" * (size // 20)
    ),
    "quotations": lambda size: "<blockquote>" * (size // 24) + "</blockquote>" * (size // 24),
    "frames": lambda size: '<div class="gmail_quote">' * (size // 50) + "</blockquote>" * (size // 50),
    "frames and quotations": lambda size: (
        '<div class="gmail_quote"><blockquote>a</blockquote>' * (size // 60)
    ),
    "marks": lambda size: '<div><div id="divRplyFwdMsg">' * (size // 30),
    "marks and words": lambda size: '<div>a<div id="divRplyFwdMsg">' * (size // 30),
    "items": lambda size: "<ul>" + "<span>" * (size // 20) + "<li></li>" * (size // 20),
    "lists": lambda size: "<ul><li>" * (size // 8),
    "tables": lambda size: "<table><tr><td>" * (size // 15),
    "paragraphs": lambda size: "<p><span>" * (size // 9),
    "open comments": lambda size: "<!--" * (size // 4),
    "open tags": lambda size: "<a " * (size // 3),
    "open quotes": lambda size: '<a b="' * (size // 6),
    "mixed quotes": lambda size: "<a b=\"<a b='" * (size // 12),
    "attributes": lambda size: "<a" + " b" * (size // 2) + ">",
    "blanks": lambda size: "<a" + " " * size + "x" * size,
    "angles": lambda size: "<" * size,
    "ends": lambda size: "</" * (size // 2),
    "entities": lambda size: "&" * size,
    "numbers": lambda size: "&#" + "9" * size + ";",
    "blank text": lambda size: " " * size + "a",
    "no-break": lambda size: "\u00a0" * size + "a",
    "scripts": lambda size: "<script>" * (size // 8),
    "style": lambda size: "<div style='" + "a:b;" * (size // 4) + "'>x</div>",
    "styles": lambda size: "".join(f"<div style='a:{number}'>x" for number in range(size // 20)),
    "signatures": lambda size: "".join('<div id="Signature">a</div>' for _ in range(size // 27)),
    "headings": lambda size: '<div class="gmail_quote">a<blockquote>b</blockquote></div>' * (size // 60),
    "pre": lambda size: "<pre>" + "\n" * size,
    "breaks": lambda size: "<br>" * (size // 4),
    "tight": lambda size: "p {" * (size // 3),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_the_work_grows_with_the_length_of_a_page(name: str) -> None:
    """Counted in lines of Python that are run, over pages of a length and of twice that."""
    once, twice = (lines_run(partial(hypertext.lines, HOSTILE[name](size))) for size in (12_000, 24_000))
    assert twice < 2.5 * once + 2_000


def test_no_expression_looks_twice_at_the_same_text() -> None:
    """What an expression does is not counted in lines: twice over it would take many minutes, here it takes a
    fraction of a second.
    """
    for name, make in HOSTILE.items():
        begun = time.process_time()
        hypertext.lines(make(100_000))
        assert time.process_time() - begun < 4, name


def test_too_many_tags_are_cut_and_said() -> None:
    lines, whole = hypertext.lines("<b>a</b>" * htmltokens.MOST)
    assert not whole
    assert len(lines) == 1
    assert hypertext.lines("<b>a</b>" * 10)[1]


# --- struck out and folded away


@pytest.mark.parametrize(
    "struck",
    [
        "<s>- b</s>",
        "<del>- b</del>",
        '<span style="text-decoration: line-through">- b</span>',
        '<span style="color:red; text-decoration-line:line-through">- b</span>',
        '<span style="text-decoration: line-through red"><b>- b</b></span>',
        '<span class="x gone">- b</span>',
        '<span id="Old">- b</span>',
        '<span class="away">- b</span>',
    ],
)
def test_what_somebody_struck_out_is_not_read(struck: str) -> None:
    rules = (
        ".gone, .other { text-decoration: line-through } span#old{text-decoration:line-through red} "
        ".away{display:none}"
    )
    sheet = f"<style>/* x */ {rules}</style>"
    assert own(f"{sheet}<div>- a</div><div>{struck}</div><div>- c</div>") == ["- a", "- c"]


def test_what_a_style_sheet_says_of_others_and_of_other_screens_strikes_nothing_out() -> None:
    sheet = (
        "<style>@media print { .x { display: none } } .y{text-decoration:line-through} .x .z{display:none} "
        "p{display:none}</style>"
    )
    assert own(f'{sheet}<p class="x">- a</p><p class="z">- b</p><p class="y2">- c</p>') == [
        "- a",
        "- b",
        "- c",
    ]


def test_what_is_folded_away_is_quoted_and_what_stands_open_is_not() -> None:
    assert own("<div>- a</div><details><summary>Earlier</summary><div>- b</div></details><div>- c</div>") == [
        "- a",
        "- c",
    ]
    assert own("<details open><div>- a</div></details>") == ["- a"]


def test_style_sheets_without_end_are_read_in_a_time_that_grows_with_them() -> None:
    for page in (
        "<style>" * 20_000,
        "<style>" + "a{" * 100_000,
        "<style>" + ".a,.b{color:red}" * 20_000 + "</style>x",
        "<style>/*" * 20_000,
    ):
        begun = time.process_time()
        hypertext.lines(page)
        assert time.process_time() - begun < 8
