"""Whatever decides a game of castle sections is a whole number: tables, states, events, and what orders say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pbem.bots.chance import SeedDice
from pbem.core.ruleset import play_slot
from pbem.referee.game.replay import first_state
from pbem.referee.game.scenario import find_scenario, judge
from pbem.rulesets.castle.ruleset import CASTLE
from pbem.text.codec import to_plain
from pbem.text.source import read


def floats(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield where in a value there is a number that is not whole."""
    if isinstance(value, float | complex):
        yield path
    elif isinstance(value, Mapping):
        for key, one in value.items():
            yield from floats(key, path)
            yield from floats(one, (*path, key))
    elif isinstance(value, Sequence | set | frozenset) and not isinstance(value, str | bytes):
        for n, one in enumerate(value):
            yield from floats(one, (*path, n))


def test_whatever_decides_is_a_whole_number() -> None:
    assert list(floats({"one": [{"two": 0.5}]})) == [("one", 0, "two")]
    assert not list(floats(CASTLE.tables))
    _, ground, _ = judge(find_scenario("kestrel-tower"), {})
    war = first_state(ground, {side: side for side in ("hill", "keep")})
    assert not list(floats(to_plain(war)))
    lines = "actions:\n- grul moves by 19.37 40.11, 20 36.5 facing 181\n- thud moves 3.95 sw\n- 34.5\n"
    said = read(lines.encode(), "orders.yaml").data
    assert said["actions"][-1] == "34.5"  # a number of a file is text until a rule reads it
    _, problems = CASTLE.interface.read_orders(CASTLE, war, "hill", said)
    assert [problem.path for problem in problems] == [("actions", 2)]
    sheet, _ = CASTLE.interface.read_orders(CASTLE, war, "hill", {"actions": said["actions"][:2]})
    after = play_slot(CASTLE, war, {"hill": (sheet,)}, {"hill": (sheet, "")}, SeedDice("whole"))
    assert after.state.figure("grul").at == (2000, 3650)
    assert not list(floats(to_plain(after.state)))
    assert not list(floats([to_plain(event) for event in after.events]))
