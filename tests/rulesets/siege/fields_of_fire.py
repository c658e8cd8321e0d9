"""Makes the tables and pictures of docs/fields-of-fire.md out of what the program says of the two figures
(``make figures``).
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import case_plugin
from msgspec.structs import replace

from pbem.core.ruleset import Ruleset
from pbem.core.scene import Point, Scene, Trace
from pbem.geometry.hex import centre, side_points
from pbem.rulesets.siege.combat import aiming, shooting
from pbem.rulesets.siege.state.line import Aim
from pbem.rulesets.siege.state.state import Battle
from pbem.rulesets.siege.views import scene

DOCS = Path(__file__).resolve().parents[3] / "docs"
LIMIT = 150_000
"""Bytes of a picture."""
PAGE = DOCS / "fields-of-fire.md"


class Figure(NamedTuple):
    """A drawn figure: its map, who stands where, and whose shots are shown in the picture."""

    id: str
    title: str
    land: str
    men: dict[str, str]
    castle: str
    shown: str


FIGURES = (
    Figure(
        "walls",
        "Shots between heights: the keep, the wall and a tower",
        "keep-and-tower",
        {
            "A": "0704",
            "B": "0606",
            "C": "0708",
            "D": "0710",
            "E": "1009",
            "F": "1208",
            "G": "0711",
            "T": "1007",
        },
        "ABT",
        "AB",
    ),
    Figure(
        "moat",
        "Shots into the moat and out of it",
        "moat",
        {"A": "0406", "B": "0408", "C": "0404", "D": "0405", "E": "0403"},
        "E",
        "AE",
    ),
)


def laid(figure: Figure, west: str = "") -> tuple[Ruleset[Battle], Battle]:
    """Return rules and battle of a figure; those of the castle are of one side, but for who is named
    ``west``.
    """
    units = {
        name.lower(): {
            "side": "east" if name in figure.castle and name not in west else "west",
            "class": "crossbowman",
            "at": at,
        }
        for name, at in figure.men.items()
    }
    given = {"map": {"file": figure.land}, "units": units, "at": "t1.east.first_missile"}
    rules = case_plugin.chosen(case_plugin.full_rules(), given)
    return rules, case_plugin.battle_of(rules, given)


def verdict(figure: Figure, shooter: str, target: str) -> Aim | shooting.Problem:
    """Return what comes of a shot of the one at the other, were they enemies and all others on the target's
    side.
    """
    rules, battle = laid(figure)
    units = [
        replace(unit, side="east" if unit.id == shooter.lower() else "west") for unit in battle.units.values()
    ]
    battle = battle.with_units(*units)
    return aiming.aim(rules, battle, battle.units[shooter.lower()], battle.units[target.lower()])


def table(figure: Figure) -> str:
    """Return who can shoot at whom, and the target's cover, or the rule that keeps it from being shot at."""
    names = list(figure.men)
    lines = ["| from \\ at | " + " | ".join(names) + " |", "|---|" + "---|" * len(names)]
    for shooter in names:
        cells = []
        for target in names:
            found = verdict(figure, shooter, target) if shooter != target else None
            cells.append(
                ""
                if found is None
                else f"yes, {found.cover}"
                if isinstance(found, Aim)
                else f"– ({found.rule})"
            )
        lines.append(f"| **{shooter}** | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def drawn(figure: Figure) -> Scene:
    """Return the figure as a scene, with the lines of the shots that are shown."""
    rules, battle = laid(figure)
    shots = []
    for shooter in figure.shown:
        for target in figure.men:
            found = verdict(figure, shooter, target) if shooter != target else None
            if isinstance(found, Aim) and target not in figure.castle:
                start = _start(figure.men[shooter], found)
                shots.append(
                    Trace(
                        "shot",
                        battle.units[shooter.lower()].side,
                        (start, centre(figure.men[target])),
                        (shooter,),
                        (target,),
                    )
                )
    return replace(scene.scene(rules, battle, title=figure.title), subtitle="", traces=tuple(shots))


def _start(hex_: str, found: Aim) -> Point:
    if found.line.view is None or not found.line.view.out:
        return centre(hex_)
    (ax, ay), (bx, by) = side_points(hex_, found.line.view.out)
    return (ax + bx) // 2, (ay + by) // 2


def page(text: str) -> str:
    """Return the page with its tables made anew."""
    for figure in FIGURES:
        between = re.compile(rf"(<!-- table {figure.id} -->\n).*?(<!-- end -->)", re.S)
        text = between.sub(lambda match, figure=figure: match[1] + table(figure) + "\n" + match[2], text)
    return text


def picture(figure: Figure) -> bytes:
    """Return the picture of a figure."""
    from renderers import png

    return png.render(drawn(figure), width=900, limit=LIMIT)


def main() -> None:
    """Write the page and its pictures."""
    PAGE.write_text(page(PAGE.read_text("utf-8")), "utf-8")
    for figure in FIGURES:
        (DOCS / f"fields-of-fire-{figure.id}.png").write_bytes(picture(figure))


if __name__ == "__main__":
    main()
