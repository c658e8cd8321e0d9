"""The verbs of the post office, as a person types them: read, fetch, send, seats, run, watch."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner, Result
from office_table import ADDRESSES, OfficeTable
from table import pull

from pbem.cli import cli

SCHEMAS = Path(__file__).resolve().parents[2] / "schemas/cli"
LETTER = """From: Nora <{sender}>
To: orders@pbem.example
Subject: Re: your move (code {code})
Message-ID: <1@mail.example>
Content-Type: text/plain; charset=utf-8

Hello,

{orders}
Nora

On Sunday somebody wrote:
> pull:
> - south-team pulls
"""


@pytest.fixture
def office(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> OfficeTable:
    """An office without deadlines: the terminal's clock is the real one."""
    table = OfficeTable(tmp_path, more="")
    table.at_the_terminal(monkeypatch)
    table.started(umpire=True, keyed=())
    return table


def run(*words: str, **more: Any) -> Result:
    return CliRunner().invoke(cli, list(words), **more)


def fine(*words: str, **more: Any) -> str:
    result = run(*words, **more)
    assert result.exit_code == 0, (words, result.output, result.exception)
    return result.stdout


def facts(schema: str, *words: str, **more: Any) -> Any:
    data = json.loads(fine(*words, "--json", **more))
    jsonschema.validate(data, json.loads((SCHEMAS / f"{schema}.schema.json").read_text()))
    return data


def letter(office: OfficeTable, orders: str) -> str:
    return LETTER.format(sender=ADDRESSES["north"], code=office.code("north"), orders=orders)


def test_read_shows_what_would_be_taken(office: OfficeTable) -> None:
    Path("nora.eml").write_text(letter(office, "Pull:\n– north-team pulls\n"))
    said = fine("mail", "read", "nora.eml")
    assert said.endswith("\npull:\n- north-team pulls\n")
    assert "nora.eml: from nora@example.org, Re: your move" in said
    assert "line 4: the dash – was read as -" in said
    data = facts("mail-read", "mail", "read", "nora.eml", "nora.eml")
    assert [one["orders"] for one in data["letters"]] == ["pull:\n- north-team pulls\n"] * 2
    assert fine("mail", "read", "-", input=Path("nora.eml").read_text()).endswith("- north-team pulls\n")
    fine("mail", "read", "nora.eml", "-o", "orders.yaml")
    assert Path("orders.yaml").read_text() == "pull:\n- north-team pulls\n"
    assert "south-team" not in said


def test_read_checks_against_a_game_with_places_in_the_letter(office: OfficeTable) -> None:
    Path("nora.eml").write_text(letter(office, "pull:\n- nort-team pulls\n"))
    result = run("mail", "read", "nora.eml", "--game", "game", "--seat", "north")
    assert result.exit_code == 1
    assert "nora.eml:4:3: " in result.stderr
    Path("good.eml").write_text(letter(office, pull("north")))
    assert run("mail", "read", "good.eml", "--game", "game", "--seat", "north").exit_code == 0


def test_read_of_what_has_no_orders(office: OfficeTable) -> None:
    Path("chat.eml").write_text(letter(office, "see you on Sunday"))
    assert run("mail", "read", "chat.eml").exit_code == 1
    Path("away.eml").write_text("Auto-Submitted: auto-replied\n" + letter(office, pull("north")))
    result = run("mail", "read", "away.eml")
    assert result.exit_code == 0 and "no person wrote it (auto-submitted)" in result.stdout
    Path("empty").mkdir()
    assert run("mail", "read", "empty").exit_code == 3
    assert run("mail", "read", "nowhere.eml").exit_code == 3


def test_a_new_game_in_an_office_says_who_sends_its_invitations(office: OfficeTable) -> None:
    scenario = str(Path(__file__).resolve().parents[1] / "toy/scenarios/tug.yaml")
    out = fine("new", scenario, "second", "--seat", "north=North", "--seat", "south=South", "--umpire")
    assert (
        "It invites North <nora@example.org> (north) and South <sam@example.net> (south)." in out
        and "pbem admit" not in out
    )
    assert "It is in an office, which sends all letters and takes all answers in: pbem run .\n" in out
    assert "invited" in fine("run", ".", "--no-pictures")


def test_letters_kept_by_hand_and_a_round(office: OfficeTable) -> None:
    Path("nora.eml").write_text(letter(office, pull("north") + "luck: seven drunken herons\n"))
    assert fine("mail", "read", "nora.eml", "--office", ".") == "1 kept, 0 known already. Now: pbem run .\n"
    assert fine("mail", "read", "nora.eml", "--office", ".").startswith("0 kept, 1 known already.")
    steps = facts("run", "run", ".", "--offline", "--no-pictures")["steps"]
    assert [step["what"] for step in steps] == ["taken", "answered", "locked", "resolved", "told", "told"]
    (by_hand, waits) = facts("run", "run", ".", "--no-pictures")["waits"]
    assert by_hand == "3 letters wait to be sent by hand. pbem mail send . --dry-run shows them"
    assert waits == "tug-0a1b2c, Turn 1, South to move: it has waited less than a minute for South"
    assert fine("run", ".") == f"Nothing to do now:\n  {by_hand}\n  {waits}\n"
    shown = fine("mail", "send", ".", "--dry-run")
    assert "Accepted: your orders are final" in shown and "To: North <nora@example.org>" in shown
    assert "post/out" in fine("mail", "send", ".")
    misuse = run("mail", "read", "nora.eml", "--office", ".", "--game", "game")
    assert misuse.exit_code == 2


def test_an_inbox_folder(office: OfficeTable) -> None:
    Path("inbox").mkdir()
    Path("inbox/nora.eml").write_text(letter(office, pull("north")))
    assert fine("mail", "fetch", ".") == "1 kept. Now: pbem run .\n"
    assert fine("mail", "fetch", ".") == "0 kept. Now: pbem run .\n"
    assert "taken     tug-0a1b2c north" in fine("run", ".", "--no-pictures")


def test_seats_have_codes(office: OfficeTable) -> None:
    said = fine("mail", "seats", ".")
    assert office.code("north") in said and "nora@example.org" in said
    assert len(facts("mail-seats", "mail", "seats", ".")["seats"]) == 2


def test_what_is_no_office(office: OfficeTable) -> None:
    for words in (("run", "game"), ("mail", "send", "game"), ("mail", "seats", "nowhere"), ("watch", "game")):
        result = run(*words)
        assert result.exit_code == 3, (words, result.output)
        assert not isinstance(result.exception, Exception) or isinstance(result.exception, SystemExit)
    result = run("mail", "fetch", ".")
    assert result.exit_code == 1 and "neither a mailbox nor a folder inbox" in result.stderr
    assert run("mail", "send", ".", "--again", "reply-1").exit_code == 1


def test_watch_makes_rounds_until_it_is_ended(office: OfficeTable, monkeypatch: pytest.MonkeyPatch) -> None:
    rounds = []

    def wait(courier: object, seconds: int) -> None:
        rounds.append(seconds)
        if len(rounds) == 2:
            raise KeyboardInterrupt

    monkeypatch.setattr("pbem.referee.mail.couriers.OwnCourier.wait", wait)
    said = fine("watch", ".", "--every", "60")
    assert said.splitlines()[0] == "Watching .; Ctrl-C ends it between two steps."
    assert said.splitlines()[-1] == "Ended."
    assert rounds == [60, 60]


def test_one_round_at_a_time(office: OfficeTable) -> None:
    from pbem.store import disk

    Path("post").mkdir(exist_ok=True)
    real = disk.exclusive
    with disk.exclusive(Path("post")), pytest.MonkeyPatch.context() as patch:
        patch.setattr(disk, "exclusive", lambda folder: real(folder, 0.1))
        result = run("run", ".")
    assert result.exit_code == 3 and "game.busy" in result.stderr
