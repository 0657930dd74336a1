import { shorten } from "../interpolation/mod.ts";
import type { CurlPiece } from "./command.ts";

/** JSON whose values are pieces of a body: texts with placeholders, and files. */
export type JsonNode =
  | { readonly kind: "object"; readonly members: Map<string, JsonNode> }
  | { readonly kind: "array"; readonly elements: (JsonNode | undefined)[] }
  | { readonly kind: "value"; readonly pieces: readonly CurlPiece[] };

/** A place in an object or an array; `undefined` for one behind the last. */
type Step = string | number | undefined;

/** More would fill the memory: `a[999999999]=x`. */
const MAX_INDEX = 10_000;
const MAX_DEPTH = 100;

/**
 * Adds a value at a nested name of HTTPie, such as `user[name]`, `list[]`, `[0][a]`.
 *
 * @param report Called with a name that cannot be read, or a place that is in another kind of value.
 * @returns The root, which is made for the first member.
 * @see https://httpie.io/docs/cli/nested-json
 */
export function addMember(
  root: JsonNode | undefined,
  name: string,
  pieces: readonly CurlPiece[],
  report: (message: string, hint: string) => void,
): JsonNode {
  const path = parseName(name);
  const whole = root ?? nodeFor(path?.[0]);
  if (path === undefined) {
    const hint = `Write it as a[b][0][], with fewer than ${MAX_DEPTH} brackets`;
    report(`The name "${shorten(name)}" is not nested as HTTPie nests`, hint);
    return whole;
  }
  let node = whole;
  for (const [depth, step] of path.entries()) {
    const isLast = depth === path.length - 1;
    if (nodeFor(step).kind !== node.kind) {
      const wanted = typeof step === "string" ? "object" : "array";
      report(
        `"${shorten(name)}" needs an ${wanted}, where another item has none`,
        "Change one of the names",
      );
      return whole;
    }
    const make = (): JsonNode => (isLast ? { kind: "value", pieces } : nodeFor(path[depth + 1]));
    if (node.kind === "object") {
      const known = node.members.get(String(step));
      const next = isLast || known === undefined ? make() : known;
      node.members.set(String(step), next);
      node = next;
    } else if (node.kind === "array") {
      const index = step === undefined ? node.elements.length : Number(step);
      if (index > MAX_INDEX || index < 0) {
        report(`The index ${step} is not possible`, `Write one of 0 to ${MAX_INDEX}`);
        return whole;
      }
      while (node.elements.length <= index) node.elements.push(undefined);
      const known = node.elements[index];
      const next = isLast || known === undefined ? make() : known;
      node.elements[index] = next;
      node = next;
    }
  }
  return whole;
}

/** What a place is in. */
function nodeFor(step: Step): JsonNode {
  return typeof step === "string"
    ? { kind: "object", members: new Map() }
    : { kind: "array", elements: [] };
}

const LITERAL = String.raw`(?:\\[\s\S]|[^[\]\\])*`;
const NAME = new RegExp(`^(${LITERAL})((?:\\[${LITERAL}\\])*)$`);

function parseName(name: string): readonly Step[] | undefined {
  const [, first, rest = ""] = NAME.exec(name) ?? [];
  if (first === undefined || rest.split("[").length > MAX_DEPTH) return undefined;
  const steps = Array.from(rest.matchAll(new RegExp(`\\[(${LITERAL})\\]`, "g")), ([, text = ""]) =>
    text === "" ? undefined : /^-?\d+$/.test(text) ? Number(text) : plainStep(text),
  );
  // A list as the whole begins with a bracket, and cannot have a name.
  const isList = first === "" && rest !== "" && typeof steps[0] !== "string";
  return isList ? steps : [plainStep(first), ...steps];
}

/** A backslash before a bracket or a backslash is none, and before a number makes it a text. */
function plainStep(text: string): string {
  return /^\\-?\d+$/.test(text) ? text.slice(1) : text.replace(/\\([[\]\\])/g, "$1");
}

/** The pieces of a value. */
export function writeNode(node: JsonNode): readonly CurlPiece[] {
  if (node.kind === "value") return node.pieces;
  const [open, close] = node.kind === "object" ? "{}" : "[]";
  const parts =
    node.kind === "object"
      ? Array.from(node.members, ([name, member]) => [
          { text: `${quoteJson(name)}: ` },
          ...writeNode(member),
        ])
      : node.elements.map((element) => (element ? writeNode(element) : [{ text: "null" }]));
  const joined = parts.flatMap((part, index) => (index === 0 ? part : [{ text: ", " }, ...part]));
  return [{ text: open as string }, ...joined, { text: close as string }];
}

/** A JSON string in which placeholders stay as they are. */
export function quoteJson(text: string): string {
  const parts = text.split(/(\{\{[^{}]*\}\})/);
  return `"${parts.map((part, index) => (index % 2 === 1 ? part : JSON.stringify(part).slice(1, -1))).join("")}"`;
}
