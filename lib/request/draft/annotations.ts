import { nearNames } from "../../interpolation/mod.ts";
import type { Annotation, RequestDraft } from "./draft.ts";

/** The annotations with an effect. */
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

/** Annotations that would change whether or how often a request is sent, and what to do instead. */
const REFUSED: Readonly<Record<string, string>> = {
  loop: "Write the loop in a TypeScript cell, or use client.all",
  import: "Run both files together, or add the requests of the other file with client.define",
};

/** Annotations of other clients without an effect. */
const WITHOUT_EFFECT: ReadonlySet<string> = new Set(
  "sleep ratelimit connection-timeout responseref injectvariables use-os-credentials no-client-cert".split(
    " ",
  ),
);

/** The fault of an annotation with which nothing may be sent. */
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

/** Whether a request is disabled by `# @disabled`, as in httpYac. */
export function isDisabled({ annotations }: RequestDraft): boolean {
  return annotations.some(({ key, value }) => key === "disabled" && value !== "false");
}

/** The question to confirm before a request is sent: `# @note text`, as in VS Code REST Client and httpYac. */
export function noteOf({ annotations }: RequestDraft): string | undefined {
  return annotations.findLast(({ key }) => key === "note")?.value;
}

/** What to say of an annotation without an effect; nothing of comments like `@todo`. */
export function annotationRemark({
  key,
}: Annotation): { readonly message: string; readonly level: "warning" | "info" } | undefined {
  const lower = key.toLowerCase();
  if (KNOWN.some((known) => known.toLowerCase() === lower)) return undefined;
  if (WITHOUT_EFFECT.has(lower)) return { message: `"# @${key}" has no effect`, level: "info" };
  const [near] = lower.length < 4 ? [] : nearNames(lower, KNOWN, 1);
  if (near === undefined) return undefined;
  return { message: `"# @${key}" is unknown. Did you mean "# @${near}"?`, level: "warning" };
}
