import type { Exchange } from "../../lib/client/mod.ts";
import type { MimeBundle } from "../../lib/display/mod.ts";
import { renderBundle } from "../../lib/display/mod.ts";
import { HOSTILE } from "../display/hostile.cases.ts";
import { FIELDS } from "../display/hostile-fields.ts";
import { sampleExchange } from "../display/sample.ts";
import { XSS } from "../display/xss.cases.ts";

/** Every text that must stay a text. */
export const TEXTS: readonly string[] = [...XSS, ...HOSTILE];

/** What each text looks like in one field. */
export function bundlesOf(field: string): MimeBundle[] {
  const make = FIELDS[field];
  return make === undefined ? [] : TEXTS.map((text) => renderBundle(make(text)));
}

/** One answer for each text that has it everywhere at once; the kinds of bodies take turns. */
export function everywhereBundles(): MimeBundle[] {
  const makers = Object.values(FIELDS);
  return TEXTS.map((text, index) => {
    const made = makers[index % makers.length]?.(text) ?? sampleExchange("");
    return renderBundle(withText(made, text));
  });
}

function withText(exchange: Exchange, text: string): Exchange {
  const headers = [
    ["content-type", exchange.mediaType],
    [text, text],
  ] as const;
  const request = { ...exchange.request, url: text, writtenUrl: `w${text}`, method: text, headers };
  return Object.defineProperties(exchange, {
    request: { value: request },
    statusText: { value: text },
    warnings: { value: [text] },
    headers: { value: headers },
  });
}

/** Errors, values and variables that hold each text. */
export function valueBundles(): MimeBundle[] {
  return TEXTS.flatMap((text) => [
    renderBundle(Object.assign(new Error(text), { name: text })),
    renderBundle({ [text]: text, list: [{ [text]: text }] }),
    renderBundle(text),
  ]);
}
