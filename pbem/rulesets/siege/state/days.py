"""What makes the days of a siege those of one game: what is bombarded, what it is worth, and what is written
down of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from pbem.core.play import Play
from pbem.core.problem import Problem
from pbem.core.ruleset import Ruleset
from pbem.rulesets.siege.state.state import Battle

Rules = Ruleset[Battle]
Why = Problem | None
"""Why something is not done; None if it is."""


class Aimed(Struct, frozen=True):
    """What engines bombard from afar beside walls."""

    what: str
    """What it is called."""
    hexes: Callable[[Battle], Sequence[str]]
    """Where it stands now."""
    strike: Callable[[Rules, Play[Battle], str, int], tuple[int, int]]
    """(rules, play, hex, points of a day) -> the points that it costs the engines, and the place of the event
    that they owe them to.
    """
    chances: Callable[[Rules, int], tuple[int, int]]
    """(rules, points) -> on how many faces of the die it is hit, and on how many that costs the engines."""


class Walls(Struct, frozen=True):
    """What engines bombard from afar of walls, and how, in games that read it otherwise than Siege."""

    whats: tuple[str, ...]
    """What they are called beside what walls are called anyway."""
    hexes: Callable[[Rules, Battle], Sequence[str]]
    """Where something stands now that can be battered down."""
    what: Callable[[Rules, Battle, str], str]
    """(rules, battle, hex): what it is called."""
    strike: Callable[[Rules, Play[Battle], str, int], tuple[int, int]]
    """As of ``Aimed``."""
    chances: Callable[[Rules, Battle, str, int], tuple[int, int]]
    """(rules, battle, hex, points): on how many faces of the die it is hit, and on how many that costs the
    engines.
    """


class Days(Struct, frozen=True):
    """What is planned on a day of a siege beside what the besiegers' commander plans."""

    all_plan: bool = False
    """Whether every side plans, and not the besieger alone."""
    lists: tuple[Callable[[Rules, Battle, str], Iterator[Any]], ...] = ()
    """(rules, battle, seat): the orders for the day that are legal for it."""
    bars: tuple[Callable[[Rules, Battle, str, Any], Why], ...] = ()
    """(rules, battle, seat, order): why a seat does not order this for the day."""
    record: tuple[Callable[[Rules, Battle], Iterator[str]], ...] = ()
    """What stands on the siege sheet beside walls and engines."""
    aims: tuple[Aimed, ...] = ()
    shields: tuple[Callable[[Rules, Battle, str], Why], ...] = ()
    """(rules, battle, hex): what keeps the wall in a hex from engines that strike from afar."""
    over: Callable[[Rules, Battle], bool] | None = None
    """Whether a fight is over with the game turn that ends now, though it was not the last."""
    ruins: tuple[str, ...] = ()
    """How things stand that are no more put back in the night."""
    walls: Walls | None = None
    """None: as battlements, towers and keeps are battered in Siege."""
    worth: Callable[[Rules, str], int] | None = None
    """(rules, kind of engine): its points of destruction; None: as the table of Siege says."""
    served: tuple[Callable[[Rules, Battle, Sequence[str]], Why], ...] = ()
    """(rules, battle, engines): why some engines are not all served on this day, with those that are."""
    bears: Callable[[Mapping[str, int], int], tuple[str, ...]] | None = None
    """(engine -> points left, points lost): which engines lose first where nobody says so; None: so that the
    fewest do.
    """
