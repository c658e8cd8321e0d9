"""A study from the terminal: a table with a row for each game, a picture, and what is said of what cannot be."""

from __future__ import annotations

import ast
import json
import os
import sys
from pathlib import Path

import pyarrow.parquet as parquet
import pytest
from click.testing import CliRunner, Result
from PIL import Image

from pbem.cli import cli
from pbem.fleet import audits, results
from pbem.fleet.door import Means
from pbem.fleet.pages import replay_all
from pbem.fleet.parts import Parts
from pbem.fleet.studies import Pairing, Study, played, tasks
from pbem.renderers import bars

TUG = str(Path(__file__).resolve().parents[1] / "toy" / "scenarios" / "tug.yaml")
EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "alder-ford" / "archive.zip"
SCALE = Path(__file__).resolve().parents[2] / "docs" / "scale.md"
STUDY = Study((Pairing(TUG, ("random", "random")),), 5, "words", each=2)


def typed(*words: str) -> Result:
    return CliRunner().invoke(cli, words)


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let tasks be done in this process."""
    monkeypatch.setattr("os.cpu_count", lambda: 1)


@pytest.mark.usefixtures("here")
def test_the_line_in_the_papers_reads_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert typed("study", TUG, "--pair", "random/random", "--games", "5", "-o", "study").exit_code == 0
    (line,) = (
        line.strip()
        for line in SCALE.read_text("utf-8").splitlines()
        if line.startswith('    python -c "import pyarrow')
    )
    exec(line.removeprefix('python -c "').removesuffix('"'), {})
    rows = [ast.literal_eval(row) for row in capsys.readouterr().out.splitlines()]
    assert sum(row["number_count"] for row in rows) == 5
    assert {row["pair"] for row in rows} == {"random/random"}


@pytest.mark.usefixtures("here")
def test_a_study_is_a_table_and_a_picture(tmp_path: Path) -> None:
    words = (
        "study",
        TUG,
        "--pair",
        "random/random",
        "--games",
        "15",
        "--seed",
        "words",
        "-o",
        str(tmp_path),
        "--json",
    )
    ran = typed(*words)
    assert ran.exit_code == 0, ran.output
    (found,) = json.loads(ran.output)["pairings"]
    table = parquet.read_table(tmp_path / "games.parquet").to_pylist()
    assert [row["number"] for row in table] == list(range(15))
    assert found["games"] == 15 == sum(found["wins"].values()) + found["drawn"]
    assert {side: sum(row["winner"] == side for row in table) for side in ("north", "south")} == found["wins"]
    assert sum(row["turns"] for row in table) == found["turns"]
    with Image.open(tmp_path / "games.png") as picture:
        assert picture.width == bars.WIDTH
    before = {name: (tmp_path / name).read_bytes() for name in ("games.parquet", "games.png")}
    assert typed(*words).exit_code == 0
    assert {name: (tmp_path / name).read_bytes() for name in before} == before


def test_the_same_number_is_the_same_game_whatever_task_it_is_in() -> None:
    whole = [row for task in tasks(STUDY) for row in played(**task.arguments)]
    single = Study(STUDY.pairings, 5, "words", each=1)
    assert [row for task in tasks(single) for row in played(**task.arguments)] == whole
    assert len({row[-1] for row in whole}) > 1


def test_a_scenario_that_is_another_one_for_the_worker_is_not_played() -> None:
    (task, *_) = tasks(STUDY)
    with pytest.raises(ValueError, match="another one here"):
        played(**{**task.arguments, "content": "0" * 64})


@pytest.mark.parametrize(
    ("words", "said", "answer"),
    [
        (("--pair", "nobody/random"), "there is no bot 'nobody'", 1),
        (("--pair", "random"), "'random' is not BOT/BOT", 2),
        (("--pair", "random/random/random"), "has 2 sides", 1),
        (
            ("--workers", "2", "--scheduler", "tcp://127.0.0.1:9"),
            "one at a time: --workers or --scheduler",
            2,
        ),
        (("--tls", "."), "--tls goes with --scheduler", 2),
        (("--scheduler", "tls://127.0.0.1:9"), "name the folder with ca.pem, cert.pem and key.pem", 3),
    ],
)
def test_what_cannot_be_is_said_before_a_game_is_played(
    tmp_path: Path, words: tuple[str, ...], said: str, answer: int
) -> None:
    ran = typed(
        "study",
        TUG,
        "-o",
        str(tmp_path / "out"),
        *(words if "--pair" in words else ("--pair", "random/random", *words)),
    )
    assert said in ran.output
    assert ran.exit_code == answer


def test_without_the_extra_it_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr(results, "import_module", missing)
    ran = typed("study", TUG, "-o", str(tmp_path))
    assert ran.exit_code == 3
    assert "pip install 'pbem[scale]'" in ran.output


def test_a_game_is_verified_anew_when_it_changed_and_not_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    games, means = tmp_path / "games", Means(jobs=1, parts=tmp_path / "parts")
    games.mkdir()
    (games / "a.zip").write_bytes(EXAMPLE.read_bytes())
    (first,) = audits.verify_all(games, with_rules=False, means=means)
    assert first.verdict == "undecided" and first.slots == 21

    def not_again(*asked: object) -> None:
        raise AssertionError("verified again")

    with monkeypatch.context() as patch:
        patch.setattr(audits, "one", not_again)
        assert list(audits.verify_all(games, with_rules=False, means=means)) == [first]
    (games / "a.zip").write_bytes(b"junk")
    (second,) = audits.verify_all(games, with_rules=False, means=means)
    assert "not a zip file" in second.why


def test_what_changes_under_the_hands_of_a_worker_is_no_verdict(tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(b"junk")
    (task,) = audits.tasks(tmp_path, with_rules=False, named=True)
    (tmp_path / "a.zip").write_bytes(b"other junk")
    with pytest.raises(audits.Changed):
        audits.verified(**task.arguments)
    assert Parts(tmp_path, "p").find(task) is None


def test_a_folder_is_known_by_all_that_is_in_it_but_locks(tmp_path: Path) -> None:
    (tmp_path / "ledger").mkdir()
    (tmp_path / "ledger" / "one").write_text("1")
    seen = {audits.digest_of(tmp_path)}
    (tmp_path / ".lock").write_text("4711 here")
    assert audits.digest_of(tmp_path) in seen
    for change in (
        lambda: (tmp_path / "ledger" / "one").write_text("2"),
        lambda: (tmp_path / "ledger" / "one").rename(tmp_path / "ledger" / "two"),
        lambda: (tmp_path / "link").symlink_to("nowhere"),
    ):
        change()
        seen.add(audits.digest_of(tmp_path))
    assert len(seen) == 4


def test_what_cannot_be_read_stops_no_audit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A pipe would be waited for without end, a file may go away or be somebody else's."""
    (tmp_path / "game" / "ledger").mkdir(parents=True)
    (tmp_path / "game" / "note").write_text("1")
    seen = {audits.digest_of(tmp_path / "game")}
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "game" / "pipe")
        seen.add(audits.digest_of(tmp_path / "game"))

    def refuse(self: Path, mode: str) -> None:
        raise PermissionError(13, "Permission denied", str(self))

    with monkeypatch.context() as patch:
        patch.setattr(Path, "open", refuse)
        seen.add(audits.digest_of(tmp_path / "game"))
    assert len(seen) == 2 + hasattr(os, "mkfifo")


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere names of files are text")
def test_a_game_whose_name_is_no_text_is_verified_as_any_other(tmp_path: Path) -> None:
    (tmp_path / os.fsdecode(b"f\xf6rd.zip")).write_bytes(b"junk")
    means = Means(jobs=1, parts=tmp_path / "parts")
    for _ in range(2):
        (found,) = audits.verify_all(tmp_path, with_rules=False, means=means)
        assert "not a zip file" in found.why


def test_a_page_for_each_game_of_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "pbem.fleet.pages.replay_bytes", lambda game, kind, wish: f"<p>{game.id}</p>".encode()
    )
    (tmp_path / "games" / "deep").mkdir(parents=True)
    for name in ("deep/a.zip", "deep--a.zip", "junk.zip"):
        (tmp_path / "games" / name).write_bytes(EXAMPLE.read_bytes() if "junk" not in name else b"junk")
    found = {
        one.name: one
        for one in replay_all(tmp_path / "games", tmp_path / "pages", "parchment", Means(jobs=1))
    }
    assert found["junk.zip"].failure
    written = [Path(found[name].path) for name in ("deep/a.zip", "deep--a.zip")]
    assert len(set(written)) == 2
    assert {path.read_bytes() for path in written} == {b"<p>" + path_id() + b"</p>"}


def path_id() -> bytes:
    from pbem.referee.game.game import open_game

    return open_game(EXAMPLE).id.encode()
