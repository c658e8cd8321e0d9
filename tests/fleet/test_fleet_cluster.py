"""Two real worker processes of Dask: one is killed in the middle, and what comes of it is what one process makes,
byte for byte; poison, programs of others, awkward errors.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import dask
import pytest
from distributed import LocalCluster, Security
from msgspec.structs import replace

from pbem.fleet import cluster, results
from pbem.fleet.cluster import DEATHS, RETRIES
from pbem.fleet.door import Means, spread
from pbem.fleet.program import digest
from pbem.fleet.studies import Pairing, Study, rows, tasks
from pbem.fleet.task import Done, Task
from pbem.referee.game.refusal import Refused

TOYS = Path(__file__).resolve().parents[1] / "toy" / "scenarios"
STUDY = Study(
    tuple(Pairing(str(TOYS / f"{name}.yaml"), ("random", "random")) for name in ("tug", "hunt", "dig")),
    games=6,
    seed="a study",
    each=2,
)


@pytest.fixture(scope="module", autouse=True)
def environment() -> Iterator[None]:
    """Take back what Dask writes into the environment of a program that starts workers."""
    with mock.patch.dict(os.environ):
        yield


@pytest.fixture(scope="module")
def means(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Means]:
    """Start two workers that know the kinds of tests and speak TLS; return how they are reached."""
    tls, made = tmp_path_factory.mktemp("tls"), Security.temporary()
    (tls / "ca.pem").write_text(made.tls_ca_file)
    (tls / "cert.pem").write_text(made.tls_client_cert)
    (tls / "key.pem").write_text(made.tls_client_key)
    with (
        dask.config.set(cluster._OWN),
        LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            host="127.0.0.1",
            dashboard_address="127.0.0.1:0",
            scheduler_kwargs={"dashboard": False},
            preload=["fleet_preload"],
            silence_logs=60,
            security=made,
        ) as own,
    ):
        yield Means(scheduler=own.scheduler_address, tls=tls)


def bytes_of(found: list[Done]) -> tuple[bytes, bytes]:
    """Return the table and the picture of a study."""
    assert [done.failure for done in found if done.task.kind == "games" and done.failure] == []
    table = results.table(rows(STUDY, found), STUDY.seed)
    return table, results.picture(list(results.shares(rows(STUDY, found))), "Who won")


def test_a_worker_killed_in_the_middle_loses_nothing_and_doubles_nothing(
    means: Means, tmp_path: Path
) -> None:
    some = list(tasks(STUDY))
    deadly = Task.of("dies", number=5, mark=str(tmp_path / "died"))
    notes = tmp_path / "notes"
    notes.mkdir()
    counted = [Task.of("square", number=number, notes=str(notes)) for number in range(6)]
    every = [*some[:4], deadly, *counted, *some[4:]]
    means = replace(means, parts=tmp_path / "parts")
    with cluster._client(means) as client:
        before = set(client.run(lambda: __import__("os").getpid()).values())
        found = list(spread(every, means))
        after = set(client.run(lambda: __import__("os").getpid()).values())
    assert (tmp_path / "died").exists()
    assert len(before) == 2
    assert before - after, "no worker was killed"
    assert Counter(done.task for done in found) == Counter(every)
    assert {done.task: done.answer for done in found}[deadly] == {"square": 25}
    assert bytes_of(found) == bytes_of(list(spread(some, Means(jobs=1))))
    # What is kept is the same again, and nothing is done for it.
    kept = list(spread(every, means))
    assert bytes_of(kept) == bytes_of(found)
    ran = Counter(path.name.partition("-")[0] for path in notes.iterdir())
    assert set(ran) == {str(number) for number in range(6)}


def test_a_task_that_kills_every_worker_is_given_up_and_named(means: Means, tmp_path: Path) -> None:
    poison = Task.of("poison", number=1, notes=str(tmp_path))
    found = {done.task: done for done in spread([poison, Task.of("square", number=3)], means)}
    assert found[poison].failure == "every worker died that it was given to"
    assert found[Task.of("square", number=3)].answer == {"square": 9}
    assert len(list(tmp_path.iterdir())) <= 2 * (DEATHS + 1)


def test_a_task_that_fails_once_is_tried_again(means: Means, tmp_path: Path) -> None:
    (done,) = spread([Task.of("flaky", number=3, notes=str(tmp_path))], means)
    assert done.answer == {"square": 9}
    assert RETRIES >= 1


def test_what_fails_or_is_too_large_comes_back_in_words(means: Means) -> None:
    found = list(spread([Task.of("raises", number=7), Task.of("huge", number=1)], means))
    said = sorted(done.failure for done in found)
    assert said[0] == "Awkward: 7 and a fault"
    assert "belongs into a file" in said[1]


def test_workers_of_another_program_are_refused_before_anything_is_given_out(
    means: Means, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = digest()
    monkeypatch.setattr(cluster, "digest", Other(mine))
    with pytest.raises(Refused) as refused:
        list(spread([Task.of("square", number=3)], means))
    assert [problem.code for problem in refused.value.problems] == ["fleet.other-program"]
    assert "127.0.0.1" in str(refused.value.problems[0].args["workers"])


def test_a_worker_of_another_program_that_comes_later_ends_it(
    means: Means, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "_same_program", lambda client: None)
    monkeypatch.setattr(cluster, "digest", lambda: "0" * 64)
    with pytest.raises(Refused, match=r"fleet\.other-program"):
        list(spread([Task.of("square", number=3)], means))


class Other:
    """A digest that is this program's own in a worker, and another one here."""

    def __init__(self, theirs: str) -> None:
        self.theirs, self.here = theirs, "f" * 64

    def __call__(self) -> str:
        return self.here

    def __reduce__(self) -> tuple[type[str], tuple[str]]:
        return str, (self.theirs,)


def test_no_scheduler_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "CONNECTS", 0.2)
    with pytest.raises(Refused, match=r"fleet\.unreachable") as refused:
        list(spread([Task.of("square", number=3)], Means(scheduler="tcp://127.0.0.1:9")))
    assert "refused" in str(refused.value.problems[0].args["error"])


@pytest.mark.parametrize(
    ("said", "problem"),
    [(b"HTTP/1.1 400 Bad Request\r\n\r\n", r"fleet\.no-scheduler"), (b"", r"fleet\.unreachable")],
    ids=["of its pages", "of somebody who waits"],
)
def test_another_port_than_the_schedulers_is_said(
    said: bytes, problem: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "CONNECTS", 2)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        called = []

        def answer() -> None:
            listening.accept()[0].close()  # who only looks whether somebody is there
            caller, _address = listening.accept()
            called.append(caller)
            caller.sendall(said)

        answering = threading.Thread(target=answer, daemon=True)
        answering.start()
        means = Means(scheduler=f"tcp://127.0.0.1:{listening.getsockname()[1]}")
        with pytest.raises(Refused, match=problem):
            list(spread([Task.of("square", number=3)], means))
        answering.join(5)
        called[0].close()


def test_tls_wants_its_three_files(tmp_path: Path) -> None:
    one = [Task.of("square", number=3)]
    with pytest.raises(Refused, match=r"fleet\.no-tls"):
        list(spread(one, Means(scheduler="tls://127.0.0.1:9")))
    with pytest.raises(Refused, match=r"game\.missing"):
        list(spread(one, Means(scheduler="tls://127.0.0.1:9", tls=tmp_path)))


STRANGER = """
import sys
import threading
from distributed import Client
for address in sys.argv[1:]:
    try:
        Client(address, timeout=2)
        print("let in")
    except Exception:
        print("kept out")
"""


def test_a_cluster_that_is_started_here_listens_to_this_machine_alone_and_lets_nobody_else_in() -> None:
    import psutil

    with cluster._client(Means(workers=1)) as client:
        address = client.scheduler_info()["address"]
        assert address.startswith("tls://127.0.0.1:")
        found = [psutil.Process(), *psutil.Process().children(recursive=True)]
        listening = [
            one.laddr.ip
            for process in found
            for one in process.net_connections("tcp")
            if one.status == "LISTEN"
        ]
        assert len(listening) > 2
        assert set(listening) == {"127.0.0.1"}
        others = [address, address.replace("tls://", "tcp://")]
        tried = subprocess.run(
            [sys.executable, "-c", STRANGER, *others], capture_output=True, text=True, timeout=60, check=True
        )
        assert tried.stdout.splitlines() == ["kept out"] * len(others)
        (done,) = cluster._through(client, list(tasks(STUDY))[:1])
        assert len(done.answer) == 2
