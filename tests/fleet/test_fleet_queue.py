"""A round of which the games are done by workers of a queue, with a real PostgreSQL: it is the same round; a
worker that is killed in the middle of a game loses nothing and doubles nothing; nobody is given what is not his.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import postgres
import psycopg
import pytest
from office_table import OfficeTable
from table import SCENARIOS, pull

from pbem.fleet import clerk, queue
from pbem.fleet.clerk import at_queue, by_queue, serve, work
from pbem.fleet.queue import Jobs, Times, queue_of
from pbem.referee.game.game import open_game
from pbem.referee.game.refusal import Refused
from pbem.referee.mail.round import run
from pbem.referee.mail.round_context import Step
from pbem.referee.proving.verify import verify
from pbem.referee.turn.new import new

QUICK = Times(beat=0.2, silent=1.0, looks=0.05)
KEPT = "kept safe"
"""What a round does with orders that are locked without a receipt, whoever does the games."""


@pytest.fixture(scope="module")
def server(need: Callable[[str], str]) -> Iterator[str]:
    found = postgres.programs() or Path(need("initdb")).parent
    with postgres.running(found) as url:
        yield url


@pytest.fixture
def url(server: str) -> Iterator[str]:
    """Return the address of a database without a job."""
    yield server
    with psycopg.connect(server, autocommit=True) as there:
        there.execute("DROP SCHEMA public CASCADE")
        there.execute("CREATE SCHEMA public")


class Club(OfficeTable):
    """An office with several games, in each of which somebody has just ordered."""

    def __init__(self, root: Path, games: int = 3) -> None:
        root.mkdir()
        super().__init__(root)
        self.games = [root / f"game{number}" for number in range(games)]
        for number, game in enumerate(self.games):
            self.game = game
            wishes = [self.wish(seat, keyed=False) for seat in ("north", "south")]
            new(
                self.env,
                str(SCENARIOS / "tug.yaml"),
                self.game,
                wishes,
                name=f"tug-{number}a1b2c",
                umpire=True,
            )
            self.join_all()
        self.round()
        self.order()

    def order(self) -> None:
        for game in self.games:
            self.game = game
            (seat,) = self.open().announced()["waits"]
            self.orders(seat, pull(seat))
            self.lock(deadline=True)
            locked = self.open().ledger.locked
            for asked in locked.asked if locked is not None else ():
                self.go(asked, "seven drunken herons")

    def by(self, url: str) -> list[Step]:
        """Do a round by the queue."""
        return list(run(self.env, self.root, pictures=False, parts=by_queue(self.env, self.root, url, QUICK)))

    def kept(self) -> tuple[list[str], list[list[str]]]:
        """Return what a round leaves behind: letters by their keys, the records of each game."""
        opened = [open_game(game) for game in self.games]
        records = [
            [f"{read.record['type']} {read.record.get('slot', '')}" for read in game.ledger.records]
            for game in opened
        ]
        return sorted(sent.key for sent in self.queued()), records


def jobs_left(url: str) -> list[tuple[str, str]]:
    with psycopg.connect(url) as there:
        return there.execute("SELECT queue_name, status::text FROM procrastinate_jobs").fetchall()


def test_the_round_is_the_same_whoever_does_the_games(tmp_path: Path, url: str) -> None:
    plain, queued = Club(tmp_path / "plain"), Club(tmp_path / "queued")
    wanted, found = plain.round(), queued.by(url)
    assert [(step.what, step.game, step.seat) for step in found] == [
        (step.what, step.game, step.seat) for step in wanted
    ]
    assert Counter(step.what for step in found)["resolved"] == 3
    assert queued.kept() == plain.kept()
    assert jobs_left(url) == []
    assert not list((queued.root / "post" / clerk.FOLDER).iterdir())
    assert queued.by(url) == [] == plain.round()
    assert queued.kept() == plain.kept()


def test_a_worker_killed_in_the_middle_of_a_game_loses_nothing_and_doubles_nothing(
    tmp_path: Path, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain, queued = Club(tmp_path / "plain"), Club(tmp_path / "queued")
    wanted = plain.round()
    with at_queue(queued.env, queued.root, url):
        pass  # makes the tables, so that workers find them
    mark = tmp_path / "killed"
    around = {**os.environ, "TOY_CHANCE": "5000", "PYTHONPATH": os.pathsep.join(sys.path)}
    workers = [
        subprocess.Popen(
            [
                sys.executable,
                str(Path(__file__).with_name("queue_worker.py")),
                str(queued.root),
                url,
                str(mark),
                which,
            ],
            env=around,
        )
        for which in ("first", "second")
    ]

    def others_do_it(self: Jobs) -> None:
        """The clerk does no game himself, so that both workers have to."""
        assert any(worker.poll() is None for worker in workers)

    monkeypatch.setattr(Jobs, "work_once", others_do_it)
    try:
        found = queued.by(url)
        assert workers[0].wait() == -9
        assert mark.exists()
    finally:
        for worker in workers:
            worker.kill()
            worker.wait()
    # What the killed one had done already is not told again as done; what it had not is.
    assert {step.what for step in found} == {step.what for step in wanted} == {"resolved", "told"}
    assert queued.kept() == plain.kept()
    for game in queued.games:
        assert verify(game).failures == ()
    assert jobs_left(url) == []


def test_a_job_that_everybody_falls_silent_at_is_given_up_and_told(
    tmp_path: Path, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    office = Club(tmp_path / "office", games=2)
    monkeypatch.setattr(Jobs, "work_once", lambda self: dead_workers_take(url))
    found = [step for step in office.by(url) if step.what != KEPT]
    assert {(step.what, step.game) for step in found} == {
        ("trouble", "tug-0a1b2c"),
        ("trouble", "tug-1a1b2c"),
    }
    assert "fell silent" in found[0].said
    assert jobs_left(url) == []
    monkeypatch.undo()
    assert Counter(step.what for step in office.by(url))["resolved"] == 2


def dead_workers_take(url: str) -> None:
    """Take every job as a worker does that is never heard of again."""
    with psycopg.connect(url, autocommit=True) as there:
        while True:
            (id_,) = there.execute(
                "INSERT INTO procrastinate_workers (last_heartbeat) VALUES (now() - interval '1 hour') RETURNING id"
            ).fetchone() or (0,)
            (got,) = there.execute("SELECT (procrastinate_fetch_job_v2(NULL, %s)).id", (id_,)).fetchone() or (
                None,
            )
            if got is None:
                return


def test_a_game_has_one_writer(tmp_path: Path, url: str) -> None:
    office = Club(tmp_path / "office", games=1)
    with at_queue(office.env, office.root, url) as jobs:
        jobs.begin("0" * 32, ["game0"])
        with psycopg.connect(url, autocommit=True) as there:
            first = there.execute("SELECT (procrastinate_fetch_job_v2(NULL, NULL)).id").fetchone()
            assert first is not None and first[0] is not None
            # The next pass queues the game again while somebody is at it: nobody else gets it.
            jobs.begin("1" * 32, ["game0"])
            assert there.execute("SELECT (procrastinate_fetch_job_v2(NULL, NULL)).id").fetchone() == (None,)


def test_what_a_pass_left_waiting_is_not_done_by_the_next(tmp_path: Path, url: str) -> None:
    office = Club(tmp_path / "office", games=2)
    with at_queue(office.env, office.root, url) as jobs:
        jobs.begin("0" * 32, ["game0", "game1", "gone"])
    assert Counter(step.what for step in office.by(url))["resolved"] == 2
    assert jobs_left(url) == []


def begun(office: Club) -> Path:
    """Begin a pass over an office; return its folder."""
    place = office.root / "post" / clerk.FOLDER / ("a" * 32)
    place.mkdir(parents=True)
    terms = f'{{"now":"{office.moment.isoformat()}+00:00","fetched":"{office.moment.isoformat()}+00:00",'
    (place / clerk.PASS).write_text(f'{terms}"unseen":[],"pictures":false,"program":"{clerk.digest()}"}}')
    return place


@pytest.mark.parametrize(
    ("token", "folder"),
    [
        ("0" * 32, "game0"),
        ("../../home", "game0"),
        ("", "game0"),
        ("{token}", "../game0"),
        ("{token}", "post"),
        ("{token}", "nowhere"),
    ],
)
def test_a_job_can_name_a_game_of_a_pass_that_is_on_and_nothing_else(
    tmp_path: Path, token: str, folder: str
) -> None:
    """Whoever may write into the database gets no further."""
    office = Club(tmp_path / "office", games=1)
    begun(office)
    before = office.kept()
    work(office.env, office.root, token.format(token="a" * 32), folder)
    assert office.kept() == before
    work(office.env, office.root, "a" * 32, "game0")
    assert office.kept() != before


def test_a_full_disk_at_a_worker_is_told_as_at_the_clerk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    office = Club(tmp_path / "office", games=1)
    place = begun(office)

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device", "/a/game")

    monkeypatch.setattr(clerk, "part_apart", full)
    work(office.env, office.root, "a" * 32, "game0")
    said = (place / "game0.json").read_text("utf-8")
    assert "the system cannot use /a/game: No space left on device; the other games went on" in said


def test_a_worker_that_cannot_keep_what_came_leaves_that_to_the_clerk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    office = Club(tmp_path / "office", games=1)
    place = begun(office)

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(clerk.disk, "replace", full)
    work(office.env, office.root, "a" * 32, "game0")
    assert [path.name for path in place.iterdir()] == [clerk.PASS]


def test_no_name_of_a_game_stands_in_the_way_of_its_pass(tmp_path: Path) -> None:
    office = Club(tmp_path / "office", games=1)
    (office.root / "game0").rename(office.root / "pass")
    place = begun(office)
    terms = (place / clerk.PASS).read_bytes()
    work(office.env, office.root, "a" * 32, "pass")
    assert (place / clerk.PASS).read_bytes() == terms
    assert "failure" not in (place / "pass.json").read_text("utf-8")


def test_a_worker_of_another_program_or_without_the_secrets_has_another_queue(
    tmp_path: Path, url: str
) -> None:
    secret = b"s" * 32
    assert queue_of(secret, "a" * 64) != queue_of(secret, "b" * 64)
    assert queue_of(secret, "a" * 64)[0] != queue_of(b"t" * 32, "a" * 64)[0]
    assert secret.hex()[:8] not in "".join(queue_of(secret, "a" * 64))
    office = OfficeTable(tmp_path)
    with pytest.raises(Refused, match=r"fleet\.no-secret"):
        serve(office.env, office.root, url)


def test_nothing_of_a_game_and_no_secret_is_in_the_database(
    tmp_path: Path, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    office = Club(tmp_path / "office", games=1)
    seen: list[str] = []

    def look(self: Jobs) -> None:
        with psycopg.connect(url) as there:
            seen.extend(
                str(row) for row in there.execute("SELECT args, lock FROM procrastinate_jobs").fetchall()
            )
        plain(self)

    plain = Jobs.work_once
    monkeypatch.setattr(Jobs, "work_once", look)
    office.by(url)
    assert seen
    secrets = [path.read_text().strip() for path in office.env.keyring.root.rglob("*.secret")]
    assert secrets
    for row in seen:
        assert not [one for one in (*secrets, "tug", "example", str(tmp_path)) if one in row], row


@pytest.mark.parametrize("address", ["127.0.0.1:9/club", "127.0.0.1:9/cl\udcffb"], ids=["", "no UTF-8"])
def test_no_database_is_said_without_the_password(address: str) -> None:
    with pytest.raises(Refused, match=r"fleet\.no-database") as refused:
        queue.reachable(f"postgresql://club:hunter2@{address}")
    assert "hunter2" not in str([problem.args for problem in refused.value.problems])


def test_a_database_that_goes_away_is_told_and_the_round_ends_well(tmp_path: Path, url: str) -> None:
    office = Club(tmp_path / "office", games=1)

    def goes(self: Jobs) -> None:
        raise psycopg.OperationalError("the connection is lost")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Jobs, "work_once", goes)
        found = office.by(url)
    assert {step.what for step in found} - {KEPT} == {"trouble"}
    assert Counter(step.what for step in office.by(url))["resolved"] == 1


def test_a_worker_that_the_database_does_not_let_work_says_so(tmp_path: Path, url: str) -> None:
    office = Club(tmp_path / "office", games=1)
    with psycopg.connect(url, autocommit=True) as there:
        there.execute("CREATE TABLE procrastinate_jobs (of_others int)")
    with pytest.raises(Refused, match=r"fleet\.queue-lost") as refused:
        serve(office.env, office.root, url, QUICK)
    assert "does not exist" in str(refused.value.problems[0].args["why"])
