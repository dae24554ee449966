"""Countries, what is from them, and their codes: a field that holds one of them is asked for by the others too."""

from __future__ import annotations

from functools import lru_cache

from qlc.mapping.schema import Field
from qlc.translator.rules.lexicon.field_names import spaced
from qlc.translator.rules.words.phrases import words

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


_LANGUAGES = words(
    "arabic bengali cantonese catalan esperanto farsi gaelic hebrew hindi latin malay mandarin persian punjabi swahili "
    "tagalog tamil urdu welsh yiddish"
)


def names_a_language(text: str) -> bool:
    """Whether a word is one for a language, or for what is of a country: `in Spanish`."""
    forms = _others().get(text.casefold(), ())
    return text.casefold() in _LANGUAGES or (len(text) > len("US") and text.casefold() in map(str.casefold, forms))
