"""One node of Elasticsearch or OpenSearch as a child process: started, watched and stopped without leftovers."""

import json
import os
import shutil
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from tests.servers.build import Installation, Kind, build, named

_FOLDER_PREFIX = "qlc-elasticsearch-"
_JVM_OPTIONS = (
    "-Xss1m",
    "-Dfile.encoding=UTF-8",
    "-Djava.awt.headless=true",
    "-XX:-OmitStackTraceInFastThrow",
    "-Dlog4j.shutdownHookEnabled=false",
    "-Dlog4j2.disable.jmx=true",
    "-Dio.netty.noUnsafe=true",
    "-Dio.netty.noKeySetOptimization=true",
)
"""Options of the distribution that matter to a small server on loopback."""
_JVM_OPTIONS_FROM_21 = ("--add-modules=jdk.incubator.vector", "--enable-native-access=ALL-UNNAMED")

_OF_OPENSEARCH = {
    "indices.query.bool.max_clause_count": "32768",  # Elasticsearch derives it from its memory; here it is 1,024
    "script.disable_max_compilations_rate": "true",  # else 75 different scripts of one kind in five minutes
    "indices.breaker.total.use_real_memory": "false",  # what the collector has not yet freed is no request's fault
}


class StartError(RuntimeError):
    """The server did not come up; the message ends with the last lines of its log."""


class ElasticsearchServer:
    """A context manager around one node with a folder of its own, removed at the end however the end comes.

    The node also watches this process: when it dies, however it dies, the node stops and removes its folder.
    """

    def __init__(
        self,
        kind: Kind = 8,
        *,
        heap_mb: int = 1024,
        port: int = 0,
        settings: Mapping[str, str] | None = None,
        log_path: Path | None = None,
        start_timeout: float = 120.0,
        short_lived: bool = False,
    ) -> None:
        """Port 0 is a free port; settings are added to the node's own; the log goes to an unnamed file by default.

        A `short_lived` server compiles its code once, and quickly: in its first minutes it takes half the time of the
        processor, and later it is slower than another. Tests have such; nothing is to be measured on it.
        """
        self.kind = kind
        self.heap_mb = heap_mb
        self.start_timeout = start_timeout
        self.short_lived = short_lived
        self.version = ""
        self._port = port
        self._settings = dict(settings or {})
        self._log_path = log_path
        self._log_file: IO[bytes] | None = None
        self._folder: Path | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._url = ""

    @property
    def url(self) -> str:
        """The address of the node's HTTP interface."""
        if not self._url:
            raise StartError("the server has not been started")
        return self._url

    @property
    def pid(self) -> int:
        """The process id of the node."""
        return self._running_process().pid

    @property
    def folder(self) -> Path:
        """The folder that holds the node's data, configuration and temporary files."""
        if self._folder is None:
            raise StartError("the server has not been started")
        return self._folder

    def __enter__(self) -> Self:
        """Start and wait until requests are answered."""
        self.launch()
        try:
            self.wait_until_ready()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Stop."""
        self.stop()

    def launch(self) -> None:
        """Start the process without waiting for it."""
        installation = build(self.kind)
        self.version = installation.version
        self._folder = Path(tempfile.mkdtemp(prefix=_FOLDER_PREFIX))
        for name in ("config", "data", "logs", "tmp"):
            (self._folder / name).mkdir()
        self._log_file = self._log_path.open("w+b") if self._log_path else tempfile.TemporaryFile()  # noqa: SIM115
        self._process = subprocess.Popen(
            self._command(installation, self._folder),
            stdin=subprocess.DEVNULL,
            stdout=self._log_file,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )

    def wait_until_ready(self, nodes: int = 1) -> None:
        """Wait until the node answers and sees this number of nodes."""
        deadline = time.monotonic() + self.start_timeout
        while True:
            self._check_start(deadline)
            ports = self.bound_addresses("http")
            if ports and _sees_nodes(f"http://{ports[0]}", nodes):
                self._url = f"http://{ports[0]}"
                return
            time.sleep(0.1)

    def wait_for_transport(self) -> str:
        """Wait for the address on which the node talks to other nodes."""
        deadline = time.monotonic() + self.start_timeout
        while not (addresses := self.bound_addresses("transport")):
            self._check_start(deadline)
            time.sleep(0.05)
        return addresses[0]

    def bound_addresses(self, kind: str) -> list[str]:
        """The addresses that the node wrote down for `http` or `transport`, none when it has not come that far."""
        path = self.folder / "logs" / f"{kind}.ports"
        return path.read_text().split() if path.exists() else []

    def is_alive(self) -> bool:
        """Whether the process runs."""
        return self._process is not None and self._process.poll() is None

    def log(self) -> str:
        """All that the node has logged so far."""
        if self._log_file is None:
            return ""
        size = os.fstat(self._log_file.fileno()).st_size
        return os.pread(self._log_file.fileno(), size, 0).decode(errors="replace")

    def wait(self) -> int:
        """Wait until the process ends by itself, and give its exit status."""
        return self._running_process().wait()

    def kill(self) -> None:
        """End the process at once, as a power cut would; the folder stays until `stop`."""
        process = self._running_process()
        process.kill()
        process.wait()

    def stop(self) -> None:
        """Stop the node, by force after 20 s, and remove its folder."""
        if self._process is not None:
            self._process.terminate()
            try:
                self._process.wait(20)
            except subprocess.TimeoutExpired:
                self.kill()
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
        if self._log_file is not None:
            self._log_file.close()
        self._process = self._folder = self._log_file = None
        self._url = ""

    def _command(self, installation: Installation, folder: Path) -> list[str]:
        settings = {
            "path.home": str(installation.home),
            "path.data": str(folder / "data"),
            "path.logs": str(folder / "logs"),
            "node.name": "node-1",
            "node.portsfile": "true",
            "cluster.name": "qlc-tests",
            "network.host": "127.0.0.1",
            "http.port": str(self._port),
            "transport.port": "0",
            "cluster.routing.allocation.disk.threshold_enabled": "false",
            **({} if isinstance(self.kind, int) else _OF_OPENSEARCH),
            **self._settings,
        }
        if "cluster.initial_master_nodes" not in settings:
            settings["discovery.type"] = "single-node"
        return [
            installation.jdk.tool("java"),
            f"-Xms{self.heap_mb}m",
            f"-Xmx{self.heap_mb}m",
            f"-Djava.io.tmpdir={folder / 'tmp'}",
            f"-Dlog4j2.configurationFile={installation.home / 'log4j2.properties'}",
            *_JVM_OPTIONS,
            *(("-XX:TieredStopAtLevel=1",) if self.short_lived else ()),
            f"-Djava.locale.providers=SPI,{'CLDR' if installation.jdk.version >= 23 else 'COMPAT'}",
            *(_JVM_OPTIONS_FROM_21 if installation.jdk.version >= 21 else ()),
            "-cp",
            installation.class_path,
            "Server",
            str(os.getpid()),
            str(folder),
            *(f"{key}={value}" for key, value in settings.items()),
        ]

    def _running_process(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            raise StartError("the server has not been started")
        return self._process

    def _check_start(self, deadline: float) -> None:
        if not self.is_alive():
            raise StartError(f"{named(self.kind)} ended while it started:\n{self.log()[-4000:]}")
        if time.monotonic() > deadline:
            raise StartError(f"{named(self.kind)} did not answer in {self.start_timeout} s:\n{self.log()[-4000:]}")


def _sees_nodes(url: str, nodes: int) -> bool:
    try:
        with urllib.request.urlopen(f"{url}/_cluster/health", timeout=5) as answer:
            health = json.load(answer)
    except (urllib.error.URLError, OSError):
        return False
    return bool(health["number_of_nodes"] >= nodes and health["status"] != "red")
