"""The page for players: its rules are those that the program tells, and its orders can be read."""

from __future__ import annotations

import re
from pathlib import Path

from pbem.referee.explain.briefing import Briefing, how_to_play
from pbem.referee.game.replay import first_state
from pbem.referee.game.scenario import find_scenario, judge
from pbem.rulesets.siege.orders import grammar
from pbem.rulesets.siege.ruleset import CRY_HAVOC
from pbem.text.markup import as_markdown

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "players.md").read_text("utf-8")
SECTION = re.compile(r"([a-z-]+):")


def test_the_rules_in_short_are_those_of_the_program() -> None:
    found = find_scenario("alder-ford")
    _, ground, _ = judge(found)
    seats = {side: side for side in found.data["sides"]}
    told = as_markdown(how_to_play(Briefing(ground, first_state(ground, seats), seats, "west")))
    rules = PAGE.partition("## The rules in short\n")[2]
    for line in told.split("\n\n", 2)[2].split("\n"):
        assert line.replace("## ", "### ", 1) in rules.split("\n"), line


def test_every_order_on_the_page_can_be_read() -> None:
    section, read = "", 0
    for line in re.findall(r"^    (.+)$", PAGE, re.MULTILINE):
        if heading := SECTION.fullmatch(line):
            section = heading[1]
        elif line.startswith("- "):
            assert type(grammar.read(CRY_HAVOC, section, line[2:])).__name__ != "Problem", line
            read += 1
    assert read >= 3
    for said in re.findall(r"`- ([^`:]+)`", PAGE):
        assert any(
            type(grammar.read(CRY_HAVOC, one, said)).__name__ != "Problem"
            for one in ("shoot", "move", "fight")
        ), said
