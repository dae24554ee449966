"""Languages by their ISO 639-1 codes: what they are called."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

_NAMES = """
af Afrikaans; am Amharic; ar Arabic; az Azerbaijani; be Belarusian; bg Bulgarian; bn Bengali, Bangla; bs Bosnian
ca Catalan; cs Czech; cy Welsh; da Danish; de German; el Greek; en English; eo Esperanto; es Spanish; et Estonian
eu Basque; fa Persian, Farsi; fi Finnish; fr French; ga Irish, Gaelic; gl Galician; gu Gujarati; he Hebrew; hi Hindi
hr Croatian; hu Hungarian; hy Armenian; id Indonesian; is Icelandic; it Italian; ja Japanese; ka Georgian; kk Kazakh
km Khmer; ko Korean; ku Kurdish; la Latin; lb Luxembourgish; lo Lao; lt Lithuanian; lv Latvian; mk Macedonian
ml Malayalam; mn Mongolian; mr Marathi; ms Malay; mt Maltese; my Burmese; nb Norwegian, Bokmål; ne Nepali; nl Dutch
nn Nynorsk; no Norwegian; pa Punjabi; pl Polish; ps Pashto; pt Portuguese; ro Romanian; ru Russian; si Sinhala
sk Slovak; sl Slovenian, Slovene; so Somali; sq Albanian; sr Serbian; sv Swedish; sw Swahili; ta Tamil; te Telugu
th Thai; tl Tagalog; tr Turkish; uk Ukrainian; ur Urdu; uz Uzbek; vi Vietnamese; yi Yiddish; zh Chinese, Mandarin
zu Zulu
"""


@lru_cache(maxsize=1)
def languages() -> Mapping[str, tuple[str, ...]]:
    """Return the names of each language by its code: `de` -> German."""
    rows = (one.strip().partition(" ") for one in _NAMES.strip().replace("\n", ";").split(";"))
    return {code: tuple(name.strip() for name in names.split(",")) for code, _, names in rows}
