"""How a message says that it is about something else."""

from __future__ import annotations

import re

_NEW = re.compile(
    r"^\W*(?:(?:ok(?:ay)?|well|now|so|please|and)\b\W*)*"
    r"(?:(?:a )?(?:new|different|another|change of|change the) (?:topic|subject|question)"
    r"|(?:let us|let's) (?:talk about|turn to) something else|something (?:else|different)|start (?:over|again|afresh)"
    r"|forget (?:about )?(?:that|it|this|all that|everything)|never ?mind(?: that| it)?)\b"
    r"(?:\s+(?:now|please))*\s*(?:[.:;,!?–—-]+\s*|$)",
    re.IGNORECASE,
)


def new_topic(message: str) -> str | None:
    """Return the question after words for a new topic (`new question: ...`); None without such words."""
    found = _NEW.match(message)
    return message[found.end() :].strip() if found else None


def begins_anew(message: str) -> bool:
    """Whether a message says so and asks something."""
    return bool(new_topic(message))
