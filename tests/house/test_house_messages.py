"""What people read when something is wrong, or is to be done: said once, at the right
place, in plain words.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from pbem.cli import cli

SEATS = ("--seat", "east=Ann", "--seat", "west=Bob")
LUCK = "a toad under the bridge"
PLACES = {
    "meurig": "0607",
    "einion": "0608",
    "iorwerth": "0606",
    "tudur": "0609",
    "klaas": "0610",
    "tofi": "0505",
}
SETUP = f"side: west\nluck: {LUCK}\nsetup:\n" + "".join(f"- {who} at {at}\n" for who, at in PLACES.items())


def pbem(*words: str) -> Result:
    return CliRunner().invoke(cli, list(words))


def fine(*words: str) -> str:
    answer = pbem(*words)
    assert answer.exit_code == 0, (words, answer.output)
    return answer.stdout


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PBEM_HOME", str(tmp_path / "home"))
    fine("new", "alder-ford", "game", "--seat", "east=Ann", "--seat", "west=Bob")
    fine("admit", "game", "--seat", "west", "--words", "yes, I play")
    yield tmp_path / "game"


def told(text: str, *words: str) -> list[str]:
    """Return the first line of each problem that is told of an order file."""
    Path("o.yaml").write_text(text)
    answer = pbem("check", "o.yaml", "--game", "game", *words)
    assert answer.exit_code == 1
    return [line for line in answer.stderr.splitlines() if not line.startswith(" ")]


def test_a_wrong_key_hides_nothing(game: Path) -> None:
    assert told("moove:\n- x to 0505\nsetup:\n- meurig at 9999\n- einon at 0608\n- bla bla\n") == [
        "o.yaml:1:1: schema.unknown-key: 'moove' is not a key here",
        "o.yaml:4:13: orders.off-map: 9999 is not on the map (The Alder Ford)",
        "o.yaml:5:3: name.unknown: nobody and nothing here is called 'einon'",
        "o.yaml:6:3: orders.sentence: 'bla bla' does not match any order of this section",
    ]


def test_luck_words_are_judged_where_they_stand(game: Path) -> None:
    assert told("setup:\n- meurig at 0607\nluck: short\n") == [
        "o.yaml:3:7: luck.too-short: please type at least 8 letters"
    ]
    before = sorted(game.rglob("*"))
    assert pbem("submit", "o.yaml", "--game", "game").exit_code == 1
    assert sorted(game.rglob("*")) == before


def test_a_draft_is_said_to_be_one_and_stays_open(game: Path) -> None:
    Path("o.yaml").write_text("side: west\nsetup:\n- meurig at 0607\n")
    said = fine("submit", "o.yaml", "--game", "game")
    assert said.startswith("This is what I understood:\nmeurig ")
    assert "\nNot placed by these orders, and so placed for you: cynan at 0204, " in said
    assert said.endswith("Nothing is fixed yet. When that is all, send a file with one line: `final: yes`.\n")
    answer = pbem("resolve", "game")
    assert (answer.exit_code, answer.stderr.partition(":")[0]) == (3, "pbem")
    assert "Bob (The Reeve of Westry): the final form of a draft" in fine("status", "game")


def test_a_turn_of_the_umpires_own(game: Path) -> None:
    Path("west.yaml").write_text(SETUP)
    said = fine("submit", "west.yaml", "--game", "game")
    assert said.startswith("Final. These orders and this value are used.\nAll is there: slot 1 is locked (")
    assert "slot 1 is locked; it waits for its dice" in pbem("submit", "west.yaml", "--game", "game").stderr
    fine("resolve", "game", "--no-map")
    assert pbem("resolve", "game").exit_code == 3
    assert (
        pbem("go", "game", "--luck", "seven drunken herons").stderr
        == "pbem: go.no-lock: nothing is locked, so nobody is asked for a go\n"
    )
    # A file of last turn's, and one of the other side.
    assert told("turn: t9\nmove: []\n", "--seat", "east")[0].startswith("o.yaml:1:7: orders.turn: ")
    assert told("move:\n- meurig to 0707\n", "--seat", "west")[0].startswith(
        "o.yaml:1:1: orders.not-your-turn: "
    )
    Path("east.yaml").write_text("side: east\nshoot:\n- siward at nearest\n")
    assert (
        fine("submit", "east.yaml", "--game", "game")
        == "These orders are stored. The last ones before the lock are used.\n"
    )
    said = fine("lock", "game")
    letter = Path("game/outbox/lock-s0002-west.txt").read_text()
    asks, _, report = letter.partition("-" * 72)
    assert asks.partition("This letter is for west.\n\n")[2].strip() in said
    assert asks.startswith("Subject: [game-") and "\nEast's orders are fixed (" in asks
    assert "Reply to this mail with a line `luck: any words`, at least 8 letters, or run `pbem go`." in asks
    assert asks.endswith("There is no deadline; the game waits for you.\n\n")
    assert report.startswith(f"\n\nYou typed: {LUCK}\n"), (
        "the report of his own move comes in the same letter"
    )
    assert pbem("resolve", "game").exit_code == 3
    assert "please type at least 8 letters" in pbem("go", "game", "--luck", "short").stderr
    assert "you used these words in slot 1; please type others" in pbem("go", "game", "--luck", LUCK).stderr
    assert fine("go", "game", "--luck", "seven  drunken herons") == "west goes. Now resolve.\n"
    assert "other words already came" in pbem("go", "game", "--luck", "eight drunken herons").stderr
    fine("resolve", "game", "--no-map")
    letter = Path("game/outbox/report-s0002-west.txt").read_text()
    assert (
        letter.startswith("Subject: [game-")
        and "\nIt is your move. " in letter
        and "orders-s0003-west.yaml" in letter
    )
    assert letter.partition("-" * 72)[2].startswith("\n\nYou typed: seven drunken herons\n")


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["new", "alder-fort", "x"], 3, "pbem: scenario.unknown: there is no scenario 'alder-fort'\n    did you mean 'alder-ford'?\n"),
        (["new", "alder-ford", "game", *SEATS], 1, "game: game.exists: there is already a game in game\n"),
        (["new", "alder-ford", "x", *SEATS, "--option", "fog=yes"], 1, "pbem: rules.option: 'fog' is not an option of this ruleset\n"),
        (["admit", "game", "--seat", "south", "--words", "yes"], 1, "pbem: game.seat: 'south' is not a seat in this game\n    the seats"),
        (["status", "nowhere"], 3, "nowhere: game.missing: there is nothing at nowhere\n"),
        (["verify", "half.zip"], 3, (
            "half.zip: zip.cut-off: not read, so nothing is judged: the archive "
            "is cut off, its end is missing\n"
        )),
        (["submit", "o.yaml", "--game", "game.zip"], 1, "game.zip: game.read-only: game.zip is an archive; only"),
        (["check", "none.yaml", "--game", "game"], 3, "none.yaml: file.missing: this file cannot be read (No such"),
        (["roll", "game", "7", "x"], 3, "pbem: game.no-slot: slot 7 has no result; the newest is slot 0\n"),
    ],
)  # fmt: skip
def test_the_first_words_of_a_refusal(game: Path, words: list[str], code: int, said: str) -> None:
    fine("pack", "game", "game.zip")
    Path("half.zip").write_bytes(Path("game.zip").read_bytes()[:3000])
    Path("o.yaml").write_text("side: west\n")
    answer = pbem(*words)
    assert answer.exit_code == code
    assert answer.stderr.startswith(said), answer.stderr


def test_an_order_sheet_is_short_and_names_no_machine(game: Path) -> None:
    fine("options", "game", "-o", "west.yaml")
    sheet = Path("west.yaml").read_text()
    assert sheet.startswith("# yaml-language-server: $schema=orders.schema.json\n")
    assert str(game.parent) not in sheet
    lines = sheet.splitlines()
    assert len(lines) < 80
    assert max(len(line) for line in lines) <= 60
    assert len([line for line in lines if line.startswith("#- ")]) == 12
    assert pbem("check", "west.yaml", "--game", "game").exit_code == 0
    everybody = sheet.replace("#- ", "- ")
    assert everybody != sheet
    Path("west.yaml").write_text(everybody)
    crowd = pbem("check", "west.yaml", "--game", "game")
    assert "schema." not in crowd.stderr, "an uncommented line is an order"
    assert "orders.sentence" not in crowd.stderr


def test_two_games_are_no_fork(game: Path) -> None:
    fine("new", "alder-ford", "other", "--seat", "east=Ann", "--seat", "west=Bob")
    answer = pbem("verify", "game", "--with", "other")
    assert answer.exit_code == 3
    assert answer.stdout.startswith("no fork is shown: two games, game-")
