"""A language made of English, each sentence and each term of it between ⟦ and ⟧, so that what code says by
itself is seen.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from pbem.store import library
from pbem.text.source import FILES, read
from pbem.text.words import ENGLISH, KINDS, Words, in_force

CODE = "xx"
OPEN, SHUT = "⟦⟧"


def wrapped(english: bytes) -> bytes:
    """Return a file of words with each sentence between the brackets."""
    data: Any = read(english, "words.yaml", limits=FILES).data
    lines: list[str] = []
    for kind in KINDS:
        said: Mapping[str, str] = data.get(kind, {})
        lines.append(f"{kind}:")
        lines += [
            f"  {json.dumps(key)}: {json.dumps(f'{OPEN}{sentence}{SHUT}', ensure_ascii=False)}"
            for key, sentence in said.items()
            if isinstance(sentence, str)
        ]
    return ("\n".join(lines) + "\n").encode()


def speak(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let there be this language beside English."""
    common, own = library._common, library.words_file

    def common_of(language: str) -> tuple[bytes, ...]:
        return tuple(map(wrapped, common(ENGLISH))) if language == CODE else common(language)

    def own_of(module: str, language: str = ENGLISH) -> bytes | None:
        data = own(module, ENGLISH if language == CODE else language)
        return wrapped(data) if language == CODE and data is not None else data

    def put_of(self: Words, text: str) -> str:
        known = in_force() != CODE or not text or text.startswith(OPEN)
        return put(self, text) if known else f"{OPEN}{text}{SHUT}"

    put = Words.put
    monkeypatch.setattr(Words, "put", put_of)
    monkeypatch.setattr(Words, "put_lines", put_of)
    monkeypatch.setattr(library, "_common", common_of)
    monkeypatch.setattr(library, "words_file", own_of)
    monkeypatch.setattr("pbem.referee.mail.office.languages", lambda: (ENGLISH, CODE))


def outside(text: str) -> list[str]:
    """Return what of a text stands outside of the brackets, line by line."""
    found, deep = [""], 0
    for sign in text:
        if sign == OPEN:
            deep += 1
        elif sign == SHUT:
            deep -= 1
        elif not deep:
            found[-1] += sign
        if sign == "\n":
            found.append("")
    return [" ".join(line.split()) for line in found if line.strip()]
