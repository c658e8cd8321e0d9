"""What a release is made of (docs/releasing.md): digests of what travels with games, and the files to
publish, the same bytes everywhere.

``release.py digests`` renews ``docs/digests.md`` and what goes with it (``--release``: and notes this version
in ``pbem/releases.json``);
``release.py dist FOLDER`` builds the newest commit (``--key FILE``: and signs the sums).
"""

from __future__ import annotations

import argparse
import email
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
import uuid
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parent.parent
NAMESPACE: Final = "pbem-release"
_OURS: Final = ("test", "wheel")
"""Extras that nobody needs who only plays."""
FONT_LICENCES: Final = {"DejaVu": "Bitstream-Vera", "EBGaramond": "OFL-1.1"}
"""By how the name of a font's file begins; its text is shipped beside it."""


def sha256(data: bytes) -> str:
    """Return the SHA-256 of some bytes, as 64 hex digits."""
    return hashlib.sha256(data).hexdigest()


Entry = Mapping[str, Any]
"""A version: ``version``, ``engine`` (its SHA-256), and ``files``: SHA-256s by the name that a file has in a
game or an archive.
"""


def own_entry(package: Path) -> dict[str, Any]:
    """Return the entry of the program in a folder that has the package ``pbem``, as that program itself says
    it.
    """
    ask = (
        "import json; from pbem.store import library, releases;"
        "print(json.dumps(releases.entry(library.engine(), [*library.shipped(), "
        "*library.verifiers().items()])))"
    )
    around = {**os.environ, "PYTHONPATH": str(package), "PYTHONDONTWRITEBYTECODE": "1"}
    said = subprocess.run(
        [sys.executable, "-c", ask], cwd=package, env=around, capture_output=True, text=True, check=True
    )
    found: dict[str, Any] = json.loads(said.stdout)
    return found


# --- digests
# ---------------------------------------------------------------------------------------------------------


def given(known: str, page_before: str, now: Entry, releases: Sequence[Entry]) -> str:
    """Return ``given.txt`` with the verifiers of the page as it was, where they are neither the present ones
    nor in a release.
    """
    lines = set(known.splitlines())
    there = {
        digest for entry in (now, *releases) for digests in entry["files"].values() for digest in digests
    }
    for name, digest in re.findall(r"(?m)^\| `verify/([^`]+)` \| `([0-9a-f]{64})` \|$", page_before):
        if digest not in there:
            lines.add(f"{digest}  {name}")
    return "".join(line + "\n" for line in sorted(lines, key=lambda line: (line[66:], line)))


def released(releases: Sequence[Entry], now: Entry) -> list[Entry]:
    """Return the releases with one more, the present version."""
    if any(entry["version"] == now["version"] for entry in releases):
        sys.exit(f"{now['version']} is released already: give pbem/__init__.py the next version")
    return [*releases, now]


def page(releases: Sequence[Entry], now: Entry) -> str:
    """Return ``docs/digests.md``. Without the engine of the newest source, which every commit changes."""
    lines = [
        "# Digests of what travels",
        "",
        "An archive brings verifiers along, and whoever made the archive could have exchanged them. Before "
        "you run one, compare its",
        "SHA-256 with this page, read in a copy of pbem that did not come with the archive (`sha256sum "
        "FILE`; Mac: `shasum -a 256 FILE`;",
        "Windows: `Get-FileHash FILE`). Better: take the file from the release (`pbem/verifiers/`), and "
        "leave alone the one in the",
        "archive. `pbem verify` compares them too. `make digests` writes this page; [how releases are "
        "made](releasing.md).",
        "",
    ]
    for entry in reversed(releases):
        lines += [
            f"## {entry['version']}",
            "",
            f"Engine: `{entry['engine']}`",
            "",
            *_table(entry, "verify/"),
            "",
        ]
    lines += ["## Verifiers of the newest source", "", *_table(now, "verify/"), ""]
    lines += [
        "## Scenarios, maps and tables of the newest source",
        "",
        "The manifest of a game names its own, by these names and by SHA-256. One that is not here is not "
        "the shipped one: it is of",
        "another version, or somebody's own.",
        "",
        *_table(now, "scenario/", "tables/"),
    ]
    return "\n".join(lines) + "\n"


def _table(entry: Entry, *places: str) -> Iterator[str]:
    yield "| file | SHA-256 |"
    yield "|---|---|"
    for path, digests in sorted(entry["files"].items()):
        if path.startswith(places):
            yield from (f"| `{path}` | `{digest}` |" for digest in digests)


def digests(root: Path, release: bool) -> None:
    """Write ``docs/digests.md``, ``pbem/verifiers/given.txt`` and, for a release, ``pbem/releases.json``."""
    places = (
        root / "pbem" / "releases.json",
        root / "pbem" / "verifiers" / "given.txt",
        root / "docs" / "digests.md",
    )
    now = own_entry(root)
    releases = json.loads(places[0].read_text("utf-8"))
    if release:
        releases = released(releases, now)
        places[0].write_text(json.dumps(releases, indent=2, sort_keys=True) + "\n", "utf-8")
    # Of the newest commit, so that what was tried and thrown away since is not noted as given to anybody.
    before = _git(root, "show", "HEAD:docs/digests.md", check=False)
    places[1].write_text(given(places[1].read_text("utf-8"), before, now, releases), "utf-8")
    places[2].write_text(page(releases, now), "utf-8")


# --- the files of a release
# ------------------------------------------------------------------------------------------


def build(source: Path, out: Path, seconds: int) -> list[Path]:
    """Build wheel and sdist of a folder; every date in them is this one."""
    around = {**os.environ, "SOURCE_DATE_EPOCH": str(seconds), "PYTHONDONTWRITEBYTECODE": "1"}
    ran = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-d", str(out), "-t", "sdist", "-t", "wheel"],
        cwd=source,
        env=around,
        capture_output=True,
        text=True,
        check=False,
    )
    if ran.returncode:
        sys.exit(ran.stdout + ran.stderr)
    return sorted(out.iterdir())


def bill(wheel: Path, seconds: int) -> dict[str, Any]:
    """Return the bill of materials of a wheel (CycloneDX 1.6): what it asks for, and what it brings of others
    and for archives.
    """
    with zipfile.ZipFile(wheel) as packed:
        names = sorted(packed.namelist())
        about = email.message_from_bytes(
            packed.read(next(name for name in names if name.endswith(".dist-info/METADATA")))
        )
        own = [
            name
            for name in names
            if re.fullmatch(r"pbem/_data/renderers/fonts/.*\.[ot]tf|pbem/verifiers/pd1_.*", name)
        ]
        content = {name: packed.read(name) for name in own}
    whole = sha256(wheel.read_bytes())
    ref = f"pkg:pypi/pbem@{about['Version']}"
    parts: list[dict[str, Any]] = [
        _font(name, data) if "/fonts/" in name else _file(name, data) for name, data in content.items()
    ]
    needs = [_requirement(line) for line in about.get_all("Requires-Dist", [])]
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, f'sha256:{whole}')}",
        "version": 1,
        "metadata": {
            "timestamp": datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "component": {
                "type": "application",
                "bom-ref": ref,
                "name": "pbem",
                "version": about["Version"],
                "purl": ref,
                "licenses": [{"license": {"id": about["License-Expression"]}}],
                "hashes": [{"alg": "SHA-256", "content": whole}],
            },
        },
        "components": [*needs, *parts],
        "dependencies": [
            {"ref": ref, "dependsOn": sorted(need["bom-ref"] for need in needs)},
            *({"ref": need["bom-ref"]} for need in needs),
        ],
    }


def _file(name: str, data: bytes) -> dict[str, Any]:
    return {
        "type": "file",
        "bom-ref": name,
        "name": name,
        "hashes": [{"alg": "SHA-256", "content": sha256(data)}],
    }


def _font(name: str, data: bytes) -> dict[str, Any]:
    file = name.rpartition("/")[2]
    licence = next(licence for start, licence in FONT_LICENCES.items() if file.startswith(start))
    return {**_file(name, data), "licenses": [{"license": {"id": licence}}]}


def _requirement(line: str) -> dict[str, Any]:
    """Return a dependency: which versions do, and whether pbem runs without it.

    Nothing is pinned, so there is no version and no hash.
    """
    asked, _, when = (part.strip() for part in line.partition(";"))
    match = re.fullmatch(r"([A-Za-z0-9._-]+)(.*)", asked)
    assert match is not None, line
    extra = re.search(r"extra == ['\"]([a-z]+)['\"]", when)
    ref = f"{match[1]} ({extra[1]})" if extra else match[1]
    told = {"requirement": match[2], "when": when}
    return {
        "type": "library",
        "bom-ref": ref,
        "name": match[1],
        "purl": f"pkg:pypi/{match[1].lower()}",
        "scope": "required" if extra is None else "excluded" if extra[1] in _OURS else "optional",
        "properties": [{"name": f"pbem:{name}", "value": value} for name, value in told.items() if value],
    }


def dist(root: Path, out: Path, key: Path | None) -> None:
    """Write wheel, sdist, bill of materials, digests and the list of their sums into an empty folder, from
    the newest commit alone.
    """
    if out.exists() and any(out.iterdir()):
        sys.exit(f"{out} is not empty: a release is written into a folder of its own")
    out.mkdir(parents=True, exist_ok=True)
    if _git(root, "status", "--porcelain"):
        print("what is not committed is not in it", file=sys.stderr)
    with tempfile.TemporaryDirectory() as scratch:
        source, inside = Path(scratch) / "source", Path(scratch) / "wheel"
        _git(root, "clone", "--quiet", "--no-hardlinks", str(root), str(source))
        seconds = int(_git(source, "log", "-1", "--format=%ct"))
        wheel = next(path for path in build(source, out.resolve(), seconds) if path.suffix == ".whl")
        with zipfile.ZipFile(wheel) as packed:
            packed.extractall(inside)
        now = own_entry(inside)
        releases = json.loads((inside / "pbem" / "releases.json").read_text("utf-8"))
        hold_to(releases, now, (source / "docs" / "digests.md").read_text("utf-8"))
    name = f"pbem-{now['version']}"
    (out / f"{name}.cdx.json").write_text(json.dumps(bill(wheel, seconds), indent=1) + "\n", "utf-8")
    (out / f"{name}.digests.json").write_text(json.dumps(now, indent=1) + "\n", "utf-8")
    print(seal(out, key), end="")
    print(f"engine {now['engine']}")


def seal(out: Path, key: Path | None) -> str:
    """Write SHA256SUMS of every file in a folder, and sign it where an SSH key is given; return the sums."""
    sums = "".join(f"{sha256(path.read_bytes())}  {path.name}\n" for path in sorted(out.iterdir()))
    (out / "SHA256SUMS").write_text(sums, "utf-8", newline="\n")
    if key is not None:
        subprocess.run(
            ["ssh-keygen", "-q", "-Y", "sign", "-f", str(key), "-n", NAMESPACE, str(out / "SHA256SUMS")],
            check=True,
        )
    return sums


def hold_to(releases: Sequence[Entry], now: Entry, published: str) -> None:
    """Stop where a released version would get other files, or the digests that the commit publishes are not
    those of its files.
    """
    if page(releases, now) != published:
        sys.exit("docs/digests.md is not of these files: make digests, and commit it")
    if any(entry["version"] == now["version"] and entry != now for entry in releases):
        sys.exit(f"{now['version']} was released with other files: give pbem/__init__.py the next version")


def _git(where: Path, *words: str, check: bool = True) -> str:
    return subprocess.run(
        ["git", "-C", str(where), *words], capture_output=True, text=True, check=check
    ).stdout.strip()


def main() -> None:
    """Do what was asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    verbs = parser.add_subparsers(dest="verb", required=True)
    some = verbs.add_parser("digests")
    some.add_argument("--release", action="store_true")
    made = verbs.add_parser("dist")
    made.add_argument("out", type=Path)
    made.add_argument("--key", type=Path)
    asked = parser.parse_args()
    if asked.verb == "digests":
        digests(ROOT, asked.release)
    else:
        dist(ROOT, asked.out, asked.key)


if __name__ == "__main__":
    main()
