"""The data of the turn packet: what is in it, what it is made of, and that everything it offers is taken as
an order.
"""

from __future__ import annotations

import json
import random
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from table import Table, pull

from pbem.cli import cli
from pbem.referee.explain import clickable
from pbem.referee.explain.draw import events_of
from pbem.referee.game.game import Game
from pbem.referee.game.refusal import Refused
from pbem.referee.pages.packet import contents, data, packet_bytes, packet_of

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "pages"))

from packet_games import Played, by_bots
from packet_rows import rows_of

FORD = ("east", "west")


@pytest.fixture(scope="module")
def ford(tmp_path_factory: pytest.TempPathFactory) -> Played:
    """Toll at the Alder Ford once the two sides have met."""
    return by_bots(tmp_path_factory.mktemp("ford"), "alder-ford", FORD, 3)


@pytest.fixture(scope="module")
def made(ford: Played) -> dict[str, Any]:
    return of(ford.game, ford.game.announced()["waits"][0])


@pytest.fixture(scope="module")
def page(ford: Played) -> bytes:
    """Return the packet of whoever is to move."""
    return packet_of(ford.game)


def of(game: Game, seat: str, **more: Any) -> dict[str, Any]:
    """Return the data of a packet, without the map."""
    slot = game.ledger.state_slot
    what: dict[str, Any] = {"game": game.id, "luck": False, "to": "", "subject": "", "theme": "print"}
    found = data(
        game.ground,
        seat,
        game.sides[seat],
        game.state,
        events_of(game, slot) if slot else (),
        game.announced(),
        **what | more,
    )
    del found["board"]
    return found


def phase(made: dict[str, Any], heading: str) -> dict[str, Any]:
    return next(phase for phase in made["phases"] if phase["heading"] == heading)


def sampled(rows: list[Any], count: int = 25) -> list[Any]:
    return random.Random(7).sample(rows, min(count, len(rows)))


def is_taken(played: Played, made: dict[str, Any], **sections: list[str]) -> None:
    lines = [f"seat: {made['seat']}", f"turn: {made['turn']}"]
    for heading, sentences in sections.items():
        lines += [f"{heading.replace('_', '-')}:", *(f"- {sentence}" for sentence in sentences)]
    played.understood(made["seat"], "\n".join(lines) + "\n")


# --- everything that is offered is taken


def test_every_row_is_an_order_that_is_taken(ford: Played, made: dict[str, Any]) -> None:
    for one in made["phases"]:
        for row in sampled([row for row in one["rows"] if "u" not in row]):
            is_taken(ford, made, **{one["heading"].replace("-", "_"): [row["s"]]})


def test_what_is_offered_after_a_move_is_taken_with_it(ford: Played, made: dict[str, Any]) -> None:
    pairs = []
    for row in phase(made, "move")["rows"]:
        if "a" in row and "u" not in row and row["a"][0] >= 0:
            left = made["after"][row["a"][0]]
            pairs += [
                (row["s"], heading, made["later"][n]) for heading, at in LATER.items() for n in left[at]
            ]
    shots = [pair for pair in pairs if pair[1] == "shoot_again"]
    blows = [pair for pair in pairs if pair[1] == "fight" and pair[2]["s"]]
    assert len(shots) > 10 and len(blows) > 10
    for move, heading, row in (*sampled(shots), *sampled(blows)):
        if len(row["w"]) == 1:
            is_taken(ford, made, move=[move], **{heading: [row["s"]]})


LATER = {"shoot_again": "second_archery", "fight": "melee"}


def test_who_goes_where_another_stood_is_taken_below_his_line(ford: Played, made: dict[str, Any]) -> None:
    rows = phase(made, "move")["rows"]
    behind = [row for row in rows if "u" in row]
    assert len(behind) > 10
    for row in sampled(behind):
        gone = next(
            one["s"]
            for one in reversed(rows)
            if one["w"] == [row["u"]] and "y" in one and "u" not in one and not crosses(one, row)
        )
        is_taken(ford, made, move=[gone, row["s"]])


def crosses(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Tell whether somebody ends on the way of another."""
    return one["c"][-1] in other["y"].split()


def test_parties_are_taken_with_their_moves(ford: Played, made: dict[str, Any]) -> None:
    assert len(made["parties"]) > 20
    moves = {
        (row["w"][0], row["c"][-1]): row
        for row in phase(made, "move")["rows"]
        if "y" in row and "u" not in row
    }
    found = 0
    for key, told in sampled(sorted(made["parties"].items()), 5_000):
        if found == 15:
            break
        *members, target = key.split(" ")
        rows = [moves.get((who, cell)) for who, cell in (member.split("@") for member in members) if cell]
        if any(row is None for row in rows) or any(
            crosses(a, b) for a in rows if a for b in rows if b and a is not b
        ):
            continue
        who = ", ".join(member.partition("@")[0] for member in members)
        is_taken(ford, made, move=[row["s"] for row in rows if row], fight=[f"{who} attack {target}"])
        assert re.fullmatch(r"\d+:1", made["told"][told][0])
        found += 1
    assert found == 15


def test_rows_name_who_and_where(made: dict[str, Any]) -> None:
    for one in made["phases"]:
        assert one["rows"] or not one["about"]
        for row in one["rows"]:
            assert set(row["w"]) <= set(made["tokens"]) and made["texts"][row["k"]]
            assert all(made["tokens"][who]["side"] == made["side"] for who in row["w"])
    assert {one["heading"]: one["id"] for one in made["phases"]} == {
        "shoot": "first_missile",
        "move": "movement",
        "shoot-again": "second_archery",
        "fight": "melee",
    }


# --- what else there is


def test_the_file_is_for_the_turn_and_the_seat(ford: Played, made: dict[str, Any]) -> None:
    seat = ford.game.announced()["waits"][0]
    assert (made["seat"], made["game"], made["turn"]) == (
        seat,
        ford.game.id,
        f"t{ford.game.state.at.turn}.{seat}",
    )
    assert made["heading"].startswith("Toll at the Alder Ford: orders for ")
    assert made["subject"].startswith(f"Orders for {ford.game.id}, t")
    assert (made["luck"], made["questions"]) == (0, [])


def test_standing_instructions_are_those_of_the_schema(made: dict[str, Any]) -> None:
    found = {entry["key"]: entry["values"] for entry in made["standing"]}
    assert found["retreat"] == ["away", "cover", "ask"]
    assert found["doorway"] == ["inside", "outside", "most", "ask"]
    assert all(entry["said"] for entry in made["standing"])


def test_a_question_takes_the_place_of_orders(tmp_path: Path) -> None:
    played = by_bots(tmp_path, "alder-ford", FORD, 9, retreat="ask", advance="ask", wound="ask")
    (asked,) = played.game.questions
    found = of(played.game, asked["seat"])
    assert found["phases"] == []
    (question,) = found["questions"]
    assert [choice["value"] for choice in question["choices"]] == [
        choice["value"] for choice in asked["choices"]
    ]
    assert [choice["default"] for choice in question["choices"]].count(True) == 1
    other = next(seat for seat in FORD if seat != asked["seat"])
    assert of(played.game, other)["questions"] == []


def test_what_is_too_much_is_left_out_and_said(ford: Played, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clickable, "MOST_AHEAD", 40)
    seat = ford.game.announced()["waits"][0]
    found = of(ford.game, seat)
    assert sum("a" in row for one in found["phases"] for row in one["rows"]) <= 40
    left = {who for one in found["phases"][:-1] for row in one["rows"] if "a" not in row for who in row["w"]}
    assert found["unworked"] and set(found["unworked"]) <= left


def test_few_later_orders_are_kept_where_there_is_no_room(
    ford: Played, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clickable, "MOST_LATER", 30)
    found = of(ford.game, ford.game.announced()["waits"][0])
    assert 30 < len(found["later"]) < 80
    assert found["unworked"]


# --- the page


def text(page: bytes) -> dict[str, Any]:
    found = re.search(rb'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    return rows_of(json.loads(found[1]))


def test_the_same_game_gives_the_same_page(ford: Played, page: bytes) -> None:
    assert packet_of(ford.game) == page


def test_words_are_asked_for_where_the_slot_takes_them(ford: Played, page: bytes) -> None:
    game = ford.game
    seat = game.announced()["waits"][0]
    assert text(page)["luck"] == 8
    other = next(name for name in FORD if name != seat)
    found = text(packet_of(game, other))
    assert (found["luck"], found["phases"]) == (0, [])


def test_a_game_that_knows_no_offers_is_offered_its_sentences(table: Table) -> None:
    game = table.started().open()
    found = text(packet_of(game))
    assert [phase["heading"] for phase in found["phases"]] == ["jeer", "pull"]
    rows = [
        (row["w"], row["s"], found["texts"][row["k"]]) for phase in found["phases"] for row in phase["rows"]
    ]
    assert rows == [
        (["north-team"], "north-team jeers", "jeers"),
        (["north-team"], "north-team pulls", "pulls"),
        (["north-team"], "north-team rests", "rests"),
    ]


def test_nothing_hostile_gets_out_of_its_place(ford: Played) -> None:
    game = ford.game
    seat = game.announced()["waits"][0]
    nasty = "</script><script>alert(1)</script>\u202e" + "x" * 10_000
    made = contents(
        game.ground,
        seat,
        game.sides[seat],
        game.state,
        (),
        game.announced(),
        game=game.id,
        to=nasty,
        subject=nasty,
    )
    page = packet_bytes(*made)
    assert b"<script>alert" not in page
    assert text(page)["to"] == nasty


def test_there_is_no_packet_where_nothing_is_open(table: Table) -> None:
    table.new()
    with pytest.raises(Refused):
        packet_of(table.open())
    table.join_all()
    table.orders("north", pull("north"))
    table.lock()
    with pytest.raises(Refused):
        packet_of(table.open())


# --- the verb


@pytest.fixture
def at(table: Table, monkeypatch: pytest.MonkeyPatch) -> Iterator[Table]:
    monkeypatch.chdir(table.root)
    monkeypatch.setenv("PBEM_HOME", str(table.root / "home"))
    yield table.started()


def test_the_verb_writes_a_page(at: Table) -> None:
    result = CliRunner().invoke(
        cli,
        [
            "packet",
            "game",
            "--seat",
            "north",
            "-o",
            "turn.html",
            "--to",
            "gm@example.org",
            "--theme",
            "contrast",
        ],
    )
    assert (result.exit_code, result.stdout) == (0, "The packet for north is in turn.html.\n")
    found = text(Path("turn.html").read_bytes())
    assert (found["seat"], found["to"]) == ("north", "gm@example.org")
    assert CliRunner().invoke(cli, ["packet", "game", "-o", "turn.html"]).exit_code == 0


@pytest.mark.parametrize(
    ("words", "answer", "said"),
    [
        (["game", "-o", "turn.pdf"], 2, "ends in .html"),
        (["game"], 2, "Missing option '-o'"),
        (["game", "--seat", "west", "-o", "turn.html"], 1, "the seats are north, south"),
        (["nothing", "-o", "turn.html"], 3, "nothing"),
        (["game", "-o", "turn.html", "--theme", "pink"], 2, "'pink' is not one of"),
    ],
)
def test_what_the_verb_says_to_a_wrong_word(at: Table, words: list[str], answer: int, said: str) -> None:
    result = CliRunner().invoke(cli, ["packet", *words])
    assert (result.exit_code, said in result.stderr) == (answer, True), result.stderr
    assert not Path("turn.html").exists()
