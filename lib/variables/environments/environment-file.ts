import type { Value } from "../../interpolation/mod.ts";
import {
  type JsonEntries,
  type JsonNode,
  parseCommentedJson,
  valueOfNode,
} from "./commented-json.ts";
import { EnvironmentError } from "./errors.ts";
import { fromTagged } from "./typed-values.ts";

/** A file of environments: how it is named, and what it may contain. */
export interface EnvironmentFile {
  readonly name: string;
  readonly secret: boolean;
  /** Whether it may contain dates and bigints. */
  readonly typed: boolean;
  /** The key of the environments, where they are not the whole file. */
  readonly key?: string;
}

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

/** The variables of each environment of a file. */
export type Environments = ReadonlyMap<string, JsonEntries>;

/**
 * Reads a file of environments. Whatever is not an object at its top, such as `$schema`, is not an environment.
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
  const found = new Map<string, JsonEntries>();
  for (const [name, inner] of entries) {
    if (inner.kind === "object") found.set(name, inner.entries);
  }
  return found;
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
