"""Changes pages of the corpus by chance, as themes, add-ons, browsers and archives change pages, and as
damage does.

Most ways leave the words of each post as they are, so what has to be found stays the same; ``DAMAGE`` takes
tags away, after which a post may be refused, but nobody's orders may become somebody else's.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from random import Random

from making_pages import Page
from msgspec.structs import replace

Mutate = Callable[[Page, Random], Page | None]
_TAG = re.compile(r"<([a-z][a-z0-9]*)((?:\s+[a-z-]+(?:=(?:\"[^\"<>]*\"|'[^'<>]*'))?)+)\s*(/?)>")
_ATTRIBUTE = re.compile(r"([a-z-]+)(?:=(\"[^\"<>]*\"|'[^'<>]*'))?")


def _html(one: Page) -> str | None:
    if not one.name.endswith(".html"):
        return None
    return one.raw.decode("windows-1252" if b"windows-1252" in one.raw[:300] else "utf-8")


def _with(one: Page, text: str) -> Page:
    return replace(
        one, raw=text.encode("windows-1252" if "windows-1252" in text[:300] else "utf-8", "xmlcharrefreplace")
    )


def attributes_shuffled(one: Page, draw: Random) -> Page | None:
    """Write the attributes of each tag in another order."""
    if (text := _html(one)) is None:
        return None

    def shuffled(found: re.Match[str]) -> str:
        said = [f"{name}={value}" if value else name for name, value in _ATTRIBUTE.findall(found[2])]
        draw.shuffle(said)
        return f"<{found[1]} {' '.join(said)}{' /' if found[3] else ''}>"

    return _with(one, _TAG.sub(shuffled, text))


def wrapped(one: Page, draw: Random) -> Page | None:
    """Put frames of a theme around the body of the page."""
    if (text := _html(one)) is None:
        return None
    names = draw.sample(
        (
            "container",
            "p-wrap",
            "skin-outer",
            "row",
            "col-md-9",
            "content-wrapper",
            "uix_contentWrapper",
            "deck",
        ),
        3,
    )
    opened = "".join(f'<div class="{name}" id="{name}1">' for name in names)
    text = re.sub(r"(<body[^>]*>)", lambda found: found[1] + opened, text, count=1)
    return _with(one, text.replace("</body>", "</div>" * 3 + "</body>"))


def classes_added(one: Page, draw: Random) -> Page | None:
    """Add the classes of a theme to every element."""
    if (text := _html(one)) is None:
        return None
    more = draw.choice(("theme-x", "js-ready", "is-visible u-clear", "lazyloaded"))
    return _with(
        one,
        re.sub(
            r'(?<=<)((?:div|li|article|table|td|span|ol|ul|section)[^<>]*?\sclass=")',
            lambda found: f"{found[1]}{more} ",
            text,
        ),
    )


def archived(one: Page, draw: Random) -> Page | None:
    """Put the bar and the comments of an archive around the page, and its address in front
    of every address.
    """
    if (text := _html(one)) is None:
        return None
    bar = (
        '<!-- BEGIN WAYBACK TOOLBAR INSERT --><div id="wm-ipp-base" lang="en" '
        'style="display:none;direction:ltr;"><div id="wm-ipp"><form><input type="text" '
        'value="http://boards.example/"></form><table><tr><td>NOV</td><td>20</td></tr></table></div></div><!-- END WAYBACK TOOLBAR INSERT -->'
    )
    text = re.sub(r'(href|src)="(https?://)', r'\1="https://web.archive.org/web/20261121000000/\2', text)
    text = re.sub(r"(<body[^>]*>)", lambda found: found[1] + bar, text, count=1)
    return _with(
        one,
        text
        + "<!--\n     FILE ARCHIVED ON 00:00:00 Nov 21, 2026 AND RETRIEVED FROM THE INTERNET ARCHIVE\n-->\n",
    )


def advertised(one: Page, draw: Random) -> Page | None:
    """Put advertisements between the posts, and into their frames."""
    if (text := _html(one)) is None:
        return None
    ad = (
        '<div class="adsbygoogle ad-slot"><script>push({})</script><ins class="adsbygoogle" '
        'style="display:block"></ins>Buy our swords</div>'
    )
    spots = [
        found.start()
        for found in re.finditer(
            r"<(?:article class=\"message |li id=\"post|div id=\"p\d|li component=\"post\"|hr "
            r"class=\"divider)",
            text,
        )
    ]
    if not spots:
        return None
    spot = draw.choice(spots)
    return _with(one, text[:spot] + ad + text[spot:])


def saved_by_a_browser(one: Page, draw: Random) -> Page | None:
    """Write the page as a browser that saves it does: scripts gone, addresses of a folder beside it, tags
    closed.
    """
    if (text := _html(one)) is None:
        return None
    text = re.sub(r"<script\b.*?</script>", "", text, flags=re.DOTALL)
    text = re.sub(r'src="(?!data:)[^"]*/([^"/]*)"', r'src="./Thread_files/\1"', text)
    text = text.replace("<br />", "<br>").replace(" />", ">")
    return _with(
        one,
        text.replace(
            "<html", "<!-- saved from url=(0054)https://boards.example/threads/alder-ford.812/ -->\n<html", 1
        ),
    )


def spaces_changed(one: Page, draw: Random) -> Page | None:
    """Put line ends and blanks between tags, outside of code."""
    if (text := _html(one)) is None:
        return None
    pieces = re.split(r"(<pre.*?</pre>|<script.*?</script>)", text, flags=re.DOTALL)
    return _with(
        one,
        "".join(
            piece if at % 2 else re.sub(r"(?<=</div>)(?=<)|(?<=</td>)(?=<)", "\n\t\t", piece)
            for at, piece in enumerate(pieces)
        ),
    )


def line_ends_of_windows(one: Page, draw: Random) -> Page | None:
    """End all lines with CR LF."""
    return (
        replace(one, raw=one.raw.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"))
        if not one.name.endswith(".json")
        else None
    )


def in_utf16(one: Page, draw: Random) -> Page | None:
    """Save the page as Notepad might."""
    if (text := _html(one)) is None:
        return None
    return replace(one, raw=text.encode("utf-16"))


def wrongly_declared(one: Page, draw: Random) -> Page | None:
    """Say that a page in UTF-8 is in another character set."""
    if (text := _html(one)) is None or "windows-1252" in text[:300]:
        return None
    return replace(one, raw=text.replace('charset="utf-8"', 'charset="iso-8859-1"', 1).encode())


def in_capitals(one: Page, draw: Random) -> Page | None:
    """Write the names of tags in capitals."""
    if (text := _html(one)) is None:
        return None
    return _with(
        one, re.sub(r"(</?)([a-z][a-z0-9]*)(?=[\s>/])", lambda found: found[1] + found[2].upper(), text)
    )


def twice_the_same(one: Page, draw: Random) -> Page | None:
    """Let a copy of the page follow."""
    if (text := _html(one)) is None or "print" in one.name:
        return None
    inside = re.search(r"<body[^>]*>(.*)</body>", text, re.DOTALL)
    return _with(one, text.replace("</body>", inside[1] + "</body>", 1)) if inside else None


def tags_dropped(one: Page, draw: Random) -> Page | None:
    """Lose the tags that close some blocks."""
    return _damaged(
        one, draw, lambda text, spot: text[: spot[0]] + text[spot[1] :], r"</(?:div|span|p|li|td)>"
    )


def tags_doubled(one: Page, draw: Random) -> Page | None:
    """Close some inline elements twice."""
    return _damaged(
        one,
        draw,
        lambda text, spot: text[: spot[1]] + text[spot[0] : spot[1]] + text[spot[1] :],
        r"</(?:span|a|b|strong|em|i)>",
    )


def _damaged(
    one: Page, draw: Random, change: Callable[[str, tuple[int, int]], str], pattern: str
) -> Page | None:
    if (text := _html(one)) is None:
        return None
    for _ in range(draw.randint(1, 3)):
        spots = [found.span() for found in re.finditer(pattern, text)]
        if not spots:
            return None
        text = change(text, draw.choice(spots))
    return _with(one, text)


WAYS: tuple[Mutate, ...] = (
    attributes_shuffled, wrapped, classes_added, archived, advertised, saved_by_a_browser, spaces_changed, line_ends_of_windows, in_utf16, wrongly_declared, in_capitals,
    twice_the_same, tags_doubled,
)  # fmt: skip
DAMAGE: tuple[Mutate, ...] = (tags_dropped,)


def mutants(
    pages: Sequence[Page], count: int, seed: int = 20_261_121, ways: Sequence[Mutate] = WAYS
) -> Iterator[Page]:
    """Yield pages changed by one or two ways, the same ones each time."""
    draw = Random(seed)
    made = 0
    while made < count:
        one = draw.choice(pages)
        first = draw.choice(ways)
        changed = first(one, draw)
        if changed is None:
            continue
        name = f"{first.__name__} {one.name}"
        if draw.random() < 0.4 and first is not in_utf16:
            second = draw.choice(ways)
            again = second(changed, draw)
            changed, name = (
                (again, f"{first.__name__} {second.__name__} {one.name}")
                if again is not None
                else (changed, name)
            )
        yield replace(changed, name=name)
        made += 1
