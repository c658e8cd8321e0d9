"""Plain data as YAML, and two order texts in one: what is written reads back as what was meant."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.text.source import read as read_yaml
from pbem.text.written import together, written


@pytest.mark.parametrize(
    "data",
    [
        {"seat": "east", "move": ["odo to 0712", "hal by 0611 0612"], "fight": []},
        {
            "fight": [
                "hob, odo attack gunter at least 2:1",
                {"when": "gunter is dead", "then": ["odo attacks wulf"], "otherwise": []},
            ]
        },
        {"standing": {"everyone": {"wound": "odo, hob", "retreat": "away"}, "odo": {"retreat": "to 0705"}}},
        {
            "answers": {"q1": "0612", "q2": "yes"},
            "message": "We're off: goodbye! # not a comment",
            "luck": "a wet Tuesday",
        },
        {
            "steps": [{"submit": "east", "file": "s001.yaml"}, {"lock": "true"}],
            "start": "2026-03-01T18:00:00Z",
            "options": {"a_b": "c_d"},
        },
    ],
)
def test_written_files_read_back(data: dict[str, Any]) -> None:
    source = read_yaml(written(data).encode())
    assert source.problems == []
    assert source.data == data


@pytest.mark.parametrize(
    ("text", "more", "wanted"),
    [
        (
            "move:\n- odo to 0712  # at last\n",
            {"luck": "a wet day"},
            "move:\n- odo to 0712  # at last\nluck: a wet day\n",
        ),
        (
            "message: hello\nmove:\n- odo to 0712\n",
            {"message": "hello\n\nhi"},
            'move:\n- odo to 0712\nmessage: "hello\\n\\nhi"\n',
        ),
        ("{move: [odo to 0712], note: x}", {"final": "yes"}, "move:\n- odo to 0712\nnote: x\nfinal: yes\n"),
        ("move:\n- odo to 0712\n...\n", {"luck": "a wet day"}, "move:\n- odo to 0712\nluck: a wet day\n"),
        ("note: |\n  one\n  two", {"luck": "a wet day"}, 'note: "one\\ntwo"\nluck: a wet day\n'),
    ],
)
def test_what_is_added_leaves_the_rest_as_it_was_written(
    text: str, more: dict[str, Any], wanted: str
) -> None:
    assert together(text.encode(), more).decode() == wanted


def test_what_is_taken_out_is_gone_with_all_that_stands_below_it() -> None:
    text = b"# mine\nluck: |\n  a wet\n  day\nmove:\n- odo to 0712\n"
    assert together(text, {}, frozenset({"luck"})).decode() == "# mine\nmove:\n- odo to 0712\n"


_WORDS = (
    st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "Z")), min_size=1, max_size=30)
    .map(str.strip)
    .filter(bool)
)


@given(first=_WORDS, second=_WORDS, flow=st.booleans())
def test_whatever_somebody_says_it_is_said_in_both(first: str, second: str, flow: bool) -> None:
    text = ("{move: [odo to 0712]}\n" if flow else "move:\n- odo to 0712\n").encode()
    if (
        read_yaml(written({"message": first}).encode()).problems
        or read_yaml(written({"luck": second}).encode()).problems
    ):
        return
    made = read_yaml(together(together(text, {"message": first}), {"luck": second}))
    assert made.data == {"move": ["odo to 0712"], "message": first, "luck": second}
