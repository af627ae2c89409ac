import asyncio

from reachy_agent_ros.gateway.event_hub import CAPACITY, Event, EventHub, Watcher


async def taken(watcher: Watcher, count: int) -> list[Event]:
    found: list[Event] = []
    async for event in watcher.events():
        found.append(event)
        if len(found) == count:
            break
    return found


def test_who_comes_late_is_told_what_holds_but_not_what_passed() -> None:
    async def watched() -> list[Event]:
        hub = EventHub()
        hub.publish(Event("state", {"activity": 0}), present=True)
        hub.publish(Event("state", {"activity": 1}), present=True)
        hub.publish(Event("reply", {"text": "long ago"}))
        with hub.watch() as watcher:
            hub.publish(Event("reply", {"text": "now"}))
            return await asyncio.wait_for(taken(watcher, 2), 5.0)

    assert asyncio.run(watched()) == [Event("state", {"activity": 1}), Event("reply", {"text": "now"})]


def test_a_slow_watcher_misses_the_oldest_and_is_told_and_delays_nobody() -> None:
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


def test_who_has_left_is_forgotten() -> None:
    async def watched() -> int:
        hub = EventHub()
        with hub.watch():
            assert hub.watchers == 1
        return hub.watchers

    assert asyncio.run(watched()) == 0
