import { renderBundle, showTable } from "../../lib/display/mod.ts";
import { EVERY_VIEW } from "./every-view.ts";
import { HOSTILE } from "./hostile.cases.ts";
import { PROGRAM_VALUES } from "./program-values.ts";
import { parsedExchange, sampleExchange } from "./sample.ts";

/** Bundles that have to be the same on every runtime. */
export function sampleBundles(): readonly unknown[] {
  return [
    parsedExchange([{ id: 12345678901234567890n, name: "日本 👩‍👩‍👧 é" }]),
    parsedExchange({ a: { b: [1, { c: null }] } }),
    ...HOSTILE.map((text) => parsedExchange([{ [text]: text, list: [text] }])),
    ...HOSTILE.map((text) => sampleExchange(text, "text/html", { statusText: text })),
    sampleExchange(new Uint8Array([0, 1, 255]), "image/png"),
    ...PROGRAM_VALUES.map(([, value]) => value),
    ...Object.entries(EVERY_VIEW).flatMap(([name, value]) => (/error/.test(name) ? [] : [value])),
    showTable(
      ["Zoe", "ada", "Łódź", "item 10", "item 9", 3, null, "2024-03-01"].map((v) => ({ v })),
      { sort: "v" },
    ),
  ].map((value) => renderBundle(value));
}
