"""Writes the corpus of letters anew: ``python tests/post/making_letters.py``. A test says that the folder is
what this writes.

Each letter is made by a function of its own in ``letters_*.py``, one module a family of clients; here they
are only numbered and laid down.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

HERE = Path(__file__).resolve().parent
CORPUS = HERE / "corpus"
for place in (str(HERE), str(HERE.parents[1])):
    if place not in sys.path:
        sys.path.append(place)

from letter_parts import MAKERS, Letter  # noqa: E402

FAMILIES = (
    "google", "microsoft", "apple", "mozilla", "unix", "web", "national", "phones", "lists", "signed", "repairs", "habits", "refused",
    "automatic", "rfc", "shapes", "rare", "strange",
)  # fmt: skip
"""The modules in the order in which their letters are numbered."""


def letters() -> tuple[Letter, ...]:
    """Return every letter of the corpus."""
    for family in FAMILIES:
        import_module(f"letters_{family}")
    return tuple(maker() for maker in MAKERS.values())


def files() -> Iterator[tuple[str, bytes]]:
    """Yield every file of the corpus folder, by its name."""
    for number, one in enumerate(letters(), 1):
        stem = f"{number:03d}-{one.name}"
        yield f"{stem}.eml", one.raw
        if one.wanted is None:
            yield f"{stem}.none", one.why.encode() + b"\n"
        else:
            yield f"{stem}.{'record' if one.record else 'yaml'}", one.wanted
        if one.quoted:
            yield f"{stem}.quoted", one.quoted.encode()
        if one.signature is not None:
            yield f"{stem}.sig", one.signature


def main() -> int:
    """Write the folder, and take away what is no longer of it."""
    CORPUS.mkdir(exist_ok=True)
    wanted = dict(files())
    kept = {"README.md", ".gitattributes"}
    for path in CORPUS.iterdir():
        if path.name not in wanted and path.name not in kept:
            path.unlink()
    for name, data in wanted.items():
        (CORPUS / name).write_bytes(data)
    sizes = [len(data) for name, data in wanted.items() if name.endswith(".eml")]
    print(f"{len(sizes)} letters, {sum(map(len, wanted.values()))} bytes, the largest {max(sizes)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
