"""A siege of three days by the command line alone: bombardment, a day without orders, an assault, and what is
said of them.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from pbem.cli import cli

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "rulesets" / "siege"))

import siege_castle


class Camp:
    """An umpire's folder with the little siege in it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.slots = 0
        (root / "maps").mkdir()
        (root / "maps" / "little-castle.yaml").write_text(siege_castle.MAP)
        (root / "little-siege.yaml").write_text(siege_castle.SCENARIO)

    def __call__(self, *words: str) -> Result:
        return CliRunner().invoke(cli, list(words))

    def fine(self, *words: str) -> str:
        result = self(*words)
        assert result.exit_code == 0, (words, result.output, result.exception)
        return result.stdout

    def begin(self) -> None:
        self.fine(
            "new", "little-siege.yaml", "game", "--seat", "baron=Ada", "--seat", "garrison=Ben", "--umpire"
        )
        for seat in ("baron", "garrison"):
            self.fine("admit", "game", "--seat", seat, "--words", "yes, I play")

    def submit(self, seat: str, text: str) -> None:
        """Hand in an order file that is final."""
        name = f"s{self.slots + 1}-{seat}.yaml"
        (self.root / name).write_text(f"seat: {seat}\nluck: words {self.slots + 1} of {seat}\n{text}")
        self.fine("check", name, "--game", "game")
        self.fine("submit", name, "--game", "game", "--no-lock")

    def resolve(self) -> str:
        """Lock and resolve the open slot, whoever is missing; return what is said of it."""
        self.slots += 1
        for seat in json.loads(self.fine("lock", "game", "--deadline", "--json"))["asked"]:
            self.fine("go", "game", "--seat", seat, "--luck", f"a go of {seat}")
        return self.fine("resolve", "game", "--no-map")

    def status(self) -> dict[str, object]:
        found = json.loads(self.fine("status", "game", "--json"))
        assert isinstance(found, dict)
        return found

    def report(self) -> str:
        return (self.root / "game" / "reports" / f"s{self.slots:04d}.txt").read_text()


@pytest.fixture
def camp(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Camp:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PBEM_HOME", str(tmp_path / "home"))
    return Camp(tmp_path)


def test_a_siege_of_three_days_is_played_told_and_verified(camp: Camp) -> None:
    camp.begin()
    begun = camp.status()
    assert (begun["turn"], begun["phase"], begun["waiting_for"]) == (
        "d1",
        "d1.day",
        [{"seat": "baron", "for": "orders"}],
    )
    assert begun["record"][:2] == ["day 1 of 3; assaults made: 0 of 1", "12 of 12 walls have not been struck"]

    camp.submit("baron", "turn: d1\nday:\n- trebuchet1, trebuchet2 bombard 0303\n- mangonel1 bombards 0103\n")
    assert "Slot 1: d1.day, d1.evening, d2.morning;" in camp.resolve()
    told = camp.report()
    for said in (
        "The plan of the day: bombard",
        "The wall at 0303 is bombarded by trebuchet1 and trebuchet2",
        "Evening, day 1",
    ):
        assert said in told
    sheet = (camp.root / "game" / "outbox" / "orders-s0002-baron.yaml").read_text()
    assert "turn: d2\n" in sheet
    assert "#- assault" in sheet
    assert "day:" in sheet

    assert "d2.day, d2.evening, d3.morning" in camp.resolve()  # nothing was sent: as yesterday
    assert "0303 is bombarded by trebuchet1 and trebuchet2" in camp.report()

    camp.submit("baron", "day: [assault]\n")
    assert "d3.day;" in camp.resolve()
    assert camp.status()["phase"] == "d3.setup.1.garrison"
    camp.submit("garrison", "setup: [aelfgar at 0505]\n")
    camp.resolve()
    camp.submit("baron", "setup: [hugo at 0101]\n")
    camp.resolve()
    assert camp.status()["phase"] == "d3.t1.baron.first_missile"
    camp.submit("baron", "turn: d3.t1\nmove:\n- hugo to 0102\n")
    camp.resolve()
    for _ in range(3):
        said = camp.resolve()
    assert "d3.evening" in said
    over = camp.status()
    assert (over["phase"], over["waiting_for"]) == ("", [])
    assert "The game is over: victory for Garrison" in camp.report()
    verdict = camp.fine("verify", "game")
    assert "PASS" in verdict
    assert "rules replayed" in verdict


def test_orders_of_a_day_are_refused_with_what_would_be_right(camp: Camp) -> None:
    camp.begin()
    (camp.root / "bad.yaml").write_text(
        "seat: baron\nturn: d2\nday:\n- assault\n- trebuchet1 bombards 0101\n- hugo bombards 0303\n- "
        "ballista9 bombards 0303\n"
        "move:\n- hugo to 0102\n"
    )
    refused = camp("check", "bad.yaml", "--game", "game")
    assert refused.exit_code == 1
    for said in (
        "turn: d1",
        "hugo is not one of your engines",
        "ballista9",
        "the section move comes in an assault",
    ):
        assert said in refused.output
    (camp.root / "bad.yaml").write_text("seat: baron\nday:\n- assault\n- trebuchet1 bombards 0303\n")
    refused = camp("check", "bad.yaml", "--game", "game")
    assert "the plan for this day is assault, and bombard does not go with it" in refused.output
    assert "S4.11b" in refused.output
    (camp.root / "other.yaml").write_text("seat: garrison\nday:\n- assault\n")
    refused = camp("check", "other.yaml", "--game", "game")
    assert refused.exit_code == 1
    assert "baron" in refused.output


def test_a_besieger_who_wants_to_be_asked_is_asked_and_his_answer_counts(camp: Camp) -> None:
    camp.begin()
    camp.submit("baron", "day:\n- trebuchet1 bombards 0303\nstanding:\n  everyone: {repeat: ask}\n")
    camp.resolve()
    camp.resolve()  # nothing was sent for the second day
    asked = camp.status()
    assert (asked["phase"], asked["waiting_for"]) == ("d2.day", [{"seat": "baron", "for": "answer"}])
    (question,) = asked["questions"]
    assert (question["about"], question["default"]) == ("repeat", "last")
    assert [choice["value"] for choice in question["choices"]] == ["last", "none"]
    camp.submit("baron", f"answers: {{{question['id']}: none}}\n")
    assert "d2.day, d2.evening, d3.morning" in camp.resolve()
    assert "The plan of the day: rest" in camp.report()
    assert "PASS" in camp.fine("verify", "game")
