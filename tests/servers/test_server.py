"""The harness itself: a server that does not start says why, and no server leaves anything."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.servers import ElasticsearchServer, StartError
from tests.servers.build import ROOT
from tests.servers.fixtures import require_build

OWNER = """
import sys, time
from tests.servers import ElasticsearchServer
with ElasticsearchServer(8, heap_mb=512, short_lived=True) as server:
    print(server.pid, server.folder, flush=True)
    time.sleep(600)
"""


def _process_is_gone(pid: int, within: float) -> bool:
    deadline = time.monotonic() + within
    while Path(f"/proc/{pid}").exists():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.1)
    return True


@pytest.fixture
def buildable() -> None:
    """The tests below start servers of their own."""
    require_build(8)


@pytest.mark.usefixtures("buildable")
def test_a_killed_owner_leaves_nothing_behind() -> None:
    owner = subprocess.Popen([sys.executable, "-c", OWNER], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    try:
        pid, folder = owner.stdout.readline().split()
    finally:
        owner.send_signal(signal.SIGKILL)
        owner.communicate()
    assert _process_is_gone(int(pid), within=15)
    assert not Path(folder).exists()


@pytest.mark.usefixtures("buildable")
def test_a_setting_that_is_refused_is_reported_with_the_log_and_stop_removes_all() -> None:
    server = ElasticsearchServer(8, heap_mb=512, short_lived=True, settings={"no.such.setting": "1"})
    server.launch()
    pid, folder = server.pid, server.folder
    assert folder.is_dir()
    with pytest.raises(StartError, match=r"unknown setting \[no\.such\.setting\]"):
        server.wait_until_ready()
    server.stop()
    assert not folder.exists()
    assert _process_is_gone(pid, within=0)
