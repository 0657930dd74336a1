import type { MimeBundle } from "./bundle.ts";
import { type Limits, shorten } from "./limits.ts";

const MOST_ROUNDS = 32;

/** Makes a bundle, and makes it again with less of the body until it fits the limit in bytes. */
export function fitBundle(limits: Limits, make: (limits: Limits) => MimeBundle): MimeBundle {
  let allowed = limits;
  let bundle = make(allowed);
  for (let round = 0; sizeOf(bundle) > limits.bundle && round < MOST_ROUNDS; round++) {
    allowed = shorten(allowed);
    bundle = make(allowed);
  }
  return bundle;
}

/** At least as many bytes as the bundle has in UTF-8, exact where it is long. */
function sizeOf(bundle: MimeBundle): number {
  let size = 0;
  for (const part of Object.values(bundle)) {
    const text = typeof part === "string" ? part : JSON.stringify(part);
    size += text.length < 10_000 ? text.length * 3 : new TextEncoder().encode(text).length;
  }
  return size;
}
