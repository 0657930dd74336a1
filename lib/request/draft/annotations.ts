import { nearNames } from "../../interpolation/mod.ts";
import type { Annotation, RequestDraft } from "./draft.ts";

/** What is carried out, here or by the client. */
const KNOWN: readonly string[] = [
  "name",
  "ref",
  "forceRef",
  "prompt",
  "note",
  "disabled",
  "no-redirect",
  "max-redirects",
  "cross-origin-body",
  "no-cookie-jar",
  "no-reject-unauthorized",
  "proxy",
  "no-proxy",
  "connection",
  "timeout",
  "retry",
  "compress",
];

/** What would change whether or how often a request is sent: it is not sent as if it were not there. */
const REFUSED: Readonly<Record<string, string>> = {
  loop: "Write the loop in a TypeScript cell, or use client.all",
  import: "Run both files together, or add the requests of the other file with client.define",
};

/** What of the peers has no effect here, though somebody may count on it. */
const PASSED_OVER: ReadonlySet<string> = new Set(
  "sleep ratelimit connection-timeout responseref injectvariables use-os-credentials no-client-cert".split(
    " ",
  ),
);

/** What is wrong with an annotation, for which nothing can be sent. */
export function refusedAnnotation({
  key,
  value,
}: Annotation): { readonly message: string; readonly hint: string } | undefined {
  const lower = key.toLowerCase();
  const hint = Object.hasOwn(REFUSED, lower) ? REFUSED[lower] : undefined;
  if (hint !== undefined) return { message: `"# @${key}" is not supported`, hint };
  if (lower !== "disabled" || /^(?:true|false)?$/.test(value)) return undefined;
  return {
    message: `The condition "${value}" of "# @disabled" is a script, and scripts are not run`,
    hint: "Write true or false, or remove it",
  };
}

/** Whether a request is not to be sent: `# @disabled`, as httpYac has it. */
export function isDisabled({ annotations }: RequestDraft): boolean {
  return annotations.some(({ key, value }) => key === "disabled" && value !== "false");
}

/** What to ask before a request is sent: `# @note text`, as VS Code's REST Client and httpYac have it. */
export function noteOf({ annotations }: RequestDraft): string | undefined {
  return annotations.findLast(({ key }) => key === "note")?.value;
}

/** What a person should know of an annotation that has no effect; comments like `@todo` are silent. */
export function remarkOn({ key }: Annotation): string | undefined {
  const lower = key.toLowerCase();
  if (KNOWN.some((known) => known.toLowerCase() === lower)) return undefined;
  if (PASSED_OVER.has(lower)) return `"# @${key}" has no effect here`;
  const [near] = lower.length < 4 ? [] : nearNames(lower, KNOWN, 1);
  return near === undefined ? undefined : `"# @${key}" is not known. Did you mean "# @${near}"?`;
}
