"""The page about maps and scenarios: what it says a line of victory can be, the reader of scenarios knows."""

from __future__ import annotations

import re
from pathlib import Path

import yaml

from pbem.rulesets.siege.ruleset import SIEGE
from pbem.rulesets.siege.scenario import scenario, scheme, siege_scenario

ROOT = Path(__file__).resolve().parents[3]
PAGE = (ROOT / "docs" / "maps-and-scenarios.md").read_text("utf-8")
SCENARIOS = ROOT / "scenarios" / "siege"


def shown() -> list[str]:
    """Return the lines of victory that the table and the list of a siege's own show."""
    table = PAGE.split("| a line of `victory` says |")[1].split("\n\n")[0]
    cells = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    of_a_siege = PAGE.split("* Lines of `victory` for a siege:")[1].split("\n\n")[0]
    return [
        said
        for text in (*cells, of_a_siege)
        for said in re.findall(r"`([^`]+)`", text)
        if not said.endswith(":")
    ]


def shape(said: str) -> str:
    """Return a line without its names and numbers."""
    words = re.sub(r"\b(odo|hob|ned|mabil|ballista1|wagon1|wagon2)\b,? ?", "", said)
    return re.sub(r"[0-9]+", "N", re.sub(r"\b(is|are)\b", "is", words))


def test_every_line_of_the_page_is_read() -> None:
    data = dict(yaml.load((SCENARIOS / "six-days.yaml").read_text("utf-8"), yaml.BaseLoader))
    map_ = yaml.load((SCENARIOS / "maps" / "corvenstone.yaml").read_text("utf-8"), yaml.BaseLoader)
    said = [line for line in shown() if not line.startswith("points:")]
    assert len(said) > 14
    for wrong in (False, True):
        lines = [{"side": "baron", "when": f"{line}{' or so' if wrong else ''}"} for line in said]
        _, problems, _ = scenario.read_field(SIEGE, {**data, "victory": {"at-once": lines}}, map_)
        unread = [problem for problem in problems if problem.code == "scenario.when"]
        assert len(unread) == (len(said) if wrong else 0), [problem.args for problem in unread]


def test_every_kind_of_line_is_on_the_page() -> None:
    assert {*scheme.TERMS} > {*siege_scenario.TERMS}
    assert {shape(term) for term in scheme.TERMS} <= {shape(line) for line in shown()}
