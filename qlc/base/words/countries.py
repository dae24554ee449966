"""Countries by their ISO 3166 codes: what they are called, and what is from them.

The codes and usual names are those of `iso3166.tab` in the package tzdata (public domain); other names, and what is
from a country, stand here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files

_FORMS = """
AE United Arab Emirates, Emirati, Emirates, UAE; AF Afghanistan, Afghan; AL Albania, Albanian; AM Armenia, Armenian
AO Angola, Angolan; AR Argentina, Argentinian, Argentine; AS American Samoa; AT Austria, Austrian
AU Australia, Australian; AZ Azerbaijan, Azerbaijani; BA Bosnia, Bosnian; BD Bangladesh, Bangladeshi
BE Belgium, Belgian; BG Bulgaria, Bulgarian; BH Bahrain, Bahraini; BO Bolivia, Bolivian; BR Brazil, Brazilian
BY Belarus, Belarusian; CA Canada, Canadian; CC Cocos Islands
CD Democratic Republic of the Congo, Congolese, DR Congo; CF Central African Republic; CG Republic of the Congo, Congo
CH Switzerland, Swiss; CI Côte d'Ivoire, Ivory Coast, Ivorian; CL Chile, Chilean; CM Cameroon, Cameroonian
CN China, Chinese; CO Colombia, Colombian; CR Costa Rica, Costa Rican; CU Cuba, Cuban; CY Cyprus, Cypriot
CZ Czechia, Czech, Czech Republic; DE Germany, German; DK Denmark, Danish; DO Dominican Republic; DZ Algeria, Algerian
EC Ecuador, Ecuadorian; EE Estonia, Estonian; EG Egypt, Egyptian; ES Spain, Spanish; ET Ethiopia, Ethiopian
FI Finland, Finnish; FR France, French; GB United Kingdom, British, Great Britain, Britain, UK; GE Georgia, Georgian
GH Ghana, Ghanaian; GR Greece, Greek; GT Guatemala, Guatemalan; HK Hong Kong; HN Honduras, Honduran
HR Croatia, Croatian; HT Haiti, Haitian; HU Hungary, Hungarian; ID Indonesia, Indonesian; IE Ireland, Irish
IL Israel, Israeli; IN India, Indian; IQ Iraq, Iraqi; IR Iran, Iranian; IS Iceland, Icelandic; IT Italy, Italian
JM Jamaica, Jamaican; JO Jordan, Jordanian; JP Japan, Japanese; KE Kenya, Kenyan; KH Cambodia, Cambodian
KP North Korea, North Korean; KR South Korea, Korean, South Korean, Korea; KW Kuwait, Kuwaiti; KZ Kazakhstan, Kazakh
LA Laos, Laotian; LB Lebanon, Lebanese; LK Sri Lanka, Sri Lankan; LT Lithuania, Lithuanian
LU Luxembourg, Luxembourgish; LV Latvia, Latvian; LY Libya, Libyan; MA Morocco, Moroccan; MC Monaco, Monegasque
MD Moldova, Moldovan; ME Montenegro, Montenegrin; MF Saint Martin; MG Madagascar, Malagasy
MK North Macedonia, Macedonian; ML Mali, Malian; MM Myanmar, Burma, Burmese; MN Mongolia, Mongolian; MT Malta, Maltese
MU Mauritius, Mauritian; MX Mexico, Mexican; MY Malaysia, Malaysian; MZ Mozambique, Mozambican; NA Namibia, Namibian
NG Nigeria, Nigerian; NI Nicaragua, Nicaraguan; NL Netherlands, Dutch, Holland, the Netherlands; NO Norway, Norwegian
NP Nepal, Nepalese; NZ New Zealand; OM Oman, Omani; PA Panama, Panamanian; PE Peru, Peruvian
PH Philippines, Filipino, Philippine; PK Pakistan, Pakistani; PL Poland, Polish; PR Puerto Rico, Puerto Rican
PT Portugal, Portuguese; PY Paraguay, Paraguayan; QA Qatar, Qatari; RO Romania, Romanian; RS Serbia, Serbian
RU Russia, Russian; RW Rwanda, Rwandan; SA Saudi Arabia, Saudi, Saudi Arabian; SD Sudan, Sudanese; SE Sweden, Swedish
SG Singapore, Singaporean; SI Slovenia, Slovenian; SK Slovakia, Slovak, Slovakian; SN Senegal, Senegalese
SO Somalia, Somali; SV El Salvador, Salvadoran; SX Sint Maarten; SY Syria, Syrian; SZ Eswatini, Swaziland, Swazi
TC Turks and Caicos Islands; TF French Southern Territories; TH Thailand, Thai; TN Tunisia, Tunisian
TR Turkey, Turkish, Türkiye; TW Taiwan, Taiwanese; TZ Tanzania, Tanzanian; UA Ukraine, Ukrainian; UG Uganda, Ugandan
US United States, American, USA, United States of America, America; UY Uruguay, Uruguayan; UZ Uzbekistan, Uzbek
VE Venezuela, Venezuelan; VG British Virgin Islands; VI United States Virgin Islands, US Virgin Islands
VN Vietnam, Vietnamese; WS Samoa, Samoan; YE Yemen, Yemeni; ZA South Africa, South African; ZM Zambia, Zambian
ZW Zimbabwe, Zimbabwean
"""
_PARTS = "GB Scotland, Scottish; GB England, English; GB Wales, Welsh"


@lru_cache(maxsize=1)
def countries() -> Mapping[str, tuple[str, ...]]:
    """Return the name and the adjective of each country by its code: `DE` -> Germany, German."""
    found = dict(map(_row, re.split("[;\n]", _FORMS.strip())))
    table = (files("tzdata") / "zoneinfo" / "iso3166.tab").read_text(encoding="utf-8")
    for line in table.splitlines():
        code, _, name = line.partition("\t")
        if name and not line.startswith("#") and code not in found:
            plain = name.replace("&", "and")
            found[code] = tuple(dict.fromkeys((plain, re.sub("^St ", "Saint ", plain))))
    return found


def _row(text: str) -> tuple[str, tuple[str, ...]]:
    code, _, names = text.strip().partition(" ")
    return code, tuple(name.strip() for name in names.split(","))


@lru_cache(maxsize=1)
def _by_form() -> Mapping[str, tuple[str, ...]]:
    parts = [forms for _, forms in map(_row, _PARTS.split(";"))]
    found = {form.casefold(): forms for forms in (*countries().values(), *parts) for form in forms}
    return found | {code.casefold(): forms for code, forms in countries().items() if code.casefold() not in found}


def forms_of(value: str) -> tuple[str, ...]:
    """All that a country goes by which a code, a name or what is from it stands for; nothing for other words."""
    return _by_form().get(value.casefold(), ())


def is_of_a_country(text: str) -> bool:
    """Whether a word is the name or the adjective of a country, rather than its code."""
    return len(text) > len("US") and text.casefold() in map(str.casefold, forms_of(text))
