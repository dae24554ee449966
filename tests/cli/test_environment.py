"""Options as variables: everything that `qlc serve` takes."""

import re
from typing import Any

import pytest

from qlc.base.errors import UsageError
from qlc.cli import settings
from qlc.cli.main import main, parser
from tests.docs.pages import text
from tests.tables import rows

OWN = [name for name in settings.Serve.options if name not in settings.ELSEWHERE | settings.NO_VARIABLES]
VALUES = {"port": "0", "deadline": "1.5", "mode": "single_loop", "rate": "none"}


def read(*arguments: str) -> Any:
    return parser().read(["serve", *arguments])[1]


def example(name: str) -> tuple[str, list[str]]:
    """A value of a variable, and the flags that say the same."""
    one, flag = settings.Serve.options[name], f"--{name.replace('_', '-')}"
    if one.default is False:
        return "on", [flag]
    if one.how.get("action") == "append":
        return "a=1 'b=\"x y\"'", [flag, "a=1", flag, 'b="x y"']
    value = VALUES.get(name, "7" if "type" in one.how else "some text")
    return value, [flag, value]


@pytest.mark.parametrize("name", OWN)
def test_a_variable_means_what_its_flag_means(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    value, flags = example(name)
    by_flag = getattr(read(*flags), name)
    monkeypatch.setenv(f"QLC_{name.upper()}", value)
    found = getattr(read(), name)
    assert (found, type(found)) == (by_flag, type(by_flag))
    assert found != settings.Serve.options[name].default


def test_a_flag_wins_over_its_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QLC_PORT", "1")
    monkeypatch.setenv("QLC_RULES_ONLY", "on")
    found = read("--port", "2", "--model", "some-model")
    assert (found.port, found.model, found.rules_only) == (2, "some-model", False)


def test_a_switch_can_be_off_and_an_empty_variable_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QLC_NO_AUTH", "off")
    monkeypatch.setenv("QLC_PORT", " ")
    assert (read().no_auth, read().port) == (False, 8765)


def test_other_commands_have_flags_for_their_own_options(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QLC_SIZE", "3")
    monkeypatch.setenv("QLC_SERVICE_HOST", "10.0.0.1")  # set by Kubernetes, and like no setting
    assert parser().read(["run", "count things"])[1].size == 10
    assert read().port == 8765


def test_what_a_question_means_is_a_variable_of_every_command(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"TZ": "Europe/Zurich", "NOW": "2026-03-10", "CONTEXT": "team=red", "PARAM": "x=1 y=2"}.items():
        monkeypatch.setenv(f"QLC_{name}", value)
    for command in ("run", "explain", "check"):
        found = parser().read([command, "count things", "--now", "2025-01-01"])[1]
        assert (found.tz, found.now, found.context, found.param) == (
            "Europe/Zurich", "2025-01-01", ["team=red"], ["x=1", "y=2"])  # fmt: skip


@pytest.mark.parametrize(("name", "value", "message"), rows(__file__, "test_a_wrong_value_names_its_variable"))
def test_a_wrong_value_names_its_variable(
    name: str, value: str, message: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(f"QLC_{name}", value)
    with pytest.raises(UsageError):
        read()
    assert main(["serve"]) == 2
    assert capsys.readouterr().err == f"qlc: {message}\n"


def test_every_variable_is_on_the_page_and_no_other() -> None:
    page = text("docs/deploy.md").partition("## A container")[0]
    options = {f"QLC_{name.upper()}" for name in settings.Serve.options if name not in settings.NO_VARIABLES}
    assert set(re.findall(r"`(QLC_[A-Z_]+)`", page)) - {"QLC_"} == options | {"QLC_CURSOR_KEY", "QLC_LOG"}


@pytest.mark.parametrize("file", ["Dockerfile", "compose.yaml", "deploy/qlc.service", "deploy/kubernetes.yaml"])
def test_every_variable_of_a_file_exists(file: str) -> None:
    options = {f"QLC_{name.upper()}" for name in settings.Serve.options} | {"QLC_CURSOR_KEY", "QLC_LOG"}
    for_compose = {"QLC_CATALOG_FILE", "QLC_API_KEYS_FILE"}
    named = set(re.findall(r"\bQLC_[A-Z_]+", text(file)))
    assert named - options - for_compose == set()
    assert "QLC_STORE" in named or file == "compose.yaml"
