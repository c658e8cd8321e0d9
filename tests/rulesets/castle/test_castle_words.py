"""Who is told of in a report is told of by name: those who are out of the game by then, and sections."""

from __future__ import annotations

from castle_cases import war_of

from pbem.core.dice import ScriptedDice
from pbem.core.play import resolve_phase
from pbem.rulesets.castle.events import plain
from pbem.rulesets.castle.ruleset import CASTLE
from pbem.store.library import words_of
from pbem.text.teller import Teller

GIVEN = {
    "warriors": {
        "grul": {"name": "Grul the Ogre", "kind": "ogre", "at": "24 37.3", "facing": "s"},
        "joss": {
            "name": "Captain Joss",
            "side": "keep",
            "kind": "captain",
            "at": "24 36",
            "on": "wall1",
            "click": "5",
        },
    },
    "sections": {
        "wall1": {"name": "the old wall", "kind": "wall", "at": "24 36", "weight": "light", "click": "7"}
    },
}
ROLLS = {"t1.hill.actions/close/grul/wall1": (6, 5), "t1.hill.actions/fall/joss/wall1": (4,)}


def told(*lines: str) -> list[str]:
    """Return a turn in sentences, told after it with the names of the scene that is drawn then."""
    war = war_of(CASTLE, GIVEN)
    sheet, problems = CASTLE.interface.read_orders(CASTLE, war, "hill", {"actions": list(lines)})
    assert not problems
    found = resolve_phase(
        lambda play: CASTLE.steps["actions"](CASTLE, play, {"hill": (sheet,)}),
        war,
        str(war.at),
        CASTLE.interface.apply,
        ScriptedDice(ROLLS),
    )
    names = CASTLE.interface.scene(CASTLE, found.state, [], "").names()
    teller = Teller(words_of("castle"), names, {}, CASTLE.telling)
    return [teller.sentence(plain(event)) for event in found.events]


def test_whoever_falls_is_told_of_by_name_and_so_is_what_falls() -> None:
    said = "\n".join(told("grul attacks wall1"))
    assert "Grul the Ogre against the old wall" in said
    assert "The old wall collapses; Captain Joss falls with it" in said
    assert "ow Captain Joss falls with the old wall" in said
    assert "Captain Joss is out of the game" in said
    assert "joss" not in said
    assert "wall1" not in said
