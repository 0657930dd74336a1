import { escapeBraces } from "../../interpolation/mod.ts";
import { HttpieError } from "./errors.ts";
import type { Item, Separator } from "./item.ts";
import type { Parts } from "./words.ts";

/** Reads the text of a file. */
export type ReadText = (path: string) => Promise<string>;

/** The arguments of curl for headers and the query. */
export const HEAD: { readonly [S in Separator]?: (item: Item) => readonly string[] } = {
  ":": ({ name, value }) => ["-H", value === "" ? `${name}:` : `${name}: ${value}`],
  ";": ({ name }) => ["-H", `${name};`],
  "==": ({ name, value }) => ["--url-query", `${name}=${value}`],
};

const REFUSED: ReadonlySet<Separator> = new Set([":@", "==@"]);

/** The arguments of curl for the body. */
export async function dataOf(
  { kind, items }: Parts,
  readText: ReadText,
): Promise<readonly string[]> {
  const refused = items.find(({ separator }) => REFUSED.has(separator));
  if (refused !== undefined) {
    const { name, separator, value } = refused;
    throw new HttpieError(`"${name}${separator}${value}" is not supported: write the value itself`);
  }
  const fields = items.filter(({ separator }) => HEAD[separator] === undefined);
  if (fields.length === 0) return [];
  const whole = fields.find(({ separator, name }) => separator === "@" && name === "");
  if (whole !== undefined) {
    if (fields.length > 1) {
      throw new HttpieError(`"@${whole.value}" is the whole body: remove the other items`);
    }
    const type = whole.value.endsWith(".json") ? "application/json" : "application/octet-stream";
    return [
      ...(hasHeader(items, "content-type") ? [] : ["-H", `Content-Type: ${type}`]),
      "--data-binary",
      `@${whole.value}`,
    ];
  }
  if (kind === "multipart" || fields.some(({ separator }) => separator === "@")) {
    return (await Promise.all(fields.map((item) => toPart(item, readText)))).flat();
  }
  if (kind === "form") return fields.flatMap(toField);
  const members = await Promise.all(fields.map((item) => toMember(item, readText)));
  const accept = hasHeader(items, "accept") ? [] : ["-H", "Accept: application/json, */*;q=0.5"];
  return [...accept, "--json", `{${members.join(", ")}}`];
}

function hasHeader(items: readonly Item[], lowerName: string): boolean {
  return items.some(({ separator, name }) => separator === ":" && name.toLowerCase() === lowerName);
}

async function toPart(
  { separator, name, value }: Item,
  readText: ReadText,
): Promise<readonly string[]> {
  if (separator === "@") return ["-F", `${name}=@${value}`];
  if (separator === "=@") return ["-F", `${name}=<${value}`];
  const text = separator === ":=@" ? escapeBraces(await readText(value)) : value;
  return ["--form-string", `${name}=${text}`];
}

function toField({ separator, name, value }: Item): readonly string[] {
  const isFile = separator === "=@" || separator === ":=@";
  return ["--data-urlencode", isFile ? `${name}@${value}` : `${name}=${value}`];
}

async function toMember({ separator, name, value }: Item, readText: ReadText): Promise<string> {
  if (/\[.*\]$/.test(name)) {
    const key = name.replace(/\[.*$/, "") || "name";
    throw new HttpieError(`The nested name "${name}" is not supported: write ${key}:='{…}'`);
  }
  const key = JSON.stringify(name);
  if (separator === "=") return `${key}: ${quote(value)}`;
  if (separator === "=@") return `${key}: ${escapeJson(JSON.stringify(await readText(value)))}`;
  if (separator === ":=@")
    return `${key}: ${escapeJson(checkJson(await readText(value), `The file "${value}"`))}`;
  return `${key}: ${value.includes("{{") ? value : checkJson(value, `The value of "${name}"`)}`;
}

function checkJson(text: string, what: string): string {
  try {
    JSON.parse(text);
  } catch {
    throw new HttpieError(`${what} is not JSON: write text with = in place of :=`);
  }
  return text.trim();
}

/** A JSON string in which placeholders stay as they are. */
function quote(text: string): string {
  const parts = text.split(/(\{\{[^{}]*\}\})/);
  return `"${parts.map((part, index) => (index % 2 === 1 ? part : JSON.stringify(part).slice(1, -1))).join("")}"`;
}

/** Double braces of a file are not placeholders. In JSON they occur in strings alone. */
const escapeJson = (json: string): string => json.replace(/\{(?=\{)/g, "\\u007b");
