import type { Exchange } from "../../exchange/mod.ts";
import { parseTemplate, resolvePlaceholder, type Value } from "../../interpolation/mod.ts";

/**
 * Reads a value of a response by its path, as in a placeholder: `data.items[0].id`.
 *
 * @throws {SyntaxError} It is not a path.
 */
export function valueAt({ json }: Exchange, path: string): unknown {
  const chain = path.startsWith("[") ? `answer${path}` : `answer.${path}`;
  const [placeholder, ...more] = parseTemplate(`{{${chain}}}`).parts;
  if (typeof placeholder !== "object" || more.length > 0) {
    throw new SyntaxError(
      `Cannot paginate by "${path}": it is not a path such as data.items or [0].id`,
    );
  }
  return resolvePlaceholder(placeholder, new Map<string, Value>([["answer", json]]));
}
