"""The page about cases names every key of a case, and its example is one."""

from __future__ import annotations

import re
from pathlib import Path

import case_plugin
import yaml

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "cases.md").read_text()


def test_the_page_names_every_key():
    prose = re.sub(r"```.*?```", "", PAGE, flags=re.S)
    named = set(re.findall(r"`([^`\n]+)`", prose))
    assert named >= case_plugin.KEYS | case_plugin.GIVEN | case_plugin.UNIT


def test_the_example_of_the_page_is_a_case():
    example = PAGE.partition("```yaml\n")[2].partition("```")[0]
    (case,) = yaml.load(example, Loader=case_plugin._Loader)
    case_plugin.run(case)
