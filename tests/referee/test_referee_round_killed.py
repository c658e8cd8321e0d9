"""The round is killed before each effect on disk: the next one completes it, and nothing is lost, told twice
or played twice.
"""

from __future__ import annotations

import json
import shutil
from contextlib import suppress
from pathlib import Path

import pytest
from killing import everywhere
from office_table import OfficeTable
from table import pull

from pbem.referee.game.refusal import Refused
from pbem.referee.mail.umpire_word import end, reopen, say, substitute
from pbem.referee.proving.verify import verify


def kept(office: OfficeTable) -> tuple[list[str], list[str], list[object]]:
    """Return what a round leaves behind: the letters queued by their keys, the records of the game, what
    became of each letter.
    """
    records = [
        f"{read.record['type']} {read.record.get('slot', '')}" for read in office.open().ledger.records
    ]
    return (
        sorted(path.stem for path in office.outbox()),
        records,
        sorted(str(outcome) for outcome in office.outcomes()),
    )


@pytest.mark.parametrize(
    "kind", ["orders", "join", "late", "words", "changes", "substitute", "end", "asks", "confirms", "decides"]
)
def test_killed_between_any_two_steps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    root = tmp_path / "office"
    root.mkdir()
    office = OfficeTable(root)
    if kind == "join":
        office.new(keyed=(), umpire=True)
        office.round()
        for seat in ("north", "south"):
            office.letter(seat, "Yes, I play")
    else:
        office.started(keyed=(), umpire=True)
        office.round()
        seat = str(office.open().announced()["waits"][0])
        if kind == "late":
            office.later(days=9)
            office.letter(seat, pull(seat) + "luck: much too late for that\n")
        elif kind == "words":
            # What goes to the umpire: somebody's words, a program that answers, a stranger.
            office.letter(seat, "Could I have three more days, please?\n")
            office.letter(seat, "I am away.\n", "Out of office: your move", Auto_Submitted="auto-replied")
            office.letter("south", "Hello?\n", sender="mallory@example.net")
        elif kind == "substitute":
            toml = root / "pbem.toml"
            toml.write_text(toml.read_text() + '[players.carl]\naddress = "carl@example.com"\n')
            say(office.env, office.game, "be kind")
            substitute(office.env, office.game, "he moves", seat, "carl")
        elif kind == "asks":
            office.letter(seat, "I am away from 2026-12-01 to 2026-12-03. Could I have 2 more days?\n")
            office.letter(seat, "I resign.\n")
        elif kind == "confirms":
            office.letter(seat, "I resign.\n")
            office.round()
            office.letter(seat, "yes\n", office.newest("confirm-").subject)
        elif kind == "decides":
            office.letter(seat, "Could I have 2 more days?\n")
            office.letter(seat, "Could I have 3 more days?\n")
            office.round()
            for ask, word in zip(office.queued("decide-"), ("yes", "no"), strict=True):
                office.letter(seat, f"{word}\n", ask.subject, sender="cass@example.org")
        elif kind == "end":
            end(office.env, office.game, "it is late", "adjudicated", "draw")
        elif kind == "changes":
            toml = root / "pbem.toml"
            text = (
                toml.read_text().replace("nora@example.org", "nora@example.com").replace("3 days", "5 days")
            )
            text += '[players.carl]\naddress = "carl@example.com"\n'
            toml.write_text(f'{text}[games.{office.open().id}]\nseats = {{ south = "carl" }}\n')
        else:
            office.letter(seat, "pull:\n- nobody pulls\n")
            office.letter(seat, pull(seat) + "luck: seven drunken herons\n")
    before = tmp_path / "before"
    shutil.copytree(root, before, symlinks=True)
    count = office.count

    def begin() -> None:
        shutil.rmtree(root)
        shutil.copytree(before, root, symlinks=True)
        office.count = count

    office.round()
    wanted = kept(office)

    def look() -> None:
        # Whoever does nothing changes nothing, so a further round would do nothing either.
        assert [] in (office.round() for _ in range(4)), "a round that has nothing left to do"
        assert kept(office) == wanted
        assert verify(office.game).failures == ()

    begin()
    # That a file is there whole or not at all is tried in tests/store; so here what counts is whether it has
    # its name already.
    assert everywhere(monkeypatch, office.round, begin, look, ("rename", "move", "remove", "lock")) >= (
        {"changes": 10, "substitute": 10, "end": 8}.get(kind, 20)
    )


@pytest.mark.parametrize("kind", ["end", "reopen", "substitute"])
def test_a_word_that_is_killed_was_given_or_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """After a word that was cut short the umpire types it again: it stands once, and the result beside it."""
    root = tmp_path / "office"
    root.mkdir()
    office = OfficeTable(root)
    toml = root / "pbem.toml"
    toml.write_text(toml.read_text() + '[players.carl]\naddress = "carl@example.com"\n')
    office.started(keyed=(), umpire=True)
    if kind == "reopen":
        end(office.env, office.game, "a slip", "adjudicated", "draw")
    before = tmp_path / "before"
    shutil.copytree(root, before, symlinks=True)

    def begin() -> None:
        shutil.rmtree(root)
        shutil.copytree(before, root, symlinks=True)

    def speak() -> None:
        if kind == "end":
            end(office.env, office.game, "it is late", "adjudicated", "draw")
        elif kind == "reopen":
            reopen(office.env, office.game, "sorry")
        else:
            substitute(office.env, office.game, "he moves", "south", "carl")

    def look() -> None:
        with suppress(Refused):
            speak()
        words = [
            read.record["does"] for read in office.open().ledger.records if read.record["type"] == "word"
        ]
        assert words == [*(["end"] if kind == "reopen" else []), kind]
        assert verify(office.game).failures == ()
        if kind != "substitute":
            result = json.loads((office.game / "results.json").read_text())
            assert result["winner"] == ("draw" if kind == "end" else "")

    assert everywhere(monkeypatch, speak, begin, look, ("rename", "move", "remove", "lock")) >= 2
