"""The version of qlc, where its own modules can read it."""

VERSION = "0.1.0"
