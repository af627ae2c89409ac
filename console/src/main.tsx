import { render } from "preact";
import { connect } from "./api/events";
import { App } from "./shell/app";
import "./style/tokens.css";
import "./style/base.css";
import "./style/shell.css";

connect();
if (import.meta.env.PROD && "serviceWorker" in navigator) {
  void navigator.serviceWorker.register("/service_worker.js").catch(() => undefined); // without it the page is not installable
}
render(<App />, document.getElementById("app")!);
