"""A wire between a server and its database, which can be cut: a TCP proxy on loopback."""

import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

State = Literal["open", "reset", "silent"]
BLOCK = 65536


@dataclass(slots=True)
class Wire:
    """Forwards connections to the socket of a PostgreSQL.

    ``reset`` ends all connections and refuses new ones, as a machine that is up without its
    database; ``silent`` takes what is sent and answers nothing, as a firewall that drops packets.
    """

    target: Path
    listener: socket.socket
    state: State = "open"
    _pairs: list[tuple[socket.socket, socket.socket]] = field(default_factory=list)

    @property
    def port(self) -> int:
        """Where it listens."""
        number: int = self.listener.getsockname()[1]
        return number

    def address(self, database: str) -> str:
        """The address of a database at the other end."""
        return f"postgresql://tertium@127.0.0.1:{self.port}/{database}"

    def cut(self, state: State) -> None:
        """Cut the wire, or join it again; what was silent is lost, as packets are."""
        self.state = state
        if state != "silent":
            for pair in self._pairs:
                for end in pair:
                    _reset(end)
            self._pairs.clear()

    def serve(self) -> None:
        """Take connections until the listener is closed."""
        while True:
            try:
                near, _ = self.listener.accept()
            except OSError:
                return
            if self.state == "reset":
                _reset(near)
                continue
            far = socket.socket(socket.AF_UNIX)
            far.connect(str(self.target))
            self._pairs.append((near, far))
            for source, sink in ((near, far), (far, near)):
                threading.Thread(target=self._forward, args=(source, sink), daemon=True).start()

    def _forward(self, source: socket.socket, sink: socket.socket) -> None:
        with suppress(OSError):
            while block := source.recv(BLOCK):
                if self.state == "open":
                    sink.sendall(block)
            if self.state != "silent":
                sink.shutdown(socket.SHUT_WR)


def _reset(end: socket.socket) -> None:
    """Close with RST, not politely."""
    with suppress(OSError):
        end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        end.shutdown(socket.SHUT_RDWR)
    end.close()


@contextmanager
def wire(folder: Path) -> Iterator[Wire]:
    """A wire to the PostgreSQL whose socket is in a folder."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        made = Wire(folder / ".s.PGSQL.5432", listener)
        thread = threading.Thread(target=made.serve, daemon=True)
        thread.start()
        try:
            yield made
        finally:
            made.cut("reset")
            listener.shutdown(socket.SHUT_RDWR)
    thread.join()
