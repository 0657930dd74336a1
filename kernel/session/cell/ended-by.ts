import { InterruptedError } from "./errors.ts";
import type { ScriptEvents } from "./evaluator.ts";

/** The script events of a session whose cells are ended from outside, when `mustEnd` returns true. */
export function endedBy(
  scripts: Pick<ScriptEvents, "run"> & { readonly mustEnd: () => boolean },
): ScriptEvents {
  return {
    run: scripts.run,
    checkpoint: () => {
      if (scripts.mustEnd()) throw new InterruptedError();
    },
  };
}
