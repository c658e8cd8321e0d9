"""Every game of a folder at once: good ones, broken ones, none; over several programs or one; and the
examples of the repository.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from table import Table

from pbem.fleet.audits import verify_all
from pbem.referee.game.refusal import Refused
from pbem.referee.proving import verify_folder
from pbem.referee.proving.pack import pack
from pbem.referee.proving.verify import mine
from pbem.referee.proving.verify_folder import GameFound, games, worst

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def folder(table: Table) -> Path:
    """Return a folder with a game, its pack, a broken copy, a file that is no archive, and what is none of
    them.
    """
    table.started()
    table.turn()
    root = table.root / "all"
    (root / "deep" / "er").mkdir(parents=True)
    pack(table.env, table.game, root / "deep" / "er" / "game.ZIP")
    shutil.copytree(table.game, root / "game")
    shutil.copytree(table.game, root / "broken")
    (root / "broken" / "rolls" / "s0001.jsonl").write_bytes(b"")
    (root / "junk.zip").write_bytes(b"junk")
    (root / "notes.txt").write_text("nothing")
    (root / ".hidden.zip").write_bytes(b"junk")
    (root / "link").symlink_to(root / "game")
    return root


def test_games_of_a_folder(table: Table) -> None:
    root = folder(table)
    names = [path.relative_to(root).as_posix() for path in games(root)]
    assert names == ["broken", "deep/er/game.ZIP", "game", "junk.zip"]
    assert games(root / "game") == (root / "game",)
    found = {one.path: one for one in verify_all(root, jobs=1)}
    assert {path: (one.verdict, one.answer) for path, one in found.items()} == {
        "broken": ("fail", 1),
        "deep/er/game.ZIP": ("pass", 0),
        "game": ("pass", 0),
        "junk.zip": ("undecided", 3),
    }
    assert found["broken"].why.startswith("E14 rolls/s0001.jsonl: ")
    assert found["junk.zip"].why == "not read, so nothing is judged: this is not a zip file, or it is broken"
    assert found["game"] == GameFound(
        "game", "pass", 0, "tug-0a1b2c", 1, found["game"].signatures, found["game"].dice
    )
    assert found["game"].signatures > 3
    assert worst(found.values()) == 1
    assert [one.verdict for one in verify_all(root / "game", with_rules=False, jobs=1)] == ["undecided"]
    assert [one.path for one in verify_all(root / "game", with_rules=False, jobs=1)] == ["game"]


def test_the_examples_of_the_repository_hold_over_several_programs(tmp_path: Path) -> None:
    """The gate before an upgrade: every game that was ever recorded still verifies, rules and all."""
    shutil.copytree(EXAMPLES, tmp_path / "one")
    (tmp_path / "junk.zip").write_bytes(b"junk")
    found = sorted(verify_all(tmp_path, jobs=2), key=lambda one: one.path)
    assert [(one.path, one.answer) for one in found if one.path.startswith("one/")]
    assert {one.answer for one in found if one.path.startswith("one/")} == {0}, found
    assert [one.answer for one in found if one.path == "junk.zip"] == [3]


def test_a_game_that_breaks_the_program_is_one_answer(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    table.started()

    def breaks(where: Path, *, with_rules: bool) -> None:
        raise ZeroDivisionError("by zero")

    monkeypatch.setattr(verify_folder, "verify", breaks)
    (found,) = verify_all(table.game, jobs=1)
    assert (found.verdict, found.answer, found.why) == (
        "fault",
        4,
        "a fault of pbem itself (ZeroDivisionError: by zero)",
    )


@pytest.mark.parametrize(
    ("answers", "answer"), [((), 3), ((0,), 0), ((0, 3), 3), ((3, 1, 0), 1), ((4, 1, 3), 4)]
)
def test_the_worst_answer(answers: tuple[int, ...], answer: int) -> None:
    assert worst(GameFound("x", "", one) for one in answers) == answer


def test_what_a_player_sent(table: Table) -> None:
    table.started(keyed=("south",))
    box = table.root / "box"
    (box / "in").mkdir(parents=True)
    table.turn()
    draft = table.signed("south", "pull:\n- south-team rests\n", draft=True)
    (box / "draft.txt").write_bytes(draft.data)
    (box / "draft.txt.sig").write_text(draft.signature)
    table.orders("south", "pull:\n- south-team pulls\n", with_receipt=True, auto_lock=False)
    for path in (table.game / "receipts").iterdir():
        shutil.copy(path, box / "in")
    before = mine(table.game, box)
    assert [(one.kind, one.answer) for one in before.found] == [("orders", "waits"), ("receipt", "waits")]
    assert (before.answer, before.game) == (0, "tug-0a1b2c")
    table.lock()
    table.resolve()
    found = mine(table.game, box)
    assert (found.answer, found.broken, found.others) == (0, "", ())
    assert [(one.kind, one.answer) for one in found.found] == [("orders", "doubt"), ("receipt", "fine")]
    (table.game / "rolls" / "s0001.jsonl").write_bytes(b"")
    assert (mine(table.game, box).answer, mine(table.game, box).broken[:24]) == (
        1,
        "E14 rolls/s0001.jsonl: n",
    )


def test_plain_orders_of_a_player_without_a_key(table: Table) -> None:
    table.started(keyed=())
    table.orders("north", "pull:\n- north-team pulls\n")
    table.lock()
    table.go("south", "seven drunken herons")
    table.resolve()
    yaml = "luck: nine tired owls\npull:\n- south-team pulls\n"
    table.orders("south", yaml)
    table.resolve()
    box = table.root / "box"
    box.mkdir()
    (box / "sent.yaml").write_text(yaml)
    (box / "other.yaml").write_text(yaml + "# more\n")
    found = mine(table.game, box)
    assert [(one.path, one.seat, one.slot, one.answer) for one in found.found] == [
        ("sent.yaml", "south", 2, "fine")
    ]
    assert (found.others, found.answer) == (("other.yaml",), 0)


def test_folders_in_which_there_is_nothing(table: Table, tmp_path: Path) -> None:
    table.started()
    (tmp_path / "empty").mkdir()
    assert mine(table.game, tmp_path / "empty").answer == 3
    for where, box in ((table.game, tmp_path / "nowhere"), (tmp_path / "empty", tmp_path / "empty")):
        with pytest.raises(Refused) as caught:
            mine(where, box)
        assert caught.value.answer == 3
