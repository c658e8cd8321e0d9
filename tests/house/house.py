"""What the whole-house tests share: the shipped examples, archives as plain dictionaries, and pbem called as
a person calls it.
"""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from collections.abc import Mapping
from contextlib import chdir
from pathlib import Path

from click.testing import CliRunner

from pbem.cli import cli

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = sorted(path.parent for path in (ROOT / "examples").glob("*/play.yaml"))
FORD = next(path for path in EXAMPLES if path.name == "alder-ford")
"""The game with everything in it that happens between people: keys and words, mistakes, a
draft, a deadline.
"""
PROOF = ("scenario", "tables", "ledger", "seats", "rolls", "state", "keys")
"""The folders of an archive that are the proof; ``events`` can be made again, and has to come out the same
all the same.
"""
PBEM = [sys.executable, "-m", "pbem"]


def recorded(example: Path) -> dict[str, bytes]:
    """Return the files of a recorded game by name."""
    with zipfile.ZipFile(example / "archive.zip") as packed:
        return {name: packed.read(name) for name in packed.namelist()}


def inside(folder: Path) -> dict[str, bytes]:
    """Return every file below a folder by its name in there."""
    found = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


def told(files: Mapping[str, bytes], folders: tuple[str, ...] = (*PROOF, "events")) -> dict[str, bytes]:
    """Return the files of some folders."""
    return {name: data for name, data in files.items() if name.partition("/")[0] in folders}


def differing(one: Mapping[str, bytes], other: Mapping[str, bytes]) -> list[str]:
    """Return the names that are in one only, or differ."""
    return sorted(name for name in {*one, *other} if one.get(name) != other.get(name))


def lay_out(files: Mapping[str, bytes], folder: Path) -> Path:
    """Write files into a folder."""
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return folder


def program(*words: str | Path, cwd: Path, home: Path, **environ: str) -> subprocess.CompletedProcess[str]:
    """Run pbem as a program of its own, with a data folder of its own."""
    around = {**os.environ, "PBEM_HOME": str(home), "PYTHONPATH": str(ROOT), **environ}
    command = [*PBEM, *(str(word) for word in words)]
    return subprocess.run(
        command, cwd=cwd, env=around, capture_output=True, text=True, check=False, timeout=120
    )


def pbem(*words: str | Path, cwd: Path, home: Path) -> subprocess.CompletedProcess[str]:
    """Call pbem with the words that its program would get, in this process: that a new one has to begin is
    tried by ``program``.
    """
    command = [str(word) for word in words]
    with chdir(cwd):
        said = CliRunner().invoke(cli, command, prog_name="pbem", env={"PBEM_HOME": str(home)})
    return subprocess.CompletedProcess(command, said.exit_code, said.stdout, said.stderr)
