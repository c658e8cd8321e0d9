"""What is shipped with pbem and only read: words, schemas, scenarios, examples, and the modules of the engine
itself.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import Any

from pbem import __version__
from pbem.core.regex import regex
from pbem.resources import folder
from pbem.rulesets import UnknownRuleset, known, package_of
from pbem.store.plain import plain
from pbem.text.words import ENGLISH, KINDS, TERMS, Words, in_force

_PACKAGE = Path(__file__).resolve().parent.parent
VERIFIERS = ("pd1_bls.py", "pd1_verify.html", "pd1_verify.py")
_ENGINE_SUFFIXES = (".py", ".yaml")
_STANDS_ON = regex(rb"stands-on: ([a-z][a-z0-9_]{0,31})\n")
"""The first line of words that take those of another ruleset over."""
_TEXT = regex(r"[^\x00-\x1f]{1,240}")
"""A key of words: of a term it is a whole English text."""
_NO_ENGINE = ("_data/", "verifiers/")
"""Folders of the package that the engine does not run: data, and verifiers that share nothing with it."""


class _Sentences(Mapping[str, Any]):
    """The sentences of one kind, each read from the last of some files that has it, and no file before it is
    read. As answers to posts say them, one whose key begins with ``post.`` stands for the letter's.
    """

    def __init__(self, kind: str, files: Sequence[bytes], posts: bool = False) -> None:
        self._kind, self._files, self._posts = kind, files, posts
        self._said: dict[str, Any] = {}

    @cached_property
    def _read(self) -> Mapping[str, Any]:
        found: dict[str, Any] = {}
        for file in self._files:
            found.update(_part(file, self._kind))
        if self._posts:
            found.update(
                {key.removeprefix("post."): said for key, said in found.items() if key.startswith("post.")}
            )
        return found

    def __getitem__(self, key: str) -> Any:
        if key not in self._said:
            self._said[key] = self._found(key)
        return self._said[key]

    def _found(self, key: str) -> Any:
        for asked in (f"post.{key}", key) if self._posts else (key,):
            for file in reversed(self._files):
                if asked in (part := _part(file, self._kind)):
                    return part[asked]
        raise KeyError(key)

    def __iter__(self) -> Iterator[str]:
        return iter(self._read)

    def __len__(self) -> int:
        return len(self._read)


@lru_cache(maxsize=256)
def _part(file: bytes, kind: str) -> Mapping[str, Any]:
    """Return what stands under one of the top keys of a file, and read nothing else of it."""
    found: Mapping[str, Any] = plain(f"words {kind}", file, lambda: _read_part(file, kind))
    return found


def _read_part(file: bytes, kind: str) -> Mapping[str, Any]:
    from msgspec.structs import replace

    from pbem.text.source import FILES, read

    limits = replace(FILES, key=_TEXT)
    at = re.search(rb"^%s:.*\n(?:(?:[ \t#].*)?\n?)*" % kind.encode(), file, re.MULTILINE)
    data = read(at[0], "words.yaml", limits=limits).data if at else None
    found = data.get(kind) if isinstance(data, Mapping) else None
    return found if isinstance(found, Mapping) else {}


@cache
def languages() -> tuple[str, ...]:
    """Return the codes of the languages that there are sentences in, sorted."""
    return tuple(sorted({path.stem.partition("-")[0] for path in (_PACKAGE / "words").glob("*.yaml")}))


@cache
def common_words() -> Words:
    """Return the sentences of every game; a problem that one ruleset alone knows is said in its words."""
    return _words(())


@cache
def common_words_of_posts() -> Words:
    """Return the sentences of every game as answers to posts say them."""
    return _words((), posts=True)


@cache
def words_of(ruleset: str) -> Words:
    """Return the sentences of a game: those beside its ruleset go before the common ones, which are all that
    an unknown one has.
    """
    return _words(_modules(ruleset))


@cache
def words_of_posts(ruleset: str) -> Words:
    """Return the sentences of a game as answers to posts say them."""
    return _words(_modules(ruleset), posts=True)


def _words(modules: Sequence[str], posts: bool = False) -> Words:
    def catalogue(language: str) -> dict[str, _Sentences]:
        files = [file for found in _layers(modules, language) for file in found]
        return {kind: _Sentences(kind, files, posts) for kind in KINDS}

    def other(language: str) -> dict[str, Mapping[str, Any]]:
        # An argument may be of any game, as a problem may; what its own game calls it goes before.
        others = (one for id_ in known() for one in _modules(id_) if one not in modules)
        everywhere = dict.fromkeys([*others, *modules])
        files = [file for found in _layers(tuple(everywhere), language) for file in found]
        return {**catalogue(language), TERMS: _Sentences(TERMS, files)}

    return Words(catalogue(ENGLISH), _of_any_ruleset, other)


def _layers(modules: Sequence[str], language: str) -> Iterator[tuple[bytes, ...]]:
    """Yield files with sentences, those that go before others after them: the common ones, then those beside
    each module. A language goes before the English of its own place only, so that what a game says otherwise
    than others is never said as others say it.
    """
    spoken = dict.fromkeys((ENGLISH, language))
    yield from (_common(one) for one in spoken)
    for module in modules:
        yield from ((data,) for one in spoken if (data := words_file(module, one)) is not None)


@cache
def _common(language: str) -> tuple[bytes, ...]:
    """Return the files with the sentences of every game in a language."""
    words = [path for path in (_PACKAGE / "words").iterdir() if path.suffix == ".yaml"]
    found = [path for path in words if path.stem.partition("-")[0] == language]
    return tuple(path.read_bytes() for path in sorted(found))


@cache
def _modules(ruleset: str) -> tuple[str, ...]:
    """Return the modules of a ruleset that have sentences beside them: its own, and before it that of the one
    on which its words say that it stands (``stands-on: siege``).
    """
    try:
        module = package_of(ruleset)
    except UnknownRuleset:
        return ()
    data = words_file(module)
    if data is None:
        return ()
    under = _STANDS_ON.match(data)
    return (*(_modules(under[1].decode("ascii")) if under else ()), module)


def _of_any_ruleset(code: str) -> object:
    """Return the sentence of a problem in the words of the first ruleset that has one, or None; in the
    language in force, where that has it.
    """
    for ruleset in known():
        for module in _modules(ruleset):
            for language in dict.fromkeys((in_force(), ENGLISH)):
                file = words_file(module, language)
                if file is not None and code in (problems := _part(file, "problems")):
                    return problems[code]
    return None


@cache
def schema(name: str) -> Mapping[str, Any]:
    """Return a schema by its kind, such as ``orders``; KeyError if there is none."""
    path = schema_file(name)
    if not path.is_file():
        raise KeyError(name)
    found: Mapping[str, Any] = json.loads(path.read_text("utf-8"))
    return found


def schema_file(name: str) -> Path:
    """Return where the schema of a kind of file lies."""
    return folder("schemas") / f"{name}.schema.json"


def schema_of(ruleset: str, name: str) -> Mapping[str, Any]:
    """Return the schema of a kind of file of a game: its own, else the common one; KeyError if there is
    neither.
    """
    own = own_schema(ruleset, name)
    return own if own is not None else schema(name)


def own_schema(ruleset: str, name: str) -> Mapping[str, Any] | None:
    """Return the schema of a kind of file that a game brings in the folder ``schemas`` beside its ruleset, or
    None.
    """
    try:
        file = _beside(package_of(ruleset)) / "schemas" / f"{name}.schema.json"
    except UnknownRuleset:
        return None
    if not file.is_file():
        return None
    found: Mapping[str, Any] = json.loads(file.read_text("utf-8"))
    return found


def scenarios() -> Iterator[Path]:
    """Yield the shipped scenario files, sorted; maps, in folders of their own, are not among them."""
    yield from sorted(folder("scenarios").glob("*/*.yaml"))


def scenario_file(name: str) -> Path | None:
    """Return the shipped scenario of that name, or None."""
    return next((path for path in scenarios() if path.stem == name), None)


def shipped_files(path: str) -> Iterator[bytes]:
    """Yield the shipped files that may be the one that a game has under a name: its scenario, its map, a
    table.
    """
    top, _, rest = path.partition("/")
    if top == "scenario":
        yield from (
            file.read_bytes() for file in sorted(folder("scenarios").glob(f"*/{rest}")) if "*" not in rest
        )
    elif top == "tables":
        for module in sorted({*_PACKAGE.glob("rulesets/*/tables")}):
            file = module / rest
            if "/" not in rest and file.is_file():
                yield file.read_bytes()


def shipped() -> Iterator[tuple[str, bytes]]:
    """Yield every scenario, map and table that comes along, by the name that it has in a game."""
    for pattern, place in (("*/*.yaml", "scenario"), ("*/maps/*.yaml", "scenario/maps")):
        yield from (
            (f"{place}/{file.name}", file.read_bytes()) for file in sorted(folder("scenarios").glob(pattern))
        )
    yield from (
        (f"tables/{file.name}", file.read_bytes())
        for file in sorted(_PACKAGE.glob("rulesets/*/tables/*.yaml"))
    )


def map_file(name: str) -> Path | None:
    """Return the shipped map of that name, or None."""
    return next(
        (path for path in sorted(folder("scenarios").glob("*/maps/*.yaml")) if path.stem == name), None
    )


def example(name: str) -> Path:
    """Return the folder of a recorded example."""
    return folder("examples") / name


def place_of(module: str) -> Path:
    """Return the folder that a ruleset's module lies in, with all that stands beside it."""
    return _beside(module)


def _beside(module: str) -> Path:
    """Return the folder that a ruleset's module lies in."""
    from importlib.util import find_spec

    spec = find_spec(module)
    return Path(spec.origin).parent if spec is not None and spec.origin is not None else _PACKAGE / "nowhere"


def modules_beside(module: str) -> list[Path]:
    """Return the modules that lie in the folder of a ruleset's module and below it, sorted."""
    return sorted(_beside(module).rglob("*.py"))


def rulebook(module: str) -> bytes | None:
    """Return the rule index beside a ruleset's module, or None if it has none."""
    place = _beside(module) / "rulebook.yaml"
    return place.read_bytes() if place.is_file() else None


@cache
def words_file(module: str, language: str = ENGLISH) -> bytes | None:
    """Return the sentences beside a ruleset's module in a language (``words.yaml``, ``words.de.yaml``), or
    None if it has none.
    """
    place = _beside(module) / ("words.yaml" if language == ENGLISH else f"words.{language}.yaml")
    return place.read_bytes() if place.is_file() else None


@cache
def shipped_tables(module: str) -> Mapping[str, bytes]:
    """Return the number tables beside a ruleset's module, by file name; none where it has none."""
    place = _beside(module) / "tables"
    if not place.is_dir():
        return {}
    found = sorted(place.iterdir(), key=lambda file: file.name)
    return {file.name: file.read_bytes() for file in found if file.name.endswith(".yaml")}


@cache
def engine() -> Mapping[str, str]:
    """Return name, version and digest of this engine: the SHA-256 of a FILES-style list of its own modules
    and tables.
    """
    lines = [
        f"{hashlib.sha256((_PACKAGE / inside).read_bytes()).hexdigest()}  {inside}\n"
        for inside in sorted(_engine_files(), key=lambda inside: inside.split("/"))
    ]
    return {
        "name": "pbem",
        "version": __version__,
        "sha256": hashlib.sha256("".join(lines).encode()).hexdigest(),
    }


def _engine_files() -> Iterator[str]:
    """Yield the files that the engine runs, from the folder of the package on."""
    for folder_, folders, names in os.walk(_PACKAGE):
        inside = Path(folder_).relative_to(_PACKAGE).as_posix()
        before = "" if inside == "." else f"{inside}/"
        folders[:] = [
            name for name in folders if f"{before}{name}/" not in _NO_ENGINE and name != "__pycache__"
        ]
        yield from (before + name for name in names if name.endswith(_ENGINE_SUFFIXES))


def verifiers() -> dict[str, bytes]:
    """Return the files that verify an archive without pbem, by their names in an archive."""
    return {f"verify/{name}": (_PACKAGE / "verifiers" / name).read_bytes() for name in VERIFIERS}


def examples() -> Iterator[Path]:
    """Yield the folders of the examples that have a script, sorted."""
    yield from sorted(path.parent for path in folder("examples").glob("*/play.yaml"))
