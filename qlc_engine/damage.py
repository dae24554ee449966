"""What is raised where a file is not what was written."""


class DamagedSegmentError(Exception):
    """A segment is not what was written: it has to be built anew from the documents."""
