import type { SecretRange } from "./names/mod.ts";
import type { Secrets } from "./secrets.ts";
import { createSecretStore } from "./store.ts";

/** Among what is to be hidden: that nothing is, for once. */
export const SHOW_SECRETS: unique symbol = Symbol("show secrets");

/** What is to be hidden: a text, or all that a client knows. */
export type Hidden = string | Secrets | typeof SHOW_SECRETS;

/** The part of {@link Secrets} that masks. */
export type Masking = Pick<Secrets, "mask" | "locate">;

const NOTHING: Masking = { mask: (text) => text, locate: () => [] };

/** Masks what any of several clients knows, and further texts, however short they are. */
export function combineSecrets(hidden: readonly Hidden[] = []): Masking {
  if (hidden.length === 0 || hidden.includes(SHOW_SECRETS)) return NOTHING;
  const stores = new Set(hidden.filter((one) => typeof one === "object"));
  const texts = hidden.filter((one): one is string => typeof one === "string" && one !== "");
  if (texts.length > 0) {
    const own = createSecretStore();
    for (const text of texts) own.hideText(text);
    stores.add(own);
  }
  const [first, ...rest] = stores;
  if (first === undefined) return NOTHING;
  if (rest.length === 0) return first;
  return {
    mask: (text, write) => [...stores].reduce((shown, one) => one.mask(shown, write), text),
    locate: (text) => merge([...stores].flatMap((one) => one.locate(text))),
  };
}

function merge(ranges: SecretRange[]): readonly SecretRange[] {
  const merged: SecretRange[] = [];
  for (const range of ranges.sort((one, other) => one.start - other.start)) {
    const last = merged.at(-1);
    if (last === undefined || range.start >= last.end) merged.push(range);
    else merged.splice(-1, 1, { ...last, end: Math.max(last.end, range.end) });
  }
  return merged;
}
