"""The suite that a stranger tests a verifier with: every archive in it is answered as its list says, by the
verifier that travels.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from verifier_ground import HERE, unzipped
from verifier_suite import write


def test_the_suite_is_whole_and_right(tmp_path: Path) -> None:
    listed = write(tmp_path)
    assert json.loads((tmp_path / "suite.json").read_text()) == listed
    assert len(listed) > 150
    assert len({entry["file"] for entry in listed}) == len(listed)
    codes = {entry["code"] for entry in listed}
    assert {
        f"E{n:02}"
        for n in (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 18, 20, 21, 23, 24, 25, 27, 28)
    } <= codes
    assert {entry["verdict"] for entry in listed} == {"PASS", "FAIL", "CANNOT DECIDE"}
    assert (tmp_path / "pd1.json").is_file()
    for entry in listed[:: len(listed) // 6]:
        ran = subprocess.run(
            [sys.executable, str(HERE / "pd1_verify.py"), str(tmp_path / entry["file"])],
            capture_output=True,
            text=True,
            check=False,
        )
        assert ran.stdout.startswith(entry["verdict"]), (entry, ran.stdout[:200])
        assert unzipped(tmp_path / entry["file"])
