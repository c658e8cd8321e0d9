"""What runs on machines of others: the workflow file and the hooks before a commit call what there is."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
WORKFLOW = yaml.safe_load((ROOT / ".github" / "workflows" / "tests.yml").read_text("utf-8"))
HOOKS = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text("utf-8"))["repos"][0]["hooks"]
TARGETS = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text("utf-8"), flags=re.M))


def steps() -> list[dict[str, Any]]:
    return [step for job in WORKFLOW["jobs"].values() for step in job["steps"]]


def test_the_workflow_begins_with_the_oldest_python_that_is_promised_and_leaves_none_out() -> None:
    pythons = WORKFLOW["jobs"]["test"]["strategy"]["matrix"]["python"]
    floor = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["requires-python"]
    assert f">={pythons[0]}" == floor
    minors = [int(python.partition(".")[2]) for python in pythons]
    assert minors == list(range(minors[0], minors[0] + len(minors)))
    assert len(minors) >= 4


def test_workflow_and_hooks_call_what_there_is() -> None:
    said = [str(step.get("run", "")) for step in steps()] + [hook["entry"] for hook in HOOKS]
    called = {
        target for line in said for target in re.findall(r"(?:^|'|&& )make (?:--silent )?([a-z]+)", line)
    }
    assert {"lint", "test", "schemas"} <= called <= TARGETS
    scripts = {script for line in said for script in re.findall(r"\.ci/[a-z]+", line)}
    assert all((ROOT / script).is_file() for script in scripts)


def test_no_step_may_write_to_the_repository() -> None:
    assert WORKFLOW["permissions"] == {"contents": "read"}


@pytest.mark.parametrize(
    ("message", "well"),
    [
        ("melee: a tie is the defender's (S1.7h)\n", True),
        ("post, forum: one reader of names\n", True),
        ("Merge branch 'x'\n", True),
        ("Melee is right now\n", False),
        ("what was wrong\n\nmelee: everything\n", False),
        ("melee:\n", False),
    ],
)
def test_the_subject_of_a_commit_has_a_scope(message: str, well: bool) -> None:
    subject = next(hook for hook in HOOKS if hook["id"] == "subject")
    assert (re.search(subject["entry"], message, re.MULTILINE | re.DOTALL) is not None) is well
