/** An action of a button: whether it runs, and its error. */

import { useState } from "preact/hooks";

export interface Action {
  running: boolean;
  error: Error | null;
  /** Runs the action and keeps its error instead of throwing it. Resolves to whether it succeeded. */
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
