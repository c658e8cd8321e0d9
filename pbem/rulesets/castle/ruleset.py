"""Castle sections, listed: the sequence of play, what happens in it, options, and the interface."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from pbem.core.ruleset import Option, Ruleset, RulesetInterface
from pbem.core.sequence import OVER, SETUP, Cursor
from pbem.core.telling import Args, Speaker, Telling, rolls_of
from pbem.core.vocabulary import Deed, Vocabulary
from pbem.core.vocabulary import Section as Heading
from pbem.rulesets.castle import judge, measures, muster, offers, orders, samples, setup, sheets, turn, views
from pbem.rulesets.castle.dial import Rules
from pbem.rulesets.castle.events import EVENTS, SHORT, Instructed, Said, apply, plain
from pbem.rulesets.castle.orders import Sheet
from pbem.rulesets.castle.state import War
from pbem.rulesets.tables import load

VOCABULARY: Final = Vocabulary(
    sections=(Heading(orders.HEADING, ("action", "moves")), Heading(orders.ARMY, ("armies",))),
    deeds=(
        Deed("move", does=("move[s]", "turn[s]", "enter[s]", "leave[s]")),
        Deed("fight", does=("attack[s]", "strike[s]", "capture[s]")),
        Deed("shoot", does=("shoot[s]",)),
        Deed("portal", does=("open[s]", "close[s]")),
        Deed("ladder", does=("set[s] up", "take[s] down")),
        Deed(
            "magic",
            does=("heal[s]", "freeze[s]", "confuse[s]", "levitate[s]", "bring[s] back", "send[s] out"),
        ),
        Deed("rest", does=("rest[s]",)),
    ),
    standing=("spin", "victim", "collapse"),
    idle=("moves", "attacks", "shoots"),
)


def instruct(rules: Rules, war: War, seat: str, sheet: Sheet, digest: str) -> Sequence[object]:
    """Return what of a file takes force at once (MKB26)."""
    told = [Instructed(seat, sheet.told)] if sheet.told is not None else []
    return [*told, *([Said(seat, sheet.message)] if sheet.message else [])]


def cursor(war: War) -> Cursor:
    """Return where a game stands."""
    return Cursor(OVER) if war.winner else war.at


def over(war: War) -> bool:
    """Tell whether a game is over."""
    return bool(war.winner)


def seats_to_order(rules: Rules, war: War) -> tuple[str, ...]:
    """Return whose orders are taken: those of the side whose turn it is."""
    if war.winner:
        return ()
    if war.at.is_setup:
        return tuple(sorted(war.seats.values()))
    return tuple(sorted({one.owner for one in war.all if one.side == war.at.side}))


def advance(rules: Rules, war: War) -> Sequence[object]:
    """Return what leads to the next player turn, from the last one or from the setup."""
    return muster.after_muster(rules, war) if war.at.is_setup else turn.advance(rules, war)


INTERFACE: RulesetInterface[War] = RulesetInterface(
    read_field=setup.read_field,
    setup=setup.setup,
    read_orders=orders.read_orders,
    check=judge.check,
    instruct=instruct,
    cursor=cursor,
    seats_to_order=seats_to_order,
    over=over,
    advance=advance,
    apply=apply,
    state_to_plain=views.state_to_plain,
    state_from_plain=views.state_from_plain,
    event_to_plain=plain,
    legal=judge.legal,
    offers=offers.offers,
    forms=offers.forms,
    roaming=offers.roaming,
    say=orders.say,
    forecast=judge.forecast,
    sheet=judge.sheet,
    samples=samples.samples,
    scene=views.scene,
    map_scene=views.map_scene,
    measuring=measures.measuring,
    outcome=views.outcome,
    plan=sheets.plan,
    aim=views.aim,
    primer=views.primer,
    roll_call=views.roll_call,
    ordered=lambda sheet: sheet.idle or bool(sheet.answers) or bool(sheet.orders),
)

NAMED = frozenset(
    {"unit", "units", "figure", "section", "attackers", "target", "by", "to", "fallen", "ladder"}
)
DECIDED = rolls_of({"Led": ("lead", "figure"), "BrokeAway": ("break", "figure")})


def decided(event: Any, label: Sequence[str]) -> bool:
    """Tell whether a roll decided an event: that of an attack stands under attacker and target."""
    if event["type"] == "Attacked":
        return tuple(label[2:4]) == (event["attackers"][0], event["target"])
    return DECIDED(event, label)


def stopped_short(speaker: Speaker, args: Args) -> None:
    """Say what ended a way short of where it was to go."""
    args["stopped"] = SHORT.get(str(args.get("stopped", "")), "")


CASTLE: Ruleset[War] = Ruleset(
    id="castle",
    revision=1,
    title="Castle sections",
    sequence=turn.SEQUENCE,
    steps={turn.PHASE: turn.play_turn, SETUP: muster.muster},
    checks={},
    modifiers={},
    tables=load("pbem.rulesets.castle"),
    interface=INTERFACE,
    events={cls.__name__: cls for cls in EVENTS},
    vocabulary=VOCABULARY,
    telling=Telling(
        figures=NAMED,
        headlines=lambda event: event["type"] in ("Collapsed", "Eliminated", "Breached"),
        silent=lambda event, events: event["type"] in ("Acted", "Rested", "Thawed"),
        decided=decided,
        arguments={"Moved": stopped_short},
    ),
    options={
        "game": Option(("unlimited", "conquest"), ("MK12.7", "MKB25"), "which of the two games it is"),
        "handicap": Option(("no", "yes"), ("MK7.1",), "whether the handicap of the scenario is played with"),
        "capture": Option(("no", "yes"), ("MKB18",), "whether warriors can be captured"),
    },
)

CATALOGUE = {"castle": {1: CASTLE}}
