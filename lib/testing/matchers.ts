import {
  type AssertionDraft,
  evaluateAssertion,
  failureDetail,
  isFailedAssertion,
} from "../assertions/mod.ts";
import { isExchange } from "../display/mod.ts";
import { describeRequest, type Exchange, maskAssertion } from "../exchange/mod.ts";
import {
  isNumberText,
  isRecord,
  pathText,
  shorten,
  type Template,
  type Value,
  valueAt,
} from "../interpolation/mod.ts";
import { compareValues, type Difference } from "../json/mod.ts";
import { parseAssertions } from "../request/mod.ts";
import {
  combineSecrets,
  createMasker,
  hideCredential,
  isCredentialHeader,
  type Masking,
  maskValue,
} from "../secrets/mod.ts";

/** What a matcher says of a value. */
export interface Verdict {
  /** Whether the value matches. */
  readonly pass: boolean;
  /** Why the assertion has failed. It has no secrets, and neither have the two values. */
  readonly message: () => string;
  /** What was expected. */
  readonly expected?: unknown;
  /** What was found. */
  readonly actual?: unknown;
  /** Where in the value it was found. */
  readonly meta?: { readonly path: string } | undefined;
}

/** What a matcher uses of its `this`, in Vitest, Jest, Bun and cells. */
export interface MatcherContext {
  /** Whether the matcher is called after `.not`. */
  readonly isNot?: boolean | undefined;
  /** Compares two values, one of which may be an asymmetric matcher. */
  equals(one: unknown, other: unknown): boolean;
  /** Tools for messages. */
  readonly utils: {
    /** Writes a value, also an asymmetric matcher, without colours. */
    stringify(value: unknown): string;
  };
}

/** A matcher, as `expect.extend` takes it. */
export type Matcher<Given extends unknown[], Result = Verdict> = (
  this: MatcherContext,
  received: unknown,
  ...given: Given
) => Result;

/** The names of the classes of status codes. */
const CLASSES: Readonly<Record<string, string>> = {
  informational: "1xx",
  success: "2xx",
  redirection: "3xx",
  "client error": "4xx",
  "server error": "5xx",
};

/** A status code, or a class of them. */
export type WantedStatus =
  | number
  | "1xx"
  | "2xx"
  | "3xx"
  | "4xx"
  | "5xx"
  | "informational"
  | "success"
  | "redirection"
  | "client error"
  | "server error";

/**
 * The matchers of {@link restlabMatchers}, for the types of `expect`. In Vitest a project declares once
 * `declare module "vitest" { interface Matchers<T = any> extends RestlabMatchers {} }`, and with Jest
 * `declare global { namespace jest { interface Matchers<R> extends RestlabMatchers<R> {} } }`.
 */
export interface RestlabMatchers<R = void> {
  /**
   * Checks the status of a response: a code, or a class of codes.
   *
   * @example
   * expect(client.last).toHaveStatus(200);
   * expect(client.last).toHaveStatus("2xx");
   * expect(client.last).not.toHaveStatus("server error");
   */
  toHaveStatus(status: WantedStatus): R;
  /** Checks that the status of a response is 200 to 299. */
  toBeSuccessful(): R;
  /**
   * Checks that a response has a header, and its value.
   *
   * @example
   * expect(client.last).toHaveHeader("ETag");
   * expect(client.last).toHaveHeader("Content-Type", /json/);
   */
  toHaveHeader(name: string, value?: string | RegExp): R;
  /** Checks that a response was received within a time. */
  toRespondWithin(milliseconds: number): R;
  /**
   * Checks the JSON of a response as `toMatchObject` does: objects may have further members, lists may not have further
   * items. Numbers are compared with all their digits.
   *
   * @example
   * expect(client.last).toHaveJson({ id: 1, name: expect.any(String) });
   */
  toHaveJson(json: unknown): R;
  /**
   * Checks a response by the assertion lines of request text. Await it. Placeholders have no values, and no JavaScript
   * is run.
   *
   * @example
   * await expect(client.last).toPass("?? status == 200\n?? body name contains Ada");
   */
  toPass(assertions: string): Promise<void>;
}

/**
 * Matchers of exchanges for the `expect` of Vitest, Jest and Bun. Their messages show no secrets.
 *
 * @example
 * ```ts
 * expect.extend(restlabMatchers);
 * const exchange = await client.send("GET http://127.0.0.1:8787/users/1");
 * expect(exchange).toHaveStatus(200);
 * expect(exchange).toHaveHeader("Content-Type", /json/);
 * expect(exchange).toHaveJson({ id: 1, name: expect.any(String) });
 * await expect(exchange).toPass("?? status == 200\n?? body name contains Ada");
 * ```
 */
export const restlabMatchers: {
  readonly toHaveStatus: Matcher<[status: unknown]>;
  readonly toBeSuccessful: Matcher<[]>;
  readonly toHaveHeader: Matcher<[name: unknown, value?: unknown]>;
  readonly toRespondWithin: Matcher<[milliseconds: unknown]>;
  readonly toHaveJson: Matcher<[json: unknown]>;
  readonly toPass: Matcher<[assertions: unknown], Promise<Verdict>>;
} = {
  toHaveStatus(received, wanted) {
    const exchange = responseOf("toHaveStatus", received);
    const pass = matchesStatus(exchange.status, wanted);
    return compare(this, exchange, pass, `status ${String(wanted)}`, statusOf(exchange));
  },
  toBeSuccessful(received) {
    const exchange = responseOf("toBeSuccessful", received);
    return compare(this, exchange, exchange.ok, "a successful status", statusOf(exchange));
  },
  toHaveHeader(received, name, value) {
    const exchange = responseOf("toHaveHeader", received);
    const { isExpected, text } = parseHeader(name, value);
    const found = valuesOf(exchange, String(name));
    const shown = found.map((one) => hidden(String(name), one)).join(", ");
    const actual = found.length === 0 ? "no such header" : shown;
    return compare(this, exchange, found.some(isExpected), text, actual);
  },
  toRespondWithin(received, milliseconds) {
    const exchange = responseOf("toRespondWithin", received);
    if (typeof milliseconds !== "number" || !(milliseconds > 0)) {
      throw new TypeError(
        `Calling toRespondWithin failed: ${String(milliseconds)} is not a number of milliseconds above 0`,
      );
    }
    const { total } = exchange.timing;
    const actual = `${Math.round(total * 10) / 10} ms`;
    return compare(this, exchange, total <= milliseconds, `within ${milliseconds} ms`, actual);
  },
  toHaveJson(received, expected) {
    const exchange = responseOf("toHaveJson", received);
    if (expected === undefined) {
      throw new TypeError("Calling toHaveJson failed: write the expected JSON");
    }
    return compareJson(this, exchange, expected);
  },
  async toPass(received, text) {
    const exchange = responseOf("toPass", received);
    const results = await Promise.all(
      readAssertions(text).map((one) =>
        evaluateAssertion(one, { answer: exchange, render: writtenText }),
      ),
    );
    const { mask, place } = shownOf(exchange);
    const masked = results.map((result) => maskAssertion(result, mask));
    const failed = masked.filter(isFailedAssertion);
    const pass = failed.length === 0;
    const said = pass
      ? `Expected an assertion to fail, all ${masked.length} hold`
      : `${failed.length} of ${masked.length} assertions failed`;
    const lines = (pass ? masked : failed).map((one) => {
      const detail = pass ? "" : `: ${failureDetail(one)}`;
      return `\n  ?? ${one.text}${detail}`;
    });
    const { expected, actual } = failed[0] ?? {};
    return { pass, message: () => `${said}${place}${lines.join("")}`, expected, actual };
  },
};

/**
 * The response that a matcher was given.
 *
 * @throws {TypeError} The value is none.
 */
function responseOf(matcher: string, received: unknown): Exchange {
  if (isExchange(received)) return received;
  throw new TypeError(`Calling ${matcher} failed: ${explainValue(received)}`);
}

function explainValue(value: unknown): string {
  if (value === undefined || value === null) {
    return `the value is ${value}, not a response; client.last is undefined until a response arrives`;
  }
  const isPromise = typeof value === "object" && "then" in value;
  return isPromise
    ? "the value is a promise: await the response, as in expect(await client.send(…))"
    : "the value is not a response, as client.last and the result of client.send are";
}

function compare(
  { isNot }: MatcherContext,
  exchange: Exchange,
  pass: boolean,
  wanted: string,
  found: string,
): Verdict {
  const { mask, place } = shownOf(exchange, found === statusOf(exchange));
  const expected = mask(`${isNot ? "not " : ""}${wanted}`);
  const actual = mask(found);
  return { pass, message: () => `Expected ${expected}, found ${actual}${place}`, expected, actual };
}

/** What masks the secrets of an exchange, and what a message says of it: the request, and the status unless it is said. */
function shownOf(
  exchange: Exchange,
  isSaid = false,
): {
  readonly masking: Masking;
  readonly mask: (text: string) => string;
  readonly place: string;
} {
  const masking = combineSecrets(exchange.secrets);
  const masker = createMasker(masking);
  const mask = (text: string): string => masker.mask(text);
  const status = isSaid ? "" : `: ${statusOf(exchange)}`;
  return { masking, mask, place: ` (${mask(describeRequest(exchange.request) + status)})` };
}

function statusOf({ status, statusText }: Exchange): string {
  return `${status} ${statusText}`.trim();
}

function matchesStatus(status: number, wanted: unknown): boolean {
  const named = Object.hasOwn(CLASSES, String(wanted)) ? CLASSES[String(wanted)] : wanted;
  if (typeof named === "string" && /^[1-5]xx$/i.test(named)) {
    return Math.floor(status / 100) === Number(named[0]);
  }
  if (Number.isInteger(wanted) && Number(wanted) >= 100 && Number(wanted) <= 999) {
    return status === wanted;
  }
  throw new TypeError(
    `Calling toHaveStatus failed: ${JSON.stringify(wanted)} is neither a status code such as 200 nor a class such as "2xx" or "success"`,
  );
}

const HEADER_NAME = /^[!#$%&'*+.^_`|~\dA-Za-z-]+$/;

interface ExpectedHeader {
  readonly text: string;
  readonly isExpected: (value: string) => boolean;
}

function parseHeader(name: unknown, value: unknown): ExpectedHeader {
  if (typeof name !== "string" || !HEADER_NAME.test(name)) {
    throw new TypeError(
      `Calling toHaveHeader failed: ${JSON.stringify(name)} is not the name of a header`,
    );
  }
  if (value === undefined) return { text: `header ${name}`, isExpected: () => true };
  const text = `header ${name}: ${hidden(name, String(value))}`;
  if (typeof value === "string") return { text, isExpected: (found) => found === value };
  // Unlike `test`, `search` does not remember where a pattern with the flag `g` has matched.
  if (value instanceof RegExp) return { text, isExpected: (found) => found.search(value) >= 0 };
  throw new TypeError(
    "Calling toHaveHeader failed: the value is neither a string nor a regular expression",
  );
}

function valuesOf({ headers }: Exchange, name: string): readonly string[] {
  if (name.toLowerCase() === "set-cookie") return headers.getSetCookie();
  const value = headers.get(name);
  return value === null ? [] : [value];
}

/** Credentials are hidden by the names of their headers, even if no store of secrets knows them. */
function hidden(name: string, value: string): string {
  return isCredentialHeader(name, value) ? hideCredential(name, value, (text) => text) : value;
}

/** How many differences a message lists. */
const MOST = 10;

function compareJson(context: MatcherContext, exchange: Exchange, expected: unknown): Verdict {
  const { masking, mask, place } = shownOf(exchange);
  const show = (value: unknown): string =>
    value === undefined ? "nothing" : shorten(mask(writeJson(value, context)), 200);
  const masked = (value: unknown): unknown => maskValue(value, masking);
  const found = jsonOf(exchange);
  if ("fault" in found) {
    const message = (): string => `Expected JSON, found ${mask(found.fault)}${place}`;
    return { pass: false, message, expected: "JSON", actual: mask(found.fault) };
  }
  const differences: Difference[] = [];
  const rules = {
    comparesItems: true,
    isEqual: (one: unknown, other: unknown) =>
      isAsymmetric(one) ? context.equals(other, one) : undefined,
    // Members that are not expected.
    isIgnored: (path: Difference["path"]) => {
      const steps = path.slice(0, -1) as (string | number)[];
      const parent = path.length > 0 && valueAt(expected as Value, { steps });
      return isRecord(parent) && !Object.hasOwn(parent, String(path.at(-1)));
    },
  };
  for (const difference of compareValues(expected, found.json, rules)) {
    if (differences.push(difference) > MOST) break;
  }
  const [first] = differences;
  if (first === undefined) {
    const message = (): string =>
      `Expected the JSON not to match ${show(masked(expected))}${place}`;
    return { pass: true, message };
  }
  const path = mask(pathText(first.path));
  const lines = differences.slice(0, MOST).map((one, at) => {
    const items = one.kind === "length" ? " items" : "";
    const values = `expected ${show(masked(one.expected))}${items}, found ${show(masked(one.actual))}`;
    return at === 0
      ? `${path}: ${values}${place}`
      : `\n  at ${mask(pathText(one.path))}: ${values}`;
  });
  if (differences.length > MOST) lines.push("\n  …");
  return {
    pass: false,
    message: () => `The JSON does not match at ${lines.join("")}`,
    // A runner would show what an asymmetric matcher contains.
    expected: isAsymmetric(first.expected) ? show(first.expected) : masked(first.expected),
    actual: masked(first.actual),
    meta: { path },
  };
}

/** A value in one line: JSON, with asymmetric matchers in it. */
function writeJson(value: unknown, context: MatcherContext): string {
  if (isAsymmetric(value)) return context.utils.stringify(value).replaceAll(/\s+/g, " ");
  if (Array.isArray(value)) return `[${value.map((it) => writeJson(it, context)).join(", ")}]`;
  if (!isRecord(value) || isNumberText(value)) {
    return typeof value === "string" ? JSON.stringify(value) : String(value);
  }
  const members = Object.entries(value).map(
    ([name, it]) => `${JSON.stringify(name)}: ${writeJson(it, context)}`,
  );
  return `{${members.join(", ")}}`;
}

function jsonOf(exchange: Exchange): { readonly json: unknown } | { readonly fault: string } {
  try {
    const json: unknown = exchange.json;
    return json === undefined ? { fault: "no body" } : { json };
  } catch (error) {
    return { fault: `a body that is not JSON: ${(error as Error).message}` };
  }
}

/** `expect.any(String)` and the like; those of Bun are objects of a class without members. */
function isAsymmetric(value: unknown): boolean {
  if (!isRecord(value) || isNumberText(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  const isPlain = prototype === null || prototype === Object.prototype;
  return !isPlain || typeof value["asymmetricMatch"] === "function";
}

/**
 * Parses the lines of `toPass`.
 *
 * @throws {TypeError} There are none, or one needs a value.
 * @throws {RequestSyntaxError} A line is not valid.
 */
function readAssertions(text: unknown): readonly AssertionDraft[] {
  const assertions = typeof text === "string" ? parseAssertions(text) : [];
  if (assertions.length === 0) {
    throw new TypeError(
      'Calling toPass failed: write lines such as "?? status == 200", as in request text',
    );
  }
  const isFilled = assertions.every(({ expected }) =>
    (expected?.parts ?? []).every((part) => typeof part === "string"),
  );
  if (isFilled) return assertions;
  throw new TypeError(
    "Calling toPass failed: placeholders have no values here; write the values, or use client.evaluateAssertions",
  );
}

function writtenText({ parts }: Template): string {
  return parts.join("");
}
