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


REMEMBERED = """() => {
  const holds = Key.prototype.holds, known = new Map();
  Key.prototype.holds = function (signature, message) {
    const asked = `${this.line} ${to_base64(signature)} ${to_base64(message)}`;
    if (!known.has(asked)) known.set(asked, holds.call(this, signature, message));
    return known.get(asked);
  };
}"""
"""Lets a key in the page judge a signature over the same bytes once, as ``verifier_ground`` does for the verifier in
one file.
"""
ANSWERED = """() => new Promise((answer, late) => {
  const body = document.body, text = (id) => document.getElementById(id).textContent;
  const look = () => {
    if (body.dataset.state !== "done") return;
    watch.disconnect();
    clearTimeout(end);
    const shown = !document.getElementById("result").hidden;
    const code = shown && audit.failures.length ? audit.failures[0].code : "";
    answer([shown, text("status"), text("verdict"), code, text("text")]);
  };
  const watch = new MutationObserver(look), end = setTimeout(() => late(new Error("not judged in three minutes")), 180000);
  watch.observe(body, { attributes: true });
  look();
})"""
"""Waits until an archive is judged; gives whether there is a result, and what is written on the page."""


def judged(page: Page, path: Path) -> tuple[str, str]:
    """Choose an archive in the page and return verdict and first code."""
    page.evaluate("document.body.dataset.state = 'waiting'")
    page.set_input_files("#file", path)
    has_result, status, verdict, code, text = page.evaluate(ANSWERED)
    if not has_result:
        assert status.startswith("CANNOT DECIDE  -   not an archive that is read, ")
        return "CANNOT DECIDE", ""
    assert text.startswith(f"{verdict}  ")
    return verdict, code


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
