"""The exception for a damaged segment file."""


class DamagedSegmentError(Exception):
    """Raised for a segment that differs from what was written; it must be built again from the documents."""
