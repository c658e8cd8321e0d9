"""How deep a page is nested, counted before anybody builds a tree of it.

Building a tree takes time with the square of its depth, and elements for bold or coloured words that nobody
closes are repeated in each paragraph below. So both are counted first, in one pass, never too low; a page
beyond the limits is not read at all.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

from pbem.post.html import htmltokens

DEEPEST: Final = 8_000
"""Elements within one another: a thousand quotations within one another have six thousand at most."""
MOST_TAGS: Final = 1_500_000
_REPEATED: Final = 2_000_000
_PATIENCE: Final = 200
"""So many words set in bold or colour may be open before their repetitions count."""
_FORMATS: Final = frozenset(
    {"a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u"}
)
_SHALLOW: Final = frozenset(
    {"p", "li", "td", "th", "tr", "dd", "dt", "option", "optgroup", "tbody", "thead", "tfoot", "rt", "rp"}
)
"""These close one another."""
_TEXTS: Final = frozenset({"script", "style", "title", "textarea", "xmp", "iframe", "noembed", "noframes"})
"""No tag is read in these."""
_VOID: Final = frozenset(
    {
        "area",
        "base",
        "basefont",
        "br",
        "col",
        "embed",
        "frame",
        "hr",
        "img",
        "input",
        "keygen",
        "link",
        "meta",
        "param",
        "source",
        "track",
        "wbr",
    }
)


def too_deep(page: str) -> bool:
    """Tell whether a page is nested too deeply, or has too many tags."""
    if page.count("<") < _PATIENCE:
        return False
    opened: Counter[str] = Counter()
    deep = formats = repeated = 0
    for kind, name, _ in htmltokens.tokens(page, MOST_TAGS, _TEXTS):
        if kind == htmltokens.CUT:
            return True
        if kind == htmltokens.OPEN:
            repeated += max(0, formats - _PATIENCE)
            if name not in _VOID and name not in _SHALLOW:
                opened[name] += 1
                deep += 1
                formats += name in _FORMATS
        elif kind == htmltokens.CLOSE and opened[name] > 0:
            opened[name] -= 1
            deep -= 1
            formats -= name in _FORMATS
        if deep > DEEPEST or repeated > _REPEATED:
            return True
    return False
