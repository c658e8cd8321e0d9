"""Making a game: the folder, the manifest with its first signature, the secrets of the GM, and the
invitations.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from pbem.proof.archive import SIGNERS, allowed_signers, gm_namespace, ledger_path, sig_path
from pbem.proof.beacon import quicknet
from pbem.proof.canonical import encode, record_id
from pbem.proof.dice_protocol import GAME, is_seat
from pbem.proof.known import TREES, fixes
from pbem.proof.records import manifest
from pbem.proof.signing import BadKey, parse_public, private_from, private_to_openssh, public_of, sign
from pbem.referee.explain.briefing import Briefing, document
from pbem.referee.game.environment import Environment
from pbem.referee.game.game import open_game
from pbem.referee.game.own_rules import own_rules
from pbem.referee.game.refusal import Refused, refuse
from pbem.referee.game.replay import first_state
from pbem.referee.game.scenario import find_scenario, judge
from pbem.referee.game.views import hides
from pbem.referee.turn.admit import begin_if_complete
from pbem.store import disk, zips
from pbem.store.gamedir import GameDir
from pbem.store.keys import SecretExists
from pbem.store.library import common_words
from pbem.text.markup import as_text
from pbem.text.words import ENGLISH, speaking

INVITATION, README = "outbox/invitation.zip", "README.txt"


class SeatWish(Struct, frozen=True):
    """A seat as it was asked for: whose name, for which side, the line of his public key if he has one."""

    seat: str
    side: str
    name: str
    key: str | None = None
    go: str = "needed"


class NewGame(Struct, frozen=True):
    """A game that was made: its name, who still has to join, and the invitation to send them."""

    game: str
    folder: Path
    gm_seats: tuple[str, ...]
    invited: tuple[str, ...]
    invitation: Path | None
    started: bool
    own_rules: tuple[str, ...] = ()
    """What of its rules and scenario is not as pbem comes with it, a line each."""


def game_name(folder: Path, random: bytes) -> str:
    """Return a name for a game in this folder, with six random digits: a restart needs a new one."""
    stem = re.sub(r"[^a-z0-9]+", "-", folder.name.lower()).strip("-")[:33].strip("-") or "game"
    return f"{stem}-{random.hex()}"


def said_sides(sides: Mapping[str, str]) -> str:
    """Return the sides of a scenario with what they are called."""
    return ", ".join(side if not name or name == side else f"{side} ({name})" for side, name in sides.items())


def _seats(
    wishes: Sequence[SeatWish], sides: Mapping[str, str], me: str | None, umpire: bool, profile: str
) -> list[dict[str, str]]:
    """Return the seats as the genesis has them; Refused with everything that is wrong with the wishes."""
    wishes = wishes or [SeatWish(side, side, side.capitalize()) for side in sides]
    problems = list(_wrong_wishes(wishes, sides))
    names = [wish.seat for wish in wishes]
    if me is not None and me not in names:
        problems.append(refuse("game.seat", seat=me, help="the seats are " + ", ".join(names)))

    mine = "" if umpire else names[0] if me is None else me
    seats: list[dict[str, str]] = []
    lines: set[str] = set()
    for wish in wishes:
        entry = {"seat": wish.seat, "side": wish.side, "by": "gm" if wish.seat == mine else "player"}
        if wish.key is not None and wish.seat != mine:
            try:
                entry["key"] = parse_public(wish.key).line
            except BadKey:
                help_ = "the one line of his file id_ed25519.pub"
                problems.append(refuse("seat.key", seat=wish.seat, help=help_))
            if wish.key in lines:
                problems.append(refuse("seat.same-key", seat=wish.seat))
            lines.add(wish.key)
        if wish.go == "always" and wish.seat != mine:
            entry["go"] = "always"
        seats.append(entry)

    if profile == "joint" and all(entry["by"] == "gm" for entry in seats):
        problems.append(refuse("seat.alone", help="a game whose umpire plays every seat has --profile gm"))
    if problems:
        raise Refused([problem for refusal in problems for problem in refusal.problems])
    return seats


def _wrong_wishes(wishes: Sequence[SeatWish], sides: Mapping[str, str]) -> Iterator[Refused]:
    """Yield what is wrong with names and sides of seats, and which sides nobody plays."""
    names = [wish.seat for wish in wishes]
    for wish in wishes:
        if not is_seat(wish.seat) or names.count(wish.seat) > 1:
            help_ = "small letters and digits, a letter first, each name once"
            yield refuse("seat.name", seat=wish.seat, help=help_)
        if wish.side not in sides:
            help_ = "the sides are " + said_sides(sides)
            yield refuse("seat.side", seat=wish.seat, side=wish.side, help=help_)
    for side in sides:
        if side not in [wish.side for wish in wishes]:
            yield refuse("seat.nobody", side=side, help=f"add --seat {side}=NAME")


@speaking(ENGLISH)
def new(
    env: Environment,
    scenario: str,
    folder: Path,
    wishes: Sequence[SeatWish] = (),
    *,
    me: str | None = None,
    umpire: bool = False,
    profile: str = "joint",
    options: Mapping[str, str] | None = None,
    tables: Path | None = None,
    name: str | None = None,
    beacon: int | None = None,
    revision: int = TREES,
    later: Sequence[str] = (),
) -> NewGame:
    """Make a game in a new folder; Refused with everything that is wrong with scenario, map, tables, options
    and seats.

    The first seat (or ``me``) is played by the one who runs the program; with ``umpire`` every seat is a
    player's.
    ``beacon``: dice wait for the round of drand quicknet that comes so many seconds after a lock.
    ``revision``: that of the dice protocol, and ``later``: tables that pbem did not have yet, which the
    manifest does not name; both for examples that show how games were begun before.
    """
    found = find_scenario(scenario, tables, later)
    ruleset, ground, _ = judge(found, options)
    sides = {side: str(said.get("name", "")) for side, said in found.data["sides"].items()}

    if folder.exists() and (not folder.is_dir() or any((folder / "ledger").glob("*.json"))):
        raise refuse("game.exists", file=str(folder), path=str(folder))

    seats = _seats(wishes, sides, me, umpire, profile)
    game = game_name(folder, env.entropy(3)) if name is None else name
    if not GAME.fullmatch(game):
        raise refuse("game.name", game=game, help="8 to 40 small letters, digits and hyphens")

    files = {path: hashlib.sha256(data).hexdigest() for path, data in found.files.items()}
    private = private_from(env.entropy(32))
    secret = env.entropy(32)
    try:
        env.keyring.keep_secret(game, "gm", secret)
        env.keyring.keep_key(game, private_to_openssh(private))
    except SecretExists:
        raise refuse("game.name-used", game=game, help="a game that begins anew needs a new name") from None

    record = manifest(
        game=game,
        at=env.clock(),
        key=public_of(private).line,
        root=fixes(secret, game, "gm", revision),
        revision=revision,
        engine=env.engine(),
        files=files,
        ruleset=ruleset,
        seats=seats,
        profile=profile,
        beacon=None if beacon is None else quicknet(beacon),
    )

    disk.make_folder(folder)
    made = GameDir(folder)
    keys = {entry["seat"]: entry["key"] for entry in seats if "key" in entry}
    with disk.exclusive(folder):
        for path, data in found.files.items():
            made.put(path, data)
        made.put(SIGNERS, allowed_signers(game, [("gm", record["key"]), *sorted(keys.items())]).encode())
        made.put("game.toml", _settings(ground.title, wishes, seats).encode())
        data = encode(record)
        signature = sign(private, gm_namespace(game), data)
        path = ledger_path(1, "manifest")
        shown = {name: made[name] for name in made if not name.startswith("ledger/")}
        shown |= {path: data, sig_path(path): signature.encode()}
        sides_of = {entry["seat"]: entry["side"] for entry in seats}
        outside = tuple(entry["seat"] for entry in seats if entry["by"] == "player")
        names = {wish.seat: wish.name for wish in wishes}
        own = own_rules(record, found.files)
        told = Briefing(ground, first_state(ground, sides_of), sides_of, players=names, own_rules=own)
        if outside:
            made.put(INVITATION, zips.write_zip({README: readme(told).encode(), **shown}))
        for entry in seats:
            if entry["by"] == "player":
                text = invitation_text(game, entry["seat"], ground.title, record_id(data), "key" in entry)
                text += "\n" + as_text(document(replace(told, seat=entry["seat"])))
                made.put(f"outbox/invitation-{entry['seat']}.txt", text.encode())
        made.commit(path, data, signature)
        begin_if_complete(env, open_game(folder))

    started = open_game(folder).ledger.started
    gm_seats = tuple(entry["seat"] for entry in seats if entry["by"] == "gm")
    return NewGame(game, folder, gm_seats, outside, folder / INVITATION if outside else None, started, own)


def readme(told: Briefing) -> str:
    """Return what the invitation says of itself to who unpacks it: what its files are for, and what the game
    is about.

    It is the same file for everybody; where sides know different things, nothing is told of who is where.
    """
    said = common_words().phrase("brief.zip", title=told.ground.title)
    if not hides(told.ground.rules):
        return f"{said}\n\n{as_text(document(told))}"
    return "\n".join([said, *told.own_rules, ""])


def invitation_text(game: str, seat: str, title: str, manifest_id: str, has_key: bool) -> str:
    """Return the letter that goes with the invitation of a seat."""
    key = "invitation.with-key" if has_key else "invitation.without-key"
    return common_words().phrase(key, game=game, seat=seat, title=title, digest=manifest_id[:16]) + "\n"


def _settings(title: str, wishes: Sequence[SeatWish], seats: Sequence[Mapping[str, str]]) -> str:
    """Return game.toml: what the umpire may edit; nothing in it is signed or needed to verify."""
    names = {wish.seat: wish.name for wish in wishes}
    lines = [f"title = {json.dumps(title, ensure_ascii=False)}", ""]
    for entry in seats:
        lines += [
            f"[seats.{entry['seat']}]",
            f"name = {json.dumps(names.get(entry['seat'], entry['seat']), ensure_ascii=False)}",
            "",
        ]
    return "\n".join(lines)
