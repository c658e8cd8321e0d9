"""The gallery shows every scenario that is shipped, and every theme."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.referee.explain.look import THEMES
from pbem.referee.game.scenarios import Listed, listed
from pbem.store.library import scenarios

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGE = (DOCS / "gallery.md").read_text("utf-8")


@pytest.mark.parametrize("name", [path.stem for path in scenarios()] + [f"theme-{theme}" for theme in THEMES])
def test_each_picture_is_on_the_page_and_in_its_folder(name: str) -> None:
    assert PAGE.count(f"](gallery/{name}.png)") == 1
    assert 0 < (DOCS / "gallery" / f"{name}.png").stat().st_size <= 600_000


@pytest.mark.parametrize("one", listed(), ids=lambda one: one.name)
def test_each_scenario_has_the_command_that_makes_a_game_of_it(one: Listed) -> None:
    assert PAGE.count(f"`pbem new {one.name} GAME {one.seats}`") == 1


def test_each_picture_is_told_in_words() -> None:
    assert PAGE.count("![") == len(list((DOCS / "gallery").glob("*.png")))
    assert "![](" not in PAGE
