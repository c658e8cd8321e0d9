"""What a letter asks for: which words of it are orders, which of several places counts, and why nothing is
read.
"""

from __future__ import annotations

import random
import textwrap
import time

import pytest
from handmade import KEY, codes_of, file, found, html, letter, signed, text
from siege_words import find

from pbem.post.lines.message import HTML, NOTHING, ORDERS, PLAIN, RECORD, Line, Message, Text
from pbem.post.orders import armour
from pbem.post.quotes.quoting import ABOVE
from pbem.proof import signing
from pbem.proof.canonical import encode
from pbem.referee.turn.admit import split_letter
from pbem.store.library import common_words

WEST = """\
side: west
luck: seven drunken herons
move:
- heilyn to 0909
- hacon to 1007
fight:
- heilyn, hacon attack siward at least 3:1
"""
EAST = """\
side: east
shoot:
- colin at klaas or maredudd
move:
- leofred to 0707
"""
WROTE = "On Thu, Nov 19, 2026 at 9:12 PM Ada Marsh <umpire@ford.example> wrote:\n"
QUOTED = textwrap.indent(EAST, "> ")

TAKEN = {
    # name: (the letter, what is read)
    "nothing but orders": (WEST, WEST),
    "a greeting above and below": (f"Hello Ada,\n\nhere are mine.\n\n{WEST}\nCheers,\nBob\n", WEST),
    "a greeting without a gap": (f"Hello Ada, here are mine:\n{WEST}Cheers,\nBob\n", WEST),
    "above a quotation": (f"{WEST}\n{WROTE}\n{QUOTED}", WEST),
    "below a quotation": (f"{WROTE}{QUOTED}\n{WEST}", WEST),
    "between two quotations": (f"{WROTE}{QUOTED}\n{WEST}\n> Please answer soon.\n", WEST),
    "a date above": (f"My orders for Sunday, 22.11.2026 18:00:\n\n{WEST}", WEST),
    "a comment right above": ("Hi\n\n# bows first\n" + WEST, "# bows first\n" + WEST),
    "comments above, with a gap": (
        "# bows first\n\n# then the ford\n\n" + WEST,
        "# bows first\n\n# then the ford\n\n" + WEST,
    ),
    "a comment below": (WEST + "# that is all\n", WEST + "# that is all\n"),
    "a rule of number signs below": (WEST + "\n##########\n\nbye\n", WEST),
    "in a fence": (f"Hi\n```yaml\n{WEST}```\nBob", WEST),
    "in a fence of waves": (f"~~~\n{WEST}~~~", WEST),
    "between rulers": (f"Hi\n--- orders ---\n{WEST}--- end of orders ---\nBob", WEST),
    "between rulers of equal signs": (f"=== MY ORDERS ===\n{WEST}=================\n", WEST),
    "in brackets of a forum": (f"[code]\n{WEST}[/code]\n", WEST),
    "below a line of three dashes": (f"Hi\n---\n{WEST}", WEST),
    "luck and nothing else": ("luck: seven drunken herons", "luck: seven drunken herons\n"),
    "luck among words": (
        "Hi Ada,\n\nluck: seven drunken herons\n\nSee you!\nBob",
        "luck: seven drunken herons\n",
    ),
    "luck with a capital": (
        "Luck: seven drunken herons\n\nSent from my iPhone",
        "luck: seven drunken herons\n",
    ),
    "luck that looks like words": ("luck: thanks, bob", "luck: thanks, bob\n"),
    "standing and nothing else": (
        "standing:\n  everyone: {wound: weakest}",
        "standing:\n  everyone: {wound: weakest}\n",
    ),
    "answers and nothing else": ("answers:\n  q1: 0612\n", "answers:\n  q1: 0612\n"),
    "answers between their questions": (
        f"{WROTE}> Where does odo fall back?\n\nside: east\nanswers:\n  q1: 0612\n"
        "\n> And who is hit?\n\n  q2: b\n",
        "side: east\nanswers:\n  q1: 0612\n  q2: b\n",
    ),
    "a note and nothing else": ("note: I am away until Monday", "note: I am away until Monday\n"),
    "a section that orders nothing": ("side: west\nmove:\n", "side: west\nmove:\n"),
    "a section on one line": ("side: west\nshoot: []\n", "side: west\nshoot: []\n"),
    "sections between quotations": (
        f"{WROTE}> Where do you go?\n\nside: west\nmove:\n- odo to 0712\n\n> And do you fight?\n\nfight:\n- "
        "hob attacks gunter\n",
        "side: west\nmove:\n- odo to 0712\nfight:\n- hob attacks gunter\n",
    ),
    "words that join": (
        "side: west\nmove:\n- odo to 0712\n\nand then please:\n\nfight:\n- hob attacks gunter\n",
        "side: west\nmove:\n- odo to 0712\nfight:\n- hob attacks gunter\n",
    ),
    "words that join, german": (
        "side: west\nmove:\n- odo to 0712\n\nund dann bitte\n\nfight:\n- hob attacks gunter\n",
        "side: west\nmove:\n- odo to 0712\nfight:\n- hob attacks gunter\n",
    ),
    "chatter between sections": (
        "side: west\nmove:\n- odo to 0712\n\nThat will teach them some manners.\n"
        "\nfight:\n- hob attacks gunter\n",
        "side: west\nmove:\n- odo to 0712\nfight:\n- hob attacks gunter\n",
    ),
    "luck below the greeting": (
        "side: west\nmove:\n- odo to 0712\n\nCheers,\nBob\n\nluck: seven drunken herons\n",
        "side: west\nmove:\n- odo to 0712\nluck: seven drunken herons\n",
    ),
    "a note below": (f"{WEST}\nnote: I am away next week\n\nBob", f"{WEST}\nnote: I am away next week\n"),
    "a note below the greeting, which is words": (
        f"{WEST}\nCheers,\nBob\n\nNote: I am away next week.\n",
        WEST,
    ),
    "his name behind a dash": (f"{WEST}\n- Bob\n", WEST),
    "his name behind a dash, without a gap": (f"{WEST}- Bob\n", WEST),
    "his whole name behind a long dash": (f"{WEST}\n— Bob Miller\n", WEST),
    "a name behind a dash that is not known": (f"{WEST}\n- Robert\n", WEST),
    "a name behind a wave": (f"{WEST}\n~Bob", WEST),
    "dashes that are chatter": (f"Two things:\n- thanks for the game\n- see you on friday\n\n{WEST}", WEST),
    "a bulleted greeting below": (f"{WEST}\nPS:\n* thanks!\n", WEST),
    "a signature": (f"{WEST}\n-- \nBob Miller\n+44 1234 567890", WEST),
    "a card without a mark": (f"{WEST}\nBob Miller\nPhone: +44 1234 567890\nMail: bob@example.org", WEST),
    "a mailing list": (
        f"{WEST}\n_______________________________________________\nSiege mailing list\nSiege@lists.example\n",
        WEST,
    ),
    "a telephone": (f"{WEST}\nSent from my iPhone\n", WEST),
    "a telephone without a gap": (f"{WEST}Von meinem iPhone gesendet\n", WEST),
    "lawyers": (f"{WEST}\nDiese E-Mail enthält vertrauliche Informationen.\nmove:\n- x to 0101", WEST),
    "outlook": (
        f"{WEST}\n________________________________\nFrom: Ada Marsh <umpire@ford.example>\nSent: Thursday\n"
        f"To: Bob\n\n{EAST}",
        WEST,
    ),
    "our letter below": (f"{WEST}\n{ABOVE}\n\n{EAST}", WEST),
    "a misspelt heading at the top": (
        "sid: west\nmove:\n- odo to 0712\n",
        "sid: west\nmove:\n- odo to 0712\n",
    ),
    "a misspelt heading in the middle": (
        "side: west\nmvoes:\n- odo to 0712\n",
        "side: west\nmvoes:\n- odo to 0712\n",
    ),
    "message below a bar": (
        "message: |\n  one\n  two\nmove:\n- odo to 0712\n",
        "message: |\n  one\n  two\nmove:\n- odo to 0712\n",
    ),
    "keys in long form": (
        "unhitch first\nmove:\n- who: [giles]\n  do: unhitch\n  animals: [ox1]\n  from: wagon1\n",
        "move:\n- who: [giles]\n  do: unhitch\n  animals: [ox1]\n  from: wagon1\n",
    ),
    "clearsigned": (
        "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\nHello,\n\nside: west\nmove:\n- - odo to 0712\n"
        "-----BEGIN PGP SIGNATURE-----\n\niHUEARYKAB0=\n=abcd\n-----END PGP SIGNATURE-----\n",
        "side: west\nmove:\n- odo to 0712\n",
    ),
}

REFUSED = {
    # name: (the letter, the reasons)
    "no words at all": ("", ["mail.nothing"]),
    "chatter": ("Hello,\nI shall send them tomorrow.\nBob", ["mail.nothing"]),
    "a quotation and nothing else": (f"{WROTE}{QUOTED}", ["mail.only-quoted"]),
    "a quotation without an announcement": (QUOTED, ["mail.only-quoted"]),
    "chatter above a quotation": (f"Thank you!\n\n{WROTE}{QUOTED}", ["mail.only-quoted"]),
    "an announcement and no marks": (f"Thank you!\n\n{WROTE}\n{EAST}", ["mail.only-quoted"]),
    "original message": (
        f"ok\n\n-----Original Message-----\nFrom: Ada\nSent: Thursday\n\n{EAST}",
        ["mail.only-quoted"],
    ),
    "his own old orders, quoted": (f"As last turn.\n\n{textwrap.indent(WEST, '> ')}", ["mail.only-quoted"]),
    "quoted by initials": ("ok\n\nAM> side: east\nAM> move:\nAM> - leofred to 0707\n", ["mail.only-quoted"]),
    "behind bars": (textwrap.indent(WEST, "| "), ["mail.only-quoted"]),
    "forwarded": (
        "from my other address:\n\n---------- Forwarded message ---------\n"
        f"From: Bob <b@work.example>\n\n{WEST}",
        ["mail.passed-on"],
    ),
    "forwarded by apple": (f"Begin forwarded message:\n\n{WEST}", ["mail.passed-on"]),
    "below our mark": (f"{ABOVE}\n\n{WEST}", ["mail.below-mark"]),
    "below our mark, which is quoted, and words above": (
        f"Hello\n> {ABOVE}\n> hello\n\n{WEST}",
        ["mail.below-mark"],
    ),
    "our whole letter, quoted": (
        f"{WROTE}> {ABOVE}\n>\n{textwrap.indent(textwrap.indent(EAST, '| '), '> ')}",
        ["mail.only-quoted"],
    ),
    "in the signature": (f"Hello\n-- \n{WEST}", ["mail.in-signature"]),
    "below a long rule": (f"Hello\n{'_' * 40}\n{WEST}", ["mail.below-rule"]),
    "an order between quoted headings": (
        f"{WROTE}> move:\n- odo to 0712\n> fight:\n- hob attacks gunter\n",
        ["mail.among-quotes"],
    ),
    "one order more below a quoted heading": (
        "side: west\nmove:\n- odo to 0712\n> fight:\n- hob attacks gunter\n",
        ["mail.among-quotes"],
    ),
    "no heading": ("- odo to 0712\n- hob attacks gunter\n", ["mail.no-heading"]),
    "no heading and no dash": ("odo to 0712\n", ["mail.no-heading"]),
    "an order above the heading": ("- odo to 0712\n\nmove:\n- hob to 0713\n", ["mail.near-miss"]),
    "an order behind the end": (f"{WEST}\nand also\n\n- odo to 0712\n", ["mail.near-miss"]),
    "an order behind the end, without a dash": (f"{WEST}\nBob\n\nodo to 0712\n", ["mail.near-miss"]),
    "an order below words for people": (
        "move:\n- odo to 0712\nmessage: hello\n- hob to 0713\n",
        ["mail.near-miss"],
    ),
    "a word that may belong to the last order": ("fight:\n- hob, odo attack wulf\nhob\n", ["mail.near-miss"]),
    "or rather": (
        "move:\n- odo to 0712\n\nor rather:\n\nfight:\n- hob attacks gunter\n",
        ["mail.words-between"],
    ),
    "if he does not": (
        "move:\n- odo to 0712\n\nIf he does not move:\n\nfight:\n- hob attacks gunter\n",
        ["mail.words-between"],
    ),
    "oder": ("move:\n- odo to 0712\n\noder lieber\n\nfight:\n- hob attacks gunter\n", ["mail.words-between"]),
    "somebody's name": (
        "move:\n- odo to 0712\n\nGodwin:\n\nfight:\n- hob attacks gunter\n",
        ["mail.words-between"],
    ),
    "the other side's orders": (f"{WEST}\nThe answer will be\n\n{EAST}", ["mail.words-between"]),
    "two sides in one": (f"{EAST}{WEST}", ["mail.two-texts"]),
    "a second part that begins again": (
        "move:\n- odo to 0712\n\n> ok?\n\nmove:\n- hob to 0713\n",
        ["mail.two-texts"],
    ),
    "somebody else's, by the words above": (
        f"the east has moved. These were their orders:\n\n{EAST}",
        ["mail.words-above"],
    ),
    "his own of last turn, by the words above": (
        f"And these were yours of last turn, to copy from:\n\n{WEST}",
        ["mail.words-above"],
    ),
    "a date, a name and no marks": (f"19.11.2026 21:12, Ada Marsh:\n\n{EAST}", ["mail.only-quoted"]),
    "a part that stands further in": (
        "side: west\nfight:\n- hob attacks wulf\n\n    luck: seven drunken "
        "herons\n    move:\n    - odo to 0712\n",
        ["mail.two-texts"],
    ),
    "a question between": (
        "move:\n- odo to 0712\n\nGood?\n\nfight:\n- hob attacks gunter\n",
        ["mail.words-between"],
    ),
    "an answer without its heading": ("q1: 0612\n", ["mail.no-heading"]),
}


@pytest.mark.parametrize("name", TAKEN)
def test_what_is_read(name):
    came, wanted = TAKEN[name]
    got = found(came)
    assert (got.kind, got.data.decode(), codes_of(got)) == (ORDERS, wanted, [])


@pytest.mark.parametrize("name", TAKEN)
def test_each_line_that_is_read_stands_in_the_letter(name):
    came, _ = TAKEN[name]
    got = found(came)
    seen = came.split("\n")
    assert len(got.lines) == got.data.count(b"\n")
    for line, origin in zip(got.data.decode().split("\n"), got.lines, strict=False):
        assert origin.text == seen[origin.number - 1]
        assert line.strip() in origin.text or line == "luck: seven drunken herons"


@pytest.mark.parametrize("name", REFUSED)
def test_why_nothing_is_read(name):
    came, reasons = REFUSED[name]
    got = found(came)
    assert (got.kind, got.data) == (NOTHING, b"")
    assert codes_of(got) == reasons


def test_words_right_below_a_message_are_told():
    got = found("side: west\nmessage: We hold the ford\nUntil the rain stops.\n\nBob")
    assert (got.data, codes_of(got)) == (
        b"side: west\nmessage: We hold the ford\n",
        ["doubt.mail.words-below"],
    )
    assert codes_of(found("side: west\nmessage: We hold the ford\nCheers, Bob")) == []


def test_every_reason_has_its_words():
    for came, _ in REFUSED.values():
        for problem in found(came).problems:
            assert common_words().knows("problems", problem.code)
            assert common_words().slots("problems", problem.code) <= set(problem.args)


# --- which of several texts


def test_of_two_texts_the_plain_one_is_read():
    assert found(WEST, html(*EAST.splitlines())).data.decode() == WEST


def test_where_the_plain_text_says_nothing_html_is_read():
    got = found("", html(*WEST.splitlines()))
    assert (got.data.decode(), codes_of(got)) == (WEST, [])


def test_where_the_plain_text_only_says_that_there_is_html_that_is_read():
    got = found("This message is in HTML. Please use another program.", html(*WEST.splitlines()))
    assert got.data.decode() == WEST


def test_where_the_plain_text_lost_its_form_html_is_read_and_it_is_said():
    plain = "fight:\n- when: hob is dead then: - odo attacks tam\n- ned attacks tam: now\n"
    rich = "fight:\n- when: hob is dead\n  then:\n  - odo attacks tam\n- ned attacks tam\n"
    got = found(plain, html(*rich.splitlines()))
    assert (got.data.decode(), codes_of(got)) == (rich, ["doubt.mail.from-html"])


def test_where_the_plain_text_lost_its_spaces_html_is_read():
    rich = "fight:\n- when: hob is dead\n  then:\n  - odo attacks tam\n- ned attacks tam\n"
    plain = "\n".join(line.strip() for line in rich.splitlines())
    got = found(plain, html(*rich.splitlines()))
    assert (got.data.decode(), codes_of(got)) == (rich, [])
    assert codes_of(found(plain)) == ["mail.lost-indent"]


def test_orders_of_html_that_the_plain_text_quotes_are_not_taken_where_it_lost_its_spaces():
    plain = f"fight:\n- when: hob is dead\nthen:\n- odo attacks tam\n- ned attacks tam\n\n{QUOTED}"
    got = found(plain, html(*EAST.splitlines()))
    assert (got.kind, codes_of(got)) == (NOTHING, ["mail.only-quoted"])


def test_where_neither_can_be_read_the_plain_text_is_handed_on():
    plain = "move:\n- odo to 0712\nstanding: {open\n"
    got = found(plain, html(*plain.replace("open", "open too").splitlines()))
    assert got.data.decode() == plain


def test_lines_put_together_come_before_the_lines_as_they_travelled():
    joined = text("fight:\n- tom, wat attack gunter, wulf at least 2:1", flowed=True)
    got = found(joined, "fight:\n- tom, wat attack gunter, \nwulf at least 2:1")
    assert got.data.decode() == "fight:\n- tom, wat attack gunter, wulf at least 2:1\n"
    assert got.repairs == ()


def test_where_a_space_at_an_end_swallowed_a_line_the_lines_as_they_travelled_are_read():
    got = found(
        text("# first the bows - odo to 0712\nmove:\n- odo to 0712 - hob to 0713", flowed=True),
        "# first the bows\nmove:\n- odo to 0712 \n- hob to 0713",
    )
    assert got.data.decode() == "# first the bows\nmove:\n- odo to 0712\n- hob to 0713\n"


def test_a_space_put_in_front_for_the_journey_is_taken_away():
    got = found(
        text("note: from here\nside: west standing:", flowed=True),
        "note: from here\nside: west \nstanding:\n   everyone:\n     wound: weakest",
    )
    assert got.data.decode() == "note: from here\nside: west\nstanding:\n  everyone:\n    wound: weakest\n"


def test_orders_that_html_shows_as_quoted_are_not_believed():
    """The plain text has lost the marks; HTML knows whose they are."""
    got = found(
        f"I see.\n\nAda kirjoitti eilen\n\n{EAST}",
        html("I see.", "Ada kirjoitti eilen", *[(line, 1) for line in EAST.splitlines()]),
    )
    assert (got.kind, codes_of(got)) == (NOTHING, ["mail.only-quoted"])


def test_orders_that_html_shows_as_own_and_as_quoted_are_own():
    rich = html(*WEST.splitlines(), *[(line, 1) for line in WEST.splitlines()])
    assert found(f"{WEST}\n{WROTE}{textwrap.indent(WEST, '> ')}", rich).data.decode() == WEST


def test_orders_that_the_plain_text_quotes_are_not_taken_from_html():
    got = found(f"yes\n\n{QUOTED}", html("yes", *EAST.splitlines()))
    assert (got.kind, codes_of(got)) == (NOTHING, ["mail.only-quoted"])


def test_a_letter_without_any_text():
    assert (find(Message()).kind, codes_of(find(Message()))) == (NOTHING, ["mail.nothing"])


# --- attachments


def test_an_attached_file_is_taken_byte_for_byte():
    odd = "side:   west\nmove:\n\n  - odo to 0712\n\n  - hob to 0713\n# the end\n\n"
    got = found("see attached", files=(file("orders.yaml", odd),))
    assert (got.data.decode(), got.where, got.repairs) == (odd, "orders.yaml", ())
    assert got.own == "see attached"


@pytest.mark.parametrize(
    "name", ["west.yaml", "west.yml", "orders.txt", "orders", "orders.zip/west.yaml", "ATT00001"]
)
def test_any_name_will_do(name):
    assert found("hello", files=(file(name, WEST),)).where == name


def test_an_attached_file_counts_and_not_the_letter():
    got = found(EAST, files=(file("west.yaml", WEST),))
    assert (got.data.decode(), codes_of(got)) == (WEST, ["doubt.mail.body-too"])


def test_the_same_orders_in_the_letter_are_no_doubt():
    assert codes_of(found(WEST, files=(file("west.yaml", WEST),))) == []


def test_an_attached_file_is_mended():
    got = found("hello", files=(file("west.txt", "Side: West\r\nMove:\r\n• odo to\u00a00712\r\n"),))
    assert got.data.decode() == "side: west\nmove:\n- odo to 0712\n"
    assert {repair.code for repair in got.repairs} == {
        "repair.key",
        "repair.capital",
        "repair.bullet",
        "repair.space",
    }


def test_carriage_returns_alone_are_no_repair():
    got = found("hello", files=(file("west.txt", WEST.replace("\n", "\r\n")),))
    assert (got.data.decode(), got.repairs) == (WEST, ())


def test_an_attached_file_with_mistakes_is_handed_on_as_a_whole():
    bad = "side: west\nmove:\nwhatever\n\nthis is no order either\n- odo to 0712\n"
    got = found("hello", files=(file("west.yaml", bad),))
    assert (got.kind, got.data.decode()) == (ORDERS, bad)


def test_two_files_that_differ_are_refused():
    got = found("hello", files=(file("west.yaml", WEST), file("new.yaml", EAST)))
    assert (got.kind, codes_of(got)) == (NOTHING, ["mail.two-files"])
    assert dict(got.problems[0].args) == {"first": "west.yaml", "second": "new.yaml"}


def test_the_same_file_twice_is_one():
    got = found("hello", files=(file("west.yaml", WEST), file("west (1).yaml", WEST.replace("\n", "\r\n"))))
    assert got.data.decode() == WEST


NO_ORDERS = {
    "a report": file("report.txt", f"{ABOVE}\n\nThe east has moved.\n\n{EAST}"),
    "a card": file("bob.vcf", "BEGIN:VCARD\nnote: Bob\nEND:VCARD\n"),
    "a notice": file("legal.txt", "This e-mail and any attachments are confidential.\n"),
    "a signature of a firm": file("signature.txt", "Bob Miller\nMiller & Sons\nPhone: 1234\n"),
    "a letter that was passed on": file("turn.eml", f"From: Ada\n\n{EAST}"),
    "a picture": file("map.png", b"\x89PNG\r\n", readable=False),
    "nothing": file("empty.txt", ""),
    "a page": file("page.html", "<p>move:</p>"),
    "our sheet, untouched": file(
        "sheet.yaml",
        "# The orders of west.\ngame: alder-ford-7c21e0\nseat: west\nturn: t4\n\nmove:\n\n# odo: knight, "
        "0712\n#- odo to 0713\n",
    ),
    "a quotation": file("mail.txt", f"{WROTE}{QUOTED}"),
}


@pytest.mark.parametrize("name", NO_ORDERS)
def test_what_is_no_order_file_does_not_win_over_the_letter(name):
    got = found(WEST, files=(NO_ORDERS[name],))
    assert (got.data.decode(), got.where, codes_of(got)) == (WEST, "", [])


@pytest.mark.parametrize("name", NO_ORDERS)
def test_what_is_no_order_file_is_not_taken_for_one(name):
    got = found("hello", files=(NO_ORDERS[name],))
    assert got.kind == NOTHING


@pytest.mark.parametrize("name", NO_ORDERS)
def test_what_is_no_order_file_does_not_stand_in_the_way_of_one(name):
    got = found("hello", files=(NO_ORDERS[name], file("west.yaml", WEST)))
    assert (got.data.decode(), got.where) == (WEST, "west.yaml")


def test_a_sheet_in_which_nothing_was_written_is_told():
    assert codes_of(found("hello", files=(NO_ORDERS["our sheet, untouched"],))) == ["mail.empty-sheet"]


def test_a_sheet_in_which_something_was_written_is_orders():
    sheet = (
        "# The orders of west.\ngame: alder-ford-7c21e0\nseat: west\n\nmove:\n\n# odo: knight, 0712\n- odo "
        "to 0713\n#- odo to 0714\n"
    )
    assert found("hello", files=(file("sheet.yaml", sheet),)).data.decode() == sheet


def test_a_sheet_in_which_nothing_was_written_is_told_in_the_letter_itself_too():
    sheet = NO_ORDERS["our sheet, untouched"].data.decode()
    assert codes_of(found(f"Here:\n\n{sheet}")) == ["mail.empty-sheet"]
    assert found(f"Here:\n\n{sheet}").kind == NOTHING


def test_orders_among_words_in_a_file_count_where_the_letter_has_none():
    mixed = file("letter.txt", f"Dear Ada,\n\nhere you are:\n\n{WEST}\nBob\n")
    got = found("hello", files=(mixed,))
    assert (got.data.decode(), got.where) == (WEST, "letter.txt")
    assert found(EAST, files=(mixed,)).data.decode() == EAST


def test_a_file_whose_orders_are_quoted_is_refused_with_its_reason():
    assert codes_of(found("hello", files=(NO_ORDERS["a quotation"],))) == ["mail.only-quoted"]


# --- signed


YAML = "side: west\nluck: my neighbour’s red cow\nmove:\n- tudur to 1107\n"
DATA, SIGNATURE = signed(YAML)


def test_two_attachments():
    got = found("Signed.", files=(file("orders.txt", DATA), file("orders.txt.sig", SIGNATURE)))
    assert (got.kind, got.data, got.signature, got.where, codes_of(got)) == (
        ORDERS,
        DATA,
        SIGNATURE,
        "orders.txt",
        [],
    )
    assert len(got.lines) >= DATA.count(b"\n")


def test_the_signature_may_come_first_and_with_carriage_returns():
    got = found("x", files=(file("a.yaml.sig", SIGNATURE.replace(b"\n", b"\r\n")), file("a.yaml", DATA)))
    assert (got.data, got.signature) == (DATA, SIGNATURE)


def test_the_only_signature_belongs_to_the_only_file():
    got = found("x", files=(file("orders.txt", DATA), file("noname.bin", SIGNATURE, readable=False)))
    assert (got.data, got.signature) == (DATA, SIGNATURE)


def test_a_signed_file_counts_and_no_other_file():
    got = found(
        EAST, files=(file("east.yaml", EAST), file("orders.txt", DATA), file("orders.txt.sig", SIGNATURE))
    )
    assert (got.data, got.signature) == (DATA, SIGNATURE)


def test_a_signed_file_is_never_mended():
    bad, signature = signed("Side: West\nMove:\n- odo to 0712\n")
    got = found("x", files=(file("orders.txt", bad), file("orders.txt.sig", signature)))
    assert (got.data, got.repairs) == (bad, ())


DAMAGED = {
    "no signature": ((file("orders.txt", DATA),), "mail.signed-missing"),
    "a signature of another name beside two files": (
        (file("a.txt", DATA), file("b.txt", signed("side: west\n")[0]), file("c.txt.sig", SIGNATURE)),
        "mail.signed-missing",
    ),
    "spaces that do not break": (
        (
            file("orders.txt", DATA.replace(b"to 1107", "to\u00a01107".encode())),
            file("orders.txt.sig", SIGNATURE),
        ),
        "mail.signed-damaged",
    ),
    "a byte order mark": (
        (file("orders.txt", b"\xef\xbb\xbf" + DATA), file("orders.txt.sig", SIGNATURE)),
        "mail.signed-header",
    ),
    "another order": (
        (file("orders.txt", DATA.replace(b"1107", b"1108")), file("orders.txt.sig", SIGNATURE)),
        "mail.signed-broken",
    ),
    "carriage returns": (
        (file("orders.txt", DATA.replace(b"\n", b"\r\n")), file("orders.txt.sig", SIGNATURE)),
        "mail.signed-broken",
    ),
    "no rule below the header": (
        (file("orders.txt", DATA.replace(b"---\n", b"")), file("orders.txt.sig", SIGNATURE)),
        "mail.signed-header",
    ),
    "another version": (
        (file("orders.txt", DATA.replace(b"orders/1", b"orders/2")), file("orders.txt.sig", SIGNATURE)),
        "mail.signed-header",
    ),
}


@pytest.mark.parametrize("name", DAMAGED)
def test_why_a_signed_file_is_not_read(name):
    files, reason = DAMAGED[name]
    got = found(WEST, files=files)
    assert (got.kind, got.data) == (NOTHING, b"")
    assert reason in codes_of(got)
    for problem in got.problems:
        assert common_words().knows("problems", problem.code)


def test_two_signed_files_that_differ_are_refused():
    other, second = signed("side: west\nmove:\n- odo to 0712\n")
    got = found(
        "x",
        files=(
            file("a.txt", DATA),
            file("a.txt.sig", SIGNATURE),
            file("b.txt", other),
            file("b.txt.sig", second),
        ),
    )
    assert codes_of(got) == ["mail.two-files"]


def test_a_signed_file_in_the_letter_itself():
    got = found(f"Hello,\n\n{DATA.decode()}{SIGNATURE.decode()}\nBob\n")
    assert (got.kind, got.data, got.signature, codes_of(got)) == (ORDERS, DATA, SIGNATURE, [])
    assert [origin.number for origin in got.lines][:2] == [3, 4]


def test_a_signed_file_in_the_letter_may_have_empty_lines_below_it():
    for data in (DATA, DATA.rstrip(b"\n"), DATA + b"\n"):
        signature = signing.sign(KEY, "pd1-orders/alder-ford-7c21e0/8/west/x", data).encode()
        got = found(f"{data.decode()}\n\n\n{signature.decode()}")
        assert (got.data, got.signature) == (data, signature)


def test_a_signature_in_the_letter_may_be_broken_otherwise():
    begin, rule, rest = SIGNATURE.decode().partition("SIGNATURE-----\n")
    broken = f"{begin}{rule}\n " + rest.replace("A", "A\n", 3)
    assert found(DATA.decode() + broken).signature == SIGNATURE


def test_a_signed_file_in_the_letter_that_was_changed_is_refused():
    got = found(DATA.decode().replace("’", "'") + SIGNATURE.decode())
    assert (got.kind, codes_of(got)) == (NOTHING, ["mail.signed-broken"])


def test_a_signed_file_in_the_letter_without_its_signature_is_refused():
    assert codes_of(found(DATA.decode())) == ["mail.signed-missing"]


def test_a_signed_file_in_a_quotation_is_a_quotation():
    got = found(f"ok\n\n{WROTE}" + textwrap.indent(DATA.decode() + SIGNATURE.decode(), "> "))
    assert (got.kind, got.data) == (NOTHING, b"")


def test_a_signed_file_is_found_where_only_the_text_as_it_travelled_is_whole():
    whole = DATA.decode() + SIGNATURE.decode()
    got = found(text(whole.replace("west\nluck", "west luck"), flowed=True), whole)
    assert (got.data, got.signature) == (DATA, SIGNATURE)


# --- a join, a go


def record(**fields: object) -> tuple[bytes, bytes]:
    data = encode(fields)
    return data, signing.sign(KEY, "pd1-go/x", data).encode()


GO, GO_SIGNATURE = record(
    game="alder-ford-7c21e0", lock="9f" * 32, seat="west", slot=8, type="go", x="04" * 32
)
JOIN, JOIN_SIGNATURE = record(
    anchor="04" * 32, game="alder-ford-7c21e0", manifest="9f" * 32, seat="west", type="join"
)


@pytest.mark.parametrize(
    ("data", "signature"), [(GO, GO_SIGNATURE), (JOIN, JOIN_SIGNATURE)], ids=["go", "join"]
)
@pytest.mark.parametrize(
    "way", ["attached", "with carriage returns", "in two files", "in the letter", "in the letter, with gaps"]
)
def test_a_record_is_handed_on_as_the_referee_wants_it(data, signature, way):
    whole = data + signature
    if way == "attached":
        got = found("yes, I play", files=(file("go.txt", whole),))
    elif way == "with carriage returns":
        got = found("yes, I play", files=(file("go.txt", whole.replace(b"\n", b"\r\n")),))
    elif way == "in two files":
        got = found(
            "yes, I play", files=(file("go.json", data.rstrip(b"\n")), file("go.json.sig", signature))
        )
    elif way == "in the letter":
        got = found(f"yes, I play\n\n{whole.decode()}\nBob")
    else:
        begin, rule, rest = signature.decode().partition("SIGNATURE-----\n")
        got = found(f"yes, I play\n\n{data.decode()}\n\n{begin}{rule}{rest.replace('A', 'A ', 5)}")
    assert (got.kind, got.data) == (RECORD, whole)
    assert split_letter(got.data) == (data, signature.decode())
    assert got.own.startswith("yes, I play")


def test_a_record_that_was_changed_is_refused():
    got = found("x", files=(file("go.txt", GO.replace(b'"slot":8', b'"slot": 8') + GO_SIGNATURE),))
    assert (got.kind, codes_of(got)) == (NOTHING, ["mail.record-broken"])


def test_a_record_broken_into_lines_is_not_joined():
    broken = GO.decode().replace('"seat"', '\n"seat"') + GO_SIGNATURE.decode()
    got = found(broken)
    assert (got.kind, codes_of(got)) == (NOTHING, ["mail.record-broken"])


def test_a_record_in_a_quotation_is_a_quotation():
    assert found(f"ok\n\n{WROTE}" + textwrap.indent((GO + GO_SIGNATURE).decode(), "> ")).kind == NOTHING


def test_a_record_of_another_kind_is_none():
    data, signature = record(game="x", type="receipt")
    assert found("x", files=(file("r.json", data + signature),)).kind == NOTHING


# --- codes, words


CODES = {
    "in the subject": ({"subject": "Re: [k7mp-2xqa] your turn"}, "", ("k7mp-2xqa",)),
    "in capitals": ({"subject": "Re: K7MP-2XQA"}, "", ("k7mp-2xqa",)),
    "behind a plus": ({"to": ("umpire+k7mp-2xqa@ford.example",)}, "", ("k7mp-2xqa",)),
    "behind a plus, without a dash": ({"to": ("umpire+k7mp2xqa@ford.example",)}, "", ("k7mp-2xqa",)),
    "behind a plus and a name": ({"to": ("umpire+west+k7mp2xqa@ford.example",)}, "", ("k7mp-2xqa",)),
    "on a line": ({}, "code: k7mp-2xqa", ("k7mp-2xqa",)),
    "on a line with a long dash": ({}, "Code: k7mp–2xqa", ("k7mp-2xqa",)),
    "in a sentence": ({}, "my code is k7mp-2xqa, I think", ("k7mp-2xqa",)),
    "twice, and another": ({"subject": "k7mp-2xqa"}, "k7mp-2xqa abcd-efgh", ("k7mp-2xqa", "abcd-efgh")),
    "quoted": ({}, "> code: k7mp-2xqa", ()),
    "below our mark": ({}, f"{ABOVE}\ncode: k7mp-2xqa", ()),
    "with letters that codes do not have": ({"subject": "k7ml-2xqa k0mp-2xqa half-time"}, "", ()),
    "too long": ({"subject": "xk7mp-2xqa k7mp-2xqab k7mp-2xqa-2xqa"}, "", ()),
}


@pytest.mark.parametrize("name", CODES)
def test_codes(name):
    where, words, wanted = CODES[name]
    assert found(words, **where).codes == wanted
    assert found(f"{words}\n\n{WEST}" if words[:1] != ">" else f"{WEST}\n{words}", **where).codes == wanted


@pytest.mark.parametrize(
    "line",
    [
        "code: k7mp-2xqa",
        "Code: K7MP-2XQA",
        "[k7mp-2xqa]",
        "k7mp-2xqa",
        "my code: k7mp-2xqa",
        "# code: k7mp-2xqa",
        "code k7mp-2xqa",
    ],
)
@pytest.mark.parametrize("at", [0, 1, 3, 7])
def test_a_line_with_a_code_is_never_handed_on(line, at):
    lines = WEST.splitlines()
    lines.insert(at, line)
    for got in (found("\n".join(lines)), found("hello", files=(file("west.yaml", "\n".join(lines) + "\n"),))):
        assert got.data.decode() == WEST
        assert got.codes == ("k7mp-2xqa",)


OWN = {
    "yes": ("yes, I play", "yes, I play"),
    "several lines": ("Yes,\n\n  I   play.\nBob", "Yes, I play. Bob"),
    "not the orders": (f"Hello\n\n{WEST}\nBob", "Hello Bob"),
    "not the quotation": (f"yes\n\n{WROTE}{QUOTED}", "yes"),
    "not the signature": ("yes\n-- \nBob", "yes"),
    "not the telephone": ("yes\n\nSent from my iPhone", "yes"),
    "not the code": ("yes\ncode: k7mp-2xqa", "yes"),
    "not for ever": ("word " * 300, "word " * 99 + "wo..."),
}


def test_own_words_beside_what_is_signed():
    assert found(f"yes, I play\n\n{DATA.decode()}{SIGNATURE.decode()}\nBob").own == "yes, I play Bob"
    assert found(f"yes, I play\n\n{armour.encode(DATA, SIGNATURE)}\nBob").own == "yes, I play Bob"


@pytest.mark.parametrize("name", OWN)
def test_own_words(name):
    came, wanted = OWN[name]
    assert found(came).own == wanted


def test_what_could_not_be_taken_apart_is_told_too():
    from pbem.core.problem import Problem

    message = Message(texts=(text(WEST),), refused=(Problem("mail.encrypted"),))
    assert codes_of(find(message)) == ["mail.encrypted"]


def test_what_had_to_be_assumed_is_told_where_it_matters():
    from pbem.core.problem import Problem

    assumed = (Problem("mail.charset-none", {"used": "cp1252"}),)

    def one(body: str) -> Message:
        return Message(texts=(Text(PLAIN, text(body).lines, assumed=assumed),))

    assert codes_of(find(one(WEST))) == []
    assert codes_of(find(one(WEST + "message: Grüße\n"))) == ["mail.charset-none"]


# --- whatever stands around them


def orders(chance: random.Random, side: str, names: list[str]) -> str:
    """Return an order file of somebody; names of the two sides differ, so that no line can be taken for one
    of the other's.
    """
    lines = [f"side: {side}"]
    if chance.random() < 0.3:
        lines.insert(
            0,
            f"# {side} thinks of {chance.choice(names)}, and of nobody else but of "
            "him in the whole of the battle",
        )
    if chance.random() < 0.5:
        lines.append(f"luck: the {chance.choice(names)} is on the roof again")
    for heading in chance.sample(["shoot", "move", "fight"], chance.randint(1, 3)):
        lines.append(f"{heading}:")
        for _ in range(chance.randint(1, 5)):
            who = chance.choice(names)
            hex_ = f"{chance.randint(1, 20):02}{chance.randint(1, 20):02}"
            lines.append(
                {
                    "shoot": f"- {who} at {hex_}",
                    "move": f"- {who} to {hex_}",
                    "fight": f"- {who} attacks {hex_}",
                }[heading]
            )
    if chance.random() < 0.3:
        lines += [
            "standing:",
            "  everyone:",
            "    wound: weakest",
            f"  {chance.choice(names)}:",
            "    retreat: away",
        ]
    if chance.random() < 0.3:
        lines.append(f"message: {chance.choice(names)} greets you")
    return "\n".join(lines) + "\n"


def quotation(chance: random.Random, body: str) -> str:
    """Return somebody else's words as programs quote them with marks."""
    mark = chance.choice(["> ", ">", ">> ", "> > ", "| ", "  > ", "&gt; ", "AB> "])
    heads = [
        WROTE,
        "Am 19.11.26 um 21:12 schrieb Ada Marsh:\n",
        "Le 19/11/2026 à 21:12, Ada Marsh a écrit :\n",
        "",
    ]
    return (
        chance.choice(heads)
        + chance.choice(["", "\n"])
        + "\n".join(f"{mark}{line}" for line in body.splitlines())
        + "\n"
    )


def unmarked(chance: random.Random, body: str) -> str:
    """Return somebody else's words as programs print them below a header."""
    heads = [
        "-----Original Message-----\nFrom: Ada Marsh\nSent: Thursday\n\n",
        "________________________________\nVon: Ada Marsh <umpire@ford.example>\nGesendet: Donnerstag\nAn: "
        "Bob\nBetreff: Zug\n\n",
        "---------- Forwarded message ---------\nFrom: Ada\n\n",
        f"{WROTE}\n",
        f"{ABOVE}\n\n",
        f"> {ABOVE}\n\n",
        "De : Ada\nEnvoyé : jeudi\nÀ : Bob\n\n",
    ]
    return chance.choice(heads) + body


@pytest.mark.parametrize("seed", range(300))
def test_own_orders_are_taken_exactly_and_quoted_ones_never(seed):
    chance = random.Random(seed)
    own = orders(chance, "west", ["odo", "hob", "alric"])
    others = orders(chance, "east", ["gunter", "wulf", "tam"])
    greeting = chance.choice(["", "Hello Ada,\n\n", "Here you are:\n"])
    bye = chance.choice(["", "\nCheers,\nBob\n", "\n- Bob\n", "Bob\n"])
    mine = greeting + own + bye
    shape = chance.randrange(5)
    if shape == 0:
        came = f"{mine}\n{quotation(chance, others)}"
    elif shape == 1:
        came = f"{quotation(chance, others)}\n{mine}"
    elif shape == 2:
        came = f"{quotation(chance, others)}\n{mine}\n{quotation(chance, others)}"
    elif shape == 3:
        came = f"{mine}\n{unmarked(chance, others)}"
    else:
        came = f"{mine}\n-- \nBob\n\n{unmarked(chance, others)}"
    got = found(came)
    assert (got.kind, got.data.decode(), codes_of(got)) == (ORDERS, own, [])


@pytest.mark.parametrize("seed", range(300))
def test_a_letter_without_own_orders_never_has_any(seed):
    chance = random.Random(seed)
    others = orders(chance, "east", ["gunter", "wulf", "tam"])
    say = chance.choice(["", "I see.\n\n", "Thanks! I shall write tomorrow, after work.\n\n", "ok\n"])
    end = chance.choice(["", "\n-- \nBob\n", "\nSent from my iPhone\n", "\nBob\n"])
    body = chance.choice([quotation, unmarked])(chance, chance.choice(["", "Hello,\n\n"]) + others)
    got = found(
        say + body + (end if body.startswith((">", " ", "|", "&", "A", "O", "L")) and "\n>" in body else "")
    )
    assert (got.kind, got.data) == (NOTHING, b"")


HUGE = {
    "headings": "move:\n" * 7_500,
    "orders": "move:\n" + "- odo to 0712\n" * 5_000,
    "comments": "# x\n" * 12_500 + "hello",
    "comments and headings": "# x\nmove:\n" * 5_000,
    "rules of number signs": "move:\n- odo to 0712\n" + "####\n" * 12_500,
    "broken lines": "move:\n- " + ("odo, " * 15 + "\n") * 1_250,
    "orders among quotations": "- odo to 0712\n> x\n" * 5_000,
    "codes": "code: k7mp-2xqa\n" * 5_000,
    "misspelt headings": "mvoe:\n\n\n" * 5_000,
    "one long line": "note: " + "x" * 50_000,
    "one long line of stars": "*" * 50_000,
    "long lines of stars": ("*a" * 600 + "\n") * 40,
    "long lines of names": ("a, " * 400 + "\n") * 60,
    "brackets": "move:\n- " + "[" * 12_500,
    "blocks with empty lines": "move:\n\n- odo to 0712\n\n- hob to 0713\n\n" * 1_250,
    "words between": "move:\n- odo to 0712\n\nplease\n\n" * 2_000,
    "records": '{"type":"go"}\n' * 5_000,
    "signed beginnings": "#pd1-orders/1\n" * 5_000,
    "clearsigned": "-----BEGIN PGP SIGNED MESSAGE-----\n" * 5_000,
    "on on on": "On " * 8_000,
    "quoted": ">" * 25_000,
}


@pytest.mark.parametrize("name", HUGE)
def test_any_text_is_read_in_a_time_that_grows_with_it(name):
    begun = time.process_time()  # a busy machine is no fault
    found(HUGE[name])
    assert time.process_time() - begun < 4


def test_strange_signs_do_no_harm():
    chance = random.Random(5)
    signs = "\x00\x07\x1b\u2028\u2029\x85\ufeff\u200d\ud800'\"{}[]#&*!|>%@`-: \t\r\n•“”…ａ：é\u0301move"
    for _ in range(300):
        body = "move:\n- odo to 0712\n" + "".join(chance.choice(signs) for _ in range(chance.randint(1, 200)))
        got = find(
            Message(
                texts=(
                    Text(
                        chance.choice([PLAIN, HTML]),
                        tuple(Line(line, n) for n, line in enumerate(body.split("\n"), 1)),
                    ),
                )
            )
        )
        assert got.kind in (ORDERS, NOTHING)


def test_the_letter_made_by_hand_is_one():
    assert letter("x").sender == "bob.miller@example.org"
