"""A log in files: their names, what is in them, and that a log that grew bit by bit is the one that was
written at once.
"""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from thorough import deeper, tries

from pbem.proof import tiles
from pbem.proof.merkle import EMPTY, consistency_proof, from_leaves, inclusion_proof, leaf_hash, root
from pbem.proof.tiles import (
    BadLog,
    Edge,
    bundle,
    bundle_path,
    grow,
    read_edge,
    read_entries,
    tile_path,
    tile_reader,
    unbundle,
)


def some(count: int, of: str = "entry") -> list[bytes]:
    return [f"{of} {number}".encode() for number in range(count)]


def grown(*steps: int) -> tuple[Edge, dict[str, bytes]]:
    files: dict[str, bytes] = {}
    edge = Edge(0)
    entries = some(sum(steps))
    for step in steps:
        edge = read_edge(files.get, edge.size)
        edge, more = grow(edge, entries[edge.size : edge.size + step])
        files |= more
    return edge, files


def test_files_are_called_as_every_reader_of_such_logs_looks_for_them():
    assert tile_path(0, 0) == "tile/0/000"
    assert tile_path(1, 1234067, 112) == "tile/1/x001/x234/067.p/112"
    assert bundle_path(1000) == "tile/entries/x001/000"
    assert bundle_path(999, 5) == "tile/entries/999.p/5"


def test_a_log_of_70000_has_the_tiles_that_the_format_names():
    edge, files = grown(70_000)
    level = {name for name in files if name.startswith("tile/0/")}
    assert len(level) == 274
    assert {name for name in level if ".p/" in name} == {"tile/0/273.p/112"}
    assert {name for name in files if name.startswith(("tile/1/", "tile/2/", "tile/3/"))} == {
        "tile/1/000",
        "tile/1/001.p/17",
        "tile/2/000.p/1",
    }
    # The hash in the tile above is the root over the tile below: the tree worked out level by level, as one
    # would by hand.
    level_one = [hashlib.sha256(b"\0" + entry).digest() for entry in some(256)]
    while len(level_one) > 1:
        level_one = [
            hashlib.sha256(b"\1" + level_one[at] + level_one[at + 1]).digest()
            for at in range(0, len(level_one), 2)
        ]
    assert files["tile/1/000"][:32] == level_one[0]
    read = from_leaves([leaf_hash(entry) for entry in some(70_000)])
    assert edge.root == root(70_000, read)


def test_a_log_of_exactly_a_full_tile():
    edge, files = grown(256)
    assert set(files) == {"tile/0/000", "tile/1/000.p/1", "tile/entries/000"}
    assert edge.root == root(256, tile_reader(files.get, 256))


@deeper
@settings(max_examples=tries(15, 200), deadline=None)
@given(st.lists(st.integers(1, 300), min_size=1, max_size=6))
def test_a_log_that_grew_bit_by_bit_is_the_one_that_was_written_at_once(steps):
    edge, files = grown(*steps)
    size = sum(steps)
    once, at_once = grown(size)
    read = from_leaves([leaf_hash(entry) for entry in some(size)])
    assert edge.root == once.root == root(size, read) == read_edge(files.get, size).root
    assert {name: files[name] for name in at_once} == at_once
    # Every size that ever was stays readable: entries, roots, proofs.
    for end in range(len(steps)):
        then = sum(steps[: end + 1])
        assert read_entries(files.get, then) == some(then)
        reader = tile_reader(files.get, then)
        assert root(then, reader) == root(then, read)
        assert inclusion_proof(then // 2, then, reader) == inclusion_proof(then // 2, then, read)
        assert consistency_proof(then, size, tile_reader(files.get, size)) == consistency_proof(
            then, size, read
        )


def test_a_full_file_stands_for_the_partial_ones_that_it_grew_from():
    _, files = grown(250, 10)
    pruned = {name: data for name, data in files.items() if "000.p/" not in name}
    assert "tile/0/000.p/250" in files
    assert root(250, tile_reader(pruned.get, 250)) == root(250, tile_reader(files.get, 250))
    assert read_entries(pruned.get, 250) == some(250)


def test_nothing_is_added_without_entries():
    edge, _ = grown(5)
    assert grow(edge, []) == (edge, {})
    assert Edge(0).root == EMPTY
    assert read_edge({}.get, 0) == Edge(0)


@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [
        ("tile/entries/000.p/5", None, "missing"),
        ("tile/entries/000.p/5", bundle(some(4)), "form"),
        ("tile/entries/000.p/5", bundle(some(5))[:-1], "form"),
        ("tile/entries/000.p/5", bundle(some(5)) + b"\0", "form"),
        ("tile/entries/000.p/5", bundle([b"x" * (tiles.MAX_ENTRY + 1)] * 5), "long"),
        ("tile/0/000.p/5", None, "missing"),
        ("tile/0/000.p/5", b"x" * 159, "form"),
        ("tile/0/000.p/5", b"x" * 128, "form"),
        ("tile/0/000.p/5", b"x" * (tiles.MAX_TILE + 32), "form"),
    ],
)
def test_a_file_that_is_missing_or_broken_is_named(name, data, reason):
    _, files = grown(5)
    files.pop(name)
    if data is not None:
        files[name] = data
    with pytest.raises(BadLog) as bad:
        read_edge(files.get, 5)
    assert (bad.value.reason, bad.value.path) == (reason, name)


def test_entries_of_nothing_and_of_the_longest():
    entries = [b"", b"x" * tiles.MAX_ENTRY]
    assert unbundle(bundle(entries), "here") == entries
    with pytest.raises(ValueError, match="too long"):
        grow(Edge(0), [b"x" * (tiles.MAX_ENTRY + 1)])
    with pytest.raises(ValueError, match="too long"):
        grow(Edge(tiles.MAX_SIZE), [b""])
