"""`python -m qlc`: as the command `qlc`."""

from qlc.cli.main import entry

if __name__ == "__main__":
    entry()
