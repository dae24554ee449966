"""Finding the one entity that a name means: the name ladder, its cache, and names for completion.

`find_named`, `identified` and `names_like` are readings: generators that yield requests and are sent their responses.

found.py        what a lookup answers with
folding.py      one form for spellings that people take for the same name
near.py         near spellings
rungs.py        the lower rungs, each a function of two spellings
lexicon.py      the distinct names of an entity, indexed for the rungs and for suggestions
cache.py        results and lexicons, kept for a while for one access
entries.py      documents as the ladder reads them
requests.py     the queries, and reading hits to the end
distinct.py     reading distinct names to the end
reading.py      the lexicon of an entity, read once
place.py        where names are looked up, and on whose behalf
telling.py      labels and notes
paths.py        names written as paths
ancestry.py     what lies above entries
documents.py    the steps for entities with documents
people.py       the steps for entities without
ladder.py       the order of the steps
ids.py          very many ids, found together
identities.py   what ids stand for
completion.py   names that begin with a prefix
"""

from qlc.resolver.names.cache import NameCache
from qlc.resolver.names.completion import names_like
from qlc.resolver.names.folding import fold
from qlc.resolver.names.found import MAX_CANDIDATES, Candidate, Found, Reason, RungName
from qlc.resolver.names.identities import identified
from qlc.resolver.names.ids import MANY, keep_ids
from qlc.resolver.names.ladder import RUNGS, find_named
from qlc.resolver.names.telling import none_found, several_found

__all__ = [
    "MANY",
    "MAX_CANDIDATES",
    "RUNGS",
    "Candidate",
    "Found",
    "NameCache",
    "Reason",
    "RungName",
    "find_named",
    "fold",
    "identified",
    "keep_ids",
    "names_like",
    "none_found",
    "several_found",
]
