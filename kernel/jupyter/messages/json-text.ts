/**
 * Renders a value as JSON text that every front end can read, whatever a cell put into it.
 *
 * Jupyter Server drops a message with half of a surrogate pair in it, because such text has no
 * UTF-8; a bigint or a cycle would throw. Those alone are paid for with a slower second pass.
 *
 * @param value A dict of a message.
 */
export function renderJson(value: unknown): string {
  try {
    const text = JSON.stringify(value);
    if (!LONE_SURROGATE.test(text)) return text;
  } catch {
    // The second pass deals with what cannot be written.
  }
  return JSON.stringify(toPlain(value, []));
}

/** `JSON.stringify` escapes a lone surrogate, and nothing else, in this way. */
const LONE_SURROGATE = /\\ud[89a-f]/;

/** The second pass must not run out of stack where the first one did. */
const DEEPEST = 200;

function toPlain(value: unknown, parents: readonly unknown[]): unknown {
  if (typeof value === "string") return toWellFormed(value);
  if (typeof value === "bigint") return toNumberOrText(value);
  if (typeof value !== "object" || value === null) return value;
  if (parents.includes(value)) return "[Circular]";
  if (parents.length > DEEPEST) return "[Too deep]";
  const path = [...parents, value];
  try {
    if ("toJSON" in value && typeof value.toJSON === "function") {
      return toPlain(value.toJSON(), path);
    }
    if (Array.isArray(value)) return value.map((item) => toPlain(item, path));
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [toWellFormed(key), toPlain(item, path)]),
    );
  } catch (error) {
    // A getter or `toJSON` of the user's: the rest of the message must still arrive.
    return `[${String(error instanceof Error ? error.message : error)}]`;
  }
}

function toNumberOrText(value: bigint): number | string {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value.toString();
}

/** With the `u` flag only surrogates without a partner are characters of their own. */
function toWellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, "\ufffd");
}
