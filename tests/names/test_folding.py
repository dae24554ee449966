"""Folding, as tables."""

import pytest

from qlc.base.words.folding import fold, stem

SAME = [
    ("Tax Documents", "tax documents"),
    ("Résumé – José.pdf", "resume - jose.pdf"),
    ("Re\u0301sume\u0301", "Résumé"),
    ("O’Brien & Sons", "O'Brien & Sons"),
    ("O'Brien & Sons", "OBrien Sons"),
    ("O`Brien", "O´Brien"),
    ("Mei-Ling Chen", "Mei Ling Chen"),
    ("Q3 ’24 – Close", "Q3 '24 - Close"),
    ("“Quoted” Folder", '"Quoted" Folder'),
    ("«Quoted» Folder", "Quoted Folder"),
    ("Løn & Skat", "Lon Skat"),
    ("Łódź", "Lodz"),
    ("Straße", "STRASSE"),
    ("Émigré Archive", "emigre archive"),
    ("W2_2023_Aisha_Bello.pdf", "W2 2023 Aisha Bello pdf"),
    ("Ｆｕｌｌ　ｗｉｄｔｈ", "full width"),
    ("co\u00adoperate", "cooperate"),
    ("file\u200bname", "filename"),
    ("İstanbul", "istanbul"),
    ("日本出張", "日本出張 "),
    ("C++ Course", "c++  course"),
    ("R&D budget + forecast (v1.2).xlsx", "R & D budget+forecast v1 2 xlsx"),
    ("party 🎉", "PARTY🎉"),
    ("heart ❤\ufe0f", "heart ❤"),
    ("\\\\server\\share", "server share"),
    ("5'3", "5 3"),
]

DIFFERENT = [
    ("C++ Course", "C Course"),
    ("C++", "C#"),
    ("A+", "A"),
    ("バス", "パス"),
    ("가", "각"),
    ("🎉", "🚀"),
    ("2024", "2025"),
    ("re sign", "resign"),
    ("ดี", "ดู"),
]

NOTHING = ["", "   ", "???", "&", "---", "+", "+++", "...", "’", "_", "\u200b", "/ >"]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_spellings_of_one_name_fold_to_the_same(one: str, other: str) -> None:
    assert fold(one) == fold(other) != ""


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_different_names_do_not(one: str, other: str) -> None:
    assert fold(one) != fold(other)
    assert fold(one)
    assert fold(other)


@pytest.mark.parametrize("text", NOTHING)
def test_punctuation_alone_folds_to_nothing(text: str) -> None:
    assert fold(text) == ""


@pytest.mark.parametrize("text", [text for pair in SAME + DIFFERENT for text in pair])
def test_folding_what_is_folded_changes_nothing(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@pytest.mark.parametrize("text", [text for pair in SAME for text in pair if text.isascii()])
def test_plain_and_other_texts_fold_alike(text: str) -> None:
    """A character beyond ASCII switches to the long way, which must agree with the short one."""
    assert fold(text + " 日") == fold(text) + " 日"


@pytest.mark.parametrize(
    ("name", "without"),
    [
        ("Q3 Report.pdf", "Q3 Report"),
        ("photo.JPEG", "photo"),
        ("backup.tar.gz", "backup.tar"),
        ("notes.7z", "notes"),
        ("forecast (v1.2).xlsx", "forecast (v1.2)"),
        ("Report v1.2", None),
        ("Dr. Smith", None),
        (".profile", None),
        ("plain", None),
        ("ends with a dot.", None),
        ("line\nbreak.txt", "line\nbreak"),
        ("", None),
    ],
)
def test_stem(name: str, without: str | None) -> None:
    assert stem(name) == without
