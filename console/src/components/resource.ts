/** The response of a path, requested again after events. */

import { type Signal, signal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { connected, on } from "../api/events";
import { get } from "../api/http";
import type { EventKind } from "../api/schemas";

export interface Resource<T> {
  /** Null until the first answer. */
  data: Signal<T | null>;
  /** Why the last request failed, null if it did not. */
  error: Signal<Error | null>;
  reload: () => Promise<void>;
}

/** ms; shortest time between two requests, however many events arrive. */
const CALM = 250;

/**
 * The response of a GET request, repeated after events of these kinds and after a reconnection.
 *
 * A path of null asks for nothing yet.
 */
export function useResource<T>(path: string | null, ...kinds: EventKind[]): Resource<T> {
  const resource = useMemo(() => resourceOf<T>(path), [path]);
  useEffect(() => {
    let timer = 0;
    const soon = () => {
      timer ||= window.setTimeout(() => {
        timer = 0;
        void resource.reload();
      }, CALM);
    };
    void resource.reload();
    const ends = [...kinds.map((kind) => on(kind, soon)), connected.subscribe((is) => is && soon())];
    return () => {
      clearTimeout(timer);
      ends.forEach((end) => end());
    };
  }, [resource]);
  return resource;
}

function resourceOf<T>(path: string | null): Resource<T> {
  const data = signal<T | null>(null);
  const error = signal<Error | null>(null);
  let asked = 0;
  const reload = async () => {
    if (path === null) return;
    const number = ++asked;
    try {
      const found = await get<T>(path);
      if (number !== asked) return; // a later request has newer data
      data.value = found;
      error.value = null;
    } catch (failure) {
      if (number === asked) error.value = failure as Error;
    }
  };
  return { data, error, reload };
}
