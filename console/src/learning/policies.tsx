/** The active version of each skill, and its other versions. */

import type { PolicyList } from "../api/schemas";
import { Card } from "../components/card";
import { Empty } from "../components/empty";
import { Loaded } from "../components/loaded";
import { useResource } from "../components/resource";
import { bySkill } from "./policy";
import { SkillVersions } from "./skill_versions";

export function Policies() {
  const found = useResource<PolicyList>("/policies", "policy_update", "training");
  return (
    <Card title="Learned skills">
      <Loaded of={found}>
        {({ policies }) =>
          policies.length ? (
            <>
              {[...bySkill(policies)].map(([skill, versions]) => (
                <SkillVersions key={skill} skill={skill} versions={versions} changed={found.reload} />
              ))}
            </>
          ) : (
            <Empty title="No learned skills yet">
              Ask “look at the apple”, then say “too far down”: the robot corrects the next look, and a version of the
              skill appears here.
            </Empty>
          )
        }
      </Loaded>
    </Card>
  );
}
