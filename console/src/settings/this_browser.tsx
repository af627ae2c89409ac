/** Settings of this browser: theme, spoken replies and token. */

import { forgetToken, token } from "../api/http";
import { Card } from "../components/card";
import { THEMES, type Theme, aloud, theme } from "./preferences";

export function ThisBrowser() {
  return (
    <Card title="This browser">
      <fieldset class="choices">
        <legend>Theme</legend>
        <div class="row">
          {(Object.keys(THEMES) as Theme[]).map((one) => (
            <label key={one} class="choice">
              <input type="radio" name="theme" checked={theme.value === one} onChange={() => (theme.value = one)} />
              {THEMES[one]}
            </label>
          ))}
        </div>
      </fieldset>
      <label class="choice">
        <input
          type="checkbox"
          checked={aloud.value === "yes"}
          onChange={(event) => (aloud.value = event.currentTarget.checked ? "yes" : "no")}
        />
        Speak replies by default
      </label>
      {token() ? (
        <div class="row">
          <span>Signed in with a token.</span>
          <button type="button" onClick={signOut}>
            Sign out
          </button>
        </div>
      ) : (
        <p class="soft small">No token is stored. Connections from this machine need none.</p>
      )}
    </Card>
  );
}

function signOut() {
  forgetToken();
  location.reload();
}
