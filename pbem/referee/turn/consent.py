"""Consents: what every other seat with a key has to say yes to before slots are taken back or a key is
changed (R15, R16).

A consent names the newest record, so it is for what is proposed now and for nothing else. The umpire collects
them; the acts that need them are ``undo``, ``rekey`` and ``ruling``.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct

from pbem.core.problem import Problem
from pbem.core.regex import regex
from pbem.proof.amending import coming_key
from pbem.proof.archive import MAX_RECORD, consent_namespace, consent_path, content
from pbem.proof.canonical import NotCanonical, decode, encode, record_id
from pbem.proof.records import NEW_KEYS
from pbem.proof.records import consent as consent_record
from pbem.proof.ruled import RULE, RULED, act_of
from pbem.proof.signing import BadSignature, PublicKey, fingerprint, public_of, sign, verify
from pbem.referee.game.game import Game, own_folder, writing
from pbem.referee.game.intake import signature_problem
from pbem.referee.game.refusal import UNDECIDED, Refused, refuse
from pbem.referee.turn.admit import MAX_JOIN, record_in, split_letter
from pbem.store.library import common_words

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

Wanted = Mapping[str, Any]
"""What is consented to: ``{"to": slot}``, ``{"act": digest}`` of a ruling or a correction, or ``of``,
``from`` and what a rekey brings.
"""
_ACT: Final = regex(r"[0-9a-f]{64}")
FIELDS = ("to", "act", "of", "from", *NEW_KEYS)


class Consented(Struct, frozen=True):
    """A consent: whose, to what; ``letter`` is what has to be sent to the umpire, if anything has to."""

    seat: str
    wanted: Wanted
    letter: bytes = b""


def seats_with_keys(game: Game) -> tuple[str, ...]:
    """Return the outside seats that can sign, sorted."""
    return tuple(name for name in game.ledger.outside if game.ledger.seats[name].key_line is not None)


def make(game: Game, private: Ed25519PrivateKey, wanted: Wanted, seat: str | None = None) -> Consented:
    """Return the signed consent of the seat whose key this is; Refused where no seat of the game has it."""
    public = public_of(private)
    mine = [name for name in seats_with_keys(game) if public in signers(game, name, wanted)]
    named = None if seat is None else game.seat_of(seat)
    if not mine or named not in (None, *mine):
        raise refuse(
            "proof.signature", fingerprint=fingerprint(public), seat=named or ", ".join(seats_with_keys(game))
        )
    name, head = named or mine[0], game.ledger.head
    change = None if "to" in wanted else wanted
    data = encode(consent_record(game=game.id, seat=name, head=head, to=wanted.get("to"), change=change))
    return Consented(
        name, wanted, data + sign(private, consent_namespace(game.id, name, head), data).encode()
    )


def take(where: Path, letter: bytes) -> Consented:
    """Take in a consent; Refused, and nothing stored, where it is not one of a seat to what may come next."""
    data, signature = split_letter(letter[: MAX_JOIN + 1])
    with writing(where, anew=True) as game:
        record = record_in(data, "consent")
        problems = list(_problems(game, record, data, signature))
        if problems:
            raise Refused(problems)
        path = consent_path(record["seat"], game.ledger.head)
        folder = own_folder(game)
        known = folder.read(path)
        if known is not None and known != data:
            raise refuse("consent.other", seat=record["seat"])
        if known is None:
            folder.commit(path, data, signature)
        return Consented(record["seat"], {key: record[key] for key in FIELDS if key in record})


def _problems(game: Game, record: Mapping[str, Any], data: bytes, signature: str) -> Iterable[Problem]:
    name, head = record["seat"], game.ledger.head
    if record["game"] != game.id:
        yield Problem("join.other-game", {"game": record["game"], "this": game.id})
        return
    if record["head"] != head:
        yield Problem("consent.stale", {"head": game.ledger.head_digest})
        return
    keys = signers(game, name, record)
    if not keys:
        yield Problem(
            "consent.seat",
            {"seat": name},
            help="consents are asked of " + (", ".join(seats_with_keys(game)) or "nobody"),
        )
        return
    wrong = []
    for key in keys:
        try:
            verify(key, consent_namespace(game.id, name, head), hashlib.sha512(data).digest(), signature)
        except BadSignature as bad:
            wrong.append(signature_problem(bad, signature, name))
    if len(wrong) == len(keys):
        yield wrong[0]


def signers(game: Game, seat: str, wanted: Wanted) -> list[PublicKey]:
    """Return the keys with which a seat can consent: its own; to an undo, a ruling or a correction also the
    one that it is about to get; to a change of its own keys that of its recovery code.
    """
    if seat not in seats_with_keys(game):
        return []
    ledger = game.ledger
    coming = coming_key(ledger, seat) if "of" not in wanted else None
    recovery = ledger.recovery.get(seat) if wanted.get("of") == seat else None
    return [key for key in (ledger.seats[seat].key, coming, recovery) if key is not None]


def consented(game: Game, seat: str) -> Wanted:
    """Return what a seat has consented to after the newest record; empty: nothing."""
    data = content(game.archive, consent_path(seat, game.ledger.head))
    record = decode(data) if data is not None else {}
    return {key: record[key] for key in FIELDS if key in record}


def has_consented(game: Game, wanted: Wanted, seat: str) -> bool:
    """Tell whether a seat has consented to just this."""
    return consented(game, seat) == dict(wanted)


def collected(game: Game, wanted: Wanted, needed: Iterable[str], optional: str = "") -> dict[str, str]:
    """Return seat -> id of its consent to just this; Refused (cannot decide) while one that is needed is
    missing.
    """
    found: dict[str, str] = {}
    missing = []
    for name in sorted({*needed, *([optional] if optional else [])}):
        if has_consented(game, wanted, name):
            found[name] = record_id(game.archive[consent_path(name, game.ledger.head)])
        elif name != optional:
            missing.append(name)
    if missing:
        raise refuse("consent.missing", answer=UNDECIDED, seats=", ".join(missing), help=ask(wanted))
    return found


def ask(wanted: Wanted) -> str:
    """Return the command by which a player consents."""
    if "act" in wanted:
        return (
            "add --propose act.json to the command and send that file to each of them, who runs: pbem "
            "consent GAME --act act.json --key KEY -o consent.txt; take each in (pbem consent GAME "
            "consent.txt), then give the command again"
        )
    return (
        f"each of them runs: pbem consent GAME --to {wanted['to']} --key KEY -o consent.txt"
        if "to" in wanted
        else ("each of them runs: pbem consent GAME --change change.json --key KEY -o consent.txt")
    )


def read_act(game: Game, data: bytes) -> dict[str, Any]:
    """Return what a proposal of a ruling or a correction is, with the ``act`` that a consent to it names;
    Refused for anything else.

    Where something is hidden it has the act alone. Whoever has the whole works the act out himself.
    """
    try:
        said = decode(data[: MAX_RECORD + 1])
    except NotCanonical as wrong:
        raise refuse("consent.form", why=str(wrong)) from None
    if said.get("type") not in RULED or said.get("game") != game.id:
        raise refuse("consent.form", why="it is no ruling or correction of this game")
    given = said.pop("act", None)
    if given is None:
        return {**said, "act": act_of(said), "whole": True}
    if not isinstance(given, str) or not _ACT.fullmatch(given):
        raise refuse("consent.form", why="its act is no digest")
    return {**said, "act": given, "whole": False}


def told(proposed: Mapping[str, Any]) -> Iterable[str]:
    """Yield what a proposal is, for whoever is about to consent to it."""
    words = common_words()
    rule = proposed["type"] == RULE
    what = words.phrase(
        "ruled.act-rule" if rule else "ruled.act-correct",
        slot=proposed["slot"],
        corrects=proposed.get("corrects", ""),
    )
    yield words.phrase("ruled.consented", what=what, why=str(proposed.get("why", "")))
    if not proposed["whole"]:
        yield words.phrase("ruled.hidden")
        return
    for entry in proposed.get("orders", ()):
        yield f"  {entry['seat']}: orders with SHA-512 {entry['sha512'][:16]}…"
    for change in proposed.get("patch", ()):
        value = json.dumps(change["to"], ensure_ascii=False) if "to" in change else "–"
        yield f"  {'.'.join(map(str, change['at']))}: {value}"
