"""Draws programs so that the cells of the coverage table fill: fields and forms that lack programs come first."""

import random
from collections import defaultdict
from collections.abc import Mapping
from functools import cache, partial

from qlc.compiler.check import Checked
from qlc.mapping.schema import Entity, Field, NestedList
from qlc.pipeline.compiler import Compiler, Prepared
from qlc.planner.plan import Plan
from qlc.store.clients import connect
from tests.differential.conditions import SCRIPTS
from tests.differential.coverage import ENOUGH, Cell, cells_of, in_every_zone, type_of
from tests.differential.dates import ZONES, zone_class
from tests.differential.material import Material, Place
from tests.differential.programs import PARTS, Choose, Program, Use, draw
from tests.differential.worlds import worlds

PROBES = 3
"""Fields of each type and shape that each way to use one is tried on, in how many programs."""

CHOICES = 400
"""Cells that one is chosen of for a program to be about: the one that lacks most."""

Kind = tuple[str, str]
"""Type and shape of a field."""


def compiled(compiler: Compiler, program: Program) -> tuple[Prepared, tuple[Checked, Plan | None]]:
    """A program that is compiled, for any engine. Raises SyntaxProblem."""
    prepared = compiler.prepare(program.text)
    return prepared, prepared.compiled(program.params, frozenset(), None)


class Drawing:
    """All worlds, the cells that can occur in them, and programs for those that lack some."""

    def __init__(self, *, scripts: bool = False) -> None:
        self.scripts = scripts
        """Whether the server has scripts: many conditions are then calculated by them."""
        self.worlds = {world.name: world for world in worlds()}
        self.compilers = {
            name: Compiler(connect(), one.catalog, one.index, mapping=one.mapping) for name, one in self.worlds.items()
        }
        self.materials = {name: Material(one, self.compilers[name].schema) for name, one in self.worlds.items()}
        self.shapes_in = cache(self._shapes_in)
        self.learnt: dict[tuple[str, str, Kind], set[Cell]] = defaultdict(set)
        self.by_kind: dict[Kind, list[tuple[str, Place]]] = defaultdict(list)
        self.uses: dict[tuple[str, str], list[tuple[str, list[Place], set[Cell]]]] = {}
        for name, material in self.materials.items():
            for entity in material.entities():
                for place in material.places(entity):
                    for shape in sorted(material.shapes(place)):
                        self.by_kind[type_of(place.field), shape].append((name, place))
        self.possible = in_every_zone(self._probe())
        self.makers: dict[Cell, list[tuple[str, str, Kind]]] = defaultdict(list)
        for maker, cells in sorted(self.learnt.items()):
            for cell in sorted(in_every_zone(cells)):
                self.makers[cell].append(maker)
        self.targets = sorted(self.makers)

    def _shapes_in(self, name: str, entity: Entity, field: Field, element: NestedList | None) -> frozenset[str]:
        material = self.materials[name]
        if entity.virtual:
            return frozenset()
        for place in material.places(entity):
            if place.field == field and (place.element is None) == (element is None):
                return material.shapes(place)
        return material.shapes(Place(entity, field, element, "", ""))

    def covered(self, program: Program) -> set[Cell] | None:
        """The cells of a program; None where it does not compile."""
        checked, plan = compiled(self.compilers[program.world], program)[1]
        if plan is None or checked.statement is None:
            return None
        return cells_of(checked.statement, program.timezone, partial(self.shapes_in, program.world))

    def _probe(self) -> set[Cell]:
        """Try each form on some fields of each kind, and return the cells that the checker accepts."""
        random_ = random.Random(1)
        found: set[Cell] = set()
        for kind, places in sorted(self.by_kind.items(), key=lambda item: item[0]):
            for part, forms in PARTS.items():
                for form in forms:
                    for name, place in random_.sample(places, k=min(PROBES, len(places))):
                        use = Use(part, form, place)
                        alone = draw(self.materials[name], place.entity, "UTC", _nothing_more, random_, use)
                        cells = self.covered(alone) if alone is not None else None
                        if cells:
                            own = {cell for cell in cells if (cell.type, cell.shape) == kind or not cell.type}
                            self.learnt[part, form, kind] |= own
                            found |= own
        return found

    # --- drawing ------------------------------------------------------------------------------------------------------

    def program(self, counts: Mapping[Cell, int], random_: random.Random) -> tuple[Program, set[Cell]]:
        """A program that compiles, as a rule for the cells that lack most, and its cells."""
        wanting = [cell for cell in self.targets if counts.get(cell, 0) < ENOUGH]
        for _ in range(200):
            some = random_.choices(wanting or self.targets, k=CHOICES if random_.random() < 0.95 else 1)
            target = min(some, key=lambda cell: counts.get(cell, 0))
            part, form, kind = random_.choice(self.makers[target])
            name, place = random_.choice(self.by_kind[kind])
            zone = random_.choice(
                ZONES[target.zone] if target.zone else [one for some in ZONES.values() for one in some]
            )
            choose = self._chooser(name, zone, counts, random_)
            found = draw(self.materials[name], place.entity, zone, choose, random_, Use(part, form, place))
            cells = self.covered(found) if found is not None else None
            if found is not None and cells:
                return found, cells
        raise RuntimeError("no program that compiles was drawn in 200 tries")

    def _chooser(self, name: str, zone: str, counts: Mapping[Cell, int], random_: random.Random) -> Choose:
        """Chooses ways to use a field by how much the cells lack that they are in."""
        zoned = zone_class(zone)

        @cache
        def weighted(part: str, entity: Entity) -> tuple[list[tuple[str, list[Place]]], list[int]]:
            uses = self._uses(name, entity, part)
            weights = [
                sum(
                    max(ENOUGH - counts.get(cell._replace(zone=zoned) if cell.zone else cell, 0), 0) ** 2
                    for cell in cells
                )
                for _, _, cells in uses
            ]
            return [(form, places) for form, places, _ in uses], weights if any(weights) else [1] * len(uses)

        def choose(part: str, entity: Entity) -> Use:
            if self.scripts and part == "where" and random_.random() < 0.5:
                places = self.materials[name].places(entity)
                return Use(part, random_.choice(list(SCRIPTS)), random_.choice(places))
            uses, weights = weighted(part, entity)
            ((form, places),) = random_.choices(uses, weights)
            return Use(part, form, random_.choice(places))

        return choose

    def _uses(self, name: str, entity: Entity, part: str) -> list[tuple[str, list[Place], set[Cell]]]:
        """Forms that the checker has let through for a kind of field, the entity's fields of that kind, the cells."""
        key = (name, f"{entity.name} {part}")
        if key not in self.uses:
            material = self.materials[name]
            by_kind: dict[Kind, list[Place]] = defaultdict(list)
            for place in material.places(entity):
                for shape in sorted(material.shapes(place)):
                    by_kind[type_of(place.field), shape].append(place)
            self.uses[key] = [
                (form, places, learnt)
                for kind, places in by_kind.items()
                for form in PARTS[part]
                if (learnt := self.learnt.get((part, form, kind)))
            ]
        return self.uses[key]


@cache
def drawing() -> Drawing:
    """The one of this process: to try each way to use a field takes ten seconds."""
    return Drawing()


def _nothing_more(part: str, entity: Entity) -> Use | None:
    return None
