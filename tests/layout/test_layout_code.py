"""The house rules that a reader would otherwise have to check by eye: sizes, rings, and what the pure rooms
may touch.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest
from parsed import nodes, tree

ROOT = Path(__file__).resolve().parents[2]
PURE = [
    path
    for ring in ("core", "geometry", "rulesets/siege", "rulesets/anarchy", "rulesets/castle", "bots")
    for path in sorted((ROOT / "pbem" / ring).rglob("*.py"))
]
ALL = sorted([*(ROOT / "pbem").rglob("*.py"), *(ROOT / "renderers").rglob("*.py")])
ALONE = ROOT / "pbem" / "verifiers"
"""Programs of one file each, that travel without pbem."""
MOST_LINES = 500
FORBIDDEN = {
    "random",
    "time",
    "datetime",
    "os",
    "pathlib",
    "yaml",
    "click",
    "PIL",
    "cryptography",
    "uuid",
    "secrets",
    "io",
    "sys",
}
NOT_WHOLE = {"builtins", "cmath", "decimal", "numpy", "operator", "statistics"}
"""Where numbers come from that are not whole, or what makes them."""
WHOLE_MATH = {"comb", "factorial", "gcd", "isqrt", "lcm", "perm", "prod"}
"""What of ``math`` gives whole numbers for whole numbers."""
FLOATS = {"complex", "float"}


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("path", [path for path in ALL if path.parent != ALONE], ids=name)
def test_no_module_is_longer_than_a_room(path):
    assert len(path.read_text("utf-8").splitlines()) <= MOST_LINES


def where(path: Path, node: ast.AST) -> str:
    return f"{name(path)}:{getattr(node, 'lineno', 0)}"


def leaves_whole_numbers(node: ast.AST) -> bool:
    """Tell whether a piece of code could bring in a number that is not whole."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, float | complex)
    if isinstance(node, ast.BinOp | ast.AugAssign):
        power = node.right if isinstance(node, ast.BinOp) else node.value
        # a power with an exponent below nothing is a float, and so is what a name for one may hold
        raised = isinstance(node.op, ast.Pow) and not isinstance(power, ast.Constant)
        return raised or isinstance(node.op, ast.Div)
    if isinstance(node, ast.Name):
        return node.id in FLOATS or node.id in {"pow", "round"}
    if isinstance(node, ast.Attribute):
        return node.attr in {"__pow__", "__round__", "__truediv__", "as_integer_ratio"}
    if isinstance(node, ast.Import):
        return bool({alias.name.split(".")[0] for alias in node.names} & {*NOT_WHOLE, "math"})
    if isinstance(node, ast.ImportFrom):
        of, names = (node.module or "").split(".")[0], {alias.name for alias in node.names}
        return of in NOT_WHOLE or (of == "math" and not names <= WHOLE_MATH)
    return False


@pytest.mark.parametrize(
    "line",
    [
        "x = 0.5", "x = 1e3", "x = 2j", "x = a / b", "x /= 2", "x = 2 ** -1", "x = a ** b", "x **= b", "x = pow(2, n)", "x = float(a)",
        "f: Callable = float", "def f(x: float) -> int: ...", "x = round(a, 1)", "import math", "from math import hypot", "from math import isqrt, sqrt",
        "from operator import truediv", "import statistics", "from decimal import Decimal", "x = a.__truediv__(b)", "import builtins",
    ],
)  # fmt: skip
def test_no_line_with_a_number_that_is_not_whole_gets_past(line):
    assert any(leaves_whole_numbers(node) for node in ast.walk(ast.parse(line)))


@pytest.mark.parametrize("path", PURE, ids=name)
def test_pure_rooms_know_no_float_clock_file_or_chance(path):
    for node in nodes(path):
        assert not leaves_whole_numbers(node), where(path, node)
        if isinstance(node, ast.Import):
            assert not {alias.name.split(".")[0] for alias in node.names} & FORBIDDEN, where(path, node)
        if isinstance(node, ast.ImportFrom):
            assert (node.module or "").split(".")[0] not in FORBIDDEN, where(path, node)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in {
                "open",
                "print",
                "input",
                "hash",
                "id",
                "eval",
                "exec",
                "__import__",
            }, where(path, node)


def test_imports_point_inward():
    ran = subprocess.run(
        [sys.executable, "-c", "from importlinter.cli import lint_imports_command as c; c()", "--no-cache"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr


@pytest.mark.parametrize("path", ALL, ids=name)
def test_every_module_says_what_it_is_for(path):
    assert ast.get_docstring(tree(path)), "a module without a docstring"


def test_nothing_is_left_half_done():
    marks = (
        "TO" + "DO",
        "FIX" + "ME",
        "X" + "XX",
        "raise NotImplemented" + "Error",
        "simplified " + "for now",
    )
    for path in [*ALL, *(ROOT / "docs").rglob("*.md"), *ROOT.glob("*.md")]:
        text = path.read_text("utf-8")
        assert not [mark for mark in marks if mark in text], name(path)


@pytest.mark.parametrize("path", sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]), ids=name)
def test_links_in_documents_lead_somewhere(path):
    import re

    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", path.read_text("utf-8")):
        if "://" not in target:
            assert (path.parent / target).exists(), f"{name(path)} -> {target}"
