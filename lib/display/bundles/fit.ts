import { type Limits, shorten } from "../blocks/mod.ts";
import type { MimeBundle } from "./bundle.ts";

const MAX_ROUNDS = 32;
/** The bytes that a notebook adds to each line of a text: indentation, quotes, a comma, a line feed. */
const PER_LINE = 12;

const IMAGE = /data:image\/[\w.+-]+;base64,[\w+/=]*/g;

/**
 * Creates a bundle, and shortens the body until the bundle fits the limit in bytes. Images have a separate
 * limit.
 */
export function fitBundle(limits: Limits, make: (limits: Limits) => MimeBundle): MimeBundle {
  let allowed = limits;
  let bundle = make(allowed);
  for (let round = 0; sizeOf(bundle) > limits.bundle && round < MAX_ROUNDS; round++) {
    allowed = shorten(allowed);
    bundle = make(allowed);
  }
  return bundle;
}

function sizeOf(bundle: MimeBundle): number {
  return Object.entries(bundle).reduce((size: number, [type, part]) => {
    if (/^image\/(?!svg)/.test(type)) return size;
    return size + savedSize(typeof part === "string" ? part.replace(IMAGE, "") : part);
  }, 0);
}

/**
 * The size of a text or of data in a saved notebook, which is indented JSON with texts as arrays of lines
 * (https://nbformat.readthedocs.io/en/latest/format_description.html).
 */
export function savedSize(part: unknown): number {
  const text = JSON.stringify(part, undefined, 1) ?? "";
  const lines = (typeof part === "string" ? part : text).split("\n").length;
  return new TextEncoder().encode(text).length + lines * PER_LINE;
}
