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

/** What each sixth text looks like in one field, another sixth in the next field. */
export function bundlesOf(field: string): MimeBundle[] {
  const make = FIELDS[field];
  if (make === undefined) return [];
  const at = Object.keys(FIELDS).indexOf(field);
  const texts = TEXTS.filter((_, index) => (index + at) % 6 === 0);
  return texts.map((text) => renderBundle(make(text)));
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

/** Errors, values and variables that hold each text, or every third of them. */
export function valueBundles(step: 1 | 3 = 1): MimeBundle[] {
  return TEXTS.filter((_, index) => index % step === 0).flatMap((text) => [
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
    // From all parts of it: every eighth token comes first.
    const tokens = tokensOf(html, markdown)
      .map((token, index) => ({ token, turn: index % 8 }))
      .sort((one, other) => one.turn - other.turn);
    const changed: MimeBundle[] = [];
    for (const { token } of tokens) {
      const bundle = renderBundle(value, { secrets: [secretsOf(token)] });
      if (JSON.stringify(bundle).includes("pwned")) changed.push(bundle);
      if (changed.length === 4) break;
    }
    return changed;
  });
  return [...ours, renderBundle(ATTACK, { secrets: [secretsOf('"text-align:left">')] })];
}

/** What the answer was that ran a script in a notebook. */
const ATTACK = sampleExchange(
  JSON.stringify({ ok: "x autofocus tabindex=1 onfocus=pwned() y" }),
  "application/json",
);
