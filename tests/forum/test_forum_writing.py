"""Posts out of a report: nothing of a player's words acts, every post is within the limits, nothing is lost,
the same makes the same.
"""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from msgspec.structs import replace
from showing_posts import ACTS, shown

from pbem.cli.forum import DIALECTS as TYPED
from pbem.forum.defusing import marked, plain, verbatim
from pbem.forum.dialects import DIALECTS, LEAST_LENGTH, Dialect, length
from pbem.forum.thread import Draft, Upload
from pbem.forum.writing import About, address_of, drafts
from pbem.store.library import common_words
from pbem.text.report import (
    Block,
    Code,
    Document,
    Facts,
    Heading,
    Image,
    Items,
    Paragraph,
    Quote,
    RollRow,
    RollTable,
)

ABOUT = About("tug-0a1b2c", 4, "d873-68ac-617f-b55d")
BBCODES = [name for name, dialect in DIALECTS.items() if dialect.tags is not None]
HEADS = ("name", "die", "reckoning", "table", "row", "result")
PICTURES = tuple(Upload(f"slot-4-{n}.png", b"png", f"Detail {n}", (1400, 900)) for n in range(1, 6))
HOSTILE = (
    "[b]bold[/b][/b]",
    "[/quote][/code][/spoiler][/list][/table]",
    "[\u200b/code\u200b]",
    "[ / code ]",
    "[img]http://evil.example/x.png[/img]",
    "[attachment=0]x[/attachment]",
    "[/details]",
    '[details="x"]',
    "[quote]",
    "@everyone and ＠ and someone@evil.com",
    "https://evil.example/x ftp://a.b",
    "www.evil.example",
    "//evil.example/x and http://evil.com",
    "well :) ;) :-( :D ;-P =) 8-) :'( :| :/ :? <3 o_O ^_^",
    "come to evil.com or evil.io/x",
    ":mad: :tada:",
    "#general ## head",
    "&#91;b&#93; &lt;b>",
    'West", post: 1, member: 2',
    "West;1234",
    "\u202egnp.x",
    "``` ` ```` ~~~",
    "| a | b |",
    "</details><script>alert(1)</script><!--",
    "![a](http://b) [c](javascript:d) <http://e>",
    "*b* _c_ ~~d~~ $e$",
    "- item",
    "1. one",
    "> quote",
    "    code",
    "=====",
    "---",
    "\\",
    "{x}{0}%s",
)


def rolled(text: str) -> RollRow:
    return RollRow(text, text, text, text, text, (text,), text, text)


def document(text: str) -> Document:
    """A report in which every word is somebody's."""
    blocks: tuple[Block, ...] = (
        Image("slot-4-1.png", text),
        Image("gone.png", text),
        Heading(text),
        Heading(text, 3),
        Paragraph(text),
        Items((text, text)),
        Facts(((text, text), (text, text))),
        RollTable(text, HEADS, (rolled(text), rolled(text))),
        Quote(text, f"{text}\n\n{text}\n{text}"),
        Code(f"{text}\n{text}"),
        Code(f"{text}\n{text}", text),
        Paragraph(text),
    )
    return Document(text, text, blocks)


def written(doc: Document, dialect: Dialect, pictures_at: str = "") -> tuple[Draft, ...]:
    return drafts(doc, PICTURES, ABOUT, dialect, common_words(), pictures_at=pictures_at)


def roomy(name: str) -> Dialect:
    return replace(DIALECTS[name], limits=replace(DIALECTS[name].limits, characters=100_000))


def bones(text: str) -> list[str]:
    """Return what Markdown makes of a text, without its words; details as Discourse reads
    them, line by line.
    """
    tokens = MarkdownIt("commonmark", {"breaks": True}).enable(["table", "strikethrough"]).parse(text)
    found = []
    for token in tokens:
        found.append(f"{token.type} {token.tag} {token.level}")
        found += [
            f"  {child.type}"
            for child in token.children or ()
            if child.type not in ("text", "softbreak", "text_special")
        ]
    return found + re.findall(r"^\[/?details", text, re.MULTILINE)


def prose(text: str) -> str:
    """Return the words of Markdown that are neither code nor an address of a picture."""
    found = []
    for token in MarkdownIt("commonmark").enable("table").parse(text):
        found += [child.content for child in token.children or () if child.type == "text"]
    return "\n".join(found)


@pytest.mark.parametrize("at", ["", "https://example.org/maps"])
@pytest.mark.parametrize("name", BBCODES)
def test_no_word_of_a_player_is_a_tag_in_bbcode(name: str, at: str) -> None:
    (innocent,) = written(document("a word"), roomy(name), at)
    wanted = shown(innocent.text, name)
    assert wanted.faults == []
    for text in (*HOSTILE, " ".join(HOSTILE)):
        (draft,) = written(document(text), roomy(name), at)
        for source in (draft.text, re.sub("[\u200b-\u200f\u2060\ufeff]", "", draft.text)):
            page = shown(source, name)
            assert page.faults == [], text
            assert [re.match(r"[a-z*]+", tag) for tag in page.tags] != [], text
            assert [re.split("[= ]", tag)[0] for tag in page.tags] == [
                re.split("[= ]", tag)[0] for tag in wanted.tags
            ], text
            assert len(page.codes) == len(wanted.codes)
            assert not ACTS.search("\n".join(page.texts)), text
        quotes = [tag for tag in page.tags if tag.startswith("quote")]
        assert all(not re.search("[,;:]", tag) and tag.count('"') in (0, 2) for tag in quotes), text


def test_no_word_of_a_player_is_markup_in_discourse() -> None:
    dialect = roomy("discourse")
    (innocent,) = written(document("a word"), dialect)
    wanted = bones(innocent.text)
    assert wanted.count("[details") == wanted.count("[/details") == 2
    for text in (*HOSTILE, " ".join(HOSTILE)):
        (draft,) = written(document(text), dialect)
        assert bones(draft.text) == wanted, text
        said = prose(draft.text)
        assert not ACTS.search(said.replace("upload://", "")), text
        assert not re.search(r"\w\.(?:com|io)\b|(?<!\w)#\w", said), text


def test_what_is_defused_still_reads_as_it_was_written() -> None:
    assert plain("[Red] Bob at 12:30") == "［Red］ Bob at 12:30"
    assert (
        plain("t1.us.melee/fight/hob/1 in file.yaml, 1.5 points")
        == "t1.us.melee/fight/hob/1 in file.yaml, 1.5 points"
    )
    assert plain("d2: t4: x") == "d2: t4: x"
    assert plain("at 12:30 (odds 3:1), well: (yes) 8) / x") == "at 12:30 (odds 3:1), well: (yes) 8) / x"
    assert plain("so :) http://a.b") == "so ：） http：／／a.b"
    assert plain("ask @bob at www.a.com") == "ask ＠bob at www．a．com"
    assert marked("2. hob* and_so") == "2\\. hob\\* and\\_so"
    assert verbatim("- {who: [hob, odo], do: attack}") == "- {who: [hob, odo], do: attack}"
    assert verbatim("[/CODE] and [ code]") == "［/CODE] and ［ code]"


def test_a_fence_is_longer_than_any_run_in_it() -> None:
    doc = Document("t", "", (Code("a\n````\nb"),))
    (draft,) = written(doc, DIALECTS["discourse"])
    assert "`````text\na\n````\nb\n`````" in draft.text


def test_an_address_ends_no_tag() -> None:
    assert (
        address_of("https://a.b/c]d[/img](e) f\"'", "x y.png")
        == "https://a.b/c%5Dd%5B/img%5D%28e%29%20f%22%27/x%20y.png"
    )


# --- pictures


def test_a_picture_is_shown_by_each_forums_own_way() -> None:
    doc = Document("t", "", tuple(Image(picture.name, picture.alt) for picture in PICTURES[:3]))
    said = {name: written(doc, dialect)[0] for name, dialect in DIALECTS.items()}
    assert [re.findall(r"attachment=(\d)\](.*?)\[", said["phpbb"].text)] == [
        [("2", "slot-4-1.png"), ("1", "slot-4-2.png"), ("0", "slot-4-3.png")]
    ], "phpBB counts from the newest, and they are uploaded in their order"
    assert "[ATTACH=CONFIG]slot-4-2.png[/ATTACH]\n[i]Detail 2[/i]" in said["vbulletin"].text
    assert '[ATTACH type="full" alt="Detail 2"]slot-4-2.png[/ATTACH]' in said["xenforo"].text
    assert "![Detail 2|690x444](upload://slot-4-2.png)" in said["discourse"].text
    assert all(
        [upload.name for upload in draft.uploads] == [p.name for p in PICTURES[:3]] for draft in said.values()
    )
    at = {name: written(doc, dialect, "https://a.b/maps/")[0] for name, dialect in DIALECTS.items()}
    assert "[img]https://a.b/maps/slot-4-1.png[/img]\n[i]Detail 1[/i]" in at["phpbb"].text
    assert '[IMG alt="Detail 1"]https://a.b/maps/slot-4-1.png[/IMG]' in at["xenforo"].text
    assert "![Detail 1|690x444](https://a.b/maps/slot-4-1.png)" in at["discourse"].text
    assert all(draft.uploads == () for draft in at.values())


def test_what_is_said_of_a_picture_is_cut() -> None:
    doc = Document("t", "", (Image("slot-4-1.png", "x" * 300), Image("gone.png", "y" * 300)))
    for dialect in DIALECTS.values():
        (draft,) = written(doc, dialect)
        assert "x" * 141 not in draft.text and "y" * 141 not in draft.text and "y" * 140 in draft.text


def test_pictures_are_spread_below_the_limit() -> None:
    doc = Document(
        "t",
        "",
        (Heading("Pictures"), *(Image(picture.name, picture.alt) for picture in PICTURES), Paragraph("end")),
    )
    made = written(doc, DIALECTS["phpbb"])
    assert [[upload.name for upload in draft.uploads] for draft in made] == [
        ["slot-4-1.png", "slot-4-2.png", "slot-4-3.png"],
        ["slot-4-4.png", "slot-4-5.png"],
    ]
    assert "[attachment=1]slot-4-4.png" in made[1].text
    assert "Pictures (continued)" in made[1].text


# --- splitting


def numbered(count: int, start: int = 0) -> tuple[str, ...]:
    return tuple(f"sentence {start + n} of the story which goes on for a while" for n in range(count))


def test_posts_are_cut_on_the_borders_of_blocks_and_say_their_heading_again() -> None:
    dialect = replace(DIALECTS["xenforo"], limits=replace(DIALECTS["xenforo"].limits, characters=2000))
    blocks: list[Block] = [
        Heading("First"),
        Items(numbered(20)),
        Items(numbered(20, 20)),
        Heading("Second"),
        Items(numbered(20, 40)),
    ]
    blocks += [RollTable("Rolls", HEADS, tuple(rolled(f"r{n}") for n in range(2))), Code("proof")]
    made = written(Document("A tug", "lead", tuple(blocks)), dialect)
    assert len(made) == 3
    for number, draft in enumerate(made, 1):
        assert draft.title == f"A tug ({number} of 3)"
        assert draft.text.startswith(f"[HEADING=1]A tug ({number} of 3)[/HEADING]")
        assert length(draft.text) <= 2000
        assert draft.mark in draft.text and f"post {number} of 3" in draft.mark
        assert shown(draft.text, "xenforo").faults == []
    assert "[HEADING=2]First (continued)[/HEADING]" in made[1].text
    assert "Second" not in made[1].text, "a heading goes with what is below it"
    assert "(continued)" not in made[2].text
    assert "proof" in made[2].text and "proof" not in made[0].text + made[1].text


def test_what_is_too_long_alone_is_closed_and_opened_again() -> None:
    dialect = replace(DIALECTS["xenforo"], limits=replace(DIALECTS["xenforo"].limits, characters=2000))
    orders = "\n".join(f"| - hob to {n:04}" for n in range(300))
    made = written(Document("t", "", (Heading("Orders"), Code(orders, "West: orders"))), dialect)
    assert len(made) == 3
    pages = [shown(draft.text, "xenforo") for draft in made]
    assert all(page.faults == [] and page.tags.count("code") == 1 for page in pages)
    assert "\n".join(page.codes[0] for page in pages) == orders
    assert all(sum(tag.startswith("spoiler") for tag in page.tags) == 1 for page in pages)


def test_one_endless_word_is_cut_too() -> None:
    for name, dialect in DIALECTS.items():
        small = replace(dialect, limits=replace(dialect.limits, characters=LEAST_LENGTH))
        for block in (
            Paragraph("x" * 9000),
            Quote("w", "😀" * 4000),
            Items(("[" * 5000,)),
            Facts((("a", "*" * 6000),)),
        ):
            made = written(Document("t" * 300, "", (block,)), small)
            assert all(length(draft.text) <= LEAST_LENGTH for draft in made), (name, block)
            assert 2 < len(made) < 20


def test_what_is_torn_stays_in_its_order() -> None:
    small = replace(DIALECTS["phpbb"], limits=replace(DIALECTS["phpbb"].limits, characters=LEAST_LENGTH))
    made = written(
        Document("t", "", (Items(("first " + "ab " * 1200, "second", "third")), Paragraph("fourth"))), small
    )
    whole = "".join(draft.text for draft in made)
    assert whole.count("ab") == 1200
    places = [whole.index(word) for word in ("first", "second", "third", "fourth")]
    assert places == sorted(places)


def test_a_forum_counts_as_a_browser_sends() -> None:
    assert [length(text) for text in ("ab", "a\nb", "a😀", "ä")] == [2, 4, 3, 1]


def test_there_has_to_be_room() -> None:
    small = replace(DIALECTS["phpbb"], limits=replace(DIALECTS["phpbb"].limits, characters=LEAST_LENGTH - 1))
    with pytest.raises(ValueError, match="room"):
        written(document("a"), small)


SENTENCES = st.lists(st.integers(1, 120), min_size=1, max_size=30)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from("hpifrqc1"), SENTENCES), min_size=1, max_size=14),
    st.sampled_from(list(DIALECTS)),
    st.integers(2000, 9000),
)
def test_nothing_is_lost_and_nothing_is_too_long(
    parts: list[tuple[str, list[int]]], name: str, longest: int
) -> None:
    count = 0
    blocks: list[Block] = []
    for kind, lengths in parts:
        texts = []
        for size in lengths:
            texts.append(f"w{count}w " + "ab " * size)
            count += 1
        match kind:
            case "h":
                blocks.append(Heading(texts[0][:100]))
                count += 1 - len(texts)
            case "p":
                blocks.append(Paragraph(" ".join(texts)))
            case "i":
                blocks.append(Items(tuple(texts)))
            case "f":
                blocks.append(Facts(tuple((text, "v") for text in texts)))
            case "r":
                blocks.append(
                    RollTable(
                        "Rolls",
                        HEADS,
                        tuple(RollRow(text, "1", "t", "c", "b", (), "1", "r") for text in texts),
                    )
                )
            case "q":
                blocks.append(Quote("West", "\n".join(texts)))
            case "c":
                blocks.append(Code("\n".join(texts), "Orders"))
            case _:
                blocks += [Image(picture.name, picture.alt) for picture in PICTURES]
                count -= len(texts)
    dialect = replace(DIALECTS[name], limits=replace(DIALECTS[name].limits, characters=longest))
    made = written(Document("A tug", "", tuple(blocks)), dialect)
    assert made == written(Document("A tug", "", tuple(blocks)), dialect)
    for draft in made:
        assert length(draft.text) <= longest
        assert len(draft.uploads) <= dialect.limits.pictures
        assert draft.text.count(draft.mark) == 1
        assert dialect.tags is None or shown(draft.text, name).faults == []
    whole = "".join(draft.text for draft in made)
    seen = list(dict.fromkeys(int(found) for found in re.findall(r"w(\d+)w", whole)))
    assert seen == list(range(count))
    assert len({draft.mark for draft in made}) == len(made)


def test_each_dialect_is_known_to_the_verb_and_says_how_to_answer_and_to_attach() -> None:
    assert tuple(DIALECTS) == TYPED
    for name in DIALECTS:
        assert all(common_words().knows("phrases", f"forum.{key}-{name}") for key in ("how", "step-attach"))
