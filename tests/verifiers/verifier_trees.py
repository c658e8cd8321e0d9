"""Games of pd1.1 by the second writer: what holds, and what must not, with the code it has to be refused
with.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

from verifier_writer import Change, Game, chain, four, friends, leaves, line

EVERYBODY = ("east", "north", "west")
"""The seats of ``four`` that have a key."""


# games that hold


def long() -> Game:
    """Slots in which a party gives nothing lie between those in which it does, so that ways meet at every
    height.
    """
    game = friends()
    for number in range(1, 20):
        ours, next_ours = (place % 7 in (1, 2, 4) for place in (number, number + 1))
        game.turn(
            "west" if ours else "east",
            ["west" if next_ours else "east"],
            asked=[] if ours else ["west"],
            dice=number % 3,
        )
    return game.signers()


def rests() -> Game:
    """East and north order in turn; the path of each bridges the slots in which it gave nothing."""
    game = four()
    for seat, after in (
        ("north", "north"),
        ("north", "east"),
        ("east", "north"),
        ("north", "north"),
        ("north", "east"),
        ("east", "north"),
    ):
        game.turn(seat, [after])
    return game


def words_and_goes() -> Game:
    game = four()
    game.turn("north", ["west", "south"])
    game.order("west", "ten tired owls")
    game.order("south", "nine tired owls")
    game.lock()
    game.result([("t1.melee/w", 10, 2)], game.announced("t1.melee", ["east"]))
    game.order("east", final=False)
    game.lock("east", "north", "south", "west")
    for seat, luck in (
        ("east", ""),
        ("north", ""),
        ("south", "a tired owl again"),
        ("west", "and a heron, too"),
    ):
        game.go(seat, luck)
    game.result([("t1.melee/g", 10, 2)], None)
    return game


def undone() -> Game:
    game = rests()
    game.undo(5, EVERYBODY)
    game.turn("north", ["east"])
    game.turn("east", ["north"])
    return game


def two_turns(**how: Any) -> Game:
    game = four(**how)
    game.turn("north", ["east"])
    game.turn("east", ["north"])
    return game


def rekeyed(
    of: str,
    seats: tuple[str, ...],
    game: Game | None = None,
    *,
    root: bool = True,
    as_: Any = None,
    **new: str,
) -> Game:
    """Give a party a new key and root by consent of some seats, and play north and east once more."""
    game = game or two_turns()
    if root:
        new["root"] = leaves(game.name, of, "new").root
    game.rekey(of, seats, as_=as_, **{"key": line(f"new {of}"), **new})
    if of == "gm":
        game.signer["gm"] = "new gm"
    game.turn("north", ["north"])
    if of != "gm":
        game.signer[of] = f"new {of}"
    if root:
        game.secret[of] = "new"
        game.last.pop(of, None)
    game.turn("north", ["east"])
    game.turn("east", ["north"])
    return game


def with_code() -> Game:
    """North lost his key and signs with the key of his recovery code."""
    game = two_turns(north=lambda paper: paper.update(recovery=line("code of north")))
    return rekeyed("north", EVERYBODY, game, as_={"north": "code of north"}, recovery=line("second code"))


def migrated() -> Game:
    """A game of pd1.0 whose north goes over to a tree; everybody else keeps his chain."""
    game = rekeyed_chain(root=leaves("writer-0a1b2c", "north").root)
    own = leaves(game.name, "north")
    game.order("north", x=own.x[4], path=" ".join(own.path(4, None)))
    game.given["north"] = {"x": own.x[4], "path": own.path(4, None)}
    game.lock()
    game.result([("t1.melee/m", 6, 1)], game.announced("t1.melee", ["east"]))
    game.turn("east", ["north"])
    return game


def rekeyed_chain(**new: str) -> Game:
    game = two_turns(v=1)
    game.rekey("north", EVERYBODY, **new)
    game.turn("east", ["north"]) if game.told[-1]["waits"] == ["east"] else game.turn("north", ["north"])
    return game


def long_chain() -> Game:
    game = friends(v=1)
    for seat, after in (("west", "west"), ("west", "east"), ("east", "west"), ("west", "west")):
        game.turn(seat, [after], asked=["west"] if seat == "east" else [])
    return game


# games that do not


def value(place: int, **fields: Any) -> Callable[[Any], Any]:
    return lambda record: record["values"][place].update(fields)


def second(**how: Any) -> Game:
    """West's slots 1 and 2 of two friends, the second tampered with."""
    game = friends()
    game.turn("west", ["west"])
    game.order("west")
    game.lock()
    game.result([("t1.melee/b", 6, 1)], None, **how)
    return game


def shown(path: list[str], leaf: int = 1, slot: int = 1, v: int = 2) -> Game:
    """West shows another value or path than the right one, in the file and in the result alike."""
    game = friends(v=v)
    for _ in range(slot - 1):
        game.turn("west", ["west"])
    x = leaves(game.name, "west").x[leaf] if v == 2 else chain(game.name, "west", leaf)
    game.order("west", x=x, path=" ".join(path))
    game.given["west"] = {"x": x, **({"path": path} if path else {})}
    game.lock()
    game.result([("t1.melee/p", 6, 1)], None)
    return game


def went(change: Any) -> Game:
    game = friends()
    game.turn("west", ["east"])
    game.order("east")
    game.lock("west")
    game.go("west", change=change)
    game.result([("t1.melee/g", 6, 1)], None)
    return game


def header(*lines: str) -> Game:
    game = friends()
    data = game.order("west")
    where, use = "seats/west/orders-s0001.txt", f"pd1-orders/{game.name}/1/west/{game.next_id}"
    kept = [line_ for line_ in data.decode().split("\n") if not line_.startswith("#path")]
    data = "\n".join([kept[0], *lines, *kept[1:]]).encode()
    game.put(where, data, "west", use)
    game.hashes["west"] = hashlib.sha512(data).hexdigest()
    game.lock()
    game.result([], None)
    return game


PATH = leaves("writer-0a1b2c", "west").path(1, None)


def luck(v: int) -> Game:
    game = friends(v=v)
    game.order("west", "ten tired owls")
    game.lock()
    game.result([("t1.melee/l", 6, 1)], None)
    return game


def both_keys() -> Game:
    """Two seats are given one new key before either holds."""
    game = two_turns()
    for of in ("north", "west"):
        game.rekey(of, EVERYBODY, key=line("new"))
    return game


def code_after_it_was_replaced() -> Game:
    """East and west gave north a new key; the holder of the old code tries to take it back."""
    game = two_turns(north=lambda paper: paper.update(recovery=line("code of north")))
    game = rekeyed("north", ("east", "west"), game)
    game.rekey("north", EVERYBODY, as_={"north": "code of north"}, key=line("newest north"))
    return game


def other_code() -> Game:
    game = two_turns(north=lambda paper: paper.update(recovery=line("code of north")))
    game.rekey("east", EVERYBODY, as_={"east": "code of north"}, key=line("new east"))
    return game


def join(**fields: Any) -> Callable[[Any], Any]:
    return lambda paper: paper.update(fields)


def without(*names: str) -> Callable[[Any], Any]:
    return lambda record: [record.pop(name) for name in names]


def opens(change: Change = None) -> Game:
    """Everybody wants an undo; the GM may open something else under its cover, but for another time and
    another engine.
    """
    game = four()
    asked = [{"id": "q1", "seat": "north", "kind": "one", "about": "retreat", "by": 1}]
    game.order("north")
    game.lock()
    game.result(
        [("t1.melee/q", 6, 1)],
        game.announced("t1.melee", ["east"], questions=asked, due="2026-05-02T00:00:00Z"),
    )
    game.turn("east", ["east"])
    game.undo(2, EVERYBODY, change=change)
    return game


def keeps(kept: list[Any] | None) -> Game:
    """North's file is in force before slot 2; the undo says ``kept``."""
    game = four()
    game.order("north")
    game.lock()
    game.result(
        [("t1.melee/k", 6, 1)], game.announced("t1.melee", ["east"]), kept=[{"seat": "north", "slot": 1}]
    )
    game.turn("east", ["east"])
    game.undo(2, EVERYBODY, **({} if kept is None else {"kept": kept}))
    game.turn("east", ["east"])
    return game


def waiting(*goes: str, asked: tuple[str, ...] = ("north", "west")) -> Game:
    game = four()
    game.turn("north", ["east"])
    game.order("east", final=not asked)
    game.lock(*asked)
    for seat in goes:
        game.go(seat, "ten tired owls" if seat == "west" else "")
    game.undo(2, EVERYBODY)
    return game


def signers(*lines: str) -> Game:
    return two_turns().signers(*lines)


def path_of_words() -> Game:
    game = friends()
    game.order("west", "ten tired owls", path=" ".join(PATH))
    game.lock()
    game.result([], None)
    return game


def alone(seats: tuple[str, ...], **how: Any) -> Game:
    game = friends(**how)
    game.turn("west", ["west"])
    game.rekey("west", seats, key=line("mallory"))
    return game


def bare_rekeyed(seats: tuple[str, ...]) -> Game:
    game = Game({"east": "bare", "west": "bare"}).open("t1.melee", ["west"])
    game.rekey("west", seats, key=line("mallory"), root="ab" * 32)
    return game


def partly(left_out: str) -> Game:
    """The consents are to a rekey without one of its fields."""
    game = two_turns()
    what = {
        "of": "north",
        "from": game.slot + 1,
        "key": line("new"),
        "root": "ab" * 32,
        "recovery": line("code"),
    }
    listed = game.consents(EVERYBODY, **{key: value for key, value in what.items() if key != left_out})
    game.record("rekey", {**what, "consents": listed, "why": ""})
    return game


def renewed(of: str, seats: tuple[str, ...], north: Change = None, **new: str) -> Game:
    game = two_turns(north=north)
    game.rekey(of, seats, **new)
    return game


def rekeyed_then_old() -> Game:
    game = rekeyed("north", EVERYBODY)
    del game.secret["north"]
    game.turn("north", ["north"])
    return game


def bare_label() -> Game:
    game = friends()
    game.order("west")
    game.lock()
    game.result([("t1.melee", 6, 1)], None)
    return game


HOLDS: dict[str, Callable[[], Game]] = {
    "a long game": long,
    "a long game of pd1.0": long_chain,
    "slots without a value": rests,
    "words and goes": words_and_goes,
    "an undo": undone,
    "an undo with another time and engine": lambda: opens(
        lambda r: r["next"].update(
            due="2026-06-01T00:00:00Z", engine={"name": "w", "version": "2", "sha256": "1" * 64}
        )
    ),
    "an undo that keeps a file": lambda: keeps([{"seat": "north", "slot": 1}]),
    "an undo of a slot whose goes are all there": lambda: waiting("north", "west"),
    "an undo of a slot that waits for a go": lambda: waiting("north"),
    "rekey of north with his old key": lambda: rekeyed("north", EVERYBODY),
    "rekey of north without him": lambda: rekeyed("north", ("east", "west")),
    "rekey of the gm": lambda: rekeyed("gm", EVERYBODY),
    "rekey with a recovery code": with_code,
    "a new code alone": lambda: renewed("north", EVERYBODY, recovery=line("code")),
    "a migration": migrated,
    "words of a seat with a chain": lambda: luck(1),
    "the list of signers": lambda: with_code().signers(
        f'north@writer-0a1b2c namespaces="pd1-consent/writer-0a1b2c/*" {line("code of north")}',
        f'gm@writer-0a1b2c namespaces="pd1-gm/writer-0a1b2c,pd1-pack/writer-0a1b2c" {line("gm")}',
    ),
}

FAILS: dict[str, tuple[str, Callable[[], Game]]] = {
    # the form of a manifest, a join, values
    "a root in pd1.0": ("E27", lambda: friends(v=1, manifest=lambda m: m.update(root=m.pop("anchor")))),
    "an anchor in pd1.1": ("E27", lambda: friends(manifest=lambda m: m.update(anchor=m.pop("root")))),
    "both": ("E27", lambda: friends(manifest=lambda m: m.update(anchor="0" * 64))),
    "neither": ("E27", lambda: friends(manifest=without("root"))),
    "a revision that is none": ("E27", lambda: friends(manifest=lambda m: m.update(v=3))),
    "a join with an anchor": (
        "E07",
        lambda: friends(west=lambda paper: paper.update(anchor=paper.pop("root"))),
    ),
    "a join with a root in pd1.0": (
        "E07",
        lambda: friends(v=1, west=lambda paper: paper.update(root=paper.pop("anchor"))),
    ),
    "a join with root and words": ("E27", lambda: friends(west=join(words="yes"))),
    "a root of a seat without a key": (
        "E07",
        lambda: four(south=lambda paper: (paper.pop("words"), paper.update(root="ab" * 32))),
    ),
    "a root in profile gm": (
        "E07",
        lambda: friends(profile="gm", west=lambda paper: (paper.pop("words"), paper.update(root="ab" * 32))),
    ),
    "the root of the gm": ("E09", lambda: friends(west=join(root=leaves("writer-0a1b2c", "gm").root))),
    "an empty path": ("E27", lambda: second(change=value(1, path=[]))),
    "a path that is no hash": ("E27", lambda: second(change=value(1, path=["x"]))),
    "a path of luck words": (
        "E27",
        lambda: second(
            change=lambda r: (r["values"][1].pop("x"), r["values"][1].update(luck="a" * 9, path=PATH))
        ),
    ),
    "a path of nothing": ("E27", lambda: second(change=value(1, x="-", path=PATH))),
    "a go with an empty path": ("E27", lambda: went(join(path=[]))),
    "a go with words and a path": (
        "E27",
        lambda: went(lambda paper: (paper.pop("x"), paper.update(luck="ten tired owls", path=PATH))),
    ),
    # the header
    "a path without a value": ("E07", path_of_words),
    "a path without a hash": ("E07", lambda: header("#path ")),
    "a path with two spaces": ("E07", lambda: header("#path " + "  ".join(PATH))),
    "a path with capital letters": ("E07", lambda: header("#path " + " ".join(PATH).upper())),
    "two paths": ("E07", lambda: header("#path " + " ".join(PATH), "#path " + " ".join(PATH))),
    # values under the root
    "another leaf's value": ("E09", lambda: shown(PATH, 3)),
    "a path too short": ("E09", lambda: shown(PATH[:13])),
    "a path too long": ("E09", lambda: shown([*PATH, "0" * 64])),
    "no path": ("E09", lambda: shown([])),
    "the whole way again": ("E09", lambda: shown(leaves("writer-0a1b2c", "west").path(2, None), 2, 2)),
    "a hash changed": ("E09", lambda: shown([*PATH[:5], "0" * 64, *PATH[6:]])),
    "a path in a chain": ("E09", lambda: shown(["0" * 64], v=1)),
    "another path in the result": ("E15", lambda: second(change=value(1, path=["0" * 64, "1" * 64]))),
    "no path in the file": ("E15", header),
    "another path in the go": ("E10", lambda: went(join(path=["0" * 64]))),
    "words of a seat with a root": ("E09", lambda: luck(2)),
    # recovery
    "a code of a seat without a key": ("E07", lambda: four(south=join(recovery=line("code")))),
    "a code in pd1.0": ("E07", lambda: four(v=1, north=join(recovery=line("code")))),
    "a code that is no key": ("E03", lambda: four(north=join(recovery="ssh-ed25519 AAAA"))),
    "a code that is his key": ("E03", lambda: four(north=join(recovery=line("north")))),
    "a code that is the GM's key": ("E03", lambda: four(north=join(recovery=line("gm")))),
    "two with one code": (
        "E03",
        lambda: four(north=join(recovery=line("code")), west=join(recovery=line("code"))),
    ),
    # rekeys
    "the only opponent's seat": ("E20", lambda: alone(())),
    "the only opponent's seat in pd1.0": ("E20", lambda: alone((), v=1)),
    "keys for seats where nobody has one": ("E20", lambda: bare_rekeyed(())),
    "his own consent where he has no key": ("E20", lambda: bare_rekeyed(("west",))),
    "north without east": ("E20", lambda: rekeyed("north", ("north", "west"))),
    "the gm without west": ("E20", lambda: rekeyed("gm", ("east", "north"))),
    "a code of another seat": ("E20", other_code),
    "a code that counts no more": ("E20", code_after_it_was_replaced),
    "a consent to the key alone": ("E20", lambda: partly("root")),
    "a consent without the code": ("E20", lambda: partly("recovery")),
    "an anchor in a rekey": ("E27", lambda: rekeyed("north", EVERYBODY, root=False, anchor="ab" * 32)),
    "an anchor and a root": ("E27", lambda: rekeyed_chain(anchor="ab" * 32, root="cd" * 32)),
    "a code for the gm": ("E27", lambda: rekeyed("gm", EVERYBODY, recovery=line("code"))),
    "a code for a seat without a key": ("E27", lambda: renewed("south", EVERYBODY, recovery=line("code"))),
    "a root for a seat without a key": ("E27", lambda: renewed("south", EVERYBODY, root="ab" * 32)),
    "one key for two": ("E03", both_keys),
    "his code as his key": (
        "E03",
        lambda: renewed("north", EVERYBODY, north=join(recovery=line("code")), key=line("code")),
    ),
    "his key as his code": ("E03", lambda: renewed("north", EVERYBODY, recovery=line("north"))),
    "his new key as his code": (
        "E03",
        lambda: renewed("north", EVERYBODY, key=line("new"), recovery=line("new")),
    ),
    "a root that is known": (
        "E09",
        lambda: renewed("north", EVERYBODY, root=leaves("writer-0a1b2c", "north").root),
    ),
    "a root that is somebody's value": (
        "E09",
        lambda: renewed("north", EVERYBODY, root=leaves("writer-0a1b2c", "east").x[2]),
    ),
    "the old root after a rekey": ("E09", lambda: rekeyed_then_old()),
    # undo
    "an undo to another phase": ("E28", lambda: opens(lambda r: r["next"].update(phase="t9.melee"))),
    "an undo to another seat": ("E28", lambda: opens(lambda r: r["next"].update(waits=["north"]))),
    "an undo that ends the game": ("E28", lambda: opens(without("next"))),
    "an undo that answers a question": (
        "E28",
        lambda: opens(lambda r: r["next"]["questions"][0].update(by="answer", answer="a")),
    ),
    "an undo that changes a number into true": (
        "E28",
        lambda: opens(lambda r: r["next"]["questions"][0].update(by=True)),
    ),
    "an undo that drops a question": ("E28", lambda: opens(lambda r: r["next"].pop("questions"))),
    "an undo that keeps too little": ("E28", lambda: keeps(None)),
    "an undo that keeps too much": (
        "E28",
        lambda: keeps([{"seat": "north", "slot": 1}, {"seat": "east", "slot": 2}]),
    ),
    "an undo that keeps what is not there": ("E08", lambda: keeps([{"seat": "pink", "slot": 1}])),
    "an undo of a slot that has all its values": ("E06", lambda: waiting(asked=())),
    # the list of keys
    "a key that nobody has": (
        "E08",
        lambda: signers(f'east@writer-0a1b2c namespaces="pd1-orders/writer-0a1b2c/*" {line("mallory")}'),
    ),
    "a key for another use": (
        "E08",
        lambda: signers(f'east@writer-0a1b2c namespaces="pd1-gm/writer-0a1b2c" {line("east")}'),
    ),
    "a comment in the list of keys": ("E08", lambda: signers("# east's key is new")),
    # a label
    "a label that is a phase alone": ("E12", lambda: bare_label()),
}
