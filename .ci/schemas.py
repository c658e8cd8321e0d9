"""Writes the schemas that are made from dataclasses into their files (``make schemas``); a test holds the files to it."""

from __future__ import annotations

from pbem.resources import folder
from pbem.rulesets.siege import schemas
from pbem.rulesets.siege.ruleset import SIEGE
from pbem.text.schemas import as_file

for kind, schema in schemas.made(SIEGE).items():
    path = folder("schemas") / f"{kind}.schema.json"
    path.write_text(as_file(schema), "utf-8", newline="\n")
    print(path.name)
