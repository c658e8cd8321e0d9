"""Tasks on workers of Dask: a cluster that is there, or one of this machine for as long as it is needed.

Dask lets whoever reaches its ports run programs as the user of scheduler and workers. So a cluster that is
started here listens to this machine alone and speaks TLS with a key that nobody else has; of one that is
there nothing is asked but what ``kinds`` can do, and its workers have to be of this very program.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

import dask
from distributed import Client, KilledWorker, LocalCluster, Security, as_completed
from distributed.comm.core import connect

from pbem.fleet.door import AHEAD, Means, came
from pbem.fleet.kinds import OtherProgram, do
from pbem.fleet.program import digest
from pbem.fleet.task import Done, Task
from pbem.referee.game.refusal import UNDECIDED, refuse
from pbem.store import net

if TYPE_CHECKING:
    from distributed import Future

LOOPBACK: Final = "127.0.0.1"
RETRIES: Final = 2
"""So often a task is tried again that failed: a shared folder may be away for a moment."""
DEATHS: Final = 1
"""So many workers may die at a task before the one with which it is given up; a cluster that is there has a
number of its own.
"""
CONNECTS: Final = 20
"""Seconds until a scheduler has to answer, and to have a worker."""
_OWN: Final[dict[str, Any]] = {
    "distributed.scheduler.http.routes": [],
    "distributed.worker.http.routes": [],
    "distributed.scheduler.allowed-failures": DEATHS,
}
"""Settings of a cluster that is started here: it has no page for anybody to look at."""
_TLS: Final = ("ca.pem", "cert.pem", "key.pem")
_NOT_DASK: Final = (MemoryError, OverflowError, LookupError, TypeError)
"""What Dask fails with where another protocol answers: of ``HTTP/1.1`` it takes the letters for a length."""


def on_a_cluster(tasks: Sequence[Task], means: Means) -> Iterator[Done]:
    """Yield what came of each task, in the order in which they end. Refused as ``door.spread``."""
    with _client(means) as client:
        _same_program(client)
        yield from _through(client, tasks)


def _through(client: Client, tasks: Sequence[Task]) -> Iterator[Done]:
    """Give tasks out, so many at a time as there are workers for; those that workers died at, alone at the
    end: a worker takes with it whatever else was given to it, and that is no fault of it.
    """
    left, out, suspects = iter(tasks), dict[object, Task](), []
    ended = as_completed()
    while True:
        room = max(1, sum(client.nthreads().values())) * AHEAD
        while len(out) < room and (task := next(left, None)) is not None:
            future = _given(client, task)
            out[future.key] = task
            ended.add(future)
        if not out:
            break
        future = next(ended)
        task = out.pop(future.key)
        if isinstance(future.exception(), KilledWorker):
            suspects.append(task)
        else:
            yield _ended(task, future)
    for task in suspects:
        yield _ended(task, _given(client, task, "-alone"))


def _given(client: Client, task: Task, mark: str = "") -> Future[Any]:
    """Give a task out. One that two ask for at the same time is done once: it has one name."""
    key = f"{task.kind}-{task.id(digest())}{mark}"
    return client.submit(do, digest(), task.kind, task.said, key=key, retries=RETRIES)


def _ended(task: Task, future: Future[Any]) -> Done:
    """Return what came of a task; Refused where its worker is of another program, or the cluster is gone."""
    error = future.exception()
    if isinstance(error, CancelledError):
        raise refuse("fleet.gone", answer=UNDECIDED)
    if isinstance(error, OtherProgram):
        # Such a worker fails at once, so it would take task after task; what is done is kept.
        raise refuse("fleet.other-program", answer=UNDECIDED, workers="one that came later")
    if isinstance(error, KilledWorker):
        return Done(task, failure="every worker died that it was given to")
    return came(task, *future.result()) if error is None else Done(task, failure=str(error))


@contextmanager
def _client(means: Means) -> Iterator[Client]:
    """Give somebody who may hand tasks to a cluster, and end with him what was started for him."""
    if means.scheduler:
        with _connected(means.scheduler, means.tls) as client:
            yield client
        return
    with (
        dask.config.set(_OWN),
        LocalCluster(
            n_workers=means.workers,
            threads_per_worker=1,
            processes=True,
            host=LOOPBACK,
            dashboard_address=f"{LOOPBACK}:0",
            scheduler_kwargs={"dashboard": False},
            security=True,
            silence_logs=logging.CRITICAL,
        ) as cluster,
        Client(cluster) as client,
    ):
        yield client


@contextmanager
def _connected(address: str, tls: Path | None) -> Iterator[Client]:
    if address.startswith("tls://") and tls is None:
        raise refuse("fleet.no-tls", answer=UNDECIDED, address=address)
    how = None if tls is None else security(tls)
    try:
        # A client of Dask that was never connected may block the next one: a scheduler has to be there first.
        # Dask tries again where a port is closed, so that is asked beforehand.
        at = urlsplit(address)
        net.knock(at.hostname or "", at.port or 0, CONNECTS)
        net.effect("greet", address, lambda: asyncio.run(_shake_hands(address, how or Security())))
        client = Client(address, timeout=CONNECTS, security=how)
    except (OSError, ValueError, TimeoutError) as error:
        raise refuse(
            "fleet.unreachable", answer=UNDECIDED, address=address, error=f"{error!s:.200}" or "no answer"
        ) from None
    except _NOT_DASK:
        raise refuse("fleet.no-scheduler", answer=UNDECIDED, address=address) from None
    with client:
        with suppress(TimeoutError):
            client.wait_for_workers(1, timeout=CONNECTS)
        if not client.nthreads():
            raise refuse("fleet.no-workers", answer=UNDECIDED, address=address)
        yield client


async def _shake_hands(address: str, how: Security) -> None:
    """See whether a scheduler answers in time; Dask itself waits without end for who says nothing."""
    comm = await asyncio.wait_for(connect(address, **how.get_connection_args("client")), CONNECTS)
    await comm.close()


def security(folder: Path) -> Security:
    """Return how TLS is spoken with the files of a folder; Refused where one of them is missing."""
    ca, cert, key = (folder / name for name in _TLS)
    for path in (ca, cert, key):
        if not path.is_file():
            raise refuse("game.missing", answer=UNDECIDED, file=str(folder), path=str(path))
    return Security(
        require_encryption=True, tls_ca_file=str(ca), tls_client_cert=str(cert), tls_client_key=str(key)
    )


def _same_program(client: Client) -> None:
    """Refuse where a worker is of another program, or has none: it would make something else of a task."""
    said = client.run(digest, on_error="return")
    others = sorted(
        worker
        for worker, found in said.items()
        if found != digest() and not isinstance(found, OSError)  # that is one that has just gone
    )
    if others:
        shown = ", ".join(others[:5]) + (" …" if len(others) > 5 else "")
        raise refuse("fleet.other-program", answer=UNDECIDED, workers=shown)
