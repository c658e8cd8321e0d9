"""Themes: which looks a map can be drawn in, by name. What each colour is called stands in ``palette``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Theme:
    """One look of a map; a value, so that it can stand in the key of a kept picture."""

    name: str


PARCHMENT: Final = Theme("parchment")
THEMES: Final[Mapping[str, Theme]] = {theme.name: theme for theme in (PARCHMENT,)}
"""Name -> theme; the first is the one that is used unless another is named."""


def theme_of(name: str) -> Theme:
    """Return the theme of a name; KeyError where there is none."""
    return THEMES[name]
