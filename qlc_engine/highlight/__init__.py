"""Highlighting: the parts of a hit's texts that its query matched, marked with tags.

Source: org.elasticsearch.lucene.search.uhighlight (the highlighter `unified`).
"""
