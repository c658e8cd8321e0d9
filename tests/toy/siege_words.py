"""Letters and posts read in the words of a siege, as the referee reads those of a game of siege."""

from __future__ import annotations

from pbem.forum import reading
from pbem.forum.thread import Post
from pbem.post.lines.keys import reader
from pbem.post.lines.message import Found, Message
from pbem.post.orders import finding
from pbem.rulesets.siege.vocabulary import VOCABULARY

KEYS = reader(VOCABULARY)


def find(message: Message) -> Found:
    """Return what a letter asks for."""
    return finding.find(KEYS, message)


def found(post: Post, *names: str) -> Found:
    """Return what a post asks for."""
    return reading.found(KEYS, post, *names)
