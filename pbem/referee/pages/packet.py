"""The turn packet: one file for a player's browser, with the board as his side knows it and everything he may
order to click.

What is in it comes through ``views`` alone, and from nothing that another seat could tell apart: no clock, no
chance, no hash of the state. Which orders are legal is ``clickable``; how the page looks and behaves is
``renderers/pages``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any, Final

from msgspec import to_builtins

from pbem.core.regex import regex
from pbem.core.ruleset import Ruleset
from pbem.core.scene import UP, Scene
from pbem.core.sheet import Forms
from pbem.proof.dice_protocol import MAX_WORDS, MIN_WORDS
from pbem.referee.explain import clickable
from pbem.referee.explain.draw import events_of, scene_of, state_of
from pbem.referee.explain.letter_brief import NOBODY, Company, page_of
from pbem.referee.explain.look import THEMES
from pbem.referee.explain.options import player_turn, which_seat
from pbem.referee.game.game import Game
from pbem.referee.game.order_form import schema_of_orders
from pbem.referee.game.replay import Ground, open_questions
from pbem.referee.game.views import known_state
from pbem.referee.pages.packet_still import still_of
from pbem.referee.pages.packet_tables import tables
from pbem.referee.pages.signing_page import SCRIPTS as SIGNING
from pbem.referee.pages.signing_page import signing_of
from pbem.referee.turn.completing import wants_luck
from pbem.text.report import Block
from pbem.text.words import Words, in_force

PREFIX: Final = "packet."

STYLES: Final = ("page.css", "board.css", "packet.css", "still.css")
PARTS: Final = (
    "model",
    "tables",
    "file",
    "panel",
    "more",
    "finish",
    "plane",
    "march",
    "army",
    "roam",
    "board",
)
SCRIPTS: Final = (*(f"packet_{part}.js" for part in PARTS), "packet.js")
"""After those of the board."""
EARLY: Final = ("packet_early.js",)
_WORD: Final = regex(r"\{\{([a-z-]+)\}\}")


def packet_of(
    game: Game,
    seat: str | None = None,
    to: str = "",
    theme: str = THEMES[0],
    subject: str = "",
    *,
    company: Company = NOBODY,
    due: str = "",
) -> bytes:
    """Return the packet of a seat for the open slot, with the address that it mails to; Refused where nothing
    can be ordered.

    ``company`` are the players, ``due`` says until when orders are wanted.
    """
    name = which_seat(game, seat)
    announced = game.announced()
    slot, state = state_of(game, None)
    made, still = contents(
        game.ground,
        name,
        game.sides[name],
        state,
        events_of(game, slot) if slot else (),
        announced,
        game=game.id,
        luck=name in announced["waits"] and game.ledger.seats[name].key is None and wants_luck(game),
        to=to,
        subject=subject,
        theme=theme,
        about=page_of(game, name, company, due),
    )
    return packet_bytes(made, still, signing_of(game, name))


def packet_bytes(made: Mapping[str, Any], still: str, signing: Mapping[str, Any] | None = None) -> bytes:
    """Return the page of what ``contents`` returns; ``signing`` is what it needs to sign the file, where it
    can.
    """
    # it stands in the markup, once
    board = {key: value for key, value in made["board"].items() if key != "ground"}
    shown = tables({**made, "board": board}) | ({} if signing is None else {"signing": dict(signing)})
    page = import_module("pbem.renderers.page")
    of_board = import_module("pbem.renderers.board").SCRIPTS
    scripts = (*of_board, *SCRIPTS[:-1], *(SIGNING if signing is not None else ()), SCRIPTS[-1])
    body = (
        still
        + "\n"
        + _WORD.sub(
            lambda found: page.escaped(made["words"].get(found[1], found[1])), page.part("packet.html")
        )
    )
    styles = STYLES if signing is None else (*STYLES, "sign.css")
    return bytes(
        page.whole_page(
            made["heading"],
            styles=styles,
            scripts=scripts,
            body=body,
            data=shown,
            early=EARLY,
            lang=in_force(),
        )
    )


def contents(
    ground: Ground,
    seat: str,
    side: str,
    state: Any,
    events: Sequence[Mapping[str, Any]],
    announced: Mapping[str, Any],
    *,
    game: str,
    luck: bool = False,
    to: str = "",
    subject: str = "",
    theme: str = THEMES[0],
    about: Sequence[tuple[str, Sequence[Block]]] = (),
) -> tuple[dict[str, Any], str]:
    """Return everything that the page shows and looks up, and its markup for where no script runs.

    ``state`` and ``events`` are those of the umpire, of which only what the seat's side knows is used;
    ``about`` is what the page says of the game, each part under its title.
    """
    words, cursor = ground.words, ground.rules.interface.cursor(state)
    shown, bare = scene_of(ground, state, events, side=side), scene_of(ground, state, (), side=side)
    known = known_state(ground, state, side)
    questions = [
        _question(question, words) for question in open_questions(announced) if question["seat"] == seat
    ]
    stages = () if questions else clickable.stages(ground, known, seat, bare)
    named = next((look.name for look in bare.sides if look.side == side), side)
    heading = words.phrase(PREFIX + "title", title=ground.title, side=named)
    made = {
        "words": _words(words),
        "heading": heading,
        "when": words.put_lines(bare.subtitle),
        "summary": words.put_lines(shown.summary),
        "game": game,
        "seat": seat,
        "side": side,
        "turn": player_turn(cursor),
        "subject": subject
        or words.phrase(PREFIX + "subject", game=game, turn=player_turn(cursor), side=named),
        "to": to,
        "luck": MIN_WORDS if luck else 0,
        "dice": bool(questions) or ground.rules.interface.may_roll(ground.rules, state),
        "longest": MAX_WORDS,
        "questions": questions,
        "standing": _standing(ground.rules),
        "tokens": _tokens(bare, words),
        "sides": {look.side: look.name for look in bare.sides},
        "board": import_module("pbem.renderers.board").board(
            (shown, bare), theme=import_module("pbem.renderers.themes").theme_of(theme)
        ),
        "forms": to_builtins(ground.rules.interface.forms(ground.rules, known, seat))
        if stages
        else to_builtins(Forms()),
        "roaming": _roaming(ground.rules, known, seat) if stages else None,
        **clickable.rows(ground, seat, stages, bare),
    }
    return made, still_of(ground, seat, known, announced, stages, bare, made, about)


def data(*of: Any, **more: Any) -> dict[str, Any]:
    """Return everything that the page shows and looks up; takes what ``contents`` takes."""
    return contents(*of, **more)[0]


def _roaming(rules: Ruleset[Any], known: Any, seat: str) -> Any:
    """Return where figures may go on a table, in plain data; None where a game has hexes."""
    interface = rules.interface
    return None if interface.roaming is None else to_builtins(interface.roaming(rules, known, seat))


def _words(words: Words) -> dict[str, str]:
    """Return the words of the page; ``{name}`` in one is for the page to put in."""
    keys = [key for key in words.keys("phrases") if key.startswith(PREFIX)]
    return {
        key.removeprefix(PREFIX): words.phrase(
            key, **{name: "{" + name + "}" for name in words.slots("phrases", key)}
        )
        for key in keys
    }


def _question(question: Mapping[str, Any], words: Words) -> dict[str, Any]:
    """Return an open question with its choices, and which of them is taken where nothing is answered."""
    default = str(question["default"])
    return {
        "id": question["id"],
        "kind": question["kind"],
        "said": words.phrase(
            "sheet.question",
            about=question["about"],
            unit=question.get("unit", ""),
            why=question.get("why", ""),
        ),
        "unit": question.get("unit", ""),
        "least": question.get("min", 0),
        "most": question.get("max", 0) or len(question["choices"]),
        "choices": [
            {
                "value": str(choice["value"]),
                "said": choice.get("said", ""),
                "default": default in (choice["value"], choice["id"]),
            }
            for choice in question["choices"]
        ],
    }


def _standing(rules: Ruleset[Any]) -> list[dict[str, Any]]:
    """Return the standing instructions that an order file may hold, each with those of its values that need
    nothing put in.

    They are what the schema of a game's order files has as ``choices`` among its definitions.
    """
    choices = schema_of_orders(rules).get("definitions", {}).get("choices", {}).get("properties", {})
    return [
        {
            "key": key,
            "said": str(said.get("description", key)).partition(":")[0].partition(" (")[0].rstrip("."),
            "values": [
                value
                for value in said.get("enum", said.get("examples", ()))
                if not any(letter.isdigit() for letter in value)
            ],
            "form": said.get("patternErrorMessage", ""),
        }
        for key, said in choices.items()
    ]


def _tokens(scene: Scene, words: Words) -> dict[str, dict[str, Any]]:
    """Return who is on the map, and what is known of him in words."""
    return {
        token.id: {
            "name": token.name,
            "side": token.side,
            "said": ", ".join(
                words.put(part)
                for part in (token.description, token.state if token.look != UP else "")
                if part
            ),
            "at": list(token.at),
            "numbers": list(token.numbers),
        }
        for token in scene.tokens
    }
