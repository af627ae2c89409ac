/** Shows a response, or that it is loading, or why it failed. */

import type { ComponentChildren } from "preact";
import { ProblemNotice } from "./problem_notice";
import type { Resource } from "./resource";
import "./loaded.css";

interface Props<T> {
  of: Resource<T>;
  children: (data: T) => ComponentChildren;
}

export function Loaded<T>({ of: resource, children }: Props<T>) {
  const data = resource.data.value;
  const error = resource.error.value;
  return (
    <>
      <ProblemNotice error={error} again={() => void resource.reload()} />
      {data !== null && children(data)}
      {data === null && !error && (
        <p class="loading" role="status">
          Loading…
        </p>
      )}
    </>
  );
}
