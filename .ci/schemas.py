"""Writes the schemas that are made from Structs and deeds into their files (``make schemas``); a test
holds the files to it.
"""

from __future__ import annotations

import json

from pbem.resources import folder
from pbem.rulesets.anarchy.ruleset import ANARCHY
from pbem.rulesets.siege.deeds import schemas
from pbem.rulesets.siege.ruleset import SIEGE
from pbem.text.schemas import as_file

orders = json.loads((folder("schemas") / "orders.schema.json").read_text("utf-8"))
made = {
    **schemas.made(SIEGE, orders),
    "state": schemas.of_state(SIEGE, ANARCHY),
    "events": schemas.of_events(SIEGE, ANARCHY),
}
for kind, schema in made.items():
    path = folder("schemas") / f"{kind}.schema.json"
    path.write_text(as_file(schema), "utf-8", newline="\n")
    print(path.name)
