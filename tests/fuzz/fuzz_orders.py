"""Throws bytes at the reader of order files; by hand, because it never ends by itself.

    pip install atheris
    python tests/fuzz/fuzz_orders.py -max_total_time=60 /tmp/corpus tests/fuzz/orders

What it finds goes into ``tests/fuzz/orders``; ``test_fuzz_orders.py`` tries each file there for ever after.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    import atheris

    with atheris.instrument_imports(include=["pbem", "yaml"]):
        from pbem.text import characters, shape, source
        from pbem.text.located import as_json, locate, render
        from pbem.text.words import Words
else:
    from pbem.text import characters, shape, source
    from pbem.text.located import as_json, locate, render
    from pbem.text.words import Words

ORDERS = shape.load(json.loads((ROOT / "schemas" / "orders.schema.json").read_text("utf-8")))
WORDS = Words({"problems": {}})


def clean(value: object) -> bool:
    """Tell whether data holds only mappings, lists and text without a forbidden character."""
    if isinstance(value, dict):
        return all(clean(key) and clean(inner) for key, inner in value.items())
    if isinstance(value, list):
        return all(clean(inner) for inner in value)
    return value is None or (isinstance(value, str) and not characters.in_value(value))


def places(got: source.Source, value: object, path: tuple[str | int, ...] = ()) -> list[source.Mark]:
    """Return the place of every key and value, in order."""
    inner = list(
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    )
    own = [got.mark(path), got.mark(path, key=True)]
    return own + [mark for step, below in inner for mark in places(got, below, (*path, step))]


def try_bytes(data: bytes) -> None:
    """Hold the reader to its promises over some bytes."""
    fast = source.read(data, allow_header=True)
    slow = source.read(data, allow_header=True, pure=True)
    assert (fast.data, fast.whole, fast.problems) == (slow.data, slow.whole, slow.problems)
    assert fast.problems or fast.whole
    assert clean(fast.data)
    assert places(fast, fast.data) == places(slow, slow.data)
    problems = fast.problems + ORDERS.check(fast.data, whole=fast.whole)
    for located in locate(fast, problems, WORDS):
        assert 1 <= located.line <= max(len(fast.lines), 1)
        assert located.column >= 1
        assert "\x1b" not in render(located)
        json.dumps(as_json(located)).encode("utf-8")


if __name__ == "__main__":
    atheris.Setup(sys.argv, try_bytes)
    atheris.Fuzz()
