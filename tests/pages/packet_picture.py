"""Draws the picture of the packet that stands in the documents: `make picture`. Needs Chromium."""

from __future__ import annotations

import io
import shutil
import sys
import tempfile
from pathlib import Path

from packet_games import by_bots
from PIL import Image
from playwright.sync_api import sync_playwright

from pbem.referee.pages.packet import packet_of

MOVES, STRIKES = "godric", "eadwig"


def main(out: Path) -> None:
    with tempfile.TemporaryDirectory() as home, sync_playwright() as playwright:
        played = by_bots(Path(home), "alder-ford", ("east", "west"), 3)
        page_file = Path(home) / "turn.html"
        page_file.write_bytes(packet_of(played.game, to="umpire@example.org"))
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        page = browser.new_page(viewport={"width": 1240, "height": 780})
        page.goto(page_file.as_uri())
        page.click("#step-move")
        page.evaluate("who => window.pbemDesk.choose(who)", MOVES)
        cell = page.evaluate(
            "who => window.pbemDesk.model.available(who, 'move').rows.filter(row => 'y' in row)[4].c[0]",
            MOVES,
        )
        page.evaluate("cell => window.pbemDesk.board.map.focus({cells: [cell]})", cell)
        page.wait_for_timeout(400)
        page.mouse.click(*page.evaluate("cell => window.pbemDesk.board.map.spot(cell)", cell))
        page.click("#step-fight")
        page.evaluate("who => window.pbemDesk.choose(who)", STRIKES)
        page.wait_for_timeout(600)
        shot = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
        browser.close()
    shot.quantize(200, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(out, optimize=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
