"""Reads the name of an index before a path, and keeps what a catalog says of a field."""

import qlc
from qlc.mapping.catalog import read_catalog
from qlc.translator.entry import Asker

from .test_asked import asker_of


def test_a_path_may_begin_with_what_the_documents_are_called() -> None:
    client = qlc.connect(":memory:")
    level = {"properties": {"level": {"type": "keyword"}}}
    client.indices.create(index="app-logs", mappings={"properties": {"log": level}})
    client.index(index="app-logs", document={"log": {"level": "error"}}, refresh=True)
    compiler = qlc.Compiler(client, None, "app-logs", draft=False)
    for path in ("log.level", "logs.log.level", "`log.level`"):
        outcome = compiler.run(f'count logs where {path} = "error"')
        assert (outcome.kind, getattr(outcome, "value", None)) == ("count", 1), path
    client.close()


def test_what_a_catalog_says_to_be_one_stays_one() -> None:
    bare = asker_of("job_ads")
    catalog = "version: 1\nindex: job_ads-v2\nentities: {ad: {}}\nfields: {skills: {path: skills, list: false}}\n"
    asker = Asker(qlc.Compiler(bare.compiler.client, read_catalog(catalog)))
    assert asker.ask("ads with skills sql and go", size=0).query == 'find ads where skills in ["sql", "go"]'
