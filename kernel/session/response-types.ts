import { isNumberText } from "../../lib/interpolation/mod.ts";
import type { Exchange, Responses } from "../../lib/mod.ts";
import { loadLargeModule } from "../platform/mod.ts";
import type { ClientPlatform } from "./client-options.ts";
import type { Compiler } from "./compiler/mod.ts";

/** Answers larger than this are not looked into for a type: it would cost what nobody asked for. */
const LARGEST_ANSWER = 1024 * 1024;
const DEPTH = 8;
const KEYS = 100;
const ELEMENTS = 50;
/** Together, in characters: a program with more would be slow to check. */
const LONGEST_TYPE = 20_000;
/** More of them would be read anew for each cell that looks at responses. */
const MOST_RESPONSES = 300;

const texts = new WeakMap<Exchange, string>();

/**
 * Declares the answers of named requests, each with the type of the body that came, as they stand
 * in `declare global`. A type that would be too long, of a body that is not JSON, or of one before the last
 * {@link MOST_RESPONSES} names is `any`.
 *
 * @param responses The answers, by name.
 * @returns An interface `RestlabResponses`.
 */
export function declareResponses(responses: Responses): string {
  const members = Object.entries(responses)
    .slice(-MOST_RESPONSES)
    .map(([name, exchange]) => {
      const type = `Omit<import("restlab").Exchange, "json"> & { readonly json: ${typeOf(exchange)} }`;
      return `    readonly ${keyText(name)}: ${type};\n`;
    });
  const any = '    readonly [name: string]: import("restlab").Exchange;\n';
  return `  interface RestlabResponses {\n${members.join("")}${any}  }\n`;
}

function typeOf(exchange: Exchange): string {
  let text = texts.get(exchange);
  if (text === undefined) {
    text = exchange.sizes.response.body > LARGEST_ANSWER ? "any" : typeOfBody(exchange);
    if (text.length > LONGEST_TYPE) text = "any";
    texts.set(exchange, text);
  }
  return text;
}

function typeOfBody(exchange: Exchange): string {
  try {
    const { json } = exchange;
    return json === undefined ? "any" : typeText([json], 0);
  } catch {
    return "any"; // It is not JSON: there is nothing to derive a type from.
  }
}

/** The type of values that stand in the same place: those of one place of a list's elements. */
function typeText(values: readonly unknown[], depth: number): string {
  const kinds = new Set<string>();
  const lists: unknown[] = [];
  const objects: object[] = [];
  let hasList = false;
  for (const value of values) {
    if (Array.isArray(value)) {
      hasList = true;
      lists.push(...value.slice(0, ELEMENTS));
    } else if (typeof value === "object" && value !== null && !isNumberText(value)) {
      objects.push(value);
    } else kinds.add(scalarType(value));
  }
  if (hasList) kinds.add(depth >= DEPTH ? "any[]" : `(${elementType(lists, depth)})[]`);
  if (objects.length > 0) kinds.add(depth >= DEPTH ? "any" : objectType(objects, depth));
  return [...kinds].join(" | ");
}

function elementType(values: readonly unknown[], depth: number): string {
  return values.length === 0 ? "any" : typeText(values.slice(0, ELEMENTS), depth + 1);
}

function objectType(objects: readonly object[], depth: number): string {
  const values = new Map<string, unknown[]>();
  for (const object of objects) {
    for (const [key, value] of Object.entries(object)) {
      const known = values.get(key);
      if (known !== undefined) known.push(value);
      else if (values.size < KEYS) values.set(key, [value]);
      else return "any";
    }
  }
  const members = Array.from(values, ([key, found]) => {
    const mark = found.length < objects.length ? "?" : "";
    return `${keyText(key)}${mark}: ${typeText(found, depth + 1)}`;
  });
  return `{ ${members.join("; ")} }`;
}

function scalarType(value: unknown): string {
  if (value === null) return "null";
  if (typeof value === "object") return 'import("restlab").NumberText';
  return typeof value;
}

function keyText(key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key);
}

/**
 * Finds the variables that TypeScript cells declare, without running them.
 *
 * @param codes The texts of the cells.
 * @returns The names, by cell.
 */
export async function declaredVariables(
  codes: readonly string[],
  { environment }: Pick<ClientPlatform, "environment">,
): Promise<readonly (readonly string[])[]> {
  const { createCellSyntax, findCompiler } = await import("./compiler/mod.ts");
  const { exports } = await loadLargeModule(findCompiler(), environment, async () => undefined);
  const syntax = createCellSyntax(exports as Compiler);
  return codes.map((code) => syntax.declaredVariables(code));
}
