/** Which robot and which program this is. */

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
      () => setVersion(""), // who may not read it sees no number
    );
  }, []);
  const robot = robotState.value;
  return (
    <Card title="About">
      <Facts>
        <Fact name="Program">Reachy agent {version}</Fact>
        <Fact name="Robot">
          {robot ? (robot.simulated ? "Reachy Mini, simulated" : "Reachy Mini") : "not seen yet"}
        </Fact>
        <Fact name="Interface">
          <a href="/api/v1/openapi.json">what programs can do here</a> (OpenAPI)
        </Fact>
        <Fact name="Keys">
          <kbd>Shift</kbd> + <kbd>Space</kbd> stops the robot, everywhere
        </Fact>
      </Facts>
    </Card>
  );
}
