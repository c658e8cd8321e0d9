"""Every language has every sentence of English, with the same arguments."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import pbem
from pbem.rulesets.siege.orders.speech import HINTS, Saying
from pbem.store import library
from pbem.store.library import languages
from pbem.text.words import ENGLISH, KINDS, TERMS, Words, speaking

OTHERS = [language for language in languages() if language != ENGLISH]
PACKAGE = Path(pbem.__file__).parent
PLACES = (
    "",
    *(f"pbem.rulesets.{one.parent.name}.ruleset" for one in sorted(PACKAGE.glob("rulesets/*/words.yaml"))),
)
"""Where sentences lie: those of every game, and beside the modules of rulesets."""
NAMES = re.compile(r"\{([a-z_]+)[|}]")


def said(place: str, language: str, kind: str) -> dict[str, Any]:
    """Return the sentences of one kind that lie in a place."""
    own = library.words_file(place, language) if place else None
    files = library._common(language) if not place else (own,) if own is not None else ()
    return {key: one for file in files for key, one in library._part(file, kind).items()}


def arguments(sentence: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return the arguments outside of square brackets, and those in each pair of them."""
    inside = frozenset(
        name for part in re.findall(r"\[([^\[\]]*)\]", sentence) for name in NAMES.findall(part)
    )
    return frozenset(NAMES.findall(re.sub(r"\[[^\[\]]*\]", "", sentence))), inside


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("place", PLACES)
def test_a_language_has_every_sentence_with_its_arguments(language: str, place: str) -> None:
    wrong = []
    for kind in KINDS:
        english, own = said(place, ENGLISH, kind), said(place, language, kind)
        wrong += [f"{kind}.{key}: there is none" for key in english.keys() - own.keys()]
        wrong += [f"{kind}.{key}: English has none" for key in own.keys() - english.keys()]
        for key in english.keys() & own.keys():
            (must, may), (has, inside) = arguments(english[key]), arguments(str(own[key]))
            if not (has <= must and must | may == has | inside):
                wrong.append(f"{kind}.{key}: {[*must]}, perhaps {[*may]}; not {[*has]}, perhaps {[*inside]}")
    assert sorted(wrong) == []


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("place", PLACES)
def test_no_sentence_of_a_language_is_at_fault(language: str, place: str) -> None:
    sentences = Words({kind: said(place, language, kind) for kind in KINDS})
    assert [fault for fault in sentences.faults() if not fault.endswith(": there are none")] == []
    for text, own in said(place, language, TERMS).items():
        assert isinstance(own, str) and own.strip(), text
        assert set(re.findall(r"\{=?(\d)\}", own)) <= set(re.findall(r"\{#?(\d)\}", text)), text


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("hint", HINTS, ids=lambda hint: hint.instead[:20])
def test_what_is_said_of_a_sentence_that_fits_nothing_is_in_one_language(language: str, hint: Saying) -> None:
    told = re.sub(r"\\\d", "odo", hint.instead)
    with speaking(language):
        own = library.common_words().put(told)
    assert not re.findall(r"\b(?:the|a|an|each|has|are|his|of)\b", own), own


@pytest.mark.parametrize("language", OTHERS)
def test_what_every_game_says_stands_in_one_file(language: str) -> None:
    for kind in (*KINDS, TERMS):
        keys = [key for file in library._common(language) for key in library._part(file, kind)]
        assert [key for key, times in Counter(keys).items() if times > 1] == []
