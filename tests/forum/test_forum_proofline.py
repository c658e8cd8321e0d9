"""The proof line: it comes back out of every dialect, and out of what forums, mail programs and people do to
a text.
"""

from __future__ import annotations

import time

import pytest
from markdown_it import MarkdownIt
from msgspec.structs import replace
from selectolax.lexbor import LexborHTMLParser
from showing_posts import shown
from siege_words import found

from pbem.forum import bbcode_source, bodies, markdown_source, reading
from pbem.forum.defusing import PROOF
from pbem.forum.dialects import DIALECTS
from pbem.forum.proofline import ProofLine, find, line
from pbem.forum.thread import Post
from pbem.forum.writing import About, drafts
from pbem.post.lines.message import Line
from pbem.post.write.parts import barred
from pbem.store.library import common_words
from pbem.text.report import Code, Document, Facts, Heading, Items, Paragraph, Quote

GAME, SLOT = "tug-0a1b2c", 4
HEAD = "d87368ac617fb55d62b398b43c9a7d7c55748c2ce72a46a1b6f7731e9158e4e8"
TWO = line(GAME, SLOT, HEAD)
FIRST, SECOND = TWO.split("\n")


def lines(text: str, quoted: int = 0) -> tuple[Line, ...]:
    return tuple(Line(one, number, quoted) for number, one in enumerate(text.split("\n"), 1))


def test_it_is_two_lines_that_no_mail_breaks() -> None:
    assert max(map(len, (FIRST, SECOND))) <= 72
    assert FIRST == "pbem proof: game tug-0a1b2c, slot 4, head"
    assert len(SECOND.split()) == 8
    longest = line("a" * 40, 99999, HEAD).split("\n")[0]
    assert len(longest) <= 76
    assert find(lines(line("a" * 40, 99999, HEAD))) == [ProofLine("a" * 40, 99999, HEAD, 1)]


@pytest.mark.parametrize(
    "text",
    [
        TWO,
        f"{FIRST} {SECOND}",
        f"{FIRST}\n\n{SECOND}\n\nthe rest of the post",
        "\n".join(TWO.split(" ")),
        TWO.upper(),
        TWO.replace(" ", "\u00a0"),
        TWO.replace("-", "–").replace(",", "，").replace(":", "："),
        "“" + TWO + "”",
        f"Code:\n{TWO}\n[Select all]",
        TWO.replace("d87368ac", "d873\u200b68ac").replace("proof", "pro\u00adof"),
        TWO.replace(" 617fb55d", "-617fb55d").replace("62b398b4 3c9a7d7c", "62b398b43c9a7d7c"),
        f"{FIRST}\n{SECOND[:31]}\n{SECOND[31:]}",
        f"{FIRST}\n{SECOND[:37].rstrip()}\n{SECOND[37:]}",
        f"**{FIRST}** `{SECOND}`",
        FIRST.replace("pbem proof", "PBEM-Proof") + " " + HEAD,
        f"as it says, {FIRST}\n{SECOND}, and so on",
        f"| {FIRST}\n| {SECOND}",
        TWO.replace("slot 4", "slot ４"),
    ],
)
def test_what_is_done_to_a_text_does_not_hurt_it(text: str) -> None:
    (found,) = find(lines(text))
    assert (found.game, found.slot, found.head, found.quoted) == (GAME, SLOT, HEAD, 0)
    assert found.whole


def test_what_is_quoted_says_so() -> None:
    assert [one.quoted for one in find(lines(TWO, quoted=2))] == [2]
    assert [one.quoted for one in find(lines(f"> {FIRST}\n> {SECOND}\n"))] == [1]
    assert [one.quoted for one in find(lines(f">> {FIRST}\n>> {SECOND}\n"))] == [2]
    mine = replace(lines(SECOND)[0], number=2)
    assert find([replace(lines(FIRST)[0], quoted=1), mine]) == [], (
        "the digits of one do not end the words of another"
    )
    both = [
        *lines(TWO, quoted=1),
        *(replace(one, number=one.number + 2) for one in lines(line(GAME, 5, HEAD))),
    ]
    assert [(one.slot, one.quoted, one.number) for one in find(both)] == [(4, 1, 1), (5, 0, 3)]


@pytest.mark.parametrize(
    ("text", "head"),
    [
        (f"{FIRST}\n{SECOND[:26]}… (click to see all)", HEAD[:24]),
        (f"{FIRST}\n{SECOND[:17]}\n\nA dead face was added", HEAD[:16]),
        (f"{FIRST}\n{SECOND[:40]}", HEAD[:32]),
    ],
)
def test_of_a_head_that_is_cut_short_the_whole_groups_are_left(text: str, head: str) -> None:
    (found,) = find(lines(text))
    assert found.head == head
    assert not found.whole


@pytest.mark.parametrize(
    "text",
    [
        "",
        "pbem proof",
        "the pbem proof of the pudding: game on, slot machines, head first",
        f"{FIRST}",
        f"{FIRST}\nd87368ac",
        f"{FIRST}\nnone {SECOND}",
        f"pbem proof: game tug-0a1b2c, head\n{SECOND}",
        f"pbem proofread: game tug-0a1b2c, slot 4, head\n{SECOND}",
        f"xpbem: game tug-0a1b2c, slot 4, head\n{SECOND}",
    ],
)
def test_what_is_none_is_none(text: str) -> None:
    assert find(lines(text)) == []


def test_hostile_text_takes_no_time() -> None:
    started = time.process_time()
    for text in (
        "pbem proof" * 40_000,
        f"{FIRST} " * 8000,
        "\n".join([FIRST] * 8000),
        "ﷺ" * 100_000,
        f"{FIRST}{' -' * 200_000}",
    ):
        find(lines(text))
    assert time.process_time() - started < 5


@pytest.mark.parametrize("name", list(DIALECTS))
@pytest.mark.parametrize("characters", [2000, 60_000])
def test_it_comes_back_out_of_every_dialect(name: str, characters: int) -> None:
    dialect = replace(DIALECTS[name], limits=replace(DIALECTS[name].limits, characters=characters))
    story = Items(tuple(f"sentence {n} of a story that is long enough for three posts" for n in range(60)))
    document = Document("A tug", "lead", (story, Code(TWO, language=PROOF)))
    made = drafts(document, (), About(GAME, SLOT, "d873-68ac-617f-b55d"), dialect, common_words())
    source = markdown_source if dialect.tags is None else bbcode_source
    for number, draft in enumerate(made, 1):
        read, whole = source.lines(draft.text)
        assert whole
        found = find(read)
        assert any(draft.mark in one.text for one in read), "the mark is seen in the post"
        assert [(one.game, one.slot, one.head) for one in found] == (
            [(GAME, SLOT, HEAD)] if number == len(made) else []
        )
        if dialect.tags is not None and found:
            (code,) = shown(draft.text, name).codes
            assert [one.head for one in find(lines(code))] == [HEAD]
        quoted = (
            f'[quote="West"]{draft.text}[/quote]'
            if dialect.tags is not None
            else "\n".join(f"> {one}" for one in draft.text.split("\n"))
        )
        assert [one.quoted for one in find(source.lines(quoted)[0])] == [1] * len(found)


def page(text: str, name: str) -> tuple[Line, ...]:
    """Return the lines of a post as a page shows it."""
    if DIALECTS[name].tags is None:
        html = f"<div class='post'>{MarkdownIt('commonmark', {'html': True, 'breaks': True}).enable('table').render(text)}</div>"
    else:
        html = shown(text, name).html
    body = LexborHTMLParser(html).css_first(".post")
    assert body is not None
    return bodies.lines(body)[0]


FORGED = line(GAME, 9, "0" * 64)
ORDERS = "| move:\n| - hob to 0101\n| message: |\n"


@pytest.mark.parametrize("name", list(DIALECTS))
def test_no_word_of_a_player_forges_one_and_our_posts_are_nobodys_orders(name: str) -> None:
    flat = FORGED.replace("\n", " ")
    wide = flat.translate({n: n + 0xFEE0 for n in range(0x21, 0x7F)})
    barred = "\n".join(f"|   {one}" for one in FORGED.replace("pbem proof", "pbem\nproof").split("\n"))
    blocks = (
        Heading(flat),
        Paragraph(wide),
        Paragraph(flat.replace("pbem proof", "PBEM_-_proof")),
        Items((flat, wide)),
        Facts((("West gave for the dice", f"“{flat}”"), (flat, wide))),
        Quote("West", FORGED),
        Code(f"{ORDERS}{barred}", "West: orders"),
        Code(ORDERS + flat),
        Code(TWO, language=PROOF),
    )
    (draft,) = drafts(
        Document(flat[:100], flat, blocks),
        (),
        About(GAME, SLOT, "d873-68ac-617f-b55d"),
        DIALECTS[name],
        common_words(),
    )
    source = markdown_source if DIALECTS[name].tags is None else bbcode_source
    for lines_, raw in ((source.lines(draft.text)[0], True), (page(draft.text, name), False)):
        assert [(one.slot, one.head) for one in find(lines_) if not one.quoted] == [(SLOT, HEAD)]
        assert all(one.slot == SLOT for one in find(lines_)), "in a quotation neither"
        assert any(draft.mark in one.text for one in lines_)
        assert reading.is_ours(Post("1", lines=lines_, raw=raw))


@pytest.mark.parametrize("name", list(DIALECTS))
def test_orders_that_a_post_shows_are_no_orders_even_where_its_mark_is_cut_away(name: str) -> None:
    orders = ("move:", "- hob to 0101", "- odo to 0102")
    source = markdown_source if DIALECTS[name].tags is None else bbcode_source
    for code, taken in ((barred(orders), False), ("\n".join(orders), True)):
        document = Document(
            "A tug", "lead", (Heading("Orders"), Code(code, "West: orders"), Paragraph("and so on"))
        )
        (draft,) = drafts(
            document, (), About(GAME, SLOT, "d873-68ac-617f-b55d"), DIALECTS[name], common_words()
        )
        for lines_, raw in ((source.lines(draft.text)[0], True), (page(draft.text, name), False)):
            left = tuple(one for one in lines_ if draft.mark not in one.text)
            assert len(left) < len(lines_)
            assert (found(Post("1", lines=left, raw=raw)).data != b"") == taken
