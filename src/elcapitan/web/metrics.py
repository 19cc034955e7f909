"""Figures about a running house for Prometheus: what is asked for, what is played, how long things take.

Every application has figures of its own. Nothing in them tells games, people or addresses apart.
"""

from collections.abc import Iterable
from typing import Final

from fastapi import APIRouter, Request
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client.core import GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.registry import Collector
from starlette.responses import Response

from elcapitan.service import Tables
from elcapitan.service.tallies import Durations
from elcapitan.web.admin import is_admin, on_this_machine
from elcapitan.web.api.refusing import Unwelcome, refused
from elcapitan.web.loop_delay import LoopDelay

SECONDS: Final = (0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)

router = APIRouter()


class Metrics:
    """The figures of one application."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter(
            "elcapitan_requests", "Requests answered.", ["method", "route", "status"], registry=self.registry
        )
        self.seconds = Histogram(
            "elcapitan_request_seconds",
            "Time to answer a request; streams are left out.",
            ["route"],
            buckets=SECONDS,
            registry=self.registry,
        )
        self.streams = Gauge("elcapitan_streams_open", "Streams that follow a table.", registry=self.registry)
        self.loop = LoopDelay()
        late = Gauge("elcapitan_loop_delay_max_seconds", "The longest delay of the event loop.", registry=self.registry)
        late.set_function(lambda: self.loop.delay)
        busy = Gauge(
            "elcapitan_loop_block_max_seconds",
            "The longest computation that delayed the event loop.",
            registry=self.registry,
        )
        busy.set_function(lambda: self.loop.block)

    def follow(self, tables: Tables) -> None:
        """Tell of the tables too."""
        self.registry.register(_OfTables(tables))

    def text(self) -> bytes:
        """Everything, as Prometheus reads it."""
        return generate_latest(self.registry)


class _OfTables(Collector):
    """What the service itself has counted."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def collect(self) -> Iterable[Metric]:
        """All figures, as they are now."""
        tallies = self._tables.tallies
        yield GaugeMetricFamily("elcapitan_games_live", "Tables in memory.", self._tables.live)
        yield _histogram("elcapitan_move_seconds", "Time to check and store a move.", tallies.moves)
        yield _histogram("elcapitan_thought_seconds", "Time computer players think about a turn.", tallies.thoughts)


def _histogram(name: str, about: str, durations: Durations) -> Metric:
    """Durations as Prometheus knows them: each bound counts everything below it too."""
    below, buckets = 0, []
    for bound, count in zip((*map(str, durations.bounds), "+Inf"), durations.counts, strict=True):
        below += count
        buckets.append((bound, float(below)))
    return HistogramMetricFamily(name, about, buckets=buckets, sum_value=durations.total)


@router.get("/metrics")
async def metrics(request: Request) -> Response:
    """All figures, for whoever runs the house: the admin, and programs on the machine itself."""
    if not (is_admin(request) or on_this_machine(request)):
        return refused(request, Unwelcome("admin-only"))
    found: Metrics = request.app.state.metrics
    return Response(found.text(), headers={"Cache-Control": "no-store"}, media_type=CONTENT_TYPE_LATEST)
