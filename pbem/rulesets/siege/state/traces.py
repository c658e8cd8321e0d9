"""What happened, as a scene shows it: ways, shots, blows and falls; and the hexes where something changed.

Events are plain and of one slot. Fights stand where they were fought, not where the fighters ended up: the
events are gone through from the last to the first, and everybody is put back where he came from.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from pbem.core.ruleset import Ruleset
from pbem.core.scene import Point, Trace
from pbem.geometry.hex import SIDES, centre, distance, hex_of, neighbour, side_points, split_place
from pbem.rulesets.siege.state import family
from pbem.rulesets.siege.state.state import DEAD, Battle

Rules = Ruleset[Battle]
Event = Mapping[str, Any]
WAYS: Mapping[str, str] = {
    "Moved": "move",
    "Turned": "move",
    "Retreated": "retreat",
    "Advanced": "advance",
    "Entered": "enter",
    "Panicked": "flee",
    "Routed": "flee",
}
"""Events of going somewhere -> the kind of their arrow."""
BYSTANDERS = "bystanders"
"""What stands for a side where somebody is on none."""
HARM: Final = {"checked": 1, "retreat": 2, "stunned": 4, "wounded": 5, "killed": 6}
"""Effect of a result -> how much came of it, for the windows on a map."""
SAID: Mapping[str, str] = {"none": "nothing", "checked": "takes cover", "retreat": "gives way"}
"""Effect of a result, as the keys of the tables have it -> what the map says of it; other effects say
themselves.
"""
_BEFORE = ("Instructed", "Said")
"""What takes force before the first phase of a slot, and is not part of it."""
WORST = ("killed", "wounded", "stunned", "retreat", "checked", "none")
"""Effects, the gravest first."""


def touched(battle: Battle, event: Event) -> Iterator[str]:
    """Yield the hexes that an event changes: where somebody comes from and where he is now, what becomes of a
    wall or a bridge.
    """
    match event["type"]:
        case "Moved" | "Turned" | "Entered" | "Retreated" | "Advanced" | "Panicked" | "Routed":
            ends = [event["path"][0], event["path"][-1]]
            if tails := event.get("tails"):
                ends += [tails[0], tails[-1]]
            yield from map(hex_of, ends)
        case (
            "Placed"
            | "ThingMoved"
            | "Mounted"
            | "Dismounted"
            | "Thrown"
            | "Fell"
            | "LadderRaised"
            | "LadderToppled"
        ):
            yield from (hex_of(place) for place in (*event["at"], *event.get("was", ())))
        case "Left":
            yield hex_of(event["at"])
        case "FeatureChanged" | "FeatureGone" | "RamStruck" | "Bombarded":
            yield event["at"]
        case "ThingChanged" if event.get("stands") and event["thing"] in battle.field.fixtures:
            yield from battle.field.fixtures[event["thing"]].hexes


class _Back:
    """Who stood where and rode what, while the events are gone through from the last to the first."""

    def __init__(self, battle: Battle) -> None:
        self.places: dict[str, tuple[str, ...]] = {unit.id: unit.at for unit in battle.units.values()}
        self.horse: dict[str, str] = {unit.id: unit.on for unit in battle.units.values() if unit.on}

    def put(self, unit: str, places: tuple[str, ...]) -> None:
        """Put a figure on its places, and the horse under it."""
        self.places[unit] = places
        if unit in self.horse:
            self.places[self.horse[unit]] = places

    def undo(self, event: Event, origin: str) -> None:
        """Put everybody back where he was before an event; ``origin`` is the place from
        which somebody fell.
        """
        match event["type"]:
            case "Fell" if origin:
                self.put(event["unit"], (origin,))
            case "ThingMoved":
                before = dict(zip(event["at"], event.get("was", ()), strict=False))
                for unit, place in event.get("passengers", ()):
                    hex_, storey = split_place(place)
                    if hex_ in before:
                        self.put(unit, (f"{before[hex_]}@{storey}" if storey else before[hex_],))
            case "Moved" | "Turned" | "Retreated" | "Advanced" | "Entered" | "Panicked" | "Routed":
                tails = event.get("tails") or ()
                self.put(event["unit"], (event["path"][0], *tails[:1]))
            case "Left":
                self.put(event["unit"], (event["at"],))
            case "Thrown" | "Dismounted":
                self.horse[event["unit"]] = event["horse"]
                self.places[event["unit"]] = self.places[event["horse"]]
            case "Mounted":
                self.horse.pop(event["unit"], None)

    def hexes(self, unit: str) -> tuple[str, ...]:
        """Return the hexes on which a figure stood."""
        return tuple(map(hex_of, self.places[unit]))

    def mounted(self, battle: Battle, unit: str) -> bool:
        """Tell whether a figure sat on a horse, or is an animal."""
        return unit in self.horse or battle.units[unit].kind != "man"


def traces(rules: Rules, battle: Battle, events: Sequence[Event]) -> Iterator[Trace]:
    """Yield what happened, in its order."""
    back = _Back(battle)
    led = {id_ for event in events if event["type"] == "Moved" for id_ in event.get("with") or ()}
    found: list[Trace] = []
    after: list[Event] = []
    for event in reversed(events):
        origin = fallen_from(battle, event, events)
        found.extend(reversed(list(_trace(rules, battle, back, event, after[::-1], led, origin))))
        after = [] if event["type"] in ("Shot", "Fought") else [*after, event]
        back.undo(event, origin)
    yield from reversed(found)


def fallen_from(battle: Battle, event: Event, events: Sequence[Event]) -> str:
    """Return the hex from which somebody fell: that of the ladder that was toppled, or of the bridge that was
    raised; else empty.
    """
    if event["type"] != "Fell":
        return ""
    why = _why(event, events)
    if why is not None and why["type"] == "LadderToppled":
        return hex_of(why["at"][0])
    if why is not None and why["type"] == "ThingChanged" and why["thing"] in battle.field.fixtures:
        hexes = battle.field.fixtures[why["thing"]].hexes
        return min(hexes, key=lambda hex_: distance(hex_, hex_of(event["at"][0])))
    return ""


def _why(event: Event, events: Sequence[Event]) -> Event | None:
    """Return the event that brought another about: ``cause`` counts from the beginning of the phase, ``n``
    from that of the slot.
    """
    numbered = [(int(other.get("n", place)), other) for place, other in enumerate(events)]
    place = next(place for place, other in enumerate(events) if other is event)
    began = next((n + 1 for n, other in reversed(numbered[:place]) if other["type"] == "PhaseBegan"), None)
    if began is None:
        began = next((n for n, other in numbered if other["type"] not in _BEFORE), 0)
    return next(
        (other for n, other in numbered[:place] if "cause" in event and n == began + event["cause"]), None
    )


def _trace(
    rules: Rules,
    battle: Battle,
    back: _Back,
    event: Event,
    after: Sequence[Event],
    led: set[str],
    origin: str,
) -> Iterator[Trace]:
    """Yield the traces of one event; ``after`` is what came of it, up to the next shot or fight, ``origin``
    from where somebody fell.
    """
    match event["type"]:
        case "Moved" | "Turned" | "Retreated" | "Advanced" | "Entered" | "Panicked" | "Routed":
            yield from _way(battle, event, led)
        case "Left":
            hex_ = hex_of(event["at"])
            yield Trace(
                "leave",
                shown_as(battle, event["unit"]),
                (centre(hex_), _beyond(battle, hex_)),
                (event["unit"],),
            )
        case "Thrown" | "Dismounted":
            kind = "thrown" if event["type"] == "Thrown" else "dismount"
            horse, lies = back.hexes(event["horse"]), hex_of(event["at"][0])
            start = min(horse, key=lambda hex_: distance(hex_, lies), default=lies)
            if start != lies:
                yield Trace(
                    kind,
                    shown_as(battle, event["unit"]),
                    (centre(start), centre(lies)),
                    (event["unit"],),
                    (event["horse"],),
                )
        case "Fell" if origin:
            ends = (centre(origin), centre(hex_of(event["at"][0])))
            yield Trace("fall", shown_as(battle, event["unit"]), ends, (event["unit"],))
        case "ThingMoved" if event.get("was"):
            ends = (centre(hex_of(event["was"][0])), centre(hex_of(event["at"][0])))
            yield Trace("roll", _side_of(battle, event["thing"]), ends, (event["thing"],))
        case "RamStruck":
            ram = battle.things.get(event["thing"])
            front = ram.at[:1] if ram is not None else ()
            path = (*(centre(hex_) for hex_ in front), centre(event["at"]))
            yield Trace(
                "strike",
                _side_of(battle, event["thing"]),
                path,
                (event["thing"],),
                (event["at"],),
                _told(event, after),
            )
        case "Bombarded":
            who = tuple(event["by"])
            yield Trace(
                "strike",
                _side_of(battle, who[0]),
                (centre(event["at"]),),
                who,
                (event["at"],),
                _told(event, after),
            )
        case "Shot":
            yield _shot(rules, battle, back, event, after)
        case "Misfired":
            yield from _astray(battle, back, event)
        case "Fought":
            yield _fight(rules, battle, back, event, after)
        case type_ if type_ in (own := family.of(rules).traces):
            yield from own[type_](battle, event)


def _side_of(battle: Battle, thing: str) -> str:
    """Return whose a thing is; empty: it is nobody's, or gone."""
    return battle.things[thing].side if thing in battle.things else ""


def _told(blow: Event, after: Sequence[Event]) -> str:
    """Return what a blow at a wall came to: the die, and the step that the wall is at, if it lost one."""
    roll = next(
        (event for event in after if event["type"] == "Rolled" and event.get("table") == "battering"), None
    )
    if roll is None:
        return ""
    later = after[after.index(roll) + 1 :]
    at_once = later[
        : next(
            (i for i, event in enumerate(later) if event["type"] in ("Rolled", "Bombarded", "RamStruck")),
            len(later),
        )
    ]
    held = any(event["type"] == "WallHeld" and event["at"] == blow["at"] for event in at_once)
    lost = [
        event
        for event in at_once
        if event["type"] == "FeatureChanged" and (event["at"], event["is"]) == (blow["at"], "wall")
    ]
    told = str(roll.get("result", "")).startswith("D") and lost and not held
    return f"{roll['values'][0]}: " + (f"wall at step {lost[-1]['damage']}" if told else "the wall holds")


def shown_as(battle: Battle, unit: str) -> str:
    """Return the side in whose colour a figure is shown: the one that holds it now; a bystander whom nobody
    holds is of none.
    """
    return battle.units[unit].captive_of or (
        BYSTANDERS if unit in battle.field.bystanders else battle.units[unit].side
    )


def _way(battle: Battle, event: Event, led: set[str]) -> Iterator[Trace]:
    """Yield the way of a figure: of one with two hexes the way of its head, and of its tail beside it."""
    path = tuple(centre(hex_of(place)) for place in event["path"])
    tails = tuple(centre(hex_of(place)) for place in event.get("tails") or ())
    if len(path) < 2 or (len(set(path)) < 2 and len(set(tails)) < 2):
        return
    kind = "lead" if event["type"] == "Moved" and event["unit"] in led else WAYS[event["type"]]
    yield Trace(kind, shown_as(battle, event["unit"]), path, (event["unit"],), tails=tails)


def _beyond(battle: Battle, hex_: str) -> Point:
    """Return a point a little off the map, beyond the first side of a hex that has no neighbour on it."""
    outer = (side for side in SIDES if neighbour(hex_, side) not in battle.field.ground)
    (ax, ay), (bx, by) = side_points(hex_, next(outer, SIDES[0]))
    x, y = centre(hex_)
    return x + ((ax + bx) // 2 - x) * 4 // 3, y + ((ay + by) // 2 - y) * 4 // 3


def _shot(rules: Rules, battle: Battle, back: _Back, event: Event, after: Sequence[Event]) -> Trace:
    ends = (centre(event["line"][0]), centre(event["line"][-1]))
    if event["target"] not in battle.units:
        lit = event["result"] == "lit"
        effect, said = ("", "it burns") if lit else ("none", "miss")
    elif back.mounted(battle, event["target"]):
        effect, said = _came_of_it(back, (event["target"],), after)
    else:
        effect = str(rules.tables[family.of(rules).shots.letters]["key"][event["result"]]["foot"])
        said = SAID.get(effect, effect)
    said = "miss" if effect == "none" else said
    side = shown_as(battle, event["shooter"])
    return Trace(
        "shot",
        side,
        ends,
        (event["shooter"],),
        (event["target"],),
        f"{event['roll']}: {said}",
        effect,
        harm=HARM.get(effect, 0),
    )


def _astray(battle: Battle, back: _Back, event: Event) -> Iterator[Trace]:
    """Yield a line to each of the shooter's own men whom his shot hit."""
    start = back.hexes(event["shooter"])
    for id_ in event["hit"]:
        ends = (centre(start[0]), centre(back.hexes(id_)[0]))
        text = f"astray, {event['roll']}: wounded"
        yield Trace(
            "shot",
            shown_as(battle, event["shooter"]),
            ends,
            (event["shooter"],),
            (id_,),
            text,
            "wounded",
            harm=HARM["wounded"],
        )


def _fight(rules: Rules, battle: Battle, back: _Back, event: Event, after: Sequence[Event]) -> Trace:
    attackers, defenders = tuple(event["attackers"]), tuple(event["defenders"])
    path = (*_nearest(back, attackers, defenders), *_nearest(back, defenders, attackers))
    if any(back.mounted(battle, id_) for id_ in defenders):
        effect, said = _came_of_it(back, attackers, after)
        said = f"attacker {said}" if effect != "none" else said
        if effect == "none":
            effect, said = _came_of_it(back, defenders, after)
    else:
        effect, said = _outcome(rules, str(event["result"]))
    text = f"{event['column']}, {event['roll']}: {said}"
    return Trace(
        "fight",
        shown_as(battle, attackers[0]),
        path,
        attackers,
        defenders,
        text,
        effect,
        harm=HARM.get(effect, 0),
    )


def _nearest(back: _Back, these: Sequence[str], those: Sequence[str]) -> Iterator[Point]:
    """Yield one point for each figure: of its hexes the one nearest to the enemy."""
    far = [hex_ for id_ in those for hex_ in back.hexes(id_)]
    for id_ in these:
        if hexes := back.hexes(id_):
            yield centre(
                min(hexes, key=lambda hex_: min((distance(hex_, other) for other in far), default=0))
            )


def _outcome(rules: Rules, code: str) -> tuple[str, str]:
    """Return the effect of a result of melee on foot and the words for it: what the defender suffers, else
    the attacker.
    """
    meaning = rules.tables["combat_foot"]["key"][code]
    if meaning["attacker"] != "none":
        effect = str(meaning["attacker"])
        return effect, f"attacker {SAID.get(effect, effect)}"
    effect = str(meaning["defender"])
    return effect, SAID.get(effect, effect)


def _came_of_it(back: _Back, units: Sequence[str], after: Sequence[Event]) -> tuple[str, str]:
    """Return the gravest effect that a shot or a fight had on some figures and the horses under them, and the
    words for all of it.

    The tables know rider and horse apart; what came of it is what the events behind it say.
    """
    riders, horses = set(units), {back.horse[id_] for id_ in units if id_ in back.horse}
    effects: list[str] = []
    said: list[str] = []
    for event in after:
        unit = event.get("unit")
        if event["type"] == "Thrown" and unit in riders:
            said.append("thrown")
        elif event["type"] == "StateChanged" and unit in riders | horses:
            effect = "killed" if event["is"] == DEAD else str(event["is"])
            effects.append(effect)
            said.append(f"horse {effect}" if unit in horses else effect)
        elif event["type"] == "Retreated" and unit in riders:
            effects.append("retreat")
            said.append(SAID["retreat"])
        elif event["type"] == "Checked" and unit in riders and event.get("since"):
            effects.append("checked")
            said.append(SAID["checked"])
    worst = min(
        effects, key=lambda effect: WORST.index(effect) if effect in WORST else len(WORST), default="none"
    )
    return worst, ", ".join(dict.fromkeys(said)) or SAID["none"]
