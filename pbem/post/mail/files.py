"""The files that came with a letter: which of them can hold orders, what is in an archive, what a text says.

Nothing is written anywhere: an archive is looked into within fixed bounds, and only as far as its entries go
that could matter. Names become harmless. What a person would expect to be read and is not (a Word file, an
encrypted archive) is said.
"""

from __future__ import annotations

import re
import zlib
from io import BytesIO
from typing import TYPE_CHECKING, Final

from msgspec import Struct, field

from pbem.core.problem import Problem
from pbem.core.regex import regex
from pbem.post.lines.message import FILE, File, Line, Text
from pbem.post.mail import charsets, transfer
from pbem.text.markup import clean

if TYPE_CHECKING:
    from zipfile import ZipFile, ZipInfo

LONGEST: Final = 262_144
"""How many bytes a file may have: four times what an order file may."""
MOST: Final = 40
"""How many files of one letter are kept."""
ENTRIES: Final = 20
LINES: Final = 20_000
"""How many lines of one text are read."""

_WANTED: Final = regex(r"(?i)\.(?:ya?ml|txt|text|md|sig|asc|json)\Z")
_TEXTS: Final = frozenset(
    {
        "text/yaml",
        "text/x-yaml",
        "text/vnd.yaml",
        "application/yaml",
        "application/x-yaml",
        "application/vnd.yaml",
    }
)
_DOCUMENTS: Final = regex(
    r"(?i)\.(?:docx?|odt|rtf|pdf|pages|xlsx?|ods|numbers|7z|rar|gz|tgz|bz2|xz|tar|eml|msg|docm|wps)\Z"
)
_OTHERS: Final = frozenset(
    f"application/{kind}"
    for kind in (
        "pgp-signature",
        "pgp-keys",
        "pgp-encrypted",
        "pkcs7-signature",
        "x-pkcs7-signature",
        "applefile",
        "mac-binhex40",
    )
)
"""What is not a file of its sender's, whatever its name: signatures of the letter, and what a Mac adds to a
file.
"""
_OTHER_LETTER: Final = regex(
    rb"^(?:>|-{4,}|_{4,}|(?:From|Von|De|Da|Van) ?:|(?:On|Am|Le) .{5,200}:\r?$)", re.MULTILINE
)
_STORED, _DEFLATED = 0, 8
"""How entries may be packed; the other ways unpack without bounds."""
_BREAKS: Final = regex(r"\r\n|\n|\r")


class Bag(Struct):
    """The files kept so far, and what was wrong with others."""

    files: list[File] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    def say(self, code: str, **args: str | int) -> None:
        """Say what could not be read; the same only once."""
        problem = Problem(code, args)
        if problem not in self.problems and len(self.problems) < MOST:
            self.problems.append(problem)

    def add(self, name: str, data: bytes, charset: str = "", cut: bool = False) -> None:
        """Keep a file; ``cut``: its end did not arrive."""
        if len(self.files) >= MOST:
            self.say("mail.too-many-files", limit=MOST)
        elif len(data) > LONGEST:
            self.say("mail.file-too-big", name=name, limit=LONGEST // 1024)
        else:
            text = _text(name, data, charset, cut)
            if text is None and not name.lower().endswith((".sig", ".asc")):
                self.say("mail.file-no-text", name=name)
            self.files.append(File(name, data, text))


def offer(bag: Bag, name: str, kind: str, data: bytes, charset: str = "", cut: bool = False) -> None:
    """Keep a file if it can hold orders or a signature; look into it if it is an archive; else leave it."""
    name = harmless(name)
    if kind in _OTHERS and not name.lower().endswith(".sig"):
        return
    if kind in _TEXTS or kind == "text/plain" or _WANTED.search(name):
        bag.add(name or ("unnamed.yaml" if kind in _TEXTS else "unnamed.txt"), data, charset, cut)
    elif name.lower().endswith(".zip") or (
        data.startswith(b"PK\x03\x04") and kind in ("application/zip", "application/x-zip-compressed")
    ):
        _unzip(bag, name or "unnamed.zip", data)
    elif _DOCUMENTS.search(name):
        bag.say("mail.file-kind", name=name)


def wanted(name: str) -> bool:
    """Tell whether a file of that name can hold orders."""
    return bool(_WANTED.search(harmless(name)))


def harmless(name: str) -> str:
    """Return the name of a file without folders and hidden signs, and not too long to be shown."""
    last = re.split(r"[/\\]", clean(name[-1_000:]))[-1].strip(" .\"'<>|?*:")
    return last if len(last) <= 100 else last[:80] + "…" + last[-19:]


def _text(name: str, data: bytes, charset: str, cut: bool) -> Text | None:
    """Return what a file says, or ``None`` where it is no text."""
    text, assumed = charsets.decode(data, charset)
    if "\0" in text:
        return None
    pieces = lines_of(text)
    if len(pieces) > LINES:
        return None
    return Text(FILE, numbered(pieces), name, assumed=assumed, cut=cut)


def lines_of(text: str) -> list[str]:
    """Return the lines of a text as a person counts them."""
    pieces = _BREAKS.split(text)
    if pieces and not pieces[-1]:
        pieces.pop()
    return pieces


def numbered(pieces: list[str]) -> tuple[Line, ...]:
    """Return lines that nobody quoted."""
    return tuple(Line(text, number) for number, text in enumerate(pieces, 1))


def _unzip(bag: Bag, name: str, data: bytes) -> None:
    """Keep what an archive holds that can be orders; each entry is read up to the limit and not a byte
    further.
    """
    if data.count(b"PK\x01\x02") > 10 * ENTRIES:
        bag.say("mail.zip-too-many", name=name, limit=ENTRIES)
        return
    from zipfile import BadZipFile, ZipFile

    try:
        with ZipFile(BytesIO(data)) as archive:
            entries = [
                entry for entry in archive.infolist() if not entry.is_dir() and not _is_debris(entry.filename)
            ]
            if len(entries) > ENTRIES:
                bag.say("mail.zip-too-many", name=name, limit=ENTRIES)
                return
            for entry in entries:
                _unzip_one(bag, name, archive, entry)
    except (
        BadZipFile,
        zlib.error,
        EOFError,
        OSError,
        ValueError,
        RuntimeError,
        NotImplementedError,
        OverflowError,
        LookupError,
    ):
        bag.say("mail.zip-broken", name=name)
    except Exception:  # the library trips over broken directories in ways of its own
        bag.say("mail.zip-broken", name=name)


def _is_debris(path: str) -> bool:
    """Tell whether an entry is what a Mac adds."""
    return (
        "__MACOSX" in path
        or path.rpartition("/")[2] in (".DS_Store", "Thumbs.db", "desktop.ini")
        or "/._" in "/" + path
    )


def _unzip_one(bag: Bag, archive_name: str, archive: ZipFile, entry: ZipInfo) -> None:
    parts = [part for each in re.split(r"[/\\]", entry.filename[-1_000:]) if (part := harmless(each))]
    name = "/".join([archive_name, *parts[-2:]])
    if (entry.external_attr >> 16) & 0o170000 == 0o120000:
        bag.say("mail.zip-link", name=name)
    elif entry.flag_bits & 1:
        bag.say("mail.zip-encrypted", name=archive_name)
    elif name.lower().endswith(".zip"):
        bag.say("mail.zip-nested", name=name)
    elif not _WANTED.search(name):
        if _DOCUMENTS.search(name):
            bag.say("mail.file-kind", name=name)
    elif entry.compress_type not in (_STORED, _DEFLATED):
        bag.say("mail.zip-broken", name=archive_name)  # the other methods unpack without bounds
    else:
        with archive.open(entry) as stream:
            data = stream.read(LONGEST + 1)
        if len(data) > LONGEST:
            bag.say("mail.zip-bomb", name=name, limit=LONGEST // 1024)
        else:
            bag.add(name, data)


def within(bag: Bag, text: bytes) -> None:
    """Keep the files that stand uuencoded within a text, above anything that looks like another letter."""
    other = _OTHER_LETTER.search(text)
    for name, data in transfer.uuencoded(text[: other.start()] if other else text):
        plain = charsets.decode(name)[0]
        if wanted(plain):
            bag.add(harmless(plain), data)
