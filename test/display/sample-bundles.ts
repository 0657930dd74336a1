import { renderBundle } from "../../lib/display/mod.ts";
import { HOSTILE } from "./hostile.cases.ts";
import { parsedExchange, sampleExchange } from "./sample.ts";

/** Bundles that have to be the same on every runtime. */
export function sampleBundles(): readonly unknown[] {
  return [
    parsedExchange([{ id: 12345678901234567890n, name: "日本 👩‍👩‍👧 é" }]),
    parsedExchange({ a: { b: [1, { c: null }] } }),
    ...HOSTILE.map((text) => parsedExchange([{ [text]: text, list: [text] }])),
    ...HOSTILE.map((text) => sampleExchange(text, "text/html", { statusText: text })),
    sampleExchange(new Uint8Array([0, 1, 255]), "image/png"),
    new Map([["a", new Set([1])]]),
  ].map((value) => renderBundle(value));
}
