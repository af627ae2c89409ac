/** Version of the program, kind of robot and links. */

import { useEffect, useState } from "preact/hooks";
import { get } from "../api/http";
import { Card } from "../components/card";
import { Fact, Facts } from "../components/facts";
import { robotState } from "../shell/robot_state";

export function About() {
  const [version, setVersion] = useState("");
  useEffect(() => {
    get<{ info: { version: string } }>("/openapi.json").then(
      (api) => setVersion(api.info.version),
      () => setVersion(""), // without permission to read it, the version stays empty
    );
  }, []);
  const robot = robotState.value;
  return (
    <Card title="About">
      <Facts>
        <Fact name="Program">Reachy agent {version}</Fact>
        <Fact name="Robot">
          {robot ? (robot.simulated ? "Reachy Mini, simulated" : "Reachy Mini") : "not connected yet"}
        </Fact>
        <Fact name="API">
          <a href="/api/v1/openapi.json">OpenAPI description</a>
        </Fact>
        <Fact name="Shortcut">
          <kbd>Shift</kbd> + <kbd>Space</kbd> stops the robot in every view
        </Fact>
      </Facts>
    </Card>
  );
}
