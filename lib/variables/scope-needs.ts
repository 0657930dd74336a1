import type { GeneratedPlaceholder } from "../interpolation/mod.ts";
import { type Entry, placeholdersOf } from "../request/mod.ts";
import { needsFaker } from "./generators/mod.ts";

/** What has to be loaded, or got, before a text can be rendered. */
export interface Needs {
  readonly faker: boolean;
  readonly files: boolean;
  readonly tokens: readonly GeneratedPlaceholder[];
}

const NOTHING: Needs = { faker: false, files: false, tokens: [] };

/** A text that is sent again and again is looked through once. */
const NEEDS = new WeakMap<readonly Entry[], Needs>();

/** What the generated values of a text need; most texts need nothing. */
export function needsOf(entries: readonly Entry[]): Needs {
  const known = NEEDS.get(entries);
  if (known !== undefined) return known;
  const generated: GeneratedPlaceholder[] = [];
  for (const entry of entries) {
    for (const placeholder of placeholdersOf(entry)) {
      if (placeholder.kind === "generated") generated.push(placeholder);
    }
  }
  const needs = generated.length === 0 ? NOTHING : needsOfGenerated(generated);
  NEEDS.set(entries, needs);
  return needs;
}

function needsOfGenerated(generated: readonly GeneratedPlaceholder[]): Needs {
  const files = generated.some(({ name }) => name === "$dotenv" || name === "$shared");
  const tokens = generated.filter(({ name }) => name === "$auth");
  return { faker: generated.some(needsFaker), files, tokens };
}
