"""The accidents of docs/when-things-go-wrong.md: a small game, and what befalls it, by the heading that tells
of it.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from email.message import EmailMessage
from pathlib import Path

import pytest
import toy_ruleset
from msgspec.structs import replace
from table import SCENARIOS, Table

from pbem.referee.game import environment
from pbem.referee.game.game import open_game
from pbem.referee.mail.succession import deputy
from pbem.referee.proving.pack import pack
from pbem.referee.turn.admit import admit
from pbem.referee.turn.consent import make, take
from pbem.referee.turn.join import join
from pbem.referee.turn.new import INVITATION, SeatWish, new
from pbem.referee.turn.rekey import propose, read_change, rekey
from pbem.referee.turn.seen_heads import look
from pbem.store import disk
from pbem.store.zips import open_zip, write_zip

OLD = {"name": "pbem", "version": "0.1.0", "sha256": "5d" * 32}
NEW = {"name": "pbem", "version": "0.2.0", "sha256": "c4" * 32}
ORDERS = "luck: {luck}\nstanding: {{everyone: {{yield: hold}}}}\npull:\n- {side}-team pulls\n"
WORDS = ("seven drunken herons", "one sober stork", "nine quiet cranes", "a fifth of cider")


class Toll(Table):
    """A game in the folder ``toll``: Bob (west) and Ann (east), both without a key, an umpire; two slots
    played.
    """

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self.game = root / "toll"
        self.env = replace(self.env, engine=lambda: OLD)

    def begin(self) -> Toll:
        wishes = [SeatWish("west", "north", "Bob"), SeatWish("east", "south", "Ann")]
        new(self.env, str(SCENARIOS / "tug.yaml"), self.game, wishes, name="toll-0a1b2c", umpire=True)
        self.join_all()
        self.slot()
        shutil.copytree(self.game, self.root / "backup")
        self.slot()
        return self

    def slot(self, words: str = "") -> None:
        (seat,) = self.open().announced()["waits"]
        side = self.open().sides[seat]
        self.orders(
            seat,
            words + ORDERS.format(luck=WORDS[self.open().ledger.newest_slot], side=side),
            auto_lock=False,
        )
        self.resolve()

    def newest(self) -> Path:
        return max((self.game / "ledger").glob("*.json"))

    def lose(self, path: str) -> None:
        (self.game / path).unlink()

    def restore(self) -> None:
        shutil.rmtree(self.game)
        shutil.copytree(self.root / "backup", self.game)


Accident = Callable[[Toll, pytest.MonkeyPatch], object]


def crlf(at: Toll, _: pytest.MonkeyPatch) -> None:
    for path, data in at.files().items():
        if not path.endswith((".png", ".zip")):
            (at.game / path).write_bytes(data.replace(b"\n", b"\r\n"))


def changed_die(at: Toll, _: pytest.MonkeyPatch) -> None:
    path = at.game / "rolls/s0001.jsonl"
    data = path.read_bytes()
    path.write_bytes(data[:-4] + (b"6" if data[-4:-3] != b"6" else b"5") + data[-3:])


def busy(at: Toll, patch: pytest.MonkeyPatch) -> None:
    def exclusive(folder: Path) -> None:
        raise disk.Busy(Path("toll/.lock"), "4711 ann-laptop")

    patch.setattr(disk, "exclusive", exclusive)


def left(at: Toll, _: pytest.MonkeyPatch) -> None:
    (at.game / "state/.s0003.json.tmp").write_bytes(b"half a st")


def lost_join(at: Toll, _: pytest.MonkeyPatch) -> None:
    pack(at.env, at.game, at.root / "toll.zip")
    at.lose("seats/west/join.json")


def changed_archive(at: Toll, _: pytest.MonkeyPatch) -> None:
    path = at.root / "toll.zip"
    pack(at.env, at.game, path)
    whole = open_zip(path)
    path.write_bytes(write_zip({name: whole[name] for name in whole if name != "state/s0001.json"}))


def cut_archive(at: Toll, _: pytest.MonkeyPatch) -> None:
    path = at.root / "cut.zip"
    pack(at.env, at.game, path)
    path.write_bytes(path.read_bytes()[:-100])


def restored(at: Toll, _: pytest.MonkeyPatch) -> None:
    pack(at.env, at.game, at.root / "toll.zip")
    at.restore()


def other_machine(at: Toll) -> Toll:
    """The backup, gone on with on another computer."""
    other = Toll(at.root / "other-computer")
    shutil.copytree(at.root / "backup", other.game)
    (other.game / "told.json").unlink()
    shutil.copytree(at.root / "home", other.root / "home")
    other.env.keyring.told_file("toll-0a1b2c").unlink()
    other.moment = at.moment
    other.slot("message: from the other computer\n")
    return other


def two_machines(at: Toll, _: pytest.MonkeyPatch) -> None:
    other_machine(at)


def copied_over(at: Toll, _: pytest.MonkeyPatch) -> None:
    shutil.copytree(other_machine(at).game, at.game, dirs_exist_ok=True)


def leftovers(at: Toll, _: pytest.MonkeyPatch) -> None:
    shutil.rmtree(at.game / "ledger")
    shutil.copytree(at.root / "backup/ledger", at.game / "ledger")
    at.env.keyring.told_file("toll-0a1b2c").unlink()
    at.lose("told.json")


def letters(at: Toll) -> None:
    """Lay the letters of a player, of which each brought the archive of its day, into ``letters``."""
    (at.root / "letters").mkdir()
    for number, where in enumerate((at.root / "backup", at.game), 1):
        pack(at.env, where, at.root / "sent.zip")
        message = EmailMessage()
        message["From"], message["To"], message["Subject"] = (
            "orders@example.org",
            "bob@example.net",
            "Your move",
        )
        message.set_content("What happened is in the archive.\n")
        data = (at.root / "sent.zip").read_bytes()
        message.add_attachment(data, maintype="application", subtype="zip", filename="toll.zip")
        (at.root / f"letters/{number}.eml").write_bytes(message.as_bytes())


def only_letters(at: Toll, patch: pytest.MonkeyPatch) -> None:
    letters(at)
    restored(at, patch)


def nothing_but_letters(at: Toll, _: pytest.MonkeyPatch) -> None:
    letters(at)
    shutil.rmtree(at.game)


def umpire_gone(at: Toll, _: pytest.MonkeyPatch) -> None:
    at.count = 900
    made = deputy(at.env, at.game, "Uma", "if I fall ill")
    (at.root / "share.txt").write_text(made.share)
    letters(at)
    shutil.rmtree(at.game)
    shutil.rmtree(at.env.keyring.root)


def twice(at: Toll, _: pytest.MonkeyPatch) -> None:
    shutil.copytree(at.game, at.root / "toll-copy")


def upgraded(at: Toll, patch: pytest.MonkeyPatch) -> None:
    patch.setattr(environment, "own_environment", lambda **more: replace(at.env, engine=lambda: NEW, **more))
    at.orders("west", ORDERS.format(luck=WORDS[2], side="north"), auto_lock=False)


def other_rules(at: Toll, patch: pytest.MonkeyPatch) -> None:
    upgraded(at, patch)

    def jeering(rules: object, play: object, files: object) -> None:
        toy_ruleset.prepare(rules, play, files)  # type: ignore[arg-type]
        play.happen(toy_ruleset.Did("north-team", "jeers"))  # type: ignore[attr-defined]

    steps = {**toy_ruleset.TOY.steps, "jeering": jeering}
    patch.setitem(toy_ruleset.CATALOGUE["toy"], 1, replace(toy_ruleset.TOY, steps=steps))


def no_revision(at: Toll, patch: pytest.MonkeyPatch) -> None:
    patch.setitem(toy_ruleset.CATALOGUE["toy"], 2, replace(toy_ruleset.TOY, revision=2))
    patch.delitem(toy_ruleset.CATALOGUE["toy"], 1)


def clock_back(at: Toll, _: pytest.MonkeyPatch) -> None:
    at.moment = at.moment.replace(year=2040)
    at.orders("west", ORDERS.format(luck=WORDS[2], side="north"), auto_lock=False)
    at.lock()
    at.moment = at.moment.replace(year=2026)


def no_key(at: Toll, _: pytest.MonkeyPatch) -> None:
    at.env.keyring.key_file("toll-0a1b2c").unlink()
    at.orders("west", ORDERS.format(luck=WORDS[2], side="north"), auto_lock=False)


def signed_game(at: Toll) -> None:
    """Make another game in ``toll``: Ann (east) runs it and plays, Bob (west) has a key and a recovery code;
    slot 1 was hers.
    """
    shutil.rmtree(at.game)
    at.count = 500
    wishes = [SeatWish("east", "north", "Ann"), at.wish("west", side="south", keyed=True)]
    new(at.env, str(SCENARIOS / "tug.yaml"), at.game, wishes, name="toll-9f8e7d")
    at.player = replace(at.env, keyring=at.player.keyring)
    joined = join(at.player, at.game / INVITATION, at.key("west"))
    admit(at.env, at.game, joined.letter)
    at.orders("east", "pull:\n- north-team rests\n")
    at.resolve()
    at.key_file("west").rename(at.root / "bob_ed25519")


def dead(at: Toll, _: pytest.MonkeyPatch) -> None:
    signed_game(at)
    pack(at.env, at.game, at.root / "toll.zip")
    at.key_file("new").rename(at.root / "new_ed25519")


def seen_more(at: Toll, patch: pytest.MonkeyPatch) -> None:
    signed_game(at)
    pack(at.env, at.game, at.root / "toll-old.zip")
    at.orders("west", "pull:\n- south-team rests\n")
    at.resolve()
    pack(at.env, at.game, at.root / "toll.zip")
    look(at.player, open_game(at.root / "toll.zip").ledger)
    (at.root / "west.yaml").write_text("nobody: moves\n")
    patch.setattr(environment, "own_environment", lambda **more: replace(at.player, **more))


def umpire_rekeyed(at: Toll, _: pytest.MonkeyPatch) -> None:
    signed_game(at)
    change = propose(at.env, at.open(), "gm", at.key("new umpire")).change
    take(at.game, make(at.open(), at.key("west"), read_change(change)).letter)
    rekey(at.env, at.game, change)
    pack(at.env, at.game, at.root / "toll.zip")


def losing(path: str) -> Accident:
    return lambda at, _: at.lose(path)


def conflicted(at: Toll, _: pytest.MonkeyPatch) -> None:
    shutil.copy(at.newest(), at.newest().with_name("00006-s0002-result (conflicted copy).json"))


ACCIDENTS: Mapping[str, Accident] = {
    "A state is gone": losing("state/s0002.json"),
    "A roll log is gone": losing("rolls/s0001.jsonl"),
    "The events of a turn are gone": losing("events/s0002.jsonl"),
    "A published order file is gone": losing("seats/west/orders-s0001.txt"),
    "The newest record has lost its signature": lambda at, _: at.lose(f"ledger/{at.newest().name}.sig"),
    "The newest record was cut short": lambda at, _: (
        at.newest().write_bytes(at.newest().read_bytes()[:200]) and None
    ),
    "Git changed the line ends": crlf,
    "A cloud, an editor, a system left files of its own": conflicted,
    "Somebody changed a die": changed_die,
    "Something is gone that nothing can make again": lost_join,
    "An archive lacks something": changed_archive,
    "An archive is not read": cut_archive,
    "A program was killed": left,
    "Another program works in the game": busy,
    "A backup was restored": restored,
    "A backup is old, and letters have the rest": only_letters,
    "The computer is gone, and letters are all there is": nothing_but_letters,
    "The umpire is gone, and there is a deputy": umpire_gone,
    "Two computers went on from one copy": two_machines,
    "One copy was put over the other": copied_over,
    "Files of another copy lie about": leftovers,
    "One game lies in two folders": twice,
    "Another pbem comes out the same": upgraded,
    "Another pbem plays otherwise": other_rules,
    "verify says CANNOT DECIDE: another engine": other_rules,
    "This pbem lacks the rules": no_revision,
    "The clock was wrong": clock_back,
    "The umpire's key is gone": no_key,
    "My computer died": dead,
    "Sign refuses this copy": seen_more,
    "The umpire has new keys": umpire_rekeyed,
}
"""Heading of the page -> what befalls the game."""
