"""A game as a row of moments: each event that is told, in the words of the report, and what the map shows
after it.

Decides what belongs to one moment, and what a side gets to see of the game; which states there are is
``again``, how moments are shown is decided by whoever asks for them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from pbem.core.scene import Scene
from pbem.core.sequence import Cursor
from pbem.referee.explain.draw import scene_of, state_of
from pbem.referee.game.game import Game
from pbem.referee.game.refusal import UNDECIDED, refuse
from pbem.referee.game.views import known_events, side_of
from pbem.referee.proving.replayed_slots import Watch, played_again, slots_of
from pbem.text.report import lines
from pbem.text.teller import Teller
from pbem.text.when import capital, of_turn
from pbem.text.words import Words

Event = Mapping[str, Any]
_MARKS: Final = frozenset(
    {"OrderRead", "OrderSkipped", "PhaseBegan", "PhaseEnded", "TurnBegan", "DayBegan", "Instructed", "Said"}
)
"""Events behind which something new goes on."""
BEGAN: Final = "PhaseBegan"
"""The type with which a phase begins, in games that tell so: what follows counts from it."""
SAID: Final = "Said"
"""The type of what a player wrote; it is shown as his words."""


class Step(Struct, frozen=True):
    """An event as a side learns of it: in which slot, and the state after it."""

    slot: int
    event: Event
    after: Any


class Telling(Struct, frozen=True):
    """What is told of one step of a run: the number of the step, the sentence, and the roll
    it is told with.
    """

    step: int
    text: str
    roll: Event | None
    matters: bool = False


class Run(Struct, frozen=True):
    """What a side learns of one phase, whatever slots it was played in; ``title`` is its heading, ``turn``
    that of its turn.
    """

    cursor: Cursor
    title: str
    turn: str
    steps: tuple[Step, ...]
    told: tuple[Telling, ...]


class Moment(Struct, frozen=True):
    """An event that is told, and the map after it.

    ``number`` counts those of its slot from 1; the start has the number 0.
    """

    slot: int
    number: int
    telling: Telling | None
    event: Event
    scene: Scene


class Story:
    """A game as one seat knows it (None: as the umpire does), or some of its slots."""

    def __init__(
        self, game: Game, seat: str | None = None, wanted: Callable[[int], bool] = lambda slot: True
    ) -> None:
        self.game = game
        self.side = side_of(game, seat)
        self.slots = [number for number in slots_of(game) if wanted(number)]
        if not self.slots:
            raise refuse("replay.no-slots", answer=UNDECIDED, newest=game.ledger.state_slot)
        self._names: dict[str, str] = {}
        self._numbers: dict[int, int] = {}
        self._marked = False

    @cached_property
    def start(self) -> Moment:
        """Return the moment before anything that is told."""
        before = max((number for number in slots_of(self.game) if number < self.slots[0]), default=0)
        return Moment(before, 0, None, {}, self.scene(state_of(self.game, before)[1]))

    def scene(self, state: Any, events: Sequence[Event] = ()) -> Scene:
        """Return what the side sees, and remember who is there by what name."""
        found = scene_of(self.game.ground, state, events, self.game.ground.title, self.side)
        self._names.update(found.names())
        return found

    @cached_property
    def _teller(self) -> Teller:
        sides = {look.side: look.name for look in self.start.scene.sides}
        sides |= {seat: sides.get(side, seat) for seat, side in self.game.sides.items()}
        return Teller(self.game.words, self._names, sides, self.game.ground.rules.telling)

    def runs(self, watch: Watch | None = None) -> Iterator[Run]:
        """Yield every phase in which the side learns something, played again; ``watch`` is
        told of each slot.
        """
        cursor_of = self.game.ground.rules.interface.cursor
        wanted, cursor, steps = frozenset(self.slots), Cursor(""), list[Step]()
        for played in played_again(self.game, self.slots[-1], watch):
            for happened in played.happened if played.number in wanted else ():
                at = cursor_of(happened.before)
                if at != cursor:
                    yield from self._run(cursor, steps)
                    cursor, steps = at, []
                learnt = known_events(self.game.ground, happened.after, [happened.event], self.side)
                self._marked |= any(event["type"] == BEGAN for event in learnt)
                steps += [Step(played.number, event, happened.after) for event in learnt]
        yield from self._run(cursor, steps)

    def _run(self, cursor: Cursor, steps: Sequence[Step]) -> Iterator[Run]:
        if not steps:
            return
        # who is there then has a name in what is told
        (self.start, self.scene(steps[0].after), self.scene(steps[-1].after))
        teller, events = self._teller, [step.event for step in steps]
        place = {id(event): n for n, event in enumerate(events)}
        told = [
            Telling(place[id(line.event)], line.text, line.roll, teller.matters(line.event))
            for line in lines(events, teller, self.game.words)
        ]
        told += [
            Telling(n, str(event.get("text", "")), None)
            for n, event in enumerate(events)
            if event["type"] == SAID
        ]
        told = sorted((line for line in told if line.text.strip()), key=lambda line: line.step)
        if told:
            began = {"phase": cursor.phase, "turn": cursor.turn, "side": cursor.side, "day": cursor.day}
            yield Run(
                cursor,
                teller.phase_title(began, cursor.phase),
                turn_title(cursor, self.game.words),
                tuple(steps),
                tuple(told),
            )

    def who(self, seat: object) -> str:
        """Return the name of a seat, as the side that it plays is called."""
        return self._teller.side(seat)

    def moments(self, run: Run) -> Iterator[Moment]:
        """Yield the moments of a phase.

        What came of a shot or a fight is written on its line on the map from the first.
        """
        events = [step.event for step in run.steps]
        began = [{"type": BEGAN, "phase": run.cursor.phase, "n": _first(events) - 1}] if self._marked else []
        for deed, told in _deeds(run, self.game.ground.rules.telling.deeds):
            scenes = [
                self.scene(run.steps[line.step].after, [*began, *events[deed : line.step + 1]])
                for line in told
            ]
            for line, scene in zip(told, scenes, strict=True):
                slot = run.steps[line.step].slot
                number = self._numbers[slot] = self._numbers.get(slot, 0) + 1
                yield Moment(slot, number, line, events[line.step], _foretold(scene, scenes[-1]))


def _first(events: Sequence[Event]) -> int:
    """Return the number of the first event of a phase; what took force before it has numbers too."""
    return next((int(event.get("n", 1)) for event in events if event["type"] not in ("Instructed", SAID)), 1)


def turn_title(cursor: Cursor, words: Words) -> str:
    """Return the heading of the turn that a phase belongs to."""
    return capital(of_turn(words, cursor))


def _deeds(run: Run, types: frozenset[str] | None) -> Iterator[tuple[int, list[Telling]]]:
    """Yield where each deed begins, and what is told of it with its roll, and all that came of it; ``types``
    begin one, None: all.
    """
    told = {line.step: line for line in run.told}
    deciding = {
        id(line.roll)
        for line in run.told
        if line.roll is not None and line.roll is not run.steps[line.step].event
    }
    start, found = 0, list[Telling]()
    for n, step in enumerate(run.steps):
        event = step.event
        of_its_own = id(event) in deciding or (
            (types is None or event["type"] in types) and int(event.get("cause", -1)) < 0
        )
        if event["type"] in _MARKS or (found and of_its_own):
            if found:
                yield start, found
            start, found = n, []
        if n in told:
            found.append(told[n])
    if found:
        yield start, found


def _foretold(scene: Scene, last: Scene) -> Scene:
    """Return a scene whose traces say of themselves what they say when all is over."""
    ours = [(trace.kind, trace.path, trace.actors) for trace in scene.traces]
    later = [(trace.kind, trace.path, trace.actors) for trace in last.traces[: len(ours)]]
    return replace(scene, traces=last.traces[: len(ours)]) if ours == later else scene
