"""What may be mixed: each module alone and each pair under the sequence of The Anarchy is refused by name, or a
small game in which everything of it lies about begins and is played.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
import yaml

from pbem.bots.bot import find
from pbem.bots.chance import SeedDice
from pbem.bots.game import game
from pbem.core.ruleset import choose
from pbem.referee.game.refusal import Refused
from pbem.referee.game.replay import first_state
from pbem.referee.game.scenario import find_scenario, judge
from pbem.rulesets.anarchy import mixing
from pbem.rulesets.anarchy.ruleset import ANARCHY
from pbem.rulesets.siege.ruleset import SIEGE

MODULES = tuple(ANARCHY.known_modules)
ROWS = ANARCHY.tables["mixing"]["rows"]
PAGE = (Path(__file__).resolve().parents[3] / "docs" / "anarchy.md").read_text("utf-8")
HEXES = [["."] * 12 for _ in range(8)]


def mixtures() -> Iterator[tuple[str, ...]]:
    """Yield every module alone, and every pair."""
    for count in (1, 2):
        yield from combinations(MODULES, count)


def drawn(modules: Sequence[str]) -> dict[str, Any]:
    """Return a small map with something on it of each module."""
    rows = [row[:] for row in HEXES]
    if "open-ground" in modules:
        rows[3][4] = "scrub"
    if "houses" in modules:
        rows[3][6] = "stairs"
    if "castle" in modules:
        rows[6][6] = "moat"
    if "camp" in modules:
        rows[6][2] = "tent"
    terrain = "\n".join(" ".join(row) for row in rows)
    marks = {"east-end": "1101 1201 1102 1202", "walls": "0708"}
    return {
        "map": "small",
        "title": "Small",
        "size": "12 x 8",
        "key": {".": "flat"},
        "terrain": terrain,
        "marks": marks,
    }


def written(modules: Sequence[str]) -> dict[str, Any]:
    """Return a small scenario with something in it of each module."""
    west: list[dict[str, Any]] = [
        {"id": "hugo", "person": "hugo-brisefer", "at": "0203"},
        {"id": "leofa", "person": "leofa-fletcher", "at": "0204"},
        {"id": "ketel", "person": "ketel-wright", "at": "0206"},
    ]
    east: list[dict[str, Any]] = [
        {"id": "grim", "person": "grim-cutler", "in": "east-end"},
        {"id": "tofi", "person": "tofi-wren", "in": "east-end"},
    ]
    things: list[dict[str, Any]] = []
    scenario: dict[str, Any] = {}
    if "riders" in modules:
        west += [
            {"id": "fulbert", "person": "fulbert-daspremare", "on": "noirmuse"},
            {"id": "noirmuse", "person": "noirmuse", "at": "0303 0302"},
        ]
    if "wagons" in modules:
        things.append({"id": "wagon1", "kind": "wagon", "side": "west", "at": "0105 facing n"})
    if "castle" in modules:
        things.append({"id": "ladder1", "kind": "ladder", "side": "west", "at": "0401 0501"})
    if "camp" in modules:
        things.append({"id": "ballista1", "kind": "ballista", "side": "west", "at": "0207 facing se"})
    if "wagons-oil" in modules:
        things.append({"id": "mantlet1", "kind": "mantlet", "side": "west", "at": "0203 facing se"})
    if "battering" in modules:
        things.append({"id": "mangonel1", "kind": "mangonel", "side": "west", "at": "0108 facing n"})
    if "days" in modules:
        scenario["days"] = 2
    if {"days", "battering"} <= {*modules}:
        scenario["siege"] = {"besieger": "west", "assaults": 1}
    if "hidden" in modules:
        scenario["hidden"] = {"east": {"seen-within": 3}}
    if "works" in modules and "castle" in modules:
        scenario["supplies"] = {"west": {"filled": 1}}
        scenario["setup"] = [{"seat": "west", "may": ["fill"]}]
    setup = [*scenario.pop("setup", ()), {"seat": "east", "may": ["place"]}]
    return {
        "scenario": "small",
        "title": "Small",
        "ruleset": "anarchy",
        "modules": list(modules),
        "map": "small",
        "length": "1 turns",
        "sides": {
            "west": {"name": "West", "first": True, "colour": "vermilion"},
            "east": {"name": "East", "colour": "blue"},
        },
        "units": {"west": west, "east": east},
        "things": things,
        "setup": setup,
        "victory": {"at-end": [{"side": "west", "points": 1, "when": "turn is at least 1"}], "winner": {"most": "points"}},
        **scenario,
    }  # fmt: skip


def laid(folder: Path, modules: Sequence[str]) -> str:
    """Write scenario and map into a folder, and return where the scenario is."""
    (folder / "maps").mkdir(exist_ok=True)
    (folder / "maps" / "small.yaml").write_text(yaml.safe_dump(drawn(modules), sort_keys=False), "utf-8")
    (folder / "small.yaml").write_text(yaml.safe_dump(written(modules), sort_keys=False), "utf-8")
    return str(folder / "small.yaml")


@pytest.mark.parametrize("modules", list(mixtures()), ids="+".join)
def test_what_is_not_refused_by_name_is_played(modules: tuple[str, ...], tmp_path: Path) -> None:
    scenario = laid(tmp_path, modules)
    refused = mixing.why_not(ANARCHY, modules)
    if refused:
        with pytest.raises(Refused) as told:
            judge(find_scenario(scenario), {})
        assert [found.code for found in told.value.located] == [problem.code for problem in refused]
        for problem, found in zip(refused, told.value.located, strict=True):
            assert f"{problem.args['module']}" in found.message
            assert problem.args.get("why", "not played without") in found.message
            assert found.path == problem.path
        return
    ground = judge(find_scenario(scenario), {})[1]
    rules = ground.rules
    assert set(rules.modules) == set(modules)
    bots = {side: find("random", "anarchy") for side in ("west", "east")}
    done = game(
        rules, first_state(ground, {"west": "west", "east": "east"}), bots, SeedDice("small"), "small"
    )
    assert rules.interface.over(done.state)
    assert done.turns >= 1


def test_every_module_is_in_the_table_and_every_module_of_the_table_is_one() -> None:
    assert set(ROWS) == set(MODULES)
    for row in ROWS.values():
        assert (row["of"] == "siege") == (row["id"] in SIEGE.known_modules)
        assert {*row.get("needs", ()), *row.get("apart", {})} <= {*MODULES}


@pytest.mark.parametrize("modules", [("hidden", "battering"), ("battering", "hidden")])
def test_two_that_undo_each_other_are_refused_with_the_reason(modules: tuple[str, ...]) -> None:
    rules, (problem,) = choose(ANARCHY, modules, {})
    assert rules is None
    assert (problem.code, problem.path) == ("mixing.apart", ("modules", modules.index("battering")))
    assert problem.args["why"] == ROWS["battering"]["apart"]["hidden"]


def test_what_needs_others_is_refused_alone_and_taken_with_them() -> None:
    rules, (problem,) = choose(ANARCHY, ["mining", "days"], {})
    assert rules is None
    assert (problem.code, problem.args["others"]) == ("mixing.needs", "battering")
    assert choose(ANARCHY, ["mining", *ROWS["mining"]["needs"]], {})[1] == []


def test_siege_and_cry_havoc_mix_everything_they_have() -> None:
    assert SIEGE.mixing is None


def test_the_page_shows_the_table() -> None:
    lines = PAGE.split("## What may be mixed")[1].split("\n## ")[0].splitlines()
    shown = [
        [cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("| `")
    ]
    assert [line[0].strip("`") for line in shown] == list(ROWS)
    for module, title, why in shown:
        row = ROWS[module.strip("`")]
        assert (title, why) == (row["title"], told(row))


def told(row: Any) -> str:
    """Return what the page says of a module: why it fits, and what it needs or does not bear."""
    more = [f"only with {' and '.join(f'`{name}`' for name in row['needs'])}"] if row.get("needs") else []
    more += [f"not with `{other}`: {why}" for other, why in row.get("apart", {}).items()]
    return "; ".join((row["why"], *more))
