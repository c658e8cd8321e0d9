"""Every problem and doubt that the rules can give has its English sentence."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from pbem.rulesets import siege
from pbem.store.library import words_of
from pbem.text.source import FILES, read

FOLDER = Path(siege.__file__).parent
CODE = re.compile(r"[a-z_]+\.[a-z][a-z0-9-]*")


def codes() -> set[str]:
    """Return the codes of all problems that stand in the source of the rules."""
    found: set[str] = set()
    for path in sorted(FOLDER.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            texts = [
                part.value
                for arg in node.args
                for part in ast.walk(arg)
                if isinstance(part, ast.Constant) and isinstance(part.value, str)
            ]
            if name in ("Problem", "say"):
                found.update(text for text in texts if CODE.fullmatch(text))
            elif name in ("doubt", "doubtful"):
                found.update(f"doubt.{text}" for text in texts[:1])
    return found


def test_every_code_of_the_rules_has_a_sentence() -> None:
    known = set(words_of("siege").keys("problems"))
    said = codes()
    missing = said - known
    assert not missing, sorted(missing)
    assert {"orders.sentence", "doubt.held", "melee.odds", "movement.too-far"} <= said
    own = read((FOLDER / "words.yaml").read_bytes(), limits=FILES).data
    assert isinstance(own, dict)
    assert {code for code in own["problems"] if code.startswith("doubt.")} <= said
