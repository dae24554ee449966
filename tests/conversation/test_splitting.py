"""Several questions in one message."""

import pytest

from qlc.translator.splitting import questions_in

SEVERAL = [
    ("Who owns Brand Assets, and how many NDAs are there?", ["Who owns Brand Assets", "how many NDAs are there?"]),
    ("documents in Legal and how many W2s are there", ["documents in Legal", "how many W2s are there"]),
    ("show me the NDAs, list the contracts and count the receipts",
     ["show me the NDAs", "list the contracts", "count the receipts"]),
    ("who owns Legal; who owns Tax", ["who owns Legal", "who owns Tax"]),
    ("Hello! How many receipts are there? How many W2s? Thanks.", ["How many receipts are there?", "How many W2s?"]),
    ("who owns Dock Permit.pdf and who created it?", ["who owns Dock Permit.pdf", "*who created it?"]),
    ("which folder is Dock Permit.pdf in and when was it created?",
     ["which folder is Dock Permit.pdf in", "*when was it created?"]),
    ("what is the size of A.pdf and is it signed?", ["what is the size of A.pdf", "*is it signed?"]),
    ("how large is A.pdf and in which folder is it?", ["how large is A.pdf", "*in which folder is it?"]),
    ("Find Q3 Report.pdf. Who created it?", ["Find Q3 Report.pdf", "*Who created it?"]),
    ("documents created in 2024 and how many of them are signed",
     ["documents created in 2024", "*how many of them are signed"]),
    ("who owns Legal, and who are the editors?", ["who owns Legal", "who are the editors?"]),
    ("show me the NDAs and who has signed them", ["show me the NDAs", "*who has signed them"]),
    ("Brand Assets: who owns it, and when was it created?",
     ["who owns Brand Assets", "when was Brand Assets created?"]),
    ("contracts: how many are signed and how many aren't?",
     ["how many contracts are signed", "*how many aren't?"]),
    ("find Q3 Report.pdf and tell me who created it", ["find Q3 Report.pdf", "*tell me who created it"]),
    ("find folders called Tax, and list the documents in the first one",
     ["find folders called Tax", "*list the documents in the first one"]),
    ("how many photos does Ann own, and how many videos?",
     ["how many photos does Ann own", "how many videos does Ann own"]),
    ("how many flats and how many offices are in Zurich?",
     ["how many flats are in Zurich", "how many offices are in Zurich?"]),
    ("how many loans were repaid, and how many refused?",
     ["how many loans were repaid", "how many loans were refused"]),
    ("how many NDAs are there, and how many of them are signed?",
     ["how many NDAs are there", "*how many of them are signed?"]),
    ("how many orders per city? highest first", ["how many orders per city?", "*highest first"]),
    ("how many NDAs are there? only the signed ones", ["how many NDAs are there?", "*only the signed ones"]),
    ("how many files has each person? most first", ["how many files has each person?", "*most first"]),
    ("how many NDAs are in Legal? list documents", ["how many NDAs are in Legal?", "*list documents"]),
    ("how many NDAs are in Legal? and receipts?", ["how many NDAs are in Legal?", "*receipts?"]),
    ("Has anyone copied A.pdf? Show me the copies.", ["Has anyone copied A.pdf?", "*Show me the copies"]),
    ("Did Ann upload photos? What is the total size?", ["Did Ann upload photos?", "*What is the total size?"]),
    ("Some NDAs are unsigned. How many?", ["Some NDAs are unsigned", "*How many?"]),
    ("Someone shared NDAs. Who?", ["Someone shared NDAs", "*Who?"]),
    ("Our auditor comes. Show the NDAs of Legal.", ["Our auditor comes", "Show the NDAs of Legal"]),
    ("When does the first lease end? Give me that lease.", ["When does the first lease end?", "*Give me that lease"]),
    ("which loans are overdue, count per branch", ["which loans are overdue", "*count per branch"]),
    ("Did any repair cost over 900 euros? Which cars, please.",
     ["Did any repair cost over 900 euros?", "*Which cars, please"]),
    ("Some bills are unpaid. Who is the owner of this bill?",
     ["Some bills are unpaid", "*Who is the owner of this bill?"]),
    ("How many NDAs are there? Show the leases of this month.",
     ["How many NDAs are there?", "Show the leases of this month"]),
    ("How many NDAs are there? Show the leases that Ann signed.",
     ["How many NDAs are there?", "Show the leases that Ann signed"]),
    ("How many folders are there? What is the largest file?",
     ["How many folders are there?", "What is the largest file?"]),
]  # fmt: skip


@pytest.mark.parametrize(("message", "parts"), SEVERAL)
def test_several_questions(message: str, parts: list[str]) -> None:
    assert ["*" * goal.depends + goal.text for goal in questions_in(message)] == parts


def test_a_thing_named_first_is_what_is_asked_about() -> None:
    assert [one.text for one in questions_in("Dock Permit.pdf: what is its size?")] == [
        "what is Dock Permit.pdf's size?"
    ]
    assert [one.text for one in questions_in("show me this: is it signed?")] == ["show me this: is it signed?"]


@pytest.mark.parametrize("message", [
    "which vendors did we pay, and how many invoices of each?",
    "Who owns these folders, how many each?",
    "people who own NDAs and who edit contracts", "documents that Ann owns and which are signed", "NDAs?", "",
    "receipts from Costco and Staples", "documents with size over 5 MB and that are signed", "folders in St. Mary",
    'documents named "Who? What. How many"', "is Dock Permit.pdf signed and locked?", "hi, how many W2s are there?",
    "which documents are signed and have no owner", "what documents did Ann create and when", "?!", "W2_2024.pdf",
    "documents shared with Ann and with Bob, newest first", "how many W2s and NDAs are there?", "a? b? c? d? e? f? g?",
    "who comments the most? top 2 with numbers", "in 2025, how many invoices were there",
    "for each owner, how many W2s are there",
    "contracts that expire this year and what remains", "find the folder, in which NDAs lie",
    "people we have no number of and who are lawyers", "contracts which are signed and who have no counterparty",
    "are there copies of A.pdf? show me",
    "unpaid bills, i.e. how many are open", "how many flats of approx. how many rooms",
    "show me NDAs, please. Can you help?", "could you give me contracts which were signed and which cost below 400?",
])  # fmt: skip
def test_one_question(message: str) -> None:
    assert [goal.text for goal in questions_in(message)] == [message]
