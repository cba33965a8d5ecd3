"""How a server is to behave."""

from dataclasses import dataclass
from ipaddress import ip_address
from typing import Final

MEGABYTE: Final = 1_000_000
LOOPBACK: Final = "127.0.0.1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Limits and addresses; nothing here is a secret.

    Args:
        host: the address that the server listens at.
        port: its port.
        open: whether whoever reaches a server without accounts owns everything; only on loopback.
        secure: whether browsers come by HTTPS, so that cookies are never sent otherwise.
        upload_limit: bytes of a file that is sent.
        body_limit: bytes of any other request.
        requests_per_minute: of one caller; fifty times as many from one address.
        logins_per_minute: attempts from one address; three times as many for one name.
        workers: processes for work that takes long.
        programs: metrics of the operator's own programs, as ``command[run=…,name=…]``.
    """

    host: str = LOOPBACK
    port: int = 8090
    open: bool = False
    secure: bool = False
    upload_limit: int = 100 * MEGABYTE
    body_limit: int = 2 * MEGABYTE
    requests_per_minute: int = 1200
    logins_per_minute: int = 10
    workers: int = 1
    programs: tuple[str, ...] = ()

    @property
    def cookie(self) -> str:
        """The name of the cookie; the prefix has browsers insist on HTTPS and on this host."""
        return "__Host-tertium" if self.secure else "tertium"


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches an address."""
    if host == "localhost":
        return True
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False
