"""Every verb by itself: its answer, its JSON, its help, and what it says to somebody who typed the wrong
thing.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner, Result
from example import make_example
from table import SCENARIOS, Table, pull

from pbem.cli import HIDDEN, VERBS, cli

SEATS = ("--seat", "north=Ann", "--seat", "south=Bob")

SCHEMAS = Path(__file__).resolve().parent.parent.parent / "schemas/cli"


@pytest.fixture
def at(table: Table, monkeypatch: pytest.MonkeyPatch) -> Table:
    """A started game of two players with umpire; the umpire's secrets are those of the terminal."""
    table.at_the_terminal(monkeypatch)
    return table.started(umpire=True, keyed=())


@pytest.fixture
def played(at: Table) -> Table:
    at.orders("north", pull("north", "luck: seven drunken herons\n"))
    at.resolve()
    return at


def run(*words: str, **more: Any) -> Result:
    return CliRunner().invoke(cli, list(words), **more)


def fine(*words: str) -> str:
    result = run(*words)
    assert result.exit_code == 0, (words, result.output, result.exception)
    return result.stdout


def facts(*words: str, schema: str = "", answer: int = 0) -> Any:
    result = run(*words, "--json")
    assert result.exit_code == answer, (words, result.output, result.exception)
    data = json.loads(result.stdout)
    if schema:
        jsonschema.validate(data, json.loads((SCHEMAS / f"{schema}.schema.json").read_text()))
    return data


def file(name: str, text: str) -> str:
    Path(name).write_text(text)
    return name


# --- help, version, misuse


@pytest.mark.parametrize("verb", [*VERBS, *HIDDEN])
def test_help_shows_an_example(verb: str) -> None:
    out = fine(verb, "--help")
    assert "Example:" in out or verb in HIDDEN
    assert f"pbem {verb} " in out or verb in HIDDEN


@pytest.mark.parametrize("group", ["rules", "tables", "map", "scenario"])
def test_groups_list_their_verbs(group: str) -> None:
    assert run(group).exit_code == 2
    assert "Commands:" in fine(group, "--help")


def test_help_lists_every_verb() -> None:
    out = fine("--help")
    for verb in VERBS:
        assert f"\n  {verb} " in out
    assert "\n  record " not in out


def test_version_loads_nothing_heavy() -> None:
    script = (
        "import sys; from pbem.cli import cli; cli(['--version'], standalone_mode=False); "
        "print(sorted(sys.modules))"
    )
    out = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert out.startswith("pbem 0.")
    for heavy in (
        "yaml",
        "PIL",
        "cryptography",
        "msgspec",
        "pbem.referee",
        "pbem.core",
        "json",
        "pbem.rulesets",
    ):
        assert f"'{heavy}'" not in out, heavy


def test_help_of_all_loads_no_verb() -> None:
    script = (
        "import sys; from pbem.cli import cli; cli(['--help'], standalone_mode=False); print([m for m in "
        "sys.modules if 'pbem' in m])"
    )
    out = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert out.splitlines()[-1] == "['pbem', 'pbem.cli']"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("vrify",), "there is no verb 'vrify'; did you mean 'verify'?"),
        (("xyzzy",), "there is no verb 'xyzzy'; pbem --help lists them"),
        (("status",), "Missing argument 'GAME'"),
        (("--language", "xx", "status", "g"), "there are de, en"),
        (("check", "x"), "Missing option '--game'"),
        (("verify", "g", "--die", "x"), "--die needs --slot"),
        (("sign", "f", "--game", "g"), "name your private key with --key"),
        (("go", "g"), "give your words with --luck, or your key with --key"),
        (("admit", "g"), "name a join file, or --seat and --words"),
        (("report", "g", "--format", "doc"), "'doc' is not one of"),
        (("roll", "g", "one", "x"), "'one' is not a valid integer"),
        (("new", "s", "g", "--seat", "Ada"), "'Ada' is not SEAT=NAME"),
        (("new", "s", "g", "--option", "x"), "'x' is not K=V"),
        (("status", "g", "--jsn"), "No such option"),
    ],
)
def test_misuse_is_2(words: tuple[str, ...], said: str) -> None:
    result = run(*words)
    assert (result.exit_code, said in result.stderr) == (2, True), result.stderr


def test_who_asks_for_another_language_is_spoken_to_in_it(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "meintest du 'siege'?" in run("--language", "de", "scenario", "list", "sieg").stderr
    monkeypatch.setenv("LANG", "de_DE.UTF-8")
    assert "did you mean 'siege'?" in run("scenario", "list", "sieg").stderr
    monkeypatch.setenv("PBEM_LANG", "de")
    assert "meintest du 'siege'?" in run("scenario", "list", "sieg").stderr


@pytest.mark.parametrize(
    "verb", ["status", "options", "verify", "lock", "resolve", "render", "report", "replay"]
)
def test_a_game_that_is_not_there_is_3(at: Table, verb: str) -> None:
    result = run(verb, "nowhere")
    assert (result.exit_code, result.stdout) == (3, "")
    assert "there is nothing at nowhere" in result.stderr
    assert run(verb, "home").exit_code == 3


def test_a_folder_where_a_file_should_be(at: Table) -> None:
    assert run("check", "game", "--game", "game").exit_code == 3
    assert run("check", "none.yaml", "--game", "game").exit_code == 3
    assert run("sign", "none.yaml", "--game", "game", "--key", "none").exit_code == 3


def test_a_fault_of_pbem_is_4_and_no_traceback(at: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbem.referee.mail.looking.status", lambda game: 1 // 0)
    result = run("status", "game")
    assert result.exit_code == 4
    assert "a fault of pbem itself (ZeroDivisionError" in result.stderr
    assert "Please report it" in result.stderr
    assert "Traceback" not in result.stderr
    monkeypatch.setenv("PBEM_TRACEBACK", "1")
    assert "Traceback" in run("status", "game").stderr


def test_a_folder_that_cannot_be_written(at: Table) -> None:
    Path("blocked").write_text("a file")
    file("o.yaml", pull("north"))
    result = run("pack", "game", "blocked/x.zip")
    assert result.exit_code == 3, result.output
    assert "Traceback" not in result.output


# --- new, join, admit


def test_new_with_flags(at: Table) -> None:
    south = at.key_file("south")
    out = facts("new", str(SCENARIOS / "tug.yaml"), "flags", "--seat", "n:north=Ada", "--seat", f"s:south=Ben,{south}.pub",
                "--umpire", "--go-always", "s", "--option", "knots=many", "--id", "flags-0a1b2c")  # fmt: skip
    assert (out["game"], out["invited"], out["started"]) == ("flags-0a1b2c", ["n", "s"], False)
    manifest = json.loads(Path("flags/ledger/00001-manifest.json").read_text())
    assert [(seat["seat"], seat.get("go")) for seat in manifest["seats"]] == [("n", None), ("s", "always")]
    assert manifest["ruleset"]["options"] == {"knots": "many"}
    line = (Path(f"{south}.pub")).read_text().strip()
    assert "is made in by-line" in fine(
        "new", str(SCENARIOS / "tug.yaml"), "by-line", "--seat", "north=A", "--seat", f"south=B,{line}"
    )
    out = fine(
        "new",
        str(SCENARIOS / "tug.yaml"),
        "mine",
        "--profile",
        "gm",
        "--seat",
        "north=A",
        "--seat",
        "south=B",
    )
    assert "Send mine" in out.replace("\\", "/")


def test_new_that_is_refused(at: Table) -> None:
    result = run("new", "alder-frd", "g")
    assert (result.exit_code, "did you mean 'alder-ford'?" in result.stderr) == (3, True)
    result = run("new", str(SCENARIOS / "tug.yaml"), "g", "--seat", "north=A")
    assert result.exit_code == 1
    assert "nobody plays the side south" in result.stderr
    result = run("new", str(SCENARIOS / "tug.yaml"), "g", "--seat", "north=A", "--seat", "south=B,none.pub")
    assert result.exit_code == 3
    assert not Path("g").exists()


def test_join_and_admit(at: Table) -> None:
    key = str(at.key_file("south"))
    fine("new", str(SCENARIOS / "tug.yaml"), "g", "--seat", "north=A", "--seat", f"south=B,{key}.pub")
    out = facts("join", "g/outbox/invitation.zip", "--key", key)
    assert (out["seat"], out["file"]) == ("south", "join.txt")
    assert out["fingerprint"].startswith("SHA256:")
    assert "game.name-used" in run("join", "g/outbox/invitation.zip", "--key", key).stderr
    assert facts("admit", "g", "join.txt") == {"seat": "south", "started": True, "missing": []}
    assert run("admit", "g", file("junk", "junk")).exit_code == 1
    fine("new", str(SCENARIOS / "tug.yaml"), "h", "--seat", "north=A", "--seat", "south=B")
    assert "You join" in fine("join", "h/outbox/invitation.zip", "--seat", "south", "-o", "words.txt")
    assert "south is in.\nThe game has started." in fine("admit", "h", "words.txt")
    fine("new", str(SCENARIOS / "tug.yaml"), "k", "--umpire", *SEATS)
    assert "Still missing: south" in fine("admit", "k", "--seat", "north", "--words", "yes, I play")
    assert "Bob (South): to join" in fine("status", "k")


def test_keys_that_cannot_be_used(at: Table) -> None:
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric import rsa

    fine("new", str(SCENARIOS / "tug.yaml"), "g", *SEATS)
    invitation = "g/outbox/invitation.zip"
    result = run("join", invitation, "--key", file("junk", "junk"))
    assert (result.exit_code, "not an OpenSSH private key" in result.stderr) == (1, True)
    other = rsa.generate_private_key(65537, 2048).private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.OpenSSH, serialization.NoEncryption()
    )
    Path("rsa").write_bytes(other)
    result = run("join", invitation, "--key", "rsa")
    assert (result.exit_code, "not of the type ed25519" in result.stderr) == (1, True)


def test_a_passphrase_is_asked_for_at_a_terminal_and_nowhere_else(
    at: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pbem.cli import params
    from pbem.proof.signing import BadKey
    from pbem.referee.game.refusal import Refused

    def load(data: bytes, password: bytes | None = None) -> object:
        if password != b"pw":
            raise BadKey("password")
        return at.key("south")

    monkeypatch.setattr("pbem.proof.signing.load_private", load)
    fine("new", str(SCENARIOS / "tug.yaml"), "g", *SEATS)
    result = run("join", "g/outbox/invitation.zip", "--key", file("locked", "x"))
    assert (result.exit_code, "passphrase" in result.stderr) == (3, True), (
        "nothing prompts unless stdin is a terminal"
    )
    monkeypatch.setattr(sys, "stdin", type("Terminal", (), {"isatty": lambda self: True})())
    monkeypatch.setattr("click.prompt", lambda *args, **more: "pw")
    assert params.private_key(Path("locked")).private_bytes_raw() == at.key("south").private_bytes_raw()
    monkeypatch.setattr("click.prompt", lambda *args, **more: "wrong")
    with pytest.raises(Refused):
        params.private_key(Path("locked"))


# --- status, options, check, submit


def test_status(at: Table) -> None:
    now = facts("status", "game", schema="status")
    stands = now.pop("stands")
    assert (stands["title"], stands["late"], stands["score"][0]["points"]) == (
        "A rope across the yard",
        False,
        0,
    )
    assert stands["waits"] == [
        {"seat": "north", "name": "North", "side": "North", "for": "orders", "own": False}
    ]
    assert now == {
        "game": "tug-0a1b2c",
        "ruleset": "toy 1",
        "turn": "t1.north",
        "phase": "t1.north.jeering",
        "slot": 1,
        "waiting_for": [{"seat": "north", "for": "orders"}],
        "questions": [],
        "reconstructed_tables": [],
        "mails": [
            {"seat": "north", "letters": 0, "turns": 0, "per_turn": "0.00"},
            {"seat": "south", "letters": 0, "turns": 0, "per_turn": "0.00"},
        ],
        "record": [],
        "own_rules": ["own scenario: tug", "own map: yard"],
        "notices": [],
    }
    fine("submit", file("o.yaml", pull("north")), "--game", "game")
    out = fine("status", "game")
    assert "  North: the final form of a draft\n" in out
    assert "chain of gm" not in out and at.open().ledger.head_digest not in out
    proof = fine("status", "game", "--proof").replace(str(at.root) + os.sep, "")
    assert (
        f"chain of gm: {Path('home/games/tug-0a1b2c/gm.chain')}" in proof
        and at.open().ledger.head_digest in proof
    )
    fine(
        "submit", file("o.yaml", pull("north", "luck: seven drunken herons\n")), "--game", "game", "--no-lock"
    )
    assert "everything is in" in fine("status", "game")


def test_links_that_go_round_in_a_ring_are_no_game(at: Table) -> None:
    (at.root / "ring").symlink_to("ring")
    for verb in ("status", "report", "next"):
        found = run(verb, "ring")
        assert (found.exit_code, "fault" in found.output) == (3, False), found.output


def test_status_of_a_question_and_of_the_end(at: Table) -> None:
    other = Table(at.root / "asks")
    (at.root / "asks").mkdir()
    other.started(umpire=True, keyed=(), options={"knots": "many"})
    other.orders("north", pull("north", "luck: seven drunken herons\n"))
    other.resolve()
    out = fine("status", "asks/game", "--proof")
    assert "South: an answer" in out
    assert "q1 to south: yield south-team (a hold, b let-go)" in out
    assert facts("status", "asks/game", schema="status")["questions"][0]["id"] == "q1"
    for slot in range(2, 40):
        game = other.open()
        if game.ledger.over:
            break
        seat = game.announced()["waits"][0]
        answer = "answers: {q1: let-go}\n" if game.questions else pull(seat)
        other.orders(seat, f"luck: words of slot {slot}\n{answer}", auto_lock=False)
        other.resolve()
    assert "The game is over" in fine("status", "asks/game") and "waits" not in fine("status", "asks/game")
    assert facts("status", "asks/game", schema="status")["waiting_for"] == []
    assert run("lock", "asks/game").exit_code == 1
    assert run("options", "asks/game", "--seat", "north").exit_code == 1


def test_the_end_is_said(at: Table) -> None:
    for slot in range(1, 60):
        game = at.open()
        seat = game.announced()["waits"][0]
        answer = "answers: {q1: let-go}\n" if game.questions else f"pull:\n- {seat}-team rests\n"
        at.orders(seat, f"luck: words of slot {slot}\n{answer}", auto_lock=False)
        out = fine("resolve", "game", "--no-map")
        if "The game is over." in out:
            break
    assert "The game is over." in out
    assert run("verify", "game").exit_code == 0


def test_next_says_and_does(at: Table) -> None:
    assert facts("next", "game", schema="next")["kind"] == "wait"
    assert "    pbem submit north.yaml --game game --seat north\n" in fine("next", "game")
    fine(
        "submit", file("o.yaml", pull("north", "luck: seven drunken herons\n")), "--game", "game", "--no-lock"
    )
    assert fine("next", "game") == (
        "All orders are in. Fix them; then pbem says whether anybody has to give words for the dice.\n  "
        "  pbem lock game\n"
    )
    assert "wait for the orders of" in fine("next", "game", "--do", "--no-map")
    assert at.open().ledger.state_slot == 1
    assert run("next", "nowhere").exit_code == 3


def test_the_games_of_an_office_are_one_table(at: Table) -> None:
    Path("pbem.toml").write_text('[office]\nname = "Ann"\naddress = "ann@example.org"\n')
    result = run("status", ".")
    assert result.exit_code == 0 and result.stdout.splitlines()[1].startswith(
        "game             Turn 1       North"
    )
    assert "[players.North] with an address" in result.stderr
    assert run("next", ".").exit_code == 3
    found = facts("status", ".", schema="status-office")
    assert [one["game"] for one in found["games"]] == ["tug-0a1b2c"] and len(found["troubles"]) == 2
    whole = facts("desk", ".", schema="desk", answer=3)
    assert [one["kind"] for one in whole["needs"]] == ["trouble", "trouble", "silent"]
    assert [one["name"] for one in facts("stats", ".", schema="stats", answer=3)["players"]] == [
        "North",
        "South",
    ]
    assert "An answer takes from the turn being open" in run("stats", ".").stdout
    assert run("site", ".", "--out", "pages", "--url", "ftp://x").exit_code == 2
    made = run(
        "site", ".", "--out", "pages", "--private", "desk", "--url", "https://example.org/club", "--json"
    )
    assert made.exit_code == 3 and json.loads(made.stdout)["looked"] == 1, made.output
    assert "https://example.org/club/games/tug-0a1b2c/index.html" in Path("pages/feed.xml").read_text()
    assert Path("desk/index.html").is_file() and run("site", ".", "--out", "desk").exit_code == 3
    said = run("desk", ".").stdout.splitlines()
    assert said[0] == "3 things need you:" and said[-1].startswith("game             Turn 1")


def test_scenarios_are_listed_with_what_makes_a_game_of_each(at: Table) -> None:
    found = facts("scenario", "list", schema="scenario-list")["scenarios"]
    assert {"alder-ford", "six-days"} <= {one["name"] for one in found}
    for one in found:
        assert one["story"].endswith(".") and Path(one["map"]).is_file() and Path(one["picture"]).is_file()
    assert "castle, 48 x 48 inches, 14 turns" in fine("scenario", "list", "castle")
    said = fine("scenario", "list", "cry_havoc")
    assert "  pbem new alder-ford GAME --seat east=NAME --seat west=NAME\n" in said and "six-days" not in said
    assert max(map(len, (line for line in said.splitlines() if not line.startswith("  map: ")))) <= 80
    assert "did you mean 'siege'?" in run("scenario", "list", "sieg").stderr


def test_new_says_who_has_to_be_named_and_what_sides_are_called(at: Table) -> None:
    result = run("new", "abbey-road", "donkeys")
    assert (result.exit_code, Path("donkeys").exists()) == (1, False)
    assert "pbem new abbey-road donkeys --seat outlaws=NAME --seat posse=NAME" in result.stderr
    result = run("new", "abbey-road", "donkeys", "--seat", "east=Ann", "--seat", "posse=Bob")
    assert "the sides are outlaws (Turold’s band), posse (The abbot’s posse)" in result.stderr


def test_new_in_an_office_says_what_the_office_does(at: Table) -> None:
    Path("pbem.toml").write_text(
        '[office]\nname = "Ann"\naddress = "ann@example.org"\n[players.Bob]\naddress = "bob@example.net"\n'
    )
    said = fine("new", "Alder-Ford", "ford", "--seat", "East=Ann", "--seat", "west=BOB")
    assert (
        "It invites Bob <bob@example.net> (west). It is in an office" in said
        and "admit" not in said
        and "Send" not in said
    )
    assert said.endswith("pbem run .\n")
    assert "[players.Bobby] with an address" in fine(
        "new", "alder-ford", "fort", "--seat", "east=Ann", "--seat", "west=Bobby"
    )


def test_the_locked_slot_is_said(at: Table) -> None:
    fine("submit", file("o.yaml", pull("north", "luck: seven drunken herons\n")), "--game", "game")
    assert "Turn 1, the dice to be rolled\n" in fine("status", "game")


def test_status_of_a_windle_hill_names_reconstructed_tables(at: Table) -> None:
    fine("new", "windle-hill", "hill", "--seat", "red=Ann", "--seat", "blue=Bob")
    assert "combat_foot" in facts("status", "hill", schema="status")["reconstructed_tables"]


def test_options(at: Table) -> None:
    sheet = fine("options", "game")
    assert "jeer:\n\n# north-team: 0 jeers\n#- north-team jeers\n" in sheet
    found = facts("options", "game", schema="options")
    assert found["units"] == [{"id": "north-team", "orders": [{"who": "north-team", "do": "jeers"}]}]
    assert "An order sheet for north is in sheet.yaml." in fine("options", "game", "-o", "sheet.yaml")
    assert facts("check", "sheet.yaml", "--game", "game", schema="check")["ok"]


def test_check(at: Table) -> None:
    file("o.yaml", "side: north\npull:\n- north-team sings\nfoo: bar\n")
    result = run("check", "o.yaml", "--game", "game")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "o.yaml:4:1: schema.unknown-key: 'foo' is not a key here" in result.stderr
    found = facts("check", "o.yaml", "--game", "game", schema="check", answer=1)
    assert not found["ok"]
    assert {problem["code"] for problem in found["problems"]} >= {"schema.unknown-key"}
    out = fine("check", file("o.yaml", pull("north")), "--game", "game")
    assert out == "north-team pulls\nNothing is wrong with it.\n"
    before = at.files()
    run("check", "o.yaml", "--game", "game")
    assert at.files() == before


def test_submit(at: Table) -> None:
    taken = facts("submit", file("o.yaml", pull("north")), "--game", "game", "--receipt", schema="submit")
    assert (taken["receipt"]["file"], taken["receipt"]["slot"], taken["receipt"]["seat"]) == (
        "draft",
        1,
        "north",
    )
    refused = facts("submit", file("o.yaml", "pull:\n- x y\n"), "--game", "game", schema="submit", answer=1)
    assert (refused["ok"], "receipt" in refused) == (False, False)
    out = fine("submit", file("o.yaml", pull("north", "luck: seven drunken herons\n")), "--game", "game")
    assert "Final. These orders and this value are used.\nAll is there: slot 1 is locked (" in out
    result = run("submit", "o.yaml", "--game", "game")
    assert (result.exit_code, "slot 1 is locked" in result.stderr) == (3, True)
    assert (
        facts("submit", "o.yaml", "--game", "game", schema="submit", answer=3)["problems"][0]["code"]
        == "game.locked"
    )


def test_a_signature_that_is_named_must_be_there(at: Table) -> None:
    file("o.yaml", pull("north"))
    assert run("submit", "o.yaml", "--game", "game", "--sig", "none.sig").exit_code == 3
    assert run("sign", "o.yaml", "--game", "game", "--key", str(at.key_file("north"))).exit_code == 1


def test_sign_as_json(table: Table, monkeypatch: pytest.MonkeyPatch, need: Any) -> None:
    monkeypatch.chdir(table.root)
    monkeypatch.setenv("PBEM_HOME", str(table.root / "player"))
    table.started(umpire=True, keyed=("north", "south"))
    key = str(table.key_file("north"))
    Path(key).chmod(0o600)
    found = facts("sign", file("o.yaml", pull("north")), "--game", "game", "--key", key)
    assert (found["file"], found["final"]) == ("o.txt", True)
    keygen = need("ssh-keygen")
    command = found["command"].split()
    made = Path("o.txt.sig").read_text()
    Path("o.txt.sig").unlink()
    subprocess.run([keygen, *command[1:]], check=True, capture_output=True)
    assert Path("o.txt.sig").read_text() == made, "ssh-keygen signs the same"
    assert "A draft: send o.txt" in fine("sign", "o.yaml", "--game", "game", "--key", key, "--draft")


# --- lock, go, resolve


def test_lock_go_resolve(at: Table) -> None:
    result = run("lock", "game")
    assert (result.exit_code, "the orders of north for slot 1 have not come" in result.stderr) == (3, True)
    fine("submit", file("o.yaml", pull("north")), "--game", "game")
    locked = facts("lock", "game", "--deadline")
    assert (locked["slot"], locked["asked"], locked["files"]) == (1, ["north", "south"], ["north"])
    assert "waits for the go of north: send outbox/lock-s0001-north.txt" in fine("lock", "game")
    assert facts("status", "game", schema="status")["waiting_for"] == [
        {"seat": "north", "for": "go"},
        {"seat": "south", "for": "go"},
    ]
    assert run("go", "game", "--luck", "short", "--seat", "north").exit_code == 1
    assert "north goes. Still missing: south" in fine(
        "go", "game", "--luck", "words of north", "--seat", "north"
    )
    assert facts("go", "game", "--luck", "words of south")["missing"] == []
    done = facts("resolve", "game", "--no-map", schema="resolve")
    assert (done["slot"], done["map"], Path(done["report"]).is_file()) == (1, "", True)
    assert done["waiting_for"]


def test_lock_without_dice(at: Table) -> None:
    fine(
        "submit",
        file("o.yaml", "pull:\n- north-team rests\nluck: seven drunken herons\n"),
        "--game",
        "game",
        "--no-lock",
    )
    assert "nobody is asked for a go: pbem resolve" in fine("lock", "game")
    out = fine("resolve", "game")
    assert "Slot 1: t1.north.jeering, t1.north.pulling, t1.north.breath; " in out
    assert "waits for south: orders" in out


def test_preview(at: Table) -> None:
    fine("submit", file("o.yaml", pull("north")), "--game", "game")
    before = at.files()
    out = fine("resolve", "game", "--preview")
    assert out.startswith("A preview: the dice are thrown away, nothing is signed.\nSlot 1: ")
    assert at.files() == before


def test_a_go_with_a_key(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(table.root)
    table.started()
    table.orders("north", pull("north"))
    table.lock()
    monkeypatch.setenv("PBEM_HOME", str(table.root / "player"))
    key = str(table.key_file("south"))
    letter = fine("go", "game", "--key", key)
    assert letter.startswith('{"game":"tug-0a1b2c"')
    assert "Send go.txt to the umpire." in fine("go", "game", "--key", key, "-o", "go.txt")
    for name in ("gm.key", "gm.chain"):
        target = table.root / "player/games/tug-0a1b2c" / name
        target.write_bytes((table.root / "home/games/tug-0a1b2c" / name).read_bytes())
    assert (
        fine("go", "game", "--key", key)
        == "Your value for slot 1 is in it, the first that you give.\nsouth goes. Now resolve.\n"
    )
    assert "south goes. Now resolve." in fine("submit", "go.txt", "--game", "game")


# --- showing


def test_render_and_report_and_replay(played: Table) -> None:
    assert "A rope across the yard" in fine("render", "game")
    for suffix in (".png", ".txt"):
        assert f"The map is in map{suffix}." in fine("render", "game", "-o", f"map{suffix}")
    result = run("render", "game", "-o", "map.doc")
    assert (result.exit_code, "one of .png" in result.stderr) == (1, True)
    assert run("render", "game", "--slot", "9").exit_code == 3
    for format_ in ("text", "markdown", "bbcode", "html"):
        assert "A rope across the yard" in fine("report", "game", "--format", format_)
    fine("report", "game", "--slot", "1", "-o", "report.txt")
    assert Path("report.txt").read_text() == (played.game / "reports/s0001.txt").read_text()
    assert "slot 1" in fine("replay", "game")
    assert "The game is in game.html." in fine("replay", "game", "-o", "game.html")


# --- proof


def test_pack_verify_roll_diff(played: Table) -> None:
    assert "files are in game.zip." in fine("pack", "game", "game.zip")
    found = facts("verify", "game.zip", schema="verify", answer=run("verify", "game.zip").exit_code)
    assert found["failures"] == []
    assert found["trust"] == [{"slot": 1, "foreknowledge": "could have been chosen by gm+north"}]
    label = played.open().ledger.slots[1].rolls[0].label
    shown = facts("roll", "game.zip", "1", label, schema="roll")
    assert shown == facts("verify", "game.zip", "--die", label, "--slot", "1")
    assert f"slot 1  {label}  d6: {shown['values'][0]}" in fine("roll", "game.zip", "1", label)
    assert run("roll", "game.zip", "1", "no/such/die").exit_code == 3
    assert fine("diff", "game.zip", "game") == ""
    assert fine("verify", "game.zip", "--with", "game").startswith("one history: 4 records in common")
    assert facts("verify", "game.zip", "--with", "game")["same"]
    no = run("verify", "game.zip", "--no-replay")
    assert (no.exit_code, no.stdout.startswith("CANNOT DECIDE")) == (3, True)


def test_a_difference_is_1_and_two_games_are_no_fork(played: Table) -> None:
    fine("pack", "game", "game.zip")
    path = played.game / "events/s0001.jsonl"
    path.write_text(path.read_text().replace('"do":"pulls"', '"do":"rests"'))
    result = run("diff", "game.zip", "game")
    assert (result.exit_code, "slot 1 event" in result.stdout) == (1, True)
    assert len(facts("diff", "game.zip", "game", answer=1)) == 1
    other = Table(played.root / "other")
    (played.root / "other").mkdir()
    other.count = 100
    other.started(umpire=True, keyed=())
    result = run("verify", "game", "--with", "other/game")
    assert result.exit_code == 3
    assert result.stdout.startswith("no fork is shown: the copies begin with the keys of two game masters;")
    assert facts("verify", "game", "--with", "other/game", answer=3)["word"] == "no fork is shown"


@pytest.mark.parametrize(
    "path", ["ledger/00002-start.json", "rolls/s0001.jsonl", "seats/north/join.json", "scenario/tug.yaml"]
)
def test_a_tampered_game_is_1(played: Table, path: str) -> None:
    target = played.game / path
    target.write_bytes(target.read_bytes().replace(b"1", b"2", 1) + b"\n")
    result = run("verify", "game")
    assert result.exit_code == 1
    assert result.stdout.startswith("FAIL")
    assert run("status", "game").exit_code == 1
    assert run("pack", "game", "x.zip").exit_code == 1
    assert not Path("x.zip").exists()


@pytest.mark.parametrize("junk", [b"", b"PK", b"\0" * 1000, b"not a zip", b"PK\x05\x06" + b"\0" * 18])
def test_hostile_archives(at: Table, junk: bytes) -> None:
    Path("junk.zip").write_bytes(junk)
    for words in (
        ("verify", "junk.zip"),
        ("status", "junk.zip"),
        ("join", "junk.zip", "--seat", "x"),
        ("replay", "junk.zip"),
        ("diff", "junk.zip", "game"),
    ):
        result = run(*words)
        assert result.exit_code in (1, 3), (words, result.output)
        assert result.stderr or result.stdout.startswith("CANNOT")
    assert not Path("join.txt").exists()


@pytest.mark.parametrize(
    "manifest",
    [
        b"",
        b"{}\n",
        b"[]\n",
        b'{"type":"manifest"}\n',
        b"\xff\xfe",
        b'{"a":' * 5000,
        b'{"type":"start","n":1}\n',
        b"9" * 5000,
    ],
)
def test_hostile_manifests(at: Table, manifest: bytes) -> None:
    (at.root / "bad/ledger").mkdir(parents=True)
    (at.root / "bad/ledger/00001-manifest.json").write_bytes(manifest)
    (at.root / "bad/ledger/00001-manifest.json.sig").write_bytes(b"junk")
    before = sorted(path.name for path in (at.root / "bad").rglob("*"))
    for words in (
        ("verify", "bad"),
        ("status", "bad"),
        ("resolve", "bad"),
        ("pack", "bad", "bad.zip"),
        ("options", "bad"),
    ):
        result = run(*words)
        assert result.exit_code in (1, 3), (words, result.output)
    assert sorted(path.name for path in (at.root / "bad").rglob("*")) == before


# --- rules, tables, maps, scenarios


def test_rules(at: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "toy 1   Tug of war" in fine("rules", "list")
    assert {"id": "toy", "revision": 1, "title": "Tug of war"} in facts("rules", "list")
    assert "1. Jeering (jeering)" in fine("rules", "sequence", "toy")
    assert facts("rules", "sequence", "toy")[2] == "3. Breath (breath): nobody orders"
    assert run("rules", "sequence", "chess").exit_code == 3
    shown = fine("rules", "options", "cry_havoc")
    assert (
        "odds_below_one: impossible | treat_as_1_1\n    what becomes of attacks at odds below 1:1 (S1.7g)"
        in shown
    )
    assert "    edition english: treat_as_1_1\n" in shown
    listed = {entry["option"]: entry for entry in facts("rules", "options", "cry_havoc")}
    assert listed["odds_below_one"]["editions"] == {"english": "treat_as_1_1"}
    book = (
        "- {id: T1.1, topic: rope, basis: gap, rule: Pull., status: done, readings: [{answer: hard, why: "
        "fun, since: 1}]}\n"
    )
    book += "- {id: T1.2, rule: Rest., status: missing, why: no time, carrier: ropes.rows.long}\n"
    monkeypatch.setattr("pbem.store.library.rulebook", lambda module: book.encode())
    assert facts("rules", "coverage", "toy", schema="rules-coverage") == {
        "ruleset": "toy",
        "total": 2,
        "done": 1,
        "not_done": [{"id": "T1.2", "status": "missing", "why": "no time"}],
    }
    assert "toy: 1 of 2 rules are carried out" in fine("rules", "coverage", "toy")
    assert "T1.1       done       Pull." in fine("rules", "list", "toy")
    assert facts("rules", "list", "toy")[0]["id"] == "T1.1"
    out = fine("rules", "show", "T1.1", "--ruleset", "toy")
    assert out == "T1.1   rope   gap   done\nPull.\nreading: hard: fun (since 1)\n"
    out = fine("rules", "show", "T1.2", "--ruleset", "toy")
    assert "why: no time" in out and "table: ropes.rows.long" in out
    assert facts("rules", "show", "T1.1", "--ruleset", "toy")["rule"]["rule"] == "Pull."
    assert run("rules", "show", "T9", "--ruleset", "toy").exit_code == 3


def test_the_code_of_a_siege_rule(at: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "pbem.store.library.rulebook", lambda module: b"- {id: S1.2a, rule: x, status: done}\n"
    )
    assert "code: sequence.py:" in fine("rules", "show", "S1.2a", "--ruleset", "cry_havoc")


def test_tables(at: Table) -> None:
    assert "combat_foot" in fine("tables", "list", "cry_havoc")
    assert facts("tables", "list", "cry_havoc")[0]["name"]
    assert "basis: reconstructed" in fine("tables", "show", "cry_havoc", "combat_foot")
    assert run("tables", "show", "cry_havoc", "x").exit_code == 3
    assert "tables are in mine" in fine("tables", "export", "cry_havoc", "mine")
    assert "These tables can be used: " in fine("tables", "check", "cry_havoc", "mine")
    assert run("tables", "export", "cry_havoc", "mine").exit_code == 1
    Path("mine/combat_foot.yaml").write_text("rows: x\n")
    assert run("tables", "check", "cry_havoc", "mine").exit_code == 1


def test_maps_and_scenarios(at: Table) -> None:
    yard = str(SCENARIOS / "maps/yard.yaml")
    assert fine("map", "check", yard, "--ruleset", "toy") == "The map is fine.\n"
    assert facts("map", "check", yard, "--ruleset", "toy", schema="check")["ok"]
    assert fine("map", "show", yard) == " 01 .     .     .     .\n       .     .     .\n"
    result = run("map", "check", file("m.yaml", "map: x\nsize: big\n"), "--ruleset", "toy")
    assert (result.exit_code, "m.yaml:" in result.stderr) == (1, True)
    assert (
        fine("scenario", "check", str(SCENARIOS / "tug.yaml"))
        == "A rope across the yard is fine, and so is its map.\n"
    )
    assert facts("scenario", "check", str(SCENARIOS / "dig.yaml"), schema="check")["ok"]
    result = run("scenario", "check", file("s.yaml", "scenario: x\n"))
    assert (result.exit_code, "s.yaml:1:1: scenario.map" in result.stderr) == (1, True)
    assert run("scenario", "check", "none.yaml").exit_code == 3


def test_real_maps_are_fine(at: Table) -> None:
    maps = Path(__file__).resolve().parent.parent.parent / "scenarios/cry_havoc/maps"
    assert fine("map", "check", str(maps / "windle-hill.yaml")).endswith("The map is fine.\n")


# --- demo


def test_demo(at: Table) -> None:
    make_example(at)
    out = fine("demo", "example", "--out", "shown", "--no-map")
    assert "Playing example" in out
    assert out.splitlines()[-4:-1] == [
        "Look at:",
        "  shown/game.html       the whole game, to step through in a browser; a "
        "click on a roll works it out again",
        "  shown/last-turn.html  the report of the last turn",
    ]
    assert out.endswith(
        ": every die follows from values that were committed before it. How: pbem verify shown/game\n"
    )
    assert "could have been chosen" not in out
    assert run("demo", "example", "--out", "shown").exit_code == 1
    assert run("demo", "nothing").exit_code == 3
    assert fine("record", "example") == "example: new\n"
    assert fine("record", "example") == "example: as it was\n"


def test_two_programs_at_once(at: Table) -> None:
    """Eight processes submit to one game at the same time: each is taken in or told to wait, and the game
    holds.
    """
    for n in range(8):
        file(f"o{n}.yaml", pull("north", f"note: number {n}\n"))
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(SCENARIOS.parent), os.environ.get("PYTHONPATH", ""), *sys.path]),
    }
    command = [sys.executable, "-m", "pbem", "submit", "--game", "game", "--seat", "north"]
    started = [
        subprocess.Popen([*command, f"o{n}.yaml"], env=environment, stdout=subprocess.DEVNULL)
        for n in range(8)
    ]
    answers = [process.wait(timeout=60) for process in started]
    assert set(answers) <= {0, 3}
    letters = [path for path in at.files() if path.startswith("mail/s0001-north")]
    assert len(letters) == answers.count(0) > 0
    assert run("verify", "game").exit_code == 0
