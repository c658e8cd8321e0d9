"""The packet where no script runs, as in the preview of a mail program: the map, the people, the order sheet,
and how to answer by hand.

It is markup that stands in the page; a browser that runs scripts never shows it. Of what it shows nothing is
asked again: it is made of the data of the page and of the phases that ``clickable`` has walked through.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from typing import Any, Final
from urllib.parse import quote

from pbem.core.scene import UP, Scene, Token
from pbem.referee.explain.clickable import Stage
from pbem.referee.explain.options import order_sheet
from pbem.referee.game.replay import Ground
from pbem.text.markup import html_blocks
from pbem.text.report import Block
from pbem.text.words import Words

SAMPLES: Final = 2
"""Lines of a sample, each of another figure."""
PREFIX: Final = "packet.still-"


def still_of(
    ground: Ground,
    seat: str,
    state: Any,
    announced: Mapping[str, Any],
    found: Sequence[Stage],
    scene: Scene,
    made: Mapping[str, Any],
    about: Sequence[tuple[str, Sequence[Block]]] = (),
) -> str:
    """Return the markup; ``state`` is what the seat's side knows, ``scene`` shows the same, ``made`` is the
    data of the page.

    ``about`` is what the page says of the game: a page whose scripts run shows it too, below its head.
    """
    page = import_module("pbem.renderers.page")
    board = import_module("pbem.renderers.board")
    text, words = page.escaped, ground.words
    sheet = order_sheet(
        ground,
        made["game"],
        state,
        announced,
        seat,
        found=tuple((stage.phase, stage.entries) for stage in found),
    )
    parts = [
        '<main class="still" id="still">',
        f'<header><p class="eyebrow">{text(made["when"])}</p>\n<h1>{text(made["heading"])}</h1></header>',
        f'<p class="still-why"><strong>{_said(words, "open")}</strong> {_said(words, "why")}</p>',
        *_about(about),
        f'<div class="still-map" tabindex="0" role="region" aria-label="{_said(words, "map")}">',
        f"{board.still(made['board'], 1, made['summary'])}</div>",
        board.still_storeys(made["board"], 1),
        f'<p class="hint">{_said(words, "scroll")}</p>'
        + (f"<p>{text(made['summary'])}</p>" if made["summary"] else ""),
        *_people(words, scene, made, found),
        f"<h2>{_said(words, 'hand')}</h2>\n"
        f"{_way(words, made)}<pre>{text(_sample(ground, state, seat, found, made))}</pre>",
        f"<p>{_said(words, 'luck', least=made['luck'])}</p>" if made["luck"] else "",
        f"<p>{_said(words, 'note')}</p>",
        f"<h2>{_said(words, 'sheet')}</h2>\n<p>{_said(words, 'sheet-how')}</p>\n"
        f"<pre>{text(sheet)}</pre>\n</main>",
    ]
    return "\n".join(part for part in parts if part)


def _about(about: Sequence[tuple[str, Sequence[Block]]]) -> Iterator[str]:
    """Yield what is said of the game, each part folded away under its title."""
    page = import_module("pbem.renderers.page")
    if about:
        parts = (
            f"<details>\n<summary>{page.escaped(title)}</summary>\n{html_blocks(blocks)}\n</details>"
            for title, blocks in about
        )
        yield f'<section class="told-of" id="told-of">\n{"".join(parts)}\n</section>'


def _said(words: Words, key: str, **args: Any) -> str:
    page = import_module("pbem.renderers.page")
    return str(page.escaped(words.phrase(PREFIX + key, **args)))


def _people(words: Words, scene: Scene, made: Mapping[str, Any], found: Sequence[Stage]) -> Iterator[str]:
    """Yield a table for each side, the reader's own first; those of his who stand nowhere
    yet are told apart.
    """
    page = import_module("pbem.renderers.page")
    text, own = page.escaped, made["side"]
    there = {token.id for token in scene.tokens}
    waiting = {who: about for stage in found for who, about in stage.about.items() if who not in there}
    for side in sorted(made["sides"], key=lambda side: side != own):
        tokens = [token for token in scene.tokens if token.side == side]
        rows = [_row(token) for token in tokens]
        if side == own:
            nowhere = f"<td>{_said(words, 'nowhere')}</td></tr>"
            rows += [
                f"<tr><th scope=row>{text(who)}</th><td>{text(about)}</td>{nowhere}"
                for who, about in waiting.items()
            ]
        if rows:
            heads = "".join(f"<th scope=col>{_said(words, key)}</th>" for key in ("who", "what", "where"))
            named = (
                _said(words, "own", side=made["sides"][side]) if side == own else text(made["sides"][side])
            )
            yield (
                f"<h2>{named}</h2>\n<table><thead><tr>{heads}</tr></thead>\n"
                f"<tbody>{''.join(rows)}</tbody></table>"
            )


def _row(token: Token) -> str:
    page = import_module("pbem.renderers.page")
    name, id_, what, at = (
        page.escaped(part) for part in (token.name, token.id, token.description, " ".join(token.at))
    )
    numbers = f'<span class="numbers">{page.escaped("-".join(token.numbers))}</span>' if token.numbers else ""
    state = token.state if token.look != UP else ""
    told = ", ".join(
        part for part in (what, numbers, page.escaped(state), *map(page.escaped, token.badges)) if part
    )
    called = f"{name} <code>{id_}</code>" if token.name.lower() != token.id else f"<code>{id_}</code>"
    return f"<tr><th scope=row>{called}</th><td>{told}</td><td>{at}</td></tr>"


def _way(words: Words, made: Mapping[str, Any]) -> str:
    """Return where the answer goes to, as a link that opens a mail where there is an address."""
    if not made["to"]:
        return f"<p>{_said(words, 'answer')}</p>\n"
    page = import_module("pbem.renderers.page")
    head = "".join(f"{line}\r\n" for line in _head(made))
    address = f"mailto:{quote(made['to'], safe='@,')}?subject={quote(made['subject'])}&body={quote(head)}"
    link = f'<a href="{page.escaped(address)}">{page.escaped(made["to"])}</a>'
    subject = f"<code>{page.escaped(made['subject'])}</code>"
    return (
        f"<p>{_said(words, 'mail')} {link}<br>{_said(words, 'subject')} {subject}</p>\n"
        f"<p>{_said(words, 'answer')}</p>\n"
    )


def _head(made: Mapping[str, Any]) -> list[str]:
    return [
        f"game: {made['game']}",
        f"seat: {made['seat']}",
        *([] if made["questions"] else [f"turn: {made['turn']}"]),
    ]


def _sample(ground: Ground, state: Any, seat: str, found: Sequence[Stage], made: Mapping[str, Any]) -> str:
    """Return a file as somebody would write it: lines that the rules take as things are, or the answers to
    what is asked.
    """
    lines = _head(made)
    if made["questions"]:
        lines += ["answers:", *(f"  {one['id']}: {_default(one)}" for one in made["questions"])]
    for heading, said in _legal(ground, state, seat, found):
        lines += [f"{heading}:", *(f"- {sentence}" for sentence in said)]
    return "\n".join([*lines, *(["luck: …"] if made["luck"] else []), ""])


def _default(question: Mapping[str, Any]) -> str:
    value = next(
        (choice["value"] for choice in question["choices"] if choice["default"]),
        question["choices"][0]["value"],
    )
    return f"[{value}]" if question["kind"] == "some" else str(value)


def _legal(ground: Ground, state: Any, seat: str, found: Sequence[Stage]) -> Iterator[tuple[str, list[str]]]:
    """Yield, of the first phase in which something may be ordered, a line of each of the first figures; all
    together are legal.
    """
    interface, rules = ground.rules.interface, ground.rules
    stage = next((stage for stage in found if stage.entries), None)
    if stage is None:
        return
    lines: list[str] = []
    for entry in stage.entries:
        for choice in entry.choices[:1]:
            orders, problems = interface.read_orders(
                rules, state, seat, {"seat": seat, stage.heading: [*lines, choice.sentence]}
            )
            if orders is not None and not problems and not interface.check(rules, state, orders, ()).problems:
                lines.append(choice.sentence)
        if len(lines) == SAMPLES:
            break
    if lines:
        yield stage.heading, lines
