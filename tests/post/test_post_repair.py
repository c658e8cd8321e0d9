"""What is mended in unsigned orders, and what is left for the player to mend."""

from __future__ import annotations

import pytest
from handmade import codes_of, found, text
from siege_words import KEYS

from pbem.post.lines.keys import NAMED
from pbem.post.lines.message import NOTHING, ORDERS, PLAIN
from pbem.post.lines.rows import Row, rows_of
from pbem.post.orders.finding import place
from pbem.store.library import common_words, schema
from pbem.text.source import read

CASES = {
    # name: (as it came, what is read, the changes that are told)
    "as it should be": ("side: west\nmove:\n- odo to 0712", "side: west\nmove:\n- odo to 0712", ()),
    "no-break spaces": (
        "side:\u00a0west\nmove:\n-\u00a0odo to\u00a00712",
        "side: west\nmove:\n- odo to 0712",
        ("space", "space"),
    ),
    "spaces of all widths": ("move:\n-\u2003odo\u2009to\u202f0712", "move:\n- odo to 0712", ("space",)),
    "tab behind a dash": ("move:\n-\todo to 0712", "move:\n- odo to 0712", ("tab",)),
    "tab behind a colon": ("side:\twest\nmove:\n- odo to 0712", "side: west\nmove:\n- odo to 0712", ("tab",)),
    "tabs in front": (
        "standing:\n\teveryone:\n\t\twound: weakest",
        "standing:\n  everyone:\n    wound: weakest",
        ("tab", "tab"),
    ),
    "signs that nobody sees": (
        "\ufeffside: west\nmo\u00adve:\n- o\u200bdo to 0712",
        "side: west\nmove:\n- odo to 0712",
        ("invisible",) * 3,
    ),
    "bullets": (
        "move:\n• odo to 0712\n• hob to 0713",
        "move:\n- odo to 0712\n- hob to 0713",
        ("bullet", "bullet"),
    ),
    "bullets of outlook": (
        "move:\n·         odo to 0712\n·         hob to 0713",
        "move:\n- odo to 0712\n- hob to 0713",
        ("bullet", "bullet"),
    ),
    "signs of word's own fonts": (
        "move:\n\uf0b7 odo to 0712\n§  hob to 0713\nØ  tom to 0714",
        "move:\n- odo to 0712\n- hob to 0713\n- tom to 0714",
        None,
    ),
    "circles": (
        "move:\no   odo to 0712\no   hob to 0713",
        "move:\n- odo to 0712\n- hob to 0713",
        ("bullet",) * 2,
    ),
    "stars": (
        "move:\n* odo to 0712\n* hob to 0713",
        "move:\n- odo to 0712\n- hob to 0713",
        ("bullet", "bullet"),
    ),
    "stars further in": (
        "move:\n  *   odo to 0712\n  *   hob to 0713",
        "move:\n- odo to 0712\n- hob to 0713",
        ("bullet",) * 2,
    ),
    "a list of gmail": (
        "move:\n\n   - odo to 0712\n   - hob to 0713",
        "move:\n- odo to 0712\n- hob to 0713",
        ("indent",) * 2,
    ),
    "numbers": (
        "move:\n1. odo to 0712\n2. hob to 0713",
        "move:\n- odo to 0712\n- hob to 0713",
        ("bullet",) * 2,
    ),
    "dashes that are too long": (
        "move:\n– odo to 0712\n— hob to 0713",
        "move:\n- odo to 0712\n- hob to 0713",
        ("dash",) * 2,
    ),
    "a dash that does not break": ("shoot‑again:\n- alric at hob", "shoot-again:\n- alric at hob", ("dash",)),
    "a minus": ("setup:\n- alric has skill −2", "setup:\n- alric has skill -2", ("dash",)),
    "no space behind a dash": (
        "move:\n-odo to 0712\n-hob to 0713",
        "move:\n- odo to 0712\n- hob to 0713",
        ("glued",) * 2,
    ),
    "no space behind a colon": (
        "side:west\nmove:\n- odo to 0712",
        "side: west\nmove:\n- odo to 0712",
        ("glued",),
    ),
    "a space in front of a colon": (
        "side : west\nmove :\n- odo to 0712",
        "side: west\nmove:\n- odo to 0712",
        ("key",) * 2,
    ),
    "a french colon": (
        "side\u00a0: west\nmove:\n- odo to 0712",
        "side: west\nmove:\n- odo to 0712",
        ("space", "key"),
    ),
    "a wide colon": ("side： west\nmove：\n- odo to 0712", "side: west\nmove:\n- odo to 0712", ("wide",) * 2),
    "wide letters and numbers": ("move:\n- odo to ０７１２", "move:\n- odo to 0712", ("wide",)),
    "capitals": (
        "Side: West\nMove:\n- Odo to 0712",
        "side: west\nmove:\n- Odo to 0712",
        ("key", "capital", "key"),
    ),
    "more capitals": (
        "SIDE: WEST\nTURN: T3\nMOVE:\n- ODO TO 0712",
        "side: west\nturn: t3\nmove:\n- ODO TO 0712",
        None,
    ),
    "a key in two words": ("Shoot again:\n- alric at hob", "shoot-again:\n- alric at hob", ("key",)),
    "a key with an underscore": (
        "shoot_again:\n- alric at hob\nstop_after: move",
        "shoot-again:\n- alric at hob\nstop-after: move",
        None,
    ),
    "a key in bold": (
        "*side:* west\n**move:**\n- odo to 0712",
        "side: west\nmove:\n- odo to 0712",
        ("mark",) * 2,
    ),
    "names in bold": ("move:\n- *odo* to _0712_", "move:\n- odo to 0712", ("mark",)),
    "typographic marks round a value": (
        "side: ‘west’\nmove:\n- “odo to 0712”",
        "side: 'west'\nmove:\n- \"odo to 0712\"",
        None,
    ),
    "marks round words for people": (
        "message: “Bring more men!”",
        'message: "Bring more men!"',
        ("smart-quote",),
    ),
    "german marks round words": ("message: „Hallo Welt“", 'message: "Hallo Welt"', ("smart-quote",)),
    "french marks round words": ("message: « Bonjour »", 'message: "Bonjour"', ("smart-quote",)),
    "marks inside words for people stay": ("message: it’s “ours” – all…", "message: it’s “ours” – all…", ()),
    "words for people that could not be read else": (
        "message: “Hold: the ford”\nmove:\n- odo to 0712",
        'message: "Hold: the ford"\nmove:\n- odo to 0712',
        ("smart-quote",),
    ),
    "comments stay": (
        "# it’s – so…\nmove:\n- odo to 0712   # “there”",
        "# it’s – so…\nmove:\n- odo to 0712   # “there”",
        (),
    ),
    "entities": (
        "move:\n- odo&nbsp;to 0712\nmessage: you &amp; me",
        "move:\n- odo to 0712\nmessage: you & me",
        ("entity", "space", "entity"),
    ),
    "markdown": (
        "move:\n\\- odo to 0712\nshoot\\-again:\n\\- alric at hob",
        "move:\n- odo to 0712\nshoot-again:\n- alric at hob",
        ("escape",) * 3,
    ),
    "an escaped comment": (
        "\\# bows first\nmove:\n- odo to 0712",
        "# bows first\nmove:\n- odo to 0712",
        ("escape",),
    ),
    "telephone numbers": (
        "move:\n- odo to 0712<tel:0712>\n- hob to 0713 <tel:0713>",
        "move:\n- odo to 0712\n- hob to 0713",
        ("link",) * 2,
    ),
    "telephone numbers in markdown": ("move:\n- odo to [0712](tel:0712)", "move:\n- odo to 0712", ("link",)),
    "an address made a link": (
        "move:\n- odo to 0712 <x-apple-data-detectors://embedded/1>",
        "move:\n- odo to 0712",
        ("link",),
    ),
    "accents in two signs": ("message: cafe\u0301", "message: café", ("accent",)),
    "letters mangled on the way": ("message: SchÃ¶ne GrÃ¼ÃŸe", "message: Schöne Grüße", ("encoding",)),
    "quotation marks mangled on the way": ("message: itâ€™s ours", "message: it’s ours", ("encoding",)),
    "marks of windows as control characters": ("message: it\x92s ours", "message: it’s ours", ("encoding",)),
    "line ends that programs do not see": (
        "side: west\u2028move:\u2028- odo to 0712",
        "side: west\nmove:\n- odo to 0712",
        ("line-end",) * 2,
    ),
    "spaces in front of all": (
        "   side: west\n   move:\n   - odo to 0712",
        "side: west\nmove:\n- odo to 0712",
        ("indent",),
    ),
    "spaces in front of all of nested ones": (
        "    standing:\n      everyone:\n        wound: weakest",
        "standing:\n  everyone:\n    wound: weakest",
        ("indent",),
    ),
    "spaces at the ends": ("side: west  \nmove: \n- odo to 0712   ", "side: west\nmove:\n- odo to 0712", ()),
    "carriage returns": ("side: west\r\nmove:\r\n- odo to 0712\r", "side: west\nmove:\n- odo to 0712", ()),
    "orders in ragged columns": (
        "move:\n- odo to 0712\n - hob to 0713\n  - tom to 0714",
        "move:\n- odo to 0712\n- hob to 0713\n- tom to 0714",
        None,
    ),
    "a key further in": ("side: west\n move:\n - odo to 0712", "side: west\nmove:\n- odo to 0712", None),
    "no dashes at all": (
        "move:\nodo to 0712\nhob to 0713",
        "move:\n- odo to 0712\n- hob to 0713",
        ("missing-dash",) * 2,
    ),
    "an empty line behind each": (
        "side: west\n\nmove:\n\n- odo to 0712\n\n- hob to 0713\n",
        "side: west\nmove:\n- odo to 0712\n- hob to 0713",
        (),
    ),
    "empty lines of his own stay": (
        "side: west\n\nmove:\n- odo to 0712\n\nfight:\n- hob attacks gunter",
        "side: west\n\nmove:\n- odo to 0712\n\nfight:\n- hob attacks gunter",
        (),
    ),
    "answers that lost their spaces": (
        "answers:\nq1: 0612\nq2: b",
        "answers:\n  q1: 0612\n  q2: b",
        ("indent",) * 2,
    ),
    "answers in capitals": ("Answers:\nQ1: A", "answers:\n  q1: a", None),
    "standing that lost its spaces": (
        "standing:\neveryone:\nwound: weakest\nretreat: away\njosse:\nadvance: never",
        "standing:\n  everyone:\n    wound: weakest\n    retreat: away\n  josse:\n    advance: never",
        ("indent",) * 5,
    ),
    "standing in braces that lost its spaces": (
        "standing:\neveryone: {wound: weakest, retreat: away}\nmove:\n- odo to 0712",
        "standing:\n  everyone: {wound: weakest, retreat: away}\nmove:\n- odo to 0712",
        ("indent",),
    ),
    "standing with two spaces everywhere": (
        "standing:\n  everyone:\n  wound: weakest\n  retreat: away",
        "standing:\n  everyone:\n    wound: weakest\n    retreat: away",
        ("indent",) * 2,
    ),
    "standing in capitals": (
        "Standing:\n  Everyone:\n    Wound: Weakest",
        "standing:\n  everyone:\n    wound: weakest",
        None,
    ),
    "a condition that lost its spaces": (
        "fight:\n- when: hob is dead\nthen:\n- odo attacks tam\notherwise:\n- odo attacks hob",
        "fight:\n- when: hob is dead\n  then:\n  - odo attacks tam\n  otherwise:\n  - odo attacks hob",
        ("indent",) * 4,
    ),
    "a condition in capitals": (
        "fight:\n- When: hob is dead\n  Then:\n  - odo attacks tam",
        "fight:\n- when: hob is dead\n  then:\n  - odo attacks tam",
        ("key",) * 2,
    ),
    "an order broken at 72": (
        "fight:\n- tom, wat, hob, odo, alric, emma attack gunter, wulf, osric "
        "at least\n2:1\n- ned attacks tam",
        "fight:\n- tom, wat, hob, odo, alric, emma attack gunter, wulf, osric "
        "at least 2:1\n- ned attacks tam",
        ("joined",),
    ),
    "an order broken twice": (
        "fight:\n- tom, wat, hob, odo, alric, emma, josse, maredudd, iorwerth, heilyn,\n"
        "tudur, gerolf, einion, cynan, klaas, meurig, hacon, tofi attack gunter,\nwulf",
        "fight:\n- tom, wat, hob, odo, alric, emma, josse, maredudd, iorwerth, heilyn, tudur, gerolf, "
        "einion, cynan, klaas, meurig, "
        "hacon, tofi attack gunter, wulf",
        ("joined",),
    ),
    "an order broken and moved in": (
        "fight:\n- meurig, iorwerth, tudur, cynan, maredudd, heilyn attack\n  hereric, dunn at least 3:1",
        "fight:\n- meurig, iorwerth, tudur, cynan, maredudd, heilyn attack hereric, dunn at least 3:1",
        ("joined",),
    ),
    "an order broken early, behind a comma": (
        "fight:\n- hob,\nodo attack gunter",
        "fight:\n- hob, odo attack gunter",
        ("joined",),
    ),
    "the end of the last order, alone": (
        "fight:\n- hob, odo attack gunter, wulf\nat least 2:1",
        "fight:\n- hob, odo attack gunter, wulf at least 2:1",
        ("joined",),
    ),
    "a hex alone": (
        "day:\n- trebuchet1, trebuchet2 bombard\n0909",
        "day:\n- trebuchet1, trebuchet2 bombard 0909",
        ("joined",),
    ),
    "engines below a comma": (
        "standing:\n  everyone:\n    engines-lose: mangonel3, mangonel2,\nmangonel1",
        "standing:\n  everyone:\n    engines-lose: mangonel3, mangonel2, mangonel1",
        ("joined",),
    ),
    "what PGP put in front of dashes": ("move:\n- - odo to 0712", "move:\n- odo to 0712", ("bullet",)),
    "a short comment broken": (
        "# One line was wrong in my first mail:\ngerolf cannot get that far.\nmove:\n- odo to 0712",
        "# One line was wrong in my first mail: gerolf cannot get that far.\nmove:\n- odo to 0712",
        ("joined",),
    ),
    "a comment broken": (
        "# One line was wrong in my first mail: gerolf cannot get that far in a\nturn, so here it is.\n"
        "move:\n- odo to 0712",
        "# One line was wrong in my first mail: gerolf cannot get that far in a turn, so here it is.\n"
        "move:\n- odo to 0712",
        ("joined",),
    ),
    "a comment behind an order broken": (
        "move:\n- odo to 0712            # the first one that is legal when his "
        "turn\ncomes, I hope\n- hob to 0713",
        "move:\n- odo to 0712            # the first one that is legal when his "
        "turn comes, I hope\n- hob to 0713",
        ("joined",),
    ),
    "a message broken": (
        "message: We hold the ford until the rain stops, and then we shall see who\nhas the drier boots.\n"
        "move:\n- odo to 0712",
        "message: We hold the ford until the rain stops, and then we shall see who has the drier boots.\n"
        "move:\n- odo to 0712",
        ("joined",),
    ),
}

CASES |= {
    "a heading without its colon": (
        "side: west\nMOVE\n- odo to 0712",
        "side: west\nmove:\n- odo to 0712",
        ["key"],
    ),
    "another word for a heading": (
        "side: west\nMovement:\n- odo to 0712",
        "side: west\nmove:\n- odo to 0712",
        ["key"],
    ),
    "an order on the line of its heading": ("move: odo to 0712", "move:\n- odo to 0712", ["missing-dash"]),
    "an equals sign for a colon": (
        "side = west\nmove:\n- odo to 0712",
        "side: west\nmove:\n- odo to 0712",
        ["key"],
    ),
    "a colon behind a name": ("move:\n- odo: to 0712", 'move:\n- "odo: to 0712"', []),
    "a drawn arrow": ("move:\n- odo → 0712", "move:\n- odo -> 0712", ["dash"]),
    "an order with half of its quotation marks": (
        'move:\n- "odo to 0712',
        'move:\n- "odo to 0712"',
        ["mark"],
    ),
    "words with half of their quotation marks": (
        'message: "hello\nmove:\n- odo to 0712',
        'message: "\\"hello"\nmove:\n- odo to 0712',
        ["words-kept"],
    ),
    "words with a number sign": (
        "message: next # week\nmove:\n- odo to 0712",
        'message: "next # week"\nmove:\n- odo to 0712',
        ["words-kept"],
    ),
    "words with a colon": (
        "message: Note: away\nmove:\n- odo to 0712",
        'message: "Note: away"\nmove:\n- odo to 0712',
        ["words-kept"],
    ),
}
LEFT = {
    # what is not certain stays as it came, and the check shows it
    "an unknown key": "side: west\nmarvels:\n- odo to 0712",
    "a sentence nobody understands": "move:\n- odo flies to 0712",
    "a cyrillic letter": "move:\n- оdo to 0712",
    "a line in the middle that is no order": "move:\n- odo to 0712\nwhatever this is\n- hob to 0713",
    "a key given twice": "move:\n- odo to 0712\nmove:\n- hob to 0713",
    "a tab inside brackets": "standing:\n  everyone: {wound: weakest",
}


@pytest.mark.parametrize("name", CASES)
def test_what_is_mended(name):
    came, wanted, changes = CASES[name]
    got = found(came)
    assert got.data.decode() == wanted + "\n"
    assert got.kind == ORDERS
    if changes is not None:
        assert [repair.code for repair in got.repairs] == [f"repair.{change}" for change in changes]


@pytest.mark.parametrize("name", [name for name in CASES if name not in ("carriage returns",)])
def test_what_is_mended_can_be_read_and_needs_no_mending_again(name):
    got = found(CASES[name][0])
    assert not read(got.data).problems
    again = found(got.data.decode())
    assert again.data == got.data
    assert again.repairs == ()


@pytest.mark.parametrize("name", CASES)
def test_every_change_has_its_words_and_its_line(name):
    came = CASES[name][0]
    for repair in found(came).repairs:
        assert common_words().knows("phrases", repair.code)
        assert common_words().slots("phrases", repair.code) <= {"number", "was", "now"}
        assert 1 <= repair.number <= came.count("\n") + 1


@pytest.mark.parametrize("name", CASES)
def test_every_place_leads_back_to_the_letter(name):
    came = CASES[name][0]
    got = found(came)
    lines = got.data.decode().split("\n")
    seen = came.split("\n")
    assert len(got.lines) == len(lines) - 1
    for number, line in enumerate(lines[:-1], 1):
        last = (0, 0)
        for column in range(1, len(line) + 2):
            row, at, shown = place(got, number, column)
            assert shown == seen[row - 1]
            assert 1 <= at <= len(shown) + 1
            assert (row, at) >= last  # a caret never jumps back
            last = (row, at)
            if (
                column <= len(line)
                and line[column - 1].isalnum()
                and line[column - 1].isascii()
                and shown.isascii()
                and "&" not in shown
            ):
                assert shown[at - 1].lower() == line[column - 1].lower()


@pytest.mark.parametrize("name", LEFT)
def test_what_is_not_certain_stays(name):
    got = found(LEFT[name])
    assert got.kind == ORDERS
    assert got.data.decode() == LEFT[name] + "\n"
    assert got.repairs == ()


def test_what_certain_is_mended_beside_a_mistake_too():
    got = found("Side: West\nmarvels:\n• odo to 0712")
    assert got.data == b"side: west\nmarvels:\n- odo to 0712\n"


LOST = {
    "several orders below otherwise": (
        "fight:\n- when: hob is dead\nthen:\n- odo attacks tam\notherwise:\n- "
        "odo attacks hob\n- ned attacks tam"
    ),
    "two conditions": (
        "fight:\n- when: hob is dead\nthen:\n- odo attacks tam\n- when: tam is dead\nthen:\n- odo attacks hob"
    ),
    "two orders below then, and no otherwise": "fight:\n- when: hob is dead\nthen:\n- odo attacks tam\n- ned attacks tam",
}


@pytest.mark.parametrize("name", LOST)
def test_spaces_that_were_lost_are_not_guessed(name):
    got = found(LOST[name])
    assert got.kind == NOTHING
    assert codes_of(got) == ["mail.lost-indent"]


def test_where_only_the_text_as_it_came_can_be_read_it_is_taken():
    """An order whose name ends with a star cannot be read without it."""
    came = "note: |\n  * one\n  * two\nmove:\n- odo to 0712"
    assert found(came).data.decode() == came + "\n"


def test_words_for_people_below_a_bar_stay_as_they_are():
    came = "note: |\n  Move: no\n  – a dash\n  q1: x\nmove:\n- odo to 0712"
    got = found(came)
    assert got.data.decode() == came + "\n"
    assert got.repairs == ()


def test_a_place_in_a_line_that_was_joined_is_that_of_the_second_line():
    came = CASES["an order broken at 72"][0]
    got = found(came)
    column = got.data.decode().split("\n")[1].index("2:1") + 1
    assert place(got, 2, column) == (3, 1, "2:1")
    assert place(got, 3, 1) == (4, 1, "- ned attacks tam")


def test_a_place_beyond_the_text_is_its_end():
    got = found("move:\n- odo to 0712")
    assert place(got, 99, 99) == (2, 14, "- odo to 0712")
    assert place(got, 0, 0) == (1, 1, "move:")


def test_the_keys_are_those_of_the_schema():
    orders = schema("orders")
    assert set(KEYS.all) == set(orders["properties"])
    assert set(KEYS.standing) == set(orders["definitions"]["choices"]["properties"])
    assert set(KEYS.sections) == set(orders["properties"]["stop-after"]["enum"])
    assert set(NAMED) < set(KEYS.all)


def test_a_row_keeps_the_place_of_each_character():
    (row,) = rows_of(text("  Move :  x").lines)
    row.cut(2)
    row.replace(0, 6, "move:")
    row.sub(__import__("re").compile("  "), " ")
    assert row.text == "move: x"
    assert [row.columns[at] for at in (0, 5, 6)] == [2, 8, 10]
    assert row.columns[-1] == len("  Move :  x")


def test_a_row_that_begins_further_in_stands_where_it_stood():
    row = Row("x", [4, 5], 1, "    x")
    row.begin(2)
    assert (row.text, row.columns) == ("  x", [4, 4, 4, 5])
    row.begin(0)
    assert (row.text, row.columns) == ("x", [4, 5])


def test_plain_is_the_kind_of_a_text_made_by_hand():
    assert text("x").kind == PLAIN
