"""A tenant's limits: turns, room, and the circuit."""

import copy
import threading
import time

import pytest

from dbplanet.egress import Egress, Policy
from dbplanet.haiilo.circuit import CallRecord, Circuit, is_failure
from dbplanet.haiilo.errors import (
    AnswerError,
    CircuitOpenError,
    NetworkError,
    StatusError,
    TenantBusyError,
    UnauthorizedError,
    UpstreamTimeoutError,
    WaitedTooLongError,
    handle_api_error,
)
from dbplanet.haiilo.gates import TenantGate, TenantGates
from dbplanet.haiilo.room import Room
from dbplanet.haiilo.transport import GuardedTransport
from dbplanet.haiilo.turns import Turns
from dbplanet.mcp.errors import ToolError

FAILURES = [
    StatusError(500),
    StatusError(503),
    StatusError(599),
    UpstreamTimeoutError(),
    NetworkError("refused"),
]
ANSWERS = [
    None,
    StatusError(404),
    StatusError(429),
    StatusError(400),
    UnauthorizedError(),
    AnswerError("x", "y"),
]
SILENCE = [ToolError(400, "x"), WaitedTooLongError(), CircuitOpenError(3), TenantBusyError()]


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def circuit(clock):
    return Circuit(clock=clock)


def call(circuit, *errors):
    """One caller's call, whose requests end so."""
    record = CallRecord()
    for error in errors:
        circuit.record(error, record, probe=circuit.admit())


def fail(circuit, times=10, error=FAILURES[0]):
    for _ in range(times):
        call(circuit, copy.copy(error))


@pytest.mark.parametrize("error", FAILURES, ids=repr)
def test_ten_failures_in_a_row_open_the_circuit_and_nine_do_not(circuit, clock, error):
    fail(circuit, 9, error)
    assert circuit.admit() is False
    fail(circuit, 1, error)
    clock.now = 3.5
    with pytest.raises(CircuitOpenError) as refused:
        circuit.admit()
    assert refused.value.seconds == 7


@pytest.mark.parametrize("answer", ANSWERS, ids=repr)
def test_any_other_answer_begins_the_count_anew(circuit, answer):
    fail(circuit, 9)
    call(circuit, answer)
    fail(circuit, 9)
    assert circuit.admit() is False


@pytest.mark.parametrize("error", SILENCE, ids=repr)
def test_what_says_nothing_about_the_tenant_counts_neither_way(circuit, error):
    fail(circuit, 9)
    call(circuit, error)
    assert circuit.admit() is False
    fail(circuit, 1)
    with pytest.raises(CircuitOpenError):
        circuit.admit()


def test_a_call_counts_once_however_many_of_its_requests_fail(circuit):
    for _ in range(8):
        call(circuit, StatusError(500), StatusError(500), StatusError(500))
    assert circuit.admit() is False
    call(circuit, StatusError(500), None)
    fail(circuit, 9)
    assert circuit.admit() is False


@pytest.mark.parametrize(
    ("method", "headers", "body"),
    [
        ("GET", {"Authorization": "x" * 30_000}, None),
        ("GET", {"Host": "x"}, None),
        ("BREW", {}, None),
        ("POST", {}, b"x" * 50_000_000),
    ],
    ids=["long header", "forbidden header", "method", "large body"],
)
def test_what_was_never_sent_says_nothing_about_the_tenant(method, headers, body):
    transport = GuardedTransport(Egress(Policy.for_tenants()))
    with pytest.raises(ToolError) as refused:
        transport.send(method, "https://tenant.example/x", headers=headers, body=body)
    assert refused.value.text.startswith("[400] ")
    assert is_failure(refused.value) is None


def test_one_failure_that_reaches_many_callers_counts_once(circuit):
    error = StatusError(503)
    for _ in range(20):
        circuit.record(error, CallRecord(), probe=circuit.admit())
    assert circuit.admit() is False
    fail(circuit, 9)
    with pytest.raises(CircuitOpenError):
        circuit.admit()


def test_one_call_probes_and_its_success_closes_the_circuit(circuit, clock):
    fail(circuit)
    clock.now = 10
    assert circuit.admit() is True
    with pytest.raises(CircuitOpenError) as refused:
        circuit.admit()
    assert refused.value.seconds == 1
    circuit.record(None, CallRecord(), probe=True)
    assert [circuit.admit() for _ in range(3)] == [False] * 3


def test_a_probe_that_fails_opens_it_again_and_one_that_says_nothing_makes_room_for_another(circuit, clock):
    fail(circuit)
    clock.now = 10
    circuit.record(ToolError(400, "x"), CallRecord(), probe=circuit.admit())
    circuit.record(UpstreamTimeoutError(), CallRecord(), probe=circuit.admit())
    with pytest.raises(CircuitOpenError) as refused:
        circuit.admit()
    assert refused.value.seconds == 10
    clock.now = 20
    assert circuit.admit() is True


def test_the_caller_is_told_the_seconds():
    text = handle_api_error(CircuitOpenError(7)).text
    assert text.startswith("[503] Error: 503 - Service Unavailable\n")
    assert "in 7 seconds" in text
    assert handle_api_error(TenantBusyError()).text.startswith("[503] ")
    assert handle_api_error(WaitedTooLongError()).text.startswith("[TIMEOUT] Request timed out.")


def test_no_more_than_the_limit_have_a_turn_and_all_get_one_in_order():
    turns, active, most, order = Turns(3), [], [], []
    lock = threading.Lock()

    def work(number):
        with turns.take(time.monotonic() + 30):
            with lock:
                order.append(number)
                active.append(number)
                most.append(len(active))
            time.sleep(0.005)
            with lock:
                active.remove(number)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(64)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(order) == list(range(64))
    assert max(most) <= 3


def test_who_waits_past_the_deadline_gets_no_turn_and_loses_none():
    turns = Turns(1)
    with turns.take(time.monotonic()):
        for _ in range(3):
            with pytest.raises(WaitedTooLongError), turns.take(time.monotonic() + 0.01):
                pytest.fail("two turns at once")
    with turns.take(time.monotonic()):
        pass


def test_who_waits_when_the_circuit_opens_is_answered_at_once():
    gate, refused, waiting = TenantGate(1), [], threading.Event()

    def wait():
        waiting.set()
        try:
            with gate.call(CallRecord()), gate.turn(time.monotonic() + 30):
                pytest.fail("served")
        except CircuitOpenError as error:
            refused.append(error)

    with gate.turn(time.monotonic() + 1):
        thread = threading.Thread(target=wait)
        thread.start()
        waiting.wait(5)
        for _ in range(10):
            with pytest.raises(StatusError), gate.call(CallRecord()):
                raise StatusError(500)
        thread.join(5)
        assert not thread.is_alive()
    assert len(refused) == 1


def test_over_the_room_callers_are_refused():
    gate = TenantGate(1, Room(2, patience=0))
    with gate.call(CallRecord()), gate.call(CallRecord()):
        with pytest.raises(TenantBusyError), gate.call(CallRecord()):
            pytest.fail("a third is inside")
        assert not gate.is_idle
    assert gate.is_idle
    with gate.call(CallRecord()):
        pass


def test_each_tenant_has_one_gate_and_idle_ones_make_room():
    gates = TenantGates(TenantGate, most=2)
    first = gates.of("https://a.example")
    assert gates.of("https://a.example") is first
    with first.call(CallRecord()):
        gates.of("https://b.example")
        gates.of("https://c.example")
        assert gates.of("https://a.example") is first
