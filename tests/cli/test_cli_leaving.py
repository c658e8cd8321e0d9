"""How the command ends: as any program of Python does, though it leaves without clearing up."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

BEFORE = """
import atexit, sys, threading, time, weakref
from pbem.cli import main

class Kept:
    pass

def late():
    time.sleep(0.2)
    print("thread ended")

atexit.register(print, "told")
kept = Kept()
weakref.finalize(kept, print, "finished")
threading.Thread(target=late).start()
print("begun", file=sys.stderr, end="")
main()
"""


FULL = Path("/dev/full")


def run(*words: str, script: str = "", **more: object) -> subprocess.CompletedProcess[str]:
    program = ("-c", script) if script else ("-m", "pbem")
    return subprocess.run(  # type: ignore[call-overload, no-any-return]
        [sys.executable, *program, *words], capture_output=True, text=True, check=False, **more
    )


def test_main_is_the_command() -> None:
    said = run("--version")
    assert said.returncode == 0 and said.stdout.startswith("pbem ") and not said.stderr


@pytest.mark.parametrize(
    ("words", "answer"), [(["--version"], 0), (["no-such-verb"], 2), (["status", "nowhere"], 3)]
)
def test_the_answer_is_that_of_the_verb(words: list[str], answer: int, tmp_path: Path) -> None:
    assert run(*words, cwd=tmp_path).returncode == answer


def test_threads_end_and_who_asked_for_it_is_told_first() -> None:
    said = run("--version", script=BEFORE)
    lines = said.stdout.splitlines()
    assert lines[0].startswith("pbem ") and lines[1] == "thread ended"
    assert {*lines[2:]} == {"told", "finished"}
    assert said.stderr == "begun" and said.returncode == 0


@pytest.mark.skipif(not FULL.exists(), reason="there is no full device")
def test_what_could_not_be_printed_is_no_success() -> None:
    with FULL.open("w") as full:
        said = subprocess.run(
            [sys.executable, "-m", "pbem", "rules", "list"], stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert said.returncode != 0 and b"No space left" in said.stderr
