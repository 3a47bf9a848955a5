"""The time as the store keeps it: UTC, ISO 8601 with a zone, so that text sorts as time does."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone


def now() -> datetime:
    """Return the time, with its zone."""
    return datetime.now(timezone.utc)


def stamp(at: datetime | None = None) -> str:
    """Return a time, or now, as the store keeps it."""
    return (at or now()).astimezone(timezone.utc).isoformat(timespec="microseconds")


def not_before(earlier: str | None) -> datetime:
    """Return the time, or just after `earlier` where the clock was set back: order is kept."""
    if earlier is None:
        return now()
    return max(now(), datetime.fromisoformat(earlier) + timedelta(microseconds=1))
