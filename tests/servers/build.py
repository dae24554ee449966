"""Downloads and compiles servers that can be started: Elasticsearch 8.x and 9.x, OpenSearch 2.x and 3.x."""

import fcntl
import hashlib
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from zipfile import ZipFile

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ROOT / "scripts" / "elasticsearch"
CACHE = ROOT / ".cache" / "elasticsearch"
Kind = int | str
"""A major version of Elasticsearch, or `"opensearch2"`, `"opensearch3"`."""
MINIMUM_JAVA: dict[Kind, int] = {8: 17, 9: 21, "opensearch2": 17, "opensearch3": 21}
HOW_TO = (
    "install a JDK (Debian: apt-get install openjdk-17-jdk-headless; Elasticsearch 9.x and OpenSearch 3.x: Temurin 21 "
    "or newer) and Maven (`mvn`)"
)

_JDK_FOLDERS = ("/usr/lib/jvm/*", "/opt/java/*", "/Library/Java/JavaVirtualMachines/*/Contents/Home")
_MODULES = {"transport-netty4": "org.elasticsearch.transport.netty4.Netty4Plugin", "language": "LanguagePlugin"}


class BuildError(RuntimeError):
    """A server cannot be built here; the message says why and what to do."""


@dataclass(frozen=True)
class Jdk:
    """A Java development kit on this machine."""

    home: Path
    version: int

    def tool(self, name: str) -> str:
        """The path of one of its programs."""
        return str(self.home / "bin" / name)


@dataclass(frozen=True)
class Installation:
    """A built server: its home folder, class path and the JDK that runs it."""

    kind: Kind
    version: str
    home: Path
    jdk: Jdk

    @property
    def class_path(self) -> str:
        """The server's class path, ours first."""
        return os.pathsep.join([str(self.home / "classes"), str(self.home / "lib" / "*")])


def kind(text: str) -> Kind:
    """A kind of server as a command line names it; `opensearch` is the older one."""
    return int(text) if text.isdecimal() else {"opensearch": "opensearch2"}.get(text, text)


def named(kind: Kind) -> str:
    """The name of a kind of server, for people."""
    return f"Elasticsearch {kind}.x" if isinstance(kind, int) else f"OpenSearch {kind[-1]}.x"


def find_jdk(kind: Kind) -> Jdk:
    """The oldest JDK of this machine that runs this kind of server."""
    minimum = MINIMUM_JAVA[kind]
    kits = [kit for kit in map(_jdk_at, _jdk_homes()) if kit is not None and kit.version >= minimum]
    if not kits:
        raise BuildError(f"{named(kind)} needs a JDK of {minimum} or newer and none was found: {HOW_TO}")
    return min(kits, key=lambda kit: (kit.version, str(kit.home)))


def build(kind: Kind) -> Installation:
    """Download and compile, unless that was done for exactly these sources.

    Each state of the sources has a folder of its own, so that a build never pulls the jars from under a running server.
    """
    jdk = find_jdk(kind)
    home = _home(kind, jdk)
    with _locked(CACHE / f"{kind}.lock"):
        if not home.exists():
            unfinished = home.with_suffix(".unfinished")
            shutil.rmtree(unfinished, ignore_errors=True)
            _download(kind, unfinished / "lib")
            _compile(kind, unfinished, jdk)
            unfinished.rename(home)
    return Installation(kind, _version(home), home, jdk)


def is_built(kind: Kind) -> bool:
    """Whether `build` has nothing to do. Raises BuildError where no JDK runs this kind."""
    return _home(kind, find_jdk(kind)).exists()


def _home(kind: Kind, jdk: Jdk) -> Path:
    sources = [
        *sorted((SOURCES / str(kind)).iterdir()),
        *sorted(SOURCES.glob("src/**/*.*")),
        Path(__file__),
    ]
    digest = hashlib.sha256(b"\0".join([str(jdk).encode(), *(path.read_bytes() for path in sources)])).hexdigest()
    return CACHE / str(kind) / digest[:12]


def _jdk_homes() -> Iterator[Path]:
    for variable in ("ES_JAVA_HOME", "JAVA_HOME"):
        if os.environ.get(variable):
            yield Path(os.environ[variable])
    compiler = shutil.which("javac")
    if compiler:
        yield Path(compiler).resolve().parents[1]
    for pattern in (*_JDK_FOLDERS, str(Path.home() / ".sdkman/candidates/java/*")):
        yield from sorted(Path("/").glob(pattern.lstrip("/")))


def _jdk_at(home: Path) -> Jdk | None:
    release = home / "release"
    if not release.is_file() or not (home / "bin" / "javac").exists():
        return None
    match = re.search(r'^JAVA_VERSION="(\d+)', release.read_text(), re.MULTILINE)
    return Jdk(home.resolve(), int(match[1])) if match else None


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def _download(kind: Kind, target: Path) -> None:
    maven = shutil.which("mvn")
    if maven is None:
        raise BuildError(f"Maven is needed to download a server and `mvn` was not found: {HOW_TO}")
    pom = SOURCES / str(kind) / "pom.xml"
    goal = "dependency:copy-dependencies"
    _run([maven, "-q", "-B", "-f", str(pom), goal, "-DincludeScope=runtime", f"-DoutputDirectory={target}"])


def _compile(kind: Kind, home: Path, jdk: Jdk) -> None:
    for archive in (home / "lib").glob("*.zip"):
        _unpack(archive)
    javac = [jdk.tool("javac"), "-nowarn", "-cp", str(home / "lib" / "*")]
    is_elasticsearch = isinstance(kind, int)
    product = "elasticsearch" if is_elasticsearch else "opensearch"
    folders = (SOURCES / "src" / "server", SOURCES / "src" / product, SOURCES / str(kind))
    _run([*javac, "-d", str(home / "classes"), *(str(source) for one in folders for source in one.glob("*.java"))])
    shutil.copy(SOURCES / "src" / "log4j2.properties", home / "log4j2.properties")
    if is_elasticsearch:
        _add_modules(kind, home, jdk, javac)


def _unpack(archive: Path) -> None:
    """Replace an archive by the jars in it."""
    with ZipFile(archive) as content:
        for name in content.namelist():
            if name.endswith(".jar"):
                content.extract(name, archive.parent)
    archive.unlink()


def _add_modules(kind: Kind, home: Path, jdk: Jdk, javac: list[str]) -> None:
    """Make the modules that Elasticsearch loads from folders. OpenSearch has its plugins on the class path."""
    for name in _MODULES:
        (home / "modules" / name).mkdir(parents=True)
    plugin = SOURCES / "src" / "analysis" / "LanguagePlugin.java"
    _run([*javac, "-d", str(home / "plugin"), str(plugin)])
    _run([jdk.tool("jar"), "cf", str(home / "modules/language/language.jar"), "-C", str(home / "plugin"), "."])
    shutil.rmtree(home / "plugin")
    for pattern in ("transport-netty4*.jar", "netty*.jar"):
        for jar in (home / "lib").glob(pattern):
            jar.rename(home / "modules" / "transport-netty4" / jar.name)
    version = _version(home)
    for name, class_name in _MODULES.items():
        (home / "modules" / name / "plugin-descriptor.properties").write_text(
            f"name={name}\ndescription={name}\nversion={version}\nelasticsearch.version={version}\n"
            f"java.version={MINIMUM_JAVA[kind]}\nclassname={class_name}\nmodulename=\nextended.plugins=\n"
            "has.native.controller=false\n"
        )


def _version(home: Path) -> str:
    names = (re.fullmatch(r"(?:elastic|open)search-(\d[\d.]*)\.jar", jar.name) for jar in (home / "lib").iterdir())
    versions = [match[1] for match in names if match]
    if len(versions) != 1:
        raise BuildError(f"expected one jar of the server in {home / 'lib'}, found versions {versions}")
    return versions[0]


def _run(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        output = (done.stdout + done.stderr).strip()[-2000:]
        raise BuildError(f"{Path(command[0]).name} failed with exit status {done.returncode}:\n{output}")
