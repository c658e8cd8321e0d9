"""Which letters of ours a letter answers, told by their names (``Message-ID``): ``<turn-GAME-s0007-west@…>``
and the like.
"""

from __future__ import annotations

from typing import Final

from pbem.core.regex import regex
from pbem.post.lines.message import Answered, Message

__all__ = ["answers"]

_OURS: Final = regex(
    r"<(?P<kind>turn|remind|go)-(?P<game>[a-z0-9][a-z0-9-]{0,47})-s(?P<slot>[0-9]{4,6})-(?:(?:orders"
    r"|go)-)?(?P<seat>[a-z][a-z0-9]{0,15})@[^<>]{1,250}>"
)


def answers(message: Message) -> tuple[Answered, ...]:
    """Return the letters of ours that a letter names, that it answers first, each once; other letters are
    none of ours.
    """
    found: dict[Answered, None] = {}
    for id_ in (message.in_reply_to, *reversed(message.references)):
        if (one := _OURS.fullmatch(id_)) is not None:
            found[Answered(one["kind"], one["game"], int(one["slot"]), one["seat"])] = None
    return tuple(found)
