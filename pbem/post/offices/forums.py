"""The forums of an office: where each is, under which name one writes there, and how the password or key is
found.

Pure, like the rest of the settings; no secret is here. What an address has to be is decided here too: private
unless it is this machine, and that of the forum itself and not of one of its pages.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final
from urllib.parse import urlsplit

from msgspec import Struct, field

from pbem.core.problem import Problem
from pbem.core.regex import regex
from pbem.text.similar import did_you_mean

__all__ = ["Credential", "Forum", "Place", "forums_of", "is_near", "place_of", "problems"]

DISCOURSE, PHPBB = "discourse", "phpbb"
PASSWORD_COMMAND, PASSWORD_ENV, KEY_COMMAND, KEY_ENV = (
    "password_command",
    "password_env",
    "key_command",
    "key_env",
)
_WANTED: Final = {DISCOURSE: (KEY_COMMAND, KEY_ENV), PHPBB: (PASSWORD_COMMAND, PASSWORD_ENV)}
_NEAR: Final = regex(r"localhost|127(\.[0-9]{1,3}){3}|::1")
_PAGE: Final = {
    DISCOURSE: regex(r"/(?:t|c|u|latest|categories|posts|raw)(?:/.*|\.json)?$"),
    PHPBB: regex(r"/(?:[a-z_]{1,40}\.php(?:/.*)?)$"),
}
"""How the path of a page of a forum ends; what stands before it is that of the forum."""


class Credential(Struct, frozen=True):
    """How a password, a key or a token is found, never the secret itself: ``kind`` is the key in the file,
    ``how`` the command or name.
    """

    kind: str
    how: str


class Forum(Struct, frozen=True):
    """A forum: ``url`` without a slash at its end, ``user`` the name of the account, empty where it is only
    read.

    ``limits`` are numbers that its administrators changed, by the names that they have in ``forum.dialects``.
    """

    name: str
    software: str
    url: str
    user: str = ""
    credential: Credential | None = None
    limits: Mapping[str, int] = field(default_factory=dict)


class Place(Struct, frozen=True):
    """Where a game is played: the name of a forum, its number of the thread, and the name of each seat's
    player there.
    """

    forum: str
    topic: int
    authors: Mapping[str, str] = field(default_factory=dict)


def is_near(host: str) -> bool:
    """Tell whether a host is this machine, so that nobody listens on the way."""
    return _NEAR.fullmatch(host.lower()) is not None


def problems(data: Mapping[str, Any]) -> Iterator[Problem]:
    """Yield what is wrong with the forums of a file, and with the places of its games,
    whose forms are well.
    """
    forums = data.get("forums", {})
    for name, forum in forums.items():
        yield from _address(name, forum)
        given = [key for key in (KEY_COMMAND, KEY_ENV, PASSWORD_COMMAND, PASSWORD_ENV) if key in forum]
        wanted = _WANTED[forum["software"]]
        for key in given:
            if key not in wanted:
                yield Problem(
                    "office.forum-secret",
                    {"key": key, "first": wanted[0], "second": wanted[1]},
                    ("forums", name, key),
                    key=True,
                )
        if len(given) > 1 and all(key in wanted for key in given):
            yield Problem(
                "office.forum-two",
                {"first": given[0], "second": given[1]},
                ("forums", name, given[1]),
                key=True,
            )
        if given and "user" not in forum:
            yield Problem("office.forum-user", {}, ("forums", name, given[0]), key=True)
    for name, game in data.get("games", {}).items():
        place = game.get("forum")
        if place is not None and place not in forums:
            yield Problem(
                "office.no-forum",
                {"forum": place},
                ("games", name, "forum"),
                help=did_you_mean(place, forums),
            )
        seen: dict[str, str] = {}
        for seat, author in game.get("authors", {}).items():
            first = seen.setdefault(author.casefold(), seat)
            if first != seat:
                yield Problem(
                    "office.forum-author",
                    {"author": author, "first": first, "second": seat},
                    ("games", name, "authors", seat),
                )


def _address(name: str, forum: Mapping[str, Any]) -> Iterator[Problem]:
    where = ("forums", name, "url")
    try:
        parts = urlsplit(forum["url"])
        host = parts.hostname or ""
        bad = not host or parts.username is not None or (parts.port is not None and not parts.port)
    except ValueError:
        bad, host, parts = True, "", urlsplit("")
    if bad:
        yield Problem("office.forum-address", {}, where)
    elif parts.query or parts.fragment or _PAGE[forum["software"]].search(parts.path):
        path = _PAGE[forum["software"]].sub("", parts.path).rstrip("/")
        near = f"{parts.scheme}://{parts.netloc}{path}"
        yield Problem("office.forum-page", {}, where, help=f"did you mean '{near}'?")
    elif parts.scheme != "https" and not is_near(host):
        yield Problem("office.forum-plain", {"host": host}, where, help=f"https://{parts.netloc}{parts.path}")


def forums_of(data: Mapping[str, Any]) -> dict[str, Forum]:
    """Return the forums of a file that is well, by name."""
    return {name: _forum(name, said) for name, said in data.get("forums", {}).items()}


def _forum(name: str, said: Mapping[str, Any]) -> Forum:
    credential = next((Credential(key, said[key]) for key in _WANTED[said["software"]] if key in said), None)
    names = {"longest": "characters", "pictures": "pictures", "picture_bytes": "bytes", "between": "between"}
    limits = {to: said[key] for key, to in names.items() if key in said}
    return Forum(name, said["software"], said["url"].rstrip("/"), said.get("user", ""), credential, limits)


def place_of(said: Mapping[str, Any]) -> Place | None:
    """Return where a game is played, or None where it is on no forum."""
    if "forum" not in said:
        return None
    return Place(said["forum"], said["topic"], dict(said.get("authors", {})))
