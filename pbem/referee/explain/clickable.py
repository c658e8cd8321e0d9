"""What a seat may order as rows that a page looks up: the offers of each phase, and what each leaves its
figures for the phases after it.

Theory of operation. The page runs without a program behind it, in a browser that knows no rule. So whatever a
tap may mean has to be worked out before, and sent along. Everything is asked of the engine (``offers``,
``onward``, ``together``, ``making_way`` of its interface), on the state as the seat's side knows it.

Rules again in the language of the page would be the obvious way to let it answer anything; they would be a
second engine, and the two would differ in what they allow. All turns that could be ordered, worked out
beforehand, are far too many. What is sent lies between: each phase as it would begin if nothing happened
before it (``stages``), its orders as rows, and for each order what it leaves its figures for the phases after
it, each as if he alone had acted (``_Book.after``). What several do together after moves of their own does
not follow from that, so it is asked apart, small parties first (``_Book.together``). An order sheet is judged
by the same rules when it arrives: a row too few costs a player a line that he types, a row too many an answer
that says so.

Orders are looked ahead from nearest the enemy on, as many as ``MOST_AHEAD`` says: the bound counts and does
not time, so that the same game gives the same page on any machine. Whose orders were put off is named
(``unworked``), and the page says so. Rows are short because there are thousands: texts that repeat stand in a
list of their own, and what comes later is kept once for all orders that leave the same (``Pool``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Final

from msgspec import Struct, field

from pbem.core.ruleset import Ruleset
from pbem.core.scene import OUT, Point, Scene
from pbem.core.sheet import Entry, Offer
from pbem.referee.game.replay import Ground

IDLE: Final = "stays"
"""Kind of an offer that says what happens to a figure without an order too."""
ASIDE: Final = "leaves the map"
"""Kind of an offer that is not meant where a hex is clicked to which a figure could go."""
MOST_AHEAD: Final = 6_000
"""Orders of which it is asked what comes after them; a bound by count, so that a page does not depend on how
fast a machine is.
"""
MOST_OF_SEVERAL: Final = 120
MOST_TOGETHER: Final = 3_000
"""Parties of which it is told what they could do together after they have moved."""
MOST_LATER: Final = 12_000
"""Orders of later phases that a page holds beside those as things stand now."""


class Stage(Struct, frozen=True):
    """A phase that a seat orders in, as it would begin if nothing happened before it."""

    phase: str
    heading: str
    title: str
    state: Any
    offers: tuple[Offer, ...]
    behind: tuple[tuple[str, Offer], ...]
    """What a figure could do once another, which is named first, has gone in an earlier line."""
    about: Mapping[str, str]
    entries: tuple[Entry, ...] = ()
    """The same as it stands on the order sheet."""
    all: tuple[Offer, ...] = ()
    """What is legal now, and then what is so once others have gone."""


class Pool(Struct):
    """Values that stand once in a list, and are named by their place in it."""

    listed: list[Any] = field(default_factory=list)
    known: dict[Any, int] = field(default_factory=dict)

    def place(self, key: Any, value: Any) -> int:
        """Return the place of a value, which is added where its key is new."""
        if key not in self.known:
            self.known[key] = len(self.listed)
            self.listed.append(value)
        return self.known[key]


def stages(ground: Ground, state: Any, seat: str, scene: Scene) -> tuple[Stage, ...]:
    """Return the open phase and those after it in the same player turn; ``state`` is what the seat's side
    knows.
    """
    interface, rules = ground.rules.interface, ground.rules
    turn = interface.cursor(state).player_turn
    found: list[Stage] = []
    while not interface.over(state) and interface.cursor(state).player_turn == turn:
        cursor = interface.cursor(state)
        if seat in interface.seats_to_order(rules, state):
            entries = tuple(interface.sheet(rules, state, seat))
            about = {entry.unit: entry.about for entry in entries}
            heading, title = _names(rules, cursor.phase)
            behind = tuple(interface.making_way(rules, state, seat))
            legal = tuple(offers(rules, state, seat, scene))
            every = (*legal, *(offer for _, offer in behind))
            found.append(Stage(cursor.phase, heading, title, state, legal, behind, about, entries, every))
        for event in interface.advance(rules, state):
            state = interface.apply(state, event)
    return tuple(found)


def _names(rules: Ruleset[Any], phase: str) -> tuple[str, str]:
    """Return the section of a phase in an order file, and the same as the name of a tab: ``shoot-again``,
    ``Shoot again``.
    """
    try:
        heading = rules.sequence.phase(phase).heading or phase
    except KeyError:
        heading = phase
    return heading, re.sub("[-_]", " ", heading).capitalize()


def offers(rules: Ruleset[Any], state: Any, seat: str, scene: Scene) -> Iterator[Offer]:
    """Yield what a seat may order in the open phase as something to click; of a game that does not say, made
    of its sentences.
    """
    if rules.interface.offers is not None:
        yield from rules.interface.offers(rules, state, seat)
        return
    cells, tokens = {area.at for area in scene.areas}, {token.id for token in scene.tokens}
    for order in rules.interface.legal(rules, state, seat):
        said = rules.interface.say(order)
        who, *rest = said.replace(",", " ").split() or [""]
        named = [word for word in rest if word not in cells and word not in tokens]
        yield Offer(
            (who,),
            said,
            " ".join(named),
            tuple(word for word in rest if word in cells),
            tuple(word for word in rest if word in tokens and word not in cells),
        )


# --- rows


def rows(ground: Ground, seat: str, found: Sequence[Stage], scene: Scene) -> dict[str, Any]:
    """Return ``phases`` with their rows; ``later``, rows of later phases; ``after``, what orders leave;
    ``texts`` of rows, and what of them is ``said`` otherwise to the reader; ``parties``, what several could
    do together (who goes where, and against whom -> place in ``told``); ``unworked``, of whom not all is
    there.

    A row has ``w`` who, ``s`` sentence, ``k`` kind, ``c`` cells, ``t`` targets, ``f`` facing, ``p`` points,
    ``y`` way, ``n`` notes, ``l`` label, ``j`` joiners, ``o`` the sentence for several, ``i`` where it says
    what happens without an order, ``x`` where it leads off the map, ``u`` who has to go first, ``e`` the plan
    it belongs to, ``m`` how many of its kind there may be, ``b`` where others may have the same goal, and
    ``a`` for each of ``w`` a place in ``after`` (-1: not worked out). What is left out is empty.
    ``after`` holds phase id -> places in ``later``; ``n`` and ``k`` are places in ``texts``.
    """
    book, put = _Book(ground.rules, seat), ground.words.put
    phases: list[dict[str, Any]] = [
        {
            "id": stage.phase,
            "heading": stage.heading,
            "title": put(stage.title),
            "about": {name: put(said) for name, said in stage.about.items()},
            "rows": [
                *(book.row(offer) for offer in stage.offers),
                *(book.row(offer) | {"u": first} for first, offer in stage.behind),
            ],
        }
        for stage in found
    ]
    ahead, put_off = _ahead(scene, found)
    for number, place in ahead:
        stage = found[number]
        after = book.after(stage, stage.all[place])
        if any(entry >= 0 for entry in after):
            if book.strikes(after):
                book.strikers.setdefault(number, []).append(stage.all[place])
            phases[number]["rows"][place]["a"] = after

    book.together(found)
    left = {found[number].all[place].who[0] for number, place in put_off} | book.left_out
    return {
        "phases": phases,
        "later": book.later.listed,
        "after": book.afters.listed,
        "parties": book.parties,
        "told": book.told.listed,
        "texts": book.words.listed,
        "said": {text: said for text in book.words.listed if (said := put(text)) != text},
        "unworked": sorted(left),
    }


class _Book:
    """The rows of a page as they are written, with everything that repeats kept once."""

    def __init__(self, rules: Ruleset[Any], seat: str) -> None:
        self.rules = rules
        self.seat = seat
        self.words = Pool()
        self.later = Pool()
        self.afters = Pool()
        self.onward: dict[str, Callable[[Offer], Iterable[tuple[str, str, Sequence[Offer]]]]] = {}
        """Phase -> what tells what its orders leave."""
        self.left_out: set[str] = set()
        self.strikers: dict[int, list[Offer]] = {}
        """Place of a stage -> orders after which a figure could do something that several do together."""
        self.struck: dict[int, bool] = {}
        """Place in ``afters`` -> whether it holds such a thing."""
        self.parties: dict[str, int] = {}
        self.told = Pool()
        """What is known of parties: label and notes."""

    def row(self, offer: Offer) -> dict[str, Any]:
        """Return an offer as a row."""
        made: dict[str, Any] = {"w": list(offer.who), "s": offer.sentence, "k": self.word(offer.kind)}
        more: dict[str, Any] = {
            "c": list(offer.cells),
            "t": list(offer.targets),
            "f": offer.facing,
            "y": " ".join(offer.way),
            "n": [self.word(note) for note in offer.notes],
            "l": offer.label,
            "j": list(offer.joiners),
            "o": offer.joined,
            "e": offer.plan,
            "m": offer.most,
            "b": int(offer.beside),
        }
        if offer.cost is not None:
            made["p"] = offer.cost
        if offer.kind == IDLE:
            made["i"] = 1
        if offer.kind == ASIDE:
            made["x"] = 1
        return made | {key: value for key, value in more.items() if value}

    def word(self, text: str) -> int:
        """Return the place of a text."""
        return self.words.place(text, text)

    def after(self, stage: Stage, offer: Offer) -> list[int]:
        """Return for each figure of an order the place of what it leaves him; -1 where that is not known."""
        if len(self.later.listed) > MOST_LATER:
            self.left_out.update(offer.who)
            return [-1]
        left: dict[str, dict[str, list[int]]] = {}
        if stage.phase not in self.onward:
            self.onward[stage.phase] = self.rules.interface.onward(self.rules, stage.state, self.seat)
        for figure, phase, offers in self.onward[stage.phase](offer):
            left.setdefault(figure, {})[phase] = [self._later(one) for one in offers]
        return [self.afters.place(repr(left[who]), left[who]) if who in left else -1 for who in offer.who]

    def _later(self, offer: Offer) -> int:
        """Return the place of an offer among those that come later."""
        known = self.later.known.get(offer)
        return self.later.place(offer, self.row(offer)) if known is None else known

    def strikes(self, after: Sequence[int]) -> bool:
        """Tell whether what an order leaves holds something that several do together."""
        return any(self._strikes(place) for place in after if place >= 0)

    def _strikes(self, place: int) -> bool:
        known = self.struck.get(place)
        if known is None:
            rows = (self.later.listed[row] for one in self.afters.listed[place].values() for row in one)
            known = self.struck[place] = any(row.get("o") for row in rows)
        return known

    def together(self, found: Sequence[Stage]) -> None:
        """Work out what figures could do together, each after an order of its own that takes it somewhere, or
        after none.
        """
        for number, stage in enumerate(found):
            chosen = [
                offer
                for offer in self.strikers.get(number, ())
                if offer.cost is not None or offer.kind == IDLE
            ]
            if number == len(found) - 1:
                named = sorted(
                    {who for offer in stage.offers if offer.joined for who in (*offer.who, *offer.joiners)}
                )
                chosen = [Offer((who,), "", IDLE) for who in named]
            for places, offer in islice(
                self.rules.interface.together(self.rules, stage.state, self.seat, chosen), MOST_TOGETHER
            ):
                key = " ".join(sorted(f"{chosen[place].who[0]}@{goal(chosen[place])}" for place in places))
                told = [offer.label, *(self.word(note) for note in offer.notes)]
                self.parties.setdefault(f"{key} {offer.targets[0]}", self.told.place(repr(told), told))


def goal(offer: Offer) -> str:
    """Return the hex that an offer takes its figure to; empty where it stays."""
    return offer.cells[-1] if offer.cells and offer.cost is not None else ""


def _ahead(scene: Scene, found: Sequence[Stage]) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Return of which orders (stage, place) it is asked what comes after them, the nearest to an enemy first,
    and those put off.

    Orders of several figures at once take the engine long, so there are fewer of them, and they go by where
    they lead.
    """
    near = _Near(scene, found)
    single: list[tuple[int, int, int]] = []
    several: list[tuple[int, int, int]] = []
    for number, stage in enumerate(found[:-1] if len(found) > 1 else found):
        for place, offer in enumerate(stage.all):
            if len(offer.who) == 1:
                single.append((near.figure(offer.who[0]), number, place))
            elif offer.who:
                several.append((near.cell(offer.cells[0]) if offer.cells else 0, number, place))
    single.sort()
    several.sort()
    taken = (*single[:MOST_AHEAD], *several[:MOST_OF_SEVERAL])
    left = (*single[MOST_AHEAD:], *several[MOST_OF_SEVERAL:])
    return [(number, place) for _, number, place in taken], [(number, place) for _, number, place in left]


class _Near:
    """How far something is from the nearest enemy, in scene units squared."""

    def __init__(self, scene: Scene, found: Sequence[Stage]) -> None:
        self.centres = {area.at: area.centre for area in scene.areas}
        self.tokens = {token.id: token for token in scene.tokens if token.cells}
        own = {who for stage in found for offer in stage.offers for who in offer.who} & set(self.tokens)
        sides = {self.tokens[id_].side for id_ in own}
        self.foes = [
            one.cells[0]
            for one in self.tokens.values()
            if one.side and one.side not in sides and one.look != OUT
        ]
        self.known: dict[str, int] = {}

    def figure(self, id_: str) -> int:
        """Return it of a figure; 0 of one that is not on the map."""
        return self.cell(self.tokens[id_].at[0]) if id_ in self.tokens else 0

    def cell(self, at: str) -> int:
        """Return it of a cell; 0 of one that is not on the map."""
        centre = self.centres.get(at.partition("@")[0])
        if at not in self.known:
            self.known[at] = (
                0 if centre is None else min((_apart(centre, foe) for foe in self.foes), default=0)
            )
        return self.known[at]


def _apart(one: Point, other: Point) -> int:
    return (one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2
