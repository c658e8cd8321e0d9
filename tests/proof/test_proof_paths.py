"""Values of trees in whole games: whatever is done to a value, its path or its root, the archive shows it.

What honest games may do.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from proof_simulator import (
    GAME,
    Change,
    Referee,
    chain,
    digest,
    friends,
    gm_seat,
    played_in,
    player,
    secret,
    tree,
)
from test_proof_amending import MELEE, becomes, both, first_code, judged, three, turn

from pbem.proof.dice_protocol import SeededDice
from pbem.proof.known import CHAINS, TREES, Value
from pbem.proof.ledger import read_ledger
from pbem.proof.records import Record, value_fields
from pbem.proof.trees import DEPTH, LEAVES, Tree, leaf, node

Given = Callable[[Referee, Value], Value]


def resolved(game: Referee, who: str, given: Given, rolls: bool = True) -> Referee:
    """Resolve what is locked with another value of somebody, the seed and the dice made of it."""

    def put(values: dict[str, Value | None], words: dict[str, str]) -> None:
        right = values[who]
        assert right is not None
        values[who] = given(game, right)

    label = f"{game.next['phase'] if game.next else ''}/d{game.slot}"
    game.result([(label, 6, 1)] if rolls else [], values=put, following=(MELEE, ["blue"]))
    return game


def gm(given: Given, after: int = 0) -> Referee:
    """So many slots of blue are done; in the one after them the GM gives another value than his own."""
    game = friends()
    for _ in range(after):
        turn(game, "blue", following="blue")
    game.order("blue", x=True)
    game.lock()
    return resolved(game, "gm", given)


def blue(given: Given, after: int = 0) -> Referee:
    """The same of blue, in his file and in the result."""
    game = friends()
    for _ in range(after):
        turn(game, "blue", following="blue")
    game.order("blue", x=given(game, game.value("blue", game.slot + 1)))
    game.lock()
    game.result([(f"{MELEE}/d{game.slot}", 6, 1)])
    return game


def went(change: Change = None, given: Given | None = None) -> Referee:
    """Red's slot, in which blue goes; his go or what the result has of it is tampered with."""
    game = friends()
    turn(game, "blue", following="red")
    game.order("red")
    game.lock(blue="go")
    game.go("blue", change=change)
    return resolved(game, "blue", given or (lambda _, value: value))


def after_a_jump(given: Given) -> Referee:
    """Blue gave nothing for six slots; then his path is longer than one."""
    game = Referee([player("blue"), player("green")], chains=["blue", "green"]).open(MELEE, ["blue"])
    turn(game, "blue")
    for _ in range(6):
        turn(game, "green")
    game.order("blue", x=given(game, game.value("blue", game.slot + 1)))
    game.lock()
    game.result([(f"{MELEE}/d{game.slot}", 6, 1)])
    return game


def path(change: Callable[[list[str]], list[str]]) -> Given:
    return lambda _, value: Value(value.x, tuple(change(list(value.path))))


def other(who: str, slot: int = 0, of: str = "") -> Given:
    """The value of another party or slot; with its own path, or with that which goes with the right one."""

    def give(game: Referee, value: Value) -> Value:
        found = game.value(who, slot or game.slot + 1)
        return Value(found.x, value.path if of == "right" else found.path)

    return give


def listed(who: str, **fields: Any) -> Change:
    """Change an entry of the values of a result."""

    def edit(record: dict[str, Any]) -> None:
        entry = next(entry for entry in record["values"] if entry["who"] == who)
        entry.update(fields)

    return edit


def signed(who: str, change: Change) -> Referee:
    game = friends()
    game.order("blue", x=True)
    game.lock()
    game.result([(f"{MELEE}/d1", 6, 1)], change=change)
    return game


def flipped(hashes: list[str], at: int) -> list[str]:
    return [beside if n != at % len(hashes) else "ab" * 32 for n, beside in enumerate(hashes)]


def words_in_place_of_a_value(go: bool = False) -> Referee:
    """Words can be chosen when all else is known; who has fixed his values gives those."""
    game = friends()
    if not go:
        game.order("blue", luck="seven drunken herons")
        game.lock()
    else:
        turn(game, "blue", following="red")
        game.order("red")
        game.lock(blue="go")
        game.go("blue", "seven drunken herons")
    game.result([(f"{game.next['phase'] if game.next else ''}/d1", 6, 1)])
    return game


def given_again_after_an_undo() -> Referee:
    """The value of a slot that was taken back is known to all."""
    game = three()
    game.undo(2, both(game, to=2))
    game.order("green", x=Value(game.value("green", 2).x))
    game.lock()
    game.result([(f"{MELEE}/again", 6, 1)])
    return game


def path_as_if_undone_slots_did_not_count() -> Referee:
    game = three()
    game.undo(2, both(game, to=2))
    game.last["green"] = None
    turn(game, "green")
    return game


def shallow() -> Referee:
    """A root over half as many values: its paths are shorter by one."""
    hashes = [leaf(GAME, "blue", slot, tree(GAME, "blue").value(slot or 1)) for slot in range(LEAVES // 2)]
    beside: list[str] = []
    at = 1
    while len(hashes) > 1:
        beside.append(hashes[at ^ 1].hex())
        hashes = [node(hashes[n], hashes[n + 1]) for n in range(0, len(hashes), 2)]
        at >>= 1
    game = friends(join={"blue": becomes(root=hashes[0].hex())})
    game.order("blue", x=Value(tree(GAME, "blue").value(1), tuple(beside)))
    game.lock()
    game.result([(f"{MELEE}/d1", 6, 1)])
    assert len(beside) == DEPTH - 1
    return game


def of_another(name: str, who: str) -> Referee:
    """Blue joins with the root of a tree that he made for another game, or as another seat."""
    theirs = Tree(secret("blue"), name, who)
    game = friends(join={"blue": becomes(root=theirs.root)})
    game.order("blue", x=Value(theirs.value(1), theirs.path(1, None)))
    game.lock()
    game.result([(f"{MELEE}/d1", 6, 1)])
    return game


def inner_node_as_value() -> Referee:
    """A hash of the tree where a value should be: the leaf is another kind of hash than all above it."""
    return blue(lambda game, value: Value(leaf(GAME, "blue", 1, value.x).hex(), value.path))


def joined(**fields: Any) -> Callable[[], Referee]:
    def change(record: dict[str, Any]) -> None:
        record.pop("root", None)
        record.pop("anchor", None)
        record.update(fields)

    return lambda: friends(join={"blue": change})


def begun(**fields: Any) -> Callable[[], Referee]:
    def change(record: dict[str, Any]) -> None:
        record.pop("root", None)
        record.pop("anchor", None)
        record.update(fields)

    return lambda: friends(manifest=change)


def header(*lines: str, x: bool = True) -> Referee:
    """Blue's file has more in its header than he could write."""
    game = friends()
    data = game.order("blue", x=x)
    head, rule, yaml = data.partition(b"---\n")
    lines_ = b"".join(line.encode() + b"\n" for line in lines)
    kept = b"\n".join(row for row in head.split(b"\n") if not row.startswith(b"#path"))
    game.put(
        "seats/blue/orders-s0001.txt",
        kept + lines_ + rule + yaml,
        "blue",
        f"pd1-orders/{GAME}/1/blue/{game.next_id}",
    )
    game.files["blue"] = game.archive["seats/blue/orders-s0001.txt"]
    game.lock()
    game.result([(f"{MELEE}/d1", 6, 1)])
    return game


H = "ab" * 32
WORDED = {"who": "blue", "luck": "seven drunken herons"}


def worded_with_a_path(record: Record) -> None:
    record["values"][0] = {"who": "blue", "luck": "seven herons", "path": [H]}


def of_a_tree(_: Referee, value: Value) -> Value:
    return Value(tree(GAME, "blue").value(1), tree(GAME, "blue").path(1, None))


ATTACKS: dict[str, tuple[str, Callable[[], Referee]]] = {
    "gm: no path": ("E09", lambda: gm(path(lambda hashes: []))),
    "gm: a path too short": ("E09", lambda: gm(path(lambda hashes: hashes[:-1]))),
    "gm: a path too long": ("E09", lambda: gm(path(lambda hashes: [*hashes, H]))),
    "gm: a path from the other end": ("E09", lambda: gm(path(lambda hashes: hashes[::-1]))),
    "gm: the lowest hash is another": ("E09", lambda: gm(path(lambda hashes: flipped(hashes, 0)))),
    "gm: the highest hash is another": ("E09", lambda: gm(path(lambda hashes: flipped(hashes, -1)))),
    "gm: a path where none is needed": ("E09", lambda: gm(path(lambda hashes: [H]), after=2)),
    "gm: the whole path once more": ("E09", lambda: gm(lambda game, value: Value(value.x, tree(GAME, "gm").path(2, None)), after=1)),
    "gm: the path of another slot": ("E09", lambda: gm(lambda game, value: Value(value.x, tree(GAME, "gm").path(4, None)))),
    "gm: the value of another slot": ("E09", lambda: gm(other("gm", 2, "right"))),
    "gm: value and path of another slot": ("E09", lambda: gm(other("gm", 2))),
    "gm: value and path of blue": ("E09", lambda: gm(other("blue"))),
    "gm: a value of his own": ("E09", lambda: gm(lambda game, value: Value(digest("mine").hex(), value.path))),
    "gm: the value of the slot before": ("E09", lambda: gm(other("gm", 1, "right"), after=1)),
    "blue: the value of the gm": ("E09", lambda: blue(other("gm"))),
    "blue: the value of the slot to come": ("E09", lambda: blue(other("blue", 2))),
    "blue: a hash of the tree": ("E09", inner_node_as_value),
    "blue: a hash on the right after a jump": ("E09", lambda: after_a_jump(path(lambda hashes: flipped(hashes, 0)))),
    "blue: a hash on the left after a jump": ("E09", lambda: after_a_jump(path(lambda hashes: flipped(hashes, -1)))),
    "blue: no path after a jump": ("E09", lambda: after_a_jump(path(lambda hashes: []))),
    "blue: a path as from a later slot": ("E09", lambda: after_a_jump(path(lambda hashes: hashes[:-1]))),
    "blue: the value of an undone slot": ("E09", given_again_after_an_undo),
    "blue: a path as if undone slots did not count": ("E09", path_as_if_undone_slots_did_not_count),
    "blue: a tree too low": ("E09", shallow),
    "blue: the tree of another game": ("E09", lambda: of_another("siege-0a1b2d", "blue")),
    "blue: the tree of another seat": ("E09", lambda: of_another(GAME, "green")),
    "blue: a value of a chain": ("E09", lambda: blue(lambda game, value: Value(chain(GAME, "blue").value(1)))),
    "blue: words in his file": ("E09", words_in_place_of_a_value),
    "blue: words in place of what his file has": ("E09", lambda: signed("blue", lambda record: record["values"].__setitem__(0, WORDED))),
    "blue: words in his go": ("E09", lambda: words_in_place_of_a_value(go=True)),
    "the result has another path than the file": ("E15", lambda: signed("blue", listed("blue", path=[H]))),
    "the result leaves out the path of the file": ("E15", lambda: signed("blue", lambda record: record["values"][0].pop("path"))),
    "the file leaves out the path": ("E15", lambda: header()),
    "the go has another path": ("E10", lambda: went(becomes(path=[H]))),
    "the go leaves out its path": ("E10", lambda: went(lambda record: record.pop("path"))),
    "the result has another path than the go": ("E10", lambda: went(given=path(lambda hashes: flipped(hashes, 0)))),
    "an empty path in a result": ("E27", lambda: signed("gm", listed("gm", path=[]))),
    "an empty path in a go": ("E27", lambda: went(becomes(path=[]))),
    "a path at nothing": ("E27", lambda: signed("gm", listed("blue", x="-"))),
    "a path at words": ("E27", lambda: signed("gm", worded_with_a_path)),
    "a path at words in a go": ("E27", lambda: went(lambda record: record.update(luck="seven drunken herons") or record.pop("x"))),
    "a path in capital letters": ("E27", lambda: signed("gm", listed("gm", path=[H.upper()]))),
    "a path that is no list": ("E27", lambda: signed("gm", listed("gm", path=H))),
    "a path in a file without a value": ("E07", lambda: header(f"#path {H}", x=False)),
    "two spaces in the path of a file": ("E07", lambda: header(f"#path {H}  {H}")),
    "two paths in a file": ("E07", lambda: header(f"#path {H}", f"#path {H}")),
    "a path with commas in a file": ("E07", lambda: header(f"#path {H},{H}")),
    "join: an anchor": ("E07", joined(anchor=H)),
    "join: anchor and root": ("E27", joined(anchor=H, root=H)),
    "join: root and words": ("E27", joined(root=H, words="yes, I play")),
    "join: neither": ("E27", joined()),
    "manifest: an anchor": ("E27", begun(anchor=H)),
    "manifest: anchor and root": ("E27", begun(anchor=H, root=H)),
    "manifest: neither": ("E27", begun()),
    "manifest: of a revision to come": ("E27", begun(v=3, root=H)),
}  # fmt: skip
IN_CHAINS: dict[str, tuple[str, Callable[[], Referee]]] = {
    "blue: words in place of what his file has": (
        "E15",
        lambda: signed("blue", lambda record: record["values"].__setitem__(0, WORDED)),
    ),
    "gm: a path in a chain": ("E09", lambda: gm(path(lambda hashes: [H]))),
    "blue: a path in a chain": ("E09", lambda: blue(path(lambda hashes: [H]))),
    "blue: a value of a tree": ("E09", lambda: blue(of_a_tree)),
    "join: a root": ("E07", joined(root=H)),
    "manifest: a root": ("E27", begun(root=H)),
}


@pytest.mark.parametrize("name", ATTACKS)
def test_values_that_were_not_fixed(name: str) -> None:
    code, build = ATTACKS[name]
    assert first_code(build()) == code


@pytest.mark.parametrize("name", IN_CHAINS)
def test_values_of_games_with_chains(name: str) -> None:
    code, build = IN_CHAINS[name]
    with played_in(CHAINS):
        assert first_code(build()) == code


# what honest games may do


def test_a_seat_that_was_silent_for_long_brings_a_longer_path() -> None:
    game = after_a_jump(lambda _, value: value)
    assert first_code(game) is None
    results = [read.record for read in read_ledger(game.archive).records if read.record["type"] == "result"]
    lengths = [
        len(next(entry for entry in record["values"] if entry["who"] == "blue").get("path", ()))
        for record in results
    ]
    assert lengths == [14, 0, 0, 0, 0, 0, 0, 3]


def test_a_slot_that_was_undone_before_its_result_gave_nothing() -> None:
    """Blue's value of slot 3 stands in his file, but in no result: his next path counts
    from the one before.
    """
    game = three()
    game.order("blue", x=True)
    game.lock(green="go")
    game.undo(3, both(game, to=3))
    turn(game, "blue")
    assert first_code(game) is None
    known = read_ledger(game.archive).known["blue"]
    assert known.kind == "tree" and game.last["blue"] == 4


def test_a_slot_that_was_undone_after_its_result_counts() -> None:
    game = three()
    game.undo(2, both(game, to=2))
    turn(game, "green")
    assert first_code(game) is None


def test_the_same_dice_come_of_the_same_values_whatever_holds_them() -> None:
    game = friends()
    turn(game, "blue", following="blue")
    slot = read_ledger(game.archive).slots[1]
    assert slot.seed is not None
    assert slot.rolls[0].values == SeededDice(slot.seed).values(f"{MELEE}/a1", 6, 1)
    assert judged(game).trust[0].foreknowledge == "known beforehand only to both sides together"
    assert value_fields(Value("ab" * 32)) == {"x": "ab" * 32}


def test_a_root_of_a_rekey_serves_in_a_game_that_began_with_chains() -> None:
    """Whoever plays on in an old game can leave his chain for a tree, the GM too."""
    with played_in(CHAINS):
        game = Referee([player("blue"), gm_seat("red")], chains=["blue"]).open(MELEE, ["blue"])
        turn(game, "blue", following="blue")
    for of in ("blue", "gm"):
        new = game.renew(of, revision=TREES)
        game.rekey(of, game.consents(["blue"], **{"of": of, "from": 2, **new}), **new)
    for _ in range(3):
        turn(game, "blue", following="blue")
    assert first_code(game) is None
    assert {known.kind for known in read_ledger(game.archive).known.values()} == {"tree"}
