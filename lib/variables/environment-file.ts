import { type Node, type ParseError, type ParseErrorCode, parseTree } from "jsonc-parser";
import { objectOf, parseWrittenNumber, shorten, type Value } from "../interpolation/mod.ts";
import { EnvironmentError } from "./errors.ts";
import { fromTagged } from "./save-variables.ts";

/** A file of environments: how it is named, and what it may contain. */
export interface EnvironmentFile {
  readonly name: string;
  readonly secret: boolean;
  /** Whether it may contain dates and bigints. */
  readonly typed: boolean;
  /** The key of the environments, where they are not the whole file. */
  readonly key?: string;
}

/** The environment that applies to all others. */
export const SHARED = "$shared";
/** Its name in newer files of kulala. */
const KULALA_SHARED = "$kulalaShared";

/** Later files take precedence. */
export const FILES: readonly EnvironmentFile[] = [
  {
    name: ".vscode/settings.json",
    secret: false,
    typed: false,
    key: "rest-client.environmentVariables",
  },
  { name: ".httpyac.json", secret: false, typed: false, key: "environments" },
  { name: "httpyac.config.json", secret: false, typed: false, key: "environments" },
  // The names of JetBrains' files until 2020.
  { name: "rest-client.env.json", secret: false, typed: false },
  { name: "rest-client.private.env.json", secret: true, typed: false },
  { name: "http-client.env.json", secret: false, typed: false },
  { name: "http-client.private.env.json", secret: true, typed: false },
  { name: "restlab.env.json", secret: false, typed: true },
  { name: "restlab.private.env.json", secret: true, typed: true },
];

/** Files of `KEY=value` lines, also in the folder `env` of httpYac. Later ones take precedence. */
export function dotenvNames(environment?: string): readonly string[] {
  const names =
    environment === undefined ? [".env"] : [`.env.${environment}`, `${environment}.env`];
  return names.flatMap((name) => [`env/${name}`, name]);
}

/** The variables of each environment of a file; the line of what is not an object. */
export type Environments = ReadonlyMap<string, JsonEntries | number>;

/** A file and the environments in it. */
export interface Section {
  readonly file: EnvironmentFile;
  readonly shown: string;
  readonly environments: Environments;
}

/**
 * Reads a file of environments. Whatever is not an object at its top, such as `$schema`, is no environment.
 *
 * @returns Nothing where the file is not about environments.
 * @throws {EnvironmentError} Its braces cannot be read.
 */
export function parseEnvironments(
  { key }: EnvironmentFile,
  text: string,
  shown: string,
): Environments | undefined {
  // The settings of an editor are not ours to complain about, unless they have environments.
  if (key !== undefined && !text.includes(key)) return undefined;
  const root = readFile(text, shown);
  const node = key === undefined ? root : entriesOf(root)?.get(key);
  if (node === undefined) return undefined;
  const entries = entriesOf(node);
  if (entries === undefined) {
    throw new EnvironmentError(`Cannot use "${shown}": it is not a JSON object of environments`);
  }
  const environments = new Map<string, JsonEntries | number>();
  for (const [written, inner] of entries) {
    const name = written === KULALA_SHARED ? SHARED : written;
    const before = environments.get(name);
    const own = entriesOf(inner) ?? inner.line;
    const areBoth = typeof before === "object" && typeof own === "object";
    environments.set(name, areBoth ? new Map([...before, ...own]) : own);
  }
  return environments;
}

/**
 * The value of a variable.
 *
 * @throws {SyntaxError | TypeError} It cannot be read.
 */
export function readVariable({ typed }: EnvironmentFile, node: JsonNode): Value {
  const value = valueOfNode(node);
  return typed ? fromTagged(value) : value;
}

function readFile(text: string, shown: string): JsonNode {
  const written = text.replace(/^\uFEFF/, "");
  if (written.trim() === "") return { kind: "object", line: 1, entries: new Map() };
  try {
    return parseCommentedJson(written);
  } catch (cause) {
    throw new EnvironmentError(`Cannot use "${shown}": ${(cause as Error).message}`);
  }
}

function entriesOf(node: JsonNode): JsonEntries | undefined {
  return node.kind === "object" ? node.entries : undefined;
}

/** A part of a JSON text, and the line on which it begins, from 1. */
export type JsonNode =
  | { readonly kind: "value"; readonly line: number; readonly value: Value }
  | { readonly kind: "object"; readonly line: number; readonly entries: JsonEntries }
  /** It is invalid; what surrounds it is not. */
  | { readonly kind: "broken"; readonly line: number; readonly problem: string };

type JsonEntries = ReadonlyMap<string, JsonNode>;

/** A comma is missing; jsonc-parser has its codes as a constant enumeration. */
const COMMA = 6;

/** Errors that leave open which names have which values. */
const STRUCTURE: Partial<Record<ParseErrorCode, string>> = {
  3: 'a name in double quotes is missing before ":"', // PropertyNameExpected
  5: 'a ":" is missing', // ColonExpected
  7: 'a "}" is missing', // CloseBraceExpected
  8: 'a "]" is missing', // CloseBracketExpected
  9: "something follows its last brace", // EndOfFileExpected
  11: "a comment does not end", // UnexpectedEndOfComment
};

/** Errors within a value. A tab inside a string (16) is none: editors accept it. */
const VALUE: Partial<Record<ParseErrorCode, string>> = {
  1: "its value is not valid JSON", // InvalidSymbol
  2: "its value is not valid JSON", // InvalidNumberFormat
  4: "its value is missing", // ValueExpected
  12: "its value is not valid JSON", // UnexpectedEndOfString
  14: 'a "\\" in its value has to be written as "\\\\"', // InvalidUnicode
  15: 'a "\\" in its value has to be written as "\\\\"', // InvalidEscapeCharacter
};

/**
 * Parses a JSON file that a person wrote: with comments, with commas before a closing brace, and with a text
 * for each number. A value that is invalid is a node of its own; no message quotes the text, which may be a
 * secret.
 *
 * @throws {SyntaxError} Its braces or names are invalid; the message contains the line.
 */
function parseCommentedJson(text: string): JsonNode {
  const errors: ParseError[] = [];
  const tree = parse(text, errors);
  // What is not JSON at all is better reported as a whole.
  if (tree === undefined || (errors[0] && errors[0].offset < tree.offset)) {
    return { kind: "broken", line: 1, problem: "its value is not valid JSON" };
  }
  const lineOf = (offset: number): number => text.slice(0, offset).split("\n").length;
  for (const { error, offset } of errors) {
    const problem = STRUCTURE[error];
    if (problem === undefined || (error === 3 && text[offset] !== ":")) continue;
    throw new SyntaxError(`${problem} in line ${lineOf(offset)}`);
  }
  const lineAt = createLineCounter(text);
  const treeEnd = tree.offset + tree.length;
  const explained = new Set<ParseError>();
  const node = toNode(tree);
  for (const one of errors) if (!explained.has(one)) refuseError(one);
  return node;

  /** Refuses what is no part of a value: it leaves open which names have which values. */
  function refuseError({ error, offset }: ParseError): void {
    // Commas that are repeated separate nothing.
    const isComma = text[offset] === ",";
    if ((VALUE[error] === undefined && error !== COMMA) || isComma) return;
    const line = lineOf(offset);
    if (offset >= treeEnd) throw new SyntaxError(`${STRUCTURE[9]} in line ${line}`);
    const before = lineOf(text.slice(0, offset).trimEnd().length);
    const place = before === line ? "" : `, before line ${line}`;
    if (error === COMMA) throw new SyntaxError(`a "," is missing in line ${before}${place}`);
    throw new SyntaxError(`something is not valid JSON in line ${line}`);
  }

  function toNode(node: Node): JsonNode {
    const line = lineAt(node.offset);
    if (node.type !== "object") return { kind: "value", line, value: toValue(node) };
    const entries = new Map<string, JsonNode>();
    for (const property of node.children ?? []) {
      const [key, value] = property.children ?? [];
      entries.delete(key?.value);
      entries.set(key?.value, toEntry(property, value));
    }
    return { kind: "object", line, entries };
  }

  function toEntry(property: Node, value: Node | undefined): JsonNode {
    if (value?.type === "object") return toNode(value);
    const problem = problemOf(property);
    const line = lineAt(property.offset);
    if (problem !== undefined) return { kind: "broken", line, problem };
    return value === undefined
      ? { kind: "broken", line, problem: "its value is missing" }
      : toNode(value);
  }

  function toValue({ type, value, offset, length, children = [] }: Node): Value {
    if (type === "number") return parseWrittenNumber(text.slice(offset, offset + length));
    if (type === "array") return children.map(toValue);
    if (type !== "object") return value;
    return objectOf(
      children.map(({ children: [key, inner] = [] }) => [
        key?.value,
        (inner && toValue(inner)) as Value,
      ]),
    );
  }

  function problemOf({ offset, length }: Node): string | undefined {
    const inside = errors.filter((one) => one.offset > offset && one.offset <= offset + length);
    for (const one of inside) explained.add(one);
    const problems = inside.map(({ error }) => (error === COMMA ? VALUE[1] : VALUE[error]));
    return problems.find((problem) => problem !== undefined);
  }
}

/**
 * The value of a part.
 *
 * @throws {SyntaxError} It, or something in it, is invalid.
 */
function valueOfNode(node: JsonNode): Value {
  if (node.kind === "value") return node.value;
  if (node.kind === "broken") throw new SyntaxError(node.problem);
  const reference = referenceOfProvider(node.entries);
  if (reference !== undefined) return reference;
  return objectOf(Array.from(node.entries, ([key, inner]) => [key, valueOfNode(inner)] as const));
}

/**
 * What an object stands for that names a secret as Visual Studio does
 * (https://learn.microsoft.com/aspnet/core/test/http-files): a reference.
 *
 * @throws {SyntaxError} Its provider is unknown, or cannot be used here.
 */
function referenceOfProvider(entries: JsonEntries): string | undefined {
  const textOf = (name: string): string | undefined => {
    const node = entries.get(name);
    return node?.kind === "value" && typeof node.value === "string" ? node.value : undefined;
  };
  const provider = textOf("provider");
  const secret = textOf("secretName");
  if (provider === "Encrypted") {
    throw new SyntaxError(
      'the provider "Encrypted" is of Windows and one user of it (DPAPI), and only Visual Studio can read it: use "AspnetUserSecrets", or a reference such as "op://vault/item/field"',
    );
  }
  if (provider === undefined || secret === undefined) return undefined;
  if (provider === "AspnetUserSecrets") return `aspnet-user-secrets://${secret}`;
  if (provider === "AzureKeyVault") {
    const vault = textOf("keyVaultName") ?? textOf("resourceId")?.split("/").at(-1) ?? "";
    return `azure-kv://${vault}/${secret}`;
  }
  throw new SyntaxError(
    `the provider ${JSON.stringify(shorten(provider))} is unknown: there are "AspnetUserSecrets" and "AzureKeyVault"`,
  );
}

function parse(text: string, errors: ParseError[]): Node | undefined {
  try {
    return parseTree(text, errors, { allowTrailingComma: true });
  } catch (error) {
    if (error instanceof RangeError) throw new SyntaxError("it is nested too deeply");
    throw error;
  }
}

/** Finds the lines of offsets, which may not decrease. */
function createLineCounter(text: string): (offset: number) => number {
  let at = 0;
  let line = 1;
  return (offset) => {
    for (; at < offset; at += 1) if (text[at] === "\n") line += 1;
    return line;
  };
}
