"""Questions over lots and clerks, by what they are about."""

# fmt: off
ASKED: dict[str, list[tuple[str, str]]] = {
    "what was done has its own date": [
        ("lots sold per month in 2025", 'count lots where state = "closed_sold" and closed_on = 2025 by month(closed_on)'),
        ("items sold to Harrow this year", 'find lots where state = "closed_sold" and buyer = "Harrow" and closed_on = this year'),
        ("how many clocks did we sell in April?", 'count lots where state = "closed_sold" and category = "clocks" and closed_on = 2025-04'),
        ("sold lots listed in January", 'find lots where state = "closed_sold" and listed = 2025-01'),
    ],
    "what was done is done": [
        ("dearest lot we sold this year", 'find lots where state = "closed_sold" and closed_on = this year sort price desc limit 1'),
        ("lots withdrawn in May", 'find lots where state = "closed_pulled" and closed_on = 2025-05'),
        ("lots closed in May", "find lots where closed_on = 2025-05"),
    ],
    "groups behind a participle": [
        ("lots withdrawn by category", 'count lots where state = "closed_pulled" by category'),
    ],
    "people by no noun": [
        ("who speaks Danish and Swedish?", 'find clerks where languages has all ["Danish", "Swedish"]'),
        ("everybody in Furniture who's based in Lund", 'find clerks where branch = "Furniture" and site = "Lund"'),
        ("who joined in 2023", "find clerks where hired = 2023"),
        ("who has no manager?", "find clerks where manager missing"),
        ("who works in Paper", 'find clerks where branch = "Paper"'),
        ("who has the highest salary", "find clerks where pay exists sort pay desc limit 1"),
        ("who left in 2025, newest first", "find clerks where left = 2025 sort hired desc"),
        ("headcount by site", "count clerks by site"),
        ("headcount of the Lund site per branch", 'count clerks where site = "Lund" by branch'),
    ],
    "who does it is not to whom it is done": [
        ("who reports to Ada Berg?", 'find clerks where manager = "Ada Berg"'),
        ("who is the boss of Pia Falk", 'find clerks where number = clerk("Pia Falk").manager'),
        ("people who filled a site", ""),
    ],
}
