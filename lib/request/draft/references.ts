import type { Explanation, Span } from "../../interpolation/mod.ts";
import type { RequestDraft } from "./draft.ts";

/** `# @ref login` or `# @forceRef login`: a request that is to be sent before this one. */
export interface Reference {
  /** The name of the request to send first. */
  readonly name: string;
  /** Whether it is sent even where its answer is there already. */
  readonly force: boolean;
  /** The annotation's line. */
  readonly span: Span;
}

const KEYS: ReadonlyMap<string, boolean> = new Map([
  ["ref", false],
  ["forceref", true],
]);

const NONE: readonly Reference[] = [];

/** The references of a request, in the order in which they are written. */
export function referencesOf(draft: RequestDraft): readonly Reference[] {
  if (draft.annotations.length === 0) return NONE;
  return draft.annotations.flatMap(({ key, value, span }) => {
    const force = KEYS.get(key.toLowerCase());
    return force === undefined || value === "" ? [] : [{ name: value, force, span }];
  });
}

/** Explains that a request has to be sent before its response can be used. */
export function explainUnsent(name: string): Explanation {
  return {
    message: `the request "${name}" has not been sent yet`,
    hint: `Run it first, or write "# @ref ${name}" above this request, which sends it`,
  };
}
