"""Whatever the referee and the terminal say has a sentence, with arguments that the sentence knows."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.store.library import english
from pbem.store.zips import BadZip

ROOT = Path(__file__).resolve().parent.parent.parent / "pbem"
MADE = {f"luck.{reason}" for reason in ("too-short", "too-long", "letters")} | {
    f"zip.{reason}" for reason in ("too-big", "no-zip", "too-many", "path", "twice", "link", "locked", "bomb")
}
MADE |= {f"{kind}.form" for kind in ("join", "go", "consent")}
MADE |= {f"keys.{reason}" for reason in ("form", "order", "private", "password", "type")}


def calls() -> Iterator[tuple[Path, str, ast.Call]]:
    for path in sorted(
        [*(ROOT / "referee").rglob("*.py"), *(ROOT / "cli").rglob("*.py"), *(ROOT / "store").rglob("*.py")]
    ):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call):
                name = (
                    node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
                )
                yield path, name, node


def said() -> list[tuple[str, str, str, frozenset[str]]]:
    found = []
    for path, name, node in calls():
        if (
            not node.args
            or not isinstance(node.args[0], ast.Constant)
            or not isinstance(node.args[0].value, str)
        ):
            continue
        keys = frozenset(keyword.arg for keyword in node.keywords if keyword.arg)
        if name == "refuse":
            found.append((path.name, "problems", node.args[0].value, keys - {"answer", "file", "help"}))
        elif name == "Problem":
            given = node.args[1] if len(node.args) > 1 else None
            names = (
                [key.value for key in given.keys if isinstance(key, ast.Constant)]
                if isinstance(given, ast.Dict)
                else []
            )
            found.append((path.name, "problems", node.args[0].value, frozenset(str(key) for key in names)))
        elif name == "phrase":
            found.append((path.name, "phrases", node.args[0].value, keys))
    return found


@pytest.mark.parametrize(("file", "kind", "key", "arguments"), said())
def test_every_code_has_a_sentence_and_every_argument_it_needs(
    file: str, kind: str, key: str, arguments: frozenset[str]
) -> None:
    words = english()
    assert words.knows(kind, key), f"{file}: {kind} {key}"
    assert words.slots(kind, key) <= arguments, f"{file}: {key} needs {sorted(words.slots(kind, key))}"


@pytest.mark.parametrize("code", sorted(MADE))
def test_codes_that_are_put_together_have_sentences(code: str) -> None:
    assert english().knows("problems", code)


def test_a_bad_zip_is_short() -> None:
    assert str(BadZip("path", "x" * 500)) == "path '" + "x" * 79
    assert BadZip("no-zip").entry == ""
