"""Orders written as keys (``{who: [hob, odo], do: attack, at: [gunter]}``): which keys a deed takes, and the sentence they say.

A mapping is turned into its sentence and read like any other, so the two forms cannot differ.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from pbem.core.problem import Problem
from pbem.text.similar import did_you_mean

__all__ = ["DEEDS", "sentence"]


class _Keys:
    """The values of one mapping as text."""

    def __init__(self, entry: Mapping[str, Any]) -> None:
        self._entry = entry

    def __call__(self, key: str, joint: str = ", ", before: str = "", after: str = "") -> str:
        """Return a value, a list joined; ``before`` and ``after`` stand round it only where the key is given."""
        value = self._entry.get(key)
        if value is None:
            return ""
        text = joint.join(str(part) for part in value) if isinstance(value, list | tuple) else str(value)
        return f"{before}{text}{after}"

    def flag(self, key: str, said: str) -> str:
        """Return some words where a key is given as true."""
        return said if str(self._entry.get(key, "")).lower() == "true" else ""

    def places(self) -> str:
        """Return ``to`` or ``by`` with the hexes of a movement."""
        return self("path", " ", " by ") or self("to", " or ", " to ")

    @property
    def s(self) -> str:
        """Return the s of a verb with one subject."""
        return "" if ", " in self("who") else "s"


@dataclass(frozen=True, slots=True)
class Deed:
    """One value of ``do``: the keys it must and may have beside it, and how the sentence is put together."""

    needs: tuple[str, ...]
    may: tuple[str, ...]
    said: Callable[[_Keys], str]


def _deed(needs: str, may: str, said: Callable[[_Keys], str]) -> Deed:
    return Deed(tuple(needs.split()), tuple(may.split()), said)


DEEDS: Final[Mapping[str, Deed]] = {
    "place": _deed("who at", "facing", lambda k: f"{k('who')} at {k('at', ' ')}{k('facing', before=' facing ')}"),
    "ride": _deed("who what", "", lambda k: f"{k('who')} rides {k('what')}"),
    "fill": _deed("hexes", "", lambda k: f"fill {k('hexes', ' ')}"),
    "rubble": _deed("hexes", "", lambda k: f"rubble {k('hexes', ' ')}"),
    "skill": _deed("who value", "", lambda k: f"{k('who')} has skill {k('value')}"),
    "shoot": _deed(
        "who at", "across with", lambda k: f"{k('who')} at {k('at', ' or ')}{k('across', before=' across ')}{k('with', before=' with ')}"
    ),
    "fire": _deed("who engine at", "", lambda k: f"{k('who')} fires {k('engine')} at {k('at', ' or ')}"),
    "move": _deed("who", "to path facing", lambda k: f"{k('who')}{k.places()}{k('facing', before=' facing ')}"),
    "turn": _deed("who facing", "", lambda k: f"{k('who')} turns {k('facing')}"),
    "mount": _deed("who what", "", lambda k: f"{k('who')} mounts {k('what')}"),
    "dismount": _deed("who", "to", lambda k: f"{k('who')} dismounts{k('to', ' ', ' to ')}"),
    "lead": _deed("who animals", "to path", lambda k: f"{k('who')} leads {k('animals')}{k.places()}"),
    "hitch": _deed("who animals what", "", lambda k: f"{k('who')} hitches {k('animals')} to {k('what')}"),
    "unhitch": _deed("who animals from", "", lambda k: f"{k('who')} unhitches {k('animals')} from {k('from')}"),
    "pick-up": _deed("who what", "", lambda k: f"{k('who')} pick{k.s} up {k('what')}"),
    "carry": _deed("who what to", "", lambda k: f"{k('who')} carry {k('what')} to {k('to', ' ')}"),
    "raise": _deed("who what in facing", "", lambda k: f"{k('who')} raise {k('what')} in {k('in')} facing {k('facing')}"),
    "shift": _deed("who what facing", "to", lambda k: f"{k('who')} shift {k('what')}{k('to', ' ', ' to ')} facing {k('facing')}"),
    "climb": _deed("who what", "over", lambda k: f"{k('who')} climbs {k('what')}{k.flag('over', ' and over')}"),
    "step-over": _deed("who", "to", lambda k: f"{k('who')} steps over{k('to', ' ', ' to ')}"),
    "up": _deed("who", "", lambda k: f"{k('who')} goes up"),
    "down": _deed("who", "to", lambda k: f"{k('who')} goes down{k('to', ' ', ' to ')}"),
    "forward": _deed("what steps", "", lambda k: f"{k('what')} forward {k('steps')}"),
    "back": _deed("what steps", "", lambda k: f"{k('what')} back {k('steps')}"),
    "take": _deed("who what", "", lambda k: f"{k('who')} takes {k('what')}"),
    "put-down": _deed("who what", "facing", lambda k: f"{k('who')} puts down {k('what')}{k('facing', before=' facing ')}"),
    "work": _deed("who what", "", lambda k: f"{k('who')} works {k('what')}"),
    "enter": _deed(
        "who at", "to animals", lambda k: f"{k('who')} enters at {k('at', ' ')}{k('to', ' ', ' to ')}{k('animals', before=' leading ')}"
    ),
    "leave": _deed("who by", "animals", lambda k: f"{k('who')} leaves the map by {k('by', ' ')}{k('animals', before=' leading ')}"),
    "stay": _deed("who", "", lambda k: f"{k('who')} stay{k.s}"),
    "attack": _deed("who at", "at-least", lambda k: f"{k('who')} attack {k('at')}{k('at-least', before=' at least ')}"),
    "topple": _deed("who what", "to", lambda k: f"{k('who')} topples {k('what')}{k('to', ' ', ' to ')}"),
    "strike": _deed("what at", "", lambda k: f"{k('what')} strikes {k('at', ' ')}"),
    "light": _deed("who at", "", lambda k: f"{k('who')} lights {k('at', ' ')}"),
    "put-out": _deed("who at", "", lambda k: f"{k('who')} puts out {k('at', ' ')}"),
    "pour": _deed("who item on", "", lambda k: f"{k('who')} pours {k('item')} on {k('on')}"),
    "plan": _deed("what", "", lambda k: k("what")),
    "bombard": _deed("who at", "", lambda k: f"{k('who')} bombard {k('at', ' ')}"),
    "repair": _deed("who", "", lambda k: f"repair {k('who')}"),
    "resign": _deed("", "", lambda k: "resign"),
    "offer-draw": _deed("", "", lambda k: "offer a draw"),
    "accept-draw": _deed("", "", lambda k: "accept the draw"),
}
"""Every value of ``do`` (``formats.md`` 4.2)."""


def sentence(entry: Mapping[str, Any]) -> str | list[Problem]:
    """Return the sentence that the keys of an order say, or what is wrong with them, with paths from the mapping on."""
    do = str(entry.get("do", ""))
    deed = DEEDS.get(do)
    if deed is None:
        help_ = did_you_mean(do, DEEDS) or "a key 'do' says what is done, such as do: move"
        return [Problem("orders.deed", {"deed": do}, ("do",) if "do" in entry else (), help=help_)]
    known = ("do", *deed.needs, *deed.may)
    listed = "the keys of this order are " + ", ".join(known)
    problems = [Problem("orders.key", {"key": key, "deed": do}, (key,), help=listed, key=True) for key in entry if key not in known]
    missing = [key for key in deed.needs if key not in entry]
    if do in ("move", "lead") and ("to" in entry) == ("path" in entry):
        missing.append("to' or 'path")
    problems += [Problem("orders.no-key", {"key": key, "deed": do}, help=listed) for key in missing]
    return problems or deed.said(_Keys(entry))
