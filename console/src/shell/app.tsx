/** The frame of every view: where to go, whether all is well, and the view itself. */

import { Redirect, Route, Switch } from "wouter-preact";
import { Badges } from "./badges";
import { Navigation } from "./navigation";
import { StopNotice } from "./stop_notice";
import { VIEWS } from "./views";

export function App() {
  return (
    <>
      <a class="skip" href="#view">
        Skip to the view
      </a>
      <header class="bar">
        <span class="brand">
          <img src="/icon.svg" alt="" width="28" height="28" /> Reachy
        </span>
        <Badges />
      </header>
      <Navigation />
      <main id="view" tabIndex={-1}>
        <StopNotice />
        <Switch>
          {VIEWS.map((view) => (
            <Route key={view.path} path={view.path}>
              <view.component />
            </Route>
          ))}
          <Route>
            <Redirect to={VIEWS[0]!.path} />
          </Route>
        </Switch>
      </main>
    </>
  );
}
