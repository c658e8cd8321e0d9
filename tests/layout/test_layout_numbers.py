"""A number that a rulebook prints stands in a table with its rule, not in Python.

What Python may say by itself: none, one and the half, the shape of a text or a way (``len(…) == 2``, indices,
slices), what goes round a hex of six sides. Whatever else stands in a chapter of rules is argued for here, by
the chapter and the function (or constant) it stands in, or it is a number of a rule in the wrong place. And no
function stands there only to bear a rule: where all it says is a constant, a row of a table says it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Final

from parsed import tree

SIEGE: Final = Path(__file__).resolve().parents[2] / "pbem" / "rulesets" / "siege"
CHAPTERS: Final = ("combat", "deeds", "ground", "march", "scenario", "sight", "things", "turn")
"""Where rules are carried out. ``state`` and ``orders`` have forms and texts, ``judge`` and ``views`` tell."""
SIDES: Final = 6
Where = tuple[str, str, int]
"""Chapter, function or constant, number."""

ARGUED: Final[Mapping[Where, str]] = {
    ("march", "MOST_GROUNDS", 8): "how much is remembered, not what holds",
    ("things", "_onward", 14): "how much is remembered, not what holds",
    ("ground", "MOST", 1): "how much is remembered, not what holds",
    ("ground", "MOST", 14): "how much is remembered, not what holds",
    ("sight", "MOST", 1): "how much is remembered, not what holds",
    ("sight", "MOST", 13): "how much is remembered, not what holds",
    ("sight", "RULES", 16): "how much is remembered, not what holds",
    ("sight", "ROWS", 256): "how much is remembered, not what holds",
    ("sight", "VARIANTS", 4): "how much is remembered, not what holds",
    ("sight", "MOMENTS", 64): "how much is remembered, not what holds",
    ("sight", "EVERYTHING", 1): "a mask of all bits",
    ("sight", "_open_of_any_part", 2): "one of the two takes up more than one hex",
    ("combat", "_holding", 10): "how much is remembered, not what holds",
    ("combat", "said", 10): "how much is remembered, not what holds",
    ("combat", "worth", 10): "how much is remembered, not what holds",
    ("things", "_split", 14): "how much is remembered, not what holds",
    ("combat", "SIGNS", 1): "how signs of the chart of grounds rank",
    ("deeds", "_ENVELOPE", 1): "form of a file: no empty text",
    ("deeds", "_joint", 2): "two may attack together or not at all; of more, some may",
    ("ground", "DEPTHS", 1): "how far inside a court lies, of three",
    ("ground", "DEPTHS", 2): "how far inside a building lies, of three",
    ("ground", "KEY_TOLD", 60): "how much of a key is told in a message",
    ("ground", "_divided", 2): "what is closed begins and ends once, or the hex is parted",
    ("ground", "_divided", 6): "the sides of a hex",
    ("ground", "_height", 2): "how heights rank: land",
    ("ground", "_height", 3): "how heights rank: a hilltop",
    ("ground", "_in_a_wall", 2): "round a corner: two sides on",
    ("ground", "seed", 9): "how many digits a number in a file has",
    ("march", "_steps", 200): "farther than any map is wide",
    ("scenario", "FARTHEST", 99): "more steps than a map has",
    ("scenario", "_place", 2): "words of a place, of which the last two may say where it looks",
    ("scenario", "placeable", 2): "hexes of a horse",
    ("scenario", "supplies", 3): "how many digits a count in a file has",
    ("scenario", "to_the_moat", 3): "worse than any way to a moat, filled or not",
    ("sight", "lines", 2): "one of the two takes up more than one hex",
    ("things", "FARTHEST", 99): "more steps than a map has",
    ("things", "trek", 2): "hexes of a beast that has its tail behind it",
    ("things", "follow", 2): "the last but one of a track",
    ("things", "not_at_the_edge", 6): "the sides of a hex",
    ("things", "open_to", 5): "the side before, counted round a hex",
    ("turn", "nearest", 200): "farther than any map is wide",
    ("turn", "shoots_again", 3): "the name that its table gives to the second phase of shooting",
}


@cache
def chapters() -> tuple[tuple[str, ast.Module], ...]:
    """Return every module of the chapters of rules."""
    return tuple(
        (chapter, tree(path)) for chapter in CHAPTERS for path in sorted((SIEGE / chapter).glob("*.py"))
    )


def owners(module: ast.Module) -> Iterator[tuple[str, ast.stmt]]:
    """Yield every function, method and assignment of a module by its name."""
    inside = [inner for node in module.body if isinstance(node, ast.ClassDef) for inner in node.body]
    for node in (*module.body, *inside):
        if isinstance(node, ast.FunctionDef):
            yield node.name, node
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield node.target.id, node
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                yield ast.unparse(target), node


def is_length(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "len"


def is_shape(parent: ast.AST, number: int) -> bool:
    """Tell whether a number only says how something is written or laid out."""
    if isinstance(parent, ast.Subscript | ast.Slice):
        return True
    if isinstance(parent, ast.Compare):
        exact = all(isinstance(op, ast.Eq | ast.NotEq) for op in parent.ops)
        fewer = number == 2 and all(isinstance(op, ast.Lt) for op in parent.ops)
        return any(map(is_length, (parent.left, *parent.comparators))) and (exact or fewer)
    if isinstance(parent, ast.BinOp):
        halves = number == 2 and isinstance(parent.op, ast.FloorDiv | ast.Mod)
        return halves or (number == SIDES and isinstance(parent.op, ast.Mod))
    return False


def numbers(node: ast.stmt) -> Iterator[int]:
    """Yield the numbers that a function or a constant says by itself; of a constant the one too."""
    parents = {child: parent for parent in ast.walk(node) for child in ast.iter_child_nodes(parent)}
    allowed = {0} if isinstance(node, ast.Assign | ast.AnnAssign) else {0, 1}
    for found in ast.walk(node):
        if not isinstance(found, ast.Constant) or type(found.value) is not int or found.value in allowed:
            continue
        if not is_shape(parents[found], found.value):
            yield found.value


def test_no_number_of_a_rulebook_stands_in_python() -> None:
    found = {
        (chapter, name, number)
        for chapter, module in chapters()
        for name, node in owners(module)
        for number in numbers(node)
    }
    assert sorted(found - set(ARGUED)) == [], "put it into a table with its rule, or argue for it"
    assert sorted(set(ARGUED) - found) == [], "argued for, but no longer there"


def test_no_text_says_how_many_faces_the_die_has_or_which_column_is_read() -> None:
    said = [
        f"{chapter}.{name}: {found.value}"
        for chapter, module in chapters()
        for name, node in owners(module)
        if isinstance(node, ast.FunctionDef)
        for found in ast.walk(ast.Module(node.body[bool(ast.get_docstring(node)) :], []))
        if isinstance(found, ast.Constant)
        and isinstance(found.value, str)
        and re.search(r"\bof (10|ten)\b|\b\d+:1\b", found.value)
    ]
    assert said == []


def carries(node: ast.FunctionDef) -> bool:
    """Tell whether a function is marked with rules."""
    return any(
        isinstance(mark, ast.Call) and isinstance(mark.func, ast.Name) and mark.func.id == "rule"
        for mark in node.decorator_list
    )


def says(node: ast.FunctionDef) -> ast.expr | None:
    """Return what a function returns, if it does nothing else."""
    body = node.body[bool(ast.get_docstring(node)) :]
    return body[0].value if len(body) == 1 and isinstance(body[0], ast.Return) else None


def test_no_function_stands_only_for_its_rule() -> None:
    idle = [
        f"{chapter}.{name}"
        for chapter, module in chapters()
        for name, node in owners(module)
        if isinstance(node, ast.FunctionDef) and carries(node)
        if isinstance(said := says(node), ast.Constant) or (isinstance(said, ast.Name) and said.id.isupper())
    ]
    assert idle == [], "a row of a table says it, and its entry in the rulebook names the row"
