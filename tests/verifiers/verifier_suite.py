"""The suite for a further verifier, as files: every tampered archive with verdict and first code, and the
vectors of the protocol.

``python tests/verifiers/verifier_suite.py FOLDER`` (``make suite``) writes them; FOLDER/suite.json says what
each has to be answered with. All keys and secrets in them are those of tests and prove nothing about anybody.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "proof"), str(HERE.parents[1])]

from verifier_ground import ARCHIVES, ROOT, said_by_pbem, unzipped
from verifier_tampered import BUILDERS

VECTORS = ROOT / "tests" / "proof" / "vectors"
LARGEST = 4 * 1024 * 1024
"""Archives with more bytes than this are not published: they try limits, and a zip of zeros is soon made."""
STAMP = (1980, 1, 1, 0, 0, 0)


def write(folder: Path) -> list[dict[str, str]]:
    """Write the suite into a folder; return what stands in its ``suite.json``."""
    (folder / "archives").mkdir(parents=True, exist_ok=True)
    listed = []
    every = {name: dict(build().archive) for name, build in BUILDERS.items()}
    every |= {f"honest: {path.parent.name}": unzipped(path) for path in ARCHIVES}
    for name, files in sorted(every.items()):
        if sum(map(len, files.values())) > LARGEST:
            continue
        file = "archives/" + re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") + ".zip"
        with zipfile.ZipFile(folder / file, "w", zipfile.ZIP_DEFLATED) as archive:
            for path, data in sorted(files.items()):
                archive.writestr(zipfile.ZipInfo(path, STAMP), data)
        verdict, code = said_by_pbem(files)
        listed.append({"file": file, "what": name, "verdict": verdict, "code": code})
    for vectors in sorted(VECTORS.iterdir()):
        shutil.copy(vectors, folder / vectors.name)
    (folder / "suite.json").write_text(json.dumps(listed, indent=1) + "\n", "utf-8")
    return listed


if __name__ == "__main__":
    found = write(Path(sys.argv[1]))
    print(
        f"{len(found)} archives, {len({entry['code'] for entry in found} - {''})} codes: "
        f"{sys.argv[1]}/suite.json says what to answer"
    )
