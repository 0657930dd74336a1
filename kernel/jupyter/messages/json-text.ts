/**
 * Renders a dict of a message as JSON that every front end can read, whatever a cell put into it.
 *
 * Jupyter Server drops a message with a lone surrogate, which UTF-8 cannot represent, and a bigint or
 * a cycle would throw. Only those need a slower second pass.
 */
export function renderJson(value: unknown): string {
  try {
    const text = JSON.stringify(value);
    if (!LONE_SURROGATE.test(text)) return text;
  } catch {
    // The second pass replaces what JSON cannot represent.
  }
  return JSON.stringify(toPlain(value, []));
}

/** `JSON.stringify` escapes only lone surrogates in this way. */
const LONE_SURROGATE = /\\ud[89a-f]/;

/** The second pass must not overflow the stack like the first. */
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
    // A getter or `toJSON` has thrown: the rest of the message must still arrive.
    return `[${String(error instanceof Error ? error.message : error)}]`;
  }
}

function toNumberOrText(value: bigint): number | string {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value.toString();
}

/** With the `u` flag only lone surrogates match. */
function toWellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, "\ufffd");
}
