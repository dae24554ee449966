"""Requests as they are never pasted on purpose: bent, cut and mixed by a seed.

`python -m tests.pasted.mangling FIRST COUNT` runs many of them.
"""

import random
import sys
from typing import get_args

from qlc.mapping.catalog import read_catalog
from qlc.pasted.entry import run_pasted
from qlc.pasted.recognise import Want, recognise
from qlc.pipeline.compiler import Compiler
from tests.fuzz.changing import changed_text
from tests.fuzz.running import soak
from tests.pasted.conftest import NOW
from tests.pipeline import world
from tests.pipeline.conftest import never_open
from tests.pipeline.wire import Wire
from tests.tables import table

SOUND = table(__file__, "SOUND")

PIECES = [
    *"{}[]()\"'\\:;,/?#&%=@<>|`$^~*! \t\n\r", "\x00", "\x07", "\x1b[31m", "\u202e", "\u200b", "\ufeff", "\ud800", "\udfff",
    "\U0001f600", "é", "\u0660", "\u00b2", "\u2460", "１", "∞", "[::1", "]:9200", ":99999999999", ":port", "%", "%zz", "%ff", "%00",
    "http://", "https://[", "//", "http://\u2100.com", "http://a\u2044b/", "\\u12", "\\ud83d", "\\uD83D\\uDE00", "\\ud800\\u0041",
    "'''", '"""', "```", "$'", "$(", "<<EOF\n", "<<'", "<<-", "<<\u0661\n", "//c\n", "/*", "#", "-d", "--data=", "-X", "-G", "-u", "--url",
    "-", "--", "1e999", "-1e999", "9" * 400, "0.0000000001e-400", "1e400", "-0", "1.", ".5", "01", "NaN", "Infinity", "true", "null", "None",
    '{"a":' * 50, "[" * 60, "]" * 60, "{" * 60, '{"query":', '"size": -1', '"size": 99999999999999999999', '"size": 1e400', '"from": {}',
    '"size": "²"', '"boost": NaN', '"": 1', '"query": []', "_search", "_doc/", "GET ", "POST ", "curl ", "curl -", "now-9999999999y/y",
    "now/", "||", "9999-12-31T23:59:59.999Z", "0000-00-00", "10000-01-01", "-99999-01-01||/M", '"time_zone": "+99:99"', "+25:00",
    "1" * 30 + "d", "\x85", "\u2028", "\x0c", '"interval": 0', '"interval": 1e-320', '"format": "\'"', "yyyy-'", '"minimum_should_match": "9999999999999999999999<-1%"',
    "^1e999", "~99999999999", "[* TO", "/(((", "\\", "a" * 3000, '"a.' + "b." * 100 + 'c"', "fix ", "explain ", "how many ",
]  # fmt: skip


def mangled(seed: int) -> str:
    """A request with a few of its characters, words or halves exchanged, doubled or lost, or put in from others."""
    chance = random.Random(seed)
    other = chance.choice(SOUND)
    at = chance.randrange(len(other))
    parts = [other[at : at + length] for length in (3, 20, 200)]
    return changed_text(chance.choice(SOUND), chance, [*PIECES, *parts * 10])


def asked(text: str, compiler: Compiler) -> None:
    """Run, explain and fix what a text holds. Raises what they raise, and AssertionError for a defect."""
    pasted = recognise(text)
    if pasted is None:
        return
    for want in get_args(Want):
        for one in run_pasted(pasted, compiler, want=want, context={"tenant": "red", "level": 5}, now=NOW):
            assert one.model_dump_json()
            assert one.kind != "failed" or one.reason != "internal", one.message


def _main() -> None:
    wire = Wire()
    with wire.client() as client:
        world.load(client)
        compiler = Compiler(client, read_catalog(world.CATALOG), breaker=never_open())
        for line in soak(lambda seed: asked(mangled(seed), compiler), int(sys.argv[1]), int(sys.argv[2]), 1.0):
            print(line)


if __name__ == "__main__":
    _main()
