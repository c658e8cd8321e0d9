"""The module ``hidden``: who begins in hiding by the scenario, and what of the rules is otherwise then."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec.structs import replace

from pbem.core.problem import Problem
from pbem.core.ruleset import Ruleset
from pbem.rulesets.anarchy import hidden_views, hiding, sequence
from pbem.rulesets.siege.scenario.scenario_file import names_of, word
from pbem.rulesets.siege.state import family
from pbem.rulesets.siege.state.family import Hiding
from pbem.rulesets.siege.state.field import Field, Force
from pbem.rulesets.siege.state.state import Battle
from pbem.text.similar import did_you_mean

Rules = Ruleset[Battle]
MODULE: Final = "hidden"
HEXES: Final = 4
"""Within so many hexes somebody in hiding is seen where the scenario says nothing."""
FARTHEST: Final = 20


def with_hiding(rules: Rules) -> Rules:
    """Return the rules with figures in hiding."""
    asked = rules.interface
    steps = {phase: hiding.watched(step) for phase, step in rules.steps.items()}
    steps["setup"] = hiding.placing(rules.steps["setup"])
    steps[sequence.DEFENSIVE] = hiding.watched(hiding.ambushed(rules.steps[sequence.DEFENSIVE]))
    return family.varied(rules, hiding=Hiding(hiding.known, hiding.before)).amend(
        steps=steps,
        follows={**rules.follows, "order": (*rules.follows.get("order", ()), hiding.look_about)},
        interface=replace(
            asked,
            read_field=reading(asked.read_field),
            view=hidden_views.view,
            seen=hidden_views.seen,
            scene=hidden_views.shown(asked.scene),
            roll_call=asked.roll_call and hidden_views.called(asked.roll_call),
            primer=hidden_views.told(asked.primer),
        ),
    )


def reading(inner: Callable[..., tuple[Any, ...]]) -> Callable[..., tuple[Any, ...]]:
    """Return what reads a scenario, and of it who hides."""

    def add(rules: Rules, field: Field, said: object) -> tuple[Field, list[Problem]]:
        hidden, problems = who_hides(field, said)
        return replace(field, hidden=hidden), problems

    return besides(inner, MODULE, add)


def besides(
    inner: Callable[..., tuple[Any, ...]],
    key: str,
    add: Callable[[Rules, Field, object], tuple[Field, list[Problem]]],
) -> Callable[..., tuple[Any, ...]]:
    """Return what reads a scenario, and of it what stands under one key more: ``add`` puts that into the
    field, and tells what is wrong with it.
    """

    def read_field(
        rules: Rules, scenario: object, *rest: Any
    ) -> tuple[Field | None, list[Problem], list[Problem]]:
        field, of_scenario, of_map = inner(rules, scenario, *rest)
        if field is None or not isinstance(scenario, Mapping):
            return field, of_scenario, of_map
        known, problems = add(rules, field, scenario.get(key))
        return known if not problems else None, [*of_scenario, *problems], of_map

    return read_field


def who_hides(field: Field, said: Any) -> tuple[dict[str, int], list[Problem]]:
    """Return unit -> within how many hexes it is seen, and what is wrong with what a scenario says of it."""
    found: dict[str, int] = {}
    problems: list[Problem] = []
    if field.siege is not None:
        problems.append(Problem("hidden.siege", {}, (MODULE,), key=True))
    for side, entry in (said if isinstance(said, Mapping) else {}).items():
        where = (MODULE, str(side))
        if all(info.id != side for info in field.sides):
            known = names_of(field.sides)
            args: dict[str, str | int] = {"side": str(side)}
            problems.append(Problem("scenario.unknown-side", args, where, help=known, key=True))
            continue
        entry = entry if isinstance(entry, Mapping) else {}
        hexes = word(entry.get("seen-within")) or str(HEXES)
        if not (hexes.isascii() and hexes.isdigit() and 1 <= int(hexes) <= FARTHEST):
            args = {"value": hexes, "most": FARTHEST}
            problems.append(Problem("hidden.hexes", args, (*where, "seen-within"), help="such as 4"))
            continue
        forces, wrong = _named(field, str(side), entry.get("who"))
        problems += [problem.at(*where, "who") for problem in wrong]
        found |= {force.id: int(hexes) for force in forces}
        problems += _not_alone(field, str(side), forces, where)
    return found, problems


def _named(field: Field, side: str, said: Any) -> tuple[list[Force], list[Problem]]:
    """Return who of a side is meant, horses with their riders; nobody named: all whom it places."""
    own = {force.id: force for force in field.forces if force.side == side and not force.neutral}
    listed = said if isinstance(said, list | tuple) else word(said).replace(",", " ").split()
    names = [word(name) for name in listed]
    wrong = [
        Problem("hidden.unknown", {"unit": name, "side": side}, help=did_you_mean(name, own))
        for name in names
        if name not in own
    ]
    placed = [id_ for id_, force in own.items() if not force.enters]
    meant = {name for name in names if name in own} or set(() if names else placed)
    meant |= {force.on for force in own.values() if force.id in meant and force.on}
    meant |= {force.id for force in own.values() if force.on in meant}
    wrong += [
        Problem("hidden.not-placed", {"unit": id_}, help="in: MARK")
        for id_ in sorted(meant)
        if not own[id_].within and not own[id_].on
    ]
    return [own[id_] for id_ in sorted(meant)], wrong


def _not_alone(field: Field, side: str, forces: list[Force], where: tuple[str, ...]) -> list[Problem]:
    """Return what would tell the enemy of those who hide while sides are set up: a step that both share, a
    second one, a hex that both may want.
    """
    steps = [step for step in field.setup if side in step.sides]
    found = []
    if any(len(step.sides) > 1 for step in steps) or len(steps) > 1:
        help_ = f"- {{seat: {side}, may: [place]}}"
        found.append(Problem("hidden.step", {"side": side}, where, help=help_, key=True))
    theirs = {
        hex_
        for force in field.forces
        if force.side != side and force.within
        for hex_ in field.marks[force.within]
    }
    for mark in sorted({force.within for force in forces if force.within}):
        if shared := sorted(theirs & set(field.marks[mark])):
            args = {"side": side, "mark": mark, "hex": shared[0]}
            found.append(Problem("hidden.shared", args, where, key=True))
    return found
