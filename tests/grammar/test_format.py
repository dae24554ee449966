"""`format_source`: canonical text in lines, comments kept."""

from textwrap import dedent

from qlc.grammar import format_source, parse
from qlc.grammar.formatting import laid_out


def test_comments_stay_with_what_they_speak_of() -> None:
    source = dedent(
        """\
        -- invoices of the projects
        let p = folder("Projects") -- the folder
        -- all of them
        FIND documents
          limit 10 -- few
          -- only invoices
          WHERE type == 'Invoice' -- by type
          AND (folder under p or -- below
            owner = $me)
        -- the end"""
    )
    assert format_source(source, 60) == dedent(
        """\
        -- invoices of the projects
        let p = folder("Projects") -- the folder
        -- all of them
        find documents
        -- only invoices
        where type = "Invoice" -- by type
          and (
            folder under p -- below
            or owner = $me
          )
        limit 10 -- few
        -- the end
        """
    )


def test_one_line_where_it_fits_also_with_a_comment_after_the_program() -> None:
    assert format_source("find documents\nwhere a\nsort b") == "find documents where a sort b\n"
    assert format_source("find documents where a -- all") == "find documents where a -- all\n"


def test_lines_are_broken_at_clauses_and_conditions() -> None:
    program = parse(
        'find documents where type = "Invoice" and not (size > 5 MB or size < 1 kB) and folder in '
        '(find folders where name = "Projects" and owner = "Ada Byron").folder sort created desc limit 10'
    )
    assert laid_out(program, 50) == dedent(
        """\
        find documents
        where type = "Invoice"
          and not (size > 5 MB or size < 1 kB)
          and folder in (
            find folders
            where name = "Projects"
              and owner = "Ada Byron"
          ).folder
        sort created desc
        limit 10"""
    )


def test_several_comments_after_what_becomes_one_line() -> None:
    source = 'find documents where type = "Contract" and (value -- one\nmissing or -- two\nvalue < 5000)'
    formatted = format_source(source, 40)
    assert formatted == dedent(
        """\
        find documents
        where type = "Contract"
          -- one
          and (
            value missing -- two
            or value < 5000
          )
        """
    )
    assert format_source(formatted, 40) == formatted
