/** What this browser keeps of a person's wishes. */

import { type Signal, effect, signal } from "@preact/signals";

export type Theme = "system" | "light" | "dark";

export const THEMES: Record<Theme, string> = { system: "As the system", light: "Light", dark: "Dark" };

/** Dark, light, or as the system is. */
export const theme = kept<Theme>("reachy.theme", "system", (text): text is Theme => text in THEMES);

/** Whether replies are said aloud unless somebody says otherwise. */
export const aloud = kept<"yes" | "no">(
  "reachy.aloud",
  "yes",
  (text): text is "yes" | "no" => text === "yes" || text === "no",
);

effect(() => {
  const chosen = theme.value;
  if (typeof document !== "undefined") document.documentElement.style.colorScheme = chosen === "system" ? "" : chosen;
});

/** A signal whose value outlives the page; what was kept by another version and means nothing is forgotten. */
export function kept<T extends string>(key: string, usual: T, known: (text: string) => text is T): Signal<T> {
  const storage = typeof localStorage === "undefined" ? null : localStorage;
  const found = storage?.getItem(key) ?? usual;
  const value = signal<T>(known(found) ? found : usual);
  effect(() => storage?.setItem(key, value.value));
  return value;
}
