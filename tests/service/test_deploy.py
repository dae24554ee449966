"""Runs the files of docs/deploy.md: the health check of the container, the FastAPI application, the workflow."""

import json
import os
import runpy
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx2 as httpx
import jwt
import pytest
import yaml
from fastapi.testclient import TestClient

from qlc import catalogs
from tests import data_sets
from tests.docs.pages import ROOT, blocks
from tests.service.test_serving import serving

SECRET = "a secret that is at least 32 bytes long"


def instructions(name: str) -> list[str]:
    """The instructions of a kind in the Dockerfile, without line breaks."""
    lines = (ROOT / "Dockerfile").read_text("utf-8").replace("\\\n", " ").splitlines()
    return [line.removeprefix(name).strip() for line in lines if line.startswith(f"{name} ")]


def test_the_service_starts_from_variables_and_is_healthy(tmp_path: Path) -> None:
    keys = tmp_path / "keys.yaml"
    digest = "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae"  # of "foo"
    keys.write_text(f"[{{name: ci, sha256: {digest}}}]", encoding="utf-8")
    variables = {"QLC_DATA": str(data_sets.stored("drive")), "QLC_CATALOG": str(catalogs.path("drive")),
                 "QLC_API_KEYS": str(keys), "QLC_STORE": str(tmp_path / "conversations.db"), "QLC_HOST": "0.0.0.0",
                 "QLC_NOW": "2026-03-15T12:00:00Z"}  # fmt: skip
    with serving(**variables) as (process, address):
        port = address.rpartition(":")[2]
        answered = httpx.post(f"http://127.0.0.1:{port}/v1/ask", json={"text": "how many W2s are there?"},
                              headers={"X-API-Key": "foo"}, timeout=60)  # fmt: skip
        assert answered.json()["value"] == 143
        check = [sys.executable, *json.loads(instructions("HEALTHCHECK")[0].partition(" CMD ")[2])[1:]]
        for asked, code in ((port, 0), ("1", 1)):
            ended = subprocess.run(check, env={**os.environ, "QLC_PORT": asked}, capture_output=True, check=False)
            assert ended.returncode == code, ended.stderr
        assert process.poll() is None


def test_the_container_writes_to_its_volume_only() -> None:
    (user,), (volume,) = instructions("USER"), instructions("VOLUME")
    assert user.isdecimal()
    assert int(user) > 0
    settings = dict(pair.split("=", 1) for line in instructions("ENV") for pair in shlex.split(line))
    assert all(settings[name].startswith(volume) for name in ("QLC_STORE", "XDG_CACHE_HOME"))
    assert f"{settings['XDG_STATE_HOME']}/qlc" == volume
    compose = yaml.safe_load((ROOT / "compose.yaml").read_text("utf-8"))["services"]["qlc"]
    (pod,) = [one["spec"]["template"]["spec"] for one in yaml.safe_load_all(
        (ROOT / "deploy/kubernetes.yaml").read_text("utf-8")) if one["kind"] == "Deployment"]  # fmt: skip
    (client,) = [one.partition("<")[2] for one in instructions("ARG") if one.startswith("CLIENT=")]
    image = yaml.safe_load((ROOT / "compose.yaml").read_text("utf-8"))["services"]["elasticsearch"]["image"]
    assert int(client.strip('"')) == int(image.rpartition(":")[2].partition(".")[0]) + 1  # a client 9 is refused by 8
    assert compose["read_only"]
    assert pod["containers"][0]["securityContext"]["readOnlyRootFilesystem"]
    assert (pod["enableServiceLinks"], pod["securityContext"]["runAsUser"]) == (False, int(user))


# --- the FastAPI application -----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def application() -> Iterator[TestClient]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TOKEN_SECRET", SECRET)
        patch.setenv("ELASTICSEARCH_URL", ":memory:")
        module = runpy.run_path(str(ROOT / "examples/service/app.py"))
    lines = (ROOT / "examples/rentals.ndjson").read_text("utf-8").splitlines()

    async def load() -> None:
        operations = [part for line in lines for part in ({"index": {}}, json.loads(line))]
        await module["client"].bulk(index="rentals", operations=operations, refresh=True)
        mapping = (await module["client"].indices.get_mapping(index="rentals")).body
        assert mapping

    with pytest.MonkeyPatch.context() as patch:
        for name in ("rows", "answer"):  # its pages are read by these functions: small pages show that all are read
            patch.setitem(module[name].__globals__, "PAGE", 7)
        application = module["application"]
        before = application.router.lifespan_context
        application.router.lifespan_context = lambda app: _loaded(before(app), load)
        with TestClient(application) as http:
            yield http


def _loaded(context, load):  # type: ignore[no-untyped-def]
    from contextlib import asynccontextmanager

    @asynccontextmanager
    async def loaded():  # type: ignore[no-untyped-def]
        await load()
        async with context:
            yield

    return loaded()


def headers(company: str) -> dict[str, str]:
    claims = {"sub": "ann", "company": company, "exp": 4_000_000_000}
    return {"Authorization": f"Bearer {jwt.encode(claims, SECRET, 'HS256')}"}


def in_city(city: str) -> set[str]:
    lines = map(json.loads, (ROOT / "examples/rentals.ndjson").read_text("utf-8").splitlines())
    return {one["number"] for one in lines if one["station"]["city"] == city}


@pytest.mark.parametrize("city", ["Lisbon", "Porto"])
def test_a_tenant_sees_its_own_rows_in_a_stream_of_all_pages(application: TestClient, city: str) -> None:
    with application.stream("GET", "/rentals/rows", params={"question": "all rentals"},
                            headers=headers(city)) as response:  # fmt: skip
        found = [json.loads(line) for line in response.iter_lines()]
    assert {one["number"] for one in found} == in_city(city)
    assert len(found) == len(in_city(city)) > 7


def test_an_answer_is_of_the_tenant_and_a_caller_without_token_gets_none(application: TestClient) -> None:
    asked = {"question": "how many rentals?"}
    counted = {city: application.get("/rentals/answer", params=asked, headers=headers(city)).json()["value"]
               for city in ("Lisbon", "Porto")}  # fmt: skip
    assert counted == {city: len(in_city(city)) for city in counted}
    assert application.get("/rentals/answer", params=asked).status_code == 401
    assert application.get("/rentals/rows", params=asked, headers={"Authorization": "Bearer x"}).status_code == 401


def test_what_is_no_list_has_a_status_and_no_rows(application: TestClient) -> None:
    response = application.get("/rentals/rows", params={"question": "how many rentals?"}, headers=headers("Porto"))
    assert response.status_code == 422


def test_the_service_is_below_a_path(application: TestClient) -> None:
    answered = application.post("/qlc/v1/ask", json={"text": "how many rentals?"}, headers=headers("Lisbon"))
    assert answered.json()["value"] == len(in_city("Lisbon"))


def test_the_view_for_flask_and_django_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(data_sets.stored("drive"), tmp_path / "store")
    shutil.copy(catalogs.path("drive"), tmp_path / "drive.yaml")
    monkeypatch.chdir(tmp_path)
    (block,) = blocks("docs/deploy.md", "python")
    names: dict[str, object] = {}
    exec(compile(block, "docs/deploy.md", "exec"), names)

    class Request:
        args = {"q": "how many W2s are there?"}  # noqa: RUF012

    body, status, _ = names["answer"](Request)  # type: ignore[operator]
    assert (json.loads(body)["value"], status) == (143, 200)
    names["client"].close()  # type: ignore[attr-defined]


# --- the workflow ----------------------------------------------------------------------------------------------------


def test_the_steps_of_the_workflow_pass(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "examples/ci", tmp_path, dirs_exist_ok=True)
    (job,) = yaml.safe_load((tmp_path / "checks.yml").read_text("utf-8"))["jobs"].values()
    steps = [step["run"] for step in job["steps"] if "run" in step]
    assert steps[0] == "pip install 'qlc-search[testing]'"
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    for step in steps[1:]:
        ended = subprocess.run(shlex.split(step), cwd=tmp_path, env={**os.environ, "PATH": path}, capture_output=True,
                               text=True, timeout=120, check=False)  # fmt: skip
        assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "3 right, 0 declined, 0 wrong" in ended.stdout
