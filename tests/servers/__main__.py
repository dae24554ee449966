"""`python -m tests.servers build [8 9 opensearch2 opensearch3]`, and `start 8 [--port 9208] [--heap-mb 1024]`."""

import argparse
import signal
import sys
from pathlib import Path
from types import FrameType

from tests.servers.build import MINIMUM_JAVA, BuildError, Kind, build, kind, named
from tests.servers.server import ElasticsearchServer, StartError


def main(arguments: list[str]) -> int:
    """Run one command and give the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.servers", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    build_command = commands.add_parser("build", help="download and compile only")
    build_command.add_argument("kinds", type=kind, nargs="*", help="8, 9, opensearch2, opensearch3; all by default")
    build_command.add_argument("--where-possible", action="store_true", help="leave out those that no JDK here runs")
    start_command = commands.add_parser("start", help="run in the foreground until interrupted or killed")
    start_command.add_argument("kind", type=kind, choices=list(MINIMUM_JAVA), nargs="?", default=8)
    start_command.add_argument("--port", type=int, default=0, help="0, the default, is a free port")
    start_command.add_argument("--heap-mb", type=int, default=1024)
    start_command.add_argument("--log", type=Path, help="write the node's log to this file")
    options = parser.parse_args(arguments)
    try:
        if options.command == "build":
            return _build(options.kinds or list(MINIMUM_JAVA), options.where_possible)
        return _start(options.kind, options.port, options.heap_mb, options.log)
    except (BuildError, StartError) as error:
        sys.stderr.write(f"{error}\n")
        return 1


def _build(kinds: list[Kind], where_possible: bool) -> int:
    built = 0
    for one in kinds:
        try:
            installation = build(one)
        except BuildError as error:
            if not where_possible:
                raise
            sys.stderr.write(f"left out: {error}\n")
            continue
        built += 1
        sys.stdout.write(f"{named(one)}: {installation.version} is built (Java {installation.jdk.version})\n")
    return 0 if built else 1


def _start(started: Kind, port: int, heap_mb: int, log: Path | None) -> int:
    signal.signal(signal.SIGTERM, _interrupt)
    server = ElasticsearchServer(started, port=port, heap_mb=heap_mb, log_path=log)
    try:
        with server:
            sys.stdout.write(f"{named(started)}: {server.version} answers on {server.url} (process {server.pid})\n")
            sys.stdout.flush()
            status = server.wait()
            sys.stderr.write(f"{named(started)} ended with exit status {status}:\n{server.log()[-4000:]}\n")
            return 1
    except KeyboardInterrupt:
        return 0


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
