"""Games between sergeants on a Dask cluster: two workers against one, and what the cluster itself costs.

Whole processes are compared, so the clock on the wall counts, and on a machine that is busy otherwise it lies;
the processor time of all processes together, against that of the games alone, does not.
"""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter

from benchmarks.measure import Result
from pbem.fleet.door import Means, has_dask
from pbem.fleet.studies import Pairing, Study, tasks

LEAST = 1.8
"""So many times as fast two workers are to be as one."""
OVERHEAD = 1.1
GAMES, FEW = 48, 8
QUICK = 1.0
ROUNDS = 2


def results(seconds: float) -> Iterator[Result]:
    """Yield both ratios; nothing where Dask is not installed."""
    if not has_dask():
        return
    games = FEW if seconds < QUICK else GAMES
    study = Study((Pairing("alder-ford", ("sergeant", "sergeant")),), games, "benchmark", each=2)
    one, two = [], []
    for _ in range(1 if seconds < QUICK else ROUNDS):
        one.append(_run(study, 1))
        two.append(_run(study, 2))
    what = f"{games} games between sergeants on two workers"
    yield Result("fleet", what, "on one", min(two)[0], min(one)[0], round(1 / LEAST, 3))
    spent, played = min(run[1:] for run in two)
    yield Result(
        "fleet", "processor time of cluster and workers", "of the games alone", spent, played, OVERHEAD
    )


def _run(study: Study, workers: int) -> tuple[float, float, float]:
    """Play a study on a cluster that is up and warm; return the time on the wall, the processor time of all
    processes, and that of the games.
    """
    import psutil

    from pbem.fleet import cluster

    with cluster._client(Means(workers=workers)) as client:
        client.wait_for_workers(workers)
        warm = Study(study.pairings, 2 * workers, "warm", each=1)
        list(cluster._through(client, list(tasks(warm))))
        family = [psutil.Process(), *psutil.Process().children(recursive=True)]

        def spent() -> float:
            return sum(sum(process.cpu_times()[:2]) for process in family)

        begun, before = perf_counter(), spent()
        played = sum(done.seconds for done in cluster._through(client, list(tasks(study))))
        return perf_counter() - begun, spent() - before, played
