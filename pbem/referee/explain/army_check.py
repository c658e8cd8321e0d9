"""An army that somebody has built, judged against its scenario before there is a game: what is wrong with
it, and what it costs.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from pbem.core.problem import Problem
from pbem.referee.game.order_form import shape_of_orders
from pbem.referee.game.refusal import UNDECIDED, Refused, refuse
from pbem.referee.game.replay import Ground, first_state
from pbem.referee.game.scenario import Found, find_scenario, judge, open_file
from pbem.store.library import own_schema, words_of
from pbem.text.located import locate
from pbem.text.shape import load
from pbem.text.similar import did_you_mean
from pbem.text.source import FILES, read


class ArmyChecked(Struct, frozen=True):
    """An army without a mistake: the scenario's title, its side, and its lines as understood."""

    title: str
    side: str
    lines: tuple[str, ...]


def form_of_army(ruleset: str) -> Mapping[str, Any] | None:
    """Return the schema of the armies of a game; None where it brings none of its own."""
    return own_schema(ruleset, "army")


def army_schema(scenario: str) -> Mapping[str, Any]:
    """Return the schema of the armies for a scenario, for an editor: with the names of its sides. Refused
    where nobody builds one.
    """
    ground, _ = _open(find_scenario(scenario))
    form = form_of_army(ground.rules.id)
    if form is None:
        raise refuse("army.not-open", answer=UNDECIDED, scenario=ground.title)
    side = {**form["properties"]["side"], "enum": [str(name) for name in ground.scenario["sides"]]}
    return {**form, "properties": {**form["properties"], "side": side}}


def _open(found: Found, options: Mapping[str, str] | None = None) -> tuple[Ground, Any]:
    """Return the ground of a scenario and its first state; Refused where no army is built in it."""
    _, ground, _ = judge(found, options or {})
    state = first_state(ground, {name: name for name in ground.scenario["sides"]})
    if not ground.rules.interface.cursor(state).is_setup:
        raise refuse("army.not-open", answer=UNDECIDED, scenario=ground.title)
    return ground, state


def check_army(
    path: Path,
    scenario: str,
    side: str = "",
    options: Mapping[str, str] | None = None,
    tables: Path | None = None,
) -> ArmyChecked:
    """Return an army as it is understood; Refused with everything that is wrong with it, at its place.

    The file is the order file of the step in which armies are built; ``side`` where it does not name its
    own.
    """
    ground, state = _open(find_scenario(scenario, tables), options)
    rules, interface = ground.rules, ground.rules.interface
    form = form_of_army(rules.id)
    source = read(open_file(path), str(path), limits=FILES)
    words = words_of(rules.id)
    problems = list(source.problems)
    if not problems and not isinstance(source.data, Mapping):
        problems = [Problem("army.form")]
    if problems:
        raise Refused(located=locate(source, problems, words))
    data = source.data if isinstance(source.data, Mapping) else {}
    # what a line of an army is the ruleset tells better than a pattern, which is for editors
    shape = shape_of_orders(rules) if form is None else load(form)
    problems += [one for one in shape.check(data) if one.code != "schema.pattern" or len(one.path) != 2]
    sides = [str(name) for name in ground.scenario["sides"]]
    side = side or str(data.get("side") or "")
    if side not in sides:
        help_ = did_you_mean(side, sides) or "there are " + ", ".join(sides)
        problems.append(Problem("army.side", {"side": side}, ("side",), help=help_))
    if any(problem.code.startswith("schema.") for problem in problems) or side not in sides:
        raise Refused(located=locate(source, problems, words))
    known = interface.view(rules, state, side)
    orders, unread = interface.read_orders(rules, known, side, data)
    problems += unread
    lines: tuple[str, ...] = ()
    if orders is not None:
        judgement = interface.check(rules, known, orders, ())
        problems += judgement.problems
        lines = tuple(interface.forecast(rules, judgement.course))
    located = sorted(set(locate(source, problems, words)), key=lambda one: (one.line, one.column, one.code))
    if any(not problem.is_doubt for problem in located):
        raise Refused(located=located)
    return ArmyChecked(ground.title, side, lines)
