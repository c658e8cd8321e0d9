"""Where long runs are done and kept: the options of ``pbem study`` for what is run from the source."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from pbem.fleet.door import Means


def with_means(parser: ArgumentParser) -> None:
    """Add --workers, --scheduler, --tls and --parts."""
    parser.add_argument("--workers", type=int, metavar="N", help="on a Dask cluster of this machine")
    parser.add_argument(
        "--scheduler", default="", metavar="tls://HOST:PORT", help="on the workers of this one"
    )
    parser.add_argument("--tls", type=Path, metavar="DIR", help="ca.pem, cert.pem and key.pem for it")
    parser.add_argument(
        "--parts",
        type=Path,
        metavar="DIR",
        help="keep there what is done; the same command goes on from there",
    )


def means_of(chosen: Namespace, jobs: int | None = None) -> Means:
    """Return what was chosen; ``jobs``: how many processes where no cluster is asked for."""
    return Means(jobs, chosen.workers, chosen.scheduler, chosen.tls, chosen.parts)
