/** Dialog that asks for a token if the gateway requires one. */

import { useEffect, useRef, useState } from "preact/hooks";
import { keepToken, token, tokenWanted } from "../api/http";

export function TokenPrompt() {
  const dialogue = useRef<HTMLDialogElement>(null);
  const [value, setValue] = useState("");
  const [lasting, setLasting] = useState(false);
  const wanted = tokenWanted.value;
  useEffect(() => {
    if (wanted) dialogue.current?.show();
  }, [wanted]);
  const keep = (event: Event) => {
    event.preventDefault();
    keepToken(value.trim(), lasting);
    location.reload();
  };
  if (!wanted) return null;
  return (
    <dialog ref={dialogue} class="token-prompt" aria-labelledby="token-title">
      <form onSubmit={keep}>
        <h2 id="token-title">{token() ? "Invalid token" : "Sign in"}</h2>
        <p>
          This robot requires an access token. Create one on the robot with <code>reachy-agent tokens make</code>.
        </p>
        <label class="field">
          Token
          <input
            type="password"
            autocomplete="current-password"
            required
            value={value}
            onInput={(event) => setValue(event.currentTarget.value)}
          />
        </label>
        <label class="check">
          <input type="checkbox" checked={lasting} onChange={(event) => setLasting(event.currentTarget.checked)} />
          Remember on this machine
        </label>
        <button type="submit" class="primary">
          Sign in
        </button>
      </form>
    </dialog>
  );
}
