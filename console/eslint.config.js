/** ESLint: the strict rules of typescript-eslint, with types. Prettier decides the format. */

import js from "@eslint/js";
import { defineConfig } from "eslint/config";
import tseslint from "typescript-eslint";

export default defineConfig(
  js.configs.recommended,
  { linterOptions: { reportUnusedDisableDirectives: "error" } },
  {
    files: ["src/**/*.{ts,tsx}", "vite.config.ts"],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      // A handler of an element may be asynchronous: `components/action.ts` shows how it fails.
      "@typescript-eslint/no-misused-promises": ["error", { checksVoidReturn: { attributes: false } }],
      "@typescript-eslint/no-unnecessary-condition": [
        "error",
        { allowConstantLoopConditions: "only-allowed-literals" },
      ],
      // `noUncheckedIndexedAccess` makes every index uncertain, also one that the line before has checked.
      "@typescript-eslint/no-non-null-assertion": "off",
      // An empty text counts as no text.
      "@typescript-eslint/prefer-nullish-coalescing": ["error", { ignorePrimitives: { string: true } }],
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
    },
  },
  {
    // The browser loads these as they are.
    files: ["public/*.js"],
    languageOptions: {
      sourceType: "script",
      globals: Object.fromEntries(
        [
          ...["AudioWorkletProcessor", "registerProcessor"],
          ...[
            "CustomEvent",
            "URL",
            "caches",
            "document",
            "fetch",
            "localStorage",
            "location",
            "self",
            "sessionStorage",
          ],
        ].map((name) => [name, "readonly"]),
      ),
    },
  },
);
