import { describeRequest } from "../../lib/exchange/mod.ts";
import { type Exchange, isExchange } from "../../lib/mod.ts";
import { hideCredential, isCredentialHeader } from "../../lib/secrets/mod.ts";

/** What a matcher says of a value. */
export interface Verdict {
  readonly pass: boolean;
  readonly message: () => string;
  readonly expected?: unknown;
  readonly actual?: unknown;
  readonly meta?: { readonly path: string };
}

/** Whether the matcher is called after `.not`. */
export interface MatcherContext {
  readonly isNot: boolean;
}

type Matcher<Given extends unknown[]> = (
  this: MatcherContext,
  received: unknown,
  ...given: Given
) => Verdict;

/** The matchers of responses. */
export const RESPONSE_MATCHERS: {
  readonly toHaveStatus: Matcher<[status: unknown]>;
  readonly toBeSuccessful: Matcher<[]>;
  readonly toHaveHeader: Matcher<[name: unknown, value?: unknown]>;
  readonly toRespondWithin: Matcher<[milliseconds: unknown]>;
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
  actual: string,
): Verdict {
  const expected = `${isNot ? "not " : ""}${wanted}`;
  const message = (): string =>
    `Expected ${expected}, found ${actual} (${describeRequest(exchange.request)})`;
  return { pass, message, expected, actual };
}

function statusOf({ status, statusText }: Exchange): string {
  return `${status} ${statusText}`.trim();
}

function matchesStatus(status: number, wanted: unknown): boolean {
  if (typeof wanted === "string" && /^[1-5]xx$/i.test(wanted)) {
    return Math.floor(status / 100) === Number(wanted[0]);
  }
  if (Number.isInteger(wanted) && Number(wanted) >= 100 && Number(wanted) <= 999) {
    return status === wanted;
  }
  throw new TypeError(
    `Calling toHaveStatus failed: ${JSON.stringify(wanted)} is neither a status code such as 200 nor a class such as "2xx"`,
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
