"""Two order files, and what is said about small mistakes in them."""

from __future__ import annotations

import json

import pytest

from pbem import resources
from pbem.text import shape
from pbem.text.source import ORDERS, read

FIRST = """\
game: brackwater-3f9a1c
side: company
turn: d1.t4

shoot:
- alric at gunter or wulf or nearest       # first one that is legal when his turn comes
- emma at hugh across ne                   # names the parapet side she shoots over
move:
- odo to 0713                              # cheapest way; the receipt shows it
- hal by 0611 0612 0713                    # exactly this way
- tom, wat carry ladder1 to 0603 0602
- tom, wat raise ladder1 in 0603 facing s
- piers works bridge
shoot-again:
- alric at wulf
fight:
- hob, odo attack gunter                   # together: one column to the right
- hal attacks wulf, ned                    # one man against two
- osric attacks wulf                       # a fight of its own, after the others
standing:
  everyone: {wound: weakest, retreat: away, advance: never}
"""

SECOND = """\
# West, turn 3. One line was wrong in my first mail: odo cannot reach 0713.
side: west
turn: t3
shoot:
- alric at hob
move:
- odo to 0712
- sir-guy by 1108 1109 1110 facing s
fight:
- when: hob is stunned or wounded
  then:
  - odo, wulf attack hob
  otherwise:
  - wulf attacks tam
- ned attacks tam at least 2:1
stop-after: shoot-again          # show me the shots before we come to blows
"""


@pytest.fixture(name="orders", scope="module")
def orders_fixture() -> shape.Shape:
    return shape.load(json.loads((resources.folder("schemas") / "orders.schema.json").read_text("utf-8")))


@pytest.mark.parametrize("text", [FIRST, SECOND])
def test_the_examples_of_the_paper_are_well(text: str, orders: shape.Shape) -> None:
    source = read(text.encode())
    assert source.problems == []
    assert source.whole
    assert orders.check(source.data) == []


def test_the_examples_give_their_sentences() -> None:
    data = read(SECOND.encode()).data
    assert isinstance(data, dict)
    assert data["fight"] == [
        {
            "when": "hob is stunned or wounded",
            "then": ["odo, wulf attack hob"],
            "otherwise": ["wulf attacks tam"],
        },
        "ned attacks tam at least 2:1",
    ]
    assert data["stop-after"] == "shoot-again"


@pytest.mark.parametrize(
    ("old", "new", "code", "place", "help"),
    [
        ("shoot-again:", "shoot-agian:", "schema.unknown-key", (14, 1), "did you mean 'shoot-again'?"),
        ("wound: weakest", "wuond: weakest", "schema.unknown-key", (21, 14), "did you mean 'wound'?"),
        ("advance: never", "advance: nevver", "schema.pattern", (21, 54), ""),
        ("turn: d1.t4", "turn: 4", "schema.pattern", (3, 7), ""),
        ("side: company", "side: Company", "schema.pattern", (2, 7), ""),
    ],
)
def test_a_mistake_is_found_where_it_stands(
    old: str, new: str, code: str, place: tuple[int, int], help: str, orders: shape.Shape
) -> None:
    source = read(FIRST.replace(old, new).encode(), limits=ORDERS)
    found = orders.check(source.data)
    assert [(problem.code, source.mark(problem.path, problem.key), problem.help) for problem in found] == [
        (code, place, help)
    ]
