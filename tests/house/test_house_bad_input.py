"""Anything at all where a file is expected: a plain no, nothing stored, nothing lost, and never a fault of
pbem itself.

Each kind of file begins as a good one and is then cut, doubled, overwritten and filled with what has broken
other programs.
"""

from __future__ import annotations

import io
import re
import shutil
import time
import warnings
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from house import FORD, ROOT, inside
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec import Struct
from thorough import deeper, tries

from pbem.cli import cli
from pbem.proof.signing import private_to_openssh, public_of

pytestmark = deeper
FEW = settings(
    max_examples=tries(10, 100),
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
ORDERS = sorted((FORD / "orders").glob("*.yaml"))
SCENARIO = ROOT / "scenarios/cry_havoc/alder-ford.yaml"
MAP = ROOT / "scenarios/cry_havoc/maps/alder-ford.yaml"
TABLES = sorted((ROOT / "pbem/rulesets/siege/tables").glob("*.yaml"))
NAMES = [
    "../x",
    "/x",
    "a/../b",
    "ledger/00001-manifest.json ",
    "LEDGER/x",
    "con",
    "state/s0000.json/x",
    "x" * 300,
    "\u202e",
    "a\\b",
    "FILES/",
    ".lock",
]
PATIENCE = 10.0
"""Seconds of a processor that one command may take over a bad file (a tenth of one is what it does take)."""

NASTY = [
    *(
        "",
        "-",
        "---",
        "[",
        "{",
        "}",
        '"',
        "'",
        ":",
        "#",
        "&a",
        "*a",
        "<<: *a",
        "!!python/object",
        "%YAML",
        "\t",
        "|",
        ">",
        "? x",
        "~",
        "null",
    ),
    *(
        "0",
        "-1",
        "1e999",
        "99999999999999999999",
        "0x10",
        "1.5",
        "true",
        "no",
        "NaN",
        "9999",
        "0000",
        "0101",
        "0712",
        "d9.t9.x",
        "t1",
        "setup",
    ),
    *(
        "é",
        "\u202e",
        "\u200b",
        "\ufeff",
        "\x00",
        "\x1b[31m",
        "\x85",
        "\ud7ff",
        "𝟘",
        "A" * 5000,
        "[" * 600,
        "- " * 600,
        "{a: " * 400,
        "../../etc/passwd",
    ),
    *(
        "a: b",
        "- a",
        "- {who: x}",
        "- [a, b]",
        "seat: gm",
        "side: none",
        "nearest",
        "or or or",
        "attack",
        ",",
        " at ",
        "when",
        "{}",
        "[]",
    ),
]


@st.composite
def broken(draw: st.DrawFn, good: bytes) -> bytes:
    """Return good bytes after a few bad turns."""
    data = good
    for _ in range(draw(st.integers(1, 3))):
        place = draw(st.integers(0, len(data)))
        end = min(len(data), place + draw(st.sampled_from([0, 1, 2, 7, 40, 400])))
        turn = draw(st.integers(0, 6))
        if turn == 0:
            data = data[:place] + draw(st.binary(max_size=8)) + data[end:]
        elif turn == 1:
            data = data[:place] + data[end:]
        elif turn == 2:
            data = data[:place] + draw(st.sampled_from(NASTY)).encode("utf-8", "surrogatepass") + data[end:]
        elif turn == 3:
            data = data[:end] + data[place:]
        elif turn == 4:
            lines = data.split(b"\n")
            at = draw(st.integers(0, len(lines) - 1))
            data = b"\n".join(
                [*lines[:at], *lines[at + 1 :]]
                if draw(st.booleans())
                else [*lines[:at], lines[at], *lines[at:]]
            )
        else:
            # A value, whatever it is, becomes another one: this gets furthest behind the readers.
            found = [*re.finditer(rb"[A-Za-z0-9_-]+", data)] or [*re.finditer(rb"", data)]
            word = found[draw(st.integers(0, len(found) - 1))]
            other = draw(st.sampled_from(NASTY)).encode("utf-8", "surrogatepass")
            data = data[: word.start()] + other + data[word.end() :]
    return data


def anything(good: bytes) -> st.SearchStrategy[bytes]:
    """Return bytes, text, or something that once was good; that most of the time."""
    return st.one_of(
        broken(good),
        broken(good),
        broken(good),
        st.binary(max_size=200),
        st.text(max_size=100).map(lambda text: text.encode("utf-8", "replace")),
    )


class Desk(Struct):
    """A folder with games at several stages, and pbem to be called in it."""

    root: Path

    def stage(self, name: str) -> None:
        """Keep the game as it is now."""
        shutil.copytree(self.root / "game", self.root / f"{name}.stage")

    def fresh(self, stage: str) -> None:
        """Lay the game out as it was then."""
        shutil.rmtree(self.root / "now", ignore_errors=True)
        shutil.copytree(self.root / f"{stage}.stage", self.root / "now")
        for told in self.root.glob("**/games/*/told.json"):  # as if nothing had been told after it
            told.unlink()

    def __call__(self, *words: str | Path) -> Result:
        begun = time.process_time()
        answer = CliRunner().invoke(cli, [str(word) for word in words])
        assert time.process_time() - begun < PATIENCE, words
        return answer

    def fine(self, *words: str | Path) -> str:
        answer = self(*words)
        assert answer.exit_code == 0, (words, answer.output)
        return answer.stdout

    def file(self, name: str, data: bytes) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        return path

    def holds_out(self, *words: str) -> Result:
        """Run a command over a bad file: a refusal leaves the game as it was, and what was accepted stays
        there.
        """
        before = inside(self.root / "now")
        answer = self(*words)
        assert_plain(answer, words)
        after = inside(self.root / "now")
        if answer.exit_code:
            assert after == before, words
        # what is told, and the list that each join makes longer
        anew = ("outbox/", "told.json", "keys/allowed_signers")
        changed = [
            name for name, data in before.items() if after.get(name) != data and not name.startswith(anew)
        ]
        assert changed == [], words
        return answer


def assert_plain(answer: Result, words: object) -> None:
    """Hold an answer to its form: 0, 1 or 3, problems on stderr, no fault of pbem, no traceback."""
    assert answer.exception is None or isinstance(answer.exception, SystemExit), (words, answer.exception)
    assert answer.exit_code in (0, 1, 3), (words, answer.output)
    assert "Traceback" not in answer.output
    assert "\x1b" not in answer.stderr
    if answer.exit_code:
        assert answer.stderr.strip() or answer.stdout.strip(), words


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    root = tmp_path_factory.mktemp("desk")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(root)
        patch.setenv("PBEM_HOME", str(root / "home"))
        made = Desk(root)
        key = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
        made.file("west.key", private_to_openssh(key))
        made.file("west.pub", public_of(key).line.encode())
        made.fine("new", "alder-ford", "game", "--seat", "east=Ann", "--seat", "west=Bob,west.pub")
        made.stage("invited")
        made.fine("join", "game/outbox/invitation.zip", "--key", "west.key", "-o", "join.txt")
        made.fine("admit", "game", "join.txt")
        made.stage("setup")
        shutil.copy(ORDERS[0], root / "setup.yaml")
        made.fine("sign", "setup.yaml", "--game", "game", "--key", "west.key", "-o", "setup.txt")
        made.fine("submit", "setup.txt", "--game", "game")
        made.fine("resolve", "game", "--no-map")
        made.stage("turn")
        shutil.copy(ORDERS[1], root / "turn.yaml")
        made.fine("submit", "turn.yaml", "--game", "game", "--seat", "east")
        assert "waits for the go of west" in made.fine("lock", "game")
        made.stage("locked")
        made.fine("go", "game", "--key", "west.key", "-o", "go.txt")
        made.fine("submit", "go.txt", "--game", "game")
        made.fine("resolve", "game", "--no-map")
        made.stage("played")
        made.fine("pack", "game", "game.zip")
        yield made


@pytest.fixture(autouse=True)
def at_the_desk(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(desk.root)
    monkeypatch.setenv("PBEM_HOME", str(desk.root / "home"))


# --- files that people write


@FEW
@given(data=st.data())
def test_order_files(desk: Desk, data: st.DataObject) -> None:
    typed = data.draw(anything((desk.root / "turn.yaml").read_bytes()))
    desk.file("o.yaml", typed)
    desk.fresh("turn")
    desk.holds_out("check", "o.yaml", "--game", "now", "--seat", "east")
    answer = desk.holds_out("submit", "o.yaml", "--game", "now", "--seat", "east", "--json")
    if answer.exit_code == 0:
        assert desk("resolve", "now", "--preview").exit_code in (0, 1, 3)


@FEW
@given(data=st.data())
def test_signed_order_files_and_their_signatures(desk: Desk, data: st.DataObject) -> None:
    for name in ("setup.txt", "setup.txt.sig"):
        desk.file(f"o{name[5:]}", (desk.root / name).read_bytes())
    hurt = data.draw(st.sampled_from(["setup.txt", "setup.txt.sig"]))
    good = (desk.root / hurt).read_bytes()
    typed = data.draw(anything(good))
    desk.file(f"o{hurt[5:]}", typed)
    desk.fresh("setup")
    answer = desk.holds_out("submit", "o.txt", "--game", "now")
    if hurt == "setup.txt":
        assert (answer.exit_code == 0) == (typed == good)


@FEW
@given(data=st.data())
def test_scenarios_and_maps(desk: Desk, data: st.DataObject) -> None:
    for name, source in (("own/fight.yaml", SCENARIO), ("own/maps/alder-ford.yaml", MAP)):
        desk.file(name, source.read_bytes())
    hurt, source = data.draw(
        st.sampled_from([("own/fight.yaml", SCENARIO), ("own/maps/alder-ford.yaml", MAP)])
    )
    desk.file(hurt, data.draw(anything(source.read_bytes())))
    answer = desk("scenario", "check", "own/fight.yaml")
    assert_plain(answer, "scenario check")
    for verb in ("check", "show"):
        assert_plain(desk("map", verb, hurt), f"map {verb}")
    shutil.rmtree(desk.root / "begun", ignore_errors=True)
    made = desk("new", "own/fight.yaml", "begun", "--seat", "east=Ann", "--seat", "west=Bob")
    assert_plain(made, "new")
    assert (made.exit_code == 0) == (desk.root / "begun").exists()
    if made.exit_code == 0:
        assert_plain(desk("admit", "begun", "--seat", "west", "--words", "yes, I play"), "admit")
        assert_plain(desk("status", "begun"), "status")
        assert desk("verify", "begun").exit_code == 0


@FEW
@given(data=st.data())
def test_tables(desk: Desk, data: st.DataObject) -> None:
    source = data.draw(st.sampled_from(TABLES))
    shutil.rmtree(desk.root / "sheets", ignore_errors=True)
    desk.file(f"sheets/{source.name}", data.draw(anything(source.read_bytes())))
    answer = desk("tables", "check", "cry_havoc", "sheets")
    assert_plain(answer, "tables check")
    shutil.rmtree(desk.root / "begun", ignore_errors=True)
    made = desk(
        "new", "alder-ford", "begun", "--seat", "east=Ann", "--seat", "west=Bob", "--tables", "sheets"
    )
    assert_plain(made, "new")
    assert made.exit_code == answer.exit_code


@FEW
@given(data=st.data())
def test_scripts_of_examples(desk: Desk, data: st.DataObject) -> None:
    """The script is cut to its first steps, so that what still stands is soon played."""
    example = desk.root / "example"
    if not example.exists():
        shutil.copytree(FORD, example)
    head, _, steps = (FORD / "play.yaml").read_bytes().partition(b"steps:\n")
    short = head + b"steps:\n" + b"\n".join(steps.split(b"\n")[:3]) + b"\n"
    desk.file("example/play.yaml", data.draw(anything(short)))
    shutil.rmtree(desk.root / "demo", ignore_errors=True)
    assert_plain(desk("demo", "example", "--out", "demo", "--no-map"), "demo")


@FEW
@given(data=st.data())
def test_settings_of_a_game(desk: Desk, data: st.DataObject) -> None:
    desk.fresh("turn")
    desk.file("now/game.toml", data.draw(anything((desk.root / "turn.stage/game.toml").read_bytes())))
    for verb in ("status", "options", "render", "report"):
        desk.holds_out(verb, "now")
    assert desk("verify", "now").exit_code == 0


@FEW
@given(data=st.data())
def test_keys(desk: Desk, data: st.DataObject) -> None:
    desk.file("o.key", data.draw(anything((desk.root / "west.key").read_bytes())))
    desk.fresh("locked")
    desk.holds_out("go", "now", "--key", "o.key", "-o", "o.go")
    desk.file("o.pub", data.draw(anything((desk.root / "west.pub").read_bytes())))
    shutil.rmtree(desk.root / "begun", ignore_errors=True)
    assert_plain(desk("new", "alder-ford", "begun", "--seat", "east=Ann", "--seat", "west=Bob,o.pub"), "new")


# --- letters and archives


@FEW
@given(data=st.data())
def test_joins(desk: Desk, data: st.DataObject) -> None:
    good = (desk.root / "join.txt").read_bytes()
    typed = data.draw(anything(good))
    desk.file("o.txt", typed)
    desk.fresh("invited")
    answer = desk.holds_out("admit", "now", "o.txt")
    assert answer.exit_code == 1 or typed.split(b"-----BEGIN")[0] == good.split(b"-----BEGIN")[0]


@FEW
@given(data=st.data())
def test_goes(desk: Desk, data: st.DataObject) -> None:
    good = (desk.root / "go.txt").read_bytes()
    typed = data.draw(anything(good))
    desk.file("o.txt", typed)
    desk.fresh("locked")
    answer = desk.holds_out("submit", "o.txt", "--game", "now")
    assert answer.exit_code in (1, 3) or typed.split(b"-----BEGIN")[0] == good.split(b"-----BEGIN")[0]


@FEW
@given(data=st.data())
def test_records_states_and_logs(desk: Desk, data: st.DataObject) -> None:
    desk.fresh("played")
    names = sorted(
        name
        for name in inside(desk.root / "now")
        if not name.startswith(("mail/", "outbox/", "reports/", "told.json"))
    )
    name = data.draw(st.sampled_from(names))
    good = (desk.root / "now" / name).read_bytes()
    typed = data.draw(anything(good))
    desk.file(f"now/{name}", typed)
    for words in (
        ["status", "now"],
        ["report", "now"],
        ["render", "now"],
        ["replay", "now"],
        ["options", "now"],
        ["diff", "now", "game.zip"],
    ):
        desk.holds_out(*words)
    answer = desk.holds_out("verify", "now")
    if name == "keys/allowed_signers":  # may be shorter, never name another key
        lines = typed.replace(b"\r\n", b"\n").removesuffix(b"\n").split(b"\n") if typed else ()
        honest = set(lines) <= set(good.splitlines())
    else:
        honest = typed == good or name.startswith(("events/", "game.toml", "keys/"))
    assert (answer.exit_code == 0) == honest, name
    if answer.exit_code:
        desk.holds_out("resolve", "now")


@FEW
@given(data=st.data())
def test_zips(desk: Desk, data: st.DataObject) -> None:
    whole = (desk.root / "game.zip").read_bytes()
    if data.draw(st.booleans()):
        typed = data.draw(anything(whole))
    else:
        with zipfile.ZipFile(io.BytesIO(whole)) as packed:
            files = {name: packed.read(name) for name in packed.namelist()}
        name = data.draw(st.sampled_from(sorted(files)))
        other = data.draw(st.sampled_from([name, *NAMES]))
        files[other] = data.draw(anything(files.pop(name)))
        typed = zipped(files)
    desk.file("o.zip", typed)
    for words in (["verify"], ["status"], ["report"], ["options"]):
        assert_plain(desk(*words, "o.zip"), words)
    assert_plain(desk("diff", "o.zip", "game.zip"), "diff")
    assert_plain(desk("verify", "o.zip", "--with", "game.zip"), "verify --with")
    assert_plain(desk("join", "o.zip", "--key", "west.key"), "join")


def zipped(files: Mapping[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as packed:
            for name, data in files.items():
                packed.writestr(name, data)
    return buffer.getvalue()


# --- what was found once, at its smallest


@pytest.mark.parametrize("map_", [b"(", b"- a", b"[]", b'"x"', b"", b"map: alder-ford"])
def test_a_map_that_is_none_is_told_with_its_own_name(desk: Desk, map_: bytes) -> None:
    desk.file("own/fight.yaml", SCENARIO.read_bytes())
    desk.file("own/maps/alder-ford.yaml", map_)
    for words in (["scenario", "check", "own/fight.yaml"], ["map", "check", "own/maps/alder-ford.yaml"]):
        answer = desk(*words)
        assert answer.exit_code == 1
        assert answer.stderr.replace("\\", "/").startswith("own/maps/alder-ford.yaml:1:1: ")


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        (b"start: ", b"start: soon # ", "schema.pattern"),
        (b"after: 600 minutes", b"after: a while", "schema.pattern"),
        (b"after: 600 minutes", b"after: 99999999999999 minutes", "schema.pattern"),
        (b"{seat: east,", b"{seet: east,", "schema.unknown-key"),
        (b"file: s01", b"fil: s01", "schema.needs"),
        (b"file: s01", b"file: ../s01", "schema.pattern"),
        (b"steps:", b"options: [a, b]\nsteps:", "schema.type"),
    ],
)
def test_a_script_with_a_slip(desk: Desk, old: bytes, new: bytes, code: str) -> None:
    good = (FORD / "play.yaml").read_bytes()
    assert old in good
    desk.file("slip/play.yaml", good.replace(old, new))
    answer = desk("demo", "slip", "--out", "slipped", "--no-map")
    assert (answer.exit_code, code in answer.stderr) == (1, True), answer.output
    assert not (desk.root / "slipped").exists()
