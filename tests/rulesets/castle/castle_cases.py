"""Cases of castle sections: a board, what one side orders, what the dice show, and what must come of
it.

``given`` has ``size``, ``terrain``, ``planks`` as a map and a scenario have them, and ``build``, ``length``,
``victory``, ``options``, ``at`` (``t1.hill``); ``warriors`` and ``sections`` are id → what stands of it in a
scenario, and any field of its state; ``ladders`` likewise. The side ``hill`` attacks, ``keep`` has the
castle. With ``scenario`` all of a shipped one is there, and ``warriors`` and ``sections`` say only what is
otherwise than at its beginning.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any

from case_plugin import CaseError, Line, _compare, _fits, _text
from msgspec.structs import replace

from pbem.core.dice import ScriptedDice
from pbem.core.play import resolve_phase
from pbem.core.ruleset import Ruleset, choose
from pbem.core.sequence import Cursor
from pbem.referee.game.scenario import find_scenario
from pbem.rulesets.castle import setup
from pbem.rulesets.castle.events import plain
from pbem.rulesets.castle.state import Told, War
from pbem.rulesets.castle.victory import score
from pbem.text.codec import to_plain
from pbem.text.source import read

KEYS = {
    "rule", "rules", "name", "why", "given", "orders", "dice", "check", "events", "never", "state", "problems", "score", "winner",
    "then", "seat", "unread",
}  # fmt: skip
GIVEN = {
    "size", "terrain", "planks", "build", "length", "victory", "options", "at", "warriors", "sections", "ladders", "told", "tables",
    "scenario",
}  # fmt: skip
SAID = {"id", "name", "kind", "at", "on", "facing", "weight", "wall", "by", "hurt"}
NUMBERS = {"click", "tokens", "acted"}
FLAGS = {"out", "breached", "frozen", "ran"}


def chosen(rules: Ruleset[War], given: Mapping[str, Any]) -> Ruleset[War]:
    """Return the rules with the options and tables of a case."""
    found, problems = choose(rules, (), given.get("options") or {})
    if found is None:
        raise CaseError(f"options: {problems}")
    if "tables" in given:
        from pbem.rulesets.tables import with_tables

        laid, wrong = with_tables(found, given["tables"])
        if laid is None:
            raise CaseError(f"tables: {wrong}")
        return laid
    return found


def files_of(given: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return scenario and map of a case, as their files would say them."""
    if "scenario" in given:
        return _shipped(given)
    sides: dict[str, Any] = {}
    for side in ("hill", "keep"):
        sides[side] = {"name": side.title(), "warriors": [], "sections": [], "ladders": []}
        for key, default in (("warriors", "hill"), ("sections", "keep"), ("ladders", "keep")):
            for id_, of in (given.get(key) or {}).items():
                if of.get("side", default) == side:
                    sides[side][key].append({"id": id_, **{k: v for k, v in of.items() if k in SAID}})
    sides["hill"]["first"] = True
    sides["keep"]["planks"] = given.get("planks") or []
    scenario = {
        "title": "A case",
        "build": given.get("build", "300"),
        "length": f"{given.get('length', '9')} turns",
        "victory": given.get("victory") or {},
        "sides": sides,
    }
    return scenario, {
        "title": "A case",
        "size": given.get("size", "48 x 48"),
        "terrain": given.get("terrain") or [],
    }


def _shipped(given: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return a shipped scenario in which some begin elsewhere, and its map."""
    found = find_scenario(given["scenario"])
    scenario = deepcopy(dict(found.data))
    for side in scenario["sides"].values():
        for key in ("warriors", "sections"):
            for one in side.get(key, ()):
                of = (given.get(key) or {}).get(one["id"], {})
                one |= {k: v for k, v in of.items() if k in SAID}
                if of.get("on") == "":
                    del one["on"]
    path = next(name for name in found.files if "/maps/" in f"/{name}")
    return scenario, dict(read(found.files[path], path).data)


def war_of(rules: Ruleset[War], given: Mapping[str, Any]) -> War:
    """Return the game that a case begins with."""
    board = setup.board_of(rules, *files_of(given))
    war = setup.setup(rules, board, {side.id: side.id for side in board.sides})

    def changes(of: Mapping[str, Any]) -> dict[str, Any]:
        found: dict[str, Any] = {key: int(of[key]) for key in NUMBERS & set(of)}
        found |= {key: of[key] == "true" for key in FLAGS & set(of)}
        found |= {key: tuple(of[key].split()) for key in {"open"} & set(of)}
        return found | {key: of[key] for key in {"captor"} & set(of)}

    warriors, pieces = given.get("warriors") or {}, given.get("sections") or {}
    figures = tuple(replace(one, **changes(warriors.get(one.id, {}))) for one in war.figures)
    sections = tuple(replace(one, **changes(pieces.get(one.id, {}))) for one in war.sections)
    turn, _, side = given.get("at", "t1.hill").partition(".")
    told = {
        seat: Told(of.get("spin", ""), tuple(of.get("victim", "").split()), of.get("collapse", ""))
        for seat, of in (given.get("told") or {}).items()
    }
    at = Cursor("actions", int(turn.removeprefix("t")), side)
    return replace(war, at=at, figures=figures, sections=sections, told=told)


def _happened(wanted: Sequence[Mapping[str, Any]], found: Sequence[Any]) -> None:
    at = 0
    for want in wanted:
        place = next((n for n in range(at, len(found)) if _fits(_text(want), found[n])), None)
        if place is None:
            same = [event for event in found if event["type"] == want.get("type")]
            told = same or [event["type"] for event in found]
            raise CaseError(f"events: want {dict(want)}{f' after number {at - 1}' if at else ''}, got {told}")
        at = place + 1


def _never(unwanted: Sequence[Mapping[str, Any]], found: Sequence[Any]) -> None:
    for want in unwanted:
        for event in found:
            if _fits(_text(want), event):
                raise CaseError(f"never: want no {dict(want)}, got {event}")


def run(case: Line, rules: Ruleset[War]) -> None:
    """Play one case; raise CaseError where something else comes of it than it says."""
    if unknown := sorted(set(case) - KEYS):
        raise CaseError(f"{', '.join(unknown)}: no such key of a case; known are {', '.join(sorted(KEYS))}")
    given = case.get("given") or {}
    if unknown := sorted(set(given) - GIVEN):
        raise CaseError(f"given {', '.join(unknown)}: no such key; known are {', '.join(sorted(GIVEN))}")
    rules = chosen(rules, given)
    if "problems" in case:
        _, of_scenario, of_map = rules.interface.read_field(rules, *files_of(given))
        _compare("problems", case["problems"], [problem.code for problem in (*of_scenario, *of_map)])
        return
    war = war_of(rules, given)
    seat = case.get("seat", war.at.side)
    sheet, problems = rules.interface.read_orders(rules, war, seat, {"actions": case.get("orders") or []})
    _compare("unread", case.get("unread", []), [problem.code for problem in problems])
    if "check" in case:
        judged = rules.interface.check(rules, war, sheet, ())
        _compare("check", case["check"], [problem.code for problem in judged.problems])
    dice = ScriptedDice(
        {label: tuple(map(int, faces.split())) for label, faces in (case.get("dice") or {}).items()}
    )
    step = rules.steps[war.at.phase]
    try:
        found = resolve_phase(
            lambda play: step(rules, play, {seat: (sheet,)}), war, str(war.at), rules.interface.apply, dice
        )
    except KeyError as missing:
        raise CaseError(f"no die, or nobody, is called {missing}") from None
    after, events = found.state, list(found.events)
    for event in rules.interface.advance(rules, after):
        after = rules.interface.apply(after, event)
        events.append(event)
    told = [_text(plain(event)) for event in events]
    _happened(case.get("events") or [], told)
    _never(case.get("never") or [], told)
    for id_, wanted in (case.get("state") or {}).items():
        one = after.one(id_)
        held = {name: getattr(one, name) for name in one.__struct_fields__}
        _compare(f"state of {id_}", wanted, to_plain(held))
    if "score" in case:
        _compare("score", case["score"], score(rules, after))
    if "winner" in case:
        _compare("winner", case["winner"], after.winner)
    if "then" in case:
        _compare("then", case["then"], str(rules.interface.cursor(after)))
