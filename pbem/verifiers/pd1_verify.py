#!/usr/bin/env python3
"""Check the dice of a game by mail, from its archive alone: the independent verifier of the protocol pd1.

    python3 pd1_verify.py ARCHIVE                    a zip or a folder: what holds, what does not, who could
    have known the dice python3 pd1_verify.py ARCHIVE --die LABEL        one die, from the signed values to
    its face python3 pd1_verify.py ARCHIVE --with OTHER       are two copies one history? python3
    pd1_verify.py ARCHIVE --mine FOLDER      is what I sent and got in it, and is my key mine?

On Windows: py pd1_verify.py ARCHIVE. One file, standard library only, Python 3.9 or later; no part of the
program that wrote the archive is used. It proves that these values belong to these labels. That they were the
right labels, and that a slot stopped where it had to, only the rules can say: they are not played again here.
Exit: 0 all of this holds, 1 something does not, 2 wrong usage, 3 cannot decide.
"""

from __future__ import annotations

import argparse
import base64
import binascii
import bisect
import contextlib
import datetime
import hashlib
import hmac
import importlib.util
import itertools
import json
import os
import re
import stat
import struct
import sys
import unicodedata
import zlib
from collections.abc import Callable, Iterator
from typing import Any, NoReturn

MIB = 1 << 20
FILE_LIMIT = 16 * MIB
Json = dict[str, Any]


class Stop(Exception):
    """The ledger cannot be read beyond this point."""


class Unread(Exception):
    """Not an archive that is read at all."""


class Malformed(Exception):
    """Bytes that are not what they should be."""


# ---- the archive: a zip or a folder, nothing is ever unpacked; what is not of the game is passed over ----

SLOTS = "(?:000[1-9]|00[1-9][0-9]|0[1-9][0-9]{2}|[1-9][0-9]{3}|10000)"
RECORD = re.compile(
    f"ledger/[0-9]{{5}}-(s{SLOTS}-)?(manifest|start|lock|result|undo|rekey|time|word|rule|correct)[.]json"
)
RECEIPT = re.compile(f"receipts/s{SLOTS}-[a-z][a-z0-9]{{0,15}}-[0-9a-f]{{16}}[.]json")
GO = re.compile(f"seats/[a-z][a-z0-9]{{0,15}}/go-s{SLOTS}[.]json")
PAPER = re.compile(
    f"seats/[a-z][a-z0-9]{{0,15}}/(join[.]json|consent-[0-9a-f]{{16}}[.]json|orders-s{SLOTS}[.]txt)"
)
MADE = re.compile(f"rolls/s{SLOTS}[.]jsonl|state/s(0000|{SLOTS})[.]json|keys/allowed_signers")
PRIVATE = ("mail", "outbox", "forum", "game.toml", "told.json", "aside")
KINDS = ("scenario", "tables", "ledger", "seats", "rolls", "receipts", "state", "keys")


def protocol(name: str) -> bool:
    """Tell whether a name is one of the protocol's own: a signed file or its signature, a
    roll log, a state.
    """
    signed = name[:-4] if name.endswith(".sig") else name
    return any(form.fullmatch(signed) for form in (RECORD, RECEIPT, GO, PAPER)) or bool(MADE.fullmatch(name))


def roof(name: str) -> int:
    """Return how large a file of this name may be."""
    if name.endswith(".sig"):
        return 4096
    papers = name.endswith(".json") and name.split("/")[0] in ("seats", "receipts")
    return 65_536 if papers else MIB if name.startswith("ledger/") else FILE_LIMIT


def skipped(name: str) -> bool:
    """Tell whether a name is hidden, left behind by a system, or beyond all measure."""
    parts = name.split("/", 17)
    return len(name) > 400 or len(parts) > 16 or any(part[:1] == "." or part == "__MACOSX" for part in parts)


def cleaned(name: str) -> tuple[str, bool]:
    """Return the name of an entry of a zip as others write it, and whether it is a folder; Unread if it leads
    elsewhere.
    """
    given = name.replace("\\", "/")
    parts = [part for part in given.split("/") if part and part != "."]
    if given[:1] == "/" or ".." in parts or re.match("[A-Za-z]:", given):
        raise Unread(f"a name that leads elsewhere: {name!r:.80}")
    return "/".join(parts), given[-1:] == "/" or not parts


def inside(names: list[str]) -> str:
    """Return the folder of the game in an archive, with its last slash: the highest that has a ledger."""
    ends = ((name, "/".join(name.split("/")[-2:])) for name in names)
    tops = {name[: len(name) - len(end)] for name, end in ends if RECORD.fullmatch(end)}
    high = sorted((top.count("/"), top) for top in tops)
    if len(high) > 1 and high[0][0] == high[1][0]:
        raise Unread(f"several games: {high[1][1]!r:.80}")
    return high[0][1] if high else ""


class Folder:
    """A game in a folder: plain files only, without what is hidden, private or a link."""

    def __init__(self, root: str) -> None:
        self.root = root
        self.names = sorted(self._below())

    def _below(self) -> Iterator[str]:
        left = [""]
        while left:
            try:
                found = list(os.scandir(os.path.join(self.root, above := left.pop())))
            except OSError:
                continue
            for item in found:
                name = above + item.name
                if skipped(name) or name in PRIVATE or item.is_symlink():
                    continue
                if item.is_dir(follow_symlinks=False):
                    left.append(name + "/")
                elif item.is_file(follow_symlinks=False):
                    yield name

    def read(self, name: str) -> bytes | None:
        """Return a file that is not too large, or None."""
        place = self.root
        parts = name.split("/")
        if parts[0] in PRIVATE or any(
            part in ("", "..") or part[0] == "." or re.search('[\x00-\x1f\\\\:<>"|?*]', part)
            for part in parts
        ):
            return None
        try:
            for part in parts:
                place = os.path.join(place, part)
                if os.path.islink(place):
                    return None
            if not os.path.isfile(place) or os.path.getsize(place) > roof(name):
                return None
            with open(place, "rb") as file:
                return file.read()
        except OSError:
            return None


class Zip:
    """A game in one zip: refused as a whole if it could do harm, then read file by file, each as its
    directory has it.
    """

    def __init__(self, path: str) -> None:
        if os.path.getsize(path) > 64 * MIB:
            raise Unread("too big")
        with open(path, "rb") as file:
            self.bytes = file.read()
        every: dict[str, tuple[Any, ...]] = {}
        above: set[str] = set()
        swollen = 0
        for item in self._directory():
            name, folder = cleaned(item[0])
            if skipped(name):
                continue
            if folder:
                above.add(name)
                continue
            flags, method, packed, plain, mode = item[2], item[3], item[5], item[6], item[7]
            swollen += plain
            if name in every:
                raise Unread(f"a name twice: {name!r:.80}")
            if stat.S_ISLNK(mode) or flags & 0x2041:
                raise Unread(f"a link, or locked with a password: {name!r:.80}")
            if flags & 0x20 or method not in (0, 8):
                raise Unread(f"packed in a way that not every reader knows: {name!r:.80}")
            if plain > FILE_LIMIT or swollen > 256 * MIB:
                raise Unread("too big")
            if plain > MIB and plain > 200 * max(1, packed):
                raise Unread(f"swells out of all proportion: {name!r:.80}")
            every[name] = item
            above.update("/".join(name.split("/")[:depth]) for depth in range(1, name.count("/") + 1))
        if above & set(every):
            raise Unread(f"a name twice: {min(above & set(every))!r:.80}")
        top = inside(list(every))
        self.items = {name[len(top) :]: item for name, item in every.items() if name.startswith(top)}
        self.names = sorted(name for name in self.items if name.split("/")[0] not in PRIVATE)
        packages = [name for name in every if name.lower().endswith(".zip")]
        if packages and not any(RECORD.fullmatch(name) for name in self.names):
            raise Unread(f"another archive is in it, and no game: unpack {packages[0]!r:.80}")

    def _directory(self) -> Iterator[tuple[Any, ...]]:
        """Yield name, its bytes, flags, method, checksum, packed and plain size, mode and place of each
        entry, of at most 20,000.
        """
        data = self.bytes
        end = data.rfind(b"PK\x05\x06", max(0, len(data) - 65_557), max(0, len(data) - 18))
        if end < 0:
            cut = data[:4] in (b"", b"PK\x03\x04")
            raise Unread(
                "cut off, its end is missing: ask for it again" if cut else "no zip, or a broken one"
            )
        size, start = struct.unpack_from("<LL", data, end + 12)
        if end >= 76 and data[end - 20 : end - 16] == b"PK\x06\x07":
            end -= 76
            if data[end : end + 4] != b"PK\x06\x06":
                raise Unread("no zip, or a broken one")
            size, start = struct.unpack_from("<QQ", data, end + 40)
        if start == 0xFFFFFFFF:
            start = end - size
        if size > end or start > end - size:
            raise Unread("no zip, or a broken one")
        shift, at = end - size - start, end - size
        for count in itertools.count(1):
            if at >= end:
                return
            if at + 46 > end or data[at : at + 4] != b"PK\x01\x02":
                raise Unread("no zip, or a broken one")
            if count > 20_000:
                raise Unread("more than 20,000 files")
            flags, how, _, crc, packed, plain, long, more, note, _, _, mode, begin = struct.unpack_from(
                "<HHLLLLHHHHHLL", data, at + 8
            )
            name, extra = data[at + 46 : at + 46 + long], data[at + 46 + long : at + 46 + long + more]
            at += 46 + long + more + note
            if at > end:
                raise Unread("no zip, or a broken one")
            if 0xFFFFFFFF in (plain, packed, begin):
                plain, packed, begin = self._wide(extra, [plain, packed, begin])
            try:
                yield (
                    name.decode("utf-8" if flags & 0x800 else "cp437"),
                    name,
                    flags,
                    how,
                    crc,
                    packed,
                    plain,
                    mode >> 16,
                    begin + shift,
                )
            except UnicodeDecodeError:
                raise Unread("no zip, or a broken one") from None

    @staticmethod
    def _wide(extra: bytes, sizes: list[int]) -> list[int]:
        """Return sizes with those of 64 bits that the field 1 has for them, by turns."""
        while len(extra) >= 4:
            kind, length = struct.unpack("<HH", extra[:4])
            if kind == 1:
                wide = (
                    [
                        int.from_bytes(extra[place : place + 8], "little")
                        for place in range(4, 4 + length - 7, 8)
                    ]
                    if len(extra) >= 4 + length
                    else []
                )
                return [wide.pop(0) if size == 0xFFFFFFFF and wide else size for size in sizes]
            extra = extra[4 + length :]
        return sizes

    def read(self, name: str) -> bytes | None:
        """Return a file, or None where there is none, it is too large, or it is not what the directory says
        it is.
        """
        if name not in self.items or self.items[name][6] > roof(name):
            return None
        _, raw, _, how, crc, packed, plain, _, at = self.items[name]
        head = self.bytes[at : at + 30]
        if len(head) < 30 or head[:4] != b"PK\x03\x04":
            return None
        long, more = struct.unpack("<HH", head[26:])
        body = self.bytes[at + 30 + long + more : at + 30 + long + more + packed]
        if self.bytes[at + 30 : at + 30 + long] != raw:
            return None
        if how:
            flow = zlib.decompressobj(-15)
            try:
                body = flow.decompress(body, plain + 1)
            except zlib.error:
                return None
            if not flow.eof or flow.unused_data:
                return None
        return body if len(body) == plain and zlib.crc32(body) == crc else None


class Memory:
    """A game held in memory: names and bytes."""

    def __init__(self, files: dict[str, bytes]) -> None:
        self.files = files
        self.names = sorted(files)

    def read(self, name: str) -> bytes | None:
        """Return a file that is not too large, or None."""
        data = self.files.get(name)
        return None if data is None or len(data) > roof(name) else data


# ---- letters: judged by Unicode 13.0, whatever edition this Python brings; numbers in base 26, last digits
# in capitals ----

LETTERS = (
    "AbiECGEHBBBUBpHBbMCbYCDBcDIbBEGLbDBjGBcICdXOcHCbXCPBbCCBBLcBVBSLgVBICCCWBHBBDECJCCCEIBECBFCZCDBGECCWBHBCBCBCCBBFECCDDBHEBBHRKDBJ"
    "BDBWBHBCBFCKBDBDCBPECMHHBDBICCCWBHBCBFCJCCCDHDECBFCSKCBGDDBEDCBBBCDCDDDMEFDDBECBGBOVFNBDBXBQDIBDBEHCBDFECKHWBDBXBKBFCJBDBEHCHBBE"
    "CKBCNNBDBbZBDBGEQCbABDBSDYBJBBCHDBEGBBBIGKCDMcGEbDbLCBBBFBYBBBXCFBBBGCKCEbGcUBbKEbNBbKBPBNbLhQBBFBCoNBECHBBBECbPBECbHBECHBBBECPB"
    "cFBECcPCbGDbAGdICGCzTDdLHNBHLXJUMNBDBCMdQCKGKGPBKGdLHbRFcSKbFBMEMEBDbQCFLbSEbAGLDcKCcNBbDCLGKGOCRcLcYEbTDeMIcIDPDcIHbRCLIbRFjQBk"
    "XCGCbMCGCIBBBBBBBbFCcBBPBOCGBTCDBJBdXBMCbBBNDbGQbHPfKEzNZLVcrSCbGBfWBbVBfSFbTBBFBCcEHCOYJHBHBHBHBHBHBHBHBeLbTbABdLMiGbAMEcMBdICd"
    "ZFbRBdQBdGMbVBbppTDbsVDcDJnKUhCIhKCJbQcEDKGcEIcSIMGeMLbEDdABLEbHBcDJOCKCdZYbCKGCGCGJHBHBcIEeWCKGqnSMXEbXEnbACeCbMHMFFbABFBBBCBCB"
    "eURoBQcMCcCbOOCbAGbZBTBEEFBfFCBBhIDGCGCGCDDHBHKFCMBbABTBCBPCObIeTFDEbTDdKBNDBbVbUfAbDDbXPbCEbKJbEFbRFbEBbLEObQgCCKGbKEbKEbOIcALB"
    "fOlZJWKIfWGCBBbSBCDBCXBcUIJbWTBCFbHDbBFBcMcEEUCbYBCFIBDBbDCDEKHJHcMbGbNEMJcCDbDCbBFbAHEMHdCcVcDbZNbZHbUIKlIbFBbQBDCCdAbOIbQdIbCU"
    "XJdAEbEPcPLBCZHKGcBBSIbNJdSBULSBbScNHBBBEBPBLGcHFKGEBICCCWBHBCBFBKCCCDCBGBFHCHDFfJdOBFbEcUIKgKcCCbMbIcRLKGNTcFHKcCbBCPEQhKcIdWdF"
    "MICBCIBCBbEBCCMJKcSICbUCLbBcUIdFbDcFkDJBbTBOKbDDbGCWBOcVHBCBbSDBBCBJIKGGBCBbLBCBGHKlYZhBBPbYNbjNdYeHBFLhOebSbpFBJfzJwLmuBvXHbFBK"
    "ECdSbECGKcSKKBHBVFTbaMdNdXcXEcFHRcMFLCOjcAIbvQbQJngHlBbXDREIpGdkUeDFNDJHKCIhiQjMKbNChKXcSfYUMdJJZfFdHBcTBCCBCCCEBMBBBHBcNBECIBHB"
    "bCBEBFBBDHBnCClGCbbAPFBPcaIHBRCHBCBFiFbTDOCKECoEcGFBbxGhPCQbPcYEKECbeFcQcYcJhMEBbBBCBBCBBKBEBBBBGBEBBBBBBDBCBBCBBBBBBBBBBCBBCEBH"
    "BEBEBBBKBRFDBFBRcACkKbSEdWMPCPBPBbLKgScEbDNbSEJHCOGfYblWINDNDeMMdLHMUMEcEIKGbOIbECCdAeRBdEBfFMOCFDDFHJZHHJDNHbPfRBcDbLKbnQclfAbI"
    "gdPLiOCinQOlbLepJuWcfYhhZbotcWBbEdSeYjGdsfOdsyOCdsyO"
)
MARKS = (
    "bdOeIkPHkDbTBBBCBCBBcULbWVQBdXHCGCCBEbJBbEbBdNLcGJJBYEBJBDBFbRDePPBbHcCDBSBHKCbDDcEBBHCCCDJBKCbABCDcEBBFECCDDBbECDBLDcEBBIBDBDUC"
    "WGBDcEBBHCCCDHDKCbEBcHFDDBEJBbOFcFHBDBEHCLCbDDcEBBHBDBEHCLCbCEcDCBHBDBEJBKCbDDcSBEGBBBISCcJBCHMIdUBCJLGcWCbBBBBBBECbXUBCFLBbKJBd"
    "WUXEEDBDCHDENMBBKEbbBDbkKDbDDbDCbECcMbGJBbTDePCbIBeOMEMiLFcFKBbDCBbWRcLFbVRbMJMDbENcEObWUfWDBVEBGBCDhQcGBFbbSbHeoCDfLBdSbGvIGeBC"
    "bsqEEBKbGCdCCkMBDBEBXFEBdFCbYSbASNBbMIZNbSEbVObKBcPOMBICbTDbYBBDCCFCBBbPFFCjCIBCbdzSBbcJQQQblLBiSBfTFcmGDBCFEbODEBgJCwBEoXCfXLgT"
    "DcBPcEEbTLcRDbKOQCbSBMDbWOIEBCdOMGBgEMVEcDCBHCCCDJBKCCHDFhKSXBdDUjBHCJbBCdEReCNdXPjWPjLGBCCEBBBCfLHCHDBbCKbOHBEIBJLbUQpPIBIdEWBO"
    "eSGDBBCBHBBcOFBCBFnJEbcuBFcHHboIBBcDHEdDBLCbdaXChwOFDGIICHbEEfSDcyDcDEbYIBOBWFBPcaIHBRCHBCBFkBHqVEcfWHeFHbtciVjG"
)
HIDDEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u0600-\u0605\u061c\u06dd\u070f\u08e2\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ud800-\udfff"
    "\ufeff\ufff9-\ufffb\U000110bd\U000110cd\U00013430-\U00013438\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0001\U000e0020-\U000e007f]"
)


def edges(runs: str) -> list[int]:
    """Return where what is out and what is in change places, from how long they last by turns."""
    made, at = [], 0
    for word in re.findall("[a-z]*[A-Z]", runs):
        at += sum((ord(digit) % 32 - 1) * 26**place for place, digit in enumerate(reversed(word)))
        made.append(at)
    return made


KNOWN, ACCENTS = edges(LETTERS), edges(MARKS)


def within(bounds: list[int], letter: str) -> bool:
    """Tell whether a letter is one of those between the edges."""
    return bool(bisect.bisect(bounds, ord(letter)) & 1)


def tidy(text: str) -> str | None:
    """Return a text in form NFC, letters later than Unicode 13.0 as they stand; None if 31 accents or more
    follow each other.
    """
    if text.isascii():
        return text
    row, runs, last = 0, [], None
    for letter in text:
        row = row + 1 if within(ACCENTS, letter) else 0
        if row > 30:
            return None
        known = within(KNOWN, letter)
        if known is not last:
            runs.append((known, [letter]))
            last = known
        else:
            runs[-1][1].append(letter)
    parts = ((known, "".join(run)) for known, run in runs)
    return "".join(unicodedata.normalize("NFC", run) if known else run for known, run in parts)


# ---- records: one spelling each, read by a parser that knows no other ----

PLAYED = re.compile("(?:^|; )played by ([!-~]{1,60}) ([!-~]{1,60}) sha256 ([0-9a-f]{64})(?:; |$)")
NUMBER = re.compile("0|-?[1-9][0-9]{0,15}")
KEY = re.compile("[a-z][a-z0-9_]{0,31}")
UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff]")


def letters_at(text: str, at: int) -> tuple[str, int]:
    """Return the string whose opening quote is at ``at``, and where it ends."""
    try:
        found, end = json.decoder.scanstring(text, at + 1, True)  # type: ignore[attr-defined]
    except ValueError:
        raise Malformed("a string that does not end") from None
    # Every other way to write an escape is longer than \" and \\.
    if end - at - 2 != len(found) + found.count('"') + found.count("\\"):
        raise Malformed("a needless escape")
    plain = found.isascii() and found.isprintable()
    if not plain and (UNSEEN.search(found) or tidy(found) != found):
        raise Malformed("letters that cannot be seen, or not in form NFC")
    return found, end


def value_at(text: str, at: int, room: int) -> tuple[Any, int]:
    """Return the value that begins at ``at`` and where it ends; ``room`` is how much deeper it may go."""
    first = text[at]
    if first == '"':
        return letters_at(text, at)
    if first in "{[":
        if not room:
            raise Malformed("too deep")
        close, before = "]}"[first == "{"], ""
        made_list: list[Any] = []
        made_dict: Json = {}
        at += 1
        if text[at] == close:
            return (made_dict if first == "{" else made_list), at + 1
        while True:
            if first == "{":
                if text[at] != '"':
                    raise Malformed("no key")
                key, at = letters_at(text, at)
                if not KEY.fullmatch(key) or key <= before or text[at] != ":":
                    raise Malformed("a key that is none, twice, or out of order")
                made_dict[key], at = value_at(text, at + 1, room - 1)
                before = key
            else:
                item, at = value_at(text, at, room - 1)
                made_list.append(item)
            if text[at] == close:
                return (made_dict if first == "{" else made_list), at + 1
            if text[at] != ",":
                raise Malformed("something else than a comma")
            at += 1
    digits = NUMBER.match(text, at)
    if digits:
        number = int(digits.group())
        if abs(number) >= 2**53:
            raise Malformed("a number beyond 2^53")
        return number, digits.end()
    for word, value in (("true", True), ("false", False)):
        if text.startswith(word, at):
            return value, at + len(word)
    raise Malformed("no value")


def parse_record(data: bytes) -> Json:
    """Return the record whose one spelling these bytes are."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise Malformed("not UTF-8") from None
    if text[:1] != "{" or text[-1:] != "\n":
        raise Malformed("not one object and a line end")
    made, end = value_at(text, 0, 16)
    if end != len(text) - 1:
        raise Malformed("something after the object")
    return dict(made)


# ---- the forms of the records: a function, [a list of], or {fields}; "?" may be missing, of those with "/"
# exactly one ----

TAKEN = ("gm", "early", "go", "none", "player", "beacon", "drand")
TIME = "[1-9][0-9]{3}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]Z"
Test = Callable[[Any], bool]


def like(pattern: str, most: int = 1000, never: tuple[str, ...] = ()) -> Test:
    """Return the form of a text."""
    whole = re.compile(pattern, re.DOTALL).fullmatch
    return lambda value: (
        isinstance(value, str) and len(value) <= most and value not in never and bool(whole(value))
    )


def between(least: int, most: int) -> Test:
    """Return the form of a number."""
    return lambda value: type(value) is int and least <= value <= most


def short_lists(value: Any) -> bool:
    """Tell whether no list inside has more than 10,000 entries."""
    if isinstance(value, dict):
        return all(map(short_lists, value.values()))
    return not isinstance(value, list) or (len(value) <= 10_000 and all(map(short_lists, value)))


def any_object(value: Any) -> bool:
    """Tell whether this is an object; what is in it is for the rules to say."""
    return isinstance(value, dict) and short_lists(value)


ID, HASH, HEX = like("[0-9a-f]{64}"), like("[0-9a-f]{128}"), like("([0-9a-f]{2})+", 400)
GAME, SEAT, WHO = (
    like("[a-z0-9-]{8,40}"),
    like("[a-z][a-z0-9]{0,15}", 16, TAKEN),
    like("[a-z][a-z0-9]{0,15}", 16, TAKEN[1:]),
)
DATE = like("[1-9][0-9]{3}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])", 10)
PLAYER = like("[a-z][a-z0-9-]{0,31}", 32)
SLOT, WHEN, WORD, LONG = between(1, 10_000), like(TIME), like("[!-~]+( [!-~]+)*", 200), like(".*", 2000)
CURSOR = like(r"[a-z0-9_]+(\.[a-z0-9_]+)*", 120)
LABEL = like(r"[a-z0-9][a-z0-9._:@+-]*(/[a-z0-9._:@+-]+)*", 120)
PATH = like("(scenario|tables)(/[A-Za-z0-9_][A-Za-z0-9._+-]*)+", 200)
LINE, LUCK = like(".*", 1000), like(".*", 400)
ENGINE = {"name": WORD, "version": WORD, "sha256": ID}
NEXT = {
    "slot": SLOT,
    "phase": CURSOR,
    "waits": [SEAT],
    "value": like("early|go"),
    "questions?": [any_object],
    "due?": WHEN,
    "engine?": ENGINE,
}
KEPT, CONSENTS = [{"seat": SEAT, "slot": SLOT}], [{"consent": ID, "seat": SEAT}]
DRAND = {
    "net": WORD,
    "chain": ID,
    "pk": HEX,
    "genesis": between(0, 2**53),
    "period": between(1, 86_400),
    "delay": between(0, 31_536_000),
}
RULESET = {"id": WORD, "modules": [WORD], "options": any_object, "revision": between(1, 2**53)}
RENEWED = {"key?": LINE, "anchor?": ID, "root?": ID, "recovery?": LINE}
SITTING = {"seat": SEAT, "side": SEAT, "by": like("player|gm"), "key?": LINE, "go?": like("always|needed")}
LEDGER: dict[str, Any] = {
    "manifest": {"v": between(1, 2), "anchor/": ID, "root/": ID, "engine": ENGINE, "files": [{"path": PATH, "sha256": ID}], "key": LINE,
                 "profile": like("joint|gm"), "ruleset": RULESET, "seats": [SITTING], "beacon?": DRAND},
    "start": {"joins": [{"join": ID, "seat": SEAT}], "next": NEXT, "state": ID},
    "lock": {"slot": SLOT, "entries": [{"seat": SEAT, "x": like("early|go|none"), "sha512?": HASH}]},
    "result": {"slot": SLOT, "values": [{"who": WHO, "x/": like("[0-9a-f]{64}|-"), "luck/": LUCK, "path?": [ID]}], "seed": ID, "rolls": ID,
               "phases": [CURSOR], "state": ID, "kept?": KEPT, "next?": NEXT, "beacon?": {"round": between(1, 2**53), "sig": HEX}},
    "undo": {"slot": SLOT, "to": SLOT, "state": ID, "consents": CONSENTS, "why": LONG, "kept?": KEPT, "next?": NEXT},
    "rekey": {"of": WHO, "from": SLOT, "consents": CONSENTS, "why": LONG, **RENEWED},
    "time": {"slot": SLOT, "does": like("extend|pause|resume|absent"), "why": LONG, "until?": WHEN, "seat?": SEAT, "first?": DATE, "last?": DATE, "zone?": WORD},
    "word": {"slot": SLOT, "does": like("say|substitute|end|reopen"), "why": LONG, "seat?": SEAT, "player?": PLAYER, "was?": PLAYER, "until?": WHEN,
             "how?": like("agreed|resigned|adjudicated"), "winner?": SEAT, "by?": [SEAT]},
}  # fmt: skip
OTHERS: dict[str, Any] = {
    "join": {"manifest": ID, "anchor/": ID, "root/": ID, "words/": LONG, "recovery?": LINE},
    "go": {"slot": SLOT, "lock": ID, "x/": ID, "luck/": LUCK, "path?": [ID]},
    "receipt": {"at": WHEN, "file": like("draft|final"), "sha512": HASH, "slot": SLOT},
    "consent": {"head": ID, "to?": SLOT, "act?": ID, "of?": WHO, "from?": SLOT, **RENEWED},
}


def step_of(value: Any) -> bool:
    """Tell whether this is one step of a way into the state."""
    return (type(value) is int and 0 <= value < 2**53) or (isinstance(value, str) and len(value) <= 200)


def way_of(value: Any) -> bool:
    """Tell whether this is a way into the state."""
    return isinstance(value, list) and 0 < len(value) <= 12 and all(map(step_of, value))


def patch_of(value: Any) -> bool:
    """Tell whether this is a patch: some changes, what is to stand where."""
    if not isinstance(value, list) or not 0 < len(value) <= 1000:
        return False
    return not any(misfit({"at": way_of, "to?": short_lists}, change, "patch") for change in value)


LEDGER["rule"] = {
    "slot": SLOT,
    "patch": patch_of,
    "state": ID,
    "consents": CONSENTS,
    "why": LONG,
    "kept?": KEPT,
    "next?": NEXT,
}
LEDGER["correct"] = {"slot": SLOT, "corrects": SLOT, "orders": [{"seat": SEAT, "sha512": HASH}], "rolls": ID, "phases": [CURSOR],
                     "state": ID, "consents": CONSENTS, "why": LONG, "patch?": patch_of, "kept?": KEPT, "next?": NEXT}  # fmt: skip
ROLL = {"l": like(".*", 120), "n": between(1, 1000), "s": between(2, 2**32), "v": [between(1, 2**32)]}
for _name, _form in LEDGER.items():
    _form.update({"type": like(_name), "at": WHEN, "game": GAME, "n": between(1, 99_999), "note?": LONG})
    if _name != "manifest":
        _form["prev"] = ID
for _name, _form in OTHERS.items():
    _form.update({"type": like(_name), "game": GAME, "seat": SEAT})


def misfit(form: Any, value: Any, where: str) -> str:
    """Return the place where a value has not its form, or nothing."""
    if callable(form):
        return "" if form(value) else where
    if isinstance(form, list):
        if not isinstance(value, list) or len(value) > 10_000:
            return where
        return next(
            filter(None, (misfit(form[0], item, f"{where}.{place}") for place, item in enumerate(value))), ""
        )
    if not isinstance(value, dict):
        return where
    unknown, chosen = set(value), []
    for marked, inner in form.items():
        key = marked.rstrip("?/")
        if marked.endswith("/"):
            chosen.append(key in value)
        if key in value:
            unknown.discard(key)
            bad = misfit(inner, value[key], f"{where}.{key}")
            if bad:
                return bad
        elif key == marked:
            return f"{where}.{key}"
    if unknown or (chosen and sum(chosen) != 1):
        return f"{where}.{min(unknown)}" if unknown else where
    return ""


def form_of(record: Json) -> str:
    """Return what is wrong with the form of a record, or nothing."""
    kind = record.get("type")
    form = (LEDGER.get(kind) or OTHERS.get(kind)) if isinstance(kind, str) else None
    if form is None:
        return "its type is not known"
    bad = misfit(form, record, str(kind)) or ("" if belong_together(record) else kind)
    return f"{bad} is missing, too many, or not of its form" if bad else ""


def belong_together(record: Json) -> bool:
    """Tell whether the fields of a record of right form may stand beside each other."""
    kind, has = record["type"], set(record)
    if kind == "manifest":  # pd1.0 has chains, pd1.1 trees
        return ("root" in has) is bool(record["v"] == 2)
    if kind == "consent" and has & {"to", "act", "of", "from"} not in ({"to"}, {"act"}, {"of", "from"}):
        return False
    if {"anchor", "root"} <= has or (
        kind == "consent" and "of" not in has and has & {"key", "anchor", "root", "recovery"}
    ):
        return False
    given = record["values"] if kind == "result" else [record] if kind == "go" else []
    return all("path" not in value or (value["path"] != [] and value.get("x", "-") != "-") for value in given)


# ---- Ed25519 (RFC 8032), with a table for each key that signs often: no doubling is left to do for a
# signature ----

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
Point = tuple[int, int, int, int]  # x, y, z, t with x/z and y/z the coordinates and x*y = z*t
Steps = list[list[Point]]  # per five bits the multiples 1 to 16 as (y+x, y-x, 2z, 2dt)


def plus(p: Point, n: Point) -> Point:
    """Return p + n, n in the form of the tables."""
    x, y, z, t = p
    a, b, c, d = (y - x) * n[1], (y + x) * n[0], t * n[3], z * n[2]
    e, f, g, h = (b - a) % P, (d - c) % P, (d + c) % P, (b + a) % P
    return e * f % P, g * h % P, f * g % P, e * h % P


def ready(p: Point) -> Point:
    """Return a point in the form of the tables."""
    return (p[1] + p[0]) % P, (p[1] - p[0]) % P, 2 * p[2] % P, 2 * D * p[3] % P


def steps_of(p: Point) -> Steps:
    """Return the multiples d * 32^k of a point for d from 1 to 16 and 52 places k."""
    made = []
    for _ in range(52):
        one = ready(p)
        row = [one]
        for _ in range(15):
            p = plus(p, one)
            row.append(ready(p))
        made.append(row)
        p = plus(p, row[15])
    return made


ZERO: Point = (0, 1, 1, 0)
EMPTY: Steps = []


def add_times(total: Point, number: int, steps: Steps) -> Point:
    """Return total + number times the point of a table, number below 2^257."""
    for row in steps:
        digit = number & 31
        number >>= 5
        if digit > 16:
            digit -= 32
            number += 1
        if digit > 0:
            total = plus(total, row[digit - 1])
        elif digit:
            a, b, c, d = row[-digit - 1]
            total = plus(total, (b, a, c, P - d))
    return total


def times(number: int, p: Point) -> Point:
    """Return number times a point, without a table."""
    total, once = ZERO, ready(p)
    for bit in bin(number)[2:]:
        total = plus(total, ready(total))
        if bit == "1":
            total = plus(total, once)
    return total


def point_of(raw: bytes) -> Point:
    """Return the point that 32 bytes stand for; Malformed if they stand for none."""
    number = int.from_bytes(raw, "little")
    y, odd = number & (2**255 - 1), number >> 255
    u, v = (y * y - 1) % P, (D * y * y + 1) % P
    x = u * v**3 * pow(u * v**7 % P, (P - 5) // 8, P) % P
    if (v * x * x + u) % P == 0:
        x = x * pow(2, (P - 1) // 4, P) % P
    if y >= P or (v * x * x - u) % P or (x == 0 and odd):
        raise Malformed("no point")
    if x & 1 != odd:
        x = P - x
    return x, y, 1, x * y % P


BASE = steps_of(point_of(b"\x58" + b"\x66" * 31))


class Key:
    """An ed25519 key: a canonical point of prime order."""

    def __init__(self, line: str) -> None:
        self.line = line
        match = re.fullmatch("ssh-ed25519 ([A-Za-z0-9+/]{68})", line)
        blob = base64.b64decode(match.group(1)) if match else b""
        if blob[:19] != b"\0\0\0\x0bssh-ed25519\0\0\0\x20":
            raise Malformed("not a line ssh-ed25519 AAAA…")
        self.raw = blob[19:]
        try:
            x, y, z, t = point_of(self.raw)
        except Malformed:
            raise Malformed("not a point of prime order") from None
        self.minus = P - x, y, z, P - t
        self.uses, self.steps = 0, EMPTY
        whole = times(ORDER, self.minus)
        if x == 0 or whole[0] % P or (whole[1] - whole[2]) % P:
            raise Malformed("not a point of prime order")

    def holds(self, signature: bytes, message: bytes) -> bool:
        """Tell whether 64 bytes are the signature of a message: cofactorless, with S below the order."""
        s = int.from_bytes(signature[32:], "little")
        if s >= ORDER:
            return False
        k = int.from_bytes(hashlib.sha512(signature[:32] + self.raw + message).digest(), "little") % ORDER
        self.uses += 1
        # a table is a quarter of a megabyte and pays from the fourth signature on
        if self.uses == 4 and len(TABLED) < 64:
            TABLED.append(self)
            self.steps = steps_of(self.minus)
        other = add_times(ZERO, k, self.steps) if self.steps else times(k, self.minus)
        x, y, z, _ = add_times(other, s, BASE)
        inverse = pow(z, -1, P)
        point = y * inverse % P | (x * inverse % P & 1) << 255
        return point.to_bytes(32, "little") == signature[:32]


KEYS: dict[str, Key] = {}
TABLED: list[Key] = []


def key_of(line: str) -> Key:
    """Return the key of a line, worked out once; Malformed if it is none."""
    if line not in KEYS:
        KEYS[line] = Key(line)
    return KEYS[line]


def wire(*parts: bytes) -> bytes:
    """Return byte strings as SSH sends them, each after its length."""
    return b"".join(len(part).to_bytes(4, "big") + part for part in parts)


def sealed_for(key: Key | None, namespace: bytes, digest: bytes, seal: bytes | None) -> bytes | None:
    """Return the last 64 letters of the namespace of an SSHSIG signature over a SHA-512, or None if it does
    not hold.

    ``namespace`` may end in 64 NUL bytes, which stand for any such letters. All bytes but these and the
    signature are known.
    """
    if key is None or seal is None or len(seal) > 4096:
        return None
    # The armour is how a signature travels: mail programs wrap it and end its lines as they like.
    lines = list(
        filter(
            None, (line.strip(b" \t\r") for line in seal[3 * seal.startswith(b"\xef\xbb\xbf") :].split(b"\n"))
        )
    )
    if (
        len(lines) < 3
        or max(map(len, lines)) > 76
        or lines.pop(0) != b"-----BEGIN SSH SIGNATURE-----"
        or lines.pop() != b"-----END SSH SIGNATURE-----"
    ):
        return None
    joined = b"".join(lines)
    try:
        blob = base64.b64decode(joined, validate=True)
    except binascii.Error:
        return None
    before = b"SSHSIG\0\0\0\1" + wire(wire(b"ssh-ed25519", key.raw))
    ends = len(before) + 4 + len(namespace)
    free = namespace.endswith(b"\0" * 64)
    last = blob[ends - 64 : ends]
    if free:
        namespace = namespace[:-64] + last
    after = wire(b"", b"sha512") + (83).to_bytes(4, "big") + wire(b"ssh-ed25519") + (64).to_bytes(4, "big")
    if (
        base64.b64encode(blob) != joined
        or blob[:-64] != before + wire(namespace) + after
        or (free and not last.isascii())
    ):
        return None
    return last if key.holds(blob[-64:], b"SSHSIG" + wire(namespace, b"", b"sha512", digest)) else None


# ---- values and dice ----


def sha256(text: str) -> str:
    """Return the SHA-256 of a text in hex."""
    return hashlib.sha256(text.encode()).hexdigest()


class Chain:
    """The values of a party in a game of pd1.0, and after it where nobody renewed them: each hashes to the
    one before.
    """

    def __init__(self, game: str, who: str, slot: int, x: str) -> None:
        self.game, self.who, self.slot, self.x = game, who, slot, x
        self.name = "chain"

    def takes(self, slot: int, x: str, path: list[str]) -> bool:
        """Tell whether this is the value of a slot; if so it is the last known one from now on."""
        down = x
        for place in range(slot, self.slot, -1):
            down = sha256(f"pd1/chain\n{self.game}\n{self.who}\n{place}\n{down}\n")
        if path or down != self.x or slot <= self.slot:
            return False
        self.slot, self.x = slot, x
        return True


class Tree:
    """The values of a party in a game of pd1.1: leaves under a root, each shown with the hashes beside its
    way up.

    Slots only go up. So a way ends where it meets that of the value before: at a node beside that one's way,
    which that one has shown.
    """

    def __init__(self, game: str, who: str, root: str) -> None:
        self.game, self.who, self.slot = game, who, 0
        # per level the node on the right of the last way, and the root above all
        self.shown = [""] * 14 + [root]
        self.name = "tree"

    def takes(self, slot: int, x: str, path: list[str]) -> bool:
        """Tell whether this is the value of a slot; if so it is the last known one from now on."""
        top = (slot ^ self.slot).bit_length() - 1 if self.slot else 14
        if len(path) != top or slot <= self.slot:
            return False
        node = sha256(f"pd1/leaf\n{self.game}\n{self.who}\n{slot}\n{x}\n")
        for level, beside in enumerate(path):
            pair = (beside, node) if slot >> level & 1 else (node, beside)
            node = sha256(f"pd1/node\n{pair[0]}\n{pair[1]}\n")
        if node != self.shown[top]:
            return False
        self.slot = slot
        for level, beside in enumerate(path):
            if not slot >> level & 1:
                self.shown[level] = beside
        return True


SPACES = re.compile("[\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+")


def normal(typed: str | None) -> str | None:
    """Return luck words in normal form, or None where they are none."""
    tidied = tidy(typed or "")
    words = SPACES.sub(" ", tidied or "").strip(" ")
    return None if HIDDEN.search(words) or not 8 <= len(words) <= 100 else words


def die_of(seed: bytes, label: str, sides: int, i: int) -> tuple[int, str, str, int, list[int]]:
    """Return a face, and how it came: the message, its HMAC, the word that was used and those refused."""
    refused: list[int] = []
    for ctr in itertools.count():
        message = f"pd1/die\n{label}\n{sides}\n{i}\n{ctr}\n"
        digest = hmac.digest(seed, message.encode(), "sha256")
        for word in struct.unpack(">8I", digest):
            if word + 2**32 % sides < 2**32:
                return word % sides + 1, message, digest.hex(), word, refused
            refused.append(word)
    raise AssertionError


PLAIN_ROLL = re.compile(
    rb'\{"l":"([!#-\[\]-~]{1,120})","n":([1-9][0-9]{0,3}),"s":([1-9][0-9]{0,9}),"v":\[([0-9,]{1,8000})\]\}\n'
)


def parse_roll(line: bytes) -> tuple[str, int, list[int]] | None:
    """Return label, sides and faces of a line of a roll log, or None if it has not that form; Malformed if
    not canonical.
    """
    match = PLAIN_ROLL.fullmatch(line)
    if match and not re.search(rb"(^|,)(0|,|$)", match.group(4)):
        count, sides, faces = (
            int(match.group(2)),
            int(match.group(3)),
            list(map(int, match.group(4).split(b","))),
        )
        record: Json = {"l": match.group(1).decode(), "n": count, "s": sides, "v": faces}
        if max(faces) >= 2**53:
            raise Malformed("a number beyond 2^53")
    else:
        record = parse_record(line)
    if misfit(ROLL, record, "roll") or len(record["v"]) != record["n"] or not LABEL(record["l"]):
        return None
    return record["l"], record["s"], record["v"]


def orders_header(data: bytes) -> Json | None:
    """Return the header of an order file, or None if it is not one."""
    end = b"\r\n" if b"\r" in data else b"\n"
    if len(data) > 65_536 or (
        end == b"\r\n" and not data.count(b"\r") == data.count(b"\n") == data.count(end)
    ):
        return None
    above, rule, _ = data.partition(end + b"---" + end)
    first, *lines = above.split(end)
    if not rule or first != b"#pd1-orders/1":
        return None
    found: Json = {}
    for line in lines:
        try:
            match = re.fullmatch(
                "#(game|slot|seat|head|salt|x|path|luck|seen) (.*)", line.decode(), re.DOTALL
            )
        except UnicodeDecodeError:
            return None
        if match is None or match.group(1) in found:
            return None
        found[match.group(1)] = match.group(2)
    id_ = "[0-9a-f]{64}"
    shape = {
        "head": id_,
        "x": id_,
        "path": f"{id_}( {id_})*",
        "salt": "[0-9a-f]{32}",
        "seen": f"{id_} {TIME}",
        "slot": "[1-9][0-9]{0,4}",
    }
    if any(key in found and not re.fullmatch(shape[key], found[key]) for key in shape):
        return None
    if (
        not {"game", "slot", "seat", "head", "salt"} <= set(found)
        or {"x", "luck"} <= set(found)
        or ("path" in found and "x" not in found)
    ):
        return None
    if not (GAME(found["game"]) and SLOT(int(found["slot"])) and SEAT(found["seat"])):
        return None
    return found


def value_of(game: str, slot: int, who: str, given: Json) -> str:
    """Return what goes into the seed for a party: its value, - where it gives none, or the
    hash of its words.
    """
    return given.get("x") or sha256(f"pd1/luck\n{game}\n{who}\n{slot}\n{given['luck']}\n")


def seed_text(game: str, slot: int, given: dict[str, Json], drand: str) -> str:
    """Return the text whose HMAC is the seed of a slot: the GM first, then the seats by name."""
    text = f"pd1/seed\n{game}\n{slot}\n"
    for who in ["gm", *sorted(set(given) - {"gm"})]:
        text += f"{who} {value_of(game, slot, who, given[who])}\n"
    return f"{text}beacon {drand}\n"


def round_at(when: str, beacon: Json) -> int:
    """Return the round that the rules fix for a lock of that time."""
    year, month, day, hour, minute, second = map(int, re.findall("[0-9]+", when))
    days = datetime.date(year, month, 1).toordinal() + day - 1 - datetime.date(1970, 1, 1).toordinal()
    seconds = ((days * 24 + hour) * 60 + minute) * 60 + second
    after_genesis = seconds - beacon["genesis"] + beacon["delay"]
    return int(2 + after_genesis // beacon["period"])


def spelt(record: Json) -> bytes:
    """Return a record in its one spelling."""
    return json.dumps(record, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"


def act_of(record: Json) -> str:
    """Return the digest by which a consent names a ruling or a correction."""
    left = ("n", "at", "prev", "consents", "note", "kept", "next")
    said = spelt({key: value for key, value in record.items() if key not in left})
    return hashlib.sha256(b"pd1/act\n" + said).hexdigest()


def alter(inside: Any, way: list[Any], new: list[Any]) -> None:
    """Put the one new thing at the end of a way, or take out what is there if there is none."""
    first_, beyond = way[0], way[1:]
    known = range(len(inside)) if isinstance(inside, list) else inside if isinstance(inside, dict) else ()
    if beyond:
        if first_ not in known:
            raise Malformed("a change leads nowhere")
        alter(inside[first_], beyond, new)
    elif isinstance(inside, list) and (first_ in known or (new and first_ == len(inside))):
        inside[first_ : first_ + 1] = new
    elif new and isinstance(inside, dict) and isinstance(first_, str) and KEY.fullmatch(first_):
        inside[first_] = new[0]
    elif isinstance(inside, dict) and first_ in known:
        del inside[first_]
    else:
        raise Malformed("a change leads nowhere")


def changed(state: Json, patch: list[Json]) -> Json:
    """Return a state with the changes of a patch; Malformed where one of them leads nowhere."""
    for change in patch:
        alter(state, change["at"], [json.loads(json.dumps(change["to"]))] if "to" in change else [])
    return state


def short(id_: str) -> str:
    """Return the first 64 bits of an id for people."""
    return "-".join(id_[place : place + 4] for place in (0, 4, 8, 12))


# ---- reading a game ----


class Seat:
    """Who sits where, with which key."""

    def __init__(self, given: Json) -> None:
        self.name: str = given["seat"]
        self.outside = given["by"] == "player"
        self.line: str | None = given.get("key")
        self.key: Key | None = None
        self.spare: str | None = None  # the line of the key that a recovery code stands for
        self.joins_unsigned = self.outside and self.line is None
        self.always = given.get("go") == "always"


class Slot:
    """What is kept of a slot when it is over: no contents of files."""

    head = lock_id = at = before = path = known = act = ""
    undone = logged = False
    dice = round_ = first = state_slot = 0
    seed = seed_before = b""
    phases: tuple[str, ...] = ()

    def __init__(self, number: int, announced: Json) -> None:
        self.number, self.announced = number, announced
        self.said: dict[str, str] = {}
        self.hashes: dict[str, str] = {}
        self.headers: dict[str, Json] = {}
        self.words: dict[str, str] = {}
        self.values: dict[str, str] = {}
        self.kept: set[tuple[str, int]] = set()
        self.labels: list[str] = []


class Audit:
    """One reading of one archive; what it found is in its fields."""

    def __init__(self, box: Any, bls: Any = None) -> None:
        self.box, self.bls = box, bls
        self.failures: list[tuple[str, str, str]] = []
        self.warnings: list[tuple[str, str]] = []
        self.open_ends: list[str] = []
        self.signatures = self.dice = 0
        self.ids: list[str] = []
        self.time = self.game = ""
        self.manifest: Json = {}
        self.given: set[str] = set()
        self.engine: tuple[str, ...] = ("", "", "")
        self.seats: dict[str, Seat] = {}
        self.outside: list[str] = []
        self.keys: list[Key] = []
        self.sources: dict[str, Chain | Tree] = {}
        self.known: set[str] = set()  # every anchor, root and value so far
        self.words: dict[str, dict[str, int]] = {}
        self.gave: dict[str, int] = {}
        self.slots: dict[int, Slot] = {}
        self.line: list[Slot] = []  # the line of play: the slots that were not taken back
        self.rolled: set[str] = set()  # its labels
        self.next: Json | None = None
        self.ended: tuple[int, Json | None] | None = None
        self.next_id = self.state = ""
        self.state_slot = 0
        self.kept: set[tuple[str, int]] = set()
        self.seed = b""
        self.started = self.whole = False  # whole: the ledger was read to its end
        self.since: dict[str, int] = {}  # who has new keys or values, from which slot on
        self.waiting: list[tuple[Json, bool, int, str]] = []
        self.seen: dict[str, dict[str, str]] = {}  # per lock who says when he saw it
        self.signers: set[str] = set()  # the lines of keys/allowed_signers
        self.keys_of: dict[str, list[str]] = {}  # of all times
        self.joins: set[tuple[str, str]] = set()
        self.consents: dict[str, str] = {}  # which record uses a consent
        self.acts: list[str] = []
        self.notes: dict[str, list[str]] = {}
        self.sound: list[
            bool
        ] = []  # of each record: signed by the key of the GM at that place, and no false change of it
        self.retired: dict[str, int] = {}
        for part in (self._ledger, self._end):
            with contextlib.suppress(Stop):
                part()
        if self.locked:
            self.open_ends.append(f"slot {self.locked.number} is locked and has no result yet")

    # what every check needs

    def fail(self, code: str, where: str, why: str) -> None:
        """Note a failure; a thousand are enough."""
        self.failures.append((code, where, why))
        if len(self.failures) >= 1000:
            raise Stop

    def stop(self, code: str, where: str, why: str) -> NoReturn:
        """Note a failure that makes what follows unreadable."""
        self.failures.append((code, where, why))
        raise Stop

    def warn(self, where: str, why: str) -> None:
        """Note what is no failure and worth knowing."""
        if len(self.warnings) < 1000:
            self.warnings.append((where, why))

    def check(self, fine: bool, code: str, where: str, why: str) -> bool:
        """Note a failure unless all is fine; return whether it is."""
        if not fine:
            self.fail(code, where, why)
        return fine

    def sealed(self, where: str, keys: list[Key | None], use: str, data: bytes) -> bool:
        """Check the signature beside a file, by one of the keys (E02)."""
        digest, seal = hashlib.sha512(data).digest(), self.box.read(where + ".sig")
        holds = any(sealed_for(key, use.encode(), digest, seal) is not None for key in keys)
        self.signatures += holds
        return self.check(holds, "E02", where, "is not signed by whom, and for what, it should be")

    def record(self, where: str, kind: str, data: bytes) -> Json | None:
        """Return a record of one kind, or None after noting what is wrong (E01, E27)."""
        try:
            found = parse_record(data)
        except Malformed as wrong:
            self.fail("E01", where, f"not canonical: {wrong}")
            return None
        wrong_form = form_of(found) or ("" if found["type"] == kind else f"a {found['type']}, not a {kind}")
        return found if self.check(not wrong_form, "E27", where, wrong_form) else None

    def agrees(self, where: str, sha: str) -> None:
        """Check a state file, if it is there (E08)."""
        data = self.box.read(where)
        self.check(
            data is None or hashlib.sha256(data).hexdigest() == sha,
            "E08",
            where,
            "not the state that the ledger names",
        )

    @property
    def newest(self) -> int:
        """Return the number of the newest locked slot."""
        return next(reversed(self.slots), 0)

    @property
    def locked(self) -> Slot | None:
        """Return the slot that has no result yet."""
        slot = self.slots.get(self.newest)
        return slot if slot and not slot.path and not slot.undone else None

    @property
    def open_slot(self) -> int:
        """Return the number of the slot that is locked or open, 0 if there is none."""
        return self.newest if self.locked else int((self.next or {}).get("slot", 0))

    # the ledger, record by record

    def _ledger(self) -> None:
        names = [name for name in self.box.names if RECORD.fullmatch(name)]
        if not names:
            self.stop("E00", "ledger/00001-manifest.json", "missing")
        for n, name in enumerate(names, 1):
            data = self.box.read(name)
            if data is None:
                self.stop("E00", name, "no plain file")
            try:
                found = parse_record(data)
            except Malformed as wrong:
                self.stop("E01", name, f"not canonical: {wrong}")
            kind = found.get("type")
            wrong_form = form_of(found)
            if (
                wrong_form
                or kind not in LEDGER
                or (n == 1) != (kind == "manifest")
                or (n == 2) != (kind == "start")
            ):
                self.stop("E27", name, wrong_form or f"a {kind} does not belong here")
            self._one(n, name, str(kind), found, data)
        self.whole = True

    def _one(self, n: int, name: str, kind: str, found: Json, data: bytes) -> None:
        own, before = hashlib.sha256(data).hexdigest(), self.ids[-1] if self.ids else ""
        if kind == "manifest":
            self._manifest(name, found)
        self.sound.append(self.sealed(name, [self.keys[-1]], f"pd1-gm/{self.game}", data))
        self.check(found["game"] == self.game, "E05", name, f"of the game {found['game']}")
        middle = f"s{found['slot']:04d}-" if "slot" in found else ""
        fits = (
            found["n"] == n
            and found.get("prev", "") == before
            and name == f"ledger/{n:05d}-{middle}{kind}.json"
        )
        self.check(fits, "E04", name, "not in its place: number, record before it, or name of the file")
        if found["at"] < self.time:
            self.warn(name, "the time goes back")
        self.time = found["at"]
        self.ids.append(own)
        for entry in found.get("consents", []):
            self.consents.setdefault(entry["consent"], name)
        if "note" in found:
            self.notes.setdefault(found["note"], []).append(name)
        if kind == "start":
            self._start(name, found)
        elif kind == "lock":
            self._lock(name, own, found)
        elif kind == "rekey":
            failures = len(self.failures)
            self._rekey(name, found, before)
            self.sound[-1] = self.sound[-1] and len(self.failures) == failures
        elif kind == "time":
            self._time(name, found)
        elif kind == "word":
            self._word(name, found)
        said = (
            kind == "start"
            or (kind == "rule" and self._rule(name, own, found, before))
            or (kind == "correct" and self._correct(name, own, found, before))
            or (kind == "result" and self._result(name, found))
            or (kind == "undo" and self._undo(name, found, before))
        )
        if said:
            self._renewed("next" in found)
            self._announced(name, found.get("next"))
            self._engine(kind, found)
            self.next, self.next_id, self.ended = found.get("next"), own, None

    def _time(self, name: str, found: Json) -> None:
        """Take a word of the GM on time: it says what it has to, of the slot that is open, and changes no state."""
        does = found["does"]
        needs = {"extend": {"until"}, "absent": {"first", "last", "seat", "zone"}}.get(does, set())
        has = {"until", "first", "last", "seat", "zone"} & found.keys()
        if has != needs or ("seat" in found and found["seat"] not in self.seats):
            self.stop("E27", name, f"a word to {does} says other things")
        self.check(found["slot"] == self.open_slot, "E06", name, "on the time of a slot that is not open")
        what = {
            "extend": f"until {found.get('until')} ",
            "absent": f"of {found.get('seat')}, {found.get('first')} to {found.get('last')} ",
        }.get(does, "")
        self.acts.append(
            f"{does} {what}at slot {found['slot']}, on the word of the GM{': ' * bool(found['why'])}{found['why']}"
        )

    def _word(self, name: str, found: Json) -> None:
        """Take a word of the GM: an end opens nothing, and takes back a lock without a result; reopen undoes an end."""
        does, sides = found["does"], {seat["side"] for seat in self.manifest["seats"]}
        fields = {"say": "", "substitute": "seat player was? until?", "end": "how by winner?", "reopen": ""}[
            does
        ].split()
        has = {"seat", "player", "was", "until", "how", "by", "winner"} & found.keys()
        named = {found.get("seat"), *found.get("by", [])} - {None}
        fits = {one for one in fields if "?" not in one} <= has <= {one.rstrip("?") for one in fields}
        if not fits or not named <= set(self.seats) or ("winner" in found and found["winner"] not in sides):
            self.stop("E27", name, f"a word to {does} says other things")
        if does == "reopen":
            if self.check(
                self.ended is not None and self.ended[0] == found["slot"],
                "E06",
                name,
                "reopens what no word has ended",
            ):
                assert self.ended is not None
                self.next, self.ended = self.ended[1], None
        elif (
            self.check(found["slot"] == self.open_slot, "E06", name, "a word of a slot that is not open")
            and does == "end"
        ):
            waiting = self.locked
            if waiting and "beacon" not in self.manifest:
                self._lost(name, waiting)
            self.ended, self.next = (0 if waiting else found["slot"], self.next), None
            if waiting:
                waiting.undone = True
                self.line.remove(waiting)
        before = f", before {found['was']}" if "was" in found else ""
        until = f", until {found['until']}" if "until" in found else ""
        asked = f", asked by {', '.join(sorted(found['by']))}" if found.get("by") else ""
        won = f"won by {found['winner']}" if "winner" in found else "draw"
        what = {
            "substitute": f"of {found.get('seat')} by {found.get('player')}{before}{until} ",
            "end": f"{found.get('how')}, {won}{asked} ",
        }.get(does, "")
        self.acts.append(
            f"{does} {what}at slot {found['slot']}, on the word of the GM{': ' * bool(found['why'])}{found['why']}"
        )

    def _engine(self, kind: str, found: Json) -> None:
        """Note that another program goes on: it has made the record that names it."""
        said, note = (
            found.get("next", {}).get("engine"),
            PLAYED.search(found.get("note", "")) if kind in ("result", "correct") else None,
        )
        named = (
            (said["name"], said["version"], said["sha256"])
            if said
            else note.groups()
            if note
            else self.engine
        )
        if named != self.engine:
            old, new = (
                f"{name} {version} (engine {sha256[:8]})" for name, version, sha256 in (self.engine, named)
            )
            number = found["slot"] if kind in ("result", "rule", "correct") else self.newest + 1
            self.acts.append(f"another program from slot {number} on: {new}, before {old}")
            self.engine = named

    def _announced(self, name: str, said: Json | None) -> None:
        if said is None:
            return
        self.check(
            said["slot"] == self.newest + 1,
            "E06",
            name,
            f"announces slot {said['slot']}, not {self.newest + 1}",
        )
        waits = said["waits"]
        if self.check(
            len(set(waits)) == len(waits) and set(waits) <= set(self.seats),
            "E27",
            name,
            "waits for a stranger, or twice",
        ):
            of_gm = any(not self.seats[who].outside for who in waits)
            self.check(
                (said["value"] == "go") == of_gm, "E15", name, "values are to be given at another time"
            )

    @staticmethod
    def key_or_none(line: str) -> Key | None:
        """Return the key of a line, or None."""
        try:
            return key_of(line)
        except Malformed:
            return None

    def _manifest(self, name: str, found: Json) -> None:
        sitting, paths = [seat["seat"] for seat in found["seats"]], [file["path"] for file in found["files"]]
        if not sitting or len(set(sitting)) < len(sitting) or len(set(paths)) < len(paths):
            self.stop("E27", name, "a seat or a file twice, or no seat")
        if any(seat["by"] == "gm" and ("key" in seat or "go" in seat) for seat in found["seats"]):
            self.stop("E27", name, "a seat of the GM with a key or a go of its own")
        self.manifest, self.game, self.given = found, found["game"], set(paths)
        self.engine = found["engine"]["name"], found["engine"]["version"], found["engine"]["sha256"]
        gm, used = self.key_or_none(found["key"]), {found["key"]}
        self._allowed("gm", found)
        self.check(gm is not None, "E03", name, "the key of the GM is none of prime order")
        for seat in sorted(map(Seat, found["seats"]), key=lambda seat: seat.name):
            self.seats[seat.name] = seat
            if seat.line is not None:
                seat.key = self.key_or_none(seat.line)
                self.check(
                    seat.key is not None, "E03", name, f"the key of {seat.name} is none of prime order"
                )
                self.check(
                    seat.line not in used, "E03", name, f"the key of {seat.name} is somebody else's too"
                )
                used.add(seat.line)
                self._allowed(seat.name, {"key": seat.line})
        self.outside = [who for who in self.seats if self.seats[who].outside]
        for file in found["files"]:
            data = self.box.read(file["path"])
            if self.check(data is not None, "E00", file["path"], "missing"):
                same = hashlib.sha256(data).hexdigest() == file["sha256"]
                self.check(same, "E08", file["path"], "not the file that the manifest names")
        if gm is None:
            raise Stop
        self.keys.append(gm)
        self._fixed("gm", found, 1)

    def _fixed(self, who: str, said: Json, slot: int) -> None:
        """Take over the anchor or root that a party's values follow from, from a slot on."""
        if "root" in said:
            self.sources[who] = Tree(self.game, who, said["root"])
        elif "anchor" in said:
            self.sources[who] = Chain(self.game, who, slot - 1, said["anchor"])
        self.known |= {said[name] for name in ("anchor", "root") if name in said}

    def _start(self, name: str, found: Json) -> None:
        joins, fixed = {}, ["gm"]
        for who in self.outside:
            where, seat = f"seats/{who}/join.json", self.seats[who]
            data = self.box.read(where)
            if data is None:
                self.stop("E00", where, "missing")
            paper = self.record(where, "join", data)
            if paper is None:
                raise Stop
            if seat.line is None:
                self.warn(where, f"{who} has no key: nothing of this seat is signed")
            else:
                self.sealed(where, [seat.key], f"pd1-join/{self.game}/{who}", data)
            right = (paper["game"], paper["seat"], paper["manifest"]) == (self.game, who, self.ids[0])
            self.check(right, "E07", where, "joins something else")
            trees = self.manifest["v"] == 2
            if "words" not in paper:
                may = (
                    seat.line is not None and self.manifest["profile"] != "gm" and ("root" in paper) == trees
                )
                if self.check(
                    may, "E07", where, "an anchor or a root of a seat, or in a game, that cannot have it"
                ):
                    fixed.append(who)
                    self._fixed(who, paper, 1)
            if "recovery" in paper:
                may = seat.line is not None and trees
                if self.check(
                    may, "E07", where, "a recovery key of a seat, or in a game, that cannot have it"
                ):
                    self._spare(where, paper["recovery"], self._taken())
                    seat.spare = paper["recovery"]
                    self._allowed(who, paper)
            joins[who] = hashlib.sha256(data).hexdigest()
        self.check(len(self.known) == len(fixed), "E09", name, "two have one anchor, or one root")
        listed = sorted((entry["seat"], entry["join"]) for entry in found["joins"])
        self.check(listed == sorted(joins.items()), "E08", name, "lists other joins than there are")
        self.joins = set(listed)
        self.agrees("state/s0000.json", found["state"])
        self.seed = bytes.fromhex(
            sha256(
                f"pd1/salt\n{self.game}\n{self.ids[0]}\n" + "".join(f"{who} {joins[who]}\n" for who in joins)
            )
        )
        self.state, self.started = found["state"], True

    def _lock(self, name: str, own: str, found: Json) -> None:
        if self.next is None or self.locked or not found["slot"] == self.next["slot"] == self.newest + 1:
            self.stop("E06", name, "a lock that nothing announced, or another slot has no result yet")
        listed = [entry["seat"] for entry in found["entries"]]
        self.check(sorted(listed) == sorted(self.seats), "E08", name, "does not list every seat once")
        entries = {entry["seat"]: entry for entry in found["entries"]}
        slot = self.slots[found["slot"]] = Slot(found["slot"], self.next)
        self.line.append(slot)
        slot.head, slot.lock_id, slot.at, slot.kept = self.next_id, own, found["at"], self.kept
        slot.before, slot.state_slot, slot.seed_before = self.state, self.state_slot, self.seed
        slot.said = {who: entries.get(who, {}).get("x", "none") for who in self.seats}
        slot.hashes = {who: entries[who]["sha512"] for who in self.seats if "sha512" in entries.get(who, {})}
        for who in sorted(self.seats):
            self._entry(name, slot, who)

    def _entry(self, name: str, slot: Slot, who: str) -> None:
        seat, said, sha = self.seats[who], slot.said[who], slot.hashes.get(who)
        if not seat.outside:
            allowed = said == "none" and (sha is None or who in slot.announced["waits"])
        elif self.manifest["profile"] == "gm":
            allowed = said == "none"
        else:
            allowed = said != "early" or (sha is not None and slot.announced["value"] == "early")
        self.check(allowed, "E15", name, f"a file of {who}, or {said}, is not allowed in this slot")
        if sha is None:
            return
        where, head = f"seats/{who}/orders-s{slot.number:04d}.txt", None
        data = self.box.read(where)
        self.check(
            data is None or hashlib.sha512(data).hexdigest() == sha, "E08", where, "not the file in the lock"
        )
        if seat.line is not None:
            use = f"pd1-orders/{self.game}/{slot.number}/{who}/".encode() + b"\0" * 64
            signed = sealed_for(seat.key, use, bytes.fromhex(sha), self.box.read(where + ".sig"))
            if signed is None:
                self.fail("E02", where, f"is not signed by {who} for this slot")
            else:
                head, self.signatures = signed.decode(), self.signatures + 1
        if data is not None:
            header = orders_header(data)
            if header is not None and (header["game"], header["slot"], header["seat"]) != (
                self.game,
                str(slot.number),
                who,
            ):
                header = None
            if header is not None:
                slot.headers[who] = header
                lock, _, when = header.get("seen", "").partition(" ")
                if lock and seat.outside and seat.line is not None:
                    seen = self.seen.setdefault(lock, {})
                    seen[who] = min(when, seen.get(who, when))
                if head not in (None, header["head"]):
                    header = None
            if header is None:
                self.fail("E07", where, "a header that is none, is for something else, or was not signed so")
            else:
                head = header["head"]
        self.check(head in (None, slot.head), "E25", where, "written under another history")
        if data is not None and header is not None:
            early = "x" in header or "luck" in header
            self.check(early == (said == "early"), "E15", where, f"the lock says {said} of its value")

    def _result(self, name: str, found: Json) -> bool:
        slot = self.slots.get(found["slot"])
        if slot is None or slot.undone:
            self.fail("E06", name, f"slot {found['slot']} has no lock")
            return False
        if slot.path:
            self.fail("E21", name, f"slot {found['slot']} has a result already")
            return False
        slot.path, slot.phases, values = name, tuple(dict.fromkeys(found["phases"])), found["values"]
        slot.seed = bytes.fromhex(found["seed"])
        given = {value["who"]: value for value in values}
        if self.check(
            sorted(value["who"] for value in values) == sorted(["gm", *self.outside]),
            "E15",
            name,
            "not one value of each",
        ):
            for who in ["gm", *self.outside]:
                self._value(name, slot, who, given[who])
            drand = self._beacon(name, slot, found.get("beacon"))
            seed = hmac.digest(self.seed, seed_text(self.game, slot.number, given, drand).encode(), "sha256")
            self.check(seed == slot.seed, "E11", name, "its seed does not follow from its values")
            slot.seed = seed
            slot.values = {who: value_of(self.game, slot.number, who, given[who]) for who in self.outside}
            self.gave.update({who: slot.number for who in self.outside if given[who].get("x") != "-"})
        else:
            self._beacon(name, slot, found.get("beacon"))
        self.seed = slot.seed
        self._rolls(slot, found)
        self.dice += slot.dice
        beacon = "beacon" in self.manifest
        self.check(
            not slot.logged or ("beacon" in found) == (beacon and slot.dice > 0),
            "E18",
            name,
            "a beacon too many, or missing",
        )
        fresh = self._fresh(slot.said, slot.hashes)
        if slot.dice and not beacon and self.manifest["profile"] != "gm":
            self.check(fresh, "E23", name, "dice on values that were there before the last choice of the GM")
            asked = self._to_ask(slot)
            self.check(
                all(slot.said[who] == "go" for who in asked),
                "E15",
                name,
                f"{','.join(asked)} had to be asked for a go",
            )
        self.agrees(f"state/s{slot.number:04d}.json", found["state"])
        self._keep(name, found)
        self.state, self.state_slot = found["state"], slot.number
        slot.known = self._knowers(slot, fresh)
        slot.headers = {}
        return True

    def _value(self, name: str, slot: Slot, who: str, given: Json) -> None:
        x, path, luck = given.get("x"), given.get("path", []), given.get("luck")
        said, source = "go" if who == "gm" else slot.said[who], self.sources.get(who)
        if not self.check(
            (x == "-") == (said == "none") and (who != "gm" or x is not None),
            "E15",
            name,
            f"value of {who}: lock says {said}",
        ):
            return
        if luck is not None:
            used = self.words.setdefault(who, {})
            fine = normal(luck) == luck and luck not in used and (source is None or self.manifest["v"] == 1)
            self.check(
                fine,
                "E09",
                name,
                f"luck words of {who}: not in normal form, used before, or of a seat with a root",
            )
            used[luck] = slot.number
            slot.words[who] = luck
        header = slot.headers.get(who)
        if said == "early" and header is not None:
            same = (header.get("x"), header.get("path", "").split()) == (x, path) and (
                luck is None or normal(header.get("luck")) == luck
            )
            self.check(
                same, "E15", f"seats/{who}/orders-s{slot.number:04d}.txt", f"has another value than {name}"
            )
        if said == "go" and who != "gm" and self.seats[who].line is not None:
            self._went(slot, who, given)
        if x is not None and x != "-":
            fine = source is not None and source.takes(slot.number, x, path)
            if self.check(
                fine,
                "E09",
                name,
                f"the value of {who} is not of its {source.name if source else 'chain or tree: it has none'}",
            ):
                self.known.add(x)

    def _went(self, slot: Slot, who: str, given: Json) -> None:
        where = f"seats/{who}/go-s{slot.number:04d}.json"
        data = self.box.read(where)
        if not self.check(data is not None, "E10", where, "the lock asks for it and it is missing"):
            return
        go = self.record(where, "go", data)
        if go is not None:
            self.sealed(
                where, [self.seats[who].key], f"pd1-go/{self.game}/{slot.number}/{who}/{slot.lock_id}", data
            )
            luck = normal(go["luck"]) if "luck" in go else None
            same = (go.get("x"), go.get("path"), luck) == (
                given.get("x"),
                given.get("path"),
                given.get("luck"),
            )
            right = (go["game"], go["seat"], go["slot"], go["lock"]) == (
                self.game,
                who,
                slot.number,
                slot.lock_id,
            )
            self.check(
                right and same, "E10", where, "answers another lock, or has another value than the result"
            )

    def _beacon(self, name: str, slot: Slot, used: Json | None) -> str:
        rule = self.manifest.get("beacon")
        slot.round_ = round_at(slot.at, rule) if rule else 0
        if used is None or rule is None:
            return "-"
        self.check(
            used["round"] == slot.round_, "E16", name, f"round {used['round']}; the lock fixes {slot.round_}"
        )
        if not self._is_quicknet(rule):
            self.open_ends.append(
                f"slot {slot.number}: the signature of the beacon is not checked (pd1_bls.py checks quicknet)"
            )
        elif not self.bls.verify_round(used["round"], used["sig"]):
            self.fail("E17", name, f"not the signature of round {used['round']} of drand quicknet")
        return f"drand {rule['chain']} {used['round']} {used['sig']}"

    def _is_quicknet(self, rule: Json) -> bool:
        """Tell whether the beacon can be checked: with another first round or period a GM could have a round
        of his choice.
        """
        if self.bls is None:
            return False
        right = (
            self.bls.QUICKNET_CHAIN,
            self.bls.QUICKNET_KEY,
            self.bls.QUICKNET_GENESIS,
            self.bls.QUICKNET_PERIOD,
        )
        return bool((rule["chain"], rule["pk"], rule["genesis"], rule["period"]) == right)

    def _rolls(self, slot: Slot, found: Json) -> None:
        where = f"rolls/s{slot.number:04d}.jsonl"
        data = self.box.read(where)
        if not self.check(data is not None, "E00", where, "missing"):
            return
        if not self.check(
            hashlib.sha256(data).hexdigest() == found["rolls"],
            "E14",
            where,
            "not the log that the result names",
        ):
            return
        slot.logged = True
        for number, line in enumerate(data.splitlines(True), 1):
            place = f"{where}:{number}"
            try:
                roll = parse_roll(line)
            except Malformed as wrong:
                self.fail("E01", place, f"not canonical: {wrong}")
                break
            if roll is None:
                self.fail("E12", place, "no roll")
                continue
            label, sides, faces = roll
            self.check(label not in self.rolled, "E13", place, f"{label} is rolled again")
            cursor, rule, _ = label.partition("/")
            self.check(
                bool(rule) and cursor in slot.phases,
                "E12",
                place,
                f"{label} is of a phase that was not played",
            )
            right = [die_of(slot.seed, label, sides, i)[0] for i in range(len(faces))]
            self.check(
                right == faces, "E12", place, f"{label} shows {faces!s:.60}; the seed gives {right!s:.60}"
            )
            if label not in self.rolled:
                self.rolled.add(label)
                slot.labels.append(label)
            slot.dice += len(faces)

    def _fresh(self, said: dict[str, str], hashes: dict[str, str]) -> bool:
        values = {said[who] for who in self.outside}
        return "go" in values or ("early" in values and all(self.seats[who].outside for who in hashes))

    def _to_ask(self, slot: Slot) -> list[str]:
        always = [who for who in self.outside if self.seats[who].always and slot.said[who] != "early"]
        early = {who: "early" if slot.said[who] == "early" else "none" for who in self.seats}
        if always or self._fresh(early, slot.hashes):
            return always
        return [
            who for who in self.outside if who not in slot.announced["waits"] or who in slot.hashes
        ] or self.outside

    def _keep(self, name: str, found: Json) -> None:
        kept = [(file["seat"], file["slot"]) for file in found.get("kept", [])]
        self.kept = set(kept)
        for who, number in kept:
            fine = number in self.slots and who in self.slots[number].hashes
            self.check(fine, "E08", name, f"keeps a file of {who} that slot {number} did not lock")

    # undo and rekey

    def _signed(self, where: str, key: Key | None, use: str) -> tuple[Json, str] | None:
        data, seal = self.box.read(where), self.box.read(where + ".sig")
        if data is None or sealed_for(key, use.encode(), hashlib.sha512(data).digest(), seal) is None:
            return None
        try:
            found = parse_record(data)
        except Malformed:
            return None
        return None if form_of(found) else (found, hashlib.sha256(data).hexdigest())

    def _consented(
        self, name: str, found: Json, before: str, needed: set[str], own: str = ""
    ) -> tuple[list[str], str]:
        """Check the consents to an undo or a rekey (E20); return who gave one, and with what the seat in
        question signed it.
        """
        listed = {entry["seat"]: entry["consent"] for entry in found["consents"]}
        complete = len(listed) == len(found["consents"]) and needed <= set(listed) <= needed | (
            {own} & self._with_keys()
        )
        self.check(complete, "E20", name, "not the consent of everybody who has to give one")
        kinds = ("to", "of", "from", "key", "anchor", "root", "recovery")
        what: Json = {key: found[key] for key in kinds if key in found}
        if found["type"] in ("rule", "correct"):
            what = {"act": act_of(found)}
        gave, signed_with = [], ""
        for who in sorted(listed):
            where, seat = f"seats/{who}/consent-{before[:16]}.json", self.seats.get(who)
            right: Json = {"type": "consent", "game": self.game, "seat": who, "head": before, **what}
            use = f"pd1-consent/{self.game}/{who}/{before}"
            paper, word = self._signed(where, seat.key if seat else None, use), "his old key"
            if paper is None and seat and seat.spare and who == own:
                paper, word = self._signed(where, self.key_or_none(seat.spare), use), "his recovery code"
            # an undo, a ruling or a correction makes the announcement with which a new key comes into force
            if paper is None and seat and found["type"] != "rekey":
                coming = [new["key"] for new, *_ in self.waiting if new["of"] == who and "key" in new]
                paper = self._signed(where, self.key_or_none(coming[-1]), use) if coming else None
            if self.check(paper == (right, listed[who]), "E20", where, f"no consent of {who} to just this"):
                gave.append(who)
                signed_with = word if who == own else signed_with
        self.check(
            bool(needed or signed_with or not own),
            "E20",
            name,
            f"nobody but the GM consents to new keys of {own}",
        )
        return gave, signed_with

    def _with_keys(self) -> set[str]:
        return {who for who in self.outside if self.seats[who].line is not None}

    def _lost(self, name: str, waiting: Slot) -> None:
        """Check that a lock that is taken back could not be resolved first."""
        asked = [who for who in self.outside if waiting.said[who] == "go"]
        self.check(
            bool(asked), "E06", name, f"slot {waiting.number} has all its values and was not resolved first"
        )
        if asked and all(self._answered(waiting, who) for who in asked):
            self.warn(
                name,
                f"slot {waiting.number} was taken back before its dice were "
                "rolled, and every go for it is here",
            )

    def _undo(self, name: str, found: Json, before: str) -> bool:
        back, waiting = self.slots.get(found["to"]), self.locked
        if back is None or back.undone or found["slot"] != self.newest:
            self.fail("E06", name, "nothing to take back")
            return False
        if waiting and "beacon" not in self.manifest:
            self._lost(name, waiting)
        gave, _ = self._consented(name, found, before, self._with_keys())
        for who in self.outside:
            if self.seats[who].line is None:
                self.warn(name, f"taken back on the word of the GM: {who} has no key")
        self.check(found["state"] == back.before, "E28", name, f"not the state before slot {back.number}")
        again, first = (self._opening(said) for said in (found.get("next"), back.announced))
        self.check(
            again == first, "E28", name, f"does not open again what was announced for slot {back.number}"
        )
        self._keep(name, found)
        self.check(
            self.kept == back.kept, "E28", name, f"other files are in force than before slot {back.number}"
        )
        while self.line and self.line[-1].number >= back.number:
            slot = self.line.pop()
            slot.undone = True
            self.rolled -= set(slot.labels)
        self.state, self.state_slot = back.before, back.state_slot
        what = (
            f"slot {back.number}" if back.number == self.newest else f"slots {back.number} to {self.newest}"
        )
        self.acts.append(
            f"undo of {what}, consents of "
            f"{', '.join(gave) or 'nobody'}{': ' * bool(found['why'])}{found['why']}"
        )
        return True

    # rulings and corrections: each is a slot by itself

    def _by_hand(self, name: str, own: str, found: Json, before: str) -> Slot:
        """Check the consents to a ruling or a correction and return the slot that it is."""
        gave, _ = self._consented(name, found, before, self._with_keys())
        left = [who for who in self.outside if who not in gave]
        for who in left:
            if self.seats[who].line is None:
                self.warn(name, f"on the word of the GM: {who} has no key")
        number, changes = found["slot"], len(found.get("patch", []))
        patch = f"{changes} change{'s' * (changes != 1)} to the state"
        what = f"ruling in slot {number}, {patch}"
        if found["type"] == "correct":
            others = ", ".join(entry["seat"] for entry in found["orders"])
            what = f"slot {number} corrects slot {found['corrects']} with the same dice"
            what += f", other orders of {others}" * bool(others) + f", {patch}" * bool(changes)
        word = f"with the consent of {', '.join(gave)}" if gave else "on the umpire's word"
        word += f", and for {', '.join(left)} on the umpire's word" * bool(gave and left)
        self.acts.append(f"{what}, {word}{': ' * bool(found['why'])}{found['why']}")
        slot = Slot(number, self.next or {})
        slot.act, slot.path, slot.lock_id, slot.at, slot.head = (
            found["type"],
            name,
            own,
            found["at"],
            self.next_id,
        )
        slot.said = dict.fromkeys(self.seats, "none")
        slot.before, slot.state_slot, slot.kept, slot.seed_before = (
            self.state,
            self.state_slot,
            self.kept,
            self.seed,
        )
        return slot

    def _changed(self, name: str, slot: Slot, found: Json) -> str:
        """Return the SHA-256 of the state before a slot with the changes of its patch, or nothing."""
        where = f"state/s{slot.state_slot:04d}.json"
        data = self.box.read(where)
        if not self.check(data is not None, "E00", where, f"missing, and {name} changes it"):
            return ""
        if not self.check(
            hashlib.sha256(data).hexdigest() == slot.before,
            "E08",
            where,
            f"not the state that {name} changes",
        ):
            return ""
        try:
            made = spelt(changed(parse_record(data), found["patch"]))
            parse_record(made)
        except Malformed as wrong:
            self.fail("E28", name, f"the patch does not fit the state before it: {wrong}")
            return ""
        return hashlib.sha256(made).hexdigest()

    def _rule(self, name: str, own: str, found: Json, before: str) -> bool:
        now, where = self.next, f"state/s{found['slot']:04d}.json"
        if now is None or self.locked or not found["slot"] == now["slot"] == self.newest + 1:
            self.stop("E06", name, "a ruling in a slot that is not open")
        if now.get("questions"):
            self.stop("E06", name, "a ruling while a question is open")
        slot = self._by_hand(name, own, found, before)
        self.slots[slot.number], slot.logged = slot, True
        self.line.append(slot)
        made = self._changed(name, slot, found)
        self.check(made in ("", found["state"]), "E28", name, "its patch leads to another state")
        self.check(self.box.read(where) is not None, "E00", where, f"missing, and {name} leads to it")
        self.agrees(where, found["state"])
        self._keep(name, found)
        self.check(
            self.kept == (slot.kept if "next" in found else set()),
            "E28",
            name,
            "other files are in force than before",
        )
        same = found.get("next", now)["phase"] == now["phase"]
        self.check(same, "E28", name, "opens another phase than the one that was open")
        self.state, self.state_slot = found["state"], slot.number
        slot.known = "no dice"
        return True

    def _correct(self, name: str, own: str, found: Json, before: str) -> bool:
        old = self.slots.get(found["corrects"])
        if old is None or old.undone or not old.path or old.act == "rule" or found["slot"] != self.newest + 1:
            self.stop(
                "E06", name, f"corrects slot {found['corrects']}, which cannot be, or not as the next slot"
            )
        if self.line[-1] is not old:
            self.stop("E06", name, f"corrects slot {old.number}, and later ones stand on it")
        slot = self._by_hand(name, own, found, before)
        slot.announced, slot.head, slot.phases = (
            old.announced,
            old.head,
            tuple(dict.fromkeys(found["phases"])),
        )
        slot.before, slot.state_slot, slot.kept = old.before, old.state_slot, old.kept
        slot.seed, slot.seed_before, slot.first = old.seed, old.seed_before, old.first or old.number
        orders = {entry["seat"]: entry["sha512"] for entry in found["orders"]}
        self.check(
            len(orders) == len(found["orders"]) and set(orders) <= set(self.seats),
            "E08",
            name,
            "other orders of a seat twice, or of a stranger",
        )
        slot.hashes = {who: sha for who, sha in orders.items() if who in self.seats}
        self.line.pop()
        old.undone = True
        self.rolled -= set(old.labels)
        self.slots[slot.number] = slot
        self.line.append(slot)
        for who in sorted(slot.hashes):
            self._other_orders(slot, who, before)
        if "patch" in found:
            self._changed(name, slot, found)
        self._rolls(slot, found)
        self.dice += slot.dice
        first = self.slots[slot.first]
        if slot.dice and "beacon" in self.manifest:
            used = parse_record(self.box.read(first.path))
            self.check("beacon" in used, "E18", name, f"dice, and slot {first.number} could have none")
        elif slot.dice and self.manifest["profile"] != "gm":
            fresh = self._fresh(first.said, first.hashes)
            self.check(fresh, "E23", name, f"dice, and slot {first.number} could have none")
        self.agrees(f"state/s{slot.number:04d}.json", found["state"])
        self._keep(name, found)
        self.state, self.state_slot = found["state"], slot.number
        slot.known = self._knowers(slot, True)
        return True

    def _other_orders(self, slot: Slot, who: str, before: str) -> None:
        """Check other orders: everybody has consented to the hash of this very file."""
        where = f"seats/{who}/orders-s{slot.number:04d}.txt"
        data = self.box.read(where)
        if not self.check(data is not None, "E00", where, "missing, and the correction is played with it"):
            return
        sha = hashlib.sha512(data).hexdigest()
        if not self.check(sha == slot.hashes[who], "E08", where, "not the file that the correction names"):
            return
        header = orders_header(data)
        fine = header is not None and (header["game"], header["slot"], header["seat"]) == (
            self.game,
            str(slot.number),
            who,
        )
        if header is None or not self.check(
            fine, "E07", where, "a header that is none, or is for something else"
        ):
            if header is None:
                self.fail("E07", where, "a header that is none, or is for something else")
            return
        self.check(header["head"] == before, "E25", where, "written under another history")
        self.check("x" not in header and "luck" not in header, "E15", where, "a correction takes no value")

    @staticmethod
    def _opening(said: Json | None) -> str:
        """Return what a slot was opened with, but for its number, the time it is due, and the engine."""
        return json.dumps(
            {key: value for key, value in (said or {}).items() if key not in ("slot", "due", "engine")},
            sort_keys=True,
        )

    def _answered(self, slot: Slot, who: str) -> bool:
        use = f"pd1-go/{self.game}/{slot.number}/{who}/{slot.lock_id}"
        go = self._signed(f"seats/{who}/go-s{slot.number:04d}.json", self.seats[who].key, use)
        return go is not None and go[0].get("lock") == slot.lock_id

    def _rekey(self, name: str, found: Json, before: str) -> None:
        of, seat, keyed = found["of"], self.seats.get(found["of"]), self._with_keys()
        new = {"key", "anchor", "root", "recovery"} & set(found)
        keyless = seat is not None and seat.line is None and "key" not in new
        wrong = not new or found["from"] != self.newest + 1 or ("anchor" in new and self.manifest["v"] == 2)
        wrong = (
            wrong
            or (of != "gm" and (seat is None or not seat.outside))
            or ("recovery" in new and (seat is None or keyless))
        )
        if wrong or (seat and new & {"anchor", "root"} and (keyless or self.manifest["profile"] == "gm")):
            self.stop(
                "E27",
                name,
                "renews nobody, nothing, what cannot be renewed so, or from another slot than the next",
            )
        gave, signed_with = self._consented(name, found, before, keyed - {of}, "" if of == "gm" else of)
        taken = self._taken()
        if "key" in new:
            key = self.key_or_none(found["key"])
            free = self.check(
                key is not None and found["key"] not in taken,
                "E03",
                name,
                "the new key is in use, or none of prime order",
            )
            if of == "gm" and free and key:
                self.retired[self.keys[-1].line] = found["from"]
                self.keys.append(key)
        if seat and "recovery" in new:
            self._spare(name, found["recovery"], taken - {seat.spare} | {found.get("key")})
        for kind in sorted(new & {"anchor", "root"}):
            self.check(found[kind] not in self.known, "E09", name, f"the new {kind} is known already")
            self.known.add(found[kind])
        self._allowed(of, found)
        how = f"consents of {', '.join(gave) or 'nobody'}" if of == "gm" else f"signed with {signed_with}"
        if of != "gm" and not signed_with:
            word = ", ".join(["gm", *(who for who in gave if who != of)])
            how = (
                f"NOT signed by {of}, on the word of {word}: whoever holds the new "
                f"{'key' if 'key' in new else 'values'} may be the GM"
            )
            self.warn(name, f"{of} has not signed this change of his keys; it is on the word of {word}")
        self.waiting.append((found, bool(signed_with), len(self.acts), how))
        self.acts.append(f"rekey of {of}, from what is announced next: {how}")

    def _renewed(self, announces: bool) -> None:
        """Let what rekeys said hold from here on; only the key of the GM holds since the record itself."""
        for new, own, place, how in self.waiting:
            self._fixed(new["of"], new, new["from"])
            if new["of"] != "gm":
                seat = self.seats[new["of"]]
                if "key" in new:
                    seat.line, seat.key = new["key"], self.key_or_none(new["key"])
                if "recovery" in new or not own:
                    seat.spare = new.get("recovery")
            if announces:
                self.since[new["of"]] = self.newest + 1
                self.acts[place] = f"rekey of {new['of']}, from slot {self.newest + 1}: {how}"
        self.waiting = []

    def _taken(self) -> set[str | None]:
        """Return the lines of all keys that are in use, or will be from the next announcement on."""
        lines = {line for seat in self.seats.values() for line in (seat.line, seat.spare)}
        return (
            lines
            | {key.line for key in self.keys}
            | {new.get(kind) for new, *_ in self.waiting for kind in ("key", "recovery")}
        )

    def _allowed(self, who: str, new: Json) -> None:
        """Note which lines of keys/allowed_signers follow from new keys."""
        for kind, uses in (("key", ("join", "orders", "go", "consent")), ("recovery", ("consent",))):
            if kind in new:
                names = (
                    [f"pd1-gm/{self.game}", f"pd1-pack/{self.game}"]
                    if who == "gm"
                    else [f"pd1-{use}/{self.game}/*" for use in uses]
                )
                self.signers.add(f'{who}@{self.game} namespaces="{",".join(names)}" {new[kind]}')
        if "key" in new:
            self.keys_of.setdefault(who, []).append(new["key"])

    def _spare(self, where: str, line: str, taken: set[str | None]) -> None:
        self.check(
            self.key_or_none(line) is not None and line not in taken,
            "E03",
            where,
            "the recovery key is in use, or none of prime order",
        )

    # at the end

    def _end(self) -> None:
        if not self.started:
            self.open_ends.append("the game has not started")
            return
        for number, slot in sorted(self.slots.items()):
            for who in sorted(slot.hashes) if slot.path else ():
                where = f"seats/{who}/orders-s{number:04d}.txt"
                if self.box.read(where) is None:
                    if (who, number) in self.kept and self.next is not None:
                        self.warn(where, "in force, and not published yet")
                    else:
                        self.fail("E00", where, "in the lock, no longer in force, and missing")
        self._signers()
        self._receipts()
        self._files()
        self._goes()
        self._others()

    def _goes(self) -> None:
        asked = {
            f"seats/{who}/go-s{slot.number:04d}.json": slot
            for slot in self.slots.values()
            for who in slot.said
            if slot.said[who] == "go"
        }
        for name in filter(GO.fullmatch, self.box.names):
            slot = asked.get(name)
            if slot is None:
                self.warn(name, "a go that no lock asked for")
            elif slot.undone and not slot.path:
                self.warn(
                    name,
                    f"a go for slot {slot.number}, which was taken back before it was resolved: it has no "
                    "date and means nothing",
                )

    def _others(self) -> None:
        strange = [
            name
            for name in self.box.names
            if name.split("/")[0] in KINDS and "/drafts/" not in name and not self._ours(name)
        ]
        if strange:
            self.warn(several(strange), f"not of the game, and passed over: {some(strange)}")

    def _ours(self, name: str) -> bool:
        """Tell whether a file is of the proof: what of scenario and tables is, the manifest says."""
        if name.split("/")[0] in ("scenario", "tables"):
            return name in self.given
        return protocol(name)

    def _signers(self) -> None:
        """Check the list of keys that a reader gives to ssh-keygen: it names no other key, and none for
        another use.
        """
        where = "keys/allowed_signers"
        data = self.box.read(where)
        self.check(data is not None or where not in self.box.names, "E00", where, "no plain file")
        lines = (data or b"").decode("utf-8", "replace").replace("\r\n", "\n").split("\n")
        for number, line in enumerate(lines[:-1] if lines[-1] == "" else lines, 1):
            self.check(
                line in self.signers,
                "E08",
                where,
                f"line {number} does not follow from the manifest, the joins and the rekeys",
            )

    def _receipts(self) -> None:
        vows: dict[Any, tuple[bool, str, str, str]] = {}
        for name in filter(RECEIPT.fullmatch, self.box.names):
            data, seal, use = (
                self.box.read(name),
                self.box.read(name + ".sig"),
                f"pd1-gm/{self.game}".encode(),
            )
            digest = b"" if data is None else hashlib.sha512(data).digest()
            line = next(
                (
                    key.line
                    for key in self.keys
                    if data is not None and sealed_for(key, use, digest, seal) is not None
                ),
                "",
            )
            paper = None
            if line:
                with contextlib.suppress(Malformed):
                    paper = parse_record(data)
            if paper is None or form_of(paper) or paper["type"] != "receipt" or paper["game"] != self.game:
                self.warn(name, "no receipt that the GM signed for this game: it promises nothing")
                continue
            self.signatures += 1
            of, new = (
                (paper["slot"], paper["seat"], line),
                (paper["file"] == "final", paper["at"], paper["sha512"], name),
            )
            vows[of] = max(vows.get(of, new), new)
        for (number, who, line), (_, _, sha, name) in sorted(vows.items()):
            slot = self.slots.get(number)
            if slot is not None and slot.act:  # it used up the slot, and all that had come for it
                continue
            if slot is not None and slot.hashes.get(who) != sha and line != self.keys[-1].line:
                whose = (
                    f"a key that was retired in slot {self.retired.get(line, 0)}: whoever had that key "
                    "could have made it"
                )
                self.warn(name, f"promises another file than the lock has, but is signed with {whose}")
            else:
                self.check(
                    slot is None or slot.hashes.get(who) == sha,
                    "E24",
                    name,
                    "promises another file than the lock has",
                )

    def _files(self) -> None:
        data = self.box.read("FILES")
        if data is None:
            self.check(self.box.read("FILES.sig") is None, "E00", "FILES", "missing, its signature is there")
            return
        self.sealed("FILES", [self.keys[-1]], f"pd1-pack/{self.game}", data)
        listed: dict[str, str] = {}
        try:
            lines = data.decode().split("\n")
        except UnicodeDecodeError:
            lines = ["?"]
        last = ""
        for line in lines[:-1]:
            match = re.fullmatch("([0-9a-f]{64})  ([^\x00-\x1f\x7f]{1,400})", line)
            if match is None or match.group(2) <= last:
                lines = ["?"]
                break
            last = match.group(2)
            listed[last] = match.group(1)
        if not self.check(lines[-1] == "", "E08", "FILES", "not a list of files"):
            return
        other: list[str] = []
        gone: list[str] = []
        seals: list[str] = []
        made: list[str] = []
        for name in sorted(listed):
            found = self.box.read(name)
            if found is not None and hashlib.sha256(found).hexdigest() == listed[name]:
                continue
            if not self._ours(name):
                made.append(name)
            elif found is None:
                gone.append(name)
            else:
                (seals if name.endswith(".sig") else other).append(name)
        for name in other:
            self.fail("E08", name, "not the file that FILES names")
        for name in gone:
            self.fail("E00", name, "named by FILES and missing")
        if seals:
            self.warn(
                "FILES",
                f"{several(seals)} written otherwise than FILES says; a signature holds or fails by itself: "
                f"{some(seals)}",
            )
        if made:
            self.warn(
                "FILES",
                f"{several(made)} that can be made again, other than FILES says or missing: {some(made)}",
            )
        late = [name for name in self.box.names if name not in listed and name not in ("FILES", "FILES.sig")]
        added = [
            name for name in late if name.split("/")[0] not in KINDS or "/drafts/" in name or self._ours(name)
        ]
        if added:
            self.warn(
                "FILES", f"{several(added)} that FILES does not name, added after packing: {some(added)}"
            )

    # who could have known

    def _knowers(self, slot: Slot, fresh: bool) -> str:
        if not slot.logged:
            return "cannot decide: the roll log is missing or is not the signed one"
        if not slot.dice:
            return "no dice"
        if slot.first:
            return f"known to everybody since slot {slot.first}"
        if self.manifest["profile"] == "gm" or not fresh:
            chosen = (
                not self.outside
                or any(self.seats[who].joins_unsigned for who in self.outside)
                or "gm" in self.since
            )
            return ("could have been chosen by" if chosen else "known beforehand to") + " THE GM ALONE"
        went = [who for who in self.outside if slot.said[who] == "go"]
        early = [who for who in self.outside if slot.said[who] == "early"]
        group = went or early
        chosen = any(who in slot.words for who in group)
        since = max(self.since.get(who, 0) for who in ("gm", *group))
        others = any(last >= since for who, last in self.gave.items() if who not in group)
        if len(self.seats) == 2 and len(self.outside) == 1:
            named, chosen = "both sides together", chosen or since > 0
        elif not went and len(early) > 1:
            named = f"gm + the last of {','.join(early)}"
        else:
            named, chosen = "+".join(["gm", *group]), chosen or not others
        return f"{'could have been chosen by' if chosen else 'known beforehand only to'} {named}"

    def foreknown(self, slot: Slot) -> str:
        """Return who could have known the dice of a slot before the last choice, or chosen them."""
        if not slot.path:
            return "no dice" if slot.undone else "not rolled yet"
        if "beacon" not in self.manifest or slot.first or not slot.logged or not slot.dice:
            return slot.known
        rule = self.manifest["beacon"]
        if not self._is_quicknet(rule):
            return "the beacon is not checked: cannot decide"
        try:
            out = datetime.datetime(1970, 1, 1) + datetime.timedelta(
                seconds=rule["genesis"] + (slot.round_ - 1) * rule["period"]
            )
        except OverflowError:
            return "the round of the beacon is of no year that could be written: cannot decide"
        time = f"{out:%Y-%m-%dT%H:%M:%SZ}"
        by = sorted(who for who, when in self.seen.get(slot.lock_id, {}).items() if when < time)
        if by:
            return f"known to nobody before {time} (beacon); lock seen in time by {','.join(by)}"
        fresh = self.manifest["profile"] != "gm" and self._fresh(slot.said, slot.hashes)
        return slot.known if fresh else "lock seen in time by no seat: THE GM ALONE could have known"

    @property
    def verdict(self) -> str:
        """Return PASS, FAIL, or CANNOT DECIDE."""
        if any(code != "E00" for code, _, _ in self.failures):
            return "FAIL"
        return "CANNOT DECIDE" if self.failures or self.open_ends else "PASS"

    @property
    def head(self) -> str:
        """Return the id of the newest record."""
        return self.ids[-1] if self.ids else ""

    def lines(self) -> Iterator[str]:
        """Yield what there is to say, what matters most first."""
        counts = (
            (len(self.ids), "record"),
            (self.signatures, "signature"),
            (self.dice, ""),
            (len(self.warnings), "warning"),
        )
        told = ", ".join(
            f"{n} {what}{'s' * (n != 1)}" if what else f"{n} dice"
            for n, what in [*counts, (len(self.failures), "failure")]
        )
        yield f"{self.verdict}  {self.game or '-'}   rules not replayed   {told}"
        if self.head:
            yield f"head {short(self.head)}"
        slots = [self.slots[number] for number in sorted(self.slots)]
        if self.started:
            yield self.summed()
        yield from self.deeds()
        yield from (f"{code}  {where}: {why}" for code, where, why in self.failures)
        yield from (f"W    {where}: {why}" for where, why in self.warnings)
        yield from (f"?    {why}" for why in self.open_ends)
        for who in self.outside:
            words = [
                f"slot {slot.number}: {slot.words[who]}"
                for slot in slots
                if who in slot.words and self.seats[who].joins_unsigned
            ]
            if words:
                yield f"{who} has no key: only {who} can confirm these words: {'; '.join(words)}"
        wide = max((len(slot.announced["phase"]) for slot in slots), default=0)
        for slot in slots:
            early, went = (
                ",".join(who for who in self.outside if slot.said[who] == kind) or "-"
                for kind in ("early", "go")
            )
            status = "undone" if slot.undone else "ok" if slot.path else "open"
            given = f"files {len(slot.hashes)}/{len(slot.said)}  early {early:<12}  go {went:<12}"
            row = (
                f" slot {slot.number:<4} {slot.announced['phase']:<{wide}}  {status:<6}  {given}  dice "
                f"{slot.dice:>4}"
            )
            yield f"{row}  {self.foreknown(slot)}"

    def summed(self) -> str:
        """Return who could have known the dice, over all slots that were not taken back."""
        counted: dict[str, int] = {}
        for slot in self.line:
            if slot.dice:
                known = self.foreknown(slot)
                known = (
                    "known to nobody before their round (beacon)"
                    if known.startswith("known to nobody")
                    else known
                )
                counted[known] = counted.get(known, 0) + 1
        total = sum(counted.values())
        told = ", ".join(
            f"{counted[known]} {known}" for known in sorted(counted, key=lambda known: -counted[known])
        )
        return f"{total} slot{'s' * (total != 1)} with dice: {told}" if total else "no dice have been rolled"

    def deeds(self) -> list[str]:
        """Return undos, new keys, other engines and notes of the GM, a line each; a note that he repeats is
        one line.
        """
        more = {
            note: f" and {len(where) - 1} more" if len(where) > 1 else ""
            for note, where in self.notes.items()
        }
        return [
            *self.acts,
            *(f"note of the GM in {where[0]}{more[note]}: {note}" for note, where in self.notes.items()),
        ][:1000]

    # one die

    def explain(self, label: str, number: int | None) -> Iterator[str]:
        """Yield how a roll came to its faces, from the values that the players gave."""
        for slot in sorted(self.slots.values(), key=lambda slot: (slot.undone, -slot.number)):
            if slot.path and number in (None, slot.number):
                for line in (self.box.read(f"rolls/s{slot.number:04d}.jsonl") or b"").splitlines(True):
                    roll = parse_roll(line)
                    if roll and label in (roll[0], roll[0].partition("/")[2]):
                        yield from self._explained(slot, *roll)
                        return
        yield f"no roll {label} is in the archive"

    def _explained(self, slot: Slot, label: str, sides: int, faces: list[int]) -> Iterator[str]:
        if slot.first:
            yield f"slot {slot.number} corrects slot {slot.first} and has its seed"
            slot = self.slots[slot.first]
        result = parse_record(self.box.read(slot.path))
        yield f"slot {slot.number}  {label}  d{sides}: {' '.join(map(str, faces))}"
        yield "1. The values of this slot, and where each was fixed:"
        given = {value["who"]: value for value in result["values"]}
        fixed = (
            ("root" if self.manifest["v"] == 2 else "anchor")
            + " in the manifest"
            + (" or in a rekey" if "gm" in self.since else "")
        )
        for who in ["gm", *self.outside]:
            said, value = slot.said.get(who, "chain"), given[who]
            what = f"words “{value['luck']}”" if "luck" in value else f"value {value['x']}"
            where = {"early": (
                f"in seats/{who}/orders-s{slot.number:04d}.txt, SHA-512 in the lock "
                f"{slot.hashes.get(who, '')}"
            ),
                     "go": f"given after lock {slot.lock_id}", "none": "gives none in this slot",
                     "chain": f"follows from the {fixed}"}[said]  # fmt: skip
            yield f"   {who}: {what}, {where}"
        beacon = result.get("beacon")
        drand = (
            f"drand {self.manifest['beacon']['chain']} {beacon['round']} {beacon['sig']}" if beacon else "-"
        )
        text = seed_text(self.game, slot.number, given, drand)
        yield (
            "2. The seed is the HMAC-SHA256 of these values; its key is the seed, or salt, before it: "
            f"{slot.seed_before.hex()}"
        )
        yield "   " + openssl(text, slot.seed_before)
        yield f"   {slot.seed.hex()}"
        yield "3. Each die is one HMAC-SHA256 of its name under the seed:"
        for i, face in enumerate(faces):
            value, message, digest, word, refused = die_of(slot.seed, label, sides, i)
            yield "   " + openssl(message, slot.seed)
            yield f"   {digest}"
            yield from (
                f"   0x{bad:08x} is refused: {bad} is not below {2**32 - 2**32 % sides}" for bad in refused
            )
            yield f"   0x{word:08x} = {word}; {word} mod {sides} + 1 = {value}" + (
                "" if value == face else f"  THE LOG SAYS {face}"
            )
        yield f"4. The dice of this slot: {self.foreknown(slot)}"


def several(names: list[str]) -> str:
    """Return how many files these are."""
    return "1 file" if len(names) == 1 else f"{len(names)} files"


def used_up(slot: Slot) -> str:
    """Return what became of whatever had come for a slot that a ruling or a correction took."""
    what = "ruling" if slot.act == "rule" else "correction"
    return f"slot {slot.number} became a {what} before it was locked: what had come for it counts for nothing"


def some(names: list[str]) -> str:
    """Return the first few of some names, and how many there are besides."""
    return ", ".join(names[:8]) + (f" and {len(names) - 8} more" if len(names) > 8 else "")


def openssl(text: str, key: bytes) -> str:
    """Return the line that computes an HMAC, for the shell of this computer."""
    shown = text.replace("\n", "\\n")
    if sys.platform == "win32":
        return (
            f"py -c \"import hmac; print(hmac.new(bytes.fromhex('{key.hex()}'), b'{shown}', "
            "'sha256').hexdigest())\""
        )
    return f"printf '{shown}' | openssl dgst -sha256 -mac HMAC -macopt hexkey:{key.hex()}"


def shown(line: str) -> str:
    """Return a line with everything that cannot be seen spelt out."""
    return "".join(letter if letter.isprintable() else f"\\u{{{ord(letter):x}}}" for letter in line)


# ---- a player's own letters ----

FINE, WAITS, DOUBT, MISSING = "fine", "waits", "doubt", "missing"
ARMOUR = b"-----BEGIN SSH SIGNATURE-----"
STRANGE = "that is not in this history; compare copies with --with"
Answer = tuple[str, str]


def first(*rows: tuple[bool, str, str]) -> Answer:
    """Return answer and words of the first row that fits."""
    return next((answer, said) for fits, answer, said in rows if fits)


class Letter:
    """One file of what a player sent and got: an order file, or a record; its signature stands beside it or
    below.
    """

    def __init__(self, path: str, data: bytes, seal: bytes | None) -> None:
        header = orders_header(data) if data.startswith(b"#pd1-orders/1") else None
        body, mark, below = data.partition(ARMOUR)
        if mark and header is None:
            data, seal = body.replace(b"\r\n", b"\n"), (mark + below).replace(b"\r\n", b"\n")
        self.path, self.data, self.seal, self.kind = path, data, seal, "orders"
        self.record: Json = {**header, "slot": int(header["slot"])} if header else parse_record(data)
        if header is None:
            self.kind = str(self.record.get("type"))
            if self.kind not in OTHERS or form_of(self.record) or len(data) > 65_536:
                raise Malformed("no letter of a player")
        self.sha256, self.sha512 = hashlib.sha256(data).hexdigest(), hashlib.sha512(data).hexdigest()
        self.final = bool({"x", "luck"} & set(self.record))

    def signed_by(self, lines: list[str], use: str) -> bool:
        """Tell whether one of some keys has signed it for a use."""
        keys, digest = map(Audit.key_or_none, lines), bytes.fromhex(self.sha512)
        return any(sealed_for(key, use.encode(), digest, self.seal) is not None for key in keys)


class Mine:
    """What became of each letter of a player: it is in the game or lawfully replaced, waits, proves nothing,
    or is missing.
    """

    def __init__(self, audit: Audit, box: Any) -> None:
        self.audit = audit
        self.letters: list[Letter] = []
        self.others: list[str] = []
        self.found: list[tuple[int, str, str, str, str, str]] = []  # slot, seat, path, kind, answer, words
        for path in box.names:
            data = None if path.endswith(".sig") else box.read(path)
            try:
                self.letters += [] if data is None else [Letter(path, data, box.read(path + ".sig"))]
            except Malformed:
                self.others.append(path)
        self.promises: dict[tuple[str, int], tuple[bool, str, str]] = {}
        for letter in self.letters:
            paper = letter.record
            if letter.kind == "receipt" and paper["game"] == audit.game and self._of_the_gm(letter):
                promise = paper["file"] == "final", paper["at"], paper["sha512"]
                of = paper["seat"], paper["slot"]
                self.promises[of] = max(promise, self.promises.get(of, promise))
        for letter in self.letters:
            self._look_up(letter)
        self._plain(box)
        self.found.sort(key=lambda one: (one[0] == 0 and one[3] not in ("key", "join"), *one[:4]))

    def _look_up(self, letter: Letter) -> None:
        seat, number, game = letter.record["seat"], letter.record.get("slot", 0), letter.record["game"]
        slot = self.audit.slots.get(number)
        if game != self.audit.game:
            number, answer, said = 0, DOUBT, f"of another game, {game}"
        elif seat not in self.audit.seats:
            answer, said = DOUBT, f"of the seat {seat}, which this game does not have"
        elif letter.kind == "receipt" and not self._of_the_gm(letter):
            answer, said = DOUBT, "not signed by the GM, so it promises nothing"
        elif letter.kind in ("join", "consent"):
            answer, said = self._join(letter, seat) if letter.kind == "join" else self._consent(letter)
        elif slot is None:
            answer, said = WAITS, f"slot {number} is not locked in this copy of the game"
        else:
            has = (
                f"another file ({slot.hashes[seat][:16]})" if seat in slot.hashes else "no file of this seat"
            )
            became = {"orders": self._orders, "go": self._go, "receipt": self._receipt}[letter.kind]
            answer, said = became(letter, seat, slot, f"the lock of slot {number} has {has}")
        self.found.append((number, seat, letter.path, letter.kind, answer, said))

    def _of_the_gm(self, letter: Letter) -> bool:
        return letter.signed_by(self.audit.keys_of["gm"], f"pd1-gm/{self.audit.game}")

    def _join(self, letter: Letter, seat: str) -> Answer:
        keys = [
            given["key"] for given in self.audit.manifest["seats"] if given["seat"] == seat and "key" in given
        ]
        if letter.seal:
            same = letter.signed_by(keys, f"pd1-join/{self.audit.game}/{seat}")
            said = (
                f"signed with the key that {seat} has"
                if same
                else f"NOT YOUR KEY: not signed with the one that {seat} has"
            )
            self.found.append(
                (0, seat, letter.path, "key", FINE if same else MISSING, f"{said} in the manifest")
            )
        return first(
            (not self.audit.started, WAITS, "the game has not started in this copy"),
            ((seat, letter.sha256) in self.audit.joins, FINE, "used: the start names this join"),
            (True, MISSING, "NOT USED: the start names another join of this seat"),
        )

    def _consent(self, letter: Letter) -> Answer:
        audit, head = self.audit, letter.record["head"]
        return first(
            (letter.sha256 in audit.consents, FINE, f"used by {audit.consents.get(letter.sha256)}"),
            (head not in audit.ids, DOUBT, "it names a record that is not in this copy of the game"),
            (head == audit.head, WAITS, "nothing has been done with it yet"),
            (True, FINE, "not used, and it can no longer be: other records have come since"),
        )

    def _orders(self, letter: Letter, seat: str, slot: Slot, lock: str) -> Answer:
        audit, head, number, there = self.audit, letter.record["head"], slot.number, slot.hashes.get(seat)
        keys, words = audit.keys_of.get(seat, []), normal(letter.record.get("luck"))
        value = value_of(audit.game, number, seat, {"luck": words}) if words else letter.record.get("x")
        stolen = (
            "; its value went into the dice all the same" if value and slot.values.get(seat) == value else ""
        )
        used = next(
            (other for other in self.letters if other.kind == "orders" and other.sha512 == there), letter
        )
        promised = self.promises.get((seat, number), (False, "", ""))[2] == letter.sha512
        signed = not keys or letter.signed_by(keys, f"pd1-orders/{audit.game}/{number}/{seat}/{head}")
        which = "of two final files the one that came first counts, and only you know which it was"
        back = " (the slot was taken back later)" if slot.undone else ""
        return first(
            (there == letter.sha512, FINE, f"used: the lock of slot {number} names this file{back}"),
            (bool(slot.act), DOUBT, used_up(slot)),
            (promised, MISSING, f"NOT USED though the GM promised it: {lock}"),
            (not signed, DOUBT, "not signed with the key of the seat, so nobody could use it"),
            (
                head != slot.head and head in audit.ids,
                DOUBT,
                f"written under an older report than the one that slot {number} was locked under",
            ),
            (head != slot.head, MISSING, f"NOT USED: it answers a report ({head[:16]}) {STRANGE}"),
            (used is not letter and letter.final and used.final, DOUBT, f"{used.path} was used: {which}"),
            (used is not letter and not letter.final, FINE, f"replaced by your other file {used.path}"),
            (letter.final, MISSING, f"NOT USED though final: {lock}{stolen}"),
            (slot.announced["value"] == "go", MISSING, f"NOT USED though the file of this slot: {lock}"),
            (True, DOUBT, f"a draft; {lock}"),
        )

    def _go(self, letter: Letter, seat: str, slot: Slot, _: str) -> Answer:
        number, lock = slot.number, letter.record["lock"]
        used = slot.values.get(seat) == value_of(self.audit.game, number, seat, letter.record)
        return first(
            (bool(slot.act), DOUBT, used_up(slot)),
            (lock != slot.lock_id, MISSING, f"NOT USED: it answers a lock ({lock[:16]}) {STRANGE}"),
            (slot.said[seat] != "go", DOUBT, f"nobody asked for it: the lock of slot {number} does not"),
            (not slot.path and slot.undone, DOUBT, f"slot {number} was taken back before its dice"),
            (not slot.path, WAITS, f"slot {number} has no result yet"),
            (used, FINE, f"used: its value is in the dice of slot {number}"),
            (
                True,
                MISSING,
                f"NOT USED: slot {number} has another value of this seat "
                f"(seats/{seat}/go-s{number:04d}.json)",
            ),
        )

    def _receipt(self, letter: Letter, seat: str, slot: Slot, lock: str) -> Answer:
        sha512 = letter.record["sha512"]
        return first(
            (slot.hashes.get(seat) == sha512, FINE, f"kept: the lock of slot {slot.number} names this file"),
            (bool(slot.act), DOUBT, used_up(slot)),
            (self.promises[seat, slot.number][2] != sha512, FINE, "replaced by a later receipt"),
            (True, MISSING, f"BROKEN: {lock}"),
        )

    def _plain(self, box: Any) -> None:
        """Look for files without a header, as a seat without a key sends them, among the published orders of
        such seats.
        """
        words: dict[bytes, tuple[int, str]] = {}
        for number, slot in sorted(self.audit.slots.items()) if self.others else ():
            for who in sorted(slot.hashes):
                data = self.audit.box.read(f"seats/{who}/orders-s{number:04d}.txt") or b""
                if (
                    self.audit.seats[who].outside
                    and self.audit.seats[who].line is None
                    and orders_header(data)
                ):
                    words.setdefault(data.replace(b"\r\n", b"\n").partition(b"\n---\n")[2], (number, who))
        for path in list(self.others):
            data = box.read(path).replace(b"\r\n", b"\n")
            if data.strip() and data in words:
                number, who = words[data]
                self.found.append(
                    (
                        number,
                        who,
                        path,
                        "orders",
                        FINE,
                        f"used: the published file of slot {number} has these very words",
                    )
                )
                self.others.remove(path)

    @property
    def broken(self) -> str:
        """Return the first thing of the game itself that does not hold."""
        return next(
            (f"{code} {where}: {why}" for code, where, why in self.audit.failures if code != "E00"), ""
        )

    @property
    def answer(self) -> int:
        """Return 1 where something is missing that has to be there, 3 where nothing of this game was found,
        else 0.
        """
        answers = {one[4] for one in self.found}
        return 1 if self.broken or MISSING in answers else 0 if answers & {FINE, WAITS} else 3

    def lines(self) -> Iterator[str]:
        """Yield what there is to say."""
        letters, missing = (
            sum(one[3] != "key" for one in self.found),
            sum(one[4] == MISSING for one in self.found),
        )
        word = {0: "ALL THERE", 1: "NOT ALL THERE", 3: "NOTHING OF THIS GAME"}[self.answer]
        yield (
            f"{word}  {self.audit.game}   head {short(self.audit.head)}   {letters} "
            f"letter{'s' * (letters != 1)}, {missing} missing"
        )
        if self.broken:
            yield f"The game itself does not hold: {self.broken}"
        wide = max((len(one[2]) for one in self.found), default=0)
        for number, _, path, kind, answer, said in self.found:
            slot = f"slot {number}" if number else "-"
            yield f"{'!' if answer == MISSING else ' '} {path:<{wide}}  {kind:<7}  {slot:<8}  {said}"
        if self.others:
            yield (
                "Not letters of this program: "
                f"{', '.join(self.others[:20])}{' …' if len(self.others) > 20 else ''}"
            )


def opened(path: str) -> Any:
    """Return the archive at a path."""
    return Folder(path) if os.path.isdir(path) else Zip(path)


class Rewritten:
    """A game in which some files have other bytes."""

    def __init__(self, box: Any, files: dict[str, bytes]) -> None:
        self.box, self.files, self.names = box, files, box.names

    def read(self, name: str) -> bytes | None:
        """Return a file, or None."""
        return self.files[name] if name in self.files else self.box.read(name)


def text_again(box: Any) -> dict[str, bytes]:
    """Return the files that were only written otherwise, by a copy in text mode: line ends, a byte order
    mark, the last line end.

    A record has one spelling; any other file was what a hash in the ledger or in FILES says, or is left as it
    is.
    """
    said: set[str] = set()
    changed: dict[str, bytes] = {}
    loose = []
    for name in box.names:
        alone = any(form.fullmatch(name) for form in (RECORD, RECEIPT, GO, PAPER)) and not name.endswith(
            ".txt"
        )
        if name != "FILES" and not alone:
            if protocol(name) or PATH(name):
                loose.append(name)
            continue
        data = box.read(name)
        if data is None:
            continue
        bare = without_mark(data).rstrip(b"\n")
        if bare and bare + b"\n" != data and len(bare) < roof(name):
            changed[name] = data = bare + b"\n"
        if name == "FILES" or RECORD.fullmatch(name):
            said |= set(re.findall("[0-9a-f]{64,}", data.decode("latin-1")))
    seen = 0
    for name in loose:
        data = box.read(name)
        digest = hashlib.sha512 if name.endswith(".txt") and PAPER.fullmatch(name) else hashlib.sha256
        if data is None or len(data) > MIB or digest(data).hexdigest() in said:
            continue
        seen += len(data)
        if seen > 16 * MIB:
            break
        plain = without_mark(data)
        for form in (plain, plain.rstrip(b"\n"), plain.rstrip(b"\n") + b"\n"):
            for other in (form, form.replace(b"\n", b"\r\n")):
                if name not in changed and other != data and digest(other).hexdigest() in said:
                    changed[name] = other
    return changed


def without_mark(data: bytes) -> bytes:
    """Return a text without a byte order mark, with plain line ends."""
    return data[3 * data.startswith(b"\xef\xbb\xbf") :].replace(b"\r\n", b"\n")


def judge(box: Any, bls: Any = None) -> Audit:
    """Return the reading of an archive; where only a copy in text mode is to blame, that of the archive
    before it, which is not decided.
    """
    first = Audit(box, bls)
    files = text_again(box) if first.verdict == "FAIL" else {}
    if not files:
        return first
    why = (
        f"the line ends of {several(sorted(files))} were changed (a copy in "
        "text mode; git autocrlf does that)"
    )
    second = Audit(Rewritten(box, files), bls)
    if second.verdict == "FAIL":
        first.warn(several(sorted(files)), f"{why}: pbem mend COPY -o MENDED.zip")
        return first
    second.open_ends.append(f"{why}: pbem mend COPY -o MENDED.zip")
    return second


def beacon_checker() -> Any:
    """Return the module pd1_bls that lies beside this file, or None."""
    place = os.path.join(os.path.dirname(os.path.abspath(__file__)), "pd1_bls.py")
    spec = importlib.util.spec_from_file_location("pd1_bls", place) if os.path.isfile(place) else None
    if spec is None or spec.loader is None:
        return None
    sys.dont_write_bytecode = True  # an unpacked archive stays as it is
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def compared(one: Audit, other: Audit) -> tuple[int, str]:
    """Return 0 and why two copies are one history, 1 and why they are two of one GM, or 3 and why neither is
    shown.
    """
    shared = next(
        (n for n, (a, b) in enumerate(zip(one.ids, other.ids)) if a != b), min(len(one.ids), len(other.ids))
    )
    both = (one, other)
    heads = " and ".join(
        short((audit.ids[shared:] or [audit.head])[0]) if audit.ids else "-" for audit in both
    )
    ended = all(len(audit.ids) > shared or audit.whole for audit in both)
    if shared and ended and shared == min(len(one.ids), len(other.ids)):
        return (
            0,
            f"one history: {shared} records in common; heads "
            f"{' and '.join(short(audit.head) for audit in both)}",
        )
    why = "one copy is changed there, and the GM has not signed it so: anybody can make that"
    if not ended:
        why = "one copy cannot be read beyond that place"
    elif one.game != other.game:
        why = f"they are two games, {one.game} and {other.game}"
    elif one.manifest["key"] != other.manifest["key"]:
        why = "they name another key of the GM: anybody can make that"
    elif all(len(audit.sound) > shared and all(audit.sound[: shared + 1]) for audit in both):
        return 1, f"FORK: {shared} records in common; then the GM has signed two; heads {heads}"
    return 3, f"no fork is shown: {why}; {shared} records in common; heads {heads}"


def main(arguments: list[str] | None = None) -> int:
    """Do what the command line asks; return 0, 1 or 3."""
    parser = argparse.ArgumentParser(
        description="Check the dice of a game by mail from its archive alone (protocol pd1).",
        epilog=(
            "On Windows: py pd1_verify.py ARCHIVE. Exit: 0 all of this holds, 1 something does not, 2 wrong "
            "usage, 3 cannot decide."
        ),
    )
    parser.color = False  # type: ignore[attr-defined]
    parser.add_argument("archive", help="a zip or a folder")
    parser.add_argument("--die", metavar="LABEL", help="show how one roll came out")
    parser.add_argument("--slot", type=int, metavar="N", help="of this slot")
    parser.add_argument("--with", dest="other", metavar="OTHER", help="another copy: is it one history?")
    parser.add_argument(
        "--mine", metavar="FOLDER", help="what you sent and got: is it in the game, and is your key yours?"
    )
    asked = parser.parse_args(arguments)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        audit = judge(opened(asked.archive), beacon_checker())
        if asked.other:
            answer, line = compared(audit, Audit(opened(asked.other)))
            print(shown(line))
            if answer:
                return answer
        if asked.mine and not audit.keys:
            print("CANNOT DECIDE  -   there is no game in it, or nothing of it can be read")
            return 3
        mine = Mine(audit, opened(asked.mine)) if asked.mine else None
    except Unread as wrong:
        print(shown(f"CANNOT DECIDE  -   not an archive that is read, so nothing is judged: {wrong}"))
        return 3
    except OSError as wrong:
        print(shown(f"CANNOT DECIDE  -   {wrong}"))
        return 3
    if mine:
        for line in mine.lines():
            print(shown(line))
        return mine.answer
    for line in (
        audit.explain(asked.die, asked.slot) if asked.die and audit.verdict != "FAIL" else audit.lines()
    ):
        print(shown(line))
    return {"PASS": 0, "FAIL": 1, "CANNOT DECIDE": 3}[audit.verdict]


if __name__ == "__main__":
    try:
        sys.exit(main())
    except BrokenPipeError:  # whoever read the output has read enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
