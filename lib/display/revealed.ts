import { createSecretStore, isRevealed } from "../secrets/mod.ts";
import { type Hidden, SHOW_SECRETS } from "./blocks/mod.ts";
import { isError } from "./error.ts";
import { isExchange } from "./value.ts";
import { isView } from "./view.ts";

/** A value, the secrets to mask, and whether it is revealed. */
interface Unwrapped {
  readonly value: unknown;
  readonly secrets: readonly Hidden[];
  readonly isRevealed: boolean;
}

/**
 * Finds the secrets to mask in a value. Values under secret names in it are learned first, so that they are
 * masked in every format and elsewhere.
 */
export function unwrap(value: unknown, secrets: readonly Hidden[] = []): Unwrapped {
  if (isRevealed(value)) return { value: value.value, secrets: [SHOW_SECRETS], isRevealed: true };
  if (isExchange(value) && !secrets.includes(SHOW_SECRETS)) {
    // An exchange of an older copy of the library may have no secrets.
    const all = [...new Set([...(value.secrets ?? []), ...secrets])];
    return { value, secrets: all, isRevealed: false };
  }
  const isRevealing = secrets.includes(SHOW_SECRETS);
  const isData = typeof value === "object" && value !== null;
  // A view names its secrets itself.
  if (isRevealing || !isData || isExchange(value) || isError(value) || isView(value)) {
    return { value, secrets, isRevealed: isRevealing };
  }
  const stores = secrets.filter((one) => typeof one === "object");
  if (stores.length === 0) stores.push(createSecretStore());
  for (const store of stores) store.learn({ kind: "value", value }, "person");
  return { value, secrets: [...new Set([...secrets, ...stores])], isRevealed: false };
}
