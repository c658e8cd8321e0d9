"""Fixing the order set of a slot (R5 to R10): which file of each seat is used, and who is asked for a go."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from pbem.core.dice import NoDice, NoDiceError
from pbem.proof.archive import orders_path, short_digest, sig_path
from pbem.proof.canonical import encode, record_id
from pbem.proof.orderfile import parse
from pbem.proof.rules import EARLY, GO, NONE, Entry, goes_needed
from pbem.referee.game.environment import Environment
from pbem.referee.game.game import Game, again, own_folder, writing
from pbem.referee.game.intake import takes_values
from pbem.referee.game.refusal import UNDECIDED, refuse
from pbem.referee.game.replay import Sheet, play, read_sheet
from pbem.referee.game.sealing import gm_key, seal
from pbem.referee.game.story import clear_way, head_of
from pbem.referee.turn.completing import is_finished, is_in, may_roll
from pbem.store import received
from pbem.store.library import common_words
from pbem.store.received import Letter
from pbem.text.words import ENGLISH, speaking

if TYPE_CHECKING:
    from pbem.referee.turn.beacon import Wanted


class Locked(Struct, frozen=True):
    """A slot whose orders are fixed, whom it asks for a go, and in which words."""

    slot: int
    lock_id: str
    asked: tuple[str, ...]
    files: tuple[str, ...]
    letter: str
    round: Wanted | None = None
    """The round of the beacon that its dice wait for, in a game with one; there may be no dice."""

    @property
    def digest(self) -> str:
        """Return the id of the lock as people compare it."""
        return short_digest(self.lock_id)


class Standing(Struct, frozen=True):
    """Which files would be used if the slot were locked now, and what speaks against it.

    ``missing`` are seats that are waited for and whose file, if there is one, orders nobody; ``drafts`` those
    whose file is not final.
    ``unfinished`` are those whose file leaves something open where no value is taken: it is no reason not to
    lock, but one to wait.
    """

    letters: dict[str, Letter]
    missing: tuple[str, ...]
    drafts: tuple[str, ...]
    unfinished: tuple[str, ...] = ()


def chosen_letter(game: Game, slot: int, seat: str) -> Letter | None:
    """Return the file of a seat that counts: the first with a value, else the last (R5)."""
    return chosen(game, received.letters(own_folder(game), slot), seat)


def chosen(game: Game, letters: Iterable[Letter], seat: str) -> Letter | None:
    """Return the same where the files of that slot have been looked up."""
    mine = [one for one in letters if one.seat == seat and head_of(one.data) == game.ledger.next_id]
    return next((letter for letter in mine if parse(letter.data).has_value), mine[-1] if mine else None)


def standing(game: Game) -> Standing:
    """Return how the open slot stands."""
    announced = game.announced()
    slot, waits = int(announced["slot"]), tuple(announced["waits"])
    letters: dict[str, Letter] = {}
    came_in = received.letters(own_folder(game), slot)
    for name, seat in sorted(game.ledger.seats.items()):
        letter = chosen(game, came_in, name)
        if letter is not None and (seat.outside or name in waits):
            letters[name] = letter
    here = [name for name in waits if name in letters and is_in(game, letters[name])]
    missing = tuple(name for name in waits if name not in here)
    if may_roll(game):
        valued = takes_values(game, announced)
        return Standing(
            letters,
            missing,
            tuple(name for name in here if valued and not parse(letters[name].data).has_value),
        )
    open_ = tuple(name for name in here if not is_finished(game, letters[name]))
    return Standing(letters, missing, *((open_,) if takes_values(game, announced) else ((), open_)))


def sheets_for(game: Game, letters: dict[str, Letter]) -> tuple[Sheet, ...]:
    """Return the files in force if these were locked now, as the rules understand them."""
    new = (
        read_sheet(game.ground, game.state, name, letter.slot, letter.data)
        for name, letter in letters.items()
    )
    return (*game.kept_sheets(), *new)


def dice_wanted(game: Game, letters: dict[str, Letter]) -> bool:
    """Tell whether the slot would roll a die: the rules are run without one and stop at the first (R10)."""
    announced = game.announced()
    ledger = game.ledger
    try:
        play(
            game.ground,
            ledger.seats,
            int(announced["slot"]),
            game.state,
            announced,
            sheets_for(game, letters),
            ledger.recorded,
            NoDice(),
        )
    except NoDiceError:
        return True
    return False


def lock(env: Environment, where: Path, *, deadline: bool = False) -> Locked:
    """Lock the open slot; Refused (cannot decide) while a file is missing, unless the deadline has passed."""
    with writing(where, env) as game:
        return lock_now(env, game, deadline=deadline)


def lock_if_final(env: Environment, game: Game) -> Locked | None:
    """Lock the slot if every seat waited for has a final file, and none of them is played by the GM."""
    if game.playing_gm and any(not game.ledger.seats[name].outside for name in game.announced()["waits"]):
        return None
    now = standing(game)
    if now.missing or now.drafts or now.unfinished or not takes_values(game, game.announced()):
        return None
    return lock_now(env, game)


@speaking(ENGLISH)
def lock_now(env: Environment, game: Game, *, deadline: bool = False) -> Locked:
    """Write the lock of the open slot of a game that is held alone; a slot that is locked already is returned
    as it is.
    """
    from pbem.proof import records, relied

    ledger = game.ledger
    if ledger.locked is not None:
        return _as_locked(game)

    announced = game.announced()
    now = standing(game)
    # Who has lost his keys cannot send anything before he has the new ones: such a slot is played without
    # him, and taken back.
    coming = {rekey.of for rekey in ledger.pending}
    friends = (
        [name for name in now.missing if ledger.seats[name].outside and name not in coming]
        if game.playing_gm
        else []
    )
    if now.missing and (not deadline or friends):
        slot = int(announced["slot"])
        if friends:
            lost = common_words().phrase("mail.lost", slot=slot)
            raise refuse(
                "lock.friends-wait",
                answer=UNDECIDED,
                slot=slot,
                seats=", ".join(friends),
                help=f"write: {lost}",
            )
        raise refuse("lock.missing", answer=UNDECIDED, slot=slot, seats=", ".join(now.missing))

    if now.drafts and not deadline:
        raise refuse("lock.draft", answer=UNDECIDED, slot=int(announced["slot"]), seats=", ".join(now.drafts))

    entries: dict[str, Entry] = {}
    for name in sorted(ledger.seats):
        letter = now.letters.get(name)
        early = letter is not None and takes_values(game, announced) and parse(letter.data).has_value
        entries[name] = Entry(EARLY if early else NONE, None if letter is None else letter.sha512)

    # In a game with a beacon its round stands for every go (R17).
    wanted = ledger.profile != "gm" and not ledger.has_beacon and dice_wanted(game, now.letters)
    for name in goes_needed(ledger.seats, ledger.profile, announced["waits"], entries, wanted):
        entries[name] = Entry(GO, entries[name].sha512)

    record = records.lock(
        game=game.id,
        n=ledger.next_n,
        prev=ledger.head,
        at=env.clock(),
        slot=int(announced["slot"]),
        entries={name: (entry.sha512, entry.x) for name, entry in entries.items()},
        note=relied.note({name: letter.came.relied for name, letter in now.letters.items()}),
    )

    folder = own_folder(game)
    private = gm_key(env, game)
    clear_way(env, folder, ledger, int(record["slot"]))
    for name, letter in now.letters.items():
        # A signature shows nothing but whose file it is, so everybody may check it before the orders are
        # shown.
        if letter.signature is not None:
            folder.put(sig_path(orders_path(name, letter.slot)), letter.signature)

    asked = [name for name, entry in entries.items() if entry.x == GO]
    for name in asked:
        text = go_letter(game, record_id(encode(record)), int(announced["slot"]))
        folder.put(f"outbox/lock-s{record['slot']:04d}-{name}.txt", text.encode(), lasting=name == asked[-1])
    seal(folder, private, record)
    return _as_locked(again(game))


def _as_locked(game: Game) -> Locked:
    slot = game.ledger.locked
    assert slot is not None
    files = tuple(name for name, entry in sorted(slot.entries.items()) if entry.sha512 is not None)
    letter = go_letter(game, slot.lock_id, slot.number) if slot.asked else ""
    round_ = None
    if game.ledger.has_beacon:
        from pbem.referee.turn.beacon import wanted_round

        round_ = wanted_round(game, slot)
    return Locked(slot.number, slot.lock_id, slot.asked, files, letter, round_)


def go_letter(game: Game, lock_id: str, slot: int) -> str:
    """Return the words that ask for a go."""
    announced = game.ledger.next or {}
    mine = [name for name in announced.get("waits", ()) if not game.ledger.seats[name].outside]
    whose = ", ".join(name.capitalize() for name in mine or announced.get("waits", ()))
    return (
        common_words().phrase("lock.go", side=whose, digest=short_digest(lock_id), game=game.id, slot=slot)
        + "\n"
    )
