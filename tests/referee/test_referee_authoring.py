"""Whoever writes a ruleset is told everything that is missing or wrong in it, with its place and what would
cure it.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import farmyard
import pytest
from click.testing import CliRunner
from farmyard.ruleset import FARMYARD

from pbem import rulesets
from pbem.cli import cli
from pbem.core.ruleset import Option
from pbem.referee.game.refusal import Refused
from pbem.referee.proving import authoring
from pbem.store import library


@pytest.fixture(name="place")
def place_fixture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return the farmyard's folder, to be spoiled."""
    copy = tmp_path / "farmyard"
    shutil.copytree(Path(farmyard.__file__).parent, copy)
    library.words_of.cache_clear()
    library._modules.cache_clear()
    library.words_file.cache_clear()
    monkeypatch.setattr(library, "_beside", lambda module: copy)
    yield copy
    library.words_of.cache_clear()
    library._modules.cache_clear()
    library.words_file.cache_clear()


def told(*words: str) -> list[str]:
    return [
        f"{Path(one.file).name}:{one.line}: {one.code}: {one.message}" for one in authoring.check("farmyard")
    ]


def change(file: Path, old: str, new: str) -> None:
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))


@pytest.mark.parametrize("name", ["farmyard", "siege", "cry_havoc", "pbem.rulesets.siege"])
def test_rulesets_that_are_whole_are_called_so(name: str) -> None:
    result = CliRunner().invoke(cli, ["rules", "check", name])
    assert result.exit_code == 0, result.output
    assert result.output.endswith(": nothing is missing or wrong.\n")


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        (
            "words.yaml",
            "  Slunk:",
            "  Slank:",
            "farmyard:0: author.no-event: Slunk happens in the game and has no sentence",
        ),
        (
            "words.yaml",
            "{animal} is in the {to} now",
            "{beast} is there",
            "farmyard:0: author.event-slot: the sentence of Slunk",
        ),
        (
            "words.yaml",
            "  phase.dusk: dusk\n",
            "",
            "farmyard:0: author.no-phrase: the phrase phase.dusk is missing",
        ),
        (
            "words.yaml",
            "  farm.caught:",
            "  farm.cought:",
            "sheets.py:119: author.no-problem: the problem farm.caught has no sentence",
        ),
        (
            "words.yaml",
            '  farm.caught: "{animal}',
            '  farm.caught: "{who}',
            "sheets.py:119: author.problem-slot: the sentence of",
        ),
        (
            "words.yaml",
            "phrases:",
            "phases:",
            "words.yaml:26: author.words-kind: phases is not a kind of sentence",
        ),
        ("words.yaml", 'is asleep"', 'is {asleep"', "words.yaml:8: author.sentence: farm.asleep: a lone {"),
        ("words.yaml", "problems:", "problems: [", "words.yaml:"),
        (
            "schemas/map.schema.json",
            '"type": "object",',
            '"type": "thing",',
            "map.schema.json:0: author.schema: type: 'thing'",
        ),
        (
            "schemas/map.schema.json",
            '"title": "A farmyard",',
            '"contains": {},',
            "map.schema.json:0: author.schema: the whole",
        ),
        ("schemas/map.schema.json", "{", "[", "map.schema.json:2: author.json: this is not JSON"),
        ("tables/pounce.yaml", "basis: reconstructed", "basis: guessed", "pounce.yaml:1: tables.wrong"),
        (
            "rulebook.yaml",
            "id: F4",
            "id: F9",
            "rulebook.yaml:0: author.option-rule: the option moon names the rule F4",
        ),
        (
            "rulebook.yaml",
            "status: done",
            "status: perhaps",
            "rulebook.yaml:1: author.rule: entry 1 (F1) has no id, or a status",
        ),
    ],
)
def test_what_stands_beside_it_is_looked_through(
    place: Path, file: str, old: str, new: str, said: str
) -> None:
    assert told() == []
    library.words_of.cache_clear()
    library._modules.cache_clear()
    library.words_file.cache_clear()
    change(place / file, old, new)
    assert [line for line in told() if line.startswith(said)], told()


def test_what_is_not_there_is_missed(place: Path) -> None:
    (place / "words.yaml").unlink()
    (place / "rulebook.yaml").unlink()
    found = told()
    assert "words.yaml:0: author.no-words: there are no words for this game" in found
    assert "rulebook.yaml:0: author.no-rulebook: there is no index of the rules" in found
    assert "farmyard:0: author.no-event: Dawned happens in the game and has no sentence" in found


def test_the_value_itself_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = {("noon" if id_ == "dusk" else id_): step for id_, step in FARMYARD.steps.items()}
    options = {
        "moon": Option(("new",), (), "", amendments={"old": lambda rules: rules}, conflicts=("sun",)),
        "none": Option((), (), ""),
    }
    spoilt = FARMYARD.amend(
        steps=steps, options=options, editions={"old": {"moon": "blue", "star": "x"}}, events={}
    )
    monkeypatch.setattr(authoring, "find", lambda id_: spoilt)
    assert told() == [
        "farmyard:0: author.no-step: nothing is carried out in the phase dusk",
        "farmyard:0: author.stray-step: a step is given for noon, which is not a phase of the game",
        "farmyard:0: author.option-value: the option moon has no value old",
        "farmyard:0: author.option-name: there is no option sun, which moon names",
        "farmyard:0: author.no-values: the option none has no values",
        "farmyard:0: author.option-value: the option moon has no value blue",
        "farmyard:0: author.option-name: there is no option star, which old names",
        "farmyard:0: author.no-events: the ruleset does not list what can happen, so nothing is known of "
        "its sentences",
    ]


def test_it_answers_as_other_checks_do(place: Path) -> None:
    change(place / "words.yaml", "  Slunk:", "  Slank:")
    result = CliRunner().invoke(cli, ["rules", "check", "farmyard"])
    assert result.exit_code == 1
    assert (
        "author.no-event: Slunk happens in the game and has no sentence\n    "
        "words.yaml, events:  Slunk: a sentence" in result.output
    )
    shown = CliRunner().invoke(cli, ["rules", "check", "farmyard", "--json"])
    assert shown.exit_code == 1
    assert json.loads(shown.stdout)["ok"] is False


def test_a_package_that_is_none_is_refused() -> None:
    with pytest.raises(Refused):
        authoring.check("henyard")
    assert "farmyard" in rulesets.known()
