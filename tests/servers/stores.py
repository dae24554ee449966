"""PostgreSQL and Redis from Debian's packages, each started in a folder of its own under a user of its own.

What is not installed is taken from the packages, which are unpacked below `.cache` and not installed; so nothing of the
machine is changed and no rights are needed.
"""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

CACHE = Path(__file__).resolve().parents[2] / ".cache" / "debian"
PACKAGES = {
    "postgres": ("postgresql-15", "postgresql-client-15", "libpq5", "libllvm14", "libxslt1.1"),
    "redis-server": ("redis-server", "redis-tools", "libjemalloc2", "liblua5.1-0", "liblzf1", "lua-bitop", "lua-cjson",
                     "libatomic1"),
}  # fmt: skip
START_TIMEOUT = 60.0


class NotInstalled(RuntimeError):
    """The server is not installed, and its packages cannot be had."""


def program(name: str) -> Path:
    """A program of a server. Raises NotInstalled."""
    found = _found(name)
    if found is None:
        _unpack(name)
        found = _found(name)
    if found is None:
        raise NotInstalled(f"{name} is not installed and cannot be taken from Debian's packages")
    return found


def _found(name: str) -> Path | None:
    places = ["/usr/bin", "/usr/local/bin", *(str(one) for one in Path("/usr/lib/postgresql").glob("*/bin"))]
    unpacked = [CACHE / "usr/bin", *(CACHE / "usr/lib/postgresql").glob("*/bin")]
    for place in (*sorted(places, key=len, reverse=True), *unpacked):
        path = Path(place) / name
        if path.exists():
            return path.resolve() if name == "postgres" else path
    return None


def _unpack(name: str) -> None:
    """Download packages as any user may, and unpack them."""
    if shutil.which("apt-get") is None or shutil.which("dpkg") is None:
        return
    CACHE.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        for package in PACKAGES[name]:
            subprocess.run(["apt-get", "download", package], cwd=folder, capture_output=True, check=False, timeout=300)
        for one in Path(folder).glob("*.deb"):
            subprocess.run(["dpkg", "-x", str(one), str(CACHE)], capture_output=True, check=False, timeout=300)


@contextmanager
def _folder() -> Iterator[tuple[Path, str | None]]:
    """A folder, and the user that it belongs to: one without rights where the tests run with all of them."""
    folder = Path(tempfile.mkdtemp(prefix="qlc-store-"))
    user = None
    try:
        if os.geteuid() == 0:
            user = next(name for name in ("postgres", "nobody") if _exists(name))
            account = pwd.getpwnam(user)
            os.chown(folder, account.pw_uid, account.pw_gid)
        folder.chmod(0o700)
        yield folder, user
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _exists(user: str) -> bool:
    try:
        pwd.getpwnam(user)
    except KeyError:
        return False
    return True


def _environment() -> dict[str, str]:
    libraries = [str(one) for one in (CACHE / "usr/lib").glob("*-linux-gnu")]
    return {**os.environ, "LD_LIBRARY_PATH": ":".join(libraries), "LC_ALL": "C"}


@contextmanager
def _running(command: Sequence[str], folder: Path, user: str | None, is_up: Callable[[], bool]) -> Iterator[None]:
    log = (folder / "log").open("wb")
    process = subprocess.Popen(command, cwd=folder, user=user, env=_environment(), stdout=log, stderr=log)
    try:
        until = time.monotonic() + START_TIMEOUT
        while not is_up():
            if process.poll() is not None or time.monotonic() > until:
                raise NotInstalled((folder / "log").read_text("utf-8", "replace")[-2_000:])
            time.sleep(0.05)
        yield
    finally:
        with suppress(ProcessLookupError):
            process.send_signal(signal.SIGINT)
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        log.close()


@contextmanager
def postgres() -> Iterator[str]:
    """A PostgreSQL of one's own: its conninfo. Raises NotInstalled."""
    server = program("postgres")
    with _folder() as (folder, user):
        data = folder / "data"
        made = subprocess.run(
            [str(server.parent / "initdb"), "-D", str(data), "-U", "qlc", "--auth=trust", "--encoding=UTF8"],
            cwd=folder, user=user, env=_environment(), capture_output=True, check=False, timeout=120,
        )  # fmt: skip
        if made.returncode:
            raise NotInstalled(made.stderr.decode("utf-8", "replace")[-2_000:])
        command = [str(server), "-D", str(data), "-k", str(folder), "-c", "listen_addresses="]
        conninfo = f"host={folder} user=qlc dbname=postgres"
        with _running(command, folder, user, lambda: _answers(conninfo)):
            yield conninfo


def _answers(conninfo: str) -> bool:
    import psycopg

    try:
        psycopg.connect(conninfo).close()
    except psycopg.OperationalError:
        return False
    return True


@contextmanager
def redis() -> Iterator[str]:
    """A Redis of one's own, which forgets nothing that it acknowledged: its URL. Raises NotInstalled."""
    server = program("redis-server")
    with _folder() as (folder, user):
        socket = folder / "redis.sock"
        settings = {"port": "0", "unixsocket": str(socket), "dir": str(folder), "save": "", "appendonly": "yes",
                    "appendfsync": "always"}  # fmt: skip
        command = [str(server), *(part for key, value in settings.items() for part in (f"--{key}", value))]
        with _running(command, folder, user, socket.exists):
            yield f"unix://{socket}"
