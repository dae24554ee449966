"""Right-hand sides of comparisons: literals with units, dates, entities, sub-queries, parameters, bindings, bare
names."""

from .world import drive, shipped

# --- texts and closed values -----------------------------------------------------------------------------------------


def test_an_open_value_is_looked_for_beside_the_run() -> None:
    checked, _ = drive().compiled('find documents where vendor = "Acme" and type = "W2"')
    assert [(used.field.name, used.value) for used in checked.literals] == [("vendor", "Acme")]


# --- bare names ------------------------------------------------------------------------------------------------------


def test_sensitive_fields_are_refused_without_a_permit_and_can_be_permitted() -> None:
    compiler = shipped("ecommerce", "ecommerce").compiler
    source = 'find orders where email = "a@b.example"'
    refused, _ = compiler.prepare(source).compiled({}, frozenset(), None)
    permitted, _ = compiler.prepare(source).compiled({}, frozenset({"email"}), None)
    assert [d.code for d in refused.diagnostics] == ["not-permitted"]
    assert permitted.diagnostics == ()
