"""The schemas as an editor uses them: the real yaml-language-server, spoken to as an editor does (LSP over
its standard streams).
"""

from __future__ import annotations

import json
import queue
import shutil
import subprocess
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from test_text_examples import FIRST, SECOND
from test_text_schemas import MAP, SCENARIO

from pbem import resources

INSTALLED = Path("build/yaml-language-server/node_modules/yaml-language-server/bin/yaml-language-server")
SIGNED = "#pd1-orders/1\n#game siege-0a1b2c\n#slot 1\n#seat blue\n---\n"
WAIT = 30


class Editor:
    """A language server and the few words an editor says to it."""

    def __init__(self, command: list[str], folder: Path) -> None:
        self.folder = folder
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self.number = 0
        self.inbox: queue.Queue[dict[str, Any]] = queue.Queue()
        self.diagnostics: dict[str, list[dict[str, Any]]] = {}
        threading.Thread(target=self.listen, daemon=True).start()
        self.ask("initialize", {"processId": None, "rootUri": folder.as_uri(), "capabilities": {}})
        self.send({"method": "initialized", "params": {}})

    def listen(self) -> None:
        stream = self.process.stdout
        assert stream is not None
        while header := stream.readline():
            length = 0
            while header.strip():
                name, _, value = header.decode().partition(":")
                length = int(value) if name.lower() == "content-length" else length
                header = stream.readline()
            self.inbox.put(json.loads(stream.read(length)))

    def send(self, message: dict[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        stream = self.process.stdin
        assert stream is not None
        stream.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        stream.flush()

    def until(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        while True:
            message = self.inbox.get(timeout=WAIT)
            if message.get("method") == "workspace/configuration":
                settings = {
                    "validate": True,
                    "completion": True,
                    "hover": True,
                    "schemaStore": {"enable": False},
                }
                self.send(
                    {
                        "id": message["id"],
                        "result": [
                            settings if item.get("section") == "yaml" else {}
                            for item in message["params"]["items"]
                        ],
                    }
                )
            elif "id" in message and "method" in message:
                self.send({"id": message["id"], "result": None})
            if wanted(message):
                return message

    def ask(self, method: str, params: dict[str, Any]) -> Any:
        self.number += 1
        number = self.number
        self.send({"id": number, "method": method, "params": params})
        return self.until(lambda message: message.get("id") == number and "method" not in message).get(
            "result"
        )

    def open(self, name: str, text: str) -> list[tuple[int, str]]:
        """Open a file; return the line and words of everything the editor underlines."""
        uri = (self.folder / name).as_uri()
        (self.folder / name).write_text(text, "utf-8")
        self.send(
            {
                "method": "textDocument/didOpen",
                "params": {"textDocument": {"uri": uri, "languageId": "yaml", "version": 1, "text": text}},
            }
        )
        got = self.until(
            lambda message: (
                message.get("method") == "textDocument/publishDiagnostics" and message["params"]["uri"] == uri
            )
        )
        return [
            (found["range"]["start"]["line"] + 1, found["message"]) for found in got["params"]["diagnostics"]
        ]

    def complete(self, name: str, line: int, column: int) -> set[str]:
        place = {
            "textDocument": {"uri": (self.folder / name).as_uri()},
            "position": {"line": line - 1, "character": column - 1},
        }
        return {str(item["label"]) for item in self.ask("textDocument/completion", place)["items"]}

    def hover(self, name: str, line: int, column: int) -> str:
        place = {
            "textDocument": {"uri": (self.folder / name).as_uri()},
            "position": {"line": line - 1, "character": column - 1},
        }
        return json.dumps(self.ask("textDocument/hover", place))


@pytest.fixture(name="editor", scope="module")
def editor_fixture(tmp_path_factory: pytest.TempPathFactory, need: Callable[[str], str]) -> Iterator[Editor]:
    server = resources.folder("schemas").parent / INSTALLED
    command = [need("node"), str(server)] if server.is_file() else [need("yaml-language-server")]
    folder = tmp_path_factory.mktemp("editor")
    for path in resources.folder("schemas").glob("*.schema.json"):
        shutil.copy(path, folder)
    editor = Editor([*command, "--stdio"], folder)
    yield editor
    editor.process.kill()
    editor.process.communicate()


def with_modeline(kind: str, text: str) -> str:
    return f"# yaml-language-server: $schema=./{kind}.schema.json\n{text}"


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("orders", FIRST),
        ("orders", SECOND),
        ("map", MAP),
        ("scenario", SCENARIO),
        ("orders", "side: west\nmove:\n"),
    ],
)
def test_good_files_are_not_underlined(editor: Editor, kind: str, text: str) -> None:
    assert editor.open(f"good-{kind}-{len(text)}.yaml", with_modeline(kind, text)) == []


def test_the_long_form_is_not_underlined_either(editor: Editor) -> None:
    text = (
        "side: west\nmove:\n- {who: [tom, wat], do: carry, what: ladder1, to: [0603, 0602]}\n- {who: [odo], "
        "do: move, to: 0712}\n"
        "- {what: tower1, do: forward, steps: 2}\nfight:\n- {who: [hob, odo], do: attack, at: [gunter]}\n"
        "answers: {q1: 0612}\n"
        "standing:\n  everyone: {wound: [odo, hal]}\n  odo: {advance: ask}\n"
    )
    assert editor.open("long.yaml", with_modeline("orders", text)) == []


def test_a_misspelt_key_is_underlined(editor: Editor) -> None:
    found = editor.open("misspelt.yaml", with_modeline("orders", "side: west\nmvoe:\n- odo to 0712\n"))
    assert [line for line, _ in found] == [3]
    assert "mvoe" in found[0][1]
    deep = editor.open(
        "deep.yaml",
        with_modeline(
            "orders",
            "side: west\nfight:\n- do: atack\n  wo: [odo]\nstanding:\n  everyone: {wuond: weakest}\n",
        ),
    )
    assert {line for line, _ in deep} == {4, 5, 7}


def test_behind_the_header_of_a_signed_file_the_line_works_as_well(editor: Editor) -> None:
    found = editor.open("signed.yaml", SIGNED + with_modeline("orders", "side: west\nmvoe:\n- odo to 0712\n"))
    assert [line for line, _ in found] == [8]


def test_keys_and_words_are_offered(editor: Editor) -> None:
    editor.open("offers.yaml", with_modeline("orders", "side: west\ns\nstop-after: \nfight:\n- do: \n"))
    assert {"setup", "shoot", "shoot-again", "standing", "stop-after"} - {"stop-after"} <= editor.complete(
        "offers.yaml", 3, 2
    )
    assert {"shoot", "move", "shoot-again", "fight"} <= editor.complete("offers.yaml", 4, 13)
    assert {"attack", "topple", "put-out"} <= editor.complete("offers.yaml", 6, 7)
    editor.open(
        "standing.yaml", with_modeline("orders", "side: west\nstanding:\n  everyone:\n    doorway: \n    \n")
    )
    assert {"inside", "outside", "most", "ask"} <= editor.complete("standing.yaml", 5, 14)
    assert {"wound", "retreat", "advance", "panic-who"} <= editor.complete("standing.yaml", 6, 5)


def test_a_key_explains_itself(editor: Editor) -> None:
    editor.open("explain.yaml", with_modeline("orders", "side: west\nstop-after: shoot\n"))
    assert "Stop after this phase" in editor.hover("explain.yaml", 3, 3)
