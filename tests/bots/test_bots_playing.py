"""Games between bots through the real path: orders, check, lock, dice, turn, archive; and what the verb play
says.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from table import SCENARIOS

from pbem.cli import cli
from pbem.referee.game.game import open_game
from pbem.referee.game.refusal import Refused
from pbem.referee.play.demo import record
from pbem.referee.play.playing import match
from pbem.referee.proving.verify import verify
from pbem.referee.turn.status import Mails, mails, mails_said, status

TUG = str(SCENARIOS / "tug.yaml")
BOTH = {"north": "random", "south": "random"}


def pbem(*words: str) -> Result:
    return CliRunner().invoke(cli, list(words))


def two(scenario: str, first: str, second: str) -> list[str]:
    return ["play", scenario, "--bot", first, "--bot", second]


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PBEM_HOME", str(tmp_path / "home"))


def play(tmp_path: Path, name: str, seed: str) -> Path:
    made = match(
        TUG, BOTH, seed, out=tmp_path / name, home=tmp_path / f"{name}-home", save=tmp_path / f"{name}-kept"
    )
    stages = list(made.play())
    made.keep()
    assert [stage.slot for stage in stages[:2]] == [1, 2]
    assert not list((tmp_path / name / "outbox").glob("orders-*")), "nobody is to fill in a sheet"
    assert stages[-1].phase == ""
    return tmp_path / name


def test_the_same_seed_gives_the_same_game_and_a_record_of_it_verifies(tmp_path: Path) -> None:
    one, other, third = (
        open_game(play(tmp_path, name, seed)) for name, seed in (("a", "x"), ("b", "x"), ("c", "y"))
    )
    assert one.ledger.over
    assert one.ledger.state == other.ledger.state
    assert [record.id for record in one.ledger.records] == [record.id for record in other.ledger.records]
    assert one.id != third.id
    home = tmp_path / "again"
    assert record(tmp_path / "a-kept", home) == ("new",)
    archive = tmp_path / "a-kept" / "archive.zip"
    assert [entry.id for entry in open_game(archive).ledger.records] == [
        entry.id for entry in one.ledger.records
    ]
    assert verify(archive).exit_code == 0
    kept = (tmp_path / "a-kept" / "play.yaml").read_text()
    assert "scenario: tug.yaml" in kept
    assert (tmp_path / "a-kept" / "maps" / "yard.yaml").is_file()


def test_status_tells_the_mails_of_a_game_turn(tmp_path: Path) -> None:
    game = open_game(play(tmp_path, "a", "x"))
    found = {entry.seat: entry for entry in mails(game)}
    files = [path for path in (tmp_path / "a-kept" / "orders").iterdir() if "setup" not in path.name]
    assert sum(entry.letters for entry in found.values()) == len(files)
    assert found["north"].turns == found["south"].turns > 0
    said = list(mails_said(status(game)))
    assert said == [f"mails a game turn: north {found['north'].per_turn}, south {found['south'].per_turn}"]
    assert "mails a game turn: north" in pbem("status", str(tmp_path / "a"), "--proof").stdout


@pytest.mark.parametrize(
    ("letters", "turns", "said"),
    [(5, 4, "1.25"), (4, 4, "1.00"), (2, 3, "0.66"), (0, 0, "0.00"), (21, 2, "10.50")],
)
def test_letters_of_a_turn(letters: int, turns: int, said: str) -> None:
    assert Mails("north", letters, turns).per_turn == said


def test_everything_wrong_is_said_at_once(tmp_path: Path) -> None:
    with pytest.raises(Refused) as refused:
        match(TUG, {"nort": "random", "south": "randm"}, "x", out=tmp_path / "g", home=tmp_path / "h")
    said = {(problem.code, problem.help) for problem in refused.value.problems}
    assert said == {
        ("play.side", "did you mean 'north'?"),
        ("play.bot", "did you mean 'random'?"),
        ("play.nobody", "add --bot north=random"),
    }
    with pytest.raises(Refused) as refused:
        match(TUG, {"north": "sergeant", "south": "random"}, "x", out=tmp_path / "g", home=tmp_path / "h")
    assert [(problem.code, problem.help) for problem in refused.value.problems] == [
        ("play.bot", "there are random")
    ]


@pytest.mark.parametrize("there", ["game", "save"])
def test_nothing_is_overwritten(tmp_path: Path, there: str) -> None:
    (tmp_path / "game" / "ledger").mkdir(parents=True)
    (tmp_path / "save").mkdir()
    (tmp_path / "save" / "play.yaml").write_text("")
    out = tmp_path / "game" if there == "game" else tmp_path / "fresh"
    with pytest.raises(Refused, match=r"game\.exists"):
        match(
            TUG, BOTH, "x", out=out, home=tmp_path / "h", save=tmp_path / "save" if there == "save" else None
        )


def test_play_prints_how_it_ended() -> None:
    result = pbem(
        *two(TUG, "north=random", "south=random"),
        "--seed",
        "x",
        "--quiet",
        "--out",
        "g",
        "--save",
        "s",
        "--no-map",
    )
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert lines[0].startswith("tug-")
    assert "seed 'x'" in lines[0]
    assert lines[1].startswith("victory for ") or lines[1] == "a draw"
    assert lines[-3].startswith("mails a game turn")
    assert lines[-2:] == ["game: g", "script and order files: s"]
    assert Path("s/play.yaml").is_file()
    assert Path("g/ledger").is_dir()


def test_play_shows_how_far_it_is_and_draws_a_seed() -> None:
    first, second = (pbem(*two(TUG, "north=random", "south=random"), "--json") for _ in range(2))
    facts = [json.loads(result.stdout) for result in (first, second)]
    assert facts[0]["seed"] != facts[1]["seed"]
    assert facts[0]["winner"]
    assert [side["side"] for side in facts[0]["sides"]] == ["north", "south"]
    shown = pbem(*two(TUG, "north=random", "south=random"))
    assert "Playing" in shown.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (two(TUG, "north", "south=random"), "'north' is not SIDE=NAME"),
        (two(TUG, "north=random", "north=random"), "north is there twice"),
        ([*two(TUG, "north=random", "south=random"), "--option", "knots"], "'knots' is not K=V"),
    ],
)
def test_misuse(words: list[str], said: str) -> None:
    result = pbem(*words)
    assert result.exit_code == 2
    assert said in result.stderr


def test_a_side_without_a_bot_is_refused_with_what_would_be_right() -> None:
    result = pbem("play", "alder-ford", "--bot", "east=sergeant")
    assert result.exit_code == 1
    assert "nobody plays west, and pbem play asks nobody" in result.stderr
    assert "add --bot west=random" in result.stderr


def test_a_question_goes_to_the_bot_and_a_sergeant_plays_by_the_rules(tmp_path: Path) -> None:
    bots = {"east": "sergeant", "west": "random"}
    made = match(
        "alder-ford",
        bots,
        "x",
        out=tmp_path / "g",
        home=tmp_path / "h",
        options={"interrupt_policy": "ask_owner"},
    )
    for _ in made.play():
        pass
    game = open_game(tmp_path / "g")
    assert game.ledger.over
    assert [path for path in (tmp_path / "h" / "orders").iterdir() if "answer" in path.name]
    outcome = game.ground.rules.interface.outcome(game.ground.rules, game.state)
    assert outcome["winner"] == "east"
