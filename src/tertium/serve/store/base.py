"""What the tables have in common: keys, times with a zone, names of constraints."""

from datetime import UTC, datetime
from typing import Annotated, Any

from sqlalchemy import DateTime, ForeignKey, LargeBinary, MetaData, String
from sqlalchemy.engine import Dialect
from sqlalchemy.orm import DeclarativeBase, mapped_column
from sqlalchemy.types import JSON, TypeDecorator


def now() -> datetime:
    """This moment, with its zone."""
    return datetime.now(UTC)


class Time(TypeDecorator[datetime]):
    """A moment in UTC; SQLite keeps no zone, so it is added where a value is read."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Refuse a time of an unknown zone, which would be wrong by hours somewhere."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"time {value}: found no zone, expected one")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Say that it is UTC."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class Base(DeclarativeBase):
    """The tables; constraints have names, so that migrations can speak of them."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    type_annotation_map = {  # noqa: RUF012 - as SQLAlchemy wants it
        datetime: Time,
        bytes: LargeBinary,
        dict[str, Any]: JSON(none_as_null=True),
        list[Any]: JSON,
        list[str]: JSON,
        list[int]: JSON,
        str: String,
    }


Key = Annotated[int, mapped_column(primary_key=True)]
Hash = Annotated[str, mapped_column(String(64))]
"""A SHA-256 in hexadecimal digits."""


def link_to(column: str, *, index: bool = True, nullable: bool = False) -> Any:
    """A column that names a row of another table."""
    return mapped_column(ForeignKey(column), index=index, nullable=nullable)
