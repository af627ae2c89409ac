/** Preferences that this browser stores. */

import { type Signal, effect, signal } from "@preact/signals";

export type Theme = "system" | "light" | "dark";

export const THEMES: Record<Theme, string> = { system: "As the system", light: "Light", dark: "Dark" };

/** Dark, light, or the theme of the system. */
export const theme = kept<Theme>("reachy.theme", "system", (text): text is Theme => text in THEMES);

/** Whether replies are spoken by default. */
export const aloud = kept<"yes" | "no">(
  "reachy.aloud",
  "yes",
  (text): text is "yes" | "no" => text === "yes" || text === "no",
);

effect(() => {
  if (typeof document !== "undefined") show(theme.value);
});

/** Applies a theme to the page and to the browser's own bars. */
function show(chosen: Theme): void {
  document.documentElement.dataset.theme = chosen;
  for (const bar of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
    const own = bar.dataset.theme;
    bar.media = chosen === "system" ? `(prefers-color-scheme: ${own})` : chosen === own ? "all" : "not all";
  }
}

/** A signal that is stored in the browser. Unknown values of another version are ignored. */
export function kept<T extends string>(key: string, usual: T, known: (text: string) => text is T): Signal<T> {
  const storage = typeof localStorage === "undefined" ? null : localStorage;
  const found = storage?.getItem(key) ?? usual;
  const value = signal<T>(known(found) ? found : usual);
  effect(() => storage?.setItem(key, value.value));
  return value;
}
