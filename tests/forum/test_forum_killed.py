"""Taking posts in is killed before each effect on disk: the next run completes it, and nothing is lost, told
twice or taken twice.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from forum_table import SEATS, ForumTable, words
from killing import everywhere
from table import pull

LUCK = "luck: seven drunken herons\n"


@pytest.mark.parametrize("kind", ["join", "orders"])
def test_killed_between_any_two_steps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    root = tmp_path / "table"
    root.mkdir()
    thread = ForumTable(root)
    if kind == "join":
        thread.new(keyed=(), umpire=True)
        for name in SEATS.values():
            thread.post(name, html=words("Yes, I play"))
    else:
        thread.started(keyed=(), umpire=True)
        seat = str(thread.open().announced()["waits"][0])
        thread.post(SEATS[seat], "pull:\n- nobody pulls\n")
        thread.read()
        thread.edit(1, pull(seat) + LUCK)
        thread.post("Mallory", pull(seat))
        thread.post(SEATS[seat], pull(seat) + LUCK)
    before, count = tmp_path / "before", thread.count
    shutil.copytree(root, before)

    def begin() -> None:
        shutil.rmtree(root)
        shutil.copytree(before, root)
        thread.count = count

    def kept() -> object:
        records = [
            f"{read.record['type']} {read.record.get('slot', '')}" for read in thread.open().ledger.records
        ]
        posts = [(event["key"], event["became"]) for event in thread.book() if event["do"] == "done"]
        answers = sorted(path.name for path in (thread.game / "outbox").glob("forum-*"))
        return records, posts, answers, sorted(path.name for path in (thread.game / "mail").glob("s*.txt"))

    thread.read()
    wanted = kept()

    def look() -> None:
        thread.read()
        assert kept() == wanted
        assert thread.read() == []

    begin()
    assert everywhere(monkeypatch, thread.read, begin, look, ("rename", "move", "remove", "lock")) > 8
