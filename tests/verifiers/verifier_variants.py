"""Honest archives as disks, systems, mail programs and people leave them: each is to hold, or to be told from
a broken one.

A variant makes other files of those of a game that holds. What is expected is the answer of every reader,
never that something does not hold.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

import test_proof_attacks as attacks
from proof_simulator import friends, friends_game
from test_proof_amending import both, waiting

from pbem.proof import archive as names

Files = Mapping[str, bytes]
PASS, OPEN = "PASS", "CANNOT DECIDE"
BOM = b"\xef\xbb\xbf"


def crlf(data: bytes) -> bytes:
    return data.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")


def each(change: Callable[[bytes], bytes], *kinds: str) -> Callable[[Files], dict[str, bytes]]:
    """Return what changes every file whose name fits one of some patterns."""
    return lambda files: {
        path: change(data) if any(re.fullmatch(kind, path) for kind in kinds) else data
        for path, data in files.items()
    }


def beside(*more: Callable[[str], str]) -> Callable[[Files], dict[str, bytes]]:
    """Return what lays copies of every file of the proof beside it, under other names."""

    def change(files: Files) -> dict[str, bytes]:
        made = dict(files)
        for path, data in files.items():
            made |= {
                other(path): data[: len(data) // 2]
                for other in more
                if "/" in path and not path.startswith("verify/")
            }
        return made

    return change


def split(path: str) -> tuple[str, str, str]:
    folder, _, name = path.rpartition("/")
    stem, dot, end = name.partition(".")
    return f"{folder}/", stem, dot + end


def in_each_folder(*more: str) -> Callable[[Files], dict[str, bytes]]:
    """Return what lays files of some names into every folder of the game."""
    return lambda files: {
        **files,
        **{f"{path.rpartition('/')[0]}/{name}": b"x" for path in files if "/" in path for name in more},
    }


def without(*kinds: str) -> Callable[[Files], dict[str, bytes]]:
    """Return what takes away every file whose name fits one of some patterns."""
    return lambda files: {
        path: data for path, data in files.items() if not any(re.fullmatch(kind, path) for kind in kinds)
    }


def armor(width: int, end: str = "\n", before: str = "", behind: str = "") -> Callable[[bytes], bytes]:
    """Return what wraps an armored signature anew."""

    def change(data: bytes) -> bytes:
        first, *lines, last = data.decode().rstrip("\n").split("\n")
        packed = "".join(lines)
        made = [first, *(packed[at : at + width] for at in range(0, len(packed), width)), last]
        return (before + end.join(made) + behind).encode()

    return change


JSON = (r"ledger/.*\.json", r"seats/.*\.json", r"receipts/.*\.json", r"state/.*\.json")
SIG = r".*\.sig"
TEXT = r"(?!maps/).*"

VARIANTS: dict[str, tuple[str, Callable[[Files], dict[str, bytes]]]] = {
    "as it is": (PASS, dict),
    # systems
    "hidden files of a Mac in every folder": (PASS, in_each_folder(".DS_Store", "._x", "Icon\r")),
    "files of Windows in every folder": (PASS, in_each_folder("desktop.ini", "Thumbs.db", "~$notes.docx")),
    "files of a disk station in every folder": (PASS, in_each_folder("@eaDir", "lost+found", ".nfs0001")),
    "git": (
        PASS,
        lambda files: {
            **files,
            ".gitattributes": b"* -text\n",
            ".git/HEAD": b"x",
            ".gitignore": b"",
            "ledger/.gitkeep": b"",
        },
    ),
    "two systems that tell no case apart": (PASS, beside(lambda path: path.upper())),
    "names of devices": (PASS, in_each_folder("con", "NUL.txt", "aux.json", "com1.sig")),
    # editors, clouds, people
    "backups of editors": (
        PASS,
        beside(
            lambda path: f"{path}~",
            lambda path: f"{path}.bak",
            lambda path: f"{path}.orig",
            lambda path: f"{path}.tmp",
        ),
    ),
    "swap files of editors": (
        PASS,
        beside(
            lambda path: "/.".join(path.rsplit("/", 1)) + ".swp",
            lambda path: "#".join(["/#".join(path.rsplit("/", 1)), ""]),
        ),
    ),
    "copies of file managers": (
        PASS,
        beside(
            lambda path: "{}{} - Kopie{}".format(*split(path)),
            lambda path: "{}{} (1){}".format(*split(path)),
            lambda path: "{}{} copy{}".format(*split(path)),
            lambda path: "{}Copy of {}{}".format(*split(path)),
        ),
    ),
    "copies of a cloud": (
        PASS,
        beside(
            lambda path: "{}{} (Bob's conflicted copy 2026-02-01){}".format(*split(path)),
            lambda path: "{}{}-DESKTOP-1{}".format(*split(path)),
        ),
    ),
    "downloads under two endings": (
        PASS,
        beside(lambda path: f"{path}.txt", lambda path: f"{path}.json.json"),
    ),
    "half a transfer": (
        PASS,
        beside(
            lambda path: f"{path}.part", lambda path: f"{path}.crdownload", lambda path: f"{path}.filepart"
        ),
    ),
    "notes of a reader": (PASS, in_each_folder("notes.txt", "READ ME", "what I think?.md", "résumé.txt")),
    "a note in the umpire's folder": (
        PASS,
        lambda files: {**files, "notes.txt": b"x", "maps/my plan.png": b"x", "Bob/answers.txt": b"x"},
    ),
    "drafts": (
        PASS,
        lambda files: {
            **files,
            "seats/blue/drafts/orders.txt": b"move:\n",
            "seats/blue/drafts/orders-s0001.txt": b"x",
        },
    ),
    "another scenario and a table beside": (
        PASS,
        lambda files: {
            **files,
            "scenario/other.yaml": b"x",
            "tables/other.yaml": b"x",
            "scenario/maps/x.png": b"x",
        },
    ),
    "an older copy inside": (
        PASS,
        lambda files: {**files, **{f"old/{path}": data[:9] for path, data in files.items()}},
    ),
    # a copy in text mode
    "CR LF everywhere": (OPEN, each(crlf, TEXT)),
    "CR LF in the ledger": (OPEN, each(crlf, r"ledger/.*")),
    "CR LF in one record": (OPEN, each(crlf, r"ledger/00002-start\.json")),
    "CR LF in what players wrote": (OPEN, each(crlf, r"seats/.*")),
    "CR LF in order files alone": (OPEN, each(crlf, r"seats/.*\.txt")),
    "CR LF in rolls": (OPEN, each(crlf, r"rolls/.*")),
    "CR LF in states": (OPEN, each(crlf, r"state/.*")),
    "CR LF in scenario and tables": (OPEN, each(crlf, r"scenario/.*", r"tables/.*")),
    "CR LF in joins, goes and consents": (OPEN, each(crlf, r"seats/.*\.json")),
    "CR LF in signatures": (PASS, each(crlf, SIG)),
    "a mark before each record": (OPEN, each(lambda data: BOM + data, *JSON)),
    "a mark before everything": (OPEN, each(lambda data: BOM + data, TEXT)),
    "a mark and CR LF": (OPEN, each(lambda data: BOM + crlf(data), TEXT)),
    "records without their last line end": (OPEN, each(lambda data: data.removesuffix(b"\n"), *JSON)),
    "everything without its last line end": (OPEN, each(lambda data: data.removesuffix(b"\n"), TEXT)),
    "a line end too many": (OPEN, each(lambda data: data + b"\n", *JSON, r"rolls/.*", r"scenario/.*")),
    # signatures
    "signatures in 64 columns": (PASS, each(armor(64), SIG)),
    "signatures in 76 columns": (PASS, each(armor(76), SIG)),
    "signatures in short lines": (PASS, each(armor(30), SIG)),
    "signatures with CR LF and no last line end": (PASS, each(armor(70, "\r\n"), SIG)),
    "signatures with blank lines around": (PASS, each(armor(70, before="\n\r\n", behind="\n\n\n"), SIG)),
    "signatures with doubled lines": (PASS, each(armor(70, "\n\n", behind="\n"), SIG)),
    "signatures that a mail indented": (PASS, each(armor(70, "  \n "), SIG)),
    "a mark before each signature": (PASS, each(lambda data: BOM + data, SIG)),
    # something is gone
    "what can be made again is gone": (
        PASS,
        without(r"reports/.*", r"events/.*", r"maps/.*", r"results\.json", r"verify/.*"),
    ),
    "no list": (PASS, without(r"FILES(\.sig)?")),
    "the list is gone, its signature is not": (OPEN, without("FILES")),
    "no states": (OPEN, without(r"state/.*")),
    "no states and no list": (PASS, without(r"state/.*", r"FILES(\.sig)?")),
    "no roll logs": (OPEN, without(r"rolls/.*")),
    "no scenario": (OPEN, without(r"scenario/.*")),
    "no tables": (OPEN, without(r"tables/.*")),
    "no public keys": (OPEN, without(r"keys/.*")),
    "an order file is gone": (OPEN, without(r"seats/[a-z]+/orders-s0001\.txt")),
    "a join is gone": (OPEN, without(r"seats/[a-z]+/join\.json")),
    "the ledger is gone": (OPEN, without(r"ledger/.*")),
    "names in capitals": (OPEN, lambda files: {path.upper(): data for path, data in files.items()}),
    "nothing is left": (OPEN, lambda files: {}),
    # something was added
    "pictures added": (
        PASS,
        lambda files: {**files, **{f"maps/s{number:04d}.png": b"x" for number in range(30)}},
    ),
    "a receipt of a stranger": (
        PASS,
        lambda files: {**files, "receipts/s0001-blue-0123456789abcdef.json": b'{"type":"receipt"}\n'},
    ),
    "receipts that cannot be read": (
        PASS,
        lambda files: {
            **files,
            **{f"receipts/s0001-blue-{number:016x}.json": b"\xff" * 70_000 for number in range(3)},
        },
    ),
    "goes of a stranger": (
        PASS,
        lambda files: {**files, "seats/blue/go-s0001.json": b"{}", "seats/stranger/go-s0009.json": b"x"},
    ),
    "files of slots that are not there": (
        PASS,
        lambda files: {
            **files,
            "rolls/s0099.jsonl": b"x",
            "state/s0099.json": b"{}",
            "seats/blue/orders-s0099.txt": b"x",
            "seats/blue/orders-s0099.txt.sig": b"x",
        },
    ),
    "consents of other games": (
        PASS,
        lambda files: {
            **files,
            "seats/blue/consent-0123456789abcdef.json": b"{}",
            "seats/blue/consent-0123456789abcdef.json.sig": b"x",
        },
    ),
}


# games that go ways of their own


def orders_with_crlf() -> Files:
    """A player of Windows signed his orders as they were, and git made all line ends the same."""
    game = friends()
    data = game.order("blue", x=True)
    made = crlf(data)
    head = data.partition(b"#head ")[2][:64].decode()
    game.files["blue"] = made
    game.put("seats/blue/orders-s0001.txt", made, "blue", names.orders_namespace(game.game, 1, "blue", head))
    game.lock()
    game.result([attacks.ROLL], following=attacks.RED_TURN)
    return game.pack()


def gits_view(files: Files) -> Files:
    return each(lambda data: data.replace(b"\r\n", b"\n"), TEXT)(files)


def a_go_after_an_undo() -> Files:
    game = waiting()
    game.go("blue")
    game.undo(3, both(game, to=3))
    game.go("green", change=lambda record: record.update(x="0" * 64))
    return game.archive


def a_pack_that_was_played_on() -> Files:
    """An umpire unpacked an archive where his folder was lost, and went on; the old list lies there still."""
    game = friends_game()
    packed = game.pack()
    game.order("red")
    game.lock(blue="go")
    game.go("blue")
    game.result([("t2.red.melee/a", 6, 1)])
    return {**packed, **game.archive}


GAMES: dict[str, tuple[str, Callable[[], Files]]] = {
    "orders signed with CR LF": (PASS, orders_with_crlf),
    "orders signed with CR LF, and git": (OPEN, lambda: gits_view(orders_with_crlf())),
    "orders signed with CR LF, and text mode": (OPEN, lambda: each(crlf, TEXT)(orders_with_crlf())),
    "goes after an undo": (PASS, a_go_after_an_undo),
    "a pack that was played on": (PASS, a_pack_that_was_played_on),
    **{
        f"a receipt {name}": (PASS, lambda build=build: build().archive)
        for name, build in attacks.PAPERS.items()
    },  # type: ignore[misc]
}
