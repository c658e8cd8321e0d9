"""What an archive brings along to be run: a verifier that nobody released is named, before
anybody runs it.
"""

from __future__ import annotations

import hashlib

from pbem.proof.archive import MemoryArchive
from pbem.proof.carried import strange_verifiers

TRUE = b"import sys  # a verifier"
KNOWN = {
    "verify/pd1_verify.py": {hashlib.sha256(TRUE).hexdigest(), "00" * 32},
    "verify/pd1_bls.py": {"11" * 32},
}


def warned(files: dict[str, bytes]) -> list[str]:
    found = strange_verifiers(MemoryArchive(files), KNOWN)
    assert {finding.code for finding in found} <= {"W"}
    return [finding.where for finding in found]


def test_a_verifier_of_a_known_release_is_nothing_to_tell() -> None:
    assert warned({"verify/pd1_verify.py": TRUE}) == []
    assert warned({}) == []


def test_one_that_always_says_pass_is_named() -> None:
    assert warned({"verify/pd1_verify.py": b'print("PASS")'}) == ["verify/pd1_verify.py"]


def test_a_verifier_under_the_name_of_another_is_named() -> None:
    assert warned({"verify/pd1_bls.py": TRUE}) == ["verify/pd1_bls.py"]


def test_a_program_that_no_release_has_is_named_and_what_is_only_read_is_not() -> None:
    assert warned({"verify/check.exe": TRUE, "verify/HOWTO.txt": b"1. The files", "seats/note": b""}) == [
        "verify/check.exe"
    ]


def test_a_verifier_too_large_to_be_read_is_named() -> None:
    assert warned({"verify/pd1_verify.py": bytes(17 << 20)}) == ["verify/pd1_verify.py"]


def test_a_thousand_of_them_are_not_named_one_by_one() -> None:
    found = strange_verifiers(MemoryArchive({f"verify/{number}.py": b"" for number in range(1000)}), KNOWN)
    assert len(found) == 21
    assert (found[-1].where, found[-1].message.split()[0]) == ("verify/", "980")
