"""What a bot is, which bots there are, and how one is found by its name; those of others arrive by the entry
point ``pbem.bots``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from typing import Any

from msgspec import Struct

from pbem.bots.chance import Chance
from pbem.core.play import Question
from pbem.core.ruleset import Ruleset

Data = dict[str, Any]
"""An order file as plain data: what a player would write."""


class Bot(Struct, frozen=True):
    """A player: two pure functions of rules, state and seat, with a chance of his own."""

    name: str
    said: str
    """What he is like, in one line."""
    orders: Callable[[Ruleset[Any], Any, str, Chance], Data]
    """(rules, state, seat, chance) -> his order file for the player turn, or the step of the setup, that is
    open.
    """
    answer: Callable[[Ruleset[Any], Any, Question, Chance], str]
    """(rules, state, question, chance) -> the value of one of its choices."""
    rulesets: tuple[str, ...] = ()
    """The only rulesets he knows; none: any."""


class UnknownBot(LookupError):
    """There is no bot of that name for a ruleset; ``known`` are those there are."""

    def __init__(self, name: str, known: tuple[str, ...]) -> None:
        super().__init__(name)
        self.name = name
        self.known = known


MODULES: Mapping[str, str] = {
    "random": "pbem.bots.haphazard",
    "sergeant": "pbem.bots.sergeant",
    "marshal": "pbem.bots.marshal",
}
"""Name -> the module that has the bot as ``BOT``; it is loaded when the bot is asked for."""


GROUP = "pbem.bots"


@cache
def _others() -> Mapping[str, Bot]:
    """Return the bots of others, by the names of their entry points; one of pbem's own is never replaced."""
    from importlib import metadata

    points = sorted(metadata.entry_points(group=GROUP), key=lambda point: point.value, reverse=True)
    return {point.name: point.load() for point in points if point.name not in MODULES}


def find(name: str, ruleset: str) -> Bot:
    """Return the bot of that name that can play a ruleset; raise UnknownBot with those that can."""
    if name in MODULES and _plays(_load(name), ruleset):
        return _load(name)
    every = {known: _load(known) for known in MODULES} | dict(_others())
    able = {known: bot for known, bot in every.items() if _plays(bot, ruleset)}
    if name not in able:
        raise UnknownBot(name, tuple(sorted(able)))
    return able[name]


def _plays(bot: Bot, ruleset: str) -> bool:
    return not bot.rulesets or ruleset in bot.rulesets


def _load(name: str) -> Bot:
    bot: Bot = import_module(MODULES[name]).BOT
    return bot
