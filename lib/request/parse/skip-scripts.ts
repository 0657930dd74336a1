import type { AssertionDraft } from "../../assertions/mod.ts";
import type { Entry, RequestDraft } from "../draft/mod.ts";

/**
 * Marks the scripts of an entry as not to be run, since its text may come from a value. It stays so when another
 * text refers to the request.
 */
export function skipScripts(entry: RequestDraft): RequestDraft;
export function skipScripts(entry: Entry): Entry;
export function skipScripts(entry: Entry): Entry {
  if (entry.kind !== "request") return entry;
  const { scripts = [], assertions = [], skipped = [] } = entry;
  if (scripts.length === 0 && !assertions.some(isCode)) return entry;
  const { scripts: _scripts, ...rest } = entry;
  return {
    ...rest,
    skipped: [...skipped, ...scripts.map(({ span, source }) => ({ span, source }))],
    ...(assertions.length === 0 ? {} : { assertions: assertions.map(refuseCode) }),
  };
}

function isCode({ field }: AssertionDraft): boolean {
  return field.kind === "js";
}

function refuseCode(assertion: AssertionDraft): AssertionDraft {
  const { field } = assertion;
  return field.kind === "js" ? { ...assertion, field: { ...field, isRefused: true } } : assertion;
}
