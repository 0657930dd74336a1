import type { AssertionDraft, AssertionResult } from "../assertions/mod.ts";
import type { Exchange } from "../exchange/mod.ts";
import type { SendOptions } from "../http/mod.ts";
import { snapshotValue, type Template, type Value } from "../interpolation/mod.ts";
import { parseAssertions, placeholdersOf, type RequestDraft } from "../request/mod.ts";
import type { ClientContext } from "./client-context.ts";
import { createChecks } from "./scripts/mod.ts";

/** Options of `evaluateAssertions`. */
export type AssertOptions = Pick<SendOptions, "file" | "firstLine" | "runScript" | "signal">;

/** Evaluates assertions without a request against the latest exchange, which stays as it is. */
export async function evaluateAssertions(
  text: string,
  assertOptions: AssertOptions,
  { session, options }: ClientContext,
): Promise<readonly AssertionResult[]> {
  const assertions = parseAssertions(text, assertOptions.firstLine);
  const exchange = session.history.last;
  if (exchange === undefined)
    throw new Error("Cannot evaluate the assertions: no request has been answered yet");
  const draft = draftOf(exchange, assertions);
  const { scopes } = session;
  await scopes.prepareSending(placeholdersOf(draft), assertOptions.signal);
  const values = new Map<string, Value>();
  const checks = createChecks(draft, {
    sendOptions: assertOptions,
    options,
    scope: () => scopes.sending(values),
    setVar: (name, value) => values.set(name, snapshotValue(value as Value, name)),
    each: [],
  });
  if (checks === undefined) return [];
  return (await checks.after(exchange)).results;
}

/** The request of an exchange as a draft, for the expressions that see it. */
function draftOf({ request }: Exchange, assertions: readonly AssertionDraft[]): RequestDraft {
  const source = assertions[0]?.source ?? "";
  const span = { start: 0, end: source.length };
  const literal = (text: string): Template => ({ source, parts: [text] });
  const { method, url, headers, body } = request;
  return {
    kind: "request",
    annotations: [],
    method,
    url: literal(url),
    urlSpan: span,
    headers: headers.map(([name, value]) => ({ name, value: literal(value), span })),
    ...(typeof body === "string" ? { body: { kind: "text", text: literal(body), span } } : {}),
    assertions,
    span,
    source,
  };
}
