"""A second writer of games, made from the text of the protocol alone: nothing of pbem is used, so that
nothing is misread twice in one way.

Keys and secrets follow from names. Every record and paper can be changed before it is signed; ``as_`` signs
with another key.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

DEPTH = 14
Json = dict[str, Any]
Change = Callable[[Json], Any] | None


def sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def mac(key: bytes, text: str) -> bytes:
    return hmac.digest(key, text.encode(), "sha256")


def raw(record: Json) -> bytes:
    return json.dumps(record, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"


def wire(*parts: bytes) -> bytes:
    return b"".join(len(part).to_bytes(4, "big") + part for part in parts)


def private(name: str) -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(hashlib.sha256(f"key {name}".encode()).digest())


def public(name: str) -> bytes:
    return wire(b"ssh-ed25519", private(name).public_key().public_bytes(Encoding.Raw, PublicFormat.Raw))


def line(name: str) -> str:
    return "ssh-ed25519 " + base64.b64encode(public(name)).decode()


def seal(name: str, namespace: str, data: bytes) -> bytes:
    digest = hashlib.sha512(data).digest()
    signed = private(name).sign(b"SSHSIG" + wire(namespace.encode(), b"", b"sha512", digest))
    blob = b"SSHSIG\0\0\0\1" + wire(
        public(name), namespace.encode(), b"", b"sha512", wire(b"ssh-ed25519", signed)
    )
    text = base64.b64encode(blob).decode()
    lines = [text[at : at + 70] for at in range(0, len(text), 70)]
    return "\n".join(["-----BEGIN SSH SIGNATURE-----", *lines, "-----END SSH SIGNATURE-----", ""]).encode()


class Leaves:
    """The values of one party in a game of pd1.1."""

    def __init__(self, game: str, who: str, secret: str = "", key: bytes = b"") -> None:
        key = key or hashlib.sha256(f"secret {secret or who}".encode()).digest()
        self.x = [mac(key, f"pd1/value\n{game}\n{who}\n{s}\n").hex() for s in range(1 << DEPTH)]
        self.levels = [[sha(f"pd1/leaf\n{game}\n{who}\n{s}\n{x}\n") for s, x in enumerate(self.x)]]
        while len(self.levels[-1]) > 1:
            row = self.levels[-1]
            self.levels.append([sha(f"pd1/node\n{row[i]}\n{row[i + 1]}\n") for i in range(0, len(row), 2)])
        self.root = self.levels[DEPTH][0]

    def path(self, slot: int, last: int | None) -> list[str]:
        """Return the hashes beside the way up, as far as the value of the slot ``last`` has
        not brought them.
        """
        height = DEPTH if last is None else (slot ^ last).bit_length() - 1
        return [self.levels[level][(slot >> level) ^ 1] for level in range(height)]


leaves = lru_cache(maxsize=32)(Leaves)


@lru_cache(maxsize=8)
def links(game: str, who: str) -> list[str]:
    """Return the values of a party in a game of pd1.0 from the last slot down to the anchor."""
    made = [
        mac(hashlib.sha256(f"secret {who}".encode()).digest(), f"pd1/chain-top\n{game}\n{who}\n10000\n").hex()
    ]
    for k in range(10000, 0, -1):
        made.append(sha(f"pd1/chain\n{game}\n{who}\n{k}\n{made[-1]}\n"))
    return made


def chain(game: str, who: str, slot: int) -> str:
    """Return the value of a slot of a party in a game of pd1.0; 0 is the anchor."""
    return links(game, who)[10000 - slot]


class Game:
    """A game being written into ``files``.

    ``seats`` says of each: gm, tree (key and values), words (key alone), bare (nothing).
    """

    def __init__(
        self, seats: dict[str, str], *, profile: str = "joint", v: int = 2, name: str = "writer-0a1b2c"
    ) -> None:
        self.seats, self.profile, self.v, self.name = dict(sorted(seats.items())), profile, v, name
        self.outside = [seat for seat, kind in self.seats.items() if kind != "gm"]
        self.files: dict[str, bytes] = {}
        self.ids: list[str] = []
        self.slot, self.said, self.given, self.hashes = 0, {}, {}, {}
        self.signer = {"gm": "gm"} | {seat: seat for seat in seats}
        self.secret: dict[str, str] = {}
        self.last: dict[str, int] = {}
        self.states: list[str] = []
        self.told: list[Json] = []
        self.next_id = self.lock_id = ""
        self.seed = b""

    def put(self, path: str, data: bytes, who: str = "", use: str = "") -> str:
        self.files[path] = data
        if who:
            self.files[path + ".sig"] = seal(who, use, data)
        return hashlib.sha256(data).hexdigest()

    def record(self, kind: str, fields: Json, change: Change = None) -> str:
        n = len(self.ids) + 1
        made: Json = {
            "type": kind,
            "game": self.name,
            "n": n,
            "at": f"2026-05-01T00:{n // 60:02d}:{n % 60:02d}Z",
            **fields,
        }
        if self.ids:
            made["prev"] = self.ids[-1]
        if change:
            change(made)
        middle = f"s{made['slot']:04d}-" if "slot" in made else ""
        own = self.put(
            f"ledger/{n:05d}-{middle}{kind}.json", raw(made), self.signer["gm"], f"pd1-gm/{self.name}"
        )
        self.ids.append(own)
        if kind in ("start", "result", "undo") and "next" in made:
            self.next_id = own
            self.told.append(made["next"])
        return own

    def state(self) -> str:
        self.states.append(self.put(f"state/s{self.slot:04d}.json", raw({"slot": self.slot})))
        return self.states[-1]

    def announced(self, phase: str, waits: Sequence[str], **more: Any) -> Json:
        value = "go" if any(self.seats[who] == "gm" for who in waits) else "early"
        return {"slot": self.slot + 1, "phase": phase, "waits": list(waits), "value": value, **more}

    def fixed(self, who: str) -> Json:
        if self.v == 1:
            return {"anchor": chain(self.name, who, 0)}
        return {"root": leaves(self.name, who, self.secret.get(who, "")).root}

    def open(
        self,
        phase: str,
        waits: Sequence[str],
        *,
        manifest: Change = None,
        start: Change = None,
        **joins: Change,
    ) -> Game:
        sitting = []
        for seat, kind in self.seats.items():
            key = {"key": line(seat)} if kind in ("tree", "words") else {}
            sitting.append({"seat": seat, "side": seat, "by": "gm" if kind == "gm" else "player", **key})
        scenario = self.put("scenario/ford.yaml", b"# a ford\n")
        made = {"v": self.v, "key": line("gm"), "profile": self.profile, "seats": sitting, **self.fixed("gm")}
        made |= {
            "files": [{"path": "scenario/ford.yaml", "sha256": scenario}],
            "engine": {"name": "w", "version": "1", "sha256": "0" * 64},
        }
        self.record(
            "manifest",
            {**made, "ruleset": {"id": "siege", "modules": [], "options": {}, "revision": 1}},
            manifest,
        )
        listed = []
        for seat in self.outside:
            paper = {"type": "join", "game": self.name, "seat": seat, "manifest": self.ids[0]}
            paper |= (
                self.fixed(seat)
                if self.seats[seat] == "tree" and self.profile == "joint"
                else {"words": "yes, I play"}
            )
            change = joins.get(seat)
            if change:
                change(paper)
            who = "" if self.seats[seat] == "bare" else seat
            listed.append(
                {
                    "seat": seat,
                    "join": self.put(
                        f"seats/{seat}/join.json", raw(paper), who, f"pd1-join/{self.name}/{seat}"
                    ),
                }
            )
        text = "".join(f"{entry['seat']} {entry['join']}\n" for entry in listed)
        self.seed = bytes.fromhex(sha(f"pd1/salt\n{self.name}\n{self.ids[0]}\n{text}"))
        self.record(
            "start", {"joins": listed, "state": self.state(), "next": self.announced(phase, waits)}, start
        )
        return self

    def value(self, who: str, slot: int) -> Json:
        """Return a party's value for a slot, with its path."""
        if self.v == 1:
            return {"x": chain(self.name, who, slot)}
        own = leaves(self.name, who, self.secret.get(who, ""))
        path = own.path(slot, self.last.get(who))
        return {"x": own.x[slot], **({"path": path} if path else {})}

    def order(
        self,
        seat: str,
        luck: str = "",
        *,
        final: bool = True,
        text: str = "move: []\n",
        as_: str = "",
        **header: str,
    ) -> bytes:
        slot, given = self.slot + 1, {"luck": luck} if luck else {}
        if final and not luck and self.seats[seat] != "gm":
            given = self.value(seat, slot)
        lines = {"game": self.name, "slot": str(slot), "seat": seat, "head": self.next_id, "salt": "0" * 32}
        lines |= {
            key: " ".join(value) if isinstance(value, list) else value for key, value in given.items()
        } | header
        data = "\n".join(
            ["#pd1-orders/1", *(f"#{key} {value}" for key, value in lines.items() if value), "---", text]
        ).encode()
        signed = self.seats[seat] in ("tree", "words")
        use = f"pd1-orders/{self.name}/{slot}/{seat}/{lines['head']}"
        self.put(
            f"seats/{seat}/orders-s{slot:04d}.txt", data, (as_ or self.signer[seat]) if signed else "", use
        )
        self.hashes[seat] = hashlib.sha512(data).hexdigest()
        if given:
            self.given[seat] = given
        return data

    def lock(self, *asked: str, change: Change = None) -> str:
        self.slot += 1
        self.said = {
            seat: "go" if seat in asked else "early" if seat in self.given else "none" for seat in self.seats
        }
        entries = [{"seat": seat, "x": said} for seat, said in self.said.items()]
        for entry in entries:
            if entry["seat"] in self.hashes:
                entry["sha512"] = self.hashes[entry["seat"]]
        self.lock_id = self.record("lock", {"slot": self.slot, "entries": entries}, change)
        return self.lock_id

    def go(self, seat: str, luck: str = "", *, change: Change = None) -> None:
        given = {"luck": luck} if luck else self.value(seat, self.slot)
        self.given[seat] = given
        if self.seats[seat] == "bare":
            return
        paper = {
            "type": "go",
            "game": self.name,
            "seat": seat,
            "slot": self.slot,
            "lock": self.lock_id,
            **given,
        }
        if change:
            change(paper)
        use = f"pd1-go/{self.name}/{self.slot}/{seat}/{self.lock_id}"
        self.put(f"seats/{seat}/go-s{self.slot:04d}.json", raw(paper), self.signer[seat], use)

    def result(
        self,
        rolls: Sequence[tuple[str, int, int]],
        following: Json | None,
        *,
        change: Change = None,
        **more: Any,
    ) -> None:
        given = {"gm": self.value("gm", self.slot)}
        given |= {
            seat: self.given[seat] if self.said[seat] != "none" else {"x": "-"} for seat in self.outside
        }
        text = f"pd1/seed\n{self.name}\n{self.slot}\n"
        for who, value in given.items():
            luck = sha(f"pd1/luck\n{self.name}\n{who}\n{self.slot}\n{value.get('luck')}\n")
            text += f"{who} {value.get('x', luck)}\n"
            if value.get("x", "-") != "-":
                self.last[who] = self.slot
        self.seed = mac(self.seed, f"{text}beacon -\n")
        lines = [
            {"l": name, "n": count, "s": sides, "v": [self.die(name, sides, i) for i in range(count)]}
            for name, sides, count in rolls
        ]
        made = {
            "slot": self.slot,
            "values": [{"who": who, **value} for who, value in given.items()],
            "seed": self.seed.hex(),
        }
        made |= {
            "rolls": self.put(f"rolls/s{self.slot:04d}.jsonl", b"".join(map(raw, lines))),
            "phases": [self.told[-1]["phase"]],
        }
        made |= {"state": self.state(), **({"next": following} if following else {}), **more}
        self.hashes, self.given = {}, {}
        self.record("result", made, change)

    def die(self, name: str, sides: int, i: int) -> int:
        for ctr in range(9):
            digest = mac(self.seed, f"pd1/die\n{name}\n{sides}\n{i}\n{ctr}\n")
            for at in range(0, 32, 4):
                word = int.from_bytes(digest[at : at + 4], "big")
                if word < 2**32 // sides * sides:
                    return word % sides + 1
        raise AssertionError

    def turn(
        self,
        seat: str,
        following: Sequence[str],
        *,
        phase: str = "t1.melee",
        asked: Sequence[str] = (),
        dice: int = 2,
    ) -> None:
        """Play a slot: a seat orders with its value, or, if it is the GM's, those asked go."""
        self.order(seat)
        self.lock(*asked)
        for who in asked:
            self.go(who)
        self.result(
            [(f"{self.told[-1]['phase']}/a{self.slot}", 6, dice)] if dice else [],
            self.announced(phase, following),
        )

    def consents(self, seats: Sequence[str], as_: Json | None = None, **what: Any) -> list[Json]:
        listed = []
        for seat in seats:
            paper = {"type": "consent", "game": self.name, "seat": seat, "head": self.ids[-1], **what}
            who = (as_ or {}).get(seat, self.signer.get(seat, seat))
            path = f"seats/{seat}/consent-{self.ids[-1][:16]}.json"
            listed.append(
                {
                    "seat": seat,
                    "consent": self.put(
                        path, raw(paper), who, f"pd1-consent/{self.name}/{seat}/{self.ids[-1]}"
                    ),
                }
            )
        return listed

    def undo(self, to: int, seats: Sequence[str], *, change: Change = None, **more: Any) -> None:
        first = next(said for said in reversed(self.told) if said["slot"] == to)
        made = {
            "slot": self.slot,
            "to": to,
            "consents": self.consents(seats, to=to),
            "state": self.states[to - 1],
            "why": "a wrong map",
        }
        self.hashes, self.given = {}, {}
        self.record("undo", {**made, "next": {**first, "slot": self.slot + 1}, **more}, change)

    def rekey(
        self, of: str, seats: Sequence[str], *, as_: Json | None = None, change: Change = None, **new: Any
    ) -> None:
        what = {"of": of, "from": self.slot + 1, **new}
        self.record(
            "rekey", {**what, "consents": self.consents(seats, as_, **what), "why": "a new computer"}, change
        )

    def signers(self, *more: str) -> Game:
        """Write the list for ssh-keygen."""
        lines = [f'gm@{self.name} namespaces="pd1-gm/{self.name},pd1-pack/{self.name}" {line("gm")}']
        uses = ",".join(f"pd1-{use}/{self.name}/*" for use in ("join", "orders", "go", "consent"))
        lines += [
            f'{who}@{self.name} namespaces="{uses}" {line(who)}'
            for who in self.outside
            if self.seats[who] in ("tree", "words")
        ]
        self.put("keys/allowed_signers", "".join(f"{one}\n" for one in [*lines, *more]).encode())
        return self


def friends(v: int = 2, profile: str = "joint", **opening: Change) -> Game:
    """Two friends, east runs the program; west's first slot is open."""
    return Game({"east": "gm", "west": "tree"}, v=v, profile=profile).open("t1.melee", ["west"], **opening)


def four(v: int = 2, profile: str = "joint", **opening: Change) -> Game:
    """Seats of every kind but the GM's; north's first slot is open."""
    seats = {"east": "tree", "north": "tree", "south": "bare", "west": "words"}
    return Game(seats, v=v, profile=profile).open("t1.melee", ["north"], **opening)
