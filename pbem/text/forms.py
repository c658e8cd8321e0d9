"""What a written value looks like beyond its type, said where the type is said.

``Id = Annotated[str, Form("id", pattern="^[a-z]+$")]`` is a type like ``str`` for the program and for
``codec``, which hold to the type alone; ``text.schemas`` makes the definition ``id`` of it, for editors and
for whoever reads the files of a game.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class Form:
    """Keywords of JSON Schema for a type; with a name they stand once, as a definition, else wherever the
    type is used.

    One that is ``explained`` gets more of them from the ruleset when the schema is made: words that grow with
    what is in force.
    """

    __slots__ = ("explained", "keywords", "name")

    def __init__(self, name: str = "", *, explained: bool = False, **keywords: Any) -> None:
        self.name = name
        self.explained = explained
        self.keywords: Mapping[str, Any] = keywords
