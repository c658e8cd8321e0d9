"""Opening a tournament: its file, its record, and how its games ended."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path

from msgspec import Struct, field

from pbem.club.course import Course
from pbem.club.tournament import Outcome, Pairing, Withdrawal, forfeited
from pbem.core.normal import nfc
from pbem.core.problem import Problem
from pbem.post.offices.office import FILE as OFFICE
from pbem.post.offices.office import Office
from pbem.post.offices.tournament_file import FILE, Settings, read
from pbem.referee.game.environment import Environment
from pbem.referee.game.refusal import UNDECIDED, Refused, refuse
from pbem.referee.game.scenario import open_file
from pbem.referee.mail.office import Trouble, settings
from pbem.referee.tournament import record as records
from pbem.referee.tournament.record import Draws, game_of
from pbem.referee.tournament.results import Ended, results
from pbem.store import draws as store
from pbem.store.library import common_words, schema
from pbem.text import shape
from pbem.text.located import Located, locate


class Tournament(Struct, frozen=True, dict=True):
    """A tournament at a moment: its folder, its file, its record, the games of its office by their names.

    ``office`` is None where it lies in none: whoever has nothing but its two files can still ask how it was
    paired, and results are those of the newest round.
    """

    folder: Path
    settings: Settings
    draws: Draws
    office: Office | None = None
    games: Mapping[str, Ended] = field(default_factory=dict)
    troubles: tuple[Trouble, ...] = ()

    @property
    def id(self) -> str:
        """Return its name among tournaments and games."""
        return self.draws.id

    @property
    def root(self) -> Path:
        """Return the folder of the office."""
        return self.folder.parent

    @cached_property
    def names(self) -> Mapping[str, str]:
        """Return what entrants are called."""
        if self.draws.closed is not None:
            return {one.player: one.name for one in self.draws.closed.entrants}
        known = self.office.players if self.office is not None else {}
        return {who: known[who].name if who in known else who for who in self.settings.entrants}

    def name(self, player: str) -> str:
        """Return what somebody is called."""
        return self.names.get(player, player)

    def game(self, one: Pairing) -> Ended | None:
        """Return the game of a pairing."""
        return self.games.get(game_of(self.id, one))

    @cached_property
    def gone(self) -> tuple[Withdrawal, ...]:
        """Return who plays no more: as the record says of rounds that are paired, else as the file does."""
        latest = self.draws.rounds[-1].gone if self.draws.rounds else ()
        known = {one.player for one in latest}
        return (*latest, *(one for one in self.settings.withdrawn if one.player not in known))

    @cached_property
    def course(self) -> Course:
        """Return how it goes; only after lots were drawn."""
        return self.draws.course(dict(self._played()), self.gone)

    def _played(self) -> Iterator[tuple[tuple[int, int], Outcome]]:
        assert self.draws.closed is not None
        if self.office is None:
            yield from (self.draws.rounds[-1].outcomes if self.draws.rounds else {}).items()
            return
        forfeits = {(one.round, one.player) for one in self.settings.forfeits}
        for one in self.draws.pairings:
            if one.is_bye:
                continue
            game = self.game(one)
            outcome = game.outcome(self.draws.closed.sides) if game is not None else None
            lost = [who for who in (one.first, one.second) if (one.round, who) in forfeits]
            if outcome is None and lost:
                outcome = forfeited(one, lost)
            if outcome is not None:
                yield one.key, outcome


def folders(root: Path) -> Iterator[Path]:
    """Yield the folders of an office in which there is a tournament, by name."""
    with os.scandir(root) as entries:
        listed = sorted(entry.name for entry in entries if entry.is_dir(follow_symlinks=False))
    yield from (root / name for name in listed if (root / name / store.FILE).is_file())


def opened(env: Environment, folder: Path, *, whatever: bool = False) -> Tournament:
    """Return a tournament; Refused with everything that is wrong with its file, and where its record is not
    as it was written, or (unless ``whatever``) a round does not follow from what stands before it.
    """
    draws = draws_of(folder)
    if not whatever and (wrong := records.unfair(draws)):
        said = common_words().phrase("tournament.found-pairs", round=wrong[0])
        raise refuse("tournament.unfair", file=str(folder), said=said)
    root = folder.resolve().parent
    office = settings(root) if (root / OFFICE).is_file() else None
    found = file_of(folder, office, draws)
    troubles: list[Trouble] = []
    games: Mapping[str, Ended] = {}
    if draws.rounds and office is not None:
        games = results(env, root, troubles)
    return Tournament(folder, found, draws, office, games, tuple(troubles))


def draws_of(folder: Path) -> Draws:
    """Return the record of a tournament; Refused where there is none, or it is not as it was written."""
    data = store.read(folder) if folder.is_dir() else None
    if data is None:
        raise refuse("tournament.none", answer=UNDECIDED, file=str(folder), path=str(folder))
    try:
        return records.read(data)
    except records.Broken as broken:
        code = f"tournament.record-{broken.why}"
        said = common_words().problem(code, {})
        raise Refused(located=[Located(str(folder / store.FILE), broken.line, 1, code, said)]) from None


def file_of(folder: Path, office: Office | None, draws: Draws) -> Settings:
    """Return what the file of a tournament says; Refused with everything that is wrong with it.

    Where entries are closed nothing that was fixed then may be otherwise.
    """
    place = folder / FILE
    form = shape.load(schema("tournament"), text=False)
    found, source = read(open_file(place), str(place), form, office.players if office is not None else None)
    problems = list(source.problems)
    if found is not None:
        problems += _changed(found, draws)
    if found is None or problems:
        raise Refused(located=locate(source, problems, common_words()))
    return found


def _changed(found: Settings, draws: Draws) -> Iterator[Problem]:
    """Yield what of a file is not as it was fixed, and what is written too early or too late."""
    closed = draws.closed
    if closed is None:
        for key in ("withdrawn", "forfeits"):
            if getattr(found, key):
                yield Problem("tournament.early", {}, (key,), key=True)
        return
    was, now = closed.terms, found.terms
    fixed: list[tuple[str, object, object]] = [
        ("name", closed.name, nfc(found.name)),
        ("scenario", closed.scenario, nfc(found.scenario)),
        ("entrants", tuple(one.player for one in closed.entrants), found.entrants),
        *((key, getattr(was, key), getattr(now, key)) for key in was.__struct_fields__),
    ]
    for key, before, after in fixed:
        if before != after:
            said = ", ".join(map(str, before)) if isinstance(before, tuple) else before
            if key == "points":
                said = ", ".join(f"{one} {getattr(before, one)}" for one in was.points.__struct_fields__)
            yield Problem("tournament.changed", {"key": key, "was": str(said)}, (key,))
    for n, one in enumerate(found.forfeits):
        if one.round > len(draws.rounds):
            yield Problem("tournament.no-round", {"round": one.round}, ("forfeits", n, "round"))
    noted = {one.player: one.after for one in (draws.rounds[-1].gone if draws.rounds else ())}
    for n, gone in enumerate(found.withdrawn):
        if gone.player in noted and noted[gone.player] != gone.after:
            yield Problem(
                "tournament.gone-since",
                {"player": gone.player, "after": noted.pop(gone.player)},
                ("withdrawn", n, "after"),
            )
        noted.pop(gone.player, None)
    for player in noted:
        yield Problem("tournament.gone-back", {"player": player, "after": noted[player]})
