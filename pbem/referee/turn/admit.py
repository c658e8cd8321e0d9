"""Taking joins in; the game starts when the last outside seat has joined."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

from msgspec import Struct

from pbem.core.problem import Problem
from pbem.proof import relied
from pbem.proof.archive import SIGNERS, allowed_signers, join_namespace, join_path, sig_path, state_path
from pbem.proof.canonical import NotCanonical, decode, record_id
from pbem.proof.known import TREES
from pbem.proof.records import FIXED, check_form, join, start
from pbem.proof.signing import BadKey, BadSignature, parse_public, verify
from pbem.referee.game.environment import Environment
from pbem.referee.game.game import Game, again, own_folder, writing
from pbem.referee.game.intake import signature_problem
from pbem.referee.game.refusal import Refused, refuse
from pbem.referee.game.replay import first_state, opening, state_bytes
from pbem.referee.game.sealing import gm_key, seal, with_engine, written
from pbem.store.received import BY_HAND, Provenance, came_of, join_file, note_came

MAX_JOIN = 64 * 1024
ARMOR = b"-----BEGIN SSH SIGNATURE-----"


class Admitted(Struct, frozen=True):
    """A join that was taken in."""

    seat: str
    started: bool
    missing: tuple[str, ...]


def split_letter(data: bytes) -> tuple[bytes, str]:
    """Return record and armored signature of a letter that holds both (``join.txt``); the signature may be
    absent.
    """
    record, armor, rest = data.replace(b"\r\n", b"\n").partition(ARMOR)
    return record, (armor + rest).decode("ascii", "replace")


def record_in(data: bytes, kind: str) -> dict[str, Any]:
    """Return the record that a letter holds: a ``join``, ``go`` or ``consent``; Refused for anything else."""
    try:
        record = decode(data)
    except NotCanonical as wrong:
        raise refuse(f"{kind}.form", why=str(wrong)) from None
    if record.get("type") != kind or check_form(record) is not None:
        raise refuse(f"{kind}.form", why=f"it is not a {kind}")
    return record


def admit(env: Environment, where: Path, letter: bytes) -> Admitted:
    """Take a join in; Refused, and nothing stored, where it is not one of this game or not signed by the key
    of its seat.
    """
    if len(letter) > MAX_JOIN:
        raise refuse("join.form", why="it is too long")
    data, signature = split_letter(letter)
    with writing(where, env, anew=True) as game:
        record = record_in(data, "join")
        return _take(env, game, record["seat"], data, record, signature)


def admit_words(env: Environment, where: Path, seat: str, words: str, came: Provenance = BY_HAND) -> Admitted:
    """Take in the "yes, I play" of a seat without a key, as the umpire read it in any mail; ``came`` says how
    that came.
    """
    with writing(where, env, anew=True) as game:
        name = game.seat_of(seat)
        if name in game.not_joined:
            note_came(own_folder(game), join_file(name), came)
        record = join(
            game=game.id, seat=name, manifest_id=game.ledger.manifest_id, words=" ".join(words.split())
        )
        return _take(env, game, name, written(record), record, "")


def _problems(game: Game, seat: str, data: bytes, record: dict[str, str], signature: str) -> list[Problem]:
    ledger = game.ledger
    if record["game"] != game.id or record["manifest"] != ledger.manifest_id:
        return [Problem("join.other-game", {"game": record["game"], "this": game.id})]
    known = ledger.seats.get(seat)
    if known is None or not known.outside:
        return [
            Problem("join.seat", {"seat": seat}, help="open are " + (", ".join(game.not_joined) or "none"))
        ]
    found: list[Problem] = []
    if known.key is not None:
        try:
            verify(known.key, join_namespace(game.id, seat), hashlib.sha512(data).digest(), signature)
        except BadSignature as bad:
            found.append(signature_problem(bad, signature, seat))
    right = FIXED[ledger.revision]
    if "words" not in record and (right not in record or known.key is None or ledger.profile == "gm"):
        found.append(Problem("join.anchor", {"seat": seat}))
    if "recovery" in record:
        found += _recovery_problems(game, seat, record["recovery"])
    taken = {ledger.manifest[right]} | {
        decode(game.archive[join_path(name)]).get(right) for name in _joined(game) if name != seat
    }
    if right in record and record[right] in taken:
        found.append(Problem("join.same-anchor", {"seat": seat}))
    return found


def _recovery_problems(game: Game, seat: str, line: str) -> list[Problem]:
    """Return why a join cannot have this recovery key: it is none, somebody's, or of no use here."""
    ledger = game.ledger
    used = {known.key_line for known in ledger.seats.values()} | {ledger.manifest["key"]}
    used |= {decode(game.archive[join_path(name)]).get("recovery") for name in _joined(game) if name != seat}
    try:
        parse_public(line)
    except BadKey:
        return [Problem("join.recovery", {"seat": seat})]
    if line in used or ledger.seats[seat].key is None or ledger.revision < TREES:
        return [Problem("join.recovery", {"seat": seat})]
    return []


def _joined(game: Game) -> list[str]:
    return [name for name in game.ledger.outside if join_path(name) in game.archive]


def _take(
    env: Environment, game: Game, seat: str, data: bytes, record: dict[str, str], signature: str
) -> Admitted:
    problems = _problems(game, seat, data, record, signature)
    if problems:
        raise Refused(problems)
    folder = own_folder(game)
    path = join_path(seat)
    if path in game.archive:
        if game.archive[path] != data:
            raise refuse("join.twice", seat=seat)
    elif game.ledger.started:
        raise refuse("join.late", seat=seat)
    else:
        gm_key(env, game)
        if game.ledger.seats[seat].key is not None:
            folder.put(sig_path(path), signature.encode())
        folder.create(path, data)
    started = begin_if_complete(env, game)
    return Admitted(seat, started or game.ledger.started, game.not_joined)


def begin_if_complete(env: Environment, game: Game) -> bool:
    """Write the start of a game when every outside seat has joined; tell whether it was written now."""
    if game.ledger.started or game.not_joined:
        return False
    ledger, folder = game.ledger, own_folder(game)
    private = gm_key(env, game)
    state = first_state(game.ground, game.sides)
    data = state_bytes(game.ground, state)
    folder.put(state_path(0), data)
    record = start(
        game=game.id,
        n=ledger.next_n,
        prev=ledger.head,
        at=env.clock(),
        joins={name: record_id(game.archive[join_path(name)]) for name in ledger.outside},
        state=hashlib.sha256(data).hexdigest(),
        following=with_engine(env, game, opening(game.ground, ledger.seats, 1, state)),
        note=relied.note({name: came_of(folder, join_file(name)).relied for name in ledger.outside}),
    )
    seal(folder, private, record)
    begun = again(game).ledger
    folder.put(SIGNERS, allowed_signers(game.id, begun.signers, begun.recoverers).encode())
    return True
