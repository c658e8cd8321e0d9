"""The way in: tasks are given here, and what comes of them is given back, wherever they are done.

Without any means tasks are done by processes of this machine. Whatever a task does, the others go on; what
fails is named with its task.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from importlib.util import find_spec
from ipaddress import ip_address
from itertools import chain
from multiprocessing import get_context, parent_process
from pathlib import Path
from threading import Thread
from typing import Final
from urllib.parse import urlsplit

from msgspec import Struct

from pbem.fleet.kinds import TaskFailed, do
from pbem.fleet.parts import Parts
from pbem.fleet.program import digest
from pbem.fleet.task import Done, Task
from pbem.referee.game.refusal import UNDECIDED, refuse
from pbem.store import disk

EXTRA: Final = "pbem[scale]"
"""What brings the packages for other machines."""
AHEAD: Final = 4
"""So many tasks for each worker are given out at a time: a million of them fill no memory."""


class Means(Struct, frozen=True):
    """Where tasks are done and kept.

    ``jobs``: processes of this machine, as many as it has cores where nothing is said. ``workers``: a cluster
    of Dask on this machine with so many. ``scheduler``: the address of one that is there; ``tls``: the folder
    with ca.pem, cert.pem and key.pem that it is spoken to with. ``parts``: where answers are kept.
    """

    jobs: int | None = None
    workers: int | None = None
    scheduler: str = ""
    tls: Path | None = None
    parts: Path | None = None

    @property
    def wants_dask(self) -> bool:
        """Tell whether a cluster is asked for."""
        return bool(self.scheduler) or self.workers is not None


def has_dask() -> bool:
    """Tell whether the package is installed; nothing is imported."""
    return find_spec("distributed") is not None


def is_open(address: str) -> bool:
    """Tell whether a scheduler is spoken to in the clear and over a network."""
    parts = urlsplit(address)
    if parts.scheme == "tls":
        return False
    host = parts.hostname or ""
    try:
        return not ip_address(host).is_loopback
    except ValueError:
        return host != "localhost"


def spread(tasks: Iterable[Task], means: Means | None = None) -> Iterator[Done]:
    """Yield what came of each task, as soon as it is there, each task once.

    What is among the parts already comes first and is not done again; what comes is kept there before it is
    given back. Refused where there is no such cluster, its workers are of another program, or the folder of
    the parts is in use.
    """
    means = means or Means()
    if means.scheduler and not has_dask():
        raise refuse("fleet.no-package", answer=UNDECIDED, extra=EXTRA)
    every = list(dict.fromkeys(tasks))
    if means.parts is None:
        yield from _done(every, means)
        return
    parts = Parts(means.parts, digest())
    try:
        with parts.alone():
            yield from _kept(every, parts, means)
    except disk.Busy as busy:
        raise refuse(
            "fleet.busy", answer=UNDECIDED, folder=str(means.parts), owner=busy.owner, path=str(busy.path)
        ) from None


def _kept(tasks: Sequence[Task], parts: Parts, means: Means) -> Iterator[Done]:
    left = []
    for task in tasks:
        found = parts.find(task)
        if found is None:
            left.append(task)
        else:
            yield found
    for done in _done(left, means):
        parts.keep(done)
        yield done


def _done(tasks: Sequence[Task], means: Means) -> Iterator[Done]:
    if not tasks:
        return
    if means.wants_dask and has_dask():
        from pbem.fleet.cluster import on_a_cluster

        yield from on_a_cluster(tasks, means)
        return
    count = min(len(tasks), means.jobs or means.workers or os.cpu_count() or 1)
    yield from _here(tasks) if count < 2 else _beside(tasks, count)


def _here(tasks: Iterable[Task]) -> Iterator[Done]:
    """Do tasks one after another in this process."""
    for task in tasks:
        try:
            text, seconds = do(digest(), task.kind, task.said)
        except TaskFailed as error:
            yield Done(task, failure=str(error))
        else:
            yield came(task, text, seconds)


def _beside(tasks: Iterable[Task], count: int) -> Iterator[Done]:
    """Do tasks in processes of this machine. One that dies takes with it what was given to the others: all of
    that is tried again one at a time, so only the culprit is named.
    """
    suspects, culprits = list[Task](), list[Task]()
    yield from _in_pools(iter(tasks), count, count * AHEAD, suspects)
    yield from _in_pools(iter(suspects), 1, 1, culprits)
    for task in culprits:
        yield Done(task, failure="every process died that it was given to")


def _in_pools(left: Iterator[Task], count: int, most: int, lost: list[Task]) -> Iterator[Done]:
    """Do tasks in a pool, and in a new one whenever a process has died: what was given out then is lost."""
    while (task := next(left, None)) is not None:
        yield from _in_a_pool(chain((task,), left), count, most, lost)


def _in_a_pool(left: Iterator[Task], count: int, most: int, lost: list[Task]) -> Iterator[Done]:
    """Do tasks, ``most`` given out at a time, until none is left or a process has died.

    Processes are fresh ones, for a copy of this one would also copy locks that some thread of it holds.
    """
    pool = ProcessPoolExecutor(
        count, mp_context=get_context("spawn"), initializer=_end_with_the_one_who_asked
    )
    out, is_broken = dict[Future[tuple[str, float]], Task](), False
    try:
        while True:
            while not is_broken and len(out) < most and (task := next(left, None)) is not None:
                try:
                    out[pool.submit(do, digest(), task.kind, task.said)] = task
                except BrokenProcessPool:
                    lost.append(task)
                    is_broken = True
            if not out:
                return
            ended, _ = wait(out, return_when=FIRST_COMPLETED)
            for future in ended:
                task, error = out.pop(future), future.exception()
                if isinstance(error, BrokenProcessPool):
                    lost.append(task)
                    is_broken = True
                else:
                    yield came(task, *future.result()) if error is None else Done(task, failure=str(error))
    finally:
        pool.shutdown(cancel_futures=True)


def _end_with_the_one_who_asked() -> None:
    """End this process with the one that started it: a pool whose owner was killed would wait without end."""
    owner = parent_process()

    def watch() -> None:
        if owner is not None:
            owner.join()
            os._exit(1)

    Thread(target=watch, daemon=True).start()


def came(task: Task, text: str, seconds: float) -> Done:
    """Return what a worker made of a task."""
    return Done(task, json.loads(text), seconds=seconds)
