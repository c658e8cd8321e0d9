"""A game with a beacon as typed: made, locked, noted, resolved from a relay on this machine
or from a file.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from msgspec.structs import replace
from rounds import AT, ROUNDS, answer, locked
from table import SCENARIOS, Table

from pbem.cli import cli


class Relay(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        number = int(self.path.rpartition("/")[2])
        lies = self.path.startswith("/lies/")
        self.wfile.write(answer(number, ROUNDS["1000" if lies else str(number)]))

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def relay() -> Iterator[str]:
    made = HTTPServer(("127.0.0.1", 0), Relay)
    thread = threading.Thread(target=made.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{made.server_port}"
    made.shutdown()
    made.server_close()
    thread.join()


@pytest.fixture
def env(table: Table, monkeypatch: pytest.MonkeyPatch) -> Table:
    monkeypatch.chdir(table.root)
    monkeypatch.setenv("PBEM_HOME", str(table.root / "home"))
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    monkeypatch.setattr(
        "pbem.referee.game.environment.own_environment", lambda **more: replace(table.env, **more)
    )
    return table


def typed(*words: str) -> Any:
    return CliRunner().invoke(cli, list(words))


def test_a_game_with_a_beacon_is_made(env: Table) -> None:
    made = typed(
        "new",
        str(SCENARIOS / "tug.yaml"),
        "toll",
        "--seat",
        "north=Ada",
        "--seat",
        "south=Ben",
        "--beacon",
        "--beacon-delay",
        "600",
    )
    assert made.exit_code == 0, made.output
    manifest = json.loads((env.root / "toll" / "ledger" / "00001-manifest.json").read_text())
    assert (manifest["beacon"]["net"], manifest["beacon"]["delay"]) == ("quicknet", 600)
    typed("new", str(SCENARIOS / "tug.yaml"), "plain", "--seat", "north=Ada", "--seat", "south=Ben")
    assert "beacon" not in json.loads((env.root / "plain" / "ledger" / "00001-manifest.json").read_text())


def test_a_lock_says_what_its_dice_wait_for(env: Table) -> None:
    locked(env)
    said = typed("lock", "game").stdout.splitlines()
    assert said[1] == "  dice wait for round 657413 of the beacon, which comes out at 2023-09-15T11:00:03Z"
    noted = typed("go", "game", "--seen")
    assert noted.stdout.startswith("Noted. The dice come with round 657413 at 2023-09-15T11:00:03Z; ")
    assert json.loads(typed("go", "game", "--seen", "--json").stdout) == {
        "round": 657413,
        "at": "2023-09-15T11:00:03Z",
    }


def test_dice_from_a_relay(env: Table, relay: str) -> None:
    locked(env)
    early = typed("resolve", "game", "--no-map", "--relay", f"{relay}/good")
    assert early.exit_code == 3
    assert (
        "slot 1 waits for round 657413 of the beacon, which comes out at 2023-09-15T11:00:03Z" in early.stderr
    )
    env.moment = AT["657413"] + timedelta(hours=2)
    lied = typed("resolve", "game", "--no-map", "--relay", f"{relay}/lies")
    assert lied.exit_code == 3
    assert f"{relay}/lies: its signature does not hold" in lied.stderr
    done = typed("resolve", "game", "--no-map", "--relay", f"{relay}/lies", "--relay", f"{relay}/good")
    assert done.exit_code == 0, done.output
    assert typed("verify", "game").exit_code == 0


def test_dice_from_a_file(env: Table, tmp_path: Path) -> None:
    locked(env)
    (tmp_path / "round.json").write_bytes(answer(1000, ROUNDS["1000"]))
    wrong = typed("resolve", "game", "--no-map", "--beacon-file", str(tmp_path / "round.json"))
    assert (
        wrong.exit_code,
        "this is not round 657413 of quicknet with a valid signature" in wrong.stderr,
    ) == (1, True)
    (tmp_path / "round.json").write_bytes(answer(657413, ROUNDS["657413"]))
    assert typed("resolve", "game", "--no-map", "--beacon-file", str(tmp_path / "round.json")).exit_code == 0
    assert typed("verify", "game").exit_code == 0
