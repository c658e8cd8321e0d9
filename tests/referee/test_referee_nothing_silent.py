"""Nothing is silent: whatever changes a game reaches each of its players by letter, within one round, in words.

A table has each kind of change there is; a test demands that no kind of record and no word of the umpire is
missing in it.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import NamedTuple

import pytest
from office_table import DEADLINES, OfficeTable
from table import pull

from pbem.proof.records import LEDGER_TYPES
from pbem.proof.spoken import SPOKEN
from pbem.proof.timely import TIMELY
from pbem.referee.mail.umpire_time import absent, extend, pause, resume
from pbem.referee.mail.umpire_word import end, reopen, say, substitute
from pbem.referee.turn.ruling import correct, rule
from pbem.referee.turn.undo import undo

NORTH, SOUTH, CARL = "nora@example.org", "sam@example.net", "carl@example.com"


class Change(NamedTuple):
    """Something that happens to a game: what (a record, a word, a setting), what is done, and what each
    player has to read, by his address; ``before`` is told in a round of its own.
    """

    what: str
    do: Callable[[OfficeTable], object]
    reads: dict[str, tuple[str, ...]]
    before: Callable[[OfficeTable], object] = lambda office: None


def all_read(*said: str) -> dict[str, tuple[str, ...]]:
    return {NORTH: said, SOUTH: said}


def toml(old: str, new: str) -> Callable[[OfficeTable], object]:
    def change(office: OfficeTable) -> None:
        path = office.root / "pbem.toml"
        assert old in path.read_text()
        path.write_text(path.read_text().replace(old, new))

    return change


def setting(line: str) -> Callable[[OfficeTable], object]:
    def change(office: OfficeTable) -> None:
        path = office.root / "pbem.toml"
        path.write_text(f"{path.read_text()}[games.{office.open().id}]\n{line}\n")

    return change


def waited(office: OfficeTable) -> str:
    return str(office.open().announced()["waits"][0])


def played(office: OfficeTable) -> str:
    return str(office.open().ledger.slots[1].waits[0])


def away(office: OfficeTable) -> None:
    first = office.moment.date() + timedelta(2)
    absent(office.env, office.game, "a wedding", "south", first, first + timedelta(2), anyway=True)


def orders(office: OfficeTable) -> None:
    seat = waited(office)
    office.letter(seat, pull(seat) + f"luck: drunken herons number {office.letters}\n")


def silence(office: OfficeTable) -> None:
    office.later(days=5)


def resigned(office: OfficeTable) -> None:
    office.letter("north", "I resign.\n")
    office.round()
    office.letter("north", "yes\n", f"Re: {office.newest('confirm-').subject}")


CHANGES: dict[str, Change] = {
    "more time": Change(
        "time extend",
        lambda office: extend(office.env, office.game, "the mail was down", by=1440),
        all_read("There is more time for this turn", "the mail was down", "The deadline:", "It was"),
    ),
    "a pause": Change(
        "time pause",
        lambda office: pause(office.env, office.game, "holidays"),
        all_read("The umpire has put this game on hold", "holidays", "nobody is late"),
    ),
    "a pause is over": Change(
        "time resume",
        lambda office: resume(office.env, office.game, "all are back"),
        all_read("The umpire lets the game go on", "all are back", "The deadline:"),
        lambda office: pause(office.env, office.game, "holidays"),
    ),
    "somebody is away": Change(
        "time absent",
        away,
        {NORTH: ("South is away from", "a wedding"), SOUTH: ("You are down as away", "a wedding")},
    ),
    "a word": Change(
        "word say",
        lambda office: say(office.env, office.game, "the rope is wet"),
        all_read("The umpire says: the rope is wet."),
    ),
    "a substitute": Change(
        "word substitute",
        lambda office: substitute(office.env, office.game, "he moves", "south", "carl"),
        {
            NORTH: ("From now on carl plays South", "he moves"),
            SOUTH: ("You do not play South any more", "he moves"),
            CARL: ("You play South from now on, in the place of South", "Your own code is", "he moves"),
        },
    ),
    "the end": Change(
        "word end",
        lambda office: end(office.env, office.game, "the season is over", "adjudicated", "draw"),
        all_read("The game is over", "gives it as a draw", "the season is over", "The score as it stands"),
    ),
    "the end by a letter": Change(
        "word end", resigned, all_read("North resigned, so South has won", "asked for it (request")
    ),
    "it goes on after all": Change(
        "word reopen",
        lambda office: reopen(office.env, office.game, "a slip"),
        all_read("taken back the end of this game", "a slip", "The deadline:"),
        lambda office: end(office.env, office.game, "the season is over", "adjudicated", "draw"),
    ),
    "a turn": Change("result", orders, all_read("Turn 1")),
    "a turn that somebody missed": Change("lock", silence, all_read("sent")),
    "a turn is taken back": Change(
        "undo",
        lambda office: undo(office.env, office.game, 1, "the wrong map"),
        all_read("was taken back", "the wrong map", "The dice are new too"),
        orders,
    ),
    "a ruling": Change(
        "rule",
        lambda office: rule(office.env, office.game, [{"at": ["rope"], "to": 1}], "a knot was missed"),
        all_read("The umpire has ruled", "on the umpire's word", "a knot was missed", "rope: 0 → 1"),
    ),
    "a correction": Change(
        "correct",
        lambda office: correct(office.env, office.game, 1, {played(office): ("x.yaml", b"nobody: true\n")}, "misread"),
        all_read("played again with the same dice", "on the umpire's word", "misread", "send it again"),
        orders,
    ),
    "a hold": Change("setting hold", setting("hold = true"), all_read("The umpire has put this game on hold")),
    "another length": Change(
        "setting deadlines", toml("3 days", "5 days"), all_read("The deadline:", "It was")
    ),
    "another player": Change(
        "setting seats",
        setting('seats = { south = "carl" }'),
        {NORTH: ("From now on carl plays South",), SOUTH: ("You do not play South any more",), CARL: ("You play South",)},
    ),
    "another address": Change(
        "setting addresses",
        toml(f'address = "{SOUTH}"', 'address = "sam@example.com"'),
        {"sam@example.com": ("put sam@example.com down as your address", "eadline:")},
    ),
}  # fmt: skip
OTHERWISE = {
    "manifest": "the invitation tells it",
    "start": "the first turn tells it",
    "rekey": "the next turn tells it (test_referee_rekey.py)",
}
"""Records that are told elsewhere."""


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_reaches_everybody_within_one_round(tmp_path: Path, name: str) -> None:
    change = CHANGES[name]
    office = OfficeTable(tmp_path, DEADLINES)
    toml_ = office.root / "pbem.toml"
    toml_.write_text(f'{toml_.read_text()}[players.carl]\naddress = "{CARL}"\n')
    office.started(keyed=(), umpire=True)
    office.round()
    change.before(office)
    office.round()
    had = {path.stem for path in office.outbox()}
    change.do(office)
    assert office.round() != []
    letters: dict[str, str] = {}
    for sent in office.queued():
        if sent.key not in had:
            to = sent.message["To"].addresses[0].addr_spec
            letters[to] = f"{letters.get(to, '')} {' '.join(f'{sent.subject} {sent.text}'.split())}"
    for address, said in change.reads.items():
        assert address in letters, (name, address, sorted(letters))
        for part in said:
            assert part in letters[address], (name, address, part, letters[address][:2000])
    # A further round has nothing to add: everything was said, and is said once.
    again = [step for step in office.round() if step.what not in ("trouble", "passed on")]
    assert [step.what for step in again if step.what == "told"] == []


def test_no_kind_of_change_is_left_out() -> None:
    told = {change.what for change in CHANGES.values()}
    wanted = {f"time {word}" for word in TIMELY} | {f"word {word}" for word in SPOKEN}
    wanted |= set(LEDGER_TYPES) - {"time", "word"} - set(OTHERWISE)
    assert wanted <= told, wanted - told
