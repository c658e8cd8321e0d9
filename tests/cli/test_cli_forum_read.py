"""Reading a thread as an umpire types it: what is shown, what is taken, what is typed wrong; and a thread
that is verified.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner, Result
from forum_table import SEATS, ForumTable, quote, words
from table import pull

from pbem.cli import cli

SCHEMAS = Path(__file__).resolve().parents[2] / "schemas" / "cli"
LUCK = "luck: seven drunken herons\n"


@pytest.fixture
def at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ForumTable:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PBEM_HOME", str(tmp_path / "home"))
    thread = ForumTable(tmp_path)
    thread.started(keyed=(), umpire=True)
    return thread


def typed(*given: str) -> Result:
    return CliRunner().invoke(cli, list(given))


def read(*given: str) -> Result:
    return typed("forum", "read", *given)


def facts(schema: str, *given: str) -> Any:
    found = json.loads(typed(*given, "--json").stdout)
    jsonschema.validate(found, json.loads((SCHEMAS / f"{schema}.schema.json").read_text("utf-8")))
    return found


def saved(at: ForumTable, name: str = "page.html") -> str:
    Path(name).write_bytes(at.forum.page())
    return name


def move(at: ForumTable) -> str:
    return str(at.open().announced()["waits"][0])


def test_what_a_page_holds_is_shown(at: ForumTable) -> None:
    seat = move(at)
    at.post("Cass", html=words("Your move."))
    at.post(SEATS[seat], "pull:\n• " + pull(seat).splitlines()[1][2:] + "\n", edited="Sun Feb 01 2026")
    at.post("Mallory", html=quote(SEATS[seat], pull(seat)) + "ha")
    answer = read(saved(at))
    assert answer.exit_code == 0
    lines = answer.stdout.splitlines()
    assert lines[0] == "page.html: phpbb 'Tug', 3 posts"
    account = {"north": "7", "south": "12"}[seat]
    (mine,) = [line for line in lines if line.startswith("#2 ")]
    assert (
        mine.startswith(f"#2 {SEATS[seat]} ({account}), 2026-02-01T")
        and ", edited Sun Feb" in mine
        and mine.endswith(": orders")
    )
    assert f"  | - {seat}-team pulls" in lines
    assert any("was read as -" in line for line in lines)
    assert not Path("game/forum").exists()
    found = facts("forum-read", "forum", "read", "page.html")
    assert [post["found"] for post in found["posts"]] == ["nothing", "orders", "nothing"]
    assert found["steps"] == []


def test_orders_are_checked_at_their_place_in_the_post(at: ForumTable) -> None:
    seat = move(at)
    at.post("Cass", html=words("Your move."))
    at.post(SEATS[seat], "pull:\n- nobody pulls\n")
    page = saved(at)
    answer = read(page, "--game", "game", "--author", f"{seat}={SEATS[seat]}")
    assert answer.exit_code == 1
    problem, line, mark = answer.stderr.splitlines()[:3]
    assert problem.startswith(f"post #2 by {SEATS[seat]}, line 3, column 3: ")
    assert (line, mark[:7]) == ("    - nobody pulls", "      ^")
    assert "Cass does not play here; --author SEAT=NAME says whose posts are whose" in answer.stdout
    assert not Path("game/forum").exists(), "nothing is stored without --take"
    found = facts("forum-read", "forum", "read", page, "--game", "game", "--author", f"{seat}={SEATS[seat]}")
    (wrong,) = found["posts"][1]["wrong"]
    assert (wrong["file"], wrong["line"], wrong["column"]) == (f"post #2 by {SEATS[seat]}", 3, 3)


def test_taking_in_and_what_was_read_before(at: ForumTable) -> None:
    seat = move(at)
    at.post(SEATS[seat], pull(seat) + LUCK)
    at.post("Mallory", html=words("Hello"))
    page, author = saved(at), ("--author", f"{seat}={SEATS[seat]}")
    answer = read(page, "--game", "game", "--take", *author)
    assert answer.exit_code == 0, answer.output
    out = [line.split()[0] for line in answer.stdout.splitlines()]
    assert out == ["stranger", "taken", "answered", "locked", "1"]
    assert answer.stdout.splitlines()[-1] == "1 answer is to be posted: see game/outbox."
    (written,) = Path("game/outbox").glob("forum-*.txt")
    assert str(written.relative_to("game")) in answer.stdout
    assert read(page, "--game", "game", "--take").stdout == "Nothing is new.\n"
    at.edit(1, pull(seat) + LUCK.replace("seven", "eight"))
    page = saved(at)
    assert "[read before: edited]" in read(page, "--game", "game").stdout
    found = facts("forum-read", "forum", "read", page, "--game", "game", "--take")
    assert [(step["what"], step["trouble"]) for step in found["steps"]] == [("edited", True)]
    assert read(page, "--game", "game", "--take").exit_code == 0


def test_what_needs_the_umpire_is_answered_with_3(at: ForumTable) -> None:
    seat = move(at)
    at.post(SEATS[seat].upper() + ".", pull(seat))
    answer = read(saved(at), "--game", "game", "--take", "--author", f"{seat}={SEATS[seat]}")
    assert answer.exit_code == 3
    assert answer.stderr.startswith("not-done  post #1 by ")
    assert "looks like" in answer.stderr


@pytest.mark.parametrize(
    ("given", "answer", "said"),
    [
        (("page.html", "--take"), 2, "--take and --author belong to a game"),
        (("page.html", "--author", "north=Nora"), 2, "--take and --author belong to a game"),
        (("page.html", "--game", "game", "--author", "Nora"), 2, "'Nora' is not SEAT=NAME"),
        (("page.html", "--game", "game", "--author", "east=Nora"), 1, "game.seat"),
        (
            ("page.html", "--game", "game", "--author", "north=Nora", "--author", "south=nora"),
            1,
            "are already those of north",
        ),
        (("page.html", "--game", "nowhere"), 3, "game.missing"),
        (("nowhere.html",), 3, "nowhere.html"),
        (("game",), 3, "game"),
        (("empty.html",), 3, "there is nothing in empty.html"),
        (("words.txt",), 0, "does not say who wrote it"),
        ((), 2, "Missing argument 'PAGE...'"),
        (("page.html", "--tke"), 2, "No such option"),
    ],
)
def test_what_is_typed_wrong_is_said(at: ForumTable, given: tuple[str, ...], answer: int, said: str) -> None:
    at.post("Nora", html=words("Hello"))
    saved(at)
    Path("empty.html").write_bytes(b"")
    Path("words.txt").write_text("Hello, all of you.\n")
    result = read(*given)
    assert (result.exit_code, said in " ".join(result.output.split())) == (answer, True), result.output
    assert "Traceback" not in result.output
    assert not Path("game/forum").exists()


def test_a_name_moves_no_cursor(at: ForumTable) -> None:
    at.post("\x1b[2J\x9b<b>Dag</b>\u202e", pull(move(at)), uid="31")
    page = saved(at)
    for answer in (read(page), read(page, "--game", "game"), read(page, "--game", "game", "--take")):
        assert "\x1b" not in answer.output and "\u202e" not in answer.output and "\x9b" not in answer.output


def test_help_shows_examples() -> None:
    assert "pbem forum read thread-2.html --game toll --take" in read("--help").stdout
    assert "--thread" in typed("verify", "--help").stdout


# --- verify --thread


@pytest.fixture
def told(at: ForumTable) -> ForumTable:
    for number in range(2):
        seat = move(at)
        at.orders(seat, pull(seat) + f"luck: seven drunken herons {number}\n")
        at.resolve()
        at.report()
    return at


def test_a_thread_is_verified(told: ForumTable) -> None:
    page = saved(told)
    answer = typed("verify", "game", "--thread", page)
    assert answer.exit_code == 0, answer.output
    lines = answer.stdout.splitlines()
    assert lines[0].startswith("ONE STORY  tug-0a1b2c   head ") and lines[0].endswith("   2 turns told")
    assert [line.split()[1] for line in lines[1:]] == ["1", "2"] and all(
        line.endswith("  same") for line in lines[1:]
    )
    Path("other.html").write_bytes(told.forum.page(told.forum.posts[:1]))
    assert typed("verify", "game", "--thread", "other.html", page).stdout == answer.stdout
    assert typed("verify", "game", "--thread", "other.html", "--thread", page).stdout == answer.stdout
    assert facts("verify-thread", "verify", "game", "--thread", page)["first"] is None


def test_the_post_that_tells_another_story_is_named(told: ForumTable) -> None:
    page = saved(told)
    mine = facts("verify-thread", "verify", "game", "--thread", page)["told"][1]["head"]
    groups = " ".join(mine[at : at + 8] for at in range(0, 64, 8)).encode()
    changed = groups[:-1] + (b"0" if groups[-1:] != b"0" else b"1")
    assert groups in Path(page).read_bytes()
    Path(page).write_bytes(Path(page).read_bytes().replace(groups, changed))
    answer = typed("verify", "game", "--thread", page)
    assert answer.exit_code == 1
    lines = answer.stdout.splitlines()
    assert lines[0].startswith("ANOTHER STORY  tug-0a1b2c")
    assert lines[1] == "The first that tells another story: post #2 by Cass, slot 2."
    assert lines[2:4] == [f"  the post:  {changed.decode().replace(' ', '')}", f"  this copy: {mine}"]
    assert lines[5].startswith("! slot 2    post #2 by Cass  ") and lines[5].endswith("  OTHER")
    assert facts("verify-thread", "verify", "game", "--thread", page)["first"] == 1


def test_a_thread_that_tells_nothing_cannot_decide(told: ForumTable) -> None:
    told.forum.posts = []
    told.post("Nora", html=words("Well done."))
    answer = typed("verify", "game", "--thread", saved(told))
    assert (answer.exit_code, answer.stdout.splitlines()[0][:13]) == (3, "CANNOT DECIDE")
    assert "No post tells a head of this game in its author's own words." in answer.stdout
    assert facts("verify-thread", "verify", "game", "--thread", "page.html")["answer"] == 3


def test_verify_typed_wrong(told: ForumTable) -> None:
    page = saved(told)
    for given, answer, said in (
        (("verify", "game", page), 2, "pages of a thread stand behind --thread"),
        (("verify", "--thread", page), 2, "name a game"),
        (("verify", "game", "--thread", page, "--with", "game"), 2, "one at a time: --with or --thread"),
        (("verify", "game", "--thread", "nowhere.html"), 3, "nowhere.html"),
        (("verify", "nowhere", "--thread", page), 3, "nowhere"),
        (("verify", page, "--thread", page), 3, "zip.no-zip"),
        (("verify", "--all", ".", "--thread", page), 2, "one at a time"),
    ):
        result = typed(*given)
        assert (result.exit_code, said in " ".join(result.output.split())) == (answer, True), (
            given,
            result.output,
        )
