"""A player who has never seen the game and has nothing but the plain text of its letters: she copies it, and
puts names in.
"""

from __future__ import annotations

import re
from textwrap import dedent

from msgspec import Struct, field

NOW, MEN = "What you can send now", "Your men"
ROW = re.compile(r"(?P<name>[a-z][\w-]*) +(?P<hex>[-\d]\S*(?: \d{4})?) +(?P<values>[\d-]+) +\S")
GOES = re.compile(r"\d+ points? to move, for instance to (\d{4})(?! facing)\b")
SHOOTS = re.compile(r"could shoot at ([\w-]+)")
ATTACKS = re.compile(r"could attack ([\w-]+)")
LUCK = re.compile(r"^ *\| (luck:.*)$", re.MULTILINE)
FINAL = re.compile(r"^ *\| (final:.*)$", re.MULTILINE)


class Newcomer(Struct):
    """What she writes from one letter."""

    text: str
    sections: dict[str, list[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        lines = [line.rstrip() for line in self.text.splitlines()]
        title = ""
        for line, below in zip(lines, [*lines[1:], ""], strict=True):
            if below and set(below) <= {"-"} and len(below) >= len(line) > 0:
                title = line
            elif title and not (line and set(line) <= {"-"}):
                self.sections.setdefault(title, []).append(line)

    def orders(self) -> dict[str, list[str]]:
        """Return the sections of her file: the lines of the letter as they are, then lines like them for her
        other men.
        """
        found: dict[str, list[str]] = {}
        heading = ""
        for line in self.sections.get(NOW, ()):
            if line.lstrip().startswith("| "):
                copied = line.lstrip()[2:]
                heading = copied if not copied.startswith((" ", "-")) else heading
                found.setdefault(heading, [])
                if copied != heading:
                    found[heading].append(copied)
        self._alike(found)
        return found

    def _alike(self, found: dict[str, list[str]]) -> None:
        said = "\n".join(line for lines in found.values() for line in lines)
        for name, note in self.men().items():
            if re.search(rf"\b{re.escape(name)}\b", said) or "setup:" in found:
                continue
            if (shot := SHOOTS.search(note)) and "shoot:" in found:
                found["shoot:"].append(f"- {name} at {shot[1]}")
            elif (foe := ATTACKS.search(note)) and "fight:" in found and f"attacks {foe[1]}" not in said:
                found["fight:"].append(f"- {name} attacks {foe[1]}")
            elif (way := GOES.search(note)) and "move:" in found and f"to {way[1]}" not in said:
                found["move:"].append(f"- {name} to {way[1]}")
            said = "\n".join(line for lines in found.values() for line in lines)

    def men(self) -> dict[str, str]:
        """Return her men with what the letter says of each."""
        found: dict[str, str] = {}
        name = ""
        for line in self.sections.get(MEN, ()):
            if row := ROW.match(line):
                name = row["name"]
                found[name] = ""
            elif name and line.startswith("  "):
                found[name] += " " + line.strip()
        return found

    def written(self, luck: str) -> str:
        """Return what she sends: her file, and the line that the letter asks for: words of hers, or that this
        is all.
        """
        lines = [line for heading, entries in self.orders().items() for line in (heading, *entries)]
        if LUCK.search(self.text):
            lines.append(f"luck: {luck}")
        elif says := FINAL.search(self.text):
            lines.append(says[1])
        return dedent("\n".join(lines)) + "\n"
