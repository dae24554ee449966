"""Guess fields that a question does not name: by the form of its values, and by related words.

Both tables are independent of a domain; their terms are those that fields are usually named with.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from qlc.base.units import find_unit
from qlc.translator.model.ranking import terms
from qlc.translator.rules.lexicon.values import also_called

OF_FORM, RELATED, OF_NAMES = 0.8, 0.5, 0.4
"""Weights of terms from the form of a value, from a related word, and from a name; a term in the question weighs 1."""
IP = "\0ip"  # A term that no text has: the field is of the type `ip`
_FORMS = tuple(
    (re.compile(pattern), named)
    for pattern, named in (
        (r"\b\d{1,3}(?:\.\d{1,3}){3}\b|(?<![\w:])[0-9a-fA-F]{0,4}(?::[0-9a-fA-F]{0,4}){3,7}(?![\w:])", "ip address"),
        (r"\b[0-9a-fA-F]{2}(?:[:-][0-9a-fA-F]{2}){5}\b", "mac"),
        (r"\b[0-9a-fA-F]{32}\b", "md5 hash"),
        (r"\b[0-9a-fA-F]{40}\b", "sha1 hash commit"),
        (r"\b[0-9a-fA-F]{64}\b", "sha256 hash"),
        (r"\b[0-9a-fA-F]{128}\b", "sha512 hash"),
        (r"\b[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\b", "uuid guid id"),
        (r"(?i)\bCVE-\d{4}-\d+\b", "cve vulnerability id"),
        (r"\b[A-Z]{1,5}-?\d[\dA-Z.-]*\b", "id code number key reference"),
        (r"[\w.+-]+@[\w-]+\.\w+", "email address"),
        (r"(?i)\b[a-z][a-z+.-]*://", "url full link"),
        (r"(?<![\w/@.])/[\w.~-]+|\b[A-Za-z]:\\|\\[\w.]+\\", "path directory"),
        (r"(?i)(?<![\w@])[\w-]*(?:\.[\w-]+)*\.[a-z][a-z0-9]{1,6}\b", "file name process executable domain hostname"),
        (r"(?<![\d.,:-])[1-5]\d\d(?![\d.,:%-])", "status code"),
        (r"\b(?:GET|POST|PUT|DELETE|PATCH|HEAD|OPTIONS)\b", "method"),
        (r"\b[vV]?\d+\.\d+(?:\.\d+)*\b", "version"),
        (r"\b\d+(?:\.\d+)? ?(?:%|percent)", "percent pct usage ratio rate share"),
        (r"[€$£]|\b(?:EUR|USD|GBP|CHF|euros?|dollars?|pounds?)\b", "price amount total cost currency"),
    )
)  # fmt: skip
_OF_DIMENSIONS = {
    "size": "size bytes length",
    "time": "duration elapsed time latency",
    "length": "distance length height",
}
_NAME = re.compile(r"(?<=[a-z,] )[A-Za-z]*[A-Z][A-Za-z]+")
_OF_A_NAME, _OF_COUNTRIES = "name organization provider vendor", "country geo region"
_RELATED = """
duration elapsed latency time: take last slow slower slowest fast faster fastest quick quicker long longer longest
duration elapsed latency: delay wait response
outcome result status success state: fail failure succeed succeeded success successful unsuccessful pass
action outcome status type: deny allow block drop reject accept grant
action type: change create delete remove add modify rename do did happen
category action type: login logon sign signin authenticate authentication attempt
user name person owner: who whose whom people somebody anybody anyone someone login signed account
owner author creator user: own belong wrote made
assignee responsible agent: assigned handles responsible
customer client buyer: buyer bought customer shopper client guest
vendor supplier seller manufacturer brand provider: vendor supplier seller maker made producer brand found
country geo region city location: where country nation abroad visitor place from
city: town cities
location geo coordinates: near nearby kilometres miles distance
host hostname name: machine computer server box workstation laptop node
device model: phone tablet mobile stick handset
user agent name: browser crawler bot
os name version: platform operating
process name executable: program binary executable ran run launch start executed command spawn
parent: spawn child launched started
command line args: command argument parameter
pid process: process
file name path: file document attachment written
path directory folder: folder directory under below location
extension type mime: pdf zip picture image video spreadsheet
size bytes: big bigger biggest large larger largest small smaller smallest heavy data volume traffic
bytes: sent received upload download transfer bandwidth traffic volume
direction: leaving outbound inbound outgoing incoming outside inside egress ingress out
source client: from came visitor origin caller sender send
destination server: to talk contacted reached target connect
ip address: address
network transport protocol: protocol connection traffic
request method url: request call hit visit
url path: page site link address website
referrer: referred came
status code: error response
error code message: error exception crash
type class: kind type class sort
log level severity: warning error critical fatal debug info
severity level priority: severe serious critical urgent important priority high low
score risk: risk risky rating score dangerous
status state: open closed pending active inactive finished done cancelled resolved shipped paid unpaid current
exists signature valid trusted status: signed unsigned
not after expiry expires end valid until: expire expiry valid run
not before start valid from: starts valid
issuer: issued issuer authority self
subject title: mention about topic concerning titled
message text description body content: say mention contain text
query question name: lookup query resolve asked
answer resolved ip: resolve answer return
organization name as: company organisation isp carrier network
organization name: company employer organisation
cpu usage: cpu load busy
memory usage: memory ram
package name version: software package library application program installed
technique tactic: technique attacker attack
indicator threat: malicious malware phishing bad suspicious feed
rule name: alert rule detection
role roles group privileges: admin administrator rights role permission privilege member
hash fingerprint checksum: fingerprint checksum hash digest
token usage: token
amount total price cost: cost expensive cheap cheaper cheapest dear paid spend revenue sales turnover worth earn price
quantity count number: many quantity units pieces items number
salary pay wage income: earn paid wage salary
age birth born: old older oldest young younger youngest age born birthday
timestamp date time created: when date day recent recently latest newest since ago
created start: created made opened started began since
modified updated mtime: changed modified updated edited touched
end closed finished: ended finished closed completed over
due deadline: due overdue late deadline
gender sex: men women male female
name full first: named called
email address: mail email
from sender: sent sender from
to recipient: recipient received to
phone number: phone telephone call
product name item: product item article thing
category department type: category department kind sort
tags labels keywords: tag label keyword
language locale: language speak english french german
comment note description: note comment remark
visibility access permission public private: public private secret shared
delay late cancelled: late delay cancelled
origin departure: depart left from
destination arrival: arrive arrival to
reason cause: why reason cause because
version: release
id number code reference: number id identifier code
"""


@cache
def _related() -> dict[str, tuple[str, ...]]:
    """The terms that a stem leads to."""
    found: dict[str, dict[str, None]] = {}
    for line in _RELATED.strip().splitlines():
        fields, _, said = line.partition(":")
        for word in terms(said):
            found.setdefault(word, {}).update(dict.fromkeys(terms(fields)))
    return {word: tuple(named) for word, named in found.items()}


def hinted(question: str) -> Iterator[tuple[str, float]]:
    """Terms of fields that a question may be about though it has other words, and what each counts."""
    for pattern, named in _FORMS:
        if pattern.search(question):
            yield from ((term, OF_FORM) for term in terms(named))
            if named.startswith("ip "):
                yield IP, 1.0
    for word in re.findall(r"[A-Za-z]+", question):
        unit = find_unit(word)
        if unit is not None and unit.dimension in _OF_DIMENSIONS:
            yield from ((term, RELATED) for term in terms(_OF_DIMENSIONS[unit.dimension]))
    for name in _NAME.findall(question):
        yield from ((term, OF_NAMES) for term in terms(_OF_COUNTRIES if also_called(name) else _OF_A_NAME))
    for word in terms(question):
        yield from ((term, RELATED) for term in _related().get(word, ()))
