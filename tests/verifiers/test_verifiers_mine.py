"""What a player sent and got: pd1_verify.py answers as pbem does, and says whose key the game has for him."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from verifier_ground import ARCHIVES, ROOT, module, unzipped
from verifier_mutations import HONEST
from verifier_tampered import tampered
from verifier_trees import HOLDS, two_turns
from verifier_writer import Game, line, raw, seal

from pbem.proof.archive import MemoryArchive
from pbem.proof.ledger import read_ledger
from pbem.proof.own_mail import look_up, plain_orders, read_letters

pd1 = module("pd1_verify")


def mine(files: Mapping[str, bytes], letters: Mapping[str, bytes]) -> Any:
    return pd1.Mine(pd1.Audit(pd1.Memory(dict(files))), pd1.Memory(dict(letters)))


def by_pbem(
    files: Mapping[str, bytes], letters: Mapping[str, bytes]
) -> tuple[list[tuple[Any, ...]], list[str]]:
    ledger = read_ledger(MemoryArchive(files))
    read, others = read_letters(letters)
    keyless = [name for name in ledger.outside if ledger.seats[name].key_line is None]
    plain = [
        found for path in others if (found := plain_orders(ledger, path, letters[path], keyless)) is not None
    ]
    rest = [path for path in others if path not in {one.path for one in plain}]
    return sorted(
        (one.slot, one.seat, one.path, one.kind, one.answer, one.said)
        for one in [*look_up(ledger, read), *plain]
    ), rest


def sent(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return what all the players of a game sent and got, some of it in one file with its signature, some
    without a header.
    """
    found = {
        name: data
        for name, data in files.items()
        if name.startswith(("seats/", "receipts/")) and len(data) < 65_536
    }
    for name in sorted(found):
        if name.endswith(".json") and name + ".sig" in found:
            found[f"one/{name}.txt"] = (found[name] + found[name + ".sig"]).replace(b"\n", b"\r\n")
        elif "/orders-" in name and name.endswith(".txt"):
            found[f"plain/{name}"] = found[name].partition(b"---\n")[2]
    return found


def compared(files: Mapping[str, bytes], letters: Mapping[str, bytes], name: str) -> None:
    ours = mine(files, letters)
    assert (sorted(one for one in ours.found if one[3] != "key"), ours.others) == by_pbem(files, letters), (
        name
    )


@pytest.mark.parametrize("path", ARCHIVES, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_letters_of_recorded_games(path: Path) -> None:
    files = unzipped(path)
    compared(files, sent(files), path.name)
    assert mine(files, sent(files)).answer == 0


def test_letters_of_one_game_in_another() -> None:
    """Files of the honest games stand in each tampered one: used, replaced, of another history, promised, or
    dropped.
    """
    honest = {name: sent(build().pack()) for name, build in HONEST.items()}
    every = {f"{name}/{path}": data for name, files in honest.items() for path, data in files.items()}
    said = set()
    for number, (name, files) in enumerate(list(tampered().items())[::6]):
        audit = pd1.Audit(pd1.Memory(dict(files)))
        if not audit.keys or not audit.seats:
            continue
        letters = {
            path: data
            for place, (path, data) in enumerate(sorted(every.items()))
            if path.endswith(".sig") or (place + number) % 3 == 0
        }
        compared(files, {**letters, **sent(files)}, name)
        said |= {one[4] for one in mine(files, letters).found}
    assert said == {"fine", "waits", "doubt", "missing"}


def dropped() -> tuple[dict[str, bytes], dict[str, bytes]]:
    """North's final file of slot 3, a receipt of the GM for it, and a game whose lock has
    no file of north.
    """
    game = two_turns()
    game.order("north")
    paths = ("seats/north/orders-s0003.txt", "seats/north/orders-s0003.txt.sig")
    letters = {path.rpartition("/")[2]: game.files.pop(path) for path in paths}
    game.hashes, game.given = {}, {}
    game.lock()
    return game.files, {
        **letters,
        "join.json": game.files["seats/north/join.json"],
        "join.json.sig": game.files["seats/north/join.json.sig"],
    }


def test_a_final_file_that_was_dropped_is_told() -> None:
    files, letters = dropped()
    told = list(mine(files, letters).lines())
    assert told[0].startswith("NOT ALL THERE  writer-0a1b2c   head ")
    assert told[0].endswith("   2 letters, 1 missing")
    assert told[1:] == [
        "  join.json         join     -         used: the start names this join",
        "  join.json         key      -         signed with the key that north has in the manifest",
        "! orders-s0003.txt  orders   slot 3    NOT USED though final: the lock "
        "of slot 3 has no file of this seat",
    ]


def test_a_key_that_somebody_put_into_the_manifest_for_me_is_told() -> None:
    """The GM wrote his own key beside north's name; north's copy of his join was signed
    with north's own key.
    """
    game = Game({"east": "tree", "north": "tree"}).open(
        "t1.melee", ["north"], manifest=lambda made: made["seats"][1].update(key=line("gm's own"))
    )
    paper = {
        "type": "join",
        "game": game.name,
        "seat": "north",
        "manifest": game.ids[0],
        "words": "yes, I play",
    }
    letters = {
        "join.json": raw(paper),
        "join.json.sig": seal("north", f"pd1-join/{game.name}/north", raw(paper)),
    }
    found = {one[3]: one[4:] for one in mine(game.files, letters).found}
    assert found["key"] == ("missing", "NOT YOUR KEY: not signed with the one that north has in the manifest")
    assert found["join"] == ("missing", "NOT USED: the start names another join of this seat")


def test_what_is_no_letter_and_what_is_of_no_game() -> None:
    files = two_turns().files
    found = mine(
        files,
        {
            "hello.txt": b"hello",
            "big.json": b" " * 70_000,
            "x.sig": b"",
            "lock.json": files["ledger/00003-s0001-lock.json"],
        },
    )
    assert (found.others, found.answer, found.found) == (["big.json", "hello.txt", "lock.json"], 3, [])
    assert list(found.lines())[1] == "Not letters of this program: big.json, hello.txt, lock.json"


@pytest.mark.parametrize("name", HOLDS)
def test_every_letter_of_an_honest_game_is_in_it(name: str) -> None:
    files = HOLDS[name]().files
    assert not [
        one
        for one in mine(files, sent(files)).found
        if one[4] not in ("fine", "waits") and "taken back" not in one[5]
    ]
