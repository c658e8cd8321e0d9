"""A battle as it is written at the border of a phase: its form, and the way there and back.

A rider is written without the places that his horse has, so that no two lines of a state can disagree.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from msgspec import field as given
from msgspec.structs import replace

from pbem.core.ruleset import Ruleset
from pbem.core.sequence import Cursor
from pbem.rulesets.siege.state.field import Field
from pbem.rulesets.siege.state.forms import Count, Digest, Id, Ids, Moment, Part, Positive, Word
from pbem.rulesets.siege.state.state import Battle, Feature, Instructions, Log, Unit
from pbem.rulesets.siege.state.thing import Thing
from pbem.text.codec import CodecError, Value, from_plain, to_plain
from pbem.text.forms import Form

FORMAT = 1


class _At(Value, frozen=True):
    """Where the game stands."""

    phase: Word
    day: Positive = 0
    part: Part = ""
    turn: Count = 0
    side: Id = ""


class _Ruleset(Value, frozen=True):
    """Which rules."""

    id: Word
    revision: Positive


class _Points(Value, frozen=True):
    """Points of a side."""

    side: Id
    points: int


class _Ended(Value, frozen=True):
    """A file ended by ``stop``."""

    seat: Id
    at: Moment


class _End(Value, frozen=True):
    """How the game ended."""

    winner: Id
    grade: Word = ""
    why: Word = ""


class Written(Value, frozen=True):
    """A battle at one phase border.

    Lists sorted by id; absent means 'does not apply'; no null; whole numbers only.
    """

    format: Annotated[int, Form(const=FORMAT)]
    ruleset: _Ruleset
    map: Digest
    scenario: Digest
    at: _At
    units: tuple[Unit, ...]
    things: tuple[Thing, ...] = ()
    features: tuple[Feature, ...] = ()
    score: tuple[_Points, ...] = ()
    standing: tuple[Instructions, ...] = ()
    log: Log = given(default_factory=Log)
    resigned: Ids = ()
    draws: Ids = ()
    end: _End | None = None
    ended: tuple[_Ended, ...] = ()


def write(rules: Ruleset[Battle], battle: Battle) -> dict[str, Any]:
    """Return a battle as plain data, ready for the canonical writer."""
    at = battle.at
    plain = to_plain(
        Written(
            FORMAT,
            _Ruleset(rules.id, rules.revision),
            battle.field.map_digest,
            battle.field.scenario_digest,
            _At(at.phase, at.day, at.part, at.turn, at.side),
            tuple(_afoot(battle.units[id_]) for id_ in sorted(battle.units)),
            tuple(battle.things[id_] for id_ in sorted(battle.things)),
            tuple(battle.features[key] for key in sorted(battle.features)),
            tuple(_Points(side, battle.score[side]) for side in sorted(battle.score)),
            tuple(_said(battle.standing[seat], "-", "_") for seat in sorted(battle.standing)),
            battle.log,
            battle.resigned,
            battle.draws,
            _End(battle.winner, battle.grade, battle.why) if battle.winner else None,
            tuple(_Ended(seat, battle.ended[seat]) for seat in sorted(battle.ended)),
        )
    )
    if not isinstance(plain, dict):
        raise TypeError("a state is written as a mapping")
    return plain


def _said(entry: Instructions, before: str, after: str) -> Instructions:
    """Return instructions with their keys spelt for the state, whose keys have no hyphens, or as players
    spell them.
    """

    def spelt(said: Mapping[str, str]) -> dict[str, str]:
        return {key.replace(before, after): value for key, value in said.items()}

    return Instructions(
        entry.seat, entry.orders, spelt(entry.everyone), tuple(spelt(figure) for figure in entry.figures)
    )


def _afoot(unit: Unit) -> Unit:
    """Return a unit as it is written: a rider without the places that his horse has."""
    return replace(unit, at=()) if unit.on else unit


def _mounted(units: Sequence[Unit]) -> dict[str, Unit]:
    """Return written units by id, every rider where his horse is; raise CodecError for one on a horse that is
    not there.
    """
    found = {unit.id: unit for unit in units}
    for unit in units:
        if unit.on:
            if unit.on not in found:
                raise CodecError(f"{unit.id} is on {unit.on}, which is not a unit")
            found[unit.id] = replace(unit, at=found[unit.on].at)
    return found


def read(rules: Ruleset[Battle], field: Field, data: Mapping[str, Any]) -> Battle:
    """Return the battle that ``write`` wrote; raise ``codec.CodecError`` for anything else, or for another
    ruleset.
    """
    state = from_plain(data, Written)
    if (state.format, state.ruleset) != (FORMAT, _Ruleset(rules.id, rules.revision)):
        raise CodecError(f"a state of {state.ruleset.id} {state.ruleset.revision}, format {state.format}")
    return Battle(
        field=field,
        at=Cursor(state.at.phase, state.at.turn, state.at.side, state.at.day, state.at.part),
        units=_mounted(state.units),
        things={thing.id: thing for thing in state.things},
        features={(feature.at, feature.is_): feature for feature in state.features},
        score={points.side: points.points for points in state.score},
        standing={entry.seat: _said(entry, "_", "-") for entry in state.standing},
        log=state.log,
        resigned=state.resigned,
        draws=state.draws,
        ended={entry.seat: entry.at for entry in state.ended},
        winner=state.end.winner if state.end else "",
        grade=state.end.grade if state.end else "",
        why=state.end.why if state.end else "",
    )
