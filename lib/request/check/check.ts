import { UnresolvedPlaceholderError, type Variables } from "../../interpolation/mod.ts";
import { type Entry, placeholdersOf } from "../draft/mod.ts";
import { expandText } from "../imports/mod.ts";
import { type ParsedText, readText } from "../parse/mod.ts";
import { checkDraft, locateFaults } from "./check-draft.ts";
import { type CheckFault, toCheckFault } from "./check-fault.ts";
import type { CheckOptions, SessionCheckOptions } from "./check-options.ts";
import { Known } from "./known.ts";

/**
 * Finds all faults of a request text without sending it: syntax, unknown names, invalid URLs, malformed and
 * repeated headers, invalid JSON, missing files. Values from responses of the text's own
 * requests are assumed to exist.
 *
 * @param text Text as in `.http` files.
 * @param variables The values by name.
 * @param options Names and files that are known in addition.
 * @returns The faults in the order of the text; empty for a text that can be sent.
 *
 * @example
 * ```ts
 * const [fault] = checkText("GET {{base}}/users", {});
 * fault?.code; // "name"
 * fault?.column; // 5
 * ```
 */
export function checkText(
  text: string,
  variables: Variables,
  options: CheckOptions = {},
): readonly CheckFault[] {
  const { requests, firstLine, ...others } = options;
  const names = new Set(requests);
  return checkParsedText(readText(text, firstLine), variables, {
    ...others,
    hasRequest: (name) => names.has(name),
    imports: { find: () => undefined },
  });
}

/** Finds the faults of a parsed text like {@link checkText}, with those of the files that it imports. */
export function checkParsedText(
  { failure, ...parsed }: ParsedText,
  variables: Variables,
  options: SessionCheckOptions,
): readonly CheckFault[] {
  const expanded = expandText(parsed, options.imports);
  const { entries, imported } = expanded;
  const faults: CheckFault[] = [
    ...(failure?.faults ?? []).map((fault) => toCheckFault(fault, "syntax")),
    ...expanded.faults.map((fault) => toCheckFault(fault, fault.code, fault.severity)),
  ];
  const known = new Known(parsed, variables, options, entries, imported);
  for (const entry of entries) {
    if (entry.kind === "assignment") known.assign(entry);
    if (entry.kind !== "request") continue;
    for (const fault of locateFaults(parsed, entry, checkDraft(entry, known, options)))
      faults.push(fault);
  }
  for (const fault of unusedFaults(entries, known)) faults.push(fault);
  const seen = new Set<string>();
  return faults
    .filter(({ message, span }) => {
      const key = `${span.start} ${message}`;
      return !seen.has(key) && seen.add(key);
    })
    .sort((one, other) => one.span.start - other.span.start);
}

/** The faults of variable lines that no request uses; those that one uses are reported there. */
function unusedFaults(entries: readonly Entry[], { lines }: Known): readonly CheckFault[] {
  const imported = new Set(
    entries.flatMap((entry) =>
      entry.kind === "assignment" && entry.file !== undefined ? [entry.name] : [],
    ),
  );
  const late = [...lines.late.entries()].filter(
    ([name]) => !imported.has(name) && lines.explain(name) !== undefined,
  );
  const used = new Set(
    entries.flatMap((entry) =>
      (entry.kind === "request" ? placeholdersOf(entry) : []).map(({ name }) => name),
    ),
  );
  // A line may use one above it.
  for (const [name, { names }] of late.toReversed()) {
    if (used.has(name)) for (const one of names) used.add(one);
  }
  return late.flatMap(([name, { resolve }]) => {
    if (used.has(name)) return [];
    try {
      resolve();
      return [];
    } catch (error) {
      // Others, of chains that are too long, are reported where they are used.
      if (!(error instanceof UnresolvedPlaceholderError)) return [];
      return error.faults.map(
        (fault) => ({ ...fault, code: "name", severity: "warning" }) as const,
      );
    }
  });
}
