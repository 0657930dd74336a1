import type { MimeBundle } from "../../lib/display/mod.ts";
import { renderBundle } from "../../lib/display/mod.ts";
import type { Exchange } from "../../lib/exchange/mod.ts";
import { EVERY_VIEW } from "../display/every-view.ts";
import { HOSTILE } from "../display/hostile.cases.ts";
import { FIELDS } from "../display/hostile-fields.ts";
import { secretsOf, tokensOf } from "../display/markup-tokens.ts";
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

/** Every view with a piece of its own markup as a secret, whose placeholder would be markup. */
export function maskedBundles(): MimeBundle[] {
  const views = Object.entries(EVERY_VIEW).filter(([name]) => !name.includes("long"));
  const ours = views.flatMap(([, value]) => {
    const { "text/html": html = "", "text/markdown": markdown = "" } = renderBundle(value);
    const tokens = tokensOf(html, markdown);
    const shown = tokens.map((token) => renderBundle(value, { secrets: [secretsOf(token)] }));
    const changed = shown.filter((bundle) => JSON.stringify(bundle).includes("pwned"));
    return changed.filter((_, index) => index % Math.ceil(changed.length / 4) === 0);
  });
  return [...ours, renderBundle(ATTACK, { secrets: [secretsOf('"text-align:left">')] })];
}

/** What the answer was that ran a script in a notebook. */
const ATTACK = sampleExchange(
  JSON.stringify({ ok: "x autofocus tabindex=1 onfocus=pwned() y" }),
  "application/json",
);
