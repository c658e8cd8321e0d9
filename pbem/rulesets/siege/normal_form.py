"""An order file written in normal form: what was understood, as the shortest file that says the same.

Read again it is the same orders (a test tries it); the places of its lines are others.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from pbem.core.ruleset import Ruleset
from pbem.rulesets.siege import grammar
from pbem.rulesets.siege.orders import HEADINGS, Item, Line, OrderFile, Stop, When
from pbem.rulesets.siege.standing import EVERYONE
from pbem.rulesets.siege.state import Battle

_PLAIN: Final = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9 ,.!?'/+-]*[A-Za-z0-9.!?])?")
"""Texts that need no quotes whatever they say."""


def normal(rules: Ruleset[Battle], orders: OrderFile) -> list[str]:
    """Return the lines of a file in normal form."""
    at = orders.opened
    turn = str(replace(at, phase=orders.only)) if orders.only else str(at).removesuffix(f".{at.phase}")
    lines = [f"seat: {orders.seat}", f"turn: {turn}"]
    if orders.stop_after:
        lines.append(f"stop-after: {next(heading for heading, phase in HEADINGS.items() if phase == orders.stop_after)}")
    for key, text in (("luck", orders.luck), ("message", orders.message), ("note", orders.note)):
        if text:
            lines.append(f"{key}: {_text(text)}")
    for heading, phase in HEADINGS.items():
        if phase in orders.sections:
            items = list(_items(orders.sections[phase], ""))
            lines += [f"{heading}:", *items] if items else [f"{heading}: []"]
    lines += _standing(orders)
    if orders.answers:
        lines += ["answers:", *(f"  {id_}: {_text(answer)}" for id_, answer in sorted(orders.answers.items()))]
    return lines


def _items(items: Sequence[Item], inner: str) -> Iterator[str]:
    for item in items:
        match item:
            case Line():
                yield f"{inner}- {_text(grammar.say(item.order))}"
            case Stop():
                yield f"{inner}- stop"
            case When():
                yield f"{inner}- when: {_text(item.condition.text)}"
                yield from _branch("then", item.then, inner)
                if item.otherwise:
                    yield from _branch("otherwise", item.otherwise, inner)


def _branch(name: str, items: Sequence[Item], inner: str) -> Iterator[str]:
    lines = list(_items(items, f"{inner}  "))
    yield f"{inner}  {name}:" if lines else f"{inner}  {name}: []"
    yield from lines


def _standing(orders: OrderFile) -> Iterator[str]:
    if orders.everyone is None:
        return
    blocks: list[tuple[str, Mapping[str, str]]] = [(EVERYONE, orders.everyone)] if orders.everyone else []
    blocks += [(figure["unit"], {key: value for key, value in figure.items() if key != "unit"}) for figure in orders.figures]
    yield "standing:" if blocks else "standing: {}"
    for who, said in blocks:
        yield f"  {who}:" if said else f"  {who}: {{}}"
        yield from (f"    {key}: {_text(value)}" for key, value in said.items())


def _text(text: str) -> str:
    """Return a text as a value: bare where nothing in it could mean anything, else in double quotes."""
    bare = _PLAIN.fullmatch(text) or re.fullmatch(r"[a-z0-9][a-z0-9 ,@:+-]*[a-z0-9]", text)
    return text if bare and ": " not in text else json.dumps(text, ensure_ascii=False)
