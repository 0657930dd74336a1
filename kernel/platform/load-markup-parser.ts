import { createRequire } from "node:module";

/** Loads `parse5`, which takes 30 ms: only the markup of a cell needs it. */
export function loadMarkupParser(): typeof import("parse5") {
  return createRequire(import.meta.url)("parse5");
}
