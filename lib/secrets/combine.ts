import { joinRanges } from "./search/mod.ts";
import type { Secrets } from "./secrets.ts";
import { createSecretStore } from "./store.ts";

/** In a list of what to hide: hides nothing. */
export const SHOW_SECRETS: unique symbol = Symbol("show secrets");

/** What is hidden: a text, or all secrets of a client. */
export type Hidden = string | Secrets | typeof SHOW_SECRETS;

/** The part of {@link Secrets} that masks. */
export type Masking = Pick<Secrets, "mask" | "locate" | "isSecretName" | "revision">;

const NOTHING: Masking = {
  mask: (text) => text,
  locate: () => [],
  isSecretName: () => false,
  revision: 0,
};

/** Masks the secrets of several clients, and further texts, however short they are. */
export function combineSecrets(hidden: readonly Hidden[] = []): Masking {
  if (hidden.length === 0 || hidden.includes(SHOW_SECRETS)) return NOTHING;
  const stores = new Set(hidden.filter((one) => typeof one === "object"));
  const texts = hidden.filter((one): one is string => typeof one === "string" && one !== "");
  if (texts.length > 0) {
    const own = createSecretStore();
    for (const text of texts) own.hideText(text);
    stores.add(own);
  }
  const all = [...stores];
  const [first = NOTHING] = all;
  if (all.length < 2) return first;
  return {
    mask: (text, write) => all.reduce((shown, one) => one.mask(shown, write), text),
    locate: (text) => joinRanges(all.flatMap((one) => one.locate(text))),
    isSecretName: (name) => all.some((one) => one.isSecretName(name)),
    get revision() {
      return all.reduce((sum, one) => sum + one.revision, 0);
    },
  };
}
