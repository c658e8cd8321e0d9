"""Turns that wait for the umpire: what he sees is what is played, nothing is signed before, nobody is told, and
the desk names the command.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from office_table import DEADLINES, OfficeTable
from table import pull

from pbem.cli import cli
from pbem.referee.game.refusal import Refused
from pbem.referee.mail.desk import look
from pbem.referee.mail.releasing import release, to_see
from pbem.referee.mail.served import parsed
from pbem.referee.mail.umpire_time import pause, resume
from pbem.referee.proving.verify import verify
from pbem.text.markup import as_text

BY_HAND = '[games.tug-0a1b2c]\nrelease = "by hand"\n'


@pytest.fixture
def office(tmp_path: Path) -> OfficeTable:
    return OfficeTable(tmp_path, DEADLINES + BY_HAND)


def whats(office: OfficeTable) -> list[str]:
    return [f"{step.what} {step.seat}".strip() for step in office.round()]


def complete(office: OfficeTable) -> str:
    """Play until a turn is complete and waits; return whose it is."""
    office.count = 2  # with these secrets nobody is asked anything in between
    office.started(keyed=(), umpire=True)
    office.round()
    seat = str(office.open().announced()["waits"][0])
    office.letter(seat, pull(seat) + "luck: seven drunken herons\n")
    assert whats(office) == [f"taken {seat}", f"answered {seat}", "locked", "to release"]
    return seat


def test_what_the_umpire_sees_is_what_is_played(office: OfficeTable) -> None:
    complete(office)
    before = {path: path.read_bytes() for path in office.game.rglob("*") if path.is_file()}
    (letter,) = office.queued("release-")
    assert letter.to == "cass@example.org" or "cass@example.org" in letter.to
    assert "pbem umpire release" in letter.text and "waits for you" in letter.subject
    seen = to_see(office.env, office.game, pictures=False)
    assert {path: path.read_bytes() for path in office.game.rglob("*") if path.is_file()} == before
    assert office.queued("turn-tug-0a1b2c-s0001") == [] and whats(office) == []
    release(office.env, office.game, pictures=False)
    game = office.open()
    played = (game.where / "events/s0001.jsonl").read_text().splitlines()
    told = as_text(seen.report)
    assert played and [line for line in told.splitlines() if line.strip()]
    report = (game.where / "reports/s0001.txt").read_text()
    shared = [line.strip() for line in report.splitlines() if "pulls" in line or "rope" in line]
    assert shared and all(line in told for line in shared)
    assert whats(office) == ["told north", "told south"]
    assert verify(office.game).failures == ()


def test_nothing_goes_while_it_waits_and_the_desk_says_so(office: OfficeTable) -> None:
    complete(office)
    office.later(days=9)
    assert "resolved" not in whats(office)
    needs = [
        one for one in look(office.env, office.root, parsed(office.clock())).needs if one.kind == "release"
    ]
    assert len(needs) == 1 and needs[0].command.startswith("pbem umpire release ")
    pause(office.env, office.game, "the umpire is at sea")
    assert "told north" in whats(office)
    assert [one.kind for one in look(office.env, office.root, parsed(office.clock())).needs if one.game] == [
        "hold"
    ]
    resume(office.env, office.game, "he is back")
    office.round()
    release(office.env, office.game, pictures=False)
    assert verify(office.game).failures == ()


def test_what_is_typed(office: OfficeTable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_HOME", str(tmp_path / "home"))
    with pytest.raises(Refused) as refused:
        office.started(keyed=(), umpire=True)
        release(office.env, office.game)
    assert refused.value.problems[0].code == "release.not-locked"
    seat = str(office.open().announced()["waits"][0])
    office.letter(seat, pull(seat) + "luck: seven drunken herons\n")
    office.round()

    def run(*words: object) -> str:
        result = CliRunner().invoke(cli, ["umpire", "release", *map(str, words)])
        assert "Traceback" not in result.output
        return result.stdout if "--json" in words else result.output

    looked = run(office.game, "--look", tmp_path / "turn")
    assert "To let it go: pbem umpire release" in looked
    assert {path.name for path in (tmp_path / "turn").iterdir()} >= {"report.html", "report.txt", "s0001.png"}
    assert "already files" in run(office.game, "--look", tmp_path / "turn")
    facts = json.loads(run(office.game, "--look", tmp_path / "again", "--json"))
    assert facts["does"] == "look" and facts["doubts"] == []
    assert "The next round tells everybody" in run(office.game)
    assert "nothing to let go" in run(office.game)
