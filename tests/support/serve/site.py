"""A server in the process of the test."""

from dataclasses import dataclass

from anyio.from_thread import BlockingPortal
from fastapi import FastAPI
from fastapi.testclient import TestClient

from tertium.serve.store.connection import Store
from tests.support.serve.world import World


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """A server in this process, over a store with people and projects in it."""

    app: FastAPI
    store: Store
    world: World
    portal: BlockingPortal

    def client(self, name: str = "anonymous") -> TestClient:
        """A browser of somebody in the world: ``owner``, ``stranger``, ``reader link``, …"""
        cookies = {"tertium": self.world.cookies[name]} if name != "anonymous" else {}
        client = TestClient(
            self.app,
            cookies=cookies,
            headers={"origin": "http://testserver"},
            follow_redirects=False,
        )
        client.portal = self.portal  # else every request would start an event loop of its own
        return client
