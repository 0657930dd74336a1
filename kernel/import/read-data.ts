import { parse } from "yaml";
import { findJsonFault } from "../../lib/json/mod.ts";
import { ImportError } from "./collection.ts";

/** Deeper data is a mistake, or an attack on what walks through it. */
const DEEPEST = 100;
/** Data has fewer values, unless an alias of YAML multiplies them. */
const MOST = 20_000_000;

/** The first line of content. In YAML it has a key; a file of requests with YAML in a body begins otherwise. */
const FIRST_LINE = /^[^\S\n]*[^\s#%-].{0,200}/m;
const KEY = /^\s*["']?[\w.$-]+["']?[^\S\n]*:(?:\s|$)/;
/** Beginnings of lines that the YAML of a source has. */
const YAML = /^(?:[ \t]*["']?(?:openapi|swagger)|opencollection|type|_type)["']?[ \t]*:/m;

/**
 * Parses JSON or YAML.
 *
 * @returns `undefined` if the text is neither.
 * @throws {ImportError} It begins like JSON and has a fault, or it is nested too deeply.
 */
export function parseData(text: string, name: string): unknown {
  const bare = text.replace(/^\uFEFF/, "");
  const isYaml =
    /\.ya?ml$/i.test(name) || (KEY.test(FIRST_LINE.exec(bare)?.[0] ?? "") && YAML.test(bare));
  if (!isJson(bare) && !isYaml) return undefined;
  let data: unknown;
  try {
    data = isJson(bare) ? JSON.parse(bare) : parse(bare, { logLevel: "error" });
  } catch (error) {
    const reason = isJson(bare) ? `JSON: ${jsonFault(bare, error)}` : `YAML: ${firstLine(error)}`;
    throw new ImportError(`Reading "${name}" failed: it is not ${reason}`);
  }
  checkSize(data, name);
  return data;
}

/** Whether a text begins as an object or an array of JSON, and not as a placeholder. */
export function isJson(text: string): boolean {
  return /^\s*(?:\[|\{(?!\{))/.test(text);
}

function firstLine(error: unknown): string {
  return (error as Error).message.split("\n", 1)[0]?.replace(/:$/, "") ?? "";
}

function jsonFault(text: string, error: unknown): string {
  const fault = findJsonFault(text);
  if (fault === undefined) return firstLine(error);
  const lines = text.slice(0, fault.offset).split("\n");
  return `line ${lines.length}, column ${(lines.at(-1) ?? "").length + 1}: ${fault.message}`;
}

/** An alias of YAML within its own anchor makes data without an end, several aliases data without measure. */
function checkSize(data: unknown, name: string): void {
  const stack: { readonly value: unknown; readonly depth: number }[] = [{ value: data, depth: 0 }];
  let count = 0;
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    const { value, depth } = top;
    if (typeof value !== "object" || value === null) continue;
    count += 1;
    if (depth > DEEPEST || count > MOST) {
      const what =
        depth > DEEPEST ? `is nested deeper than ${DEEPEST} levels` : "has too many values";
      throw new ImportError(`Reading "${name}" failed: it ${what}`);
    }
    for (const one of Object.values(value)) stack.push({ value: one, depth: depth + 1 });
  }
}
