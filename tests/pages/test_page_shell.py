"""What every page stands in: nothing a name says can end its place, nothing foreign runs,
nothing is fetched.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from page_watch import Watched

from pbem.renderers import page as shell

HOSTILE = (
    "</script><script>document.title='taken'</script>",
    "<!--<script>",
    "<img src=x onerror=\"document.title='taken'\">",
    "‮gnp.exe⁦",
    "]]>\u2028\u2029&lt;",
    "x" * 10_000,
)
BODY = '<main><h1 id="said">-</h1></main>'
READ = "JSON.parse(document.getElementById('data').textContent).name"


@pytest.fixture
def parts(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = {
        "a.css": "h1 { color: rgb(1, 2, 3) }",
        "a.js": f"document.getElementById('said').textContent = {READ}",
    }
    monkeypatch.setattr(shell, "part", texts.__getitem__)


@pytest.mark.parametrize("name", HOSTILE)
def test_no_name_gets_out_of_the_data(
    name: str, parts: None, opened: Callable[..., Watched], tmp_path: Path
) -> None:
    file = tmp_path / "page.html"
    file.write_bytes(
        shell.whole_page(name, styles=["a.css"], scripts=["a.js"], body=BODY, data={"name": name})
    )
    watched = opened(file)
    assert watched.page.evaluate(READ) == name
    assert watched.page.text_content("#said") == name
    assert watched.page.title() == name
    assert watched.page.evaluate("getComputedStyle(document.querySelector('h1')).color") == "rgb(1, 2, 3)"


def test_what_is_not_of_the_page_does_not_run(
    parts: None, opened: Callable[..., Watched], tmp_path: Path
) -> None:
    file = tmp_path / "page.html"
    made = shell.whole_page("-", styles=["a.css"], scripts=["a.js"], body=BODY, data={"name": "-"})
    file.write_bytes(made.replace(b"</main>", b"<script>document.title = 'taken'</script></main>"))
    watched = opened(file)
    assert watched.page.title() == "-"
    assert any("Content Security Policy" in said for said in watched.noise)
    watched.noise.clear()


def test_data_comes_back_as_it_was() -> None:
    data = {"b": list(HOSTILE), "a": {"1": None}}
    text = shell.as_data(data)
    assert json.loads(text) == data
    assert not set("<>&\u2028\u2029") & set(text)
