"""What a page needs to sign in the browser, and the page that answers an invitation or a lock: for a player
who has nothing but a browser.

The records of the ledger are what the page verifies before a value may leave (R8). They name the state by its
hash, which can be guessed where little is hidden: so where sides know different things they stay out, and the
page signs drafts.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, Final

from pbem.core.regex import regex
from pbem.proof.archive import content, join_path, short_digest, sig_path
from pbem.proof.signing import fingerprint
from pbem.referee.explain.draw import scene_of
from pbem.referee.game.game import Game
from pbem.referee.game.intake import takes_values
from pbem.referee.game.refusal import UNDECIDED, refuse
from pbem.referee.game.views import hides
from pbem.referee.turn.go import locked_slot, missing_goes
from pbem.store.library import common_words
from pbem.text.words import in_force

OWN, WORDS, NOTHING = "own", "words", ""
PREFIX: Final = "packet."
SCRIPTS: Final = ("sign.js", "sign_tree.js", "sign_values.js", "sign_code.js", "sign_panel.js")
STYLES: Final = ("page.css", "sign.css")
_WORD: Final = regex(r"\{\{([a-z-]+)\}\}")


def signing_of(game: Game, seat: str) -> dict[str, Any]:
    """Return what the page of a seat signs the open slot with; of a seat without a key an empty ``key``: it
    can only make one.
    """
    announced = game.announced()
    if game.ledger.seats[seat].key is None:
        return {**_who(game, seat), "value": NOTHING}
    value = (
        _value(game, seat) if game.ledger.seats[seat].outside and takes_values(game, announced) else NOTHING
    )
    return {
        **_who(game, seat),
        "slot": int(announced["slot"]),
        "head": game.ledger.next_id,
        **_of_value(game, seat, value),
    }


def joining_of(game: Game, seat: str) -> dict[str, Any]:
    """Return what the page of a seat signs its answer to the invitation with."""
    ledger = game.ledger
    how = {"manifest": ledger.manifest_id, "revision": ledger.revision, "profile": ledger.profile}
    return {**_who(game, seat), "kind": "join", **how, "value": NOTHING}


def going_of(game: Game, seat: str) -> dict[str, Any]:
    """Return what the page of a seat answers the lock with; Refused where the lock asks nothing of it."""
    slot = locked_slot(game)
    if seat not in missing_goes(game):
        raise refuse(
            "go.not-asked", slot=slot.number, help="this lock asks " + (", ".join(slot.asked) or "nobody")
        )
    return {
        **_who(game, seat),
        "kind": "go",
        "slot": slot.number,
        "lock": slot.lock_id,
        **_of_value(game, seat, _value(game, seat)),
    }


def _who(game: Game, seat: str) -> dict[str, str]:
    key = game.ledger.seats[seat].key
    known = (
        {"key": "", "fingerprint": ""} if key is None else {"key": key.line, "fingerprint": fingerprint(key)}
    )
    return {"game": game.id, "seat": seat, **known}


def _of_value(game: Game, seat: str, value: str) -> dict[str, Any]:
    """Return the kind of value that goes with what is signed; for one of the seat's own also its join, and
    the records that ask for it.
    """
    if value != OWN:
        return {"value": value, "join": "", "records": []}
    joined = content(game.archive, join_path(seat)) or b""
    return {"value": value, "join": joined.decode("utf-8", "replace"), "records": ledger_of(game)}


def _value(game: Game, seat: str) -> str:
    return OWN if seat in game.ledger.known else WORDS


def ledger_of(game: Game) -> list[list[str]]:
    """Return the records of a game with their signatures, from the manifest on; none where they could tell
    what a side does not see.
    """
    if hides(game.ground.rules):
        return []
    found = []
    for record in game.ledger.records:
        texts = [content(game.archive, path) for path in (record.path, sig_path(record.path))]
        found.append([(text or b"").decode() for text in texts])
    return found


def answer_page(game: Game, seat: str | None = None, to: str = "", subject: str = "") -> bytes:
    """Return the page with which a seat answers its invitation or a lock; Refused where it is asked for
    neither, or has no key.
    """
    words, name = common_words(), _asked(game, seat)
    if game.ledger.seats[name].key is None:
        raise refuse(
            "sign.no-key",
            seat=name,
            help="words in any letter do: yes, I play; or luck: seven drunken herons",
        )

    signing = going_of(game, name) if game.ledger.started else joining_of(game, name)
    kind = signing["kind"]
    looks = {
        look.side: look.name
        for look in scene_of(game.ground, game.state_after(0, ""), (), side=game.sides[name]).sides
    }
    title, lock = game.ground.title, short_digest(signing.get("lock", ""))
    side, slot, manifest = (
        looks.get(game.sides[name], name),
        signing.get("slot", 0),
        short_digest(game.ledger.manifest_id),
    )
    shown = {
        "game": game.id,
        "title": words.phrase(f"{PREFIX}sign-{kind}-title", title=title, slot=slot),
        "why": words.phrase(f"{PREFIX}sign-{kind}-why", side=side, slot=slot, lock=lock, manifest=manifest),
        "noscript": words.phrase(f"{PREFIX}sign-noscript"),
    }
    data = {"signing": signing, "words": _words(), "to": to, "subject": subject or shown["title"]}
    page = import_module("pbem.renderers.page")
    body = _WORD.sub(lambda found: page.escaped(shown[found[1]]), page.part("answer.html"))
    return bytes(
        page.whole_page(
            shown["title"],
            styles=STYLES,
            scripts=(*SCRIPTS, "answer.js"),
            body=body,
            data=data,
            lang=in_force(),
        )
    )


def _asked(game: Game, seat: str | None) -> str:
    """Return the named seat, or the only one that is asked; Refused where that is not clear, or nobody is."""
    asked = missing_goes(game) if game.ledger.started else game.not_joined
    if seat is not None:
        name = game.seat_of(seat)
        if name in asked or game.ledger.locked is not None:
            return name
    elif len(asked) == 1:
        return asked[0]
    elif asked:
        raise refuse("options.which", help="--seat, one of " + ", ".join(asked))
    raise refuse("go.no-lock", answer=UNDECIDED, slot=game.ledger.open_slot or 0)


def _words() -> dict[str, str]:
    """Return the words of the page; ``{name}`` in one is for the page to put in."""
    words = common_words()
    keys = [
        key
        for key in words.keys("phrases")
        if key.startswith((f"{PREFIX}sign", f"{PREFIX}copied", f"{PREFIX}copy-by-hand"))
    ]
    return {
        key.removeprefix(PREFIX): words.phrase(
            key, **{name: "{" + name + "}" for name in words.slots("phrases", key)}
        )
        for key in keys
    }
