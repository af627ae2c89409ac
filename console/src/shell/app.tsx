/** The page: navigation, status badges, notices and the current view. */

import { Redirect, Route, Switch, useLocation } from "wouter-preact";
import { ApprovalDock } from "../approvals/approval_dock";
import { Badges } from "./badges";
import { outdated } from "./freshness";
import { Navigation } from "./navigation";
import { StaleNotice } from "./stale_notice";
import { StopNotice } from "./stop_notice";
import { TokenPrompt } from "./token_prompt";
import { VIEWS } from "./views";

/** Views that show open approvals themselves. */
const WITH_APPROVALS = ["/approvals", "/talk"];

export function App() {
  const [location] = useLocation();
  return (
    <>
      <a class="skip" href="#view">
        Skip to the view
      </a>
      <header class="bar">
        <span class="brand">
          <img src="/icon.svg" alt="" width="28" height="28" /> <span class="brand-name">Reachy</span>
        </span>
        <Badges />
      </header>
      <Navigation />
      <main id="view" tabIndex={-1}>
        <StaleNotice />
        <StopNotice />
        {!WITH_APPROVALS.some((path) => location.startsWith(path)) && <ApprovalDock />}
        <div class={outdated.value ? "content old" : "content"}>
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
        </div>
      </main>
      <TokenPrompt />
    </>
  );
}
