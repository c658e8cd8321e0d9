"""A small game master for tests: he writes honest archives, or whatever a test makes of his records, and
signs it all.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from pbem.proof import archive as names
from pbem.proof import records
from pbem.proof.archive import MemoryArchive
from pbem.proof.canonical import decode, encode, record_id
from pbem.proof.dice_protocol import Chain, SeededDice, luck_value, normal_words, salt, seed
from pbem.proof.known import CHAINS, TREES, Value
from pbem.proof.orderfile import write
from pbem.proof.patching import patched
from pbem.proof.records import Record
from pbem.proof.ruled import act_of
from pbem.proof.signing import public_of, sign
from pbem.proof.trees import Tree

GAME = "siege-0a1b2c"
SMALL_ORDER = (
    "ssh-ed25519 "
    f"{base64.b64encode(bytes([0, 0, 0, 11]) + b'ssh-ed25519' + bytes([0, 0, 0, 32]) + bytes(32)).decode()}"
)
"""A line of a key that is none: its point is not of prime order."""
Change = Callable[[Record], Any] | None
_revision = [TREES]


@contextmanager
def played_in(revision: int) -> Iterator[None]:
    """Let whoever plays now play in an older revision of the protocol."""
    _revision.append(revision)
    try:
        yield
    finally:
        _revision.pop()


def in_trees() -> bool:
    return _revision[-1] == TREES


def digest(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()


def private(name: str) -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(digest(f"test key {name}"))


_NAMED: dict[str, str] = {}


def line(name: str) -> str:
    made = public_of(private(name)).line
    _NAMED[made] = name
    return made


def secret(who: str) -> bytes:
    return digest(f"test chain {who}")


def chain(game: str, who: str) -> Chain:
    return Chain(secret(who), game, who)


def tree(game: str, who: str) -> Tree:
    return Tree(secret(who), game, who)


def player(name: str, key: bool = True, **more: str) -> dict[str, str]:
    made = {"seat": name, "side": name, "by": "player", **more}
    return {**made, "key": line(name)} if key else made


def gm_seat(name: str) -> dict[str, str]:
    return {"seat": name, "side": name, "by": "gm"}


class Referee:
    """Writes the records of one game into ``archive``; ``change`` arguments tamper with a record before it is
    signed.
    """

    def __init__(
        self,
        seats: Sequence[Mapping[str, str]],
        profile: str = "joint",
        chains: Sequence[str] = (),
        game: str = GAME,
        beacon: Mapping[str, Any] | None = None,
        recovering: Sequence[str] = (),
    ) -> None:
        self.game = game
        self.revision = _revision[-1]
        self.last: dict[str, int | None] = {}
        self.recovering = tuple(recovering)
        self.signs: dict[str, str] = {}
        """With whose key who signs, where it is not his first one; ``coming`` holds from the next
        announcement on.
        """
        self.coming: dict[str, str] = {}
        self.signers: list[tuple[str, str]] = []
        self.recoverers: list[tuple[str, str]] = []
        self.sources: dict[str, Tree | Chain] = {}
        self.renewed: dict[str, Tree | Chain] = {}
        self.profile = profile
        self.seats = {seat["seat"]: dict(seat) for seat in seats}
        self.chains = tuple(chains)
        self.archive = MemoryArchive()
        self.beacon = beacon
        self.n = 0
        self.head = ""
        self.clock = 0
        self.next: Record | None = None
        self.next_id = ""
        self.slot = 0
        self.lock_id = ""
        self.entries: dict[str, tuple[str | None, str]] = {}
        self.given: dict[str, tuple[Value | None, str | None]] = {}
        self.files: dict[str, bytes] = {}
        self.seed = b""
        self.states: dict[int, str] = {}
        self.state_now, self.kept = "", []
        self.before: dict[int, tuple[Record, str, list[Record]]] = {}
        self.line: dict[str, int] = {}

    # small things

    @property
    def outside(self) -> list[str]:
        return sorted(name for name, seat in self.seats.items() if seat["by"] == "player")

    def fixed(self, who: str) -> str:
        """Return what fixes the values of a party from its join on."""
        return chain(self.game, who).anchor if self.revision == CHAINS else tree(self.game, who).root

    def value(self, who: str, slot: int) -> Value:
        """Return the right value of a party for a slot, with its path."""
        source = self.sources.get(who) or (chain if self.revision == CHAINS else tree)(self.game, who)
        return Value(
            source.value(slot), source.path(slot, self.last.get(who)) if isinstance(source, Tree) else ()
        )

    def renew(self, who: str, name: str = "second", revision: int = 0) -> dict[str, str]:
        """Return what fixes new values of a party from its rekey on; from the next announcement on it gives
        those.
        """
        if (revision or self.revision) == TREES:
            new = self.renewed[who] = Tree(digest(f"{name} secret {who}"), self.game, who)
            return {"root": new.root}
        old = self.renewed[who] = Chain(digest(f"{name} secret {who}"), self.game, who)
        return {"anchor": old.position(self.slot)}

    def at(self) -> str:
        self.clock += 1
        return f"2026-02-01T{self.clock // 60:02d}:{self.clock % 60:02d}:00Z"

    def put(self, path: str, data: bytes, who: str | None = None, namespace: str = "") -> None:
        self.archive[path] = data
        if who is not None:
            self.archive[names.sig_path(path)] = sign(
                private(self.signs.get(who, who)), namespace, data
            ).encode()

    def ledger(
        self, record: Record, change: Change = None, slot: int | None = None, path: str | None = None
    ) -> str:
        if change is not None:
            change(record)
        data = encode(record)
        self.n += 1
        where = path or names.ledger_path(self.n, record["type"], slot)
        self.put(where, data, "gm", names.gm_namespace(self.game))
        self.head = record_id(data)
        if "next" in record or record["type"] in ("result", "undo", "rule", "correct"):
            self.next, self.next_id = record.get("next"), self.head
            self.state_now, self.kept = record["state"], record.get("kept", [])
            self.sources |= self.renewed
            self.last |= dict.fromkeys(self.renewed)
            self.renewed = {}
            self.signs |= self.coming
            for name in self.coming:
                self.seats[name]["key"] = line(self.coming[name])
            self.coming = {}
        return self.head

    def common(self) -> dict[str, Any]:
        return {"game": self.game, "n": self.n + 1, "prev": self.head, "at": self.at()}

    def announce(self, phase: str, waits: Sequence[str], **more: Any) -> Record:
        value = "go" if any(self.seats[name]["by"] == "gm" for name in waits) else "early"
        return records.announce(slot=self.slot + 1, phase=phase, waits=waits, value=value, **more)

    def state(self, slot: int) -> str:
        data = encode({"format": 1, "slot": slot})
        self.put(names.state_path(slot), data)
        self.states[slot] = hashlib.sha256(data).hexdigest()
        return self.states[slot]

    # the records

    def open(
        self,
        phase: str,
        waits: Sequence[str],
        *,
        manifest: Change = None,
        join: Mapping[str, Change] | None = None,
        start: Change = None,
    ) -> Referee:
        for path in ("scenario/brackwater.yaml", "tables/combat.yaml"):
            self.put(path, f"# {path}\n".encode())
        made = records.manifest(
            game=self.game,
            at=self.at(),
            key=line("gm"),
            root=self.fixed("gm"),
            revision=self.revision,
            engine={"name": "pbem", "version": "0.1.0", "sha256": "0" * 64},
            files={path: hashlib.sha256(data).hexdigest() for path, data in sorted(self.archive.items())},
            ruleset={"id": "siege", "modules": ["castle"], "options": {}, "revision": 1},
            seats=list(self.seats.values()),
            profile=self.profile,
            beacon=self.beacon,
        )
        self.manifest_id = self.ledger(made, manifest)
        self.signers = [
            ("gm", line("gm")),
            *sorted((name, seat["key"]) for name, seat in self.seats.items() if "key" in seat),
        ]
        self.recoverers = [(name, line(f"{name} recovery")) for name in sorted(self.recovering)]
        self.write_signers()
        joins = {}
        for name in self.outside:
            root = self.fixed(name) if name in self.chains else None
            words = None if root else "yes, I play"
            paper = records.join(
                game=self.game,
                seat=name,
                manifest_id=self.manifest_id,
                root=root,
                words=words,
                revision=self.revision,
            )
            if name in self.recovering:
                paper["recovery"] = line(f"{name} recovery")
            change = (join or {}).get(name)
            if change is not None:
                change(paper)
            data = encode(paper)
            who = name if "key" in self.seats[name] else None
            self.put(names.join_path(name), data, who, names.join_namespace(self.game, name))
            joins[name] = record_id(data)
        self.seed = salt(self.game, self.manifest_id, joins)
        following = self.announce(phase, waits)
        made = records.start(**self.common(), joins=joins, state=self.state(0), following=following)
        self.ledger(made, start)
        return self

    def order(
        self,
        seat: str,
        yaml: str = "move:\n- hob 0412\n",
        *,
        x: bool | str | Value = False,
        luck: str | None = None,
        **header: Any,
    ) -> bytes:
        """Write an order file for the open slot into the archive; ``x`` True is the right value."""
        slot = self.slot + 1
        value = self.value(seat, slot) if x is True else Value(x) if isinstance(x, str) else x or None
        fields = {
            "game": self.game,
            "slot": slot,
            "seat": seat,
            "head": self.next_id,
            "salt": digest(f"salt {seat} {slot}").hex()[:32],
            "yaml": yaml.encode(),
            "value": value,
            "luck": luck,
            **header,
        }
        data = write(**fields)
        self.files[seat] = data
        self.given[seat] = (value, None if luck is None else normal_words(luck))
        path = names.orders_path(seat, slot)
        who = seat if "key" in self.seats[seat] else None
        self.put(path, data, who, names.orders_namespace(self.game, slot, seat, fields["head"]))
        return data

    def lock(self, change: Change = None, **x: str) -> str:
        """Lock what was ordered; ``x`` says early, go or none of a seat, by default early for files with a
        value.
        """
        self.slot += 1
        self.before[self.slot] = (dict(self.next or {}), self.state_now, self.kept)
        self.entries = {}
        for name in self.seats:
            data = self.files.get(name)
            early = any(value is not None for value in self.given.get(name, ()))
            sha512 = None if data is None else hashlib.sha512(data).hexdigest()
            self.entries[name] = (sha512, x.get(name, "early" if early else "none"))
        made = records.lock(**self.common(), slot=self.slot, entries=self.entries)
        self.lock_id = self.ledger(made, change, self.slot)
        return self.lock_id

    def go(self, seat: str, luck: str | None = None, *, change: Change = None, **fields: Any) -> None:
        """Answer the lock: with the right value, or with words."""
        value = self.value(seat, self.slot) if luck is None else None
        words = None if luck is None else normal_words(luck)
        self.given[seat] = (value, words)
        if "key" not in self.seats[seat]:
            return
        lock_id = fields.get("lock_id", self.lock_id)
        made = records.go(game=self.game, seat=seat, slot=self.slot, lock_id=lock_id, value=value, luck=words)
        if change is not None:
            change(made)
        namespace = names.go_namespace(self.game, self.slot, seat, lock_id)
        self.put(names.go_path(seat, self.slot), encode(made), seat, namespace)

    def result(
        self,
        rolls: Sequence[tuple[str, int, int]] = (),
        *,
        phases: Sequence[str] | None = None,
        following: tuple[str, Sequence[str]] | None = None,
        questions: Sequence[Mapping[str, Any]] = (),
        kept: Sequence[tuple[str, int]] = (),
        change: Change = None,
        log: Callable[[list[Record]], Any] | None = None,
        values: Callable[[dict[str, Value | None], dict[str, str]], Any] | None = None,
        key: bytes | None = None,
        beacon: Record | None = None,
    ) -> str:
        """Resolve the lock; ``rolls`` are label, sides, count.

        ``values`` tampers with values and words before the seed.
        """
        given: dict[str, Value | None] = {"gm": self.value("gm", self.slot)}
        words: dict[str, str] = {}
        for name in self.outside:
            value, luck = self.given.get(name, (None, None))
            if self.entries[name][1] == "none" or (value is None and luck is None):
                given[name] = None
            elif luck is not None:
                words[name] = luck
            else:
                given[name] = value
        if values is not None:
            values(given, words)
        every = {name: "-" if value is None else value.x for name, value in given.items()}
        every |= {name: luck_value(self.game, name, self.slot, luck) for name, luck in words.items()}
        gm_x = every.pop("gm")
        self.last |= {name: self.slot for name, value in given.items() if value is not None}
        text = None
        if beacon is not None:
            text = f"drand {self.beacon['chain']} {beacon['round']} {beacon['sig']}"  # type: ignore[index]
        self.seed = seed(self.seed if key is None else key, self.game, self.slot, gm_x, every, text)
        dice = SeededDice(self.seed)
        lines = [
            records.roll(label, sides, dice.values(label, sides, count)) for label, sides, count in rolls
        ]
        if log is not None:
            log(lines)
        data = b"".join(encode(roll) for roll in lines)
        self.put(names.rolls_path(self.slot), data)
        assert self.next is not None
        made = records.result(
            **self.common(),
            slot=self.slot,
            gm=given.pop("gm") or Value("0" * 64),
            values=given,
            words=words,
            seed=self.seed.hex(),
            rolls=hashlib.sha256(data).hexdigest(),
            phases=[self.next["phase"]] if phases is None else phases,
            state=self.state(self.slot),
            kept=kept,
            following=None if following is None else self.announce(*following, questions=questions),
        )
        if beacon is not None:
            made["beacon"] = beacon
        found = self.ledger(made, change, self.slot)
        self.files, self.given = {}, {}
        return found

    def write_signers(self) -> None:
        self.put(names.SIGNERS, names.allowed_signers(self.game, self.signers, self.recoverers).encode())

    def consents(self, seats: Sequence[str], change: Change = None, **what: Any) -> list[Record]:
        """Let seats consent to what comes right after the newest record; ``blue:recovery`` is blue, with the
        key of his code.
        """
        listed = []
        for name, _, key in (seat.partition(":") for seat in seats):
            made: Record = {"type": "consent", "game": self.game, "seat": name, "head": self.head, **what}
            if change is not None:
                change(made)
            namespace = names.consent_namespace(self.game, name, self.head)
            who = f"{name} {key}" if key else name
            self.put(names.consent_path(name, self.head), encode(made), who, namespace)
            listed.append({"seat": name, "consent": record_id(encode(made))})
        return listed

    def undo(self, to: int, consents: Sequence[Record], change: Change = None) -> None:
        """Take back slots from ``to`` on and announce again what was announced for it."""
        made: Record = {
            **self.common(),
            "type": "undo",
            "slot": self.slot,
            "to": to,
            "consents": list(consents),
            "why": "wrong map",
        }
        announced, state, kept = self.before.get(to) or (self.next or {}, self.state_now, self.kept)
        made |= {"state": state, "next": {**announced, "slot": self.slot + 1}}
        if kept:
            made["kept"] = [dict(entry) for entry in kept]
        self.ledger(made, change, self.slot)
        self.files, self.given = {}, {}

    def rekey(self, of: str, consents: Sequence[Record], change: Change = None, **new: str) -> None:
        """Give somebody a new key or new values."""
        made: Record = {
            **self.common(),
            "type": "rekey",
            "of": of,
            "from": self.slot + 1,
            "consents": list(consents),
        }
        self.ledger({**made, "why": "new computer", **new}, change)
        if "key" in new:
            self.signers.append((of, new["key"]))
            (self.signs if of == "gm" else self.coming)[of] = _NAMED.get(new["key"], "nobody")
        if "recovery" in new:
            self.recoverers.append((of, new["recovery"]))
        self.write_signers()

    def time(
        self, does: str, change: Change = None, slot: int = 0, why: str = "holidays", **said: str
    ) -> None:
        """Say something about the time of the game."""
        now = slot or int((self.next or {})["slot"])
        made: Record = {**self.common(), "type": "time", "slot": now, "does": does, "why": why, **said}
        self.ledger(made, change, now)

    def word(
        self, does: str, change: Change = None, slot: int = 0, why: str = "it is time", **said: Any
    ) -> None:
        """Say something that is not about time; an end opens nothing, and a lost lock stays lost."""
        now = slot or int((self.next or {})["slot"])
        made: Record = {**self.common(), "type": "word", "slot": now, "does": does, "why": why, **said}
        self.ledger(made, change, now)

    def ruled(self, record: Record, change: Change, agreeing: Sequence[str]) -> str:
        """Enter a ruling or a correction, with consents to just what it is before ``change``."""
        record["consents"] = self.consents(agreeing, act=act_of(record))
        found = self.ledger(record, change, record["slot"])
        self.slot = record["slot"]
        self.files, self.given = {}, {}
        return found

    def rule(
        self,
        patch: Sequence[Mapping[str, Any]],
        agreeing: Sequence[str] = (),
        change: Change = None,
        state: Mapping[str, Any] | None = None,
        after: Change = None,
    ) -> str:
        """Change the newest state by hand; ``state`` is what comes of it, by default what the patch leads to.

        ``change`` tampers with the record before anybody consents, ``after`` when they have.
        """
        opened, number = dict(self.next or {}), self.slot + 1
        old = next(path for path in self.archive if path.startswith("state/") and self._is_now(path))
        data = encode(patched(decode(self.archive[old]), patch) if state is None else state)
        self.put(names.state_path(number), data)
        self.before[number] = (opened, self.state_now, self.kept)
        made: Record = {
            **self.common(),
            "type": "rule",
            "slot": number,
            "patch": list(patch),
            "why": "a slip",
        }
        made |= {"state": hashlib.sha256(data).hexdigest(), "next": {**opened, "slot": number + 1}}
        if self.kept:
            made["kept"] = self.kept
        if change is not None:
            change(made)
        return self.ruled(made, after, agreeing)

    def _is_now(self, path: str) -> bool:
        return hashlib.sha256(self.archive[path]).hexdigest() == self.state_now

    def correct(
        self,
        corrects: int,
        rolls: Sequence[tuple[str, int, int]],
        agreeing: Sequence[str] = (),
        *,
        orders: Mapping[str, Mapping[str, Any]] | None = None,
        following: tuple[str, Sequence[str]] | None = None,
        kept: Sequence[tuple[str, int]] = (),
        seed: bytes | None = None,
        log: Callable[[list[Record]], Any] | None = None,
        change: Change = None,
        after: Change = None,
        **more: Any,
    ) -> str:
        """Play a slot again, with the seed of the newest result; ``orders`` gives seats other files (and what
        is odd in their headers).
        """
        number = self.slot + 1
        listed = []
        for seat, header in sorted((orders or {}).items()):
            fields = {"game": self.game, "slot": number, "seat": seat, "head": self.head, "salt": "ab" * 16}
            fields |= {"yaml": b"nobody: true\n", "value": None, "luck": None, **header}
            data = write(**fields)
            self.put(names.orders_path(seat, number), data)
            listed.append({"seat": seat, "sha512": hashlib.sha512(data).hexdigest()})
        dice = SeededDice(self.seed if seed is None else seed)
        lines = [
            records.roll(label, sides, dice.values(label, sides, count)) for label, sides, count in rolls
        ]
        if log is not None:
            log(lines)
        data = b"".join(encode(roll) for roll in lines)
        self.put(names.rolls_path(number), data)
        old = self.before[corrects]
        self.before[number] = old
        made: Record = {**self.common(), "type": "correct", "slot": number, "corrects": corrects}
        made |= {"orders": listed, "rolls": hashlib.sha256(data).hexdigest(), "why": "misread"}
        made |= {"phases": [old[0]["phase"]], "state": self.state(number), **more}
        if kept:
            made["kept"] = [{"seat": seat, "slot": slot} for seat, slot in kept]
        self.slot = number
        if following is not None:
            made["next"] = self.announce(*following)
        if change is not None:
            change(made)
        return self.ruled(made, after, agreeing)

    def pack(self) -> MemoryArchive:
        """Return a copy of the archive with FILES and its signature."""
        packed = MemoryArchive(self.archive)
        data = names.make_files(packed)
        packed[names.FILES] = data
        packed[names.FILES_SIG] = sign(
            private(self.signs.get("gm", "gm")), names.pack_namespace(self.game), data
        ).encode()
        return packed


def friends(*, words: bool = False, **opening: Any) -> Referee:
    """Two friends, red runs the program; blue has a key and has fixed values, unless he gives words.

    Slot 1 (blue's) is open.
    """
    seats = [player("blue"), gm_seat("red")]
    return Referee(seats, chains=[] if words else ["blue"]).open("t1.blue.melee", ["blue"], **opening)


def friends_game() -> Referee:
    """Four slots of two friends: early, go, go without dice and with a kept file, an answer to a question (in
    pd1.0 with luck words).
    """
    game = friends()
    game.order("blue", x=True)
    game.lock()
    game.result([("t1.blue.melee/fight/gunter/1", 10, 1)], following=("t1.red.melee", ["red"]))
    game.order("red")
    game.lock(blue="go")
    game.go("blue")
    game.result(
        [("t1.red.melee/fight/hob/1", 6, 2), ("t1.red.melee/topple/ladder1/1", 10, 1)],
        phases=["t1.red.movement", "t1.red.melee"],
        following=("t1.red.melee", ["blue"]),
        questions=[{"id": "q1", "seat": "blue", "kind": "one", "about": "retreat"}],
        kept=[("red", 2)],
    )
    game.order(
        "blue", "answers: {q1: a}\n", **({"x": True} if in_trees() else {"luck": "  seven  drunken herons "})
    )
    game.lock()
    game.result([("t1.red.melee/fight/hob/2", 6, 1)], following=("t2.blue.melee", ["blue"]))
    game.order("blue")
    game.lock()
    game.result(following=("t2.red.melee", ["red"]))
    return game


def umpire(profile: str = "joint", **opening: Any) -> Referee:
    """An umpire with three players: blue has a chain, green a key and no chain, red nothing.

    Slot 1 is open.
    """
    seats = [player("blue"), player("green"), player("red", key=False)]
    chains = ["blue"] if profile == "joint" else []
    return Referee(seats, profile, chains).open("t1.blue.melee", ["blue"], **opening)


def umpire_game() -> Referee:
    """Three slots of an umpire: one early value, two early values, and everybody goes."""
    game = umpire()
    game.order("blue", x=True)
    game.lock()
    game.result([("t1.blue.melee/a", 6, 1)], following=("t1.green.melee", ["green", "red"]))
    game.order("green", luck="green words here")
    game.order("red", luck="red words, too")
    game.lock()
    game.result([("t1.green.melee/a", 10, 2)], following=("t2.blue.melee", ["blue"]))
    game.order("blue")
    game.lock(blue="go", green="go", red="go")
    game.go("blue")
    game.go("green", "nine tired owls")
    game.go("red", "some other words")
    game.result([("t2.blue.melee/a", 10, 1)])
    return game
