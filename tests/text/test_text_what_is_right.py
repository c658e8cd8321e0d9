"""What would be right of a mistake is made where its rule is, in English: each language puts all of it that a
player can be told.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from pbem.store import library
from pbem.store.library import common_words, languages
from pbem.text.words import ENGLISH, KINDS, TERMS, speaking

PBEM = Path(__file__).resolve().parents[2] / "pbem"
OF_AUTHORS = {
    "castle_checks.py",
    "gear_file.py",
    "map_file.py",
    "map_rows.py",
    "maps.py",
    "options.py",
    "scenario.py",
    "scenario_file.py",
    "scheme.py",
    "siege_scenario.py",
    "tables.py",
    "stable.py",
}
"""Modules whose advice goes to whoever draws a map or writes a scenario, whose files are English."""
TYPED = re.compile(
    r"(NAMES?|-|side:|seat:|turn:|game:|#|https:|pbem|place, ride|in:|\{1\} \{2\}|\{1\} (at|to|takes|leads|leaves|enters|puts "
    r"down|steps over|dismounts|is)\b|\{1\}:)"
)
"""How advice begins that is nothing but what to type."""


def advice() -> Iterator[str]:
    """Yield each text that stands behind ``help=``, its gaps as a phrasebook has them."""
    for ring in ("rulesets", "orders", "text"):
        for module in sorted((PBEM / ring).rglob("*.py")):
            if module.name not in OF_AUTHORS:
                for node in ast.walk(ast.parse(module.read_text("utf-8"))):
                    if isinstance(node, ast.keyword) and node.arg == "help":
                        yield from said(node.value)


def said(node: ast.expr) -> Iterator[str]:
    if isinstance(node, ast.Constant):
        yield str(node.value)
    elif isinstance(node, ast.IfExp):
        yield from (*said(node.body), *said(node.orelse))
    elif isinstance(node, ast.JoinedStr):
        parts, gaps = [], 0
        for part in node.values:
            gaps += not isinstance(part, ast.Constant)
            parts.append(str(part.value) if isinstance(part, ast.Constant) else f"{{{gaps}}}")
        yield "".join(parts)


@pytest.mark.parametrize("language", [one for one in languages() if one != ENGLISH])
def test_advice_is_put_whole(language: str) -> None:
    texts = {text for text in advice() if " " in text and not TYPED.match(text)}
    assert len(texts) > 150
    with speaking(language):
        assert not sorted(text for text in texts if common_words().put(text) == text)


@pytest.mark.parametrize(
    "path", sorted(PBEM.rglob("words*.yaml")) + sorted((PBEM / "words").glob("*.yaml")), ids=str
)
def test_no_sentence_of_a_file_is_lost(path: Path) -> None:
    whole = yaml.safe_load(path.read_text("utf-8"))
    for kind in (*KINDS, TERMS):
        assert list(library._part(path.read_bytes(), kind)) == list(whole.get(kind) or {})
