"""Which IP addresses belong to the public network, so that a stranger may let this machine call them.

The networks are listed here and not taken from `ipaddress`, whose answers differ between versions of Python.
"""

import ipaddress
from typing import Final

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

# IPv4: everything is public but these.
SPECIAL_IPV4: Final = tuple(
    map(
        ipaddress.IPv4Network,
        (
            "0.0.0.0/8",  # this network
            "10.0.0.0/8",  # private
            "100.64.0.0/10",  # shared by a provider's customers
            "127.0.0.0/8",  # this machine
            "168.63.129.16/32",  # services of a cloud for its machines
            "169.254.0.0/16",  # link-local; clouds tell machines their secrets here
            "172.16.0.0/12",  # private
            "192.0.0.0/24",  # protocol assignments; some clouds keep services here
            "192.0.2.0/24",  # documentation
            "192.31.196.0/24",  # AS112
            "192.52.193.0/24",  # multicast relays
            "192.88.99.0/24",  # 6to4 relays
            "192.168.0.0/16",  # private
            "192.175.48.0/24",  # AS112
            "198.18.0.0/15",  # benchmarks
            "198.51.100.0/24",  # documentation
            "203.0.113.0/24",  # documentation
            "224.0.0.0/4",  # multicast
            "240.0.0.0/4",  # reserved, broadcast
        ),
    )
)
# IPv6: nothing is public but this, without the networks below. So site-local (fec0::/10), unique local, link-local,
# multicast, IPv4-mapped and IPv4-compatible addresses and the local NAT64 prefix (64:ff9b:1::/48) are not.
GLOBAL_UNICAST: Final = ipaddress.IPv6Network("2000::/3")
SPECIAL_IPV6: Final = tuple(
    map(
        ipaddress.IPv6Network,
        (
            "2001::/23",  # protocol assignments, Teredo among them
            "2001:db8::/32",  # documentation
            "2002::/16",  # 6to4, which leads to any IPv4 address
            "2620:4f:8000::/48",  # AS112
            "3fff::/20",  # documentation
        ),
    )
)
NAT64: Final = ipaddress.IPv6Network("64:ff9b::/96")  # leads to the IPv4 address in its last 32 bits


def is_public(address: Address) -> bool:
    """Whether an address belongs to the public network, and so does the one it is translated to."""
    if isinstance(address, ipaddress.IPv4Address):
        return not any(address in network for network in SPECIAL_IPV4)
    if address in NAT64:
        return is_public(ipaddress.IPv4Address(int(address) & 0xFFFFFFFF))
    return address in GLOBAL_UNICAST and not any(address in network for network in SPECIAL_IPV6)
