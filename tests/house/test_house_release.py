"""What is released: digests that fit the files, a bill of what is in the wheel, sums that a key vouches for."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import re
import subprocess
import zipfile
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from house import FORD, ROOT, recorded

from pbem.referee.verify import verify
from pbem.store import releases as store
from pbem.store.library import verifiers

FILE = ROOT / "pbem" / "releases.json"


def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("release", ROOT / ".ci" / "release.py")
    assert spec is not None and spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


release = script()


def data(verifier: str = "aa", releases: list[dict[str, Any]] | None = None) -> dict[str, Any]:
    files = {"pbem/verifiers/pd1_verify.py": verifier, "scenarios/siege/ford.yaml": "cc"}
    return {"v": 1, "releases": releases or [], "unreleased": {"files": files}, "earlier": {}}


def test_published_digests_are_those_of_the_files() -> None:
    known = json.loads(FILE.read_text("utf-8"))
    assert known["unreleased"]["files"] == release.shipped(ROOT), "a verifier, table, scenario or map was changed: make digests"
    assert (ROOT / "docs" / "digests.md").read_text("utf-8") == release.page(known), "make digests"
    listed = set(known["unreleased"]["files"])
    assert {f"pbem/verifiers/{name.removeprefix('verify/')}" for name in verifiers()} <= listed
    assert {path.relative_to(ROOT).as_posix() for path in (ROOT / "scenarios").rglob("*.yaml")} <= listed


def test_a_verifier_that_archives_carry_stays_known_when_a_better_one_comes() -> None:
    now = {"pbem/verifiers/pd1_verify.py": "bb", "scenarios/siege/ford.yaml": "dd"}
    found = release.renewed(data("aa"), now)
    assert found["earlier"] == {"pd1_verify.py": ["aa"]}
    assert found["unreleased"]["files"] == now
    assert release.renewed(found, now) == found
    old = {"version": "0.1.0", "date": "2026-12-01", "engine": "ee", "files": {"pbem/verifiers/pd1_verify.py": "aa"}}
    assert release.renewed(data("aa", [old]), now)["earlier"] == {}


def test_a_version_is_released_once_with_the_files_that_it_had() -> None:
    found = release.released(data(), {"version": "0.1.0", "sha256": "ee"}, "2026-12-01")
    assert found["releases"] == [{"version": "0.1.0", "date": "2026-12-01", "engine": "ee", "files": data()["unreleased"]["files"]}]
    with pytest.raises(SystemExit, match="released already"):
        release.released(found, {"version": "0.1.0", "sha256": "ff"}, "2026-12-02")
    same = {"version": "0.1.0", "sha256": "ee", "files": data()["unreleased"]["files"]}
    release.hold_to(found, same)
    with pytest.raises(SystemExit, match="released with other files"):
        release.hold_to(found, {**same, "sha256": "ff"})
    with pytest.raises(SystemExit, match="make digests"):
        release.hold_to(found, {**same, "files": {}})


def test_who_made_an_engine_is_told_of_released_ones_only(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = {"version": "0.1.0", "date": "2026-12-01", "engine": "ee", "files": {"pbem/verifiers/pd1_verify.py": "aa"}}
    monkeypatch.setattr(store, "_read", lambda: {**data("bb", [entry]), "earlier": {"pd1_verify.py": ["dd"]}})
    store.releases.cache_clear()
    found = store.release_of("ee")
    assert found is not None
    assert (found.version, found.date) == ("0.1.0", "2026-12-01")
    assert store.release_of("ff") is None
    shipped = hashlib.sha256(verifiers()["verify/pd1_verify.py"]).hexdigest()
    assert getattr(store.known_verifiers, "__wrapped__")()["pd1_verify.py"] == {"aa", "dd", shipped}  # noqa: B009
    store.releases.cache_clear()


def test_an_archive_whose_verifier_says_pass_to_everything_is_noticed(tmp_path: Path) -> None:
    files = {name: data for name, data in recorded(FORD).items() if name not in ("FILES", "FILES.sig")}
    for name, program in (("as-it-is.zip", files["verify/pd1_verify.py"]), ("forged.zip", b'print("PASS")\n')):
        with zipfile.ZipFile(tmp_path / name, "w") as packed:
            for path, content in {**files, "verify/pd1_verify.py": program}.items():
                packed.writestr(path, content)
    found = {name: verify(tmp_path / name, with_rules=False).warnings for name in ("as-it-is.zip", "forged.zip")}
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
    assert [parts[name]["scope"] for name in ("click", "selectolax", "pytest")] == ["required", "optional", "excluded"]
    assert parts["tzdata"]["properties"][1]["value"] == "sys_platform == 'win32'"
    fonts = {name.rpartition("/")[2]: part["licenses"][0]["license"]["id"] for name, part in parts.items() if "/fonts/" in name}
    assert set(fonts) == {path.name for path in (ROOT / "renderers" / "fonts").glob("*.?tf")}
    assert set(fonts.values()) == {"Bitstream-Vera", "OFL-1.1"}
    assert parts["pbem/verifiers/pd1_verify.py"]["hashes"][0]["content"] == hashlib.sha256(b"verifier").hexdigest()
    assert bill["metadata"]["component"]["hashes"][0]["content"] == hashlib.sha256(wheel.read_bytes()).hexdigest()
    assert bill["metadata"]["timestamp"] == "2023-11-14T22:13:20Z"


def test_each_font_has_its_licence_beside_it() -> None:
    fonts = [path.name for path in (ROOT / "renderers" / "fonts").glob("*.?tf")]
    for name in fonts:
        start = next(start for start in release.FONT_LICENCES if name.startswith(start))
        assert (ROOT / "renderers" / "fonts" / f"LICENSE.{start}.txt").is_file()


def test_sums_are_signed_and_checked_as_the_page_on_releases_says(tmp_path: Path, need: Callable[[str], str]) -> None:
    for program in ("ssh-keygen", "sha256sum", "sh"):
        need(program)
    key, out = tmp_path / "throw-away", tmp_path / "out"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", str(key)], check=True)
    out.mkdir()
    (out / "pbem-0.1.0.tar.gz").write_bytes(b"sdist")
    release.seal(out, key)
    (out / "release-key.pub").write_bytes(key.with_suffix(".pub").read_bytes())
    (commands,) = re.findall(r"```sh\n(.*?)```", (ROOT / "docs" / "releasing.md").read_text("utf-8"), re.DOTALL)

    def checked() -> tuple[int, str]:
        ran = subprocess.run(["sh", "-e", "-c", commands], cwd=out, capture_output=True, text=True, check=False)
        return ran.returncode, ran.stdout + ran.stderr

    answer, said = checked()
    assert answer == 0, said
    assert 'Good "pbem-release" signature' in said
    (out / "pbem-0.1.0.tar.gz").write_bytes(b"another")
    assert checked()[0] != 0
    release.seal(out, None)
    assert checked()[0] != 0, "the sums fit, and the signature is that of others"
