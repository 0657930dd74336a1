import { InterruptedError } from "./errors.ts";
import type { ScriptEvents } from "./evaluator.ts";

/**
 * Lets something outside of a session end the code of its cells: what runs their scripts and, where
 * nothing ends a loop from outside, says when loops are to end.
 */
export function endedBy({
  run,
  mustEndLoops,
}: {
  readonly run: ScriptEvents["run"];
  readonly mustEndLoops: (() => boolean) | undefined;
}): ScriptEvents {
  if (mustEndLoops === undefined) return { run };
  return {
    run,
    loops: () => {
      if (mustEndLoops()) throw new InterruptedError();
    },
  };
}
