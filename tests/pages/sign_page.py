"""A page that signs, a game in which a player has joined with it, and what tests of both have in common."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page
from table import Table, pull

from pbem.proof import signing
from pbem.referee.pages.signing_page import going_of, joining_of
from pbem.referee.turn.admit import admit
from pbem.referee.turn.go import take_go
from pbem.renderers import page as shell

SCRIPTS = ("sign.js", "sign_tree.js", "sign_values.js", "sign_code.js", "sign_panel.js")
HEADER = {"game": "tug-0a1b2c", "slot": 3, "seat": "south", "head": "ab" * 32}
NAMESPACE = "pd1-orders/tug-0a1b2c/3/south/" + "ab" * 32


@pytest.fixture(scope="module")
def bare(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Return a page with nothing on it but what signs; it has to stay quiet."""
    file = tmp_path_factory.mktemp("sign") / "sign.html"
    file.write_bytes(shell.whole_page("sign", styles=(), scripts=SCRIPTS, body="<main></main>", data={}))
    context = chromium.new_context()
    page = context.new_page()
    noise: list[str] = []
    page.on("console", lambda said: noise.append(said.text))
    page.on("pageerror", lambda error: noise.append(str(error)))
    page.goto(file.as_uri())
    yield page
    assert noise == []
    context.close()


CALL = """async ([name, given]) => {
  try { const made = await window.pbemSign[name](...given); return {made: made instanceof Uint8Array ? Array.from(made) : made}; }
  catch (error) { return {code: error.code || String(error), args: error.args}; }
}"""


def call(page: Page, name: str, *given: Any) -> Any:
    found = page.evaluate(CALL, [name, list(given)])
    assert "code" not in found, found
    return found["made"]


def code(page: Page, name: str, *given: Any) -> str:
    return str(page.evaluate(CALL, [name, list(given)]).get("code"))


def key_of(table: Table, name: str) -> str:
    return signing.private_to_openssh(table.key(name)).decode()


def armoured(data: bytes, namespace: str, table: Table, name: str = "south") -> str:
    return signing.sign(table.key(name), namespace, data)


def lock_asked(table: Table, seat: str = "south") -> dict[str, Any]:
    """Return what a page needs to answer the lock of the open slot."""
    game = table.open()
    return going_of(game, seat)


def joining(table: Table, seat: str = "south") -> dict[str, Any]:
    """Return what a page needs to answer the invitation."""
    return joining_of(table.open(), seat)


def began(page: Page, root: Path, **more: Any) -> Table:
    """Return a game in which south has joined in the browser, answered a lock there, and is
    to order: slot 2.
    """
    table = Table(root)
    table.new(**more)
    key = call(page, "load", key_of(table, "south"))
    admit(table.env, table.game, call(page, "join", key["fingerprint"], joining(table)).encode())
    table.join_all()
    table.orders("north", pull("north"), auto_lock=False)
    table.lock()
    take_go(table.game, call(page, "go", key["fingerprint"], lock_asked(table))["letter"].encode())
    table.resolve()
    return table


@pytest.fixture(scope="module")
def joint(bare: Page, tmp_path_factory: pytest.TempPathFactory) -> Table:
    """Return such a game."""
    return began(bare, tmp_path_factory.mktemp("joint"))


def apart(table: Table, root: Path) -> Table:
    """Return the same game on another computer, which has the same secrets: what is played there, the first
    one does not hear of.
    """
    shutil.copytree(table.root, root)
    other = Table(root)
    other.moment, other.count = table.moment, table.count
    return other


def fingerprint_of(table: Table) -> str:
    return signing.fingerprint(signing.public_of(table.key("south")))


def forget(page: Page, store: str) -> None:
    page.evaluate(
        "async (name) => { await window.pbemSign.stored(name, 'readwrite', (store) => store.clear()); }",
        store,
    )
