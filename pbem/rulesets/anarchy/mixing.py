"""What may be mixed: which modules of Siege and of The Anarchy may be named in one scenario, and why not."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.core.problem import Problem
from pbem.core.ruleset import Ruleset
from pbem.rulesets.siege.state.state import Battle

Rules = Ruleset[Battle]
TABLE = "mixing"


def why_not(rules: Rules, modules: Sequence[str]) -> list[Problem]:
    """Return why modules of a scenario are not played together, each at the place of the module that is
    refused: one of them needs another that is not named, or two are kept apart.
    """
    rows = rules.tables[TABLE]["rows"]
    found: list[Problem] = []
    for index, name in enumerate(modules):
        row = rows.get(name, {})
        names: dict[str, str | int] = {"module": name, "title": str(row.get("title", ""))}
        if missing := [other for other in row.get("needs", ()) if other not in modules]:
            help_ = f"modules: [{', '.join((*modules, *missing))}]"
            args = {**names, "others": " and ".join(missing)}
            found.append(Problem("mixing.needs", args, ("modules", index), help=help_))
        for other, why in row.get("apart", {}).items():
            if other in modules:
                args = {**names, "other": other, "why": why}
                help_ = f"leave out {name} or {other}"
                found.append(Problem("mixing.apart", args, ("modules", index), help=help_))
    return found
