"""Text in its one normal form, by the data of one edition of Unicode, for ever and on every Python.

Each Python and each browser brings the Unicode of its year, and what one of them calls normal another may
not: a letter that one does not know yet is an accent to the next, and changes places. Whatever is signed is
therefore judged by Unicode 13.0 alone, which every Python from 3.9 on knows. A letter that 13.0 does not have
stands for itself; the form of all others is the same in every later edition.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from functools import lru_cache
from itertools import accumulate, groupby
from typing import Final

from pbem.core.regex import regex

EDITION: Final = "13.0"
MOST_MARKS: Final = 30
"""So many combining marks may stand in a row; no script needs more, and putting thousands into their order
takes minutes.
"""

# How many code points are not, then how many are, and so on, in base 26, last digits in capitals:
# .ci/unicode13.pl
_ASSIGNED: Final = (
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
_MARKS: Final = (
    "bdOeIkPHkDbTBBBCBCBBcULbWVQBdXHCGCCBEbJBbEbBdNLcGJJBYEBJBDBFbRDePPBbHcCDBSBHKCbDDcEBBHCCCDJBKCbABCDcEBBFECCDDBbECDBLDcEBBIBDBDUC"
    "WGBDcEBBHCCCDHDKCbEBcHFDDBEJBbOFcFHBDBEHCLCbDDcEBBHBDBEHCLCbCEcDCBHBDBEJBKCbDDcSBEGBBBISCcJBCHMIdUBCJLGcWCbBBBBBBECbXUBCFLBbKJBd"
    "WUXEEDBDCHDENMBBKEbbBDbkKDbDDbDCbECcMbGJBbTDePCbIBeOMEMiLFcFKBbDCBbWRcLFbVRbMJMDbENcEObWUfWDBVEBGBCDhQcGBFbbSbHeoCDfLBdSbGvIGeBC"
    "bsqEEBKbGCdCCkMBDBEBXFEBdFCbYSbASNBbMIZNbSEbVObKBcPOMBICbTDbYBBDCCFCBBbPFFCjCIBCbdzSBbcJQQQblLBiSBfTFcmGDBCFEbODEBgJCwBEoXCfXLgT"
    "DcBPcEEbTLcRDbKOQCbSBMDbWOIEBCdOMGBgEMVEcDCBHCCCDJBKCCHDFhKSXBdDUjBHCJbBCdEReCNdXPjWPjLGBCCEBBBCfLHCHDBbCKbOHBEIBJLbUQpPIBIdEWBO"
    "eSGDBBCBHBBcOFBCBFnJEbcuBFcHHboIBBcDHEdDBLCbdaXChwOFDGIICHbEEfSDcyDcDEbYIBOBWFBPcaIHBRCHBCBFkBHqVEcfWHeFHbtciVjG"
)
_HIDDEN: Final = regex(
    "[\x00-\x1f\x7f-\x9f\xad\u0600-\u0605\u061c\u06dd\u070f\u08e2\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ud800-\udfff"
    "\ufeff\ufff9-\ufffb\U000110bd\U000110cd\U00013430-\U00013438\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0001\U000e0020-\U000e007f]"
)


def _bounds(runs: str) -> list[int]:
    """Return where runs begin and end, of code points that are and are not."""
    lengths = []
    for digits in re.findall("[a-z]*[A-Z]", runs):
        number = 0
        for digit in digits.upper():
            number = 26 * number + ord(digit) - ord("A")
        lengths.append(number)
    return list(accumulate(lengths))


@lru_cache(maxsize=1)
def _assigned() -> list[int]:
    return _bounds(_ASSIGNED)


@lru_cache(maxsize=1)
def _marks() -> list[int]:
    return _bounds(_MARKS)


def is_assigned(letter: str) -> bool:
    """Tell whether Unicode 13.0 has a letter."""
    return bisect_right(_assigned(), ord(letter)) % 2 == 1


def is_mark(letter: str) -> bool:
    """Tell whether a letter is a combining mark of Unicode 13.0 (category M)."""
    return bisect_right(_marks(), ord(letter)) % 2 == 1


def too_new(text: str) -> str:
    """Return the first letter of a text that Unicode 13.0 does not have, or nothing."""
    unknown = set() if text.isascii() else {letter for letter in set(text) if not is_assigned(letter)}
    return next((letter for letter in text if letter in unknown), "") if unknown else ""


def is_hidden(text: str) -> bool:
    """Tell whether a text holds a control, format or surrogate letter of Unicode 13.0."""
    return not (text.isascii() and text.isprintable()) and _HIDDEN.search(text) is not None


def crowd(text: str) -> int:
    """Return where more than 30 combining marks stand in a row, or -1; such a text is refused before anything
    is done with it.
    """
    marks = "" if text.isascii() else "".join(letter for letter in set(text) if is_mark(letter))
    found = re.search(f"[{marks}]{{{MOST_MARKS + 1}}}", text) if marks else None
    return -1 if found is None else found.start()


def is_crowded(text: str) -> bool:
    """Tell whether more than 30 combining marks stand in a row."""
    return crowd(text) >= 0


def nfc(text: str) -> str:
    """Return a text with each longest run of letters of Unicode 13.0 in form NFC, and all
    others as they are.
    """
    if text.isascii():
        return text
    if not too_new(text):
        return unicodedata.normalize("NFC", text)
    runs = (("".join(run), known) for known, run in groupby(text, is_assigned))
    return "".join(unicodedata.normalize("NFC", run) if known else run for run, known in runs)


def is_normal(text: str) -> bool:
    """Tell whether a text is its own normal form, and not crowded."""
    return text.isascii() or (not is_crowded(text) and nfc(text) == text)
