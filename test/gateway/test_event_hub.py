import asyncio

from reachy_agent_ros.gateway.event_hub import CAPACITY, KEPT, Event, EventHub, Watcher


async def taken(watcher: Watcher, count: int) -> list[Event]:
    found: list[Event] = []
    async for event in watcher.events():
        found.append(event)
        if len(found) == count:
            break
    return found


def test_late_watcher_receives_states_but_not_past_events() -> None:
    async def watched() -> list[Event]:
        hub = EventHub()
        hub.publish(Event("state", {"activity": 0}), present=True)
        hub.publish(Event("state", {"activity": 1}), present=True)
        hub.publish(Event("reply", {"text": "long ago"}))
        with hub.watch() as watcher:
            hub.publish(Event("reply", {"text": "now"}))
            return await asyncio.wait_for(taken(watcher, 2), 5.0)

    assert asyncio.run(watched()) == [Event("state", {"activity": 1}), Event("reply", {"text": "now"})]


def test_slow_watcher_loses_oldest_events_without_delaying_other_watchers() -> None:
    async def watched() -> tuple[list[Event], list[Event]]:
        hub = EventHub()
        with hub.watch() as slow, hub.watch() as quick:
            first = asyncio.ensure_future(taken(quick, CAPACITY + 10))
            for number in range(CAPACITY + 10):
                hub.publish(Event("trace", {"span": number}))
                await asyncio.sleep(0)
            return await asyncio.wait_for(first, 5.0), await asyncio.wait_for(taken(slow, CAPACITY + 1), 5.0)

    quick, slow = asyncio.run(watched())
    assert [event.data["span"] for event in quick] == list(range(CAPACITY + 10))
    assert slow[0] == Event("dropped", {"events": 10})
    assert [event.data["span"] for event in slow[1:]] == list(range(10, CAPACITY + 10))


def test_reconnected_watcher_receives_missed_events() -> None:
    async def watched() -> tuple[list[Event], list[Event]]:
        hub = EventHub()
        with hub.watch() as watcher:
            hub.publish(Event("reply", {"text": "seen"}))
            (seen,) = await asyncio.wait_for(taken(watcher, 1), 5.0)
        hub.publish(Event("state", {"activity": 1}), present=True)
        hub.publish(Event("reply", {"text": "missed"}))
        with hub.watch(seen.number) as watcher:
            briefly = await asyncio.wait_for(taken(watcher, 2), 5.0)
        for number in range(KEPT + 1):
            hub.publish(Event("trace", {"span": number}))
        with hub.watch(seen.number) as watcher:
            return briefly, await asyncio.wait_for(taken(watcher, KEPT + 2), 5.0)

    briefly, long = asyncio.run(watched())
    assert briefly == [Event("state", {"activity": 1}), Event("reply", {"text": "missed"})]
    assert long[:2] == [Event("state", {"activity": 1}), Event("dropped", {"events": 2})]
    assert [event.data["span"] for event in long[2:]] == list(range(1, KEPT + 1))


def test_reconnection_after_restart_reports_missed_events() -> None:
    async def watched() -> list[Event]:
        before, hub = EventHub(), EventHub()
        before.publish(Event("reply", {"text": "lost"}))
        hub.publish(Event("reply", {"text": "kept"}))
        with hub.watch(1) as watcher:
            return await asyncio.wait_for(taken(watcher, 2), 5.0)

    assert asyncio.run(watched()) == [Event("dropped", {"events": 0}), Event("reply", {"text": "kept"})]


def test_closed_watcher_is_removed_from_event_hub() -> None:
    async def watched() -> int:
        hub = EventHub()
        with hub.watch():
            assert hub.watchers == 1
        return hub.watchers

    assert asyncio.run(watched()) == 0


def test_event_stream_runs_only_while_it_has_subscribers() -> None:
    async def watched() -> tuple[list[bool], list[Event], list[Event]]:
        hub, switched = EventHub(), list[bool]()
        hub.add_stream("pose", switched.append)
        with hub.watch() as first, hub.watch() as second, hub.watch() as other:
            hub.publish(Event("pose", {"before": True}))
            hub.choose(first, ["pose", "reply"])
            hub.choose(second, ["pose"])
            hub.publish(Event("pose", {"yaw": 0.5}))
            hub.choose(first, [])
            hub.publish(Event("reply", {"text": "to all"}))
            hub.choose(second, ["pose"])
            told = await asyncio.wait_for(taken(first, 2), 5.0), await asyncio.wait_for(taken(other, 1), 5.0)
        return switched, *told

    switched, first, other = asyncio.run(watched())
    assert switched == [True, False]  # the second watcher left without unsubscribing
    assert first == [Event("pose", {"yaw": 0.5}), Event("reply", {"text": "to all"})]
    assert other == [Event("reply", {"text": "to all"})]


def test_watcher_receives_every_event_outside_of_streams() -> None:
    async def watched() -> list[Event]:
        hub = EventHub()
        with hub.watch() as watcher:
            hub.choose(watcher, ["unknown"])
            hub.publish(Event("state", {"activity": 4}))
            return await asyncio.wait_for(taken(watcher, 1), 5.0)

    assert asyncio.run(watched()) == [Event("state", {"activity": 4})]
