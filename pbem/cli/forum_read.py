"""The verb forum read: what is in posts, checked against a game, or taken in."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pbem.cli import NO, UNDECIDED, params
from pbem.cli.refused import print_json

if TYPE_CHECKING:
    from pbem.referee.forum.forum_checking import Looked
    from pbem.referee.forum.forum_looking import Page
    from pbem.referee.forum.forum_run import Step
    from pbem.text.located import Located

_WIDE = 100
"""Columns of a player's line that are shown round the place of a problem."""


@click.command("read")
@click.argument("pages", nargs=-1, required=True, type=params.PATH, metavar="PAGE...")
@click.option(
    "--game",
    type=params.PATH,
    metavar="GAME",
    help="Check the orders against a game. Stores nothing without --take.",
)
@click.option(
    "--author",
    "authors",
    multiple=True,
    metavar="SEAT=NAME",
    help="Whose posts are a seat's; kept by --take.",
)
@click.option(
    "--take", "take_", is_flag=True, help="Take in what is new, and write the answers into GAME/outbox."
)
@click.option(
    "--trust-raw",
    is_flag=True,
    help="Take posts of Discourse's /raw too; the lines between them anybody can type.",
)
@params.as_json
@click.pass_context
def read(
    ctx: click.Context,
    pages: tuple[Path, ...],
    game: Path | None,
    authors: tuple[str, ...],
    take_: bool,
    trust_raw: bool,
    json_: bool,
) -> None:
    """Find the orders in saved pages of a thread, or in what the forum answers to a program.

    \b
    Example:
      pbem forum read thread-2.html
      pbem forum read thread-2.html --game toll --author "west=Ben Okafor"
      pbem forum read thread-2.html --game toll --take
    """
    if game is None and (take_ or authors):
        raise click.UsageError("--take and --author belong to a game; name it with --game")
    if trust_raw and not take_:
        raise click.UsageError("--trust-raw belongs to --take; without it everything is shown")
    given = params.pairs(authors, "--author", "SEAT=NAME")
    if take_:
        assert game is not None
        ctx.exit(_take(game, pages, given, trust_raw, json_))
    from pbem.referee.forum.forum_checking import looked
    from pbem.referee.game.game import open_game

    opened = None if game is None else open_game(game)
    found, posts = looked(files(pages), opened, given)
    strangers: set[str] = set()
    good = all(problem.code.startswith("doubt.") for page in found for problem in page.thread.problems)
    for one in posts:
        good = good and all(problem.is_doubt for problem in one.problems)
    if json_:
        print_json(
            {
                "pages": [_page_facts(page) for page in found],
                "posts": [_facts(one) for one in posts],
                "steps": [],
            }
        )
    else:
        for page in found:
            _show_page(page)
        for one in posts:
            _show(one, opened is not None, strangers)
    ctx.exit(UNDECIDED if not posts else 0 if good else NO)


def files(paths: tuple[Path, ...]) -> Iterator[tuple[str, bytes]]:
    """Yield pages that were named, each with its name; of one that is too big a little more than is read."""
    from pbem.forum.pages import BIGGEST
    from pbem.referee.game.scenario import open_file

    for path in paths:
        yield str(path), open_file(path, BIGGEST)


# --- taking in


def _take(game: Path, pages: tuple[Path, ...], authors: dict[str, str], trust_raw: bool, json_: bool) -> int:
    from pbem.referee.forum.forum_taking import take
    from pbem.referee.game.environment import own_environment

    steps = []
    for step in take(own_environment(), game, files(pages), authors, trust_raw=trust_raw):
        steps.append(step)
        if not json_:
            _say(step)
    if json_:
        print_json({"pages": [], "posts": [], "steps": [_step_facts(one) for one in steps]})
    elif not steps:
        click.echo("Nothing is new.")
    else:
        answers = [one.answer for one in steps if one.answer]
        if answers:
            click.echo(
                f"{len(answers)} {'answer is' if len(answers) == 1 else 'answers are'} to be posted: see "
                f"{game / 'outbox'}."
            )
    return UNDECIDED if any(one.trouble for one in steps) else 0


def _say(step: Step) -> None:
    from pbem.text.characters import printable

    who = f" by {step.author}" if step.author else ""
    seat = f" ({step.seat})" if step.seat else ""
    place = f"{step.post}{who}{seat}"
    why = step.said or ", ".join(step.why)
    head = f"{step.what:<9} {place}{': ' if place and why else ''}{why}".rstrip()
    click.echo(printable(head), err=step.trouble)
    if step.answer:
        click.echo(f"          answered in {step.answer}")


def _step_facts(step: Step) -> dict[str, Any]:
    return {
        "what": step.what,
        "post": step.post,
        "author": step.author,
        "seat": step.seat,
        "why": list(step.why),
        "said": step.said,
        "answer": step.answer,
        "trouble": step.trouble,
    }


# --- looking


def _show_page(page: Page) -> None:
    from pbem.store.library import common_words_of_posts
    from pbem.text.characters import printable

    thread, words = page.thread, common_words_of_posts()
    of = f", page {thread.page} of {thread.pages}" if thread.pages > 1 else ""
    count = len(thread.posts)
    title = f" '{thread.title[:100]}'" if thread.title else ""
    click.echo(
        printable(
            f"{page.file}: {thread.software or 'no forum'}{title}{of}, {count} "
            f"{'post' if count == 1 else 'posts'}"
        )
    )
    for problem in thread.problems:
        click.echo(
            printable(f"  {words.problem(problem.code, problem.args)}"),
            err=not problem.code.startswith("doubt."),
        )


def _show(one: Looked, in_game: bool, strangers: set[str]) -> None:
    from pbem.post.write.parts import repaired
    from pbem.store.library import common_words_of_posts
    from pbem.text.characters import printable

    words, post, found = common_words_of_posts(), one.shown.post, one.shown.found
    account = f" ({post.author_id})" if post.author_id else ""
    when = f", {post.at}" if post.at else ""
    edited = f", edited {post.edited}" if post.edited else ""
    seat = f", {one.seat}" if one.seat else ""
    what = "signed orders" if found.signature else found.kind
    before = f" [read before: {one.before}]" if one.before else ""
    number = f"#{post.number}" if post.number else post.id or "-"
    click.echo("")
    click.echo(
        printable(
            f"{number} {post.author[:60] or '(no author)'}{account}{seat}{when}{edited}: {what}{before}"
        )
    )
    if one.nobody is not None:
        if (who := post.author) not in strangers:
            click.echo(printable(f"  {words.problem(one.nobody.code, one.nobody.args)}"))
        strangers.add(who)
    for said in repaired(found.repairs, words):
        click.echo(printable(f"  {said}"))
    for problem in (*found.problems, *found.held):
        if problem.code != "forum.nothing" or (in_game and one.seat):
            said = words.problem(problem.code, problem.args)
            click.echo(printable(f"  {said} ({problem.help})" if problem.help else f"  {said}"))
    if found.data:
        for line in found.data.decode("utf-8", "replace").splitlines():
            click.echo(f"  | {printable(line)}".rstrip())
    for line in one.understood:
        click.echo(printable(f"  {line}"))
    for located in one.problems:
        for line in _placed(located):
            click.echo(line, err=True)


def _placed(found: Located) -> Iterator[str]:
    """Yield a problem with its place in a post: ``post #12 by Bob, line 3, column 5``, the line with a mark
    below the place.
    """
    from pbem.post.lines.source_excerpt import pointed
    from pbem.text.characters import printable

    place = f", line {found.line}, column {found.column}" if found.line else ""
    rule = f" ({found.rule})" if found.rule else ""
    yield printable(f"{found.file}{place}: {found.message}{rule}")
    if found.line and found.source_line.strip():
        line, mark = pointed(found.source_line, found.column, _WIDE)
        yield f"    {line}"
        yield f"    {mark} {found.help}".rstrip()
    elif found.help:
        yield f"    {found.help}"


def _page_facts(page: Page) -> dict[str, Any]:
    thread = page.thread
    return {
        "file": page.file,
        "software": thread.software,
        "title": thread.title,
        "topic": thread.topic,
        "page": thread.page,
        "pages": thread.pages,
        "problems": [_problem(one) for one in thread.problems],
    }


def _problem(problem: Any) -> dict[str, str]:
    from pbem.store.library import common_words_of_posts

    return {
        "code": problem.code,
        "message": common_words_of_posts().problem(problem.code, problem.args),
        "help": problem.help,
    }


def _facts(one: Looked) -> dict[str, Any]:
    from pbem.store.library import common_words_of_posts
    from pbem.text.located import as_json

    words, post, found = common_words_of_posts(), one.shown.post, one.shown.found
    return {
        "file": one.shown.page.file,
        "id": post.id,
        "number": post.number,
        "author": post.author,
        "author_id": post.author_id,
        "at": post.at,
        "edited": post.edited,
        "found": found.kind,
        "orders": found.data.decode("utf-8", "replace"),
        "signed": found.signature is not None,
        "seat": one.seat,
        "before": one.before,
        "repairs": [
            {
                "line": each.number,
                "code": each.code,
                "was": each.was,
                "now": each.now,
                "said": words.phrase(each.code, was=each.was, now=each.now),
            }
            for each in found.repairs
        ],
        "problems": [
            _problem(each)
            for each in (*([one.nobody] if one.nobody is not None else []), *found.problems, *found.held)
        ],
        "wrong": [as_json(each) for each in one.problems],
    }
