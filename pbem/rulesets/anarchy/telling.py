"""How The Anarchy tells what Siege has no event for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from pbem.core.telling import Args, Event, Speaker
from pbem.rulesets.siege.views import narration


def decided(event: Event, label: Sequence[str]) -> bool:
    """Tell whether a name is that of the roll of an event: of a throw the dice that find where it comes
    down.
    """
    if event["type"] == "Slung":
        return list(label[-2:]) == [event["unit"], "scatter"]
    if event["type"] == "Shot" and event.get("weapon") == "splinters":
        return list(label[-2:]) == ["splinters", event["target"]]
    if event["type"] == "Hurled":
        return list(label[-2:]) == [event["thing"], "scatter"]
    return narration.decided(event, label)


def _slung(speaker: Speaker, args: Args) -> None:
    args["act"] = speaker.phrase(f"report.slung-{args['what']}")
    args["off"] = "" if args.get("at") else speaker.phrase("report.off-the-map")


def _hurled(speaker: Speaker, args: Args) -> None:
    args["off"] = "" if args.get("at") else speaker.phrase("report.off-the-map")


def _mine(speaker: Speaker, args: Args) -> None:
    args["act"] = speaker.phrase(f"report.mine-{args.get('work') or args['why']}")
    args["pace"] = speaker.phrase("report.mine-hard") if args.get("hard") else ""


TELLING: Final = replace(
    narration.TELLING,
    arguments={
        **narration.ARGUMENTS,
        "Slung": _slung,
        "Hurled": _hurled,
        "MineOrdered": _mine,
        "MineIdle": _mine,
    },
    decided=decided,
    deeds=narration.DEEDS | {"Slung", "Hurled"},
)
