"""IP addresses as 32 hex digits of their 16 bytes (IPv4 mapped into IPv6), so that terms sort as addresses do."""

from __future__ import annotations

import ipaddress
import socket

_V4_PREFIX = "00000000000000000000ffff"


def encode_ip(text: str) -> str:
    """Encode an address. Raises ValueError for other texts."""
    try:
        if ":" in text:
            return socket.inet_pton(socket.AF_INET6, text).hex()
        return _V4_PREFIX + socket.inet_pton(socket.AF_INET, text).hex()
    except OSError:
        raise ValueError(f"'{text}' is not an IP string literal.") from None


def format_ip(term: str) -> str:
    """The address as Elasticsearch prints it: IPv4 dotted, IPv6 in its short form."""
    if term.startswith(_V4_PREFIX):
        return socket.inet_ntop(socket.AF_INET, bytes.fromhex(term[24:]))
    return str(ipaddress.IPv6Address(bytes.fromhex(term)))


def network_range(text: str) -> tuple[str, str]:
    """First and last address of a network written as `address/prefix length`. Raises ValueError."""
    address, _, length = text.partition("/")
    encoded = encode_ip(address)
    bits = int(length)
    width = 32 if ":" not in address else 128
    if not 0 <= bits <= width:
        raise ValueError(f"illegal prefix length '{length}' in [{text}]. Must be 0-{width}")
    host = (1 << (width - bits)) - 1
    first = int(encoded, 16) & ~host
    return f"{first:032x}", f"{first | host:032x}"
