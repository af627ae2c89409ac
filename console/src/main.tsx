import { render } from "preact";
import { connect } from "./api/events";
import { App } from "./shell/app";
import "./style/tokens.css";
import "./style/base.css";
import "./style/shell.css";

connect();
render(<App />, document.getElementById("app")!);
