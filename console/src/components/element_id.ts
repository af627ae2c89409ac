/** An id that no other element of the page has; preact's own `useId` repeats itself across lazily drawn parts. */

import { useState } from "preact/hooks";

let count = 0;

export function useElementId(): string {
  return useState(() => `element-${++count}`)[0];
}
