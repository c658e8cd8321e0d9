"""What a release is made of (docs/releasing.md): digests of what travels with games, and the files to publish, the same bytes everywhere.

``release.py digests`` renews ``pbem/releases.json`` and ``docs/digests.md`` (``--release DATE``: and notes this version as released);
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
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parent.parent
SHIPPED: Final = ("pbem/verifiers/pd1_*", "pbem/rulesets/*/tables/*.yaml", "scenarios/*/*.yaml", "scenarios/*/maps/*.yaml")
NAMESPACE: Final = "pbem-release"
_OURS: Final = ("test", "wheel")
"""Extras that nobody needs who only plays."""
FONT_LICENCES: Final = {"DejaVu": "Bitstream-Vera", "EBGaramond": "OFL-1.1"}
"""By how the name of a font's file begins; its text is shipped beside it."""


def sha256(data: bytes) -> str:
    """Return the SHA-256 of some bytes, as 64 hex digits."""
    return hashlib.sha256(data).hexdigest()


def shipped(root: Path) -> dict[str, str]:
    """Return the digests of what travels with games, by path in the repository: verifiers, tables, scenarios, maps."""
    found = sorted(path for pattern in SHIPPED for path in root.glob(pattern))
    return {path.relative_to(root).as_posix(): sha256(path.read_bytes()) for path in found}


def engine(package: Path) -> dict[str, str]:
    """Return name, version and digest of the engine in a folder that has the package ``pbem``, as that engine itself says them."""
    ask = "import json; from pbem.store.library import engine; print(json.dumps(dict(engine())))"
    around = {**os.environ, "PYTHONPATH": str(package), "PYTHONDONTWRITEBYTECODE": "1"}
    said = subprocess.run([sys.executable, "-c", ask], cwd=package, env=around, capture_output=True, text=True, check=True)
    found: dict[str, str] = json.loads(said.stdout)
    return found


# --- digests ---------------------------------------------------------------------------------------------------------


def renewed(known: Mapping[str, Any], now: Mapping[str, str]) -> dict[str, Any]:
    """Return the data of ``releases.json`` for the files as they are; a verifier that was there before stays known."""
    published = {digest for release in known["releases"] for digest in release["files"].values()}
    earlier: dict[str, list[str]] = {name: list(digests) for name, digests in known["earlier"].items()}
    for path, digest in known["unreleased"]["files"].items():
        if path.startswith("pbem/verifiers/") and digest != now.get(path) and digest not in published:
            digests = earlier.setdefault(path.rpartition("/")[2], [])
            if digest not in digests:
                digests.append(digest)
    return {**known, "earlier": dict(sorted(earlier.items())), "unreleased": {"files": dict(now)}}


def released(known: Mapping[str, Any], played_by: Mapping[str, str], date: str) -> dict[str, Any]:
    """Return the data with one release more, of the files as they are."""
    if any(release["version"] == played_by["version"] for release in known["releases"]):
        sys.exit(f"{played_by['version']} is released already: give pbem/__init__.py the next version")
    entry = {"version": played_by["version"], "date": date, "engine": played_by["sha256"], "files": known["unreleased"]["files"]}
    return {**known, "releases": [entry, *known["releases"]]}


def page(known: Mapping[str, Any]) -> str:
    """Return ``docs/digests.md``."""
    files: Mapping[str, str] = known["unreleased"]["files"]
    lines = [
        "# Digests of what travels",
        "",
        "An archive brings verifiers along, and whoever made the archive could have exchanged them. Before you run one, compare its",
        "SHA-256 with this page, read in a copy of pbem that did not come with the archive (`sha256sum FILE`; Mac: `shasum -a 256 FILE`;",
        "Windows: `Get-FileHash FILE`). Better: take the file from the release, and leave the one in the archive alone. `pbem verify`",
        "compares them too. `make digests` writes this page; [how releases are made](releasing.md).",
        "",
    ]
    for release in known["releases"]:
        lines += [f"## {release['version']}, {release['date']}", "", f"Engine: `{release['engine']}`", ""]
        lines += [*_table({path: digest for path, digest in release["files"].items() if path.startswith("pbem/verifiers/")}), ""]
    lines += ["## Verifiers of the newest source", "", *_table({p: d for p, d in files.items() if p.startswith("pbem/verifiers/")}), ""]
    lines += [
        "## Tables, scenarios and maps of the newest source",
        "",
        "The manifest of a game names its own by SHA-256. One that is not here is not the shipped one: an older one, or somebody's own.",
        "",
        *_table({p: d for p, d in files.items() if not p.startswith("pbem/verifiers/")}),
    ]
    return "\n".join(lines) + "\n"


def _table(files: Mapping[str, str]) -> Iterator[str]:
    yield "| file | SHA-256 |"
    yield "|---|---|"
    for path, digest in files.items():
        yield f"| `{path}` | `{digest}` |"


def digests(root: Path, date: str | None) -> None:
    """Write ``pbem/releases.json`` and ``docs/digests.md`` for the files as they are."""
    place = root / "pbem" / "releases.json"
    known = renewed(_committed(root) or json.loads(place.read_text("utf-8")), shipped(root))
    if date is not None:
        known = released(known, engine(root), date)
    place.write_text(json.dumps(known, indent=1) + "\n", "utf-8")
    (root / "docs" / "digests.md").write_text(page(known), "utf-8")


def _committed(root: Path) -> dict[str, Any] | None:
    """Return the data as the newest commit has them, so that what was tried and thrown away since is not noted as given to anybody."""
    ran = subprocess.run(["git", "-C", str(root), "show", "HEAD:pbem/releases.json"], capture_output=True, text=True, check=False)
    found: dict[str, Any] | None = json.loads(ran.stdout) if ran.returncode == 0 else None
    return found


# --- the files of a release ------------------------------------------------------------------------------------------


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
    """Return the bill of materials of a wheel (CycloneDX 1.6): what it asks for, and what it brings of others and for archives."""
    with zipfile.ZipFile(wheel) as packed:
        names = sorted(packed.namelist())
        about = email.message_from_bytes(packed.read(next(name for name in names if name.endswith(".dist-info/METADATA"))))
        own = [name for name in names if re.fullmatch(r"pbem/_data/renderers/fonts/.*\.[ot]tf|pbem/verifiers/pd1_.*", name)]
        content = {name: packed.read(name) for name in own}
    whole = sha256(wheel.read_bytes())
    ref = f"pkg:pypi/pbem@{about['Version']}"
    parts: list[dict[str, Any]] = [_font(name, data) if "/fonts/" in name else _file(name, data) for name, data in content.items()]
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
    return {"type": "file", "bom-ref": name, "name": name, "hashes": [{"alg": "SHA-256", "content": sha256(data)}]}


def _font(name: str, data: bytes) -> dict[str, Any]:
    file = name.rpartition("/")[2]
    licence = next(licence for start, licence in FONT_LICENCES.items() if file.startswith(start))
    return {**_file(name, data), "licenses": [{"license": {"id": licence}}]}


def _requirement(line: str) -> dict[str, Any]:
    """Return a dependency: which versions do, and whether pbem runs without it. Nothing is pinned, so there is no version and no hash."""
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
    """Write wheel, sdist, bill of materials, digests and the list of their sums into an empty folder, from the newest commit alone."""
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
        entry = {**engine(inside), "files": shipped(source)}
        known = json.loads((inside / "pbem" / "releases.json").read_text("utf-8"))
        hold_to(known, entry)
    name = f"pbem-{entry['version']}"
    (out / f"{name}.cdx.json").write_text(json.dumps(bill(wheel, seconds), indent=1) + "\n", "utf-8")
    (out / f"{name}.digests.json").write_text(json.dumps(entry, indent=1) + "\n", "utf-8")
    print(seal(out, key), end="")
    print(f"engine {entry['sha256']}")


def seal(out: Path, key: Path | None) -> str:
    """Write SHA256SUMS of every file in a folder, and sign it where an SSH key is given; return the sums."""
    sums = "".join(f"{sha256(path.read_bytes())}  {path.name}\n" for path in sorted(out.iterdir()))
    (out / "SHA256SUMS").write_text(sums, "utf-8", newline="\n")
    if key is not None:
        subprocess.run(["ssh-keygen", "-q", "-Y", "sign", "-f", str(key), "-n", NAMESPACE, str(out / "SHA256SUMS")], check=True)
    return sums


def hold_to(known: Mapping[str, Any], entry: Mapping[str, Any]) -> None:
    """Stop where a released version would get other files, or the digests are not those of the commit."""
    if known["unreleased"]["files"] != entry["files"]:
        sys.exit("pbem/releases.json is not of these files: make digests, and commit it")
    for release in known["releases"]:
        if release["version"] == entry["version"] and (release["engine"], release["files"]) != (entry["sha256"], entry["files"]):
            sys.exit(f"{release['version']} was released with other files: give pbem/__init__.py the next version")


def _git(where: Path, *words: str) -> str:
    return subprocess.run(["git", "-C", str(where), *words], capture_output=True, text=True, check=True).stdout.strip()


def main() -> None:
    """Do what was asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    verbs = parser.add_subparsers(dest="verb", required=True)
    some = verbs.add_parser("digests")
    some.add_argument("--release", metavar="DATE")
    some.add_argument("--root", type=Path, default=ROOT)
    made = verbs.add_parser("dist")
    made.add_argument("out", type=Path)
    made.add_argument("--key", type=Path)
    asked = parser.parse_args()
    if asked.verb == "digests":
        digests(asked.root, asked.release)
    else:
        dist(ROOT, asked.out, asked.key)


if __name__ == "__main__":
    main()
