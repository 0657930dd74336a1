import { describeResponse, type Exchange, withJson } from "../exchange/mod.ts";
import { pathText, shorten } from "../interpolation/mod.ts";

/** What a value has that does not match a schema. */
export interface SchemaIssue {
  /** What is wrong. */
  readonly message: string;
  /** Where it is in the value: member names and indexes, or objects with one as their `key`. */
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** The value as a schema makes it, or what does not match. */
export type SchemaResult<Output = unknown> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly SchemaIssue[] };

/**
 * A schema of Zod, Valibot, ArkType and others.
 *
 * @see https://standardschema.dev
 */
export interface StandardSchema<Output = unknown> {
  /** The properties of the standard. */
  readonly "~standard": {
    /** The version of the standard. */
    readonly version: 1;
    /** The library that made the schema. */
    readonly vendor: string;
    /** Returns the value as the schema makes it, or what does not match. */
    readonly validate: (value: unknown) => SchemaResult<Output> | Promise<SchemaResult<Output>>;
  };
}

/** An option of calls whose responses have a known shape. */
export interface SchemaOption<Body = unknown> {
  /** Checks the body of every response, also of one with an error status; `json` is what it returns. */
  readonly schema?: StandardSchema<Body> | undefined;
}

/**
 * The body of a response does not match the schema of the call.
 *
 * @example
 * ```ts
 * const validate = (value) =>
 *   typeof value.id === "string" ? { value } : { issues: [{ message: "expected a string", path: ["id"] }] };
 * const schema = { "~standard": { version: 1, vendor: "example", validate } };
 * const error = await client.send("GET http://127.0.0.1:8787/users/1", { schema }).catch((thrown) => thrown);
 * error instanceof SchemaError; // true
 * error.message.split("\n").at(-1); // "  $.id: expected a string"
 * ```
 */
export class SchemaError extends Error {
  /** Always `SchemaError`. */
  override readonly name = "SchemaError";
  /** The exchange whose body it is. */
  readonly exchange: Exchange;
  /** What does not match. */
  readonly issues: readonly SchemaIssue[];

  /**
   * Creates the error; its message lists the issues.
   *
   * @param what The value that does not match.
   * @param exchange The exchange whose body it is.
   * @param issues What does not match.
   */
  constructor(what: string, exchange: Exchange, issues: readonly SchemaIssue[]) {
    const lines = issues.slice(0, MAX_ISSUES).map(describeIssue);
    const more = issues.length > MAX_ISSUES ? [`… and ${issues.length - MAX_ISSUES} more`] : [];
    super([`${what} does not match the schema:`, ...lines, ...more].join("\n  "));
    this.exchange = exchange;
    this.issues = issues;
  }
}

const MAX_ISSUES = 20;
const MAX_MESSAGE = 500;

function describeIssue({ message, path = [] }: SchemaIssue): string {
  const keys = path.map((part) => (typeof part === "object" ? part.key : part));
  const place = pathText(keys.map((key) => (typeof key === "symbol" ? String(key) : key)));
  return `${place}: ${shorten(message, MAX_MESSAGE)}`;
}

/**
 * Refuses what is no schema before anything is sent.
 *
 * @throws {TypeError} It has no `~standard.validate`.
 */
export function checkSchema(schema: StandardSchema | undefined): void {
  if (schema === undefined || typeof schema?.["~standard"]?.validate === "function") return;
  throw new TypeError(
    "Cannot use this schema: it is not a Standard Schema, as those of Zod, Valibot and ArkType are",
  );
}

/**
 * The exchange with the body that a schema makes of its own.
 *
 * @throws {SchemaError} The body does not match.
 */
export async function checkBody<Body>(
  exchange: Exchange,
  schema: StandardSchema<Body>,
): Promise<Exchange<Body>> {
  const what = `${describeResponse(exchange)}, whose body`;
  return withJson(exchange, await checkValue(exchange.json, what, exchange, schema));
}

/**
 * A value of a body as a schema makes it.
 *
 * @param what What the value is, for the message.
 * @throws {SchemaError} It does not match.
 */
export async function checkValue<Output>(
  value: unknown,
  what: string,
  exchange: Exchange,
  schema: StandardSchema<Output>,
): Promise<Output> {
  const result = await schema["~standard"].validate(value);
  if (result.issues !== undefined) throw new SchemaError(what, exchange, result.issues);
  return result.value;
}
