"""Judges what a reader took from a page: every post with its author and number, and of each exactly its
orders, or nothing.

It knows the corpus folder and two functions, ``read`` and ``found``, and nothing of how they work.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from making_pages import Page
from msgspec import Struct, field
from siege_words import found

from pbem.forum.pages import read
from pbem.forum.thread import Post
from pbem.post.lines.message import NOTHING
from pbem.text import source

CORPUS = Path(__file__).resolve().parent / "corpus"
EXACT, SAME, MISSED, WRONG, REASON = "exact", "same", "missed", "wrong", "reason"
"""To the byte; but for empty lines and indentation; nothing though something was there; something else, or
something where nothing may be taken, or a post that is somebody else's; refused for another reason than it
should be."""


def corpus(folder: Path = CORPUS) -> Iterator[Page]:
    """Yield every page of the folder with what has to be found on it."""
    for path in sorted(folder.glob("*.wanted")):
        wanted = json.loads(path.read_bytes())
        name = path.name.removesuffix(".wanted")
        yield Page(name, (folder / name).read_bytes(), wanted, wanted.pop("quoted"))


class Score(Struct):
    """The sums over the posts of many pages. ``executed`` are pages on which quoted orders were taken."""

    counts: Counter[str] = field(default_factory=Counter)
    executed: int = 0
    pages: int = 0
    bad: list[str] = field(default_factory=list)

    @property
    def posts(self) -> int:
        """Return how many posts there were."""
        return self.counts.total()

    @property
    def share(self) -> float:
        """Return how many posts of a hundred were read as they have to be."""
        return 100 * (self.counts[EXACT] + self.counts[SAME]) / max(1, self.posts)


def score(pages: Iterable[Page]) -> Score:
    """Read all pages and return the sums."""
    sums = Score()
    for one in pages:
        judge(one, sums)
    return sums


def judge(one: Page, sums: Score) -> None:
    """Read one page and count what was taken."""
    thread = read(one.raw, one.name)
    sums.pages += 1
    by_number = {(post.author, post.number): post for post in thread.posts}
    by_place = dict(enumerate(thread.posts))
    taken = ""
    for at, wanted in enumerate(one.wanted["posts"]):
        post = (
            by_number.get((wanted["author"], wanted["number"])) if wanted.get("number") else by_place.get(at)
        )
        verdict, why = _verdict(post if post is None or post.author == wanted["author"] else None, wanted)
        sums.counts[verdict] += 1
        if verdict not in (EXACT, SAME):
            sums.bad.append(f"{one.name} #{at + 1}: {verdict} {why}")
    for post in thread.posts:
        said = found(post)
        taken += said.data.decode() if said.kind != NOTHING else ""
    own = "".join(wanted["orders"] or "" for wanted in one.wanted["posts"])
    executed = telling(taken) & (telling(one.quoted) - telling(own))
    if executed:
        sums.executed += 1
        sums.bad.append(f"{one.name}: executed {sorted(executed)}")
    if len(thread.posts) > len(one.wanted["posts"]):
        sums.counts[WRONG] += 1
        sums.bad.append(f"{one.name}: {len(thread.posts)} posts instead of {len(one.wanted['posts'])}")


def _verdict(post: Post | None, wanted: dict[str, str]) -> tuple[str, str]:
    if post is None:
        return MISSED, "no such post"
    said = found(post)
    data = "" if said.kind == NOTHING else said.data.decode()
    codes = [problem.code for problem in said.problems]
    if wanted["orders"] is None:
        if data:
            return WRONG, repr(data)
        return (EXACT, "") if wanted["why"] in codes else (REASON, f"{codes} instead of {wanted['why']}")
    if not data:
        return MISSED, str(codes)
    if data == wanted["orders"]:
        return EXACT, ""
    return (SAME, "") if same(data, wanted["orders"]) else (WRONG, repr(data))


def same(data: str, wanted: str) -> bool:
    """Tell whether two order texts have the same words in the same lines, and the engine reads the same from
    both.
    """
    if [line.split() for line in data.split("\n") if line.strip()] != [
        line.split() for line in wanted.split("\n") if line.strip()
    ]:
        return False
    ours, theirs = (source.read(text.encode(), allow_header=True) for text in (data, wanted))
    return not ours.problems and ours.data == theirs.data


def telling(text: str) -> frozenset[str]:
    """Return the lines that order something: sentences, and keys with a value."""
    lines = (" ".join(line.split()) for line in text.split("\n"))
    return frozenset(
        line
        for line in lines
        if line.startswith("- ") or (": " in line and not line.startswith(("#", "side:")))
    )
