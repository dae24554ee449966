"""Questions of every day about the document store: the largest, above average, how often, how much in all."""

# fmt: off
CASES: dict[str, str] = {
    "which photo is the largest": 'find documents where type = "Photo" sort size desc limit 1',
    'which pdf in Marketing is the oldest':
        'find documents where extension = "pdf" and folder = "Marketing" sort created limit 1',
}
