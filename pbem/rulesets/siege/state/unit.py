"""A figure as it is at one moment, and how two moments of one differ."""

from collections.abc import Container, Iterable, Mapping

from msgspec.structs import replace

from pbem.geometry.hex import hexes_of
from pbem.rulesets.siege.state.forms import (
    Count,
    Deeds,
    Doorway,
    Harm,
    Id,
    IdOrPlace,
    Living,
    Moment,
    Mood,
    PersonId,
    Skill,
    Standing,
    Stood,
    Word,
)
from pbem.text.codec import Value

HEALTHY, STUNNED, WOUNDED, DEAD = "healthy", "stunned", "wounded", "dead"
_UNABLE = (STUNNED, DEAD)


class Job(Value, frozen=True):
    """A piece of work that takes a whole turn."""

    do: Word
    what: IdOrPlace = ""
    since: Moment = ""


class Unit(Value, frozen=True):
    """A living being on the map, or its body. ``at`` has the place it stands on, two for a two-hex figure
    (head first).

    A rider is ``on`` his horse and stands where it stands: the battle keeps both in step, and only the
    horse's places are written.
    """

    id: Id
    person: PersonId
    kind: Living
    side: Id
    owner: Id
    state: Harm
    at: Standing = ()
    since: Moment = ""
    """Cursor of the phase in which it was stunned, wounded or killed last."""
    on: Id = ""
    mood: Mood = ""
    did: Deeds = ()
    """What it did in its side's current player turn: ``shot moved``; emptied when that turn begins."""
    fought: Moment = ""
    """Cursor of the last melee it took part in, as attacker or defender."""
    checked: Moment = ""
    """Cursor of the shot that made it take cover; emptied when it has cost what it costs."""
    job: Job | None = None
    skill: Skill = 0
    heals: Count = 0
    captive_of: Id = ""
    left: bool = False
    """It left the map alive."""
    stood: Stood = ()
    """Where it stood at the end of its side's last player turn, and the hexes beside it with something in
    them that could burn.
    """
    disarmed: bool = False
    """It gave up its arms, so that it has the values of its wounded side."""
    hurled: bool = False
    """It has thrown the one spear it had for that."""
    fire_arrows: Count = 0
    """How many fire arrows it has shot, in a scenario that counts them."""
    shelter: Doorway = ""
    """``inside`` or ``outside``: from where a doorway shelters it in a crossfire, as settled for this phase
    (S1.53b).
    """
    hides: Standing = ()
    """Where it lies in hiding, which its own side alone knows; ``at`` is empty as long."""

    @property
    def living(self) -> bool:
        """Tell whether it lives and is on the map."""
        return self.state != DEAD and not self.left and bool(self.at)

    @property
    def lurks(self) -> bool:
        """Tell whether it lies in hiding where its own side sees it, so that it is in nobody's way yet."""
        return bool(self.hides) and self.at == self.hides and not self.did

    @property
    def able(self) -> bool:
        """Tell whether it can act at all."""
        return self.state not in _UNABLE and not self.left and bool(self.at)

    @property
    def hexes(self) -> tuple[str, ...]:
        """Return the hexes of its places."""
        return hexes_of(self.at)


def the_living(units: Iterable[Unit]) -> list[Unit]:
    """Return those of many units that live and are on the map, as each would say of itself."""
    return [unit for unit in units if unit.state != DEAD and not unit.left and unit.at]


def is_prisoner(unit: Unit) -> bool:
    """Tell whether a man is in the hands of a side that is not his own."""
    return unit.kind == "man" and unit.captive_of not in ("", unit.side)


def is_lost(unit: Unit) -> bool:
    """Tell whether a man was led off the map as a prisoner, so that he never comes back."""
    return unit.left and unit.disarmed and is_prisoner(unit)


def otherwise(before: Mapping[str, Unit], units: Iterable[Unit]) -> tuple[list[tuple[Unit, Unit]], bool]:
    """Return those of some units, each with what it was, that are otherwise than before in more than what
    they did this turn and when they fought last; and whether all others fought last when they had. Who lay
    in hiding and has done something is in the way now.
    """
    found, as_fought = [], True
    for unit in units:
        was = before[unit.id]
        if was is not unit:
            same = was.at == unit.at and was.state == unit.state and was.lurks is unit.lurks
            if same and was == replace(unit, did=was.did, fought=was.fought):
                as_fought = as_fought and was.fought == unit.fought
            else:
                found.append((was, unit))
    return found, as_fought


def living_after(
    before: Mapping[str, tuple[str, ...]], ridden: Container[str], moved: Iterable[tuple[Unit, Unit]]
) -> Mapping[str, tuple[str, ...]]:
    """Return hex -> ids of the living in it after some units, each with what it was, went elsewhere or died;
    those that somebody rides are not among them, and nobody has mounted or dismounted.
    """
    living = {**before}
    for was, unit in moved:
        if unit.id in ridden:
            continue
        alone = (unit.id,)
        for hex_ in hexes_of(was.at) if was.living else ():
            if living.get(hex_, alone) == alone:
                living.pop(hex_, None)
            else:
                living[hex_] = tuple(id_ for id_ in living[hex_] if id_ != unit.id)
        for hex_ in hexes_of(unit.at) if unit.living else ():
            living[hex_] = tuple(sorted({*living[hex_], unit.id})) if hex_ in living else alone
    return living


def left_after(
    before: Mapping[str, tuple[str, ...]], changes: Iterable[tuple[Unit, Unit]]
) -> Mapping[str, tuple[str, ...]]:
    """Return side -> ids of its living after some units, each with what it was, dropped out, where nobody
    rides.
    """
    gone = {unit.id for _, unit in changes if not unit.living}
    left = {
        side: ids if gone.isdisjoint(ids) else tuple(id_ for id_ in ids if id_ not in gone)
        for side, ids in before.items()
    }
    return {side: ids for side, ids in left.items() if ids}


def only_did(was: Unit, unit: Unit) -> bool:
    """Tell whether two units are alike in all but what they did this turn, and both in the way or neither."""
    return was == unit or (was.lurks is unit.lurks and was == replace(unit, did=was.did))
