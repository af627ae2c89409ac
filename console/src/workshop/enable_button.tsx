/** Disables or enables a tool. */

import { request } from "../api/http";
import { useAction } from "../components/action";
import { ProblemNotice } from "../components/problem_notice";
import { pathOf } from "./tool";

interface Props {
  name: string;
  enabled: boolean;
  changed: () => Promise<void>;
}

export function EnableButton({ name, enabled, changed }: Props) {
  const { running, error, run } = useAction();
  const change = () => run(() => request("POST", `${pathOf(name)}/enable`, { enabled: !enabled }).then(changed));
  return (
    <>
      <button type="button" disabled={running} onClick={change}>
        {enabled ? "Disable" : "Enable"}
      </button>
      <ProblemNotice error={error} />
    </>
  );
}
