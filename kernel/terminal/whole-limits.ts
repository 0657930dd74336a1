import { DEFAULT_LIMITS, type Limits } from "../../lib/display/mod.ts";

/** Far above the default limits, and still bounded. */
export const WHOLE_LIMITS: Limits = {
  ...DEFAULT_LIMITS,
  rows: 10_000,
  columns: 200,
  cell: 2_000,
  table: 5_000_000,
  fields: 10_000,
  depth: 12,
  text: 5_000_000,
  hex: 4_096,
  notes: 1_000,
};
