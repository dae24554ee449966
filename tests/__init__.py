"""The tests of qlc."""
