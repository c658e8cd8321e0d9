"""Secrets come from a command or the environment, within bounds, and are seen in no message whatever."""

from __future__ import annotations

import os
import shlex
import sys
import time
import traceback
from pathlib import Path

import pytest

from pbem.post.offices.office import Credential
from pbem.store import library, passwords
from pbem.store.net import Trouble
from pbem.store.passwords import Secret, find


def run(code: str, *, token: bool = False, patience: float = 20.0) -> Secret:
    command = f"{shlex.quote(sys.executable)} -c {shlex.quote(code)}"
    return find(Credential("token_command" if token else "password_command", command), patience=patience)


def fails(code: str, how: str | None = None, patience: float = 20.0) -> str:
    with pytest.raises(Trouble) as caught:
        if how is None:
            run(code, patience=patience)
        else:
            find(Credential("password_command", how))
    shown = "".join(traceback.format_exception(caught.value))
    words = library.common_words().problem(caught.value.problem.code, caught.value.problem.args)
    assert "hunter2" not in words + repr(caught.value)
    assert "hunter2" not in shown.replace(code, "")
    assert "?" not in words
    return caught.value.problem.code


def test_a_secret_is_not_shown() -> None:
    secret = Secret("hunter2")
    assert secret.text() == "hunter2"
    assert "hunter2" not in f"{secret!r} {secret} {[secret]}"
    assert not hasattr(secret, "__dict__")


def test_the_first_line_is_the_secret() -> None:
    secret = run("print('hunter2 \\u00e9 ', end='\\r\\n'); print('user: x')")
    assert (secret.text(), secret.is_token) == ("hunter2 é ", False)
    assert run("print('tok')", token=True).is_token
    assert run("import sys; sys.stdout.write('x' * 4096)").text() == "x" * 4096


def test_no_shell_sees_the_command(tmp_path: Path) -> None:
    find(Credential("password_command", f"echo hunter2 > {tmp_path}/x"))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("code", "problem"),
    [
        ("print('hunter2'); raise SystemExit(2)", "office.command-failed"),
        ("raise ValueError('hunter2')", "office.command-failed"),
        ("print('x' * 4097)", "office.command-much"),
        ("import sys\nwhile True: sys.stdout.write('hunter2' * 1000)", "office.command-much"),
        ("pass", "office.command-empty"),
        ("print(' ')", "office.command-empty"),
        ("print('hunter2\\0')", "office.command-empty"),
        ("import sys; sys.stdout.buffer.write(b'hunter2\\xff')", "office.command-empty"),
    ],
)
def test_what_is_no_secret(code: str, problem: str) -> None:
    assert fails(code) == problem


@pytest.mark.parametrize(
    ("how", "problem"),
    [
        ("pass 'hunter2", "office.command-quotes"),
        ("", "office.command-quotes"),
        ("/nowhere/at/all x", "office.command-missing"),
    ],
)
def test_what_is_no_command(how: str, problem: str) -> None:
    assert fails("", how) == problem


@pytest.mark.parametrize(
    "code",
    [
        "import time; print('hunter2', flush=True); time.sleep(60)",
        "import os, time\nos.close(1)\ntime.sleep(60)",
        "import subprocess, sys; subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])",
    ],
)
def test_a_command_that_does_not_end_is_ended(code: str) -> None:
    begun = time.monotonic()
    assert fails(code, patience=0.7) == "office.command-slow"
    assert time.monotonic() - begun < 10


def test_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = Credential("password_env", "PBEM_TEST_PASSWORD")
    assert find(wanted, {"PBEM_TEST_PASSWORD": "hunter2"}).text() == "hunter2"
    monkeypatch.setenv("PBEM_TEST_PASSWORD", "other")
    assert find(wanted).text() == "other"
    monkeypatch.delenv("PBEM_TEST_PASSWORD")
    with pytest.raises(Trouble, match=r"office\.env-empty"):
        find(wanted)
    assert passwords.MOST == 4096
    assert os.environ.get("PBEM_TEST_PASSWORD") is None
