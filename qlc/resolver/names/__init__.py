"""Name resolution: finds the entity that a name means, with a cache, and names for completion.

`find_named`, `identified` and `names_like` are generators that yield requests and receive responses.

resolution.py   the order of the steps: id, exact name, path, and the later ones
documents.py    the steps for entities with documents
people.py       the steps for entities without documents
matching.py     the later steps, each a function of two spellings
paths.py        names written as paths, and the entities above entities
wording.py      labels and notes
entries.py      documents as stored and as name resolution reads them; the result of a lookup
requests.py     the queries, and reading hits to the end
reading.py      the distinct names of an entity, read to the end, once
lexicon.py      these names, indexed for the later steps and for suggestions
cache.py        the place of lookups; results and lexicons, kept for a while for one access
ids.py          entities by id, and very many ids at once
completion.py   names that begin with a prefix
"""

from qlc.resolver.names.cache import NameCache, Place
from qlc.resolver.names.completion import names_like
from qlc.resolver.names.entries import MAX_CANDIDATES, Candidate, Found
from qlc.resolver.names.ids import identified
from qlc.resolver.names.resolution import find_named

__all__ = ["MAX_CANDIDATES", "Candidate", "Found", "NameCache", "Place", "find_named", "identified", "names_like"]
