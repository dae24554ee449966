"""A change of the last search and a request behind it, in one message: `drop the risk, show me those expiring this
year`. The change is on the way to the request, and nobody asks for the list that it would make by itself."""

from __future__ import annotations

import re

_DROPPING = r"(?:drop|forget|ignore|disregard|remove|clear|lift|lose|skip|undo|get rid of|take (?:off|away)|leave out)"
_EDIT_AND_REQUEST = re.compile(
    r"(?P<edit>(?:(?:please|now|ok|okay|and|so|no|then|well|actually)[\s,]+)*"
    rf"{_DROPPING}(?: about)? (?!that\b|it\b|this\b|everything\b|all\b)[^,;.?!:]+?)"
    r"(?:\s*[,;.:–—-]\s+(?:and |then |and then |but |instead )?|\s+(?:and|then|and then|but) )"
    r"(?P<request>(?:please |just |only |now |instead )*(?:show|list|give|find|get|display|count|tell|let me see|how "
    r"(?:many|much)|which|what|who|where|when|i (?:want|need))\b.*\w.*)",
    re.IGNORECASE | re.DOTALL,
)


def edit_and_request(text: str) -> tuple[str, str] | None:
    """The two parts of such a message. None for others."""
    found = _EDIT_AND_REQUEST.fullmatch(text.strip())
    if found is None or any(mark in found["edit"] for mark in "\"“”"):
        return None
    return found["edit"], found["request"]


_TWO_EDITS = re.compile(
    rf"(?P<lead>(?:(?:please|now|ok|okay|and|so|no|then|well|actually)[\s,]+)*{_DROPPING}(?: about)?) "
    r"(?P<one>(?:the|that|both the) [\w' -]+?)(?:,? and|,| as well as)(?: also)? (?P<other>the [\w' -]+?)[\s.!]*",
    re.IGNORECASE,
)


def two_edits(text: str) -> tuple[str, str] | None:
    """`drop the date and the risk`: one after the other."""
    found = _TWO_EDITS.fullmatch(text.strip())
    if found is None:
        return None
    one = re.sub(r"^both ", "", found["one"], flags=re.IGNORECASE)
    return f"{found['lead']} {one}", f"{found['lead']} {found['other']}"
