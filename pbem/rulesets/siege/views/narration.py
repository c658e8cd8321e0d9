"""How a battle is told: which events make headlines, what a report counts, and what stands beside the
sentences of ``words.yaml``.

It decides nothing of the rules; all of it reads plain events, as they stand in an archive.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from pbem.core.telling import Args, Event, Speaker, Telling

FIGURES: Final = frozenset(
    {
        "unit",
        "shooter",
        "target",
        "hit",
        "horse",
        "by",
        "animal",
        "crew",
        "attackers",
        "defenders",
        "over",
        "with",
        "carriers",
    }
)
HURT: Final = ("dead", "wounded", "stunned")
OF_THE_DAY: Final = frozenset({"Scored", "Routed", "Fled", "Left", "BurntDown"})
DEEDS: Final = frozenset({"Moved", "Entered", "Turned", "Shot", "Fought"})
TOLD: Final = ("stands", "by", "loaded", "lost", "repair_until", "crew_fought")
"""What of a thing that is changed has words of its own."""
BEFORE: Final = ("PhaseBegan", "Instructed", "Said")
"""What takes force before the first phase of a slot, and its beginning: no part of what happens in it."""
VERBS: Final[Mapping[str, tuple[str, ...]]] = {
    "Shot": ("shoot", "shoot-again"),
    "Misfired": ("shoot", "shoot-again"),
    "Fought": ("fight",),
}


def headlines(event: Event) -> bool:
    """Tell whether an event belongs into the list at the top: wounds, deaths, flight, points, the end."""
    if event["type"] == "StateChanged":
        return _state(event) in HURT
    return event["type"] in OF_THE_DAY


def counted(event: Event) -> str:
    """Return what an event is in the first sentence: a shot, a fight, or what became of a man."""
    if event["type"] == "StateChanged":
        return _state(event)
    return {"Shot": "shots", "Fought": "fights"}.get(str(event["type"]), "")


def _state(event: Event) -> str:
    return str(event.get("is", event.get("is_")))


# --- what is not said, and what is said beside


def silent(event: Event, events: Sequence[Event]) -> bool:
    """Tell whether nothing is said of an event: it only marks something that another event tells."""
    return (
        _placed_by_default(event)
        or (event["type"] == "Acted" and event.get("did") == "moved")
        or (event["type"] == "ThingChanged" and not _is_told(event))
    )


def _is_told(event: Event) -> bool:
    """Tell whether the change of a thing has words of its own: that somebody climbed a tower, or where an
    engine struck, is told by who did it.
    """
    return any(event.get(name) for name in TOLD) or not {"loaded", "by"}.isdisjoint(event.get("cleared", ()))


def _placed_by_default(event: Event) -> bool:
    """Tell whether an event says where something was placed of which its owner said nothing; it is told with
    the placing itself.
    """
    return (
        event["type"] == "Chosen"
        and event.get("about") == "place"
        and event.get("by") == "default"
        and bool(event.get("unit"))
    )


def more(speaker: Speaker, said: str, event: Event, events: Sequence[Event]) -> str:
    """Return the sentence of an event, with who placed it where its owner did not, or who fell on him."""
    if event["type"] in ("Placed", "ThingMoved"):
        who = str(event.get("unit", event.get("thing", "")))
        if any(_placed_by_default(other) and str(other.get("unit", "")) == who for other in events):
            return speaker.phrase("report.by-default", said=said)
    fell = _fell_on(event, events)
    return said if fell is None else speaker.phrase("report.fell-on", said=said, who=speaker.name(fell))


def _fell_on(event: Event, events: Sequence[Event]) -> object:
    """Return who fell on a figure, and so made it what it is now; ``cause`` counts the events behind the
    beginning of the phase.
    """
    cause = event.get("cause")
    if event["type"] != "StateChanged" or not isinstance(cause, int):
        return None
    listed = [other for other in events if other["type"] not in BEFORE]
    found = listed[cause] if 0 <= cause < len(listed) else {}
    return (
        found.get("unit") if found.get("type") == "Fell" and found.get("unit") != event.get("unit") else None
    )


def decided(event: Event, label: Sequence[str]) -> bool:
    """Tell whether a name ``…/verb/name/rest`` is that of the roll of a shot or fight, and not of one that
    hangs on it.
    """
    kind = str(event["type"])
    if kind not in VERBS:
        return False
    wanted = event.get("defenders", ()) if kind == "Fought" else (event.get("shooter", ""),)
    for i, part in enumerate(label[:-1]):
        if part in VERBS[kind] and label[i + 1] in wanted:
            rest = [one for one in label[i + 2 :] if not one.startswith("again")]
            if kind == "Misfired":
                return rest[:1] in (["miss"], ["lot"])
            return not rest or (kind == "Fought" and len(rest) == 1)
    return False


# --- arguments of sentences


def _moved(speaker: Speaker, args: Args) -> None:
    if args.get("of") == 0:
        args["cost"] = args["of"] = ""  # who is led spends nothing of his own


def _checked(speaker: Speaker, args: Args) -> None:
    args["act"] = speaker.phrase("report.cover-taken" if args.get("since") else "report.cover-over")


def _feature_changed(speaker: Speaker, args: Args) -> None:
    kind = str(args.get("is", ""))
    key = f"feature.{kind}-{args.get('damage') or 0}" if kind == "wall" else f"feature.{kind}"
    _told_as(speaker, args, key, "is", "at")


def _feature_gone(speaker: Speaker, args: Args) -> None:
    _told_as(speaker, args, f"gone.{args.get('is', '')}", "is", "at")


def _acted(speaker: Speaker, args: Args) -> None:
    _told_as(speaker, args, f"did.{args.get('did', '')}", "did")


def _told_as(speaker: Speaker, args: Args, key: str, instead: str, *named: str) -> None:
    """Tell what happened with a phrase of its own, where there is one, in the place of an argument."""
    if speaker.knows(key):
        args["act"] = speaker.phrase(key, **{name: args.get(name, "") for name in named})
        args[instead] = ""


def _thing(speaker: Speaker, args: Args) -> None:
    """Call a thing by its id, with an article where that is a word and not one of several (``ladder1``)."""
    if "thing" in args:
        id_ = str(args["thing"])
        args["thing"] = id_ if id_[-1:].isdigit() else speaker.phrase("report.the", thing=id_)


def _thing_changed(speaker: Speaker, args: Args) -> None:
    cleared = args.get("cleared", ())
    if "loaded" in cleared:
        args["act"] = speaker.phrase("report.unloaded")
    elif args.get("stands"):
        _told_as(speaker, args, f"thing.{args['stands']}", "stands", "by")
    elif args.get("by"):
        args["act"] = speaker.phrase("thing.carried", by=args["by"])
    elif "by" in cleared:
        args["act"] = speaker.phrase("thing.put-down", facing=args.get("facing", ""))
    args["by"] = ""


def _thing_moved(speaker: Speaker, args: Args) -> None:
    args["moves"] = speaker.phrase("thing.placed" if args.pop("setup", False) else "thing.moves")
    aboard = args.get("passengers")
    if isinstance(aboard, list | tuple):
        args["passengers"] = [speaker.name(row[0]) for row in aboard if row]


def _wall_held(speaker: Speaker, args: Args) -> None:
    args["act"] = speaker.phrase(f"report.held-{args['why']}")


def _healing_set(speaker: Speaker, args: Args) -> None:
    args["act"] = "" if args.get("day") else speaker.phrase("report.never-healed")
    args["day"] = args.get("day") or ""


def _state_changed(speaker: Speaker, args: Args) -> None:
    args["now"] = _state_said(speaker, args.get("is"))
    args["before"] = _state_said(speaker, args.get("was"))


def _state_said(speaker: Speaker, state: object) -> str:
    key = f"state.{state}"
    return speaker.phrase(key) if speaker.knows(key) else str(state)


def _shot(speaker: Speaker, args: Args) -> None:
    args["hexes"] = args.get("range")
    args["weapon"] = str(args.get("weapon", "")).replace("_", " ")
    if args.get("cover") == "none":
        args["cover"] = ""


def _fought(speaker: Speaker, args: Args) -> None:
    args["count"] = len(args.get("attackers", ()))


ARGUMENTS: Final[Mapping[str, Callable[[Speaker, Args], None]]] = {
    "Acted": _acted,
    "Checked": _checked,
    "FeatureChanged": _feature_changed,
    "FeatureGone": _feature_gone,
    "Fought": _fought,
    "HealingSet": _healing_set,
    "Moved": _moved,
    "Shot": _shot,
    "StateChanged": _state_changed,
    "ThingChanged": _thing_changed,
    "ThingMoved": _thing_moved,
    "WallHeld": _wall_held,
}
TELLING: Final = Telling(
    figures=FIGURES,
    every=_thing,
    arguments=ARGUMENTS,
    headlines=headlines,
    counts=("shots", "fights", *HURT),
    counted=counted,
    silent=silent,
    decided=decided,
    more=more,
    deeds=DEEDS,
)
