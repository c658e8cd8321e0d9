"""What a packet offers is in tables that its page makes rows of: every line of them is what is legal, word by word,
whether Python or a browser reads them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from packet_rows import rows_of
from page_watch import Watched

from pbem.referee.explain import clickable
from pbem.referee.explain.draw import scene_of
from pbem.referee.game.game import Game, open_game
from pbem.referee.game.views import known_state
from pbem.referee.pages import packet_tables
from pbem.referee.pages.packet import contents, packet_bytes
from pbem.store.library import example

GAMES = {"six-days": 8, "alder-ford": 3}
"""Recorded game -> the slot after which its packet is written: before Corvenstone an assault of sixty begins."""
ROWS = ("phases", "later", "after")


@pytest.fixture(scope="module", params=GAMES)
def played(request: pytest.FixtureRequest) -> tuple[Game, str, Any, Any]:
    """Return a recorded game, the seat that orders next, the state, and what was announced."""
    game = open_game(example(request.param) / "archive.zip")
    result = game.ledger.slots[GAMES[request.param]].result
    assert result is not None
    seat = result["next"]["waits"][0]
    return game, seat, game.state_after(GAMES[request.param], str(result["state"])), result["next"]


@pytest.fixture(scope="module")
def made(played: tuple[Game, str, Any, Any]) -> tuple[dict[str, Any], str]:
    game, seat, state, announced = played
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(clickable, "MOST_AHEAD", 250)
        patch.setattr(clickable, "MOST_OF_SEVERAL", 8)
        return contents(game.ground, seat, game.sides[seat], state, (), announced, game=game.id)


def written(made: tuple[dict[str, Any], str]) -> dict[str, Any]:
    found = re.search(
        rb'<script type="application/json" id="data">(.*?)</script>', packet_bytes(*made), re.DOTALL
    )
    assert found is not None
    data: dict[str, Any] = json.loads(found[1])
    return data


def plain(made: dict[str, Any]) -> Any:
    return json.loads(json.dumps({key: made[key] for key in ROWS}))


def test_the_tables_give_back_every_row(made: tuple[dict[str, Any], str]) -> None:
    data = written(made)
    assert {key: rows_of(data)[key] for key in ROWS} == plain(made[0])
    assert any("a" in row for phase in made[0]["phases"] for row in phase["rows"])


def test_their_lines_are_what_is_legal_in_each_phase(
    played: tuple[Game, str, Any, Any], made: tuple[dict[str, Any], str]
) -> None:
    game, seat, state, _ = played
    rules, known = game.ground.rules, known_state(game.ground, state, game.sides[seat])
    found = rows_of(written(made))
    stages = clickable.stages(
        game.ground, known, seat, scene_of(game.ground, state, (), side=game.sides[seat])
    )
    assert len(stages) == len(found["phases"]) > 1
    for stage, phase in zip(stages, found["phases"], strict=True):
        lines = [row["s"] for row in phase["rows"] if "u" not in row]
        assert lines == [
            rules.interface.say(order) for order in rules.interface.legal(rules, stage.state, seat)
        ]


def test_a_browser_makes_the_same_rows_of_them(
    opened: Callable[..., Watched], tmp_path: Path, made: tuple[dict[str, Any], str]
) -> None:
    (file := tmp_path / "turn.html").write_bytes(packet_bytes(*made))
    page = opened(file).page
    shown = page.evaluate(
        "({ phases, later, after }) => ({ phases, later, after })", page.evaluate_handle("pbemDesk.data")
    )
    assert shown == plain(made[0])


def test_they_are_a_small_part_of_what_the_rows_were(made: tuple[dict[str, Any], str]) -> None:
    data = written(made)
    keys = (*ROWS, "values", "up", "at")
    assert 3 * sum(len(json.dumps(data[key])) for key in keys) < len(json.dumps(plain(made[0])))


@pytest.mark.parametrize(
    "row",
    [
        {"w": [], "s": "", "k": 0},
        {"w": ["odo"], "s": "odo {c} {w}", "k": 0, "c": ["0101"]},
        {"w": ["odo"], "s": "odo to 0101", "k": 0, "c": ["0102"], "y": "0101 0102", "a": [-1]},
        {"w": ["odo", "tom"], "s": "tom, odo attack wulf", "k": 1, "t": ["wulf"], "a": [3, -1], "n": [1, 2]},
        {"w": ["0101"], "s": "0101 to 0101 0101", "k": 1, "c": ["0101"], "f": "n", "m": 2, "b": 1},
    ],
)
def test_sentences_that_are_not_put_together_of_the_rest_stay_as_they_are(row: dict[str, Any]) -> None:
    """Another ruleset says what it likes, braces too."""
    made = {
        "phases": [{"id": "move", "rows": [row, row]}],
        "later": [row],
        "after": [{"move": [0, 1, 2, 7, 8]}],
    }
    assert rows_of(json.loads(json.dumps(packet_tables.tables(made)))) == made
