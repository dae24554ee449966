"""`python -m benchmarks.linking`: of the fields of the Elastic Common Schema that questions need, how many a model is
told of.

Told whole are the fields that a question retrieves; by name alone, those of the outline that is the same for all
questions. Measured with the mapping alone, and with the descriptions that the schema publishes for its fields. The
first and the third set of questions were looked at while the retrieval was written, the second and the fourth only
measured. A need of several fields is met by any of them.
"""

from __future__ import annotations

import csv
import json
import statistics
import time
from dataclasses import replace
from pathlib import Path

from qlc.mapping.build import build_schema
from qlc.mapping.index_mapping import load_mapping
from qlc.mapping.schema import Schema
from qlc.translator.model.fields import Fields
from tests.reference.model import DATA

ECS = DATA / "ecs"
QUESTIONS = sorted((Path(__file__).parents[1] / "tests" / "model").glob("ecs_questions*.jsonl"))
SIZES = (30, 60, 120)


def described(schema: Schema) -> Schema:
    """The schema with the descriptions of fields.csv, as a catalog would have them."""
    with (ECS / "fields.csv").open(encoding="utf-8", newline="") as lines:
        texts = {row["Field"]: row["Description"] for row in csv.DictReader(lines)}
    (name,) = schema.entities
    entity = schema.entities[name]
    fields = {path: replace(one, description=texts.get(path, "")) for path, one in entity.fields.items()}
    return replace(schema, entities={name: replace(entity, fields=fields)})


def main() -> int:
    questions = [json.loads(line) for path in QUESTIONS for line in path.read_text(encoding="utf-8").splitlines()]
    schema = build_schema(None, load_mapping(ECS / "mapping.json", "ecs"))
    for title, one in (("mapping alone", schema), ("with descriptions", described(schema))):
        fields = Fields(one)
        outlined = {offered.name for offered in fields.outline}
        fields.needed("the first question builds the ranking")
        print(f"{title}: {len(fields.offered):,} fields, {len(outlined):,} of them outlined")
        for number in ("first", "second", "third", "fourth"):
            asked = [question for question in questions if question["set"] == number]
            wanted = sum(len(question["fields"]) for question in asked)
            for most in SIZES:
                times, retrieved, told, whole = [], 0, 0, 0
                for question in asked:
                    started = time.process_time()
                    names = {offered.name for offered in fields.needed(question["text"], most=most)}
                    times.append(1000 * (time.process_time() - started))
                    needs = [{one} if isinstance(one, str) else set(one) for one in question["fields"]]
                    retrieved += sum(bool(one & names) for one in needs)
                    told += sum(bool(one & (names | outlined)) for one in needs)
                    whole += all(one & (names | outlined) for one in needs)
                print(
                    f"  {number} set, {len(asked)} questions, {most:>3} fields: retrieved {retrieved / wanted:.1%}, "
                    f"with the outline {told / wanted:.1%} of {wanted} fields, all of {whole / len(asked):.1%} of the "
                    f"questions; {statistics.median(times):.1f} ms"
                )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
