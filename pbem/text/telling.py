"""Puts what happened into sentences: names for ids, then the catalogue.

It decides which words of an event are names, and what is said with a phrase of its own; how a report is grouped is ``report``. It knows
no rule of any game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from pbem.text.when import capital
from pbem.text.words import Words

__all__ = ["Teller"]

Event = Mapping[str, Any]

_UNITS: Final = ("unit", "shooter", "target", "hit", "horse", "by", "animal", "crew", "attackers", "defenders", "over", "with", "carriers")
_SIDES: Final = ("side", "seat", "winner")


class Teller:
    """Puts events into sentences: names for ids, then the catalogue."""

    def __init__(self, words: Words, names: Mapping[str, str], sides: Mapping[str, str]) -> None:
        self._words, self._names, self._sides = words, names, sides

    def name(self, unit: object) -> str:
        """Return the name of a figure; what has none is called by its id."""
        return self._names.get(str(unit)) or str(unit)

    def thing(self, thing: object) -> str:
        """Return a thing as a sentence calls it: by its id, with an article where that is a word and not one of several (``ladder1``)."""
        id_ = str(thing)
        return id_ if id_[-1:].isdigit() else self._words.phrase("report.the", thing=id_)

    def side(self, side: object) -> str:
        """Return the name of a side or a seat."""
        return self._sides.get(str(side), str(side))

    def phase_title(self, began: Event | None, name: str) -> str:
        """Return the heading of a phase: whose, which, in which turn."""
        raw = str(began.get("phase", name)) if began else name
        last = raw.rpartition(".")[2]
        key = f"phase.{last}"
        title = self._words.phrase(key) if self._words.knows("phrases", key) else last.replace("_", " ").replace("-", " ")
        said = self._words.phrase(
            "report.phase",
            phase=title or self._words.phrase("report.other"),
            side=self.side(began.get("side", "")) if began else "",
            turn=began.get("turn") or "" if began and last != "setup" else "",
            step=began.get("turn") or "" if began and last == "setup" else "",
            day=began.get("day") or "" if began else "",
        )
        return capital(said)

    def matters(self, event: Event) -> bool:
        """Tell whether an event belongs into the list at the top: wounds, deaths, flight, points, the end."""
        if event["type"] == "StateChanged":
            return event.get("is", event.get("is_")) in ("dead", "wounded", "stunned")
        return event["type"] in ("GameEnded", "Scored", "Resigned", "DrawOffered", "Routed", "Fled", "Left", "BurntDown")

    def lead(self, events: Sequence[Event]) -> str:
        """Return one sentence that counts shots, fights, and what became of men."""
        count: dict[str, int] = {"shots": 0, "fights": 0, "dead": 0, "wounded": 0, "stunned": 0}
        for event in events:
            if event["type"] == "Shot":
                count["shots"] += 1
            elif event["type"] == "Fought":
                count["fights"] += 1
            elif event["type"] == "StateChanged":
                is_ = str(event.get("is", event.get("is_")))
                if is_ in count:
                    count[is_] += 1
        return self._words.phrase("report.lead" if any(count.values()) else "report.lead-quiet", **count)

    def sentence(self, event: Event, working: str = "") -> str:
        """Return an event in one sentence, with the reckoning of its roll if there is one."""
        kind = str(event["type"])
        args = self._args(event)
        if working:
            args["working"] = working
        special: Callable[[dict[str, Any]], None] | None = getattr(self, f"_args_{kind.lower()}", None)
        if special is not None:
            special(args)
        said = self._words.event(kind, args)
        return capital(said)

    def _args(self, event: Event) -> dict[str, Any]:
        args: dict[str, Any] = {}
        for key, value in event.items():
            if key in ("type", "n", "phase"):
                continue
            key = key.rstrip("_")
            if key in _UNITS and isinstance(value, str):
                value = self.name(value)
            elif key in _UNITS and isinstance(value, list | tuple):
                value = [self.name(one) for one in value]
            elif key == "thing":
                value = self.thing(value)
            elif key in _SIDES and isinstance(value, str):
                value = self.side(value)
            elif key == "at" and isinstance(value, list | tuple):
                value = list(value)
            args[key] = value
        path = event.get("path")
        if isinstance(path, list | tuple) and path:
            args["start"], args["end"] = str(path[0]), str(path[-1])
            args["way"] = " ".join(str(place) for place in path)
            if len(path) == 1:
                args["way"] = args["end"] = ""
                args["stuck"] = str(path[0])
        if "setup" in str(event.get("phase", "")).split("."):
            args["setup"] = True
        if event.get("type") == "Moved" and event.get("of") == 0:
            args["cost"] = args["of"] = ""  # who is led spends nothing of his own
        return args

    def _args_rolled(self, args: dict[str, Any]) -> None:
        """Say what a roll was about, where its name begins with a verb that has a phrase (``docs/formats.md``, 8)."""
        parts = [*str(args.get("label", "")).split("/"), "", "", ""]
        key = f"roll.{parts[1]}-{parts[3]}" if self._words.knows("phrases", f"roll.{parts[1]}-{parts[3]}") else f"roll.{parts[1]}"
        if self._words.knows("phrases", key):
            args["what"] = self._words.phrase(key, what=self.name(parts[2]), whom=self.name(parts[3]))
        else:
            args["what"] = self._words.phrase("report.roll", label=args.get("label", ""))

    def _args_chosen(self, args: dict[str, Any]) -> None:
        about, unit, by = str(args.get("about", "")), args.get("unit", ""), str(args.get("by", ""))
        key = f"about.{about}"
        if not self._words.knows("phrases", key):
            key = "about.other"
        args["what"] = self._words.phrase(key, about=about, unit=unit)
        args["decided"] = self._words.phrase(f"chosen.{by}") if self._words.knows("phrases", f"chosen.{by}") else by
        args["choice"] = ", ".join(self.name(one) for one in str(args.get("choice", "")).split(", "))

    def _args_orderskipped(self, args: dict[str, Any]) -> None:
        problem = args.get("problem")
        if isinstance(problem, Mapping):
            args.setdefault("code", problem.get("code", ""))
            args.setdefault("rule", problem.get("rule", ""))
            args["args"] = problem.get("args", {})
        given = args.get("args")
        args["why"] = self._words.problem(str(args.get("code", "")), given if isinstance(given, Mapping) else {})

    def _args_branchtaken(self, args: dict[str, Any]) -> None:
        args["answer"] = self._words.phrase("report.yes" if args.get("value") else "report.no")

    def _args_drawoffered(self, args: dict[str, Any]) -> None:
        args["act"] = self._words.phrase("report.offer-made" if args.get("open", True) else "report.offer-over")

    def _args_checked(self, args: dict[str, Any]) -> None:
        args["act"] = self._words.phrase("report.cover-taken" if args.get("since") else "report.cover-over")

    def _args_featurechanged(self, args: dict[str, Any]) -> None:
        kind = str(args.get("is", ""))
        key = f"feature.{kind}-{args.get('damage') or 0}" if kind == "wall" else f"feature.{kind}"
        if self._words.knows("phrases", key):
            args["act"] = self._words.phrase(key, at=args.get("at", ""))
            args["is"] = ""

    def _args_featuregone(self, args: dict[str, Any]) -> None:
        self._told_as(args, f"gone.{args.get('is', '')}", "is", "at")

    def _args_acted(self, args: dict[str, Any]) -> None:
        self._told_as(args, f"did.{args.get('did', '')}", "did")

    def _told_as(self, args: dict[str, Any], key: str, instead: str, *named: str) -> None:
        """Tell what happened with a phrase of its own, where there is one, in the place of an argument."""
        if self._words.knows("phrases", key):
            args["act"] = self._words.phrase(key, **{name: args.get(name, "") for name in named})
            if instead:
                args[instead] = ""

    def _args_thingchanged(self, args: dict[str, Any]) -> None:
        cleared = args.get("cleared", ())
        if "loaded" in cleared:
            args["act"] = self._words.phrase("report.unloaded")
        elif args.get("stands"):
            self._told_as(args, f"thing.{args['stands']}", "stands", "by")
        elif args.get("by"):
            args["act"] = self._words.phrase("thing.carried", by=args["by"])
        elif "by" in cleared:
            args["act"] = self._words.phrase("thing.put-down", facing=args.get("facing", ""))
        args["by"] = ""

    def _args_wallheld(self, args: dict[str, Any]) -> None:
        args["act"] = self._words.phrase(f"report.held-{args['why']}")

    def _args_healingset(self, args: dict[str, Any]) -> None:
        args["act"] = "" if args.get("day") else self._words.phrase("report.never-healed")
        args["day"] = args.get("day") or ""

    def _args_gameended(self, args: dict[str, Any]) -> None:
        drawn = args.get("winner") == "draw"
        args["outcome"] = self._words.phrase("report.draw" if drawn else "report.victory", winner=args.get("winner", ""))
        self._told_as(args, f"over.{args.get('why', '')}", "", "line")
        args["why"] = args.get("act") or args.get("why", "")
        score = args.get("score")
        if isinstance(score, Mapping):
            score = sorted(score.items())
        if isinstance(score, list | tuple):
            args["score"] = [
                f"{self.side(row['side'])} {row['points']}" if isinstance(row, Mapping) else f"{self.side(row[0])} {row[1]}"
                for row in score
            ]

    def _args_thingmoved(self, args: dict[str, Any]) -> None:
        args["moves"] = self._words.phrase("thing.placed" if args.pop("setup", False) else "thing.moves")
        aboard = args.get("passengers")
        if isinstance(aboard, list | tuple):
            args["passengers"] = [self.name(row[0]) for row in aboard if row]

    def _args_statechanged(self, args: dict[str, Any]) -> None:
        args["now"] = self._state(args.get("is"))
        args["before"] = self._state(args.get("was"))

    def _state(self, state: object) -> str:
        key = f"state.{state}"
        return self._words.phrase(key) if self._words.knows("phrases", key) else str(state)

    def _args_shot(self, args: dict[str, Any]) -> None:
        args["hexes"] = args.get("range")
        args["weapon"] = str(args.get("weapon", "")).replace("_", " ")
        if args.get("cover") == "none":
            args["cover"] = ""
        self._die_only(args)

    def _args_fought(self, args: dict[str, Any]) -> None:
        args["count"] = len(args.get("attackers", ()))
        self._die_only(args)

    def _args_misfired(self, args: dict[str, Any]) -> None:
        self._die_only(args)

    def _die_only(self, args: dict[str, Any]) -> None:
        """Tell at least the die where its roll is not in the list."""
        if not args.get("working") and args.get("roll"):
            args["working"] = self._words.phrase("report.die-only", **{name: args.get(name, "") for name in ("roll", "column", "result")})
