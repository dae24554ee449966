"""The values of a request's parameters, each checked for what it may be."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

from qlc.mapping.fields import NUMERIC, FieldKind
from qlc.mapping.nearest import did_you_mean, nearest, slip
from qlc.pasted.intervals import is_date
from qlc.pasted.json_tree import Array, Member, Node, Object, Scalar, Slip, plain
from qlc.pasted.problems import Findings
from qlc.pasted.reach import FieldUse

Check = Callable[[Findings, Member], Any]
"""The value of a member; a problem is recorded, and None returned, where it is none."""

LONGEST_TEXT = 10_000
MOST_FIELDS = 200
"""Names and patterns of fields in one list."""


def scalar(findings: Findings, one: Member) -> Any:
    if isinstance(one.value, Scalar) and one.value.value is not None:
        value = one.value.value
        if not isinstance(value, str) or len(value) <= LONGEST_TEXT:
            return value
        findings.reject("too_large", f"the text of '{one.key}' is longer than {LONGEST_TEXT:,} characters",
                        one.value.span, "use a shorter one")
        return None
    return _wrong(findings, one, "a text, a number, true or false")


def text(findings: Findings, one: Member) -> Any:
    value = scalar(findings, one)
    return value if value is None or isinstance(value, str) else str(plain(one.value)).lower()


def number(findings: Findings, one: Member) -> Any:
    value = plain(one.value)
    if isinstance(value, str):
        try:
            value = float(value)
        except ValueError:
            value = None
    if isinstance(value, int | float) and not isinstance(value, bool) and value == value:
        return value
    return _wrong(findings, one, "a number")


def positive(findings: Findings, one: Member) -> Any:
    value = number(findings, one)
    return value if value is None or value >= 0 else _wrong(findings, one, "a number of 0 or more")


def boolean(findings: Findings, one: Member) -> Any:
    value = plain(one.value)
    if isinstance(value, bool) or value in ("true", "false"):
        return value in (True, "true")
    return _wrong(findings, one, "true or false")


def whole(least: int = 0, most: int = 10_000) -> Check:
    def check(findings: Findings, one: Member) -> Any:
        value = plain(one.value)
        if isinstance(value, str) and re.fullmatch(r"-?[0-9]{1,9}", value):
            value = int(value)
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if not isinstance(value, int) or isinstance(value, bool):
            return _wrong(findings, one, "a whole number")
        if value < least:
            return _wrong(findings, one, f"a whole number of {least} or more")
        if value > most:
            findings.reject("too_large", f"'{one.key}' is at most {most:,}, and is {value:,}", one.value.span,
                            f"write {most} or less")
            return None
        return value

    return check


def one_of(*choices: str) -> Check:
    def check(findings: Findings, one: Member) -> Any:
        value = plain(one.value)
        if isinstance(value, str) and value.lower() in choices:
            return value.lower()
        return _wrong(findings, one, " or ".join(choices))

    return check


def either(*checks: type) -> Check:
    """A scalar of one of some types."""

    def check(findings: Findings, one: Member) -> Any:
        value = plain(one.value)
        if isinstance(value, checks) and not (isinstance(value, bool) and bool not in checks):
            return scalar(findings, one)
        return _wrong(findings, one, "a text or a number")

    return check


def regexp(findings: Findings, one: Member) -> Any:
    value = text(findings, one)
    if isinstance(value, str) and len(value) > 1000:
        findings.reject("too_large", "a regular expression has at most 1,000 characters", one.value.span)
        return None
    return value


def minimum(findings: Findings, one: Member) -> Any:
    """`minimum_should_match`: a number, a percentage, or several conditions of them."""
    value = plain(one.value)
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, str) and re.fullmatch(r"\s*(?:-?\d+%?|(?:\d+<-?\d+%?\s*)+)\s*", value):
        return int(value) if re.fullmatch(r"-?\d+", value.strip()) else value
    return _wrong(findings, one, "a number or a percentage, such as 2 or \"75%\"")


def fuzziness(findings: Findings, one: Member) -> Any:
    value = plain(one.value)
    if isinstance(value, str) and re.fullmatch(r"(?i)auto(?::\d+,\d+)?", value):
        return value
    if value in (0, 1, 2, "0", "1", "2") and not isinstance(value, bool):
        return value
    return _wrong(findings, one, '"AUTO", 0, 1 or 2')


def texts(findings: Findings, one: Member) -> Any:
    """A list of texts, or one."""
    found = one.value.items if isinstance(one.value, Array) else (one.value,)
    if len(found) > MOST_FIELDS:
        findings.reject("too_large", f"'{one.key}' names more than {MOST_FIELDS} fields", one.value.span, "name fewer")
        return None
    if all(isinstance(item, Scalar) and isinstance(item.value, str) for item in found):
        return [item.value for item in found if isinstance(item, Scalar)]
    return _wrong(findings, one, "a text, or a list of texts")


def numbers(findings: Findings, one: Member) -> Any:
    found = one.value.items if isinstance(one.value, Array) else (one.value,)
    values = [plain(item) for item in found]
    if values and all(isinstance(v, int | float) and not isinstance(v, bool) for v in values) and len(values) <= 100:
        return values
    return _wrong(findings, one, "a list of numbers")


def _wrong(findings: Findings, one: Member, expected: str) -> None:
    if _has_script(one.value):
        return  # told where scripts are looked for
    findings.reject("wrong_type", f"'{one.key}' takes {expected}", one.value.span, f"write {expected}", what=one.key)


def _has_script(node: Node) -> bool:
    return isinstance(node, Object) and bool({"script", "source", "inline"} & set(node.keys()))


def read_params(
    findings: Findings, name: str, members: tuple[Member, ...] | list[Member], allowed: dict[str, Check]
) -> dict[str, Any]:
    """The parameters that are allowed; what is not is a problem. What changes no answer is dropped."""
    found: dict[str, Any] = {}
    for one in members:
        if one.key == "_name" or (one.key == "boost" and plain(one.value) in (1, "1", "1.0")):
            continue
        check = allowed.get(one.key)
        if check is None:
            if one.key in SCRIPTED:
                continue  # told where scripts are looked for
            near = nearest(one.key, allowed, 2)
            findings.reject("not_allowed", f"'{one.key}' cannot be used in '{name}' here", one.key_span,
                            did_you_mean(near) or f"leave it out; '{name}' takes {_listed(allowed)}", what=one.key,
                            suggestions=near, slip=misspelt(one, allowed))
            continue
        value = check(findings, one)
        if value is not None:
            found[one.key] = value
    return found


SCRIPTED = frozenset({"script", "script_fields", "runtime_mappings", "init_script", "map_script", "combine_script",
                      "reduce_script", "_script", "minimum_should_match_script"})  # fmt: skip


def misspelt(one: Member, names: Iterable[str]) -> Slip | None:
    """The mend of a member whose name is a slip of the pen away from the one name that it can be."""
    meant = slip(one.key, {name: name for name in names})
    if meant is None:
        return None
    return Slip(f"there is no '{one.key}' here", f"took {meant}", one.key_span, f'"{meant}"')


def _listed(names: dict[str, Check]) -> str:
    told = [f"'{name}'" for name in names]
    return ", ".join(told[:8]) if told else "nothing"


def fits(findings: Findings, used: FieldUse, value: Any, node: Node, date_format: str | None = None) -> bool:
    """Whether a field can have a value like this one; Elasticsearch refuses the whole search otherwise."""
    shown, kind = plain(node), used.kind
    if kind in NUMERIC:
        try:
            good = not isinstance(value, bool) and abs(float(value)) < 1e300
        except (ValueError, OverflowError):
            good = False
        if not good:
            findings.reject("wrong_type", f"'{used.path}' holds numbers, and {shown!r} is none", node.span,
                            "write a number", what=used.path)
        return good
    if kind is FieldKind.DATE and not is_date(value, date_format or used.mapped.date_format):
        findings.reject("wrong_type", f"'{used.path}' holds dates, and {shown!r} is none that it can read", node.span,
                        "write it like 2024-03-05 or 2024-03-05T15:00:00Z", what=used.path)
        return False
    if kind is FieldKind.BOOLEAN and value not in ("true", "false") and not isinstance(value, bool):
        findings.reject("wrong_type", f"'{used.path}' is true or false, and {shown!r} is neither", node.span,
                        "write true or false", what=used.path)
        return False
    return True
