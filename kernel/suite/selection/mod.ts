/**
 * What of the documents is run, and how often: the files and lines of the command line, names and tags, the part of
 * one machine, the rows of data.
 *
 * @module
 */

export { type Row, readRows } from "./data-rows.ts";
export { type Labels, labelsOf } from "./labels.ts";
export { checkSelection, createSelection, type SelectionOptions, type Selects } from "./select.ts";
export { type Shard, takeShard } from "./shard.ts";
export { findTargets, type Target } from "./targets.ts";
