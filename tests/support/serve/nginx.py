"""An nginx with the configuration of `deploy/`, on loopback, in a folder of its own."""

import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from tests.support.commands import program
from tests.support.places import REPOSITORY
from tests.support.serve.waiting import wait_until

NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/usr/local/sbin")
OPENSSL = shutil.which("openssl")

MAIN = """\
daemon off;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{ }}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    {site}
}}
"""


def certificate_in(folder: Path) -> tuple[Path, Path]:
    """A certificate for localhost, and its key."""
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    assert OPENSSL is not None
    made = program(
        OPENSSL, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
        "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
        "-keyout", str(key), "-out", str(certificate),
    )  # fmt: skip
    assert made.status == 0, made.err
    return certificate, key


@contextmanager
def proxied(folder: Path, server: str, root: str) -> Iterator[tuple[int, Path]]:
    """The port of an nginx with the configuration of `deploy/`, and the certificate it shows."""
    certificate, key = certificate_in(folder)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    site = (REPOSITORY / "deploy" / "nginx.conf").read_text(encoding="utf-8")
    for before, after in {
        "listen 443 ssl;": f"listen 127.0.0.1:{port} ssl;",
        "/etc/ssl/mt.example.pem;": f"{certificate};",
        "/etc/ssl/mt.example.key;": f"{key};",
        "http://127.0.0.1:8090;": f"http://{urlsplit(server).netloc};",
        "location / {": f"location {root}/ {{",
    }.items():
        assert before in site
        site = site.replace(before, after)
    configuration = folder / "nginx.conf"
    configuration.write_text(MAIN.format(folder=folder, site=site), encoding="utf-8")
    command = [str(NGINX), "-p", str(folder), "-c", str(configuration), "-e", str(folder / "e.log")]
    with (folder / "said.log").open("w", encoding="utf-8") as said:
        process = subprocess.Popen(command, stdout=said, stderr=said)
    try:

        def listens() -> bool:
            assert process.poll() is None, (folder / "said.log").read_text(encoding="utf-8")
            with socket.socket() as attempt:
                return attempt.connect_ex(("127.0.0.1", port)) == 0

        wait_until(listens)
        yield port, certificate
    finally:
        process.terminate()
        process.wait()
