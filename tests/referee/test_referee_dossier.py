"""The dossier of a game that is to be adjudicated: what it holds, what it must not hold, and that it is bounded."""

from __future__ import annotations

import base64
import re
from datetime import UTC
from pathlib import Path

import pytest
from hunting_table import FIRST, FOXES, HOUNDS, HuntingTable
from office_table import ADDRESSES, OFFICE, OfficeTable
from table import pull

from pbem.proof.verify import PASS
from pbem.referee.game.refusal import Refused
from pbem.referee.mail.umpire_word import say
from pbem.referee.proving.verify import verify
from pbem.referee.site import dossier as making
from pbem.referee.site.dossier import Dossier, dossier


def made(office: OfficeTable | HuntingTable) -> Dossier:
    return dossier(office.game, office.moment.replace(tzinfo=UTC))


def test_all_that_readers_need_is_in_one_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    office = OfficeTable(tmp_path)
    office.count = 2  # with these secrets nobody is asked for words
    office.new(keyed=(), umpire=True)
    with pytest.raises(Refused) as refused:
        made(office)
    assert refused.value.problems[0].code == "time.not-begun"
    office.join_all()
    for number in (1, 2):
        (seat,) = office.open().announced()["waits"]
        office.later(hours=5)
        office.letter(seat, pull(seat) + f"luck: seven drunken herons {number}\n")
        office.round()
    say(office.env, office.game, "<b>the rope</b> is wet")
    found = made(office)
    page = found.page.decode()
    assert found.archive and found.left_out == 0
    for wanted in (
        "If it ended now",
        "Deadlines missed",
        "Reader 3",
        "5 hours",
        "data:image/png",
        "--winner north",
    ):
        assert wanted in page, wanted
    assert "&lt;b&gt;the rope&lt;/b&gt; is wet" in page and page.count("<details><summary>Turn") == 2
    private = [*ADDRESSES.values(), OFFICE, "cass@", *(one.code for one in office.house().seats)]
    assert not [word for word in private if word in page]
    archive = re.search(r"data:application/zip;base64,([A-Za-z0-9+/=]+)", page)
    assert archive is not None
    (tmp_path / "got.zip").write_bytes(base64.b64decode(archive[1]))
    assert verify(tmp_path / "got.zip").verdict == PASS
    monkeypatch.setattr(making, "REPORTS", 1500)
    assert made(office).left_out == 1 and b"1 older report would make" in made(office).page


def test_it_shows_what_a_game_hides_and_says_so(tmp_path: Path) -> None:
    table = HuntingTable(tmp_path).hunt()
    table.play(HOUNDS, FIRST)
    table.play(FOXES, "pad:\n- fox pads to 0604\n")
    page = made(table).page.decode()
    assert "what the sides hide from each other" in page and "0604" in page
