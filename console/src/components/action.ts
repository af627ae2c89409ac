/** Something that a person sets off: whether it runs, and what went wrong. */

import { useState } from "preact/hooks";

export interface Action {
  running: boolean;
  error: Error | null;
  /** Runs it; a failure is kept and not thrown. Resolves to whether it went well. */
  run: (work: () => Promise<unknown>) => Promise<boolean>;
}

export function useAction(): Action {
  const [running, setRunning] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const run = async (work: () => Promise<unknown>) => {
    setRunning(true);
    setError(null);
    try {
      await work();
      return true;
    } catch (failure) {
      setError(failure as Error);
      return false;
    } finally {
      setRunning(false);
    }
  };
  return { running, error, run };
}
