"""The page on fields of fire says what the program says, and its pictures are those that
the program draws.
"""

from __future__ import annotations

import io
import sys
from pathlib import Path

import fields_of_fire as fields
import pytest
from PIL import Image

ROOT = Path(__file__).resolve().parents[3]


def test_the_tables_of_the_page_are_what_the_program_says():
    text = fields.PAGE.read_text("utf-8")
    assert text == fields.page(text), "make figures"
    assert text.count("| **") == sum(len(figure.men) for figure in fields.FIGURES)


@pytest.mark.parametrize("figure", fields.FIGURES, ids=lambda figure: figure.id)
def test_the_pictures_are_drawn_by_the_program_and_small(figure, monkeypatch):
    monkeypatch.setattr(sys, "path", [*sys.path, str(ROOT)])
    kept = (fields.DOCS / f"fields-of-fire-{figure.id}.png").read_bytes()
    assert len(kept) <= fields.LIMIT
    assert Image.open(io.BytesIO(kept)).width == Image.open(io.BytesIO(fields.picture(figure))).width
    assert f"fields-of-fire-{figure.id}.png" in fields.PAGE.read_text("utf-8")


def test_the_lines_in_the_pictures_are_the_shots_of_the_tables():
    walls, moat = (fields.drawn(figure).traces for figure in fields.FIGURES)
    assert [(trace.actors[0] + trace.targets[0]) for trace in walls] == ["AD", "AG", "BC", "BD", "BE", "BG"]
    assert [(trace.actors[0] + trace.targets[0]) for trace in moat] == [
        "AB",
        "AC",
        "AD",
        "EA",
        "EB",
        "EC",
        "ED",
    ]
