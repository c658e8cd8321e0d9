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
