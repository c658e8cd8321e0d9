"""The tables of CONTRIBUTING.md, row by row: what is said to live in a place is found nowhere else, and what is
said to be enough for something new was enough in a test.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from msgspec import Struct
from parsed import nodes

from pbem.rulesets import siege

ROOT = Path(__file__).resolve().parents[2]
PBEM = ROOT / "pbem"
TESTS = ROOT / "tests"
SIEGE = Path(siege.__file__).parent
GUIDE = (ROOT / "CONTRIBUTING.md").read_text("utf-8")


def table(head: str) -> dict[str, str]:
    """Return a table of the guide: first cell -> the others; ``head`` is its first heading."""
    rows = GUIDE[GUIDE.index(f"| {head} |") :].split("\n\n")[0].splitlines()[2:]
    return {cells[1].strip(): "|".join(cells[2:-1]).strip() for cells in (row.split("|") for row in rows)}


class Read(Struct, frozen=True):
    """What a module does, as far as it can be seen."""

    imports: frozenset[str]
    """Dotted names, wherever in the module."""
    calls: frozenset[str]
    """The last names of what is called."""
    methods: frozenset[str]
    """Those that are called on something."""
    says: frozenset[str]
    carries: bool
    """Whether it has a function that carries out a rule."""


@cache
def read(path: Path) -> Read:
    imports, calls, methods, says, carries = set[str](), set[str](), set[str](), set[str](), False
    for node in nodes(path):
        match node:
            case ast.Import(names):
                imports |= {alias.name for alias in names}
            case ast.ImportFrom(module=str(name), level=0):
                imports.add(name)
            case ast.Call(func=ast.Attribute(attr=name)):
                methods.add(name)
            case ast.Call(func=ast.Name(id=name)):
                calls.add(name)
            case ast.Constant(value=str(text)):
                says.add(text)
            case ast.FunctionDef(decorator_list=marks) | ast.ClassDef(decorator_list=marks):
                carries |= any(
                    isinstance(mark, ast.Call) and getattr(mark.func, "id", "") == "rule" for mark in marks
                )
    return Read(frozenset(imports), frozenset(calls | methods), frozenset(methods), frozenset(says), carries)


def modules(*rings: str) -> list[Path]:
    return sorted(path for ring in rings for path in (ROOT / ring).rglob("*.py"))


EVERYWHERE = modules("pbem", "renderers")


def ring_of(path: Path) -> str:
    parts = path.relative_to(ROOT).parts
    return parts[0] if parts[0] == "renderers" else parts[1]


def packages(path: Path) -> set[str]:
    return {name.split(".")[0] for name in read(path).imports}


def importers(*names: str) -> set[str]:
    """Return the rings whose modules import one of some packages of others."""
    return {ring_of(path) for path in EVERYWHERE if packages(path) & set(names)}


def neighbours(ring: str) -> set[str]:
    """Return the rings that a ring imports."""
    names = {name for path in modules(f"pbem/{ring}") for name in read(path).imports}
    return {name.split(".")[1] for name in names if name.startswith("pbem.")} - {ring}


def callers(*names: str) -> set[str]:
    return {ring_of(path) for path in EVERYWHERE if read(path).calls & set(names)}


# --- where a line lives


def rules_are_carried_out_in_chapters() -> None:
    carrying = {path.relative_to(SIEGE) for path in modules("pbem/rulesets/siege") if read(path).carries}
    assert len(carrying) > 50
    assert {path for path in carrying if len(path.parts) != 2} == set()
    elsewhere = [path for path in EVERYWHERE if "pbem.core.rule" in read(path).imports]
    assert {ring_of(path) for path in elsewhere} <= {"rulesets", "core", "referee"}


def core_knows_no_game() -> None:
    assert neighbours("core") == set()


def space_knows_nothing_else() -> None:
    assert neighbours("geometry") == set()


def text_reads_and_writes() -> None:
    assert importers("yaml") == {"text"}
    assert neighbours("text") == {"core"}


def order_files_are_read_in_orders() -> None:
    assert neighbours("orders") <= {"core", "text"}
    assert {"then", "otherwise"} <= {said for path in modules("pbem/orders") for said in read(path).says}


def proof_hashes_and_signs() -> None:
    assert neighbours("proof") == {"core"}
    signed = {ring_of(path) for path in EVERYWHERE if "sign" in read(path).methods}
    assert signed == {"proof"}, "what signs for others is asked in pbem/proof"


def verifiers_stand_alone() -> None:
    for path in modules("pbem/verifiers"):
        assert not any(name.startswith("pbem") for name in read(path).imports), path
        assert not packages(path) & {"cryptography", "yaml", "click"}, path


def letters_are_bytes_in_and_values_out() -> None:
    assert neighbours("post") <= {"club", "core", "proof", "text"}
    for path in modules("pbem/post", "pbem/forum", "pbem/club"):
        assert not packages(path) & {"os", "pathlib", "socket", "time"}, path


def posts_are_read_in_forum() -> None:
    assert importers("selectolax") == {"forum"}
    assert neighbours("forum") <= {"core", "post", "text"}


def club_is_pure() -> None:
    assert neighbours("club") <= {"core"}


def effects_go_through_store() -> None:
    writes = {"write_bytes", "write_text", "unlink", "symlink_to", "rmtree", "truncate"}
    assert callers(*writes) == {"store"}
    wires = ("socket", "ssl", "smtplib", "imaplib", "http", "subprocess")
    assert importers(*wires) == {"store"}
    disk = {"pbem/store/disk.py"}
    found = {
        path.relative_to(ROOT).as_posix()
        for path in modules("pbem/store")
        if read(path).calls & {"unlink", "rename", "write_bytes"}
    }
    assert found <= disk


def bots_play() -> None:
    assert neighbours("bots") <= {"core", "geometry", "rulesets"}
    players = {ring for ring in ("cli", "store", "post", "forum", "rulesets") if "bots" in neighbours(ring)}
    assert players == set()


def referee_joins() -> None:
    users = {
        ring_of(path)
        for path in EVERYWHERE
        if any(name.startswith("pbem.referee") for name in read(path).imports)
    }
    assert users == {"cli", "fleet", "referee"}


def fleet_hands_out() -> None:
    assert importers("dask", "distributed", "procrastinate", "psycopg", "concurrent") == {"fleet"}
    knowing = {
        path.stem
        for path in modules("pbem/fleet")
        if packages(path) & {"dask", "distributed", "procrastinate"}
    }
    assert knowing <= {"cluster", "clerk", "queue"}
    users = {ring for ring in ("referee", "store", "bots", "post", "forum") if "fleet" in neighbours(ring)}
    assert users == set()


def cli_prints_asks_and_exits() -> None:
    assert importers("click") == {"cli"}
    assert callers("print", "input") <= {"verifiers"}
    assert callers("exit") <= {"cli", "verifiers"}


def renderers_pick_colours_and_fonts() -> None:
    assert importers("PIL") == {"renderers"}
    colour = re.compile(r"#[0-9a-fA-F]{6}\b")
    coloured = {
        path.relative_to(ROOT).as_posix() for path in EVERYWHERE if any(map(colour.search, read(path).says))
    }
    found = {path for path in coloured if not path.startswith("renderers/")}
    assert found == {"pbem/text/markup.py", "pbem/post/write/page.py"}


def forms_stand_in_schemas() -> None:
    for path in (ROOT / "schemas").rglob("*.json"):
        assert path.name.endswith(".schema.json")


def sentences_stand_in_words() -> None:
    named = [PBEM / "words" / name for name in ("en.yaml", "en-post.yaml", "en-forum.yaml")]
    for path in [SIEGE / "words.yaml", *named]:
        assert yaml.safe_load(path.read_text("utf-8"))["phrases"], path


def numbers_stand_in_tables() -> None:
    assert (
        "def test_no_number_of_a_rulebook_stands_in_python"
        in (TESTS / "layout/test_layout_numbers.py").read_text()
    )
    for path in (SIEGE / "tables").glob("*.yaml"):
        head: dict[str, Any] = yaml.safe_load(path.read_text("utf-8"))
        assert {"rules", "source", "basis"} <= head.keys(), path.name


LIVES: dict[str, Callable[[], None]] = {
    "is a number printed in a rulebook": numbers_stand_in_tables,
    "carries out a rule of the book": rules_are_carried_out_in_chapters,
    "would be true of any game": core_knows_no_game,
    "is about space only": space_knows_nothing_else,
    "turns text into values or back": text_reads_and_writes,
    "is in the order files of every game: sections, turns, conditions, answers": order_files_are_read_in_orders,
    "hashes, signs, commits": proof_hashes_and_signs,
    "checks an archive without pbem": verifiers_stand_alone,
    "reads or writes a letter": letters_are_bytes_in_and_values_out,
    "reads or writes a post of a forum": posts_are_read_in_forum,
    "says what is due when": club_is_pure,
    "opens, writes or names a file, or talks to a mail server": effects_go_through_store,
    "plays for a side": bots_play,
    "joins two of these": referee_joins,
    "hands work to other processes or machines": fleet_hands_out,
    "prints, asks, exits": cli_prints_asks_and_exits,
    "picks a colour or a font": renderers_pick_colours_and_fonts,
    "says what a file may contain": forms_stand_in_schemas,
    "is a sentence somebody reads": sentences_stand_in_words,
}


def test_every_row_of_where_a_line_lives_is_held() -> None:
    assert list(table("the line …")) == list(LIVES)


@pytest.mark.parametrize("line", LIVES)
def test_a_line_lives_where_the_guide_says(line: str) -> None:
    LIVES[line]()


def test_what_a_row_names_is_there() -> None:
    for first, rest in {**table("the line …"), **table("new …")}.items():
        for named in re.findall(r"`((?:pbem|renderers|schemas|tests|scenarios)/[^`]*)`", rest):
            path = named.replace("<system>", "siege").replace("<chapter>", "*").replace("<topic>", "*")
            path = re.sub(r"<\w+>", "*", path)
            assert list(ROOT.glob(path.rstrip("/"))), f"{first}: {named}"


# --- how something new plugs in, and a ruleset of your own

ADDED = "rulesets/siege/test_siege_added.py::test_"
AMENDED = "rulesets/siege/test_siege_amended.py::test_a_game_made_outside_the_package_plays"
PLUGS: dict[str, str] = {
    "terrain": f"{ADDED}a_ground_is_a_row_of_a_chart",
    "person": f"{ADDED}a_person_is_a_row_of_the_roster",
    "modifier": f"{ADDED}an_option_is_an_entry_and_a_modifier_a_function_and_a_line",
    "option": f"{ADDED}an_option_is_an_entry_and_a_modifier_a_function_and_a_line",
    "deed, a kind of order": "rulesets/siege/test_siege_deed_added.py::test_the_form_of_order_files_has_it",
    "thing, engine": AMENDED,
    "policy, such as another way to read melee": AMENDED,
    "thing that happens to a hex": f"{ADDED}what_happens_to_a_hex_is_an_entry",
    "index of the state (who stands where, who is afraid)": "rulesets/siege/test_siege_indexes.py::test_what_is_handed_on_after_an_event_is_what_a_fresh_battle_finds",
    "answer worth keeping": "rulesets/siege/test_siege_indexes.py::test_a_file_is_judged_and_foretold_with_one_search_for_each_move",
    "what shots meet, in a package of its own": "rulesets/anarchy/test_anarchy_lines_kept.py::test_what_is_kept_while_things_change_is_what_is_seen_anew",
    "event": f"{ADDED}an_event_is_a_class_and_a_sentence",
    "key of a state or an event": "rulesets/siege/test_siege_formats.py::test_its_files_have_the_form_of_their_schemas",
    "feature of hexsides": f"{ADDED}a_feature_of_hexsides_is_a_row",
    "mark that a rule asks for": "rulesets/siege/test_siege_scenario.py::test_a_map_without_marks_says_so",
    "bot": "bots/test_bots_outside.py::test_a_bot_of_others_plays_its_own_game",
    "language": "referee/test_referee_languages.py::test_everything_that_is_said_to_a_reader_is_in_his_language_and_nothing_to_anybody_else",
    "ruleset": "house/test_house_outside.py::test_maps_replay_packet_and_archive_come_of_it",
    "mail client that writes strangely": "post/test_post_corpus.py::test_the_folder_is_what_the_makers_write",
    "kind of letter": "referee/test_referee_letters.py::test_a_turn_letter_goes_out_and_nobody_reads_orders_in_it",
    "theme": "renderers/test_renderers_themes.py::test_themes_are_named_and_told_apart_by_their_names",
    "look of the ground": "renderers/test_renderers_new_look.py::test_a_further_look_of_the_ground_is_one_row_of_one_file",
    "something to click": "rulesets/siege/test_siege_offers.py::test_offers_say_what_is_legal_and_nothing_else",
    "renderer": "renderers/test_renderers_png.py::test_renderers_know_the_scene_and_how_it_is_measured_and_nothing_else_of_the_program",
    "scenario, map": "cli/test_cli_maps.py::test_a_shipped_map_is_drawn",
}
"""New thing -> the test in which one was added, or that holds what the row says."""
AUTHORING = "referee/test_referee_authoring.py::test_"
STEPS: dict[str, str] = {
    "pyproject.toml": f"{AUTHORING}a_package_that_is_none_is_refused",
    "ruleset.py": f"{AUTHORING}the_value_itself_is_looked_at",
    "words.yaml": f"{AUTHORING}what_stands_beside_it_is_looked_through",
    "schemas/orders.schema.json": "house/test_house_outside.py::test_scenario_and_map_have_a_form_of_their_own",
    "tables/*.yaml": f"{AUTHORING}what_is_not_there_is_missed",
    "telling=Telling(…)": "house/test_house_outside.py::test_what_happened_is_told_in_its_own_words",
    "Areas": "house/test_house_outside.py::test_maps_replay_packet_and_archive_come_of_it",
    "pbem rules check farmyard": f"{AUTHORING}rulesets_that_are_whole_are_called_so",
}
"""What a step of *A ruleset of your own* begins with -> the test that takes it, or leaves it out and is told."""


def is_there(named: str) -> bool:
    file, _, test = named.partition("::")
    return f"def {test}" in (TESTS / file).read_text("utf-8")


def test_every_row_of_how_something_new_plugs_in_is_held() -> None:
    assert list(table("new …")) == list(PLUGS)
    assert [named for named in PLUGS.values() if not is_there(named)] == []


def test_every_step_to_a_ruleset_of_ones_own_is_taken_in_a_test() -> None:
    section = GUIDE[GUIDE.index("## A ruleset of your own") :].split("\n## ")[0]
    steps = re.findall(r"^\d\. (?:`([^`]+)`|(\w+))", section, flags=re.MULTILINE)
    assert [code or word for code, word in steps] == list(STEPS)
    assert [named for named in STEPS.values() if not is_there(named)] == []
