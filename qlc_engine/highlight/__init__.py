"""Highlighting: the parts of a hit's texts that its query matched, marked with tags.

Source: org.elasticsearch.lucene.search.uhighlight (`unified`), org.apache.lucene.search.highlight (`plain`).
"""
