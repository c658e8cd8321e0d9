"""The two laws of legal orders, on boards of any kind: what is listed passes the check, and what passes the
check is listed.

The second one asks everybody: every sentence of the grammar over the names and places of the board is put to
the check.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
import yaml
from boards import PHASES, Laid, boards, numbered
from every_sentence import WRITERS, sentences
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from legal_counts import COUNTS, counted
from thorough import deeper, tries

from pbem.core.problem import Problem
from pbem.core.ruleset import Ruleset
from pbem.geometry.hex import side_between
from pbem.rulesets.siege.deeds import attack_orders, reading
from pbem.rulesets.siege.judge import judge, legal
from pbem.rulesets.siege.orders import conditions, grammar
from pbem.rulesets.siege.ruleset import CRY_HAVOC
from pbem.rulesets.siege.scenario import setup
from pbem.rulesets.siege.state import family
from pbem.rulesets.siege.state.orders import Act, Attack, Move, MoveBy, Order, Place, Ride, Shoot
from pbem.rulesets.siege.state.state import Battle

SEAT = "east"
SECTIONS = {phase: heading for heading, phase in family.headings(CRY_HAVOC).items()}
SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example]
LAWS = settings(max_examples=tries(5, 60), deadline=None, suppress_health_check=SLOW)


KINDS = {
    "Place", "Ride", "Shoot", "Move", "Act turn", "Act lead", "Act mount", "Act dismount", "Act hitch", "Act unhitch", "Act enter",
    "Act leave", "Act stay", "Attack",
}  # fmt: skip
"""Every kind of legal order."""


def checked(rules: Ruleset[Battle], battle: Battle, sentence: str) -> tuple[Order | None, list[Problem]]:
    """Return what an order file with one sentence says, and everything that is to be said of it."""
    heading = SECTIONS[battle.at.phase]
    file, problems = reading.read_orders(rules, battle, SEAT, {"turn": str(battle.at), heading: [sentence]})
    if problems:
        return None, problems
    (line,) = file.sections[battle.at.phase]
    return line.order, list(judge.check(rules, battle, file).problems)


def key(order: Order) -> Any:
    """Return what an order is known by: an attack by its two parties."""
    return (frozenset(order.who), frozenset(order.at)) if isinstance(order, Attack) else order


def is_listed(battle: Battle, listed: set[Any], order: Order) -> bool:
    """Tell whether an order is listed, or where it is not atomic, what it comes to."""
    match order:
        case Act("stay", who):
            return all(Act("stay", (one,)) in listed for one in who)
        case Act(do) if (deed := CRY_HAVOC.deeds.get(do)) is not None and deed.plain is not None:
            return True  # it belongs to no figure
        case Act("enter", who, to=to, by=by) if to == by and order not in listed:
            return Act("enter", who, by=by, animals=order.animals) in listed
        case Act("lead", by=by) if by:
            return True  # those who follow may get round a corner on one way and not on another
        case Move(who, to) if to[0] == battle.units[who].at[0] and order not in listed:
            return Act("stay", (who,)) in listed
        case Move(who, to, "") if order not in listed:
            return any(isinstance(other, Move) and (other.who, other.to) == (who, to) for other in listed)
        case MoveBy(who, path):
            return is_listed(battle, listed, Move(who, path[-1:]))
        case Place(who) if setup.stands(battle, order) == battle.units[who].at:
            return True
        case Place(who, (head, tail)):
            return Place(who, (head,), side_between(tail, head) or "") in listed
        case Ride(who, horse) if battle.units[who].on == horse:
            return True
        case Shoot(who, ("nearest",)):
            return any(isinstance(other, Shoot) and other.who == who for other in listed)
        case Attack(who, at) if len(who) > 1 and len(who) + len(at) > 3:
            attacks = [other for other in listed if isinstance(other, tuple)]
            joint = [other for other in attacks if len(other[0]) > 1 or len(at) > 1]
            return any(those <= set(who) and these <= set(at) for those, these in joint)
        case _:
            return key(order) in listed


def test_every_line_of_the_grammar_has_a_writer() -> None:
    assert [line.form for line in grammar.lines(CRY_HAVOC) if line.form not in WRITERS] == []


def sound(rules: Ruleset[Battle], battle: Battle) -> list[Order]:
    """Hold what is listed against the check and the grammar; return it."""
    listed = list(legal.legal(rules, battle, SEAT))
    assert len({key(order) for order in listed}) == len(listed)
    for order in listed:
        said = grammar.say(CRY_HAVOC, order)
        assert checked(rules, battle, said) == (order, []), said
    return listed


@deeper
@pytest.mark.parametrize("phase", PHASES)
def test_what_is_listed_passes_and_what_passes_is_listed(phase: str) -> None:
    @LAWS
    @given(boards(phase))
    def law(laid: Laid) -> None:
        rules, battle = laid
        listed = {key(order) for order in sound(rules, battle)}
        for sentence in sentences(rules, battle, SECTIONS[phase]):
            order, problems = checked(rules, battle, sentence)
            if not problems and order is not None:
                assert is_listed(battle, listed, order), sentence

    law()


@deeper
@settings(max_examples=tries(10, 100), deadline=None, suppress_health_check=SLOW)
@given(boards("melee", friends=True))
def test_figures_of_another_seat_join(laid: Laid) -> None:
    rules, battle = laid

    def stands(order: Order) -> bool:
        return next(conditions.problems(rules, battle, "attack", SEAT, order), None) is None

    listed = list(legal.legal(rules, battle, SEAT))
    assert all(stands(order) for order in listed)
    for order in listed:
        assert isinstance(order, Attack)
        assert battle.units[order.who[0]].owner == SEAT
        problems = checked(rules, battle, grammar.say(CRY_HAVOC, order))[1]
        assert [problem for problem in problems if not problem.is_doubt] == []
        for name in attack_orders.joiners(rules, battle, order):
            assert name not in order.who
            assert stands(Attack((*order.who, name), order.at))
    known = {key(order) for order in listed}
    for sentence in sentences(rules, battle, "fight"):
        order = grammar.read(CRY_HAVOC, "fight", sentence)
        if (
            isinstance(order, Attack)
            and not order.least
            and all(battle.units[name].side == SEAT for name in order.who)
        ):
            own = any(battle.units[name].owner == SEAT for name in order.who)
            foes = all(battle.units[name].side != SEAT for name in order.at)
            if (
                own
                and foes
                and (len(order.who) > 1 or battle.units[order.who[0]].owner == SEAT)
                and stands(order)
            ):
                assert is_listed(battle, known, order), sentence


@deeper
@settings(max_examples=tries(8, 100), deadline=None, suppress_health_check=SLOW)
@given(st.sampled_from(PHASES).flatmap(boards))
def test_one_figure_is_listed_as_among_all(laid: Laid) -> None:
    rules, battle = laid
    everybody = list(legal.legal(rules, battle, SEAT))
    assert everybody == [
        order for unit in sorted(battle.units) for order in legal.of(rules, battle, SEAT, unit)
    ]
    assert everybody == list(legal.legal(rules, battle, SEAT))
    assert list(legal.legal(rules, battle, "west")) == []
    assert [order for unit in battle.units for order in legal.of(rules, battle, "west", unit)] == []


def test_as_many_orders_are_legal_as_ever() -> None:
    """Counts of numbered boards; ``python tests/rulesets/siege/legal_counts.py`` writes them anew."""
    stored = yaml.safe_load(Path(COUNTS).read_text("utf-8"))
    assert {name: counted(*_number(name)) for name in stored} == stored


def _number(name: str) -> tuple[int, str]:
    phase, _, number = name.rpartition(" ")
    return int(number), phase


def kinds(orders: Iterable[Order]) -> set[str]:
    """Return the kinds of some orders."""
    return {f"{type(order).__name__} {getattr(order, 'do', '')}".strip() for order in orders}


def test_every_kind_of_legal_order_is_among_the_numbered_boards() -> None:
    stored = yaml.safe_load(Path(COUNTS).read_text("utf-8"))
    found: set[str] = set()
    for name in stored:
        rules, battle = numbered(*_number(name))
        found |= kinds(legal.legal(rules, battle, SEAT))
    assert found == KINDS
