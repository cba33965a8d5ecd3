"""What is in `deploy/` fits the command line that is there now."""

import re
import shutil
from argparse import ArgumentParser

import pytest

from tertium.cli.serve import command
from tests.support.commands import program
from tests.support.places import REPOSITORY

DEPLOY = REPOSITORY / "deploy"


def parsed(words: list[str]) -> dict[str, object]:
    parser = ArgumentParser()
    command.configure(parser)
    return vars(parser.parse_args(words))


def test_the_unit_starts_a_server_behind_a_proxy() -> None:
    text = (DEPLOY / "tertium.service").read_text(encoding="utf-8")
    started = re.search(r"^ExecStart=\S+ serve (.*)$", text, re.MULTILINE)
    assert started
    flags = parsed(started[1].split())
    assert (flags["action"], flags["host"], flags["secure"]) == (None, "127.0.0.1", True)
    assert str(flags["store"]).startswith("/var/lib/tertium/")
    assert "StateDirectory=tertium\n" in text


def test_the_container_starts_a_server_behind_a_proxy() -> None:
    text = (DEPLOY / "Containerfile").read_text(encoding="utf-8")
    started = re.search(r"^CMD (\[.*\])$", text, re.MULTILINE)
    assert started
    flags = parsed(re.findall(r'"([^"]*)"', started[1]))
    assert (flags["action"], flags["secure"]) == (None, True)
    assert str(flags["store"]).startswith("/data/")
    assert f"EXPOSE {flags['port']}" in text
    assert f"127.0.0.1:{flags['port']}/health" in text
    assert "USER tertium" in text


def test_the_proxy_passes_on_what_the_server_looks_at() -> None:
    text = (DEPLOY / "nginx.conf").read_text(encoding="utf-8")
    for line in ("Host $http_host;", "X-Forwarded-For $remote_addr;", "proxy_buffering off;"):
        assert line in text
    limit = re.search(r"client_max_body_size (\d+)m", text)
    assert limit
    assert int(limit[1]) == parsed([])["upload_limit"]


@pytest.mark.slow
def test_systemd_understands_the_unit() -> None:
    analyser = shutil.which("systemd-analyze")
    if analyser is None:
        pytest.skip("no systemd on this machine")
    done = program(analyser, "verify", str(DEPLOY / "tertium.service"))
    said = [
        line
        for line in done.err.splitlines()
        if "tertium.service" in line and "is not executable" not in line
    ]
    assert said == []
