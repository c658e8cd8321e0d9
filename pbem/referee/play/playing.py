"""A whole game between bots, through everything a game by mail goes through: orders, check, lock, dice, turn.

It is performed step by step as an example is (``playthrough``), and can be kept as one: its script and the
order files of the bots, which ``pbem record`` plays again. Chance comes from the seed, so the same seed gives
the same game.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from pbem import __version__
from pbem.bots.bot import Bot, UnknownBot, find
from pbem.bots.chance import Chance, words_from
from pbem.referee.game.game import Game, open_game
from pbem.referee.game.refusal import NO, Refused, refuse
from pbem.referee.game.scenario import find_scenario, judge, where_is
from pbem.referee.game.views import known_state
from pbem.referee.play.playthrough import SCRIPT, Playthrough, Script
from pbem.referee.turn.bot_orders import thought
from pbem.referee.turn.go import missing_goes
from pbem.store import disk
from pbem.store.library import scenario_file
from pbem.text.similar import did_you_mean
from pbem.text.written import written

START = "2026-03-01T18:00:00Z"


class Stage(Struct, frozen=True):
    """How far a game between bots is: the phase that is open, or the end."""

    phase: str
    slot: int


class Match(Struct, dict=True):
    """A game between bots that is to be performed: who plays which side, where it lies,
    what was done so far.
    """

    scenario: str
    bots: Mapping[str, Bot]
    seed: str
    name: str
    folder: Path
    """Where script and order files are kept."""
    game: Path
    home: Path
    options: Mapping[str, str] = field(default_factory=dict)
    pictures: bool = False
    steps: list[dict[str, Any]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.chances = {seat: Chance(f"{self.seed}\n{seat}") for seat in self.bots}
        self.luck = {seat: Chance(f"{self.seed}\n{seat}\nluck") for seat in self.bots}
        self.playing = Playthrough(
            Script(self.folder, self.script()), self.game, self.home, pictures=self.pictures
        )

    def script(self) -> dict[str, Any]:
        """Return what ``play.yaml`` says so far."""
        head = {
            "example": self.name,
            "title": f"A game between bots, seed {self.seed}",
            "scenario": self.scenario,
            "game": self.name,
        }
        options = {"options": dict(self.options)} if self.options else {}
        seats = [{"seat": seat, "name": f"the bot {bot.name}"} for seat, bot in self.bots.items()]
        more = {"profile": "joint", "umpire": "true", "engine": __version__, "start": START}
        return {**head, **options, **more, "seats": seats, "steps": self.steps}

    def play(self) -> Iterator[Stage]:
        """Perform the game, yielding before each slot and at the end."""
        self.playing.begin()
        for seat in self.bots:
            self.do({"join": seat, "words": "yes, I play"})
        while not (game := open_game(self.game)).ledger.over:
            announced = game.announced()
            slot = int(announced["slot"])
            yield Stage(str(announced["phase"]), slot)
            for seat in announced["waits"]:
                self.submit(game, seat, slot)
            self.resolve()
        yield Stage("", game.ledger.newest_slot)

    def do(self, step: dict[str, Any]) -> None:
        """Perform one step and remember it."""
        self.playing.perform(step)
        self.steps.append(step)

    def submit(self, game: Game, seat: str, slot: int) -> None:
        """Let a bot write its orders, or its answers, and hand them in."""
        known = known_state(game.ground, game.state, game.sides[seat])
        questions = [question for question in game.questions if question["seat"] == seat]
        data = thought(self.bots[seat], game.ground.rules, known, seat, questions, self.chances[seat])
        file = f"s{slot:03d}-{seat}{'-answer' if questions else ''}.yaml"
        text = written({"seat": seat, "luck": self.words(seat), **data})
        disk.make_folder(self.folder / "orders")
        disk.replace(self.folder / "orders" / file, text.encode())
        self.do({"submit": seat, "file": file})

    def words(self, seat: str) -> str:
        """Return words for the luck of a seat."""
        return words_from(self.luck[seat])

    def resolve(self) -> None:
        """Lock and resolve the slot; a side that is asked for a go gives its words."""
        self.do({"lock": "true"})
        for seat in missing_goes(open_game(self.game)):
            self.do({"go": seat, "luck": self.words(seat)})
        self.do({"resolve": "true"})

    def keep(self) -> None:
        """Write the script beside the order files."""
        disk.replace(self.folder / SCRIPT, written(self.script()).encode())


def match(
    scenario: str,
    named: Mapping[str, str],
    seed: str,
    *,
    out: Path,
    home: Path,
    save: Path | None = None,
    options: Mapping[str, str] | None = None,
    pictures: bool = False,
) -> Match:
    """Return a game between bots that can begin; ``named`` is side -> name of its bot. Refused with
    everything that is wrong.

    The game is made in ``out``; script and order files lie in ``save``, or beside the secrets in ``home``
    where nobody wants them.
    """
    found = find_scenario(scenario)
    ruleset, _, _ = judge(found, options)
    sides = [str(side) for side in found.data["sides"]]
    bots = _bots(sides, named, str(ruleset["id"]))
    for folder, mark in ((out, "ledger"), *(((save, SCRIPT),) if save is not None else ())):
        if (folder / mark).exists():
            raise refuse("game.exists", file=str(folder), path=str(folder))
    stem = str(found.data["scenario"])
    told = "\n".join(
        [
            stem,
            seed,
            *(f"{side} {bot.name}" for side, bot in bots.items()),
            *sorted(map(str, (options or {}).items())),
        ]
    )
    name = f"{stem[:33].strip('-')}-{hashlib.sha256(told.encode()).hexdigest()[:6]}"
    folder = save or home
    where = where_is(scenario)
    named_as = scenario
    if scenario_file(scenario) != where:
        named_as = f"{stem}.yaml"
        for path, data in found.files.items():
            if path.startswith("scenario/"):
                disk.make_folder((folder / path.removeprefix("scenario/")).parent)
                disk.replace(folder / path.removeprefix("scenario/"), data)
    return Match(named_as, bots, seed, name, folder, out, home / "keys", dict(options or {}), pictures)


def _bots(sides: list[str], named: Mapping[str, str], ruleset: str) -> dict[str, Bot]:
    """Return the bot of each side, in the order of the sides; Refused with every side and bot that is not
    known or missing.
    """
    refused: list[Refused] = []
    bots: dict[str, Bot] = {}
    for side, name in named.items():
        if side not in sides:
            refused.append(
                refuse(
                    "play.side",
                    side=side,
                    help=did_you_mean(side, sides) or "the sides are " + ", ".join(sides),
                )
            )
        try:
            bots[side] = find(name, ruleset)
        except UnknownBot as unknown:
            help_ = did_you_mean(name, unknown.known) or "there are " + ", ".join(unknown.known)
            refused.append(refuse("play.bot", bot=name, help=help_))
    for side in sides:
        if side not in named:
            refused.append(refuse("play.nobody", side=side, help=f"add --bot {side}=random"))
    if refused:
        raise Refused([problem for refusal in refused for problem in refusal.problems], answer=NO)
    return {side: bots[side] for side in sides}


def sayings(game: Game) -> Iterator[str]:
    """Yield how a game that is over ended, in words."""
    outcome, words = game.ground.rules.interface.outcome(game.ground.rules, game.state), game.words
    won = "play.draw" if outcome["winner"] == "draw" else "play.won"
    why = ", ".join(filter(None, (outcome["grade"], outcome["why"])))
    yield words.phrase(won, side=outcome["winner"], why=why)

    for side in outcome["sides"]:
        counts = ", ".join(
            f"{value} {key}" for key, value in side.items() if key not in ("side", "score") and value
        )
        yield "  " + words.phrase("play.score", side=side["side"], points=side["score"], counts=counts)
