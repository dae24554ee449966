"""What a question says of fields without naming them: by the form of what it has, and by related words.

Both tables are of things that any index may hold; the terms are those that fields are named with.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from qlc.grammar.units import find_unit
from qlc.translator.model.ranking import terms
from qlc.translator.rules.lexicon.values import also_called

OF_FORM, RELATED, OF_NAMES = 0.8, 0.5, 0.4
"""What a term counts that the form of a value leads to, a related word, or a name, where one that is said counts 1."""

IP = "\0ip"
"""A term that no text has: the field is of the type `ip`."""

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
        (r"(?i)\b[\w-]+\.(?:exe|dll|sh|py|jar|pdf|docx?|xlsx?|csv|txt|zip|png|jpe?g|js|php|bat|msi|html?)\b", "file name"),
        (r"(?i)\b[\w-]+\.(?:exe|dll|sh|py|jar|bat|msi)\b", "process executable"),
        (r"(?i)(?:^|(?<=[\s\"'(]))\.?(?:[a-z0-9-]+\.)*[a-z0-9-]+\.(?:com|org|net|edu|gov|io|test|example|[a-z]{2})\b", "domain hostname"),
        (r"(?<![\d.,:-])[1-5]\d\d(?![\d.,:%-])", "status code"),
        (r"\b(?:GET|POST|PUT|DELETE|PATCH|HEAD|OPTIONS)\b", "method"),
        (r"\b[vV]?\d+\.\d+(?:\.\d+)*\b", "version"),
        (r"\b\d+(?:\.\d+)? ?(?:%|percent)", "percent pct usage ratio rate share"),
        (r"[€$£]|\b(?:EUR|USD|GBP|CHF|euros?|dollars?|pounds?)\b", "price amount total cost currency"),
    )
)  # fmt: skip

_OF_DIMENSIONS = {"size": "size bytes length", "time": "duration elapsed time latency", "length": "distance length height"}

_NAME = re.compile(r"(?<=[a-z,] )[A-Za-z]*[A-Z][A-Za-z]+")
_OF_A_NAME, _OF_COUNTRIES = "name organization provider vendor", "country geo region"

_RELATED = """
duration elapsed latency time: take took taken last lasted lasting slow slower slowest fast faster fastest quick quicker long longer longest
duration elapsed latency: delay delayed wait waited waiting response
outcome result status success state: fail failed failing failure succeed succeeded success successful unsuccessful pass passed
action outcome status type: deny denied allow allowed block blocked drop dropped reject rejected accept accepted grant granted
action type: change changed create created delete deleted remove removed add added modify modified rename do did happen happened
category action type: login logins logon logins sign signin signed authenticate authentication authenticated attempt
user name person owner: who whose whom people person somebody anybody anyone someone login logins signed account
owner author creator user: own owns owned belong belongs wrote written made
assignee responsible agent: assigned assign handles handled responsible
customer client buyer: buyer buyers bought customer customers shopper client clients guest
vendor supplier seller manufacturer brand provider: vendor supplier seller maker made producer brand found
country geo region city location: where country countries nation abroad visitor visitors place places from
city: town towns cities
location geo coordinates: near nearby kilometres miles distance
host hostname name: machine machines computer computers server servers box boxes workstation laptop node
device model: phone phones tablet mobile stick sticks handset
user agent name: browser browsers crawler crawlers bot bots
os name version: platform operating
process name executable: program programs binary binaries executable executables ran run running runs launch launched start started executed command spawn spawned
parent: spawn spawned child children launched started
command line args: command commands argument arguments parameter parameters
pid process: process
file name path: file files document documents attachment attachments written
path directory folder: folder folders directory under below location
extension type mime: pdf zip picture pictures image images video videos spreadsheet
size bytes: big bigger biggest large larger largest small smaller smallest heavy data volume traffic
bytes: sent received upload uploaded download downloaded transfer transferred bandwidth traffic volume
direction: leaving leave outbound inbound outgoing incoming outside inside egress ingress out
source client: from came come coming visitor visitors origin caller sender send sends
destination server: to talk talked contacted reached target connect connected
ip address: address addresses
port: port ports service
network transport protocol: protocol connection connections traffic
request method url: request requests call calls hit hits visit visits
url path: page pages site sites link links address website
referrer: referred referring came
status code: error errors response responses
error code message: error errors exception exceptions crash crashed crashes
type class: kind kinds type types class classes sort
log level severity: warning warnings error errors critical fatal debug info
severity level priority: severe serious critical urgent important priority high low
score risk: risk risky rating score dangerous
status state: open closed pending active inactive finished done cancelled resolved shipped paid unpaid current
exists signature valid trusted status: signed unsigned
not after expiry expires end valid until: expire expires expired expiring expiry valid run
not before start valid from: starts valid
issuer: issued issuer issue authority self
subject title: mention mentions about topic concerning titled
message text description body content: say says mention mentions contain contains text mentioning
query question name: lookup lookups query queries queried resolve resolved asked
answer resolved ip: resolve resolves resolved answer answers return returned
image name: container containers image
cloud provider: cloud
region zone: region regions zone
instance machine type: instance instances
organization name as: company companies organisation organisations isp carrier network
organization name: company companies employer organisation organisations
function faas name: function functions serverless
namespace cluster pod orchestrator: pod pods cluster namespace kubernetes
cpu usage: cpu load busy
memory usage: memory ram
package name version: software package packages library libraries application program programs installed
installed: install installed
technique tactic: technique techniques attacker attackers attack attacks
indicator threat: malicious malware phishing bad suspicious feed
rule name: alert alerts rule rules detection
role roles group privileges: admin administrator administrators rights role permission permissions privilege privileges member members
removable bus type: usb removable plugged
fingerprint hash: fingerprint fingerprints checksum hash hashes
hash: hash hashes checksum known
token usage: token tokens
amount total price cost: cost costs expensive cheap cheaper cheapest dear paid pay spend spent revenue sales turnover worth earn earned price
quantity count number: many quantity units pieces items number
salary pay wage income: earn earns earned paid wage salary
age birth born: old older oldest young younger youngest age born birthday
timestamp date time created: when date day recent recently latest newest since ago
created start: created made opened started began since
modified updated mtime: changed modified updated edited touched
end closed finished: ended finished closed completed over
due deadline: due overdue late deadline
gender sex: men women male female man woman
name full first: named called name
email address: mail mails email emails
from sender: sent sender from
to recipient: recipient received to
phone number: phone telephone call
product name item: product products item items article articles thing things
category department type: category categories department kind sort
tags labels keywords: tag tagged tags label labelled labels keyword
language locale: language speak speaks english french german
comment note description: note notes comment comments remark
visibility access permission public private: public private secret shared
weather conditions: weather rain rainy snow sunny fog
delay late cancelled: late delay delayed cancelled
origin departure: depart departs departing left leave from
destination arrival: arrive arrives arrival arriving arrivals to
reason cause: why reason cause because
version: version versions release released
model: model models
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
