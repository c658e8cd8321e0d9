"""Locks stamped with the time by somebody else, who gets a hash and no more; a wrong stamp accuses nobody.

A clock on this machine.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from authority import NAME, Authority, authority
from click.testing import CliRunner
from office_table import OfficeTable
from rounds import locked
from table import Table, pull

from pbem.cli import cli
from pbem.proof.ledger import read_ledger
from pbem.referee.game.refusal import Refused
from pbem.referee.proving.mend import mend
from pbem.referee.proving.pack import pack
from pbem.referee.proving.stamps import look, stamp, stamp_path
from pbem.referee.proving.verify import verify
from pbem.store.gamedir import GameDir

SCHEMAS = Path(__file__).resolve().parents[2] / "schemas" / "cli"


@pytest.fixture(scope="module")
def clock(need: Callable[[str], str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Authority]:
    need("openssl")
    with authority(tmp_path_factory.mktemp("clock")) as found:
        yield found


@pytest.fixture(autouse=True)
def straight_to_it(clock: Authority, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    clock.does = "stamp"


def typed(*words: str) -> Any:
    return CliRunner().invoke(cli, list(words))


def with_a_lock(table: Table, year: int = 2026) -> str:
    """Lock the first slot, and return where its stamp goes."""
    table.moment = datetime(year, 2, 1)
    table.started(keyed=("south",), umpire=True)
    (seat,) = table.open().announced()["waits"]
    table.orders(seat, pull(seat), draft=True) if table.open().ledger.seats[seat].key else table.orders(
        seat, pull(seat)
    )
    table.lock(deadline=True)
    return stamp_path(table.open().ledger.next_n - 1)


def finish(table: Table) -> None:
    locked = table.open().ledger.locked
    for seat in locked.asked if locked is not None else ():
        table.go(seat, "seven drunken herons")
    table.resolve(deadline=True)


def test_a_lock_is_stamped_before_its_result(
    table: Table, clock: Authority, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.at_the_terminal(monkeypatch)
    path = with_a_lock(table, 2095)
    before = verify(table.game)
    answer = typed("witness", "stamp", "game", "--tsa", clock.url)
    assert (answer.exit_code, answer.stdout) == (0, f"The lock of slot 1 is stamped: game/{path}\n")
    finish(table)
    ((found,), unseen) = look(table.game, clock.root)
    assert (found.path, found.slot, found.name, found.why, unseen) == (path, 1, NAME, "", "")
    assert found.at.startswith("20")
    result = table.open().ledger.slots[1].result
    assert result is not None
    assert found.said == (
        f"lock of slot 1: stamped {found.at} by {NAME}, before its result ({result['at']}, as the GM writes)"
    )
    told = typed("verify", "game", "--tsa-cert", str(clock.root))
    assert (told.exit_code, f"     {found.said}" in told.stdout.splitlines()) == (
        verify(table.game).exit_code,
        True,
    )
    told = json.loads(typed("verify", "game", "--tsa-cert", str(clock.root), "--json").stdout)
    jsonschema.validate(told, json.loads((SCHEMAS / "verify.schema.json").read_text("utf-8")))
    assert told["stamps"] == [{"path": path, "slot": 1, "at": found.at, "name": NAME, "why": ""}]
    # It goes into the archive, and lies there in nobody's way.
    pack(table.env, table.game, table.root / "toll.zip")
    assert look(table.root / "toll.zip", clock.root) == ([found], "")
    assert mend(table.env, table.game, dry_run=True).deeds == ()
    # It is no part of what is signed: the verdict is the one that it was, and openssl says the same of the
    # stamp.
    assert (verify(table.game).failures, verify(table.game).warnings) == (before.failures, before.warnings)
    lock = next(read.path for read in table.open().ledger.records if read.record["type"] == "lock")
    words = ["-in", str(table.game / path), "-data", str(table.game / lock), "-CAfile", str(clock.root)]
    assert (
        b"Verification: OK"
        in subprocess.run(["openssl", "ts", "-verify", *words], capture_output=True, check=True).stdout
    )


def test_the_authority_gets_a_hash_and_nothing_else(table: Table, clock: Authority) -> None:
    path = with_a_lock(table)
    clock.asked.clear()
    assert stamp(table.open(), clock.url)
    assert stamp(table.open(), clock.url) is None
    (query,) = clock.asked
    assert len(query) < 120
    assert b"tug" not in query
    assert (table.game / path).is_file()


def test_a_stamp_that_comes_late_says_so(table: Table, clock: Authority) -> None:
    path = with_a_lock(table)
    stamp(table.open(), clock.url)
    finish(table)
    ((found,), _) = look(table.game, clock.root)
    assert (found.path, found.holds, found.said.endswith("): it shows little")) == (path, True, True)


def test_of_a_beacon_game_it_says_whether_the_lock_was_there_before_the_round(
    table: Table, clock: Authority
) -> None:
    locked(table)
    stamp(table.open(), clock.url)
    ((found,), _) = look(table.game, clock.root)
    assert "only after its round of the beacon came out (2023-09-15T11:00:03Z): it shows little" in found.said


def test_a_wrong_stamp_is_told_and_accuses_nobody(
    table: Table, clock: Authority, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.at_the_terminal(monkeypatch)
    path = with_a_lock(table)
    stamp(table.open(), clock.url)
    finish(table)
    before, good = verify(table.game), (table.game / path).read_bytes()
    unbelieved = "it is not signed by anybody who is believed on this computer"
    for bad in (b"", good[:-9], good + bytes(70_000)):
        (table.game / path).write_bytes(bad)
        assert [one.why for one in look(table.game, clock.root)[0]] == ["it is not a time stamp"]
    (table.game / path).write_bytes(good[:-3] + b"xyz")
    told = typed("verify", "game", "--tsa-cert", str(clock.root))
    assert (told.exit_code, f"W    {path}: {unbelieved} (it says {NAME})" in told.stdout) == (
        before.exit_code,
        True,
    )
    assert (verify(table.game).failures, verify(table.game).warnings) == (before.failures, before.warnings)


def test_a_stamp_of_another_lock_or_another_clock_shows_nothing(table: Table, clock: Authority) -> None:
    path = with_a_lock(table)
    stamp(table.open(), clock.url)
    finish(table)
    (table.game / stamp_path(1)).write_bytes((table.game / path).read_bytes())
    (table.game / stamp_path(99)).write_bytes((table.game / path).read_bytes())
    one, two, three = look(table.game, clock.root)[0]
    assert [one.why, three.why] == ["it belongs to no lock of this copy"] * 2
    assert two.holds
    # Whom this machine believes knows nothing of that clock.
    assert look(table.game)[0][1].why.startswith(
        "it is not signed by anybody who is believed on this computer"
    )


def test_an_authority_that_gives_none_holds_nothing_up(table: Table, clock: Authority) -> None:
    path = with_a_lock(table)
    for does, why in (
        ("nothing", "it answers 503"),
        ("nonsense", "what it answers is not a time stamp"),
        ("other", "it stamps something else"),
    ):
        clock.does = does
        with pytest.raises(Refused, match=r"witness\.unstamped") as refused:
            stamp(table.open(), clock.url)
        assert refused.value.problems[0].args["why"] == why
    assert not (table.game / path).exists()
    finish(table)


def test_a_certificate_that_is_none_is_said(table: Table, clock: Authority) -> None:
    with_a_lock(table)
    stamp(table.open(), clock.url)
    with pytest.raises(Refused, match=r"witness\.certificate"):
        look(table.game, table.game / "game.toml")


def test_without_the_package_nothing_is_missed(
    table: Table, clock: Authority, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_a_lock(table)
    stamp(table.open(), clock.url)
    monkeypatch.setitem(sys.modules, "rfc3161_client", None)
    assert look(table.game, clock.root) == (
        [],
        "1 time stamps are not looked at here: pip install 'pbem[witness]'",
    )
    (table.game / stamp_path(table.open().ledger.next_n - 1)).unlink()
    with pytest.raises(Refused, match=r"witness\.no-package"):
        stamp(table.open(), clock.url)
    assert read_ledger(GameDir(table.game)).findings == []


def test_a_round_stamps_what_it_locks(tmp_path: Path, clock: Authority) -> None:
    office = OfficeTable(tmp_path, f'[witness]\nstamps = "{clock.url}"\n')
    office.started(keyed=(), umpire=True)
    office.round()
    (seat,) = office.open().announced()["waits"]
    office.letter(seat, pull(seat) + "luck: seven drunken herons\n")
    steps = [step.what for step in office.round()]
    assert steps == ["taken", "answered", "locked", "stamped", "resolved", "told", "told"]
    ((found,), _) = look(office.game, clock.root)
    assert found.holds
    # An authority that is away holds up no round; it is told, and asked once.
    clock.does = "nothing"
    clock.asked.clear()
    (seat,) = office.open().announced()["waits"]
    office.letter(seat, pull(seat) + "luck: nine sober storks\n")
    steps = list(office.round())
    assert [step.what for step in steps if step.what in ("locked", "resolved", "stamped")] == [
        "locked",
        "resolved",
    ]
    assert any("gives no stamp: it answers 503" in step.said for step in steps if step.what == "trouble")
    assert len(clock.asked) == 1
