"""What people say in place of a value: a short form of its name, a country, or what is from it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import lru_cache

from qlc.mapping.schema import Field
from qlc.translator.rules.lexicon.lexemes import FieldRef, ValueWord
from qlc.translator.rules.words import english
from qlc.translator.rules.words.morphology import spaced
from qlc.translator.rules.words.phrases import words
from qlc.translator.rules.words.tokens import name_key

SHORTEST_BEGINNING = 4
"""Letters of the shortest word that stands for a longer name: `San` and `New` begin too many of them."""

LONGEST_NAME = 5
"""Words of the longest value that is a name; longer ones are sentences."""

_OF_THE_LANGUAGE = frozenset(
    english.COMMON_WORDS
    | english.ORDINALS.keys()
    | english.NUMBERS.keys()
    | english.SUPERLATIVES.keys()
    | english.MORE_ADJECTIVES.keys()
    | english.LESS_ADJECTIVES.keys()
    | english.MOST_ADJECTIVES.keys()
    | english.CALENDAR.keys()
    | english.MONTHS.keys()
    | english.PLACES
)
"""Words that mean themselves: `largest ones first` is not of the First Harbor Bank."""

LONGEST_CODE = 4
"""Letters of the longest word that may be a code."""
_COUNTRIES = """
AE United Arab Emirates, Emirati; AL Albania, Albanian; AR Argentina, Argentinian, Argentine; AT Austria, Austrian
AU Australia, Australian; BA Bosnia, Bosnian; BD Bangladesh, Bangladeshi; BE Belgium, Belgian; BG Bulgaria, Bulgarian
BO Bolivia, Bolivian; BR Brazil, Brazilian; BY Belarus, Belarusian; CA Canada, Canadian; CH Switzerland, Swiss
CL Chile, Chilean; CM Cameroon, Cameroonian; CN China, Chinese; CO Colombia, Colombian; CR Costa Rica, Costa Rican
CU Cuba, Cuban; CY Cyprus, Cypriot; CZ Czechia, Czech, Czech Republic; DE Germany, German; DK Denmark, Danish
DZ Algeria, Algerian; EC Ecuador, Ecuadorian; EE Estonia, Estonian; EG Egypt, Egyptian; ES Spain, Spanish
ET Ethiopia, Ethiopian; FI Finland, Finnish; FR France, French; GB United Kingdom, British, Great Britain, Britain, UK
GH Ghana, Ghanaian; GR Greece, Greek; HK Hong Kong; HR Croatia, Croatian; HU Hungary, Hungarian
ID Indonesia, Indonesian
IE Ireland, Irish; IL Israel, Israeli; IN India, Indian; IQ Iraq, Iraqi; IR Iran, Iranian; IS Iceland, Icelandic
IT Italy, Italian; JM Jamaica, Jamaican; JP Japan, Japanese; KE Kenya, Kenyan
KR South Korea, Korean, South Korean, Korea
KW Kuwait, Kuwaiti; LB Lebanon, Lebanese; LT Lithuania, Lithuanian; LU Luxembourg, Luxembourgish; LV Latvia, Latvian
MA Morocco, Moroccan; MT Malta, Maltese; MX Mexico, Mexican; MY Malaysia, Malaysian; NG Nigeria, Nigerian
NL Netherlands, Dutch, Holland, the Netherlands; NO Norway, Norwegian; NP Nepal, Nepalese; NZ New Zealand
PE Peru, Peruvian; PH Philippines, Filipino, Philippine; PK Pakistan, Pakistani; PL Poland, Polish
PT Portugal, Portuguese; QA Qatar, Qatari; RO Romania, Romanian; RS Serbia, Serbian; RU Russia, Russian
SA Saudi Arabia, Saudi, Saudi Arabian; SE Sweden, Swedish; SG Singapore, Singaporean; SI Slovenia, Slovenian
SK Slovakia, Slovak, Slovakian; SN Senegal, Senegalese; TH Thailand, Thai; TN Tunisia, Tunisian; TR Turkey, Turkish
TW Taiwan, Taiwanese; TZ Tanzania, Tanzanian; UA Ukraine, Ukrainian; UG Uganda, Ugandan
US United States, American, USA, United States of America; UY Uruguay, Uruguayan; VE Venezuela, Venezuelan
VN Vietnam, Vietnamese; ZA South Africa, South African; ZW Zimbabwe, Zimbabwean
"""
_OF_COUNTRIES = words("country countries nation nationality origin citizenship homeland")
_SCOTS = "GB Scotland, Scottish; GB England, English; GB Wales, Welsh"
_LANGUAGES = words(
    "arabic bengali cantonese catalan esperanto farsi gaelic hebrew hindi latin malay mandarin persian punjabi swahili "
    "tagalog tamil urdu welsh yiddish"
)


def without_apostrophe(value: str) -> str | None:
    """`Trader Joes` for `Trader Joe's`."""
    spelled = re.sub(r"['’](?=s\b)", "", value)
    return spelled if spelled != value else None


def without_initials(value: str) -> str | None:
    """`bogota` for `Bogota D.C.`; None where nothing is left out."""
    parts = name_key(value)
    whole = [one for one in parts if len(one) > 1]
    ends_so = len(parts) > 1 and len(parts[-1]) == 1 and parts[-1].isalpha()
    return " ".join(whole) if ends_so and whole and len(whole[0]) > LONGEST_CODE else None


def beginnings(values: Iterable[str]) -> Iterator[tuple[str, str]]:
    """What only one of a field's values begins with, with that value: (`acme`, `Acme Corp`).

    Only for values that are written as names: `women` does not stand for `women's shoes`.
    """
    beginning: defaultdict[tuple[str, ...], list[str]] = defaultdict(list)
    for value in values:
        key = name_key(value)
        for length in range(1, len(key) + 1):
            beginning[key[:length]].append(value)
    for part, sharing in beginning.items():
        whole = name_key(sharing[0])
        if part[0] in _OF_THE_LANGUAGE:
            continue
        is_name = len(part) < len(whole) <= LONGEST_NAME and sharing[0].istitle() and whole[-1] != "'s"
        if len(sharing) == 1 and is_name and len(part[0]) >= SHORTEST_BEGINNING and all(w.isalpha() for w in part):
            yield " ".join(part), sharing[0]


def cost_of_a_beginning(written: str, at: int) -> float:
    """A name is written as one: in small letters, or where any word has a capital, it is hardly meant."""
    if not written[:1].isupper():
        return 0.35
    return 0.1 if at else 0.15


def values_with_marks(fields: Iterable[tuple[FieldRef, Iterable[str]]]) -> dict[str, list[ValueWord]]:
    """Values of a word or a code that begin or end with a mark, in small letters: `a+`, `c++`, `.net`."""
    found: defaultdict[str, list[ValueWord]] = defaultdict(list)
    for ref, values in fields:
        for value in values:
            edges = value[:1] + value[-1:]
            if " " not in value and not edges.isalnum() and any(one.isalnum() for one in value):
                found[value.casefold()].append(ValueWord(ref, value, closed=ref.field.values is not None))
    return dict(found)


def is_code(text: str) -> bool:
    """Whether a value is a code in capitals, which looks like a word in small letters."""
    return text.isupper() and len(text) <= LONGEST_CODE


def without_marks(word: ValueWord) -> bool:
    """Whether a value neither begins nor ends with a mark."""
    return (word.text[:1] + word.text[-1:]).isalnum()


@lru_cache(maxsize=1)
def _others() -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for line in (*_COUNTRIES.strip().splitlines(), _SCOTS):
        for one in line.split(";"):
            code, _, names = one.strip().partition(" ")
            forms = tuple(name.strip() for name in names.split(","))
            for form in forms:
                found[form.casefold()] = forms
            found.setdefault(code.casefold(), forms)
    return found


def holds_countries(field: Field) -> bool:
    """Whether a field says in its name or words that it holds countries, or of which one something is."""
    phrases = (field.name, field.mapped.path.rsplit(".", 1)[-1], *field.words)
    return any(_OF_COUNTRIES & set(spaced(one).casefold().split()) for one in phrases)


def also_called(value: str) -> tuple[str, ...]:
    """`Swedish` and `Sweden` for each other, and both for `SE`; nothing for what is no country."""
    return tuple(one for one in _others().get(value.casefold(), ()) if one.casefold() != value.casefold())


def names_a_language(text: str) -> bool:
    """Whether a word is one for a language, or for what is of a country: `in Spanish`."""
    forms = _others().get(text.casefold(), ())
    return text.casefold() in _LANGUAGES or (len(text) > len("US") and text.casefold() in map(str.casefold, forms))
