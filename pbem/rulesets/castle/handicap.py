"""Handicaps: what a scenario adds to an army, beyond its points, where the players agree to it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pbem.core.problem import Problem
from pbem.rulesets.castle.dial import Rules

KEY = "handicap"


def in_force(rules: Rules) -> bool:
    """Tell whether it was agreed to play with the handicap of the scenario."""
    return rules.setting(KEY) == "yes"


def handicap_problems(rules: Rules, scenario: Mapping[str, Any]) -> Iterator[Problem]:
    """Yield what is wrong with a handicap: it was chosen and there is none, or it names what there is not."""
    said = scenario.get(KEY)
    if said is None:
        if in_force(rules):
            yield Problem("castle.no-handicap", rule="MK7.1")
        return
    side = scenario["sides"].get(str(said["side"]))
    if side is None:
        yield Problem("castle.no-side", {"side": str(said["side"])}, (KEY, "side"), rule="MK7.1")
        return
    known = {str(one["id"]) for one in side.get("sections", ())}
    for n, name in enumerate(said.get("heavy", ())):
        if str(name) not in known:
            yield Problem("castle.no-section", {"name": str(name)}, (KEY, "heavy", n), rule="MK2.1")


def laid_over(rules: Rules, scenario: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a scenario with its handicap in it, if it is played with: more warriors, and sections that are
    heavy.
    """
    said = scenario.get(KEY)
    if said is None or not in_force(rules):
        return scenario
    name = str(said["side"])
    of = dict(scenario["sides"][name])
    heavy = {str(one) for one in said.get("heavy", ())}
    sections = [{**one, "weight": "heavy"} if one["id"] in heavy else one for one in of.get("sections", ())]
    of |= {"warriors": [*of.get("warriors", ()), *said.get("warriors", ())]}
    of |= {"sections": sections} if sections else {}
    return {**scenario, "sides": {**scenario["sides"], name: of}}


def worth(rules: Rules, scenario: Mapping[str, Any], side: str) -> int:
    """Return by how many points an army may cost more for the handicap; no action comes of them."""
    said = scenario.get(KEY)
    if said is None or not in_force(rules) or str(said["side"]) != side:
        return 0
    return int(str(said["points"]))
