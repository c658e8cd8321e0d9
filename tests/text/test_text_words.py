"""Sentences: slots, plurals, parts that may be left out, fallbacks; and the English catalogue for what the
text ring says.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_text_source import WELL, mutated

import pbem
from pbem import resources
from pbem.core.problem import Problem
from pbem.text import shape
from pbem.text.source import FILES, read
from pbem.text.words import Words, in_force, speaking

ENGLISH = Path(pbem.__file__).parent / "words" / "en.yaml"


@pytest.fixture(name="english", scope="module")
def english_fixture() -> Words:
    got = read(ENGLISH.read_bytes(), "en.yaml", limits=FILES)
    assert got.problems == []
    assert isinstance(got.data, dict)
    return Words(got.data)


WORDS = Words(
    {
        "problems": {
            "movement.wall": "{unit} cannot enter {hex}, a wall",
            "a.count": "{count} {count|hex|hexes} and {lost|man|men}",
            "a.part": "{who} shot[ over {hexside}][ at {target}, {count} {count|hex|hexes} away].",
            "a.bare": "nothing to add",
            "a.broken": 7,
        },
        "events": {"Moved": "{unit} moved along {path}"},
        "phrases": {"hello": "Hello, {name}!", "list-and": "und"},
        "others": {"x": "y"},
    }
)


def test_slots() -> None:
    assert WORDS.problem("movement.wall", {"unit": "E7", "hex": "0912"}) == "E7 cannot enter 0912, a wall"
    assert WORDS.problem("movement.wall", {"unit": "E7"}) == "E7 cannot enter ?, a wall"
    assert WORDS.problem("movement.wall", {"unit": "{hex}", "hex": "[x]"}) == "{hex} cannot enter [x], a wall"
    assert WORDS.problem("a.bare", {"unit": "E7"}) == "nothing to add"
    assert WORDS.phrase("hello", name="Anna") == "Hello, Anna!"
    assert WORDS.event("Moved", {"unit": "odo", "path": 7}) == "odo moved along 7"


def test_a_language_in_force_says_it_and_what_it_lacks_is_said_in_english() -> None:
    german = {
        "problems": {"a.part": "{who} schoss[ über {hexside}] mit '{how}' ({how})"},
        "phrases": {"list-and": "und"},
        "terms": {"short bow": "Kurzbogen"},
    }
    english = {
        "problems": {"a.part": "{who} shot[ over {hexside}] with {how}", "a.bare": "nothing"},
        "phrases": {"list-and": "and"},
    }
    words = Words(english, others=lambda language: german if language == "de" else {})
    args = {"who": ["odo", "short bow"], "how": "short bow"}
    with speaking("de"):
        assert in_force() == "de"
        assert words.problem("a.part", args) == "odo und Kurzbogen schoss mit 'short bow' (Kurzbogen)"
        assert words.problem("a.bare", {}) == "nothing"
        assert words.put("short bow") == "Kurzbogen" and words.put("odo") == "odo"
        with speaking("fr"):
            assert words.problem("a.part", args) == "odo and short bow shot with short bow"
    assert in_force() == "en"
    assert words.problem("a.part", args) == "odo and short bow shot with short bow"
    assert words.put("short bow") == "short bow"


def test_columns_are_put_cell_by_cell_and_stand_below_one_another_again() -> None:
    terms = {"short bow": "Kurzbogen", "{1} of {2} MP": "{1} von {2} BP", "if {1}:": "wenn {1}:"}
    words = Words({}, others=lambda language: {"terms": terms})
    rows = ("godric  0101 0102   2 of 5 MP", "if odo is dead:", "  odo   shoots at hal  short bow, near")
    assert words.put_rows(rows) == rows
    with speaking("de"):
        assert words.put_rows(rows) == (
            "godric  0101 0102      2 von 5 BP",
            "wenn odo is dead:",
            "  odo   shoots at hal  Kurzbogen, near",
        )


def test_lists_read_as_sentences() -> None:
    def moved(path: object) -> str:
        return WORDS.event("Moved", {"unit": "odo", "path": path})

    assert moved(("0711", "0712", "0713")) == "odo moved along 0711, 0712 und 0713"
    assert moved(["0711", "0712"]) == "odo moved along 0711 und 0712"
    assert moved(("0711",)) == "odo moved along 0711"
    assert moved(()) == "odo moved along "
    assert moved({"to": "0712", "by": ["a", "b"]}) == "odo moved along to 0712, by a und b"
    assert Words({"events": {"Moved": "{path}"}}).event("Moved", {"path": ["a", "b"]}) == "a and b"


@pytest.mark.parametrize(
    ("count", "text"),
    [(1, "1 hex"), ("1", "1 hex"), (0, "0 hexes"), (2, "2 hexes"), (21, "21 hexes"), (None, "? hexes")],
)
def test_one_and_many(count: object, text: str) -> None:
    assert WORDS.problem("a.count", {"count": count, "lost": 1}) == f"{text} and man"


def test_a_part_is_left_out_when_there_is_nothing_to_say() -> None:
    assert WORDS.problem("a.part", {"who": "emma"}) == "emma shot."
    assert WORDS.problem("a.part", {"who": "emma", "hexside": "ne"}) == "emma shot over ne."
    assert (
        WORDS.problem("a.part", {"who": "emma", "target": "hugh", "count": 1})
        == "emma shot at hugh, 1 hex away."
    )
    assert (
        WORDS.problem("a.part", {"who": "emma", "target": "hugh", "count": 0})
        == "emma shot at hugh, 0 hexes away."
    )
    for nothing in ("", None, (), []):
        assert WORDS.problem("a.part", {"who": "emma", "target": nothing, "count": 1}) == "emma shot."


def test_an_unknown_sentence_is_readable_all_the_same() -> None:
    assert WORDS.problem("movement.far", {"unit": "odo", "cost": 7}) == "movement.far (unit: odo, cost: 7)"
    assert WORDS.problem("a.broken", {"path": ["a", "b"]}) == "a.broken (path: a und b)"
    assert WORDS.event("Flew", {}) == "Flew"
    assert Words({}).phrase("hello", name="Anna") == "hello (name: Anna)"
    assert Words({"phrases": "x"}).phrase("hello") == "hello"


def test_what_a_catalogue_holds() -> None:
    assert WORDS.keys("events") == ("Moved",)
    assert WORDS.keys("others") == ()
    assert WORDS.knows("problems", "a.bare")
    assert not WORDS.knows("problems", "a.broken")
    assert not WORDS.knows("others", "x")
    assert WORDS.slots("problems", "a.part") == {"who"}
    assert WORDS.slots("problems", "a.count") == {"count", "lost"}
    assert WORDS.slots("problems", "a.broken") == frozenset()
    assert WORDS.slots("others", "x") == frozenset()
    assert list(WORDS.faults()) == ["problems.a.broken: this is not a sentence"]
    broken = Words(
        {"problems": {"x.y": "a {b", "x.z": "a] b", "x.w": " "}, "events": {}, "phrases": {"a": "{b}[{c}]"}}
    )
    assert list(broken.faults()) == [
        "problems.x.y: a lone {",
        "problems.x.z: a lone ]",
        "problems.x.w: this is not a sentence",
        "events: there are none",
    ]


@settings(max_examples=60, deadline=None)
@given(
    st.text(),
    st.dictionaries(
        st.sampled_from(["a", "b"]), st.one_of(st.none(), st.integers(), st.text(), st.lists(st.text()))
    ),
)
def test_no_sentence_and_no_argument_makes_it_raise(sentence: str, args: dict[str, object]) -> None:
    assert isinstance(Words({"problems": {"x": sentence}}).problem("x", args), str)


# --- the English catalogue

RAISED = re.compile(r"\"((?:yaml|schema)\.[a-z][a-z0-9-]*)\"")


def test_each_code_of_the_text_ring_has_a_sentence_and_no_sentence_is_left_over(english: Words) -> None:
    codes: set[str] = set()
    for path in sorted((Path(pbem.__file__).parent / "text").glob("*.py")):
        codes |= set(RAISED.findall(path.read_text("utf-8")))
    sentences = {key for key in english.keys("problems") if key.startswith(("yaml.", "schema."))}
    assert codes - sentences == set()
    assert sentences - codes == set()


def test_the_catalogue_has_no_faults(english: Words) -> None:
    assert list(english.faults()) == []


def complete(problem: Problem, english: Words) -> None:
    assert english.knows("problems", problem.code), problem.code
    missing = english.slots("problems", problem.code) - set(problem.args)
    assert not missing, f"{problem.code} lacks {missing}"
    sentence = english.problem(problem.code, problem.args)
    assert "\n" not in sentence
    assert len(sentence) < 250


@settings(max_examples=150, deadline=None)
@given(mutated())
def test_every_sentence_has_its_arguments(english: Words, data: bytes) -> None:
    import json

    orders = shape.load(json.loads((resources.folder("schemas") / "orders.schema.json").read_text("utf-8")))
    got = read(data, allow_header=True)
    for problem in [*got.problems, *orders.check(got.data, whole=got.whole)]:
        complete(problem, english)


def test_the_files_that_are_spoilt_above_are_well_themselves() -> None:
    assert [read(data, allow_header=True).problems for data in WELL] == [[], [], []]


def test_no_sentence_shouts_or_blames(english: Words) -> None:
    for key in english.keys("problems"):
        sentence = english.problem(key, {})
        assert not re.search(r"invalid|illegal|bad |!|error|failed|must not", sentence, re.IGNORECASE), (
            f"{key}: {sentence}"
        )
