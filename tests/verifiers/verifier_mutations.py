"""Honest archives, and a generator of dishonest ones: by somebody without keys, or by a GM who signs again
all he can.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import random
from collections.abc import Callable, Iterator
from typing import Any

import proof_simulator
from proof_simulator import Referee, friends_game, gm_seat, line, player, private, umpire, umpire_game

from pbem.proof import archive as names
from pbem.proof import records
from pbem.proof.archive import MemoryArchive
from pbem.proof.canonical import encode
from pbem.proof.signing import sign

MELEE = "t1.blue.melee"
QUICKNET = {
    "net": "drand-quicknet",
    "chain": "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971",
    "pk": "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b0e17e63aaf4bcb"
    "5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a",
    "genesis": 1692803367,
    "period": 3,
    "delay": 3600,
}
ROUND = {
    "round": 657413,
    "sig": "b713718a38ae728dfd477991af2822e08d2f305e47718cef9f7848ce4050e7be41076862b98fad56e91a6b85b89cd97b",
}


def turn(game: Referee, seat: str, following: str = "blue", **how: Any) -> None:
    game.order(seat, x=True)
    game.lock()
    game.result([(f"{MELEE}/a{game.slot}", 6, 2)], following=(MELEE, [following]), **how)


def amended_game() -> Referee:
    """A slot is undone by consent, blue gets a new key, the GM too; with receipts."""
    seats = [player("blue"), player("green"), player("red", key=False)]
    game = Referee(seats, chains=["blue", "green"]).open(MELEE, ["blue"])
    turn(game, "blue")
    turn(game, "green")
    game.undo(2, game.consents(["blue", "green"], to=2))
    what = {"of": "green", "from": game.slot + 1, "key": line("newer green")}
    game.rekey("green", game.consents(["blue", "green"], **what), key=line("newer green"))
    data = game.order("green", x=True)
    receipt = records.receipt(
        game=game.game,
        at="2026-02-01T00:05:00Z",
        seat="green",
        slot=3,
        sha512=hashlib.sha512(data).hexdigest(),
        file="final",
    )
    path = names.receipt_path(3, "green", receipt["sha512"])
    game.put(path, encode(receipt), "gm", names.gm_namespace(game.game))
    game.lock()
    game.result([(f"{MELEE}/a2", 10, 3)], kept=[("green", 3)])
    return game


def gm_profile_game() -> Referee:
    game = umpire("gm")
    game.order("blue")
    game.lock()
    game.result([("t1.blue.melee/a", 6, 3)], following=("t1.green.melee", ["green", "red"]))
    game.order("red")
    game.lock()
    return game


def beacon_game(seen: bool = True, rule: dict[str, Any] | None = None, **used: Any) -> Referee:
    """A slot whose round is known to the world; blue says afterwards, or not, that the lock was there in
    time.
    """
    seats = [player("blue"), player("green"), gm_seat("red")]
    game = Referee(seats, chains=["blue", "green"], beacon=QUICKNET | (rule or {})).open(
        "t1.red.melee", ["red"]
    )
    game.order("red")
    game.at = lambda: "2023-09-15T10:00:00Z"  # type: ignore[method-assign]
    lock_id = game.lock()
    game.result([("t1.red.melee/a", 6, 2)], following=(MELEE, ["blue"]), beacon=ROUND | used)
    game.order("blue", x=True, seen=(lock_id, "2023-09-15T10:30:00Z") if seen else None)
    game.lock()
    game.result()
    return game


HONEST: dict[str, Callable[[], Referee]] = {
    "friends": friends_game,
    "umpire": umpire_game,
    "amended": amended_game,
    "gm": gm_profile_game,
}

TEXTS = (
    "",
    "-",
    "gm",
    "red",
    "blue",
    "early",
    "go",
    "none",
    "0" * 64,
    "f" * 63,
    "A" * 64,
    "\u00e9",
    "e\u0301",
    "\U0001d7d8",
    "a\x07b",
    "\u200b",
)
NUMBERS = (-1, 0, 1, 2, 3, 99_999, 10_001, 2**32, 2**53 - 1, 2**53, True)


class Forger:
    """Changes one archive at one place, in one of many ways, and signs again as whoever he
    holds the keys of.
    """

    def __init__(self, files: dict[str, bytes], chance: random.Random) -> None:
        self.files = dict(files)
        self.chance = chance

    def forge(self) -> str:
        """Change something; return what it was."""
        ways = [
            self.outsider,
            self.record,
            self.record,
            self.record,
            self.order,
            self.rolls,
            self.list,
            self.text,
        ]
        way = self.chance.choice(ways)
        try:
            what = way()
        except (
            ValueError,
            TypeError,
            KeyError,
            AttributeError,
        ) as stuck:  # a second change, where the first left no record to read
            what = f"half done ({stuck!r:.40})"
        if "FILES" in self.files and way != self.list and self.chance.random() < 0.7:
            self.pack()
        return f"{way.__name__}: {what}"

    def pick(self, *starts: str) -> str:
        found = sorted(name for name in self.files if name.startswith(starts) and not name.endswith(".sig"))
        return self.chance.choice(found or sorted(self.files))

    def pack(self) -> None:
        self.files["FILES"] = names.make_files(MemoryArchive(self.files))
        self.put("FILES", self.files["FILES"])

    # signing

    def put(self, name: str, data: bytes) -> None:
        self.files[name] = data
        game, who, parts = proof_simulator.GAME, "gm", name.split("/")
        namespace = names.gm_namespace(game)
        if name == "FILES":
            namespace = names.pack_namespace(game)
        elif parts[0] == "seats":
            who = parts[1]
            namespace = self.use_of(who, parts[-1], data)
            if name + ".sig" not in self.files:
                return
            if (
                who == "green"
                and any(name.endswith("rekey.json") for name in self.files)
                and "-s0003" in name
            ):
                who = "newer green"
        self.files[name + ".sig"] = sign(private(who), namespace, data).encode()

    @staticmethod
    def use_of(who: str, file: str, data: bytes) -> str:
        game = proof_simulator.GAME
        if file == "join.json":
            return names.join_namespace(game, who)
        if file.startswith("orders"):
            head = data.partition(b"#head ")[2][:64].decode("ascii", "replace")
            return names.orders_namespace(game, int(file[8:12]), who, head)
        try:
            record = json.loads(data)
        except ValueError:
            record = {}
        if not isinstance(record, dict):
            record = {}
        if file.startswith("go"):
            return names.go_namespace(game, int(file[4:8]), who, str(record.get("lock")))
        return names.consent_namespace(game, who, str(record.get("head")))

    def chained(self, name: str) -> None:
        """Let every record after this one name the one before it, and sign it."""
        ledger = sorted(
            other for other in self.files if other.startswith("ledger/") and other.endswith(".json")
        )
        for before, after in itertools.pairwise(ledger):
            if after > name:
                record = json.loads(self.files[after])
                record["prev"] = hashlib.sha256(self.files[before]).hexdigest()
                self.put(after, raw(record))

    def rewritten(self, name: str, data: bytes) -> None:
        self.put(name, data)
        if name.startswith("ledger/") and self.chance.random() < 0.8:
            self.chained(name)

    # ways

    def outsider(self) -> str:
        name = self.chance.choice(sorted(self.files))
        data = self.files[name]
        at = self.chance.randrange(len(data)) if data else 0
        way = self.chance.choice(("flip", "flip", "flip", "cut", "gone", "more", "moved", "swapped", "cr"))
        if way == "flip" and data:
            self.files[name] = data[:at] + bytes([data[at] ^ 1 << self.chance.randrange(8)]) + data[at + 1 :]
        elif way == "cut":
            self.files[name] = data[:at]
        elif way == "gone":
            del self.files[name]
        elif way == "more":
            self.files[name] = data + self.chance.choice((b"\n", b" ", b"x", b"\0", b"\r\n"))
        elif way == "moved":
            self.files[
                self.chance.choice(
                    (name + "x", "ledger/00009-x.json", "receipts/x.json", "maps/x", "seats/blue/drafts/x")
                )
            ] = data
        elif way == "swapped":
            other = self.chance.choice(sorted(self.files))
            self.files[name], self.files[other] = self.files[other], data
        else:
            self.files[name] = data.replace(b"\n", b"\r\n")
        return f"{way} {name} at {at}"

    def record(self) -> str:
        name = self.pick(
            "ledger/",
            "ledger/",
            "seats/blue/join",
            "seats/green/join",
            "seats/blue/go",
            "seats/green/go",
            "receipts/",
            "seats/blue/c",
        )
        try:
            record = json.loads(self.files[name])
        except ValueError:
            return self.outsider()
        places = [(record, key) for key in sorted(record)]
        for holder, key in places:
            inner = holder[key]
            if isinstance(inner, dict | list):
                places += [
                    (inner, key) for key in (sorted(inner) if isinstance(inner, dict) else range(len(inner)))
                ]
        holder, key = self.chance.choice(places)
        what = self.value(holder, key)
        self.rewritten(name, raw(record))
        return f"{name} {key}: {what}"

    def value(self, holder: Any, key: Any) -> str:
        old = holder[key]
        way = self.chance.choice(("other", "other", "gone", "twice", "strange", "wrapped"))
        if way == "gone":
            del holder[key]
        elif way == "twice" and isinstance(holder, list):
            holder.append(old)
        elif way == "twice":
            holder[self.chance.choice(("note", "why", "luck", "x", "go", "a0", "A"))] = self.chance.choice(
                (old, "text", "e\u0301 not nfc")
            )
        elif way == "strange":
            holder[key] = self.chance.choice((None, 1.5, [], {}, "", True, [[[[old]]]], {"a": old}))
        elif way == "wrapped" and isinstance(holder, list):
            self.chance.shuffle(holder)
        elif isinstance(old, bool) or not isinstance(old, str | int):
            holder[key] = [] if isinstance(old, list) else {}
        elif isinstance(old, int):
            holder[key] = self.chance.choice((old + 1, old - 1, *NUMBERS))
        elif len(old) > 30:
            at = self.chance.randrange(len(old))
            holder[key] = old[:at] + self.chance.choice("0a-Z") + old[at + 1 :]
        else:
            holder[key] = self.chance.choice((*TEXTS, old + "x", old[::-1], old * 200))
        return way

    def order(self) -> str:
        name = self.pick("seats/blue/orders", "seats/green/orders", "seats/red/orders")
        lines = self.files[name].split(b"\n")
        at = self.chance.randrange(max(1, len(lines) - 2))
        way = self.chance.choice(
            ("letter", "twice", "gone", "luck", "unknown", "long", "crlf", "cr", "seen", "swap", "utf8")
        )
        if way == "letter" and lines[at]:
            place = self.chance.randrange(len(lines[at]))
            lines[at] = (
                lines[at][:place] + self.chance.choice((b"0", b"a", b" ", b"-")) + lines[at][place + 1 :]
            )
        elif way == "twice":
            lines.insert(at, lines[at])
        elif way == "gone":
            del lines[at]
        elif way == "seen":
            lines.insert(
                1,
                b"#seen "
                + b"0" * 64
                + self.chance.choice(
                    (b" 2026-02-01T00:00:00Z", b" 2026-02-31T00:00:00Z", b" 2026-02-01", b"")
                ),
            )
        elif way in ("luck", "unknown", "utf8"):
            added = {"luck": b"#luck \xc3\xa9 seven  owls", "unknown": b"#more 1", "utf8": b"#luck \xff\xfe"}[
                way
            ]
            lines.insert(1, added)
        elif way == "long":
            lines.append(b"x" * 65_536)
        elif way == "swap" and len(lines) > 4:
            lines[1], lines[2] = lines[2], lines[1]
        data = (b"\r\n" if way == "crlf" else b"\n").join(lines) + (b"\r" if way == "cr" else b"")
        self.put(name, data)
        if self.chance.random() < 0.8 and (lock := self.locked(name, data)):
            self.chained(lock)
        return f"{name} line {at} {way}"

    def locked(self, name: str, data: bytes) -> str | None:
        """Write the new hash of an order file into its lock."""
        _, seat, file = name.split("/") if name.count("/") == 2 else ("", "", "")
        lock = (
            next((other for other in sorted(self.files) if other.endswith(f"{file[7:12]}-lock.json")), None)
            if file
            else None
        )
        if lock is not None:
            record = json.loads(self.files[lock])
            for entry in record["entries"]:
                if entry["seat"] == seat:
                    entry["sha512"] = hashlib.sha512(data).hexdigest()
            self.put(lock, raw(record))
        return lock

    def rolls(self) -> str:
        name = self.pick("rolls/")
        lines = self.files[name].splitlines(keepends=True) or [
            b'{"l":"t1.blue.melee/z","n":1,"s":6,"v":[1]}\n'
        ]
        at = self.chance.randrange(len(lines))
        line = lines[at]
        way = self.chance.choice(
            ("face", "twice", "gone", "space", "zero", "label", "cr", "wide", "blank", "many", "order")
        )
        changed = {
            "face": line.replace(b'"v":[', b'"v":[1'),
            "twice": line + line,
            "gone": b"",
            "space": line.replace(b",", b", ", 1),
            "zero": line.replace(b'"v":[', b'"v":[0'),
            "label": line.replace(
                b"melee",
                self.chance.choice((b"Melee", b"shoot", b"melee\\u0061", b"mel\xc3\xa9e", b"melee/")),
            ),
            "cr": line.replace(b"\n", b"\r"),
            "wide": line.replace(b'"s":', b'"s":4294967'),
            "blank": line + b"\n",
            "many": line.replace(b'"n":1', b'"n":1001'),
            "order": b'{"n":1,"l":"a","s":6,"v":[1]}\n',
        }
        lines[at] = changed[way]
        self.files[name] = b"".join(lines)
        result = next(
            (other for other in sorted(self.files) if other.endswith(f"{name[6:11]}-result.json")), None
        )
        if result is not None and self.chance.random() < 0.9:
            record = {**json.loads(self.files[result]), "rolls": hashlib.sha256(self.files[name]).hexdigest()}
            self.rewritten(result, raw(record))
        return f"{name} line {at} {way}"

    def list(self) -> str:
        lines = self.files.get("FILES", b"").split(b"\n")
        at = self.chance.randrange(len(lines))
        way = self.chance.choice(("swap", "gone", "other", "spaces", "more"))
        if way == "swap":
            lines[at], lines[0] = lines[0], lines[at]
        elif way == "gone":
            del lines[at]
        elif way == "other":
            lines[at] = b"0" * 64 + lines[at][64:]
        elif way == "spaces":
            lines[at] = lines[at].replace(b"  ", b" *")
        else:
            lines.insert(
                0,
                b"0" * 64
                + b"  "
                + self.chance.choice(
                    (b"A", b"scenario/../x", b"seats/blue/none", b"../x", b"\xc3\xa9", b"\xff")
                ),
            )
        self.put("FILES", b"\n".join(lines))
        return f"{way} {at}"

    def text(self) -> str:
        """Spell a record in another way."""
        name = self.pick("ledger/", "seats/blue/join", "seats/blue/go", "receipts/")
        data = self.files[name]
        way = self.chance.choice(
            ("space", "double", "escape", "float", "bom", "deep", "order", "minus", "blank", "big")
        )
        spelt = {
            "space": data.replace(b":", b": ", 1),
            "double": data.replace(b"{", b'{"at":"x",', 1),
            "escape": data.replace(b'"game":"s', b'"game":"\\u0073'),
            "float": data.replace(b'"n":', b'"n":1.'),
            "bom": b"\xef\xbb\xbf" + data,
            "deep": data.replace(b'"game":', b'"e":' + b"[" * 17 + b"]" * 17 + b',"game":'),
            "order": b'{"zz":1,' + data[1:],
            "minus": data.replace(b'"n":', b'"n":-0'),
            "blank": data + b"\n",
            "big": data.replace(b'"n":', b'"n":99999999999999999'),
        }
        self.rewritten_raw(name, spelt[way])
        return f"{name} {way}"

    def rewritten_raw(self, name: str, data: bytes) -> None:
        try:
            self.put(name, data)
        except UnicodeEncodeError:
            self.files[name] = data


def raw(record: Any) -> bytes:
    """Return the bytes of a record, also of one that is none."""
    return (
        json.dumps(record, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode(
            "utf-8", "surrogatepass"
        )
        + b"\n"
    )


def mutants(
    seed: int, count: int, more: dict[str, dict[str, bytes]] | None = None
) -> Iterator[tuple[str, dict[str, bytes]]]:
    """Yield archives that are each changed at one place or two, always the same ones for a seed."""
    honest = {name: dict(build().pack()) for name, build in HONEST.items()} | (more or {})
    for number in range(count):
        chance = random.Random(f"{seed} {number}")
        of = chance.choice(sorted(honest))
        forger = Forger(honest[of], chance)
        what = [forger.forge() for _ in range(chance.choice((1, 1, 1, 2)))]
        yield f"{seed}/{number} {of} {'; '.join(what)}", forger.files
