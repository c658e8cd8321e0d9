"""Puts what happened into sentences: names for ids, then the catalogue.

It decides which words of an event are names, and what is said of the events that any game may have; what a
game says beside its sentences comes with its ruleset (``core.telling``). How a report is grouped is
``report``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from pbem.core.sequence import SETUP
from pbem.core.telling import HEADLINES, Args, Event, Telling
from pbem.text.when import capital, in_sentence
from pbem.text.words import Words

__all__ = ["Teller"]

_SIDES: Final = ("side", "seat", "winner")


class Teller:
    """Puts events into sentences: names for ids, then the catalogue."""

    def __init__(
        self, words: Words, names: Mapping[str, str], sides: Mapping[str, str], telling: Telling | None = None
    ) -> None:
        self._words, self._names, self._sides = words, names, sides
        self.telling = telling or Telling()

    def name(self, unit: object) -> str:
        """Return the name of a figure; what has none is called by its id."""
        return self._names.get(str(unit)) or str(unit)

    def side(self, side: object) -> str:
        """Return the name of a side or a seat."""
        return self._sides.get(str(side), str(side))

    def knows(self, key: str) -> bool:
        """Tell whether there is a phrase."""
        return self._words.knows("phrases", key)

    def phrase(self, key: str, **args: Any) -> str:
        """Return a phrase of the game's words."""
        return self._words.phrase(key, **args)

    def phase_title(self, began: Event | None, name: str) -> str:
        """Return the heading of a phase: whose, which, in which turn."""
        raw = str(began.get("phase", name)) if began else name
        last = next((part for part in reversed(raw.split(".")) if not part.isdigit()), raw)
        key = f"phase.{last}"
        title = (
            self._words.phrase(key)
            if self._words.knows("phrases", key)
            else last.replace("_", " ").replace("-", " ")
        )
        said = self._words.phrase(
            "report.phase",
            phase=title or self._words.phrase("report.other"),
            side=self.side(began.get("side", "")) if began else "",
            turn=began.get("turn") or "" if began and last != SETUP else "",
            step=began.get("turn") or "" if began and last == SETUP else "",
            day=began.get("day") or "" if began else "",
        )
        return capital(said)

    def matters(self, event: Event) -> bool:
        """Tell whether an event belongs into the list at the top."""
        return event["type"] in HEADLINES or self.telling.headlines(event)

    def lead(self, events: Sequence[Event]) -> str:
        """Return one sentence that says it all: what the game counts, else its headline."""
        counts = dict.fromkeys(self.telling.counts, 0)
        for event in events:
            if (name := self.telling.counted(event)) in counts:
                counts[name] += 1
        if any(counts.values()):
            return self.phrase("report.lead", **counts)
        headlines = [] if counts else [event for event in events if self.matters(event)]
        if not headlines:
            return self.phrase("report.lead-quiet")
        return self.phrase(
            "report.lead-told", said=self.sentence(headlines[0]), more=len(headlines) - 1 or ""
        )

    def sentence(self, event: Event, working: str = "") -> str:
        """Return an event in one sentence, with the reckoning of its roll if there is one."""
        kind = str(event["type"])
        args = self._args(event)
        if working:
            args["working"] = working
        elif args.get("roll") and args.get("result"):
            die = {name: args.get(name, "") for name in ("roll", "column", "result")}
            args["working"] = self.phrase("report.die-only", **die)  # its roll is not in the list
        common: Callable[[Args], None] | None = getattr(self, f"_args_{kind.lower()}", None)
        if common is not None:
            common(args)
        self.telling.every(self, args)
        if kind in self.telling.arguments:
            self.telling.arguments[kind](self, args)
        return capital(in_sentence(self._words.event(kind, args), self._sides.values()))

    def _args(self, event: Event) -> Args:
        args: Args = {}
        for key, value in event.items():
            if key in ("type", "n", "phase"):
                continue
            key = key.rstrip("_")
            if isinstance(value, list | tuple):
                value = [self._named(key, one) for one in value]
            elif key in _SIDES and isinstance(value, str):
                value = self.side(value)
            else:
                value = self._named(key, value)
            args[key] = value
        path = event.get("path")
        if isinstance(path, list | tuple) and path:
            args["start"], args["end"] = str(path[0]), str(path[-1])
            args["way"] = " ".join(str(place) for place in path)
            if len(path) == 1:
                args["way"] = args["end"] = ""
                args["stuck"] = str(path[0])
        if SETUP in str(event.get("phase", "")).split("."):
            args["setup"] = True
        if "problem" in event:
            self._problem(event["problem"], args)
        return args

    def _named(self, key: str, value: Any) -> Any:
        """Return a value as it is said: the id of a figure by its name, where it may be one."""
        figures = self.telling.figures
        if not isinstance(value, str) or (figures is not None and key not in figures):
            return value
        return self.name(value)

    def _problem(self, problem: object, args: Args) -> None:
        """Say why something came to nothing: a problem as a record, or its code with its
        arguments beside it.
        """
        if isinstance(problem, Mapping):
            args.setdefault("code", problem.get("code", ""))
            args.setdefault("rule", problem.get("rule", ""))
            args["args"] = problem.get("args", {})
        elif isinstance(problem, str):
            args.setdefault("code", problem)
        self._why(args)

    def _why(self, args: Args) -> None:
        given = args.get("args")
        args["why"] = self._words.problem(
            str(args.get("code", "")), given if isinstance(given, Mapping) else {}
        )

    # --- events that any game may have

    def _args_rolled(self, args: Args) -> None:
        """Say what a roll was about, where its name begins with a verb that has a phrase."""
        parts = [*str(args.get("label", "")).split("/"), "", "", ""]
        key = (
            f"roll.{parts[1]}-{parts[3]}" if self.knows(f"roll.{parts[1]}-{parts[3]}") else f"roll.{parts[1]}"
        )
        if self.knows(key):
            args["what"] = self.phrase(key, what=self.name(parts[2]), whom=self.name(parts[3]))
        else:
            args["what"] = self.phrase("report.roll", label=args.get("label", ""))

    def _args_chosen(self, args: Args) -> None:
        about, unit, by = str(args.get("about", "")), args.get("unit", ""), str(args.get("by", ""))
        key = f"about.{about}" if self.knows(f"about.{about}") else "about.other"
        args["what"] = self.phrase(key, about=about, unit=unit)
        args["decided"] = self.phrase(f"chosen.{by}") if self.knows(f"chosen.{by}") else by
        args["choice"] = ", ".join(self.name(one) for one in str(args.get("choice", "")).split(", "))

    def _args_orderskipped(self, args: Args) -> None:
        self._why(args)

    def _args_branchtaken(self, args: Args) -> None:
        args["answer"] = self.phrase("report.yes" if args.get("value") else "report.no")

    def _args_drawoffered(self, args: Args) -> None:
        args["act"] = self.phrase("report.offer-made" if args.get("open", True) else "report.offer-over")

    def _args_gameended(self, args: Args) -> None:
        drawn = args.get("winner") == "draw"
        args["outcome"] = self.phrase(
            "report.draw" if drawn else "report.victory", winner=args.get("winner", "")
        )
        key = f"over.{args.get('why', '')}"
        args["why"] = self.phrase(key, line=args.get("line", "")) if self.knows(key) else args.get("why", "")
        score = args.get("score")
        if isinstance(score, Mapping):
            score = sorted(score.items())
        if isinstance(score, list | tuple):
            args["score"] = [
                f"{self.side(row['side'])} {row['points']}"
                if isinstance(row, Mapping)
                else f"{self.side(row[0])} {row[1]}"
                for row in score
            ]
