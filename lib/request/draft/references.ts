import type { Explanation, Span } from "../../interpolation/mod.ts";
import { annotationKey } from "./annotations.ts";
import type { RequestDraft } from "./draft.ts";

/** `# @ref login` or `# @forceRef login`: a request to send before this one. */
interface Reference {
  /** The name of the request. */
  readonly name: string;
  /** Whether to send it even if it has a response already. */
  readonly force: boolean;
  /** The span of the annotation. */
  readonly span: Span;
}

const KEYS: ReadonlyMap<string, boolean> = new Map([
  ["ref", false],
  ["forceref", true],
]);

/** The references of a request in order. */
export function referencesOf({
  annotations,
}: Pick<RequestDraft, "annotations">): readonly Reference[] {
  return annotations.flatMap(({ key, value, span }) => {
    const force = KEYS.get(annotationKey({ key }));
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
