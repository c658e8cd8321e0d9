"""Games of pd1.1 from the second writer: values under a root, codes, new keys, slots taken back, as pd1_verify.py reads them."""

from __future__ import annotations

from typing import Any

import pytest
from verifier_ground import module
from verifier_trees import FAILS, HOLDS
from verifier_writer import Game

pd1 = module("pd1_verify")


def read(game: Game) -> Any:
    return pd1.Audit(pd1.Memory(game.files))


@pytest.mark.parametrize("name", HOLDS)
def test_it_holds(name: str) -> None:
    audit = read(HOLDS[name]())
    assert (audit.failures, audit.verdict) == ([], "PASS" if audit.line[-1].path else "CANNOT DECIDE")


@pytest.mark.parametrize("name", FAILS)
def test_it_does_not_hold(name: str) -> None:
    code, build = FAILS[name]
    audit = read(build())
    assert (audit.verdict, audit.failures[0][0] if audit.failures else "") == ("FAIL", code), audit.failures
