"""Fields that come in a second step, values that are looked up, and names that several things have."""

from collections.abc import Iterator

import pytest

import qlc
from qlc import Asker, Compiler
from qlc.cli.prompt import first_request
from qlc.mapping.catalog import read_catalog
from qlc.models.doubles import FunctionModel, ScriptedModel
from qlc.models.exchange import ModelReply, ToolUse
from qlc.translator.model import ModelTranslator
from qlc.translator.rules.lexicon.vocabulary import MAX_VALUES
from tests import data_sets
from tests.tables import table

from .test_translator import sent_back, uses

WIDE = table(__file__, "WIDE")


@pytest.fixture(scope="module")
def wide() -> Iterator[Compiler]:
    """A mapping of 300 fields; `serial` and `secret` have more values than are read."""
    keyword = {"type": "keyword"}
    names = [f"sections.part{n // 100}.group.gauge{n}" for n in range(300)]
    mappings = {"properties": dict.fromkeys(("number", "serial", "secret", *names), keyword)}
    client = qlc.connect(":memory:")
    client.indices.create(index="wide", mappings=mappings)
    operations: list[dict[str, object]] = []
    for n in range(MAX_VALUES + 50):
        document = {"number": f"N{n}", "serial": f"zx{n:05}q", "secret": f"hush{n:05}"}
        operations += [{"index": {"_id": str(n)}}, document]
    client.bulk(index="wide", operations=operations, refresh=True)
    yield Compiler(client, read_catalog(WIDE))
    client.close()


def test_a_model_asks_for_more_fields(wide: Compiler) -> None:
    model = ScriptedModel([uses("find_fields", {"words": "gauge217"}), 'count parts where serial = "zx00001q"'])
    assert Asker(wide, (ModelTranslator(model),)).ask("how many", read_as="words").value == 1
    assert "sections.part2.group.gauge217: text" in "\n".join(sent_back(model.requests[1])["fields"])
    assert model.requests[1].messages[-1]["content"][0]["is_error"] is False
    assert "find_fields" in [tool.name for tool in model.requests[0].tools]


def test_only_a_large_schema_has_more_fields(compiler: Compiler) -> None:
    model = ScriptedModel(["find books where long"])
    Asker(compiler, (ModelTranslator(model),)).ask("thick ones", read_as="words")
    assert "find_fields" not in [tool.name for tool in model.requests[0].tools]


def asked(wide: Compiler, question: str) -> str:
    model = FunctionModel(lambda request: ModelReply((ToolUse("decline", {"reason": "unclear"}),)))
    Asker(wide, (ModelTranslator(model),)).ask(question, read_as="words")
    return str(model.requests[0].messages[0]["content"])


def test_a_value_is_found_where_there_are_too_many_to_be_read(wide: Compiler) -> None:
    late = f"zx{MAX_VALUES + 40:05}q"
    assert f'"{late}": value of serial' in asked(wide, f"what about {late}?")


def test_no_value_of_a_sensitive_field_is_found(wide: Compiler) -> None:
    for number in (3, MAX_VALUES + 40):
        assert "value of" not in asked(wide, f"what about hush{number:05}?")


NOW = "2026-03-15T12:00:00Z"


def user(compiler: Compiler, text: str, **more: object) -> str:
    return str(first_request(compiler, text, now=NOW, **more).messages[0]["content"])  # type: ignore[arg-type]


def test_several_things_of_a_name_have_their_paths() -> None:
    told = user(data_sets.drive(), "what is in the folder Old?")
    (line,) = [one for one in told.splitlines() if one.startswith('"Old": name of a folder')]
    assert line.startswith('"Old": name of a folder, of several: "root/')
    assert line.endswith(" and more")


def test_the_only_thing_of_a_name_has_none() -> None:
    told = user(data_sets.drive(), "what is in the folder Tax Documents?")
    assert '"Tax Documents": name of a folder\n' in told


def test_no_path_is_sent_where_no_value_is() -> None:
    assert "root/" not in user(data_sets.drive(), "what is in the folder Old?", values=False)


def test_a_name_that_is_said_whole_is_no_part_as_well() -> None:
    told = user(data_sets.drive(), "what lies beside Hotel Nice.jpg?")
    assert '"Hotel Nice.jpg": name of a document' in told
    assert '"Hotel Nice.jpg": part of' not in told


def test_words_in_common_with_values_that_the_catalog_shows_say_nothing() -> None:
    told = user(data_sets.drive(), "design of the new website")
    assert '"Design Asset": value of type, for "design"' in told
    assert '"Real Estate": value of category' not in user(data_sets.drive(), "what is real about it?")
