"""What a seat may order: on an order sheet for each figure the sentences it may be given, and the same as
offers to click.

Only what is to be said; how it is laid out on a page is the affair of whoever writes the page.
"""

from __future__ import annotations

from msgspec import Struct


class Choices(Struct, frozen=True):
    """One legal sentence, what is known of it, and what may stand in the place of its last words instead."""

    sentence: str
    notes: tuple[str, ...] = ()
    others: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """(what they have in common, such as ``3 MP``, or empty; the words), the words of the sentence itself
    among them.
    """


class Entry(Struct, frozen=True):
    """What one figure may do in the open phase; ``about`` says who and where it is."""

    unit: str
    about: str
    choices: tuple[Choices, ...]
    rest: str = ""
    """What is said of other legal orders, where there are too many to list."""


class Offer(Struct, frozen=True):
    """One legal atomic order as something to click on a map: its sentence, who does it, and what is clicked
    for it.

    Whoever shows offers knows no rule: he joins the words that stand here, and no others.
    """

    who: tuple[str, ...]
    """Ids of the tokens that do it; the first is the one that is chosen for it."""
    sentence: str
    """What stands in the order file; it reads back as the same order."""
    kind: str
    """What offers of a sort are called in a menu: ``goes to``, ``shoots at``, ``attacks``; ``stays`` says
    what happens without an order.
    """
    cells: tuple[str, ...] = ()
    """Numbers of the hexes that are clicked for it, the last one the goal; none where a token is clicked, or
    nothing.
    """
    targets: tuple[str, ...] = ()
    """Ids of the tokens that are clicked for it."""
    facing: str = ""
    """The side to face at the goal, where that is part of the order."""
    cost: int | None = None
    """Movement points; None where none are spent."""
    way: tuple[str, ...] = ()
    """The hexes of the way, from where he stands to the goal."""
    notes: tuple[str, ...] = ()
    """Range, cover, chances, odds, as the order sheet says them."""
    label: str = ""
    """What of that is short enough for a map: ``3:1``, or how many faces of the die do
    something, ``5/10``.
    """
    joiners: tuple[str, ...] = ()
    """Ids of those who may join, each on his own."""
    joined: str = ""
    """Of what several may do together: the sentence for several, with ``{who}`` where their names stand,
    parted by commas.
    """
    plan: str = ""
    """Which plan it belongs to; orders of two plans do not stand in one section."""
    most: int = 0
    """How many orders of its kind may stand in one section; 0 says nothing of it."""
    beside: bool = False
    """Whether its goal may be that of somebody else too."""


class Budget(Struct, frozen=True):
    """How many orders a section may hold."""

    most: int
    more: int = 0
    """How many more if they are given to ``alone``."""
    alone: tuple[str, ...] = ()
    free: tuple[str, ...] = ()
    """Kinds of offers that are not counted."""
    hoped: int = 0
    """How many more there may be, as nobody knows yet."""


class Forms(Struct, frozen=True):
    """How sentences are put together that no offer holds: a page fills in what stands in braces, with words
    that it has from offers.
    """

    either: tuple[tuple[str, str, tuple[str, ...]], ...] = ()
    """(kind of offers, its sentence with ``{who}`` and ``{at}``, words that may stand there beside those of
    other offers): where the sentence of an offer is just that, several may be joined by ``or``, the better
    one first."""
    way: str = ""
    """A way of one's own, with ``{who}`` and ``{cells}``, every hex of it."""
    conditions: tuple[str, ...] = ()
    """What ``when`` may ask; ``{one}`` and ``{other}`` are figures, ``{hex}`` is a hex, ``{number}`` a number
    from 1 on, ``{who}`` those who do it, ``{foe}`` whom they do it to."""
    closing: tuple[str, ...] = ()
    """Orders that concern the game and no figure, such as to resign, that are legal now; they stand in any
    section.
    """
    budget: Budget | None = None
    """How many orders may stand in the section of the open phase; None: as many as there are."""


class Solid(Struct, frozen=True):
    """What a base cannot pass, or is stopped by, on a table: a convex shape, and how far round it that
    reaches.
    """

    shape: tuple[tuple[int, int], ...]
    """A point, a line, or the corners of a polygon, in hundredths from the left and the lower edge."""
    size: int = 0
    of: str = ""
    """The token that it is the base of; where that goes, it goes."""


class Ring(Struct, frozen=True):
    """How far somebody shoots or reaches from the middle of his base, for a page to show."""

    text: str
    reach: int
    width: int = 3600
    """How wide the arc before him is, in tenths of a degree; a full turn is the whole disc."""


class Roamer(Struct, frozen=True):
    """Somebody who goes where he likes on a table, as far as this allows."""

    who: str
    at: tuple[int, int]
    facing: int
    reach: int
    """How far he goes."""
    size: int
    """The radius of his base."""
    bars: tuple[int, ...] = ()
    """Places in ``solids`` of what he cannot pass."""
    stops: tuple[int, ...] = ()
    """Of what stops him who comes into it."""
    foes: tuple[int, ...] = ()
    """Of bases with which he may want to be in contact."""
    floors: tuple[int, ...] = ()
    """Of what the middle of his base stays on; none: the table."""
    rests: tuple[int, ...] = ()
    """Of where, on these, the middle of his base may be in the end."""
    flies: bool = False
    """Whether nothing is in his way until he comes down, of which a page knows nothing."""
    ahead: int = 0
    """1: he may end only farther from the lower edge, -1: only nearer to it."""
    turns: bool = True
    """Whether he may turn without going."""
    rings: tuple[Ring, ...] = ()
    notes: tuple[str, ...] = ()
    """What else is known of his going: who is to be broken away from."""


class Recruit(Struct, frozen=True):
    """A kind of those of whom an army may be built."""

    text: str
    said: str
    """The same with its article, as it stands in a sentence."""
    points: int
    shape: tuple[tuple[int, int], ...]
    """What it covers round a middle of 0, 0 when it looks up the table, in hundredths."""
    size: int = 0
    section: bool = False
    """Whether others may stand on it."""
    wall: bool = False
    """Whether ladders are leant at it, and planks lead on from it."""
    leans: bool = False
    """Whether it is a ladder, which stands at the edge of a wall."""


class Ready(Struct, frozen=True):
    """One of the army that a side has if it builds none."""

    sentence: str
    who: str
    kind: str
    at: tuple[int, int] | None
    facing: str = ""


class Muster(Struct, frozen=True):
    """What a page needs to build an army by: it adds up points, and knows no rule of building."""

    most: int
    kinds: tuple[Recruit, ...]
    ready: tuple[Ready, ...]
    stands: str
    """The sentence of one on the ground, with ``{who}``, ``{kind}`` and ``{place}``."""
    on: str
    """Of one on a ``{section}``."""
    facing: str
    carried: str = ""
    """Of a ladder in the hands of ``{others}``, with ``{who}``; empty where there are none."""
    hands: tuple[int, int] = (0, 0)
    """How many carry one, at least and at most."""
    leans: str = ""
    """Of a ladder at a ``{section}``."""
    plank: str = ""
    """Of a plank from ``{one}`` to ``{other}``."""
    gaps: tuple[int, int] = (0, 0)
    """How far walls are apart between which a plank lies: more than the first, at most the second."""


class Roaming(Struct, frozen=True):
    """What a page needs to tell where figures may go on a table; it measures, and knows no rule."""

    size: tuple[int, int]
    """How wide and how deep the table is, in hundredths."""
    solids: tuple[Solid, ...]
    who: tuple[Roamer, ...]
    goes: str
    """The sentence of a way, with ``{who}`` and ``{points}``, pairs of numbers parted by commas."""
    turns: str
    """Of a turn, with ``{who}`` and ``{facing}``."""
    facing: str
    """What is added to a way where somebody is to look elsewhere than it led, with ``{facing}``."""
    directions: tuple[str, ...]
    """Words for directions, from that which leads up clockwise."""
    listed: tuple[str, ...]
    """Kinds of offers of which there are many."""
    stirring: tuple[str, ...]
    """Kinds of offers after which others may be able to do less, or more."""
    firm: tuple[str, ...]
    """Kinds that are possible whatever others did before."""
    first: tuple[str, ...]
    """Kinds that are carried out before all others."""
    pressed: int
    """By how much two bases may be pressed into each other."""
    contact: int
    """The gap at which two still touch."""
    gap: int = 0
    """How far what somebody stays on may be apart."""
    bands: tuple[tuple[str, ...], ...] = ()
    """Of whom those may be who go together."""
    touching: tuple[tuple[str, str], ...] = ()
    """Pairs that touch as they stand now: who goes with others touches one of them."""
    together: tuple[int, int] = (0, 0)
    """How many go together, at least and at most."""
    marches: str = ""
    """The sentence of several who go straight on, with ``{who}``, ``{far}`` and ``{direction}``."""
    columns: str = ""
    """The same of those who come up one behind the other, with ``{first}``, who leads them."""
    again: tuple[str, ...] = ()
    """Who strikes once more after he has gone, with an order of its own."""
    strikes: str = ""
    """The sentence of such a blow, with ``{who}`` and ``{target}``, at whom he then touches."""
    muster: Muster | None = None
    """How an army is built, while armies are."""
