"""Finding the one entity that a name means: name resolution, its cache, and names for completion.

`find_named`, `identified` and `names_like` are readings: generators that yield requests and are sent their responses.

resolution.py   the order of the steps: id, exact name, path, and the later ones
documents.py    the steps for entities with documents
people.py       the steps for entities without
matching.py     the later steps, each a function of two spellings
paths.py        names written as paths
ancestry.py     what lies above entries
found.py        what a lookup answers with
wording.py      labels and notes
place.py        where names are looked up, and on whose behalf
entries.py      documents as name resolution reads them
requests.py     the queries, and reading hits to the end
reading.py      the distinct names of an entity, read to the end, once
lexicon.py      these names, indexed for the later steps and for suggestions
cache.py        results and lexicons, kept for a while for one access
ids.py          what ids stand for, and very many ids found together
completion.py   names that begin with a prefix
dates.py        dates of hits whose format only the server can read
"""

from qlc.resolver.names.cache import NameCache
from qlc.resolver.names.completion import names_like
from qlc.resolver.names.found import MAX_CANDIDATES, Candidate, Found
from qlc.resolver.names.ids import MANY, identified, keep_ids
from qlc.resolver.names.place import Place
from qlc.resolver.names.resolution import STEPS, find_named
from qlc.resolver.names.wording import none_found, several_found
from qlc.words.folding import fold

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
    "several_found",
]
