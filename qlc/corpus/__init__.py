"""Corpora: folders of files, read into pages, passages and typed values, and searched through the compiler."""
