import type { Exchange } from "../../exchange/mod.ts";
import { parseTemplate, resolvePlaceholder, type Value } from "../../interpolation/mod.ts";

/** The value in an answer that a path leads to, spelt as in a placeholder: `data.items[0].id`. */
export function valueAt({ json }: Exchange, path: string): unknown {
  const chain = path.startsWith("[") ? `answer${path}` : `answer.${path}`;
  const [placeholder, ...more] = parseTemplate(`{{${chain}}}`).parts;
  if (typeof placeholder !== "object" || more.length > 0) {
    throw new SyntaxError(`Cannot page by "${path}": it is no path such as data.items or [0].id`);
  }
  return resolvePlaceholder(placeholder, new Map<string, Value>([["answer", json]]));
}
