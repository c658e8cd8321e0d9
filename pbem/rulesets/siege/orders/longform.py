"""Orders written as keys (``{who: [hob, odo], do: attack, at: [gunter]}``): which keys a deed takes, and the
sentence they say.

A mapping is turned into its sentence and read like any other, so the two forms cannot differ. The keys of a
deed are the fields of its sentences, under the names that it gives them (``Deed.keys``).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.core.problem import Problem
from pbem.core.ruleset import Ruleset
from pbem.rulesets.siege.state.deed import Deed, deeds
from pbem.rulesets.siege.state.sentence import Sentence
from pbem.rulesets.siege.state.state import Battle
from pbem.text.similar import did_you_mean

__all__ = ["choices", "form", "keys", "sentence"]

Rules = Ruleset[Battle]


def keys(deed: Deed) -> tuple[str, ...]:
    """Return every key that may stand beside ``do``: those that have to, those of which one has to, those
    that may be left out.
    """
    in_all = [
        field
        for field in deed.sentences[0].template.needed
        if all(field in line.template.needed for line in deed.sentences)
    ]
    some = [field for line in deed.sentences for field in line.template.needed]
    may = [field for line in deed.sentences for field in line.template.may]
    fields = dict.fromkeys((*in_all, *some, *(field for way in _ways(deed) for field in way), *may))
    return tuple(_key(deed, field) for field in fields)


def choices(deed: Deed) -> tuple[tuple[str, ...], ...]:
    """Return the keys of which exactly one is given, choice by choice."""
    return tuple(tuple(_key(deed, field) for field in way) for way in _ways(deed))


def _ways(deed: Deed) -> tuple[tuple[str, ...], ...]:
    """Return the fields of which exactly one is given: those in which the sentences of a deed differ, and the
    choices inside one.
    """
    first, *others = [line.template for line in deed.sentences]
    if others:
        in_all = set(first.needed).intersection(*(other.needed for other in others))
        return (
            tuple(field for line in deed.sentences for field in line.template.needed if field not in in_all),
        )
    return first.one_of


def _key(deed: Deed, field: str) -> str:
    return next((key for key, of in deed.keys.items() if of == field), field)


def form(rules: Rules, common: Mapping[str, Any]) -> dict[str, Any]:
    """Return the schema of order files with the deeds of a game: what ``do`` may say, and the keys that may
    stand beside it.

    What a key may say that the common schema does not have is left to the sentence that is made of it; a
    schema without orders as keys stays as it is.
    """
    if "order" not in common.get("definitions", {}):
        return dict(common)
    order = common["definitions"]["order"]
    known = {
        **order["properties"],
        "do": {**order["properties"]["do"], "enum": [*deeds(rules).by_key, "stop"]},
    }
    more: dict[str, Any] = {
        key: {} for deed in deeds(rules).values() for key in keys(deed) if key not in known
    }
    definitions = {**common["definitions"], "order": {**order, "properties": {**known, **more}}}
    return {**common, "definitions": definitions}


def sentence(rules: Rules, entry: Mapping[str, Any]) -> str | list[Problem]:
    """Return the sentence that the keys of an order say, or what is wrong with them, with paths from the
    mapping on.
    """
    do = str(entry.get("do", ""))
    known_deeds = deeds(rules).by_key
    deed = known_deeds.get(do)
    if deed is None:
        help_ = did_you_mean(do, known_deeds) or "a key 'do' says what is done, such as do: move"
        return [Problem("orders.deed", {"deed": do}, ("do",) if "do" in entry else (), help=help_)]
    known = ("do", *keys(deed))
    listed = "the keys of this order are " + ", ".join(known)
    problems = [
        Problem("orders.key", {"key": key, "deed": do}, (key,), help=listed, key=True)
        for key in entry
        if key not in known
    ]
    needed = [_key(deed, field) for field in deed.sentences[0].template.needed]
    either = choices(deed)
    missing = [key for key in needed if key not in entry and not any(key in way for way in either)]
    missing += ["' or '".join(way) for way in either if sum(key in entry for key in way) != 1]
    problems += [Problem("orders.no-key", {"key": key, "deed": do}, help=listed) for key in missing]
    return problems or _said(deed, _line(deed, entry), entry)


def _line(deed: Deed, entry: Mapping[str, Any]) -> Sentence:
    """Return the sentence whose keys are given."""
    return next(
        line for line in deed.sentences if all(_key(deed, field) in entry for field in line.template.needed)
    )


def _said(deed: Deed, line: Sentence, entry: Mapping[str, Any]) -> str:
    texts: dict[str, str] = {}
    for field, piece in line.template.slots:
        value = entry.get(_key(deed, field))
        if isinstance(value, list | tuple):
            texts[field] = piece.joint.join(map(str, value))
        else:
            texts[field] = "" if value is None else str(value)
    said = line.template.fill(texts)
    for field, words in line.template.flags.items():
        value = str(entry.get(_key(deed, field), "false")).lower()
        if value in ("true", words.split()[-1]):
            said = line.template.fill({**texts, field: "true"})
        elif value != "false":
            # It is read as a sentence, and told to be none.
            said = f"{said} {_key(deed, field)} {value}"
    return said
