"""What is in `deploy/` fits the command line that is there now."""

import re
import shutil
from argparse import ArgumentParser

import pytest

pytest.importorskip("fastapi", reason="the extra 'serve' is not installed")

from tools.make_sbom import needed_packages
from tools.pin_requirements import Pins, add_pins, lines

from tertium.cli.serve import command
from tertium.serve.server import RESERVED
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
    assert flags["trusted_proxy"] == ["127.0.0.1"]
    assert "StateDirectory=tertium\n" in text
    limit = re.search(r"^LimitNOFILE=(\d+)$", text, re.MULTILINE)
    assert limit
    assert int(limit[1]) > RESERVED


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


PIN = re.compile(r"^([a-z0-9-]+)==(\S+)((?: \\\n    --hash=sha256:[0-9a-f]{64})+)$", re.MULTILINE)


@pytest.mark.parametrize("name", ["requirements.txt", "build-requirements.txt"])
def test_recipes_pin_every_package_with_its_hashes(name: str) -> None:
    """At the versions that are tested; a package that is needed and not listed stops pip."""
    text = (DEPLOY / name).read_text(encoding="utf-8")
    pins = {pin: version for pin, version, _ in PIN.findall(text)}
    assert PIN.sub("", text).split("\n\n")[0].startswith("# Made by `make pins`")
    assert len(pins) == text.count("==")
    tested = dict(
        line.split("==")
        for line in (REPOSITORY / "constraints.txt").read_text(encoding="utf-8").split()
    )
    versions = {re.sub(r"[-_.]+", "-", pin).lower(): version for pin, version in tested.items()}
    assert {pin: versions.get(pin) for pin in pins} == pins
    assert f"--require-hashes -r deploy/{name}" in (DEPLOY / "Containerfile").read_text("utf-8")
    if name == "requirements.txt":
        assert set(pins) >= {package for package, _ in needed_packages()} - LATER
    else:
        assert {"nanobind", "scikit-build-core", "cmake", "ninja"} <= set(pins)


LATER = {"importlib-metadata", "zipp"}
"""What Pythons before 3.12 may need, which the container has not."""


def test_pins_of_two_machines_are_joined() -> None:
    def report(digest: str, version: str = "1.0") -> dict[str, object]:
        package = {
            "metadata": {"name": "A_b.C", "version": version},
            "download_info": {"archive_info": {"hashes": {"sha256": digest}}},
        }
        return {"install": [package]}

    pins: Pins = {}
    add_pins(pins, report("22"))
    add_pins(pins, report("11"))
    assert "".join(lines(pins)) == (
        "a-b-c==1.0 \\\n    --hash=sha256:11 \\\n    --hash=sha256:22\n"
    )
    with pytest.raises(SystemExit, match=r"a-b-c: found versions 1.0 and 2.0, expected one"):
        add_pins(pins, report("33", "2.0"))


@pytest.mark.slow
def test_the_container_is_built_and_answers() -> None:
    """Where an engine runs that can fetch the base image; the server's help is enough."""
    engine = next(filter(None, map(shutil.which, ("podman", "docker"))), None)
    if engine is None:
        pytest.skip("no podman or docker on this machine")
    if program(engine, "info").status != 0:
        pytest.skip(f"{engine} does not run on this machine")
    base = re.findall(r"^FROM (\S+)", (DEPLOY / "Containerfile").read_text("utf-8"), re.MULTILINE)
    if program(engine, "pull", base[0]).status != 0:
        pytest.skip(f"{engine} cannot fetch {base[0]} on this machine")
    built = program(
        engine, "build", "-f", str(DEPLOY / "Containerfile"), "-t", "tertium-test", str(REPOSITORY)
    )
    assert built.status == 0, built.err
    said = program(engine, "run", "--rm", "tertium-test", "--help")
    program(engine, "rmi", "tertium-test")
    assert "--trusted-proxy" in said.out


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
