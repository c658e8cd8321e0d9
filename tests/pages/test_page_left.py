"""A page that a test leaves to the next one is as a new one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from page_watch import Watched

STORE = """async (word) => {
  const before = [localStorage.length, sessionStorage.length, window.name, history.length, (await indexedDB.databases()).length,
    (await navigator.storage.estimate()).usage, document.querySelector(':hover') !== null && document.querySelector('p:hover') !== null];
  localStorage.setItem("word", word);
  sessionStorage.setItem("word", word);
  window.name = word;
  await new Promise((done) => { indexedDB.open(word).onsuccess = (event) => { event.target.result.close(); done(); }; });
  return before;
}"""


@pytest.mark.parametrize("time", ["first", "second", "third"])
def test_nothing_is_there_of_the_test_before(
    opened: Callable[..., Watched], tmp_path: Path, time: str
) -> None:
    file = tmp_path / "page.html"
    file.write_text("<!doctype html><title>A page</title><p>A line.</p>", "utf-8")
    page = opened(file).page
    assert page.evaluate(STORE, time) == [0, 0, "", 2, 0, 0, False]
    assert page.viewport_size == {"width": 1280, "height": 900}
    assert not page.evaluate("'lasting' in window || matchMedia('print').matches")
    page.mouse.move(*[100, 25])
    page.evaluate("history.pushState({}, '', '#here')")
    if time == "second":
        page.add_init_script("window.lasting = true")
        page.emulate_media(media="print")
        page.set_viewport_size({"width": 500, "height": 500})
