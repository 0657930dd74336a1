import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { createClient } from "../../lib/mod.ts";

interface Vector {
  readonly name: string;
  readonly rule: string;
  readonly vars: { readonly [name: string]: unknown };
  readonly request: string;
  readonly method?: string;
  readonly url?: string;
  readonly headers?: { readonly [name: string]: string };
  readonly body?: unknown;
  readonly bodyJson?: unknown;
  readonly bodyMultiline?: boolean;
  readonly error?: string;
  readonly errorMentions?: readonly string[];
  readonly setVarError?: boolean;
}

const vectors: readonly Vector[] = JSON.parse(
  readFileSync(new URL("../vectors/rendering.json", import.meta.url), "utf8"),
);

/** Values that JSON lacks, see vectors/README.md. */
const TAGS: { readonly [tag: string]: (content: never) => unknown } = {
  $date: (text: string) => new Date(text),
  $bigint: (digits: string) => BigInt(digits),
  $number: (text: string) => Number(text),
  $invalidDate: () => new Date(Number.NaN),
  $function: () => () => 1,
  $repeat: ([text, count]: [string, number]) => text.repeat(count),
  $cycle: () => {
    const cycle: { self?: unknown } = {};
    cycle.self = cycle;
    return cycle;
  },
};

function revive(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(revive);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value);
  const [tag, content] = entries[0] ?? ["", undefined];
  const make = entries.length === 1 ? TAGS[tag] : undefined;
  if (make) return make(content as never);
  return Object.fromEntries(entries.map(([key, inner]) => [key, revive(inner)]));
}

function thrownBy(action: () => unknown): Error {
  try {
    action();
  } catch (error) {
    return error as Error;
  }
  throw new Error("Nothing was thrown");
}

describe("client.render passes the acceptance vectors", () => {
  test("all 72 of the design are there", () => {
    expect(vectors.length).toBeGreaterThanOrEqual(72);
  });

  test.each(vectors)("$rule: $name", (vector) => {
    const client = createClient();
    const store = (): void => {
      for (const [name, value] of Object.entries(vector.vars)) client.setVar(name, revive(value));
    };
    if (vector.setVarError) {
      expect(thrownBy(store)).toBeInstanceOf(TypeError);
      return;
    }
    store();
    if (vector.error) {
      const error = thrownBy(() => client.render(vector.request));
      expect(error.name).toBe(vector.error);
      for (const mention of vector.errorMentions ?? []) expect(error.message).toContain(mention);
      return;
    }
    const { method, url, headers, body } = client.render(vector.request);
    if (vector.method !== undefined) expect(method).toBe(vector.method);
    const found = new Map(headers.map(([name, value]) => [name.toLowerCase(), value]));
    if (vector.url !== undefined) expect(url).toBe(vector.url);
    for (const [name, value] of Object.entries(vector.headers ?? {})) {
      expect(found.get(name.toLowerCase())).toBe(value);
    }
    if (vector.body !== undefined) expect(body).toBe(revive(vector.body));
    if (vector.bodyJson !== undefined) expect(JSON.parse(String(body))).toEqual(vector.bodyJson);
    if (vector.bodyMultiline) expect(String(body)).toMatch(/[[{]\n/);
  });
});
