"""The album of small pictures: what was drawn once is found again, and nothing that is wrong with it does any
harm.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pbem.renderers.painted import album
from PIL import Image

from pbem.renderers import keeping


class Shelf:
    """A shelf in memory, which may be given anything to lie on it."""

    def __init__(self) -> None:
        self.lies: dict[str, bytes] = {}

    def get(self, key: str) -> bytes | None:
        return self.lies.get(key)

    def put(self, key: str, data: bytes) -> None:
        self.lies[key] = data


@pytest.fixture(name="shelf")
def shelf_() -> Iterator[Shelf]:
    before = keeping.shelf()
    found = Shelf()
    keeping.use(found)
    yield found
    keeping.use(before)


def pen(drawn: list[int]):
    """Return something that draws a square of a number, and notes that it did; new, as in a new process."""

    @album.drawn_once(4)
    def square(number: int) -> Image.Image:
        drawn.append(number)
        return Image.new("RGBA", (number, number + 1), (number, 2, 3, 250))

    return square


def newly(shelf: Shelf, numbers: range) -> list[int]:
    """Return which of some squares had to be drawn by a program that has only the shelf of the ones before
    it.
    """
    album._opened = None
    album._pictures.clear()
    drawn: list[int] = []
    square = pen(drawn)
    for number in numbers:
        found = square(number)
        assert (found.mode, found.size) == ("RGBA", (number, number + 1))
        assert found.getpixel((0, 0)) == (number, 2, 3, 250)
        assert square(number) is found
    album.lay_down()
    return drawn


def test_what_was_drawn_once_is_found_again(shelf: Shelf) -> None:
    assert newly(shelf, range(1, 9)) == [1, 2, 3, 4, 5, 6, 7, 8]
    assert len(shelf.lies) == 1
    before = dict(shelf.lies)
    assert newly(shelf, range(5, 12)) == [9, 10, 11]
    assert shelf.lies == before  # so little is not worth writing
    assert newly(shelf, range(5, 16)) == [9, 10, 11, 12, 13, 14, 15]
    assert newly(shelf, range(1, 16)) == []


def test_without_a_shelf_it_is_drawn_all_the_same(shelf: Shelf) -> None:
    keeping.use(None)
    drawn: list[int] = []
    square = pen(drawn)
    assert square(3).size == (3, 4)
    assert square(3).size == (3, 4)
    assert drawn == [3]


def test_an_album_that_is_wrong_does_no_harm(shelf: Shelf) -> None:
    newly(shelf, range(1, 9))
    (key,) = shelf.lies
    good = shelf.lies[key]
    head = album._HEAD
    for wrong in (
        b"",
        b"x",
        good[:-1],
        good[:30],
        head.pack(b"x" * 16, 65535, 65535),
        head.pack(b"x" * 16, 0, 7) + good,
        b"\xff" * 9999,
    ):
        shelf.lies[key] = wrong
        assert set(newly(shelf, range(1, 9))) <= set(range(1, 9))
        assert len(album.read(wrong)) < 8
    assert len(album.read(good)) == 8


def test_what_was_not_looked_at_for_longest_leaves(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        album, "ROOM", sum(size * (size + 1) * 4 + album._HEAD.size for size in range(10, 18))
    )
    assert newly(shelf, range(10, 18)) == list(range(10, 18))
    assert newly(shelf, range(10, 18)) == []
    assert newly(shelf, range(2, 10)) == list(range(2, 10))  # they need the room of the oldest three
    assert len(album._pictures) == 13
    assert newly(shelf, range(2, 10)) == []
    assert newly(shelf, range(13, 18)) == []
    assert newly(shelf, range(10, 13)) == [10, 11, 12]
    assert all(len(data) <= album.ROOM for data in shelf.lies.values())
