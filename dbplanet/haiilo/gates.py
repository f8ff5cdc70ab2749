"""What keeps tenants from one another's harm: each has its own limits; a dead one takes few threads."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Final

from dbplanet.haiilo.answers import Answer
from dbplanet.haiilo.circuit import CallRecord, Circuit
from dbplanet.haiilo.errors import TenantBusyError, WaitedTooLongError
from dbplanet.haiilo.room import Room
from dbplanet.haiilo.transport import Transport
from dbplanet.haiilo.turns import Turns

_MOST_TENANTS: Final = 1_000


class TenantGate:
    """One tenant's limits in this process, safe with many threads.

    ``limit`` requests are sent at once, further ones wait their turn; ``room`` calls are inside at once,
    waiting ones included, and further ones wait a moment or are refused (``Room``).
    """

    def __init__(self, limit: int = 32, room: Room | None = None, *, circuit: Circuit | None = None) -> None:
        self._room = room or Room(64)
        self._circuit = circuit or Circuit()
        self._turns = Turns(limit)

    @property
    def is_idle(self) -> bool:
        """Whether nobody is inside."""
        return self._room.taken == 0

    def call(self, record: CallRecord) -> _Inside:
        """Count what happens in a ``with`` block as one request of a call.

        Entering raises CircuitOpenError and TenantBusyError.
        """
        return _Inside(self, record)

    def turn(self, deadline: float) -> Turns:
        """Wait for one's turn to send something, for the time of a ``with`` block.

        Raises WaitedTooLongError after ``deadline`` (monotonic seconds), and CircuitOpenError for one who was
        sent away because the circuit opened.
        """
        try:
            return self._turns.take(deadline)
        except WaitedTooLongError:
            self._circuit.check()
            raise

    def check(self) -> None:
        """Raise CircuitOpenError for one whose turn came after the circuit opened."""
        self._circuit.check()

    def enter(self) -> bool:
        """Let a request in and tell whether it is the circuit's probe; ``call`` does it for a block."""
        probe = self._circuit.admit()
        if not self._room.enter():
            busy = TenantBusyError()
            self._circuit.record(busy, CallRecord(), probe=probe)
            raise busy
        return probe

    def leave(self, error: BaseException | None, record: CallRecord, *, probe: bool) -> None:
        """Take note of how a request ended that was let in."""
        self._room.leave()
        if self._circuit.record(error, record, probe=probe):
            self._turns.send_away()


class _Inside:
    """One request's time inside a gate."""

    __slots__ = ("_gate", "_probe", "_record")

    def __init__(self, gate: TenantGate, record: CallRecord) -> None:
        self._gate = gate
        self._record = record

    def __enter__(self) -> None:
        self._probe = self._gate.enter()

    def __exit__(self, kind: object, error: BaseException | None, traceback: object) -> None:
        self._gate.leave(error, self._record, probe=self._probe)


class TenantGates:
    """The gates of an application's tenants, by origin; a gate unused for longest makes room."""

    def __init__(self, make: Callable[[], TenantGate], *, most: int = _MOST_TENANTS) -> None:
        self._make = make
        self._most = most
        self._lock = threading.Lock()
        self._gates: OrderedDict[str, TenantGate] = OrderedDict()

    def of(self, origin: str) -> TenantGate:
        """Return the one gate of a tenant."""
        with self._lock:
            gate = self._gates.get(origin)
            if gate is None:
                gate = self._gates[origin] = self._make()
            self._gates.move_to_end(origin)
            if len(self._gates) > self._most:
                idle = next((name for name, other in self._gates.items() if other.is_idle), origin)
                del self._gates[idle]
            return gate


class GatedTransport:
    """A Transport that waits for its turn at the tenant's gate."""

    def __init__(self, transport: Transport, gate: TenantGate, *, total: float) -> None:
        self._transport = transport
        self._gate = gate
        self._total = total

    def send(
        self,
        method: str,
        url: str,
        *,
        headers: Mapping[str, str],
        body: bytes | None = None,
        deadline: float | None = None,
    ) -> Answer:
        """Send one request when its turn comes; without a deadline it has ``total`` seconds."""
        end = time.monotonic() + self._total if deadline is None else deadline
        with self._gate.turn(end):
            self._gate.check()
            return self._transport.send(method, url, headers=headers, body=body, deadline=end)

    def close(self) -> None:
        """Close idle connections."""
        self._transport.close()
