"""Words of a text as Lucene's StandardTokenizer finds them: Unicode word boundaries (UAX #29, Unicode 12.1).

Letters, digits and underscores join; a single mark such as `.` or `'` joins where letters (or digits) are on both
sides; every ideograph and hiragana is a word of its own, katakana runs join, as do runs of south-east Asian letters.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Iterator

#: Longer words are cut at this many characters, as by the standard tokenizer's `max_token_length`.
MAX_TOKEN_LENGTH = 255

_ASCII_WORD = re.compile(
    r"[0-9A-Za-z_]++(?:(?:[:.'](?<=[A-Za-z].)(?=[A-Za-z])|[.,;'](?<=[0-9].)(?=[0-9]))[0-9A-Za-z_]++)*+", re.ASCII
)

_WEST = r"A-Za-z\u00aa\u00b5\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f"
#: Latin letters, and what is typeset with them: dashes, quotation marks, bullets, boxes to tick
_WESTERN = re.compile(
    r"[\x00-\x7f\u00a0-\u00ac\u00ae-\u024f\u2010-\u2023\u2025\u2026\u2030-\u203b\u20ac\u2122\u25a0\u25a1\u25cf"
    r"\u2610\u2612]*"
)
_WESTERN_WORD = re.compile(
    rf"[0-9{_WEST}_]++(?:(?:[:.'\u2018\u2019\u00b7](?<=[{_WEST}].)(?=[{_WEST}])"
    rf"|[.,;'\u2018\u2019](?<=[0-9].)(?=[0-9]))[0-9{_WEST}_]++)*+"
)
"""As `_unicode_word` for such texts, ten times as fast."""

_KATAKANA = (
    (0x3031, 0x3035), (0x309B, 0x309C), (0x30A0, 0x30FA), (0x30FC, 0x30FF), (0x31F0, 0x31FF), (0x32D0, 0x32FE),
    (0x3300, 0x3357), (0xFF66, 0xFF9D), (0x1B000, 0x1B000), (0x1B164, 0x1B167),
)  # fmt: skip
_HIRAGANA = ((0x3041, 0x3096), (0x309D, 0x309F), (0x1B001, 0x1B11E), (0x1B150, 0x1B152), (0x1F200, 0x1F200))
_HAN = (
    (0x2E80, 0x2E99), (0x2E9B, 0x2EF3), (0x2F00, 0x2FD5), (0x3005, 0x3005), (0x3007, 0x3007), (0x3021, 0x3029),
    (0x3038, 0x303B), (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFA6D), (0xFA70, 0xFAD9), (0x20000, 0x323AF),
)  # fmt: skip
#: Line_Break=Complex_Context: Thai, Lao, Myanmar, Khmer, Tai scripts
_COMPLEX = (
    (0x0E01, 0x0E3A), (0x0E40, 0x0E4E), (0x0E81, 0x0EBD), (0x0EC0, 0x0ECD), (0x0EDC, 0x0EDF), (0x1000, 0x103F),
    (0x1050, 0x108F), (0x109A, 0x109F), (0x1780, 0x17D3), (0x17D7, 0x17D7), (0x17DC, 0x17DD), (0x1950, 0x1974),
    (0x1980, 0x19C9), (0x19DE, 0x19DF), (0x1A20, 0x1A7C), (0x1AA0, 0x1AAD), (0xA9E0, 0xA9EF), (0xA9FA, 0xA9FE),
    (0xAA60, 0xAAC2), (0xAADB, 0xAADF),
)  # fmt: skip
_MID_LETTER = ":\u00b7\u0387\u055f\u05f4\u2027\ufe13\ufe55\uff1a"
_MID_NUMBER = ",;\u037e\u0589\u060c\u060d\u066c\u07f8\u2044\ufe10\ufe14\ufe50\ufe54\uff0c\uff1b"
_MID_BOTH = ".\u2018\u2019\u2024\ufe52\uff07\uff0e'"
#: Letters by Word_Break though not by general category (modifier symbols, Armenian and Hebrew marks, circled letters)
_EXTRA_LETTERS = (
    (0x02C2, 0x02C5), (0x02D2, 0x02D7), (0x02DE, 0x02DF), (0x02E5, 0x02EB), (0x02ED, 0x02ED), (0x02EF, 0x02FF),
    (0x055A, 0x055C), (0x055E, 0x055E), (0x058A, 0x058A), (0x05F3, 0x05F3), (0x24B6, 0x24E9), (0xA708, 0xA716),
    (0xA720, 0xA721), (0xA789, 0xA78A), (0xAB5B, 0xAB5B), (0x1F130, 0x1F149), (0x1F150, 0x1F169),
    (0x1F170, 0x1F189),
)  # fmt: skip
#: Emoji_Presentation and the pictographs that Lucene's grammar takes as emoji (Extended_Pictographic)
_PICTOGRAPHS = (
    (0x203C, 0x203C), (0x2049, 0x2049), (0x2139, 0x2139), (0x2194, 0x2199), (0x21A9, 0x21AA), (0x231A, 0x231B),
    (0x2328, 0x2328), (0x23CF, 0x23CF), (0x23E9, 0x23F3), (0x23F8, 0x23FA), (0x24C2, 0x24C2), (0x25AA, 0x25AB),
    (0x25B6, 0x25B6), (0x25C0, 0x25C0), (0x25FB, 0x25FE), (0x2600, 0x2604), (0x260E, 0x260E), (0x2611, 0x2611),
    (0x2614, 0x2615), (0x2618, 0x2618), (0x261D, 0x261D), (0x2620, 0x2620), (0x2622, 0x2623), (0x2626, 0x2626),
    (0x262A, 0x262A), (0x262E, 0x262F), (0x2638, 0x263A), (0x2640, 0x2640), (0x2642, 0x2642), (0x2648, 0x2653),
    (0x265F, 0x2660), (0x2663, 0x2663), (0x2665, 0x2666), (0x2668, 0x2668), (0x267B, 0x267B), (0x267E, 0x267F),
    (0x2692, 0x2697), (0x2699, 0x2699), (0x269B, 0x269C), (0x26A0, 0x26A1), (0x26AA, 0x26AB), (0x26B0, 0x26B1),
    (0x26BD, 0x26BE), (0x26C4, 0x26C5), (0x26C8, 0x26C8), (0x26CE, 0x26CF), (0x26D1, 0x26D1), (0x26D3, 0x26D4),
    (0x26E9, 0x26EA), (0x26F0, 0x26F5), (0x26F7, 0x26FA), (0x26FD, 0x26FD), (0x2702, 0x2702), (0x2705, 0x2705),
    (0x2708, 0x270D), (0x270F, 0x270F), (0x2712, 0x2712), (0x2714, 0x2714), (0x2716, 0x2716), (0x271D, 0x271D),
    (0x2721, 0x2721), (0x2728, 0x2728), (0x2733, 0x2734), (0x2744, 0x2744), (0x2747, 0x2747), (0x274C, 0x274C),
    (0x274E, 0x274E), (0x2753, 0x2755), (0x2757, 0x2757), (0x2763, 0x2764), (0x2795, 0x2797), (0x27A1, 0x27A1),
    (0x27B0, 0x27B0), (0x27BF, 0x27BF), (0x2934, 0x2935), (0x2B05, 0x2B07), (0x2B1B, 0x2B1C), (0x2B50, 0x2B50),
    (0x2B55, 0x2B55), (0x3030, 0x3030), (0x303D, 0x303D), (0x3297, 0x3297), (0x3299, 0x3299), (0x1F004, 0x1F004),
    (0x1F0CF, 0x1F0CF), (0x1F18E, 0x1F18E), (0x1F191, 0x1F19A), (0x1F201, 0x1F202), (0x1F21A, 0x1F21A),
    (0x1F22F, 0x1F22F), (0x1F232, 0x1F23A), (0x1F250, 0x1F251), (0x1F300, 0x1F3FA), (0x1F400, 0x1F64F),
    (0x1F680, 0x1F6FF), (0x1F7E0, 0x1F7EB), (0x1F90C, 0x1F9FF), (0x1FA70, 0x1FAFF),
)  # fmt: skip


def words(text: str, max_length: int = MAX_TOKEN_LENGTH) -> list[str]:
    """The words of a text, as written; longer ones are cut."""
    if text.isascii() or _WESTERN.fullmatch(text):
        found = (_ASCII_WORD if text.isascii() else _WESTERN_WORD).findall(text)
        if "_" in text:
            found = [word for word in found if word.strip("_")]
    else:
        found = [match.group() for match in _unicode_word().finditer(text)]
    if len(text) <= max_length:
        return found
    return [word[start : start + max_length] for word in found for start in range(0, len(word), max_length)]


def words_with_offsets(text: str, max_length: int = MAX_TOKEN_LENGTH) -> Iterator[tuple[str, int]]:
    """The words with the index at which each begins."""
    pattern = _ASCII_WORD if text.isascii() else _unicode_word()
    for match in pattern.finditer(text):
        word = match.group()
        if not word.strip("_"):
            continue
        for start in range(0, len(word), max_length):
            yield word[start : start + max_length], match.start() + start


def _class(codes: list[int]) -> str:
    """The inside of a regular expression's character class for these ascending code points."""
    parts: list[str] = []
    start = previous = None
    for code in [*codes, -1]:
        if previous is not None and code == previous + 1:
            previous = code
            continue
        if start is not None and previous is not None:
            parts.append(f"\\U{start:08x}-\\U{previous:08x}")
        start = previous = code
    return "".join(parts)


def _ranges_class(ranges: tuple[tuple[int, int], ...]) -> str:
    return "".join(f"\\U{low:08x}-\\U{high:08x}" for low, high in ranges)


@functools.cache
def _unicode_word() -> re.Pattern[str]:
    """The grammar over all of Unicode; built on the first text that is not ASCII (about 60 ms)."""
    letters: list[int] = []
    extends: list[int] = []
    connectors: list[int] = [0x202F]
    separate = (*_KATAKANA, *_HIRAGANA, *_HAN, *_COMPLEX)
    table = [False] * 0x20000
    for low, high in separate:
        for code in range(low, min(high, 0x1FFFF) + 1):
            table[code] = True
    for low, high in _EXTRA_LETTERS:
        letters.extend(range(low, high + 1))
    for code in range(0x20000):
        category = unicodedata.category(chr(code))
        if category in ("Mn", "Me", "Mc") or (category == "Cf" and code != 0x200B):
            extends.append(code)
        elif table[code]:
            continue
        elif category[0] == "L" or category == "Nl":
            letters.append(code)
        elif category == "Pc":
            connectors.append(code)
    extends.extend([*range(0xFF9E, 0xFFA0), *range(0x1F3FB, 0x1F400), *range(0xE0001, 0xE01F0)])
    ignored = f"[{_class(sorted(set(extends)))}]*+"
    letter = f"(?:[{_class(sorted(set(letters)))}]{ignored})"
    digit = rf"(?:[\d\u066b]{ignored})"
    connector = f"(?:[{_class(sorted(set(connectors)))}]{ignored})"
    katakana = f"(?:[{_ranges_class(_KATAKANA)}]{ignored})"
    mid_letter = f"(?:[{re.escape(_MID_LETTER + _MID_BOTH)}]{ignored})"
    mid_number = f"(?:[{re.escape(_MID_NUMBER + _MID_BOTH)}]{ignored})"
    hebrew = rf"(?:[\u05d0-\u05ea\u05ef-\u05f2\ufb1d\ufb1f-\ufb4f]{ignored})"
    numbers = f"{digit}(?:{connector}*+{digit}|{mid_number}{digit})*"
    letter_run = f"{letter}(?:{connector}*+{letter}|{mid_letter}{letter})*"
    letters_and_numbers = f"(?:{hebrew}(?:\"{ignored}{hebrew}|'{ignored}(?!{letter}))|{numbers}|{letter_run})+"
    katakana_run = f"{katakana}(?:{connector}*+{katakana})*"
    part = f"(?:{katakana_run}|{letters_and_numbers})"
    word = f"{connector}*+{part}(?:{connector}++{part})*{connector}*+"
    pictograph = rf"(?:[{_ranges_class(_PICTOGRAPHS)}]{ignored}|[0-9#*]\ufe0f?\u20e3)"
    emoji = rf"(?:[\U0001f1e6-\U0001f1ff]{{2}}|{pictograph}(?:(?<=\u200d){pictograph})*)"
    single = f"[{_ranges_class(_HAN)}{_ranges_class(_HIRAGANA)}]{ignored}"
    complex_run = f"(?:[{_ranges_class(_COMPLEX)}]{ignored})+"
    return re.compile(f"{emoji}|{word}|{complex_run}|{single}")
