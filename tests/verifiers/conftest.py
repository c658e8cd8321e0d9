"""The verifiers are tested against the games and the attacks that the tests of the proof write."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "proof"))
