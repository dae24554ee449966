"""Finding the one entity that a name means: name resolution, its cache, and names for completion.

`find_named`, `identified` and `names_like` are readings: generators that yield requests and are sent their responses.

resolution.py   the order of the steps: id, exact name, path, and the later ones
documents.py    the steps for entities with documents
people.py       the steps for entities without
matching.py     the later steps, each a function of two spellings
paths.py        names written as paths, and what lies above entries
wording.py      labels and notes
entries.py      documents as they are stored and as name resolution reads them; what a lookup answers with
requests.py     the queries, and reading hits to the end
reading.py      the distinct names of an entity, read to the end, once
lexicon.py      these names, indexed for the later steps and for suggestions
cache.py        where names are looked up; results and lexicons, kept for a while for one access
ids.py          what ids stand for, and very many ids found together
completion.py   names that begin with a prefix
"""

from qlc.base.words.folding import fold
from qlc.resolver.names.cache import NameCache, Place
from qlc.resolver.names.completion import names_like
from qlc.resolver.names.entries import MAX_CANDIDATES, Candidate, Found
from qlc.resolver.names.ids import MANY, identified, keep_ids
from qlc.resolver.names.resolution import STEPS, find_named
from qlc.resolver.names.wording import none_found, offered, several_found, ways_on

__all__ = [
    "MANY",
    "MAX_CANDIDATES",
    "STEPS",
    "Candidate",
    "Found",
    "NameCache",
    "Place",
    "find_named",
    "fold",
    "identified",
    "keep_ids",
    "names_like",
    "none_found",
    "offered",
    "several_found",
    "ways_on",
]
