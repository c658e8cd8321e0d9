"""docs/trust.md and docs/by-hand-verify.md: commands are run as they stand there, on the recorded game, with
programs not ours.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from house import FORD, ROOT

from pbem.proof.signing import load_private, public_of, sign

TRUST, BY_HAND = ROOT / "docs" / "trust.md", ROOT / "docs" / "by-hand-verify.md"
PROGRAMS = (
    "cat",
    "cut",
    "grep",
    "head",
    "ls",
    "openssl",
    "sed",
    "sh",
    "sha256sum",
    "sha512sum",
    "ssh-keygen",
)
ORDERS, GAME = "seats/east/orders-s0002.txt", "alder-ford-e1f00d"
PROMISE = "provably" + " fair"


def block(language: str) -> str:
    (found,) = re.findall(rf"```{language}\n(.*?)```", BY_HAND.read_text("utf-8"), re.DOTALL)
    return str(found)


def promised() -> list[str]:
    """Return what the page says that its commands print, line by line."""
    return [line[3:] for line in block("sh").splitlines() if line.startswith("#= ")]


@pytest.fixture
def unpacked(tmp_path: Path, need: Callable[[str], str]) -> Path:
    """Unpack the recorded game as the page says; the join that East sent lies beside it."""
    for program in PROGRAMS:
        need(program)
    folder = tmp_path / "toll"
    with zipfile.ZipFile(FORD / "archive.zip") as packed:
        packed.extractall(folder)
    (tmp_path / "join.txt").write_bytes(
        b"".join((folder / f"seats/east/join.json{end}").read_bytes() for end in ("", ".sig"))
    )
    return folder


def run(folder: Path, commands: str = "", path: str | None = None) -> list[str]:
    around = None if path is None else {"PATH": path}
    return subprocess.run(
        ["sh", "-c", commands or block("sh")],
        cwd=folder,
        env=around,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    ).stdout.splitlines()


def unlike(lines: list[str]) -> list[str]:
    """Return what was printed that is not what the page says, up to where the two cannot be told line by line
    any more.
    """
    wanted = [re.escape(line).replace("…", "[0-9a-f]{64}") for line in promised()]
    if len(lines) != len(wanted):
        return lines
    return [line for line, want in zip(lines, wanted, strict=True) if not re.fullmatch(want, line)]


def test_every_command_of_the_page_prints_what_the_page_says_to_the_letter(unpacked: Path) -> None:
    assert len(promised()) >= 18
    assert unlike(run(unpacked)) == []


def test_it_works_where_there_is_no_sha256sum_as_on_a_mac(
    unpacked: Path, tmp_path: Path, need: Callable[[str], str]
) -> None:
    need("shasum")
    programs = tmp_path / "bin"
    programs.mkdir()
    for program in {*PROGRAMS, "shasum", "perl"} - {"sha256sum", "sha512sum"}:
        (programs / program).symlink_to(str(shutil.which(program)))
    assert unlike(run(unpacked, path=str(programs))) == []


@pytest.mark.parametrize("path", ["rolls/s0002.jsonl", ORDERS, "ledger/00001-manifest.json", "FILES"])
def test_a_changed_file_is_noticed_by_the_same_commands(unpacked: Path, path: str) -> None:
    data = (unpacked / path).read_bytes()
    (unpacked / path).write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    assert unlike(run(unpacked)) != []


def test_orders_that_the_gm_forged_are_noticed_whatever_he_writes_into_the_list_of_signers(
    unpacked: Path,
) -> None:
    """He signs them with his own key, says in keys/allowed_signers that it is East's, and makes and signs the
    list of files anew.
    """
    gm = load_private((FORD / "keys" / "gm.key").read_bytes())
    (record,) = (unpacked / "ledger").glob("*-s0001-result.json")
    namespace = f"pd1-orders/{GAME}/2/east/{hashlib.sha256(record.read_bytes()).hexdigest()}"
    signers = (unpacked / "keys/allowed_signers").read_text()
    forged = {
        f"{ORDERS}.sig": sign(gm, namespace, (unpacked / ORDERS).read_bytes()),
        "keys/allowed_signers": re.sub(
            r"(?m)^(east@.*) ssh-ed25519 .*", rf"\1 {public_of(gm).line}", signers
        ),
    }
    listed = (unpacked / "FILES").read_text()
    for path, text in forged.items():
        (unpacked / path).write_text(text)
        listed = re.sub(
            rf"(?m)^[0-9a-f]{{64}}  {re.escape(path)}$",
            f"{hashlib.sha256(text.encode()).hexdigest()}  {path}",
            listed,
        )
    (unpacked / "FILES").write_text(listed)
    (unpacked / "FILES.sig").write_text(sign(gm, f"pd1-pack/{GAME}", listed.encode()))

    believed = (
        f"ssh-keygen -Y verify -f keys/allowed_signers -I east@{GAME} -n "
        f"{namespace} -s {ORDERS}.sig < {ORDERS}"
    )
    assert run(unpacked, believed)[0].startswith("Good "), "the road over allowed_signers was no road"
    (said, *_) = [line for line in run(unpacked) if line not in promised() and "pd1-orders" not in line]
    assert said == "Could not verify signature."


def test_a_game_under_somebody_elses_key_or_join_is_not_taken_for_ones_own(
    unpacked: Path, tmp_path: Path
) -> None:
    gm = public_of(load_private((FORD / "keys" / "gm.key").read_bytes())).line
    manifest = unpacked / "ledger" / "00001-manifest.json"
    manifest.write_text(
        re.sub(r'"key":"[^"]*","seat":"east"', f'"key":"{gm}","seat":"east"', manifest.read_text())
    )
    (tmp_path / "join.txt").write_bytes(
        (tmp_path / "join.txt")
        .read_bytes()
        .replace(b'"anchor":"c', b'"anchor":"d')
        .replace(b'"root":"', b'"root":"0')
    )
    lines = run(unpacked)
    assert (lines[0], lines[1]) != (promised()[0], promised()[1])
    assert lines[1].split()[1] == lines[0].split()[1], "the GM's own key"
    assert lines[3].startswith("NOT THE SAME")


def tree(values: dict[int, str]) -> dict[tuple[int, int], str]:
    """Return the nodes of a tree of 14 levels, as docs say it, over 16 leaves and nothing but noughts beside
    them.
    """
    node = {(0, s): sha("pd1/leaf", "game", "gm", str(s), values.get(s, "0" * 64)) for s in range(16)}
    for level in range(14):
        for place in range(16 >> (level + 1)) or [0]:
            pair = [node.get((level, 2 * place + side), "00" * 32) for side in (0, 1)]
            node[level + 1, place] = sha("pd1/node", *pair)
    return node


def sha(*lines: str) -> str:
    return hashlib.sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest()


def test_the_step_of_values_walks_trees_as_well_as_chains(tmp_path: Path, need: Callable[[str], str]) -> None:
    """Slots 1 and 2: the first value has a path of 14 to the root, the second one of 1 to a hash that the
    first brought.
    """
    for program in PROGRAMS:
        need(program)
    node = tree({1: "aa" * 32, 2: "bb" * 32})
    whole = [node.get((level, (1 >> level) ^ 1), "00" * 32) for level in range(14)]
    files = {
        "manifest": {"game": "game", "root": node[14, 0]},
        "one": {
            "values": [
                {"path": ["12" * 32], "who": "east", "x": "34" * 32},
                {"path": whole, "who": "gm", "x": "aa" * 32},
            ]
        },
        "two": {"values": [{"path": [node[0, 3]], "who": "gm", "x": "bb" * 32}, {"who": "west", "x": "-"}]},
    }
    for name, data in files.items():
        (tmp_path / name).write_text(json.dumps(data, separators=(",", ":"), sort_keys=True))
    text = block("sh")
    step = text[text.index("value() {") : text.index("\n# 7.")]
    start = "game=game; manifest=manifest; before=one; result=two; hash() { sha256sum | cut -c1-64; }\n"
    assert run(tmp_path, start + step) == ["1", "1"]
    (tmp_path / "two").write_text((tmp_path / "two").read_text().replace("bb" * 32, "bc" * 32))
    assert run(tmp_path, start + step) == ["0", "1"]


def test_powershell_computes_the_same_names() -> None:
    """Nobody here has a Windows: what both blocks hash and which names they sign under must at least be the
    same.
    """
    of = {language: set(re.findall(r"pd1[-/][a-z]+", block(language))) for language in ("sh", "powershell")}
    assert of["sh"] - {"pd1/"} == of["powershell"]
    steps = {language: re.findall(r"(?m)^# (\d)\.", block(language)) for language in of}
    assert steps["sh"] == steps["powershell"] == list("12345678")
    assert "allowed_signers" not in block("sh") + block("powershell")


def test_the_page_is_two_screens_and_the_readme_leads_to_it() -> None:
    assert len(TRUST.read_text("utf-8").splitlines()) <= 110
    assert "(docs/trust.md)" in (ROOT / "README.md").read_text("utf-8")
    assert "(by-hand-verify.md)" in TRUST.read_text("utf-8")


def test_nobody_promises_more_than_that() -> None:
    files = [
        *ROOT.glob("*.md"),
        *(path for ring in ("docs", "pbem", "verifiers", "examples") for path in (ROOT / ring).rglob("*")),
    ]
    texts = [
        path
        for path in files
        if path.suffix in (".md", ".py", ".yaml", ".html", ".txt", ".json") and path.is_file()
    ]
    assert len(texts) > 100
    assert [str(path) for path in texts if PROMISE in path.read_text("utf-8", "replace").lower()] == []
