"""Everything that is missing or wrong in a ruleset, for whoever writes one: words, schemas, sequence, tables,
rulebook, options.

It reads what stands beside the ruleset and looks at the value; it plays nothing. Each finding says where,
what, and what would cure it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from pbem.core.problem import Problem
from pbem.core.ruleset import Ruleset, RulesetInterface
from pbem.core.table import TableError
from pbem.referee.game.refusal import refuse
from pbem.referee.game.rulebook import DONE
from pbem.rulesets import find, known, package_of
from pbem.rulesets.tables import checked
from pbem.store import library
from pbem.text import shape
from pbem.text.codec import from_json
from pbem.text.located import Located, locate
from pbem.text.source import FILES, Limits, read
from pbem.text.words import KINDS, Words

__all__ = ["check", "named"]

STATUSES: Final = (*DONE, "todo", "left-out")
_RULEBOOK: Final = Limits(
    size=4 * 1024 * 1024, events=2_000_000, scalar=FILES.scalar, key=None, any_text=None
)
_OF_EVERY_EVENT: Final = frozenset(
    {"working", "start", "end", "way", "stuck", "why", "what", "setup", "n", "phase"}
)
"""What sentences may use beside the fields of their event."""


def named(package: str) -> tuple[str, ...]:
    """Return the rulesets that a name stands for: one by its id, or all of a package; Refused where there is
    none.
    """
    every = known()
    found = (
        (package,)
        if package in every
        else tuple(id_ for id_ in every if f"{package_of(id_)}.".startswith(f"{package}."))
    )
    if not found:
        raise refuse("author.unknown", name=package, help="known are " + ", ".join(every))
    return found


def check(package: str) -> tuple[Located, ...]:
    """Return what is missing or wrong in the newest revision of each ruleset of a package; Refused where
    there is no such package.
    """
    found: list[Located] = []
    for id_ in named(package):
        rules, place = find(id_), library.place_of(package_of(id_))
        words = library.words_of(id_)
        for part in (_sequence, _options, _events, _interface):
            found += (_located(id_, problem) for problem in part(rules, words))
        found += [
            *_words(place),
            *_codes(place, words),
            *_schemas(place),
            *_tables(place),
            *_rulebook(place, rules),
        ]
    return tuple(dict.fromkeys(found))


def _located(where: str, problem: Problem, line: int = 0, column: int = 0, source_line: str = "") -> Located:
    said = library.common_words().problem(problem.code, problem.args)
    return Located(where, line, column, problem.code, said, problem.rule, problem.help, source_line)


# --- the value


def _sequence(rules: Ruleset[Any], words: Words) -> Iterator[Problem]:
    """Yield what is wrong with the phases: each is carried out, ordered under a heading of its own, and
    called by a name.
    """
    phases = [*rules.sequence.phases, *rules.sequence.between]
    for phase in phases:
        if phase.id not in rules.steps:
            yield Problem(
                "author.no-step",
                {"phase": phase.id},
                help=f"steps={{'{phase.id}': a function (rules, play, files)}}",
            )
        if not words.knows("phrases", f"phase.{phase.id}"):
            yield Problem(
                "author.no-phrase",
                {"key": f"phase.{phase.id}"},
                help=f"words.yaml, phrases:  phase.{phase.id}: {phase.title}",
            )
    headings = [phase.heading for phase in phases if phase.heading]
    for heading in sorted({one for one in headings if headings.count(one) > 1}):
        yield Problem(
            "author.heading-twice", {"heading": heading}, help="give each phase a heading of its own"
        )
    known_ids = {*(phase.id for phase in phases), *rules.sequence.headings.values()}
    for id_ in sorted(set(rules.steps) - known_ids):
        yield Problem(
            "author.stray-step", {"phase": id_}, help="list the phase in the sequence, or leave the step out"
        )


def _options(rules: Ruleset[Any], words: Words) -> Iterator[Problem]:
    """Yield what is wrong with the options: values, amendments and conflicts that there are, and editions of
    them.
    """
    for name, option in sorted(rules.options.items()):
        if not option.values:
            yield Problem(
                "author.no-values",
                {"option": name},
                help="name its values, the one that holds when nobody chose first",
            )
        for value in sorted(set(option.amendments) - set(option.values)):
            yield Problem(
                "author.option-value",
                {"option": name, "value": value},
                help="one of " + ", ".join(option.values),
            )
        for other in option.conflicts:
            if other not in rules.options:
                help_ = "options are " + ", ".join(sorted(rules.options))
                yield Problem("author.option-name", {"option": other, "place": name}, help=help_)
    for edition, chosen in sorted(rules.editions.items()):
        for name, value in sorted(chosen.items()):
            if name not in rules.options:
                yield Problem("author.option-name", {"option": name, "place": edition})
            elif value not in rules.options[name].values:
                help_ = "one of " + ", ".join(rules.options[name].values)
                yield Problem("author.option-value", {"option": name, "value": value}, help=help_)


def _events(rules: Ruleset[Any], words: Words) -> Iterator[Problem]:
    """Yield which types of events have no sentence, or one that needs what the event does not have."""
    if not rules.events:
        yield Problem(
            "author.no-events",
            help="events={'Moved': Moved, …}: then their sentences are held against their fields",
        )
    for name, cls in sorted(rules.events.items()):
        if not words.knows("events", name):
            yield Problem("author.no-event", {"event": name}, help=f"words.yaml, events:  {name}: a sentence")
            continue
        has = {name.rstrip("_") for name in getattr(cls, "__struct_fields__", ())}
        extra = words.slots("events", name) - has - _OF_EVERY_EVENT
        if extra and name not in rules.telling.arguments and not library.common_words().knows("events", name):
            help_ = (
                f"the fields of {name} are {', '.join(sorted(has))}; what else it needs is put in by "
                f"telling.arguments['{name}']"
            )
            yield Problem("author.event-slot", {"event": name, "slots": ", ".join(sorted(extra))}, help=help_)


def _interface(rules: Ruleset[Any], words: Words) -> Iterator[Problem]:
    """Yield which fields of the interface are no functions."""
    for name in RulesetInterface.__struct_fields__:
        function = getattr(rules.interface, name)
        if function is not None and not callable(function):
            yield Problem("author.interface", {"function": name}, help="a function")


# --- what stands beside it


def _words(place: Path) -> Iterator[Located]:
    """Yield what is wrong with the sentences."""
    file = place / "words.yaml"
    if not file.is_file():
        yield _located(
            str(file), Problem("author.no-words", help="problems:, events: and phrases:, a sentence for each")
        )
        return
    source = read(file.read_bytes(), str(file), limits=FILES)
    yield from locate(source, source.problems, library.common_words())
    if source.problems or not isinstance(source.data, Mapping):
        return
    for kind in source.data:
        if kind not in KINDS:
            found = Problem(
                "author.words-kind", {"kind": str(kind)}, (kind,), help="one of " + ", ".join(KINDS), key=True
            )
            yield from locate(source, [found], library.common_words())
    for fault in Words(source.data).faults():
        path, _, said = fault.partition(": ")
        kind, _, key = path.partition(".")
        if key:
            yield from locate(
                source,
                [Problem("author.sentence", {"key": key, "what": said}, (kind, key))],
                library.common_words(),
            )


def _codes(place: Path, words: Words) -> Iterator[Located]:
    """Yield which problems that the modules name have no sentence, or one that needs an argument they do not
    give.
    """
    for file in sorted(place.glob("*.py")):
        text = file.read_text("utf-8")
        for node in ast.walk(ast.parse(text)):
            if not (
                isinstance(node, ast.Call)
                and getattr(node.func, "id", getattr(node.func, "attr", "")) == "Problem"
                and node.args
            ):
                continue
            code, given = node.args[0], node.args[1] if len(node.args) > 1 else None
            if not isinstance(code, ast.Constant) or not isinstance(code.value, str):
                continue
            line = text.splitlines()[node.lineno - 1]
            if not words.knows("problems", code.value):
                problem = Problem(
                    "author.no-problem",
                    {"code": code.value},
                    help=f"words.yaml, problems:  {code.value}: a sentence",
                )
                yield _located(str(file), problem, node.lineno, node.col_offset + 1, line)
            elif isinstance(given, ast.Dict) and all(isinstance(key, ast.Constant) for key in given.keys):
                names = {str(key.value) for key in given.keys if isinstance(key, ast.Constant)}
                if missing := words.slots("problems", code.value) - names:
                    slots = ", ".join(sorted(missing))
                    problem = Problem(
                        "author.problem-slot",
                        {"code": code.value, "slots": slots},
                        help="give it, or set it in [ ]",
                    )
                    yield _located(str(file), problem, node.lineno, node.col_offset + 1, line)


def _schemas(place: Path) -> Iterator[Located]:
    """Yield what is wrong with the schemas: no JSON, no schema, or with words that pbem does not check."""
    for file in sorted((place / "schemas").glob("*.schema.json")):
        try:
            data = from_json(file.read_text("utf-8"))
        except ValueError as wrong:
            line, column = getattr(wrong, "lineno", 1), getattr(wrong, "colno", 1)
            yield _located(
                str(file), Problem("author.json", {"what": str(getattr(wrong, "msg", wrong))}), line, column
            )
            continue
        yield from (_located(str(file), problem) for problem in _schema(data))


def _schema(data: Any) -> Iterator[Problem]:
    from jsonschema import Draft7Validator  # takes longer than all else, and only an author needs it

    wrong = sorted(
        Draft7Validator(Draft7Validator.META_SCHEMA).iter_errors(data),
        key=lambda error: [str(part) for part in error.path],
    )
    for error in wrong:
        path = "/".join(str(part) for part in error.absolute_path) or "the whole of it"
        yield Problem(
            "author.schema", {"place": path, "what": error.message[:200]}, help="json-schema.org, draft-07"
        )
    if wrong:
        return
    try:
        shape.load(data)
    except ValueError as unknown:
        yield Problem(
            "author.schema",
            {"place": "the whole of it", "what": str(unknown)[:200]},
            help="use " + ", ".join(sorted(_USED)),
        )


_USED: Final = shape.KEYWORDS - {"$comment", "$id", "$schema"}


def _tables(place: Path) -> Iterator[Located]:
    """Yield what is wrong with the number tables."""
    for file in sorted((place / "tables").glob("*.yaml")):
        source = read(file.read_bytes(), str(file), limits=FILES)
        yield from locate(source, source.problems, library.common_words())
        if source.problems:
            continue
        try:
            checked(file.stem, source.data)
        except TableError as wrong:
            what = str(wrong).partition(": ")[2]
            yield _located(str(file), Problem("tables.wrong", {"table": file.stem, "what": what}), 1, 1)


def _rulebook(place: Path, rules: Ruleset[Any]) -> Iterator[Located]:
    """Yield what is wrong with the index of rules: entries without an id or a status, and options of rules
    that are not in it.
    """
    file = place / "rulebook.yaml"
    if not file.is_file():
        yield _located(
            str(file), Problem("author.no-rulebook", help="a list of rules: id, topic, basis, rule, status")
        )
        return
    source = read(file.read_bytes(), str(file), limits=_RULEBOOK)
    yield from locate(source, source.problems, library.common_words())
    listed = source.data.get("rules") if isinstance(source.data, Mapping) else source.data
    entries = [entry for entry in listed if isinstance(entry, Mapping)] if isinstance(listed, list) else []
    ids = {str(entry.get("id", "")) for entry in entries}
    for n, entry in enumerate(entries):
        if not entry.get("id") or str(entry.get("status", "")) not in STATUSES:
            found = Problem(
                "author.rule",
                {"number": n + 1, "id": str(entry.get("id", ""))},
                (n,),
                help="status: " + " | ".join(STATUSES),
            )
            yield from locate(source, [found], library.common_words())
    for name, option in sorted(rules.options.items()):
        for id_ in option.rules:
            if id_ not in ids:
                yield _located(
                    str(file),
                    Problem("author.option-rule", {"option": name, "rule": id_}, help=f"- {{id: {id_}, …}}"),
                )
