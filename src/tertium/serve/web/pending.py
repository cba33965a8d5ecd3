"""A request that may be sent twice, while it is under way.

The key is written in the same transaction as the change, so that a change is made once even where
the server is killed before it answers.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from hashlib import sha256
from typing import Any, Final

from sqlalchemy import delete
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from tertium.serve.errors import ConflictError
from tertium.serve.store.base import now
from tertium.serve.store.connection import Store
from tertium.serve.store.schema import Idempotency

HOURS: Final = 24
"""A key is remembered this long."""


@dataclass(slots=True, kw_only=True)
class Pending:
    """A request with a key, which has not been answered yet."""

    key: str
    actor: str
    path: str
    digest: Any = field(default_factory=sha256)
    kept: bool = False

    @contextmanager
    def writing(self, store: Store) -> Iterator[Session]:
        """A session that keeps the key together with the first change."""
        try:
            with store.writing() as session:
                if not self.kept:
                    self._keep(session)
                yield session
        except IntegrityError as error:
            if "idempotency" in str(error.orig):
                raise ConflictError("Idempotency-Key: the same request is under way") from None
            raise
        self.kept = True

    def _keep(self, session: Session) -> None:
        old = now() - timedelta(hours=HOURS)
        session.execute(delete(Idempotency).where(Idempotency.created_at < old))
        session.add(
            Idempotency(
                key=self.key,
                actor=self.actor,
                path=self.path,
                body_sha256=self.digest.hexdigest(),
            )
        )
        session.flush()
