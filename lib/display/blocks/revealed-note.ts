import type { Block } from "./block.ts";

/** What is said below an output in which secrets are shown. */
export const REVEALED_NOTE: Block = {
  kind: "note",
  level: "warning",
  text: "This output contains secrets, revealed for this cell; clear it before you share it",
};
