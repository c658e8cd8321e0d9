"""Examples: a script is performed through the real use cases, gives the same bytes each time, and says where
it fails.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from example import SCRIPT, make_example
from table import Table

from pbem.proof.signing import private_to_openssh
from pbem.referee.game.game import open_game
from pbem.referee.game.refusal import Refused
from pbem.referee.game.scenario import find_scenario
from pbem.referee.play.demo import ARCHIVE, demo, find_example, record
from pbem.referee.play.playthrough import Playthrough, read_script
from pbem.referee.proving.verify import verify
from pbem.store.zips import open_zip


@pytest.fixture(name="example")
def example_fixture(table: Table) -> Path:
    return make_example(table)


def test_an_example_is_played(example: Path, tmp_path: Path) -> None:
    play = Playthrough(read_script(example), tmp_path / "game", tmp_path / "home", pictures=False)
    said = [step.said for step in play.play()]
    assert said == ["new", "join south", "submit north", "lock", "go south", "resolve"]
    game = open_game(tmp_path / "game")
    times = [record.record["at"] for record in game.ledger.records]
    assert times == [
        "2026-02-01T10:00:00Z",
        "2026-02-01T11:00:00Z",
        "2026-02-01T12:05:00Z",
        "2026-02-01T14:05:00Z",
    ]
    assert verify(tmp_path / "game").failures == ()


def test_marked_test_keys_are_used(example: Path, tmp_path: Path, table: Table) -> None:
    (example / "keys/gm.key").write_bytes(private_to_openssh(table.key("gm")))
    (example / "keys/gm.chain").write_text("11" * 32 + "\n")
    (example / "keys/south.chain").write_text("22" * 32 + "\n")
    play = Playthrough(read_script(example), tmp_path / "game", tmp_path / "home", pictures=False)
    list(play.play())
    assert play.env.keyring.secrets("tug-0a1b2c", "gm") == (bytes([0x11] * 32),)
    assert play.env.keyring.secrets("tug-0a1b2c", "south") == (bytes([0x22] * 32),)
    assert open_game(tmp_path / "game").ledger.gm_key is not None
    assert verify(tmp_path / "game").failures == ()


def test_recording_twice_gives_the_same_bytes(example: Path, tmp_path: Path) -> None:
    assert record(example, tmp_path / "one") == ("new",)
    first = (example / ARCHIVE).read_bytes()
    assert record(example, tmp_path / "two") == ()
    assert (example / ARCHIVE).read_bytes() == first
    assert verify(example / ARCHIVE).failures == ()
    (example / "orders/north.yaml").write_text("pull:\n- north-team rests\n")
    (example / "play.yaml").write_text(SCRIPT.replace("- {go: south}\n", ""))
    assert record(example, tmp_path / "three") == ("slot 1",)


def test_the_demo_names_files_that_are_there(example: Path, tmp_path: Path) -> None:
    steps = list(demo(example, tmp_path / "out", tmp_path / "home"))
    assert (steps[0].said, steps[-1].said, len(steps)) == ("begin", "verify", steps[0].of + 1)
    (proven,) = steps[-1].lines
    assert "committed before" in proven and f"pbem verify {tmp_path / 'out' / 'game'}" in proven
    assert [path.relative_to(tmp_path / "out").as_posix() for path, _ in steps[-1].files] == [
        "game/maps/s0001.png",
        "game.html",
        "last-turn.html",
    ]
    assert all(path.is_file() and said for path, said in steps[-1].files)
    assert (tmp_path / "out/game/reports/s0001.txt").is_file() and (tmp_path / "out/game.txt").is_file()
    assert "keys/gm.key" not in open_zip(tmp_path / "out/tug-0a1b2c.zip")
    with pytest.raises(Refused, match=r"game\.exists"):
        list(demo(example, tmp_path / "out", tmp_path / "other"))


def test_a_step_that_fails_is_named(example: Path, tmp_path: Path) -> None:
    (example / "orders/north.yaml").write_text("pull:\n- north-team sings\n")
    with pytest.raises(Refused) as refusal:
        list(Playthrough(read_script(example), tmp_path / "game", tmp_path / "home").play())
    assert refusal.value.file.endswith("play.yaml (step 2: submit)")


def test_a_game_begun_before_a_table_was_there_does_not_name_it() -> None:
    whole, older = (find_scenario("alder-ford", later=later).files for later in ((), ("misfire", "panic")))
    assert set(whole) - set(older) == {"tables/misfire.yaml", "tables/panic.yaml"}
    assert {path: whole[path] for path in older} == older


def test_a_script_that_leaves_out_a_table_that_never_was_is_told(example: Path, tmp_path: Path) -> None:
    (example / "play.yaml").write_text(SCRIPT + "later-tables: [hoots]\n")
    with pytest.raises(Refused, match=r"tables\.unknown"):
        list(Playthrough(read_script(example), tmp_path / "game", tmp_path / "home").play())


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("", ["yaml.empty"]),
        ("- a\n", ["script.form"]),
        ("game: x\n", ["schema.missing"] * 4),
        (SCRIPT.replace("- {resolve: true}", "- {resolve: true, lock: true}"), ["script.step"]),
        (SCRIPT.replace("- {resolve: true}", "- {undo: true}"), ["script.step"]),
        (SCRIPT.replace("- {resolve: true}", "- resolve"), ["schema.type"]),
        (SCRIPT.partition("steps:")[0] + "steps: now\n", ["schema.type"]),
        (SCRIPT.replace("start: 2026-02-01T10", "start: 2026-02-31T10"), ["schema.pattern"]),
        (SCRIPT.replace("5 minutes", "a while"), ["schema.pattern"]),
        (SCRIPT.replace("{seat: north, ", "{seet: north, "), ["schema.missing", "schema.unknown-key"]),
        (SCRIPT.replace("submit: north, file: north.yaml", "submit: north"), ["schema.needs"]),
        (SCRIPT.replace("file: north.yaml", "file: ../north.yaml"), ["schema.pattern"]),
        (SCRIPT + "profile: both\noptions: [a]\n", ["schema.choice", "schema.type"]),
    ],
)
def test_a_script_that_is_none(example: Path, text: str, codes: list[str]) -> None:
    (example / "play.yaml").write_text(text)
    with pytest.raises(Refused) as refusal:
        read_script(example)
    assert [found.code for found in refusal.value.located] == codes


@pytest.mark.parametrize(
    ("name", "bad", "code"), [("gm.chain", b"zz", "script.chain"), ("gm.key", b"zz\xff", "keys.private")]
)
def test_keys_of_an_example_that_are_none(
    example: Path, tmp_path: Path, name: str, bad: bytes, code: str
) -> None:
    (example / "keys/gm.key").write_bytes((example / "keys/south.key").read_bytes())
    (example / "keys" / name).write_bytes(bad)
    with pytest.raises(Refused) as refusal:
        list(Playthrough(read_script(example), tmp_path / "game", tmp_path / "home", pictures=False).play())
    assert (str(refusal.value), refusal.value.file) == (code, str(example / "keys" / name))


def test_finding_an_example(example: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert find_example(str(example)) == example
    monkeypatch.setattr("pbem.store.library.folder", lambda kind: example.parent)
    monkeypatch.setattr("pbem.referee.play.demo.example", lambda name: example.parent / name)
    assert find_example("example") == example
    with pytest.raises(Refused) as refusal:
        find_example("nothing")
    assert refusal.value.answer == 3


def test_a_seat_without_a_key_plays_with_words(example: Path, tmp_path: Path) -> None:
    text = SCRIPT.replace("name: Ben, key: south", "name: Ben").replace(
        "{go: south}", "{go: south, luck: seven drunken herons}"
    )
    (example / "play.yaml").write_text(text)
    list(Playthrough(read_script(example), tmp_path / "game", tmp_path / "home", pictures=False).play())
    verdict = verify(tmp_path / "game")
    assert (verdict.failures, verdict.trust[0].unsigned) == ((), ("south",))


def test_a_signed_submission(example: Path, tmp_path: Path) -> None:
    text = (
        SCRIPT.partition("steps:")[0]
        .replace("seats:", "umpire: true\nseats:")
        .replace("name: Ada", "name: Ada, key: north")
    )
    text += "steps:\n- {join: south}\n- {join: north}\n- {submit: north, file: north.yaml, draft: true}\n"
    text += "- {submit: north, file: north.yaml}\n- {resolve: true}\n"
    (example / "play.yaml").write_text(text)
    (example / "keys/north.key").write_bytes(private_to_openssh(Table(tmp_path).key("north")))
    list(Playthrough(read_script(example), tmp_path / "game", tmp_path / "home", pictures=False).play())
    verdict = verify(tmp_path / "game")
    assert (verdict.failures, verdict.trust[0].early) == ((), ("north",))
