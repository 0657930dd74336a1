import { isNumberText, pathText, type Value, valueAt } from "../../lib/interpolation/mod.ts";
import { isExchange } from "../../lib/mod.ts";
import { checkJson, type SchemaIssue } from "./json-schema.ts";
import type { MatcherContext, Verdict } from "./response-matchers.ts";

/** What a Standard Schema has as `~standard`; see https://standardschema.dev. */
interface StandardSchema {
  validate(value: unknown): StandardResult | PromiseLike<StandardResult>;
}

interface StandardResult {
  readonly issues?: readonly StandardIssue[];
}

interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[];
}

/**
 * The matcher of schemas: a JSON Schema, or a Standard Schema, which may be asynchronous. Of a response the JSON
 * of its body is checked.
 */
export function toMatchSchema(
  this: MatcherContext,
  received: unknown,
  schema: unknown,
): Verdict | Promise<Verdict> {
  const value: unknown = isExchange(received) ? received.json : received;
  const toVerdict = (issue: SchemaIssue | undefined): Verdict => describe(this, value, issue);
  const standard = standardOf(schema);
  if (standard === undefined) return toVerdict(checkJson(schema, toJson(value)));
  const result = standard.validate(value);
  return "then" in result
    ? Promise.resolve(result).then((settled) => toVerdict(firstIssue(settled)))
    : toVerdict(firstIssue(result));
}

function standardOf(schema: unknown): StandardSchema | undefined {
  // The schemas of some libraries are functions.
  if ((typeof schema !== "object" && typeof schema !== "function") || schema === null) {
    return undefined;
  }
  const props: unknown = Reflect.get(schema, "~standard");
  const validate: unknown = Reflect.get(Object(props), "validate");
  return typeof validate === "function" ? (props as StandardSchema) : undefined;
}

function firstIssue({ issues }: StandardResult): SchemaIssue | undefined {
  const [first] = issues ?? [];
  if (issues === undefined) return undefined;
  const path = (first?.path ?? []).map((step) => {
    const key = typeof step === "object" ? step.key : step;
    return typeof key === "symbol" ? String(key) : key;
  });
  return { path, message: first?.message ?? "The value is not valid" };
}

/** The value as JSON: numbers whose digits were kept are numbers, dates are strings. */
function toJson(value: unknown): string {
  const text = JSON.stringify(value, function (this: Record<string, unknown>, key, one: unknown) {
    const original = this[key];
    const isNumber = typeof original === "bigint" || isNumberText(Object(original) as object);
    return isNumber ? Number(String(original)) : one;
  });
  if (text !== undefined) return text;
  throw new TypeError("Calling toMatchSchema failed: the value is not JSON; the body may be empty");
}

function describe(
  { isNot }: MatcherContext,
  value: unknown,
  issue: SchemaIssue | undefined,
): Verdict {
  if (issue === undefined) {
    const message = isNot ? "Expected the value not to match the schema" : "";
    return { pass: true, message: () => message };
  }
  const path = pathText(issue.path);
  const message = `The value does not match the schema at ${path}: ${issue.message}`;
  const actual = valueAt(value as Value, { steps: issue.path });
  return { pass: false, message: () => message, actual, meta: { path } };
}
