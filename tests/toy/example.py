"""An example of one slot: its script, its order file and its marked test keys."""

from __future__ import annotations

from pathlib import Path

from table import SCENARIOS, Table

from pbem.proof.signing import private_to_openssh

SCRIPT = """
example: tug
title: Four pulls of a rope
scenario: tug.yaml
game: tug-0a1b2c
protocol: pd1.0
engine: 0.1.0
seats:
- {seat: north, name: Ada}
- {seat: south, name: Ben, key: south}
start: 2026-02-01T10:00:00Z
steps:
- {join: south}
- {submit: north, file: north.yaml}
- {lock: true, after: 5 minutes}
- {go: south}
- {resolve: true}
"""


def make_example(table: Table) -> Path:
    """Write the example into the root of a table and return its folder."""
    folder = table.root / "example"
    for name in ("orders", "keys", "maps"):
        (folder / name).mkdir(parents=True)
    (folder / "play.yaml").write_text(SCRIPT)
    (folder / "tug.yaml").write_bytes((SCENARIOS / "tug.yaml").read_bytes())
    (folder / "maps/yard.yaml").write_bytes((SCENARIOS / "maps/yard.yaml").read_bytes())
    (folder / "orders/north.yaml").write_text("pull:\n- north-team pulls\n")
    (folder / "keys/south.key").write_bytes(private_to_openssh(table.key("south")))
    return folder
