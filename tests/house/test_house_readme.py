"""The README: its first game, typed line by line as it stands there, its length, and that it leads to every
page.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

import pytest
from click.testing import CliRunner
from house import ROOT

from pbem.cli import cli


def typed(page: str, heading: str = "") -> list[str]:
    """Return what stands in the blocks of a section (or a whole page) to be typed, in order."""
    text = (
        (ROOT / page).read_text("utf-8").partition(heading)[2]
        if heading
        else (ROOT / page).read_text("utf-8")
    )
    section = text.partition("\n## ")[0]
    return [line[4:] for line in section.splitlines() if line.startswith("    ")]


def uncommented(sheet: str) -> Iterator[str]:
    """Fill in the first section of an order sheet as a person does: to each figure one order, and a place
    that nobody else has.
    """
    taken: set[str] = set()
    lines = sheet.splitlines()
    listed: list[str] = []
    sections = 0
    figure = ""
    for n, line in enumerate(lines):
        sections += bool(re.fullmatch(r"[a-z-]+:", line))
        if not line.startswith("#- ") or sections > 1 or line.split()[1] == figure:
            yield line
            continue
        figure = line.split()[1]
        start, _, place = line[1:].rpartition(" ")
        own = re.findall(r"\b\d{4}\b", " ".join([place, *(more for more in rest_of(lines[n + 1 :]))]))
        listed = own if len(own) > 1 else listed
        free = [hex_ for hex_ in reversed(listed) if hex_ not in taken]
        if re.fullmatch(r"\d{4}", place):
            place = free[0]
            taken.add(place)
        yield f"{start} {place}"


def rest_of(lines: list[str]) -> Iterator[str]:
    """Yield the comment lines that go with an order."""
    for line in lines:
        if not line.startswith("#    "):
            return
        yield line


def pbem(line: str) -> str:
    """Type a command, and fill in the sheet where it makes one."""
    name, *words = shlex.split(line, comments=True)
    assert name == "pbem"
    answer = CliRunner().invoke(cli, words)
    assert answer.exit_code == 0, (words, answer.output)
    if words[0] == "options":
        sheet = Path(words[words.index("-o") + 1])
        text = "\n".join(uncommented(sheet.read_text("utf-8"))) + "\n"
        assert "\n- " in text, "there is nothing to order"
        sheet.write_text(text.replace("# luck: any words", "luck: any words of his; really any"), "utf-8")
    return answer.stdout


def answer_of_bob(text: str, number: int) -> None:
    """Put a letter of Bob's into the inbox, as his mail program writes an answer to the last letter that he
    got.
    """
    last = max(Path("games/post/out").glob("*-west.eml"), key=lambda path: path.stat().st_mtime_ns)
    got = message_from_bytes(last.read_bytes(), policy=policy.default)
    letter = EmailMessage(policy=policy.SMTP)
    letter["From"], letter["To"] = got["To"], got["From"]
    letter["Subject"], letter["Message-ID"], letter["In-Reply-To"] = (
        f"Re: {got['Subject']}",
        f"<{number}@bob.example>",
        got["Message-ID"],
    )
    letter.set_content(text)
    Path("games/inbox").mkdir(exist_ok=True)
    Path(f"games/inbox/{number}.eml").write_bytes(letter.as_bytes())


def begin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PBEM_HOME", str(tmp_path / "home"))


def test_every_line_of_the_first_game_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begin(tmp_path, monkeypatch)
    section = (ROOT / "README.md").read_text("utf-8").partition("## Your first game\n")[2]
    settings = section.partition("```toml\n")[2].partition("```")[0]
    assert len(settings.strip().splitlines()) == 6
    Path("games").mkdir()
    Path("games/pbem.toml").write_text(settings)
    letter: list[str] = []
    lines = typed("README.md", "## Your first game\n")
    assert {line.split()[1] for line in lines if line.startswith("pbem ")} == {
        "new",
        "run",
        "options",
        "submit",
        "verify",
    }
    for number, line in enumerate(lines):
        if line.startswith("> "):
            letter.append(line.removeprefix("> "))
            continue
        if letter:
            answer_of_bob("\n".join(letter) + "\n", number)
            letter = []
        said = pbem(line)
        assert "refused" not in said and "unused" not in said, said
        assert CliRunner().invoke(cli, ["next", "games"]).exit_code == 0
    assert said.startswith("PASS")
    reports = sorted(path.stem for path in Path("games/ford/reports").glob("s*.txt"))
    assert reports == ["s0001", "s0002"], "two moves were played"


def test_every_line_of_a_game_by_hand_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begin(tmp_path, monkeypatch)
    lines = typed("docs/by-hand.md")
    assert lines[-1].startswith("pbem verify mygame")
    for line in lines:
        said = pbem(line)
        if line.startswith("pbem lock"):
            assert "outbox/lock-s0002-west.txt" in said
    assert said.startswith("PASS")
    maps, reports = Path("mygame/maps"), Path("mygame/reports")
    assert all(
        (maps / f"{slot}.png").is_file() and (reports / f"{slot}.txt").is_file()
        for slot in ("s0001", "s0002")
    )


def test_the_readme_is_two_screens() -> None:
    lines = (ROOT / "README.md").read_text("utf-8").splitlines()
    assert len(lines) <= 100


def linked(page: Path) -> set[Path]:
    """Return the pages of the project that a page has links to."""
    targets = re.findall(r"\]\(([^)#:]+\.md)(?:#[^)]*)?\)", page.read_text("utf-8"))
    return {(page.parent / target).resolve() for target in targets}


def test_the_readme_leads_to_every_page() -> None:
    found, new = set(), {ROOT / "README.md"}
    while new:
        found |= new
        new = {page for known in new for page in linked(known)} - found
    assert set((ROOT / "docs").rglob("*.md")) <= found
