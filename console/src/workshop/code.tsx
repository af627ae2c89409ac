/** Python source with syntax colors and line numbers. */

import { useMemo } from "preact/hooks";
import { type Token, pythonLines } from "./python_tokens";
import "./code.css";

export function Code({ source, name }: { source: string; name: string }) {
  const lines = useMemo(() => pythonLines(source.trimEnd()), [source]);
  return (
    <pre class="code" tabIndex={0} role="region" aria-label={name}>
      <code>
        {lines.map((tokens, index) => (
          <span key={index} class="code-line">
            <span class="code-number" aria-hidden="true">
              {index + 1}
            </span>
            <Tokens of={tokens} />
            {"\n"}
          </span>
        ))}
      </code>
    </pre>
  );
}

export function Tokens({ of: tokens }: { of: Token[] }) {
  return (
    <>
      {tokens.map((token, index) =>
        token.kind === "plain" ? (
          token.text
        ) : (
          <span key={index} class={`token-${token.kind}`}>
            {token.text}
          </span>
        ),
      )}
    </>
  );
}
