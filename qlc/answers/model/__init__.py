"""Answers by a language model: it takes questions apart and writes sentences, and is held to the documents in both."""

from .calls import NoReply
from .reader import Mode, Reader

__all__ = ["Mode", "NoReply", "Reader"]
