"""A round enters the heads of its games into the log of the office, and a log that cannot be written to stops
no round.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from office_table import OfficeTable
from table import pull

from pbem.proof.heads import game_of
from pbem.referee.mail.log_keeping import new_log
from pbem.referee.proving.logs import entries_of, state_of
from pbem.store.logdir import LogFolder

SETTING = '[witness]\nlog = "heads"\n'


@pytest.fixture
def office(tmp_path: Path) -> OfficeTable:
    made = OfficeTable(tmp_path, SETTING)
    new_log(made.env, tmp_path / "heads", "example.org/office")
    made.new(keyed=(), umpire=True)
    return made


def logged(office: OfficeTable) -> int:
    return len(entries_of(state_of(LogFolder(office.root / "heads"))))


def turn(office: OfficeTable) -> list[str]:
    (seat,) = office.open().announced()["waits"]
    office.letter(seat, pull(seat) + f"luck: seven drunken herons {office.letters}\n")
    return [step.what for step in office.round()]


def test_every_round_enters_what_is_new(office: OfficeTable) -> None:
    # Already the invitation: nobody is to be invited to one game and play another.
    assert [step.what for step in office.round()] == ["invited", "invited", "logged"]
    assert logged(office) == 1
    assert office.round() == []
    office.join_all()
    assert [step.what for step in office.round()] == ["told", "told", "logged"]
    assert turn(office)[-3:] == ["told", "told", "logged"]
    assert logged(office) == office.open().ledger.next_n - 1
    assert office.round() == []


def test_a_game_that_does_not_want_to_be_in_it_is_not(office: OfficeTable) -> None:
    settings = office.root / "pbem.toml"
    settings.write_text(settings.read_text() + "[games.tug-0a1b2c]\nwitness = false\n")
    assert [step.what for step in office.round()] == ["invited", "invited"]
    assert logged(office) == 0
    settings.write_text(settings.read_text().replace("witness = false", "witness = true"))
    assert [step.what for step in office.round()] == ["logged"]
    assert [game_of(entry) for entry in entries_of(state_of(LogFolder(office.root / "heads")))] == [
        "tug-0a1b2c"
    ]


@pytest.mark.parametrize("what", ["missing", "foreign", "broken", "unwritable"])
def test_a_log_that_cannot_be_written_to_stops_no_round(
    office: OfficeTable, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    office.join_all()
    office.round()
    log = office.root / "heads"
    if what == "missing":
        log.rename(office.root / "elsewhere")
    elif what == "foreign":
        tree = "example.net/other\n0\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n"
        (log / "checkpoint").write_text(f"{tree}\n— example.net/other AAAAAAAA\n")
    elif what == "broken":
        (log / "checkpoint").write_bytes(b"\xff")
    else:
        full = OSError(28, "No space left on device", str(log))
        monkeypatch.setattr(LogFolder, "put", lambda self, files: (_ for _ in ()).throw(full))
    steps = turn(office)
    told = ["locked", "resolved", "told", "told", "trouble"]
    assert [step for step in steps if step in told] == told
    words = {
        "missing": "there is no log in",
        "foreign": "does not have the key of the log example.net/other",
        "broken": "its checkpoint is not a signed note",
        "unwritable": "the log in heads cannot be written to: No space left on device",
    }
    assert words[what].lower() in " ".join(office.queued("trouble")[-1].text.lower().split())


def test_settings_that_are_none_are_told(office: OfficeTable) -> None:
    from pbem.referee.game.refusal import Refused

    settings = office.root / "pbem.toml"
    settings.write_text(
        settings.read_text().replace('log = "heads"', 'logs = "heads"\nstamps = "ftp://clock"')
    )
    with pytest.raises(Refused) as no:
        office.round()
    assert sorted((one.line, one.code) for one in no.value.located) == [
        (8, "schema.unknown-key"),
        (9, "schema.pattern"),
    ]
