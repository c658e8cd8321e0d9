"""Verbs for reading the rules: rules and tables."""

from __future__ import annotations

from pathlib import Path

import click

from pbem.cli import NO, params
from pbem.cli.refused import check_json, print_json


@click.group("rules")
def rules_() -> None:
    """Read the rulebook.

    \b
    Example:
      pbem rules show S1.61c
    """


@rules_.command("list")
@click.argument("ruleset", required=False)
@params.as_json
def list_(ruleset: str | None, json_: bool) -> None:
    """List the rulesets, or the rules of one."""
    from pbem.referee.game.rulebook import all_rulesets, entries

    if ruleset is None:
        found = [
            {"id": rules.id, "revision": rules.revision, "title": rules.title} for rules in all_rulesets()
        ]
        if json_:
            print_json(found)
            return
        for entry in found:
            click.echo(f"{entry['id']} {entry['revision']}   {entry['title']}")
        return
    rules = [
        {key: str(rule.get(key, "")) for key in ("id", "topic", "status", "rule")}
        for rule in entries(ruleset)
    ]
    if json_:
        print_json(rules)
        return
    for rule in rules:
        click.echo(f"{rule['id']:<10} {rule['status']:<10} {rule['rule']}")


@rules_.command("show")
@click.argument("rule_id", metavar="ID")
@click.option("--ruleset", metavar="RULESET", help="Which ruleset; default the first that has it.")
@params.as_json
def show_(rule_id: str, ruleset: str | None, json_: bool) -> None:
    """Show a rule: its text, code or row of a table, tests and readings.

    \b
    Example:
      pbem rules show S1.61c
    """
    from pbem.referee.game.rulebook import rule

    shown = rule(rule_id, ruleset)
    if json_:
        print_json({"rule": dict(shown.entry), "code": list(shown.code), "tests": list(shown.tests)})
        return
    entry = shown.entry
    click.echo(
        f"{entry['id']}   {entry.get('topic', '')}   {entry.get('basis', '')}   {entry.get('status', '')}"
    )
    click.echo(str(entry.get("rule", "")))
    if entry.get("why"):
        click.echo(f"why: {entry['why']}")
    readings = entry.get("readings")
    for reading in readings if isinstance(readings, list) else []:
        if isinstance(reading, dict):
            since = f" (since {reading['since']})" if reading.get("since") else ""
            click.echo(f"reading: {reading.get('answer', '')}: {reading.get('why', '')}{since}")
    carrier = entry.get("carrier", ())
    rows = (carrier,) if isinstance(carrier, str) else tuple(carrier)
    for what, places in (("code", shown.code), ("table", rows), ("test", shown.tests)):
        for place in places:
            click.echo(f"{what}: {place}")


@rules_.command("sequence")
@click.argument("ruleset")
@params.as_json
def sequence_(ruleset: str, json_: bool) -> None:
    """Show the sequence of play of a ruleset.

    \b
    Example:
      pbem rules sequence siege
    """
    from pbem.referee.game.rulebook import sequence

    lines = sequence(ruleset)
    if json_:
        print_json(list(lines))
        return
    for line in lines:
        click.echo(line)


@rules_.command("options")
@click.argument("ruleset")
@params.as_json
def options_(ruleset: str, json_: bool) -> None:
    """List the optional rules and what the editions have: the first value of each is the default.

    \b
    Example:
      pbem rules options siege
    """
    from pbem.referee.game.rulebook import options

    found = options(ruleset)
    if json_:
        print_json(
            [
                {
                    "option": o.name,
                    "title": o.title,
                    "values": list(o.values),
                    "rules": list(o.rules),
                    "editions": dict(o.editions),
                }
                for o in found
            ]
        )
        return
    for option in found:
        click.echo(f"{option.name}: {' | '.join(option.values)}")
        click.echo(f"    {option.title} ({', '.join(option.rules)})")
        for edition, value in option.editions.items():
            click.echo(f"    edition {edition}: {value}")


@rules_.command("coverage")
@click.argument("ruleset")
@params.as_json
def coverage_(ruleset: str, json_: bool) -> None:
    """Count which rules of a ruleset are carried out.

    \b
    Example:
      pbem rules coverage siege
    """
    from pbem.referee.game.rulebook import coverage

    found = coverage(ruleset)
    if json_:
        print_json(
            {
                "ruleset": found.ruleset,
                "total": found.total,
                "done": found.done,
                "not_done": [dict(one) for one in found.not_done],
            }
        )
        return
    click.echo(f"{found.ruleset}: {found.done} of {found.total} rules are carried out")
    for entry in found.not_done:
        click.echo(f"  {entry['id']:<10} {entry['status']:<10} {entry['why']}")


@rules_.command("check")
@click.argument("package")
@params.as_json
def check_(package: str, json_: bool) -> None:
    """Say everything that is missing or wrong in a ruleset of your own. PACKAGE is its id, or the package it
    is in.

    \b
    Example:
      pbem rules check siege
    """
    from pbem.referee.game.refusal import Refused
    from pbem.referee.proving.authoring import check, named
    from pbem.store.library import common_words

    found = check(package)
    if json_:
        print_json(check_json(found))
    elif not found:
        click.echo(common_words().phrase("author.fine", rulesets=list(named(package))))
    else:
        raise Refused(located=list(found))
    if found:
        click.get_current_context().exit(NO)


@click.group("tables")
def tables_() -> None:
    """Read the number tables, and check your own.

    \b
    Example:
      pbem tables export siege my-tables
    """


@tables_.command("list")
@click.argument("ruleset")
@params.as_json
def tables_list(ruleset: str, json_: bool) -> None:
    """List the tables of a ruleset with where their numbers come from."""
    from pbem.referee.game.tables import tables

    found = tables(ruleset)
    if json_:
        print_json([{"name": one.name, "basis": one.basis, "source": one.source} for one in found])
        return
    for one in found:
        click.echo(f"{one.name:<32} {one.basis:<14} {one.source}")


@tables_.command("show")
@click.argument("ruleset")
@click.argument("table")
def tables_show(ruleset: str, table: str) -> None:
    """Print one table as it is shipped."""
    from pbem.referee.game.tables import table as one

    click.echo(one(ruleset, table).data.decode(), nl=False)


@tables_.command("export")
@click.argument("ruleset")
@click.argument("folder", type=params.PATH)
def tables_export(ruleset: str, folder: Path) -> None:
    """Write the tables into a folder, to be filled in from a sheet that you own."""
    from pbem.referee.game.tables import export

    names = export(ruleset, folder)
    click.echo(
        f"{len(names)} tables are in {folder}. Leave only those that you change, "
        "and name the folder with --tables."
    )


@tables_.command("check")
@click.argument("ruleset")
@click.argument("folder", type=params.PATH)
def tables_check(ruleset: str, folder: Path) -> None:
    """Check tables of your own."""
    from pbem.referee.game.tables import check

    click.echo(f"These tables can be used: {', '.join(check(ruleset, folder))}")
