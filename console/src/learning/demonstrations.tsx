/** Recorded demonstrations. */

import type { Demonstration, DemonstrationList } from "../api/schemas";
import { Card } from "../components/card";
import { duration } from "../components/duration";
import { Empty } from "../components/empty";
import { Loaded } from "../components/loaded";
import { plainName } from "../components/plain_name";
import { useResource } from "../components/resource";
import { Table } from "../components/table";
import { Tag } from "../components/tag";
import { When } from "../components/when";
import { leadable } from "../shell/robot_state";
import { RobotView } from "../watch/robot_view";
import "../watch/watch.css";

export function Demonstrations() {
  const found = useResource<DemonstrationList>("/demonstration", "training");
  return (
    <Card title="Demonstrations">
      {leadable.value && <RobotView />}
      <Loaded of={found}>
        {({ demonstrations }) => (demonstrations.length ? <List demonstrations={demonstrations} /> : <NothingShown />)}
      </Loaded>
    </Card>
  );
}

function List({ demonstrations }: { demonstrations: Demonstration[] }) {
  return (
    <>
      <datalist id="shown-skills">
        {[...new Set(demonstrations.map((one) => one.skill))].map((skill) => (
          <option key={skill} value={skill} label={plainName(skill)} />
        ))}
      </datalist>
      <Table name="Demonstrations" columns={["Skill", "Shown", "Length", "When"]}>
        {demonstrations.map((one) => (
          <tr key={one.demo_id}>
            <td>{plainName(one.skill)}</td>
            <td>
              {one.prompt} <span class="soft">({[one.method, one.person].filter(Boolean).join(", ")})</span>
            </td>
            <td>
              {one.duration === null ? <Tag mood="busy">recording</Tag> : duration(one.duration)}{" "}
              {one.cut && <Tag mood="bad">incomplete</Tag>}
            </td>
            <td>
              <When stamp={one.began} />
            </td>
          </tr>
        ))}
      </Table>
    </>
  );
}

function NothingShown() {
  return (
    <Empty title="No demonstrations yet">
      <code>reachy-agent demonstrations record wave --prompt "wave with the head"</code> releases the motors and records
      how you move the robot. In simulation, drag the head of the drawn robot.
    </Empty>
  );
}
