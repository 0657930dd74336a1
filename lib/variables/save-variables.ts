import {
  isObjectValue,
  messageOf,
  objectOf,
  renderJson,
  type Value,
  writtenEntries,
} from "../interpolation/mod.ts";
import { parseWrittenJson } from "../json/mod.ts";
import { EnvironmentError } from "./errors.ts";
import type { ScopeOptions } from "./scope.ts";
import type { VariableStore } from "./variables.ts";

/** What `client.save` and `client.load` did. */
export interface SavedVariables {
  /** The file. */
  readonly path: string;
  /** The names of the variables in it. */
  readonly names: readonly string[];
  /**
   * The names of secret variables, which are never written. It is not called `secrets`, since displays
   * would mask the names under that key.
   */
  readonly leftOut: readonly string[];
}

/** The default file of saved variables. */
const SAVED_PATH = "restlab.vars.json";

/**
 * Writes the variables that were set to a file, with their types and without secrets.
 *
 * @param mask Changes a text that contains a secret.
 * @throws {EnvironmentError} The file cannot be written, or the client has no access to files.
 */
export async function saveVariables(
  path: string = SAVED_PATH,
  variables: VariableStore,
  { writeFile }: ScopeOptions,
  mask: (text: string) => string,
): Promise<SavedVariables> {
  if (writeFile === undefined) {
    throw new EnvironmentError(
      `Cannot save the variables to "${path}": this client has no access to files; give createClient a writeFile function`,
    );
  }
  const names: string[] = [];
  const isOwn = (name: string): boolean => variables.origin(name)?.kind !== "environment";
  const leftOut = variables.references.waitingNames(variables).filter(isOwn);
  const kept: Record<string, Value> = Object.create(null);
  for (const [name, value] of variables.values) {
    const origin = variables.origin(name);
    if (origin === undefined || !isOwn(name)) continue;
    // A value whose name is not secret may contain a secret, for example of a response.
    const text = renderJson(value);
    if (origin.secret || mask(text) !== text) leftOut.push(name);
    else {
      names.push(name);
      kept[name] = toTagged(value);
    }
  }
  try {
    await writeFile(path, `${renderJson(kept, 2)}\n`);
  } catch (cause) {
    const state = messageOf(cause);
    throw new EnvironmentError(`Cannot save the variables to "${path}": ${state}`, { cause });
  }
  return { path, names, leftOut };
}

/**
 * Sets the variables of a saved file.
 *
 * @throws {EnvironmentError} The file cannot be read, or does not contain variables.
 */
export async function loadVariables(
  path: string = SAVED_PATH,
  variables: VariableStore,
  readFile: ((path: string) => Promise<Uint8Array>) | undefined,
): Promise<SavedVariables> {
  const fail = (state: string, cause?: unknown): EnvironmentError =>
    new EnvironmentError(`Cannot load the variables of "${path}": ${state}`, { cause });
  if (readFile === undefined) {
    throw fail("this client has no access to files; give createClient a readFile function");
  }
  try {
    const text = new TextDecoder().decode(await readFile(path));
    const read = fromTagged(parseWrittenJson(text));
    if (!isObjectValue(read)) throw fail("it is not a JSON object of variables");
    const entries = Object.entries(read);
    for (const [name, value] of entries) variables.set(name, value, {}, "saved");
    return { path, names: entries.map(([name]) => name), leftOut: [] };
  } catch (error) {
    if (error instanceof EnvironmentError) throw error;
    throw fail(messageOf(error), error);
  }
}

/**
 * In our files, values that JSON lacks are objects with one key: `{"$date": "2024-01-02T…Z"}` and
 * `{"$bigint": "12"}`. Other objects with such a key are written as `{"$object": …}`.
 */
const TAG = /^\$(?:date|bigint|object)$/;

/** Replaces values that JSON lacks by tagged objects. */
function toTagged(value: Value): Value {
  if (typeof value === "bigint") return { $bigint: String(value) };
  if (value instanceof Date) return { $date: value.toISOString() };
  if (Array.isArray(value)) return value.map(toTagged);
  if (!isObjectValue(value)) return value;
  const object = mapValues(value, toTagged);
  const [key, ...more] = Object.keys(object);
  return key !== undefined && more.length === 0 && TAG.test(key) ? { $object: object } : object;
}

/**
 * Replaces tagged objects by their values.
 *
 * @throws {TypeError} The content of a tag is not a date or an integer.
 */
export function fromTagged(value: Value): Value {
  if (Array.isArray(value)) return value.map(fromTagged);
  if (!isObjectValue(value)) return value;
  const [key, ...more] = Object.keys(value);
  if (key === undefined || more.length > 0 || !TAG.test(key)) return mapValues(value, fromTagged);
  const content = value[key] ?? null;
  if (key === "$date") return toDate(content);
  if (key === "$bigint") return toBigInt(content);
  return isObjectValue(content) ? mapValues(content, fromTagged) : value;
}

function toDate(content: Value): Date {
  const date = new Date(typeof content === "string" ? content : Number.NaN);
  if (Number.isNaN(date.getTime())) {
    throw new TypeError(`"$date" is not a date: ${JSON.stringify(content)}`);
  }
  return date;
}

function toBigInt(content: Value): bigint {
  if (typeof content === "string" && /^-?\d+$/.test(content)) return BigInt(content);
  throw new TypeError(`"$bigint" is not an integer: ${JSON.stringify(content)}`);
}

function mapValues(
  object: { readonly [key: string]: Value },
  change: (value: Value) => Value,
): { readonly [key: string]: Value } {
  return objectOf(writtenEntries(object).map(([key, value]) => [key, change(value)]));
}
