"""Questions over lots and clerks, by topic."""

# fmt: off
ASKED: dict[str, list[tuple[str, str]]] = {
    "what was done has its own date": [
        ("lots sold per month in 2025", 'count lots where state = "closed_sold" and closed_on = 2025 by month(closed_on)'),
        ("items sold to Harrow this year", 'find lots where state = "closed_sold" and buyer = "Harrow" and closed_on = this year'),
        ("sold lots listed in January", 'find lots where state = "closed_sold" and listed = 2025-01'),
    ],
    "what was done is done": [
        ("lots closed in May", "find lots where closed_on = 2025-05"),
    ],
    "groups behind a participle": [
        ("lots withdrawn by category", 'count lots where state = "closed_pulled" by category'),
    ],
    "who does it is not to whom it is done": [
        ("who is the boss of Pia Falk", 'find clerks where number = clerk("Pia Falk").manager'),
        ("people who filled a site", ""),
    ],
}
