"""docs/trust.md: its commands are run as they stand there, on the recorded game, with programs that are not ours."""

from __future__ import annotations

import json
import re
import subprocess
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from house import ROOT

PAGE = ROOT / "docs" / "trust.md"
PROMISE = "provably" + " fair"


def block() -> str:
    (found,) = re.findall(r"```sh\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    return str(found)


@pytest.fixture
def unpacked(tmp_path: Path, need: Callable[[str], str]) -> Path:
    for program in ("sh", "sha256sum", "sha512sum", "ssh-keygen", "openssl", "sed", "grep", "cut", "head"):
        need(program)
    with zipfile.ZipFile(ROOT / "examples" / "alder-ford" / "archive.zip") as packed:
        packed.extractall(tmp_path)
    return tmp_path


def run(folder: Path) -> tuple[int, list[str]]:
    ran = subprocess.run(["sh", "-e", "-c", block()], cwd=folder, capture_output=True, text=True, check=False)
    return ran.returncode, (ran.stdout + ran.stderr).splitlines()


def test_every_command_of_the_page_says_what_the_page_says(unpacked: Path) -> None:
    answer, lines = run(unpacked)
    assert answer == 0, lines
    signed_list, lock, prev, orders, in_lock, signed_orders, anchor, in_manifest, seed, in_result, die, log = lines
    assert signed_list.startswith('Good "pd1-pack/alder-ford-')
    assert lock == prev
    assert orders == in_lock
    assert signed_orders.startswith('Good "pd1-orders/alder-ford-')
    assert anchor == in_manifest
    assert seed == in_result
    assert [int(die)] == json.loads(log)["v"][:1]


@pytest.mark.parametrize("path", ["rolls/s0002.jsonl", "seats/east/orders-s0002.txt", "ledger/00001-manifest.json", "FILES"])
def test_a_changed_file_is_noticed_by_the_same_commands(unpacked: Path, path: str) -> None:
    data = (unpacked / path).read_bytes()
    (unpacked / path).write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    answer, lines = run(unpacked)
    assert answer != 0, lines


def test_the_page_is_two_screens_and_the_readme_leads_to_it() -> None:
    assert len(PAGE.read_text("utf-8").splitlines()) <= 110
    assert "(docs/trust.md)" in (ROOT / "README.md").read_text("utf-8")


def test_nobody_promises_more_than_that() -> None:
    files = [*ROOT.glob("*.md"), *(path for ring in ("docs", "pbem", "verifiers", "examples") for path in (ROOT / ring).rglob("*"))]
    texts = [path for path in files if path.suffix in (".md", ".py", ".yaml", ".html", ".txt", ".json") and path.is_file()]
    assert len(texts) > 100
    assert [str(path) for path in texts if PROMISE in path.read_text("utf-8", "replace").lower()] == []
