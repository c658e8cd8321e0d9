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


def _form(name: str) -> re.Pattern[str]:
    """Return what a name of the page stands for: words in capitals for figures, things and hexes, N for a
    number.
    """
    parts = (
        "[0-9]+" if part == "N" else "[^/]+" if part.isupper() else re.escape(part)
        for part in name.split("/")
    )
    return re.compile("/".join(parts))


def test_the_page_names_every_die_that_a_case_rolls_and_no_other() -> None:
    """A die that is rolled and not named fails its case, so the cases name all there are."""
    listed = PAGE.partition("## Names of dice")[2]
    forms = {
        name: _form(name)
        for row in re.findall(r"^\| (`.*?`) \|", listed, flags=re.M)
        for name in re.findall("`([^`]+)`", row)
    }
    rolled = {
        re.sub(r"^[a-z0-9_.]*\.[a-z0-9_.]*/", "", die)
        for _, case in case_plugin.every_case()
        for die in case.get("dice") or {}
    }
    assert {die for die in rolled if not any(form.fullmatch(die) for form in forms.values())} == set()
    assert {name for name, form in forms.items() if not any(form.fullmatch(die) for die in rolled)} == set()


def test_every_place_that_rolls_a_die_is_on_the_page() -> None:
    """The first word of each name that the rules give a die stands on the page."""
    folder = Path(case_plugin.step.__file__).parents[1]
    source = "".join(path.read_text("utf-8") for path in sorted(folder.rglob("*.py")))
    words = set(re.findall(r'(?:label|name) ?= ?f"([a-z-]+)/', source)) | set(
        re.findall(r'_roll\(rules, play, f"([a-z-]+)/', source)
    )
    words |= set(re.findall(r'rolled\(rules, play, f"([a-z-]+)/', source)) | {"shoot", "shoot-again", "fight"}
    assert words == set(re.findall(r"`([a-z-]+)/", PAGE.partition("## Names of dice")[2]))
