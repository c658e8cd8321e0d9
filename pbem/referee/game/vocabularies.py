"""The words of a game, as letters, posts and files are read by them; and which words those are before it is
known whose a letter is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pbem.core.vocabulary import together
from pbem.post.lines.keys import Keys, reader
from pbem.referee.game.game import Game
from pbem.rulesets import UnknownRuleset, catalogue, find

__all__ = ["keys_of", "keys_of_all", "keys_of_ruleset", "keys_of_rulesets"]


def keys_of(game: Game) -> Keys:
    """Return the words of a game with its modules and options in force; Refused where its
    rules are not here.
    """
    return reader(game.ground.rules.vocabulary)


def keys_of_all(games: Iterable[Game]) -> Keys:
    """Return the words of several games together: enough to find out whose a letter is, which is then read by
    those of its game.
    """
    return reader(together(game.ground.rules.vocabulary for game in games))


def keys_of_ruleset(manifest: Mapping[str, Any]) -> Keys:
    """Return the words of the ruleset that a manifest names; those of every ruleset where it is not here."""
    named = manifest["ruleset"]
    try:
        return reader(find(named["id"], named["revision"]).vocabulary)
    except UnknownRuleset:
        return keys_of_rulesets()


def keys_of_rulesets() -> Keys:
    """Return the words of every ruleset there is, for letters and posts of nobody knows which game."""
    return reader(
        together(
            rules.vocabulary for _, revisions in sorted(catalogue().items()) for rules in revisions.values()
        )
    )
