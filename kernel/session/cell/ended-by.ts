import { InterruptedError } from "./errors.ts";
import type { ScriptEvents } from "./evaluator.ts";

/**
 * Lets something outside of a session end the code of its cells: what runs their scripts, and says
 * when their code is to end.
 */
export function endedBy({
  run,
  mustEnd,
}: {
  readonly run: ScriptEvents["run"];
  readonly mustEnd: () => boolean;
}): ScriptEvents {
  return {
    run,
    checkpoint: () => {
      if (mustEnd()) throw new InterruptedError();
    },
  };
}
