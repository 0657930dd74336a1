import { isJsonNumber, pathText, type Value, valueAt } from "../../lib/interpolation/mod.ts";
import {
  isExchange,
  type MatcherContext,
  type SchemaResult,
  type StandardSchema,
  type MatcherVerdict as Verdict,
} from "../../lib/mod.ts";
import type { SchemaFault } from "../../lib/schema/mod.ts";
import { checkJson } from "./json-schema.ts";

type Standard = StandardSchema["~standard"];

/**
 * The matcher of schemas: a JSON Schema, or a Standard Schema, which may be asynchronous. Of a response the JSON
 * of its body is checked.
 */
export function toMatchSchema(
  this: Pick<MatcherContext, "isNot">,
  received: unknown,
  schema: unknown,
): Verdict | Promise<Verdict> {
  const value: unknown = isExchange(received) ? received.json : received;
  const toVerdict = (issue: SchemaFault | undefined): Verdict => describe(this, value, issue);
  const standard = standardOf(schema);
  if (standard === undefined) {
    const { json, size } = toJson(value);
    return toVerdict(checkJson(schema, json, size));
  }
  const result = standard.validate(value);
  return "then" in result
    ? Promise.resolve(result).then((settled) => toVerdict(firstIssue(settled)))
    : toVerdict(firstIssue(result));
}

function standardOf(schema: unknown): Standard | undefined {
  // The schemas of some libraries are functions.
  if ((typeof schema !== "object" && typeof schema !== "function") || schema === null) {
    return undefined;
  }
  const props: unknown = Reflect.get(schema, "~standard");
  const validate: unknown = Reflect.get(Object(props), "validate");
  return typeof validate === "function" ? (props as Standard) : undefined;
}

function firstIssue({ issues }: SchemaResult): SchemaFault | undefined {
  const [first] = issues ?? [];
  if (issues === undefined) return undefined;
  const path = (first?.path ?? []).map((step) => {
    const key = typeof step === "object" ? step.key : step;
    return typeof key === "symbol" ? String(key) : key;
  });
  return { path, message: first?.message ?? "The value is not valid" };
}

/** The value as JSON, and how many characters it has: dates are strings, and numbers keep their digits. */
function toJson(value: unknown): { readonly json: unknown; readonly size: number } {
  const numbers = new Map<string, unknown>();
  const mark = crypto.randomUUID();
  const text = JSON.stringify(value, function (this: Record<string, unknown>, key, one: unknown) {
    const original = this[key];
    if (typeof original === "number" || !isJsonNumber(original)) return one;
    const name = mark + numbers.size;
    numbers.set(name, original);
    return name;
  });
  if (text === undefined) {
    throw new TypeError(
      "Calling toMatchSchema failed: the value is not JSON; the body may be empty",
    );
  }
  const restore = (_key: string, one: unknown): unknown =>
    typeof one === "string" ? (numbers.get(one) ?? one) : one;
  const json = JSON.parse(text, numbers.size === 0 ? undefined : restore);
  return { json, size: text.length };
}

function describe(
  { isNot }: Pick<MatcherContext, "isNot">,
  value: unknown,
  issue: SchemaFault | undefined,
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
