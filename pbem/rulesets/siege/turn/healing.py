"""Days and healing: what happens in the evening and in the morning of a siege that lasts several days.

In the evening a die says for each newly wounded figure when it will be well; in the morning of that day it
is. The night also ends what lasts but for a fight: who lay stunned is up, who panicked has calmed down.
Everybody stands where he stood.
"""

from __future__ import annotations

from typing import Any

from pbem.core.play import Play
from pbem.core.rule import rule
from pbem.core.ruleset import Files, Ruleset
from pbem.core.sequence import DAY, NOBODY, Loop, Phase, SequenceOfPlay, parse_cursor
from pbem.core.table import die_faces
from pbem.rulesets.siege.ground import counter
from pbem.rulesets.siege.state import family
from pbem.rulesets.siege.state.events import Checked, Healed, HealingSet, Rallied, Rolled, StateChanged
from pbem.rulesets.siege.state.field import Field
from pbem.rulesets.siege.state.state import DEAD, HEALTHY, STUNNED, WOUNDED, Battle, Unit

Rules = Ruleset[Battle]
EVENING = Phase("evening", "", NOBODY, "Evening")
MORNING = Phase("morning", "", NOBODY, "Morning")
KILLED = "killed"
"""What a table of healing says of who dies of his wounds."""


def with_days(rules: Rules) -> Rules:
    """Return the rules with evenings and mornings, for scenarios of several days."""
    sequence = SequenceOfPlay((Loop(DAY, (MORNING, *rules.sequence.parts, EVENING)),))
    return rules.amend(sequence=sequence, steps={**rules.steps, EVENING.id: evening, MORNING.id: morning})


@rule("S5.4a")
def lasts_several_days(field: Field) -> bool:
    """Tell whether a scenario lasts several days: only then can wounds heal."""
    return field.days > 1


def another_day(battle: Battle) -> bool:
    """Tell whether a day follows this one."""
    return lasts_several_days(battle.field) and battle.at.day < battle.field.days


def evening(rules: Rules, play: Play[Battle], files: Files) -> None:
    """Let happen what else an evening is for; then roll once for every newly wounded figure, and note when it
    will be well.
    """
    for follow in rules.follows.get("evening", ()):
        follow(rules, play)
    for id_, unit in sorted(play.state.units.items()):
        if is_newly_wounded(play.state, unit):
            found, cause = roll(rules, play, unit)
            if found == KILLED:
                counter.hurt(rules, play, id_, KILLED, cause, "S5.4b")
            else:
                days = int(found or 0)
                play.happen(HealingSet(id_, day_of_recovery(play.state, days), rule="S5.4c"))


@rule("S5.4b", "S5.4e")
def is_newly_wounded(battle: Battle, unit: Unit) -> bool:
    """Tell whether a figure was wounded on this day: one healed before and wounded again is newly wounded
    too.
    """
    return (
        unit.state == WOUNDED
        and not unit.left
        and not unit.heals
        and parse_cursor(unit.since).day == battle.at.day
    )


@rule("S5.4b")
def roll(rules: Rules, play: Play[Battle], unit: Unit) -> tuple[Any, int]:
    """Return in how many days a wound will be healed, by the healing table, and the place of the roll; None:
    not in this siege, ``killed``: he dies of it.
    """
    name = f"heal/{unit.id}"
    heading = family.of(rules).healing
    table: Any = rules.tables[heading]
    faces = die_faces(table)
    die = play.roll(name, faces)[0]
    days = table["rows"][die][0]
    said = f"well in {days} days" if days else str(table["null_means"])
    if days == KILLED:
        said = "dies of his wounds"
    event = Rolled(
        f"{play.cursor}/{name}",
        faces,
        (die,),
        "S5.4b",
        heading,
        "days",
        row=die,
        result=str(days or "never"),
        said=said,
    )
    return days, play.happen(event)


@rule("S5.4c")
def day_of_recovery(battle: Battle, days: int) -> int:
    """Return the day that is noted for a recovery in so many days; 0 for none."""
    return battle.at.day + days if days else 0


def morning(rules: Rules, play: Play[Battle], files: Files) -> None:
    """Turn the counters of those whose day has come, and end what lasts no longer than a fight."""
    day = play.state.at.day
    for follow in rules.follows.get("morning", ()):
        follow(rules, play)
    for id_, unit in sorted(play.state.units.items()):
        if unit.state == DEAD or unit.left:
            continue
        if is_well(play.state, unit):
            play.happen(Healed(id_, day, "S5.4d"))
            play.happen(StateChanged(id_, WOUNDED, HEALTHY, str(play.state.at), rule="S5.4d"))
        if unit.state == STUNNED:
            play.happen(StateChanged(id_, STUNNED, HEALTHY, str(play.state.at)))
        if unit.mood:
            play.happen(Rallied(id_))
        if unit.checked:
            play.happen(Checked(id_))


@rule("S5.4d")
def is_well(battle: Battle, unit: Unit) -> bool:
    """Tell whether this is the morning noted for a wounded figure, which must have lived to see it."""
    return unit.state == WOUNDED and 0 < unit.heals <= battle.at.day
