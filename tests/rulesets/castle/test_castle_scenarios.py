"""Scenarios of one's own: everything that is wrong with one is told at its place, and none of it is a fault."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from pbem.referee.game.refusal import Refused
from pbem.referee.game.scenario import find_scenario, judge
from pbem.text.located import Located

SHIPPED = Path(__file__).resolve().parents[3] / "scenarios" / "castle"


def told(folder: Path, name: str, old: str, new: str, *, of_map: bool = False) -> list[Located]:
    """Return what is said of a shipped scenario in which something stands for something else."""
    shutil.copytree(SHIPPED / "maps", folder / "maps")
    shutil.copy(SHIPPED / name, folder)
    file = folder / "maps" / "kestrel-hill.yaml" if of_map else folder / name
    text = file.read_text("utf-8")
    assert text.count(old) == 1, old
    file.write_text(text.replace(old, new), "utf-8")
    with pytest.raises(Refused) as caught:
        judge(find_scenario(str(folder / name)))
    return list(caught.value.located)


@pytest.mark.parametrize(
    ("name", "old", "new", "message"),
    [
        ("kestrel-tower", "length: 18 turns\n", "", "length"),
        ("kestrel-tower", "build: 300", "build: 1.5", "1.5"),
        ("kestrel-tower", "{id: grul,", "{", "id"),
        ("kestrel-tower", "at: 21 42.6", "at: x 42.6 3", "x 42.6 3"),
        (
            "kestrel-tower",
            "ladders:\n    - {id: ladder1, wall: wall2, at: 12 8}",
            "ladders: [{id: a}]",
            "wall",
        ),
        ("kestrel-tower", "wall: wall2, at: 12 8", "wall: wall2", "at"),
        ("kestrel-tower", "ladder1, wall: wall2, at: 12 8", "brask, wall: wall2, at: 12 8", "brask"),
        ("kestrel-tower", "ladder1, wall: wall2, at: 12 8", "ladder1, by: 'udo, nobody'", "nobody"),
        ("kestrel-tower", "at: 18 9, on: wall3", "at: 18 9, on: wall7", "wall7"),
        ("kestrel-tower", "id: grul, name: Grul", "id: hrod, name: Grul", "hrod"),
        ("kestrel-tower", "at: 18 7.4, facing: n", "at: 18 7.4, facing: north", "north"),
        ("kestrel-tower", "at: 18 7.4, facing: n", "at: 18 7.4, facing: 361", "361"),
        ("kestrel-tower", "at: 18 7.4, facing: n", "at: 18 7.4, facing: udo", "udo"),
        (
            "kestrel-open",
            "    warriors:\n    - {id: joss",
            "    planks: [wall1 to moon]\n    warriors:\n    - {id: joss",
            "moon",
        ),
        ("kestrel-open", "lead: 30", "lead: 30, winner: moon", "moon"),
    ],
)
def test_what_is_wrong_is_told_where_it_stands(
    tmp_path: Path, name: str, old: str, new: str, message: str
) -> None:
    found = told(tmp_path, f"{name}.yaml", old, new)
    assert any(message in one.message for one in found), [one.message for one in found]
    assert all(one.file == str(tmp_path / f"{name}.yaml") and one.line for one in found)


@pytest.mark.parametrize(
    "goal", ["holds: moon", "destroyed: moon", "holds: wall1, after: moon", "after: hill"]
)
def test_goals_name_what_is_there(tmp_path: Path, goal: str) -> None:
    line = f"victory:\n  at-once: [{{side: hill, {goal}}}]\n"
    shutil.copytree(SHIPPED / "maps", tmp_path / "maps")
    file = tmp_path / "mine.yaml"
    text = (SHIPPED / "kestrel-tower.yaml").read_text("utf-8").partition("victory:\n")[0]
    file.write_text(text + line, "utf-8")
    with pytest.raises(Refused) as caught:
        judge(find_scenario(str(file)))
    (found,) = caught.value.located
    assert ("moon" if "moon" in goal else "holds") in found.message
    assert found.line == text.count("\n") + 2


@pytest.mark.parametrize(("old", "new"), [("title: Kestrel Hill\n", ""), ("size: 48 x 48\n", "")])
def test_a_map_that_lacks_something_is_told(tmp_path: Path, old: str, new: str) -> None:
    found = told(tmp_path, "kestrel-tower.yaml", old, new, of_map=True)
    assert [old.partition(":")[0] in one.message for one in found] == [True]
