"""Nobody honest is accused: a game as disks, systems, mails and people leave it holds, or is told from a
broken one, by every reader.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from playwright.sync_api import Page
from verifier_ground import ARCHIVES, judged_by_python, module, said_by_pbem, unzipped
from verifier_mutations import HONEST
from verifier_page import LAST, judged
from verifier_variants import GAMES, OPEN, PASS, VARIANTS, crlf, each
from verifier_zips import GOOD, packed

from pbem.proof.archive import MemoryArchive
from pbem.proof.verify import verify
from pbem.referee.proving.verify import verdict_of
from pbem.store import zips
from pbem.store.gamedir import GameDir

pd1 = module("pd1_verify")
EXAMPLES = {path.parent.name: path for path in ARCHIVES}
PLAYED = ("friends", "umpire", "amended")


def held(name: str, files: Mapping[str, bytes], wanted: str) -> None:
    ours, theirs = said_by_pbem(MemoryArchive(files)), judged_by_python(files)
    assert ours == theirs, name
    assert ours[0] == wanted, (name, ours)
    assert ours[1] in ("", "E00"), name


@pytest.mark.parametrize("name", VARIANTS)
def test_a_game_as_it_is_left_accuses_nobody(name: str) -> None:
    wanted, change = VARIANTS[name]
    for game in PLAYED:
        held(f"{game}: {name}", change(HONEST[game]().pack()), wanted)


@pytest.mark.parametrize("name", GAMES)
def test_a_game_that_went_ways_of_its_own_accuses_nobody(name: str) -> None:
    wanted, build = GAMES[name]
    held(name, build(), wanted)


def test_the_page_says_the_same_of_each(page: Page, tmp_path: Path) -> None:
    every = {
        name: (wanted, change(HONEST["amended"]().pack())) for name, (wanted, change) in VARIANTS.items()
    }
    every |= {name: (wanted, dict(build())) for name, (wanted, build) in GAMES.items()}
    for number, (name, (wanted, files)) in enumerate(every.items()):
        path = tmp_path / f"{number:03d}.zip"
        path.write_bytes(packed(files.items()))
        assert judged(page, path)[0] == wanted, name
        audit = pd1.judge(pd1.Zip(str(path)))
        assert page.evaluate(LAST).split("\n") == [*map(pd1.shown, audit.lines())], name


@pytest.mark.parametrize("path", ARCHIVES, ids=lambda path: path.parent.name)
def test_recorded_games_as_they_are_left_accuse_nobody(path: Path) -> None:
    files = unzipped(path)
    for name, (wanted, change) in list(VARIANTS.items())[:: 5 + ARCHIVES.index(path)]:
        held(f"{path.parent.name}: {name}", change(files), wanted)


@pytest.mark.parametrize("name", ["notes of a reader", "no scenario", "no roll logs"])
def test_with_its_rules_played_again_too(name: str) -> None:
    wanted, change = VARIANTS[name]
    verdict = verdict_of(MemoryArchive(change(unzipped(EXAMPLES["millers-ladders"]))))
    assert verdict.verdict == {PASS: "pass", OPEN: "undecided"}[wanted]
    assert {found.code for found in verdict.failures} <= {"E00"}
    assert verdict.replayed == (wanted == PASS)


def test_line_ends_are_told_with_the_way_out() -> None:
    files = each(crlf, r"(?!maps/).*")(unzipped(EXAMPLES["millers-ladders"]))
    verdict = verdict_of(MemoryArchive(files))
    way = "were changed (a copy in text mode; git autocrlf does that): pbem mend COPY -o MENDED.zip"
    assert (verdict.verdict, verdict.failures, verdict.replayed) == ("undecided", (), True)
    assert len(verdict.undecided) == 1
    assert verdict.undecided[0].startswith("the line ends of ")
    assert verdict.undecided[0].endswith(way)
    assert list(pd1.judge(pd1.Memory(dict(files))).open_ends) == list(verdict.undecided)


def test_a_broken_game_is_not_mended_by_other_line_ends() -> None:
    files = HONEST["friends"]().pack()
    files["rolls/s0001.jsonl"] = files["rolls/s0001.jsonl"].replace(b'"n":1', b'"n":2')
    changed = each(crlf, r".*")(files)
    assert said_by_pbem(MemoryArchive(changed)) == judged_by_python(changed) == ("FAIL", "E01")
    said = [found.message for found in verify(MemoryArchive(changed), replay=None).warnings]
    assert any("pbem mend COPY" in text for text in said)


def test_a_recorded_game_as_programs_pack_it(tmp_path: Path) -> None:
    files = unzipped(EXAMPLES["six-days"])
    for name, made in list(GOOD.items())[::4]:
        path = tmp_path / "x.zip"
        path.write_bytes(made(files))
        audit = pd1.judge(pd1.Zip(str(path)))
        assert said_by_pbem(zips.open_zip(path)) == (audit.verdict, "") == ("PASS", ""), name


def test_a_folder_says_what_its_zip_says(tmp_path: Path) -> None:
    for number, name in enumerate(
        (
            "git",
            "notes of a reader",
            "hidden files of a Mac in every folder",
            "CR LF everywhere",
            "an older copy inside",
        )
    ):
        wanted, change = VARIANTS[name]
        files, root = change(HONEST["amended"]().pack()), tmp_path / str(number)
        for path, data in files.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_bytes(data)
        (tmp_path / "x.zip").write_bytes(packed(files.items()))
        folder, one = GameDir(root), zips.open_zip(tmp_path / "x.zip")
        assert (
            sorted(folder)
            == sorted(one)
            == pd1.Folder(str(root)).names
            == pd1.Zip(str(tmp_path / "x.zip")).names
        )
        assert said_by_pbem(folder)[0] == said_by_pbem(one)[0] == wanted, name
        assert [*pd1.judge(pd1.Folder(str(root))).lines()] == [
            *pd1.judge(pd1.Zip(str(tmp_path / "x.zip"))).lines()
        ]
