"""What the tests of the three verifiers share: where they lie, every archive to judge, and what pbem says of
it.
"""

from __future__ import annotations

import importlib.util
import sys
import zipfile
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

from thorough import tries

from pbem.proof.archive import Archive
from pbem.proof.verify import Verdict, verify

ROOT = Path(__file__).resolve().parents[2]
HERE = ROOT / "pbem" / "verifiers"
ARCHIVES = sorted(ROOT.glob("examples/*/*.zip"))
MUTANTS = tries(100, 2000)
SEED = 1187


def module(name: str) -> ModuleType:
    """Import a verifier from where it lies; it is no part of the package."""
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, HERE / f"{name}.py")
        assert spec is not None and spec.loader is not None
        sys.modules[name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[name])
        if name == "pd1_verify":
            _remembered(sys.modules[name].Key)
    return sys.modules[name]


def _remembered(key: Any) -> None:
    """Let a key of the verifier in one file judge a signature over the same bytes once, as pbem does: an
    archive that is changed at one place has all its other signatures again, and each takes two milliseconds.
    """
    judge = key.holds
    known: dict[tuple[bytes, bytes, bytes], bool] = {}

    def holds(self: Any, signature: bytes, message: bytes) -> bool:
        asked = self.raw, signature, message
        if asked not in known:
            known[asked] = judge(self, signature, message)
        return known[asked]

    key.holds = holds


def unzipped(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def judged_by_python(files: Mapping[str, bytes], beacons: Any = None) -> tuple[str, str]:
    """Return verdict and first code of the verifier in one file."""
    pd1 = module("pd1_verify")
    audit = pd1.judge(pd1.Memory(dict(files)), beacons)
    return audit.verdict, audit.failures[0][0] if audit.failures else ""


def said_by_pbem(archive: Archive) -> tuple[str, str]:
    """Return verdict and first code of ``pbem verify --no-replay``, where only the rules left to replay count
    as a pass.
    """
    return said_of(verify(archive, replay=None))


def said_of(verdict: Verdict) -> tuple[str, str]:
    """Return the same of what pbem found."""
    if verdict.verdict == "fail":
        word = "FAIL"
    elif verdict.failures or verdict.undecided != ("the rules were not replayed",):
        word = "CANNOT DECIDE"
    else:
        word = "PASS"
    return word, verdict.failures[0].code if verdict.failures else ""
