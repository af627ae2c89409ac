/** What a path answers, kept for a view and asked for again when something happened. */

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

/** ms; many events in a row are worth one request each time that this has passed. */
const CALM = 250;

/**
 * The answer of a GET; asked for again after events of these kinds, and when the connection is back.
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
      if (number !== asked) return; // a later request knows better
      data.value = found;
      error.value = null;
    } catch (failure) {
      if (number === asked) error.value = failure as Error;
    }
  };
  return { data, error, reload };
}
