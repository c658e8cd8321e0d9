"""Posting to a forum as a person does it: a folder with what to paste, pictures that the forum takes, and
what is typed wrong.
"""

from __future__ import annotations

import io
import json
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner, Result
from hunting_table import FIRST, HOUNDS, HuntingTable
from PIL import Image
from table import Table, pull

from pbem.cli import cli
from pbem.forum import bbcode_source
from pbem.forum.dialects import DIALECTS
from pbem.forum.proofline import find
from pbem.proof.ledger import read_ledger
from pbem.referee.forum.forum_posting import posting
from pbem.referee.game.game import open_archive
from pbem.referee.game.refusal import Refused

ROOT = Path(__file__).resolve().parents[2]
SCHEMAS = ROOT / "schemas/cli"
GAME = str(ROOT / "examples" / "alder-ford" / "archive.zip")
BARE = ("forum", "post", GAME, "--pictures", "0")


def run(*words: str) -> Result:
    return CliRunner().invoke(cli, list(words))


def fine(*words: str) -> str:
    result = run(*words)
    assert result.exit_code == 0, (words, result.output, result.exception)
    return result.stdout


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("forum") / "new" / "posts"
    said = fine("forum", "post", GAME, "--slot", "9", "-o", str(out))
    assert said == f"1 post is in {out}, 3 pictures beside; how-to-post.txt says what to do.\n"
    return out


def test_a_folder_holds_what_to_paste_and_pictures_that_the_forum_takes(folder: Path) -> None:
    assert sorted(path.name for path in folder.iterdir()) == [
        "how-to-post.txt",
        "post-1.txt",
        "slot-9-1.png",
        "slot-9-2.png",
        "slot-9-map.png",
    ]
    text = (folder / "post-1.txt").read_text()
    for index, name in enumerate(("slot-9-map.png", "slot-9-2.png", "slot-9-1.png")):
        assert f"[attachment={index}]{name}[/attachment]" in text
        data = (folder / name).read_bytes()
        assert len(data) <= 262_144
        with Image.open(io.BytesIO(data)) as picture:
            assert picture.format == "PNG" and 400 < picture.width <= 1400
            assert 10 < len(picture.info["Alt"]) <= 140
    how = (folder / "how-to-post.txt").read_text()
    assert "Title: Toll at the Alder Ford: turn 4, The Reeve of Westry\n" in how
    with Image.open(folder / "slot-9-2.png") as picture:
        assert f"  slot-9-2.png: {picture.info['Alt']}\n" in how
    order = [how.index(name) for name in ("slot-9-1.png", "slot-9-2.png", "slot-9-map.png", "Paste the text")]
    assert order == sorted(order)


def test_the_same_folder_may_be_written_again_and_no_other(folder: Path, tmp_path: Path) -> None:
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    fine("forum", "post", GAME, "--slot", "9", "-o", str(folder))
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before, (
        "the same game makes the same posts"
    )
    (tmp_path / "diary.txt").write_text("mine")
    result = run(*BARE, "-o", str(tmp_path))
    assert result.exit_code == 1
    assert f"there are already files in {tmp_path}, such as diary.txt" in result.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["diary.txt"]
    (tmp_path / "diary.txt").unlink()
    fine(*BARE, "--slot", "9", "-o", str(tmp_path))
    assert run(*BARE, "--slot", "8", "-o", str(tmp_path)).exit_code == 1, "posts of another turn are not lost"
    assert run(*BARE, "-o", str(tmp_path / "post-1.txt")).exit_code == 3


def test_what_is_told_stands_in_the_order_of_a_reader(folder: Path) -> None:
    text = (folder / "post-1.txt").read_text()
    wanted = [
        "[size=150][b]Toll at the Alder Ford: turn 4, The Reeve of Westry",
        "0 shots and 2 fights",
        "In short",
        "slot-9-1.png",
        "slot-9-map.png",
        "movement, turn 4",
        "melee, turn 4",
        "Every die of this phase",
        "Orders as they were used",
        "| - heilyn to 0909",
        "Checking this report",
        "gave for the dice:[/b] “seven drunken herons”",
        "pbem verify alder-ford-e1f00d.zip",
        "pbem proof: game alder-ford-e1f00d, slot 9, head",
        "[size=85]alder-ford-e1f00d, slot 9, post 1 of 1",
    ]
    wanted[11], wanted[12] = wanted[12], wanted[11]
    places = [text.index(part) for part in wanted]
    assert places == sorted(places)


def test_a_turn_can_be_read_on_a_telephone() -> None:
    text = fine(*BARE, "--slot", "9", "--as", "phpbb")
    dice = text.split("Every die of this phase[/b]\n[code]\n")[1].split("\n[/code]")[0].split("\n")
    assert len(dice) > 4 and max(map(len, dice)) <= 38
    orders = text.split("The Reeve of Westry: orders[/b]\n")[1]
    assert orders.startswith("[quote]| side: west\n"), "a box of code would show ten lines, and scroll"
    table = fine(*BARE, "--slot", "9", "--as", "discourse")
    assert "* **t4.west.melee/fight/siward/1**: die 5 of 10; " in table and "| --- |" not in table


def test_how_a_report_is_checked_is_said_once_in_a_thread() -> None:
    first, later = (fine(*BARE, "--slot", slot, "--as", "phpbb") for slot in ("1", "2"))
    for said in ("are a reconstruction, not the printed ones", "[code]\npbem verify alder-ford-e1f00d.zip"):
        assert said in first and said not in later
    assert (
        "with pbem verify alder-ford-e1f00d.zip. The report of the first turn in this thread says how"
        in later
    )


def test_each_turn_has_a_title_of_its_own() -> None:
    titles = [
        fine(*BARE, "--slot", str(slot), "--as", "phpbb").split("[/b]")[0].rpartition(": ")[2]
        for slot in (1, 2, 3, 4)
    ]
    assert titles[:3] == [
        "setup, The Reeve of Westry",
        "turn 1, The Reeve of Eastholt",
        "turn 1, The Reeve of Westry",
    ]
    assert len(set(titles)) == 4


def test_the_head_is_the_record_of_the_result_of_that_slot(folder: Path) -> None:
    read, _ = bbcode_source.lines((folder / "post-1.txt").read_text())
    (found,) = find(read)
    ledger = read_ledger(open_archive(Path(GAME))[0])
    (record,) = [one for one in ledger.records if one.record["type"] == "result" and one.record["slot"] == 9]
    assert (found.game, found.slot, found.head, found.quoted) == (ledger.game, 9, record.id, 0)


def test_a_game_that_is_over_says_first_who_has_won() -> None:
    text = fine(*BARE, "--as", "xenforo")
    assert text.startswith(
        "[HEADING=1]Toll at the Alder Ford: turn 10, The Reeve of Westry[/HEADING]\n\nThe game is over"
    )
    assert "points" in text.split("In short")[0]
    assert "Answer in this thread" not in text


@pytest.mark.parametrize("name", list(DIALECTS))
def test_it_is_printed_without_a_folder(name: str) -> None:
    text = fine(*BARE, "--as", name, "--slot", "5")
    assert ("[size=150]" in text) == (name == "phpbb")
    assert ("[SPOILER=" in text) == (name == "xenforo")
    assert ("[details=" in text) == (name == "discourse")
    assert ("[TABLE" in text) == (name in ("vbulletin", "xenforo"))


def test_long_turns_make_several_posts_and_pictures_come_from_an_address() -> None:
    words = (
        "forum",
        "post",
        GAME,
        "--slot",
        "9",
        "--as",
        "discourse",
        "--longest",
        "2500",
        "--pictures",
        "2",
    )
    data: dict[str, Any] = json.loads(
        fine(*words, "--pictures-at", "https://example.org/toll", "--picture-bytes", "60000", "--json")
    )
    jsonschema.validate(data, json.loads((SCHEMAS / "forum-post.schema.json").read_text()))
    assert len(data["posts"]) > 1
    assert [post["text"].splitlines()[0] for post in data["posts"]] == [
        f"## {post['title']}".replace("(", "(") for post in data["posts"]
    ]
    assert all(post["mark"] in post["text"] and post["pictures"] == [] for post in data["posts"])
    assert [picture["name"] for picture in data["pictures"]] == ["slot-9-1.png", "slot-9-map.png"]
    assert all(picture["bytes"] <= 60_000 for picture in data["pictures"])
    assert "](https://example.org/toll/slot-9-map.png)" in "".join(post["text"] for post in data["posts"])
    assert "Put these pictures where they are fetched from: https://example.org/toll" in data["steps"]
    assert "Wait 5 seconds between two posts; sooner the forum refuses." in data["steps"]
    assert "pbem proof" in data["posts"][-1]["text"]
    assert all("pbem proof" not in post["text"] for post in data["posts"][:-1])


@pytest.mark.parametrize(
    ("words", "answer", "said"),
    [
        ((*BARE, "--as", "phbb"), 2, "'phpbb', 'vbulletin', 'xenforo', 'discourse'"),
        ((*BARE, "--slot", "99"), 3, "slot 99"),
        ((*BARE, "--slot", "-1"), 3, "slot -1"),
        ((*BARE, "--seat", "north"), 1, "the seats are east, west"),
        ((*BARE, "--longest", "1999"), 1, "at least 2000"),
        ((*BARE, "--pictures-at", "maps"), 2, "such as https://example.org/maps"),
        ((*BARE, "--pictures-at", "https://a.b/[/img]\n"), 2, "is not an address"),
        ((*BARE, "--until", "tomorrow"), 2, "is not a moment"),
        ((*BARE, "--until", "2026-11-24T20:00"), 2, "does not say its zone"),
        (("forum", "post", "nowhere.zip"), 3, "nowhere.zip"),
        (("forum", "pots", GAME), 2, "pots"),
    ],
)
def test_what_is_typed_wrong_is_said(
    words: tuple[str, ...], answer: int, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = run(*words)
    assert result.exit_code == answer, result.output
    assert said in " ".join(result.output.split())
    assert "Traceback" not in result.output
    assert not list(tmp_path.iterdir())


def test_help_shows_examples() -> None:
    assert "pbem forum post toll" in fine("forum", "--help")
    assert "pbem forum post toll --as discourse" in fine("forum", "post", "--help")


# --- games that go on


def test_a_game_that_goes_on_says_whose_move_it_is_and_how_to_answer(table: Table) -> None:
    table.started(umpire=True, keyed=())
    table.orders("north", pull("north", "luck: seven drunken herons\nmessage: '[b]hello[/b] @south'\n"))
    table.resolve()
    until = datetime(2026, 11, 24, 20, 0, tzinfo=UTC)
    for dialect in DIALECTS.values():
        (draft,) = posting(table.open(), None, dialect, until=until).drafts
        assert "Now: Turn 1, South to move, by Tuesday 24 November 2026, 20:00 (UTC)." in draft.text
        assert "By Tuesday 24 November 2026, 20:00 (UTC)." in draft.text
        assert "| jeer:\n| - south-team jeers" in draft.text
        assert "[b]hello" not in draft.text.split("Orders as they were used")[0]
        assert "@south" not in draft.text.split("Orders as they were used")[0]
        assert len(draft.uploads) == 1, "a small map is read as a whole"
    (past,) = posting(table.open(), 1, dialect).drafts
    assert past.mark == draft.mark
    table.orders("south", "luck: a second heron\njeer:\n- south-team jeers\n")
    table.resolve()
    (past,) = posting(table.open(), 1, dialect).drafts
    assert "Now:" not in past.text and "Answer in this thread" not in past.text, (
        "of an old turn nobody is asked anything"
    )


def test_a_slot_that_was_taken_back_says_so(table: Table) -> None:
    table.started(umpire=True, keyed=())
    table.orders("north", pull("north", "luck: seven drunken herons\n"))
    table.resolve()
    game = table.open()
    assert "taken back" not in posting(game, 1, DIALECTS["phpbb"]).drafts[0].text
    game.ledger.slots[1].undone_by = 1
    assert "taken back later" in posting(game, 1, DIALECTS["phpbb"]).drafts[0].text


def test_orders_that_are_locked_and_secret_are_in_no_post(table: Table) -> None:
    table.started(umpire=True, keyed=())
    table.orders("north", pull("north", "luck: seven drunken herons\n"))
    table.resolve()
    before = posting(table.open(), 1, DIALECTS["phpbb"]).drafts[0].text
    table.orders("south", "jeer:\n- south-team jeers\nmessage: a secret\n")
    table.lock(deadline=True)
    after = posting(table.open(), 1, DIALECTS["phpbb"]).drafts[0].text
    assert "a secret" not in after
    assert "All orders are in, and the dice are rolled next." in after and "South to move" in before
    assert "Answer in this thread" not in after


def test_who_is_asked_for_words_is_told_how(table: Table) -> None:
    table.started()
    table.turn()
    for _ in range(6):
        (seat,) = table.open().announced()["waits"]
        table.orders(seat, pull(seat))
        if table.lock().asked:
            break
        table.resolve()
    (draft,) = posting(table.open(), None, DIALECTS["xenforo"]).drafts
    assert "to give words" in draft.text
    assert "[code]\n| luck: " in draft.text


def hunted(root: Path, order: str) -> HuntingTable:
    root.mkdir()
    game = HuntingTable(root).hunt()
    game.play(HOUNDS, FIRST)
    game.play("foxes", order)
    return game


def test_where_sides_know_different_things_there_is_no_post_for_all(tmp_path: Path) -> None:
    game = hunted(tmp_path / "a", "pad:\n- fox pads to 0604\n")
    with pytest.raises(Refused) as refused:
        posting(game.open(), None, DIALECTS["phpbb"])
    (problem,) = refused.value.problems
    assert problem.code == "forum.hidden" and "--seat" in problem.help
    mine = posting(game.open(), None, DIALECTS["phpbb"], seat=HOUNDS)
    theirs = posting(game.open(), None, DIALECTS["phpbb"], seat="foxes")
    assert "fox pads to 0604" in theirs.drafts[0].text
    assert "fox pads to 0604" not in mine.drafts[0].text
    assert "What Hounds may know, and nobody else" in mine.drafts[0].text
    assert "for hounds" in mine.drafts[0].mark != theirs.drafts[0].mark
    assert mine.pictures[0].data != theirs.pictures[0].data
    elsewhere = posting(
        hunted(tmp_path / "b", "pad:\n- fox pads to 0602\n").open(), None, DIALECTS["phpbb"], seat=HOUNDS
    )
    assert elsewhere.pictures == mine.pictures, "wherever the fox is, the hounds are shown the same"
    assert headless(elsewhere.drafts[0].text) == headless(mine.drafts[0].text)


def headless(text: str) -> str:
    """Return a post without the head of its history, which the orders of both sides have made."""
    return re.sub("[0-9a-f]{4}(?:-[0-9a-f]{4}){3}|(?:[0-9a-f]{8} ?){8}", "HEAD", text)
