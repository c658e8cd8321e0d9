"""The forums of an office: what they come to, and what is said of each mistake, without any secret that
stands where none belongs.
"""

from __future__ import annotations

import pytest

from pbem.post.offices import office
from pbem.post.offices.office import Credential, Forum, Office, Place
from pbem.store import library
from pbem.text import shape
from pbem.text.located import Located, locate, render

FORM = shape.load(library.schema("office"), text=False)
OFFICE = '[office]\nname = "Cass"\naddress = "orders@example.org"\n'
FORUM = (
    '[forums.club]\nsoftware = "discourse"\nurl = "https://forum.example.org/"\nuser = "cass"\nkey_env = '
    '"CLUB_KEY"\n'
)
GAME = '[games.ford]\nforum = "club"\ntopic = 1234\nauthors = { west = "Bob", east = "Anna B." }\n'


def read(text: str) -> tuple[Office | None, list[Located]]:
    found, source = office.read((OFFICE + text).encode(), "pbem.toml", FORM, ("en",))
    return found, locate(source, source.problems, library.common_words())


def told(text: str) -> list[str]:
    found, problems = read(text)
    assert found is None
    shown = "\n".join(map(render, problems))
    assert "hunter2" not in shown
    return [
        f"{problem.line}: {problem.message}{f' ({problem.help})' if problem.help else ''}"
        for problem in problems
    ]


def test_a_forum_and_the_place_of_a_game_are_read() -> None:
    found, problems = read(
        FORUM + "between = 30\nlongest = 20000\npictures = 1\npicture_bytes = 90000\n" + GAME
    )
    assert found is not None and problems == []
    limits = {"characters": 20_000, "pictures": 1, "bytes": 90_000, "between": 30}
    wanted = Forum(
        "club", "discourse", "https://forum.example.org", "cass", Credential("key_env", "CLUB_KEY"), limits
    )
    assert found.forums == {"club": wanted}
    assert found.game("ford").place == Place("club", 1234, {"west": "Bob", "east": "Anna B."})
    assert found.game("another").place is None


def test_a_game_without_deadlines_keeps_its_place() -> None:
    found, _ = read(FORUM + GAME.replace("[games.ford]\n", '[games.ford]\ndeadlines = "none"\n'))
    assert found is not None and found.game("ford").place == Place(
        "club", 1234, {"west": "Bob", "east": "Anna B."}
    )


def test_a_forum_that_is_only_read_needs_no_account() -> None:
    found, _ = read('[forums.club]\nsoftware = "phpbb"\nurl = "https://example.org/phpbb"\n')
    assert found is not None and found.forums["club"].credential is None


@pytest.mark.parametrize("url", ["http://127.0.0.1:8080/phpbb", "http://localhost", "http://[::1]:81/x"])
def test_this_machine_may_be_spoken_to_plainly(url: str) -> None:
    found, _ = read(f'[forums.club]\nsoftware = "phpbb"\nurl = "{url}"\n')
    assert found is not None


@pytest.mark.parametrize(
    ("software", "url", "message"),
    [
        (
            "discourse",
            "https://forum.example.org/t/our-game/1234",
            "(did you mean 'https://forum.example.org'?)",
        ),
        (
            "discourse",
            "https://example.org/forum/t/our-game/1234/17",
            "(did you mean 'https://example.org/forum'?)",
        ),
        (
            "phpbb",
            "https://example.org/phpbb/viewtopic.php?t=12",
            "(did you mean 'https://example.org/phpbb'?)",
        ),
        ("phpbb", "https://example.org/index.php", "(did you mean 'https://example.org'?)"),
        ("phpbb", "http://example.org/phpbb", "(https://example.org/phpbb)"),
        ("phpbb", "https:///x", "this is not the address of a forum"),
        ("phpbb", "https://[::1/x", "this is not the address of a forum"),
        ("phpbb", "https://example.org:99999/x", "this is not the address of a forum"),
        ("phpbb", "https://cass:hunter2@example.org/x", "this is not the address of a forum"),
        ("phpbb", "example.org/phpbb", "is not an address such as https://forum.example.org"),
        ("phpbb", "ftp://example.org/phpbb", "is not an address such as https://forum.example.org"),
    ],
)
def test_an_address_that_is_not_that_of_a_forum(software: str, url: str, message: str) -> None:
    (found, *more) = told(f'[forums.club]\nsoftware = "{software}"\nurl = "{url}"\n')
    assert message in found, found
    assert more == []


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        (
            FORUM + GAME.replace("club", "clubb"),
            10,
            "there is no forum 'clubb' in this file (did you mean 'club'?)",
        ),
        (FORUM + GAME.replace("topic = 1234\n", ""), 10, "'forum' also needs 'topic'"),
        (FORUM + GAME.replace("1234", '"1234"'), 11, "expected a whole number here"),
        (FORUM + GAME.replace("Anna B.", "bob"), 12, "bob would play both west and east"),
        (
            FORUM.replace("key_env", "key"),
            8,
            "'key' does not belong here: this file holds neither passwords nor keys",
        ),
        (FORUM.replace("key_env", "api_key"), 8, "'api_key' does not belong here: this file holds neither"),
        (FORUM.replace("key_env", "password"), 8, "'password' does not belong here"),
        (
            FORUM.replace("CLUB_KEY", "hunter2 and more"),
            8,
            "key_env holds the name of an environment variable",
        ),
        (
            FORUM.replace("key_env", "password_env"),
            8,
            "password_env is not what this software asks for: it takes key_command or key_env",
        ),
        (
            FORUM + 'key_command = "pass club"\n',
            8,
            "key_command and key_env both say where the secret is found; leave one of them",
        ),
        (
            FORUM.replace('user = "cass"\n', ""),
            7,
            "this is the secret of an account, and user does not say of which",
        ),
        (FORUM.replace("discourse", "disco"), 5, "'disco' is not one of discourse or phpbb"),
        (FORUM.replace("discourse", "xenforo"), 5, "'xenforo' is not one of discourse or phpbb"),
    ],
)
def test_what_is_wrong_is_said_where_it_stands(text: str, line: int, message: str) -> None:
    found = told(
        text.replace('"CLUB_KEY"', '"hunter2"')
        if "key_env" not in text and "password_env" not in text
        else text
    )
    assert any(one.startswith(f"{line}: ") and message in one for one in found), found
