"""The queue of games whose part of a pass is to be done: jobs in PostgreSQL, one writer for each game.

A job names the pass it is of and the folder of a game, nothing else: who works knows his office, has its
secrets himself, and does nothing that a job could tell him. Two jobs of one game never run at the same time,
nor are two waiting; a job whose worker fell silent is given to another one, so many times.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any, Final

import psycopg
from msgspec import Struct
from procrastinate import App, PsycopgConnector
from procrastinate.exceptions import ConnectorException
from procrastinate.jobs import Job, Status

from pbem.referee.game.refusal import UNDECIDED, refuse

TASK: Final = "pbem.game"
TRIES: Final = 3
"""So many workers get a job; one that all of them fell silent at is left alone until the next pass."""
SILENT: Final = 30.0
"""After so many seconds without a sign of life a worker counts as gone."""
BEAT: Final = 10.0
LOOKS: Final = 0.5
"""Seconds between two looks at what others have done."""
CONNECTS: Final = 10
_COUNTS: Final = """
SELECT status::text AS status, count(*) AS count FROM procrastinate_jobs
WHERE queue_name = %(queue)s GROUP BY status
"""
_LEFT: Final = """
DELETE FROM procrastinate_jobs
WHERE queue_name LIKE %(office)s AND status NOT IN ('doing', 'aborting') RETURNING id
"""
_THERE: Final = "SELECT to_regclass('procrastinate_jobs') IS NOT NULL AS there"

Work = Callable[[str, str], None]
"""(pass, folder): does the part of one game; keeps what came of it itself, and never raises."""


class Times(Struct, frozen=True):
    """When a worker gives signs of life, and after how long without one it is gone; how often is looked."""

    beat: float = BEAT
    silent: float = SILENT
    looks: float = LOOKS


def queue_of(secret: bytes, program: str) -> tuple[str, str]:
    """Return what an office is called in the database, and its queue for workers of one program.

    Both come of its secret, so a worker without it has another queue, and is given nothing. A queue has at
    most 40 letters: it is part of the name of a channel, of which PostgreSQL takes 63.
    """
    office = "pbem-" + hashlib.sha256(b"pbem queue\n" + secret).hexdigest()[:16]
    return office, f"{office}-{program[:12]}"


class Jobs:
    """The jobs of one office, in a database that is open."""

    def __init__(
        self, runner: asyncio.Runner, app: App, names: tuple[str, str], times: Times | None = None
    ) -> None:
        self.runner, self.app, self.times = runner, app, times or Times()
        self.office, self.queue = names

    def begin(self, round_: str, folders: Sequence[str]) -> None:
        """Queue a job for each game of a pass; what earlier passes left waiting is taken out."""
        self._run(self.app.connector.execute_query_async(_LEFT, office=f"{self.office}-%"))
        jobs = [
            Job(
                queue=self.queue,
                lock=f"{self.office}/{folder}",
                queueing_lock=f"{self.office}/{folder}",
                task_name=TASK,
                task_kwargs={"round_": round_, "folder": folder},
            )
            for folder in folders
        ]
        if jobs:
            self._run(self.app.job_manager.batch_defer_jobs_async(jobs))

    def finish(self, waits: Callable[[], None] = lambda: None) -> tuple[str, ...]:
        """Do here what nobody else takes, until no job is left; return the folders that were given up.

        ``waits`` is called before each wait for others.
        """
        given_up: list[str] = []
        while True:
            self.work_once()
            counts = self.counts()
            if not counts["todo"] + counts["doing"]:
                return tuple(given_up)
            given_up += self.take_back()
            waits()
            self._run(asyncio.sleep(self.times.looks))

    def work_once(self) -> None:
        """Do jobs here until none is waiting."""
        self._run(self._worker(wait=False))

    def work(self) -> None:
        """Do jobs here until the program is told to end, each as it comes."""
        self._run(self._worker(wait=True))

    def _worker(self, *, wait: bool) -> Any:
        return self.app.run_worker_async(
            queues=[self.queue],
            concurrency=1,
            wait=wait,
            listen_notify=wait,
            install_signal_handlers=wait,
            fetch_job_polling_interval=self.times.looks,
            delete_jobs="always",
            update_heartbeat_interval=self.times.beat,
            stalled_worker_timeout=self.times.silent,
        )

    def counts(self) -> Counter[str]:
        """Return how many jobs of the queue stand how."""
        rows = self._run(self.app.connector.execute_query_all_async(_COUNTS, queue=self.queue))
        return Counter({row["status"]: int(row["count"]) for row in rows})

    def take_back(self) -> Iterator[str]:
        """Queue again the jobs of workers that are gone; yield the folders of those given up."""
        stalled = self._run(
            self.app.job_manager.get_stalled_jobs(task_name=TASK, seconds_since_heartbeat=self.times.silent)
        )
        for job in stalled:
            if not str(job.lock).startswith(f"{self.office}/"):
                continue
            if job.queue == self.queue and job.attempts + 1 < TRIES:
                self._run(self.app.job_manager.retry_job(job, datetime.now(UTC)))
                continue
            self._run(self.app.job_manager.finish_job(job, Status.FAILED, delete_job=True))
            if job.queue == self.queue:
                yield str(job.task_kwargs.get("folder", ""))

    def _run(self, coroutine: Any) -> Any:
        return self.runner.run(coroutine)


@contextmanager
def opened(url: str, names: tuple[str, str], work: Work, times: Times | None = None) -> Iterator[Jobs]:
    """Open the queue of an office in a database; its tables are made where there are none.

    Refused where the database cannot be reached.
    """
    reachable(url)
    connector = PsycopgConnector(conninfo=url, min_size=1, max_size=4, kwargs={"client_encoding": "utf8"})
    app = App(connector=connector)

    @app.task(name=TASK)
    def part(round_: str, folder: str) -> None:
        work(round_, folder)

    with asyncio.Runner() as runner:
        runner.run(_open(app))
        try:
            found = runner.run(app.connector.execute_query_one_async(_THERE))
            if not found["there"]:
                runner.run(app.schema_manager.apply_schema_async())
            yield Jobs(runner, app, names, times)
        finally:
            runner.run(app.close_async())


async def _open(app: App) -> None:
    await app.open_async()


def reachable(url: str) -> None:
    """Refuse where no database answers; what is told has no password in it."""
    try:
        psycopg.connect(url, connect_timeout=CONNECTS).close()
    except (psycopg.Error, UnicodeError) as error:
        raise refuse("fleet.no-database", answer=UNDECIDED, why=told(error, url)) from None


def told(error: BaseException, url: str) -> str:
    """Return what a database said, on one line; only of what kind that is where it has the password in it."""
    said = " ".join(str(error.__cause__ or error).split())[:300]
    kind = type(error.__cause__ or error).__name__
    try:
        password = psycopg.conninfo.conninfo_to_dict(url).get("password")
    except (psycopg.Error, UnicodeError):
        return kind  # an address that is none is told whole
    return kind if not said or (password and str(password) in said) else said


GONE: Final = (ConnectorException, psycopg.Error)
"""What is raised when the database goes away in the middle."""
