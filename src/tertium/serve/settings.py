"""How a server is to behave."""

import re
from dataclasses import dataclass
from functools import cached_property
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from typing import Final

from tertium.errors import OptionError

MEGABYTE: Final = 1_000_000
LOOPBACK: Final = "127.0.0.1"
ROOT_PATH: Final = re.compile(r"(/(?!\.{1,2}(/|$))[A-Za-z0-9._-]+)+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Limits and addresses; nothing here is a secret.

    Args:
        host: the address that the server listens at.
        port: its port.
        open: whether whoever reaches a server without accounts owns everything; only on loopback.
        secure: whether browsers come by HTTPS, so that cookies are never sent otherwise.
        upload_limit: bytes of a file that is sent.
        upload_memory: bytes of memory for reading it, in a process of its own.
        upload_seconds: time for reading it.
        body_limit: bytes of any other request.
        requests_per_minute: of one caller; fifty times as many from one address.
        logins_per_minute: attempts from one address; three times as many for one name.
        workers: processes for work that takes long.
        root_path: the path under which a proxy shows the server, such as ``/tertium``; "" for all.
        trusted_proxies: networks whose ``X-Forwarded-For`` and ``X-Forwarded-Proto`` are believed.
        request_timeout: seconds for the headers of a request, and for a body that stalls.
        connections_per_address: open at once; trusted proxies have no limit.
        programs: metrics of the operator's own programs, as ``command[run=…,name=…]``.
    """

    host: str = LOOPBACK
    port: int = 8090
    open: bool = False
    secure: bool = False
    upload_limit: int = 100 * MEGABYTE
    upload_memory: int = 2000 * MEGABYTE
    upload_seconds: int = 120
    body_limit: int = 2 * MEGABYTE
    requests_per_minute: int = 1200
    logins_per_minute: int = 10
    workers: int = 1
    root_path: str = ""
    trusted_proxies: tuple[str, ...] = ()
    request_timeout: float = 20
    connections_per_address: int = 256
    programs: tuple[str, ...] = ()

    @property
    def cookie(self) -> str:
        """The name of the cookie; the prefix has browsers insist on HTTPS and on this host.

        Under a path the cookie is for this path only, which ``__Host-`` does not allow.
        """
        if not self.secure:
            return "tertium"
        return "__Secure-tertium" if self.root_path else "__Host-tertium"

    @property
    def cookie_path(self) -> str:
        """The path that the cookie is sent to."""
        return self.root_path or "/"

    @property
    def proxies(self) -> "TrustedProxies":
        """The trusted proxies, to look an address up."""
        return TrustedProxies(self.trusted_proxies)


@dataclass(frozen=True)
class TrustedProxies:
    """Networks of proxies, each an address or in CIDR notation.

    >>> "10.1.2.3" in TrustedProxies(("10.0.0.0/8", "::1"))
    True
    >>> "192.0.2.1" in TrustedProxies(("10.0.0.0/8", "::1"))
    False
    """

    networks: tuple[str, ...]

    @cached_property
    def _parsed(self) -> tuple[IPv4Network | IPv6Network, ...]:
        return tuple(parse_network(text) for text in self.networks)

    def __contains__(self, address: str) -> bool:
        if not self._parsed:
            return False
        try:
            ip = ip_address(address)
        except ValueError:
            return False
        ip = getattr(ip, "ipv4_mapped", None) or ip  # an IPv4 client at a socket of IPv6
        return any(ip in network for network in self._parsed)


def parse_network(text: str) -> IPv4Network | IPv6Network:
    """A network of trusted proxies, as ``--trusted-proxy`` takes it."""
    try:
        return ip_network(text)
    except ValueError:
        raise OptionError(
            f"--trusted-proxy: found {text!r}, expected an address or a network such as 10.0.0.0/8"
        ) from None


def parse_root_path(text: str) -> str:
    """The path under which a proxy shows the server, without a slash at its end.

    >>> parse_root_path("/tertium/")
    '/tertium'
    """
    path = text.rstrip("/")
    if path and not ROOT_PATH.fullmatch(path):
        raise OptionError(
            f"--root-path: found {text!r}, expected a path of letters, digits, '-', '_' and '.' "
            "such as /tertium"
        )
    return path


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches an address."""
    if host == "localhost":
        return True
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False
