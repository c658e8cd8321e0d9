"""Whether two names of accounts are the same, and whether one only looks like another.

Forums tell capitals and spaces apart no better than people do, so these make no difference; everything else
does. A name that is not the same and looks the same (letters of another script, wide or accented ones, ``rn``
for ``m``, a full stop more) is never taken for it: that is how somebody is impersonated.
"""

from __future__ import annotations

import unicodedata
from typing import Final

__all__ = ["known_as", "skeleton"]

_LONGEST: Final = 200
_LIKE: Final = {
    **dict(zip("авеёзикмнорстухѕіјԁһԛԝьցոսպօԍґ", "abeezukmhopctyxsijdhqwbgnuwoгr", strict=True)),
    **dict(zip("αβγεζηικμνορτυχωϲϳ", "abyeznikuvoptuxwcj", strict=True)),
    **dict(zip("ıłøđħŧßæœðþɑɡɩʀⅼ", "ilodhtbaodpagirl", strict=True)),
    "0": "o",
    "1": "l",
    "i": "l",
    "j": "l",
    "3": "e",
    "5": "s",
    "8": "b",
    "|": "l",
    "!": "l",
    "$": "s",
    "@": "a",
}
_PAIRS: Final = (("rn", "m"), ("vv", "w"), ("cl", "d"))


def known_as(name: str) -> str:
    """Return what makes a name the same as another: the name in small letters, its spaces single."""
    return " ".join(unicodedata.normalize("NFC", name[:_LONGEST]).split()).casefold()


def skeleton(name: str) -> str:
    """Return what a name looks like: names that a reader may take for each other have the same."""
    text = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", name[:_LONGEST]).casefold())
    seen = "".join(_LIKE.get(letter, letter) for letter in text)
    seen = "".join(_LIKE.get(letter, letter) for letter in seen if letter.isalnum())
    for pair, one in _PAIRS:
        seen = seen.replace(pair, one)
    return seen
