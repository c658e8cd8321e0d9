"""Posting and fetching from the command line: a game whose office names a forum, and what is typed wrong on
the way.
"""

from __future__ import annotations

import json
import shutil
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import jsonschema
import pytest
from click.testing import CliRunner, Result
from hunting_table import FIRST, HOUNDS, HuntingTable
from table import Table, pull

from pbem.cli import cli
from pbem.forum.thread import DISCOURSE, PHPBB

sys.path.append(str(Path(__file__).resolve().parents[1] / "forum"))
from forum_servers import KEY, PASSWORD, TOPIC, USER, Clock, DiscourseDoor, PhpbbDoor, World, serving

OFFICE = """[office]
name = "Cass"
address = "orders@example.org"

[forums.club]
software = "{software}"
url = "{url}"
user = "cass"
{key}_env = "CLUB_SECRET"
between = 1

[games.tug-0a1b2c]
forum = "club"
topic = {topic}
authors = {{ north = "Ann", south = "Bob" }}
"""


SCHEMAS = Path(__file__).resolve().parents[2] / "schemas/cli"


def run(*words: object) -> Result:
    result = CliRunner().invoke(cli, list(map(str, words)))
    assert "hunter2" not in result.output and "Traceback" not in result.output
    return result


def facts(result: Result, schema: str) -> dict[str, object]:
    found: dict[str, object] = json.loads(result.stdout)
    jsonschema.validate(found, json.loads((SCHEMAS / f"{schema}.schema.json").read_text()))
    return found


class Club:
    def __init__(self, table: Table, software: str, url: str, world: World) -> None:
        self.table, self.software, self.url, self.world = table, software, url, world
        self.game = table.game
        self.write()

    def write(self, was: str = "", now: str = "") -> None:
        key = "key" if self.software == DISCOURSE else "password"
        text = OFFICE.format(software=self.software, url=self.url, key=key, topic=TOPIC)
        assert was in text
        (self.table.root / "pbem.toml").write_text(text.replace(was, now) if was else text)


@pytest.fixture(params=[DISCOURSE, PHPBB])
def club(request: pytest.FixtureRequest, table: Table, monkeypatch: pytest.MonkeyPatch) -> Iterator[Club]:
    table.started(umpire=True, keyed=())
    table.orders("north", pull("north", "luck: seven drunken herons\n"))
    table.resolve()
    world = World(Clock())
    world.store("Ann", "Hello")
    monkeypatch.setattr(time, "sleep", world.clock.sleep)
    monkeypatch.setenv("PBEM_HOME", str(table.root / "home"))
    monkeypatch.setenv("CLUB_SECRET", KEY if request.param == DISCOURSE else PASSWORD)
    with serving(DiscourseDoor if request.param == DISCOURSE else PhpbbDoor, world) as url:
        yield Club(table, request.param, url, world)


def test_a_turn_goes_to_its_thread_and_comes_back(club: Club) -> None:
    sent = run("forum", "post", club.game, "--send", "--pictures", "0")
    assert (
        sent.exit_code == 0
        and sent.output == "posted   the post: it is in the thread, number 102 of the forum\n"
    )
    (post,) = club.world.posts[1:]
    assert post.author == USER and "tug-0a1b2c, slot 1, post 1 of 1, head " in post.text
    again = run("forum", "post", club.game, "--send", "--pictures", "0", "--json")
    said = "the post: it was already in the thread, number 102 of the forum"
    assert facts(again, "forum-send") == {"steps": [{"what": "stands", "game": "tug-0a1b2c", "said": said}]}
    assert len(club.world.posts) == 2

    fetched = run("forum", "fetch", club.game)
    assert fetched.exit_code == 0, fetched.output
    first, second = fetched.output.splitlines()
    assert first == "game: 1 page with something new, 0 without."
    words = second.removeprefix("Now: pbem ").split()
    assert words[:2] == ["forum", "read"]
    read = run(*words[:-1], "--json")
    assert [one["author"] for one in json.loads(read.output)["posts"]] == ["Ann", "cass"]
    assert (
        run("forum", "fetch", "--office", club.table.root).output
        == "game: 0 pages with something new, 1 without.\n"
    )
    every = run("forum", "fetch", "--office", club.table.root, "--all", "--json")
    assert facts(every, "forum-fetch") == {
        "games": [{"game": "tug-0a1b2c", "new": [], "known": 1, "left": 0, "trouble": []}]
    }


def test_what_is_kept_of_a_forum_is_no_part_of_the_proof(club: Club, tmp_path: Path) -> None:
    run("forum", "post", club.game, "--send", "--pictures", "0")
    run("forum", "fetch", club.game)
    assert (club.game / "forum" / "pages").is_dir() and list((club.game / "forum" / "posts").glob("*.json"))
    assert run("pack", club.game, tmp_path / "a.zip").exit_code == 0
    shutil.rmtree(club.game / "forum")
    assert run("pack", club.game, tmp_path / "b.zip").exit_code == 0
    assert (tmp_path / "a.zip").read_bytes() == (tmp_path / "b.zip").read_bytes()


def refused(result: Result, *said: str) -> None:
    assert result.exit_code in (1, 2, 3), result.output
    for words in said:
        assert words in result.output, result.output


def test_what_is_typed_wrong(club: Club, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    send = ("forum", "post", club.game, "--send", "--pictures", "0")
    club.write('forum = "club"', 'forum = "clubb"')
    refused(run(*send), "there is no forum 'clubb' in this file", "did you mean 'club'?")
    club.write("[games.tug-0a1b2c]", "[games.another]")
    refused(
        run(*send),
        "does not say on which forum tug-0a1b2c is played",
        '[games.tug-0a1b2c] with forum = "club" and topic = NUMBER',
    )
    refused(run("forum", "fetch", club.game), "does not say on which forum tug-0a1b2c is played")
    assert (
        run("forum", "fetch", "--office", club.table.root).output
        == "No game of this office is played on a forum.\n"
    )
    club.write(f"topic = {TOPIC}", "topic = 4711")
    refused(run(*send), "there is no thread 4711 at 127.0.0.1 that cass may read")
    refused(run("forum", "fetch", club.game), "there is no thread 4711 at 127.0.0.1")
    club.write(club.url, "http://127.0.0.1:9")
    refused(run(*send), "trouble  127.0.0.1 cannot be reached")
    club.write(club.url, "http://forum.example.org")
    refused(run(*send), "use https for forum.example.org")
    key = "key_env" if club.software == DISCOURSE else "password_env"
    club.write(f'{key} = "CLUB_SECRET"\n')
    (club.table.root / "pbem.toml").write_text(
        (club.table.root / "pbem.toml").read_text().replace(f'{key} = "CLUB_SECRET"\n', "")
    )
    refused(run(*send), "pbem.toml names no account of the forum club", f"user and {key} or")
    club.write()
    monkeypatch.delenv("CLUB_SECRET")
    refused(run(*send), "there is no password in the environment variable CLUB_SECRET")
    monkeypatch.setenv("CLUB_SECRET", "wrong hunter2")
    refused(run(*send), "rejected the login of cass" if club.software != DISCOURSE else "does not let cass")
    refused(
        run(*send, "--as", "xenforo"), f"pbem.toml says that club is {club.software}; leave --as xenforo out"
    )
    refused(run("forum", "post", club.game, "--held", "there"), "--office and --held belong to --send")
    refused(run("forum", "fetch"), "name a game, or an office with --office")
    (club.table.root / "pbem.toml").rename(tmp_path / "elsewhere.toml")
    refused(
        run(*send),
        "is not in an office, so nothing says which forum it is played on",
        "a file pbem.toml beside the game",
    )
    assert len(club.world.posts) == 1


def test_a_game_in_one_file_cannot_keep_what_was_posted(club: Club, tmp_path: Path) -> None:
    archive = tmp_path / "toll.zip"
    run("pack", club.game, archive)
    refused(run("forum", "post", archive, "--send", "--office", club.table.root), "toll.zip")
    assert len(club.world.posts) == 1


def test_a_broken_game_is_told_and_the_others_are_fetched(club: Club) -> None:
    broken = club.table.root / "broken"
    (broken / "ledger").mkdir(parents=True)
    result = run("forum", "fetch", "--office", club.table.root)
    assert (
        result.exit_code == 3
        and "broken: " in result.output
        and "game: 1 page with something new" in result.output
    )


def test_orders_in_the_thread_come_back_and_are_taken_under_the_names_in_the_settings(club: Club) -> None:
    """Round about: the turn goes out, a player answers in the thread, the page is fetched,
    the orders are in.
    """
    run("forum", "post", club.game, "--send", "--pictures", "0")
    orders = "luck: a second heron\njeer:\n- south-team jeers\n"
    club.world.store("Stranger", orders)
    club.world.store("Bob", orders)
    fetched = run("forum", "fetch", club.game)
    words = fetched.output.splitlines()[1].removeprefix("Now: pbem ").split()
    assert words[-1] == "--take"
    taken = run(*words, "--json")
    steps = json.loads(taken.output)["steps"]
    assert [(one["author"], one["seat"]) for one in steps if one["what"] == "taken"] == [("Bob", "south")], (
        steps
    )


def test_what_one_side_may_know_is_not_sent_to_the_thread_of_all(tmp_path: Path) -> None:
    hunt = HuntingTable(tmp_path).hunt()
    hunt.play(HOUNDS, FIRST)
    id_ = hunt.open().id
    text = OFFICE.format(software=PHPBB, url="http://127.0.0.1:9", key="password", topic=TOPIC).replace(
        "tug-0a1b2c", id_
    )
    (tmp_path / "pbem.toml").write_text(text.partition("authors")[0])
    for more in ([], ["--seat", "foxes"]):
        refused(run("forum", "post", hunt.game, "--send", *more), f"the sides of {id_} know different things")
