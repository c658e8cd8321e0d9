"""What a verb loads before it answers: nothing that it does not use."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from pbem.referee.play.demo import find_example
from pbem.referee.play.playthrough import Playthrough, read_script

EXAMPLE, SEAT, FILE = "alder-ford", "west", "s03-west.yaml"
NEVER = (
    "PIL",
    "jsonschema",
    "pbem.bots",
    "pbem.fleet",
    "pbem.forum",
    "renderers",
    "asyncio",
    "multiprocessing",
    "ssl",
)
"""What no verb needs that only looks at a game or takes a file in."""
OF_OTHERS = ("calendar", "difflib", "email", "html", "importlib.resources", "tempfile", "zipfile")
"""What letters, archives and slips of the pen need, and an order file without mistakes does not."""
SCRIPT = """
import atexit, sys
atexit.register(lambda: print("loaded", *sorted(sys.modules), file=sys.stderr))
from pbem.__main__ import main
main()
"""


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("open")
    play = Playthrough(read_script(find_example(EXAMPLE)), root / "game", root / "home", pictures=False)
    for step in play.play():
        if play.script.steps[step.number].get("file") == FILE:
            break
    return root / "game"


def loaded(game: Path, *words: str, cache: str = "off", script: str = SCRIPT) -> list[str]:
    said = subprocess.run(
        [sys.executable, "-c", script, *words],
        capture_output=True,
        text=True,
        env={"PBEM_HOME": str(game.parent / "home"), "PBEM_CACHE": cache, "PATH": ""},
        check=False,
    )
    assert said.returncode == 0, said.stderr
    return said.stderr.splitlines()[-1].split()[1:]


READS = """
import atexit, sys
from pbem.text import yaml_text
read, attempt = [], yaml_text.attempt
yaml_text.attempt = lambda walk, part, pure: read.append(len(part)) or attempt(walk, part, pure)
atexit.register(lambda: print("read", *read, file=sys.stderr))
from pbem.__main__ import main
main()
"""


WASTE = """
import atexit, gc, sys
looks = []
gc.callbacks.append(lambda phase, said: looks.append(phase))
atexit.register(lambda: print("looked", *looks, file=sys.stderr))
from pbem.__main__ import main
main()
"""


def among(loaded: list[str], modules: tuple[str, ...]) -> set[str]:
    return {name for name in modules if any(one == name or one.startswith(f"{name}.") for one in loaded)}


@pytest.mark.parametrize("verb", ["status", "next", "check", "submit"])
def test_a_verb_loads_nothing_that_it_does_not_use(game: Path, verb: str) -> None:
    orders = str(find_example(EXAMPLE) / "orders" / FILE)
    of_seat = ("--game", str(game), "--seat", SEAT, orders)
    words = {"check": ("check", *of_seat), "submit": ("submit", "--no-lock", *of_seat)}
    found = loaded(game, *words.get(verb, (*verb.split(), str(game))))
    assert among(found, NEVER) == set()
    assert verb in ("status", "next") or among(found, OF_OTHERS) == set()


def test_the_letters_of_an_office_are_nothing_to_who_checks_a_file(game: Path) -> None:
    orders = str(find_example(EXAMPLE) / "orders" / FILE)
    found = loaded(game, "check", "--game", str(game), "--seat", SEAT, orders)
    assert among(found, ("pbem.post", "pbem.referee.explain")) == set()


MOST_OF_OURS = 239
"""Modules of pbem that checking a file loads; it used to be three hundred, sixteen of them a view of the game."""
OF_VIEWS = ("pbem.rulesets.siege.views", "pbem.rulesets.siege.views.narration")


@pytest.mark.parametrize("verb", ["check", "submit"])
def test_who_checks_a_file_loads_no_sheet_no_map_and_no_list_of_orders(
    game: Path, verb: str, tmp_path: Path
) -> None:
    """Once what scenario and map come to is kept."""
    words = [verb, *(["--no-lock"] if verb == "submit" else []), "--game", str(game), "--seat", SEAT]
    words.append(str(find_example(EXAMPLE) / "orders" / FILE))
    loaded(game, *words, cache=str(tmp_path))
    found = loaded(game, *words, cache=str(tmp_path))
    assert {one for one in found if one.startswith("pbem.rulesets.siege.views")} <= {*OF_VIEWS}
    assert not {"pbem.rulesets.siege.judge.legal", "pbem.rulesets.siege.scenario.siege_sheet"} & {*found}
    ours = [one for one in found if one.startswith("pbem")]
    assert len(ours) <= (MOST_OF_OURS if verb == "check" else MOST_OF_OURS + 9), len(ours)


def test_who_asks_again_where_a_game_stands_waits_for_no_rules_no_proof_and_no_yaml(
    game: Path, tmp_path: Path
) -> None:
    first, second = (loaded(game, "status", str(game), cache=str(tmp_path)) for _ in range(2))
    looks = ("cryptography", "pbem.proof", "pbem.referee.game", "pbem.rulesets.siege", "yaml", "zoneinfo")
    assert among(first, looks) == set(looks) and among(second, looks) == set()
    assert len([name for name in second if name.startswith("pbem")]) <= 40


@pytest.mark.parametrize("verb", ["check", "submit"])
def test_the_second_time_nobody_waits_for_pyyaml(game: Path, tmp_path: Path, verb: str) -> None:
    words = [verb, *(["--no-lock"] if verb == "submit" else []), "--game", str(game), "--seat", SEAT]
    words.append(str(find_example(EXAMPLE) / "orders" / FILE))
    assert len(loaded(game, *words, cache=str(tmp_path), script=READS)) > 10
    assert among(loaded(game, *words, cache=str(tmp_path)), ("yaml", "pbem.text.yaml_text")) == set()


def test_who_verifies_reads_every_table_himself(game: Path, tmp_path: Path) -> None:
    loaded(game, "options", str(game), "--seat", SEAT, cache=str(tmp_path))
    assert len(loaded(game, "verify", str(game), cache=str(tmp_path), script=READS)) > 10


@pytest.mark.parametrize("verb", ["check", "submit"])
def test_who_takes_a_file_in_looks_for_no_waste(game: Path, verb: str) -> None:
    words = [verb, *(["--no-lock"] if verb == "submit" else []), "--game", str(game), "--seat", SEAT]
    words.append(str(find_example(EXAMPLE) / "orders" / FILE))
    assert loaded(game, *words, script=WASTE) == []
