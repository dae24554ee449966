"""The ports of the world in the words of their questions."""

from collections.abc import Sequence
from functools import cache, partial

from tests.reference.model import Row, distance, plain

from .answers import About
from .words import Test, eq

RAIL, ROAD, AIRPORT, POST = "rail terminal", "road terminal", "airport", "postal exchange office"
INLAND, BORDER, PIPE = "inland clearance depot", "border crossing", "fixed transport"


def rows() -> Sequence[Row]:
    return plain("ports")


@cache
def port(locode: str) -> Row:
    """The one port of this code."""
    (found,) = [row for row in rows() if row.locode == locode]
    return found


# ---- tests -------------------------------------------------------------------------------------------------------


country = partial(eq, "country")


def has_function(*names: str) -> Test:
    """Each of the functions is there."""
    return lambda row: all(name in row.functions for name in names)


def one_of(*names: str) -> Test:
    return lambda row: any(name in row.functions for name in names)


status = partial(eq, "status")
subdivision = partial(eq, "subdivision")


def called(name: str) -> Test:
    return lambda row: name.lower() in (row.name.lower(), row.name_ascii.lower())


def named(part: str) -> Test:
    """The text stands in the name."""
    return lambda row: part.lower() in row.name.lower()


def word(text: str) -> Test:
    """The word stands in the name."""
    return lambda row: text.lower() in row.name.lower().replace("-", " ").replace(",", " ").split()


def near(kilometres: float, latitude: float, longitude: float) -> Test:
    return lambda row: distance(row.location, (latitude, longitude)) <= kilometres


# ---- answers -----------------------------------------------------------------------------------------------------

ABOUT = About(rows)
ports, count, per = ABOUT.hits, ABOUT.count, ABOUT.per
found = ABOUT.found


@cache
def rail_leader() -> str:
    """The country with the most ports that have a rail terminal."""
    with_rail = [row.country for row in found(has_function(RAIL))]
    return max(set(with_rail), key=with_rail.count)
