"""The one thing to do now in a game or in an office: in words, with the command to type and the file to send.

Does nothing itself.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Final

from msgspec import Struct

from pbem.club.due import LOCK, RESOLVE, due
from pbem.post.offices.office import FILE
from pbem.post.offices.timing import moment, span
from pbem.post.write.cover import one_line
from pbem.referee.game import story
from pbem.referee.game.environment import Environment
from pbem.referee.mail import riding
from pbem.referee.mail.acts_of_time import words_of
from pbem.referee.mail.changes import Settings
from pbem.referee.mail.office import POST, House, alone, open_house
from pbem.referee.mail.stands import ANSWER, DRAFT, LUCK, Stands, Waits, all_of, served_game, stands
from pbem.referee.turn.completing import wants_luck
from pbem.store.library import common_words
from pbem.store.outbox import Outbox
from pbem.store.postbag import Postbag

MOST: Final = 6
"""Files and lines that are named one by one."""


class Next(Struct, frozen=True):
    """What to do now, or whom to wait for: a word for it, sentences, files to send or to look at, and
    commands, with what leads to them.

    ``does``: pbem itself can do it, with nobody's orders or words (``lock``, ``resolve`` or ``run``); empty
    where a person has to.
    """

    kind: str
    said: tuple[str, ...]
    files: tuple[Path, ...] = ()
    then: str = ""
    commands: tuple[str, ...] = ()
    does: str = ""


def next_of(env: Environment, where: Path, now: datetime) -> Next:
    """Return what to do now in a game, or in an office with all its games; Refused where there is neither."""
    if is_office(where):
        with alone(where) as post:
            return _of_office(env, open_house(env, where), Outbox(post), Postbag(post), now)
    served, root = served_game(where)
    here = stands(served)
    if root is not None and not here.over and not here.own:
        return _in_office(here, root, now)
    return _of_game(here, now, root)


def office_of(game: Path) -> Path | None:
    """Return the folder of the office that a game lies in, or None."""
    root = game.parent
    return root if (game.resolve().parent / FILE).is_file() else None


def is_office(where: Path) -> bool:
    """Tell whether a folder is an office of games by mail rather than a game."""
    return (where / FILE).is_file() and not (where / "ledger").is_dir()


# --- a game


def _of_game(here: Stands, now: datetime, root: Path | None = None) -> Next:
    game, words = here.game, common_words()
    if here.over:
        replay = _type("replay", here.where, "-o", "replay.html")
        return Next(
            "over",
            (here.said + ".", words.phrase("next.over")),
            _to_see(here),
            words.phrase("next.over-then"),
            (replay,),
        )
    if game.folder is None:
        return Next("archive", (words.phrase("next.archive", title=here.title, stands=here.said),))
    if not here.started:
        return _joins(here)
    if here.locked:
        return _locked(here, now)
    if here.own:
        return _mine(here, here.own[0], now, root)
    if not here.waits:
        return Next("lock", (words.phrase("next.lock"),), commands=(_type("lock", here.where),), does="lock")
    return _others(here, now)


def _joins(here: Stands) -> Next:
    """Return whose invitations are to be sent, and how an answer is taken in."""
    words, box = common_words(), here.where / "outbox"
    said = [words.phrase("next.join", title=here.title, who=[one.who for one in here.waits])]
    commands, files = [], [box / "invitation.zip"]
    for one in here.waits:
        keyed = here.game.ledger.seats[one.seat].key is not None
        more = ("join.txt",) if keyed else ("--seat", one.seat, "--words", words.phrase("next.yes"))
        commands.append(_type("admit", here.where, *more))
        files.append(box / f"invitation-{one.seat}.txt")
    return Next("join", tuple(said), _there(files), words.phrase("next.join-then"), tuple(commands))


def _locked(here: Stands, now: datetime) -> Next:
    """Return whose words a lock waits for, and the letter that asks him; or that the dice can be rolled."""
    words = common_words()
    asked = [one for one in here.waits if one.kind == LUCK]
    if not asked:
        return Next(
            "resolve",
            (words.phrase("next.resolve"),),
            commands=(_type("resolve", here.where),),
            does="resolve",
        )
    slot = here.game.ledger.locked
    assert slot is not None
    commands = []
    for one in asked:
        keyed = here.game.ledger.seats[one.seat].key is not None
        by_words = _type("go", here.where, "--seat", one.seat, "--luck", words.phrase("next.words"))
        commands.append(_type("submit", "go.txt", "--game", here.where) if keyed else by_words)
    files = [here.where / "outbox" / f"lock-s{slot.number:04d}-{one.seat}.txt" for one in asked]
    said = (words.phrase("next.luck", who=[one.who for one in asked]), *_clock(here, now))
    return Next("luck", said, _there(files), words.phrase("next.luck-then"), tuple(commands))


def _mine(here: Stands, one: Waits, now: datetime, root: Path | None) -> Next:
    """Return how the one who runs the program orders for his own side."""
    words, file = common_words(), f"{one.seat}.yaml"
    kind = "answer" if one.kind == ANSWER else "draft" if one.kind == DRAFT else "orders"
    said = (
        words.phrase(f"next.mine-{kind}", title=here.title, turn=here.turn, side=one.side),
        *_clock(here, now),
    )
    commands = [_type("submit", file, "--game", here.where, "--seat", one.seat)]
    if kind != "draft":
        commands.insert(0, _type("options", here.where, "--seat", one.seat, "-o", file))
    if root is not None:
        commands.append(_type("run", root))
    then = words.phrase(f"next.mine-{kind}-then", line=_line_for_final(here))
    return Next("mine", said, _there(_newest(here)), then, tuple(commands))


def _line_for_final(here: Stands) -> str:
    """Return the line that makes a draft final: words of luck where a die can fall."""
    return common_words().phrase("next.with-luck" if wants_luck(here.game) else "next.with-final")


def _others(here: Stands, now: datetime) -> Next:
    """Return for whose orders a game waits, what he has to be sent, and how they are taken in."""
    words = common_words()
    kind = here.waits[0].kind
    said = [
        words.phrase(
            f"next.wait-{kind}",
            title=here.title,
            turn=here.turn,
            who=[one.who for one in here.waits],
            line=_line_for_final(here) if kind == DRAFT else "",
        )
    ]
    if kind != DRAFT and wants_luck(here.game):
        said.append(words.phrase("next.luck-line"))
    said += _clock(here, now)
    commands = [
        _type("submit", f"{one.seat}.yaml", "--game", here.where, "--seat", one.seat) for one in here.waits
    ]
    slot, box = here.game.ledger.state_slot, here.where / "outbox"
    files = [
        box / name
        for one in here.waits
        for name in (f"report-s{slot:04d}-{one.seat}.txt", f"orders-s{slot + 1:04d}-{one.seat}.yaml")
    ]
    return Next(
        "wait", tuple(said), _there([*files, *_newest(here)]), words.phrase("next.wait-then"), tuple(commands)
    )


def _clock(here: Stands, now: datetime) -> Iterator[str]:
    """Yield since when and until when a game waits."""
    words = common_words()
    if here.since is not None:
        yield words.phrase("next.since", since=span(max(now - here.since, now - now), words))
    if here.until is not None and here.waits:
        key = "next.late" if here.late(now) else "next.until"
        yield words.phrase(key, when=moment(here.until, str(here.until.tzinfo or "UTC"), now, words))


def _newest(here: Stands) -> list[Path]:
    """Return the newest map and report of a game, as far as they lie there."""
    slot = here.game.ledger.state_slot
    return [
        here.where / "reports" / f"s{slot:04d}.txt",
        *sorted((here.where / "maps").glob(f"s{slot:04d}*.png"))[:MOST],
    ]


def _to_see(here: Stands) -> tuple[Path, ...]:
    return _there([*_newest(here), here.where / "results.json"])


# --- an office


def _in_office(here: Stands, root: Path, now: datetime) -> Next:
    """Return what to do now for a game that an office serves, where it is not the umpire's own move."""
    words = common_words()
    if not here.waits:
        return _round([here.title], root)
    return Next("wait", _waiting([here], now, root), (), words.phrase("next.inbox"), (_type("run", root),))


def _of_office(env: Environment, house: House, box: Outbox, bag: Postbag, now: datetime) -> Next:
    """Return the one thing to do now in an office, the most urgent first."""
    words, root = common_words(), house.root
    if house.troubles:
        said = [f"{one.where}: {one.said}" if one.where else one.said for one in house.troubles[:MOST]]
        return Next(
            "trouble",
            (words.phrase("next.trouble"), *said),
            (),
            words.phrase("next.trouble-then"),
            (_type("run", root),),
        )

    if not house.games:
        made = f"pbem new SCENARIO {_path(root / 'game')} {words.phrase('next.seats')}"
        return Next("new", (words.phrase("next.no-game"),), commands=(_type("scenario", "list"), made))
    from pbem.referee.mail.couriers import in_inbox

    came = sum(1 for _ in bag.waiting()) + in_inbox(root, bag)
    if came:
        return Next(
            "run", (words.phrase("next.run-letters", count=came),), commands=(_type("run", root),), does="run"
        )

    every, told = all_of(house, now), Settings(house.post)
    ready = [
        one.title
        for one in every
        if _is_due(house, one, now) or _has_words(one, told) or _untold(env, house, one, box, now)
    ]
    if ready:
        return _round(ready, root)
    unsent = list(box.waiting()) if house.office.smtp is None else list(box.held())
    if unsent:
        return _send(house, [one.key for one in unsent], by_hand=house.office.smtp is None)
    if mine := next((one for one in every if one.own), None):
        return _mine(mine, mine.own[0], now, root)
    going = [one for one in every if not one.over]
    if not going:
        files = tuple(path for one in every[:MOST] for path in _to_see(one)[:1])
        return Next("over", (words.phrase("next.all-over"),), files, commands=(_type("status", root),))
    return Next("wait", _waiting(going, now, root), (), words.phrase("next.inbox"), (_type("run", root),))


def _round(titles: Sequence[str], root: Path) -> Next:
    """Return that a round over an office is due, and in which games."""
    games = list(dict.fromkeys(titles))[:MOST]
    return Next(
        "run",
        (common_words().phrase("next.run-due", games=games),),
        commands=(_type("run", root),),
        does="run",
    )


def _send(house: House, keys: Sequence[str], *, by_hand: bool) -> Next:
    """Return which letters are to be sent with a mail program, or may or may not have gone."""
    words, root = common_words(), house.root
    files = tuple(root / POST / "out" / f"{key}.eml" for key in keys[:MOST])
    more = words.phrase("next.more", count=len(keys) - MOST) if len(keys) > MOST else ""
    if not by_hand:
        commands = tuple(_type("mail", "send", root, "--again", key) for key in keys[:MOST])
        return Next(
            "doubt",
            (words.phrase("next.doubt", count=len(keys), more=more),),
            files,
            words.phrase("next.doubt-then"),
            commands,
        )
    commands = (_type("mail", "send", root, "--dry-run"), _type("mail", "send", root, "--sent"))
    return Next(
        "send",
        (words.phrase("next.send", count=len(keys), more=more),),
        files,
        words.phrase("next.send-then"),
        commands,
    )


def _waiting(going: Sequence[Stands], now: datetime, root: Path) -> tuple[str, ...]:
    """Return whom games wait for, since when and until when: a line each."""
    words = common_words()
    lines = [words.phrase("next.nothing")]
    for one in going[:MOST]:
        who = [f"{waits.who}" for waits in one.waits]
        kind = one.waits[0].kind if one.waits else ""
        key = "next.held" if one.held else f"next.line-{kind}"
        lines.append(
            " ".join([words.phrase(key, title=one.title, turn=one.turn, who=who), *_clock(one, now)])
        )
    if len(going) > MOST:
        lines.append(words.phrase("next.more-games", count=len(going) - MOST, folder=one_line(str(root), 80)))
    return tuple(lines)


def _is_due(house: House, one: Stands, now: datetime) -> bool:
    served = house.games[one.id]
    status = served.status()
    if status is None or served.held:
        return False
    thing = due(status, served.settings.deadlines, now)
    return thing is not None and thing.kind in (RESOLVE, LOCK)


def _has_words(one: Stands, told: Settings) -> bool:
    """Tell whether the umpire has said something that no round has told yet."""
    known, ledger = told.before(one.id), one.game.ledger
    goes_on = not one.over or ledger.ended is not None
    return known is not None and goes_on and known.words < len(words_of(ledger))


def _untold(env: Environment, house: House, one: Stands, box: Outbox, now: datetime) -> bool:
    """Tell whether somebody has not been invited, told the last turn or asked for words yet: then a round is
    due.
    """
    game, ledger = one.game, one.game.ledger
    seats = {seat.seat for seat in house.seats if seat.game == one.id and seat.addresses}
    if not ledger.started:
        return any(not box.knows(f"invite-{one.id}-{seat}") for seat in seats & set(game.not_joined))
    if ledger.locked is not None:
        asked = {waits.seat for waits in one.waits if waits.kind == LUCK}
        again = story.anew(env, game.where, one.id, ledger.locked.number)
        if any(
            not box.knows(f"go-{one.id}-s{ledger.locked.number:04d}{again}-{seat}") for seat in seats & asked
        ):
            return True
    if riding.waits(house.games[one.id], ledger.state_slot, now):
        return False
    return any(not riding.told(env, box, game, ledger.state_slot, seat) for seat in seats)


# --- words


def _there(files: Sequence[Path]) -> tuple[Path, ...]:
    return tuple(path for path in files if path.is_file())


def _path(path: Path) -> str:
    return shlex.quote(os.fspath(path))


def _type(verb: str, *words: str | Path) -> str:
    """Return a command as it is typed."""
    return " ".join(
        ["pbem", verb, *(_path(word) if isinstance(word, Path) else shlex.quote(word) for word in words)]
    )
