import { InterruptedError } from "./errors.ts";
import type { ScriptEvents } from "./evaluator.ts";

/** The script events of a session whose cells are ended from outside, when `mustEnd` returns true. */
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
