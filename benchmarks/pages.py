"""Pages in a real Chromium: how large they are, and how long after they are loaded the first click is
answered.
"""

from __future__ import annotations

import gc
import shutil
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from benchmarks.measure import Result, amount
from pbem.__main__ import ALLOCATED
from pbem.referee.explain.draw import events_of
from pbem.referee.game.game import Game, open_game
from pbem.referee.pages.packet import contents, packet_bytes
from pbem.referee.pages.showing import replay_bytes
from pbem.referee.play.playing import match
from pbem.store.library import example

if TYPE_CHECKING:
    from playwright.sync_api import Browser

SCENARIO, SEED = "six-days", "a1"
"""A siege of six days with sixty figures; this one takes about a hundred phases."""
BOTS = {"baron": "sergeant", "garrison": "sergeant"}
ASSAULT = 8
"""Slot of the recorded siege after which the assault begins."""
MOST_MS = 200
WRITTEN_MS = 1000
RUNS = 3
MOST_BYTES = 1_500_000
DESK, PHONE = {"width": 1280, "height": 900}, {"width": 390, "height": 760}
FLAGS = ("--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking")
ROUNDS = 7
CLICK = """window.addEventListener("load", () => {
  const loaded = performance.now();
  document.querySelector(%s).click();
  requestAnimationFrame(() => setTimeout(() => { window.__answered = [loaded, performance.now()]; }));
});"""
"""Clicks as soon as the page is loaded, and takes the time when what came of it has been drawn."""


@contextmanager
def long_game() -> Iterator[Game]:
    """Play a long game between bots; what was played is gone afterwards."""
    with TemporaryDirectory() as folder:
        root = Path(folder)
        deque(match(SCENARIO, BOTS, SEED, out=root / "game", home=root).play(), maxlen=0)
        yield open_game(root / "game")


@contextmanager
def chromium() -> Iterator[Browser | None]:
    """Start Chromium; None where there is none."""
    program = shutil.which("chromium")
    if program is None:
        yield None
        return
    from playwright.sync_api import sync_playwright  # not above: the other benchmarks do without

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=list(FLAGS))
        yield browser
        browser.close()


def first_click(browser: Browser, file: Path, selector: str, *, phone: bool = False) -> tuple[float, float]:
    """Return the seconds until a page is loaded, and from then until a first click is answered: of several,
    the ones in the middle.
    """
    loaded, answered = [], []
    for _ in range(ROUNDS):
        context = browser.new_context(viewport=PHONE if phone else DESK, is_mobile=phone, has_touch=phone)
        page = context.new_page()
        page.add_init_script(CLICK % repr(selector))
        page.goto(file.as_uri())
        while (times := page.evaluate("window.__answered || null")) is None:
            time.sleep(0.005)
        loaded.append(times[0] / 1000)
        answered.append((times[1] - times[0]) / 1000)
        context.close()
    return median(loaded), median(answered)


def results(seconds: float) -> Iterator[Result]:
    """Yield the benchmarks of the pages; without Chromium only how long it takes to write them."""
    with long_game() as game, TemporaryDirectory() as folder, chromium() as browser:
        yield from _replay(game, Path(folder), browser)
        yield from _packet(Path(folder), browser)


def spent(work: Callable[[], bytes]) -> tuple[bytes, float]:
    """Return what a work makes, and the least seconds of processor of some runs of it; the ground of the map is
    kept from the first on, as on the shelf of whoever plays, and waste is looked for as late as by ``pbem``.
    """
    found, least = b"", float("inf")
    gc.set_threshold(ALLOCATED)
    for _ in range(RUNS):
        begin = time.process_time()
        found = work()
        least = min(least, time.process_time() - begin)
    return found, least


def _replay(game: Game, folder: Path, browser: Browser | None) -> Iterator[Result]:
    page, seconds = spent(lambda: replay_bytes(game, ".html"))
    (file := folder / "replay.html").write_bytes(page)
    phases = sum(len(slot.result["phases"]) for slot in game.ledger.slots.values() if slot.result is not None)
    yield from _written("replay", f"the replay of {phases} phases", page, seconds)
    if browser is None:
        return
    for phone in (False, True):
        loaded, answered = first_click(browser, file, "#event-on", phone=phone)
        where = "on a phone's screen" if phone else "on a desk's screen"
        yield Result("replay loaded", f"the replay {where}: loaded", "", loaded, None, None)
        yield Result(
            "replay click", f"the replay {where}: first click, from then", "", answered, None, MOST_MS
        )


def _written(name: str, what: str, page: bytes, seconds: float) -> Iterator[Result]:
    """Yield how long a page took to write, and how large it is; it may not be too large."""
    if len(page) > MOST_BYTES:
        raise AssertionError(f"{what}, {len(page)} bytes: it may have {MOST_BYTES / 1e6:.0f} MB")
    yield Result(name, f"{what}: processor", "", seconds, None, WRITTEN_MS)
    yield amount(f"{name} size", f"{what}: size", len(page) / 1e6, "MB")


def _packet(folder: Path, browser: Browser | None) -> Iterator[Result]:
    """Of the recorded siege the turn in which the assault begins: sixty figures, and thirty-six of them to be
    ordered.
    """
    game = open_game(example(SCENARIO) / "archive.zip")
    result = game.ledger.slots[ASSAULT].result
    assert result is not None
    (seat,) = result["next"]["waits"]
    state = game.state_after(ASSAULT, str(result["state"]))

    def write() -> bytes:
        made, still = contents(
            game.ground,
            seat,
            game.sides[seat],
            state,
            events_of(game, ASSAULT),
            result["next"],
            game=game.id,
            luck=True,
            to="umpire@example.org",
        )
        return packet_bytes(made, still)

    page, seconds = spent(write)
    (file := folder / "turn.html").write_bytes(page)
    yield from _written("packet", "the packet of an assault, 60 figures", page, seconds)
    if browser is None:
        return
    for phone in (False, True):
        loaded, answered = first_click(browser, file, "#step-move", phone=phone)
        where = "on a phone's screen" if phone else "on a desk's screen"
        yield Result("packet loaded", f"the packet {where}: loaded", "", loaded, None, None)
        yield Result(
            "packet click", f"the packet {where}: first click, from then", "", answered, None, MOST_MS
        )
