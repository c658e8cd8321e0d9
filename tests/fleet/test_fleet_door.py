"""What is many is done once each, kept as it comes, and gone on with; without a cluster, in processes or here."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import fleet_kinds
import pytest

from pbem.fleet import door, kinds
from pbem.fleet.door import Means, is_open, spread
from pbem.fleet.kinds import OtherProgram, do
from pbem.fleet.parts import Parts
from pbem.fleet.program import digest
from pbem.fleet.task import Done, Task
from pbem.referee.game.refusal import Refused
from pbem.store import disk

HERE = Means(jobs=1)


def squares(count: int, notes: Path | None = None) -> list[Task]:
    return [
        Task.of("square", number=number, **({"notes": str(notes)} if notes else {}))
        for number in range(count)
    ]


def answers(found: list[Done]) -> list[int]:
    return [done.answer["square"] for done in found]


def test_what_is_given_twice_is_done_once(tmp_path: Path) -> None:
    assert answers(list(spread([*squares(3, tmp_path), *squares(2, tmp_path)], HERE))) == [0, 1, 4]
    assert len(list(tmp_path.iterdir())) == 3


def test_what_is_kept_is_not_done_again(tmp_path: Path) -> None:
    notes, parts = tmp_path / "notes", tmp_path / "parts"
    notes.mkdir()
    means = Means(jobs=1, parts=parts)
    assert answers(list(spread(squares(2, notes), means))) == [0, 1]
    assert answers(list(spread(squares(4, notes), means))) == [0, 1, 4, 9]
    assert sorted(path.name.partition("-")[0] for path in notes.iterdir()) == ["0", "1", "2", "3"]


def test_who_is_stopped_in_the_middle_has_kept_what_was_done(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    means = Means(jobs=1, parts=tmp_path / "parts")
    going = spread(squares(5, notes), means)
    assert answers([next(going), next(going)]) == [0, 1]
    going.close()  # type: ignore[attr-defined]
    assert answers(list(spread(squares(5, notes), means))) == [0, 1, 4, 9, 16]
    assert len(list(notes.iterdir())) == 5


@pytest.mark.parametrize(
    "spoilt",
    [
        lambda text: text[: len(text) // 2],
        lambda text: "",
        lambda text: text.replace('"program":"', '"program":"0'),
        lambda text: text.replace('"number":2', '"number":3'),
        lambda text: text.replace('"kind":"square"', '"kind":"verify"'),
        lambda text: "[]",
        lambda text: json.dumps({"answer": {"square": 5}}),
    ],
    ids=[
        "cut short",
        "empty",
        "another program's",
        "another task's",
        "another kind's",
        "no object",
        "unsigned",
    ],
)
def test_a_part_that_is_not_of_this_task_is_done_again(tmp_path: Path, spoilt: object) -> None:
    means = Means(jobs=1, parts=tmp_path)
    (task,) = squares(3)[2:]
    list(spread([task], means))
    path = Parts(tmp_path, digest()).path(task)
    path.write_text(spoilt(path.read_text()))  # type: ignore[operator]
    assert Parts(tmp_path, digest()).find(task) is None
    assert answers(list(spread([task], means))) == [4]
    assert Parts(tmp_path, digest()).find(task) is not None


def test_a_part_of_another_program_does_not_count(tmp_path: Path) -> None:
    (task,) = squares(1)
    Parts(tmp_path, "another").keep(Done(task, {"square": 77}))
    assert answers(list(spread([task], Means(jobs=1, parts=tmp_path)))) == [0]


def test_two_programs_do_not_write_into_one_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk.exclusive.__wrapped__, "__defaults__", (0.0,))  # type: ignore[attr-defined]
    with disk.exclusive(tmp_path), pytest.raises(Refused, match=r"fleet\.busy"):
        list(spread(squares(1), Means(jobs=1, parts=tmp_path)))


def test_what_fails_is_named_and_stops_nothing_and_is_tried_again_the_next_time(tmp_path: Path) -> None:
    means = Means(jobs=1, parts=tmp_path)
    bad = Task.of("raises", number=7)
    for _ in range(2):
        found = {done.task: done for done in spread([bad, *squares(2)], means)}
        assert found[bad].failure == "Awkward: 7 and a fault"
        assert [found[task].answer["square"] for task in squares(2)] == [0, 1]
    assert Parts(tmp_path, digest()).find(bad) is None


def test_an_answer_that_is_too_large_is_a_failure() -> None:
    (done,) = spread([Task.of("huge", number=1)], HERE)
    assert "belongs into a file" in done.failure


def test_a_kind_that_there_is_not_is_a_failure() -> None:
    (done,) = spread([Task.of("os.system", command="true")], HERE)
    assert done.failure == "there is no kind of task 'os.system'"


def test_a_task_of_another_program_is_refused() -> None:
    with pytest.raises(OtherProgram):
        do("0" * 64, "square", '{"number":2}')


def test_a_task_is_plain_data_and_nothing_else() -> None:
    assert Task.of("square", number=2, a=[1, "b"]) == Task.of("square", a=[1, "b"], number=2)
    assert Task.of("square", number=2).id("p") != Task.of("square", number=2).id("q")
    for value in (object(), Path("x"), b"secret", float("nan")):
        with pytest.raises((TypeError, ValueError)):
            Task.of("square", number=value)


def test_no_kind_of_task_takes_a_secret() -> None:
    """What goes to a worker is what the functions of the kinds take: no keyring, no environment, no password."""
    import inspect
    from importlib import import_module

    known = {
        "root",
        "path",
        "rules",
        "content",
        "scenario",
        "bots",
        "options",
        "seed",
        "first",
        "count",
        "out",
        "theme",
    }
    own = {kind: place for kind, place in kinds.KINDS.items() if place.startswith("pbem.")}
    assert set(own) == {"verify", "games", "picture", "replay"}
    for place in own.values():
        module, _, name = place.partition(":")
        assert set(inspect.signature(getattr(import_module(module), name)).parameters) <= known


def test_without_the_package_workers_are_processes_and_a_scheduler_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(door, "has_dask", lambda: False)
    monkeypatch.setattr(door, "_beside", lambda tasks, count: iter([Done(one, count) for one in tasks]))
    assert [done.answer for done in spread(squares(3), Means(workers=2))] == [2, 2, 2]
    with pytest.raises(Refused, match=r"fleet\.no-package"):
        list(spread(squares(1), Means(scheduler="tcp://127.0.0.1:1")))


@pytest.mark.parametrize(
    ("address", "clear"),
    [
        ("tcp://127.0.0.1:8786", False),
        ("tcp://[::1]:8786", False),
        ("tcp://localhost:8786", False),
        ("tls://hall.example:8786", False),
        ("tcp://hall.example:8786", True),
        ("tcp://192.0.2.7:8786", True),
        ("192.0.2.7:8786", True),
    ],
)
def test_an_address_that_speaks_in_the_clear_over_a_network_is_known(address: str, clear: bool) -> None:
    assert is_open(address) is clear


def test_a_process_that_dies_takes_no_other_task_along(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(door, "do", fleet_kinds.do_in_a_process)
    poison = Task.of("poison", number=0, notes=str(tmp_path))
    found = {done.task: done for done in door._beside([poison, *squares(5)], 1)}
    assert found.pop(poison).failure == "every process died that it was given to"
    assert sorted(answers(list(found.values()))) == [0, 1, 4, 9, 16]


ASKS = """
import multiprocessing, os, signal
from pbem.fleet.door import _beside
from pbem.fleet.task import Task
if __name__ == "__main__":
    for _ in _beside([Task.of("none")], 1):
        print(*(one.pid for one in multiprocessing.active_children()), flush=True)
        os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.skipif(os.name == "nt", reason="signals are those of POSIX")
def test_processes_end_with_who_asked_for_them(tmp_path: Path) -> None:
    script = tmp_path / "asks.py"
    script.write_text(ASKS)
    said = subprocess.run([sys.executable, script], check=False, capture_output=True, text=True).stdout
    left = [int(pid) for pid in said.split()]
    assert left
    end = time.monotonic() + 20
    while any(map(disk.alive, left)):
        assert time.monotonic() < end
        time.sleep(0.05)


def test_names_that_are_no_text_go_there_and_back(tmp_path: Path) -> None:
    """As a folder from another system has them."""
    name = os.fsdecode(b"f\xf6rd")
    means = Means(jobs=1, parts=tmp_path / "parts")
    (done,) = spread([Task.of("same", said=name)], means)
    assert done.answer == name
    assert Parts(tmp_path / "parts", digest()).find(done.task) is not None


def test_a_program_is_known_by_all_that_others_bring(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot is what its module imports too, and one that cannot be found stops nobody."""
    for name, said in {
        "den/__init__.py": "",
        "den/bots/fox.py": "from den import brain",
        "den/brain.py": "",
        "den/brain.yaml": "",
        "lone.py": "",
        "beside.py": "",
        "den-1.dist-info/METADATA": "Metadata-Version: 2.1\nName: den\nVersion: 1\n",
        "den-1.dist-info/entry_points.txt": (
            "[pbem.bots]\nfox = den.bots.fox:BOT\nlone = lone:BOT\ngone = nowhere.at_all:BOT\n"
        ),
    }.items():
        disk.replace(tmp_path / name, said.encode())
    monkeypatch.syspath_prepend(str(tmp_path))
    seen = [digest.__wrapped__()]
    for name, new in {
        "den/brain.py": True,
        "den/brain.yaml": True,
        "lone.py": True,
        "beside.py": False,
    }.items():
        (tmp_path / name).write_text("# another\n")
        seen.append(digest.__wrapped__())
        assert (seen[-1] != seen[-2]) is new, name


def test_processes_do_what_one_does() -> None:
    """The kinds of tests are not known to fresh processes, those of pbem are: what comes back is an answer or
    why there is none, and every task has one."""
    tasks = [
        Task.of(
            "games", scenario="no-such", content="", bots=["random"], options={}, seed="", first=0, count=1
        )
    ]
    (done,) = spread([*tasks, *tasks], Means(jobs=2))
    assert "no-such" in done.failure
