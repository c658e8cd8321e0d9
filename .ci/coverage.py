"""Holds the coverage of a run to the house rules: every line of core, geometry, text and proof, 95 in 100 of
every other ring.
"""

import json
import sys
from pathlib import Path

WHOLE = ("core", "geometry", "text", "proof")
LEAST = 95


def main() -> int:
    """Print the share of every ring; return 1 where one has too little."""
    rings: dict[str, list[int]] = {}
    for file, found in json.loads(Path(sys.argv[1]).read_text("utf-8"))["files"].items():
        parts = Path(file).parts
        counted = rings.setdefault(parts[1] if parts[0] == "pbem" and len(parts) > 2 else parts[0], [0, 0])
        counted[0] += found["summary"]["covered_lines"]
        counted[1] += found["summary"]["num_statements"]
    short = []
    for ring, (covered, lines) in sorted(rings.items()):
        if ring == "pbem":
            continue  # three lines to start the program, and where the data folders of a wheel are
        print(f"{ring:<10} {covered:>5} of {lines:>5} lines, {100 * covered / lines:.1f} %")
        if covered * 100 < lines * (100 if ring in WHOLE else LEAST):
            short.append(ring)
    for ring in short:
        print(f"too little: {ring}")
    return 1 if short else 0


sys.exit(main())
