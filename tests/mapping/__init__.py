"""The tests of qlc.mapping and of the shipped catalogs."""
