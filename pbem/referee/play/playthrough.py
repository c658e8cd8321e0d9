"""Plays an example from its script through the real use cases, for the demo, for ``make record`` and for the
tests.

An example is a folder:

    play.yaml        the script
    orders/          order files of the players, plain YAML
    keys/            marked test keys: gm.key, blue.key …  (OpenSSH), gm.chain, blue.chain … (32 bytes in hex)

``play.yaml``:

    example: alder-ford
    title: words for the demo
    scenario: alder-ford                 # a name, or a file beside this one
    game: alder-ford-0a1b2c              # the name of the game
    protocol: pd1.0                      # or pd1.1: what the dice are fixed by; a new game has pd1.1
    later-tables: [movement]             # tables that pbem did not have yet: the manifest does not name them
    profile: joint                       # or gm
    umpire: false                        # true: every seat is a player's
    me: east                             # the seat of the one who runs the program; default the first
    options: {}
    engine: 0.1.0                        # written into the manifest instead of this program's own digest (see
    below) seats:
    - {seat: east, name: Ada}
    - {seat: west, name: Ben, key: west}           # keys/west.key; a seat without a key joins with words
    start: 2026-02-01T10:00:00Z          # the clock; every step moves it on by 60 minutes, or by its own
    `after: N minutes` steps:
    - {join: west}                       # with its key, or `words: yes, I play`
    - {submit: west, file: s01-west.yaml}          # with a key: signed first; `draft: true`
    - {submit: west, file: late.yaml, refused: lock.late}   # a mistake that people make: the step has to be
      refused with that code
    - {lock: true}                       # `deadline: true` uses the last drafts
    - {go: east, luck: seven drunken herons}
    - {resolve: true}

Everything that is left to chance elsewhere (salts, new secrets) is drawn here from the name of the game, so
that the same script gives the same bytes. That is fit for an example only: such values are known to all. The
manifest names the engine, the manifest makes the salt, the salt the dice: with its true digest every change
of a comment would roll other dice, and no order file would fit any more.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from pbem.core.problem import Problem
from pbem.proof.known import CHAINS, TREES
from pbem.proof.signing import BadKey, load_private, public_of
from pbem.referee.game.environment import Environment
from pbem.referee.game.game import open_game
from pbem.referee.game.refusal import Refused, refuse
from pbem.referee.game.scenario import open_file
from pbem.referee.turn.admit import admit, admit_words
from pbem.referee.turn.go import make_go, take_go, take_words
from pbem.referee.turn.join import join
from pbem.referee.turn.lock import lock
from pbem.referee.turn.new import INVITATION, SeatWish, new
from pbem.referee.turn.resolve import resolve
from pbem.referee.turn.sign import sign_orders
from pbem.referee.turn.submit import submit
from pbem.store.keys import Keyring
from pbem.store.library import common_words, engine, schema
from pbem.text import shape
from pbem.text.located import locate
from pbem.text.source import FILES, read

SCRIPT = "play.yaml"
VERBS = ("join", "submit", "lock", "go", "resolve")
_TIME = "%Y-%m-%dT%H:%M:%SZ"


class _Clock(Struct):
    """A clock that stands still until it is moved."""

    moment: datetime

    def __call__(self) -> str:
        return self.moment.strftime(_TIME)


class _Chance(Struct):
    """Bytes that depend on the name of the game and on how often they were asked for."""

    game: str
    count: int = 0
    given: list[bytes] = field(default_factory=list)

    def __call__(self, size: int) -> bytes:
        if self.given:
            return self.given.pop(0)
        self.count += 1
        return hashlib.shake_256(f"pbem example\n{self.game}\n{self.count}\n".encode()).digest(size)


class Script(Struct, frozen=True):
    """An example, read."""

    folder: Path
    data: Mapping[str, Any]

    @property
    def steps(self) -> list[Mapping[str, Any]]:
        """Return the steps."""
        return [dict(step) for step in self.data.get("steps", ())]

    @property
    def game(self) -> str:
        """Return the name of the game."""
        return str(self.data.get("game", ""))

    def text(self, key: str, default: str = "") -> str:
        """Return a text of the script."""
        return str(self.data.get(key, default))


def read_script(folder: Path) -> Script:
    """Read an example's script; Refused with every problem of form."""
    path = folder / SCRIPT
    source = read(open_file(path), str(path), limits=FILES)
    problems = list(source.problems)
    data = source.data
    if isinstance(data, Mapping) and not problems:
        problems += shape.load(schema("play")).check(data)
        if not problems:
            problems += [
                Problem("script.step", {}, ("steps", n), help="one of " + ", ".join(VERBS))
                for n, entry in enumerate(data["steps"])
                if sum(verb in entry for verb in VERBS) != 1
            ]
    elif not problems:
        problems.append(Problem("script.form"))
    if problems:
        raise Refused(located=locate(source, problems, common_words()))
    assert isinstance(data, Mapping)
    return Script(folder, data)


class Step(Struct, frozen=True):
    """A step that was played: how manyth of how many, and what it was in words."""

    number: int
    of: int
    said: str


class Playthrough:
    """One performance of a script into a game folder; ``home`` holds the secrets of all who take part."""

    def __init__(self, script: Script, game: Path, home: Path, *, pictures: bool = True) -> None:
        self.script = script
        self.game = game
        self.pictures = pictures
        self.clock = _Clock(datetime.strptime(script.text("start"), _TIME))
        self.chance = _Chance(script.game)
        self.env = Environment(
            Keyring(home), self.clock, self.chance, self._engine if "engine" in script.data else engine
        )
        self.keys = {str(seat["seat"]): str(seat["key"]) for seat in script.data["seats"] if "key" in seat}

    def _engine(self) -> Mapping[str, str]:
        said = f"pbem example {self.script.text('engine')}"
        return {
            "name": "pbem",
            "version": self.script.text("engine"),
            "sha256": hashlib.sha256(said.encode()).hexdigest(),
        }

    def _key(self, name: str) -> Any:
        path = self.script.folder / "keys" / f"{name}.key"
        try:
            return load_private(open_file(path))
        except BadKey as bad:
            raise refuse(f"keys.{bad.reason}", file=str(path)) from None

    def _chain(self, name: str) -> bytes | None:
        path = self.script.folder / "keys" / f"{name}.chain"
        if not path.is_file():
            return None
        text = open_file(path).strip()
        if not re.fullmatch(rb"[0-9a-f]{64}", text):
            raise refuse("script.chain", file=str(path))
        return bytes.fromhex(text.decode())

    def begin(self) -> None:
        """Make the game."""
        script = self.script
        wishes = []
        for seat in script.data["seats"]:
            key = public_of(self._key(str(seat["key"]))).line if "key" in seat else None
            side = str(seat.get("side", seat["seat"]))
            wishes.append(
                SeatWish(
                    str(seat["seat"]),
                    side,
                    str(seat.get("name", seat["seat"])),
                    key,
                    str(seat.get("go", "needed")),
                )
            )

        if (self.script.folder / "keys" / "gm.key").is_file():
            self.chance.given.append(self._key("gm").private_bytes_raw())
            secret = self._chain("gm")
            self.chance.given += [secret] if secret is not None else []

        beside = script.folder / script.text("scenario")
        new(
            self.env,
            str(beside) if beside.is_file() else script.text("scenario"),
            self.game,
            wishes,
            me=script.data.get("me"),
            umpire=script.text("umpire") == "true",
            profile=script.text("profile", "joint"),
            options={str(k): str(v) for k, v in dict(script.data.get("options") or {}).items()},
            name=script.game,
            revision=CHAINS if script.text("protocol") == "pd1.0" else TREES,
            later=[str(name) for name in script.data.get("later-tables") or ()],
        )

    def play(self) -> Iterator[Step]:
        """Perform the script, yielding each step when it is done; Refused names the step that could not be
        done.
        """
        steps = self.script.steps
        self.begin()
        yield Step(0, len(steps), "new")
        for number, step in enumerate(steps, 1):
            verb = next(verb for verb in VERBS if verb in step)
            wanted = str(step.get("refused", ""))
            try:
                self.perform(step)
            except Refused as refusal:
                refusal.file = refusal.file or f"{self.script.folder / SCRIPT} (step {number}: {verb})"
                if not wanted or wanted not in str(refusal):
                    raise
            else:
                if wanted:
                    raise refuse(
                        "script.accepted", file=str(self.script.folder / SCRIPT), step=number, wanted=wanted
                    )
            yield Step(number, len(steps), f"{verb} {step[verb]}" if step[verb] != "true" else verb)

    def perform(self, step: Mapping[str, Any]) -> None:
        """Perform one step, after moving the clock on."""
        self.clock.moment += timedelta(minutes=int(str(step.get("after", "60 minutes")).split()[0]))
        acts: Mapping[str, Callable[[Mapping[str, Any]], object]] = {
            "join": self._join,
            "submit": self._submit,
            "lock": lambda step: lock(self.env, self.game, deadline=step.get("deadline") == "true"),
            "go": self._go,
            "resolve": self._resolve,
        }
        acts[next(verb for verb in VERBS if verb in step)](step)

    def _join(self, step: Mapping[str, Any]) -> None:
        seat = str(step["join"])
        if seat not in self.keys:
            admit_words(self.env, self.game, seat, str(step.get("words", "yes, I play")))
            return
        secret = self._chain(self.keys[seat])
        if secret is not None:
            self.chance.given.append(secret)
        joined = join(self.env, self.game / INVITATION, self._key(self.keys[seat]), seat)
        self.chance.given.clear()
        admit(self.env, self.game, joined.letter)

    def _submit(self, step: Mapping[str, Any]) -> None:
        seat = str(step["submit"])
        path = self.script.folder / "orders" / str(step["file"])
        data = open_file(path)
        signature = None
        if seat in self.keys:
            game = open_game(self.game)
            draft = step.get("draft") == "true"
            signed = sign_orders(
                self.env,
                game,
                str(path),
                data,
                self._key(self.keys[seat]),
                seat=seat,
                draft=draft,
                meant=True,
            )
            data, signature = signed.data, signed.signature.encode()
        submit(self.env, self.game, str(path), data, signature, seat=seat, auto_lock=False, meant=True)

    def _resolve(self, step: Mapping[str, Any]) -> None:
        resolve(self.env, self.game, deadline=step.get("deadline") == "true", pictures=self.pictures)

    def _go(self, step: Mapping[str, Any]) -> None:
        seat = str(step["go"])
        if seat not in self.keys:
            take_words(self.game, str(step.get("luck", "")), seat)
            return
        luck = str(step["luck"]) if "luck" in step else None
        take_go(
            self.game, make_go(self.env, open_game(self.game), self._key(self.keys[seat]), seat, luck).letter
        )
