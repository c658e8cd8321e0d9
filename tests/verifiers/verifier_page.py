"""The page that verifies, in a browser that a test drives: what it says of an archive, and what it asked for
and complained of.
"""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page
from verifier_ground import HERE, said_by_pbem, said_of
from verifier_tampered import tampered, verdicts

from pbem.store import zips

FILE = HERE / "pd1_verify.html"
PAGE = FILE.read_text("utf-8")
LAST = "document.getElementById('text').textContent"
DONE = "body[data-state=done]"
ASKED: list[str] = []
WRONG: list[str] = []


def judged(page: Page, path: Path) -> tuple[str, str]:
    """Choose an archive in the page and return verdict and first code."""
    page.evaluate("document.body.dataset.state = 'waiting'")
    page.set_input_files("#file", path)
    page.wait_for_selector(DONE, state="attached")
    if page.evaluate("document.getElementById('result').hidden"):
        assert page.evaluate("document.getElementById('status').textContent").startswith(
            "CANNOT DECIDE  -   not an archive that is read, "
        )
        return "CANNOT DECIDE", ""
    first = page.evaluate("audit.failures.length ? audit.failures[0].code : ''")
    shown = page.evaluate("document.getElementById('verdict').textContent")
    assert page.evaluate(LAST).startswith(f"{shown}  ")
    return shown, first


def said_of_zip(path: Path, tampered_as: str = "") -> tuple[str, str]:
    """Return verdict and first code of pbem for an archive in one file; for one that was tampered with by hand
    and holds the same, byte for byte, what was found in that.
    """
    try:
        archive = zips.open_zip(path)
    except zips.BadZip:
        return "CANNOT DECIDE", ""
    if not tampered_as:
        return said_by_pbem(archive)
    assert {inside: archive[inside] for inside in archive} == tampered()[tampered_as]
    return said_of(verdicts()[tampered_as])
