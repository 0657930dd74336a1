import { DEFAULT_LIMITS, type Limits } from "./limits.ts";

/** How values are looked at: how much of them, and what no one may see. */
export interface Lens {
  readonly limits: Limits;
  /** Hides secrets in a text. It is asked before anything is cut: half a secret is one, too. */
  readonly hide: (text: string) => string;
}

/** What stands in the place of a secret. */
export const HIDDEN = "•••";

/** A lens that hides texts as they are and as they look in a URL, in JSON and in base64. */
export function createLens(limits: Limits = DEFAULT_LIMITS, secrets: readonly string[] = []): Lens {
  const forms = new Set(secrets.flatMap(formsOf));
  forms.delete("");
  if (forms.size === 0) return { limits, hide: (text) => text };
  // The longest first: where one secret begins another, the whole has to go.
  const longestFirst = [...forms].sort((a, b) => b.length - a.length);
  const pattern = longestFirst
    .map((form) => form.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"))
    .join("|");
  const secret = new RegExp(pattern, "g");
  return { limits, hide: (text) => text.replace(secret, HIDDEN) };
}

function formsOf(secret: string): string[] {
  const wellFormed = secret.replace(/\p{Surrogate}/gu, "\ufffd");
  return [
    secret,
    encodeURIComponent(wellFormed),
    encodeURI(wellFormed),
    JSON.stringify(secret).slice(1, -1),
    btoa(String.fromCharCode(...new TextEncoder().encode(secret.slice(0, 10_000)))),
  ];
}
