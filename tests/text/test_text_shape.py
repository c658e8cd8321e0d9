"""Our walk over a schema: each keyword, what it says, and that it agrees with ``jsonschema`` on thousands of
spoilt files.
"""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Mapping
from typing import Any

import jsonschema
import pytest
from thorough import deeper, tries

from pbem import resources
from pbem.core.problem import Path, Problem
from pbem.text.shape import check, load
from pbem.text.similar import did_you_mean
from pbem.text.source import FILES, read
from pbem.text.walks import INTEGER, NUMBER

LIST = "begin each entry with '- ' on a line of its own"
GROUP = "write 'key: value' on lines of their own, a little further in"

Said = list[tuple[str, dict[str, str | int], Path]]


def said(data: object, schema: Mapping[str, Any], text: bool = True) -> Said:
    return [(problem.code, dict(problem.args), problem.path) for problem in check(data, schema, text=text)]


def one(data: object, schema: Mapping[str, Any], text: bool = True) -> Problem:
    problems = check(data, schema, text=text)
    assert len(problems) == 1
    return problems[0]


@pytest.mark.parametrize(
    ("text", "well"),
    [
        *(
            ("0", True),
            ("-1", True),
            ("999999999", True),
            ("1000000000", False),
            ("012", False),
            ("0712", False),
            ("-0", True),
        ),
        *(
            ("1.0", False),
            ("", False),
            ("1e3", False),
            ("+1", False),
            (" 1", False),
            ("1\n", False),
            ("--1", False),
        ),
    ],
)
def test_a_whole_number_is_a_text_of_one_form(text: str, well: bool) -> None:
    assert (INTEGER.fullmatch(text) is not None) is well
    assert (check(text, {"type": "integer"}) == []) is well


@pytest.mark.parametrize(
    ("kind", "good", "bad", "wanted", "help"),
    [
        ("object", {}, [], "keys with values", GROUP),
        ("array", [], {}, "a list", LIST),
        ("string", "x", [], "a text", ""),
        ("integer", "7", "x", "a whole number", ""),
        ("number", "7.5", "7.", "a number", ""),
        ("boolean", "true", "yes", "true or false", "write true or false"),
        ("boolean", "false", "True", "true or false", "write true or false"),
        ("null", "", "x", "nothing", ""),
        (["array", "null"], "", "x", "a list", LIST),
        (["array", "string", "integer"], "x", {}, "a list or a text", LIST),
        (["object", "integer"], "3", "x", "keys with values or a whole number", GROUP),
    ],
)
def test_types_of_text(kind: Any, good: object, bad: object, wanted: str, help: str) -> None:
    schema = {"type": kind}
    assert check(good, schema) == []
    problem = one(bad, schema)
    assert (problem.code, problem.args["wanted"], problem.help) == ("schema.type", wanted, help)


@pytest.mark.parametrize(
    ("kind", "good", "bad"),
    [
        ("integer", 7, [True, "7", 7.0, None]),
        ("number", 7, [True, "7", None]),
        ("boolean", False, [0, "true", None]),
        ("null", None, ["", 0]),
        ("string", "", [1, None]),
        ("object", {}, [[], "x"]),
        ("array", [1], [{}, "x"]),
    ],
)
def test_types_of_json(kind: str, good: object, bad: list[object]) -> None:
    assert check(good, {"type": kind}, text=False) == []
    for value in bad:
        assert one(value, {"type": kind}, text=False).code == "schema.type"


def test_a_tuple_is_a_list() -> None:
    schema = {"type": "array", "items": {"type": "string"}, "maxItems": 1}
    assert check(("a",), schema) == []
    assert said(("a", "b"), schema) == [("schema.too-many", {"count": 2, "limit": 1}, ())]


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("x", "'x'"),
        ("", "nothing"),
        ({}, "this group of keys"),
        ([1], "this list"),
        ("a\nb", "'a·b'"),
        ("x" * 40, f"'{'x' * 40}'"),
        ("x" * 41, f"'{'x' * 37}...'"),
    ],
)
def test_a_value_is_shown_short_and_on_one_line(value: object, shown: str) -> None:
    assert one(value, {"enum": ["other"]}).args["value"] == shown


def test_other_values_are_shown_too() -> None:
    for value, shown in ((None, "nothing"), (True, "true"), (False, "false"), (12, "'12'")):
        assert one(value, {"enum": ["other"]}, text=False).args["value"] == shown


def test_choices() -> None:
    schema = {"enum": ["move", "fire", "melee", "halt"]}
    assert check("fire", schema) == []
    problem = one("mvoe", schema)
    assert problem.args == {"value": "'mvoe'", "choices": "move, fire, melee or halt"}
    assert problem.help == "did you mean 'move'?"
    assert one([], schema).help == ""
    twelve, thirteen = [f"w{number}" for number in range(12)], [f"w{number}" for number in range(13)]
    assert str(one("x", {"enum": twelve}).args["choices"]).startswith("w0, w1, w2")
    assert one("x", {"enum": thirteen}).args["choices"] == "the 13 words known here"
    assert one("x", {"const": "y"}).args["choices"] == "y"
    assert check(1, {"const": 1}, text=False) == []
    assert one(True, {"const": 1}, text=False).code == "schema.choice"
    assert one(1, {"enum": [True, "1"]}, text=False).code == "schema.choice"
    assert check([1], {"enum": [[1]]}, text=False) == []


def test_patterns_end_at_the_very_end() -> None:
    schema = {"pattern": "^[0-9]{4}$", "patternErrorMessage": "a hex such as 0712"}
    assert check("0712", schema) == []
    assert said("0712\n", schema) == [
        ("schema.pattern", {"value": "'0712·'", "wanted": "a hex such as 0712"}, ())
    ]
    assert said("712", {"pattern": "^x"}) == [
        ("schema.pattern", {"value": "'712'", "wanted": "of the right form"}, ())
    ]
    assert check([], schema) == []


def test_lengths_bounds_and_counts_are_exact() -> None:
    length = {"minLength": 2, "maxLength": 3}
    assert [check(text, length) == [] for text in ("a", "ab", "abc", "abcd")] == [False, True, True, False]
    assert said("a", length) == [("schema.too-short", {"length": 1, "limit": 2}, ())]
    assert said("abcd", length) == [("schema.too-long", {"length": 4, "limit": 3}, ())]
    assert check([], length) == []
    assert check("x" * 9, {"minLength": 9}) == []
    assert check("", {"maxLength": 0}) == []

    bounds = {"minimum": -1, "maximum": 2}
    assert [check(text, bounds) == [] for text in ("-2", "-1", "2", "3")] == [False, True, True, False]
    assert said("-2", bounds) == [("schema.too-small", {"value": -2, "limit": -1}, ())]
    assert said("3", bounds) == [("schema.too-large", {"value": 3, "limit": 2}, ())]
    assert said(3, bounds, text=False) == [("schema.too-large", {"value": 3, "limit": 2}, ())]
    assert (
        check("x", bounds)
        == check("3", bounds, text=False)
        == check("9", {"minimum": 1})
        == check("-9", {"maximum": 1})
        == []
    )

    count = {"minItems": 1, "maxItems": 2}
    assert [check(["a"] * size, count) == [] for size in range(4)] == [False, True, True, False]
    assert said([], count) == [("schema.too-few", {"count": 0, "limit": 1}, ())]
    keys = {"minProperties": 1, "maxProperties": 2}
    assert [check(dict.fromkeys("abc"[:size], "x"), keys) == [] for size in range(4)] == [
        False,
        True,
        True,
        False,
    ]
    assert said(dict.fromkeys("abc", "x"), keys) == [("schema.too-many", {"count": 3, "limit": 2}, ())]
    assert check("x", count) == check("x", keys) == []


def test_lists() -> None:
    schema = {"items": {"type": "integer"}, "uniqueItems": True}
    assert check(["1", "2"], schema) == []
    assert said(["1", "x", "1", "1"], schema) == [
        ("schema.type", {"value": "'x'", "wanted": "a whole number"}, (1,)),
        ("schema.repeated", {"value": "'1'"}, (2,)),
        ("schema.repeated", {"value": "'1'"}, (3,)),
    ]
    assert check([1, True], {"uniqueItems": True}, text=False) == []


def test_keys() -> None:
    schema = {
        "properties": {"do": {"type": "string"}, "target": {"type": "string"}, "never": False},
        "required": ["do"],
        "additionalProperties": False,
    }
    assert check({"do": "x"}, schema) == []
    assert said({}, schema) == [("schema.missing", {"key": "do"}, ())]
    problem = one({"do": "x", "taget": "F3"}, schema)
    assert (problem.code, problem.args, problem.path, problem.key, problem.help) == (
        "schema.unknown-key",
        {"key": "taget"},
        ("taget",),
        True,
        "did you mean 'target'?",
    )
    assert one({"do": "x", "zzz": "1"}, schema).help == "the keys here are do, target, never"
    # what is there already is not meant
    assert (
        one({"do": "x", "target": "a", "taget": "F3"}, schema).help == "the keys here are do, target, never"
    )
    never = one({"do": "x", "never": "1"}, schema)
    assert (never.code, never.path, never.key, never.args) == (
        "schema.not-here",
        ("never",),
        True,
        {"value": "'1'"},
    )
    assert said({"do": []}, schema) == [("schema.type", {"value": "this list", "wanted": "a text"}, ("do",))]
    assert one({"x": "1"}, {"additionalProperties": False}).help == ""
    many = {"properties": {f"k{number}": True for number in range(9)}, "additionalProperties": False}
    assert one({"zzz": "1"}, many).help == ""
    assert check({"x": []}, {"properties": {"y": False}}) == []
    assert said({"x": []}, {"additionalProperties": {"type": "string"}})[0][2] == ("x",)
    assert check("x", schema) == []


def test_names_of_keys() -> None:
    schema = {"propertyNames": {"pattern": "^q[0-9]$", "patternErrorMessage": "the number of a question"}}
    assert check({"q1": "a"}, schema) == []
    problem = one({"q12": "a"}, schema)
    assert (problem.code, problem.args, problem.path, problem.key) == (
        "schema.key",
        {"key": "q12", "wanted": "the number of a question"},
        ("q12",),
        True,
    )
    assert one({"x": "a"}, {"propertyNames": {"maxLength": 0}}).args["wanted"] == "of the right form"
    closed = one({"wehn": "a"}, {"propertyNames": {"enum": ["when", "then"]}})
    assert (closed.code, closed.path, closed.help) == (
        "schema.unknown-key",
        ("wehn",),
        "did you mean 'when'?",
    )


def test_keys_that_need_others() -> None:
    schema = {"dependencies": {"when": ["then"], "do": {"properties": {"when": False}}}}
    assert (
        check({"then": "x"}, schema)
        == check({"when": "x", "then": "y"}, schema)
        == check("when", schema)
        == []
    )
    problem = one({"when": "x"}, schema)
    assert (problem.code, problem.args, problem.path, problem.key) == (
        "schema.needs",
        {"key": "when", "other": "then"},
        ("when",),
        True,
    )
    assert said({"do": "x", "when": "y", "then": "z"}, schema) == [
        ("schema.not-here", {"value": "'y'"}, ("when",))
    ]


def test_with_a_part_lost_nothing_is_called_missing() -> None:
    walk = load(
        {
            "required": ["a"],
            "dependencies": {"b": ["c"]},
            "anyOf": [{"required": ["d"]}, {"required": ["e"]}],
            "properties": {"b": {"enum": ["x"]}},
            "minProperties": 5,
        }
    )
    data = {"b": "y"}
    assert {problem.code for problem in walk.check(data)} == {
        *("schema.missing", "schema.needs", "schema.missing-one", "schema.choice", "schema.too-few")
    }
    assert [problem.code for problem in walk.check(data, whole=False)] == ["schema.choice"]


def test_hundreds_of_mistakes_are_answered_with_some() -> None:
    schema = {"items": {"type": "integer"}}
    assert len(check(["x"] * 200, schema)) == 200
    found = check(["x"] * 203, schema)
    assert len(found) == 201
    assert (found[-1].code, found[-1].args, found[-1].path) == ("schema.more", {"count": 3}, (199,))


def test_one_of_some_keys() -> None:
    either = {"anyOf": [{"required": ["do"]}, {"required": ["when"]}]}
    assert (
        check({"do": "x"}, either) == check({"do": "x", "when": "y"}, either) == check("text", either) == []
    )
    assert said({}, either) == [("schema.missing-one", {"keys": "do or when"}, ())]
    exactly = {"oneOf": either["anyOf"]}
    assert check({"when": "x"}, exactly) == []
    both = one({"do": "x", "when": "y"}, exactly)
    assert (both.code, both.args, both.path, both.key) == (
        "schema.not-both",
        {"key": "when", "other": "do"},
        ("when",),
        True,
    )


def test_branches_are_told_apart_by_a_word() -> None:
    schema = {
        "oneOf": [{"$ref": "#/definitions/a"}, {"$ref": "#/definitions/b"}],
        "definitions": {
            name: {
                "type": "object",
                "properties": {"n": True, "type": {"const": word}, name: {"type": "string"}},
                "required": ["n", "type", name],
                "additionalProperties": False,
            }
            for name, word in (("a", "Moved"), ("b", "Shot"))
        },
    }
    assert check({"n": "1", "type": "Moved", "a": "x"}, schema) == []
    assert said({"n": "1", "type": "Shot", "a": "x"}, schema) == [
        ("schema.unknown-key", {"key": "a"}, ("a",)),
        ("schema.missing", {"key": "b"}, ()),
    ]
    assert said({"n": "1"}, schema) == [("schema.missing", {"key": "type"}, ())]
    wrong = one({"type": "Shoot"}, schema)
    assert (wrong.code, wrong.path, wrong.help) == ("schema.choice", ("type",), "did you mean 'Shot'?")
    assert one({"type": []}, schema).path == ("type",)
    assert said("x", schema) == [("schema.type", {"value": "'x'", "wanted": "keys with values"}, ())]


def test_branches_without_a_word_give_the_nearest_answer() -> None:
    schema = {
        "anyOf": [
            {"type": "string", "pattern": "^[a-z]+$"},
            {"type": "object", "properties": {"do": {"enum": ["move"]}}, "required": ["do"]},
            {"type": ["array"], "items": {"type": "integer"}},
        ]
    }
    assert check("odo", schema) == check({"do": "move"}, schema) == check(["1"], schema) == []
    assert said("Odo", schema)[0][0] == "schema.pattern"
    assert said({"do": "mvoe"}, schema)[0][2] == ("do",)
    assert said(["x"], schema)[0][2] == (0,)
    assert check(7, schema, text=False)[0].code == "schema.type"
    single = {"oneOf": [{"type": "string"}, {"type": "integer"}]}
    assert check("x", single) == []
    assert said("7", single) == [("schema.ambiguous", {"value": "'7'"}, ())]
    assert check("7", {"anyOf": single["oneOf"]}) == []
    assert [problem.path for problem in check("X", {"anyOf": [{"pattern": "a"}, {"enum": ["x"]}]})] == [()]


def test_what_must_not_be() -> None:
    together = {"not": {"required": ["x", "luck"]}}
    assert check({"x": "1"}, together) == []
    assert said({"x": "1", "luck": "2"}, together) == [("schema.not-together", {"keys": "x and luck"}, ())]
    assert said("a", {"not": {"enum": ["a"]}}) == [("schema.not-here", {"value": "'a'"}, ())]


def test_a_definition_may_hold_itself_and_be_given_from_outside() -> None:
    schema = {
        "type": "object",
        "properties": {"then": {"type": "array", "items": {"$ref": "#/definitions/item"}}},
        "additionalProperties": False,
    }
    definitions = {
        "item": {
            "type": ["string", "object"],
            "properties": {"then": {"type": "array", "items": {"$ref": "#/definitions/item"}}},
        }
    }
    walk = load(schema, definitions=definitions)
    assert walk.check({"then": ["a", {"then": [{"then": ["b"]}]}]}) == []
    assert [problem.path for problem in walk.check({"then": [{"then": [{"then": "b"}]}]})] == [
        ("then", 0, "then", 0, "then")
    ]
    assert check({"then": "x"}, walk)[0].code == "schema.type"
    assert check({"then": ["a"]}, schema, definitions=definitions) == []


def test_a_schema_outside_our_subset_is_a_fault() -> None:
    with pytest.raises(ValueError, match="the schema uses allOf, format, which"):
        load({"properties": {"a": {"format": "x", "allOf": []}}})
    with pytest.raises(ValueError, match="refers to #/definitions/x, which is not there"):
        load({"$ref": "#/definitions/x"})
    with pytest.raises(ValueError, match=r"refers to other\.json#/definitions/x"):
        load({"$ref": "other.json#/definitions/x", "definitions": {"x": True}})
    assert load({"items": True, "definitions": {"unused": {"format": "x"}}}).check(["a"]) == []


@pytest.mark.parametrize(
    ("word", "choices", "answer"),
    [
        ("mvoe", ["move", "fight"], "did you mean 'move'?"),
        ("Move", ["move"], "did you mean 'move'?"),
        ("stop after", ["stop-after"], "did you mean 'stop-after'?"),
        ("stop_after", ["stop-after"], "did you mean 'stop-after'?"),
        ("shot", ["shoot", "shoot-again"], "did you mean 'shoot'?"),
        ("moved", ["Moved"], "did you mean 'Moved'?"),
        ("stan", ["standing", "side"], "did you mean 'standing'?"),
        ("adv", ["advance", "advance-who"], "did you mean 'advance'?"),
        ("adv", ["advance-who", "advance-whom"], ""),
        ("adv", ["advance-who", "x"], "did you mean 'advance-who'?"),
        ("ad", ["advance-who", "x"], ""),
        ("zebra", ["move", "fight"], ""),
        ("move", ["move", "more"], ""),
        ("x" * 41, ["x" * 42], ""),
        ("x" * 40, ["x" * 42], f"did you mean '{'x' * 42}'?"),
        ("a", [], ""),
    ],
)
def test_did_you_mean(word: str, choices: list[str], answer: str) -> None:
    assert did_you_mean(word, choices) == answer


# --- parity with jsonschema

SCHEMAS = resources.folder("schemas")
TEXT_TYPES = jsonschema.Draft7Validator.TYPE_CHECKER.redefine_many(
    {
        "integer": lambda _, value: isinstance(value, str) and INTEGER.fullmatch(value) is not None,
        "number": lambda _, value: isinstance(value, str) and NUMBER.fullmatch(value) is not None,
        "boolean": lambda _, value: value in ("true", "false"),
        "null": lambda _, value: value == "",
    }
)


def bound(name: str) -> Any:
    stock = jsonschema.Draft7Validator.VALIDATORS[name]

    def check_bound(validator: Any, limit: int, value: Any, schema: Any) -> Any:
        if isinstance(value, str) and INTEGER.fullmatch(value):
            numbers = jsonschema.Draft7Validator({})
            yield from stock(numbers, limit, int(value), schema)

    return check_bound


TEXT_VALIDATOR = jsonschema.validators.extend(
    jsonschema.Draft7Validator,
    {name: bound(name) for name in ("minimum", "maximum")},
    type_checker=TEXT_TYPES,
)
"""What ``text=True`` means, said to jsonschema: the four scalar types are texts of a certain form, and bounds
compare their value.
"""

WORDS = [
    "",
    "x",
    "odo",
    "0712",
    "0712@top",
    "7",
    "-3",
    "true",
    "t3",
    "n",
    "west",
    "move",
    "away",
    "ask",
    "0712 0713",
    "x" * 400,
    "A",
    "2:1",
]
KEYS = [
    "do",
    "who",
    "when",
    "then",
    "at",
    "x",
    "everyone",
    "wound",
    "side",
    "n",
    "id",
    "points",
    "q1",
    "type",
    "West",
    "hexes",
]


def spoil(data: Any, chance: random.Random, words: list[Any]) -> Any:
    """Return a copy with one value or key changed, taken out, put in or doubled."""
    data = copy.deepcopy(data)
    spots: list[tuple[Any, Any]] = []

    def visit(node: Any) -> None:
        for key in node if isinstance(node, dict) else range(len(node)):
            spots.append((node, key))
            if isinstance(node[key], dict | list):
                visit(node[key])

    visit(data)
    if not spots:
        return chance.choice(words)
    for _ in range(chance.choice((1, 1, 1, 2))):
        node, key = chance.choice(spots)
        if (isinstance(node, dict) and key not in node) or (isinstance(node, list) and key >= len(node)):
            continue
        match chance.randrange(6):
            case 0:
                node[key] = chance.choice(words)
            case 1:
                node[key] = chance.choice(
                    ([], {}, [chance.choice(words)], {chance.choice(KEYS): chance.choice(words)})
                )
            case 2:
                del node[key]
            case 3 if isinstance(node, dict):
                node[chance.choice(KEYS)] = node.pop(key)
            case 4 if isinstance(node, dict):
                node[chance.choice(KEYS)] = chance.choice(words)
            case _:
                if isinstance(node, list):
                    node.append(node[key])
                else:
                    node[key] = [node[key]]
    return data


def good_files() -> list[tuple[str, Any, bool]]:
    from test_text_examples import FIRST, SECOND
    from test_text_schemas import MAP, SCENARIO, STATE

    orders = [
        *(FIRST, SECOND),
        "side: west\nmove:\n- {who: [tom, wat], do: carry, what: ladder1, to: [0603, 0602]}\n"
        "- {who: odo, do: move, path: [0611, 0612], facing: s}\n"
        "- when: {unit: odo, is: healthy}\n  then:\n  - {what: tower1, do: forward, steps: 2}\n  - when: x\n"
        "    then: stop\n"
        "answers: {q1: 0612, q3: [odo, hal]}\nstanding:\n  everyone: {wound: [odo, hal], retreat: to 0712 "
        "0713}\n  odo: {advance: ask}\n",
        "side: west\nsetup:\nday:\n- assault\nluck: seven drunken herons\n",
    ]
    files = [("orders", read(text.encode()).data, True) for text in orders]
    files += [
        ("map", read(MAP.encode(), limits=FILES).data, True),
        ("scenario", read(SCENARIO.encode(), limits=FILES).data, True),
    ]
    return [*files, ("state", json.loads(STATE), False)]


@deeper
def test_our_walk_and_jsonschema_agree_on_many_spoilt_files() -> None:
    chance = random.Random(1)
    refused = accepted = 0
    schemas = {
        name: json.loads((SCHEMAS / f"{name}.schema.json").read_text("utf-8"))
        for name in ("orders", "map", "scenario", "state")
    }
    ours = {name: load(schema, text=name != "state") for name, schema in schemas.items()}
    theirs = {
        name: (TEXT_VALIDATOR if name != "state" else jsonschema.Draft7Validator)(schema)
        for name, schema in schemas.items()
    }
    for name, good, text in good_files():
        assert ours[name].check(good) == []
        theirs[name].validate(good)
        words: list[Any] = WORDS if text else [*WORDS, 0, 1, -1, 99, True, False, None]
        for _ in range(tries(150, 600)):
            spoilt = spoil(good, chance, words)
            mine = ours[name].check(spoilt)
            well = theirs[name].is_valid(spoilt)
            assert (mine == []) is well, (
                f"{name}: {mine} against {list(theirs[name].iter_errors(spoilt))[:3]}"
            )
            refused += not well
            accepted += well
    assert refused > tries(375, 1500)
    assert accepted > tries(125, 500)


def test_every_problem_leads_to_something_that_is_there() -> None:
    chance = random.Random(2)
    schema = load(json.loads((SCHEMAS / "orders.schema.json").read_text("utf-8")))
    for name, good, _ in good_files():
        if name != "orders":
            continue
        for _ in range(200):
            spoilt = spoil(good, chance, WORDS)
            for problem in schema.check(spoilt):
                node = spoilt
                for step in problem.path:
                    node = node[step]
