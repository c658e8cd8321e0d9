"""What code and tests cite stands in the papers: sections of docs/formats.md and docs/protocol.md, rules of
the protocol.
"""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCES = [
    *(ROOT / "pbem").rglob("*.py"),
    *(ROOT / "tests").rglob("*.py"),
    *(ROOT / "renderers").rglob("*.js"),
]
CITED = re.compile(r"docs/([a-z-]+\.md)`{0,2},? (?:section )?(\d+(?:\.\d+)?)")
RULE = re.compile(r"\((R\d{1,2})\)")


def papers() -> dict[str, set[str]]:
    found = {}
    for path in (ROOT / "docs").glob("*.md"):
        found[path.name] = set(
            re.findall(r"^#{2,3} (\d+(?:\.\d+)?)\.? ", path.read_text("utf-8"), flags=re.M)
        )
    return found


def test_every_section_that_is_cited_is_there() -> None:
    sections = papers()
    cited = [
        (path.name, *match.groups()) for path in SOURCES for match in CITED.finditer(path.read_text("utf-8"))
    ]
    assert len(cited) > 8
    assert [
        (name, paper, section) for name, paper, section in cited if section not in sections.get(paper, ())
    ] == []


def test_every_rule_of_the_protocol_that_is_cited_is_there() -> None:
    rules = set(re.findall(r"\*\*(R\d+)\*\*", (ROOT / "docs" / "protocol.md").read_text("utf-8")))
    cited = {rule for path in SOURCES for rule in RULE.findall(path.read_text("utf-8"))}
    assert len(cited) > 8
    assert cited <= rules
