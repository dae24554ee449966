"""Nested lists (shares, comments, attributes): one element meets the whole bracket; and words in text."""

from functools import cache

from .case import Test, count, docs, entries, folders
from .model import (
    Row,
    attribute,
    below,
    document,
    documents,
    folder,
    has_phrase,
    has_words,
    mentions,
    person,
    shared,
)
from .model import folders as all_folders
from .periods import calendar, last, span


def typed(kind: str, test: Test) -> Test:
    return lambda d: d.type == kind and test(d)


def elements(field: str, test: Test) -> Test:
    """At least one element of the list meets the test."""
    return lambda d: any(test(item) for item in d[field])


def reviewers(row: Row) -> set[str]:
    return {item.value for item in row.attributes if item.key == "reviewer"}


@cache
def reviewers_of(kind: str) -> set[str]:
    return {name for one in documents() if one.type == kind for name in reviewers(one)}


CASES = [
    # -- shares
    docs(
        "who",
        'find documents where shares.who = "Peter Novak" and type = "Contract"',
        typed("Contract", lambda d: shared(d, "Peter Novak")),
    ),
    docs(
        "who-bracket",
        'find documents where shares[who = "Peter Novak"] and type = "Contract"',
        typed("Contract", lambda d: shared(d, "Peter Novak")),
    ),
    docs(
        "who-and-role",
        'find documents where shares[who = "Yuki Tanaka" and role = "editor"]',
        lambda d: shared(d, "Yuki Tanaka", "editor"),
    ),
    docs(
        "who-and-role-apart",
        'find documents where shares.who = "Yuki Tanaka" and shares.role = "editor"',
        lambda d: shared(d, "Yuki Tanaka") and elements("shares", lambda s: s.role == "editor")(d),
    ),
    docs(
        "who-first-name",
        'find documents where shares[who = "Seán" and role = "commenter"]',
        lambda d: shared(d, "Seán O'Brien", "commenter"),
        told=True,
    ),
    docs(
        "who-group-editor",
        'find documents where shares[who = "Outside Accountants" and role in ["editor", "commenter"]]'
        ' and type = "Invoice"',
        typed("Invoice", lambda d: shared(d, "Outside Accountants", "editor", "commenter")),
    ),
    docs(
        "who-two-people",
        'find documents where shares.who = "Wei Zhang" and shares.who = "Tom Baker"',
        lambda d: shared(d, "Wei Zhang") and shared(d, "Tom Baker"),
    ),
    docs(
        "who-either",
        'find documents where shares.who in ["Wei Zhang", "Tom Baker"] and type = "Quote"',
        typed("Quote", lambda d: shared(d, "Wei Zhang") or shared(d, "Tom Baker")),
    ),
    docs(
        "who-or-role",
        'find documents where shares[who = "Wei Zhang" or role = "commenter"] and type = "NDA"',
        typed("NDA", elements("shares", lambda s: s.who == person("Wei Zhang") or s.role == "commenter")),
    ),
    docs(
        "who-type",
        'find documents where shares[who_type = "group" and role = "editor"] and type = "Letter"',
        typed("Letter", elements("shares", lambda s: s.who_type == "group" and s.role == "editor")),
    ),
    docs(
        "role-not-inside",
        'find documents where shares[role != "viewer"] and type = "NDA"',
        typed("NDA", elements("shares", lambda s: s.role != "viewer")),
    ),
    docs(
        "role-not-outside",
        'find documents where shares.role != "viewer" and type = "NDA"',
        typed("NDA", lambda d: not any(s.role == "viewer" for s in d.shares)),
    ),
    docs(
        "not-shared-with",
        'find documents where folder = "NDAs" and not shares.who = "Finance Team"',
        lambda d: d.folder == folder("NDAs").id and not shared(d, "Finance Team"),
    ),
    docs(
        "not-who-and-role",
        'find documents where shares exists and type = "Lease" and not shares[who_type = "user" and role = "editor"]',
        typed("Lease", lambda d: d.shares and not any(s.who_type == "user" and s.role == "editor" for s in d.shares)),
    ),
    docs(
        "shares-missing",
        'find documents where folder under "Legal" and shares missing',
        lambda d: below(d, folder("Legal")) and not d.shares,
    ),
    docs(
        "shares-exist",
        'find documents where type = "Tax Return" and shares exists',
        typed("Tax Return", lambda d: d.shares),
    ),
    docs(
        "not-shares-exist",
        'find documents where type = "Tax Return" and not shares exists',
        typed("Tax Return", lambda d: not d.shares),
    ),
    folders(
        "shared-folders", 'find folders where shares exists and color = "red"', lambda f: f.shares and f.color == "red"
    ),
    entries(
        "shared-entries",
        'find entries where shares[who = "Board Members" and role = "editor"]',
        lambda e: shared(e, "Board Members", "editor"),
    ),
    docs(
        "shared-with-owner-of",
        'find documents where shares.who = document("Rye notes.md").owner and type = "Report"',
        typed("Report", lambda d: shared(d, "Zoë Kowalski")),
    ),
    docs(
        "shared-with-owners-of-folders",
        'find documents where type = "NDA" and shares.who in (find folders where folder = "Business").owner',
        typed(
            "NDA",
            lambda d: {s.who for s in d.shares} & {f.owner for f in all_folders() if f.folder == folder("Business").id},
        ),
    ),
    docs(
        "not-in-inside",
        'find documents where type = "NDA" and shares[role not in ["viewer", "editor"]]',
        typed("NDA", elements("shares", lambda s: s.role not in ("viewer", "editor"))),
    ),
    docs(
        "not-in-outside",
        'find documents where type = "NDA" and shares exists and shares.role not in ["viewer"]',
        typed("NDA", lambda d: d.shares and not any(s.role == "viewer" for s in d.shares)),
    ),
    docs(
        "not-within-the-bracket",
        'find documents where type = "NDA" and shares[not role = "viewer" and who_type = "user"]',
        typed("NDA", elements("shares", lambda s: s.role != "viewer" and s.who_type == "user")),
    ),
    count(
        "shared-count",
        'count documents where shares[who = "Mei-Ling Chen" and role = "editor"]',
        lambda d: shared(d, "Mei-Ling Chen", "editor"),
    ),
    count(
        "some-other",
        'count documents where shares[not who = "Grace Kim"]',
        elements("shares", lambda s: s.who != person("Grace Kim")),
    ),
    count(
        "none-but-viewers",
        'count documents where not shares[not role = "viewer"]',
        lambda d: all(s.role == "viewer" for s in d.shares),
    ),
    # -- comments
    docs(
        "author",
        'find documents where comments.author = "Carlos Mendes" and type = "Invoice"',
        typed("Invoice", elements("comments", lambda c: c.author == person("Carlos Mendes"))),
    ),
    docs(
        "author-first-name",
        'find documents where comments.author = "Nikhil" and type = "Report"',
        typed("Report", elements("comments", lambda c: c.author == person("Nikhil Rao"))),
        told=True,
    ),
    docs(
        "author-unresolved",
        'find documents where comments[author = "Ruth Abara" and resolved = false]',
        elements("comments", lambda c: c.author == person("Ruth Abara") and c.resolved is False),
    ),
    docs(
        "author-not-resolved",
        'find documents where comments[author = "Ruth Abara" and not resolved]',
        elements("comments", lambda c: c.author == person("Ruth Abara") and c.resolved is not True),
    ),
    docs(
        "comment-words",
        'find documents where comments[text mentions "missing a signature"] and type = "Contract"',
        typed("Contract", elements("comments", lambda c: has_phrase(c.text, "missing a signature"))),
    ),
    docs(
        "comment-words-path",
        'find documents where comments.text mentions "client name" and type = "Receipt"',
        typed("Receipt", elements("comments", lambda c: has_phrase(c.text, "client name"))),
    ),
    docs(
        "comment-matches",
        'find documents where comments.text matches "totals check" and type = "Report"',
        typed("Report", elements("comments", lambda c: has_words(c.text, "totals check"))),
    ),
    docs(
        "comment-words-and-open",
        'find documents where comments[text matches "approved" and resolved = false] and folder under "Business"',
        lambda d: (
            below(d, folder("Business"))
            and elements("comments", lambda c: has_words(c.text, "approved") and c.resolved is False)(d)
        ),
    ),
    docs(
        "comment-contains-is-mentions",
        'find documents where comments.text contains "newer version" and type = "Letter"',
        typed("Letter", elements("comments", lambda c: has_phrase(c.text, "newer version"))),
    ),
    docs(
        "comment-date",
        "find documents where comments.created in 2026-02",
        elements("comments", lambda c: c.created in span("2026-02")),
    ),
    docs(
        "comment-since",
        "find documents where comments[created >= 2026-03-01]",
        elements("comments", lambda c: c.created >= span("2026-03-01").start),
    ),
    docs(
        "comment-today",
        'find documents where comments.created = today and type = "Report"',
        typed("Report", elements("comments", lambda c: c.created in calendar("day"))),
    ),
    docs(
        "comment-last-week",
        'find documents where comments[created = last week and author = "Grace Kim"]',
        elements("comments", lambda c: c.created in calendar("week", -1) and c.author == person("Grace Kim")),
    ),
    docs(
        "comment-rolling",
        'find documents where comments[created in last 60 days and resolved = false] and type = "Invoice"',
        typed("Invoice", elements("comments", lambda c: c.created in last(60, "day") and not c.resolved)),
    ),
    docs(
        "comment-between",
        "find documents where comments[created between 2024-05 and 2024-07 and resolved]",
        elements("comments", lambda c: span("2024-05").start <= c.created < span("2024-07").end and c.resolved),
    ),
    docs(
        "no-comments",
        'find documents where folder = "Trademarks" and comments missing',
        lambda d: d.folder == folder("Trademarks").id and not d.comments,
    ),
    docs(
        "comments-all-resolved",
        'find documents where comments exists and not comments[resolved = false] and type = "Contract"',
        typed("Contract", lambda d: d.comments and not any(c.resolved is False for c in d.comments)),
    ),
    docs(
        "two-comments",
        'find documents where comments[author = "Tom Baker"] and comments[author = "Lucy Tran"]',
        lambda d: {person("Tom Baker"), person("Lucy Tran")} <= {c.author for c in d.comments},
    ),
    docs(
        "comment-by-owner-of",
        'find documents where comments.author = folder("Legal").owner and folder under "Clients"',
        lambda d: below(d, folder("Clients")) and elements("comments", lambda c: c.author == folder("Legal").owner)(d),
    ),
    # -- attributes, a key/value list
    count(
        "value-of-a-key",
        'count documents where attributes.reviewer in (find documents where type = "Contract").attributes.reviewer',
        lambda d: not reviewers(d).isdisjoint(reviewers_of("Contract")),
    ),
    docs(
        "attribute",
        'find documents where attributes.priority = "high" and type = "Contract"',
        typed("Contract", lambda d: attribute(d, "priority", "high")),
    ),
    docs(
        "attribute-case",
        'find documents where attributes.priority = "HIGH" and type = "Contract"',
        typed("Contract", lambda d: attribute(d, "priority", "high")),
    ),
    docs(
        "attribute-bracket",
        'find documents where attributes[key = "priority" and value = "high"] and type = "Lease"',
        typed("Lease", lambda d: attribute(d, "priority", "high")),
    ),
    docs(
        "attribute-two",
        'find documents where attributes.risk = "high" and attributes.priority = "low"',
        lambda d: attribute(d, "risk", "high") and attribute(d, "priority", "low"),
    ),
    docs(
        "attribute-any-key",
        'find documents where attributes.value = "high" and type = "NDA"',
        typed("NDA", elements("attributes", lambda a: a.value == "high")),
    ),
    docs(
        "attribute-in",
        'find documents where attributes.project_code in ["HELIOS", "ORION"] and type = "Report"',
        typed("Report", lambda d: attribute(d, "project_code", "HELIOS", "ORION")),
    ),
    docs(
        "attribute-not",
        'find documents where attributes.priority != "high" and folder = "NDAs"',
        lambda d: d.folder == folder("NDAs").id and not attribute(d, "priority", "high"),
    ),
    docs(
        "attribute-not-in",
        'find documents where attributes.risk not in ["high", "medium"] and folder = "NDAs"',
        lambda d: d.folder == folder("NDAs").id and not attribute(d, "risk", "high", "medium"),
    ),
    docs(
        "attribute-exists",
        'find documents where attributes.reviewer exists and type = "NDA"',
        typed("NDA", lambda d: attribute(d, "reviewer")),
    ),
    docs(
        "attribute-missing",
        'find documents where attributes.client missing and folder = "Disputes"',
        lambda d: d.folder == folder("Disputes").id and not attribute(d, "client"),
    ),
    docs(
        "attributes-missing",
        'find documents where attributes missing and folder = "Trademarks"',
        lambda d: d.folder == folder("Trademarks").id and not d.attributes,
    ),
    docs(
        "attribute-starts",
        'find documents where attributes.project_code starts with "px-" and type = "Quote"',
        typed("Quote", elements("attributes", lambda a: a.key == "project_code" and a.value.startswith("PX-"))),
    ),
    docs(
        "attribute-contains",
        'find documents where attributes.reviewer contains "dana" and type = "Quote"',
        typed("Quote", elements("attributes", lambda a: a.key == "reviewer" and "Dana" in a.value)),
    ),
    docs(
        "attribute-like",
        'find documents where attributes.cost_center like "CC-?00" and type = "Lease"',
        typed("Lease", lambda d: attribute(d, "cost_center")),
    ),
    docs(
        "attribute-not-and-exists",
        'find documents where attributes.priority exists and attributes.priority != "high" and type = "NDA"',
        typed("NDA", lambda d: attribute(d, "priority") and not attribute(d, "priority", "high")),
    ),
    docs(
        "attribute-or",
        'find documents where (attributes.priority = "high" or attributes.risk = "high") and type = "NDA"',
        typed("NDA", lambda d: attribute(d, "priority", "high") or attribute(d, "risk", "high")),
    ),
    count(
        "attribute-count",
        'count documents where attributes.cost_center = "CC-300"',
        lambda d: attribute(d, "cost_center", "CC-300"),
    ),
    # -- words in text
    docs(
        "content-mentions",
        'find documents where content mentions "water damage"',
        lambda d: has_phrase(d.content, "water damage"),
    ),
    docs(
        "content-mentions-case",
        'find documents where content mentions "WATER Damage"',
        lambda d: has_phrase(d.content, "water damage"),
    ),
    docs(
        "content-matches",
        'find documents where content matches "damage water"',
        lambda d: has_words(d.content, "damage water"),
    ),
    docs(
        "content-contains-is-mentions",
        'find documents where content contains "sump pump"',
        lambda d: has_phrase(d.content, "sump pump"),
    ),
    docs("mentions", 'find documents where mentions "roof"', lambda d: mentions(d, "roof")),
    docs(
        "mentions-phrase",
        'find documents where mentions "carbon monoxide detector"',
        lambda d: mentions(d, "carbon monoxide detector"),
    ),
    docs(
        "mentions-or",
        'find documents where mentions "carbon monoxide detector" or mentions "sump pump"',
        lambda d: mentions(d, "carbon monoxide detector") or mentions(d, "sump pump"),
    ),
    docs(
        "mentions-not",
        'find documents where mentions "water damage" and not mentions "roof repair"',
        lambda d: mentions(d, "water damage") and not mentions(d, "roof repair"),
    ),
    docs(
        "mentions-description",
        'find documents where mentions "filed under ndas"',
        lambda d: mentions(d, "filed under ndas"),
    ),
    docs("mentions-name", 'find documents where mentions "harvest grant"', lambda d: mentions(d, "harvest grant")),
    folders("mentions-folders", 'find folders where mentions "annual filing"', lambda f: mentions(f, "annual filing")),
    entries("mentions-entries", 'find entries where mentions "brand assets"', lambda e: mentions(e, "brand assets")),
    docs(
        "mentions-with-type",
        'find documents where mentions "brightwater llc" and type = "W2" and tax_year = 2023',
        lambda d: d.type == "W2" and d.tax_year == 2023 and mentions(d, "brightwater llc"),
    ),
    docs(
        "description-mentions",
        'find documents where description mentions "status reports" and extension = "docx"',
        lambda d: d.extension == "docx" and has_phrase(d.description, "status reports"),
    ),
    docs(
        "matches-number",
        'find documents where content matches "w 2 2019 mercy"',
        lambda d: has_words(d.content, "w 2 2019 mercy"),
    ),
    docs(
        "about-one-word",
        'find documents where about "sourdough"',
        lambda d: mentions(d, "sourdough"),
        open_to_reading=True,
        why="how far full text reaches is not said; one rare word leaves little room",
    ),
    docs(
        "about-and-condition",
        'find documents where type = "Letter" and about "mileage"',
        typed("Letter", lambda d: mentions(d, "mileage")),
        open_to_reading=True,
        why="how far full text reaches is not said; one rare word leaves little room",
    ),
    docs(
        "text-and-tree",
        'find documents where folder under "Properties" and content mentions "inspection"',
        lambda d: below(d, folder("Properties")) and has_phrase(d.content, "inspection"),
    ),
    docs(
        "mentions-apostrophe",
        'find documents where content mentions "trader joe\'s" and created = 2024',
        lambda d: d.created.year == 2024 and has_phrase(d.content, "trader joe's"),
    ),
    docs(
        "text-of-original",
        'find documents where content mentions "sourdough" and folder = document("Rye notes.md").folder',
        lambda d: d.folder == document("Rye notes.md").folder and has_phrase(d.content, "sourdough"),
    ),
]
