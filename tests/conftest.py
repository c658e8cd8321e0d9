"""What all tests share."""

from __future__ import annotations

import atexit
import gc
import json
import os
import shutil
import tempfile
from collections.abc import Callable, Generator, Iterator, Mapping
from fnmatch import fnmatchcase
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec
import pytest
from hypothesis import HealthCheck, settings
from thorough import THOROUGH

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Playwright
    from table import Table
    from xdist.scheduler import LoadFileScheduling

MEMORY: Final = Path("/dev/shm")
ROOM: Final = 2 << 30
SMALL: Final = 1 << 14
MANY: Final = 1 << 13
"""So many bytes has the largest record that is remembered, and so many of them are."""


def files_in_memory() -> None:
    """Let whatever is written for a time lie in memory, where the system has room there and nobody said where
    else: the disk would make the tests wait for a third of their time.
    """
    if "TMPDIR" in os.environ or not os.access(MEMORY, os.W_OK):
        return
    if shutil.disk_usage(MEMORY).free > ROOM and not os.statvfs(MEMORY).f_flag & os.ST_NOEXEC:
        os.environ["PYTEST_DEBUG_TEMPROOT"] = str(MEMORY)
        os.environ["TMPDIR"] = tempfile.mkdtemp(prefix="pbem-tests-", dir=MEMORY)
        Path(os.environ["TMPDIR"]).chmod(0o1777)  # a database is another user
        atexit.register(shutil.rmtree, os.environ["TMPDIR"], ignore_errors=True)
        tempfile.tempdir = None


def cache_of_their_own() -> None:
    """Keep what is painted and read in a folder of the tests, one for all workers, and none of the user's: from
    the beginning, for games are read while tests are gathered.
    """
    if "PYTEST_XDIST_WORKER" not in os.environ:
        os.environ["PBEM_CACHE"] = tempfile.mkdtemp(prefix="pbem-cache-")
        atexit.register(shutil.rmtree, os.environ["PBEM_CACHE"], ignore_errors=True)


files_in_memory()
cache_of_their_own()
for drawn in ("same", "anew"):
    settings.register_profile(
        drawn, derandomize=drawn == "same", deadline=None, suppress_health_check=[HealthCheck.too_slow]
    )
settings.load_profile("anew" if os.environ.get("PBEM_DRAW") == "anew" else "same")
"""What hypothesis draws is the same in every run, and may take as long as it takes, so that a run tells of a
change and not of luck, nor of how busy the machine is; PBEM_DRAW=anew draws others."""


MARKED = {
    "browser": "pages/test_page_*",
    "servers": "post/test_post_imap post/test_post_smtp post/test_post_round store/test_store_web store/test_store_fetch "
    "store/test_store_relays forum/test_forum_sending forum/test_forum_fetching forum/test_forum_discourse "
    "forum/test_forum_phpbb forum/test_forum_round house/test_house_club "
    "cli/test_cli_beacon cli/test_cli_forum_net text/test_text_editor fleet/test_fleet_queue fleet/test_fleet_cluster",
    "kill": (
        "*/test_*_killed post/test_post_smtp house/test_house_at_once forum/test_forum_round referee/test_referee_mend "
        "store/test_store_outbox fleet/test_fleet_queue fleet/test_fleet_cluster"
    ),
    "slow": "rulesets/siege/test_siege_knock_out rulesets/siege/test_siege_legal_laws rulesets/siege/test_siege_judge_laws "
    "rulesets/anarchy/test_anarchy_legal_laws rulesets/anarchy/test_tower_laws "
    "rulesets/siege/test_siege_offers rulesets/siege/test_siege_flight rulesets/siege/test_siege_sheet "
    "rulesets/castle/test_castle_by_mail "
    "text/test_text_shape geometry/test_geometry_second_opinion golden/test_golden proof/test_proof_honest "
    "post/test_post_round post/test_post_whole_game post/test_post_smtp forum/test_forum_round house/test_house_club fuzz/* "
    "fleet/test_fleet_queue fleet/test_fleet_cluster",
}
"""Mark -> the files whose tests bear it, by their names below this folder: ``pytest -m "not browser and not
servers"``.
"""
LONG: Final = frozenset(("browser", "slow"))
"""Marks of tests whose files take long."""
HERE = Path(__file__).resolve().parent


@cache
def marks_of_file(path: Path) -> tuple[str, ...]:
    """Return the marks that tests bear by the name of their file."""
    name = path.relative_to(HERE).with_suffix("").as_posix() if path.is_relative_to(HERE) else ""
    return tuple(
        mark for mark, files in MARKED.items() if any(fnmatchcase(name, file) for file in files.split())
    )


def marks_of(item: pytest.Item) -> Iterator[str]:
    """Yield the marks that a test bears by the name of its file, or because it asks for the browser."""
    yield from marks_of_file(item.path)
    if "chromium" in getattr(item, "fixturenames", ()):
        yield "browser"


RARELY: Final = (20_000, 10, 20)
"""After how many new objects garbage is looked for among the youngest, and after how many such times among older."""


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector: pytest.Collector) -> Generator[None, pytest.CollectReport]:
    """Let each worker begin at another file of a folder, so that of a fresh clone each compiles some of the tests and
    reads what others have compiled: in step they would all compile the same ones.
    """
    report = yield
    if isinstance(collector, pytest.Directory) and (found := report.result):
        number = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
        first = len(found) * number // int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
        report.result = [*found[first:], *found[:first]]
    return report


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Let the collector of garbage leave alone what stays to the end: twenty thousand tests, and whatever they
    import.

    It would go through all of it again and again while it grows, and whenever a test makes much.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(*RARELY)
        gc.enable()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark tests by their files; leave to the longer check what is for it alone, and out of it whatever it
    would only try again. Files that take long begin, so that none of them is left to one core at the end.
    """
    for item in items:
        for mark in marks_of(item):
            item.add_marker(mark)
    groups: dict[bool, list[pytest.Item]] = {True: [], False: []}
    for item in items:
        marked = {mark.name for mark in item.iter_markers()} & {"thorough", "deeper"}
        groups[bool(marked) if THOROUGH else "thorough" not in marked].append(item)
    config.stash[BROWSING] = frozenset(
        item.path for item in items if "chromium" in getattr(item, "fixturenames", ())
    )
    if groups[False]:
        config.hook.pytest_deselected(items=groups[False])
    long = {item.path for item in groups[True] for mark in item.iter_markers() if mark.name in LONG}
    items[:] = sorted(groups[True], key=lambda item: (item.path not in long, str(item.path)))


TOGETHER: Final = (
    "verifiers/test_verifiers_page.py verifiers/test_verifiers_python.py verifiers/test_verifiers_mine.py",
    "layout/*",
)
"""Files that ask the same of the same archives, or read the same source: one worker runs them all, and
remembers.
"""


@cache
def _is_one_of(file: str, files: str) -> bool:
    return any(fnmatchcase(file, f"*/{name}") for name in files.split())


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> LoadFileScheduling | None:
    """Give each file to one worker, and files that remember together to the same."""
    if config.getvalue("dist") != "loadfile":
        return None
    from xdist.scheduler import LoadFileScheduling

    class Together(LoadFileScheduling):
        def _split_scope(self, nodeid: str) -> str:
            file = super()._split_scope(nodeid)
            return next((files for files in TOGETHER if _is_one_of(file, files)), file)

    return Together(config, log)


PASSED: Final = "passed"


@pytest.hookimpl(tryfirst=True)
def pytest_report_to_serializable(report: object) -> dict[str, Any] | None:
    """Let a worker send of what passed, and left nothing to read, no more than is counted: three reports of each
    test go to the process that prints, and to pack and unpack their words took as long as to run a small test.
    """
    if type(report) is not pytest.TestReport or not report.passed:
        return None
    if report.sections or report.user_properties or hasattr(report, "wasxfail"):
        return None
    return {PASSED: (report.nodeid, report.location, report.when, report.duration, report.start, report.stop)}


@pytest.hookimpl(tryfirst=True)
def pytest_report_from_serializable(data: Mapping[str, Any]) -> pytest.TestReport | None:
    """Read such a report back."""
    if PASSED not in data:
        return None
    nodeid, location, when, duration, start, stop = data[PASSED]
    return pytest.TestReport(nodeid, location, {}, "passed", None, when, (), duration, start, stop)


def need(program: str) -> str:
    """Return the path of a program; skip the test by its name where it is absent, fail where no test may
    skip.
    """
    path = shutil.which(program)
    if path is None:
        if os.environ.get("PBEM_NO_SKIP") == "1":
            pytest.fail(f"{program} is not installed and PBEM_NO_SKIP=1")
        pytest.skip(f"{program} is not installed")
    return path


@pytest.fixture(name="need", scope="session")
def need_fixture() -> object:
    """Give tests the function above without an import path."""
    return need


@pytest.fixture(scope="session", autouse=True)
def no_waiting_for_the_disk() -> Iterator[None]:
    """Let no test wait for the disk: what a killed program leaves behind is the same, and nobody here cuts
    the power.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("os.fsync", lambda number: None)
        yield


@pytest.fixture(scope="session", autouse=True)
def the_engine_that_played() -> Iterator[None]:
    """Let games of the table be verified by the engine that they pin, so that whatever comes out otherwise is
    a failure.
    """
    from table import ENGINE

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pbem.referee.proving.verify.this_engine", lambda: ENGINE)
        yield


@pytest.fixture(scope="session", autouse=True)
def what_was_judged_is_remembered() -> Iterator[None]:
    """Judge the bytes of no record, no line of a log and no header of an order file, and read no armor, twice in
    a worker: tests open the same small games again and again, and what is wrong with some bytes depends on them
    alone. Whoever reads them gets a record of his own.
    """
    from pbem.proof import ledger, locking, resulting, signing

    decode, check_form, parse = ledger.decode, ledger.check_form, locking.parse

    @lru_cache(maxsize=MANY)
    def is_canonical(data: bytes) -> bool:
        decode(data)  # what is raised is not remembered
        return True

    @lru_cache(maxsize=MANY)
    def reason(data: bytes) -> str | None:
        return check_form(json.loads(data))

    def decoded(data: bytes) -> dict[str, Any]:
        if len(data) > SMALL:
            return decode(data)
        is_canonical(data)
        record: dict[str, Any] = json.loads(data)
        return record

    def form_checked(record: Mapping[str, Any]) -> str | None:
        data = msgspec.json.encode(record)
        return check_form(record) if len(data) > SMALL else reason(data)

    header = lru_cache(maxsize=MANY)(parse)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(resulting, "right_line", lru_cache(maxsize=4 * MANY)(resulting.right_line))
        patch.setattr(locking, "parse", lambda data: parse(data) if len(data) > SMALL else header(data))
        patch.setattr(ledger, "decode", decoded)
        patch.setattr(ledger, "check_form", form_checked)
        patch.setattr(signing, "_parse", lru_cache(maxsize=MANY)(signing._parse.__wrapped__))
        yield


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """Return a table with a clock and chance of its own, and games of the toy ruleset at every stage."""
    from table import Table

    return Table(tmp_path)


QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
)


RUNNING: Final[list[tuple[Playwright, Browser]]] = []
"""The Chromium that runs, and what drives it."""
BROWSING: Final = pytest.StashKey[frozenset[Path]]()
"""The files with a test that asks for it."""


@pytest.fixture(scope="module")
def chromium(need: Callable[[str], str]) -> Iterator[Browser]:
    """Return a real Chromium, for the pages that pbem writes and ships: started once for all files that follow
    each other, and left by each without a page. Where it is there, Chromium as a program without windows: a page
    in it costs half the time.
    """
    program = shutil.which("chromium-headless-shell") or need("chromium")
    from playwright.sync_api import sync_playwright

    if not RUNNING:
        playwright = sync_playwright().start()
        RUNNING.append((playwright, playwright.chromium.launch(executable_path=program, args=list(QUIET))))
    (_, browser) = RUNNING[0]
    yield browser
    for context in browser.contexts:
        context.close()


def environment() -> dict[str, str]:
    """Return the environment but for what pytest tells there of the test that runs."""
    return {name: said for name, said in os.environ.items() if not name.startswith("PYTEST_")}


AT_FIRST: Final = environment()


def same_environment() -> None:
    """Fail where the environment is not what it was at first, and make it so again."""
    if (now := environment()) != AT_FIRST:
        changed = sorted({name for name, _ in now.items() ^ AT_FIRST.items()})
        os.environ.update(AT_FIRST)
        for name in now.keys() - AT_FIRST.keys():
            del os.environ[name]
        pytest.fail(f"tests of this file changed {', '.join(changed)} for all that follow", pytrace=False)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> Iterator[None]:
    """End the Chromium before a file that does not ask for it: what drives it leaves no room for another loop
    of events. Refuse a file whose tests leave another environment to those after it.
    """
    try:
        result = yield
        if nextitem is None or nextitem.path != item.path:
            same_environment()
        return result
    finally:
        if nextitem is None or nextitem.path not in item.config.stash[BROWSING]:
            while RUNNING:
                playwright, browser = RUNNING.pop()
                browser.close()
                playwright.stop()
