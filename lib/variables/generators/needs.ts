import type { GeneratedPlaceholder, Placeholder } from "../../interpolation/mod.ts";
import { needsFaker } from "./generated.ts";

/** What has to be loaded before a text can be rendered. */
interface Needs {
  readonly faker: boolean;
  readonly files: boolean;
  readonly tokens: readonly GeneratedPlaceholder[];
}

/** Finds what the generated values of a text need. */
export function needsOf(placeholders: readonly Placeholder[]): Needs {
  const generated = placeholders.filter((placeholder) => placeholder.kind === "generated");
  return {
    faker: generated.some(needsFaker),
    files: generated.some(({ name }) => /^\$(?:dotenv|shared)$/i.test(name)),
    tokens: generated.filter(({ name }) => name === "$auth"),
  };
}
