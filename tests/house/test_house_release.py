"""What is released: digests that fit the files, a bill of what is in the wheel, sums that a
key vouches for.
"""

from __future__ import annotations

import hashlib
import importlib.util
import inspect
import json
import re
import subprocess
import zipfile
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from house import EXAMPLES, FORD, ROOT, recorded

from pbem.proof.archive import MemoryArchive
from pbem.proof.carried import strange_verifiers
from pbem.referee.proving.verify import verify
from pbem.store import given, library, releases


def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("release", ROOT / ".ci" / "release.py")
    assert spec is not None and spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


release = script()


def entry(verifier: str = "aa", version: str = "0.1.0", engine: str = "ee") -> dict[str, Any]:
    files = {"verify/pd1_verify.py": [verifier * 32], "scenario/ford.yaml": ["cc" * 32]}
    return {"version": version, "engine": engine * 32, "files": files}


def test_published_digests_are_those_of_the_files() -> None:
    now = releases.entry(library.engine(), [*library.shipped(), *library.verifiers().items()])
    published = (ROOT / "docs" / "digests.md").read_text("utf-8")
    known = json.loads(releases.FILE.read_text("utf-8"))
    assert published == release.page(known, now), (
        "a verifier, scenario, map or table was changed: make digests"
    )
    for path in [*(ROOT / "pbem" / "verifiers").glob("pd1_*"), *(ROOT / "scenarios").rglob("*.yaml")]:
        assert hashlib.sha256(path.read_bytes()).hexdigest() in published, path


def test_a_verifier_that_archives_carry_stays_known_when_a_better_one_comes() -> None:
    before, line = release.page([], entry("aa")), f"{'aa' * 32}  pd1_verify.py\n"
    assert release.given("", before, entry("aa"), []) == ""
    assert release.given("", before, entry("bb"), []) == line
    assert release.given(line, release.page([], entry("bb")), entry("bb"), []) == line
    assert release.given("", before, entry("bb"), [entry("aa")]) == "", "its release has it"
    for line in given.FILE.read_text("utf-8").splitlines():
        assert re.fullmatch(r"[0-9a-f]{64}  pd1_[a-z.]+", line)


def test_a_version_is_released_once_with_the_files_that_it_had() -> None:
    known = release.released([], entry())
    assert known == [entry()]
    with pytest.raises(SystemExit, match="released already"):
        release.released(known, entry("bb"))
    assert release.released(known, entry(version="0.1.1")) == [entry(), entry(version="0.1.1")]
    release.hold_to(known, entry(), release.page(known, entry()))
    with pytest.raises(SystemExit, match="released with other files"):
        release.hold_to(known, entry(engine="ff"), release.page(known, entry()))
    with pytest.raises(SystemExit, match="make digests"):
        release.hold_to(known, entry("bb"), release.page(known, entry()))


def test_verifiers_of_releases_and_of_sources_in_between_are_known(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "given.txt").write_text(f"{'dd' * 32}  pd1_verify.py\n")
    monkeypatch.setattr(given, "FILE", tmp_path / "given.txt")
    monkeypatch.setattr(given, "releases", lambda: (releases.release(entry("aa")),))
    found = inspect.unwrap(given.known_verifiers)()
    own = hashlib.sha256(library.verifiers()["verify/pd1_verify.py"]).hexdigest()
    assert found["verify/pd1_verify.py"] == {"aa" * 32, "dd" * 32, own}


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.name)
def test_recorded_games_carry_known_verifiers(example: Path) -> None:
    assert strange_verifiers(MemoryArchive(recorded(example)), given.known_verifiers()) == ()


def test_an_archive_whose_verifier_says_pass_to_everything_is_noticed(tmp_path: Path) -> None:
    files = {name: data for name, data in recorded(FORD).items() if name not in ("FILES", "FILES.sig")}
    for name, program in (
        ("as-it-is.zip", files["verify/pd1_verify.py"]),
        ("forged.zip", b'print("PASS")\n'),
    ):
        with zipfile.ZipFile(tmp_path / name, "w") as packed:
            for path, content in {**files, "verify/pd1_verify.py": program}.items():
                packed.writestr(path, content)
    found = {
        name: verify(tmp_path / name, with_rules=False).warnings for name in ("as-it-is.zip", "forged.zip")
    }
    assert not [one for one in found["as-it-is.zip"] if one.where.startswith("verify/")]
    (more,) = [one for one in found["forged.zip"] if one not in found["as-it-is.zip"]]
    assert (more.code, more.where) == ("W", "verify/pd1_verify.py")
    assert "do not run it" in more.message


@pytest.fixture
def wheel(tmp_path: Path) -> Path:
    made = tmp_path / "pbem-0.1.0-py3-none-any.whl"
    with zipfile.ZipFile(made, "w") as packed:
        packed.writestr(
            "pbem-0.1.0.dist-info/METADATA",
            "Metadata-Version: 2.4\nName: pbem\nVersion: 0.1.0\nLicense-Expression: Apache-2.0\n"
            "Requires-Dist: click>=8.1\nRequires-Dist: tzdata>=2024.1; sys_platform == 'win32'\n"
            "Provides-Extra: forum\nRequires-Dist: selectolax>=0.3.28; extra == 'forum'\n"
            "Provides-Extra: test\nRequires-Dist: pytest>=8.0; extra == 'test'\n",
        )
        for font in (ROOT / "renderers" / "fonts").glob("*.?tf"):
            packed.writestr(f"pbem/_data/renderers/fonts/{font.name}", font.read_bytes())
        packed.writestr("pbem/verifiers/pd1_verify.py", b"verifier")
    return made


def test_the_bill_names_what_the_wheel_asks_for_and_brings(wheel: Path) -> None:
    bill = release.bill(wheel, 1_700_000_000)
    assert bill == release.bill(wheel, 1_700_000_000)
    parts = {part["name"]: part for part in bill["components"]}
    assert [parts[name]["scope"] for name in ("click", "selectolax", "pytest")] == [
        "required",
        "optional",
        "excluded",
    ]
    assert parts["tzdata"]["properties"][1]["value"] == "sys_platform == 'win32'"
    fonts = {
        name.rpartition("/")[2]: part["licenses"][0]["license"]["id"]
        for name, part in parts.items()
        if "/fonts/" in name
    }
    assert set(fonts) == {path.name for path in (ROOT / "renderers" / "fonts").glob("*.?tf")}
    assert set(fonts.values()) == {"Bitstream-Vera", "OFL-1.1"}
    assert (
        parts["pbem/verifiers/pd1_verify.py"]["hashes"][0]["content"]
        == hashlib.sha256(b"verifier").hexdigest()
    )
    assert (
        bill["metadata"]["component"]["hashes"][0]["content"]
        == hashlib.sha256(wheel.read_bytes()).hexdigest()
    )
    assert bill["metadata"]["timestamp"] == "2023-11-14T22:13:20Z"


def test_each_font_has_its_licence_beside_it() -> None:
    fonts = [path.name for path in (ROOT / "renderers" / "fonts").glob("*.?tf")]
    for name in fonts:
        start = next(start for start in release.FONT_LICENCES if name.startswith(start))
        assert (ROOT / "renderers" / "fonts" / f"LICENSE.{start}.txt").is_file()


def test_sums_are_signed_and_checked_as_the_page_on_releases_says(
    tmp_path: Path, need: Callable[[str], str]
) -> None:
    for program in ("ssh-keygen", "sha256sum", "sh"):
        need(program)
    key, out = tmp_path / "throw-away", tmp_path / "out"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", str(key)], check=True)
    out.mkdir()
    (out / "pbem-0.1.0.tar.gz").write_bytes(b"sdist")
    release.seal(out, key)
    (out / "release-key.pub").write_bytes(key.with_suffix(".pub").read_bytes())
    (commands,) = re.findall(
        r"```sh\n(.*?)```", (ROOT / "docs" / "releasing.md").read_text("utf-8"), re.DOTALL
    )

    def checked() -> tuple[int, str]:
        ran = subprocess.run(
            ["sh", "-e", "-c", commands], cwd=out, capture_output=True, text=True, check=False
        )
        return ran.returncode, ran.stdout + ran.stderr

    answer, said = checked()
    assert answer == 0, said
    assert 'Good "pbem-release" signature' in said
    (out / "pbem-0.1.0.tar.gz").write_bytes(b"another")
    assert checked()[0] != 0
    release.seal(out, None)
    assert checked()[0] != 0, "the sums fit, and the signature is that of others"
