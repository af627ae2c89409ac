/** Events of the graph: one WebSocket for the whole page, which reconnects automatically. */

import { signal } from "@preact/signals";
import { checkToken, token } from "./http";
import type { EventData, EventKind, GraphEvent, StreamSelection } from "./schemas";

/** Handlers of one kind; the key in `handlers` is the kind. */
type Handler = (data: never) => void;

const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 8_000;

/** Whether the socket is open. While it is closed, the page shows old data. */
export const connected = signal(false);

/** Time of the last message, ms since the epoch. */
export const heardAt = signal(0);

const handlers = new Map<EventKind, Set<Handler>>();
let open: WebSocket | null = null;
let choosing = false;
let last = 0;

/** Calls a handler with the data of every event of a kind. Returns a function that unsubscribes it. */
export function on<K extends EventKind>(kind: K, handler: (data: EventData[K]) => void): () => void {
  const known = handlers.get(kind) ?? new Set<Handler>();
  handlers.set(kind, known.add(handler));
  choose();
  return () => {
    known.delete(handler);
    choose();
  };
}

/** Calls every handler of the event. A handler that throws is reported and does not affect the others. */
export function deliver(event: GraphEvent): void {
  for (const handler of [...(handlers.get(event.kind) ?? [])]) {
    try {
      handler(event.data as never);
    } catch (failure) {
      reportError(failure);
    }
  }
}

/** Subscribes to kinds of events; the gateway sends some of them only on request. */
function choose(): void {
  if (choosing) return;
  choosing = true;
  queueMicrotask(() => {
    choosing = false;
    const watch = [...handlers].filter(([, known]) => known.size).map(([kind]) => kind);
    if (open?.readyState === WebSocket.OPEN) open.send(JSON.stringify({ watch } satisfies StreamSelection));
  });
}

/** Opens the socket and reopens it whenever it closes, with the events that were missed. */
export function connect(): void {
  let pause = FIRST_PAUSE;
  const begin = () => {
    const secret = token();
    const protocols = secret ? ["reachy.v1", `bearer.${secret}`] : ["reachy.v1"];
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/api/v1/events?after=${last}`, protocols);
    socket.onopen = () => {
      open = socket;
      connected.value = true;
      pause = FIRST_PAUSE;
      choose();
    };
    socket.onmessage = (message) => {
      heardAt.value = Date.now();
      const event = JSON.parse(message.data as string) as GraphEvent;
      last = event.number ?? last;
      deliver(event);
    };
    socket.onclose = () => {
      if (!connected.value) void checkToken(); // a browser does not report why a WebSocket failed
      connected.value = false;
      setTimeout(begin, pause);
      pause = Math.min(2 * pause, LONGEST_PAUSE);
    };
  };
  begin();
}
