"""Letters in the language of their reader: in a language made of English nothing that is said stands outside of
its sentences, and nobody else reads a word of it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from office_table import OfficeTable, Sent
from pseudo_language import OPEN, outside, speak
from table import pull

import pbem
from pbem.core.regex import regex
from pbem.text.words import in_force

HIS = "nora@example.org"
STAYS: tuple[tuple[str, str], ...] = (
    (r"pbem: please write above this line", "the mark: a language has one where quotations are read"),
    (r"\(code [a-z0-9]{4}-[a-z0-9]{4}\)", "by which an answer is known"),
    (r"A rope across the yard|\b(?:North|South)\b|the knot", "names, as the scenario has them"),
    (r"tug-0a1b2c", "the name of the game"),
    (r"\b[0-9a-f]{4}(?:-[0-9a-f]{4}){3}\b", "a digest"),
    (r"^\W*(?:game|seat|turn): .*", "keys of an order file"),
    (
        r"^\W*(?:jeer|pull):.*|\b(?:north|nroth)-team(?: (?:jeers|pulls|rests))?\b",
        "orders, one language for all",
    ),
    (r"^t1\.north\.[a-z/-]+|^knot\b", "the name of a die, by which everybody can roll it; an id"),
    (r"Re: ", "in front of what is answered"),
    (r"\b(?:my|your) move|luck: seven drunken herons", "his own words"),
    (r"^\* Began \(turn: 1, side: \)", "an event that this toy has no sentence for"),
)
"""What stands outside of sentences, and why."""
_STAYS = regex("|".join(one for one, _ in STAYS))


@pytest.fixture(name="office")
def office_fixture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> OfficeTable:
    """Return an office whose first player reads the language."""
    speak(monkeypatch)
    office = OfficeTable(tmp_path)
    toml = office.root / "pbem.toml"
    toml.write_text(toml.read_text().replace('name = "North"', 'name = "North"\nlanguage = "xx"'))
    office.started(keyed=(), umpire=True)
    office.round()
    return office


def play(office: OfficeTable) -> None:
    """Write mistakes, a request and orders as the reader of it, and let him be reminded and asked."""
    for body in (pull("nroth"), "May I have 2 days more?\n"):
        office.letter("north", body, f"AW: my move (code {office.code('north')})")
        office.round()
    office.later(days=2.5)
    office.round()
    for body in (pull("north"), pull("north", "luck: seven drunken herons\n")):
        office.letter("north", body)
        office.round()
    office.letter("south", "luck: a goat\n")
    office.round()


def texts(sent: Sent) -> Iterator[str]:
    """Yield the subject, the text and the order sheets of a letter."""
    yield from (sent.subject, sent.text)
    for part in sent.message.iter_attachments():
        if str(part.get_filename()).endswith(".yaml"):
            data = part.get_content()
            yield data if isinstance(data, str) else data.decode()


def test_everything_that_is_said_to_a_reader_is_in_his_language_and_nothing_to_anybody_else(
    office: OfficeTable,
) -> None:
    play(office)
    assert in_force() == "en"
    his = [sent for sent in office.queued() if sent.to.endswith(f"<{HIS}>")]
    kinds = {sent.key.partition("-")[0] for sent in his}
    assert kinds >= {"turn", "reply", "remind", "lapsed"}
    said = "".join(text for sent in his for text in texts(sent))
    for sentence in ("⟦Not accepted: ", "⟦Accepted as a draft: ", "⟦That has lapsed⟧", "⟦turn 1⟧"):
        assert sentence in said
    left = {
        (sent.key, line)
        for sent in his
        for text in texts(sent)
        for line in outside(text)
        if any(sign.isalpha() for sign in _STAYS.sub("", line))
    }
    assert left == set()
    others = [sent for sent in office.queued() if sent not in his]
    assert others and not [sent.key for sent in others if OPEN in sent.message.as_string()]
    page = his[0].message.get_body(("html",))
    assert page is not None and '<html lang="xx">' in page.get_content()


def test_what_stands_in_the_game_is_english(office: OfficeTable) -> None:
    play(office)
    for path in office.game.rglob("*"):
        assert not path.is_file() or OPEN.encode() not in path.read_bytes(), path


def test_the_umpire_is_told_in_the_language_of_his_office_and_players_in_theirs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    speak(monkeypatch)
    office = OfficeTable(tmp_path)
    toml = office.root / "pbem.toml"
    text = toml.read_text().replace('zone = "Europe/Berlin"', 'digest = "07:00"\nlanguage = "xx"', 1)
    toml.write_text(text.replace('address = "nora', 'language = "en"\naddress = "nora'))
    office.started(keyed=(), umpire=True)
    office.round()
    office.letter("north", "May I have 2 days more?\n")
    office.letter("north", "Who are you?\n", "hello", sender="stranger@example.com")
    office.round()
    office.later(days=5)
    office.round()
    assert in_force() == "en"
    of = {sent.key.partition("-")[0]: sent for sent in office.queued() if "cass@" in sent.to}
    assert of.keys() == {"decide", "digest", "missed", "trouble"}
    for sent in of.values():
        assert sent.subject.count(OPEN) and sent.text.count(OPEN) > 2, sent.key
    for sent in office.queued():
        if HIS in sent.to:
            assert OPEN not in sent.message.as_string(), sent.key
        elif "sam@" in sent.to:
            assert OPEN in sent.text, sent.key
    for path in office.game.rglob("*"):
        assert not path.is_file() or OPEN.encode() not in path.read_bytes(), path


def test_no_language_is_put_in_force_around_a_yield() -> None:
    """What whoever iterates says in between would be in it too; a context manager is one that yields so."""
    for path in Path(pbem.__file__).parent.rglob("*.py"):
        source = path.read_text("utf-8")
        for node in ast.walk(ast.parse(source)) if "speaking" in source else ():
            if isinstance(node, ast.With) and any("speaking(" in ast.unparse(one) for one in node.items):
                yields = [one for one in ast.walk(node) if isinstance(one, ast.Yield | ast.YieldFrom)]
                assert not yields or path.name == "game.py", f"{path}:{node.lineno}"
