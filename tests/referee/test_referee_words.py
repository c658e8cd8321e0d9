"""Whatever the referee and the terminal say has a sentence, with arguments that the sentence knows."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.store.library import common_words
from pbem.store.zips import BadZip

ROOT = Path(__file__).resolve().parent.parent.parent / "pbem"
MADE = {f"luck.{reason}" for reason in ("too-short", "too-long", "letters")} | {
    f"zip.{reason}" for reason in ("too-big", "no-zip", "too-many", "path", "twice", "link", "locked", "bomb")
}
MADE |= {f"{kind}.form" for kind in ("join", "go", "consent")}
MADE |= {f"keys.{reason}" for reason in ("form", "order", "private", "password", "type")}


FILES = sorted(path for ring in ("referee", "cli", "store") for path in (ROOT / ring).rglob("*.py"))
SAYING = ("refuse", "Problem", "phrase")


def calls(text: str) -> Iterator[tuple[str, ast.Call]]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call):
            yield (
                (node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")),
                node,
            )


def said(path: Path) -> list[tuple[str, str, frozenset[str]]]:
    found = []
    text = path.read_text("utf-8")
    for name, node in calls(text) if any(word in text for word in SAYING) else ():
        if (
            not node.args
            or not isinstance(node.args[0], ast.Constant)
            or not isinstance(node.args[0].value, str)
        ):
            continue
        keys = frozenset(keyword.arg for keyword in node.keywords if keyword.arg)
        if name == "refuse":
            found.append(("problems", node.args[0].value, keys - {"answer", "file", "help"}))
        elif name == "Problem":
            given = node.args[1] if len(node.args) > 1 else None
            names = (
                [key.value for key in given.keys if isinstance(key, ast.Constant)]
                if isinstance(given, ast.Dict)
                else []
            )
            found.append(("problems", node.args[0].value, frozenset(str(key) for key in names)))
        elif name == "phrase":
            found.append(("phrases", node.args[0].value, keys))
    return found


@pytest.mark.parametrize("path", [pytest.param(path, id=path.relative_to(ROOT).as_posix()) for path in FILES])
def test_every_code_has_a_sentence_and_every_argument_it_needs(path: Path) -> None:
    words = common_words()
    assert [
        f"{kind} {key} needs {sorted(words.slots(kind, key)) if words.knows(kind, key) else 'a sentence'}"
        for kind, key, arguments in said(path)
        if not words.knows(kind, key) or not words.slots(kind, key) <= arguments
    ] == []


def test_sentences_that_are_said_are_found() -> None:
    found = [one for path in FILES for one in said(path)]
    assert len(found) > 500
    assert {kind for kind, _, _ in found} == {"problems", "phrases"}


@pytest.mark.parametrize("code", sorted(MADE))
def test_codes_that_are_put_together_have_sentences(code: str) -> None:
    assert common_words().knows("problems", code)


def test_a_bad_zip_is_short() -> None:
    assert str(BadZip("path", "x" * 500)) == "path '" + "x" * 79
    assert BadZip("no-zip").entry == ""
