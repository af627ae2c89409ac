/** Review of a waiting version. */

import { useState } from "preact/hooks";
import { request } from "../api/http";
import { useAction } from "../components/action";
import { ProblemNotice } from "../components/problem_notice";
import { pathOf } from "./tool";

interface Props {
  name: string;
  version: number;
  changed: () => Promise<void>;
}

export function Review({ name, version, changed }: Props) {
  const [comment, setComment] = useState("");
  const { running, error, run } = useAction();
  const decide = (approve: boolean) =>
    run(() => request("POST", `${pathOf(name)}/review`, { version, approve, comment }).then(changed));
  return (
    <form class="review" onSubmit={(event) => event.preventDefault()}>
      <ProblemNotice error={error} />
      <label class="field">
        Comment (saved with the decision)
        <input
          type="text"
          value={comment}
          onInput={(event) => setComment(event.currentTarget.value)}
          maxLength={1000}
          autocomplete="off"
        />
      </label>
      <div class="row">
        <button type="button" class="primary" disabled={running} onClick={() => decide(true)}>
          Approve version {version}
        </button>
        <button type="button" class="danger" disabled={running} onClick={() => decide(false)}>
          Reject
        </button>
        <span class="soft small">After approval the tool can be called at once.</span>
      </div>
    </form>
  );
}
