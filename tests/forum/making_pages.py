"""Writes the corpus of pages anew: ``python tests/forum/making_pages.py``. A test says that the folder is
what this writes.

A page is a habit in a form: what people do (``page_habits.py``) as one software prints it
(``page_forms.py``). Every habit is shown in some forms, every form shows some habits, so that the folder
stays small; ``every`` yields all of them, for tests that keep nothing.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

HERE = Path(__file__).resolve().parent
CORPUS = HERE / "corpus"
for place in (str(HERE), str(HERE.parents[1])):
    if place not in sys.path:
        sys.path.append(place)

from page_forms import FORMS, NO_SIGNATURE  # noqa: E402
from page_habits import HABITS, Habit  # noqa: E402
from page_parts import Wanted  # noqa: E402

EACH = 4
"""In how many forms a habit lies in the folder."""


class Page(Struct, frozen=True):
    """A page, and what has to be found on it; ``quoted`` are orders that stand on it and that nobody gave."""

    name: str
    raw: bytes
    wanted: dict[str, Any]
    quoted: str


def page(form: str, habit: Habit) -> Page:
    """Return one page."""
    suffix, make = FORMS[form]
    posts = habit.posts
    if form in NO_SIGNATURE:
        posts = tuple(
            replace(said, wanted=Wanted(None, "forum.nothing"))
            if said.wanted.why == "forum.in-signature"
            else said
            for said in posts
        )
    if form.startswith("discourse-") or form == "nodebb":
        # names there are of letters and digits; full names stand beside them
        posts = tuple(
            replace(said, who=replace(said.who, name="Dag", id=said.who.id)) if "<" in said.who.name else said
            for said in posts
        )
    if form == "discourse-crawler":
        posts = tuple(
            replace(said, who=replace(said.who, name=said.who.name.replace(" ", "_"))) for said in posts
        )
    raw, wanted = make(posts)
    return Page(f"{form}-{habit.name}.{suffix}", raw, wanted, habit.quoted)


def every() -> Iterator[Page]:
    """Yield every habit in every form."""
    for habit in HABITS.values():
        for form in FORMS:
            yield page(form, habit)


def chosen() -> Iterator[Page]:
    """Yield the pages of the folder."""
    names = list(FORMS)
    for number, habit in enumerate(HABITS.values()):
        for step in range(EACH):
            yield page(names[(number * 5 + step * 7) % len(names)], habit)


def files() -> Iterator[tuple[str, bytes]]:
    """Yield every file of the corpus folder, by its name."""
    for number, one in enumerate(chosen(), 1):
        stem = f"{number:03d}-{one.name}"
        yield stem, one.raw
        yield (
            f"{stem}.wanted",
            json.dumps({**one.wanted, "quoted": one.quoted}, ensure_ascii=False, indent=1).encode() + b"\n",
        )


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
    print(f"{len(wanted) // 2} pages, {sum(map(len, wanted.values()))} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
