"""A whole game by mail: two bots whose letters look as if they came from anybody's mail program, an office,
and the proof at the end.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from composing_letters import _attached, _harmed, _plain, _rich
from judging_letters import same
from office_table import DEADLINES, OFFICE, TOML
from table import Table
from thorough import some

from pbem.bots.bot import Bot, find
from pbem.bots.chance import Chance
from pbem.proof.archive import orders_path
from pbem.proof.orderfile import parse
from pbem.referee.game.game import Game, open_game
from pbem.referee.game.scenario import find_scenario
from pbem.referee.game.views import known_state
from pbem.referee.mail.office import open_house
from pbem.referee.mail.round import run
from pbem.referee.proving.verify import verify
from pbem.referee.turn.admit import admit_words
from pbem.referee.turn.bot_orders import thought
from pbem.referee.turn.new import SeatWish, new
from pbem.store.postbag import Postbag
from pbem.text.written import written

PLAYERS = {"North": "nora@example.org", "South": "sam@example.net"}
GAMES = (
    *((seed, "alder-ford", "sergeant", "sergeant" if seed % 2 else "random") for seed in range(1, 7)),
    (7, "kestrel-tower", "marshal", "marshal"),
    (8, "reeves-oxen", "sergeant", "random"),
)


@pytest.mark.parametrize("bout", some(GAMES, GAMES[0]), ids=lambda bout: f"{bout[1]}-{bout[0]}")
def test_a_game_between_bots_by_letters(tmp_path: Path, bout: tuple[int, str, str, str]) -> None:
    seed, scenario, first, second = bout
    table = Table(tmp_path)
    (tmp_path / "pbem.toml").write_text(TOML.format(more=DEADLINES))
    sides = list(find_scenario(scenario).data["sides"])
    wishes = [SeatWish(side, side, player) for side, player in zip(sides, PLAYERS, strict=True)]
    new(table.env, scenario, table.game, wishes, umpire=True, name=f"by-letters-{seed:06d}")
    for seat in sides:
        admit_words(table.env, table.game, seat, "yes, I play")
    draw = Random(seed)
    rules = open_game(table.game).ground.rules.id
    bots = {side: find(bot, rules) for side, bot in zip(sides, (first, second), strict=True)}
    addresses = dict(zip(sides, PLAYERS.values(), strict=True))
    chances = {seat: Chance(f"{seed} {seat}") for seat in bots}
    last = "side: east\nmove:\n- nobody to 9999\n"
    told: dict[str, str] = {}
    for _ in range(200):
        game = open_game(table.game)
        if game.ledger.over:
            break
        slot = int(game.announced()["slot"])
        for seat in game.announced()["waits"]:
            text = _orders(game, seat, bots[seat], chances[seat], f"words of {seat} for slot {slot}")
            code = next(one.code for one in open_house(table.env, tmp_path).seats if one.seat == seat)
            raw = _letter(text, last, draw, addresses[seat], code)
            Postbag(tmp_path / "post").keep(raw, table.clock(), "test")
            told[orders_path(seat, slot)] = text
            last = text
        steps = list(run(table.env, tmp_path, pictures=False))
        assert [step.what for step in steps if step.what == "trouble"] == [], steps
        assert "resolved" in [step.what for step in steps], (slot, steps, raw.decode("utf-8", "replace"))
    game = open_game(table.game)
    assert game.ledger.over
    assert len(told) > 8
    for path, text in told.items():
        assert same(parse(game.archive[path]).yaml, text.encode()), path
    assert verify(table.game).verdict == "pass"


def _orders(game: Game, seat: str, bot: Bot, chance: Chance, luck: str) -> str:
    """Return what a bot writes: orders, or the answers that it is asked for."""
    known = known_state(game.ground, game.state, game.sides[seat])
    questions = [question for question in game.questions if question["seat"] == seat]
    data = thought(bot, game.ground.rules, known, seat, questions, chance)
    if not questions and not any(isinstance(said, list) and said for said in data.values()):
        data = {**data, "nobody": "moves"}
    return str(written({"seat": seat, "luck": luck, **data}))


def _letter(orders: str, foe: str, draw: Random, sender: str, code: str) -> bytes:
    """Return orders in a letter of some program, with the orders of somebody else quoted, from an address and
    with a code.
    """
    typed, wanted = _harmed(orders, draw)
    way = draw.random()
    if way < 0.55:
        made = _plain(typed, wanted, foe, draw)
    elif way < 0.85:
        made = _rich(typed, wanted, foe, draw)
    else:
        made = _attached(orders, foe, draw)
    raw = made.raw.replace(b"<ben@west.example>", f"<{sender}>".encode(), 1)
    return raw.replace(b"Subject: ", f"Subject: (code {code}) ".encode(), 1).replace(
        b"umpire@ford.example", OFFICE.encode()
    )
