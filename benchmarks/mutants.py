"""The mutation run: changes one thing in core, geometry, proof or club at a time and asks whether the tests of that
ring notice.

Works in a copy, never in the tree itself. A sample is the same for the same seed; ``--all`` tries every
mutant. Not mutated: docstrings, annotations, decorators, names of type variables, and texts with a blank in
them (words for people, which tests need not repeat).
"""

from __future__ import annotations

import ast
import contextlib
import copy
import io
import math
import multiprocessing
import os
import random
import resource
import shutil
import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from tempfile import TemporaryDirectory
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
MOST = 90
"""Characters of a survivor that are shown, before and after."""
RINGS = ("core", "geometry", "proof", "club")
COPIED = ("pbem", "schemas", "renderers", "scenarios", "pyproject.toml", "tests/conftest.py", "tests/toy")
SWAPS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.In: ast.NotIn,
    ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.And: ast.Or, ast.Or: ast.And, ast.Add: ast.Sub, ast.Sub: ast.Add,
    ast.Mult: ast.Add, ast.FloorDiv: ast.Mult, ast.Mod: ast.FloorDiv, ast.LShift: ast.RShift, ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
}  # fmt: skip


class Mutant(NamedTuple):
    """One change: the module, the line, what was changed to what, and the whole text of the
    module with it.
    """

    path: Path
    line: int
    said: str
    text: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.said}"


def _changes(node: ast.AST) -> Iterator[ast.AST]:
    """Yield what a node may be changed to."""
    match node:
        case ast.Compare(ops=[op]) if type(op) in SWAPS:
            yield _with(node, ops=[SWAPS[type(op)]()])
        case ast.BoolOp() | ast.BinOp() | ast.AugAssign() if type(node.op) in SWAPS:
            yield _with(node, op=SWAPS[type(node.op)]())
        case ast.UnaryOp(op=ast.Not()):
            yield node.operand
        case ast.If() | ast.While() | ast.IfExp():
            yield _with(node, test=ast.UnaryOp(ast.Not(), node.test))
        case ast.comprehension(ifs=[_, *_]):
            yield _with(node, ifs=node.ifs[1:])
        case ast.Constant(value=bool()):
            yield ast.Constant(not node.value)
        case ast.Constant(value=int(number)):
            yield ast.Constant(number + 1)
        case ast.Constant(value=str(text)) if text and " " not in text:
            yield ast.Constant(text + text[-1])
        case ast.Constant(value=bytes(data)) if data:
            yield ast.Constant(data + data[-1:])
        case ast.Return(value=ast.expr()) if not (
            isinstance(node.value, ast.Constant) and node.value.value is None
        ):
            yield ast.Return(ast.Constant(None))
        case ast.Expr(value=ast.Call() | ast.YieldFrom() | ast.Yield()) | ast.AugAssign() | ast.Raise():
            yield ast.Pass()
        case ast.Continue():
            yield ast.Break()
        case ast.Break():
            yield ast.Continue()


def _with(node: ast.AST, **fields: object) -> ast.AST:
    made = copy.copy(node)
    for name, value in fields.items():
        setattr(made, name, value)
    return made


def _places(node: ast.AST) -> Iterator[tuple[ast.AST, str, int | None, ast.AST]]:
    """Yield every node that may be changed: its parent, the field it is in, the place in the list, itself."""
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "type_params"):
            continue
        for index, child in enumerate(value) if isinstance(value, list) else [(None, value)]:
            if not isinstance(child, ast.AST):
                continue
            slots = isinstance(child, ast.Assign) and ast.unparse(child.targets[0]) in (
                "__slots__",
                "__all__",
            )
            words = isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant)
            typing = isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING"
            names = isinstance(child, ast.Call) and ast.unparse(child.func) == "TypeVar"
            never = isinstance(child, ast.Raise) and "AssertionError" in ast.unparse(child)
            sentence = isinstance(child, ast.JoinedStr) and any(
                isinstance(part, ast.Constant) and " " in str(part.value) for part in child.values
            )
            if slots or words or typing or names or never or sentence:
                continue
            yield node, name, index, child
            yield from _places(child)


def mutants(path: Path) -> Iterator[Mutant]:
    """Yield every mutant of a module."""
    tree = ast.parse((ROOT / path).read_text())
    for parent, name, index, node in list(_places(tree)):
        for changed in _changes(node):
            held = getattr(parent, name)
            if index is None:
                setattr(parent, name, changed)
            else:
                held[index] = changed
            line = getattr(node, "lineno", getattr(parent, "lineno", 0))
            said = " -> ".join(" ".join(ast.unparse(one).split())[:MOST] for one in (node, changed))
            yield Mutant(path, line, said, ast.unparse(ast.fix_missing_locations(tree)))
            if index is None:
                setattr(parent, name, node)
            else:
                held[index] = node


def _tests(folder: Path, ring: str, first: str, limit: int) -> None:
    """Run the tests of a ring in this process and leave with their answer; those named like the module come
    first.
    """
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
    os.chdir(folder)
    sys.path[:] = [str(folder), *(entry for entry in sys.path if entry not in ("", str(ROOT)))]
    sys.stdout = sys.stderr = io.StringIO()
    import pytest

    named = sorted(str(path) for path in Path("tests", ring).glob(f"test_*{first}*.py"))
    options = [
        "-x",
        "-q",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:xdist",
        "--hypothesis-seed=0",
        "-W",
        "ignore::pytest.PytestAssertRewriteWarning",
    ]
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        answer = pytest.main([*named, f"tests/{ring}", *options])
    os._exit(int(answer))


def passes(folder: Path, path: Path, limit: int) -> bool:
    """Tell whether the tests pass on a copy within so many seconds of computing."""
    process = multiprocessing.get_context("fork").Process(
        target=_tests, args=(folder, path.parts[1], path.stem, limit)
    )
    process.start()
    process.join()
    return process.exitcode == 0


def _spent() -> float:
    """Return the seconds of computing of all tests so far."""
    return sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])


def _copy(folder: Path) -> Path:
    for name in (*COPIED, *(f"tests/{ring}" for ring in RINGS)):
        source, target = ROOT / name, folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, target)
    return folder


def main(words: Sequence[str]) -> int:
    """Try the mutants; answer 1 only where the tests fail without any."""
    parser = ArgumentParser(prog="benchmarks/mutants.py", description=__doc__)
    parser.add_argument(
        "only", nargs="*", help="modules such as pbem/core/play.py, or rings; all of them unless named"
    )
    parser.add_argument("--sample", type=int, default=100, help="mutants of each ring")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    chosen = parser.parse_args(words)
    import cryptography.hazmat.primitives.asymmetric.ed25519  # noqa: F401  what all the tests load is loaded once
    import hypothesis.strategies  # noqa: F401
    import pytest  # noqa: F401

    wanted: list[Mutant] = []
    for ring in RINGS:
        paths = [path.relative_to(ROOT) for path in sorted((ROOT / "pbem" / ring).rglob("*.py"))]
        found = [
            one
            for path in paths
            if not chosen.only or {ring, str(path)} & set(chosen.only)
            for one in mutants(path)
        ]
        size = len(found) if chosen.all else min(len(found), chosen.sample)
        wanted += random.Random(f"{ring} {chosen.seed}").sample(found, size)
    with TemporaryDirectory() as scratch, ThreadPoolExecutor(chosen.jobs) as pool:
        copies: SimpleQueue[Path] = SimpleQueue()
        for number in range(chosen.jobs):
            copies.put(_copy(Path(scratch) / str(number)))
        limits: dict[str, int] = {}
        for ring in sorted({one.path.parts[1] for one in wanted}):
            before = _spent()
            if not passes(Path(scratch) / "0", Path("pbem", ring, "none.py"), 600):
                print(f"the tests of {ring} fail before anything is changed")
                return 1
            limits[ring] = math.ceil(2 + 2 * (_spent() - before))

        def survives(one: Mutant) -> bool:
            folder = copies.get()
            changed = folder / one.path
            was = changed.read_bytes()
            try:
                changed.write_text(one.text)
                alive = passes(folder, one.path, limits[one.path.parts[1]])
                print("survived " if alive else "killed   ", one, file=sys.stderr, flush=True)
                return alive
            finally:
                changed.write_bytes(was)
                copies.put(folder)

        answers = list(zip(wanted, pool.map(survives, wanted), strict=True))
    report(answers)
    return 0


def report(answers: Sequence[tuple[Mutant, bool]]) -> None:
    """Print killed and tried for each module and ring, and every survivor."""
    tried: Counter[str] = Counter()
    left: Counter[str] = Counter()
    for one, alive in answers:
        for name in (str(one.path), f"pbem/{one.path.parts[1]}", "all"):
            tried[name] += 1
            left[name] += alive
    for name in sorted(tried):
        killed = tried[name] - left[name]
        print(f"{name:<32} {killed:>5} of {tried[name]:>5} killed  {100 * killed // tried[name]:>3} %")
    print(*sorted(f"survived  {one}" for one, alive in answers if alive), sep="\n")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
