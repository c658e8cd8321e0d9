"""An office as it is opened: its settings, its games, who plays what; and the example that is shipped."""

from __future__ import annotations

from datetime import UTC
from pathlib import Path

import pytest
from office_table import OfficeTable

from pbem.referee.game.refusal import Refused
from pbem.referee.mail.desk import look
from pbem.referee.mail.office import open_house, settings
from pbem.referee.site.making import make

ROOT = Path(__file__).resolve().parents[2]


def test_the_example_is_well() -> None:
    office = settings(ROOT / "examples" / "office")
    assert office.address == "orders@example.org"
    assert sorted(office.players) == ["ann", "bob"]


def test_players_are_found_by_name_or_as_the_office_says(tmp_path: Path) -> None:
    office = OfficeTable(tmp_path)
    office.started(keyed=(), umpire=True)
    assert {one.seat: one.addresses for one in office.house().seats} == {
        "north": ("nora@example.org",),
        "south": ("sam@example.net",),
    }
    with (tmp_path / "pbem.toml").open("a") as file:
        file.write(f'[games.{office.open().id}]\nseats = {{ north = "sam", south = "sam" }}\n')
    assert {one.seat: one.addresses[0] for one in office.house().seats} == dict.fromkeys(
        ["north", "south"], "sam@example.net"
    )


def test_a_seat_that_nobody_has_is_told(tmp_path: Path) -> None:
    office = OfficeTable(tmp_path)
    office.started(keyed=(), umpire=True)
    (office.game / "game.toml").write_text("[seats.north]\nname = 'Nobody'\n")
    north, south = office.house().troubles
    assert north.said == (
        "north of A rope across the yard is played by Nobody, whom pbem.toml does not know; its players are "
        "nora and sam. "
        'Write [players.Nobody] with an address, or [games.tug-0a1b2c] with seats = { north = "nora" }'
    )
    assert "is played by south" in south.said
    (office.game / "game.toml").write_text("seats = 3 nonsense")
    assert len(office.house().troubles) == 2


def test_what_is_to_be_written_for_a_seat_that_nobody_has_helps(tmp_path: Path) -> None:
    office = OfficeTable(tmp_path)
    office.started(keyed=(), umpire=True)
    (office.game / "game.toml").write_text("[seats.north]\nname = 'Anne of Ely'\n[seats.south]\nname = 'sam'")
    (told,) = office.house().troubles
    assert "[players.Anne-of-Ely]" in told.said
    with (tmp_path / "pbem.toml").open("a") as file:
        file.write('[players.Anne-of-Ely]\nname = "Anne of Ely"\naddress = "anne@example.org"\n')
    assert office.house().troubles == ()


def test_names_compare_without_case(tmp_path: Path) -> None:
    office = OfficeTable(tmp_path)
    office.started(keyed=(), umpire=True)
    text = (tmp_path / "pbem.toml").read_text().replace("[players.nora]", "[players.NORA]")
    (tmp_path / "pbem.toml").write_text(text + '[games.tug-0a1b2c]\nseats = { south = "Nora" }\n')
    house = office.house()
    assert house.troubles == ()
    assert house.games["tug-0a1b2c"].players["south"].id == "nora"


def test_codes_stay_and_differ(tmp_path: Path) -> None:
    office = OfficeTable(tmp_path)
    office.started(keyed=(), umpire=True)
    codes = [one.code for one in office.house().seats]
    assert codes == [one.code for one in office.house().seats]
    assert len(set(codes)) == 2


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (None, "office.none"),
        ("[office\n", "toml.syntax"),
        ("[office]\nname = 'x'\n", "office.no-own"),
        ("\xff", "yaml.not-utf-8"),
    ],
)
def test_an_office_that_cannot_be_used(tmp_path: Path, text: str | None, code: str) -> None:
    if text is not None:
        (tmp_path / "pbem.toml").write_bytes(text.encode("latin-1"))
    with pytest.raises(Refused) as caught:
        settings(tmp_path)
    found = [problem.code for problem in (*caught.value.problems, *caught.value.located)]
    assert found[0] == code


@pytest.mark.parametrize("text", ["", "nonsense", "00", "é"])
def test_a_secret_that_was_harmed_is_not_replaced(tmp_path: Path, text: str) -> None:
    office = OfficeTable(tmp_path)
    office.started(keyed=(), umpire=True)
    office.house()
    place = tmp_path / "home" / "office.secret"
    place.write_text(text, "utf-8")
    desk = look(office.env, tmp_path, office.moment.replace(tzinfo=UTC))
    for asks in (office.house, lambda: make(office.env, desk, tmp_path / "site")):
        with pytest.raises(Refused) as caught:
            asks()
        assert [problem.code for problem in caught.value.problems] == ["office.secret-broken"]
    assert place.read_text("utf-8") == text


def test_a_folder_that_is_none(tmp_path: Path) -> None:
    office = OfficeTable(tmp_path)
    with pytest.raises(Refused):
        open_house(office.env, tmp_path / "nowhere")
