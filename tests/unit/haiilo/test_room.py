"""Places for a tenant's calls: who waits for one, and who is refused."""

from __future__ import annotations

import threading
import time

from dbplanet.haiilo.room import Room


def entered_in_thread(room: Room) -> tuple[threading.Thread, list[bool]]:
    told: list[bool] = []
    thread = threading.Thread(target=lambda: told.append(room.enter()))
    thread.start()
    return thread, told


def test_a_call_waits_for_a_place_where_others_leave():
    room = Room(2, patience=5)
    assert room.enter()
    assert room.enter()
    waiting = [entered_in_thread(room) for _ in range(3)]
    time.sleep(0.05)
    assert [told for _, told in waiting] == [[], [], []]
    for _ in range(3):
        room.leave()
    for thread, told in waiting:
        thread.join(5)
        assert told == [True]
    assert room.taken == 2


def test_a_call_is_refused_where_nobody_leaves_in_time():
    room = Room(1, patience=0.1)
    assert room.enter()
    begun = time.monotonic()
    assert not room.enter()
    assert 0.09 < time.monotonic() - begun < 1
    assert room.taken == 1


def test_of_a_tenant_that_has_not_moved_for_long_nothing_is_waited_for():
    now = [0.0]
    room = Room(1, patience=1, clock=lambda: now[0])
    assert room.enter()
    now[0] = 1.5
    begun = time.monotonic()
    assert not any(room.enter() for _ in range(20))
    assert time.monotonic() - begun < 0.5
    room.leave()
    assert room.enter()
