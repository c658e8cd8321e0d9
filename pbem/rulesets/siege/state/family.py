"""What makes a game of this family that game: its policies, and what its things do to figures, in one record
of the ruleset.

Moving, shooting, striking, giving way and going forward ask these lists and know no thing by name: what a
thing bars, burdens, covers or lets through is told where the thing belongs and listed in ``ruleset``. Another
game of the family is an amendment (``varied``) and the modules of its own that it lists. Every list is asked
in its order; of several refusals the first is told.

Who judges by one kind of thing alone says so (``where_there_is``): he is asked where there is one, as most
battles have none of most kinds. Whoever asks a list asks those of it whom ``here`` returns, told once for a
map with such kinds of things and features on it. That is of no consequence but the time it takes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from pbem.core.odds import Modifier, Tally
from pbem.core.play import Play
from pbem.core.problem import Problem
from pbem.core.ruleset import Ruleset
from pbem.core.table import Grid
from pbem.rulesets.siege.state.days import Days
from pbem.rulesets.siege.state.field import FLOORS, Field, Floors, Nature, Terrain
from pbem.rulesets.siege.state.line import Line, View
from pbem.rulesets.siege.state.once import ByRules
from pbem.rulesets.siege.state.state import Battle, Thing, Unit

if TYPE_CHECKING:
    from pbem.core.scene import Trace

Rules = Ruleset[Battle]
Why = Problem | None
"""Why something is not done; None if it is."""
Bar = Callable[[str, str], Why]
"""(place, place beside it) -> why a figure does not go from the one to the other; the first may be empty:
from wherever it comes.
"""
Effect = Callable[[Rules, Play[Battle], str, str, int], None]
"""(rules, play, shooter, target, cause): what else a result of a shot does than to stun, wound or kill."""
Covered = tuple[str, str] | None
"""A class of cover and the rule it is owed to; None where nothing is given."""
Side = Sequence[Unit]
Lists = Mapping[str, tuple[Callable[..., Any], ...]]
Kinds = frozenset[str]
F = TypeVar("F", bound=Callable[..., Any])
RULES: Final = 16
"""Rulesets for which it is kept whom they ask; the oldest goes first."""
MOST_KINDS: Final = 64
"""Sets of kinds for which it is kept on a map whom they ask; with one more all are forgotten."""


def _on_nothing(battle: Battle, thing: Thing) -> Mapping[str, str]:
    return {}


class Passage(Struct, frozen=True):
    """A step that a thing makes possible: what it costs, which thing it is, and the rule that says so."""

    cost: int
    by: str
    rule: str
    looks: str = ""
    """The deed by which it is ordered too, ``up down step-over``, or ``along`` for none; empty: as its ends
    lie.
    """


Ways = Mapping[tuple[str, str], Passage]
"""(place, place beside it) -> the passage from the one to the other."""


class Phases(Struct, frozen=True):
    """What the phases of a player turn are for, by their ids; there may be others, for which a step of the
    ruleset is enough.
    """

    shoots: Mapping[str, Callable[[Rules, Battle, Unit], Why]]
    """Every phase of shooting, in the order of play -> why somebody who shoots at all does
    not shoot in it.
    """
    moves: str
    fights: str
    of_others: frozenset[str] = frozenset()
    """Those in which the sides act whose player turn it is not."""
    noted: Callable[[Rules, Battle], Sequence[tuple[str, str]]] | None = None
    """(rules, battle at the end of its movement) -> (figure, what it counts as having done); None: what a way
    costs is of no consequence once it is gone.
    """


class Kind(Struct, frozen=True):
    """A kind of thing."""

    module: str
    """The module whose rules it needs."""
    built_in: bool = False
    """It is built into the map; all others are named by the scenario."""
    ground: Callable[[Battle, Thing], Mapping[str, str]] = _on_nothing
    """(battle, thing) -> place -> the row of the chart of grounds that counts there as long as it stands so
    (S1.1k).
    """
    over: Callable[[Mapping[str, Terrain], Sequence[str]], Why] | None = None
    """(grounds of a map, hexes): why a thing that stands over the heads of whoever is in some hexes cannot
    stand there; None: it is no such thing.
    """
    level: Callable[[Battle, Thing], int] | None = None
    """(battle, thing): the level of the grounds that it makes; None: that of their rows."""
    as_drawn: bool = False
    """The grounds that it makes lie on the floor, and as high, as what lies there."""
    levels: Callable[[Battle, Thing], Mapping[str, int]] | None = None
    """(battle, thing): place -> its level, of a thing whose grounds lie on several; None: it is none."""
    leaf: Callable[[str, Sequence[str]], tuple[str, ...]] | None = None
    """(hex, sides that look out) -> the keys of the hexsides that a door of this kind closes; None: it is no
    door.
    """
    burns: bool = False
    """It is of wood that catches fire, in every game that has fire."""
    ruin: str = ""
    """How one that is not built in stands when it has burnt down; empty: nothing is left of it."""
    stays: bool = False
    """Whether the nights of a siege leave it as it is, for what becomes of it is the work of days."""
    drawn: bool = False
    """Whether oxen are harnessed to it, before its front."""
    lifted: bool = False
    """It may begin on something that stands over the heads of others, such as 0712@top."""
    falls: Callable[[Rules, Play[Battle], Thing, str, str, str, int], None] | None = None
    """(rules, play, thing, hex, why, rule, cause): let it lose a hex, of which each stands by itself; None:
    what destroys a part of it destroys it all.
    """
    useless: Callable[[Rules, Thing], bool] | None = None
    """(rules, thing): whether one that is still there works no more; None: it does as long as it is."""
    afar: bool = False
    """It does its work from afar and never stands on the map."""
    far_too: bool = False
    """It stands on the map, or does its work from afar where the scenario says so."""


class Steps(Struct, frozen=True):
    """What things make of the way of a figure."""

    passages: tuple[Callable[[Rules, Battle], Ways], ...] = ()
    """The steps that a thing makes possible, whatever floors and parapets say."""
    fills: tuple[Callable[[Battle, Unit, str], Why], ...] = ()
    """(battle, figure, place): what fills a place, so that nobody of its kind enters it; asked of things and
    features alone.
    """
    shuts: tuple[Callable[[Unit, str, str], Why], ...] = ()
    """(figure, place, place beside it): what lets nobody through but by a passage."""
    bars: tuple[Callable[[Rules, Battle, Unit], Bar | None], ...] = ()
    """What things bar the steps of this figure; None where nothing of the kind concerns it."""
    keeps_out: tuple[Callable[[Rules, Battle, Unit], Bar | None], ...] = ()
    """What ground bars the steps of this figure though others of its kind may go there; None where nothing of
    the kind concerns it.
    """
    closes: tuple[Callable[[Rules, Battle, Unit, str, str], Why], ...] = ()
    """(rules, battle, figure, place, place beside it): why nobody of its kind goes from the one to the other,
    because of the ground of the two; asked where no passage leads.
    """
    leans: tuple[Callable[[Rules, Battle, Thing, str, str], Why], ...] = ()
    """(rules, battle, ladder, hex of its foot, hex beside it): why it is not set up there so."""
    burdens: tuple[Callable[[Rules, Battle, Unit], int], ...] = ()
    """How many movement points a figure has less."""
    goes_on: tuple[Callable[[Unit], bool], ...] = ()
    """Whether a figure that has moved may move on with what it has left."""
    faces: tuple[Callable[[Battle, Unit], bool], ...] = ()
    """Whether a figure of one hex bears something that can be turned to a side."""
    turns: tuple[Callable[[Rules, Battle, Unit, str, int], Why], ...] = ()
    """(rules, battle, figure, side, points left): why a thing that it bears is not turned so at the end of
    its way.
    """
    set_down: tuple[Callable[[Unit, Thing, str], Why], ...] = ()
    """(figure, what it bears, side): why it does not turn that so as it puts it down."""
    hands: tuple[Callable[[Battle, Unit], Why], ...] = ()
    """What a figure has in its hands, so that it neither shoots nor attacks."""
    no_retreat: tuple[Callable[[Battle, str, str], bool], ...] = ()
    """(battle, place, place beside it): whether a thing keeps everybody from giving way there."""
    no_advance: tuple[Callable[[Rules, Battle, Unit, str], bool], ...] = ()
    """(rules, battle, victor, place beside him): whether he does not go forward there."""
    no_work: tuple[Callable[[Rules, Battle, Unit], Why], ...] = ()
    """Why a figure begins no work that takes it a whole turn."""
    tied: tuple[Callable[[Battle, Unit, Unit], Why], ...] = ()
    """(battle, leader, animal): why somebody does not lead it, because of what it is tied to."""


class Screen(Struct, frozen=True):
    """A thing that hides who is behind it from those who stand no higher."""

    where: Callable[[Battle], Mapping[str, str]]
    """Hex -> the thing in it."""
    hides: Callable[[Rules, Battle, Line, str], bool]
    """(rules, battle, line, hex): whether the thing in that hex stops a shot along a line."""
    why: Callable[[Battle, Mapping[str, str], str], Problem]
    """(battle, names of the two, hex): that it does."""


class Shots(Struct, frozen=True):
    """What a line of fire meets, and what it leaves of a target."""

    settles: tuple[Callable[[Rules, Battle, Unit, Unit, Line], Covered], ...]
    """(rules, battle, shooter, target, line): the cover of a target against this shot, whatever else there
    is.
    """
    gives: tuple[Callable[[Rules, Battle, Unit, Line], Covered], ...]
    """(rules, battle, target, line): a cover that it has; the best counts."""
    sheet: Callable[[Rules, Battle, Unit, Unit], tuple[str, Grid]]
    """(rules, battle, shooter, target) -> the name of the table on which a shot is read, and its cells."""
    letters: str
    """The table whose key says what a result does to a target on foot."""
    effects: Mapping[str, Effect]
    """What else a result may do, by the word of that key."""
    bars: tuple[Callable[[Rules, Battle, Unit, Unit], Why], ...] = ()
    """(rules, battle, shooter, target): why the one does not shoot at the other, whatever lies between."""
    only: Mapping[str, Callable[[Rules, Battle, Line, str], bool]] = {}
    """Ground -> (rules, battle, line, hex): whether it covers who stands in that hex against that shot; one
    that is not named covers against every shot, as far as its row has it.
    """
    engines: tuple[Callable[[Rules, Battle, Thing], Why], ...] = ()
    """Why a ballista that is loaded, with its crew beside it, does not shoot yet."""
    crews: tuple[Callable[[Rules, Battle, Unit, Thing], bool], ...] = ()
    """(rules, battle, unit, ballista): whether somebody beside a ballista is where he works it."""
    screens: tuple[Screen, ...] = ()
    over: tuple[Callable[[Rules, Battle, View, str], bool], ...] = ()
    """(rules, battle, view, place): whether shots pass over a figure in a place between, by the map, what
    stands there and what became of it alone.
    """
    despite: tuple[Callable[[Rules, Battle, View], bool], ...] = ()
    """(rules, battle, view): whether one shoots so although the chart of levels says no."""
    weapons: tuple[Callable[[Unit], str], ...] = ()
    """The weapon in whose columns something is read that stands in the place of a figure, and so is no man;
    empty for none.
    """
    served_by: str = "S3.41b"
    loaded_by: str = "S3.41a"
    """The rules that say who works a ballista, and how it is loaded."""
    owes: bool = False
    """Whether a shot at somebody in total cover is refused by the rule that gives it to him."""
    near: tuple[str, ...] = ()
    """Packages (with a dot behind) of whose functions among these it is certain that they judge a line by
    what stands on it and beside its ends alone, and by no figure but the two that it joins, so that their
    answers are kept while nothing changes there.
    """


class Melee(Struct, frozen=True):
    """How blows are struck: who may, at which odds, and what comes of it."""

    fit: tuple[Callable[[Rules, Battle, Unit], Why], ...]
    """Why somebody attacks nobody now."""
    bars: tuple[Callable[[Rules, Battle, Unit, Unit], Why], ...]
    """(rules, battle, attacker, defender): why the one does not attack the other where they are now."""
    groups: tuple[Callable[[Rules, Battle, Side, Side], Why], ...]
    """Why these do not attack those together, each of whom could attack each."""
    strength: Callable[[Rules, Battle, Side], int]
    """What attackers bring up together."""
    resistance: Callable[[Rules, Battle, Side], int]
    """What defenders set against it."""
    odds: Callable[[int, int], int]
    """(attack, defence) -> the odds before anything shifts them."""
    written: Callable[[int], str]
    """The odds as players read and write them, such as ``3:1``."""
    tally: Callable[[Rules, Battle, Side, Side, int, int], Tally]
    """(rules, battle, attackers, defenders, attack, defence): the odds, and what shifts them."""
    table: Callable[[Rules, Side], Grid]
    """The combat table on which an attack on these is read."""
    column: Callable[[Grid, int], str]
    """The heading of its column for such odds."""
    hurt: Callable[..., None]
    """(rules, play, unit, fate, cause, rule): what a result does to the one whom it hits."""
    retreat: Callable[[Rules, Play[Battle], Sequence[str], Sequence[str], int], list[str]]
    """(rules, play, the beaten, the victors, cause) -> the places they leave, or lie dead in."""
    advance: Callable[[Rules, Play[Battle], Sequence[str], Sequence[str], int, str], None]
    """(rules, play, the victors, places that were left, cause, label)."""
    of_the_die: tuple[Callable[[Rules, Battle, Side], Modifier | None], ...] = ()
    """(rules, battle, defenders) -> what is added to the die of an attack on these."""
    across: tuple[Callable[[Rules, Battle, str, str], bool], ...] = ()
    """(rules, battle, place, place): whether blows are struck between them although a wall stands there."""
    levels: tuple[Callable[[Rules, Battle, str, str], bool], ...] = ()
    """(rules, battle, place, place): whether blows are struck from the one to the other although the chart of
    levels says no.
    """
    parted: tuple[Callable[[Rules, Battle, str, str], bool], ...] = ()
    """(rules, battle, place, place): whether no blows are struck between them, though the chart says yes."""
    spares: tuple[Callable[[str, Side], str], ...] = ()
    """(what a result does to the attackers, the defenders) -> what it does to them anyway."""


class Hiding(Struct, frozen=True):
    """What some figures of a side do not know of others."""

    known: Callable[[Rules, Battle, str], Battle]
    """(rules, battle, side) -> the battle as that side knows it when it orders."""
    before: Callable[[Rules, Play[Battle], str, Any], tuple[Any, Why]]
    """(rules, play, seat, order), before an order is carried out: who is no longer in hiding because of it
    comes forth; the order as it is carried out now, and why it is not.
    """


DAY = "day"
"""The heading, and the phase, of the plan of a day."""
EVENING, NIGHT = "evening", "night"
"""When what became of a hex is over: before those on the field leave it, or after."""


class FeatureKind(Struct, frozen=True):
    """Something that can become of a hex."""

    ground: str = ""
    """The ground that it makes of the hex; empty: it stays what it is."""
    until: str = ""
    """``evening``, ``night``: it is over with the day of a siege; empty: it stays."""


class Family(Struct, frozen=True):
    """All of it."""

    phases: Phases
    charts: tuple[str, ...]
    """The tables that are charts of grounds."""
    natures: Mapping[str, Nature]
    """Ground -> what rules ask of it beside its row; one that is not named has nothing of the kind."""
    kinds: Mapping[str, Kind]
    """Every kind of thing there is."""
    features: Mapping[str, FeatureKind]
    """Everything that can become of a hex."""
    steps: Steps
    shots: Shots
    melee: Melee
    fire: str = "fire"
    """The table that says what catches fire, and how long it burns."""
    planks: Mapping[str, str] = {}
    """Ground that is of wood itself -> what becomes of its hex when it is destroyed."""
    footprints: str = "footprints"
    """The table that says which hexes an engine covers that men work from within."""
    healing: str = "healing"
    """The table that says when a wound is healed; where it says ``killed`` the figure dies of it."""
    roofs: Callable[[Battle, str], bool] | None = None
    """(battle, hex): whether what burns there burns over the heads of those in it, who need not leave at once
    and may fight the fire; None: nothing does.
    """
    breaks_off: Callable[[Rules, Battle, Unit], str] | None = None
    """What broke off the work of a figure that takes a whole turn, empty for nothing; None: as in Siege."""
    ends: tuple[Callable[[Rules, Battle], bool], ...] = ()
    """Whether the battle is over with this game turn, though the scenario has more of them."""
    traces: Mapping[str, Callable[[Battle, Mapping[str, Any]], Iterator[Trace]]] = {}
    """Name of an event of a game's own -> (battle, plain event): what a picture draws of it."""
    days: Days = Days()
    floors: Mapping[str, Floors] = field(default_factory=lambda: FLOORS)
    """Kind of thing -> the floors that it has above the ground."""
    fire_next_to: Callable[[Battle, str], tuple[str, ...]] | None = None
    """(battle, place of a thing that burns place by place) -> the places to which a fire in it may spread,
    and from which it is fought; None: no thing does.
    """
    under_fire: Callable[[Battle, str], Sequence[str]] | None = None
    """(battle, place): who suffers from a fire besides those in it; None: nobody."""
    chars: Callable[[Rules, Play[Battle], str], None] | None = None
    """(rules, play, place): what becomes of a burnt place of a thing that burns place by place; None: no
    thing does.
    """
    hit_by_fire: Callable[[Battle, Thing, Line], str] | None = None
    """(battle, thing, line of a fire arrow): its column in the table of fire, empty for the usual one; None:
    always that.
    """
    hiding: Hiding | None = None
    """None: everybody knows where everybody is."""


def of(rules: Rules) -> Family:
    """Return what makes the game that these rules are of."""
    found: Family = rules.family
    return found


def floors(rules: Rules) -> Mapping[str, Floors]:
    """Return the floors that kinds of thing have, told by the tables of these rules."""
    known = of(rules).floors
    return {
        kind: replace(one, sheets={name: rules.tables[name] for name in one.sheets})
        for kind, one in known.items()
    }


def phases(rules: Rules) -> Phases:
    """Return what the phases of a player turn are for."""
    return of(rules).phases


def headings(rules: Rules) -> Mapping[str, str]:
    """Return the sections of an order file: heading -> phase, the plan of a day last, which is known even
    where a game has none.
    """
    return {**{name: phase for name, phase in rules.sequence.headings.items() if name != DAY}, DAY: DAY}


def heading(rules: Rules, battle: Battle) -> str:
    """Return the section of an order file that is for the open phase; empty where nobody orders in it."""
    now, named = battle.at.phase, rules.sequence.headings
    return DAY if now == DAY else next((name for name, phase in named.items() if phase == now), "")


def known(rules: Rules, battle: Battle, seat: str) -> Battle:
    """Return a battle as the side of a seat knows it when it orders."""
    hiding = of(rules).hiding
    return battle if hiding is None else hiding.known(rules, battle, battle.side_of_seat[seat])


def varied(rules: Rules, **changes: Any) -> Rules:
    """Return a ruleset in which some fields of its family are others."""
    return rules.amend(family=replace(of(rules), **changes))


# --- whom to ask


L = TypeVar("L", Melee, Shots, Steps)


class Asked(Struct, frozen=True):
    """The lists of a ruleset, each with those that may have something to say in a battle, in their order."""

    steps: Steps
    shots: Shots
    melee: Melee
    modifiers: Lists
    follows: Lists


def where(holds: Callable[[Field], bool], bare: bool = False) -> Callable[[F], F]:
    """Mark a function that says nothing, and does nothing, on a map of which something does not hold; with
    ``bare``: as long as nothing is built there and nothing has become of it.
    """
    return _marked(lambda field, there: holds(field) or (bare and bool(there)))


def where_there_is(*kinds: str) -> Callable[[F], F]:
    """Mark a function that says nothing, and does nothing, without a thing, or a feature, of one of these
    kinds.
    """
    return _marked(lambda _, there: not there.isdisjoint(kinds))


def _marked(holds: Callable[[Field, Kinds], bool]) -> Callable[[F], F]:
    def mark(function: F) -> F:
        function.__dict__["asked_where"] = holds
        return function

    return mark


def here(rules: Rules, battle: Battle) -> Asked:
    """Return whom these rules ask in a battle."""
    try:
        found: Asked = battle.built["asked"][rules]
    except KeyError:
        known: dict[Rules, Asked] = battle.built.setdefault("asked", {})
        if len(known) == RULES:
            del known[next(iter(known))]
        found = known[rules] = _on_this_map(rules, battle)
    return found


def _on_this_map(rules: Rules, battle: Battle) -> Asked:
    """Return the same as it is known of the map, be it another moment, or the same read anew."""
    kept: ByRules[dict[Kinds, Asked]] = battle.field.once("asked", lambda: ByRules(dict, RULES))
    known, there = kept[rules], _kinds(battle)
    if there not in known:
        if len(known) >= MOST_KINDS:
            known.clear()
        known[there] = _asked(rules, battle.field, there)
    return known[there]


def _kinds(battle: Battle) -> Kinds:
    """Return the kinds of the things and of the features that there are."""
    things = {thing.kind for thing in battle.things.values()}
    return frozenset(things.union(is_ for _, is_ in battle.features))


def _asked(rules: Rules, field: Field, there: Kinds) -> Asked:
    def listed(every: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(one for one in every if _may_say(one, field, there))

    def record(one: L) -> L:
        each = {name: getattr(one, name) for name in one.__struct_fields__}
        return replace(one, **{name: listed(every) for name, every in each.items() if type(every) is tuple})

    family = of(rules)
    modifiers = {name: listed(every) for name, every in rules.modifiers.items()}
    follows = {name: listed(every) for name, every in rules.follows.items()}
    return Asked(record(family.steps), record(family.shots), record(family.melee), modifiers, follows)


def _may_say(one: object, field: Field, there: Kinds) -> bool:
    holds: Callable[[Field, Kinds], bool] | None = getattr(one, "asked_where", None)
    return holds is None or holds(field, there)
