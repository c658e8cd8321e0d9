"""The general rings know no game by its words: sections, phases, states of figures, what a place looks like
come with a ruleset.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from parsed import nodes

ROOT = Path(__file__).resolve().parents[2]
GENERAL = ("core", "text", "club", "post", "forum", "store", "referee")
WORDS = {
    *("setup", "shoot", "shoot-again", "fight", "move", "day"),
    *("first_missile", "second_archery", "melee", "movement", "recovery"),
    *("healthy", "stunned", "wounded"),
    *("wound", "retreat", "advance", "doorway", "panic-who"),
}
"""Words of a siege that a string of a general module may not be."""
INSIDE = re.compile(
    r"first_missile|second_archery|shoot-again|\b(?:topple|hitch|dismount|bombard|battlement|moat|trebuchet"
    r"|drawbridge)|"
    r"\[0-9\]\{4\}(?!\[?[-+]|\)|[\"'])|\|(?:shoot|fight)\|"
)
"""What no string of one may have in it; four digits with a dash behind them are a year."""

OTHERWISE = {
    ("core/sequence.py", "setup"): "the word of every game for what comes before its first turn",
    ("core/sequence.py", "day"): "what a loop may count",
    ("core/scene_diff.py", "move"): "a kind of arrow in a picture",
    ("text/teller.py", "day"): "a count of the cursor",
    ("referee/pages/moments.py", "day"): "a count of the cursor",
    ("referee/turn/report.py", "day"): "a count of the cursor",
    ("referee/pages/forecasting.py", "fight"): "a kind of arrow in a picture",
    ("referee/mail/letters.py", "setup"): "the end of the name of a sentence",
    ("referee/proving/authoring.py", "setup"): "an argument of sentences",
    ("text/teller.py", "setup"): "an argument of sentences",
    ("post/offices/timing.py", "day"): "a span of time",
    ("club/reading.py", "day"): "a span of time",
    ("referee/mail/overview.py", "day"): "a span of time",
    ("forum/dates.py", "day"): "a part of a date",
    ("store/spool.py", "day"): "a part of a date",
    ("post/orders/asking.py", "day"): "a span of time",
    ("post/orders/asking_forms.py", "day"): "a span of time",
    ("store/disk.py", "move"): "an effect on disk",
    ("referee/game/story.py", "day"): "a date",
    ("referee/turn/seen_heads.py", "day"): "a date",
    ("referee/turn/admit.py", "recovery"): "keys",
    ("referee/turn/join.py", "recovery"): "keys",
    ("referee/turn/rekey.py", "recovery"): "keys",
    ("post/lines/keys.py", "move"): "what people call any order",
    ("post/lines/keys.py", "movement"): "what people print above any orders",
    ("post/lines/keys.py", "setup"): "what people print above any orders",
    ("store/spool.py", "pattern"): "a zone of time",
}
"""Where such a word means something else."""


def _strings(path: Path) -> Iterator[str]:
    documented = [
        node for node in nodes(path) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    ]
    prose = {id(node.value) for node in documented}
    for node in nodes(path):
        if isinstance(node, ast.Constant) and isinstance(node.value, str | bytes) and id(node) not in prose:
            yield node.value if isinstance(node.value, str) else node.value.decode("utf-8", "replace")


def _found() -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for ring in GENERAL:
        for path in sorted((ROOT / "pbem" / ring).rglob("*.py")):
            module = path.relative_to(ROOT / "pbem").as_posix()
            for said in _strings(path):
                words = {said} & WORDS | ({"pattern"} if INSIDE.search(said) else set())
                words = {word for word in words if (module, word) not in OTHERWISE}
                if words:
                    found.setdefault(module, set()).update(words)
    return found


def test_the_general_rings_have_no_words_of_a_siege() -> None:
    assert {module: sorted(words) for module, words in _found().items()} == {}


def test_what_means_something_else_is_there() -> None:
    for module, word in OTHERWISE:
        said = list(_strings(ROOT / "pbem" / module))
        assert word in said or (word == "pattern" and any(map(INSIDE.search, said))), (module, word)
