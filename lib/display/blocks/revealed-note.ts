import type { Block } from "./block.ts";

/** The note below an output with revealed secrets. */
export const REVEALED_NOTE: Block = {
  kind: "note",
  level: "warning",
  text: "This output contains secrets, revealed for this cell; clear it before you share it",
};
